//! Recordings of worlds, and worlds and shapes written down.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use sudar::dynamics::{
    BodyState, BodyType, Character, ContactRule, Explosion, ForceField, Handle, Joint, MassSpec, Pace,
    Recording, Replay, RigidBody, Settings, Softness, World,
};
use sudar::glam::DVec2;
use sudar::hull::convex_hull;
use sudar::query::Body;
use sudar::shape::{
    Capsule, Compound, Cone, Cuboid, Cylinder, Ellipsoid, Halfspace, HeightField, Mesh, PointCloud, Segment,
    Shape, Solid, Sphere, Triangle,
};
use sudar::{DMat3, DQuat, DVec3, Pose};

const STEP: f64 = 1.0 / 60.0;

fn at(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

/// One shape of each kind.
fn shapes() -> Vec<Shape> {
    let mut rng = Pcg64::seed_from_u64(5);
    let mut points = |n: usize, size: f64| -> Vec<DVec3> {
        (0..n).map(|_| DVec3::from_array(std::array::from_fn(|_| rng.random_range(-size..size)))).collect()
    };
    let half = at(0.3, 0.25, 0.2);
    let mesh = Mesh::from_aabb(Cuboid::new(half).unwrap().aabb());
    let heights: Vec<f64> = (0..12).map(|k| 0.1 * f64::from(k % 5)).collect();
    let ball = Sphere::new(at(0.1, 0.0, 0.0), 0.2).unwrap();
    let tilt = Pose::new(at(0.3, 0.1, 0.0), DQuat::from_rotation_x(0.4)).unwrap();
    vec![
        Shape::Mesh(mesh.clone().into()),
        Solid::new(mesh.into()).unwrap().into(),
        Triangle::new(DVec3::ZERO, DVec3::X, DVec3::Y).unwrap().into(),
        Segment::new(DVec3::ZERO, DVec3::X).unwrap().into(),
        Shape::point(at(0.1, 0.2, 0.3)).unwrap(),
        ball.into(),
        Cuboid::new(half).unwrap().into(),
        Capsule::new(0.15, 0.2).unwrap().into(),
        Cylinder::new(0.25, 0.2).unwrap().into(),
        Cone::new(0.2, 0.3).unwrap().into(),
        Ellipsoid::new(at(0.3, 0.2, 0.1)).unwrap().into(),
        convex_hull(&points(30, 0.4)).unwrap().into(),
        Halfspace::new(at(0.1, 0.0, 2.0), -0.5).unwrap().into(),
        HeightField::new(4, &heights, DVec2::new(0.5, 0.4)).unwrap().into(),
        PointCloud::new(points(9, 1.0)).unwrap().into(),
        Compound::new(vec![(Cuboid::new(half).unwrap().into(), Pose::IDENTITY), (ball.into(), tilt)])
            .unwrap()
            .into(),
    ]
}

/// A world with something of everything, and handles of bodies to be disturbed.
fn yard() -> (World, [Handle; 4]) {
    let mut world = World::new(Settings::default()).unwrap();
    let plane = Halfspace::new(DVec3::Z, 0.0).unwrap();
    world.add(RigidBody { surface_velocity: at(0.3, 0.0, 0.0), ..RigidBody::fixed("floor", plane) }).unwrap();
    let wind =
        ForceField { acceleration: DVec3::Z * 12.0, attraction: 2.0, drag: 0.3, ..ForceField::default() };
    let zone = RigidBody::fixed("wind", Cuboid::new(DVec3::ONE).unwrap());
    world.add(RigidBody { sensor: true, field: Some(wind), position: DVec3::Z, ..zone }).unwrap();
    let shelf = RigidBody::fixed("shelf", Cuboid::new(at(1.0, 1.0, 0.05)).unwrap());
    let rule = Some(ContactRule::one_way(DVec3::Z));
    world.add(RigidBody { contact_rule: rule, position: at(3.0, 0.0, 1.5), ..shelf }).unwrap();
    let bed = RigidBody::fixed("bed", Cuboid::new(at(1.0, 1.0, 0.3)).unwrap());
    let soft = Softness::Frequency { hertz: 3.0, damping_ratio: 0.1 };
    world.add(RigidBody { contact_softness: soft, position: at(-3.0, 0.0, 0.3), ..bed }).unwrap();
    let lift = RigidBody::new("lift", Cuboid::new(at(1.0, 1.0, 0.1)).unwrap());
    let lift = RigidBody { kind: BodyType::Kinematic, position: at(6.0, 0.0, 0.2), ..lift };
    let lift = world.add(lift).unwrap();
    let mut thrown = Vec::new();
    for (number, shape) in (0..).zip(shapes()) {
        let (x, y) = (f64::from(number % 4) * 1.6 - 3.0, f64::from(number / 4) * 0.4 - 0.5);
        let is_still = matches!(shape, Shape::Halfspace(_) | Shape::HeightField(_) | Shape::PointCloud(_));
        if is_still {
            continue;
        }
        let inertia = DMat3::from_diagonal(DVec3::splat(0.1));
        let body = RigidBody {
            position: at(x, y, 2.0 + 0.7 * f64::from(number)),
            angular_velocity: at(0.3, f64::from(number), 0.0),
            matter: MassSpec::Given { mass: 3.0, inertia, center: DVec3::ZERO },
            user_data: u128::MAX - u128::try_from(number).unwrap(),
            ..RigidBody::new(format!("body {number}"), Body::new(shape))
        };
        thrown.push(world.add(body).unwrap());
    }
    (world, [lift, thrown[3], thrown[4], thrown[6]])
}

/// What a program does to the yard before a step.
fn disturb(world: &mut World, [lift, a, b, c]: [Handle; 4], hero: &mut Character, step: u32) {
    let height = 0.2 + 0.01 * f64::from(step % 70);
    let pose = Pose::from_translation(at(6.0, 0.0, height)).unwrap();
    world.move_to(lift, &pose, STEP).unwrap();
    hero.walk(world, at(1.5, 0.4, 0.0), STEP).unwrap();
    match step {
        10 => {
            let joint = Joint::hinge(a, b, world.motion(a).unwrap().center, DVec3::X);
            let joint = world.join(joint.servo(0.3, Softness::Hard, 40.0)).unwrap();
            world.joint_mut(joint).unwrap().set_target(-0.2).unwrap();
        }
        20 => world.apply_impulse(c, at(4.0, 3.0, 9.0), at(0.0, 0.0, 1.0)).unwrap(),
        25 => world.add_force_at(b, at(0.0, 90.0, 20.0), DVec3::ZERO).unwrap(),
        30 => {
            let explosion = Explosion {
                time: world.time() + 0.35 * STEP,
                position: DVec3::ZERO,
                impulse: 300.0,
                radius: 5.0,
            };
            world.schedule_explosion(explosion).unwrap();
        }
        35 => world.modify(c, |body| body.body = Sphere::new(DVec3::ZERO, 0.4).unwrap().into()).unwrap(),
        40 => world.ignore(b, c).unwrap(),
        45 => {
            let bullet = RigidBody::new("bullet", Sphere::new(DVec3::ZERO, 0.05).unwrap());
            let bullet = RigidBody { position: at(-9.0, 0.1, 0.5), velocity: DVec3::X * 200.0, ..bullet };
            world.add(bullet).unwrap();
        }
        50 => {
            let (first, _) = world.joints().next().unwrap();
            world.unjoin(first).unwrap();
        }
        55 => {
            let settings = Settings { gravity: at(0.5, 0.0, -5.0), ..world.settings().clone() };
            world.set_settings(settings).unwrap();
        }
        60 => {
            let motion = BodyState { velocity: DVec3::Y * 3.0, ..world.motion(a).unwrap() };
            world.set_motion(a, motion).unwrap();
        }
        65 => world.unignore(b, c).unwrap(),
        70 => world.remove(b).unwrap(),
        75 => world.wake(a).unwrap(),
        _ => {}
    }
}

/// A run of the yard with a rollback in its midst, and the world at its end.
fn run() -> (Recording, World) {
    let (mut world, handles) = yard();
    let mut hero = Character::new(Capsule::new(0.3, 0.5).unwrap()).at(at(-5.0, -3.0, 1.0));
    for _ in 0..5 {
        world.step(STEP).unwrap();
    }
    world.record();
    let mut before = world.snapshot();
    for step in 0..110 {
        disturb(&mut world, handles, &mut hero, step);
        if step == 68 {
            before = world.snapshot();
        }
        if step == 74 {
            world.restore(&before).unwrap();
        }
        if step % 10 == 3 {
            world.advance(2.5 * STEP, &Pace::default()).unwrap();
        } else {
            world.step(STEP).unwrap();
        }
    }
    (world.stop_recording().unwrap(), world)
}

#[test]
fn a_recording_replays_to_the_bit() {
    let (recording, world) = run();
    assert!(world.time() > 1.9 && recording.steps() > 110);
    let mut shown = 0;
    let difference = recording.replay(|number, _| {
        assert_eq!(number, shown);
        shown += 1;
    });
    assert_eq!(difference.unwrap(), None);
    assert_eq!(shown, recording.steps());
    let end = Replay::new(recording).unwrap().finish().unwrap();
    assert!(end.fingerprint() == world.fingerprint());
    assert!(world.recording().is_none() && end.recording().is_none());
}

#[test]
fn a_difference_is_named_by_step_and_body() {
    let (mut world, [_, a, ..]) = yard();
    world.record();
    for _ in 0..20 {
        world.step(STEP).unwrap();
    }
    let log = world.stop_recording().unwrap();
    // The same from a world that is disturbed at the twelfth step.
    let mut replay = Replay::new(log.clone()).unwrap();
    for _ in 0..11 {
        assert_eq!(replay.step().unwrap(), None);
    }
    assert_eq!((replay.done(), replay.is_over()), (11, false));
    let (mut other, _) = yard();
    other.record();
    for step in 0..20 {
        if step == 11 {
            let motion = other.motion(other.bodies().nth(8).unwrap().0).unwrap();
            let body = other.bodies().nth(8).unwrap().0;
            other.set_motion(body, BodyState { center: motion.center + DVec3::Y * 1e-13, ..motion }).unwrap();
        }
        other.step(STEP).unwrap();
    }
    let text = serde_json::to_value(other.stop_recording().unwrap()).unwrap();
    let mut changed = serde_json::to_value(&log).unwrap();
    // The inputs of the one with the fingerprints of the other.
    changed["frames"][11]["inputs"] = text["frames"][11]["inputs"].clone();
    let changed: Recording = serde_json::from_value(changed).unwrap();
    let difference = changed.replay(|_, _| {}).unwrap().unwrap();
    assert_eq!(difference.step, 12);
    assert_eq!(difference.body.as_deref(), Some("body 3"));
    assert!(difference.to_string().contains("step 12") && difference.to_string().contains("\"body 3\""));
    assert!(world.body(a).is_ok());
}

#[test]
fn recordings_and_worlds_that_are_written_down_come_to_the_same_bits() {
    let (recording, world) = run();
    let text = serde_json::to_string(&recording).unwrap();
    let read: Recording = serde_json::from_str(&text).unwrap();
    assert_eq!(read.replay(|_, _| {}).unwrap(), None);
    assert_eq!(serde_json::to_string(&read).unwrap(), text);
    // The world at its end goes on as the one that is read.
    let mut world = world;
    let mut other: World = serde_json::from_str(&serde_json::to_string(&world).unwrap()).unwrap();
    for _ in 0..60 {
        world.step(STEP).unwrap();
        other.step(STEP).unwrap();
        assert!(world.fingerprint() == other.fingerprint());
    }
}

#[test]
fn the_size_of_a_recording_is_that_of_its_inputs() {
    let size = |count: u32| {
        let mut world = World::new(Settings { gravity: DVec3::ZERO, ..Settings::default() }).unwrap();
        let ball = Body::new(Sphere::new(DVec3::ZERO, 0.5).unwrap());
        for k in 0..count {
            let body = RigidBody::new("ball", ball.clone());
            world.add(RigidBody { position: at(2.0 * f64::from(k), 0.0, 0.0), ..body }).unwrap();
        }
        world.record();
        for _ in 0..50 {
            world.step(STEP).unwrap();
        }
        let value = serde_json::to_value(world.stop_recording().unwrap()).unwrap();
        value["frames"].to_string().len()
    };
    let (few, many) = (size(10), size(2000));
    assert!(many < few * 2 && few < 50 * 700, "{few} {many}");
}

#[test]
fn instances_of_a_shape_are_written_once() {
    let mut world = World::new(Settings::default()).unwrap();
    let mesh = Body::new(Mesh::from_aabb(Cuboid::new(DVec3::ONE).unwrap().aabb()));
    for k in 0..40 {
        let body = RigidBody::new("block", mesh.clone());
        world.add(RigidBody { position: DVec3::X * 3.0 * f64::from(k), ..body }).unwrap();
    }
    let value = serde_json::to_value(&world).unwrap();
    assert_eq!(value["shapes"].as_array().unwrap().len(), 1);
}

#[test]
fn shapes_are_read_as_they_were_written() {
    for shape in shapes() {
        let text = serde_json::to_string(&shape).unwrap();
        let read: Shape = serde_json::from_str(&text).unwrap();
        assert_eq!(format!("{shape:?}"), format!("{read:?}"));
        let body: Body = serde_json::from_str(&serde_json::to_string(&Body::new(read)).unwrap()).unwrap();
        assert_eq!(serde_json::to_string(&body).unwrap(), text);
    }
}

#[test]
fn hulls_keep_the_order_of_their_faces() {
    let mut rng = Pcg64::seed_from_u64(77);
    for round in 0..300 {
        let flat = [1.0, 0.0, 1.0][round % 3];
        let size = 10.0_f64.powi(rng.random_range(-6..6));
        let far = if round % 2 == 0 { DVec3::ZERO } else { at(1e3, -7e2, 3e2) * size };
        let points: Vec<DVec3> = (0..rng.random_range(1..60))
            .map(|_| {
                let p: [f64; 3] = std::array::from_fn(|_| rng.random_range(-1.0..1.0));
                let p = DVec3::from_array(p);
                let p = if round % 5 == 0 { (p * 2.0).round() * 0.5 } else { p };
                far + at(p.x, p.y, p.z * flat) * size
            })
            .collect();
        let hull = convex_hull(&points).unwrap();
        let shape = Shape::from(hull.clone());
        let read: Shape = serde_json::from_str(&serde_json::to_string(&shape).unwrap()).unwrap();
        let Shape::Hull(read) = read else { panic!("no hull") };
        assert_eq!(*read, hull, "in round {round}");
    }
}

#[test]
fn what_is_no_shape_or_world_is_refused_with_a_reason() {
    let refused = |text: &str| serde_json::from_str::<Shape>(text).unwrap_err().to_string();
    assert!(refused(r#"{"cuboid":[1.0,-1.0,1.0]}"#).contains("positive"));
    assert!(refused(r#"{"sphere":{"center":[0,0,0],"radius":1e300}}"#).contains("1e90"));
    assert!(refused(r#"{"mesh":{"vertices":[[0,0,0]],"triangles":[[0,1,2]]}}"#).contains('1'));
    assert!(refused(r#"{"compound":[]}"#).contains("at least one"));
    assert!(refused(r#"{"cube":1}"#).contains("unknown variant"));
    let hull = r#"{"hull":{"vertices":[[0,0,0],[1,0,0],[0.5,0,0]],"sources":[0,1,2],"faces":[]}}"#;
    assert!(refused(hull).contains("corners"));
    // Faces that are none give the hull of the vertices.
    let hull =
        r#"{"hull":{"vertices":[[0,0,0],[1,0,0],[0,1,0],[0,0,1]],"sources":[0,1,2,3],"faces":[[0,9,1]]}}"#;
    let Shape::Hull(read) = serde_json::from_str(hull).unwrap() else { panic!("no hull") };
    assert_eq!(read.faces().len(), 4);

    let (world, _) = yard();
    let text = serde_json::to_value(&world).unwrap();
    let broken = |key: &str, value: serde_json::Value| {
        let mut text = text.clone();
        text[key] = value;
        serde_json::from_value::<World>(text).unwrap_err().to_string()
    };
    assert!(broken("shapes", serde_json::json!([])).contains("shape that is not there"));
    assert!(broken("bodies", serde_json::json!([])).contains("as many bodies"));
    let mut ruled = RigidBody::fixed("gate", Cuboid::new(DVec3::ONE).unwrap());
    ruled.contact_rule = Some(ContactRule::new(|_, _| true));
    let mut with_code = World::new(Settings::default()).unwrap();
    with_code.add(ruled).unwrap();
    assert!(serde_json::to_string(&with_code).is_err());
}
