//! Whether a point is in a solid.

use num_bigint::BigInt;
use num_traits::Zero;
use sudar::DVec3;
use sudar::math::Sign;

use super::facet::Facet;
use super::points::{Exact, Points, Whole, sign};

/// Where a piece of a surface is to a solid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Inside,
    Outside,
    /// On its surface, which faces the same way or the other.
    On {
        same: bool,
    },
}

impl Place {
    /// Whether the solid is on the side that the piece faces away from.
    pub fn is_in_below(self) -> bool {
        matches!(self, Self::Inside | Self::On { same: true })
    }

    /// Whether the solid is on the side that the piece faces.
    pub fn is_in_above(self) -> bool {
        matches!(self, Self::Inside | Self::On { same: false })
    }
}

/// A point, exact and near.
pub(super) struct Sample {
    exact: Exact,
    near: DVec3,
}

impl Sample {
    /// Whether it may be within bounds: it is not off them by more than rounding.
    pub fn is_near(&self, [low, high]: &[Whole; 2]) -> bool {
        (0..3).all(|i| self.near[i] >= low[i] as f64 - 1.0 && self.near[i] <= high[i] as f64 + 1.0)
    }
}

/// The middle of three points.
pub(super) fn middle(points: &Points, corners: [u32; 3]) -> Sample {
    let [p, q, r] = corners.map(|i| points.exact(i));
    let [wp, wq, wr] = [&q[3] * &r[3], &p[3] * &r[3], &p[3] * &q[3]];
    let sum = |i: usize| &p[i] * &wp + &q[i] * &wq + &r[i] * &wr;
    let last = BigInt::from(3) * &p[3] * &wp;
    let near = corners.iter().fold(DVec3::ZERO, |sum, &i| sum + points.near(i)) / 3.0;
    Sample { exact: [sum(0), sum(1), sum(2), last], near }
}

/// Whether a point of the plane of a triangle is in it.
pub(super) fn is_in(sample: &Sample, t: &Facet) -> bool {
    let way = t.plane.normal.map(|x| x as f64);
    let exact = t.plane.normal.map(BigInt::from);
    sides(sample, t, (way, &exact)).iter().all(|side| *side != Sign::Negative)
}

/// Directions of rays, in no relation to those of buildings.
const RAYS: [[i64; 3]; 6] = [
    [7919, 5_231, 1_000_003],
    [-104_729, 3571, 28_657],
    [15_485, -1_299_709, 3001],
    [-61, 821_641, -514_229],
    [998_244, 353, -65_537],
    [-3, 70_001, 999_983],
];

/// Whether a point that is not on a solid is in it: how often a ray leaves it more than it enters. `None` if no ray
/// keeps clear of all edges, or beyond the steps that are left.
pub(super) fn place(sample: &Sample, facets: &[Facet], steps: &mut u64) -> Option<Place> {
    RAYS.iter()
        .find_map(|ray| wound(sample, facets, *ray, steps))
        .map(|count| if count == 0 { Place::Outside } else { Place::Inside })
}

/// How often a ray goes out through triangles, less how often in; `None` if it meets an edge.
fn wound(sample: &Sample, facets: &[Facet], ray: Whole, steps: &mut u64) -> Option<i64> {
    let way = ray.map(|x| x as f64);
    let exact = ray.map(BigInt::from);
    let mut count = 0;
    for t in facets.iter().filter(|t| !t.plane.is_flat()) {
        *steps = steps.checked_sub(1)?;
        let slope = sign_of_slope(t, ray);
        let sides = sides(sample, t, (way, &exact));
        if sides.contains(&Sign::Positive) && sides.contains(&Sign::Negative) {
            continue;
        }
        if sides.contains(&Sign::Zero) || slope == 0 {
            return None;
        }
        // Ahead if the ray goes against the side of the plane that the point is on.
        let above = height(sample, t);
        if above != 0 && (above > 0) != (slope > 0) {
            count += slope;
        }
    }
    Some(count)
}

fn sign_of_slope(t: &Facet, ray: Whole) -> i64 {
    let slope: i128 = (0..3).map(|i| (t.plane.normal[i] >> 24) * i128::from(ray[i])).sum();
    // The dropped bits weigh less than three times the ray.
    let doubt = ray.iter().map(|x| i128::from(x.abs())).sum::<i128>();
    if slope.abs() > doubt {
        return slope.signum() as i64;
    }
    let exact: BigInt = (0..3).map(|i| BigInt::from(t.plane.normal[i]) * BigInt::from(ray[i])).sum();
    match sign(&exact) {
        Sign::Negative => -1,
        Sign::Zero => 0,
        Sign::Positive => 1,
    }
}

/// On which side of the plane of a triangle a point is.
fn height(sample: &Sample, t: &Facet) -> i64 {
    let (a, n) = (t.whole[0].map(|x| x as f64), t.plane.normal.map(|x| x as f64));
    let way = sample.near - DVec3::from_array(a);
    let terms = DVec3::from_array(n) * way;
    let value = terms.element_sum();
    let place = sample.near.abs().max_element().max(DVec3::from_array(a).abs().max_element());
    let bound = 64.0 * f64::EPSILON * DVec3::from_array(n).abs().element_sum() * place;
    if value.abs() > bound {
        return if value > 0.0 { 1 } else { -1 };
    }
    match sign(&t.plane.at_exact(&sample.exact)) {
        Sign::Negative => -1,
        Sign::Zero => 0,
        Sign::Positive => 1,
    }
}

/// On which sides of the edges of a triangle the line through a point is: all the same where it goes through.
fn sides(sample: &Sample, t: &Facet, way: ([f64; 3], &[BigInt; 3])) -> [Sign; 3] {
    let [a, b, c] = t.whole;
    [[a, b], [b, c], [c, a]].map(|[p, q]| side(sample, p, q, way))
}

/// The sign of `way · ((p − sample) × (q − sample))`.
fn side(sample: &Sample, p: Whole, q: Whole, (way, exact): ([f64; 3], &[BigInt; 3])) -> Sign {
    let [near_p, near_q] = [p, q].map(|p| DVec3::from_array(p.map(|x| x as f64)));
    let (u, v) = (near_p - sample.near, near_q - sample.near);
    let way = DVec3::from_array(way);
    let value = way.dot(u.cross(v));
    let place =
        sample.near.abs().max_element().max(near_p.abs().max_element()).max(near_q.abs().max_element());
    let size = u.abs().max_element().max(v.abs().max_element());
    if value.abs() > 256.0 * f64::EPSILON * way.abs().element_sum() * place.max(size) * size {
        return Sign::of(value);
    }
    exact_side(sample, p, q, exact)
}

fn exact_side(sample: &Sample, p: Whole, q: Whole, way: &[BigInt; 3]) -> Sign {
    let [x, y, z, w] = &sample.exact;
    let from = |p: Whole| {
        let [a, b, c] = p.map(BigInt::from);
        [a * w - x, b * w - y, c * w - z]
    };
    let (u, v) = (from(p), from(q));
    let cross = [&u[1] * &v[2] - &u[2] * &v[1], &u[2] * &v[0] - &u[0] * &v[2], &u[0] * &v[1] - &u[1] * &v[0]];
    let sum = (0..3).fold(BigInt::zero(), |sum, i| sum + &way[i] * &cross[i]);
    sign(&sum)
}
