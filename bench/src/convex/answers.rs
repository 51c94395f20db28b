//! What a library answered to a query at every pose of a case, and how long it took.

use std::time::Instant;

use crate::timing::median;

/// What is asked about a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Query {
    /// Whether they have a point in common: 1 or 0.
    Touch,
    /// How far apart they are: 0 where they overlap.
    Distance,
    /// How deep they overlap: 0 where they are apart.
    Depth,
}

impl Query {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Touch, Self::Distance, Self::Depth];

    /// As in tables and in the text of the native program.
    pub fn name(self) -> &'static str {
        match self {
            Self::Touch => "touch",
            Self::Distance => "distance",
            Self::Depth => "depth",
        }
    }

    /// The right answer for a signed distance.
    pub fn of(self, signed: f64) -> f64 {
        match self {
            Self::Touch => f64::from(u8::from(signed <= 0.0)),
            Self::Distance => signed.max(0.0),
            Self::Depth => (-signed).max(0.0),
        }
    }
}

/// Times and answers of one library.
#[derive(Debug, Clone)]
pub struct Answers {
    /// Name of the library.
    pub library: String,
    /// What was asked.
    pub query: Query,
    /// Nanoseconds a query: median over the sweeps through all poses.
    pub median: f64,
    /// Nanoseconds a query in the fastest sweep.
    pub least: f64,
    /// The answer at each pose.
    pub values: Vec<f64>,
}

/// Asks at `count` poses: once for the answers, then `sweeps` times for the time.
pub fn asked(
    library: &str,
    query: Query,
    count: usize,
    sweeps: usize,
    mut ask: impl FnMut(usize) -> f64,
) -> Answers {
    let values = (0..count).map(&mut ask).collect();
    let mut times: Vec<f64> = (0..sweeps.max(1))
        .map(|_| {
            let start = Instant::now();
            for i in 0..count {
                std::hint::black_box(ask(std::hint::black_box(i)));
            }
            start.elapsed().as_secs_f64() * 1e9 / count as f64
        })
        .collect();
    let least = times.iter().copied().fold(f64::INFINITY, f64::min);
    Answers { library: library.to_owned(), query, median: median(&mut times), least, values }
}
