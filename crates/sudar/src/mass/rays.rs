//! Rays along an axis through the middle parts of square cells, and where triangles cross them.

use glam::{DVec2, DVec3};

use crate::math::{Sign, orient2d};
use crate::shape::Aabb;

/// Where in their cells rays run: off the borders, so that they do not run along the faces and edges of bodies
/// that fit the grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum GridShift {
    /// A third of a cell from one border and from the other in turn, so that the shifts cancel.
    #[default]
    Alternating,
    /// A third of a cell from the lower border, as in the source.
    Third,
}

/// Rays along one axis, one for each cell of the plane across it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rays {
    /// The axis along which they run; the other two follow in order.
    pub axis: usize,
    /// The cells that a ray runs through.
    pub along: Rows,
    pub u: Rows,
    pub v: Rows,
}

/// The cells along one axis.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rows {
    pub axis: usize,
    start: f64,
    pub width: f64,
    pub count: u32,
    shift: GridShift,
}

impl Rows {
    /// Cells of equal width, at most `step`.
    fn new(aabb: &Aabb, axis: usize, step: f64, shift: GridShift) -> Self {
        let extent = aabb.max[axis] - aabb.min[axis];
        let count = (extent / step * (1.0 - 1e-12)).ceil().max(1.0) as u32;
        Self { axis, start: aabb.min[axis], width: extent / f64::from(count), count, shift }
    }

    /// Where the ray of a cell is.
    pub fn place(&self, i: u32) -> f64 {
        let shift = match self.shift {
            GridShift::Third => 1.0 / 3.0,
            GridShift::Alternating if self.count % 2 == 1 && i + 1 == self.count => 0.5,
            GridShift::Alternating if i.is_multiple_of(2) => 1.0 / 3.0,
            GridShift::Alternating => 2.0 / 3.0,
        };
        self.start + (f64::from(i) + shift) * self.width
    }

    /// The nearest plane of the grid, and from it half a cell on: where the cells end that a run up to `t` counts
    /// whole, its last plane included. The planes are a third of a cell off the borders.
    pub fn snapped(&self, t: f64, onward: f64) -> f64 {
        const THIRD: f64 = 1.0 / 3.0;
        let plane = ((t - self.start) / self.width - THIRD).round();
        let end = self.start + (plane + THIRD + 0.5 * onward) * self.width;
        // A flat box has no cells along.
        if end.is_finite() { end } else { t }
    }

    /// The middle of a cell.
    pub fn middle(&self, i: u32) -> f64 {
        self.start + (f64::from(i) + 0.5) * self.width
    }

    /// The cells whose rays may be between two places, and perhaps some beside them.
    fn between(&self, low: f64, high: f64) -> std::ops::Range<u32> {
        // A conversion takes what is out of range, and NaN where the width is 0, to the nearest number.
        let first = ((low - self.start) / self.width - 1.0).floor() as u32;
        let last = ((high - self.start) / self.width + 1.0).ceil() as u32;
        first.min(self.count)..last.min(self.count)
    }
}

/// Where a ray crosses a triangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Crossing {
    /// The cell along `u`.
    pub i: u32,
    /// The cell along `v`.
    pub j: u32,
    /// The coordinate along the axis.
    pub t: f64,
    /// 1 where the ray comes out through the front of the triangle, −1 where it goes in.
    pub way: i8,
}

impl Rays {
    pub fn new(aabb: &Aabb, axis: usize, step: f64, shift: GridShift) -> Self {
        let rows = |axis: usize| Rows::new(aabb, axis % 3, step, shift);
        Self { axis, along: rows(axis), u: rows(axis + 1), v: rows(axis + 2) }
    }

    pub fn count(&self) -> u64 {
        u64::from(self.u.count) * u64::from(self.v.count)
    }

    /// Every crossing of a triangle, in rows `from..to` of `v`.
    ///
    /// A ray that meets an edge counts as if it were shifted by less than any number, the same for all
    /// triangles (Edelsbrunner and Mücke 1990, "Simulation of simplicity"): it crosses a closed surface an
    /// even number of times, also through edges and corners.
    pub fn crossings(
        &self,
        corners: [DVec3; 3],
        rows: &std::ops::Range<u32>,
        found: &mut impl FnMut(Crossing),
    ) {
        let flat = corners.map(|p| DVec2::new(p[self.u.axis], p[self.v.axis]));
        let heights = corners.map(|p| p[self.axis]);
        let [a, b, c] = flat;
        let near = self.v.between(a.y.min(b.y).min(c.y), a.y.max(b.y).max(c.y));
        for j in near.start.max(rows.start)..near.end.min(rows.end) {
            let y = self.v.place(j);
            let (low, high) = span(&flat, y, self.v.width);
            for i in self.u.between(low, high) {
                let p = DVec2::new(self.u.place(i), y);
                let Some(way) = crossed(&flat, p) else { continue };
                found(Crossing { i, j, t: height(&flat, heights, p), way });
            }
        }
    }
}

/// From where to where a triangle reaches along a row, about: at least as far as it does.
fn span([a, b, c]: &[DVec2; 3], y: f64, width: f64) -> (f64, f64) {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for (p, q) in [(a, b), (b, c), (c, a)] {
        let slack = 1e-9 * width;
        if y < p.y.min(q.y) - slack || y > p.y.max(q.y) + slack {
            continue;
        }
        let part = (y - p.y) / (q.y - p.y);
        let ends = if part.is_finite() && (q.y - p.y).abs() > slack {
            let x = p.x + (q.x - p.x) * part.clamp(0.0, 1.0);
            [x, x]
        } else {
            [p.x, q.x]
        };
        low = low.min(ends[0].min(ends[1]));
        high = high.max(ends[0].max(ends[1]));
    }
    (low, high)
}

/// Whether the ray through a point of the plane crosses the triangle, and which way it turns there.
fn crossed(flat: &[DVec2; 3], p: DVec2) -> Option<i8> {
    let first = side_of(flat[0], flat[1], p)?;
    (side_of(flat[1], flat[2], p)? == first && side_of(flat[2], flat[0], p)? == first).then_some(first)
}

/// On which side of the line from `a` to `b` the point is, shifted a little in x and much less in y; `None`
/// if a and b are one.
pub(super) fn side_of(a: DVec2, b: DVec2, p: DVec2) -> Option<i8> {
    match orient2d(a, b, p) {
        Sign::Positive => Some(1),
        Sign::Negative => Some(-1),
        Sign::Zero if a.y != b.y => Some(if a.y > b.y { 1 } else { -1 }),
        Sign::Zero if a.x != b.x => Some(if b.x > a.x { 1 } else { -1 }),
        Sign::Zero => None,
    }
}

/// The coordinate of the triangle along the ray, between those of its corners.
fn height([a, b, c]: &[DVec2; 3], [ta, tb, tc]: [f64; 3], p: DVec2) -> f64 {
    let [u, v, w] = [(*b - p).perp_dot(*c - p), (*c - p).perp_dot(*a - p), (*a - p).perp_dot(*b - p)];
    let (low, high) = (ta.min(tb).min(tc), ta.max(tb).max(tc));
    let t = ta + ((tb - ta) * v + (tc - ta) * w) / (u + v + w);
    if t.is_finite() { t.clamp(low, high) } else { 0.5 * (low + high) }
}

/// What becomes of a ray that crosses a mesh with holes an odd number of times.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OddRays {
    /// The runs of all rays are weighed by winding numbers, rounded to whole ones (Jacobson et al. 2013,
    /// "Robust inside-outside segmentation using generalized winding numbers"). It takes some microseconds a
    /// run.
    #[default]
    Weigh,
    /// It is left out, as in the source. Other rays count by parity.
    Drop,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Mesh;

    fn all(rays: &Rays, mesh: &Mesh) -> Vec<Crossing> {
        let mut found = Vec::new();
        for t in 0..mesh.triangles().len() as u32 {
            rays.crossings(mesh.triangle(t).corners(), &(0..rays.v.count), &mut |c| found.push(c));
        }
        found.sort_by(|a, b| (a.j, a.i).cmp(&(b.j, b.i)).then(a.t.total_cmp(&b.t)));
        found
    }

    #[test]
    fn every_ray_goes_into_a_box_once_and_out_again() {
        let aabb = Aabb { min: DVec3::new(-1.0, 2.0, 0.0), max: DVec3::new(3.0, 5.0, 7.0) };
        for axis in 0..3 {
            let rays = Rays::new(&aabb, axis, 0.25, GridShift::Alternating);
            let found = all(&rays, &Mesh::from_aabb(aabb));
            assert_eq!(found.len() as u64, 2 * rays.count());
            for pair in found.chunks(2) {
                assert_eq!([pair[0].way, pair[1].way], [-1, 1]);
                assert_eq!([pair[0].t, pair[1].t], [aabb.min[axis], aabb.max[axis]]);
            }
        }
    }

    #[test]
    fn rays_through_edges_and_corners_of_a_closed_surface_cross_it_an_even_number_of_times() {
        // Corners on the rays themselves: thirds and two thirds of cells.
        let rays =
            Rays::new(&Aabb { min: DVec3::ZERO, max: DVec3::splat(8.0) }, 2, 1.0, GridShift::Alternating);
        let at = |i: u32, j: u32, z: f64| DVec3::new(rays.u.place(i), rays.v.place(j), z);
        let vertices = vec![at(1, 1, 0.0), at(6, 1, 0.0), at(6, 6, 0.0), at(1, 6, 0.0), at(3, 4, 5.0)];
        let triangles = vec![[0, 2, 1], [0, 3, 2], [0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]];
        let mesh = Mesh::new(vertices, triangles).unwrap();
        let found = all(&rays, &mesh);
        for ray in found.chunk_by(|a, b| (a.i, a.j) == (b.i, b.j)) {
            assert_eq!(ray.iter().map(|c| c.way).sum::<i8>(), 0, "{ray:?}");
        }
        // Of the 6 by 6 rays of the base those on two of its sides count: a square of five sides.
        assert_eq!(found.len(), 2 * 25);
    }
}
