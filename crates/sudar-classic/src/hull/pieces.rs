//! Cutting surfaces into convex pieces, each with its convex hull.

use std::collections::VecDeque;

use sudar::glam::DVec3;

use sudar::hull::{HullError, convex_hull};
use sudar::math::{Sign, orient3d};
use sudar::shape::{Hull, Mesh, NO_TRIANGLE, Triangle};

/// A connected part of a surface that lies on its own convex hull.
#[derive(Debug, Clone, PartialEq)]
pub struct ConvexPiece {
    /// Its triangles, in the order in which they were found.
    pub triangles: Vec<u32>,
    /// Their convex hull; [`Hull::sources`] are numbers of vertices of the mesh.
    pub hull: Hull,
    /// For each face of the hull whether it is made of triangles of the mesh.
    pub faces: Vec<FaceKind>,
}

/// Where a face of a hull in a hierarchy of hulls comes from (Ehmann and Lin 2001).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FaceKind {
    /// It is made of triangles of the surface.
    Original,
    /// It closes a convex piece, inside the body if that is closed.
    Contained,
    /// It was added further up the hierarchy.
    Free,
}

/// The mesh in convex pieces, found by searching its dual graph (Ehmann and Lin 2001, "Accurate and fast
/// proximity queries between polyhedra using convex surface decomposition": SWIFT++).
///
/// From the first triangle that is in no piece, breadth first over edges: triangle f beyond an edge, with v
/// its corner off that edge, joins the piece c with hull C if
/// - (a) the edge is not reflex: v is not in front of the triangle before the edge;
/// - (b) no triangle of c is seen from v, and f has all of c behind it. Exact;
/// - (c) the faces that v adds to C do not go through the rest of the surface: `is_free` is shown each new
///   face with the triangles of the piece, sorted, and says so. It decides which faces of pieces may be taken
///   to be inside a closed body; who needs no such promise passes `|_, _| true`.
///
/// The hull grows with the piece, one point in O(size of the hull), so that the cost is O(n·h) for pieces
/// with h vertices.
///
/// # Errors
/// [`HullError`] if a piece has too many points.
pub fn convex_pieces(
    mesh: &Mesh,
    mut is_free: impl FnMut(&Triangle, &[u32]) -> bool,
) -> Result<Vec<ConvexPiece>, HullError> {
    let topology = mesh.topology();
    let mut taken = vec![false; mesh.triangles().len()];
    let mut pieces = Vec::new();
    for seed in 0..taken.len() as u32 {
        if taken[seed as usize] {
            continue;
        }
        let mut growing = Growing::new(mesh, &topology.welded, seed);
        taken[seed as usize] = true;
        let mut queue = VecDeque::from([seed]);
        while let Some(from) = queue.pop_front() {
            for next in topology.neighbours[from as usize] {
                if next == NO_TRIANGLE || taken[next as usize] {
                    continue;
                }
                if growing.takes(from, next, &mut is_free) {
                    taken[next as usize] = true;
                    queue.push_back(next);
                }
            }
        }
        pieces.push(growing.finished()?);
    }
    Ok(pieces)
}

/// A piece while it grows.
struct Growing<'a> {
    mesh: &'a Mesh,
    welded: &'a [u32],
    triangles: Vec<u32>,
    /// Vertices of the piece as welded.
    vertices: Vec<u32>,
    hull: Faces,
}

impl<'a> Growing<'a> {
    fn new(mesh: &'a Mesh, welded: &'a [u32], seed: u32) -> Self {
        let corners = mesh.triangles()[seed as usize].map(|v| welded[v as usize]);
        let [a, b, c] = corners;
        let hull = Faces { triangles: vec![[a, b, c], [a, c, b]], flat: Vec::new() };
        Self { mesh, welded, triangles: vec![seed], vertices: corners.to_vec(), hull }
    }

    fn at(&self, v: u32) -> DVec3 {
        self.mesh.vertices()[v as usize]
    }

    /// Adds the triangle if it may be.
    fn takes(&mut self, from: u32, next: u32, is_free: &mut impl FnMut(&Triangle, &[u32]) -> bool) -> bool {
        let (before, t) = (self.mesh.triangle(from), self.mesh.triangle(next));
        let corners = self.mesh.triangles()[next as usize].map(|v| self.welded[v as usize]);
        let behind = |of: &Triangle, p: DVec3| orient3d(of.a, of.b, of.c, p) != Sign::Positive;
        let fresh: Vec<u32> = corners.into_iter().filter(|v| !self.vertices.contains(v)).collect();
        let edge_is_convex = t.corners().into_iter().all(|p| behind(&before, p));
        if !edge_is_convex
            || has_no_area(&t)
            || !self.vertices.iter().all(|&v| behind(&t, self.at(v)))
            || !fresh
                .iter()
                .all(|&v| self.triangles.iter().all(|&s| behind(&self.mesh.triangle(s), self.at(v))))
        {
            return false;
        }
        let mut hull = self.hull.clone();
        let mut added = Vec::new();
        fresh.iter().for_each(|&v| hull.add(self.mesh.vertices(), v, &mut added));
        let mut sorted = self.triangles.clone();
        sorted.push(next);
        sorted.sort_unstable();
        let inner = added.iter().filter(|face| !self.is_of_surface(face, next));
        let mut posed = inner.map(|face| Triangle::from(face.map(|v| self.at(v))));
        if !posed.all(|face| is_free(&face, &sorted)) {
            return false;
        }
        self.hull = hull;
        self.triangles.push(next);
        self.vertices.extend(fresh);
        true
    }

    fn is_of_surface(&self, face: &[u32; 3], next: u32) -> bool {
        let is = |t: u32| {
            self.mesh.triangles()[t as usize].iter().all(|v| face.contains(&self.welded[*v as usize]))
        };
        is(next) || self.triangles.iter().any(|&t| is(t))
    }

    fn finished(self) -> Result<ConvexPiece, HullError> {
        let mut vertices = self.vertices.clone();
        vertices.sort_unstable();
        let points: Vec<DVec3> = vertices.iter().map(|&v| self.at(v)).collect();
        let hull = convex_hull(&points)?.with_sources(|source| vertices[source as usize]);
        let faces = (0..hull.faces().len()).map(|face| self.kind(&hull, face)).collect();
        Ok(ConvexPiece { triangles: self.triangles, hull, faces })
    }

    /// Original if the face is cut into triangles of the piece with its corners alone: n − 2 of them fill a
    /// face of n corners. Faces with more vertices in them are said to be contained, which costs time and
    /// nothing else.
    fn kind(&self, hull: &Hull, face: usize) -> FaceKind {
        let corners: Vec<u32> = hull.face(face).map(|v| hull.sources()[v as usize]).collect();
        let normal = hull.plane(face).normal;
        let of_face = self.triangles.iter().filter(|&&t| {
            let own = self.mesh.triangles()[t as usize].map(|v| self.welded[v as usize]);
            // A flat piece has two sides, one of which faces as the surface does.
            own.iter().all(|v| corners.contains(v)) && self.mesh.triangle(t).scaled_normal().dot(normal) > 0.0
        });
        if of_face.count() + 2 >= corners.len() { FaceKind::Original } else { FaceKind::Contained }
    }
}

fn has_no_area(t: &Triangle) -> bool {
    // One of a few points is off the plane of any triangle that has one.
    let size = t.aabb().extent().max_element();
    let off = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| t.a + axis * size);
    off.into_iter().all(|p| orient3d(t.a, t.b, t.c, p) == Sign::Zero)
}

/// A hull as triangles, which starts as the two sides of one.
#[derive(Clone)]
struct Faces {
    triangles: Vec<[u32; 3]>,
    /// Vertices in the plane of a hull that is flat still: they count once it is not.
    flat: Vec<u32>,
}

impl Faces {
    /// Adds a point as [`sudar::hull::incremental`] does; the faces that it makes go to `added`.
    fn add(&mut self, points: &[DVec3], v: u32, added: &mut Vec<[u32; 3]>) {
        let was_flat = self.triangles.len() == 2;
        if !self.extend(points, v, added) && was_flat {
            self.flat.push(v);
        } else if was_flat {
            for v in std::mem::take(&mut self.flat) {
                self.extend(points, v, added);
            }
        }
        added.retain(|face| self.triangles.contains(face));
    }

    fn extend(&mut self, points: &[DVec3], v: u32, added: &mut Vec<[u32; 3]>) -> bool {
        let at = |i: u32| points[i as usize];
        let mut visible: Vec<[u32; 2]> = Vec::new();
        self.triangles.retain(|&[a, b, c]| {
            let sees = orient3d(at(a), at(b), at(c), at(v)) == Sign::Positive;
            if sees {
                visible.extend([[a, b], [b, c], [c, a]]);
            }
            !sees
        });
        visible.sort_unstable();
        let on_horizon = |[u, w]: &[u32; 2]| visible.binary_search(&[*w, *u]).is_err();
        let faces: Vec<[u32; 3]> =
            visible.iter().filter(|edge| on_horizon(edge)).map(|&[u, w]| [u, w, v]).collect();
        self.triangles.extend(&faces);
        added.extend(&faces);
        !faces.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudar::shape::Aabb;

    fn check(mesh: &Mesh) -> Vec<ConvexPiece> {
        let pieces = convex_pieces(mesh, |_, _| true).unwrap();
        let mut all: Vec<u32> = pieces.iter().flat_map(|piece| piece.triangles.clone()).collect();
        all.sort_unstable();
        assert_eq!(all, (0..mesh.triangles().len() as u32).collect::<Vec<_>>());
        for piece in &pieces {
            for &t in &piece.triangles {
                let t = mesh.triangle(t);
                let behind = |p: &DVec3| orient3d(t.a, t.b, t.c, *p) != Sign::Positive;
                assert!(piece.triangles.len() == 1 || piece.hull.vertices().iter().all(behind));
                assert!(t.corners().iter().all(|p| piece.hull.contains(*p)));
            }
            assert_eq!(piece.faces.len(), piece.hull.faces().len());
            for (i, &source) in piece.hull.sources().iter().enumerate() {
                assert_eq!(mesh.vertices()[source as usize], piece.hull.vertices()[i]);
            }
        }
        pieces
    }

    #[test]
    fn a_convex_body_is_one_piece() {
        let cube = Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::ONE });
        let pieces = check(&cube);
        assert_eq!((pieces.len(), pieces[0].hull.faces().len()), (1, 6));
        assert!(pieces[0].faces.iter().all(|kind| *kind == FaceKind::Original));
    }

    #[test]
    fn an_open_box_has_a_contained_face() {
        let cube = Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::ONE });
        let open = Mesh::new(cube.vertices().to_vec(), cube.triangles()[2..].to_vec()).unwrap();
        let pieces = check(&open);
        assert_eq!(pieces.len(), 1);
        let contained = pieces[0].faces.iter().filter(|kind| **kind == FaceKind::Contained).count();
        assert_eq!(contained, 1);
        // Who forbids all inner faces gets pieces of single faces of the cube, or what needs none.
        let flat = convex_pieces(&open, |_, _| false).unwrap();
        assert!(flat.len() > 1 && flat.iter().all(|piece| !piece.triangles.is_empty()));
    }

    #[test]
    fn inside_out_nothing_joins_but_what_is_flat() {
        let cube = Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::ONE });
        let inverted = cube.triangles().iter().map(|&[a, b, c]| [a, c, b]).collect();
        assert_eq!(check(&Mesh::new(cube.vertices().to_vec(), inverted).unwrap()).len(), 6);
    }
}
