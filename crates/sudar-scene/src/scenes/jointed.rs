//! Bodies that joints hold.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_3};

use sudar::dynamics::{Handle, Joint, MassSpec, RigidBody, Settings, Softness};
use sudar::query::Body;
use sudar::shape::{Capsule, Cuboid, Cylinder, Halfspace, ShapeError, Sphere};
use sudar::{DQuat, DVec3};

use super::elastic::Numbers;
use super::{Scene, SceneError};
use crate::joints::SceneJoint;

/// The world, where a joint holds on to it.
const WORLD: Option<usize> = None;
/// A joint of a scene knows its bodies by their numbers.
const NOBODY: Option<Handle> = None;

impl Scene {
    /// Adds a body; returns its number.
    pub(super) fn push(
        &mut self,
        name: String,
        shape: impl Into<Body>,
        mass: f64,
        at: (DVec3, DQuat),
    ) -> usize {
        let matter = MassSpec::Mass(mass);
        let body = RigidBody::new(name, shape);
        self.bodies.push(RigidBody { matter, position: at.0, rotation: at.1, ..body });
        self.bodies.len() - 1
    }

    pub(super) fn tie(&mut self, a: Option<usize>, b: usize, joint: Joint) {
        self.joints.push(SceneJoint { bodies: [a, Some(b)], joint });
    }
}

/// A joint whose bodies are said later.
fn ball(pivot: DVec3) -> Joint {
    Joint::ball(NOBODY, NOBODY, pivot)
}

pub(super) fn hinge(pivot: DVec3, axis: DVec3) -> Joint {
    Joint::hinge(NOBODY, NOBODY, pivot, axis)
}

pub(super) fn floor(scene: &mut Scene) -> Result<(), ShapeError> {
    scene.bodies.push(RigidBody::fixed("floor", Halfspace::new(DVec3::Z, 0.0)?));
    Ok(())
}

/// A hanging bridge of so many planks of half a metre, and five balls of 50 kg that fall on it.
///
/// # Errors
/// None in practice.
pub fn bridge(planks: u32) -> Result<Scene, SceneError> {
    const LENGTH: f64 = 0.5;
    let mut scene = Scene::new(Settings::default());
    // Along an arc of one radian.
    let bend = 1.0 / f64::from(planks);
    let radius = 0.5 * LENGTH / libm::sin(0.5 * bend);
    let on_arc = |angle: f64| radius * DVec3::new(libm::sin(angle), 0.0, -libm::cos(angle));
    let end = |k: u32| on_arc(bend * f64::from(k) - 0.5) - on_arc(0.5).with_x(0.0) + DVec3::Z * 10.0;
    let plank = Body::new(Cuboid::new(DVec3::new(0.48 * LENGTH, 1.0, 0.05))?);
    let mut last = WORLD;
    for k in 0..planks {
        let turn = DQuat::from_rotation_y(0.5 - bend * (f64::from(k) + 0.5));
        let at = (end(k) + end(k + 1)) * 0.5;
        let next = scene.push(format!("plank {k}"), plank.clone(), 20.0, (at, turn));
        scene.tie(last, next, hinge(end(k), DVec3::Y));
        last = Some(next);
    }
    if let Some(last) = last {
        scene.tie(WORLD, last, hinge(end(planks), DVec3::Y));
    }
    let weight = Body::new(Sphere::new(DVec3::ZERO, 0.5)?);
    for k in 0..5 {
        let at = on_arc(0.1 * f64::from(k) - 0.2) - on_arc(0.5).with_x(0.0);
        scene.push(
            format!("ball {k}"),
            weight.clone(),
            50.0,
            (at + DVec3::new(0.0, 0.1, 11.0), DQuat::IDENTITY),
        );
    }
    Ok(scene)
}

/// So many ropes side by side, each of so many links of half a metre, that are let go from the horizontal.
///
/// # Errors
/// None in practice.
pub fn ropes(count: u32, links: u32) -> Result<Scene, SceneError> {
    const LENGTH: f64 = 0.5;
    let mut scene = Scene::new(Settings::default());
    let link = Body::new(Capsule::new(0.1, 0.5 * LENGTH - 0.1)?);
    let along = DQuat::from_rotation_y(FRAC_PI_2);
    for rope in 0..count {
        let start = DVec3::new(0.0, f64::from(rope), LENGTH * f64::from(links));
        let mut last = WORLD;
        for k in 0..links {
            let at = |part: f64| start + DVec3::X * (LENGTH * (f64::from(k) + part));
            let next = scene.push(format!("link {rope}-{k}"), link.clone(), 1.0, (at(0.5), along));
            scene.tie(last, next, ball(at(0.0)));
            last = Some(next);
        }
    }
    Ok(scene)
}

/// A net of balls a metre apart, so many along each side, that hangs by every fourth of one side: cloth.
///
/// # Errors
/// None in practice.
pub fn net(side: u32) -> Result<Scene, SceneError> {
    let mut scene = Scene::new(Settings::default());
    let knot = Body::new(Sphere::new(DVec3::ZERO, 0.4)?);
    for k in 0..side * side {
        let (row, column) = (k / side, k % side);
        let at = DVec3::new(f64::from(row), f64::from(column), f64::from(side));
        let next = scene.push(format!("knot {row}-{column}"), knot.clone(), 1.0, (at, DQuat::IDENTITY));
        if row == 0 && (column % 4 == 0 || column + 1 == side) {
            scene.tie(WORLD, next, ball(at));
        }
        if column > 0 {
            scene.tie(Some(next - 1), next, ball(at - DVec3::Y * 0.5));
        }
        if row > 0 {
            scene.tie(Some(next - side as usize), next, ball(at - DVec3::X * 0.5));
        }
    }
    Ok(scene)
}

/// So many dolls of eleven parts that fall in a heap.
///
/// # Errors
/// None in practice.
pub fn ragdolls(count: u32) -> Result<Scene, SceneError> {
    let mut scene = Scene::new(Settings::default());
    floor(&mut scene)?;
    let parts = DollParts::new()?;
    let mut numbers = Numbers::new(5);
    let side = (f64::from(count) / 5.0).sqrt().ceil().max(1.0) as u32;
    for k in 0..count {
        let [x, y, z] = [k % side, k / side % side, k / (side * side)].map(f64::from);
        let at = DVec3::new(2.0 * x, 2.0 * y, 1.5 + 2.2 * z) + numbers.vector() * 0.1;
        parts.put(&mut scene, k, (at, numbers.rotation()));
    }
    Ok(scene)
}

/// The shapes of a doll. It is 1.7 m tall and weighs 70 kg.
struct DollParts {
    pelvis: Body,
    chest: Body,
    head: Body,
    /// With half their lengths.
    limbs: [(Body, f64); 4],
}

/// How far a shoulder or a hip leans, and an elbow or a knee bends.
const LEAN: f64 = FRAC_PI_3;
const BEND: f64 = 2.2;

impl DollParts {
    fn new() -> Result<Self, ShapeError> {
        let limb = |radius: f64, half: f64| Ok((Body::new(Capsule::new(radius, half)?), radius + half));
        Ok(Self {
            pelvis: Body::new(Cuboid::new(DVec3::new(0.1, 0.16, 0.1))?),
            chest: Body::new(Cuboid::new(DVec3::new(0.11, 0.17, 0.2))?),
            head: Body::new(Sphere::new(DVec3::ZERO, 0.12)?),
            limbs: [limb(0.05, 0.1)?, limb(0.045, 0.1)?, limb(0.075, 0.14)?, limb(0.06, 0.14)?],
        })
    }

    /// Adds a doll whose pelvis is at a place, with all its joints.
    fn put(&self, scene: &mut Scene, number: u32, (center, turn): (DVec3, DQuat)) {
        let at = |x: f64, y: f64, z: f64| center + turn * DVec3::new(x, y, z);
        let [forth, side, up] = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| turn * axis);
        let part = |scene: &mut Scene, name: &str, shape: &Body, mass: f64, place: DVec3| {
            scene.push(format!("{name} {number}"), shape.clone(), mass, (place, turn))
        };
        let cone = |pivot: DVec3, axis: DVec3, lean: f64| {
            Joint::cone(NOBODY, NOBODY, pivot, axis, lean).limits(-0.4, 0.4)
        };
        let pelvis = part(scene, "pelvis", &self.pelvis, 12.0, center);
        let chest = part(scene, "chest", &self.chest, 24.0, at(0.0, 0.0, 0.33));
        let head = part(scene, "head", &self.head, 5.0, at(0.0, 0.0, 0.68));
        scene.tie(Some(pelvis), chest, cone(at(0.0, 0.0, 0.115), up, 0.5));
        scene.tie(Some(chest), head, cone(at(0.0, 0.0, 0.545), up, 0.6));
        for (word, y) in [("left", 1.0), ("right", -1.0)] {
            let limb = |scene: &mut Scene,
                        name: &str,
                        (shape, mass): (usize, f64),
                        from: usize,
                        top: [f64; 2],
                        joint: Joint| {
                let [x, z] = top;
                let place = at(0.0, y * x, z - self.limbs[shape].1);
                let next = scene.push(
                    format!("{word} {name} {number}"),
                    self.limbs[shape].0.clone(),
                    mass,
                    (place, turn),
                );
                scene.tie(Some(from), next, joint);
                next
            };
            let upper = limb(
                scene,
                "upper arm",
                (0, 2.5),
                chest,
                [0.25, 0.52],
                cone(at(0.0, 0.25 * y, 0.48), side * y - up, LEAN),
            );
            let elbow = hinge(at(0.0, 0.25 * y, 0.215), side).limits(-BEND, 0.0);
            limb(scene, "lower arm", (1, 2.0), upper, [0.25, 0.21], elbow);
            let thigh = limb(
                scene,
                "thigh",
                (2, 7.0),
                pelvis,
                [0.1, -0.105],
                cone(at(0.0, 0.1 * y, -0.1), forth * 0.5 - up, LEAN),
            );
            let knee = hinge(at(0.0, 0.1 * y, -0.54), side).limits(0.0, BEND);
            limb(scene, "shin", (3, 3.5), thigh, [0.1, -0.545], knee);
        }
    }
}

/// So many cars on springs that drive over a plane.
///
/// # Errors
/// None in practice.
pub fn cars(count: u32) -> Result<Scene, SceneError> {
    let mut scene = Scene::new(Settings::default());
    floor(&mut scene)?;
    let parts = CarParts::new()?;
    let side = f64::from(count).sqrt().ceil().max(1.0) as u32;
    for k in 0..count {
        let [x, y] = [k % side, k / side].map(f64::from);
        parts.put(&mut scene, &format!("{k}"), DVec3::new(6.0 * x, 4.0 * y, 0.75), 10.0);
    }
    Ok(scene)
}

/// The shapes of a car.
pub(super) struct CarParts {
    body: Body,
    wheel: Body,
}

impl CarParts {
    pub(super) fn new() -> Result<Self, ShapeError> {
        Ok(Self {
            body: Body::new(Cuboid::new(DVec3::new(1.5, 0.6, 0.3))?),
            wheel: Body::new(Cylinder::new(0.4, 0.15)?),
        })
    }

    /// Adds a car of 1200 kg that drives along x by its rear axle, and whose front wheels can be steered.
    pub(super) fn put(&self, scene: &mut Scene, name: &str, at: DVec3, speed: f64) {
        let car = scene.push(format!("car {name}"), self.body.clone(), 1100.0, (at, DQuat::IDENTITY));
        let soft = Softness::Stiffness { stiffness: 60_000.0, damping: 4_000.0 };
        for (word, x, y) in [
            ("rear right", -1.0, -0.8),
            ("rear left", -1.0, 0.8),
            ("front right", 1.0, -0.8),
            ("front left", 1.0, 0.8),
        ] {
            let hub = at + DVec3::new(x, y, -0.35);
            let turn = DQuat::from_rotation_x(-FRAC_PI_2);
            let wheel = scene.push(format!("{word} wheel {name}"), self.wheel.clone(), 25.0, (hub, turn));
            scene.bodies[wheel].friction = 1.0;
            let joint = Joint::wheel(NOBODY, NOBODY, hub, DVec3::Y, DVec3::Z).suspension([-0.15, 0.15], soft);
            let joint = if x < 0.0 { joint.motor(speed, 400.0) } else { joint };
            scene.tie(Some(car), wheel, joint);
        }
    }
}

/// A chain and what hangs on it.
pub(super) struct Chain {
    pub links: u32,
    /// Of a link, and of the load.
    pub mass: f64,
    pub load: f64,
}

impl Chain {
    /// Length of a link, in metres.
    pub(super) const LENGTH: f64 = 0.4;

    /// Hangs it on a body, at a point of the world.
    pub(super) fn hang(&self, scene: &mut Scene, from: usize, hook: DVec3) -> Result<(), ShapeError> {
        let link = Body::new(Capsule::new(0.06, 0.5 * Self::LENGTH - 0.06)?);
        let mut last = from;
        for k in 0..self.links {
            let at = |part: f64| hook - DVec3::Z * (Self::LENGTH * (f64::from(k) + part));
            let next = scene.push(format!("link {k}"), link.clone(), self.mass, (at(0.5), DQuat::IDENTITY));
            scene.tie(Some(last), next, ball(at(0.0)));
            last = next;
        }
        let end = hook - DVec3::Z * (Self::LENGTH * f64::from(self.links));
        let load = Body::new(Cuboid::new(DVec3::new(0.6, 0.6, 0.5))?);
        let load = scene.push("load".to_owned(), load, self.load, (end - DVec3::Z * 0.5, DQuat::IDENTITY));
        scene.tie(Some(last), load, ball(end));
        Ok(())
    }
}

/// A crane whose chain of so many links carries a thousand times the mass of a link.
///
/// # Errors
/// None in practice.
pub fn crane(links: u32) -> Result<Scene, SceneError> {
    let mut scene = Scene::new(Settings::default());
    floor(&mut scene)?;
    let height = Chain::LENGTH * f64::from(links) + 3.0;
    let mast = Cuboid::new(DVec3::new(0.3, 0.3, 0.5 * height))?;
    scene.bodies.push(RigidBody { position: DVec3::Z * (0.5 * height), ..RigidBody::fixed("mast", mast) });
    let reach = 8.0;
    let boom = Body::new(Cuboid::new(DVec3::new(0.5 * reach, 0.2, 0.2))?);
    let top = DVec3::Z * (height + 0.3);
    let boom = scene.push("boom".to_owned(), boom, 4000.0, (top + DVec3::X * (0.5 * reach), DQuat::IDENTITY));
    scene.tie(Some(1), boom, hinge(top, DVec3::Z).motor(0.2, 2e5));
    Chain { links, mass: 2.0, load: 2000.0 }.hang(
        &mut scene,
        boom,
        top + DVec3::new(reach - 0.3, 0.0, -0.2),
    )?;
    Ok(scene)
}

/// A car on two tracks of so many links each, eight or more, which stands on the floor.
///
/// # Errors
/// None in practice.
pub fn crawler(links: u32) -> Result<Scene, SceneError> {
    const LEAST: u32 = 8;
    const AXLES: [f64; 3] = [-0.6, 0.0, 0.6];
    let mut scene = Scene::new(Settings::default());
    floor(&mut scene)?;
    // Joints of the track are so far from the axles, and half as thick as the wheels are smaller.
    let (radius, thick) = (0.35, 0.03);
    let height = radius + thick;
    let track = track(links.max(LEAST), AXLES[2], radius);
    let hull = Body::new(Cuboid::new(DVec3::new(0.9, 0.45, 0.15))?);
    let hull = scene.push("hull".to_owned(), hull, 400.0, (DVec3::Z * (height + 0.25), DQuat::IDENTITY));
    let wheel = Body::new(Cylinder::new(radius - thick, 0.12)?);
    let length = track[0].distance(track[1]);
    let link = Body::new(Cuboid::new(DVec3::new(0.42 * length, 0.15, thick))?);
    for (word, y) in [("left", 0.65), ("right", -0.65)] {
        for (number, x) in AXLES.into_iter().enumerate() {
            let hub = DVec3::new(x, y, height);
            let turn = DQuat::from_rotation_x(FRAC_PI_2);
            let next = scene.push(format!("{word} wheel {number}"), wheel.clone(), 20.0, (hub, turn));
            scene.bodies[next].friction = 1.0;
            let axle = hinge(hub, DVec3::Y);
            scene.tie(Some(hull), next, if number == 1 { axle } else { axle.motor(0.0, 200.0) });
        }
        let first = scene.bodies.len();
        let corner = |k: usize| track[k % track.len()] + DVec3::new(0.0, y, height);
        for k in 0..track.len() {
            let (from, to) = (corner(k), corner(k + 1));
            let way = (to - from).normalize();
            let turn = DQuat::from_rotation_y(-way.z.atan2(way.x));
            scene.push(format!("{word} link {k}"), link.clone(), 2.0, ((from + to) * 0.5, turn));
            scene.bodies[first + k].friction = 1.0;
            let before = first + (k + track.len() - 1) % track.len();
            if k > 0 {
                scene.tie(Some(before), first + k, hinge(from, DVec3::Y));
            }
        }
        scene.tie(Some(first + track.len() - 1), first, hinge(corner(0), DVec3::Y));
    }
    Ok(scene)
}

/// The corners of a closed track of equal links around two wheels, whose axles are so far from the middle and which
/// are of about a radius.
fn track(links: u32, reach: f64, radius: f64) -> Vec<DVec3> {
    // A place on the track, by the way along it.
    let around = 4.0 * reach + std::f64::consts::TAU * radius;
    let place = |along: f64| {
        let (turn, half) = (std::f64::consts::PI * radius, 0.5 * around);
        let (side, rest) = if along < half { (1.0, along) } else { (-1.0, along - half) };
        let at = if rest < 2.0 * reach {
            DVec3::new(reach - rest, 0.0, radius)
        } else {
            let angle = std::f64::consts::PI * (rest - 2.0 * reach) / turn;
            DVec3::new(-reach - radius * libm::sin(angle), 0.0, radius * libm::cos(angle))
        };
        at * DVec3::new(side, 1.0, side)
    };
    // Steps of one chord, which is found such that the last ends where the first begins.
    let corners = |chord: f64| {
        let mut all = vec![0.0];
        for k in 0..links as usize {
            let from = all[k];
            let (mut near, mut far) = (from + chord, from + 1.6 * chord);
            for _ in 0..60 {
                let middle = 0.5 * (near + far);
                let is_far =
                    place(middle.rem_euclid(around)).distance(place(from.rem_euclid(around))) > chord;
                if is_far { far = middle } else { near = middle }
            }
            all.push(near);
        }
        all
    };
    let (mut short, mut long) = (0.5 * around / f64::from(links), around / f64::from(links));
    for _ in 0..60 {
        let middle = 0.5 * (short + long);
        if corners(middle)[links as usize] > around { long = middle } else { short = middle }
    }
    corners(short)[..links as usize].iter().map(|along| place(along.rem_euclid(around))).collect()
}

/// A house of so many storeys of cards that are hinged where they meet; its feet stand on the floor.
///
/// # Errors
/// None in practice.
pub fn card_house(storeys: u32) -> Result<Scene, SceneError> {
    const LENGTH: f64 = 0.4;
    const LEAN: f64 = 0.3;
    let mut scene = Scene::new(Settings::default());
    floor(&mut scene)?;
    let card = Body::new(Cuboid::new(DVec3::new(0.002, 0.15, 0.5 * LENGTH - 0.01))?);
    let (wide, high) = (LENGTH * libm::sin(LEAN), LENGTH * libm::cos(LEAN));
    let plate = Body::new(Cuboid::new(DVec3::new(wide - 0.01, 0.15, 0.002))?);
    // Of each foot of the storey, the cards that end there.
    let mut below: Vec<usize> = Vec::new();
    for storey in 0..storeys {
        let count = storeys - storey;
        let corner = |k: u32, up: f64| {
            let x = wide * (f64::from(2 * k) + f64::from(storey));
            DVec3::new(x, 0.0, 0.01 + high * (f64::from(storey) + up))
        };
        let mut tops = Vec::new();
        for k in 0..count {
            let top = corner(k, 1.0) + DVec3::X * wide;
            let mut sides = [0; 2];
            for (side, foot, lean) in [(0, corner(k, 0.0), LEAN), (1, corner(k + 1, 0.0), -LEAN)] {
                let at = ((foot + top) * 0.5, DQuat::from_rotation_y(lean));
                sides[side] = scene.push(format!("card {storey}-{k}-{side}"), card.clone(), 0.1, at);
                if let Some(&plate) = below.get(k as usize) {
                    scene.tie(Some(plate), sides[side], hinge(foot, DVec3::Y));
                }
            }
            scene.tie(Some(sides[0]), sides[1], hinge(top, DVec3::Y));
            tops.push((sides[1], top));
        }
        below = Vec::new();
        for (k, ends) in tops.windows(2).enumerate() {
            let at = ((ends[0].1 + ends[1].1) * 0.5, DQuat::IDENTITY);
            let plate = scene.push(format!("plate {storey}-{k}"), plate.clone(), 0.06, at);
            for (card, top) in ends {
                scene.tie(Some(*card), plate, hinge(*top, DVec3::Y));
            }
            below.push(plate);
        }
    }
    Ok(scene)
}
