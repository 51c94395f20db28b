//! Meshes made by formulas, the same on every machine: what experiments measure and programs show.
//!
//! ```
//! use sudar_scene::models;
//!
//! assert_eq!(models::sphere(32, 1.0)?.triangles().len(), 1984);
//! assert_eq!(models::car(models::CarModel::First)?.triangles().len(), 905);
//! # Ok::<(), sudar::MeshError>(())
//! ```

mod car;
mod gear;
mod round;

pub use car::{CarModel, CarPart, car, car_parts};
pub use gear::gear;
pub use round::{bumpy, hare, sheet, sphere, torus};
