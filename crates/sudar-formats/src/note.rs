//! What a reader or writer noticed and did not refuse: counted, never silent.

use std::fmt;

use crate::Place;

/// Something noticed while reading or writing, how often, and where first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// What it is.
    pub kind: NoteKind,
    /// How often it occurs.
    pub count: u64,
    /// Where it occurs first.
    pub first: Place,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.count, self.kind.text(self.count))?;
        match &self.first {
            Place::File => Ok(()),
            place @ (Place::Line(_) | Place::Byte(_) | Place::Item(_)) => write!(f, " (first at {place})"),
        }
    }
}

/// The kinds of things noticed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum NoteKind {
    /// A face with fewer than three corners; it has no triangle and takes no number.
    ShortFace,
    /// A polygon that crosses itself, or is left when the time for cutting ears is used up; the rest of it is a fan.
    FannedPolygon,
    /// A face with a hole that is outside, has fewer than three corners, or is left when the time for cutting holes out
    /// is used up; it is filled.
    FilledHole,
    /// A line element or line primitive; it has no surface.
    Line,
    /// A point element or point primitive; it has no surface.
    Point,
    /// A free-form curve or surface, which is not read.
    Freeform,
    /// A statement that the format does not know.
    UnknownStatement,
    /// A part without triangles; it gets no number.
    EmptyPart,
    /// A list of things other than vertices and faces.
    SkippedElement,
    /// Bytes after the end of the data.
    TrailingBytes,
    /// An end mark that is missing at the end of the file.
    MissingEnd,
    /// A node with a mesh that the scene does not show.
    HiddenNode,
    /// A mesh copied because a node scales, shears or mirrors it.
    BakedMesh,
    /// A mesh bent by a skin or morph targets, read in its rest shape.
    RestShape,
    /// A primitive without positions.
    NoPositions,
    /// A part that was merged into one surface, because the format holds no parts.
    MergedPart,
    /// A number that was rounded to the 32 bits of the format.
    Rounded,
    /// A node with more than one parent, against the rules of the format; it is shown under each.
    SharedNode,
    /// A node that has no triangles, or is not known.
    SkippedNode,
    /// A ball, cone, cylinder or the like, which became a polyhedron.
    Tessellated,
    /// A space or an opening, which is no body.
    LeftOut,
    /// An element of which some cut was made in a simpler way than the file means.
    Approximate,
}

impl NoteKind {
    /// What it is, in words that follow a count.
    pub fn text(self, count: u64) -> &'static str {
        let [one, more] = match self {
            Self::ShortFace => {
                ["face with fewer than three corners skipped", "faces with fewer than three corners skipped"]
            }
            Self::FannedPolygon => [
                "polygon that crosses itself or is too intricate, split as a fan",
                "polygons that cross themselves or are too intricate, split as fans",
            ],
            Self::FilledHole => [
                "face with a hole outside of it or too intricate, which is filled",
                "faces with holes outside of them or too intricate, which are filled",
            ],
            Self::Line => ["line element skipped", "line elements skipped"],
            Self::Point => ["point element skipped", "point elements skipped"],
            Self::Freeform => ["curve or free-form surface skipped", "curves and free-form surfaces skipped"],
            Self::UnknownStatement => ["unknown statement skipped", "unknown statements skipped"],
            Self::EmptyPart => ["part without triangles left out", "parts without triangles left out"],
            Self::SkippedElement => [
                "element other than vertices and faces skipped",
                "elements other than vertices and faces skipped",
            ],
            Self::TrailingBytes => {
                ["byte after the end of the data ignored", "bytes after the end of the data ignored"]
            }
            Self::MissingEnd => ["missing end mark", "missing end marks"],
            Self::HiddenNode => ["node outside the scene left out", "nodes outside the scene left out"],
            Self::BakedMesh => [
                "mesh copied with its scale or mirroring baked in",
                "meshes copied with their scale or mirroring baked in",
            ],
            Self::RestShape => [
                "skinned or morphed mesh read in its rest shape",
                "skinned or morphed meshes read in their rest shape",
            ],
            Self::NoPositions => {
                ["primitive without positions skipped", "primitives without positions skipped"]
            }
            Self::MergedPart => ["part merged into one surface", "parts merged into one surface"],
            Self::Rounded => ["number rounded to 32 bits", "numbers rounded to 32 bits"],
            Self::SharedNode => [
                "node with several parents, shown under each",
                "nodes with several parents, shown under each",
            ],
            Self::SkippedNode => ["node without triangles skipped", "nodes without triangles skipped"],
            Self::Tessellated => [
                "round body replaced by a polyhedron of 32 sides",
                "round bodies replaced by polyhedra of 32 sides",
            ],
            Self::LeftOut => ["space or opening left out", "spaces and openings left out"],
            Self::Approximate => [
                "element with a cut that was simplified; its shape may differ a little",
                "elements with cuts that were simplified; their shapes may differ a little",
            ],
        };
        if count == 1 { one } else { more }
    }
}

/// Notes being collected, in the order of their first occurrence.
#[derive(Debug, Default)]
pub(crate) struct Notes(Vec<Note>);

impl Notes {
    /// Counts one more of a kind.
    pub fn add(&mut self, kind: NoteKind, place: Place) {
        self.add_many(kind, 1, place);
    }

    /// Counts several more of a kind; none leaves no note.
    pub fn add_many(&mut self, kind: NoteKind, count: u64, place: Place) {
        if count == 0 {
            return;
        }
        match self.0.iter_mut().find(|note| note.kind == kind) {
            Some(note) => note.count = note.count.saturating_add(count),
            None => self.0.push(Note { kind, count, first: place }),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All of them in words, as " (…)", or nothing.
    pub fn summary(&self) -> String {
        let all: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        if all.is_empty() { String::new() } else { format!(" ({})", all.join("; ")) }
    }

    /// The finished list.
    pub fn into_vec(self) -> Vec<Note> {
        self.0
    }
}
