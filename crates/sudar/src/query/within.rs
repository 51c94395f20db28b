//! Are two bodies no farther apart than this?

use glam::DVec3;

use super::Body;
use super::around::{Aim, Outcome, around};
use super::convex_distance::convex_convex_until;
use super::distance::{self, Distance, Found, at_point, box_gap, in_mesh_convex, in_mesh_mesh};
use super::intersects::{Doubt, Meeting, enclosed_pieces, mesh_mesh as meeting};
use super::near_walk::{Walked, short, walk_near};
use super::nearest_pair::{Left, Purpose, exactly, search_until};
use super::posed::{Part, Posed, PosedBody, PosedSurface, feature_of_whole, parts};
use super::round_within::exactly_within;
use super::search::Search;
use crate::convex::PosedConvex;
use crate::effort::Meter;
use crate::math::{Interval, Pose};
use crate::pair::triangles_within;
use crate::shape::Plane;

/// Whether the distance of two bodies is at most a tolerance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Within {
    /// It is. Certain.
    Yes {
        /// A point of the first body.
        point_a: DVec3,
        /// A point of the second, at most the tolerance away, but for rounding of the two.
        point_b: DVec3,
        /// The triangles these lie on, 0 for other shapes.
        features: [u32; 2],
    },
    /// It is more. Certain.
    No {
        /// A number that the distance does not fall below: the tolerance or more. How much more depends on what proved it, and
        /// says nothing: the distance itself is asked for with [`distance`](fn@super::distance).
        lower: f64,
        /// A plane with the first body on its negative side and the second beyond it by more than the tolerance, if one
        /// was found: convex bodies that are apart have one, others need not.
        plane: Option<Plane>,
    },
    /// Not known.
    Undecided(Doubt),
}

impl Within {
    /// Whether the distance is at most the tolerance, if that is known.
    pub fn decided(&self) -> Option<bool> {
        match self {
            Self::Yes { .. } => Some(true),
            Self::No { .. } => Some(false),
            Self::Undecided(_) => None,
        }
    }
}

/// Whether two posed bodies are at most `tolerance` apart; the search stops at the first proof either way.
///
/// Exact, also where the distance is the tolerance, for all shapes but cylinders, cones and ellipsoids, which are undecided
/// where their distance is within rounding of the tolerance, and for parallel half-spaces, as these. Cost: for meshes a few microseconds where they are much nearer
/// or much farther apart than that, up to that of [`distance`](fn@super::distance) and some more where they are not.
///
/// ```
/// use sudar::query::{Body, Within, within};
/// use sudar::{Aabb, DVec3, Mesh, Pose};
///
/// let cube = Body::new(Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::ONE }));
/// let away = Pose::from_translation(DVec3::new(3.0, 0.0, 0.0))?;
/// let ask = |tolerance| within(&cube, &Pose::IDENTITY, &cube, &away, tolerance).decided();
/// assert_eq!((ask(2.0), ask(2.0f64.next_down())), (Some(true), Some(false)));
/// # Ok::<(), sudar::PoseError>(())
/// ```
pub fn within(a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose, tolerance: f64) -> Within {
    metered(a, pose_a, b, pose_b, tolerance, &mut Meter::unlimited())
}

pub(super) fn metered(
    a: &Body,
    pose_a: &Pose,
    b: &Body,
    pose_b: &Pose,
    tolerance: f64,
    meter: &mut Meter,
) -> Within {
    if tolerance.is_nan() || tolerance < 0.0 {
        return by_distance((a, pose_a), (b, pose_b), tolerance, meter).0;
    }
    match (Posed::new(a, pose_a), Posed::new(b, pose_b)) {
        (Some(Posed::Convex(p)), Some(Posed::Convex(q))) => convex_convex(&p, &q, tolerance),
        (Some(p), Some(q)) => {
            let (answer, found) = match around_body(&p, &q, tolerance, meter) {
                Some((answer, found)) => (answer.reported_by(a, b), found),
                None => match (flat(&p), flat(&q)) {
                    (Some(p), Some(q)) => return mesh_mesh(&p, &q, tolerance, meter).reported_by(a, b),
                    _ => by_distance((a, pose_a), (b, pose_b), tolerance, meter),
                },
            };
            match answer {
                Within::Undecided(Doubt::Precision) => by_squares(&p, &q, &found, tolerance, meter),
                Within::Yes { .. } | Within::No { .. } | Within::Undecided(Doubt::Budget) => answer,
            }
        }
        _ => compound((a, pose_a), (b, pose_b), tolerance, meter),
    }
}

/// A mesh or solid and a round or slender body, in either order; `None` for others.
fn around_body(a: &Posed, b: &Posed, tolerance: f64, meter: &mut Meter) -> Option<(Within, Distance)> {
    match (a, b) {
        (Posed::Mesh(mesh), Posed::Convex(body)) => mesh_around(mesh, body, false, tolerance, meter),
        (Posed::Convex(body), Posed::Mesh(mesh)) => mesh_around(mesh, body, true, tolerance, meter),
        (Posed::Mesh(_) | Posed::Halfspace(_), Posed::Mesh(_) | Posed::Halfspace(_))
        | (Posed::Convex(_), Posed::Convex(_) | Posed::Halfspace(_))
        | (Posed::Halfspace(_), Posed::Convex(_)) => None,
    }
}

fn mesh_around(
    mesh: &PosedSurface,
    body: &PosedBody,
    swapped: bool,
    tolerance: f64,
    meter: &mut Meter,
) -> Option<(Within, Distance)> {
    let search = Search::up_to(tolerance);
    let found = match around(mesh, body, &Aim { search, enough: tolerance }, meter)? {
        Outcome::Meets(i) => at_point(in_mesh_convex(mesh, body, i), [i, 0]),
        Outcome::Enough(found) | Outcome::Apart(found) => found,
    };
    let found = if swapped { found.swapped() } else { found };
    let found = found.answer(&search, 0.0, false);
    Some((of_distance(&found, tolerance, meter.is_stopped()), found))
}

/// What the interval of the distance says.
fn by_distance(
    (a, pose_a): (&Body, &Pose),
    (b, pose_b): (&Body, &Pose),
    tolerance: f64,
    meter: &mut Meter,
) -> (Within, Distance) {
    let found = distance::metered(a, pose_a, b, pose_b, &Search::up_to(tolerance), meter);
    (of_distance(&found, tolerance, meter.is_stopped()), found)
}

fn of_distance(found: &Distance, tolerance: f64, stopped: bool) -> Within {
    let Distance { interval, point_a, point_b, features, end: _ } = *found;
    if interval.upper <= tolerance {
        Within::Yes { point_a, point_b, features }
    } else if interval.lower > tolerance {
        Within::No { lower: interval.lower, plane: None }
    } else if stopped {
        Within::Undecided(Doubt::Budget)
    } else {
        Within::Undecided(Doubt::Precision)
    }
}

/// Where the interval of the distance holds the tolerance: exactly, for all but cylinders, cones and ellipsoids.
#[cold]
fn by_squares(a: &Posed, b: &Posed, found: &Distance, tolerance: f64, meter: &mut Meter) -> Within {
    let Distance { interval, point_a, point_b, features, end: _ } = *found;
    match exactly_within(a, b, tolerance, meter) {
        Some(true) => Within::Yes { point_a, point_b, features },
        Some(false) => Within::No { lower: interval.lower.max(tolerance), plane: None },
        None if meter.is_stopped() => Within::Undecided(Doubt::Budget),
        None => Within::Undecided(Doubt::Precision),
    }
}

impl Within {
    fn yes(found: &Found) -> Self {
        Self::Yes { point_a: found.nearest.a, point_b: found.nearest.b, features: found.features }
    }

    /// A point of both.
    fn at(point: DVec3, features: [u32; 2]) -> Self {
        Self::Yes { point_a: point, point_b: point, features }
    }

    /// With the numbers by which the bodies report their triangles.
    fn reported_by(self, a: &Body, b: &Body) -> Self {
        match self {
            Self::Yes { point_a, point_b, features: [i, j] } => {
                Self::Yes { point_a, point_b, features: [a.feature(i), b.feature(j)] }
            }
            Self::No { .. } | Self::Undecided(_) => self,
        }
    }
}

/// The surface of a body with flat faces.
fn flat<'a>(body: &Posed<'a>) -> Option<PosedSurface<'a>> {
    match body {
        Posed::Mesh(mesh) => Some(*mesh),
        Posed::Convex(convex) if convex.convex.convex().margin() == 0.0 => convex.surface(),
        Posed::Convex(_) | Posed::Halfspace(_) => None,
    }
}

fn mesh_mesh(a: &PosedSurface, b: &PosedSurface, tolerance: f64, meter: &mut Meter) -> Within {
    match walk_near(a, b, tolerance, short(a, b, tolerance), meter) {
        Walked::Meeting(features) => Within::at(in_mesh_mesh(a, b, features), features),
        Walked::Near(found) => Within::yes(&found),
        Walked::Far(lower) => match enclosed_pieces(a, b) {
            Meeting::At(features) => Within::at(in_mesh_mesh(a, b, features), features),
            Meeting::Never | Meeting::Unknown(_) => Within::No { lower, plane: None },
        },
        Walked::Open => by_search(a, b, tolerance, meter),
    }
}

/// Where a walk would take too long: whether the surfaces meet, and if not the search for their distance.
fn by_search(a: &PosedSurface, b: &PosedSurface, tolerance: f64, meter: &mut Meter) -> Within {
    match meeting(a, b, meter) {
        Meeting::At(features) => Within::at(in_mesh_mesh(a, b, features), features),
        Meeting::Unknown(doubt) => Within::Undecided(doubt),
        Meeting::Never => {
            let enough = |known: Interval| known.upper <= tolerance || known.lower > tolerance;
            let left = search_until(a, b, (Purpose::Within, tolerance), meter, &enough);
            decide(a, b, &left, tolerance, meter)
        }
    }
}

/// The answer from what a search has left, for surfaces that do not meet.
fn decide(a: &PosedSurface, b: &PosedSurface, left: &Left, tolerance: f64, meter: &mut Meter) -> Within {
    if left.gap > tolerance {
        return Within::No { lower: left.gap, plane: None };
    }
    let remaining = &left.remaining;
    let mut lower = remaining.rest;
    let candidates = remaining.candidates.iter().map(|candidate| candidate.triangles);
    for features in std::iter::once(remaining.best).chain(candidates) {
        meter.count_triangles(1);
        let found = exactly(a, b, features);
        lower = lower.min(found.interval.lower);
        let close = || triangles_within(&a.triangle(features[0]), &b.triangle(features[1]), tolerance);
        if found.interval.upper <= tolerance || (found.interval.lower <= tolerance && close()) {
            return Within::yes(&found);
        }
    }
    if remaining.rest > tolerance {
        Within::No { lower: lower.max(tolerance), plane: None }
    } else if meter.is_stopped() {
        Within::Undecided(Doubt::Budget)
    } else {
        Within::Undecided(Doubt::Precision)
    }
}

fn convex_convex(a: &PosedBody, b: &PosedBody, tolerance: f64) -> Within {
    let found = convex_convex_until(a, b, tolerance);
    if found.interval.upper <= tolerance {
        return Within::yes(&found);
    }
    if found.interval.lower > tolerance {
        let plane = separating_plane(&a.convex, &b.convex, found.nearest.b - found.nearest.a, tolerance);
        return Within::No { lower: found.interval.lower, plane };
    }
    let round = |body: &PosedBody| body.convex.convex().margin() > 0.0;
    match (a.surface(), b.surface()) {
        (Some(p), Some(q)) if !round(a) && !round(b) => {
            match mesh_mesh(&p, &q, tolerance, &mut Meter::unlimited()) {
                Within::Yes { point_a, point_b, .. } => Within::Yes { point_a, point_b, features: [0, 0] },
                other @ (Within::No { .. } | Within::Undecided(_)) => other,
            }
        }
        _ => {
            let found = found.answer(&Search::EXACT, 0.0, false);
            by_squares(&Posed::Convex(*a), &Posed::Convex(*b), &found, tolerance, &mut Meter::unlimited())
        }
    }
}

/// A plane normal to `way` that touches the first body from outside, if the second is certainly beyond it by more than the
/// tolerance.
fn separating_plane(a: &PosedConvex, b: &PosedConvex, way: DVec3, tolerance: f64) -> Option<Plane> {
    let size = way.abs().max_element();
    let normal = if size > 0.0 { (way / size).normalize() } else { return None };
    let reach = |body: &PosedConvex, direction: DVec3| {
        let point = body.support(direction).offset;
        // Three products and two sums each, the margin, and a vector that is of unit length up to two ulp.
        let far = body.center().abs().max_element() + point.abs().max_element() + body.convex().margin();
        let height = direction.dot(body.center()) + direction.dot(point) + body.convex().margin();
        height + body.slack() + 16.0 * f64::EPSILON * far
    };
    let (offset, beyond) = (reach(a, normal), -reach(b, -normal));
    let gap = (beyond - offset).next_down();
    (gap > tolerance * (1.0 + 8.0 * f64::EPSILON)).then_some(Plane { normal, offset })
}

/// Part by part, in order; the first two parts that are near enough are the features.
fn compound(
    (a, pose_a): (&Body, &Pose),
    (b, pose_b): (&Body, &Pose),
    tolerance: f64,
    meter: &mut Meter,
) -> Within {
    let (ours, theirs) = (parts(a, pose_a), parts(b, pose_b));
    let boxes: Vec<_> = theirs.iter().map(|part| part.body.aabb(&part.pose)).collect();
    let (mut lower, mut doubt) = (f64::INFINITY, None);
    for p in &ours {
        let aabb = p.body.aabb(&p.pose);
        for (q, other) in theirs.iter().zip(&boxes) {
            let gap = box_gap(&aabb, other);
            if gap > tolerance {
                lower = lower.min(gap);
                continue;
            }
            match of_parts((a, p), (b, q), tolerance, meter) {
                yes @ Within::Yes { .. } => return yes,
                Within::No { lower: apart, plane: _ } => lower = lower.min(apart),
                Within::Undecided(why) => doubt = Some(why),
            }
        }
    }
    doubt.map_or(Within::No { lower, plane: None }, Within::Undecided)
}

fn of_parts((a, p): (&Body, &Part), (b, q): (&Body, &Part), tolerance: f64, meter: &mut Meter) -> Within {
    match metered(p.body, &p.pose, q.body, &q.pose, tolerance, meter) {
        Within::Yes { point_a, point_b, features: [i, j] } => {
            let features = [feature_of_whole(a, p, i), feature_of_whole(b, q, j)];
            Within::Yes { point_a, point_b, features }
        }
        other @ (Within::No { .. } | Within::Undecided(_)) => other,
    }
}
