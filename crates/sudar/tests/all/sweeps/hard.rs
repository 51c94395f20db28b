//! Slender, coplanar, repeated, tiny and huge bodies; gears; many at a time.

use std::f64::consts::{PI, TAU};

use sudar::motion::Motion;
use sudar::query::{Batch, BatchTargets, Body, Sweep, SweepOptions, sweep};
use sudar::{DVec3, Halfspace, Mesh, Pose, Triangle};
use sudar_testing::Random;
use sudar_testing::meshes::{ball, prism};
use sudar_testing::zoo::zoo;

use super::motions::{check, motion};

/// A wheel of twelve teeth of trapezoid profile around z.
fn gear(outer: f64, inner: f64, phase: f64) -> Mesh {
    let mut profile = Vec::new();
    for tooth in 0..12 {
        for (part, radius) in [(0.0, inner), (0.2, outer), (0.38, outer), (0.58, inner)] {
            let angle = TAU * (f64::from(tooth) + part) / 12.0 + phase;
            profile.push(DVec3::new(angle.cos(), angle.sin(), 0.0) * radius);
        }
    }
    prism(&profile, 0.1, true)
}

fn turning(x: f64, spin: f64) -> Motion {
    let at = DVec3::X * x;
    Motion::new(Pose::from_translation(at).unwrap(), at, DVec3::ZERO, DVec3::Z * spin).unwrap()
}

#[test]
fn gear_teeth_pass_each_other_in_step_and_hit_out_of_step() {
    // A tooth of the one points to the gap of the other.
    let first = Body::new(gear(1.0, 0.85, -TAU * 0.29 / 12.0));
    let second = Body::new(gear(1.0, 0.85, PI + TAU * 0.21 / 12.0));
    let options = SweepOptions::within(1e-6);
    let (turn, back) = (turning(0.0, 2.0 * TAU), turning(1.9, -2.0 * TAU));
    let found = sweep(first.moving(&turn), second.moving(&back), &options);
    check([&first, &second], [&turn, &back], &options, &found, 150, "in step");
    assert_eq!(found, Sweep::Free);
    let still = turning(1.9, 0.0);
    let found = sweep(first.moving(&turn), second.moving(&still), &options);
    check([&first, &second], [&turn, &still], &options, &found, 150, "one stands");
    let time = found.impact().unwrap().time;
    // Within one tooth's turn.
    assert!(time.upper < 1.0 / 24.0 && time.lower > 0.0, "{time:?}");
}

#[test]
fn slender_flat_and_repeated_triangles() {
    let mut rng = Random::new(15);
    let (mut hits, mut free) = (0, 0);
    for case in 0..150 {
        let squash = [
            DVec3::new(1.0, 1e-5, 1e-9),
            DVec3::new(1.0, 1.0, 0.0),
            DVec3::new(1.0, 0.0, 0.0),
            DVec3::ONE,
            DVec3::new(1e-8, 1.0, 1.0),
        ][case % 5];
        let scale = [1.0, 1e-9, 1e9][case / 5 % 3];
        let soup = |rng: &mut Random| {
            let corners: Vec<DVec3> = (0..12).map(|_| rng.point() * squash * scale).collect();
            // The same triangles twice, and one that is a point.
            let triangles =
                vec![[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11], [0, 1, 2], [5, 4, 3], [7, 7, 7]];
            Body::new(Mesh::new(corners, triangles).unwrap())
        };
        let (a, b) = (soup(&mut rng), soup(&mut rng));
        let kinds = ["linear", "both", "turning"][case % 3];
        let scaled = |m: Motion| {
            let start = Pose::from_matrix(m.start().rotation(), m.start().translation() * scale).unwrap();
            Motion::new(start, m.center() * scale, m.velocity() * scale, m.spin()).unwrap()
        };
        let [m, n] = [0, 1].map(|_| scaled(motion(&mut rng, kinds)));
        let options = SweepOptions::within(1e-6 * scale);
        let found = sweep(a.moving(&m), b.moving(&n), &options);
        assert!(found.decided().is_some(), "{case}: {found:?}");
        for i in 0..=30 {
            let time = f64::from(i) / 30.0;
            if time < found.free_until() {
                let touch = sudar::query::intersects(a.at(&m.at(time)), b.at(&n.at(time)));
                assert!(!touch.is_touching(), "{case}: missed at {time} {found:?}");
            }
        }
        match found {
            Sweep::Hit(_) => hits += 1,
            Sweep::Free | Sweep::Undecided { .. } => free += 1,
        }
    }
    assert!(hits > 5 && free > 50, "{hits} {free}");
}

#[test]
fn a_triangle_that_slides_in_its_plane_meets_what_lies_there() {
    let triangle = |x: f64| {
        Triangle::new(DVec3::new(x, 0.0, 0.0), DVec3::new(x + 1.0, 0.0, 0.0), DVec3::new(x, 1.0, 0.0))
            .unwrap()
    };
    let (a, b) = (triangle(0.0), triangle(5.0));
    let slide = Motion::linear(&Pose::IDENTITY, DVec3::X * -10.0).unwrap();
    for (a, b) in
        [(Body::new(a), Body::new(b)), (Body::new(Mesh::from_triangle(a)), Body::new(Mesh::from_triangle(b)))]
    {
        let found =
            sweep(a.moving(&Motion::still(&Pose::IDENTITY)), b.moving(&slide), &SweepOptions::within(1e-9));
        let time = found.impact().unwrap().time;
        // But for rounding, in which they touch.
        assert!(time.widened(1e-15).contains(0.4) && time.width() < 1e-8, "{time:?}");
    }
}

#[test]
fn a_half_space_in_a_compound_turns_with_it() {
    // A wall through the origin that turns about z; the ball at distance 2 in its front.
    let wall = Halfspace::new(DVec3::X, 0.0).unwrap();
    let door = Body::new(sudar::Compound::new(vec![(wall.into(), Pose::IDENTITY)]).unwrap());
    let ball = Body::new(sudar::Sphere::new(DVec3::ZERO, 0.5).unwrap());
    let turn = Motion::new(Pose::IDENTITY, DVec3::ZERO, DVec3::ZERO, DVec3::Z).unwrap();
    let still = Motion::still(&Pose::from_translation(DVec3::new(2.0, 0.0, 0.0)).unwrap());
    let found = sweep(door.moving(&turn), ball.moving(&still), &SweepOptions::within(1e-9).until(3.0));
    // The normal is (cos t, sin t): height 2·cos t, contact where that is 0.5.
    let expected = 0.25f64.acos();
    let time = found.impact().unwrap().time;
    assert!((time.lower - expected).abs() < 1e-8 && time.upper >= expected - 1e-9, "{time:?} {expected}");
}

#[test]
fn far_off_and_of_many_turns() {
    let mut rng = Random::new(31);
    let far = DVec3::new(1e6, -2e6, 3e6);
    let (a, b) = (Body::new(ball(1, DVec3::ONE)), Body::new(ball(1, DVec3::new(0.2, 0.9, 0.5))));
    for _ in 0..20 {
        let spin = rng.point().normalize() * rng.within(1e3, 1e5);
        let still = Motion::still(&Pose::from_translation(far).unwrap());
        let start = far + DVec3::X * 5.0;
        let n = Motion::new(Pose::from_translation(start).unwrap(), start, DVec3::X * -4.0, spin).unwrap();
        // It comes as near as 1 from middle to middle, where the first body ends; the second reaches 0.9 at most.
        let options = SweepOptions::within(1e-6);
        let found = sweep(a.moving(&still), b.moving(&n), &options);
        let impact = found.impact().unwrap_or_else(|| panic!("{found:?}"));
        assert!(impact.time.lower > 0.7 && impact.distance <= 1e-6, "{impact:?}");
        // Beyond its reach, however often it turns.
        let beside = DVec3::Y * 1.95;
        let n = Motion::new(
            Pose::from_translation(start + beside).unwrap(),
            start + beside,
            DVec3::X * -9.0,
            spin,
        )
        .unwrap();
        assert_eq!(sweep(a.moving(&still), b.moving(&n), &options), Sweep::Free);
    }
}

#[test]
fn a_batch_answers_as_one_by_one() {
    let zoo = zoo();
    let mut rng = Random::new(8);
    let motions: Vec<[Motion; 2]> =
        (0..60).map(|_| [motion(&mut rng, "both"), motion(&mut rng, "linear")]).collect();
    let options = SweepOptions::within(1e-6);
    let cases: Vec<usize> = (0..motions.len()).collect();
    let pair = |i: usize| (&zoo[i % zoo.len()].1, &zoo[(i * 7 + 3) % zoo.len()].1);
    let all = Batch::default().each(&cases, |work, &i| {
        let (a, b) = pair(i);
        work.sweep(a.moving(&motions[i][0]), b.moving(&motions[i][1]), &options)
    });
    for (i, found) in all.answers.iter().enumerate() {
        let (a, b) = pair(i);
        assert_eq!(*found, sweep(a.moving(&motions[i][0]), b.moving(&motions[i][1]), &options));
    }
    let poses = [Pose::IDENTITY];
    let others = BatchTargets::Poses(&zoo[0].1, &poses);
    let still = Motion::still(&Pose::IDENTITY);
    let found = Batch::default().others(others, |work, other| {
        let there = Motion::still(other.pose());
        work.sweep(zoo[1].1.moving(&still), other.body().moving(&there), &options)
    });
    assert!(found.answers[0].impact().is_some());
}

#[test]
fn no_length_of_time_makes_bodies_free_that_meet() {
    let (a, b) = (Body::new(ball(1, DVec3::ONE)), Body::new(ball(1, DVec3::splat(0.5))));
    let still = Motion::still(&Pose::IDENTITY);
    let start = Pose::from_translation(DVec3::X * 10.0).unwrap();
    for spin in [0.0, 0.1, 50.0] {
        let way = Motion::new(start, start.translation(), -DVec3::X, DVec3::Z * spin).unwrap();
        for until in [20.0, 1e6, 1e9, 1e150, 1e300, f64::MAX, f64::INFINITY] {
            let found = sweep(a.moving(&still), b.moving(&way), &SweepOptions::within(1e-6).until(until));
            assert!(found.decided() != Some(false), "{spin} {until}: {found:?}");
            assert!(found.free_until() < 9.0, "{spin} {until}: {found:?}");
        }
    }
}
