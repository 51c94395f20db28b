//! The observer, who walks in the container (Dimitrijević 2019, section 4.2).

use egui::Key;
use sudar::{Aabb, DVec3};
use sudar_view::Camera;

use crate::input::Input;

/// Half width of the observer, in m.
const HALF: f64 = 0.4;

/// Seconds in which the velocity comes two thirds nearer to the one that is wanted.
const INERTIA: f64 = 0.18;

/// Height of a picture in points, about, for what is dragged in parts of it.
const PICTURE: f32 = 600.0;

/// Radians that a point of dragging turns.
const TURN: f64 = 0.004;

/// Where the observer is and how it looks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Observer {
    pub at: DVec3,
    velocity: DVec3,
    /// Angle about z; at 0 it looks along x (formula 4.1, with z up).
    pub yaw: f64,
    /// Angle above the horizon.
    pub pitch: f64,
}

impl Observer {
    /// At the side of a container, looking into it.
    pub fn new(width: f64) -> Self {
        let at = DVec3::new(-0.5, -0.42, 0.18) * (width - 2.0 * HALF);
        Self { at, velocity: DVec3::ZERO, yaw: 0.69, pitch: -0.22 }
    }

    /// The direction of the view.
    pub fn forward(&self) -> DVec3 {
        let flat = libm::cos(self.pitch);
        DVec3::new(libm::cos(self.yaw) * flat, libm::sin(self.yaw) * flat, libm::sin(self.pitch))
    }

    /// Ahead on the floor, and to the right.
    fn ways(&self) -> [DVec3; 2] {
        let (x, y) = (libm::cos(self.yaw), libm::sin(self.yaw));
        [DVec3::new(x, y, 0.0), DVec3::new(y, -x, 0.0)]
    }

    pub fn camera(&self) -> Camera {
        let looked = Camera::look_at(self.at, self.at + self.forward());
        Camera { range: [0.05, 1e5], field: 65.0_f64.to_radians(), ..looked }
    }

    /// Its box, which nothing enters.
    pub fn aabb(&self) -> Aabb {
        Aabb { min: self.at - DVec3::splat(HALF), max: self.at + DVec3::splat(HALF) }
    }

    /// Turns by what was dragged with any button, unless the first one holds something; walks by the keys that are held
    /// with gradual acceleration, and slides along walls and boxes. `near`: the boxes that it may meet.
    pub fn step(&mut self, input: &Input, is_holding: bool, seconds: f64, width: f64, near: &[Aabb]) {
        let aside = egui::vec2(input.pointer.pan.x, -input.pointer.pan.y) * PICTURE;
        let turn = if is_holding { aside } else { aside + input.pointer.drag } + input.pointer.look;
        self.yaw -= TURN * f64::from(turn.x);
        self.pitch = (self.pitch - TURN * f64::from(turn.y)).clamp(-1.5, 1.5);
        if seconds <= 0.0 {
            return;
        }
        let [ahead, right] = self.ways();
        let wanted = ahead * input.axis(Key::W, Key::S)
            + right * input.axis(Key::D, Key::A)
            + DVec3::Z * input.axis(Key::E, Key::Q);
        let fast = if input.modifiers.shift { 3.0 } else { 1.0 };
        let wanted = wanted.normalize_or_zero() * fast * (0.3 * width).clamp(2.0, 40.0);
        self.velocity += (wanted - self.velocity) * (1.0 - libm::exp(-seconds / INERTIA));
        let before = self.at;
        self.slide(seconds, 0.5 * width - HALF, near);
        // What a wall stopped is stopped.
        let moved = (self.at - before) / seconds;
        for k in 0..3 {
            if moved[k].abs() < self.velocity[k].abs() {
                self.velocity[k] = moved[k];
            }
        }
    }

    /// Axis after axis, so that what stops one lets the others go on.
    fn slide(&mut self, seconds: f64, most: f64, near: &[Aabb]) {
        for k in 0..3 {
            let from = self.at[k];
            self.at[k] = (from + self.velocity[k] * seconds).clamp(-most, most);
            for obstacle in near {
                let own = self.aabb();
                let overlap = (own.max.min(obstacle.max) - own.min.max(obstacle.min)).min_element();
                let was_free = from + HALF <= obstacle.min[k] || from - HALF >= obstacle.max[k];
                if overlap > 0.0 && was_free {
                    let below = self.velocity[k] > 0.0;
                    self.at[k] = if below { obstacle.min[k] - HALF } else { obstacle.max[k] + HALF };
                }
            }
        }
        // What came by itself pushes the observer away, by the least translation.
        for obstacle in near {
            let (line, reach) = (self.at - obstacle.center(), 0.5 * obstacle.extent() + DVec3::splat(HALF));
            let overlap = reach - line.abs();
            if overlap.min_element() > 0.0 {
                let k = overlap.min_position();
                self.at[k] = (self.at[k] + overlap[k].copysign(line[k])).clamp(-most, most);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: f64 = 1.0 / 60.0;

    fn walk(observer: &mut Observer, keys: &[Key], steps: u32, near: &[Aabb]) {
        let input = Input::of_held(keys);
        (0..steps).for_each(|_| observer.step(&input, false, STEP, 20.0, near));
    }

    /// v = w·(1 − e^(−t/τ)), so x = w·(t − τ·(1 − e^(−t/τ))), but for the steps.
    #[test]
    fn walking_begins_and_ends_gradually() {
        let mut observer = Observer { at: DVec3::ZERO, yaw: 0.0, pitch: 0.9, ..Observer::new(20.0) };
        walk(&mut observer, &[Key::W], 30, &[]);
        let (w, t) = (6.0, 0.5);
        let expected = w * (t - INERTIA * (1.0 - libm::exp(-t / INERTIA)));
        assert!((observer.at.x - expected).abs() < 0.05, "{} {expected}", observer.at.x);
        // Looking up does not slow it, nor lift it.
        assert!(observer.at.z == 0.0 && observer.at.y.abs() < 1e-12);
        let before = observer.at.x;
        walk(&mut observer, &[], 60, &[]);
        assert!(observer.at.x > before + 0.5 && observer.velocity.length() < 0.05);
    }

    #[test]
    fn the_observer_slides_along_walls() {
        let mut observer = Observer { at: DVec3::ZERO, yaw: 0.3, pitch: 0.0, ..Observer::new(20.0) };
        walk(&mut observer, &[Key::W], 300, &[]);
        assert!((observer.at.x - 9.6).abs() < 1e-9 && observer.at.y > 4.0);
        walk(&mut observer, &[Key::A], 60, &[]);
        assert!(observer.at.y > 7.0, "it goes on along the wall: {}", observer.at);
    }

    #[test]
    fn the_observer_slides_along_boxes_and_never_enters_one() {
        let pillar = Aabb { min: DVec3::new(3.0, -1.0, -10.0), max: DVec3::new(5.0, 1.0, 10.0) };
        let mut observer = Observer { at: DVec3::ZERO, yaw: 0.2, pitch: 0.0, ..Observer::new(20.0) };
        for _ in 0..240 {
            walk(&mut observer, &[Key::W], 1, &[pillar]);
            let own = observer.aabb();
            assert!((own.max.min(pillar.max) - own.min.max(pillar.min)).min_element() <= 1e-9);
        }
        assert!(observer.at.x > 5.0, "around the corner and on: {}", observer.at);
    }

    #[test]
    fn a_box_that_comes_pushes_the_observer() {
        let mut observer = Observer { at: DVec3::ZERO, ..Observer::new(20.0) };
        for k in 0..100 {
            let x = -3.0 + 0.05 * f64::from(k);
            let coming = Aabb { min: DVec3::new(x - 1.0, -1.0, -1.0), max: DVec3::new(x, 1.0, 1.0) };
            walk(&mut observer, &[], 1, &[coming]);
            assert!(observer.at.x + 1e-9 >= x + HALF);
        }
    }
}
