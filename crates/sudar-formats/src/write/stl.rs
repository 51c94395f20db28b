//! STL: text with a solid a part, or binary with all in one.

use sudar::{DVec3, Mesh, Triangle};

use super::numbers::{line_name, narrow, push_numbers};
use crate::note::Notes;
use crate::{Cause, Model, NoteKind, Place};

pub(super) fn encode_text(model: &Model) -> Result<Vec<u8>, Cause> {
    let mut out = Vec::new();
    for part in &model.parts {
        let mesh = model.posed(part)?;
        let name = line_name(&part.name);
        out.extend(format!("solid {name}\n").into_bytes());
        for i in 0..mesh.triangles().len() as u32 {
            push_facet(&mut out, mesh.triangle(i));
        }
        out.extend(format!("endsolid {name}\n").into_bytes());
    }
    Ok(out)
}

fn push_facet(out: &mut Vec<u8>, t: Triangle) {
    push_numbers(out, "facet normal ", normal(t));
    out.extend(b"outer loop\n");
    for corner in t.corners() {
        push_numbers(out, "vertex ", corner);
    }
    out.extend(b"endloop\nendfacet\n");
}

pub(super) fn encode_binary(mesh: &Mesh, notes: &mut Notes) -> Result<Vec<u8>, Cause> {
    // A header that began with "solid" would make readers take the file for text.
    let mut out = b"binary STL by Sudar".to_vec();
    out.resize(80, b' ');
    out.extend((mesh.triangles().len() as u32).to_le_bytes());
    let mut rounded = 0;
    for i in 0..mesh.triangles().len() as u32 {
        let t = mesh.triangle(i);
        out.extend(normal(t).as_vec3().to_array().iter().flat_map(|x| x.to_le_bytes()));
        for x in t.corners().iter().flat_map(DVec3::to_array) {
            out.extend(narrow(x, &mut rounded)?.to_le_bytes());
        }
        out.extend([0, 0]);
    }
    notes.add_many(NoteKind::Rounded, rounded, Place::File);
    Ok(out)
}

/// The unit normal; zero, as the format wants it, where there is none.
fn normal(t: Triangle) -> DVec3 {
    // Scaled so that the products of very long or short edges stay in range.
    let (u, v) = (t.b - t.a, t.c - t.a);
    let size = u.abs().max(v.abs()).max_element();
    (u / size).cross(v / size).normalize_or_zero()
}
