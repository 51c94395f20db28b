//! The fighter: a closed mesh with wings and a fin, of our own making.

use std::sync::Arc;

use sudar::glam::DVec3;

use super::SceneError;
use sudar::shape::{Mesh, Shape, Solid};

/// Cross-sections from the tail to the nose: place, radius of the fuselage, half span, height of the fin.
const SECTIONS: [[f64; 4]; 7] = [
    [-1.5, 0.28, 0.50, 0.95],
    [-1.2, 0.30, 1.70, 0.90],
    [-0.6, 0.35, 1.60, 0.40],
    [0.0, 0.35, 0.60, 0.35],
    [0.5, 0.35, 0.38, 0.42],
    [1.2, 0.25, 0.26, 0.22],
    [2.0, 0.06, 0.06, 0.05],
];
/// Corners of a section.
const RING: usize = 10;

/// A fighter of 3.5 m that flies along +x with its fin along +z: a closed, non-convex surface of 140 triangles.
///
/// # Errors
/// None in practice.
pub fn fighter() -> Result<Shape, SceneError> {
    let mut vertices: Vec<DVec3> = SECTIONS.iter().flat_map(section).collect();
    let [tail, nose] = [0, SECTIONS.len() - 1].map(|k| DVec3::X * SECTIONS[k][0]);
    let ends = vertices.len() as u32;
    vertices.extend([tail, nose]);
    let mut triangles = Vec::new();
    let at = |section: usize, corner: usize| (section * RING + corner % RING) as u32;
    for section in 0..SECTIONS.len() - 1 {
        for corner in 0..RING {
            let [a, b] = [corner, corner + 1].map(|c| at(section, c));
            let [c, d] = [corner + 1, corner].map(|c| at(section + 1, c));
            // Mirrored on the left, from the fin to the keel.
            let left = (3..8).contains(&corner);
            triangles.extend(if left { [[a, b, d], [b, c, d]] } else { [[a, b, c], [a, c, d]] });
        }
    }
    let last = SECTIONS.len() - 1;
    for corner in 0..RING {
        triangles.push([ends, at(0, corner + 1), at(0, corner)]);
        triangles.push([ends + 1, at(last, corner), at(last, corner + 1)]);
    }
    let mesh = Arc::new(Mesh::new(vertices, triangles)?);
    Ok(Solid::new(Arc::clone(&mesh)).map_or_else(|_| Shape::Mesh(mesh), Shape::from))
}

/// The corners of a section, counter-clockwise seen from the nose.
fn section(&[x, r, span, fin]: &[f64; 4]) -> [DVec3; RING] {
    let right = [[span, 0.0], [0.7 * r, 0.4 * r], [0.25 * r, 0.8 * r]];
    let [tip, root, back] = right;
    let corners = [
        tip,
        root,
        back,
        [0.0, fin],
        [-back[0], back[1]],
        [-root[0], root[1]],
        [-tip[0], 0.0],
        [-root[0], -root[1]],
        [0.0, -0.7 * r],
        [root[0], -root[1]],
    ];
    corners.map(|[y, z]| DVec3::new(x, y, z))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudar::mass::mass_properties;

    #[test]
    fn the_fighter_is_closed_and_faces_outward() {
        let shape = fighter().unwrap();
        let Shape::Solid(solid) = &shape else { panic!("not closed") };
        assert!(solid.is_oriented() && solid.mesh().triangles().len() == 140);
        let mass = mass_properties(&shape).unwrap();
        assert!(mass.mass > 0.5 && mass.center.y.abs() < 1e-12, "{mass:?}");
    }
}
