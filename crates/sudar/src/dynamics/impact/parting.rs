//! For how long a plane certainly keeps two bodies apart.
//!
//! A point r of a body that turns with ω about its centre is, a short time t later, at r·n + t·r·(n×ω) along a normal
//! n, but for what grows with the square of t. So one support function, in the direction n + t·n×ω, gives the height
//! of the whole body then, and the room between two bodies is a concave function of t less that square: if there is
//! room at the end of an interval there is room all through it. Bounds by the length of the spin alone (Mirtich 1996)
//! move on by next to nothing where a corner leaves a face, or a bar turns about a ball at its end.

use glam::DVec3;

use crate::dynamics::matter::{BodyState, Outline, Rigid};
use crate::math::Pose;
use crate::shape::Triangle;

/// A body at an instant, and the normal of a plane in front of it, which points away from the body.
struct Side<'r> {
    rigid: &'r Rigid,
    pose: &'r Pose,
    normal: DVec3,
    /// n×ω.
    tilt: DVec3,
    /// How far the centre moves along the normal in a second.
    speed: f64,
    /// The height of the centre over the origin.
    level: f64,
    /// Of a mesh, the triangle that counts.
    triangle: Option<Triangle>,
}

impl<'r> Side<'r> {
    fn new(rigid: &'r Rigid, at: &BodyState, pose: &'r Pose, normal: DVec3) -> Self {
        if let Some((own, offset)) = rigid.plane() {
            return Self {
                rigid,
                pose,
                normal,
                tilt: DVec3::ZERO,
                speed: 0.0,
                level: own.dot(normal) * offset,
                triangle: None,
            };
        }
        let tilt = normal.cross(at.angular_velocity);
        let (speed, level) = (normal.dot(at.velocity), normal.dot(at.center));
        Self { rigid, pose, normal, tilt, speed, level, triangle: None }
    }

    /// The height of the body after a time, but for the square of the time; none if its support function is not known.
    fn height(&self, time: f64, center: DVec3) -> Option<f64> {
        let moved = self.level + self.speed * time;
        if matches!(self.rigid.form, Outline::Wall { .. }) {
            return Some(moved);
        }
        let direction = self.normal + self.tilt * time;
        if let Some(Triangle { a, b, c }) = self.triangle {
            return Some(
                moved + [a, b, c].map(|p| direction.dot(p - center)).into_iter().fold(f64::MIN, f64::max),
            );
        }
        Some(moved + self.rigid.reach_along(self.pose, center, direction)?)
    }
}

/// Two bodies at an instant, with a plane between them.
pub struct Parting<'r> {
    sides: [Side<'r>; 2],
    centers: [DVec3; 2],
    /// Bound on the second derivative of the height of any point of either, together.
    bend: f64,
    /// More than what rounding makes of the room.
    rounding: f64,
}

/// Pairs of times tried.
const TRIES: u32 = 8;
/// Part of a time up to which it is found.
const CLOSE: f64 = 1.0 / 16.0;

impl<'r> Parting<'r> {
    /// Bodies in these places, with a normal from the first to the second.
    pub fn new(
        rigids: [&'r Rigid; 2],
        at: &[BodyState; 2],
        poses: &'r [Pose; 2],
        normal: DVec3,
        bend: f64,
    ) -> Self {
        let side = |k: usize, normal: DVec3| Side::new(rigids[k], &at[k], &poses[k], normal);
        let sides = [side(0, normal), side(1, -normal)];
        let far = |side: &Side| side.level.abs() + side.pose.translation().abs().max_element();
        let rounding = 8.0 * f64::EPSILON * (far(&sides[0]) + far(&sides[1]));
        Self { sides, centers: at.map(|at| at.center), bend, rounding }
    }

    /// The same with one triangle of a mesh instead of all of it.
    pub fn of_piece(mut self, side: usize, triangle: Triangle) -> Self {
        self.sides[side].triangle = Some(triangle);
        self
    }

    /// The room between the bodies after a time, at least; none if it is not known.
    fn room(&self, time: f64) -> Option<f64> {
        let heights = [0, 1].map(|k| self.sides[k].height(time, self.centers[k]));
        let [Some(a), Some(b)] = heights else { return None };
        Some(-a - b - self.rounding - 0.5 * self.bend * time * time)
    }

    /// For how long the room is certainly no less than what `least` makes of the room there is now, up to a time of
    /// interest; nearly as long as it is so.
    pub fn lasts(&self, least: impl Fn(f64) -> Option<f64>, until: f64) -> Option<f64> {
        let now = self.room(0.0)?;
        let floor = least(now)?;
        let (mut free, mut over) = ((0.0, now), (until, self.room(until)?));
        if over.1 >= floor {
            return Some(until);
        }
        let meets = |(s, a): (f64, f64), (t, b): (f64, f64)| s + (t - s) * (a - floor) / (a - b);
        for _ in 0..TRIES {
            // The room is concave: at least what the chord says between two times, and at most that beyond them.
            let time = meets(free, over);
            let here = (time, self.room(time)?);
            let is_later = time > free.0 && here.1 >= floor;
            if !is_later {
                break;
            }
            let beyond = meets(free, here);
            free = here;
            if beyond > time && beyond < over.0 {
                let there = (beyond, self.room(beyond)?);
                *(if there.1 >= floor { &mut free } else { &mut over }) = there;
            }
            if over.0 - free.0 <= CLOSE * free.0 {
                break;
            }
        }
        Some(free.0)
    }
}
