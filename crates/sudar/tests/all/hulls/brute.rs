//! Hulls of points with small whole coordinates, by definition: all planes through three of them that have no point
//! above, and on each plane all lines through two that have no point to the right. Nothing is rounded.

use std::collections::BTreeSet;
use sudar_testing::whole::{cross, dot, minus};

pub type Point = [i64; 3];

/// A hull in the form that the library documents.
pub struct Expected {
    pub dimension: usize,
    pub vertices: Vec<u32>,
    pub loops: Vec<Vec<u32>>,
}

pub fn hull(points: &[Point]) -> Expected {
    // The first of equals stands for all.
    let distinct: Vec<u32> =
        (0..points.len() as u32).filter(|&i| !points[..i as usize].contains(&points[i as usize])).collect();
    let mut planes = BTreeSet::new();
    let mut spans_plane = false;
    for (n, &i) in distinct.iter().enumerate() {
        for (m, &j) in distinct.iter().enumerate().skip(n + 1) {
            for &k in &distinct[m + 1..] {
                let [a, b, c] = [i, j, k].map(|i| points[i as usize]);
                let normal = cross(minus(b, a), minus(c, a));
                if normal == [0; 3] {
                    continue;
                }
                spans_plane = true;
                let height = |&p: &u32| dot(normal, minus(points[p as usize], a));
                let on: Vec<u32> = distinct.iter().copied().filter(|p| height(p) == 0).collect();
                if distinct.iter().all(|p| height(p) <= 0) {
                    planes.insert(around(points, &on, normal));
                }
                if distinct.iter().all(|p| height(p) >= 0) {
                    planes.insert(around(points, &on, minus([0; 3], normal)));
                }
            }
        }
    }
    let loops: Vec<Vec<u32>> = planes.into_iter().collect();
    let mut vertices: BTreeSet<u32> = loops.iter().flatten().copied().collect();
    let flat = loops.len() == 2;
    let dimension = match distinct.len() {
        1 => 0,
        _ if !spans_plane => 1,
        _ => 3 - usize::from(flat),
    };
    if dimension < 2 {
        let place = |i: &&u32| points[**i as usize];
        vertices.extend(distinct.iter().min_by_key(place));
        vertices.extend(distinct.iter().max_by_key(place));
    }
    Expected { dimension, vertices: vertices.into_iter().collect(), loops }
}

/// The corners of the polygon around points of a plane, counter-clockwise seen from where the normal points.
fn around(points: &[Point], on: &[u32], normal: Point) -> Vec<u32> {
    let at = |i: u32| points[i as usize];
    let is_side = |u: u32, v: u32| {
        on.iter().all(|&w| {
            let (along, to) = (minus(at(v), at(u)), minus(at(w), at(u)));
            let left = dot(normal, cross(along, to));
            left > 0 || (left == 0 && (0..=dot(along, along)).contains(&dot(along, to)))
        })
    };
    let next = |u: u32| on.iter().copied().find(|&v| v != u && is_side(u, v));
    let first = on.iter().copied().find(|&u| next(u).is_some()).unwrap();
    let mut corners = vec![first];
    loop {
        match next(*corners.last().unwrap()).unwrap() {
            back if back == first => return corners,
            corner => corners.push(corner),
        }
    }
}
