//! Nodes to parts: which share a mesh as it is, and which need a copy.

use std::collections::HashMap;
use std::sync::Arc;

use sudar::{Mesh, Pose};

use super::document::Node;
use super::primitives::Meshes;
use crate::affine::{Affine, Baked, Key};
use crate::note::Notes;
use crate::{Cause, Model, NoteKind, Place};

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
        let (baked, pose) = world.separate().map_err(|error| Cause::Pose { part: name.clone(), error })?;
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
                        baked
                            .into_mesh(&mesh)
                            .map_err(|error| Cause::Mesh { part: name.to_owned(), error })?,
                    ))
                }
                None => None,
            }
        };
        self.known.insert((index, baked.key()), mesh.clone());
        Ok(mesh)
    }
}
