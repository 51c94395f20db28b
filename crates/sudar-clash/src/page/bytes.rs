//! Numbers beside the JSON: one block of bytes, which the page reads as it is.

use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;

/// Lists of whole numbers, one after the other, each beginning at a multiple of four bytes.
#[derive(Debug, Default)]
pub struct Bytes(Vec<u8>);

/// A list: where it begins, how many numbers it has, and of how many bytes each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Slice(usize, usize, usize);

impl Bytes {
    /// Adds a list, little-endian, of two bytes a number if all of them fit and otherwise of four.
    pub fn add(&mut self, numbers: &[u32]) -> Slice {
        let start = self.0.len();
        let short: Option<Vec<u16>> = numbers.iter().map(|&n| n.try_into().ok()).collect();
        match &short {
            Some(short) => self.0.extend(short.iter().flat_map(|n| n.to_le_bytes())),
            None => self.0.extend(numbers.iter().flat_map(|n| n.to_le_bytes())),
        }
        self.0.resize(self.0.len().next_multiple_of(4), 0);
        Slice(start, numbers.len(), if short.is_some() { 2 } else { 4 })
    }

    /// The JSON and these bytes, packed, as text that stands in a page as it is: base64 of gzip of the length of the
    /// JSON as a little-endian `u32`, the JSON with spaces up to a multiple of four bytes, and the bytes.
    pub fn packed_with(&self, mut json: String) -> std::io::Result<String> {
        json.extend(std::iter::repeat_n(' ', json.len().next_multiple_of(4) - json.len()));
        let length = u32::try_from(json.len()).map_err(std::io::Error::other)?;
        let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
        for piece in [&length.to_le_bytes()[..], json.as_bytes(), &self.0] {
            gzip.write_all(piece)?;
        }
        Ok(STANDARD.encode(gzip.finish()?))
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn lists_take_two_bytes_a_number_where_they_fit_and_come_out_again() {
        let mut bytes = Bytes::default();
        assert_eq!(bytes.add(&[1, 2, 65535]), Slice(0, 3, 2));
        assert_eq!(bytes.add(&[65536]), Slice(8, 1, 4));
        assert_eq!(bytes.add(&[]), Slice(12, 0, 2));
        let text = bytes.packed_with("[1]".to_owned()).unwrap();
        let mut out = Vec::new();
        flate2::read::GzDecoder::new(&STANDARD.decode(text).unwrap()[..]).read_to_end(&mut out).unwrap();
        assert_eq!(out[..8], *b"\x04\0\0\0[1] ");
        assert_eq!(out[8..], [1, 0, 2, 0, 255, 255, 0, 0, 0, 0, 1, 0]);
    }
}
