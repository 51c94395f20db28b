//! Traversal of two trees at once for pairs of leaves, nearest boxes first: by the boxes along the axes, and
//! by oriented ones where those separate little.

use std::ops::ControlFlow;

use glam::DVec3;

use super::candidates::Bodies;
use super::frame_pair::{FrameBox, FramePair};
use crate::effort::Meter;
use crate::math::power_of_two;
use crate::search::{Queue, Waiting, best_first};
use crate::tree::distance::obb_pair::{Layered, ObbPair, Pair};
use crate::tree::wide::{WideNode, WideTree};

/// A child of a tree: its node's number and slot.
type Place = (u32, usize);

/// Shows the visitor pairs of leaves, those with the nearest boxes first, while they may be nearer than `upper`.
/// The visitor returns the new upper bound on the distance. Returns a number, above the last upper bound, that the
/// distance of every pair of triangles not shown does not fall below; it is no more than the upper bound if the meter
/// ended the traversal.
pub fn visit_nearest_pairs(
    bodies: &Bodies,
    mut upper: f64,
    meter: &mut Meter,
    mut visitor: impl FnMut(&[u32], &[u32]) -> f64,
) -> f64 {
    let mut frames = Frames::new(bodies);
    let mut steps = 0;
    let mut queue = Queue::default();
    for a in children(bodies.a, 0) {
        for b in children(bodies.b, 0) {
            frames.push(a, b, upper, &mut queue);
        }
    }
    let ended = best_first(
        &mut queue,
        |queue| queue,
        |queue, Waiting { bound, place: (a, b) }| {
            if bound > upper || meter.spend(1).is_break() {
                return ControlFlow::Break(bound.min(f64::MAX));
            }
            steps += 1;
            if steps >= PATIENCE && queue.len() >= steps && frames.tight.is_none() {
                frames.tight = Some(tight(bodies));
            }
            if frames.tight_bound(a, b) > upper {
                return ControlFlow::Continue(());
            }
            let ((node_a, slot_a), (node_b, slot_b)) = (at(bodies.a, a), at(bodies.b, b));
            let (count_a, count_b) = (node_a.count[slot_a], node_b.count[slot_b]);
            let larger_a = size(node_a, slot_a) / frames.unit_a >= size(node_b, slot_b) / frames.unit_b;
            if count_a > 0 && count_b > 0 {
                let (a, b) = (
                    bodies.a.leaf(node_a.first[slot_a], count_a),
                    bodies.b.leaf(node_b.first[slot_b], count_b),
                );
                upper = visitor(a, b).min(upper);
            } else if count_b > 0 || (count_a == 0 && larger_a) {
                children(bodies.a, node_a.first[slot_a]).for_each(|a| frames.push(a, b, upper, queue));
            } else {
                children(bodies.b, node_b.first[slot_b]).for_each(|b| frames.push(a, b, upper, queue));
            }
            ControlFlow::Continue(())
        },
    );
    ended.unwrap_or(upper.next_up())
}

/// Oriented boxes, which may have to be fitted first, are used after so many steps at the earliest, and only
/// if more pairs wait then than were opened.
const PATIENCE: usize = 256;

#[cold]
fn tight<'a>(bodies: &Bodies<'a>) -> ObbPair<'a> {
    let Bodies { a, pose_a, b, pose_b } = *bodies;
    let layered = |tree: &'a WideTree, pose| Layered { tree, boxes: tree.oriented(), pose };
    ObbPair::new(layered(a, pose_a), layered(b, pose_b)).with_edges()
}

fn children(tree: &WideTree, node: u32) -> impl Iterator<Item = Place> {
    let half = tree.nodes[node as usize].half[0];
    (0..8).filter(move |&slot| half[slot] >= 0.0).map(move |slot| (node, slot))
}

fn at(tree: &WideTree, (node, slot): Place) -> (&WideNode, usize) {
    (&tree.nodes[node as usize], slot)
}

fn size(node: &WideNode, slot: usize) -> f64 {
    (0..3).map(|k| f64::from(node.half[k][slot])).fold(0.0, f64::max)
}

/// The frames of both trees, and their oriented boxes once they are used.
struct Frames<'a> {
    bodies: &'a Bodies<'a>,
    pair: FramePair,
    unit_a: f64,
    unit_b: f64,
    tight: Option<ObbPair<'a>>,
}

impl<'a> Frames<'a> {
    fn new(bodies: &'a Bodies<'a>) -> Self {
        let Bodies { a, pose_a, b, pose_b } = *bodies;
        Self {
            bodies,
            pair: FramePair::new(
                [(pose_a, a.frame.origin), (pose_b, b.frame.origin)],
                a.frame.reach + b.frame.reach,
            ),
            unit_a: power_of_two(a.frame.exponent),
            unit_b: power_of_two(b.frame.exponent),
            tight: None,
        }
    }

    fn push(&self, a: Place, b: Place, upper: f64, queue: &mut Queue<Waiting<(Place, Place)>>) {
        let bound = self.bound(a, b);
        let bound = if bound <= upper { bound.max(self.tight_bound(a, b)) } else { bound };
        if bound <= upper {
            queue.add(bound, (a, b));
        }
    }

    /// The same by the oriented boxes, if they are in use.
    fn tight_bound(&self, (node_a, slot_a): Place, (node_b, slot_b): Place) -> f64 {
        let pair = Pair { a: 8 * node_a + slot_a as u32, b: 8 * node_b + slot_b as u32 };
        self.tight.as_ref().map_or(0.0, |tight| tight.bound(pair).lower)
    }

    /// A lower bound on the distance of two boxes.
    fn bound(&self, a: Place, b: Place) -> f64 {
        self.pair.gap(boxed(self.bodies.a, a, self.unit_a), boxed(self.bodies.b, b, self.unit_b))
    }
}

fn boxed(tree: &WideTree, place: Place, unit: f64) -> FrameBox {
    let (node, slot) = at(tree, place);
    FrameBox { center: row(&node.center, slot) / unit, half: row(&node.half, slot) / unit }
}

fn row(rows: &[[f32; 8]; 3], slot: usize) -> DVec3 {
    DVec3::new(rows[0][slot].into(), rows[1][slot].into(), rows[2][slot].into())
}
