//! Nodes to parts: which share a mesh as it is, and which need a copy.

use std::collections::HashMap;
use std::sync::Arc;

use sudar::{DMat3, DVec3, Mesh, Pose};

use super::document::Node;
use super::nodes::Affine;
use super::primitives::Meshes;
use crate::note::Notes;
use crate::{Cause, Model, NoteKind, Place};

/// What is baked into a copy of a mesh.
#[derive(Debug, Clone, Copy)]
enum Baked {
    Nothing,
    Scale(f64),
    Linear(DMat3),
}

/// What tells one copy from another.
type Key = (u8, [u64; 9]);

impl Baked {
    /// The same kind and bits, the same copy.
    fn key(&self) -> Key {
        match self {
            Self::Nothing => (0, [0; 9]),
            Self::Scale(s) => (1, [s.to_bits(); 9]),
            Self::Linear(m) => (2, m.to_cols_array().map(f64::to_bits)),
        }
    }

    fn apply(&self, p: DVec3) -> DVec3 {
        match self {
            Self::Nothing => p,
            Self::Scale(s) => p * *s,
            Self::Linear(m) => *m * p,
        }
    }

    fn mirrors(&self) -> bool {
        match self {
            Self::Nothing => false,
            Self::Scale(s) => *s < 0.0,
            Self::Linear(m) => m.determinant() < 0.0,
        }
    }
}

/// Collects parts.
pub struct Instances<'a> {
    source: Meshes<'a>,
    stem: &'a str,
    known: HashMap<(usize, Key), Option<Arc<Mesh>>>,
    parts: Vec<(String, Arc<Mesh>, Pose)>,
}

impl<'a> Instances<'a> {
    /// No parts yet; those without a name are named `stem`.
    pub fn new(source: Meshes<'a>, stem: &'a str) -> Self {
        Self { source, stem, known: HashMap::new(), parts: Vec::new() }
    }

    /// Adds the part that a node shows.
    pub fn add(
        &mut self,
        node: &Node,
        mesh: usize,
        world: &Affine,
        place: &impl Fn() -> Place,
        notes: &mut Notes,
    ) -> Result<(), Cause> {
        let own = [node.name.as_deref(), self.source.json(mesh)?.name.as_deref()];
        let name = own.into_iter().flatten().find(|name| !name.trim().is_empty()).unwrap_or(self.stem);
        let name = crate::error::one_line(name.trim());
        let (baked, pose) = separate(world).map_err(|error| Cause::Pose { part: name.clone(), error })?;
        if node.skin.is_some() {
            notes.add(NoteKind::RestShape, place());
        }
        match self.mesh(mesh, baked, &name, place, notes)? {
            Some(mesh) => self.parts.push((name, mesh, pose)),
            None => notes.add(NoteKind::EmptyPart, place()),
        }
        Ok(())
    }

    /// The parts, numbered in the order they were added.
    pub fn finish(self, notes: Notes) -> Result<Model, Cause> {
        if self.parts.is_empty() {
            return Err(Cause::NoTriangles { found: notes.summary() });
        }
        Ok(Model { notes: notes.into_vec(), ..Model::assembled(self.parts) })
    }

    fn mesh(
        &mut self,
        index: usize,
        baked: Baked,
        name: &str,
        place: &impl Fn() -> Place,
        notes: &mut Notes,
    ) -> Result<Option<Arc<Mesh>>, Cause> {
        if let Some(known) = self.known.get(&(index, baked.key())) {
            return Ok(known.clone());
        }
        let mesh = if let Baked::Nothing = baked {
            self.source.read(index, notes)?.map(Arc::new)
        } else {
            match self.mesh(index, Baked::Nothing, name, place, notes)? {
                Some(mesh) => {
                    notes.add(NoteKind::BakedMesh, place());
                    self.source
                        .charge(24 * mesh.vertices().len() as u64 + 12 * mesh.triangles().len() as u64)?;
                    Some(Arc::new(
                        bake(&mesh, baked).map_err(|error| Cause::Mesh { part: name.to_owned(), error })?,
                    ))
                }
                None => None,
            }
        };
        self.known.insert((index, baked.key()), mesh.clone());
        Ok(mesh)
    }
}

/// What has to be baked into the mesh, and the pose that remains.
fn separate(world: &Affine) -> Result<(Baked, Pose), sudar::PoseError> {
    if let Ok(pose) = Pose::from_matrix(world.linear, world.offset) {
        return Ok((Baked::Nothing, pose));
    }
    // The scale in 32 bits, as files have it: nodes that are turned differently then share a copy.
    let length = world.linear.x_axis.length() * world.linear.determinant().signum();
    let scale = f64::from(length as f32);
    if scale != 0.0
        && let Ok(pose) = Pose::from_matrix(world.linear * scale.recip(), world.offset)
    {
        return Ok((Baked::Scale(scale), pose));
    }
    Ok((Baked::Linear(world.linear), Pose::from_translation(world.offset)?))
}

fn bake(mesh: &Mesh, baked: Baked) -> Result<Mesh, sudar::MeshError> {
    let vertices = mesh.vertices().iter().map(|&p| baked.apply(p)).collect();
    let mirrors = baked.mirrors();
    let wound = |&[a, b, c]: &[u32; 3]| if mirrors { [a, c, b] } else { [a, b, c] };
    Mesh::new(vertices, mesh.triangles().iter().map(wound).collect())
}
