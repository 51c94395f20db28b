//! The zip archive around a BCF file, unpacked within bounds.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{Cursor, Read, Write};

use zip::result::{ZipError, ZipResult};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

use super::error::BcfError;

/// The entries by their names, with `/` between folders; folders themselves are not among them.
pub(super) type Files = BTreeMap<String, Vec<u8>>;

/// The file that says which version a BCF file is of.
pub(super) const VERSION: &str = "bcf.version";

/// No more entries than this are read: some 60 000 topics.
const MAX_ENTRIES: usize = 200_000;
/// No more bytes than this are unpacked.
const MAX_BYTES: u64 = 1 << 30;
/// Nor more than so many times the bytes of the archive, and some to begin with. XML is deflated 10 to 30 times,
/// pictures hardly.
const MAX_RATIO: u64 = 200;
const FREE_BYTES: u64 = 16 << 20;

/// Unpacks an archive.
pub(super) fn unpack(bytes: &[u8]) -> Result<Files, BcfError> {
    let most = MAX_BYTES.min(FREE_BYTES + MAX_RATIO * bytes.len() as u64);
    let too_large = || BcfError::TooLarge { most, entries: MAX_ENTRIES };
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(BcfError::NotZip)?;
    if archive.len() > MAX_ENTRIES {
        return Err(too_large());
    }
    let mut left = most;
    let mut files = Files::new();
    for number in 0..archive.len() {
        let Some((name, content)) = entry(&mut archive, number, left)? else { continue };
        left = left.checked_sub(content.len() as u64).ok_or_else(too_large)?;
        if files.contains_key(&name) {
            return Err(BcfError::Name(name));
        }
        files.insert(name, content);
    }
    Ok(files)
}

/// Name and content of an entry, of which one byte more than `most` is read at most; `None` for a folder.
fn entry(
    archive: &mut ZipArchive<Cursor<&[u8]>>,
    number: usize,
    most: u64,
) -> Result<Option<(String, Vec<u8>)>, BcfError> {
    let known = archive.name_for_index(number).and_then(Result::ok);
    let known = known.map_or_else(|| format!("entry {number}"), Cow::into_owned);
    let failed = |reason: String| BcfError::Entry { entry: shown(&known), reason };
    let file = archive.by_index(number).map_err(|error| failed(error.to_string()))?;
    if file.is_dir() {
        return Ok(None);
    }
    // What is said of the size is not trusted: it may be anything.
    let mut content = Vec::new();
    file.take(most.saturating_add(1)).read_to_end(&mut content).map_err(|error| failed(error.to_string()))?;
    Ok(Some((safe(&known)?, content)))
}

/// The name with `/` between folders, if it stays within the archive. Some tools write `\`.
fn safe(name: &str) -> Result<String, BcfError> {
    let name = name.replace('\\', "/");
    let is_plain = |step: &str| !step.is_empty() && step != "." && step != ".." && !step.contains(':');
    let is_safe = name.split('/').all(is_plain) && !name.contains('\0');
    if is_safe { Ok(name) } else { Err(BcfError::Name(shown(&name))) }
}

/// A name as it may stand in a message.
fn shown(name: &str) -> String {
    name.chars().take(200).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

/// Packs files, the version first; equal files make equal archives.
pub(super) fn pack(files: &Files) -> Result<Vec<u8>, BcfError> {
    packed(files).map_err(BcfError::Write)
}

fn packed(files: &Files) -> Result<Vec<u8>, ZipError> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let first = files.keys().filter(|name| name.ends_with(VERSION));
    let rest = files.keys().filter(|name| !name.ends_with(VERSION));
    let mut folder = "";
    for name in first.chain(rest) {
        let own = name.rfind('/').map_or("", |at| &name[..=at]);
        if own != folder {
            // Some readers find topics by the entries of their folders.
            add_folders(&mut writer, folder, own)?;
            folder = own;
        }
        writer.start_file(name.as_str(), options(name))?;
        writer.write_all(&files[name])?;
    }
    Ok(writer.finish()?.into_inner())
}

/// Adds the folders of a path that the one before does not have.
fn add_folders(writer: &mut ZipWriter<Cursor<Vec<u8>>>, before: &str, path: &str) -> ZipResult<()> {
    for (at, _) in path.match_indices('/') {
        if !before.starts_with(&path[..=at]) {
            writer.add_directory(&path[..=at], options(path))?;
        }
    }
    Ok(())
}

/// Pictures are deflated already.
fn options(name: &str) -> SimpleFileOptions {
    let is_picture =
        [".png", ".jpg", ".jpeg"].iter().any(|ending| name.to_ascii_lowercase().ends_with(ending));
    let method = if is_picture { CompressionMethod::Stored } else { CompressionMethod::Deflated };
    SimpleFileOptions::default().compression_method(method).last_modified_time(DateTime::default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zipped(entries: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, content) in entries {
            writer.start_file(*name, SimpleFileOptions::default()).unwrap();
            writer.write_all(content).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    #[test]
    fn what_is_packed_is_unpacked() {
        let names = ["b/markup.bcf", "a/x.png", "a/markup.bcf", VERSION, "z.txt"];
        let files: Files = names.iter().map(|name| ((*name).to_owned(), name.as_bytes().to_vec())).collect();
        let bytes = pack(&files).unwrap();
        assert_eq!(unpack(&bytes).unwrap(), files);
        assert_eq!(bytes, pack(&files).unwrap());
        let archive = ZipArchive::new(Cursor::new(&bytes)).unwrap();
        let found: Vec<String> = archive.file_names().map(|name| name.unwrap().into_owned()).collect();
        assert_eq!(found, [VERSION, "a/", "a/markup.bcf", "a/x.png", "b/", "b/markup.bcf", "z.txt"]);
    }

    #[test]
    fn names_that_lead_out_are_refused() {
        for name in ["../x", "/etc/passwd", "a/../../x", "C:\\x", "a\\..\\x", "a//b"] {
            assert!(matches!(unpack(&zipped(&[(name, b"x")])), Err(BcfError::Name(_))), "{name}");
        }
        let found = unpack(&zipped(&[("a\\markup.bcf", b"x")])).unwrap();
        assert!(found.contains_key("a/markup.bcf"));
        assert!(matches!(unpack(&zipped(&[("a\\b", b"x"), ("a/b", b"y")])), Err(BcfError::Name(_))));
    }

    #[test]
    fn bombs_are_refused_before_they_burst() {
        let bomb = zipped(&[("bomb", &vec![0; 40 << 20])]);
        assert!(bomb.len() < 100_000);
        let message = unpack(&bomb).unwrap_err().to_string();
        assert!(message.starts_with("unpacks to more than "), "{message}");
        // Many that are small enough each.
        let part = vec![0; 8 << 20];
        let names: Vec<String> = (0..6).map(|n| n.to_string()).collect();
        let parts: Vec<(&str, &[u8])> = names.iter().map(|name| (&**name, &part[..])).collect();
        assert!(matches!(unpack(&zipped(&parts)), Err(BcfError::TooLarge { .. })));
    }

    #[test]
    fn damage_is_named() {
        assert!(matches!(unpack(b"no archive"), Err(BcfError::NotZip(_))));
        let mut bytes = zipped(&[("a/markup.bcf", &[7; 5000])]);
        let at = bytes.iter().position(|&b| b == b'm').unwrap() + 14;
        bytes[at..at + 8].fill(0xff);
        let message = unpack(&bytes).unwrap_err().to_string();
        assert!(message.contains("save the BCF file again") && !message.contains('\n'), "{message}");
    }
}
