//! What games do with a world: sensors, rules of contacts, belts, lifts, bodies that become others.

use sudar::dynamics::{
    BodyType, Combine, ContactRule, Filter, ForceField, Handle, Joint, MassSpec, RigidBody, Settings,
    Softness, TouchPhase, World,
};
use sudar::query::Body;
use sudar::{Cuboid, DMat3, DQuat, DVec3, Halfspace, Pose, Ray, Sphere};

const STEP: f64 = 1.0 / 60.0;

fn cube(name: &str, half: [f64; 3]) -> RigidBody {
    RigidBody::new(name, Cuboid::new(DVec3::from(half)).unwrap())
}

fn ball(name: &str, radius: f64) -> RigidBody {
    RigidBody::new(name, Sphere::new(DVec3::ZERO, radius).unwrap())
}

fn floor() -> RigidBody {
    RigidBody::fixed("floor", Halfspace::new(DVec3::Z, 0.0).unwrap())
}

fn fixed(body: RigidBody) -> RigidBody {
    RigidBody { kind: BodyType::Static, ..body }
}

fn at(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

/// A world without gravity.
fn space() -> World {
    World::new(Settings { gravity: DVec3::ZERO, ..Settings::default() }).unwrap()
}

#[test]
fn a_sensor_tells_once_when_a_body_comes_and_goes_and_pushes_nothing() {
    // Off centre and turned: the ball's way through the zone is known from a plain distance.
    let mut world = space();
    let turn = DQuat::from_rotation_z(0.7) * DQuat::from_rotation_x(0.4);
    let zone = RigidBody { sensor: true, rotation: turn, ..fixed(cube("zone", [1.0, 0.3, 0.5])) };
    let zone = world.add(zone).unwrap();
    let (from, velocity) = (at(-3.0, 0.2, 0.1), at(2.0, -0.1, 0.05));
    let mover = world.add(RigidBody { position: from, velocity, ..ball("mover", 0.2) }).unwrap();
    let shapes = (
        Body::new(Cuboid::new(at(1.0, 0.3, 0.5)).unwrap()),
        Body::new(Sphere::new(DVec3::ZERO, 0.2).unwrap()),
    );
    let is_in = |time: f64| {
        let [a, b] = [Pose::new(DVec3::ZERO, turn), Pose::from_translation(from + velocity * time)];
        let (a, b) = (a.unwrap(), b.unwrap());
        sudar::query::intersects(shapes.0.at(&a), shapes.1.at(&b)).is_touching()
    };
    let (mut came, mut went) = (Vec::new(), Vec::new());
    for step in 0..240 {
        let report = world.step(STEP).unwrap();
        let start = f64::from(step) * STEP;
        for sensed in &report.sensed {
            assert_eq!((sensed.sensor, sensed.body), (zone, mover));
            match sensed.phase {
                TouchPhase::Began => came.push(start + sensed.time),
                TouchPhase::Ended => went.push(start + sensed.time),
                TouchPhase::Lasts => {}
            }
        }
        let inside = world.inside(zone).unwrap();
        assert_eq!(inside.contains(&mover), is_in(start + STEP), "{step}");
        assert!(report.touches.is_empty());
    }
    let ([came], [went]) = (&came[..], &went[..]) else { panic!("{came:?} {went:?}") };
    assert!(!is_in(came - 1e-6) && is_in(came + 1e-6), "{came}");
    assert!(!is_in(*went) && is_in(went - 2.0 * STEP), "{went}");
    assert!((world.motion(mover).unwrap().velocity - velocity).length() < 1e-12);
}

#[test]
fn sensors_sense_what_is_put_there_what_sleeps_and_what_is_removed() {
    let mut world = World::new(Settings::default()).unwrap();
    world.add(floor()).unwrap();
    let sleeper = world.add(RigidBody { position: at(0.0, 0.0, 0.5), ..cube("sleeper", [0.5; 3]) }).unwrap();
    for _ in 0..300 {
        world.step(STEP).unwrap();
    }
    assert!(world.is_asleep(sleeper).unwrap());
    // A zone that is added around it, and one that comes to it.
    let zone = RigidBody { sensor: true, position: at(0.3, 0.0, 0.5), ..fixed(cube("zone", [0.5; 3])) };
    let zone = world.add(zone).unwrap();
    let comes = RigidBody {
        sensor: true,
        kind: BodyType::Kinematic,
        position: at(0.0, 4.0, 0.5),
        velocity: -DVec3::Y,
        ..ball("comes", 0.5)
    };
    let comes = world.add(comes).unwrap();
    let none = RigidBody { sensor: true, filter: Filter::new(2, 2), ..fixed(cube("blind", [9.0; 3])) };
    let blind = world.add(none).unwrap();
    world.modify(sleeper, |body| body.filter = Filter::new(1, !0)).unwrap();
    let report = world.step(STEP).unwrap();
    // A static body that cannot move is sensed as soon as it is put there, if it may move.
    assert!(report.entered(zone).eq([sleeper]) && report.entered(blind).next().is_none());
    let mut met = None;
    for step in 0..240 {
        let report = world.step(STEP).unwrap();
        if report.entered(comes).next() == Some(sleeper) {
            let sensed = report.sensed.iter().find(|sensed| sensed.sensor == comes && sensed.body == sleeper);
            met = Some(f64::from(step) * STEP + sensed.unwrap().time);
        }
    }
    assert!(met.is_some_and(|time| (time - (3.0 - STEP)).abs() < 1e-6), "{met:?}");
    // Searches do not find sensors, unless they ask for them.
    let ray = Ray::new(at(0.3, 0.0, 9.0), -DVec3::Z).unwrap();
    assert_eq!(world.ray(&ray, 99.0, Filter::ALL).unwrap().0, sleeper);
    assert_eq!(world.ray(&ray, 99.0, |_: Handle, body: &RigidBody| body.sensor).unwrap().0, blind);
    // What its filter no longer accepts has left.
    assert_eq!(world.inside(zone).unwrap(), [sleeper]);
    world.modify(sleeper, |body| body.filter = Filter::new(4, !0)).unwrap();
    world.modify(zone, |zone| zone.filter = Filter::new(1, 1)).unwrap();
    assert!(world.step(STEP).unwrap().left(zone).eq([sleeper]) && world.inside(zone).unwrap().is_empty());
    world.modify(zone, |zone| zone.filter = Filter::ALL).unwrap();
    world.step(STEP).unwrap();
    world.remove(sleeper).unwrap();
    let sensed = world.step(STEP).unwrap().sensed;
    assert!(world.inside(zone).unwrap().is_empty() && sensed.iter().all(|sensed| sensed.body != sleeper));
}

/// A world of sensors, belts, a lift, rules and ignored pairs goes on with the same bits from a snapshot, in memory or
/// written down.
#[test]
fn living_worlds_are_restored_to_the_bit() {
    let build = || {
        let mut world = World::new(Settings::default()).unwrap();
        world.add(RigidBody { surface_velocity: at(1.0, 0.2, 0.0), ..floor() }).unwrap();
        let zone = RigidBody { sensor: true, position: DVec3::Z, ..fixed(cube("zone", [1.0, 1.0, 1.0])) };
        world.add(zone).unwrap();
        let lift = RigidBody {
            kind: BodyType::Kinematic,
            position: at(5.0, 0.0, 0.2),
            ..cube("lift", [1.0, 1.0, 0.1])
        };
        let lift = world.add(lift).unwrap();
        let up = ContactRule::one_way(DVec3::Z);
        let shelf = RigidBody {
            contact_rule: Some(up),
            position: DVec3::Z * 2.0,
            ..fixed(cube("shelf", [1.0, 1.0, 0.05]))
        };
        world.add(shelf).unwrap();
        let mut bodies = Vec::new();
        for k in 0_u8..12 {
            let position = at(f64::from(k % 4) * 1.5, 0.1 * f64::from(k), 1.0 + f64::from(k));
            let body = if k % 2 == 0 { cube("cube", [0.3, 0.2, 0.25]) } else { ball("ball", 0.3) };
            let friction_rule = (k % 3 == 0).then_some(Combine::Max);
            let body = RigidBody {
                position,
                velocity: at(0.0, 0.0, f64::from(k)),
                friction_rule,
                user_data: k.into(),
                ..body
            };
            bodies.push(world.add(body).unwrap());
        }
        world.ignore(bodies[0], bodies[4]).unwrap();
        (world, lift)
    };
    let go = |world: &mut World, lift: Handle, steps: std::ops::Range<u32>| {
        let mut reports = Vec::new();
        for step in steps {
            let height = at(5.0, 0.0, 0.2 + 0.01 * f64::from(step % 100));
            if step % 3 > 0 {
                world.move_to(lift, &Pose::from_translation(height).unwrap(), STEP).unwrap();
            }
            reports.push(world.step(STEP).unwrap());
        }
        (reports, world.bodies().map(|(body, _)| world.motion(body).unwrap()).collect::<Vec<_>>())
    };
    let (mut world, lift) = build();
    go(&mut world, lift, 0..47);
    world.move_to(lift, &Pose::from_translation(at(5.0, 0.0, 0.9)).unwrap(), STEP).unwrap();
    let snapshot = world.snapshot();
    let expected = go(&mut world, lift, 47..150);
    assert!(expected.0.iter().any(|report| !report.sensed.is_empty()));
    world.restore(&snapshot).unwrap();
    assert!(go(&mut world, lift, 47..150) == expected);
    #[cfg(feature = "serde")]
    {
        let written = serde_json::to_string(&snapshot).unwrap();
        let read: sudar::dynamics::Snapshot = serde_json::from_str(&written).unwrap();
        let (mut other, lift) = build();
        other.restore(&read).unwrap();
        let (reports, motions) = go(&mut other, lift, 47..150);
        assert!(motions == expected.1);
        let phases = |reports: &[sudar::dynamics::StepReport]| {
            reports
                .iter()
                .map(|report| report.sensed.iter().map(|sensed| (sensed.phase, sensed.time)).collect())
                .collect::<Vec<Vec<_>>>()
        };
        assert!(phases(&reports) == phases(&expected.0));
    }
}

#[test]
fn one_way_platforms_hold_from_above_at_any_speed_and_let_through_from_elsewhere() {
    for (speed, tilt) in [(8.0, 0.0), (40.0, 0.0), (400.0, 0.0), (8.0, 0.2)] {
        for shape in
            [RigidBody { rolling_friction: 0.1, ..ball("jumper", 0.3) }, cube("jumper", [0.3, 0.2, 0.3])]
        {
            let mut world = World::new(Settings::default()).unwrap();
            let up = Some(ContactRule::one_way(DVec3::Z));
            let rotation = DQuat::from_rotation_y(tilt);
            let platform = RigidBody {
                contact_rule: up,
                rotation,
                friction: 1.0,
                ..fixed(cube("platform", [4.0, 4.0, 0.1]))
            };
            world.add(platform).unwrap();
            let rising = RigidBody {
                position: at(0.1, 0.2, -2.0),
                velocity: DVec3::Z * speed,
                linear_drag: 0.3,
                ..shape.clone()
            };
            let falling = RigidBody { position: at(1.5, 0.2, 3.0), velocity: DVec3::Z * -speed, ..shape };
            let [rising, falling] =
                [rising, falling].map(|body| world.add(RigidBody { friction: 1.0, ..body }).unwrap());
            for _ in 0..60 * 100 {
                world.step(STEP).unwrap();
            }
            for body in [rising, falling] {
                let motion = world.motion(body).unwrap();
                let height = (rotation.inverse() * motion.center).z;
                assert!((0.25..0.45).contains(&height), "{speed} {tilt}: {motion:?}");
            }
        }
    }
}

/// A half-space has a height along its normal alone, wherever it stands.
#[test]
fn a_one_way_half_space_holds_what_is_above_it() {
    let mut world = World::new(Settings::default()).unwrap();
    let rotation = DQuat::from_rotation_x(0.2);
    let up = Some(ContactRule::one_way(DVec3::Z));
    let ground =
        RigidBody { contact_rule: up, position: at(3.0, -2.0, 1.0), rotation, friction: 1.0, ..floor() };
    world.add(ground).unwrap();
    let body = |height: f64| RigidBody {
        position: at(3.0, -2.0, 1.0) + rotation * DVec3::Z * height,
        rotation,
        friction: 1.0,
        ..cube("cube", [0.3; 3])
    };
    let [above, below] = [body(0.5), body(-2.0)].map(|body| world.add(body).unwrap());
    for _ in 0..120 {
        world.step(STEP).unwrap();
    }
    let height =
        |body: Handle| (rotation.inverse() * (world.motion(body).unwrap().center - at(3.0, -2.0, 1.0))).z;
    assert!(
        (height(above) - 0.3).abs() < 1e-3 && height(below) < -10.0,
        "{} {}",
        height(above),
        height(below)
    );
}

#[test]
fn belts_carry_at_their_speed_and_no_faster_than_friction_can() {
    let mut world = World::new(Settings::default()).unwrap();
    let belt = RigidBody {
        surface_velocity: DVec3::X * 2.0,
        friction: 0.5,
        ..fixed(cube("belt", [50.0, 1.0, 0.5]))
    };
    let turned = RigidBody {
        rotation: DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2),
        position: at(-60.0, 0.0, 0.0),
        ..belt.clone()
    };
    let belt = world.add(belt).unwrap();
    world.add(turned).unwrap();
    let on = |x: f64| RigidBody { position: at(x, 0.0, 0.8), friction: 0.5, ..cube("load", [0.3; 3]) };
    let load = world.add(on(-40.0)).unwrap();
    let other = world.add(on(-60.0)).unwrap();
    for step in 1..=60 {
        world.step(STEP).unwrap();
        // It slides at first, with the acceleration of friction.
        let expected = (0.5 * 9.81 * STEP * f64::from(step)).min(2.0);
        let speed = world.motion(load).unwrap().velocity.x;
        assert!((speed - expected).abs() < 0.05, "{step}: {speed} {expected}");
    }
    assert!((world.motion(other).unwrap().velocity - DVec3::Y * 2.0).length() < 0.02);
    // A belt that stops stops its load, which may sleep, and wakes when it runs again.
    world.modify(belt, |belt| belt.surface_velocity = DVec3::ZERO).unwrap();
    for _ in 0..240 {
        world.step(STEP).unwrap();
    }
    assert!(world.is_asleep(load).unwrap());
    world.modify(belt, |belt| belt.surface_velocity = DVec3::X * -1.0).unwrap();
    for _ in 0..60 {
        world.step(STEP).unwrap();
    }
    assert!((world.motion(load).unwrap().velocity.x + 1.0).abs() < 0.02);
}

#[test]
fn coefficients_are_combined_by_the_rule_that_is_later_in_the_list() {
    // A cube slides on a slope or not, by the friction of the pair.
    let slides = |first: (f64, Option<Combine>), second: (f64, Option<Combine>)| {
        let mut world = World::new(Settings::default()).unwrap();
        let rotation = DQuat::from_rotation_y(0.3);
        let slope = fixed(cube("slope", [20.0, 2.0, 0.5]));
        world.add(RigidBody { rotation, friction: first.0, friction_rule: first.1, ..slope }).unwrap();
        let position = rotation * at(0.0, 0.0, 0.8);
        let load = RigidBody {
            position,
            rotation,
            friction: second.0,
            friction_rule: second.1,
            ..cube("load", [0.3; 3])
        };
        let load = world.add(load).unwrap();
        for _ in 0..120 {
            world.step(STEP).unwrap();
        }
        // tan 0.3 = 0.309.
        world.motion(load).unwrap().center.distance(position) > 0.05
    };
    let cases = [
        ((0.2, None), (0.3, None), true),
        ((0.1, None), (1.0, None), false),
        ((0.1, None), (1.0, Some(Combine::Min)), true),
        ((0.05, Some(Combine::Average)), (0.7, None), false),
        ((0.6, Some(Combine::Multiply)), (0.5, Some(Combine::Average)), true),
        ((0.6, Some(Combine::Multiply)), (0.5, Some(Combine::Max)), false),
        ((0.5, Some(Combine::GeometricMean)), (0.3, None), false),
    ];
    for (first, second, expected) in cases {
        assert_eq!(slides(first, second), expected, "{first:?} {second:?}");
        assert_eq!(slides(second, first), expected, "{second:?} {first:?}");
    }
}

#[test]
fn ignored_pairs_pass_each_other_at_any_speed_until_they_no_longer_do() {
    for speed in [1.0, 300.0] {
        let mut world = space();
        let mut add = |x: f64, v: f64| {
            world
                .add(RigidBody { position: DVec3::X * x, velocity: DVec3::X * v, ..ball("ball", 0.3) })
                .unwrap()
        };
        let [a, b, c] = [add(-2.0, speed), add(0.0, 0.0), add(600.0, 0.0)];
        world.ignore(a, b).unwrap();
        for _ in 0..180 {
            world.step(STEP).unwrap();
        }
        assert!(world.motion(b).unwrap().velocity == DVec3::ZERO);
        let struck = world.motion(c).unwrap().velocity.x;
        assert_eq!(struck > 0.1, speed == 300.0);
        world.unignore(b, a).unwrap();
        let back = sudar::dynamics::BodyState { velocity: DVec3::X * -speed, ..world.motion(a).unwrap() };
        world.set_motion(a, sudar::dynamics::BodyState { center: DVec3::X * 2.0, ..back }).unwrap();
        for _ in 0..180 {
            world.step(STEP).unwrap();
        }
        assert!(world.motion(b).unwrap().velocity.x < -0.1 * speed);
    }
}

#[test]
fn lifts_end_where_they_are_moved_and_their_passengers_ride_along() {
    let mut world = World::new(Settings::default()).unwrap();
    let lift = RigidBody { kind: BodyType::Kinematic, ..cube("lift", [1.5, 1.5, 0.1]) };
    let lift = world.add(lift).unwrap();
    let load = world
        .add(RigidBody { position: at(0.6, 0.0, 0.4), friction: 0.8, ..cube("load", [0.3; 3]) })
        .unwrap();
    for step in 1..=600 {
        let t = f64::from(step) * STEP;
        let to = at(0.0, 0.0, 1.0 - t.cos());
        let pose = Pose::new(to, DQuat::from_rotation_z(0.5 * t)).unwrap();
        world.move_to(lift, &pose, STEP).unwrap();
        world.step(STEP).unwrap();
        let motion = world.motion(lift).unwrap();
        assert!(motion.center.distance(to) < 1e-12 && motion.velocity == DVec3::ZERO);
        assert!(motion.rotation.angle_between(DQuat::from_rotation_z(0.5 * t)) < 1e-7);
    }
    let [platform, load] = [lift, load].map(|body| world.motion(body).unwrap());
    let there = platform.rotation.inverse() * (load.center - platform.center);
    assert!(there.distance(at(0.6, 0.0, 0.4)) < 0.02, "{there}");
    let still = world.add(fixed(cube("still", [1.0; 3]))).unwrap();
    let error = world.move_to(still, &Pose::IDENTITY, STEP).unwrap_err();
    assert!(error.to_string().contains("kinematic"), "{error}");
}

#[test]
fn bodies_become_others_and_keep_their_joints() {
    let mut world = World::new(Settings::default()).unwrap();
    let top = world.add(RigidBody { position: DVec3::Z * 3.0, ..fixed(ball("top", 0.1)) }).unwrap();
    let bob = world.add(RigidBody { position: at(1.0, 0.0, 3.0), ..ball("bob", 0.1) }).unwrap();
    world.join(Joint::ball(top, bob, DVec3::Z * 3.0)).unwrap();
    let run = |world: &mut World, steps: u32| {
        let mut gap: f64 = 0.0;
        for _ in 0..steps {
            gap = gap.max(world.step(STEP).unwrap().gap);
        }
        gap
    };
    assert!(run(&mut world, 100) < 1e-6);
    // A cube whose centre of mass is elsewhere, and heavier.
    let cube = Body::new(
        sudar::hull::convex_hull(&[
            at(0.0, 0.0, 0.0),
            at(0.4, 0.0, 0.0),
            at(0.0, 0.4, 0.0),
            at(0.0, 0.0, 0.4),
        ])
        .unwrap(),
    );
    let place = world.pose(bob).unwrap().translation();
    world
        .modify(bob, |body| {
            (body.body, body.matter, body.name) = (cube, MassSpec::Mass(50.0), "weight".to_owned());
        })
        .unwrap();
    assert!(world.pose(bob).unwrap().translation().distance(place) < 1e-12);
    assert!(world.inertia(bob).unwrap().mass == 50.0 && run(&mut world, 300) < 1e-6);
    // Let it fly, and stand still in the air.
    world.modify(top, |body| body.kind = BodyType::Dynamic).unwrap();
    let height = world.motion(bob).unwrap().center.z;
    assert!(run(&mut world, 30) < 1e-6 && world.motion(bob).unwrap().center.z < height - 0.5);
    world.modify(bob, |body| body.kind = BodyType::Static).unwrap();
    let stands = world.motion(bob).unwrap().center;
    assert!(run(&mut world, 60) < 1e-6 && world.motion(bob).unwrap().center == stands);
    let refused = world.modify(bob, |body| body.position = DVec3::ONE).unwrap_err();
    assert!(refused.to_string().contains("set_motion"), "{refused}");
}

#[test]
fn fingerprints_name_the_one_body_that_differs() {
    use sudar::dynamics::Odd;
    let mut world = World::new(Settings::default()).unwrap();
    world.add(floor()).unwrap();
    let mut bodies = Vec::new();
    for k in 0..40_u8 {
        let position = at(f64::from(k % 6), f64::from(k / 6), 1.0);
        bodies.push(world.add(RigidBody { position, ..ball("ball", 0.3) }).unwrap());
    }
    let arm =
        world.join(Joint::distance(bodies[38], bodies[39], [at(2.0, 6.0, 1.0), at(3.0, 6.0, 1.0)])).unwrap();
    world.step(STEP).unwrap();
    let whole = world.fingerprint();
    assert_eq!(world.clone().fingerprint(), whole);
    for body in &bodies {
        let mut other = world.clone();
        let motion = other.motion(*body).unwrap();
        let velocity = motion.velocity + DVec3::Y * f64::EPSILON;
        other.set_motion(*body, sudar::dynamics::BodyState { velocity, ..motion }).unwrap();
        // What touches it wakes, which is no difference here.
        assert_eq!(whole.compare(&other.fingerprint()), Odd::One(body.index()));
    }
    let mut other = world.clone();
    for body in [bodies[3], bodies[17]] {
        other.apply_impulse(body, DVec3::X, DVec3::ZERO).unwrap();
    }
    assert_eq!(whole.compare(&other.fingerprint()), Odd::Several);
    let mut other = world.clone();
    other.unjoin(arm).unwrap();
    assert_eq!(whole.compare(&other.fingerprint()), Odd::Else);
}

/// A ball that falls onto a soft bed at a speed: how deep it comes and how fast it leaves, or none where it stays.
fn onto_a_bed(softness: Softness, speed: f64, body: RigidBody, half: f64) -> (f64, Option<f64>) {
    let settings = Settings { gravity: DVec3::ZERO, substeps: 16, ..Settings::default() };
    let mut world = World::new(settings).unwrap();
    let bed = RigidBody { contact_softness: softness, ..fixed(cube("bed", [5.0, 5.0, 2.0])) };
    world.add(RigidBody { position: DVec3::Z * -2.0, ..bed }).unwrap();
    let body = RigidBody { position: DVec3::Z * (half + 0.3), velocity: DVec3::Z * -speed, ..body };
    let body = world.add(body).unwrap();
    let mut deepest: f64 = 0.0;
    for _ in 0..600 {
        world.step(STEP).unwrap();
        let motion = world.motion(body).unwrap();
        deepest = deepest.max(half - motion.center.z);
        if motion.velocity.z > 0.0 && motion.center.z > half + 0.05 {
            return (deepest, Some(motion.velocity.z));
        }
    }
    (deepest, None)
}

/// m·x″ = −m·ω²·x − 2ζω·m·x′: v/ω deep and as fast away, or slower by the factor e^(−πζ/√(1−ζ²)).
#[test]
fn soft_contacts_swing_as_springs_do() {
    for (hertz, speed) in [(1.0, 2.0), (2.0, 4.0), (5.0, 12.0)] {
        for body in [ball("ball", 0.5), cube("cube", [0.5, 0.5, 0.5])] {
            let softness = Softness::Frequency { hertz, damping_ratio: 0.0 };
            let (deepest, leaves) = onto_a_bed(softness, speed, body.clone(), 0.5);
            let expected = speed / (std::f64::consts::TAU * hertz);
            assert!((deepest / expected - 1.0).abs() < 0.06, "{deepest} {expected}");
            assert!(leaves.is_some_and(|leaves| (0.94..1.0).contains(&(leaves / speed))), "{leaves:?}");
            // The same spring by its stiffness.
            let inertia = body.inertia().unwrap();
            let stiffness = inertia.mass * (std::f64::consts::TAU * hertz).powi(2);
            let softness = Softness::Stiffness { stiffness, damping: 0.0 };
            let (same, _) = onto_a_bed(softness, speed, body.clone(), 0.5);
            assert!((same - deepest).abs() < 1e-9);
            let softness = Softness::Frequency { hertz, damping_ratio: 0.2 };
            let (_, leaves) = onto_a_bed(softness, speed, body, 0.5);
            // It leaves before the spring is at rest, as contacts do not pull: between the two closed forms.
            let leaves = leaves.unwrap() / speed;
            assert!((0.45..0.62).contains(&leaves), "{leaves}");
        }
    }
}

#[test]
fn what_lies_on_a_soft_bed_sinks_in_and_sleeps() {
    for (body, tilt) in
        [(cube("cube", [0.4, 0.3, 0.2]), 0.0), (ball("ball", 0.2), 0.0), (cube("cube", [0.4, 0.3, 0.2]), 0.3)]
    {
        let mut world = World::new(Settings::default()).unwrap();
        let softness = Softness::Frequency { hertz: 3.0, damping_ratio: 0.7 };
        world.add(RigidBody { contact_softness: softness, ..floor() }).unwrap();
        let rotation = DQuat::from_rotation_x(tilt);
        let body = world.add(RigidBody { position: at(0.7, -0.2, 0.6), rotation, ..body }).unwrap();
        for _ in 0..900 {
            world.step(STEP).unwrap();
        }
        let dent = 9.81 / (std::f64::consts::TAU * 3.0).powi(2);
        let height = world.motion(body).unwrap().center.z;
        assert!((height - (0.2 - dent)).abs() < 0.02 * dent, "{height} {dent}");
        assert!(world.is_asleep(body).unwrap());
    }
}

#[test]
fn soft_bodies_that_meet_keep_their_momentum() {
    let mut world = space();
    let soft = Softness::Frequency { hertz: 4.0, damping_ratio: 0.1 };
    let thrown = [(at(-2.0, 0.1, 0.0), 6.0), (at(2.0, -0.1, 0.1), -9.0)].map(|(position, speed)| {
        let body = RigidBody { contact_softness: soft, position, ..cube("block", [0.5, 0.6, 0.7]) };
        world.add(RigidBody { velocity: DVec3::X * speed, ..body }).unwrap()
    });
    let momenta = |world: &World| {
        let of = |body: &Handle| {
            let (motion, inertia) = (world.motion(*body).unwrap(), world.inertia(*body).unwrap());
            let turn = DMat3::from_quat(motion.rotation);
            let spin = turn * inertia.tensor * turn.transpose() * motion.angular_velocity;
            [motion.velocity * inertia.mass, motion.center.cross(motion.velocity * inertia.mass) + spin]
        };
        thrown.iter().map(of).fold([DVec3::ZERO; 2], |sum, own| [sum[0] + own[0], sum[1] + own[1]])
    };
    let before = momenta(&world);
    (0..120).for_each(|_| drop(world.step(STEP).unwrap()));
    let after = momenta(&world);
    assert!(world.motion(thrown[0]).unwrap().velocity.x < 0.0);
    assert!((after[0] - before[0]).length() < 1e-8 * 9e3, "{before:?} {after:?}");
    assert!((after[1] - before[1]).length() < 1e-6 * 9e3, "{before:?} {after:?}");
}

/// A world with one field, of a large region about the origin.
fn field(field: ForceField) -> World {
    let mut world = space();
    let region = fixed(cube("region", [50.0, 50.0, 50.0]));
    world.add(RigidBody { sensor: true, field: Some(field), ..region }).unwrap();
    world
}

#[test]
fn fields_accelerate_slow_down_and_attract() {
    // Terminal speed a/c, after e^(−c·t).
    let mut world = field(ForceField { acceleration: DVec3::X * 6.0, drag: 3.0, ..ForceField::default() });
    let body = world.add(cube("cube", [0.2, 0.3, 0.4])).unwrap();
    (0..61).for_each(|_| drop(world.step(STEP).unwrap()));
    let expected = 2.0 * (1.0 - (-3.0_f64).exp());
    let speed = world.motion(body).unwrap().velocity.x;
    assert!((speed - expected).abs() < 1e-9, "{speed} {expected}");
    // A force is the same on all, and any drag is less than a stop.
    let mut world = field(ForceField { force: DVec3::Y * 40.0, drag: 1e6, ..ForceField::default() });
    let spinning = RigidBody { angular_velocity: DVec3::X * 5.0, velocity: DVec3::X, ..ball("ball", 0.1) };
    let body = world.add(spinning).unwrap();
    (0..5).for_each(|_| drop(world.step(STEP).unwrap()));
    let motion = world.motion(body).unwrap();
    assert!(motion.velocity.x.abs() < 1e-9 && motion.angular_velocity.length() < 1e-9);
    // A circle around the middle: v² = a·r.
    let mut world = field(ForceField { attraction: 8.0, ..ForceField::default() });
    let body =
        world.add(RigidBody { position: DVec3::X * 2.0, velocity: DVec3::Y * 4.0, ..ball("moon", 0.1) });
    let body = body.unwrap();
    for _ in 0..240 {
        world.step(STEP).unwrap();
        let radius = world.motion(body).unwrap().center.length();
        assert!((1.8..2.3).contains(&radius), "{radius}");
    }
}

#[test]
fn fields_end_at_their_border_and_wake_what_they_reach() {
    let mut world = World::new(Settings::default()).unwrap();
    world.add(floor()).unwrap();
    let body = world.add(RigidBody { position: DVec3::Z * 0.5, ..cube("cube", [0.5, 0.5, 0.5]) }).unwrap();
    (0..120).for_each(|_| drop(world.step(STEP).unwrap()));
    assert!(world.is_asleep(body).unwrap());
    // A fan is put under it.
    let lift = ForceField { acceleration: DVec3::Z * 20.0, ..ForceField::default() };
    let fan = RigidBody {
        sensor: true,
        field: Some(lift),
        position: DVec3::Z,
        ..fixed(cube("fan", [1.0, 1.0, 1.0]))
    };
    let fan = world.add(fan).unwrap();
    (0..20).for_each(|_| drop(world.step(STEP).unwrap()));
    assert!(world.motion(body).unwrap().velocity.z > 1.0);
    // Beyond 2 m it falls again, and so it hovers about the border until the fan is off.
    let mut highest: f64 = 0.0;
    for _ in 0..300 {
        world.step(STEP).unwrap();
        highest = highest.max(world.motion(body).unwrap().center.z);
    }
    assert!((2.5..6.0).contains(&highest), "{highest}");
    world.modify(fan, |fan| fan.field = None).unwrap();
    (0..300).for_each(|_| drop(world.step(STEP).unwrap()));
    assert!((world.motion(body).unwrap().center.z - 0.5).abs() < 1e-3);
    let refused = world.add(RigidBody { field: Some(lift), ..fixed(cube("wall", [1.0; 3])) });
    assert!(refused.unwrap_err().to_string().contains("sensor"));
    let broken = ForceField { drag: -1.0, ..lift };
    let refused = world.modify(fan, |fan| fan.field = Some(broken));
    assert!(refused.unwrap_err().to_string().contains("drag"));
}
