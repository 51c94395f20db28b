//! Triangles with normals, as a renderer draws them.

use std::collections::HashSet;
use std::sync::Arc;

use glam::{DVec3, Vec3};
use sudar::Mesh;

/// Triangles with a normal at each corner, in single precision about an origin in double, so that a model far from the
/// origin of its frame is drawn as well as one that is near.
#[derive(Debug, Clone, PartialEq)]
pub struct Geometry {
    /// What the positions are relative to.
    pub(crate) origin: DVec3,
    /// Position and normal.
    pub(crate) vertices: Vec<[f32; 6]>,
    pub(crate) triangles: Vec<[u32; 3]>,
    /// Whether they close a body and turn their backs inward, where nobody sees them.
    pub(crate) is_closed: bool,
    /// How far they reach from there.
    pub(crate) reach: f32,
    /// Whether these are the three faces of a unit box around the corner (1, 1, 1), to be mirrored to the eye.
    pub(crate) is_box: bool,
    /// The same with fewer triangles, for instances that are seen smaller; each with the radius in pixels below which
    /// it does, falling.
    pub(crate) coarser: Vec<(f32, Arc<Self>)>,
}

/// Faces that meet at less than this angle look like one smooth surface: its cosine, of 35 degrees.
const CREASE: f32 = 0.82;

impl Geometry {
    /// Of a mesh, smooth where its faces meet at less than 35 degrees. O(n · triangles at a vertex).
    pub fn of_mesh(mesh: &Mesh) -> Arc<Self> {
        Self::of_triangles(mesh.vertices(), mesh.triangles())
    }

    /// Of vertices and triangles that index them; an index beyond the vertices leaves its triangle out.
    pub fn of_triangles(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Arc<Self> {
        let origin = middle(vertices);
        let points: Vec<Vec3> = vertices.iter().map(|v| (*v - origin).as_vec3()).collect();
        let known = |t: &&[u32; 3]| t.iter().all(|k| (*k as usize) < points.len());
        let faces: Vec<[u32; 3]> = triangles.iter().filter(known).copied().collect();
        // Areas as weights: a sliver hardly bends the light.
        let normals: Vec<Vec3> = faces
            .iter()
            .map(|t| {
                let [a, b, c] = t.map(|k| points[k as usize]);
                (b - a).cross(c - a)
            })
            .collect();
        let around = around(&faces, points.len());
        let mut built = Self {
            origin,
            vertices: Vec::with_capacity(faces.len() * 3),
            triangles: Vec::with_capacity(faces.len()),
            is_closed: is_closed(&points, &faces),
            reach: points.iter().map(|p| p.length()).fold(0.0, f32::max),
            is_box: false,
            coarser: Vec::new(),
        };
        for (face, own) in faces.iter().zip(&normals) {
            let own = own.normalize_or_zero();
            let first = built.vertices.len() as u32;
            for &k in face {
                let smooth = around[k as usize]
                    .iter()
                    .map(|f| normals[*f as usize])
                    .filter(|n| n.normalize_or_zero().dot(own) >= CREASE)
                    .sum::<Vec3>()
                    .normalize_or(own);
                built.vertices.push(vertex(points[k as usize], smooth));
            }
            built.triangles.push([first, first + 1, first + 2]);
        }
        Arc::new(built)
    }

    /// What is drawn of it at a radius in pixels.
    pub(crate) fn level(self: &Arc<Self>, pixels: f32) -> &Arc<Self> {
        let level = self.coarser.iter().take_while(|(below, _)| pixels < *below).last();
        level.map_or(self, |(_, geometry)| geometry)
    }

    /// The number of triangles that are drawn.
    pub fn len(&self) -> usize {
        self.triangles.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.triangles.is_empty()
    }
}

pub fn vertex(at: Vec3, normal: Vec3) -> [f32; 6] {
    [at.x, at.y, at.z, normal.x, normal.y, normal.z]
}

fn middle(vertices: &[DVec3]) -> DVec3 {
    let all = vertices.iter().copied();
    let (Some(least), Some(most)) = (all.clone().reduce(DVec3::min), all.reduce(DVec3::max)) else {
        return DVec3::ZERO;
    };
    0.5 * (least + most)
}

/// Whether each edge has one face on either side, with the same side outward.
fn is_closed(points: &[Vec3], faces: &[[u32; 3]]) -> bool {
    let edges = || faces.iter().flat_map(|[a, b, c]| [[*a, *b], [*b, *c], [*c, *a]]);
    let mut known = HashSet::new();
    let mut volume = 0.0;
    for [a, b, c] in faces.iter().map(|t| t.map(|k| points[k as usize].as_dvec3())) {
        volume += a.cross(b).dot(c);
    }
    volume > 0.0 && edges().all(|edge| known.insert(edge)) && edges().all(|[a, b]| known.contains(&[b, a]))
}

/// The faces at each vertex.
fn around(faces: &[[u32; 3]], count: usize) -> Vec<Vec<u32>> {
    let mut around = vec![Vec::new(); count];
    for (f, face) in faces.iter().enumerate() {
        face.iter().for_each(|k| around[*k as usize].push(f as u32));
    }
    around
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_of_a_box_are_sharp_and_flat_faces_stay_flat() {
        let corners: Vec<DVec3> =
            (0..8).map(|i| DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2))).collect();
        // The bottom and one side.
        let built = Geometry::of_triangles(&corners, &[[0, 2, 1], [1, 2, 3], [0, 1, 4], [1, 5, 4]]);
        let normal = |i: usize| Vec3::from_slice(&built.vertices[i][3..]);
        assert!((0..6).all(|i| normal(i) == Vec3::NEG_Z));
        assert!((6..12).all(|i| normal(i) == Vec3::NEG_Y));
    }

    #[test]
    fn closed_bodies_hide_their_backs_and_open_ones_do_not() {
        let corners = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
        let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
        let is_closed = |faces: &[[u32; 3]]| Geometry::of_triangles(&corners, faces).is_closed;
        assert!(is_closed(&faces));
        assert!(!is_closed(&faces[1..]) && !is_closed(&[]));
        assert!(!is_closed(&faces.map(|[a, b, c]| [a, c, b])));
        assert!(!is_closed(&[faces[0], faces[1], faces[2], [0, 2, 3]]));
        assert!(!is_closed(&[faces, faces].concat()));
    }

    #[test]
    fn far_from_the_origin_nothing_is_lost() {
        let far = DVec3::splat(1e9);
        let built =
            Geometry::of_triangles(&[far, far + DVec3::X * 0.01, far + DVec3::Y * 0.01], &[[0, 1, 2]]);
        let width = built.vertices[1][0] - built.vertices[0][0];
        assert!((width - 0.01).abs() < 1e-6, "{width}");
    }

    #[test]
    fn indices_without_a_vertex_are_left_out() {
        assert!(Geometry::of_triangles(&[DVec3::ZERO], &[[0, 0, 7]]).is_empty());
        assert!(Geometry::of_triangles(&[], &[]).is_empty());
    }
}
