//! The winding number of a surface with holes along a ray, by its border.
//!
//! Strips that go from the border to infinity, against the direction of a ray, close the surface there; the
//! ray itself meets none of them. So the sum of the ray's crossings beyond a point is the winding number of
//! the closed surface, and that of the surface alone is it less what the strips cover of the sphere around
//! the point (Martens, Trettner and Bessmeltsev 2026, "The antipodal method: fast, accurate, and robust 3D
//! generalized winding numbers": crossings of a ray and an integral over the border). A strip is a spherical
//! triangle, with the direction as its third corner.
//!
//! What depends on the border alone changes slowly away from it: no faster than the field of a current along
//! it does by the law of Biot and Savart.

use std::f64::consts::{PI, TAU};

use fearless_simd::{Simd, f64x4, prelude::*};
use glam::DVec3;

use super::rays::{Rays, side_of};
use crate::math::simd::{Level, dispatch_to_avx2};
use crate::shape::{Mesh, Topology};

/// The edges along which not as many triangles run one way as the other, as often as these differ.
#[derive(Debug, Clone)]
pub(super) struct Border {
    /// The coordinates of both ends, filled up to a multiple of four with edges of no length.
    ends: [[Vec<f64>; 3]; 2],
    level: Level,
}

/// What the border says of a point of a ray.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Sight {
    /// The winding number less the crossings beyond the point.
    pub beside: f64,
    /// Bound on its change along the ray, as far as requested.
    pub change: f64,
}

impl Border {
    pub fn new(mesh: &Mesh, topology: &Topology) -> Self {
        let mut ends = [const { [Vec::new(), Vec::new(), Vec::new()] }; 2];
        let mut add = |from: DVec3, to: DVec3| {
            for (end, p) in ends.iter_mut().zip([from, to]) {
                end.iter_mut().zip(p.to_array()).for_each(|(column, x)| column.push(x));
            }
        };
        let (mut last, mut count) = (DVec3::ZERO, 0_u32);
        for edge in topology.edges.iter().filter(|edge| edge.forward != edge.backward) {
            let [low, high] = [edge.low, edge.high].map(|i| mesh.vertices()[i as usize]);
            let (from, to) = if edge.forward > edge.backward { (low, high) } else { (high, low) };
            for _ in 0..edge.forward.abs_diff(edge.backward) {
                add(from, to);
                count += 1;
            }
            last = to;
        }
        (count..count.next_multiple_of(4)).for_each(|_| add(last, last));
        Self { ends, level: Level::new() }
    }

    pub fn len(&self) -> usize {
        self.ends[0][0].len()
    }

    /// What it says of a point of a ray, and as far as that to either side.
    pub fn seen_from(&self, rays: &Rays, p: DVec3, far: f64) -> Sight {
        dispatch_to_avx2!(self.level, simd => self.look(simd, rays, p, far))
    }

    /// A product of unit complex numbers has the sum of the angles, but for whole turns, which are counted.
    #[inline(always)]
    fn look<S: Simd>(&self, simd: S, rays: &Rays, p: DVec3, far: f64) -> Sight {
        let (zero, one) = (f64x4::splat(simd, 0.0), f64x4::splat(simd, 1.0));
        let [u, v, t] = [rays.u.axis, rays.v.axis, rays.axis];
        let [pu, pv, pt] = [u, v, t].map(|axis| f64x4::splat(simd, p[axis]));
        let (mut re, mut im, mut turns, mut rate) = (one, zero, zero, zero);
        let far_along = f64x4::splat(simd, far);
        for i in (0..self.len()).step_by(4) {
            let load = |end: usize, axis: usize| f64x4::from_slice(simd, &self.ends[end][axis][i..i + 4]);
            let (au, av, at) = (load(0, u) - pu, load(0, v) - pv, pt - load(0, t));
            let (bu, bv, bt) = (load(1, u) - pu, load(1, v) - pv, pt - load(1, t));
            let (flat_a, flat_b) = (au * au + av * av, bu * bu + bv * bv);
            let (a, b) = ((flat_a + at * at).sqrt(), (flat_b + bt * bt).sqrt());
            // Without cancellation where the point is seen against the direction.
            let beyond = |size: f64x4<S>, t: f64x4<S>, flat: f64x4<S>| {
                t.simd_ge(zero).select(size + t, flat / (size - t))
            };
            let across = beyond(a, at, flat_a) * beyond(b, bt, flat_b) + (au * bu + av * bv);
            let height = self.certain(simd, rays, p, i, av * bu - au * bv, across);
            let (wide_u, wide_v, wide_t) = (bu - au, bv - av, bt - at);
            let length = (wide_u * wide_u + wide_v * wide_v + wide_t * wide_t).sqrt();
            // No point of the edge is nearer to that part of the ray, from its middle or from its line.
            let beside = flat_a.sqrt() + flat_b.sqrt() - length;
            let gap = ((a + b - length) * 0.5 - far_along).max(beside * 0.5).max(zero);
            rate += length / (gap * gap + f64::MIN_POSITIVE);
            let (next_re, next_im) = (re * across - im * height, re * height + im * across);
            let (is_up, goes_up) = (im.simd_ge(zero), height.simd_ge(zero));
            let ends_up = next_im.simd_ge(zero);
            let more = (is_up & goes_up & !ends_up).select(one, zero);
            let less = (!is_up & !goes_up & ends_up).select(one, zero);
            turns += more - less;
            let size = next_re.abs() + next_im.abs();
            // Of an edge without length behind the point there is no angle.
            let is_angle = size.simd_gt(zero);
            (re, im) = (is_angle.select(next_re / size, re), is_angle.select(next_im / size, im));
        }
        let mut sight = Sight { beside: 0.0, change: 0.0 };
        for lane in 0..4 {
            sight.beside += turns[lane] + libm::atan2(im[lane], re[lane]) / TAU;
            sight.change += far * rate[lane] / (4.0 * PI);
        }
        sight
    }

    /// The heights with the side on which the ray passes each edge: where it runs through one, that by which
    /// crossings go.
    #[inline(always)]
    fn certain<S: Simd>(
        &self,
        simd: S,
        rays: &Rays,
        p: DVec3,
        i: usize,
        heights: f64x4<S>,
        across: f64x4<S>,
    ) -> f64x4<S> {
        let unsure = heights.abs().simd_le(across.abs() * 1e-12) & across.simd_lt(f64x4::splat(simd, 0.0));
        if !unsure.any_true() {
            return heights;
        }
        let mut out: [f64; 4] = heights.into();
        for (lane, height) in out.iter_mut().enumerate() {
            let corner = |end: usize, axis: usize| self.ends[end][axis][i + lane];
            let flat = |end: usize| glam::DVec2::new(corner(end, rays.u.axis), corner(end, rays.v.axis));
            let place = glam::DVec2::new(p[rays.u.axis], p[rays.v.axis]);
            let Some(side) = side_of(flat(0), flat(1), place) else { continue };
            *height = -f64::from(side) * height.abs().max(f64::MIN_POSITIVE);
        }
        out.simd_into(simd)
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::inside::winding_of_triangle;
    use crate::mass::rays::GridShift;
    use crate::math::simd::other_levels;
    use crate::shape::Aabb;
    use crate::testing::Random;

    /// The winding number by the solid angle of every triangle.
    fn winding(mesh: &Mesh, p: DVec3) -> f64 {
        (0..mesh.triangles().len() as u32)
            .map(|i| winding_of_triangle(&mesh.triangle(i), p))
            .map(|w| 0.5 * (w.lower + w.upper))
            .sum()
    }

    #[test]
    fn crossings_and_border_make_the_winding_number() {
        let mut rng = Random::new(5);
        for case in 0..200 {
            let mut number = || rng.random_range(-1.0..1.0);
            let count = 4 + case % 9;
            let vertices: Vec<DVec3> = (0..count).map(|_| DVec3::new(number(), number(), number())).collect();
            let cube = Mesh::from_aabb(Aabb { min: DVec3::splat(-1.0), max: DVec3::splat(1.0) });
            let mesh = if case % 3 == 0 {
                // A cube with a triangle gone, whose border is the diagonal of a face.
                Mesh::new(cube.vertices().to_vec(), cube.triangles()[case % 12..].to_vec()).unwrap()
            } else {
                let corner = |_| [0; 3].map(|_| rng.random_range(0..count as u32));
                Mesh::new(vertices, (0..count).map(corner).collect()).unwrap()
            };
            let border = Border::new(&mesh, &mesh.topology());
            let around = Aabb { min: DVec3::splat(-1.1), max: DVec3::splat(1.1) };
            for axis in 0..3 {
                let rays = Rays::new(&around, axis, [0.3, 1.1][case % 2], GridShift::Alternating);
                let [i, j] = [rays.u.count, rays.v.count].map(|n| rng.random_range(0..n));
                let mut p = DVec3::splat(rng.random_range(-1.2..1.2));
                (p[rays.u.axis], p[rays.v.axis]) = (rays.u.place(i), rays.v.place(j));
                let mut beyond = 0.0;
                for t in 0..mesh.triangles().len() as u32 {
                    rays.crossings(mesh.triangle(t).corners(), &(j..j + 1), &mut |c| {
                        beyond += if c.i == i && c.t > p[axis] { f64::from(c.way) } else { 0.0 };
                    });
                }
                let far = [0.0, 1e-3, 0.05, 0.3][case % 4];
                let sight = border.seen_from(&rays, p, far);
                let (found, expected) = (beyond + sight.beside, winding(&mesh, p));
                assert!((found - expected).abs() < 1e-9, "{case} {axis}: {found} {expected}");
                for level in other_levels() {
                    assert_eq!(Border { level, ..border.clone() }.seen_from(&rays, p, far), sight);
                }
                // As far as requested it changes by no more than its bound.
                for step in [-1.0, -0.5, 0.3, 1.0] {
                    let mut q = p;
                    q[axis] += step * far;
                    let change = (border.seen_from(&rays, q, 0.0).beside - sight.beside).abs();
                    assert!(change <= sight.change * (1.0 + 1e-9) + 1e-9, "{case}: {change} {sight:?}");
                }
            }
        }
    }
}
