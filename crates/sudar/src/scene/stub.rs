//! Stand-in until the query lands.
use crate::math::{Interval, Pose};
use crate::query::Body;
use glam::DVec3;
pub struct Distance {
    pub interval: Interval,
    pub point_a: DVec3,
    pub point_b: DVec3,
    pub beyond_max: bool,
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
