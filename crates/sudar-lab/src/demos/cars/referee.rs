//! Who hits whom: the tests that are due, each within its share of the time (Daneu 2002, section 4.3.2).

use std::time::Duration;

use sudar::effort::Budget;
use sudar::{DVec3, Pose};
use sudar_classic::schedule::shares;
use sudar_classic::{Cd, CdError};
use sudar_scene::models::{CarModel, car};

use super::grid::Grid;
use crate::clock::Clock;

/// Cars in the arena; the first is the player's.
pub const CARS: usize = 4;

/// All pairs of cars, in the order of their turns.
pub const PAIRS: [[usize; 2]; 6] = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];

/// So many tests of two volumes stand for a millisecond where no clock runs, or none shall be read: about as many as a
/// processor of 2002 made.
pub const WORK_A_MILLISECOND: f64 = 1000.0;

/// The time that the tests of one step may take together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Allowance {
    /// Milliseconds; 30 in the source.
    pub milliseconds: f64,
    /// Whether they are measured; else they stand for work, and runs can be repeated.
    pub is_measured: bool,
}

/// What came of a pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Outcome {
    /// The grid keeps them apart: no test.
    NotNeeded,
    /// Tested: they do not touch.
    Apart,
    /// Tested: they touch here.
    Hit(DVec3),
    /// The share was used up before the test came to its end. A collision is assumed, at a point of the volumes that
    /// were to be tested next.
    Assumed(DVec3),
}

/// What was done about a pair in a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Turn {
    /// The numbers of the cars.
    pub pair: [usize; 2],
    /// The part of the whole time that its test may take; 0 if there is none.
    pub share: f64,
    /// What came of it.
    pub outcome: Outcome,
    /// Milliseconds it took, if there is a clock.
    pub milliseconds: f64,
    /// Tests of two volumes and of two triangles.
    pub tests: [u64; 2],
}

impl Outcome {
    /// Where the cars collide, found or assumed.
    pub fn point(self) -> Option<DVec3> {
        match self {
            Self::Hit(point) | Self::Assumed(point) => Some(point),
            Self::NotNeeded | Self::Apart => None,
        }
    }
}

/// Tests cars with the library CD.
#[derive(Debug, Clone)]
pub struct Referee {
    objects: Vec<Cd>,
    grid: Grid,
}

impl Referee {
    /// With the two cars of the source in turn.
    ///
    /// # Errors
    /// [`CdError`], which the models of the cars do not cause.
    pub fn new() -> Result<Self, CdError> {
        let object = |i: usize| {
            let mut object = Cd::new();
            object.add_mesh(&car(model(i))?)?;
            object.process_triangles()?;
            Ok(object)
        };
        Ok(Self { objects: (0..CARS).map(object).collect::<Result<_, CdError>>()?, grid: Grid::default() })
    }

    /// Where the cars are in the grid.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Makes the tests that are due at these poses.
    pub fn decide(
        &mut self,
        poses: &[Pose; CARS],
        allowance: Allowance,
        clock: Clock,
    ) -> [Turn; PAIRS.len()] {
        for (i, pose) in poses.iter().enumerate() {
            self.grid.save_grid_position(i, pose.translation().truncate());
            self.objects[i].set_pose(pose);
        }
        let needed = needed(&self.grid);
        let listed: Vec<[u32; 2]> = needed.iter().map(|pair| pair.map(|i| i as u32)).collect();
        let shares = shares(CARS as u32, &listed);
        PAIRS.map(|pair| match needed.iter().position(|other| *other == pair) {
            Some(k) => self.test(pair, shares[k], allowance, clock),
            None => Turn { pair, share: 0.0, outcome: Outcome::NotNeeded, milliseconds: 0.0, tests: [0; 2] },
        })
    }

    fn test(&mut self, pair @ [i, j]: [usize; 2], share: f64, allowance: Allowance, clock: Clock) -> Turn {
        let (left, right) = self.objects.split_at_mut(j);
        let (first, second) = (&mut left[i], &right[0]);
        let budget = budget(share * allowance.milliseconds, allowance.is_measured && clock.0.is_some());
        let (answer, seconds) = clock.timed(|| first.check_within(second, budget));
        let outcome = match (answer, first.collision_points().first()) {
            (Ok(true), Some(point)) if first.is_timed_out() => Outcome::Assumed(*point),
            (Ok(true), Some(point)) => Outcome::Hit(*point),
            _ => Outcome::Apart,
        };
        let effort = first.effort();
        let tests = [effort.volume_tests, effort.triangle_tests];
        Turn { pair, share, outcome, milliseconds: seconds * 1e3, tests }
    }
}

/// Which of the source's cars a car is.
pub fn model(car: usize) -> CarModel {
    if car.is_multiple_of(2) { CarModel::First } else { CarModel::Second }
}

fn needed(grid: &Grid) -> Vec<[usize; 2]> {
    (0..CARS).flat_map(|i| grid.determine_tests(i).into_iter().map(move |j| [i, j])).collect()
}

fn budget(milliseconds: f64, is_measured: bool) -> Budget {
    let milliseconds = milliseconds.max(0.0);
    if is_measured {
        Budget::time(Duration::from_secs_f64(1e-3 * milliseconds))
    } else {
        Budget::nodes((milliseconds * WORK_A_MILLISECOND) as u64)
    }
}

/// How the source comes to the share of the pairs of one car, in words: `30 / (3 + 2)`.
pub fn formula(turns: &[Turn; PAIRS.len()], car: usize, milliseconds: f64) -> String {
    let needed = |of: usize| {
        turns.iter().filter(|turn| turn.pair[0] == of && turn.outcome != Outcome::NotNeeded).count()
    };
    let skipped = (0..car).map(|of| CARS - 1 - of - needed(of)).sum::<usize>();
    match car {
        0 => format!("{milliseconds} / (3 + {})", needed(0)),
        1 => format!("{milliseconds} / (4 - {skipped} + {})", needed(1)),
        _ => format!("{milliseconds} / (6 - {skipped})"),
    }
}

#[cfg(test)]
mod tests {
    use sudar::glam::DVec2;

    use super::*;

    const PLENTY: Allowance = Allowance { milliseconds: 30.0, is_measured: false };

    /// TOTAL/(3 + needed), TOTAL/(4 − skipped + needed), TOTAL/(6 − skipped) for all 64 sets of pairs.
    #[test]
    fn shares_are_those_of_the_three_formulas() {
        for set in 0..64_u32 {
            let pairs: Vec<[u32; 2]> =
                (0..6).filter(|k| set >> k & 1 == 1).map(|k| PAIRS[k].map(|i| i as u32)).collect();
            let count = |first: u32| pairs.iter().filter(|pair| pair[0] == first).count() as f64;
            let skipped = [3.0 - count(0), 5.0 - count(0) - count(1)];
            let divisors = [3.0 + count(0), 4.0 - skipped[0] + count(1), 6.0 - skipped[1]];
            let shares = shares(4, &pairs);
            for (pair, share) in pairs.iter().zip(&shares) {
                assert_eq!(*share, 1.0 / divisors[pair[0] as usize], "{set:b} {pair:?}");
            }
            assert!(shares.iter().sum::<f64>() <= 1.0 + 1e-12);
        }
    }

    fn poses(places: [[f64; 2]; 4]) -> [Pose; 4] {
        places.map(|at| Pose::from_translation(DVec2::from(at).extend(0.0)).unwrap())
    }

    #[test]
    fn formulas_in_words_have_the_numbers_of_the_shares() {
        let mut referee = Referee::new().unwrap();
        let turns = referee.decide(
            &poses([[0.0, 0.0], [6.0, 0.0], [-6.0, 0.0], [15.0, 15.0]]),
            PLENTY,
            Clock::default(),
        );
        // The player beside all; 1 beside 2 and 3; 2 far from 3, which is in the corner.
        assert_eq!(formula(&turns, 0, 30.0), "30 / (3 + 3)");
        assert_eq!(formula(&turns, 1, 30.0), "30 / (4 - 0 + 2)");
        assert_eq!(turns[0].share, 1.0 / 6.0);
        let turns = referee.decide(
            &poses([[-15.0, 0.0], [15.0, 0.0], [15.0, 5.0], [15.0, -5.0]]),
            PLENTY,
            Clock::default(),
        );
        assert_eq!(formula(&turns, 0, 30.0), "30 / (3 + 0)");
        assert_eq!(formula(&turns, 1, 30.0), "30 / (4 - 3 + 2)");
        assert_eq!(formula(&turns, 2, 30.0), "30 / (6 - 3)");
        assert_eq!((turns[3].share, turns[5].share), (1.0 / 3.0, 1.0 / 3.0));
    }

    #[test]
    fn cars_that_touch_hit_and_others_do_not() {
        let mut referee = Referee::new().unwrap();
        let turns = referee.decide(
            &poses([[0.0, 0.0], [3.9, 0.5], [-4.5, 0.0], [0.0, 18.0]]),
            PLENTY,
            Clock::default(),
        );
        let Outcome::Hit(point) = turns[0].outcome else { panic!("{:?}", turns[0]) };
        assert!((1.7..2.2).contains(&point.x), "{point}");
        assert_eq!([turns[1].outcome, turns[2].outcome], [Outcome::Apart, Outcome::Apart]);
        assert_eq!(turns[5].outcome, Outcome::Apart);
        assert_eq!(
            referee.decide(
                &poses([[0.0, -18.0], [0.0, 18.0], [0.0, 18.0], [0.0, 18.0]]),
                PLENTY,
                Clock::default()
            )[0]
            .outcome,
            Outcome::NotNeeded
        );
    }

    /// On the safe side: a test that is cut off says that there is a collision, at a point near the cars.
    #[test]
    fn without_time_collisions_are_assumed() {
        let mut referee = Referee::new().unwrap();
        let none = Allowance { milliseconds: 0.0, is_measured: false };
        let places = poses([[0.0, 0.0], [6.0, 0.0], [-6.0, 0.0], [15.0, 15.0]]);
        for turn in referee.decide(&places, none, Clock::default()) {
            match turn.outcome {
                Outcome::NotNeeded => assert_eq!(turn.pair, [2, 3]),
                Outcome::Assumed(point) => {
                    let [a, b] = turn.pair.map(|i| places[i].translation());
                    assert!(point.distance(a).min(point.distance(b)) < 2.5);
                }
                other @ (Outcome::Apart | Outcome::Hit(_)) => panic!("{other:?}"),
            }
            assert_eq!(turn.tests[1], 0);
        }
        // Some work is enough to tell that they are apart.
        let some = Allowance { milliseconds: 2.0, is_measured: false };
        let turns = referee.decide(&places, some, Clock::default());
        assert!(turns.iter().all(|turn| matches!(turn.outcome, Outcome::Apart | Outcome::NotNeeded)));
    }
}
