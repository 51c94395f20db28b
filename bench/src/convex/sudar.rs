//! Sudar's column. Everything of the library that this comparison calls is in this file.

use std::sync::Arc;

use ::sudar::query::{self, Body};
use ::sudar::{Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Hull, Pose, Shape, Sphere};
use anyhow::Result;
use glam::DVec3;

use super::answers::{Answers, Query, asked};
use super::cases::{Case, Pair};
use super::form::Form;

const NAME: &str = "Sudar";
const WITH_MEMORY: &str = "Sudar with memory";

/// Times and answers; without those that the library does not have yet.
///
/// # Errors
/// If a shape is refused.
pub fn answers(case: &Case, sweeps: usize) -> Result<Vec<Answers>> {
    let Some(first) = bodies(&case.first)? else { return Ok(Vec::new()) };
    let Some(second) = bodies(&case.second)? else { return Ok(Vec::new()) };
    let prepared = Prepared { case, first, second, sweeps };
    let mut found = vec![
        prepared.ask(Query::Touch, |_, a, pose_a, b, pose_b| touch(a, pose_a, b, pose_b)),
        prepared.ask(Query::Distance, |_, a, pose_a, b, pose_b| distance(a, pose_a, b, pose_b)),
    ];
    if DEPTH_IS_READY {
        found.push(prepared.ask(Query::Depth, |_, a, pose_a, b, pose_b| depth(a, pose_a, b, pose_b)));
    }
    if case.walk && MEMORY_IS_READY {
        found.push(prepared.remembering(Query::Touch, touch_again));
        found.push(prepared.remembering(Query::Distance, distance_again));
        found.push(prepared.remembering(Query::Depth, depth_again));
    }
    Ok(found)
}

// ------------------------------------------------------------------------------- to be filled in as the library grows

/// Whether `depth` below answers.
const DEPTH_IS_READY: bool = false;
/// Whether the functions with a memory answer.
const MEMORY_IS_READY: bool = false;

/// Which shapes the queries answer for.
fn is_ready(form: &Form) -> bool {
    match form {
        Form::Cuboid(_) | Form::Sphere(_) => true,
        Form::Hull { .. }
        | Form::Capsule { .. }
        | Form::Cylinder { .. }
        | Form::Cone { .. }
        | Form::Ellipsoid(_) => false,
    }
}

/// The hull of points: `sudar::hull::convex_hull(vertices)`.
fn hull(_vertices: &[DVec3]) -> Option<Arc<Hull>> {
    None
}

fn touch(a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose) -> f64 {
    f64::from(u8::from(query::intersects(a, pose_a, b, pose_b).is_touching()))
}

fn distance(a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose) -> f64 {
    let interval = query::distance(a, pose_a, b, pose_b, f64::INFINITY).interval;
    f64::midpoint(interval.lower, interval.upper)
}

/// The depth, 0 where they are apart: from `query::penetration(a, pose_a, b, pose_b).signed`.
fn depth(_a: &Body, _pose_a: &Pose, _b: &Body, _pose_b: &Pose) -> f64 {
    f64::NAN
}

/// What is kept from one query to the next about a pair of shapes.
#[derive(Debug, Default)]
struct Memory;

fn touch_again(_memory: &mut Memory, a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose) -> f64 {
    touch(a, pose_a, b, pose_b)
}

fn distance_again(_memory: &mut Memory, a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose) -> f64 {
    distance(a, pose_a, b, pose_b)
}

fn depth_again(_memory: &mut Memory, a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose) -> f64 {
    depth(a, pose_a, b, pose_b)
}

// ------------------------------------------------------------------------------------------------------------- fixed

/// Everything made before the clock starts.
struct Prepared<'a> {
    case: &'a Case,
    first: Vec<Body>,
    second: Vec<Body>,
    sweeps: usize,
}

impl Prepared<'_> {
    fn ask(&self, query: Query, f: impl Fn(usize, &Body, &Pose, &Body, &Pose) -> f64) -> Answers {
        self.named(NAME, query, f)
    }

    /// As [`Prepared::ask`]; the memory is empty where other shapes begin to walk.
    fn remembering(
        &self,
        query: Query,
        f: impl Fn(&mut Memory, &Body, &Pose, &Body, &Pose) -> f64,
    ) -> Answers {
        let memory = std::cell::RefCell::new(Memory);
        self.named(WITH_MEMORY, query, |i, a, pose_a, b, pose_b| {
            let mut memory = memory.borrow_mut();
            if i == 0 || !self.case.pairs[i].same_shapes(&self.case.pairs[i - 1]) {
                *memory = Memory;
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

fn bodies(forms: &[Form]) -> Result<Option<Vec<Body>>> {
    if !forms.iter().all(is_ready) {
        return Ok(None);
    }
    let shapes = forms.iter().map(shape).collect::<Result<Option<Vec<_>>>>()?;
    Ok(shapes.map(|shapes| shapes.into_iter().map(Body::new).collect()))
}

fn shape(form: &Form) -> Result<Option<Shape>> {
    Ok(match form {
        Form::Hull { vertices, .. } => hull(vertices).map(Shape::Hull),
        Form::Cuboid(half) => Some(Cuboid::new(*half)?.into()),
        Form::Sphere(radius) => Some(Sphere::new(DVec3::ZERO, *radius)?.into()),
        Form::Capsule { radius, half_length } => Some(Capsule::new(*radius, *half_length)?.into()),
        Form::Cylinder { radius, half_length } => Some(Cylinder::new(*radius, *half_length)?.into()),
        Form::Cone { radius, half_length } => Some(Cone::new(*radius, *half_length)?.into()),
        Form::Ellipsoid(radii) => Some(Ellipsoid::new(*radii)?.into()),
    })
}
