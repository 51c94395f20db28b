//! Numbers that a full turn brings back to where they were.

use std::f64::consts::TAU;

use crate::Robot;
use crate::node::Motion;

impl Robot {
    /// For each number of a configuration whether a full turn changes nothing: angles without limits that move nothing
    /// but turns, by whole multiples.
    pub fn turns(&self) -> Vec<bool> {
        let is_open =
            |dof: &crate::Dof| dof.is_angle && !dof.limits.lower.is_finite() && !dof.limits.upper.is_finite();
        let mut turns: Vec<bool> = self.dofs.iter().map(is_open).collect();
        for node in &self.nodes {
            let Some(by) = node.motion.coordinate() else { continue };
            let is_whole = matches!(node.motion, Motion::Turn(..)) && by.factor == by.factor.round();
            turns[by.dof as usize] &= is_whole;
        }
        turns
    }

    /// The second configuration, with whole turns added where a number is one of [`turns`](Self::turns) so that each
    /// goes the shortest way round from the first. The straight edge to it is then that way. Up to the rounding of
    /// whole turns the links stand alike.
    ///
    /// # Errors
    /// [`RobotError::Rows`](crate::RobotError::Rows) unless both are one configuration, and
    /// [`RobotError::Value`](crate::RobotError::Value).
    pub fn nearest_turn(&self, from: &[f64], to: &[f64]) -> Result<Vec<f64>, crate::RobotError> {
        for q in [from, to] {
            if self.rows(q)? != 1 {
                return Err(crate::RobotError::Rows { found: q.len(), dof: self.dof() });
            }
        }
        Ok(Turns::of(self).near(from, to))
    }
}

/// What tells distances of configurations.
#[derive(Debug, Clone)]
pub(crate) struct Turns(Option<Vec<bool>>);

impl Turns {
    pub fn of(robot: &Robot) -> Self {
        let turns = robot.turns();
        Self(turns.contains(&true).then_some(turns))
    }

    /// Of a robot without such numbers.
    #[cfg(test)]
    pub fn none() -> Self {
        Self(None)
    }

    /// The second configuration as it is nearest to the first.
    pub fn near(&self, from: &[f64], to: &[f64]) -> Vec<f64> {
        let Some(turns) = &self.0 else { return to.to_vec() };
        let one = |((a, b), turns): ((&f64, &f64), &bool)| if *turns { b - whole(b - a) } else { *b };
        from.iter().zip(to).zip(turns).map(one).collect()
    }

    /// The square of the distance of two configurations, the shortest way round: radians and metres alike.
    pub fn distance_squared(&self, a: &[f64], b: &[f64]) -> f64 {
        let Some(turns) = &self.0 else {
            return a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum();
        };
        let one = |((a, b), turns): ((&f64, &f64), &bool)| {
            let apart = b - a;
            let apart = if *turns { apart - whole(apart) } else { apart };
            apart * apart
        };
        a.iter().zip(b).zip(turns).map(one).sum()
    }
}

/// Of more turns than these none is taken off: the rounding of so many would no longer be next to nothing.
const MOST: f64 = 1000.0;

/// The whole turns of an angle.
fn whole(angle: f64) -> f64 {
    let turns = (angle / TAU).round();
    if turns.abs() <= MOST { TAU * turns } else { 0.0 }
}
