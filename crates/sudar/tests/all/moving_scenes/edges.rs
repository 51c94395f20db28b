//! What scenes refuse, ignore and forget, and scenes on which things go wrong.

use rand::RngExt;
use sudar::broad::{Handle, Region};
use sudar::glam::DVec3;
use sudar::many::{Among, CollisionManager, Filter, Object, SceneError};
use sudar::query::Body;
use sudar::{Aabb, Capsule, Cuboid, Halfspace, Mesh, Pose, Sphere, Triangle};

use sudar::broad;
use sudar_testing::Random;

use super::brute_force::Plain;

fn cube() -> Body {
    Body::new(Cuboid::new(DVec3::splat(0.5)).unwrap())
}

fn at(x: f64) -> Pose {
    Pose::from_translation(DVec3::X * x).unwrap()
}

fn row(xs: &[f64]) -> (CollisionManager, Vec<Handle>) {
    let mut scene = CollisionManager::default();
    let object = |(i, x): (usize, &f64)| Object::new(format!("cube {i}"), cube(), at(*x));
    let handles = scene.insert_all(xs.iter().enumerate().map(object).collect()).unwrap();
    (scene, handles)
}

/// A pose whose translation is not a number: products of poses are not checked.
fn broken_pose() -> Pose {
    let far = Pose::from_translation(DVec3::splat(9e89)).unwrap();
    let beyond = (0..900).fold(far, |pose, _| pose.after(&pose));
    assert!(!beyond.translation().is_finite());
    beyond
}

#[test]
fn what_is_refused_is_named_and_changes_nothing() {
    let (mut scene, handles) = row(&[0.0, 0.5, 9.0]);
    let before = scene.step();
    let named = |name: &str| SceneError::NotANumber { name: name.to_owned() };
    assert_eq!(scene.set_pose(handles[1], broken_pose()), Err(named("cube 1")));
    assert_eq!(scene.set_poses(&handles, &[at(5.0), at(6.0), broken_pose()]), Err(named("cube 2")));
    assert_eq!(scene.set_poses(&handles, &[at(5.0)]), Err(SceneError::Lengths { handles: 3, poses: 1 }));
    let nan = Aabb { min: DVec3::ZERO, max: DVec3::new(1.0, f64::NAN, 1.0) };
    assert_eq!(scene.set_pose_with_bounds(handles[0], at(4.0), &nan), Err(named("cube 0")));
    let inverted = Aabb { min: DVec3::ONE, max: DVec3::new(2.0, 0.5, 2.0) };
    let refused = scene.set_pose_with_bounds(handles[0], at(4.0), &inverted);
    assert_eq!(refused, Err(SceneError::Inverted { name: "cube 0".to_owned(), axis: 1 }));
    assert!(refused.unwrap_err().to_string().contains("'cube 0'"));
    assert_eq!(scene.insert(Object::new("lost", cube(), broken_pose())), Err(named("lost")));
    let wide = |margin| Object { margin, ..Object::new("wide", cube(), at(0.0)) };
    assert!(matches!(scene.insert(wide(f64::NAN)), Err(SceneError::Margin { name, .. }) if name == "wide"));
    assert!(scene.insert_all(vec![wide(0.0), wide(-1.0)]).is_err());
    assert!(matches!(
        scene.insert_group(vec![wide(0.0), wide(0.0)], &[[0, 2]]),
        Err(SceneError::NoSuchLink { pair: [0, 2], links: 2 })
    ));
    for value in [f64::NAN, f64::INFINITY, -1.0] {
        assert!(CollisionManager::new(value).is_err() && scene.within(Among::All, value).is_err());
    }
    for region in [Region::Box(nan), Region::Box(inverted), Region::Point(DVec3::NAN)] {
        assert_eq!(scene.query_region(&region, Filter::ALL), Err(SceneError::Region));
    }
    let after = scene.step();
    assert_eq!((after.stayed, after.began.len(), after.ended.len()), (before.began, 0, 0));
    assert_eq!((scene.len(), scene.object(handles[0]).unwrap().pose), (3, at(0.0)));
}

#[test]
fn handles_that_were_removed_are_refused() {
    let (mut scene, handles) = row(&[0.0, 0.5]);
    scene.step();
    assert_eq!(scene.remove(handles[0]).unwrap().name, "cube 0");
    let unknown = Err(SceneError::Unknown { handle: handles[0] });
    assert_eq!(scene.set_pose(handles[0], at(1.0)), unknown);
    assert_eq!(scene.replace(handles[0], cube()), unknown);
    assert_eq!(scene.ignore(handles[1], handles[0]), unknown);
    assert_eq!(scene.set_filter(handles[0], Filter::NONE), unknown);
    assert!(scene.object(handles[0]).is_err() && scene.remove(handles[0]).is_err());
    // One put in its place is another object: the old pair ends, the new one begins.
    assert_eq!(scene.step().ended, [[handles[0], handles[1]]]);
    let new = scene.insert(Object::new("new", cube(), at(0.0))).unwrap();
    assert_eq!((new.index(), new.generation()), (handles[0].index(), 1));
    assert_eq!(scene.step().began, [[new, handles[1]]]);
    assert_eq!((scene.find("new"), scene.find("cube 0")), (Some(new), None));
}

#[test]
fn a_removed_object_put_back_between_two_steps_is_another() {
    let (mut scene, handles) = row(&[0.0, 0.5]);
    scene.step();
    scene.remove(handles[0]).unwrap();
    // A query in between frees the number.
    assert!(scene.collisions(Among::All).found.is_empty());
    let new = scene.insert(Object::new("new", cube(), at(0.0))).unwrap();
    assert_eq!(new.index(), handles[0].index());
    let events = scene.step();
    assert_eq!(events.ended, [[handles[0], handles[1]]]);
    assert_eq!(events.began, [[new, handles[1]]]);
}

#[test]
fn static_filtered_and_ignored_pairs_are_none() {
    let (mut scene, handles) = row(&[0.0, 0.1, 0.2, 0.3]);
    assert_eq!(scene.candidates().len(), 6);
    scene.ignore(handles[0], handles[1]).unwrap();
    scene.set_filter(handles[2], Filter::new(4, !1)).unwrap();
    assert_eq!(scene.candidates(), [[handles[0], handles[3]], [handles[1], handles[3]]]);
    assert_eq!(scene.step().began.len(), 2);
    scene.set_filter(handles[2], Filter::ALL).unwrap();
    scene.unignore(handles[1], handles[0]).unwrap();
    assert_eq!(scene.step().began.len(), 4);
    // What is ignored ends, though nothing moved.
    scene.ignore(handles[2], handles[3]).unwrap();
    assert_eq!(scene.step().ended, [[handles[2], handles[3]]]);
    let fixed = |name: &str| Object::new(name, cube(), at(0.0)).fixed();
    let walls = scene.insert_all(vec![fixed("wall"), fixed("floor")]).unwrap();
    assert!(!scene.candidates().contains(&[walls[0], walls[1]]));
    assert!(scene.within(Among::Object(walls[0]), 9.0).unwrap().found.len() == 4);
    assert_eq!(scene.nearest(Among::Object(walls[1])).found.unwrap().pair, [handles[0], walls[1]]);
}

#[test]
fn groups_ignore_their_listed_pairs_and_what_touches_now() {
    let mut scene = CollisionManager::default();
    let links = |y: f64| -> Vec<Object> {
        let place = |i| Pose::from_translation(DVec3::new(0.8 * f64::from(i), y, 0.0)).unwrap();
        (0..4).map(|i| Object::new(format!("link {i}"), cube(), place(i))).collect()
    };
    let left = scene.insert_group(links(0.0), &[[0, 1], [2, 1]]).unwrap();
    let right = scene.insert_group(links(0.5), &[]).unwrap();
    let [a, b] = [left, right].map(|group| scene.group(group).unwrap().to_vec());
    let inner = scene.collisions(Among::Between(left, left)).found;
    assert_eq!(inner.iter().map(|c| c.pair).collect::<Vec<_>>(), [[a[2], a[3]]]);
    // Each link touches its opposite and the neighbours of that: 4 + 2·3 pairs.
    assert_eq!(scene.collisions(Among::Between(right, left)).found.len(), 10);
    assert_eq!(scene.collisions(Among::Group(right)).found.len(), 13);
    let ignored = scene.ignore_touching(Among::Group(right));
    assert_eq!((ignored.found.len(), ignored.is_complete()), (13, true));
    assert_eq!(scene.step().began, [[a[2], a[3]]]);
    assert_eq!(scene.first_collision(Among::Between(left, right)).found, None);
    // Moved on by two places, link 0 is where link 2 of the other is; with link 1, 0.8 away, it is ignored.
    let poses: Vec<Pose> = links(0.5).iter().map(|link| at(1.6).after(&link.pose)).collect();
    scene.set_group_poses(right, &poses).unwrap();
    let first = scene.first_collision(Among::Between(left, right));
    assert_eq!((first.found, first.complete), (Some([a[2], b[0]]), true));
    assert_eq!(scene.remove_group(right).unwrap().len(), 4);
    assert!(scene.set_group_poses(right, &poses).is_err() && scene.len() == 4);
}

#[test]
fn a_scene_without_objects_or_pairs_answers_so() {
    let mut scene = CollisionManager::default();
    for objects in 0..2 {
        assert!(scene.step().began.is_empty() && scene.candidates().is_empty());
        assert_eq!(scene.nearest(Among::All).found, None);
        assert!(scene.within(Among::All, 3.0).unwrap().found.is_empty());
        let found = scene.nearest_to(cube().at(&at(3.0)), Filter::ALL).found;
        assert_eq!(found.map(|near| near.distance.interval.contains(2.0)), (objects > 0).then_some(true));
        scene.insert(Object::new("one", cube(), at(0.0))).unwrap();
    }
}

#[test]
fn boxes_wider_than_the_body_make_candidates() {
    let (mut scene, handles) = row(&[0.0, 3.0]);
    assert!(scene.candidates().is_empty());
    // Where it is on its way.
    let way = Aabb { min: DVec3::splat(-0.5), max: DVec3::new(2.6, 0.5, 0.5) };
    scene.set_pose_with_bounds(handles[0], at(0.0), &way).unwrap();
    assert_eq!(scene.candidates(), [[handles[0], handles[1]]]);
    assert!(scene.step().began.is_empty());
    scene.set_pose(handles[0], at(0.0)).unwrap();
    assert!(scene.candidates().is_empty());
    let wide = scene.insert(Object { margin: 2.1, ..Object::new("wide", cube(), at(-3.0)) }).unwrap();
    assert_eq!(scene.candidates(), [[handles[0], wide]]);
}

/// Scenes on which boxes, poses or bodies are extreme.
fn extreme_scenes() -> Vec<(&'static str, Vec<Object>)> {
    let mut rng = Random::new(3);
    let mut scenes = Vec::new();
    let mut scene = |name, objects: Vec<(Body, Pose)>| {
        let named =
            objects.into_iter().enumerate().map(|(i, (body, pose))| Object::new(format!("{i}"), body, pose));
        scenes.push((name, named.collect()));
    };
    let rod = Body::new(Cuboid::new(DVec3::new(2.0, 1e-7, 1e-7)).unwrap());
    let flat = Triangle::new(DVec3::ZERO, DVec3::X, DVec3::Y).unwrap();
    scene("slender", (0..24).map(|_| (rod.clone(), rng.any_pose(1e-7))).collect());
    let grid = |rng: &mut Random| {
        let mut one = || f64::from(rng.random_range(0..5)) * 0.5;
        Pose::from_translation(DVec3::new(one(), one(), 0.0)).unwrap()
    };
    scene("coplanar", (0..24).map(|_| (Body::new(flat), grid(&mut rng))).collect());
    let pyramid = Body::new(Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::ONE }));
    scene("repeated", vec![(pyramid, at(2.0)); 12]);
    for (name, size) in [("huge", 1e80), ("tiny", 1e-80)] {
        let bodies = [
            Body::new(Cuboid::new(DVec3::splat(0.7 * size)).unwrap()),
            Body::new(Sphere::new(DVec3::ZERO, 0.8 * size).unwrap()),
            Body::new(Capsule::new(0.3 * size, 0.6 * size).unwrap()),
            Body::new(Mesh::from_triangle(
                Triangle::new(DVec3::ZERO, DVec3::X * size, DVec3::Y * size).unwrap(),
            )),
        ];
        let place = |rng: &mut Random| Pose::from_translation(rng.point() * (2.0 * size)).unwrap();
        scene(name, (0..24).map(|i| (bodies[i % 4].clone(), place(&mut rng))).collect());
    }
    let mut sizes: Vec<(Body, Pose)> = [1e-6, 1e-3, 1.0, 1e3, 1e6]
        .into_iter()
        .cycle()
        .take(30)
        .map(|size| (Body::new(Sphere::new(DVec3::ZERO, size).unwrap()), rng.any_pose(3.0)))
        .collect();
    sizes.push((Body::new(Halfspace::new(DVec3::Z, -2.0).unwrap()), Pose::IDENTITY));
    scene("all sizes and a half-space", sizes);
    scenes
}

#[test]
fn extreme_scenes_are_as_brute_force_says() {
    for (name, objects) in extreme_scenes() {
        for algorithm in broad::NAMES {
            let mut scene =
                CollisionManager::with_broad_phase(0.0, broad::by_name(algorithm).unwrap()).unwrap();
            let mut plain = Plain::default();
            for object in &objects {
                let handle = scene.insert(object.clone()).unwrap();
                plain.objects.insert(handle, object.clone());
            }
            let [began, ..] = plain.step(0.0);
            assert_eq!(scene.step().began, began, "{name}, {algorithm:?}");
            assert!(!began.is_empty(), "{name}");
            let size = if name == "huge" {
                1e80
            } else if name == "tiny" {
                1e-80
            } else {
                1.0
            };
            let near = scene.within(Among::All, 0.25 * size).unwrap();
            let found: Vec<_> = near.found.iter().map(|n| n.pair).collect();
            assert_eq!(found, plain.within(0.25 * size), "{name}, {algorithm:?}");
            let nearest = scene.nearest(Among::All).found.unwrap();
            assert_eq!((nearest.pair, nearest.distance.interval.upper), (began[0], 0.0), "{name}");
        }
    }
}

#[test]
fn of_pairs_equally_near_the_first_is_given() {
    // Two pairs with a gap of one half, as far from the origin.
    let mut scene = CollisionManager::default();
    let place = |[x, y]: [f64; 2]| Pose::from_translation(DVec3::new(x, y, 0.0)).unwrap();
    let places = [[0.75, 5.0], [0.75, -5.0], [-0.75, -5.0], [-0.75, 5.0]].map(place);
    let objects = places.map(|pose| Object::new("cube", cube(), pose)).to_vec();
    let handles = scene.insert_all(objects).unwrap();
    let nearest = scene.nearest(Among::All).found.unwrap();
    assert_eq!((nearest.pair, nearest.distance.interval.contains(0.5)), ([handles[0], handles[3]], true));
}
