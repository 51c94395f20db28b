//! All minima of the distance of two small meshes by definition: what is less than h apart falls into connected pieces,
//! and as h grows, pieces appear and join. Every pair of a vertex, edge or triangle of one mesh and one of the other is
//! looked at, in exact arithmetic.

use std::collections::BTreeSet;

use super::exact::{Point, Ratio, squared_distance};

/// Triangles by their corners.
pub type Soup = Vec<[Point; 3]>;

/// Where a piece appears and where it joins one that was there before it; `None` if never. Squared distances.
#[derive(Debug, Clone, Copy)]
pub struct Piece {
    pub birth: Ratio,
    pub death: Option<Ratio>,
}

/// The different corners of vertices, edges and triangles, in order.
fn simplices(soup: &Soup) -> Vec<Vec<Point>> {
    let mut all = BTreeSet::new();
    for t in soup {
        for mask in 1..8 {
            let corners: BTreeSet<Point> = (0..3).filter(|i| mask >> i & 1 == 1).map(|i| t[i]).collect();
            all.insert(corners.into_iter().collect());
        }
    }
    all.into_iter().collect()
}

fn contains(outer: &[Point], inner: &[Point]) -> bool {
    inner.iter().all(|p| outer.contains(p))
}

/// For each simplex those that it is part of, itself included.
fn cofaces(all: &[Vec<Point>]) -> Vec<Vec<usize>> {
    let of = |inner: &Vec<Point>| (0..all.len()).filter(|&i| contains(&all[i], inner)).collect();
    all.iter().map(of).collect()
}

fn find(parent: &mut [usize], mut i: usize) -> usize {
    while parent[i] != i {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    i
}

/// Every piece that is there for a while.
pub fn pieces(a: &Soup, b: &Soup) -> Vec<Piece> {
    let (ours, theirs) = (simplices(a), simplices(b));
    let (above_a, above_b) = (cofaces(&ours), cofaces(&theirs));
    let number = |i: usize, j: usize| i * theirs.len() + j;
    let mut order: Vec<(Ratio, usize, usize, usize)> = Vec::new();
    for (i, s) in ours.iter().enumerate() {
        for (j, t) in theirs.iter().enumerate() {
            // Of pairs at the same distance those with more corners come first.
            order.push((squared_distance(s, t), 6 - s.len() - t.len(), i, j));
        }
    }
    order.sort();
    let mut parent: Vec<usize> = (0..ours.len() * theirs.len()).collect();
    let mut births: Vec<Option<Ratio>> = vec![None; parent.len()];
    let mut found = Vec::new();
    for &(height, _, i, j) in &order {
        births[number(i, j)] = Some(height);
        for &k in &above_a[i] {
            for &l in &above_b[j] {
                let (p, q) = (find(&mut parent, number(i, j)), find(&mut parent, number(k, l)));
                if p == q {
                    continue;
                }
                let (old, young) = if births[p] <= births[q] { (p, q) } else { (q, p) };
                parent[young] = old;
                // What a simplex is part of comes before it.
                let birth = births[young].unwrap();
                if birth < height {
                    found.push(Piece { birth, death: Some(height) });
                }
            }
        }
    }
    let roots = (0..parent.len()).filter(|&i| parent[i] == i);
    found.extend(roots.map(|i| Piece { birth: births[i].unwrap(), death: None }));
    found.sort_by_key(|piece| piece.birth);
    found
}
