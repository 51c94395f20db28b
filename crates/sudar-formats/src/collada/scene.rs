//! From the tree of nodes to parts.

use std::collections::HashMap;
use std::sync::Arc;

use sudar::{DMat3, DVec3, Mesh, Pose};

use super::document::{Document, Node, child, children};
use super::geometry;
use crate::affine::{Affine, Key, rotation};
use crate::builder::Builder;
use crate::error::one_line;
use crate::{Cause, Model, NoteKind};

/// Most nodes inside each other, instances included.
const MAX_NESTING: usize = 250;
/// Most nodes visited, however large the file: a few lines can name a node a billion times.
const MAX_VISITS: u64 = 1 << 21;
/// Nodes that any file may visit, and how many more for each of its bytes.
const FREE_VISITS: u64 = 1 << 15;
const VISITS_A_BYTE: u64 = 1;
/// Bytes of copied meshes that any file may make, and how many more for each of its bytes.
const FREE_MADE: u64 = 64 << 20;
const MADE_A_BYTE: u64 = 100;

/// Where the traversal is.
#[derive(Clone, Copy)]
struct Around<'d> {
    world: Affine,
    /// The nearest node around that has a name.
    name: Option<&'d str>,
    depth: usize,
}

/// Collects the parts of a scene.
pub(super) struct Scene<'r, 'd> {
    document: &'r Document<'d>,
    stem: &'r str,
    builder: Builder,
    parts: Vec<(String, Arc<Mesh>, Pose)>,
    /// By the place of a geometry in the file and what is baked into the copy.
    known: HashMap<(usize, Key), Option<Arc<Mesh>>>,
    size: u64,
    visits: u64,
    made: u64,
}

/// The own name of an element.
fn name_of(node: Node<'_>) -> Option<&str> {
    let names = ["name", "id"].map(|key| node.attribute(key).map(str::trim));
    names.into_iter().flatten().find(|name| !name.is_empty())
}

impl<'r, 'd> Scene<'r, 'd> {
    /// Nothing yet, of a file of so many bytes.
    pub fn new(document: &'r Document<'d>, stem: &'r str, size: u64) -> Self {
        let (builder, known) = (Builder::default(), HashMap::new());
        Self { document, stem, builder, parts: Vec::new(), known, size, visits: 0, made: 0 }
    }

    /// The scene that the file names, else its first one; without any, each geometry as it is.
    pub fn show(&mut self, root: Node<'d>) -> Result<(), Cause> {
        let around = Around { world: Affine::IDENTITY, name: None, depth: 0 };
        let named = child(root, "scene").and_then(|scene| child(scene, "instance_visual_scene"));
        let first = || child(child(root, "library_visual_scenes")?, "visual_scene");
        let scene = match named {
            Some(instance) => Some(self.document.target(instance, "url")?),
            None => first(),
        };
        if let Some(scene) = scene {
            return children(scene, "node").try_for_each(|node| self.visit(node, &around));
        }
        let libraries = children(root, "library_geometries");
        let mut geometries = libraries.flat_map(|library| children(library, "geometry"));
        geometries.try_for_each(|geometry| self.part(geometry, &around))
    }

    pub fn finish(self) -> Result<Model, Cause> {
        let notes = self.builder.notes;
        if self.parts.is_empty() {
            return Err(Cause::NoTriangles { found: notes.summary() });
        }
        Ok(Model { notes: notes.into_vec(), ..Model::assembled(self.parts) })
    }

    /// Counts a visit of an element.
    fn count(&mut self, node: Node<'d>, depth: usize) -> Result<(), Cause> {
        self.visits += 1;
        let limit = |what: String| Cause::Unsupported { place: self.document.place(node), what };
        let most = (FREE_VISITS + VISITS_A_BYTE * self.size).min(MAX_VISITS);
        if self.visits > most {
            let what = "which is too many for a file of this size; split it";
            return Err(limit(format!("the scene has more than {most} nodes, shared ones counted, {what}")));
        }
        if depth > MAX_NESTING {
            return Err(limit(format!("nodes are nested more than {MAX_NESTING} deep; flatten the file")));
        }
        Ok(())
    }

    fn visit(&mut self, node: Node<'d>, around: &Around<'d>) -> Result<(), Cause> {
        self.count(node, around.depth)?;
        let world = around.world.after(&self.local(node)?);
        let inside = Around { world, name: name_of(node).or(around.name), depth: around.depth + 1 };
        for element in node.children().filter(Node::is_element) {
            match element.tag_name().name() {
                "node" => self.visit(element, &inside)?,
                "instance_node" => self.visit(self.document.target(element, "url")?, &inside)?,
                "instance_geometry" => self.part(self.document.target(element, "url")?, &inside)?,
                "instance_controller" => {
                    self.controller(self.document.target(element, "url")?, &inside)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// A mesh that a skin or morph targets bend, where it is at rest.
    fn controller(&mut self, node: Node<'d>, around: &Around<'d>) -> Result<(), Cause> {
        self.count(node, around.depth)?;
        if node.tag_name().name() == "geometry" {
            return self.part(node, around);
        }
        let Some(bent) = child(node, "skin").or_else(|| child(node, "morph")) else {
            return Err(Cause::expected(self.document.place(node), "a skin or morph", b"none"));
        };
        self.builder.notes.add(NoteKind::RestShape, self.document.place(node));
        let shape = child(bent, "bind_shape_matrix").map(|matrix| self.matrix(matrix)).transpose()?;
        let world = around.world.after(&shape.unwrap_or(Affine::IDENTITY));
        let source = self.document.target(bent, "source")?;
        self.controller(source, &Around { world, depth: around.depth + 1, ..*around })
    }

    /// The transform of a node in its parent: the product of its transform elements in their order.
    fn local(&self, node: Node<'d>) -> Result<Affine, Cause> {
        let linear = |linear: DMat3| Affine { linear, offset: DVec3::ZERO };
        let mut local = Affine::IDENTITY;
        for element in node.children().filter(Node::is_element) {
            let step = match element.tag_name().name() {
                "matrix" => self.matrix(element)?,
                "translate" => {
                    Affine { offset: DVec3::from_array(self.document.fixed(element)?), ..Affine::IDENTITY }
                }
                "rotate" => {
                    let [x, y, z, degrees] = self.document.fixed(element)?;
                    linear(rotation([x, y, z, degrees.to_radians()]))
                }
                "scale" => linear(DMat3::from_diagonal(DVec3::from_array(self.document.fixed(element)?))),
                "skew" => linear(self.skew(element)?),
                "lookat" => {
                    let what = "the transform `lookat` is not read; export a matrix".to_owned();
                    return Err(Cause::Unsupported { place: self.document.place(element), what });
                }
                _ => continue,
            };
            local = local.after(&step);
        }
        Ok(local)
    }

    /// A matrix, row by row.
    fn matrix(&self, element: Node<'d>) -> Result<Affine, Cause> {
        let m = self.document.fixed::<16>(element)?;
        if m[12..] != [0.0, 0.0, 0.0, 1.0] {
            let place = self.document.place(element);
            return Err(Cause::expected(place, "a matrix with the last row 0 0 0 1", b"another"));
        }
        let column = |j: usize| DVec3::new(m[j], m[4 + j], m[8 + j]);
        Ok(Affine { linear: DMat3::from_cols(column(0), column(1), column(2)), offset: column(3) })
    }

    /// Points move along `along` by the tangent of the angle times how far they are along `across`, which is made at
    /// right angles to it, as in the RenderMan interface that the standard refers to.
    fn skew(&self, element: Node<'d>) -> Result<DMat3, Cause> {
        let [degrees, ax, ay, az, bx, by, bz] = self.document.fixed(element)?;
        let refused = || {
            let place = self.document.place(element);
            Cause::expected(place, "a skew along and across directions by less than 90 degrees", b"another")
        };
        let along = DVec3::new(bx, by, bz).try_normalize().ok_or_else(refused)?;
        let across = DVec3::new(ax, ay, az);
        let across = (across - along * across.dot(along)).try_normalize().ok_or_else(refused)?;
        if degrees.abs() >= 90.0 {
            return Err(refused());
        }
        let moved = along * libm::tan(degrees.to_radians());
        Ok(DMat3::IDENTITY + DMat3::from_cols(moved * across.x, moved * across.y, moved * across.z))
    }

    /// The part that shows a geometry.
    fn part(&mut self, geometry: Node<'d>, around: &Around<'d>) -> Result<(), Cause> {
        self.count(geometry, around.depth)?;
        let name = one_line(around.name.or(name_of(geometry)).unwrap_or(self.stem));
        let separate = around.world.separate();
        let (baked, pose) = separate.map_err(|error| Cause::Pose { part: name.clone(), error })?;
        let place = self.document.place(geometry);
        let Some(mesh) = self.mesh(geometry, &name)? else {
            self.builder.notes.add(NoteKind::EmptyPart, place);
            return Ok(());
        };
        let key = (geometry.range().start, baked.key());
        let placed = match self.known.get(&key) {
            Some(Some(known)) => Arc::clone(known),
            Some(None) | None => {
                self.charge(&mesh)?;
                self.builder.notes.add(NoteKind::BakedMesh, place);
                let copy = baked.into_mesh(&mesh);
                let copy = Arc::new(copy.map_err(|error| Cause::Mesh { part: name.clone(), error })?);
                self.known.insert(key, Some(Arc::clone(&copy)));
                copy
            }
        };
        self.parts.push((name, placed, pose));
        Ok(())
    }

    /// The mesh of a geometry, read once; none if it has no triangles.
    fn mesh(&mut self, geometry: Node<'d>, name: &str) -> Result<Option<Arc<Mesh>>, Cause> {
        let key = (geometry.range().start, crate::affine::Baked::Nothing.key());
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        geometry::read(self.document, geometry, &mut self.builder)?;
        let vertices = std::mem::take(&mut self.builder.vertices);
        let triangles = std::mem::take(&mut self.builder.triangles);
        let mesh = if triangles.is_empty() {
            None
        } else {
            let mesh = Mesh::new(vertices, triangles);
            Some(Arc::new(mesh.map_err(|error| Cause::Mesh { part: name.to_owned(), error })?))
        };
        self.known.insert(key, mesh.clone());
        Ok(mesh)
    }

    /// Takes the copy of a mesh from the bytes that may be made of the file.
    fn charge(&mut self, mesh: &Mesh) -> Result<(), Cause> {
        self.made += 24 * mesh.vertices().len() as u64 + 12 * mesh.triangles().len() as u64;
        let limit = FREE_MADE.saturating_add(MADE_A_BYTE.saturating_mul(self.size));
        if self.made > limit { Err(Cause::Bomb { limit }) } else { Ok(()) }
    }
}
