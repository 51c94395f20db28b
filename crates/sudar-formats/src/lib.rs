//! Files to meshes and assemblies, and back: OBJ, STL, PLY, OFF, glTF 2.0, GLB and VRML 2.0, each also gzipped. COLLADA
//! is read, and IFC, also zipped, with feature `ifc`.
//!
//! [`read`] gives a [`Model`]: meshes, the named [`Part`]s that show them, and [`Note`]s of everything that was
//! noticed and not refused; [`read_named`] does so where there is no path. [`write()`] is the way back. Bad files are
//! refused with a [`FormatError`] of one line that names the file, the place, and what to do; no file makes a reader
//! panic, hang, or reserve more memory than its own bytes justify.
//!
//! The triangles of a mesh are numbered as in the file: a polygon of n corners takes n − 2 numbers, a fan from its
//! first corner if it is convex and ears if not. Nothing is joined, moved or left out; the exceptions are in the
//! notes. Numbers have no unit.
//!
//! ```
//! use sudar_formats::{Format, read_bytes, write_bytes};
//!
//! let text = b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\no plate\nf 1 2 3 4\nl 1 2\n";
//! let model = read_bytes(text, Format::Obj, "plate.obj")?;
//! assert_eq!((model.parts[0].name.as_str(), model.triangles()), ("plate", 2));
//! assert_eq!(model.notes[0].to_string(), "1 line element skipped (first at line 7)");
//!
//! let (bytes, notes) = write_bytes(&model, Format::Glb, false, "plate.glb")?;
//! assert!(bytes.starts_with(b"glTF") && notes.is_empty());
//!
//! let error = read_bytes(b"v 0 0 0\nf 1 2 3\n", Format::Obj, "bad.obj").unwrap_err();
//! assert!(error.to_string().starts_with("bad.obj: line 2: vertex 2 does not exist"));
//! # Ok::<(), sudar_formats::FormatError>(())
//! ```

mod affine;
mod aside;
mod beside;
mod builder;
mod collada;
mod elements;
mod error;
mod foreign;
mod format;
mod gltf;
mod grid;
mod holes;
#[cfg(feature = "ifc")]
mod ifc;
mod levels;
mod model;
mod note;
mod npy;
mod obj;
mod octomap;
mod off;
mod ply;
mod polygon;
mod rows;
mod solids;
mod source;
mod step;
mod stl;
mod text;
mod vrml;
mod write;

use std::path::Path;

pub use aside::{Aside, AsideFolder};
pub use elements::{Element, Elements};
pub use error::{Cause, FormatError, Place, is_disruptive};
pub use format::Format;
#[cfg(feature = "ifc")]
pub use ifc::{IfcOptions, count_ifc, read_ifc, read_ifc_telling};
pub use levels::{GridAxis, Level};
pub use model::{LostElement, MAX_MERGED, Model, Part};
pub use note::{Note, NoteKind};
pub use npy::read_boxes;
pub use octomap::{Octomap, Voxel};
pub use rows::{Rows, npy_of_bools, npy_of_rows, read_rows, rows_of};
pub use source::{FREE_EXPANSION, MAX_EXPANDED, MAX_FILE, MAX_RATIO};
pub use step::step_unit;
pub use write::{WriteOptions, glb, write, write_bytes};

/// Reads a file of any of the formats.
///
/// The format is that of the name's ending, otherwise of the first bytes. Gzip data are recognised by their first bytes
/// under any name. Only regular files are opened, and other files only for the buffers of a glTF file, inside
/// its folder. Costs the time to parse and a few times the file's size in memory.
///
/// # Errors
/// A [`FormatError`] with the [`Cause`].
pub fn read(path: &Path) -> Result<Model, FormatError> {
    #[cfg(feature = "ifc")]
    if ifc::is_named(path) {
        let bytes = load(path)?;
        return Ok(read_ifc(&bytes, &path.display().to_string(), IfcOptions::default())?.into_model());
    }
    let refused = |cause| FormatError::new(&path.display().to_string(), cause);
    let named = Format::from_path(path);
    if let Err(cause @ Cause::Foreign { .. }) = named {
        return Err(refused(cause));
    }
    let bytes = source::load(path).map_err(refused)?;
    let format = named.or_else(|_| Format::sniff(&bytes)).map_err(refused)?;
    parse(&bytes, format, &format::stem(path), Some(folder(path))).map_err(refused)
}

/// The bytes of a regular file, expanded if they are gzip data.
///
/// # Errors
/// A [`FormatError`] with the [`Cause`].
pub fn load(path: &Path) -> Result<Vec<u8>, FormatError> {
    source::load(path).map_err(|cause| FormatError::new(&path.display().to_string(), cause))
}

/// Reads bytes as one format, expanded first if they are gzip data. `name` stands for the file in errors and,
/// without folder and endings, names parts that have no name of their own. Other files, which glTF and VRML can
/// name, are refused.
///
/// # Errors
/// A [`FormatError`] with the [`Cause`].
pub fn read_bytes(bytes: &[u8], format: Format, name: &str) -> Result<Model, FormatError> {
    let refused = |cause| FormatError::new(name, cause);
    let bytes = expanded(bytes).map_err(refused)?;
    parse(&bytes, format, &format::stem(Path::new(name)), None).map_err(refused)
}

/// Reads the GLB that a converter of CAD files made, as cascadio does of STEP: a part for each solid, called by its
/// path in the assembly (`pump/cover/bolt`). Names that repeat are numbered, and solids of one product: `bolt/solid 2`.
///
/// # Errors
/// A [`FormatError`] with the [`Cause`].
pub fn read_assembly(bytes: &[u8], name: &str) -> Result<Model, FormatError> {
    let refused = |cause| FormatError::new(name, cause);
    let model =
        gltf::read(bytes, &format::stem(Path::new(name)), None, gltf::Naming::Path).map_err(refused)?;
    model.by_solids().map_err(refused)
}

/// Reads the bytes of a file that was given with its name and cannot be opened, such as one dropped on a window.
///
/// The format is found as [`read`] finds it, everything else is as with [`read_bytes`].
///
/// # Errors
/// A [`FormatError`] with the [`Cause`].
pub fn read_named(bytes: &[u8], name: &str) -> Result<Model, FormatError> {
    let path = Path::new(name);
    #[cfg(feature = "ifc")]
    if ifc::is_named(path) {
        return Ok(read_ifc(bytes, name, IfcOptions::default())?.into_model());
    }
    let refused = |cause| FormatError::new(name, cause);
    let named = Format::from_path(path);
    if let Err(cause @ Cause::Foreign { .. }) = named {
        return Err(refused(cause));
    }
    let bytes = expanded(bytes).map_err(refused)?;
    let format = named.or_else(|_| Format::sniff(&bytes)).map_err(refused)?;
    parse(&bytes, format, &format::stem(path), None).map_err(refused)
}

fn expanded(bytes: &[u8]) -> Result<Vec<u8>, Cause> {
    if bytes.is_empty() { Err(Cause::Empty) } else { source::expand(bytes.into()) }
}

fn parse(bytes: &[u8], format: Format, stem: &str, folder: Option<&Path>) -> Result<Model, Cause> {
    let read = match format {
        Format::Obj => obj::read(bytes, stem),
        Format::Stl => stl::read(bytes, stem),
        Format::Ply => ply::read(bytes, stem),
        Format::Off => off::read(bytes, stem),
        Format::Gltf | Format::Glb => gltf::read(bytes, stem, folder, gltf::Naming::Own),
        Format::Vrml => vrml::read(bytes, stem, folder),
        Format::Collada => collada::read(bytes, stem),
    };
    // Of a file of another format it says more what it is than where it is wrong.
    read.map_err(|cause| match foreign::by_content(bytes) {
        Some(foreign) => foreign,
        None => cause,
    })
}

/// The folder that a file lies in.
fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
        Some(parent) => parent,
        None => Path::new("."),
    }
}
