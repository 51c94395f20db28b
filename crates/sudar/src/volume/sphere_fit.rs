//! Fitting spheres.

use glam::{DMat3, DVec3};

use crate::math::length;
use crate::pair::sphere_point;
use crate::shape::{Aabb, Sphere};

/// The smallest sphere around the points, which it contains exactly; `None` for no points.
///
/// As Gärtner 1999 ("Fast and robust smallest enclosing balls", after Welzl 1991): the sphere through a few
/// support points is exchanged for that of these and the point farthest outside until there is none. Of the
/// at most five points of such a step every sphere through some of them is tried, so that nothing depends on
/// the signs of nearly singular systems. The radius grows with each exchange, hence the search ends, after
/// some ten exchanges of O(n) each.
///
/// The centre is off by some 1e-16 of the points' spread; the radius is the least `f64` with which the sphere
/// around that centre contains every point, as [`sphere_point`] decides exactly.
pub fn smallest_sphere(points: &[DVec3]) -> Option<Sphere> {
    let scale = Scale::of(points)?;
    let scaled: Vec<DVec3> = points.iter().map(|&p| scale.apply(p)).collect();
    let mut best = Support { center: scaled[0], square: 0.0, points: vec![scaled[0]] };
    // More than any input needs; a search that ended here would still give a sphere around all points.
    for _ in 0..1000 {
        let (outside, square) = farthest(&scaled, best.center);
        if square <= best.square * (1.0 + 4.0 * f64::EPSILON) {
            break;
        }
        let next = exchanged(&best.points, scaled[outside]);
        if next.square <= best.square {
            break;
        }
        best = next;
    }
    Some(closed(scale.back(best.center), points))
}

/// A sphere around the points in two passes, mostly 5 to 20 % too large (Ritter 1990, "An efficient bounding
/// sphere"). It contains them exactly; `None` for no points.
pub fn ritter_sphere(points: &[DVec3]) -> Option<Sphere> {
    let scale = Scale::of(points)?;
    let scaled: Vec<DVec3> = points.iter().map(|&p| scale.apply(p)).collect();
    let [p, q] = farthest_along_an_axis(&scaled);
    let (mut center, mut radius) = ((p + q) * 0.5, (q - p).length() * 0.5);
    for &p in &scaled {
        let away = (p - center).length();
        if away > radius {
            let larger = 0.5 * (radius + away);
            center += (p - center) * ((larger - radius) / away);
            radius = larger;
        }
    }
    Some(closed(scale.back(center), points))
}

/// Brings points to coordinates of at most about one.
struct Scale {
    origin: DVec3,
    size: f64,
}

impl Scale {
    fn of(points: &[DVec3]) -> Option<Self> {
        let bounds = Aabb::around(points.iter().copied());
        let size = bounds.extent().max_element();
        let size = if size > 0.0 { size } else { 1.0 };
        (!points.is_empty()).then(|| Self { origin: bounds.center(), size })
    }

    fn apply(&self, p: DVec3) -> DVec3 {
        (p - self.origin) / self.size
    }

    fn back(&self, p: DVec3) -> DVec3 {
        self.origin + p * self.size
    }
}

/// A sphere and the points that it is drawn through.
struct Support {
    center: DVec3,
    square: f64,
    points: Vec<DVec3>,
}

fn farthest(points: &[DVec3], center: DVec3) -> (usize, f64) {
    let mut most = (0, -1.0);
    for (i, p) in points.iter().enumerate() {
        let square = (*p - center).length_squared();
        if square > most.1 {
            most = (i, square);
        }
    }
    most
}

/// The smallest sphere around at most four points and one more, which is on it: of all spheres through the
/// latter and some of the former that with the least radius around all.
fn exchanged(support: &[DVec3], outside: DVec3) -> Support {
    let mut all = support.to_vec();
    all.push(outside);
    let mut best = Support { center: outside, square: f64::INFINITY, points: vec![outside] };
    for chosen in 1..1u32 << support.len() {
        let mut through = vec![outside];
        through.extend((0..support.len()).filter(|i| chosen >> i & 1 == 1).map(|i| support[i]));
        if through.len() > 4 {
            continue;
        }
        let Some(center) = circumcenter(&through) else { continue };
        let square = farthest(&all, center).1;
        if square < best.square {
            best = Support { center, square, points: through };
        }
    }
    best
}

/// The point in the hull of two to four points, extended, that is as far from all of them; `None` where they have none.
fn circumcenter(points: &[DVec3]) -> Option<DVec3> {
    let p = points[0];
    let to = |i: usize| points[i] - p;
    let way = match points.len() {
        2 => to(1) * 0.5,
        3 => {
            let (u, v) = (to(1), to(2));
            let normal = u.cross(v);
            let square = normal.length_squared();
            (v.cross(normal) * u.length_squared() + normal.cross(u) * v.length_squared()) / (2.0 * square)
        }
        _ => {
            let rows = DMat3::from_cols(to(1), to(2), to(3)).transpose();
            let right = DVec3::new(to(1).length_squared(), to(2).length_squared(), to(3).length_squared());
            rows.inverse() * (right * 0.5)
        }
    };
    (way.is_finite() && way.length_squared() < 1e6).then_some(p + way)
}

/// The sphere with the least radius around the centre that contains all points exactly.
fn closed(center: DVec3, points: &[DVec3]) -> Sphere {
    let most = points.iter().fold(0.0, |most: f64, p| most.max(length(*p - center)));
    // Only points nearly as far can be the farthest.
    let near: Vec<DVec3> =
        points.iter().copied().filter(|p| length(*p - center) >= most * (1.0 - 1e-14)).collect();
    let holds = |radius| near.iter().all(|&p| sphere_point(&Sphere { center, radius }, p));
    let mut radius = most;
    for _ in 0..STEPS {
        if radius > 0.0 && holds(radius.next_down()) {
            radius = radius.next_down();
        } else if !holds(radius) {
            radius = radius.next_up();
        } else {
            break;
        }
    }
    while !holds(radius) && radius.is_finite() {
        radius = (2.0 * radius).max(f64::MIN_POSITIVE);
    }
    Sphere { center, radius }
}

/// A radius from square roots is off by one or two ulp, so that this ends only what is no number.
const STEPS: usize = 64;

fn farthest_along_an_axis(points: &[DVec3]) -> [DVec3; 2] {
    let mut best = [points[0], points[0]];
    for axis in 0..3 {
        let (mut low, mut high) = (points[0], points[0]);
        for &p in points {
            low = if p[axis] < low[axis] { p } else { low };
            high = if p[axis] > high[axis] { p } else { high };
        }
        if (high - low).length_squared() > (best[1] - best[0]).length_squared() {
            best = [low, high];
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    #[test]
    fn known_spheres() {
        // A cube's corners lie on the sphere of half its diagonal; a point inside changes nothing.
        let mut cube = Aabb { min: -DVec3::ONE, max: DVec3::ONE }.corners().to_vec();
        cube.push(DVec3::splat(0.3));
        let found = smallest_sphere(&cube).unwrap();
        assert!(found.center.length() < 1e-15 && (found.radius - 3.0f64.sqrt()).abs() < 1e-15);
        // An obtuse triangle's is that of its longest side.
        let found = smallest_sphere(&[DVec3::ZERO, DVec3::X * 4.0, DVec3::new(2.0, 0.5, 0.0)]).unwrap();
        assert_eq!((found.center, found.radius), (DVec3::X * 2.0, 2.0));
        assert_eq!(smallest_sphere(&[DVec3::ONE; 3]).unwrap(), Sphere { center: DVec3::ONE, radius: 0.0 });
    }

    #[test]
    fn no_smaller_sphere_is_found_by_all_subsets() {
        let mut random = Random::new(6);
        for case in 0..300 {
            let points: Vec<DVec3> =
                (0..7).map(|_| if case % 3 == 0 { random.grid_point(2) } else { random.point() }).collect();
            let found = smallest_sphere(&points).unwrap();
            let mut least = f64::INFINITY;
            for chosen in 1..1u32 << points.len() {
                let some: Vec<DVec3> =
                    (0..points.len()).filter(|i| chosen >> i & 1 == 1).map(|i| points[i]).collect();
                let center = match some.len() {
                    1 => Some(some[0]),
                    2..=4 => circumcenter(&some),
                    _ => None,
                };
                if let Some(center) = center {
                    least = least.min(farthest(&points, center).1.sqrt());
                }
            }
            assert!(found.radius <= least * (1.0 + 1e-12), "{} {least}", found.radius);
        }
    }
}
