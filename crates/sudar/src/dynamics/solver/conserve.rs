//! Bodies that touch only each other keep their momenta.
//!
//! Contacts act where they were at the start of a step while bodies move on, and fast bodies are stopped: so
//! the angular momentum of a heap comes out a little off, though each impulse is opposite and equal. A heap
//! that touches nothing fixed gets what is missing as a turn of the whole, which changes no contact. Against
//! that common motion it is slowed if it has more energy than it had.

use glam::{DMat3, DVec3};

use super::islands::Pressed;
use crate::dynamics::matter::{BodyState, Rigid};
use crate::dynamics::settings::Settings;

/// Sums over the bodies of a heap.
#[derive(Debug, Clone, Copy)]
struct Heap {
    is_tied: bool,
    sticks: bool,
    mass: f64,
    /// Mass times centre.
    moment: DVec3,
    momentum: DVec3,
    /// About the origin: what it must be, and what it is.
    wanted: DVec3,
    spun: DVec3,
    /// About the origin.
    inertia: DMat3,
    /// What the energy may be at most, and what it is.
    allowed: f64,
    energy: f64,
}

/// The motion of a heap as a whole, and what is left of the motion of its bodies against it.
struct Common {
    center: DVec3,
    velocity: DVec3,
    spin: DVec3,
    share: f64,
}

/// Gives each heap its angular momentum and no more than its energy, given the bodies that contacts may move
/// and the heap of each.
pub fn conserve(
    rigids: &mut [Rigid],
    before: &[BodyState],
    pressed: &[Pressed],
    [held, heaps]: [&[u32]; 2],
    settings: &Settings,
    until: f64,
) {
    let mut sums = vec![Heap::NONE; rigids.len()];
    for pair in pressed {
        for i in pair.bodies {
            let other = pair.bodies[usize::from(pair.bodies[0] == i)] as usize;
            let heap = &mut sums[heaps[i as usize] as usize];
            heap.is_tied |= !(rigids[other].is_dynamic() && rigids[other].moves());
            heap.sticks |= pair.sticks;
        }
    }
    let own = || held.iter().map(|&i| i as usize);
    for i in own() {
        let heap = &mut sums[heaps[i] as usize];
        heap.is_tied |= rigids[i].given.linear_drag != 0.0 || rigids[i].given.angular_drag != 0.0;
        if !heap.is_tied {
            heap.add(&rigids[i], &before[i], settings, until);
        }
    }
    let common: Vec<Option<Common>> = sums.iter().map(Heap::common).collect();
    for i in own() {
        let (heap, motion) = (heaps[i] as usize, &mut rigids[i].motion);
        let (Some(common), Some(turned)) = (&common[heap], sums[heap].turned()) else { continue };
        let whole = common.velocity + common.spin.cross(motion.center - common.center);
        // The turn that is missing, and the rest against the motion of the whole.
        let velocity = motion.velocity + turned.cross(motion.center - common.center);
        let spin = motion.angular_velocity + turned;
        motion.velocity = whole + (velocity - whole) * common.share;
        motion.angular_velocity = common.spin + (spin - common.spin) * common.share;
    }
}

impl Heap {
    const NONE: Self = Self {
        is_tied: false,
        sticks: false,
        mass: 0.0,
        moment: DVec3::ZERO,
        momentum: DVec3::ZERO,
        wanted: DVec3::ZERO,
        spun: DVec3::ZERO,
        inertia: DMat3::ZERO,
        allowed: 0.0,
        energy: 0.0,
    };

    fn add(&mut self, rigid: &Rigid, before: &BodyState, settings: &Settings, until: f64) {
        let (mass, now) = (rigid.inertia.mass, &rigid.motion);
        let flight = rigid.flight(settings.gravity);
        let force = flight.acceleration * mass;
        let way = now.center - before.center;
        let spun = |m: &BodyState| rigid.inertia.spun(m.rotation, m.angular_velocity);
        let energy =
            |m: &BodyState| 0.5 * (mass * m.velocity.length_squared() + spun(m).dot(m.angular_velocity));
        self.mass += mass;
        self.moment += now.center * mass;
        self.momentum += now.velocity * mass;
        let middle = before.center + way * 0.5;
        self.wanted += before.center.cross(before.velocity * mass) + spun(before);
        self.wanted += (middle.cross(force) + flight.torque) * until;
        self.spun += now.center.cross(now.velocity * mass) + spun(now);
        let square = DMat3::from_diagonal(DVec3::splat(now.center.length_squared()));
        let outer =
            DMat3::from_cols(now.center * now.center.x, now.center * now.center.y, now.center * now.center.z);
        let turn = DMat3::from_quat(now.rotation);
        self.inertia += (square - outer) * mass + turn * rigid.inertia.tensor * turn.transpose();
        let turned = flight.torque.dot(before.angular_velocity + now.angular_velocity) * (0.5 * until);
        self.allowed += energy(before) + force.dot(way) + turned;
        self.energy += energy(now);
    }

    fn center(&self) -> DVec3 {
        self.moment / self.mass
    }

    /// The inertia about the centre.
    fn about_center(&self) -> DMat3 {
        let c = self.center();
        let outer = DMat3::from_cols(c * c.x, c * c.y, c * c.z);
        self.inertia - (DMat3::from_diagonal(DVec3::splat(c.length_squared())) - outer) * self.mass
    }

    /// The turn of the whole that gives the momentum that is missing; none of a heap that something else holds.
    fn turned(&self) -> Option<DVec3> {
        let free = self.mass > 0.0 && !self.is_tied;
        free.then(|| self.about_center().inverse() * (self.wanted - self.spun))
            .filter(|turn| turn.is_finite())
    }

    fn common(&self) -> Option<Common> {
        let turned = self.turned()?;
        let (center, velocity) = (self.center(), self.momentum / self.mass);
        let own = self.wanted - center.cross(self.momentum);
        let spin = self.about_center().inverse() * own;
        let floor = 0.5 * (self.momentum.dot(velocity) + own.dot(spin));
        let missing = self.wanted - self.spun;
        let now =
            self.energy + turned.dot(self.spun - center.cross(self.momentum)) + 0.5 * turned.dot(missing);
        let share = ((self.allowed - floor).max(0.0) / (now - floor)).sqrt().min(1.0);
        let share = if share.is_finite() && !self.sticks { share } else { 1.0 };
        Some(Common { center, velocity, spin, share })
    }
}
