//! Words, numbers, strings and marks of a VRML text, each with its line.

use crate::{Cause, Place};

/// The smallest piece of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// `{`, `}`, `[`, `]`.
    Mark(u8),
    /// A string without its quotes, escapes still in it.
    Text(&'a [u8]),
    /// Anything else up to a space, comma, mark or comment.
    Word(&'a [u8]),
}

/// A text that is read token by token.
#[derive(Debug, Clone)]
pub(super) struct Lexer<'a> {
    rest: &'a [u8],
    line: u64,
    /// The token that is next, and the line it is on.
    next: Option<(Token<'a>, u64)>,
}

impl<'a> Lexer<'a> {
    pub fn new(text: &'a [u8]) -> Result<Self, Cause> {
        let mut lexer = Self { rest: text, line: 1, next: None };
        lexer.next = lexer.scan()?;
        Ok(lexer)
    }

    /// The next token, which stays the next.
    pub fn peek(&self) -> Option<Token<'a>> {
        self.next.map(|(token, _)| token)
    }

    /// The line of the next token, or the last.
    pub fn line(&self) -> u64 {
        self.next.map_or(self.line, |(_, line)| line)
    }

    pub fn place(&self) -> Place {
        Place::Line(self.line())
    }

    /// The next token, or that `expected` is missing at the end.
    pub fn take(&mut self, expected: &str) -> Result<Token<'a>, Cause> {
        let (token, _) = self.next.ok_or_else(|| Cause::ends(self.place(), expected, "the file"))?;
        self.next = self.scan()?;
        Ok(token)
    }

    /// Goes on behind a mark if it is next.
    pub fn skip(&mut self, mark: u8) -> Result<bool, Cause> {
        let is_next = self.peek() == Some(Token::Mark(mark));
        if is_next {
            self.next = self.scan()?;
        }
        Ok(is_next)
    }

    /// Goes on behind a mark, which must be next.
    pub fn need(&mut self, mark: u8) -> Result<(), Cause> {
        let expected = format!("`{}`", char::from(mark));
        if self.skip(mark)? { Ok(()) } else { Err(self.unexpected(&expected)) }
    }

    /// The next word, which must be one.
    pub fn word(&mut self, expected: &str) -> Result<&'a [u8], Cause> {
        match self.peek() {
            Some(Token::Word(word)) => {
                self.next = self.scan()?;
                Ok(word)
            }
            Some(Token::Mark(_) | Token::Text(_)) | None => Err(self.unexpected(expected)),
        }
    }

    /// That something else should be next.
    pub fn unexpected(&self, expected: &str) -> Cause {
        match self.peek() {
            Some(Token::Mark(mark)) => Cause::expected(self.place(), expected, &[mark]),
            Some(Token::Text(text)) => {
                Cause::expected(self.place(), format!("{expected}, not a string"), text)
            }
            Some(Token::Word(word)) => Cause::expected(self.place(), expected, word),
            None => Cause::ends(self.place(), expected, "the file"),
        }
    }

    fn scan(&mut self) -> Result<Option<(Token<'a>, u64)>, Cause> {
        self.skip_space();
        let line = self.line;
        let token = match self.rest.first() {
            None => return Ok(None),
            Some(&mark @ (b'{' | b'}' | b'[' | b']')) => {
                self.rest = &self.rest[1..];
                Token::Mark(mark)
            }
            Some(b'"') => Token::Text(self.string()?),
            Some(_) => {
                let end = self.rest.iter().position(|&b| ends_word(b)).unwrap_or(self.rest.len());
                let (word, rest) = self.rest.split_at(end);
                self.rest = rest;
                Token::Word(word)
            }
        };
        Ok(Some((token, line)))
    }

    /// Spaces, commas and comments, and the ends of lines, which count.
    fn skip_space(&mut self) {
        while let Some(&b) = self.rest.first() {
            match b {
                b'#' => {
                    let end = self.rest.iter().position(|&b| b == b'\n' || b == b'\r');
                    self.rest = &self.rest[end.unwrap_or(self.rest.len())..];
                    continue;
                }
                b'\r' if self.rest.get(1) == Some(&b'\n') => {}
                b'\n' | b'\r' => self.line += 1,
                _ if is_space(b) => {}
                _ => return,
            }
            self.rest = &self.rest[1..];
        }
    }

    /// Up to the quote that is not escaped.
    fn string(&mut self) -> Result<&'a [u8], Cause> {
        let (start, mut escaped) = (self.line, false);
        for (i, &b) in self.rest.iter().enumerate().skip(1) {
            match b {
                b'"' if !escaped => {
                    let text = &self.rest[1..i];
                    self.rest = &self.rest[i + 1..];
                    return Ok(text);
                }
                b'\n' => self.line += 1,
                _ => {}
            }
            escaped = b == b'\\' && !escaped;
        }
        Err(Cause::ends(Place::Line(start), "`\"` that ends this string", "the file"))
    }
}

fn is_space(b: u8) -> bool {
    matches!(b, b' ' | b'\t' | b'\n' | b'\r' | b',' | 0x0b | 0x0c)
}

fn ends_word(b: u8) -> bool {
    is_space(b) || matches!(b, b'{' | b'}' | b'[' | b']' | b'"' | b'#')
}

/// The text of a string, its escapes undone, on one line.
pub(super) fn unescaped(text: &[u8]) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut escaped = false;
    for &b in text {
        escaped = b == b'\\' && !escaped;
        if !escaped {
            bytes.push(b);
        }
    }
    crate::error::one_line(&String::from_utf8_lossy(&bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_and_their_lines() {
        let mut lexer = Lexer::new(b"a{b,1 # {c\r\n\"x\\\"y\n#\"]-2.5e3").unwrap();
        let mut all = Vec::new();
        while lexer.peek().is_some() {
            all.push((lexer.line(), lexer.take("").unwrap()));
        }
        let expected = [
            (1, Token::Word(&b"a"[..])),
            (1, Token::Mark(b'{')),
            (1, Token::Word(b"b")),
            (1, Token::Word(b"1")),
            (2, Token::Text(b"x\\\"y\n#")),
            (3, Token::Mark(b']')),
            (3, Token::Word(b"-2.5e3")),
        ];
        assert_eq!(all, expected);
        assert_eq!(unescaped(b"x\\\"y\\\\"), "x\"y\\");
        assert!(Lexer::new(b"\"open").is_err());
    }
}
