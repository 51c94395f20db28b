//! Sums over the triangles of a closed surface, four at a time.
//!
//! By the divergence theorem the integrals of 1, x and x² over the inside are sums over the tetrahedra
//! between an origin and the triangles (Mirtich 1996, "Fast and accurate computation of polyhedral mass
//! properties"; in this form Blow and Binstock 2004, "How to find the inertia tensor of a solid body"). Of
//! each the volume is taken from edges, a·((b − a) × (c − a)), whose rounding shrinks with the triangle.
//!
//! Lanes, blocks and their sums come in a fixed order: the bits are the same at every SIMD level.

use fearless_simd::{Simd, f64x4, prelude::*};
use glam::DVec3;

use crate::math::simd::{Level, dispatch_to_avx2};

/// Fours of triangles that are added up before their sum goes to the total.
const BLOCK: usize = 32;

/// Additions that a term goes through, with those of lanes and blocks; and some for second order terms.
pub(super) const ADDITIONS: f64 = BLOCK as f64 + 8.0;

/// The sums over all triangles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Sums {
    /// Six times the volume.
    pub six_volumes: f64,
    /// 24 times ∫x, ∫y, ∫z about the origin.
    pub first: DVec3,
    /// 120 times ∫xx, ∫yy, ∫zz, ∫xy, ∫yz, ∫zx.
    pub second: [f64; 6],
    /// The sum of absolute values of all products of which `six_volumes` is made: the measure of its rounding.
    pub sizes: f64,
}

/// How many numbers are summed.
const COUNT: usize = 11;

/// The sums about an origin.
pub(super) fn sums(vertices: &[DVec3], triangles: &[[u32; 3]], origin: DVec3) -> Sums {
    sums_at(Level::new(), vertices, triangles, origin)
}

fn sums_at(level: Level, vertices: &[DVec3], triangles: &[[u32; 3]], origin: DVec3) -> Sums {
    let mut totals = [Total::default(); COUNT];
    dispatch_to_avx2!(level, simd => run(simd, vertices, triangles, origin, &mut totals));
    let [v, x, y, z, xx, yy, zz, xy, yz, zx, sizes] = totals.map(Total::value);
    Sums { six_volumes: v, first: DVec3::new(x, y, z), second: [xx, yy, zz, xy, yz, zx], sizes }
}

#[cfg_attr(not(opt_level_0), inline(always))]
fn run<S: Simd>(
    simd: S,
    vertices: &[DVec3],
    triangles: &[[u32; 3]],
    origin: DVec3,
    totals: &mut [Total; COUNT],
) {
    for block in triangles.chunks(4 * BLOCK) {
        let mut lanes = [f64x4::splat(simd, 0.0); COUNT];
        let (fours, rest) = block.as_chunks::<4>();
        for four in fours {
            add(simd, vertices, four, origin, &mut lanes);
        }
        if let Some(&[first, ..]) = rest.first() {
            // Filled up with triangles of no size, which add nothing.
            let mut four = [[first; 3]; 4];
            four[..rest.len()].copy_from_slice(rest);
            add(simd, vertices, &four, origin, &mut lanes);
        }
        for (total, lane) in totals.iter_mut().zip(&lanes) {
            total.add((lane[0] + lane[1]) + (lane[2] + lane[3]));
        }
    }
}

/// Adds the terms of four triangles.
#[cfg_attr(not(opt_level_0), inline(always))]
fn add<S: Simd>(
    simd: S,
    vertices: &[DVec3],
    four: &[[u32; 3]; 4],
    origin: DVec3,
    lanes: &mut [f64x4<S>; COUNT],
) {
    let [a, b, c] =
        [corner(simd, vertices, four, 0), corner(simd, vertices, four, 1), corner(simd, vertices, four, 2)];
    let (e, f) = (b.sub(a), c.sub(a));
    let o = Three {
        x: f64x4::splat(simd, origin.x),
        y: f64x4::splat(simd, origin.y),
        z: f64x4::splat(simd, origin.z),
    };
    let (a, b, c) = (a.sub(o), b.sub(o), c.sub(o));
    let (xy, yx) = (e.x * f.y, e.y * f.x);
    let (yz, zy) = (e.y * f.z, e.z * f.y);
    let (zx, xz) = (e.z * f.x, e.x * f.z);
    let v = a.x * (yz - zy) + a.y * (zx - xz) + a.z * (xy - yx);
    let s = Three { x: a.x + b.x + c.x, y: a.y + b.y + c.y, z: a.z + b.z + c.z };
    lanes[0] += v;
    lanes[1] += v * s.x;
    lanes[2] += v * s.y;
    lanes[3] += v * s.z;
    let (x, y, z) = ([a.x, b.x, c.x, s.x], [a.y, b.y, c.y, s.y], [a.z, b.z, c.z, s.z]);
    lanes[4] += v * products(x, x);
    lanes[5] += v * products(y, y);
    lanes[6] += v * products(z, z);
    lanes[7] += v * products(x, y);
    lanes[8] += v * products(y, z);
    lanes[9] += v * products(z, x);
    let x = a.x.abs() * (yz.abs() + zy.abs());
    let y = a.y.abs() * (zx.abs() + xz.abs());
    lanes[10] += x + y + a.z.abs() * (xy.abs() + yx.abs());
}

#[cfg_attr(not(opt_level_0), inline(always))]
fn products<S: Simd>([a, b, c, d]: [f64x4<S>; 4], [e, f, g, h]: [f64x4<S>; 4]) -> f64x4<S> {
    a * e + b * f + c * g + d * h
}

#[derive(Clone, Copy)]
struct Three<S: Simd> {
    x: f64x4<S>,
    y: f64x4<S>,
    z: f64x4<S>,
}

impl<S: Simd> Three<S> {
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn sub(self, o: Self) -> Self {
        Self { x: self.x - o.x, y: self.y - o.y, z: self.z - o.z }
    }
}

/// Corner `k` of four triangles.
#[cfg_attr(not(opt_level_0), inline(always))]
fn corner<S: Simd>(simd: S, vertices: &[DVec3], four: &[[u32; 3]; 4], k: usize) -> Three<S> {
    let p = vertices[four[0][k] as usize];
    let q = vertices[four[1][k] as usize];
    let r = vertices[four[2][k] as usize];
    let s = vertices[four[3][k] as usize];
    Three {
        x: [p.x, q.x, r.x, s.x].simd_into(simd),
        y: [p.y, q.y, r.y, s.y].simd_into(simd),
        z: [p.z, q.z, r.z, s.z].simd_into(simd),
    }
}

/// A sum with what rounding took from it (Kahan 1965; Neumaier 1974, "Rundungsfehleranalyse einiger Verfahren
/// zur Summation endlicher Summen").
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Total {
    sum: f64,
    lost: f64,
}

impl Total {
    #[inline(always)]
    pub fn add(&mut self, x: f64) {
        // Knuth's exact sum of two.
        let sum = self.sum + x;
        let part = sum - self.sum;
        self.lost += (self.sum - (sum - part)) + (x - part);
        self.sum = sum;
    }

    pub fn value(self) -> f64 {
        self.sum + self.lost
    }
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::math::simd::other_levels;
    use crate::testing::Random;

    #[test]
    fn every_level_gives_the_same_bits() {
        let mut random = Random::new(3);
        let mut point = || random.point();
        for count in [1, 3, 4, 127, 128, 129, 1000] {
            let vertices: Vec<DVec3> = (0..3 * count).map(|_| point()).collect();
            let triangles: Vec<[u32; 3]> = (0..count as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
            let best = sums(&vertices, &triangles, DVec3::splat(0.1));
            for level in other_levels() {
                assert_eq!(sums_at(level, &vertices, &triangles, DVec3::splat(0.1)), best);
            }
        }
    }

    #[test]
    fn a_total_keeps_what_is_small() {
        let mut total = Total::default();
        for x in [1.0, 1e100, 1.0, -1e100] {
            total.add(x);
        }
        assert_eq!(total.value(), 2.0);
    }
}
