//! Advancement by planes: how long two things of moving corners certainly stay on either side of one.
//!
//! Along a fixed direction n the gap of two sets of corners is the least of the differences `n·(b − a)`, each
//! linear in time. So it is concave, and its zero, the least of theirs, is a time until which the things are
//! certainly apart. There the nearest points give the next direction. Unlike bounds by the greatest speed
//! (Li, Kaufman and Jiang 2021, "Codimensional incremental potential contact", additive CCD) motion along the
//! plane costs nothing, and near a contact the steps are those of Newton's method.

use sudar::glam::DVec3;

use super::corners::unit;
use super::corners::{Corners, Kind};
use sudar::math::Interval;
use sudar::pair::{closest_point_triangle, closest_points_segments};
use sudar::shape::{Segment, Triangle};

/// What became of the advancement.
pub(super) enum Advance {
    Free,
    Hit(Interval),
    /// It has come to this time in as many steps as it may take.
    Slow(f64),
}

/// After so many steps the search by inclusion takes over.
const STEPS: u32 = 512;

/// After so many steps what has come near enough to count as contact does so, whether it touches or not.
const STEPS_NEAR: u32 = 64;

pub(super) fn advance(corners: &Corners) -> Advance {
    let mut time = 0.0;
    let mut near = None;
    for step in 0..STEPS {
        if near.is_some() && step >= STEPS_NEAR {
            break;
        }
        let now = corners.at(time);
        let (p, q) = nearest(corners.kind, &now);
        let way = q - p;
        let distance = way.length();
        if distance <= corners.separation + 4.0 * corners.slack {
            return Advance::Hit(Interval { lower: time, upper: closed(corners, time, &now, way) });
        }
        if near.is_none() && distance <= corners.separation + corners.delta - corners.slack {
            near = Some(time);
        }
        let next = later(corners, time, &now, way);
        if next >= 1.0 {
            // What was near is apart again: certainly no contact.
            return Advance::Free;
        }
        if next <= time {
            break;
        }
        time = next;
    }
    match near {
        Some(lower) => Advance::Hit(Interval { lower, upper: near_until(corners, time) }),
        None => Advance::Slow(time),
    }
}

/// The end of the time in which the things stay as near as counts as contact, or a little before it: from a
/// time when they are, by steps ever longer.
fn near_until(corners: &Corners, mut time: f64) -> f64 {
    let speed = corners.way.iter().fold(0.0, |most: f64, w| most.max(w.length()));
    let mut step = 0.25 * corners.delta / speed;
    while step.is_finite() && time < 1.0 {
        let next = (time + step).min(1.0);
        let (p, q) = nearest(corners.kind, &corners.at(next));
        if (q - p).length() > corners.separation + corners.delta {
            break;
        }
        (time, step) = (next, 1.25 * step);
    }
    time
}

/// The nearest points of the two things.
#[inline]
fn nearest(kind: Kind, &[a, b, c, d]: &[DVec3; 4]) -> (DVec3, DVec3) {
    match kind {
        Kind::VertexFace => (a, closest_point_triangle(a, &Triangle { a: b, b: c, c: d }).b),
        Kind::EdgeEdge => {
            let found = closest_points_segments(&Segment { a, b }, &Segment { a: c, b: d });
            (found.a, found.b)
        }
    }
}

/// A time until which the things are certainly apart: the better of those along the way between their nearest
/// points and square to the face, or to both edges, which is exact where the way is lost in rounding.
fn later(corners: &Corners, time: f64, now: &[DVec3; 4], way: DVec3) -> f64 {
    let along = |n: Option<DVec3>| n.map_or(time, |n| time + free(corners, now, n));
    let first = along(unit(way));
    if first >= 1.0 {
        return first;
    }
    let square = unit(normal(corners.kind, now));
    first.max(along(square.map(|n| if n.dot(way) < 0.0 { -n } else { n })))
}

fn normal(kind: Kind, [a, b, c, d]: &[DVec3; 4]) -> DVec3 {
    match kind {
        Kind::VertexFace => (c - b).cross(d - b),
        Kind::EdgeEdge => (b - a).cross(d - c),
    }
}

/// How long the things certainly stay farther apart than the separation along a unit direction.
#[inline]
fn free(corners: &Corners, now: &[DVec3; 4], n: DVec3) -> f64 {
    let (first, second) = corners.sides();
    let at = now.map(|p| n.dot(p));
    let speed = corners.way.map(|w| n.dot(w));
    let mut least = f64::INFINITY;
    for &i in first {
        for &j in second {
            let gap = (at[j] - at[i]) - corners.separation - 2.0 * corners.slack;
            let closing = speed[i] - speed[j];
            if gap.is_nan() || gap <= 0.0 {
                return 0.0;
            }
            if closing > 0.0 {
                least = least.min(gap / closing);
            }
        }
    }
    least
}

/// A time by which the things that are about to touch have done so, if they go on as they do now.
fn closed(corners: &Corners, time: f64, now: &[DVec3; 4], way: DVec3) -> f64 {
    let square = unit(normal(corners.kind, now));
    let mut latest = time;
    for n in [unit(way), square].into_iter().flatten() {
        let n = if n.dot(way) < 0.0 { -n } else { n };
        let rate = closing_at(corners, now, n);
        let most =
            time + (way.length() - corners.separation + 8.0 * corners.slack).max(0.0) / rate * (1.0 + 1e-9);
        if rate > 0.0 && most.is_finite() {
            let (p, q) = nearest(corners.kind, &corners.at(most.min(1.0)));
            if (q - p).length() <= corners.separation + corners.delta {
                latest = latest.max(most.min(1.0));
            }
        }
    }
    latest
}

/// How fast the nearest points approach each other along n: those of the features they are on, about.
fn closing_at(corners: &Corners, now: &[DVec3; 4], n: DVec3) -> f64 {
    let weights = weights(corners.kind, now);
    let velocity = (0..4).fold(DVec3::ZERO, |sum, i| sum + corners.way[i] * weights[i]);
    n.dot(velocity)
}

/// With what weights the nearest points are made of the corners, those of the second thing negative.
fn weights(kind: Kind, now: &[DVec3; 4]) -> [f64; 4] {
    let [a, b, c, d] = *now;
    let (p, q) = nearest(kind, now);
    let share = |p: DVec3, from: DVec3, to: DVec3| {
        let way = to - from;
        let square = way.length_squared();
        if square > 0.0 { ((p - from).dot(way) / square).clamp(0.0, 1.0) } else { 0.0 }
    };
    match kind {
        Kind::VertexFace => {
            let n = (c - b).cross(d - b);
            let square = n.length_squared();
            if square == 0.0 {
                return [1.0, -1.0, 0.0, 0.0];
            }
            let v = n.dot((q - b).cross(d - b)) / square;
            let w = n.dot((c - b).cross(q - b)) / square;
            [1.0, v + w - 1.0, -v, -w]
        }
        Kind::EdgeEdge => {
            let (s, t) = (share(p, a, b), share(q, c, d));
            [1.0 - s, s, t - 1.0, -t]
        }
    }
}
