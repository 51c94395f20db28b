//! Authors are named as the table of sources has them, wherever they are named.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

use std::path::{Path, PathBuf};

use sudar_classic::sources::ALL;

/// The files of the repository that people read, but for what is built or fetched.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let endings = ["rs", "md", "csv", "toml", "txt", "py", "html", "svg", "json"];
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            if !name.starts_with('.') && name != "target" && name != "node_modules" {
                files(&path, found);
            }
        } else if path.extension().is_some_and(|ending| endings.iter().any(|known| ending == *known)) {
            found.push(path);
        }
    }
}

/// Without the marks of letters.
fn plain(name: &str) -> String {
    name.replace('ć', "c").replace('š', "s").replace('ž', "z")
}

/// What is wrong with a name in a text.
fn wrong(text: &str) -> Option<String> {
    let words: Vec<&str> =
        text.split(|c: char| !(c.is_alphabetic() || c == '.')).filter(|w| !w.is_empty()).collect();
    for source in ALL {
        let names: Vec<&str> = source.author.split(' ').collect();
        let (surname, given) = (names[names.len() - 1], &names[..names.len() - 1]);
        for (place, word) in words.iter().enumerate() {
            let word = word.trim_end_matches('.');
            let around = words[place.saturating_sub(2)..=place].join(" ");
            let is_ascii = plain(surname) != surname && word == plain(surname);
            if is_ascii {
                return Some(around);
            }
            let before = place.checked_sub(1).map_or("", |k| words[k]);
            let is_initial =
                before.len() == 2 && before.ends_with('.') && before.starts_with(char::is_uppercase);
            let is_other = ALL
                .iter()
                .any(|other| other.author != source.author && other.author.split(' ').next() == Some(before));
            let is_own = words[..place].ends_with(given);
            if word == surname && (is_other || is_initial && !is_own) {
                return Some(around);
            }
        }
    }
    None
}

#[test]
fn no_author_has_another_name_anywhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut all = Vec::new();
    files(&root, &mut all);
    let mut named = 0;
    for path in all.iter().filter(|path| !path.ends_with("tests/names.rs")) {
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        assert_eq!(wrong(&text), None, "{}", path.display());
        named += ALL.iter().filter(|source| text.contains(source.author)).count();
    }
    assert!(named > 20, "{named}");
}

#[test]
fn other_names_are_found() {
    for text in
        ["J. Daneu 2002", "(T. Huotari", "B. Dimitrijević", "Mastera 2007", "I. S. Pandžić", "Petr Daneu"]
    {
        assert!(wrong(text).is_some(), "{text}");
    }
    for text in ["Aleš Daneu 2002", "as in Huotari 2011", "Igor S. Pandžić", "Of Maštera. Huotari"] {
        assert_eq!(wrong(text), None, "{text}");
    }
}
