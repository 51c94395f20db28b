//! What stands in the arguments of an entity.

use crate::step::{Entity, Step, text_length};

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value<'a> {
    /// `$` and `*`, and what is none of the others.
    Absent,
    Number(f64),
    /// What stands between the quotes.
    Text(&'a [u8]),
    /// What stands between the dots.
    Word(&'a [u8]),
    Reference(u32),
    List(Vec<Value<'a>>),
    /// A value with the name of its type before it.
    Typed(&'a [u8], Vec<Value<'a>>),
}

/// An entity with its values.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Entry<'a> {
    pub number: u32,
    /// In upper case.
    pub class: String,
    values: Vec<Value<'a>>,
}

/// Why something in a file has no shape, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Lost(pub String);

pub(super) type Found<T> = Result<T, Lost>;

/// Lists in lists in lists: deeper ones are not looked into.
const DEEPEST: usize = 8;

impl<'a> Step<'a> {
    /// The entity of a number, with its values. O(its length).
    pub(super) fn entry(&self, number: u32) -> Found<Entry<'a>> {
        let entity = self.entities.get(&number);
        let entity = entity.ok_or_else(|| Lost(format!("there is no #{number}")))?;
        Ok(entity.entry(number))
    }
}

impl<'a> Entity<'a> {
    /// What one value refers to, without a look at the others.
    pub(super) fn references(&self, i: usize) -> Vec<u32> {
        let mut rest = self.arguments;
        let all = values(&mut rest, DEEPEST);
        match all.get(i) {
            Some(Value::Reference(number)) => vec![*number],
            Some(Value::List(list)) => list.iter().filter_map(Value::reference).collect(),
            _ => Vec::new(),
        }
    }

    pub(super) fn entry(&self, number: u32) -> Entry<'a> {
        let mut rest = self.arguments;
        Entry { number, class: self.class.to_ascii_uppercase(), values: values(&mut rest, DEEPEST) }
    }
}

impl<'a> Entry<'a> {
    pub fn get(&self, i: usize) -> &Value<'a> {
        self.values.get(i).unwrap_or(&Value::Absent)
    }

    /// How many values it has.
    pub fn count(&self) -> usize {
        self.values.len()
    }

    /// The error that a value is not what it should be.
    pub fn wrong(&self, i: usize, expected: &str) -> Lost {
        Lost(format!("#{} {}: value {} is no {expected}", self.number, self.class, i + 1))
    }

    /// The error that something is not read.
    pub fn unread(&self) -> Lost {
        Lost(format!("#{} {} is not read", self.number, self.class))
    }

    pub fn number(&self, i: usize) -> Found<f64> {
        self.get(i).number().ok_or_else(|| self.wrong(i, "number"))
    }

    /// A length above zero.
    pub fn length(&self, i: usize) -> Found<f64> {
        self.number(i)
            .ok()
            .filter(|x| *x > 0.0 && x.is_finite())
            .ok_or_else(|| self.wrong(i, "length above zero"))
    }

    /// A length that may be absent or zero.
    pub fn radius(&self, i: usize) -> f64 {
        self.get(i).number().filter(|x| *x > 0.0 && x.is_finite()).unwrap_or(0.0)
    }

    pub fn reference(&self, i: usize) -> Found<u32> {
        self.get(i).reference().ok_or_else(|| self.wrong(i, "reference"))
    }

    pub fn list(&self, i: usize) -> Found<&[Value<'a>]> {
        if let Value::List(list) = self.get(i) { Ok(list) } else { Err(self.wrong(i, "list")) }
    }

    pub fn references(&self, i: usize) -> Found<Vec<u32>> {
        let all: Option<Vec<u32>> = self.list(i)?.iter().map(Value::reference).collect();
        all.ok_or_else(|| self.wrong(i, "list of references"))
    }

    pub fn numbers(&self, i: usize) -> Found<Vec<f64>> {
        self.get(i).numbers().ok_or_else(|| self.wrong(i, "list of numbers"))
    }

    /// A list of lists of numbers.
    pub fn rows(&self, i: usize) -> Found<Vec<Vec<f64>>> {
        let all: Option<Vec<Vec<f64>>> = self.list(i)?.iter().map(Value::numbers).collect();
        all.ok_or_else(|| self.wrong(i, "list of lists of numbers"))
    }

    /// Whether a value is this word.
    pub fn says(&self, i: usize, word: &str) -> bool {
        matches!(self.get(i), Value::Word(found) if found.eq_ignore_ascii_case(word.as_bytes()))
    }

    /// A text that is not empty.
    pub fn text(&self, i: usize) -> Option<String> {
        let Value::Text(text) = self.get(i) else { return None };
        Some(decoded(text)).filter(|text| !text.is_empty())
    }
}

impl Value<'_> {
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Number(x) => Some(*x),
            Self::Typed(_, values) => values.first()?.number(),
            Self::Absent | Self::Text(_) | Self::Word(_) | Self::Reference(_) | Self::List(_) => None,
        }
    }

    pub fn reference(&self) -> Option<u32> {
        if let Self::Reference(number) = self { Some(*number) } else { None }
    }

    pub fn numbers(&self) -> Option<Vec<f64>> {
        let Self::List(list) = self else { return None };
        list.iter().map(Self::number).collect()
    }
}

/// The values up to a closing parenthesis or the end, which is passed over.
fn values<'a>(rest: &mut &'a [u8], depth: usize) -> Vec<Value<'a>> {
    let mut found = Vec::new();
    loop {
        skip(rest);
        let Some(&byte) = rest.first() else { return found };
        match byte {
            b')' => {
                *rest = &rest[1..];
                return found;
            }
            b',' => *rest = &rest[1..],
            _ => found.push(value(rest, depth)),
        }
    }
}

fn value<'a>(rest: &mut &'a [u8], depth: usize) -> Value<'a> {
    let whole = *rest;
    match whole[0] {
        b'(' => {
            *rest = &whole[1..];
            Value::List(inner(rest, depth))
        }
        b'\'' => {
            let mut end = 1 + text_length(&whole[1..]).unwrap_or(whole.len() - 1);
            // Two quotes are one letter of the same text.
            while whole.get(end) == Some(&b'\'') {
                end += 1 + text_length(&whole[end + 1..]).unwrap_or(whole.len() - end - 1);
            }
            *rest = &whole[end..];
            Value::Text(&whole[1..(end - 1).max(1)])
        }
        b'#' => {
            let digits = taken(rest, 1, |b| b.is_ascii_digit());
            std::str::from_utf8(digits)
                .ok()
                .and_then(|d| d.parse().ok())
                .map_or(Value::Absent, Value::Reference)
        }
        b'.' => {
            let word = taken(rest, 1, |b| b.is_ascii_alphanumeric() || b == b'_');
            *rest = rest.strip_prefix(b".").unwrap_or(rest);
            Value::Word(word)
        }
        byte if byte.is_ascii_digit() || byte == b'-' || byte == b'+' => {
            let digits = taken(rest, 0, |b| b.is_ascii_digit() || b"+-.eE".contains(&b));
            let number = std::str::from_utf8(digits).ok().and_then(|d| d.parse::<f64>().ok());
            number.filter(|x| x.is_finite()).map_or(Value::Absent, Value::Number)
        }
        byte if byte.is_ascii_alphabetic() => {
            let name = taken(rest, 0, |b| b.is_ascii_alphanumeric() || b == b'_');
            skip(rest);
            match rest.first() {
                Some(b'(') => {
                    *rest = &rest[1..];
                    Value::Typed(name, inner(rest, depth))
                }
                _ => Value::Absent,
            }
        }
        _ => {
            *rest = &whole[1..];
            Value::Absent
        }
    }
}

fn inner<'a>(rest: &mut &'a [u8], depth: usize) -> Vec<Value<'a>> {
    match depth.checked_sub(1) {
        Some(depth) => values(rest, depth),
        None => {
            // Deeper than any list of the standard.
            *rest = &[];
            Vec::new()
        }
    }
}

/// Takes bytes as long as they belong, from a number of bytes on.
fn taken<'a>(rest: &mut &'a [u8], from: usize, belongs: impl Fn(u8) -> bool) -> &'a [u8] {
    let count = rest[from..].iter().take_while(|b| belongs(**b)).count();
    let found = &rest[from..from + count];
    *rest = &rest[from + count..];
    found
}

/// Passes over blanks and comments.
fn skip(rest: &mut &[u8]) {
    loop {
        *rest = rest.trim_ascii_start();
        if !rest.starts_with(b"/*") {
            return;
        }
        let end = rest.windows(2).position(|two| two == b"*/").map_or(rest.len(), |end| end + 2);
        *rest = &rest[end..];
    }
}

/// A text of ISO 10303-21 as Unicode: `''`, `\\`, `\S\`, `\P.\`, `\X\`, `\X2\` and `\X4\`; other bytes are UTF-8, or
/// Latin letters where they are not.
fn decoded(text: &[u8]) -> String {
    let mut bytes: Vec<u8> = Vec::with_capacity(text.len());
    let mut rest = text;
    let add = |bytes: &mut Vec<u8>, letter: Option<char>| {
        bytes.extend(letter.unwrap_or('\u{fffd}').encode_utf8(&mut [0; 4]).as_bytes());
    };
    while let [first, after @ ..] = rest {
        rest = after;
        match (first, after) {
            (b'\'', [b'\'', after @ ..]) | (b'\\', [b'\\', after @ ..]) => {
                bytes.push(*first);
                rest = after;
            }
            (b'\\', [b'S', b'\\', letter, after @ ..]) => {
                add(&mut bytes, Some(char::from(letter | 0x80)));
                rest = after;
            }
            (b'\\', [b'P', _, b'\\', after @ ..]) => rest = after,
            (b'\\', [b'X', b'\\', high, low, after @ ..]) => {
                add(&mut bytes, hexadecimal(&[*high, *low]).and_then(char::from_u32));
                rest = after;
            }
            (b'\\', [b'X', size @ (b'2' | b'4'), b'\\', after @ ..]) => {
                let end = after.windows(4).position(|four| four == b"\\X0\\").unwrap_or(after.len());
                let digits = &after[..end];
                let letters: String = if *size == b'2' {
                    let units = digits.chunks_exact(4).map(|c| hexadecimal(c).unwrap_or(0xfffd) as u16);
                    char::decode_utf16(units).map(|c| c.unwrap_or('\u{fffd}')).collect()
                } else {
                    digits.chunks_exact(8).filter_map(hexadecimal).filter_map(char::from_u32).collect()
                };
                bytes.extend(letters.as_bytes());
                rest = after.get(end + 4..).unwrap_or_default();
            }
            _ => bytes.push(*first),
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect())
}

fn hexadecimal(digits: &[u8]) -> Option<u32> {
    u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_what_stands_there() {
        let entity = Entity {
            class: "IfcWall",
            arguments: b"'it''s; #9',(#2, #3),$, /* #8 */ #2,.T.,-1.5E-1,IFCLABEL('x'),((1,2),(3)),*",
        };
        let entry = entity.entry(7);
        assert_eq!((&*entry.class, entry.text(0).as_deref()), ("IFCWALL", Some("it's; #9")));
        assert_eq!(entry.references(1), Ok(vec![2, 3]));
        assert_eq!((entry.get(2), entry.reference(3)), (&Value::Absent, Ok(2)));
        assert!(entry.says(4, "t") && !entry.says(4, "f") && !entry.says(3, "t"));
        assert_eq!(entry.number(5), Ok(-0.15));
        assert_eq!(entry.get(6), &Value::Typed(b"IFCLABEL", vec![Value::Text(b"x")]));
        assert_eq!(entry.rows(7), Ok(vec![vec![1.0, 2.0], vec![3.0]]));
        assert_eq!((entry.get(8), entry.get(9)), (&Value::Absent, &Value::Absent));
        assert_eq!(entry.number(1), Err(Lost("#7 IFCWALL: value 2 is no number".to_owned())));
    }

    #[test]
    fn texts_are_unicode() {
        let cases: [(&[u8], &str); 8] = [
            // Half a letter is none.
            (b"1\\X2\\968E00\\X0\\", "1階"),
            (b"Rohr \\X2\\00FC\\X0\\ 1", "Rohr ü 1"),
            (b"\\X2\\D83DDE00\\X0\\", "😀"),
            (b"\\X4\\0001F600\\X0\\", "😀"),
            (b"\\X\\FC\\S\\|\\PA\\", "üü"),
            ("ü".as_bytes(), "ü"),
            (b"\xfc", "ü"),
            (b"a\\\\b", "a\\b"),
        ];
        for (text, expected) in cases {
            assert_eq!(decoded(text), expected);
        }
    }
}
