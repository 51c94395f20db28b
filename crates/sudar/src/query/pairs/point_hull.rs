//! A point, or the middle of a ball, in a hull: it leaves by the nearest face.

use std::array::from_fn;

use glam::DVec3;

use crate::convex::{Core, CorePenetration, Difference};
use crate::math::exact::in_numbers;
use crate::math::{Close, ExactVec3, Interval, Number, shear, unit};
use crate::shape::Hull;

/// Of hulls with more faces than this the expanding polytope finds the nearest in less time.
const FACES: usize = 512;

/// How deep a core that is a point is in one that is a hull; `None` for others, for hulls of many faces, and
/// if the point may be outside.
///
/// A face is known by its widest corner, its normal to some ulp, however slender the hull.
pub(super) fn point_in_hull(difference: &Difference) -> Option<CorePenetration> {
    let bodies = [&difference.a, &difference.b];
    let cores = bodies.map(|body| body.convex().core());
    let side = usize::from(matches!(cores[1], Core::Polytope(_)));
    let (Core::Polytope(polytope), Core::Point(_)) = (cores[side], cores[1 - side]) else { return None };
    let (body, hull) = (bodies[side], polytope.hull());
    if hull.dimension() != 3
        || hull.faces().len() > FACES
        || shear(&body.pose().rotation()) > 16.0 * f64::EPSILON
    {
        return None;
    }
    let point = bodies[1 - side].center();
    let inside = body.pose().unapply(point);
    let (outward, depth, doubt) = nearest_face(hull, inside)?;
    let depth = Interval::point(depth).widened(doubt + difference.slack());
    if depth.lower <= 0.0 {
        return None;
    }
    let across = unit(body.pose().rotate(outward))?;
    let face = point + across * depth.upper;
    let (normal, a, b) = if side == 0 { (across, face, point) } else { (-across, point, face) };
    Some(CorePenetration { depth, normal, a, b, vertices: [[0; 2]; 3], expansions: 0 })
}

/// The outward normal of the face that is nearest to a point, how near it is, and how far that may be off.
fn nearest_face(hull: &Hull, point: DVec3) -> Option<(DVec3, f64, f64)> {
    let faces = (0..hull.faces().len()).map(|face| {
        let corners: Vec<DVec3> = hull.face(face).map(|i| hull.vertices()[i as usize]).collect();
        let (corner, across) = widest(&corners)?;
        let sine = across.length();
        // Of the normal each coordinate is off by a few ulp of 1, over the sine.
        let doubt = 16.0 * f64::EPSILON / sine * (corner[1] - point).length();
        Some((corner, (across / sine).dot(corner[1] - point), doubt))
    });
    let faces: Vec<_> = faces.collect::<Option<_>>()?;
    let upper = faces.iter().fold(f64::INFINITY, |least, (_, height, doubt)| least.min(height + doubt));
    let mut best: Option<(DVec3, f64, f64)> = None;
    for (corner, ..) in faces.iter().filter(|(_, height, doubt)| height - doubt <= upper) {
        let outward = normal(corner)?;
        let way = corner[1] - point;
        let (height, doubt) = (outward.dot(way), 8.0 * f64::EPSILON * way.length());
        if best.is_none_or(|(_, least, _)| height < least) {
            best = Some((outward, height, doubt));
        }
    }
    best
}

/// The corner of a polygon whose sides are nearest to square, and their product.
fn widest(corners: &[DVec3]) -> Option<([DVec3; 3], DVec3)> {
    let count = corners.len();
    let all = (0..count).filter_map(|i| {
        let [p, q, r]: [DVec3; 3] = from_fn(|k| corners[(i + k) % count]);
        Some(([p, q, r], unit(r - q)?.cross(unit(p - q)?)))
    });
    all.max_by(|(_, m), (_, n)| m.length_squared().total_cmp(&n.length_squared()))
}

/// The unit normal of a corner to some ulp, of slender ones too.
fn normal(corner: &[DVec3; 3]) -> Option<DVec3> {
    let [p, q, r]: [ExactVec3<Close>; 3] = corner.map(in_numbers);
    let across = (&r - &q).cross(&(&p - &q));
    let rounded = [&across.x, &across.y, &across.z].map(Number::rounded);
    let plain = (corner[2] - corner[1]).cross(corner[0] - corner[1]);
    unit(DVec3::from_array(from_fn(|k| rounded[k].unwrap_or(plain[k]))))
}
