//! The newest point of a simplex with the faces and edges that meet in it: which of them is nearest to the origin.
//!
//! A support point that brings the simplex nearer is a corner of what is nearest then. So of a tetrahedron three faces,
//! three edges and a point are left. All are looked at side by side, a lane each, and which of them is nearest follows
//! from signs alone: it is the feature in whose Voronoi region the origin lies (Ericson 2005, "Real-Time Collision
//! Detection", section 5.1). Simplices too flat for their signs are left to [`super::simplex`].

use fearless_simd::{Simd, f64x4, prelude::*};
use glam::DVec3;

use crate::math::simd::Three;

/// A face whose sine at the newest point is less than the root of this has no certain normal.
const THIN: f64 = 1e-6;
/// The same for the sine between a face and the edge across from it.
const FLAT: f64 = 1e-8;

/// Up to three points, and the newest: x of all, then y, then z.
///
/// The last of fewer than three is repeated. The first stands behind the third again, so that each of the three has
/// the next at its side.
#[derive(Debug, Clone, Copy)]
pub struct Fan {
    rows: [[f64; PLACES]; 3],
}

/// Three corners, the first again, and the newest.
const PLACES: usize = 5;
/// The place of the newest point.
pub const NEWEST: usize = 4;

/// What is nearest in a fan.
#[derive(Debug, Clone, Copy)]
pub struct NearestOfFan {
    /// The point of it nearest to the origin.
    pub point: DVec3,
    /// The places of its corners besides the newest; where there are fewer than two, that of the newest.
    pub corners: [usize; 2],
    /// How many corners it has.
    pub count: usize,
}

/// The corners of each feature: three faces, none, three edges, the newest point.
const CORNERS: [[usize; 2]; 8] = [[0, 1], [1, 2], [2, 0], [4, 4], [0, 4], [1, 4], [2, 4], [4, 4]];
const COUNTS: [usize; 8] = [3, 3, 3, 1, 2, 2, 2, 1];
const ALONE: usize = 7;

impl Fan {
    /// Three points, the last repeated where there are fewer.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn new([a, b, c]: [DVec3; 3]) -> Self {
        Self { rows: [[a.x, b.x, c.x, a.x, c.x], [a.y, b.y, c.y, a.y, c.y], [a.z, b.z, c.z, a.z, c.z]] }
    }

    /// The point at a place.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn corner(&self, place: usize) -> DVec3 {
        let [x, y, z] = &self.rows;
        DVec3::new(x[place], y[place], z[place])
    }

    /// Takes in the newest point.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn add(&mut self, newest: DVec3) {
        let [x, y, z] = &mut self.rows;
        (x[NEWEST], y[NEWEST], z[NEWEST]) = (newest.x, newest.y, newest.z);
    }

    /// Keeps two corners, given by their places, and the newest.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn keep(&mut self, [i, j]: [usize; 2]) {
        let [x, y, z] = &mut self.rows;
        *x = [x[i], x[j], x[NEWEST], x[i], x[NEWEST]];
        *y = [y[i], y[j], y[NEWEST], y[i], y[NEWEST]];
        *z = [z[i], z[j], z[NEWEST], z[i], z[NEWEST]];
    }

    /// What is nearest to the origin of a newest point, and the faces and edges from it to the other three, which make
    /// it a tetrahedron or not (`solid`). `None` if a tetrahedron holds the origin, or is too flat to tell.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn nearest<S: Simd>(&mut self, simd: S, newest: DVec3, solid: bool) -> Option<NearestOfFan> {
        self.add(newest);
        let [x, y, z] = &self.rows;
        let d = splat(simd, newest);
        let corners = Three { x: four(simd, x), y: four(simd, y), z: four(simd, z) };
        let across = DVec3::new(x[2], y[2], z[2]) - newest;
        let e = corners.sub(d);
        let f = turned(e);
        let zero = f64x4::splat(simd, 0.0);

        let normal = e.cross(f);
        let square = normal.dot(normal);
        let height = normal.dot(d);
        let e_square = e.dot(e);
        // The weights of the two corners besides the newest, times the square.
        let c = d.cross(e);
        let (u, v) = (zero - turned(c).dot(normal), c.dot(normal));
        let thick = square.simd_gt(e_square * e_square.slide::<1>(e_square) * f64x4::splat(simd, THIN));
        let (over_u, over_v) = (thick & u.simd_gt(zero), thick & v.simd_gt(zero));
        let inside = over_u & over_v & ((square - u) - v).simd_gt(zero);
        let advance = zero - e.dot(d);
        let ahead = advance.simd_gt(zero);
        let between = ahead & advance.simd_lt(e_square);

        let outside = if solid {
            let side = normal.x[0] * across.x + normal.y[0] * across.y + normal.z[0] * across.z;
            let flat = side * side <= square[0] * across.length_squared() * FLAT;
            let beyond = (height * f64x4::splat(simd, side)).simd_gt(zero);
            if flat { 0 } else { beyond.to_bitmask() }
        } else {
            7
        };
        let faces = inside.to_bitmask() & outside & 7;
        // An edge lies between the face of its lane and that of the lane before.
        let before = over_u.to_bitmask() & 7;
        let beside = over_v.to_bitmask() | before << 1 | before >> 2;
        let edges = between.to_bitmask() & !beside & 7;
        let alone = u64::from(ahead.to_bitmask() & 7 == 0);
        let found = faces | edges << 4 | alone << ALONE;
        if found == 0 {
            return None;
        }
        let lane = found.trailing_zeros() as usize % 8;

        let on_faces = normal.times(height / square);
        let per_length = f64x4::splat(simd, 1.0) / e_square;
        let along = d.add(e.times(advance * per_length));
        // What rounding left along the edge would weigh heavily in a short vector.
        let on_edges = along.sub(e.times(along.dot(e) * per_length));
        let point = DVec3::new(
            pick(simd, on_faces.x, on_edges.x, newest.x, lane),
            pick(simd, on_faces.y, on_edges.y, newest.y, lane),
            pick(simd, on_faces.z, on_edges.z, newest.z, lane),
        );
        Some(NearestOfFan { point, corners: CORNERS[lane], count: COUNTS[lane] })
    }
}

/// The number of a lane: of four faces, of three edges, of the newest point.
#[cfg_attr(not(opt_level_0), inline(always))]
fn pick<S: Simd>(simd: S, faces: f64x4<S>, edges: f64x4<S>, newest: f64, lane: usize) -> f64 {
    let mut all: [f64; 8] = simd.combine_f64x4(faces, edges).into();
    all[ALONE] = newest;
    all[lane]
}

#[cfg_attr(not(opt_level_0), inline(always))]
fn four<S: Simd>(simd: S, [a, b, c, d, _]: &[f64; PLACES]) -> f64x4<S> {
    [*a, *b, *c, *d].simd_into(simd)
}

/// In each lane the vector of the next.
#[cfg_attr(not(opt_level_0), inline(always))]
fn turned<S: Simd>(v: Three<f64x4<S>>) -> Three<f64x4<S>> {
    Three { x: v.x.slide::<1>(v.x), y: v.y.slide::<1>(v.y), z: v.z.slide::<1>(v.z) }
}

#[cfg_attr(not(opt_level_0), inline(always))]
fn splat<S: Simd>(simd: S, p: DVec3) -> Three<f64x4<S>> {
    Three { x: f64x4::splat(simd, p.x), y: f64x4::splat(simd, p.y), z: f64x4::splat(simd, p.z) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convex::{GjkSimplex, Vertex};
    use crate::math::simd::{Level, dispatch_to_avx2};
    use crate::testing::Random;

    fn vertex(point: DVec3) -> Vertex {
        Vertex { point, a: point, b: DVec3::ZERO, vertices: [0, 0] }
    }

    /// The nearest point of the hull of points, by the other algorithm; `None` if they hold the origin.
    fn by_simplex(points: &[DVec3]) -> Option<DVec3> {
        let mut simplex = GjkSimplex::new(vertex(points[0]));
        points[1..].iter().for_each(|p| simplex.push(vertex(*p)));
        simplex.reduce()
    }

    /// Points whose newest lies beyond what the others have nearest, as a support point does.
    fn advancing(random: &mut Random, count: usize) -> Vec<DVec3> {
        loop {
            let mut points: Vec<DVec3> =
                (0..count).map(|_| random.direction() * random.within(0.5, 2.0)).collect();
            let shift = random.direction() * random.within(0.0, 2.0);
            points.iter_mut().for_each(|p| *p += shift);
            let near = by_simplex(&points).unwrap_or(DVec3::ZERO);
            let newest = random.direction() * random.within(0.1, 3.0);
            let uses_all = points.len() < 2 || is_inside(&points, near);
            points.push(newest);
            if uses_all && newest.dot(near) < near.length_squared() * 0.9 {
                return points;
            }
        }
    }

    /// Whether the nearest point lies between all of two or three points and not on fewer.
    fn is_inside(points: &[DVec3], near: DVec3) -> bool {
        (0..points.len()).all(|left_out| {
            let others: Vec<DVec3> =
                (0..points.len()).filter(|i| *i != left_out).map(|i| points[i]).collect();
            by_simplex(&others).is_some_and(|p| p.length() > near.length() * (1.0 + 1e-6))
        })
    }

    #[test]
    fn the_nearest_feature_is_that_of_the_simplex() {
        let mut random = Random::new(11);
        let (mut around, mut counts) = (0, [0; 4]);
        for round in 0..6000 {
            let points = advancing(&mut random, 1 + round % 3);
            let last = points.len() - 2;
            let [a, b, c] = [points[0], points[1.min(last)], points[last]];
            let (newest, solid) = (points[last + 1], points.len() == 4);
            let mut fan = Fan::new([a, b, c]);
            let found = dispatch_to_avx2!(Level::new(), simd => fan.nearest(simd, newest, solid));
            match (found, by_simplex(&points)) {
                (None, None) => around += 1,
                (Some(found), Some(near)) => {
                    assert!((found.point - near).length() <= 1e-9, "{points:?} {found:?} {near}");
                    fan.keep(found.corners);
                    let kept: Vec<DVec3> = (0..3).map(|place| fan.corner(place)).collect();
                    assert!((by_simplex(&kept).unwrap() - near).length() <= 1e-9);
                    assert_eq!(kept[2], newest);
                    counts[found.count] += 1;
                }
                (found, near) => panic!("{points:?}: {found:?} and {near:?}"),
            }
        }
        assert!(around > 100 && counts[1..].iter().all(|count| *count > 100), "{around} {counts:?}");
    }

    #[test]
    fn what_is_too_flat_is_left_open() {
        // The newest point in the plane of the other three, beyond an edge; and three points of a line.
        let corners = [DVec3::new(1.0, 0.0, 1.0), DVec3::new(-1.0, 1.0, 1.0), DVec3::new(-1.0, -1.0, 1.0)];
        let newest = DVec3::new(0.5, 3.0, 1.0 - 1e-9);
        let mut flat = Fan::new(corners);
        assert!(dispatch_to_avx2!(Level::new(), simd => flat.nearest(simd, newest, true)).is_none());
        let (a, b) = (DVec3::new(1.0, 2.0, 0.0), DVec3::new(1.0, 1.0, 1e-12));
        let mut line = Fan::new([a, b, b]);
        let found = dispatch_to_avx2!(Level::new(), simd => line.nearest(simd, DVec3::X, false)).unwrap();
        assert_eq!((found.count, found.point), (1, DVec3::X));
    }
}
