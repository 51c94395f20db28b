//! Two motions side by side, and how the bodies lie to each other at an instant.

use glam::{DMat3, DVec3};

use super::Motion;
use crate::math::{Pose, length, unit};

/// Two motions and what holds for all of their time.
#[derive(Debug, Clone, Copy)]
pub struct Course {
    motions: [Motion; 2],
    /// The centres in the frames of the bodies.
    centers: [DVec3; 2],
    /// Angular velocities in the frames of the bodies, in which they do not change.
    spins: [DVec3; 2],
    rates: [f64; 2],
    /// How far their points are from the origins of their frames.
    pub(super) reaches: [f64; 2],
    /// The end of the time.
    pub until: f64,
    /// How far points and gaps computed here may be off.
    pub slack: f64,
}

impl Course {
    /// Two motions until a time, of bodies whose points are at most so far from the origins of their frames.
    pub fn new(motions: [Motion; 2], reaches: [f64; 2], until: f64) -> Self {
        let spins = motions.map(|m| m.start().rotation().transpose() * m.spin());
        Self {
            centers: motions.map(|m| m.center_in_body()),
            spins,
            rates: spins.map(length),
            reaches,
            until,
            slack: Self::slack(motions.each_ref(), reaches, until),
            motions,
        }
    }

    /// How far points and gaps computed of two motions until a time may be off.
    #[inline]
    pub(crate) fn slack(motions: [&Motion; 2], reaches: [f64; 2], until: f64) -> f64 {
        3.0 * (motions[0].rounding(reaches[0], until) + motions[1].rounding(reaches[1], until))
    }

    /// The motions.
    pub fn motions(&self) -> &[Motion; 2] {
        &self.motions
    }

    /// How the bodies lie to each other.
    pub fn at(&self, time: f64) -> Instant {
        let [a, b] = self.motions.map(|m| m.at(time));
        let back = a.rotation().transpose();
        let turn = back * b.rotation();
        let shift = back * (b.translation() - a.translation());
        let spins = [self.spins[0], turn * self.spins[1]];
        Instant {
            time,
            relative: Pose::raw(turn, shift),
            between: (turn * self.centers[1] + shift) - self.centers[0],
            velocity: back * (self.motions[1].velocity() - self.motions[0].velocity()),
            spins,
            rates: self.rates,
            axes: [self.axis(0), self.axis(1)],
            seen: [self.axis(0), self.axis(1).map(|axis| turn * axis)],
            centers: self.centers,
            slack: self.slack,
            frame: a,
        }
    }

    fn axis(&self, i: usize) -> Option<DVec3> {
        unit(self.spins[i])
    }
}

/// Two bodies at an instant, with their velocities, as the first one sees them: everything is measured in its frame.
#[derive(Debug, Clone, Copy)]
pub struct Instant {
    /// The time.
    pub time: f64,
    /// The pose of the second body in the frame of the first.
    pub relative: Pose,
    /// From the first centre to the second.
    pub(super) between: DVec3,
    /// Velocity of the second centre as seen from the first, which does not turn.
    pub(super) velocity: DVec3,
    /// Angular velocities.
    pub(super) spins: [DVec3; 2],
    pub(super) rates: [f64; 2],
    /// Axes of turning in the frames of their own bodies; `None` of those that do not turn.
    pub(super) axes: [Option<DVec3>; 2],
    /// The same axes as the first body sees them.
    pub(super) seen: [Option<DVec3>; 2],
    /// Centres in the frames of their own bodies.
    pub(super) centers: [DVec3; 2],
    pub(super) slack: f64,
    /// The pose of the first body in the world.
    pub frame: Pose,
}

impl Instant {
    /// From the axes of the second body to those of the first.
    #[inline]
    pub(super) fn turn(&self) -> DMat3 {
        self.relative.rotation()
    }

    /// Whether body `i` does not turn.
    #[inline]
    pub fn is_straight(&self, i: usize) -> bool {
        self.axes[i].is_none()
    }

    /// The same as body `i` sees it, which then stands still while the other turns about its axis the other
    /// way round; `None` if it does not turn. That the other body turns itself, and the velocity across the
    /// axis, are left out: how far these take it is for the caller.
    pub(super) fn seen_by(&self, i: usize) -> Option<Self> {
        let (axis, other) = (self.seen[i]?, 1 - i);
        let place = self.centers[0] + if i == 0 { DVec3::ZERO } else { self.between };
        let inside = |p: DVec3| if other == 0 { p } else { self.relative.unapply(p) };
        let turned = |v: DVec3| if other == 0 { v } else { self.turn().transpose() * v };
        let mut seen = Self { between: DVec3::ZERO, velocity: axis * self.velocity.dot(axis), ..*self };
        seen.slack = 2.0 * self.slack;
        (seen.spins[i], seen.rates[i], seen.axes[i], seen.seen[i]) = (DVec3::ZERO, 0.0, None, None);
        (seen.spins[other], seen.rates[other]) = (-self.spins[i], self.rates[i]);
        (seen.axes[other], seen.seen[other]) = (Some(turned(-axis)), Some(-axis));
        seen.centers[other] = inside(place);
        Some(seen)
    }

    /// How fast the second body's point `p` approaches the first body's along a direction, both points given
    /// in the frame of the first body.
    pub fn closing(&self, a: DVec3, b: DVec3, direction: DVec3) -> f64 {
        let seen = [a - self.centers[0], b - (self.centers[0] + self.between)];
        let spin = self.spins[0].cross(seen[0]) - self.spins[1].cross(seen[1]);
        direction.dot(spin - self.velocity)
    }
}
