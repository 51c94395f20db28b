//! The classic systems on the inputs of their sources, and beside each other.

mod close;
mod models;
pub mod parallel;
pub mod patches;
pub mod quick_cd;
pub mod sat;
pub mod solid;
pub mod swift;
pub mod systems;

use std::time::Instant;

use super::Plan;
use super::figure::{Kind, Look, Series};

/// Seconds that something takes, the least of several runs.
fn seconds(plan: &Plan, mut run: impl FnMut()) -> f64 {
    let once = |_| {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64()
    };
    (0..plan.choose(1, 5)).map(once).fold(f64::INFINITY, f64::min)
}

fn line(label: &str, number: usize, points: Vec<(f64, f64)>) -> Series {
    Series { label: label.to_owned(), look: Look { number, kind: Kind::Line }, points }
}

fn dashed(label: &str, number: usize, points: Vec<(f64, f64)>) -> Series {
    Series { label: label.to_owned(), look: Look { number, kind: Kind::DashedLine }, points }
}

fn number(x: f64) -> String {
    format!("{x:.4}")
}

/// Makes the compiler believe that a result is used.
fn keep<T>(result: T) {
    std::hint::black_box(result);
}
