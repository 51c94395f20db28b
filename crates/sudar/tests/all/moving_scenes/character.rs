//! The character of the example stuck on a slope beside a wall, and had no rule for creases.

use rand::RngExt;
use sudar::effort::Budget;
use sudar::many::{CollisionManager, Object};
use sudar::query::{Body, DistanceOptions, Work};
use sudar::{Capsule, Cuboid, DQuat, DVec3, Pose};
use sudar_testing::Random;

use crate::examples::character::{SKIN, walk};

const UPRIGHT: DQuat = DQuat::IDENTITY;

fn player() -> Body {
    Body::new(Capsule::new(0.3, 0.6).unwrap())
}

fn room(boxes: &[(DVec3, DVec3, DQuat)]) -> CollisionManager {
    let mut world = CollisionManager::default();
    for (half, at, turn) in boxes {
        let (body, pose) = (Body::new(Cuboid::new(*half).unwrap()), Pose::new(*at, *turn).unwrap());
        world.insert(Object::new("box", body, pose).fixed()).unwrap();
    }
    world
}

/// The distance of everything from the player, and the directions away from what is within two skins.
fn around(player: &Body, at: DVec3, world: &CollisionManager) -> (f64, Vec<DVec3>) {
    let pose = Pose::from_translation(at).unwrap();
    let mut work = Work::new(Budget::UNLIMITED);
    let found =
        world.iter().map(|(_, object)| work.distance(object.at(), player.at(&pose), &DistanceOptions::EXACT));
    let found: Vec<_> = found.collect();
    let least = found.iter().map(|d| d.interval.lower).fold(f64::INFINITY, f64::min);
    let near = found.iter().filter(|d| d.interval.upper < 2.0 * SKIN);
    (least, near.map(|d| (d.point_b - d.point_a).normalize()).collect())
}

#[test]
fn a_slope_beside_a_wall_does_not_hold_the_character() {
    let player = player();
    for (angle, side) in [(0.05, 1.0), (0.17, -1.0), (0.3, 1.0), (-0.1, 1.0)] {
        // The slope rises along x; the wall is upright along x at y = ±2.
        let slope = DQuat::from_rotation_y(-angle);
        let world = room(&[
            (DVec3::new(60.0, 20.0, 0.5), slope * DVec3::new(0.0, 0.0, -0.5), slope),
            (DVec3::new(60.0, 0.2, 30.0), DVec3::new(0.0, 2.2 * side, 0.0), UPRIGHT),
        ]);
        let mut at = slope * DVec3::new(-8.0, 0.0, 1.2);
        let mut stuck = 0;
        for frame in 0..300 {
            let next = walk(&player, at, DVec3::new(0.08, 0.05 * side, -0.05), &world).unwrap();
            let (least, _) = around(&player, next, &world);
            assert!(least > 0.01 * SKIN, "{angle} frame {frame}: inside by {least}");
            // Nothing is in the way along the wall but the slope, which takes some of a step.
            stuck += u32::from(frame > 40 && next.x - at.x < 0.03);
            at = next;
        }
        assert_eq!(stuck, 0, "{angle}: at {at}");
        assert!(at.x > 3.0 && (at.y * side) > 1.65, "{angle}: {at}");
    }
}

#[test]
fn an_inner_corner_stops_the_character_and_lets_it_go() {
    let player = player();
    for lean in [0.0, 0.4, -0.5] {
        let oblique = DQuat::from_rotation_z(lean);
        let world = room(&[
            (DVec3::new(20.0, 20.0, 0.5), DVec3::new(0.0, 0.0, -0.5), UPRIGHT),
            (DVec3::new(0.2, 10.0, 3.0), DVec3::new(3.2, 0.0, 0.0), UPRIGHT),
            (DVec3::new(10.0, 0.2, 3.0), DVec3::new(0.0, 3.2, 0.0), oblique),
        ]);
        let mut at = DVec3::new(0.0, 0.0, 0.9 + SKIN);
        let mut before = at;
        for _ in 0..150 {
            before = at;
            at = walk(&player, at, DVec3::new(0.07, 0.06, -0.02), &world).unwrap();
            assert!(around(&player, at, &world).0 > 0.01 * SKIN);
        }
        // It ends against both walls and stays there.
        assert_eq!(around(&player, at, &world).1.len(), 3, "{lean} {at}");
        assert!((at - before).length() < 1e-6, "{lean} {before} {at}");
        let corner = at;
        for _ in 0..20 {
            at = walk(&player, at, DVec3::new(0.02, -0.07, -0.02), &world).unwrap();
        }
        // Along the first wall, all of the way.
        assert!((corner.y - at.y - 1.4).abs() < 1e-3 && (at.x - corner.x).abs() < 2.0 * SKIN, "{lean} {at}");
    }
}

#[test]
fn a_character_among_steps_is_never_inside_and_never_stuck_without_a_reason() {
    let (player, mut rng) = (player(), Random::new(6));
    let (mut blocked, mut slid) = (0, 0);
    for scene in 0..6 {
        let mut boxes = vec![(DVec3::new(20.0, 20.0, 0.5), DVec3::new(0.0, 0.0, -0.5), UPRIGHT)];
        for _ in 0..25 {
            let half = DVec3::new(
                rng.random_range(0.1..0.8),
                rng.random_range(0.1..0.8),
                rng.random_range(0.1..1.0),
            );
            let place = DVec3::new(rng.random_range(-4.0..4.0), rng.random_range(-4.0..4.0), half.z);
            let turn = if scene % 2 == 0 { 0.0 } else { rng.random_range(-1.5..1.5) };
            boxes.push((half, place, DQuat::from_rotation_z(turn)));
        }
        let world = room(&boxes);
        // It falls onto the boxes in the middle.
        let mut at = DVec3::new(0.0, 0.0, 3.2);
        for frame in 0..400 {
            let heading = f64::from(frame / 40) * 2.4 + 0.7;
            let way = DVec3::new(0.09 * heading.cos(), 0.09 * heading.sin(), -0.04);
            let next = walk(&player, at, way, &world).unwrap();
            let (least, planes) = around(&player, next, &world);
            assert!(least > 0.01 * SKIN, "{scene} {frame}: inside by {least}");
            if (next - at).length() < 0.01 * way.length() {
                blocked += 1;
                // No direction on a grid of them leads on and away from everything near.
                let free = |k: u32| {
                    let angle = f64::from(k) * 0.05;
                    let toward = DVec3::new(angle.cos(), angle.sin(), 0.0);
                    toward.dot(way) > 0.5 * way.length() && planes.iter().all(|n| n.dot(toward) > 0.05)
                };
                assert!(!(0..126).any(free), "{scene} {frame}: {at} {way} {planes:?}");
            } else if planes.len() > 1 {
                slid += 1;
            }
            at = next;
        }
    }
    assert!(slid > 100 && blocked < 1200, "{slid} {blocked}");
}
