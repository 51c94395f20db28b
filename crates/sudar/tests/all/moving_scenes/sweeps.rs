//! What a moving body meets first in a scene, against a sweep of every object by itself.

use sudar::broad::{self, Handle};
use sudar::dynamics::{RigidBody, Settings, World};
use sudar::effort::Budget;
use sudar::glam::DVec3;
use sudar::many::{CollisionManager, Filter, Object};
use sudar::motion::Motion;
use sudar::query::{Body, Sweep, SweepOptions, cast_shape, sweep};
use sudar::{Capsule, Cuboid, Halfspace, Pose, Sphere};
use sudar_testing::Random;
use sudar_testing::zoo::zoo;

use crate::sweeps::motions::{KINDS, motion};

/// All shapes in a cube of that half side.
fn scene(algorithm: &str, count: usize, far: f64, rng: &mut Random) -> (CollisionManager, Vec<Handle>) {
    let mut scene = CollisionManager::with_broad_phase(0.0, broad::by_name(algorithm).unwrap()).unwrap();
    let zoo: Vec<_> = zoo().into_iter().filter(|(name, _)| *name != "halfspace").collect();
    let handles = (0..count).map(|i| {
        let (name, body) = &zoo[i % zoo.len()];
        let object = Object::new(*name, body.clone(), rng.any_pose(far));
        let object = if i % 3 == 0 { object.fixed() } else { object };
        scene.insert(if i % 7 == 3 { object.filtered(Filter::new(2, 1)) } else { object }).unwrap()
    });
    let handles = handles.collect();
    (scene, handles)
}

#[test]
fn the_first_object_met_is_the_first_of_all() {
    let mut rng = Random::new(12);
    let (mut hits, mut free, mut contacts) = (0, 0, 0);
    for algorithm in ["auto", "bvh", "brute"] {
        let (mut scene, handles) = scene(algorithm, 45, 7.0, &mut rng);
        for (case, (_, body)) in zoo().into_iter().cycle().take(60).enumerate() {
            if case == 20 {
                scene.step();
            }
            let way = motion(&mut rng, KINDS[case % 5]).faster([1.0, 3.0, 8.0][case % 3]);
            let filter = if case % 4 == 0 { Filter::new(1, 1) } else { Filter::ALL };
            let options = SweepOptions::within(1e-7).apart_by(if case % 5 == 0 { 0.2 } else { 0.0 });
            let found = scene.sweep(body.moving(&way), filter, &options);
            let all = handles.iter().filter_map(|handle| {
                let object = scene.object(*handle).unwrap();
                let accepts =
                    object.filter.category & filter.mask != 0 && filter.category & object.filter.mask != 0;
                let told = accepts.then(|| {
                    sweep(body.moving(&way), object.body.moving(&Motion::still(&object.pose)), &options)
                })?;
                (told != Sweep::Free).then_some((told.free_until(), *handle))
            });
            let first = all.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            match (found, first) {
                (None, None) => free += 1,
                (Some(found), Some((time, handle))) => {
                    let seen = found.1.free_until();
                    assert!((seen - time).abs() < 1e-6, "{case}: {found:?} {time}");
                    assert!(found.0 == handle || seen > 0.0, "{case}: {found:?} {handle:?}");
                    hits += u32::from(time > 0.0);
                    contacts += u32::from(time == 0.0);
                }
                (found, first) => panic!("{case}: {found:?} {first:?}"),
            }
        }
    }
    println!("{hits} hits, {contacts} contacts at the start, {free} free");
    assert!(hits > 40 && free > 40 && contacts > 10);
}

#[test]
fn of_objects_met_at_the_same_time_the_first_is_named() {
    let mut scene = CollisionManager::default();
    let plate = Body::new(Cuboid::new(DVec3::new(0.1, 1.0, 1.0)).unwrap());
    let at = |x: f64, y: f64| Pose::from_translation(DVec3::new(x, y, 0.0)).unwrap();
    // The later ones have larger boxes, which are entered earlier.
    let handles =
        [0.0, 0.5, 0.25].map(|y| scene.insert(Object::new("plate", plate.clone(), at(5.0, y))).unwrap());
    let ball = Body::new(Sphere::new(DVec3::ZERO, 0.5).unwrap());
    let way = Motion::linear(&Pose::IDENTITY, DVec3::X * 100.0).unwrap();
    let ask = |scene: &CollisionManager| {
        scene.sweep(ball.moving(&way), Filter::ALL, &SweepOptions::within(1e-9)).unwrap()
    };
    let found = ask(&scene);
    assert_eq!(found.0, handles[0]);
    assert!(found.1.impact().unwrap().time.contains(0.044));
    scene.remove(handles[0]).unwrap();
    assert_eq!(ask(&scene).0, handles[1]);
}

#[test]
fn a_half_space_bounds_every_way_and_a_budget_is_no_freedom() {
    let mut scene = CollisionManager::default();
    let floor = Body::new(Halfspace::new(DVec3::Z, 0.0).unwrap());
    let floor = scene.insert(Object::new("floor", floor, Pose::IDENTITY)).unwrap();
    let table = Body::new(sudar_testing::meshes::cube(1.0));
    let table = scene.insert(Object::new("table", table, Pose::from_translation(DVec3::Z).unwrap())).unwrap();
    let player = Body::new(Capsule::new(0.3, 0.6).unwrap());
    let start = Pose::from_translation(DVec3::new(0.0, 0.0, 10.0)).unwrap();
    let down = |scene: &CollisionManager, x: f64| {
        let there = Pose::from_translation(start.translation() + DVec3::X * x).unwrap();
        scene.cast_shape(player.at(&there), -DVec3::Z, 100.0, Filter::ALL).unwrap()
    };
    let (object, hit) = down(&scene, 0.0).unwrap();
    assert!(object == table && hit.distance.contains(10.0 - 0.9 - 2.0), "{hit:?}");
    let (object, hit) = down(&scene, 5.0).unwrap();
    assert!(object == floor && hit.distance.contains(10.0 - 0.9), "{hit:?}");
    scene.set_budget(Budget::nodes(0));
    let (_, hit) = down(&scene, 5.0).unwrap();
    assert!(hit.distance.lower == 0.0 && hit.distance.upper == 100.0);
    assert!(scene.cast_shape(player.at(&start), DVec3::ZERO, 1.0, Filter::ALL).is_err());
}

#[test]
fn a_world_is_cast_through_as_its_bodies_are() {
    let mut rng = Random::new(3);
    let mut world = World::new(Settings::default()).unwrap();
    let mut placed = Vec::new();
    for i in 0..40 {
        let at = rng.point() * 8.0;
        let half = DVec3::splat(0.8) + rng.point() * 0.5;
        let body = RigidBody::new(format!("box {i}"), Cuboid::new(half).unwrap());
        let id = world.add(RigidBody { position: at, ..body }).unwrap();
        placed.push((id, Body::new(Cuboid::new(half).unwrap()), Pose::from_translation(at).unwrap()));
    }
    let player = Body::new(Capsule::new(0.3, 0.6).unwrap());
    let mut hits = 0;
    for _ in 0..100 {
        let (start, direction) = (rng.any_pose(10.0), rng.point());
        let found = world.cast_shape(player.at(&start), direction, 20.0, Filter::ALL).unwrap();
        let all = placed.iter().filter_map(|(id, body, pose)| {
            Some((*id, cast_shape(player.at(&start), direction, 20.0, body.at(pose)).unwrap()?))
        });
        let first = all.min_by(|a, b| a.1.distance.lower.total_cmp(&b.1.distance.lower));
        assert_eq!(found.is_some(), first.is_some());
        if let (Some((id, hit)), Some((first, expected))) = (found, first) {
            hits += 1;
            assert!((hit.distance.lower - expected.distance.lower).abs() < 1e-6 && id == first);
        }
    }
    assert!(hits > 20, "{hits}");
}
