//! A car that a fan of rays steers among pillars.

use std::f64::consts::TAU;

use sudar::query::Body;
use sudar::{Cuboid, Cylinder, DQuat, DVec3, Pose, ShapeError};
use sudar_classic::pick::{Fan, Steering};
use sudar_view::{Color, Figure, Look, Placement, Scene};

/// The colours and their meaning.
pub const LEGEND: [(Color, &str); 3] = [
    (Color::GREEN, "ray, as far as it is free"),
    (Color::VERMILION, "ray that ends at an obstacle"),
    (Color::YELLOW, "where the car is steered"),
];

/// Half the width of the yard, the reach of rays, and half the angle of the fan.
const YARD: f64 = 12.0;
const REACH: f64 = 6.0;
const SPREAD: f64 = 1.2;

/// Half the sides of the car.
const HALF: DVec3 = DVec3::new(0.7, 0.35, 0.3);

/// Metres a second at most, and radians a second that it turns for a radian of steering.
const SPEED: f64 = 3.5;
const TURN: f64 = 2.4;

/// Metres ahead below which it turns on the spot.
const CLOSE: f64 = 0.7;

/// The car and what is in its way.
pub struct Drive {
    fan: Fan,
    obstacles: Vec<(Body, Pose)>,
    figures: Vec<Figure>,
    at: DVec3,
    heading: f64,
    free: Vec<f64>,
    steering: Option<Steering>,
    /// Radians a second, while it turns on the spot.
    spin: f64,
    /// Metres that it has driven.
    way: f64,
}

impl Drive {
    /// With so many rays.
    pub fn new(rays: u32) -> Result<Self, ShapeError> {
        let pillar = Body::new(Cylinder::new(0.7, 1.0)?);
        let place = |k: u32| {
            let angle = TAU * f64::from(k) / 9.0;
            let far = if k.is_multiple_of(3) { 4.0 } else { 7.5 };
            DVec3::new(far * libm::cos(angle), far * libm::sin(angle), 0.5)
        };
        let mut obstacles: Vec<(Body, Pose)> = (0..9)
            .map(|k| (pillar.clone(), Pose::from_translation(place(k)).unwrap_or(Pose::IDENTITY)))
            .collect();
        for (k, way) in [DVec3::X, DVec3::Y, DVec3::NEG_X, DVec3::NEG_Y].into_iter().enumerate() {
            let long =
                if k % 2 == 0 { DVec3::new(0.3, YARD + 0.6, 0.6) } else { DVec3::new(YARD + 0.6, 0.3, 0.6) };
            let wall = Pose::from_translation(way * (YARD + 0.3) + DVec3::Z * 0.3).unwrap_or(Pose::IDENTITY);
            obstacles.push((Body::new(Cuboid::new(long)?), wall));
        }
        let fan = Fan::new(rays as usize, SPREAD, DVec3::new(HALF.x, 0.0, 0.0), REACH)?;
        let at = DVec3::new(0.5, -1.0, HALF.z);
        let figures = obstacles.iter().map(|(body, _)| Figure::new(body.shape())).collect();
        Ok(Self {
            fan,
            obstacles,
            figures,
            at,
            heading: 0.4,
            free: Vec::new(),
            steering: None,
            spin: 0.0,
            way: 0.0,
        })
    }

    fn pose(&self) -> Pose {
        Pose::new(self.at, DQuat::from_rotation_z(self.heading)).unwrap_or(Pose::IDENTITY)
    }

    /// Looks along the rays, steers and drives.
    pub fn step(&mut self, seconds: f64) {
        let obstacles: Vec<(&Body, &Pose)> = self.obstacles.iter().map(|(body, pose)| (body, pose)).collect();
        self.free = self.fan.free(&self.pose(), &obstacles);
        let steering = self.fan.steer(&self.free);
        self.steering = Some(steering);
        if steering.ahead < CLOSE || steering.least < 0.35 {
            // Once it turns on the spot it goes on in that sense, until there is room.
            if self.spin == 0.0 {
                self.spin = if steering.turn < 0.0 { -1.6 } else { 1.6 };
            }
            self.heading += self.spin * seconds;
            return;
        }
        self.spin = 0.0;
        self.heading += TURN * steering.turn * seconds;
        let by = SPEED * (steering.ahead / REACH).clamp(0.15, 1.0) * seconds;
        self.at += DVec3::new(libm::cos(self.heading), libm::sin(self.heading), 0.0) * by;
        self.way += by;
    }

    /// Draws yard, car and rays.
    pub fn draw(&self, scene: &mut Scene) {
        let floor = Placement {
            at: DVec3::Z * -0.06,
            rotation: DQuat::IDENTITY,
            scale: DVec3::new(YARD, YARD, 0.05),
        };
        scene.cube(floor, Color::rgb(84, 90, 102), Look::Grid);
        for ((_, pose), figure) in self.obstacles.iter().zip(&self.figures) {
            scene.figure(figure, pose, Color::STONE);
        }
        let (pose, rotation) = (self.pose(), DQuat::from_rotation_z(self.heading));
        scene.cube(Placement { at: self.at, rotation, scale: HALF }, Color::YELLOW, Look::Plain);
        let cabin = pose.apply(DVec3::new(-0.15, 0.0, 0.42));
        scene.cube(
            Placement { at: cabin, rotation, scale: DVec3::new(0.35, 0.3, 0.14) },
            Color::SKY,
            Look::Plain,
        );
        let front = pose.apply(DVec3::X * HALF.x);
        let end = |angle: f64, far: f64| {
            let (sine, cosine) = libm::sincos(self.heading + angle);
            front + DVec3::new(cosine, sine, 0.0) * far
        };
        for (angle, free) in self.fan.angles().iter().zip(&self.free) {
            let is_met = *free < REACH;
            let color = if is_met { Color::VERMILION } else { Color::GREEN };
            scene.line_on_top(front, end(*angle, *free), color, 2.0);
            if is_met {
                scene.dot(end(*angle, *free), 6.0, color);
            }
        }
        if let Some(steering) = self.steering {
            scene.arrow(front, end(steering.turn, 2.2), Color::YELLOW, 4.0);
        }
    }

    /// What the rays say, in words.
    pub fn lines(&self) -> Vec<String> {
        let Some(Steering { turn, ahead, least }) = self.steering else { return Vec::new() };
        let met = self.free.iter().filter(|free| **free < REACH).count();
        vec![
            format!("{} rays, {met} meet something; the nearest after {least:.2} m", self.free.len()),
            format!(
                "{ahead:.2} m free ahead; steered by {:.0}°; {:.0} m driven",
                turn.to_degrees(),
                self.way
            ),
        ]
    }

    /// Metres driven.
    pub fn way(&self) -> f64 {
        self.way
    }
}

#[cfg(test)]
mod tests {
    use sudar::query;

    use super::*;

    /// Three minutes, with few rays and many: the car touches nothing and does not stand still.
    #[test]
    fn the_car_hits_nothing_and_goes_on() {
        let car = Body::new(Cuboid::new(HALF).unwrap());
        for rays in [5, 9, 21] {
            let mut drive = Drive::new(rays).unwrap();
            for step in 0..60 * 180 {
                drive.step(1.0 / 60.0);
                let pose = drive.pose();
                let meets =
                    |(body, at): &(Body, Pose)| query::intersects(car.at(&pose), body.at(at)).is_touching();
                assert!(!drive.obstacles.iter().any(meets), "{rays} rays, step {step}");
            }
            assert!(drive.way() > 100.0, "{rays}: {}", drive.way());
        }
    }
}
