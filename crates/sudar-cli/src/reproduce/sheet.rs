//! Tables as comma-separated values with a head of comments.

use super::{figure, machine};

/// A table: comments, names of columns with their units, rows.
#[derive(Debug)]
pub struct Sheet {
    text: String,
    columns: usize,
}

impl Sheet {
    /// An empty table. Comments are lines that begin with `#`.
    pub fn new(comments: &[&str], columns: &[&str]) -> Self {
        let mut text = String::new();
        for comment in comments {
            text += &format!("# {comment}\n");
        }
        if figure::is_quick() {
            text += "# quick run: too small to be compared\n";
        }
        text += &format!("# {}\n{}\n", machine::line(), columns.join(","));
        Self { text, columns: columns.len() }
    }

    /// Adds a row with as many cells as there are columns.
    pub fn row(&mut self, cells: &[String]) {
        debug_assert_eq!(cells.len(), self.columns);
        self.text += &cells.iter().map(|c| quoted(c)).collect::<Vec<_>>().join(",");
        self.text.push('\n');
    }

    /// The file.
    pub fn text(self) -> String {
        self.text
    }
}

/// A cell in quotes if it holds a comma (RFC 4180).
fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_with_commas_are_quoted() {
        let mut sheet = Sheet::new(&["what"], &["a", "b"]);
        sheet.row(&["x, y".to_owned(), "1".to_owned()]);
        let text = sheet.text();
        assert!(text.starts_with("# what\n# ") && text.ends_with("\na,b\n\"x, y\",1\n"), "{text}");
    }
}
