//! Queries about one shape, and how they are answered.

use std::sync::Arc;

use serde::Serialize;
use sudar::DVec3;
use sudar::effort::Partial;
use sudar::math::Interval;
use sudar::query::{ByWinding, ClosestPoint, Placed, StopReason, Work, has_inside};
use sudar::shape::Ray;

use crate::answer::{Answer, InsideMethod};
use crate::bounds::{around, check_reach, cloud_of};
use crate::error::{RecordError, Result};
use crate::fields::{Fields, not_negative};
use crate::mass::{MassSpec, measure, ready};
use crate::stand::{Ask, Stand, unless};

/// A question about one posed shape.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum BodyQuery {
    /// Where does a ray first meet the shape?
    Ray {
        /// Start of the ray in the world.
        origin: DVec3,
        /// Direction of the ray, of any length but zero.
        direction: DVec3,
        /// How far to go, in units of the direction's length; without end if absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        max: Option<f64>,
    },
    /// Which point of the shape is closest to a point?
    ClosestPoint {
        /// The point in the world.
        point: DVec3,
    },
    /// Is a point inside the shape, a solid one unless the method is for any, or on its surface?
    Contains {
        /// The point in the world.
        point: DVec3,
        /// How to tell; exactly if absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        method: Option<InsideMethod>,
    },
    /// What are volume, centre of mass and inertia tensor of the shape?
    Mass(MassSpec),
    /// Which are its bounding volumes?
    Bounds {},
}

impl BodyQuery {
    /// Takes the fields of the query of this name.
    pub(super) fn read(name: &str, fields: &mut Fields<'_>) -> Result<Self> {
        Ok(match name {
            "ray" => {
                let (origin, direction) = (fields.required("origin")?, fields.required("direction")?);
                Self::Ray { origin, direction, max: fields.nested("max", not_negative)? }
            }
            "closest_point" => Self::ClosestPoint { point: fields.required("point")? },
            "contains" => {
                Self::Contains { point: fields.required("point")?, method: fields.optional("method")? }
            }
            "mass" => Self::Mass(MassSpec::read(fields)?),
            _ => Self::Bounds {},
        })
    }

    /// The query on a body, ready to run: all is checked and prepared.
    pub(super) fn prepare(&self, a: Stand) -> Result<Arc<Ask>> {
        Ok(match *self {
            Self::Ray { origin, direction, max } => {
                let (ray, max) = (Ray::new(origin, direction)?, max.unwrap_or(f64::INFINITY));
                Arc::new(move |work| Ok(first_hit(a.placed(), &ray, max, work)))
            }
            Self::ClosestPoint { point } => {
                check_reach("point", &[point])?;
                Arc::new(move |work| Ok(closest_point(a.placed(), point, work)))
            }
            Self::Contains { point, method } => {
                check_reach("point", &[point])?;
                Arc::new(move |work| contains(a.placed(), point, method, work).map_err(|e| e.inside("a")))
            }
            Self::Mass(spec) => {
                let shape = ready(a.body.shape(), &a.pose).map_err(|e| e.inside("a"))?;
                Arc::new(move |_| measure(&shape, spec))
            }
            Self::Bounds {} => {
                let (points, margin) = cloud_of(a.body.shape(), &a.pose).map_err(|e| e.inside("a"))?;
                Arc::new(move |_| around(&points, margin))
            }
        })
    }
}

/// The first hit if it is certain that it is the first. One that was found before the budget ended says only
/// how far the ray gets at most.
fn first_hit(a: Placed, ray: &Ray, max: f64, work: &mut Work<'_>) -> Answer {
    let Partial { found, complete } = work.ray(a, ray, max);
    let first = found.filter(|_| complete);
    Answer::Ray {
        hit: (found.is_some() || complete).then_some(found.is_some()),
        t: first.map(|hit| hit.t),
        point: first.map(|hit| hit.point),
        normal: first.map(|hit| hit.normal),
        feature: first.map(|hit| hit.feature),
        t_upper: found.filter(|_| !complete).map(|hit| hit.t),
        undecided: unless(complete),
    }
}

fn closest_point(a: Placed, from: DVec3, work: &mut Work<'_>) -> Answer {
    let ClosestPoint { distance: Interval { lower, upper }, point, feature } = work.closest_point(a, from);
    // What the point itself says, as far as it is certain.
    let distance = (point - from).length().clamp(lower, upper);
    let stopped = work.was_stopped();
    let (lower, status) = (stopped.then_some(lower), unless(!stopped));
    Answer::ClosestPoint { distance, point, feature, lower, status }
}

fn contains(a: Placed, point: DVec3, method: Option<InsideMethod>, work: &mut Work<'_>) -> Result<Answer> {
    if method == Some(InsideMethod::Winding) && !has_inside(a.body()) {
        return Ok(by_winding(a, point, work));
    }
    let inside = work.contains(a, point).map_err(RecordError::NeedsSolid)?;
    let method = method.map(|_| InsideMethod::Exact);
    Ok(Answer::Contains { inside, undecided: unless(inside.is_some()), method, winding: None })
}

fn by_winding(a: Placed, point: DVec3, work: &mut Work<'_>) -> Answer {
    let ByWinding { inside, number: Interval { lower, upper } } = work.contains_by_winding(a, point);
    let doubt = if work.was_stopped() { StopReason::Budget } else { StopReason::Precision };
    let undecided = inside.is_none().then_some(doubt);
    let winding = (lower.is_finite() && upper.is_finite()).then_some([lower, upper]);
    Answer::Contains { inside, undecided, method: Some(InsideMethod::Winding), winding }
}
