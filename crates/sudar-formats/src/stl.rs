//! Stereolithography files (3D Systems 1989), text and binary.
//!
//! In text every `solid` is a part; a binary file is one part named after the file. The format has no vertex
//! numbers: corners of exactly equal coordinates (−0 equals 0) are one vertex. Normals and attribute bytes
//! are ignored. A loop of a text file with more than three vertices is taken as a polygon.

use sudar::DVec3;

use crate::builder::{Builder, Reopened, Start};
use crate::text::{self, Lines, Words};
use crate::{Cause, Format, Model, NoteKind, Place};

/// Bytes before the triangle count of a binary file, and before its triangles.
const HEADER: usize = 80;
const START: usize = 84;
/// Bytes of a triangle: normal, three corners, attribute.
const TRIANGLE: usize = 50;

pub(crate) fn read(bytes: &[u8], stem: &str) -> Result<Model, Cause> {
    if is_text(bytes) {
        return read_text(bytes, stem);
    }
    // What is no STL file at all would be refused as a binary one for reasons that lead nowhere.
    read_binary(bytes, stem).map_err(|cause| crate::format::misnamed(bytes, Format::Stl).unwrap_or(cause))
}

/// Whether it begins with `solid`, has not exactly the length its binary count would tell, and does not have the
/// zero bytes that the header of a binary file has: many of those begin with `solid` too.
fn is_text(bytes: &[u8]) -> bool {
    let text = text::decode(&bytes[..bytes.len().min(4096)]);
    let begins = behind_comments(&text).get(..5).is_some_and(|w| w.eq_ignore_ascii_case(b"solid"));
    let exact = binary_count(bytes).is_some_and(|n| bytes.len() as u64 == START as u64 + n * TRIANGLE as u64);
    begins && !exact && !text.contains(&0)
}

/// The text from its first line on that is no comment; the format has none, but some programs write them.
fn behind_comments(text: &[u8]) -> &[u8] {
    let mut text = text.trim_ascii_start();
    while text.starts_with(b"#") {
        let end = text.iter().position(|&b| b == b'\n').unwrap_or(text.len());
        text = text[end..].trim_ascii_start();
    }
    text
}

/// The number of triangles that a binary header claims.
fn binary_count(bytes: &[u8]) -> Option<u64> {
    let count = bytes.get(HEADER..START)?;
    Some(u64::from(u32::from_le_bytes(count.try_into().ok()?)))
}

fn read_binary(bytes: &[u8], stem: &str) -> Result<Model, Cause> {
    let wanted = "the word `solid`, or the 84 bytes that begin a binary STL file";
    let count = binary_count(bytes).ok_or_else(|| Cause::ends(Place::Byte(0), wanted, "the file"))?;
    let body = &bytes[START..];
    let room = (body.len() / TRIANGLE) as u64;
    if count > room {
        let place = Place::Byte(HEADER as u64);
        return Err(Cause::Claim { place, what: "triangles".to_owned(), claimed: count, room });
    }
    let (triangles, trailing) = body.split_at(count as usize * TRIANGLE);
    let mut builder = Builder::default();
    builder.triangles.reserve_exact(count as usize);
    for (i, record) in triangles.chunks_exact(TRIANGLE).enumerate() {
        let mut corners = [0; 3];
        for (corner, number) in corners.iter_mut().enumerate() {
            let offset = 12 + 12 * corner;
            let place = || Place::Byte((START + i * TRIANGLE + offset) as u64);
            *number = builder.corner(binary_point(&record[offset..], place)?);
        }
        builder.triangles.push(corners);
    }
    let end = Place::Byte((bytes.len() - trailing.len()) as u64);
    builder.notes.add_many(NoteKind::TrailingBytes, trailing.len() as u64, end);
    builder.finish_whole(stem)
}

fn binary_point(record: &[u8], place: impl Fn() -> Place) -> Result<DVec3, Cause> {
    let mut p = [0.0; 3];
    for (x, bytes) in p.iter_mut().zip(record.chunks_exact(4)) {
        *x = bytes.try_into().map_or(f64::NAN, |b| f64::from(f32::from_le_bytes(b)));
        if !x.is_finite() {
            return Err(Cause::NotFinite { place: place(), found: *x });
        }
    }
    Ok(DVec3::from_array(p))
}

fn read_text(bytes: &[u8], stem: &str) -> Result<Model, Cause> {
    let text = text::decode(bytes);
    let mut reader = TextReader::default();
    let mut lines = Lines::new(&text);
    while let Some(line) = lines.next() {
        reader.statement(line, &|| lines.place())?;
    }
    if let Some(open) = &reader.open_loop {
        return Err(Cause::ends(open.clone(), "`endloop` after this `outer loop`", "the file"));
    }
    if reader.open_solid {
        reader.builder.notes.add(NoteKind::MissingEnd, lines.place());
    }
    reader.builder.finish(stem, reader.solids, Reopened::IsNew)
}

#[derive(Default)]
struct TextReader {
    builder: Builder,
    solids: Vec<Start>,
    open_solid: bool,
    open_loop: Option<Place>,
    corners: Vec<u32>,
}

impl TextReader {
    fn statement(&mut self, line: &[u8], place: &impl Fn() -> Place) -> Result<(), Cause> {
        let mut words = Words(line);
        let Some(keyword) = words.next() else { return Ok(()) };
        match keyword.to_ascii_lowercase().as_slice() {
            b"vertex" if self.open_loop.is_some() => {
                self.corners.push(self.builder.corner(text::point(&mut words, place)?));
            }
            b"outer" if self.open_loop.is_none() => self.open_loop = Some(place()),
            b"endloop" if self.open_loop.is_some() => self.end_loop(place),
            b"facet" | b"endfacet" if self.open_loop.is_none() => {}
            b"solid" if self.open_loop.is_none() => self.solid(words.0, place),
            b"endsolid" if self.open_loop.is_none() => self.open_solid = false,
            _ => return Err(Cause::expected(place(), self.wanted(), keyword)),
        }
        Ok(())
    }

    fn solid(&mut self, rest: &[u8], place: &impl Fn() -> Place) {
        if self.open_solid {
            self.builder.notes.add(NoteKind::MissingEnd, place());
        }
        self.open_solid = true;
        let triangle = self.builder.triangles.len();
        self.solids.push(Start { name: text::name(rest), triangle, place: place() });
    }

    fn end_loop(&mut self, place: &impl Fn() -> Place) {
        self.open_loop = None;
        self.builder.face(&self.corners, place);
        self.corners.clear();
    }

    fn wanted(&self) -> &'static str {
        match self.open_loop {
            Some(_) => "`vertex` or `endloop`",
            None => "`facet`, `outer loop`, `endfacet`, `solid` or `endsolid`",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACET: &str =
        "facet normal nan 0 0\nouter loop\nvertex 0 0 0\nVERTEX 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n";

    fn binary(header: &[u8], count: u32, triangles: usize) -> Vec<u8> {
        let mut bytes = header.to_vec();
        bytes.resize(HEADER, 0);
        bytes.extend(count.to_le_bytes());
        for x in 0..triangles {
            let numbers = [f32::NAN, 0.0, 0.0, x as f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
            bytes.extend(numbers.iter().flat_map(|n| n.to_le_bytes()));
            bytes.extend([7, 7]);
        }
        bytes
    }

    #[test]
    fn every_solid_is_a_part_and_empty_ones_are_noted() {
        let text =
            format!("solid a b\n{FACET}endsolid a b\nsolid\nendsolid\nsolid\n{FACET}{FACET}endsolid\n");
        let model = read(text.as_bytes(), "file").unwrap();
        let sizes: Vec<_> =
            model.parts.iter().map(|p| (p.name.as_str(), model.meshes[p.mesh].triangles().len())).collect();
        assert_eq!(sizes, [("a b", 1), ("file", 2)]);
        assert_eq!((model.notes[0].kind, model.notes[0].count), (NoteKind::EmptyPart, 1));
    }

    #[test]
    fn a_binary_file_may_begin_with_solid() {
        let model = read(&binary(b"solid name", 3, 3), "file").unwrap();
        assert_eq!(model.meshes[0].triangles().len(), 3);
        assert_eq!(model.meshes[0].triangle(2).a, DVec3::new(2.0, 0.0, 0.0));
        let longer = [binary(b"solid name", 3, 3), b"!".to_vec()].concat();
        let model = read(&longer, "file").unwrap();
        assert_eq!(
            (model.notes[0].kind, model.notes[0].first.clone()),
            (NoteKind::TrailingBytes, Place::Byte(234))
        );
    }

    #[test]
    fn corners_of_equal_coordinates_are_one_vertex() {
        let mirrored = FACET.replace("vertex 0 0 0", "vertex -0 0 0").replace("1 0 0", "-1 -0 0");
        let text = format!("solid one\n{FACET}{mirrored}endsolid\nsolid two\n{FACET}endsolid\n");
        let model = read(text.as_bytes(), "file").unwrap();
        assert_eq!(model.meshes[0].vertices().len(), 4, "the parts share none");
        assert_eq!(model.meshes[1].vertices().len(), 3);
        assert_eq!(model.meshes[0].topology().faults.unwelded, 0);
        // Three triangles (x, 0, 0), (1, 0, 0), (0, 1, 0) for x = 0, 1, 2: the second has two equal corners.
        let model = read(&binary(b"", 3, 3), "file").unwrap();
        assert_eq!(model.meshes[0].vertices().len(), 4);
        assert_eq!(model.meshes[0].triangles(), [[0, 1, 2], [1, 1, 2], [3, 1, 2]]);
    }

    #[test]
    fn a_claim_beyond_the_file_is_refused() {
        let refusal = read(&binary(b"", u32::MAX, 2), "file").unwrap_err();
        let claim = Cause::Claim {
            place: Place::Byte(80),
            what: "triangles".to_owned(),
            claimed: 4_294_967_295,
            room: 2,
        };
        assert_eq!(refusal, claim);
    }

    #[test]
    fn a_corner_that_is_not_finite_is_refused_with_its_byte() {
        let mut bytes = binary(b"", 2, 2);
        bytes[84 + 50 + 24 + 4..][..4].copy_from_slice(&f32::INFINITY.to_le_bytes());
        let refusal = read(&bytes, "file").unwrap_err();
        assert_eq!(refusal, Cause::NotFinite { place: Place::Byte(84 + 50 + 24), found: f64::INFINITY });
    }

    #[test]
    fn errors_in_text_name_the_line() {
        let at = |text: &str| read(text.as_bytes(), "file").unwrap_err().to_string();
        assert!(
            at("solid\nfacet\nouter loop\nvertex 1 2\n").starts_with("line 4: expected three coordinates")
        );
        assert!(
            at("solid\nfacet\nouter loop\nendfacet\n").starts_with("line 4: expected `vertex` or `endloop`")
        );
        assert!(at("solid\nouter loop\nvertex 1 2 3\n").starts_with("line 2: expected `endloop` after"));
        assert!(at("solid\nhello\n").starts_with("line 2: expected `facet`"));
        assert!(at("solid x\nendsolid x").starts_with("holds no triangle (1 part without"));
    }

    #[test]
    fn a_missing_endsolid_is_noted() {
        let model = read(format!("solid\n{FACET}").as_bytes(), "file").unwrap();
        assert_eq!(model.notes[0].kind, NoteKind::MissingEnd);
    }
}
