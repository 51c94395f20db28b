//! What can be chosen in the tunnel.

use super::autopilot::{CONTROLS, Cruise};
use super::cameras::CAMERAS;
use super::course::TUNNELS;
use super::wish::TURNING;
use crate::options::{Visit, field};

/// Nearest and farthest place of the camera behind the fighter, in metres.
pub const DISTANCES: [f64; 2] = [0.0, 20.0];

/// What is chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Choice {
    pub tunnel: &'static str,
    pub control: &'static str,
    pub turning: &'static str,
    pub camera: &'static str,
    /// From the fighter to the camera, in metres.
    pub distance: f64,
    pub aim: bool,
    /// In 1/s.
    pub drag: f64,
    /// Most acceleration of the fighter, in m/s².
    pub thrust: f64,
    /// What the autopilot makes of a key, in m/s.
    pub speed: f64,
    /// How much faster a missile is than the fighter, in m/s.
    pub missile_speed: f64,
}

impl Default for Choice {
    fn default() -> Self {
        Self {
            tunnel: TUNNELS[0],
            control: CONTROLS[1],
            turning: TURNING[0],
            camera: CAMERAS[0],
            distance: 8.0,
            aim: true,
            drag: 0.1,
            thrust: 15.0,
            speed: 15.0,
            missile_speed: 80.0,
        }
    }
}

impl Choice {
    pub fn options(&mut self, visit: &mut dyn Visit) {
        visit.choice(
            field("tunnel", "Which tunnel; drop a tunnel.txt to fly one of your own"),
            &mut self.tunnel,
            &TUNNELS,
        );
        visit.heading("Control");
        visit.choice(
            field("control", "A key is a force, or a velocity that the autopilot brings about"),
            &mut self.control,
            &CONTROLS,
        );
        visit.choice(field("turning", "What turns the fighter"), &mut self.turning, &TURNING);
        visit.number(
            field("thrust", "Most acceleration by the engines, in m/s²"),
            &mut self.thrust,
            1.0..=100.0,
        );
        visit.number(field("speed", "What the autopilot flies, in m/s"), &mut self.speed, 1.0..=60.0);
        visit.number(field("drag", "Resistance of the air, in 1/s"), &mut self.drag, 0.0..=2.0);
        visit.number(
            field("missile-speed", "Of missiles against the fighter, in m/s"),
            &mut self.missile_speed,
            10.0..=1000.0,
        );
        visit.heading("View");
        visit.choice(field("camera", "Behind the fighter, fixed to it, or free"), &mut self.camera, &CAMERAS);
        visit.number(
            field("distance", "From the camera to the fighter, in m"),
            &mut self.distance,
            DISTANCES[0]..=DISTANCES[1],
        );
        visit.switch(field("aim", "A cross where the nose points, with its distance"), &mut self.aim);
    }

    /// What the autopilot brings about.
    pub fn cruise(&self) -> Cruise {
        Cruise { speed: self.speed, spin: 1.6 }
    }

    /// Whether the autopilot flies.
    pub fn is_stabilised(&self) -> bool {
        self.control == CONTROLS[1]
    }

    /// Whether the pointer turns the fighter.
    pub fn is_by_mouse(&self) -> bool {
        self.turning == TURNING[1]
    }
}

/// The name after this one, the first after the last.
pub fn after(name: &str, names: &[&'static str]) -> &'static str {
    let place = names.iter().position(|known| *known == name).map_or(0, |place| place + 1);
    names[place % names.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_the_last_comes_the_first() {
        assert_eq!([0, 1, 2].map(|i| after(CAMERAS[i], &CAMERAS)), [CAMERAS[1], CAMERAS[2], CAMERAS[0]]);
    }
}
