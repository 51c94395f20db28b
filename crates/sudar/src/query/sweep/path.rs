//! Free paths: is a chain of poses free of contact, between the poses as well?

use super::{Moving, Sweep, SweepOptions, metered};
use crate::effort::Meter;
use crate::math::Pose;
use crate::motion::Motion;
use crate::query::Body;

/// A path of a free body, or of several that move together, such as the links of a robot.
#[derive(Debug, Clone, Copy)]
pub struct Path<'p> {
    /// Bodies that move.
    pub bodies: &'p [Body],
    /// The poses of all of them at each point of the path. From one to the next each body's origin moves at
    /// constant velocity, and it turns about it by the shortest turn ([`Motion::between`]): links that turn
    /// about joints need points close enough to each other for that to be their motion, or their bodies'
    /// origins in the joints.
    pub poses: &'p [Vec<Pose>],
    /// Bodies that do not move, each with its pose.
    pub obstacles: &'p [(Body, Pose)],
    /// Which of the bodies must not touch each other.
    pub apart: &'p [[usize; 2]],
}

/// The first collision found on a path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Blocked {
    /// From this point of the path to the next.
    pub segment: usize,
    /// The body that moves.
    pub body: usize,
    /// The other body of the contact.
    pub other: Other,
    /// Its contact, or the time until which there is none; time 0 is the first point of the segment, 1 the next.
    pub found: Sweep,
}

/// What a body on a path collides with: an obstacle, or another body of the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Other {
    /// An obstacle, by its number.
    Obstacle(usize),
    /// Another body of the path.
    Body(usize),
}

/// The first segment of a path that is not proved free, with the first contact there; `None` if all of it is
/// certainly free. With one point, whether its bodies are free where they stand.
///
/// Nothing is sampled: each segment is a [`sweep`](fn@super::sweep) of every body against every obstacle that
/// its way comes near, and of the pairs of bodies. Poses beyond the number of bodies are left aside; a body
/// without a pose stays where it is.
pub fn first_collision_on_path(path: &Path, options: &SweepOptions) -> Option<Blocked> {
    first_metered(path, options, &mut Meter::unlimited())
}

pub(in crate::query) fn first_metered(
    path: &Path,
    options: &SweepOptions,
    meter: &mut Meter,
) -> Option<Blocked> {
    let last = path.poses.len().saturating_sub(1);
    (0..last.max(path.poses.len().min(1))).find_map(|segment| {
        let next = (segment + 1).min(last);
        let ways = ways(path, &path.poses[segment], &path.poses[next]);
        blocked(path, segment, &ways, options, meter)
    })
}

fn ways(path: &Path, from: &[Pose], to: &[Pose]) -> Vec<Motion> {
    let at = |poses: &[Pose], i: usize| poses.get(i).copied();
    (0..path.bodies.len())
        .map(|i| {
            let start = at(from, i).unwrap_or_default();
            Motion::between(&start, &at(to, i).unwrap_or(start))
        })
        .collect()
}

/// The first contact of a segment: of the earliest time, and of equal ones that with the smallest numbers.
fn blocked(
    path: &Path,
    segment: usize,
    ways: &[Motion],
    options: &SweepOptions,
    meter: &mut Meter,
) -> Option<Blocked> {
    let mut first: Option<Blocked> = None;
    let mut look = |body: usize, other: Other, pair: [Moving; 2]| {
        // What comes later than the first contact so far is of no interest.
        let until = first.map_or(options.until, |first| first.found.free_until().min(options.until));
        if is_far(pair, options.separation + options.delta, options.until) {
            return;
        }
        let found = metered(pair[0], pair[1], &options.until(until), meter);
        if found != Sweep::Free && first.is_none_or(|first| found.free_until() < first.found.free_until()) {
            first = Some(Blocked { segment, body, other, found });
        }
    };
    for (i, (body, way)) in path.bodies.iter().zip(ways).enumerate() {
        for (j, (obstacle, pose)) in path.obstacles.iter().enumerate() {
            let still = Motion::still(pose);
            look(i, Other::Obstacle(j), [body.moving(way), obstacle.moving(&still)]);
        }
    }
    for &[i, j] in path.apart {
        if let (Some(a), Some(b), true) = (path.bodies.get(i), path.bodies.get(j), i != j) {
            look(i, Other::Body(j), [a.moving(&ways[i]), b.moving(&ways[j])]);
        }
    }
    first
}

/// Whether the boxes around the ways of two bodies are farther apart than that.
fn is_far(pair: [Moving; 2], margin: f64, until: f64) -> bool {
    let [a, b] = pair.map(|moving| moving.made().swept(&moving.body.bounds(&Pose::IDENTITY), 0.0, until));
    a.gap(&b) > margin
}
