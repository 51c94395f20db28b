//! Which candidates go into one chunk.

use std::collections::{BTreeMap, HashSet};

use sudar::{Aabb, DVec3};

use super::chunk::Chunk;
use crate::candidates::Candidates;
use crate::options::ClashOptions;
use crate::outline::Outline;

/// When a chunk is full.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Beyond so many triangles of both parts of all pairs.
    pub work: usize,
    /// Beyond so many triangles of different meshes.
    pub held: usize,
}

impl Limits {
    /// So much work, and meshes that take with their trees some gigabyte.
    pub fn of(work: usize) -> Self {
        Self { work, held: 1 << 22 }
    }
}

/// A pair counts for so many triangles more than it has.
const PAIR: usize = 1 << 8;

/// The candidates in chunks, by the Morton order of where their boxes meet, so that a chunk needs few meshes
/// (G. M. Morton 1966, "A computer oriented geodetic data base and a new technique in file sequencing").
pub(super) fn chunks(
    candidates: &Candidates,
    outlines: &[Outline],
    options: &ClashOptions,
    scene: u128,
    limits: Limits,
) -> Vec<Chunk> {
    let all = outlines.iter().fold(Aabb::EMPTY, |all, outline| all.union(outline.bounds));
    let key = |[a, b]: [usize; 2]| morton(&all, between(&outlines[a].bounds, &outlines[b].bounds));
    let wanted = candidates.all().filter(|pair| !options.is_idle(*pair));
    let mut pairs: Vec<(u64, [usize; 2])> = wanted.map(|pair| (key(pair), pair)).collect();
    pairs.sort_unstable();
    let mut chunks = Vec::new();
    let mut open: Vec<[usize; 2]> = Vec::new();
    let (mut work, mut held, mut meshes) = (0usize, 0usize, HashSet::new());
    for (_, pair) in pairs {
        let triangles = pair.map(|i| outlines[i].triangles);
        if work >= limits.work || held >= limits.held {
            chunks.push(chunk(&open, options, scene));
            (work, held) = (0, 0);
            meshes.clear();
            open.clear();
        }
        open.push(pair);
        work = work.saturating_add(PAIR + triangles[0] + triangles[1]);
        for i in pair {
            held += if meshes.insert(outlines[i].mesh) { outlines[i].triangles } else { 0 };
        }
    }
    if !open.is_empty() {
        chunks.push(chunk(&open, options, scene));
    }
    chunks
}

/// A chunk of these pairs.
fn chunk(pairs: &[[usize; 2]], options: &ClashOptions, scene: u128) -> Chunk {
    let numbers: BTreeMap<usize, u32> = pairs.iter().flatten().map(|i| (*i, 0)).collect();
    let numbers: BTreeMap<usize, u32> = numbers.into_keys().zip(0..).collect();
    let parts = numbers.keys().map(|i| (*i as u32, options.deviation(*i))).collect();
    let mut pairs = pairs.to_vec();
    pairs.sort_unstable();
    let pairs =
        pairs.iter().map(|pair| (pair.map(|i| numbers[&i]), options.clearance_between(pair[0], pair[1])));
    Chunk { scene, depth: options.depth, touch: options.touch(), parts, pairs: pairs.collect() }
}

/// The middle of where two boxes meet, or of the gap between them.
fn between(a: &Aabb, b: &Aabb) -> DVec3 {
    a.min.max(b.min).midpoint(a.max.min(b.max))
}

/// The place of a point on the curve through a box of 2²¹ cells along each axis.
fn morton(all: &Aabb, p: DVec3) -> u64 {
    let size = all.extent().max_element();
    let cells = f64::from(1 << 21);
    let cell = |x: f64| if size > 0.0 { (x / size * cells).clamp(0.0, cells - 1.0) as u64 } else { 0 };
    let [x, y, z] = (p - all.min).to_array().map(cell);
    let bits = (0..21).map(|bit| {
        let bit_of = |x: u64, axis: u32| ((x >> bit) & 1) << (3 * bit + axis);
        bit_of(x, 0) | bit_of(y, 1) | bit_of(z, 2)
    });
    bits.fold(0, |key, bits| key | bits)
}
