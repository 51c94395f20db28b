//! The arrays of a mesh: vertices, triangles, and what is dear to find: its tree and which of its vertices are at one
//! place.

use std::sync::Arc;

use sudar::query::Body;
use sudar::tree::{TreeLayout, WideTree};
use sudar::{Mesh, Shape, Solid};

use crate::bytes;
use crate::digest::{Digest, Summing, digest};
use crate::error::Cause;
use crate::record::StoredMesh;
use crate::source::Source;

/// Most triangles of one mesh, as of a model that is merged. There may be three times as many vertices.
pub const MAX_TRIANGLES: u64 = sudar_formats::MAX_MERGED;

/// A mesh ready to be written.
#[derive(Debug)]
pub struct Prepared {
    pub record: StoredMesh,
    /// Vertices, triangles, order, layout and welded numbers.
    pub arrays: Vec<u8>,
}

/// The checksum of vertices and triangles.
pub fn content_of(mesh: &Mesh) -> Digest {
    content(&bytes::of_points(mesh.vertices()), &bytes::of_numbers(mesh.triangles().as_flattened()))
}

/// With their lengths, so that no bytes can count for the one or the other.
fn content(vertices: &[u8], triangles: &[u8]) -> Digest {
    let mut sum = Summing::default();
    sum.add(&(vertices.len() as u64).to_le_bytes());
    sum.add(&(triangles.len() as u64).to_le_bytes());
    sum.add(vertices);
    sum.add(triangles);
    sum.end()
}

impl Prepared {
    /// Finds all that is stored of a mesh. O(n log n).
    ///
    /// # Errors
    /// [`Cause::TooMany`] beyond [`MAX_TRIANGLES`].
    pub fn of(mesh: &Mesh, content: Digest) -> Result<Self, Cause> {
        let (vertices, triangles) = counts(mesh)?;
        let topology = mesh.topology();
        let check = topology.check_closed(mesh);
        let layout = WideTree::new(mesh).layout();
        let is_solid = check.is_ok();
        let is_welded = is_solid && topology.faults.unwelded > 0;
        let welded = if is_welded { &*topology.welded } else { &[] };
        let mut arrays = bytes::of_points(mesh.vertices());
        arrays.extend(bytes::of_numbers(mesh.triangles().as_flattened()));
        let extras = arrays.len();
        arrays.extend(bytes::of_numbers(&layout.order));
        arrays.extend(&layout.children);
        arrays.extend(bytes::of_numbers(welded));
        let record = StoredMesh {
            vertices,
            triangles,
            aabb: mesh.aabb(),
            is_solid,
            faults: topology.faults,
            closes_at: check.err().and_then(|open| open.closes_at),
            content,
            layout: layout.children.len() as u32,
            is_welded,
            extras: digest(&arrays[extras..]),
        };
        Ok(Self { record, arrays })
    }
}

/// The numbers of vertices and of triangles, if they are not too many.
fn counts(mesh: &Mesh) -> Result<(u32, u32), Cause> {
    let all = [
        ("vertices of a mesh", mesh.vertices().len() as u64, 3 * MAX_TRIANGLES),
        ("triangles of a mesh", mesh.triangles().len() as u64, MAX_TRIANGLES),
    ];
    for (what, count, limit) in all {
        if count > limit {
            return Err(Cause::TooMany { what, count, limit });
        }
    }
    Ok((all[0].1 as u32, all[1].1 as u32))
}

/// The arrays of a mesh as they were read, vertices and triangles checked against their checksum.
#[derive(Debug)]
pub struct Arrays {
    number: usize,
    record: StoredMesh,
    bytes: Vec<u8>,
    /// The file, for messages.
    file: String,
}

impl Arrays {
    /// Reads them.
    pub fn read(segment: &Source, number: usize, record: StoredMesh, offset: u64) -> Result<Self, Cause> {
        let is_small = u64::from(record.triangles) <= MAX_TRIANGLES
            && u64::from(record.vertices) <= 3 * MAX_TRIANGLES
            && u64::from(record.layout) <= 3 * u64::from(record.triangles) + 2;
        let arrays = Self { number, record, bytes: Vec::new(), file: segment.name.clone() };
        if !is_small {
            return Err(arrays.malformed("a mesh has more triangles than are possible"));
        }
        Ok(Self { bytes: segment.range(offset, record.bytes())?, ..arrays })
    }

    /// The mesh.
    pub fn mesh(&self) -> Result<Arc<Mesh>, Cause> {
        let [vertices, triangles, ..] = self.pieces();
        if content(vertices, triangles) != self.record.content {
            return Err(self.damaged());
        }
        let mesh = Mesh::new(bytes::points(vertices), bytes::triples(triangles));
        let mesh = mesh.map_err(|error| Cause::Mesh { number: self.number, error })?;
        let (found, said) = (mesh.aabb(), self.record.aabb);
        if (found.min, found.max) != (said.min, said.max) {
            return Err(self.malformed("the box of a mesh is not around it"));
        }
        Ok(Arc::new(mesh))
    }

    /// The mesh with its tree, a solid if it is closed.
    pub fn body(&self) -> Result<Body, Cause> {
        let mesh = self.mesh()?;
        let [_, _, order, children, welded] = self.pieces();
        let mut sum = Summing::default();
        [order, children, welded].iter().for_each(|piece| sum.add(piece));
        if sum.end() != self.record.extras {
            return Err(self.damaged());
        }
        let layout = TreeLayout { order: bytes::numbers(order), children: children.to_vec() };
        let shape = if self.record.is_solid { self.solid(mesh, welded)?.into() } else { Shape::Mesh(mesh) };
        Body::with_layout(shape, &layout).map_err(|error| Cause::Layout { number: self.number, error })
    }

    fn solid(&self, mesh: Arc<Mesh>, welded: &[u8]) -> Result<Solid, Cause> {
        let numbers =
            if self.record.is_welded { bytes::numbers(welded) } else { (0..self.record.vertices).collect() };
        Solid::with_welded(mesh, &numbers).map_err(|error| Cause::Solid { number: self.number, error })
    }

    /// Vertices, triangles, order, layout and welded numbers.
    fn pieces(&self) -> [&[u8]; 5] {
        let mut rest = self.bytes.as_slice();
        self.record.lengths().map(|length| {
            let (piece, after) = rest.split_at(rest.len().min(length as usize));
            rest = after;
            piece
        })
    }

    fn damaged(&self) -> Cause {
        Cause::Damaged(format!("mesh {} in {}", self.number, self.file))
    }

    fn malformed(&self, why: &'static str) -> Cause {
        Cause::Malformed(format!("mesh {} in {}", self.number, self.file), why)
    }
}
