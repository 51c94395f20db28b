//! How long two moving pieces certainly stay apart: the bound on which all of continuous detection stands.
//!
//! Let n be a direction fixed in the world. A point y of a body, seen from the centre of its motion, is at
//! `exp(δ[ω]×)·y` after a time δ, so that its height along n is
//!
//! `n·y + δ·(n×ω)·y + r`, `|r| ≤ ½·δ²·|n×ω|·|ω|·ρ`, with ρ its distance from the axis.
//!
//! The first two terms together are the height of y along `n + δ·(n×ω)`. So the gap of two bodies along n
//! after δ is at least
//!
//! `f(δ) = n·(c + δ·v) − S_A(n + δ·n×ω_A) − S_B(−n − δ·n×ω_B) − ½·δ²·(K_A + K_B)`
//!
//! with c from centre to centre, v its velocity, S the support functions and K = |n×ω|·|ω|·ρ. Support
//! functions are convex, so f is concave: where it is positive at 0 and not negative at δ, it is so in
//! between, and the bodies are apart all the time up to δ. One support point of each body proves that. For
//! linear motion f is linear, and its zero is the step of conservative advancement along n (Mirtich 1996,
//! "Impulse-based dynamic simulation of rigid body systems"; Tang, Kim and Manocha 2009, "C²A: controlled
//! conservative advancement for continuous collision detection of polygonal models"), which bounds what turns
//! by `|n×ω|·ρ` for all time; that bound and one by the volume of revolution are used beside it where they
//! are better. So is f for a direction that turns with one of the bodies, as that body sees the other.
//! Margins do not turn: S and ρ are those of cores.

use glam::DVec3;

use super::course::Instant;
use super::piece::{Piece, Ring};
use crate::math::length;

/// A pair of pieces, with what bounds their turning.
pub struct Facing<'p, 'a> {
    instant: &'p Instant,
    pieces: [&'p Piece<'a>; 2],
    /// Only of those that turn.
    rings: [Option<Ring>; 2],
}

/// A direction along which two pieces are apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gap {
    /// From the first to the second, of length 1, in the frame of the first body.
    pub normal: DVec3,
    /// How far they are certainly apart along it, less the separation.
    pub width: f64,
    /// They come no nearer along it than at this rate, ever.
    pub rate: f64,
}

impl Gap {
    /// How long they certainly stay apart, by the rate alone.
    pub fn time(&self) -> f64 {
        if self.width <= 0.0 {
            0.0
        } else if self.rate <= 0.0 {
            f64::INFINITY
        } else {
            self.width / self.rate
        }
    }
}

/// Turns of more than this, in radians, are looked at more closely.
const FAR: f64 = 0.5;

/// Part of the bracket that the search for the zero of f leaves open.
const ENOUGH: f64 = 1.05;

impl<'p, 'a> Facing<'p, 'a> {
    /// Two pieces at an instant.
    #[inline]
    pub fn new(instant: &'p Instant, a: &'p Piece<'a>, b: &'p Piece<'a>) -> Self {
        let ring = |i: usize, piece: &Piece| instant.axes[i].map(|axis| piece.ring(instant.centers[i], axis));
        Self { instant, pieces: [a, b], rings: [ring(0, a), ring(1, b)] }
    }

    /// The pieces.
    pub(super) fn pieces(&self) -> [&'p Piece<'a>; 2] {
        self.pieces
    }

    /// The instant.
    pub(super) fn instant(&self) -> &'p Instant {
        self.instant
    }

    /// The same with the second piece's place taken by another, or the first's.
    #[inline]
    pub fn with(&self, i: usize, piece: &'p Piece<'a>) -> Self {
        let ring = self.instant.axes[i].map(|axis| piece.ring(self.instant.centers[i], axis));
        let (mut pieces, mut rings) = (self.pieces, self.rings);
        (pieces[i], rings[i]) = (piece, ring);
        Self { instant: self.instant, pieces, rings }
    }

    /// What is known along a direction of length 1.
    #[inline]
    pub fn along(&self, normal: DVec3, separation: f64) -> Gap {
        let width = self.gap(normal, normal, normal, 0.0) - separation;
        Gap { normal, width, rate: self.rate(normal) }
    }

    /// They come no nearer along the direction than at this rate.
    #[inline]
    pub(super) fn rate(&self, normal: DVec3) -> f64 {
        let turning = self.turning(0, normal) + self.turning(1, normal);
        // Rounding of products; a rate of zero along a face stays one.
        turning * (1.0 + 16.0 * f64::EPSILON) - normal.dot(self.instant.velocity)
    }

    /// `|n×ω|·ρ`: how fast points of a piece get along a direction by turning.
    #[inline]
    fn turning(&self, i: usize, normal: DVec3) -> f64 {
        match (&self.rings[i], self.instant.seen[i]) {
            (Some(ring), Some(axis)) => normal.cross(axis).length() * self.instant.rates[i] * ring.radius,
            _ => 0.0,
        }
    }

    /// The gap of the pieces where the heights of each are taken along a direction of its own, after a time.
    #[inline]
    fn gap(&self, normal: DVec3, toward_a: DVec3, toward_b: DVec3, time: f64) -> f64 {
        let instant = self.instant;
        let [a, b] = self.pieces;
        let back = instant.turn().transpose() * -toward_b;
        let high_a = a.height_turned(toward_a) - toward_a.dot(instant.centers[0]);
        let high_b = b.height_turned(back) - back.dot(instant.centers[1]);
        let way = normal.dot(instant.between) + time * normal.dot(instant.velocity);
        let slack = instant.slack * (1.0 + length(toward_a - normal) + length(toward_b - normal));
        way - high_a - high_b - slack
    }

    /// The function f of the head of this file.
    fn bound(&self, normal: DVec3, time: f64) -> f64 {
        let leans = self.instant.spins.map(|spin| normal.cross(spin));
        let bend = |i: usize| self.turning(i, normal) * self.instant.rates[i];
        let bends = (bend(0) + bend(1)) * (1.0 + 16.0 * f64::EPSILON);
        self.gap(normal, normal + leans[0] * time, normal + leans[1] * time, time) - 0.5 * time * time * bends
    }

    /// A time for which the pieces certainly stay apart by more than the separation, at most `most`; not
    /// quite the longest that the gap's direction proves. 0 if they may not be apart now.
    pub fn free_time(&self, gap: &Gap, separation: f64, most: f64) -> f64 {
        if gap.width <= 0.0 {
            return 0.0;
        }
        // A half-space that turns sweeps over everything sooner or later, and has no support but along its normal.
        if (0..2).any(|i| matches!(self.pieces[i], Piece::Plane(_)) && self.rings[i].is_some()) {
            return self.under_turning_plane(gap.width).min(most);
        }
        let first = gap.time();
        if first >= most || self.rings.iter().all(Option::is_none) {
            return first.min(most);
        }
        let low = first.max(self.by_revolution(gap, separation));
        if low >= most {
            return most;
        }
        let low = low.max(self.seen_by_a_body(gap, separation, most));
        if low >= most { most } else { self.zero(gap.normal, separation, low, most) }
    }

    /// By the same bound for a direction that turns with one of the bodies, which then stands still: then f
    /// bends with how far the other is from the axis. A body whose middle is on the axis, and whose margin
    /// turns with nothing, keeps its distance.
    fn seen_by_a_body(&self, gap: &Gap, separation: f64, most: f64) -> f64 {
        let bend = |i: usize| self.turning(i, gap.normal) * self.instant.rates[i];
        let bends = bend(0) + bend(1);
        (0..2).fold(0.0, |best: f64, i| {
            let Some(seen) = self.instant.seen_by(i) else { return best };
            let other = Facing::new(&seen, self.pieces[0], self.pieces[1]);
            // Its own turning moves no point of the other farther than the diameter of its ring.
            let wobble = self.rings[1 - i].map_or(0.0, |ring| 2.0 * ring.radius);
            let across = length(self.instant.velocity - seen.velocity) * most;
            let left = gap.width - wobble - across - 4.0 * seen.slack;
            if left <= 0.5 * gap.width || other.turning(1 - i, gap.normal) * seen.rates[1 - i] > 0.25 * bends
            {
                return best;
            }
            let separation = separation + wobble + across;
            let gap = other.along(gap.normal, separation);
            let low = gap.time();
            best.max(if low >= most { most } else { other.zero(gap.normal, separation, low, most) })
        })
    }

    /// The same with less work, for bounds: what f says at the end alone.
    pub fn rough_free_time(&self, gap: &Gap, separation: f64, most: f64) -> f64 {
        let first = gap.time();
        let turns = self.rings.iter().any(Option::is_some);
        let planes = self.pieces.iter().any(|piece| matches!(piece, Piece::Plane(_)));
        // What turns far bends f so much that its end says little.
        let far = (self.instant.rates[0] + self.instant.rates[1]) * most > FAR;
        if first == 0.0 || first >= most || !turns || planes || far {
            return self.free_time(gap, separation, most);
        }
        let last = self.bound(gap.normal, most) - separation;
        if last >= 0.0 {
            return most;
        }
        // A chord of a concave function lies below it.
        let chord = most * (gap.width / (gap.width - last));
        let revolving = self.by_revolution(gap, separation);
        first.max(chord).max(revolving).min(most)
    }

    /// Looks for the zero of f between a time at which it is positive and one that is enough.
    fn zero(&self, normal: DVec3, separation: f64, mut low: f64, most: f64) -> f64 {
        let f = |time: f64| self.bound(normal, time) - separation;
        let (mut high, mut f_high) = (most, f(most));
        if f_high >= 0.0 {
            return most;
        }
        let mut f_low = f(low);
        // The first bound may be better than f where that is not.
        for _ in 0..12 {
            if f_low < 0.0 || high <= low * ENOUGH {
                break;
            }
            // A chord of a concave function lies below it.
            let chord = low + (high - low) * (f_low / (f_low - f_high));
            let middle = if high > 4.0 * low { (low * high).sqrt() } else { 0.5 * (chord + high) };
            let next = if high > 4.0 * low { middle.max(chord) } else { middle };
            let value = f(next);
            if value >= 0.0 {
                (low, f_low) = (next, value);
            } else {
                (high, f_high) = (next, value);
                low = low.max(chord.min(next));
                f_low = f(low);
            }
        }
        low
    }

    /// By the volumes of revolution that the pieces stay in as seen from their centres.
    fn by_revolution(&self, gap: &Gap, separation: f64) -> f64 {
        let (instant, normal) = (self.instant, gap.normal);
        let sides = [normal, instant.turn().transpose() * -normal];
        let high = |i: usize| match (&self.rings[i], instant.axes[i]) {
            (Some(ring), Some(axis)) => ring.height(sides[i].dot(axis), length(sides[i].cross(axis))),
            _ => self.pieces[i].height(sides[i]) - sides[i].dot(instant.centers[i]),
        };
        let width = normal.dot(instant.between) - high(0) - high(1) - 2.0 * instant.slack - separation;
        Gap { normal, width, rate: -normal.dot(instant.velocity) }.time()
    }

    /// A half-space that turns: seen from its centre no point of the other piece is faster than its own speed
    /// and that of the half-space at its distance, which itself grows no faster than the centres part.
    fn under_turning_plane(&self, width: f64) -> f64 {
        let instant = self.instant;
        let balls = [0, 1].map(|i| {
            let (middle, radius) = self.pieces[i].ball();
            if radius.is_finite() { length(middle - instant.centers[i]) + radius } else { 0.0 }
        });
        let speed = length(instant.velocity);
        let rates = instant.rates[0] + instant.rates[1];
        let reach = length(instant.between) + balls[0] + balls[1];
        // width = rates·(reach·τ + speed·τ²/2) + speed·τ, solved for τ without cancellation.
        let slope = rates * reach + speed;
        let root = (slope * slope + 2.0 * rates * speed * width).sqrt();
        2.0 * width / (slope + root) * (1.0 - 16.0 * f64::EPSILON)
    }
}
