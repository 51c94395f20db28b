//! The tables: times of everybody with the best right one, and what was wrong.

use std::io::Write;

use anyhow::Result;

use super::answers::{Answers, Query};
use super::cases::Case;
use super::verdict::{Grade, Verdict};
use crate::report::{Report, figure};

/// Libraries in the order of their columns.
const LIBRARIES: [&str; 11] = [
    "Sudar",
    "Sudar with memory",
    "parry f32",
    "parry f64",
    "Coal",
    "Coal Nesterov",
    "Coal 1e-7",
    "Coal with memory",
    "FCL",
    "FCL indep",
    "FCL 1e-10",
];

/// Everything found, a row for each query of a library.
#[derive(Debug)]
pub struct Table {
    least: bool,
    rows: Vec<Row>,
}

#[derive(Debug)]
struct Row {
    case: &'static str,
    answers: Answers,
    verdict: Verdict,
}

impl Table {
    /// Empty; `least` lets each block of poses count at its fastest, not the median sweep.
    pub fn new(least: bool) -> Self {
        Self { least, rows: Vec::new() }
    }

    /// Adds what everybody answered to a case, of which the true signed distances are known.
    pub fn add(&mut self, case: &Case, signed: &[f64], answers: &[Answers]) {
        let row =
            |a: &Answers| Row { case: case.name, verdict: Verdict::of(a, case, signed), answers: a.clone() };
        self.rows.extend(answers.iter().map(row));
    }

    /// Prints the times, and under them the faults.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn print(&self, out: &mut dyn Write) -> Result<()> {
        let count =
            if self.least { "each block of poses at its fastest" } else { "the median of the sweeps" };
        self.times()
            .print(&format!("Convex pairs, ns a query, {count}; ≈ errors up to 1e-5, ✗ wrong"), out)?;
        self.faults().print("Answers that are not right", out)
    }

    fn times(&self) -> Report {
        let there: Vec<_> =
            LIBRARIES.iter().filter(|l| self.rows.iter().any(|r| r.answers.library == **l)).collect();
        let head = ["case", "query"].into_iter().chain(there.iter().map(|l| **l));
        let best = ["best right rival", "×", "best right or ≈", "×"];
        let mut report = Report::new(&head.chain(best).collect::<Vec<_>>());
        for (case, query) in self.questions() {
            let asked: Vec<_> =
                self.rows.iter().filter(|r| r.case == case && r.answers.query == query).collect();
            let of = |name: &str| asked.iter().find(|r| r.answers.library == name);
            let mut cells = vec![case.to_owned(), query.name().to_owned()];
            cells.extend(there.iter().map(|l| of(l).map_or("–".to_owned(), |r| self.cell(r))));
            cells.extend(self.best(&asked, Grade::Right));
            cells.extend(self.best(&asked, Grade::Coarse));
            report.row(cells);
        }
        report
    }

    /// The fastest rival of this grade or better, and how many times as long as Sudar it takes where Sudar is right.
    fn best(&self, asked: &[&Row], grade: Grade) -> [String; 2] {
        let fastest = |rival: bool, grade: Grade| {
            let fit = asked.iter().filter(|r| r.is_rival() == rival && r.verdict.grade() <= grade);
            fit.min_by(|a, b| self.time(a).total_cmp(&self.time(b)))
        };
        let Some(best) = fastest(true, grade) else { return ["–", "–"].map(str::to_owned) };
        let ours = fastest(false, Grade::Right).map_or(f64::NAN, |r| self.time(r));
        let time = self.time(best);
        [format!("{} {}", best.answers.library, figure(time)), figure(time / ours)]
    }

    /// Each case with each query, in order.
    fn questions(&self) -> Vec<(&'static str, Query)> {
        let mut cases: Vec<_> = self.rows.iter().map(|r| r.case).collect();
        cases.dedup();
        let all = cases.into_iter().flat_map(|case| Query::ALL.map(|query| (case, query)));
        all.filter(|(case, query)| self.rows.iter().any(|r| r.case == *case && r.answers.query == *query))
            .collect()
    }

    fn faults(&self) -> Report {
        let mut report = Report::new(&["case", "query", "library", "sum", "fault"]);
        for r in self.rows.iter().filter(|r| r.verdict.grade() != Grade::Right) {
            let Answers { library, query, .. } = &r.answers;
            let sum = format!("{:.6}", r.verdict.sum);
            report.row(vec![
                r.case.to_owned(),
                query.name().to_owned(),
                library.clone(),
                sum,
                r.verdict.fault(),
            ]);
        }
        report
    }

    /// Every figure.
    pub fn figures(&self) -> Report {
        let mut report = Report::new(&[
            "case",
            "query",
            "library",
            "median_ns",
            "least_ns",
            "sum",
            "sum_error",
            "worst_error",
            "wrong",
            "grade",
        ]);
        for Row { case, answers: a, verdict: v } in &self.rows {
            let numbers = [format!("{:.1}", a.median), format!("{:.1}", a.least), format!("{:.9}", v.sum)];
            let errors = [format!("{:.2e}", v.sum_error), format!("{:.2e}", v.worst), v.wrong.to_string()];
            let mut cells = vec![(*case).to_owned(), a.query.name().to_owned(), a.library.clone()];
            cells.extend(numbers.into_iter().chain(errors));
            cells.push(format!("{:?}", v.grade()).to_lowercase());
            report.row(cells);
        }
        report
    }

    fn time(&self, row: &Row) -> f64 {
        if self.least { row.answers.least } else { row.answers.median }
    }

    fn cell(&self, row: &Row) -> String {
        format!("{}{}", figure(self.time(row)), row.verdict.grade().mark())
    }
}

impl Row {
    fn is_rival(&self) -> bool {
        !self.answers.library.starts_with("Sudar")
    }
}
