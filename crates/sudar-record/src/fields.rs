//! The fields of a JSON object, read one by one so that each error names its field.

use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, MapAccess, Visitor};
use serde_json::error::Category;
use serde_json::value::RawValue;

use crate::error::{MAX_NESTING, RecordError, Result};

/// A field any object may have, of any value, for remarks.
const NOTE: &str = "note";

/// The fields of an object that have not been taken yet, unparsed and sorted by name.
pub(super) struct Fields<'a> {
    entries: Vec<(String, &'a RawValue)>,
    taken: Vec<&'static str>,
    /// What errors call the object, such as `the query "ray"`.
    pub owner: String,
}

impl<'a> Fields<'a> {
    /// What `read` makes of the fields of the object that `text` holds, of which it must take all.
    pub fn read<T>(text: &'a str, owner: &str, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let mut fields = Self::of(text, owner)?;
        let found = read(&mut fields)?;
        fields.close()?;
        Ok(found)
    }

    fn of(text: &'a str, owner: &str) -> Result<Self> {
        let (mut entries, complete) = entries(text);
        complete.map_err(|e| in_words(&e, text))?;
        entries.sort_by(|x, y| x.0.cmp(&y.0));
        if let Some(pair) = entries.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(RecordError::Twice(pair[0].0.clone()));
        }
        Ok(Self { entries, taken: Vec::new(), owner: owner.to_owned() })
    }

    /// Refuses what has not been taken.
    fn close(self) -> Result<()> {
        let Some((field, _)) = self.entries.into_iter().find(|(name, _)| name != NOTE) else { return Ok(()) };
        Err(RecordError::UnknownField { field, owner: self.owner, known: self.taken.join(", ") })
    }

    /// Whether the field is there and has not been taken.
    pub fn has(&self, name: &str) -> bool {
        self.entries.iter().any(|(n, _)| n == name)
    }

    /// What `read` makes of the text of the field, if it is there and not `null`; its errors are said to be inside.
    pub fn nested<T>(&mut self, name: &'static str, read: fn(&'a str) -> Result<T>) -> Result<Option<T>> {
        self.taken.push(name);
        let Some(place) = self.entries.iter().position(|(n, _)| n == name) else { return Ok(None) };
        let (_, raw) = self.entries.remove(place);
        let text = Some(raw.get()).filter(|text| *text != "null");
        text.map(|text| read(text).map_err(|e| e.inside(name))).transpose()
    }

    /// The same of a field that must be there.
    pub fn needed<T>(&mut self, name: &'static str, read: fn(&'a str) -> Result<T>) -> Result<T> {
        let found = self.nested(name, read)?;
        found.ok_or_else(|| RecordError::Missing { field: name, owner: self.owner.clone() })
    }

    /// The field if it is there and not `null`.
    pub fn optional<T: DeserializeOwned>(&mut self, name: &'static str) -> Result<Option<T>> {
        self.nested(name, from_json)
    }

    /// The field, which must be there.
    pub fn required<T: DeserializeOwned>(&mut self, name: &'static str) -> Result<T> {
        self.needed(name, from_json)
    }
}

/// What a text of JSON holds.
pub(super) fn from_json<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T> {
    serde_json::from_str(text).map_err(|e| in_words(&e, text))
}

/// A number that must not be below zero.
pub(super) fn not_negative(text: &str) -> Result<f64> {
    let value = from_json(text)?;
    if value < 0.0 { Err(RecordError::Negative(value)) } else { Ok(value) }
}

/// The parser's complaint about `text` in plain words. Its "at line 1 column 5" becomes our own place.
fn in_words(error: &serde_json::Error, text: &str) -> RecordError {
    // The parser counts bytes.
    let read = text.get(..error.column()).unwrap_or(text);
    let column = if error.line() == 1 { read.chars().count() } else { error.column() };
    let said = error.to_string();
    let said = said.rsplit_once(" at line ").map_or(said.as_str(), |(what, _)| what);
    let what = match error.classify() {
        Category::Data | Category::Io => wanted_type(said),
        // This one is JSON.
        Category::Syntax | Category::Eof if said == "number out of range" => said.to_owned(),
        Category::Syntax | Category::Eof => format!("the line is not JSON: {}", wanted_text(said, read)),
    };
    RecordError::Json { what, column }
}

/// What the parser wanted to find after `read`, of which the last character is the wrong one.
fn wanted_text(said: &str, read: &str) -> String {
    if let Some(what) = said.strip_prefix("EOF while parsing ") {
        return format!("it ends in the middle of {what}");
    }
    let word = read.rsplit(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
    let plain = match said {
        "expected ident" if word.starts_with('t') => "expected `true`",
        "expected ident" if word.starts_with('f') => "expected `false`",
        "expected ident" => "expected `null`",
        "expected value" => "expected a number, a string, a list, an object, `true`, `false` or `null`",
        "key must be a string" => "expected the name of a field in double quotes",
        "trailing comma" => "a comma with nothing behind it",
        "trailing characters" => "expected the end of the line",
        other => other,
    };
    plain.to_owned()
}

/// The parser's "expected f64" and the like in words of the format.
fn wanted_type(said: &str) -> String {
    let Some((found, wanted)) = said.rsplit_once(", expected ") else { return said.to_owned() };
    let wanted = match wanted {
        "f64" => "a number",
        "u32" | "u64" | "usize" => "a whole number of 0 or more",
        "a sequence" => "a list",
        other => other,
    };
    format!("{}, expected {wanted}", found.replace("invalid type: sequence", "invalid type: list"))
}

/// The entries of an object up to a fault, and the fault.
fn entries(text: &str) -> (Vec<(String, &RawValue)>, Result<(), serde_json::Error>) {
    let (mut entries, mut json) = (Vec::new(), serde_json::Deserializer::from_str(text));
    let read = json.deserialize_map(Entries(&mut entries)).and_then(|()| json.end());
    (entries, read)
}

/// The text in a field of an object that may be damaged after it.
pub(super) fn text_in(text: &str, name: &str) -> Option<String> {
    let (_, raw) = entries(text).0.into_iter().rfind(|(known, _)| known == name)?;
    serde_json::from_str(raw.get()).ok()
}

struct Entries<'e, 'a>(&'e mut Vec<(String, &'a RawValue)>);

impl<'a> Visitor<'a> for Entries<'_, 'a> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object {…}")
    }

    fn visit_map<M: MapAccess<'a>>(self, mut map: M) -> Result<(), M::Error> {
        while let Some(entry) = map.next_entry()? {
            self.0.push(entry);
        }
        Ok(())
    }
}

/// Refuses brackets nested deeper than [`MAX_NESTING`].
pub(super) fn check_nesting(text: &str) -> Result<()> {
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    for (i, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'[' | b'{' if !in_string => depth += 1,
            b']' | b'}' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_NESTING {
            return Err(RecordError::TooDeep(i + 1));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        let read = |fields: &mut Fields<'_>| {
            fields.required::<f64>("x")?;
            fields.optional::<[u32; 2]>("pair")
        };
        Fields::read(text, "the test", read).unwrap_err().to_string()
    }

    #[test]
    fn each_error_names_its_field() {
        assert_eq!(error(r#"{"x":1,"x":2}"#), "the field `x` is given twice");
        assert_eq!(error(r#"{"pair":[1,2]}"#), "the field `x` is missing; the test needs it");
        assert_eq!(error(r#"{"x":null}"#), "the field `x` is missing; the test needs it");
        assert_eq!(error(r#"{"x":1,"y":2}"#), "the test has no field `y`; it may have: x, pair");
        assert!(error(r#"{"x":1,"pair":[1,-2]}"#).starts_with("`pair`: invalid value: integer `-2`"));
        assert!(error(r#"{"x":1e999}"#).starts_with("`x`: number out of range"));
        assert!(error("[1]").contains("a JSON object"));
        assert!(error(r#"{"x":[1]}"#).starts_with("`x`: invalid type: list, expected a number"));
    }

    #[test]
    fn what_is_not_json_is_told_in_plain_words() {
        let cases = [
            ("nope", "expected `null`, at character 2"),
            (r#"{"é":none}"#, "expected `null`, at character 7"),
            (r#"{"x":truth}"#, "expected `true`, at character 9"),
            (r#"{"x":folse}"#, "expected `false`, at character 7"),
            (
                r#"{"x":,}"#,
                "expected a number, a string, a list, an object, `true`, `false` or `null`, at character 6",
            ),
            ("{x:1}", "expected the name of a field in double quotes, at character 2"),
            (r#"{"x":1,}"#, "a comma with nothing behind it, at character 8"),
            (r#"{"x":1} {}"#, "expected the end of the line, at character 9"),
            (r#"{"x" 1}"#, "expected `:`, at character 6"),
            (r#"{"x":1 2}"#, "expected `,` or `}`, at character 8"),
            ("{", "it ends in the middle of an object, at character 1"),
        ];
        for (text, expected) in cases {
            assert_eq!(error(text), format!("the line is not JSON: {expected}"), "{text}");
        }
    }

    #[test]
    fn notes_are_allowed() {
        let text = r#"{"note":{"why":[1]},"x":2}"#;
        assert_eq!(Fields::read(text, "the test", |fields| fields.required::<f64>("x")), Ok(2.0));
    }
}
