//! Contacts as rows of the velocity constraints.

use std::collections::BTreeMap;

use glam::DVec3;

use super::narrow::{Found, Memories, by_pair};
use super::{Kept, Mobile};
use crate::convex::ContactFeature;
use crate::dynamics::matter::Rigid;
use crate::query::Contact;

/// A contact between two bodies.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    pub bodies: [u32; 2],
    pub name: [u32; 6],
    pub normal: DVec3,
    pub tangents: [DVec3; 2],
    /// From the centres of mass to the contact, at the start of the step.
    pub arms: [DVec3; 2],
    /// The gap at the start of the step; below zero where the bodies overlap.
    pub gap: f64,
    pub friction: f64,
    pub restitution: f64,
    /// The least normal impulse of a sub-step where bodies stick: zero or less.
    pub least: f64,
    /// Fastest push out of an overlap.
    pub push: f64,
    pub soft: Soft,
    pub normal_mass: f64,
    pub tangent_mass: [f64; 2],
    /// Whether nothing was known of it.
    pub is_new: bool,
    pub impulse: f64,
    pub slide: [f64; 2],
    /// Largest impulse of a sub-step, and the sum of all.
    pub most: f64,
    pub total: f64,
    /// The normal speed at the start.
    pub speed: f64,
}

/// How a soft contact yields: as a damped spring, integrated implicitly.
#[derive(Debug, Clone, Copy)]
pub struct Soft {
    pub rate: f64,
    pub mass: f64,
    pub impulse: f64,
}

impl Soft {
    fn new(hertz: f64, damping: f64, step: f64) -> Self {
        let omega = std::f64::consts::TAU * hertz;
        let a = 2.0 * damping + step * omega;
        let b = step * omega * a;
        let c = 1.0 / (1.0 + b);
        Self { rate: omega / a, mass: b * c, impulse: c }
    }
}

/// Frequency and damping ratio of contacts. Twice the frequency of Catto 2024, with which a stack of twenty boxes yields by a tenth of a box.
const HERTZ: f64 = 60.0;
const DAMPING: f64 = 10.0;

/// The rows of all contacts, the highest first.
pub fn rows(rigids: &[Rigid], found: &Found, memories: &Memories, up: DVec3, step: f64) -> Vec<Row> {
    let before = by_pair(&memories.kept);
    let mut rows = Vec::new();
    for (&pair, contacts) in found.pairs.iter().zip(&found.contacts) {
        let kept = before.get(&pair).map_or(&[][..], Vec::as_slice);
        let olds = matched(rigids, pair, contacts, kept);
        rows.extend(contacts.iter().zip(olds).map(|(contact, old)| row(rigids, pair, contact, old, step)));
    }
    // From top to bottom, so that a sweep carries weight down; ties in the order of pairs.
    let height = |row: &Row| {
        up.dot(rigids[row.bodies[0] as usize].motion.center + rigids[row.bodies[1] as usize].motion.center)
    };
    let mut order: Vec<(f64, usize)> = rows.iter().map(|row| finite(height(row))).zip(0..).collect();
    order.sort_by(|x, y| y.0.total_cmp(&x.0).then(x.1.cmp(&y.1)));
    order.into_iter().map(|(_, i)| rows[i]).collect()
}

fn finite(x: f64) -> f64 {
    if x.is_finite() { x } else { 0.0 }
}

/// How far a contact without its name may have gone to be known again, relative to the smaller body.
const NEAR: f64 = 0.1;

/// What is known of each contact: by its features, or else by its place, since where edges lie along edges features come and go.
fn matched(rigids: &[Rigid], pair: [u32; 2], contacts: &[Contact], kept: &[Kept]) -> Vec<Option<Kept>> {
    let [a, b] = pair.map(|i| &rigids[i as usize]);
    let mut left: Vec<Kept> = kept.to_vec();
    let mut found: Vec<Option<Kept>> = contacts
        .iter()
        .map(|contact| left.iter().position(|old| old.name == name(contact)).map(|i| left.remove(i)))
        .collect();
    for (contact, found) in contacts.iter().zip(&mut found).filter(|(_, found)| found.is_none()) {
        let place = (contact.point_a + contact.point_b) * 0.5 - a.motion.center;
        let distance = |old: &Kept| old.place.distance(place);
        let nearest = (0..left.len())
            .min_by(|&i, &j| distance(&left[i]).total_cmp(&distance(&left[j])).then(i.cmp(&j)));
        let nearest = nearest.filter(|&i| distance(&left[i]) <= NEAR * a.radius.min(b.radius));
        *found = nearest.map(|i| left.remove(i));
    }
    found
}

fn row(rigids: &[Rigid], pair: [u32; 2], contact: &Contact, old: Option<Kept>, step: f64) -> Row {
    let [a, b] = pair.map(|i| &rigids[i as usize]);
    let n = contact.normal;
    let tangents = tangents(n);
    let middle = (contact.point_a + contact.point_b) * 0.5;
    let arms = [middle - a.motion.center, middle - b.motion.center];
    let weight = |way: DVec3| {
        let spin = |rigid: &Rigid, arm: DVec3| {
            let turn = arm.cross(way);
            turn.dot(rigid.inertia.inverse_in_world(rigid.motion.rotation) * turn)
        };
        a.inertia.inverse_mass + b.inertia.inverse_mass + spin(a, arms[0]) + spin(b, arms[1])
    };
    let name = name(contact);
    let [restitution, friction] = a.surface(b);
    let fixed = !a.is_dynamic() || !b.is_dynamic();
    let hertz = HERTZ.min(0.25 / step) * if fixed { 2.0 } else { 1.0 };
    Row {
        bodies: pair,
        name,
        normal: n,
        tangents,
        arms,
        gap: -contact.depth,
        friction,
        restitution,
        least: if contact.depth > -1e-3 * a.radius.min(b.radius) { -a.adhesion(b) * step } else { 0.0 },
        push: 4.0 * a.radius.min(b.radius),
        soft: Soft::new(hertz, DAMPING, step),
        normal_mass: 1.0 / weight(n),
        tangent_mass: tangents.map(|t| 1.0 / weight(t)),
        is_new: old.is_none(),
        impulse: old.map_or(0.0, |old| old.normal),
        slide: tangents.map(|t| old.map_or(0.0, |old| old.slide.dot(t))),
        most: 0.0,
        total: 0.0,
        speed: 0.0,
    }
}

/// Two unit directions across the normal.
fn tangents(n: DVec3) -> [DVec3; 2] {
    let least = if n.x.abs() <= n.y.abs() && n.x.abs() <= n.z.abs() {
        DVec3::X
    } else if n.y.abs() <= n.z.abs() {
        DVec3::Y
    } else {
        DVec3::Z
    };
    let first = n.cross(least).normalize();
    [first, n.cross(first)]
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

pub fn remember_speeds(rows: &mut [Row], mobiles: &[Mobile]) {
    for row in rows {
        row.speed = relative(row, mobiles).dot(row.normal);
    }
}

/// The velocity of the second body against the first at the contact.
#[inline]
pub fn relative(row: &Row, mobiles: &[Mobile]) -> DVec3 {
    let [a, b] = row.bodies.map(|i| &mobiles[i as usize]);
    b.velocity + b.spin.cross(row.arms[1]) - a.velocity - a.spin.cross(row.arms[0])
}

/// The pairs that pushed each other, with their normal impulses.
pub fn touches(rows: &[Row]) -> BTreeMap<[u32; 2], f64> {
    let mut touches = BTreeMap::new();
    for row in rows.iter().filter(|row| row.most > 0.0 || row.gap <= 0.0) {
        *touches.entry(row.bodies).or_insert(0.0) += row.total;
    }
    touches
}

pub fn kept(rows: &[Row]) -> Vec<Kept> {
    let kept = |row: &Row| Kept {
        pair: row.bodies,
        name: row.name,
        place: row.arms[0],
        normal: row.impulse,
        slide: row.tangents[0] * row.slide[0] + row.tangents[1] * row.slide[1],
    };
    let mut all: Vec<Kept> = rows.iter().filter(|row| row.impulse != 0.0).map(kept).collect();
    all.sort_by_key(|kept| (kept.pair, kept.name));
    all
}
