//! Table: compounds, height fields and point clouds, each beside a mesh of as many triangles, against three bodies.

use std::io::Write;
use std::sync::Arc;

use anyhow::Result;
use clap::Args;
use glam::{DQuat, DVec2, DVec3};
use parry3d_f64::math::{Pose3, Vector};
use parry3d_f64::query as parry;
use parry3d_f64::shape::{Ball, Compound, Cuboid as ParryCuboid, Shape as ParryShape, SharedShape};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use sudar::query::{self, Body, DistanceOptions, Layer};
use sudar::{Aabb, Cuboid, HeightField, Mesh, PointCloud, Pose, Shape, Sphere};

use crate::generate::{bumpy_sphere, direction};
use crate::machine;
use crate::report::{Report, figure};
use crate::rivals::{parry_input, parry_mesh, parry_pose};
use crate::timing::sweep;

/// Sizes and counts.
#[derive(Debug, Args)]
pub struct Options {
    /// Parts of the compound, samples of the height field, points of the cloud: this many squared
    #[arg(long, default_value_t = 32)]
    side: u32,
    /// Poses for each pair
    #[arg(long, default_value_t = 100)]
    poses: usize,
    /// Least number of sweeps over the poses; the fastest counts
    #[arg(long, default_value_t = 5)]
    repeat: usize,
}

/// A body, and the same for parry if it has one.
struct Kind {
    name: &'static str,
    body: Body,
    rival: Option<Box<dyn ParryShape>>,
}

/// Times every kind against a ball, a box, a mesh and itself.
///
/// # Errors
/// If a body cannot be made or the table not be written.
pub fn run(options: &Options, out: &mut dyn Write) -> Result<()> {
    writeln!(out, "{}", machine::header())?;
    let mut table = Report::new(&[
        "µs",
        "against",
        "touching",
        "intersects",
        "parry",
        "distance",
        "parry",
        "within ½",
        "within 2×",
    ]);
    let others = others()?;
    for (k, kind) in kinds(options.side)?.iter().enumerate() {
        for other in others.iter().chain([kind]) {
            let poses = poses(kind, other, options.poses, k as u64)?;
            table.row(row(kind, other, &poses, options.repeat));
        }
    }
    table.print(
        &format!("{0} × {0} samples, mean µs over fresh poses, the least of several sweeps", options.side),
        out,
    )
}

fn row(kind: &Kind, other: &Kind, poses: &[Pose], repeat: usize) -> Vec<String> {
    let (a, b, at) = (&kind.body, &other.body, Pose::IDENTITY);
    a.prepare(&Layer::ALL);
    b.prepare(&Layer::ALL);
    let (hit, answers) = sweep(poses, repeat, |pose| query::intersects(a.at(&at), b.at(pose)).is_touching());
    let exact = |pose: &Pose| query::distance(a.at(&at), b.at(pose), &DistanceOptions::EXACT).interval.upper;
    let (measured, distances) = sweep(poses, repeat, exact);
    let within = |factor: f64| {
        let limits: Vec<_> = poses.iter().zip(&distances).map(|(pose, d)| (pose, d * factor)).collect();
        sweep(&limits, repeat, |(pose, d)| query::within(a.at(&at), b.at(pose), *d)).0.least
    };
    let theirs = rival(kind, other, poses, repeat);
    let times = [hit.least, theirs[0], measured.least, theirs[1], within(0.5), within(2.0)];
    let touching = answers.iter().filter(|touching| **touching).count();
    let names = [kind.name.to_owned(), other.name.to_owned(), touching.to_string()];
    names.into_iter().chain(times.map(figure)).collect()
}

/// parry's times for intersection and distance; NaN where it has no such shape or does not support the pair.
fn rival(kind: &Kind, other: &Kind, poses: &[Pose], repeat: usize) -> [f64; 2] {
    let (Some(a), Some(b)) = (&kind.rival, &other.rival) else { return [f64::NAN; 2] };
    let (at, poses) = (Pose3::identity(), poses.iter().map(parry_pose).collect::<Vec<_>>());
    let supported = |is: bool, time: f64| if is { time } else { f64::NAN };
    let (hit, answers) =
        sweep(&poses, repeat, |pose| parry::intersection_test(&at, &**a, pose, &**b).is_ok());
    let (gap, distances) = sweep(&poses, repeat, |pose| parry::distance(&at, &**a, pose, &**b).is_ok());
    [supported(answers.iter().all(|&is| is), hit.least), supported(distances.iter().all(|&is| is), gap.least)]
}

fn kinds(side: u32) -> Result<Vec<Kind>> {
    let mut random = Pcg64::seed_from_u64(7);
    let hill = |i: u32, j: u32| {
        let (x, y) = (f64::from(i) / f64::from(side), f64::from(j) / f64::from(side));
        0.05 * (libm::sin(9.0 * x) + libm::sin(7.0 * y) + libm::sin(31.0 * (x + y)))
    };
    let step = 1.0 / f64::from(side - 1);
    let grid = || (0..side).flat_map(|j| (0..side).map(move |i| (i, j)));
    let samples: Vec<DVec3> =
        grid().map(|(i, j)| DVec3::new(f64::from(i) * step, f64::from(j) * step, hill(i, j))).collect();
    let heights: Vec<f64> = samples.iter().map(|p| p.z).collect();
    let field = HeightField::new(side as usize, &heights, DVec2::splat(step))?;
    let ground = field.mesh().as_ref().clone();
    let brick = Body::new(Cuboid::new(DVec3::splat(0.3 * step))?);
    let mut parts = Vec::with_capacity(samples.len());
    for &sample in &samples {
        let [x, y, z, w] = direction::<4>(&mut random);
        parts.push((brick.clone(), Pose::new(sample, DQuat::from_xyzw(x, y, z, w))?));
    }
    let rivals = |parts: &[(Body, Pose)]| {
        let brick = SharedShape::cuboid(0.3 * step, 0.3 * step, 0.3 * step);
        Compound::new(parts.iter().map(|(_, pose)| (parry_pose(pose), brick.clone())).collect())
    };
    let mesh = parry_mesh(parry_input(&ground))?;
    Ok(vec![
        Kind { name: "mesh", rival: Some(Box::new(mesh.clone())), body: Body::new(ground) },
        // parry's own height fields lie along other axes; a mesh is what it makes of one for most queries.
        Kind { name: "height field", body: Body::new(field), rival: Some(Box::new(mesh)) },
        Kind {
            name: "compound of boxes",
            rival: Some(Box::new(rivals(&parts))),
            body: Body::compound(parts)?,
        },
        Kind { name: "point cloud", body: Body::new(PointCloud::new(samples)?), rival: None },
    ])
}

fn others() -> Result<Vec<Kind>> {
    let size = 0.1;
    let half = DVec3::new(1.0, 0.7, 0.5) * size;
    let ball = bumpy_sphere(12)?;
    let small = ball.vertices().iter().map(|&p| p * size).collect();
    let mesh = Mesh::new(small, ball.triangles().to_vec())?;
    Ok(vec![
        Kind {
            name: "sphere",
            body: Body::new(Sphere::new(DVec3::ZERO, size)?),
            rival: Some(Box::new(Ball::new(size))),
        },
        Kind {
            name: "box",
            body: Body::new(Cuboid::new(half)?),
            rival: Some(Box::new(ParryCuboid::new(Vector::new(half.x, half.y, half.z)))),
        },
        Kind {
            name: "mesh of 1728",
            rival: Some(Box::new(parry_mesh(parry_input(&mesh))?)),
            body: Body::new(Shape::Mesh(Arc::new(mesh))),
        },
    ])
}

/// The second body anywhere about the first, turned at random: its centre is in a box around it, somewhat
/// higher than that.
fn poses(kind: &Kind, other: &Kind, count: usize, seed: u64) -> Result<Vec<Pose>> {
    let mut random = Pcg64::seed_from_u64(seed);
    let around: Aabb = kind.body.aabb(&Pose::IDENTITY);
    let size = other.body.aabb(&Pose::IDENTITY).extent().max_element().min(0.2);
    (0..count)
        .map(|_| {
            let at = DVec3::from_array(std::array::from_fn(|_| random.random_range(0.0..1.0)));
            let low = around.min - DVec3::new(0.0, 0.0, size);
            let center = low + at * (around.extent() + DVec3::new(0.0, 0.0, 3.0 * size));
            let [x, y, z, w] = direction::<4>(&mut random);
            Ok(Pose::new(center, DQuat::from_xyzw(x, y, z, w))?)
        })
        .collect()
}
