//! Pages whose numbers and sentences come from tables.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::Experiment;
use crate::output::file::{File, Result};
use crate::output::finding::say;
use crate::output::table::Tables;
use crate::systems::prose;

/// A page that is written from a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Its file.
    pub path: PathBuf,
    /// What the file must contain.
    pub text: String,
}

/// A template or a table cannot be read, or a template asks for what no table has.
#[derive(Debug, Error)]
#[error("{}: {cause}", path.display())]
pub struct PageError {
    /// The file or folder.
    pub path: PathBuf,
    /// What went wrong.
    pub cause: Box<dyn Error + Send + Sync>,
}

impl PageError {
    fn at<E: Into<Box<dyn Error + Send + Sync>>>(path: &Path) -> impl Fn(E) -> Self {
        move |cause| Self { path: path.to_owned(), cause: cause.into() }
    }
}

/// The pages of a folder such as `docs`, from its templates and from the tables in its folder `reproduce`.
///
/// A template ends in `.md.in` and lies beside its page or below. Paragraphs with placeholders are wrapped at 120
/// columns, all else is copied. Placeholders are
///
/// - `{NAME findings}`: a list of the sentences of an experiment;
/// - `{TABLE COLUMN, KEY VALUE, …}`: the number in the only row with these cells, with three digits;
/// - `{systems table}`, `{systems tests of SYSTEM}`, `{systems of SYSTEM}`: the two cars, by all systems or by one.
///
/// # Errors
/// [`PageError`] if a file cannot be read or a placeholder cannot be filled.
pub fn pages(folder: &Path) -> std::result::Result<Vec<Page>, PageError> {
    let tables = folder.join("reproduce");
    let tables = Tables::of(&files_in(&tables)?).map_err(PageError::at(&tables))?;
    let page = |template: PathBuf| {
        let at = PageError::at(&template);
        let text = fs::read_to_string(&template).map_err(PageError::at(&template))?;
        let text = page_of(&text, &tables).map_err(at)?;
        Ok(Page { path: template.with_extension(""), text })
    };
    let mut templates = Vec::new();
    collect_templates(folder, &mut templates)?;
    templates.into_iter().map(page).collect()
}

/// The tables and figures in a folder, by name.
///
/// # Errors
/// [`PageError`] if the folder or a file in it cannot be read.
pub fn files_in(folder: &Path) -> std::result::Result<Vec<File>, PageError> {
    let is_output =
        |path: &PathBuf| path.extension().is_some_and(|ending| ending == "csv" || ending == "svg");
    let file = |path: PathBuf| {
        let text = fs::read_to_string(&path).map_err(PageError::at(&path))?;
        let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        Ok(File { name, text })
    };
    entries(folder)?.into_iter().filter(is_output).map(file).collect()
}

fn entries(folder: &Path) -> std::result::Result<Vec<PathBuf>, PageError> {
    let at = PageError::at(folder);
    let entries = fs::read_dir(folder).map_err(&at)?;
    let mut paths =
        entries.map(|entry| Ok(entry.map_err(&at)?.path())).collect::<std::result::Result<Vec<_>, _>>()?;
    paths.sort();
    Ok(paths)
}

fn collect_templates(folder: &Path, found: &mut Vec<PathBuf>) -> std::result::Result<(), PageError> {
    for path in entries(folder)? {
        if path.is_dir() {
            collect_templates(&path, found)?;
        } else if path.to_string_lossy().ends_with(".md.in") {
            found.push(path);
        }
    }
    Ok(())
}

const NOTE: &str = "<!-- Written by `sudar reproduce --pages` from the template beside this page. -->";

fn page_of(template: &str, tables: &Tables) -> Result<String> {
    let blocks = template.trim_end().split("\n\n").map(|block| filled(block, tables));
    Ok(format!("{NOTE}\n\n{}\n", blocks.collect::<Result<Vec<_>>>()?.join("\n\n")))
}

/// A paragraph with its placeholders replaced.
fn filled(block: &str, tables: &Tables) -> Result<String> {
    if !block.contains('{') {
        return Ok(block.to_owned());
    }
    let block = block.split_whitespace().collect::<Vec<_>>().join(" ");
    let (mut text, mut rest) = (String::new(), block.as_str());
    while let Some((before, from)) = rest.split_once('{') {
        let (asked, after) = from.split_once('}').ok_or("a placeholder has no end")?;
        let answer = answer(asked, tables).map_err(|cause| format!("{{{asked}}}: {cause}"))?;
        text += &format!("{before}{answer}");
        rest = after;
    }
    text += rest;
    Ok(text.lines().map(wrapped).collect::<Vec<_>>().join("\n"))
}

/// What a placeholder stands for.
fn answer(asked: &str, tables: &Tables) -> Result<String> {
    let (name, what) = asked.split_once(' ').ok_or("it names no table and column")?;
    if what == "findings" {
        let experiment = Experiment::by_name(name).ok_or("there is no such experiment")?;
        let items = (experiment.find)(tables)?.into_iter().map(|finding| format!("- {finding}"));
        return Ok(items.collect::<Vec<_>>().join("\n"));
    }
    match (name, what, what.split_once("of ")) {
        ("systems", "table", _) => prose::table(tables),
        ("systems", _, Some(("tests ", system))) => prose::tests(tables, system),
        ("systems", _, Some(("", system))) => prose::beside_engine(tables, system),
        _ => number(name, what, tables).map(say),
    }
}

/// The number in a column of the only row with the cells that follow.
fn number(table: &str, what: &str, tables: &Tables) -> Result<f64> {
    let mut parts = what.split(", ");
    let column = parts.next().unwrap_or_default();
    let cells = parts.map(|cell| cell.split_once(' ').ok_or_else(|| format!("{cell} has no value").into()));
    tables.get(table)?.number(&cells.collect::<Result<Vec<_>>>()?, column)
}

const WIDTH: usize = 120;

/// A paragraph or an item of a list in lines that are not too long; lines of tables as they are.
fn wrapped(line: &str) -> String {
    if line.starts_with('|') {
        return line.to_owned();
    }
    let indent = if line.starts_with("- ") { "\n  " } else { "\n" };
    let (mut text, mut width) = (String::new(), 0);
    for word in words(line) {
        let length = word.chars().count();
        let separator = match width {
            0 => "",
            _ if width + 1 + length > WIDTH => indent,
            _ => " ",
        };
        width = if separator == indent { indent.len() - 1 } else { width + separator.len() } + length;
        text += &format!("{separator}{word}");
    }
    text
}

/// Words of a line; the groups of digits of a number stay together.
fn words(line: &str) -> Vec<String> {
    let is_digit = |c: char| c.is_ascii_digit();
    let mut words: Vec<String> = Vec::new();
    for word in line.split(' ') {
        match words.last_mut() {
            Some(last) if last.ends_with(is_digit) && word.starts_with(is_digit) => {
                *last += &format!(" {word}");
            }
            _ => words.push(word.to_owned()),
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tables() -> Tables {
        let text = "a,b,c\nx y,1,12345.6\nx y,2,0.5\n".to_owned();
        Tables::of(&[File { name: "t.csv".to_owned(), text }]).unwrap()
    }

    #[test]
    fn a_placeholder_is_a_cell_with_three_digits() {
        let page = page_of("# A\n\nof {t c,\na x y, b 1} and\n{t c, b 2}.\n\nas\nis\n", &tables()).unwrap();
        assert_eq!(page, format!("{NOTE}\n\n# A\n\nof 12 300 and 0.5.\n\nas\nis\n"));
    }

    #[test]
    fn what_cannot_be_filled_says_why() {
        let problem = |template| page_of(template, &tables()).unwrap_err().to_string();
        assert_eq!(problem("{t d, b 1}"), "{t d, b 1}: there is no column d among a, b, c");
        assert_eq!(problem("{t c, a x y}"), "{t c, a x y}: 2 rows instead of one have [(\"a\", \"x y\")]");
        assert_eq!(problem("{u c}"), "{u c}: u.csv is missing");
        assert_eq!(problem("{u findings}"), "{u findings}: there is no such experiment");
        assert_eq!(problem("{u"), "a placeholder has no end");
    }

    #[test]
    fn lines_are_full_and_numbers_whole() {
        let item = format!("- {}", ["1234"; 60].join(" x "));
        let text = wrapped(&item);
        let lines: Vec<&str> = text.lines().collect();
        assert!(
            lines.iter().all(|line| line.chars().count() <= WIDTH) && lines[1].starts_with("  "),
            "{text}"
        );
        // Another word would not have fitted.
        assert!(lines.iter().rev().skip(1).all(|line| line.len() + 5 > WIDTH), "{text}");
        assert_eq!(text.split_whitespace().collect::<Vec<_>>().join(" "), item);
        assert_eq!(words("at 12 300 boxes 4"), ["at", "12 300", "boxes", "4"]);
        assert_eq!(wrapped(&format!("| {} |", "x ".repeat(100))).lines().count(), 1);
    }
}
