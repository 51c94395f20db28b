//! `mesh`: sources of points and the faces that use them.

use std::collections::HashMap;

use sudar::DVec3;

use super::document::{Document, Node, child, children};
use crate::builder::{Builder, strip_triangles};
use crate::{Cause, NoteKind, Place, text};

/// What the faces of a geometry are read into.
pub(super) struct Reader<'r, 'd> {
    document: &'r Document<'d>,
    builder: &'r mut Builder,
    /// Where the points of a source begin, and how many there are.
    sources: HashMap<&'d str, [usize; 2]>,
}

/// How the corners of an element are cut into faces.
enum Cut {
    Triangles,
    Counted,
    Polygon,
    Strip,
    Fan,
}

impl Cut {
    fn of(name: &str) -> Option<Self> {
        Some(match name {
            "triangles" => Self::Triangles,
            "polylist" => Self::Counted,
            "polygons" => Self::Polygon,
            "tristrips" => Self::Strip,
            "trifans" => Self::Fan,
            _ => return None,
        })
    }
}

/// The faces of a `geometry`.
pub(super) fn read<'d>(
    document: &Document<'d>,
    geometry: Node<'d>,
    builder: &mut Builder,
) -> Result<(), Cause> {
    let mesh = child(geometry, "mesh").or_else(|| child(geometry, "convex_mesh"));
    let Some(mesh) = mesh else {
        builder.notes.add(NoteKind::Freeform, document.place(geometry));
        return Ok(());
    };
    if mesh.attribute("convex_hull_of").is_some() {
        let what = "the hull of another geometry is not read; export its triangles".to_owned();
        return Err(Cause::Unsupported { place: document.place(mesh), what });
    }
    let mut reader = Reader { document, builder, sources: HashMap::new() };
    for node in mesh.children().filter(Node::is_element) {
        match Cut::of(node.tag_name().name()) {
            Some(cut) => reader.primitive(node, &cut)?,
            None if ["lines", "linestrips"].contains(&node.tag_name().name()) => {
                reader.builder.notes.add(NoteKind::Line, document.place(node));
            }
            None => {}
        }
    }
    Ok(())
}

impl<'d> Reader<'_, 'd> {
    fn primitive(&mut self, node: Node<'d>, cut: &Cut) -> Result<(), Cause> {
        let place = self.document.place(node);
        let has_holes = |list: &Node<'_>| list.tag_name().name() == "ph";
        let is_list =
            |list: &Node<'_>| list.is_element() && (list.tag_name().name() == "p" || has_holes(list));
        let lists: Vec<Node<'d>> = node.children().filter(is_list).collect();
        // Exporters leave elements without faces behind, some without inputs.
        if lists.is_empty() {
            return Ok(());
        }
        let inputs = self.document.inputs(node)?;
        let vertex = inputs.iter().find(|input| ["VERTEX", "POSITION"].contains(&input.semantic));
        let Some(vertex) = vertex else {
            let expected = "an input with the semantic VERTEX";
            return Err(Cause::Expected { place, expected: expected.to_owned(), found: "none".to_owned() });
        };
        let stride = 1 + inputs.iter().map(|input| input.offset).max().unwrap_or(0);
        let source = self.source(vertex.source, node)?;
        for list in lists {
            let place = self.document.place(list);
            if !has_holes(&list) {
                let corners = self.corners(list, [stride, vertex.offset], source)?;
                self.faces(node, cut, &corners, &place)?;
            } else if let Cut::Polygon = cut {
                self.face_with_holes(list, [stride, vertex.offset], source)?;
            } else {
                return Err(Cause::expected(
                    place,
                    "polygons with holes (ph) in `polygons` alone",
                    b"another",
                ));
            }
        }
        Ok(())
    }

    /// A polygon, its outline first.
    fn face_with_holes(
        &mut self,
        face: Node<'d>,
        columns: [usize; 2],
        source: [usize; 2],
    ) -> Result<(), Cause> {
        let place = self.document.place(face);
        let Some(outline) = child(face, "p") else {
            return Err(Cause::expected(place, "an outline (p) in `ph`", b"none"));
        };
        let outline = self.corners(outline, columns, source)?;
        let holes = children(face, "h").map(|hole| self.corners(hole, columns, source));
        let holes = holes.collect::<Result<Vec<_>, Cause>>()?;
        self.builder.face_with_holes(outline, holes, || place.clone());
        Ok(())
    }

    /// The vertices of a list of indices, one of each `stride`.
    fn corners(
        &self,
        list: Node<'d>,
        [stride, offset]: [usize; 2],
        [first, count]: [usize; 2],
    ) -> Result<Vec<u32>, Cause> {
        let place = || self.document.place(list);
        let indices = self.document.integers(list)?;
        if !indices.len().is_multiple_of(stride) {
            let found = format!("{} numbers", indices.len());
            return Err(Cause::Expected {
                place: place(),
                expected: format!("{stride} for each corner"),
                found,
            });
        }
        let vertex = |index: &i64| match usize::try_from(*index) {
            Ok(i) if i < count => Ok((first + i) as u32),
            _ => Err(Cause::NoSuchVertex { place: place(), index: *index, count }),
        };
        indices.iter().skip(offset).step_by(stride).map(vertex).collect()
    }

    fn faces(&mut self, node: Node<'d>, cut: &Cut, corners: &[u32], place: &Place) -> Result<(), Cause> {
        let wrong = |expected: &str, found: String| Cause::Expected {
            place: place.clone(),
            expected: expected.to_owned(),
            found,
        };
        match cut {
            Cut::Triangles => {
                let (triangles, rest) = corners.as_chunks::<3>();
                if !rest.is_empty() {
                    return Err(wrong("a multiple of three corners", corners.len().to_string()));
                }
                self.builder.triangles.extend_from_slice(triangles);
            }
            Cut::Strip => self.builder.triangles.extend(strip_triangles(corners)),
            Cut::Fan => {
                let (first, rest) = corners.split_first().unwrap_or((&0, &[]));
                self.builder.triangles.extend(rest.windows(2).map(|w| [*first, w[0], w[1]]));
            }
            Cut::Polygon => self.builder.face(corners, || place.clone()),
            Cut::Counted => {
                let counts =
                    child(node, "vcount").map(|counts| self.document.integers(counts)).transpose()?;
                let mut rest = corners;
                for count in counts.unwrap_or_default() {
                    let face = usize::try_from(count).ok().and_then(|count| rest.split_at_checked(count));
                    let Some((face, after)) = face else {
                        return Err(wrong("as many corners as `vcount` has", corners.len().to_string()));
                    };
                    self.builder.face(face, || place.clone());
                    rest = after;
                }
                if !rest.is_empty() {
                    return Err(wrong("as many corners as `vcount` has", corners.len().to_string()));
                }
            }
        }
        Ok(())
    }

    /// The points of an input, read once: where they begin and how many they are.
    fn source(&mut self, uri: &'d str, by: Node<'d>) -> Result<[usize; 2], Cause> {
        if let Some(known) = self.sources.get(uri) {
            return Ok(*known);
        }
        let mut source = self.document.named(uri, by)?;
        if source.tag_name().name() == "vertices" {
            let inputs = self.document.inputs(source)?;
            let position = inputs.iter().find(|input| input.semantic == "POSITION");
            let Some(position) = position else {
                let place = self.document.place(source);
                return Err(Cause::expected(place, "an input with the semantic POSITION", b"none"));
            };
            source = self.document.named(position.source, source)?;
        }
        let points = points(self.document, source)?;
        let range = [self.builder.vertices.len(), points.len()];
        self.builder.vertices.extend(points);
        self.sources.insert(uri, range);
        Ok(range)
    }
}

/// The points of a `source`.
fn points(document: &Document<'_>, source: Node<'_>) -> Result<Vec<DVec3>, Cause> {
    let place = || document.place(source);
    let Some(array) = child(source, "float_array") else {
        return Err(Cause::expected(place(), "a source with a float_array", b"none"));
    };
    let numbers = document.numbers(array)?;
    let accessor = child(source, "technique_common").and_then(|technique| child(technique, "accessor"));
    let layout = Layout::new(document, accessor, numbers.len())?;
    let last = layout.columns.iter().max().unwrap_or(&0);
    let room = numbers.len().saturating_sub(layout.offset + last).div_ceil(layout.stride);
    if layout.count > room {
        let (claimed, room) = (layout.count as u64, room as u64);
        return Err(Cause::Claim { place: place(), what: "points".to_owned(), claimed, room });
    }
    let point = |i: usize| {
        let at = layout.offset + i * layout.stride;
        let p = layout.columns.map(|column| numbers[at + column]);
        p.iter().try_for_each(|x| text::check_coordinate(*x, place))?;
        Ok(DVec3::from_array(p))
    };
    (0..layout.count).map(point).collect()
}

/// Where the coordinates of points are in an array.
struct Layout {
    count: usize,
    offset: usize,
    stride: usize,
    columns: [usize; 3],
}

impl Layout {
    /// As an `accessor` says it; three for each point without one.
    fn new(document: &Document<'_>, accessor: Option<Node<'_>>, length: usize) -> Result<Self, Cause> {
        let Some(accessor) = accessor else {
            return Ok(Self { count: length / 3, offset: 0, stride: 3, columns: [0, 1, 2] });
        };
        let place = || document.place(accessor);
        let number = |key: &str, default: usize| match accessor.attribute(key) {
            None => Ok(default),
            Some(word) => text::integer::<u32>(word.trim().as_bytes())
                .map(|number| number as usize)
                .ok_or_else(|| Cause::expected(place(), format!("a number as `{key}`"), word.as_bytes())),
        };
        let named = |(i, param): (usize, Node<'_>)| {
            // A param without a name is one that is skipped.
            param.attribute("name").is_some_and(|name| !name.is_empty()).then_some(i)
        };
        let params = children(accessor, "param").count();
        let columns: Vec<usize> = children(accessor, "param").enumerate().filter_map(named).collect();
        let columns = match columns[..] {
            [x, y, z, ..] => [x, y, z],
            _ if params == 0 || params >= 3 => [0, 1, 2],
            _ => return Err(Cause::expected(place(), "points of three coordinates", b"fewer")),
        };
        let stride = number("stride", params.max(3))?;
        if stride <= columns[2] {
            return Err(Cause::expected(
                place(),
                "a stride of all coordinates",
                stride.to_string().as_bytes(),
            ));
        }
        Ok(Self { count: number("count", length / stride)?, offset: number("offset", 0)?, stride, columns })
    }
}
