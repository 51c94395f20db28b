//! What geoms weigh: by closed forms for primitives, by triangles for meshes, as MuJoCo has it.

use sudar::{DMat3, DVec3};

use super::compiler::MeshMass;
use crate::inertial::Inertial;

/// The shape of a geom that has a volume.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Primitive {
    Sphere(f64),
    /// Radius and half the length of the straight part.
    Capsule(f64, f64),
    /// Radius and half length.
    Cylinder(f64, f64),
    Ellipsoid(DVec3),
    /// Half sides.
    Box(DVec3),
}

/// The volume or surface of something with the inertia of density 1 about its centre.
#[derive(Debug, Clone, Copy)]
pub(super) struct Measure {
    pub size: f64,
    pub center: DVec3,
    /// Of the size 1.
    pub inertia: DMat3,
}

impl Measure {
    /// With a mass, or a density.
    pub fn weighing(&self, mass: f64) -> Inertial {
        Inertial { mass, center: self.center, inertia: self.inertia * mass }
    }
}

use std::f64::consts::PI;

impl Primitive {
    /// Filled with a uniform density.
    pub fn solid(&self) -> Measure {
        let of = |size: f64, moments: DVec3| Measure {
            size,
            center: DVec3::ZERO,
            inertia: DMat3::from_diagonal(moments),
        };
        match *self {
            Self::Sphere(r) => of(4.0 / 3.0 * PI * r * r * r, DVec3::splat(0.4 * r * r)),
            Self::Cylinder(r, h) => {
                let across = (3.0 * r * r + 4.0 * h * h) / 12.0;
                of(2.0 * PI * r * r * h, DVec3::new(across, across, 0.5 * r * r))
            }
            Self::Capsule(r, h) => {
                // A cylinder and two halves of a ball, of which each has its centre 3/8 r beyond its flat side.
                let (rod, ball) = (2.0 * PI * r * r * h, 4.0 / 3.0 * PI * r * r * r);
                let (rod_part, ball_part) = (rod / (rod + ball), ball / (rod + ball));
                let along = rod_part * 0.5 * r * r + ball_part * 0.4 * r * r;
                let across = rod_part * (3.0 * r * r + 4.0 * h * h) / 12.0
                    + ball_part * (0.4 * r * r + h * h + 0.75 * h * r);
                of(rod + ball, DVec3::new(across, across, along))
            }
            Self::Ellipsoid(r) => of(4.0 / 3.0 * PI * r.x * r.y * r.z, others(r * r) / 5.0),
            Self::Box(half) => of(8.0 * half.x * half.y * half.z, others(half * half) / 3.0),
        }
    }
}

/// The sums of two of the three.
fn others(v: DVec3) -> DVec3 {
    DVec3::new(v.y + v.z, v.x + v.z, v.x + v.y)
}

/// Triangles measured; `None` where nothing is left of them.
pub(super) fn of_triangles(triangles: &[[DVec3; 3]], how: MeshMass) -> Option<Measure> {
    let middle = surface_middle(triangles)?;
    let weight = |corners: [DVec3; 3]| match how {
        MeshMass::Shell => area(corners),
        MeshMass::Legacy => volume(corners).abs(),
        MeshMass::Exact | MeshMass::Convex => volume(corners),
    };
    // The centre of a pyramid is three quarters of the way from its tip to the middle of its base. MuJoCo takes the
    // same for triangles of a shell.
    let (mut size, mut center) = (0.0, DVec3::ZERO);
    for triangle in triangles {
        let weight = weight(triangle.map(|p| p - middle));
        size += weight;
        center += ((triangle[0] + triangle[1] + triangle[2]) * 0.25 + middle * 0.25) * weight;
    }
    if size <= 1e-15 {
        return None;
    }
    let center = center / size;
    let (mut size, mut moments) = (0.0, DMat3::ZERO);
    for triangle in triangles {
        let corners = triangle.map(|p| p - center);
        let weight = weight(corners);
        size += weight;
        moments += second_moments(corners) * (weight / if how == MeshMass::Shell { 12.0 } else { 20.0 });
    }
    let trace = moments.x_axis.x + moments.y_axis.y + moments.z_axis.z;
    let inertia = (DMat3::from_diagonal(DVec3::splat(trace)) - moments) * (1.0 / size);
    (size > 0.0 && inertia.is_finite()).then_some(Measure { size, center, inertia })
}

/// The mean of the middles of triangles by their areas.
fn surface_middle(triangles: &[[DVec3; 3]]) -> Option<DVec3> {
    let (mut whole, mut sum) = (0.0, DVec3::ZERO);
    for &[a, b, c] in triangles {
        let area = area([a, b, c]);
        whole += area;
        sum += (a + b + c) / 3.0 * area;
    }
    (whole > 1e-15).then(|| sum / whole)
}

fn area([a, b, c]: [DVec3; 3]) -> f64 {
    (b - a).cross(c - a).length() * 0.5
}

/// Of the pyramid with its tip at the origin.
fn volume([a, b, c]: [DVec3; 3]) -> f64 {
    a.dot(b.cross(c)) / 6.0
}

/// Σ over pairs of corners of p qᵀ, those of a corner with itself twice: 20 times the second moments of a pyramid with
/// its tip at the origin and volume 1, 12 times those of a triangle of area 1.
fn second_moments([a, b, c]: [DVec3; 3]) -> DMat3 {
    let outer = |p: DVec3| DMat3::from_cols(p * p.x, p * p.y, p * p.z);
    outer(a) + outer(b) + outer(c) + outer(a + b + c)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The six sides of a box as triangles, from one corner to the other.
    fn box_triangles(half: DVec3, at: DVec3) -> Vec<[DVec3; 3]> {
        let mut triangles = Vec::new();
        for axis in 0..3 {
            for sign in [-1.0, 1.0] {
                let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
                let corner = |a: f64, b: f64| {
                    let mut p = DVec3::ZERO;
                    (p[axis], p[u], p[v]) = (sign * half[axis], a * half[u], b * half[v]);
                    p + at
                };
                let square = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
                let mut both = [[square[0], square[1], square[2]], [square[0], square[2], square[3]]];
                if sign < 0.0 {
                    both.iter_mut().for_each(|t| t.swap(1, 2));
                }
                triangles.extend(both);
            }
        }
        triangles
    }

    #[test]
    fn triangles_of_a_box_weigh_what_the_box_does() {
        let (half, at) = (DVec3::new(0.1, 0.2, 0.35), DVec3::new(1.0, -2.0, 0.5));
        let solid = Primitive::Box(half).solid();
        for how in [MeshMass::Legacy, MeshMass::Exact, MeshMass::Convex] {
            let found = of_triangles(&box_triangles(half, at), how).unwrap();
            assert!((found.size - solid.size).abs() < 1e-14 && (found.center - at).length() < 1e-14);
            let off = (found.inertia - solid.inertia).to_cols_array();
            assert!(off.iter().all(|x| x.abs() < 1e-14), "{off:?}");
        }
        let shell = of_triangles(&box_triangles(half, at), MeshMass::Shell).unwrap();
        assert!((shell.size - 8.0 * (0.02 + 0.07 + 0.035)).abs() < 1e-14);
        // About x: two sides at ±x, two at ±y, two at ±z, each a plate.
        let [a, b, c] = [0.1, 0.2, 0.35];
        let plates = 8.0 * b * c * (b * b + c * c) / 3.0
            + 8.0 * a * c * (c * c / 3.0 + b * b)
            + 8.0 * a * b * (b * b / 3.0 + c * c);
        assert!((shell.inertia.x_axis.x * shell.size - plates).abs() < 1e-14);
        assert!(of_triangles(&[], MeshMass::Legacy).is_none());
    }

    #[test]
    fn a_capsule_between_a_ball_and_a_rod() {
        // Without a straight part it is a ball.
        let [ball, capsule] = [Primitive::Sphere(0.3), Primitive::Capsule(0.3, 0.0)].map(|p| p.solid());
        assert!((ball.size - capsule.size).abs() < 1e-15);
        assert!((ball.inertia.x_axis.x - capsule.inertia.x_axis.x).abs() < 1e-15);
        // A round ellipsoid is a ball.
        let round = Primitive::Ellipsoid(DVec3::splat(0.3)).solid();
        assert!((round.inertia.z_axis.z - ball.inertia.z_axis.z).abs() < 1e-15);
    }
}
