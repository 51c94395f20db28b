//! One account of the momenta and the energy of each island.
//!
//! Contacts act where they were at the start of a step while bodies move on, restitution at several contacts at once
//! is by the speed at which each closed, and fast bodies are stopped on their way. So an island can come out of a
//! step with energy that nobody gave, and with an angular momentum a little off. It ends with at most the energy that
//! it had and the work of its forces on the way that it really went; one that touches nothing fixed also gets the
//! angular momentum that is missing, as a turn of the whole, which changes no contact. Islands that touch what moves
//! by itself, or stick, are left alone in energy: there work is done.

use glam::{DMat3, DVec3};

use super::bodies::{Bodies, Twist, spin, velocity};
use super::islands::Pressed;
use super::joints::Joints;
use crate::dynamics::matter::{BodyState, Rigid, turned_by};
use crate::dynamics::settings::Settings;

/// Sums over the bodies of an island.
#[derive(Debug, Clone, Copy, Default)]
struct Island {
    /// Whether it touches what nothing moves, and whether it does work with what moves by itself, or sticks.
    is_tied: bool,
    is_exempt: bool,
    mass: f64,
    /// Mass times centre.
    moment: DVec3,
    momentum: DVec3,
    /// Angular momentum about the origin: what it must be, and what it is.
    wanted: DVec3,
    spun: DVec3,
    /// About the origin.
    inertia: DMat3,
    /// What the energy may be at most, what it is, and what it was before restitution.
    allowed: f64,
    energy: f64,
    relaxed: f64,
    /// ½ u·M·u of the change u of all velocities by restitution: the energy on the way there is a parabola.
    change: f64,
}

/// How the velocities of an island change.
#[derive(Debug, Clone, Copy)]
struct Correction {
    center: DVec3,
    /// The turn of the whole that is missing.
    turn: DVec3,
    /// The motion of the whole, and what is left of the motion of its bodies against it.
    velocity: DVec3,
    spin: DVec3,
    share: f64,
    /// What is left of the change by restitution.
    bounce: f64,
}

/// What an account is made of.
pub struct Books<'b> {
    pub before: &'b [BodyState],
    pub bodies: &'b Bodies,
    /// Bodies whose contacts pressed.
    pub held: &'b [bool],
    /// Velocities before restitution; empty where nothing bounced.
    pub relaxed: &'b [Twist],
    pub pressed: &'b [Pressed],
    /// The least body of the island of each.
    pub islands: &'b [u32],
    pub joints: &'b Joints,
    pub settings: &'b Settings,
    pub until: f64,
}

/// Balances the account of each island, given where its bodies are now.
pub fn balance(rigids: &mut [Rigid], books: &Books) {
    let held = || books.bodies.held.iter().map(|&i| i as usize).filter(|&i| books.held[i]);
    // Where the sum of an island is, by its least body.
    let mut places = vec![u32::MAX; rigids.len()];
    let mut sums = Vec::new();
    for i in held() {
        let place = &mut places[books.islands[i] as usize];
        if *place == u32::MAX {
            *place = sums.len() as u32;
            // A matrix is the identity by default.
            sums.push(Island { inertia: DMat3::ZERO, ..Island::default() });
        }
    }
    let place = |i: usize| places[books.islands[i] as usize] as usize;
    for pair in books.pressed {
        for i in pair.bodies {
            let other = &rigids[pair.bodies[usize::from(pair.bodies[0] == i)] as usize];
            if let Some(island) = sums.get_mut(place(i as usize)) {
                island.is_tied |= !(other.is_dynamic() && other.moves());
                island.is_exempt |= other.carries() || pair.sticks;
            }
        }
    }
    for (bodies, tie) in books.joints.ties() {
        for body in bodies.into_iter().filter(|body| books.held.get(*body as usize) == Some(&true)) {
            let island = &mut sums[place(body as usize)];
            let is_fixed = |body: u32| {
                !rigids.get(body as usize).is_some_and(|rigid| rigid.is_dynamic() && rigid.moves())
            };
            let is_driven = |body: u32| rigids.get(body as usize).is_some_and(Rigid::drives);
            island.is_tied |= tie.holds_the_world || bodies.into_iter().any(is_fixed);
            island.is_exempt |= tie.works || bodies.into_iter().any(is_driven);
        }
    }
    for i in held() {
        sums[place(i)].add(&rigids[i], i, books);
    }
    let corrections: Vec<Option<Correction>> = sums.iter().map(Island::correction).collect();
    for i in held() {
        if let Some(correction) = &corrections[place(i)] {
            correction.apply(&mut rigids[i], books, i);
        }
    }
}

/// What restitution changed of the velocities of a body.
fn bounced(books: &Books, i: usize) -> Option<[DVec3; 2]> {
    let (before, after) = (books.relaxed.get(i)?, &books.bodies.speeds[i]);
    (before != after).then(|| [velocity(after) - velocity(before), spin(after) - spin(before)])
}

impl Island {
    fn add(&mut self, rigid: &Rigid, i: usize, books: &Books) {
        let (mass, before, now) = (rigid.inertia.mass, &books.before[i], &rigid.motion);
        let until = books.until * rigid.left;
        let flight = rigid.flight_from(books.settings.gravity, *before);
        let force = flight.acceleration * mass;
        let way = now.center - before.center;
        let spun = |m: &BodyState| rigid.inertia.spun(m.rotation, m.angular_velocity);
        let energy =
            |m: &BodyState| 0.5 * (mass * m.velocity.length_squared() + spun(m).dot(m.angular_velocity));
        self.is_tied |= rigid.given.linear_drag != 0.0 || rigid.given.angular_drag != 0.0;
        self.allowed += energy(before) + force.dot(way);
        if flight.torque != DVec3::ZERO {
            let turned = turned_by((now.rotation * before.rotation.inverse()).normalize());
            self.allowed += flight.torque.dot(turned);
        }
        let own = energy(now);
        self.energy += own;
        self.relaxed += own;
        if let Some([by, turn]) = bounced(books, i) {
            let change = BodyState { velocity: by, angular_velocity: turn, ..*now };
            let mixed = mass * by.dot(now.velocity) + spun(now).dot(turn);
            self.change += energy(&change);
            self.relaxed += energy(&change) - mixed;
        }
        self.mass += mass;
        self.moment += now.center * mass;
        self.momentum += now.velocity * mass;
        if !self.is_tied {
            let middle = before.center + way * 0.5;
            self.wanted += before.center.cross(before.velocity * mass) + spun(before);
            self.wanted += (middle.cross(force) + flight.torque) * until;
            self.spun += now.center.cross(now.velocity * mass) + spun(now);
            let turn = DMat3::from_quat(now.rotation);
            self.inertia += about_origin(now.center, mass) + turn * rigid.inertia.tensor * turn.transpose();
        }
    }

    fn correction(&self) -> Option<Correction> {
        if self.mass == 0.0 {
            return None;
        }
        let none = Correction {
            center: self.moment / self.mass,
            turn: DVec3::ZERO,
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
            share: 1.0,
            bounce: 1.0,
        };
        let mut found = if self.is_tied { none } else { self.whole(none)? };
        if self.is_exempt {
            return (!self.is_tied).then_some(found);
        }
        let allowed = self.allowed.max(0.0);
        // Of a turn that is missing the energy is added below.
        let turned =
            found.turn.dot(self.spun - found.center.cross(self.momentum) + 0.5 * (self.wanted - self.spun));
        let energy = self.energy + turned;
        if energy <= allowed {
            return (!self.is_tied).then_some(found);
        }
        if found.turn == DVec3::ZERO && self.change > 0.0 && self.relaxed <= allowed {
            found.bounce = self.bounce(allowed);
            return Some(found);
        }
        let floor = 0.5 * self.mass * found.velocity.length_squared()
            + 0.5 * found.spin.dot(self.about_center(found.center) * found.spin);
        let share = ((allowed - floor).max(0.0) / (energy - floor)).sqrt().min(1.0);
        found.share = if share.is_finite() { share } else { 1.0 };
        Some(found)
    }

    /// With the motion of the whole and the turn that it lacks; none where they are no numbers.
    fn whole(&self, none: Correction) -> Option<Correction> {
        let inverse = self.about_center(none.center).inverse();
        let turn = inverse * (self.wanted - self.spun);
        let spin = inverse * (self.wanted - none.center.cross(self.momentum));
        (turn.is_finite() && spin.is_finite()).then_some(Correction {
            turn,
            spin,
            velocity: self.momentum / self.mass,
            ..none
        })
    }

    /// The inertia about the centre.
    fn about_center(&self, center: DVec3) -> DMat3 {
        self.inertia - about_origin(center, self.mass)
    }

    /// The share s of restitution with relaxed + b s + change s² = allowed.
    fn bounce(&self, allowed: f64) -> f64 {
        let b = self.energy - self.relaxed - self.change;
        let root = (b * b + 4.0 * self.change * (allowed - self.relaxed)).max(0.0).sqrt();
        ((root - b) / (2.0 * self.change)).clamp(0.0, 1.0)
    }
}

/// The inertia about the origin of a mass at a place.
fn about_origin(p: DVec3, mass: f64) -> DMat3 {
    let outer = DMat3::from_cols(p * p.x, p * p.y, p * p.z);
    (DMat3::from_diagonal(DVec3::splat(p.length_squared())) - outer) * mass
}

impl Correction {
    fn apply(&self, rigid: &mut Rigid, books: &Books, i: usize) {
        let motion = &mut rigid.motion;
        if self.bounce < 1.0
            && let Some([by, turn]) = bounced(books, i)
        {
            motion.velocity -= by * (1.0 - self.bounce);
            motion.angular_velocity -= turn * (1.0 - self.bounce);
        }
        let arm = motion.center - self.center;
        let (velocity, spin) = (motion.velocity + self.turn.cross(arm), motion.angular_velocity + self.turn);
        let whole = self.velocity + self.spin.cross(arm);
        motion.velocity = whole + (velocity - whole) * self.share;
        motion.angular_velocity = self.spin + (spin - self.spin) * self.share;
    }
}
