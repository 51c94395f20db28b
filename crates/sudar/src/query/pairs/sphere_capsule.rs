//! Balls, points, capsules and segments: a point or segment with a margin against another.

use glam::DVec3;

use crate::convex::{Core, PosedConvex};
use crate::math::{Interval, length};
use crate::pair::{
    Nearest, capsule_capsule, capsule_triangle, capsule_triangle_within, closest_points_segments,
    point_triangle, segment_segment, segment_triangle, sphere_capsule, sphere_sphere, sphere_triangle,
    sphere_triangle_within,
};
use crate::query::answer::{Found, Penetration};
use crate::shape::{Segment, Sphere, Triangle};

/// A posed ball, or a point as a ball without radius.
#[inline]
pub(crate) fn ball(convex: &PosedConvex) -> Sphere {
    Sphere { center: convex.center(), radius: convex.convex().margin() }
}

/// The posed axis of a capsule.
#[inline]
pub(crate) fn axis(convex: &PosedConvex, [a, b]: [DVec3; 2]) -> Segment {
    Segment { a: convex.pose().apply(a), b: convex.pose().apply(b) }
}

/// Two bodies whose cores are points or segments.
pub(crate) struct Thin<'a> {
    a: &'a PosedConvex<'a>,
    b: &'a PosedConvex<'a>,
    axes: [Segment; 2],
}

/// A point or segment with a margin around it: a ball, a capsule, or what these are without radius.
pub(crate) struct Slender {
    /// Without length if the core is a point.
    pub axis: Segment,
    pub radius: f64,
}

impl Slender {
    /// `None` for other bodies.
    #[inline]
    pub fn of(convex: &PosedConvex) -> Option<Self> {
        Some(Self { axis: thin(convex)?, radius: convex.convex().margin() })
    }

    /// As a ball, if its axis has no length.
    #[inline]
    pub fn ball(&self) -> Option<Sphere> {
        (self.axis.a == self.axis.b).then_some(Sphere { center: self.axis.a, radius: self.radius })
    }

    /// Whether it has a point in common with a triangle. Exact.
    #[inline]
    pub fn meets(&self, t: &Triangle) -> bool {
        match self.ball() {
            Some(ball) => ball_triangle(&ball, t),
            None if self.radius > 0.0 => capsule_triangle(&self.axis, self.radius, t),
            None => segment_triangle(&self.axis, t),
        }
    }

    /// Whether a triangle is at most `tolerance` away. Exact.
    pub fn is_within(&self, t: &Triangle, tolerance: f64) -> bool {
        match self.ball() {
            Some(ball) => sphere_triangle_within(&ball, t, tolerance),
            None => capsule_triangle_within(&self.axis, self.radius, t, tolerance),
        }
    }
}

/// Whether a ball, or a point as a ball without radius, and a triangle have a point in common. Exact.
pub(crate) fn ball_triangle(ball: &Sphere, t: &Triangle) -> bool {
    if ball.radius > 0.0 { sphere_triangle(ball, t) } else { point_triangle(ball.center, t) }
}

/// The core as a segment, without length if it is a point; `None` if it is neither.
#[inline]
fn thin(convex: &PosedConvex) -> Option<Segment> {
    match convex.convex().core() {
        Core::Point(_) => Some(Segment { a: convex.center(), b: convex.center() }),
        Core::Segment(ends) => Some(axis(convex, *ends)),
        Core::Triangle(_) | Core::Cuboid(..) | Core::Polytope(_) | Core::Round(_) => None,
    }
}

impl<'a> Thin<'a> {
    /// The pair, if both cores are points or segments.
    #[inline]
    pub fn new(a: &'a PosedConvex<'a>, b: &'a PosedConvex<'a>) -> Option<Self> {
        Some(Self { a, b, axes: [thin(a)?, thin(b)?] })
    }

    /// The pair of two bodies whose cores are points.
    pub fn of_points(a: &'a PosedConvex<'a>, b: &'a PosedConvex<'a>) -> Self {
        let axis = |convex: &PosedConvex| Segment { a: convex.center(), b: convex.center() };
        Self { a, b, axes: [axis(a), axis(b)] }
    }

    /// Whether they have a point in common. Exact.
    #[inline]
    pub fn meet(&self) -> bool {
        let margin = self.margin();
        let (_, cores) = self.nearest();
        self.decided(cores, margin).unwrap_or_else(|| self.meet_exactly())
    }

    /// The sum of the margins.
    #[inline]
    fn margin(&self) -> f64 {
        self.a.convex().margin() + self.b.convex().margin()
    }

    /// Whether cores at such a distance meet with their margins, if that is certain.
    #[inline]
    fn decided(&self, cores: Interval, margin: f64) -> Option<bool> {
        if cores.lower > margin * (1.0 + 2.0 * f64::EPSILON) {
            Some(false)
        } else if cores.upper < margin * (1.0 - 2.0 * f64::EPSILON) {
            Some(true)
        } else {
            None
        }
    }

    #[cold]
    fn meet_exactly(&self) -> bool {
        let [p, q] = &self.axes;
        let (r, s) = (self.a.convex().margin(), self.b.convex().margin());
        match (p.a == p.b, q.a == q.b) {
            (true, true) => sphere_sphere(&ball(self.a), &ball(self.b)),
            (true, false) if r > 0.0 => sphere_capsule(&ball(self.a), q, s),
            (false, true) if s > 0.0 => sphere_capsule(&ball(self.b), p, r),
            _ if r + s > 0.0 => capsule_capsule(p, r, q, s),
            _ => segment_segment(p, q),
        }
    }

    /// The nearest points of the cores, their distance, and a bound on its error.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn nearest(&self) -> (Nearest, Interval) {
        let [p, q] = &self.axes;
        if p.a == p.b && q.a == q.b {
            let nearest = Nearest::between(p.a, q.a);
            let distance = length(q.a - p.a);
            return (nearest, Interval::point(distance).widened(4.0 * f64::EPSILON * distance));
        }
        let nearest = across(p, q).unwrap_or_else(|| closest_points_segments(p, q));
        // Right within a few ulp of the largest difference of coordinates.
        let size = (p.b - p.a).abs().max((q.b - q.a).abs()).max((q.a - p.a).abs()).max_element();
        let around = Interval::point(nearest.distance()).widened(16.0 * f64::EPSILON * size);
        (nearest, Interval { lower: around.lower.max(0.0), ..around })
    }

    /// Their distance, or a common point.
    #[inline]
    pub fn distance(&self) -> Found {
        let (nearest, cores) = self.nearest();
        let (r, s) = (self.a.convex().margin(), self.b.convex().margin());
        let meet = self.decided(cores, r + s).unwrap_or_else(|| self.meet_exactly());
        if meet {
            let share = if r + s > 0.0 { r / (r + s) } else { 0.5 };
            let point = nearest.a + (nearest.b - nearest.a) * share;
            return Found::at(point, [0, 0]);
        }
        let signed = without_margins(cores, r + s);
        let interval = Interval { lower: signed.lower.max(0.0), upper: signed.upper.max(0.0) };
        let normal = self.normal(&nearest, cores);
        Found {
            nearest: Nearest::between(nearest.a + normal * r, nearest.b - normal * s),
            interval,
            features: [0, 0],
        }
    }

    /// Their signed distance. The difference of the cores is flat, so that where it holds the origin the depth is that
    /// of the margins.
    #[inline]
    pub fn penetration(&self) -> Penetration {
        let (nearest, cores) = self.nearest();
        let (r, s) = (self.a.convex().margin(), self.b.convex().margin());
        let normal = self.normal(&nearest, cores);
        let touching = r + s == 0.0 && cores.lower == 0.0 && self.meet_exactly();
        let signed = if touching { Interval::point(0.0) } else { without_margins(cores, r + s) };
        Penetration { signed, normal, point_a: nearest.a + normal * r, point_b: nearest.b - normal * s }
    }

    /// The unit direction between the nearest points; across both cores where these meet.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn normal(&self, nearest: &Nearest, cores: Interval) -> DVec3 {
        let between = nearest.b - nearest.a;
        let length = between.length();
        // Far from the range where squares overflow or vanish, and from that of rounding.
        if cores.lower > 0.5 * cores.upper
            && (1e-100..1e100).contains(&cores.upper)
            && length > 0.5 * cores.upper
        {
            self.across_a_core(between / length, nearest)
        } else {
            self.careful_normal(between, cores)
        }
    }

    /// The direction from a point to a place within a core, which has none along that: of a long core
    /// rounding leaves some.
    #[inline]
    fn across_a_core(&self, normal: DVec3, nearest: &Nearest) -> DVec3 {
        let within = |axis: &Segment, at: DVec3| at != axis.a && at != axis.b;
        let core = match &self.axes {
            [p, q] if p.a == p.b && within(q, nearest.b) => q,
            [p, q] if q.a == q.b && within(p, nearest.a) => p,
            [_, _] => return normal,
        };
        let along = core.b - core.a;
        let across = normal - along * (along.dot(normal) / along.length_squared());
        crate::math::unit(across).unwrap_or(normal)
    }

    #[cold]
    fn careful_normal(&self, between: DVec3, cores: Interval) -> DVec3 {
        let [p, q] = self.axes.each_ref().map(|axis| axis.b - axis.a);
        let across = across_both(p, q);
        let across = if across.dot(between) < 0.0 { -across } else { across };
        // Between points as near as rounding is any direction.
        let candidates = if cores.lower > 0.5 * cores.upper { [between, across] } else { [across, between] };
        candidates.into_iter().find(|v| *v != DVec3::ZERO).map_or(DVec3::X, |v| v / length(v))
    }
}

/// A vector perpendicular to both up to a few ulp of their lengths, also if they are parallel but for rounding; zero if
/// both are.
fn across_both(p: DVec3, q: DVec3) -> DVec3 {
    let (p, q) = if length(p) < length(q) { (q, p) } else { (p, q) };
    if p == DVec3::ZERO {
        return p;
    }
    let (along, q) = (p / length(p), q / length(p));
    // What of the shorter is across the longer; twice, for the first time leaves what rounding left.
    let rest = q - along * along.dot(q);
    let rest = rest - along * along.dot(rest);
    if rest == DVec3::ZERO { along.any_orthogonal_vector() } else { along.cross(rest / length(rest)) }
}

/// The nearest points of two segments that are far from parallel and of moderate size, by the normal equations: with a
/// squared sine of the angle above 1/64 these lose two digits at most, and a distance is off by the square of what its
/// points are off. `None` for others.
#[cfg_attr(not(opt_level_0), inline(always))]
fn across(p: &Segment, q: &Segment) -> Option<Nearest> {
    let (u, v, r) = (p.b - p.a, q.b - q.a, p.a - q.a);
    let (uu, vv, uv) = (u.dot(u), v.dot(v), u.dot(v));
    let determinant = uu * vv - uv * uv;
    if !(determinant > uu * vv * (1.0 / 64.0) && (1e-200..1e200).contains(&determinant)) {
        return None;
    }
    let (ur, vr) = (u.dot(r), v.dot(r));
    let s = ((uv * vr - vv * ur) / determinant).clamp(0.0, 1.0);
    let t = ((uv * s + vr) / vv).clamp(0.0, 1.0);
    let s = ((uv * t - ur) / uu).clamp(0.0, 1.0);
    let between = (r + u * s) - v * t;
    Some(Nearest { a: p.a + u * s, b: q.a + v * t, distance_squared: between.length_squared() })
}

#[inline]
fn without_margins(cores: Interval, margin: f64) -> Interval {
    let doubt = 2.0 * f64::EPSILON * margin;
    Interval { lower: cores.lower - margin - doubt, upper: cores.upper - margin + doubt }
}
