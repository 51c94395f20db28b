//! What one query says of two bodies must fit what the others say: all ordered pairs of shapes, all verbs,
//! bodies far, near, touching, overlapping and deep in each other, and plain, slender, coplanar, repeated,
//! huge, tiny, far-off and uneven input.
//!
//! None of the relations needs to know what is true, and each can fail. What fails is printed as a line for
//! `sudar replay`.
//! `SUDAR_RELATIONS=1000000 cargo test --release -p sudar-record --test relations -- --nocapture` for a long
//! run, as many relations as that; `SUDAR_RELATIONS_FROM` sets the number of the first case,
//! `SUDAR_RELATIONS_CASES` how many.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]
#![expect(clippy::print_stdout, reason = "the long run prints a table")]

mod bodies;
mod cases;
mod count;
mod lists;
mod pairs;
mod points;
mod replay;
#[path = "../../../sudar/tests/all/support/mod.rs"]
mod support;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};

use cases::Case;
use count::Count;

fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|n| n.parse().ok())
}

fn one(number: u64) -> Count {
    let mut count = Count::default();
    let done = catch_unwind(AssertUnwindSafe(|| {
        let case = Case::numbered(number);
        pairs::relate(&case, &mut count);
        points::relate(&case, &mut count);
    }));
    assert!(done.is_ok(), "case {number} panics: SUDAR_RELATIONS_FROM={number} SUDAR_RELATIONS_CASES=1");
    count
}

/// Cases from the first on until so many relations were tried, or so many cases. Which cases that are does
/// not depend on the number of threads.
fn run(first: u64, relations: u64, cases: u64) -> Count {
    const CHUNK: u64 = 400;
    let mut all = Count::default();
    let mut from = first;
    while from < first + cases && all.relations() < relations {
        let (next, end) = (AtomicU64::new(from), (from + CHUNK).min(first + cases));
        let work = || {
            let mut count = Count::default();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= end {
                    return count;
                }
                count.merge(one(number));
            }
        };
        let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            workers.into_iter().for_each(|worker| all.merge(worker.join().unwrap()));
        });
        from = end;
    }
    println!("{} relations of {} cases from {first}", all.relations(), from - first);
    all
}

#[test]
fn no_two_verbs_contradict_each_other() {
    let relations = setting("SUDAR_RELATIONS").unwrap_or(200_000);
    let cases = setting("SUDAR_RELATIONS_CASES").unwrap_or(u64::MAX / 2);
    let count = run(setting("SUDAR_RELATIONS_FROM").unwrap_or(0), relations, cases);
    count.print();
    assert!(count.failed.is_empty(), "{:?}", count.failed.keys());
}
