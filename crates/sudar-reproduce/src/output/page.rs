//! One page of all figures and sentences.

use std::fmt::Write as _;

use sudar_classic::sources::{self, Source};

use crate::output::file::File;
use crate::output::finding::{Finding, Verdict};

/// A source, and the sections of it that sentences name.
struct Named {
    source: Source,
    sections: &'static [(&'static str, &'static str)],
}

const SOURCES: [Named; 5] = [
    Named {
        source: sources::DANEU,
        sections: &[
            ("2.1", "Hierarhična drevesa krogel (sphere trees)"),
            ("2.2", "SOLID"),
            ("2.3", "RAPID"),
            ("2.4", "QuickCD"),
            ("2.5", "SWIFT++"),
            ("2.6", "I-COLLIDE"),
            ("2.7", "Q-COLLIDE"),
            ("3.4", "Odkrivanje trkov (collision detection by CD)"),
            ("3.5", "Rezultati (results)"),
            ("4.1", "Ugotavljanje potrebnih testov (which tests are needed)"),
            ("4.3", "Primer igre (a game)"),
        ],
    },
    Named {
        source: sources::HUOTARI,
        sections: &[
            ("3.1", "Pääkomponenttianalyysi (principal components)"),
            ("3.2", "Pääkomponenttianalyysimenetelmän ongelmat ja kehitys (their problems and development)"),
            ("5.1", "Erottava taso (separating plane)"),
            ("5.3", "Gilbert-Johnson-Keerthi-algoritmi"),
            ("5.4", "Chung-Wang-algoritmi"),
            ("6", "Dynaaminen törmäyksen tunnistus (moving bodies)"),
        ],
    },
    Named {
        source: sources::DIMITRIJEVIC,
        sections: &[
            ("2.6", "Metode za razrešavanje kolizije (resolution)"),
            ("3.2", "Oktri detekcija kolizije (octrees)"),
            ("3.3", "Briši i odseci (sweep and prune)"),
            ("3.4", "Drugi algoritmi za detekciju kolizije (other algorithms)"),
            ("5.1", "Opšti zaključci (general)"),
            ("5.2", "Oktri (octrees)"),
            ("5.3", "SAP (sweep and prune)"),
            ("5.4", "Odabir algoritma detekcije kolizije (which algorithm to choose)"),
        ],
    },
    Named { source: sources::PANDZIC, sections: &[] },
    Named {
        source: sources::MASTERA,
        sections: &[
            ("2.3", "Moment setrvačnosti a matice setrvačnosti (inertia)"),
            ("3.1", "Základní rozdělení detekce kolizí (kinds of detection)"),
            ("3.2", "Kolize trojúhelník vs. trojúhelník (two triangles)"),
            ("6", "Pomocná aplikace – Veličiny (the program for mass)"),
            ("9.2", "Jednoduchý odraz (simple reflection)"),
            ("9.3", "Fyzikální odraz (physical reflection)"),
            ("10.1", "Přesnost těžiště a matice setrvačnosti (accuracy of inertia)"),
            ("10.2", "Zaokrouhlovací a násobná chyba (rounding, and errors that are carried on)"),
            ("10.4", "Chyba aproximace a statického tělesa (error of approximation)"),
        ],
    },
];

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#222}\
h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:3rem;border-bottom:1px solid #ccc}\
svg{max-width:100%;height:auto}li{margin:.4rem 0}.yes{color:#00664a}.part{color:#7a5c00}.no{color:#a33c00}nav{columns:3}\
@media(max-width:40rem){nav{columns:1}}";

/// An experiment on the page.
pub struct Entry<'a> {
    pub name: &'a str,
    /// What is measured.
    pub title: &'a str,
    /// Its tables and figures.
    pub files: Vec<&'a File>,
    pub findings: Vec<Finding>,
}

/// A page that needs nothing but itself.
pub fn page(entries: &[Entry<'_>]) -> String {
    let body: String = entries.iter().map(section).collect();
    let link = |entry: &Entry<'_>| format!("<a href=\"#{0}\">{0}</a><br>\n", entry.name);
    let links: String = entries.iter().map(link).collect();
    let sources: String = SOURCES.iter().map(source).collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>The classic papers, measured again</title>\
         <style>{STYLE}</style></head>\n<body>\n<h1>The classic papers, measured again</h1>\n\
         <nav>{links}</nav>\n{body}<h2 id=\"sources\">Sources</h2>\n<ul>\n{sources}</ul>\n</body></html>\n"
    )
}

fn section(Entry { name, title, files, findings }: &Entry<'_>) -> String {
    let mut text = format!("<h2 id=\"{name}\">{name}</h2>\n<p>{}</p>\n", escape(title));
    if !findings.is_empty() {
        let items: String = findings.iter().map(item).collect();
        let _ = writeln!(text, "<ul>\n{items}</ul>");
    }
    for file in files.iter().filter(|file| file.name.ends_with(".svg")) {
        let _ = writeln!(text, "<figure>{}</figure>", file.text);
    }
    let tables = files.iter().filter(|file| file.name.ends_with(".csv"));
    let links: Vec<String> =
        tables.map(|file| format!("<a href=\"{0}\">{0}</a>", escape(&file.name))).collect();
    let _ = writeln!(text, "<p>Tables: {}</p>", links.join(", "));
    text
}

fn item(finding: &Finding) -> String {
    let Finding { source, there, here, verdict } = finding;
    let class = match verdict {
        Verdict::Agrees => "yes",
        Verdict::OtherSize => "part",
        Verdict::Disagrees => "no",
    };
    let source = linked(source);
    format!(
        "<li>{source}: {}. Here: {}. <b class=\"{class}\">{verdict}</b></li>\n",
        escape(there),
        escape(here)
    )
}

/// A source in the list at the end, with its sections.
fn source(Named { source, sections }: &Named) -> String {
    let Source { author, key, title, original, place } = source;
    let all: Vec<String> = sections
        .iter()
        .map(|(number, name)| {
            format!("<span id=\"{}-{number}\">{number} {}</span>", anchor(key), escape(name))
        })
        .collect();
    let list =
        if all.is_empty() { String::new() } else { format!("<br><small>{}</small>", all.join(" · ")) };
    let title = format!("{author}: {original} ({title}). {place}.");
    format!("<li id=\"{}\"><b>{}</b>: {}{list}</li>\n", anchor(key), escape(key), escape(&title))
}

/// The name of a source with a link to its section, or to it.
fn linked(text: &str) -> String {
    let Some(Named { source, sections }) = SOURCES.iter().find(|named| text.contains(named.source.key))
    else {
        return escape(text);
    };
    let number = text.split("section").nth(1).map(|rest| rest.trim_start_matches(['s', ' ']));
    let is_it = |(section, _): &&(&str, &str)| number.is_some_and(|rest| rest.starts_with(section));
    // Of 10.4 and 10 the longer.
    let section = sections.iter().filter(is_it).max_by_key(|(number, _)| number.len());
    let place = section.map_or(String::new(), |(number, _)| format!("-{number}"));
    format!("<a href=\"#{}{place}\">{}</a>", anchor(source.key), escape(text))
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

    #[test]
    fn a_page_has_the_sentences_with_their_sources() {
        let finding = Finding::new("Daneu 2002, section 3.5, table 2", "a < b", "b & a", false);
        let table = File { name: "cars.csv".to_owned(), text: String::new() };
        let entry = Entry { name: "cars", title: "two cars", files: vec![&table], findings: vec![finding] };
        assert_eq!(linked("Nobody 1999"), "Nobody 1999");
        assert!(linked("Maštera 2007, section 10.4").contains("#matera2007-10.4"));
        let page = page(&[entry]);
        let sentence = "<a href=\"#daneu2002-3.5\">Daneu 2002, section 3.5, table 2</a>: a &lt; b. Here: b &amp; a. <b class=\"no\">";
        assert!(page.contains(sentence) && page.contains("id=\"daneu2002-3.5\""), "{page}");
        assert!(
            page.contains("href=\"cars.csv\"")
                && page.starts_with("<!DOCTYPE html>")
                && page.ends_with("</html>\n")
        );
    }
}
