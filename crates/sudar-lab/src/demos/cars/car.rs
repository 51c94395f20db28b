//! How a bumper car moves.

use sudar::glam::DVec2;
use sudar::{DQuat, DVec3, Pose};

/// Metres a second squared that the motor gives.
pub const PUSH: f64 = 9.0;
/// The part of the forward speed that is lost in a second; at full power a car comes to `PUSH / DRAG` = 10 m/s.
pub const DRAG: f64 = 0.9;
/// The part of the speed aside that the wheels take away in a second.
pub const GRIP: f64 = 4.0;
/// Radians a second at full lock.
pub const TURN: f64 = 2.4;
/// From this speed on the wheel has its full effect; a car at rest does not turn.
const ROLLING: f64 = 2.5;

/// What a driver does.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Controls {
    /// From −1, backward, to 1, forward.
    pub throttle: f64,
    /// From −1, to the right, to 1, to the left.
    pub steer: f64,
}

/// A car on the floor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Car {
    /// Its middle.
    pub at: DVec2,
    /// Where its front is, in radians from x.
    pub heading: f64,
    /// Metres a second. A car that was hit slides wherever it was sent.
    pub velocity: DVec2,
    /// Kilograms.
    pub mass: f64,
}

impl Car {
    /// The direction of its front.
    pub fn forward(&self) -> DVec2 {
        DVec2::new(libm::cos(self.heading), libm::sin(self.heading))
    }

    /// Drives for so many seconds: both speeds have closed forms, since they change in proportion to themselves.
    pub fn drive(&mut self, controls: Controls, seconds: f64) {
        let rolls = (self.velocity.dot(self.forward()) / ROLLING).clamp(-1.0, 1.0);
        self.heading += TURN * controls.steer.clamp(-1.0, 1.0) * rolls * seconds;
        let forward = self.forward();
        let along = self.velocity.dot(forward);
        let aside = self.velocity - forward * along;
        let [drag, grip] = [DRAG, GRIP].map(|rate| libm::exp(-rate * seconds));
        let limit = PUSH * controls.throttle.clamp(-1.0, 1.0) / DRAG;
        let way = limit * seconds + (along - limit) * (1.0 - drag) / DRAG;
        self.at += forward * way + aside * ((1.0 - grip) / GRIP);
        self.velocity = forward * (limit + (along - limit) * drag) + aside * grip;
    }

    /// Where its model is. On the floor there are no other poses.
    pub fn pose(&self) -> Pose {
        let rotation =
            DQuat::from_xyzw(0.0, 0.0, libm::sin(0.5 * self.heading), libm::cos(0.5 * self.heading));
        Pose::new(self.at.extend(0.0), rotation).unwrap_or(Pose::IDENTITY)
    }

    /// Its middle in space.
    pub fn center(&self) -> DVec3 {
        self.at.extend(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at_rest() -> Car {
        Car { at: DVec2::ZERO, heading: 0.3, velocity: DVec2::ZERO, mass: 300.0 }
    }

    /// v' = a − c·v from rest: v = (a/c)(1 − e^(−ct)), s = (a/c)(t − v/a).
    #[test]
    fn a_car_straight_ahead_follows_the_closed_form() {
        let mut car = at_rest();
        (0..120).for_each(|_| car.drive(Controls { throttle: 1.0, steer: 0.0 }, 1.0 / 60.0));
        let speed = PUSH / DRAG * (1.0 - libm::exp(-2.0 * DRAG));
        let way = PUSH / DRAG * (2.0 - speed / PUSH);
        assert!((car.velocity.dot(car.forward()) - speed).abs() < 1e-9);
        assert!((car.at.dot(car.forward()) - way).abs() < 1e-9 && car.at.length() - way < 1e-9);
    }

    /// What slides aside comes to rest after v/GRIP metres.
    #[test]
    fn a_car_that_slides_aside_stops_where_its_wheels_hold_it() {
        let mut car = at_rest();
        let aside = car.forward().perp();
        car.velocity = aside * 6.0;
        (0..600).for_each(|_| car.drive(Controls::default(), 1.0 / 60.0));
        assert!((car.at.dot(aside) - 6.0 / GRIP).abs() < 1e-9);
    }

    #[test]
    fn a_car_at_rest_does_not_turn_and_backs_the_other_way_round() {
        let mut car = at_rest();
        car.drive(Controls { throttle: 0.0, steer: 1.0 }, 0.5);
        assert_eq!(car.heading, 0.3);
        for (throttle, sign) in [(1.0, 1.0), (-1.0, -1.0)] {
            let mut car = at_rest();
            (0..60).for_each(|_| car.drive(Controls { throttle, steer: 1.0 }, 1.0 / 60.0));
            assert!((car.heading - 0.3) * sign > 0.5);
        }
    }
}
