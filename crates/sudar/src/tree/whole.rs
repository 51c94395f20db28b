//! One box around all of a mesh in `f64`: how far apart two bodies are as wholes, up to the rounding of their poses.
//!
//! Plates and flat faces that lie opposite each other are as far apart as their boxes, which the boxes of
//! trees, in `f32`, say only to seven digits.

use glam::{DMat3, DVec3};

use super::distance::obb_wide::OneWide;
use super::oriented::OrientedBox;
use crate::math::{Pose, outer, symmetric_eigen};
use crate::shape::Mesh;

/// An oriented box around the vertices of a mesh, up to rounding.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Whole {
    bounds: OrientedBox,
    /// Largest absolute coordinate.
    reach: f64,
}

impl Whole {
    /// The smallest of three boxes: along the axes, along the principal axes of the vertices, and flat on the
    /// sum of all normals. O(vertices).
    pub fn of(mesh: &Mesh) -> Self {
        let origin = mesh.aabb().center();
        let principal = principal_axes(mesh, origin);
        let boxes = [Some(DMat3::IDENTITY), Some(principal), flat_axes(mesh, &principal)];
        let along = |axes: DMat3| extents(mesh, origin, axes);
        let first = along(DMat3::IDENTITY);
        let bounds = boxes
            .into_iter()
            .flatten()
            .map(along)
            .fold(first, |best, next| if surface(next.half) < surface(best.half) { next } else { best });
        Self { bounds, reach: mesh.aabb().reach() }
    }

    /// A number that the distance of two posed meshes does not fall below; zero where the boxes do not separate them.
    pub fn gap(&self, pose: &Pose, other: &Self, other_pose: &Pose) -> f64 {
        let (a, b) = (posed(&self.bounds, pose), posed(&other.bounds, other_pose));
        let reach = self.reach
            + other.reach
            + pose.translation().abs().max_element()
            + other_pose.translation().abs().max_element();
        let OrientedBox { center, axes, half, point } = a;
        // Of a posed point and of the box around it, together with what is computed here, along any direction
        // is off by less than 48 ε of its body's reach.
        let rounding = 64.0 * f64::EPSILON * reach;
        let one = OneWide { center, axes, half, point, point_error: 0.0, rounding };
        one.bounds(&b, 1.0).0.max(one.edge_gap(&b, 1.0)).max(0.0)
    }
}

fn posed(bounds: &OrientedBox, pose: &Pose) -> OrientedBox {
    let center = pose.apply(bounds.center);
    OrientedBox { center, axes: pose.rotation() * bounds.axes, half: bounds.half, point: center }
}

fn surface(half: DVec3) -> f64 {
    half.x * half.y + half.y * half.z + half.z * half.x
}

/// The box along these axes.
fn extents(mesh: &Mesh, origin: DVec3, axes: DMat3) -> OrientedBox {
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let back = axes.transpose();
    for p in mesh.vertices() {
        let u = back * (*p - origin);
        low = low.min(u);
        high = high.max(u);
    }
    let middle = (low + high) * 0.5;
    let center = origin + axes * middle;
    OrientedBox { center, axes, half: (high - middle).max(middle - low), point: center }
}

/// About the principal axes of the vertices.
fn principal_axes(mesh: &Mesh, origin: DVec3) -> DMat3 {
    // Of size one, so that nothing overflows.
    let size = mesh.aabb().extent().max_element();
    let unit = if size > 0.0 { 1.0 / size } else { 0.0 };
    let (mut sum, mut second) = (DVec3::ZERO, DMat3::ZERO);
    for p in mesh.vertices() {
        let p = (*p - origin) * unit;
        sum += p;
        second += outer(p, p);
    }
    let mean = sum / mesh.vertices().len().max(1) as f64;
    symmetric_eigen(&(second - outer(mean, mean) * mesh.vertices().len() as f64)).vectors
}

/// Flat on the sum of the normals of all triangles, as far as possible along the principal axes.
fn flat_axes(mesh: &Mesh, principal: &DMat3) -> Option<DMat3> {
    let size = mesh.aabb().extent().max_element();
    let normal = |t: u32| {
        let [a, b, c] = mesh.triangle(t).corners();
        ((b - a) / size).cross((c - a) / size)
    };
    let normal = (0..mesh.triangles().len() as u32).map(normal).sum::<DVec3>().try_normalize()?;
    // Of the principal axes the one that is most square to it.
    let along = (1..3).fold(principal.col(0), |best, k| {
        let next = principal.col(k);
        if next.dot(normal).abs() < best.dot(normal).abs() { next } else { best }
    });
    let along = (along - normal * along.dot(normal)).try_normalize()?;
    Some(DMat3::from_cols(along, normal.cross(along), normal))
}

#[cfg(test)]
mod tests {
    use glam::DQuat;

    use super::*;
    use crate::testing::sheet;

    #[test]
    fn plates_turned_together_are_as_far_apart_as_their_boxes_to_the_last_digits() {
        let plate = sheet(9, |_, _| 0.0);
        for (k, gap) in [1.0, 1e-3, 1e-9].into_iter().enumerate() {
            let turn = DQuat::from_scaled_axis(DVec3::new(0.3, -0.7, 1.9) * k as f64);
            let tilted = plate.mapped(|p| DQuat::from_rotation_x(0.4) * p).unwrap();
            let lift = DQuat::from_rotation_x(0.4) * DVec3::Z * gap;
            let (here, there) =
                (Pose::new(DVec3::ZERO, turn).unwrap(), Pose::new(turn * lift, turn).unwrap());
            let whole = Whole::of(&tilted);
            let found = whole.gap(&here, &whole, &there);
            assert!(found <= gap && found > gap - 1e-13, "{found} {gap}");
            assert_eq!(whole.gap(&here, &whole, &here), 0.0);
        }
    }

    #[test]
    fn any_mesh_has_a_box() {
        for mesh in [
            Mesh::new(vec![DVec3::ONE], vec![[0, 0, 0]]).unwrap(),
            sheet(3, |x, y| x * y).mapped(|p| p * 1e80).unwrap(),
            sheet(3, |x, y| x * y).mapped(|p| p * 1e-80).unwrap(),
            sheet(1, |_, _| 0.0).mapped(|p| DVec3::new(p.x, 0.0, 0.0)).unwrap(),
        ] {
            let whole = Whole::of(&mesh);
            assert!(whole.bounds.half.is_finite() && whole.bounds.axes.is_finite());
        }
    }
}
