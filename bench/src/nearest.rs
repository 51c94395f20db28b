//! The judge of distances: every pair of triangles that may be nearer than what is claimed, in plain `f64`
//! seen from one of their corners. Slow on purpose, and it shares no code with the library that it judges: no
//! tree, no certificate.

use glam::DVec3;
use rayon::prelude::*;
use sudar::{Mesh, Pose};

type Corners = [DVec3; 3];

/// The distance of two posed meshes that do not meet, given that it is at most `claimed`, good to about 1e-12 of it;
/// infinite if it is more.
pub fn least_distance(a: &Mesh, pose_a: &Pose, b: &Mesh, pose_b: &Pose, claimed: f64) -> f64 {
    let (a, b) = (posed(a, pose_a), posed(b, pose_b));
    let reach = claimed * (1.0 + 1e-6);
    let least = |s: &Posed| {
        let near = b.iter().filter(|t| s.gap_squared(t) <= reach * reach);
        near.map(|t| triangles(&s.corners, &t.corners)).fold(f64::INFINITY, f64::min)
    };
    a.par_iter().map(least).reduce(|| f64::INFINITY, f64::min)
}

struct Posed {
    corners: Corners,
    min: DVec3,
    max: DVec3,
}

impl Posed {
    fn gap_squared(&self, other: &Self) -> f64 {
        (other.min - self.max).max(self.min - other.max).max(DVec3::ZERO).length_squared()
    }
}

fn posed(mesh: &Mesh, pose: &Pose) -> Vec<Posed> {
    let one = |i| {
        let corners @ [p, q, r] = mesh.triangle(i).corners().map(|p| pose.apply(p));
        Posed { corners, min: p.min(q).min(r), max: p.max(q).max(r) }
    };
    (0..mesh.triangles().len() as u32).map(one).collect()
}

/// The distance of triangles that do not meet is that of two edges, or of a corner and a face.
fn triangles(s: &Corners, t: &Corners) -> f64 {
    let (s, t) = (s.map(|p| p - s[0]), t.map(|p| p - s[0]));
    let edge = |t: &Corners, i: usize| [t[i], t[(i + 1) % 3]];
    let edges = (0..9).map(|n| segments(edge(&s, n / 3), edge(&t, n % 3)));
    let corners = (0..3).flat_map(|i| [above(s[i], &t), above(t[i], &s)]);
    edges.chain(corners).fold(f64::INFINITY, f64::min)
}

/// The height of a point over a face, infinite if it is not over it.
fn above(p: DVec3, t: &Corners) -> f64 {
    let normal = (t[1] - t[0]).cross(t[2] - t[0]);
    let over = (0..3).all(|i| (t[(i + 1) % 3] - t[i]).cross(p - t[i]).dot(normal) >= 0.0);
    let height = (p - t[0]).dot(normal).abs() / normal.length();
    if over && height.is_finite() { height } else { f64::INFINITY }
}

/// The least of the ends' distances and, if its feet are inside, the perpendicular.
fn segments([a, b]: [DVec3; 2], [c, d]: [DVec3; 2]) -> f64 {
    let ends = to_segment(a, c, d).min(to_segment(b, c, d)).min(to_segment(c, a, b)).min(to_segment(d, a, b));
    let (v, w, r) = (b - a, d - c, c - a);
    let normal = v.cross(w);
    let square = normal.length_squared();
    let inside = |x: f64| (0.0..=square).contains(&x);
    if inside(r.cross(w).dot(normal)) && inside(r.cross(v).dot(normal)) && square > 0.0 {
        return ends.min(r.dot(normal).abs() / square.sqrt());
    }
    ends
}

fn to_segment(p: DVec3, a: DVec3, b: DVec3) -> f64 {
    let along = b - a;
    let t = ((p - a).dot(along) / along.length_squared()).clamp(0.0, 1.0);
    let foot = if t.is_nan() { a } else { a + along * t };
    p.distance(foot)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::bumpy_sphere;

    #[test]
    fn distances_known_by_hand() {
        let floor = [DVec3::ZERO, DVec3::X * 4.0, DVec3::Y * 4.0];
        let other = |numbers: [f64; 9]| [0, 3, 6].map(|i| DVec3::from_slice(&numbers[i..i + 3]));
        assert_eq!(triangles(&floor, &other([1., 1., 2., 1., 1., 5., 2., 1., 5.])), 2.0);
        assert_eq!(triangles(&floor, &other([2., -1., -5., 2., -1., 5., 2., -9., 0.])), 1.0);
        assert_eq!(triangles(&floor, &other([-3., -4., 0., -9., -4., 0., -9., -9., 0.])), 5.0);
    }

    #[test]
    fn of_meshes_it_is_the_least() {
        let mesh = bumpy_sphere(6).unwrap();
        let away = Pose::from_translation(DVec3::X * 3.0).unwrap();
        let here = Pose::IDENTITY;
        let all = least_distance(&mesh, &here, &mesh, &away, 10.0);
        assert!((0.8..1.2).contains(&all));
        assert_eq!(least_distance(&mesh, &here, &mesh, &away, all), all);
        assert_eq!(least_distance(&mesh, &here, &mesh, &away, all * 0.5), f64::INFINITY);
    }
}
