//! Every query of two small meshes made of any bytes, against brute force:
//! `cargo +nightly fuzz run -s none --no-trace-compares mesh_queries`. (The library forbids `unsafe`, so that
//! a sanitizer finds nothing and costs half the speed; traced comparisons, mostly those of long division,
//! cost three quarters of it.)
//!
//! The checks are those of the oracle in `crates/sudar/tests/all/mesh_queries`; the bytes say where vertices
//! are (mostly on a grid, some of them moved by ulps or far out), which triangles they make, how large and
//! where the bodies are.
#![no_main]

use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use sudar::{Aabb, DQuat, DVec3, Mesh, Pose};
use sudar_testing::Random;
use sudar_testing::oracle::Count;

#[path = "../../crates/sudar/tests/all/mesh_queries/budgets.rs"]
mod budgets;
#[path = "../../crates/sudar/tests/all/mesh_queries/depths.rs"]
mod depths;
#[path = "../../crates/sudar/tests/all/mesh_queries/exact_distance.rs"]
mod exact_distance;
#[path = "../../crates/sudar/tests/all/mesh_queries/exact_ray.rs"]
mod exact_ray;
#[path = "../../crates/sudar/tests/all/mesh_queries/gauge.rs"]
mod gauge;
#[path = "../../crates/sudar/tests/all/mesh_queries/pairs.rs"]
mod pairs;
#[path = "../../crates/sudar/tests/all/mesh_queries/points.rs"]
mod points;
#[path = "../../crates/sudar/tests/all/mesh_queries/rays.rs"]
mod rays;
#[path = "../../crates/sudar/tests/all/mesh_queries/stopped.rs"]
mod stopped;
#[path = "../../crates/sudar/tests/all/mesh_queries/touching.rs"]
mod touching;
#[allow(dead_code)]
#[path = "../../crates/sudar/tests/all/mesh_queries/truth.rs"]
mod truth;
#[path = "../../crates/sudar/tests/all/mesh_queries/walks.rs"]
mod walks;
#[path = "../../crates/sudar/tests/all/mesh_queries/winding.rs"]
mod winding;

use pairs::Pair;
use truth::{Placed, Truth};

fuzz_target!(|bytes: &[u8]| {
    let mut bytes = Bytes(bytes);
    let mut random = Random::new(u64::from(bytes.next()));
    let scale = 2_f64.powi(i32::from(bytes.next() as i8) * 2);
    let (Some(a), Some(b)) = (bytes.body(scale), bytes.body(scale)) else { return };
    let truth = Truth::of(&a, &b, &mut random);
    let (pair, swapped) = (Pair::new(&a, &b, &truth), Pair::new(&b, &a, &truth));
    let count = &mut Count::default();
    pair.check(&swapped, &mut random, count);
    walks::check(&a, &b, &mut random, count);
    points::check(&a, &pair.bodies[0], &mut random, count);
    points::check(&b, &pair.bodies[1], &mut random, count);
    single(&a, &b, &pair, &mut random);
});

fn single(a: &Placed, b: &Placed, pair: &Pair, random: &mut Random) {
    let (seen, [left, right]) = (&mut Count::default(), &pair.bodies);
    rays::check(a, left, random, seen);
    winding::check(a, left, random, seen);
    touching::check(a, b, left, random, seen);
    stopped::check(a, left, random, seen);
    depths::check(a, b, [left, right], random, seen);
}

/// What is left of the input; zeros after its end.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn next(&mut self) -> u8 {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first
    }

    /// A whole number of quarters, sometimes with a few ulps, a far one or a tiny one.
    fn number(&mut self) -> f64 {
        let x = f64::from(self.next() as i8) * 0.25;
        match self.next() {
            0..=191 => x,
            192 => x.next_up(),
            193 => x.next_down(),
            194 => x + f64::EPSILON,
            195 => x * 1e9,
            196 => x * 1e-9,
            197 => x * 1e-20,
            more => x + f64::from(more) / 300.0,
        }
    }

    fn point(&mut self) -> DVec3 {
        DVec3::from_array(std::array::from_fn(|_| self.number()))
    }

    fn body(&mut self, scale: f64) -> Option<Placed> {
        let kind = self.next();
        let mesh = if kind.is_multiple_of(5) { self.cuboid() } else { self.triangles()? };
        let mesh = mesh.mapped(|p| p * scale).ok()?;
        let by = self.point() * scale;
        let pose = match kind % 4 {
            0 | 1 => Pose::from_translation(by).ok()?,
            2 => Pose::new(by, DQuat::from_xyzw(0.5, 0.5, 0.5, 0.5)).ok()?,
            _ => {
                let [x, y, z, w] = std::array::from_fn(|_| f64::from(self.next()) - 100.0);
                let q = DQuat::from_xyzw(x, y, z, w);
                Pose::new(by, if q.length() > 0.5 { q.normalize() } else { DQuat::IDENTITY }).ok()?
            }
        };
        Some(Placed::new(&Arc::new(mesh), kind.is_multiple_of(10), pose))
    }

    fn cuboid(&mut self) -> Mesh {
        let (p, q) = (self.point(), self.point());
        let (min, max) = (p.min(q), p.max(q));
        let size = (max - min).cmpeq(DVec3::ZERO).any();
        Mesh::from_aabb(Aabb { min, max: if size { max + DVec3::ONE } else { max } })
    }

    fn triangles(&mut self) -> Option<Mesh> {
        let (count, vertices) = (u32::from(self.next() % 24) + 1, u32::from(self.next() % 20) + 3);
        let points = (0..vertices).map(|_| self.point()).collect();
        let mut number = || u32::from(self.next()) % vertices;
        let triangles = (0..count).map(|_| [number(), number(), number()]).collect();
        Mesh::new(points, triangles).ok()
    }
}
