//! What the band of what counts as touching decides of two solids, before all triangles that meet are looked for.

use sudar::pair::triangles_intersect;
use sudar::query::Work;

use crate::found::{APART, Clash};
use crate::options::ClashKind;
use crate::pair::Pair;
use crate::planks::{Common, common};

/// What slabs say of two solids whose surfaces come near each other.
pub(crate) enum ByBand {
    /// They touch, exactly or by the band.
    Touch(Box<Clash>),
    /// Their surfaces do not meet, and neither is in the other.
    Apart,
    /// They overlap by more than the band, and neither is in the other.
    Hard,
    /// Something else, or not known.
    Unknown,
}

impl Pair<'_> {
    /// What is certain of solids of which two triangles are near each other.
    pub fn by_band(&self, near: [u32; 2], work: &mut Work<'_>) -> ByBand {
        if self.touch == 0.0 || !self.are_solids() || self.is_duplicate() {
            return ByBand::Unknown;
        }
        match common([&self.a, &self.b], self.touch).filter(|_| self.neither_is_inside(work)) {
            Some(Common::Thin { width, is_certain }) => self.thin(near, width, is_certain, work),
            Some(Common::Wide) => ByBand::Hard,
            None => ByBand::Unknown,
        }
    }

    fn are_solids(&self) -> bool {
        self.a.body.solid().is_some() && self.b.body.solid().is_some()
    }

    /// Whether each has a corner farther than the band from all of the other.
    pub fn neither_is_inside(&self, work: &mut Work<'_>) -> bool {
        self.a.sticks_out_of(&self.b, self.touch, work) && self.b.sticks_out_of(&self.a, self.touch, work)
    }

    /// The same of what have no more in common than slabs.
    fn thin(&self, near: [u32; 2], width: f64, is_certain: bool, work: &mut Work<'_>) -> ByBand {
        if is_certain {
            return ByBand::Touch(Box::new(self.touching(near, Some(ClashKind::Hard))));
        }
        let met = match self.triangles(&near) {
            Some((s, t)) if triangles_intersect(&s, &t) => Some(Some(near)),
            _ => work.surfaces_within(self.a.at(), self.b.at(), 0.0),
        };
        match met {
            None => ByBand::Unknown,
            Some(None) => ByBand::Apart,
            Some(Some(pair)) => {
                let is_exact = width == 0.0 || self.touches_at_a_plane(&[pair]) || self.touches_in_cells();
                ByBand::Touch(Box::new(self.touching(pair, is_exact.then_some(ClashKind::Touch))))
            }
        }
    }

    /// A clash of which the exact kind is known, beside the band.
    pub fn banded(&self, clash: Clash) -> Clash {
        if self.touch == 0.0 {
            return clash;
        }
        let gap = clash.distance.lower;
        let is_apart = clash.kind == ClashKind::Clearance && (self.clearance == 0.0 || gap > self.clearance);
        let exact = clash.verdict_without_band.unwrap_or(clash.kind.name());
        let verdict_without_band = Some(if is_apart { APART } else { exact });
        let is_touch = match clash.kind {
            ClashKind::Clearance => gap <= self.touch,
            ClashKind::Hard => clash.is_shallow(self.touch),
            ClashKind::Touch | ClashKind::Contained | ClashKind::Duplicate => false,
        };
        let clash = Clash { verdict_without_band, ..clash };
        if is_touch {
            Clash {
                kind: ClashKind::Touch,
                depth: None,
                depth_is: None,
                separation: None,
                form: None,
                ..clash
            }
        } else {
            clash
        }
    }

    /// A touch by the band, of which one pair of triangles is known.
    fn touching(&self, pair: [u32; 2], exact: Option<ClashKind>) -> Clash {
        let normal = self.separating_normal_of_boxes().or_else(|| self.separating_normal(&pair));
        let clash = Clash::new(self.numbers, ClashKind::Touch, self.common_point(Some(&pair)));
        Clash { normal, verdict_without_band: exact.map(ClashKind::name), ..clash }
    }
}
