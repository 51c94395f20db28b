//! The project that a file of topics belongs to: `project.bcfp`, beside the version.

use super::guid::{Guid, Hash, What};
use super::viewpoint::is_ifc_id;
use super::xml::{Element, write};
use super::{Bcf, BcfOptions, BcfProject, BcfVersion};

const FILE: &str = "project.bcfp";

impl Bcf {
    /// Says which project this is, unless the file says it already.
    pub(super) fn add_project(&mut self, options: &BcfOptions, files: &[String]) {
        let name = format!("{}{FILE}", self.root);
        let Some(BcfProject { id, name: title }) = options.project.clone().or_else(|| unnamed(files)) else {
            return;
        };
        if self.files.keys().any(|known| known.eq_ignore_ascii_case(&name)) {
            return;
        }
        let title = (!title.trim().is_empty()).then(|| Element::text_of("Name", title.trim()));
        let project = Element::new("Project").with("ProjectId", &id).holding(title);
        let root = match self.version {
            BcfVersion::V2_1 => {
                Element::new("ProjectExtension").holding([project, Element::text_of("ExtensionSchema", "")])
            }
            BcfVersion::V3_0 => Element::new("ProjectInfo").holding([project]),
        };
        self.files.insert(name, write(&root));
    }
}

impl BcfOptions {
    /// The identity of the `IfcProject`, if that is what the project has.
    pub(super) fn ifc_project(&self) -> Option<&str> {
        self.project.as_ref().map(|project| project.id.as_str()).filter(|id| is_ifc_id(id))
    }
}

/// A project of files without one: the same for the same names.
fn unnamed(files: &[String]) -> Option<BcfProject> {
    let mut hash = Hash::new("project");
    files.iter().for_each(|file| hash.text(file));
    let id = Guid { identity: hash.value(), stamp: 0, what: What::Group }.text();
    (!files.is_empty()).then(|| BcfProject { id, name: files.join(", ") })
}
