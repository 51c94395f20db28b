//! Everything that rays meet, against every triangle looked at in exact fractions: the first hit, all hits,
//! whether there is one, with limits and budgets.

use rand::RngExt;
use sudar::math::{Fraction, FractionVec3};
use sudar::query::{Body, RayHit, ray, ray_all, ray_any};
use sudar::{DVec3, Ray};
use sudar_testing::Random;
use sudar_testing::oracle::Count;

use super::budgets::under_budgets;
use super::exact_ray::{ExactRay, encloses, is_zero};
use super::pairs::somewhere;
use super::truth::Placed;

/// A parameter of a ray is good to this.
const ERROR: f64 = 1e-9;

/// A ray beside a body, with what is true of it.
struct Shot<'a> {
    placed: &'a Placed,
    body: &'a Body,
    ray: Ray,
    /// Where it meets which triangle, sorted.
    hits: Vec<(Fraction, u32)>,
    /// Whether it starts in a solid.
    inside: bool,
}

/// A ray from and towards places near the mesh, with a direction of any length.
pub fn check(placed: &Placed, body: &Body, r: &mut Random, seen: &mut Count) {
    let (from, to) = (somewhere(placed, r), somewhere(placed, r));
    let Ok(ray) = Ray::new(from, (to - from) * 2_f64.powi(r.random_range(-20..20))) else { return };
    let exact = ExactRay::new(ray.origin, ray.direction);
    let hit = |(i, t)| exact.triangle(t).map(|hit| (hit.t, i));
    let mut hits: Vec<_> = (0..).zip(&placed.triangles).filter_map(hit).collect();
    hits.sort();
    let inside = placed.solid && encloses(&placed.triangles, from, r);
    seen.add("rays", 1);
    seen.add("hits", hits.len());
    seen.add("from inside", inside);
    let shot = Shot { placed, body, ray, hits, inside };
    shot.all();
    for max in shot.limits(r) {
        shot.limited(max);
    }
    shot.budgets(r, seen);
}

impl Shot<'_> {
    fn ask_all(&self, max: f64) -> Vec<RayHit> {
        ray_all(self.body.at(&self.placed.pose), &self.ray, max)
    }

    fn all(&self) {
        let found = self.ask_all(f64::INFINITY);
        assert_eq!(numbers(&found), sorted(self.hits.iter().map(|hit| hit.1)), "ray_all {:?}", self.ray);
        assert!(found.is_sorted_by(|p, q| (p.t, p.feature) < (q.t, q.feature)), "{found:?}");
        for hit in &found {
            self.is_right(hit);
        }
    }

    fn is_right(&self, hit: &RayHit) {
        let own = self.hits.iter().find(|(_, i)| *i == hit.feature).expect("the triangle is on the ray");
        let truth = own.0.to_f64();
        assert!((hit.t - truth).abs() <= ERROR * truth, "hit at {:e} instead of {truth:e}", hit.t);
        assert_eq!(hit.point, self.ray.at(hit.t));
        let [a, b, c] = self.placed.triangles[hit.feature as usize].corners();
        let [p, q, s] = [a, b, c].map(FractionVec3::from);
        let n = (&q - &p).cross(&(&s - &p));
        if is_zero(&n) {
            // Its area may round to something else.
            assert!(hit.normal.is_finite());
            return;
        }
        // In units of the product of the two edges the normal is off by a few ulp.
        let (u, v) = ((b - a).abs().max_element(), (c - a).abs().max_element());
        let by = &Fraction::from(1.0) / &(&Fraction::from(u) * &Fraction::from(v));
        let n = n.scaled(&by).rounded();
        let off = hit.normal.distance(n.normalize());
        let room = 64.0 * f64::EPSILON / n.abs().max_element();
        assert!(off <= room || room > 0.1, "normal {} off by {off:e}, room {room:e}", hit.normal);
    }

    /// Before, at, between and after the hits.
    fn limits(&self, r: &mut Random) -> Vec<f64> {
        let Some((last, _)) = self.hits.last() else { return vec![0.0, 1.0] };
        let (some, _) = &self.hits[r.random_range(0..self.hits.len())];
        let (some, last) = (some.to_f64(), last.to_f64());
        vec![
            0.0,
            some,
            some * (1.0 - 2.0 * ERROR),
            some * (1.0 + 2.0 * ERROR),
            last * r.random_range(0.0..1.0),
        ]
    }

    /// Triangles well within the limit are hit, those well beyond it are not; at zero all is exact.
    fn limited(&self, max: f64) {
        let (must, may) = (Fraction::from(max * (1.0 - ERROR)), Fraction::from(max * (1.0 + ERROR)));
        let within = |limit: &Fraction| sorted(self.hits.iter().filter(|h| h.0 <= *limit).map(|h| h.1));
        let (must, may) = (within(&must), within(&may));
        let all = numbers(&self.ask_all(max));
        let fits = must.iter().all(|i| all.contains(i)) && all.iter().all(|i| may.contains(i));
        assert!(fits, "up to {max:e}: {all:?}, not {must:?} to {may:?}");
        let any = ray_any(self.body.at(&self.placed.pose), &self.ray, max);
        let first = ray(self.body.at(&self.placed.pose), &self.ray, max);
        assert_eq!(any, first.is_some(), "up to {max:e}: {first:?}");
        assert_eq!(any, self.inside || !all.is_empty(), "up to {max:e}: {all:?}");
        match first {
            Some(hit) if self.inside => assert_eq!((hit.t, hit.feature, hit.normal), (0.0, 0, DVec3::ZERO)),
            Some(hit) => assert_eq!(Some(hit), self.ask_all(max).first().copied()),
            None => assert!(!self.inside),
        }
    }

    /// However few nodes may be opened, what is said is true; with enough of them all is said.
    fn budgets(&self, r: &mut Random, seen: &mut Count) {
        let pose = &self.placed.pose;
        let all = self.ask_all(f64::INFINITY);
        let there_is = self.inside || !all.is_empty();
        let first = ray(self.body.at(pose), &self.ray, f64::INFINITY);
        for (some, whole) in
            under_budgets(r, |work| work.ray_all(self.body.at(pose), &self.ray, f64::INFINITY))
        {
            assert!(some.found.iter().all(|hit| all.contains(hit)), "{some:?} of {all:?}");
            assert!(!some.complete || some.found == all, "{some:?} of {all:?}");
            assert!(!whole || some.complete, "{some:?}");
            seen.add("cut short", !some.complete);
        }
        for (one, whole) in under_budgets(r, |work| work.ray(self.body.at(pose), &self.ray, f64::INFINITY)) {
            assert!(!one.complete || one.found == first, "{one:?} instead of {first:?}");
            assert!(one.found.is_none_or(|hit| self.inside || all.contains(&hit)), "{one:?}");
            assert!(!whole || one.complete, "{one:?}");
            seen.add("cut short", !one.complete);
        }
        for (any, whole) in
            under_budgets(r, |work| work.ray_any(self.body.at(pose), &self.ray, f64::INFINITY))
        {
            assert!(if any.found { there_is } else { !any.complete || !there_is }, "{any:?}");
            assert!(!whole || any.complete, "{any:?}");
        }
    }
}

fn numbers(hits: &[RayHit]) -> Vec<u32> {
    sorted(hits.iter().map(|hit| hit.feature))
}

fn sorted(numbers: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut numbers: Vec<u32> = numbers.collect();
    numbers.sort_unstable();
    numbers
}
