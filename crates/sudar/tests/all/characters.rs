//! Characters that walk, against what the geometry of their level says.

use sudar::dynamics::{
    BodyState, BodyType, Character, ContactRule, Filter, RigidBody, Settings, Walk, World,
};
use sudar::query::{Body, distance};
use sudar::{Capsule, Cuboid, Cylinder, DQuat, DVec3, Halfspace, Mesh, Pose, Sphere};
use sudar_testing::Random;

const STEP: f64 = 1.0 / 60.0;
const SKIN: f64 = 0.01;

fn at(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

fn shapes() -> [Body; 4] {
    [
        Body::new(Capsule::new(0.3, 0.6).unwrap()),
        Body::new(Cylinder::new(0.3, 0.9).unwrap()),
        Body::new(Cuboid::new(at(0.3, 0.3, 0.9)).unwrap()),
        Body::new(Sphere::new(DVec3::ZERO, 0.9).unwrap()),
    ]
}

fn cube(name: &str, half: DVec3) -> RigidBody {
    RigidBody::fixed(name, Cuboid::new(half).unwrap())
}

fn flat() -> World {
    let mut world = World::new(Settings::default()).unwrap();
    world.add(RigidBody::fixed("floor", Halfspace::new(DVec3::Z, 0.0).unwrap())).unwrap();
    world
}

/// Walks for some steps, and checks that every move ends with a gap.
fn walk(world: &mut World, hero: &mut Character, velocity: DVec3, steps: u32) -> Vec<Walk> {
    let mut all = Vec::new();
    for _ in 0..steps {
        let walk = hero.walk(world, velocity, STEP).unwrap();
        assert!(!walk.is_crushed && walk.gap > 0.0, "{walk:?} at {}", hero.position());
        world.step(STEP).unwrap();
        all.push(walk);
    }
    all
}

/// A floor, ten stairs of 0.2 m, a slope down of 27°, a floor, a slope of 71°.
fn stairs() -> Mesh {
    let (mut corners, mut triangles): (Vec<DVec3>, Vec<[u32; 3]>) = (Vec::new(), Vec::new());
    let mut strip = |x0: f64, z0: f64, x1: f64, z1: f64| {
        let n = corners.len() as u32;
        corners.extend([at(x0, -2.0, z0), at(x1, -2.0, z1), at(x1, 2.0, z1), at(x0, 2.0, z0)]);
        triangles.extend([[n, n + 1, n + 2], [n, n + 2, n + 3]]);
    };
    strip(-5.0, 0.0, 2.0, 0.0);
    for i in 0..10 {
        let (x, z) = (2.0 + 0.3 * f64::from(i), 0.2 * f64::from(i));
        strip(x, z, x, z + 0.2);
        strip(x, z + 0.2, x + 0.3, z + 0.2);
    }
    strip(5.0, 2.0, 7.0, 2.0);
    strip(7.0, 2.0, 11.0, 0.0);
    strip(11.0, 0.0, 14.0, 0.0);
    strip(14.0, 0.0, 15.0, 3.0);
    Mesh::new(corners, triangles).unwrap()
}

#[test]
fn characters_walk_up_stairs_down_slopes_and_not_up_walls() {
    for shape in shapes() {
        for (along, across) in [(1.0, 0.0), (1.0, 0.05)] {
            let mut world = World::new(Settings::default()).unwrap();
            world.add(RigidBody::fixed("level", stairs())).unwrap();
            let mut hero = Character::new(shape.clone()).at(at(-3.0, -1.0, 1.5));
            walk(&mut world, &mut hero, DVec3::ZERO, 60);
            assert!(
                hero.is_grounded() && (hero.position().z - 0.9 - SKIN).abs() < 1e-3,
                "{}",
                hero.position()
            );
            let (mut top, mut fallen) = (0.0_f64, 0);
            for _ in 0..560 {
                walk(&mut world, &mut hero, at(along, across * along, 0.0) * 2.5, 1);
                let feet = hero.position().z - 0.9;
                top = top.max(feet);
                fallen += u32::from(!hero.is_grounded());
            }
            let end = hero.position();
            assert!((top - 2.0 - SKIN).abs() < 1e-2 && fallen == 0, "{shape:?}: {top} {fallen}");
            // It ends at the foot of what is too steep, at the height of the floor.
            assert!((12.5..14.1).contains(&end.x) && end.z - 0.9 < 0.1, "{shape:?}: {end}");
        }
    }
}

#[test]
fn doors_stop_what_is_a_millimetre_too_wide_and_nothing_else() {
    for (clear, passes) in [(-0.001, false), (0.001, true)] {
        for (turn, shape) in [(0.0, 0), (0.0, 1), (0.0, 2), (0.6, 0), (0.6, 1)] {
            let mut world = flat();
            let rotation = DQuat::from_rotation_z(turn);
            for side in [-1.0, 1.0] {
                let position = rotation * at(0.0, side * (2.3 + 0.5 * clear), 2.0);
                world.add(RigidBody { position, rotation, ..cube("post", at(0.2, 2.0, 2.0)) }).unwrap();
            }
            let start = rotation * at(-2.0, 0.0, 0.0) + DVec3::Z * 0.95;
            let mut hero = Character::new(shapes()[shape].clone()).at(start);
            walk(&mut world, &mut hero, rotation * DVec3::X * 1.5, 240);
            let came = (rotation.inverse() * hero.position()).x;
            assert_eq!(came > 1.0, passes, "{clear} {turn} {shape}: {came}");
        }
    }
}

/// Boxes of any kind and place, and characters that run among them at any speed.
#[test]
fn nothing_is_passed_or_sunk_into_at_any_speed() {
    let mut random = Random::new(4);
    for round in 0..40 {
        let mut world = flat();
        let mut all = vec![(Body::new(Halfspace::new(DVec3::Z, 0.0).unwrap()), Pose::IDENTITY)];
        for side in 0..4 {
            let rotation = DQuat::from_rotation_z(f64::from(side) * std::f64::consts::FRAC_PI_2);
            let wall = cube("wall", at(0.05, 9.0, 50.0));
            all.push((wall.body.clone(), Pose::new(rotation * DVec3::X * 8.0, rotation).unwrap()));
            world.add(RigidBody { position: rotation * DVec3::X * 8.0, rotation, ..wall }).unwrap();
        }
        for _ in 0..25 {
            let half = at(random.within(0.05, 1.5), random.within(0.05, 1.5), random.within(0.05, 1.0));
            let position = at(random.within(-7.0, 7.0), random.within(-7.0, 7.0), random.within(0.0, 1.0));
            if position.truncate().length() < 3.0 {
                continue;
            }
            let rotation = random.rotation();
            let block = cube("block", half);
            all.push((block.body.clone(), Pose::new(position, rotation).unwrap()));
            world.add(RigidBody { position, rotation, ..block }).unwrap();
        }
        let shape = shapes()[round % 4].clone();
        let mut hero = Character::new(shape.clone()).at(DVec3::Z);
        let mut fastest: f64 = 0.0;
        for _ in 0..120 {
            let speed = 10_f64.powf(random.within(-1.0, 3.0));
            let velocity = at(random.within(-1.0, 1.0), random.within(-1.0, 1.0), 0.0) * speed;
            if random.within(0.0, 1.0) < 0.1 && hero.is_grounded() {
                hero.jump(random.within(0.0, 12.0));
            }
            let before = hero.position();
            let walked = walk(&mut world, &mut hero, velocity, 1).remove(0);
            fastest = fastest.max((hero.position() - before).length() / STEP);
            let pose = Pose::from_translation(hero.position()).unwrap();
            let gaps = all.iter().map(|(body, at)| {
                distance(shape.at(&pose), body.at(at), &sudar::query::DistanceOptions::default())
            });
            let gap = gaps.map(|gap| gap.interval.upper).fold(f64::INFINITY, f64::min);
            assert!(gap > 0.0 && walked.gap <= gap, "round {round}: {gap} {walked:?} at {}", hero.position());
            let p = hero.position();
            assert!(p.x.abs() < 8.0 && p.y.abs() < 8.0 && p.z > 0.0, "round {round}: {p}");
        }
        assert!(fastest > 20.0, "{fastest}");
    }
}

/// In a corner of any angle it comes to rest, and out of it again.
#[test]
fn corners_hold_nobody() {
    for degrees in [20.0_f64, 45.0, 80.0, 100.0, 150.0] {
        let half = 0.5 * degrees.to_radians();
        let mut world = flat();
        for side in [-1.0, 1.0] {
            let rotation = DQuat::from_rotation_z(side * half);
            // A wall whose inner face leaves the corner at the origin along this direction.
            let position = rotation * at(5.0, side * 0.1, 1.0);
            world.add(RigidBody { position, rotation, ..cube("wall", at(5.0, 0.1, 1.0)) }).unwrap();
        }
        let mut hero = Character::new(shapes()[0].clone()).at(at(4.0, 0.0, 0.95));
        walk(&mut world, &mut hero, at(-3.0, 0.1, 0.0), 200);
        let deep = hero.position();
        walk(&mut world, &mut hero, at(-3.0, -0.2, 0.0), 60);
        assert!(hero.position().distance(deep) < 0.3, "{degrees}: {deep} {}", hero.position());
        let reach = 0.3 / half.sin();
        assert!(deep.x >= reach - 1e-9, "{degrees}: {deep} {reach}");
        walk(&mut world, &mut hero, at(3.0, 0.0, 0.0), 60);
        assert!(hero.position().x > deep.x + 2.5, "{degrees}: {deep} {}", hero.position());
    }
}

#[test]
fn lifts_turntables_and_trains_carry_those_who_stand_on_them() {
    let mut world = World::new(Settings::default()).unwrap();
    let platform = RigidBody { kind: BodyType::Kinematic, ..cube("platform", at(2.0, 2.0, 0.1)) };
    let platform = world.add(platform).unwrap();
    let mut hero = Character::new(shapes()[1].clone()).at(at(1.0, 0.0, 1.1));
    walk(&mut world, &mut hero, DVec3::ZERO, 30);
    let local = |world: &World, hero: &Character| {
        let motion = world.motion(platform).unwrap();
        motion.rotation.inverse() * (hero.position() - motion.center)
    };
    let before = local(&world, &hero);
    for step in 1..=600 {
        let t = f64::from(step) * STEP;
        let to = at(3.0 * (0.5 * t).sin(), 2.0 * t, 2.0 * (1.0 - t.cos()));
        let pose = Pose::new(to, DQuat::from_rotation_z(0.4 * t)).unwrap();
        world.move_to(platform, &pose, STEP).unwrap();
        world.step(STEP).unwrap();
        let walked = hero.walk(&mut world, DVec3::ZERO, STEP).unwrap();
        assert!(walked.gap > 0.0 && hero.ground() == Some(platform), "{t}: {walked:?}");
        assert!(local(&world, &hero).distance(before) < 0.02, "{t}: {} {before}", local(&world, &hero));
    }
}

#[test]
fn characters_push_what_is_light_and_weigh_on_what_they_stand_on() {
    let push = |mass: f64| {
        let mut world = flat();
        let crate_ = RigidBody {
            kind: BodyType::Dynamic,
            matter: sudar::dynamics::MassSpec::Mass(mass),
            position: at(1.5, 0.1, 0.5),
            friction: 0.3,
            ..cube("crate", DVec3::splat(0.5))
        };
        let crate_ = world.add(crate_).unwrap();
        let mut hero = Character::new(shapes()[0].clone()).at(at(0.0, 0.0, 0.95));
        walk(&mut world, &mut hero, DVec3::X * 1.5, 240);
        world.motion(crate_).unwrap().center.x - 1.5
    };
    let [light, heavy] = [push(20.0), push(2000.0)];
    assert!(light > 2.0 && heavy < 0.01, "{light} {heavy}");
    // A seesaw of a plank on a fulcrum: the character's end goes down.
    let mut world = flat();
    let fulcrum = RigidBody { position: DVec3::Z * 0.15, ..cube("fulcrum", at(0.05, 0.5, 0.15)) };
    world.add(fulcrum).unwrap();
    let plank =
        RigidBody { kind: BodyType::Dynamic, position: DVec3::Z * 0.35, ..cube("plank", at(2.0, 0.4, 0.05)) };
    let plank = world.add(RigidBody { matter: sudar::dynamics::MassSpec::Mass(20.0), ..plank }).unwrap();
    let mut hero = Character::new(shapes()[0].clone()).at(at(1.6, 0.0, 1.5));
    for _ in 0..120 {
        hero.walk(&mut world, DVec3::ZERO, STEP).unwrap();
        world.step(STEP).unwrap();
    }
    let end = world.pose(plank).unwrap().apply(at(2.0, 0.0, 0.0));
    assert!(end.z < 0.15 && hero.is_grounded(), "{end}");
}

#[test]
fn jumps_have_the_height_of_their_speed_and_end_at_ceilings() {
    let mut world = flat();
    let mut hero = Character::new(shapes()[0].clone()).at(DVec3::Z);
    walk(&mut world, &mut hero, DVec3::ZERO, 30);
    let ground = hero.position().z;
    hero.jump(5.0);
    let mut top = 0.0_f64;
    for _ in 0..90 {
        walk(&mut world, &mut hero, DVec3::X, 1);
        top = top.max(hero.position().z - ground);
    }
    assert!((top - 25.0 / (2.0 * 9.81)).abs() < 0.02 && hero.is_grounded(), "{top}");
    world.add(RigidBody { position: DVec3::Z * 2.5, ..cube("ceiling", at(50.0, 50.0, 0.1)) }).unwrap();
    hero.jump(500.0);
    let high = walk(&mut world, &mut hero, DVec3::X, 1);
    assert!(hero.position().z <= 2.4 - 0.9 && hero.rising() == 0.0 && !high[0].obstacles.is_empty());
    walk(&mut world, &mut hero, DVec3::X, 60);
    assert!(hero.is_grounded());
}

#[test]
fn what_comes_upon_a_character_pushes_it_away_or_crushes_it() {
    let mut world = flat();
    let door = RigidBody {
        kind: BodyType::Kinematic,
        position: at(3.0, 0.0, 1.0),
        ..cube("door", at(0.2, 2.0, 1.0))
    };
    let door = world.add(RigidBody { velocity: -DVec3::X, ..door }).unwrap();
    let mut hero = Character::new(shapes()[0].clone()).at(at(1.0, 0.3, 0.95));
    for _ in 0..180 {
        world.step(STEP).unwrap();
        let walked = hero.walk(&mut world, DVec3::ZERO, STEP).unwrap();
        assert!(!walked.is_crushed && walked.gap > 0.0);
    }
    let x = world.motion(door).unwrap().center.x;
    assert!((hero.position().x - (x - 0.5 - SKIN)).abs() < 2e-3, "{} {x}", hero.position());
    world.add(RigidBody { position: at(-2.0, 0.0, 1.0), ..cube("wall", at(0.2, 2.0, 1.0)) }).unwrap();
    let still =
        BodyState { center: at(-1.45, 0.0, 1.0), velocity: DVec3::ZERO, ..world.motion(door).unwrap() };
    world.set_motion(door, still).unwrap();
    hero.set_position(at(-1.7, 0.0, 0.95));
    assert!(hero.walk(&mut world, DVec3::ZERO, STEP).unwrap().is_crushed);
}

#[test]
fn bad_numbers_are_refused_and_sensors_and_masks_stop_nobody() {
    let mut world = flat();
    let zone = RigidBody { sensor: true, position: at(2.0, 0.0, 1.0), ..cube("zone", DVec3::ONE) };
    world.add(zone).unwrap();
    let ghost =
        RigidBody { filter: Filter::new(4, 4), position: at(5.0, 0.0, 1.0), ..cube("ghost", DVec3::ONE) };
    world.add(ghost).unwrap();
    let mut hero = Character::new(shapes()[0].clone()).filter(Filter::new(1, !4)).at(DVec3::Z);
    for (velocity, seconds) in
        [(DVec3::NAN, STEP), (DVec3::X * 1e300, STEP), (DVec3::X, 0.0), (DVec3::X, f64::NAN)]
    {
        assert!(hero.walk(&mut world, velocity, seconds).is_err());
    }
    assert!(Character::new(shapes()[0].clone()).skin(0.0).walk(&mut world, DVec3::X, STEP).is_err());
    walk(&mut world, &mut hero, DVec3::X * 4.0, 180);
    assert!(hero.position().x > 11.0);
    // Its body must be one that can be moved, and then goes with it.
    let post = world.add(cube("post", DVec3::splat(0.1))).unwrap();
    let place = hero.position();
    let mut tied = hero.clone().with_body(post);
    assert!(tied.walk(&mut world, DVec3::X, STEP).is_err() && tied.position() == place);
    world.modify(post, |post| post.kind = BodyType::Kinematic).unwrap();
    tied.walk(&mut world, DVec3::X, STEP).unwrap();
    world.step(STEP).unwrap();
    assert!(world.pose(post).unwrap().translation().distance(tied.position()) < 1e-12);
}

/// A platform that lets through from below: the character jumps onto it, and walks under it.
#[test]
fn one_way_platforms_let_characters_through_from_below() {
    for shape in shapes() {
        let mut world = flat();
        let rule = Some(ContactRule::one_way(DVec3::Z));
        let shelf =
            RigidBody { position: DVec3::Z * 1.5, contact_rule: rule, ..cube("shelf", at(1.0, 1.0, 0.1)) };
        let shelf = world.add(shelf).unwrap();
        let mut hero = Character::new(shape.clone()).at(at(0.0, 0.0, 0.95));
        walk(&mut world, &mut hero, DVec3::ZERO, 30);
        assert!(hero.ground() != Some(shelf) && (hero.position().z - 0.9 - SKIN).abs() < 1e-3);
        hero.jump(6.5);
        walk(&mut world, &mut hero, DVec3::ZERO, 90);
        assert_eq!(hero.ground(), Some(shelf), "{shape:?}: {}", hero.position());
        assert!((hero.position().z - 1.6 - 0.9 - SKIN).abs() < 1e-3, "{shape:?}: {}", hero.position());
        walk(&mut world, &mut hero, DVec3::X * 2.0, 60);
        walk(&mut world, &mut hero, DVec3::X * -2.0, 60);
        assert!(hero.position().x.abs() < 0.1 && hero.position().z < 1.0, "{shape:?}: {}", hero.position());
    }
}

#[test]
fn belts_carry_characters_that_stand_on_them() {
    let mut world = flat();
    // Turned by a quarter: its x axis is the y axis of the world.
    let belt = RigidBody {
        position: DVec3::Z * 0.1,
        rotation: DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2),
        surface_velocity: at(0.8, 0.0, 0.3),
        ..cube("belt", at(5.0, 1.0, 0.1))
    };
    let belt = world.add(belt).unwrap();
    let mut hero = Character::new(shapes()[0].clone()).at(at(0.0, -2.0, 1.2));
    walk(&mut world, &mut hero, DVec3::ZERO, 30);
    let start = hero.position();
    walk(&mut world, &mut hero, DVec3::X * 0.1, 120);
    let way = hero.position() - start;
    assert!(way.distance(at(0.2, 1.6, 0.0)) < 1e-6 && hero.ground() == Some(belt), "{way}");
}

/// A step is as high as it is measured from where the character stands, not from where it has lifted itself to.
#[test]
fn steps_higher_than_allowed_stop_characters() {
    for shape in shapes() {
        for (part, rises) in [(0.97, true), (1.3, false), (1.8, false)] {
            let mut world = flat();
            let height = 0.1 * part;
            let step = cube("step", at(2.0, 2.0, 0.5 * height));
            world.add(RigidBody { position: at(3.0, 0.0, 0.5 * height), ..step }).unwrap();
            let mut hero =
                Character::new(shape.clone()).max_slope(0.4).step_height(0.1).at(at(-0.5, 0.0, 0.95));
            walk(&mut world, &mut hero, DVec3::X * 1.5, 150);
            assert_eq!(hero.position().x > 1.5, rises, "{shape:?} {part}: {}", hero.position());
        }
    }
}

#[test]
fn a_character_passes_what_its_body_ignores() {
    let mut world = World::new(Settings::default()).unwrap();
    world.add(RigidBody::fixed("floor", Halfspace::new(DVec3::Z, 0.0).unwrap())).unwrap();
    let wall = RigidBody::fixed("wall", Cuboid::new(DVec3::new(0.2, 3.0, 3.0)).unwrap());
    let wall = world.add(RigidBody { position: DVec3::X * 2.0, ..wall }).unwrap();
    let shape = Capsule::new(0.3, 0.5).unwrap();
    let own =
        RigidBody { kind: BodyType::Kinematic, position: DVec3::Z * 0.81, ..RigidBody::new("own", shape) };
    let own = world.add(own).unwrap();
    let mut hero = Character::new(shape).with_body(own).at(DVec3::Z * 0.81);
    let walk = |world: &mut World, hero: &mut Character| {
        for _ in 0..90 {
            hero.walk(world, DVec3::X * 2.0, 1.0 / 60.0).unwrap();
            world.step(1.0 / 60.0).unwrap();
        }
        hero.position().x
    };
    assert!((walk(&mut world, &mut hero) - 1.49).abs() < 0.01);
    world.ignore(own, wall).unwrap();
    assert!(world.ignores(wall, own).unwrap());
    assert!(walk(&mut world, &mut hero) > 4.0);
}

/// Many at once go where each goes alone.
#[test]
fn a_crowd_walks_as_each_of_it_does() {
    let mut world = World::new(Settings::default()).unwrap();
    world.add(RigidBody::fixed("floor", Halfspace::new(DVec3::Z, 0.0).unwrap())).unwrap();
    let mut random = Random::new(8);
    for k in 0..30 {
        let half = at(random.within(0.1, 0.6), random.within(0.1, 0.6), random.within(0.05, 0.4));
        let position = at(random.within(-6.0, 6.0), random.within(-6.0, 6.0), 0.0);
        let rotation = DQuat::from_rotation_z(random.within(0.0, 3.0));
        let block = RigidBody::fixed(format!("block {k}"), Cuboid::new(half).unwrap());
        world.add(RigidBody { position, rotation, ..block }).unwrap();
    }
    let shapes = shapes();
    let hero = |k: usize| Character::new(shapes[k % 4].clone()).at(at(k as f64 * 0.7 - 5.0, -5.0, 1.5));
    let mut crowd: Vec<Character> = (0..16).map(hero).collect();
    let mut alone = crowd.clone();
    for step in 0..200 {
        let way = |k: usize| at((0.3 * k as f64 + 0.01 * f64::from(step)).sin(), 1.0, 0.0) * 2.0;
        let ways: Vec<DVec3> = (0..16).map(way).collect();
        let walks = Character::walk_all(&mut crowd, &mut world, &ways, STEP).unwrap();
        for ((one, walk), way) in alone.iter_mut().zip(walks).zip(ways) {
            assert_eq!(one.walk(&mut world, way, STEP).unwrap(), walk);
            assert!(walk.gap > 0.0);
        }
        world.step(STEP).unwrap();
    }
    let refused = Character::walk_all(&mut crowd, &mut world, &[DVec3::X], STEP);
    assert!(refused.unwrap_err().to_string().contains("one for each"));
}
