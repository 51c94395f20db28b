//! Collision detection with certified answers.
//!
//! Sudar ("collision") tells whether bodies touch, how far apart they are, and which of their triangles meet.
//!
//! ```
//! use sudar::query::{Body, DistanceOptions, distance, intersects, ray};
//! use sudar::{Aabb, DVec3, Mesh, Pose, Ray, Sphere};
//!
//! // A body is a shape together with what makes queries fast. Made once, it is cheap to clone and to share.
//! let table = Body::new(Mesh::from_aabb(Aabb { min: DVec3::new(-1.0, -1.0, 0.0), max: DVec3::new(1.0, 1.0, 0.1) }));
//! let ball = Body::new(Sphere::new(DVec3::ZERO, 0.5)?);
//!
//! let (here, above) = (Pose::IDENTITY, Pose::from_translation(DVec3::new(0.0, 0.0, 1.0))?);
//! assert!(!intersects(table.at(&here), ball.at(&above)).is_touching());
//!
//! // A distance is an interval that holds the true one, with a point on either body.
//! let gap = distance(table.at(&here), ball.at(&above), &DistanceOptions::EXACT);
//! assert!(gap.interval.contains(0.4) && gap.interval.width() < 1e-12);
//!
//! let down = Ray::new(DVec3::new(0.25, 0.5, 5.0), -DVec3::Z)?;
//! assert_eq!(ray(table.at(&here), &down, f64::INFINITY).map(|hit| hit.t), Some(4.9));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What to call
//!
//! | task | function |
//! |---|---|
//! | do two bodies touch? | [`query::intersects`] |
//! | which of their triangles meet? | [`query::contacts`]; of one mesh with itself: [`query::self_intersections`] |
//! | how far apart are they? | [`query::distance`]; only whether nearer than a tolerance: [`query::within`] |
//! | every place where they come near each other | [`query::local_minima`] |
//! | when do two moving bodies meet? | [`query::sweep`] |
//! | how far can a shape go along a line? | [`query::cast_shape`], [`query::cast_sphere`] |
//! | what does a moving body meet first? | [`many::CollisionManager::sweep`], [`dynamics::World::cast_shape`] |
//! | how deep are they in each other? | [`query::penetration`]; along a direction: [`query::depth_along`] |
//! | contact points for a solver | [`query::manifold`] |
//! | what does a ray hit? | [`query::ray`], [`query::ray_any`], [`query::ray_all`] |
//! | the closest point of a body | [`query::closest_point`] |
//! | is a point inside? | [`query::contains`]; of an open mesh: [`query::contains_by_winding`] |
//! | many named objects that move: events, contacts, the nearest, rays | [`many::CollisionManager`] |
//! | all clashes of an assembly | `find_clashes` of the crate `sudar-clash` |
//! | which of many moving boxes overlap | [`broad::BroadPhase`] |
//! | which of many fixed boxes overlap | [`broad::candidate_pairs`] |
//! | bodies that fall, fly and bounce | [`dynamics::World`] |
//! | a limit of time or steps, progress, cancellation | [`query::Work`] |
//! | bodies that move a little at a time | [`query::Memory`] |
//! | many poses or bodies at once, on all cores | [`query::Batch`] |
//! | a mesh that deforms | [`query::Body::move_vertices`] |
//! | a proof that another piece of code checks | [`query::prove_distance`], [`proof::Proof::check`] |
//! | a convex hull | [`hull::convex_hull`] |
//! | volume, centre of mass and inertia | [`mass::mass_properties`] |
//! | the smallest sphere, a tight oriented box | [`volume::smallest_sphere`], [`volume::fit_obb`] |
//! | join nearly equal vertices, close a mesh | [`Mesh::welded`], [`Solid::new`] |
//! | two simple things, such as a triangle and a segment | [`pair`] |
//!
//! # Goals, in this order
//!
//! 1. **Right**: triangle tests are exact, distances are intervals that hold the true value, nothing is decided
//!    by a hidden tolerance. Swapping the bodies or scaling by a power of two never changes a yes or no.
//! 2. **Unbreakable**: constructors validate, loops are bounded, no input makes the library panic or hang.
//! 3. **Reproducible**: the same bits for any number of threads, any SIMD level, any platform.
//! 4. **Fast**: eight-wide trees in `f32` rounded outward propose, `f64` and exact predicates confirm.
//!
//! Units are metres (or any one unit used throughout), seconds, kilograms, radians. Quaternions are scalar last.
//! Constructors refuse coordinates beyond 1e90.
//!
//! # Features
//!
//! | feature | what it gives |
//! |---|---|
//! | `parallel` (default) | trees, scenes and batches run on all cores (crate rayon); the same bits without it |
//! | `serde` | serialisation of intervals, statistics, proofs and memories, and of the vectors of glam |
//! | `mint` | conversions of vectors and matrices to and from the interchange types of crate mint |
//! | `scalar-fallback` | compiles the scalar form of the SIMD kernels as well, for tests |
//!
//! In a browser (`wasm32-unknown-unknown`) it runs without `parallel`, with its SIMD under
//! `-C target-feature=+simd128`, and reads the browser's clock where a budget has a time.
//!
//! # Rooms
//!
//! Each imports only from those before it: [`math`], [`effort`], [`shape`], [`proof`], [`pair`], `kind`, [`hull`],
//! [`volume`], [`inside`], `search`, [`tree`], [`mass`], [`convex`], [`motion`], [`query`], [`broad`], [`many`] and
//! [`dynamics`]. Other crates build on these: `sudar-formats` reads and writes files, `sudar-record` has queries and
//! answers as lines of JSON, `sudar-scene` scene files, `sudar-clash` clash checks, `sudar-classic` the methods of the
//! sources.

pub mod broad;
pub mod convex;
pub mod dynamics;
pub mod effort;
pub mod hull;
pub mod inside;
mod kind;
pub mod many;
pub mod mass;
pub mod math;
pub mod motion;
pub mod pair;
pub mod proof;
pub mod query;
mod search;
pub mod shape;
#[cfg(test)]
mod testing;
pub mod tree;
pub mod volume;

pub use glam;
pub use glam::{DMat3, DQuat, DVec3};

pub use hull::HullError;
pub use kind::{Tessellation, TessellationError};
pub use math::{Interval, Pose, PoseError, Sign};
pub use shape::{
    Aabb, Capsule, Compound, CompoundError, Cone, Cuboid, Cylinder, DepthRange, Ellipsoid, Faults, Frustum,
    FrustumError, HalfEdge, Halfspace, HeightField, HeightFieldError, Hull, Mesh, MeshError, MotionError,
    Obb, Plane, PointCloud, PointCloudError, Polygon, PolygonError, Ray, Segment, Shape, ShapeError, Solid,
    Sphere, Triangle, WeldError, WeldReport, WeldedError,
};

/// The code of the README, tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// The code of the guide, tested.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide.md")]
struct Guide;

/// The code of the page for those who come from other libraries, tested.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/moving-over.md")]
struct MovingOver;

/// The code of the page on joints, tested.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/joints.md")]
struct Joints;

/// The code of the page for those who write games, tested.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/games.md")]
struct Games;

/// The code of the page on scenes that move, tested.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/scenes.md")]
struct Scenes;
