//! The game: find the seven faults by naming two parts each.

use sudar_clash::gearbox::{CLEARANCE, FAULTS, gearbox, ignore_joints};
use sudar_clash::{Assembly, Clash, ClashOptions, find_clashes};

use super::parts::Parts;
use crate::demo::DemoError;

/// The gearbox as built.
///
/// # Errors
/// None in practice.
pub fn built() -> Result<Parts, DemoError> {
    Ok(Parts::new(gearbox().map_err(DemoError::of)?))
}

/// What the clash check finds besides the joints that are meant, sorted by the numbers of parts.
///
/// # Errors
/// None in practice.
pub fn check(assembly: &Assembly) -> Result<Vec<Clash>, DemoError> {
    let mut options = ClashOptions::new(CLEARANCE).map_err(DemoError::of)?;
    ignore_joints(assembly, &mut options);
    Ok(find_clashes(assembly, &options, &|_, _| {}).map_err(DemoError::of)?.clashes)
}

/// What came of two parts that were named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guess {
    /// One part so far, this one.
    First(usize),
    /// The same part again: it is not chosen any more.
    Dropped,
    /// A fault, by its number.
    Found(usize),
    /// A fault that was found before.
    Again(usize),
    /// These two are as they should be.
    Wrong([usize; 2]),
}

/// How far the search has come.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Search {
    /// The first of two parts.
    pub chosen: Option<usize>,
    /// Numbers of faults, in the order in which they were found.
    pub found: Vec<usize>,
    pub wrong: u32,
    pub last: Option<Guess>,
}

impl Search {
    /// A part is named.
    pub fn choose(&mut self, part: usize, parts: &Parts) -> Guess {
        let guess = match self.chosen.take() {
            None => {
                self.chosen = Some(part);
                Guess::First(part)
            }
            Some(first) if first == part => Guess::Dropped,
            Some(first) => self.judge([first, part], parts),
        };
        self.last = Some(guess);
        guess
    }

    fn judge(&mut self, pair: [usize; 2], parts: &Parts) -> Guess {
        let names = pair.map(|part| parts.name(part));
        let is = |k: usize| {
            let fault = [FAULTS[k].a, FAULTS[k].b];
            fault == names || fault == [names[1], names[0]]
        };
        match (0..FAULTS.len()).find(|k| is(*k)) {
            Some(fault) if self.found.contains(&fault) => Guess::Again(fault),
            Some(fault) => {
                self.found.push(fault);
                Guess::Found(fault)
            }
            None => {
                self.wrong += 1;
                Guess::Wrong(pair)
            }
        }
    }

    /// Whether all are found.
    pub fn is_over(&self) -> bool {
        self.found.len() == FAULTS.len()
    }
}

/// A sentence about a fault.
pub fn says(fault: usize) -> String {
    let fault = &FAULTS[fault];
    format!("{} and {}: {} ({})", fault.a, fault.b, fault.cause, fault.kind.name())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_is_found_by_its_two_parts_in_either_order_and_once() {
        let parts = built().unwrap();
        let number = |name: &str| parts.assembly.parts.iter().position(|part| part.name == name).unwrap();
        let mut search = Search::default();
        for (k, fault) in FAULTS.iter().enumerate() {
            let mut pair = [number(fault.a), number(fault.b)];
            if k % 2 == 1 {
                pair.reverse();
            }
            assert_eq!(search.choose(pair[0], &parts), Guess::First(pair[0]));
            assert!(!search.is_over());
            assert_eq!(search.choose(pair[1], &parts), Guess::Found(k));
            search.choose(pair[1], &parts);
            assert_eq!(search.choose(pair[0], &parts), Guess::Again(k));
        }
        assert!(search.is_over() && search.wrong == 0);
    }

    #[test]
    fn what_is_as_it_should_be_counts_as_wrong_and_the_same_part_as_nothing() {
        let parts = built().unwrap();
        let mut search = Search::default();
        search.choose(0, &parts);
        assert_eq!(search.choose(0, &parts), Guess::Dropped);
        search.choose(0, &parts);
        assert_eq!(search.choose(2, &parts), Guess::Wrong([0, 2]));
        assert_eq!((search.wrong, search.found.len(), search.chosen), (1, 0, None));
    }

    #[test]
    fn the_check_finds_the_seven() {
        let parts = built().unwrap();
        let clashes = check(&parts.assembly).unwrap();
        let found = clashes.iter().map(|clash| (parts.name(clash.a), parts.name(clash.b), clash.kind));
        assert!(found.eq(FAULTS.iter().map(|fault| (fault.a, fault.b, fault.kind))));
    }
}
