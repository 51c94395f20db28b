//! The bodies that touch each other at an instant.

use std::collections::BTreeMap;

use glam::DVec3;

use super::approach::band;
use super::hit::{ImpactBody, ImpactContact};
use crate::dynamics::matter::{BodyState, Rigid, contacts};
use crate::dynamics::touches::TouchPoint;
use crate::query::Contact;

/// Bodies and their contacts.
#[derive(Debug, Default)]
pub struct Cluster {
    pub list: Vec<ImpactBody>,
    pub hits: Vec<ImpactContact>,
    places: BTreeMap<u32, usize>,
}

impl Cluster {
    fn place(&mut self, slot: u32, rigid: &Rigid, motion: impl FnOnce() -> BodyState) -> usize {
        *self.places.entry(slot).or_insert_with(|| {
            self.list.push(ImpactBody::of(slot, rigid, motion()));
            self.list.len() - 1
        })
    }

    /// Adds contacts of two bodies, with their motions where they are new.
    pub fn join(&mut self, pair: [u32; 2], [a, b]: [&Rigid; 2], [at, bt]: [BodyState; 2], spots: Vec<Spot>) {
        let bodies = [self.place(pair[0], a, || at), self.place(pair[1], b, || bt)];
        let [a, b] = [a.surface(), b.surface()];
        let (restitution, friction) = (a.restitution(&b), a.friction(&b));
        self.hits.extend(spots.into_iter().map(|(point, normal, depth)| ImpactContact {
            bodies,
            point,
            normal,
            restitution,
            friction,
            depth,
            impulse: 0.0,
        }));
    }

    /// An approach speed that is rounding.
    pub fn quiet(&self) -> f64 {
        let speeds = self.list.iter().map(|body| {
            let spin = if body.radius.is_finite() {
                body.motion.angular_velocity.length() * body.radius
            } else {
                0.0
            };
            body.motion.velocity.length() + spin
        });
        1e-12 * speeds.fold(0.0, f64::max)
    }

    /// Where impulses acted.
    pub fn struck(&self) -> impl Iterator<Item = TouchPoint> {
        self.hits.iter().map(|hit| {
            let [a, b] = hit.bodies.map(|k| self.list[k].slot);
            let normal = if a < b { hit.normal } else { -hit.normal };
            TouchPoint { point: hit.point, normal, impulse: hit.impulse, pair: [a.min(b), a.max(b)] }
        })
    }

    pub fn motion(&self, slot: u32) -> Option<&BodyState> {
        self.places.get(&slot).map(|&place| &self.list[place].motion)
    }
}

/// A contact point of the narrow phase: point, normal from the first to the second, depth.
pub fn spot(contact: &Contact) -> Spot {
    ((contact.point_a + contact.point_b) * 0.5, contact.normal, contact.depth)
}

/// A contact point: point, normal from the first to the second, depth.
pub type Spot = (DVec3, DVec3, f64);

/// The contacts of two bodies within their band.
pub fn spots(a: &Rigid, at: &BodyState, b: &Rigid, bt: &BodyState) -> Vec<Spot> {
    let band = band(a, b);
    if let (Some(r), Some(s)) = (a.ball, b.ball) {
        let apart = bt.center - at.center;
        let distance = apart.length();
        let depth = r + s - distance;
        if depth < -band || distance == 0.0 {
            return Vec::new();
        }
        let normal = apart / distance;
        return vec![(at.center + normal * (r - 0.5 * depth), normal, depth)];
    }
    if (bt.center - at.center).length() > a.radius + b.radius + band {
        return Vec::new();
    }
    let found = contacts(a, at, b, bt, 2.0 * band);
    found.iter().map(spot).collect()
}
