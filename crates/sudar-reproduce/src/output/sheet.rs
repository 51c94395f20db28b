//! Tables as comma-separated values with a head of comments.

use std::fmt;

use sudar_classic::sources;

use crate::output::machine;

/// A table: comments, names of columns with their units, rows.
#[derive(Debug)]
pub struct Sheet {
    comments: String,
    rows: String,
}

impl Sheet {
    /// An empty table. Comments are lines that begin with `#`, with sources by their keys in braces; columns are
    /// separated by commas.
    pub fn new(comments: &[&str], columns: &str) -> Self {
        let spelled = |comment: &&str| sources::spelled(comment, sources::Source::citation);
        let comments = comments.iter().map(|comment| format!("# {}\n", spelled(comment))).collect();
        Self { comments, rows: format!("{columns}\n") }
    }

    /// Adds a row with as many cells as there are columns, separated by commas.
    pub fn row(&mut self, cells: fmt::Arguments<'_>) {
        self.rows += &format!("{cells}\n");
    }

    /// The file.
    pub fn text(self, quick: bool) -> String {
        let quick = if quick { "# quick run: too small to be compared\n" } else { "" };
        format!("{}{quick}# {}, {}\n{}", self.comments, machine::line(), machine::day(), self.rows)
    }
}

/// Numbers with four decimals, separated by commas.
pub fn numbers(numbers: &[f64]) -> String {
    numbers.iter().map(|x| format!("{x:.4}")).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_stand_before_columns_and_rows() {
        let mut sheet = Sheet::new(&["what"], "a,b");
        sheet.row(format_args!("x,{}", numbers(&[1.0])));
        let text = sheet.text(true);
        assert!(text.starts_with("# what\n# quick") && text.ends_with("\na,b\nx,1.0000\n"), "{text}");
    }
}
