//! Wavefront OBJ: every part an `o`.

use super::numbers::{line_name, push_numbers};
use crate::{Cause, Model};

pub(super) fn encode(model: &Model) -> Result<Vec<u8>, Cause> {
    let mut out = Vec::new();
    let mut base = 1;
    for part in &model.parts {
        let mesh = model.posed(part)?;
        out.extend(format!("o {}\n", line_name(&part.name)).into_bytes());
        for &p in mesh.vertices() {
            push_numbers(&mut out, "v ", p);
        }
        for t in mesh.triangles() {
            let [a, b, c] = t.map(|i| u64::from(i) + base);
            out.extend(format!("f {a} {b} {c}\n").into_bytes());
        }
        base += mesh.vertices().len() as u64;
    }
    Ok(out)
}
