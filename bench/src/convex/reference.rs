//! The referee: signed distances of convex shapes by plain searches that share nothing with the libraries compared.
//!
//! Apart, or with cores apart, the distance is the widest gap over all directions ([`Difference::gap`]). Overlapping
//! polyhedra: the depth is the least overlap over the normals of all facets of the Minkowski difference, which are
//! those of the faces of either body and the cross products of two edges (Gottschalk 1996, "Separating axis
//! theorem"); all are tried that can count. Overlapping round shapes: directions all over the sphere, then golden
//! sections around the best.

use glam::DVec3;
use rayon::prelude::*;

use super::cases::{Case, Pair};
use super::difference::{Difference, lowest};
use super::form::Form;
use super::polytope::Polytope;

/// Directions tried all over the sphere for round shapes: about 3.5° apart.
const DIRECTIONS: usize = 4000;
/// How many of the best, well apart, are followed.
const FOLLOWED: usize = 8;

/// The signed distance of each pair of a case: positive apart, minus the depth where they overlap.
pub fn signed_distances(case: &Case) -> Vec<f64> {
    let [first, second] =
        [&case.first, &case.second].map(|forms| forms.iter().map(Polytope::of).collect::<Vec<_>>());
    let one = |pair: &Pair| {
        let difference =
            Difference::new(&case.first[pair.a], &pair.pose_a, &case.second[pair.b], &pair.pose_b);
        signed(&difference, [first[pair.a].as_ref(), second[pair.b].as_ref()], pair)
    };
    case.pairs.par_iter().map(one).collect()
}

/// The size that errors of a pair are measured by: how far the first shape reaches.
pub fn size(form: &Form) -> f64 {
    [DVec3::X, DVec3::Y, DVec3::Z].map(|d| form.reach(d)).into_iter().fold(0.0, f64::max) + form.margin()
}

fn signed(difference: &Difference, polytopes: [Option<&Polytope>; 2], pair: &Pair) -> f64 {
    let gap = difference.gap();
    if gap > 0.0 {
        return gap - difference.margin();
    }
    let depth = match polytopes {
        [Some(a), Some(b)] => a.posed(&pair.pose_a).depth(&b.posed(&pair.pose_b), difference),
        [None, _] | [_, None] => round_depth(difference),
    };
    -(depth + difference.margin())
}

/// The least overlap over all directions, by search.
fn round_depth(difference: &Difference) -> f64 {
    let overlap = |n: DVec3| difference.overlap(n) / n.length();
    let mut tried: Vec<_> = (0..DIRECTIONS).map(spiral).map(|n| (overlap(n), n)).collect();
    tried.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut starts: Vec<DVec3> = Vec::new();
    for (_, n) in tried {
        if starts.len() < FOLLOWED && starts.iter().all(|s| s.dot(n) < 0.98) {
            starts.push(n);
        }
    }
    let follow = |start: DVec3| {
        let (near, _) = lowest(start, 0.15, 40, overlap);
        let (nearer, _) = lowest(near.normalize(), 1e-2, 50, overlap);
        lowest(nearer.normalize(), 1e-4, 50, overlap).1
    };
    starts.into_iter().map(follow).fold(f64::INFINITY, f64::min)
}

/// Point `i` of an even spiral around the unit sphere.
fn spiral(i: usize) -> DVec3 {
    const GOLDEN_ANGLE: f64 = 2.399_963_229_728_653;
    let z = 1.0 - (2 * i + 1) as f64 / DIRECTIONS as f64;
    let (sine, cosine) = libm::sincos(i as f64 * GOLDEN_ANGLE);
    let across = (1.0 - z * z).sqrt();
    DVec3::new(across * cosine, across * sine, z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::sudar::{DQuat, Pose};

    fn truth(a: &Form, b: &Form, at: DVec3) -> f64 {
        let pair = Pair { a: 0, b: 0, pose_a: Pose::IDENTITY, pose_b: Pose::from_translation(at).unwrap() };
        let case = Case {
            name: "",
            walk: false,
            first: vec![a.clone()],
            second: vec![b.clone()],
            pairs: vec![pair],
        };
        signed_distances(&case)[0]
    }

    fn near(x: f64, y: f64) {
        assert!((x - y).abs() < 1e-12, "{x} is not {y}");
    }

    #[test]
    fn boxes_along_the_axes_have_their_signed_distance() {
        let cube = Form::Cuboid(DVec3::ONE);
        near(truth(&cube, &cube, DVec3::new(5.0, 6.0, 0.5)), 5.0); // gaps 3 and 4
        near(truth(&cube, &cube, DVec3::new(1.75, 0.5, 0.25)), -0.25);
    }

    #[test]
    fn an_edge_on_an_edge_is_a_facet_of_the_difference() {
        // Two cubes, turned by 45° about z and about y, meet with an edge along z and one along y: at x = 2√2 − 0.1.
        let cube = Form::Cuboid(DVec3::ONE);
        let quarter = std::f64::consts::FRAC_PI_8;
        let (s, c) = libm::sincos(quarter);
        let pose_a = Pose::new(DVec3::ZERO, DQuat::from_xyzw(0.0, 0.0, s, c)).unwrap();
        let reach = 2.0 * 2.0_f64.sqrt();
        for shift in [-0.1, 0.1] {
            let pose_b =
                Pose::new(DVec3::new(reach + shift, 0.0, 0.0), DQuat::from_xyzw(0.0, s, 0.0, c)).unwrap();
            let pair = Pair { a: 0, b: 0, pose_a, pose_b };
            let first = vec![cube.clone()];
            let case = Case { name: "", walk: false, second: first.clone(), first, pairs: vec![pair] };
            near(signed_distances(&case)[0], shift);
        }
    }

    #[test]
    fn balls_in_any_guise_agree() {
        let at = DVec3::new(0.9, -1.2, 0.8); // length 1.7
        let ball = Form::Ellipsoid(DVec3::ONE);
        near(truth(&Form::Sphere(1.0), &Form::Sphere(1.0), at), -0.3);
        near(truth(&ball, &ball, at), -0.3);
        near(truth(&ball, &Form::Sphere(0.5), at), 0.2);
    }

    /// Where `b` touches `a` is made so that the normal there is `n`: then moved along `n` by a little, the signed
    /// distance is that little.
    #[test]
    fn ellipsoids_moved_along_a_common_normal() {
        let radii = [DVec3::new(0.5, 0.7, 1.0), DVec3::new(0.9, 0.6, 0.8)];
        let turns = [DQuat::from_xyzw(0.1, 0.5, -0.1, 0.8544), DQuat::from_xyzw(0.7, 0.1, 0.1, 0.7)]
            .map(DQuat::normalize);
        let n = DVec3::new(0.6, -0.64, 0.48).normalize();
        let [a, b] = [0, 1].map(|i| Pose::new(DVec3::ZERO, turns[i]).unwrap());
        // The point of an ellipsoid with outer normal d is radii² d / |radii d|.
        let far = |pose: &Pose, radii: DVec3, d: DVec3| {
            let d = pose.rotation().transpose() * d;
            pose.rotate(radii * radii * d / (radii * d).length())
        };
        let forms = radii.map(Form::Ellipsoid);
        for shift in [-0.05, 1e-3, 0.2] {
            let at = far(&a, radii[0], n) + shift * n - far(&b, radii[1], -n);
            let pose_b = Pose::new(at, turns[1]).unwrap();
            let pair = Pair { a: 0, b: 0, pose_a: a, pose_b };
            let [first, second] = forms.clone().map(|f| vec![f]);
            near(
                signed_distances(&Case { name: "", walk: false, first, second, pairs: vec![pair] })[0],
                shift,
            );
        }
    }

    #[test]
    fn upright_cylinders_and_cones_meet_side_by_side_or_end_to_end() {
        let cylinder = Form::Cylinder { radius: 1.0, half_length: 2.0 };
        near(truth(&cylinder, &cylinder, DVec3::new(1.2, 1.2, 0.0)), 1.2 * 2.0_f64.sqrt() - 2.0);
        near(truth(&cylinder, &cylinder, DVec3::new(0.1, 0.2, 3.875)), -0.125);
        let cone = Form::Cone { radius: 1.0, half_length: 1.0 };
        near(truth(&cone, &Form::Cuboid(DVec3::ONE), DVec3::new(0.0, 0.0, 2.5)), 0.5);
        near(truth(&cone, &Form::Cuboid(DVec3::ONE), DVec3::new(0.2, 0.1, -1.75)), -0.25);
    }
}
