//! What was seen, class by class.

use std::collections::BTreeMap;

use crate::cases::Class;
use crate::truth::Truth;

/// What was seen of one class.
#[derive(Default, Clone, Copy)]
pub struct Count {
    pub faults: usize,
    pub pairs: usize,
    pub touching: usize,
    pub enclosed: usize,
    pub meeting: usize,
    pub exact_roots: usize,
    pub within: usize,
    pub undecided: usize,
    pub cut_short: usize,
    pub steps: usize,
    pub own_pairs: usize,
    pub rays: usize,
    pub ray_hits: usize,
    pub widest: f64,
}

impl Count {
    pub fn truth(&mut self, truth: &Truth) {
        self.pairs += 1;
        self.touching += usize::from(truth.touching());
        self.enclosed += usize::from(truth.touching() && truth.pairs.is_empty());
        self.meeting += truth.pairs.len();
        self.exact_roots += usize::from(!truth.touching() && truth.exact_distance().is_some());
    }

    /// The width of an interval in units in the last place of the coordinates.
    pub fn width(&mut self, ulps: f64) {
        self.widest = self.widest.max(ulps);
    }

    pub fn add(&mut self, other: &Self) {
        self.faults += other.faults;
        self.pairs += other.pairs;
        self.touching += other.touching;
        self.enclosed += other.enclosed;
        self.meeting += other.meeting;
        self.exact_roots += other.exact_roots;
        self.within += other.within;
        self.undecided += other.undecided;
        self.cut_short += other.cut_short;
        self.steps += other.steps;
        self.own_pairs += other.own_pairs;
        self.rays += other.rays;
        self.ray_hits += other.ray_hits;
        self.widest = self.widest.max(other.widest);
    }
}

/// Counts by class.
pub type Counts = BTreeMap<Class, Count>;

pub fn merged(mut all: Counts, other: Counts) -> Counts {
    for (class, count) in other {
        all.entry(class).or_default().add(&count);
    }
    all
}

/// Prints the table of docs/oracles.md.
pub fn print(counts: &Counts) {
    println!(
        "| class | pairs | touching | one inside | triangles meet | of one mesh | distance is an `f64` | width/ulp | `within` | \
         undecided | cut short | steps | rays | hit |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    let mut all = Count::default();
    for (class, count) in counts {
        all.add(count);
        row(class.name(), count);
    }
    row("all", &all);
}

fn row(name: &str, c: &Count) {
    println!(
        "| {name} | {} | {} | {} | {} | {} | {} | {:.1} | {} | {} | {} | {} | {} | {} |",
        c.pairs,
        c.touching,
        c.enclosed,
        c.meeting,
        c.own_pairs,
        c.exact_roots,
        c.widest,
        c.within,
        c.undecided,
        c.cut_short,
        c.steps,
        c.rays,
        c.ray_hits
    );
}
