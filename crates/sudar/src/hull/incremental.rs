//! The incremental algorithm: one point after the other.

use glam::DVec3;

use super::flat;
use super::input::{HullError, prepared};
use super::maximal::{Surface, hull_of};
use super::seed::Seed;
use crate::math::{Sign, orient3d};
use crate::shape::Hull;

/// The convex hull by the incremental algorithm (O'Rourke 1998, Computational Geometry in C, chapter 4).
///
/// A face is visible from a new point if the tetrahedron that they make has a positive volume. The visible faces go,
/// and the edges with exactly one visible face, the horizon, are each joined with the point. It begins with two
/// opposite triangles whose corners are not collinear, and the first point off their plane.
///
/// Every point is tested against every face, so the cost is O(n·h) for a hull of h vertices: [`super::quickhull`]
/// gives the same hull sooner. Kept because it is short, and as its second opinion.
///
/// # Errors
/// [`HullError`] if there is no point, too many, or one that is not finite or beyond 1e90.
pub fn incremental(points: &[DVec3]) -> Result<Hull, HullError> {
    let (scaled, _) = prepared(points)?;
    Ok(match Seed::first(&scaled) {
        Seed::Point => flat::point(points),
        Seed::Line => flat::segment(points),
        Seed::Plane(three) => flat::polygon(points, three),
        Seed::Space(four) => {
            let sources: Vec<u32> = (0..points.len() as u32).collect();
            hull_of(points, &scaled, &sources, &Surface::from_triangles(surface(&scaled, four)))
        }
    })
}

fn surface(points: &[DVec3], [a, b, c, d]: [u32; 4]) -> Vec<[u32; 3]> {
    let mut faces = vec![[a, b, c], [a, c, b]];
    add(&mut faces, points, d);
    for point in 0..points.len() as u32 {
        add(&mut faces, points, point);
    }
    faces
}

/// Makes the surface that of the hull with one more point.
fn add(faces: &mut Vec<[u32; 3]>, points: &[DVec3], point: u32) {
    let at = |i: u32| points[i as usize];
    let mut visible: Vec<[u32; 2]> = Vec::new();
    faces.retain(|&[a, b, c]| {
        let sees = orient3d(at(a), at(b), at(c), at(point)) == Sign::Positive;
        if sees {
            visible.extend([[a, b], [b, c], [c, a]]);
        }
        !sees
    });
    visible.sort_unstable();
    let on_horizon = |[u, v]: &[u32; 2]| visible.binary_search(&[*v, *u]).is_err();
    faces.extend(visible.iter().filter(|edge| on_horizon(edge)).map(|&[u, v]| [u, v, point]));
}
