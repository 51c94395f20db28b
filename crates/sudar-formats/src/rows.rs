//! Rows of numbers: arrays of NumPy (.npy) and tables of commas (.csv).

use std::path::Path;

use crate::error::{Cause, FormatError};
use crate::{npy, source};

/// Numbers in rows of one length.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Rows {
    /// How many a row has.
    pub columns: usize,
    /// All of them, row by row.
    pub values: Vec<f64>,
}

/// Reads rows from an array of `float64` or `float32`, little-endian, with shape (n, m), or (m,) for one row; or from
/// lines of numbers between commas, of which the first may be names. Files whose names end in .csv are the latter. Both
/// may be gzipped. NaN and infinity are not refused here.
///
/// # Errors
/// A [`FormatError`]; [`Cause::Rows`] says what is wrong.
pub fn read_rows(path: &Path) -> Result<Rows, FormatError> {
    let name = path.display().to_string();
    let bytes = source::load(path).map_err(|cause| FormatError::new(&name, cause))?;
    rows_of(&bytes, &name)
}

/// Rows from the bytes of such a file, which is called by this name in errors.
///
/// # Errors
/// As [`read_rows`] for what is in the file.
pub fn rows_of(bytes: &[u8], name: &str) -> Result<Rows, FormatError> {
    let is_array = bytes.starts_with(b"\x93NUMPY");
    let read = if is_array { from_npy(bytes) } else { from_csv(bytes) };
    read.map_err(|why| FormatError::new(name, Cause::Rows(why)))
}

/// An array of truth values in NumPy's format, version 1.
pub fn npy_of_bools(values: &[bool]) -> Vec<u8> {
    let mut bytes = npy_header("|b1", &format!("({},)", values.len()));
    bytes.extend(values.iter().map(|value| u8::from(*value)));
    bytes
}

/// An array of numbers of 64 bits in NumPy's format, version 1, with as many columns; whole rows only.
pub fn npy_of_rows(rows: &Rows) -> Vec<u8> {
    let count = rows.values.len().checked_div(rows.columns).unwrap_or(0);
    let mut bytes = npy_header("<f8", &format!("({count}, {})", rows.columns));
    bytes.extend(rows.values.iter().take(count * rows.columns).flat_map(|value| value.to_le_bytes()));
    bytes
}

fn npy_header(kind: &str, shape: &str) -> Vec<u8> {
    let mut header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}");
    // The data begin at a multiple of 64.
    while (10 + header.len() + 1) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes
}

fn from_npy(bytes: &[u8]) -> Result<Rows, String> {
    let (header, data) = npy::opened(bytes)?;
    let (values, size): (Vec<f64>, usize) = match header.kind {
        "<f8" => (data.as_chunks::<8>().0.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect(), 8),
        "<f4" => {
            (data.as_chunks::<4>().0.iter().map(|bytes| f64::from(f32::from_le_bytes(*bytes))).collect(), 4)
        }
        _ => return Err("its numbers must be of type <f8 or <f4; save it with .astype('<f8')".to_owned()),
    };
    let (rows, columns) = match header.shape[..] {
        [columns] => (1, columns),
        [rows, columns] => (rows, columns),
        _ => return Err("its shape must be (n, m): a row for each configuration".to_owned()),
    };
    let wanted = rows.checked_mul(columns);
    if wanted != Some(values.len()) || data.len() != values.len() * size {
        return Err(format!("{rows} rows of {columns} numbers do not take {} bytes", data.len()));
    }
    Ok(Rows { columns, values })
}

fn from_csv(bytes: &[u8]) -> Result<Rows, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "it is neither .npy nor text".to_owned())?;
    let mut rows = Rows::default();
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    for (k, (i, line)) in lines.enumerate() {
        let numbers: Result<Vec<f64>, _> = line.split(',').map(|cell| cell.trim().parse::<f64>()).collect();
        let numbers = match numbers {
            Ok(numbers) => numbers,
            // Names above the columns.
            Err(_) if k == 0 => continue,
            Err(_) => return Err(format!("line {} has something else than numbers between commas", i + 1)),
        };
        if rows.columns == 0 {
            rows.columns = numbers.len();
        } else if rows.columns != numbers.len() {
            let (found, wanted) = (numbers.len(), rows.columns);
            return Err(format!("line {} has {found} numbers, and those before have {wanted}", i + 1));
        }
        rows.values.extend(numbers);
    }
    if rows.columns == 0 { Err("it holds no rows of numbers".to_owned()) } else { Ok(rows) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let rows = Rows { columns: 3, values: vec![1.0, -2.5, 1e300, f64::MIN_POSITIVE, 0.0, 7.0] };
        let bytes = npy_of_rows(&rows);
        assert_eq!(from_npy(&bytes).as_ref(), Ok(&rows));
        assert!((0..bytes.len()).all(|n| from_npy(&bytes[..n]).is_err()));
        let bools = npy_of_bools(&[true, false]);
        assert!(bools.ends_with(&[1, 0]) && (bools.len() - 2).is_multiple_of(64));
        assert!(from_npy(&bools).unwrap_err().contains("<f8 or <f4"));
    }

    #[test]
    fn floats_of_32_bits_and_single_rows_are_read() {
        let mut bytes = npy_header("<f4", "(2,)");
        bytes.extend([1.5_f32, -2.0].iter().flat_map(|x| x.to_le_bytes()));
        assert_eq!(from_npy(&bytes), Ok(Rows { columns: 2, values: vec![1.5, -2.0] }));
        let three = npy_header("<f8", "(1, 1, 1)");
        assert!(from_npy(&three).unwrap_err().contains("(n, m)"));
        let huge = npy_header("<f8", "(9223372036854775807, 9)");
        assert!(from_npy(&huge).is_err());
        for open in ["(2, 1", "2, 1)", "(2 1)", "(2)", "(2, 1)}"] {
            let bytes = [npy_header("<f8", open), vec![0; 16]].concat();
            assert!(from_npy(&bytes).is_err(), "{open}");
        }
        let more = [npy_header("<f8", "(2, 1)"), vec![0; 17]].concat();
        assert!(from_npy(&more).unwrap_err().contains("17 bytes"));
    }

    #[test]
    fn tables_may_have_names_above() {
        let found = from_csv(b"a, b\n1, 2\n\n3,4e-1\n");
        assert_eq!(found, Ok(Rows { columns: 2, values: vec![1.0, 2.0, 3.0, 0.4] }));
        assert!(from_csv(b"1,2\n3\n").unwrap_err().contains("line 2 has 1 numbers"));
        assert!(from_csv(b"1,2\nx,3\n").unwrap_err().contains("line 2"));
        assert!(from_csv(b"a,b\n").unwrap_err().contains("no rows"));
        assert!(from_csv(&[0xff, 0xfe]).unwrap_err().contains("neither"));
    }
}
