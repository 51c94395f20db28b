//! Whether pieces of two bodies stay apart along a direction for an interval of time.
//!
//! With d the unit direction, each point x of a body has d · x(t) = d · x + τ d · v + e, τ = t − s, where e is
//! bounded by [`Stand::bend`] and v = u + ω × (x − o) with o the origin of the body's frame, u its velocity, ω the
//! spin. So the most that a body reaches along d at the velocity of the middle is its reach along d + τ d × ω from o,
//! plus d · o + τ d · u. What two points are apart is linear in τ there, least at an end of the interval.

use sudar::DVec3;

use super::figure::{Figure, Form, Range};
use super::motion::Stand;

/// Two bodies at a time.
pub(super) struct Pair<'p> {
    pub figures: [&'p Figure; 2],
    pub stands: [Stand; 2],
}

impl Pair<'_> {
    /// The direction that a half-space asks for, if one of the two is one.
    pub fn direction(&self, given: DVec3) -> DVec3 {
        for (k, sign) in [(0, 1.0), (1, -1.0)] {
            if let Form::Halfspace { normal, .. } = &self.figures[k].form {
                return self.stands[k].rotation * *normal * sign;
            }
        }
        given
    }

    /// By how much the second is beyond the first, at least, for all times within `half` of the middle. The direction
    /// has length one.
    pub fn gap(&self, ranges: [Range; 2], direction: DVec3, half: f64) -> f64 {
        let still = self.stands.iter().all(Stand::stands) || half == 0.0;
        let at = |tau: f64| {
            let most = self.reach(0, ranges[0], direction, tau);
            let least = -self.reach(1, ranges[1], -direction, tau);
            least - most
        };
        let straight = if still { at(0.0) } else { at(half).min(at(-half)) };
        straight - self.bend(0, ranges[0], half) - self.bend(1, ranges[1], half)
    }

    fn bend(&self, k: usize, range: Range, half: f64) -> f64 {
        self.stands[k].bend(self.figures[k].ball(range), half)
    }

    /// How far a body reaches along a direction, at the velocity of the middle after the time `tau`.
    fn reach(&self, k: usize, range: Range, direction: DVec3, tau: f64) -> f64 {
        let (figure, stand) = (self.figures[k], &self.stands[k]);
        if let Form::Halfspace { offset, .. } = &figure.form {
            // Along its normal alone, which `direction` sees to, and without motion; it is measured in its frame.
            return offset + direction.dot(stand.translation);
        }
        let turned = direction + direction.cross(stand.spin) * tau;
        let local = stand.rotation.transpose() * turned;
        direction.dot(stand.translation)
            + tau * direction.dot(stand.velocity)
            + figure.support(range, local)
            + figure.radius
    }

    /// The farthest points towards each other: from one of the first to one of the second.
    pub fn between(&self, ranges: [Range; 2], direction: DVec3) -> DVec3 {
        let far = |k: usize, direction: DVec3| {
            let stand = &self.stands[k];
            let local = stand.rotation.transpose() * direction;
            stand.rotation * self.figures[k].farthest(ranges[k], local) + stand.translation
        };
        far(1, -direction) - far(0, direction)
    }
}
