//! The bodies that touch each other at an instant.

use std::collections::BTreeMap;

use glam::DVec3;

use super::approach::band;
use super::hit::{ImpactBody, ImpactContact};
use crate::dynamics::matter::{BodyState, Rigid, contacts};

/// Bodies and their contacts.
#[derive(Debug, Default)]
pub struct Cluster {
    pub list: Vec<ImpactBody>,
    pub hits: Vec<ImpactContact>,
    places: BTreeMap<u32, usize>,
}

impl Cluster {
    pub fn place(&mut self, slot: u32, rigid: &Rigid, motion: impl FnOnce() -> BodyState) -> usize {
        *self.places.entry(slot).or_insert_with(|| {
            self.list.push(ImpactBody::of(slot, rigid, motion()));
            self.list.len() - 1
        })
    }

    pub fn motion(&self, slot: u32) -> Option<&BodyState> {
        self.places.get(&slot).map(|&place| &self.list[place].motion)
    }
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
    found.iter().map(|c| ((c.point_a + c.point_b) * 0.5, c.normal, c.depth)).collect()
}
