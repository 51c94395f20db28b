//! Clashes that belong together, so that one looks at ten groups and not at a thousand rows.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use sudar::Aabb;
use sudar::broad::candidate_pairs;

use crate::depth::BOX;
use crate::document::{ClashInfo, Document, Group};
use crate::options::{ClashKind, ClashOptions, PartSet};
use crate::union::Union;

/// By what clashes are put together. Parts that are the same in the same place make a group of their own in each case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum GroupBy {
    /// By part: that of the most clashes has all of them, then that of the most of what is left, and so on.
    #[default]
    Part,
    /// By place: clashes at most a radius apart along each axis are in one group, and so on from one to the next, as
    /// long as their points lie within a box of four radii along each axis.
    Place,
    /// By the pair of sets that the parts belong to.
    Sets,
    /// By the rule that has the clearance of the pair.
    Rule,
    /// Not at all.
    None,
}

impl GroupBy {
    /// Every way, the usual one first.
    pub const ALL: [Self; 5] = [Self::Part, Self::Place, Self::Sets, Self::Rule, Self::None];

    /// The name on the command line and in the document.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Part => "part",
            Self::Place => "place",
            Self::Sets => "sets",
            Self::Rule => "rule",
            Self::None => "none",
        }
    }
}

/// How clashes are to be grouped.
#[derive(Debug, Clone, Copy)]
pub struct Grouping<'a> {
    /// By what.
    pub by: GroupBy,
    /// How far apart clashes of one place are; without it a fiftieth of the diagonal of the box around all parts.
    pub radius: Option<f64>,
    /// Named sets of parts; a part belongs to the first that contains it.
    pub sets: &'a [(String, PartSet)],
    /// The names of the rules for clearances, in the order in which they were set in the options.
    pub rules: &'a [String],
}

/// The radius of a place beside the diagonal of everything.
const RADIUS: f64 = 1.0 / 50.0;

/// What stands for parts in no set.
const OTHERS: &str = "other parts";

impl Document<'_> {
    /// Puts the clashes into groups. O(n log n), and for [`GroupBy::Place`] the pairs of clashes that are near.
    pub fn group(&mut self, grouping: &Grouping<'_>, options: &ClashOptions) {
        let around = self.parts.iter().fold(Aabb::EMPTY, |all, part| all.union(part.bounds));
        let radius = radius(grouping, &around);
        self.groups = groups(&self.clashes, &self.same_place, grouping, radius, options);
        self.grouped_by = grouping.by.name();
        self.group_radius = (grouping.by == GroupBy::Place).then_some(radius);
        for (number, group) in self.groups.iter().enumerate() {
            for &clash in &group.clashes {
                self.clashes[clash].group = Some(number);
            }
        }
    }
}

/// The radius of a place, if it is not said: of two digits, so that it can be said.
fn radius(grouping: &Grouping<'_>, around: &Aabb) -> f64 {
    let radius = RADIUS * around.extent().length();
    let rounded = || format!("{radius:.1e}").parse().ok().filter(|x: &f64| x.is_finite());
    grouping.radius.or_else(rounded).unwrap_or(0.0)
}

/// The groups of clashes, what is certainly deepest first; then the largest first, then in the order of clashes.
fn groups(
    clashes: &[ClashInfo<'_>],
    same_place: &[Vec<usize>],
    grouping: &Grouping<'_>,
    radius: f64,
    options: &ClashOptions,
) -> Vec<Group> {
    if grouping.by == GroupBy::None {
        return Vec::new();
    }
    let place_of: BTreeMap<usize, usize> =
        same_place.iter().enumerate().flat_map(|(n, parts)| parts.iter().map(move |&i| (i, n))).collect();
    let mut equal: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let mut left = Vec::new();
    for (n, clash) in clashes.iter().enumerate() {
        match [clash.a, clash.b].map(|i| place_of.get(&i)) {
            [Some(p), Some(q)] if p == q => equal.entry(*p).or_default().push(n),
            _ => left.push(n),
        }
    }
    let mut all: Vec<Group> = equal
        .into_iter()
        .map(|(place, members)| {
            let parts = &same_place[place];
            let name = format!("{} equal parts in one place, {}", parts.len(), clashes[members[0]].names[0]);
            let group = group(clashes, name, "same place", members);
            Group { count: parts.len() * (parts.len() - 1) / 2, ..group }
        })
        .collect();
    let named = match grouping.by {
        GroupBy::Part => by_part(clashes, &left),
        GroupBy::Place => by_place(clashes, &left, radius),
        GroupBy::Sets => by_label(&left, |n| sets_of(&clashes[n], grouping.sets)),
        GroupBy::Rule => by_label(&left, |n| rule_of(&clashes[n], options, grouping.rules)),
        GroupBy::None => Vec::new(),
    };
    all.extend(named.into_iter().map(|(name, members)| group(clashes, name, grouping.by.name(), members)));
    let depth = |group: &Group| group.depth_at_least.unwrap_or(-1.0);
    all.sort_by(|a, b| {
        depth(b).total_cmp(&depth(a)).then(b.count.cmp(&a.count)).then(a.clashes.cmp(&b.clashes))
    });
    all
}

fn group(clashes: &[ClashInfo<'_>], name: String, by: &'static str, mut members: Vec<usize>) -> Group {
    members.sort_unstable();
    let mut kinds: BTreeMap<&'static str, usize> = BTreeMap::new();
    for &n in &members {
        *kinds.entry(clashes[n].kind.name()).or_default() += 1;
    }
    let depths =
        |end: fn(&ClashInfo<'_>) -> Option<f64>| members.iter().filter_map(move |&n| end(&clashes[n]));
    Group {
        name,
        by,
        count: members.len(),
        kinds,
        depth: depths(|clash| measured(clash).and(clash.depth)).reduce(f64::max),
        depth_at_least: depths(measured).reduce(f64::max),
        point: clashes[worst(clashes, &members)].point,
        clashes: members,
    }
}

/// How deep a clash is for certain, if it is measured by more than boxes.
fn measured(clash: &ClashInfo<'_>) -> Option<f64> {
    clash.depth_at_least.filter(|_| clash.depth_is != Some(BOX))
}

/// The first of the deepest.
fn worst(clashes: &[ClashInfo<'_>], members: &[usize]) -> usize {
    let depth = |n: &usize| measured(&clashes[*n]).unwrap_or(-1.0);
    members.iter().copied().max_by(|a, b| depth(a).total_cmp(&depth(b)).then(b.cmp(a))).unwrap_or(0)
}

fn pair_name(clash: &ClashInfo<'_>) -> String {
    let [a, b] = clash.names;
    format!("{a} × {b}")
}

/// Each time the part with the most clashes that are left takes them all; of several the first.
fn by_part(clashes: &[ClashInfo<'_>], left: &[usize]) -> Vec<(String, Vec<usize>)> {
    let mut of_part: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for &n in left {
        for part in [clashes[n].a, clashes[n].b] {
            of_part.entry(part).or_default().push(n);
        }
    }
    let mut is_free = vec![false; clashes.len()];
    left.iter().for_each(|&n| is_free[n] = true);
    let mut queue: BinaryHeap<(usize, Reverse<usize>)> =
        of_part.iter().map(|(&part, own)| (own.len(), Reverse(part))).collect();
    let mut found = Vec::new();
    while let Some((count, Reverse(part))) = queue.pop() {
        let own: Vec<usize> = of_part[&part].iter().copied().filter(|&n| is_free[n]).collect();
        if own.len() < count {
            // Others have taken some since it was counted.
            queue.extend((!own.is_empty()).then_some((own.len(), Reverse(part))));
            continue;
        }
        own.iter().for_each(|&n| is_free[n] = false);
        let first = &clashes[own[0]];
        let name = if first.a == part { first.names[0] } else { first.names[1] };
        let name = if own.len() == 1 { pair_name(first) } else { name.to_owned() };
        found.push((name, own));
    }
    found
}

/// The points of the clashes of one place lie within a box of so many radii along each axis.
const PLACE: f64 = 4.0;

/// Clashes whose boxes are near to each other along all axes, joined one to the next, the nearest first, as long as the
/// place stays small: a row of clashes along a wall is several places.
fn by_place(clashes: &[ClashInfo<'_>], left: &[usize], radius: f64) -> Vec<(String, Vec<usize>)> {
    let boxes: Vec<Aabb> = left.iter().map(|&n| bounds(&clashes[n]).grown(0.5 * radius)).collect();
    let distance = |i: usize, j: usize| clashes[left[i]].point.distance(clashes[left[j]].point);
    let mut pairs: Vec<(f64, [usize; 2])> = candidate_pairs(&boxes)
        .into_iter()
        .map(|pair| pair.map(|i| i as usize))
        .map(|[i, j]| (distance(i, j), [i, j]))
        .collect();
    pairs.sort_by(|(d, p), (e, q)| d.total_cmp(e).then(p.cmp(q)));
    let mut union = Union::new(left.len());
    let mut around: Vec<Aabb> = left.iter().map(|&n| Aabb::around([clashes[n].point])).collect();
    for (_, pair) in pairs {
        let [i, j] = pair.map(|i| union.root(i));
        let both = around[i].union(around[j]);
        if i != j && both.extent().max_element() <= PLACE * radius {
            union.join(i, j);
            around[i.min(j)] = both;
        }
    }
    let mut places: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (i, &n) in left.iter().enumerate() {
        places.entry(union.root(i)).or_default().push(n);
    }
    let name = |members: &[usize]| {
        let pair = pair_name(&clashes[worst(clashes, members)]);
        if members.len() == 1 { pair } else { format!("{pair} and {} near it", members.len() - 1) }
    };
    places.into_values().map(|members| (name(&members), members)).collect()
}

/// The box around the regions of a clash and its point.
fn bounds(clash: &ClashInfo<'_>) -> Aabb {
    let point = Aabb { min: clash.point, max: clash.point };
    clash.regions.iter().map(|region| region.bounds).fold(point, Aabb::union)
}

fn by_label(left: &[usize], label: impl Fn(usize) -> String) -> Vec<(String, Vec<usize>)> {
    let mut labelled: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for &n in left {
        labelled.entry(label(n)).or_default().push(n);
    }
    labelled.into_iter().collect()
}

fn sets_of(clash: &ClashInfo<'_>, sets: &[(String, PartSet)]) -> String {
    let number = |part: usize| sets.iter().position(|(_, set)| set.contains(part)).unwrap_or(sets.len());
    let name = |number: usize| sets.get(number).map_or(OTHERS, |(name, _)| name);
    let (a, b) = (number(clash.a), number(clash.b));
    format!("{} × {}", name(a.min(b)), name(a.max(b)))
}

fn rule_of(clash: &ClashInfo<'_>, options: &ClashOptions, rules: &[String]) -> String {
    if clash.kind != ClashKind::Clearance {
        return "contacts and overlaps".to_owned();
    }
    let rule = options.clearance_rule(clash.a, clash.b).and_then(|rule| rules.get(rule));
    rule.map_or_else(|| "the clearance of all parts".to_owned(), |rule| format!("the clearance of {rule}"))
}
