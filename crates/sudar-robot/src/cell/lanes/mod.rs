//! Eight configurations side by side.
//!
//! Where the frames of a robot are, and which of its balls are apart from objects and from each other, is computed for
//! eight configurations at a time, in `f32` with a bound on all rounding. That decides most of them; pairs that it
//! leaves open are decided for each configuration by the pairwise library in `f64`, so that answers are those of one
//! configuration by itself. VAMP (Thomason, Kingston and Kavraki 2024, "Motions in Microseconds via Vectorized
//! Sampling-Based Planning") tests several configurations at once in this way, in `f32` without bounds.

mod balls;
mod chain;
mod vector;

use std::ops::Range;

use fearless_simd::{Level, Simd, dispatch};
use sudar::query::Work;

use self::balls::{Lanes, SmallBall, SmallCore, Verdicts, error_beside, is_less, is_more};
use self::chain::ChainOfEight;
use self::vector::{Eight, Frame8, FrameRows, Rows};
use super::RobotCell;
use super::scratch::{Near, NearOther, Scratch};
use crate::part::Part;

/// How many configurations are tested at a time.
pub(super) const WIDTH: usize = 8;

/// A cell with its numbers rounded to `f32`, for one list of configurations.
#[derive(Debug)]
pub(super) struct SmallCell {
    level: Level,
    chain: ChainOfEight,
    parts: Vec<SmallPart>,
    pieces: Vec<SmallPiece>,
    /// By their slots.
    balls: Vec<SmallBall>,
    objects: Vec<SmallCore>,
    /// How far from the root anything of the robot can be, without what slides.
    length: f64,
    /// Bound on the error of a distance, for each unit of that length.
    error: f64,
}

#[derive(Debug)]
struct SmallPart {
    node: usize,
    ball: SmallBall,
    padding: f32,
    pieces: Range<usize>,
    slots: Range<usize>,
}

#[derive(Debug)]
struct SmallPiece {
    slot: usize,
    cover: Range<usize>,
    is_ball: bool,
}

/// What one task keeps between groups of eight.
#[derive(Debug, Default)]
pub(super) struct Buffers {
    /// Eight values of each number.
    q: Vec<[f64; WIDTH]>,
    frames: Vec<FrameRows>,
    /// The centres of the balls of parts, and those by slots.
    centers: Vec<Rows>,
    places: Vec<Rows>,
    is_ready: Vec<bool>,
    /// Pairs that are open in some of the eight.
    open: Vec<(Lanes, Near)>,
    /// Those of one lane, and how near each other they are.
    chosen: Vec<(f32, Near)>,
}

/// Eight configurations that are tested.
struct Group<'a, S: Simd> {
    simd: S,
    cell: &'a RobotCell,
    small: &'a SmallCell,
    /// Each of the eight; the last ones may be the same.
    rows: [&'a [f64]; WIDTH],
    kept: &'a mut Buffers,
    /// Bound on the error of the distance of a point of the robot from what stands.
    slack: f32,
    /// Those not known to be in contact.
    alive: Lanes,
}

impl SmallCell {
    pub fn new(cell: &RobotCell) -> Self {
        let chain = ChainOfEight::new(&cell.robot.nodes);
        let origin = cell.robot.base().translation();
        let reach = |part: &Part| chain.reach[part.node] + part.ball.reach();
        let length = cell.parts.iter().map(reach).filter(|reach| reach.is_finite()).fold(0.0, f64::max);
        let error = chain.error() + error_beside(cell.objects.iter().map(|object| &object.core));
        let mut small = Self {
            level: Level::new(),
            chain,
            parts: Vec::with_capacity(cell.parts.len()),
            pieces: Vec::with_capacity(cell.slots),
            balls: Vec::with_capacity(cell.slots),
            objects: cell.objects.iter().map(|object| SmallCore::new(&object.core, origin)).collect(),
            length,
            error,
        };
        cell.parts.iter().for_each(|part| small.push(part));
        small
    }

    fn push(&mut self, part: &Part) {
        let (piece, slot) = (self.pieces.len(), self.balls.len());
        for piece in &part.pieces {
            let slot = self.balls.len();
            self.balls.push(SmallBall::new(&piece.ball));
            self.balls.extend(piece.cover.iter().map(SmallBall::new));
            self.pieces.push(SmallPiece { slot, is_ball: piece.is_ball, cover: slot + 1..self.balls.len() });
        }
        self.parts.push(SmallPart {
            node: part.node,
            ball: SmallBall::new(&part.ball),
            padding: part.padding as f32,
            pieces: piece..self.pieces.len(),
            slots: slot..self.balls.len(),
        });
    }

    /// Whether a configuration can be tested here; others have numbers that are too large.
    pub fn holds(&self, q: &[f64]) -> bool {
        self.chain.holds(q, self.length)
    }

    /// Which of eight configurations are certainly free of contact; only the first `count` of them are asked about.
    pub fn free(
        &self,
        cell: &RobotCell,
        work: &mut Work<'_>,
        (scratch, kept): (&mut Scratch, &mut Buffers),
        (rows, count): ([&[f64]; WIDTH], usize),
    ) -> Lanes {
        let asked = Lanes::MAX >> (WIDTH - count.min(WIDTH));
        let mut free =
            dispatch!(self.level, simd => Group::new(simd, cell, self, rows, kept, asked).tested());
        for (lane, row) in rows.iter().enumerate() {
            if free & 1 << lane != 0 && kept.choose(self, lane) {
                cell.robot.frames(row, &mut scratch.places.frames);
                let mut open = kept.chosen.iter();
                if !open.all(|(_, near)| cell.meets(work, &scratch.places.frames, *near) == Some(false)) {
                    free &= !(1 << lane);
                }
            }
        }
        free
    }
}

impl Buffers {
    /// Chooses the pairs that are open in a lane, those first that are most likely in contact: whose balls are deep in
    /// each other. Whether there are some.
    fn choose(&mut self, small: &SmallCell, lane: usize) -> bool {
        self.chosen.clear();
        for (lanes, near) in &self.open {
            if lanes & 1 << lane != 0 {
                self.chosen.push((self.nearness(small, lane, near), *near));
            }
        }
        self.chosen.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        !self.chosen.is_empty()
    }

    /// The distance of a ball from an object, or from another, in terms of their radii.
    fn nearness(&self, small: &SmallCell, lane: usize, near: &Near) -> f32 {
        let ball = |part: u32, piece: u32| {
            let slot = small.pieces[small.parts[part as usize].pieces.start + piece as usize].slot;
            (self.places[slot].map(|row| row[lane]), small.balls[slot].radius)
        };
        let (center, radius) = ball(near.part, near.piece);
        match near.other {
            NearOther::Object(i) => small.objects[i as usize].gap(center) / radius,
            NearOther::Piece { part, piece } => {
                let (other, its) = ball(part, piece);
                let square = (0..3).map(|i| (center[i] - other[i]) * (center[i] - other[i])).sum::<f32>();
                square.sqrt() / (radius + its)
            }
        }
    }
}

impl<'a, S: Simd> Group<'a, S> {
    #[inline(always)]
    fn new(
        simd: S,
        cell: &'a RobotCell,
        small: &'a SmallCell,
        rows: [&'a [f64]; WIDTH],
        kept: &'a mut Buffers,
        alive: Lanes,
    ) -> Self {
        let Buffers { q, frames, centers, places, is_ready, open, .. } = &mut *kept;
        q.clear();
        q.extend((0..cell.robot.dof()).map(|dof| rows.map(|row| row[dof])));
        small.chain.stand(simd, q, frames);
        centers.clear();
        for part in &small.parts {
            let frame = Frame8::load(simd, &frames[part.node]);
            centers.push(frame.apply(Eight::splat(simd, part.ball.center)).store());
        }
        places.resize(small.balls.len(), [[0.0; WIDTH]; 3]);
        is_ready.clear();
        is_ready.resize(small.parts.len(), false);
        open.clear();
        let length = small.length + small.chain.slides(q);
        Self { simd, cell, small, rows, kept, slack: (small.error * length) as f32, alive }
    }

    /// Those that no test of balls finds in contact; [`Buffers::open`] has the pairs that are left.
    #[inline(always)]
    fn tested(mut self) -> Lanes {
        self.objects();
        if self.alive != 0 {
            self.parts();
        }
        self.alive
    }

    /// Parts beside objects; those at the end of the arm come first, since they move most.
    #[inline(always)]
    fn objects(&mut self) {
        for (i, part) in self.small.parts.iter().enumerate().rev() {
            let center = Eight::load(self.simd, &self.kept.centers[i]);
            let reach = part.ball.radius + part.padding;
            for &j in &self.cell.with[i] {
                let object = &self.small.objects[j as usize];
                let mut near = self.alive & !object.is_far(self.simd, center, reach, self.slack);
                if near != 0 {
                    near &= !object.verdicts(self.simd, center, reach, self.slack).apart;
                }
                if near != 0 {
                    self.ready(i);
                    self.pieces(i, j);
                    if self.alive == 0 {
                        return;
                    }
                }
            }
        }
    }

    /// The pieces of a part beside an object.
    #[inline(always)]
    fn pieces(&mut self, i: usize, j: u32) {
        let (small, part) = (self.small, &self.small.parts[i]);
        let object = &small.objects[j as usize];
        for (k, piece) in small.pieces[part.pieces.clone()].iter().enumerate() {
            let found = self.beside(piece.slot, object, part.padding);
            if piece.is_ball && object.is_exact {
                self.alive &= !found.touching;
            }
            let mut open = self.alive & !found.apart;
            if open != 0 && !piece.cover.is_empty() {
                let mut near = 0;
                for slot in piece.cover.clone() {
                    near |= !self.beside(slot, object, part.padding).apart;
                }
                open &= near;
            }
            if open != 0 {
                let other = NearOther::Object(j);
                self.kept.open.push((open, Near { part: i as u32, piece: k as u32, other }));
            }
        }
    }

    #[inline(always)]
    fn beside(&self, slot: usize, object: &SmallCore, padding: f32) -> Verdicts {
        let center = Eight::load(self.simd, &self.kept.places[slot]);
        object.verdicts(self.simd, center, self.small.balls[slot].radius + padding, self.slack)
    }

    /// Parts beside parts.
    #[inline(always)]
    fn parts(&mut self) {
        let small = self.small;
        for &[i, j] in &self.cell.pairs {
            let (a, b) = (&small.parts[i as usize], &small.parts[j as usize]);
            let [p, q] = [i, j].map(|part| part as usize);
            let (p, q) = (
                Eight::load(self.simd, &self.kept.centers[p]),
                Eight::load(self.simd, &self.kept.centers[q]),
            );
            let away = p.sub(q);
            let reach = a.ball.radius + b.ball.radius;
            let near = self.alive & !is_more(self.simd, away.dot(away), reach + 2.0 * self.slack);
            if near == 0 {
                continue;
            }
            self.ready(i as usize);
            self.ready(j as usize);
            let before = self.kept.open.len();
            self.pairs([i, j], near);
            if self.alive == 0 {
                return;
            }
            if self.kept.open.len() > before {
                self.look_up([i, j], before);
            }
        }
    }

    /// Leaves out what the map of two parts says is apart, of the open pairs from a number on.
    fn look_up(&mut self, pair: [u32; 2], from: usize) {
        let Some(map) = self.cell.map_of(pair) else { return };
        let tree = &self.cell.maps[map].tree;
        let open = &mut self.kept.open;
        let near = open[from..].iter().fold(0, |lanes, (open, _)| lanes | open);
        let is_free = |lane: &usize| {
            let row = self.rows[*lane];
            near & 1 << lane != 0 && self.cell.is_mapped(row) && tree.is_free(row)
        };
        let free = (0..WIDTH).filter(is_free).fold(0, |lanes, lane| lanes | 1 << lane);
        open[from..].iter_mut().for_each(|(lanes, _)| *lanes &= !free);
    }

    /// The pieces of two parts, where they are not apart as far as is known.
    #[inline(always)]
    fn pairs(&mut self, [i, j]: [u32; 2], near: Lanes) {
        let small = self.small;
        let (a, b) = (&small.parts[i as usize], &small.parts[j as usize]);
        let its = Eight::load(self.simd, &self.kept.centers[j as usize]);
        for (k, one) in small.pieces[a.pieces.clone()].iter().enumerate() {
            let center = Eight::load(self.simd, &self.kept.places[one.slot]);
            let away = center.sub(its);
            let reach = small.balls[one.slot].radius + b.ball.radius;
            if near & self.alive & !is_more(self.simd, away.dot(away), reach + 2.0 * self.slack) == 0 {
                continue;
            }
            for (l, other) in small.pieces[b.pieces.clone()].iter().enumerate() {
                let found = self.between(one.slot, other.slot);
                if one.is_ball && other.is_ball {
                    self.alive &= !(near & found.touching);
                }
                let mut open = near & self.alive & !found.apart;
                if open != 0 && !(one.cover.is_empty() && other.cover.is_empty()) {
                    open &= self.covers_are_near(one, other, open);
                }
                if open != 0 {
                    let other = NearOther::Piece { part: j, piece: l as u32 };
                    self.kept.open.push((open, Near { part: i, piece: k as u32, other }));
                }
            }
        }
    }

    /// Where two balls are apart, and where they touch.
    #[inline(always)]
    fn between(&self, one: usize, other: usize) -> Verdicts {
        let [p, q] = [&self.kept.places[one], &self.kept.places[other]];
        let away = Eight::load(self.simd, p).sub(Eight::load(self.simd, q));
        let (square, slack) = (away.dot(away), 2.0 * self.slack);
        let reach = self.small.balls[one].radius + self.small.balls[other].radius;
        let apart = is_more(self.simd, square, reach + slack);
        Verdicts { apart, touching: is_less(self.simd, square, reach - slack) }
    }

    /// Of some lanes, or more, where balls of the covers of two pieces are not apart.
    #[inline(always)]
    fn covers_are_near(&self, one: &SmallPiece, other: &SmallPiece, lanes: Lanes) -> Lanes {
        let mut near = 0;
        for slot in one.balls() {
            if lanes & !self.between(slot, other.slot).apart == 0 {
                continue;
            }
            for its in other.balls() {
                near |= !self.between(slot, its).apart;
            }
            if near & lanes == lanes {
                return near;
            }
        }
        near
    }

    /// Lets the balls of a part be where they are.
    #[inline(always)]
    fn ready(&mut self, i: usize) {
        if std::mem::replace(&mut self.kept.is_ready[i], true) {
            return;
        }
        let part = &self.small.parts[i];
        let frame = Frame8::load(self.simd, &self.kept.frames[part.node]);
        for slot in part.slots.clone() {
            let center = Eight::splat(self.simd, self.small.balls[slot].center);
            self.kept.places[slot] = frame.apply(center).store();
        }
    }
}

impl SmallPiece {
    /// Its cover, or the ball around it.
    fn balls(&self) -> Range<usize> {
        if self.cover.is_empty() { self.slot..self.slot + 1 } else { self.cover.clone() }
    }
}
