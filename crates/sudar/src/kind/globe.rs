//! The unit ball as a net of triangles that is fine only there, and in those directions, in which the ellipsoid that it
//! is stretched to asks for it; and a proof of how far the stretched net is from the ellipsoid.
//!
//! Let S be the stretching by the semi-axes, and u a point of the unit sphere. Near u, a triangle of the unit net of
//! circumradius ρ becomes one that is ρ²/2·g away from the ellipsoid, with g = 1/|S⁻¹u|. So corners are placed
//! `√(4w/g)` apart for a distance w, along meridians and along parallels.
//!
//! The proof needs no small triangles. Let m be a point of the net, and move it in the direction S⁻²m, which is that of
//! the normal of the ellipsoid, until it is on the unit sphere. The stretched way is at most
//!
//! > (1 − |m|²) / (2·|S⁻¹m|).
//!
//! As S⁻²m·m > 0, no point passes the centre, so that the net, which winds once around the centre, moves onto all of
//! the sphere: the maximum over the net bounds the distance from the ellipsoid to the net as well as that from the net
//! to the ellipsoid. The same holds of the way along S m, at most 1 − |m| of the longest semi-axis.

use std::f64::consts::FRAC_PI_2;

use glam::{DVec2, DVec3};

use super::net::{Net, Ring};
use crate::math::{length, unit};

/// Semi-axes shorter than this part of the tolerance are taken for as long: distances grow with each semi-axis, and
/// a body that is thin beside the tolerance needs no corners for its thickness.
const THIN: f64 = 0.5;
/// Of all triangles so many may be around one quarter of a ring.
const SHARE: usize = 16;
/// Parts of a step by which the density of corners is summed.
const PARTS: f64 = 4.0;
/// How often a triangle is quartered to bound its distance.
const QUARTERED: u32 = 6;
/// Rounding of corners of the unit ball, of squares of their lengths and of what is made of these.
const ROUNDING: f64 = 32.0 * f64::EPSILON;

/// A ball or ellipsoid of semi-axes of at most one, its poles on the z axis.
pub(super) struct Globe {
    radii: DVec3,
}

impl Globe {
    /// To be meshed to a tolerance.
    pub fn new(radii: DVec3, tolerance: f64) -> Self {
        Self { radii: radii.max(DVec3::splat(THIN * tolerance)) }
    }

    /// The net with corners close enough for a distance of about `w`, and how many of its corners are below the middle
    /// of the ring in the plane z = 0, which comes twice if it is `split`. `None` beyond so many triangles.
    pub fn net(&self, w: f64, split: bool, most: usize) -> Option<(Net, usize)> {
        let rings = self.rings(w, most)?;
        let mut net = Net::default();
        let mut below = net.pole(-1.0);
        for (quarter, z) in &rings {
            below = net.above(below, quarter, -z);
        }
        let half = net.vertices.len();
        let rest = rings.len() - usize::from(!split);
        for (quarter, z) in rings[..rest].iter().rev() {
            below = net.above(below, quarter, *z);
        }
        let top = net.pole(1.0);
        net.stitch(below, top);
        Some((net, half))
    }

    /// The parallels of one half from the pole to the middle: corners of a quarter, and the height.
    fn rings(&self, w: f64, most: usize) -> Option<Vec<(Vec<DVec2>, f64)>> {
        let angles = spread(most, |angle| (4.0 * w * self.sharpness(angle)).sqrt())?;
        let (mut rings, mut corners) = (Vec::with_capacity(angles.len()), 0);
        for &angle in &angles[1..] {
            let quarter = self.quarter(angle, w, most)?;
            corners += 8 * quarter.len();
            if 2 * corners > most {
                return None;
            }
            // That in the middle is flat to the last bit.
            rings.push((quarter, if angle == FRAC_PI_2 { 0.0 } else { libm::cos(angle) }));
        }
        Some(rings)
    }

    /// The corners of a parallel in the first quarter.
    fn quarter(&self, angle: f64, w: f64, most: usize) -> Option<Vec<DVec2>> {
        let (out, up) = if angle == FRAC_PI_2 { (1.0, 0.0) } else { (libm::sin(angle), libm::cos(angle)) };
        let on = |turn: f64| DVec3::new(out * libm::cos(turn), out * libm::sin(turn), up);
        let turns = spread(most, |turn| (4.0 * w * length(on(turn) / self.radii)).sqrt() / out)?;
        let last = turns.len() - 1;
        let mut corners: Vec<DVec2> = turns.iter().map(|&turn| on(turn).truncate()).collect();
        (corners[0], corners[last]) = (DVec2::new(out, 0.0), DVec2::new(0.0, out));
        Some(corners)
    }

    /// The least `1/g` on a parallel.
    fn sharpness(&self, angle: f64) -> f64 {
        let across = self.radii.x.max(self.radii.y);
        length(DVec3::new(libm::sin(angle) / across, 0.0, libm::cos(angle) / self.radii.z))
    }

    /// How far the stretched net is from the surface, if that is proved to be at most `most`.
    pub fn distance(&self, net: &Net, most: f64) -> Option<f64> {
        let corners = |t: &[u32; 3]| t.map(|k| net.vertices[k as usize]);
        let radial = || self.worst(net, most, |t| self.radii.max_element() * short_of_sphere(&corners(t)));
        if self.radii == DVec3::ONE {
            return radial();
        }
        let normal = self.worst(net, most, |t| self.gap(&corners(t), most - 2.0 * ROUNDING, QUARTERED));
        normal.or_else(radial)
    }

    fn worst(&self, net: &Net, most: f64, distance: impl Fn(&[u32; 3]) -> f64) -> Option<f64> {
        net.triangles.iter().try_fold(0.0, |worst: f64, triangle| {
            let found = distance(triangle) * (1.0 + ROUNDING) + ROUNDING;
            (found <= most).then(|| worst.max(found))
        })
    }

    /// A bound on `(1 − |m|²) / (2·|S⁻¹m|)` over a triangle, at its centre q. The numerator is concave: it is nowhere
    /// above its tangent at q; the denominator is convex, and nowhere below its own. Quarters narrow what is too wide.
    fn gap(&self, triangle: &[DVec3; 3], enough: f64, quarters: u32) -> f64 {
        let [a, b, c] = *triangle;
        let q = (a + b + c) / 3.0;
        let reciprocal = unit(q / self.radii).map_or(DVec3::ZERO, |y| y / self.radii);
        let rounding = 8.0 * f64::EPSILON;
        let under = |p: DVec3| p.dot(reciprocal) - rounding * p.abs().dot(reciprocal.abs());
        let least = under(a).min(under(b)).min(under(c));
        let steepest = q.dot(q - a).max(q.dot(q - b)).max(q.dot(q - c));
        let bound = (1.0 + rounding - q.length_squared() + 2.0 * steepest) / (2.0 * least);
        if least > 0.0 && bound <= enough {
            return bound;
        }
        if quarters == 0 {
            return if least > 0.0 { bound } else { f64::INFINITY };
        }
        let [d, e, f] = [0.5 * (b + c), 0.5 * (c + a), 0.5 * (a + b)];
        let parts = [[a, f, e], [f, b, d], [e, d, c], [d, e, f]];
        parts.iter().map(|part| self.gap(part, enough, quarters - 1)).fold(0.0, f64::max)
    }
}

impl Net {
    /// A ring on top of another.
    fn above(&mut self, below: Ring, quarter: &[DVec2], z: f64) -> Ring {
        let ring = self.ring(quarter, z);
        self.stitch(below, ring);
        ring
    }
}

/// How far a triangle with its corners on the unit sphere comes within it: `1 − √(1 − ρ²)` with its circumradius ρ,
/// which does not cancel.
fn short_of_sphere(&[a, b, c]: &[DVec3; 3]) -> f64 {
    let (p, q, r) = (b - a, c - b, a - c);
    let square = p.length_squared() * q.length_squared() * r.length_squared();
    let rho = (square / (4.0 * p.cross(q).length_squared())).min(1.0);
    rho / (1.0 + (1.0 - rho).sqrt())
}

/// Angles from 0 to 90°, both included, at most about `step` apart where they are; `None` if these are too many for
/// so many triangles.
fn spread(most: usize, step: impl Fn(f64) -> f64) -> Option<Vec<f64>> {
    let mut marks = vec![0.0];
    let mut at = 0.0;
    while at < FRAC_PI_2 {
        if marks.len() > PARTS as usize * most / SHARE {
            return None;
        }
        let middle = (at + 0.5 * step(at) / PARTS).min(FRAC_PI_2);
        at += step(middle) / PARTS;
        marks.push(at);
    }
    let last = marks.len() - 2;
    let whole = last as f64 + (FRAC_PI_2 - marks[last]) / (marks[last + 1] - marks[last]);
    let count = (whole / PARTS).ceil().max(1.0);
    let place = |k: usize| {
        let part = whole * k as f64 / count;
        let mark = (part as usize).min(last);
        marks[mark] + (part - mark as f64) * (marks[mark + 1] - marks[mark])
    };
    let count = count as usize;
    let mut places: Vec<f64> = (0..count).map(place).collect();
    places.push(FRAC_PI_2);
    Some(places)
}
