//! How long it takes to make a mesh ready, and to read it ready from a store; and how long a store of many parts takes
//! to pack and to open: `cargo run --release -p sudar-store --example store_speed -- [TRIANGLES] [PARTS]`.
#![allow(clippy::print_stdout, reason = "it prints what it measures")]

use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sudar::query::Body;
use sudar::tree::WideTree;
use sudar::{DVec3, Mesh, Pose, Solid};
use sudar_store::{NewPart, Packer, Store};

fn main() -> Result<(), Box<dyn Error>> {
    let mut given = std::env::args().skip(1).map(|number| number.parse::<usize>());
    let triangles = given.next().transpose()?.unwrap_or(1_000_000);
    let parts = given.next().transpose()?.unwrap_or(1_000_000);
    let folder = std::env::temp_dir().join(format!("store_speed-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let done = one_mesh(triangles, &folder.join("mesh.sudar"))
        .and_then(|()| many_parts(parts, &folder.join("parts.sudar")));
    std::fs::remove_dir_all(&folder)?;
    done
}

/// A closed surface of about so many triangles: a bumpy torus, each vertex once.
fn bumpy_torus(triangles: usize) -> Result<Mesh, Box<dyn Error>> {
    let rows = ((triangles / 2) as f64).sqrt() as u32;
    let turn = std::f64::consts::TAU / f64::from(rows);
    let place = |i: u32, j: u32| {
        let (a, b) = (turn * f64::from(i), turn * f64::from(j));
        let thin = 0.3 + 0.02 * (7.0 * a).sin() * (11.0 * b).cos();
        let wide = 1.0 + thin * b.cos();
        DVec3::new(wide * a.cos(), wide * a.sin(), thin * b.sin())
    };
    let vertices = (0..rows).flat_map(|i| (0..rows).map(move |j| place(i, j))).collect();
    let number = |i: u32, j: u32| (i % rows) * rows + j % rows;
    let cell = |i: u32, j: u32| {
        let [a, b, c, d] = [number(i, j), number(i + 1, j), number(i + 1, j + 1), number(i, j + 1)];
        [[a, b, c], [a, c, d]]
    };
    let corners = (0..rows).flat_map(|i| (0..rows).flat_map(move |j| cell(i, j))).collect();
    Ok(Mesh::new(vertices, corners)?)
}

/// The shortest of three runs.
fn shortest<T>(mut work: impl FnMut() -> Result<T, Box<dyn Error>>) -> Result<(T, Duration), Box<dyn Error>> {
    let mut run = || {
        let start = Instant::now();
        let done = work()?;
        Ok::<_, Box<dyn Error>>((done, start.elapsed()))
    };
    let (mut done, mut least) = run()?;
    for _ in 0..2 {
        let (again, time) = run()?;
        (done, least) = (again, least.min(time));
    }
    Ok((done, least))
}

fn one_mesh(triangles: usize, path: &Path) -> Result<(), Box<dyn Error>> {
    let mesh = Arc::new(bumpy_torus(triangles)?);
    println!("a closed mesh of {} triangles", mesh.triangles().len());
    let (_, tree) = shortest(|| Ok(WideTree::new(&mesh)))?;
    let (layout, _) = shortest(|| Ok(WideTree::new(&mesh).layout()))?;
    let (_, refit) = shortest(|| Ok(WideTree::with_layout(&mesh, &layout)?))?;
    let (_, topology) = shortest(|| Ok(mesh.topology()))?;
    let welded = mesh.topology().welded;
    let (_, kept) = shortest(|| Ok(Solid::with_welded(mesh.clone(), &welded)?))?;
    let (_, fresh) = shortest(|| {
        let copy = Mesh::new(mesh.vertices().to_vec(), mesh.triangles().to_vec())?;
        Ok(Body::new(Solid::new(Arc::new(copy))?))
    })?;
    let mut packer = Packer::create(path, None)?;
    let start = Instant::now();
    packer.add_meshes(std::slice::from_ref(&mesh))?;
    let packing = start.elapsed();
    packer.finish()?;
    let store = Store::open(path)?;
    let (_, read) = shortest(|| Ok(store.mesh(0)?))?;
    let (_, body) = shortest(|| Ok(store.body(0)?))?;
    println!("  tree: built {tree:.1?}, from its layout {refit:.1?}");
    println!("  solid: topology {topology:.1?}, from welded numbers {kept:.1?}");
    println!("  ready: from the mesh {fresh:.1?}, from the store {body:.1?}, of which the mesh {read:.1?}");
    println!("  packed in {packing:.1?}, {} bytes", store.bytes());
    Ok(())
}

fn many_parts(count: usize, path: &Path) -> Result<(), Box<dyn Error>> {
    let shapes = (0..60).map(|i| Ok(Arc::new(bumpy_torus(200 + 200 * i)?)));
    let shapes = shapes.collect::<Result<Vec<_>, Box<dyn Error>>>()?;
    let start = Instant::now();
    let mut packer = Packer::create(path, None)?;
    let file = packer.add_file("generated");
    let meshes = packer.add_meshes(&shapes)?;
    for i in 0..count {
        let (x, y) = ((i % 1000) as f64, (i / 1000) as f64);
        let name = &format!("part {i}");
        let (mesh, pose) =
            (meshes[i % meshes.len()], Pose::from_translation(DVec3::new(3.0 * x, 3.0 * y, 0.0))?);
        packer.add_part(&NewPart { name, mesh, pose, properties: &[], deviation: 0.0, file, weld: None })?;
    }
    let packed = packer.finish()?;
    println!("{} parts, {} triangles, {} bytes", packed.parts, packed.triangles, packed.bytes);
    println!("  packed in {:.1?}", start.elapsed());
    let (_, open) = shortest(|| Ok(Store::open(path)?))?;
    let (_, parts) = shortest(|| Ok(Store::open(path)?.parts()?.len()))?;
    println!("  opened in {open:.1?}, parts read in {parts:.1?}");
    Ok(())
}
