//! The lines of a query file: bounded, expanded, blank ones left out.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use anyhow::{Context, Result, bail};
use flate2::read::MultiGzDecoder;
use sudar_record::MAX_LINE;

/// Most bytes that gzipped queries may expand to.
const MAX_EXPANDED: u64 = 8 << 30;

/// Whether a name stands for standard input or output.
pub fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Reads line by line.
pub struct Lines {
    reader: Box<dyn BufRead>,
    number: u64,
}

impl Lines {
    /// Opens a query file, gzipped or not; `-` is standard input.
    pub fn open(path: &Path) -> Result<Self> {
        if is_standard(path) {
            return Self::of(io::stdin(), MAX_EXPANDED).context("standard input cannot be read");
        }
        let name = || path.display().to_string();
        let unreadable = || format!("{}: cannot be read; check the name and the rights", path.display());
        // Asked before opening, since opening a pipe waits for a writer.
        if !std::fs::metadata(path).with_context(unreadable)?.is_file() {
            bail!("{}: is not a regular file; name a file, not a folder, pipe or device", name());
        }
        let file = File::open(path).with_context(unreadable)?;
        Self::of(file, MAX_EXPANDED).with_context(unreadable)
    }

    fn of(file: impl Read + 'static, limit: u64) -> io::Result<Self> {
        let mut plain = BufReader::with_capacity(1 << 16, file);
        let mut reader: Box<dyn BufRead> = if plain.fill_buf()?.starts_with(&[0x1f, 0x8b]) {
            Box::new(BufReader::with_capacity(
                1 << 16,
                Capped { inner: MultiGzDecoder::new(plain), left: limit },
            ))
        } else {
            Box::new(plain)
        };
        if reader.fill_buf()?.starts_with(b"\xef\xbb\xbf") {
            reader.consume(3);
        }
        Ok(Self { reader, number: 0 })
    }

    /// The next lines with their numbers from 1, without line endings; none at the end of the file. A line that is
    /// too long is cut just above [`MAX_LINE`], which is how it is known.
    pub fn batch(&mut self, lines: usize, bytes: usize) -> Result<Vec<(u64, Vec<u8>)>> {
        let mut batch = Vec::new();
        let mut size = 0;
        while batch.len() < lines && size < bytes {
            let Some(line) = self.next().with_context(|| format!("line {}", self.number))? else { break };
            if line.iter().any(|byte| !byte.is_ascii_whitespace()) {
                size += line.len();
                batch.push((self.number, line));
            }
        }
        Ok(batch)
    }

    fn next(&mut self) -> Result<Option<Vec<u8>>> {
        self.number += 1;
        let mut line = Vec::new();
        // One byte more than allowed, and a line ending.
        let most = MAX_LINE as u64 + 3;
        let read = (&mut self.reader).take(most).read_until(b'\n', &mut line)?;
        if read == 0 {
            return Ok(None);
        }
        if line.ends_with(b"\n") {
            line.pop();
            if line.ends_with(b"\r") {
                line.pop();
            }
        } else if read as u64 == most {
            self.reader.skip_until(b'\n')?;
        }
        Ok(Some(line))
    }
}

/// A reader that fails rather than give more than so many bytes.
struct Capped<R> {
    inner: R,
    left: u64,
}

impl<R: Read> Read for Capped<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.left = self.left.checked_sub(read as u64).ok_or_else(|| {
            io::Error::other(
                "expands to more than is allowed; if it is no gzip bomb, expand it with gunzip first",
            )
        })?;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use super::*;

    fn lines(text: &[u8]) -> Vec<(u64, String)> {
        let mut lines = Lines::of(Cursor::new(text.to_vec()), 1 << 20).unwrap();
        let batch = lines.batch(usize::MAX, usize::MAX).unwrap();
        batch.into_iter().map(|(n, line)| (n, String::from_utf8(line).unwrap())).collect()
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn both_line_endings_and_a_missing_last_one() {
        let expected = vec![(1, "{}".to_owned()), (4, "[ ]".to_owned()), (5, "x".to_owned())];
        let text = b"\xef\xbb\xbf{}\r\n\n \t\r\n[ ]\nx";
        assert_eq!(lines(text), expected);
        assert_eq!(lines(&gzip(text)), expected);
        assert_eq!(lines(b""), vec![]);
    }

    #[test]
    fn batches_stop_at_lines_and_bytes() {
        let mut lines = Lines::of(Cursor::new(b"aa\nbb\ncc\ndd\n".to_vec()), 0).unwrap();
        let mut sizes = || [lines.batch(1, 99).unwrap().len(), lines.batch(9, 3).unwrap().len()];
        assert_eq!(sizes(), [1, 2]);
        assert_eq!(sizes(), [1, 0]);
    }

    #[test]
    fn what_expands_too_far_is_refused() {
        let bomb = gzip(&vec![b' '; 200_000]);
        let error = match Lines::of(Cursor::new(bomb), 100_000) {
            Err(error) => error.to_string(),
            Ok(mut lines) => format!("{:#}", lines.batch(1, 1).unwrap_err()),
        };
        assert!(error.contains("expands to more"), "{error}");
    }
}
