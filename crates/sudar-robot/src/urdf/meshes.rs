//! Meshes by the names that a URDF gives them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sudar::query::Body;
use sudar::{DVec3, Pose};
use sudar_formats::Model;

use super::geometry::mesh_body;
use crate::notes::Notes;
use crate::xml::Place;
use crate::{LoadOptions, RobotError};

/// A file and the bits of its scale.
type Scaled = (PathBuf, [u64; 3]);
type Bodies = Vec<(Body, Pose)>;

/// Reads each mesh file once.
pub(crate) struct Meshes<'o> {
    folder: PathBuf,
    options: &'o LoadOptions,
    read: HashMap<Scaled, Bodies>,
    pub notes: Notes,
}

impl<'o> Meshes<'o> {
    pub fn new(folder: PathBuf, options: &'o LoadOptions) -> Self {
        Self { folder, options, read: HashMap::new(), notes: Notes::default() }
    }

    /// Whether what cannot be read is left out.
    pub fn skips(&self) -> bool {
        self.options.skip_missing_meshes
    }

    /// Notes something about a link.
    pub fn note(&mut self, place: &Place, link: &str, what: &str) {
        self.notes.add(place, &format!("link '{link}'"), what);
    }

    /// The bodies of a mesh file, one a part, all their coordinates in metres and multiplied by `scale`.
    pub fn bodies(
        &mut self,
        uri: &str,
        scale: DVec3,
        link: &str,
        place: &Place,
    ) -> Result<Bodies, RobotError> {
        let refused = |why: String| RobotError::Mesh { link: link.to_owned(), why };
        if !scale.is_finite() || scale.abs().min_element() == 0.0 {
            return Err(refused(format!("the scale of mesh {uri} must be finite and not 0")));
        }
        let missing = || RobotError::NoMesh { link: link.to_owned(), uri: uri.to_owned() };
        let path = match self.find(uri) {
            Some(path) => path,
            None if self.skips() => {
                self.note(place, link, &format!("mesh {uri} is not found and not checked"));
                return Ok(Vec::new());
            }
            None => return Err(missing()),
        };
        let key = (path, scale.to_array().map(f64::to_bits));
        if let Some(bodies) = self.read.get(&key) {
            return Ok(bodies.clone());
        }
        match self.load(&key.0, scale, (link, place)) {
            Ok(bodies) => {
                self.read.insert(key, bodies.clone());
                Ok(bodies)
            }
            Err(why) if self.skips() => {
                self.note(place, link, &format!("mesh {uri} cannot be read and is not checked: {why}"));
                Ok(Vec::new())
            }
            Err(why) => Err(refused(why)),
        }
    }

    fn load(&mut self, path: &Path, scale: DVec3, (link, place): (&str, &Place)) -> Result<Bodies, String> {
        let model = sudar_formats::read(path).map_err(|error| error.to_string())?;
        for note in &model.notes {
            self.note(place, link, &format!("{}: {note}", path.display()));
        }
        let bodies = parts(&model, scale).map_err(|why| format!("{}: {why}", path.display()))?;
        if bodies.is_empty() {
            return Err(format!("{}: has no triangles; export it again", path.display()));
        }
        Ok(bodies)
    }

    /// The file of a name: `package://NAME/…`, `model://NAME/…`, `file://…` or a path.
    fn find(&self, uri: &str) -> Option<PathBuf> {
        let named = ["package://", "model://"].iter().find_map(|scheme| uri.strip_prefix(scheme));
        if let Some(named) = named {
            return self.in_package(named);
        }
        let path = Path::new(uri.strip_prefix("file://").unwrap_or(uri));
        let path = if path.is_absolute() { path.to_owned() } else { self.folder.join(path) };
        path.is_file().then_some(path)
    }

    /// `NAME/…` in the folder given for that package, else in the folder of the URDF or one above; last, what follows
    /// the name.
    fn in_package(&self, named: &str) -> Option<PathBuf> {
        // `package:///NAME/…` is what some tools write.
        let named = named.trim_start_matches('/');
        let (package, rest) = named.split_once('/')?;
        let mut given = self.options.packages.iter().filter(|(name, _)| name == package);
        if let Some(found) =
            given.find_map(|(_, folder)| Some(folder.join(rest)).filter(|path| path.is_file()))
        {
            return Some(found);
        }
        // An absolute folder has others above it.
        let folder = std::path::absolute(&self.folder).unwrap_or_else(|_| self.folder.clone());
        let with_name = folder.ancestors().map(|above| above.join(named));
        let without = folder.ancestors().map(|above| above.join(rest));
        with_name.chain(without).find(|path| path.is_file())
    }
}

/// The parts of a model, in metres where it names another unit.
fn parts(model: &Model, scale: DVec3) -> Result<Bodies, String> {
    let scale = scale * model.unit.unwrap_or(1.0);
    let one = |part: &sudar_formats::Part| {
        if scale == DVec3::ONE {
            let mesh = model.mesh_of(part).map_err(|error| error.to_string())?;
            return Ok((mesh_body(Arc::clone(mesh)), part.pose));
        }
        let mesh = model.posed(part).map_err(|error| error.to_string())?;
        let scaled = mesh.mapped(|p| p * scale).map_err(|error| error.to_string())?;
        Ok((mesh_body(Arc::new(scaled)), Pose::IDENTITY))
    };
    model.parts.iter().map(one).collect()
}
