//! What comes of the impulses: touches to report, and contacts to start the next step from.

use super::contacts::Pair;
use super::islands::Pressed;
use super::item::Item;
use super::lanes::{Group, got, tangents};
use super::order::Order;

/// Keeps the impulses for the next step. Returns the pairs that touched, with the sums of their normal
/// impulses, sorted.
pub fn keep(pairs: &mut [Pair], order: &Order, groups: &[Group]) -> Vec<([u32; 2], f64)> {
    let mut touches: Vec<(u32, f64)> = Vec::new();
    for (group, items) in groups.iter().zip(order.groups()) {
        for (lane, item) in items.iter().enumerate() {
            let spots = group.spots[..item.count as usize].iter();
            let touched = spots.clone().any(|spot| spot.most[lane] > 0.0 || spot.start[lane] <= 0.0);
            if touched {
                touches.push((item.pair, spots.map(|spot| spot.total[lane]).sum()));
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
    all
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
