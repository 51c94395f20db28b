//! The Minkowski difference of two posed shapes as far as the referee needs it: how far it reaches in a direction,
//! and two searches over directions that know nothing of the algorithms compared.

use ::sudar::Pose;
use glam::{DMat3, DVec3};

use super::form::Form;

/// Directions are sought up to this tangent from the line of centres; nearly flat hulls of eight vertices need some.
const WIDEST: f64 = 30.0;
/// Golden sections for an answer to the last bits: 60·0.618⁷² ≈ 5e-14, and values are smoother than arguments.
const FINE: usize = 72;
/// Golden sections where a thousandth will do.
const COARSE: usize = 30;
/// An overlap of the coarse search that no finer one turns into a gap; sizes are about 1.
const SURELY: f64 = 0.01;

/// All differences of a point of the core of `b` and one of the core of `a`; margins are kept apart.
#[derive(Debug, Clone, Copy)]
pub struct Difference<'a> {
    a: &'a Form,
    b: &'a Form,
    /// World to body.
    into_a: DMat3,
    into_b: DMat3,
    /// From the origin of `a` to that of `b`.
    between: DVec3,
}

impl<'a> Difference<'a> {
    /// Of two posed shapes.
    pub fn new(a: &'a Form, pose_a: &Pose, b: &'a Form, pose_b: &Pose) -> Self {
        let [into_a, into_b] = [pose_a, pose_b].map(|pose| pose.rotation().transpose());
        Self { a, b, into_a, into_b, between: pose_b.translation() - pose_a.translation() }
    }

    /// From the origin of `a` to that of `b`.
    pub fn between(&self) -> DVec3 {
        self.between
    }

    /// Sum of the margins.
    pub fn margin(&self) -> f64 {
        self.a.margin() + self.b.margin()
    }

    /// By how much the cores overlap along `n`, times its length: moved that far apart they are separated by a plane
    /// across `n`. Convex in `n`.
    pub fn overlap(&self, n: DVec3) -> f64 {
        self.both(n) - n.dot(self.between)
    }

    fn both(&self, n: DVec3) -> f64 {
        self.a.reach(self.into_a * n) + self.b.reach(-(self.into_b * n))
    }

    /// How far the origins must be apart along the unit vector `u` for the shapes to touch: `min h(n)` over all `n`
    /// with `n·u = 1`, where `h` is the reach of both together. `h` is convex.
    pub fn exit(&self, u: DVec3) -> f64 {
        lowest(u, WIDEST, COARSE, |n| self.both(n) + self.margin() * n.length()).1
    }

    /// The distance of the cores, zero or less where they meet: the greatest gap over all unit vectors.
    ///
    /// The gap is concave in `n` without the norm, and where it is positive its upper level sets are convex also
    /// after division by the norm. So one search by golden sections in the plane of all `n` with `n·t = |t|` finds the
    /// greatest one.
    pub fn gap(&self) -> f64 {
        let loss = |n: DVec3| {
            let overlap = self.overlap(n);
            if overlap < 0.0 { overlap / n.length() } else { overlap }
        };
        let center = self.between.normalize();
        let coarse = lowest(center, WIDEST, COARSE, loss).1;
        -if coarse > SURELY { coarse } else { lowest(center, WIDEST, FINE, loss).1 }
    }
}

/// The lowest value of `f` over `center + x e + y f` with `x`, `y` up to `widest`, and where: golden sections within
/// golden sections. Right for functions whose lower level sets are convex.
pub fn lowest(center: DVec3, widest: f64, sections: usize, f: impl Fn(DVec3) -> f64) -> (DVec3, f64) {
    let (right, up) = center.any_orthonormal_pair();
    let along = |x: f64| golden(widest, sections, |y| f(center + right * x + up * y));
    let (x, value) = golden(widest, sections, |x| along(x).1);
    (center + right * x + up * along(x).0, value)
}

/// The lowest value of `f` between `−widest` and `widest`, and where.
fn golden(widest: f64, sections: usize, f: impl Fn(f64) -> f64) -> (f64, f64) {
    const RATIO: f64 = 0.618_033_988_749_894_9;
    let (mut low, mut high) = (-widest, widest);
    let at = |low: f64, high: f64| high - RATIO * (high - low);
    let (mut left, mut right) = (at(low, high), at(high, low));
    let (mut on_left, mut on_right) = (f(left), f(right));
    for _ in 0..sections {
        if on_left <= on_right {
            (high, right, on_right) = (right, left, on_left);
            left = at(low, high);
            on_left = f(left);
        } else {
            (low, left, on_left) = (left, right, on_right);
            right = at(high, low);
            on_right = f(right);
        }
    }
    if on_left <= on_right { (left, on_left) } else { (right, on_right) }
}
