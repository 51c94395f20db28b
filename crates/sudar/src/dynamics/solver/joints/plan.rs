//! In which order the joints of a mechanism are eliminated, and which entries of the factors there are.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

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
}

/// The factorisation of the rows of a mechanism, as far as it is the same for all of one outline.
///
/// The matrix has a block for every two joints that share a body. Joints are eliminated one after another, that with
/// the fewest neighbours first (minimum degree), so that trees have no other blocks than these.
#[derive(Clone)]
pub struct Plan {
    pub nodes: Vec<Node>,
    /// Places of bodies, see [`Node::places`].
    pub places: u32,
    /// Rows of all joints, and entries of all panels.
    pub rows: usize,
    pub entries: usize,
    /// Whether there are factors; large nets have none.
    pub is_direct: bool,
}

/// A joint in the order of elimination. Its panel has its own columns of the matrix, one column after another: its own
/// rows, then those of the joints `below`, which come later.
#[derive(Clone)]
pub struct Node {
    /// Its number in the outline.
    pub joint: u32,
    /// Places of its bodies: those of the outline, then one for each side that nothing moves.
    pub places: [u32; 2],
    pub rows: usize,
    /// Its first row among all.
    pub first: usize,
    /// Where its panel begins, and the rows of that.
    pub start: usize,
    pub height: usize,
    pub below: Vec<Below>,
    /// The products of the rows of two joints at a body that both have: which node, where in this panel, and the side
    /// of the body in this joint and in the other.
    pub couplings: Vec<Coupling>,
    /// For every two blocks below, the second not before the first: where the product of the two goes.
    pub targets: Vec<usize>,
}

impl Node {
    /// Where the block of another joint is in the panel of this one, the node `own`.
    fn place_of(&self, own: usize, other: usize) -> usize {
        let below = self.below.iter().find(|below| other != own && below.node == other);
        below.map_or(0, |below| below.at)
    }
}

/// A block below the own rows of a panel.
#[derive(Clone, Copy)]
pub struct Below {
    pub node: usize,
    pub rows: usize,
    /// The first row of that joint among all.
    pub first: usize,
    /// Where it is in the panel.
    pub at: usize,
}

/// See [`Node::couplings`].
#[derive(Clone, Copy)]
pub struct Coupling {
    pub node: usize,
    pub at: usize,
    pub sides: [usize; 2],
}

/// Products of entries, for each row, beyond which a mechanism is not factorised: large nets.
const DEAREST: usize = 4000;

impl Plan {
    /// The plan of an outline; without factors if these would be too large.
    pub fn new(outline: &Outline) -> Self {
        let order = eliminate(outline);
        let is_direct = order.is_some();
        let order =
            order.unwrap_or_else(|| (0..outline.joints.len()).map(|joint| (joint, Vec::new())).collect());
        let mut places = vec![0; outline.joints.len()];
        order.iter().enumerate().for_each(|(place, (joint, _))| places[*joint] = place);
        let (mut rows, mut entries) = (0, 0);
        let mut places_of_bodies = outline.bodies;
        let mut place = |body: Option<u32>| {
            body.unwrap_or_else(|| {
                places_of_bodies += 1;
                places_of_bodies - 1
            })
        };
        let mut nodes: Vec<Node> = Vec::with_capacity(order.len());
        for (joint, _) in &order {
            let own = outline.joints[*joint].rows as usize;
            let node = Node {
                joint: *joint as u32,
                places: outline.joints[*joint].bodies.map(&mut place),
                rows: own,
                first: rows,
                start: 0,
                height: own,
                below: Vec::new(),
                couplings: Vec::new(),
                targets: Vec::new(),
            };
            nodes.push(node);
            rows += own;
        }
        for (place, (_, later)) in order.iter().enumerate() {
            let mut later: Vec<usize> = later.iter().map(|joint| places[*joint]).collect();
            later.sort_unstable();
            let mut height = nodes[place].rows;
            for other in later {
                let Node { rows, first, .. } = nodes[other];
                nodes[place].below.push(Below { node: other, rows, first, at: height });
                height += rows;
            }
            (nodes[place].start, nodes[place].height) = (entries, height);
            entries += height * nodes[place].rows;
        }
        let mut plan = Self { nodes, places: places_of_bodies, rows, entries, is_direct };
        if is_direct {
            plan.couple(outline);
            plan.aim();
        }
        plan
    }

    fn couple(&mut self, outline: &Outline) {
        let mut at_body: Vec<Vec<(usize, usize)>> = vec![Vec::new(); outline.bodies as usize];
        for (place, node) in self.nodes.iter().enumerate() {
            for (side, body) in outline.joints[node.joint as usize].bodies.iter().enumerate() {
                if let Some(body) = body {
                    at_body[*body as usize].push((place, side));
                }
            }
        }
        for joints in at_body {
            for (k, &(node, side)) in joints.iter().enumerate() {
                for &(other, its) in &joints[k..] {
                    let at = self.nodes[node].place_of(node, other);
                    self.nodes[node].couplings.push(Coupling { node: other, at, sides: [side, its] });
                }
            }
        }
    }

    /// Finds where products of blocks go.
    fn aim(&mut self) {
        for place in 0..self.nodes.len() {
            let below = self.nodes[place].below.clone();
            for (k, column) in below.iter().enumerate() {
                for row in &below[k..] {
                    let target = &self.nodes[column.node];
                    let to = target.start + target.place_of(column.node, row.node);
                    self.nodes[place].targets.push(to);
                }
            }
        }
    }
}

/// The joints in order, each with those later ones that its elimination ties to each other, sorted; none if that is too
/// much.
fn eliminate(outline: &Outline) -> Option<Vec<(usize, Vec<usize>)>> {
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
