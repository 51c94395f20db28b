//! The corners of a part and the triangles around them.

use std::collections::HashMap;

use sudar::query::{Body, contains};
use sudar::{DVec3, Pose, Solid};

use crate::depth::unit;

/// From the middle of a triangle one goes so far, relative to its size, to see on which side the inside is.
const HOP: f64 = 1e-6;

/// Which triangles meet at each corner of a closed surface; corners at one position are one.
#[derive(Debug)]
pub(crate) struct Corners {
    /// For each vertex the least one at its position.
    welded: Vec<u32>,
    /// Where the triangles around each vertex begin in `around`.
    starts: Vec<u32>,
    around: Vec<u32>,
    /// For each triangle its connected piece of the surface.
    pieces: Vec<u32>,
    /// For each piece whether its triangles are counter-clockwise from outside; empty if they do not agree.
    outward: Vec<bool>,
}

impl Corners {
    /// O(n), and a question for each piece of the surface.
    pub fn of(body: &Body) -> Option<Self> {
        let solid = body.solid()?;
        let mesh = solid.mesh();
        let mut least: HashMap<[u64; 3], u32> = HashMap::with_capacity(mesh.vertices().len());
        let key = |p: &DVec3| p.to_array().map(|x| (x + 0.0).to_bits());
        let welded: Vec<u32> =
            mesh.vertices().iter().zip(0..).map(|(p, i)| *least.entry(key(p)).or_insert(i)).collect();
        let mut starts = vec![0u32; welded.len() + 1];
        let corners = || mesh.triangles().iter().zip(0u32..).flat_map(|(t, i)| t.map(|v| (v, i)));
        for (v, _) in corners() {
            starts[welded[v as usize] as usize + 1] += 1;
        }
        for k in 1..starts.len() {
            starts[k] += starts[k - 1];
        }
        let (mut next, mut around) = (starts.clone(), vec![0; 3 * mesh.triangles().len()]);
        for (v, i) in corners() {
            let place = &mut next[welded[v as usize] as usize];
            around[*place as usize] = i;
            *place += 1;
        }
        Some(Self { welded, starts, around, pieces: solid.pieces().to_vec(), outward: outward(body, solid) })
    }

    /// Whether a triangle is counter-clockwise from outside; none if those around it do not agree.
    pub fn faces_outward(&self, triangle: u32) -> Option<bool> {
        self.outward.get(self.pieces[triangle as usize] as usize).copied()
    }

    /// The corner at a vertex.
    pub fn at(&self, vertex: u32) -> u32 {
        self.welded[vertex as usize]
    }

    /// The triangles around a corner.
    pub fn around(&self, corner: u32) -> &[u32] {
        let [from, to] = [0, 1].map(|k| self.starts[corner as usize + k] as usize);
        &self.around[from..to]
    }
}

/// For each piece whether its triangles face outward: the largest one is asked. A cavity may be turned either way, for
/// what is inside goes by how many surfaces are around it.
fn outward(body: &Body, solid: &Solid) -> Vec<bool> {
    if !solid.is_oriented() {
        return Vec::new();
    }
    let mesh = solid.mesh();
    let mut largest: Vec<(f64, u32)> = Vec::new();
    for (i, &piece) in (0..).zip(solid.pieces()) {
        let area = mesh.triangle(i).scaled_normal().abs().max_element();
        largest.resize(largest.len().max(piece as usize + 1), (-1.0, 0));
        if area > largest[piece as usize].0 {
            largest[piece as usize] = (area, i);
        }
    }
    let is_outward = |(_, i): (f64, u32)| {
        let triangle = mesh.triangle(i);
        let (area, [a, b, c]) = (triangle.scaled_normal(), triangle.corners());
        // A piece without area encloses nothing: either will do.
        let Some(normal) = unit(area) else { return true };
        // The root of twice the area has the size of the triangle.
        let hop = normal * (HOP * area.abs().max_element().sqrt());
        !contains(body.at(&Pose::IDENTITY), (a + b + c) / 3.0 + hop).unwrap_or(false)
    };
    largest.into_iter().map(is_outward).collect()
}
