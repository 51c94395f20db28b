//! Hits: counted once for each contact.

use super::referee::PAIRS;

/// Cars that were apart for so many seconds touch anew.
pub const REST: f64 = 0.5;

/// Which pairs touch, and how often each came to touch.
#[derive(Debug, Clone, PartialEq)]
pub struct Hits {
    /// Seconds since the pair last touched.
    since: [f64; PAIRS.len()],
    counts: [u32; PAIRS.len()],
}

impl Default for Hits {
    fn default() -> Self {
        Self { since: [f64::INFINITY; PAIRS.len()], counts: [0; PAIRS.len()] }
    }
}

impl Hits {
    /// Notes whether a pair, by its number, touches at the end of a step. Whether that is a new hit.
    pub fn note(&mut self, pair: usize, is_touching: bool, seconds: f64) -> bool {
        // Seconds add up to a half up to rounding.
        let is_new = is_touching && self.since[pair] >= REST - 1e-9;
        self.since[pair] = if is_touching { 0.0 } else { self.since[pair] + seconds };
        self.counts[pair] += u32::from(is_new);
        is_new
    }

    /// How many hits a car was part of.
    pub fn of(&self, car: usize) -> u32 {
        PAIRS.iter().zip(self.counts).filter(|(pair, _)| pair.contains(&car)).map(|(_, count)| count).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: f64 = 1.0 / 60.0;

    #[test]
    fn a_contact_counts_once_however_long_it_is() {
        let mut hits = Hits::default();
        let new = (0..100).filter(|_| hits.note(1, true, STEP)).count();
        assert_eq!((new, hits.of(0), hits.of(2), hits.of(1)), (1, 1, 1, 0));
    }

    #[test]
    fn what_parts_for_half_a_second_may_hit_again() {
        let mut hits = Hits::default();
        for (apart, count) in [(0, 1), (1, 1), (28, 1), (31, 2), (29, 2), (30, 3)] {
            (0..apart).for_each(|_| assert!(!hits.note(0, false, STEP)));
            hits.note(0, true, STEP);
            assert_eq!(hits.of(1), count, "{apart}");
        }
    }
}
