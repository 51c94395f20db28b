//! RRT-Connect in rounds: two trees grow towards each other, one from the start, the other from the goals.
//!
//! After Kuffner and LaValle 2000, "RRT-Connect: An Efficient Approach to Single-Query Path Planning". In a round the
//! smaller tree takes a step towards each of [`PLAN_ROUND`] samples; then the other is led to each new node, as far as
//! it goes. The steps of a round are tested at once, from the trees as they were at its beginning, and added in the
//! order of the samples: so the trees do not depend on the number of threads.
//!
//! Steps are tested by samples. Where the trees meet, the path is certified; edges that are not free are cut from their
//! tree with all behind them, and the search goes on.

use sudar::Interval;

use super::error::PlanEnd;
use super::informed::Informed;
use super::options::PLAN_ROUND;
use super::task::{Checks, Task};
use super::tree::{Tree, between};
use crate::EdgeAnswer;
use crate::pcg::Pcg;
use crate::turns::Turns;

/// A tree is led so many steps in one round, at most.
const MOST_STEPS: u32 = 100;

/// A search under way.
pub(super) struct Search<'s, 't> {
    task: &'s mut Task<'t>,
    /// From the start, and from the goals.
    trees: [Tree; 2],
    random: Pcg,
    /// Where each joint is sampled.
    ranges: Vec<Interval>,
    /// The first path whose edges are free or undecided.
    undecided: Option<Vec<Vec<f64>>>,
    /// Where a path is to be, if it is to be shorter than another.
    informed: Option<Informed>,
    rounds: usize,
}

/// A step that a tree may take.
struct Step {
    from: u32,
    q: Vec<f64>,
}

/// How far a tree came to a node of the other.
struct Way {
    from: u32,
    steps: Vec<Vec<f64>>,
    has_arrived: bool,
}

/// An edge of a path: a node of a tree with its parent, or where the trees meet.
#[derive(Clone, Copy)]
enum Edge {
    Of { tree: usize, child: u32 },
    Meeting,
}

impl<'s, 't> Search<'s, 't> {
    pub fn new(task: &'s mut Task<'t>, start: &[f64], goals: &[&[f64]], ranges: Vec<Interval>) -> Self {
        let trees = [Tree::new(start.len(), [start]), Tree::new(start.len(), goals.iter().copied())];
        let random = Pcg::new(task.options.seed);
        let rounds = task.options.rounds;
        Self { task, trees, random, ranges, undecided: None, informed: None, rounds }
    }

    /// The same for a path that is shorter than another, with other random numbers and so many rounds at most.
    pub fn shorter(self, informed: Informed, try_number: usize, rounds: usize) -> Self {
        let seed =
            self.task.options.seed.wrapping_add((try_number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        Self { informed: Some(informed), random: Pcg::new(seed), rounds, ..self }
    }

    /// The waypoints of a path: certified, or where there is none when the search ends, one without a known contact.
    pub fn run(mut self) -> Result<Vec<Vec<f64>>, PlanEnd> {
        let found = self.search();
        self.task.statistics.nodes = [self.trees[0].len(), self.trees[1].len()];
        found.or_else(|end| self.undecided.ok_or(end))
    }

    /// The waypoints of a path that is certified.
    pub fn run_certified(mut self) -> Option<Vec<Vec<f64>>> {
        self.search().ok()
    }

    fn search(&mut self) -> Result<Vec<Vec<f64>>, PlanEnd> {
        // The goals themselves are the first nodes that the start is led to.
        let goals: Vec<u32> = (0..self.trees[1].len() as u32).collect();
        if let Some(path) = self.lead(0, &goals) {
            return Ok(path);
        }
        for _ in 0..self.rounds {
            if let Some(end) = self.task.end() {
                return Err(end);
            }
            self.task.statistics.rounds += 1;
            let grown = usize::from(self.trees[1].len() < self.trees[0].len());
            let nodes = self.grow(grown);
            if let Some(path) = self.lead(1 - grown, &nodes) {
                return Ok(path);
            }
        }
        Err(PlanEnd::Rounds)
    }

    /// Takes a step towards each of some samples, and returns the new nodes.
    fn grow(&mut self, grown: usize) -> Vec<u32> {
        let samples: Vec<Vec<f64>> = (0..PLAN_ROUND).map(|_| self.sample()).collect();
        let (tree, turns, informed) = (&self.trees[grown], self.task.turns.clone(), &self.informed);
        let steps =
            self.task.each(&samples, |checks, sample| step(checks, tree, sample, &turns, informed.as_ref()));
        steps.into_iter().flatten().map(|step| self.trees[grown].add(step.from, &step.q)).collect()
    }

    fn sample(&mut self) -> Vec<f64> {
        let Self { random, ranges, informed, .. } = self;
        if let Some(informed) = informed {
            let q = informed.sample(random);
            return q.iter().zip(ranges).map(|(x, range)| x.clamp(range.lower, range.upper)).collect();
        }
        let one = |range: &Interval| {
            (range.lower + random.number() * (range.upper - range.lower)).clamp(range.lower, range.upper)
        };
        ranges.iter().map(one).collect()
    }

    /// Leads a tree to each of some nodes of the other; a path if they meet.
    fn lead(&mut self, led: usize, nodes: &[u32]) -> Option<Vec<Vec<f64>>> {
        let (tree, other, turns) = (&self.trees[led], &self.trees[1 - led], self.task.turns.clone());
        let ways = self.task.each(nodes, |checks, node| lead(checks, tree, other.at(*node), &turns));
        let mut meetings = Vec::new();
        for (way, &node) in ways.into_iter().zip(nodes) {
            let last = way.steps.iter().fold(way.from, |from, q| self.trees[led].add(from, q));
            if way.has_arrived {
                meetings.push(if led == 0 { [last, node] } else { [node, last] });
            }
        }
        meetings.into_iter().find_map(|meeting| self.certified(meeting))
    }

    /// The path over two nodes where the trees meet, if it is certainly free. Else its edges that are not are cut.
    fn certified(&mut self, meeting: [u32; 2]) -> Option<Vec<Vec<f64>>> {
        if !(0..2).all(|tree| self.trees[tree].is_alive(meeting[tree])) {
            return None;
        }
        let (path, edges) = self.path(meeting);
        let ends: Vec<[&[f64]; 2]> = path.windows(2).map(|pair| [&pair[0][..], &pair[1][..]]).collect();
        let answers = self.task.each(&ends, |checks, ends| checks.certify(*ends));
        let mut is_free = true;
        let mut is_open = true;
        for (edge, answer) in edges.iter().zip(&answers) {
            is_free &= answer.is_free();
            is_open &= matches!(answer, EdgeAnswer::Free | EdgeAnswer::Undecided { .. });
            if let (Edge::Of { tree, child }, false) = (*edge, answer.is_free()) {
                self.trees[tree].cut(child);
            }
        }
        if is_free {
            return Some(path);
        }
        self.task.statistics.refused += 1;
        if is_open && self.undecided.is_none() {
            self.undecided = Some(path);
        }
        None
    }

    /// The waypoints of the path over two nodes where the trees meet, and its edges.
    fn path(&self, [first, second]: [u32; 2]) -> (Vec<Vec<f64>>, Vec<Edge>) {
        let [from_start, from_goal] = &self.trees;
        let (mut up, down) = (from_start.to_root(first), from_goal.to_root(second));
        up.reverse();
        let mut path: Vec<Vec<f64>> = up.iter().map(|node| from_start.at(*node).to_vec()).collect();
        path.extend(down.iter().map(|node| from_goal.at(*node).to_vec()));
        // Each the shortest way round from the one before, as it was tested.
        for i in 1..path.len() {
            path[i] = self.task.turns.near(&path[i - 1], &path[i]);
        }
        let mut edges: Vec<Edge> = up[1..].iter().map(|&child| Edge::Of { tree: 0, child }).collect();
        edges.push(Edge::Meeting);
        edges.extend(down[..down.len() - 1].iter().map(|&child| Edge::Of { tree: 1, child }));
        (path, edges)
    }
}

/// A step of a tree towards a sample, no longer than the range, if samples on it are free.
fn step(
    checks: &mut Checks<'_, '_>,
    tree: &Tree,
    sample: &[f64],
    turns: &Turns,
    informed: Option<&Informed>,
) -> Option<Step> {
    let (from, square) = tree.nearest(sample, turns);
    let (near, range) = (tree.at(from), checks.range());
    let sample = turns.near(near, sample);
    let length = square.sqrt();
    let q = if length > range { between(near, &sample, range / length) } else { sample };
    let is_wanted = informed.is_none_or(|informed| informed.has(&q));
    // A sample that is a node is no step.
    (is_wanted && near != &q[..] && checks.seems_free([near, &q])).then_some(Step { from, q })
}

/// Steps of a tree to a node of the other, as far as samples on them are free. The node itself is not one of them.
fn lead(checks: &mut Checks<'_, '_>, tree: &Tree, goal: &[f64], turns: &Turns) -> Way {
    let (from, square) = tree.nearest(goal, turns);
    let near = tree.at(from);
    let goal = &turns.near(near, goal)[..];
    let count = (square.sqrt() / checks.range()).ceil().max(1.0);
    let mut way = Way { from, steps: Vec::new(), has_arrived: false };
    for k in 1..=MOST_STEPS {
        let last = way.steps.last().map_or(near, |q| &q[..]);
        let k = f64::from(k);
        if k >= count {
            way.has_arrived = checks.between_seems_free([last, goal]);
            break;
        }
        let q = between(near, goal, k / count);
        if !checks.seems_free([last, &q]) {
            break;
        }
        way.steps.push(q);
    }
    way
}
