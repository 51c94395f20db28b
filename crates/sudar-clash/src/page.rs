//! The report as one page that needs nothing else: style, script and data are all in it.

use serde::Serialize;

use crate::document::Document;
use crate::drawing::{Drawing, drawing};
use crate::part::Part;

const PAGE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
const CANVAS: &str = include_str!("page/canvas.js");
const TABLE: &str = include_str!("page/table.js");
const VIEW: &str = include_str!("page/view.js");

/// What the page is made from: the document of `--json`, and what to draw.
#[derive(Debug, Serialize)]
struct Data<'a> {
    title: &'a str,
    version: &'static str,
    baseline: Option<&'a str>,
    document: &'a Document<'a>,
    drawing: Drawing,
}

/// The report on these parts as one HTML page that works offline: a table that sorts and filters, and a 3-D view of
/// each clash. `title` stands above it, `baseline` is the name of what it was compared with. `done` is called after
/// each clash is drawn, from any thread.
///
/// # Errors
/// None in practice; the signature is that of the JSON writer.
pub fn page(
    title: &str,
    baseline: Option<&str>,
    parts: &[Part],
    document: &Document<'_>,
    done: &(dyn Fn() + Sync),
) -> Result<String, serde_json::Error> {
    let drawing = drawing(parts, document, done);
    let data = Data { title, version: env!("CARGO_PKG_VERSION"), baseline, document, drawing };
    let data = inert(&serde_json::to_string(&data)?);
    // Places are written {{so}} in the page; they are filled in one pass, so that no filling is searched for places.
    let mut pieces = PAGE.split("{{");
    let mut page = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (place, rest) = piece.split_once("}}").unwrap_or((piece, ""));
        match place {
            "title" => page += &escaped(title),
            "style" => page += STYLE,
            "data" => page += &data,
            "script" => page.extend([CANVAS, "\n", VIEW, "\n", TABLE]),
            other => page += other,
        }
        page += rest;
    }
    Ok(page)
}

/// Text as it may stand between tags.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// JSON that no HTML parser takes for a tag, comment or end of a script: such characters occur in strings only, where
/// JSON may write them by number.
fn inert(json: &str) -> String {
    let escapes = [('<', "\\u003c"), ('>', "\\u003e"), ('&', "\\u0026"), ('\u{2028}', "\\u2028")];
    let text = escapes.iter().fold(json.to_owned(), |text, (c, code)| text.replace(*c, code));
    text.replace('\u{2029}', "\\u2029")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_cannot_leave_its_script() {
        let nasty = "</script><!--<script>&\u{2028}\u{2029}\"'\\";
        let json = inert(&serde_json::to_string(nasty).unwrap());
        assert!(!json.contains(['<', '>', '&', '\u{2028}', '\u{2029}']));
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), nasty);
        assert_eq!(escaped("<b>\"&"), "&lt;b&gt;&quot;&amp;");
    }

    #[test]
    fn every_place_of_the_page_is_known() {
        let places: Vec<&str> =
            PAGE.split("{{").skip(1).map(|piece| piece.split("}}").next().unwrap()).collect();
        assert_eq!(places, ["title", "style", "title", "data", "script"]);
    }
}
