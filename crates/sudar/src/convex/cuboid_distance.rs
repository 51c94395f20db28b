//! How far apart two boxes are, without a search.

use glam::{DMat3, DVec3};

use super::corners::{Block, LANES};
use super::{AxisAnswer, AxisFeature, Core, Difference, PosedConvex};
use crate::math::Interval;

/// The nearest points of two boxes that are apart, each as seen from its centre, and their distance.
#[derive(Debug, Clone, Copy)]
pub struct CuboidDistance {
    /// Holds the distance.
    pub distance: Interval,
    /// The point of the first box.
    pub a: DVec3,
    /// The point of the second box.
    pub b: DVec3,
}

/// The distance of two boxes that are clearly apart, given the axis that [`super::cuboid_axes`] found; `None` if they are
/// not, or are no boxes.
///
/// Either a corner of one box and its nearest point of the other are nearest, or points inside of two edges, on the
/// axis across both along which the boxes are farthest apart. What is found is proven by a plane between the boxes,
/// and where none proves it, left to others.
pub fn cuboid_distance(difference: &Difference, axis: &AxisAnswer) -> Option<CuboidDistance> {
    let frames = [Frame::new(&difference.a)?, Frame::new(&difference.b)?];
    let found = of_corners(difference, &frames)?;
    proven(difference, found, (difference.between() + found[1]) - found[0]).or_else(|| {
        let edges = nearest_edges(&frames, difference.between(), axis)?;
        proven(difference, edges, axis.normal)
    })
}

/// The distance of two points if the gap along the axis is as wide.
#[inline]
fn proven(difference: &Difference, [a, b]: [DVec3; 2], axis: DVec3) -> Option<CuboidDistance> {
    let slack = difference.slack();
    let upper = ((a - b) - difference.between()).length();
    let height = -axis.dot(difference.support(axis).point) / axis.length();
    // Rounding of the points is part of the slack; a gap within it proves nothing.
    let enough = height > 16.0 * slack && upper - height <= 2.0 * slack;
    let distance = Interval { lower: height - slack, upper: upper + difference.rounding() };
    enough.then_some(CuboidDistance { distance, a, b })
}

/// The corner of either box nearest to the other, and its nearest point there.
#[inline]
fn of_corners(difference: &Difference, [a, b]: &[Frame; 2]) -> Option<[DVec3; 2]> {
    let [p, q] = difference.blocks();
    let to_a = nearest_corner(a, q.first()?, difference.between());
    let to_b = nearest_corner(b, p.first()?, -difference.between());
    Some(if to_a.square <= to_b.square { [to_a.foot, to_a.corner] } else { [to_b.corner, to_b.foot] })
}

struct Frame {
    axes: DMat3,
    half: DVec3,
}

impl Frame {
    #[inline]
    fn new(body: &PosedConvex) -> Option<Self> {
        match body.convex().core() {
            Core::Cuboid(half, _) => Some(Self { axes: body.pose().rotation(), half: *half }),
            Core::Point(_)
            | Core::Segment(_)
            | Core::Triangle(_)
            | Core::Polytope(_)
            | Core::Cylinder { .. }
            | Core::Cone { .. }
            | Core::Ellipsoid(_) => None,
        }
    }

    /// The middle of the edge along an axis that is farthest in a direction.
    #[inline]
    fn edge(&self, axis: usize, direction: DVec3) -> DVec3 {
        let side = |k: usize| {
            let way = self.axes.col(k) * self.half[k];
            if way.dot(direction) > 0.0 { way } else { -way }
        };
        side((axis + 1) % 3) + side((axis + 2) % 3)
    }
}

/// A corner of one box and the nearest point of another, each as seen from its own centre.
struct Corner {
    corner: DVec3,
    foot: DVec3,
    square: f64,
}

/// The corner nearest to the box whose centre is at the origin; the corners are seen from `between`.
#[inline]
fn nearest_corner(frame: &Frame, corners: &Block, between: DVec3) -> Corner {
    let mut squares = [0.0; LANES];
    let mut feet = [[0.0; LANES]; 3];
    for (axis, feet) in feet.iter_mut().enumerate() {
        let (way, half) = (frame.axes.col(axis), frame.half[axis]);
        let shift = way.dot(between);
        for lane in 0..LANES {
            let place =
                ((way.x * corners[0][lane] + way.y * corners[1][lane]) + way.z * corners[2][lane]) + shift;
            let foot = place.max(-half).min(half);
            feet[lane] = foot;
            squares[lane] += (place - foot) * (place - foot);
        }
    }
    let mut best = 0;
    for lane in 1..LANES {
        best = if squares[lane] < squares[best] { lane } else { best };
    }
    Corner {
        corner: DVec3::new(corners[0][best], corners[1][best], corners[2][best]),
        foot: frame.axes * DVec3::new(feet[0][best], feet[1][best], feet[2][best]),
        square: squares[best],
    }
}

/// The nearest points of the two edges that the axis is across, if they are inside of them.
fn nearest_edges([a, b]: &[Frame; 2], between: DVec3, axis: &AxisAnswer) -> Option<[DVec3; 2]> {
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
    use crate::convex::classic_solids::Random;
    use crate::convex::{Convex, GjkMemory, GjkOptions, cuboid_axes, gjk};
    use crate::math::Pose;
    use crate::shape::Cuboid;

    fn convex(half: DVec3) -> Convex {
        Convex::of(&Cuboid::new(half).unwrap().into()).unwrap()
    }

    #[test]
    fn random_boxes_are_as_far_apart_as_gjk_finds_them() {
        let mut random = Random::new(12);
        let (mut found, mut apart) = (0, 0);
        for _ in 0..20_000 {
            let mut size = || 0.2 + random.number().abs();
            let (p, q) =
                (convex(DVec3::new(size(), size(), size())), convex(DVec3::new(size(), size(), size())));
            let way = random.direction() * (1.5 + 1.5 * random.number());
            let (here, there) = (random.pose(DVec3::ZERO), random.pose(way));
            let difference = Difference::new(PosedConvex::new(&p, &here), PosedConvex::new(&q, &there));
            let expected = gjk(&difference, &GjkMemory::NONE, &GjkOptions::DISTANCE).distance;
            apart += u32::from(expected.lower > 1e-12);
            let axis = cuboid_axes(&difference.a, &difference.b).unwrap();
            let Some(answer) = cuboid_distance(&difference, &axis) else { continue };
            found += 1;
            let (CuboidDistance { distance, a, b }, slack) = (answer, difference.slack());
            assert!(
                distance.lower <= expected.upper && expected.lower <= distance.upper,
                "{answer:?} {expected:?}"
            );
            assert!((distance.upper - expected.upper).abs() < 4.0 * slack, "{answer:?} {expected:?}");
            assert!(((a - b) - difference.between()).length() <= distance.upper);
            for (body, point) in [(&difference.a, a), (&difference.b, b)] {
                let local = body.pose().rotation().transpose() * point;
                let Core::Cuboid(half, _) = body.convex().core() else { panic!() };
                assert!((local.abs() - *half).max_element() < 1e-14);
            }
        }
        assert!(apart > 7000 && found > apart * 99 / 100, "{found} of {apart}");
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
                let axis = cuboid_axes(&difference.a, &difference.b).unwrap();
                let found = cuboid_distance(&difference, &axis).unwrap();
                assert!(found.distance.contains(expected * scale), "{found:?}");
            }
            let touching = Pose::from_translation(DVec3::X * (2.0 * scale)).unwrap();
            let difference =
                Difference::new(PosedConvex::new(&cube, &Pose::IDENTITY), PosedConvex::new(&cube, &touching));
            let axis = cuboid_axes(&difference.a, &difference.b).unwrap();
            assert!(cuboid_distance(&difference, &axis).is_none());
        }
    }
}
