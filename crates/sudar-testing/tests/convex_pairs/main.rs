//! Queries on every pair of convex shapes, against closed forms, second algorithms, certificates and brute force.
//!
//! `SUDAR_ORACLE_PAIRS=10000000 cargo test --release -p sudar-testing --test convex_pairs -- --nocapture` for a
//! long run.
//! `SUDAR_ORACLE_FROM` sets the number of the first pair, `SUDAR_ORACLE_THREADS` how many threads.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may fail, and the long run prints tables"
)]

mod check;
mod faults;
mod polytopes;
mod table;
mod wholes;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use check::Judge;
use sudar_testing::convex_pairs::Case;
use table::Stats;

fn setting(name: &str, or: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(or)
}

/// A pair that takes longer than this is a hang: the slowest take a millisecond.
const PATIENCE: Duration = Duration::from_secs(3);

fn one(number: u64, stats: &mut Stats) {
    let start = Instant::now();
    let done = catch_unwind(AssertUnwindSafe(|| {
        let case = Case::numbered(number);
        Judge::new(&case, number, stats).judge();
    }));
    if done.is_err() {
        stats.fault("panic", format!("pair {number}"));
    }
    let took = start.elapsed();
    stats.measure("time of a pair with all checks, s", took.as_secs_f64(), number);
    if took > PATIENCE {
        stats.fault("hang", format!("pair {number}: {took:?}"));
    }
}

#[test]
fn random_pairs_of_all_kinds() {
    let (first, count) = (setting("SUDAR_ORACLE_FROM", 0), setting("SUDAR_ORACLE_PAIRS", 10_000));
    let threads =
        setting("SUDAR_ORACLE_THREADS", std::thread::available_parallelism().map_or(1, |n| n.get() as u64));
    let stats = std::thread::scope(|scope| {
        let work = |part: u64| {
            let mut stats = Stats::default();
            (first..first + count).filter(|i| i / 1024 % threads == part).for_each(|i| one(i, &mut stats));
            stats
        };
        let parts: Vec<_> = (0..threads).map(|part| scope.spawn(move || work(part))).collect();
        parts.into_iter().fold(Stats::default(), |mut all, part| {
            all.merge(part.join().unwrap());
            all
        })
    });
    stats.print();
    assert!(stats.faults.is_empty(), "{:?}", stats.faults.keys());
}

#[test]
fn polytopes_against_the_hull_of_their_differences() {
    let count = setting("SUDAR_ORACLE_PAIRS", 10_000) / 5;
    let [apart, met] = polytopes::against_the_hull_of_differences(count);
    assert!(apart > count / 5 && met > count / 20, "{apart} {met}");
}

#[test]
fn polytopes_in_whole_numbers() {
    let count = setting("SUDAR_ORACLE_PAIRS", 10_000) / 2;
    let [apart, touching, overlapping] = polytopes::in_whole_numbers(count);
    assert!(apart.min(touching).min(overlapping) > count / 50, "{apart} {touching} {overlapping}");
}

#[test]
fn meshes_and_solids_answer_as_their_triangles() {
    let count = setting("SUDAR_ORACLE_PAIRS", 10_000) / 10;
    let counted = wholes::meshes(count);
    assert!(counted.iter().all(|n| *n > count / 40), "{counted:?}");
}

#[test]
fn compounds_answer_as_their_parts() {
    let count = setting("SUDAR_ORACLE_PAIRS", 10_000) / 10;
    let counted = wholes::compounds(count);
    assert!(counted.iter().all(|n| *n > count / 10), "{counted:?}");
}

#[test]
fn points_and_rays_on_every_shape() {
    let count = setting("SUDAR_ORACLE_PAIRS", 10_000);
    let [inside, hits] = wholes::points_and_rays(count);
    assert!(inside > count / 40 && hits > count / 10, "{inside} {hits}");
}

#[test]
fn scale_and_place_do_not_matter() {
    wholes::scales_and_motions(setting("SUDAR_ORACLE_FROM", 0), setting("SUDAR_ORACLE_PAIRS", 10_000) / 4);
}
