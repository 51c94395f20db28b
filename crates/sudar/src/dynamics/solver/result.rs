//! What comes of the impulses: touches to report, and contacts to start the next step from.

use super::contacts::Pair;
use super::islands::Pressed;
use super::item::Item;
use super::lanes::{Group, got, tangents};
use super::order::Order;
use super::stance::Stance;
use crate::dynamics::touches::{TouchPoint, Touches};

/// Keeps the impulses for the next step. Returns the pairs that touched.
pub fn keep(pairs: &mut [Pair], stances: &[Stance], order: &Order, groups: &[Group]) -> Touches {
    let mut touches: Vec<(u32, f64)> = Vec::new();
    let mut points = Vec::new();
    for (group, items) in groups.iter().zip(order.groups()) {
        for (lane, item) in items.iter().enumerate() {
            let spots = group.spots[..item.count as usize].iter();
            let touched = spots.clone().any(|spot| spot.most[lane] > 0.0 || spot.start[lane] <= 0.0);
            if touched {
                touches.push((item.pair, spots.clone().map(|spot| spot.total[lane]).sum()));
                let pair = &pairs[item.pair as usize];
                let (stance, patch) = (&stances[pair.bodies[0] as usize], &pair.patches[item.patch as usize]);
                let normal = stance.pose.rotation() * patch.normal;
                let pressed = patch.points().iter().zip(spots.map(|spot| spot.total[lane]));
                points.extend(pressed.filter(|(_, impulse)| *impulse > 0.0).map(|(point, impulse)| {
                    (pair.bodies, TouchPoint { point: stance.center + point.arm, normal, impulse })
                }));
            }
            keep_patch(pairs, item, group, lane);
        }
    }
    touches.sort_by_key(|(pair, _)| *pair);
    let mut all: Vec<([u32; 2], f64)> = Vec::with_capacity(touches.len());
    for (pair, impulse) in touches {
        let bodies = pairs[pair as usize].bodies;
        match all.last_mut() {
            Some((last, sum)) if *last == bodies => *sum += impulse,
            _ => all.push((bodies, impulse)),
        }
    }
    Touches { pairs: all, points }
}

fn keep_patch(pairs: &mut [Pair], item: &Item, group: &Group, lane: usize) {
    let patch = &mut pairs[item.pair as usize].patches[item.patch as usize];
    for (point, spot) in patch.points_mut().iter_mut().zip(&group.spots) {
        point.impulse = spot.impulse[lane];
    }
    let [t, u] = tangents(got(&group.normal, lane));
    let impulses = got(&group.rub.impulses, lane);
    patch.slide = t * impulses.x + u * impulses.y;
    patch.twist = impulses.z;
}

/// The pairs that pressed in this step, in the order of solving.
pub fn pressed(order: &Order, groups: &[Group]) -> Vec<Pressed> {
    let mut all = Vec::new();
    for (group, items) in groups.iter().zip(order.groups()) {
        for (lane, item) in items.iter().enumerate() {
            let mut spots = group.spots[..item.count as usize].iter();
            if spots.clone().any(|spot| spot.most[lane] > 0.0) {
                all.push(Pressed { bodies: item.bodies, sticks: spots.any(|spot| spot.least[lane] < 0.0) });
            }
        }
    }
    all
}
