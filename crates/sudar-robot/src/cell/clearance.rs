//! How far configurations are from contact, and how that changes with the joints.

use sudar::query::{Batch, Distance, DistanceOptions, Work};
use sudar::{DVec3, Interval};

use super::scratch::Scratch;
use super::{Other, RobotCell};
use crate::RobotError;
use crate::frame::Frame;

/// Configurations that one task does for clearances, which may take some hundred microseconds each; batches report
/// their progress in these.
pub const CLEARANCE_CHUNK: usize = 8;

/// What is asked of a clearance.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ClearanceOptions {
    /// How narrow the interval has to be, and up to which distance it is of interest. With the default it is as narrow
    /// as `f64` allows.
    pub distance: DistanceOptions,
    /// Whether the gradient is wanted.
    pub gradient: bool,
}

/// How far a configuration is from contact.
#[derive(Debug, Clone, PartialEq)]
pub struct Clearance {
    /// Holds the least distance over all checked pairs, in metres, that of a part to an object less the padding of the
    /// part. A padded part that touches gives minus the padding. Infinite without a pair.
    pub interval: Interval,
    /// Which pair is nearest, and where; `None` without a pair. Beyond the greatest distance of interest there may be
    /// none, or one that is not the nearest.
    pub nearest: Option<Nearest>,
    /// The derivative of the distance by each joint, in metres per radian or metre: that of the pair that is nearest,
    /// with its points kept on their bodies. Where two pairs or two places are equally near, it is that of one of them.
    /// Zeros where the bodies touch, and without a pair; empty if it was not asked for.
    pub gradient: Vec<f64>,
}

/// Where a configuration is nearest to contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nearest {
    /// The part, by its number in [`RobotCell::parts`].
    pub part: usize,
    /// What it is nearest to.
    pub other: Other,
    /// The nearest point of the part, not padded, in the frame of the root link.
    pub point: DVec3,
    /// The nearest point of the other.
    pub other_point: DVec3,
}

/// The least found so far.
struct Least {
    interval: Interval,
    nearest: Option<Nearest>,
}

/// A pair with a distance that it does not fall below.
struct Candidate {
    least: f64,
    part: usize,
    other: Other,
}

/// Refuses options that are no numbers.
fn checked(options: &DistanceOptions) -> Result<(), RobotError> {
    let DistanceOptions { absolute, relative, max } = *options;
    let named = [("the absolute tolerance", absolute), ("the relative tolerance", relative), ("max", max)];
    match named.into_iter().find(|(_, value)| value.is_nan()) {
        Some((what, value)) => Err(RobotError::NotALength { what: what.to_owned(), value }),
        None => Ok(()),
    }
}

impl RobotCell {
    /// For each configuration the least distance of all checked pairs, as an interval that holds it, with the nearest
    /// points and, if wanted, the gradient.
    ///
    /// # Errors
    /// [`RobotError::Rows`], [`RobotError::Value`], [`RobotError::NotALength`] for options that are NaN.
    pub fn clearance(
        &self,
        q: &[f64],
        options: &ClearanceOptions,
        batch: &Batch<'_>,
    ) -> Result<Vec<Clearance>, RobotError> {
        let rows = self.robot.rows(q)?;
        checked(&options.distance)?;
        Ok(self.each_row(rows, CLEARANCE_CHUNK, batch, |work, scratch, row| {
            self.stand(self.robot.row(q, row), &mut scratch.places);
            self.parts.iter().enumerate().for_each(|(i, part)| scratch.places.ready(i, part));
            let Least { interval, nearest } = self.least(work, scratch, &options.distance);
            let gradient = if options.gradient {
                self.gradient(&scratch.places.frames, nearest.as_ref())
            } else {
                Vec::new()
            };
            Clearance { interval, nearest, gradient }
        }))
    }

    fn least(&self, work: &mut Work<'_>, scratch: &Scratch, options: &DistanceOptions) -> Least {
        let mut candidates = self.candidates(scratch);
        candidates.sort_by(|a, b| a.least.total_cmp(&b.least));
        let most = greatest(options);
        let none = Interval { lower: f64::INFINITY, upper: f64::INFINITY };
        let mut least = Least { interval: none, nearest: None };
        for candidate in candidates {
            if candidate.least > least.interval.upper.min(most) {
                least.interval.lower = least.interval.lower.min(candidate.least);
                break;
            }
            self.consider(work, scratch, &candidate, options, &mut least);
        }
        least
    }

    /// All checked pairs.
    fn candidates(&self, scratch: &Scratch) -> Vec<Candidate> {
        let of = |part: usize, other: Other| {
            let one = &self.parts[part];
            let places = &scratch.places;
            let least = match other {
                Other::Object(i) => {
                    let core = &self.objects[i].core;
                    let least = one.pieces.iter().map(|piece| places.least(piece, core));
                    least.fold(f64::INFINITY, f64::min).max(0.0) - one.padding
                }
                Other::Part(i) => {
                    let it = &self.parts[i];
                    let pairs = one.pieces.iter().flat_map(|a| it.pieces.iter().map(move |b| (a, b)));
                    let least = pairs.map(|(a, b)| places.least_of(a, b));
                    least.fold(f64::INFINITY, f64::min).max(0.0)
                }
            };
            Candidate { least, part, other }
        };
        let with_objects = self.with.iter().enumerate();
        let with_objects = with_objects
            .flat_map(|(part, with)| with.iter().map(move |&i| (part, Other::Object(i as usize))));
        let with_parts = self.pairs.iter().map(|&[a, b]| (a as usize, Other::Part(b as usize)));
        with_objects.chain(with_parts).map(|(part, other)| of(part, other)).collect()
    }

    /// Takes up the distance of a pair, body by body.
    fn consider(
        &self,
        work: &mut Work<'_>,
        scratch: &Scratch,
        candidate: &Candidate,
        options: &DistanceOptions,
        least: &mut Least,
    ) {
        let one = &self.parts[candidate.part];
        let places = &scratch.places;
        let frame = &places.frames[one.node];
        for piece in &one.pieces {
            // A pose of finite numbers always is one.
            let Some(at) = piece.pose(frame) else { continue };
            let a = piece.body.at(&at);
            match candidate.other {
                Other::Object(i) => {
                    let object = &self.objects[i];
                    let known = places.least(piece, &object.core) - one.padding;
                    least.take(candidate, known, one.padding, options, |search| {
                        work.distance(a, object.body.at(&object.pose), search)
                    });
                }
                Other::Part(i) => {
                    let it = &self.parts[i];
                    let its = &places.frames[it.node];
                    for other in &it.pieces {
                        let Some(pose) = other.pose(its) else { continue };
                        let known = places.least_of(piece, other);
                        least.take(candidate, known, 0.0, options, |search| {
                            work.distance(a, other.body.at(&pose), search)
                        });
                    }
                }
            }
        }
    }

    /// The derivative of the distance between the nearest points by each joint.
    fn gradient(&self, frames: &[Frame], nearest: Option<&Nearest>) -> Vec<f64> {
        let mut gradient = vec![0.0; self.robot.dof()];
        let Some(nearest) = nearest else { return gradient };
        let apart = nearest.point - nearest.other_point;
        let size = apart.abs().max_element();
        if size > 0.0 && size.is_finite() {
            let scaled = apart / size;
            let normal = scaled / scaled.length();
            self.add_motion(frames, nearest.part, nearest.point, normal, &mut gradient);
            if let Other::Part(i) = nearest.other {
                self.add_motion(frames, i, nearest.other_point, -normal, &mut gradient);
            }
        }
        gradient
    }

    /// Adds how fast a point of a part moves along a direction with each joint.
    pub(super) fn add_motion(
        &self,
        frames: &[Frame],
        part: usize,
        point: DVec3,
        along: DVec3,
        gradient: &mut [f64],
    ) {
        self.robot.each_motion(frames, self.parts[part].node, point, |dof, linear, _| {
            gradient[dof] += linear.dot(along);
        });
    }
}

impl Least {
    /// Measures two bodies that are at least `known` apart, unless that is more than what is found already or wanted.
    fn take(
        &mut self,
        candidate: &Candidate,
        known: f64,
        padding: f64,
        options: &DistanceOptions,
        measure: impl FnOnce(&DistanceOptions) -> Distance,
    ) {
        let most = self.interval.upper.min(greatest(options));
        if known > most {
            self.interval.lower = self.interval.lower.min(known);
            return;
        }
        let found = measure(&DistanceOptions { max: most + padding, ..*options });
        let Interval { lower, upper } = found.interval;
        self.interval.lower = self.interval.lower.min(lower - padding);
        if upper - padding < self.interval.upper {
            let Candidate { part, other, .. } = *candidate;
            self.interval.upper = upper - padding;
            self.nearest = Some(Nearest { part, other, point: found.point_a, other_point: found.point_b });
        }
    }
}

/// The greatest distance of interest.
fn greatest(options: &DistanceOptions) -> f64 {
    if options.max.is_nan() { f64::INFINITY } else { options.max }
}
