//! A plant of rods, as large as clash checks come: `plant PARTS OUT.glb [--copies]`. Each rod has 200 triangles and
//! lies at random near its place in a grid. They share 60 meshes; with `--copies` each part has its own.

use std::path::PathBuf;
use std::sync::Arc;

use sudar::{DVec3, Mesh, MeshError};
use sudar_formats::{Model, WriteOptions, write};
use sudar_testing::Random;

const MESHES: usize = 60;
const SIDES: u32 = 51;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (count, out, has_copies) = match words.as_slice() {
        [count, out] => (count.parse::<usize>()?, PathBuf::from(out), false),
        [count, out, copies] if copies == "--copies" => (count.parse()?, PathBuf::from(out), true),
        _ => return Err("usage: plant PARTS OUT.glb [--copies]".into()),
    };
    let mut random = Random::new(26);
    let meshes =
        (0..MESHES).map(|_| Ok(Arc::new(rod(&mut random)?))).collect::<Result<Vec<_>, MeshError>>()?;
    let side = (1..=count.max(1)).find(|side| side.pow(3) >= count).unwrap_or(1);
    let part = |number: usize| {
        let place = [number % side, number / side % side, number / side / side].map(|k| k as f64);
        let at = DVec3::from(place) + 0.1 * random.point();
        let mesh = &meshes[number % MESHES];
        let mesh = if has_copies { Arc::new(Mesh::clone(mesh)) } else { Arc::clone(mesh) };
        (format!("rod {number}"), mesh, random.turned(at))
    };
    write(&out, &Model::assembled((0..count).map(part)), WriteOptions::default())?;
    Ok(())
}

/// A closed rod along z about the origin.
fn rod(random: &mut Random) -> Result<Mesh, MeshError> {
    let (half, radius) = (random.within(0.45, 0.65), random.within(0.1, 0.25));
    let ring = |z: f64| {
        (0..SIDES).map(move |k| {
            let (sin, cos) = libm::sincos(f64::from(k) * std::f64::consts::TAU / f64::from(SIDES));
            DVec3::new(radius * cos, radius * sin, z)
        })
    };
    let sides = (0..SIDES).flat_map(|k| {
        let next = (k + 1) % SIDES;
        [[k, next, next + SIDES], [k, next + SIDES, k + SIDES]]
    });
    let ends = (1..SIDES - 1).flat_map(|k| [[0, k + 1, k], [SIDES, SIDES + k, SIDES + k + 1]]);
    Mesh::new(ring(-half).chain(ring(half)).collect(), sides.chain(ends).collect())
}
