//! From a path to the bytes of a file, expanded: regular files only, bounded memory.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;

use crate::Cause;

/// Most bytes of a file that is not compressed.
pub const MAX_FILE: u64 = 8 << 30;
/// Most bytes that a compressed file may expand to, however large it is itself.
pub const MAX_EXPANDED: u64 = 2 << 30;
/// Beyond [`FREE_EXPANSION`] a compressed file may be expanded to this many times its size. Meshes reach 5 to 20,
/// deflate itself about 1030: more than this is a bomb.
pub const MAX_RATIO: u64 = 200;
/// What any compressed file may expand to, at any size.
pub const FREE_EXPANSION: u64 = 64 << 20;

/// The file's bytes, expanded if they are gzip data.
pub(crate) fn load(path: &Path) -> Result<Vec<u8>, Cause> {
    expand(raw(path, MAX_FILE)?)
}

/// The bytes of a regular file of at most `limit` bytes.
pub(crate) fn raw(path: &Path, limit: u64) -> Result<Vec<u8>, Cause> {
    let unreadable = |e: io::Error| Cause::Unreadable(e.to_string());
    // Tested before opening, since opening a pipe waits for a writer.
    if !std::fs::metadata(path).map_err(unreadable)?.is_file() {
        return Err(Cause::NotRegular);
    }
    let file = File::open(path).map_err(unreadable)?;
    let size = file.metadata().map_err(unreadable)?.len();
    if size > limit {
        return Err(Cause::TooLarge { limit });
    }
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(size as usize).map_err(|e| Cause::Unreadable(e.to_string()))?;
    file.take(limit).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.is_empty() { Err(Cause::Empty) } else { Ok(bytes) }
}

/// The bytes themselves, or what they expand to if they begin as gzip data do.
pub(crate) fn expand(bytes: Vec<u8>) -> Result<Vec<u8>, Cause> {
    if !is_gzip(&bytes) {
        return Ok(bytes);
    }
    let limit = expansion_limit(bytes.len() as u64);
    let mut expanded = Vec::new();
    let mut reader = MultiGzDecoder::new(bytes.as_slice()).take(limit + 1);
    reader.read_to_end(&mut expanded).map_err(|e| Cause::Gzip(e.to_string()))?;
    if expanded.len() as u64 > limit {
        Err(Cause::Bomb { limit })
    } else if is_gzip(&expanded) {
        Err(Cause::Gzip("compressed twice".to_owned()))
    } else if expanded.is_empty() {
        Err(Cause::Empty)
    } else {
        Ok(expanded)
    }
}

pub(crate) fn expansion_limit(compressed: u64) -> u64 {
    compressed.saturating_mul(MAX_RATIO).clamp(FREE_EXPANSION, MAX_EXPANDED)
}

fn is_gzip(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x1f, 0x8b])
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn gzip_data_are_known_by_their_first_bytes() {
        assert_eq!(expand(gzip(b"v 0 0 0")), Ok(b"v 0 0 0".to_vec()));
        assert_eq!(expand(b"v 0 0 0".to_vec()), Ok(b"v 0 0 0".to_vec()));
    }

    #[test]
    fn several_members_follow_each_other() {
        assert_eq!(expand([gzip(b"v 0 "), gzip(b"0 0")].concat()), Ok(b"v 0 0 0".to_vec()));
    }

    #[test]
    fn a_bomb_is_refused_before_it_fills_the_memory() {
        // 100 MiB of zeros take about 100 kB: more than 64 MiB and more than 200 times the size.
        assert_eq!(expand(gzip(&vec![0; 100 << 20])), Err(Cause::Bomb { limit: FREE_EXPANSION }));
        assert_eq!(expansion_limit(1 << 40), MAX_EXPANDED);
    }

    #[test]
    fn cut_and_doubly_compressed_data_are_refused() {
        let whole = gzip(b"some text that is a little longer");
        for cut in 2..whole.len() {
            assert!(matches!(expand(whole[..cut].to_vec()), Err(Cause::Gzip(_))), "cut at {cut}");
        }
        assert!(matches!(expand(gzip(&whole)), Err(Cause::Gzip(_))));
    }

    #[test]
    fn only_regular_files_are_opened() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(load(folder.path()), Err(Cause::NotRegular));
        if cfg!(unix) {
            assert_eq!(load(Path::new("/dev/zero")), Err(Cause::NotRegular));
        }
        assert!(matches!(load(&folder.path().join("none")), Err(Cause::Unreadable(_))));
        let path = folder.path().join("empty.obj");
        std::fs::write(&path, b"").unwrap();
        assert_eq!(load(&path), Err(Cause::Empty));
    }
}
