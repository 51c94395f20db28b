//! The bodies: the cube and the cone of the source, and a bomber that is ours.

use std::f64::consts::TAU;

use sudar::{Aabb, DVec3, Mesh};

use super::source::{BOMBER, CONE, CUBE, Row};
use crate::plan::{Result, ensure};

/// A body, and what the source has of it.
pub struct Case {
    pub name: &'static str,
    pub mesh: Mesh,
    pub rows: &'static [Row],
}

pub fn cases() -> Result<[Case; 3]> {
    let cube = Mesh::from_aabb(Aabb { min: DVec3::splat(-250.0), max: DVec3::splat(250.0) });
    let cone = revolved(&[(100.0, 0.0)], [0.0, 300.0], 48)?;
    let bomber = bomber()?;
    let as_published = cone.vertices().len() == 50 && bomber.triangles().len() == 278;
    ensure(as_published, || "the bodies are not those of the source".to_owned())?;
    Ok([
        Case { name: "cube", mesh: cube, rows: &CUBE },
        Case { name: "cone", mesh: cone, rows: &CONE },
        Case { name: "bomber", mesh: bomber, rows: &BOMBER },
    ])
}

/// Rings of radii at heights y, closed by points on the axis below and above.
fn revolved(rings: &[(f64, f64)], [bottom, top]: [f64; 2], sides: u32) -> Result<Mesh> {
    let mut vertices = vec![DVec3::Y * bottom, DVec3::Y * top];
    for &(r, y) in rings {
        let angle = |k: u32| TAU * f64::from(k) / f64::from(sides);
        vertices.extend((0..sides).map(|k| DVec3::new(r * libm::sin(angle(k)), y, r * libm::cos(angle(k)))));
    }
    let at = |ring: usize, k: u32| 2 + ring as u32 * sides + k % sides;
    let mut triangles = Vec::new();
    for k in 0..sides {
        triangles.push([0, at(0, k + 1), at(0, k)]);
        triangles.push([1, at(rings.len() - 1, k), at(rings.len() - 1, k + 1)]);
        for ring in 1..rings.len() {
            let [a, b, c, d] = [at(ring - 1, k), at(ring - 1, k + 1), at(ring, k + 1), at(ring, k)];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    Ok(Mesh::new(vertices, triangles)?)
}

/// A hull of nine sides along x, two wings and two tailplanes, fin and three tanks: 278 triangles, 197 long,
/// no piece in another.
pub fn bomber() -> Result<Mesh> {
    const RADII: [f64; 11] = [4.0, 7.5, 9.5, 11.0, 11.5, 11.5, 11.0, 9.5, 7.5, 5.0, 2.5];
    let rings: Vec<(f64, f64)> = (0..11).map(|i| (RADII[i], 8.0 + 18.1 * i as f64)).collect();
    let hull = revolved(&rings, [0.0, 197.0], 9)?.mapped(|p| DVec3::new(98.5 - p.y, p.x, p.z))?;
    let slab = |min: [f64; 3], max: [f64; 3]| Mesh::from_aabb(Aabb { min: min.into(), max: max.into() });
    let wing = |side: f64, root: f64, tip: f64, sweep: [f64; 4]| -> Result<Mesh> {
        // A triangle seen from above, of constant thickness.
        let [front, back, end, thick] = sweep;
        let corner = |x: f64, y: f64, z: f64| DVec3::new(x, y * side, z);
        let flat = |z: f64| [corner(front, root, z), corner(back, root, z), corner(end, tip, z)];
        let vertices = [flat(-thick), flat(thick)].concat();
        let mut triangles =
            vec![[0, 1, 2], [3, 5, 4], [0, 3, 4], [0, 4, 1], [1, 4, 5], [1, 5, 2], [2, 5, 3], [2, 3, 0]];
        if side < 0.0 {
            triangles.iter_mut().for_each(|t| t.swap(1, 2));
        }
        Ok(Mesh::new(vertices, triangles)?)
    };
    let pieces = [
        hull,
        wing(1.0, 12.0, 95.0, [30.0, -25.0, -40.0, 1.5])?,
        wing(-1.0, 12.0, 95.0, [30.0, -25.0, -40.0, 1.5])?,
        wing(1.0, 12.0, 38.0, [-72.0, -92.0, -96.0, 1.0])?,
        wing(-1.0, 12.0, 38.0, [-72.0, -92.0, -96.0, 1.0])?,
        slab([-96.0, -1.0, 12.0], [-72.0, 1.0, 36.0]),
        slab([-15.0, 30.0, -9.0], [15.0, 36.0, -3.0]),
        slab([-15.0, -36.0, -9.0], [15.0, -30.0, -3.0]),
        slab([-20.0, -3.0, -22.0], [20.0, 3.0, -16.0]),
    ];
    Ok(Mesh::joined(&pieces)?)
}

#[cfg(test)]
mod tests {
    use sudar::Shape;
    use sudar::mass::mass_properties;

    use super::*;

    #[test]
    fn the_bodies_are_closed_and_face_outward() {
        for case in cases().unwrap() {
            let whole = mass_properties(&Shape::from(case.mesh.clone())).unwrap();
            let topology = case.mesh.topology();
            assert!(whole.mass > 0.0 && topology.is_closed() && topology.is_oriented(), "{}", case.name);
            let pieces = topology.pieces(&case.mesh);
            for piece in 0..=*pieces.iter().max().unwrap() {
                let own =
                    case.mesh.triangles().iter().zip(&pieces).filter(|(_, p)| **p == piece).map(|(t, _)| *t);
                let own = Mesh::new(case.mesh.vertices().to_vec(), own.collect()).unwrap();
                assert!(mass_properties(&own.into()).unwrap().mass > 0.0, "{} piece {piece}", case.name);
            }
        }
        // The cone's base has 48 sides: area 48/2·r²·sin(2π/48).
        let [_, cone, _] = cases().unwrap();
        let base = 24.0 * 10_000.0 * libm::sin(TAU / 48.0);
        let found = mass_properties(&cone.mesh.into()).unwrap();
        assert!((found.mass / (base * 100.0) - 1.0).abs() < 1e-12 && (found.center.y - 75.0).abs() < 1e-10);
    }
}
