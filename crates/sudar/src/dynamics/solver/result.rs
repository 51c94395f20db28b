//! What comes of the impulses: touches to report, and contacts to start the next step from.

use glam::DVec3;

use super::contacts::Pair;
use super::groups::item::Item;
use super::groups::lanes::{Group, got, tangents};
use super::groups::order::Order;
use super::islands::Pressed;
use super::stance::Stance;
use crate::dynamics::touches::{TouchPoint, Touches};

/// Keeps the forces for the next step. Returns the pairs that touched.
pub fn keep(pairs: &mut [Pair], stances: &[Stance], order: &Order, groups: &[Group]) -> Touches {
    let mut touched: Vec<(&Item, &Group, usize)> = Vec::new();
    for (group, items) in groups.iter().zip(order.groups()) {
        for (lane, item) in items.iter().enumerate() {
            keep_patch(pairs, item, group, lane);
            let mut spots = group.spots[..item.count as usize].iter();
            if spots.any(|spot| spot.most[lane] > 0.0 || spot.start[lane] <= 0.0) {
                touched.push((item, group, lane));
            }
        }
    }
    touched.sort_by_key(|(item, ..)| item.pair);
    let mut touches = Touches::default();
    for (item, group, lane) in touched {
        let pair = &pairs[item.pair as usize];
        let impulses = group.spots[..item.count as usize].iter().map(|spot| spot.total[lane]);
        let impulse: f64 = impulses.clone().sum();
        match touches.pairs.last_mut() {
            Some((last, sum)) if *last == pair.bodies => *sum += impulse,
            _ => touches.pairs.push((pair.bodies, impulse)),
        }
        let (stance, patch) = (&stances[pair.bodies[0] as usize], &pair.patches[item.patch as usize]);
        let normal = stance.pose.rotation() * patch.normal;
        let pressed = patch.points().iter().zip(impulses).filter(|(_, impulse)| *impulse > 0.0);
        touches.points.extend(pressed.map(|(point, impulse)| {
            (pair.bodies, TouchPoint { point: stance.center + point.arm, normal, impulse })
        }));
    }
    touches
}

fn keep_patch(pairs: &mut [Pair], item: &Item, group: &Group, lane: usize) {
    let patch = &mut pairs[item.pair as usize].patches[item.patch as usize];
    for (point, spot) in patch.points_mut().iter_mut().zip(&group.spots) {
        point.force = spot.impulse[lane] * group.pace[lane];
    }
    let [t, u] = tangents(got(&group.normal, lane));
    let forces = got(&group.rub.impulses, lane) * group.pace[lane];
    patch.slide = t * forces.x + u * forces.y;
    patch.twist = forces.z;
    let rolls = [0, 1].map(|k| group.roll.impulses[k][lane] * group.pace[lane]);
    patch.roll = if group.rolls { t * rolls[0] + u * rolls[1] } else { DVec3::ZERO };
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
