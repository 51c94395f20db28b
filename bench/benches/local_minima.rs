//! Local minima of two globes side by side, near and overlapping, of ten to a hundred and sixty thousand triangles.

#![allow(missing_docs, reason = "criterion's macros make undocumented items")]
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark may stop at once, and says what it does"
)]

use criterion::{Criterion, criterion_group, criterion_main};
use sudar::query::{Body, Work};
use sudar::{DVec3, Pose};
use sudar_bench::generate;

fn bench(c: &mut Criterion) {
    for (rings, sectors) in [(50, 100), (100, 200), (200, 400)] {
        let globe = Body::new(generate::globe(rings, sectors).unwrap());
        let triangles = globe.mesh().unwrap().triangles().len();
        let mut group = c.benchmark_group(format!("globes of {triangles}"));
        group.sample_size(10);
        for (gap, tolerance) in [(0.01, 0.02), (0.01, 0.05), (-0.1, 0.01)] {
            let pose = Pose::from_translation(DVec3::new(0.6, 0.8, 0.0) * (2.0 + gap)).unwrap();
            let minima = |work: &mut Work| {
                work.local_minima(globe.at(&Pose::IDENTITY), globe.at(&pose), tolerance).found.len()
            };
            let name = format!("gap {gap}, up to {tolerance}");
            let mut once = Work::default();
            println!("{triangles} triangles, {name}: {} minima, {:?}", minima(&mut once), once.statistics());
            group.bench_function(name, |b| b.iter(|| minima(&mut Work::default())));
        }
        group.finish();
    }
}

criterion_group!(benches, bench);
criterion_main!(benches);
