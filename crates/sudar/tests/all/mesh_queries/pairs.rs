//! What is asked of two meshes, and what must be true of the answers.

use rand::RngExt;
use sudar::effort::Budget;
use sudar::math::Fraction;
use sudar::query::{
    Body, Distance, DistanceEnd, DistanceOptions, StopReason, Within, Work, contacts, distance, intersects,
    local_minima, within,
};
use sudar::{DVec3, Interval, Pose, Shape, Solid};
use sudar_testing::Random;
use sudar_testing::oracle::Count;

use super::exact_distance::squared_distance;
use super::truth::{Placed, Truth, at_most_root, root_at_most};

/// Two bodies with what is true of them.
pub struct Pair<'a> {
    pub a: &'a Placed,
    pub b: &'a Placed,
    pub bodies: [Body; 2],
    pub truth: &'a Truth,
}

pub fn body(placed: &Placed) -> Body {
    if placed.solid {
        Body::new(Shape::Solid(Solid::new(placed.mesh.clone()).unwrap().into()))
    } else {
        Body::new(Shape::Mesh(placed.mesh.clone()))
    }
}

impl<'a> Pair<'a> {
    pub fn new(a: &'a Placed, b: &'a Placed, truth: &'a Truth) -> Self {
        Self { a, b, bodies: [body(a), body(b)], truth }
    }

    /// A length below which rounding of the coordinates rules, for each unit in the last place.
    pub fn ulp(&self) -> f64 {
        f64::EPSILON * (self.a.reach() + self.b.reach())
    }

    fn distance(&self, search: &DistanceOptions) -> Distance {
        let [a, b] = &self.bodies;
        distance(a.at(&self.a.pose), b.at(&self.b.pose), search)
    }

    /// Everything about the pair; `swapped` has the bodies the other way round and the same truth.
    pub fn check(&self, swapped: &Self, r: &mut Random, count: &mut Count) {
        self.yes_or_no();
        self.lists(swapped);
        self.exact_distance(count);
        swapped.exact_distance(count);
        self.searched(r);
        self.within(r, count);
        self.budgets(r, count);
        self.least_minimum();
        self.deformed(r);
        self.scaled(r);
        self.moved(r);
    }

    fn yes_or_no(&self) {
        let [a, b] = &self.bodies;
        for answer in [
            intersects(a.at(&self.a.pose), b.at(&self.b.pose)),
            intersects(b.at(&self.b.pose), a.at(&self.a.pose)),
        ] {
            assert_eq!(answer.decided(), Some(self.truth.touching()), "intersects");
        }
    }

    fn lists(&self, swapped: &Self) {
        let [a, b] = &self.bodies;
        assert_eq!(contacts(a.at(&self.a.pose), b.at(&self.b.pose)), self.truth.pairs, "contacts");
        let [a, b] = &swapped.bodies;
        let mut turned = contacts(a.at(&swapped.a.pose), b.at(&swapped.b.pose));
        turned.iter_mut().for_each(|pair| pair.swap(0, 1));
        turned.sort_unstable();
        assert_eq!(turned, self.truth.pairs, "contacts with the bodies swapped");
    }

    fn exact_distance(&self, count: &mut Count) {
        let found = self.distance(&DistanceOptions::EXACT);
        self.holds(found.interval);
        self.witnesses(&found);
        assert_eq!(found.interval.upper == 0.0, self.truth.touching(), "a distance of zero");
        count.raise("width/ulp", found.interval.width() / self.ulp());
    }

    /// The interval contains the true distance.
    pub fn holds(&self, interval: Interval) {
        let right = self.truth.is_held_by(interval);
        assert!(right, "{interval:?} does not hold {:e}", self.truth.distance());
    }

    /// The points are on their features and as far apart as the upper end says.
    pub fn witnesses(&self, found: &Distance) {
        let room = 128.0 * self.ulp();
        let apart = found.point_a.distance(found.point_b);
        assert!((apart - found.interval.upper).abs() <= room, "points are {apart:e} apart: {found:?}");
        if self.truth.touching() && self.truth.pairs.is_empty() {
            return; // One inside the other.
        }
        for (placed, feature, point) in
            [(self.a, found.features[0], found.point_a), (self.b, found.features[1], found.point_b)]
        {
            let corners = placed.triangles[feature as usize].corners();
            let off = squared_distance(&corners, &[point; 3]);
            assert!(root_at_most(&off, room), "a point is {:e} from its triangle", off.to_f64().sqrt());
        }
    }

    /// With a limit below, at and above the distance, and with tolerances.
    fn searched(&self, r: &mut Random) {
        let true_one = self.truth.distance();
        for max in [0.0, true_one * r.random_range(0.0..1.0), true_one, true_one * 2.0] {
            let found = self.distance(&DistanceOptions::up_to(max));
            self.holds(found.interval);
            assert_eq!(
                found.end == DistanceEnd::BeyondMax,
                found.interval.lower > max,
                "up to {max:e}: {found:?}"
            );
            assert!(found.interval.lower > max || found.interval.width() <= 512.0 * self.ulp(), "{found:?}");
            assert_ne!(found.end, DistanceEnd::Stopped(StopReason::Budget));
        }
        let (absolute, relative) = match r.random_range(0..3) {
            0 => (true_one * r.random_range(0.0..2.0), 0.0),
            1 => (0.0, r.random_range(0.0..2.0)),
            _ => (true_one * 0.1, 0.5),
        };
        let found = self.distance(&DistanceOptions { absolute, relative, max: f64::INFINITY });
        self.holds(found.interval);
        self.witnesses(&found);
        let wide = absolute.max(relative * found.interval.upper);
        assert!(found.interval.width() <= wide.max(512.0 * self.ulp()), "{absolute:e} {relative}: {found:?}");
    }

    /// Below, just below, exactly at, just above and above the distance, and any tolerance; at it only where
    /// an `f64` is exactly it, elsewhere the two neighbours are what they are.
    fn within(&self, r: &mut Random, count: &mut Count) {
        let near = self.truth.distance();
        let any = near * r.random_range(0.0..2.0);
        for tolerance in [0.0, near * 0.5, near.next_down(), near, near.next_up(), near * 2.0, any] {
            let expected = root_at_most(&self.truth.squared, tolerance);
            let [a, b] = &self.bodies;
            for answer in [
                within(a.at(&self.a.pose), b.at(&self.b.pose), tolerance),
                within(b.at(&self.b.pose), a.at(&self.a.pose), tolerance),
            ] {
                self.is_within(&answer, tolerance, expected, count);
            }
        }
    }

    pub fn is_within(&self, answer: &Within, tolerance: f64, expected: bool, count: &mut Count) {
        count.add("`within`", 1);
        match *answer {
            Within::Yes { point_a, point_b, .. } => {
                assert!(expected, "not within {tolerance:e}");
                let apart = point_a.distance(point_b);
                assert!(
                    apart <= tolerance + 128.0 * self.ulp(),
                    "points {apart:e} apart within {tolerance:e}"
                );
            }
            Within::No { lower, plane: _ } => {
                assert!(!expected, "within {tolerance:e}");
                assert!(lower >= tolerance, "lower {lower:e} below {tolerance:e}");
                assert!(
                    at_most_root(lower, &self.truth.squared),
                    "lower {lower:e} of {:e}",
                    self.truth.distance()
                );
            }
            Within::Undecided(doubt) => {
                assert_eq!(doubt, StopReason::Precision);
                let apart = (tolerance - self.truth.distance()).abs();
                assert!(apart <= 512.0 * self.ulp(), "undecided {apart:e} from {tolerance:e}");
                count.add("undecided", 1);
            }
        }
    }

    /// However few nodes may be opened, what is said is true; with enough of them all is said.
    fn budgets(&self, r: &mut Random, count: &mut Count) {
        let (p, q, [a, b]) = (&self.a.pose, &self.b.pose, &self.bodies);
        let mut whole = Work::default();
        whole.distance(a.at(p), b.at(q), &DistanceOptions::EXACT);
        let nodes = whole.statistics().nodes;
        let some = [0, 1, 2, r.random_range(0..=nodes), nodes.saturating_sub(1), nodes];
        for budget in some {
            let mut work = Work::new(Budget::nodes(budget));
            let found = work.distance(a.at(p), b.at(q), &DistanceOptions::EXACT);
            self.holds(found.interval);
            assert!(work.statistics().nodes <= budget, "{:?} of {budget}", work.statistics());
            assert!(
                budget < nodes || found.end != DistanceEnd::Stopped(StopReason::Budget),
                "{budget} nodes are enough: {found:?}"
            );
            count.add("cut short", found.end == DistanceEnd::Stopped(StopReason::Budget));
            if let Some(answer) = work.intersects(a.at(p), b.at(q)).decided() {
                assert_eq!(answer, self.truth.touching(), "with {budget} nodes");
            }
            let tolerance = self.truth.distance() * r.random_range(0.0..2.0);
            if let Some(answer) = work.within(a.at(p), b.at(q), tolerance).decided() {
                assert_eq!(answer, root_at_most(&self.truth.squared, tolerance), "with {budget} nodes");
            }
            let list = work.contacts(a.at(p), b.at(q));
            assert!(list.found.iter().all(|pair| self.truth.pairs.binary_search(pair).is_ok()));
            assert!(!list.complete || list.found == self.truth.pairs, "with {budget} nodes");
            assert!(list.found.is_sorted(), "a list is sorted, complete or not");
        }
    }

    /// The least of the local minima is the distance; the rest has an oracle of its own.
    fn least_minimum(&self) {
        let [a, b] = &self.bodies;
        let tolerance = self.truth.distance() * 1.01 + self.ulp();
        let found = local_minima(a.at(&self.a.pose), b.at(&self.b.pose), tolerance);
        let least = found.first().expect("within the tolerance there is a minimum");
        self.holds(least.interval);
        let upper = found.iter().map(|minimum| minimum.interval.upper).fold(f64::INFINITY, f64::min);
        assert!(upper >= least.interval.upper && root_at_most(&self.truth.squared, upper));
    }

    /// Bodies whose vertices moved here from elsewhere answer as bodies made here.
    fn deformed(&self, r: &mut Random) {
        let moved = |p: &Placed, by: f64| {
            let mut other = body(&Placed::new(
                &p.mesh.mapped(|v| DVec3::new(v.y, v.z, v.x) * by).unwrap().into(),
                p.solid,
                p.pose,
            ));
            other.move_vertices(p.mesh.vertices().to_vec()).unwrap();
            other
        };
        let by = [1.0, 0.5, 1.5][r.random_range(0..3)];
        let [a, b] = [moved(self.a, by), moved(self.b, 1.0)];
        let (p, q) = (&self.a.pose, &self.b.pose);
        assert_eq!(
            intersects(a.at(p), b.at(q)).decided(),
            Some(self.truth.touching()),
            "after moving vertices"
        );
        assert_eq!(contacts(a.at(p), b.at(q)), self.truth.pairs, "after moving vertices");
        let found = distance(a.at(p), b.at(q), &DistanceOptions::EXACT);
        self.holds(found.interval);
        self.witnesses(&found);
    }

    /// Powers of two change no yes or no and scale the interval.
    fn scaled(&self, r: &mut Random) {
        let exponent = r.random_range(-30..30);
        let by = 2_f64.powi(exponent);
        let scaled = |p: &Placed| {
            let pose = Pose::from_matrix(p.pose.rotation(), p.pose.translation() * by).ok()?;
            let mesh = p.mesh.mapped(|v| v * by).ok()?;
            Some(Placed::new(&mesh.into(), p.solid, pose))
        };
        let (Some(a), Some(b)) = (scaled(self.a), scaled(self.b)) else { return };
        let [left, right] = [body(&a), body(&b)];
        assert_eq!(intersects(left.at(&a.pose), right.at(&b.pose)).decided(), Some(self.truth.touching()));
        assert_eq!(contacts(left.at(&a.pose), right.at(&b.pose)), self.truth.pairs, "scaled by 2^{exponent}");
        let interval = distance(left.at(&a.pose), right.at(&b.pose), &DistanceOptions::EXACT).interval;
        // Exactly: a division by a power of two would round tiny numbers.
        let square = &self.truth.squared * &Fraction::power_of_two(2 * i64::from(exponent));
        assert!(at_most_root(interval.lower, &square) && root_at_most(&square, interval.upper));
    }

    /// A rigid motion of both changes the distance by rounding only.
    fn moved(&self, r: &mut Random) {
        let reach = self.a.reach() + self.b.reach();
        if reach > 1e89 {
            return;
        }
        let motion = r.any_pose(1.0);
        let motion = Pose::from_matrix(motion.rotation(), motion.translation() * reach).unwrap();
        let (p, q) = (motion.after(&self.a.pose), motion.after(&self.b.pose));
        let [a, b] = &self.bodies;
        let interval = distance(a.at(&p), b.at(&q), &DistanceOptions::EXACT).interval;
        let room = 64.0 * f64::EPSILON * 3.0 * reach;
        let here = self.truth.distance();
        // Where a solid is left by a hair the distance may jump from zero to that hair only.
        assert!(interval.lower <= here + room, "moved: {interval:?} instead of {here:e}");
        let enclosed = self.truth.touching() && self.truth.pairs.is_empty();
        assert!(enclosed || interval.upper >= here - room, "moved: {interval:?} instead of {here:e}");
    }
}

/// A place to look from: on the way between two bodies, at a corner, or anywhere near.
pub fn somewhere(p: &Placed, r: &mut Random) -> DVec3 {
    let corner =
        |r: &mut Random| p.triangles[r.random_range(0..p.triangles.len())].corners()[r.random_range(0..3)];
    let (first, second) = (corner(r), corner(r));
    match r.random_range(0..4) {
        0 => first,
        1 => first.midpoint(second),
        2 => first + (second - first) * r.random_range(-2.0..3.0),
        _ => {
            let size = (second - first).abs().max_element();
            first + r.point() * 2.0 * size
        }
    }
}
