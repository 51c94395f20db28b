//! Contacts at the start of a step, gaps that may close in it included.

use std::collections::BTreeMap;

use super::Kept;
use super::islands::wake;
use crate::broad::BroadError;
use crate::dynamics::matter::{Rigid, swept};
use crate::dynamics::near::Near;
use crate::dynamics::settings::Settings;
use crate::query::{Batch, Contact, manifold};
use crate::shape::Aabb;

/// What a world of the solver keeps from step to step.
#[derive(Debug, Clone, Default)]
pub struct Memories {
    /// Impulses, sorted by pair and name.
    pub kept: Vec<Kept>,
}

/// The pairs near each other and their contacts.
#[derive(Debug, Default)]
pub struct Found {
    pub pairs: Vec<[u32; 2]>,
    pub contacts: Vec<Vec<Contact>>,
}

/// Gaps of resting bodies that count, relative to the smaller body.
const MARGIN: f64 = 0.02;

/// All contacts. Bodies asleep that are touched wake up.
pub fn contacts(
    rigids: &mut [Rigid],
    near: &mut Near,
    settings: &Settings,
    until: f64,
) -> Result<Found, BroadError> {
    loop {
        let boxes: Vec<Aabb> = rigids.iter().map(|rigid| reserved(rigid, settings, until)).collect();
        let pairs = near.pairs(rigids, &boxes)?;
        let touch = |&[i, j]: &[u32; 2]| touch(&rigids[i as usize], &rigids[j as usize], settings, until);
        let contacts: Vec<Vec<Contact>> = if pairs.len() < 32 {
            pairs.iter().map(touch).collect()
        } else {
            Batch::default().each(&pairs, |_, pair| touch(pair)).answers
        };
        let found = Found { pairs, contacts };
        if !wake(rigids, &found) {
            return Ok(found);
        }
    }
}

fn reserved(rigid: &Rigid, settings: &Settings, until: f64) -> Aabb {
    if !rigid.radius.is_finite() {
        return Aabb::EVERYTHING;
    }
    let margin = MARGIN * rigid.radius;
    if !rigid.moves() {
        return rigid.given.body.bounds(&rigid.pose()).grown(margin);
    }
    let reach = travel(rigid, settings, until);
    if reach < 0.25 * rigid.radius {
        return rigid.given.body.bounds(&rigid.pose()).grown(margin + reach);
    }
    let flight = rigid.flight(settings.gravity);
    swept(rigid, [rigid.motion.center, flight.center_at(until).0], margin + 0.25 * rigid.radius)
}

/// How far any point of it may go in a step.
fn travel(rigid: &Rigid, settings: &Settings, until: f64) -> f64 {
    let flight = rigid.flight(settings.gravity);
    let spin = flight.angular_speed(until) * if rigid.radius.is_finite() { rigid.radius } else { 0.0 };
    (rigid.motion.velocity.length() + flight.push() * until + spin) * until
}

fn touch(a: &Rigid, b: &Rigid, settings: &Settings, until: f64) -> Vec<Contact> {
    let size = a.radius.min(b.radius);
    let reach = [a, b].map(|r| if r.moves() { travel(r, settings, until) } else { 0.0 });
    let far = size.max(reach[0].max(reach[1]).min(4.0 * size));
    let margin = MARGIN * size + (reach[0] + reach[1]).min(far);
    manifold(&a.given.body, &a.pose(), &b.given.body, &b.pose(), margin)
}

/// Impulses by pair, for the contacts of this step.
pub fn by_pair(kept: &[Kept]) -> BTreeMap<[u32; 2], Vec<Kept>> {
    let mut map: BTreeMap<[u32; 2], Vec<Kept>> = BTreeMap::new();
    for one in kept {
        map.entry(one.pair).or_default().push(*one);
    }
    map
}
