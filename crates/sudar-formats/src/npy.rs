//! Boxes from NumPy's format .npy (versions 1 to 3): an array of n × 6 numbers of 64 bits.

use std::path::Path;

use sudar::{Aabb, DVec3};

use crate::error::{Cause, FormatError};
use crate::source;

/// Reads boxes, least corner and then greatest corner, from an array of `float64`, little-endian, row by row,
/// with shape (n, 6), also gzipped. What is no box is not refused here.
///
/// # Errors
/// A [`FormatError`]; [`Cause::Boxes`] says what is wrong with the array.
pub fn read_boxes(path: &Path) -> Result<Vec<Aabb>, FormatError> {
    let refused = |cause| FormatError::new(&path.display().to_string(), cause);
    parse(&source::load(path).map_err(refused)?).map_err(refused)
}

/// What the header of an array says, and the data after it.
pub(crate) fn opened(bytes: &[u8]) -> Result<(Header<'_>, &[u8]), String> {
    let (version, rest) = bytes
        .strip_prefix(b"\x93NUMPY")
        .and_then(|rest| rest.split_at_checked(2))
        .ok_or("it does not begin as a .npy file does")?;
    if !(1..=3).contains(&version[0]) {
        return Err(format!("it is .npy of version {}; save it as version 1, 2 or 3", version[0]));
    }
    let (header, data) = split(version[0], rest).ok_or("its header is cut off; copy it again")?;
    let header = Header::read(header)?;
    if header.is_by_columns {
        return Err("it is stored column by column; save it with numpy.ascontiguousarray".to_owned());
    }
    Ok((header, data))
}

/// The header of an array: a dictionary as Python writes it, with these three keys.
#[derive(Debug, PartialEq)]
pub(crate) struct Header<'h> {
    /// The type of its numbers.
    pub kind: &'h str,
    is_by_columns: bool,
    pub shape: Vec<usize>,
}

impl<'h> Header<'h> {
    fn read(text: &'h str) -> Result<Self, String> {
        let mut rest = Literal(text.trim_start());
        let (mut kind, mut is_by_columns, mut shape) = (None, None, None);
        rest.expect('{')?;
        while !rest.eat('}') {
            if rest.0.is_empty() {
                rest.expect('}')?;
            }
            let key = rest.quoted()?;
            rest.expect(':')?;
            let is_new = match key {
                "descr" => kind.replace(rest.kind()?).is_none(),
                "fortran_order" => is_by_columns.replace(rest.truth()?).is_none(),
                "shape" => shape.replace(rest.sizes()?).is_none(),
                _ => return Err("its header has a key beside descr, fortran_order and shape".to_owned()),
            };
            if !is_new {
                return Err(format!("its header has {key} twice; save it again"));
            }
            if !rest.eat(',') {
                rest.expect('}')?;
                break;
            }
        }
        if !rest.0.is_empty() {
            return Err("its header goes on after its dictionary; save it again".to_owned());
        }
        let missing = |key: &str| format!("its header has no {key}; save it again");
        Ok(Self {
            kind: kind.ok_or_else(|| missing("descr"))?,
            is_by_columns: is_by_columns.ok_or_else(|| missing("fortran_order"))?,
            shape: shape.ok_or_else(|| missing("shape"))?,
        })
    }
}

/// What is left of a literal of Python. White space between its parts is skipped.
struct Literal<'h>(&'h str);

impl<'h> Literal<'h> {
    fn eat(&mut self, sign: char) -> bool {
        let rest = self.0.strip_prefix(sign);
        self.0 = rest.map_or(self.0, str::trim_start);
        rest.is_some()
    }

    fn expect(&mut self, sign: char) -> Result<(), String> {
        let refused = || "its header is no dictionary from { to }; save it again".to_owned();
        if self.eat(sign) { Ok(()) } else { Err(refused()) }
    }

    /// Takes the beginning up to a length.
    fn take(&mut self, length: usize) -> &'h str {
        let (taken, rest) = self.0.split_at(length);
        self.0 = rest.trim_start();
        taken
    }

    fn quoted(&mut self) -> Result<&'h str, String> {
        let quote = if self.0.starts_with('"') { '"' } else { '\'' };
        let text = self.0.strip_prefix(quote).and_then(|rest| rest.split_once(quote)).map(|(text, _)| text);
        let text = text.ok_or("its header has no text in quotes where one belongs; save it again")?;
        self.take(text.len() + 2);
        Ok(text)
    }

    /// A type; that of records is a list.
    fn kind(&mut self) -> Result<&'h str, String> {
        if self.0.starts_with('[') {
            return Err("its elements are records; save an array of one type, with .astype('<f8')".to_owned());
        }
        self.quoted()
    }

    fn word(&mut self) -> &'h str {
        self.take(self.0.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(self.0.len()))
    }

    fn truth(&mut self) -> Result<bool, String> {
        match self.word() {
            "True" => Ok(true),
            "False" => Ok(false),
            _ => Err("its fortran_order must be True or False; save it again".to_owned()),
        }
    }

    /// A tuple of sizes; one of one size ends with a comma.
    fn sizes(&mut self) -> Result<Vec<usize>, String> {
        let refused = || "its shape must be sizes between ( and ); save it again".to_owned();
        let (mut sizes, mut is_closed) = (Vec::new(), false);
        if !self.eat('(') {
            return Err(refused());
        }
        while !is_closed && !self.eat(')') {
            // Python 2 wrote an L behind long numbers.
            let digits = self.word().trim_end_matches('L');
            if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
                return Err(refused());
            }
            sizes.push(digits.parse().map_err(|_| "its shape has a size that is too large".to_owned())?);
            let is_followed = self.eat(',');
            is_closed = !is_followed && sizes.len() > 1 && self.eat(')');
            if !is_followed && !is_closed {
                return Err(refused());
            }
        }
        Ok(sizes)
    }
}

fn parse(bytes: &[u8]) -> Result<Vec<Aabb>, Cause> {
    let (header, data) = opened(bytes).map_err(Cause::Boxes)?;
    let rows = rows(&header).map_err(Cause::Boxes)?;
    let (numbers, rest) = data.as_chunks::<8>();
    if !rest.is_empty() || rows.checked_mul(6) != Some(numbers.len()) {
        let found = data.len();
        return Err(Cause::Boxes(format!("{rows} boxes need 48 bytes each, and there are {found} bytes")));
    }
    let (boxes, _) = numbers.as_chunks::<6>();
    let number = |bytes: &[u8; 8]| f64::from_le_bytes(*bytes);
    let corner = |b: &[[u8; 8]; 6], k: usize| DVec3::new(number(&b[k]), number(&b[k + 1]), number(&b[k + 2]));
    Ok(boxes.iter().map(|b| Aabb { min: corner(b, 0), max: corner(b, 3) }).collect())
}

/// The header, a Python dictionary, and what is after it.
fn split(version: u8, rest: &[u8]) -> Option<(&str, &[u8])> {
    let (length, rest) = if version == 1 {
        let (length, rest) = rest.split_first_chunk::<2>()?;
        (usize::from(u16::from_le_bytes(*length)), rest)
    } else {
        let (length, rest) = rest.split_first_chunk::<4>()?;
        (u32::from_le_bytes(*length) as usize, rest)
    };
    let (header, data) = rest.split_at_checked(length)?;
    Some((std::str::from_utf8(header).ok()?, data))
}

/// How many boxes the header promises, or what is wrong with it.
fn rows(header: &Header) -> Result<usize, String> {
    if header.kind != "<f8" {
        return Err("its numbers must be of type <f8; save it with .astype('<f8')".to_owned());
    }
    match header.shape[..] {
        [rows, 6] => Ok(rows),
        _ => Err("its shape must be (n, 6): minx, miny, minz, maxx, maxy, maxz".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(header: &str, numbers: &[f64]) -> Vec<u8> {
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((header.len() as u16).to_le_bytes());
        bytes.extend(header.as_bytes());
        bytes.extend(numbers.iter().flat_map(|x| x.to_le_bytes()));
        bytes
    }

    const HEADER: &str = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 6), }          \n";

    #[test]
    fn boxes_are_read_row_by_row() {
        let numbers: Vec<f64> = (0..12).map(f64::from).collect();
        let boxes = parse(&file(HEADER, &numbers)).unwrap();
        assert_eq!(boxes.len(), 2);
        assert_eq!(boxes[1], Aabb { min: DVec3::new(6.0, 7.0, 8.0), max: DVec3::new(9.0, 10.0, 11.0) });
        assert_eq!(parse(&file(&HEADER.replace("2, 6", "0, 6"), &[])).unwrap(), []);
    }

    #[test]
    fn what_is_no_array_of_boxes_is_refused() {
        let message = |bytes: &[u8]| parse(bytes).unwrap_err().to_string();
        assert!(message(b"hello").contains("does not begin"));
        assert!(message(&file(&HEADER.replace("<f8", "<f4"), &[])).contains("<f8"));
        assert!(message(&file(&HEADER.replace("False", "True"), &[])).contains("column by column"));
        assert!(message(&file(&HEADER.replace("2, 6", "12,"), &[0.0; 12])).contains("(n, 6)"));
        assert!(message(&file(HEADER, &[0.0; 11])).contains("88 bytes"));
        assert!(
            message(&file(&HEADER.replace("2, 6", "99999999999999999999, 6"), &[])).contains("too large")
        );
        assert!(message(&file(&HEADER.replace("2, 6", "4611686018427387904, 6"), &[])).contains("need 48"));
        for version in [0, 4, 9] {
            let mut other = file(HEADER, &[0.0; 12]);
            other[6] = version;
            assert!(message(&other).contains(&format!("version {version};")), "{}", message(&other));
        }
        // Versions 2 and 3 have a longer length.
        let short = file(HEADER, &[0.0; 12]);
        for version in [2, 3] {
            let longer = [b"\x93NUMPY", &[version, 0][..], &short[8..10], &[0, 0], &short[10..]].concat();
            assert_eq!(parse(&longer).unwrap().len(), 2);
        }
        let open = [HEADER.replace('}', " "), HEADER.replace('{', " "), HEADER.replace('}', "")];
        for open in open.into_iter().chain([String::new(), "[2, 6]".to_owned(), "{".to_owned()]) {
            assert!(message(&file(&open, &[0.0; 12])).contains("no dictionary"), "{open}");
        }
        // Cut off anywhere, it is refused or complete.
        let whole = file(HEADER, &[0.0; 12]);
        assert!((0..whole.len()).all(|n| parse(&whole[..n]).is_err()));
    }

    /// A header with `(2, 6` or `'<f8` was read as if it were closed, and one that went on after it as well.
    #[test]
    fn a_header_that_is_no_literal_is_refused() {
        for (was, now, why) in [
            ("(2, 6)", "(2, 6", "between ( and )"),
            ("(2, 6)", "2, 6)", "between ( and )"),
            ("(2, 6)", "(2,, 6)", "between ( and )"),
            ("(2, 6)", "(2 6)", "between ( and )"),
            ("(2, 6)", "(2, -6)", "between ( and )"),
            ("(2, 6)", "(2, 6.0)", "between ( and )"),
            ("(2, 6)", "(6)", "between ( and )"),
            ("(2, 6)", "[2, 6]", "between ( and )"),
            ("(2, 6)", "((2, 6)", "between ( and )"),
            ("(2, 6)", "(2, 6))", "no dictionary"),
            ("(2, 6)", "(12,)", "(n, 6)"),
            ("(2, 6)", "()", "(n, 6)"),
            ("(2, 6)", "(1, 2, 6)", "(n, 6)"),
            ("'<f8'", "'<f8", "no dictionary"),
            ("'<f8'", "<f8'", "in quotes"),
            ("'<f8'", "'<f8x'", "type <f8"),
            ("'<f8'", "'>f8'", "type <f8"),
            ("'<f8'", "[('x', '<f8')]", "records"),
            ("False", "Falsehood", "True or False"),
            ("False", "0", "True or False"),
            ("False", "True", "column by column"),
            ("'descr': '<f8', ", "", "no descr"),
            ("'fortran_order': False, ", "", "no fortran_order"),
            ("'shape': (2, 6), ", "", "no shape"),
            ("'descr'", "'descr': '<f8', 'descr'", "twice"),
            ("'descr'", "'more': 1, 'descr'", "a key beside"),
            ("'descr'", "descr", "in quotes"),
            ("'descr':", "'descr'", "no dictionary"),
            ("}", "} x", "goes on"),
            ("}", "}}", "goes on"),
            ("{", "{{", "in quotes"),
            ("{", "x{", "no dictionary"),
        ] {
            assert!(HEADER.contains(was));
            let found = parse(&file(&HEADER.replacen(was, now, 1), &[0.0; 12])).map_err(|e| e.to_string());
            let message = found.unwrap_err();
            assert!(message.contains(why) && !message.contains('\n'), "{was} → {now}: {message}");
        }
        for (was, now) in [
            ("(2, 6), }", "(2,6)}"),
            ("(2, 6)", "( 2L , 6L , )"),
            ("'<f8'", "\"<f8\""),
            ("{", " { "),
            ("'descr': '<f8', 'fortran_order': False", "'fortran_order': False, 'descr': '<f8'"),
        ] {
            assert_eq!(parse(&file(&HEADER.replacen(was, now, 1), &[0.0; 12])).unwrap().len(), 2, "{now}");
        }
        let data = [file(HEADER, &[0.0; 12]), vec![0]].concat();
        assert!(parse(&data).unwrap_err().to_string().contains("97 bytes"));
    }
}
