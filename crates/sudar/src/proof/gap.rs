//! How far apart two sets of pieces are along a direction.

use glam::{DMat3, DVec3};
use num_traits::{Signed, Zero};

use super::exact::{Point, Real, dot, down, minus, point, real, root_up};
use super::placed::{Form, Placed};
use super::round;

/// Pieces of a body, by number.
pub(crate) type Pieces<'a> = (&'a Placed, &'a [u32]);

/// Whether the second set lies beyond the first by more than nothing and at least `bound` along the direction. Where
/// floating point leaves it open, decided in rational numbers: exactly for pieces with corners, and for others but for
/// square roots rounded to the safe side in their 48th digit.
pub(super) fn apart_by(a: Pieces, b: Pieces, direction: DVec3, bound: f64) -> bool {
    clearly_apart_by(a, b, direction, bound)
        || exact_gap(a, b, direction)
            .is_some_and(|(gap, length)| gap.is_positive() && gap >= real(bound) * length)
}

/// The distance certain along the direction, rounded down; `None` if the sets are not apart along it.
pub(crate) fn block_gap(a: Pieces, b: Pieces, direction: DVec3) -> Option<f64> {
    let (gap, length) = exact_gap(a, b, direction)?;
    (gap.is_positive() && length.is_positive()).then(|| down(&(gap / length)).max(0.0))
}

/// The heights, in units of the direction's length, up to which the first set reaches at most, from which the second
/// begins at least, and their common error bound; infinite where a half-space leans another way. In `f64`.
pub(crate) fn heights(a: Pieces, b: Pieces, direction: DVec3) -> (f64, f64, f64) {
    let error = error(a.0, direction) + error(b.0, direction);
    (top(a, direction), -top(b, -direction), error)
}

fn clearly_apart_by(a: Pieces, b: Pieces, direction: DVec3, bound: f64) -> bool {
    let (below, above, error) = heights(a, b, direction);
    // The length carries three roundings, its product and the margins one each; products that underflow lose less
    // than the least normal number in all.
    let needed = bound * direction.length() * (1.0 + 8.0 * f64::EPSILON) + f64::MIN_POSITIVE;
    above - below - error > needed
}

/// Bound on the error of [`top`]: heights are sums of at most six products of the direction with numbers that `reach`
/// bounds, each rounded a few times; half a dozen units in the last place at most, of which this allows 32.
fn error(body: &Placed, direction: DVec3) -> f64 {
    let size = direction.abs().max_element();
    // Outside, products may underflow or overflow, and only the exact way is left.
    if (1e-100..1e100).contains(&size) && body.reach() > 1e-100 {
        32.0 * f64::EPSILON * direction.abs().element_sum() * body.reach()
    } else {
        f64::INFINITY
    }
}

fn top((body, pieces): Pieces, n: DVec3) -> f64 {
    pieces.iter().map(|&i| top_of_piece(body, i, n)).fold(f64::NEG_INFINITY, f64::max)
}

fn top_of_piece(body: &Placed, i: u32, n: DVec3) -> f64 {
    let corners = || body.corners(i).map(|p| n.dot(p)).fold(f64::NEG_INFINITY, f64::max);
    match body.form(i) {
        Form::Hull { radius: 0.0 } => corners(),
        Form::Hull { radius } => corners() + radius * n.length(),
        Form::Round(solid, map) => corners() + round::top(solid, map.transpose() * n),
        Form::Halfspace { normal, offset } if n == normal => offset,
        Form::Halfspace { .. } => f64::INFINITY,
    }
}

/// The gap times the length of the direction, rounded down if at all, and that length, rounded up if at all.
fn exact_gap(a: Pieces, b: Pieces, direction: DVec3) -> Option<(Real, Real)> {
    let n = point(direction);
    let length = root_up(&dot(&n, &n));
    let gap = -(exact_top(a, direction, &length)? + exact_top(b, -direction, &length)?);
    Some((gap, length))
}

/// The greatest height of any point of the pieces, rounded up if at all; `None` if there is none.
fn exact_top((body, pieces): Pieces, direction: DVec3, length: &Real) -> Option<Real> {
    let n = point(direction);
    let enough = top((body, pieces), direction) - 2.0 * error(body, direction);
    // What is certainly lower than another need not be tested.
    let is_lower = |&&i: &&u32| top_of_piece(body, i, direction) < enough;
    let open = pieces.iter().filter(|i| !is_lower(i));
    let mut highest: Option<Real> = None;
    for &i in open {
        let height = exact_top_of_piece(body, i, &n, length)?;
        highest = Some(highest.map_or_else(|| height.clone(), |h| h.max(height.clone())));
    }
    highest
}

fn exact_top_of_piece(body: &Placed, i: u32, n: &Point, length: &Real) -> Option<Real> {
    let corners = || body.corners(i).map(|p| dot(n, &point(p))).max();
    Some(match body.form(i) {
        Form::Hull { radius } => corners()? + real(radius) * length,
        Form::Round(solid, map) => corners()? + round::exact_top(solid, &transposed(map, n)),
        Form::Halfspace { normal, offset } => {
            let normal = point(normal);
            let (along, square) = (dot(n, &normal), dot(&normal, &normal));
            let parallel = minus(&super::exact::times(n, &square), &super::exact::times(&normal, &along));
            if !along.is_positive() || !parallel.iter().all(Zero::is_zero) {
                return None;
            }
            real(offset) * along / square
        }
    })
}

/// Rᵀ n.
fn transposed(map: DMat3, n: &Point) -> Point {
    [map.x_axis, map.y_axis, map.z_axis].map(|column| dot(&point(column), n))
}
