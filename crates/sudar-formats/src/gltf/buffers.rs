//! The bytes behind buffers, fetched when first needed.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::path::Path;

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use super::document::Root;
use crate::beside;
use crate::source::{self, MAX_FILE};
use crate::{Cause, Place};

/// The buffers of a document.
pub struct Buffers<'a> {
    root: &'a Root,
    blob: Option<&'a [u8]>,
    folder: Option<&'a Path>,
    loaded: Vec<OnceCell<Cow<'a, [u8]>>>,
    /// How many bytes of other files may still be read.
    left: Cell<u64>,
}

impl<'a> Buffers<'a> {
    /// Buffers of which none is fetched yet.
    pub fn new(root: &'a Root, blob: Option<&'a [u8]>, folder: Option<&'a Path>) -> Self {
        let loaded = root.buffers.iter().map(|_| OnceCell::new()).collect();
        Self { root, blob, folder, loaded, left: Cell::new(MAX_FILE) }
    }

    /// The bytes of buffer view `index`.
    pub fn view(&self, index: usize) -> Result<&[u8], Cause> {
        let place = || Place::Item(format!("buffer view {index}"));
        let missing = || Cause::expected(place(), "a buffer view that exists", b"none");
        let view = self.root.buffer_views.get(index).ok_or_else(missing)?;
        let bytes = self.buffer(view.buffer)?;
        let (start, length) = (view.byte_offset, view.byte_length);
        let end = start.saturating_add(length);
        let beyond = || Cause::Claim {
            place: place(),
            what: "bytes of its buffer".to_owned(),
            claimed: end,
            room: bytes.len() as u64,
        };
        usize::try_from(end).ok().and_then(|end| bytes.get(start as usize..end)).ok_or_else(beyond)
    }

    fn buffer(&self, index: usize) -> Result<&[u8], Cause> {
        let place = || Place::Item(format!("buffer {index}"));
        let missing = || Cause::expected(place(), "a buffer that exists", b"none");
        let cell = self.loaded.get(index).ok_or_else(missing)?;
        if cell.get().is_none() {
            let bytes = self.fetch(index)?;
            let (claimed, room) = (self.root.buffers[index].byte_length, bytes.len() as u64);
            if claimed > room {
                return Err(Cause::Claim { place: place(), what: "bytes".to_owned(), claimed, room });
            }
            // It was empty a moment ago, so this cannot fail.
            let _ = cell.set(bytes);
        }
        Ok(cell.get().map_or(&[], |bytes| bytes))
    }

    fn fetch(&self, index: usize) -> Result<Cow<'a, [u8]>, Cause> {
        match (&self.root.buffers[index].uri, self.blob) {
            (Some(uri), _) => match uri.strip_prefix("data:") {
                Some(data) => from_data(data)
                    .map(Cow::Owned)
                    .ok_or_else(|| refused(uri, "its data URI is not valid base64; export again")),
                None => self.file(uri).map(Cow::Owned),
            },
            (None, Some(blob)) if index == 0 => Ok(Cow::Borrowed(blob)),
            (None, _) => Err(refused("without address", "only the first buffer of a GLB file needs none")),
        }
    }

    /// The bytes of a file inside the folder, through any links.
    fn file(&self, uri: &str) -> Result<Vec<u8>, Cause> {
        let folder = self.folder.ok_or_else(|| refused(uri, beside::NO_FOLDER))?;
        let path = beside::find(folder, uri).map_err(|why| refused(uri, &why))?;
        let bytes = source::raw(&path, self.left.get()).map_err(|e| refused(uri, &e.to_string()))?;
        self.left.set(self.left.get() - bytes.len() as u64);
        Ok(bytes)
    }
}

fn refused(uri: &str, why: &str) -> Cause {
    Cause::Buffer { uri: crate::error::quoted(uri.as_bytes()), why: why.to_owned() }
}

/// The bytes of a data URI after `data:`, which must be in base64 (RFC 4648), padded or not; `%`-escapes, which no
/// exporter writes, are refused.
fn from_data(data: &str) -> Option<Vec<u8>> {
    const PADDED_OR_NOT: GeneralPurposeConfig = GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::Indifferent);
    let (kind, digits) = data.split_once(',')?;
    let digits = digits.trim_ascii().trim_end_matches('=');
    let engine = GeneralPurpose::new(&STANDARD, PADDED_OR_NOT);
    kind.ends_with(";base64").then(|| engine.decode(digits).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_the_standard() {
        // The test vectors of RFC 4648, section 10.
        for (text, digits) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
        ] {
            let uri = format!("application/octet-stream;base64,{digits}");
            assert_eq!(from_data(&uri), Some(text.as_bytes().to_vec()));
        }
        assert_eq!(from_data(";base64,Zm9"), Some(b"fo".to_vec()));
        assert_eq!(from_data(";base64,Z"), None);
        assert_eq!(from_data(";base64,Zm9*"), None);
        assert_eq!(from_data("text/plain,foo"), None);
    }
}
