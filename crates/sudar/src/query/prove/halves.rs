//! The pieces of a body in an order in which neighbours lie close together, halved again and again.

use glam::DVec3;

use crate::proof::{Form, Placed};

/// A body's pieces, ordered so that each [`Half`] is a compact part of it.
pub(super) struct Halves<'a> {
    pub body: &'a Placed,
    pub order: Vec<u32>,
    /// Lower and upper corner of the box around each half, by number; of unbounded pieces nothing.
    boxes: Vec<[DVec3; 2]>,
}

/// A range of the order. The halves of number k have numbers 2k and 2k + 1; the whole is 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Half {
    number: usize,
    pub from: u32,
    pub to: u32,
}

impl Half {
    pub fn count(self) -> u32 {
        self.to - self.from
    }

    /// Its two halves, if it has more than one piece.
    pub fn split(self) -> [Self; 2] {
        let middle = self.from + self.count() / 2;
        [
            Self { number: 2 * self.number, from: self.from, to: middle },
            Self { number: 2 * self.number + 1, from: middle, to: self.to },
        ]
    }
}

impl<'a> Halves<'a> {
    /// Halves at the median along the longest side of the box around the pieces' centres; O(n log n).
    pub fn new(body: &'a Placed) -> Self {
        let mut order: Vec<u32> = (0..body.count()).collect();
        let piece_boxes: Vec<_> = (0..body.count()).map(|i| piece_box(body, i)).collect();
        let centers: Vec<DVec3> = piece_boxes.iter().map(|[low, high]| center(*low, *high)).collect();
        arrange(&mut order, &centers);
        let mut halves = Self { body, boxes: vec![EMPTY; 4 * order.len().next_power_of_two()], order };
        halves.enclose(halves.whole(), &piece_boxes);
        halves
    }

    pub fn whole(&self) -> Half {
        Half { number: 1, from: 0, to: self.order.len() as u32 }
    }

    pub fn pieces(&self, half: Half) -> &[u32] {
        &self.order[half.from as usize..half.to as usize]
    }

    /// The box around a half.
    pub fn bounds(&self, half: Half) -> [DVec3; 2] {
        self.boxes[half.number]
    }

    /// Length of its diagonal.
    pub fn size(&self, half: Half) -> f64 {
        let [low, high] = self.bounds(half);
        (high - low).max(DVec3::ZERO).length()
    }

    fn enclose(&mut self, half: Half, pieces: &[[DVec3; 2]]) -> [DVec3; 2] {
        let around = if half.count() == 1 {
            pieces[self.order[half.from as usize] as usize]
        } else {
            let [[a, b], [c, d]] = half.split().map(|half| self.enclose(half, pieces));
            [a.min(c), b.max(d)]
        };
        self.boxes[half.number] = around;
        around
    }
}

const EMPTY: [DVec3; 2] = [DVec3::INFINITY, DVec3::NEG_INFINITY];

fn center(low: DVec3, high: DVec3) -> DVec3 {
    if low.cmple(high).all() { low + (high - low) * 0.5 } else { DVec3::ZERO }
}

fn piece_box(body: &Placed, i: u32) -> [DVec3; 2] {
    let around = body.corners(i).fold(EMPTY, |[low, high], p| [low.min(p), high.max(p)]);
    let by = match body.form(i) {
        Form::Hull { radius } => radius,
        Form::Round(round, _) => round.extent(),
        Form::Halfspace { .. } => return EMPTY,
    };
    [around[0] - by, around[1] + by]
}

fn arrange(order: &mut [u32], centers: &[DVec3]) {
    if order.len() < 2 {
        return;
    }
    let [low, high] =
        order.iter().map(|&i| centers[i as usize]).fold(EMPTY, |[low, high], p| [low.min(p), high.max(p)]);
    let axis = (high - low).max_position();
    let middle = order.len() / 2;
    let by_place = |i: &u32, j: &u32| {
        let place = |i: &u32| centers[*i as usize][axis];
        place(i).total_cmp(&place(j)).then(i.cmp(j))
    };
    order.select_nth_unstable_by(middle, by_place);
    let (left, right) = order.split_at_mut(middle);
    arrange(left, centers);
    arrange(right, centers);
}
