//! Nodes to parts: which share a mesh as it is, and which need a copy.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value;
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
    properties: Vec<Vec<(String, String)>>,
}

/// The texts, numbers and truth values in a JSON object, with keys `outer.inner` where objects hold objects.
fn add_properties(key: &str, value: &Value, found: &mut Vec<(String, String)>) {
    let text = match value {
        Value::Object(fields) => {
            for (inner, value) in fields {
                let key = if key.is_empty() { inner.clone() } else { format!("{key}.{inner}") };
                add_properties(&key, value, found);
            }
            return;
        }
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Bool(truth) => truth.to_string(),
        Value::Null | Value::Array(_) => return,
    };
    if !key.is_empty() {
        found.push((key.to_owned(), text));
    }
}

impl<'a> Instances<'a> {
    /// No parts yet; those without a name are named `stem`.
    pub fn new(source: Meshes<'a>, stem: &'a str) -> Self {
        Self { source, stem, known: HashMap::new(), parts: Vec::new(), properties: Vec::new() }
    }

    /// Adds the part that a node shows, called by its path if there is one.
    pub fn add(
        &mut self,
        (node, path): (&Node, Option<&str>),
        mesh: usize,
        world: &Affine,
        place: &impl Fn() -> Place,
        notes: &mut Notes,
    ) -> Result<(), Cause> {
        let own = [path, node.name.as_deref(), self.source.json(mesh)?.name.as_deref()];
        let name = own.into_iter().flatten().find(|name| !name.trim().is_empty()).unwrap_or(self.stem);
        let name = crate::error::one_line(name.trim());
        let (baked, pose) = world.separate().map_err(|error| Cause::Pose { part: name.clone(), error })?;
        if node.skin.is_some() {
            notes.add(NoteKind::RestShape, place());
        }
        match self.mesh(mesh, baked, &name, place, notes)? {
            Some(mesh) => {
                self.parts.push((name, mesh, pose));
                let mut properties = Vec::new();
                node.extras.iter().for_each(|extras| add_properties("", extras, &mut properties));
                self.properties.push(properties);
            }
            None => notes.add(NoteKind::EmptyPart, place()),
        }
        Ok(())
    }

    /// The parts, numbered in the order they were added.
    pub fn finish(self, notes: Notes) -> Result<Model, Cause> {
        if self.parts.is_empty() {
            return Err(Cause::NoTriangles { found: notes.summary() });
        }
        let mut model = Model { notes: notes.into_vec(), unit: Some(1.0), ..Model::assembled(self.parts) };
        for (part, properties) in model.parts.iter_mut().zip(self.properties) {
            part.properties = properties;
        }
        Ok(model)
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
