//! PLY with `double` coordinates.

use sudar::{DVec3, Mesh};

use super::numbers::push_numbers;
use crate::Cause;

pub(super) fn encode(mesh: &Mesh, ascii: bool) -> Result<Vec<u8>, Cause> {
    let mut out = header(mesh, if ascii { "ascii" } else { "binary_little_endian" });
    if ascii {
        for &p in mesh.vertices() {
            push_numbers(&mut out, "", p);
        }
        for [a, b, c] in mesh.triangles() {
            out.extend(format!("3 {a} {b} {c}\n").into_bytes());
        }
        return Ok(out);
    }
    out.extend(mesh.vertices().iter().flat_map(DVec3::to_array).flat_map(f64::to_le_bytes));
    for t in mesh.triangles() {
        out.push(3);
        out.extend(t.iter().flat_map(|i| i.to_le_bytes()));
    }
    Ok(out)
}

fn header(mesh: &Mesh, encoding: &str) -> Vec<u8> {
    let (vertices, faces) = (mesh.vertices().len(), mesh.triangles().len());
    format!(
        "ply\nformat {encoding} 1.0\nelement vertex {vertices}\nproperty double x\nproperty double y\n\
         property double z\nelement face {faces}\nproperty list uchar uint vertex_indices\nend_header\n"
    )
    .into_bytes()
}
