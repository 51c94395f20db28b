//! How deep one mesh is in another: along an axis against the heights of all corners and edges over each other in exact
//! fractions, and from the surface against the depth of what was found and of samples.

use rand::RngExt;
use sudar::convex::Accuracy;
use sudar::math::{Fraction, FractionVec3};
use sudar::query::{Body, SurfaceDepth, Work, depth_along, surface_depth};
use sudar::{DVec3, Interval, Triangle};
use sudar_testing::Random;
use sudar_testing::oracle::Count;

use super::budgets::under_budgets;
use super::exact_distance::squared_distance;
use super::exact_ray::encloses;
use super::truth::{Placed, at_most_root, least_squared, root_at_most};

/// Two posed meshes, and the length that rounding may come to.
struct Pair<'a> {
    a: &'a Placed,
    b: &'a Placed,
    bodies: [&'a Body; 2],
    room: f64,
}

pub fn check(a: &Placed, b: &Placed, bodies: [&Body; 2], r: &mut Random, seen: &mut Count) {
    let room = 128.0 * f64::EPSILON * (a.reach() + b.reach());
    let pair = Pair { a, b, bodies, room };
    if a.triangles.len() * b.triangles.len() <= 600 {
        pair.along(r, seen);
    }
    pair.of_surface(r, seen);
}

impl Pair<'_> {
    fn along(&self, r: &mut Random, seen: &mut Count) {
        let axis = r.random_range(0..3);
        let direction = DVec3::AXES[axis] * [-1.0, 1.0][r.random_range(0..2)];
        let truth = way_out(&self.a.triangles, &self.b.triangles, axis, direction[axis] < 0.0);
        let ask = |work: &mut Work| {
            let [a, b] = self.bodies;
            work.depth_along(a.at(&self.a.pose), b.at(&self.b.pose), direction, &Accuracy::default())
        };
        let [a, b] = self.bodies;
        let found = depth_along(a.at(&self.a.pose), b.at(&self.b.pose), direction, &Accuracy::default());
        assert_eq!(ask(&mut Work::default()), found);
        let holds = |found: Interval| {
            let (lower, upper) = (found.lower - self.room, found.upper + self.room);
            let right = Fraction::from(lower) <= truth && truth <= Fraction::from(upper);
            assert!(right, "{found:?} does not hold {:e} along {direction}", truth.to_f64());
        };
        holds(found);
        seen.add("along an axis", 1);
        seen.add("deep along an axis", truth.is_positive());
        seen.add("wide along an axis", found.width() > 1e-8 * found.upper + 4.0 * self.room);
        for (some, all) in under_budgets(r, ask) {
            holds(some);
            assert!(!all || some == found, "{some:?} instead of {found:?}");
            seen.add("cut short", some != found);
        }
    }

    fn of_surface(&self, r: &mut Random, seen: &mut Count) {
        let [a, b] = self.bodies;
        let ask = |work: &mut Work| {
            work.surface_depth(a.at(&self.a.pose), b.at(&self.b.pose), &Accuracy::default())
        };
        let found = surface_depth(a.at(&self.a.pose), b.at(&self.b.pose), &Accuracy::default());
        let Ok(found) = found else {
            assert!(!self.b.solid, "a solid has a depth");
            return;
        };
        assert!(self.b.solid, "a depth in what has no inside");
        seen.add("of the surface", 1);
        seen.add("deep of the surface", found.interval.lower > 0.0);
        self.is_right(&found, r);
        assert_eq!(ask(&mut Work::default()), Ok(found));
        for (some, _) in under_budgets(r, |work| ask(work).unwrap()) {
            self.is_right(&some, r);
            seen.add("cut short", some != found);
        }
    }

    /// The point is on the surface, inside, and as deep as the lower end; no sample is deeper than the upper one.
    fn is_right(&self, found: &SurfaceDepth, r: &mut Random) {
        let Interval { lower, upper } = found.interval;
        let [of_a, of_b] =
            [&self.a.triangles[found.features[0] as usize], &self.b.triangles[found.features[1] as usize]];
        let off = |t: &Triangle, p: DVec3| squared_distance(&t.corners(), &[p; 3]);
        assert!(root_at_most(&off(of_a, found.point_a), self.room), "{found:?} is off the surface");
        if lower > 0.0 {
            assert!(encloses(&self.b.triangles, found.point_a, r), "{found:?} is outside");
            assert!(at_most_root(lower, &self.depth(found.point_a)), "{found:?} is not that deep");
            assert!(root_at_most(&off(of_b, found.point_b), self.room), "{found:?} is off the wall");
        }
        for t in &self.a.triangles {
            let [p, q, s] = t.corners();
            for x in [p, p.midpoint(q), p + ((q - p) + (s - p)) / 3.0] {
                let shallow =
                    !encloses(&self.b.triangles, x, r) || root_at_most(&self.depth(x), upper + self.room);
                assert!(shallow, "{x:?} is {:e} deep: {found:?}", self.depth(x).to_f64().sqrt());
            }
        }
    }

    fn depth(&self, p: DVec3) -> Fraction {
        least_squared(&self.b.triangles, &[Triangle { a: p, b: p, c: p }])
    }
}

/// By how much at most the first triangles are above the second along the axis (below, if it points down), where
/// their shadows meet; zero if they are nowhere. Attained between a corner and a face or edge, or between two edges.
pub fn way_out(a: &[Triangle], b: &[Triangle], axis: usize, down: bool) -> Fraction {
    let lifted = |t: &Triangle| Lifted::new(t, axis, down);
    let (a, b): (Vec<_>, Vec<_>) = (a.iter().map(lifted).collect(), b.iter().map(lifted).collect());
    let mut most = Fraction::zero();
    for p in &a {
        for q in b.iter().filter(|q| p.may_be_above(q)) {
            p.above(q, &mut most);
        }
    }
    most
}

/// A triangle with heights.
struct Lifted {
    corners: [FractionVec3; 3],
    low: DVec3,
    high: DVec3,
}

impl Lifted {
    /// The axis becomes z.
    fn new(t: &Triangle, axis: usize, down: bool) -> Self {
        let turn = |p: DVec3| {
            DVec3::new(p[(axis + 1) % 3], p[(axis + 2) % 3], if down { -p[axis] } else { p[axis] })
        };
        let [p, q, s] = t.corners().map(turn);
        Self { corners: [p, q, s].map(Into::into), low: p.min(q).min(s), high: p.max(q).max(s) }
    }

    fn may_be_above(&self, other: &Self) -> bool {
        let meets = |k: usize| self.low[k] <= other.high[k] && other.low[k] <= self.high[k];
        meets(0) && meets(1) && self.high.z > other.low.z
    }

    fn above(&self, other: &Self, most: &mut Fraction) {
        let mut add = |height: Fraction| {
            if height > *most {
                *most = height;
            }
        };
        for p in &self.corners {
            other.over(p).into_iter().for_each(|z| add(&p.z - &z));
        }
        for q in &other.corners {
            self.over(q).into_iter().for_each(|z| add(&z - &q.z));
        }
        for e in self.edges() {
            for f in other.edges() {
                crossing(e, f).into_iter().for_each(&mut add);
            }
        }
    }

    fn edges(&self) -> [[&FractionVec3; 2]; 3] {
        let [p, q, s] = &self.corners;
        [[p, q], [q, s], [s, p]]
    }

    /// Heights of the face and the edges over the shadow of a point; of an upright edge both ends.
    fn over(&self, p: &FractionVec3) -> Vec<Fraction> {
        let mut heights: Vec<Fraction> = self.edges().into_iter().flat_map(|e| on_edge(p, e)).collect();
        let [a, b, c] = &self.corners;
        let all = area(a, b, c);
        let parts = [area(p, b, c), area(p, c, a), area(p, a, b)];
        if !all.is_zero() && parts.iter().all(|part| !(part * &all).is_negative()) {
            let [u, v, w] = parts;
            let sum = &(&(&a.z * &u) + &(&b.z * &v)) + &(&c.z * &w);
            heights.push(&sum / &all);
        }
        heights
    }
}

/// Twice the area of the shadow.
fn area(a: &FractionVec3, b: &FractionVec3, c: &FractionVec3) -> Fraction {
    cross(&(b - a), &(c - a))
}

fn cross(u: &FractionVec3, v: &FractionVec3) -> Fraction {
    &(&u.x * &v.y) - &(&u.y * &v.x)
}

fn on_edge(p: &FractionVec3, [a, b]: [&FractionVec3; 2]) -> Vec<Fraction> {
    let (along, to) = (b - a, p - a);
    if !cross(&along, &to).is_zero() {
        return vec![];
    }
    let flat = |u: &FractionVec3, v: &FractionVec3| &(&u.x * &v.x) + &(&u.y * &v.y);
    let square = flat(&along, &along);
    if square.is_zero() {
        let same = to.x.is_zero() && to.y.is_zero();
        return if same { vec![a.z.clone(), b.z.clone()] } else { vec![] };
    }
    let t = &flat(&along, &to) / &square;
    let on = !t.is_negative() && t <= Fraction::from(1.0);
    if on { vec![&a.z + &(&along.z * &t)] } else { vec![] }
}

/// By how much the first edge is above the second where their shadows cross.
fn crossing([a, b]: [&FractionVec3; 2], [c, d]: [&FractionVec3; 2]) -> Option<Fraction> {
    let (u, v, w) = (b - a, d - c, c - a);
    let det = cross(&u, &v);
    if det.is_zero() {
        return None;
    }
    let (s, t) = (&cross(&w, &v) / &det, &cross(&w, &u) / &det);
    let one = Fraction::from(1.0);
    let crosses = !s.is_negative() && s <= one && !t.is_negative() && t <= one;
    crosses.then(|| &(&a.z + &(&u.z * &s)) - &(&c.z + &(&v.z * &t)))
}
