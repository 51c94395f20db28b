//! Collision detection with certified answers.
//!
//! Sudar ("collision") tells whether bodies touch, how far apart they are, and which of their triangles meet.
//! Its goals, in this order:
//!
//! 1. **Right**: triangle tests are exact, distances are intervals that hold the true value, nothing is decided
//!    by a hidden tolerance. Swapping the bodies or scaling by a power of two never changes a yes or no.
//! 2. **Unbreakable**: constructors validate, loops are bounded, no input makes the library panic or hang.
//! 3. **Reproducible**: the same bits for any number of threads, any SIMD level, any platform.
//! 4. **Fast**: eight-wide trees in `f32` rounded outward propose, `f64` and exact predicates confirm.
//!
//! The rooms, ground floor first; each imports only from those above it in this list:
//! [`math`], [`effort`], [`shape`], [`proof`], [`pair`], [`hull`], [`inside`], [`tree`], [`convex`], [`query`], [`broad`],
//! [`scene`], and `record` (with feature `serde`).
//!
//! Units are metres (or any one unit used throughout), seconds, kilograms, radians. Quaternions are scalar last.

pub mod broad;
pub mod convex;
pub mod effort;
pub mod hull;
pub mod inside;
pub mod math;
pub mod pair;
pub mod proof;
pub mod query;
#[cfg(feature = "serde")]
pub mod record;
pub mod scene;
pub mod shape;
pub mod tree;

pub use glam;
pub use glam::{DMat3, DQuat, DVec3};

pub use hull::HullError;
pub use math::{Interval, Pose, PoseError, Sign};
pub use shape::{
    Aabb, Capsule, Compound, CompoundError, Cone, Cuboid, Cylinder, DepthRange, Ellipsoid, Faults, Frustum,
    FrustumError, HalfEdge, Halfspace, HeightField, HeightFieldError, Hull, Mesh, MeshError, MotionError,
    Obb, Plane, PointCloud, PointCloudError, Polygon, PolygonError, Ray, Segment, Shape, ShapeError, Solid,
    Sphere, Triangle, WeldError, WeldReport,
};

/// The code of the README, tested.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
