//! Which triangles of a landscape does a shot meet? Every static index finds the same, at its own cost.
//!
//! `cargo run --release -p sudar-classic --example static_indices`
#![allow(clippy::print_stdout, reason = "an example prints its answer")]

use sudar::{DVec3, Segment, Triangle};
use sudar_classic::triangles::{IndexKind, Probe};

/// Two triangles on each of 64 by 64 squares, with hills.
fn landscape() -> Vec<Triangle> {
    let at = |x: i32, y: i32| DVec3::new(f64::from(x), f64::from(y), f64::from((x * x + 3 * y) % 5) * 0.2);
    let square = |i: i32| {
        let (x, y) = (i % 64, i / 64);
        let [a, b, c, d] = [at(x, y), at(x + 1, y), at(x + 1, y + 1), at(x, y + 1)];
        [Triangle::from([a, b, c]), Triangle::from([a, c, d])]
    };
    (0..64 * 64).flat_map(square).collect()
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let shot = Probe::Segment(Segment::new(DVec3::new(1.0, 2.0, 9.0), DVec3::new(61.0, 50.0, -5.0))?);
    let mut found = Vec::new();
    for kind in IndexKind::ALL {
        let index = kind.build(landscape())?;
        let met = index.query(&shot);
        let (tests, visits) = (met.counters.tests, met.counters.visits);
        let bytes = index.memory();
        println!(
            "{:10} meets {:?}: {tests} tests, {visits} visits, {bytes} bytes",
            kind.name(),
            met.triangles
        );
        found.push((met.triangles, tests));
    }
    let (all, rest) = found.split_first().ok_or("there is no index")?;
    assert!(!all.0.is_empty() && rest.iter().all(|(met, tests)| *met == all.0 && 10 * tests < all.1));
    Ok(())
}
