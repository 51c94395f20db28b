//! The search for the first contact: pairs of pieces in the order of the time until which they are certainly free.
//!
//! The heap holds pairs of pieces that together stand for all of both bodies, each with a time before which
//! it is free of contact for certain. So the least of these times is one for the bodies. The pair that has it
//! is tested as it lies then: a pair of bounds is replaced by the pairs one step below, two pieces whose
//! distance says contact are the answer, and others get a later time from the direction in which they are
//! apart (see `motion/free.rs`). A pair that is free until the end is dropped, and when none is left there is
//! no contact. After the idea of controlled conservative advancement over two hierarchies (Tang, Kim and
//! Manocha 2009, "C²A"), which computes the distance of the whole bodies after each step; here every pair
//! goes on in its own time.

use std::ops::ControlFlow;

use glam::DVec3;

use super::answer::SweepOptions;
use super::side::{Item, Side};
use crate::convex::GjkMemory;
use crate::effort::Meter;
use crate::math::unit;
use crate::motion::{
    Ahead, CastOutcome, Coaxial, Course, Facing, Instant, NearestPoints, Piece, Profile, apart, nearest, ray,
};
use crate::query::answer::StopReason;
use crate::search::{self, Waiting, best_first};

/// What the search found.
pub(super) enum Found {
    Free,
    Contact(Box<Contact>),
    Undecided { free_until: f64, reason: StopReason },
}

/// Two pieces in contact.
pub(super) struct Contact {
    pub time: f64,
    /// A time at which they are in contact as well, mostly overlapping.
    pub later: f64,
    pub items: [Item; 2],
    pub near: NearestPoints,
    pub instant: Instant,
}

/// Most pairs tested, so that every search ends.
const MOST_EVENTS: u64 = 1 << 24;
/// Most pairs that wait.
const MOST_WAITING: usize = 1 << 23;

/// After so many pairs it is worth looking at all pieces of bodies that turn about one line.
const LONG: u64 = 64;

/// Part of the time left that a pair of bounds must win to wait again instead of being opened.
const WORTH_WAITING: f64 = 0.03;

pub(super) struct Queue<'s, 'a> {
    sides: [&'s Side<'a>; 2],
    course: &'s Course,
    separation: f64,
    /// Pieces no farther apart than this are in contact.
    enough: f64,
    until: f64,
    waiting: search::Queue<Waiting<[Item; 2]>>,
    instant: Instant,
    /// Second tests of pairs of bounds that won time, and all of them.
    looks: [u64; 2],
    /// Of bodies that turn about one line.
    coaxial: Option<Coaxial>,
    /// How all of either body lies about the line, once that is known.
    wholes: Option<[Profile; 2]>,
}

impl<'s, 'a> Queue<'s, 'a> {
    pub fn new(sides: [&'s Side<'a>; 2], course: &'s Course, options: &SweepOptions) -> Self {
        // Gaps are taken less the slack: what is not wider than a few of these cannot be distinguished from contact.
        let delta = options.delta.max(4.0 * course.slack);
        Self {
            sides,
            course,
            separation: options.separation,
            enough: options.separation + delta,
            until: options.until,
            waiting: search::Queue::default(),
            instant: course.at(0.0),
            looks: [0; 2],
            coaxial: Coaxial::of(course),
            wholes: None,
        }
    }

    pub fn run(&mut self, meter: &mut Meter) -> Found {
        let root = [self.sides[0].root(), self.sides[1].root()];
        if (0..2).all(|i| self.sides[i].is_leaf(root[i])) {
            return self.single(root, meter);
        }
        self.waiting.add(0.0, root);
        let mut events = 0;
        let found = best_first(
            self,
            |queue| &mut queue.waiting,
            |queue, Waiting { bound: time, place: items }| {
                let stopped = meter.spend(1).is_break();
                events += 1;
                if stopped || events > MOST_EVENTS || queue.waiting.len() > MOST_WAITING {
                    let reason = if stopped { StopReason::Budget } else { StopReason::Precision };
                    return ControlFlow::Break(Found::Undecided { free_until: time, reason });
                }
                if events == LONG && queue.turn_past_each_other() {
                    return ControlFlow::Break(Found::Free);
                }
                queue.look_at(time, items, events, meter)
            },
        );
        found.unwrap_or(Found::Free)
    }

    /// Looks at a pair of pieces as it lies at a time.
    fn look_at(&mut self, time: f64, items: [Item; 2], events: u64, meter: &mut Meter) -> ControlFlow<Found> {
        if self.turns_past(items) {
            return ControlFlow::Continue(());
        }
        let is_later = self.instant.time != time;
        if is_later {
            self.instant = self.course.at(time);
        }
        let leaves = [0, 1].map(|i| self.sides[i].is_leaf(items[i]));
        if leaves == [true, true] {
            meter.count_triangles(1);
            match self.meet(items, &mut GjkMemory::default()) {
                Step::Later(bound) => self.waiting.add(bound, items),
                Step::Never => {}
                Step::End(found) => return ControlFlow::Break(found),
            }
        } else {
            let pieces = [0, 1].map(|i| self.sides[i].piece(items[i]));
            if !(is_later && self.is_worth_a_look(events) && self.waits_again(items, &pieces)) {
                self.open(items, leaves, &pieces);
            }
        }
        ControlFlow::Continue(())
    }

    /// Two bodies of one piece each: the same without a queue, and with a memory.
    fn single(&mut self, items: [Item; 2], meter: &mut Meter) -> Found {
        let mut memory = GjkMemory::NONE;
        if self.turns_past(items) {
            return Found::Free;
        }
        for _ in 0..MOST_EVENTS {
            let free_until = self.instant.time;
            if meter.spend(1).is_break() {
                return Found::Undecided { free_until, reason: StopReason::Budget };
            }
            match self.meet(items, &mut memory) {
                Step::Later(time) => self.instant = self.course.at(time),
                Step::Never => return Found::Free,
                Step::End(found) => return found,
            }
        }
        Found::Undecided { free_until: self.instant.time, reason: StopReason::Precision }
    }

    /// Whether pieces of bodies that turn about one line never meet.
    fn turns_past(&self, items: [Item; 2]) -> bool {
        let Some(coaxial) = &self.coaxial else { return false };
        let profile = |i: usize| Some(coaxial.profile(i, &self.sides[i].piece(items[i])?));
        let (Some(a), Some(b)) = (profile(0), profile(1)) else { return false };
        let apart = |a: &Profile, b: &Profile| coaxial.apart(a, b, self.separation);
        apart(&a, &b) || self.wholes.is_some_and(|[all_a, all_b]| apart(&a, &all_b) || apart(&all_a, &b))
    }

    /// The same of the whole bodies, from all of their pieces: for when the search is a long one.
    fn turn_past_each_other(&mut self) -> bool {
        let Some(coaxial) = self.coaxial else { return false };
        let wholes = [0, 1].map(|i| {
            let mut whole = Profile::NONE;
            self.sides[i].each(|piece| whole = whole.union(&coaxial.profile(i, piece)));
            whole
        });
        self.wholes = Some(wholes);
        coaxial.apart(&wholes[0], &wholes[1], self.separation)
    }

    /// Tests two pieces that are no bounds.
    fn meet(&self, items: [Item; 2], memory: &mut GjkMemory) -> Step {
        let [Some(a), Some(b)] = [0, 1].map(|i| self.sides[i].piece(items[i])) else { return Step::Never };
        let instant = &self.instant;
        if let Some(step) = self.fly(&a, &b) {
            return step;
        }
        let near = nearest(instant, &a, &b, self.separation, memory);
        if near.upper <= self.enough {
            let later = overlap(self.course, instant, &near, [&a, &b], self.separation);
            let contact = Contact { time: instant.time, later, items, near, instant: *instant };
            return Step::End(Found::Contact(Box::new(contact)));
        }
        let left = self.until - instant.time;
        let step =
            near.gap.map_or(0.0, |gap| Facing::new(instant, &a, &b).free_time(&gap, self.separation, left));
        if step >= left {
            return Step::Never;
        }
        let next = (instant.time + step).next_down();
        if next > instant.time { Step::Later(next) } else { self.stuck(items, [&a, &b]) }
    }

    /// What becomes of two convex pieces that do not turn, by a ray against their difference; none where they are in
    /// contact now, or the ray finds no way.
    fn fly(&self, a: &Piece, b: &Piece) -> Option<Step> {
        let (now, left) = (self.instant.time, self.until - self.instant.time);
        match ray(&self.instant, [a, b], left, [self.separation, self.enough - self.separation])? {
            CastOutcome::Free => Some(Step::Never),
            CastOutcome::Contact { time, .. } | CastOutcome::Undecided(time) => {
                let next = (now + time).next_down();
                (next > now).then_some(Step::Later(next))
            }
        }
    }

    /// Whether to look at pairs of bounds again before they are opened: always while one look in five wins
    /// time, else now and then.
    fn is_worth_a_look(&self, event: u64) -> bool {
        let [won, all] = self.looks;
        all < 16 || 5 * won >= all || event.is_multiple_of(8)
    }

    /// Whether a pair of bounds, as they lie now, is free for much longer; then it waits again. Bodies that
    /// turn past each other come near in few of their pieces at a time.
    fn waits_again(&mut self, items: [Item; 2], pieces: &[Option<Piece>; 2]) -> bool {
        let [Some(a), Some(b)] = pieces else { return false };
        let left = self.until - self.instant.time;
        let facing = Facing::new(&self.instant, a, b);
        let step = apart(&facing, self.separation)
            .map_or(0.0, |gap| facing.rough_free_time(&gap, self.separation, left));
        self.looks[1] += 1;
        if step < WORTH_WAITING * left {
            return false;
        }
        self.looks[0] += 1;
        self.wait(items, 0, items[0], step);
        true
    }

    /// Replaces a pair by those one step below the larger of its bounds.
    fn open(&mut self, items: [Item; 2], leaves: [bool; 2], pieces: &[Option<Piece>; 2]) {
        let size = |i: usize| pieces[i].map_or(f64::INFINITY, |piece| piece.ball().1);
        let side = if leaves[0] || (!leaves[1] && size(1) > size(0)) { 1 } else { 0 };
        let other = pieces[1 - side];
        // What goes straight is as good as its box where there are many.
        let straight = (0..2).all(|i| self.instant.is_straight(i));
        let boxed = self.sides[1 - side].boxed(items[1 - side]).filter(|_| straight).or(other);
        if !boxed.is_some_and(|boxed| self.open_eight(items, side, &boxed)) {
            self.open_each(items, side, other.as_ref());
        }
    }

    /// Puts a pair in line whose item of a side is replaced, unless it is free until the end.
    #[inline]
    fn wait(&mut self, mut place: [Item; 2], side: usize, child: Item, step: f64) {
        let now = self.instant.time;
        if step.is_nan() || step < self.until - now {
            place[side] = child;
            let bound = if step > 0.0 { (now + step).next_down().max(now) } else { now };
            self.waiting.add(bound, place);
        }
    }

    /// Opens the boxes of a tree eight at a time, if the piece of the other body is one for that.
    fn open_eight(&mut self, items: [Item; 2], side: usize, other: &Piece) -> bool {
        let Some(ahead) = Ahead::new(&self.instant, side, other, self.separation) else { return false };
        let (sides, left) = (self.sides, self.until - self.instant.time);
        sides[side].open_eight(items[side], |children, boxes| {
            let free = ahead.free_times(boxes, left);
            children.iter().zip(free).for_each(|(child, step)| self.wait(items, side, *child, step));
        })
    }

    /// Opens an item of any kind.
    fn open_each(&mut self, items: [Item; 2], side: usize, other: Option<&Piece>) {
        let (sides, instant, left) = (self.sides, self.instant, self.until - self.instant.time);
        let separation = self.separation;
        let facing = other.map(|other| Facing::new(&instant, other, other));
        sides[side].open(items[side], |child| {
            let step = match (sides[side].piece(child), &facing) {
                (Some(piece), Some(facing)) => {
                    let facing = facing.with(side, &piece);
                    apart(&facing, separation)
                        .map_or(0.0, |gap| facing.rough_free_time(&gap, separation, left))
                }
                _ => 0.0,
            };
            self.wait(items, side, child, step);
        });
    }

    /// Two pieces apart by so little beyond what counts as contact that no time is certainly free of it:
    /// contact, if there is any at a time just later.
    fn stuck(&self, items: [Item; 2], [a, b]: [&Piece; 2]) -> Step {
        let now = self.instant.time;
        let mut step = (self.until * f64::EPSILON).max(f64::MIN_POSITIVE);
        while now + step < self.until {
            let instant = self.course.at(now + step);
            let near = nearest(&instant, a, b, self.separation, &mut GjkMemory::default());
            if near.upper <= self.enough {
                let contact = Contact { time: now, later: now + step, items, near, instant };
                return Step::End(Found::Contact(Box::new(contact)));
            }
            step *= 4.0;
        }
        Step::End(Found::Undecided { free_until: now, reason: StopReason::Precision })
    }
}

/// What becomes of a pair.
enum Step {
    /// It is free until this time.
    Later(f64),
    /// It is free until the end.
    Never,
    End(Found),
}

/// A time soon after the instant, until the end, at which two pieces that are about to touch do; the
/// instant's, if none is found.
///
/// They meet where the gap closes at its present rate, or a little later; within rounding is enough.
pub(super) fn overlap(
    course: &Course,
    instant: &Instant,
    near: &NearestPoints,
    [a, b]: [&Piece; 2],
    separation: f64,
) -> f64 {
    let now = instant.time;
    let normal = near.normal.or_else(|| unit(near.b - near.a));
    let Some(normal) = normal.filter(|_| near.upper > separation) else { return now };
    let (rate, slack) = (instant.closing(near.a, near.b, normal), course.slack);
    // Things without thickness may be through each other soon after.
    let (first, more) = ((near.upper - separation) / rate * (1.0 + 1e-9), 2.0 * slack / rate);
    if first.is_nan() || first <= 0.0 {
        return now;
    }
    for step in [first, first + more, 1.5 * first + more, 2.5 * first + more, 5.0 * first + more] {
        let time = (now + step).min(course.until);
        let then = nearest(&course.at(time), a, b, separation, &mut GjkMemory::default());
        if then.upper <= separation + slack {
            return time;
        }
    }
    now
}

/// The direction in which two pieces that touch at a time were apart at the last time before it at which they
/// certainly were.
pub(super) fn normal_before(
    course: &Course,
    time: f64,
    [a, b]: [&Piece; 2],
    separation: f64,
) -> Option<DVec3> {
    let mut step = (course.until * f64::EPSILON).max(f64::MIN_POSITIVE);
    while step < time {
        let instant = course.at(time - step);
        let near = nearest(&instant, a, b, separation, &mut GjkMemory::default());
        if near.normal.is_some() {
            return near.normal;
        }
        step *= 4.0;
    }
    None
}
