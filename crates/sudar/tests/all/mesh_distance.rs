//! Distances of meshes and whether they are within a tolerance, against every pair of triangles tried one by one.
//!
//! `SUDAR_ORACLE_DISTANCE=N` tries N times as many cases.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

use glam::DVec3;
use sudar::effort::Budget;
use sudar::pair::triangles_within;
use sudar::query::{
    Body, Distance, DistanceEnd, DistanceOptions, Within, Work, distance, intersects, within,
};
use sudar::{Cuboid, Interval, Mesh, Pose, Solid, Triangle};
use sudar_testing::Random;
use sudar_testing::meshes::{self, least_distance, posed};
use sudar_testing::oracle::setting;

/// Triangles strewn in the cube from −1 to 1 with, of every ten, a needle, a segment and a point among them.
fn soup(rng: &mut Random, n: u32, size: f64) -> Mesh {
    let mut vertices = Vec::new();
    for t in 0..n {
        let center = rng.point();
        let (p, q) = (rng.point() * size, rng.point() * size);
        let (q, r) = match t % 10 {
            0 => (q, p.lerp(q, 0.3) + rng.point() * 1e-10),
            1 => (q, q),
            2 => (p, p),
            _ => (q, rng.point() * size),
        };
        vertices.extend([center + p, center + q, center + r]);
    }
    meshes::soup(vertices)
}

/// A bumpy sheet of 2n² triangles in the plane of x and y.
fn sheet(rng: &mut Random, n: u32, bump: f64) -> Mesh {
    meshes::sheet(n, |_, _| 0.5 * bump * rng.number()).mapped(|p| p * 2.0).unwrap()
}

struct Case {
    a: Mesh,
    pose_a: Pose,
    b: Mesh,
    pose_b: Pose,
}

impl Case {
    /// The distance by every pair of triangles; zero if any two meet.
    fn brute(&self) -> Interval {
        least_distance(&posed(&self.a, &self.pose_a), &posed(&self.b, &self.pose_b))
    }

    fn reach(&self) -> f64 {
        let far = |p: &Pose| p.translation().abs().max_element();
        self.a.aabb().reach() + self.b.aabb().reach() + far(&self.pose_a) + far(&self.pose_b)
    }

    fn ask(&self, search: &DistanceOptions) -> Distance {
        distance(
            Body::new(self.a.clone()).at(&self.pose_a),
            Body::new(self.b.clone()).at(&self.pose_b),
            search,
        )
    }

    fn within(&self, tolerance: f64) -> Within {
        within(
            Body::new(self.a.clone()).at(&self.pose_a),
            Body::new(self.b.clone()).at(&self.pose_b),
            tolerance,
        )
    }

    /// Whether the points are on the triangles named, and as far apart as the interval says.
    fn check_points(&self, found: &Distance) {
        let [i, j] = found.features;
        let on = |mesh: &Mesh, pose: &Pose, i: u32, p: DVec3| {
            let t = Triangle::from(mesh.triangle(i).corners().map(|p| pose.apply(p)));
            sudar::pair::closest_point_triangle(p, &t).distance()
        };
        let rounding = 1e-14 * self.reach();
        assert!(on(&self.a, &self.pose_a, i, found.point_a) <= rounding);
        assert!(on(&self.b, &self.pose_b, j, found.point_b) <= rounding);
        let apart = found.point_a.distance(found.point_b);
        assert!(apart <= found.interval.upper + rounding && apart >= found.interval.lower - rounding);
    }

    /// Checks distance and tolerance; whether the bodies are apart.
    fn check(&self) -> bool {
        let truth = self.brute();
        let found = self.ask(&DistanceOptions::EXACT);
        let rounding = 1e-13 * self.reach();
        assert_eq!(found.interval.upper == 0.0, truth.upper == 0.0, "{found:?} {truth:?}");
        assert!(
            found.interval.lower <= truth.upper && truth.lower <= found.interval.upper,
            "{found:?} {truth:?}"
        );
        assert!(found.interval.width() <= rounding, "{found:?} {truth:?}");
        self.check_points(&found);
        let swapped = distance(
            Body::new(self.b.clone()).at(&self.pose_b),
            Body::new(self.a.clone()).at(&self.pose_a),
            &DistanceOptions::EXACT,
        );
        assert!((swapped.interval.upper - found.interval.upper).abs() <= rounding);
        for factor in [0.0, 0.3, 0.99999, 1.00001, 3.0] {
            let tolerance = truth.upper * factor;
            if truth.upper > 0.0 && truth.contains(tolerance) {
                continue;
            }
            let expected = truth.upper <= tolerance;
            assert_eq!(self.within(tolerance).decided(), Some(expected), "{tolerance} {truth:?}");
        }
        truth.upper > 0.0
    }
}

#[test]
fn distances_agree_with_every_pair() {
    let mut rng = Random::new(1);
    let mut apart = 0;
    for case in 0..40 * setting("SUDAR_ORACLE_DISTANCE", 1) {
        let (n, size) = [(40, 0.05), (12, 0.4), (3, 1.0), (90, 0.01)][case % 4];
        let spread = [0.3, 1.0, 2.5, 6.0, 300.0, 1e7][case % 6];
        let case = Case {
            a: soup(&mut rng, n, size),
            pose_a: Pose::new(DVec3::ZERO, rng.rotation()).unwrap(),
            b: if case % 3 == 0 { sheet(&mut rng, 5, 0.1) } else { soup(&mut rng, n / 2 + 1, size) },
            pose_b: Pose::new(rng.point() * spread, rng.rotation()).unwrap(),
        };
        apart += usize::from(case.check());
    }
    assert!(apart > 20, "{apart}");
}

#[test]
fn thin_gaps_between_sheets_are_found() {
    let mut rng = Random::new(2);
    for case in 0..20 * setting("SUDAR_ORACLE_DISTANCE", 1) {
        let gap = f64::powi(10.0, -(case % 12));
        let bump = gap * 0.45;
        let tilt = Pose::new(rng.point(), rng.rotation()).unwrap();
        let above = Pose::from_translation(DVec3::Z * gap).unwrap();
        let case = Case {
            a: sheet(&mut rng, 8, bump),
            pose_a: tilt,
            b: sheet(&mut rng, 6, bump),
            pose_b: tilt.after(&above),
        };
        assert!(case.check());
    }
}

#[test]
fn far_from_the_origin_and_at_extreme_scales_the_answer_is_as_good() {
    let mut rng = Random::new(3);
    for case in 0..20 * setting("SUDAR_ORACLE_DISTANCE", 1) {
        let scale = [1e-80, 1e-23, 1e-6, 1e6, 1e80][case % 5];
        let origin = [0.0, 1e6][case / 5 % 2] * scale;
        let small = [1.0, 1e-4][case / 10 % 2] * scale;
        let place = |rng: &mut Random, shift: DVec3| {
            Pose::new(DVec3::splat(origin) + shift * scale, rng.rotation()).unwrap()
        };
        let (a, b) = (soup(&mut rng, 25, 0.2), soup(&mut rng, 25, 0.2));
        let case = Case {
            a: a.mapped(|p| p * scale).unwrap(),
            pose_a: place(&mut rng, DVec3::ZERO),
            b: b.mapped(|p| p * small).unwrap(),
            pose_b: place(&mut rng, DVec3::new(2.5, 0.3, 0.2)),
        };
        assert!(case.check() || case.brute().upper == 0.0);
    }
}

#[test]
fn powers_of_two_scale_the_answer_to_the_bit() {
    let mut rng = Random::new(4);
    let (a, b) = (soup(&mut rng, 60, 0.2), soup(&mut rng, 40, 0.1));
    let turn = Pose::new(DVec3::new(2.4, 0.1, 0.3), rng.rotation()).unwrap();
    let scaled = |k: f64| Case {
        a: a.mapped(|p| p * k).unwrap(),
        pose_a: Pose::IDENTITY,
        b: b.mapped(|p| p * k).unwrap(),
        pose_b: Pose::from_matrix(turn.rotation(), turn.translation() * k).unwrap(),
    };
    let base = scaled(1.0).ask(&DistanceOptions::EXACT);
    for exponent in [-200, -40, -1, 3, 100] {
        let k = f64::powi(2.0, exponent);
        let found = scaled(k).ask(&DistanceOptions::EXACT);
        assert_eq!(found.features, base.features);
        assert_eq!((found.point_a, found.point_b), (base.point_a * k, base.point_b * k));
        let error = (found.interval.upper - base.interval.upper * k).abs();
        assert!(error <= 1e-15 * k, "{found:?} {base:?}");
    }
}

#[test]
fn touching_is_zero_and_a_hair_apart_is_not() {
    let mut rng = Random::new(5);
    let flat = |z: f64, n: u32, rng: &mut Random| sheet(rng, n, 0.0).mapped(|p| p + DVec3::Z * z).unwrap();
    for z in [0.0, 5e-324, 1e-300, 1e-17, 1e-9] {
        let case = Case {
            a: flat(0.0, 7, &mut rng),
            pose_a: Pose::IDENTITY,
            b: flat(z, 5, &mut rng),
            pose_b: Pose::IDENTITY,
        };
        let found = case.ask(&DistanceOptions::EXACT);
        assert_eq!(found.interval.upper == 0.0, z == 0.0, "{found:?}");
        assert!(found.interval.contains(z));
        assert_eq!(case.within(z).decided(), Some(true));
        if z > 0.0 {
            assert_eq!(case.within(z.next_down()).decided(), Some(false), "{z}");
        }
    }
}

#[test]
fn within_is_exact_at_equality() {
    // Coordinates on a grid of quarters, so that squared distances are multiples of 1/16 or quotients of small numbers;
    // what is within is told by exact arithmetic over all pairs.
    let mut rng = Random::new(6);
    let mut equal = 0;
    for _ in 0..40 * setting("SUDAR_ORACLE_DISTANCE", 1) {
        let grid = |rng: &mut Random, n: u32, x: f64| {
            let vertices = (0..3 * n).map(|_| (rng.point() * 4.0).round() * 0.25 + DVec3::X * x).collect();
            meshes::soup(vertices)
        };
        let case = Case {
            a: grid(&mut rng, 6, 0.0),
            pose_a: Pose::IDENTITY,
            b: grid(&mut rng, 5, 2.5),
            pose_b: Pose::IDENTITY,
        };
        let truth = case.brute();
        let (ts, us) = (posed(&case.a, &case.pose_a), posed(&case.b, &case.pose_b));
        let root = truth.upper.midpoint(truth.lower);
        let near = [root.next_down(), root, root.next_up(), (root * 16.0).round() / 16.0];
        for tolerance in near {
            let expected = ts.iter().any(|t| us.iter().any(|u| triangles_within(t, u, tolerance)));
            assert_eq!(case.within(tolerance).decided(), Some(expected), "{tolerance} {truth:?}");
        }
        equal += usize::from(case.within(near[3]).decided() == Some(true) && (near[3] - root).abs() < 1e-12);
    }
    assert!(equal > 2, "{equal}");
}

#[test]
fn a_wide_search_and_a_small_budget_give_true_intervals() {
    let mut rng = Random::new(7);
    for _ in 0..5 * setting("SUDAR_ORACLE_DISTANCE", 1) {
        let case = Case {
            a: sheet(&mut rng, 30, 0.05),
            pose_a: Pose::new(DVec3::ZERO, rng.rotation()).unwrap(),
            b: sheet(&mut rng, 30, 0.05),
            pose_b: Pose::new(rng.point() + DVec3::Z * 2.5, rng.rotation()).unwrap(),
        };
        let truth = case.ask(&DistanceOptions::EXACT).interval;
        for relative in [0.5, 0.1, 1e-2, 1e-4] {
            let found = case.ask(&DistanceOptions { relative, ..DistanceOptions::EXACT });
            assert!(found.interval.lower <= truth.upper && found.interval.upper >= truth.lower);
            assert!(found.interval.width() <= relative * found.interval.upper, "{found:?}");
            case.check_points(&found);
        }
        let (a, b) = (Body::new(case.a.clone()), Body::new(case.b.clone()));
        for nodes in [0, 1, 10, 30, 100, 300] {
            let mut work = Work::new(Budget::nodes(nodes));
            let found = work.distance(a.at(&case.pose_a), b.at(&case.pose_b), &DistanceOptions::EXACT);
            assert!(found.interval.lower <= truth.upper && found.interval.upper >= truth.lower);
            case.check_points(&found);
            assert!(work.statistics().nodes <= nodes);
            let yes = Work::new(Budget::nodes(nodes)).within(
                a.at(&case.pose_a),
                b.at(&case.pose_b),
                truth.upper * 1.001,
            );
            let no = Work::new(Budget::nodes(nodes)).within(
                a.at(&case.pose_a),
                b.at(&case.pose_b),
                truth.lower * 0.999,
            );
            assert!(yes.decided() != Some(false) && no.decided() != Some(true));
        }
    }
}

#[test]
fn solids_and_flat_convex_bodies_have_insides() {
    let cube = Cuboid::new(DVec3::ONE).unwrap();
    let (full, solid) = (Body::new(cube), Body::new(Solid::from(cube)));
    let mut rng = Random::new(8);
    for size in [0.01, 0.3] {
        let inner = Body::new(soup(&mut rng, 12, 0.1).mapped(|p| p * size).unwrap());
        for outer in [&full, &solid] {
            let id = Pose::IDENTITY;
            assert!(intersects(outer.at(&id), inner.at(&id)).is_touching());
            assert_eq!(distance(outer.at(&id), inner.at(&id), &DistanceOptions::EXACT).interval.upper, 0.0);
            assert_eq!(within(outer.at(&id), inner.at(&id), 0.0).decided(), Some(true));
            // Beside it: the bodies are apart by less than 3 − 1 and by more than that less the size of the inner.
            let away = Pose::from_translation(DVec3::X * 3.0).unwrap();
            let found = distance(outer.at(&id), inner.at(&away), &DistanceOptions::EXACT);
            assert!(found.end == DistanceEnd::Exact && found.interval.upper < 2.0 + 1.2 * size);
            assert!(found.interval.lower > 2.0 - 1.2 * size);
            assert_eq!(within(outer.at(&id), inner.at(&away), found.interval.upper).decided(), Some(true));
        }
    }
}

#[test]
fn a_no_between_convex_bodies_comes_with_a_plane() {
    let mut rng = Random::new(9);
    let round = Body::new(sudar::Capsule::new(0.4, 0.3).unwrap());
    let bodies = [Body::new(Cuboid::new(DVec3::new(0.3, 0.6, 0.2)).unwrap()), Body::new(DVec3::ZERO), round];
    let mut planes = 0;
    for case in 0..300 {
        let (a, b) = (&bodies[case % 3], &bodies[case / 3 % 3]);
        let (p, q) = (
            Pose::new(rng.point(), rng.rotation()).unwrap(),
            Pose::new(rng.point() * 4.0, rng.rotation()).unwrap(),
        );
        let truth = distance(a.at(&p), b.at(&q), &DistanceOptions::EXACT).interval;
        let tolerance = 0.8 * truth.lower;
        match within(a.at(&p), b.at(&q), tolerance) {
            Within::No { lower, plane: Some(plane) } => {
                planes += 1;
                assert!(lower > tolerance && lower <= truth.upper);
                // All of a below, all of b beyond by more than the tolerance: as seen from boxes around both.
                let corners = |body: &Body, pose: &Pose| match body.mesh() {
                    Some(mesh) => mesh.vertices().iter().map(|v| pose.apply(*v)).collect::<Vec<_>>(),
                    None => Vec::new(),
                };
                assert!(corners(a, &p).iter().all(|v| plane.value(*v) <= 0.0));
                assert!(corners(b, &q).iter().all(|v| plane.value(*v) > tolerance));
            }
            Within::No { plane: None, .. } => {}
            Within::Yes { .. } => assert!(truth.upper == 0.0),
            Within::Undecided(_) => unreachable!("far from the tolerance"),
        }
    }
    assert!(planes > 200, "{planes}");
}
