//! Text files: encodings, lines, words, numbers. No locale, no regular expressions, no copies of ASCII.

use std::borrow::Cow;

use sudar::DVec3;
use sudar::shape::MAX_COORDINATE;

use crate::error::{Cause, Place};

/// The text in an encoding that extends ASCII: UTF-16 is converted, a byte order mark removed.
///
/// UTF-16 is known by its mark, or by a NUL as the first or second byte, which no text in another encoding has.
pub(crate) fn decode(bytes: &[u8]) -> Cow<'_, [u8]> {
    match bytes {
        [0xef, 0xbb, 0xbf, text @ ..] => Cow::Borrowed(text),
        [0xff, 0xfe, text @ ..] => from_utf16(u16::from_le_bytes, text),
        [0xfe, 0xff, text @ ..] => from_utf16(u16::from_be_bytes, text),
        [1..=0xff, 0, ..] => from_utf16(u16::from_le_bytes, bytes),
        [0, 1..=0xff, ..] => from_utf16(u16::from_be_bytes, bytes),
        _ => Cow::Borrowed(bytes),
    }
}

/// What is no UTF-16, a lone surrogate or half a unit at the end, becomes U+FFFD.
fn from_utf16(unit: fn([u8; 2]) -> u16, text: &[u8]) -> Cow<'static, [u8]> {
    let (pairs, rest) = text.as_chunks();
    let decoded = char::decode_utf16(pairs.iter().map(|&pair| unit(pair)));
    let mut text: String = decoded.map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
    if !rest.is_empty() {
        text.push(char::REPLACEMENT_CHARACTER);
    }
    Cow::Owned(text.into_bytes())
}

/// The lines of a text, which end with LF, CR LF or CR.
pub(crate) struct Lines<'a> {
    rest: &'a [u8],
    number: u64,
    upcoming: u64,
    continued: bool,
}

impl<'a> Lines<'a> {
    /// Lines as they stand.
    pub fn new(text: &'a [u8]) -> Self {
        Self { rest: text, number: 0, upcoming: 1, continued: false }
    }

    /// Lines of which one ending in a backslash goes on in the next, unless it is a `#` comment.
    pub fn continued(text: &'a [u8]) -> Self {
        Self { continued: true, ..Self::new(text) }
    }

    /// The place of the line given last.
    pub fn place(&self) -> Place {
        Place::Line(self.number.max(1))
    }

    /// How many bytes are left.
    pub fn left(&self) -> usize {
        self.rest.len()
    }

    /// The next line that has a word on it and is no comment.
    pub fn next_filled(&mut self) -> Option<&'a [u8]> {
        loop {
            let line = self.next()?;
            if Words(line).next().is_some() {
                return Some(line);
            }
        }
    }

    /// As [`Lines::next_filled`]; the end of the file is an error.
    pub fn need(&mut self, expected: &str) -> Result<&'a [u8], Cause> {
        let place = Place::Line(self.upcoming);
        self.next_filled().ok_or_else(|| Cause::ends(place, expected, "the file"))
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        self.number = self.upcoming;
        let joins = self.continued && !self.rest.trim_ascii_start().starts_with(b"#");
        let (mut stop, mut after) = line_end(self.rest, 0);
        self.upcoming += 1;
        while joins && self.rest[..stop].ends_with(b"\\") && after < self.rest.len() {
            (stop, after) = line_end(self.rest, after);
            self.upcoming += 1;
        }
        let line = &self.rest[..stop];
        self.rest = &self.rest[after..];
        Some(line)
    }
}

/// Where the line ends that `from` lies on, and where the next begins.
fn line_end(text: &[u8], from: usize) -> (usize, usize) {
    match text[from..].iter().position(|&b| b == b'\n' || b == b'\r') {
        None => (text.len(), text.len()),
        Some(length) => {
            let stop = from + length;
            let mark = if text[stop..].starts_with(b"\r\n") { 2 } else { 1 };
            (stop, stop + mark)
        }
    }
}

/// The words of a line up to a `#`; the backslash of a continued line is none.
#[derive(Clone)]
pub(crate) struct Words<'a>(pub &'a [u8]);

impl<'a> Iterator for Words<'a> {
    type Item = &'a [u8];

    #[inline]
    fn next(&mut self) -> Option<&'a [u8]> {
        loop {
            let start = self.0.iter().position(|&b| !is_space(b))?;
            let text = &self.0[start..];
            if text[0] == b'#' {
                return None;
            }
            let end = text.iter().position(|&b| is_space(b)).unwrap_or(text.len());
            let (mut word, rest) = text.split_at(end);
            self.0 = rest;
            if rest.first().is_none_or(|&b| b == b'\n' || b == b'\r') {
                word = word.strip_suffix(b"\\").unwrap_or(word);
            }
            if !word.is_empty() {
                return Some(word);
            }
        }
    }
}

#[inline]
fn is_space(b: u8) -> bool {
    matches!(b, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

/// The rest of a line as a name: trimmed, on one line, nothing if empty.
pub(crate) fn name(rest: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(rest.trim_ascii());
    (!text.is_empty()).then(|| crate::error::one_line(&text))
}

/// The word as a number; NaN and infinities are numbers here.
#[inline]
pub(crate) fn number(word: &[u8]) -> Option<f64> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

/// The word as an integer, also with a leading `+`.
#[inline]
pub(crate) fn integer<T: std::str::FromStr>(word: &[u8]) -> Option<T> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

/// The next three words as a finite point.
#[inline]
pub(crate) fn point(words: &mut Words<'_>, place: impl Fn() -> Place) -> Result<DVec3, Cause> {
    let mut p = [0.0; 3];
    for x in &mut p {
        let word = words.next().ok_or_else(|| Cause::ends(place(), "three coordinates", "the line"))?;
        *x = number(word).ok_or_else(|| Cause::expected(place(), "a number", word))?;
        check_coordinate(*x, &place)?;
    }
    Ok(DVec3::from_array(p))
}

/// Refuses a coordinate that a mesh would refuse, while its place is known.
#[inline]
pub(crate) fn check_coordinate(found: f64, place: impl Fn() -> Place) -> Result<(), Cause> {
    if !found.is_finite() {
        Err(Cause::NotFinite { place: place(), found })
    } else if found.abs() > MAX_COORDINATE {
        Err(Cause::TooFar { place: place(), found })
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &[u8]) -> Vec<&[u8]> {
        Words(line).collect()
    }

    #[test]
    fn every_kind_of_line_end_counts_once() {
        let mut lines = Lines::new(b"a\nb\r\nc\rd\n\ne");
        let all: Vec<&[u8]> = lines.by_ref().collect();
        assert_eq!(all, [&b"a"[..], b"b", b"c", b"d", b"", b"e"]);
        assert_eq!(lines.place(), Place::Line(6));
    }

    #[test]
    fn a_backslash_joins_lines_and_is_no_word() {
        let mut lines = Lines::continued(b"f 1 2\\\r\n3 \\\n4\n# c:\\\nv");
        assert_eq!(words(lines.next().unwrap()), [b"f", b"1", b"2", b"3", b"4"]);
        assert_eq!(lines.place(), Place::Line(1));
        assert_eq!(lines.next().unwrap(), b"# c:\\");
        assert_eq!(lines.place(), Place::Line(4));
        assert_eq!(lines.next().unwrap(), b"v");
        assert_eq!(words(b"f 1 \\"), [b"f", b"1"]);
    }

    #[test]
    fn words_end_at_a_comment() {
        assert_eq!(words(b"  v\t1  2#3 # 4"), [&b"v"[..], b"1", b"2#3"]);
        assert!(words(b" # v").is_empty());
    }

    #[test]
    fn utf16_is_known_with_and_without_a_mark() {
        for bytes in
            [&b"\xff\xfev\0 \0"[..], b"\xfe\xff\0v\0 ", b"v\0 \0", b"\0v\0 ", b"\xef\xbb\xbfv ", b"v "]
        {
            assert_eq!(&*decode(bytes), b"v ", "{bytes:?}");
        }
    }

    #[test]
    fn numbers_are_those_of_rust() {
        for (word, value) in [("+1", 1.0), ("1.", 1.0), (".5", 0.5), ("1E2", 100.0), ("-2.e+1", -20.0)] {
            assert_eq!(number(word.as_bytes()), Some(value));
        }
        for word in ["3.1+e2", "1,5", "0x1", "", "1e"] {
            assert_eq!(number(word.as_bytes()), None, "{word}");
        }
    }

    #[test]
    fn a_point_needs_three_finite_numbers() {
        let read = |line: &[u8]| point(&mut Words(line), || Place::Line(1));
        assert_eq!(read(b"1 2 3 4"), Ok(DVec3::new(1.0, 2.0, 3.0)));
        assert!(matches!(read(b"1 nan 3"), Err(Cause::NotFinite { .. })));
        assert!(matches!(read(b"1 1e999 3"), Err(Cause::NotFinite { .. })));
        assert!(matches!(read(b"1 -2e90 3"), Err(Cause::TooFar { .. })));
        assert!(matches!(read(b"1 2"), Err(Cause::Expected { .. })));
    }
}
