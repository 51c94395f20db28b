//! The Stanford polygon format (G. Turk 1994, "The PLY polygon file format"): text and both binary byte orders.
//!
//! Read: of the element `vertex` the properties `x`, `y`, `z`; of `face` the list `vertex_indices` or
//! `vertex_index`; of `tristrips` the same, where −1 begins a new strip. Without faces and strips it is a
//! cloud of points. All number types, for lists too. Other properties are passed over without being looked
//! at, other elements are counted in a note.

mod header;
mod values;

use sudar::DVec3;

use crate::builder::Builder;
use crate::text;
use crate::{Cause, Model, NoteKind, Place};
use header::{Element, Encoding, Kind, Property};
use values::{Binary, Text, Values};

pub(crate) fn read(bytes: &[u8], stem: &str) -> Result<Model, Cause> {
    let text = text::decode(bytes);
    let (header, lines) = header::read(&text)?;
    let start = (text.len() - lines.left()) as u64;
    match header.encoding {
        Encoding::Text => read_body(&header.elements, Text::new(lines), stem),
        Encoding::Little => read_body(&header.elements, Binary::new(&text, start, false), stem),
        Encoding::Big => read_body(&header.elements, Binary::new(&text, start, true), stem),
    }
}

fn read_body(elements: &[Element], mut values: impl Values, stem: &str) -> Result<Model, Cause> {
    let is_surface = |e: &Element| e.count > 0 && matches!(e.name.as_str(), "face" | "tristrips");
    let mut builder = Builder::default();
    builder.is_cloud = !elements.iter().any(is_surface);
    for element in elements {
        check_room(element, &values)?;
        let indices = element.list(&["vertex_indices", "vertex_index"]);
        match (element.name.as_str(), indices) {
            ("vertex", _) if builder.vertices.is_empty() => vertices(element, &mut values, &mut builder)?,
            ("face", Some(list)) => faces(element, list, &mut values, &mut builder)?,
            ("tristrips", Some(list)) => strips(element, list, &mut values, &mut builder)?,
            _ => skip(element, &mut values, &mut builder)?,
        }
    }
    builder.notes.add_many(NoteKind::TrailingBytes, values.left(), values.place());
    builder.finish_whole(stem)
}

/// Refuses a count that the rest of the file cannot hold, before anything is reserved for it.
fn check_room(element: &Element, values: &impl Values) -> Result<(), Cause> {
    let least: u64 = element.properties.iter().map(|p| values.least(p.kind)).sum();
    let room = (values.left() + 1).checked_div(least).unwrap_or(u64::MAX);
    if element.count <= room {
        return Ok(());
    }
    let what = format!("elements `{}`", crate::error::one_line(&element.name));
    Err(Cause::Claim { place: element.place.clone(), what, claimed: element.count, room })
}

fn vertices(element: &Element, values: &mut impl Values, builder: &mut Builder) -> Result<(), Cause> {
    let mut axes = [0; 3];
    for (axis, name) in axes.iter_mut().zip(["x", "y", "z"]) {
        let missing = || Cause::Expected {
            place: element.place.clone(),
            expected: "an element `vertex` with scalar properties x, y and z".to_owned(),
            found: format!("one without {name}"),
        };
        *axis = element.scalar(name).ok_or_else(missing)?;
    }
    builder.vertices.reserve_exact(element.count as usize);
    for _ in 0..element.count {
        builder.vertices.push(vertex(element, axes, values)?);
    }
    Ok(())
}

fn vertex(element: &Element, axes: [usize; 3], values: &mut impl Values) -> Result<DVec3, Cause> {
    let mut p = DVec3::ZERO;
    for (i, property) in element.properties.iter().enumerate() {
        match (axes.iter().position(|&axis| axis == i), property.kind) {
            (Some(axis), Kind::Scalar(t)) => {
                let place = values.place();
                p[axis] = values.real(t)?;
                text::check_coordinate(p[axis], || place.clone())?;
            }
            _ => skip_property(property, values)?,
        }
    }
    Ok(p)
}

fn faces(
    element: &Element,
    list: usize,
    values: &mut impl Values,
    builder: &mut Builder,
) -> Result<(), Cause> {
    let mut corners = Vec::new();
    for _ in 0..element.count {
        let place = values.place();
        corners.clear();
        each_index(element, list, values, |index| {
            corners.push(builder.checked(index, || place.clone())?);
            Ok(())
        })?;
        builder.face(&corners, || place.clone());
    }
    Ok(())
}

fn strips(
    element: &Element,
    list: usize,
    values: &mut impl Values,
    builder: &mut Builder,
) -> Result<(), Cause> {
    let mut strip = Vec::new();
    for _ in 0..element.count {
        let place = values.place();
        each_index(element, list, values, |index| {
            if index == -1 {
                end_strip(&mut strip, builder, &place);
            } else {
                strip.push(builder.checked(index, || place.clone())?);
            }
            Ok(())
        })?;
        end_strip(&mut strip, builder, &place);
    }
    Ok(())
}

/// Adds the triangles of a strip.
fn end_strip(strip: &mut Vec<u32>, builder: &mut Builder, place: &Place) {
    if matches!(strip.len(), 1 | 2) {
        builder.notes.add(NoteKind::ShortFace, place.clone());
    }
    builder.triangles.extend(crate::builder::strip_triangles(strip));
    strip.clear();
}

/// Reads one element, handing over the indices of the property `list`.
fn each_index(
    element: &Element,
    list: usize,
    values: &mut impl Values,
    mut take: impl FnMut(i64) -> Result<(), Cause>,
) -> Result<(), Cause> {
    for (i, property) in element.properties.iter().enumerate() {
        match property.kind {
            Kind::List(count, item) if i == list => {
                for _ in 0..values.list_length(count, item)? {
                    take(values.integer(item)?)?;
                }
            }
            Kind::List(..) | Kind::Scalar(_) => skip_property(property, values)?,
        }
    }
    Ok(())
}

fn skip(element: &Element, values: &mut impl Values, builder: &mut Builder) -> Result<(), Cause> {
    builder.notes.add_many(NoteKind::SkippedElement, element.count, element.place.clone());
    if element.properties.is_empty() {
        // Nothing is stored for these, however many there are.
        return Ok(());
    }
    for _ in 0..element.count {
        for property in &element.properties {
            skip_property(property, values)?;
        }
    }
    Ok(())
}

fn skip_property(property: &Property, values: &mut impl Values) -> Result<(), Cause> {
    match property.kind {
        Kind::Scalar(t) => values.skip(t, 1),
        Kind::List(count, item) => {
            let length = values.list_length(count, item)?;
            values.skip(item, length)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: &str = "property float x\nproperty float y\nproperty float z\n";

    fn parse(body: &str) -> Result<Model, Cause> {
        read(format!("ply\nformat ascii 1.0\ncomment x\nobj_info y\n{body}").as_bytes(), "x")
    }

    fn refusal(body: &str) -> String {
        parse(body).unwrap_err().to_string()
    }

    /// A square with colours that are NaN, an edge element, a face with a flag before its list, and a short face.
    #[test]
    fn what_is_not_needed_is_passed_over() {
        let model = parse(&format!(
            "element vertex 4\n{SQUARE}property float red\nelement edge 1\nproperty int a\nelement face 2\n\
             property uchar flag\nproperty list uchar int vertex_index\nproperty list uchar float uv\nend_header\n\
             0 0 0 nan 1 0 0 -nan(ind)\n1 1 0 x\n0 1 0 1\n77\n1 4 0 1 2 3 2 .5 .5\n0 2 0 1 0\n"
        ))
        .unwrap();
        assert_eq!(model.meshes[0].triangles(), [[0, 1, 2], [0, 2, 3]]);
        let kinds: Vec<_> = model.notes.iter().map(|n| n.kind).collect();
        assert_eq!(kinds, [NoteKind::SkippedElement, NoteKind::ShortFace]);
    }

    fn binary(order: &str, number: impl Fn(f64) -> Vec<u8>, index: impl Fn(u16) -> Vec<u8>) -> Vec<u8> {
        let mut bytes = format!(
            "ply\r\nformat {order} 1.0\r\nelement vertex 3\r\nproperty uchar c\r\nproperty double x\r\n\
             property double y\r\nproperty double z\r\nelement face 1\r\nproperty list ushort uint16 vertex_indices\r\n\
             end_header\r\n"
        )
        .into_bytes();
        for p in [[0.1, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]] {
            bytes.push(9);
            bytes.extend(p.into_iter().flat_map(&number));
        }
        bytes.extend([3, 0, 1, 2].into_iter().flat_map(index));
        bytes
    }

    #[test]
    fn both_byte_orders_are_read() {
        let little = binary("binary_little_endian", |x| x.to_le_bytes().into(), |i| i.to_le_bytes().into());
        let big = binary("binary_big_endian", |x| x.to_be_bytes().into(), |i| i.to_be_bytes().into());
        for bytes in [&little, &big] {
            let model = read(bytes, "x").unwrap();
            assert_eq!(model.meshes[0].triangle(0).a, DVec3::new(0.1, 0.0, 0.0));
            assert_eq!(model.meshes[0].triangles(), [[0, 1, 2]]);
            for cut in 0..bytes.len() {
                assert!(read(&bytes[..cut], "x").is_err(), "cut at {cut}");
            }
        }
    }

    #[test]
    fn strips_are_turned_and_restarted() {
        let model = parse(&format!(
            "element vertex 4\n{SQUARE}element tristrips 1\nproperty list int int vertex_indices\nend_header\n\
             0 0 0\n1 0 0\n0 1 0\n1 1 0\n8 0 1 2 3 -1 3 2 1\n"
        ))
        .unwrap();
        assert_eq!(model.meshes[0].triangles(), [[0, 1, 2], [2, 1, 3], [3, 2, 1]]);
    }

    #[test]
    fn claims_beyond_the_file_are_refused() {
        let body = format!("element vertex 18446744073709551615\n{SQUARE}end_header\n0 0 0\n");
        assert!(refusal(&body).starts_with("line 5: claims 18446744073709551615 elements `vertex`"));
        assert!(refusal("element x 18446744073709551615\nend_header\n").starts_with("holds no triangle"));
        let list = "element vertex 1\nproperty list uint int x\nend_header\n1 2\n";
        assert!(refusal(list).contains("with scalar properties"));
    }

    #[test]
    fn faults_name_line_or_byte() {
        let body = |face: &str| {
            format!(
                "element vertex 3\n{SQUARE}element face 1\nproperty list char int vertex_indices\nend_header\n\
                 0 0 0\n1 0 0\n0 1 0\n{face}"
            )
        };
        assert!(refusal(&body("3 0 1 3\n")).starts_with("line 15: vertex 3 does not exist"));
        assert!(refusal(&body("-3 0 1 2\n")).starts_with("line 15: expected the length of a list"));
        assert!(refusal(&body("3 0 1")).starts_with("line 15: expected a number, found the end"));
        assert!(refusal(&body("3 0 1 1.5")).starts_with("line 15: expected a whole number"));
        assert!(parse(&body("3 0 1 2.0")).is_ok());
    }

    #[test]
    fn a_header_is_read_strictly() {
        let of = |head: &str| read(head.as_bytes(), "x").unwrap_err().to_string();
        assert!(of("plx\n").starts_with("line 1: expected `ply`"));
        assert!(of("ply\nformat binary 1.0\n").starts_with("line 2: expected `ascii`"));
        assert!(of("ply\nelement vertex 1\nend_header\n").contains("format"));
        assert!(of("ply\nformat ascii 1.0\nproperty int x\n").starts_with("line 3: expected `element`"));
        assert!(
            of("ply\nformat ascii 1.0\nelement v 1\nproperty long x\n")
                .starts_with("line 4: expected a type")
        );
        assert!(of("ply\nformat ascii 1.0\nelement v -1\n").starts_with("line 3: expected a count"));
        assert!(of("ply\nformat ascii 1.0\n").contains("end_header"));
    }
}
