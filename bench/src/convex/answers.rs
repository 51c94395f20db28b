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
    /// The depth of the deepest contact of a manifold made anew: 0 where there is none. For boxes alone.
    Manifold,
}

impl Query {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Touch, Self::Distance, Self::Depth, Self::Manifold];

    /// As in tables and in the text of the native program.
    pub fn name(self) -> &'static str {
        match self {
            Self::Touch => "touch",
            Self::Distance => "distance",
            Self::Depth => "depth",
            Self::Manifold => "manifold",
        }
    }

    /// The right answer for a signed distance.
    pub fn of(self, signed: f64) -> f64 {
        match self {
            Self::Touch => f64::from(u8::from(signed <= 0.0)),
            Self::Distance => signed.max(0.0),
            Self::Depth | Self::Manifold => (-signed).max(0.0),
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
    /// Nanoseconds a query, taking each block of poses from the sweep in which it was fastest: on a machine that does
    /// other things as well, whole sweeps are seldom left alone.
    pub least: f64,
    /// The answer at each pose.
    pub values: Vec<f64>,
}

/// Poses between two looks at the clock.
const BLOCK: usize = 200;

/// Asks at `count` poses: once for the answers, then `sweeps` times for the time.
pub fn asked(
    library: &str,
    query: Query,
    count: usize,
    sweeps: usize,
    mut ask: impl FnMut(usize) -> f64,
) -> Answers {
    let values = (0..count).map(&mut ask).collect();
    let mut fastest = vec![f64::INFINITY; count.div_ceil(BLOCK)];
    let mut sweep = || -> f64 {
        let mut total = 0.0;
        for (block, fastest) in fastest.iter_mut().enumerate() {
            let start = Instant::now();
            for i in block * BLOCK..count.min((block + 1) * BLOCK) {
                std::hint::black_box(ask(std::hint::black_box(i)));
            }
            let taken = start.elapsed().as_secs_f64() * 1e9;
            *fastest = fastest.min(taken);
            total += taken;
        }
        total / count as f64
    };
    let median = median(&mut (0..sweeps.max(1)).map(|_| sweep()).collect::<Vec<_>>());
    let least = fastest.iter().sum::<f64>() / count as f64;
    Answers { library: library.to_owned(), query, median, least, values }
}
