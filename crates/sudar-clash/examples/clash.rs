//! Clash check of a small assembly: named parts, a clearance, and contacts that are meant to be.
//!
//! `cargo run --release -p sudar-clash --example clash`
#![allow(clippy::print_stdout, reason = "an example prints what it finds")]

use std::sync::Arc;

use sudar::{Aabb, Mesh, Pose};
use sudar_clash::{Assembly, ClashKind, ClashOptions, Part, body_of, find_clashes};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let part = |name: &str, min: [f64; 3], max: [f64; 3]| Part {
        name: name.to_owned(),
        // A closed mesh becomes a solid, which other parts can be inside of.
        body: body_of(Arc::new(Mesh::from_aabb(Aabb { min: min.into(), max: max.into() }))),
        pose: Pose::IDENTITY,
    };
    let assembly = Assembly {
        parts: vec![
            part("slab", [0.0, 0.0, -0.3], [6.0, 4.0, 0.0]),
            part("wall", [0.0, 0.0, 0.0], [6.0, 0.2, 2.8]),
            part("pipe", [1.0, -0.5, 1.0], [1.1, 1.0, 1.1]),
            part("duct", [0.0, 0.215, 2.0], [6.0, 0.6, 2.4]),
            part("anchor", [3.0, 0.05, 1.0], [3.1, 0.15, 1.1]),
        ],
    };
    // Parts nearer than 2 cm are reported; that the wall stands on the slab is as it should be.
    let mut options = ClashOptions::new(0.02)?;
    let only = |names: &[&str]| assembly.parts.iter().map(|p| names.contains(&p.name.as_str())).collect();
    options.ignore(only(&["slab"]), only(&["wall"]), &[ClashKind::Touch]);

    let report = find_clashes(&assembly, &options, &|_, _| {})?;
    println!("{} of {} candidate pairs clash", report.clashes.len(), report.candidates);
    for clash in &report.clashes {
        let [a, b] = [clash.a, clash.b].map(|i| assembly.parts[i].name.as_str());
        let (kind, gap) = (clash.kind.name(), clash.distance.upper);
        println!("{kind:10} {a} – {b} at {:.3}, distance {gap:.4}", clash.point);
    }
    Ok(())
}
