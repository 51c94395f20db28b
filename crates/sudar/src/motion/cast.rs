//! The cast of one convex body against another along a line: GJK for a ray.
//!
//! Van den Bergen 2004, "Ray casting against general convex objects with application to continuous collision
//! detection". As seen from the first body the second moves along v; it touches when the point λ·v enters the
//! Minkowski difference. The simplex goes on towards that point, and whenever the plane of a support point is
//! found to lie between the difference and the point, λ is advanced to where the ray meets the plane. Planes
//! are certain, so that the ray never goes too far.

use glam::DVec3;

use super::spheres::entry;
use crate::convex::{Difference, GjkSimplex};
use crate::math::unit;
use crate::shape::Sphere;

/// Outcome of a cast.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum CastOutcome {
    /// The bodies are farther apart than the separation all the way. Certain.
    Free,
    /// At this time they are as near as the separation and delta, and before it they are certainly farther
    /// apart than the separation.
    Contact {
        /// The time.
        time: f64,
        /// A time not much later at which they certainly are no farther apart than the separation, up to
        /// rounding; the same time if none was found.
        later: f64,
        /// How far apart they are then: that of the points.
        distance: f64,
        /// The nearest point of the first body, as seen from its centre.
        a: DVec3,
        /// The nearest point of the second body, as seen from its centre.
        b: DVec3,
        /// Unit direction from the first to the second.
        normal: DVec3,
    },
    /// The cores overlap, or the search took too many steps: certainly no contact before this time.
    Undecided(f64),
}

/// Result of a cast, with the iterations it took.
///
/// ```
/// use sudar::convex::{Convex, Difference, PosedConvex};
/// use sudar::motion::{CastOutcome, gjk_ray};
/// use sudar::{DVec3, Pose, Sphere};
///
/// let ball = Convex::of(&Sphere::new(DVec3::ZERO, 1.0)?.into()).ok_or("not convex")?;
/// let (here, there) = (Pose::IDENTITY, Pose::from_translation(DVec3::X * 5.0)?);
/// let difference = Difference::new(PosedConvex::new(&ball, &here), PosedConvex::new(&ball, &there));
/// let cast = gjk_ray(&difference, DVec3::X * -1.0, 10.0, 0.0, 1e-9);
/// assert!(matches!(cast.outcome, CastOutcome::Contact { .. }) && cast.iterations > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cast {
    /// The answer.
    pub outcome: CastOutcome,
    /// Support points of the difference that were computed.
    pub iterations: u32,
}

/// Support points before the search gives up.
const LIMIT: u32 = 64;

/// When two bodies first touch of which the second moves at a constant velocity as seen from the first,
/// neither turning, from time 0 to `until`. Bodies at most `separation` apart are in contact, those at most
/// `delta` farther may be.
///
/// Cost: about that of a distance by GJK.
pub fn gjk_ray(difference: &Difference, velocity: DVec3, until: f64, separation: f64, delta: f64) -> Cast {
    gjk_ray_beside(difference, velocity, until, [separation, delta], 0.0)
}

/// The same where the bodies are off their places by as much as `doubt`.
pub(crate) fn gjk_ray_beside(
    difference: &Difference,
    velocity: DVec3,
    until: f64,
    [separation, delta]: [f64; 2],
    doubt: f64,
) -> Cast {
    let mut ray = Ray::new(difference, velocity, separation, doubt);
    let outcome = ray.run(until, separation + delta - doubt);
    Cast { outcome, iterations: ray.iterations }
}

/// Lengths whose products with others are far from the ends of the range.
const USUAL: std::ops::Range<f64> = 1e-100..1e100;

struct Ray<'a> {
    difference: &'a Difference<'a>,
    velocity: DVec3,
    time: f64,
    /// The direction of the last plane that the ray was advanced to, and the height of the difference along it.
    advanced: Option<(DVec3, f64)>,
    /// Of points as seen from where the ray is.
    simplex: GjkSimplex,
    /// Margins and separation.
    margin: f64,
    slack: f64,
    iterations: u32,
}

impl<'a> Ray<'a> {
    fn new(difference: &'a Difference<'a>, velocity: DVec3, separation: f64, doubt: f64) -> Self {
        let start = [difference.between(), velocity].into_iter().find(|d| *d != DVec3::ZERO);
        let simplex = GjkSimplex::new(difference.support(start.unwrap_or(DVec3::X)));
        let margin = difference.margin() + separation;
        let slack = 2.0 * difference.slack() + 4.0 * f64::EPSILON * margin + doubt;
        Self { difference, velocity, time: 0.0, advanced: None, simplex, margin, slack, iterations: 1 }
    }

    fn run(&mut self, until: f64, enough: f64) -> CastOutcome {
        let mut before = f64::INFINITY;
        while self.iterations < LIMIT {
            let Some(nearest) = self.simplex.reduce() else { break };
            let Some(normal) = unit(-nearest).or(self.advanced.map(|(last, _)| last)) else { break };
            let size = nearest.length();
            if size - self.difference.margin() <= enough - self.slack {
                return self.contact(nearest, normal, until);
            }
            // The same direction, for which no root is waited.
            let vertex = self.difference.support(if USUAL.contains(&size) { -nearest } else { normal });
            self.iterations += 1;
            let here = self.velocity * self.time;
            let height = normal.dot(vertex.point);
            let gap = normal.dot(here - vertex.point) - self.margin - self.slack;
            let moved = gap > 0.0;
            if moved {
                let closing = -normal.dot(self.velocity);
                if closing <= 0.0 || gap > closing * (until - self.time) {
                    return CastOutcome::Free;
                }
                let step = gap / closing;
                self.time += step;
                self.advanced = Some((normal, height));
                self.simplex = self.simplex.seen_from(self.velocity * step);
            } else if size >= before {
                break;
            }
            before = if moved { f64::INFINITY } else { size };
            let seen = crate::convex::Vertex { point: vertex.point - self.velocity * self.time, ..vertex };
            if !(self.difference.is_polytope() && self.simplex.has(seen.vertices)) {
                self.simplex.push(seen);
            } else if !moved {
                break;
            }
        }
        CastOutcome::Undecided(self.time.next_down().max(0.0))
    }

    /// The better separating direction: that to the nearest point, which is lost where they are as near as
    /// rounding, or of the last plane.
    fn certain(&self, normal: DVec3) -> DVec3 {
        let here = self.velocity * self.time;
        let gap = |normal: DVec3, height: f64| normal.dot(here) - height;
        let Some((last, height)) = self.advanced else { return normal };
        let beside = normal.dot(self.difference.support(normal).point);
        if gap(last, height) > gap(normal, beside) { last } else { normal }
    }

    fn contact(&self, nearest: DVec3, normal: DVec3, until: f64) -> CastOutcome {
        let distance = nearest.length() - self.difference.margin();
        let time = self.time.next_down().max(0.0);
        let step = self.entry(nearest).map_or(0.0, |step| step * (1.0 + 4.0 * f64::EPSILON));
        let later = if step > 0.0 { (self.time + step).next_up().min(until).max(time) } else { time };
        let (a, b) = self.simplex.witnesses();
        let (r, s) = (self.difference.a.convex().margin(), self.difference.b.convex().margin());
        let (a, b) = (a + normal * r, b - normal * s);
        let normal = self.certain(normal);
        CastOutcome::Contact { time, later, distance: distance.max(0.0), a, b, normal }
    }

    /// When the ray enters what is known of the difference: the ball of the margins around the nearest point,
    /// or without margins the triangle of the simplex.
    fn entry(&self, nearest: DVec3) -> Option<f64> {
        if self.margin > 0.0 {
            let ball = Sphere { center: nearest, radius: self.margin };
            return entry(&ball, DVec3::ZERO, self.velocity, f64::INFINITY);
        }
        let [p, q, r] = self.simplex.vertices() else { return None };
        let corners = [p.point, q.point, r.point];
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        let time = normal.dot(corners[0]) / normal.dot(self.velocity);
        let at = self.velocity * time;
        let inside = (0..3).all(|i| {
            let (from, to) = (corners[i] - at, corners[(i + 1) % 3] - at);
            normal.dot(from.cross(to)) >= 0.0
        });
        (inside && time.is_finite()).then_some(time)
    }
}
