//! Help texts that are wrapped once: by the width of the terminal, not by that of the source.

/// Lines of help are no longer than this, however wide the terminal.
pub const MOST: usize = 100;

/// The text with its hand-made line breaks undone where a line goes on, and wrapped at the width of the terminal.
///
/// Unindented lines that follow each other are one paragraph. In a list, `  name   meaning`, lines that begin below the
/// meaning belong to it and keep to its column. All other lines stand for themselves.
pub fn flowed(text: &str) -> String {
    let seen = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    wrapped(text, crate::report::told_columns().or_else(seen).map_or(MOST, |width| width.min(MOST)))
}

fn wrapped(text: &str, width: usize) -> String {
    let mut items: Vec<(usize, String)> = Vec::new();
    for line in text.lines() {
        let (indent, words) = (indent(line), line.trim_start());
        match items.last_mut() {
            Some((hang, item))
                if !words.is_empty() && !item.is_empty() && *hang == indent && goes_on(item, indent) =>
            {
                *item += " ";
                *item += words;
            }
            Some(_) | None => items.push((column(line), line.to_owned())),
        }
    }
    items.iter().map(|(hang, item)| broken(item, *hang, width)).collect::<Vec<_>>().join("\n")
}

fn indent(line: &str) -> usize {
    line.chars().take_while(|c| *c == ' ').count()
}

/// Where the lines that belong to this one begin: below the text behind its first wide gap, else below its own start.
fn column(line: &str) -> usize {
    let own = indent(line);
    let words = line.trim_start();
    let Some((name, rest)) = words.split_once("  ").filter(|_| own > 0) else { return own };
    own + name.chars().count() + 2 + indent(rest)
}

/// Whether a line at this column goes on with the item: in a list below the meaning, or in a paragraph.
fn goes_on(item: &str, column: usize) -> bool {
    column == 0 || column > indent(item)
}

/// One item in lines of at most `width`, all but the first beginning at `hang`. Words longer than that are not cut.
fn broken(item: &str, hang: usize, width: usize) -> String {
    let hang = if hang > width / 2 { indent(item) } else { hang };
    let (mut text, mut length) = (String::new(), 0);
    let mut words = item.split(' ').peekable();
    while let Some(word) = words.next() {
        let size = word.chars().count();
        if length > hang && length + size > width {
            text.truncate(text.trim_end().len());
            text += "\n";
            text += &" ".repeat(hang);
            length = hang;
        }
        text += word;
        length += size;
        if words.peek().is_some() {
            text.push(' ');
            length += 1;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_and_lists_are_wrapped_once() {
        let text = "One two three\nfour five.\n\n  name      what it is and\n            more of it\n  other     x\nEnd:\n  a b c";
        let narrow = "One two three four five.\n\n  name      what it is\n            and more of\n            it\n  other     x\nEnd:\n  a b c";
        assert_eq!(wrapped(text, 24), narrow);
        let wide =
            "One two three four five.\n\n  name      what it is and more of it\n  other     x\nEnd:\n  a b c";
        assert_eq!(wrapped(text, 100), wide);
    }
}
