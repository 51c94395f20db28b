//! What kind of clash two parts are.

use sudar::inside::{SolidRelation, Surface, overlap_for_certain, solid_relation};
use sudar::pair::triangles_cross;
use sudar::query::Work;
use sudar::{Aabb, Triangle};

use crate::cells::enclose_nothing_common;
use crate::duplicate::same_triangles;
use crate::options::ClashKind;
use crate::pair::Pair;
use crate::planks::{Common, common};
use crate::separate::{is_between, share_no_volume};

/// How many pairs of touching triangles are looked at for a plane between two solids.
const PLANES_TO_TRY: usize = 8;

impl Pair<'_> {
    /// What the two are to each other, given the triangles that meet; `None` if they are apart.
    pub fn kind(&self, contacts: &[[u32; 2]], work: &mut Work<'_>) -> Option<ClashKind> {
        if self.is_duplicate() {
            return Some(ClashKind::Duplicate);
        }
        if let (Some(a), Some(b)) = (self.a.solid(), self.b.solid()) {
            return self.kind_of_solids(&a, &b, contacts, work);
        }
        match contacts {
            [] => None,
            pairs if pairs.iter().any(|p| self.crosses(p)) => Some(ClashKind::Hard),
            _ => Some(ClashKind::Touch),
        }
    }

    fn kind_of_solids(
        &self,
        a: &dyn Surface,
        b: &dyn Surface,
        contacts: &[[u32; 2]],
        work: &mut Work<'_>,
    ) -> Option<ClashKind> {
        if !contacts.is_empty() && (self.touches_at_a_plane(contacts) || self.touches_in_cells()) {
            return Some(ClashKind::Touch);
        }
        if overlap_for_certain(a, b, contacts) {
            return Some(ClashKind::Hard);
        }
        // With a band `by_band` asks them, once two triangles near each other are known.
        if let Some(kind) =
            (!contacts.is_empty() && self.touch == 0.0).then(|| self.kind_by_planks(work)).flatten()
        {
            return Some(kind);
        }
        if contacts.is_empty() && self.a.corner_in(&self.b).or_else(|| self.b.corner_in(&self.a)).is_none() {
            // The surfaces do not meet and no piece of one is inside the other.
            return None;
        }
        match solid_relation(a, b, contacts) {
            SolidRelation::Apart => None,
            SolidRelation::Touch => Some(ClashKind::Touch),
            SolidRelation::Overlap => Some(ClashKind::Hard),
            SolidRelation::AInB | SolidRelation::BInA | SolidRelation::Equal => Some(ClashKind::Contained),
        }
    }

    /// Whether the solids, which meet, lie on different sides of a plane, by a few tries. This settles most
    /// flush parts in a fraction of the time that the relation of solids needs.
    pub fn touches_at_a_plane(&self, contacts: &[[u32; 2]]) -> bool {
        let (Some(a), Some(b)) = (self.a.body.mesh(), self.b.body.mesh()) else { return false };
        let both = [(&**a, self.a.pose), (&**b, self.b.pose)];
        let mut tries = contacts.iter().take(PLANES_TO_TRY).filter_map(|p| self.triangles(p));
        let plane = |(s, t): (Triangle, Triangle)| is_between(&s, both) || is_between(&t, both);
        share_no_volume(self.a.bounds, self.b.bounds) || tries.any(plane)
    }

    /// Whether cells along the axes show that the solids, which meet, enclose nothing in common.
    pub fn touches_in_cells(&self) -> bool {
        let (x, y) = (self.a.bounds, self.b.bounds);
        let common = Aabb { min: x.min.max(y.min), max: x.max.min(y.max) };
        self.a.solid().zip(self.b.solid()).is_some_and(|(a, b)| enclose_nothing_common(&a, &b, &common))
    }

    /// What slabs say of solids that meet, where that is exact.
    fn kind_by_planks(&self, work: &mut Work<'_>) -> Option<ClashKind> {
        match common([&self.a, &self.b], 0.0)? {
            Common::Wide => self.neither_is_inside(work).then_some(ClashKind::Hard),
            Common::Thin { width, .. } => (width == 0.0).then_some(ClashKind::Touch),
        }
    }

    pub fn is_duplicate(&self) -> bool {
        let (Some(a), Some(b)) = (self.a.body.mesh(), self.b.body.mesh()) else { return false };
        self.a.bounds == self.b.bounds && same_triangles(a, self.a.pose, b, self.b.pose)
    }

    pub fn crosses(&self, pair: &[u32; 2]) -> bool {
        self.triangles(pair).is_some_and(|(s, t)| triangles_cross(&s, &t))
    }
}
