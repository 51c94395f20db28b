//! Any two shapes on any two motions, against their distances at many instants:
//! `cargo +nightly fuzz run -s none --no-trace-compares sweeps`.
//!
//! The bytes choose the shapes, the kinds of motion, the scale, the separation and delta; the check is that
//! of the oracle in `crates/sudar/tests/all/sweeps`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sudar::effort::Budget;
use sudar::motion::Motion;
use sudar::query::{Sweep, SweepOptions, Work};
use sudar_testing::{Random, zoo};

#[allow(dead_code)]
#[path = "../../crates/sudar/tests/all/sweeps/motions.rs"]
mod motions;

/// So many nodes are enough for any two shapes of the zoo on motions of these kinds.
const NODES: u64 = 1 << 20;

fuzz_target!(|bytes: &[u8]| {
    let byte = |i: usize| bytes.get(i).copied().unwrap_or(0);
    let zoo = zoo::zoo();
    let [a, b] = [0, 1].map(|i| &zoo[byte(i) as usize % zoo.len()]);
    let seed = bytes.iter().skip(6).fold(0u64, |seed, x| seed.wrapping_mul(257).wrapping_add(u64::from(*x)));
    let mut rng = Random::new(seed);
    let kinds = [2, 3].map(|i| motions::KINDS[byte(i) as usize % motions::KINDS.len()]);
    let [m, n]: [Motion; 2] = kinds.map(|kind| motions::motion(&mut rng, kind));
    let separation = f64::from(byte(4) % 4) * 0.03;
    let delta = 10f64.powi(-2 - i32::from(byte(5) % 8));
    let options = SweepOptions::within(delta).apart_by(separation);
    let mut work = Work::new(Budget::nodes(NODES));
    let found = work.sweep(a.1.moving(&m), b.1.moving(&n), &options);
    // Grazing to within 1e-9 may take longer than anybody waits; what is known by then is checked as well.
    let found = match found {
        Sweep::Undecided { .. } if delta >= 1e-6 => panic!("{} {}: {found:?}", a.0, b.0),
        found => found,
    };
    if found.decided().is_some() {
        motions::check([&a.1, &b.1], [&m, &n], &options, &found, 40, &format!("{} {}", a.0, b.0));
    }
});
