//! Table: the first of many boxes on a ray.

use std::hint::black_box;
use std::io::Write;
use std::time::Instant;

use anyhow::Result;
use clap::Args;
use glam::DVec3;
use parry3d::bounding_volume::Aabb as ParryBox;
use parry3d::partitioning::{Bvh, BvhBuildStrategy};
use parry3d::query::{Ray as ParryRay, RayCast};
use parry3d::shape::Cuboid as ParryCuboid;
use rand::{RngExt, SeedableRng};
use rapier3d::prelude::{
    ColliderBuilder, PhysicsWorld, QueryFilter, Ray as RapierRay, RigidBodyBuilder, Vector,
};
use sudar::broad;
use sudar::dynamics::{BodyType, RigidBody, Settings, World};
use sudar::many::{CollisionManager, Filter, Object};
use sudar::query::Body;
use sudar::{Cuboid, Pose, Ray};

use crate::report::{Report, figure};
use crate::{machine, timing};

/// How many boxes.
#[derive(Debug, Args)]
pub struct Options {
    /// Numbers of boxes
    #[arg(long, num_args = 1.., default_values_t = [1_000, 10_000])]
    boxes: Vec<usize>,
    /// Rays
    #[arg(long, default_value_t = 2_000)]
    rays: usize,
    /// Runs over all rays; the median counts
    #[arg(long, default_value_t = 9)]
    repeat: usize,
}

/// Half the edge of each box.
const HALF: f64 = 0.5;
const STEP: f64 = 1.0 / 60.0;
/// How fast bodies that move do, in m/s.
const DRIFT: f64 = 0.6;

/// Times every number of boxes.
///
/// # Errors
/// If a world refuses a box or the tables cannot be written.
pub fn run(options: &Options, out: &mut dyn Write) -> Result<()> {
    let columns = [
        "first on a ray, µs",
        "boxes",
        "rays that hit",
        "mean",
        "× rapier3d",
        "first ray after a change, ms",
    ];
    let mut report = Report::new(&columns);
    for &n in &options.boxes {
        let side = (n as f64 / 0.244).cbrt();
        let mut rng = rand_pcg::Pcg64::seed_from_u64(7);
        let mut point =
            |reach: f64| DVec3::from_array(std::array::from_fn(|_| rng.random_range(-reach..reach)));
        let centers: Vec<DVec3> = (0..n).map(|_| point(0.5 * side)).collect();
        let mut ray = || {
            let origin = point(1.0).normalize() * side;
            Ray { origin, direction: (point(0.5 * side) - origin).normalize() }
        };
        let rays: Vec<Ray> = (0..options.rays).map(|_| ray()).collect();
        let rows = rows(&centers, &rays, options.repeat)?;
        let rapier =
            rows.iter().find(|row| row.name == "rapier3d: PhysicsWorld").map_or(f64::NAN, |row| row.mean);
        for row in rows {
            let cells = [row.name.to_owned(), n.to_string(), row.hits.to_string(), figure(row.mean)];
            let refresh = row.refresh.map_or("–".to_owned(), figure);
            report.row([&cells[..], &[figure(row.mean / rapier), refresh]].concat());
        }
    }
    writeln!(out, "{}", machine::header())?;
    writeln!(
        out,
        "Unit boxes at random places, 0.244 of them in a unit of volume; rays from around to points among them."
    )?;
    report.print("Rays", out)
}

struct Row {
    name: &'static str,
    hits: usize,
    /// In µs.
    mean: f64,
    /// In ms.
    refresh: Option<f64>,
}

impl Row {
    fn of(
        name: &'static str,
        rays: &[Ray],
        repeat: usize,
        refresh: Option<f64>,
        mut cast: impl FnMut(&Ray) -> bool,
    ) -> Self {
        let hits = rays.iter().filter(|ray| cast(ray)).count();
        let all = timing::time(repeat, || rays.iter().filter(|ray| black_box(cast(ray))).count());
        Self { name, hits, mean: all / rays.len() as f64, refresh }
    }
}

/// The median of what `ask` takes right after `change`, in ms.
fn refresh<T>(it: &mut T, mut change: impl FnMut(&mut T), mut ask: impl FnMut(&mut T) -> bool) -> f64 {
    let mut times: Vec<f64> = (0..15)
        .map(|_| {
            change(it);
            let start = Instant::now();
            black_box(ask(it));
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    timing::median(&mut times)
}

fn rows(centers: &[DVec3], rays: &[Ray], repeat: usize) -> Result<Vec<Row>> {
    let cube = Body::new(Cuboid::new(DVec3::splat(HALF))?);
    let mut rows = Vec::new();
    let (fixed, moving) = ((BodyType::Static, DVec3::ZERO), (BodyType::Dynamic, DVec3::X * DRIFT));
    for (name, (kind, velocity)) in [("Sudar: World", fixed), ("the same, all move", moving)] {
        let mut world = World::new(Settings { gravity: DVec3::ZERO, ..Settings::default() })?;
        for (i, &position) in centers.iter().enumerate() {
            // They find no pairs, so that those that move go through each other.
            let filter = Filter::new(1, 2);
            let body = RigidBody::new(format!("{i}"), cube.clone());
            world.add(RigidBody { position, kind, velocity, filter, ..body })?;
        }
        let step = |world: &mut World| drop(world.step(STEP));
        let fitted =
            refresh(&mut world, step, |world| world.ray(&rays[0], f64::INFINITY, Filter::ALL).is_some());
        rows.push(Row::of(name, rays, repeat, Some(fitted), |ray| {
            world.ray(ray, f64::INFINITY, Filter::ALL).is_some()
        }));
    }
    let places =
        centers.iter().map(|center| Pose::from_translation(*center)).collect::<Result<Vec<_>, _>>()?;
    for (name, algorithm) in [("Sudar: CollisionManager", broad::auto()), ("the same, bvh", broad::bvh())] {
        let mut scene = CollisionManager::with_broad_phase(0.0, algorithm)?;
        let objects = places.iter().map(|pose| Object::new("", cube.clone(), *pose)).collect();
        let handles = scene.insert_all(objects)?;
        scene.step();
        let beside = centers
            .iter()
            .map(|center| Pose::from_translation(*center + 0.01))
            .collect::<Result<Vec<_>, _>>()?;
        let mut moved = false;
        let move_all = |scene: &mut CollisionManager| {
            moved = !moved;
            let _ = scene.set_poses(&handles, if moved { &beside } else { &places });
            scene.step();
        };
        let cast =
            |scene: &CollisionManager, ray: &Ray| scene.ray(ray, f64::INFINITY, Filter::ALL).found.is_some();
        let fitted = refresh(&mut scene, move_all, |scene| cast(scene, &rays[0]));
        rows.push(Row::of(name, rays, repeat, Some(fitted), |ray| cast(&scene, ray)));
    }
    rows.push(rapier(&places, rays, repeat));
    rows.push(parry(&places, rays, repeat));
    Ok(rows)
}

fn vector(p: DVec3) -> Vector {
    Vector::new(p.x as f32, p.y as f32, p.z as f32)
}

fn rapier(places: &[Pose], rays: &[Ray], repeat: usize) -> Row {
    let mut world = PhysicsWorld { gravity: Vector::ZERO, ..PhysicsWorld::default() };
    for place in places {
        let body = RigidBodyBuilder::fixed().translation(vector(place.translation()));
        world.insert(body, ColliderBuilder::cuboid(HALF as f32, HALF as f32, HALF as f32));
    }
    world.step();
    let cast = |ray: &Ray| {
        let ray = RapierRay::new(vector(ray.origin), vector(ray.direction));
        world.cast_ray_and_get_normal(&ray, f32::MAX, true, QueryFilter::default()).is_some()
    };
    Row::of("rapier3d: PhysicsWorld", rays, repeat, None, cast)
}

fn parry(places: &[Pose], rays: &[Ray], repeat: usize) -> Row {
    let half = Vector::splat(HALF as f32);
    let boxes = places.iter().map(|place| {
        let center = vector(place.translation());
        ParryBox::new(center - half, center + half)
    });
    let tree = Bvh::from_iter(BvhBuildStrategy::Binned, boxes.enumerate());
    let cube = ParryCuboid::new(half);
    let centers: Vec<Vector> = places.iter().map(|place| vector(place.translation())).collect();
    let cast = |ray: &Ray| {
        let ray = ParryRay::new(vector(ray.origin), vector(ray.direction));
        let one = |i: u32, most: f32| {
            let there = ParryRay::new(ray.origin - centers[i as usize], ray.dir);
            cube.cast_local_ray_and_get_normal(&there, most, true).map(|hit| hit.time_of_impact)
        };
        tree.cast_ray(&ray, f32::MAX, one).is_some()
    };
    Row::of("parry3d: Bvh and Cuboid", rays, repeat, None, cast)
}
