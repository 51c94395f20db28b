//! Which configurations are free of contact.
//!
//! For each configuration the cheap tests come first, on balls around whole parts, around their bodies, and around
//! pieces of long bodies: they decide most pairs that are apart, and of robots made of balls most contacts as well.
//! What they leave open is decided by the pairwise library.

use sudar::query::{Batch, Work};

use super::RobotCell;
use super::lanes::{Buffers, SmallCell, WIDTH};
use super::scratch::{Near, NearOther, Scratch};
use crate::core::Verdict;
use crate::{CHUNK, RobotError};

/// Lists of at least so many configurations are tested eight at a time.
const LANES_FROM: usize = 16;
/// There the code for it would be too much of what is loaded, and none of it is compiled.
const IN_A_BROWSER: bool = cfg!(target_family = "wasm");

impl RobotCell {
    /// For each configuration whether it is **valid: `true` means free of contact** (and within the limits of its
    /// joints by [`CellOptions::limit_tolerance`](super::CellOptions::limit_tolerance), unless
    /// [`CellOptions::check_limits`](super::CellOptions::check_limits) is off), `false` in contact.
    /// [`explain`](Self::explain) says why.
    ///
    /// Where it is not certain that a configuration is free, it is not valid: where a cylinder, cone or ellipsoid
    /// touches within rounding, and where a budget or a flag of the batch ended a query.
    ///
    /// # Errors
    /// [`RobotError::Rows`] unless `q` is n · dof numbers, [`RobotError::Value`] for NaN, infinity and what is beyond
    /// 1e80.
    pub fn check(&self, q: &[f64], batch: &Batch<'_>) -> Result<Vec<bool>, RobotError> {
        let rows = self.robot.rows(q)?;
        let row = |row| self.robot.row(q, row);
        if IN_A_BROWSER || rows < LANES_FROM {
            return Ok(self.each_row(rows, CHUNK, batch, |work, scratch, i| {
                self.outside_limits(row(i)).is_none() && self.stands_free(work, scratch, row(i))
            }));
        }
        let (small, first) = (SmallCell::new(self), (0..rows).step_by(CHUNK).collect::<Vec<usize>>());
        let found = batch.each(&first, |work, first| {
            let some: Vec<&[f64]> = (*first..rows.min(first + CHUNK)).map(row).collect();
            self.check_in_lanes(&small, work, &some)
        });
        Ok(found.answers.concat())
    }

    /// Some configurations, several at a time.
    fn check_in_lanes(&self, small: &SmallCell, work: &mut Work<'_>, rows: &[&[f64]]) -> Vec<bool> {
        let (mut scratch, mut kept) = (Scratch::default(), Buffers::default());
        let mut valid = vec![false; rows.len()];
        let mut some = Vec::with_capacity(rows.len());
        for (i, q) in rows.iter().enumerate().filter(|(_, q)| self.outside_limits(q).is_none()) {
            if small.holds(q) {
                some.push(i);
            } else {
                valid[i] = self.stands_free(work, &mut scratch, q);
            }
        }
        for eight in some.chunks(WIDTH) {
            let mut group = [rows[eight[0]]; WIDTH];
            group.iter_mut().zip(eight).for_each(|(q, i)| *q = rows[*i]);
            let free = small.free(self, work, (&mut scratch, &mut kept), (group, eight.len()));
            eight.iter().enumerate().for_each(|(lane, i)| valid[*i] = free & 1 << lane != 0);
        }
        valid
    }

    /// Whether the robot at the frames is certainly free of contact.
    pub(super) fn is_free(&self, work: &mut Work<'_>, scratch: &mut Scratch, q: &[f64]) -> bool {
        scratch.near.clear();
        if self.balls_meet_objects(scratch) || self.balls_meet(scratch, q) {
            return false;
        }
        scratch.near.iter().all(|near| self.meets(work, &scratch.places.frames, *near) == Some(false))
    }

    /// Whether some part meets an object by a test of balls; what that leaves open is kept. Parts at the end of the arm
    /// come first, since they move most.
    fn balls_meet_objects(&self, scratch: &mut Scratch) -> bool {
        let Scratch { places, near, .. } = scratch;
        for (i, part) in self.parts.iter().enumerate().rev() {
            let (center, radius) = (places.parts[i], part.ball.radius);
            for &j in &self.with[i] {
                let core = &self.objects[j as usize].core;
                if core.is_far(center, radius + part.padding) || core.is_apart(center, radius, part.padding) {
                    continue;
                }
                places.ready(i, part);
                for (k, piece) in part.pieces.iter().enumerate() {
                    match places.verdict(piece, core, part.padding) {
                        Verdict::Apart => {}
                        Verdict::Touching => return true,
                        Verdict::Unknown => {
                            let other = NearOther::Object(j);
                            near.push(Near { part: i as u32, piece: k as u32, other });
                        }
                    }
                }
            }
        }
        false
    }

    /// The same of pairs of parts.
    fn balls_meet(&self, scratch: &mut Scratch, q: &[f64]) -> bool {
        let is_mapped = self.is_mapped(q);
        let Scratch { places, near, .. } = scratch;
        for &[i, j] in &self.pairs {
            let (a, b) = (&self.parts[i as usize], &self.parts[j as usize]);
            let its = places.parts[j as usize];
            if places.are_apart(places.parts[i as usize], its, a.ball.radius + b.ball.radius) {
                continue;
            }
            let map = self.map_of([i, j]).filter(|_| is_mapped);
            if map.is_some_and(|map| self.maps[map].tree.is_free(q)) {
                continue;
            }
            places.ready(i as usize, a);
            places.ready(j as usize, b);
            for (k, piece) in a.pieces.iter().enumerate() {
                if places.are_apart(places.center(piece), its, piece.ball.radius + b.ball.radius) {
                    continue;
                }
                for (l, other) in b.pieces.iter().enumerate() {
                    match places.verdict_of(piece, other) {
                        Verdict::Apart => {}
                        Verdict::Touching => return true,
                        Verdict::Unknown => {
                            let other = NearOther::Piece { part: j, piece: l as u32 };
                            near.push(Near { part: i, piece: k as u32, other });
                        }
                    }
                }
            }
        }
        false
    }
}
