//! What is known of parts whose triangles are not their true surfaces but near them.
//!
//! A curve of a file becomes triangles that are up to its deviation away from it. The kind of a clash is what the
//! triangles say; its intervals hold what the true surfaces have, and where these may be of another kind it says so.

use sudar::Interval;

use crate::found::Clash;
use crate::options::ClashKind;

/// How far the surfaces of two parts may be from their triangles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Deviations(pub [f64; 2]);

impl Deviations {
    /// By so much the distance of the parts may differ.
    pub fn sum(self) -> f64 {
        self.0[0] + self.0[1]
    }

    /// By so much the width of a ball inside both may differ.
    fn twice_largest(self) -> f64 {
        2.0 * self.0[0].max(self.0[1])
    }

    /// A clash of triangles as one of the surfaces that they stand for, given its clearance, the band of what counts as
    /// touching, and whether the surfaces of parts inside each other come that near.
    pub fn widen(self, clash: Clash, clearance: f64, touch: f64, is_near: impl FnOnce() -> bool) -> Clash {
        if self.sum() == 0.0 {
            return clash;
        }
        match clash.kind {
            ClashKind::Clearance => self.apart(clash, clearance, touch),
            ClashKind::Touch => Clash { uncertain: true, ..clash },
            ClashKind::Hard => {
                let clash = self.deep(clash);
                let uncertain = clash.depth.is_none_or(|depth| depth.lower <= touch);
                Clash { uncertain, ..clash }
            }
            ClashKind::Contained => Clash { uncertain: is_near(), ..self.deep(clash) },
            ClashKind::Duplicate => self.deep(clash),
        }
    }

    /// Parts whose triangles are apart. Beyond what was asked for they are reported as what they may be.
    fn apart(self, clash: Clash, clearance: f64, touch: f64) -> Clash {
        let gap = clash.distance;
        let distance = around(gap, self.sum());
        let is_beyond = gap.lower > clearance.max(touch);
        let kind = if is_beyond && clearance <= touch { ClashKind::Touch } else { clash.kind };
        let uncertain = distance.lower <= touch || distance.upper > clearance;
        Clash { kind, distance, uncertain, ..clash }
    }

    /// Parts that overlap.
    fn deep(self, mut clash: Clash) -> Clash {
        let by = self.twice_largest();
        for region in &mut clash.regions {
            region.depth = around(region.depth, by);
        }
        clash.depth = clash.depth.map(|depth| around(depth, by));
        clash
    }
}

/// An interval of lengths, wider at both ends.
fn around(length: Interval, by: f64) -> Interval {
    Interval { lower: (length.lower - by).max(0.0), upper: length.upper + by }
}
