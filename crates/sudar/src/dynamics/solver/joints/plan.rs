//! In which order the joints of a mechanism are eliminated, and which entries of the factors there are.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, VecDeque};

use crate::dynamics::solver::groups::lanes::LANES;

/// Joints of bodies that move, by the bodies' places in the mechanism, and how many rows each has.
#[derive(Clone, PartialEq)]
pub struct Outline {
    pub bodies: u32,
    pub joints: Vec<Tie>,
}

/// A joint as the plan sees it.
#[derive(Clone, Copy, PartialEq)]
pub struct Tie {
    /// None of what nothing moves.
    pub bodies: [Option<u32>; 2],
    pub rows: u32,
    /// Joints of one kind measure the same.
    pub kind: u32,
}

/// How the joints of a mechanism are solved, as far as it is the same for all of one outline.
#[derive(Clone)]
pub struct Plan {
    pub nodes: Vec<Node>,
    /// Places of bodies, see [`Node::places`].
    pub places: u32,
    /// Rows of all nodes.
    pub rows: usize,
    /// Whether the joints of a node are of one mechanism.
    pub is_lone: bool,
    /// How rows are eliminated; large nets have no factors.
    pub order: Option<Order>,
}

/// What is solved side by side: one joint of the outline, for up to eight mechanisms of it; or of a large mechanism up
/// to eight joints that have as many rows, and share no body that moves.
#[derive(Clone)]
pub struct Node {
    /// Their numbers in the outline.
    pub joints: Vec<u32>,
    /// Places of their bodies: those of the outline, then one for each side that nothing moves.
    pub places: Vec<[u32; 2]>,
    pub rows: usize,
    /// Its first row among all.
    pub first: usize,
}

/// The factorisation of the rows of a mechanism.
///
/// The matrix has a block for every two joints that share a body. Joints are eliminated one after another, that with
/// the fewest neighbours first (minimum degree), so that trees have no other blocks than these.
#[derive(Clone)]
pub struct Order {
    pub pivots: Vec<Pivot>,
    /// For each row in this order: which row of the nodes it is, and in which lane where joints are of one mechanism.
    pub rows: Vec<[u32; 2]>,
    /// Entries of all panels.
    pub entries: usize,
}

/// A joint in the order of elimination. Its panel has its own columns of the matrix, one column after another: its own
/// rows, then those of the joints `below`, which come later.
#[derive(Clone)]
pub struct Pivot {
    pub rows: usize,
    /// Its first row among all.
    pub first: usize,
    /// Where its panel begins, and the rows of that.
    pub start: usize,
    pub height: usize,
    pub below: Vec<Below>,
    /// The products of the rows of two joints at a body that both have: which pivot, where in this panel, and the side
    /// of the body in this joint and in the other.
    pub couplings: Vec<Coupling>,
    /// For every two blocks below, the second not before the first: where the product of the two goes.
    pub targets: Vec<usize>,
}

impl Outline {
    /// Whether there is another plan where there are many mechanisms of it than where there are few.
    pub fn is_many(&self, count: usize) -> bool {
        self.joints.len() >= LARGE && count > FEW
    }
}

impl Pivot {
    /// Where the block of another joint is in the panel of this one, the pivot `own`.
    fn place_of(&self, own: usize, other: usize) -> usize {
        let below = self.below.iter().find(|below| other != own && below.pivot == other);
        below.map_or(0, |below| below.at)
    }
}

/// A block below the own rows of a panel.
#[derive(Clone, Copy)]
pub struct Below {
    pub pivot: usize,
    pub rows: usize,
    /// The first row of that joint among all.
    pub first: usize,
    /// Where it is in the panel.
    pub at: usize,
}

/// See [`Pivot::couplings`].
#[derive(Clone, Copy)]
pub struct Coupling {
    pub pivot: usize,
    pub at: usize,
    pub sides: [usize; 2],
}

/// Products of entries, for each row, beyond which a mechanism is not factorised: large nets.
const DEAREST: usize = 2000;
/// The joints of a mechanism are solved side by side where they are as many and there are no more mechanisms of its
/// outline; else mechanisms are.
const LARGE: usize = 4;
const FEW: usize = 2;
/// Nodes that a joint is tried to be put in.
const TRIED: usize = 8;

/// A joint, and the later ones that its elimination ties to each other, sorted.
type Eliminated = (usize, Vec<usize>);

impl Plan {
    /// The plan of an outline of which there are so many; without factors if these would be too large.
    pub fn new(outline: &Outline, count: usize) -> Self {
        let order = eliminate(outline);
        let is_lone = outline.joints.len() >= LARGE && (count <= FEW || order.is_none());
        let joints = outline.joints.len();
        let groups = match &order {
            _ if is_lone => side_by_side(outline),
            Some(order) => order.iter().map(|(joint, _)| vec![*joint as u32]).collect(),
            None => (0..joints as u32).map(|joint| vec![joint]).collect(),
        };
        let mut places = outline.bodies;
        let mut place = |body: Option<u32>| {
            body.unwrap_or_else(|| {
                places += 1;
                places - 1
            })
        };
        let (mut nodes, mut rows) = (Vec::with_capacity(groups.len()), 0);
        for joints in groups {
            let ties = joints.iter().map(|joint| &outline.joints[*joint as usize]);
            let places = ties.clone().map(|tie| tie.bodies.map(&mut place)).collect();
            let own = ties.clone().map(|tie| tie.rows as usize).max().unwrap_or(0);
            nodes.push(Node { joints, places, rows: own, first: rows });
            rows += own;
        }
        let order = order.map(|order| Order::new(outline, &order, &nodes));
        Self { nodes, places, rows, is_lone, order }
    }
}

/// The joints of a large mechanism in groups for nodes.
fn side_by_side(outline: &Outline) -> Vec<Vec<u32>> {
    let mut groups: Vec<Vec<u32>> = Vec::new();
    let mut open: BTreeMap<(u32, u32), VecDeque<usize>> = BTreeMap::new();
    let bodies = |joint: u32| outline.joints[joint as usize].bodies.into_iter().flatten();
    for (tie, joint) in outline.joints.iter().zip(0..) {
        let open = open.entry((tie.rows, tie.kind)).or_default();
        let shares = |group: &[u32]| {
            group.iter().flat_map(|other| bodies(*other)).any(|own| bodies(joint).any(|body| body == own))
        };
        if let Some(at) = open.iter().position(|group| !shares(&groups[*group])) {
            groups[open[at]].push(joint);
            if groups[open[at]].len() == LANES {
                open.remove(at);
            }
            continue;
        }
        open.push_back(groups.len());
        groups.push(vec![joint]);
        if open.len() > TRIED {
            open.pop_front();
        }
    }
    groups
}

impl Order {
    fn new(outline: &Outline, order: &[Eliminated], nodes: &[Node]) -> Self {
        let mut numbers = vec![0; outline.joints.len()];
        order.iter().enumerate().for_each(|(number, (joint, _))| numbers[*joint] = number);
        let mut at = vec![[0; 2]; outline.joints.len()];
        for node in nodes {
            for (joint, lane) in node.joints.iter().zip(0..) {
                at[*joint as usize] = [node.first as u32, lane];
            }
        }
        let (mut pivots, mut rows, mut entries): (Vec<Pivot>, _, _) =
            (Vec::with_capacity(order.len()), Vec::new(), 0);
        for (joint, _) in order {
            let own = outline.joints[*joint].rows;
            let pivot = Pivot {
                rows: own as usize,
                first: rows.len(),
                start: 0,
                height: own as usize,
                below: Vec::new(),
                couplings: Vec::new(),
                targets: Vec::new(),
            };
            pivots.push(pivot);
            let [first, lane] = at[*joint];
            rows.extend((0..own).map(|k| [first + k, lane]));
        }
        for (number, (_, later)) in order.iter().enumerate() {
            let mut later: Vec<usize> = later.iter().map(|joint| numbers[*joint]).collect();
            later.sort_unstable();
            let mut height = pivots[number].rows;
            for other in later {
                let Pivot { rows, first, .. } = pivots[other];
                pivots[number].below.push(Below { pivot: other, rows, first, at: height });
                height += rows;
            }
            (pivots[number].start, pivots[number].height) = (entries, height);
            entries += height * pivots[number].rows;
        }
        let mut order_of = Self { pivots, rows, entries };
        order_of.couple(outline, order);
        order_of.aim();
        order_of
    }

    fn couple(&mut self, outline: &Outline, order: &[Eliminated]) {
        let mut at_body: Vec<Vec<(usize, usize)>> = vec![Vec::new(); outline.bodies as usize];
        for (number, (joint, _)) in order.iter().enumerate() {
            for (side, body) in outline.joints[*joint].bodies.iter().enumerate() {
                if let Some(body) = body {
                    at_body[*body as usize].push((number, side));
                }
            }
        }
        for joints in at_body {
            for (k, &(pivot, side)) in joints.iter().enumerate() {
                for &(other, its) in &joints[k..] {
                    let at = self.pivots[pivot].place_of(pivot, other);
                    self.pivots[pivot].couplings.push(Coupling { pivot: other, at, sides: [side, its] });
                }
            }
        }
    }

    /// Finds where products of blocks go.
    fn aim(&mut self) {
        for number in 0..self.pivots.len() {
            let below = self.pivots[number].below.clone();
            for (k, column) in below.iter().enumerate() {
                for row in &below[k..] {
                    let target = &self.pivots[column.pivot];
                    let to = target.start + target.place_of(column.pivot, row.pivot);
                    self.pivots[number].targets.push(to);
                }
            }
        }
    }
}

/// The joints in order; none if that is too much.
fn eliminate(outline: &Outline) -> Option<Vec<Eliminated>> {
    let count = outline.joints.len();
    let rows = |joint: usize| outline.joints[joint].rows as usize;
    let mut at_body: Vec<Vec<usize>> = vec![Vec::new(); outline.bodies as usize];
    for (joint, tie) in outline.joints.iter().enumerate() {
        tie.bodies.iter().flatten().for_each(|body| at_body[*body as usize].push(joint));
    }
    let mut near: Vec<Vec<usize>> = vec![Vec::new(); count];
    for joints in at_body {
        joints.iter().for_each(|joint| unite(&mut near[*joint], &joints, *joint));
    }
    let all: usize = (0..count).map(rows).sum();
    // By the number of neighbours; of a joint the last entry counts.
    let mut waiting: BinaryHeap<Reverse<[usize; 2]>> =
        (0..count).map(|joint| Reverse([near[joint].len(), joint])).collect();
    let (mut order, mut cost, mut done) = (Vec::with_capacity(count), 0, vec![false; count]);
    while let Some(Reverse([degree, joint])) = waiting.pop() {
        if done[joint] || degree != near[joint].len() {
            continue;
        }
        done[joint] = true;
        let own = std::mem::take(&mut near[joint]);
        let height: usize = rows(joint) + own.iter().map(|other| rows(*other)).sum::<usize>();
        cost += height * height * rows(joint);
        if cost > DEAREST * all {
            return None;
        }
        for &other in &own {
            near[other].retain(|third| *third != joint);
            unite(&mut near[other], &own, other);
            waiting.push(Reverse([near[other].len(), other]));
        }
        order.push((joint, own));
    }
    Some(order)
}

/// Adds joints to a sorted list, but for one.
fn unite(list: &mut Vec<usize>, more: &[usize], but: usize) {
    for &joint in more.iter().filter(|joint| **joint != but) {
        if let Err(place) = list.binary_search(&joint) {
            list.insert(place, joint);
        }
    }
}
