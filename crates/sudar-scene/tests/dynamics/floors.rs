//! Bodies laid on floors of every kind, flat and hardly curved, come to rest.

use super::*;
use sudar::hull::convex_hull;
use sudar::{Capsule, Compound, Cone, Cylinder, DQuat, Ellipsoid, HeightField, Pose};

fn laid(half: f64) -> DQuat {
    DQuat::from_rotation_x(half)
}

const QUARTER: f64 = std::f64::consts::FRAC_PI_2;

fn box_mesh(half: DVec3) -> Shape {
    Mesh::from_aabb(Aabb { min: -half, max: half }).into()
}

fn part(half: DVec3, x: f64) -> (Shape, Pose) {
    (Cuboid::new(half).unwrap().into(), Pose::from_translation(DVec3::X * x).unwrap())
}

/// Bodies about a metre in size, with the rotation in which they are laid down.
fn bodies() -> Vec<(&'static str, Shape, DQuat)> {
    let flat = DQuat::IDENTITY;
    let drum: Vec<DVec3> = (0..24)
        .map(|k| {
            let angle = f64::from(k / 2) * std::f64::consts::TAU / 12.0;
            let z = if k % 2 == 0 { 0.25 } else { -0.25 };
            DVec3::new(0.4 * libm_cos(angle), 0.4 * libm_sin(angle), z)
        })
        .collect();
    let dumbbell = vec![
        part(DVec3::new(0.15, 0.3, 0.2), -0.4),
        part(DVec3::new(0.15, 0.3, 0.2), 0.4),
        part(DVec3::splat(0.1).with_x(0.4), 0.0),
    ];
    vec![
        ("ball", Sphere::new(DVec3::ZERO, 0.4).unwrap().into(), flat),
        ("box", Cuboid::new(DVec3::new(0.4, 0.3, 0.25)).unwrap().into(), flat),
        ("plate", Cuboid::new(DVec3::new(0.5, 0.5, 0.01)).unwrap().into(), flat),
        ("cylinder lying", Cylinder::new(0.3, 0.5).unwrap().into(), laid(QUARTER)),
        ("disc", Cylinder::new(0.5, 0.02).unwrap().into(), flat),
        ("cone", Cone::new(0.4, 0.8).unwrap().into(), flat),
        ("capsule lying", Capsule::new(0.2, 0.4).unwrap().into(), laid(QUARTER)),
        ("ellipsoid", Ellipsoid::new(DVec3::new(0.5, 0.4, 0.2)).unwrap().into(), flat),
        ("hull", convex_hull(&drum).unwrap().into(), flat),
        ("mesh", box_mesh(DVec3::new(0.4, 0.3, 0.25)), flat),
        ("compound", Compound::new(dumbbell).unwrap().into(), flat),
    ]
}

fn libm_cos(angle: f64) -> f64 {
    DQuat::from_rotation_z(angle).mul_vec3(DVec3::X).x
}

fn libm_sin(angle: f64) -> f64 {
    DQuat::from_rotation_z(angle).mul_vec3(DVec3::X).y
}

/// Floors whose top is the origin.
fn floors() -> Vec<(&'static str, Shape, DVec3, DQuat)> {
    let (flat, lying) = (DQuat::IDENTITY, laid(QUARTER));
    let down = |z: f64| DVec3::Z * -z;
    let halves = [-2.5, 2.5].map(|x| part(DVec3::new(2.5, 5.0, 1.0), x)).to_vec();
    let corners = Aabb { min: DVec3::splat(-5.0), max: DVec3::splat(5.0) }.corners();
    let level = HeightField::new(11, &[0.0; 121], sudar::glam::DVec2::ONE).unwrap();
    vec![
        ("half-space", Halfspace::new(DVec3::Z, 0.0).unwrap().into(), DVec3::ZERO, flat),
        ("box", Cuboid::new(DVec3::new(5.0, 5.0, 1.0)).unwrap().into(), down(1.0), flat),
        ("cylinder upright", Cylinder::new(5.0, 1.0).unwrap().into(), down(1.0), flat),
        ("base of a cone", Cone::new(5.0, 2.0).unwrap().into(), down(2.0), laid(2.0 * QUARTER)),
        ("hull", convex_hull(&corners).unwrap().into(), down(5.0), flat),
        ("mesh", box_mesh(DVec3::splat(5.0)), down(5.0), flat),
        ("height field", level.into(), DVec3::new(-5.3, -5.2, 0.0), flat),
        ("compound", Compound::new(halves).unwrap().into(), down(1.0), flat),
        ("ball of 1000", Sphere::new(DVec3::ZERO, 1000.0).unwrap().into(), down(1000.0), flat),
        ("ball of 5", Sphere::new(DVec3::ZERO, 5.0).unwrap().into(), down(5.0), flat),
        ("cylinder lying", Cylinder::new(1000.0, 10.0).unwrap().into(), down(1000.0), lying),
        ("capsule lying", Capsule::new(1000.0, 10.0).unwrap().into(), down(1000.0), lying),
        ("ellipsoid", Ellipsoid::new(DVec3::new(500.0, 800.0, 300.0)).unwrap().into(), down(300.0), flat),
    ]
}

/// Pairs that physics does not let rest, with the reason.
const ROLL: [(&str, &str, &str); 5] = [
    ("ball", "ball of 5", "it rolls down from beside the top"),
    ("cylinder lying", "ball of 5", "it rolls down across its axis"),
    ("capsule lying", "ball of 5", "it rolls down across its axis"),
    ("ellipsoid", "ball of 5", "it rocks: smooth surfaces that roll on each other lose nothing"),
    ("compound", "ball of 5", "it straddles the ball, so that it comes to lie 6 mm lower"),
];

#[test]
fn bodies_rest_on_flat_and_hardly_curved_floors() {
    let mut wrong = Vec::new();
    for (name, shape, rotation) in bodies() {
        for (floor, below, position, turned) in floors() {
            if ROLL.iter().any(|(body, on, _)| (*body, *on) == (name, floor)) {
                continue;
            }
            let mut world = World::new(settings("solver")).unwrap();
            world.add(RigidBody { position, rotation: turned, ..RigidBody::fixed("floor", below) }).unwrap();
            let mut body = RigidBody { rotation, ..RigidBody::new("body", shape.clone()) };
            let low = body.body.aabb(&Pose::new(DVec3::ZERO, rotation).unwrap()).min.z;
            // A millimetre above, one or two centimetres off centre.
            body.position = DVec3::new(0.013, 0.017, 0.001 - low);
            let body = world.add(body).unwrap();
            let start = world.motion(body).unwrap().center;
            // The fall takes a hundredth of a second, rest half a second more.
            let mut last = start;
            let mut off: f64 = 0.0;
            for step in 0..120 {
                world.step(STEP).unwrap();
                let now = world.motion(body).unwrap();
                // What moves has the velocity that it moves with, but for the steps in which it lands.
                off = off.max(if step < 12 {
                    0.0
                } else {
                    ((now.center - last) / STEP - now.velocity).length()
                });
                last = now.center;
            }
            let sunk = start.z - last.z - 0.001;
            if !(world.is_asleep(body).unwrap() && sunk.abs() < 1e-3 && off < 0.02) {
                wrong.push(format!("{name} on {floor}: {sunk} {off}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
