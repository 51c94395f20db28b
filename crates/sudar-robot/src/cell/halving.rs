//! One edge: intervals of time are proved free, or halved.

use std::collections::VecDeque;
use std::ops::Range;

use sudar::Interval;
use sudar::effort::Meter;
use sudar::query::Work;

use super::scratch::{Near, NearOther, Scratch};
use super::travel::Travel;
use super::{EdgeAnswer, EdgeHit, EdgeOptions, Other, RobotCell};
use crate::core::{Core, Verdict};
use crate::part::Piece;
use crate::places::Places;

/// An edge under examination.
pub(super) struct Edge<'c> {
    pub cell: &'c RobotCell,
    ends: [&'c [f64]; 2],
    change: Vec<f64>,
    q: Vec<f64>,
    /// For each part the bound on the error of its positions.
    pub rounding: Vec<f64>,
    /// For each part where its bounds begin in `travel`.
    first: Vec<usize>,
    travel: Vec<Travel>,
    /// Pairs that are left of some interval, one list after the other.
    left: Vec<Near>,
    queue: VecDeque<Span>,
    options: EdgeOptions,
    /// Where the earliest interval begins that could not be proved free.
    unknown_from: f64,
    hit: Option<EdgeHit>,
    /// How far apart in time configurations are that are known to be free, the second end among them, if some are.
    sampled: Option<f64>,
    /// Half the width of the interval.
    half: f64,
    /// The interval.
    span: [f64; 2],
    /// Whether the maps of pairs hold the edge.
    is_mapped: bool,
    /// For each map, once it was asked, the times at which the pair is not certainly apart.
    open_times: Vec<Option<Vec<[f64; 2]>>>,
}

/// An interval of time, and the pairs that are left of it: all in the beginning.
#[derive(Debug, Clone)]
struct Span {
    from: f64,
    to: f64,
    left: Option<Range<usize>>,
}

/// So far joints go on together in the widest intervals that are looked at, in radians; slides by this part of a link.
const WIDEST: f64 = 0.6;
/// Most intervals in the beginning.
const MOST: f64 = 64.0;

impl Span {
    /// The intervals in the beginning. In wide ones most pairs may come nearer than they are apart, which takes time to
    /// find out; so those of long edges are short.
    fn first(cell: &RobotCell, change: &[f64], steps: usize) -> VecDeque<Self> {
        let radii = cell.parts.iter().map(|part| part.ball.radius).filter(|radius| radius.is_finite());
        let size = radii.fold(f64::MIN_POSITIVE, f64::max);
        let dofs = cell.robot.dofs().iter().zip(change);
        let far: f64 = dofs.map(|(dof, by)| by.abs() / if dof.is_angle { 1.0 } else { size }).sum();
        // A power of two, so that times are exact.
        let count = ((far / WIDEST).clamp(1.0, MOST).ceil() as u32).next_power_of_two();
        let count = if count as usize > steps { 1 } else { count };
        let time = |k: u32| f64::from(k) / f64::from(count);
        (0..count).map(|k| Self { from: time(k), to: time(k + 1), left: None }).collect()
    }
}

impl<'c> Edge<'c> {
    pub fn new(cell: &'c RobotCell, ends: [&'c [f64]; 2], options: EdgeOptions) -> Self {
        let change: Vec<f64> = ends[0].iter().zip(ends[1]).map(|(a, b)| b - a).collect();
        Self {
            queue: Span::first(cell, &change, options.steps),
            change,
            q: Vec::with_capacity(ends[0].len()),
            rounding: cell.chains.iter().map(|chain| chain.rounding(&cell.robot, ends)).collect(),
            first: Vec::with_capacity(cell.parts.len()),
            travel: Vec::new(),
            left: Vec::new(),
            cell,
            ends,
            options,
            unknown_from: f64::INFINITY,
            hit: None,
            sampled: None,
            half: 1.0,
            span: [0.0, 1.0],
            is_mapped: ends.iter().all(|q| cell.is_mapped(q)),
            open_times: vec![None; cell.maps.len()],
        }
    }

    /// An edge on which samples are free that are so far apart in time, the second end among them.
    pub fn sampled(self, step: f64) -> Self {
        Self { sampled: Some(step), ..self }
    }

    /// `limit` is for the whole edge; that of `work` for each query.
    pub fn run(mut self, work: &mut Work<'_>, limit: &mut Meter<'_>, scratch: &mut Scratch) -> EdgeAnswer {
        let mut steps = 0;
        while let Some(span) = self.queue.pop_front() {
            if self.is_idle(&span) {
                continue;
            }
            if self.is_enough() || steps == self.options.steps || limit.check().is_break() {
                self.unknown_from = self.unknown_from.min(span.from);
                continue;
            }
            steps += 1;
            self.look(work, scratch, &span);
        }
        self.answer(work, scratch)
    }

    /// Whether it is known that the edge is not free or stays undecided, and no more is asked.
    fn is_enough(&self) -> bool {
        !self.options.locate && (self.hit.is_some() || self.unknown_from < f64::INFINITY)
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
            return if is_free {
                EdgeAnswer::Free
            } else {
                EdgeAnswer::Undecided { free_until: self.unknown_from }
            };
        };
        hit.time.lower = self.unknown_from.min(hit.time.upper);
        // Contact from the beginning on has no interval of width before it.
        if hit.time.lower == 0.0 && hit.time.upper > 0.0 && self.options.locate {
            self.stand_at(0.0, 0.0, scratch);
            self.left.clear();
            if let Some(near) = self.test_all(work, scratch) {
                hit = hit_at(0.0, near);
            }
        }
        EdgeAnswer::Hit(hit)
    }

    /// Tests the pairs of an interval, and halves it for those that are left.
    fn look(&mut self, work: &mut Work<'_>, scratch: &mut Scratch, span: &Span) {
        let middle = 0.5 * (span.from + span.to);
        self.span = [span.from, span.to];
        self.stand_at(middle, 0.5 * (span.to - span.from), scratch);
        let begin = self.left.len();
        let contact = match span.left.clone() {
            None => self.test_all(work, scratch),
            Some(left) => self.test_left(work, scratch, left),
        };
        let mut left = Some(begin..self.left.len());
        if let Some(near) = contact {
            self.hit = Some(hit_at(middle, near));
            if span.left.is_none() {
                // Not all have been tested.
                left = None;
            }
            self.later(Span { from: span.from, to: middle, left }, middle - span.from);
        } else if self.left.len() > begin {
            self.later(Span { from: span.from, to: middle, left: left.clone() }, span.to - span.from);
            self.later(Span { from: middle, to: span.to, left }, span.to - span.from);
        }
    }

    /// Looks at an interval later, unless that of this width, which is open, is narrow enough.
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
        self.half = half;
        let Self { cell, ends: [start, _], change, q, first, travel, .. } = self;
        q.clear();
        q.extend(start.iter().zip(&*change).map(|(start, change)| start + time * change));
        cell.stand(q, &mut scratch.places);
        first.clear();
        travel.clear();
        for (chain, part) in cell.chains.iter().zip(&cell.parts) {
            first.push(travel.len());
            chain.travel(&cell.robot, part, &scratch.places.frames, change, half, travel);
        }
    }

    /// How a part moves.
    #[inline]
    pub(super) fn travel_of(&self, part: usize) -> Travel {
        self.travel[self.first[part] + self.cell.chains[part].len()]
    }

    /// How a part moves by the joints that do not carry another.
    #[inline]
    pub(super) fn travel_beside(&self, part: usize, other: usize) -> Travel {
        let nodes = self.cell.apart[part * self.cell.parts.len() + other] as usize;
        self.travel[self.first[part] + nodes]
    }

    /// Tests the pairs that were left, and keeps those that are. Of a contact all that follow are kept as well.
    fn test_left(&mut self, work: &mut Work<'_>, scratch: &mut Scratch, left: Range<usize>) -> Option<Near> {
        for i in left.clone() {
            let near = self.left[i];
            if let NearOther::Piece { part, .. } = near.other
                && self.is_free_by_map([near.part, part])
            {
                continue;
            }
            if self.is_contact(work, scratch, near) {
                self.left.extend_from_within(i + 1..left.end);
                return Some(near);
            }
        }
        None
    }

    /// Tests all pairs, whole parts first.
    fn test_all(&mut self, work: &mut Work<'_>, scratch: &mut Scratch) -> Option<Near> {
        let cell = self.cell;
        for (i, part) in cell.parts.iter().enumerate() {
            let center = scratch.places.parts[i];
            let travel = self.travel_of(i).most + self.rounding[i] + part.padding;
            for &j in &cell.with[i] {
                let core = &cell.objects[j as usize].core;
                if core.is_apart(center, part.ball.radius, travel) {
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
        cell.pairs.iter().find_map(|pair| self.test_parts(work, scratch, *pair))
    }

    /// Whether the map of two parts shows that they are apart for all of the interval.
    fn is_free_by_map(&mut self, pair: [u32; 2]) -> bool {
        let Some(map) = self.cell.map_of(pair).filter(|_| self.is_mapped) else { return false };
        let open = self.open_times[map].get_or_insert_with(|| {
            let mut times = Vec::new();
            self.cell.maps[map].tree.open_times(self.ends[0], &self.change, &mut times);
            times
        });
        let [from, to] = self.span;
        // The first that ends after the interval begins.
        let next = open.partition_point(|times| times[1] < from);
        open.get(next).is_none_or(|times| times[0] > to)
    }

    fn test_parts(&mut self, work: &mut Work<'_>, scratch: &mut Scratch, [i, j]: [u32; 2]) -> Option<Near> {
        let [a, b] = [i as usize, j as usize];
        let (one, other) = (&self.cell.parts[a], &self.cell.parts[b]);
        let travel = self.travel_beside(a, b).most + self.travel_beside(b, a).most;
        let reach = other.ball.radius + travel + self.rounding[a] + self.rounding[b];
        let its = scratch.places.parts[b];
        if scratch.places.are_apart(scratch.places.parts[a], its, one.ball.radius + reach) {
            return None;
        }
        if self.is_free_by_map([i, j]) {
            return None;
        }
        scratch.places.ready(a, one);
        for (k, piece) in one.pieces.iter().enumerate() {
            if scratch.places.are_apart(scratch.places.center(piece), its, piece.ball.radius + reach) {
                continue;
            }
            for l in 0..other.pieces.len() as u32 {
                let near = Near { part: i, piece: k as u32, other: NearOther::Piece { part: j, piece: l } };
                if self.is_contact(work, scratch, near) {
                    return Some(near);
                }
            }
        }
        None
    }

    /// Whether two bodies certainly meet now. They are kept among those that are left unless they certainly do not meet
    /// in all of the interval.
    fn is_contact(&mut self, work: &mut Work<'_>, scratch: &mut Scratch, near: Near) -> bool {
        let (cell, i) = (self.cell, near.part as usize);
        let part = &cell.parts[i];
        let piece = &part.pieces[near.piece as usize];
        let places = &mut scratch.places;
        places.ready(i, part);
        let (verdict, least, most) = match near.other {
            NearOther::Object(j) => {
                let core = &cell.objects[j as usize].core;
                let (travel, padding) = (self.travel_of(i), part.padding + self.rounding[i]);
                if is_beside_object(places, i, piece, core, travel, padding) {
                    return false;
                }
                let verdict = places.verdict(piece, core, part.padding);
                let least = places.least(piece, core) - padding;
                let from = places.center(piece) - places.parts[i];
                (verdict, least, travel.of_ball(from, piece.ball.radius))
            }
            NearOther::Piece { part: j, piece: l } => {
                let j = j as usize;
                let it = &cell.parts[j];
                let other = &it.pieces[l as usize];
                places.ready(j, it);
                let travels = [self.travel_beside(i, j), self.travel_beside(j, i)];
                let rounding = self.rounding[i] + self.rounding[j];
                if are_beside(places, [i, j], [piece, other], &travels, rounding) {
                    return false;
                }
                let verdict = places.verdict_of(piece, other);
                let least = places.least_of(piece, other) - rounding;
                let of = |travel: &Travel, piece: &Piece, part: usize| {
                    travel.of_ball(places.center(piece) - places.parts[part], piece.ball.radius)
                };
                (verdict, least, of(&travels[0], piece, i) + of(&travels[1], other, j))
            }
        };
        if least > most {
            return false;
        }
        if let (Some(step), Verdict::Unknown) = (self.sampled, verdict) {
            return self.is_contact_between(work, scratch, near, step);
        }
        let meet = match verdict {
            Verdict::Apart => Some(false),
            Verdict::Touching => Some(true),
            Verdict::Unknown => cell.meets(work, &scratch.places.frames, near),
        };
        if meet == Some(false) && self.patches_stay_apart(work, scratch, near) {
            return false;
        }
        self.left.push(near);
        meet == Some(true)
    }

    /// The same on an edge on which samples are free. What surfaces that stay apart enclose is then outside at all
    /// times, as it is at the samples; and a contact is looked for only between these.
    fn is_contact_between(
        &mut self,
        work: &mut Work<'_>,
        scratch: &mut Scratch,
        near: Near,
        step: f64,
    ) -> bool {
        if self.patches_stay_apart(work, scratch, near) {
            return false;
        }
        self.left.push(near);
        2.0 * self.half < step && self.cell.meets(work, &scratch.places.frames, near) == Some(true)
    }
}

/// Whether balls around a piece stay beside an object, each behind a plane between the two.
fn is_beside_object(
    places: &Places,
    part: usize,
    piece: &Piece,
    core: &Core,
    travel: Travel,
    padding: f64,
) -> bool {
    let bend = travel.bend();
    let (balls, centers) = places.cover(piece);
    balls.iter().zip(centers).all(|(ball, &p)| {
        let gap = core.least(p, ball.radius) - padding;
        let straight = || travel.of(p - places.parts[part]).dot(core.normal(p)).abs();
        gap > travel.most || gap > bend && gap > straight() * (1.0 + 1e-12) + bend
    })
}

/// Whether balls around two pieces stay beside each other.
fn are_beside(
    places: &Places,
    parts: [usize; 2],
    pieces: [&Piece; 2],
    travels: &[Travel; 2],
    rounding: f64,
) -> bool {
    let [(balls, centers), (others, their)] = pieces.map(|piece| places.cover(piece));
    let [one, other] = travels;
    let (most, bend) = (one.most + other.most, one.bend() + other.bend());
    balls.iter().zip(centers).all(|(a, &p)| {
        others.iter().zip(their).all(|(b, &q)| {
            let apart = q - p;
            let distance = apart.length();
            let gap = distance - (a.radius + b.radius) - places.slack - rounding;
            let straight = || {
                let (of, its) = (one.of(p - places.parts[parts[0]]), other.of(q - places.parts[parts[1]]));
                (of - its).dot(apart).abs() / distance
            };
            gap > most || gap > bend && gap > straight() * (1.0 + 1e-12) + bend
        })
    })
}

fn hit_at(time: f64, near: Near) -> EdgeHit {
    let other = match near.other {
        NearOther::Object(i) => Other::Object(i as usize),
        NearOther::Piece { part, .. } => Other::Part(part as usize),
    };
    EdgeHit { time: Interval::point(time), part: near.part as usize, other }
}
