//! Balls and points against cylinders, cones, ellipsoids and boxes: the point of the surface nearest to the
//! centre says all.

use glam::DVec3;

use super::sphere_capsule::ball;
use crate::convex::{Core, PairKind, PosedConvex};
use crate::math::{Interval, shear};
use crate::pair::{Nearest, SurfacePoint, closest_surface_point_cuboid};
use crate::query::answer::{Found, Penetration};
use crate::shape::{Cuboid, Sphere};

/// A ball, or a point as a ball without radius, and a round body.
pub(crate) struct PointRound {
    ball: Sphere,
    /// Nearest to the centre of the ball, in the world.
    on_body: DVec3,
    /// Outward unit normal of the round body there.
    normal: DVec3,
    /// Distance of the two, less than zero where they overlap.
    signed: Interval,
    /// Whether the centre of the ball is in the other body, but for rounding.
    centered: bool,
    ball_is_first: bool,
}

impl PointRound {
    /// The pair, if it is one and the pose of the round body is rigid up to rounding.
    #[inline]
    pub fn new(a: &PosedConvex, b: &PosedConvex) -> Option<Self> {
        if PairKind::of(a, b) == PairKind::PointRound { Self::of_pair(a, b) } else { None }
    }

    /// The same of a pair that is known to be a point and a round body, or a point and a box, whose points within
    /// rounding of the surface others tell exactly.
    #[inline]
    pub fn of_pair(a: &PosedConvex, b: &PosedConvex) -> Option<Self> {
        if a.convex().core().is_point() { Self::of(a, b, true) } else { Self::of(b, a, false) }
    }

    fn of(point: &PosedConvex, round: &PosedConvex, ball_is_first: bool) -> Option<Self> {
        let shear = shear(&round.pose().rotation());
        if shear > 16.0 * f64::EPSILON {
            return None;
        }
        let ball = ball(point);
        let there = round.pose().unapply(ball.center);
        let found = nearest(there, round)?;
        // The centre seen from the body, and the surface point, are off by a few ulp of their coordinates each; lengths
        // in the frame of the body differ from those in the world by 3/2 of the entries of RᵀR − I.
        let size = there.abs().max_element() + round.convex().radius();
        let doubt = (24.0 * f64::EPSILON + 1.5 * shear) * size + 2.0 * f64::EPSILON * ball.radius;
        // Boxes are their corners, which are rounded where they stand.
        let doubt = if round.convex().is_polytope() {
            doubt + 4.0 * f64::EPSILON * ball.center.abs().max_element()
        } else {
            doubt
        };
        let normal = outward(found, doubt, round)?;
        Some(Self {
            ball,
            on_body: round.pose().apply(found.point),
            normal: round.pose().rotate(normal).normalize(),
            signed: Interval::point(-found.depth - ball.radius).widened(doubt),
            centered: found.depth >= 0.0,
            ball_is_first,
        })
    }

    /// Whether they have a point in common; `None` within a few dozen ulp of touching.
    pub fn meet(&self) -> Option<bool> {
        if self.signed.lower > 0.0 {
            Some(false)
        } else if self.signed.upper < 0.0 {
            Some(true)
        } else {
            None
        }
    }

    /// Their distance, or a common point.
    pub fn distance(&self) -> Found {
        if self.meet() == Some(true) {
            let point = if self.centered { self.ball.center } else { self.on_body };
            return Found::at(point, [0, 0]);
        }
        let [a, b] = self.points();
        let interval = Interval { lower: self.signed.lower.max(0.0), ..self.signed };
        Found { nearest: Nearest::between(a, b), interval, features: [0, 0] }
    }

    /// Their signed distance.
    pub fn penetration(&self) -> Penetration {
        let [point_a, point_b] = self.points();
        let normal = if self.ball_is_first { -self.normal } else { self.normal };
        Penetration { signed: self.signed, normal, point_a, point_b }
    }

    fn points(&self) -> [DVec3; 2] {
        let on_ball = self.ball.center - self.normal * self.ball.radius;
        if self.ball_is_first { [on_ball, self.on_body] } else { [self.on_body, on_ball] }
    }
}

/// The point of the surface nearest to a point in the frame of the body.
fn nearest(p: DVec3, round: &PosedConvex) -> Option<SurfacePoint> {
    match round.convex().core() {
        Core::Round(round) => Some(round.closest_surface_point(p)),
        Core::Cuboid(half, _) => Some(closest_surface_point_cuboid(p, &Cuboid { half: *half })),
        Core::Point(_) | Core::Segment(_) | Core::Triangle(_) | Core::Polytope(_) => None,
    }
}

/// The normal of the surface. Outside it is the direction to the point, which is lost where that is as near as
/// rounding: then that of the surface next to its point, seen from slightly inside.
fn outward(found: SurfacePoint, doubt: f64, round: &PosedConvex) -> Option<DVec3> {
    if found.depth < 0.0 && found.depth > -1e3 * doubt {
        return nearest(found.point * (1.0 - 1e-12), round).map(|inside| inside.normal);
    }
    Some(found.normal)
}
