//! A hand that takes hold of a body with the mouse and throws it: a damped spring, which the picture shows.

use std::f64::consts::TAU;

use sudar::dynamics::{BodyState, BodyType, Filter, Handle, World};
use sudar::pair::ray_aabb;
use sudar::{Aabb, DQuat, DVec3, Ray};
use sudar_scene::Container;
use sudar_view::{Camera, Color, Scene};

use crate::input::Pointer;

/// What is done with the hand, for the help.
pub const KEYS: [[&str; 2]; 2] = [
    ["drag a body", "Take hold of it by a spring, and throw it"],
    ["wheel", "Nearer, farther, while it is held"],
];

/// Natural frequency of the spring with the body at its end, in 1/s. It is damped critically.
const FREQUENCY: f64 = 9.0;

/// Most that the spring changes a speed in a second, in m/s²: what is held against a wall does not burst.
const MOST: f64 = 400.0;

/// Turns of the spring in the picture, and lines of a turn.
const TURNS: u32 = 9;
const LINES: u32 = 8;

/// Bodies that can be held.
pub trait Holdable {
    /// What names a body.
    type Id: Copy + PartialEq;

    /// The first body on a ray that can move, and the point where it is hit.
    fn first(&self, ray: &Ray) -> Option<(Self::Id, DVec3)>;

    /// How a body moves, and its mass in kilograms; `None` once it is gone.
    fn motion(&self, id: Self::Id) -> Option<(BodyState, f64)>;

    /// Changes its momentum at a point.
    fn nudge(&mut self, id: Self::Id, impulse: DVec3, point: DVec3);
}

/// The hand.
#[derive(Debug, Clone, Copy)]
pub struct Hand<Id> {
    held: Option<Held<Id>>,
    was_down: bool,
    throws: u32,
}

/// What is held.
#[derive(Debug, Clone, Copy)]
struct Held<Id> {
    id: Id,
    /// The point that is held, in the frame of the body.
    arm: DVec3,
    /// How far the hand is in front of the eye.
    depth: f64,
    /// The ends of the spring: the point of the body, and the hand.
    ends: [DVec3; 2],
}

impl<Id> Default for Hand<Id> {
    fn default() -> Self {
        Self { held: None, was_down: false, throws: 0 }
    }
}

impl<Id: Copy + PartialEq> Hand<Id> {
    /// Takes hold where the button goes down on a body, pulls as long as it is down, and lets go with it. Whether
    /// something is held: then the pointer does nothing else.
    pub fn act<B>(&mut self, pointer: &Pointer, camera: &Camera, bodies: &mut B, seconds: f64) -> bool
    where
        B: Holdable<Id = Id>,
    {
        let goes_down = pointer.down && !self.was_down;
        self.was_down = pointer.down;
        let way = pointer.at.map(|at| camera.toward(at, pointer.aspect));
        if goes_down {
            self.held = way.and_then(|way| take(camera, way, bodies));
        }
        if !pointer.down {
            self.throws += u32::from(self.held.take().is_some_and(|held| held.reach() > 0.05 * held.depth));
        }
        let Some(held) = &mut self.held else { return false };
        held.depth /= pointer.zoom;
        if let Some(way) = way {
            held.ends[1] = camera.eye + way * (held.depth / way.dot(camera.forward).max(1e-3));
        }
        let is_there = held.pull(bodies, seconds);
        if !is_there {
            self.held = None;
        }
        is_there
    }

    /// How often something was let go of while the spring pulled.
    pub fn throws(&self) -> u32 {
        self.throws
    }

    /// Draws the spring from the body to the hand.
    pub fn draw(&self, scene: &mut Scene) {
        let Some(Held { ends: [from, to], depth, .. }) = self.held else { return };
        coil(scene, [from, to], 0.012 * depth, Color::WHITE);
        scene.dot(from, 6.0, Color::YELLOW);
        scene.dot(to, 8.0, Color::WHITE);
    }
}

/// Draws a spring between two points, so many metres thick.
pub fn coil(scene: &mut Scene, [from, to]: [DVec3; 2], radius: f64, color: Color) {
    let way = to - from;
    let (aside, up) = way.normalize_or(DVec3::Z).any_orthonormal_pair();
    let at = |k: u32| {
        let along = f64::from(k) / f64::from(TURNS * LINES);
        let angle = TAU * f64::from(k % LINES) / f64::from(LINES);
        // The coil ends on its axis.
        let wide = radius * (8.0 * along.min(1.0 - along)).min(1.0);
        from + way * along + (aside * libm::cos(angle) + up * libm::sin(angle)) * wide
    };
    (0..TURNS * LINES).for_each(|k| scene.line_on_top(at(k), at(k + 1), color, 2.0));
}

fn take<B: Holdable>(camera: &Camera, way: DVec3, bodies: &B) -> Option<Held<B::Id>> {
    let (id, point) = bodies.first(&Ray::new(camera.eye, way).ok()?)?;
    let (motion, _) = bodies.motion(id)?;
    let arm = motion.rotation.inverse() * (point - motion.center);
    Some(Held { id, arm, depth: (point - camera.eye).dot(camera.forward), ends: [point; 2] })
}

impl<Id: Copy + PartialEq> Held<Id> {
    fn reach(&self) -> f64 {
        self.ends[0].distance(self.ends[1])
    }

    /// Pulls for so many seconds; whether the body is still there.
    fn pull<B: Holdable<Id = Id>>(&mut self, bodies: &mut B, seconds: f64) -> bool {
        let Some((motion, mass)) = bodies.motion(self.id) else { return false };
        let point = motion.center + motion.rotation * self.arm;
        self.ends[0] = point;
        if seconds > 0.0 {
            let spring = (self.ends[1] - point) * (FREQUENCY * FREQUENCY);
            let damper = motion.velocity_at(point) * (2.0 * FREQUENCY);
            let change = (spring - damper).clamp_length_max(MOST) * seconds;
            bodies.nudge(self.id, change * mass, point);
        }
        true
    }
}

impl Holdable for World {
    type Id = Handle;

    fn first(&self, ray: &Ray) -> Option<(Handle, DVec3)> {
        let (id, hit) = self.ray(ray, f64::INFINITY, Filter::ALL)?;
        let is_dynamic = self.bodies().any(|(other, body)| other == id && body.kind == BodyType::Dynamic);
        is_dynamic.then_some((id, hit.point))
    }

    fn motion(&self, id: Handle) -> Option<(BodyState, f64)> {
        Some((World::motion(self, id).ok()?, self.inertia(id).ok()?.mass))
    }

    fn nudge(&mut self, id: Handle, impulse: DVec3, point: DVec3) {
        // A body that is gone is not pulled.
        let _ = self.apply_impulse(id, impulse, point);
    }
}

/// Boxes that do not turn; each weighs a kilogram.
impl Holdable for Container {
    type Id = usize;

    fn first(&self, ray: &Ray) -> Option<(usize, DVec3)> {
        let all = self.centers().iter().zip(self.halves());
        let entry = |(i, (center, half)): (usize, (&DVec3, &DVec3))| {
            let aabb = Aabb { min: *center - *half, max: *center + *half };
            Some((i, ray_aabb(ray, &aabb, f64::INFINITY)?.t))
        };
        let hits = all.enumerate().filter_map(entry).filter(|(_, t)| *t > 0.0);
        let (i, t) = hits.min_by(|(_, s), (_, t)| s.total_cmp(t))?;
        Some((i, ray.origin + ray.direction * t))
    }

    fn motion(&self, i: usize) -> Option<(BodyState, f64)> {
        let (center, velocity) = (*self.centers().get(i)?, *self.velocities().get(i)?);
        let still = DVec3::ZERO;
        Some((BodyState { center, rotation: DQuat::IDENTITY, velocity, angular_velocity: still }, 1.0))
    }

    fn nudge(&mut self, i: usize, impulse: DVec3, _: DVec3) {
        self.hasten(i, impulse);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A point of a kilogram at the origin, which a ray through it meets.
    struct Point(BodyState);

    impl Holdable for Point {
        type Id = ();

        fn first(&self, ray: &Ray) -> Option<((), DVec3)> {
            let way = ray.direction.normalize();
            let aside = (self.0.center - ray.origin).reject_from(way).length();
            (aside < 0.1).then_some(((), self.0.center))
        }

        fn motion(&self, (): ()) -> Option<(BodyState, f64)> {
            Some((self.0, 1.0))
        }

        fn nudge(&mut self, (): (), impulse: DVec3, _: DVec3) {
            self.0.velocity += impulse;
        }
    }

    const STEP: f64 = 1.0 / 240.0;

    fn scene() -> (Point, Camera, Pointer) {
        let motion = BodyState {
            center: DVec3::ZERO,
            rotation: DQuat::IDENTITY,
            velocity: DVec3::ZERO,
            angular_velocity: DVec3::ZERO,
        };
        let pointer =
            Pointer { at: Some([0.0; 2]), aspect: 1.0, zoom: 1.0, down: true, ..Pointer::default() };
        (Point(motion), Camera::look_at(DVec3::Y * -10.0, DVec3::ZERO), pointer)
    }

    fn run(hand: &mut Hand<()>, point: &mut Point, camera: &Camera, pointer: &Pointer, seconds: f64) {
        for _ in 0..(seconds / STEP) as u32 {
            hand.act(pointer, camera, point, STEP);
            point.0.center += point.0.velocity * STEP;
        }
    }

    /// x'' = ω²(d − x) − 2ω·x' from rest: x = d(1 − (1 + ωt)e^(−ωt)), without overshoot.
    #[test]
    fn what_is_held_follows_as_a_critically_damped_spring() {
        let (mut point, camera, mut pointer) = scene();
        let mut hand = Hand::default();
        assert!(hand.act(&pointer, &camera, &mut point, 0.0));
        pointer.at = Some([0.2, 0.0]);
        let far = 0.2 * 10.0 * libm::tan(25.0_f64.to_radians());
        run(&mut hand, &mut point, &camera, &pointer, 0.25);
        let turns = FREQUENCY * 0.25;
        let expected = far * (1.0 - (1.0 + turns) * libm::exp(-turns));
        assert!((point.0.center.x - expected).abs() < 0.03 * far, "{} {expected}", point.0.center.x);
        run(&mut hand, &mut point, &camera, &pointer, 2.0);
        assert!((point.0.center - DVec3::X * far).length() < 1e-3 * far);
    }

    #[test]
    fn what_is_let_go_keeps_its_velocity_and_counts_as_thrown() {
        let (mut point, camera, mut pointer) = scene();
        let mut hand = Hand::default();
        hand.act(&pointer, &camera, &mut point, 0.0);
        pointer.at = Some([0.9, 0.3]);
        run(&mut hand, &mut point, &camera, &pointer, 0.1);
        let velocity = point.0.velocity;
        pointer.down = false;
        run(&mut hand, &mut point, &camera, &pointer, 0.1);
        assert!(velocity.length() > 5.0 && point.0.velocity == velocity);
        assert_eq!((hand.throws(), hand.held.is_some()), (1, false));
    }

    #[test]
    fn beside_bodies_nothing_is_held_and_a_drag_from_there_takes_none() {
        let (mut point, camera, mut pointer) = scene();
        let mut hand = Hand::default();
        pointer.at = Some([0.5, 0.0]);
        assert!(!hand.act(&pointer, &camera, &mut point, STEP));
        pointer.at = Some([0.0, 0.0]);
        assert!(!hand.act(&pointer, &camera, &mut point, STEP));
        assert_eq!(point.0.velocity, DVec3::ZERO);
    }
}
