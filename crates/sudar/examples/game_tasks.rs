//! Ten tasks that every game has, each in as few lines as they take.

use sudar::dynamics::{
    BodyType, Character, ContactRule, Filter, Joint, MassSpec, RigidBody, Settings, TouchPhase, World,
};
use sudar::query::Body;
use sudar::{Capsule, Cuboid, DVec3, Halfspace, Mesh, Pose, Ray, Sphere};

type Done<T = ()> = Result<T, Box<dyn std::error::Error>>;

const STEP: f64 = 1.0 / 60.0;

fn at(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

fn block(name: &str, half: DVec3) -> Done<RigidBody> {
    Ok(RigidBody::new(name, Cuboid::new(half)?))
}

fn ball(name: &str, radius: f64) -> Done<RigidBody> {
    Ok(RigidBody::new(name, Sphere::new(DVec3::ZERO, radius)?))
}

fn fixed(body: RigidBody) -> RigidBody {
    RigidBody { kind: BodyType::Static, ..body }
}

fn world() -> Done<World> {
    let mut world = World::new(Settings::default())?;
    world.add(RigidBody::fixed("floor", Halfspace::new(DVec3::Z, 0.0)?))?;
    Ok(world)
}

fn run(world: &mut World, steps: u32) -> Done {
    (0..steps).try_for_each(|_| world.step(STEP).map(|_| ()))?;
    Ok(())
}

/// A pile of crates that comes to rest.
fn pile() -> Done {
    let mut world = world()?;
    let crate_ = block("crate", DVec3::splat(0.25))?;
    let mut all = Vec::new();
    for k in 0..40 {
        let [x, y, z] = [k % 4, k / 4 % 2, k / 8].map(f64::from);
        all.push(world.add(RigidBody { position: at(0.6 * x, 0.6 * y, 0.3 + 0.6 * z), ..crate_.clone() })?);
    }
    run(&mut world, 600)?;
    assert!(all.iter().all(|body| world.is_asleep(*body) == Ok(true)));
    Ok(())
}

/// A shot through a wall of bricks, and how loud it is.
fn wall() -> Done {
    let mut world = world()?;
    for k in 0..30 {
        let (row, column) = (f64::from(k / 6), f64::from(k % 6));
        let position = at(0.4 * column, 0.0, 0.1 + 0.2 * row);
        world.add(RigidBody { position, ..block("brick", at(0.2, 0.1, 0.1))? })?;
    }
    let shot = RigidBody { position: at(1.0, -5.0, 0.5), velocity: DVec3::Y * 60.0, ..ball("shot", 0.15)? };
    let shot = world.add(RigidBody { matter: MassSpec::Mass(20.0), ..shot })?;
    let mut loudest: f64 = 0.0;
    for _ in 0..60 {
        let report = world.step(STEP)?;
        let own = report.touches.iter().filter(|touch| touch.a == Some(shot) || touch.b == Some(shot));
        loudest = own.map(|touch| touch.impulse).fold(loudest, f64::max);
    }
    assert!(loudest > 100.0 && world.motion(shot)?.center.y > 1.0);
    Ok(())
}

/// A character on stairs.
fn character() -> Done {
    let mut world = world()?;
    let (mut corners, mut triangles) = (Vec::new(), Vec::new());
    for k in 0..10_u32 {
        let (x, z) = (1.0 + 0.3 * f64::from(k), 0.2 * f64::from(k));
        for (x0, z0, x1, z1) in [(x, z, x, z + 0.2), (x, z + 0.2, x + 0.3, z + 0.2)] {
            let n = corners.len() as u32;
            corners.extend([at(x0, -2.0, z0), at(x1, -2.0, z1), at(x1, 2.0, z1), at(x0, 2.0, z0)]);
            triangles.extend([[n, n + 1, n + 2], [n, n + 2, n + 3]]);
        }
    }
    world.add(RigidBody::fixed("stairs", Mesh::new(corners, triangles)?))?;
    let mut hero = Character::new(Capsule::new(0.3, 0.6)?).at(at(-1.0, 0.0, 1.0));
    for _ in 0..120 {
        hero.walk(&mut world, DVec3::X * 2.3, STEP)?;
        world.step(STEP)?;
    }
    assert!(hero.is_grounded() && (hero.position().z - 0.9 - 1.8).abs() < 0.25);
    Ok(())
}

/// A trigger that even a bullet sets off.
fn trigger() -> Done {
    let mut world = world()?;
    let zone = RigidBody { sensor: true, position: DVec3::Z, ..fixed(block("zone", at(0.1, 1.0, 1.0))?) };
    let zone = world.add(zone)?;
    let bullet =
        RigidBody { position: at(-9.0, 0.0, 1.0), velocity: DVec3::X * 900.0, ..ball("bullet", 0.01)? };
    let bullet = world.add(bullet)?;
    let report = world.step(STEP)?;
    assert!(report.entered(zone).eq([bullet]) && report.left(zone).eq([bullet]));
    Ok(())
}

/// Debris that lies on the ground and in each other.
fn layers() -> Done {
    const DEBRIS: u32 = 2;
    let mut world = world()?;
    let debris = RigidBody { filter: Filter::new(DEBRIS, !DEBRIS), ..ball("debris", 0.3)? };
    let a = world.add(RigidBody { position: at(0.0, 0.0, 1.0), ..debris.clone() })?;
    let b = world.add(RigidBody { position: at(0.0, 0.0, 2.0), ..debris })?;
    run(&mut world, 120)?;
    assert!(world.motion(a)?.center.distance(world.motion(b)?.center) < 1e-3);
    Ok(())
}

/// A platform that lets through from below.
fn one_way() -> Done {
    let mut world = world()?;
    let shelf = RigidBody {
        contact_rule: Some(ContactRule::one_way(DVec3::Z)),
        ..block("shelf", at(1.0, 1.0, 0.05))?
    };
    world.add(RigidBody { position: DVec3::Z * 2.0, ..fixed(shelf) })?;
    let jumper = RigidBody { position: DVec3::Z * 0.3, velocity: DVec3::Z * 8.0, ..ball("jumper", 0.3)? };
    let jumper = world.add(jumper)?;
    run(&mut world, 180)?;
    assert!((world.motion(jumper)?.center.z - 2.35).abs() < 1e-3);
    Ok(())
}

/// Rays, shapes and the nearest body.
fn searches() -> Done {
    let mut world = world()?;
    let mut add = |x: f64| -> Done<_> {
        Ok(world.add(RigidBody { position: at(x, 0.0, 0.5), ..fixed(block("post", DVec3::splat(0.5))?) })?)
    };
    let [first, second] = [add(0.0)?, add(4.0)?];
    let ray = Ray::new(at(-5.0, 0.0, 0.5), DVec3::X)?;
    assert!(world.ray(&ray, 99.0, Filter::ALL).is_some_and(|(body, hit)| body == first && hit.t == 4.5));
    assert_eq!(world.ray_all(&ray, 99.0, Filter::ALL).len(), 2);
    let (probe, place) =
        (Body::new(Sphere::new(DVec3::ZERO, 0.4)?), Pose::from_translation(at(2.8, 0.0, 1.0))?);
    let nearest = world.nearest_to(probe.at(&place), 9.0, Filter::ALL).map(|(body, _)| body);
    assert_eq!(nearest, Some(second));
    let hit = world.cast_shape(probe.at(&place), -DVec3::X, 9.0, Filter::ALL)?;
    assert!(hit.is_some_and(|(body, hit)| body == first && (hit.distance.lower - 1.9).abs() < 1e-6));
    Ok(())
}

/// A lift with passengers.
fn lift() -> Done {
    let mut world = world()?;
    let lift = RigidBody {
        kind: BodyType::Kinematic,
        position: DVec3::Z * 0.2,
        ..block("lift", at(1.0, 1.0, 0.1))?
    };
    let lift = world.add(lift)?;
    let rider = world.add(RigidBody { position: DVec3::Z * 0.6, ..block("rider", DVec3::splat(0.3))? })?;
    for k in 1..=300 {
        let t = f64::from(k) * STEP;
        let goal = at(1.0 - t.cos(), 0.0, 1.2 - t.cos());
        world.move_to(lift, &Pose::from_translation(goal)?, STEP)?;
        world.step(STEP)?;
    }
    let there = world.motion(rider)?.center - world.motion(lift)?.center;
    assert!(there.distance(DVec3::Z * 0.4) < 0.02);
    Ok(())
}

/// What the mouse holds.
fn drag() -> Done {
    let mut world = world()?;
    let load = world.add(RigidBody { position: DVec3::Z * 0.5, ..block("load", DVec3::splat(0.5))? })?;
    let grabbed = at(0.3, -0.5, 0.8);
    let hand = world.join(Joint::drag(load, grabbed, 1e5))?;
    for k in 0..240 {
        world.joint_mut(hand)?.set_anchor(grabbed + DVec3::Z * (f64::from(k) * STEP).min(2.0))?;
        world.step(STEP)?;
    }
    assert!(world.motion(load)?.center.z > 1.5);
    Ok(())
}

/// A rope bridge.
fn bridge() -> Done {
    let mut world = world()?;
    let plank =
        RigidBody { matter: MassSpec::Mass(10.0), angular_drag: 0.5, ..block("plank", at(0.2, 0.5, 0.05))? };
    let mut before = None;
    let pivot = |k: u32| at(0.45 * f64::from(k) - 0.225, 0.0, 3.0);
    for k in 0..20 {
        let next = world.add(RigidBody { position: pivot(k) + DVec3::X * 0.225, ..plank.clone() })?;
        world.join(Joint::hinge(before, next, pivot(k), DVec3::Y))?;
        before = Some(next);
    }
    world.join(Joint::hinge(before, None, pivot(20), DVec3::Y))?;
    let mut gap: f64 = 0.0;
    for _ in 0..300 {
        gap = gap.max(world.step(STEP)?.gap);
    }
    assert!(gap < 1e-5);
    Ok(())
}

/// Sounds where things begin to touch, and a world that is put back.
fn sounds_and_rollback() -> Done {
    let mut world = world()?;
    let body = world.add(RigidBody { position: DVec3::Z * 3.0, ..block("crate", DVec3::splat(0.25))? })?;
    let start = world.snapshot();
    let thuds = |world: &mut World| -> Done<Vec<DVec3>> {
        let mut all = Vec::new();
        for _ in 0..120 {
            let report = world.step(STEP)?;
            let began = report.touches.iter().filter(|touch| touch.phase == TouchPhase::Began);
            all.extend(began.flat_map(|touch| report.points(touch)).map(|point| point.point));
        }
        Ok(all)
    };
    let once = thuds(&mut world)?;
    world.remove(body)?;
    world.restore(&start)?;
    assert!(!once.is_empty() && thuds(&mut world)? == once);
    Ok(())
}

/// Runs them all.
pub fn main() -> Done {
    pile()?;
    wall()?;
    character()?;
    trigger()?;
    layers()?;
    one_way()?;
    searches()?;
    lift()?;
    drag()?;
    bridge()?;
    sounds_and_rollback()
}
