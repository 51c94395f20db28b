//! Files that a file names, inside its own folder.

use std::path::{Component, Path, PathBuf};

/// Why no other file is opened for a model that is not one itself.
pub(crate) const NO_FOLDER: &str =
    "only bytes were given; put everything into one file, or read it by its path";

/// The path of the file that a relative URI names, through any links; or why it is not opened.
pub(crate) fn find(folder: &Path, uri: &str) -> Result<PathBuf, String> {
    let outside =
        "only files inside the model's own folder are opened; put everything into one file or folder";
    let relative = relative(uri).ok_or(outside)?;
    let unreadable = |e: std::io::Error| format!("{e}; put it beside the model");
    let home = folder.canonicalize().map_err(unreadable)?;
    let path = home.join(relative).canonicalize().map_err(unreadable)?;
    if path.starts_with(&home) { Ok(path) } else { Err(outside.to_owned()) }
}

/// The path that a URI names, if it is relative, has no scheme and never goes up.
fn relative(uri: &str) -> Option<PathBuf> {
    let decoded = unescaped(uri)?;
    if decoded.contains([':', '\\', '\0']) {
        return None;
    }
    let path = PathBuf::from(decoded);
    let plain = path.components().all(|c| matches!(c, Component::Normal(_) | Component::CurDir));
    (plain && path.file_name().is_some()).then_some(path)
}

/// The text with `%20` and the like replaced by what they stand for.
fn unescaped(uri: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let digits = std::str::from_utf8(after.get(..2)?).ok()?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        rest = &after[2..];
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_that_stay_inside_are_relative() {
        assert_eq!(relative("a%20b/./c.bin"), Some(PathBuf::from("a b/./c.bin")));
        for uri in [
            "/etc/passwd",
            "../x.bin",
            "a/../../x",
            "http://x/y",
            "file:///x",
            "C:\\x",
            "%2e%2e/x",
            "%2Fx",
            "",
            "%zz",
            "%0",
        ] {
            assert_eq!(relative(uri), None, "{uri}");
        }
    }
}
