//! The simple shape that a body fills or is within, and how far a point is from it.

use sudar::query::Body;
use sudar::{DVec3, Pose, Shape};

use crate::frame::Frame;

/// A simple shape where it stands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Core {
    pub frame: Frame,
    pub kind: Kind,
    /// Whether the body is this shape, and not only within it.
    pub is_exact: bool,
    /// Of a ball about the origin of the frame around the shape.
    pub radius: f64,
    /// Bound on the error of a computed gap, as a fraction of the numbers that it is computed from.
    pub error: f64,
    /// Size of the coordinates.
    pub size: f64,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    /// Of a radius.
    Ball(f64),
    /// Of half the edges.
    Box(DVec3),
    /// Of a radius and half the length of its segment.
    Capsule(f64, f64),
    /// Of a radius and half its length.
    Cylinder(f64, f64),
    Everything,
}

/// The result of a test of balls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Apart,
    Touching,
    Unknown,
}

/// A body that is such a shape, with its centre.
fn exact(shape: &Shape) -> Option<(Kind, DVec3)> {
    if let Shape::Sphere(ball) = shape {
        return Some((Kind::Ball(ball.radius), ball.center));
    }
    let kind = if let Shape::Cuboid(cuboid) = shape {
        Kind::Box(cuboid.half)
    } else if let Shape::Capsule(capsule) = shape {
        Kind::Capsule(capsule.radius, capsule.half_length)
    } else if let Shape::Cylinder(cylinder) = shape {
        Kind::Cylinder(cylinder.radius, cylinder.half_length)
    } else {
        return None;
    };
    Some((kind, DVec3::ZERO))
}

/// The box around any other.
fn around(body: &Body) -> (Kind, DVec3) {
    let aabb = body.aabb(&Pose::IDENTITY);
    let half = aabb.extent() * 0.5;
    if half.is_finite() {
        (Kind::Box(half * (1.0 + 1e-9)), aabb.center())
    } else {
        (Kind::Everything, DVec3::ZERO)
    }
}

/// A thousand roundings.
pub(crate) const ROUNDING: f64 = 1024.0 * f64::EPSILON;

impl Core {
    pub fn new(body: &Body, pose: &Pose) -> Self {
        let exact = exact(body.shape());
        let is_exact = exact.is_some();
        let (kind, center) = exact.unwrap_or_else(|| around(body));
        let frame = Frame { t: pose.apply(center), ..Frame::of(pose) };
        let radius = match kind {
            Kind::Ball(radius) => radius,
            Kind::Box(half) => half.length(),
            Kind::Capsule(radius, half) => radius + half,
            Kind::Cylinder(radius, half) => libm::hypot(radius, half),
            Kind::Everything => f64::INFINITY,
        };
        let error = ROUNDING + 16.0 * frame.shear();
        Self {
            frame,
            kind,
            is_exact,
            radius: radius * (1.0 + 1e-9 + error),
            error,
            size: frame.t.abs().element_sum() + radius,
        }
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

    /// The unit direction from the point of the shape that is nearest to `p` towards `p`; 0 inside. The shape is behind
    /// the plane through that point with this normal.
    pub fn normal(&self, p: DVec3) -> DVec3 {
        let p = self.frame.unrotate(p - self.frame.t);
        let away = match self.kind {
            Kind::Ball(_) => p,
            Kind::Box(half) => (p.abs() - half).max(DVec3::ZERO) * p.signum(),
            Kind::Capsule(_, half) => DVec3::new(p.x, p.y, (p.z.abs() - half).max(0.0) * p.z.signum()),
            Kind::Cylinder(radius, half) => {
                let out = (p.x * p.x + p.y * p.y).sqrt();
                let part = if out > radius { (out - radius) / out } else { 0.0 };
                DVec3::new(p.x * part, p.y * part, (p.z.abs() - half).max(0.0) * p.z.signum())
            }
            Kind::Everything => DVec3::ZERO,
        };
        let length = away.length();
        if length > 0.0 { self.frame.rotate(away / length) } else { DVec3::ZERO }
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

    /// Whether the ball around the body is certainly apart from another one.
    #[inline(always)]
    pub fn is_far(&self, p: DVec3, reach: f64) -> bool {
        let outer = reach + self.radius + self.slack(p, reach);
        (p - self.frame.t).length_squared() > outer * outer
    }

    /// Whether the body is certainly farther than `padding` from a ball.
    #[inline(always)]
    pub fn is_apart(&self, p: DVec3, radius: f64, padding: f64) -> bool {
        self.gap(p) > radius + padding + self.slack(p, radius)
    }

    /// Whether the body is within `padding` of a ball; of what fills the ball if `is_exact`.
    #[inline(always)]
    pub fn verdict(&self, p: DVec3, radius: f64, is_exact: bool, padding: f64) -> Verdict {
        let (gap, slack) = (self.gap(p), self.slack(p, radius));
        let reach = radius + padding;
        if gap > reach + slack {
            Verdict::Apart
        } else if self.is_exact && is_exact && gap < reach - slack {
            Verdict::Touching
        } else {
            Verdict::Unknown
        }
    }
}
