//! From text to a tree of nodes with fields, of any kinds.
//!
//! The grammar shows the kind of a value without knowing the node (ISO/IEC 14772-1:1997, annex A), so that
//! nodes nobody knows are read as well. `USE` becomes the node that it names, shared; `ROUTE` and events are
//! skipped.

use std::collections::HashMap;
use std::rc::Rc;

use super::lexer::{Lexer, Token, unescaped};
use crate::{Cause, Place, text};

/// Most nodes inside each other.
const MAX_NESTING: usize = 100;

/// A node and its fields.
#[derive(Debug)]
pub(super) struct Node {
    pub kind: String,
    /// Its name by `DEF`.
    pub name: Option<String>,
    pub line: u64,
    pub fields: Vec<Field>,
    /// The prototype of which it is an instance.
    pub proto: Option<Rc<Proto>>,
    /// How deep nodes and prototypes are nested in it.
    height: usize,
}

#[derive(Debug)]
pub(super) struct Field {
    pub name: String,
    pub line: u64,
    pub value: Value,
}

/// A value as it is written.
#[derive(Debug)]
pub(super) enum Value {
    /// Numbers; `TRUE` is 1 and `FALSE` is 0.
    Numbers(Numbers),
    Texts(Vec<String>),
    Nodes(Vec<Rc<Node>>),
    /// `[]`: no numbers, strings or nodes.
    Empty,
    /// That of the field of the prototype around.
    Is(String),
}

/// Numbers and the lines on which they stand.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    pub values: Vec<f64>,
    /// The first number on each line, and the line.
    lines: Vec<(usize, u64)>,
}

impl Numbers {
    fn push(&mut self, value: f64, line: u64) {
        if self.lines.last().is_none_or(|&(_, last)| last != line) {
            self.lines.push((self.values.len(), line));
        }
        self.values.push(value);
    }

    /// Where number `i` stands.
    pub fn place(&self, i: usize) -> Place {
        let after = self.lines.partition_point(|&(first, _)| first <= i);
        Place::Line(after.checked_sub(1).map_or(1, |k| self.lines[k].1))
    }
}

/// A prototype: what its instances may say, and what they are.
#[derive(Debug)]
pub(super) struct Proto {
    pub defaults: Vec<Field>,
    /// The first of them is what an instance is.
    pub body: Vec<Rc<Node>>,
    /// Whether its body is in another file.
    pub is_external: bool,
    height: usize,
}

impl Value {
    fn height(&self) -> usize {
        match self {
            Self::Nodes(nodes) => tallest(nodes),
            Self::Numbers(_) | Self::Texts(_) | Self::Empty | Self::Is(_) => 0,
        }
    }
}

fn tallest(nodes: &[Rc<Node>]) -> usize {
    nodes.iter().map(|node| node.height).max().unwrap_or(0)
}

fn tallest_field(fields: &[Field]) -> usize {
    fields.iter().map(|field| field.value.height()).max().unwrap_or(0)
}

/// The nodes of a file whose header says that it is VRML 2.0.
pub(super) fn nodes(bytes: &[u8]) -> Result<Vec<Rc<Node>>, Cause> {
    let text = text::decode(bytes);
    check_header(&text)?;
    parse(&text)
}

fn check_header(text: &[u8]) -> Result<(), Cause> {
    let line = text.split(|b| matches!(b, b'\n' | b'\r')).next().unwrap_or_default();
    let version = line.strip_prefix(b"#VRML").map(<[u8]>::trim_ascii_start);
    match version {
        Some(version) if version.starts_with(b"V2.0") => Ok(()),
        Some(version) if version.starts_with(b"V1") => Err(Cause::Unsupported {
            place: Place::Line(1),
            what:
                "VRML 1.0 is not supported; convert it to VRML 2.0, with vrml1tovrml2 or FreeWRL, or to OBJ"
                    .to_owned(),
        }),
        Some(_) | None => Err(Cause::expected(Place::Line(1), "`#VRML V2.0 utf8`", line)),
    }
}

/// The nodes of a whole text after its header.
fn parse(bytes: &[u8]) -> Result<Vec<Rc<Node>>, Cause> {
    let mut parser = Parser { lexer: Lexer::new(bytes)?, scopes: vec![Scope::default()], depth: 0 };
    let nodes = parser.statements(None)?;
    Ok(nodes)
}

/// The names that are known in a file or in a prototype.
#[derive(Default)]
struct Scope {
    nodes: HashMap<String, Rc<Node>>,
    protos: HashMap<String, Rc<Proto>>,
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    /// The innermost last. Names of nodes are looked up in that one alone.
    scopes: Vec<Scope>,
    depth: usize,
}

impl Parser<'_> {
    /// Nodes, prototypes and routes up to a mark or the end of the text.
    fn statements(&mut self, end: Option<u8>) -> Result<Vec<Rc<Node>>, Cause> {
        let mut nodes = Vec::new();
        loop {
            match (self.lexer.peek(), end) {
                (None, None) => return Ok(nodes),
                (Some(Token::Mark(mark)), Some(end)) if mark == end => {
                    self.lexer.need(end)?;
                    return Ok(nodes);
                }
                (Some(Token::Word(b"PROTO" | b"EXTERNPROTO" | b"ROUTE")), _) => self.declaration()?,
                (Some(_) | None, _) => nodes.extend(self.node()?),
            }
        }
    }

    /// A prototype or a route.
    fn declaration(&mut self) -> Result<(), Cause> {
        match self.lexer.word("a declaration")? {
            b"ROUTE" => {
                for expected in ["an event", "`TO`", "an event"] {
                    self.lexer.word(expected)?;
                }
                Ok(())
            }
            keyword => {
                self.deeper()?;
                let name = utf8(self.lexer.word("the name of a prototype")?);
                let proto = if keyword == b"PROTO" { self.proto()? } else { self.external()? };
                self.depth -= 1;
                if let Some(scope) = self.scopes.last_mut() {
                    scope.protos.insert(name, Rc::new(proto));
                }
                Ok(())
            }
        }
    }

    fn proto(&mut self) -> Result<Proto, Cause> {
        let defaults = self.interface(true)?;
        self.lexer.need(b'{')?;
        self.scopes.push(Scope::default());
        let body = self.statements(Some(b'}'));
        self.scopes.pop();
        let body = body?;
        let height = tallest(&body).max(tallest_field(&defaults));
        Ok(Proto { defaults, body, is_external: false, height })
    }

    fn external(&mut self) -> Result<Proto, Cause> {
        let defaults = self.interface(false)?;
        self.value()?;
        Ok(Proto { defaults, body: Vec::new(), is_external: true, height: 0 })
    }

    /// Interface of a prototype: events are skipped, fields have a value unless the prototype is in another file.
    fn interface(&mut self, with_values: bool) -> Result<Vec<Field>, Cause> {
        const EXPECTED: &str = "`field`, `exposedField`, `eventIn`, `eventOut` or `]`";
        let mut fields = Vec::new();
        self.lexer.need(b'[')?;
        while !self.lexer.skip(b']')? {
            let keyword = self.lexer.word(EXPECTED)?;
            let is_field = match keyword {
                b"field" | b"exposedField" => true,
                b"eventIn" | b"eventOut" => false,
                other => return Err(Cause::expected(self.lexer.place(), EXPECTED, other)),
            };
            self.lexer.word("the type of a field")?;
            let line = self.lexer.line();
            let name = utf8(self.lexer.word("the name of a field")?);
            if is_field && with_values {
                let value = self.value()?;
                fields.push(Field { name, line, value });
            }
        }
        Ok(fields)
    }

    /// A node, named or not; none for `NULL`.
    fn node(&mut self) -> Result<Option<Rc<Node>>, Cause> {
        const EXPECTED: &str = "a node";
        let line = self.lexer.line();
        match self.lexer.word(EXPECTED)? {
            b"NULL" => Ok(None),
            b"USE" => {
                let name = self.lexer.word("the name of a node")?;
                let known = self.scopes.last().and_then(|scope| scope.nodes.get(&utf8(name)));
                let missing =
                    || Cause::expected(Place::Line(line), "a node that was named before by DEF", name);
                known.cloned().map(Some).ok_or_else(missing)
            }
            b"DEF" => {
                let name = utf8(self.lexer.word("a name for a node")?);
                let kind = self.lexer.word(EXPECTED)?;
                let node = Rc::new(self.body(kind, Some(name.clone()), line)?);
                if let Some(scope) = self.scopes.last_mut() {
                    scope.nodes.insert(name, Rc::clone(&node));
                }
                Ok(Some(node))
            }
            kind => Ok(Some(Rc::new(self.body(kind, None, line)?))),
        }
    }

    /// The fields of a node between braces.
    fn body(&mut self, kind: &[u8], name: Option<String>, line: u64) -> Result<Node, Cause> {
        if !begins_name(kind) {
            return Err(Cause::expected(Place::Line(line), "a node", kind));
        }
        self.deeper()?;
        let kind = utf8(kind);
        let proto = self.scopes.iter().rev().find_map(|scope| scope.protos.get(&kind)).cloned();
        let mut fields = Vec::new();
        self.lexer.need(b'{')?;
        while !self.lexer.skip(b'}')? {
            fields.extend(self.field()?);
        }
        self.depth -= 1;
        // Names and prototypes can nest nodes deeper than the text does.
        let height = 1 + tallest_field(&fields).max(proto.as_ref().map_or(0, |proto| proto.height));
        if height > MAX_NESTING {
            return Err(self.too_deep());
        }
        Ok(Node { kind, name: name.map(|name| crate::error::one_line(&name)), line, fields, proto, height })
    }

    /// A field and its value; nothing for what is no field, such as the events of a script.
    fn field(&mut self) -> Result<Option<Field>, Cause> {
        if let Some(Token::Word(b"PROTO" | b"EXTERNPROTO" | b"ROUTE")) = self.lexer.peek() {
            return self.declaration().map(|()| None);
        }
        let line = self.lexer.line();
        let mut word = self.lexer.word("a field or `}`")?;
        // A script declares its own: `field SFInt32 count 0`, `eventIn SFTime start`.
        if matches!(word, b"field" | b"exposedField" | b"eventIn" | b"eventOut") {
            let is_event = word.starts_with(b"event");
            self.lexer.word("the type of a field")?;
            word = self.lexer.word("the name of a field")?;
            if is_event && self.lexer.peek() != Some(Token::Word(b"IS")) {
                return Ok(None);
            }
        }
        if !begins_name(word) {
            return Err(Cause::expected(Place::Line(line), "a field or `}`", word));
        }
        let value = self.value()?;
        Ok(Some(Field { name: utf8(word), line, value }))
    }

    fn value(&mut self) -> Result<Value, Cause> {
        match self.lexer.peek() {
            Some(Token::Mark(b'[')) => {
                self.lexer.need(b'[')?;
                self.list()
            }
            Some(Token::Text(text)) => {
                self.lexer.take("a string")?;
                Ok(Value::Texts(vec![unescaped(text)]))
            }
            Some(Token::Word(b"IS")) => {
                self.lexer.take("`IS`")?;
                Ok(Value::Is(utf8(self.lexer.word("the name of a field")?)))
            }
            Some(Token::Word(word)) if !begins_name(word) || is_truth(word) => self.numbers(false),
            Some(Token::Word(_)) => Ok(Value::Nodes(self.node()?.into_iter().collect())),
            Some(Token::Mark(_)) | None => Err(self.lexer.unexpected("a value")),
        }
    }

    /// The values up to `]`, all of one kind.
    fn list(&mut self) -> Result<Value, Cause> {
        match self.lexer.peek() {
            Some(Token::Mark(b']')) => {
                self.lexer.need(b']')?;
                Ok(Value::Empty)
            }
            Some(Token::Text(_)) => {
                let mut texts = Vec::new();
                while let Some(Token::Text(text)) = self.lexer.peek() {
                    self.lexer.take("a string")?;
                    texts.push(unescaped(text));
                }
                self.lexer.need(b']')?;
                Ok(Value::Texts(texts))
            }
            Some(Token::Word(word)) if !begins_name(word) || is_truth(word) => self.numbers(true),
            Some(Token::Word(_) | Token::Mark(_)) | None => Ok(Value::Nodes(self.statements(Some(b']'))?)),
        }
    }

    /// Numbers as long as they come, or up to `]`.
    fn numbers(&mut self, in_list: bool) -> Result<Value, Cause> {
        let mut numbers = Numbers::default();
        loop {
            let line = self.lexer.line();
            match self.lexer.peek() {
                Some(Token::Word(word)) if !begins_name(word) || is_truth(word) => {
                    let wrong = || Cause::expected(Place::Line(line), "a number", word);
                    numbers.push(number(word).ok_or_else(wrong)?, line);
                    self.lexer.take("a number")?;
                }
                Some(Token::Mark(b']')) if in_list => {
                    self.lexer.need(b']')?;
                    return Ok(Value::Numbers(numbers));
                }
                Some(_) | None if in_list => return Err(self.lexer.unexpected("a number or `]`")),
                Some(_) | None => return Ok(Value::Numbers(numbers)),
            }
        }
    }

    fn deeper(&mut self) -> Result<(), Cause> {
        self.depth += 1;
        if self.depth <= MAX_NESTING { Ok(()) } else { Err(self.too_deep()) }
    }

    fn too_deep(&self) -> Cause {
        let what = format!("nodes are nested more than {MAX_NESTING} deep; flatten the file");
        Cause::Unsupported { place: self.lexer.place(), what }
    }
}

/// Whether a word may be a name; otherwise it is meant as a number.
fn begins_name(word: &[u8]) -> bool {
    word.first().is_some_and(|b| !matches!(b, 0..=0x20 | b'0'..=b'9' | b'+' | b'-' | b'.'))
}

fn is_truth(word: &[u8]) -> bool {
    matches!(word, b"TRUE" | b"FALSE")
}

fn number(word: &[u8]) -> Option<f64> {
    match word {
        b"TRUE" => Some(1.0),
        b"FALSE" => Some(0.0),
        [b'0', b'x' | b'X', digits @ ..] => {
            let digits = std::str::from_utf8(digits).ok()?;
            u64::from_str_radix(digits, 16).ok().map(|n| n as f64)
        }
        word => text::number(word),
    }
}

fn utf8(word: &[u8]) -> String {
    String::from_utf8_lossy(word).into_owned()
}
