//! Bodies that rest together sleep together.

use super::narrow::Found;
use super::row::Row;
use crate::dynamics::matter::Rigid;
use crate::dynamics::settings::Settings;
use glam::DVec3;

/// Speed below which a body counts as resting, in m/s of its farthest point for one of a metre.
const SLOW: f64 = 0.01;
/// For so long.
const TIME: f64 = 0.5;

/// Wakes sleeping bodies that something awake touches, with all that rests on them; says whether there were any.
pub fn wake(rigids: &mut [Rigid], found: &Found) -> bool {
    let mut any = false;
    for (&[i, j], _) in found.pairs.iter().zip(&found.contacts).filter(|(_, contacts)| !contacts.is_empty()) {
        for (sleeper, other) in [(i, j), (j, i)].map(|(x, y)| (x as usize, y as usize)) {
            let disturbs = rigids[other].moves() && rigids[other].slow_for < TIME;
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

/// Puts islands to sleep that have been slow for long enough.
pub fn sleep(rigids: &mut [Rigid], rows: &[Row], settings: &Settings, until: f64) {
    for rigid in rigids.iter_mut().filter(|rigid| rigid.is_dynamic() && !rigid.asleep) {
        let size = rigid.radius.min(1.0);
        let speed = rigid.motion.velocity.length() + rigid.motion.angular_velocity.length() * rigid.radius;
        rigid.slow_for = if speed < SLOW * size { rigid.slow_for + until } else { 0.0 };
    }
    if !settings.sleeps {
        return;
    }
    let islands = islands(rigids, rows);
    let mut restless = vec![false; rigids.len()];
    for (i, rigid) in rigids.iter().enumerate().filter(|(_, rigid)| rigid.is_dynamic()) {
        let tired = rigid.asleep || rigid.slow_for >= TIME;
        restless[islands[i] as usize] |= !tired;
    }
    let mut supported = vec![false; rigids.len()];
    for row in rows.iter().filter(|row| row.most > 0.0) {
        row.bodies.iter().for_each(|&i| supported[i as usize] = true);
    }
    for (i, rigid) in rigids.iter_mut().enumerate() {
        // A body at the top of its flight is slow as well, and has no contact.
        let rests = rigid.is_dynamic() && !rigid.asleep && supported[i] && !restless[islands[i] as usize];
        if rests {
            rigid.asleep = true;
            (rigid.motion.velocity, rigid.motion.angular_velocity) = (DVec3::ZERO, DVec3::ZERO);
        }
    }
}

/// The least body of the island of each, by union of the pairs that press each other. What moves by its velocities keeps its island awake.
pub fn islands(rigids: &[Rigid], rows: &[Row]) -> Vec<u32> {
    let mut parent: Vec<u32> = (0..rigids.len() as u32).collect();
    for row in rows
        .iter()
        .filter(|row| row.most > 0.0 && row.bodies.iter().all(|&i| rigids[i as usize].is_dynamic()))
    {
        let [a, b] = row.bodies.map(|i| root(&mut parent, i));
        parent[a.max(b) as usize] = a.min(b);
    }
    (0..rigids.len() as u32).map(|i| root(&mut parent, i)).collect()
}

fn root(parent: &mut [u32], mut i: u32) -> u32 {
    while parent[i as usize] != i {
        parent[i as usize] = parent[parent[i as usize] as usize];
        i = parent[i as usize];
    }
    i
}
