//! What another program reads out of a file: elements and what is known of them, as lines of JSON.
//!
//! Readers of some formats are not to be trusted with the process that asks: they may hang, or take all memory. They
//! run in a process of their own and hand over these lines: `{"unit":0.001}` once, then an element, a lost one or a
//! count a line, and `"end"` at last, so that lines that break off are known. Arrays are base64 of little-endian
//! numbers.

use std::io::{BufRead, Write};
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sudar::{DVec3, Mesh, Pose};

use crate::levels::{GridAxis, Level};
use crate::model::LostElement;
use crate::note::Notes;
use crate::{Cause, Model, NoteKind, Place};

/// A named piece of a file, in the unit of the file.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Element {
    /// Its name.
    pub name: String,
    /// What the file says of it otherwise: keys and values.
    #[serde(default)]
    pub properties: Vec<(String, String)>,
    /// Its vertices.
    #[serde(serialize_with = "to_base64", deserialize_with = "floats")]
    pub vertices: Vec<[f64; 3]>,
    /// Its triangles, as numbers of vertices.
    #[serde(serialize_with = "to_base64", deserialize_with = "numbers")]
    pub triangles: Vec<[u32; 3]>,
    /// How far these are at most from the surface that the file means.
    #[serde(default)]
    pub deviation: f64,
}

/// The elements of a file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Elements {
    /// How many metres the unit of the file is.
    pub unit: Option<f64>,
    /// The elements, in the order of the file.
    pub elements: Vec<Element>,
    /// The storeys.
    pub levels: Vec<Level>,
    /// The axes of grids.
    pub axes: Vec<GridAxis>,
    /// Those that were lost.
    pub lost: Vec<LostElement>,
    /// How many were left out on purpose: spaces and openings.
    pub left_out: u64,
    /// How many may have another shape than the file means, since a cut was replaced by something simpler.
    pub approximate: u64,
}

/// One line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Line {
    Unit(f64),
    Element(Element),
    Lost(LostElement),
    Level(Level),
    Axis(GridAxis),
    LeftOut(u64),
    Approximate(u64),
    /// Why the file could not be read at all.
    Refused(String),
    End,
}

impl Elements {
    /// Writes the lines.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write(&self, mut writer: impl Write) -> std::io::Result<()> {
        let mut line = |line: &Line| -> std::io::Result<()> {
            serde_json::to_writer(&mut writer, line)?;
            writer.write_all(b"\n")
        };
        if let Some(unit) = self.unit {
            line(&Line::Unit(unit))?;
        }
        for element in &self.elements {
            line(&Line::Element(element.clone()))?;
        }
        for level in &self.levels {
            line(&Line::Level(level.clone()))?;
        }
        for axis in &self.axes {
            line(&Line::Axis(axis.clone()))?;
        }
        for lost in &self.lost {
            line(&Line::Lost(lost.clone()))?;
        }
        line(&Line::LeftOut(self.left_out))?;
        line(&Line::Approximate(self.approximate))?;
        line(&Line::End)
    }

    /// Reads lines to their end.
    ///
    /// # Errors
    /// [`Cause::Refused`] with what the lines say, [`Cause::Expected`] for lines that break off or are none of these.
    pub fn read(reader: impl BufRead) -> Result<Self, Cause> {
        let mut found = Self::default();
        for (number, line) in reader.split(b'\n').enumerate() {
            let line = line.map_err(|error| Cause::Unreadable(error.to_string()))?;
            let place = Place::Line(number as u64 + 1);
            let line = serde_json::from_slice(&line).map_err(|_| {
                Cause::expected(place, "a line about an element", &line[..line.len().min(40)])
            })?;
            match line {
                Line::Unit(unit) => found.unit = Some(unit).filter(|unit| unit.is_finite() && *unit > 0.0),
                Line::Element(element) => found.elements.push(element),
                Line::Level(level) => found.levels.push(level),
                Line::Axis(axis) => found.axes.push(axis),
                Line::Lost(lost) => found.lost.push(lost),
                Line::LeftOut(count) => found.left_out = count,
                Line::Approximate(count) => found.approximate = count,
                Line::Refused(why) => return Err(Cause::Refused(why)),
                Line::End => return Ok(found),
            }
        }
        Err(Cause::Refused("the program that reads it ended before it was done".to_owned()))
    }

    /// The lines of a file that could not be read.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn refuse(why: &str, mut writer: impl Write) -> std::io::Result<()> {
        serde_json::to_writer(&mut writer, &Line::Refused(why.to_owned()))?;
        writer.write_all(b"\n")
    }

    /// The elements as parts. Those without triangles, or with numbers that no mesh can have, are lost.
    pub fn into_model(self) -> Model {
        let mut lost = self.lost;
        let (mut parts, mut about) = (Vec::new(), Vec::new());
        for Element { name, properties: known, vertices, triangles, deviation } in self.elements {
            let vertices = vertices.into_iter().map(DVec3::from_array).collect();
            match Mesh::new(vertices, triangles) {
                Ok(mesh) if !mesh.triangles().is_empty() => {
                    parts.push((name, Arc::new(mesh), Pose::IDENTITY));
                    about.push((known, deviation));
                }
                Ok(_) => lost.push(LostElement { name, properties: known, error: NO_BODY.to_owned() }),
                Err(error) => {
                    lost.push(LostElement { name, properties: known, error: error.to_string() });
                }
            }
        }
        let mut model = Model::assembled(parts);
        for (part, about) in model.parts.iter_mut().zip(about) {
            (part.properties, part.deviation) = about;
        }
        let mut notes = Notes::default();
        notes.add_many(NoteKind::LeftOut, self.left_out, Place::File);
        notes.add_many(NoteKind::Approximate, self.approximate, Place::File);
        (model.notes, model.lost, model.unit) = (notes.into_vec(), lost, self.unit);
        (model.levels, model.axes) = (self.levels, self.axes);
        model
    }
}

/// Why an element without triangles is lost.
pub(crate) const NO_BODY: &str =
    "no triangles came out of its shape; look at it in a viewer, and export it again";

/// Three numbers that have bytes.
trait Triple {
    fn bytes(&self) -> impl Iterator<Item = u8>;
}

impl Triple for [f64; 3] {
    fn bytes(&self) -> impl Iterator<Item = u8> {
        self.iter().flat_map(|x| x.to_le_bytes())
    }
}

impl Triple for [u32; 3] {
    fn bytes(&self) -> impl Iterator<Item = u8> {
        self.iter().flat_map(|x| x.to_le_bytes())
    }
}

fn to_base64<S: Serializer>(triples: &[impl Triple], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&STANDARD.encode(triples.iter().flat_map(Triple::bytes).collect::<Vec<u8>>()))
}

fn floats<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<[f64; 3]>, D::Error> {
    triples(deserializer, f64::from_le_bytes)
}

fn numbers<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<[u32; 3]>, D::Error> {
    triples(deserializer, u32::from_le_bytes)
}

fn triples<'de, D: Deserializer<'de>, T: Copy + Default, const N: usize>(
    deserializer: D,
    number: impl Fn([u8; N]) -> T,
) -> Result<Vec<[T; 3]>, D::Error> {
    let text = String::deserialize(deserializer)?;
    let bytes = STANDARD.decode(text).map_err(serde::de::Error::custom)?;
    let (words, rest) = bytes.as_chunks::<N>();
    let (triples, left) = words.as_chunks::<3>();
    if !rest.is_empty() || !left.is_empty() {
        return Err(serde::de::Error::custom("an array that breaks off"));
    }
    Ok(triples.iter().map(|words| words.map(&number)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tetrahedron(name: &str) -> Element {
        Element {
            name: name.to_owned(),
            properties: vec![("class".to_owned(), "IfcWall".to_owned())],
            vertices: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.1, 1e-300]],
            triangles: vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
            deviation: 0.25,
        }
    }

    #[test]
    fn lines_hold_every_bit_and_say_where_they_end() {
        let lost = LostElement { name: "b".to_owned(), error: "no".to_owned(), ..LostElement::default() };
        let elements = Elements {
            unit: Some(0.001),
            elements: vec![tetrahedron("a\n\"é")],
            levels: vec![Level { name: "Ground".to_owned(), elevation: -0.1 }],
            axes: vec![GridAxis { name: "A".to_owned(), family: 1, line: [[0.0, 1e-300], [0.1, 9.0]] }],
            lost: vec![lost],
            left_out: 3,
            approximate: 1,
        };
        let mut bytes = Vec::new();
        elements.write(&mut bytes).unwrap();
        assert_eq!(Elements::read(&*bytes).unwrap(), elements);
        // Without the last line, or with a damaged one.
        let cut = bytes.len() - 7;
        assert!(matches!(Elements::read(&bytes[..cut]), Err(Cause::Refused(_))));
        assert!(matches!(Elements::read(&bytes[..cut - 9]), Err(Cause::Expected { .. })));
        let mut refusal = Vec::new();
        Elements::refuse("is damaged", &mut refusal).unwrap();
        assert_eq!(Elements::read(&*refusal), Err(Cause::Refused("is damaged".to_owned())));
    }

    #[test]
    fn what_no_mesh_can_have_is_lost_and_named() {
        let empty = Element { triangles: Vec::new(), ..tetrahedron("empty") };
        let mut infinite = tetrahedron("infinite");
        infinite.vertices[2][1] = f64::INFINITY;
        let mut beyond = tetrahedron("beyond");
        beyond.triangles[0][0] = 9;
        let elements = vec![empty, tetrahedron("good"), infinite, beyond];
        let model = Elements { elements, left_out: 2, ..Elements::default() }.into_model();
        let lost: Vec<_> = model.lost.iter().map(|lost| &*lost.name).collect();
        assert_eq!((model.parts.len(), &*model.parts[0].name), (1, "good"));
        assert_eq!(lost, ["empty", "infinite", "beyond"]);
        assert_eq!(model.parts[0].properties[0].1, "IfcWall");
        assert_eq!(model.notes[0].to_string(), "2 spaces and openings left out");
    }
}
