//! First hit and all pairs of two meshes of 20 000 triangles, in 100 poses.

#![allow(missing_docs, reason = "criterion's macros make undocumented items")]
#![allow(clippy::unwrap_used, reason = "a benchmark may stop at once")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sudar::query::{self, Body};
use sudar::{Mesh, Pose};
use sudar_bench::generate::{self, CLOSENESS};

const POSES: usize = 100;

fn bench(c: &mut Criterion) {
    let meshes =
        [("spheres", generate::bumpy_sphere(41).unwrap()), ("tori", generate::torus(141, 71).unwrap())];
    for (name, mesh) in &meshes {
        for closeness in CLOSENESS {
            let poses = generate::poses(mesh, mesh, POSES, 1, closeness).unwrap();
            bench_case(c, &format!("{name}/{}", closeness.name), mesh, &poses);
        }
    }
}

fn bench_case(c: &mut Criterion, name: &str, mesh: &Mesh, poses: &[Pose]) {
    let body = Body::new(mesh.clone());
    let here = Pose::IDENTITY;
    let mut group = c.benchmark_group(name);
    group.sample_size(20).throughput(Throughput::Elements(POSES as u64));
    let hits =
        || poses.iter().filter(|p| query::intersects(body.at(&here), body.at(p)).is_touching()).count();
    group.bench_function("first hit", |b| b.iter(hits));
    let pairs = || poses.iter().map(|p| query::contacts(body.at(&here), body.at(p)).len()).sum::<usize>();
    group.bench_function("all pairs", |b| b.iter(pairs));
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
