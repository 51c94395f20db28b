//! Where the level is seen from: behind the player, before what is in the way.

use egui::Key;
use sudar::dynamics::{Filter, World};
use sudar::{DVec3, Ray};
use sudar_view::{Camera, Orbit};

use super::rooms::{MOVER, SCENERY};
use crate::input::Input;

/// What stands between the camera and the player: the scenery, not what is pushed.
const SOLID: Filter = Filter::new(MOVER, SCENERY);

/// The eye stays so far in front of a wall, in metres.
const CLEAR: f64 = 0.15;

/// Radians for a point of dragging, and in a second for a key.
const DRAG: f64 = 0.005;
const TURN: f64 = 2.0;

/// Seconds in which the eye makes up for all but 1/e of what it is too near.
const EASE: f64 = 0.25;

/// How high above the middle of the player it looks, in metres.
const HEAD: f64 = 0.6;

/// Height of a picture in points, about, for what is dragged in parts of it.
const PICTURE: f64 = 600.0;

/// A camera that goes along.
#[derive(Debug, Clone)]
pub struct View {
    pub orbit: Orbit,
    /// How far the eye is from the player now.
    pub distance: f64,
}

impl View {
    /// Behind a player that looks along y.
    pub fn new(at: DVec3) -> Self {
        let orbit = Orbit { target: at + DVec3::Z * HEAD, distance: 5.5, yaw: 0.0, pitch: 0.42 };
        Self { orbit, distance: orbit.distance }
    }

    /// Turns by what was dragged, unless that holds something, and by keys; the wheel brings it nearer.
    pub fn turn(&mut self, input: &Input, is_holding: bool, seconds: f64) {
        let pointer = &input.pointer;
        let mut by = PICTURE * DVec3::new(f64::from(pointer.pan.x), -f64::from(pointer.pan.y), 0.0);
        by += DVec3::new(f64::from(pointer.look.x), f64::from(pointer.look.y), 0.0);
        if !is_holding {
            by += DVec3::new(f64::from(pointer.drag.x), f64::from(pointer.drag.y), 0.0);
            self.orbit.zoom(pointer.zoom);
        }
        self.orbit.turn(TURN * seconds * input.axis(Key::Q, Key::E) - DRAG * by.x, DRAG * by.y);
        self.orbit.pitch = self.orbit.pitch.clamp(-0.6, 1.4);
        self.orbit.distance = self.orbit.distance.clamp(1.0, 20.0);
    }

    /// Turns gradually to look along a direction.
    pub fn turn_to(&mut self, way: DVec3, seconds: f64) {
        let off = libm::remainder(libm::atan2(-way.x, way.y) - self.orbit.yaw, std::f64::consts::TAU);
        self.orbit.yaw += off * -libm::expm1(-1.2 * seconds);
    }

    /// Goes along with the player: at once towards it where a wall comes between, gradually away from it.
    pub fn follow(&mut self, at: DVec3, world: &World, seconds: f64) {
        self.orbit.target = at + DVec3::Z * HEAD;
        let out = -self.orbit.camera().forward;
        let free = free(world, self.orbit.target, out, self.orbit.distance);
        let share = -libm::expm1(-seconds / EASE);
        self.distance = free.min(self.distance + (free - self.distance).max(0.0) * share);
    }

    pub fn camera(&self) -> Camera {
        let camera = Orbit { distance: self.distance, ..self.orbit }.camera();
        Camera { range: [0.05, 300.0], field: 60.0_f64.to_radians(), ..camera }
    }

    /// Ahead on the floor, and to the left.
    pub fn ways(&self) -> [DVec3; 2] {
        let (sine, cosine) = (libm::sin(self.orbit.yaw), libm::cos(self.orbit.yaw));
        [DVec3::new(-sine, cosine, 0.0), DVec3::new(-cosine, -sine, 0.0)]
    }
}

/// How far one sees from a place in a direction, up to a distance.
fn free(world: &World, from: DVec3, way: DVec3, most: f64) -> f64 {
    let Ok(ray) = Ray::new(from, way) else { return most };
    world.ray(&ray, most + CLEAR, SOLID).map_or(most, |(_, hit)| (hit.t - CLEAR).clamp(0.05, most))
}

/// Whether nothing stands between an eye and a place.
pub fn is_seen(world: &World, eye: DVec3, place: DVec3) -> bool {
    let way = place - eye;
    let Ok(ray) = Ray::new(eye, way) else { return true };
    world.ray(&ray, 0.99, SOLID).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudar::Cuboid;
    use sudar::dynamics::{RigidBody, Settings};

    #[test]
    fn the_eye_stays_before_walls_and_goes_back_gradually() {
        let mut world = World::new(Settings::default()).unwrap();
        let wall = RigidBody::fixed("wall", Cuboid::new(DVec3::new(9.0, 0.1, 9.0)).unwrap());
        let filter = Filter::new(SCENERY, !0);
        let wall = world.add(RigidBody { position: DVec3::Y * -2.0, filter, ..wall }).unwrap();
        let mut view = View::new(DVec3::ZERO);
        view.follow(DVec3::ZERO, &world, 0.1);
        assert!((-1.9..-1.0).contains(&view.camera().eye.y), "{}", view.camera().eye);
        let near = view.distance;
        world.remove(wall).unwrap();
        view.follow(DVec3::ZERO, &world, 0.1);
        assert!(view.distance > near && view.distance < 4.0);
        (0..40).for_each(|_| view.follow(DVec3::ZERO, &world, 0.1));
        assert!((view.distance - view.orbit.distance).abs() < 1e-3);
    }

    #[test]
    fn ahead_is_where_the_camera_looks() {
        let mut view = View::new(DVec3::ZERO);
        view.orbit.yaw = 0.7;
        let [ahead, left] = view.ways();
        let forward = view.camera().forward.with_z(0.0).normalize();
        assert!(ahead.distance(forward) < 1e-9 && left.distance(DVec3::Z.cross(forward)) < 1e-9);
    }
}
