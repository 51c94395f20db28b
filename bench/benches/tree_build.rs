//! Building the tree of a bumpy sphere, on all threads and on one.

#![allow(missing_docs, reason = "criterion's macros make undocumented items")]
#![allow(clippy::unwrap_used, reason = "a benchmark may stop at once")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sudar::tree::WideTree;
use sudar_bench::generate::bumpy_sphere;

fn bench(c: &mut Criterion) {
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let mut group = c.benchmark_group("tree build");
    group.sample_size(20);
    for n in [13, 41, 82] {
        let mesh = bumpy_sphere(n).unwrap();
        let triangles = mesh.triangles().len();
        group.throughput(Throughput::Elements(triangles as u64));
        group.bench_function(format!("{triangles}/one thread"), |b| {
            one_thread.install(|| b.iter(|| WideTree::new(&mesh)));
        });
        group.bench_function(format!("{triangles}/all threads"), |b| b.iter(|| WideTree::new(&mesh)));
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
