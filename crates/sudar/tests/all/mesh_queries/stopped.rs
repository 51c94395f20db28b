//! What is asked of one mesh under budgets: however few nodes may be opened, what is said is true.

use rand::RngExt;
use rand_pcg::Pcg64;
use sudar::effort::Budget;
use sudar::query::{Body, Intersection, Work, contains, self_intersections};
use sudar::{DVec3, Triangle};

use super::exact_distance::squared_distance;
use super::exact_ray::encloses;
use super::pairs::somewhere;
use super::seen::Seen;
use super::truth::{Placed, at_most_root, least_squared, root_at_most};

pub fn check(placed: &Placed, body: &Body, r: &mut Pcg64, seen: &mut Seen) {
    let point = somewhere(placed, r);
    nearest(placed, body, point, r, seen);
    inside(placed, body, point, r, seen);
    own_pairs(placed, body, r, seen);
}

/// Few, some and all of the nodes that a query needs.
fn few(query: impl FnOnce(&mut Work), r: &mut Pcg64) -> ([u64; 4], u64) {
    let mut whole = Work::default();
    query(&mut whole);
    let enough = whole.statistics().nodes;
    ([0, 1, r.random_range(0..=enough), enough], enough)
}

fn nearest(placed: &Placed, body: &Body, point: DVec3, r: &mut Pcg64, seen: &mut Seen) {
    let inside = placed.solid && encloses(&placed.triangles, point, r);
    let square = least_squared(&placed.triangles, &[Triangle { a: point, b: point, c: point }]);
    let room = 128.0 * f64::EPSILON * (placed.reach() + point.abs().max_element());
    let mut whole = Work::default();
    let best = whole.closest_point(body.at(&placed.pose), point);
    let (some, enough) = few(|work| _ = work.closest_point(body.at(&placed.pose), point), r);
    for nodes in some {
        let mut work = Work::new(Budget::nodes(nodes));
        let found = work.closest_point(body.at(&placed.pose), point);
        assert!(work.statistics().nodes <= nodes);
        assert!(nodes < enough || found == best, "{found:?} instead of {best:?}");
        let interval = found.distance;
        let right = if inside {
            interval.lower == 0.0
        } else {
            at_most_root(interval.lower, &square) && root_at_most(&square, interval.upper)
        };
        assert!(right, "{nodes} nodes: {found:?} of {point:?}, {:e}", square.to_f64().sqrt());
        seen.cut_short += usize::from(found != best);
        if interval.upper == 0.0 && inside {
            continue;
        }
        let corners = placed.triangles[found.feature as usize].corners();
        assert!(root_at_most(&squared_distance(&corners, &[found.point; 3]), room), "{found:?}");
        assert!((found.point.distance(point) - interval.upper).abs() <= room, "{found:?} of {point:?}");
    }
}

fn inside(placed: &Placed, body: &Body, point: DVec3, r: &mut Pcg64, seen: &mut Seen) {
    let Ok(truth) = contains(body.at(&placed.pose), point) else { return };
    assert_eq!(truth, encloses(&placed.triangles, point, r), "{point:?}");
    let (some, enough) = few(|work| _ = work.contains(body.at(&placed.pose), point), r);
    for nodes in some {
        let mut work = Work::new(Budget::nodes(nodes));
        let found = work.contains(body.at(&placed.pose), point).unwrap();
        assert!(work.statistics().nodes <= nodes);
        assert!(found.is_none_or(|answer| answer == truth), "{point:?}");
        assert!(nodes < enough || found.is_some());
        seen.cut_short += usize::from(found.is_none());
    }
}

/// The whole list is compared elsewhere.
fn own_pairs(placed: &Placed, body: &Body, r: &mut Pcg64, seen: &mut Seen) {
    let all = self_intersections(body.at(&placed.pose));
    let (some, enough) = few(|work| _ = work.self_intersections(body.at(&placed.pose)), r);
    for nodes in some {
        let mut work = Work::new(Budget::nodes(nodes));
        let found = work.self_intersections(body.at(&placed.pose));
        assert!(work.statistics().nodes <= nodes);
        assert!(found.found.is_sorted() && found.found.iter().all(|pair| all.contains(pair)));
        assert!(!found.complete || found.found == all);
        assert!(nodes < enough || found.complete);
        seen.cut_short += usize::from(!found.complete);
        match Work::new(Budget::nodes(nodes)).self_intersects(body.at(&placed.pose)) {
            Intersection::Touching { features } => assert!(all.contains(&features)),
            Intersection::Apart => assert!(all.is_empty()),
            Intersection::Undecided(_) => assert!(nodes < enough),
        }
    }
}
