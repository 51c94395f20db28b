//! Where triangles of different solids meet.

use num_bigint::BigInt;
use sudar::math::Sign;

use super::facet::Facet;
use super::points::{Flat, Points, Whole};

/// What other triangles make on each triangle.
#[derive(Debug, Default)]
pub(super) struct Meetings {
    /// Segments, and points as segments without a length.
    segments: Vec<Vec<[u32; 2]>>,
    /// Triangles in the same plane, and whether they face the same way.
    in_plane: Vec<Vec<(usize, bool)>>,
}

impl Meetings {
    pub fn segments(&self, facet: usize) -> &[[u32; 2]] {
        &self.segments[facet]
    }

    pub fn in_plane(&self, facet: usize) -> impl Iterator<Item = (usize, bool)> {
        self.in_plane[facet].iter().copied()
    }

    fn add(&mut self, facet: usize, segment: [u32; 2]) {
        if !self.segments[facet].contains(&segment) {
            self.segments[facet].push(segment);
        }
    }
}

/// All that triangles of different solids have in common. `None` beyond the steps that are left.
pub(super) fn meetings(points: &mut Points, facets: &[Facet], steps: &mut u64) -> Option<Meetings> {
    let mut found =
        Meetings { segments: vec![Vec::new(); facets.len()], in_plane: vec![Vec::new(); facets.len()] };
    let bounds: Vec<[Whole; 2]> = facets.iter().map(|facet| bounds(&facet.whole)).collect();
    let mut order: Vec<usize> = (0..facets.len()).filter(|&i| !facets[i].plane.is_flat()).collect();
    order.sort_by_key(|&i| (bounds[i][0][0], i));
    for (rank, &i) in order.iter().enumerate() {
        for &j in order[rank + 1..].iter().take_while(|&&j| bounds[j][0][0] <= bounds[i][1][0]) {
            *steps = steps.checked_sub(1)?;
            let is_near =
                (1..3).all(|k| bounds[i][0][k] <= bounds[j][1][k] && bounds[j][0][k] <= bounds[i][1][k]);
            if is_near && facets[i].solid != facets[j].solid {
                *steps = steps.checked_sub(10)?;
                meet(points, facets, [i.min(j), i.max(j)], &mut found);
            }
        }
    }
    Some(found)
}

fn bounds(corners: &[Whole; 3]) -> [Whole; 2] {
    let [a, b, c] = corners;
    [[0, 1, 2].map(|i| a[i].min(b[i]).min(c[i])), [0, 1, 2].map(|i| a[i].max(b[i]).max(c[i]))]
}

fn meet(points: &mut Points, facets: &[Facet], [i, j]: [usize; 2], found: &mut Meetings) {
    let (s, t) = (&facets[i], &facets[j]);
    let (at_s, at_t) = (t.whole.map(|p| s.plane.at(p)), s.whole.map(|p| t.plane.at(p)));
    let is_beside = |at: [i128; 3]| at.iter().all(|x| *x > 0) || at.iter().all(|x| *x < 0);
    if is_beside(at_s) || is_beside(at_t) {
        return;
    }
    if at_s == [0; 3] {
        in_one_plane(points, facets, [i, j], found);
        return;
    }
    let mut ends: Vec<u32> = Vec::new();
    for (edges_of, at, of) in [(t, at_s, s), (s, at_t, t)] {
        for p in on_plane(points, edges_of, at) {
            if !ends.contains(&p) && is_in(points, of, p) {
                ends.push(p);
            }
        }
    }
    // A point alone may be one at which the neighbours have to be cut.
    if let (Some(&p), Some(&q)) = (ends.first(), ends.last()) {
        let segment = [p.min(q), p.max(q)];
        found.add(i, segment);
        found.add(j, segment);
    }
}

/// Where the edges of a triangle go through a plane at which its corners have these values, or end on it.
fn on_plane(points: &mut Points, t: &Facet, at: [i128; 3]) -> Vec<u32> {
    let mut found: Vec<u32> = (0..3).filter(|&k| at[k] == 0).map(|k| t.corners[k]).collect();
    for (k, l) in [(0, 1), (1, 2), (2, 0)] {
        if (at[k] > 0 && at[l] < 0) || (at[k] < 0 && at[l] > 0) {
            // From the lower number, so that both triangles of an edge compute the same.
            let (k, l) = if t.corners[k] < t.corners[l] { (k, l) } else { (l, k) };
            let [at_k, at_l] = [at[k], at[l]].map(BigInt::from);
            found.push(points.between((t.corners[k], &at_k), (t.corners[l], &at_l)));
        }
    }
    found
}

/// Whether a point of the plane of a triangle is in it.
fn is_in(points: &Points, t: &Facet, p: u32) -> bool {
    let flat = t.flat();
    let [a, b, c] = t.corners;
    [[a, b], [b, c], [c, a]].into_iter().all(|[a, b]| points.orient(flat, a, b, p) != Sign::Negative)
}

/// Two triangles in one plane: the edges of each, as far as they are in the other.
fn in_one_plane(points: &mut Points, facets: &[Facet], [i, j]: [usize; 2], found: &mut Meetings) {
    let axis = (0..3).max_by_key(|&k| facets[i].plane.normal[k].abs()).unwrap_or(2);
    let same = (facets[i].plane.normal[axis] > 0) == (facets[j].plane.normal[axis] > 0);
    found.in_plane[i].push((j, same));
    found.in_plane[j].push((i, same));
    for (s, t) in [(i, j), (j, i)] {
        let [a, b, c] = facets[t].corners;
        for edge in [[a, b], [b, c], [c, a]] {
            if let Some(segment) = inner_part(points, &facets[s], edge) {
                found.add(s, segment);
                // Both know it, since the neighbours of either may have it as an edge.
                found.add(t, segment);
            }
        }
    }
}

/// The part of a segment in the plane of a triangle that is in it.
fn inner_part(points: &mut Points, t: &Facet, [p, q]: [u32; 2]) -> Option<[u32; 2]> {
    let flat = t.flat();
    let mut ends: Vec<u32> = [p, q].into_iter().filter(|&p| is_in(points, t, p)).collect();
    let [a, b, c] = t.corners;
    for [u, v] in [[a, b], [b, c], [c, a]] {
        ends.extend(crossing(points, flat, [p, q], [u, v]));
    }
    let axis = (0..3).find(|&axis| points.compare(axis, p, q) != std::cmp::Ordering::Equal)?;
    ends.sort_by(|&a, &b| points.compare(axis, a, b));
    let (&first, &last) = (ends.first()?, ends.last()?);
    Some([first.min(last), first.max(last)])
}

/// The points that two segments in one plane have in common: where they cross, or the ends of the second that are on
/// the first.
fn crossing(points: &mut Points, flat: Flat, [p, q]: [u32; 2], [u, v]: [u32; 2]) -> Vec<u32> {
    use Sign::Zero;
    let [at_u, at_v] = [u, v].map(|x| points.orient(flat, p, q, x));
    let [at_p, at_q] = [p, q].map(|x| points.orient(flat, u, v, x));
    if [at_u, at_v].contains(&Zero) {
        let between = |x: &u32| {
            let [first, second] = [[p, q], [q, p]].map(|[from, to]| beyond(points, from, to, *x));
            !first && !second
        };
        let on = [(u, at_u), (v, at_v)].into_iter().filter(|(_, sign)| *sign == Zero).map(|(x, _)| x);
        return on.filter(between).collect();
    }
    if at_u == at_v || at_p == at_q || [at_p, at_q].contains(&Zero) {
        return Vec::new();
    }
    let [d_p, d_q] = [p, q].map(|x| points.determinant(flat, u, v, x));
    vec![points.between((p, &d_p), (q, &d_q))]
}

/// Whether a point of the line through two others is beyond the second.
fn beyond(points: &Points, from: u32, to: u32, p: u32) -> bool {
    use std::cmp::Ordering::Equal;
    let axis = (0..3).find(|&axis| points.compare(axis, from, to) != Equal);
    axis.is_some_and(|axis| {
        let way = points.compare(axis, from, to);
        points.compare(axis, to, p) == way
    })
}
