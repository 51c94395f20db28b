//! Triangle against triangle: every answer of the library checked with exact arithmetic on pairs most of which are
//! degenerate. 10⁴ pairs by default; for 10⁶ and a table of the classes:
//!
//! ```text
//! SUDAR_ORACLE_PAIRS=1000000 cargo test --release -p sudar --test all triangle_triangle_oracle -- --nocapture
//! ```

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "all of this file is test code")]

mod cases;
pub mod reference;

use cases::{CLASSES, Class};
use glam::DVec3;
use rand::RngExt;
use reference::{Exact, common_part, has_area, on_both_sides};
use sudar::pair::{
    TriangleIntersection, edge_in_face, triangle_intersection, triangles_cross, triangles_intersect,
};
use sudar::{Segment, Triangle};
use sudar_testing::Random;
use sudar_testing::oracle::{Count, count_by_class, setting};

#[test]
fn all_answers_agree_with_exact_arithmetic() {
    let class = |n: u64| &CLASSES[(n % CLASSES.len() as u64) as usize];
    let pairs = setting("SUDAR_ORACLE_PAIRS", 10_000);
    let counts = count_by_class(
        0..pairs,
        |n| class(n).name,
        |n, count| {
            let mut random = Random::new(n);
            let (a, b) = (class(n).pair)(&mut random);
            check(&a, &b, &mut random, n, count);
        },
    );
    for Class { name, always_meets, .. } in CLASSES {
        let (pairs, meeting) = (counts[name].of("pairs"), counts[name].of("meet"));
        assert!(pairs > 0 && meeting > 0, "class {name} is empty");
        assert!(meeting < pairs || always_meets, "{name} always meets");
    }
    for column in ["in a point", "in a segment", "in a polygon", "cross", "one without area"] {
        assert!(counts.values().map(|count| count.of(column)).sum::<u64>() > 100, "{column}");
    }
}

/// Compares everything the library says about the pair with the exact common part.
fn check(a: &Triangle, b: &Triangle, random: &mut Random, number: u64, count: &mut Count) {
    let common = common_part(a, b);
    let meet = !common.is_empty();
    let cross = meet && on_both_sides(a, b) && on_both_sides(b, a);
    let about = || format!("pair {number}: {a:?} {b:?}");
    assert_eq!(triangles_intersect(a, b), meet, "{}", about());
    assert_eq!(triangles_intersect(b, a), meet, "swapped {}", about());
    assert_eq!(edge_in_face(a, b), meet, "edge in face {}", about());
    assert_eq!(triangles_cross(a, b), cross, "crossing {}", about());
    assert_eq!(triangles_cross(b, a), cross, "crossing, swapped {}", about());
    check_orders(a, b, meet, cross, number);
    check_scaled(a, b, meet, random);
    let part = triangle_intersection(a, b);
    check_part(part.as_ref(), &common, a, b, &about);
    check_part(triangle_intersection(b, a).as_ref(), &common, a, b, &about);
    count.add("pairs", 1);
    count.add("meet", meet);
    count.add("cross", cross);
    count.add("in a point", matches!(part, Some(TriangleIntersection::Point(_))));
    count.add("in a segment", matches!(part, Some(TriangleIntersection::Segment(_))));
    count.add("in a polygon", matches!(part, Some(TriangleIntersection::Polygon(_))));
    count.add("one without area", !has_area(a) || !has_area(b));
}

/// All 36 orders of the corners, for one pair in eight.
fn check_orders(a: &Triangle, b: &Triangle, meet: bool, cross: bool, number: u64) {
    const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];
    if !(number / CLASSES.len() as u64).is_multiple_of(8) {
        return;
    }
    for (p, q) in ORDERS.iter().flat_map(|p| ORDERS.iter().map(move |q| (p, q))) {
        let s = Triangle::from(p.map(|i| a.corners()[i]));
        let t = Triangle::from(q.map(|i| b.corners()[i]));
        assert_eq!(triangles_intersect(&s, &t), meet, "pair {number} in order {p:?} {q:?}");
        assert_eq!(triangles_cross(&s, &t), cross, "pair {number} in order {p:?} {q:?}");
    }
}

/// A power of two that loses no bit changes nothing.
fn check_scaled(a: &Triangle, b: &Triangle, meet: bool, random: &mut Random) {
    let factor = 2_f64.powi(random.random_range(-150..150));
    let scaled = |t: &Triangle| Triangle::from(t.corners().map(|p| p * factor));
    let (s, t) = (scaled(a), scaled(b));
    let lossless = [a, b].iter().zip([&s, &t]).all(|(from, to)| {
        from.corners().iter().zip(to.corners()).all(|(p, q)| q / factor == *p && q.abs().max_element() < 1e90)
    });
    if lossless {
        assert_eq!(triangles_intersect(&s, &t), meet, "scaled by {factor}: {a:?} {b:?}");
    }
}

/// The library's common part has the same kind and the same corners, up to the documented rounding.
fn check_part(
    part: Option<&TriangleIntersection>,
    common: &[Exact],
    a: &Triangle,
    b: &Triangle,
    about: &dyn Fn() -> String,
) {
    let corners = match part {
        None => vec![],
        Some(TriangleIntersection::Point(p)) => vec![*p],
        Some(TriangleIntersection::Segment(Segment { a, b })) => vec![*a, *b],
        Some(TriangleIntersection::Polygon(corners)) => corners.clone(),
    };
    assert_eq!(corners.len(), common.len(), "{part:?} {}", about());
    let reach = [a, b].iter().flat_map(|t| t.corners()).fold(0.0, |m: f64, p| m.max(p.abs().max_element()));
    let bound = reach / (1_u64 << 40) as f64;
    let near = |p: DVec3, q: &Exact| q.differs_by_at_most(p, bound);
    assert!(corners.iter().all(|p| common.iter().any(|q| near(*p, q))), "{part:?} {}", about());
    assert!(common.iter().all(|q| corners.iter().any(|p| near(*p, q))), "{part:?} {}", about());
}
