//! Wavefront OBJ (Wavefront Technologies, "Advanced Visualizer" manual, appendix B1).
//!
//! A part is an `o`, or a `g` where the file has no `o`; faces before the first belong to a part named after the
//! file. Every `o` begins a new part, also under a name used before. A `g` under a name used before goes on with
//! that group, since a group is a set of faces and exporters come back to it for each material. Several names
//! after a `g` are one name. A name is the rest of its line, trimmed.
//!
//! A file of vertices alone is a cloud of points.
//!
//! Read: `v` (numbers after the third are weights or colours and ignored), `f` with texture and normal
//! numbers ignored, `l`, `p`, curves and surfaces counted in notes. Faces name vertices defined before them.

use crate::builder::{Builder, Reopened, Start};
use crate::text::{self, Lines, Words};
use crate::{Cause, Model, NoteKind, Place};

pub(crate) fn read(bytes: &[u8], stem: &str) -> Result<Model, Cause> {
    let text = text::decode(bytes);
    let mut reader = Reader::default();
    let mut lines = Lines::continued(&text);
    while let Some(line) = lines.next() {
        reader.statement(line, &|| lines.place())?;
    }
    let Reader { mut builder, objects, groups, .. } = reader;
    // Vertices alone, such as a scan.
    builder.is_cloud = builder.notes.is_empty();
    if objects.is_empty() {
        builder.finish(stem, groups, Reopened::GoesOn)
    } else {
        builder.finish(stem, objects, Reopened::IsNew)
    }
}

#[derive(Default)]
struct Reader {
    builder: Builder,
    objects: Vec<Start>,
    groups: Vec<Start>,
    corners: Vec<u32>,
}

impl Reader {
    fn statement(&mut self, line: &[u8], place: &impl Fn() -> Place) -> Result<(), Cause> {
        let mut words = Words(line);
        let Some(keyword) = words.next() else { return Ok(()) };
        match keyword {
            b"v" => self.builder.vertices.push(text::point(&mut words, place)?),
            b"f" | b"fo" => self.face(words, place)?,
            b"o" => self.objects.push(self.start(words.0, place)),
            b"g" => self.groups.push(self.start(words.0, place)),
            b"l" => self.builder.notes.add(NoteKind::Line, place()),
            b"p" => self.builder.notes.add(NoteKind::Point, place()),
            b"curv" | b"curv2" | b"surf" => self.builder.notes.add(NoteKind::Freeform, place()),
            // They say nothing about the surface.
            b"vt" | b"vn" | b"vp" | b"usemtl" | b"mtllib" | b"usemap" | b"maplib" | b"s" | b"mg" | b"lod"
            | b"bevel" | b"c_interp" | b"d_interp" | b"shadow_obj" | b"trace_obj" | b"cstype" | b"deg"
            | b"bmat" | b"step" | b"parm" | b"trim" | b"hole" | b"scrv" | b"sp" | b"end" | b"con"
            | b"ctech" | b"stech" => {}
            _ => self.builder.notes.add(NoteKind::UnknownStatement, place()),
        }
        Ok(())
    }

    fn start(&self, rest: &[u8], place: &impl Fn() -> Place) -> Start {
        Start { name: text::name(rest), triangle: self.builder.triangles.len(), place: place() }
    }

    fn face(&mut self, words: Words<'_>, place: &impl Fn() -> Place) -> Result<(), Cause> {
        self.corners.clear();
        for word in words {
            let corner = self.corner(word, place)?;
            self.corners.push(corner);
        }
        self.builder.face(&self.corners, place);
        Ok(())
    }

    /// The vertex of a corner `v`, `v/vt`, `v//vn` or `v/vt/vn`: counted from 1, or from −1 backwards.
    fn corner(&self, word: &[u8], place: &impl Fn() -> Place) -> Result<u32, Cause> {
        let digits = word.split(|&b| b == b'/').next().unwrap_or_default();
        let index: i64 =
            text::integer(digits).ok_or_else(|| Cause::expected(place(), "a vertex number", word))?;
        let count = self.builder.vertices.len();
        let from_zero = if index < 0 { index.saturating_add(count as i64) } else { index - 1 };
        match u32::try_from(from_zero) {
            Ok(i) if (i as usize) < count => Ok(i),
            _ => Err(Cause::NoSuchVertex { place: place(), index, count }),
        }
    }
}

#[cfg(test)]
mod tests {
    use sudar::DVec3;

    use super::*;

    const SQUARE: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

    fn parse(faces: &str) -> Result<Model, Cause> {
        read(format!("{SQUARE}{faces}").as_bytes(), "file")
    }

    fn names(model: &Model) -> Vec<&str> {
        model.parts.iter().map(|p| p.name.as_str()).collect()
    }

    #[test]
    fn corners_may_be_counted_backwards_and_carry_other_numbers() {
        let model = parse("f -4/7/9 2//1 +3/ -1//").unwrap();
        assert_eq!(model.meshes[0].triangles(), [[0, 1, 2], [0, 2, 3]]);
    }

    #[test]
    fn objects_are_parts_and_groups_are_not_beside_them() {
        let model = parse("f 1 2 3\no a b \ng x\nf 1 2 3\ng y\nf 1 3 4\no a b\nf 2 3 4").unwrap();
        assert_eq!(names(&model), ["file", "a b", "a b"]);
        assert_eq!(model.meshes[1].triangles().len(), 2);
    }

    #[test]
    fn groups_are_parts_without_objects_and_go_on_when_named_again() {
        let model = parse("g x\nf 1 2 3\ng y\nf 1 3 4\ng x\nf 2 3 4\ng").unwrap();
        assert_eq!(names(&model), ["x", "y"]);
        assert_eq!(model.parts[0].numbers(), [0..1, 2..3]);
    }

    #[test]
    fn vertices_alone_are_a_cloud() {
        let model = parse("o scan\nvn 0 0 1").unwrap();
        assert_eq!((model.points.len(), model.parts.len(), model.notes.len()), (4, 0, 0));
        assert!(read(b"o nothing\n", "x").unwrap_err().to_string().starts_with("holds no triangle"));
        assert!(parse("f 1 2").is_err() && parse("nonsense 1").is_err());
    }

    #[test]
    fn what_is_skipped_is_counted() {
        let model = parse("f 1 2 3\nl 1 2\nl 1 2 3\np 1\nf 1 2\nf\ncurv 0 1 1 2\nbogus 1\n12").unwrap();
        let counts: Vec<_> = model.notes.iter().map(|n| (n.kind, n.count)).collect();
        let expected = [
            (NoteKind::Line, 2),
            (NoteKind::Point, 1),
            (NoteKind::ShortFace, 2),
            (NoteKind::Freeform, 1),
            (NoteKind::UnknownStatement, 2),
        ];
        assert_eq!(counts, expected);
        assert_eq!(model.notes[0].first, Place::Line(6));
    }

    #[test]
    fn weights_and_colours_are_not_looked_at() {
        let model = read(b"v 1 2 3 nan x -inf\nv 0 0 0 1\nv 1e2 .5 2. # end\nf 1 2 3 # f\n", "x").unwrap();
        assert_eq!(model.meshes[0].vertices()[2], DVec3::new(100.0, 0.5, 2.0));
    }

    #[test]
    fn errors_name_the_line() {
        let at = |faces: &str| parse(faces).unwrap_err().to_string();
        assert!(at("\nf 1 2 5").starts_with("line 6: vertex 5 does not exist, 4 are"), "{}", at("\nf 1 2 5"));
        assert!(at("f 1 2 0").starts_with("line 5: vertex 0 "));
        assert!(at("f 1 2 -5").starts_with("line 5: vertex -5 "));
        assert!(at("f 1 2 x").starts_with("line 5: expected a vertex number, found `x`"));
        assert!(at("f 1 \\\n2 3\nv 1 2").starts_with("line 7: expected three coordinates, found the end"));
        assert!(at("v 1 2 3.1+e2").starts_with("line 5: expected a number, found `3.1+e2`"));
        assert!(at("v 1 2 nan").starts_with("line 5: a vertex needs finite"));
        assert!(at("l 1 2").starts_with("holds no triangle among 4 vertices"));
    }
}
