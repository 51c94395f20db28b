//! Which configurations are free of contact.
//!
//! For each configuration the cheap tests come first, on balls around whole parts, around their bodies, and around
//! pieces of long bodies: they tell most pairs apart, and of robots made of balls most contacts as well. What they leave
//! is decided by the pairwise library.

use sudar::query::{Batch, Work};

use super::RobotCell;
use super::scratch::{Near, NearOther, Scratch};
use crate::core::{Told, told_balls};
use crate::{CHUNK, RobotError};

impl RobotCell {
    /// For each configuration whether it is **valid: `true` means free of contact** (and within the limits of its
    /// joints, unless [`CellOptions::check_limits`](super::CellOptions::check_limits) is off), `false` in contact.
    ///
    /// Where it is not certain that a configuration is free, it is not valid: where a cylinder, cone or ellipsoid touches
    /// within rounding, and where a budget or a flag of the batch ended a query.
    ///
    /// # Errors
    /// [`RobotError::Rows`] unless `q` is n · dof numbers, [`RobotError::Value`] for NaN, infinity and what is beyond
    /// 1e80.
    pub fn check(&self, q: &[f64], batch: &Batch<'_>) -> Result<Vec<bool>, RobotError> {
        let rows = self.robot.rows(q)?;
        Ok(self.each_row(rows, CHUNK, batch, |work, scratch, row| {
            let q = self.robot.row(q, row);
            if self.is_limited && !self.robot.is_within_limits(q) {
                return false;
            }
            self.robot.frames(q, &mut scratch.frames);
            self.is_free(work, scratch)
        }))
    }

    /// Whether the robot at the frames is certainly free of contact.
    pub(super) fn is_free(&self, work: &mut Work<'_>, scratch: &mut Scratch) -> bool {
        scratch.near.clear();
        if self.balls_meet_objects(scratch) || self.balls_meet(scratch) {
            return false;
        }
        scratch.near.iter().all(|near| self.meets(work, &scratch.frames, *near) == Some(false))
    }

    /// Whether balls tell that some part meets an object; what they do not tell apart is kept. Parts at the end of the
    /// arm come first, since they move most.
    fn balls_meet_objects(&self, scratch: &mut Scratch) -> bool {
        let Scratch { frames, near } = scratch;
        for (i, part) in self.parts.iter().enumerate().rev() {
            let frame = &frames[part.node];
            let center = frame.apply(part.ball.center);
            for &j in &self.with[i] {
                let core = &self.objects[j as usize].core;
                let reach = part.ball.radius + part.padding;
                if told_balls([center, core.center()], [reach, core.radius], false) == Told::Apart
                    || core.told(center, part.ball.radius, false, part.padding) == Told::Apart
                {
                    continue;
                }
                for (k, piece) in part.pieces.iter().enumerate() {
                    match piece.told(frame, core, part.padding) {
                        Told::Apart => {}
                        Told::Touching => return true,
                        Told::Unknown => {
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
    fn balls_meet(&self, scratch: &mut Scratch) -> bool {
        let Scratch { frames, near } = scratch;
        for &[i, j] in &self.pairs {
            let (a, b) = (&self.parts[i as usize], &self.parts[j as usize]);
            let (at, it) = (&frames[a.node], &frames[b.node]);
            let centers = [at.apply(a.ball.center), it.apply(b.ball.center)];
            if told_balls(centers, [a.ball.radius, b.ball.radius], false) == Told::Apart {
                continue;
            }
            for (k, piece) in a.pieces.iter().enumerate() {
                for (l, other) in b.pieces.iter().enumerate() {
                    match piece.told_of(at, other, it) {
                        Told::Apart => {}
                        Told::Touching => return true,
                        Told::Unknown => {
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
