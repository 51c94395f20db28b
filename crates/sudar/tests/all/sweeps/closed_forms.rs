//! Sweeps whose time of contact is known.

use std::f64::consts::PI;

use sudar::motion::Motion;
use sudar::query::{Body, Sweep, SweepOptions, sweep, sweep_bisected, sweep_sampled};
use sudar::{Capsule, Cuboid, DQuat, DVec3, Halfspace, Mesh, Pose, Segment, Sphere, Triangle};
use sudar_testing::at;
use sudar_testing::meshes::{ball, cube, solid};

fn still() -> Motion {
    Motion::still(&Pose::IDENTITY)
}

fn toward(x: f64, y: f64, z: f64, velocity: DVec3) -> Motion {
    Motion::linear(&at(x, y, z), velocity).unwrap()
}

/// The interval of the time of contact.
fn time(found: &Sweep) -> sudar::Interval {
    found.impact().unwrap_or_else(|| panic!("{found:?}")).time
}

#[test]
fn balls_meet_where_the_roots_say() {
    let unit = Body::new(Sphere::new(DVec3::ZERO, 1.0).unwrap());
    let found = sweep(
        unit.moving(&still()),
        unit.moving(&toward(5.0, 0.0, 0.0, DVec3::X * -10.0)),
        &SweepOptions::within(1e-9),
    );
    assert!(time(&found).contains(0.3) && time(&found).width() < 1e-9);
    // Passing at 1.6 from centre to centre: 4 − 1.6² = 1.2² before the middle.
    let passing = toward(6.0, 1.6, 0.0, DVec3::X * -12.0);
    let found = sweep(unit.moving(&still()), unit.moving(&passing), &SweepOptions::within(1e-9));
    assert!(time(&found).contains(0.4) && time(&found).width() < 1e-8, "{found:?}");
    let impact = found.impact().unwrap();
    assert!((impact.normal - DVec3::new(0.6, 0.8, 0.0)).length() < 1e-8 && impact.distance < 1.1e-9);
    // Beside each other by a hair more than their radii.
    let beside = toward(6.0, 2.0 + 1e-5, 0.0, DVec3::X * -12.0);
    assert_eq!(sweep(unit.moving(&still()), unit.moving(&beside), &SweepOptions::within(1e-6)), Sweep::Free);
    // With a separation of half.
    let found = sweep(
        unit.moving(&still()),
        unit.moving(&toward(5.0, 0.0, 0.0, DVec3::X * -10.0)),
        &SweepOptions::within(1e-9).apart_by(0.5),
    );
    assert!(time(&found).contains(0.25), "{found:?}");
}

#[test]
fn a_bullet_of_1_km_per_s_does_not_pass_a_plate_of_1_mm() {
    let plates = [
        Body::new(Cuboid::new(DVec3::new(1.0, 1.0, 0.0005)).unwrap()),
        Body::new(Mesh::from_aabb(sudar::Aabb {
            min: DVec3::new(-1.0, -1.0, -0.0005),
            max: DVec3::new(1.0, 1.0, 0.0005),
        })),
    ];
    let bullets =
        [Body::new(Sphere::new(DVec3::ZERO, 0.01).unwrap()), Body::new(sudar::Shape::Point(DVec3::ZERO))];
    let flight = toward(0.1, 0.2, 500.0, DVec3::Z * -1000.0);
    for plate in &plates {
        for (bullet, radius) in bullets.iter().zip([0.01, 0.0]) {
            let found = sweep(plate.moving(&still()), bullet.moving(&flight), &SweepOptions::within(1e-6));
            let expected = (500.0 - 0.0005 - radius) / 1000.0;
            assert!(time(&found).contains(expected) && time(&found).width() < 2e-9, "{found:?}");
            assert!((found.impact().unwrap().normal - DVec3::Z).length() < 1e-9);
            // What sampling misses with a thousand samples.
            assert_eq!(sweep_sampled(plate.moving(&still()), bullet.moving(&flight), 999), None);
        }
    }
}

#[test]
fn a_thin_blade_that_spins_hits_what_it_sweeps() {
    // A blade of length 2 about z, as thin as a triangle, turning ten times; the ball stands where the blade
    // comes by after a quarter of a turn, less the angle of its radius at that distance.
    let blade =
        Triangle::new(DVec3::new(0.0, 0.0, -0.1), DVec3::new(2.0, 0.0, 0.0), DVec3::new(0.0, 0.0, 0.1));
    let blades = [Body::new(blade.unwrap()), Body::new(Mesh::from_triangle(blade.unwrap()))];
    let ball = Body::new(Sphere::new(DVec3::new(0.0, 1.5, 0.0), 0.01).unwrap());
    let spin = Motion::new(Pose::IDENTITY, DVec3::ZERO, DVec3::ZERO, DVec3::Z * (20.0 * PI)).unwrap();
    for blade in &blades {
        let found = sweep(blade.moving(&spin), ball.moving(&still()), &SweepOptions::within(1e-9));
        let expected = (0.5 * PI - (0.01_f64 / 1.5).asin()) / (20.0 * PI);
        assert!(time(&found).contains(expected) && time(&found).width() < 1e-9, "{expected} {found:?}");
        // Out of its reach by a hair.
        let beyond = Body::new(Sphere::new(DVec3::new(0.0, 2.01 + 1e-4, 0.0), 0.01).unwrap());
        assert_eq!(
            sweep(blade.moving(&spin), beyond.moving(&still()), &SweepOptions::within(1e-6)),
            Sweep::Free
        );
    }
}

#[test]
fn a_box_that_falls_while_it_turns_lands_on_its_edge() {
    // Half an eighth of a turn in the time: edge lowest at √2 when the turn is 45°, at t = 1.
    let cube = Body::new(Cuboid::new(DVec3::ONE).unwrap());
    let floor = Body::new(Halfspace::new(DVec3::Z, 0.0).unwrap());
    let fall = Motion::between(
        &at(0.0, 0.0, 2.5),
        &Pose::new(DVec3::new(0.0, 0.0, 1.2), DQuat::from_rotation_x(PI / 4.0)).unwrap(),
    );
    for body in [cube, Body::new(sudar_testing::meshes::cube(1.0)), solid(sudar_testing::meshes::cube(1.0))] {
        for swapped in [false, true] {
            let options = SweepOptions::within(1e-9);
            let found = if swapped {
                sweep(floor.moving(&still()), body.moving(&fall), &options)
            } else {
                sweep(body.moving(&fall), floor.moving(&still()), &options).swapped()
            };
            // z(t) = 2.5 − 1.3t, reach cos(πt/4) + sin(πt/4).
            let height = |t: f64| 2.5 - 1.3 * t - ((PI / 4.0 * t).cos() + (PI / 4.0 * t).sin());
            let (mut low, mut high) = (0.0, 1.0);
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                if height(middle) > 0.0 { low = middle } else { high = middle }
            }
            assert!(
                (time(&found).lower - low).abs() < 1e-8 && time(&found).upper >= low - 1e-15,
                "{low} {found:?}"
            );
            assert!((found.impact().unwrap().normal - DVec3::Z).length() < 1e-9);
        }
    }
}

#[test]
fn edges_that_graze_meet_or_pass_by_a_hair() {
    let options = SweepOptions::within(1e-9);
    let bar = |along: DVec3| Body::new(Segment::new(-along, along).unwrap());
    for gap in [1e-7, 1e-4] {
        // Crossed bars, one passing over the other at a distance.
        let pass = toward(-3.0, 0.0, gap, DVec3::X * 6.0);
        assert_eq!(
            sweep(bar(DVec3::Y).moving(&still()), bar(DVec3::new(0.3, 1.0, 0.0)).moving(&pass), &options),
            Sweep::Free
        );
    }
    let pass = toward(-3.0, 0.0, 0.0, DVec3::X * 6.0);
    let found = sweep(bar(DVec3::Y).moving(&still()), bar(DVec3::new(0.5, 1.0, 0.0)).moving(&pass), &options);
    // The end (0.5, 1) leads, so that it meets the end of the other bar when it has come from −2.5 to 0.
    assert!(time(&found).contains(2.5 / 6.0) && time(&found).width() < 1e-8, "{found:?}");
}

#[test]
fn a_box_slides_through_a_slot_with_a_clearance_of_a_millionth() {
    let wall = |x: f64| {
        Mesh::from_aabb(sudar::Aabb { min: DVec3::new(x, -5.0, -5.0), max: DVec3::new(x + 1.0, 5.0, 5.0) })
    };
    let (left, right) = (wall(-2.0), wall(1.0 + 2e-6));
    let parts = [left, right].map(|mesh| (sudar::Shape::Mesh(std::sync::Arc::new(mesh)), Pose::IDENTITY));
    let slot = Body::new(sudar::Compound::new(parts.to_vec()).unwrap());
    for block in [Body::new(Cuboid::new(DVec3::ONE).unwrap()), Body::new(cube(1.0))] {
        let through = toward(1e-6, -20.0, 0.0, DVec3::Y * 40.0);
        assert_eq!(
            sweep(slot.moving(&still()), block.moving(&through), &SweepOptions::within(1e-8)),
            Sweep::Free
        );
        let tight = toward(3e-6, -20.0, 0.0, DVec3::Y * 40.0);
        let found = sweep(slot.moving(&still()), block.moving(&tight), &SweepOptions::within(1e-8));
        assert!(time(&found).contains(14.0 / 40.0), "{found:?} {}", time(&found).lower - 0.35);
    }
}

#[test]
fn half_turns_and_no_motion() {
    let bar = Body::new(Capsule::new(0.1, 1.0).unwrap());
    let turned = Pose::new(DVec3::ZERO, DQuat::from_rotation_x(PI)).unwrap();
    let turn = Motion::between(&Pose::IDENTITY, &turned);
    assert!((turn.spin() - DVec3::X * PI).length() < 1e-14, "{turn:?}");
    // From z towards −y: y = −sin(πt).
    let post = Body::new(Sphere::new(DVec3::new(0.0, -0.8, 0.0), 0.05).unwrap());
    let found = sweep(bar.moving(&turn), post.moving(&still()), &SweepOptions::within(1e-9));
    let expected = 0.5 - (0.15f64 / 0.8).asin() / PI;
    assert!(time(&found).contains(expected), "{expected} {found:?}");
    let other = Body::new(Sphere::new(DVec3::new(0.0, 0.0, 1.2), 0.05).unwrap());
    assert_eq!(sweep(bar.moving(&still()), other.moving(&still()), &SweepOptions::within(1e-9)), Sweep::Free);
}

#[test]
fn contact_at_the_start_counts_also_when_the_bodies_part() {
    let away = toward(2.0, 0.0, 0.0, DVec3::X);
    for body in [Body::new(Cuboid::new(DVec3::ONE).unwrap()), Body::new(cube(1.0)), solid(cube(1.0))] {
        let found = sweep(body.moving(&still()), body.moving(&away), &SweepOptions::within(1e-9));
        let impact = found.impact().unwrap();
        assert!(impact.time.upper == 0.0 && impact.distance == 0.0, "{impact:?}");
        assert!((impact.normal.abs() - DVec3::X).length() < 1e-9, "{impact:?}");
    }
    // Inside of a solid.
    let grain = Body::new(Sphere::new(DVec3::ZERO, 0.1).unwrap());
    let found = sweep(
        solid(ball(2, DVec3::ONE)).moving(&still()),
        grain.moving(&toward(0.2, 0.0, 0.0, DVec3::X * 9.0)),
        &SweepOptions::within(1e-9),
    );
    assert!(time(&found).upper == 0.0);
}

#[test]
fn powers_of_two_change_no_bit() {
    let shapes = |s: f64| {
        [
            Body::new(Cuboid::new(DVec3::new(1.0, 0.5, 0.25) * s).unwrap()),
            Body::new(ball(1, DVec3::new(1.0, 0.7, 0.4) * s)),
            Body::new(Capsule::new(0.25 * s, 0.75 * s).unwrap()),
        ]
    };
    let turn = DQuat::from_scaled_axis(DVec3::new(0.3, -0.8, 0.5));
    let motions = |s: f64| {
        let start = Pose::new(DVec3::new(3.0, 0.3, -0.2) * s, turn).unwrap();
        let spin = DVec3::new(1.0, -2.0, 0.5);
        [
            still(),
            Motion::new(start, start.translation() + DVec3::Y * (0.25 * s), DVec3::X * (-4.0 * s), spin)
                .unwrap(),
        ]
    };
    let exponent = |e: i32| 2f64.powi(e);
    let bodies = shapes(1.0);
    for a in 0..3 {
        for b in 0..3 {
            let [m, n] = motions(1.0);
            let found =
                sweep(bodies[a].moving(&m), bodies[b].moving(&n), &SweepOptions::within(exponent(-20)));
            // 1e-9 to 1e9.
            for e in [-30, -7, 13, 30] {
                let (s, scaled) = (exponent(e), shapes(exponent(e)));
                let [m, n] = motions(s);
                let other = sweep(
                    scaled[a].moving(&m),
                    scaled[b].moving(&n),
                    &SweepOptions::within(exponent(-20) * s),
                );
                assert_eq!(time(&found), time(&other), "{a} {b} {e}");
                let (p, q) = (found.impact().unwrap(), other.impact().unwrap());
                assert!(p.point_a * s == q.point_a && p.normal == q.normal && p.features == q.features);
            }
        }
    }
}

#[test]
fn bisection_finds_a_contact_that_sampling_saw() {
    let unit = Body::new(Sphere::new(DVec3::ZERO, 1.0).unwrap());
    let flight = toward(5.0, 0.0, 0.0, DVec3::X * -10.0);
    assert_eq!(sweep_sampled(unit.moving(&still()), unit.moving(&flight), 10), Some(0.3));
    let bracket = sweep_bisected(unit.moving(&still()), unit.moving(&flight), 2, 40).unwrap();
    assert!(bracket.contains(0.3) && bracket.width() < 1e-11);
    assert_eq!(
        sweep_bisected(unit.moving(&still()), unit.moving(&toward(5.0, 9.0, 0.0, DVec3::X)), 4, 4),
        None
    );
}
