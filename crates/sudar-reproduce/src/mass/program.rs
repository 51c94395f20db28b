//! The program of Maštera 2007 ("Veličiny"), rebuilt in 32 bits as chapters 2 and 6 describe it.
//!
//! The box is widened by a step on each side; rays go through the points of a grid whose planes are shifted; a ray
//! with an odd number of hits is left out. Of its runs the centre counts the grid points between the hits, the
//! moments those between the planes nearest to the hits, these included. The moment about the axis of the rays is
//! summed run by run, the two others point by point, since "in them is a square and the series is not linear".
//!
//! Three rules are not in the text and follow from the numbers of the appendices: the widened box (percentages of odd
//! rays are of its volume), the grid points between the hits for the centre (corrections are a sixth of a step, for
//! the nearest planes they would be 0), and which moments are summed point by point.

use sudar::Mesh;

/// A vector in 32 bits.
type V = [f32; 3];

/// The source's shift.
pub const THIRD: f32 = 1.0 / 3.0;

/// What the passes along three axes find.
#[derive(Debug, Clone, Copy, Default)]
pub struct Passes {
    /// Of each pass: the centre, or the moments xx, yy, zz.
    pub found: [V; 3],
    /// Rays with an odd number of hits.
    pub odd: [u32; 3],
}

impl Passes {
    /// The mean of the passes.
    pub fn mean(&self) -> V {
        let [a, b, c] = self.found;
        [0, 1, 2].map(|k| (a[k] + b[k] + c[k]) / 3.0)
    }
}

/// A body in 32 bits.
pub struct Body(Vec<[V; 3]>);

impl Body {
    pub fn new(mesh: &Mesh) -> Self {
        // Files have four decimals; where a coordinate is next to 0 and not 0, lines through it cannot be divided by.
        let written = |x: f64| ((x * 1e4).round() / 1e4) as f32;
        let corners = |t| mesh.triangle(t).corners().map(|p| p.to_array().map(written));
        Self((0..mesh.triangles().len() as u32).map(corners).collect())
    }

    fn moved(&self, by: V) -> Self {
        Self(self.0.iter().map(|t| t.map(|p| [0, 1, 2].map(|k| p[k] - by[k]))).collect())
    }

    /// The centre, and the moments about it per unit of mass.
    pub fn measured(&self, step: f32) -> (Passes, Passes) {
        let center = self.passes(step, THIRD, &|grid, axis, body| grid.center(body, axis));
        (center, self.moved(center.mean()).moments(step, THIRD))
    }

    /// The moments about the origin per unit of mass.
    pub fn moments(&self, step: f32, shift: f32) -> Passes {
        self.passes(step, shift, &|grid, axis, body| grid.moments(body, axis))
    }

    fn passes(&self, step: f32, shift: f32, pass: &dyn Fn(&Grid, usize, &Self) -> (V, u32)) -> Passes {
        let grid = Grid::new(self, step, shift);
        let mut passes = Passes::default();
        for axis in 0..3 {
            (passes.found[axis], passes.odd[axis]) = pass(&grid, axis, self);
        }
        passes
    }
}

/// Planes across each axis.
struct Grid {
    start: V,
    count: [i32; 3],
    step: f32,
}

impl Grid {
    fn new(body: &Body, step: f32, shift: f32) -> Self {
        let corners = || body.0.iter().flatten();
        let low = [0, 1, 2].map(|k| corners().fold(f32::INFINITY, |m, p| m.min(p[k])));
        let high = [0, 1, 2].map(|k| corners().fold(f32::NEG_INFINITY, |m, p| m.max(p[k])));
        let start = low.map(|x| x - step + shift * step);
        Self { start, count: [0, 1, 2].map(|k| ((high[k] + step - start[k]) / step) as i32 + 1), step }
    }

    fn plane(&self, axis: usize, k: i32) -> f32 {
        self.start[axis] + k as f32 * self.step
    }

    /// The sum over runs of the points between the hits, in closed form.
    fn center(&self, body: &Body, axis: usize) -> (V, u32) {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let (mut sum, mut count) = ([0.0f32; 3], 0u64);
        let odd = self.each_run(body, axis, |[x, y], [low, high]| {
            let (first, last) = (low.ceil() as i32, high.floor() as i32);
            let points = (last - first + 1).max(0);
            let n = points as f32;
            count += points as u64;
            sum[axis] += 0.5 * n * (self.plane(axis, first) + self.plane(axis, last));
            sum[u] += n * x;
            sum[v] += n * y;
        });
        (sum.map(|x| x / count as f32), odd)
    }

    /// The sums over runs of the points between the nearest planes.
    fn moments(&self, body: &Body, axis: usize) -> (V, u32) {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let (mut sum, mut count) = ([0.0f32; 3], 0u64);
        let odd = self.each_run(body, axis, |[x, y], [low, high]| {
            let (first, last) = (low.round() as i32, high.round() as i32);
            let points = last - first + 1;
            count += points as u64;
            sum[axis] += points as f32 * (x * x + y * y);
            let far = self.plane(axis, first).abs().max(self.plane(axis, last).abs());
            for (k, across) in [(u, y), (v, x)] {
                // Rounding is monotone: where the greatest term is lost all are.
                if sum[k] + (far * far + across * across) == sum[k] {
                    continue;
                }
                for i in first..=last {
                    let t = self.plane(axis, i);
                    sum[k] += t * t + across * across;
                }
            }
        });
        (sum.map(|x| x / count as f32), odd)
    }

    /// Shows for each ray its place across the axis, and for each of its runs where that begins and ends in numbers
    /// of planes; counts rays with an odd number of hits, which have no runs.
    fn each_run(&self, body: &Body, axis: usize, mut show: impl FnMut([f32; 2], [f32; 2])) -> u32 {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let (mut odd, mut hits) = (0, Vec::new());
        let reaches =
            |t: &[V; 3], k: usize, at: f32| t.iter().any(|p| p[k] <= at) && t.iter().any(|p| p[k] >= at);
        for i in 0..self.count[u] {
            let x = self.plane(u, i);
            let row: Vec<&[V; 3]> = body.0.iter().filter(|t| reaches(t, u, x)).collect();
            for j in 0..self.count[v] {
                let y = self.plane(v, j);
                hits.clear();
                let near = row.iter().filter(|t| reaches(t, v, y));
                hits.extend(near.filter_map(|t| hit(t, [axis, u, v], [x, y])));
                hits.sort_by(f32::total_cmp);
                // The search for the next hit begins behind the last.
                hits.dedup_by(|next, last| *next - *last < 1e-3 * self.step);
                if hits.len() % 2 == 1 {
                    odd += 1;
                    continue;
                }
                for run in hits.chunks_exact(2) {
                    show([x, y], [run[0], run[1]].map(|t| (t - self.start[axis]) / self.step));
                }
            }
        }
        odd
    }
}

/// Where a ray along the first axis meets a triangle (Badouel 1990, "An efficient ray–polygon intersection"): one
/// coordinate on its sides from both lines, the other from the first.
fn hit(t: &[V; 3], [axis, u, v]: [usize; 3], [x, y]: [f32; 2]) -> Option<f32> {
    let [a, b, c] = t;
    let [p, q, r] = [[x - a[u], y - a[v]], [b[u] - a[u], b[v] - a[v]], [c[u] - a[u], c[v] - a[v]]];
    let along_r = (p[1] * q[0] - p[0] * q[1]) / (r[1] * q[0] - r[0] * q[1]);
    let along_q = if q[0] == 0.0 { (p[1] - along_r * r[1]) / q[1] } else { (p[0] - along_r * r[0]) / q[0] };
    let is_inside = along_r >= 0.0 && along_q >= 0.0 && along_q + along_r <= 1.0;
    is_inside.then_some(a[axis] + along_q * (b[axis] - a[axis]) + along_r * (c[axis] - a[axis]))
}

#[cfg(test)]
mod tests {
    use sudar::{Aabb, DVec3};

    use super::*;

    fn cube(half: f64) -> Body {
        Body::new(&Mesh::from_aabb(Aabb { min: DVec3::splat(-half), max: DVec3::splat(half) }))
    }

    #[test]
    fn coarse_grids_give_the_sums_that_can_be_written_down() {
        // Planes at −127.5, 122.5 and, along the rays, 372.5: of squares the means are 125² + 2.5² and
        // (127.5² + 122.5² + 372.5²)/3.
        let found = cube(250.0).moments(250.0, 0.49);
        let [across, along] = [15_631.25_f32, 56_672.918];
        for axis in 0..3 {
            for k in 0..3 {
                let expected = if k == axis { 2.0 * across } else { across + along };
                assert!((found.found[axis][k] - expected).abs() < 0.02, "{found:?}");
            }
        }
        assert_eq!(found.odd, [0; 3]);
    }

    #[test]
    fn sums_end_where_no_term_reaches_half_the_last_place() {
        // Terms are at most 2·250² = 125 000 < 2¹⁷, half the last place of 2⁴¹. Two of three passes end there, the
        // third is right; the source has 20 664.6 three times.
        let found = cube(250.0).measured(0.833_333).1;
        let points = 600.0 * 600.0 * 601.0;
        let expected = (250_000.0 / 6.0 + 2.0 * f64::powi(2.0, 41) / points) / 3.0;
        for moment in found.mean() {
            assert!((f64::from(moment) / expected - 1.0).abs() < 1e-4, "{found:?} {expected}");
            assert!((moment / 20_664.6 - 1.0).abs() < 1e-4, "{found:?}");
        }
    }
}
