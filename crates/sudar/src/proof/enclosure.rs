//! Does one body lie inside the other, whose surface it does not meet?

use std::collections::HashMap;

use super::membership::{Located, located};
use super::placed::{Form, Placed};

/// Whether some part of `inner` may lie in a solid of `outer`. The surfaces are known not to meet, so that
/// each connected part is wholly inside or wholly outside, and one of its points decides which. A half-space is
/// never inside.
pub(super) fn may_hold(outer: &Placed, inner: &Placed) -> bool {
    if outer.solids().is_empty() {
        return false;
    }
    let pieces = first_of_each_part(inner);
    outer.solids().iter().any(|solid| {
        let bounds = bounds(outer, solid.clone());
        pieces.iter().any(|&i| {
            inner.corners(i).next().is_some_and(|p| {
                (bounds[0].cmple(p).all() && bounds[1].cmpge(p).all())
                    && located(p, outer, solid) != Located::Outside
            })
        })
    })
}

fn bounds(body: &Placed, pieces: std::ops::Range<u32>) -> [glam::DVec3; 2] {
    let start = [glam::DVec3::INFINITY, glam::DVec3::NEG_INFINITY];
    pieces.flat_map(|i| body.corners(i)).fold(start, |[low, high], p| [low.min(p), high.max(p)])
}

/// A piece of each set of pieces that hang together by corners of equal position.
fn first_of_each_part(body: &Placed) -> Vec<u32> {
    let mut parent: Vec<u32> = (0..body.points().len() as u32).collect();
    let mut first_at = HashMap::new();
    for (i, p) in body.points().iter().enumerate() {
        // Adding zero makes −0 and 0 the same.
        let key = (*p + glam::DVec3::ZERO).to_array().map(f64::to_bits);
        parent[i] = *first_at.entry(key).or_insert(i as u32);
    }
    for piece in 0..body.count() {
        for pair in body.corner_numbers(piece).windows(2) {
            let (i, j) = (root(&mut parent, pair[0]), root(&mut parent, pair[1]));
            parent[i.max(j) as usize] = i.min(j);
        }
    }
    let mut seen = vec![false; parent.len()];
    let has_corners = |&i: &u32| !matches!(body.form(i), Form::Halfspace { .. });
    let first = |&i: &u32| {
        let part = root(&mut parent, body.corner_numbers(i)[0]) as usize;
        !std::mem::replace(&mut seen[part], true)
    };
    (0..body.count()).filter(has_corners).filter(first).collect()
}

/// The representative of a set, with the way to it halved.
fn root(parent: &mut [u32], mut i: u32) -> u32 {
    while parent[i as usize] != i {
        parent[i as usize] = parent[parent[i as usize] as usize];
        i = parent[i as usize];
    }
    i
}
