//! One edge: intervals of time are told free, or halved.

use std::collections::VecDeque;
use std::ops::Range;

use sudar::Interval;
use sudar::query::Work;

use super::scratch::{Near, NearOther, Scratch};
use super::{EdgeAnswer, EdgeHit, EdgeOptions, Other, RobotCell};
use crate::core::{Told, told_balls};

/// An edge under examination.
pub(super) struct Edge<'c> {
    cell: &'c RobotCell,
    ends: [&'c [f64]; 2],
    change: Vec<f64>,
    q: Vec<f64>,
    /// For each part the bound on the error of its positions.
    rounding: Vec<f64>,
    /// For each part where its bounds begin in `travel`.
    first: Vec<usize>,
    travel: Vec<f64>,
    /// Pairs that are left of some interval, one list after the other.
    left: Vec<Near>,
    queue: VecDeque<Span>,
    options: EdgeOptions,
    /// Where the earliest interval begins that could not be told free.
    unknown_from: f64,
    hit: Option<EdgeHit>,
}

/// An interval of time, and the pairs that are left of it: all in the beginning.
#[derive(Debug, Clone)]
struct Span {
    from: f64,
    to: f64,
    left: Option<Range<usize>>,
}

impl<'c> Edge<'c> {
    pub fn new(cell: &'c RobotCell, ends: [&'c [f64]; 2], options: EdgeOptions) -> Self {
        Self {
            change: ends[0].iter().zip(ends[1]).map(|(a, b)| b - a).collect(),
            q: Vec::with_capacity(ends[0].len()),
            rounding: cell.chains.iter().map(|chain| chain.rounding(&cell.robot, ends)).collect(),
            first: Vec::with_capacity(cell.parts.len()),
            travel: Vec::new(),
            left: Vec::new(),
            queue: VecDeque::from([Span { from: 0.0, to: 1.0, left: None }]),
            cell,
            ends,
            options,
            unknown_from: f64::INFINITY,
            hit: None,
        }
    }

    pub fn run(mut self, work: &mut Work<'_>, scratch: &mut Scratch) -> EdgeAnswer {
        let mut steps = 0;
        while let Some(span) = self.queue.pop_front() {
            if self.is_idle(&span) {
                continue;
            }
            if steps == self.options.steps || !work.may_go_on() {
                self.unknown_from = self.unknown_from.min(span.from);
                continue;
            }
            steps += 1;
            self.look(work, scratch, span);
        }
        self.answer(work, scratch)
    }

    /// Whether an interval can change nothing more: it is after the contact, or after what is not known, and that is as
    /// near to the contact as it has to be.
    fn is_idle(&self, span: &Span) -> bool {
        self.hit.is_some_and(|hit| {
            let is_narrow = hit.time.upper - self.unknown_from <= self.options.tolerance;
            span.from >= hit.time.upper || is_narrow && span.from >= self.unknown_from
        })
    }

    fn answer(mut self, work: &mut Work<'_>, scratch: &mut Scratch) -> EdgeAnswer {
        let Some(mut hit) = self.hit else {
            let is_free = self.unknown_from == f64::INFINITY;
            return if is_free { EdgeAnswer::Free } else { EdgeAnswer::Undecided { free_until: self.unknown_from } };
        };
        hit.time.lower = self.unknown_from.min(hit.time.upper);
        // Contact from the beginning on has no interval of width before it.
        if hit.time.lower == 0.0 && hit.time.upper > 0.0 {
            self.stand_at(0.0, 0.0, scratch);
            self.left.clear();
            if let Some(near) = self.tell_all(work, scratch) {
                hit = hit_at(0.0, near);
            }
        }
        EdgeAnswer::Hit(hit)
    }

    /// Tells the pairs of an interval, and halves it for those that are left.
    fn look(&mut self, work: &mut Work<'_>, scratch: &mut Scratch, span: Span) {
        let middle = 0.5 * (span.from + span.to);
        self.stand_at(middle, 0.5 * (span.to - span.from), scratch);
        let begin = self.left.len();
        let contact = match span.left.clone() {
            None => self.tell_all(work, scratch),
            Some(left) => self.tell_left(work, scratch, left),
        };
        let mut left = Some(begin..self.left.len());
        if let Some(near) = contact {
            self.hit = Some(hit_at(middle, near));
            if span.left.is_none() {
                // Not all have been told.
                left = None;
            }
            self.later(Span { from: span.from, to: middle, left }, middle - span.from);
        } else if self.left.len() > begin {
            self.later(Span { from: span.from, to: middle, left: left.clone() }, span.to - span.from);
            self.later(Span { from: middle, to: span.to, left }, span.to - span.from);
        }
    }

    /// Looks at an interval later, unless that of this width, which could not be told, is narrow enough.
    fn later(&mut self, span: Span, width: f64) {
        let middle = 0.5 * (span.from + span.to);
        if width <= self.options.tolerance || middle <= span.from || middle >= span.to {
            self.unknown_from = self.unknown_from.min(span.from);
        } else {
            self.queue.push_back(span);
        }
    }

    /// Lets the robot stand at a time, and bounds how far parts move from there within `half` of it.
    fn stand_at(&mut self, time: f64, half: f64, scratch: &mut Scratch) {
        let Self { cell, ends: [start, _], change, q, first, travel, .. } = self;
        q.clear();
        q.extend(start.iter().zip(&*change).map(|(start, change)| start + time * change));
        cell.robot.frames(q, &mut scratch.frames);
        first.clear();
        travel.clear();
        for (chain, part) in cell.chains.iter().zip(&cell.parts) {
            first.push(travel.len());
            chain.travel(&cell.robot, part, &scratch.frames, change, half, travel);
        }
    }

    /// How far a part can come nearer to an object.
    #[inline]
    fn travel_of(&self, part: usize) -> f64 {
        let nodes = self.cell.chains[part].len();
        self.travel[self.first[part] + nodes] + self.rounding[part]
    }

    /// How far two parts can come nearer to each other.
    #[inline]
    fn travel_between(&self, a: usize, b: usize) -> f64 {
        let of = |part: usize, other: usize| {
            self.travel[self.first[part] + self.cell.apart[part * self.cell.parts.len() + other] as usize]
        };
        of(a, b) + of(b, a) + self.rounding[a] + self.rounding[b]
    }

    /// Tells the pairs that were left, and keeps those that are. Of a contact all that follow are kept as well.
    fn tell_left(&mut self, work: &mut Work<'_>, scratch: &Scratch, left: Range<usize>) -> Option<Near> {
        for i in left.clone() {
            let near = self.left[i];
            if self.is_contact(work, scratch, near) {
                self.left.extend_from_within(i + 1..left.end);
                return Some(near);
            }
        }
        None
    }

    /// Tells all pairs, whole parts first.
    fn tell_all(&mut self, work: &mut Work<'_>, scratch: &Scratch) -> Option<Near> {
        let cell = self.cell;
        for (i, part) in cell.parts.iter().enumerate() {
            let center = scratch.frames[part.node].apply(part.ball.center);
            let travel = self.travel_of(i) + part.padding;
            for &j in &cell.with[i] {
                let core = &cell.objects[j as usize].core;
                if core.least(center, part.ball.radius) > travel {
                    continue;
                }
                for k in 0..part.pieces.len() as u32 {
                    let near = Near { part: i as u32, piece: k, other: NearOther::Object(j) };
                    if self.is_contact(work, scratch, near) {
                        return Some(near);
                    }
                }
            }
        }
        cell.pairs.iter().find_map(|pair| self.tell_parts(work, scratch, *pair))
    }

    fn tell_parts(&mut self, work: &mut Work<'_>, scratch: &Scratch, [i, j]: [u32; 2]) -> Option<Near> {
        let (a, b) = (&self.cell.parts[i as usize], &self.cell.parts[j as usize]);
        let centers = [a, b].map(|part| scratch.frames[part.node].apply(part.ball.center));
        let radii = [a.ball.radius + self.travel_between(i as usize, j as usize), b.ball.radius];
        if told_balls(centers, radii, false) == Told::Apart {
            return None;
        }
        let pieces = |part: &crate::Part| 0..part.pieces.len() as u32;
        for k in pieces(a) {
            for l in pieces(b) {
                let near = Near { part: i, piece: k, other: NearOther::Piece { part: j, piece: l } };
                if self.is_contact(work, scratch, near) {
                    return Some(near);
                }
            }
        }
        None
    }

    /// Whether two bodies certainly meet now. They are kept among those that are left unless they certainly do not meet
    /// in all of the interval.
    fn is_contact(&mut self, work: &mut Work<'_>, scratch: &Scratch, near: Near) -> bool {
        let cell = self.cell;
        let (part, frames) = (&cell.parts[near.part as usize], &scratch.frames);
        let (piece, frame) = (&part.pieces[near.piece as usize], &frames[part.node]);
        let (travel, least, told, radius) = match near.other {
            NearOther::Object(j) => {
                let core = &cell.objects[j as usize].core;
                let travel = self.travel_of(near.part as usize) + part.padding;
                let least = piece.least(frame, core);
                let exact = piece.is_ball && core.is_exact;
                let loose = if core.is_exact { 0.0 } else { core.radius };
                let told = if least > part.padding { Told::Apart } else { piece.told(frame, core, part.padding) };
                (travel, least, told, if exact { 0.0 } else { piece.ball.radius + loose })
            }
            NearOther::Piece { part: other, piece: l } => {
                let it = &cell.parts[other as usize];
                let (its, at) = (&it.pieces[l as usize], &frames[it.node]);
                let travel = self.travel_between(near.part as usize, other as usize);
                let least = piece.least_of(frame, its, at);
                let exact = piece.is_ball && its.is_ball;
                let told = if least > 0.0 { Told::Apart } else { piece.told_of(frame, its, at) };
                (travel, least, told, if exact { 0.0 } else { piece.ball.radius + its.ball.radius })
            }
        };
        if least > travel {
            return false;
        }
        // The bodies may be farther apart than their balls, but not by more than the balls are large.
        let is_worth = told != Told::Touching && radius > 0.0 && travel < least.max(0.0) + radius;
        if is_worth && cell.are_apart(work, frames, near, travel) {
            return false;
        }
        self.left.push(near);
        match told {
            Told::Apart => false,
            Told::Touching => true,
            Told::Unknown => cell.meets(work, frames, near) == Some(true),
        }
    }
}

fn hit_at(time: f64, near: Near) -> EdgeHit {
    let other = match near.other {
        NearOther::Object(i) => Other::Object(i as usize),
        NearOther::Piece { part, .. } => Other::Part(part as usize),
    };
    EdgeHit { time: Interval::point(time), part: near.part as usize, other }
}
