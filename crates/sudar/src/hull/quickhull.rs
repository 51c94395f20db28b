//! Quickhull: always the farthest point next.

use std::collections::VecDeque;

use glam::DVec3;

use super::arena::Arena;
use super::coarse::{Planes, extremes, inner_box};
use super::flat;
use super::input::{Bounds, HullError, prepared};
use super::maximal::hull_of;
use super::seed::Seed;
use crate::shape::Hull;

/// From so many points outside the coarse hull on, points are sorted along a curve that keeps neighbours together.
const SORT_FROM: usize = 4096;

/// A face that sees at most so many points is finished before others are begun: they and the faces that come
/// of them fit into a cache of a megabyte. Measured, a sphere of 10⁶ points: without it up to 2.3 times the
/// time, the more the busier the caches.
const FEW: u32 = 4096;

/// The convex hull by quickhull (Barber, Dobkin & Huhdanpaa 1996, "The quickhull algorithm for convex hulls"), on
/// exact predicates.
///
/// Each face keeps a list of points that it sees; the farthest of a list is inserted next, and the lists of the faces
/// that this removes are shared out among the new ones. Where we depart from the paper: it starts from the hull of up
/// to 14 extreme points, inside which most points often lie; a point on the plane of a face is not above it, and the
/// coplanar triangles that this leaves are merged at the end, exactly; sides of planes are decided by a determinant
/// with a bound on its rounding that is computed once a face, and by exact arithmetic where that leaves them open.
///
/// About O(n log h) for n points of which h are vertices, on one thread; see the crate's bench for figures.
///
/// # Errors
/// [`HullError`] if there is no point, too many, or one that is not finite or beyond 1e90.
///
/// ```
/// use sudar::DVec3;
/// use sudar::hull::quickhull;
///
/// let corners = (0..8).map(|i| DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2)));
/// let hull = quickhull(&corners.chain([DVec3::splat(0.5)]).collect::<Vec<_>>())?;
/// assert_eq!(hull.vertices().len(), 8); // without the point inside
/// # Ok::<(), sudar::hull::HullError>(())
/// ```
pub fn quickhull(points: &[DVec3]) -> Result<Hull, HullError> {
    let (scaled, bounds) = prepared(points)?;
    let far = extremes(&scaled, &bounds);
    Ok(match Seed::of(&scaled, &bounds, &far) {
        Seed::Point => flat::point(points),
        Seed::Line => flat::segment(points),
        Seed::Plane(three) => flat::polygon(points, three),
        Seed::Space(four) => {
            let (arena, sources) = grown(&scaled, &bounds, four, &far);
            let (surface, local) = arena.into_surface();
            hull_of(points, &local, &sources, &surface)
        }
    })
}

/// The surface of the hull and the source of each of its points.
fn grown(points: &[DVec3], bounds: &Bounds, four: [u32; 4], far: &[u32]) -> (Arena, Vec<u32>) {
    let mut sources = four.to_vec();
    sources.extend(far.iter().filter(|i| !four.contains(i)));
    let corners: Vec<DVec3> = sources.iter().map(|&i| points[i as usize]).collect();
    let mut arena = Arena::tetrahedron(corners.clone(), bounds.extent());
    for (i, &p) in corners.iter().enumerate().skip(4) {
        if let Some(face) = arena.first_to_see(p) {
            arena.insert(i as u32, face);
        }
    }
    let mut outside = outside(points, &arena, &corners);
    if outside.len() >= SORT_FROM {
        sort_along_curve(&mut outside, points, bounds);
    }
    let first = sources.len() as u32;
    sources.extend(outside.iter().map(|o| o.point));
    arena.extend(outside.iter().map(|o| points[o.point as usize]));
    for (i, o) in outside.iter().enumerate() {
        arena.enlist(first + i as u32, o.face);
    }
    grow(&mut arena);
    (arena, sources)
}

/// A point outside the coarse hull and the first face that sees it.
#[derive(Debug, Clone, Copy)]
struct Outside {
    point: u32,
    face: u32,
}

fn outside(points: &[DVec3], coarse: &Arena, corners: &[DVec3]) -> Vec<Outside> {
    let [min, max] = inner_box(corners, coarse).unwrap_or([DVec3::INFINITY, DVec3::NEG_INFINITY]);
    let (planes, mut outside) = (Planes::of(coarse), Vec::new());
    for (i, &p) in points.iter().enumerate() {
        if (p.cmpge(min) & p.cmple(max)).all() {
            continue;
        }
        if let Some(face) = planes.first_to_see(coarse, p) {
            outside.push(Outside { point: i as u32, face });
        }
    }
    outside
}

/// Inserts points until no face sees any.
///
/// Faces are taken in the order in which they were made, as long as they see many points. One that sees few is finished
/// first, with all the faces that come of it, while that part of the surface is in the cache.
fn grow(arena: &mut Arena) {
    let (mut waiting, mut near) = (VecDeque::from_iter(0..arena.places()), VecDeque::new());
    // Each round inserts a point, which is then in no list any more, or takes a face away that was waiting.
    while let Some(face) = near.pop_front().or_else(|| waiting.pop_front()) {
        let Some(point) = arena.farthest(face) else { continue };
        let is_near = arena.count(face) <= FEW;
        arena.insert(point, face);
        let queue = if is_near { &mut near } else { &mut waiting };
        queue.extend(arena.fresh().iter().filter(|f| arena.farthest(**f).is_some()));
    }
}

/// Sorts points along Morton's curve in their box (Morton 1966), equal places by number, so that points that are near
/// each other in space mostly are in memory, too.
fn sort_along_curve(outside: &mut Vec<Outside>, points: &[DVec3], bounds: &Bounds) {
    const CELLS: f64 = 1024.0;
    let per_length = DVec3::splat(CELLS) / bounds.extent();
    let key = |(i, o): (usize, &Outside)| {
        let cell = (points[o.point as usize] - bounds.min) * per_length;
        // The cast takes whatever is out of range to the nearest number.
        let spread = |x: f64| spread(x.min(CELLS - 1.0) as u32);
        u64::from(spread(cell.x) | spread(cell.y) << 1 | spread(cell.z) << 2) << 32 | i as u64
    };
    let mut keys: Vec<u64> = outside.iter().enumerate().map(key).collect();
    keys.sort_unstable();
    *outside = keys.iter().map(|&key| outside[(key & 0xffff_ffff) as usize]).collect();
}

/// Puts two zeros between the lowest ten bits.
fn spread(x: u32) -> u32 {
    let x = (x | x << 16) & 0x0300_00ff;
    let x = (x | x << 8) & 0x0300_f00f;
    let x = (x | x << 4) & 0x030c_30c3;
    (x | x << 2) & 0x0924_9249
}
