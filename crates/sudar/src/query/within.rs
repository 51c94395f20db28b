//! Are two bodies no farther apart than this?

use glam::DVec3;

use super::answer::{Aim, DistanceOptions, Found, Intersection, StopReason, Within};
use super::bodies::{Placed, PosedBody, PosedSurface, STOP, features_of, visit_pairs};
use super::distance::{self, Measure, in_mesh_convex};
use super::pairs::convex_distance::convex_convex_until;
use super::pairs::exact_within::{convex_over, convexes_within, mesh_over};
use super::pairs::meeting::{common_point, enclosed_pieces, meet};
use super::pairs::mesh_convex::first_met;
use super::pairs::mesh_round::{Outcome, around, of_thin};
use super::pairs::sphere_capsule::Slender;
use super::pairs::surface_distance::{Left, exactly, search_for};
use super::pairs::surface_within::{Traversed, short, traverse_near};
use super::verb::PairVerb;
use crate::convex::PosedConvex;
use crate::effort::Meter;
use crate::math::{Interval, unit};
use crate::pair::{Nearest, closest_point_sphere, closest_point_triangle, triangles_within};
use crate::shape::{Halfspace, Plane, Sphere, Triangle};

/// Whether two posed bodies are at most `tolerance` apart; the search stops at the first proof either way.
///
/// Exact, also where the distance is the tolerance, for all shapes but cylinders, cones and ellipsoids, which
/// are undecided where their distance is within rounding of the tolerance, and for parallel half-spaces, as
/// these. Cost: for meshes a few microseconds where they are much nearer or much farther apart than that, up
/// to that of [`distance`](fn@super::distance) and some more where they are not.
///
/// ```
/// use sudar::query::{Body, Within, within};
/// use sudar::{Aabb, DVec3, Mesh, Pose};
///
/// let cube = Body::new(Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::ONE }));
/// let away = Pose::from_translation(DVec3::new(3.0, 0.0, 0.0))?;
/// let ask = |tolerance| within(cube.at(&Pose::IDENTITY), cube.at(&away), tolerance).decided();
/// assert_eq!((ask(2.0), ask(2.0f64.next_down())), (Some(true), Some(false)));
/// # Ok::<(), sudar::PoseError>(())
/// ```
pub fn within(a: Placed, b: Placed, tolerance: f64) -> Within {
    metered(a, b, tolerance, &mut Meter::unlimited())
}

pub(super) fn metered(a: Placed, b: Placed, tolerance: f64, meter: &mut Meter) -> Within {
    match (Near { tolerance }).ask(a, b, meter) {
        Within::Undecided(StopReason::Precision) => by_distance(a, b, tolerance, meter),
        answer @ (Within::Yes { .. } | Within::No { .. } | Within::Undecided(StopReason::Budget)) => answer,
    }
}

/// Bounds that end a search early are coarser than the distance, which may decide what they leave open.
#[cold]
fn by_distance(a: Placed, b: Placed, tolerance: f64, meter: &mut Meter) -> Within {
    let found = distance::metered(a, b, &DistanceOptions::EXACT, meter);
    let Interval { lower, upper } = found.interval;
    if upper <= tolerance {
        Within::Yes { point_a: found.point_a, point_b: found.point_b, features: found.features }
    } else if lower > tolerance {
        Within::No { lower, plane: None }
    } else if meter.is_stopped() {
        Within::Undecided(StopReason::Budget)
    } else {
        Within::Undecided(StopReason::Precision)
    }
}

/// Whether bodies are at most so far apart.
pub(super) struct Near {
    pub tolerance: f64,
}

impl PairVerb for Near {
    type Answer = Within;

    fn swapped(answer: Within) -> Within {
        answer.swapped()
    }

    fn meshes(&self, a: &PosedSurface, b: &PosedSurface, meter: &mut Meter) -> Within {
        if !self.is_length() {
            return self.by_interval(&self.measure().meshes(a, b, meter), meter);
        }
        mesh_mesh(a, b, self.tolerance, meter)
    }

    fn mesh_convex(&self, mesh: &PosedSurface, body: &PosedBody, meter: &mut Meter) -> Within {
        let slender = Slender::of(&body.convex).filter(|_| self.is_length());
        // Of capsules and segments an exact test takes longer than bounds, which mostly decide.
        if let Some(slender) = slender.as_ref().filter(|slender| slender.ball().is_some()) {
            return self.slender(mesh, body, slender, meter);
        }
        let flat = || body.surface().filter(|_| body.convex.convex().margin() == 0.0);
        let aim = Aim::within(self.tolerance);
        let found = match self.is_length().then(|| around(mesh, body, &aim, meter)).flatten() {
            Some(Outcome::Meets(i)) => Found::at(in_mesh_convex(mesh, body, i), [i, 0]),
            Some(Outcome::Enough(found) | Outcome::Apart(found)) => found,
            None => match flat() {
                Some(surface) => return self.meshes(mesh, &surface, meter).named(|[i, _]| [i, 0]),
                None => self.measure().mesh_convex(mesh, body, meter),
            },
        };
        match (self.by_interval(&found, meter), slender) {
            (Within::Undecided(StopReason::Precision), Some(slender)) => {
                self.slender(mesh, body, &slender, meter)
            }
            (answer, _) => answer,
        }
    }

    fn convexes(&self, a: &PosedBody, b: &PosedBody, meter: &mut Meter) -> Within {
        if !self.is_length() {
            return self.by_interval(&self.measure().convexes(a, b, meter), meter);
        }
        convex_convex(a, b, self.tolerance)
    }

    fn mesh_halfspace(&self, mesh: &PosedSurface, h: &Halfspace, meter: &mut Meter) -> Within {
        let found = self.measure().mesh_halfspace(mesh, h, meter);
        self.or_squares(&found, |meter| mesh_over(mesh, h, self.tolerance, meter), meter)
    }

    fn convex_halfspace(&self, body: &PosedBody, h: &Halfspace, meter: &mut Meter) -> Within {
        let found = self.measure().convex_halfspace(body, h, meter);
        self.or_squares(&found, |_| convex_over(body, h, self.tolerance), meter)
    }

    fn halfspaces(&self, a: &Halfspace, b: &Halfspace, meter: &mut Meter) -> Within {
        self.by_interval(&self.measure().halfspaces(a, b, meter), meter)
    }

    /// The first two parts found that are near enough are the features.
    fn compounds(&self, a: Placed, b: Placed, meter: &mut Meter) -> Within {
        if !self.is_length() {
            return self.by_interval(&self.measure().compounds(a, b, meter), meter);
        }
        let (mut lower, mut answer) = (f64::INFINITY, None);
        let rest = visit_pairs([a, b], self.tolerance, meter, |pair, meter| {
            match self.ask_parts(pair, meter).named(|features| features_of(pair, features)) {
                Within::No { lower: apart, plane: _ } => lower = lower.min(apart),
                undecided @ Within::Undecided(_) => answer = Some(undecided),
                yes @ Within::Yes { .. } => {
                    answer = Some(yes);
                    return STOP;
                }
            }
            self.tolerance
        });
        // Stopped before all boxes that are near enough were opened.
        let open = (rest <= self.tolerance).then_some(Within::Undecided(StopReason::Budget));
        answer.or(open).unwrap_or(Within::No { lower: lower.min(rest), plane: None })
    }
}

impl Near {
    /// Neither NaN nor a negative number is a distance; for these the interval of the distance says what can be said.
    fn is_length(&self) -> bool {
        self.tolerance >= 0.0
    }

    fn measure(&self) -> Measure {
        Measure { search: DistanceOptions::up_to(self.tolerance).checked() }
    }

    /// A mesh or solid and a ball or capsule: exact, triangle by triangle.
    fn slender(&self, mesh: &PosedSurface, body: &PosedBody, slender: &Slender, meter: &mut Meter) -> Within {
        let (near, _) = first_met(mesh, body, self.tolerance, meter).unwrap_or((None, true));
        if let Some(i) = near {
            let t = mesh.triangle(i);
            let found = match slender.ball() {
                Some(ball) => of_ball(&ball, &t),
                None if slender.meets(&t) => Found::at(in_mesh_convex(mesh, body, i), [0, 0]),
                None => of_thin(&slender.axis, slender.radius, &t),
            };
            return Within::yes(&Found { features: [i, 0], ..found });
        }
        match mesh.encloses_metered(body.convex.center(), meter) {
            Some(true) => Within::yes(&Found::at(in_mesh_convex(mesh, body, 0), [0, 0])),
            None | Some(false) if meter.is_stopped() => Within::Undecided(StopReason::Budget),
            None | Some(false) => Within::No { lower: self.tolerance, plane: None },
        }
    }

    /// What the interval of the distance says.
    fn by_interval(&self, found: &Found, meter: &Meter) -> Within {
        let interval = found.interval;
        if interval.upper <= self.tolerance {
            Within::yes(found)
        } else if interval.lower > self.tolerance {
            Within::No { lower: interval.lower, plane: None }
        } else if meter.is_stopped() {
            Within::Undecided(StopReason::Budget)
        } else {
            Within::Undecided(StopReason::Precision)
        }
    }

    /// The same, and where it holds the tolerance an exact comparison.
    fn or_squares(
        &self,
        found: &Found,
        exactly: impl FnOnce(&mut Meter) -> Option<bool>,
        meter: &mut Meter,
    ) -> Within {
        match self.by_interval(found, meter) {
            Within::Undecided(StopReason::Precision) if self.is_length() => {
                by_squares(found, exactly(meter), self.tolerance, meter)
            }
            answer @ (Within::Yes { .. } | Within::No { .. } | Within::Undecided(_)) => answer,
        }
    }
}

/// Where the interval of the distance holds the tolerance: exactly, for all but cylinders, cones and ellipsoids.
#[cold]
fn by_squares(found: &Found, exactly: Option<bool>, tolerance: f64, meter: &Meter) -> Within {
    match exactly {
        Some(true) => Within::yes(found),
        Some(false) => Within::No { lower: found.interval.lower.max(tolerance), plane: None },
        None if meter.is_stopped() => Within::Undecided(StopReason::Budget),
        None => Within::Undecided(StopReason::Precision),
    }
}

/// Where a triangle is nearest to the centre of a ball, and the ball to that point.
fn of_ball(ball: &Sphere, t: &Triangle) -> Found {
    let point = closest_point_triangle(ball.center, t).b;
    let foot = closest_point_sphere(point, ball).b;
    Found { nearest: Nearest::between(point, foot), ..Found::at(point, [0, 0]) }
}

fn mesh_mesh(a: &PosedSurface, b: &PosedSurface, tolerance: f64, meter: &mut Meter) -> Within {
    match traverse_near(a, b, tolerance, short(a, b, tolerance), meter) {
        Traversed::Meeting(features) => Within::yes(&Found::at(common_point(a, b, features), features)),
        Traversed::Near(found) => Within::yes(&found),
        Traversed::Far(lower) => match enclosed_pieces(a, b) {
            Intersection::Touching { features } => {
                Within::yes(&Found::at(common_point(a, b, features), features))
            }
            Intersection::Apart | Intersection::Undecided(_) => Within::No { lower, plane: None },
        },
        Traversed::Open => by_search(a, b, tolerance, meter),
    }
}

/// Where a traversal would take too long: whether the surfaces meet, and if not the search for their distance.
fn by_search(a: &PosedSurface, b: &PosedSurface, tolerance: f64, meter: &mut Meter) -> Within {
    match meet(a, b, meter) {
        Intersection::Touching { features } => {
            Within::yes(&Found::at(common_point(a, b, features), features))
        }
        Intersection::Undecided(doubt) => Within::Undecided(doubt),
        Intersection::Apart => {
            let left = search_for(a, b, &Aim::within(tolerance), meter);
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
        Within::Undecided(StopReason::Budget)
    } else {
        Within::Undecided(StopReason::Precision)
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
            mesh_mesh(&p, &q, tolerance, &mut Meter::unlimited()).named(|_| [0, 0])
        }
        _ => {
            let meter = &mut Meter::unlimited();
            by_squares(&found, convexes_within(a, b, tolerance, meter), tolerance, meter)
        }
    }
}

/// A plane normal to `way` that touches the first body from outside, if the second is certainly beyond it by
/// more than the tolerance.
fn separating_plane(a: &PosedConvex, b: &PosedConvex, way: DVec3, tolerance: f64) -> Option<Plane> {
    let normal = unit(way)?;
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
