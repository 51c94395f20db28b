//! The numbers of a PLY file one after another, in any encoding.

use super::header::{Kind, Type};
use crate::text::{self, Lines, Words};
use crate::{Cause, Place};

/// Numbers that are read one after another.
pub trait Values {
    /// The next one as a real number, which may be NaN.
    fn real(&mut self, t: Type) -> Result<f64, Cause>;
    /// Passes over as many.
    fn skip(&mut self, t: Type, count: u64) -> Result<(), Cause>;
    /// Where the next one stands.
    fn place(&self) -> Place;
    /// How many bytes are left.
    fn left(&self) -> u64;
    /// The least bytes that a property takes.
    fn least(&self, kind: Kind) -> u64;
    /// An error if the rest cannot hold a list of that length.
    fn check_list(&self, length: u64, item: Type, place: Place) -> Result<(), Cause>;

    /// The next one as a whole number.
    fn integer(&mut self, t: Type) -> Result<i64, Cause> {
        let place = self.place();
        let value = self.real(t)?;
        // Beyond 2^53 a number is no index of anything that fits into memory.
        if value.fract() == 0.0 && value.abs() < 9e15 {
            return Ok(value as i64);
        }
        Err(Cause::Expected { place, expected: "a whole number".to_owned(), found: value.to_string() })
    }

    /// The length of a list.
    fn list_length(&mut self, count: Type, item: Type) -> Result<u64, Cause> {
        let place = self.place();
        let length = self.integer(count)?;
        let wrong = |_| Cause::Expected {
            place: place.clone(),
            expected: "the length of a list, 0 or more".to_owned(),
            found: length.to_string(),
        };
        let length = u64::try_from(length).map_err(wrong)?;
        self.check_list(length, item, place)?;
        Ok(length)
    }
}

/// Numbers written as words.
pub struct Text<'a> {
    lines: Lines<'a>,
    words: Words<'a>,
}

impl<'a> Text<'a> {
    /// The numbers of the rest of the lines.
    pub fn new(lines: Lines<'a>) -> Self {
        let mut text = Self { lines, words: Words(b"") };
        text.find_word();
        text
    }

    /// Moves on to the line with the next word.
    fn find_word(&mut self) {
        while self.words.clone().next().is_none() {
            match self.lines.next() {
                // Some programs go on with comments behind the header.
                Some(line) if line.trim_ascii_start().starts_with(b"comment") => {}
                Some(line) => self.words = Words(line),
                None => break,
            }
        }
    }

    fn word(&mut self) -> Result<&'a [u8], Cause> {
        let word = self.words.next();
        let place = self.lines.place();
        self.find_word();
        word.ok_or_else(|| Cause::ends(place, "a number", "the file"))
    }
}

impl Values for Text<'_> {
    fn real(&mut self, _: Type) -> Result<f64, Cause> {
        let place = self.lines.place();
        let word = self.word()?;
        text::number(word).ok_or_else(|| Cause::expected(place, "a number", word))
    }

    fn skip(&mut self, _: Type, count: u64) -> Result<(), Cause> {
        for _ in 0..count {
            self.word()?;
        }
        Ok(())
    }

    fn place(&self) -> Place {
        self.lines.place()
    }

    fn left(&self) -> u64 {
        (self.words.0.trim_ascii().len() + self.lines.left()) as u64
    }

    fn least(&self, _: Kind) -> u64 {
        2
    }

    fn check_list(&self, _: u64, _: Type, _: Place) -> Result<(), Cause> {
        // Its words are read one by one and reserve nothing.
        Ok(())
    }
}

/// Numbers in binary.
pub struct Binary<'a> {
    bytes: &'a [u8],
    at: u64,
    big: bool,
}

impl<'a> Binary<'a> {
    /// The numbers from a byte on.
    pub fn new(bytes: &'a [u8], at: u64, big: bool) -> Self {
        Self { bytes, at, big }
    }

    fn take(&mut self, count: u64) -> Result<&'a [u8], Cause> {
        let missing = || Cause::ends(Place::Byte(self.at), format!("{count} more bytes"), "the file");
        let end = self.at.checked_add(count).ok_or_else(missing)?;
        let taken = self.bytes.get(self.at as usize..end as usize).ok_or_else(missing)?;
        self.at = end;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Cause> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N as u64)?);
        if self.big {
            array.reverse();
        }
        Ok(array)
    }
}

impl Values for Binary<'_> {
    fn real(&mut self, t: Type) -> Result<f64, Cause> {
        Ok(match t {
            Type::I8 => i8::from_le_bytes(self.array()?).into(),
            Type::U8 => u8::from_le_bytes(self.array()?).into(),
            Type::I16 => i16::from_le_bytes(self.array()?).into(),
            Type::U16 => u16::from_le_bytes(self.array()?).into(),
            Type::I32 => i32::from_le_bytes(self.array()?).into(),
            Type::U32 => u32::from_le_bytes(self.array()?).into(),
            Type::F32 => f32::from_le_bytes(self.array()?).into(),
            Type::F64 => f64::from_le_bytes(self.array()?),
        })
    }

    fn skip(&mut self, t: Type, count: u64) -> Result<(), Cause> {
        self.take(count.saturating_mul(t.size())).map(drop)
    }

    fn place(&self) -> Place {
        Place::Byte(self.at)
    }

    fn left(&self) -> u64 {
        self.bytes.len() as u64 - self.at
    }

    fn least(&self, kind: Kind) -> u64 {
        match kind {
            Kind::Scalar(t) | Kind::List(t, _) => t.size(),
        }
    }

    fn check_list(&self, length: u64, item: Type, place: Place) -> Result<(), Cause> {
        let room = self.left() / item.size();
        if length <= room {
            return Ok(());
        }
        Err(Cause::Claim { place, what: "numbers in a list".to_owned(), claimed: length, room })
    }
}
