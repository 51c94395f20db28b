//! What one task keeps between configurations, so that none of them allocates.

use sudar::query::{Placed, Work};

use super::RobotCell;
use super::patches::{MovingBall, PatchPair};
use crate::frame::Frame;
use crate::places::Places;

/// Buffers of a task.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    pub(super) places: Places,
    /// Pieces and objects, or pieces and pieces, that balls leave open.
    pub(super) near: Vec<Near>,
    /// Patches of two pieces that may come so near each other.
    pub(super) patches: Vec<PatchPair>,
    /// Patches of the second piece.
    pub(super) others: Vec<MovingBall>,
}

/// Two pieces, or a piece and an object, that have to be tested as they are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Near {
    pub part: u32,
    pub piece: u32,
    pub other: NearOther,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum NearOther {
    Object(u32),
    Piece { part: u32, piece: u32 },
}

impl RobotCell {
    /// Lets the robot stand in a configuration.
    #[inline]
    pub(super) fn stand(&self, q: &[f64], places: &mut Places) {
        self.robot.frames(q, &mut places.frames);
        places.renew(&self.parts, self.slots);
    }

    /// Whether the two meet, by the pairwise library; `None` if that is not known.
    pub(super) fn meets(&self, work: &mut Work<'_>, frames: &[Frame], near: Near) -> Option<bool> {
        let padding = self.padding(near);
        let meet = |work: &mut Work<'_>, a: Placed<'_>, b: Placed<'_>| {
            if padding > 0.0 { work.within(a, b, padding).decided() } else { work.intersects(a, b).decided() }
        };
        self.asked(work, frames, near, meet)?
    }

    fn padding(&self, near: Near) -> f64 {
        match near.other {
            NearOther::Object(_) => self.parts[near.part as usize].padding,
            NearOther::Piece { .. } => 0.0,
        }
    }

    /// The answer of a query for the two where they stand.
    pub(super) fn asked<T>(
        &self,
        work: &mut Work<'_>,
        frames: &[Frame],
        near: Near,
        ask: impl FnOnce(&mut Work<'_>, Placed<'_>, Placed<'_>) -> T,
    ) -> Option<T> {
        let posed = |part: u32, piece: u32| {
            let part = &self.parts[part as usize];
            let piece = &part.pieces[piece as usize];
            Some((&piece.body, piece.pose(&frames[part.node])?))
        };
        let (body, at) = posed(near.part, near.piece)?;
        match near.other {
            NearOther::Object(i) => {
                let object = &self.objects[i as usize];
                Some(ask(work, body.at(&at), object.body.at(&object.pose)))
            }
            NearOther::Piece { part, piece } => {
                let (other, it) = posed(part, piece)?;
                Some(ask(work, body.at(&at), other.at(&it)))
            }
        }
    }
}
