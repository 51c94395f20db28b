//! Sudar's column. Everything of the library that this comparison calls is in this file.

use ::sudar::hull::convex_hull;
use ::sudar::query::{self, Body, DistanceOptions, Memory, Penetration};
use ::sudar::{Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Pose, Shape, Sphere};
use anyhow::Result;
use glam::DVec3;

use super::answers::{Answers, Query, asked};
use super::cases::{Case, Pair};
use super::form::Form;

const NAME: &str = "Sudar";
const WITH_MEMORY: &str = "Sudar with memory";

/// Times and answers; on a walk also with a memory of each pair.
///
/// # Errors
/// If a shape is refused.
pub fn answers(case: &Case, sweeps: usize) -> Result<Vec<Answers>> {
    let prepared = Prepared { case, first: bodies(&case.first)?, second: bodies(&case.second)?, sweeps };
    let mut found = vec![
        prepared.ask(Query::Touch, touch),
        prepared.ask(Query::Distance, distance),
        prepared.ask(Query::Depth, depth),
    ];
    if case.is_of_boxes() {
        found.push(prepared.ask(Query::Manifold, manifold));
    }
    if case.walk {
        found.push(prepared.remembering(Query::Touch, touch_again));
        found.push(prepared.remembering(Query::Distance, distance_again));
        found.push(prepared.remembering(Query::Depth, depth_again));
    }
    Ok(found)
}

// ------------------------------------------------------------------------------------------------- what is called

fn touch(a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose) -> f64 {
    f64::from(u8::from(query::intersects(a.at(pose_a), b.at(pose_b)).is_touching()))
}

fn distance(a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose) -> f64 {
    let interval = query::distance(a.at(pose_a), b.at(pose_b), &DistanceOptions::EXACT).interval;
    f64::midpoint(interval.lower, interval.upper)
}

/// The depth, 0 where they are apart.
fn depth(a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose) -> f64 {
    deep(&query::penetration(a.at(pose_a), b.at(pose_b)))
}

/// The depth of the deepest contact, 0 if there is none.
fn manifold(a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose) -> f64 {
    let contacts = query::manifold(a.at(pose_a), b.at(pose_b), 0.0);
    contacts.iter().fold(0.0, |deepest: f64, contact| deepest.max(contact.depth))
}

fn touch_again(memory: &mut Memory, a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose) -> f64 {
    f64::from(u8::from(memory.intersects(a.at(pose_a), b.at(pose_b)).is_touching()))
}

fn distance_again(memory: &mut Memory, a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose) -> f64 {
    let interval = memory.distance(a.at(pose_a), b.at(pose_b), &DistanceOptions::EXACT).interval;
    f64::midpoint(interval.lower, interval.upper)
}

fn depth_again(memory: &mut Memory, a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose) -> f64 {
    deep(&memory.penetration(a.at(pose_a), b.at(pose_b)))
}

fn deep(found: &Penetration) -> f64 {
    (-f64::midpoint(found.signed.lower, found.signed.upper)).max(0.0)
}

// ---------------------------------------------------------------------------------------------- how it is asked

/// Everything made before the clock starts.
struct Prepared<'a> {
    case: &'a Case,
    first: Vec<Body>,
    second: Vec<Body>,
    sweeps: usize,
}

impl Prepared<'_> {
    fn ask(&self, query: Query, f: impl Fn(&Body, &Pose, &Body, &Pose) -> f64) -> Answers {
        self.named(NAME, query, |_, a, pose_a, b, pose_b| f(a, pose_a, b, pose_b))
    }

    /// As [`Prepared::ask`]; the memory is empty where other shapes begin to walk.
    fn remembering(
        &self,
        query: Query,
        f: impl Fn(&mut Memory, &Body, &Pose, &Body, &Pose) -> f64,
    ) -> Answers {
        let memory = std::cell::RefCell::new(Memory::default());
        self.named(WITH_MEMORY, query, |i, a, pose_a, b, pose_b| {
            let mut memory = memory.borrow_mut();
            if i == 0 || !self.case.pairs[i].same_shapes(&self.case.pairs[i - 1]) {
                *memory = Memory::default();
            }
            f(&mut memory, a, pose_a, b, pose_b)
        })
    }

    fn named(
        &self,
        name: &str,
        query: Query,
        f: impl Fn(usize, &Body, &Pose, &Body, &Pose) -> f64,
    ) -> Answers {
        asked(name, query, self.case.pairs.len(), self.sweeps, |i| {
            let Pair { a, b, pose_a, pose_b } = &self.case.pairs[i];
            f(i, &self.first[*a], pose_a, &self.second[*b], pose_b)
        })
    }
}

fn bodies(forms: &[Form]) -> Result<Vec<Body>> {
    forms.iter().map(|form| Ok(Body::new(shape(form)?))).collect()
}

fn shape(form: &Form) -> Result<Shape> {
    Ok(match form {
        Form::Hull { vertices, .. } => convex_hull(vertices)?.into(),
        Form::Cuboid(half) => Cuboid::new(*half)?.into(),
        Form::Sphere(radius) => Sphere::new(DVec3::ZERO, *radius)?.into(),
        Form::Capsule { radius, half_length } => Capsule::new(*radius, *half_length)?.into(),
        Form::Cylinder { radius, half_length } => Cylinder::new(*radius, *half_length)?.into(),
        Form::Cone { radius, half_length } => Cone::new(*radius, *half_length)?.into(),
        Form::Ellipsoid(radii) => Ellipsoid::new(*radii)?.into(),
    })
}
