//! Mass by rays of every mesh with holes below a folder, with the default 100 cells and 3 axes, on one thread.
//!
//! `cargo run --release --example open_mass -- FOLDER…`
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "an example prints what it finds")]

use std::path::{Path, PathBuf};
use std::time::Instant;

use sudar::mass::{VoxelOptions, voxel_mass};
use sudar::{Compound, Shape};

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push(path);
        }
    }
}

fn main() {
    let mut paths = Vec::new();
    std::env::args().skip(1).for_each(|folder| files(Path::new(&folder), &mut paths));
    println!("| file | parts | triangles | edges of the border | s | odd rays | volume ± estimate |");
    println!("|---|---|---|---|---|---|---|");
    for path in paths {
        let Ok(model) = sudar_formats::read(&path) else { continue };
        let parts: Vec<_> =
            model.parts.iter().map(|part| (model.mesh_of(part).unwrap().clone(), part.pose)).collect();
        let triangles: usize = parts.iter().map(|(mesh, _)| mesh.triangles().len()).sum();
        let border: u64 = parts
            .iter()
            .map(|(mesh, _)| {
                let topology = mesh.topology();
                let open = if topology.is_closed() { &[][..] } else { &topology.edges[..] };
                open.iter().map(|e| u64::from(e.forward.abs_diff(e.backward))).sum::<u64>()
            })
            .sum();
        if border == 0 {
            continue;
        }
        let shapes = parts.into_iter().map(|(mesh, pose)| (Shape::Mesh(mesh), pose)).collect();
        let shape = Shape::from(Compound::new(shapes).unwrap());
        let start = Instant::now();
        let found = voxel_mass(&shape, &VoxelOptions::default());
        let seconds = start.elapsed().as_secs_f64();
        let (odd, volume) = match found {
            Ok(found) => (
                found.odd_rays.to_string(),
                format!("{:.4e} ± {:.1e}", found.properties.mass, found.error.mass),
            ),
            Err(error) => ("–".to_owned(), error.to_string()),
        };
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        println!(
            "| {name} | {} | {triangles} | {border} | {seconds:.3} | {odd} | {volume} |",
            model.parts.len()
        );
    }
}
