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

mod cases;
mod count;
mod depths;
mod exact_distance;
mod exact_ray;
mod gauge;
mod pairs;
mod points;
mod rays;
mod seen;
mod stopped;
mod touching;
mod truth;
mod walks;
mod winding;

use std::env;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::thread;

use cases::CLASSES;
use count::{Count, Counts, Tally, merged};
use pairs::{Pair, body};
use rand::SeedableRng;
use rand_pcg::Pcg64;
use seen::Seen;
use truth::Truth;

#[test]
fn every_query_agrees_with_brute_force() {
    on_all_threads(one);
}

#[test]
fn rays_windings_touches_and_depths_agree_with_brute_force() {
    on_all_threads(single);
}

/// Runs the cases asked for, prints what was seen, and says how many went wrong.
fn on_all_threads<C: Tally>(check: fn(usize, &mut C)) {
    let from = number("SUDAR_ORACLE_FROM").unwrap_or(0);
    let to = from + number("SUDAR_ORACLE_MESHES").unwrap_or(2_000);
    let threads = thread::available_parallelism().map_or(1, Into::into);
    let counts = thread::scope(|scope| {
        let workers: Vec<_> =
            (0..threads).map(|t| scope.spawn(move || run((from + t..to).step_by(threads), check))).collect();
        let finished = workers.into_iter().map(|w| w.join().unwrap_or_else(|e| resume_unwind(e)));
        finished.fold(Counts::new(), merged)
    });
    count::print(&counts);
    let faults: usize = counts.values().map(Tally::faults).sum();
    assert_eq!(faults, 0, "pairs went wrong, see above");
}

fn number(variable: &str) -> Option<usize> {
    env::var(variable).ok().and_then(|n| n.parse().ok())
}

fn run<C: Tally>(numbers: impl Iterator<Item = usize>, check: fn(usize, &mut C)) -> Counts<C> {
    let mut counts = Counts::new();
    for n in numbers {
        let class = CLASSES[n % CLASSES.len()];
        let count = counts.entry(class).or_default();
        if catch_unwind(AssertUnwindSafe(|| check(n, count))).is_err() {
            println!("pair {n} ({class:?}) went wrong");
            count.fault();
        }
    }
    counts
}

/// Pair number `n`, which depends on nothing else.
fn one(n: usize, count: &mut Count) {
    let r = &mut Pcg64::seed_from_u64(n as u64);
    let [a, b] = CLASSES[n % CLASSES.len()].pair(r);
    let truth = Truth::of(&a, &b, r);
    count.truth(&truth);
    let (pair, swapped) = (Pair::new(&a, &b, &truth), Pair::new(&b, &a, &truth));
    pair.check(&swapped, r, count);
    // As dear as all the rest: the truth is found anew at every step.
    if (n / CLASSES.len()).is_multiple_of(4) {
        walks::check(&a, &b, r, count);
    }
    points::check(&a, &pair.bodies[0], r, count);
    points::check(&b, &pair.bodies[1], r, count);
}

/// What is asked of the first mesh of pair number `n` by itself or with the second, which also depends on nothing else.
fn single(n: usize, seen: &mut Seen) {
    let r = &mut Pcg64::seed_from_u64(n as u64);
    let [a, b] = CLASSES[n % CLASSES.len()].pair(r);
    let [left, right] = [body(&a), body(&b)];
    seen.meshes += 1;
    rays::check(&a, &left, r, seen);
    winding::check(&a, &left, r, seen);
    touching::check(&a, &b, &left, r, seen);
    stopped::check(&a, &left, r, seen);
    depths::check(&a, &b, [&left, &right], r, seen);
}
