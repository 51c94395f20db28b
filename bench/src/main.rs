//! Sudar beside other libraries; `--help` lists the tables.

use std::io::{self, Write};

use clap::{Parser, Subcommand};
use sudar_bench::{
    assembly, auto, broad, build, convex, distance, dynamics, emit, hard, hull, kinds, living, mass, meshes,
    poses, rays, referee, round, scene, sweep,
};

/// Times Sudar beside other libraries and lets exact arithmetic judge where their answers differ.
#[derive(Debug, Parser)]
#[command(version)]
struct Options {
    #[command(subcommand)]
    table: Table,
}

#[derive(Debug, Subcommand)]
enum Table {
    /// Write generated meshes and random poses as query files, for `meshes`, `peers.py` and `sudar replay`
    Emit(emit::Options),
    /// Two meshes in many poses: first hit and all pairs, beside parry3d and the figures of Coal and FCL
    Meshes(meshes::Options),
    /// Two meshes in many poses: distance, tolerance and what a memory saves, beside parry3d, Coal and FCL,
    /// with a referee
    Distance(distance::Options),
    /// Pairs of convex shapes: touching, distance and depth, beside parry3d, Coal and FCL, with a referee
    Convex(convex::Options),
    /// Which of many boxes overlap, from scratch and while they move, beside parry3d
    Broad(broad::Options),
    /// The automatic choice of the broad phase beside all fixed ones, on nine kinds of moving scenes
    Auto(auto::Options),
    /// The first of many bodies, or objects, on a ray, beside rapier3d and parry3d
    Rays(rays::Options),
    /// Rigid bodies that fall, rest and bounce, a step at a time, beside rapier3d and Box3D
    Dynamics(dynamics::Options),
    /// Building the tree of one mesh on one thread, beside obvhs and parry3d
    Build(build::Options),
    /// Meshes on which boxes along the axes separate nothing: every query on pairs of them, beside Coal
    Hard(hard::Options),
    /// Convex hulls of random points on one thread, beside parry3d
    Hull(hull::Options),
    /// Compounds, height fields and point clouds beside a mesh of as many triangles and parry3d
    Kinds(kinds::Options),
    /// Sleeping bodies, sensors, characters and recordings: what each adds to a step
    Living(living::Options),
    /// Volume, centre and inertia tensor of closed meshes on one thread, beside parry3d
    Mass(mass::Options),
    /// Stored poses with the answers of Coal and FCL: who is right where they differ
    Poses(poses::Options),
    /// Recount the triangle pairs of query files in exact arithmetic and judge everybody's lists
    Referee(referee::Options),
    /// One mesh against spheres, capsules, boxes and other simple bodies in many fresh poses; `round_coal.py` adds Coal
    Round(round::Options),
    /// Clashes of many small parts, on one thread and on all
    Scene(scene::Options),
    /// Assemblies with a clearance on one thread, as JSON: what `clash_fcl.py` puts beside FCL
    Assembly(assembly::Options),
    /// Every verb on meshes that are hard by aspect ratio, density and scale: growth of counts, time and
    /// memory, with bounds
    Sweep(sweep::Options),
}

fn main() -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match Options::parse().table {
        Table::Emit(options) => emit::run(&options, &mut out),
        Table::Meshes(options) => meshes::run(&options, &mut out),
        Table::Distance(options) => distance::run(&options, &mut out),
        Table::Convex(options) => convex::run(&options, &mut out),
        Table::Broad(options) => broad::run(&options, &mut out),
        Table::Auto(options) => auto::run(&options, &mut out),
        Table::Rays(options) => rays::run(&options, &mut out),
        Table::Dynamics(options) => dynamics::run(&options, &mut out),
        Table::Build(options) => build::run(&options, &mut out),
        Table::Hard(options) => hard::run(&options, &mut out),
        Table::Hull(options) => hull::run(&options, &mut out),
        Table::Kinds(options) => kinds::run(&options, &mut out),
        Table::Living(options) => living::run(&options, &mut out),
        Table::Mass(options) => mass::run(&options, &mut out),
        Table::Poses(options) => poses::run(&options, &mut out),
        Table::Referee(options) => referee::run(&options, &mut out),
        Table::Round(options) => round::run(&options, &mut out),
        Table::Scene(options) => scene::run(&options, &mut out),
        Table::Assembly(options) => assembly::run(&options, &mut out),
        Table::Sweep(options) => sweep::run(&options, &mut out),
    }?;
    Ok(out.flush()?)
}
