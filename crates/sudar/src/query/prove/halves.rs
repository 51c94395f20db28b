//! The pieces of a body in an order in which neighbours lie close together, halved again and again.

use glam::DVec3;

use crate::proof::{Form, Placed, extent_of_round};
use crate::query::bodies::{Half, Halving};
use crate::shape::Aabb;

/// A body's pieces, ordered so that each [`Half`] is a compact part of it.
pub(super) struct Halves<'a> {
    pub body: &'a Placed,
    halving: Halving,
}

impl<'a> Halves<'a> {
    /// O(n log n).
    pub fn new(body: &'a Placed) -> Self {
        let boxes: Vec<Aabb> = (0..body.count()).map(|i| piece_box(body, i)).collect();
        Self { body, halving: Halving::new(&boxes) }
    }

    pub fn whole(&self) -> Half {
        self.halving.whole()
    }

    pub fn pieces(&self, half: Half) -> &[u32] {
        self.halving.numbers(half)
    }

    /// The box around a half; of unbounded pieces nothing.
    pub fn bounds(&self, half: Half) -> [DVec3; 2] {
        let Aabb { min, max } = *self.halving.bounds(half);
        [min, max]
    }

    /// Length of its diagonal.
    pub fn size(&self, half: Half) -> f64 {
        self.halving.bounds(half).extent().max(DVec3::ZERO).length()
    }

    /// All pieces in order.
    pub fn into_order(self) -> Vec<u32> {
        self.halving.into_order()
    }
}

fn piece_box(body: &Placed, i: u32) -> Aabb {
    let by = match body.form(i) {
        Form::Hull { radius } => radius,
        Form::Round(round, _) => extent_of_round(round),
        Form::Halfspace { .. } => return Aabb::EMPTY,
    };
    let Aabb { min, max } = Aabb::around(body.corners(i));
    Aabb { min: min - by, max: max + by }
}
