//! The clear text of ISO 10303-21, which IFC and STEP files are written in: entities by number, and whether the file is
//! whole. Reading shapes is left to others, who make the best of a damaged file and do not say so.

use std::collections::HashMap;

use crate::{Cause, Place};

/// What a file begins and ends with.
const FIRST: &[u8] = b"ISO-10303-21;";
const LAST: &[u8] = b"END-ISO-10303-21;";

/// The entities of a file.
pub(crate) struct Step<'a> {
    pub entities: HashMap<u32, Entity<'a>>,
}

/// How many metres the unit of length of a STEP file is, if it has one alone. A file that is damaged is refused. O(n).
///
/// # Errors
/// [`Cause::Expected`] with the line where the file is damaged.
pub fn step_unit(bytes: &[u8]) -> Result<Option<f64>, Cause> {
    let step = Step::read(bytes)?;
    // Units that others are made of stand in the file as well.
    let contexts = step.entities.values().filter(|entity| entity.has(b"GLOBAL_UNIT_ASSIGNED_CONTEXT("));
    let numbers = contexts.flat_map(|context| references(context.arguments));
    let named = numbers.filter_map(|(number, _)| step.entities.get(&number));
    let mut units = named.filter_map(Entity::length_unit);
    let first = units.next();
    Ok(first.filter(|first| units.all(|unit| unit == *first)))
}

/// Units of length by how STEP files write them.
const UNITS: [(&[u8], f64); 8] = [
    (b"SI_UNIT(.MILLI.,.METRE.)", 0.001),
    (b"SI_UNIT(.CENTI.,.METRE.)", 0.01),
    (b"SI_UNIT(.MICRO.,.METRE.)", 1e-6),
    (b"SI_UNIT(.KILO.,.METRE.)", 1000.0),
    (b"SI_UNIT($,.METRE.)", 1.0),
    (b"CONVERSION_BASED_UNIT('INCH'", 0.0254),
    (b"CONVERSION_BASED_UNIT('FOOT'", 0.3048),
    (b"CONVERSION_BASED_UNIT('YARD'", 0.9144),
];

/// `#12=IFCWALL(…);`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entity<'a> {
    /// Its class in upper case; empty for one of several classes at once.
    pub class: &'a str,
    /// What stands between its parentheses.
    pub arguments: &'a [u8],
}

impl<'a> Step<'a> {
    /// Reads a file to its end. O(n).
    ///
    /// # Errors
    /// [`Cause::Expected`] with the line where a file is no longer of this form, breaks off, has a number twice or
    /// refers to one that it has not.
    pub fn read(bytes: &'a [u8]) -> Result<Self, Cause> {
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let mut scanner = Scanner { text, at: 0 };
        scanner.skip_blank();
        scanner.expect(FIRST, "ISO-10303-21; at the beginning")?;
        let mut entities = HashMap::new();
        loop {
            scanner.skip_blank();
            let rest = scanner.rest();
            if rest.starts_with(LAST) {
                break;
            } else if rest.starts_with(b"#") {
                let start = scanner.at;
                let (number, entity) = scanner.entity()?;
                if entities.insert(number, entity).is_some() {
                    return Err(scanner.refused(
                        start,
                        "a number that is not taken",
                        &format!("#{number} again"),
                    ));
                }
            } else if rest.is_empty() {
                return Err(scanner.refused(scanner.at, "END-ISO-10303-21;", "the end of the file"));
            } else {
                // HEADER; ENDSEC; DATA; and the lines of the header.
                scanner.statement()?;
            }
        }
        let step = Self { entities };
        step.check_references(&scanner)?;
        Ok(step)
    }

    fn check_references(&self, scanner: &Scanner<'_>) -> Result<(), Cause> {
        let mut missing = None;
        for entity in self.entities.values() {
            for (number, text) in references(entity.arguments) {
                let offset = text.as_ptr() as usize - scanner.text.as_ptr() as usize;
                if !self.entities.contains_key(&number) && missing.is_none_or(|(first, _)| offset < first) {
                    missing = Some((offset, number));
                }
            }
        }
        match missing {
            None => Ok(()),
            Some((offset, number)) => Err(scanner.refused(
                offset,
                "an entity of this file",
                &format!("#{number}, which it does not have"),
            )),
        }
    }
}

impl<'a> Entity<'a> {
    /// How many metres it is, if it is a unit of length.
    fn length_unit(&self) -> Option<f64> {
        let unit = UNITS.iter().find(|(word, _)| self.has(word)).filter(|_| self.has(b"LENGTH_UNIT()"));
        unit.map(|(_, metres)| *metres)
    }

    /// Whether this stands in its arguments, however it is spaced.
    fn has(&self, word: &[u8]) -> bool {
        let tight = self.arguments.iter().filter(|b| !b.is_ascii_whitespace());
        let text: Vec<u8> = tight.map(u8::to_ascii_uppercase).collect();
        text.windows(word.len()).any(|window| window == word)
    }
}

/// A place in the text.
struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Scanner<'a> {
    fn rest(&self) -> &'a [u8] {
        &self.text[self.at..]
    }

    /// Passes over white space and comments.
    fn skip_blank(&mut self) {
        loop {
            let rest = self.rest();
            let blank = rest.iter().take_while(|b| b.is_ascii_whitespace()).count();
            self.at += blank;
            if !self.rest().starts_with(b"/*") {
                return;
            }
            let length = self.rest().windows(2).position(|two| two == b"*/");
            self.at += length.map_or(self.rest().len(), |length| length + 2);
        }
    }

    fn expect(&mut self, what: &[u8], told: &str) -> Result<(), Cause> {
        if self.rest().starts_with(what) {
            self.at += what.len();
            Ok(())
        } else {
            Err(Cause::expected(self.place(self.at), told, &self.rest()[..self.rest().len().min(20)]))
        }
    }

    /// `#12 = IFCWALL(…);`
    fn entity(&mut self) -> Result<(u32, Entity<'a>), Cause> {
        self.expect(b"#", "#")?;
        let digits = self.word(u8::is_ascii_digit);
        let number = std::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok());
        let number = number.ok_or_else(|| Cause::expected(self.place(self.at), "a number", digits))?;
        self.skip_blank();
        self.expect(b"=", "= after the number of an entity")?;
        self.skip_blank();
        let class = self.word(|b| b.is_ascii_alphanumeric() || *b == b'_');
        let class = std::str::from_utf8(class).unwrap_or_default();
        self.skip_blank();
        let start = self.at + 1;
        self.expect(b"(", "( after the class of an entity")?;
        self.inside(start)?;
        let arguments = &self.text[start..self.at - 1];
        self.skip_blank();
        self.expect(b";", "; after an entity")?;
        Ok((number, Entity { class, arguments }))
    }

    /// All up to a semicolon.
    fn statement(&mut self) -> Result<(), Cause> {
        let start = self.at;
        loop {
            self.skip_blank();
            let Some(&byte) = self.rest().first() else {
                return Err(self.refused(start, "a ; before the end of the file", "none"));
            };
            self.at += 1;
            match byte {
                b';' => return Ok(()),
                b'\'' => self.string()?,
                b'(' => self.inside(self.at)?,
                _ => {}
            }
        }
    }

    /// All up to the parenthesis that closes the one before `start`.
    fn inside(&mut self, start: usize) -> Result<(), Cause> {
        let mut depth = 1_usize;
        while depth > 0 {
            let Some(&byte) = self.rest().first() else {
                return Err(self.refused(start, "a ) before the end of the file", "none"));
            };
            self.at += 1;
            match byte {
                b'(' => depth += 1,
                b')' => depth -= 1,
                b'\'' => self.string()?,
                b'/' if self.rest().starts_with(b"*") => {
                    self.at -= 1;
                    self.skip_blank();
                }
                b';' => return Err(self.refused(self.at - 1, "a ) before the ;", "none")),
                _ => {}
            }
        }
        Ok(())
    }

    /// The rest of a text.
    fn string(&mut self) -> Result<(), Cause> {
        let length = text_length(self.rest());
        self.at += length.ok_or_else(|| self.refused(self.at, "a quote that ends the text", "none"))?;
        Ok(())
    }

    fn word(&mut self, belongs: impl Fn(&u8) -> bool) -> &'a [u8] {
        let word = &self.rest()[..self.rest().iter().take_while(|b| belongs(b)).count()];
        self.at += word.len();
        word
    }

    fn place(&self, at: usize) -> Place {
        Place::Line(1 + self.text[..at.min(self.text.len())].iter().filter(|b| **b == b'\n').count() as u64)
    }

    fn refused(&self, at: usize, expected: &str, found: &str) -> Cause {
        Cause::Expected { place: self.place(at), expected: expected.to_owned(), found: found.to_owned() }
    }
}

/// How long a text is whose first quote stands before this, with the quote that ends it. A quote behind `\S\` is one of
/// its letters; two quotes are two texts here, which does as well.
pub(crate) fn text_length(rest: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += rest.get(at..)?.iter().position(|b| matches!(b, b'\'' | b'\\'))?;
        at += match &rest[at..] {
            [b'\'', ..] => return Some(at + 1),
            [b'\\', b'S', b'\\', ..] => 4,
            [b'\\', b'\\', ..] => 2,
            _ => 1,
        };
    }
}

/// The numbers behind `#` outside texts and comments, each with where it stands.
pub(crate) fn references(text: &[u8]) -> impl Iterator<Item = (u32, &[u8])> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            let at = rest.iter().position(|b| matches!(b, b'#' | b'\'' | b'/'))?;
            let found = &rest[at..];
            rest = &found[1..];
            match found[0] {
                b'\'' => rest = &rest[text_length(rest)?..],
                b'/' if rest.starts_with(b"*") => {
                    rest = &rest[rest.windows(2).position(|two| two == b"*/")? + 2..];
                }
                b'#' => {
                    let digits = &rest[..rest.iter().take_while(|b| b.is_ascii_digit()).count()];
                    if let Some(number) =
                        std::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok())
                    {
                        return Some((number, found));
                    }
                }
                _ => {}
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(data: &str) -> String {
        format!(
            "ISO-10303-21;\nHEADER;\nFILE_NAME('a;(''b',$);\nENDSEC;\nDATA;\n{data}\nENDSEC;\nEND-ISO-10303-21;\n"
        )
    }

    fn refusal(text: &str) -> String {
        Step::read(text.as_bytes()).err().map(|cause| cause.to_string()).unwrap_or_default()
    }

    #[test]
    fn the_unit_of_a_step_file_is_found_where_it_is_one() {
        let milli = "#1=(LENGTH_UNIT() NAMED_UNIT(*) SI_UNIT(.MILLI.,.METRE.));\n#2=(NAMED_UNIT(*) SI_UNIT($,.RADIAN.));";
        let inch = "#3=(CONVERSION_BASED_UNIT('INCH',#1) LENGTH_UNIT() NAMED_UNIT(#1));";
        let context = |number: u32, unit: u32| {
            format!(
                "{milli}{inch}#{number}=(GLOBAL_UNIT_ASSIGNED_CONTEXT((#{unit}, #2)) REPRESENTATION_CONTEXT('',''));"
            )
        };
        assert_eq!(step_unit(file(&context(4, 1)).as_bytes()), Ok(Some(0.001)));
        assert_eq!(step_unit(file(&context(4, 3)).as_bytes()), Ok(Some(0.0254)));
        let both = format!("{}#5=(GLOBAL_UNIT_ASSIGNED_CONTEXT((#3)));", context(4, 1));
        assert_eq!(step_unit(file(&both).as_bytes()), Ok(None));
        assert_eq!(step_unit(file("#1=A();").as_bytes()), Ok(None));
    }

    #[test]
    fn damage_is_found_and_its_line_named() {
        assert!(refusal("").starts_with("line 1: expected ISO-10303-21;"));
        let whole = file("#1=IFCWALL('a\\S\\'\\\\',#2);\n#2=A('');");
        assert_eq!(refusal(&whole), "");
        // Every truncation is noticed.
        for end in 0..whole.len() - 1 {
            assert!(!refusal(&whole[..end]).is_empty(), "{end}");
        }
        let cases = [
            ("#1=A(#7);", "line 6: expected an entity of this file, found #7, which it does not have"),
            ("#1=A();\n#1=B();", "line 7: expected a number that is not taken, found #1 again"),
            ("#1=A((1);\n#2=B();", "line 6: expected a ) before the ;, found none"),
            ("#1 A();", "line 6: expected = after the number of an entity"),
            ("#1=A()\n#2=B();", "line 7: expected ; after an entity"),
            ("#99999999999=A();", "line 6: expected a number"),
            ("#1=A('b);", "line 6: expected a quote"),
        ];
        for (data, expected) in cases {
            assert!(refusal(&file(data)).starts_with(expected), "{data}: {}", refusal(&file(data)));
        }
    }
}
