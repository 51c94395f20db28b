//! How gaps are closed in a sub-step: Newton's method on the places that bodies come to.

use glam::DVec3;

use super::crew::Lanes;
use super::gang::{Found, Gang, Member, Part, ROUNDS, Sub, turns_back};
use crate::dynamics::solver::groups::lanes::{LANES, Lane, got};

/// Gaps beyond what counts as closed, of mechanisms that are not solved.
const LEFT: f64 = 1e3;
/// By which share of their weight the rows of large nets yield.
const NET: f64 = 3e-2;
/// Dampings of one step of Newton's method, one more than there are, so that lanes that need none are not kept; and how
/// much less than the last each step changes.
const DAMPINGS: u32 = 7;
const SHRINKS: f64 = 0.3;

impl Gang {
    /// Brings coordinates where they belong at the end of a sub-step, and bodies to their places there.
    pub fn approach(&mut self, sub: Sub, part: Part) {
        let speeds = self.crew.speeds.clone();
        let impulses: Vec<Lane> = self.lines.iter().map(|line| line.impulse).collect();
        let open = self.close(self.all_lanes(), sub, part);
        if open.contains(&true) && sub.is_halved() && self.stiffen(&open, sub.step) {
            // Tension that nobody knew of: once more, with links that it does not make swing. Beside contacts, impulses
            // of many iterations are no measure of it.
            self.crew.restore(&open, &speeds);
            for (line, impulse) in self.lines.iter_mut().zip(&impulses) {
                (0..LANES).filter(|lane| open[*lane]).for_each(|lane| line.impulse[lane] = impulse[lane]);
            }
            self.crew.weigh();
            self.take_rows();
            self.close(open, sub, part);
        }
        self.note();
        self.count_turns();
        self.take_ways();
        self.crew.go();
        self.crew.weigh();
        for (before, line) in self.before.iter_mut().zip(&self.lines) {
            *before = line.impulse;
        }
        self.take_rows();
    }

    /// Closes gaps in open lanes, and looks where bodies come by that; returns the lanes in which gaps are left.
    fn close(&mut self, mut open: Lanes, sub: Sub, part: Part) -> Lanes {
        if self.plan.order.is_none() {
            return self.close_net(sub, part);
        }
        let mut left = open;
        let (mut most, mut least) = ([0.0; LANES], [0.0; LANES]);
        self.damping = [0.0; LANES];
        for round in 0..=ROUNDS {
            self.crew.look_ahead(sub.step);
            self.find_coordinates();
            let Found { off, changed } = self.ask(open, sub, part);
            (0..LANES).filter(|lane| open[*lane]).for_each(|lane| left[lane] = off[lane] > LEFT);
            (0..LANES).for_each(|lane| open[lane] &= off[lane] > 1.0);
            if round == 0 {
                most = self.liveliness();
                least = most;
            }
            // Where other bounds hold, more may change.
            (0..LANES).filter(|lane| changed[*lane]).for_each(|lane| least[lane] = most[lane]);
            if !open.contains(&true) || round == ROUNDS {
                break;
            }
            open = self.correct(open, &most, &mut least);
        }
        self.damping = [0.0; LANES];
        left
    }

    /// One step of Newton's method for a large net, whose rows yield: gaps are not closed at once, but within a few
    /// sub-steps.
    fn close_net(&mut self, sub: Sub, part: Part) -> Lanes {
        let open = self.all_lanes();
        self.damping = [NET; LANES];
        self.crew.look_ahead(sub.step);
        self.find_coordinates();
        self.ask(open, sub, part);
        self.find_within(open);
        self.apply(open);
        self.crew.look_ahead(sub.step);
        self.find_coordinates();
        [false; LANES]
    }

    /// Gives bodies in open lanes moments of inertia by the forces of this sub-step; whether any gets more than it has.
    fn stiffen(&mut self, open: &Lanes, step: f64) -> bool {
        let mut pulls = vec![0.0; self.crew.names.len()];
        for member in self.members.iter().filter(|member| open[member.lane]) {
            let (node, lane) = (&self.plan.nodes[member.node], member.lane);
            let rows = &self.lines[node.first..node.first + node.rows];
            let impulse: DVec3 =
                rows.iter().map(|line| got(&line.straight[1], lane) * line.impulse[lane]).sum();
            for (side, force) in [-impulse / step, impulse / step].into_iter().enumerate() {
                let body = member.bodies[side] as usize;
                let arm = self.crew.place(body).rotation * member.geometry.arms[side];
                pulls[body] += turns_back(force, arm);
            }
        }
        self.crew.stiffen(&pulls, step)
    }

    /// How far coordinates came that motors drive.
    fn take_ways(&mut self) {
        self.ways.clear();
        let way = |[member, _, k]: &[usize; 3]| {
            let lane = self.members[*member].lane;
            self.to[*k][lane] - self.from[*k][lane]
        };
        self.ways.extend(self.works.iter().map(way));
    }

    /// Counts the turns of bodies on their way, where coordinates are sums of these.
    fn count_turns(&mut self) {
        for member in self.members.iter_mut().filter(|member| member.geometry.counts_turns()) {
            member.turned = member.posed(&self.crew.ahead, &self.crew.places).turned();
        }
    }

    /// What of [`Gang::liveliness`] stays in a step: enough to close gaps at a metre a second for a joint of a metre,
    /// and what driven bodies bring.
    pub fn find_liveliness(&mut self) {
        self.lively = [0.0; LANES];
        for member in &self.members {
            let bodies = member.bodies.map(|body| body as usize);
            let mass: f64 = bodies.iter().map(|body| self.crew.mass(*body)).sum();
            let driven: f64 = bodies.iter().flat_map(|body| self.crew.driven_squares(*body)).sum();
            self.lively[member.mechanism] += mass * (member.size * member.size + 4.0 * driven);
        }
    }

    /// The most by which the square of velocities, in joules, may change at once in each lane: by a few times what it
    /// is, with what springs, motors and driven bodies bring, and enough to close gaps.
    fn liveliness(&self) -> Lane {
        let squares = self.crew.squares();
        let mut sums: Lane = std::array::from_fn(|lane| 8.0 * squares[lane] + self.lively[lane]);
        for &[member, demand, k] in &self.works {
            let Member { lane, mechanism, ref demands, .. } = self.members[member];
            let demand = &demands[demand];
            let (line, [least, most]) = (&self.lines[k], self.bounds[k]);
            let from = self.from[k][lane];
            let Some([force, speed]) = demand.drives(from, 1.0) else {
                // No more than a spring has stored.
                sums[mechanism] += 8.0 * demand.energy(from, line.weight[lane]);
                continue;
            };
            // What the row alone would do; where its force is without bounds, at the speed that it is to have, or to
            // where it is to be within a second.
            let fastest = if force.is_infinite() { speed.abs() } else { f64::INFINITY };
            let wanted = self.wanted[k][lane].max(-fastest).min(fastest);
            let whole = line.weight[lane] + line.compliance[lane];
            let impulse = if whole > 0.0 { wanted / whole } else { 0.0 };
            let impulse = impulse.max(least[lane]).min(most[lane]);
            sums[mechanism] += 4.0 * impulse * impulse * line.weight[lane];
        }
        if self.plan.is_lone { [sums[0]; LANES] } else { sums }
    }

    /// A step of Newton's method in open lanes. Each changes velocities by less than the one before (Deuflhard 2011,
    /// "Newton Methods for Nonlinear Problems", natural monotonicity): where it does not, the mechanism is about to be
    /// singular, and rows are made to yield until it does. Returns the lanes that are still open.
    fn correct(&mut self, mut open: Lanes, most: &Lane, least: &mut Lane) -> Lanes {
        self.find_within(open);
        // Lanes whose impulses are to be applied.
        let mut wanted = open;
        for round in 0..DAMPINGS {
            if round > 0 {
                self.find_impulses();
            }
            let mut change = [0.0; LANES];
            for ((impulse, excess), line) in self.wanted.iter().zip(&self.asked).zip(&self.lines) {
                for lane in 0..LANES {
                    let yields = line.compliance[lane] + self.damping[lane] * line.weight[lane];
                    change[lane] += impulse[lane] * (excess[lane] - yields * impulse[lane]);
                }
            }
            if self.plan.is_lone {
                change = [change.iter().sum(); LANES];
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
            self.wanted.clone_from(&self.asked);
            for row in &mut self.wanted {
                (0..LANES).filter(|lane| !wanted[*lane]).for_each(|lane| row[lane] = 0.0);
            }
            self.is_factorised = false;
        }
        open
    }
}
