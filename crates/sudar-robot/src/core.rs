//! The simple shape that a body fills or is within, and how far a point is from it.

use sudar::query::Body;
use sudar::{DVec3, Pose, Shape};

use crate::frame::Frame;

/// A simple shape where it stands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Core {
    frame: Frame,
    kind: Kind,
    /// Whether the body is this shape, and not only within it.
    pub is_exact: bool,
    /// Of a ball about the origin of the frame around the shape.
    pub radius: f64,
    /// Bound on the error of a computed gap, as a fraction of the numbers that it is computed from.
    error: f64,
    /// Size of the coordinates.
    size: f64,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    Ball(f64),
    Box(DVec3),
    Capsule(f64, f64),
    Cylinder(f64, f64),
    Everything,
}

/// What balls can tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Told {
    Apart,
    Touching,
    Unknown,
}

/// A thousand roundings.
const ROUNDING: f64 = 1024.0 * f64::EPSILON;

impl Core {
    pub fn new(body: &Body, pose: &Pose) -> Self {
        let (kind, center, is_exact) = match body.shape() {
            Shape::Sphere(ball) => (Kind::Ball(ball.radius), ball.center, true),
            Shape::Cuboid(cuboid) => (Kind::Box(cuboid.half), DVec3::ZERO, true),
            Shape::Capsule(c) => (Kind::Capsule(c.radius, c.half_length), DVec3::ZERO, true),
            Shape::Cylinder(c) => (Kind::Cylinder(c.radius, c.half_length), DVec3::ZERO, true),
            _ => {
                let aabb = body.aabb(&Pose::IDENTITY);
                let half = aabb.extent() * 0.5;
                let kind = if half.is_finite() { Kind::Box(half * (1.0 + 1e-9)) } else { Kind::Everything };
                (kind, if half.is_finite() { aabb.center() } else { DVec3::ZERO }, false)
            }
        };
        let frame = Frame { t: pose.apply(center), ..Frame::of(pose) };
        let radius = match kind {
            Kind::Ball(radius) => radius,
            Kind::Box(half) => half.length(),
            Kind::Capsule(radius, half) => radius + half,
            Kind::Cylinder(radius, half) => libm::hypot(radius, half),
            Kind::Everything => f64::INFINITY,
        };
        let error = ROUNDING + 16.0 * frame.shear();
        Self { frame, kind, is_exact, radius: radius * (1.0 + 1e-9 + error), error, size: frame.t.abs().element_sum() + radius }
    }

    pub fn center(&self) -> DVec3 {
        self.frame.t
    }

    /// The distance of a point from the shape, 0 inside.
    #[inline(always)]
    pub fn gap(&self, p: DVec3) -> f64 {
        let p = self.frame.unrotate(p - self.frame.t);
        match self.kind {
            Kind::Ball(radius) => (p.length() - radius).max(0.0),
            Kind::Box(half) => (p.abs() - half).max(DVec3::ZERO).length(),
            Kind::Capsule(radius, half) => {
                let along = (p.z.abs() - half).max(0.0);
                (((p.x * p.x + p.y * p.y) + along * along).sqrt() - radius).max(0.0)
            }
            Kind::Cylinder(radius, half) => {
                let (out, up) = ((p.x * p.x + p.y * p.y).sqrt() - radius, p.z.abs() - half);
                let (out, up) = (out.max(0.0), up.max(0.0));
                (out * out + up * up).sqrt()
            }
            Kind::Everything => 0.0,
        }
    }

    /// Bound on the error of [`gap`](Self::gap) of a point, and on how far the posed body is from the shape.
    #[inline(always)]
    pub fn slack(&self, p: DVec3, reach: f64) -> f64 {
        self.error * (p.abs().element_sum() + self.size + reach)
    }

    /// A distance that the body is at least from the ball about a point.
    #[inline(always)]
    pub fn least(&self, p: DVec3, radius: f64) -> f64 {
        self.gap(p) - radius - self.slack(p, radius)
    }

    /// Whether the body is within `padding` of a ball; of what fills the ball if `is_exact`.
    #[inline(always)]
    pub fn told(&self, p: DVec3, radius: f64, is_exact: bool, padding: f64) -> Told {
        let (gap, slack) = (self.gap(p), self.slack(p, radius));
        let reach = radius + padding;
        if gap > reach + slack {
            Told::Apart
        } else if self.is_exact && is_exact && gap < reach - slack {
            Told::Touching
        } else {
            Told::Unknown
        }
    }
}

/// The same of two balls.
#[inline(always)]
pub(crate) fn told_balls(centers: [DVec3; 2], radii: [f64; 2], is_exact: bool) -> Told {
    let [p, q] = centers;
    let (square, reach) = ((p - q).length_squared(), radii[0] + radii[1]);
    let slack = ROUNDING * ((p.abs() + q.abs()).element_sum() + reach);
    let outer = reach + slack;
    if square > outer * outer {
        return Told::Apart;
    }
    let inner = reach - slack;
    if is_exact && inner > 0.0 && square < inner * inner { Told::Touching } else { Told::Unknown }
}

/// A distance that what is in two balls is at least apart.
#[inline(always)]
pub(crate) fn least_balls([p, q]: [DVec3; 2], radii: [f64; 2]) -> f64 {
    let reach = radii[0] + radii[1];
    let slack = ROUNDING * ((p.abs() + q.abs()).element_sum() + reach);
    (p - q).length() - reach - slack
}
