//! How far apart two boxes are, without a search.

use fearless_simd::{Simd, f64x8, prelude::*};
use glam::DVec3;

use super::cuboid_axes::{Boxes, Frame};
use super::cuboid_points::cuboid_points;
use crate::convex::{AxisAnswer, AxisFeature, PosedConvex};
use crate::math::Interval;
use crate::math::simd::{Level, dispatch_to_avx2};

/// The nearest points of two boxes, each as seen from its centre, and their distance.
#[derive(Debug, Clone, Copy)]
pub struct CuboidDistance {
    /// Holds the distance; zero if the boxes certainly overlap.
    pub distance: Interval,
    /// The point of the first box.
    pub a: DVec3,
    /// The point of the second box; the same if they overlap, up to rounding.
    pub b: DVec3,
}

/// The distance of two boxes that are clearly apart, or a point of both if they clearly overlap; `None` if neither is
/// clear, or they are no boxes.
///
/// Apart, either a corner of one box and its nearest point of the other are nearest, or points inside of two
/// edges, on the axis across both along which the boxes are farthest apart. What is found is proven by a
/// plane between the boxes, and where none proves it, left to others. Overlapping, a corner of one is inside
/// the other, or the middle between the points that the least translation would bring together is in both.
///
/// Corners come before the fifteen axes unless no face separates the boxes and none is inside.
pub fn cuboid_distance(a: &PosedConvex, b: &PosedConvex) -> Option<CuboidDistance> {
    let boxes = Boxes::new(a, b)?;
    let [of_a, of_b] = boxes.frames();
    let (corners, is_apart) = dispatch_to_avx2!(Level::new(), simd => {
        (Corners::new(simd, &of_a, &of_b, boxes.way()), boxes.apart_by_a_face(simd))
    });
    if let Some(common) = corners.inside(boxes.shear()) {
        return Some(corners.common(common, boxes.way()));
    }
    if is_apart && let Some(found) = of_corners(&boxes, &corners) {
        return Some(found);
    }
    let axis = boxes.answer();
    if axis.gap.upper < 0.0 {
        return overlapping(a, b, &axis);
    }
    let edges = nearest_edges([&of_a, &of_b], boxes.way(), &axis);
    edges.and_then(|edges| proven(&boxes, edges, axis.normal)).or_else(|| of_corners(&boxes, &corners))
}

/// The middle between the points that the least translation brings together. It need not be in both boxes: one may lie
/// deep inside the other.
fn overlapping(a: &PosedConvex, b: &PosedConvex, axis: &AxisAnswer) -> Option<CuboidDistance> {
    let [p, q] = cuboid_points(a, b, axis)?;
    let middle = p + (q - p) * 0.5;
    let holds = |body: &PosedConvex| {
        let Some(half) = body.convex().core().half_extent() else { return false };
        let there = body.pose().rotation().transpose() * (middle - body.center());
        (there.abs() - half).max_element() <= body.slack()
    };
    let found =
        CuboidDistance { distance: Interval::point(0.0), a: middle - a.center(), b: middle - b.center() };
    (holds(a) && holds(b)).then_some(found)
}

/// The nearest corner and its foot on the other box, if a plane proves them.
#[inline]
fn of_corners(boxes: &Boxes, corners: &Corners) -> Option<CuboidDistance> {
    let found = corners.nearest();
    proven(boxes, found, (boxes.way() + found[1]) - found[0])
}

/// The distance of two points if the gap along the axis is as wide.
#[inline]
fn proven(boxes: &Boxes, [a, b]: [DVec3; 2], axis: DVec3) -> Option<CuboidDistance> {
    let slack = boxes.slack();
    let upper = ((a - b) - boxes.way()).length();
    let height = boxes.gap_along(axis) / axis.length();
    // Rounding of the points is part of the slack; a gap within it proves nothing.
    let enough = height > 16.0 * slack && upper - height <= 2.0 * slack;
    let distance = Interval { lower: height - slack, upper: upper + slack };
    enough.then_some(CuboidDistance { distance, a, b })
}

/// The corner of the second box nearest to the first, and the other way round.
struct Corners {
    to_a: Corner,
    to_b: Corner,
}

impl Corners {
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn new<S: Simd>(simd: S, a: &Frame, b: &Frame, way: DVec3) -> Self {
        Self { to_a: nearest_corner(simd, a, b, way), to_b: nearest_corner(simd, b, a, -way) }
    }

    #[inline]
    fn nearest(&self) -> [DVec3; 2] {
        let Self { to_a, to_b } = self;
        if to_a.square <= to_b.square { [to_a.foot, to_a.corner] } else { [to_b.corner, to_b.foot] }
    }

    /// The box, 0 or 1, that holds a corner of the other with more than this around it.
    #[inline]
    fn inside(&self, doubt: f64) -> Option<usize> {
        [&self.to_a, &self.to_b].iter().position(|corner| corner.inside > doubt)
    }

    fn common(&self, holder: usize, way: DVec3) -> CuboidDistance {
        let distance = Interval::point(0.0);
        if holder == 0 {
            CuboidDistance { distance, a: self.to_a.corner + way, b: self.to_a.corner }
        } else {
            CuboidDistance { distance, a: self.to_b.corner, b: self.to_b.corner - way }
        }
    }
}

/// A corner of one box and the nearest point of another, each as seen from its own centre.
struct Corner {
    corner: DVec3,
    foot: DVec3,
    square: f64,
    /// How far the corner of which that is most is from the faces of the box; below zero if all are outside.
    inside: f64,
}

/// On which side of the centre, along each axis, the eight corners of a box are.
const SIDES: [[f64; 8]; 3] = [
    [-1.0, 1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0],
    [-1.0, -1.0, 1.0, 1.0, -1.0, -1.0, 1.0, 1.0],
    [-1.0, -1.0, -1.0, -1.0, 1.0, 1.0, 1.0, 1.0],
];

/// The corner of `other`, whose centre is seen `way` from here, nearest to `frame`, or deepest in it; of
/// equals, the first.
#[cfg_attr(not(opt_level_0), inline(always))]
fn nearest_corner<S: Simd>(simd: S, frame: &Frame, other: &Frame, way: DVec3) -> Corner {
    let [x, y, z] = SIDES;
    let sides = [f64x8::from_slice(simd, &x), f64x8::from_slice(simd, &y), f64x8::from_slice(simd, &z)];
    let edges = [
        other.axes.x_axis * other.half.x,
        other.axes.y_axis * other.half.y,
        other.axes.z_axis * other.half.z,
    ];
    let zero = f64x8::splat(simd, 0.0);
    let (mut squares, mut inside) = (zero, f64x8::splat(simd, f64::INFINITY));
    let mut feet = [zero; 3];
    for (axis, foot) in feet.iter_mut().enumerate() {
        let (along, half) = (frame.axes.col(axis), f64x8::splat(simd, frame.half[axis]));
        let (u, v, w) = (along.dot(edges[0]), along.dot(edges[1]), along.dot(edges[2]));
        let place = ((sides[0] * u + sides[1] * v) + sides[2] * w) + along.dot(way);
        *foot = place.max(-half).min(half);
        let beyond = place - *foot;
        squares += beyond * beyond;
        inside = inside.min(half - place.abs());
    }
    let least = squares.reduce_min();
    let deepest = squares.simd_eq(zero).select(inside, f64x8::splat(simd, f64::NEG_INFINITY));
    let best = if least > 0.0 {
        squares.simd_eq(f64x8::splat(simd, least))
    } else {
        deepest.simd_eq(f64x8::splat(simd, deepest.reduce_max()))
    };
    let best = (best.to_bitmask().trailing_zeros() as usize).min(7);
    Corner {
        corner: (edges[0] * x[best] + edges[1] * y[best]) + edges[2] * z[best],
        foot: frame.axes * DVec3::new(feet[0][best], feet[1][best], feet[2][best]),
        square: least,
        inside: inside[best],
    }
}

/// The nearest points of the two edges that the axis is across, if they are inside of them.
fn nearest_edges([a, b]: [&Frame; 2], between: DVec3, axis: &AxisAnswer) -> Option<[DVec3; 2]> {
    let (i, j) = match axis.feature {
        AxisFeature::Edges([i, j]) => (i as usize, j as usize),
        AxisFeature::FaceOfA(_) | AxisFeature::FaceOfB(_) => return None,
    };
    let (p, q) = (a.edge(i, axis.normal), b.edge(j, -axis.normal));
    let (u, v) = (a.axes.col(i) * a.half[i], b.axes.col(j) * b.half[j]);
    let (normal, way) = (u.cross(v), (between + q) - p);
    let square = normal.length_squared();
    let (s, t) = (normal.dot(way.cross(v)) / square, normal.dot(way.cross(u)) / square);
    let inside = s.abs() <= 1.0 && t.abs() <= 1.0;
    inside.then(|| [p + u * s, q + v * t])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convex::{Convex, Difference, GjkMemory, GjkOptions, gjk};
    use crate::math::Pose;
    use crate::shape::Cuboid;
    use crate::testing::Random;

    fn convex(half: DVec3) -> Convex {
        Convex::of(&Cuboid::new(half).unwrap().into()).unwrap()
    }

    #[test]
    fn random_boxes_are_as_far_apart_as_gjk_finds_them() {
        let mut random = Random::new(12);
        let (mut found, mut apart) = ([0; 2], 0);
        for _ in 0..20_000 {
            let mut size = || 0.2 + random.number().abs();
            let (p, q) =
                (convex(DVec3::new(size(), size(), size())), convex(DVec3::new(size(), size(), size())));
            let way = random.direction() * (1.5 + 1.5 * random.number());
            let (here, there) = (random.pose(DVec3::ZERO), random.pose(way));
            let difference = Difference::new(PosedConvex::new(&p, &here), PosedConvex::new(&q, &there));
            let expected = gjk(&difference, &GjkMemory::NONE, &GjkOptions::DISTANCE).distance;
            apart += u32::from(expected.lower > 1e-12);
            let Some(answer) = cuboid_distance(&difference.a, &difference.b) else { continue };
            let (CuboidDistance { distance, a, b }, slack) = (answer, difference.slack());
            found[usize::from(distance.upper > 0.0)] += 1;
            assert!(
                distance.lower <= expected.upper && expected.lower <= distance.upper,
                "{answer:?} {expected:?}"
            );
            assert!((distance.upper - expected.upper).abs() < 4.0 * slack, "{answer:?} {expected:?}");
            assert!(((a - b) - difference.between()).length() <= distance.upper.max(1e-14));
            for (body, point) in [(&difference.a, a), (&difference.b, b)] {
                let local = body.pose().rotation().transpose() * point;
                let half = body.convex().core().half_extent().unwrap();
                assert!((local.abs() - half).max_element() < 1e-14);
            }
        }
        let meeting = 20_000 - apart;
        assert!(apart > 7000 && found[1] > apart * 99 / 100, "{found:?} of {apart}");
        assert!(meeting > 7000 && found[0] > meeting * 95 / 100, "{found:?} of {meeting}");
    }

    #[test]
    fn boxes_side_by_side_and_at_every_scale() {
        for scale in [1e-40, 1e-9, 1.0, 1e9, 1e40] {
            let cube = convex(DVec3::splat(scale));
            // Gaps of the projections: (2, 3, 6) makes 7, (3, 4, −) makes 5, one axis alone that gap.
            for (offset, expected) in
                [([4.0, 5.0, 8.0], 7.0), ([5.0, -6.0, 1.5], 5.0), ([0.3, 0.2, -2.5], 0.5)]
            {
                let pose = Pose::from_translation(DVec3::from(offset) * scale).unwrap();
                let body = |pose| PosedConvex::new(&cube, pose);
                let difference = Difference::new(body(&Pose::IDENTITY), body(&pose));
                let found = cuboid_distance(&difference.a, &difference.b).unwrap();
                assert!(found.distance.contains(expected * scale), "{found:?}");
            }
            let touching = Pose::from_translation(DVec3::X * (2.0 * scale)).unwrap();
            let difference =
                Difference::new(PosedConvex::new(&cube, &Pose::IDENTITY), PosedConvex::new(&cube, &touching));
            assert!(cuboid_distance(&difference.a, &difference.b).is_none());
        }
    }
}
