//! Options of a sweep, and its answers.

use glam::DVec3;

use super::Moving;
use crate::math::Interval;
use crate::query::answer::StopReason;
use crate::shape::Aabb;

/// Options of [`sweep`](fn@super::sweep): duration, least separation, and accuracy of the time of contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SweepOptions {
    /// Bodies no farther apart than this are in contact; 0 or more.
    pub separation: f64,
    /// A distance of up to this much more may count as contact; no contact is missed. As small as
    /// rounding allows where it is 0 or less than that.
    pub delta: f64,
    /// The motions begin at time 0 and end at this time.
    pub until: f64,
}

const MILLIONTH: f64 = 1e-6;

impl SweepOptions {
    /// From time 0 to 1, of bodies that touch or come as near as `delta`.
    pub const fn within(delta: f64) -> Self {
        Self { separation: 0.0, delta, until: 1.0 }
    }

    /// With a delta of a millionth of the scene: of the longest side of the box around both bodies where they
    /// stand at time 0 and at time 1, half-spaces left aside.
    pub fn of_scene(bodies: [Moving; 2]) -> Self {
        let boxes = bodies.into_iter().flat_map(|moving| {
            let ends = [0.0, 1.0].map(|time| moving.motion().at(time));
            ends.map(|pose| moving.body().bounds(&pose))
        });
        let finite = boxes.filter(|b| b.min.is_finite() && b.max.is_finite());
        let all = finite.fold(Aabb::EMPTY, Aabb::union);
        let size = if all.is_empty() { 1.0 } else { all.extent().max_element() };
        Self::within(MILLIONTH * size)
    }

    /// The same with another delta.
    #[must_use]
    pub const fn to_within(self, delta: f64) -> Self {
        Self { delta, ..self }
    }

    /// The same with a least separation.
    #[must_use]
    pub const fn apart_by(self, separation: f64) -> Self {
        Self { separation, ..self }
    }

    /// The same until another time.
    #[must_use]
    pub const fn until(self, until: f64) -> Self {
        Self { until, ..self }
    }

    /// Without what is no number: nothing can be NaN or below zero, and no time is without end.
    pub(super) fn checked(&self) -> Self {
        // `f64::max` prefers the number to NaN.
        let [separation, delta, until] = [self.separation, self.delta, self.until].map(|x| x.max(0.0));
        Self { separation, delta, until: until.min(f64::MAX) }
    }
}

/// Whether two moving bodies meet, and when first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Sweep {
    /// They are farther apart than the separation at every time from 0 to the end. Certain.
    Free,
    /// They come into contact.
    Hit(Impact),
    /// They may.
    Undecided {
        /// Certainly not before this time.
        free_until: f64,
        /// Why no more is known.
        reason: StopReason,
    },
}

/// The first contact of two moving bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Impact {
    /// Before its lower end the bodies are farther apart than the separation, for certain. At its upper end,
    /// and at the lower, they are no farther apart than the separation and delta. If the bodies do reach the
    /// separation soon after the lower end, the first time of that is in the interval as well.
    pub time: Interval,
    /// The distance of the points at the lower end of the time; 0 for bodies that overlap at time 0.
    pub distance: f64,
    /// Where the first body is touched, at the lower end of the time, in the world.
    pub point_a: DVec3,
    /// Where the second body is touched then.
    pub point_b: DVec3,
    /// Unit direction from the first body to the second; of bodies that overlap at time 0 that of their
    /// deepest contact.
    pub normal: DVec3,
    /// The triangles that touch, the parts of compounds, 0 for other shapes.
    pub features: [u32; 2],
}

impl Sweep {
    /// Whether they come into contact, if that is known.
    pub fn decided(&self) -> Option<bool> {
        match self {
            Self::Free => Some(false),
            Self::Hit(_) => Some(true),
            Self::Undecided { .. } => None,
        }
    }

    /// The first contact, if there certainly is one.
    pub fn impact(&self) -> Option<&Impact> {
        match self {
            Self::Hit(impact) => Some(impact),
            Self::Free | Self::Undecided { .. } => None,
        }
    }

    /// There is certainly no contact before this time; infinite if there is none at all until the end.
    pub fn free_until(&self) -> f64 {
        match self {
            Self::Free => f64::INFINITY,
            Self::Hit(impact) => impact.time.lower,
            Self::Undecided { free_until, .. } => *free_until,
        }
    }

    /// The answer for the bodies in the other order.
    #[must_use]
    pub fn swapped(self) -> Self {
        match self {
            Self::Hit(i) => Self::Hit(Impact {
                point_a: i.point_b,
                point_b: i.point_a,
                normal: -i.normal,
                features: [i.features[1], i.features[0]],
                ..i
            }),
            Self::Free | Self::Undecided { .. } => self,
        }
    }
}
