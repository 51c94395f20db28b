//! Bodies that rest together sleep together.

use glam::DVec3;

use crate::dynamics::matter::Rigid;

/// Speed below which a body counts as resting, in m/s of its farthest point for one of a metre.
const SLOW: f64 = 0.01;
/// For so long.
const TIME: f64 = 0.5;

/// Speed above which a body wakes others that it touches, relative to that below which it rests.
const WAKE: f64 = 4.0;

/// The fastest that a point of the body may be.
fn speed(rigid: &Rigid) -> f64 {
    rigid.motion.velocity.length() + rigid.motion.angular_velocity.length() * rigid.radius
}

fn size(rigid: &Rigid) -> f64 {
    rigid.radius.min(1.0)
}

/// A pair that pressed, or stuck.
#[derive(Debug, Clone, Copy)]
pub struct Pressed {
    pub bodies: [u32; 2],
    /// Whether an impulse may have pulled.
    pub sticks: bool,
}

/// Wakes sleeping bodies that something awake touches, with all that rests on them; says whether there were any.
pub fn wake(rigids: &mut [Rigid], touching: impl Iterator<Item = [u32; 2]>) -> bool {
    if !rigids.iter().any(|rigid| rigid.asleep) {
        return false;
    }
    let mut any = false;
    for [i, j] in touching {
        for (sleeper, other) in [(i, j), (j, i)].map(|(x, y)| (x as usize, y as usize)) {
            let other = &rigids[other];
            let disturbs = other.moves()
                && (!other.is_dynamic()
                    || (other.slow_for < TIME && speed(other) > WAKE * SLOW * size(other)));
            if rigids[sleeper].asleep && disturbs {
                rouse(&mut rigids[sleeper]);
                any = true;
            }
        }
    }
    any
}

/// Wakes one body; those that it touches follow in the next round.
pub fn rouse(rigid: &mut Rigid) {
    rigid.asleep = false;
    rigid.slow_for = 0.0;
}

/// Puts islands to sleep that have been slow for long enough, if they may. `support` marks what is held up, given what
/// something presses.
pub fn sleep(
    rigids: &mut [Rigid],
    pressed: &[Pressed],
    islands: &[u32],
    support: Option<impl Fn(&mut [bool])>,
    until: f64,
) {
    for rigid in rigids.iter_mut().filter(|rigid| rigid.is_dynamic() && !rigid.asleep) {
        rigid.slow_for = if speed(rigid) < SLOW * size(rigid) { rigid.slow_for + until } else { 0.0 };
    }
    let Some(support) = support else { return };
    let mut restless = vec![false; rigids.len()];
    for (i, rigid) in rigids.iter().enumerate().filter(|(_, rigid)| rigid.is_dynamic()) {
        let tired = rigid.asleep || rigid.slow_for >= TIME;
        restless[islands[i] as usize] |= !tired;
    }
    let mut supported = vec![false; rigids.len()];
    pressed.iter().flat_map(|pressed| pressed.bodies).for_each(|i| supported[i as usize] = true);
    support(&mut supported);
    for (i, rigid) in rigids.iter_mut().enumerate() {
        // A body at the top of its flight is slow as well, and has no contact.
        let rests = rigid.is_dynamic() && !rigid.asleep && supported[i] && !restless[islands[i] as usize];
        if rests {
            rigid.asleep = true;
            (rigid.motion.velocity, rigid.motion.angular_velocity) = (DVec3::ZERO, DVec3::ZERO);
        }
    }
}

/// The least body of the island of each, by union of pairs. What moves by its
/// velocities keeps its island awake.
pub fn islands(rigids: &[Rigid], pairs: impl Iterator<Item = [u32; 2]>) -> Vec<u32> {
    let mut parent: Vec<u32> = (0..rigids.len() as u32).collect();
    for pair in pairs {
        if pair.iter().all(|&i| rigids[i as usize].is_dynamic()) {
            let [a, b] = pair.map(|i| root(&mut parent, i));
            parent[a.max(b) as usize] = a.min(b);
        }
    }
    (0..rigids.len() as u32).map(|i| root(&mut parent, i)).collect()
}

/// The least of the heap of a body, with shorter ways to it from then on.
pub fn root(parent: &mut [u32], mut i: u32) -> u32 {
    while parent[i as usize] != i {
        parent[i as usize] = parent[parent[i as usize] as usize];
        i = parent[i as usize];
    }
    i
}
