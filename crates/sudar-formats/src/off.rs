//! Geomview's object file format (Phillips, Levy, Munzner 1993, "Geomview: an interactive geometry viewer").
//!
//! Read: `OFF` with the prefixes `ST`, `C`, `N` (texture, colour and normal numbers after the coordinates are not
//! used) and without any keyword; one vertex or face a line; face colours; comments. The edge count may be
//! missing. Refused with a reason: `4` and `n` (points of other dimensions) and `BINARY`.

use crate::builder::Builder;
use crate::text::{self, Lines, Words};
use crate::{Cause, Model, NoteKind, Place};

/// The least bytes of a vertex line ("0 0 0") and of a face line ("0"), with the end of the line before.
const LEAST_VERTEX: u64 = 6;
const LEAST_FACE: u64 = 2;

pub(crate) fn read(bytes: &[u8], stem: &str) -> Result<Model, Cause> {
    let text = text::decode(bytes);
    let mut lines = Lines::new(&text);
    let (vertices, faces) = counts(&mut lines)?;
    check_room(&lines, vertices, faces)?;
    let mut builder = Builder::default();
    builder.is_cloud = faces == 0;
    builder.vertices.reserve_exact(vertices as usize);
    for _ in 0..vertices {
        let line = lines.need("a vertex: three coordinates")?;
        let point = text::point(&mut Words(line), || lines.place())?;
        builder.vertices.push(point);
    }
    let mut corners = Vec::new();
    for _ in 0..faces {
        let line = lines.need("a face: a count and as many vertex numbers")?;
        face(line, &lines, &mut builder, &mut corners)?;
    }
    if lines.next_filled().is_some() {
        builder.notes.add(NoteKind::UnknownStatement, lines.place());
    }
    builder.finish_whole(stem)
}

/// The numbers of vertices and faces, after the keyword or on the line below.
fn counts(lines: &mut Lines<'_>) -> Result<(u64, u64), Cause> {
    const WANTED: &str = "`OFF` or the numbers of vertices, faces and edges";
    let mut line = lines.need(WANTED)?;
    let mut words = Words(line);
    let first = words.next().unwrap_or_default();
    if text::integer::<u64>(first).is_none() {
        check_keyword(first, lines.place())?;
        if words.clone().next().is_some_and(|w| w.eq_ignore_ascii_case(b"BINARY")) {
            return Err(unsupported(lines, "binary OFF is not supported; save it as text"));
        }
        if words.clone().next().is_none() {
            line = lines.need("the numbers of vertices, faces and edges")?;
            words = Words(line);
        }
    } else {
        words = Words(line);
    }
    let mut count = |what: &str| {
        let word = words.next().ok_or_else(|| Cause::ends(lines.place(), what, "the line"))?;
        text::integer(word).ok_or_else(|| Cause::expected(lines.place(), what, word))
    };
    Ok((count("the number of vertices")?, count("the number of faces")?))
}

fn check_keyword(word: &[u8], place: Place) -> Result<(), Cause> {
    let wrong = || Cause::expected(place.clone(), "`OFF`, `COFF`, `NOFF`, `STOFF` or the like", word);
    let mut prefix = word.strip_suffix(b"OFF").ok_or_else(wrong)?;
    for known in [&b"ST"[..], b"C", b"N"] {
        prefix = prefix.strip_prefix(known).unwrap_or(prefix);
    }
    if prefix.starts_with(b"4") || prefix.starts_with(b"n") {
        let what =
            "points of other than three dimensions (4OFF, nOFF) are not supported; save it as OFF".to_owned();
        return Err(Cause::Unsupported { place, what });
    }
    if prefix.is_empty() { Ok(()) } else { Err(wrong()) }
}

fn unsupported(lines: &Lines<'_>, what: &str) -> Cause {
    Cause::Unsupported { place: lines.place(), what: what.to_owned() }
}

/// Refuses counts that the rest of the file cannot hold, before anything is reserved for them.
fn check_room(lines: &Lines<'_>, vertices: u64, faces: u64) -> Result<(), Cause> {
    // The last line may lack its end.
    let left = lines.left() as u64 + 1;
    for (what, claimed, least) in [("vertices", vertices, LEAST_VERTEX), ("faces", faces, LEAST_FACE)] {
        let room = left / least;
        if claimed > room {
            return Err(Cause::Claim { place: lines.place(), what: what.to_owned(), claimed, room });
        }
    }
    Ok(())
}

fn face(line: &[u8], lines: &Lines<'_>, builder: &mut Builder, corners: &mut Vec<u32>) -> Result<(), Cause> {
    let mut words = Words(line);
    let word = words.next().unwrap_or_default();
    let wanted = || "the number of corners of a face";
    let count: u64 = text::integer(word).ok_or_else(|| Cause::expected(lines.place(), wanted(), word))?;
    corners.clear();
    for _ in 0..count {
        let missing = || Cause::ends(lines.place(), format!("{count} vertex numbers"), "the line");
        let word = words.next().ok_or_else(missing)?;
        let index =
            text::integer(word).ok_or_else(|| Cause::expected(lines.place(), "a vertex number", word))?;
        corners.push(builder.checked(index, || lines.place())?);
    }
    builder.face(corners, || lines.place());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &str = "0 0 0 9 nan\n1 0 0\n\n1 1 0 # corner\n0 1 0\n4 0 1 2 3 255 0 0\n2 0 1\n";

    fn refusal(text: &str) -> String {
        read(text.as_bytes(), "x").unwrap_err().to_string()
    }

    #[test]
    fn keywords_with_prefixes_or_none_are_read() {
        for head in ["OFF\n4 2 0\n", "OFF 4 2\n", "# c\nSTCNOFF\n# d\n4 2 5\n", "COFF\n4 2 0\n", "4 2 0\n"] {
            let model = read(format!("{head}{BODY}").as_bytes(), "x").unwrap();
            assert_eq!(model.meshes[0].triangles(), [[0, 1, 2], [0, 2, 3]], "{head}");
            assert_eq!(model.notes[0].kind, NoteKind::ShortFace);
        }
    }

    #[test]
    fn other_dimensions_and_binary_are_refused_by_name() {
        assert!(refusal("4OFF\n1 1 0\n").contains("4OFF"));
        assert!(refusal("nOFF 5\n").contains("nOFF"));
        assert!(refusal("OFF BINARY\n").contains("binary OFF"));
        assert!(refusal("WOFF\n").contains("expected `OFF`"));
    }

    #[test]
    fn a_claim_of_a_third_of_a_trillion_vertices_is_refused_at_once() {
        let text = refusal("OFF\n353535235358 6 0\n0 0 0\n");
        assert!(text.starts_with("line 2: claims 353535235358 vertices"), "{text}");
        assert!(refusal("OFF\n1 99 0\n0 0 0\n").starts_with("line 2: claims 99 faces"));
        assert!(refusal("OFF\n99999999999999999999 1\n").contains("expected the number of vertices"));
    }

    #[test]
    fn faults_in_faces_name_the_line() {
        let head = "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n";
        assert!(refusal(&format!("{head}3 0 1 3\n")).starts_with("line 6: vertex 3 does not exist"));
        assert!(refusal(&format!("{head}3 0 1\n")).starts_with("line 6: expected 3 vertex numbers"));
        assert!(refusal(&format!("{head}3 0 1 -1\n")).starts_with("line 6: vertex -1 "));
        assert!(refusal(&format!("{head}\n\n")).starts_with("line 6: expected a face"));
    }

    #[test]
    fn text_after_the_last_face_is_noted() {
        let model = read(b"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\nmore\n", "x").unwrap();
        assert_eq!(
            (model.notes[0].kind, model.notes[0].first.clone()),
            (NoteKind::UnknownStatement, Place::Line(7))
        );
    }
}
