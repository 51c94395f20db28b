//! Up to eight mechanisms of one plan, side by side, through the sub-steps of a step.
//!
//! Impulses along the rows of a sub-step's start bring the coordinates where they belong at its end, by Newton's method
//! on the places that bodies come to; then, with the rows of these places, velocities are made to keep them there. With
//! half of the forces before and half after, that is RATTLE (Andersen 1983; Hairer, Lubich and Wanner 2006, "Geometric
//! Numerical Integration", VII.1.4): of second order, the same backwards, and without drift of energy.

use std::sync::Arc;

use glam::DVec3;

use super::coordinates::{Geometry, Place, Posed, Since};
use super::crew::{Crew, Drive, Lanes};
use super::demand::{Asked, Demand, Now};
use super::direct::Factors;
use super::iterative::{Gradients, Net};
use super::plan::Plan;
use super::rows::{Ends, Line, push, speeds, weigh};
use crate::dynamics::matter::Rigid;
use crate::dynamics::settings::Settings;
use crate::dynamics::solver::bodies::Twist;
use crate::dynamics::solver::groups::lanes::{LANES, Lane, got};
use crate::math::simd::Level;

/// What a gang is made of: a joint of one of its mechanisms.
#[derive(Clone)]
pub struct Member {
    /// The slot of the joint.
    pub slot: u32,
    /// Places of its bodies in the crew.
    pub bodies: [u32; 2],
    pub geometry: Geometry,
    pub demands: Arc<[Demand]>,
    /// What counts turns.
    pub turned: f64,
    /// Impulse and torque impulse on the second body at its anchor, in the step so far.
    pub reaction: [DVec3; 2],
    /// The force that it bore in the last step.
    pub tension: f64,
    /// Length at which gaps count, and what rounding adds.
    pub size: f64,
    pub rounding: f64,
}

impl Member {
    fn posed(&self, places: &[Place], since: &[Place]) -> Posed {
        let [now, before] = [places, since].map(|all| self.bodies.map(|body| &all[body as usize]));
        self.geometry.at(now, Since { places: before, turned: self.turned })
    }
}

/// Mechanisms side by side.
#[derive(Clone)]
pub struct Gang {
    pub plan: Arc<Plan>,
    pub lanes: usize,
    pub crew: Crew,
    /// By node of the plan and lane.
    pub members: Vec<Member>,
    ends: Vec<Ends>,
    /// By row.
    pub lines: Vec<Line>,
    factors: Factors,
    gradients: Gradients,
    /// By which share of their weight rows yield, where a mechanism is about to be singular.
    damping: Lane,
    /// Activity and compliance of all rows for which the factors were made, where the rows are still those.
    made_for: Vec<[Lane; 2]>,
    /// Coordinates at the start of the sub-step, and as they would be at its end, or how fast they change.
    pub from: Vec<Lane>,
    to: Vec<Lane>,
    /// Impulses of the first part of the sub-step.
    before: Vec<Lane>,
    /// What is missing of all rows, then the impulses that bring it about.
    wanted: Vec<Lane>,
    asked: Vec<Lane>,
    bounds: Vec<[Lane; 2]>,
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
    fn is_halved(&self) -> bool {
        self.span < self.step
    }
}

/// Rounds of Newton's method, and of finding which bounds hold.
const ROUNDS: u32 = 16;
/// Gaps, relative to the size of a joint, and twists that are closed: in sub-steps of `USUAL` seconds or more, and in
/// the shortest. Between these they go with the square of the sub-step, as the error of the motion does.
const CLOSED: [f64; 2] = [1e-9, 1e-11];
const USUAL: f64 = 1.0 / 240.0;
/// Of large nets, which are solved by rounds, so much more counts as closed.
const NET: f64 = 1e2;
/// What rounding leaves of a coordinate of a metre.
const ROUNDING: f64 = 1e-15;

/// Dampings of one step of Newton's method, one more than there are, so that lanes that need none are not kept; and how
/// much less than the last each step changes.
const DAMPINGS: u32 = 7;
const SHRINKS: f64 = 0.3;

/// Where in the sub-step demands are asked.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    End,
    After,
    /// At the end, of what gaps are measured by.
    Gap,
}

impl Gang {
    /// Mechanisms whose members are given by node and lane.
    pub fn new(plan: Arc<Plan>, lanes: usize, crew: Crew, members: Vec<Member>) -> Self {
        let (nodes, rows) = (plan.nodes.len(), plan.rows);
        let nobody = Ends { bodies: [[crew.nobody(); LANES]; 2], ..Ends::default() };
        Self {
            plan,
            lanes,
            crew,
            members,
            ends: vec![nobody; nodes],
            lines: vec![Line::default(); rows],
            factors: Factors::default(),
            gradients: Gradients::default(),
            damping: [0.0; LANES],
            made_for: Vec::new(),
            from: vec![[0.0; LANES]; rows],
            to: vec![[0.0; LANES]; rows],
            before: vec![[0.0; LANES]; rows],
            wanted: vec![[0.0; LANES]; rows],
            asked: vec![[0.0; LANES]; rows],
            bounds: vec![[[0.0; LANES]; 2]; rows],
            drive: Drive::default(),
        }
    }

    /// Solves a step of mechanisms that touch nothing.
    pub fn fly(&mut self, rigids: &[Rigid], settings: &Settings, until: f64, substeps: u32) {
        let step = until / f64::from(substeps);
        let sub = Sub { step, span: 0.5 * step };
        self.begin(rigids, step);
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
                if let Some(pull) = pulls.get_mut(member.bodies[k] as usize) {
                    *pull += member.tension * member.geometry.arms[k].length();
                }
            }
        }
        self.crew.muster(rigids, &pulls, step);
        let lane_of =
            |(k, member): (usize, &Member)| member.bodies.map(|body| (body as usize, k % self.lanes));
        let lanes: Vec<(usize, usize)> = self.members.iter().enumerate().flat_map(lane_of).collect();
        self.crew.assign(&lanes);
        self.members.iter_mut().for_each(|member| member.reaction = [DVec3::ZERO; 2]);
        self.take_rows();
        self.find_drive(step);
    }

    /// The rows where bodies are.
    fn take_rows(&mut self) {
        let Self { plan, lanes, crew, members, ends, lines, from, .. } = self;
        for (number, node) in plan.nodes.iter().enumerate() {
            for lane in 0..*lanes {
                let member = &mut members[number * *lanes + lane];
                let posed = member.posed(&crew.places, &crew.places);
                member.turned = posed.turned();
                let far = member.bodies.map(|body| crew.places[body as usize].center.abs().max_element());
                member.rounding = ROUNDING * far[0].max(far[1]);
                ends[number].set(lane, member.bodies, member.bodies.map(|body| &crew.masses[body as usize]));
                for (demand, line) in member.demands.iter().zip(node.first..) {
                    lines[line].set(lane, &posed.gradient(demand.axis));
                    from[line][lane] = posed.coordinate(demand.axis);
                }
            }
            weigh(Level::new(), &ends[number], &mut lines[node.first..node.first + node.rows]);
        }
        self.made_for.clear();
    }

    /// Closes gaps without moving otherwise, and makes velocities keep them closed.
    pub fn mend(&mut self, rigids: &[Rigid]) {
        self.begin(rigids, 0.0);
        let speeds = self.crew.speeds.clone();
        self.crew.speeds.fill(Twist::default());
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
            if rigids[name as usize].is_dynamic() {
                rigids[name as usize].motion = self.crew.motion(k);
                written.push(name);
            }
        }
        written
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

    fn approach(&mut self, sub: Sub, part: Part) {
        let mut open = self.all_lanes();
        let (mut most, mut least) = ([0.0; LANES], [0.0; LANES]);
        self.damping = [0.0; LANES];
        let mut is_there = false;
        for round in 0..ROUNDS {
            self.crew.look_ahead(sub.step);
            is_there = true;
            self.find_coordinates(open);
            let Found { off, changed } = self.ask(open, sub, part);
            let closed = if self.plan.is_direct { 1.0 } else { NET };
            (0..LANES).for_each(|lane| open[lane] &= off[lane] > closed);
            if round == 0 {
                most = self.liveliness();
                least = most;
            }
            // Where other bounds hold, more may change.
            (0..LANES).filter(|lane| changed[*lane]).for_each(|lane| least[lane] = most[lane]);
            if !open.contains(&true) {
                break;
            }
            open = self.correct(open, &most, &mut least);
            is_there = false;
        }
        self.damping = [0.0; LANES];
        if !is_there {
            self.crew.look_ahead(sub.step);
        }
        self.note();
        self.count_turns();
        self.crew.go();
        self.crew.weigh();
        for (before, line) in self.before.iter_mut().zip(&self.lines) {
            *before = line.impulse;
        }
        self.take_rows();
    }

    /// Counts the turns of bodies on their way, where coordinates are sums of these.
    fn count_turns(&mut self) {
        for member in self.members.iter_mut().filter(|member| member.geometry.counts_turns()) {
            member.turned = member.posed(&self.crew.ahead, &self.crew.places).turned();
        }
    }

    /// The most by which the square of velocities, in joules, may change at once in each lane: by a few times what it
    /// is, with what springs, motors and driven bodies bring, and enough to close gaps at a metre a second for one of a
    /// metre.
    fn liveliness(&self) -> Lane {
        let mut sums = self.crew.squares(self.lanes).map(|square| 8.0 * square);
        for (number, node) in self.plan.nodes.iter().enumerate() {
            for lane in 0..self.lanes {
                let member = &self.members[number * self.lanes + lane];
                for body in member.bodies.map(|body| body as usize) {
                    sums[lane] += self.crew.mass(body) * member.size * member.size;
                }
                let driven =
                    member.bodies.map(|body| self.crew.driven_squares(body as usize).iter().sum::<f64>());
                let mass: f64 = member.bodies.iter().map(|body| self.crew.mass(*body as usize)).sum();
                sums[lane] += 4.0 * mass * (driven[0] + driven[1]);
                let working = member.demands.iter().zip(node.first..).filter(|(demand, _)| demand.works());
                for (demand, k) in working {
                    let (line, [least, most]) = (&self.lines[k], self.bounds[k]);
                    let from = self.from[k][lane];
                    let Some([force, speed]) = demand.drives(from, 1.0) else {
                        // No more than a spring has stored.
                        sums[lane] += 8.0 * demand.energy(from, line.weight[lane]);
                        continue;
                    };
                    // What the row alone would do; where its force is without bounds, at the speed that it is to have,
                    // or to where it is to be within a second.
                    let fastest = if force.is_infinite() { speed.abs() } else { f64::INFINITY };
                    let wanted = self.wanted[k][lane].max(-fastest).min(fastest);
                    let whole = line.weight[lane] + line.compliance[lane];
                    let impulse = if whole > 0.0 { wanted / whole } else { 0.0 };
                    let impulse = impulse.max(least[lane]).min(most[lane]);
                    sums[lane] += 4.0 * impulse * impulse * line.weight[lane];
                }
            }
        }
        sums
    }

    /// A step of Newton's method in open lanes. Each changes velocities by less than the one before (Deuflhard 2011,
    /// "Newton Methods for Nonlinear Problems", natural monotonicity): where it does not, the mechanism is about to be
    /// singular, and rows are made to yield until it does. Returns the lanes that are still open.
    fn correct(&mut self, mut open: Lanes, most: &Lane, least: &mut Lane) -> Lanes {
        self.find_within(open);
        // Lanes whose impulses are to be applied.
        let mut wanted = open;
        let asked = self.asked.clone();
        for _ in 0..DAMPINGS {
            if self.made_for.is_empty() {
                self.find_impulses();
            }
            let mut change = [0.0; LANES];
            for ((impulse, excess), line) in self.wanted.iter().zip(&asked).zip(&self.lines) {
                for lane in 0..LANES {
                    let yields = line.compliance[lane] + self.damping[lane] * line.weight[lane];
                    change[lane] += impulse[lane] * (excess[lane] - yields * impulse[lane]);
                }
            }
            let mut is_well = true;
            for lane in 0..LANES {
                let is_less = change[lane] <= SHRINKS * least[lane];
                if !wanted[lane] || is_less {
                    continue;
                }
                self.damping[lane] = (self.damping[lane] * 1e2).max(1e-10);
                if self.damping[lane] < 1.0 {
                    is_well = false;
                } else if least[lane] == most[lane] {
                    // Far off: as much as may be at once.
                    let share = (SHRINKS * most[lane] / change[lane]).sqrt();
                    self.wanted.iter_mut().for_each(|wanted| wanted[lane] *= share);
                    open[lane] = false;
                } else {
                    (wanted[lane], open[lane], is_well) = (false, false, false);
                }
            }
            if is_well {
                (0..LANES).filter(|lane| open[*lane]).for_each(|lane| least[lane] = change[lane]);
                self.apply(wanted);
                return open;
            }
            self.wanted.clone_from(&asked);
            for row in &mut self.wanted {
                (0..LANES).filter(|lane| !wanted[*lane]).for_each(|lane| row[lane] = 0.0);
            }
            self.made_for.clear();
        }
        open
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
        let mut any = false;
        for (number, node) in self.plan.nodes.iter().enumerate() {
            for lane in 0..self.lanes {
                for (demand, line) in
                    self.members[number * self.lanes + lane].demands.iter().zip(node.first..)
                {
                    if demand.repeats() {
                        self.lines[line].impulse[lane] = self.before[line][lane];
                        any = true;
                    }
                }
            }
        }
        if any {
            for (wanted, line) in self.wanted.iter_mut().zip(&self.lines) {
                *wanted = line.impulse;
            }
            self.push();
        }
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
        }
    }

    fn all_lanes(&self) -> Lanes {
        std::array::from_fn(|lane| lane < self.lanes)
    }

    /// How fast coordinates change.
    fn find_speeds(&mut self) {
        let Self { plan, ends, lines, crew, to, .. } = self;
        for (number, node) in plan.nodes.iter().enumerate() {
            let rows = node.first..node.first + node.rows;
            speeds(Level::new(), &ends[number], &lines[rows.clone()], &crew.speeds, &mut to[rows]);
        }
    }

    /// Coordinates where bodies would come.
    fn find_coordinates(&mut self, open: Lanes) {
        let Self { plan, lanes, crew, members, to, .. } = self;
        for (number, node) in plan.nodes.iter().enumerate() {
            for lane in (0..*lanes).filter(|lane| open[*lane]) {
                let member = &members[number * *lanes + lane];
                let posed = member.posed(&crew.ahead, &crew.places);
                for (demand, line) in member.demands.iter().zip(node.first..) {
                    to[line][lane] = posed.coordinate(demand.axis);
                }
            }
        }
    }

    /// Asks all rows of open lanes what is missing.
    fn ask(&mut self, open: Lanes, sub: Sub, part: Part) -> Found {
        let Self { plan, lanes, members, lines, from, to, before, wanted, bounds, .. } = self;
        let mut found = Found::default();
        let closed = CLOSED[0].min((CLOSED[0] * (sub.step / USUAL).powi(2)).max(CLOSED[1]));
        wanted.iter_mut().for_each(|wanted| *wanted = [0.0; LANES]);
        for (number, node) in plan.nodes.iter().enumerate() {
            for lane in (0..*lanes).filter(|lane| open[*lane]) {
                let member = &members[number * *lanes + lane];
                for (demand, k) in member.demands.iter().zip(node.first..) {
                    let line = &mut lines[k];
                    let now = Now {
                        from: from[k][lane],
                        to: to[k][lane],
                        impulse: line.impulse[lane],
                        weight: line.weight[lane],
                        step: sub.step,
                        span: sub.span,
                    };
                    let asked = match part {
                        Part::Gap if !demand.is_hard() => Asked::NOTHING,
                        Part::End | Part::Gap => demand.at_the_end(&now),
                        Part::After => demand.after(&now, before[k][lane], sub.is_halved()),
                    };
                    let active = f64::from(u8::from(asked.is_active));
                    found.changed[lane] |=
                        line.active[lane] != active || line.compliance[lane] != asked.compliance;
                    (line.active[lane], line.compliance[lane]) = (active, asked.compliance);
                    (bounds[k][0][lane], bounds[k][1][lane]) = (asked.bounds[0], asked.bounds[1]);
                    if asked.is_active {
                        wanted[k][lane] = -asked.excess;
                        let is_angle = demand.axis.is_angle();
                        let closed = if is_angle { closed } else { closed * member.size + member.rounding };
                        found.off[lane] = f64::max(found.off[lane], asked.excess.abs() * sub.step / closed);
                    }
                }
            }
        }
        found
    }

    /// Applies the impulses that bring about what is wanted in open lanes, within their bounds.
    fn solve(&mut self, open: Lanes) {
        self.find_within(open);
        self.apply(open);
    }

    /// The impulses that bring about what is wanted, in its place; rows of open lanes that would be beyond their bounds
    /// are brought there first, and `asked` is what is left for the others.
    fn find_within(&mut self, open: Lanes) {
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
                } else {
                    wanted[lane] = 0.0;
                }
            }
        }
        true
    }

    /// The impulses that bring about what is wanted, in its place.
    fn find_impulses(&mut self) {
        let same = self.made_for.len() == self.lines.len()
            && self
                .made_for
                .iter()
                .zip(&self.lines)
                .all(|(made, line)| *made == [line.active, line.compliance]);
        if !same {
            self.made_for.clear();
            self.made_for.extend(self.lines.iter().map(|line| [line.active, line.compliance]));
            if self.plan.is_direct {
                self.factors.factorise(Level::new(), &self.plan, &self.lines, &self.damping);
            }
        }
        if self.plan.is_direct {
            return self.factors.solve(Level::new(), &self.plan, &mut self.wanted);
        }
        let Self { plan, ends, lines, damping, wanted, crew, gradients, .. } = self;
        gradients.solve(&Net { plan, ends, lines, damping }, crew.speeds.len(), wanted);
    }

    /// Applies impulses in open lanes, within their bounds.
    fn apply(&mut self, open: Lanes) {
        for ((line, wanted), bounds) in self.lines.iter_mut().zip(&mut self.wanted).zip(&self.bounds) {
            for lane in 0..LANES {
                if !open[lane] || line.active[lane] == 0.0 {
                    wanted[lane] = 0.0;
                    continue;
                }
                let next = (line.impulse[lane] + wanted[lane]).max(bounds[0][lane]).min(bounds[1][lane]);
                wanted[lane] = next - line.impulse[lane];
                line.impulse[lane] = next;
            }
        }
        self.push();
    }

    /// Applies the impulses that are `wanted`.
    fn push(&mut self) {
        let Self { plan, ends, lines, wanted, crew, .. } = self;
        for (number, node) in plan.nodes.iter().enumerate() {
            let rows = node.first..node.first + node.rows;
            push(Level::new(), &ends[number], &lines[rows.clone()], &wanted[rows], &mut crew.speeds);
        }
    }

    /// Notes what joints have borne since it was forgotten.
    pub fn note(&mut self) {
        let Self { plan, lanes, members, lines, crew, .. } = self;
        for (number, node) in plan.nodes.iter().enumerate() {
            for lane in 0..*lanes {
                let member = &mut members[number * *lanes + lane];
                let (mut straight, mut turning) = (DVec3::ZERO, DVec3::ZERO);
                for line in &lines[node.first..node.first + member.demands.len()] {
                    straight += got(&line.straight[1], lane) * line.impulse[lane];
                    turning += got(&line.turning[1], lane) * line.impulse[lane];
                }
                let arm = crew.places[member.bodies[1] as usize].rotation * member.geometry.arms[1];
                member.reaction[0] += straight;
                member.reaction[1] += turning - arm.cross(straight);
            }
        }
    }
}

/// What rows ask for.
#[derive(Clone, Copy, Default)]
struct Found {
    /// Whether other rows are active than before, or yield otherwise.
    changed: Lanes,
    /// By how much the worst active row is off, in what counts as closed.
    off: [f64; LANES],
}
