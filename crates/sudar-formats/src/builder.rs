//! What readers hand their vertices and faces to.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use sudar::{DVec3, Mesh, Pose};

use crate::holes::{self, Looks};
use crate::model::Part;
use crate::note::Notes;
use crate::polygon::Splitter;
use crate::{Cause, Model, NoteKind, Place};

/// A model in the making.
#[derive(Debug, Default)]
pub(crate) struct Builder {
    pub vertices: Vec<DVec3>,
    pub triangles: Vec<[u32; 3]>,
    pub notes: Notes,
    /// Whether the file says that its vertices are all that it holds.
    pub is_cloud: bool,
    /// The numbers of the vertices that were added as corners, by position.
    corners: HashMap<[u64; 3], u32>,
    splitter: Splitter,
    looks: Looks,
}

/// Where a part begins: with which triangle and under which name.
#[derive(Debug)]
pub(crate) struct Start {
    pub name: Option<String>,
    pub triangle: usize,
    pub place: Place,
}

/// Where a part begins again under the same name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reopened {
    /// It is another part.
    IsNew,
    /// It goes on with the part.
    GoesOn,
}

/// The triangles of one part, in the order of the file.
struct Piece {
    name: String,
    ranges: Vec<Range<usize>>,
}

impl Builder {
    /// The vertex at this position, where −0 equals 0; a new one if there is none. For formats that repeat a vertex for
    /// every triangle and know no numbers.
    pub fn corner(&mut self, p: DVec3) -> u32 {
        let next = self.vertices.len() as u32;
        let key = p.to_array().map(|x| (x + 0.0).to_bits());
        let number = *self.corners.entry(key).or_insert(next);
        if number == next {
            self.vertices.push(p);
        }
        number
    }

    /// Adds a face: n − 2 triangles, or a note if it has fewer than three corners.
    pub fn face(&mut self, corners: &[u32], place: impl Fn() -> Place) {
        if corners.len() < 3 {
            self.notes.add(NoteKind::ShortFace, place());
        } else if !self.splitter.split(corners, &self.vertices, &mut self.triangles) {
            self.notes.add(NoteKind::FannedPolygon, place());
        }
    }

    /// Adds a face with holes; a hole that cannot be cut out is filled, with a note. Corners that follow themselves are
    /// one.
    pub fn face_with_holes(
        &mut self,
        mut outline: Vec<u32>,
        mut holes: Vec<Vec<u32>>,
        place: impl Fn() -> Place,
    ) {
        holes::without_repeats(&mut outline);
        holes.iter_mut().for_each(holes::without_repeats);
        let count = holes.len();
        holes.retain(|hole| hole.len() >= 3);
        let is_known = holes.len() == count;
        if outline.len() >= 3 {
            let are_cut = holes::join(&mut outline, holes, &self.vertices, &mut self.looks);
            if !(is_known && are_cut) {
                self.notes.add(NoteKind::FilledHole, place());
            }
        }
        self.face(&outline, place);
    }

    /// The vertex number of an index counted from 0.
    pub fn checked(&self, index: i64, place: impl Fn() -> Place) -> Result<u32, Cause> {
        match u32::try_from(index) {
            Ok(i) if (i as usize) < self.vertices.len() => Ok(i),
            _ => Err(Cause::NoSuchVertex { place: place(), index, count: self.vertices.len() }),
        }
    }

    /// The model with one part.
    pub fn finish_whole(self, stem: &str) -> Result<Model, Cause> {
        self.finish(stem, Vec::new(), Reopened::IsNew)
    }

    /// The model with the parts that begin at `starts`; what stands before the first is named after the file.
    pub fn finish(mut self, stem: &str, starts: Vec<Start>, reopened: Reopened) -> Result<Model, Cause> {
        if self.triangles.is_empty() && self.is_cloud && !self.vertices.is_empty() {
            return Ok(Model { points: self.vertices, notes: self.notes.into_vec(), ..Model::default() });
        }
        if self.triangles.is_empty() {
            for start in starts {
                self.notes.add(NoteKind::EmptyPart, start.place);
            }
            let vertices = match self.vertices.len() {
                0 => String::new(),
                1 => " beside 1 vertex".to_owned(),
                n => format!(" among {n} vertices"),
            };
            return Err(Cause::NoTriangles { found: vertices + &self.notes.summary() });
        }
        let pieces = self.pieces(stem, starts, reopened);
        let meshes = self.meshes(&pieces)?;
        let part = |(i, piece): (usize, Piece)| {
            let numbers = piece.ranges.iter().map(|r| r.start as u64..r.end as u64).collect();
            Part::new(piece.name, i, Pose::IDENTITY, numbers)
        };
        let parts = pieces.into_iter().enumerate().map(part).collect();
        Ok(Model { meshes, parts, notes: self.notes.into_vec(), ..Model::default() })
    }

    fn pieces(&mut self, stem: &str, starts: Vec<Start>, reopened: Reopened) -> Vec<Piece> {
        let ends: Vec<usize> = starts.iter().map(|s| s.triangle).chain([self.triangles.len()]).collect();
        let mut pieces = Vec::new();
        let mut known: HashMap<String, usize> = HashMap::new();
        let mut empty = Vec::new();
        if ends[0] > 0 {
            pieces.push(Piece { name: stem.to_owned(), ranges: std::iter::once(0..ends[0]).collect() });
        }
        for (start, &end) in starts.into_iter().zip(&ends[1..]) {
            let name = start.name.unwrap_or_else(|| stem.to_owned());
            if start.triangle == end {
                empty.push((name, start.place));
                continue;
            }
            let range = start.triangle..end;
            match known.get(&name).filter(|_| reopened == Reopened::GoesOn) {
                Some(&i) => extend(&mut pieces[i].ranges, range),
                None => {
                    known.insert(name.clone(), pieces.len());
                    pieces.push(Piece { name, ranges: vec![range] });
                }
            }
        }
        for (name, place) in empty {
            // A group without faces of its own is missing only if it has none elsewhere.
            if reopened == Reopened::IsNew || !known.contains_key(&name) {
                self.notes.add(NoteKind::EmptyPart, place);
            }
        }
        pieces
    }

    fn meshes(&mut self, pieces: &[Piece]) -> Result<Vec<Arc<Mesh>>, Cause> {
        let vertices = std::mem::take(&mut self.vertices);
        let triangles = std::mem::take(&mut self.triangles);
        let refused = |piece: &Piece| {
            let part = piece.name.clone();
            move |error| Cause::Mesh { part, error }
        };
        if let [piece] = pieces {
            return Ok(vec![Arc::new(Mesh::new(vertices, triangles).map_err(refused(piece))?)]);
        }
        let mut local = vec![0; vertices.len()];
        let mut meshes = Vec::with_capacity(pieces.len());
        for piece in pieces {
            let own = piece.ranges.iter().flat_map(|r| &triangles[r.clone()]).copied().collect();
            let (own_vertices, own) = compact(&vertices, own, &mut local);
            meshes.push(Arc::new(Mesh::new(own_vertices, own).map_err(refused(piece))?));
        }
        Ok(meshes)
    }
}

/// The triangles of a strip of vertices, every second one turned so that all face the same way.
pub(crate) fn strip_triangles(strip: &[u32]) -> impl Iterator<Item = [u32; 3]> {
    strip
        .windows(3)
        .enumerate()
        .map(|(i, w)| if i % 2 == 0 { [w[0], w[1], w[2]] } else { [w[1], w[0], w[2]] })
}

/// Appends a range, or lengthens the last one where it goes on without a gap.
fn extend(ranges: &mut Vec<Range<usize>>, range: Range<usize>) {
    match ranges.last_mut() {
        Some(last) if last.end == range.start => last.end = range.end,
        _ => ranges.push(range),
    }
}

/// The vertices that the triangles use, in their order, and the triangles renumbered to them.
fn compact(
    vertices: &[DVec3],
    mut triangles: Vec<[u32; 3]>,
    local: &mut [u32],
) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let mut used: Vec<u32> = triangles.as_flattened().to_vec();
    used.sort_unstable();
    used.dedup();
    for (i, &vertex) in used.iter().enumerate() {
        local[vertex as usize] = i as u32;
    }
    for corner in triangles.as_flattened_mut() {
        *corner = local[*corner as usize];
    }
    (used.iter().map(|&i| vertices[i as usize]).collect(), triangles)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn three_faces() -> Builder {
        let vertices = (0..9).map(|i| DVec3::new(f64::from(i), f64::from(i * i), 1.0)).collect();
        let mut builder = Builder { vertices, ..Builder::default() };
        for corners in [[0, 1, 2], [8, 7, 6], [3, 4, 5]] {
            builder.face(&corners, || Place::File);
        }
        builder
    }

    fn start(name: &str, triangle: usize) -> Start {
        Start { name: Some(name.to_owned()), triangle, place: Place::Line(1) }
    }

    #[test]
    fn a_reopened_group_goes_on_and_keeps_the_numbers_of_the_file() {
        let starts = vec![start("a", 0), start("b", 1), start("a", 2)];
        let model = three_faces().finish("file", starts, Reopened::GoesOn).unwrap();
        assert_eq!(model.parts.iter().map(|p| p.name.as_str()).collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(model.parts[0].numbers(), [0..1, 2..3]);
        assert_eq!(model.meshes[1].vertices().len(), 3);
        assert_eq!(model.meshes[1].triangles(), [[2, 1, 0]]);
        let merged = model.merged().unwrap();
        let first: Vec<f64> = (0..3).map(|i| merged.triangle(i).a.x).collect();
        assert_eq!(first, [0.0, 8.0, 3.0]);
    }

    #[test]
    fn a_reopened_object_is_another_part_and_empty_ones_are_noted() {
        let starts = vec![start("a", 1), start("empty", 2), start("a", 2)];
        let model = three_faces().finish("file", starts, Reopened::IsNew).unwrap();
        assert_eq!(model.parts.iter().map(|p| p.name.as_str()).collect::<Vec<_>>(), ["file", "a", "a"]);
        assert_eq!((model.notes.len(), model.notes[0].kind), (1, NoteKind::EmptyPart));
    }

    #[test]
    fn nothing_but_points_is_refused() {
        let mut builder = three_faces();
        builder.triangles.clear();
        builder.face(&[1, 2], || Place::Line(5));
        let refusal = builder.finish_whole("file").unwrap_err().to_string();
        assert!(refusal.contains("among 9 vertices (1 face with fewer"), "{refusal}");
    }
}
