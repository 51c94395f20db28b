//! Scene stores: an assembly as a folder of flat little-endian arrays, for [`sudar`].
//!
//! [`Packer`] writes one, [`Store`] opens one: it reads a small head, and everything else when it is asked for, by
//! ranges of files. Meshes are stored once by the checksum of their vertices and triangles, each with what is dear to
//! find: the layout of its tree, whether it is closed, and its faults.
//!
//! A store from a stranger is data and nothing else: lengths are compared with the files before memory is taken,
//! numbers are checked, trees and closedness are proved again, and whatever does not fit gives a [`StoreError`] of one
//! line.
//! Checksums find damage, not intent: who packed a store can say in it what they like, as in any file.
//!
//! The format is described in docs/scale.md.

mod about;
mod bytes;
mod digest;
mod error;
mod folder;
mod geometry;
mod head;
mod known;
mod many;
mod packer;
mod parts;
mod record;
mod segments;
mod source;
mod store;
mod strings;
mod version;

pub use about::{About, FailedFile};
pub use digest::digest;
pub use error::{Cause, StoreError};
pub use geometry::MAX_TRIANGLES;
pub use packer::{NewPart, Packed, Packer};
pub use parts::{Parts, StoredPart};
pub use record::StoredMesh;
pub use store::Store;
pub use version::VERSION;
