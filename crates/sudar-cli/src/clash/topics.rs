//! The BCF file of a check: read before, written after.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use sudar_clash::{
    Bcf, BcfBy, BcfOptions, BcfProject, BcfVersion, Checked, ClashKind, Document, Subject, UpAxis,
};
use sudar_formats::Format;

use crate::common::one_of;
use crate::progress::Progress;
use crate::report;

/// Options about topics.
#[derive(Debug, clap::Args)]
pub struct TopicArgs {
    /// A file of topics that other tools read: made if it is not there, otherwise read, with what was decided in it,
    /// and written again. It takes the place of --review.
    #[arg(long, value_name = "F.bcf", conflicts_with = "review", value_parser = bcf_name)]
    bcf: Option<PathBuf>,
    /// The version of a new BCF file [default: 2.1, which most tools read].
    #[arg(long, value_name = "V", requires = "bcf", value_parser = one_of(BcfVersion::ALL, |version| version.name()))]
    bcf_version: Option<BcfVersion>,
    /// What a new topic is made of: a clash, or a group of --group [default: clash].
    #[arg(long, value_name = "BY", requires = "bcf", value_parser = one_of(BcfBy::ALL, |by| by.name()))]
    bcf_by: Option<BcfBy>,
    /// Who writes the topics [default: sudar clash].
    #[arg(long, value_name = "NAME", requires = "bcf")]
    bcf_author: Option<String>,
    /// Which axis of the model is up [default: y if all files are glTF, otherwise z].
    #[arg(long, value_name = "AXIS", requires = "bcf", value_parser = one_of(UpAxis::ALL, |up| up.name()))]
    bcf_up: Option<UpAxis>,
}

fn bcf_name(text: &str) -> Result<PathBuf> {
    let path = PathBuf::from(text);
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
    ensure!(["bcf", "bcfzip"].contains(&ending.as_str()), "let its name end in .bcf or .bcfzip");
    Ok(path)
}

impl TopicArgs {
    /// The file, if one is wanted.
    pub fn path(&self) -> Option<&Path> {
        self.bcf.as_deref()
    }

    /// What the file holds, or a new one.
    pub fn parse(&self, path: &Path, bytes: Option<&[u8]>) -> Result<Bcf> {
        let Some(bytes) = bytes else { return Ok(Bcf::new(self.bcf_version.unwrap_or_default())) };
        let bcf = Bcf::read(bytes).with_context(|| path.display().to_string())?;
        let (found, wanted) = (bcf.version().name(), self.bcf_version.unwrap_or(bcf.version()).name());
        let name = path.display();
        ensure!(found == wanted, "{name}: is BCF {found}; leave --bcf-version out, or name another file");
        Ok(bcf)
    }

    /// Refuses options that do not fit together.
    pub fn check(&self, has_groups: bool) -> Result<()> {
        let is_well = has_groups || self.bcf_by != Some(BcfBy::Group);
        ensure!(is_well, "--bcf-by group needs groups; leave --group none out");
        Ok(())
    }

    /// What is to be said about lengths, and about clashes without a topic.
    pub fn notes(&self, subject: &Subject, document: &Document<'_>, kinds: &[ClashKind]) -> Vec<String> {
        if self.bcf.is_none() {
            return Vec::new();
        }
        let takes = BcfOptions { kinds: kinds.to_vec(), ..BcfOptions::default() };
        let left = document.clashes.iter().filter(|clash| !takes.takes(clash.kind)).count();
        let left = (left > 0).then(|| {
            format!(
                "{} of kind touch or clearance: BCF gets no new topics of these; name kinds with --kinds",
                report::count(left, "clash").replace("clashs", "clashes")
            )
        });
        let unit = subject.unit.is_none().then(|| {
            "BCF is in metres, and the unit of the files is not known: their numbers are taken for metres; name their \
             unit with --units"
                .to_owned()
        });
        left.into_iter().chain(unit).collect()
    }

    /// The bytes of the file, brought up to date.
    pub fn updated(
        &self,
        mut bcf: Bcf,
        Checked { document, log, .. }: &Checked<'_>,
        subject: &Subject,
        kinds: &[ClashKind],
        project: Option<BcfProject>,
    ) -> Result<Vec<u8>> {
        let Some(log) = log else { return Ok(bcf.bytes()?) };
        let options = BcfOptions {
            by: self.bcf_by.unwrap_or_default(),
            author: self.bcf_author.clone().unwrap_or_default(),
            date: document.origin.date.clone(),
            up: self.bcf_up.unwrap_or_else(|| usual_up(&subject.files)),
            kinds: kinds.to_vec(),
            project,
        };
        let progress = Progress::new("views", Some(document.clashes.len() as u64));
        let parts = &subject.assembly.parts;
        bcf.update(log, parts, document, &options, &|| progress.advance(1))?;
        Ok(bcf.bytes()?)
    }
}

/// glTF has y up; of all else z is thought to be.
fn usual_up(files: &[String]) -> UpAxis {
    let is_gltf =
        |file: &String| matches!(Format::from_path(Path::new(file)), Ok(Format::Gltf | Format::Glb));
    if !files.is_empty() && files.iter().all(is_gltf) { UpAxis::Y } else { UpAxis::Z }
}
