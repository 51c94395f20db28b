//! What is checked: parts with what is known of them.

use sudar::Aabb;
use sudar::query::Batch;

use crate::document::{Failed, Lost, PartDetails, PartInfo};
use crate::outline::Outline;
use crate::part::{Assembly, Part};
use crate::place::Places;
use crate::rules::Named;
use crate::unit::Unit;

/// The parts of a check, and what is known of them.
#[derive(Debug, Default)]
pub struct Subject {
    /// The parts.
    pub assembly: Assembly,
    /// Parts whose triangles are read chunk by chunk ([`Plan::job`](crate::Plan::job)), if `assembly` has none.
    pub outlines: Vec<Outline>,
    /// What is known of each part beside its body, in their order.
    pub details: Vec<PartDetails>,
    /// The unit of all lengths; none if it is not known.
    pub unit: Option<Unit>,
    /// Its levels and grids.
    pub places: Places,
    /// The files that were read.
    pub files: Vec<String>,
    /// The files that could not be read.
    pub failed: Vec<Failed>,
    /// The elements of files that could not be turned into parts.
    pub lost: Vec<Lost>,
}

impl Subject {
    /// Parts that come from no file. The faults of their meshes are looked for. O(n log n).
    pub fn given(parts: Vec<Part>) -> Self {
        let detail = |part: &Part| PartDetails {
            faults: part.body.mesh().map(|mesh| mesh.topology().faults).unwrap_or_default(),
            closes_at: part.body.closing_tolerance().filter(|tolerance| *tolerance > 0.0),
            ..PartDetails::default()
        };
        let details = Batch::default().each(&parts, |_, part| detail(part)).answers;
        Self { assembly: Assembly { parts }, details, ..Self::default() }
    }

    /// The parts as patterns see them.
    pub fn named(&self) -> Vec<Named<'_>> {
        let names = self.assembly.parts.iter().map(|part| &part.name);
        let names = names.chain(self.outlines.iter().map(|outline| &outline.name));
        let parts = names.zip(&self.details);
        parts.map(|(name, details)| Named { name, properties: &details.properties }).collect()
    }

    /// The boxes around the parts.
    pub(crate) fn boxes(&self) -> impl Iterator<Item = Aabb> {
        let held = self.assembly.parts.iter().map(|part| part.body.aabb(&part.pose));
        held.chain(self.outlines.iter().map(|outline| outline.bounds))
    }

    /// What a report says of the parts.
    pub(crate) fn infos(&self) -> Vec<PartInfo<'_>> {
        let held = self.assembly.parts.iter().zip(&self.details).map(|(part, d)| PartInfo::of_part(part, d));
        let outlines = self.outlines.iter().zip(&self.details).map(|(part, d)| PartInfo::of_outline(part, d));
        held.chain(outlines).collect()
    }
}
