//! What comes of the impulses: touches to report, and contacts to start the next step from.

use glam::DVec3;

use super::contacts::Pair;
use super::groups::lanes::{Group, got};
use super::groups::order::Order;
use super::islands::Pressed;
use super::patch::Patch;
use super::stance::Stance;
use crate::dynamics::touches::{TouchPoint, Touches};

/// A patch of a pair as it was solved: its lane in a group.
type Solved<'g> = (&'g Group, usize);

/// Keeps the forces for the next step. Returns the pairs that touched.
pub fn keep(pairs: &mut [Pair], stances: &[Stance], order: &Order, groups: &[Group]) -> Touches {
    // Where each patch of each pair is solved, by pairs.
    let mut all = 0;
    let from = |pair: &Pair| {
        all += pair.patches.len();
        all - pair.patches.len()
    };
    let firsts: Vec<usize> = pairs.iter().map(from).collect();
    let mut solved: Vec<Option<Solved>> = vec![None; all];
    let mut count = 0;
    for (group, items) in groups.iter().zip(order.groups()) {
        for (lane, item) in items.iter().enumerate() {
            solved[firsts[item.pair as usize] + item.patch as usize] = Some((group, lane));
            count += item.count as usize;
        }
    }
    let mut touches = Touches { pairs: Vec::with_capacity(pairs.len()), points: Vec::with_capacity(count) };
    for (pair, first) in pairs.iter_mut().zip(firsts) {
        let stance = &stances[pair.bodies[0] as usize];
        for (patch, solved) in pair.patches.iter_mut().zip(&solved[first..]) {
            let Some(solved) = *solved else { continue };
            keep_patch(patch, solved);
            touches.add(pair.bodies, stance, patch, solved);
        }
    }
    touches
}

fn keep_patch(patch: &mut Patch, (group, lane): Solved) {
    for (point, spot) in patch.points_mut().iter_mut().zip(&group.spots) {
        point.force = spot.impulse[lane] * group.pace[lane];
    }
    let [t, n] = [&group.tangent, &group.normal].map(|v| got(v, lane));
    let u = n.cross(t);
    let forces = got(&group.rub.impulses, lane) * group.pace[lane];
    patch.slide = t * forces.x + u * forces.y;
    patch.twist = forces.z;
    let rolls = [0, 1].map(|k| group.roll.impulses[k][lane] * group.pace[lane]);
    patch.roll = if group.rolls { t * rolls[0] + u * rolls[1] } else { DVec3::ZERO };
}

impl Touches {
    /// Adds a patch of the last pair, or of one after it, if it touched.
    fn add(&mut self, bodies: [u32; 2], stance: &Stance, patch: &Patch, (group, lane): Solved) {
        let spots = &group.spots[..patch.count as usize];
        if spots.iter().all(|spot| spot.most[lane] <= 0.0 && spot.start[lane] > 0.0) {
            return;
        }
        let impulses = spots.iter().map(|spot| spot.total[lane]);
        let impulse: f64 = impulses.clone().sum();
        match self.pairs.last_mut() {
            Some((last, sum)) if *last == bodies => *sum += impulse,
            _ => self.pairs.push((bodies, impulse)),
        }
        let pressed = patch.points().iter().zip(impulses).filter(|(_, impulse)| *impulse > 0.0);
        self.points.extend(pressed.map(|(point, impulse)| {
            let point = stance.center + point.arm;
            (bodies, TouchPoint { point, normal: got(&group.normal, lane), impulse })
        }));
    }
}

/// The pairs that pressed or stuck in this step, in the order of solving.
pub fn pressed(order: &Order, groups: &[Group]) -> Vec<Pressed> {
    let mut all = Vec::new();
    for (group, items) in groups.iter().zip(order.groups()) {
        for (lane, item) in items.iter().enumerate() {
            let mut spots = group.spots[..item.count as usize].iter();
            if spots.clone().any(|spot| spot.most[lane] > 0.0 || spot.total[lane] != 0.0) {
                all.push(Pressed { bodies: item.bodies, sticks: spots.any(|spot| spot.least[lane] < 0.0) });
            }
        }
    }
    all
}
