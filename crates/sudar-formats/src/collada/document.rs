//! The elements of a file: found by identity, with their lines and numbers.

use std::collections::HashMap;

use crate::error::quoted;
use crate::{Cause, Place, text};

pub(super) type Node<'d> = roxmltree::Node<'d, 'd>;

/// The elements of a text.
pub(super) fn parse(text: &str) -> Result<roxmltree::Document<'_>, Cause> {
    roxmltree::Document::parse(text).map_err(|error| Cause::Expected {
        place: Place::Line(u64::from(error.pos().row)),
        expected: "well-formed XML without DTD".to_owned(),
        found: crate::error::one_line(&error.to_string()),
    })
}

/// An input of a primitive: which column of its corners names what of which source.
pub(super) struct Input<'d> {
    pub semantic: &'d str,
    pub source: &'d str,
    pub offset: usize,
}

/// The elements by what other elements call them.
pub(super) struct Document<'d> {
    identities: HashMap<&'d str, Node<'d>>,
    /// Where the lines end, in bytes.
    ends: Vec<usize>,
}

impl<'d> Document<'d> {
    pub fn new(xml: &'d roxmltree::Document<'d>, text: &str) -> Self {
        let mut identities = HashMap::new();
        for node in xml.descendants().filter(Node::is_element) {
            if let Some(id) = node.attribute("id") {
                // The first one counts where several have one identity.
                identities.entry(id).or_insert(node);
            }
        }
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(i, _)| i).collect();
        Self { identities, ends }
    }

    /// The line on which an element begins.
    pub fn place(&self, node: Node<'_>) -> Place {
        let before = self.ends.partition_point(|end| *end < node.range().start);
        Place::Line(before as u64 + 1)
    }

    /// The element that an attribute names as `#identity`.
    pub fn target(&self, of: Node<'d>, attribute: &str) -> Result<Node<'d>, Cause> {
        let uri = of.attribute(attribute).unwrap_or_default().trim();
        self.named(uri, of)
    }

    /// The element of a name; `by` is the element that has it.
    pub fn named(&self, uri: &str, by: Node<'_>) -> Result<Node<'d>, Cause> {
        let found = self.identities.get(uri.strip_prefix('#').unwrap_or(uri));
        found.copied().ok_or_else(|| {
            let uri = quoted(uri.as_bytes());
            let what = match uri.contains('#') && !uri.starts_with("`#") {
                true => format!("{uri} is in another file, which is not read; put it into this one"),
                false => format!("{uri} does not exist; export the file again"),
            };
            Cause::Unsupported { place: self.place(by), what }
        })
    }

    /// The inputs of a primitive or of `vertices`.
    pub fn inputs(&self, of: Node<'d>) -> Result<Vec<Input<'d>>, Cause> {
        let input = |node: Node<'d>| {
            let word = node.attribute("offset").unwrap_or("0").trim();
            let offset = text::integer::<u16>(word.as_bytes());
            let offset =
                offset.ok_or_else(|| Cause::expected(self.place(node), "a small offset", word.as_bytes()))?;
            let [semantic, source] =
                ["semantic", "source"].map(|key| node.attribute(key).unwrap_or_default());
            Ok(Input { semantic, source, offset: usize::from(offset) })
        };
        children(of, "input").map(input).collect()
    }

    /// The numbers in an element.
    pub fn numbers(&self, node: Node<'_>) -> Result<Vec<f64>, Cause> {
        let number = |word: &str| {
            let number = text::number(word.as_bytes());
            number.ok_or_else(|| Cause::expected(self.place(node), "a number", word.as_bytes()))
        };
        words(node).map(number).collect()
    }

    /// The numbers in an element that has a fixed count of them, all finite.
    pub fn fixed<const N: usize>(&self, node: Node<'_>) -> Result<[f64; N], Cause> {
        let numbers = self.numbers(node)?;
        numbers.iter().try_for_each(|x| text::check_coordinate(*x, || self.place(node)))?;
        let found = format!("{} numbers", numbers.len());
        <[f64; N]>::try_from(numbers).map_err(|_| Cause::Expected {
            place: self.place(node),
            expected: format!("{N} numbers in `{}`", crate::error::one_line(node.tag_name().name())),
            found,
        })
    }

    /// The whole numbers in an element.
    pub fn integers(&self, node: Node<'_>) -> Result<Vec<i64>, Cause> {
        let integer = |word: &str| {
            let integer = text::integer(word.as_bytes());
            integer.ok_or_else(|| Cause::expected(self.place(node), "a whole number", word.as_bytes()))
        };
        words(node).map(integer).collect()
    }
}

/// The words of an element, also around comments.
fn words<'d>(node: Node<'d>) -> impl Iterator<Item = &'d str> {
    let texts = node.children().filter(Node::is_text).filter_map(|text| text.text());
    texts.flat_map(str::split_ascii_whitespace)
}

/// The child elements of a name.
pub(super) fn children<'d>(of: Node<'d>, name: &'static str) -> impl Iterator<Item = Node<'d>> {
    of.children().filter(move |node| node.is_element() && node.tag_name().name() == name)
}

/// The first child element of a name.
pub(super) fn child<'d>(of: Node<'d>, name: &'static str) -> Option<Node<'d>> {
    children(of, name).next()
}
