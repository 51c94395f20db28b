//! Patterns for names: `*` any text, `?` any character, `[a-z]` one of, `[!a-z]` none of, `{x,y}` either, `\`
//! takes the next character as it is, and `"…"` all between the quotes.
//!
//! A pattern is a nondeterministic automaton, run over all its states at once (Thompson 1968, "Regular
//! expression search algorithm"), so that no pattern takes longer than its length times the name's. A crate
//! for this would bring a whole engine of regular expressions with it, a tenth of what the command takes to
//! compile.

use std::iter::Peekable;
use std::str::Chars;

use thiserror::Error;

/// Why a pattern was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum PatternError {
    /// A `[` without its `]`.
    #[error("unclosed character class; add a ']', or write '\\[' for the character itself")]
    UnclosedClass,
    /// A `{` without its `}`.
    #[error("unclosed alternatives; add a '}}', or write '\\{{' for the character itself")]
    UnclosedAlternatives,
    /// A `}` without its `{`.
    #[error("a '}}' without its '{{'; write '\\}}' for the character itself")]
    UnopenedAlternatives,
    /// A range that ends before it begins.
    #[error("a range of characters that runs backwards: '{0}-{1}'")]
    BackwardRange(char, char),
    /// A `\` at the end.
    #[error("a '\\' at the end takes no character; write '\\\\' for the character itself")]
    DanglingEscape,
    /// A `"` without a second.
    #[error("a '\"' without its second; write '\\\"' for the character itself")]
    UnclosedQuote,
}

/// One step of the automaton.
#[derive(Debug, Clone, PartialEq)]
enum State {
    /// One character, equal to this.
    Literal(char),
    /// One character, whatever it is.
    Any,
    /// One character within any of the ranges; outside all of them if negated.
    Class { negated: bool, ranges: Vec<[char; 2]> },
    /// Goes on at either state, without a character.
    Split(usize, usize),
    /// Goes on elsewhere, without a character.
    Jump(usize),
}

impl State {
    fn takes(&self, c: char) -> bool {
        match self {
            Self::Literal(own) => *own == c,
            Self::Any => true,
            Self::Class { negated, ranges } => {
                ranges.iter().any(|&[from, to]| from <= c && c <= to) != *negated
            }
            Self::Split(..) | Self::Jump(_) => false,
        }
    }
}

/// A compiled pattern. The name matches if the state after the last is reached at its end.
#[derive(Debug, Clone)]
pub struct NamePattern {
    states: Vec<State>,
}

impl NamePattern {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// [`PatternError`], one variant a cause.
    pub fn new(text: &str) -> Result<Self, PatternError> {
        let mut compiler = Compiler { rest: text.chars().peekable(), states: Vec::new() };
        compiler.compile()?;
        Ok(Self { states: compiler.states })
    }

    /// Whether the whole name matches. Upper and lower case differ. O(length of the pattern × length of the name).
    pub fn matches(&self, name: &str) -> bool {
        let mut current = Reached::new(self.states.len());
        let mut next = Reached::new(self.states.len());
        current.add(0, &self.states);
        for c in name.chars() {
            let takes = |state: usize| self.states.get(state).is_some_and(|s| s.takes(c));
            next.clear();
            for &state in current.list.iter().filter(|&&state| takes(state)) {
                next.add(state + 1, &self.states);
            }
            std::mem::swap(&mut current, &mut next);
        }
        current.is_in[self.states.len()]
    }
}

/// The states reached by the characters so far.
struct Reached {
    is_in: Vec<bool>,
    list: Vec<usize>,
}

impl Reached {
    fn new(states: usize) -> Self {
        Self { is_in: vec![false; states + 1], list: Vec::new() }
    }

    fn clear(&mut self) {
        self.is_in.fill(false);
        self.list.clear();
    }

    /// Adds a state and all that follow from it without a character.
    fn add(&mut self, state: usize, states: &[State]) {
        let mut open = vec![state];
        while let Some(state) = open.pop() {
            if std::mem::replace(&mut self.is_in[state], true) {
                continue;
            }
            match states.get(state) {
                Some(State::Split(a, b)) => open.extend([*b, *a]),
                Some(State::Jump(to)) => open.push(*to),
                Some(State::Literal(_) | State::Any | State::Class { .. }) | None => self.list.push(state),
            }
        }
    }
}

/// Alternatives whose end is not read yet.
struct Alternatives {
    /// The split before the branch being read.
    split: usize,
    /// The jumps that end the branches before it.
    ends: Vec<usize>,
}

struct Compiler<'a> {
    rest: Peekable<Chars<'a>>,
    states: Vec<State>,
}

impl Compiler<'_> {
    fn compile(&mut self) -> Result<(), PatternError> {
        let mut open: Vec<Alternatives> = Vec::new();
        while let Some(c) = self.rest.next() {
            match (c, open.last_mut()) {
                ('*', _) => self.any_text(),
                ('?', _) => self.states.push(State::Any),
                ('[', _) => {
                    let class = self.class()?;
                    self.states.push(class);
                }
                ('{', _) => {
                    open.push(Alternatives { split: self.states.len(), ends: Vec::new() });
                    self.states.push(State::Jump(self.states.len() + 1));
                }
                (',', Some(alternatives)) => self.next_branch(alternatives),
                ('}', Some(_)) => {
                    for end in open.pop().into_iter().flat_map(|a| a.ends) {
                        self.states[end] = State::Jump(self.states.len());
                    }
                }
                ('}', None) => return Err(PatternError::UnopenedAlternatives),
                ('\\', _) => {
                    let escaped = self.rest.next().ok_or(PatternError::DanglingEscape)?;
                    self.states.push(State::Literal(escaped));
                }
                ('"', _) => self.quoted()?,
                _ => self.states.push(State::Literal(c)),
            }
        }
        if open.is_empty() { Ok(()) } else { Err(PatternError::UnclosedAlternatives) }
    }

    /// What stands up to the next quote, as it is.
    fn quoted(&mut self) -> Result<(), PatternError> {
        loop {
            match self.rest.next().ok_or(PatternError::UnclosedQuote)? {
                '"' => return Ok(()),
                c => self.states.push(State::Literal(c)),
            }
        }
    }

    fn any_text(&mut self) {
        let at = self.states.len();
        self.states.extend([State::Split(at + 1, at + 3), State::Any, State::Jump(at)]);
    }

    /// Ends a branch and begins the next: the split before the one that ends gets its second way.
    fn next_branch(&mut self, alternatives: &mut Alternatives) {
        alternatives.ends.push(self.states.len());
        // Where it goes is known at the closing brace.
        self.states.push(State::Jump(0));
        let split = self.states.len();
        self.states.push(State::Jump(split + 1));
        self.states[alternatives.split] = State::Split(alternatives.split + 1, split);
        alternatives.split = split;
    }

    /// A class, after its `[`. A `]` that comes first is one of its characters.
    fn class(&mut self) -> Result<State, PatternError> {
        let negated = self.rest.next_if(|&c| c == '!' || c == '^').is_some();
        let mut ranges = Vec::new();
        loop {
            let is_first = ranges.is_empty();
            let from = match self.rest.next().ok_or(PatternError::UnclosedClass)? {
                ']' if !is_first => return Ok(State::Class { negated, ranges }),
                c => c,
            };
            let to = self.range_end(from);
            if to < from {
                return Err(PatternError::BackwardRange(from, to));
            }
            ranges.push([from, to]);
        }
    }

    /// The last character of a range that begins with this one: itself, unless a `-` and another follow.
    fn range_end(&mut self, from: char) -> char {
        let mut ahead = self.rest.clone();
        match (ahead.next(), ahead.next()) {
            (Some('-'), Some(to)) if to != ']' => {
                self.rest = ahead;
                to
            }
            _ => from,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, name: &str) -> bool {
        NamePattern::new(pattern).unwrap().matches(name)
    }

    /// Expected values by hand, as POSIX.2 and the `globset` crate have them.
    #[test]
    fn patterns_match_whole_names() {
        let cases = [
            ("", "", true),
            ("", "a", false),
            ("*", "", true),
            ("bolt *", "bolt 12", true),
            ("bolt *", "a bolt 12", false),
            ("P*7", "Pipe/7", true),
            ("**/7", "Pipe/7", true),
            ("?olt", "bolt", true),
            ("?olt", "olt", false),
            ("?", "ü", true),
            ("[ab]x", "bx", true),
            ("[!ab]x", "bx", false),
            ("[^ab]x", "cx", true),
            ("[a-cx-z]", "y", true),
            ("[a-cx-z]", "d", false),
            ("[]]", "]", true),
            ("[a-]", "-", true),
            ("nut \\[M8\\]", "nut [M8]", true),
            ("{Elbow,Tee} ?", "Tee 3", true),
            ("{Elbow,Tee} ?", "Pipe 3", false),
            ("{a,b{c,d*}}e", "bdxe", true),
            ("{a,b{c,d*}}e", "be", false),
            ("x{,y}", "x", true),
            ("{a}", "a", true),
            ("a,b", "a,b", true),
            ("a*b*c", "a-b-b-c", true),
            ("a*b*c", "a-b-b", false),
            (r#""=>[0:1:1:14]"*"#, "=>[0:1:1:14]:3", true),
            ("=>[0:1:1:14]*", "=>[0:1:1:14]:3", false),
            (r#""*"x""?"#, "*xy", true),
            (r#"1/2\" *"#, "1/2\" pipe", true),
        ];
        for (pattern, name, expected) in cases {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn what_is_malformed_is_refused() {
        let refused = |pattern| NamePattern::new(pattern).unwrap_err();
        assert_eq!(refused("x["), PatternError::UnclosedClass);
        assert_eq!(refused("[]"), PatternError::UnclosedClass);
        assert_eq!(refused("{a,b"), PatternError::UnclosedAlternatives);
        assert_eq!(refused("a}"), PatternError::UnopenedAlternatives);
        assert_eq!(refused("[z-a]"), PatternError::BackwardRange('z', 'a'));
        assert_eq!(refused("a\\"), PatternError::DanglingEscape);
        assert_eq!(refused("1/2\" pipe"), PatternError::UnclosedQuote);
        assert_eq!(refused("a}").to_string(), "a '}' without its '{'; write '\\}' for the character itself");
    }

    /// A backtracking matcher takes 2^30 steps here, an expansion of the braces 2^40 patterns.
    #[test]
    fn no_pattern_takes_long() {
        assert!(!matches(&"*a".repeat(30), &"a".repeat(29)));
        assert!(matches(&"{a,b}".repeat(40), &"ab".repeat(20)));
    }
}
