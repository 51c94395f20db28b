//! From the tree of nodes to parts: transforms, prototypes, inlined files.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use sudar::{DMat3, DVec3, Mesh, Pose};

use super::geometry;
use super::here::Here;
use super::parse::{Node, nodes};
use crate::affine::{Affine, Key, rotation};
use crate::builder::Builder;
use crate::source::{self, MAX_FILE};
use crate::{Cause, Model, NoteKind, beside};

/// Most nodes visited, however large the file: a few lines can name a node a billion times.
const MAX_VISITS: u64 = 1 << 21;
/// Nodes that any file may visit, and how many more for each of its bytes.
const FREE_VISITS: u64 = 1 << 15;
const VISITS_A_BYTE: u64 = 16;
/// Most nodes inside each other, prototypes and inlined files included.
const MAX_NESTING: usize = 250;
/// Most files inside each other.
const MAX_INLINE: usize = 8;
const EXTERNAL: &str = "prototypes in other files (EXTERNPROTO) are not supported; put them into this one";
/// Most bytes of all parts and meshes, however large the file.
const MAX_MADE: u64 = 1 << 32;
/// Bytes of parts and meshes that any file may make, and how many more for each of its bytes: `Sphere {}` makes 24 kB.
const FREE_MADE: u64 = 32 << 20;
const MADE_A_BYTE: u64 = 4000;
/// What a part and an entry of a known mesh take beside their names and triangles, about.
const ENTRY: u64 = 256;

/// Where the traversal is.
#[derive(Clone)]
struct Around<'a> {
    world: Affine,
    /// The name of the nearest node around that has one.
    name: Option<&'a str>,
    folder: Option<&'a Path>,
    depth: usize,
    files: usize,
}

/// A geometry as it is in the file: by its node and the instances of prototypes around it.
type Source = Vec<*const Node>;

/// Collects the parts of a scene.
pub(super) struct Scene {
    pub builder: Builder,
    stem: String,
    parts: Vec<(String, Arc<Mesh>, Pose)>,
    info: Vec<String>,
    known: HashMap<(Source, Option<Key>), Option<Arc<Mesh>>>,
    /// Bytes of the file and of those that it inlines.
    size: u64,
    visits: u64,
    made: u64,
    /// How many bytes of other files may still be read.
    left: u64,
    /// The nodes of inlined files stay until the end, since shared meshes are known by their addresses.
    files: Vec<Rc<Vec<Rc<Node>>>>,
}

impl Scene {
    /// Nothing yet, of a file of so many bytes.
    pub fn new(stem: &str, size: u64) -> Self {
        Self {
            builder: Builder::default(),
            stem: stem.to_owned(),
            parts: Vec::new(),
            info: Vec::new(),
            known: HashMap::new(),
            size,
            visits: 0,
            made: 0,
            left: MAX_FILE,
            files: Vec::new(),
        }
    }

    /// Everything that the nodes of a file show.
    pub fn show(&mut self, nodes: &[Rc<Node>], folder: Option<&Path>) -> Result<(), Cause> {
        let around = Around { world: Affine::IDENTITY, name: None, folder, depth: 0, files: 0 };
        nodes.iter().try_for_each(|node| self.visit(Here { node, env: None }, &around))
    }

    /// Bytes that were made of the file, about.
    #[cfg(test)]
    pub fn made(&self) -> u64 {
        self.made
    }

    pub fn finish(self) -> Result<Model, Cause> {
        let notes = self.builder.notes;
        if self.parts.is_empty() {
            return Err(Cause::NoTriangles { found: notes.summary() });
        }
        Ok(Model { notes: notes.into_vec(), info: self.info, ..Model::assembled(self.parts) })
    }

    fn visit(&mut self, here: Here<'_>, around: &Around<'_>) -> Result<(), Cause> {
        self.visits += 1;
        let limit = |what: String| Cause::Unsupported { place: here.place(), what };
        let most = (FREE_VISITS + VISITS_A_BYTE * self.size).min(MAX_VISITS);
        if self.visits > most {
            return Err(limit(format!(
                "the scene has more than {most} nodes, shared ones counted, which is too many for a file of this size; split it"
            )));
        }
        if around.depth > MAX_NESTING {
            return Err(limit(format!("nodes are nested more than {MAX_NESTING} deep; flatten the file")));
        }
        let name = here.node.name.as_deref().or(around.name);
        let inside = Around { name, depth: around.depth + 1, ..around.clone() };
        if let Some(proto) = &here.node.proto {
            if proto.is_external {
                return Err(limit(EXTERNAL.to_owned()));
            }
            return here.inside(|body| self.visit(body, &inside)).unwrap_or(Ok(()));
        }
        match here.node.kind.as_str() {
            "Transform" => {
                let world = around.world.after(&transform(here)?);
                self.children(here, "children", &Around { world, ..inside })
            }
            "Group" | "Anchor" | "Billboard" | "Collision" => self.children(here, "children", &inside),
            "LOD" => self.choice(here, "level", 0.0, &inside),
            "Switch" => self.choice(here, "choice", here.number("whichChoice", -1.0)?, &inside),
            "Inline" => self.inline(here, &inside),
            "Shape" => self.shape(here, &inside),
            "WorldInfo" => self.note_info(here.texts("info")),
            "Info" => self.note_info(here.texts("string")),
            kind => {
                if !SILENT.split(' ').any(|silent| silent == kind) {
                    self.builder.notes.add(NoteKind::SkippedNode, here.place());
                }
                Ok(())
            }
        }
    }

    fn children(&mut self, here: Here<'_>, field: &str, around: &Around<'_>) -> Result<(), Cause> {
        here.nodes(field)?.into_iter().try_for_each(|child| self.visit(child, around))
    }

    /// One of several children; those that are not shown are counted.
    fn choice(&mut self, here: Here<'_>, field: &str, which: f64, around: &Around<'_>) -> Result<(), Cause> {
        let choices = here.nodes(field)?;
        let chosen = choices.iter().enumerate().find(|(i, _)| *i as f64 == which);
        let hidden = choices.len() - usize::from(chosen.is_some());
        self.builder.notes.add_many(NoteKind::HiddenNode, hidden as u64, here.place());
        chosen.map_or(Ok(()), |(_, child)| self.visit(*child, around))
    }

    /// The nodes of another file, in the folder of this one.
    fn inline(&mut self, here: Here<'_>, around: &Around<'_>) -> Result<(), Cause> {
        let urls = here.texts("url");
        let refused = |why: String| {
            let url = crate::error::quoted(urls.first().map_or(&b""[..], |url| url.as_bytes()));
            Cause::Unsupported { place: here.place(), what: format!("inlined file {url} is not read: {why}") }
        };
        if around.files >= MAX_INLINE {
            return Err(refused(format!("files are nested more than {MAX_INLINE} deep; join them")));
        }
        let folder = around.folder.ok_or_else(|| refused(beside::NO_FOLDER.into()))?;
        // Several are alternatives.
        let paths: Vec<Result<PathBuf, String>> = urls.iter().map(|url| beside::find(folder, url)).collect();
        let Some(path) = paths.iter().find_map(|path| path.as_ref().ok()) else {
            let why = paths.into_iter().find_map(Result::err);
            return Err(refused(why.unwrap_or_else(|| "it has no address".to_owned())));
        };
        let bytes = source::raw(path, self.left).and_then(|bytes| {
            self.left -= bytes.len() as u64;
            self.size += bytes.len() as u64;
            source::expand(bytes)
        });
        let bytes = bytes.map_err(|e| refused(e.to_string()))?;
        let nodes = Rc::new(nodes(&bytes).map_err(|e| refused(e.to_string()))?);
        self.files.push(Rc::clone(&nodes));
        let inside = Around { folder: path.parent(), files: around.files + 1, ..around.clone() };
        // A second file has lines of its own, which the message has to say.
        let within = |e: Cause| refused(e.to_string());
        nodes.iter().try_for_each(|node| self.visit(Here { node, env: None }, &inside)).map_err(within)
    }

    fn shape(&mut self, here: Here<'_>, around: &Around<'_>) -> Result<(), Cause> {
        let Some(given) = here.child("geometry")? else {
            self.builder.notes.add(NoteKind::EmptyPart, here.place());
            return Ok(());
        };
        let name = around.name.filter(|name| !name.trim().is_empty()).unwrap_or(&self.stem).to_owned();
        let (baked, pose) =
            around.world.separate().map_err(|error| Cause::Pose { part: name.clone(), error })?;
        let source = source_of(given);
        let Some(mesh) = self.mesh(given, &source, &name)? else {
            self.builder.notes.add(NoteKind::EmptyPart, here.place());
            return Ok(());
        };
        self.charge(ENTRY + name.len() as u64)?;
        let key = baked.key();
        let placed = match self.known.get(&(source.clone(), Some(key))) {
            Some(Some(known)) => Arc::clone(known),
            Some(None) | None if key.0 == 0 => mesh,
            Some(None) | None => {
                self.charge(ENTRY + bytes_of(&mesh))?;
                self.builder.notes.add(NoteKind::BakedMesh, here.place());
                let copy = baked.into_mesh(&mesh);
                let copy = Arc::new(copy.map_err(|error| Cause::Mesh { part: name.clone(), error })?);
                self.known.insert((source, Some(key)), Some(Arc::clone(&copy)));
                copy
            }
        };
        self.parts.push((name, placed, pose));
        Ok(())
    }

    /// The mesh of a geometry, the same for every use of it; none if it has no triangles.
    fn mesh(&mut self, here: Here<'_>, source: &Source, name: &str) -> Result<Option<Arc<Mesh>>, Cause> {
        if let Some(known) = self.known.get(&(source.clone(), None)) {
            return Ok(known.clone());
        }
        here.resolved(&mut |node| geometry::read(node, &mut self.builder)).unwrap_or(Ok(()))?;
        let vertices = std::mem::take(&mut self.builder.vertices);
        let triangles = std::mem::take(&mut self.builder.triangles);
        let mesh = if triangles.is_empty() {
            None
        } else {
            let mesh = Mesh::new(vertices, triangles);
            Some(Arc::new(mesh.map_err(|error| Cause::Mesh { part: name.to_owned(), error })?))
        };
        self.charge(ENTRY + mesh.as_deref().map_or(0, bytes_of))?;
        self.known.insert((source.clone(), None), mesh.clone());
        Ok(mesh)
    }

    fn note_info(&mut self, texts: &[String]) -> Result<(), Cause> {
        self.charge(texts.iter().map(|text| 24 + text.len() as u64).sum())?;
        self.info.extend_from_slice(texts);
        Ok(())
    }

    /// Takes from the bytes that may be made of the file.
    fn charge(&mut self, bytes: u64) -> Result<(), Cause> {
        self.made += bytes;
        let limit = FREE_MADE.saturating_add(MADE_A_BYTE.saturating_mul(self.size)).min(MAX_MADE);
        if self.made > limit { Err(Cause::Bomb { limit }) } else { Ok(()) }
    }
}

fn bytes_of(mesh: &Mesh) -> u64 {
    24 * mesh.vertices().len() as u64 + 12 * mesh.triangles().len() as u64
}

/// Nodes that have nothing to do with triangles, of which nothing needs to be said.
const SILENT: &str = "\
    NavigationInfo Viewpoint Background Fog DirectionalLight PointLight SpotLight Sound TimeSensor \
    TouchSensor ProximitySensor VisibilitySensor CylinderSensor PlaneSensor SphereSensor Script \
    PositionInterpolator OrientationInterpolator ColorInterpolator CoordinateInterpolator NormalInterpolator \
    ScalarInterpolator AudioClip Appearance Material Coordinate";

fn source_of(here: Here<'_>) -> Source {
    let mut source: Source = vec![std::ptr::from_ref(here.node)];
    let mut env = here.env;
    while let Some(around) = env {
        source.push(std::ptr::from_ref(around.instance));
        env = around.outer;
    }
    source
}

/// translation · center · rotation · scaleOrientation · scale · −scaleOrientation · −center.
fn transform(here: Here<'_>) -> Result<Affine, Cause> {
    let vector = |name, default: f64| here.fixed(name, [default; 3]).map(DVec3::from_array);
    let (center, shift) = (vector("center", 0.0)?, vector("translation", 0.0)?);
    let turn = rotation(here.fixed("rotation", [0.0, 0.0, 1.0, 0.0])?);
    let lean = rotation(here.fixed("scaleOrientation", [0.0, 0.0, 1.0, 0.0])?);
    let scale = vector("scale", 1.0)?;
    // Multiplying by exact ones would still change the bits of the rotation.
    let linear = if scale == DVec3::ONE {
        turn
    } else if lean == DMat3::IDENTITY {
        turn * DMat3::from_diagonal(scale)
    } else {
        turn * lean * DMat3::from_diagonal(scale) * lean.transpose()
    };
    let offset = if linear == DMat3::IDENTITY { shift } else { shift + (center - linear * center) };
    Ok(Affine { linear, offset })
}
