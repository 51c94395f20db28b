//! Every query of meshes against brute force: on small meshes of many classes, most of them degenerate in
//! some way, what is asked of the trees is found by looking at every triangle or pair of triangles, distances
//! and rays in exact fractions. One test asks about pairs, the other about single meshes (rays, winding
//! numbers, triangles touched, depths). 2000 pairs of meshes by default, some 10⁵ queries; for more, with a
//! table of the classes:
//!
//! ```text
//! SUDAR_ORACLE_MESHES=100000 cargo test --release -p sudar --test all mesh_queries -- --nocapture
//! ```
//!
//! A pair that goes wrong is named by its number; `SUDAR_ORACLE_FROM` begins there.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "all of this file is test code"
)]

mod budgets;
mod cases;
pub mod depths;
mod exact_distance;
mod exact_ray;
mod gauge;
mod pairs;
mod points;
mod rays;
mod stopped;
mod touching;
mod truth;
mod walks;
mod winding;

use cases::{CLASSES, Class};
use pairs::{Pair, body};
use sudar_testing::Random;
use sudar_testing::oracle::{Count, count_by_class, setting};
use truth::Truth;

#[test]
fn every_query_agrees_with_brute_force() {
    on_all(one);
}

#[test]
fn rays_windings_touches_and_depths_agree_with_brute_force() {
    on_all(single);
}

/// Runs the cases asked for, prints what was seen, and fails if any went wrong.
fn on_all(check: fn(u64, &mut Count)) {
    let from = setting("SUDAR_ORACLE_FROM", 0);
    let numbers = from..from + setting("SUDAR_ORACLE_MESHES", 2_000);
    count_by_class(numbers, |n| class(n).0, check);
}

fn class(n: u64) -> Class {
    CLASSES[(n % CLASSES.len() as u64) as usize]
}

/// Pair number `n`, which depends on nothing else.
fn one(n: u64, count: &mut Count) {
    let r = &mut Random::new(n);
    let [a, b] = class(n).1(r);
    let truth = Truth::of(&a, &b, r);
    count.add("pairs", 1);
    count.add("touching", truth.touching());
    count.add("one inside", truth.touching() && truth.pairs.is_empty());
    count.add("triangles meet", truth.pairs.len());
    count.add("distance is an `f64`", !truth.touching() && truth.exact_distance().is_some());
    let (pair, swapped) = (Pair::new(&a, &b, &truth), Pair::new(&b, &a, &truth));
    pair.check(&swapped, r, count);
    // As dear as all the rest: the truth is found anew at every step.
    if (n / CLASSES.len() as u64).is_multiple_of(4) {
        walks::check(&a, &b, r, count);
    }
    points::check(&a, &pair.bodies[0], r, count);
    points::check(&b, &pair.bodies[1], r, count);
}

/// What is asked of the first mesh of pair number `n` by itself or with the second, which also depends on nothing else.
fn single(n: u64, seen: &mut Count) {
    let r = &mut Random::new(n);
    let [a, b] = class(n).1(r);
    let [left, right] = [body(&a), body(&b)];
    seen.add("meshes", 1);
    rays::check(&a, &left, r, seen);
    winding::check(&a, &left, r, seen);
    touching::check(&a, &b, &left, r, seen);
    stopped::check(&a, &left, r, seen);
    depths::check(&a, &b, [&left, &right], r, seen);
}
