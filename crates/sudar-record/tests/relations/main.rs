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

use std::panic::{AssertUnwindSafe, catch_unwind};

use cases::Case;
use count::Count;
use sudar_testing::oracle::{on_all_threads, setting};

fn one(number: u64, count: &mut Count) {
    let done = catch_unwind(AssertUnwindSafe(|| {
        let case = Case::numbered(number);
        pairs::relate(&case, count);
        points::relate(&case, count);
    }));
    assert!(done.is_ok(), "case {number} panics: SUDAR_RELATIONS_FROM={number} SUDAR_RELATIONS_CASES=1");
}

/// Cases from the first on until so many relations were tried, or so many cases. Which cases that are does
/// not depend on the number of threads.
fn run(first: u64, relations: u64, cases: u64) -> Count {
    const CHUNK: u64 = 400;
    let mut all = Count::default();
    let mut from = first;
    while from < first + cases && all.relations() < relations {
        let end = (from + CHUNK).min(first + cases);
        on_all_threads(from..end, one).into_iter().for_each(|count| all.merge(count));
        from = end;
    }
    println!("{} relations of {} cases from {first}", all.relations(), from - first);
    all
}

#[test]
fn no_two_verbs_contradict_each_other() {
    let relations = setting("SUDAR_RELATIONS", 200_000);
    let cases = setting("SUDAR_RELATIONS_CASES", u64::MAX / 2);
    let count = run(setting("SUDAR_RELATIONS_FROM", 0), relations, cases);
    count.print();
    assert!(count.failed.is_empty(), "{:?}", count.failed.keys());
}
