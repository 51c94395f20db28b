//! An earlier document of `sudar clash`, and what has changed since.
//!
//! Parts are identified by their `GlobalId` where they have one, otherwise by their names. Where a name repeats, the
//! namesakes of the old document and of the new one are paired first by equal bounding boxes, then what is left of them
//! in the order of their numbers. So parts that were added, removed or put in another order disturb nothing, and
//! neither does one of many namesakes that moved. A clash is the pair of its parts: the same pair is the same clash.

use std::collections::{BTreeMap, HashMap};

use serde::Deserialize;
use sudar::Aabb;
use thiserror::Error;

use crate::document::{Before, ClashInfo, Document, GLOBAL_ID, Gone, PartInfo, Status};
use crate::growth::{Growth, Measure, extent};
use crate::options::ClashKind;
use crate::same_place::bits;

/// Why a text is no earlier document.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BaselineError {
    /// Not JSON, or not of the form of a document.
    #[error(transparent)]
    Form(#[from] serde_json::Error),
    /// A clash names a part that is not there, or one part twice.
    #[error("clash {clash} is of parts {a} and {b}, of {parts}")]
    NoSuchPart {
        /// The number of the clash.
        clash: usize,
        /// Its first part.
        a: usize,
        /// Its second part.
        b: usize,
        /// How many parts there are.
        parts: usize,
    },
}

/// An earlier document, as far as it matters; fields that are not known are skipped.
#[derive(Debug, Deserialize)]
pub struct Baseline {
    parts: Vec<OldPart>,
    clashes: Vec<OldClash>,
    #[serde(default)]
    touch: f64,
}

/// A part of an earlier check.
#[derive(Debug, Deserialize)]
pub(crate) struct OldPart {
    pub name: String,
    #[serde(default)]
    pub properties: OldProperties,
    pub bounds: Option<Aabb>,
}

impl OldPart {
    fn global_id(&self) -> Option<&str> {
        self.properties.global_id.as_deref()
    }
}

/// The one property that matters.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct OldProperties {
    #[serde(rename = "GlobalId")]
    pub global_id: Option<String>,
}

#[derive(Debug, Deserialize)]
struct OldClash {
    a: usize,
    b: usize,
    kind: ClashKind,
    distance: Option<f64>,
    depth: Option<f64>,
    depth_is: Option<String>,
    point: Option<[f64; 3]>,
    #[serde(default)]
    regions: Vec<OldRegion>,
}

#[derive(Debug, Deserialize)]
struct OldRegion {
    bounds: Aabb,
}

impl OldClash {
    /// How much it was, by the measure of its kind.
    fn figure(&self) -> Option<f64> {
        match Measure::of(self.kind) {
            Measure::Depth => self.depth,
            Measure::Gap => self.distance,
            Measure::Extent => extent(self.regions.iter().map(|region| region.bounds)),
        }
    }
}

impl Baseline {
    /// Reads the text of a document that an earlier check wrote.
    ///
    /// # Errors
    /// [`BaselineError`], one variant a cause.
    pub fn parse(text: &str) -> Result<Self, BaselineError> {
        let found: Self = serde_json::from_str(text)?;
        let parts = found.parts.len();
        for (clash, &OldClash { a, b, .. }) in found.clashes.iter().enumerate() {
            if a == b || a >= parts || b >= parts {
                return Err(BaselineError::NoSuchPart { clash, a, b, parts });
            }
        }
        Ok(found)
    }

    /// The band of what counted as touching then.
    pub fn touch(&self) -> f64 {
        self.touch
    }

    /// Gives each clash of the document its status, and adds what is gone. `growth` says what is deeper or shallower.
    pub fn compare(&self, document: &mut Document<'_>, growth: &Growth) {
        let pairs: Vec<[usize; 2]> = self.clashes.iter().map(|clash| [clash.a, clash.b]).collect();
        let paired = pair_up_clashes(&self.parts, &pairs, document);
        for (clash, old) in document.clashes.iter_mut().zip(paired.found) {
            settle(clash, old.map(|old| &self.clashes[old]), growth);
        }
        let gone = paired.gone.iter().map(|&old| self.gone(&self.clashes[old], &paired.new_number));
        document.gone = Some(gone.collect());
    }

    fn gone(&self, clash: &OldClash, new_number: &[Option<usize>]) -> Gone {
        Gone {
            a: new_number[clash.a],
            b: new_number[clash.b],
            names: [clash.a, clash.b].map(|i| self.parts[i].name.clone()),
            kind: clash.kind,
            distance: clash.distance,
            depth: clash.depth,
            depth_is: clash.depth_is.clone(),
            point: clash.point,
        }
    }
}

/// Which clashes of an earlier check are those of a document.
pub(crate) struct Paired {
    /// For each clash of the document the earlier one.
    pub found: Vec<Option<usize>>,
    /// The earlier ones that are no more.
    pub gone: Vec<usize>,
    /// For each earlier part the number of the same part in the document.
    pub new_number: Vec<Option<usize>>,
}

/// Finds the clashes of an earlier check, given as pairs of its parts, in a document. Of several of the same parts the
/// last counts.
pub(crate) fn pair_up_clashes(parts: &[OldPart], pairs: &[[usize; 2]], document: &Document<'_>) -> Paired {
    let new_number = same_parts(parts, &document.parts);
    let key = |&[a, b]: &[usize; 2]| Some(ordered(new_number[a]?, new_number[b]?));
    let mut left: BTreeMap<(usize, usize), usize> =
        pairs.iter().enumerate().filter_map(|(n, pair)| Some((key(pair)?, n))).collect();
    let found = document.clashes.iter().map(|clash| left.remove(&ordered(clash.a, clash.b))).collect();
    let is_gone = |n: &usize| key(&pairs[*n]).is_none_or(|key| left.contains_key(&key));
    let gone = (0..pairs.len()).filter(is_gone).collect();
    Paired { found, gone, new_number }
}

fn settle(clash: &mut ClashInfo<'_>, before: Option<&OldClash>, growth: &Growth) {
    let alike = before.filter(|old| old.kind == clash.kind);
    let change = alike.and_then(|old| clash.change_from(old.figure()));
    clash.before = before.map(|&OldClash { kind, distance, depth, .. }| Before { kind, distance, depth });
    clash.change = change.filter(|change| growth.is_worse(change) || growth.is_better(change));
    (clash.status, clash.was) = match (before, clash.change) {
        (None, _) => (Some(Status::New), None),
        (Some(old), _) if old.kind != clash.kind => (Some(Status::Changed), Some(old.kind)),
        (Some(_), None) => (Some(Status::Same), None),
        (Some(_), Some(change)) if growth.is_worse(&change) => (Some(Status::Deeper), None),
        (Some(_), Some(_)) => (Some(Status::Shallower), None),
    };
}

fn ordered(a: usize, b: usize) -> (usize, usize) {
    (a.min(b), a.max(b))
}

/// For each old part the number of the same part in the new document.
fn same_parts(old: &[OldPart], new: &[PartInfo<'_>]) -> Vec<Option<usize>> {
    let mut found = vec![None; old.len()];
    let mut taken = vec![false; new.len()];
    let of_id = by_key(new, |part| part.property(GLOBAL_ID));
    pair_up(old, &of_id, OldPart::global_id, &mut found, &mut taken);
    // Where both have identities, those alone tell parts that have one.
    let both = !of_id.is_empty() && old.iter().any(|part| part.global_id().is_some());
    let old_name = |part: &'_ OldPart| !(both && part.global_id().is_some());
    let new_name = |part: &PartInfo<'_>| !(both && part.property(GLOBAL_ID).is_some());
    let in_place = by_key(new, |part| new_name(part).then(|| (part.name, bits(&part.bounds))));
    let of_name = by_key(new, |part| new_name(part).then_some(part.name));
    let place = |part: &OldPart| part.bounds.as_ref().filter(|_| old_name(part)).map(bits);
    pair_up(old, &in_place, |part| Some((&*part.name, place(part)?)), &mut found, &mut taken);
    pair_up(old, &of_name, |part| old_name(part).then_some(&*part.name), &mut found, &mut taken);
    found
}

/// The numbers of the parts of each key, in order.
fn by_key<'a, P, K: Eq + std::hash::Hash>(
    parts: &'a [P],
    key: impl Fn(&'a P) -> Option<K>,
) -> HashMap<K, Vec<usize>> {
    let mut numbers: HashMap<K, Vec<usize>> = HashMap::new();
    for (i, part) in parts.iter().enumerate() {
        if let Some(key) = key(part) {
            numbers.entry(key).or_default().push(i);
        }
    }
    numbers
}

/// Pairs old parts that have no partner yet with new ones of the same key that have none, in order.
fn pair_up<'a, K: Eq + std::hash::Hash>(
    old: &'a [OldPart],
    new: &HashMap<K, Vec<usize>>,
    key: impl Fn(&'a OldPart) -> Option<K>,
    found: &mut [Option<usize>],
    taken: &mut [bool],
) {
    let mut queues: HashMap<K, Vec<usize>> = HashMap::new();
    for (part, found) in old.iter().zip(found.iter_mut()) {
        let Some(key) = key(part).filter(|_| found.is_none()) else { continue };
        let Some(numbers) = new.get(&key) else { continue };
        let free = || numbers.iter().rev().copied().filter(|&i| !taken[i]).collect();
        if let Some(number) = queues.entry(key).or_insert_with(free).pop() {
            *found = Some(number);
        }
    }
    for number in found_numbers(found) {
        taken[number] = true;
    }
}

fn found_numbers(found: &[Option<usize>]) -> impl Iterator<Item = usize> + '_ {
    found.iter().copied().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Origin, SCHEMA};
    use sudar::{DVec3, Faults};

    /// A part at x, a unit cube.
    fn bounds(x: f64) -> Aabb {
        Aabb { min: DVec3::new(x, 0.0, 0.0), max: DVec3::new(x + 1.0, 1.0, 1.0) }
    }

    fn document<'a>(parts: &[(&'a str, f64)], clashes: &[(usize, usize, ClashKind)]) -> Document<'a> {
        let part = |&(name, x): &(&'a str, f64)| PartInfo {
            name,
            triangles: 12,
            closed: true,
            closes_at: None,
            faults: Faults::default(),
            weld: None,
            properties: &[],
            file: None,
            deviation: None,
            bounds: bounds(x),
        };
        let clash = |&(a, b, kind): &(usize, usize, ClashKind)| ClashInfo {
            uncertain: false,
            separation: None,
            a,
            b,
            names: [parts[a].0, parts[b].0],
            kind,
            distance: 0.0,
            depth: None,
            depth_at_least: None,
            depth_is: None,
            form: None,
            verdict_without_band: None,
            point: DVec3::ZERO,
            normal: None,
            triangle_pairs: 1,
            regions: Vec::new(),
            severity: None,
            place: None,
            zone: None,
            group: None,
            review: None,
            status: None,
            before: None,
            was: None,
            change: None,
        };
        Document {
            schema: SCHEMA,
            version: "",
            origin: Origin::default(),
            groups: Vec::new(),
            grouped_by: "none",
            group_radius: None,
            parts: parts.iter().map(part).collect(),
            clashes: clashes.iter().map(clash).collect(),
            same_place: Vec::new(),
            repeated: Vec::new(),
            unlisted: 0,
            touch: None,
            gone: None,
            candidates: 0,
            seconds: None,
        }
    }

    /// The statuses of the new document's clashes, and the names of what is gone.
    fn compared(old: &Document<'_>, mut new: Document<'_>) -> (Vec<Status>, Vec<[String; 2]>) {
        let baseline = Baseline::parse(&serde_json::to_string(old).unwrap()).unwrap();
        baseline.compare(&mut new, &Growth::default());
        let gone = new.gone.unwrap().into_iter().map(|gone| gone.names);
        (new.clashes.iter().map(|clash| clash.status.unwrap()).collect(), gone.collect())
    }

    const HARD: ClashKind = ClashKind::Hard;
    const TOUCH: ClashKind = ClashKind::Touch;

    #[test]
    fn names_win_over_numbers() {
        let old = document(&[("a", 0.0), ("b", 1.0), ("c", 2.0)], &[(0, 1, HARD), (1, 2, TOUCH)]);
        // The parts in another order and moved, one more before them, b–c now crossing, and a–b gone.
        let new = document(&[("x", 9.0), ("c", 5.0), ("b", 6.0), ("a", 7.0)], &[(0, 3, HARD), (1, 2, HARD)]);
        let (status, gone) = compared(&old, new);
        assert_eq!(status, [Status::New, Status::Changed]);
        assert_eq!(gone, [["a".to_owned(), "b".to_owned()]]);
    }

    #[test]
    fn a_namesake_put_in_front_of_others_does_not_take_their_place() {
        let old = document(&[("plate", 0.0), ("bolt", 1.0), ("bolt", 2.0)], &[(0, 1, HARD), (0, 2, HARD)]);
        let new = document(
            &[("plate", 0.0), ("bolt", 0.5), ("bolt", 1.0), ("bolt", 2.0)],
            &[(0, 1, HARD), (0, 2, HARD), (0, 3, HARD)],
        );
        assert_eq!(compared(&old, new).0, [Status::New, Status::Same, Status::Same]);
    }

    #[test]
    fn namesakes_that_all_moved_are_paired_in_order() {
        let old = document(&[("plate", 0.0), ("bolt", 1.0), ("bolt", 2.0)], &[(0, 2, TOUCH)]);
        let new = document(&[("plate", 0.0), ("bolt", 1.5), ("bolt", 2.5)], &[(0, 1, TOUCH), (0, 2, TOUCH)]);
        assert_eq!(compared(&old, new), (vec![Status::New, Status::Same], vec![]));
    }

    #[test]
    fn what_was_clashing_with_a_part_that_is_no_more_is_gone() {
        let old = document(&[("a", 0.0), ("b", 1.0)], &[(0, 1, HARD)]);
        let mut new = document(&[("a", 0.0)], &[]);
        Baseline::parse(&serde_json::to_string(&old).unwrap()).unwrap().compare(&mut new, &Growth::default());
        let gone = &new.gone.unwrap()[0];
        assert_eq!((gone.a, gone.b, gone.kind), (Some(0), None, HARD));
        assert_eq!(gone.point, Some([0.0; 3]));
    }

    #[test]
    fn parts_with_an_identity_are_told_apart_by_that_alone() {
        let ids = |ids: &[&str]| -> Vec<Vec<(String, String)>> {
            ids.iter().map(|id| vec![(GLOBAL_ID.to_owned(), (*id).to_owned())]).collect()
        };
        let (before, after) = (ids(&["A", "B", "C"]), ids(&["B", "A", "D"]));
        let mut old =
            document(&[("wall", 0.0), ("wall", 1.0), ("roof", 2.0)], &[(0, 1, TOUCH), (1, 2, HARD)]);
        old.parts.iter_mut().zip(&before).for_each(|(part, ids)| part.properties = ids);
        // The walls have moved and a new name, and the roof is another element of the old name and place.
        let mut new =
            document(&[("Wall", 7.0), ("Wall", 6.0), ("roof", 2.0)], &[(0, 1, TOUCH), (0, 2, HARD)]);
        new.parts.iter_mut().zip(&after).for_each(|(part, ids)| part.properties = ids);
        let text = serde_json::to_string(&old).unwrap();
        Baseline::parse(&text).unwrap().compare(&mut new, &Growth::default());
        let statuses: Vec<_> = new.clashes.iter().map(|clash| clash.status.unwrap()).collect();
        assert_eq!(statuses, [Status::Same, Status::New]);
        let gone = &new.gone.as_ref().unwrap()[0];
        assert_eq!((gone.a, gone.b), (Some(0), None));
        // Without identities in the new document names count.
        let mut plain = document(&[("wall", 0.0), ("roof", 2.0)], &[(0, 1, HARD)]);
        Baseline::parse(&text).unwrap().compare(&mut plain, &Growth::default());
        assert_eq!(plain.clashes[0].status, Some(Status::New));
    }

    #[test]
    fn what_grew_is_deeper_and_what_shrank_is_shallower() {
        let of = |depth: Option<f64>, gap: f64, kind: ClashKind| {
            let mut document = document(&[("a", 0.0), ("b", 1.0)], &[(0, 1, kind)]);
            (document.clashes[0].depth, document.clashes[0].distance) = (depth, gap);
            document
        };
        let after = |old: &Document<'_>, mut new: Document<'_>, growth: &Growth| {
            Baseline::parse(&serde_json::to_string(old).unwrap()).unwrap().compare(&mut new, growth);
            (new.clashes[0].status.unwrap(), new.clashes[0].change.map(|change| [change.was, change.now]))
        };
        let usual = Growth { share: 0.1, band: 0.001 };
        let hard = |depth: f64| of(Some(depth), 0.0, HARD);
        assert_eq!(after(&hard(0.1), hard(0.7), &usual), (Status::Deeper, Some([0.1, 0.7])));
        assert_eq!(after(&hard(0.7), hard(0.1), &usual), (Status::Shallower, Some([0.7, 0.1])));
        assert_eq!(after(&hard(0.1), hard(0.109), &usual), (Status::Same, None));
        assert_eq!(after(&hard(0.1), hard(0.111), &usual).0, Status::Deeper);
        assert_eq!(after(&hard(0.1), hard(0.111), &Growth { share: 0.2, ..usual }).0, Status::Same);
        // A share of little is within the band.
        assert_eq!(after(&hard(0.001), hard(0.0019), &usual).0, Status::Same);
        // Of gaps the smaller is the worse.
        let gap = |gap: f64| of(None, gap, ClashKind::Clearance);
        assert_eq!(after(&gap(0.05), gap(0.01), &usual), (Status::Deeper, Some([0.05, 0.01])));
        assert_eq!(after(&gap(0.01), gap(0.05), &usual).0, Status::Shallower);
        // Of another kind it is changed, however much it is.
        assert_eq!(after(&gap(0.05), hard(0.7), &usual), (Status::Changed, None));
    }

    #[test]
    fn documents_without_boxes_will_do() {
        let old =
            r#"{"parts":[{"name":"a"},{"name":"a"}],"clashes":[{"a":1,"b":0,"kind":"touch"}],"more":1}"#;
        let mut new = document(&[("a", 0.0), ("a", 1.0)], &[(0, 1, TOUCH)]);
        Baseline::parse(old).unwrap().compare(&mut new, &Growth::default());
        assert_eq!(new.clashes[0].status, Some(Status::Same));
    }

    #[test]
    fn numbers_beyond_the_parts_are_refused() {
        let old = r#"{"parts":[{"name":"a"}],"clashes":[{"a":0,"b":1,"kind":"touch"}]}"#;
        let message = Baseline::parse(old).unwrap_err().to_string();
        assert_eq!(message, "clash 0 is of parts 0 and 1, of 1");
        assert!(Baseline::parse("[]").is_err() && Baseline::parse("{\"parts\":[]}").is_err());
    }
}
