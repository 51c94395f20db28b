//! One page of all figures and sentences.

use std::fmt::Write as _;

use crate::output::finding::Finding;
use crate::output::machine;
use crate::plan::Output;

/// Where a source can be found in a library: how sentences name it, and its title page.
const SOURCES: [(&str, &str); 5] = [
    (
        "Daneu 2002",
        "Algoritmi za odkrivanje trkov (Algorithms for collision detection). Diploma thesis, University of Ljubljana, Faculty of Computer and Information Science, 2002. In Slovene.",
    ),
    (
        "Huotari 2011",
        "M. Huotari: Törmäyksen tunnistus 3D-ympäristössä (Collision detection in a 3D environment). Bachelor's thesis, 2011. In Finnish.",
    ),
    (
        "Dimitrijević 2019",
        "B. Dimitrijević: Real-time collision detection algorithms. Master's thesis, University of Belgrade, Faculty of Mathematics, 2019. In Serbian.",
    ),
    (
        "Pandžić",
        "I. S. Pandžić: Osnove virtualnih okruženja (Foundations of virtual environments). Lecture, University of Zagreb. In Croatian.",
    ),
    (
        "Maštera 2007",
        "Simulation of collisions on a physical model. Diploma thesis, Brno University of Technology, Faculty of Information Technology, 2007. In Czech.",
    ),
];

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#222}\
h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:3rem;border-bottom:1px solid #ccc}\
svg{max-width:100%;height:auto}li{margin:.4rem 0}.yes{color:#00664a}.no{color:#a33c00}nav{columns:3}\
@media(max-width:40rem){nav{columns:1}}";

/// An experiment on the page: its name, what is measured, what came of it.
pub type Entry<'a> = (&'a str, &'a str, &'a Output);

/// A page that needs nothing but itself.
pub fn page(entries: &[Entry<'_>]) -> String {
    let mut body = String::new();
    for entry in entries {
        body += &section(entry);
    }
    let links: String =
        entries.iter().map(|(name, ..)| format!("<a href=\"#{name}\">{name}</a><br>\n")).collect();
    let sources: String = SOURCES
        .iter()
        .map(|(key, title)| {
            format!("<li id=\"{}\"><b>{}</b>: {}</li>\n", anchor(key), escape(key), escape(title))
        })
        .collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>The classic papers, measured again</title>\
         <style>{STYLE}</style></head>\n<body>\n<h1>The classic papers, measured again</h1>\n<p>{}</p>\n\
         <nav>{links}</nav>\n{body}<h2 id=\"sources\">Sources</h2>\n<ul>\n{sources}</ul>\n</body></html>\n",
        escape(&machine::line())
    )
}

fn section((name, title, output): &Entry<'_>) -> String {
    let mut text = format!("<h2 id=\"{name}\">{name}</h2>\n<p>{}</p>\n", escape(title));
    if !output.findings.is_empty() {
        let items: String = output.findings.iter().map(item).collect();
        let _ = writeln!(text, "<ul>\n{items}</ul>");
    }
    for file in output.files.iter().filter(|file| file.name.ends_with(".svg")) {
        let _ = writeln!(text, "<figure>{}</figure>", file.text);
    }
    let tables = output.files.iter().filter(|file| file.name.ends_with(".csv"));
    let links: Vec<String> =
        tables.map(|file| format!("<a href=\"{0}\">{0}</a>", escape(&file.name))).collect();
    let _ = writeln!(text, "<p>Tables: {}</p>", links.join(", "));
    text
}

fn item(finding: &Finding) -> String {
    let Finding { source, there, here, agrees } = finding;
    let (class, verdict) = if *agrees { ("yes", "It agrees.") } else { ("no", "It does not agree.") };
    let source = SOURCES.iter().find(|(key, _)| source.starts_with(key)).map_or_else(
        || escape(source),
        |(key, _)| format!("<a href=\"#{}\">{}</a>", anchor(key), escape(source)),
    );
    format!(
        "<li>{source}: {}. Here: {}. <b class=\"{class}\">{verdict}</b></li>\n",
        escape(there),
        escape(here)
    )
}

fn anchor(key: &str) -> String {
    key.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase()
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{Plan, Size};

    #[test]
    fn a_page_has_the_sentences_with_their_sources() {
        let mut output = Plan::new(Size::Quick, &|_| {}).output(1);
        output.findings = vec![Finding::new("Daneu 2002, table 2", "a < b", "b & a", false)];
        let page = page(&[("cars", "two cars", &output)]);
        let sentence =
            "<a href=\"#daneu2002\">Daneu 2002, table 2</a>: a &lt; b. Here: b &amp; a. <b class=\"no\">";
        assert!(page.contains(sentence) && page.contains("id=\"daneu2002\""), "{page}");
        assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    }
}
