//! A toothed wheel.

use std::f64::consts::TAU;

use sudar::{DVec3, Mesh, MeshError};

/// Radii of the hole, of the ground between teeth, and of their tops; half the thickness.
const RADII: [f64; 3] = [0.35, 0.8, 1.05];
const HALF: f64 = 0.2;

/// A wheel around z with straight teeth and a hole, closed, of 32 triangles a tooth. Fewer than three teeth are three.
///
/// # Errors
/// None in practice.
pub fn gear(teeth: u32) -> Result<Mesh, MeshError> {
    let steps = 4 * teeth.max(3);
    // Ground, flank, top, flank: two corners of each are high.
    let outer = |k: u32| if matches!(k % 4, 1 | 2) { RADII[2] } else { RADII[1] };
    let ring = |radius: &dyn Fn(u32) -> f64, z: f64| -> Vec<DVec3> {
        let corner = |k: u32| {
            let angle = TAU * f64::from(k) / f64::from(steps);
            DVec3::new(radius(k) * libm::cos(angle), radius(k) * libm::sin(angle), z)
        };
        (0..steps).map(corner).collect()
    };
    let inner = |_: u32| RADII[0];
    let vertices =
        [ring(&outer, HALF), ring(&inner, HALF), ring(&inner, -HALF), ring(&outer, -HALF)].concat();
    // From ring to ring inwards over the top, down the hole, outwards below and up the teeth.
    let at = |ring: u32, k: u32| (ring % 4) * steps + k % steps;
    let strip = |(ring, k): (u32, u32)| {
        [
            [at(ring, k), at(ring, k + 1), at(ring + 1, k + 1)],
            [at(ring, k), at(ring + 1, k + 1), at(ring + 1, k)],
        ]
    };
    let triangles = (0..4).flat_map(|ring| (0..steps).map(move |k| (ring, k))).flat_map(strip).collect();
    Mesh::new(vertices, triangles)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gear_is_closed_with_a_hole_and_as_heavy_as_its_faces_say() {
        let mesh = gear(12).unwrap();
        let topology = mesh.topology();
        assert_eq!(mesh.triangles().len(), 384);
        assert!(topology.is_closed() && topology.is_oriented());
        // A polygon of radii r_k at equal angles α has the area Σ r_k·r_(k+1)·sin(α)/2.
        let sine = libm::sin(TAU / 48.0);
        let [hole, low, high] = RADII;
        let tooth = 0.5 * sine * (low * high + high * high + high * low + low * low);
        let area = 12.0 * tooth - 48.0 * 0.5 * sine * hole * hole;
        let mass = sudar::mass::mass_properties(&mesh.into()).unwrap().mass;
        assert!((mass - area * 2.0 * HALF).abs() < 1e-12, "{mass}");
    }
}
