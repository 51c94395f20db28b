//! The solids of a mesh, where a file puts several into one.

use std::collections::HashMap;
use std::sync::Arc;

use sudar::{Aabb, DVec3, Mesh};

use crate::Cause;

/// The meshes of the solids of a mesh, in the order of their first triangles; the mesh itself if there is but one.
///
/// A solid is what hangs together at its edges, each of which has a triangle on either side. Where solids lie on each
/// other, more than two triangles share an edge, and those that follow one another in the file belong together. A
/// surface turned inside out within a solid is a cavity of it. What is not closed stays in one piece. O(n log n).
///
/// # Errors
/// [`Cause::Mesh`], which no mesh is known to bring about.
pub(crate) fn solids(mesh: &Arc<Mesh>) -> Result<Vec<Arc<Mesh>>, Cause> {
    let pieces = with_cavities(mesh, pieces(mesh));
    if pieces.len() < 2 {
        return Ok(vec![Arc::clone(mesh)]);
    }
    pieces.iter().map(|piece| alone(mesh, piece)).collect()
}

/// Triangles that hang together, by number.
type Piece = Vec<usize>;

/// The closed pieces, and one of all that is open.
fn pieces(mesh: &Mesh) -> Vec<Piece> {
    let mut sets = Sets((0..mesh.triangles().len()).collect());
    join_faces(mesh, &mut sets);
    let open_edges = join_edges(mesh, &mut sets);
    // What is open is one piece.
    open_edges.windows(2).for_each(|two| sets.join(two[0], two[1]));
    let mut numbers = HashMap::new();
    let mut pieces: Vec<Piece> = Vec::new();
    for t in 0..mesh.triangles().len() {
        let next = pieces.len();
        let number = *numbers.entry(sets.root(t)).or_insert(next);
        if number == next {
            pieces.push(Vec::new());
        }
        pieces[number].push(t);
    }
    pieces
}

/// Joins triangles that share a vertex by number, as those of one face do.
fn join_faces(mesh: &Mesh, sets: &mut Sets) {
    let mut last = vec![None; mesh.vertices().len()];
    for (t, corners) in mesh.triangles().iter().enumerate() {
        for &corner in corners {
            if let Some(other) = last[corner as usize].replace(t) {
                sets.join(other, t);
            }
        }
    }
}

/// Joins triangles that follow one another along an edge in opposite directions. Returns those left without a partner.
fn join_edges(mesh: &Mesh, sets: &mut Sets) -> Vec<usize> {
    let mut numbers = HashMap::new();
    let places: Vec<usize> = mesh.vertices().iter().map(|p| place(*p, &mut numbers)).collect();
    // By the ends of an edge: which triangles wait for a partner, and whether they go from the lesser end.
    let mut waiting: HashMap<[usize; 2], Vec<(usize, bool)>> = HashMap::new();
    for (t, corners) in mesh.triangles().iter().enumerate() {
        let corners = corners.map(|corner| places[corner as usize]);
        for k in 0..3 {
            let (from, to) = (corners[k], corners[(k + 1) % 3]);
            if from == to {
                continue;
            }
            let others = waiting.entry([from.min(to), from.max(to)]).or_default();
            match others.iter().rposition(|(_, is_up)| *is_up != (from < to)) {
                Some(at) => sets.join(others.remove(at).0, t),
                None => others.push((t, from < to)),
            }
        }
    }
    let mut open: Vec<usize> = waiting.into_values().flatten().map(|(t, _)| t).collect();
    open.sort_unstable();
    open
}

/// The number of a position, where −0 equals 0.
fn place(p: DVec3, numbers: &mut HashMap<[u64; 3], usize>) -> usize {
    let next = numbers.len();
    *numbers.entry(p.to_array().map(|x| (x + 0.0).to_bits())).or_insert(next)
}

/// Adds each piece that is inside out to the least piece around it.
fn with_cavities(mesh: &Mesh, pieces: Vec<Piece>) -> Vec<Piece> {
    let boxes: Vec<Aabb> = pieces.iter().map(|piece| bounds(mesh, piece)).collect();
    let is_cavity: Vec<bool> = pieces.iter().map(|piece| volume(mesh, piece) < 0.0).collect();
    let around = |i: usize| {
        let holds = |j: &usize| !is_cavity[*j] && boxes[*j].union(boxes[i]) == boxes[*j];
        let size = |j: &usize| boxes[*j].extent().length();
        (0..pieces.len()).filter(holds).min_by(|j, k| size(j).total_cmp(&size(k)))
    };
    let homes: Vec<usize> =
        (0..pieces.len()).map(|i| if is_cavity[i] { around(i).unwrap_or(i) } else { i }).collect();
    let mut joined = vec![Piece::new(); pieces.len()];
    for (piece, home) in pieces.into_iter().zip(homes) {
        joined[home].extend(piece);
    }
    joined.retain(|piece| !piece.is_empty());
    joined
}

fn bounds(mesh: &Mesh, piece: &Piece) -> Aabb {
    Aabb::around(piece.iter().flat_map(|&t| mesh.triangles()[t]).map(|i| mesh.vertices()[i as usize]))
}

/// Six times the signed volume, seen from a corner of the piece.
fn volume(mesh: &Mesh, piece: &Piece) -> f64 {
    let points = |t: usize| mesh.triangles()[t].map(|i| mesh.vertices()[i as usize]);
    let from = piece.first().map_or(DVec3::ZERO, |&t| points(t)[0]);
    let of = |&t: &usize| {
        let [a, b, c] = points(t).map(|p| p - from);
        a.dot(b.cross(c))
    };
    piece.iter().map(of).sum()
}

/// The triangles of a piece as a mesh of their own.
fn alone(mesh: &Mesh, piece: &Piece) -> Result<Arc<Mesh>, Cause> {
    let mut numbers = HashMap::new();
    let mut vertices = Vec::new();
    let mut number = |corner: u32| {
        *numbers.entry(corner).or_insert_with(|| {
            vertices.push(mesh.vertices()[corner as usize]);
            vertices.len() as u32 - 1
        })
    };
    let triangles = piece.iter().map(|&t| mesh.triangles()[t].map(&mut number)).collect();
    let made = Mesh::new(vertices, triangles);
    made.map(Arc::new).map_err(|error| Cause::Mesh { part: "of the file".to_owned(), error })
}

/// Disjoint sets of numbers.
struct Sets(Vec<usize>);

impl Sets {
    fn root(&mut self, mut i: usize) -> usize {
        while self.0[i] != i {
            self.0[i] = self.0[self.0[i]];
            i = self.0[i];
        }
        i
    }

    fn join(&mut self, i: usize, j: usize) {
        let (i, j) = (self.root(i), self.root(j));
        self.0[i.max(j)] = i.min(j);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube(min: f64, max: f64) -> Mesh {
        Mesh::from_aabb(Aabb { min: DVec3::splat(min), max: DVec3::splat(max) })
    }

    /// Meshes one after another, each triangle with vertices of its own, as the faces of other programs have them.
    fn together(meshes: &[(Mesh, bool)]) -> Arc<Mesh> {
        let mut vertices = Vec::new();
        for (mesh, is_turned) in meshes {
            for corners in mesh.triangles() {
                let [a, b, c] = corners.map(|i| mesh.vertices()[i as usize]);
                vertices.extend(if *is_turned { [a, c, b] } else { [a, b, c] });
            }
        }
        let triangles = (0..vertices.len() as u32 / 3).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        Arc::new(Mesh::new(vertices, triangles).unwrap())
    }

    fn found(meshes: &[(Mesh, bool)]) -> Vec<(usize, Aabb)> {
        let solids = solids(&together(meshes)).unwrap();
        solids.iter().map(|mesh| (mesh.triangles().len(), mesh.aabb())).collect()
    }

    #[test]
    fn solids_that_overlap_or_share_corners_come_apart() {
        let (a, b, c) = (cube(0.0, 2.0), cube(1.0, 3.0), cube(2.0, 4.0));
        let expected = [&a, &b, &c].map(|mesh| (12, mesh.aabb()));
        assert_eq!(found(&[(a, false), (b, false), (c, false)]), expected);
    }

    #[test]
    fn solids_that_share_a_face_or_a_place_come_apart() {
        let side = |min: [f64; 3], max: [f64; 3]| {
            Mesh::from_aabb(Aabb { min: DVec3::from_array(min), max: DVec3::from_array(max) })
        };
        let (a, b) = (side([0.0; 3], [1.0; 3]), side([1.0, 0.0, 0.0], [2.0, 1.0, 1.0]));
        let expected = [&a, &b].map(|mesh| (12, mesh.aabb()));
        assert_eq!(found(&[(a.clone(), false), (b, false)]), expected);
        assert_eq!(found(&[(a.clone(), false), (a.clone(), false)]), [(12, a.aabb()); 2]);
    }

    #[test]
    fn a_cavity_belongs_to_the_solid_around_it_and_a_core_in_it_is_another() {
        let parts = [(cube(0.0, 9.0), false), (cube(1.0, 8.0), true), (cube(3.0, 4.0), false)];
        assert_eq!(found(&parts), [(24, cube(0.0, 9.0).aabb()), (12, cube(3.0, 4.0).aabb())]);
    }

    #[test]
    fn what_is_open_stays_in_one_piece() {
        let sheet = |z: f64| {
            Mesh::new(vec![DVec3::Z * z, DVec3::new(1.0, 0.0, z), DVec3::new(0.0, 1.0, z)], vec![[0, 1, 2]])
                .unwrap()
        };
        let parts = [(sheet(5.0), false), (cube(0.0, 1.0), false), (sheet(6.0), false)];
        let counts: Vec<usize> = found(&parts).into_iter().map(|(count, _)| count).collect();
        assert_eq!(counts, [2, 12]);
    }
}
