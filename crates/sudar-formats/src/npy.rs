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

/// The inside of the header, a dictionary, and what is after it.
pub(crate) fn opened(bytes: &[u8]) -> Result<(&str, &[u8]), String> {
    let (version, rest) = bytes
        .strip_prefix(b"\x93NUMPY")
        .and_then(|rest| rest.split_at_checked(2))
        .ok_or("it does not begin as a .npy file does")?;
    if !(1..=3).contains(&version[0]) {
        return Err(format!("it is .npy of version {}; save it as version 1, 2 or 3", version[0]));
    }
    let (header, data) = split(version[0], rest).ok_or("its header is cut off; copy it again")?;
    let header = header.trim().strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    let header = header.ok_or("its header is no dictionary from { to }; save it again")?;
    Ok((header, data))
}

fn parse(bytes: &[u8]) -> Result<Vec<Aabb>, Cause> {
    let (header, data) = opened(bytes).map_err(Cause::Boxes)?;
    let rows = rows(header).map_err(Cause::Boxes)?;
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
fn rows(header: &str) -> Result<usize, String> {
    let value = |key: &str| {
        let (_, rest) = header.split_once(&format!("'{key}':"))?;
        Some(rest.trim_start())
    };
    let kind = value("descr").unwrap_or_default();
    if !kind.starts_with("'<f8'") {
        return Err("its numbers must be of type <f8; save it with .astype('<f8')".to_owned());
    }
    if !value("fortran_order").unwrap_or_default().starts_with("False") {
        return Err("it is stored column by column; save it with numpy.ascontiguousarray".to_owned());
    }
    let shape = value("shape").and_then(|rest| rest.strip_prefix('(')).and_then(|rest| rest.split_once(')'));
    let sizes: Vec<&str> = shape.map_or(Vec::new(), |(sizes, _)| sizes.split(',').map(str::trim).collect());
    match sizes[..] {
        [rows, "6"] => rows.parse().map_err(|_| format!("its number of rows, {rows}, is too large")),
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
        for open in [HEADER.replace('}', " "), HEADER.replace('{', " "), HEADER.replace('}', "")] {
            assert!(message(&file(&open, &[0.0; 12])).contains("no dictionary"), "{open}");
        }
        // Cut off anywhere, it is refused or complete.
        let whole = file(HEADER, &[0.0; 12]);
        assert!((0..whole.len()).all(|n| parse(&whole[..n]).is_err()));
    }
}
