//! What was seen, class by class.

use std::collections::BTreeMap;

use super::cases::Class;
use super::truth::Truth;

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

/// What can be counted by class.
pub trait Tally: Default + Send {
    fn fault(&mut self);
    fn faults(&self) -> usize;
    fn add(&mut self, other: &Self);
    /// Names of the columns of the table.
    fn head() -> String;
    fn row(&self) -> String;
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
}

impl Tally for Count {
    fn fault(&mut self) {
        self.faults += 1;
    }

    fn faults(&self) -> usize {
        self.faults
    }

    fn add(&mut self, other: &Self) {
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

    fn head() -> String {
        "pairs | touching | one inside | triangles meet | of one mesh | distance is an `f64` | width/ulp | `within` | \
         undecided | cut short | steps | rays | hit"
            .to_owned()
    }

    fn row(&self) -> String {
        format!(
            "{} | {} | {} | {} | {} | {} | {:.1} | {} | {} | {} | {} | {} | {}",
            self.pairs,
            self.touching,
            self.enclosed,
            self.meeting,
            self.own_pairs,
            self.exact_roots,
            self.widest,
            self.within,
            self.undecided,
            self.cut_short,
            self.steps,
            self.rays,
            self.ray_hits
        )
    }
}

/// Counts by class.
pub type Counts<C> = BTreeMap<Class, C>;

pub fn merged<C: Tally>(mut all: Counts<C>, other: Counts<C>) -> Counts<C> {
    for (class, count) in other {
        all.entry(class).or_default().add(&count);
    }
    all
}

/// Prints what the large run of docs/oracles.md counts.
pub fn print<C: Tally>(counts: &Counts<C>) {
    println!("| class | {} |", C::head());
    println!("|---{}|", "|---".repeat(C::head().matches('|').count() + 1));
    let mut all = C::default();
    for (class, count) in counts {
        all.add(count);
        println!("| {} | {} |", class.name(), count.row());
    }
    println!("| all | {} |", all.row());
}
