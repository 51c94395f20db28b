//! Pairs that the clash kernel of ifc-lite finds among the parts of OBJ files in metres, for clash_score.py.
//!
//!     sudar convert FOLDER/architecture.ifc architecture.obj        # and so on
//!     cargo run --release --example clash_ifc_lite -- X,Y,Z TOLERANCE CLEARANCE OUT.json FILE.obj…
//!
//! X,Y,Z is added to all coordinates before they are rounded to single precision, which is what the kernel takes.
//! Both of its modes are run, as its own application does for a rule of either kind: what `hard` finds, touches too,
//! and what `clearance` finds beside that.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, bail};
use ifc_lite_clash::{ClashSession, ClashStatus};
use sudar::{Aabb, DVec3};

/// The elements as the kernel takes them: one list of all, and where each begins.
#[derive(Default)]
struct Arena {
    names: Vec<String>,
    positions: Vec<f32>,
    position_ranges: Vec<u32>,
    indices: Vec<u32>,
    index_ranges: Vec<u32>,
    boxes: Vec<f32>,
}

impl Arena {
    fn add(&mut self, name: String, mesh: &sudar::Mesh, offset: DVec3) {
        let points: Vec<DVec3> = mesh.vertices().iter().map(|p| *p + offset).collect();
        let bounds = Aabb::around(points.iter().copied());
        self.names.push(name);
        self.position_ranges.extend([self.positions.len() as u32, 3 * points.len() as u32]);
        self.positions.extend(points.iter().flat_map(|p| p.to_array().map(|x| x as f32)));
        self.index_ranges.extend([self.indices.len() as u32, 3 * mesh.triangles().len() as u32]);
        self.indices.extend(mesh.triangles().as_flattened());
        self.boxes.extend([bounds.min, bounds.max].into_iter().flat_map(|p| p.to_array().map(|x| x as f32)));
    }
}

fn main() -> anyhow::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [offset, tolerance, clearance, out, files @ ..] = &words[..] else {
        bail!("usage: clash_ifc_lite X,Y,Z TOLERANCE CLEARANCE OUT.json FILE.obj…");
    };
    let offset: Vec<f64> = offset.split(',').map(str::parse).collect::<Result<_, _>>()?;
    let offset = DVec3::from_slice(offset.get(..3).context("X,Y,Z are three numbers")?);
    let (tolerance, clearance): (f64, f64) = (tolerance.parse()?, clearance.parse()?);
    let mut arena = Arena::default();
    for file in files {
        // An OBJ file has its parts in place.
        let model = sudar_formats::read(Path::new(file))?;
        for part in &model.parts {
            arena.add(part.name.clone(), &model.meshes[part.mesh], offset);
        }
    }
    let mut session = ClashSession::new();
    let Arena { names, positions, position_ranges, indices, index_ranges, boxes } = &arena;
    session.ingest(positions, position_ranges, indices, index_ranges, boxes);
    let all: Vec<u32> = (0..names.len() as u32).collect();
    let start = std::time::Instant::now();
    let hard = session.run_rule(&all, None, 0, tolerance, 0.0, true).records;
    let near = session.run_rule(&all, None, 1, tolerance, clearance, false).records;
    let mut output = std::io::stdout();
    writeln!(output, "{} elements, {:.3} s", names.len(), start.elapsed().as_secs_f64())?;
    let kind = |status: ClashStatus| match status {
        ClashStatus::Hard => "hard",
        ClashStatus::Clearance => "clearance",
        ClashStatus::Touch => "touch",
    };
    let name = |i: u32| names[i as usize].as_str();
    let mut pairs: Vec<[&str; 3]> = hard.iter().map(|r| [name(r.a), name(r.b), kind(r.status)]).collect();
    let known: std::collections::HashSet<(u32, u32)> = hard.iter().map(|r| (r.a, r.b)).collect();
    let more = near.iter().filter(|r| !known.contains(&(r.a, r.b)));
    pairs.extend(more.map(|r| [name(r.a), name(r.b), kind(r.status)]));
    std::fs::write(out, serde_json::to_string(&pairs)?)?;
    Ok(())
}
