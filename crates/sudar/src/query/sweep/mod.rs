//! When do two moving bodies meet first?

mod answer;
mod cast;
mod first;
mod initial;
mod linear;
mod moving;
mod path;
mod queue;
mod sampled;
mod side;

use glam::DVec3;

pub use self::answer::{Impact, Sweep, SweepOptions};
pub(crate) use self::cast::ShapeCast;
pub use self::cast::{CastError, CastHit, cast_shape, cast_sphere};
pub(crate) use self::first::FirstMet;
pub use self::moving::Moving;
pub(super) use self::path::first_metered;
pub use self::path::{Blocked, Other, Path, first_collision_on_path};
use self::queue::{Contact, Found, Queue, normal_before};
pub use self::sampled::{sweep_bisected, sweep_sampled};
use self::side::Side;
use super::answer::{Intersection, StopReason};
use super::intersects::Intersects;
use super::verb::PairVerb;
use crate::effort::Meter;
use crate::math::{Interval, Pose, unit};
use crate::motion::{Course, Motion};

/// When two moving bodies first come into contact.
///
/// Nothing is missed: [`Sweep::Free`] is certain, and before the lower end of the time of [`Sweep::Hit`] the
/// bodies are certainly farther apart than the separation. That there is a hit means that they come at least
/// as near as the separation and delta; gaps in between may be answered either way. Bodies that overlap at
/// time 0 are in contact at once, also where they part; so is what lies inside of a solid then. Half-spaces
/// stand still, unless they are parts of compounds.
///
/// Any two shapes, both moving and turning by any angle. The cost is that of a few distances for each time
/// that bodies come near each other: times are not sampled, and a body that flies through a plate of no
/// thickness is found as fast as any other. Grazing motion takes longer the narrower the gap. For two convex
/// shapes some microseconds; for meshes about as many pairs of boxes as a distance opens. A turn by many
/// revolutions costs what these meet.
///
/// ```
/// use sudar::motion::Motion;
/// use sudar::query::{Body, SweepOptions, sweep};
/// use sudar::{Cuboid, DVec3, Pose, Sphere};
///
/// // A plate 1 mm thick, and a ball of 1 cm on its way through it at 1 km/s, in one second.
/// let plate = Body::new(Cuboid::new(DVec3::new(1.0, 1.0, 0.0005))?);
/// let bullet = Body::new(Sphere::new(DVec3::ZERO, 0.01)?);
/// let flight = Motion::linear(&Pose::from_translation(DVec3::Z * 500.0)?, DVec3::Z * -1000.0)?;
/// let still = Motion::still(&Pose::IDENTITY);
/// let found = sweep(plate.moving(&still), bullet.moving(&flight), &SweepOptions::within(1e-6));
/// // It touches when it has come 500 m less its radius and half the plate's thickness.
/// let time = found.impact().map(|impact| impact.time);
/// assert!(time.is_some_and(|time| time.contains(0.4999895) && time.width() < 2e-9));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn sweep(a: Moving, b: Moving, options: &SweepOptions) -> Sweep {
    metered(a, b, options, &mut Meter::unlimited())
}

pub(super) fn metered(a: Moving, b: Moving, options: &SweepOptions, meter: &mut Meter) -> Sweep {
    let options = options.checked();
    if let (Some(left), Some(right)) = (a.body.convex(), b.body.convex())
        && !(a.motion.turns() || b.motion.turns())
    {
        if meter.spend(1).is_break() {
            return Sweep::Undecided { free_until: 0.0, reason: StopReason::Budget };
        }
        if let Some(found) = linear::cast([left, right], [a.motion, b.motion], &options) {
            return found;
        }
    }
    let motions = [a.made(), b.made()];
    let [start_a, start_b] = motions.each_ref().map(Motion::start);
    let reaches = [a.body, b.body].map(|body| body.reach(&Pose::IDENTITY));
    let course = Course::new(motions, reaches, options.until);
    let (placed_a, placed_b) = (a.body.at(start_a), b.body.at(start_b));
    match Intersects.ask(placed_a, placed_b, meter) {
        Intersection::Touching { features } => {
            return Sweep::Hit(initial::overlap(placed_a, placed_b, features));
        }
        Intersection::Undecided(StopReason::Budget) => {
            return Sweep::Undecided { free_until: 0.0, reason: StopReason::Budget };
        }
        // What rounding hides is near enough to be found below.
        Intersection::Apart | Intersection::Undecided(StopReason::Precision) => {}
    }
    let sides = [Side::new(a.body), Side::new(b.body)];
    match Queue::new([&sides[0], &sides[1]], &course, &options).run(meter) {
        Found::Free => Sweep::Free,
        Found::Contact(contact) => Sweep::Hit(impact(&sides, &course, &contact, options.separation)),
        Found::Undecided { free_until, reason } => Sweep::Undecided { free_until, reason },
    }
}

/// The contact as it is in the world.
fn impact(sides: &[Side; 2], course: &Course, contact: &Contact, separation: f64) -> Impact {
    let Contact { time, later, items, near, instant } = contact;
    let pieces = [0, 1].map(|i| sides[i].piece(items[i]));
    let before = || match &pieces {
        [Some(a), Some(b)] => normal_before(course, *time, [a, b], separation),
        [None, _] | [_, None] => None,
    };
    // Points as near as rounding have no direction.
    let normal = near.normal.or_else(before).or_else(|| unit(near.b - near.a)).unwrap_or(DVec3::X);
    let frame = &instant.frame;
    Impact {
        time: Interval { lower: *time, upper: *later },
        distance: near.upper,
        point_a: frame.apply(near.a),
        point_b: frame.apply(near.b),
        normal: frame.rotate(normal),
        features: [sides[0].feature(items[0]), sides[1].feature(items[1])],
    }
}
