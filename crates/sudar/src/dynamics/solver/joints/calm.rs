//! That mechanisms get no energy from nowhere.
//!
//! Near places where a mechanism is singular, and where joints contradict each other, small errors of places become
//! large velocities. What springs and forces give back, motors do and driven bodies bring is known: a mechanism that
//! has more than that is slowed.

use glam::DVec3;

use super::crew::{Account, Drive};
use super::gang::{Gang, Member, Sub};
use crate::dynamics::joint::Measure;
use crate::dynamics::matter::Rigid;
use crate::dynamics::settings::Settings;
use crate::dynamics::solver::groups::lanes::{LANES, Lane};

/// Energy that a sub-step may add, for rounding and for what comes back later, relative to that of motion.
const GROWTH: f64 = 0.01;
/// So many times the energy that a mechanism has where all of it moves as what drives it.
const DRIVEN: f64 = 10.0;

impl Gang {
    /// Finds out what may do work in a step.
    pub fn find_drive(&mut self, step: f64) {
        let mut drive = Drive { is_free: [true; LANES], ..Drive::default() };
        let (mut mass, mut extent) = ([0.0; LANES], [0.0; LANES]);
        let mut moment = [0.0; LANES];
        self.crew.each(|k, lane| {
            mass[lane] += self.crew.mass(k);
            moment[lane] += self.crew.moment(k);
        });
        for member in &self.members {
            extent[member.mechanism] += member.geometry.arms.map(DVec3::length).iter().sum::<f64>();
        }
        for &[member, demand, k] in &self.works {
            let Member { lane: at, mechanism: lane, ref demands, .. } = self.members[member];
            let demand = &demands[demand];
            drive.works[lane] = true;
            let Some([force, speed]) = demand.drives(self.from[k][at], step) else { continue };
            if force.is_finite() {
                drive.power[lane] += force * speed.abs();
                continue;
            }
            let [lever, own] = if demand.axis.is_angle() { [extent[lane], moment[lane]] } else { [1.0, 0.0] };
            drive.energy[lane] += DRIVEN * (mass[lane] * lever * lever + own) * speed * speed;
        }
        for member in &self.members {
            let lane = member.mechanism;
            let is_between =
                matches!(member.geometry.measure, Measure::Axes | Measure::Distance | Measure::Cone);
            drive.is_free[lane] &= is_between;
            let bodies = member.bodies.map(|body| body as usize);
            let both: f64 = bodies.iter().map(|body| self.crew.mass(*body)).sum();
            drive.closing[lane] += both * member.size * member.size;
            for body in bodies.into_iter().filter(|body| self.crew.is_fixed(*body)) {
                drive.is_free[lane] = false;
                let [straight, turning] = self.crew.driven_squares(body);
                let around = mass[lane] * extent[lane] * extent[lane] + moment[lane];
                drive.energy[lane] += DRIVEN * (mass[lane] * straight + around * turning);
            }
        }
        self.drive = drive;
    }

    /// As [`Gang::advance`], where contacts have given velocities that are not to grow.
    pub fn advance_calmly(&mut self, sub: Sub) {
        let before = self.accounts(None);
        self.advance(sub);
        let after = self.accounts(None);
        for lane in 0..self.homes.len() {
            let Drive { energy, closing, power, is_free, works } = self.drive;
            let may = before[lane].kinetic + power[lane] * sub.step;
            // What the world holds and nothing drives is not to creep.
            let least = if is_free[lane] || works[lane] { closing[lane] } else { 0.0 };
            let most = may.max(energy[lane]).max(least);
            if after[lane].kinetic > (1.0 + GROWTH) * most {
                self.crew.slow(lane, [after[lane].kinetic, most], is_free[lane]);
            }
        }
    }

    /// Changes velocities beside contacts, by no more energy than springs, motors and driven bodies have, or than it
    /// takes to close gaps.
    pub fn tame(&mut self, sub: Sub, work: fn(&mut Self, Sub)) {
        let (before, stored) = (self.accounts(None), self.springs());
        work(self, sub);
        let after = self.accounts(None);
        for lane in 0..self.homes.len() {
            let Drive { energy, closing, power, .. } = self.drive;
            let may = (1.0 + GROWTH) * before[lane].kinetic + 2.0 * stored[lane] + power[lane] * sub.step;
            let most = may.max(energy[lane]).max(closing[lane]);
            if after[lane].kinetic > most {
                self.crew.slow(lane, [after[lane].kinetic, most], self.drive.is_free[lane]);
            }
        }
    }

    /// Energy of springs at the start of the sub-step.
    fn springs(&self) -> Lane {
        let mut all = [0.0; LANES];
        for &[member, demand, k] in &self.works {
            let Member { lane, mechanism, ref demands, .. } = self.members[member];
            all[mechanism] += demands[demand].energy(self.from[k][lane], self.lines[k].weight[lane]);
        }
        all
    }

    /// Energy of motion, and what springs and forces have stored since the start of the step; beside contacts the
    /// former alone, as what springs and forces do in a sub-step is in the velocities at its start already.
    pub fn accounts(&self, world: Option<(&[Rigid], &Settings)>) -> [Account; LANES] {
        let mut all = [Account::default(); LANES];
        all.iter_mut().zip(self.crew.squares()).for_each(|(own, square)| own.kinetic = 0.5 * square);
        let Some((rigids, settings)) = world else { return all };
        let (stored, springs) = (self.crew.stored(rigids, settings), self.springs());
        (0..LANES).for_each(|lane| all[lane].stored = stored[lane] + springs[lane]);
        all
    }

    /// What motors whose force is bounded have done in a sub-step.
    fn worked(&self, step: f64) -> Lane {
        let mut all = [0.0; LANES];
        for (&[member, demand, k], way) in self.works.iter().zip(&self.ways) {
            let Member { lane, mechanism, ref demands, .. } = self.members[member];
            if demands[demand].drives(self.from[k][lane], step).is_some_and(|[force, _]| force.is_finite()) {
                let impulse = self.before[k][lane] + self.lines[k].impulse[lane];
                all[mechanism] += (impulse * way / step).max(0.0);
            }
        }
        all
    }

    /// Takes from mechanisms the energy that they have got from nowhere in a sub-step; returns what they have.
    pub fn calm(
        &mut self,
        world: (&[Rigid], &Settings),
        before: [Account; LANES],
        step: f64,
    ) -> [Account; LANES] {
        let mut after = self.accounts(Some(world));
        let worked = self.worked(step);
        for lane in 0..self.homes.len() {
            let Account { kinetic, stored } = after[lane];
            let may = before[lane].total() - stored + worked[lane];
            let most = may.max(self.drive.energy[lane]).max(0.0);
            // With moments of inertia that come and go, even a little more in each step would add up.
            let growth = if self.crew.is_scaled[lane] { 0.0 } else { GROWTH };
            if kinetic > most + growth * (kinetic + before[lane].kinetic) {
                after[lane].kinetic = self.crew.slow(lane, [kinetic, most], self.drive.is_free[lane]);
            }
        }
        after
    }
}
