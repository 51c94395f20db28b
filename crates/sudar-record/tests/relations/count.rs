//! How many relations held, and which did not.

use std::collections::BTreeMap;

use crate::cases::Case;
use crate::replay::{Asked, line};

/// Lines kept of each relation that failed.
const KEPT: usize = 6;

#[derive(Default)]
pub struct Count {
    pub held: BTreeMap<&'static str, u64>,
    pub failed: BTreeMap<&'static str, Failures>,
    /// Relations by style and by place.
    pub classes: BTreeMap<String, u64>,
    /// Answers that stayed open.
    pub open: BTreeMap<&'static str, u64>,
}

#[derive(Default)]
pub struct Failures {
    pub count: u64,
    /// By kinds.
    pub kinds: BTreeMap<[&'static str; 2], u64>,
    pub lines: Vec<String>,
}

impl Count {
    pub fn relations(&self) -> u64 {
        self.held.values().sum::<u64>() + self.failed.values().map(|f| f.count).sum::<u64>()
    }

    /// One relation of the answers for a case. `said` tells what was answered.
    pub fn hold(
        &mut self,
        relation: &'static str,
        case: &Case,
        asked: Asked,
        holds: bool,
        said: impl FnOnce() -> String,
    ) {
        *self.classes.entry(format!("{:?}, {:?}", case.style, case.place)).or_default() += 1;
        if holds {
            *self.held.entry(relation).or_default() += 1;
            return;
        }
        let failures = self.failed.entry(relation).or_default();
        failures.count += 1;
        let of_kinds = failures.kinds.entry(case.kinds).or_default();
        *of_kinds += 1;
        if *of_kinds == 1 && failures.lines.len() < KEPT {
            let id = format!("case {}: {relation}: {}: {}", case.number, case.name(), said());
            failures.lines.push(line(id, asked, case));
        }
    }

    pub fn merge(&mut self, other: Self) {
        for (relation, count) in other.held {
            *self.held.entry(relation).or_default() += count;
        }
        for (relation, failures) in other.failed {
            let all = self.failed.entry(relation).or_default();
            all.count += failures.count;
            all.lines.extend(failures.lines);
            all.lines.truncate(KEPT);
            for (kinds, count) in failures.kinds {
                *all.kinds.entry(kinds).or_default() += count;
            }
        }
        for (class, count) in other.classes {
            *self.classes.entry(class).or_default() += count;
        }
        for (what, count) in other.open {
            *self.open.entry(what).or_default() += count;
        }
    }

    pub fn print(&self) {
        println!("| relation | held |\n|---|---|");
        for (relation, count) in &self.held {
            println!("| {relation} | {count} |");
        }
        println!("\n| class | relations |\n|---|---|");
        for (class, count) in &self.classes {
            println!("| {class} | {count} |");
        }
        println!("\nleft open: {:?}", self.open);
        for (relation, failures) in &self.failed {
            println!("\n{relation}: {} failed, by kinds {:?}", failures.count, failures.kinds);
            for line in &failures.lines {
                println!("{line}");
            }
        }
    }
}
