//! The pairs near each other and their contacts, kept from step to step.
//!
//! What touches is not computed again while the two bodies stay as they are to each other: contacts are kept
//! in the frames of the bodies, and move with them.

use glam::{DQuat, DVec3};

use super::flat;
use super::islands::wake;
use super::patch::{self, Patch};
use super::stance::{Form, Stance};
use crate::broad::BroadError;
use crate::convex::{ContactFeature, ContactId, GjkMemory};
use crate::dynamics::matter::{Rigid, contacts_at};
use crate::dynamics::near::Near;
use crate::dynamics::pair_map::PairMap;
use crate::dynamics::settings::Settings;
use crate::math::par::{for_each, map_into};
use crate::query::Contact;
use crate::shape::Aabb;

/// Two bodies near each other.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Pair {
    pub bodies: [u32; 2],
    pub patches: Vec<Patch>,
    /// Where the contacts were computed, and up to which gap; none if they never were.
    found: Option<Found>,
    /// What the last search left, where both are convex.
    memory: GjkMemory,
    /// The least gap of the contacts; infinite without.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub gap: f64,
    /// Whether the contacts are those of this step.
    #[cfg_attr(feature = "serde", serde(skip))]
    is_done: bool,
    /// Room for the contacts of the step before.
    #[cfg_attr(feature = "serde", serde(skip))]
    before: Vec<Patch>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Found {
    /// The centre of the smaller body in the frame of the larger, and its rotation there.
    center: DVec3,
    rotation: DQuat,
    margin: f64,
}

/// What a world of the solver keeps from step to step.
#[derive(Debug, Clone, Default)]
pub struct Contacts {
    /// Of bodies that move, sorted by bodies.
    pub pairs: Vec<Pair>,
    /// Of bodies that rest, as they were when these came to rest.
    pub resting: PairMap<Pair>,
    pub stances: Vec<Stance>,
    boxes: Vec<Aabb>,
    spare: Vec<Pair>,
}

/// Bodies and pairs that a thread takes at a time, and pairs where there are meshes among them.
const BODIES: usize = 256;
const PAIRS: usize = 512;
const MESHES: usize = 16;

/// Motion of one body against the other within which contacts move with the bodies, relative to the smaller one. A
/// corner of a mesh that comes under a face is found after it: a tenth of that would double the cost of a landing.
const STILL: f64 = 0.01;

impl Contacts {
    /// All contacts at the start of a step, gaps that may close in it included. Bodies asleep that are touched wake up,
    /// and so does what is joined to what is awake.
    pub fn update(
        &mut self,
        rigids: &mut [Rigid],
        near: &mut Near,
        wake_joined: impl Fn(&mut [Rigid]),
        (settings, until): (&Settings, f64),
    ) -> Result<(), BroadError> {
        self.begin();
        wake_joined(rigids);
        loop {
            self.stand(rigids, settings, until);
            self.boxes.clear();
            self.boxes.extend(self.stances.iter().map(|stance| stance.reserved));
            let pairs = near.pairs(rigids, &self.boxes)?;
            self.merge(&pairs, |i| !rigids[i as usize].moves());
            self.forget_left((0..).zip(&*rigids).filter(|(_, rigid)| rigid.moves()).map(|(i, _)| i));
            if !self.meet(rigids) {
                return Ok(());
            }
            wake_joined(rigids);
        }
    }

    /// The contacts of a new step are to be found.
    pub fn begin(&mut self) {
        self.pairs.iter_mut().for_each(|pair| pair.is_done = false);
    }

    /// The bodies as they are.
    pub fn stand(&mut self, rigids: &[Rigid], settings: &Settings, until: f64) {
        map_into(rigids, &mut self.stances, BODIES, |rigid| Stance::new(rigid, settings, until));
    }

    /// The contacts of all pairs; returns whether bodies woke up by them, which need theirs.
    pub fn meet(&mut self, rigids: &mut [Rigid]) -> bool {
        let (stances, bodies) = (&self.stances, &*rigids);
        let is_mesh = |i: u32| matches!(stances[i as usize].form, Form::Mesh);
        let has_meshes = self.pairs.iter().any(|pair| pair.bodies.into_iter().any(is_mesh));
        let piece = if has_meshes { MESHES } else { PAIRS };
        for_each(&mut self.pairs, piece, |pair| pair.update(stances, bodies));
        let touching = self.pairs.iter().filter(|pair| !pair.patches.is_empty()).map(|pair| pair.bodies);
        wake(rigids, touching)
    }

    /// The contacts of bodies that have done a part of the step, where they are now.
    pub fn follow(&mut self, rigids: &[Rigid], settings: &Settings, until: f64) {
        let is_under_way = |rigid: &Rigid| rigid.left > 0.0 && rigid.left < 1.0;
        if !rigids.iter().any(is_under_way) {
            return;
        }
        for (stance, rigid) in self.stances.iter_mut().zip(rigids).filter(|(_, rigid)| is_under_way(rigid)) {
            *stance = Stance::new(rigid, settings, until);
        }
        let Self { pairs, stances, .. } = self;
        for_each(pairs, PAIRS, |pair| {
            if pair.bodies.iter().any(|&i| is_under_way(&rigids[i as usize])) {
                pair.is_done = false;
                pair.update(stances, rigids);
            }
        });
    }

    /// Keeps what is known of pairs that are near, lays by what is known of pairs at rest, and adds those that are new.
    pub fn merge(&mut self, near: &[[u32; 2]], rests: impl Fn(u32) -> bool) {
        if self.pairs.iter().map(|pair| pair.bodies).eq(near.iter().copied()) {
            return;
        }
        self.spare.clear();
        std::mem::swap(&mut self.pairs, &mut self.spare);
        let mut old = self.spare.drain(..).peekable();
        let resting = &mut self.resting;
        let mut lay_by = |pair: Pair| {
            if pair.bodies.iter().all(|&i| rests(i)) {
                resting.insert(pair.bodies, pair);
            }
        };
        for &bodies in near {
            while let Some(gone) = old.next_if(|pair| pair.bodies < bodies) {
                lay_by(gone);
            }
            let known = old.next_if(|pair| pair.bodies == bodies);
            self.pairs.push(known.unwrap_or_else(|| Pair { bodies, ..Pair::default() }));
        }
        old.for_each(lay_by);
        if !self.resting.is_empty() {
            self.take_up();
        }
    }

    /// What is known of pairs that rested until now.
    fn take_up(&mut self) {
        let Self { pairs, resting, .. } = self;
        for pair in pairs.iter_mut().filter(|pair| pair.found.is_none() && pair.patches.is_empty()) {
            if let Some(known) = resting.take(pair.bodies) {
                *pair = Pair { is_done: false, ..known };
            }
        }
    }

    /// Forgets what rested at bodies that move now and are no longer near it.
    pub fn forget_left(&mut self, moving: impl Iterator<Item = u32>) {
        if !self.resting.is_empty() {
            moving.for_each(|i| self.resting.forget(i));
        }
    }

    /// Those of bodies that move, at the start of another step.
    pub fn moving(&self) -> Self {
        let mut own = Self { pairs: self.pairs.clone(), ..Self::default() };
        own.begin();
        own
    }

    /// Gives to `own` what rested of pairs.
    pub fn lend(&self, own: &mut Self, pairs: &[[u32; 2]]) {
        let known = pairs.iter().filter_map(|pair| self.resting.get(*pair));
        known.for_each(|pair| own.resting.insert(pair.bodies, pair.clone()));
    }

    /// Takes what became of [`moving`](Self::moving) and what was lent.
    pub fn replace(&mut self, own: Self, moving: &[u32]) {
        self.pairs = own.pairs;
        self.forget_left(moving.iter().copied());
        own.resting.into_iter().for_each(|(bodies, pair)| self.resting.insert(bodies, pair));
    }

    /// Calls bodies by other numbers, in the same order.
    pub fn rename(&mut self, name: impl Fn(u32) -> u32) {
        self.pairs.iter_mut().for_each(|pair| pair.bodies = pair.bodies.map(&name));
    }

    /// Forgets what is known of a body.
    pub fn forget(&mut self, body: u32) {
        self.pairs.retain(|pair| !pair.bodies.contains(&body));
        self.resting.forget(body);
    }

    /// All that a snapshot holds, sorted by bodies.
    pub fn saved(&self) -> Vec<Pair> {
        let resting = self.resting.iter().map(|(_, pair)| pair);
        let mut all: Vec<Pair> = self.pairs.iter().chain(resting).map(Pair::saved).collect();
        all.sort_unstable_by_key(|pair| pair.bodies);
        all
    }

    /// Takes up what a snapshot held of bodies that are already as they were.
    pub fn restore(&mut self, saved: &[Pair], rigids: &[Rigid]) {
        (self.pairs, self.resting) = (Vec::new(), PairMap::default());
        for pair in saved.iter().cloned() {
            if pair.bodies.iter().any(|&i| rigids[i as usize].moves()) {
                self.pairs.push(pair);
            } else {
                self.resting.insert(pair.bodies, pair);
            }
        }
    }
}

impl Pair {
    /// What a snapshot holds of it.
    pub fn saved(&self) -> Self {
        let Self { bodies, patches, found, memory, .. } = self;
        Self {
            bodies: *bodies,
            patches: patches.iter().copied().map(Patch::saved).collect(),
            found: *found,
            memory: *memory,
            ..Self::default()
        }
    }

    pub fn is_valid(&self, bodies: usize) -> bool {
        let found = |f: &Found| f.center.is_finite() && f.rotation.is_finite() && f.margin >= 0.0;
        self.bodies[0] < self.bodies[1]
            && (self.bodies[1] as usize) < bodies
            && self.patches.iter().all(Patch::is_finite)
            && self.found.iter().all(found)
            && self.memory.is_valid()
    }

    fn update(&mut self, stances: &[Stance], rigids: &[Rigid]) {
        let [a, b] = self.bodies.map(|i| &stances[i as usize]);
        if std::mem::replace(&mut self.is_done, true) || !(a.moves || b.moves) {
            return;
        }
        let margin = a.margin(b);
        match (a.form, b.form) {
            (Form::Ball(r), Form::Ball(s)) => self.touch(a, b, balls(a, r, b, s, margin)),
            (Form::Wall { normal, offset }, Form::Ball(r)) => {
                self.touch(a, b, ball_on_wall(b, r, normal, offset, margin));
            }
            (Form::Ball(r), Form::Wall { normal, offset }) => {
                let found = ball_on_wall(a, r, normal, offset, margin);
                self.touch(a, b, found.map(|c| Contact { normal: -c.normal, ..swapped(c) }));
            }
            (Form::Ball(_) | Form::Wall { .. } | Form::Convex | Form::Mesh, _) => {
                self.search([a, b], rigids, margin);
            }
        }
        self.patches.iter_mut().for_each(|patch| patch.follow(a, b));
        let gaps = self.patches.iter().flat_map(Patch::points).map(|point| point.gap);
        self.gap = gaps.fold(f64::INFINITY, f64::min);
    }

    /// By the general method, unless little has moved.
    fn search(&mut self, stances: [&Stance; 2], rigids: &[Rigid], margin: f64) {
        let [i, j] = self.bodies.map(|i| i as usize);
        let (a, b) = (&rigids[i], &rigids[j]);
        let [larger, smaller] = if a.radius >= b.radius { [a, b] } else { [b, a] };
        let back = larger.motion.rotation.inverse();
        let center = back * (smaller.motion.center - larger.motion.center);
        let rotation = back * smaller.motion.rotation;
        if self.found.as_ref().is_some_and(|found| {
            let turned = (rotation.xyz() * found.rotation.w - found.rotation.xyz() * rotation.w
                + found.rotation.xyz().cross(rotation.xyz()))
            .length();
            let moved = (center - found.center).length() + 2.0 * turned * smaller.radius;
            let still = self.patches.is_empty() || moved <= STILL * smaller.radius;
            still && moved + (margin - super::stance::MARGIN * smaller.radius) <= found.margin
        }) {
            self.patches.iter_mut().flat_map(Patch::points_mut).for_each(|point| point.is_new = false);
            return;
        }
        self.found = Some(Found { center, rotation, margin });
        let [p, q] = stances.map(|stance| &stance.pose);
        let mut contacts = contacts_at([a, b], [p, q], margin, &mut self.memory);
        if flat::widen(&mut contacts, a, b) {
            // The patch goes with the point that touches.
            self.found = None;
        }
        self.touch(stances[0], stances[1], contacts);
    }

    fn touch(&mut self, a: &Stance, b: &Stance, contacts: impl IntoIterator<Item = Contact>) {
        std::mem::swap(&mut self.patches, &mut self.before);
        self.patches.clear();
        patch::fill(&mut self.patches, a, b, contacts.into_iter());
        patch::recognise(&mut self.patches, &mut self.before, a.radius.min(b.radius));
    }
}

/// The features of bodies that have none.
const WHOLE: ContactId = ContactId { a: ContactFeature::Vertex(0), b: ContactFeature::Vertex(0) };

fn balls(a: &Stance, r: f64, b: &Stance, s: f64, margin: f64) -> Option<Contact> {
    let between = b.center - a.center;
    let square = between.length_squared();
    let reach = r + s + margin;
    if square > reach * reach {
        return None;
    }
    let length = square.sqrt();
    // Balls with one centre leave each other upwards.
    let normal = if length > 0.0 { between / length } else { DVec3::Z };
    Some(Contact {
        point_a: a.center + normal * r,
        point_b: b.center - normal * s,
        normal,
        depth: r + s - length,
        features: [0, 0],
        id: WHOLE,
        region: 0,
    })
}

/// The wall comes first.
fn ball_on_wall(ball: &Stance, radius: f64, normal: DVec3, offset: f64, margin: f64) -> Option<Contact> {
    let height = normal.dot(ball.center) - offset;
    (height - radius <= margin).then(|| Contact {
        point_a: ball.center - normal * height,
        point_b: ball.center - normal * radius,
        normal,
        depth: radius - height,
        features: [0, 0],
        id: WHOLE,
        region: 0,
    })
}

fn swapped(contact: Contact) -> Contact {
    Contact { point_a: contact.point_b, point_b: contact.point_a, ..contact }
}
