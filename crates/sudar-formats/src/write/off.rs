//! Geomview OFF.

use sudar::Mesh;

use super::numbers::push_numbers;
use crate::Cause;

pub(super) fn encode(mesh: &Mesh) -> Result<Vec<u8>, Cause> {
    let mut out = format!("OFF\n{} {} 0\n", mesh.vertices().len(), mesh.triangles().len()).into_bytes();
    for &p in mesh.vertices() {
        push_numbers(&mut out, "", p);
    }
    for [a, b, c] in mesh.triangles() {
        out.extend(format!("3 {a} {b} {c}\n").into_bytes());
    }
    Ok(out)
}
