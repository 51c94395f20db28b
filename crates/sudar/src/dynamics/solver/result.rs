//! What comes of the impulses: touches to report, and contacts to start the next step from.

use glam::DVec3;

use super::contacts::Pair;
use super::groups::lanes::{Group, LANES, got};
use super::groups::order::Order;
use super::islands::Pressed;
use super::patch::Patch;
use super::stance::Stance;
use crate::dynamics::touches::{TouchPoint, Touches};

/// A patch of a pair as it was solved: its lane in a group.
type Solved<'g> = (&'g Group, usize);

/// Keeps the forces for the next step. Returns the pairs that touched, with their points in the `room` of others.
pub fn keep(
    pairs: &mut [Pair],
    stances: &[Stance],
    order: &Order,
    groups: &[Group],
    mut room: Vec<TouchPoint>,
) -> Touches {
    // Where each patch of each pair is solved, by pairs: the number of the group and the lane.
    let mut all: u32 = 0;
    let from = |pair: &Pair| {
        let first = all;
        all += pair.patches.len() as u32;
        first
    };
    let firsts: Vec<u32> = pairs.iter().map(from).collect();
    let mut solved = vec![u32::MAX; all as usize];
    for (number, items) in (0..).zip(order.groups()) {
        for (lane, item) in (0..).zip(items) {
            solved[(firsts[item.pair as usize] + item.patch) as usize] = number * LANES as u32 + lane;
        }
    }
    room.clear();
    let mut touches = Touches { pairs: Vec::with_capacity(pairs.len()), points: room };
    for (pair, first) in pairs.iter_mut().zip(firsts) {
        let stance = &stances[pair.bodies[0] as usize];
        for (patch, &solved) in pair.patches.iter_mut().zip(&solved[first as usize..]) {
            let Some(group) = groups.get(solved as usize / LANES) else { continue };
            let solved = (group, solved as usize % LANES);
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
            TouchPoint { point, normal: got(&group.normal, lane), impulse, pair: bodies }
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
                // Springs keep energy that they give back.
                let is_soft = group.soft.relaxes[lane] == 0.0;
                let sticks = is_soft || spots.any(|spot| spot.least[lane] < 0.0);
                all.push(Pressed { bodies: item.bodies, sticks });
            }
        }
    }
    all
}
