//! Proofs that two parts stay apart for all joint values of a box.
//!
//! At the middle of the box the two are apart; from there the joints between them go on by at most half its width. Any
//! place in the box is the end of an edge from the middle, so the bounds of edges ([`travel`](crate::cell::travel))
//! hold: M ← M + δ (ρ + M) for a turn by at most δ, M ← M + δ for a slide, from the joint next to the part on, bounds
//! how far a point is moved, with ρ its distance from the axis; a turn moves no point by more than its diameter, so
//! that δ is at most 2 in this. Along a direction n a point is moved by at most Σ δ |n · v| + W M with v its velocity
//! as a joint moves alone and W the sum of all turns.
//!
//! Surfaces are compared patch by patch, each with its own bounds: what is near the other part is often near the joint
//! and moves little. If no surface comes to touch the other, and neither is in the other at the middle, then that is so
//! in all of the box.

use sudar::query::{Body, Placed, Work};

use super::side::{Ball, ROUNDED, Side};
use super::tree::{Axis, MOST};
use crate::cell::RobotCell;
use crate::cell::scratch::{Near, NearOther};
use crate::core::Verdict;
use crate::places::Places;

/// Proofs for boxes of one pair.
pub(super) struct Proof<'c> {
    cell: &'c RobotCell,
    sides: [Side<'c>; 2],
    dofs: Vec<u32>,
    /// Half the widths of the box, by the numbers of a configuration.
    half: Vec<f64>,
    q: Vec<f64>,
    /// Bound on what rounding adds to distances.
    rounding: f64,
    places: Places,
}

/// Two patches, one of each part.
#[derive(Debug, Clone, Copy)]
struct Two {
    /// Among all pairs of patches.
    number: u32,
    patches: [u32; 2],
    /// By so much their balls fail to show that they stay apart.
    short: f64,
}

/// What is known of a box.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// The two are apart in all of it.
    Free,
    /// They meet at its middle. It is halved best along this axis.
    Contact(u8),
    /// Neither is known.
    Open(u8),
}

/// Boxes are wider than the cells that they stand for by this, in radians or metres: in which cell a configuration is,
/// and where an edge crosses from one into another, is rounded.
const WIDER: f64 = 1e-9;

impl<'c> Proof<'c> {
    pub fn new(cell: &'c RobotCell, pair: [u32; 2], axes: &[Axis]) -> Self {
        Self {
            sides: [pair, [pair[1], pair[0]]].map(|[part, other]| Side::new(cell, part, other)),
            dofs: axes.iter().map(|axis| axis.dof).collect(),
            half: vec![0.0; cell.robot.dof()],
            q: cell.robot.home().to_vec(),
            rounding: cell.rounding_of(pair) * super::ROOM,
            places: Places::default(),
            cell,
        }
    }

    /// What the proofs allow for.
    pub fn rounding(&self) -> f64 {
        self.rounding
    }

    /// How many times two patches, one of each part, can be compared.
    pub fn pairs_of_patches(&self) -> u32 {
        let [one, other] = &self.sides;
        (one.patches.len() * other.patches.len()) as u32
    }

    /// Tests a box, of which these pairs of patches are left that balls did not tell apart in a larger one. Gives those
    /// back that they do not tell apart in this one.
    pub fn test(
        &mut self,
        work: &mut Work<'_>,
        low: &[f64; MOST],
        width: &[f64; MOST],
        left: &[u32],
    ) -> (Found, Vec<u32>) {
        for ((dof, low), width) in self.dofs.iter().zip(low).zip(width) {
            self.q[*dof as usize] = low + 0.5 * width;
            self.half[*dof as usize] = 0.5 * width + WIDER;
        }
        self.cell.stand(&self.q, &mut self.places);
        for side in &mut self.sides {
            side.stand(self.cell, &self.places, &self.half);
        }
        let mut open: Vec<Two> = left.iter().filter_map(|number| self.open(*number)).collect();
        // Those first that are most likely to be near each other.
        open.sort_unstable_by(|a, b| b.short.total_cmp(&a.short));
        let found = match open.iter().find(|two| !self.stay_apart(work, two)) {
            Some(two) if self.meet(work, two) => Found::Contact(self.widest(two)),
            Some(two) => Found::Open(self.widest(two)),
            None if self.is_contact(work) => Found::Contact(0),
            None => Found::Free,
        };
        (found, open.into_iter().map(|two| two.number).collect())
    }

    fn balls(&self, two: &Two) -> [Ball; 2] {
        let [k, l] = two.patches;
        [self.sides[0].balls[k as usize], self.sides[1].balls[l as usize]]
    }

    /// Two patches, unless balls show that they stay apart.
    #[inline]
    fn open(&self, number: u32) -> Option<Two> {
        let others = self.sides[1].patches.len() as u32;
        let mut two = Two { number, patches: [number / others, number % others], short: 0.0 };
        let [a, b] = self.balls(&two);
        let apart = b.center - a.center;
        let distance = apart.length();
        let least = distance - (a.radius + b.radius) - self.places.slack - self.rounding;
        let along = apart / distance;
        let approach = |side: usize| self.sides[side].approach(two.patches[side], along);
        two.short = approach(0) + approach(1) - least;
        // Of two with one centre nothing is known.
        (two.short.is_nan() || two.short >= 0.0).then_some(two)
    }

    /// Whether two patches certainly stay apart.
    fn stay_apart(&self, work: &mut Work<'_>, two: &Two) -> bool {
        if self.are_beside(two) {
            return true;
        }
        let most = [0, 1].map(|side| self.sides[side].most(two.patches[side]));
        let reach = most[0] + most[1] + self.rounding;
        self.asked(two, |one, other| work.within(one, other, reach).decided()) == Some(Some(false))
    }

    /// Whether a plane across the line of their centres tells two patches apart in all of the box.
    fn are_beside(&self, two: &Two) -> bool {
        let [a, b] = self.balls(two);
        let along = (b.center - a.center).normalize_or_zero();
        let [one, other] = [0, 1].map(|side| &self.sides[side]);
        let (Some(end), Some(begin)) =
            (one.support(two.patches[0], along), other.support(two.patches[1], -along))
        else {
            return false;
        };
        let gap = -begin - end - self.places.slack - self.rounding;
        let swing = |side: &Side<'_>, patch: u32, ball: Ball| {
            let turned: f64 = side.levers.iter().map(|lever| lever.swing(ball.radius, along)).sum();
            let straight = side.straight(patch, along) + turned;
            (straight * ROUNDED + side.bend(side.most(patch))).min(side.most(patch))
        };
        gap > 0.0 && gap > swing(one, two.patches[0], a) + swing(other, two.patches[1], b)
    }

    /// Whether two patches certainly meet at the middle.
    fn meet(&self, work: &mut Work<'_>, two: &Two) -> bool {
        self.asked(two, |one, other| work.intersects(one, other).decided()) == Some(Some(true))
    }

    /// What a query says of two patches at the middle.
    fn asked<T>(&self, two: &Two, ask: impl FnOnce(Placed<'_>, Placed<'_>) -> T) -> Option<T> {
        let posed = |side: usize| -> Option<(&Body, _)> {
            let it = &self.sides[side];
            let (piece, patch) = it.patches[two.patches[side] as usize];
            Some((&patch.body, it.part.pieces[piece].pose(&it.frame)?))
        };
        let ((body, at), (other, to)) = (posed(0)?, posed(1)?);
        Some(ask(body.at(&at), other.at(&to)))
    }

    /// The axis, by its number, of which halving helps most to tell two patches apart.
    fn widest(&self, two: &Two) -> u8 {
        let [a, b] = self.balls(two);
        let along = (b.center - a.center).normalize_or_zero();
        let mut steps = [0.0; MOST];
        for side in [0, 1] {
            let it = &self.sides[side];
            for (lever, moved) in it.levers.iter().zip(it.moved(two.patches[side])) {
                let bend = if lever.at.is_some() { lever.by * moved.length() } else { 0.0 };
                let axis = self.dofs.iter().position(|dof| *dof == lever.dof).unwrap_or_default();
                steps[axis] += moved.dot(along).abs() + bend;
            }
        }
        steps.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).map_or(0, |(axis, _)| axis as u8)
    }

    /// Whether some of the bodies meet at the middle, or are not known not to.
    fn is_contact(&mut self, work: &mut Work<'_>) -> bool {
        let [(i, one), (j, other)] = [0, 1].map(|side| (self.sides[side].number, self.sides[side].part));
        self.places.ready(i, one);
        self.places.ready(j, other);
        let mut pairs = one
            .pieces
            .iter()
            .enumerate()
            .flat_map(|piece| other.pieces.iter().enumerate().map(move |its| (piece, its)));
        pairs.any(|((k, piece), (l, its))| {
            let other = NearOther::Piece { part: j as u32, piece: l as u32 };
            let near = Near { part: i as u32, piece: k as u32, other };
            self.places.verdict_of(piece, its) != Verdict::Apart
                && self.cell.meets(work, &self.places.frames, near) != Some(false)
        })
    }
}
