//! Convex solids without vertices, one file a kind: all functions of a cylinder, a cone, an ellipsoid in its own
//! frame that the library needs. Balls, boxes and capsules are here for their mass and what a line has inside of
//! them; elsewhere they are points, boxes and segments with margins.
//!
//! [`Round`] is the closed list of these solids, and its methods are those that every kind has. A new kind is a file
//! here, and its lines in [`Round`], [`Shape`](crate::Shape) and the few matches over them.

mod capsule;
mod cone;
mod cuboid;
mod cylinder;
mod ellipsoid;
mod globe;
mod measured;
mod net;
mod piece;
mod profile;
mod tessellation;

pub(crate) use measured::{Measured, Moments};
pub(crate) use piece::Piece;
#[cfg(test)]
pub(crate) use profile::Form;
pub(crate) use profile::Profile;
pub use tessellation::{Tessellation, TessellationError};

use glam::{DVec2, DVec3};

use crate::math::{Interval, Pose};
use crate::pair::{EntryPoint, Nearest, START, SurfacePoint, length, steady};
use crate::shape::{Halfspace, Ray, Round};

/// A kind of round solid, centred on the origin of its frame.
pub(crate) trait Kind: Measured {
    /// The greatest distance of a point from the origin, rounded.
    fn reach(&self) -> f64 {
        let half = self.half_extent();
        (half.x * half.x + half.z * half.z).sqrt()
    }

    /// The farthest point in a direction of any length but zero.
    fn support(&self, direction: DVec3) -> DVec3;

    /// Whether the point is inside or on the surface. Exact.
    fn contains(&self, p: DVec3) -> bool;

    /// See [`Round::closest_surface_point`].
    fn closest_surface_point(&self, p: DVec3) -> SurfacePoint;

    /// Where a ray from outside comes in; the largest coordinate of its direction is 1.
    fn entry(&self, ray: &Ray) -> Option<EntryPoint>;

    /// The axis around which it is a solid of revolution, `Some(None)` for a ball; `None` if there is no such axis.
    fn axis(&self) -> Option<Option<DVec3>> {
        Some(Some(DVec3::Z))
    }

    /// In the half-plane of that axis the point farthest in a direction of any length but zero, by how far it is from
    /// the axis and where along it; of the direction the first coordinate is not negative.
    fn section(&self, direction: DVec2) -> DVec2;

    /// The piece of the boundary on which there are points with these least and greatest heights along z, farthest in
    /// a direction that is as steep as this along z. Posed, as seen from the centre.
    fn piece(&self, pose: &Pose, heights: [f64; 2], steep: f64) -> Piece;

    /// The piece that takes over from the rim at this height when the direction turns to another, if it is the side.
    fn beside_rim(&self, _z: f64, _to: DVec3) -> Option<Piece> {
        None
    }

    /// The radius of the largest ball inside that touches a disc from inside so far from the axis; may be negative.
    fn ball_on_disc(&self, _across: f64) -> f64 {
        0.0
    }

    /// What faces a unit direction of contact.
    fn facing(&self, direction: DVec3) -> Facing;

    /// No point is farther from a line through the origin, at an angle of this sine to z, than this.
    fn ring(&self, sine: f64) -> f64 {
        let half = self.half_extent();
        half.x + half.z * sine
    }

    /// Whether the axes of its frame are likely to separate it from others.
    fn is_square(&self) -> bool {
        false
    }
}

/// A feature of a round solid that another body rests on.
pub(crate) enum Facing {
    /// The disc of a radius at a height, and its number.
    Disc { radius: f64, z: f64, number: u32 },
    /// The straight line on the side between two points.
    Line(DVec3, DVec3),
    /// A point, and its number.
    Point(u32),
}

/// Keeps quotients of zero and zero numbers.
const TINY: f64 = 1e-30;

/// The cosine of 60°. A face whose normal is farther from the contact normal than that, or an edge nearer, falls off so
/// steeply that its far end is no part of the contact; and heights over a face must not magnify rounding.
pub(crate) const FACING: f64 = 0.5;

/// Whether a face with this cosine between its normal and the direction of contact faces the other body.
#[inline]
pub(crate) fn is_facing(cosine: f64) -> bool {
    cosine >= FACING
}

/// In the frame of the solid. Points and rays are taken as they are given: queries on a posed solid run in its own
/// frame, where they are rounded once.
impl Round {
    #[inline]
    pub(crate) fn kind(&self) -> &dyn Kind {
        match self {
            Self::Cylinder(c) => c,
            Self::Cone(c) => c,
            Self::Ellipsoid(e) => e,
        }
    }

    /// The farthest point in a direction of any length but zero, off by a few ulp.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn support(&self, direction: DVec3) -> DVec3 {
        // The innermost step of every search: no call through a table.
        match self {
            Self::Cylinder(c) => c.support(direction),
            Self::Cone(c) => c.support(direction),
            Self::Ellipsoid(e) => e.support(direction),
        }
    }

    /// Whether the point is in the solid or on its surface. Exact.
    pub fn contains(&self, p: DVec3) -> bool {
        self.kind().contains(p)
    }

    /// Where the ray enters the solid, if it does so at a parameter of at most `max`; at 0, without a normal, if it
    /// starts inside.
    ///
    /// Exact: whether the ray starts inside, and whether its line touches the round side (of a cone also its mirror
    /// image beyond the apex), tangents included. Rounded: a ray that passes within 1e-14, relative to the body and the
    /// distance, of a rim or apex or runs along the side of a cone may be hit or not. The point of entry is off by as
    /// much. At the apex the normal is `+z`.
    pub fn ray(&self, ray: &Ray, max: f64) -> Option<EntryPoint> {
        if self.contains(ray.origin) {
            return (max >= 0.0).then_some(START);
        }
        let (ray, speed) = steady(ray);
        let hit = self.kind().entry(&ray)?;
        (hit.t / speed <= max).then_some(EntryPoint { t: hit.t / speed, ..hit })
    }

    /// The point of the solid nearest to `p` (`a` of the answer is `p`): `p` itself if inside, else off by a few ulp of
    /// the coordinates.
    pub fn closest_point(&self, p: DVec3) -> Nearest {
        let found = self.closest_surface_point(p);
        Nearest::between(p, if found.depth >= 0.0 { p } else { found.point })
    }

    /// The point of the surface nearest to `p`, also from inside. Of several that are equally near: the side before the
    /// ends, and its part at `+x`; the upper end of a cylinder; of an ellipsoid the one with positive coordinates, at
    /// the end of the first of the shortest axes. A fraction of a microsecond.
    pub fn closest_surface_point(&self, p: DVec3) -> SurfacePoint {
        match self {
            Self::Cylinder(c) => c.closest_surface_point(p),
            Self::Cone(c) => c.closest_surface_point(p),
            Self::Ellipsoid(e) => e.closest_surface_point(p),
        }
    }

    /// How high above the plane of the half-space the lowest point is; negative if it reaches in, by that depth. The
    /// interval surely holds the true height and is some 1e-15 of the sizes and the plane's distance wide.
    pub fn height_above(&self, halfspace: &Halfspace) -> Interval {
        let size = length(halfspace.normal);
        let (normal, offset) = (halfspace.normal / size, halfspace.offset / size);
        let height = normal.dot(self.support(-normal)) - offset;
        // The normal and the offset are off by four ε, with ε = 2⁻⁵² for two roundings, the support point by ten, and
        // products and sums by six.
        let doubt = 32.0 * f64::EPSILON * (offset.abs() + self.kind().reach()) + f64::MIN_POSITIVE;
        Interval::point(height).widened(doubt)
    }
}

/// The vector from the z axis to `p`.
#[inline]
fn flat(p: DVec3) -> DVec3 {
    DVec3::new(p.x, p.y, 0.0)
}

/// The point of the disc of this radius in the plane z = 0 farthest in a direction.
#[inline]
fn on_disc(radius: f64, direction: DVec3) -> DVec3 {
    let flat = flat(direction);
    let size = flat.abs().max_element();
    if size == 0.0 {
        return DVec3::ZERO;
    }
    let unit = flat / size;
    unit * (radius / unit.length())
}

/// The disc or rim of a solid at a height: a disc is tried first in directions within 25° of its normal, for one
/// support point tells whether it is faced.
fn end(radius: f64, z: f64, steep: f64) -> Piece {
    if steep * z.signum() > 0.9 { Piece::Disc { radius, z } } else { Piece::Rim { radius, z } }
}

#[cfg(test)]
mod tests;
