//! Triangles without an area: their corners stand on edges of others, which are cut there, so that they can be left out
//! and what is closed stays closed.

use std::collections::{BTreeMap, BTreeSet};

use super::facet::{Facet, root};
use super::points::Points;

/// The points on edges of triangles without an area, by solid and ends of the edge.
pub(super) struct Lines(BTreeMap<(usize, u32, u32), Vec<u32>>);

impl Lines {
    pub fn new(points: &Points, facets: &[Facet]) -> Self {
        let flat: Vec<&Facet> = facets.iter().filter(|facet| facet.plane.is_flat()).collect();
        let mut on_edges: BTreeMap<(usize, u32, u32), Vec<usize>> = BTreeMap::new();
        for (number, facet) in flat.iter().enumerate() {
            for edge in edges(facet) {
                on_edges.entry(edge).or_default().push(number);
            }
        }
        let mut sets: Vec<usize> = (0..flat.len()).collect();
        for facets in on_edges.values() {
            for pair in facets.windows(2) {
                let (i, j) = (root(&mut sets, pair[0]), root(&mut sets, pair[1]));
                sets[i.max(j)] = i.min(j);
            }
        }
        let mut corners: BTreeMap<usize, BTreeSet<u32>> = BTreeMap::new();
        for (number, facet) in flat.iter().enumerate() {
            corners.entry(root(&mut sets, number)).or_default().extend(facet.corners);
        }
        let between = |(&(solid, a, b), facets): (&(usize, u32, u32), &Vec<usize>)| {
            let all = &corners[&root(&mut sets, facets[0])];
            let between = all.iter().copied().filter(|&p| is_between(points, a, b, p));
            ((solid, a, b), between.collect())
        };
        Self(on_edges.iter().map(between).collect())
    }

    /// Segments that end at the points on the edges of a triangle.
    pub fn segments(&self, facet: &Facet) -> Vec<[u32; 2]> {
        let on = |edge @ (_, a, _): (usize, u32, u32)| {
            self.0.get(&edge).into_iter().flatten().map(move |&p| [a.min(p), a.max(p)])
        };
        edges(facet).into_iter().flat_map(on).collect()
    }
}

fn edges(facet: &Facet) -> [(usize, u32, u32); 3] {
    let [a, b, c] = facet.corners;
    [(a, b), (b, c), (c, a)].map(|(p, q)| (facet.solid, p.min(q), p.max(q)))
}

/// Whether a point of the line through two others is strictly between them.
fn is_between(points: &Points, a: u32, b: u32, p: u32) -> bool {
    let axis = (0..3).find(|&axis| points.compare(axis, a, b).is_ne());
    axis.is_some_and(|axis| {
        let way = points.compare(axis, a, b);
        points.compare(axis, a, p) == way && points.compare(axis, p, b) == way
    })
}
