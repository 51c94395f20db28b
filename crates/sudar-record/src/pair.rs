//! Queries about two shapes, and how they are answered.

use std::sync::Arc;

use serde::Serialize;
use sudar::convex::Accuracy;
use sudar::effort::Partial;
use sudar::math::{Interval, Pose};
use sudar::motion::Motion;
use sudar::query::{
    Contact, Distance, DistanceEnd, DistanceOptions, Impact, Intersection, LocalMinimum, Penetration, Placed,
    Sweep, SweepOptions, Within, Work,
};
use sudar::shape::Shape;

use crate::answer::{Answer, ContactAnswer, FirstContactAnswer, MinimumAnswer, Witness};
use crate::error::{RecordError, Result};
use crate::fields::{Fields, not_negative};
use crate::moving::ToleranceSpec;
use crate::pose::PoseSpec;
use crate::stand::{Ask, Stand, unless};

/// A question about two posed shapes.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum PairQuery {
    /// Do the shapes have a point in common?
    Intersects {},
    /// Which triangles of two meshes meet?
    Contacts {
        /// How many pairs to list; all if absent. They are counted in any case.
        #[serde(skip_serializing_if = "Option::is_none")]
        max: Option<usize>,
    },
    /// Where do the shapes touch, and how deep?
    Manifold {
        /// How far apart points may be and still count; 0 if absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        margin: Option<f64>,
    },
    /// How far apart are the shapes?
    Distance {
        /// How exactly.
        #[serde(flatten)]
        accuracy: AccuracySpec,
        /// Beyond this, any distance will do; without limit if absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        max: Option<f64>,
    },
    /// Are the shapes no farther apart than this?
    Within {
        /// The distance in question.
        tolerance: f64,
    },
    /// Where are the shapes nearer to each other than around?
    LocalMinima {
        /// Places farther apart than this are not of interest.
        tolerance: f64,
    },
    /// How far apart are the shapes, or how deep in each other?
    Penetration(AccuracySpec),
    /// When do two moving shapes first meet? The origins move at constant velocities, turning by the shortest turns.
    Sweep {
        /// The pose of the first shape at time 1; the same if absent.
        #[serde(rename = "pose_a_end", skip_serializing_if = "Option::is_none")]
        a_end: Option<Box<PoseSpec>>,
        /// The pose of the second shape at time 1; the same if absent.
        #[serde(rename = "pose_b_end", skip_serializing_if = "Option::is_none")]
        b_end: Option<Box<PoseSpec>>,
        /// What counts as contact.
        #[serde(flatten)]
        tolerance: ToleranceSpec,
    },
}

/// How wide an interval may be.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct AccuracySpec {
    /// The field `abs`; 0 if absent.
    #[serde(rename = "abs", skip_serializing_if = "Option::is_none")]
    pub absolute: Option<f64>,
    /// The field `rel`, a fraction of the upper end; 1e-9 if absent.
    #[serde(rename = "rel", skip_serializing_if = "Option::is_none")]
    pub relative: Option<f64>,
}

impl AccuracySpec {
    fn read(fields: &mut Fields<'_>) -> Result<Self> {
        Ok(Self {
            absolute: fields.nested("abs", not_negative)?,
            relative: fields.nested("rel", not_negative)?,
        })
    }

    /// Options of the distance.
    pub fn search(&self, max: Option<f64>) -> DistanceOptions {
        let Accuracy { absolute, relative } = self.accuracy();
        DistanceOptions { absolute, relative, max: max.unwrap_or(f64::INFINITY) }
    }

    /// With the values of absent fields.
    pub fn accuracy(&self) -> Accuracy {
        Accuracy { absolute: self.absolute.unwrap_or(0.0), relative: self.relative.unwrap_or(1e-9) }
    }
}

impl PairQuery {
    /// Takes the fields of the query of this name.
    pub(super) fn read(name: &str, fields: &mut Fields<'_>) -> Result<Self> {
        Ok(match name {
            "intersects" => Self::Intersects {},
            "contacts" => Self::Contacts { max: fields.optional("max")? },
            "manifold" => Self::Manifold { margin: fields.nested("margin", not_negative)? },
            "distance" => {
                let accuracy = AccuracySpec::read(fields)?;
                Self::Distance { accuracy, max: fields.nested("max", not_negative)? }
            }
            "within" => Self::Within { tolerance: fields.needed("tolerance", not_negative)? },
            "local_minima" => Self::LocalMinima { tolerance: fields.needed("tolerance", not_negative)? },
            "penetration" => Self::Penetration(AccuracySpec::read(fields)?),
            _ => Self::Sweep {
                a_end: fields.nested("pose_a_end", PoseSpec::parse)?.map(Box::new),
                b_end: fields.nested("pose_b_end", PoseSpec::parse)?.map(Box::new),
                tolerance: ToleranceSpec::read(fields)?,
            },
        })
    }

    /// The query on two bodies, ready to run: all is checked and prepared.
    pub(super) fn prepare(&self, both: [Stand; 2]) -> Result<Arc<Ask>> {
        fn of(
            both: [Stand; 2],
            ask: impl Fn(Placed, Placed, &mut Work<'_>) -> Answer + Send + Sync + 'static,
        ) -> Arc<Ask> {
            Arc::new(move |work| Ok(ask(both[0].placed(), both[1].placed(), work)))
        }
        Ok(match *self {
            Self::Intersects {} => of(both, intersects),
            Self::Contacts { max } => {
                check_mesh(both[0].body.shape()).map_err(|e| e.inside("a"))?;
                check_mesh(both[1].body.shape()).map_err(|e| e.inside("b"))?;
                of(both, move |a, b, work| contacts(a, b, max.unwrap_or(usize::MAX), work))
            }
            Self::Manifold { margin } => {
                of(both, move |a, b, work| manifold(a, b, margin.unwrap_or(0.0), work))
            }
            Self::Distance { accuracy, max } => {
                of(both, move |a, b, work| distance(a, b, &accuracy.search(max), work))
            }
            Self::Within { tolerance } => of(both, move |a, b, work| within(a, b, tolerance, work)),
            Self::LocalMinima { tolerance } => {
                of(both, move |a, b, work| local_minima(a, b, tolerance, work))
            }
            Self::Penetration(accuracy) => of(both, move |a, b, work| penetration(a, b, accuracy, work)),
            Self::Sweep { ref a_end, ref b_end, ref tolerance } => {
                let ends = [both[0].end(a_end, "pose_a_end")?, both[1].end(b_end, "pose_b_end")?];
                sweep(both, &ends, tolerance)
            }
        })
    }
}

fn intersects(a: Placed, b: Placed, work: &mut Work<'_>) -> Answer {
    let found = work.intersects(a, b);
    let (features, undecided) = match found {
        Intersection::Apart => (None, None),
        Intersection::Touching { features } => (Some(features), None),
        Intersection::Undecided(doubt) => (None, Some(doubt)),
    };
    Answer::Intersects { intersects: found.decided(), undecided, features }
}

fn contacts(a: Placed, b: Placed, max: usize, work: &mut Work<'_>) -> Answer {
    let Partial { found: mut pairs, complete } = work.contacts(a, b);
    let count = pairs.len();
    pairs.truncate(max);
    // Surfaces that nowhere meet still have points in common if one lies inside a solid.
    let intersects = if count > 0 { Some(true) } else { work.intersects(a, b).decided() };
    Answer::Contacts { intersects, undecided: unless(complete), count, pairs }
}

fn check_mesh(shape: &Shape) -> Result<()> {
    let kind = match shape {
        Shape::Mesh(_) | Shape::Solid(_) | Shape::HeightField(_) | Shape::PointCloud(_) => return Ok(()),
        Shape::Triangle(_) => "a triangle",
        Shape::Segment(_) => "a segment",
        Shape::Point(_) => "a point",
        Shape::Sphere(_) => "a sphere",
        Shape::Cuboid(_) => "a box",
        Shape::Halfspace(_) => "a halfspace",
        Shape::Capsule(_) => "a capsule",
        Shape::Cylinder(_) => "a cylinder",
        Shape::Cone(_) => "a cone",
        Shape::Ellipsoid(_) => "an ellipsoid",
        Shape::Hull(_) => "a hull",
        Shape::Compound(_) => "a compound",
    };
    Err(RecordError::NeedsMesh(kind))
}

fn manifold(a: Placed, b: Placed, margin: f64, work: &mut Work<'_>) -> Answer {
    let Partial { found, complete } = work.manifold(a, b, margin);
    let contact = |c: Contact| {
        let Contact { point_a, point_b, normal, depth, .. } = c;
        ContactAnswer { point_a, point_b, normal, depth }
    };
    Answer::Manifold { contacts: found.into_iter().map(contact).collect(), undecided: unless(complete) }
}

fn distance(a: Placed, b: Placed, search: &DistanceOptions, work: &mut Work<'_>) -> Answer {
    let Distance { interval, point_a, point_b, features, end } = work.distance(a, b, search);
    let Interval { lower, upper } = interval;
    Answer::Distance { lower, upper, point_a, point_b, features, status: end }
}

fn within(a: Placed, b: Placed, tolerance: f64, work: &mut Work<'_>) -> Answer {
    let found = work.within(a, b, tolerance);
    let (witness, undecided) = match found {
        Within::Yes { point_a, point_b, .. } => (Some(Witness::Points { point_a, point_b }), None),
        Within::No { plane, .. } => {
            (plane.map(|p| Witness::Plane { plane: p.normal.extend(p.offset).to_array() }), None)
        }
        Within::Undecided(doubt) => (None, Some(doubt)),
    };
    Answer::Within { within: found.decided(), undecided, witness }
}

fn local_minima(a: Placed, b: Placed, tolerance: f64, work: &mut Work<'_>) -> Answer {
    let Partial { found, complete } = work.local_minima(a, b, tolerance);
    let minimum = |m: LocalMinimum| {
        let LocalMinimum { interval, point_a, point_b, features, .. } = m;
        // What the points say, as far as it is certain.
        let distance = (point_b - point_a).length().clamp(interval.lower, interval.upper);
        MinimumAnswer { distance, point_a, point_b, features }
    };
    let mut minima: Vec<MinimumAnswer> = found.into_iter().map(minimum).collect();
    minima.sort_by(|m, n| m.distance.total_cmp(&n.distance));
    Answer::LocalMinima { minima, undecided: unless(complete) }
}

fn penetration(a: Placed, b: Placed, spec: AccuracySpec, work: &mut Work<'_>) -> Answer {
    let Penetration { signed, normal, point_a, point_b } = work.penetration_within(a, b, &spec.accuracy());
    let [signed_lower, signed_upper] = [signed.lower, signed.upper].map(|x| x.is_finite().then_some(x));
    let reach = point_a.abs().max(point_b.abs()).max_element();
    let status = DistanceEnd::of(signed, &spec.search(None), reach, work.was_stopped());
    Answer::Penetration { signed_lower, signed_upper, normal, point_a, point_b, status }
}

/// Asks when two bodies first meet on the way from where they stand to the poses at the end.
fn sweep(both: [Stand; 2], ends: &[Pose; 2], tolerance: &ToleranceSpec) -> Arc<Ask> {
    let motions = [0, 1].map(|i| Motion::between(&both[i].pose, &ends[i]));
    let options = SweepOptions::of_scene([0, 1].map(|i| both[i].body.moving(&motions[i])))
        .apart_by(tolerance.separation.unwrap_or(0.0));
    let options = tolerance.delta.map_or(options, |delta| options.to_within(delta));
    Arc::new(move |work| {
        let [a, b] = [0, 1].map(|i| both[i].body.moving(&motions[i]));
        Ok(Answer::FirstContact(first_contact(&work.sweep(a, b, &options))))
    })
}

fn first_contact(found: &Sweep) -> FirstContactAnswer {
    match *found {
        Sweep::Free => FirstContactAnswer { hit: Some(false), ..FirstContactAnswer::default() },
        Sweep::Hit(Impact { time, point_a, point_b, normal, features, .. }) => FirstContactAnswer {
            point_a: Some(point_a),
            point_b: Some(point_b),
            normal: Some(normal),
            features: Some(features),
            ..FirstContactAnswer::at(time)
        },
        Sweep::Undecided { free_until, reason } => FirstContactAnswer::undecided(free_until, reason),
    }
}
