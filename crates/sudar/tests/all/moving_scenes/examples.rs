//! The example programs do what they say.

use sudar::query::{Body, DistanceOptions, distance, intersects};
use sudar::{Capsule, Cuboid, DVec3};

#[allow(dead_code, reason = "its main is not called")]
#[path = "../../../examples/moving_boxes.rs"]
mod moving_boxes;
#[allow(dead_code, reason = "its main is not called")]
#[path = "../../../examples/robots.rs"]
mod robots;

#[test]
fn moving_boxes_begin_and_end_as_all_pairs_do() {
    let cube = Body::new(Cuboid::new(DVec3::splat(0.9)).unwrap());
    let (boxes, frames) = (150, 24);
    let mut before = Vec::new();
    let mut began = 0;
    for (frame, events) in (0..).zip(moving_boxes::simulate(&cube, boxes, frames).unwrap()) {
        let at = |i| moving_boxes::place(i, frame);
        let meet = |&[i, j]: &[u32; 2]| intersects(&cube, &at(i), &cube, &at(j)).is_touching();
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
    for (step, near) in robots::nearest_links(&link, steps).unwrap().into_iter().enumerate() {
        let clearance = near.distance.interval.upper;
        let t = step as f64 / f64::from(steps - 1);
        let left = robots::arm(DVec3::ZERO, 0.0, t).unwrap();
        let right = robots::arm(DVec3::X * 1.1, std::f64::consts::PI, t).unwrap();
        let least = left.iter().flat_map(|p| right.iter().map(move |q| (p, q)));
        let least = least.map(|(p, q)| distance(&link, p, &link, q, &DistanceOptions::EXACT).interval.upper);
        // Capsules are exact to some ulp.
        assert!((clearance - least.min_by(f64::total_cmp).unwrap()).abs() < 1e-13, "step {step}");
    }
}
