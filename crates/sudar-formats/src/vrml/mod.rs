//! VRML 2.0, also called VRML97 (ISO/IEC 14772-1:1997, "The Virtual Reality Modeling Language").
//!
//! Read: `IndexedFaceSet`, `Box`, `Sphere`, `Cone`, `Cylinder`, `Extrusion`, `ElevationGrid` under any
//! nesting of `Transform`, `Group`, `Anchor`, `Billboard`, `Collision`, `Switch` and `LOD` (one of their
//! children), `Inline` (files in the folder of this one), with `DEF`, `USE` and `PROTO`. A part is a `Shape`;
//! its name is its own, otherwise that of the nearest node around it that has one. The strings of
//! `WorldInfo { info }` and `Info { string }` are kept. Round bodies become polyhedra of 32 sides. Lines,
//! points and text are counted and left out; materials, lights, sensors, scripts and the like are not looked
//! at. Numbers are read as 64 bits.
//!
//! `parse.rs` makes a tree of nodes without knowing any of them, `scene.rs` finds what is where,
//! `geometry.rs` and `solids.rs` make triangles.

mod geometry;
mod here;
mod lexer;
mod parse;
mod scene;
mod solids;
mod swept;

use std::path::Path;

use crate::{Cause, Model};

/// Reads a file's bytes; inlined files are looked for in `folder`, or refused without one.
pub(crate) fn read(bytes: &[u8], stem: &str, folder: Option<&Path>) -> Result<Model, Cause> {
    let nodes = parse::nodes(bytes)?;
    let mut scene = scene::Scene::new(stem, bytes.len() as u64);
    scene.show(&nodes, folder)?;
    scene.finish()
}

#[cfg(test)]
mod tests;
