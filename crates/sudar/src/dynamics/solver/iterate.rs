//! Iterations over the groups of contacts.

use super::bodies::{Bodies, Masses, Twist, spin, started, velocity};
use super::groups::lanes::{Group, got};
use super::groups::order::Order;
use super::press::{Pass, solve, warm};
use super::stance::Stance;
use crate::dynamics::matter::Rigid;
use crate::math::simd::{Level, dispatch, dispatch_to_avx2};

/// How often the groups are iterated over in a sub-step.
#[derive(Debug, Clone, Copy)]
pub struct Iterations {
    most: u32,
    /// Changes of speed below which it is enough.
    quiet: f64,
    /// Whether contacts do not yield.
    pub hard: bool,
}

/// Iterations with and without the push in a sub-step.
const FEW: u32 = 1;
/// Iterations where most contacts are new, as when a stack is put down: for each of its layers, and at most.
const COLD: [u32; 2] = [8, 64];
/// Fall in a sub-step, relative to the smaller body, from on which heaps are solved as if they were new: they would
/// be down before they are solved.
const COARSE: f64 = 0.01;
/// Iterations where heavy bodies rest on light ones.
const MOST: u32 = 400;
/// Ratio of masses from which on heavy bodies rest on light ones.
const HEAVY: f64 = 20.0;

impl Iterations {
    /// Impulses travel one contact an iteration, and where heavy bodies press on light ones they grow by
    /// little in each. There contacts are hard, since a soft one yields by the mass of the lighter body, and
    /// iterations are combined ([`conjugate`](super::conjugate)).
    ///
    /// `pull` is the speed that gravity brings about in a sub-step of this length.
    pub fn new(
        (stances, masses): (&[Stance], &[Masses]),
        order: &Order,
        [pull, step]: [f64; 2],
        is_hard: bool,
    ) -> Self {
        let ratio = |[a, b]: [u32; 2]| {
            let [a, b] = [a, b].map(|i| masses[i as usize].inverse_mass);
            if a > 0.0 && b > 0.0 { (a / b).max(b / a) } else { 1.0 }
        };
        let pressing = order.items.iter().filter(|item| item.is_near);
        let most = pressing.map(|item| ratio(item.bodies)).fold(1.0, f64::max);
        if most > HEAVY {
            return Self { most: MOST, quiet: 1e-3 * pull, hard: true };
        }
        let is_coarse = |[a, b]: [u32; 2]| {
            let size = stances[a as usize].radius.min(stances[b as usize].radius);
            pull * step > COARSE * size
        };
        if order.items.iter().any(|item| item.is_near && is_coarse(item.bodies)) {
            return Self { most: MOST, quiet: 1e-8 * pull, hard: is_hard };
        }
        if is_hard {
            return Self { most: COLD[1], quiet: 1e-4 * pull, hard: true };
        }
        let cold = (COLD[0] * order.height).min(COLD[1]);
        let (most, quiet) = if order.is_cold() { (cold.max(FEW), 1e-4 * pull) } else { (FEW, 0.0) };
        Self { most, quiet, hard: false }
    }

    /// Iterates, given the number of the iteration, until little changes.
    pub fn run(&self, mut iteration: impl FnMut(u32) -> f64) {
        for number in 0..self.most {
            if iteration(number) <= self.quiet {
                return;
            }
        }
    }
}

/// Applies the impulses of the step before.
pub fn start(groups: &[Group], speeds: &mut [Twist]) {
    // A loop and no closure, which would be compiled outside the level.
    dispatch_to_avx2!(Level::new(), simd => {
        for group in groups {
            warm(simd, group, speeds);
        }
    });
}

/// One iteration, from top to bottom with the soft push out of overlaps, or from bottom to top without it, so
/// that it adds no energy; returns the most by which it changed a speed.
pub fn once(level: Level, groups: &mut [Group], speeds: &mut [Twist], shifts: &[Twist], pass: Pass) -> f64 {
    dispatch!(level, simd => {
        let mut change: f64 = 0.0;
        for k in 0..groups.len() {
            let k = if pass == Pass::Soft { k } else { groups.len() - 1 - k };
            change = change.max(solve(simd, &mut groups[k], speeds, shifts, pass));
        }
        change
    })
}

/// A contact that bounces if it is pushed.
#[derive(Debug, Clone, Copy)]
pub struct Bounce {
    group: usize,
    lane: usize,
    spot: usize,
    restitution: f64,
    /// The normal speed at the start of the step.
    speed: f64,
}

/// The contacts that approach faster than a threshold and have restitution.
pub fn bounces(groups: &[Group], (rigids, stances): (&[Rigid], &[Stance]), threshold: f64) -> Vec<Bounce> {
    let started = |i: u32| started(&rigids[i as usize], &stances[i as usize]);
    let mut all = Vec::new();
    for (number, group) in groups.iter().enumerate() {
        for lane in 0..group.lanes {
            let [a, b] = group.pair(lane).map(|i| &stances[i as usize].surface);
            let restitution = a.restitution(b);
            if restitution == 0.0 {
                continue;
            }
            for spot in 0..group.count {
                let speed = opening(group, lane, spot, started);
                if group.spots[spot].mass[lane] > 0.0 && speed < -threshold {
                    all.push(Bounce { group: number, lane, spot, restitution, speed });
                }
            }
        }
    }
    all
}

/// The normal speed at a contact, above zero where the bodies part.
fn opening(group: &Group, lane: usize, spot: usize, speed: impl Fn(u32) -> Twist) -> f64 {
    let [a, b] = &group.pair(lane).map(speed);
    let turns = group.spots[spot].turns.each_ref().map(|turn| got(turn, lane));
    got(&group.normal, lane).dot(velocity(b) - velocity(a)) + turns[1].dot(spin(b)) - turns[0].dot(spin(a))
}

/// Bounces what was pushed.
pub fn restitution(groups: &mut [Group], bodies: &mut Bodies, bounces: &[Bounce]) {
    for bounce in bounces {
        let group = &mut groups[bounce.group];
        let Bounce { lane, spot, .. } = *bounce;
        if group.spots[spot].most[lane] <= 0.0 {
            continue;
        }
        let speed = opening(group, lane, spot, |i| bodies.speeds[i as usize]);
        let now = &mut group.spots[spot];
        let wanted = now.impulse[lane] - now.mass[lane] * (speed + bounce.restitution * bounce.speed);
        let more = wanted.max(0.0) - now.impulse[lane];
        now.impulse[lane] += more;
        now.total[lane] += more;
        push(group, lane, spot, bodies, more);
    }
}

fn push(group: &Group, lane: usize, spot: usize, bodies: &mut Bodies, impulse: f64) {
    for (side, sign) in [(0, -impulse), (1, impulse)] {
        let body = group.pair(lane)[side] as usize;
        let masses = &bodies.masses[body];
        let straight = got(&group.normal, lane) * (sign * masses.inverse_mass);
        let turned = masses.inverse_inertia() * (got(&group.spots[spot].turns[side], lane) * sign);
        let more = [straight.x, straight.y, straight.z, turned.x, turned.y, turned.z];
        bodies.speeds[body].iter_mut().zip(more).for_each(|(speed, more)| *speed += more);
    }
}
