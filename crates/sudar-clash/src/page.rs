//! The report as one page that needs nothing else: style, script and data are all in it.

mod bytes;
mod drawing;
mod keep;
mod meeting;

use serde::Serialize;

use crate::document::Document;
use crate::part::Part;
use crate::review::ReviewLog;
use drawing::{Drawing, drawing};

const PAGE: &str = include_str!("page/page.html");
const STYLES: [&str; 2] = [include_str!("page/page.css"), include_str!("page/print.css")];
/// One after the other in one function; each may use what those before it say.
const SCRIPTS: [&str; 15] = [
    include_str!("page/data.js"),
    include_str!("page/mesh.js"),
    include_str!("page/canvas.js"),
    include_str!("page/overlap.js"),
    include_str!("page/context.js"),
    include_str!("page/clashes.js"),
    include_str!("page/section.js"),
    include_str!("page/legend.js"),
    include_str!("page/measure.js"),
    include_str!("page/view.js"),
    include_str!("page/table.js"),
    include_str!("page/review.js"),
    include_str!("page/print.js"),
    include_str!("page/renew.js"),
    include_str!("page/main.js"),
];

/// What the page is made from: the document of `--json`, and what to draw.
#[derive(Debug, Serialize)]
struct Data<'a> {
    heading: &'a str,
    title: &'a str,
    version: &'static str,
    baseline: Option<&'a str>,
    /// The reviews of clashes that are not in the document, as the file of reviews has them.
    other_reviews: String,
    document: &'a Document<'a>,
    drawing: Drawing,
}

/// The report on these parts as one HTML page that works offline: a table that sorts and filters, and a 3-D view of
/// each clash. The heading and the title stand above it, `baseline` is the name of what it was compared with,
/// `log` the reviews with which the document was merged. `done` is called after
/// each clash is drawn, from any thread.
///
/// # Errors
/// None in practice; the signature is that of the JSON writer.
pub fn page(
    [heading, title]: [&str; 2],
    baseline: Option<&str>,
    parts: &[Part],
    document: &Document<'_>,
    log: Option<&ReviewLog>,
    done: &(dyn Fn() + Sync),
) -> Result<String, serde_json::Error> {
    let (drawing, bytes) = drawing(parts, document, done);
    let others = log.map(|log| log.others(document)).filter(|log| !log.is_empty());
    let others = others.map(|log| log.bare_text()).transpose().map_err(serde::ser::Error::custom)?;
    let other_reviews = others.unwrap_or_default();
    let data = Data {
        heading,
        title,
        version: env!("CARGO_PKG_VERSION"),
        baseline,
        other_reviews,
        document,
        drawing,
    };
    let data = bytes.packed_with(serde_json::to_string(&data)?).map_err(serde_json::Error::io)?;
    // Places are written {{so}} in the page; they are filled in one pass, so that no filling is searched for places.
    let mut pieces = PAGE.split("{{");
    let mut page = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (place, rest) = piece.split_once("}}").unwrap_or((piece, ""));
        match place {
            "heading" => page += &escaped(heading),
            "title" => page += &escaped(title),
            "style" => page.extend(STYLES),
            "data" => page += &data,
            "script" => page.extend(SCRIPTS),
            other => page += other,
        }
        page += rest;
    }
    Ok(page)
}

/// A page of [`page`] for a server that also answers `/state` with `{"round": n, "error": text or null}`. When the
/// round is another, the page loads anew with camera and filters as they were; it shows the error.
pub fn served(page: &str) -> String {
    let asks = format!("<script>\n{}</script>\n</body>", include_str!("page/served.js"));
    // Both stand once in the page before the data, or after it; names come as data, never as markup.
    let page = page.replacen("default-src 'none';", "default-src 'none'; connect-src 'self';", 1);
    match page.rfind("</body>") {
        Some(at) => format!("{}{asks}{}", &page[..at], &page[at + "</body>".len()..]),
        None => page,
    }
}

/// Text as it may stand between tags.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stays_text() {
        assert_eq!(escaped("<b>\"&"), "&lt;b&gt;&quot;&amp;");
    }

    #[test]
    fn every_place_of_the_page_is_known() {
        let places: Vec<&str> =
            PAGE.split("{{").skip(1).map(|piece| piece.split("}}").next().unwrap()).collect();
        assert_eq!(places, ["heading", "title", "style", "heading", "title", "data", "script"]);
    }
}
