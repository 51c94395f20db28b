//! Models to files.

mod gltf;
mod numbers;
mod obj;
mod off;
mod ply;
mod stl;
mod vrml;

use std::io::Write as _;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use sudar::Mesh;

pub use gltf::glb;

use crate::note::Notes;
use crate::{Aside, Cause, Format, FormatError, Model, Note, NoteKind, Place};

/// How to write. The default: the format of the name's ending, binary where it can be.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WriteOptions {
    /// The format, if the name's ending does not tell it.
    pub format: Option<Format>,
    /// STL and PLY as text.
    pub ascii: bool,
}

/// Writes a model, compressed if the name ends in `.gz`. The file is written aside in the same folder and renamed
/// when it is whole, so that nobody sees half of it.
///
/// OBJ, text STL, glTF and VRML keep parts and their names, glTF also poses and shared meshes; VRML keeps
/// those that are only moved, and names only as far as its rules let it; in OBJ and STL the vertices are
/// posed. VRML keeps [`Model::info`]. PLY, OFF and binary STL hold one surface: the parts are merged, with a
/// [`Note`]. OBJ, OFF, PLY, VRML and text STL hold every number so that it reads back the same; binary STL
/// and glTF hold 32 bits, with a note if that rounds anything.
///
/// # Errors
/// [`Cause::UnknownFormat`], [`Cause::Unwritten`], [`Cause::NoFolder`], [`Cause::Unwritable`],
/// [`Cause::BeyondF32`], [`Cause::NoTriangles`], [`Cause::TooMany`], [`Cause::Mesh`] if a pose carries a
/// vertex too far, [`Cause::NoSuchMesh`].
pub fn write(path: &Path, model: &Model, options: WriteOptions) -> Result<Vec<Note>, FormatError> {
    let refused = |cause| FormatError::new(&path.display().to_string(), cause);
    let format = options.format.map_or_else(|| Format::to_write(path), Ok).map_err(refused)?;
    let (mut bytes, notes) = encode(model, format, options.ascii).map_err(refused)?;
    if crate::format::is_gz(path) {
        bytes = compress(&bytes).map_err(|e| refused(Cause::Unwritable(e.to_string())))?;
    }
    save(path, &bytes).map_err(refused)?;
    Ok(notes)
}

/// The bytes that [`write()`] would write, not compressed; `name` stands for the file in errors.
///
/// # Errors
/// As [`write()`].
pub fn write_bytes(
    model: &Model,
    format: Format,
    ascii: bool,
    name: &str,
) -> Result<(Vec<u8>, Vec<Note>), FormatError> {
    encode(model, format, ascii).map_err(|cause| FormatError::new(name, cause))
}

fn encode(model: &Model, format: Format, ascii: bool) -> Result<(Vec<u8>, Vec<Note>), Cause> {
    if model.triangles() == 0 {
        return Err(model.no_triangles());
    }
    let mut notes = Notes::default();
    let bytes = match (format, ascii) {
        (Format::Obj, _) => obj::encode(model),
        (Format::Stl, true) => stl::encode_text(model),
        (Format::Stl, false) => stl::encode_binary(&merged(model, &mut notes)?, &mut notes),
        (Format::Ply, _) => ply::encode(&merged(model, &mut notes)?, ascii),
        (Format::Off, _) => off::encode(&merged(model, &mut notes)?),
        (Format::Gltf, _) => gltf::encode_json(model, &mut notes),
        (Format::Glb, _) => gltf::encode_binary(model, &mut notes),
        (Format::Vrml, _) => vrml::encode(model),
        (Format::Collada, _) => Err(Cause::Unwritten { what: format.name() }),
    }?;
    Ok((bytes, notes.into_vec()))
}

fn compress(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes)?;
    encoder.finish()
}

fn save(path: &Path, bytes: &[u8]) -> Result<(), Cause> {
    let unwritable = |error: std::io::Error| Cause::Unwritable(error.to_string());
    let folder = crate::folder(path);
    if !folder.is_dir() {
        return Err(Cause::NoFolder(crate::error::one_line(&folder.display().to_string())));
    }
    let mut aside = Aside::create(path).map_err(unwritable)?;
    aside.write_all(bytes).and_then(|()| aside.finish()).map_err(unwritable)
}

/// One mesh for a format that holds no parts.
fn merged(model: &Model, notes: &mut Notes) -> Result<Mesh, Cause> {
    if model.parts.len() > 1 {
        notes.add_many(NoteKind::MergedPart, model.parts.len() as u64, Place::File);
    }
    model.merged()
}

#[cfg(test)]
mod tests;
