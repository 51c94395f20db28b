//! XML as a tree that is read, changed and written again. What a reader does not know stays in it.

use std::borrow::Cow;

use quick_xml::Reader;
use quick_xml::escape::{resolve_predefined_entity, unescape};
use quick_xml::events::{BytesStart, Event};

use super::error::BcfError;

/// An element with its attributes and what is in it.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Element {
    /// With its prefix, if it has one.
    pub name: String,
    pub attributes: Vec<(String, String)>,
    pub children: Vec<Node>,
}

/// What an element has in it. Comments are not kept.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Node {
    Element(Element),
    Text(String),
}

/// BCF has seven levels.
const MAX_DEPTH: usize = 40;

fn local(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or(name)
}

impl Element {
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }

    /// An element with a text in it.
    pub fn text_of(name: &str, text: &str) -> Self {
        Self { children: vec![Node::Text(text.to_owned())], ..Self::new(name) }
    }

    /// The same element with one more attribute.
    pub fn with(mut self, key: &str, value: &str) -> Self {
        self.attributes.push((key.to_owned(), value.to_owned()));
        self
    }

    /// The same element with more children.
    pub fn holding(mut self, children: impl IntoIterator<Item = Self>) -> Self {
        self.children.extend(children.into_iter().map(Node::Element));
        self
    }

    /// Whether it has this name, with any prefix.
    pub fn is(&self, name: &str) -> bool {
        local(&self.name) == name
    }

    pub fn attribute(&self, key: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
    }

    pub fn set_attribute(&mut self, key: &str, value: &str) {
        match self.attributes.iter_mut().find(|(known, _)| known == key) {
            Some((_, old)) => value.clone_into(old),
            None => self.attributes.push((key.to_owned(), value.to_owned())),
        }
    }

    pub fn elements(&self) -> impl Iterator<Item = &Self> {
        self.children.iter().filter_map(|node| match node {
            Node::Element(element) => Some(element),
            Node::Text(_) => None,
        })
    }

    /// The children of this name.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Self> {
        self.elements().filter(move |element| element.is(name))
    }

    /// The first child of this name.
    pub fn child(&self, name: &str) -> Option<&Self> {
        self.elements().find(|element| element.is(name))
    }

    pub fn child_mut(&mut self, name: &str) -> Option<&mut Self> {
        self.children.iter_mut().find_map(|node| match node {
            Node::Element(element) if element.is(name) => Some(element),
            Node::Element(_) | Node::Text(_) => None,
        })
    }

    /// The child of this name, which is put in its place in `order` if it is not there.
    pub fn child_in_order(&mut self, name: &str, order: &[&str]) -> Option<&mut Self> {
        if self.child(name).is_none() {
            self.insert(Self::new(name), order);
        }
        self.child_mut(name)
    }

    /// Adds a child behind all that stand before it in `order`, and behind those of its own name.
    pub fn insert(&mut self, mut element: Self, order: &[&str]) {
        if let Some((prefix, _)) = self.name.split_once(':') {
            element.take_prefix(prefix);
        }
        let rank = |name: &str| order.iter().position(|known| *known == local(name)).unwrap_or(order.len());
        let own = rank(&element.name);
        let is_later = |node: &Node| matches!(node, Node::Element(other) if rank(&other.name) > own);
        let place = self.children.iter().position(is_later).unwrap_or(self.children.len());
        self.children.insert(place, Node::Element(element));
    }

    fn take_prefix(&mut self, prefix: &str) {
        self.name = format!("{prefix}:{}", local(&self.name));
        for node in &mut self.children {
            if let Node::Element(element) = node {
                element.take_prefix(prefix);
            }
        }
    }

    /// Keeps the child elements for which that holds.
    pub fn retain(&mut self, keep: impl Fn(&Self) -> bool) {
        self.children.retain(|node| match node {
            Node::Element(element) => keep(element),
            Node::Text(_) => true,
        });
    }

    /// The text in it, without what is in its elements and without space around it.
    pub fn text(&self) -> String {
        let texts = self.children.iter().filter_map(|node| match node {
            Node::Text(text) => Some(text.as_str()),
            Node::Element(_) => None,
        });
        texts.collect::<String>().trim().to_owned()
    }

    /// The text of a child; empty if there is no such child.
    pub fn text_in(&self, name: &str) -> String {
        self.child(name).map(Self::text).unwrap_or_default()
    }

    pub fn set_text(&mut self, text: &str) {
        self.children = vec![Node::Text(text.to_owned())];
    }

    /// Puts a text in a child, or takes the child away if the text is empty.
    pub fn set_text_in(&mut self, name: &str, text: &str, order: &[&str]) {
        if text.is_empty() {
            self.retain(|element| !element.is(name));
        } else if let Some(child) = self.child_in_order(name, order)
            && child.text() != text
        {
            child.set_text(text);
        }
    }
}

/// Reads the one element of a document. `entry` is its name for messages.
pub(super) fn parse(entry: &str, bytes: &[u8]) -> Result<Element, BcfError> {
    let wrong = |at: u64, reason: &str| BcfError::Xml {
        entry: entry.to_owned(),
        at,
        reason: reason.replace('\n', " "),
    };
    let text = decoded(bytes).map_err(|at| wrong(at, "neither UTF-8 nor UTF-16"))?;
    let mut reader = Reader::from_str(&text);
    let mut root = Element::default();
    let mut open: Vec<Element> = Vec::new();
    loop {
        let event = reader.read_event();
        let at = reader.buffer_position();
        let close = |open: &mut Vec<Element>, root: &mut Element, element: Element| match open.last_mut() {
            Some(parent) => parent.children.push(Node::Element(element)),
            None => root.children.push(Node::Element(element)),
        };
        match event.map_err(|error| wrong(at, &error.to_string()))? {
            Event::Start(start) => {
                if open.len() >= MAX_DEPTH {
                    return Err(BcfError::TooDeep(entry.to_owned()));
                }
                open.push(started(&start).map_err(|reason| wrong(at, &reason))?);
            }
            Event::Empty(start) => {
                let element = started(&start).map_err(|reason| wrong(at, &reason))?;
                close(&mut open, &mut root, element);
            }
            Event::End(_) => {
                let element = open.pop().ok_or_else(|| wrong(at, "an end without a start"))?;
                close(&mut open, &mut root, without_indent(element));
            }
            Event::Text(text) => add_text(&mut open, &text.xml10_content()),
            Event::CData(text) => add_text(&mut open, &text.xml10_content()),
            Event::GeneralRef(name) => {
                let known = name.resolve_char_ref().map_err(|error| wrong(at, &error.to_string()))?;
                let known = known.map(String::from);
                let known = known.or_else(|| resolve_predefined_entity(&name).map(str::to_owned));
                add_text(&mut open, &known.ok_or_else(|| BcfError::Entity(entry.to_owned()))?);
            }
            Event::DocType(_) => return Err(BcfError::Entity(entry.to_owned())),
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) => {}
            Event::Eof if !open.is_empty() => return Err(wrong(at, "the text ends within an element")),
            Event::Eof => break,
        }
    }
    match <[Node; 1]>::try_from(root.children) {
        Ok([Node::Element(element)]) => Ok(element),
        Ok([Node::Text(_)]) | Err(_) => Err(wrong(0, "there must be one element that holds all others")),
    }
}

/// The text of UTF-8 or UTF-16, without a mark at its beginning; or where it is neither.
fn decoded(bytes: &[u8]) -> Result<Cow<'_, str>, u64> {
    let units = |read: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes[2..].chunks_exact(2).map(|pair| read([pair[0], pair[1]])).collect();
        String::from_utf16(&units).map(Cow::Owned).map_err(|_| 0)
    };
    match bytes {
        [0xff, 0xfe, ..] => units(u16::from_le_bytes),
        [0xfe, 0xff, ..] => units(u16::from_be_bytes),
        _ => {
            let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
            std::str::from_utf8(text).map(Cow::Borrowed).map_err(|error| error.valid_up_to() as u64)
        }
    }
}

fn started(start: &BytesStart<'_>) -> Result<Element, String> {
    let mut element = Element::new(start.name().as_ref());
    for attribute in start.attributes() {
        let attribute = attribute.map_err(|error| error.to_string())?;
        let value = unescape(&attribute.value).map_err(|error| error.to_string())?;
        element.attributes.push((attribute.key.as_ref().to_owned(), value.into_owned()));
    }
    Ok(element)
}

fn add_text(open: &mut [Element], text: &str) {
    let Some(parent) = open.last_mut() else { return };
    match parent.children.last_mut() {
        Some(Node::Text(before)) => before.push_str(text),
        Some(Node::Element(_)) | None => parent.children.push(Node::Text(text.to_owned())),
    }
}

/// Space between elements is no text.
fn without_indent(mut element: Element) -> Element {
    if element.elements().next().is_some() {
        let is_space = |node: &Node| matches!(node, Node::Text(text) if text.trim().is_empty());
        element.children.retain(|node| !is_space(node));
    }
    element
}

/// The document with this element, an element a line.
pub(super) fn write(root: &Element) -> Vec<u8> {
    let mut text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
    write_element(root, 0, &mut text);
    text.into_bytes()
}

fn write_element(element: &Element, level: usize, text: &mut String) {
    let indent = "  ".repeat(level);
    *text += &format!("{indent}<{}", element.name);
    for (key, value) in &element.attributes {
        *text += &format!(" {key}=\"{}\"", escaped(value, true));
    }
    if element.children.is_empty() {
        *text += "/>\n";
        return;
    }
    let has_text = element.children.iter().any(|node| matches!(node, Node::Text(_)));
    *text += if has_text { ">" } else { ">\n" };
    for node in &element.children {
        match node {
            Node::Text(content) => *text += &escaped(content, false),
            Node::Element(child) => write_element(child, if has_text { 0 } else { level + 1 }, text),
        }
    }
    *text += &format!("{}</{}>\n", if has_text { "" } else { &indent }, element.name);
}

/// The text with what means something in XML written out, and without what XML cannot hold.
fn escaped(text: &str, is_attribute: bool) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '&' => escaped += "&amp;",
            '"' if is_attribute => escaped += "&quot;",
            '\n' | '\t' if !is_attribute => escaped.push(c),
            '\n' | '\t' | '\r' => escaped += &format!("&#{};", u32::from(c)),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            _ => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        parse("x", text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn what_is_written_is_read() {
        let nasty = "a<b> & \"c\" 'd' ]]> \u{e9}\u{1f600}\nline\ttab\rreturn";
        let element = Element::new("Root")
            .with("Key", nasty)
            .holding([Element::text_of("A", nasty), Element::new("B").holding([Element::new("C")])]);
        let bytes = write(&element);
        assert_eq!(parse("x", &bytes).unwrap(), element);
        // What XML cannot hold is replaced and not written.
        let bell = write(&Element::text_of("A", "a\u{7}\0b"));
        assert_eq!(parse("x", &bell).unwrap().text(), "a\u{fffd}\u{fffd}b");
    }

    #[test]
    fn foreign_texts_are_read() {
        let text = "\u{feff}<?xml version='1.0'?><!-- c --><b:Markup xmlns:b=\"u\">\r\n <b:Topic Guid='1'>\
                    <![CDATA[<x>]]>&#x41;&amp;</b:Topic>\n</b:Markup>";
        let found = parse("x", text.as_bytes()).unwrap();
        let topic = found.child("Topic").unwrap();
        assert_eq!((topic.text(), topic.attribute("Guid")), ("<x>A&".to_owned(), Some("1")));
        assert_eq!(found.children.len(), 1);
        let wide: Vec<u8> =
            [0xff, 0xfe].into_iter().chain("<a>é</a>".encode_utf16().flat_map(u16::to_le_bytes)).collect();
        assert_eq!(parse("x", &wide).unwrap().text(), "é");
    }

    #[test]
    fn children_go_where_the_order_wants_them() {
        let mut found = parse("x", b"<p:T xmlns:p='u'><p:A/><p:C/></p:T>").unwrap();
        found.set_text_in("B", "b", &["A", "B", "C"]);
        found.set_text_in("D", "d", &["A", "B", "C", "D"]);
        let names: Vec<&str> = found.elements().map(|element| &*element.name).collect();
        assert_eq!(names, ["p:A", "p:B", "p:C", "p:D"]);
        found.set_text_in("B", "", &[]);
        assert!(found.child("B").is_none());
    }

    #[test]
    fn hostile_and_damaged_texts_are_refused() {
        let laughs = "<!DOCTYPE l [<!ENTITY a \"&b;&b;\">]><l>&a;</l>";
        for text in [laughs, "<l>&a;</l>", "<!DOCTYPE l SYSTEM 'file:///etc/passwd'><l/>"] {
            assert!(matches!(parse("x", text.as_bytes()), Err(BcfError::Entity(_))), "{text}");
        }
        let deep = "<a>".repeat(100_000);
        assert!(matches!(parse("x", deep.as_bytes()), Err(BcfError::TooDeep(_))));
        for text in
            ["", "text", "<a>", "<a/><b/>", "<a></b>", "</a>", "<a b=c/>", "<a b='&x;'/>", "<a b='1' b='2'/>"]
        {
            let message = refused(text);
            assert!(message.starts_with("x: byte ") && !message.contains('\n'), "{text}: {message}");
        }
        assert!(parse("x", b"<a>\xff</a>").is_err());
    }
}
