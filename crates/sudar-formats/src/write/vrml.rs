//! VRML 2.0: a shape a part.

use std::collections::HashMap;

use sudar::{DMat3, DVec3, Mesh};

use super::numbers::{push_number, push_numbers};
use crate::{Cause, Model};

/// Parts that are only moved share their mesh by `USE`; those that are turned have their vertices posed, so
/// that every number is kept.
pub(super) fn encode(model: &Model) -> Result<Vec<u8>, Cause> {
    let mut out = b"#VRML V2.0 utf8\n".to_vec();
    if !model.info.is_empty() {
        let lines: Vec<String> = model.info.iter().map(|line| format!("  {}\n", string(line))).collect();
        out.extend(format!("WorldInfo {{ info [\n{}] }}\n", lines.concat()).into_bytes());
    }
    let mut known = HashMap::new();
    for part in &model.parts {
        let is_moved = part.pose.rotation() == DMat3::IDENTITY;
        let shift = if is_moved { part.pose.translation() } else { DVec3::ZERO };
        out.extend(format!("Transform {{ {}", translation(shift)).into_bytes());
        out.extend(format!("children DEF {} Shape {{ geometry ", name(&part.name)).into_bytes());
        match known.get(&part.mesh).filter(|_| is_moved) {
            Some(number) => out.extend(format!("USE Mesh_{number}").into_bytes()),
            None if is_moved => {
                let number = known.len();
                known.insert(part.mesh, number);
                out.extend(format!("DEF Mesh_{number} ").into_bytes());
                faces(model.mesh_of(part)?, &mut out);
            }
            None => faces(&*model.posed(part)?, &mut out),
        }
        out.extend(b" } }\n");
    }
    Ok(out)
}

fn faces(mesh: &Mesh, out: &mut Vec<u8>) {
    out.extend(b"IndexedFaceSet {\n coord Coordinate { point [\n");
    for &p in mesh.vertices() {
        push_numbers(out, "", p);
    }
    out.extend(b" ] }\n coordIndex [\n");
    for [a, b, c] in mesh.triangles() {
        out.extend(format!("{a} {b} {c} -1\n").into_bytes());
    }
    out.extend(b" ] }");
}

fn translation(shift: DVec3) -> String {
    if shift == DVec3::ZERO {
        return String::new();
    }
    let mut out = b"translation ".to_vec();
    for x in shift.to_array() {
        push_number(&mut out, x);
        out.push(b' ');
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// A string in quotes.
fn string(text: &str) -> String {
    format!("\"{}\"", crate::error::one_line(text).replace('\\', "\\\\").replace('"', "\\\""))
}

/// The name with what no name may hold replaced by `_` (annex A of the standard).
fn name(name: &str) -> String {
    let is_fine = |c: char| !c.is_control() && !c.is_whitespace() && !"\"#',.[]\\{}+-\u{7f}".contains(c);
    let mut fine: String = name.trim().chars().map(|c| if is_fine(c) { c } else { '_' }).collect();
    let is_keyword = KEYWORDS.split(' ').any(|keyword| keyword == fine);
    if fine.is_empty() || fine.starts_with(|c: char| c.is_ascii_digit()) || is_keyword {
        fine.insert(0, '_');
    }
    fine
}

const KEYWORDS: &str = "\
    DEF EXTERNPROTO FALSE IS NULL PROTO ROUTE TO TRUE USE eventIn eventOut exposedField field Shape \
    Transform";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_those_of_nodes() {
        for (from, to) in [("a b", "a_b"), ("2x", "_2x"), ("USE", "_USE"), (" é{1}", "é_1_"), ("", "_")] {
            assert_eq!(name(from), to);
        }
        assert_eq!(string("a\"b\\c\n"), "\"a\\\"b\\\\c\u{fffd}\"");
    }
}
