//! glTF 2.0: a node a part, a mesh for each that parts share.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sudar::{DMat3, DVec3, Mesh, Pose};

use super::numbers::narrow;
use crate::note::Notes;
use crate::{Cause, Model, NoteKind, Place};

/// The lengths in a GLB header have 32 bits; this leaves room for the JSON and the padding.
const MAX_BINARY: u64 = 0xf000_0000;

/// One document with its buffer inside the JSON text.
pub(super) fn encode_json(model: &Model, notes: &mut Notes) -> Result<Vec<u8>, Cause> {
    let (buffer, views) = buffer(model, notes)?;
    let uri = format!(",\"uri\":\"data:application/octet-stream;base64,{}\"", STANDARD.encode(&buffer));
    Ok(document(model, &views, buffer.len(), &uri, notes)?.into_bytes())
}

/// One binary file.
pub(super) fn encode_binary(model: &Model, notes: &mut Notes) -> Result<Vec<u8>, Cause> {
    let (buffer, views) = buffer(model, notes)?;
    glb(document(model, &views, buffer.len(), "", notes)?.into_bytes(), buffer)
}

/// A binary glTF file of a JSON document and the bytes of its buffer, each padded to a multiple of four.
///
/// # Errors
/// [`Cause::TooMany`] beyond 4 GiB.
pub fn glb(mut json: Vec<u8>, mut buffer: Vec<u8>) -> Result<Vec<u8>, Cause> {
    json.resize(json.len().next_multiple_of(4), b' ');
    buffer.resize(buffer.len().next_multiple_of(4), 0);
    let total = 12 + 8 + json.len() + 8 + buffer.len();
    let total = check_size(total as u64, u64::from(u32::MAX))? as u32;
    let mut out = b"glTF".to_vec();
    out.extend(2u32.to_le_bytes());
    out.extend(total.to_le_bytes());
    for (kind, chunk) in [(b"JSON", &json), (b"BIN\0", &buffer)] {
        out.extend((chunk.len() as u32).to_le_bytes());
        out.extend(kind);
        out.extend(chunk);
    }
    Ok(out)
}

fn check_size(count: u64, limit: u64) -> Result<u64, Cause> {
    if count <= limit { Ok(count) } else { Err(Cause::TooMany { what: "bytes", count, limit }) }
}

/// Where the vertices and indices of a mesh lie in the buffer.
struct View {
    vertices: usize,
    indices: usize,
    min: [f32; 3],
    max: [f32; 3],
}

fn buffer(model: &Model, notes: &mut Notes) -> Result<(Vec<u8>, Vec<View>), Cause> {
    let size = |mesh: &Mesh| 12 * (mesh.vertices().len() + mesh.triangles().len()) as u64;
    check_size(model.meshes.iter().map(|mesh| size(mesh)).sum(), MAX_BINARY)?;
    let (mut out, mut views, mut rounded) = (Vec::new(), Vec::new(), 0);
    for mesh in &model.meshes {
        let vertices = out.len();
        let (mut min, mut max) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
        for p in mesh.vertices() {
            for (axis, &x) in p.as_ref().iter().enumerate() {
                let x = narrow(x, &mut rounded)?;
                (min[axis], max[axis]) = (min[axis].min(x), max[axis].max(x));
                out.extend(x.to_le_bytes());
            }
        }
        views.push(View { vertices, indices: out.len(), min, max });
        out.extend(mesh.triangles().as_flattened().iter().flat_map(|i| i.to_le_bytes()));
    }
    notes.add_many(NoteKind::Rounded, rounded, Place::File);
    Ok((out, views))
}

fn document(
    model: &Model,
    views: &[View],
    length: usize,
    uri: &str,
    notes: &mut Notes,
) -> Result<String, Cause> {
    let (mut accessors, mut buffer_views, mut meshes) = (Vec::new(), Vec::new(), Vec::new());
    for (i, (mesh, view)) in model.meshes.iter().zip(views).enumerate() {
        let (vertices, corners) = (mesh.vertices().len(), 3 * mesh.triangles().len());
        let (points, indices) = (2 * i, 2 * i + 1);
        let (min, max) = (floats(&view.min), floats(&view.max));
        accessors.push(format!(
            r#"{{"bufferView":{points},"componentType":5126,"count":{vertices},"type":"VEC3","min":{min},"max":{max}}}"#
        ));
        accessors.push(format!(
            r#"{{"bufferView":{indices},"componentType":5125,"count":{corners},"type":"SCALAR"}}"#
        ));
        for (start, bytes, target) in
            [(view.vertices, 12 * vertices, 34962), (view.indices, 4 * corners, 34963)]
        {
            buffer_views.push(format!(
                r#"{{"buffer":0,"byteOffset":{start},"byteLength":{bytes},"target":{target}}}"#
            ));
        }
        meshes.push(format!(
            r#"{{"primitives":[{{"attributes":{{"POSITION":{points}}},"indices":{indices}}}]}}"#
        ));
    }
    let nodes = nodes(model, notes)?;
    let roots: Vec<String> = (0..nodes.len()).map(|i| i.to_string()).collect();
    Ok(format!(
        r#"{{"asset":{{"version":"2.0","generator":"Sudar"}},"scene":0,"scenes":[{{"nodes":{}}}],"nodes":{},"meshes":{},"accessors":{},"bufferViews":{},"buffers":[{{"byteLength":{length}{uri}}}]}}"#,
        list(&roots),
        list(&nodes),
        list(&meshes),
        list(&accessors),
        list(&buffer_views),
    ))
}

fn nodes(model: &Model, notes: &mut Notes) -> Result<Vec<String>, Cause> {
    let mut rounded = 0;
    let mut nodes = Vec::new();
    for part in &model.parts {
        model.mesh_of(part)?;
        let transform = transform(&part.pose, &mut rounded)?;
        nodes.push(format!(r#"{{"name":{},"mesh":{}{transform}}}"#, string(&part.name), part.mesh));
    }
    notes.add_many(NoteKind::Rounded, rounded, Place::File);
    Ok(nodes)
}

/// The members of a node that say where it stands; none for the identity.
fn transform(pose: &Pose, rounded: &mut u64) -> Result<String, Cause> {
    let (r, t) = (pose.rotation(), pose.translation());
    if r == DMat3::IDENTITY {
        let text = if t == DVec3::ZERO { String::new() } else { floats(&narrow_all(t.to_array(), rounded)?) };
        return Ok(if text.is_empty() { text } else { format!(r#","translation":{text}"#) });
    }
    let column = |v: DVec3, last: f64| [v.x, v.y, v.z, last];
    let columns = [column(r.x_axis, 0.0), column(r.y_axis, 0.0), column(r.z_axis, 0.0), column(t, 1.0)];
    let mut matrix = [0.0; 16];
    matrix.copy_from_slice(columns.as_flattened());
    Ok(format!(r#","matrix":{}"#, floats(&narrow_all(matrix, rounded)?)))
}

fn narrow_all<const N: usize>(numbers: [f64; N], rounded: &mut u64) -> Result<[f32; N], Cause> {
    let mut narrowed = [0.0; N];
    for (to, x) in narrowed.iter_mut().zip(numbers) {
        *to = narrow(x, rounded)?;
    }
    Ok(narrowed)
}

fn floats(numbers: &[f32]) -> String {
    let texts: Vec<String> = numbers.iter().map(|x| format!("{x:?}")).collect();
    list(&texts)
}

fn list(items: &[String]) -> String {
    format!("[{}]", items.join(","))
}

/// A JSON string (RFC 8259).
fn string(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if u32::from(c) < 0x20 => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_escaped() {
        assert_eq!(string("a\"b\\c\nd\u{e9}"), "\"a\\\"b\\\\c\\u000ad\u{e9}\"");
    }
}
