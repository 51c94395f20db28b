//! The free flight of a body: where it is at any time, in closed form.

use glam::DVec3;

use super::driven::{Drive, driven};
use super::inertia::{Inertia, Spin};
use super::rotation::rotated;
use super::state::BodyState;

/// The motion of a body on which constant forces and drag act, from a time on.
///
/// The centre follows dv/dt = a − c·v in closed form, a parabola for c = 0. The angular momentum follows dL/dt = τ −
/// c·L, and the rotation is exact to rounding; without torque it is that without drag at the time (1 − e^(−ct))/c.
/// Under a torque it is exact up to 512 radians in one flight, up to 64 of a body of three moments, and beyond as near
/// as `driven` says; the momentum is exact always.
#[derive(Debug, Clone, Copy)]
pub struct Flight<'i> {
    /// Mass and inertia.
    pub inertia: &'i Inertia,
    /// Where it is at the start.
    pub from: BodyState,
    /// The time at which it starts.
    pub start: f64,
    /// Constant acceleration of the centre.
    pub acceleration: DVec3,
    /// Constant torque in the world.
    pub torque: DVec3,
    /// c of the velocity and of the angular velocity, in 1/s.
    pub drag: [f64; 2],
}

impl<'i> Flight<'i> {
    /// A flight without forces.
    pub fn free(inertia: &'i Inertia, from: BodyState, start: f64) -> Self {
        Self { inertia, from, start, acceleration: DVec3::ZERO, torque: DVec3::ZERO, drag: [0.0; 2] }
    }

    /// The motion at a time, not before the start.
    pub fn at(&self, time: f64) -> BodyState {
        let t = time - self.start;
        if t == 0.0 {
            return self.from;
        }
        let (rotation, angular_velocity) = self.rotation_after(t);
        let (center, velocity) = self.center_after(t);
        BodyState { center, rotation, velocity, angular_velocity }
    }

    /// The centre and its velocity at a time.
    #[inline]
    pub fn center_at(&self, time: f64) -> (DVec3, DVec3) {
        self.center_after(time - self.start)
    }

    #[inline]
    fn center_after(&self, t: f64) -> (DVec3, DVec3) {
        let (x, v, a, c) = (self.from.center, self.from.velocity, self.acceleration, self.drag[0]);
        if c == 0.0 {
            return (x + v * t + a * (0.5 * t * t), v + a * t);
        }
        let z = c * t;
        let (first, second) = decay(z);
        (x + v * (t * first) + a * (t * t * second), v * libm::exp(-z) + a * (t * first))
    }

    fn rotation_after(&self, t: f64) -> (glam::DQuat, DVec3) {
        let (q, omega) = (self.from.rotation, self.from.angular_velocity);
        if !self.inertia.is_free() {
            return ((super::turn(omega * t) * q).normalize(), omega);
        }
        let momentum = self.inertia.spun(q, omega);
        if self.torque == DVec3::ZERO {
            if omega == DVec3::ZERO {
                return (q, omega);
            }
            let (shrunk, time) = self.spinning_time(t);
            let turned = rotated(self.inertia, q, momentum, time);
            if matches!(self.inertia.spin, Spin::Round) {
                return (turned, omega * shrunk);
            }
            return (turned, self.inertia.unspun(turned, momentum * shrunk));
        }
        self.driven(t, momentum)
    }

    /// What drag leaves of the angular momentum after a time, and in which time a body without drag gets as far.
    pub(in crate::dynamics) fn spinning_time(&self, t: f64) -> (f64, f64) {
        let c = self.drag[1];
        if c == 0.0 { (1.0, t) } else { (libm::exp(-c * t), t * decay(c * t).0) }
    }

    /// With torque.
    fn driven(&self, t: f64, momentum: DVec3) -> (glam::DQuat, DVec3) {
        let drag = self.drag[1];
        let grown = |t: f64| momentum * libm::exp(-drag * t) + self.torque * (t * decay(drag * t).0);
        let drive = Drive { torque: self.torque, drag };
        let q = driven(self.inertia, self.from.rotation, &drive, t, grown);
        (q, self.inertia.unspun(q, grown(t)))
    }

    /// A bound on the angular speed up to a time.
    pub(in crate::dynamics) fn angular_speed(&self, time: f64) -> f64 {
        let omega = self.from.angular_velocity;
        if self.torque == DVec3::ZERO && (matches!(self.inertia.spin, Spin::Round) || !self.inertia.is_free())
        {
            return omega.length();
        }
        let momentum = self.inertia.spun(self.from.rotation, omega).length();
        let pushed = self.torque.length() * (time - self.start);
        (momentum + pushed) / self.inertia.moments.min_element()
    }

    /// A bound on the rate at which the angular velocity changes, given that on the angular speed.
    pub(in crate::dynamics) fn angular_change(&self, speed: f64) -> f64 {
        let gyration = if self.inertia.is_free() { self.inertia.gyration.abs().max_element() } else { 0.0 };
        let free = match self.inertia.spin {
            Spin::Round => 0.0,
            Spin::Symmetric { .. } | Spin::General => gyration * speed * speed,
        };
        free + self.torque.length() / self.inertia.moments.min_element() + self.drag[1] * speed
    }

    /// A bound on the length of the acceleration of the centre up to a time.
    pub(in crate::dynamics) fn push(&self) -> f64 {
        let speed = self.from.velocity.length();
        let a = self.acceleration.length();
        if self.drag[0] == 0.0 { a } else { a + self.drag[0] * speed.max(a / self.drag[0]) }
    }
}

/// (1 − e^(−z))/z and (z − 1 + e^(−z))/z².
fn decay(z: f64) -> (f64, f64) {
    if z < 1e-2 {
        let first = 1.0 - z * (0.5 - z * (1.0 / 6.0 - z * (1.0 / 24.0 - z * (1.0 / 120.0 - z / 720.0))));
        let second =
            0.5 - z * (1.0 / 6.0 - z * (1.0 / 24.0 - z * (1.0 / 120.0 - z * (1.0 / 720.0 - z / 5040.0))));
        return (first, second);
    }
    let gone = -libm::expm1(-z);
    (gone / z, (z - gone) / (z * z))
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DMat3, DQuat};

    fn body() -> Inertia {
        Inertia::new(2.0, DVec3::ZERO, DMat3::from_diagonal(DVec3::new(3.0, 2.0, 1.0)))
    }

    fn motion() -> BodyState {
        BodyState {
            center: DVec3::new(1.0, 2.0, 3.0),
            rotation: DQuat::IDENTITY,
            velocity: DVec3::new(4.0, 0.0, 5.0),
            angular_velocity: DVec3::new(0.3, 2.0, -1.0),
        }
    }

    #[test]
    fn a_throw_is_a_parabola() {
        let inertia = body();
        let flight = Flight { acceleration: DVec3::Z * -9.81, ..Flight::free(&inertia, motion(), 1.0) };
        let there = flight.at(3.0);
        assert_eq!(there.center, DVec3::new(9.0, 2.0, 13.0 - 0.5 * 9.81 * 4.0));
        assert_eq!(there.velocity, DVec3::new(4.0, 0.0, 5.0 - 9.81 * 2.0));
    }

    #[test]
    fn drag_slows_as_its_equation_says() {
        let inertia = body();
        let flight = |c: f64| Flight {
            acceleration: DVec3::Z * -9.81,
            drag: [c, c],
            ..Flight::free(&inertia, motion(), 0.0)
        };
        // The end of a long fall is a/c.
        assert!((flight(2.0).at(60.0).velocity - DVec3::Z * (-9.81 / 2.0)).length() < 1e-12);
        // The velocity is the derivative of the place, and both formulas of it agree where they meet.
        for c in [1e-9, 0.019, 0.021, 3.0] {
            let (a, b) = (flight(c).at(0.5 - 1e-5), flight(c).at(0.5 + 1e-5));
            let slope = (b.center - a.center) / 2e-5;
            assert!((slope - flight(c).at(0.5).velocity).length() < 1e-8, "{c}");
        }
        let spun = flight(2.0).at(1.0);
        let momentum = inertia.spun(spun.rotation, spun.angular_velocity).length();
        let first = inertia.spun(DQuat::IDENTITY, motion().angular_velocity).length();
        assert!((momentum / first - libm::exp(-2.0)).abs() < 1e-13);
    }

    #[test]
    fn torque_adds_to_the_angular_momentum() {
        let inertia = body();
        let torque = DVec3::new(1.0, -2.0, 0.5);
        let flight = Flight { torque, ..Flight::free(&inertia, motion(), 0.0) };
        let there = flight.at(0.7);
        let momentum = inertia.spun(there.rotation, there.angular_velocity);
        let first = inertia.spun(DQuat::IDENTITY, motion().angular_velocity);
        assert!((momentum - first - torque * 0.7).length() < 1e-12);
    }

    #[test]
    fn under_torque_energy_grows_by_the_work_done() {
        let torque = DVec3::new(1.0, -2.0, 0.5);
        for moments in [DVec3::new(3.0, 2.0, 1.0), DVec3::new(2.0, 2.0, 3.0), DVec3::ONE] {
            let inertia = Inertia::new(2.0, DVec3::ZERO, DMat3::from_diagonal(moments));
            for omega in [DVec3::ZERO, motion().angular_velocity, DVec3::new(0.0, 30.0, 0.1)] {
                let from = BodyState { angular_velocity: omega, ..motion() };
                let flight = Flight { torque, ..Flight::free(&inertia, from, 0.0) };
                let state = |time: f64| {
                    let at = flight.at(time);
                    let momentum = inertia.spun(at.rotation, at.angular_velocity);
                    (0.5 * at.angular_velocity.dot(momentum), torque.dot(at.angular_velocity))
                };
                // Simpson's rule over the power; its error falls with the fourth power of the steps.
                let (steps, end) = (2000, 0.7);
                let weight = |i: u32| if i == 0 || i == steps { 1.0 } else { 2.0 + 2.0 * f64::from(i % 2) };
                let power = |i: u32| state(end * f64::from(i) / f64::from(steps)).1;
                let work =
                    (0..=steps).map(|i| weight(i) * power(i)).sum::<f64>() * end / f64::from(steps) / 3.0;
                let gain = state(end).0 - state(0.0).0;
                assert!((gain - work).abs() < 1e-9 * (1.0 + work.abs()), "{moments} {omega}: {gain} {work}");
            }
        }
    }

    #[test]
    fn one_long_flight_under_torque_is_many_short_ones() {
        let inertia = body();
        for drag in [0.0, 0.8] {
            let (torque, drag) = (DVec3::new(1.0, -2.0, 0.5), [0.0, drag]);
            let from = |motion: BodyState| Flight { torque, drag, ..Flight::free(&inertia, motion, 0.0) };
            let whole = from(motion()).at(2.0);
            let short = (0..500).fold(motion(), |at, _| from(at).at(2.0 / 500.0));
            assert!(whole.rotation.dot(short.rotation).abs() > 1.0 - 1e-13);
            assert!((whole.angular_velocity - short.angular_velocity).length() < 1e-11);
        }
    }
}
