//! The computer as a player: the whole course, place by place.

use sudar::DVec3;
use sudar::glam::DVec2;

use super::engines::Lift;
use super::hero::{Hero, Wish};
use super::rooms::SHELF;

/// What is to be done next.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Leg {
    /// Walk to a place on the floor.
    Go(f64, f64),
    /// Run there.
    Run(f64, f64),
    /// Wait until the lift is below.
    Wait,
    /// Stand on the lift until it is above.
    Ride,
    /// Jump, and be so high in the end.
    Jump(f64),
}

/// Up the stairs, through the door and the dolls, onto the lift, up through the platform, along the belt, onto the
/// plate, down the slope and through the gate.
const LEGS: [Leg; 14] = [
    Leg::Go(0.0, 3.0),
    Leg::Go(0.0, 8.0),
    Leg::Go(-2.0, 10.5),
    Leg::Go(-2.0, 13.5),
    Leg::Go(-0.2, 17.3),
    Leg::Wait,
    Leg::Go(-0.3, 19.0),
    Leg::Ride,
    Leg::Go(7.25, 19.3),
    Leg::Jump(SHELF),
    Leg::Go(7.25, 7.0),
    Leg::Go(7.25, 4.5),
    Leg::Run(7.25, -4.5),
    Leg::Run(7.25, -9.0),
];

/// Nearer than this it is there, in metres.
const NEAR: f64 = 0.15;

/// Seconds after which a leg is given up, and how long it stands at the end.
const PATIENCE: f64 = 20.0;

/// How far it is on its way.
#[derive(Debug, Clone, Copy, Default)]
pub struct Pilot {
    leg: usize,
    /// Seconds on this one.
    spent: f64,
}

impl Pilot {
    /// What it wants now.
    pub fn wish(&mut self, hero: &Hero, lift: &Lift, seconds: f64) -> Wish {
        let Some(leg) = LEGS.get(self.leg) else { return Wish::default() };
        self.spent += seconds;
        if is_done(*leg, hero, lift) || self.spent > PATIENCE {
            (self.leg, self.spent) = (self.leg + 1, 0.0);
            return Wish::default();
        }
        match *leg {
            Leg::Go(x, y) => Wish { way: toward(hero, x, y), ..Wish::default() },
            Leg::Run(x, y) => Wish { way: toward(hero, x, y), runs: true, jumps: false },
            Leg::Wait | Leg::Ride => Wish::default(),
            Leg::Jump(_) => Wish { jumps: self.spent < 0.1, ..Wish::default() },
        }
    }

    /// Whether it is at the end of the course.
    #[cfg(test)]
    pub fn is_over(&self) -> bool {
        self.leg >= LEGS.len()
    }
}

fn toward(hero: &Hero, x: f64, y: f64) -> DVec3 {
    let way = DVec3::new(x, y, 0.0) - hero.position().with_z(0.0);
    (way / 0.3).clamp_length_max(1.0)
}

fn is_done(leg: Leg, hero: &Hero, lift: &Lift) -> bool {
    let [is_below, is_above] = lift.waits();
    match leg {
        Leg::Go(x, y) | Leg::Run(x, y) => (hero.position().truncate() - DVec2::new(x, y)).length() < NEAR,
        Leg::Wait => is_below,
        Leg::Ride => is_above,
        Leg::Jump(height) => hero.character.is_grounded() && hero.feet() > height - 0.05,
    }
}
