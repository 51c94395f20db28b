//! Hulls of points that lie on a plane, on a line, or all in one place.

use glam::{DVec2, DVec3};

use crate::math::{Sign, orient2d};
use crate::shape::{HalfEdge, Hull, projection};

/// The hull of equal points.
pub(super) fn point(points: &[DVec3]) -> Hull {
    Hull {
        vertices: points[..1].to_vec(),
        sources: vec![0],
        half_edges: Vec::new(),
        faces: Vec::new(),
        dimension: 0,
    }
}

/// The hull of collinear points, not all equal: along a line, the order by coordinates is the order of the points.
pub(super) fn segment(points: &[DVec3]) -> Hull {
    let before = |p: DVec3, q: DVec3| p.to_array() < q.to_array();
    let (mut first, mut last) = (0, 0);
    for (i, &p) in points.iter().enumerate() {
        if before(p, points[first]) {
            first = i;
        }
        if before(points[last], p) {
            last = i;
        }
    }
    let ends = [first.min(last), first.max(last)];
    Hull {
        vertices: ends.map(|i| points[i]).to_vec(),
        sources: ends.map(|i| i as u32).to_vec(),
        half_edges: Vec::new(),
        faces: Vec::new(),
        dimension: 1,
    }
}

/// The hull of coplanar points, of which these three are not collinear: that of their shadows along an axis in which
/// the three are not collinear either, for then no two points have the same shadow.
pub(super) fn polygon(points: &[DVec3], three: [u32; 3]) -> Hull {
    let shadow = projection(three.map(|i| points[i as usize]));
    let around = loop_around(points, shadow);
    let mut sources = around.clone();
    sources.sort_unstable();
    let rank = |i: &u32| sources.partition_point(|s| s < i) as u32;
    let mut front: Vec<u32> = around.iter().map(rank).collect();
    // Source indices ascend, so the smallest vertex is 0.
    let first = front.iter().position(|&v| v == 0).unwrap_or(0);
    front.rotate_left(first);
    let mut back = front.clone();
    back[1..].reverse();
    let sides = if front < back { [front, back] } else { [back, front] };
    let vertices = sources.iter().map(|&i| points[i as usize]).collect();
    Hull {
        vertices,
        sources,
        half_edges: two_sided(&sides),
        faces: vec![0, around.len() as u32],
        dimension: 2,
    }
}

/// The half-edges of a polygon with two sides. Edge k of the front, from vertex k to k + 1, is edge n − 1 − k of the
/// back, which starts with the same vertex.
fn two_sided([front, back]: &[Vec<u32>; 2]) -> Vec<HalfEdge> {
    let n = front.len() as u32;
    let side = |vertices: &[u32], face: u32| {
        let edge = |(k, &origin): (usize, &u32)| {
            let k = k as u32;
            HalfEdge { origin, twin: n * (1 - face) + (n - 1 - k), next: n * face + (k + 1) % n, face }
        };
        vertices.iter().enumerate().map(edge).collect::<Vec<_>>()
    };
    [side(front, 0), side(back, 1)].concat()
}

/// The extreme points counter-clockwise, by Andrew's monotone chain (Andrew 1979, "Another efficient algorithm for
/// convex hulls in two dimensions").
fn loop_around(points: &[DVec3], shadow: fn(DVec3) -> DVec2) -> Vec<u32> {
    let at = |i: u32| shadow(points[i as usize]);
    let mut order: Vec<u32> = (0..points.len() as u32).collect();
    let key = |i: &u32| [at(*i).x + 0.0, at(*i).y + 0.0];
    order.sort_unstable_by(|i, j| {
        let (p, q) = (key(i), key(j));
        p[0].total_cmp(&q[0]).then(p[1].total_cmp(&q[1])).then(i.cmp(j))
    });
    order.dedup_by(|later, first| at(*later) == at(*first));
    let mut around = half(order.iter().copied(), at);
    around.extend(half(order.iter().rev().copied(), at));
    around
}

/// The right half of the loop without its last point, in the order of the points.
fn half(order: impl Iterator<Item = u32>, at: impl Fn(u32) -> DVec2) -> Vec<u32> {
    let mut chain: Vec<u32> = Vec::new();
    for i in order {
        while let [.., p, q] = *chain
            && orient2d(at(p), at(q), at(i)) != Sign::Positive
        {
            chain.pop();
        }
        chain.push(i);
    }
    chain.pop();
    chain
}
