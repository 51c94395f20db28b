//! Bodies that are fast against their own thickness stop where they certainly touch nothing yet.

use std::f64::consts::TAU;

use glam::DVec3;

use super::contacts::Pair;
use crate::dynamics::impact::{Meeting, Mover, meeting};
use crate::dynamics::matter::{Flight, Inertia, Motion, Outline, Rigid, turned_by};
use crate::math::unit;
use crate::query::{DistanceOptions, distance};

/// Motion in a step beyond which a body is fast, relative to half its thickness.
const FAST: f64 = 0.5;
/// Gaps at the start below which contacts alone hold a pair, relative to the smaller body.
const HELD: f64 = 1e-4;

/// Cuts the motion of fast bodies short; returns the most time that one of them lost.
pub fn clip(rigids: &mut [Rigid], before: &[Motion], pairs: &[Pair], until: f64) -> f64 {
    let fast: Vec<bool> =
        rigids.iter().zip(before).map(|(rigid, before)| is_fast(rigid, before, until)).collect();
    if !fast.contains(&true) {
        return 0.0;
    }
    let walls: Vec<u32> = (0..rigids.len() as u32).filter(|&i| rigids[i as usize].is_wall).collect();
    let fixed = Inertia::fixed(DVec3::ZERO);
    let flights: Vec<Flight> =
        rigids.iter().zip(before).map(|(r, b)| chord(&fixed, b, &r.motion, until)).collect();
    let mut stops = vec![until; rigids.len()];
    let near = pairs.iter().map(|pair| pair.bodies).filter(|[i, j]| fast[*i as usize] || fast[*j as usize]);
    let fast_ones = (0..rigids.len() as u32).filter(|&i| fast[i as usize]);
    // Bodies may be struck towards a wall that was not near.
    let candidates = near.chain(fast_ones.flat_map(|i| walls.iter().map(move |&wall| [wall, i])));
    for [i, j] in candidates {
        let movers =
            [i, j].map(|k| Mover { rigid: &rigids[k as usize], flight: &flights[k as usize], rests: false });
        if let Some(time) = first(movers, until) {
            for k in [i, j].map(|k| k as usize).into_iter().filter(|&k| fast[k] && rigids[k].is_dynamic()) {
                stops[k] = stops[k].min(time);
            }
        }
    }
    let mut lost: f64 = 0.0;
    for (k, &stop) in stops.iter().enumerate().filter(|(_, stop)| **stop < until) {
        let there = flights[k].at(stop);
        let motion = &mut rigids[k].motion;
        // The spin goes with the body, so that its energy stays.
        motion.angular_velocity = there.rotation * (motion.rotation.inverse() * motion.angular_velocity);
        (motion.center, motion.rotation) = (there.center, there.rotation);
        lost = lost.max(until - stop);
    }
    lost
}

/// Nothing leaves a closed room: what is deep in a wall all the same is put back, and no longer moves into it.
pub fn keep_inside(rigids: &mut [Rigid]) {
    let walls: Vec<(DVec3, f64)> = rigids.iter().filter(|rigid| rigid.is_wall).filter_map(plane).collect();
    for rigid in rigids.iter_mut().filter(|rigid| rigid.is_dynamic() && !rigid.asleep && !walls.is_empty()) {
        let around = rigid.given.body.bounds(&rigid.pose());
        for &(normal, offset) in &walls {
            let (middle, half) = (around.center(), around.extent() * 0.5);
            let slack = (0.25 * rigid.thin).min(0.1 * rigid.radius);
            if normal.dot(middle) - normal.abs().dot(half) < offset - slack {
                put_back(rigid, normal, offset - slack);
            }
        }
    }
}

fn plane(wall: &Rigid) -> Option<(DVec3, f64)> {
    match wall.form {
        Outline::Wall { normal, offset } => Some((normal, offset)),
        Outline::Convex | Outline::Other => None,
    }
}

fn put_back(rigid: &mut Rigid, normal: DVec3, offset: f64) {
    // Walls are along the axes, so the box of the body says exactly how far it reaches.
    let own = rigid.given.body.aabb(&rigid.pose());
    let lowest = normal.dot(own.center()) - normal.abs().dot(own.extent() * 0.5);
    if lowest >= offset {
        return;
    }
    rigid.motion.center += normal * (offset - lowest);
    let speed = normal.dot(rigid.motion.velocity);
    rigid.motion.velocity -= normal * speed.min(0.0);
}

fn is_fast(rigid: &Rigid, before: &Motion, until: f64) -> bool {
    if !rigid.is_dynamic() || rigid.asleep {
        return false;
    }
    let turned = rigid.motion.angular_velocity.length() * until;
    (rigid.motion.center - before.center).length() + turned * rigid.radius > FAST * rigid.thin
}

/// The straight and even motion from one place to the other.
fn chord<'i>(fixed: &'i Inertia, from: &Motion, to: &Motion, until: f64) -> Flight<'i> {
    let turned = whole_turns(
        turned_by((to.rotation * from.rotation.inverse()).normalize()),
        to.angular_velocity * until,
    );
    let velocity = (to.center - from.center) / until;
    let from = Motion { velocity, angular_velocity: turned / until, ..*from };
    Flight::free(fixed, from, 0.0)
}

/// The turn with as many whole turns added as bring it nearest to what the spin says.
fn whole_turns(turned: DVec3, spun: DVec3) -> DVec3 {
    let Some(axis) = unit(turned).or_else(|| unit(spun)) else { return turned };
    turned + axis * (((spun - turned).dot(axis) / TAU).round() * TAU)
}

/// The first time at which the two touch, if they are apart at the start.
fn first([a, b]: [Mover; 2], until: f64) -> Option<f64> {
    let held = HELD * a.rigid.radius.min(b.rigid.radius);
    let poses = [a, b].map(|m| m.rigid.pose_of(&m.flight.from));
    let options = DistanceOptions { relative: 0.1, ..DistanceOptions::up_to(2.0 * held) };
    let gap = distance(&a.rigid.given.body, &poses[0], &b.rigid.given.body, &poses[1], &options);
    if gap.interval.lower <= held {
        return None;
    }
    let mut from = 0.0;
    loop {
        match meeting(a, b, from, until) {
            Meeting::Never => return None,
            Meeting::Touch(time) => return Some(time),
            Meeting::Later(time) => from = time,
        }
    }
}
