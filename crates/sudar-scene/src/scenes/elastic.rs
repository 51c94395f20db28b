//! Elastic bodies without friction: nothing may be gained or lost.

use std::sync::Arc;

use sudar::glam::{DQuat, DVec3};

use sudar_classic::response::Simultaneous;

use super::{Scene, SceneError};
use sudar::dynamics::{Bounds, RigidBody, Settings};
use sudar::hull::convex_hull;
use sudar::math::Pose;
use sudar::query::Body;
use sudar::shape::{Capsule, Compound, Cone, Cuboid, Cylinder, Ellipsoid, Shape, Sphere};

/// Numbers between −1 and 1 that are the same everywhere (Knuth's congruences).
pub(super) struct Numbers(u64);

impl Numbers {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    pub fn vector(&mut self) -> DVec3 {
        DVec3::new(self.next(), self.next(), self.next())
    }

    pub fn rotation(&mut self) -> DQuat {
        let (v, w) = (self.vector(), self.next());
        let q = DQuat::from_xyzw(v.x, v.y, v.z, w);
        if q.length() > 0.1 { q.normalize() } else { DQuat::IDENTITY }
    }
}

fn room(half: DVec3) -> Settings {
    Settings {
        gravity: DVec3::ZERO,
        response: Arc::new(Simultaneous),
        bounds: Some(Bounds { min: -half, max: half }),
        ..Settings::default()
    }
}

fn elastic(body: RigidBody) -> RigidBody {
    RigidBody { restitution: 1.0, friction: 0.0, ..body }
}

/// Puts bodies on the corners of a grid with a spacing, with random rotations and velocities.
fn scattered(
    mut scene: Scene,
    bodies: Vec<(String, Body)>,
    spacing: f64,
    speeds: [f64; 2],
    seed: u64,
) -> Scene {
    let mut numbers = Numbers::new(seed);
    let side = (1..).find(|side: &usize| side.pow(3) >= bodies.len()).unwrap_or(1);
    for (i, (name, body)) in bodies.into_iter().enumerate() {
        let cell = [i % side, i / side % side, i / side / side].map(|k| k as f64 - 0.5 * (side as f64 - 1.0));
        scene.bodies.push(RigidBody {
            position: DVec3::from_array(cell) * spacing,
            rotation: numbers.rotation(),
            velocity: numbers.vector() * speeds[0],
            angular_velocity: numbers.vector() * speeds[1],
            ..elastic(RigidBody::new(name, body))
        });
    }
    scene
}

/// Eight boxes of different sides in a room of 10 m.
///
/// # Errors
/// None in practice.
pub fn box_cubes() -> Result<Scene, SceneError> {
    room_of_cubes(8)
}

/// So many boxes, four cubes and four slabs in turn, in a room with place for them; eight are [`box_cubes`].
///
/// # Errors
/// None in practice.
pub fn room_of_cubes(count: usize) -> Result<Scene, SceneError> {
    let halves = [0.5, 0.6, 0.7, 0.8].map(|h| DVec3::new(h, h, h));
    let slabs = [[0.9, 0.5, 0.3], [0.3, 0.8, 0.6], [0.4, 0.4, 1.0], [0.7, 0.7, 0.2]].map(DVec3::from_array);
    let kinds = halves.into_iter().chain(slabs).map(|half| Ok(Body::new(Cuboid::new(half)?)));
    let kinds = kinds.collect::<Result<Vec<_>, SceneError>>()?;
    let bodies = kinds.into_iter().cycle().take(count).enumerate();
    let bodies: Vec<_> = bodies.map(|(i, body)| (format!("cube {}", i + 1), body)).collect();
    let half = half_room(count, 3.5, 1.5);
    Ok(scattered(Scene::new(room(half)), bodies, 3.5, [3.0, 2.0], 1))
}

/// Half the sides of a room for so many bodies on the corners of a grid with a spacing, and some way from its walls.
fn half_room(count: usize, spacing: f64, margin: f64) -> DVec3 {
    let side = (1..).find(|side: &usize| side.pow(3) >= count).unwrap_or(1) as f64;
    DVec3::splat((0.5 * spacing * side + margin).max(5.0))
}

/// A ball, box, capsule, cylinder, cone, ellipsoid, hull and compound in a room of 10 m.
///
/// # Errors
/// None in practice.
pub fn box_objects() -> Result<Scene, SceneError> {
    room_of_objects(8)
}

/// So many of these shapes in turn, in a room with place for them; eight are [`box_objects`].
///
/// # Errors
/// None in practice.
pub fn room_of_objects(count: usize) -> Result<Scene, SceneError> {
    let golden = 0.5 * (1.0 + 5.0_f64.sqrt());
    let corner = |a: f64, b: f64| [DVec3::new(0.0, a, b), DVec3::new(a, b, 0.0), DVec3::new(b, 0.0, a)];
    let signs = [[0.5, 0.5], [0.5, -0.5], [-0.5, 0.5], [-0.5, -0.5]];
    let corners: Vec<DVec3> = signs.into_iter().flat_map(|[s, t]| corner(s, t * golden)).collect();
    let bar: Shape = Cuboid::new(DVec3::new(0.8, 0.2, 0.2))?.into();
    let post: Shape = Cuboid::new(DVec3::new(0.2, 0.2, 0.5))?.into();
    let above = Pose::from_translation(DVec3::new(0.6, 0.0, 0.7)).unwrap_or(Pose::IDENTITY);
    let shapes: [(&str, Shape); 8] = [
        ("ball", Sphere::new(DVec3::ZERO, 0.8)?.into()),
        ("box", Cuboid::new(DVec3::new(0.5, 0.7, 0.9))?.into()),
        ("capsule", Capsule::new(0.4, 0.7)?.into()),
        ("cylinder", Cylinder::new(0.6, 0.5)?.into()),
        ("cone", Cone::new(0.8, 0.7)?.into()),
        ("ellipsoid", Ellipsoid::new(DVec3::new(0.9, 0.7, 0.5))?.into()),
        ("icosahedron", Shape::Hull(Arc::new(convex_hull(&corners)?))),
        ("angle", Compound::new(vec![(bar, Pose::IDENTITY), (post, above)])?.into()),
    ];
    let kinds = shapes.map(|(name, shape)| (name, Body::new(shape)));
    let named = |(i, (name, body)): (usize, &(&str, Body))| {
        // The first of each kind has its name alone.
        let name =
            if i < kinds.len() { (*name).to_owned() } else { format!("{name} {}", i / kinds.len() + 1) };
        (name, body.clone())
    };
    let bodies = kinds.iter().cycle().take(count).enumerate().map(named).collect();
    let half = half_room(count, 4.0, 1.0);
    Ok(scattered(Scene::new(room(half)), bodies, 4.0, [2.0, 2.0], 2))
}

/// So many fighters in a room.
///
/// # Errors
/// None in practice.
pub fn box_fighter(count: usize) -> Result<Scene, SceneError> {
    let fighter = Body::new(super::fighter()?);
    let bodies: Vec<(String, Body)> =
        (1..=count).map(|i| (format!("fighter {i}"), fighter.clone())).collect();
    let side = (1..).find(|side: &usize| side.pow(3) >= count).unwrap_or(1) as f64;
    let half = DVec3::splat((2.5 * side + 1.0).max(6.0));
    Ok(scattered(Scene::new(room(half)), bodies, 4.8, [3.0, 1.0], 3))
}

/// The same fighters, turned in their frame: the products of their tensor of inertia are up to two fifths of its
/// largest moment. In flight they do as the others.
///
/// # Errors
/// None in practice.
pub fn box_turned_fighters(count: usize) -> Result<Scene, SceneError> {
    let turn = DQuat::from_axis_angle(DVec3::new(1.0, 2.0, -1.0).normalize(), 0.8);
    let turned = Body::new(super::fighter::turned(turn)?);
    let mut scene = box_fighter(count)?;
    for body in &mut scene.bodies {
        body.body = turned.clone();
        body.rotation *= turn.inverse();
    }
    Ok(scene)
}

/// Five balls in a row that touch; the first comes with 1 m/s.
///
/// # Errors
/// None in practice.
pub fn cradle() -> Result<Scene, SceneError> {
    let ball = Body::new(Sphere::new(DVec3::ZERO, 0.5)?);
    let mut scene = Scene::new(room(DVec3::new(8.0, 2.0, 2.0)));
    for i in 0..5 {
        let mut body = elastic(RigidBody::new(format!("ball {}", i + 1), ball.clone()));
        body.position = DVec3::X * (f64::from(i) - 2.0);
        body.velocity = if i == 0 { DVec3::X } else { DVec3::ZERO };
        scene.bodies.push(body);
    }
    Ok(scene)
}

/// Fifteen balls of 57.15 mm that touch, and one that comes with 5 m/s, symmetric about y = 0.
///
/// # Errors
/// None in practice.
pub fn billiard() -> Result<Scene, SceneError> {
    let radius = 0.028_575;
    let ball = Body::new(Sphere::new(DVec3::ZERO, radius)?);
    let mut scene = Scene::new(room(DVec3::new(1.27, 0.635, 0.2)));
    let mut cue = elastic(RigidBody::new("cue ball", ball.clone()));
    (cue.position, cue.velocity) = (DVec3::X * -0.6, DVec3::X * 5.0);
    scene.bodies.push(cue);
    for row in 0..5_u32 {
        for place in 0..=row {
            let across = 2.0 * f64::from(place) - f64::from(row);
            let mut body = elastic(RigidBody::new(format!("ball {}", scene.bodies.len()), ball.clone()));
            body.position = DVec3::new(0.3 + f64::from(row) * radius * 3.0_f64.sqrt(), across * radius, 0.0);
            scene.bodies.push(body);
        }
    }
    Ok(scene)
}

/// So many balls of 0.2 m in a room with forty times their volume.
///
/// # Errors
/// None in practice.
pub fn gas(count: usize) -> Result<Scene, SceneError> {
    let ball = Body::new(Sphere::new(DVec3::ZERO, 0.1)?);
    let bodies: Vec<(String, Body)> = (1..=count).map(|i| (format!("ball {i}"), ball.clone())).collect();
    let side = (1..).find(|side: &usize| side.pow(3) >= count).unwrap_or(1) as f64;
    let spacing = 0.55;
    Ok(scattered(Scene::new(room(DVec3::splat(0.5 * spacing * side))), bodies, spacing, [2.0, 0.0], 4))
}
