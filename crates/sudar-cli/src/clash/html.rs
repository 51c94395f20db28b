//! The report as one page that needs nothing else: style, script and data are all in it.

use std::path::Path;

use anyhow::{Context, Result};
use serde::Serialize;
use sudar::scene::Part;

use super::document::Document;
use super::drawing::{Drawing, drawing};
use crate::report;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const CANVAS: &str = include_str!("page_canvas.js");
const TABLE: &str = include_str!("page_table.js");
const VIEW: &str = include_str!("page_view.js");

/// What the page is made from: the document of `--json`, and what to draw.
#[derive(Debug, Serialize)]
struct Data<'a> {
    title: &'a str,
    version: &'static str,
    baseline: Option<&'a str>,
    document: &'a Document<'a>,
    drawing: Drawing,
}

/// Writes the report aside and then gives it its name.
pub fn write(
    path: &Path,
    title: &str,
    baseline: Option<&Path>,
    parts: &[Part],
    document: &Document<'_>,
) -> Result<()> {
    let baseline = baseline.map(|path| path.display().to_string());
    let data = Data {
        title,
        version: env!("CARGO_PKG_VERSION"),
        baseline: baseline.as_deref(),
        document,
        drawing: drawing(parts, document),
    };
    report::write_whole(path, &page(&data)?)
}

fn page(data: &Data<'_>) -> Result<String> {
    let fill = |place: &str| -> Result<String> {
        Ok(match place {
            "title" => escaped(data.title),
            "style" => STYLE.to_owned(),
            "data" => inert(&serde_json::to_string(data)?),
            "script" => format!("{CANVAS}\n{VIEW}\n{TABLE}"),
            other => other.to_owned(),
        })
    };
    // Places are written {{so}} in the page; they are filled in one pass, so that no filling is searched for places.
    let mut page = String::new();
    let mut pieces = PAGE.split("{{");
    page += pieces.next().unwrap_or_default();
    for piece in pieces {
        let (place, rest) = piece.split_once("}}").context("the page has a place without an end")?;
        page += &fill(place)?;
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
