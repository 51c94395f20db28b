//! Where two overlapping boxes are deepest in each other.

use glam::DVec3;

use crate::convex::PosedConvex;
use crate::convex::depth::axes::{AxisAnswer, AxisFeature};

/// A point of each box, apart by the depth along the axis that [`crate::convex::cuboid_axes`] found: the deepest
/// corner and its foot on the other's face, or the nearest points of two edges.
///
/// `None` unless both are boxes, and where the corner is not the only one as deep and its foot lies beside the face:
/// then only parts of the features that face each other meet.
pub fn cuboid_points(a: &PosedConvex, b: &PosedConvex, found: &AxisAnswer) -> Option<[DVec3; 2]> {
    let depth = -(found.gap.lower + (found.gap.upper - found.gap.lower) * 0.5);
    match found.feature {
        AxisFeature::FaceOfA(_) => {
            let corner = b.center() + b.support(-found.normal).offset;
            let foot = corner + found.normal * depth;
            holds(a, foot).then_some([foot, corner])
        }
        AxisFeature::FaceOfB(_) => {
            let corner = a.center() + a.support(found.normal).offset;
            let foot = corner - found.normal * depth;
            holds(b, foot).then_some([corner, foot])
        }
        AxisFeature::Edges([i, j]) => {
            let (p, u) = edge(a, i as usize, found.normal)?;
            let (q, v) = edge(b, j as usize, -found.normal)?;
            crossing(p, u, q, v)
        }
    }
}

/// Whether a point is in the box, but for rounding.
fn holds(body: &PosedConvex, p: DVec3) -> bool {
    let offset = p - body.center();
    let local = body.pose().rotation().transpose() * offset;
    let doubt = 64.0 * f64::EPSILON * (offset.abs().max_element() + p.abs().max_element()) + body.slack();
    body.convex().core().half_extent().is_some_and(|half| (local.abs() - half).max_element() <= doubt)
}

/// The middle of the edge along an axis of the box that is farthest in a direction, and from there to its end.
fn edge(body: &PosedConvex, axis: usize, direction: DVec3) -> Option<(DVec3, DVec3)> {
    let (half, rotation) = (body.convex().core().half_extent()?, body.pose().rotation());
    let mut middle = body.center();
    for other in (0..3).filter(|k| *k != axis) {
        let side = rotation.col(other) * half[other];
        middle += if side.dot(direction) > 0.0 { side } else { -side };
    }
    Some((middle, rotation.col(axis) * half[axis]))
}

/// The nearest points of the lines p + s·u and q + t·v, if |s|, |t| ≤ 1 but for rounding.
fn crossing(p: DVec3, u: DVec3, q: DVec3, v: DVec3) -> Option<[DVec3; 2]> {
    let normal = u.cross(v);
    let square = normal.length_squared();
    let (s, t) = (normal.dot((q - p).cross(v)) / square, normal.dot((q - p).cross(u)) / square);
    let within = |x: f64| x.abs() <= 1.0 + 1e-9;
    (within(s) && within(t)).then(|| [p + u * s.clamp(-1.0, 1.0), q + v * t.clamp(-1.0, 1.0)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convex::{Convex, cuboid_axes};
    use crate::math::Pose;
    use crate::shape::Cuboid;
    use glam::DQuat;

    fn points(pose: &Pose) -> Option<[DVec3; 2]> {
        let cube = Convex::of(&Cuboid::new(DVec3::ONE).unwrap().into()).unwrap();
        let (a, b) = (PosedConvex::new(&cube, &Pose::IDENTITY), PosedConvex::new(&cube, pose));
        cuboid_points(&a, &b, &cuboid_axes(&a, &b).unwrap())
    }

    #[test]
    fn a_corner_in_a_face_and_an_edge_across_an_edge() {
        // A cube on its corner, 0.1 deep in the face x = 1.
        let on_corner = DQuat::from_rotation_arc(DVec3::ONE.normalize(), -DVec3::X);
        let pose = Pose::new(DVec3::new(0.9 + 3.0f64.sqrt(), 0.2, -0.1), on_corner).unwrap();
        let [p, q] = points(&pose).unwrap();
        assert!(
            (q - DVec3::new(0.9, 0.2, -0.1)).length() < 1e-14
                && (p - DVec3::new(1.0, 0.2, -0.1)).length() < 1e-14
        );
        // The edge of the first along z at (1, 1), and one of the second along (1, −1, 0) that passes 0.1 inside.
        let tilted = DQuat::from_rotation_z(-std::f64::consts::FRAC_PI_4)
            * DQuat::from_rotation_x(std::f64::consts::FRAC_PI_4);
        let way = DVec3::new(1.0, 1.0, 0.0) * (1.0 + (2.0f64.sqrt() - 0.1) / 2.0f64.sqrt());
        let [p, q] = points(&Pose::new(way, tilted).unwrap()).unwrap();
        let diagonal = DVec3::new(1.0, 1.0, 0.0).normalize();
        assert!((p - DVec3::new(1.0, 1.0, 0.0)).length() < 1e-14, "{p}");
        assert!((p - q - diagonal * 0.1).length() < 1e-14, "{q}");
    }
}
