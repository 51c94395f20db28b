//! What bodies are: one noun a file. Points are [`DVec3`].
//!
//! [`Shape`] is the closed list of everything a query accepts. It is an enum without a wildcard in any match of
//! this library, so that a new shape shows every place that has to learn about it.

mod aabb;
mod capsule;
mod compound;
mod cone;
mod cuboid;
mod cylinder;
mod ellipsoid;
mod frustum;
mod halfspace;
mod hull;
mod hull_measure;
mod obb;
mod plane;
mod polygon;
mod ray;
mod segment;
#[cfg(feature = "serde")]
mod serialised;
mod sphere;
mod surface;
mod triangle;

pub use aabb::Aabb;
pub use capsule::Capsule;
pub(crate) use compound::flattened;
pub use compound::{Compound, CompoundError};
pub use cone::Cone;
pub use cuboid::Cuboid;
pub use cylinder::Cylinder;
pub use ellipsoid::Ellipsoid;
pub use frustum::{DepthRange, Frustum, FrustumError};
pub use halfspace::Halfspace;
pub use hull::{HalfEdge, Hull};
pub(crate) use hull_measure::{collinear, projection};
pub use obb::Obb;
pub use plane::Plane;
pub use polygon::{Polygon, PolygonError};
pub use ray::Ray;
pub use segment::Segment;
pub use sphere::Sphere;
pub(crate) use surface::connection::Connection;
pub(crate) use surface::facets::{Bend, Crease, Facets, NONE};
pub use surface::height_field::{HeightField, HeightFieldError};
pub use surface::mesh::{MAX_COORDINATE, Mesh, MeshError};
pub use surface::normal_cone::NormalCone;
pub use surface::point_cloud::{PointCloud, PointCloudError};
pub use surface::solid::{MotionError, Solid, WeldedError};
pub use surface::stars::{Simplex, Stars};
pub(crate) use surface::topology::has_zero_area;
pub use surface::topology::{Edge, Faults, NO_TRIANGLE, NotClosed, Topology};
pub use surface::weld::{WeldError, WeldReport};
pub use triangle::Triangle;

use std::sync::Arc;

use glam::DVec3;
use thiserror::Error;

/// Why the parameters of a shape were refused.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// A number is NaN or infinite.
    #[error("{what} must be finite")]
    NotFinite {
        /// The parameter in question.
        what: &'static str,
    },
    /// A length is zero or negative.
    #[error("{what} must be positive, found {value}")]
    NotPositive {
        /// The parameter in question.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// A direction is the zero vector.
    #[error("{what} must not be the zero vector")]
    ZeroVector {
        /// The parameter in question.
        what: &'static str,
    },
    /// A number is too large to be computed with.
    #[error("{what} must not exceed 1e90; scale the scene down")]
    TooLarge {
        /// The parameter in question.
        what: &'static str,
    },
}

/// A body in its own frame. Primitives are solid; a mesh or height field is its surface, a point cloud its
/// points; a [`Solid`] has an inside.
///
/// ```
/// use sudar::query::{Body, contains};
/// use sudar::{Compound, Cuboid, DVec3, Pose, Shape, Sphere};
///
/// let ball: Shape = Sphere::new(DVec3::ZERO, 0.5)?.into();
/// let plate: Shape = Cuboid::new(DVec3::new(2.0, 2.0, 0.1))?.into(); // half extents
/// let on_top = Pose::from_translation(DVec3::new(0.0, 0.0, 0.6))?;
/// let both = Compound::new(vec![(plate, Pose::IDENTITY), (ball, on_top)])?;
///
/// let body = Body::new(both); // any shape becomes a body, and every query takes it
/// assert!(contains(body.at(&Pose::IDENTITY), DVec3::new(0.0, 0.0, 1.0))?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub enum Shape {
    /// The surface of a triangle mesh.
    Mesh(Arc<Mesh>),
    /// A closed mesh together with what it encloses.
    Solid(Arc<Solid>),
    /// A triangle, also of zero area.
    Triangle(Triangle),
    /// A segment, also of zero length.
    Segment(Segment),
    /// A point.
    Point(DVec3),
    /// A ball.
    Sphere(Sphere),
    /// A box with faces along the axes of its frame.
    Cuboid(Cuboid),
    /// A ball swept along a segment.
    Capsule(Capsule),
    /// A round cylinder.
    Cylinder(Cylinder),
    /// A round cone.
    Cone(Cone),
    /// An ellipsoid.
    Ellipsoid(Ellipsoid),
    /// The convex hull of points, also a flat one.
    Hull(Arc<Hull>),
    /// All points on or below a plane.
    Halfspace(Halfspace),
    /// A surface of heights over a grid.
    HeightField(Arc<HeightField>),
    /// Points that move together.
    PointCloud(Arc<PointCloud>),
    /// Several posed shapes as one.
    Compound(Arc<Compound>),
}

/// A convex solid without vertices, centred on the origin of its frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Round {
    /// A round cylinder.
    Cylinder(Cylinder),
    /// A round cone.
    Cone(Cone),
    /// An ellipsoid.
    Ellipsoid(Ellipsoid),
}

impl Shape {
    /// The shape as a round solid, if it is one.
    pub fn round(&self) -> Option<Round> {
        match self {
            Self::Cylinder(c) => Some(Round::Cylinder(*c)),
            Self::Cone(c) => Some(Round::Cone(*c)),
            Self::Ellipsoid(e) => Some(Round::Ellipsoid(*e)),
            Self::Mesh(_) | Self::Solid(_) | Self::HeightField(_) | Self::PointCloud(_) => None,
            Self::Triangle(_) | Self::Segment(_) | Self::Point(_) | Self::Sphere(_) => None,
            Self::Cuboid(_) | Self::Capsule(_) | Self::Hull(_) | Self::Halfspace(_) => None,
            Self::Compound(_) => None,
        }
    }

    /// A point.
    ///
    /// # Errors
    /// [`ShapeError::NotFinite`], [`ShapeError::TooLarge`].
    pub fn point(at: DVec3) -> Result<Self, ShapeError> {
        checked(at, "a point").map(Self::Point)
    }
}

/// `value` if every number of it is finite and within range.
fn checked(value: DVec3, what: &'static str) -> Result<DVec3, ShapeError> {
    if !value.is_finite() {
        return Err(ShapeError::NotFinite { what });
    }
    if value.abs().max_element() > MAX_COORDINATE {
        return Err(ShapeError::TooLarge { what });
    }
    Ok(value)
}

/// `value` if it is a length one can build with: finite, positive, within range.
fn checked_length(value: f64, what: &'static str) -> Result<f64, ShapeError> {
    checked(DVec3::splat(value), what)?;
    if value <= 0.0 {
        return Err(ShapeError::NotPositive { what, value });
    }
    Ok(value)
}

macro_rules! into_shape {
    ($($noun:ident),*) => {$(
        impl From<$noun> for Shape {
            fn from(noun: $noun) -> Self {
                Self::$noun(noun.into())
            }
        }
    )*};
}

into_shape!(
    Mesh,
    Solid,
    Triangle,
    Segment,
    Sphere,
    Cuboid,
    Capsule,
    Cylinder,
    Cone,
    Ellipsoid,
    Hull,
    Halfspace,
    HeightField,
    PointCloud,
    Compound
);
