//! The parts of a store, whose triangles are read when chunks need them.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, ensure};
use rayon::prelude::*;
use sudar::query::Body;
use sudar::{Aabb, DVec3, Mesh, Pose};
use sudar_clash::{Outline, Part, PartDetails};
use sudar_store::{Store, StoreError};

use super::scene::Placed;
use super::stored;
use super::subject::{self, Loaded, shown};
use crate::common::ModelArgs;

/// About so many bytes a triangle takes with all that queries make of its mesh.
const TRIANGLE: u64 = 256;

/// A store, and bodies of it that are in memory.
#[derive(Debug)]
pub struct Stock {
    store: Store,
    /// How many bytes the bodies may take, as far as one chunk needs no more.
    memory: u64,
    held: Mutex<HashMap<usize, Body>>,
}

impl Stock {
    /// Opens a store.
    pub fn open(path: &Path, memory: u64) -> Result<Self> {
        Ok(Self { store: Store::open(path)?, memory, held: Mutex::default() })
    }

    /// The fingerprint of all that the store holds.
    pub fn scene(&self) -> u128 {
        self.store.fingerprint()
    }

    /// What is checked, with the outlines of its parts.
    pub fn loaded(&self, common: &ModelArgs) -> Result<Loaded> {
        let own = self.store.unit();
        let unit = common.read.common_unit(&[own]);
        ensure!(
            common.read.factor_to(unit, own) == 1.0 && !common.weld.is_wanted(),
            "--job takes a store as it is; --units, --scale and --weld are options of sudar pack"
        );
        let mut loaded = Loaded { title: shown(self.store.path()), ..Loaded::default() };
        loaded.subject.unit = unit;
        let file = loaded.take(stored::about(&self.store)?);
        subject::add(&mut loaded.subject, &file, &Placed::alone(self.store.path().to_owned()))?;
        let (parts, meshes, boxes) = (self.store.parts()?, self.store.meshes()?, self.boxes()?);
        let is_one_file = loaded.subject.files.len() == 1;
        for ((number, part), bounds) in parts.iter().enumerate().zip(boxes) {
            let mesh = &meshes[part.mesh];
            loaded.subject.outlines.push(Outline {
                name: part.name.to_owned(),
                bounds,
                triangles: mesh.triangles as usize,
                is_solid: mesh.is_solid,
                mesh: mesh.content,
                pose: part.pose,
            });
            let details = stored::details(parts, number, &part, mesh);
            let file = details.file.filter(|_| !is_one_file);
            loaded.subject.details.push(PartDetails { file, ..details });
        }
        Ok(loaded)
    }

    /// The boxes around the parts where they stand.
    fn boxes(&self) -> Result<Vec<Aabb>> {
        let parts = self.store.parts()?;
        let mut of_mesh = vec![Vec::new(); self.store.mesh_count()];
        parts.iter().enumerate().for_each(|(number, part)| of_mesh[part.mesh].push(number));
        let around = |(mesh, numbers): (usize, Vec<usize>)| {
            let corners = corners(&*self.store.mesh(mesh)?);
            let at = |pose: Pose| Aabb::around(corners.iter().map(|p| pose.apply(*p)));
            let part = |number: usize| (number, parts.get(number).map(|part| at(part.pose)));
            Ok(numbers.into_iter().map(part).collect::<Vec<_>>())
        };
        let found =
            of_mesh.into_par_iter().enumerate().map(around).collect::<Result<Vec<_>, StoreError>>()?;
        let mut boxes = vec![Aabb::EMPTY; parts.len()];
        for (number, bounds) in found.into_iter().flatten() {
            boxes[number] = bounds.unwrap_or(Aabb::EMPTY);
        }
        Ok(boxes)
    }

    /// These parts, with their triangles.
    pub fn parts(&self, numbers: impl Iterator<Item = usize>) -> Result<Vec<Part>> {
        let all = self.store.parts()?;
        let wanted =
            numbers.map(|number| all.get(number).context("the chunk names a part that the store has not"));
        let wanted = wanted.collect::<Result<Vec<_>>>()?;
        let meshes: BTreeSet<usize> = wanted.iter().map(|part| part.mesh).collect();
        let bodies = self.bodies(&meshes)?;
        let part = |part: &sudar_store::StoredPart<'_>| {
            Ok(Part { name: part.name.to_owned(), body: bodies[&part.mesh].clone(), pose: part.pose })
        };
        wanted.iter().map(part).collect()
    }

    fn bodies(&self, meshes: &BTreeSet<usize>) -> Result<HashMap<usize, Body>> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let missing: Vec<usize> = meshes.iter().copied().filter(|mesh| !held.contains_key(mesh)).collect();
        let triangles = self.store.meshes()?;
        let size = |mesh: usize| TRIANGLE * u64::from(triangles[mesh].triangles);
        let together: u64 = held.keys().chain(&missing).map(|mesh| size(*mesh)).sum();
        if together > self.memory {
            held.retain(|mesh, _| meshes.contains(mesh));
        }
        let read = |mesh: usize| Ok((mesh, self.store.body(mesh)?));
        held.extend(missing.into_par_iter().map(read).collect::<Result<Vec<_>, StoreError>>()?);
        Ok(meshes.iter().map(|mesh| (*mesh, held[mesh].clone())).collect())
    }
}

/// The vertices that triangles have, in their order.
fn corners(mesh: &Mesh) -> Vec<DVec3> {
    let mut is_used = vec![false; mesh.vertices().len()];
    mesh.triangles().as_flattened().iter().for_each(|corner| is_used[*corner as usize] = true);
    mesh.vertices().iter().zip(is_used).filter_map(|(p, is_used)| is_used.then_some(*p)).collect()
}
