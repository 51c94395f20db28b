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
use std::rc::Rc;

use crate::{Cause, Model, Place, text};
use parse::Node;

/// Reads a file's bytes; inlined files are looked for in `folder`, or refused without one.
pub(crate) fn read(bytes: &[u8], stem: &str, folder: Option<&Path>) -> Result<Model, Cause> {
    let nodes = nodes(bytes)?;
    let mut scene = scene::Scene::new(stem, bytes.len() as u64);
    scene.show(&nodes, folder)?;
    scene.finish()
}

/// The nodes of a file whose header says that it is VRML 2.0.
fn nodes(bytes: &[u8]) -> Result<Vec<Rc<Node>>, Cause> {
    let text = text::decode(bytes);
    check_header(&text)?;
    parse::parse(&text)
}

fn check_header(text: &[u8]) -> Result<(), Cause> {
    let line = text.split(|b| matches!(b, b'\n' | b'\r')).next().unwrap_or_default();
    let version = line.strip_prefix(b"#VRML").map(<[u8]>::trim_ascii_start);
    match version {
        Some(version) if version.starts_with(b"V2.0") => Ok(()),
        Some(version) if version.starts_with(b"V1") => Err(Cause::Unsupported {
            place: Place::Line(1),
            what:
                "VRML 1.0 is not supported; convert it to VRML 2.0, with vrml1tovrml2 or FreeWRL, or to OBJ"
                    .to_owned(),
        }),
        Some(_) | None => Err(Cause::expected(Place::Line(1), "`#VRML V2.0 utf8`", line)),
    }
}

#[cfg(test)]
mod tests;
