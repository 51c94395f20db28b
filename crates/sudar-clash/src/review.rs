//! What people decided about clashes, from one run to the next, in a file that they can read and edit.

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};
use sudar::Aabb;
use thiserror::Error;

use crate::baseline::{OldPart, OldProperties, pair_up_clashes};
use crate::document::{ClashInfo, Document, GLOBAL_ID, Review, ReviewStatus};
use crate::growth::{Change, Growth, Measure};
use crate::options::ClashKind;
use crate::same_place::bits;

/// Why a file of reviews was refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: {message}")]
pub struct ReviewError {
    /// Line number from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

/// All clashes that were ever found, with what people decided about each: read from a text of its own, or from a
/// [`Bcf`](crate::Bcf).
///
/// ```
/// use sudar_clash::ReviewLog;
///
/// let text = "[[clash]]\nparts = ['pipe', 'beam']\nkind = 'hard'\nstatus = 'accepted'\nassignee = 'Ana'\n";
/// assert_eq!(ReviewLog::parse(text)?.len(), 1);
/// assert!(ReviewLog::parse("[[clash]]\nparts = ['pipe']\n").is_err());
/// # Ok::<(), sudar_clash::ReviewError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReviewLog {
    #[serde(default)]
    clash: Vec<Entry>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Entry {
    /// The names of the two.
    pub parts: [String; 2],
    pub kind: ClashKind,
    /// How much it is, or was when it was decided, by the measure of its kind; one of these at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gap: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extent: Option<f64>,
    #[serde(default)]
    pub status: ReviewStatus,
    #[serde(default)]
    pub assignee: String,
    #[serde(default)]
    pub comment: String,
    /// Their `GlobalId`s, where one has any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ids: Option<[String; 2]>,
    /// The boxes around them, where one of the names repeats.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub boxes: Option<Boxes>,
    /// Why it is open again, if it was decided and has grown since.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reopened: Option<Change>,
    /// Where it was read, if that was a BCF file.
    #[serde(skip)]
    pub source: Option<Source>,
    /// The numbers of its parts in the document it was merged with, if it is a clash there.
    #[serde(skip)]
    pub now: Option<[usize; 2]>,
}

/// Least and greatest corner of two boxes.
pub(crate) type Boxes = [[[f64; 3]; 2]; 2];

/// Where in a BCF file a clash was read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Source {
    /// The number of the topic.
    pub topic: usize,
    /// Whether this library made the topic. What others made is no clash unless it is found.
    pub is_own: bool,
    /// Whether the kind was said; without, it counts as unchanged.
    pub knows_kind: bool,
    /// The identity of the view.
    pub view: Option<u64>,
}

/// What tells parts apart: name, `GlobalId`, and the box around it where it has none.
type Identity = (String, Option<String>, Option<[u64; 6]>);

/// Stands above the entries.
const HEAD: &str = "# Clashes and what was decided, kept by `sudar clash --review`. Edit status (new, active, resolved, \
                    accepted, ignored),\n# assignee and comment; the rest is written again by each check.\n\n";

impl ReviewLog {
    /// Reads the text of a file of reviews.
    ///
    /// # Errors
    /// [`ReviewError`] with the line.
    pub fn parse(text: &str) -> Result<Self, ReviewError> {
        toml::from_str(text).map_err(|error| ReviewError {
            line: 1 + text
                .bytes()
                .take(error.span().map_or(0, |span| span.start))
                .filter(|&b| b == b'\n')
                .count(),
            message: error.message().trim().replace('\n', "; "),
        })
    }

    /// Adds an entry behind all others; of several of the same parts the last counts.
    pub(crate) fn push(&mut self, entry: Entry) {
        self.clash.push(entry);
    }

    /// All entries.
    pub(crate) fn entries(&self) -> &[Entry] {
        &self.clash
    }

    /// How many clashes it has.
    pub fn len(&self) -> usize {
        self.clash.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.clash.is_empty()
    }

    /// How many of its clashes stand so.
    pub fn count(&self, status: ReviewStatus) -> usize {
        self.clash.iter().filter(|entry| entry.status == status).count()
    }

    /// The text of the file.
    ///
    /// # Errors
    /// None in practice; the signature is that of the TOML writer.
    pub fn text(&self) -> Result<String, toml::ser::Error> {
        Ok(HEAD.to_owned() + &self.bare_text()?)
    }

    /// The text without its head.
    ///
    /// # Errors
    /// Those of [`Self::text`].
    pub(crate) fn bare_text(&self) -> Result<String, toml::ser::Error> {
        toml::to_string(self)
    }

    /// What it has of clashes that a document does not have with which it was merged.
    pub(crate) fn others(&self, document: &Document<'_>) -> Self {
        let known: HashSet<[usize; 2]> = document.clashes.iter().map(|clash| [clash.a, clash.b]).collect();
        let is_other = |entry: &&Entry| entry.now.is_none_or(|now| !known.contains(&now));
        Self { clash: self.clash.iter().filter(is_other).cloned().collect() }
    }

    /// Gives each clash of a document its review, and takes over what is new and what is gone.
    ///
    /// Parts are told apart as by a [`Baseline`](crate::Baseline). What was not there is new; what was new is active,
    /// and so is what was resolved and is there again, and what was accepted or ignored and is of another kind now.
    /// The same is what was accepted or ignored and has grown beyond `growth` since that was decided, however slowly.
    /// What is there no more is resolved, if its parts were looked at: `was_checked` with their numbers.
    pub fn merge(
        &mut self,
        document: &mut Document<'_>,
        growth: &Growth,
        was_checked: &dyn Fn(usize, usize) -> bool,
    ) {
        let (parts, pairs) = self.parts();
        let paired = pair_up_clashes(&parts, &pairs, document);
        for &gone in &paired.gone {
            let [a, b] = pairs[gone].map(|part| paired.new_number[part]);
            if a.zip(b).is_none_or(|(a, b)| was_checked(a, b)) {
                self.clash[gone].status = ReviewStatus::Resolved;
            }
        }
        let repeated = repeated_names(document);
        for (n, old) in paired.found.into_iter().enumerate() {
            let clash = &document.clashes[n];
            let (boxes, ids) = (boxes(document, clash, &repeated), ids(document, clash));
            let number = old.unwrap_or_else(|| {
                self.clash.push(Entry::new(clash));
                self.clash.len() - 1
            });
            let entry = &mut self.clash[number];
            if old.is_some() {
                entry.see_again(clash, growth);
            }
            entry.now = Some([clash.a, clash.b]);
            (entry.boxes, entry.ids) = (boxes, ids);
            entry.parts = clash.names.map(str::to_owned);
            document.clashes[n].review = Some(entry.review());
        }
        // Other tools have topics about two parts that are no clashes, and are none of ours.
        self.clash.retain(|entry| entry.now.is_some() || entry.source.is_none_or(|source| source.is_own));
    }

    /// Every part of the entries once, and for each entry the numbers of its parts among these.
    fn parts(&self) -> (Vec<OldPart>, Vec<[usize; 2]>) {
        let mut parts: Vec<OldPart> = Vec::new();
        let mut known: HashMap<Identity, usize> = HashMap::new();
        let mut pairs = Vec::new();
        for entry in &self.clash {
            let mut number = |side: usize| {
                let bounds =
                    entry.boxes.map(|boxes| Aabb { min: boxes[side][0].into(), max: boxes[side][1].into() });
                let id = entry.ids.as_ref().map(|ids| ids[side].clone()).filter(|id| !id.is_empty());
                // A part that has an identity is the same wherever it stood and whatever it was called.
                let place = bounds.as_ref().filter(|_| id.is_none()).map(bits);
                let name = if id.is_none() { entry.parts[side].clone() } else { String::new() };
                let number = *known.entry((name, id.clone(), place)).or_insert_with(|| {
                    let properties = OldProperties { global_id: id };
                    parts.push(OldPart { name: String::new(), properties, bounds });
                    parts.len() - 1
                });
                // The last name counts; a BCF file may have none.
                if !entry.parts[side].is_empty() {
                    parts[number].name.clone_from(&entry.parts[side]);
                }
                number
            };
            let pair = [number(0), number(1)];
            pairs.push(pair);
        }
        (parts, pairs)
    }
}

impl Entry {
    /// The clash is there again: opens it if it is not what was decided about, and keeps the figure of what was.
    fn see_again(&mut self, clash: &ClashInfo<'_>, growth: &Growth) {
        let knows_kind = self.source.is_none_or(|source| source.knows_kind);
        let is_other = knows_kind && self.kind != clash.kind;
        let change = clash.change_from(self.figure()).filter(|_| !is_other && self.status.is_decided());
        let grown = change.filter(|change| growth.is_worse(change));
        // Opened once, the reason stays until somebody decides again.
        self.reopened = grown.or(self.reopened.filter(|_| self.status.is_open()));
        self.status = self.status.seen_again(is_other || grown.is_some());
        if !self.status.is_decided() || self.figure().is_none() || !knows_kind {
            self.kind = clash.kind;
            self.set_figure(clash.figure());
        }
    }

    /// How much it is by the measure of its kind, as it was decided or else found last.
    pub fn figure(&self) -> Option<f64> {
        match Measure::of(self.kind) {
            Measure::Depth => self.depth,
            Measure::Gap => self.gap,
            Measure::Extent => self.extent,
        }
    }

    pub fn set_figure(&mut self, figure: Option<f64>) {
        let of = |measure| figure.filter(|_| Measure::of(self.kind) == measure);
        [self.depth, self.gap, self.extent] = [Measure::Depth, Measure::Gap, Measure::Extent].map(of);
    }

    fn review(&self) -> Review {
        Review {
            status: self.status,
            assignee: self.assignee.clone(),
            comment: self.comment.clone(),
            decided: self.figure().filter(|_| self.status.is_decided()),
            reopened: self.reopened,
        }
    }

    fn new(clash: &ClashInfo<'_>) -> Self {
        let mut entry = Self {
            parts: clash.names.map(str::to_owned),
            kind: clash.kind,
            depth: None,
            gap: None,
            extent: None,
            status: ReviewStatus::New,
            reopened: None,
            assignee: String::new(),
            comment: String::new(),
            ids: None,
            boxes: None,
            source: None,
            now: None,
        };
        entry.set_figure(clash.figure());
        entry
    }
}

/// The names of parts, and whether several have it.
pub(crate) fn repeated_names<'a>(document: &Document<'a>) -> HashMap<&'a str, bool> {
    let mut repeated = HashMap::new();
    for part in &document.parts {
        repeated.entry(part.name).and_modify(|again| *again = true).or_insert(false);
    }
    repeated
}

/// The boxes of the parts of a clash, if one of their names repeats.
pub(crate) fn boxes(
    document: &Document<'_>,
    clash: &ClashInfo<'_>,
    repeated: &HashMap<&str, bool>,
) -> Option<Boxes> {
    let corners = |part: usize| {
        let bounds = &document.parts[part].bounds;
        [bounds.min.to_array(), bounds.max.to_array()]
    };
    let is_needed = clash.names.iter().any(|name| repeated.get(name).copied().unwrap_or(false));
    is_needed.then(|| [corners(clash.a), corners(clash.b)])
}

/// The `GlobalId`s of the parts of a clash, if one has any.
pub(crate) fn ids(document: &Document<'_>, clash: &ClashInfo<'_>) -> Option<[String; 2]> {
    let ids = [clash.a, clash.b].map(|part| document.parts[part].property(GLOBAL_ID).unwrap_or_default());
    ids.iter().any(|id| !id.is_empty()).then(|| ids.map(str::to_owned))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::part::{Assembly, Part, body_of};
    use crate::{ClashOptions, PartDetails, find_clashes};
    use sudar::{DVec3, Mesh, Pose};

    /// Unit cubes of these names at these places along x.
    fn row(parts: &[(&str, f64)]) -> Assembly {
        let cube = body_of(Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::ONE }).into());
        let part = |&(name, x): &(&str, f64)| Part {
            name: name.to_owned(),
            body: cube.clone(),
            pose: Pose::from_translation(DVec3::new(x, 0.0, 0.0)).unwrap(),
        };
        Assembly { parts: parts.iter().map(part).collect() }
    }

    /// What each clash is said to be, after a log that is written and read again.
    fn checked(log: &mut ReviewLog, parts: &[(&str, f64)]) -> Vec<ReviewStatus> {
        let assembly = row(parts);
        let report = find_clashes(&assembly, &ClashOptions::default(), &|_, _| {}).unwrap();
        let details = vec![PartDetails::default(); assembly.parts.len()];
        let mut document = Document::new(&assembly.parts, &details, &report, None);
        *log = ReviewLog::parse(&log.text().unwrap()).unwrap();
        log.merge(&mut document, &Growth::default(), &|_, _| true);
        document.clashes.iter().map(|clash| clash.review.as_ref().unwrap().status).collect()
    }

    #[test]
    fn a_clash_lives_from_new_to_resolved_and_back() {
        use ReviewStatus::{Active, New, Resolved};
        let mut log = ReviewLog::default();
        assert_eq!(checked(&mut log, &[("a", 0.0), ("b", 0.5), ("c", 1.25)]), [New, New]);
        assert_eq!(checked(&mut log, &[("a", 0.0), ("b", 0.5), ("c", 1.25)]), [Active, Active]);
        // Moved apart: b and c are resolved, and stay in the log.
        assert_eq!(checked(&mut log, &[("a", 0.0), ("b", 0.5), ("c", 9.0)]), [Active]);
        assert_eq!(log.clash.iter().map(|entry| entry.status).collect::<Vec<_>>(), [Active, Resolved]);
        assert_eq!(checked(&mut log, &[("c", 1.25), ("b", 0.5), ("a", 0.0)]), [Active, Active]);
        assert_eq!(log.len(), 2);
    }

    #[test]
    fn what_was_accepted_stays_so_with_its_comment_unless_it_becomes_something_else() {
        use ReviewStatus::{Accepted, Active, Ignored, New};
        let mut log = ReviewLog::default();
        checked(&mut log, &[("a", 0.0), ("b", 0.5), ("c", 1.5)]);
        log.clash[0].status = Accepted;
        log.clash[1].status = Ignored;
        log.clash[0].comment = "as \"drawn\"\nby Ana".to_owned();
        log.clash[0].assignee = "Ana".to_owned();
        assert_eq!(checked(&mut log, &[("a", 0.0), ("b", 0.5), ("c", 1.5)]), [Accepted, Ignored]);
        // b and c touched, and now they overlap.
        assert_eq!(checked(&mut log, &[("a", 0.0), ("b", 0.5), ("c", 1.25)]), [Accepted, Active]);
        assert_eq!((&*log.clash[0].comment, &*log.clash[0].assignee), ("as \"drawn\"\nby Ana", "Ana"));
        assert_eq!(
            checked(&mut log, &[("a", 0.0), ("b", 0.5), ("c", 1.25), ("d", 2.0)]),
            [Accepted, Active, New]
        );
    }

    #[test]
    fn namesakes_are_told_apart_by_their_boxes() {
        use ReviewStatus::{Accepted, Active, New};
        let mut log = ReviewLog::default();
        checked(&mut log, &[("plate", 0.0), ("bolt", 0.5), ("bolt", -0.5)]);
        assert!(log.clash.iter().all(|entry| entry.boxes.is_some()) && log.len() == 3);
        let second = log.clash.iter().position(|entry| entry.boxes.unwrap()[1][0][0] == -0.5).unwrap();
        log.clash[second].status = Accepted;
        let found = checked(&mut log, &[("plate", 0.0), ("bolt", -0.5), ("bolt", 0.5), ("bolt", 0.75)]);
        assert_eq!(found, [Accepted, Active, New, Active, New]);
    }

    #[test]
    fn others_are_those_of_no_clash_of_the_document() {
        let mut log = ReviewLog::default();
        checked(&mut log, &[("a", 0.0), ("b", 0.5), ("b", 1.25), ("c", 2.0)]);
        let assembly = row(&[("a", 0.0), ("b", 0.5), ("b", 1.25), ("c", 9.0)]);
        let report = find_clashes(&assembly, &ClashOptions::default(), &|_, _| {}).unwrap();
        let details = vec![PartDetails::default(); assembly.parts.len()];
        let mut document = Document::new(&assembly.parts, &details, &report, None);
        log.merge(&mut document, &Growth::default(), &|_, _| true);
        // What a filter leaves out is another too.
        document.clashes.truncate(1);
        let parts: Vec<_> = log.others(&document).clash.into_iter().map(|entry| entry.parts).collect();
        assert_eq!(parts, [["b", "b"], ["b", "c"]]);
    }

    #[test]
    fn errors_name_the_line() {
        let refused = |text: &str| ReviewLog::parse(text).unwrap_err().to_string();
        assert!(
            refused("[[clash]]\nparts = ['a', 'b']\nkind = 'tuch'\n")
                .starts_with("line 3: unknown variant `tuch`")
        );
        assert!(
            refused("[[clash]]\nparts = ['a', 'b']\nkind = 'hard'\nowner = 'x'\n")
                .starts_with("line 4: unknown field")
        );
        assert!(refused("x").starts_with("line 1: "));
        assert_eq!(ReviewLog::parse("").unwrap(), ReviewLog::default());
    }
}
