//! Stand-ins until the queries land.
use crate::math::{Interval, Pose};
use crate::query::Body;
use crate::shape::Solid;
use glam::DVec3;

pub enum SolidRelation {
    Apart,
    Touching,
    Overlapping,
    AInB,
    BInA,
}

pub struct Distance {
    pub interval: Interval,
    pub point_a: DVec3,
    pub point_b: DVec3,
    pub beyond_max: bool,
}

fn inside(s: &Solid, pose: &Pose, p: DVec3) -> bool {
    let d = DVec3::new(0.123, 0.456, 0.789);
    let mut odd = false;
    for i in 0..s.mesh().triangles().len() as u32 {
        let t = s.mesh().triangle(i);
        let [a, b, c] = [t.a, t.b, t.c].map(|q| pose.apply(q) - p);
        let (u, v, w) = (d.dot(a.cross(b)), d.dot(b.cross(c)), d.dot(c.cross(a)));
        if (u > 0.0 && v > 0.0 && w > 0.0) || (u < 0.0 && v < 0.0 && w < 0.0) {
            let n = (b - a).cross(c - a);
            if n.dot(a) / n.dot(d) > 0.0 {
                odd = !odd;
            }
        }
    }
    odd
}

pub fn contains(a: &Body, pose: &Pose, p: DVec3) -> Result<bool, ()> {
    a.solid().map(|s| inside(s, pose, p)).ok_or(())
}

pub fn solid_relation(a: &Solid, pa: &Pose, b: &Solid, pb: &Pose, contacts: &[[u32; 2]]) -> SolidRelation {
    let posed = |m: &Solid, p: &Pose, i| {
        let t: crate::shape::Triangle = m.mesh().triangle(i);
        crate::shape::Triangle { a: p.apply(t.a), b: p.apply(t.b), c: p.apply(t.c) }
    };
    if contacts.iter().any(|&[i, j]| crate::pair::triangles_cross(&posed(a, pa, i), &posed(b, pb, j))) {
        return SolidRelation::Overlapping;
    }
    if !contacts.is_empty() {
        return SolidRelation::Touching;
    }
    if inside(b, pb, pa.apply(a.mesh().vertices()[0])) {
        return SolidRelation::AInB;
    }
    if inside(a, pa, pb.apply(b.mesh().vertices()[0])) {
        return SolidRelation::BInA;
    }
    SolidRelation::Apart
}

pub fn distance(a: &Body, pa: &Pose, b: &Body, pb: &Pose, max: f64) -> Distance {
    let mut best = f64::INFINITY;
    let (mut x, mut y) = (DVec3::ZERO, DVec3::ZERO);
    if let (Some(m), Some(n)) = (a.mesh(), b.mesh()) {
        for &p in m.vertices() {
            for &q in n.vertices() {
                let (p, q) = (pa.apply(p), pb.apply(q));
                if p.distance(q) < best {
                    best = p.distance(q);
                    (x, y) = (p, q);
                }
            }
        }
    }
    Distance { interval: Interval::point(best), point_a: x, point_b: y, beyond_max: best > max }
}
