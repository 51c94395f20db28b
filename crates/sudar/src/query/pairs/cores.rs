//! Distances of convex bodies from those of their cores, which have margins around them.

use glam::DVec3;

use crate::convex::PosedConvex;
use crate::math::Interval;
use crate::pair::Nearest;
use crate::query::answer::Found;

/// The distance of bodies that are certainly apart, from that of their cores, the nearest points of these and the
/// direction from the first to the second.
#[inline]
pub fn of_cores(bodies: [&PosedConvex; 2], cores: Interval, (a, b): (DVec3, DVec3), normal: DVec3) -> Found {
    let [r, s] = bodies.map(|body| body.convex().margin());
    let margin = r + s;
    let doubt = 2.0 * f64::EPSILON * margin;
    let lower = (cores.lower - margin - doubt).max(0.0);
    let interval = Interval { lower, upper: (cores.upper - margin + doubt).max(lower) };
    Found { nearest: Nearest::between(a + normal * r, b - normal * s), interval, features: [0, 0] }
}

/// A point of two bodies that certainly meet: of both cores if those meet, else between them in proportion to the
/// margins.
pub fn in_cores([a, b]: [&PosedConvex; 2], (p, q): (DVec3, DVec3)) -> DVec3 {
    let (r, s) = (a.convex().margin(), b.convex().margin());
    let share = if r + s > 0.0 { r / (r + s) } else { 0.5 };
    p + (q - p) * share
}
