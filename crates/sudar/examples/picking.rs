//! What is under the mouse? One ray for each character of the terminal.
//!
//! `cargo run --release -p sudar --example picking`
#![allow(clippy::print_stdout, reason = "an example prints what it finds")]

use sudar::query::{Body, ray};
use sudar::{Capsule, Cone, Cuboid, DVec3, Ellipsoid, Pose, Ray, Sphere};

const WIDTH: i32 = 78;
const HEIGHT: i32 = 26;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let at = |x, y, z| Pose::from_translation(DVec3::new(x, y, z));
    let bodies = [
        ("ball", Body::new(Sphere::new(DVec3::ZERO, 1.0)?), at(-3.2, 0.0, 1.0)?),
        ("cone", Body::new(Cone::new(0.9, 1.1)?), at(-0.9, 0.5, 1.1)?),
        ("box", Body::new(Cuboid::new(DVec3::new(0.7, 0.7, 1.2))?), at(1.2, 0.0, 1.2)?),
        ("capsule", Body::new(Capsule::new(0.4, 0.9)?), at(2.9, 0.8, 1.3)?),
        ("egg", Body::new(Ellipsoid::new(DVec3::new(0.6, 0.6, 0.9))?), at(0.1, -1.3, 0.9)?),
    ];
    let eye = DVec3::new(0.0, -9.0, 3.0);
    for row in 0..HEIGHT {
        let line = (0..WIDTH).map(|column| {
            let target = DVec3::new(f64::from(column - WIDTH / 2) * 0.11, 0.0, 3.0 - f64::from(row) * 0.135);
            let sight = Ray { origin: eye, direction: target - eye };
            // Of the bodies that the ray hits the one whose hit comes first.
            let hits = bodies.iter().filter_map(|(_, body, pose)| ray(body, pose, &sight, f64::INFINITY));
            match hits.min_by(|h, k| h.t.total_cmp(&k.t)) {
                // Brighter where the surface faces the light.
                Some(hit) => shade(hit.normal.dot(DVec3::new(-0.5, -0.6, 0.62))),
                None => ' ',
            }
        });
        println!("{}", line.collect::<String>().trim_end());
    }
    let middle = Ray { origin: eye, direction: DVec3::new(0.1, 7.7, -2.0) };
    let picked =
        bodies.iter().filter_map(|(name, body, pose)| Some((name, ray(body, pose, &middle, f64::INFINITY)?)));
    if let Some((name, hit)) = picked.min_by(|(_, h), (_, k)| h.t.total_cmp(&k.t)) {
        println!("under the cross hair: the {name}, at {:.3}", hit.point);
    }
    Ok(())
}

fn shade(light: f64) -> char {
    const LEVELS: [char; 8] = ['.', ':', '-', '=', '+', '*', '#', '@'];
    LEVELS[((light.max(0.0) * 8.0) as usize).min(7)]
}
