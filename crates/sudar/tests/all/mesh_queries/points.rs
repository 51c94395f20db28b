//! What is asked of one mesh with points and rays, against every triangle looked at.

use sudar::math::Fraction;
use sudar::pair::triangles_meet_beyond_shared_corners;
use sudar::query::{Body, Intersection, closest_point, contains, ray, self_intersections, self_intersects};
use sudar::{DVec3, Ray};
use sudar_testing::Random;
use sudar_testing::oracle::Count;

use super::exact_distance::squared_distance;
use super::exact_ray::{ExactRay, encloses};
use super::pairs::somewhere;
use super::truth::{Placed, at_most_root, least_squared, root_at_most};

/// A parameter of a ray is good to this.
const RAY_ERROR: f64 = 1e-9;

/// Everything about one body and a point or ray near it.
pub fn check(placed: &Placed, body: &Body, r: &mut Random, count: &mut Count) {
    let point = somewhere(placed, r);
    let inside = placed.solid && encloses(&placed.triangles, point, r);
    nearest(placed, body, point, inside);
    match contains(body.at(&placed.pose), point) {
        Ok(answer) => assert_eq!(answer, inside, "contains {point:?}"),
        Err(_) => assert!(!placed.solid, "a solid has an inside"),
    }
    own_pairs(placed, body, count);
    let to = somewhere(placed, r);
    if let Ok(ray) = Ray::new(point, to - point) {
        rays(placed, body, &ray, inside, count);
        count.add("rays", 1);
    }
}

/// The pairs of triangles of one surface that meet, by `triangles_meet_beyond_shared_corners`, which is
/// checked elsewhere.
fn own_pairs(placed: &Placed, body: &Body, count: &mut Count) {
    let t = &placed.triangles;
    let pairs = (0..t.len()).flat_map(|i| (i + 1..t.len()).map(move |j| [i, j]));
    let meet = |[i, j]: &[usize; 2]| triangles_meet_beyond_shared_corners(&t[*i], &t[*j]);
    let expected: Vec<_> = pairs.filter(meet).map(|pair| pair.map(|i| i as u32)).collect();
    assert_eq!(self_intersections(body.at(&placed.pose)), expected, "self-intersections");
    match self_intersects(body.at(&placed.pose)) {
        Intersection::Touching { features } => assert!(expected.binary_search(&features).is_ok()),
        Intersection::Apart => assert!(expected.is_empty()),
        Intersection::Undecided(doubt) => unreachable!("{doubt:?}"),
    }
    count.add("of one mesh", expected.len());
}

fn nearest(placed: &Placed, body: &Body, point: DVec3, inside: bool) {
    let found = closest_point(body.at(&placed.pose), point);
    let dot = [sudar::Triangle { a: point, b: point, c: point }];
    let square = if inside { Fraction::zero() } else { least_squared(&placed.triangles, &dot) };
    let interval = found.distance;
    let right = at_most_root(interval.lower, &square) && root_at_most(&square, interval.upper);
    assert!(right, "closest point of {point:?}: {interval:?} does not hold {:e}", square.to_f64().sqrt());
    if inside {
        assert_eq!(found.point, point);
        return;
    }
    let room = 128.0 * f64::EPSILON * (placed.reach() + point.abs().max_element());
    let corners = placed.triangles[found.feature as usize].corners();
    let off = squared_distance(&corners, &[found.point; 3]);
    assert!(root_at_most(&off, room), "the point is {:e} from its triangle", off.to_f64().sqrt());
    let way = found.point.distance(point);
    assert!((way - interval.upper).abs() <= room, "the point is {way:e} away: {interval:?}");
}

fn rays(placed: &Placed, body: &Body, to: &Ray, inside: bool, count: &mut Count) {
    let exact = ExactRay::new(to.origin, to.direction);
    let mut hits: Vec<(Fraction, u32)> =
        (0..).zip(&placed.triangles).filter_map(|(i, t)| exact.triangle(t).map(|hit| (hit.t, i))).collect();
    hits.sort();
    count.add("hits", !hits.is_empty());
    let found = ray(body.at(&placed.pose), to, f64::INFINITY);
    if inside {
        assert_eq!(found.map(|hit| hit.t), Some(0.0), "a ray from inside a solid");
        return;
    }
    assert_eq!(found.is_some(), !hits.is_empty(), "ray {to:?}: {found:?}");
    if let (Some(found), Some((first, _))) = (found, hits.first()) {
        close(found.t, first);
        let own = hits.iter().find(|(_, i)| *i == found.feature);
        close(found.t, &own.expect("the triangle is on the ray").0);
        limited(placed, body, to, first);
    }
}

/// Just before the first hit there is none, just after it there is.
fn limited(placed: &Placed, body: &Body, to: &Ray, first: &Fraction) {
    let t = first.to_f64();
    let before = ray(body.at(&placed.pose), to, t * (1.0 - 2.0 * RAY_ERROR));
    assert!(t == 0.0 || before.is_none(), "{before:?} before {t:e}");
    assert!(ray(body.at(&placed.pose), to, t * (1.0 + 2.0 * RAY_ERROR)).is_some(), "none up to {t:e}");
}

fn close(t: f64, exact: &Fraction) {
    let truth = exact.to_f64();
    assert!((t - truth).abs() <= RAY_ERROR * truth, "hit at {t:e} instead of {truth:e}");
}
