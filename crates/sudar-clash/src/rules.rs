//! RULES.toml: which clashes to leave out, and the clearance for each pair of groups.
//!
//! ```toml
//! # Leave out contacts between bolts and nuts. Without `kind`, every kind is left out.
//! [[ignore]]
//! a = "bolt *"
//! b = "nut *"
//! kind = ["touch", "hard"]
//!
//! # A name for the parts that match any of the patterns.
//! [[group]]
//! name = "pipes"
//! parts = ["Pipe*", "{Elbow,Tee} ?"]
//!
//! [[group]]
//! name = "beams"
//! parts = ["IfcBeam*"]
//!
//! # Parts of `a` and parts of `b` apart by at most this are of kind `clearance`. Same unit as the scene.
//! # Of several that cover a pair the last one counts; pairs that none covers take --clearance.
//! [[pair]]
//! a = "pipes"
//! b = "beams"
//! clearance = 0.005
//! ```
//!
//! Wherever `a` and `b` stand, either order is meant, and the text is the name of a group, or else a pattern for part
//! names: `*` any text, `?` any character, `[ab]` one of, `{x,y}` either, `\` takes the next character as it is. A text
//! that equals a part's name always matches it. Unknown keys are refused.

use serde::Deserialize;
use thiserror::Error;
use toml::Spanned;

use crate::name_pattern::NamePattern;
use crate::options::{ClashError, ClashKind, ClashOptions, PartSet};

/// Why a rules file was refused.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum RulesError {
    /// Not TOML, or not of the form above.
    #[error("line {line}: {message}")]
    Form {
        /// Line number from 1.
        line: usize,
        /// What is wrong.
        message: String,
    },
    /// A pattern that is none.
    #[error(
        "line {line}: pattern '{pattern}': {message}; write \\ before a character that stands for itself"
    )]
    Pattern {
        /// Line number from 1.
        line: usize,
        /// The text.
        pattern: String,
        /// What is wrong.
        message: String,
    },
    /// Two groups of one name.
    #[error("line {line}: there is already a group '{name}'; give this one another name")]
    GroupTwice {
        /// Line number from 1.
        line: usize,
        /// Its name.
        name: String,
    },
    /// A clearance that is no length.
    #[error("line {line}: {error}")]
    Clearance {
        /// Line number from 1.
        line: usize,
        /// What is wrong.
        error: ClashError,
    },
}

/// The rules of one file, checked.
#[derive(Debug, Default)]
pub struct Rules {
    ignores: Vec<IgnoreRule>,
    pairs: Vec<PairRule>,
}

impl Rules {
    /// Reads the text of a rules file.
    ///
    /// # Errors
    /// One variant of [`RulesError`] per cause, each naming the line.
    pub fn parse(text: &str) -> Result<Self, RulesError> {
        let file: File = toml::from_str(text).map_err(|e| form_error(text, &e))?;
        let groups = compile_groups(text, file.group)?;
        let side = |s: &Spanned<String>| Side::new(text, s, &groups);
        let ignores = file.ignore.iter().map(|r| {
            let kinds = r.kind.clone().unwrap_or_else(|| ClashKind::ALL.to_vec());
            Ok(IgnoreRule { a: side(&r.a)?, b: side(&r.b)?, kinds })
        });
        let pairs = file.pair.iter().map(|r| {
            let clearance = *r.clearance.get_ref();
            let line = line_of(text, r.clearance.span().start);
            ClashOptions::new(clearance).map_err(|error| RulesError::Clearance { line, error })?;
            Ok(PairRule { a: side(&r.a)?, b: side(&r.b)?, clearance })
        });
        Ok(Self { ignores: ignores.collect::<Result<_, _>>()?, pairs: pairs.collect::<Result<_, _>>()? })
    }

    /// Adds the rules to the options, for parts of these names.
    ///
    /// Returns the groups and patterns that match no part at all, one note for each: most likely a misspelling.
    ///
    /// # Errors
    /// None in practice: clearances were checked as the file was read.
    pub fn apply(&self, names: &[&str], options: &mut ClashOptions) -> Result<Vec<String>, ClashError> {
        let mut notes = Vec::new();
        for rule in &self.ignores {
            let (a, b) = (rule.a.parts(names, &mut notes), rule.b.parts(names, &mut notes));
            options.ignore(a, b, &rule.kinds);
        }
        for rule in &self.pairs {
            let (a, b) = (rule.a.parts(names, &mut notes), rule.b.parts(names, &mut notes));
            options.set_clearance(a, b, rule.clearance)?;
        }
        notes.dedup();
        Ok(notes)
    }
}

#[derive(Debug)]
struct IgnoreRule {
    a: Side,
    b: Side,
    kinds: Vec<ClashKind>,
}

#[derive(Debug)]
struct PairRule {
    a: Side,
    b: Side,
    clearance: f64,
}

/// One side of a rule: what it says, and the patterns it comes to.
#[derive(Debug)]
struct Side {
    text: String,
    line: usize,
    patterns: Vec<Pattern>,
}

impl Side {
    fn new(
        file: &str,
        said: &Spanned<String>,
        groups: &[(String, Vec<Pattern>)],
    ) -> Result<Self, RulesError> {
        let text = said.get_ref().clone();
        let patterns = match groups.iter().find(|(name, _)| *name == text) {
            Some((_, patterns)) => patterns.clone(),
            None => vec![Pattern::new(file, said)?],
        };
        Ok(Self { text, line: line_of(file, said.span().start), patterns })
    }

    fn parts(&self, names: &[&str], notes: &mut Vec<String>) -> PartSet {
        let set: PartSet = names.iter().map(|name| self.patterns.iter().any(|p| p.matches(name))).collect();
        if set.is_empty() {
            notes.push(format!("line {}: '{}' matches no part of the scene", self.line, self.text));
        }
        set
    }
}

#[derive(Debug, Clone)]
struct Pattern {
    text: String,
    compiled: NamePattern,
}

impl Pattern {
    fn new(file: &str, said: &Spanned<String>) -> Result<Self, RulesError> {
        let text = said.get_ref().clone();
        match NamePattern::new(&text) {
            Ok(compiled) => Ok(Self { text, compiled }),
            Err(e) => Err(RulesError::Pattern {
                line: line_of(file, said.span().start),
                pattern: text,
                message: e.to_string(),
            }),
        }
    }

    fn matches(&self, name: &str) -> bool {
        self.text == name || self.compiled.matches(name)
    }
}

fn compile_groups(text: &str, groups: Vec<FileGroup>) -> Result<Vec<(String, Vec<Pattern>)>, RulesError> {
    let mut compiled: Vec<(String, Vec<Pattern>)> = Vec::with_capacity(groups.len());
    for group in groups {
        let line = line_of(text, group.name.span().start);
        let name = group.name.into_inner();
        if compiled.iter().any(|(other, _)| *other == name) {
            return Err(RulesError::GroupTwice { line, name });
        }
        let patterns = group.parts.iter().map(|p| Pattern::new(text, p)).collect::<Result<_, _>>()?;
        compiled.push((name, patterns));
    }
    Ok(compiled)
}

/// The parser's own message spans several lines with a picture; ours is one line.
fn form_error(text: &str, error: &toml::de::Error) -> RulesError {
    let line = line_of(text, error.span().map_or(0, |span| span.start));
    RulesError::Form { line, message: error.message().trim().replace('\n', "; ") }
}

fn line_of(text: &str, offset: usize) -> usize {
    1 + text.bytes().take(offset).filter(|&b| b == b'\n').count()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    ignore: Vec<FileIgnore>,
    #[serde(default)]
    group: Vec<FileGroup>,
    #[serde(default)]
    pair: Vec<FilePair>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileIgnore {
    a: Spanned<String>,
    b: Spanned<String>,
    kind: Option<Vec<ClashKind>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileGroup {
    name: Spanned<String>,
    parts: Vec<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FilePair {
    a: Spanned<String>,
    b: Spanned<String>,
    clearance: Spanned<f64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 5] = ["bolt 1", "bolt 2", "nut [M8]", "Pipe/7", "beam"];

    fn options(text: &str) -> (ClashOptions, Vec<String>) {
        let mut options = ClashOptions::new(0.5).unwrap();
        let notes = Rules::parse(text).unwrap().apply(&NAMES, &mut options).unwrap();
        (options, notes)
    }

    fn refusal(text: &str) -> String {
        Rules::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn the_example_in_the_documentation_is_valid() {
        let source = include_str!("rules.rs");
        let example = source.lines().skip_while(|l| *l != "//! ```toml").skip(1);
        let example: Vec<&str> =
            example.take_while(|l| *l != "//! ```").map(|l| l[3..].trim_start()).collect();
        let rules = Rules::parse(&example.join("\n")).unwrap();
        assert_eq!((rules.ignores.len(), rules.pairs.len()), (1, 1));
    }

    #[test]
    fn exceptions_name_kinds_and_patterns_in_either_order() {
        let (options, notes) = options("[[ignore]]\na = 'bolt *'\nb = 'nut*'\nkind = ['touch']\n");
        assert!(options.is_ignored(0, 2, ClashKind::Touch) && options.is_ignored(2, 1, ClashKind::Touch));
        assert!(!options.is_ignored(0, 2, ClashKind::Hard) && !options.is_ignored(0, 1, ClashKind::Touch));
        assert!(notes.is_empty());
    }

    #[test]
    fn without_kinds_everything_between_the_two_is_left_out() {
        let (options, _) = options("[[ignore]]\na = '*'\nb = 'beam'\n");
        assert!(ClashKind::ALL.iter().all(|&kind| options.is_ignored(1, 4, kind)));
        assert!(!options.is_ignored(0, 1, ClashKind::Hard));
    }

    #[test]
    fn clearances_go_by_pairs_of_groups_or_patterns() {
        let text = "[[group]]\nname = 'fasteners'\nparts = ['bolt ?', 'nut \\[M8\\]']\n\
                    [[pair]]\na = 'fasteners'\nb = 'P*7'\nclearance = 2\n";
        let (options, notes) = options(text);
        assert_eq!(
            [(0, 3), (3, 2), (0, 1), (3, 4)].map(|(i, j)| options.clearance_between(i, j)),
            [2.0, 2.0, 0.5, 0.5]
        );
        assert!(notes.is_empty());
    }

    #[test]
    fn a_name_with_brackets_matches_itself() {
        let (options, notes) = options("[[ignore]]\na = 'nut [M8]'\nb = 'beam'\n");
        assert!(options.is_ignored(2, 4, ClashKind::Hard) && notes.is_empty());
    }

    #[test]
    fn what_matches_nothing_is_noted() {
        let (_, notes) = options("[[ignore]]\na = 'bolts'\nb = 'beam'\n");
        assert_eq!(notes, ["line 2: 'bolts' matches no part of the scene"]);
    }

    #[test]
    fn errors_name_the_line_and_the_mend() {
        assert!(
            refusal("[[ignore]]\na = 'x'\nb = 'y'\nkinds = []\n")
                .starts_with("line 4: unknown field `kinds`")
        );
        assert!(refusal("clearance = 1\n").starts_with("line 1: unknown field `clearance`, expected one of"));
        assert!(
            refusal("[[ignore]]\na = 'x'\nb = 'y'\nkind = ['tuch']\n")
                .contains("line 4: unknown variant `tuch`")
        );
        assert!(refusal("\n[[ignore]\n").starts_with("line 2: "));
        assert!(refusal("[[ignore]]\na = 'x['\nb = 'y'\n").starts_with("line 2: pattern 'x[': unclosed"));
        let twice = "[[group]]\nname = 'g'\nparts = []\n[[group]]\nname = 'g'\nparts = []\n";
        assert_eq!(refusal(twice), "line 5: there is already a group 'g'; give this one another name");
    }

    #[test]
    fn a_clearance_that_is_no_length_is_refused() {
        for bad in ["nan", "inf", "-1"] {
            let text = format!("[[pair]]\na = 'x'\nb = 'y'\nclearance = {bad}\n");
            assert!(refusal(&text).starts_with("line 4: a clearance must"), "{bad}");
        }
        assert!(refusal("[[pair]]\na = 'x'\nb = 'y'\nclearance = '1 mm'\n").starts_with("line 4: "));
        assert!(refusal("[[pair]]\na = 'x'\nb = 'y'\n").contains("missing field `clearance`"));
    }
}
