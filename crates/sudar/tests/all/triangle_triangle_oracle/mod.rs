//! Triangle against triangle: every answer of the library checked with exact arithmetic on pairs most of which are
//! degenerate. 10⁴ pairs by default; for 10⁶ and a table of the classes:
//!
//! ```text
//! SUDAR_ORACLE_PAIRS=1000000 cargo test --release -p sudar --test all triangle_triangle_oracle -- --nocapture
//! ```

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "all of this file is test code")]

mod cases;
pub mod reference;

use std::collections::BTreeMap;
use std::env;
use std::thread;

use cases::CLASSES;
use glam::DVec3;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use reference::{Exact, common_part, has_area, on_both_sides};
use sudar::pair::{
    TriangleIntersection, edge_in_face, triangle_intersection, triangles_cross, triangles_intersect,
};
use sudar::{Segment, Triangle};

/// What was seen in one class.
#[derive(Default, Clone, Copy)]
struct Count {
    pairs: usize,
    meeting: usize,
    crossing: usize,
    points: usize,
    segments: usize,
    polygons: usize,
    without_area: usize,
}

impl Count {
    fn add(&mut self, other: &Self) {
        self.pairs += other.pairs;
        self.meeting += other.meeting;
        self.crossing += other.crossing;
        self.points += other.points;
        self.segments += other.segments;
        self.polygons += other.polygons;
        self.without_area += other.without_area;
    }
}

#[test]
fn all_answers_agree_with_exact_arithmetic() {
    let pairs: usize = env::var("SUDAR_ORACLE_PAIRS").ok().and_then(|n| n.parse().ok()).unwrap_or(10_000);
    let threads = thread::available_parallelism().map_or(1, Into::into);
    let counts = thread::scope(|scope| {
        let workers: Vec<_> =
            (0..threads).map(|t| scope.spawn(move || run((t..pairs).step_by(threads)))).collect();
        workers.into_iter().map(|w| w.join().unwrap()).fold(BTreeMap::new(), merged)
    });
    print_table(&counts);
    for class in CLASSES {
        let count = counts[class.name()];
        assert!(count.pairs > 0 && count.meeting > 0, "class {} is empty", class.name());
        assert!(count.meeting < count.pairs || class.always_meets(), "{} always meets", class.name());
    }
    let all = |f: fn(&Count) -> usize| counts.values().map(f).sum::<usize>();
    assert!(all(|c| c.points) > 100 && all(|c| c.segments) > 100 && all(|c| c.polygons) > 100);
    assert!(all(|c| c.crossing) > 100 && all(|c| c.without_area) > 100);
}

fn merged(
    mut into: BTreeMap<&'static str, Count>,
    from: BTreeMap<&'static str, Count>,
) -> BTreeMap<&'static str, Count> {
    for (name, count) in from {
        into.entry(name).or_default().add(&count);
    }
    into
}

fn print_table(counts: &BTreeMap<&'static str, Count>) {
    println!(
        "| class | pairs | meet | cross | in a point | in a segment | in a polygon | one without area |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    let mut total = Count::default();
    let row = |name: &str, c: &Count| {
        println!(
            "| {name} | {} | {} | {} | {} | {} | {} | {} |",
            c.pairs, c.meeting, c.crossing, c.points, c.segments, c.polygons, c.without_area
        );
    };
    for (name, count) in counts {
        row(name, count);
        total.add(count);
    }
    row("all", &total);
}

fn run(numbers: impl Iterator<Item = usize>) -> BTreeMap<&'static str, Count> {
    let mut counts: BTreeMap<&'static str, Count> = BTreeMap::new();
    for number in numbers {
        let mut random = Pcg64::seed_from_u64(number as u64);
        let class = CLASSES[number % CLASSES.len()];
        let (a, b) = class.pair(&mut random);
        let count = check(&a, &b, &mut random, number);
        counts.entry(class.name()).or_default().add(&count);
    }
    counts
}

/// Compares everything the library says about the pair with the exact common part.
fn check(a: &Triangle, b: &Triangle, random: &mut Pcg64, number: usize) -> Count {
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
    Count {
        pairs: 1,
        meeting: meet.into(),
        crossing: cross.into(),
        points: matches!(part, Some(TriangleIntersection::Point(_))).into(),
        segments: matches!(part, Some(TriangleIntersection::Segment(_))).into(),
        polygons: matches!(part, Some(TriangleIntersection::Polygon(_))).into(),
        without_area: (!has_area(a) || !has_area(b)).into(),
    }
}

/// All 36 orders of the corners, for one pair in eight.
fn check_orders(a: &Triangle, b: &Triangle, meet: bool, cross: bool, number: usize) {
    const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];
    if !(number / CLASSES.len()).is_multiple_of(8) {
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
fn check_scaled(a: &Triangle, b: &Triangle, meet: bool, random: &mut Pcg64) {
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
