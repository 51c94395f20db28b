//! Proofs that two pieces stay apart for an interval of time, patch by patch.
//!
//! What is near another link is often near the joint between the two, and moves far less than the other end of its
//! link. So it is compared with how far it itself moves. Surfaces that do not come to touch while one is outside the
//! other at some time leave it outside.

use sudar::DVec3;
use sudar::query::{Body, Placed, Work};

use super::halving::Edge;
use super::scratch::{Near, NearOther, Scratch};
use super::travel::Travel;
use crate::core::Core;
use crate::patch::Patch;

/// Patches that move by no less than this share of what the others do are asked about together.
const ALIKE: f64 = 0.7;

/// The ball around a patch, where it is, and how far the patch moves.
#[derive(Debug, Clone, Copy)]
pub(super) struct MovingBall {
    center: DVec3,
    radius: f64,
    most: f64,
    /// Where its centre would be, beside where it is, at the velocity of the middle.
    straight: DVec3,
}

/// Two patches, or a patch and an object.
#[derive(Debug, Clone, Copy)]
pub(super) struct PatchPair {
    patches: [u32; 2],
    /// Apart if they are farther apart than this.
    reach: f64,
    /// By so much their balls fail to show it.
    short: f64,
}

impl Edge<'_> {
    /// Whether two pieces that do not meet certainly do not come to meet in the interval. False also where that is
    /// hardly to be hoped for.
    pub(super) fn patches_stay_apart(&self, work: &mut Work<'_>, scratch: &mut Scratch, near: Near) -> bool {
        let piece = |part: u32, piece: u32| &self.cell.parts[part as usize].pieces[piece as usize];
        let is_ball = piece(near.part, near.piece).is_ball;
        let is_open = match near.other {
            NearOther::Object(j) => {
                let core = &self.cell.objects[j as usize].core;
                // Of what is exactly a ball and a core, no more is to be known.
                (!is_ball || !core.is_exact).then(|| self.open_with_object(scratch, near, core))
            }
            NearOther::Piece { part, piece: k } => {
                (!is_ball || !piece(part, k).is_ball).then(|| self.open_with_piece(scratch, near, [part, k]))
            }
        };
        let Some(Some(())) = is_open else { return false };
        let (least, widest) =
            scratch.patches.iter().fold((f64::INFINITY, 0.0_f64), |(least, widest), pair| {
                (least.min(pair.reach), widest.max(pair.reach))
            });
        // All patches move by about as much: one query is less work than one for each two.
        if least > ALIKE * widest && scratch.patches.len() > 1 {
            let within =
                |work: &mut Work<'_>, a: Placed<'_>, b: Placed<'_>| work.within(a, b, widest).decided();
            return self.cell.asked(work, &scratch.places.frames, near, within).flatten() == Some(false);
        }
        // Those first that are most likely to be near each other.
        scratch.patches.sort_unstable_by(|a, b| b.short.total_cmp(&a.short));
        scratch.patches.iter().all(|pair| self.is_beyond(work, scratch, near, pair))
    }

    /// Lists the patches that may come to meet an object; `None` for a patch that queries will not show to be apart.
    fn open_with_object(&self, scratch: &mut Scratch, near: Near, core: &Core) -> Option<()> {
        let i = near.part as usize;
        let (part, travel) = (&self.cell.parts[i], self.travel_of(i));
        let padding = part.padding + self.rounding[i];
        let Scratch { places, patches, .. } = scratch;
        patches.clear();
        let loose = if core.is_exact { 0.0 } else { core.radius };
        let (frame, center) = (&places.frames[part.node], places.parts[i]);
        for (k, patch) in part.pieces[near.piece as usize].patches().iter().enumerate() {
            let ball = MovingBall::new(patch, frame.apply(patch.ball.center), center, &travel);
            let least = core.least(ball.center, ball.radius) - padding;
            // Beyond the plane between the two its centre moves by no more than this.
            let along = || ball.straight.dot(core.normal(ball.center)).abs() * (1.0 + 1e-12) + travel.bend();
            if least > travel.bend() && least > along() {
                continue;
            }
            open(patches, [k as u32, 0], least, ball.most, ball.radius + loose, padding)?;
        }
        Some(())
    }

    fn open_with_piece(&self, scratch: &mut Scratch, near: Near, [j, l]: [u32; 2]) -> Option<()> {
        let (i, j) = (near.part as usize, j as usize);
        let (one, it) = (&self.cell.parts[i], &self.cell.parts[j]);
        let (piece, other) = (&one.pieces[near.piece as usize], &it.pieces[l as usize]);
        let travels = [self.travel_beside(i, j), self.travel_beside(j, i)];
        let rounding = self.rounding[i] + self.rounding[j];
        let Scratch { places, patches, others, .. } = scratch;
        let bend = travels[0].bend() + travels[1].bend();
        let ball = |part: usize, patch: &Patch, travel: &Travel| {
            let center = places.frames[self.cell.parts[part].node].apply(patch.ball.center);
            MovingBall::new(patch, center, places.parts[part], travel)
        };
        others.clear();
        others.extend(other.patches().iter().map(|patch| ball(j, patch, &travels[1])));
        patches.clear();
        for (k, patch) in piece.patches().iter().enumerate() {
            let a = ball(i, patch, &travels[0]);
            for (m, b) in others.iter().enumerate() {
                let reach = a.radius + b.radius;
                let apart = b.center - a.center;
                let distance = apart.length();
                let least = distance - reach - places.slack - rounding;
                let along = || (b.straight - a.straight).dot(apart).abs() / distance * (1.0 + 1e-12) + bend;
                if least > bend && least > along() {
                    continue;
                }
                open(patches, [k as u32, m as u32], least, a.most + b.most, reach, rounding)?;
            }
        }
        Some(())
    }

    /// Whether two patches are farther apart than they can come nearer.
    fn is_beyond(&self, work: &mut Work<'_>, scratch: &Scratch, near: Near, pair: &PatchPair) -> bool {
        let posed = |part: u32, piece: u32, patch: u32| {
            let part = &self.cell.parts[part as usize];
            let piece = &part.pieces[piece as usize];
            Some((&piece.patches()[patch as usize].body, piece.pose(&scratch.places.frames[part.node])?))
        };
        let [k, l] = pair.patches;
        let mut asked = || {
            let (body, at) = posed(near.part, near.piece, k)?;
            let (other, to): (&Body, _) = match near.other {
                NearOther::Object(i) => {
                    let object = &self.cell.objects[i as usize];
                    (&object.body, object.pose)
                }
                NearOther::Piece { part, piece } => posed(part, piece, l)?,
            };
            work.within(body.at(&at), other.at(&to), pair.reach).decided()
        };
        asked() == Some(false)
    }
}

/// Lists two patches unless balls show that they stay apart; `None` if they are likely to meet.
fn open(
    list: &mut Vec<PatchPair>,
    patches: [u32; 2],
    least: f64,
    most: f64,
    loose: f64,
    padding: f64,
) -> Option<()> {
    if least > most {
        return Some(());
    }
    list.push(PatchPair { patches, reach: most + padding, short: most - least });
    (most < least.max(0.0) + loose).then_some(())
}

impl MovingBall {
    fn new(patch: &Patch, center: DVec3, of_part: DVec3, travel: &Travel) -> Self {
        let radius = patch.ball.radius;
        let (most, straight) = (travel.of_ball(center - of_part, radius), travel.of(center - of_part));
        Self { center, radius, most, straight }
    }
}
