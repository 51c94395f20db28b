//! What people and programs get to see: verdicts, one JSON document, tables, one-line complaints, whole files.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use anstyle::AnsiColor;
use anyhow::{Context, Result, bail};
use serde::Serialize;
use sudar::{Aabb, DVec3, Interval};
use sudar_formats::is_disruptive;
pub use sudar_reproduce::short;

/// How a command ended, and its exit status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// 0: all is well.
    Clean,
    /// 1: something was found.
    Found,
    /// 2: something could not be done.
    Failed,
}

impl Verdict {
    /// The exit status.
    pub fn status(self) -> u8 {
        match self {
            Self::Clean => 0,
            Self::Found => 1,
            Self::Failed => 2,
        }
    }
}

/// Says on standard error what is wrong, on one line.
pub fn complain(what: &str) {
    // Where not even standard error can be written, the exit status has to do.
    let _ = writeln!(io::stderr(), "sudar: {}", one_line(what));
}

/// The text without line breaks and other disruptive characters, which file names may hold.
pub fn one_line(text: &str) -> String {
    text.chars().map(|c| if is_disruptive(c) { '\u{fffd}' } else { c }).collect()
}

/// Prints help where help was asked for, otherwise one line about wrong arguments.
pub fn usage(error: &clap::Error) -> Verdict {
    use clap::error::ErrorKind;
    let asked_for = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    if !asked_for && error.kind() != ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        complain(&usage_line(&error.to_string()));
        return Verdict::Failed;
    }
    if let Err(failure) = written(error.print().and_then(|()| io::stdout().flush())) {
        complain(&format!("{failure:#}"));
        return Verdict::Failed;
    }
    if asked_for { Verdict::Clean } else { Verdict::Failed }
}

/// What became of writing to standard output. A reader that closes the pipe has seen enough, which is no error.
fn written(done: io::Result<()>) -> Result<()> {
    match done {
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        done => done.context("standard output cannot be written"),
    }
}

/// The paragraphs of a usage error but the call for help, on one line.
pub fn usage_line(text: &str) -> String {
    let text = text.strip_prefix("error: ").unwrap_or(text);
    let paragraphs = text.split("\n\n").filter(|p| !p.starts_with("For more information"));
    let joined = paragraphs.map(|p| p.split_whitespace().collect::<Vec<_>>().join(" "));
    let line = joined.filter(|p| !p.is_empty()).collect::<Vec<_>>().join("; ");
    format!("{line}; see --help")
}

/// Prints what a command found: one JSON document, or text for people unless they want it quiet.
pub fn give(json: bool, document: &impl Serialize, text: impl FnOnce() -> String) -> Result<()> {
    give_painted(json, document, &[], text)
}

/// [`give`] with some words painted at the beginning of lines, on a terminal that is to have colours.
pub fn give_painted(
    json: bool,
    document: &impl Serialize,
    colours: &[(&str, AnsiColor)],
    text: impl FnOnce() -> String,
) -> Result<()> {
    match (json, is_quiet()) {
        (true, _) => print(&self::json(document)?),
        (false, true) => Ok(()),
        (false, false) if has_colours() => write_out(&painted(&shown(&text()), colours)),
        (false, false) => print(&text()),
    }
}

/// Set once, before any work.
static QUIET: AtomicBool = AtomicBool::new(false);

/// From here on nothing is printed for people but errors.
pub fn be_quiet() {
    QUIET.store(true, Ordering::Relaxed);
}

/// Whether people want to see errors only.
pub fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// Prints on standard output, each line without disruptive characters.
pub fn print(text: &str) -> Result<()> {
    write_out(&shown(text))
}

fn shown(text: &str) -> String {
    text.chars().map(|c| if c != '\n' && is_disruptive(c) { '\u{fffd}' } else { c }).collect()
}

fn write_out(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    written(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

/// Whether standard output is a terminal and nobody asked for no colours.
fn has_colours() -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_dumb = std::env::var("TERM").is_ok_and(|term| term == "dumb");
    !is_set("NO_COLOR") && !is_dumb && io::stdout().is_terminal()
}

/// One JSON document and a line break.
pub fn json(document: &impl Serialize) -> Result<String> {
    Ok(escaped(serde_json::to_string(document)?) + "\n")
}

/// JSON in which disruptive characters, which only strings can hold, are escaped: it means the same.
pub fn escaped(json: String) -> String {
    if !json.contains(is_disruptive) {
        return json;
    }
    let escape = |c: char| if is_disruptive(c) { format!("\\u{:04x}", u32::from(c)) } else { c.to_string() };
    json.chars().map(escape).collect()
}

/// Lines above, between header and rows, and below.
const FRAME: comfy_table::TableStyle = comfy_table::TableStyle::new()
    .top_border(comfy_table::LineStyle::none().fill('─').junction('─'))
    .header_separator(comfy_table::LineStyle::none().fill('─').junction('─'))
    .bottom_border(comfy_table::LineStyle::none().fill('─').junction('─'));

/// How many characters the user says that a line has.
pub fn told_columns() -> Option<usize> {
    std::env::var("COLUMNS").ok()?.trim().parse().ok().filter(|columns| *columns > 0)
}

/// The same, or those of the terminal; none where text goes to a file.
fn columns() -> Option<usize> {
    let seen = || terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| usize::from(width.0));
    told_columns().or_else(seen)
}

/// A table for people, not wider than a line; the columns in `numbers` are aligned to the right. Ends with a
/// line break.
pub fn table(header: &[&str], numbers: &[usize], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut table = comfy_table::Table::new();
    table.load_style(FRAME);
    table.set_header(header.iter().copied());
    table.add_rows(
        rows.into_iter().map(|row| row.into_iter().map(|cell| one_line(&cell)).collect::<Vec<_>>()),
    );
    for &column in numbers {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(comfy_table::CellAlignment::Right);
        }
    }
    if let Some(columns) = columns() {
        fit(&mut table, columns);
    }
    table.trim_fmt() + "\n"
}

/// Lets a table be as wide as a line. Short cells are broken only where there is no room for anything else.
fn fit(table: &mut comfy_table::Table, columns: usize) {
    /// Columns up to this width are short.
    const SHORT: u16 = 12;
    /// What stands between two columns, and the least that is left for a long one.
    const BETWEEN: usize = 3;
    const LEAST: usize = 10;
    table.set_content_arrangement(comfy_table::ContentArrangement::Dynamic);
    table.set_width(u16::try_from(columns).unwrap_or(u16::MAX));
    let widths = table.column_max_content_widths();
    let least = |width: &u16| if *width <= SHORT { usize::from(*width) } else { LEAST };
    if widths.iter().map(least).sum::<usize>() + BETWEEN * widths.len() <= columns {
        for (i, _) in widths.iter().enumerate().filter(|(_, width)| **width <= SHORT) {
            if let Some(column) = table.column_mut(i) {
                column.set_constraint(comfy_table::ColumnConstraint::ContentWidth);
            }
        }
    }
}

/// The text with these words painted where they are the first or second of a line.
fn painted(text: &str, colours: &[(&str, AnsiColor)]) -> String {
    text.lines().map(|line| paint(line, colours) + "\n").collect()
}

fn paint(line: &str, colours: &[(&str, AnsiColor)]) -> String {
    let words = line.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).take(2);
    let known = |word: &str| colours.iter().find(|(known, _)| *known == word);
    let Some((word, colour)) = words.into_iter().find_map(known) else { return line.to_owned() };
    let style = anstyle::Style::new().fg_color(Some((*colour).into()));
    line.replacen(word, &format!("{style}{word}{style:#}"), 1)
}

/// Six significant digits of a number of 0 or more, rounded down.
pub fn short_below(x: f64) -> String {
    let near = short(x);
    let rounded: f64 = near.parse().unwrap_or(x);
    if rounded > x { short(rounded - sixth_digit(x)) } else { near }
}

/// Six significant digits of a number of 0 or more, rounded up.
pub fn short_above(x: f64) -> String {
    let near = short(x);
    let rounded: f64 = near.parse().unwrap_or(x);
    if rounded < x { short(rounded + sixth_digit(x)) } else { near }
}

/// Six digits, rounded outward where the ends differ in them; --json has all digits.
pub fn interval(&Interval { lower, upper }: &Interval) -> String {
    if short(lower) == short(upper) {
        return short(upper);
    }
    format!("in [{}, {}]", short_below(lower), short_above(upper))
}

/// A unit of the sixth significant digit.
fn sixth_digit(x: f64) -> f64 {
    let exponent = format!("{x:.5e}").rsplit('e').next().and_then(|e| e.parse::<i32>().ok()).unwrap_or(0);
    format!("1e{}", exponent - 5).parse().unwrap_or(0.0)
}

/// A point for people: coordinates that are nothing beside the greatest one are 0.
pub fn place(p: DVec3) -> String {
    let nothing = 1e-9 * p.abs().max_element();
    p.to_array().map(|x| short(if x.abs() < nothing { 0.0 } else { x })).join(", ")
}

/// The lengths of a box for people.
pub fn size(aabb: &Aabb) -> String {
    aabb.extent().to_array().map(short).join(" × ")
}

/// The version of the JSON documents about folders: it grows when a field changes its meaning or is no more.
pub const SCHEMA: u32 = 1;

/// A figure as SVG.
pub fn drawn(figure: &sudar_reproduce::Figure) -> Result<String> {
    figure.svg().map_err(|error| anyhow::anyhow!(error))
}

/// Refuses a file to be written whose name ends otherwise than what is written into it.
pub fn check_ending(path: &Path, ending: &str, what: &str) -> Result<()> {
    let found = path.extension().and_then(|found| found.to_str()).unwrap_or_default();
    if !found.eq_ignore_ascii_case(ending) {
        bail!("{}: is written as {what} only; let its name end in .{ending}", path.display());
    }
    Ok(())
}

/// "1 part", "2 parts".
pub fn count<N: Copy + Display + PartialEq + From<u8>>(n: N, what: &str) -> String {
    if n == N::from(1) { format!("1 {what}") } else { format!("{n} {what}s") }
}

/// A file that appears under its name only when it is whole, with complaints that name it.
#[derive(Debug)]
pub struct Aside {
    file: sudar_formats::Aside,
    target: PathBuf,
}

impl Aside {
    /// Starts the file.
    pub fn create(path: &Path) -> Result<Self> {
        let target = file_target(path)?;
        let file = sudar_formats::Aside::create(&target).with_context(|| cannot_write(path))?;
        Ok(Self { file, target })
    }

    /// Gives the file its name.
    pub fn finish(self) -> Result<()> {
        let Self { file, target } = self;
        file.finish()
            .with_context(|| format!("{}: cannot be written; check the space left", target.display()))
    }
}

impl Write for Aside {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Lets an interrupted command leave no temporary file behind. Ends with the status that shells give the signal.
pub fn clean_up_on_interrupt() {
    // Where no handler can be set, the command works all the same.
    let _ = ctrlc::set_handler(|| sudar_formats::Aside::remove_all(|| std::process::exit(130)));
}

/// Where a file goes, if there is a folder for it.
pub fn file_target(path: &Path) -> Result<PathBuf> {
    let target = target_of(path)?;
    if let Some(folder) = target.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir())
    {
        bail!(
            "{}: cannot be written: there is no folder {}; make it or name another",
            path.display(),
            folder.display()
        );
    }
    Ok(target)
}

/// Says that a file cannot be started.
pub fn cannot_write(path: &Path) -> String {
    format!("{}: cannot be written; check the folder and its rights", path.display())
}

/// Where the file really goes: through links, and never in place of a folder or device.
pub fn target_of(path: &Path) -> Result<PathBuf> {
    match std::fs::metadata(path) {
        Ok(found) if found.is_file() => Ok(std::fs::canonicalize(path)?),
        Ok(_) => {
            bail!("{}: is not a regular file and will not be replaced; name another file", path.display())
        }
        Err(_) => Ok(path.to_owned()),
    }
}

/// Whether both names lead to one file, through links of any kind.
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    match (std::fs::canonicalize(one), std::fs::canonicalize(other)) {
        (Ok(x), Ok(y)) => x == y || have_one_inode(&x, &y),
        (Ok(_) | Err(_), _) => false,
    }
}

#[cfg(unix)]
fn have_one_inode(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let number = |path: &Path| std::fs::metadata(path).ok().map(|found| (found.dev(), found.ino()));
    number(one).is_some_and(|inode| number(other) == Some(inode))
}

#[cfg(not(unix))]
fn have_one_inode(_: &Path, _: &Path) -> bool {
    false
}

/// Writes a whole file aside and renames it.
pub fn write_whole(path: &Path, content: impl AsRef<[u8]>) -> Result<()> {
    let mut file = Aside::create(path)?;
    let cannot = || format!("{}: cannot be written; check the space left", path.display());
    file.write_all(content.as_ref()).with_context(cannot)?;
    file.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usage_errors_become_one_line() {
        let text = "error: unexpected argument '--x' found\n\n  tip: use '--y'\n\nUsage: sudar info <FILE>...\n\n\
                    For more information, try '--help'.\n";
        let line = "unexpected argument '--x' found; tip: use '--y'; Usage: sudar info <FILE>...; see --help";
        assert_eq!(usage_line(text), line);
    }

    #[test]
    fn bounds_are_rounded_outward() {
        assert_eq!((short_below(0.1234567), short_above(0.1234567)), ("0.123456".into(), "0.123457".into()));
        assert_eq!((short_below(0.5), short_above(0.5)), ("0.5".into(), "0.5".into()));
        for k in 0..1000 {
            let x = f64::from(k) / 997.0 * 1e3;
            assert!(
                short_below(x).parse::<f64>().unwrap() <= x && x <= short_above(x).parse::<f64>().unwrap()
            );
        }
    }

    #[test]
    fn json_stays_what_it_is_when_it_is_escaped() {
        let name = "a\u{202e}b\u{7f}\u{2028}é\n\"";
        let text = json(&name).unwrap();
        assert_eq!(text, "\"a\\u202eb\\u007f\\u2028é\\n\\\"\"\n");
        assert_eq!(serde_json::from_str::<String>(&text).unwrap(), name);
    }

    #[test]
    fn a_file_appears_when_it_is_whole_and_devices_are_spared() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.txt");
        let mut aside = Aside::create(&path).unwrap();
        aside.write_all(b"half").unwrap();
        assert!(!path.exists());
        aside.finish().unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"half");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(Aside::create(folder.path()).unwrap_err().to_string().contains("not a regular file"));
        let missing = Aside::create(&folder.path().join("none/out.txt")).unwrap_err().to_string();
        assert!(missing.contains("there is no folder") && missing.contains("none;"), "{missing}");
    }
}
