//! Casts for people: how far can a shape go in a direction?

use glam::DVec3;

use super::{Sweep, SweepOptions, sweep};
use crate::math::{Interval, Pose, PoseError, unit};
use crate::motion::Motion;
use crate::query::{Body, Placed};
use crate::shape::{ShapeError, Sphere};

/// Result of a shape cast: the first contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CastHit {
    /// How far the shape gets: certainly without contact up to the lower end. Zero for a shape that touches
    /// the target where it stands.
    pub distance: Interval,
    /// Where the target is touched.
    pub point: DVec3,
    /// Unit normal of the contact, out of the target.
    pub normal: DVec3,
    /// The triangle of the target that is touched, the part of a compound, 0 for other shapes.
    pub feature: u32,
}

/// How much nearer than touching counts as contact, in relation to the length of the cast and the size of the shape.
const DELTA: f64 = 1e-9;

/// How far a shape can go along a direction, of any length but zero, before it touches the target; `None` if
/// it gets as far as `length` without.
///
/// Certain, as [`sweep`], of which this is the case without turning: nothing is passed through, however thin.
///
/// # Errors
/// [`PoseError`] for a direction that is zero or not finite, or lengths beyond 1e90.
///
/// ```
/// use sudar::query::{Body, cast_shape};
/// use sudar::{Capsule, Cuboid, DVec3, Pose};
///
/// let (player, wall) = (Body::new(Capsule::new(0.3, 0.6)?), Body::new(Cuboid::new(DVec3::new(0.1, 5.0, 5.0))?));
/// let there = Pose::from_translation(DVec3::X * 2.0)?;
/// let hit = cast_shape(player.at(&Pose::IDENTITY), DVec3::X, 10.0, wall.at(&there))?;
/// // To the wall at 1.9, less the radius.
/// assert!(hit.is_some_and(|hit| hit.distance.contains(1.6) && (hit.normal + DVec3::X).length() < 1e-9));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn cast_shape(
    shape: Placed,
    direction: DVec3,
    length: f64,
    target: Placed,
) -> Result<Option<CastHit>, PoseError> {
    let cast = ShapeCast::new(shape, direction, length)?;
    let still = Motion::still(target.pose());
    let found = sweep(shape.body().moving(&cast.motion), target.body().moving(&still), &cast.options);
    Ok(cast.hit(&found))
}

/// A cast along a line as a motion, and what a sweep along it says in lengths.
pub(crate) struct ShapeCast {
    pub motion: Motion,
    pub options: SweepOptions,
    direction: DVec3,
    length: f64,
}

impl ShapeCast {
    pub fn new(shape: Placed, direction: DVec3, length: f64) -> Result<Self, PoseError> {
        let direction = unit(direction).filter(|d| d.is_finite()).ok_or(PoseError::NotFinite)?;
        let length = length.max(0.0);
        let motion = Motion::linear(shape.pose(), direction * length)?;
        let extent = shape.body().bounds(&Pose::IDENTITY).extent().max_element();
        let size = length + if extent.is_finite() { extent } else { 0.0 };
        Ok(Self { motion, options: SweepOptions::within(DELTA * size), direction, length })
    }

    pub fn hit(&self, found: &Sweep) -> Option<CastHit> {
        let (direction, length) = (self.direction, self.length);
        match found {
            Sweep::Free => None,
            Sweep::Hit(impact) => Some(CastHit {
                distance: Interval { lower: impact.time.lower * length, upper: impact.time.upper * length },
                point: impact.point_b,
                normal: -impact.normal,
                feature: impact.features[1],
            }),
            // Certainly no farther than this is free; what stops it is not known.
            Sweep::Undecided { free_until, .. } => Some(CastHit {
                distance: Interval { lower: free_until * length, upper: length },
                point: self.motion.start().translation() + direction * (free_until * length),
                normal: -direction,
                feature: 0,
            }),
        }
    }
}

/// How far a ball can go along a direction before it touches the target, as [`cast_shape`].
///
/// # Errors
/// [`ShapeError`] for a centre that is not finite or a radius that is not positive; a direction as there.
pub fn cast_sphere(
    center: DVec3,
    radius: f64,
    direction: DVec3,
    length: f64,
    target: Placed,
) -> Result<Option<CastHit>, CastError> {
    let ball = Body::new(Sphere::new(DVec3::ZERO, radius)?);
    let pose = Pose::from_translation(center)?;
    Ok(cast_shape(ball.at(&pose), direction, length, target)?)
}

/// Why a sphere cast was refused.
///
/// ```
/// use sudar::query::{Body, CastError, cast_sphere};
/// use sudar::{Cuboid, DVec3, Pose};
///
/// let wall = Body::new(Cuboid::new(DVec3::ONE)?);
/// let refused = cast_sphere(DVec3::ZERO, -1.0, DVec3::X, 10.0, wall.at(&Pose::IDENTITY));
/// assert!(matches!(refused, Err(CastError::Shape(_)))); // no ball has a negative radius
/// # Ok::<(), sudar::shape::ShapeError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CastError {
    /// The ball is none.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// Its place or its way is none.
    #[error(transparent)]
    Pose(#[from] PoseError),
}
