//! The exact test of two triangles: crossing, near misses, touching and coplanar.

#![allow(missing_docs, reason = "criterion's macros make undocumented items")]

use criterion::{Criterion, criterion_group, criterion_main};
use glam::DVec3;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use sudar::Triangle;
use sudar::pair::triangles_intersect;

const COUNT: usize = 1000;

/// Random corners in the unit cube, on a grid of `steps` if that is not zero: few steps make coplanar and
/// touching pairs, on which the exact arithmetic has to work.
fn pairs(steps: u32) -> Vec<[Triangle; 2]> {
    let mut random = Pcg64::seed_from_u64(3);
    let mut coordinate = || match steps {
        0 => random.random_range(0.0..1.0),
        n => f64::from(random.random_range(0..=n)),
    };
    let mut point = || DVec3::new(coordinate(), coordinate(), coordinate());
    let mut triangle = || Triangle { a: point(), b: point(), c: point() };
    (0..COUNT).map(|_| [triangle(), triangle()]).collect()
}

fn bench(c: &mut Criterion) {
    let mut group = c.benchmark_group("triangle-triangle ×1000");
    for (name, steps) in [("random", 0), ("grid of 8", 8), ("grid of 2", 2)] {
        let pairs = pairs(steps);
        let hits = || pairs.iter().filter(|[s, t]| triangles_intersect(s, t)).count();
        group.bench_function(name, |b| b.iter(hits));
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
