//! Samples on an edge: for the price of a few configurations they reject most edges that are blocked.

use sudar::Interval;
use sudar::effort::Meter;
use sudar::query::Work;

use super::halving::Edge;
use super::scratch::Scratch;
use super::{Contact, EdgeAnswer, EdgeHit, EdgeOptions, RobotCell};

/// What samples of an edge tell.
pub(super) enum Sampled {
    /// All are certainly free.
    Free,
    /// One is certainly in contact.
    Hit(EdgeHit),
    /// One is neither.
    Open,
}

/// Contacts on an edge that others sampled before are looked for in shorter intervals than this alone.
const COARSE: f64 = 1.0 / 16.0;

impl RobotCell {
    /// Whether `count` configurations between the ends, evenly apart, are certainly free of contact, and how many of
    /// them were tested. They are tested in van der Corput's order, 1/2, 1/4, 3/4, …, so that each halves the longest
    /// stretch that is not yet tested.
    pub(crate) fn samples_are_free(
        &self,
        work: &mut Work<'_>,
        scratch: &mut Scratch,
        ends: [&[f64]; 2],
        count: usize,
    ) -> (usize, bool) {
        let mut q = Vec::with_capacity(self.robot.dof());
        let mut tested = 0;
        let is_free = spread(count).all(|i| {
            tested += 1;
            at(ends, sample(i, count), &mut q);
            self.stands_free(work, scratch, &q)
        });
        (tested, is_free)
    }

    /// What such samples and the second end tell.
    pub(super) fn sampled(
        &self,
        work: &mut Work<'_>,
        scratch: &mut Scratch,
        ends: [&[f64]; 2],
        count: usize,
    ) -> Sampled {
        let mut q = Vec::with_capacity(self.robot.dof());
        let times = [1.0].into_iter().chain(spread(count).map(|i| sample(i, count)));
        for time in times {
            at(ends, time, &mut q);
            if !self.stands_free(work, scratch, &q) {
                let hit = |contact: Contact| {
                    let time = Interval { lower: 0.0, upper: time };
                    Sampled::Hit(EdgeHit { time, part: contact.part, other: contact.other })
                };
                let contact = self.first_of(work, scratch).filter(|contact| contact.is_certain);
                return contact.map_or(Sampled::Open, hit);
            }
        }
        Sampled::Free
    }

    /// Whether a configuration is certainly free of contact. Limits of joints play no part.
    pub(crate) fn stands_free(&self, work: &mut Work<'_>, scratch: &mut Scratch, q: &[f64]) -> bool {
        self.stand(q, &mut scratch.places);
        self.is_free(work, scratch, q)
    }

    /// The answer for one edge, whose ends are not compared with the limits of joints.
    pub(crate) fn certify(
        &self,
        work: &mut Work<'_>,
        limit: &mut Meter<'_>,
        scratch: &mut Scratch,
        ends: [&[f64]; 2],
        options: &EdgeOptions,
    ) -> EdgeAnswer {
        let edge = Edge::new(self, ends, *options);
        let is_sampled = !options.locate && self.stands_free(work, scratch, ends[1]);
        let edge = if is_sampled { edge.sampled(COARSE) } else { edge };
        edge.run(work, limit, scratch)
    }
}

/// The configuration at a time, as the halving of edges has it.
fn at(ends: [&[f64]; 2], time: f64, q: &mut Vec<f64>) {
    q.clear();
    q.extend(ends[0].iter().zip(ends[1]).map(|(a, b)| a + time * (b - a)));
}

/// The time of a sample.
fn sample(i: usize, count: usize) -> f64 {
    (i + 1) as f64 / (count + 1) as f64
}

/// The numbers below `count`, each once, in van der Corput's order.
fn spread(count: usize) -> impl Iterator<Item = usize> {
    let bits = (count + 1).next_power_of_two().trailing_zeros();
    let reversed = move |i: usize| i.reverse_bits() >> (usize::BITS - bits);
    (1..1_usize << bits).map(reversed).map(|i| i - 1).filter(move |&i| i < count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_number_comes_once_and_the_middle_first() {
        assert_eq!(spread(7).collect::<Vec<_>>(), [3, 1, 5, 0, 4, 2, 6]);
        assert_eq!(spread(0).count(), 0);
        for count in [1, 2, 3, 12, 100] {
            let mut all: Vec<usize> = spread(count).collect();
            all.sort_unstable();
            assert_eq!(all, (0..count).collect::<Vec<_>>());
        }
    }
}
