//! RULES.toml: which clashes to leave out, and the clearance for each pair of sets.
//!
//! ```toml
//! # Leave out contacts between bolts and nuts. Without `kind`, every kind is left out.
//! [[ignore]]
//! a = "bolt *"
//! b = "nut *"
//! kind = ["touch"]
//!
//! # Leave out overlaps of at most `depth`.
//! [[ignore]]
//! a = "bolt *"
//! b = "@class=IfcPlate*"
//! kind = ["hard"]
//! depth = "0.2 mm"
//!
//! # A name for the parts that match any of the patterns.
//! [[group]]
//! name = "pipes"
//! parts = ["Pipe*", "{Elbow,Tee} ?"]
//!
//! [[group]]
//! name = "beams"
//! parts = ["@class=IfcBeam*"]
//!
//! # Parts of `a` and parts of `b` apart by at most this are of kind `clearance`.
//! # Of several that cover a pair the last one counts; pairs that none covers take --clearance.
//! [[pair]]
//! a = "pipes"
//! b = "beams"
//! clearance = "5 mm"
//!
//! # The same for many pairs of groups: a line for each group. Of several that cover a pair the greatest counts, and
//! # a `[[pair]]` before all.
//! [clearances]
//! pipes = { beams = "5 mm", pipes = "20 mm" }
//! ```
//!
//! A clash matrix has a row for each group or pattern, and says how bad a clash with others is: `critical`, `major` or
//! `minor`. With one, pairs without a cell are not checked at all; of several cells that cover a pair the worst counts.
//!
//! ```toml
//! [matrix]
//! pipes = { beams = "critical", pipes = "minor" }
//! ```
//!
//! Levels and grids name the places of clashes, where the files have none or others: "level 2, between B and C". Axes
//! of one `[[grid]]` lie side by side; a line is two points, x and y in the unit of the results.
//!
//! ```toml
//! [[level]]
//! name = "level 2"
//! elevation = "3.2 m"
//!
//! [[grid]]
//! axes = { A = [[0, 0], [0, 30]], B = [[6, 0], [6, 30]] }
//! ```
//!
//! A zone is room that others have to leave free: it reaches beyond the upright box with the least area on the ground
//! that holds a part of `of`, `across` its longer side to both sides, `along` it at both ends, `above` and `below`. A
//! part of `against` (all, if it is left out) that is in it is of kind `clearance`.
//!
//! ```toml
//! [[zone]]
//! name = "swing of doors"
//! of = "@class=IfcDoor*"
//! against = "pipes"
//! across = "900 mm"
//! ```
//!
//! Wherever `a` and `b` stand, either order is meant, and the text is the name of a group, or else a pattern for part
//! names: `*` any text, `?` any character, `[ab]` one of, `{x,y}` either, `\` takes the next character as it is, and
//! `"…"` all between the quotes: `a = '"=>[0:1:1:14]"*'`. A text that equals a part's name always matches it.
//! `@KEY=PATTERN` asks for a property of the part instead of its name. Lengths are numbers in the unit of the results,
//! or texts that name their unit. Unknown keys are refused.

mod form;

use std::ops::Range;

use sudar::Pose;
use thiserror::Error;
use toml::Spanned;

use crate::name_pattern::{NamePattern, PatternError};
use crate::options::{ClashError, ClashKind, ClashOptions, PartSet};
use crate::place::{GridAxis, Level, Places};
use crate::severity::Severity;
use crate::unit::{Length, LengthError, Unit};
use crate::zone::{Room, Zone};
use form::{File, FileGroup, FileZone, LengthText};

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
    /// A clearance or depth that is no length.
    #[error("line {line}: {error}")]
    Length {
        /// Line number from 1.
        line: usize,
        /// What is wrong.
        error: LengthError,
    },
    /// What the options do not take.
    #[error(transparent)]
    Options(#[from] ClashError),
}

/// What patterns are asked of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Named<'a> {
    /// The name of a part.
    pub name: &'a str,
    /// Its properties: keys and values.
    pub properties: &'a [(String, String)],
}

impl<'a> Named<'a> {
    /// A part without properties.
    pub fn new(name: &'a str) -> Self {
        Self { name, properties: &[] }
    }
}

/// The rules of one file, checked.
#[derive(Debug, Default)]
pub struct Rules {
    sets: Vec<(String, Vec<Pattern>)>,
    ignores: Vec<IgnoreRule>,
    pairs: Vec<PairRule>,
    cells: Vec<Cell>,
    levels: Vec<Elevation>,
    axes: Vec<GridAxis>,
    zones: Vec<ZoneRule>,
}

impl Rules {
    /// Reads the text of a rules file.
    ///
    /// # Errors
    /// One variant of [`RulesError`] per cause, each naming the line.
    pub fn parse(text: &str) -> Result<Self, RulesError> {
        Self::parse_with(text, &[])
    }

    /// Reads the text of a rules file, which may name these sets of parts beside its own groups: name and pattern. Of
    /// several patterns for one name each counts.
    ///
    /// # Errors
    /// Those of [`Rules::parse`]; line 0 is none of the file.
    pub fn parse_with(text: &str, sets: &[(String, String)]) -> Result<Self, RulesError> {
        let file: File = toml::from_str(text).map_err(|e| form_error(text, &e))?;
        let mut rules = Self { sets: compile_groups(text, file.group)?, ..Self::default() };
        for (name, pattern) in sets {
            let pattern = Pattern::new(pattern, 0)?;
            match rules.sets.iter_mut().find(|(known, _)| known == name) {
                Some((_, patterns)) => patterns.push(pattern),
                None => rules.sets.push((name.clone(), vec![pattern])),
            }
        }
        let at = |span: Range<usize>| line_of(text, span.start);
        let side = |s: &Spanned<String>| rules.side(s.get_ref(), at(s.span()));
        let mut ignores = Vec::new();
        for rule in &file.ignore {
            let up_to = rule.depth.as_ref().map(|depth| (depth.get_ref().clone(), at(depth.span())));
            let up_to = up_to.map(|(depth, line)| Limit::new(&depth, line)).transpose()?;
            let kinds = rule.kind.clone().unwrap_or_else(|| ClashKind::ALL.to_vec());
            ignores.push(IgnoreRule { a: side(&rule.a)?, b: side(&rule.b)?, kinds, up_to });
        }
        let mut pairs = Vec::new();
        for (name, row) in &file.clearances {
            for (other, clearance) in row {
                let line = at(clearance.span());
                let limit = Limit::new(clearance.get_ref(), line)?;
                let (a, b) = (rules.side(name, line)?, rules.side(other, line)?);
                pairs.push(PairRule { a, b, limit, is_of_matrix: true });
            }
        }
        for rule in &file.pair {
            let limit = Limit::new(rule.clearance.get_ref(), at(rule.clearance.span()))?;
            pairs.push(PairRule { a: side(&rule.a)?, b: side(&rule.b)?, limit, is_of_matrix: false });
        }
        let mut cells = Vec::new();
        for (name, row) in &file.matrix {
            for (other, severity) in row {
                let line = at(severity.span());
                let (a, b) = (rules.side(name, line)?, rules.side(other, line)?);
                cells.push(Cell { a, b, severity: *severity.get_ref() });
            }
        }
        (rules.ignores, rules.pairs, rules.cells) = (ignores, pairs, cells);
        for level in file.level {
            let line = at(level.elevation.span());
            rules.levels.push(Elevation::new(level.name, level.elevation.get_ref(), line)?);
        }
        for zone in &file.zone {
            let zone = rules.zone(zone, &at)?;
            rules.zones.push(zone);
        }
        for (family, grid) in (0..).zip(file.grid) {
            let axis = |(name, line)| GridAxis { name, family, line };
            rules.axes.extend(grid.axes.into_iter().map(axis));
        }
        Ok(rules)
    }

    /// Adds the rules to the options, for these parts, whose unit of length may be known.
    ///
    /// Returns the groups and patterns that match no part at all, one note for each: most likely a misspelling; and
    /// the names of the clearances that were set, in order.
    ///
    /// # Errors
    /// [`RulesError::Length`] for a length that names a unit where that of the scene is not known.
    pub fn apply(
        &self,
        parts: &[Named<'_>],
        unit: Option<Unit>,
        options: &mut ClashOptions,
    ) -> Result<Applied, RulesError> {
        let mut applied = Applied::default();
        for rule in &self.ignores {
            let [a, b] = [&rule.a, &rule.b].map(|side| side.parts(parts, &mut applied.notes));
            match &rule.up_to {
                Some(limit) => options.ignore_up_to(a, b, &rule.kinds, limit.in_unit(unit)?)?,
                None => options.ignore(a, b, &rule.kinds),
            }
        }
        let mut pairs = Vec::new();
        for rule in &self.pairs {
            pairs.push((rule, rule.limit.in_unit(unit)?));
        }
        // Stable: what was said later stays later.
        pairs.sort_by(|(r, x), (s, y)| {
            let order = s.is_of_matrix.cmp(&r.is_of_matrix);
            order.then(if r.is_of_matrix && s.is_of_matrix {
                x.total_cmp(y)
            } else {
                std::cmp::Ordering::Equal
            })
        });
        for (rule, clearance) in pairs {
            let [a, b] = [&rule.a, &rule.b].map(|side| side.parts(parts, &mut applied.notes));
            options.set_clearance(a, b, clearance)?;
            applied.clearances.push(format!("{} × {}", rule.a.text, rule.b.text));
        }
        for cell in &self.cells {
            let [a, b] = [&cell.a, &cell.b].map(|side| side.parts(parts, &mut applied.notes));
            options.set_severity(a, b, cell.severity);
        }
        for zone in &self.zones {
            let [of, against] = [&zone.of, &zone.against].map(|side| side.parts(parts, &mut applied.notes));
            applied.zones.push(Zone { name: zone.name.clone(), of, against, room: zone.room(unit)? });
        }
        applied.notes.dedup();
        applied.notes.dedup();
        Ok(applied)
    }

    /// Adds the levels and grids of the file, in the unit of the parts.
    ///
    /// # Errors
    /// [`RulesError::Length`] for an elevation that names a unit where that of the scene is not known.
    pub fn add_places(&self, unit: Option<Unit>, places: &mut Places) -> Result<(), RulesError> {
        for level in &self.levels {
            let elevation = level.sign * level.height.in_unit(unit)?;
            places.add_level(Level { name: level.name.clone(), elevation }, &Pose::IDENTITY);
        }
        for axis in &self.axes {
            places.add_axis(axis.clone(), &Pose::IDENTITY);
        }
        Ok(())
    }

    /// The parts of each named set.
    pub fn sets(&self, parts: &[Named<'_>]) -> Vec<(String, PartSet)> {
        let set = |patterns: &[Pattern]| parts.iter().map(|part| matches_any(patterns, part)).collect();
        self.sets.iter().map(|(name, patterns)| (name.clone(), set(patterns))).collect()
    }

    /// The parts that a pattern matches.
    ///
    /// # Errors
    /// [`PatternError`].
    pub fn matching(pattern: &str, parts: &[Named<'_>]) -> Result<PartSet, PatternError> {
        let pattern = Pattern::compiled(pattern)?;
        Ok(parts.iter().map(|part| pattern.matches(part)).collect())
    }

    fn zone(&self, zone: &FileZone, at: &impl Fn(Range<usize>) -> usize) -> Result<ZoneRule, RulesError> {
        let side = |s: &Spanned<String>| self.side(s.get_ref(), at(s.span()));
        let of = side(&zone.of)?;
        let against = match &zone.against {
            Some(against) => side(against)?,
            None => self.side("*", of.line)?,
        };
        let limit = |length: &Option<Spanned<LengthText>>| {
            length.as_ref().map(|length| Limit::new(length.get_ref(), at(length.span()))).transpose()
        };
        let room = [limit(&zone.across)?, limit(&zone.along)?, limit(&zone.above)?, limit(&zone.below)?];
        Ok(ZoneRule { name: zone.name.clone(), of, against, room })
    }

    fn side(&self, text: &str, line: usize) -> Result<Side, RulesError> {
        let patterns = match self.sets.iter().find(|(name, _)| name == text) {
            Some((_, patterns)) => patterns.clone(),
            None => vec![Pattern::new(text, line)?],
        };
        Ok(Side { text: text.to_owned(), line, patterns })
    }
}

/// What became of rules.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Applied {
    /// Groups and patterns that match no part.
    pub notes: Vec<String>,
    /// The names of the clearances, in the order in which they were set.
    pub clearances: Vec<String>,
    /// The zones, for these parts.
    pub zones: Vec<Zone>,
}

#[derive(Debug)]
struct ZoneRule {
    name: String,
    of: Side,
    against: Side,
    /// Across, along, above and below.
    room: [Option<Limit>; 4],
}

impl ZoneRule {
    fn room(&self, unit: Option<Unit>) -> Result<Room, RulesError> {
        let length = |i: usize| self.room[i].as_ref().map_or(Ok(0.0), |limit| limit.in_unit(unit));
        Ok(Room { across: length(0)?, along: length(1)?, above: length(2)?, below: length(3)? })
    }
}

#[derive(Debug)]
struct IgnoreRule {
    a: Side,
    b: Side,
    kinds: Vec<ClashKind>,
    up_to: Option<Limit>,
}

#[derive(Debug)]
struct PairRule {
    a: Side,
    b: Side,
    limit: Limit,
    is_of_matrix: bool,
}

/// A level, which may be below zero as no limit is.
#[derive(Debug)]
struct Elevation {
    name: String,
    height: Limit,
    sign: f64,
}

impl Elevation {
    fn new(name: String, elevation: &LengthText, line: usize) -> Result<Self, RulesError> {
        let (height, sign) = match elevation {
            LengthText::Number(x) => (LengthText::Number(x.abs()), x.signum()),
            LengthText::Text(text) => match text.trim().strip_prefix('-') {
                Some(text) => (LengthText::Text(text.to_owned()), -1.0),
                None => (elevation.clone(), 1.0),
            },
        };
        Ok(Self { name, height: Limit::new(&height, line)?, sign })
    }
}

/// A cell of the matrix.
#[derive(Debug)]
struct Cell {
    a: Side,
    b: Side,
    severity: Severity,
}

/// A length and where it stands.
#[derive(Debug, Clone, Copy)]
struct Limit {
    length: Length,
    line: usize,
}

impl Limit {
    fn new(text: &LengthText, line: usize) -> Result<Self, RulesError> {
        let length = match text {
            LengthText::Number(value) => Length::new(*value),
            LengthText::Text(text) => text.parse(),
        };
        length.map(|length| Self { length, line }).map_err(|error| RulesError::Length { line, error })
    }

    fn in_unit(self, unit: Option<Unit>) -> Result<f64, RulesError> {
        self.length.in_unit(unit).map_err(|error| RulesError::Length { line: self.line, error })
    }
}

/// One side of a rule: its text, and the patterns it comes to.
#[derive(Debug)]
struct Side {
    text: String,
    line: usize,
    patterns: Vec<Pattern>,
}

impl Side {
    fn parts(&self, parts: &[Named<'_>], notes: &mut Vec<String>) -> PartSet {
        let set: PartSet = parts.iter().map(|part| matches_any(&self.patterns, part)).collect();
        if set.is_empty() {
            notes.push(format!("line {}: '{}' matches no part of the scene", self.line, self.text));
        }
        set
    }
}

fn matches_any(patterns: &[Pattern], part: &Named<'_>) -> bool {
    patterns.iter().any(|pattern| pattern.matches(part))
}

#[derive(Debug, Clone)]
struct Pattern {
    text: String,
    /// The property that is asked for, if it is not the name.
    key: Option<String>,
    compiled: NamePattern,
}

impl Pattern {
    fn new(text: &str, line: usize) -> Result<Self, RulesError> {
        Self::compiled(text).map_err(|error| RulesError::Pattern {
            line,
            pattern: text.to_owned(),
            message: error.to_string(),
        })
    }

    fn compiled(text: &str) -> Result<Self, PatternError> {
        let property = text.strip_prefix('@').and_then(|rest| rest.split_once('='));
        let (key, pattern) = property.map_or((None, text), |(key, pattern)| (Some(key.to_owned()), pattern));
        Ok(Self { text: text.to_owned(), key, compiled: NamePattern::new(pattern)? })
    }

    fn matches(&self, part: &Named<'_>) -> bool {
        let of_key = |key: &String| {
            part.properties.iter().any(|(known, value)| known == key && self.compiled.matches(value))
        };
        self.text == part.name || self.key.as_ref().map_or_else(|| self.compiled.matches(part.name), of_key)
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
        let pattern = |p: &Spanned<String>| Pattern::new(p.get_ref(), line_of(text, p.span().start));
        let patterns = group.parts.iter().map(pattern).collect::<Result<_, _>>()?;
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

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 5] = ["bolt 1", "bolt 2", "nut [M8]", "Pipe/7", "beam"];

    fn options(text: &str) -> (ClashOptions, Vec<String>) {
        let mut options = ClashOptions::new(0.5).unwrap();
        let parts = NAMES.map(Named::new);
        let applied = Rules::parse(text).unwrap().apply(&parts, Some(Unit::M), &mut options).unwrap();
        (options, applied.notes)
    }

    fn refusal(text: &str) -> String {
        Rules::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn the_example_in_the_documentation_is_valid() {
        let source = include_str!("rules.rs");
        let blocks =
            source.split("//! ```toml\n").skip(1).map(|block| block.split("//! ```").next().unwrap());
        let example: Vec<&str> = blocks.flat_map(str::lines).map(|line| line[3..].trim_start()).collect();
        let rules = Rules::parse(&example.join("\n")).unwrap();
        assert_eq!((rules.cells.len(), rules.levels.len(), rules.axes.len()), (2, 1, 2));
        assert_eq!((rules.ignores.len(), rules.pairs.len(), rules.sets.len()), (2, 3, 2));
    }

    #[test]
    fn a_matrix_restricts_the_check_and_says_how_bad() {
        let (options, notes) = options(
            "[matrix]\n'Pipe*' = { beam = 'critical', 'bolt *' = 'minor' }\nbeam = { beem = 'major' }\n",
        );
        assert_eq!(options.severity_between(4, 3), Some(Severity::Critical));
        assert_eq!(options.severity_between(0, 3), Some(Severity::Minor));
        assert!(!options.is_wanted(0, 1) && options.is_wanted(1, 3));
        assert_eq!(notes, ["line 3: 'beem' matches no part of the scene"]);
        let refused = refusal("[matrix]\na = { b = 'bad' }\n");
        assert!(
            refused.starts_with("line 2: unknown variant `bad`, expected one of `critical`"),
            "{refused}"
        );
    }

    #[test]
    fn levels_and_grids_name_places() {
        let text = "[[level]]\nname = 'cellar'\nelevation = '-300 cm'\n[[level]]\nname = 'ground'\nelevation = 0\n\
                    [[grid]]\naxes = { A = [[0, 0], [0, 30]], B = [[6, 0], [6, 30]] }\n";
        let mut places = Places::default();
        Rules::parse(text).unwrap().add_places(Some(Unit::M), &mut places).unwrap();
        let name = |z| places.name(sudar::DVec3::new(2.0, 7.0, z)).unwrap();
        assert_eq!([name(-2.9), name(0.5)], ["cellar, between A and B", "ground, between A and B"]);
        assert!(refusal("[[grid]]\naxes = { A = [[0, 0]] }\n").starts_with("line 2: "));
    }

    #[test]
    fn zones_have_parts_and_room() {
        let text =
            "[[zone]]\nname = 'swing'\nof = 'bolt *'\nagainst = 'beam'\nacross = '900 mm'\nbelow = 2\n";
        let (rules, names) = (Rules::parse(text).unwrap(), ["bolt 1", "beam"]);
        let parts: Vec<Named<'_>> = names.iter().map(|name| Named { name, properties: &[] }).collect();
        let mut options = ClashOptions::new(0.0).unwrap();
        let applied = rules.apply(&parts, Some(Unit::M), &mut options).unwrap();
        let zone = &applied.zones[0];
        assert!(zone.of.contains(0) && !zone.of.contains(1) && zone.against.contains(1));
        assert_eq!(zone.room, Room { across: 0.9, below: 2.0, ..Room::default() });
        assert!(refusal("[[zone]]\nname = 'x'\nof = 'a'\nfront = 1\n").starts_with("line 4: "));
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
        for bad in ["nan", "inf", "-1", "'-1 mm'", "'nan'"] {
            let text = format!("[[pair]]\na = 'x'\nb = 'y'\nclearance = {bad}\n");
            assert!(refusal(&text).starts_with("line 4: a length must"), "{bad}");
        }
        assert!(
            refusal("[[pair]]\na = 'x'\nb = 'y'\nclearance = '1 mile'\n")
                .starts_with("line 4: '1 mile' is no")
        );
        assert!(
            refusal("[[pair]]\na = 'x'\nb = 'y'\nclearance = true\n").starts_with("line 4: a length: a num")
        );
        assert!(refusal("[[pair]]\na = 'x'\nb = 'y'\n").contains("missing field `clearance`"));
        let rules = Rules::parse("[[pair]]\na = 'x'\nb = 'y'\nclearance = '1 mm'\n").unwrap();
        let refused = rules.apply(&[], None, &mut ClashOptions::default()).unwrap_err().to_string();
        assert!(refused.starts_with("line 4: 1mm: the unit of the files is not known"), "{refused}");
    }

    #[test]
    fn a_matrix_of_clearances_yields_to_pairs_and_its_greatest_counts() {
        let text = "[[group]]\nname = 'bolts'\nparts = ['bolt *']\n[[group]]\nname = 'steel'\nparts = ['bolt 2', 'beam']\n\
                    [[pair]]\na = 'bolt 1'\nb = 'beam'\nclearance = 3\n\
                    [clearances]\nbolts = { steel = '2 mm', 'Pipe*' = 1 }\nsteel = { steel = '7mm' }\n";
        let (options, notes) = options(text);
        let pairs = [(0, 1), (0, 3), (1, 4), (0, 4), (0, 2)];
        assert_eq!(pairs.map(|(i, j)| options.clearance_between(i, j)), [0.002, 1.0, 0.007, 3.0, 0.5]);
        assert!(notes.is_empty());
    }

    #[test]
    fn quotes_keep_brackets_and_properties_are_asked_by_key() {
        let class = [("class".to_owned(), "IfcBeam".to_owned()), ("storey".to_owned(), "EG".to_owned())];
        let parts = [
            Named { name: "=>[0:1:1:14]:1", properties: &[] },
            Named { name: "x", properties: &class },
            Named::new("@class=IfcBeam*"),
        ];
        let rules =
            Rules::parse_with("", &[("steel".to_owned(), "@class=Ifc{Beam,Column}*".to_owned())]).unwrap();
        let numbers = |set: &PartSet| (0..3).filter(|&i| set.contains(i)).collect::<Vec<_>>();
        let found = |text: &str| numbers(&Rules::matching(text, &parts).unwrap());
        assert_eq!(found(r#""=>[0:1:1:14]"*"#), [0]);
        assert_eq!(found("=>[0:1:1:14]*"), [] as [usize; 0]);
        let sets = rules.sets(&parts);
        assert_eq!((&*sets[0].0, numbers(&sets[0].1)), ("steel", vec![1]));
        assert_eq!(found("@class=IfcBeam*"), [1, 2]);
        assert_eq!(found("@storey=E?"), [1]);
        assert_eq!(found("@Storey=E?"), [] as [usize; 0]);
        assert_eq!(Rules::matching("a{", &parts), Err(PatternError::UnclosedAlternatives));
    }

    #[test]
    fn the_rules_that_are_shipped_say_what_they_mean() {
        use ClashKind::{Contained, Hard, Touch};
        let class = |name: &str| [("class".to_owned(), name.to_owned())];
        let [beam, bar, door] = ["IfcBeamStandardCase", "IfcReinforcingBar", "IfcDoor"].map(class);
        let of = |properties| Named { name: "x", properties };
        let cases: [(&str, Named<'_>, Named<'_>, ClashKind, f64, bool); 10] = [
            (
                include_str!("../rules/fasteners.toml"),
                Named::new("bolt M8"),
                Named::new("plate"),
                Hard,
                0.001,
                true,
            ),
            (
                include_str!("../rules/fasteners.toml"),
                Named::new("bolt M8"),
                Named::new("plate"),
                Hard,
                0.002,
                false,
            ),
            (
                include_str!("../rules/fasteners.toml"),
                Named::new("gear"),
                Named::new("plate"),
                Hard,
                0.001,
                false,
            ),
            (include_str!("../rules/rebar.toml"), of(&bar), of(&beam), Contained, 0.1, true),
            (include_str!("../rules/rebar.toml"), of(&bar), of(&bar), Hard, 0.001, false),
            (include_str!("../rules/doors.toml"), of(&door), Named::new("Wall 3"), Hard, 0.01, true),
            (include_str!("../rules/doors.toml"), of(&door), of(&beam), Hard, 0.01, false),
            (
                include_str!("../rules/sleeves.toml"),
                Named::new("Pipe 1"),
                Named::new("Sleeve 1"),
                Touch,
                0.0,
                true,
            ),
            (
                include_str!("../rules/sleeves.toml"),
                Named::new("Pipe 1"),
                Named::new("Sleeve 1"),
                Hard,
                0.1,
                false,
            ),
            (
                include_str!("../rules/sleeves.toml"),
                Named::new("Pipe 1"),
                Named::new("Wall 1"),
                Hard,
                0.1,
                false,
            ),
        ];
        for (n, (text, a, b, kind, depth, expected)) in cases.into_iter().enumerate() {
            let mut options = ClashOptions::default();
            Rules::parse(text).unwrap().apply(&[a, b], Some(Unit::M), &mut options).unwrap();
            assert_eq!(options.is_left_out(0, 1, kind, depth), expected, "case {n}");
        }
    }

    #[test]
    fn shallow_overlaps_can_be_left_out() {
        let (options, _) = options("[[ignore]]\na = 'bolt *'\nb = '*'\nkind = ['hard']\ndepth = '3 mm'\n");
        assert!(options.is_left_out(0, 3, ClashKind::Hard, 0.003));
        assert!(
            !options.is_left_out(0, 3, ClashKind::Hard, 0.0031) && !options.is_ignored(0, 3, ClashKind::Hard)
        );
        assert!(!options.is_left_out(0, 3, ClashKind::Touch, 0.0));
    }
}
