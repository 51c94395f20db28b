//! Conjugate directions for contacts of very different masses.
//!
//! Iterations over contacts one by one carry a share of an impulse that shrinks with the ratio of the masses.
//! Seen as steps down a gradient they are combined as conjugate gradients are (Silcowitz, Niebe and Erleben
//! 2010, "A nonsmooth nonlinear conjugate gradient method for interactive contact force problems"): each
//! iteration starts farther along the way of those before, and forgets it when it leads away.

use super::bodies::Twist;
use super::groups::lanes::{Group, LANES};
use super::iterate::start;

/// The impulses of an iteration, what it changed of them, and the way of those before it.
#[derive(Debug, Clone, Default)]
pub struct Conjugate {
    last: Vec<f64>,
    change: Vec<f64>,
    way: Vec<f64>,
    /// The square of the change, and its ratio to that of the iteration before.
    square: f64,
    share: f64,
}

/// Calls `work` with every impulse of a group.
fn each(group: &mut Group, mut work: impl FnMut(&mut f64)) {
    for lane in 0..LANES {
        group.spots.iter_mut().for_each(|spot| work(&mut spot.impulse[lane]));
        group.rub.impulses.iter_mut().for_each(|impulse| work(&mut impulse[lane]));
        group.roll.impulses.iter_mut().for_each(|impulse| work(&mut impulse[lane]));
    }
}

impl Conjugate {
    /// Before the first iteration.
    pub fn begin(&mut self, groups: &mut [Group]) {
        self.last.clear();
        groups.iter_mut().for_each(|group| each(group, |impulse| self.last.push(*impulse)));
        for list in [&mut self.change, &mut self.way] {
            list.clear();
            list.resize(self.last.len(), 0.0);
        }
        (self.square, self.share) = (0.0, 0.0);
    }

    /// After an iteration: notes what it changed.
    pub fn note(&mut self, groups: &mut [Group]) {
        let mut next = 0;
        let mut square = 0.0;
        for group in groups {
            each(group, |impulse| {
                self.change[next] = *impulse - self.last[next];
                square += self.change[next] * self.change[next];
                (self.last[next], next) = (*impulse, next + 1);
            });
        }
        self.share = if square <= self.square && square > 0.0 { square / self.square } else { 0.0 };
        self.square = square;
    }

    /// Before the next iteration: goes on along the way.
    pub fn go_on(&mut self, groups: &mut [Group], speeds: &mut [Twist]) {
        let more = self.change.iter().zip(&mut self.way);
        let share = self.share;
        let steps: Vec<f64> = more
            .map(|(change, way)| {
                let step = share * *way;
                *way = step + change;
                step
            })
            .collect();
        if share == 0.0 {
            return;
        }
        let (mut next, mut done) = (0, 0);
        for group in groups {
            each(group, |impulse| (*impulse, next) = (steps[next], next + 1));
            start(std::slice::from_ref(group), speeds);
            each(group, |impulse| {
                self.last[done] += steps[done];
                (*impulse, done) = (self.last[done], done + 1);
            });
        }
    }
}
