//! Counting what algorithms do, comparing what they say, and timing them.

use std::hint::black_box;
use std::time::Instant;

use crate::inputs::bodies::Run;
use crate::methods::{Agreement, Answer, LIMIT, Memory, Method};
use crate::plan::Result;

/// What an algorithm took for all questions of some runs.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    /// Iterations of each question that it decided.
    pub iterations: Vec<u32>,
    /// All questions.
    pub queries: usize,
    /// Questions of bodies that turned out to be apart.
    pub apart: usize,
    /// Questions that this algorithm left open.
    pub undecided: usize,
    /// Those of them for which it used up all iterations it may take.
    pub exhausted: usize,
}

impl Tally {
    fn add(&mut self, answer: &Answer, apart: bool) {
        self.queries += 1;
        self.apart += usize::from(apart);
        match answer.apart {
            Some(_) => self.iterations.push(answer.iterations),
            None => {
                self.undecided += 1;
                self.exhausted += usize::from(answer.iterations >= LIMIT);
            }
        }
    }

    /// The mean number of iterations of what was decided.
    pub fn mean(&self) -> f64 {
        let sum: u64 = self.iterations.iter().map(|&n| u64::from(n)).sum();
        sum as f64 / self.iterations.len().max(1) as f64
    }

    /// The number of iterations that this part of the questions, 0 to 1, does not exceed.
    pub fn quantile(&self, part: f64) -> u32 {
        let mut sorted = self.iterations.clone();
        sorted.sort_unstable();
        let last = sorted.len().saturating_sub(1);
        sorted.get((last as f64 * part).round() as usize).copied().unwrap_or(0)
    }
}

/// What an iteration is.
pub const ITERATIONS: &str = "iterations: support points of the difference of the bodies; of Lin–Canny pairs of features; of planes of all \
     faces their number; of queries that were decided";

/// Whether questions of a run have to do with each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sequence {
    /// Nothing is remembered from one to the next.
    Cold,
    /// The bodies move from one to the next. The first, of which nothing is known, does not count.
    Coherent,
}

impl Sequence {
    /// Questions at the beginning of a run that do not count.
    const fn skipped(self) -> usize {
        match self {
            Self::Cold => 0,
            Self::Coherent => 1,
        }
    }
}

/// Asks every question of every algorithm, counts, and compares the answers: two that cannot both be true are an error.
pub fn count(methods: &[Method], runs: &[Run], sequence: Sequence) -> Result<Vec<Tally>> {
    let mut tallies = vec![Tally::default(); methods.len()];
    for run in runs {
        let mut memories = vec![Memory::default(); methods.len()];
        for (i, poses) in run.poses.iter().enumerate() {
            if sequence == Sequence::Cold {
                memories.fill(Memory::default());
            }
            let mut agreement = Agreement::NONE;
            let mut answers = Vec::with_capacity(methods.len());
            for (method, memory) in methods.iter().zip(&mut memories) {
                let answer = method.ask(run.a, run.b, poses, memory);
                agreement.join(*method, &answer)?;
                answers.push(answer);
            }
            if i >= sequence.skipped() {
                let apart = agreement.apart() == Some(true);
                tallies.iter_mut().zip(&answers).for_each(|(tally, answer)| tally.add(answer, apart));
            }
        }
    }
    Ok(tallies)
}

/// Nanoseconds of a question: in each repetition the median over the runs of the mean in a run; of the repetitions the
/// least, for what else the machine does only adds.
pub fn time(method: Method, runs: &[Run], sequence: Sequence, repetitions: usize) -> f64 {
    let once = |_| median(runs.iter().map(|run| time_of_run(method, run, sequence)).collect());
    (0..repetitions).map(once).fold(f64::INFINITY, f64::min)
}

/// What [`time`] does, for tables and captions.
pub const HOW_TIMED: &str = "nanoseconds of a query, posing the bodies included; mean of a run of queries, \
median of the runs, least of the repetitions; one thread";

fn time_of_run(method: Method, run: &Run, sequence: Sequence) -> f64 {
    let mut memory = Memory::default();
    let (first, rest) = run.poses.split_at(sequence.skipped().min(run.poses.len()));
    for poses in first {
        black_box(method.ask(run.a, run.b, poses, &mut memory));
    }
    let start = Instant::now();
    for poses in rest {
        if sequence == Sequence::Cold {
            memory = Memory::default();
        }
        black_box(method.ask(run.a, run.b, black_box(poses), &mut memory));
    }
    start.elapsed().as_secs_f64() * 1e9 / rest.len().max(1) as f64
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_and_quantiles() {
        let tally = Tally { iterations: vec![5, 1, 2, 4, 3], ..Tally::default() };
        assert_eq!(tally.mean(), 3.0);
        assert_eq!([0.0, 0.5, 1.0].map(|part| tally.quantile(part)), [1, 3, 5]);
        assert_eq!(Tally::default().quantile(0.5), 0);
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
    }
}
