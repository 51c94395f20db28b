//! What is asked of one mesh under budgets: however few nodes may be opened, what is said is true.

use sudar::query::{Body, Intersection, closest_point, contains, self_intersections};
use sudar::{DVec3, Triangle};
use sudar_testing::Random;
use sudar_testing::oracle::Count;

use super::budgets::under_budgets;
use super::exact_distance::squared_distance;
use super::exact_ray::encloses;
use super::pairs::somewhere;
use super::truth::{Placed, at_most_root, least_squared, root_at_most};

pub fn check(placed: &Placed, body: &Body, r: &mut Random, seen: &mut Count) {
    let point = somewhere(placed, r);
    nearest(placed, body, point, r, seen);
    inside(placed, body, point, r, seen);
    own_pairs(placed, body, r, seen);
}

fn nearest(placed: &Placed, body: &Body, point: DVec3, r: &mut Random, seen: &mut Count) {
    let inside = placed.solid && encloses(&placed.triangles, point, r);
    let square = least_squared(&placed.triangles, &[Triangle { a: point, b: point, c: point }]);
    let room = 128.0 * f64::EPSILON * (placed.reach() + point.abs().max_element());
    let best = closest_point(body.at(&placed.pose), point);
    for (found, all) in under_budgets(r, |work| work.closest_point(body.at(&placed.pose), point)) {
        assert!(!all || found == best, "{found:?} instead of {best:?}");
        let interval = found.distance;
        let right = if inside {
            interval.lower == 0.0
        } else {
            at_most_root(interval.lower, &square) && root_at_most(&square, interval.upper)
        };
        assert!(right, "{found:?} of {point:?}, {:e}", square.to_f64().sqrt());
        seen.add("cut short", found != best);
        if interval.upper == 0.0 && inside {
            continue;
        }
        let corners = placed.triangles[found.feature as usize].corners();
        assert!(root_at_most(&squared_distance(&corners, &[found.point; 3]), room), "{found:?}");
        assert!((found.point.distance(point) - interval.upper).abs() <= room, "{found:?} of {point:?}");
    }
}

fn inside(placed: &Placed, body: &Body, point: DVec3, r: &mut Random, seen: &mut Count) {
    let Ok(truth) = contains(body.at(&placed.pose), point) else { return };
    assert_eq!(truth, encloses(&placed.triangles, point, r), "{point:?}");
    for (found, all) in under_budgets(r, |work| work.contains(body.at(&placed.pose), point).unwrap()) {
        assert!(found.is_none_or(|answer| answer == truth), "{point:?}");
        assert!(!all || found.is_some());
        seen.add("cut short", found.is_none());
    }
}

/// The whole list is compared elsewhere.
fn own_pairs(placed: &Placed, body: &Body, r: &mut Random, seen: &mut Count) {
    let all = self_intersections(body.at(&placed.pose));
    for (found, whole) in under_budgets(r, |work| work.self_intersections(body.at(&placed.pose))) {
        assert!(found.found.is_sorted() && found.found.iter().all(|pair| all.contains(pair)));
        assert!(!found.complete || found.found == all);
        assert!(!whole || found.complete);
        seen.add("cut short", !found.complete);
    }
    for (found, whole) in under_budgets(r, |work| work.self_intersects(body.at(&placed.pose))) {
        match found {
            Intersection::Touching { features } => assert!(all.contains(&features)),
            Intersection::Apart => assert!(all.is_empty()),
            Intersection::Undecided(_) => assert!(!whole),
        }
    }
}
