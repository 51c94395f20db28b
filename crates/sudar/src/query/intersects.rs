//! Do two bodies have a point in common?

use super::Body;
use super::contacts::first_contact;
use super::posed::{Posed, PosedSurface};
use crate::math::Pose;
use crate::pair::{
    halfspace_halfspace, sphere_halfspace, sphere_sphere, sphere_triangle, triangle_halfspace,
};
use crate::shape::{Halfspace, Sphere};

/// Whether two bodies have a point in common. Touching counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Intersection {
    /// They have none. Certain.
    Apart,
    /// They have one. Certain.
    Touching {
        /// One feature of each: triangle numbers of meshes that meet, 0 for other shapes. Where one body lies
        /// inside a solid, a triangle of it, and 0 for the solid.
        features: [u32; 2],
    },
}

impl Intersection {
    /// Whether there is a common point.
    pub fn is_touching(self) -> bool {
        self != Self::Apart
    }
}

/// Whether two posed bodies intersect, and one pair of features that does.
///
/// Exact for every pair of shapes, and the same with the bodies swapped. A mesh is its surface; solids and
/// primitives are full. Expected cost O(log n) for bodies that intersect deeply or lie well apart, more for
/// surfaces that run close beside each other; linear for meshes against half-spaces.
pub fn intersects(a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose) -> Intersection {
    match first_features(&Posed::new(a, pose_a), &Posed::new(b, pose_b)) {
        None => Intersection::Apart,
        Some([i, j]) => Intersection::Touching { features: [a.feature(i), b.feature(j)] },
    }
}

/// A pair of features that has a point in common, numbered by triangles.
pub(crate) fn first_features(a: &Posed, b: &Posed) -> Option<[u32; 2]> {
    let both = |met: bool| met.then_some([0, 0]);
    let left = |met: Option<u32>| met.map(|i| [i, 0]);
    let right = |met: Option<u32>| met.map(|i| [0, i]);
    match (a, b) {
        (Posed::Flat(a), Posed::Flat(b)) => flat_flat(a, b),
        (Posed::Flat(a), Posed::Ball(b)) => left(flat_ball(a, b)),
        (Posed::Ball(a), Posed::Flat(b)) => right(flat_ball(b, a)),
        (Posed::Flat(a), Posed::Halfspace(b)) => left(flat_halfspace(a, b)),
        (Posed::Halfspace(a), Posed::Flat(b)) => right(flat_halfspace(b, a)),
        (Posed::Ball(a), Posed::Ball(b)) => both(sphere_sphere(a, b)),
        (Posed::Ball(a), Posed::Halfspace(b)) => both(sphere_halfspace(a, b)),
        (Posed::Halfspace(a), Posed::Ball(b)) => both(sphere_halfspace(b, a)),
        (Posed::Halfspace(a), Posed::Halfspace(b)) => both(halfspace_halfspace(a, b)),
    }
}

fn flat_flat(a: &PosedSurface, b: &PosedSurface) -> Option<[u32; 2]> {
    first_contact(a, b)
        .or_else(|| enclosed_piece(a, b).map(|i| [i, 0]))
        .or_else(|| enclosed_piece(b, a).map(|j| [0, j]))
}

/// A triangle of a piece of `inner` that lies inside the solid `outer`, for surfaces that do not meet: each piece
/// then is inside or outside as a whole.
fn enclosed_piece(inner: &PosedSurface, outer: &PosedSurface) -> Option<u32> {
    outer.surface.solid.as_ref()?;
    let vertex = |t: u32| inner.vertex(inner.surface.mesh.triangles()[t as usize][0]);
    inner.surface.first_of_each_piece().iter().copied().find(|&t| outer.encloses(vertex(t)))
}

fn flat_ball(flat: &PosedSurface, ball: &Sphere) -> Option<u32> {
    let mut hit = None;
    flat.view.visit_nearest(ball.center, ball.radius, |triangles| {
        hit = triangles.iter().copied().find(|&i| sphere_triangle(ball, &flat.triangle(i)));
        if hit.is_some() { f64::NEG_INFINITY } else { ball.radius }
    });
    hit.or_else(|| flat.encloses(ball.center).then_some(0))
}

fn flat_halfspace(flat: &PosedSurface, halfspace: &Halfspace) -> Option<u32> {
    let count = flat.surface.mesh.triangles().len() as u32;
    (0..count).find(|&i| triangle_halfspace(&flat.triangle(i), halfspace))
}
