//! How the computer drives: three characters, none of which knows more than places and speeds.

use std::f64::consts::{PI, TAU};

use sudar::glam::DVec2;

use super::arena::{LIMIT, keep_inside, room};
use super::car::{Car, Controls};
use super::referee::CARS;
use crate::demos::random::Random;

/// What a driver is after.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Character {
    /// Drives at where another car will be, the player's rather than one as near.
    Hunter,
    /// Keeps to where others are far and the wall is not near.
    Dodger,
    /// Drives from place to place and minds nobody.
    Wanderer,
}

/// A driver with what it keeps in mind.
#[derive(Debug, Clone)]
pub struct Driver {
    character: Character,
    /// Seconds that it has hardly moved, and that it still backs.
    stuck: f64,
    back: f64,
    /// Where a wanderer drives, and for how long.
    goal: DVec2,
    patience: f64,
    random: Random,
}

/// Slower than this a car is stuck, in metres a second; after half a second it backs.
const CRAWL: f64 = 0.8;
const STUCK: f64 = 0.5;
const BACK: f64 = 0.7;

/// How far ahead a dodger looks: so many times so many seconds.
const LOOKS: u32 = 12;
const LOOK: f64 = 0.12;

impl Driver {
    /// One of this character; wanderers of different seeds go different ways.
    pub fn new(character: Character, seed: u32) -> Self {
        let random = Random::new(seed);
        Self { character, stuck: 0.0, back: 0.0, goal: DVec2::ZERO, patience: 0.0, random }
    }

    /// What it does with the car of that number during so many seconds.
    pub fn drive(&mut self, me: usize, cars: &[Car; CARS], seconds: f64) -> Controls {
        let car = &cars[me];
        self.back = (self.back - seconds).max(0.0);
        self.stuck = if car.velocity.length() < CRAWL { self.stuck + seconds } else { 0.0 };
        if self.stuck > STUCK {
            (self.stuck, self.back) = (0.0, BACK);
        }
        let ahead = match self.character {
            Character::Hunter => toward(car, prey(me, cars)),
            Character::Dodger => away(me, cars),
            Character::Wanderer => toward(car, self.wander(car, seconds)),
        };
        if self.back > 0.0 { Controls { throttle: -1.0, steer: -ahead.steer } } else { ahead }
    }

    fn wander(&mut self, car: &Car, seconds: f64) -> DVec2 {
        self.patience -= seconds;
        if self.patience <= 0.0 || car.at.distance(self.goal) < 3.0 {
            let far = LIMIT * 0.9 * self.random.between(0.0, 1.0).sqrt();
            let angle = self.random.between(0.0, TAU);
            self.goal = DVec2::new(libm::cos(angle), libm::sin(angle)) * far;
            self.patience = 6.0;
        }
        self.goal
    }
}

/// The wheel towards a place, full power.
fn toward(car: &Car, goal: DVec2) -> Controls {
    let angle = angle(car, goal - car.at);
    // With the goal behind, a tighter curve at less speed.
    let throttle = if angle.abs() > 0.6 * PI { 0.6 } else { 1.0 };
    Controls { throttle, steer: (2.0 * angle).clamp(-1.0, 1.0) }
}

/// From the front of the car to a direction, in −π..π, left positive.
fn angle(car: &Car, way: DVec2) -> f64 {
    let forward = car.forward();
    libm::atan2(forward.perp_dot(way), forward.dot(way))
}

fn others(me: usize, cars: &[Car; CARS]) -> impl Iterator<Item = (usize, &Car)> {
    cars.iter().enumerate().filter(move |(i, _)| *i != me)
}

/// Where the other car will be that is worth it most.
fn prey(me: usize, cars: &[Car; CARS]) -> DVec2 {
    let own = &cars[me];
    let effort = |(i, car): &(usize, &Car)| own.at.distance(car.at) * if *i == 0 { 0.5 } else { 1.0 };
    let best = others(me, cars).min_by(|a, b| effort(a).total_cmp(&effort(b)));
    let Some((_, car)) = best else { return DVec2::ZERO };
    let meeting = car.at + car.velocity * (own.at.distance(car.at) / 12.0).min(1.5);
    meeting.clamp_length_max(LIMIT)
}

/// The wheel that leads away: each is tried for a while, with the others on their courses.
fn away(me: usize, cars: &[Car; CARS]) -> Controls {
    let worth = |steer: f64| {
        let (mut own, mut nearest) = (cars[me], f64::INFINITY);
        for k in 1..=LOOKS {
            own.drive(Controls { throttle: 1.0, steer }, LOOK);
            keep_inside(&mut own);
            let later = LOOK * f64::from(k);
            let at = |car: &Car| own.at.distance(car.at + car.velocity * later);
            nearest = others(me, cars).map(|(_, car)| at(car)).fold(nearest, f64::min);
        }
        let goes = own.velocity.length();
        nearest.min(20.0) + 6.0 * room(own.at).min(0.4) + 0.3 * goes - 0.3 * steer.abs()
    };
    let wheels = [0.0, 0.5, -0.5, 1.0, -1.0];
    let steer = wheels.into_iter().max_by(|a, b| worth(*a).total_cmp(&worth(*b))).unwrap_or(0.0);
    Controls { throttle: 1.0, steer }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: f64 = 1.0 / 60.0;

    fn car(x: f64, y: f64, heading: f64) -> Car {
        Car { at: DVec2::new(x, y), heading, velocity: DVec2::ZERO, mass: 300.0 }
    }

    /// Car 0 stands or is driven; car 1 has a driver; the others stand far away.
    fn run(
        cars: &mut [Car; CARS],
        drivers: &mut [Option<Driver>; CARS],
        seconds: f64,
        mut each: impl FnMut(&[Car; CARS]),
    ) {
        for _ in 0..(seconds / STEP) as u32 {
            let before = *cars;
            for i in 0..CARS {
                let controls = drivers[i].as_mut().map_or(Controls::default(), |d| d.drive(i, &before, STEP));
                cars[i].drive(controls, STEP);
                keep_inside(&mut cars[i]);
            }
            each(cars);
        }
    }

    #[test]
    fn a_hunter_reaches_a_car_that_stands_from_wherever_it_looks() {
        for i in 0..12 {
            let mut cars = [
                car(10.0, 4.0, 0.0),
                car(-9.0, -3.0, 0.6 * f64::from(i)),
                car(0.0, 19.0, 0.0),
                car(0.0, -19.0, 0.0),
            ];
            let mut least = f64::INFINITY;
            let mut drivers = [None, Some(Driver::new(Character::Hunter, 1)), None, None];
            run(&mut cars, &mut drivers, 5.0, |cars| least = least.min(cars[0].at.distance(cars[1].at)));
            assert!(least < 3.0, "{i}: {least}");
        }
    }

    /// A car rolls straight at it, from 15 m away with 18 m/s, from any side: after 1.5 s one that stood
    /// would be hit. Cars are 1.8 m wide; from straight ahead it is too late to turn.
    #[test]
    fn a_dodger_gets_out_of_the_way() {
        for i in (0..24).filter(|i: &i32| i.abs_diff(12) > 1) {
            let heading = TAU * f64::from(i) / 24.0;
            let (way, aside) = (DVec2::new(libm::cos(heading), libm::sin(heading)), DVec2::new(0.0, 19.5));
            let mut cars =
                [car(0.0, 0.0, heading), car(0.0, 0.0, 0.0), car(0.0, 19.5, 0.0), car(0.0, 0.0, 0.0)];
            (cars[0].at, cars[2].at, cars[3].at) = (way * -15.0, aside, -aside);
            cars[0].velocity = way * 18.0;
            let mut drivers = [None, Some(Driver::new(Character::Dodger, 1)), None, None];
            let mut least = f64::INFINITY;
            run(&mut cars, &mut drivers, 2.5, |cars| least = least.min(cars[0].at.distance(cars[1].at)));
            assert!(least > 1.8, "{i}: {least}");
        }
    }

    #[test]
    fn a_wanderer_comes_everywhere() {
        let mut cars = [car(0.0, 0.0, 0.0), car(1.0, 0.0, 0.0), car(0.0, 19.5, 0.0), car(0.0, -19.5, 0.0)];
        let mut seen = [false; 4];
        let mut drivers = [None, Some(Driver::new(Character::Wanderer, 3)), None, None];
        run(&mut cars, &mut drivers, 60.0, |cars| {
            let at = cars[1].at;
            seen[usize::from(at.x > 0.0) + 2 * usize::from(at.y > 0.0)] |= at.length() > 8.0;
        });
        assert_eq!(seen, [true; 4]);
    }

    #[test]
    fn a_car_at_the_wall_comes_away_from_it() {
        for character in [Character::Hunter, Character::Dodger, Character::Wanderer] {
            let mut cars =
                [car(-10.0, 0.0, 0.0), car(LIMIT, 0.0, 0.0), car(0.0, 19.5, 0.0), car(0.0, -19.5, 0.0)];
            let mut drivers = [None, Some(Driver::new(character, 4)), None, None];
            let mut most: f64 = 0.0;
            run(&mut cars, &mut drivers, 6.0, |cars| most = most.max(room(cars[1].at)));
            assert!(most > 0.3, "{character:?}: {most}");
        }
    }
}
