//! What is checked: parts with what is known of them.

use sudar::query::Batch;

use crate::document::{Failed, Lost, PartDetails};
use crate::part::{Assembly, Part};
use crate::place::Places;
use crate::rules::Named;
use crate::unit::Unit;

/// The parts of a check, and what is known of them.
#[derive(Debug, Default)]
pub struct Subject {
    /// The parts.
    pub assembly: Assembly,
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
        let parts = self.assembly.parts.iter().zip(&self.details);
        parts.map(|(part, details)| Named { name: &part.name, properties: &details.properties }).collect()
    }
}
