//! The game: thirty seconds to hit the others as often as one can (Daneu 2002, section 4.3).

use std::f64::consts::{FRAC_PI_2, PI};

use sudar::dynamics::BodyState;
use sudar::glam::DVec2;
use sudar::pair::ray_obb;
use sudar::{DMat3, DQuat, DVec3, Obb, Ray};
use sudar_classic::CdError;
use sudar_classic::response::exchanged_velocity;

use super::arena::keep_inside;
use super::car::{Car, Controls};
use super::driver::{Character, Driver};
use super::hits::Hits;
use super::referee::{Allowance, CARS, Outcome, Referee, Turn};
use crate::clock::Clock;
use crate::demos::hand::Holdable;

/// How long a game lasts.
pub const SECONDS: f64 = 30.0;

/// Who drives the cars; of these the first only when the player does not.
const CHARACTERS: [Character; CARS] =
    [Character::Hunter, Character::Hunter, Character::Dodger, Character::Wanderer];

/// Half the sides of a box around a car, in metres.
const HALF: DVec3 = DVec3::new(2.1, 0.9, 0.7);

/// Kilograms.
const MASSES: [f64; CARS] = [300.0, 340.0, 260.0, 300.0];

/// A game from its start to its end.
#[derive(Debug, Clone)]
pub struct Game {
    /// The cars; the first is the player's.
    pub cars: [Car; CARS],
    drivers: [Driver; CARS],
    referee: Referee,
    hits: Hits,
    left: f64,
    turns: Vec<Turn>,
    struck: Vec<DVec3>,
}

impl Game {
    /// Four cars that face each other.
    ///
    /// # Errors
    /// [`CdError`], which the models of the cars do not cause.
    pub fn new() -> Result<Self, CdError> {
        let car = |i: usize| {
            let angle = FRAC_PI_2 * (i as f64 - 1.0);
            let at = DVec2::new(libm::cos(angle), libm::sin(angle)) * 14.0;
            Car { at, heading: angle + PI, velocity: DVec2::ZERO, mass: MASSES[i] }
        };
        Ok(Self {
            cars: std::array::from_fn(car),
            drivers: std::array::from_fn(|i| Driver::new(CHARACTERS[i], 11 + i as u32)),
            referee: Referee::new()?,
            hits: Hits::default(),
            left: SECONDS,
            turns: Vec::new(),
            struck: Vec::new(),
        })
    }

    /// Goes on by so many seconds. Without controls of the player the computer drives that car too. When the time is
    /// over the cars roll out, and hits do not count any more.
    pub fn step(&mut self, player: Option<Controls>, allowance: Allowance, clock: Clock, seconds: f64) {
        let is_over = self.is_over();
        self.left = (self.left - seconds).max(0.0);
        let before = self.cars;
        for (i, car) in self.cars.iter_mut().enumerate() {
            let own = self.drivers[i].drive(i, &before, seconds);
            let chosen = if i == 0 { player.unwrap_or(own) } else { own };
            car.drive(if is_over { Controls::default() } else { chosen }, seconds);
            keep_inside(car);
        }
        let poses = self.cars.map(|car| car.pose());
        self.turns = self.referee.decide(&poses, allowance, clock).to_vec();
        self.struck.clear();
        for (k, turn) in self.turns.iter().enumerate() {
            if let Some(point) = turn.outcome.point() {
                respond(&mut self.cars, turn.pair, point);
            }
            // What is only assumed moves the cars, and earns nothing.
            let is_touching = matches!(turn.outcome, Outcome::Hit(_));
            if !is_over && self.hits.note(k, is_touching, seconds) {
                self.struck.extend(turn.outcome.point());
            }
        }
    }

    /// Whether the time is over.
    pub fn is_over(&self) -> bool {
        self.left <= 0.0
    }

    /// Seconds that are left.
    pub fn left(&self) -> f64 {
        self.left
    }

    /// How many hits a car was part of; those of the first are the player's score.
    pub fn hits(&self, car: usize) -> u32 {
        self.hits.of(car)
    }

    /// What was done about each pair in the last step; nothing before the first.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// Where cars came to touch in the last step.
    pub fn struck(&self) -> &[DVec3] {
        &self.struck
    }

    /// The grid.
    pub fn referee(&self) -> &Referee {
        &self.referee
    }
}

impl Holdable for Game {
    type Id = usize;

    fn first(&self, ray: &Ray) -> Option<(usize, DVec3)> {
        let hit = |(i, car): (usize, &Car)| {
            let [ahead, aside] = [car.forward(), car.forward().perp()].map(|way| way.extend(0.0));
            let axes = DMat3::from_cols(ahead, aside, DVec3::Z);
            let around = Obb { center: car.center() + DVec3::Z * HALF.z, half: HALF, axes };
            Some((i, ray_obb(ray, &around, f64::INFINITY)?.t))
        };
        let hits = self.cars.iter().enumerate().filter_map(hit);
        let (i, t) = hits.min_by(|(_, s), (_, t)| s.total_cmp(t))?;
        Some((i, ray.origin + ray.direction * t))
    }

    fn motion(&self, i: usize) -> Option<(BodyState, f64)> {
        let car = self.cars.get(i)?;
        let rotation = DQuat::from_rotation_z(car.heading);
        let (center, velocity) = (car.center(), car.velocity.extend(0.0));
        Some((BodyState { center, rotation, velocity, angular_velocity: DVec3::ZERO }, car.mass))
    }

    /// On the floor, whatever pulls upwards; cars are turned by their wheels alone.
    fn nudge(&mut self, i: usize, impulse: DVec3, _: DVec3) {
        self.cars[i].velocity += impulse.truncate() / self.cars[i].mass;
    }
}

/// Each goes away from the contact with the length of the other's momentum (section 4.3.3); the floor keeps cars in its
/// plane.
fn respond(cars: &mut [Car; CARS], pair: [usize; 2], point: DVec3) {
    let momenta = pair.map(|i| cars[i].velocity.length() * cars[i].mass);
    let flat = DVec3::new(point.x, point.y, 0.0);
    let between = (cars[pair[1]].center() - cars[pair[0]].center()).normalize_or(DVec3::X);
    for (side, i) in pair.into_iter().enumerate() {
        let away = if side == 0 { -between } else { between };
        let car = &mut cars[i];
        car.velocity =
            exchanged_velocity(car.center(), flat, away, momenta[1 - side], 1.0 / car.mass).truncate();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demos::cars::arena::LIMIT;

    const STEP: f64 = 1.0 / 60.0;
    const PLENTY: Allowance = Allowance { milliseconds: 30.0, is_measured: false };

    fn play(steps: u32, allowance: Allowance, player: Option<Controls>) -> Game {
        let mut game = Game::new().unwrap();
        for _ in 0..steps {
            game.step(player, allowance, Clock::default(), STEP);
            assert!(
                game.cars
                    .iter()
                    .all(|car| car.at.length() <= LIMIT * (1.0 + 1e-12) && car.velocity.is_finite())
            );
        }
        game
    }

    /// Each takes on the length of the other's momentum: 300 kg at 6 m/s, 200 kg at 3 m/s.
    #[test]
    fn momenta_are_exchanged_as_the_source_says() {
        let mut cars = Game::new().unwrap().cars;
        cars[0] = Car { at: DVec2::ZERO, heading: 0.0, velocity: DVec2::new(6.0, 0.0), mass: 300.0 };
        cars[1] = Car { at: DVec2::new(4.0, 0.0), heading: 0.0, velocity: DVec2::new(0.0, 3.0), mass: 200.0 };
        respond(&mut cars, [0, 1], DVec3::new(2.0, 0.0, 0.7));
        assert!((cars[0].velocity - DVec2::new(-2.0, 0.0)).length() < 1e-12);
        assert!((cars[1].velocity - DVec2::new(9.0, 0.0)).length() < 1e-12);
    }

    #[test]
    fn a_game_ends_after_thirty_seconds_and_counts_no_more() {
        let mut game = play(1799, PLENTY, None);
        assert!(!game.is_over());
        (0..2).for_each(|_| game.step(None, PLENTY, Clock::default(), STEP));
        assert!(game.is_over());
        let hits: Vec<u32> = (0..CARS).map(|i| game.hits(i)).collect();
        assert!(hits[0] >= 3, "{hits:?}");
        // Everybody at the player: no more hits.
        game.cars = [game.cars[0]; CARS];
        (0..60).for_each(|_| game.step(None, PLENTY, Clock::default(), STEP));
        assert_eq!(hits, (0..CARS).map(|i| game.hits(i)).collect::<Vec<_>>());
    }

    #[test]
    fn equal_runs_are_equal_bit_by_bit() {
        let drive = Some(Controls { throttle: 1.0, steer: 0.2 });
        let [a, b] = [(); 2].map(|()| play(400, PLENTY, drive));
        assert_eq!(a.cars, b.cars);
        assert_eq!((a.hits(0), a.turns()), (b.hits(0), b.turns()));
    }

    /// With plenty of work no test of a whole game is cut off; with none all are, and nobody scores.
    #[test]
    fn without_work_cars_keep_off_each_other_and_nobody_scores() {
        let none = Allowance { milliseconds: 0.0, is_measured: false };
        let game = play(600, none, None);
        assert_eq!((0..CARS).map(|i| game.hits(i)).sum::<u32>(), 0);
        let mut game = Game::new().unwrap();
        for _ in 0..600 {
            game.step(None, PLENTY, Clock::default(), STEP);
            assert!(game.turns().iter().all(|turn| !matches!(turn.outcome, Outcome::Assumed(_))));
        }
    }
}
