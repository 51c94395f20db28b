//! One body in ten thousand poses, on all cores, with the same bits on any number of them: a clearance map of a room.
//!
//! `cargo run --release -p sudar --example batch`
#![allow(clippy::print_stdout, reason = "an example prints what it finds")]

use sudar::query::{Batch, BatchTargets, Body, DistanceOptions};
use sudar::{Aabb, Cylinder, DVec3, Mesh, Pose};

const COLUMNS: usize = 200;
const ROWS: usize = 50;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let block = |x: [f64; 2], y: [f64; 2]| {
        Mesh::from_aabb(Aabb { min: DVec3::new(x[0], y[0], 0.0), max: DVec3::new(x[1], y[1], 2.5) })
    };
    let walls = [
        block([0.0, 10.0], [-0.1, 0.0]),
        block([0.0, 10.0], [5.0, 5.1]),
        block([2.0, 2.2], [0.0, 3.4]),
        block([5.0, 5.6], [1.8, 5.0]),
        block([7.5, 8.6], [1.2, 2.4]),
    ];
    let room = Body::new(Mesh::joined(&walls)?);
    let robot = Body::new(Cylinder::new(0.3, 0.6)?);
    let places = (0..ROWS).flat_map(|row| (0..COLUMNS).map(move |column| (column, row)));
    let pose = |(column, row): (usize, usize)| {
        let (x, y) = ((column as f64 + 0.5) * 10.0 / COLUMNS as f64, (row as f64 + 0.5) * 5.0 / ROWS as f64);
        Pose::from_translation(DVec3::new(x, y, 0.7))
    };
    let poses = places.map(pose).collect::<Result<Vec<_>, _>>()?;

    // To a centimetre, and only up to a metre: looser is faster.
    let search = DistanceOptions { absolute: 0.01, ..DistanceOptions::up_to(1.0) };
    let room = room.at(&Pose::IDENTITY);
    let others = BatchTargets::Poses(&robot, &poses);
    let found = Batch::default().others(others, |work, robot| work.distance(room, robot, &search));

    for row in found.answers.chunks(COLUMNS).rev().step_by(2) {
        let line = row.iter().step_by(2).map(|d| match d.interval.lower {
            d if d <= 0.0 => '█',
            d if d < 0.1 => '▓',
            d if d < 0.3 => '▒',
            d if d < 0.6 => '░',
            _ => ' ',
        });
        println!("{}", line.collect::<String>());
    }
    println!("█ touches, ▓ nearer than 10 cm, ▒ 30 cm, ░ 60 cm; {} nodes opened", found.statistics.nodes);
    Ok(())
}
