//! Winding numbers against the sum of all solid angles.
//!
//! That of a triangle with corners a, b, c seen from the point is 2·atan2(h, d) with the determinant h =
//! a·(b×c) and d = |a||b||c| + (a·b)|c| + (b·c)|a| + (c·a)|b| (van Oosterom and Strackee 1983, "The solid
//! angle of a plane triangle"). Here h is exact, so that its sign is, and d is given far more room than it
//! rounds by. For a given h the angle is a monotone function of d: its values at both ends of the room hold
//! the truth, however near the point is to the triangle.

use std::f64::consts::PI;

use rand::RngExt;
use sudar::math::{Fraction, FractionVec3};
use sudar::query::{Body, ByWinding, contains_by_winding, winding_number};
use sudar::{DVec3, Interval, Triangle};
use sudar_testing::Random;
use sudar_testing::oracle::Count;

use super::budgets::under_budgets;
use super::exact_distance::{scale_of, squared_distance};
use super::exact_ray::encloses;
use super::pairs::somewhere;
use super::truth::Placed;

/// Of the product of the three lengths; some sixty times what `f64` needs.
const ROOM: f64 = 1e-14;

/// What is true of the winding number of a mesh around a point.
struct Truth {
    /// It lies between these; on the surface, of which the number jumps, both sides do.
    number: Interval,
    /// How wide the answer may be where `f64` gives no better.
    width: f64,
    /// Of each triangle that holds the point, whether it is inside the face.
    on: Vec<bool>,
}

/// From a place near the mesh, on it or a hair from it.
pub fn check(placed: &Placed, body: &Body, r: &mut Random, seen: &mut Count) {
    let point = if r.random() { somewhere(placed, r) } else { a_hair_from_a_face(placed, r) };
    let truth = Truth::of(&placed.triangles, point);
    seen.add("windings", 1);
    seen.add("on the surface", !truth.on.is_empty());
    for accuracy in [0.5, 1e-3, 1e-9, 0.0] {
        let found = winding_number(body.at(&placed.pose), point, accuracy);
        truth.is_met(found, point);
        assert!(found.width() <= accuracy.max(truth.width), "{found:?} for {accuracy:e}, {:e}", truth.width);
        seen.raise("width of a winding", if accuracy == 0.0 { found.width() } else { 0.0 });
        if placed.solid {
            whole(placed, &truth, found, point, r);
        }
    }
    let asked = contains_by_winding(body.at(&placed.pose), point);
    inside(placed, &truth, &asked, point, r);
    seen.add("undecided", asked.inside.is_none());
    budgets(placed, body, point, &truth, &asked, r, seen);
}

/// Inside a face, on it as well as can be or up to a thousandth of the size away from it, on any side.
fn a_hair_from_a_face(placed: &Placed, r: &mut Random) -> DVec3 {
    let [a, b, c] = placed.triangles[r.random_range(0..placed.triangles.len())].corners();
    let (u, v) = (r.random_range(0.0..0.6), r.random_range(0.0..0.4));
    let (along, beside) = (b - a, c - a);
    let size = along.abs().max_element().max(beside.abs().max_element());
    if size == 0.0 {
        return a;
    }
    let away = (along / size).cross(beside / size).normalize_or_zero() * size;
    let far = [0.0, 10_f64.powi(r.random_range(-25..-3))][r.random_range(0..2)];
    a + along * u + beside * v + away * if r.random() { far } else { -far }
}

impl Truth {
    fn of(triangles: &[Triangle], p: DVec3) -> Self {
        let mut all = Self { number: Interval::point(0.0), width: 1e-12, on: Vec::new() };
        for t in triangles {
            let angle = Angle::of(t, p);
            all.number = Interval {
                lower: all.number.lower + angle.number.lower,
                upper: all.number.upper + angle.number.upper,
            };
            all.width += angle.doubt;
            if angle.height.is_zero() && squared_distance(&t.corners(), &[p; 3]).is_zero() {
                all.on.push(angle.base.upper < 0.0);
            }
        }
        // Sums of a few hundred numbers below one.
        all.number = all.number.widened(1e-13);
        all
    }

    fn is_met(&self, found: Interval, point: DVec3) {
        let meets = found.lower <= self.number.upper && self.number.lower <= found.upper;
        assert!(meets, "{found:?} instead of {:?} at {point:?}", self.number);
        // In the middle of one face, with nothing else there, the number is known on both sides.
        if self.on == [true] {
            let (low, high) = (self.number.lower + 1e-11, self.number.upper - 1e-11);
            assert!(found.lower <= low && high <= found.upper, "{found:?} is one side of {:?}", self.number);
        }
    }
}

/// The part of the sphere that one triangle covers.
struct Angle {
    height: Fraction,
    base: Interval,
    number: Interval,
    /// How much less `f64` may know of it.
    doubt: f64,
}

impl Angle {
    fn of(t: &Triangle, p: DVec3) -> Self {
        let corners = t.corners();
        let seen = corners.map(|corner| &FractionVec3::from(corner) - &FractionVec3::from(p));
        // Rounded once, and brought to about one by a power of two.
        let far = scale_of([DVec3::splat(size(&seen))].iter());
        let by = Fraction::power_of_two(far.log2() as i64);
        let exact = seen.map(|v| v.scaled(&by));
        let height = exact[0].dot(&exact[1].cross(&exact[2]));
        let [a, b, c] = exact.map(|v| v.rounded());
        let [la, lb, lc] = [a, b, c].map(DVec3::length);
        let volume = la * lb * lc;
        let base = volume + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
        let base = Interval { lower: base - ROOM * volume, upper: base + ROOM * volume };
        let number = number(&height, base);
        // The library subtracts in `f64`: its height is off by some ulp of three lengths.
        let edges = (b - a).length() * (c - a).length() * la;
        let error = 1e-13 * (volume + edges) + 1e-139;
        let reach = height.to_f64().hypot(base.lower);
        let doubt = if reach <= 8.0 * error { 1.0 } else { number.width() + error / reach };
        Self { height, base, number, doubt }
    }
}

fn size(seen: &[FractionVec3; 3]) -> f64 {
    let largest = seen.iter().map(|v| v.rounded().abs().max_element()).fold(0.0, f64::max);
    if largest > 0.0 { largest } else { 1.0 }
}

/// The angle over 2π, of a height known exactly.
fn number(height: &Fraction, base: Interval) -> Interval {
    if height.is_zero() {
        let open = if base.lower > 0.0 { 0.0 } else { 0.5 };
        return Interval { lower: -open, upper: open };
    }
    let h = height.to_f64();
    // Too small for an `f64`, it is small all the same.
    let h = if h == 0.0 { f64::MIN_POSITIVE * if height.is_negative() { -1.0 } else { 1.0 } } else { h };
    let at = |base: f64| h.atan2(base) / (2.0 * PI);
    let (p, q) = (at(base.lower), at(base.upper));
    Interval { lower: p.min(q), upper: p.max(q) }.widened(1e-15)
}

/// Of a closed surface of one piece that is oriented outward: one inside, zero outside, both on it.
fn whole(placed: &Placed, truth: &Truth, found: Interval, point: DVec3, r: &mut Random) {
    if !is_oriented(&placed.triangles) {
        return;
    }
    let inside = encloses(&placed.triangles, point, r);
    assert!(!inside || found.contains(1.0), "{found:?} inside at {point:?}");
    assert!((inside && truth.on.is_empty()) || found.contains(0.0), "{found:?} outside at {point:?}");
}

/// Whether triangles on either side of each edge run along it in opposite directions. (The balls of bumpy
/// sheets do not.)
fn is_oriented(triangles: &[Triangle]) -> bool {
    let bits = |p: DVec3| p.to_array().map(|x| (x + 0.0).to_bits());
    let edge = |p: DVec3, q: DVec3| [bits(p), bits(q)];
    let edges = |turned: bool| {
        let of = |t: &Triangle| [(t.a, t.b), (t.b, t.c), (t.c, t.a)];
        let all = triangles.iter().flat_map(of);
        let mut all: Vec<_> = all.map(|(p, q)| if turned { edge(q, p) } else { edge(p, q) }).collect();
        all.sort_unstable();
        all
    };
    edges(false) == edges(true)
}

fn inside(placed: &Placed, truth: &Truth, asked: &ByWinding, point: DVec3, r: &mut Random) {
    if placed.solid {
        let inside = encloses(&placed.triangles, point, r);
        assert_eq!(asked.inside, Some(inside), "a solid at {point:?}");
        return;
    }
    is_so(truth, asked, point);
    if asked.inside.is_none() {
        let Interval { lower, upper } = truth.number;
        let near = lower <= 0.5 + truth.width && upper >= 0.5 - truth.width;
        assert!(near && asked.number.contains(0.5), "undecided at {point:?}: {asked:?}, {:?}", truth.number);
    }
}

/// What is said is true.
fn is_so(truth: &Truth, asked: &ByWinding, point: DVec3) {
    let Interval { lower, upper } = truth.number;
    match asked.inside {
        Some(true) => {
            assert!(upper > 0.5 || !truth.on.is_empty(), "{asked:?}, {:?} at {point:?}", truth.number);
        }
        Some(false) => {
            assert!(lower < 0.5 && truth.on.is_empty(), "{asked:?}, {:?} at {point:?}", truth.number);
        }
        None => assert!(truth.on.is_empty(), "{asked:?}: on the surface at {point:?}"),
    }
}

/// However few nodes may be opened, what is said is true; with enough of them all is said.
fn budgets(
    placed: &Placed,
    body: &Body,
    point: DVec3,
    truth: &Truth,
    asked: &ByWinding,
    r: &mut Random,
    seen: &mut Count,
) {
    let pose = &placed.pose;
    let exact = winding_number(body.at(pose), point, 0.0);
    for (found, all) in under_budgets(r, |work| work.winding_number(body.at(pose), point, 0.0)) {
        truth.is_met(found, point);
        assert!(!all || found == exact, "{found:?} instead of {exact:?}");
    }
    for (by, all) in under_budgets(r, |work| work.contains_by_winding(body.at(pose), point)) {
        if all {
            assert_eq!(by, *asked);
        } else if let Some(answer) = by.inside {
            assert!(asked.inside.is_none_or(|inside| inside == answer), "{by:?} instead of {asked:?}");
        }
        seen.add("cut short", by.inside.is_none());
    }
}
