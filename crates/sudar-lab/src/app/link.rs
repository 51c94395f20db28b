//! Links to a demo with its options: `#explorer&objects=2000&algorithm=sap`.

use std::fmt::Display;

use thiserror::Error;

/// A demo and options that differ from its own; no demo is the gallery.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Link {
    /// Its name.
    pub demo: Option<String>,
    /// Names and values.
    pub options: Vec<(String, String)>,
}

/// Why a link opens nothing.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LinkError {
    /// No demo has that name.
    #[error("there is no demo {0:?}; there are: {list}", list = crate::demos::names())]
    Demo(String),
    /// The demo has no such option, or not with that value.
    #[error("{0}")]
    Option(String),
    /// The demo cannot begin so.
    #[error("{0}")]
    Begin(String),
}

impl Link {
    /// Reads what is behind the address of a page, with or without its `#`.
    pub fn read(text: &str) -> Self {
        let mut parts = text.trim_start_matches('#').split('&').map(plain).filter(|part| !part.is_empty());
        let demo = parts.next();
        let options = parts
            .map(|part| match part.split_once('=') {
                Some((name, value)) => (name.to_owned(), value.to_owned()),
                None => (part, String::new()),
            })
            .collect();
        Self { demo, options }
    }
}

/// `%20` and the like as what they stand for.
fn plain(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let code = (first == b'%').then(|| after.get(..2)).flatten();
        let code = code.and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
        bytes.push(code.unwrap_or(first));
        rest = if code.is_some() { &after[2..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

impl Display for Link {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "#{}", self.demo.as_deref().unwrap_or_default())?;
        self.options.iter().try_for_each(|(name, value)| write!(f, "&{name}={value}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_read_as_they_are_written() {
        let link = Link::read("#explorer&objects=2000&algorithm=sap");
        assert_eq!(link.demo.as_deref(), Some("explorer"));
        let options = [("objects", "2000"), ("algorithm", "sap")].map(|(a, b)| (a.to_owned(), b.to_owned()));
        assert_eq!(link.options, options);
        assert_eq!(link.to_string(), "#explorer&objects=2000&algorithm=sap");
        assert_eq!(Link::read("#"), Link::default());
        assert_eq!(Link::read("a%20b&c%3").demo.as_deref(), Some("a b"));
    }
}
