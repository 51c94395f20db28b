//! glTF 2.0 (Khronos Group 2017; ISO/IEC 12113:2022), as JSON and as GLB.
//!
//! A part is a node with a mesh that the scene shows (the default scene, otherwise the first, otherwise all
//! roots), in the order of the file's nodes; its name is the node's, otherwise the mesh's. A mesh's
//! primitives follow one another. A rigid node transform is the part's pose and shares the mesh with its
//! other instances. A uniform scale or point mirroring is baked into a copy of the mesh, shared by nodes of
//! the same scale; any other transform is baked with its rotation, and the pose is the translation. Where the
//! transform mirrors, the copy is wound the other way, as the format prescribes. A mesh with a skin is read
//! in its rest shape where its vertices say, and the transform of its node is ignored.
//!
//! Buffers are the GLB chunk, `data:` URIs, and regular files inside the folder of the file. Numbers are 32-bit in
//! this format, transforms included. `document.rs` says what is read of the JSON; every index in it is checked
//! where it is followed.

mod accessor;
mod buffers;
mod document;
mod instances;
mod nodes;
mod paths;
mod primitives;

use std::path::Path;

use crate::affine::Affine;
use crate::builder::strip_triangles;
use crate::note::Notes;
use crate::{Cause, Model, NoteKind, Place};
use buffers::Buffers;
use document::{FirstVersion, Root};
use instances::Instances;
pub(crate) use paths::unique;
use primitives::Meshes;

/// Extensions that say nothing about where triangles are, by what their names begin with.
const HARMLESS: &str = "\
    KHR_materials_ KHR_texture_ EXT_texture_ MSFT_texture_ KHR_lights_ KHR_mesh_quantization \
    KHR_animation_pointer KHR_audio KHR_interactivity KHR_node_hoverability KHR_node_selectability \
    KHR_physics_rigid_bodies KHR_technique KHR_xmp ADOBE_materials_ AGI_ CESIUM_primitive_outline \
    EXT_feature_metadata EXT_instance_features EXT_lights_ EXT_materials_ EXT_mesh_features \
    EXT_mesh_manifold EXT_structural_metadata FB_geometry_metadata GRIFFEL_bim_data MSFT_lod \
    NV_materials_mdl VRMC_";

/// How parts are called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Naming {
    /// As their nodes, otherwise their meshes.
    Own,
    /// By the names on their way down the tree, each with its own.
    Path,
}

/// Reads a file's bytes; buffers in other files are looked for in `folder`, or refused without one.
pub(crate) fn read(bytes: &[u8], stem: &str, folder: Option<&Path>, naming: Naming) -> Result<Model, Cause> {
    let mut notes = Notes::default();
    let (json, blob) = split(bytes, &mut notes)?;
    let root = parse(json)?;
    check_extensions(&root)?;
    let buffers = Buffers::new(&root, blob, folder);
    let worlds = nodes::worlds(&root, &mut notes)?;
    let paths = match naming {
        Naming::Own => vec![None; root.nodes.len()],
        Naming::Path => paths::paths(&root, nodes::tops(&root)?),
    };
    let mut instances = Instances::new(Meshes::new(&root, &buffers, bytes.len() as u64), stem);
    for (i, ((node, world), path)) in root.nodes.iter().zip(&worlds).zip(&paths).enumerate() {
        let Some(mesh) = node.mesh else { continue };
        let place = || Place::Item(format!("node {i}"));
        if world.is_empty() {
            notes.add(NoteKind::HiddenNode, place());
        }
        // A skin places its mesh by the joints alone; the node's own transform must be ignored (3.7.3.3).
        let skinned = [Affine::IDENTITY];
        let shown = if node.skin.is_some() { &skinned[..world.len().min(1)] } else { world };
        for world in shown {
            instances.add((node, path.as_deref()), mesh, world, &place, &mut notes)?;
        }
    }
    instances.finish(notes)
}

/// The JSON text, and the binary chunk of a GLB file.
fn split<'a>(bytes: &'a [u8], notes: &mut Notes) -> Result<(&'a [u8], Option<&'a [u8]>), Cause> {
    if !bytes.starts_with(b"glTF") {
        return Ok((bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes), None));
    }
    let version = word(bytes, 4)?;
    if version == 1 {
        return Err(first_version(Place::Byte(4)));
    }
    if version != 2 {
        let found = format!("version {version}");
        return Err(Cause::expected(Place::Byte(4), "GLB version 2", found.as_bytes()));
    }
    let length = word(bytes, 8)? as usize;
    if length > bytes.len() {
        let (claimed, room) = (length as u64, bytes.len() as u64);
        return Err(Cause::Claim { place: Place::Byte(8), what: "bytes".to_owned(), claimed, room });
    }
    let (body, trailing) = bytes.split_at(length);
    notes.add_many(NoteKind::TrailingBytes, trailing.len() as u64, Place::Byte(length as u64));
    let (json, after) = chunk(body, 12, *b"JSON")?;
    let blob = if after < body.len() { Some(chunk(body, after, *b"BIN\0")?.0) } else { None };
    Ok((json, blob))
}

/// The contents of the chunk at a byte, and where the next begins.
fn chunk(bytes: &[u8], at: usize, kind: [u8; 4]) -> Result<(&[u8], usize), Cause> {
    let length = word(bytes, at)? as usize;
    let start = at + 8;
    let name = bytes.get(at + 4..start).unwrap_or_default();
    if name != kind {
        let wanted = format!("a chunk `{}`", String::from_utf8_lossy(&kind).trim_end_matches('\0'));
        return Err(Cause::expected(Place::Byte(at as u64 + 4), wanted, name));
    }
    let end = start.saturating_add(length);
    let short = || Cause::Claim {
        place: Place::Byte(at as u64),
        what: "bytes".to_owned(),
        claimed: length as u64,
        room: (bytes.len() - start) as u64,
    };
    Ok((bytes.get(start..end).ok_or_else(short)?, end))
}

fn word(bytes: &[u8], at: usize) -> Result<u32, Cause> {
    let four = bytes.get(at..).and_then(|rest| rest.first_chunk::<4>());
    let short = || Cause::ends(Place::Byte(at as u64), "four bytes of a GLB header", "the file");
    four.map(|b| u32::from_le_bytes(*b)).ok_or_else(short)
}

fn parse(json: &[u8]) -> Result<Root, Cause> {
    let wrong = |found: String| Cause::Expected {
        place: Place::Item("JSON".to_owned()),
        expected: "glTF 2.0".to_owned(),
        found: crate::error::one_line(&found),
    };
    let root: Root = serde_json::from_slice(json).map_err(|e| match is_first_version(json) {
        true => first_version(Place::Item("asset".to_owned())),
        false => wrong(e.to_string()),
    })?;
    if root.asset.version.starts_with("1.") {
        return Err(first_version(Place::Item("asset".to_owned())));
    }
    if !root.asset.version.starts_with("2.") {
        return Err(wrong(format!("version {}", crate::error::quoted(root.asset.version.as_bytes()))));
    }
    Ok(root)
}

/// Whether meshes are given by name, as only the first version does; the version named does not matter.
fn is_first_version(json: &[u8]) -> bool {
    serde_json::from_slice::<FirstVersion>(json).is_ok_and(|first| !first.meshes.is_empty())
}

fn first_version(place: Place) -> Cause {
    let what = "glTF 1.0 is not supported; convert it to glTF 2.0 with gltf-pipeline (free)".to_owned();
    Cause::Unsupported { place, what }
}

fn check_extensions(root: &Root) -> Result<(), Cause> {
    let harmless = |name: &&String| HARMLESS.split(' ').any(|known| name.starts_with(known));
    let required = root.extensions_required.iter().find(|name| !harmless(name));
    let instancing = root.extensions_used.iter().find(|name| *name == "EXT_mesh_gpu_instancing");
    let Some(name) = required.or(instancing) else { return Ok(()) };
    let place = Place::Item("extensions".to_owned());
    let what = format!("{} is not supported; export without it", crate::error::quoted(name.as_bytes()));
    Err(Cause::Unsupported { place, what })
}

#[cfg(test)]
mod tests;
