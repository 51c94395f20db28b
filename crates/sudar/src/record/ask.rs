//! From a written query to its answer.

use glam::DVec3;

use super::answer::{ClosestPointAnswer, ContactsAnswer, ContainsAnswer, IntersectsAnswer, RayAnswer};
use super::{Answer, Posed, Query, RecordError, ShapeSpec};
use crate::math::Pose;
use crate::query::{self, Body, Intersection};
use crate::shape::{Ray, Segment, Shape};

/// A query with its shapes loaded and their trees built: what remains is the query alone.
#[derive(Debug, Clone)]
pub struct Prepared {
    question: Question,
}

#[derive(Debug, Clone)]
enum Question {
    Intersects { a: (Body, Pose), b: (Body, Pose) },
    Contacts { a: (Body, Pose), b: (Body, Pose), max: usize },
    Ray { a: (Body, Pose), ray: Ray, max: f64 },
    ClosestPoint { a: (Body, Pose), point: DVec3 },
    Contains { a: (Body, Pose), point: DVec3 },
}

impl Query {
    /// Makes the query ready to be asked. `body` gives the body of a shape, built or from a store.
    ///
    /// # Errors
    /// Those of `body`, of poses and rays, and of queries that do not apply to the shape.
    pub fn prepare(
        &self,
        mut body: impl FnMut(&ShapeSpec) -> Result<Body, RecordError>,
    ) -> Result<Prepared, RecordError> {
        let mut posed = |posed: &Posed, shape_field, pose_field| {
            let body = body(&posed.shape).map_err(|e| e.inside(shape_field))?;
            let pose = posed.pose.pose(body.shape()).map_err(|e| e.inside(pose_field))?;
            Ok::<_, RecordError>((body, pose))
        };
        let question = match self {
            Self::Intersects { a, b } => {
                Question::Intersects { a: posed(a, "a", "pose_a")?, b: posed(b, "b", "pose_b")? }
            }
            Self::Contacts { a, b, max } => {
                let (a, b) = (posed(a, "a", "pose_a")?, posed(b, "b", "pose_b")?);
                check_mesh(a.0.shape()).map_err(|e| e.inside("a"))?;
                check_mesh(b.0.shape()).map_err(|e| e.inside("b"))?;
                Question::Contacts { a, b, max: max.unwrap_or(usize::MAX) }
            }
            Self::Ray { a, origin, direction, max } => {
                let ray = Ray::new(*origin, *direction)?;
                Question::Ray { a: posed(a, "a", "pose_a")?, ray, max: max.unwrap_or(f64::INFINITY) }
            }
            Self::ClosestPoint { a, point } => {
                Question::ClosestPoint { a: posed(a, "a", "pose_a")?, point: checked_point(*point)? }
            }
            Self::Contains { a, point } => {
                Question::Contains { a: posed(a, "a", "pose_a")?, point: checked_point(*point)? }
            }
        };
        Ok(Prepared { question })
    }
}

impl Prepared {
    /// The answer. The same bits each time.
    ///
    /// # Errors
    /// [`RecordError::NeedsSolid`] if the shape of a `contains` has no inside.
    pub fn ask(&self) -> Result<Answer, RecordError> {
        Ok(match &self.question {
            Question::Intersects { a, b } => Answer::Intersects(intersects(a, b)),
            Question::Contacts { a, b, max } => Answer::Contacts(contacts(a, b, *max)),
            Question::Ray { a, ray, max } => Answer::Ray(first_hit(a, ray, *max)),
            Question::ClosestPoint { a: (body, pose), point } => {
                let found = query::closest_point(body, pose, *point);
                // What the point itself says, as far as it is certain.
                let interval = found.distance;
                let distance = (found.point - *point).length().clamp(interval.lower, interval.upper);
                Answer::ClosestPoint(ClosestPointAnswer {
                    distance,
                    point: found.point,
                    feature: found.feature,
                })
            }
            Question::Contains { a: (body, pose), point } => {
                let inside =
                    query::contains(body, pose, *point).map_err(|_| RecordError::NeedsSolid.inside("a"))?;
                Answer::Contains(ContainsAnswer { inside })
            }
        })
    }
}

fn intersects((a, pose_a): &(Body, Pose), (b, pose_b): &(Body, Pose)) -> IntersectsAnswer {
    let answer = |intersects, features| IntersectsAnswer { intersects, undecided: None, features };
    match query::intersects(a, pose_a, b, pose_b) {
        Intersection::Apart => answer(Some(false), None),
        Intersection::Touching { features } => answer(Some(true), Some(features)),
    }
}

fn contacts(a: &(Body, Pose), b: &(Body, Pose), max: usize) -> ContactsAnswer {
    let mut pairs = query::contacts(&a.0, &a.1, &b.0, &b.1);
    let count = pairs.len();
    pairs.truncate(max);
    // Surfaces that nowhere meet still have points in common if one lies inside a solid.
    let intersects = count > 0 || intersects(a, b).intersects == Some(true);
    ContactsAnswer { intersects, count, pairs }
}

fn first_hit((body, pose): &(Body, Pose), ray: &Ray, max: f64) -> RayAnswer {
    match query::ray(body, pose, ray, max) {
        None => RayAnswer { hit: false, t: None, point: None, normal: None, feature: None },
        Some(hit) => RayAnswer {
            hit: true,
            t: Some(hit.t),
            point: Some(hit.point),
            normal: Some(hit.normal),
            feature: Some(hit.feature),
        },
    }
}

fn check_mesh(shape: &Shape) -> Result<(), RecordError> {
    let kind = match shape {
        Shape::Mesh(_) | Shape::Solid(_) => return Ok(()),
        Shape::Triangle(_) => "triangle",
        Shape::Segment(_) => "segment",
        Shape::Point(_) => "point",
        Shape::Sphere(_) => "sphere",
        Shape::Cuboid(_) => "box",
        Shape::Halfspace(_) => "halfspace",
    };
    Err(RecordError::NeedsMesh { kind })
}

/// The point if it is within range.
fn checked_point(point: DVec3) -> Result<DVec3, RecordError> {
    Segment::new(point, point).map(|s| s.a).map_err(|_| RecordError::PointTooFar.inside("point"))
}
