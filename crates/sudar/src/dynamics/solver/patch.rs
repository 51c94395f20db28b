//! Contacts of a pair that share a normal, as they are kept from step to step.

use glam::{DMat3, DVec3};

use super::stance::Stance;
use crate::convex::ContactFeature;
use crate::query::Contact;

/// Up to four contacts with one normal. Places are as seen from the centre of mass, in the frame of the body.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Patch {
    /// In the frame of the first body.
    pub normal: DVec3,
    pub points: [Point; 4],
    pub count: u32,
    /// The force against sliding, in the world, and the torques against turning about the normal and against rolling.
    pub slide: DVec3,
    pub twist: f64,
    pub roll: DVec3,
}

/// A contact.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Point {
    pub place_a: DVec3,
    pub place_b: DVec3,
    /// The parts of both bodies that touch, as numbers.
    pub name: [u32; 6],
    /// The normal force at the end of the step before.
    pub force: f64,
    pub is_new: bool,
    /// Where it is at the start of this step, from the centre of mass of the first body in the world, and the
    /// gap there; below zero where the bodies overlap.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub arm: DVec3,
    #[cfg_attr(feature = "serde", serde(skip))]
    pub gap: f64,
}

impl Patch {
    pub fn points(&self) -> &[Point] {
        &self.points[..self.count as usize]
    }

    /// Moves the contacts with the bodies.
    pub fn follow(&mut self, a: &Stance, b: &Stance) {
        let (turn_a, turn_b) = (a.pose.rotation(), b.pose.rotation());
        let (normal, way) = (turn_a * self.normal, b.center - a.center);
        for point in self.points_mut() {
            let (first, second) = (turn_a * point.place_a, turn_b * point.place_b + way);
            (point.arm, point.gap) = ((first + second) * 0.5, normal.dot(second - first));
        }
    }

    /// Without what is of this step only.
    pub fn saved(mut self) -> Self {
        self.points_mut().iter_mut().for_each(|point| (point.arm, point.gap) = (DVec3::ZERO, 0.0));
        self
    }

    pub fn points_mut(&mut self) -> &mut [Point] {
        &mut self.points[..self.count as usize]
    }

    pub fn is_finite(&self) -> bool {
        let point = |p: &Point| p.place_a.is_finite() && p.place_b.is_finite() && p.force.is_finite();
        self.count <= 4
            && self.normal.is_finite()
            && self.slide.is_finite()
            && self.twist.is_finite()
            && self.roll.is_finite()
            && self.points.iter().all(point)
    }
}

/// Sorts contacts into patches, in their order.
pub fn fill(patches: &mut Vec<Patch>, a: &Stance, b: &Stance, contacts: impl Iterator<Item = Contact>) {
    let turns = [a, b].map(|body| body.pose.rotation().transpose());
    let mut last = DVec3::ZERO;
    for contact in contacts {
        if contact.normal != last || patches.last().is_none_or(|patch| patch.count == 4) {
            last = contact.normal;
            patches.push(Patch { normal: turns[0] * contact.normal, ..Patch::default() });
        }
        if let Some(patch) = patches.last_mut() {
            patch.points[patch.count as usize] = point(&contact, &turns, [a, b]);
            patch.count += 1;
        }
    }
}

fn point(contact: &Contact, turns: &[DMat3; 2], [a, b]: [&Stance; 2]) -> Point {
    Point {
        place_a: turns[0] * (contact.point_a - a.center),
        place_b: turns[1] * (contact.point_b - b.center),
        name: name(contact),
        force: 0.0,
        is_new: true,
        ..Point::default()
    }
}

/// The name of a contact as numbers.
fn name(contact: &Contact) -> [u32; 6] {
    let part = |feature: ContactFeature| match feature {
        ContactFeature::Vertex(i) => [0, i],
        ContactFeature::Edge(i) => [1, i],
        ContactFeature::Face(i) => [2, i],
    };
    let ([i, j], [ka, ia], [kb, ib]) = (contact.features, part(contact.id.a), part(contact.id.b));
    [i, j, ka, ia, kb, ib]
}

/// How far a contact without its name may have gone to be known again, relative to the smaller body.
const NEAR: f64 = 0.1;

/// Takes over the forces of contacts known before: by their features, or else by their place, since where
/// edges lie along edges features come and go.
pub fn recognise(patches: &mut [Patch], before: &mut [Patch], size: f64) {
    if before.is_empty() {
        return;
    }
    // From here on an old contact that is new is one that has been recognised.
    before.iter_mut().flat_map(Patch::points_mut).for_each(|old| old.is_new = false);
    take(patches, before, |old, new| if old.name == new.name { 0.0 } else { f64::INFINITY });
    take(patches, before, |old, new| {
        let distance = old.place_a.distance(new.place_a);
        if distance <= NEAR * size { distance } else { f64::INFINITY }
    });
}

/// Gives each new contact what is known of that old one which is least off, if that is finite.
fn take(patches: &mut [Patch], before: &mut [Patch], off: impl Fn(&Point, &Point) -> f64) {
    for patch in patches {
        for k in 0..patch.count as usize {
            if !patch.points[k].is_new {
                continue;
            }
            let Some([i, j]) = least(before, |old| off(old, &patch.points[k])) else { continue };
            let old = &mut before[i];
            old.points[j].is_new = true;
            patch.points[k].force = old.points[j].force;
            patch.points[k].is_new = false;
            patch.slide += std::mem::take(&mut old.slide);
            patch.twist += std::mem::take(&mut old.twist);
            patch.roll += std::mem::take(&mut old.roll);
        }
    }
}

/// The patch and number of the contact that is least off, of several the first.
fn least(before: &[Patch], off: impl Fn(&Point) -> f64) -> Option<[usize; 2]> {
    let mut best = (f64::INFINITY, None);
    for (i, patch) in before.iter().enumerate() {
        for (j, old) in patch.points().iter().enumerate().filter(|(_, old)| !old.is_new) {
            let off = off(old);
            if off < best.0 {
                best = (off, Some([i, j]));
            }
        }
    }
    best.1
}
