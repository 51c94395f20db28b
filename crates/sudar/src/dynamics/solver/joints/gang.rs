//! Up to eight mechanisms of one plan side by side, or a large one whose joints are, through the sub-steps of a step.
//!
//! Impulses along the rows of a sub-step's start bring the coordinates where they belong at its end, by Newton's method
//! on the places that bodies come to; then, with the rows of these places, velocities are made to keep them there. With
//! half of the forces before and half after, that is RATTLE (Andersen 1983; Hairer, Lubich and Wanner 2006, "Geometric
//! Numerical Integration", VII.1.4): of second order, the same backwards, and without drift of energy.

use std::ops::Range;
use std::sync::Arc;

use glam::DVec3;

use super::coordinates::{Geometry, Kind, Posed, Since};
use super::crew::{Crew, Drive, Lanes, place};
use super::demand::Demand;
use super::direct::Factors;
use super::eights::{Eight, Places};
use super::fixtures::Fixtures;
use super::iterative::{Gradients, Net};
use super::plan::{Node, Plan};
use super::rows::{Ends, Line, push, speeds};
use crate::dynamics::matter::Rigid;
use crate::dynamics::settings::Settings;
use crate::dynamics::solver::groups::lanes::{LANES, Lane, Vector, got};
use crate::math::simd::Level;

/// What a gang is made of: a joint of one of its mechanisms.
#[derive(Clone)]
pub struct Member {
    /// The slot of the joint.
    pub slot: u32,
    /// Its node, its lane there, and which of the mechanisms side by side it is of.
    pub node: usize,
    pub lane: usize,
    pub mechanism: usize,
    /// Places of its bodies in the crew.
    pub bodies: [u32; 2],
    pub geometry: Geometry,
    pub demands: Arc<[Demand]>,
    /// What counts turns.
    pub turned: f64,
    /// Impulse and torque impulse on the second body at its anchor, in the step so far.
    pub reaction: [DVec3; 2],
    /// With which stiffness its force turns its bodies back.
    pub pulls: [f64; 2],
    /// Length at which gaps count.
    pub size: f64,
}

impl Member {
    /// Where its bodies are among places; of what has no axes.
    pub fn posed(&self, places: &[Places], since: &[Places]) -> Posed {
        let [now, before] = [places, since].map(|all| self.bodies.map(|body| place(all, body as usize)));
        let since = Since { places: [&before[0], &before[1]], turned: self.turned };
        self.geometry.at([&now[0], &now[1]], since)
    }
}

/// What eight rows have in common.
#[derive(Clone)]
pub struct Row {
    /// What all of them measure, if it is the same.
    pub kind: Option<Kind>,
    /// Whether all are hard locks; where these hold the coordinate, then.
    pub are_locks: bool,
    pub target: Lane,
    /// At which size gaps count, and whether rounding of places does.
    pub size: Lane,
    pub rounds: Lane,
}

/// Mechanisms side by side.
#[derive(Clone)]
pub struct Gang {
    pub plan: Arc<Plan>,
    /// The numbers of the mechanisms.
    pub homes: Vec<u32>,
    pub crew: Crew,
    /// By node of the plan and lane, and the first of each node.
    pub members: Vec<Member>,
    pub firsts: Vec<usize>,
    /// Eight joints after each other; whether these are a node.
    pub fixtures: Vec<Fixtures>,
    pub is_by_node: bool,
    /// By node.
    pub ends: Vec<Ends>,
    /// Arms to the second anchors, and what rounding adds to gaps.
    pub levers: Vec<Vector>,
    pub rounding: Vec<Lane>,
    /// Impulse and torque impulse on the second bodies, the latter about their centres.
    borne: Vec<[Vector; 2]>,
    /// By row.
    pub rows: Vec<Row>,
    pub lines: Vec<Line>,
    /// Whether all rows are hard locks.
    are_locks: bool,
    /// Rows that do work of their own, with the member and the number of the demand.
    pub works: Vec<[usize; 3]>,
    /// How far they came in this sub-step.
    pub ways: Vec<f64>,
    /// By how much velocities may change at once, for what does not change in a step.
    pub lively: Lane,
    pub factors: Factors,
    gradients: Gradients,
    /// By which share of their weight rows yield, where a mechanism is about to be singular.
    pub damping: Lane,
    /// Whether the factors are those of the rows that are active.
    pub is_factorised: bool,
    /// Coordinates at the start of the sub-step, and as they would be at its end, or how fast they change.
    pub from: Vec<Lane>,
    pub to: Vec<Lane>,
    /// Impulses of the first part of the sub-step.
    pub before: Vec<Lane>,
    /// What is missing of all rows, then the impulses that bring it about.
    pub wanted: Vec<Lane>,
    pub asked: Vec<Lane>,
    /// Where in the sub-step they are asked.
    pub asked_part: Part,
    pub bounds: Vec<[Lane; 2]>,
    /// Whether any row has some.
    pub has_bounds: bool,
    /// What may do work on them.
    pub drive: Drive,
}

/// A sub-step: its length, and the time for which forces act in its first part.
#[derive(Clone, Copy)]
pub struct Sub {
    pub step: f64,
    pub span: f64,
}

impl Sub {
    /// Whether its second part has as much of all forces as the first.
    pub fn is_halved(&self) -> bool {
        self.span < self.step
    }
}

/// Rounds of Newton's method, and of finding which bounds hold.
pub const ROUNDS: u32 = 16;
/// The stiffness with which a force at an arm turns a body back, in N·m: (F·r + |F|·|r|)/2, the greatest eigenvalue of
/// the symmetric part of it, which is zero of a force that presses.
pub fn turns_back(force: DVec3, arm: DVec3) -> f64 {
    0.5 * (force.dot(arm) + force.length() * arm.length())
}

/// Where in the sub-step demands are asked.
#[derive(Clone, Copy, PartialEq)]
pub enum Part {
    End,
    After,
    /// At the end, of what gaps are measured by.
    Gap,
}

impl Gang {
    /// Mechanisms whose members are given by node and lane, of bodies by the places of the plan.
    pub fn new(plan: Arc<Plan>, homes: Vec<u32>, crew: Crew, members: Vec<Member>) -> Self {
        let (nodes, rows) = (plan.nodes.len(), plan.rows);
        let (zero, none) = ([0.0; LANES], [[0.0; LANES]; 3]);
        let numbers = (0..nodes).map(|node| members.partition_point(|member| member.node < node));
        let mut gang = Self {
            firsts: numbers.chain([members.len()]).collect(),
            is_by_node: plan.is_lone || crew.stride == LANES,
            homes,
            fixtures: Vec::new(),
            ends: vec![Ends::default(); nodes],
            levers: vec![none; nodes],
            rounding: vec![zero; nodes],
            borne: vec![[none; 2]; nodes],
            rows: Vec::with_capacity(rows),
            lines: vec![Line::default(); rows],
            are_locks: true,
            works: Vec::new(),
            ways: Vec::new(),
            lively: zero,
            factors: Factors::default(),
            gradients: Gradients::default(),
            damping: zero,
            is_factorised: false,
            from: vec![zero; rows],
            to: vec![zero; rows],
            before: vec![zero; rows],
            wanted: vec![zero; rows],
            asked: vec![zero; rows],
            asked_part: Part::End,
            bounds: vec![[zero; 2]; rows],
            has_bounds: false,
            drive: Drive::default(),
            plan,
            crew,
            members,
        };
        gang.place_joints();
        gang.sort_rows();
        gang
    }

    /// The members of a node.
    pub fn of_node(&self, node: usize) -> Range<usize> {
        self.firsts[node]..self.firsts[node + 1]
    }

    /// The bodies of the lanes of a node. Where a lane has no joint, they are those of another, and are not moved.
    fn bodies_of(&self, node: usize) -> [[u32; LANES]; 2] {
        let Node { places, .. } = &self.plan.nodes[node];
        let stride = self.crew.stride as u32;
        [0, 1].map(|side| {
            std::array::from_fn(|lane| match places[..] {
                [places] => places[side] * stride + (lane as u32).min(stride - 1),
                _ => places[lane.min(places.len() - 1)][side],
            })
        })
    }

    /// Which eight of fixtures a member is in, and where.
    fn fixture(&self, member: &Member) -> [usize; 2] {
        if self.is_by_node {
            return [member.node, member.lane];
        }
        let joint = member.node * self.crew.stride + member.lane;
        [joint / LANES, joint % LANES]
    }

    fn place_joints(&mut self) {
        let nodes = self.plan.nodes.len();
        for node in 0..nodes {
            self.ends[node].sides = self.bodies_of(node).map(Eight::new);
        }
        let stride = self.crew.stride;
        let all = if self.is_by_node { nodes * LANES } else { nodes * stride };
        for first in (0..all).step_by(LANES) {
            let bodies = if self.is_by_node {
                self.bodies_of(first / LANES)
            } else {
                let joint = |at: usize| (first + at).min(all - 1);
                let body = |side: usize, joint: usize| {
                    self.plan.nodes[joint / stride].places[0][side] * stride as u32 + (joint % stride) as u32
                };
                [0, 1].map(|side| std::array::from_fn(|at| body(side, joint(at))))
            };
            self.fixtures.push(Fixtures::new(bodies));
        }
        for k in 0..self.members.len() {
            let [eight, at] = self.fixture(&self.members[k]);
            let member = &self.members[k];
            self.fixtures[eight].set(at, &member.geometry, member.turned);
        }
    }

    /// Finds what rows have in common.
    fn sort_rows(&mut self) {
        for (number, node) in self.plan.nodes.iter().enumerate() {
            let Range { start, end } = self.of_node(number);
            for k in 0..node.rows {
                let members = &self.members[start..end];
                let kind = |member: &Member| Kind::of(member.geometry.measure, member.demands[k].axis);
                let first = kind(&members[0]);
                let mut row = Row {
                    kind: first.filter(|_| members.iter().all(|member| kind(member) == first)),
                    are_locks: members.iter().all(|member| member.demands[k].lock().is_some()),
                    target: [0.0; LANES],
                    size: [1.0; LANES],
                    rounds: [0.0; LANES],
                };
                for (at, member) in (start..).zip(members) {
                    let (lane, demand) = (member.lane, &member.demands[k]);
                    row.target[lane] = demand.lock().unwrap_or(0.0);
                    if !demand.axis.is_angle() {
                        (row.size[lane], row.rounds[lane]) = (member.size, 1.0);
                    }
                    if demand.works() {
                        self.works.push([at, k, node.first + k]);
                    }
                }
                self.are_locks &= row.are_locks;
                self.rows.push(row);
            }
        }
    }

    /// Solves a step of mechanisms that touch nothing.
    pub fn fly(&mut self, rigids: &[Rigid], settings: &Settings, until: f64, substeps: u32) {
        let step = until / f64::from(substeps);
        let sub = Sub { step, span: 0.5 * step };
        self.begin(rigids, step);
        self.crew.take_forces(rigids, settings, sub.span);
        let world = (rigids, settings);
        let mut before = self.accounts(Some(world));
        for _ in 0..substeps {
            self.crew.kick(rigids, settings, sub.span);
            self.forget();
            self.advance(sub);
            self.crew.kick(rigids, settings, sub.span);
            self.settle(sub);
            before = self.calm(world, before, step);
        }
    }

    /// Takes up bodies as they are.
    pub fn begin(&mut self, rigids: &[Rigid], step: f64) {
        let mut pulls = vec![0.0; self.crew.names.len()];
        for member in &self.members {
            for k in 0..2 {
                pulls[member.bodies[k] as usize] += member.pulls[k];
            }
        }
        self.crew.muster(rigids, &pulls, step);
        self.borne.fill([[[0.0; LANES]; 3]; 2]);
        self.before.fill([0.0; LANES]);
        for line in &mut self.lines {
            [line.active, line.compliance, line.impulse] = [[0.0; LANES]; 3];
        }
        for (node, ends) in self.ends.iter_mut().enumerate() {
            let lanes = self.firsts[node + 1] - self.firsts[node];
            for side in 0..2 {
                let own = ends.sides[side].bodies.iter().take(lanes).enumerate();
                let free = own.filter(|(_, body)| !self.crew.is_fixed(**body as usize));
                ends.moves[side] = free.fold(0, |bits, (lane, _)| bits | 1 << lane);
            }
        }
        self.gradients.forget();
        self.take_rows();
        self.find_drive(step);
        self.find_liveliness();
    }

    /// Closes gaps without moving otherwise, and makes velocities keep them closed.
    pub fn mend(&mut self, rigids: &[Rigid]) {
        self.begin(rigids, 0.0);
        let speeds = self.crew.speeds.clone();
        self.crew.speeds.fill([[0.0; LANES]; 6]);
        let sub = Sub { step: 1.0, span: 1.0 };
        self.approach(sub, Part::Gap);
        self.crew.speeds = speeds;
        self.forget();
        self.keep(sub);
    }

    /// Writes back where its bodies are, and returns these.
    pub fn write(&self, rigids: &mut [Rigid]) -> Vec<u32> {
        let mut written = Vec::with_capacity(self.crew.names.len());
        for (k, &name) in self.crew.names.iter().enumerate() {
            if let Some(rigid) = rigids.get_mut(name as usize).filter(|rigid| rigid.is_dynamic()) {
                rigid.motion = self.crew.motion(k);
                written.push(name);
            }
        }
        written
    }

    /// Before another step: turns that a joint counts, and how the force of the last one turns bodies back.
    pub fn renew(&mut self, member: usize, turned: f64, pulls: [f64; 2]) {
        let [eight, at] = self.fixture(&self.members[member]);
        self.fixtures[eight].turned[at] = turned;
        (self.members[member].turned, self.members[member].pulls) = (turned, pulls);
    }

    /// What became of its joints: what they bore, and the turns that they count.
    pub fn finish(&mut self) -> &[Member] {
        for k in 0..self.members.len() {
            let [eight, at] = self.fixture(&self.members[k]);
            let member = &mut self.members[k];
            if member.geometry.has_axes() {
                member.turned = self.fixtures[eight].turned[at];
            }
            member.reaction = [0, 1].map(|k| got(&self.borne[member.node][k], member.lane));
        }
        &self.members
    }

    /// No impulse has acted in this sub-step.
    pub fn forget(&mut self) {
        self.lines.iter_mut().for_each(|line| line.impulse = [0.0; LANES]);
    }

    /// Makes velocities such that coordinates would be where they belong at the end of the sub-step if they went on
    /// changing as they do.
    pub fn press(&mut self, sub: Sub) {
        self.hold(sub, Part::End, |gang| {
            gang.find_speeds();
            for (to, from) in gang.to.iter_mut().zip(&gang.from) {
                (0..LANES).for_each(|lane| to[lane] = from[lane] + sub.step * to[lane]);
            }
        });
    }

    /// Brings coordinates where they belong at the end of the sub-step, and bodies to their places there.
    pub fn advance(&mut self, sub: Sub) {
        self.approach(sub, Part::End);
    }

    /// After the places have changed: makes velocities such that coordinates keep their values.
    pub fn settle(&mut self, sub: Sub) {
        self.forget();
        if sub.is_halved() {
            self.repeat();
        }
        self.keep(sub);
        self.note();
    }

    /// The same without an end: more impulses may act.
    pub fn keep(&mut self, sub: Sub) {
        self.hold(sub, Part::After, Self::find_speeds);
    }

    /// Springs pull in the second part as in the first.
    fn repeat(&mut self) {
        let repeats = |[member, demand, _]: &&[usize; 3]| self.members[*member].demands[*demand].repeats();
        let at = |[member, _, row]: &[usize; 3]| [*row, self.members[*member].lane];
        let repeating: Vec<[usize; 2]> = self.works.iter().filter(repeats).map(at).collect();
        if repeating.is_empty() {
            return;
        }
        self.wanted.fill([0.0; LANES]);
        for [row, lane] in repeating {
            self.wanted[row][lane] = self.before[row][lane];
            self.lines[row].impulse[lane] = self.before[row][lane];
        }
        self.push();
    }

    /// Solves for velocities, until it is known which bounds hold. `look` finds what the demands are asked about.
    fn hold(&mut self, sub: Sub, part: Part, look: impl Fn(&mut Self)) {
        let mut open = self.all_lanes();
        for round in 0..ROUNDS {
            look(self);
            let changed = self.ask(open, sub, part).changed;
            if round > 0 {
                (0..LANES).for_each(|lane| open[lane] &= changed[lane]);
            }
            if !open.contains(&true) {
                break;
            }
            self.solve(open);
            if self.are_locks {
                break;
            }
        }
    }

    pub fn all_lanes(&self) -> Lanes {
        std::array::from_fn(|lane| self.plan.is_lone || lane < self.homes.len())
    }

    /// How fast coordinates change.
    fn find_speeds(&mut self) {
        let Self { plan, ends, lines, crew, to, .. } = self;
        speeds(Level::new(), plan, (ends, lines), &crew.speeds, to);
    }

    /// Applies the impulses that bring about what is wanted in open lanes, within their bounds.
    fn solve(&mut self, open: Lanes) {
        self.find_within(open);
        self.apply(open);
    }

    /// The impulses that bring about what is wanted, in its place; rows of open lanes that would be beyond their bounds
    /// are brought there first, and `asked` is what is left for the others.
    pub fn find_within(&mut self, open: Lanes) {
        self.asked.clone_from(&self.wanted);
        for _ in 0..ROUNDS {
            self.find_impulses();
            if !self.bind(open) {
                return;
            }
            self.find_speeds();
            let before = self.to.clone();
            self.push();
            self.find_speeds();
            for (row, asked) in self.asked.iter_mut().enumerate() {
                for lane in (0..LANES).filter(|lane| open[*lane]) {
                    let gained = self.to[row][lane] - before[row][lane];
                    asked[lane] = if self.lines[row].active[lane] > 0.0 { asked[lane] - gained } else { 0.0 };
                }
            }
            self.wanted.clone_from(&self.asked);
        }
        self.find_impulses();
    }

    /// Whether impulses are beyond their bounds: these rows have their bounds from now on, and what is missing to those
    /// is `wanted`, of all others nothing.
    fn bind(&mut self, open: Lanes) -> bool {
        if !self.has_bounds {
            return false;
        }
        let beyond = self.lines.iter().zip(&self.wanted).zip(&self.bounds).any(|((line, wanted), bounds)| {
            (0..LANES).any(|lane| {
                let next = line.impulse[lane] + wanted[lane];
                open[lane] && line.active[lane] > 0.0 && !(bounds[0][lane]..=bounds[1][lane]).contains(&next)
            })
        });
        if !beyond {
            return false;
        }
        for ((line, wanted), bounds) in self.lines.iter_mut().zip(&mut self.wanted).zip(&self.bounds) {
            for lane in 0..LANES {
                let next = line.impulse[lane] + wanted[lane];
                let bound = next.max(bounds[0][lane]).min(bounds[1][lane]);
                if open[lane] && line.active[lane] > 0.0 && bound != next {
                    wanted[lane] = bound - line.impulse[lane];
                    (line.impulse[lane], line.active[lane]) = (bound, 0.0);
                    self.is_factorised = false;
                } else {
                    wanted[lane] = 0.0;
                }
            }
        }
        true
    }

    /// The impulses that bring about what is wanted, in its place.
    pub fn find_impulses(&mut self) {
        let Self { plan, ends, lines, damping, wanted, crew, gradients, factors, asked_part, .. } = self;
        if let Some(order) = &plan.order {
            if !self.is_factorised {
                factors.factorise(Level::new(), (plan, order), lines, damping);
            }
            self.is_factorised = true;
            return factors.solve(Level::new(), (plan, order), wanted);
        }
        let part = usize::from(*asked_part == Part::After);
        gradients.solve(&Net { plan, ends, lines, damping }, crew.speeds.len(), part, wanted);
    }

    /// Applies impulses in open lanes, within their bounds.
    pub fn apply(&mut self, open: Lanes) {
        for ((line, wanted), bounds) in self.lines.iter_mut().zip(&mut self.wanted).zip(&self.bounds) {
            for lane in 0..LANES {
                let next = line.impulse[lane] + wanted[lane];
                let next =
                    if self.has_bounds { next.max(bounds[0][lane]).min(bounds[1][lane]) } else { next };
                let next = if open[lane] && line.active[lane] > 0.0 { next } else { line.impulse[lane] };
                wanted[lane] = next - line.impulse[lane];
                line.impulse[lane] = next;
            }
        }
        self.push();
    }

    /// Applies the impulses that are `wanted`.
    fn push(&mut self) {
        let Self { plan, ends, lines, wanted, crew, .. } = self;
        push(Level::new(), plan, (ends, lines), wanted, &mut crew.speeds);
    }

    /// Notes what joints have borne since it was forgotten.
    pub fn note(&mut self) {
        let Self { plan, levers, lines, borne, .. } = self;
        for ((node, lever), [straight, turning]) in plan.nodes.iter().zip(levers).zip(borne) {
            let mut push = [[0.0; LANES]; 3];
            for line in &lines[node.first..node.first + node.rows] {
                for k in 0..3 {
                    for lane in 0..LANES {
                        push[k][lane] += line.straight[1][k][lane] * line.impulse[lane];
                        turning[k][lane] += line.turning[1][k][lane] * line.impulse[lane];
                    }
                }
            }
            for k in 0..3 {
                let [i, j] = [(k + 1) % 3, (k + 2) % 3];
                for lane in 0..LANES {
                    straight[k][lane] += push[k][lane];
                    turning[k][lane] -= lever[i][lane] * push[j][lane] - lever[j][lane] * push[i][lane];
                }
            }
        }
    }
}

/// What rows ask for.
#[derive(Clone, Copy, Default)]
pub struct Found {
    /// Whether other rows are active than before, or yield otherwise.
    pub changed: Lanes,
    /// By how much the worst active row is off, in what counts as closed.
    pub off: Lane,
}
