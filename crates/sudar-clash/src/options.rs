//! What counts as a clash: kinds, clearances and exceptions, as plain data about part numbers.

use sudar::many::SceneError;
use thiserror::Error;

use crate::severity::Severity;

/// How two parts get in each other's way. The first of these that fits is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClashKind {
    /// Both are the same set of triangles in the world, whatever their order, start corner or winding.
    Duplicate,
    /// Both are solids and one lies inside the other; flush contact is allowed.
    Contained,
    /// The interiors of two solids intersect; or, where a part is no solid, some pair of triangles crosses, each
    /// having points strictly on both sides of the other.
    Hard,
    /// The surfaces meet and it is none of the above.
    Touch,
    /// The surfaces are apart, by at most the clearance.
    Clearance,
}

impl ClashKind {
    /// Every kind, in the order in which they are tried.
    pub const ALL: [Self; 5] = [Self::Duplicate, Self::Contained, Self::Hard, Self::Touch, Self::Clearance];

    /// The name in reports and rules.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Duplicate => "duplicate",
            Self::Contained => "contained",
            Self::Hard => "hard",
            Self::Touch => "touch",
            Self::Clearance => "clearance",
        }
    }
}

/// What the depth of a clash is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DepthMeasure {
    /// That of the deepest connected part of what two solids have in common.
    #[default]
    Regions,
    /// The least translation that separates the parts as wholes. Slower; of parts that are not convex an interval
    /// that may be wide.
    Exact,
}

impl DepthMeasure {
    /// Every measure, the usual one first.
    pub const ALL: [Self; 2] = [Self::Regions, Self::Exact];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Regions => "regions",
            Self::Exact => "exact",
        }
    }
}

/// Why a clash check was refused.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum ClashError {
    /// NaN or infinity instead of a length.
    #[error("a clearance, band or deviation must be a finite length, found {value}")]
    NotFinite {
        /// What was given.
        value: f64,
    },
    /// A length below zero.
    #[error(
        "a clearance, band or deviation must not be negative, found {value}; use 0 to report contacts only"
    )]
    Negative {
        /// What was given.
        value: f64,
    },
    /// A part that has no triangles.
    #[error("part {part} ('{name}') is neither a mesh nor a solid; clash checks need triangles")]
    NotAMesh {
        /// Its number from 0.
        part: usize,
        /// Its name.
        name: String,
    },
    /// A part with a pose or box that is no such thing.
    #[error(transparent)]
    Refused(#[from] SceneError),
}

/// A set of parts, by number.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PartSet(Vec<bool>);

impl PartSet {
    /// Whether part `i` belongs to it.
    pub fn contains(&self, i: usize) -> bool {
        self.0.get(i).copied().unwrap_or(false)
    }

    /// Whether no part belongs to it.
    pub fn is_empty(&self) -> bool {
        !self.0.contains(&true)
    }
}

impl FromIterator<bool> for PartSet {
    /// The set of those parts whose turn is `true`; parts beyond the last turn do not belong.
    fn from_iter<I: IntoIterator<Item = bool>>(turns: I) -> Self {
        Self(turns.into_iter().collect())
    }
}

/// Parts of `a` against parts of `b`, either way round.
#[derive(Debug, Clone, PartialEq, Default)]
struct Between {
    a: PartSet,
    b: PartSet,
}

impl Between {
    fn covers(&self, i: usize, j: usize) -> bool {
        (self.a.contains(i) && self.b.contains(j)) || (self.a.contains(j) && self.b.contains(i))
    }

    fn names(&self, i: usize) -> bool {
        self.a.contains(i) || self.b.contains(i)
    }
}

/// What [`find_clashes`](crate::find_clashes) looks for.
///
/// Clearances are validated as they are set: a NaN would compare false with every distance and so pass every
/// scene as clean.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ClashOptions {
    /// What the depth of a clash is.
    pub depth: DepthMeasure,
    touch: f64,
    clearance: f64,
    /// Of the first parts; 0 for the others.
    deviations: Vec<f64>,
    clearances: Vec<(Between, f64)>,
    ignored: Vec<Ignored>,
    only: Vec<Between>,
    matrix: Vec<(Between, Severity)>,
}

/// On what terms two parts are examined: with their triangles, all that the answer depends on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Terms {
    pub depth: DepthMeasure,
    pub clearance: f64,
    pub touch: f64,
    /// How far the surface of each may be from its triangles.
    pub deviations: [f64; 2],
}

/// Clashes that are left out.
#[derive(Debug, Clone, PartialEq)]
struct Ignored {
    between: Between,
    kinds: Vec<ClashKind>,
    /// Deeper ones are not; without it all are.
    up_to: Option<f64>,
}

impl ClashOptions {
    /// Reports every kind; parts that are apart by at most `clearance` (same unit as the scene, 0 for contacts
    /// only) are of kind [`ClashKind::Clearance`].
    ///
    /// # Errors
    /// [`ClashError::NotFinite`], [`ClashError::Negative`].
    pub fn new(clearance: f64) -> Result<Self, ClashError> {
        Ok(Self { clearance: checked(clearance)?, ..Self::default() })
    }

    /// Overlaps in which no ball wider than `band` was found, and gaps of at most `band`, count as
    /// [`ClashKind::Touch`], and a solid that sticks out of another by at most that as [`ClashKind::Contained`]: what
    /// files round away. 0 gives exact kinds, which [`Clash::verdict_without_band`](crate::Clash) keeps.
    ///
    /// # Errors
    /// [`ClashError::NotFinite`], [`ClashError::Negative`].
    pub fn set_touch(&mut self, band: f64) -> Result<(), ClashError> {
        self.touch = checked(band)?;
        Ok(())
    }

    /// The band of what counts as touching.
    pub fn touch(&self) -> f64 {
        self.touch
    }

    /// How far the triangles of each part are at most from the surface that they stand for, in the unit of the scene; 0
    /// for parts beyond the last. Depth, distance and separation are widened by that, parts that are no farther apart
    /// beyond their clearance are reported, and where a clash may be of another kind it is
    /// [`uncertain`](crate::Clash::uncertain).
    ///
    /// # Errors
    /// [`ClashError::NotFinite`], [`ClashError::Negative`].
    pub fn set_deviations(&mut self, deviations: Vec<f64>) -> Result<(), ClashError> {
        deviations.iter().try_for_each(|deviation| checked(*deviation).map(drop))?;
        self.deviations = deviations;
        Ok(())
    }

    /// The deviation of part `i`.
    pub(crate) fn deviation(&self, i: usize) -> f64 {
        self.deviations.get(i).copied().unwrap_or(0.0)
    }

    /// The clearance between parts of `a` and parts of `b`. Of several that cover a pair the last one counts.
    ///
    /// # Errors
    /// [`ClashError::NotFinite`], [`ClashError::Negative`].
    pub fn set_clearance(&mut self, a: PartSet, b: PartSet, clearance: f64) -> Result<(), ClashError> {
        self.clearances.push((Between { a, b }, checked(clearance)?));
        Ok(())
    }

    /// Leaves out clashes of these kinds between parts of `a` and parts of `b`.
    pub fn ignore(&mut self, a: PartSet, b: PartSet, kinds: &[ClashKind]) {
        self.ignored.push(Ignored { between: Between { a, b }, kinds: kinds.to_vec(), up_to: None });
    }

    /// Leaves out clashes of these kinds between parts of `a` and parts of `b` that overlap by at most `depth`,
    /// whatever the measure; those without a depth stay.
    ///
    /// # Errors
    /// [`ClashError::NotFinite`], [`ClashError::Negative`].
    pub fn ignore_up_to(
        &mut self,
        a: PartSet,
        b: PartSet,
        kinds: &[ClashKind],
        depth: f64,
    ) -> Result<(), ClashError> {
        let up_to = Some(checked(depth)?);
        self.ignored.push(Ignored { between: Between { a, b }, kinds: kinds.to_vec(), up_to });
        Ok(())
    }

    /// From now on only parts of `a` against parts of `b` are examined; if called more than once, all that was named.
    pub fn only(&mut self, a: PartSet, b: PartSet) {
        self.only.push(Between { a, b });
    }

    /// A cell of the clash matrix: from now on only pairs of some cell are examined, and a clash of parts of `a` and
    /// parts of `b` is so bad; of several cells that cover a pair the worst counts.
    pub fn set_severity(&mut self, a: PartSet, b: PartSet, severity: Severity) {
        self.matrix.push((Between { a, b }, severity));
    }

    /// How bad a clash of parts `i` and `j` is; none without a matrix, or if no cell covers the pair.
    pub fn severity_between(&self, i: usize, j: usize) -> Option<Severity> {
        self.matrix.iter().filter(|(between, _)| between.covers(i, j)).map(|(_, severity)| *severity).min()
    }

    /// Whether parts `i` and `j` are to be examined.
    pub fn is_wanted(&self, i: usize, j: usize) -> bool {
        let is_named = self.only.is_empty() || self.only.iter().any(|between| between.covers(i, j));
        is_named && (self.matrix.is_empty() || self.severity_between(i, j).is_some())
    }

    /// Whether part `i` is to be examined with any other.
    pub(crate) fn is_involved(&self, i: usize) -> bool {
        let is_named = self.only.is_empty() || self.only.iter().any(|between| between.names(i));
        is_named && (self.matrix.is_empty() || self.matrix.iter().any(|(between, _)| between.names(i)))
    }

    /// The clearance that applies to parts `i` and `j`.
    pub fn clearance_between(&self, i: usize, j: usize) -> f64 {
        self.clearance_rule(i, j).map_or(self.clearance, |rule| self.clearances[rule].1)
    }

    /// Which of the clearances that were set applies to parts `i` and `j`, counted from 0; none if it is that of all.
    pub fn clearance_rule(&self, i: usize, j: usize) -> Option<usize> {
        self.clearances.iter().rposition(|(between, _)| between.covers(i, j))
    }

    /// Whether a clash of this kind between parts `i` and `j` is left out, however deep.
    pub fn is_ignored(&self, i: usize, j: usize, kind: ClashKind) -> bool {
        self.is_left_out(i, j, kind, f64::INFINITY)
    }

    /// On what terms parts `i` and `j` are examined.
    pub(crate) fn terms(&self, [i, j]: [usize; 2]) -> Terms {
        Terms {
            depth: self.depth,
            clearance: self.clearance_between(i, j),
            touch: self.touch,
            deviations: [self.deviation(i), self.deviation(j)],
        }
    }

    /// Whether clashes of all kinds between two parts are left out.
    pub(crate) fn is_idle(&self, [i, j]: [usize; 2]) -> bool {
        ClashKind::ALL.into_iter().all(|kind| self.is_ignored(i, j, kind))
    }

    /// Whether a clash of this kind and depth between parts `i` and `j` is left out.
    pub(crate) fn is_left_out(&self, i: usize, j: usize, kind: ClashKind, depth: f64) -> bool {
        let covers = |rule: &Ignored| {
            rule.kinds.contains(&kind)
                && rule.between.covers(i, j)
                && rule.up_to.is_none_or(|most| depth <= most)
        };
        self.ignored.iter().any(covers)
    }

    /// What all rules have to do with part `i`: parts of which this is the same are treated alike.
    pub(crate) fn standing(&self, i: usize) -> Vec<bool> {
        let clearances = self.clearances.iter().map(|(between, _)| between);
        let rules = clearances.chain(self.ignored.iter().map(|rule| &rule.between)).chain(&self.only);
        let rules = rules.chain(self.matrix.iter().map(|(between, _)| between));
        rules.flat_map(|between| [between.a.contains(i), between.b.contains(i)]).collect()
    }

    /// No clearance that applies to part `i` is greater than this, nor is the band of what counts as touching.
    pub(crate) fn clearance_around(&self, i: usize) -> f64 {
        let named = self.clearances.iter().filter(|(between, _)| between.names(i));
        named.fold(self.clearance.max(self.touch), |most, &(_, clearance)| most.max(clearance))
    }
}

fn checked(clearance: f64) -> Result<f64, ClashError> {
    if !clearance.is_finite() {
        return Err(ClashError::NotFinite { value: clearance });
    }
    if clearance < 0.0 {
        return Err(ClashError::Negative { value: clearance });
    }
    Ok(clearance)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(members: &[usize]) -> PartSet {
        (0..4).map(|i| members.contains(&i)).collect()
    }

    #[test]
    fn a_clearance_that_is_no_length_is_refused() {
        assert!(matches!(ClashOptions::new(f64::NAN), Err(ClashError::NotFinite { .. })));
        assert!(matches!(ClashOptions::new(f64::INFINITY), Err(ClashError::NotFinite { .. })));
        assert_eq!(ClashOptions::new(-0.1), Err(ClashError::Negative { value: -0.1 }));
        let mut options = ClashOptions::new(0.0).unwrap();
        assert!(options.set_clearance(set(&[0]), set(&[1]), f64::NAN).is_err());
        assert_eq!(options, ClashOptions::new(0.0).unwrap());
    }

    #[test]
    fn the_last_clearance_that_covers_a_pair_counts_either_way_round() {
        let mut options = ClashOptions::new(1.0).unwrap();
        options.set_clearance(set(&[0, 1]), set(&[2, 3]), 5.0).unwrap();
        options.set_clearance(set(&[2]), set(&[0]), 0.25).unwrap();
        assert_eq!(options.clearance_between(0, 1), 1.0);
        assert_eq!(options.clearance_between(3, 1), 5.0);
        assert_eq!(options.clearance_between(0, 2), 0.25);
        assert_eq!([0, 1, 2, 3, 9].map(|i| options.clearance_around(i)), [5.0, 5.0, 5.0, 5.0, 1.0]);
    }

    #[test]
    fn exceptions_hold_for_their_kinds_and_parts_only() {
        let mut options = ClashOptions::default();
        options.ignore(set(&[0]), set(&[1, 2]), &[ClashKind::Touch, ClashKind::Hard]);
        assert!(options.is_ignored(2, 0, ClashKind::Hard));
        assert!(!options.is_ignored(2, 0, ClashKind::Duplicate));
        assert!(!options.is_ignored(1, 2, ClashKind::Touch));
    }

    #[test]
    fn a_matrix_names_the_pairs_that_are_examined_and_the_worst_cell_counts() {
        let mut options = ClashOptions::default();
        assert_eq!((options.is_wanted(0, 1), options.severity_between(0, 1)), (true, None));
        options.set_severity(set(&[0]), set(&[1, 2]), Severity::Minor);
        options.set_severity(set(&[2]), set(&[0, 2]), Severity::Critical);
        let of = |i, j| (options.is_wanted(i, j), options.severity_between(i, j));
        assert_eq!(of(1, 0), (true, Some(Severity::Minor)));
        assert_eq!(of(0, 2), (true, Some(Severity::Critical)));
        assert_eq!((of(1, 2), of(0, 3)), ((false, None), (false, None)));
        assert!(options.is_involved(1) && !options.is_involved(3));
        // Beside `only` both have to name the pair.
        options.only(set(&[1]), set(&[0, 2]));
        assert!(options.is_wanted(0, 1) && !options.is_wanted(0, 2));
    }

    #[test]
    fn kinds_are_tried_in_the_order_of_the_enum() {
        assert!(ClashKind::ALL.is_sorted());
        assert_eq!(ClashKind::ALL.map(ClashKind::name).len(), 5);
    }
}
