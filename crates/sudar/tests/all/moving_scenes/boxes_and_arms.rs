//! Boxes on their ways and the links of two arms, against a loop over all pairs.

use std::f64::consts::PI;

use sudar::many::{Among, CollisionManager, Object};
use sudar::query::{Body, DistanceOptions, distance, intersects};
use sudar::{Capsule, Cuboid, DQuat, DVec3, Pose};

#[test]
fn moving_boxes_begin_and_end_as_all_pairs_do() {
    let cube = Body::new(Cuboid::new(DVec3::splat(0.9)).unwrap());
    let (boxes, frames) = (150, 24);
    let mut before = Vec::new();
    let mut began = 0;
    let mut scene = CollisionManager::default();
    let object = |i| Object::new(format!("box {i}"), cube.clone(), place(i, 0));
    let handles = scene.insert_all((0..boxes).map(object).collect()).unwrap();
    for frame in 0..frames {
        let at = |i| place(i, frame);
        scene.set_poses(&handles, &(0..boxes).map(at).collect::<Vec<Pose>>()).unwrap();
        let events = scene.step();
        let meet = |&[i, j]: &[u32; 2]| intersects(cube.at(&at(i)), cube.at(&at(j))).is_touching();
        let pairs = (0..boxes).flat_map(|i| (i + 1..boxes).map(move |j| [i, j]));
        let now: Vec<[u32; 2]> = pairs.filter(meet).collect();
        let told = |list: &[[sudar::broad::Handle; 2]]| {
            list.iter().map(|pair| pair.map(sudar::broad::Handle::index)).collect::<Vec<_>>()
        };
        let only = |list: &[[u32; 2]], other: &[[u32; 2]]| {
            list.iter().filter(|pair| !other.contains(pair)).copied().collect::<Vec<_>>()
        };
        assert_eq!(told(&events.began), only(&now, &before));
        assert_eq!(told(&events.ended), only(&before, &now));
        began += events.began.len();
        before = now;
    }
    assert!(began > 20, "{began}");
}

#[test]
fn robots_are_as_far_apart_as_their_nearest_links() {
    let link = Body::new(Capsule::new(0.05, 0.1).unwrap());
    let steps = 30;
    let mut scene = CollisionManager::default();
    let links = || vec![Object::new("link", link.clone(), Pose::IDENTITY); LINKS];
    // Neighbouring links share a joint and always touch.
    let neighbours: Vec<[usize; 2]> = (1..LINKS).map(|i| [i - 1, i]).collect();
    let groups = [(); 2].map(|()| scene.insert_group(links(), &neighbours).unwrap());
    for step in 0..steps {
        let t = f64::from(step) / f64::from(steps - 1);
        let (left, right) = (arm(DVec3::ZERO, 0.0, t), arm(DVec3::X * 1.1, PI, t));
        scene.set_group_poses(groups[0], &left).unwrap();
        scene.set_group_poses(groups[1], &right).unwrap();
        let near = scene.nearest(Among::Between(groups[0], groups[1])).found.unwrap();
        let clearance = near.distance.interval.upper;
        let least = left.iter().flat_map(|p| right.iter().map(move |q| (p, q)));
        let least =
            least.map(|(p, q)| distance(link.at(p), link.at(q), &DistanceOptions::EXACT).interval.upper);
        // Capsules are exact to some ulp.
        assert!((clearance - least.min_by(f64::total_cmp).unwrap()).abs() < 1e-13, "step {step}");
    }
}

/// Where a box is: it turns, and goes in circles about its home in a cube of 20 m, one of many that are spread evenly.
fn place(i: u32, frame: u32) -> Pose {
    let home = (DVec3::new(0.819_172_5, 0.671_043_6, 0.549_700_4) * f64::from(i)).fract() * 20.0;
    let turn = DQuat::from_rotation_z(f64::from(frame * (1 + i % 7)) / 60.0);
    Pose::new(home + turn * DVec3::X, turn).unwrap()
}

const LINKS: usize = 7;

/// The poses of the links of an arm that stands at `base`: each joint bends by the same angle, which grows with `t`.
fn arm(base: DVec3, turn: f64, t: f64) -> Vec<Pose> {
    let mut joint = Pose::new(base, DQuat::from_rotation_z(turn)).unwrap();
    let bend = DQuat::from_rotation_y(0.25 * t) * DQuat::from_rotation_z(0.4 * (1.0 - t));
    let bend = Pose::new(DVec3::Z * 0.2, bend).unwrap();
    let middle = Pose::from_translation(DVec3::Z * 0.1).unwrap();
    let mut links = Vec::with_capacity(LINKS);
    for _ in 0..LINKS {
        links.push(joint.after(&middle));
        joint = joint.after(&bend);
    }
    links
}
