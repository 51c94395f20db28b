//! Fitting oriented boxes.

use glam::{DMat3, DVec3};

use super::obb_calipers::turned_flat;
use super::obb_dito::dito_axes;
use super::relative::departure;
use crate::hull::convex_hull;
use crate::math::{outer, symmetric_eigen};
use crate::shape::{Aabb, Hull, Obb};

/// Method that chooses the axes of an oriented bounding box.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ObbFit {
    /// Principal axes of the points. O(n); points inside and where many are close together draw the axes.
    Points,
    /// Principal axes of the vertices of the convex hull. Points inside no longer count, crowded ones still do.
    HullVertices,
    /// Principal axes of the surface of the convex hull, as if it was sampled infinitely densely (Gottschalk,
    /// Lin and Manocha 1996, "OBBTree: a hierarchical structure for rapid interference detection").
    HullSurface,
    /// From the triangles of the points farthest along seven directions (Larsson and Källberg 2011, "Fast
    /// computation of tight-fitting oriented bounding boxes", there DiTO-14). O(n), without the hull.
    Dito,
    /// The smallest of the others, then turned about each of its axes in turn to the smallest rectangle
    /// around the shadow of the hull, which rotating calipers find (Toussaint 1983, "Solving geometric
    /// problems with the rotating calipers"), until nothing becomes smaller. Not the smallest box of all,
    /// though seldom far from it.
    Calipers,
}

impl ObbFit {
    /// All, the quickest first.
    pub const ALL: [Self; 5] =
        [Self::Points, Self::Dito, Self::HullVertices, Self::HullSurface, Self::Calipers];

    /// The name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Points => "principal axes of points",
            Self::HullVertices => "principal axes of hull vertices",
            Self::HullSurface => "principal axes of hull surface",
            Self::Dito => "DiTO-14",
            Self::Calipers => "rotating calipers",
        }
    }
}

/// An oriented box that contains every one of the points exactly: with the numbers of the box as they stand,
/// and its axes taken as the matrix that they are. `None` for no points. Points on a line or in a plane have
/// a box that is as flat, up to 1e-13 of its length.
///
/// Coordinates up to 1e90. The hull fits cost as much as [`convex_hull`], which is O(n log n).
pub fn fit_obb(points: &[DVec3], fit: ObbFit) -> Option<Obb> {
    if points.is_empty() {
        return None;
    }
    let hull = || convex_hull(points).ok();
    Some(match fit {
        ObbFit::Points => around(points, &axes_of_points(points)),
        ObbFit::Dito => around(points, &dito_axes(points)),
        ObbFit::HullVertices => match hull() {
            Some(hull) => around(hull.vertices(), &axes_of_points(hull.vertices())),
            None => around(points, &DMat3::IDENTITY),
        },
        ObbFit::HullSurface => match hull() {
            Some(hull) => around(hull.vertices(), &axes_of_surface(&hull)),
            None => around(points, &DMat3::IDENTITY),
        },
        ObbFit::Calipers => match hull() {
            Some(hull) => tightest(points, &hull),
            None => around(points, &DMat3::IDENTITY),
        },
    })
}

fn tightest(points: &[DVec3], hull: &Hull) -> Obb {
    let vertices = hull.vertices();
    let axes = [
        DMat3::IDENTITY,
        axes_of_points(vertices),
        axes_of_surface(hull),
        dito_axes(vertices),
        // Points inside the hull turn these.
        axes_of_points(points),
        dito_axes(points),
    ];
    let mut best = around(vertices, &axes[0]);
    for axes in axes {
        best = smaller(best, refined(vertices, around(vertices, &axes)));
    }
    best
}

/// The first unless the second is smaller: in volume, or in surface where both are flat.
fn smaller(first: Obb, second: Obb) -> Obb {
    let key = |o: &Obb| (o.half.element_product(), half_area(o));
    let ((v, a), (w, b)) = (key(&first), key(&second));
    if w < v || (w == v && b < a) { second } else { first }
}

/// So many rounds end it in any case; mostly three or four do.
const ROUNDS: usize = 16;

fn refined(vertices: &[DVec3], start: Obb) -> Obb {
    let mut best = start;
    for _ in 0..ROUNDS {
        let before = best;
        for axis in 0..3 {
            let turned = turned_flat(vertices, &best.axes, axis);
            best = smaller(best, around(vertices, &turned));
        }
        if best == before {
            break;
        }
    }
    best
}

/// The box along the given directions, made right-handed and orthonormal first, around at least one point.
pub(super) fn around(points: &[DVec3], axes: &DMat3) -> Obb {
    let axes = orthonormal(axes);
    let bounds = Aabb::around(points.iter().copied());
    // Seen from near the points nothing is lost where they are far out.
    let origin = bounds.center();
    let across = axes.transpose();
    let local = Aabb::around(points.iter().map(|&p| across * (p - origin)));
    let center = origin + axes * local.center();
    let (mut half, mut reach) = (DVec3::ZERO, 0.0f64);
    for p in points {
        let way = *p - center;
        half = half.max((across * way).abs());
        reach = reach.max(way.abs().max_element());
    }
    // A coordinate A⁻¹(p − c) is off from what was computed by the rounding of a difference, three products
    // and two sums, and by the transpose not being the inverse.
    let doubt = (4.0 * departure(&axes) + 16.0 * f64::EPSILON) * reach;
    let half = half.map(|h| if doubt > 0.0 { (h + doubt).next_up() } else { h });
    Obb { center, axes, half }
}

/// An eighth of the surface, by which flat boxes are compared as well.
pub(super) fn half_area(obb: &Obb) -> f64 {
    let DVec3 { x, y, z } = obb.half;
    x * y + y * z + z * x
}

/// The axes made orthonormal, in the order given; those of the frame if they are no directions.
fn orthonormal(axes: &DMat3) -> DMat3 {
    let x = axes.x_axis.try_normalize();
    let y = x.and_then(|x| (axes.y_axis - x * x.dot(axes.y_axis)).try_normalize());
    match (x, y) {
        (Some(x), Some(y)) => {
            // Once more, where little was left.
            let y = (y - x * x.dot(y)).normalize();
            DMat3::from_cols(x, y, x.cross(y))
        }
        _ => DMat3::IDENTITY,
    }
}

/// Brings points to coordinates of about one around their middle, so that products of four neither overflow nor vanish.
struct Scaled {
    origin: DVec3,
    size: f64,
}

impl Scaled {
    fn of(points: &[DVec3]) -> Self {
        let bounds = Aabb::around(points.iter().copied());
        let size = bounds.extent().max_element();
        Self { origin: bounds.center(), size: if size > 0.0 { size } else { 1.0 } }
    }

    fn apply(&self, p: DVec3) -> DVec3 {
        (p - self.origin) / self.size
    }
}

fn axes_of_points(points: &[DVec3]) -> DMat3 {
    let scaled = Scaled::of(points);
    let count = points.len().max(1) as f64;
    let mean = points.iter().map(|&p| scaled.apply(p)).sum::<DVec3>() / count;
    let mut covariance = DMat3::ZERO;
    for &p in points {
        covariance += outer(scaled.apply(p) - mean, scaled.apply(p) - mean);
    }
    symmetric_eigen(&covariance).vectors
}

/// Of a segment or point those of its vertices.
fn axes_of_surface(hull: &Hull) -> DMat3 {
    if hull.dimension() < 2 {
        return axes_of_points(hull.vertices());
    }
    let scaled = Scaled::of(hull.vertices());
    let (mut area, mut first, mut second) = (0.0, DVec3::ZERO, DMat3::ZERO);
    for corners in (0..hull.faces().len()).flat_map(|face| hull.fan(face)) {
        let [a, b, c] = corners.map(|v| scaled.apply(hull.vertices()[v as usize]));
        let (weight, sum) = ((b - a).cross(c - a).length(), a + b + c);
        area += weight;
        first += sum * (weight / 3.0);
        // The integral over a triangle of x·xᵀ is its area over 12 times aaᵀ + bbᵀ + ccᵀ + ssᵀ.
        second += (outer(a, a) + outer(b, b) + outer(c, c) + outer(sum, sum)) * (weight / 12.0);
    }
    if area <= 0.0 {
        return axes_of_points(hull.vertices());
    }
    symmetric_eigen(&(second * (1.0 / area) - outer(first / area, first / area))).vectors
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    #[test]
    fn a_turned_box_is_found_again() {
        let mut random = Random::new(3);
        for _ in 0..50 {
            let obb = random.obb();
            // Inner points, most of them in one corner, mislead the principal axes of the points only.
            let mut points = obb.corners().to_vec();
            points.extend(
                (0..50).map(|i| obb.center + (obb.corners()[0] - obb.center) * (0.01 * f64::from(i))),
            );
            let volume = 8.0 * obb.half.element_product();
            let found = |fit| 8.0 * fit_obb(&points, fit).unwrap().half.element_product() / volume;
            assert!((found(ObbFit::Calipers) - 1.0).abs() < 1e-9, "{}", found(ObbFit::Calipers));
            let sides = [obb.half.x, obb.half.y, obb.half.z];
            let distinct = (0..3).all(|i| (sides[i] - sides[(i + 1) % 3]).abs() > 0.05);
            assert!(!distinct || (found(ObbFit::HullSurface) - 1.0).abs() < 1e-6);
            assert!(found(ObbFit::Points) >= 1.0 - 1e-9);
        }
    }

    /// The axes of many points inside may by chance be better than those of the hull.
    #[test]
    fn no_other_fit_is_tighter_than_the_one_by_calipers() {
        let mut random = Random::new(11);
        for round in 0..60 {
            let mut next = || random.point();
            let mut points: Vec<DVec3> = (0..6).map(|_| next() * 2.0).collect();
            let lean = next();
            points.extend((0..40).map(|_| lean * next().x * 0.2 + next() * 0.01));
            let volume = |fit| fit_obb(&points, fit).unwrap().half.element_product();
            let tightest = volume(ObbFit::Calipers);
            assert!(ObbFit::ALL.into_iter().all(|fit| tightest <= volume(fit)), "round {round}");
        }
    }

    #[test]
    fn flat_points_have_flat_boxes() {
        let mut random = Random::new(4);
        let (u, v) = (DVec3::new(1.0, 2.0, -1.0), DVec3::new(0.5, -1.0, 3.0));
        let plane: Vec<DVec3> = (0..40).map(|_| u * random.number() + v * random.number()).collect();
        for fit in ObbFit::ALL {
            let half = fit_obb(&plane, fit).unwrap().half;
            // DiTO and the frame's axes may leave it thick; the others find the plane.
            assert!(matches!(fit, ObbFit::Dito) || half.min_element() < 1e-12, "{fit:?}: {half}");
        }
    }
}
