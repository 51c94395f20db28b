//! What does a ray hit first? Three bodies under the mouse, and a line of sight.
//!
//! `cargo run --release -p sudar --example ray`
#![allow(clippy::print_stdout, reason = "an example prints its answer")]

use sudar::query::{Body, ray, ray_any};
use sudar::{Aabb, Cylinder, DVec3, Mesh, Pose, Ray, Sphere};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let cube = Mesh::from_aabb(Aabb { min: DVec3::splat(-1.0), max: DVec3::ONE });
    let bodies = [
        ("ball", Body::new(Sphere::new(DVec3::ZERO, 1.0)?), Pose::IDENTITY),
        ("cylinder", Body::new(Cylinder::new(1.0, 0.5)?), Pose::from_translation(DVec3::Z * -3.0)?),
        ("cube", Body::new(cube), Pose::from_translation(DVec3::new(5.0, 0.0, 0.0))?),
    ];
    // Straight down, 0.6 beside the middle of ball and cylinder.
    let mouse = Ray::new(DVec3::new(0.6, 0.0, 5.0), -DVec3::Z)?;
    let hits = bodies
        .iter()
        .filter_map(|(name, body, pose)| Some((*name, ray(body.at(pose), &mouse, f64::INFINITY)?)));
    let first = hits.min_by(|(_, h), (_, k)| h.t.total_cmp(&k.t));
    let (name, hit) = first.ok_or("the mouse is over nothing")?;
    println!("{name} at {:.6}, normal {:.6}, after {:.6} m", hit.point, hit.normal, hit.t);
    // A point of the unit sphere with x = 0.6 has z = 0.8, and its normal is the point itself.
    let expected = DVec3::new(0.6, 0.0, 0.8);
    assert!(name == "ball" && (hit.t - 4.2).abs() < 1e-12);
    assert!((hit.point - expected).length() < 1e-12 && (hit.normal - expected).length() < 1e-12);

    // Whether anything is in the way needs no first hit. The parameter is in units of the direction: 1 is the target.
    let (eye, target) = (DVec3::new(-3.0, 0.0, 0.0), DVec3::new(3.0, 0.0, 0.0));
    let sight = Ray::new(eye, target - eye)?;
    let blocking =
        bodies.iter().filter(|(_, body, pose)| ray_any(body.at(pose), &sight, 1.0)).map(|(name, ..)| *name);
    assert_eq!(blocking.collect::<Vec<_>>(), ["ball"]);
    Ok(())
}
