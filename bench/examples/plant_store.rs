//! Writes a store of many bumpy balls, some in contact, for measurements of checks in chunks.
//!
//! `cargo run --release --example plant_store -- OUT.sudar PARTS SHAPES` has PARTS parts of SHAPES different meshes of
//! 364 triangles each; SHAPES of 0 gives each part a mesh of its own.

use std::f64::consts::PI;
use std::sync::Arc;

use anyhow::{Context, Result};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use sudar::{DVec3, Mesh, Pose};
use sudar_store::{NewPart, Packer};

/// Corners around, and circles of them between the poles.
const AROUND: u32 = 14;
const CIRCLES: u32 = 13;
/// Balls have a radius of about 0.5 and stand about so far apart.
const STEP: f64 = 1.15;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [out, parts, shapes] = &arguments[..] else { anyhow::bail!("plant_store OUT.sudar PARTS SHAPES") };
    let parts: u32 = parts.parse().context("PARTS")?;
    let shapes: u32 = shapes.parse().context("SHAPES")?;
    let mut packer = Packer::create(out, Some(1.0))?;
    let file = packer.add_file("generated");
    let mut rng = Pcg64::seed_from_u64(20_261_129);
    let shared = if shapes > 0 { balls(0, shapes, &mut packer)? } else { Vec::new() };
    let side = f64::from(parts).cbrt().ceil() as u32;
    let mut own = Vec::new();
    for number in 0..parts {
        if shapes == 0 && number % 4096 == 0 {
            own = balls(number, 4096.min(parts - number), &mut packer)?;
        }
        let mesh =
            if shapes == 0 { own[(number % 4096) as usize] } else { shared[(number % shapes) as usize] };
        let cell = [number % side, number / side % side, number / side / side].map(f64::from);
        let jitter = DVec3::from_array([(); 3].map(|()| rng.random_range(-0.25..0.25)));
        let pose = Pose::from_translation(STEP * DVec3::from_array(cell) + jitter)?;
        let name = format!("ball {number}");
        packer.add_part(&NewPart {
            name: &name,
            mesh,
            pose,
            properties: &[],
            deviation: 0.0,
            file,
            weld: None,
        })?;
    }
    let packed = packer.finish()?;
    eprintln_packed(&packed);
    Ok(())
}

#[allow(clippy::print_stderr, reason = "this is what it says")]
fn eprintln_packed(packed: &sudar_store::Packed) {
    eprintln!(
        "{} parts, {} triangles, {} of meshes, {} MB",
        packed.parts,
        packed.triangles,
        packed.mesh_triangles,
        packed.bytes / 1_000_000
    );
}

fn balls(first: u32, count: u32, packer: &mut Packer) -> Result<Vec<u32>> {
    let meshes = (first..first + count).map(|seed| Ok(Arc::new(ball(u64::from(seed))?)));
    Ok(packer.add_meshes(&meshes.collect::<Result<Vec<_>>>()?)?)
}

/// A ball whose radius wavers between 0.4 and 0.6.
fn ball(seed: u64) -> Result<Mesh> {
    let mut rng = Pcg64::seed_from_u64(seed);
    let waves: Vec<(DVec3, f64)> = (0..6)
        .map(|_| {
            (DVec3::from_array([(); 3].map(|()| rng.random_range(-5.0..5.0))), rng.random_range(0.0..6.0))
        })
        .collect();
    let at = |circle: u32, k: u32| {
        let (polar, azimuth) =
            (PI * f64::from(circle) / f64::from(CIRCLES + 1), 2.0 * PI * f64::from(k) / f64::from(AROUND));
        let way = DVec3::new(polar.sin() * azimuth.cos(), polar.sin() * azimuth.sin(), polar.cos());
        let bump: f64 = waves.iter().map(|(wave, phase)| (wave.dot(way) + phase).sin()).sum::<f64>() / 6.0;
        way * (0.5 + 0.1 * bump)
    };
    let mut vertices = vec![at(0, 0), at(CIRCLES + 1, 0)];
    vertices.extend(
        (1..=CIRCLES)
            .flat_map(|circle| (0..AROUND).map(move |k| (circle, k)))
            .map(|(circle, k)| at(circle, k)),
    );
    let corner = |circle: u32, k: u32| 2 + (circle - 1) * AROUND + k % AROUND;
    let mut triangles = Vec::new();
    for k in 0..AROUND {
        triangles.push([0, corner(1, k), corner(1, k + 1)]);
        triangles.push([1, corner(CIRCLES, k + 1), corner(CIRCLES, k)]);
        for circle in 1..CIRCLES {
            let [a, b] = [corner(circle, k), corner(circle, k + 1)];
            let [c, d] = [corner(circle + 1, k), corner(circle + 1, k + 1)];
            triangles.extend([[a, c, b], [b, c, d]]);
        }
    }
    Ok(Mesh::new(vertices, triangles)?)
}
