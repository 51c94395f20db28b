//! The shortest queries and rays among many bodies, in ns, and all pairs of triangles of a model with itself, in µs:
//! what a program of one's own that depends on `sudar` gets.
//!
//! `cargo run --release --example small_queries -- [MODEL.obj]`; with one unit a crate by
//! `CARGO_PROFILE_RELEASE_CODEGEN_UNITS=1`.
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "an example prints what it finds")]

use std::hint::black_box;
use std::time::Instant;

use sudar::many::{CollisionManager, Filter, Object};
use sudar::query::{Body, DistanceOptions, contacts, distance, intersects, penetration};
use sudar::{Capsule, Cuboid, DVec3, Ellipsoid, Pose, Ray, Shape, Sphere, broad};
use sudar_bench::cases::read_mesh;
use sudar_testing::Random;

type Case = (Pose, Pose);

/// The least time of a call, in ns, over several sweeps through all cases.
fn least<T, R>(sweeps: usize, cases: &[T], mut call: impl FnMut(&T) -> R) -> f64 {
    let sweep = || {
        let start = Instant::now();
        cases.iter().for_each(|case| drop(black_box(call(case))));
        start.elapsed().as_secs_f64() * 1e9 / cases.len() as f64
    };
    std::iter::repeat_with(sweep).take(sweeps).fold(f64::INFINITY, f64::min)
}

/// Random rotations, the second body at a distance of `near..far` in any direction.
fn cases(random: &mut Random, count: usize, near: f64, far: f64) -> Vec<Case> {
    let mut case = || {
        let way = random.direction() * random.within(near, far);
        (random.pose(DVec3::ZERO), random.pose(way))
    };
    std::iter::repeat_with(&mut case).take(count).collect()
}

/// Touching, distance and depth of two equal bodies near each other.
fn pairs(name: &str, shape: Shape, random: &mut Random) {
    let (body, cases) = (Body::new(shape), cases(random, 512, 1.4, 1.8));
    let touch = least(200, &cases, |(p, q)| intersects(body.at(p), body.at(q)));
    let apart = least(200, &cases, |(p, q)| distance(body.at(p), body.at(q), &DistanceOptions::EXACT));
    let deep = least(200, &cases, |(p, q)| penetration(body.at(p), body.at(q)));
    println!("two {name}: touching {touch:.0}, distance {apart:.0}, depth {deep:.0} ns");
}

fn rays(random: &mut Random) {
    let side = 16.0;
    let cube = Body::new(Cuboid::new(DVec3::splat(0.5)).unwrap());
    let anywhere = |random: &mut Random| (random.point() + DVec3::ONE) * (0.5 * side);
    for (name, phase) in [("dynamic tree", broad::bvh()), ("automatic choice", broad::auto())] {
        let mut scene = CollisionManager::with_broad_phase(0.0, phase).unwrap();
        let object = |center: DVec3| Object::new("", cube.clone(), Pose::from_translation(center).unwrap());
        scene.insert_all((0..1000).map(|_| object(anywhere(random))).collect()).unwrap();
        scene.step();
        let ray = |random: &mut Random| {
            let from = DVec3::splat(0.5 * side) + random.direction() * side;
            Ray::new(from, anywhere(random) - from).unwrap()
        };
        let rays: Vec<Ray> = (0..2000).map(|_| ray(random)).collect();
        let taken = least(30, &rays, |ray| scene.ray(ray, f64::INFINITY, Filter::ALL).found);
        println!("a ray among 1000 boxes, {name}: {taken:.0} ns");
    }
}

fn all_pairs(model: &str, random: &mut Random) {
    let mesh = read_mesh(model.as_ref()).unwrap();
    let aabb = mesh.aabb();
    let (size, center) = (0.5 * aabb.extent().length(), aabb.center());
    let body = Body::new(mesh.mapped(|p| p - center).unwrap());
    for [near, far] in [[0.15, 0.5], [0.6, 0.9], [1.3, 2.0]] {
        let cases = cases(random, 40, near * size, far * size);
        let found: usize = cases.iter().map(|(p, q)| contacts(body.at(p), body.at(q)).len()).sum();
        let taken = least(25, &cases, |(p, q)| contacts(body.at(p), body.at(q))) * 1e-3;
        println!("all pairs, {near} to {far} of half the diagonal apart: {taken:.2} µs, {found} pairs");
    }
}

fn main() {
    let random = &mut Random::new(1);
    pairs("balls", Sphere::new(DVec3::ZERO, 1.0).unwrap().into(), random);
    pairs("capsules", Capsule::new(0.5, 0.7).unwrap().into(), random);
    pairs("boxes", Cuboid::new(DVec3::new(1.0, 0.7, 0.5)).unwrap().into(), random);
    pairs("ellipsoids", Ellipsoid::new(DVec3::new(1.0, 0.7, 0.5)).unwrap().into(), random);
    rays(random);
    if let Some(model) = std::env::args().nth(1) {
        all_pairs(&model, random);
    }
}
