//! Queries on every pair of convex shapes, against closed forms, second algorithms, certificates and brute force.
//!
//! `SUDAR_ORACLE_PAIRS=10000000 cargo test --release -p sudar-testing --test convex_pairs -- --nocapture` for a
//! long run.
//! `SUDAR_ORACLE_FROM` sets the number of the first pair.

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
use sudar_testing::oracle::{on_all_threads, setting};
use table::Stats;

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
    let mut stats = Stats::default();
    on_all_threads(first..first + count, one).into_iter().for_each(|part| stats.merge(part));
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
