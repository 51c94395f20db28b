//! Depths of convex bodies: boxes by their axes, hulls by the expanding polytope, each for 200 pairs that
//! overlap or nearly do.

#![allow(missing_docs, reason = "criterion's macros make undocumented items")]
#![allow(clippy::unwrap_used, reason = "a benchmark may stop at once")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use glam::{DQuat, DVec3};
use rand::SeedableRng;
use rand_pcg::Pcg64;
use sudar::convex::{
    Accuracy, Convex, Difference, GjkMemory, GjkOptions, GjkSimplex, Meeting, PosedConvex, cuboid_axes,
    cuboids_meet, expanding_polytope, gjk,
};
use sudar::hull::convex_hull;
use sudar::{Cuboid, Pose, Shape};
use sudar_bench::generate::direction;

const COUNT: usize = 200;

/// Random turns of two bodies, so far apart.
fn poses(random: &mut Pcg64, distance: f64) -> [Pose; 2] {
    let turned = |random: &mut Pcg64, at: DVec3| Pose::new(at, DQuat::from_array(direction(random))).unwrap();
    let way = DVec3::from(direction(random)) * distance;
    [turned(random, DVec3::ZERO), turned(random, way)]
}

fn cuboid(half: DVec3) -> Convex {
    Convex::of(&Shape::Cuboid(Cuboid::new(half).unwrap())).unwrap()
}

/// The hull of points on a sphere.
fn round(random: &mut Pcg64, count: usize) -> Convex {
    let points: Vec<DVec3> = (0..count).map(|_| direction(random).into()).collect();
    Convex::of(&convex_hull(&points).unwrap().into()).unwrap()
}

fn boxes(c: &mut Criterion) {
    let mut random = Pcg64::seed_from_u64(24);
    let body = cuboid(DVec3::new(0.6, 0.5, 0.7));
    let poses: Vec<_> = (0..COUNT).map(|_| poses(&mut random, 1.1)).collect();
    let mut group = c.benchmark_group("boxes by axes ×200");
    group.throughput(Throughput::Elements(COUNT as u64));
    let mut time = |name: &str, ask: &dyn Fn(&PosedConvex, &PosedConvex) -> bool| {
        let one = |[p, q]: &&[Pose; 2]| ask(&PosedConvex::new(&body, p), &PosedConvex::new(&body, q));
        group.bench_function(name, |b| b.iter(|| poses.iter().filter(one).count()));
    };
    time("posing alone", &|a, b| a.center() == b.center());
    time("yes or no", &|a, b| cuboids_meet(a, b) == Some(Meeting::Overlap));
    time("depth", &|a, b| cuboid_axes(a, b).is_some_and(|found| found.gap.upper < 0.0));
    group.finish();
}

/// Two poses of a body that overlap, with the simplex that GJK ends with.
type Overlap = ([Pose; 2], GjkSimplex);

fn overlaps(random: &mut Pcg64, body: &Convex) -> Vec<Overlap> {
    let mut found = Vec::new();
    while found.len() < COUNT {
        let [p, q] = poses(random, body.radius() * 1.6);
        let difference = Difference::new(PosedConvex::new(body, &p), PosedConvex::new(body, &q));
        let meeting = gjk(&difference, &GjkMemory::NONE, &GjkOptions::DISTANCE);
        if meeting.encloses {
            found.push(([p, q], meeting.simplex));
        }
    }
    found
}

fn hulls(c: &mut Criterion) {
    let mut random = Pcg64::seed_from_u64(6);
    let mut group = c.benchmark_group("expanding polytope ×200");
    group.throughput(Throughput::Elements(COUNT as u64));
    let round = [8, 32, 128, 640].map(|count| (format!("hull of {count}"), round(&mut random, count)));
    for (name, body) in round.into_iter().chain([("cube".to_owned(), cuboid(DVec3::splat(0.6)))]) {
        let cases = overlaps(&mut random, &body);
        let depth = |([p, q], simplex): &Overlap| {
            let difference = Difference::new(PosedConvex::new(&body, p), PosedConvex::new(&body, q));
            expanding_polytope(&difference, simplex.vertices(), &Accuracy::BEST, 512).expansions
        };
        group.bench_function(name, |b| b.iter(|| cases.iter().map(depth).sum::<u32>()));
    }
    group.finish();
}

criterion_group!(benches, boxes, hulls);
criterion_main!(benches);
