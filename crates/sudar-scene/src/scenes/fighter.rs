//! The fighter: a closed mesh with wings and a fin, of our own making.

use std::sync::Arc;

use sudar::glam::{DQuat, DVec3};

use super::SceneError;
use sudar::hull::convex_hull;
use sudar::math::Pose;
use sudar::shape::{Compound, Mesh, Shape, Solid};

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
    turned(DQuat::IDENTITY)
}

/// The same, turned in its frame.
pub(super) fn turned(turn: DQuat) -> Result<Shape, SceneError> {
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
    if turn != DQuat::IDENTITY {
        vertices.iter_mut().for_each(|vertex| *vertex = turn * *vertex);
    }
    let mesh = Arc::new(Mesh::new(vertices, triangles)?);
    Ok(Solid::new(Arc::clone(&mesh)).map_or_else(|_| Shape::Mesh(mesh), Shape::from))
}

/// The fighter in convex parts for contacts: fuselage, two wings and fin. They follow the surface of [`fighter`] to
/// some centimetres; a model to collide with beside one to draw, as Maštera 2007 has it (section 7.3).
///
/// # Errors
/// None in practice.
pub fn fighter_parts() -> Result<Compound, SceneError> {
    // Corners in a range of sections: fuselage and canopy, either wing, fin.
    type Corners = (&'static [usize], std::ops::Range<usize>);
    let parts: [&[Corners]; 4] = [
        &[(&[1, 2, 4, 5, 7, 8, 9], 0..7), (&[3], 3..7), (&[0, 6], 4..7)],
        &[(&[0, 1, 9], 0..4)],
        &[(&[6, 5, 7], 0..4)],
        &[(&[2, 3, 4], 0..3)],
    ];
    let hull = |part: &[Corners]| -> Result<(Shape, Pose), SceneError> {
        let mut points = Vec::new();
        for (corners, sections) in part {
            let all = SECTIONS[sections.clone()].iter().map(section);
            points.extend(all.flat_map(|ring| corners.iter().map(move |&corner| ring[corner])));
        }
        Ok((Shape::Hull(convex_hull(&points)?.into()), Pose::IDENTITY))
    };
    Ok(Compound::new(parts.into_iter().map(hull).collect::<Result<Vec<_>, _>>()?)?)
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
    use sudar::query::{Body, closest_point};

    #[test]
    fn the_fighter_is_closed_and_faces_outward() {
        let shape = fighter().unwrap();
        let Shape::Solid(solid) = &shape else { panic!("not closed") };
        assert!(solid.is_oriented() && solid.mesh().triangles().len() == 140);
        let mass = mass_properties(&shape).unwrap();
        assert!(mass.mass > 0.5 && mass.center.y.abs() < 1e-12, "{mass:?}");
    }

    /// Every corner of the mesh is in some part or near it, and no part reaches far beyond the mesh.
    #[test]
    fn the_parts_follow_the_surface() {
        let (whole, parts) = (Body::new(fighter().unwrap()), fighter_parts().unwrap());
        assert_eq!(parts.parts().len(), 4);
        let near = |body: &Body, point: DVec3| closest_point(body.at(&Pose::IDENTITY), point).distance.upper;
        let all = Body::new(parts.clone());
        for corner in whole.mesh().unwrap().vertices() {
            assert!(near(&all, *corner) < 0.05, "{corner}");
        }
        for (part, _) in parts.parts() {
            let Shape::Hull(hull) = part else { panic!("not convex") };
            let centers = (0..hull.faces().len()).map(|i| {
                let corners: Vec<DVec3> = hull.face(i).map(|v| hull.vertices()[v as usize]).collect();
                corners.iter().sum::<DVec3>() / corners.len() as f64
            });
            for center in centers {
                assert!(near(&whole, center) < 0.15, "{center}");
            }
        }
    }
}
