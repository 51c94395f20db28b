//! The file of what people decide, which others may edit while a check runs.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use crate::report::{self, Aside};

/// Larger files are refused.
const MAX: u64 = 1 << 30;
/// How often a file is made anew that changed meanwhile.
const TRIES: usize = 3;

/// What a file holds; nothing if there is no such file yet. Only regular files of a reasonable size are read.
pub fn read(path: &Path, what: &str) -> Result<Option<Vec<u8>>> {
    let cannot = || format!("{}: cannot be read; check the name and the rights", path.display());
    let found = match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        found => found.with_context(cannot)?,
    };
    ensure!(found.is_file(), "{}: is not a regular file; name a {what} file", path.display());
    ensure!(found.len() <= MAX, "{}: is larger than {MAX} bytes; split it", path.display());
    fs::read(path).map(Some).with_context(cannot)
}

/// Replaces a file by what is made of it. It is read when this begins and compared when the new one is whole: if
/// somebody changed it meanwhile, all is made again of what it holds then, so that nothing is overwritten unread.
pub fn replace<T>(
    path: &Path,
    what: &str,
    mut make: impl FnMut(Option<&[u8]>) -> Result<(Vec<u8>, T)>,
) -> Result<T> {
    for _ in 0..TRIES {
        let before = read(path, what)?;
        let (content, made) = make(before.as_deref())?;
        let mut file = Aside::create(path)?;
        let cannot = || format!("{}: cannot be written; check the space left", path.display());
        file.write_all(&content).with_context(cannot)?;
        if read(path, what)? == before {
            file.finish()?;
            return Ok(made);
        }
    }
    bail!(
        "{}: was changed by others each time before it could be written, and is left as they wrote it; close it there \
         and run the check again",
        path.display()
    )
}

/// Text of a file.
pub fn text<'b>(path: &Path, bytes: &'b [u8]) -> Result<&'b str> {
    std::str::from_utf8(bytes).with_context(|| {
        format!("{}: is not UTF-8; save it as that", report::one_line(&path.display().to_string()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Adds a line to what a file holds, while another line is added by somebody else the first `edits` times.
    fn added(path: &Path, edits: usize) -> (Result<()>, usize) {
        let mut calls = 0;
        let done = replace(path, "text", |bytes| {
            calls += 1;
            let before = String::from_utf8(bytes.unwrap_or_default().to_vec()).unwrap();
            if calls <= edits {
                fs::write(path, format!("{before}theirs {calls}\n")).unwrap();
            }
            Ok((format!("{before}ours\n").into_bytes(), ()))
        });
        (done, calls)
    }

    #[test]
    fn what_others_wrote_meanwhile_is_read_before_it_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("decided.toml");
        let holds = || fs::read_to_string(&path).unwrap();
        let (done, calls) = added(&path, 0);
        assert!(done.is_ok() && calls == 1);
        assert_eq!(holds(), "ours\n");
        let (done, calls) = added(&path, 1);
        assert!(done.is_ok() && calls == 2);
        assert_eq!(holds(), "ours\ntheirs 1\nours\n");
        // One that somebody makes while there is none is no other.
        fs::remove_file(&path).unwrap();
        assert!(added(&path, 2).0.is_ok());
        assert_eq!(holds(), "theirs 1\ntheirs 2\nours\n");
    }

    #[test]
    fn a_file_that_never_rests_stays_as_others_wrote_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("decided.toml");
        let (refused, calls) = added(&path, TRIES);
        let message = refused.unwrap_err().to_string();
        assert!(
            message.contains("decided.toml: was changed by others") && !message.contains('\n'),
            "{message}"
        );
        assert_eq!(calls, TRIES);
        assert_eq!(fs::read_to_string(&path).unwrap(), "theirs 1\ntheirs 2\ntheirs 3\n");
        // Nothing is left beside it.
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
