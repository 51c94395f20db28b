//! A memory as a serde type.

use glam::DVec3;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Memory;
use super::saved::Saved;
use crate::convex::GjkMemory;

/// Version of the format.
const VERSION: u32 = 2;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    version: u32,
    /// Of convex bodies: a direction that may separate.
    axis: DVec3,
    /// Vertices of the last simplex, a pair each.
    simplex: Vec<[u32; 2]>,
    #[serde(default)]
    surfaces: Saved,
}

impl Serialize for Memory {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let simplex = self.gjk.vertices[..self.gjk.count.min(4) as usize].to_vec();
        let surfaces = self.pair.as_ref().map_or_else(|| self.saved.clone(), |pair| pair.saved());
        Written { version: VERSION, axis: self.gjk.axis, simplex, surfaces }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Memory {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = Written::deserialize(deserializer)?;
        if read.version != VERSION {
            let version = read.version;
            return Err(D::Error::custom(format!(
                "a memory of version {version} cannot be read, only {VERSION}; begin with an empty one"
            )));
        }
        if read.simplex.len() > 4 || !read.axis.is_finite() {
            return Err(D::Error::custom("a memory needs a finite axis and a simplex of at most 4 vertices"));
        }
        let mut gjk = GjkMemory { axis: read.axis, ..GjkMemory::NONE };
        for vertex in read.simplex {
            gjk.vertices[gjk.count as usize] = vertex;
            gjk.count += 1;
        }
        Ok(Self { gjk, saved: read.surfaces, ..Self::default() })
    }
}
