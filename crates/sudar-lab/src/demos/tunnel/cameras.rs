//! Where the tunnel is seen from: behind the fighter, fixed to it, or free.

use sudar::dynamics::{BodyState, Filter, World};
use sudar::{Aabb, DQuat, DVec3, Ray};
use sudar_view::{Camera, Orbit};

use super::missiles::WALL;
use crate::demos::orbit;
use crate::input::Pointer;

/// The cameras, in the order of the key.
pub const CAMERAS: [&str; 3] = ["chase", "fixed", "free"];

/// Seconds in which the camera behind the fighter makes up for all but 1/e of a turn.
const EASE: f64 = 0.22;

/// Height of the camera in parts of its distance.
const HEIGHT: f64 = 0.36;

/// Nearer than this the camera is in the nose.
const NOSE: f64 = 2.5;

/// The cameras, each with what it remembers.
#[derive(Debug, Clone)]
pub struct Cameras {
    /// The rotation of the fighter, smoothed.
    rotation: DQuat,
    free: Orbit,
}

impl Cameras {
    /// The free one sees the whole tunnel.
    pub fn new(tunnel: &Aabb, rotation: DQuat) -> Self {
        let free = Orbit { pitch: 0.7, ..Orbit::new(lying(tunnel.center()), 1.2 * tunnel.extent().length()) };
        Self { rotation, free }
    }

    /// Turns after the fighter.
    pub fn follow(&mut self, rotation: DQuat, seconds: f64) {
        let share = -libm::expm1(-seconds / EASE);
        let near = if self.rotation.dot(rotation) < 0.0 { -rotation } else { rotation };
        self.rotation = self.rotation.lerp(near, share).normalize();
    }

    /// Lets the free camera stand beside the fighter.
    pub fn release(&mut self, center: DVec3) {
        self.free = Orbit { target: lying(center), distance: 16.0, ..self.free };
    }

    /// Turns and moves the free camera.
    pub fn look(&mut self, pointer: &Pointer) {
        orbit::turn(&mut self.free, pointer);
    }

    /// Brings the free camera nearer by a factor.
    pub fn near(&mut self, factor: f64) {
        self.free.zoom(factor);
    }

    /// What one of the cameras sees of a fighter, so many metres away from it.
    pub fn see(&self, name: &str, fighter: &BodyState, distance: f64, world: &World) -> Camera {
        match name {
            "free" => standing(self.free.camera()),
            "fixed" => behind(fighter.rotation, fighter.center, distance, world),
            _ => behind(self.rotation, fighter.center, distance, world),
        }
    }
}

/// Behind and above a place, before what is in the way.
fn behind(rotation: DQuat, center: DVec3, distance: f64, world: &World) -> Camera {
    let [ahead, up] = [rotation * DVec3::X, rotation * DVec3::Z];
    let wanted = if distance < NOSE { ahead * 2.0 + up * 0.35 } else { (up * HEIGHT - ahead) * distance };
    let free = if distance < NOSE { 1.0 } else { free_part(center, wanted, world) };
    let eye = center + wanted * free;
    let target = center + ahead * (8.0 + distance) + up * 0.16 * distance;
    let forward = (target - eye).normalize_or(ahead);
    Camera { eye, forward, up, field: 60.0_f64.to_radians(), range: [0.05, 1000.0] }
}

/// How much of a way from a place nothing stands in.
fn free_part(from: DVec3, way: DVec3, world: &World) -> f64 {
    let Ok(ray) = Ray::new(from, way) else { return 0.0 };
    world.ray(&ray, 1.0, Filter::new(1, WALL)).map_or(1.0, |(_, hit)| (hit.t - 0.05).max(0.0))
}

/// Tunnels keep the axes of their source, in which y is up; a point of them as it is where z is up.
fn lying(v: DVec3) -> DVec3 {
    DVec3::new(v.x, -v.z, v.y)
}

/// The other way round.
fn upright(v: DVec3) -> DVec3 {
    DVec3::new(v.x, v.z, -v.y)
}

fn standing(camera: Camera) -> Camera {
    let [eye, forward, up] = [camera.eye, camera.forward, camera.up].map(upright);
    Camera { eye, forward, up, ..camera }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudar::Cuboid;
    use sudar::dynamics::{RigidBody, Settings};

    fn world() -> World {
        World::new(Settings::default()).unwrap()
    }

    fn fighter(rotation: DQuat) -> BodyState {
        BodyState { center: DVec3::X, rotation, velocity: DVec3::ZERO, angular_velocity: DVec3::ZERO }
    }

    fn cameras() -> Cameras {
        let tunnel = Aabb { min: DVec3::splat(-20.0), max: DVec3::splat(20.0) };
        Cameras::new(&tunnel, DQuat::IDENTITY)
    }

    #[test]
    fn the_fixed_one_turns_at_once_and_the_one_behind_smoothly() {
        let (mut cameras, world) = (cameras(), world());
        let turned = fighter(DQuat::from_rotation_z(1.0));
        let fixed = cameras.see("fixed", &turned, 8.0, &world);
        let expected = turned.center + turned.rotation * DVec3::new(-8.0, 0.0, 8.0 * HEIGHT);
        assert!((fixed.eye - expected).length() < 1e-9);
        let mut angles = Vec::new();
        for _ in 0..60 {
            let chase = cameras.see("chase", &turned, 8.0, &world);
            angles.push(chase.forward.dot(turned.rotation * DVec3::X).min(1.0).acos());
            cameras.follow(turned.rotation, 1.0 / 60.0);
        }
        // It comes nearer all the time, never by a leap, and is there after a second.
        assert!(angles.windows(2).all(|two| two[1] < two[0] && two[0] - two[1] < 0.1), "{angles:?}");
        assert!(angles[0] > 0.9 && angles[59] < 0.2);
    }

    #[test]
    fn nothing_stands_between_camera_and_fighter() {
        let mut world = world();
        let wall = RigidBody::fixed("wall", Cuboid::new(DVec3::new(0.1, 9.0, 9.0)).unwrap());
        let filter = Filter::new(WALL, !0);
        world.add(RigidBody { position: DVec3::X * -3.0, filter, ..wall }).unwrap();
        let camera = cameras().see("fixed", &fighter(DQuat::IDENTITY), 8.0, &world);
        assert!(camera.eye.x > -2.9 && camera.eye.x < -2.0, "{}", camera.eye);
    }

    #[test]
    fn near_enough_one_sits_in_the_nose() {
        let camera = cameras().see("fixed", &fighter(DQuat::IDENTITY), 0.0, &world());
        assert!(camera.eye.x > 2.5 && camera.forward.x > 0.99);
    }

    #[test]
    fn the_free_one_stands_with_y_up_until_it_is_moved() {
        let (mut cameras, world) = (cameras(), world());
        let before = cameras.see("free", &fighter(DQuat::IDENTITY), 8.0, &world);
        cameras.follow(DQuat::from_rotation_y(1.0), 1.0);
        assert_eq!(cameras.see("free", &fighter(DQuat::from_rotation_y(1.0)), 3.0, &world), before);
        assert!(before.eye.y > 10.0 && before.up == DVec3::Y);
        cameras.release(DVec3::new(1.0, 2.0, 3.0));
        let beside = cameras.see("free", &fighter(DQuat::IDENTITY), 8.0, &world);
        assert!((beside.eye + beside.forward * 16.0 - DVec3::new(1.0, 2.0, 3.0)).length() < 1e-9);
    }
}
