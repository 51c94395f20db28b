//! Worlds and managers whose settings change on the way, what they report and draw, and that they can be shared.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use sudar::dynamics::{
    Bounds, DebugColor, DebugDraw, DynamicsError, Handle, RigidBody, Settings, StepReport, World,
};
use sudar::glam::DVec3;
use sudar::many::{Among, CollisionManager, Object, SceneError};
use sudar::query::Body;
use sudar::{Cuboid, Halfspace, Pose, Sphere};

const STEP: f64 = 1.0 / 64.0;

fn ball(position: DVec3, velocity: DVec3) -> RigidBody {
    RigidBody { position, velocity, ..RigidBody::new("ball", Sphere::new(DVec3::ZERO, 0.5).unwrap()) }
}

fn room(half: f64) -> Option<Bounds> {
    Some(Bounds { min: DVec3::splat(-half), max: DVec3::splat(half) })
}

fn steps(world: &mut World, count: usize) -> StepReport {
    (1..count).for_each(|_| drop(world.step(STEP).unwrap()));
    world.step(STEP).unwrap()
}

fn cube() -> Body {
    Body::new(Cuboid::new(DVec3::splat(0.5)).unwrap())
}

/// Cubes of side 1 in a row, with gaps of 0.3.
fn row(count: usize) -> (CollisionManager, Vec<Handle>) {
    let mut scene = CollisionManager::default();
    let at = |i: usize| Pose::from_translation(DVec3::X * (1.3 * i as f64)).unwrap();
    let objects = (0..count).map(|i| Object::new(format!("cube {i}"), cube(), at(i))).collect();
    let handles = scene.insert_all(objects).unwrap();
    (scene, handles)
}

#[test]
fn worlds_and_managers_can_be_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<World>();
    shared::<CollisionManager>();
    shared::<StepReport>();
}

#[test]
fn a_new_gravity_holds_from_the_next_step_on() {
    let mut world = World::new(Settings::default()).unwrap();
    let flying = world.add(ball(DVec3::new(3.0, -2.0, 50.0), DVec3::X)).unwrap();
    steps(&mut world, 64);
    let before = world.motion(flying).unwrap();
    let gravity = DVec3::new(0.0, 2.0, 0.5);
    world.set_settings(Settings { gravity, ..world.settings().clone() }).unwrap();
    steps(&mut world, 128);
    let (after, seconds) = (world.motion(flying).unwrap(), 2.0);
    assert!((after.velocity - before.velocity - gravity * seconds).length() < 1e-12);
    let way = before.velocity * seconds + gravity * (0.5 * seconds * seconds);
    assert!((after.center - before.center - way).length() < 1e-11);
}

#[test]
fn a_room_that_is_too_small_is_refused_and_nothing_changes() {
    let mut world = World::new(Settings { bounds: room(4.0), ..Settings::default() }).unwrap();
    let inside = world.add(ball(DVec3::X * 2.5, DVec3::X * 7.0)).unwrap();
    let mut same = world.clone();
    for bounds in [room(2.0), Some(Bounds { min: DVec3::ONE, max: DVec3::ZERO })] {
        let settings = Settings { bounds, gravity: DVec3::ZERO, ..Settings::default() };
        assert!(world.set_settings(settings).is_err());
    }
    let refused = world.set_settings(Settings { bounds: room(2.0), ..Settings::default() });
    assert!(matches!(refused, Err(DynamicsError::Body { body, .. }) if body == "ball"));
    assert_eq!(world.settings().bounds, room(4.0));
    assert_eq!(world.settings().gravity, Settings::default().gravity);
    assert_eq!(steps(&mut world, 100), steps(&mut same, 100));
    assert_eq!(world.motion(inside).unwrap(), same.motion(inside).unwrap());
}

#[test]
fn new_walls_hold_and_old_ones_are_gone() {
    let settings = Settings { bounds: room(4.0), gravity: DVec3::ZERO, ..Settings::default() };
    let mut world = World::new(settings.clone()).unwrap();
    let bouncing = world.add(RigidBody { restitution: 1.0, ..ball(DVec3::ZERO, DVec3::X * 50.0) }).unwrap();
    let farthest = |world: &mut World| {
        let places = (0..200).map(|_| {
            steps(world, 1);
            world.motion(bouncing).unwrap().center.x.abs()
        });
        places.fold(0.0, f64::max)
    };
    assert!((2.5..=3.5 + 1e-9).contains(&farthest(&mut world)));
    for half in [6.0, 9.0, 5.0] {
        let center = world.motion(bouncing).unwrap().center.x;
        if center.abs() > half - 0.5 {
            continue;
        }
        world.set_settings(Settings { bounds: room(half), ..settings.clone() }).unwrap();
        assert!((half - 1.5..=half - 0.5 + 1e-9).contains(&farthest(&mut world)), "{half}");
    }
    world.set_settings(Settings { bounds: None, ..settings }).unwrap();
    assert!(farthest(&mut world) > 100.0);
}

#[test]
fn sleepers_wake_when_settings_change() {
    let mut world = World::new(Settings::default()).unwrap();
    let floor = RigidBody::fixed("floor", Halfspace::new(DVec3::Z, 0.0).unwrap());
    world.add(RigidBody { friction: 0.1, ..floor }).unwrap();
    let cube = RigidBody::new("cube", Cuboid::new(DVec3::splat(0.5)).unwrap());
    let resting = world.add(RigidBody { position: DVec3::Z * 0.5, friction: 0.1, ..cube }).unwrap();
    steps(&mut world, 200);
    assert!(world.is_asleep(resting).unwrap());
    world.set_settings(Settings { gravity: DVec3::new(5.0, 0.0, -9.81), ..Settings::default() }).unwrap();
    assert!(!world.is_asleep(resting).unwrap());
    steps(&mut world, 64);
    // Down a slope in effect: driven by 5 m/s², held back by a tenth of the normal force.
    assert!((world.motion(resting).unwrap().velocity.x - (5.0 - 0.981)).abs() < 0.05);
}

/// A row of cubes of different weights side by side and a plank across two of them.
#[test]
fn touch_points_carry_what_stands_on_them() {
    let mut world = World::new(Settings { sleeps: false, ..Settings::default() }).unwrap();
    let floor = world.add(RigidBody::fixed("floor", Halfspace::new(DVec3::Z, 0.0).unwrap())).unwrap();
    let solid = |name: &str, half: DVec3, position: DVec3| {
        let body = RigidBody::new(name, Cuboid::new(half).unwrap());
        RigidBody { position, ..body }
    };
    let halves = DVec3::splat(0.5);
    let near = world.add(solid("near", halves, DVec3::new(10.0, 3.0, 0.5))).unwrap();
    let plank = world.add(solid("plank", DVec3::new(2.0, 0.5, 0.1), DVec3::new(11.0, 3.0, 1.1))).unwrap();
    let far = world.add(solid("far", halves, DVec3::new(12.0, 3.0, 0.5))).unwrap();
    let report = steps(&mut world, 256);
    let pressed = |a: Handle, b: Handle| {
        let touch = report.touches.iter().find(|touch| [touch.a, touch.b] == [Some(a), Some(b)]).unwrap();
        let points = report.points(touch);
        let sum: f64 = points.iter().map(|point| point.impulse).sum();
        assert!(points.len() == 4 && (sum - touch.impulse).abs() <= 1e-9 * sum, "{points:?}");
        assert!(points.iter().all(|point| point.normal.z.abs() > 1.0 - 1e-9));
        sum / (9.81 * STEP)
    };
    // Cubes of 1000 kg and a plank of 4·1·0.2 m³, whose halves rest on one cube each.
    assert!((pressed(floor, near) - 1400.0).abs() < 5.0 && (pressed(floor, far) - 1400.0).abs() < 5.0);
    assert!((pressed(near, plank) - 400.0).abs() < 5.0 && (pressed(plank, far) - 400.0).abs() < 5.0);
    assert!(report.touches.is_sorted_by_key(|touch| (touch.a, touch.b)));
}

#[test]
fn a_clearance_may_change_and_a_bad_one_changes_nothing() {
    let (mut scene, handles) = row(3);
    let pairs = [[handles[0], handles[1]], [handles[1], handles[2]]];
    assert!(scene.step().began.is_empty());
    scene.set_clearance(0.31).unwrap();
    assert_eq!(scene.step().began, pairs);
    for bad in [-1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(scene.set_clearance(bad), Err(SceneError::Clearance { .. })));
    }
    assert_eq!((scene.clearance(), scene.step().ended.len()), (0.31, 0));
    assert_eq!(scene.collisions(Among::All).found.len(), 2);
    scene.set_clearance(0.29).unwrap();
    assert_eq!(scene.step().ended, pairs);
}

#[test]
fn progress_counts_every_pair() {
    let (mut scene, _) = row(20);
    scene.set_clearance(0.31).unwrap();
    let (calls, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let counters = (Arc::clone(&calls), Arc::clone(&most));
    scene.set_progress(Some(Arc::new(move |done| {
        counters.0.fetch_add(1, Ordering::Relaxed);
        counters.1.fetch_max(done, Ordering::Relaxed);
    })));
    assert_eq!(scene.collisions(Among::All).found.len(), 19);
    let candidates = scene.candidates().len();
    assert_eq!((calls.load(Ordering::Relaxed), most.load(Ordering::Relaxed)), (candidates, candidates));
    scene.set_progress(None);
    scene.collisions(Among::All);
    assert_eq!(calls.load(Ordering::Relaxed), candidates);
}

/// What was drawn.
#[derive(Default)]
struct Drawn {
    lines: Vec<[DVec3; 2]>,
    points: Vec<DVec3>,
    texts: Vec<(String, DebugColor)>,
}

impl DebugDraw for Drawn {
    fn line(&mut self, from: DVec3, to: DVec3, _: DebugColor) {
        self.lines.push([from, to]);
    }

    fn point(&mut self, at: DVec3, _: DebugColor) {
        self.points.push(at);
    }

    fn text(&mut self, _: DVec3, text: &str, color: DebugColor) {
        self.texts.push((text.to_owned(), color));
    }
}

#[test]
fn a_manager_draws_its_boxes_names_and_what_is_together() {
    let (mut scene, handles) = row(3);
    scene.set_pose(handles[1], Pose::from_translation(DVec3::X).unwrap()).unwrap();
    let wall = Object::new("wall", Body::new(Halfspace::new(DVec3::Z, -9.0).unwrap()), Pose::IDENTITY);
    scene.insert(wall.fixed()).unwrap();
    scene.step();
    let mut drawn = Drawn::default();
    scene.draw(&mut drawn);
    // Twelve edges each of length 1; the half-space has no box.
    assert_eq!(drawn.lines.len(), 36);
    assert!(drawn.lines.iter().all(|[from, to]| (from.distance(*to) - 1.0).abs() < 1e-12));
    let colors = [DebugColor::Contact, DebugColor::Contact, DebugColor::Moving, DebugColor::Static];
    let names = ["cube 0", "cube 1", "cube 2", "wall"];
    let expected: Vec<_> = names.iter().map(|&name| name.to_owned()).zip(colors).collect();
    assert_eq!(drawn.texts, expected);
}

#[test]
fn a_report_draws_its_touch_points_and_impulses() {
    let mut world = World::new(Settings::default()).unwrap();
    world.add(RigidBody::fixed("floor", Halfspace::new(DVec3::Z, 0.0).unwrap())).unwrap();
    let cube = RigidBody::new("cube", Cuboid::new(DVec3::splat(0.5)).unwrap());
    world.add(RigidBody { position: DVec3::new(7.0, -4.0, 0.5), ..cube }).unwrap();
    let report = steps(&mut world, 30);
    let mut drawn = Drawn::default();
    report.draw(&mut drawn, 100.0);
    assert_eq!((drawn.points.len(), drawn.lines.len()), (4, 4));
    let offset = |p: &DVec3| (*p - DVec3::new(7.0, -4.0, 0.0)).abs();
    assert!(drawn.points.iter().all(|p| offset(p).distance(DVec3::new(0.5, 0.5, 0.0)) < 1e-3));
    let lengths: f64 = drawn.lines.iter().map(|[from, to]| from.distance(*to)).sum();
    assert!((100.0 * lengths - 9810.0 * STEP).abs() < 1.0, "{lengths}");
}
