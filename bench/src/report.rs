//! Tables: Markdown for people, CSV for machines.

use std::fmt::Write as _;
use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use comfy_table::{Table, presets};

/// Rows under a header, all cells text.
#[derive(Debug, Clone)]
pub struct Report {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Report {
    /// A table without rows.
    pub fn new(columns: &[&str]) -> Self {
        Self { columns: columns.iter().map(|c| (*c).to_owned()).collect(), rows: Vec::new() }
    }

    /// Adds a row; it should have as many cells as there are columns.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// Prints a heading and the table in Markdown.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn print(&self, heading: &str, out: &mut dyn Write) -> Result<()> {
        let mut table = Table::new();
        table.load_style(presets::ASCII_MARKDOWN).set_header(&self.columns).add_rows(&self.rows);
        writeln!(out, "\n### {heading}\n\n{table}")?;
        Ok(out.flush()?)
    }

    /// Writes the table as comma-separated values.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write_csv(&self, path: &Path) -> Result<()> {
        let mut text = String::new();
        for row in std::iter::once(&self.columns).chain(&self.rows) {
            let cells: Vec<_> = row.iter().map(|cell| quoted(cell)).collect();
            writeln!(text, "{}", cells.join(","))?;
        }
        fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
    }
}

fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}

/// A time or ratio with three significant digits; a dash for what was not measured.
pub fn figure(x: f64) -> String {
    if !x.is_finite() {
        return "–".to_owned();
    }
    let digits = if x.abs() >= 100.0 { 0 } else { (2.0 - x.abs().max(1e-9).log10().floor()) as usize };
    format!("{x:.digits$}")
}

/// A count; a dash for what was not measured.
pub fn count(n: Option<usize>) -> String {
    n.map_or_else(|| "–".to_owned(), |n| n.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_three_digits() {
        assert_eq!(
            [1234.5, 99.6, 1.234, 0.012_34].map(figure),
            ["1234", "99.6", "1.23", "0.0123"].map(String::from)
        );
        assert_eq!(figure(f64::NAN), "–");
    }

    #[test]
    fn cells_with_commas_are_quoted() {
        assert_eq!(quoted("a,\"b\""), "\"a,\"\"b\"\"\"");
    }
}
