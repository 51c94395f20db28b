//! A look into the classic systems: their hierarchies level by level, and a search pair by pair.
//!
//! [`SystemPair`] has two meshes in the structures of one [`System`]. It lists the nodes of either, each with the
//! [`Outline`] of its volume, and makes the system's own search while it tells every pair of nodes that is tested and
//! what becomes of it. Searches that nobody watches are not touched: they are as fast as without this.
//!
//! ```
//! use std::sync::Arc;
//! use sudar::effort::Budget;
//! use sudar::{Aabb, DVec3, Mesh, Pose};
//! use sudar_classic::look::{System, SystemPair};
//! use sudar_classic::tree::Fate;
//!
//! let cube = Arc::new(Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::ONE }));
//! let mut pair = SystemPair::new(System::Solid, [cube.clone(), cube])?;
//! let beside = Pose::from_translation(DVec3::X * 1.5)?;
//! let mut visits = Vec::new();
//! pair.search([&Pose::IDENTITY, &beside], Budget::UNLIMITED, &mut |visit| visits.push(visit));
//! // The roots are apart, and that is all.
//! assert_eq!((visits.len(), visits[0].fate), (1, Fate::Pruned));
//! assert_eq!(pair.nodes(0)[0].level, 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod outline;
mod pair;
mod system;

pub use outline::Outline;
pub use pair::{LookError, Seen, ShownNode, SystemPair};
pub use system::System;
