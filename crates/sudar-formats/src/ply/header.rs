//! What a PLY file says about itself before its data.

use crate::text::{self, Lines, Words};
use crate::{Cause, Place};

/// Most properties of all elements together; real files have tens.
const MAX_PROPERTIES: usize = 1000;

/// How the numbers are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// As text.
    Text,
    /// Binary, least byte first.
    Little,
    /// Binary, greatest byte first.
    Big,
}

/// The type of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type {
    /// Signed, 1 byte.
    I8,
    /// Unsigned, 1 byte.
    U8,
    /// Signed, 2 bytes.
    I16,
    /// Unsigned, 2 bytes.
    U16,
    /// Signed, 4 bytes.
    I32,
    /// Unsigned, 4 bytes.
    U32,
    /// Floating point, 4 bytes.
    F32,
    /// Floating point, 8 bytes.
    F64,
}

impl Type {
    fn named(word: &[u8]) -> Option<Self> {
        Some(match word {
            b"char" | b"int8" => Self::I8,
            b"uchar" | b"uint8" => Self::U8,
            b"short" | b"int16" => Self::I16,
            b"ushort" | b"uint16" => Self::U16,
            b"int" | b"int32" => Self::I32,
            b"uint" | b"uint32" => Self::U32,
            b"float" | b"float32" => Self::F32,
            b"double" | b"float64" => Self::F64,
            _ => return None,
        })
    }

    /// Bytes in a binary file.
    pub fn size(self) -> u64 {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }
}

/// What a property holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// One number.
    Scalar(Type),
    /// A length of the first type and as many numbers of the second.
    List(Type, Type),
}

/// A property of an element.
#[derive(Debug)]
pub struct Property {
    name: String,
    /// What it holds.
    pub kind: Kind,
}

/// A list of records of the same properties.
#[derive(Debug)]
pub struct Element {
    /// Its name.
    pub name: String,
    /// How many records there are.
    pub count: u64,
    /// What each record holds.
    pub properties: Vec<Property>,
    /// Where it is declared.
    pub place: Place,
}

impl Element {
    /// The scalar property of that name.
    pub fn scalar(&self, name: &str) -> Option<usize> {
        self.properties.iter().position(|p| p.name == name && matches!(p.kind, Kind::Scalar(_)))
    }

    /// The first list property of one of the names.
    pub fn list(&self, names: &[&str]) -> Option<usize> {
        let wanted = |p: &Property| names.contains(&p.name.as_str()) && matches!(p.kind, Kind::List(..));
        self.properties.iter().position(wanted)
    }
}

/// Everything before `end_header`.
#[derive(Debug)]
pub struct Header {
    /// How the data are written.
    pub encoding: Encoding,
    /// The elements in the order of their data.
    pub elements: Vec<Element>,
}

/// Reads the header; the lines returned begin with the data.
pub fn read(text: &[u8]) -> Result<(Header, Lines<'_>), Cause> {
    let mut lines = Lines::new(text);
    let magic = lines.next().unwrap_or_default();
    if magic.trim_ascii() != b"ply" {
        return Err(Cause::expected(Place::Line(1), "`ply`", magic));
    }
    let mut encoding = None;
    let mut elements: Vec<Element> = Vec::new();
    loop {
        let line = lines.need("`end_header`")?;
        let mut words = Words(line);
        match words.next().unwrap_or_default() {
            b"end_header" => break,
            b"comment" | b"obj_info" => {}
            b"format" => encoding = Some(read_encoding(&mut words, &lines)?),
            b"element" => elements.push(read_element(&mut words, &lines)?),
            b"property" => add_property(&mut elements, &mut words, &lines)?,
            other => {
                return Err(Cause::expected(lines.place(), "`element`, `property` or `end_header`", other));
            }
        }
    }
    let wanted = "`format` with ascii, binary_little_endian or binary_big_endian before it";
    let encoding = encoding.ok_or_else(|| Cause::expected(lines.place(), wanted, b"end_header"))?;
    Ok((Header { encoding, elements }, lines))
}

fn read_encoding(words: &mut Words<'_>, lines: &Lines<'_>) -> Result<Encoding, Cause> {
    let wanted = "`ascii`, `binary_little_endian` or `binary_big_endian`";
    match words.next().unwrap_or_default() {
        b"ascii" => Ok(Encoding::Text),
        b"binary_little_endian" => Ok(Encoding::Little),
        b"binary_big_endian" => Ok(Encoding::Big),
        other => Err(Cause::expected(lines.place(), wanted, other)),
    }
}

fn read_element(words: &mut Words<'_>, lines: &Lines<'_>) -> Result<Element, Cause> {
    let name = words.next().unwrap_or_default();
    let count = words.next().unwrap_or_default();
    let count = text::integer(count).ok_or_else(|| Cause::expected(lines.place(), "a count", count))?;
    let name = String::from_utf8_lossy(name).into_owned();
    Ok(Element { name, count, properties: Vec::new(), place: lines.place() })
}

fn add_property(elements: &mut [Element], words: &mut Words<'_>, lines: &Lines<'_>) -> Result<(), Cause> {
    let known: usize = elements.iter().map(|e| e.properties.len()).sum();
    if known >= MAX_PROPERTIES {
        return Err(Cause::expected(lines.place(), "at most 1000 properties", b"one more"));
    }
    let early = || Cause::expected(lines.place(), "`element` before the first `property`", b"property");
    let element = elements.last_mut().ok_or_else(early)?;
    let read_type = |word: &[u8]| {
        Type::named(word).ok_or_else(|| Cause::expected(lines.place(), "a type such as float or uchar", word))
    };
    let kind = match words.next().unwrap_or_default() {
        b"list" => {
            let count = read_type(words.next().unwrap_or_default())?;
            Kind::List(count, read_type(words.next().unwrap_or_default())?)
        }
        word => Kind::Scalar(read_type(word)?),
    };
    let name = String::from_utf8_lossy(words.next().unwrap_or_default()).into_owned();
    element.properties.push(Property { name, kind });
    Ok(())
}
