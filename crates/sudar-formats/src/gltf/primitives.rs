//! Meshes of a document: its primitives after one another, each vertex once.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Range;
use std::rc::Rc;

use sudar::{DVec3, Mesh};

use super::accessor::Accessors;
use super::buffers::Buffers;
use super::document::{self, Mode, Primitive, Root};
use super::strip_triangles;
use crate::note::Notes;
use crate::source::MAX_EXPANDED;
use crate::{Cause, NoteKind, Place};

/// Reads meshes, each vertex list of the file once.
pub struct Meshes<'a> {
    root: &'a Root,
    accessors: Accessors<'a>,
    points: HashMap<usize, Rc<Vec<DVec3>>>,
    local: Vec<u32>,
}

/// The triangles of the primitives that use one vertex list.
struct Group {
    points: Rc<Vec<DVec3>>,
    accessor: usize,
    ranges: Vec<Range<usize>>,
}

/// The triangles of a mesh while its vertices are still numbered as in the file.
#[derive(Default)]
struct Gathered {
    triangles: Vec<[u32; 3]>,
    groups: Vec<Group>,
}

impl<'a> Meshes<'a> {
    /// Meshes of a file of so many bytes.
    pub fn new(root: &'a Root, buffers: &'a Buffers<'a>, size: u64) -> Self {
        // Many meshes may name the same bytes: what they expand to is limited like gzip data.
        let limit = MAX_EXPANDED.max(size.saturating_mul(16));
        let accessors = Accessors::new(root, buffers, limit, size);
        Self { root, accessors, points: HashMap::new(), local: Vec::new() }
    }

    /// Takes from the bytes that results may take.
    pub fn charge(&mut self, bytes: u64) -> Result<(), Cause> {
        self.accessors.charge(bytes)
    }

    /// The mesh's entry in the document.
    pub fn json(&self, index: usize) -> Result<&'a document::Mesh, Cause> {
        let missing = || Cause::expected(Place::Item(format!("mesh {index}")), "a mesh that exists", b"none");
        self.root.meshes.get(index).ok_or_else(missing)
    }

    /// The triangles of mesh `index`; none if it has no surface.
    pub fn read(&mut self, index: usize, notes: &mut Notes) -> Result<Option<Mesh>, Cause> {
        let json = self.json(index)?;
        let mut gathered = Gathered::default();
        for (i, primitive) in json.primitives.iter().enumerate() {
            let place = Place::Item(format!("mesh {index}, primitive {i}"));
            self.add(primitive, &place, &mut gathered, notes)?;
        }
        if gathered.triangles.is_empty() {
            return Ok(None);
        }
        let (vertices, triangles) = self.compact(gathered)?;
        let refused = |error| Cause::Mesh { part: format!("mesh {index}"), error };
        Mesh::new(vertices, triangles).map(Some).map_err(refused)
    }

    fn add(
        &mut self,
        primitive: &Primitive,
        place: &Place,
        gathered: &mut Gathered,
        notes: &mut Notes,
    ) -> Result<(), Cause> {
        let Some(mode) = surface(primitive, place, notes)? else { return Ok(()) };
        let Some(accessor) = primitive.attributes.position else {
            notes.add(NoteKind::NoPositions, place.clone());
            return Ok(());
        };
        if !primitive.targets.is_empty() {
            notes.add(NoteKind::RestShape, place.clone());
        }
        let points = self.points(accessor)?;
        let indices = match primitive.indices {
            Some(indices) => self.accessors.indices(indices)?,
            None => (0..points.len() as u32).collect(),
        };
        if let Some(&index) = indices.iter().find(|&&i| i as usize >= points.len()) {
            return Err(Cause::NoSuchVertex {
                place: place.clone(),
                index: index.into(),
                count: points.len(),
            });
        }
        self.charge(12 * indices.len() as u64)?;
        let first = gathered.triangles.len();
        triangulate(mode, &indices, place, &mut gathered.triangles)?;
        gathered.note(accessor, points, first);
        Ok(())
    }

    fn points(&mut self, accessor: usize) -> Result<Rc<Vec<DVec3>>, Cause> {
        match self.points.entry(accessor) {
            Entry::Occupied(known) => Ok(Rc::clone(known.get())),
            Entry::Vacant(free) => Ok(Rc::clone(free.insert(Rc::new(self.accessors.points(accessor)?)))),
        }
    }

    /// The vertices that are used, list by list in their order, and the triangles renumbered to them.
    fn compact(&mut self, gathered: Gathered) -> Result<(Vec<DVec3>, Vec<[u32; 3]>), Cause> {
        let Gathered { mut triangles, groups } = gathered;
        let mut vertices = Vec::new();
        for group in groups {
            let ranges = || group.ranges.iter().cloned();
            let mut used: Vec<u32> = ranges().flat_map(|r| triangles[r].as_flattened().to_vec()).collect();
            used.sort_unstable();
            used.dedup();
            self.charge(24 * used.len() as u64)?;
            if self.local.len() < group.points.len() {
                self.local.resize(group.points.len(), 0);
            }
            for (i, &vertex) in (vertices.len() as u32..).zip(&used) {
                self.local[vertex as usize] = i;
            }
            vertices.extend(used.iter().map(|&i| group.points[i as usize]));
            for corner in ranges().flatten() {
                triangles[corner] = triangles[corner].map(|i| self.local[i as usize]);
            }
        }
        Ok((vertices, triangles))
    }
}

impl Gathered {
    /// Notes that the triangles from `first` on use the vertices of `accessor`.
    fn note(&mut self, accessor: usize, points: Rc<Vec<DVec3>>, first: usize) {
        let range = first..self.triangles.len();
        match self.groups.iter_mut().find(|group| group.accessor == accessor) {
            Some(group) => group.ranges.push(range),
            None => self.groups.push(Group { points, accessor, ranges: vec![range] }),
        }
    }
}

/// The mode of a primitive if it is made of triangles.
fn surface(primitive: &Primitive, place: &Place, notes: &mut Notes) -> Result<Option<Mode>, Cause> {
    match Mode::of(primitive.mode) {
        Some(Mode::Points) => notes.add(NoteKind::Point, place.clone()),
        Some(Mode::Lines) => notes.add(NoteKind::Line, place.clone()),
        Some(mode @ (Mode::Triangles | Mode::TriangleStrip | Mode::TriangleFan)) => return Ok(Some(mode)),
        None => return Err(Cause::expected(place.clone(), "a mode from 0 to 6", b"another")),
    }
    Ok(None)
}

fn triangulate(mode: Mode, indices: &[u32], place: &Place, out: &mut Vec<[u32; 3]>) -> Result<(), Cause> {
    match mode {
        Mode::TriangleStrip => out.extend(strip_triangles(indices)),
        Mode::TriangleFan => {
            let (first, rest) = indices.split_first().unwrap_or((&0, &[]));
            out.extend(rest.windows(2).map(|w| [*first, w[0], w[1]]));
        }
        Mode::Triangles | Mode::Points | Mode::Lines => {
            let (triangles, rest) = indices.as_chunks::<3>();
            if !rest.is_empty() {
                let found = indices.len().to_string();
                return Err(Cause::Expected {
                    place: place.clone(),
                    expected: "a multiple of three corners".to_owned(),
                    found,
                });
            }
            out.extend(triangles);
        }
    }
    Ok(())
}
