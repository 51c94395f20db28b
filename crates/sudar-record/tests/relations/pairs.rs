//! Relations of what the queries say of two bodies.

use sudar::convex::Accuracy;
use sudar::effort::Budget;
use sudar::query::{
    Batch, BatchTargets, Body, Distance, DistanceEnd, DistanceOptions, Intersection, Memory, Penetration,
    StopReason, Within, Work, closest_point, distance, intersects, penetration, penetration_within, within,
};
use sudar::{DVec3, Interval, Pose};

use crate::cases::Case;
use crate::count::Count;
use crate::replay::Asked;

/// How far the points of an answer may be off their bodies, and their distance off what is said of it, in ulp of the
/// largest coordinate.
const ROUNDING: f64 = 1024.0;

/// What is open must be this near to what it is compared with, in sizes of the bodies.
pub const OPEN: f64 = 1e-6;

/// How wide the depth of round bodies, and of those that touch within rounding, may be, in sizes of the bodies.
const SLIVERS: f64 = 1e-3;

/// How far a common point of two bodies, one of them round, may be off these, in sizes of the bodies.
const ROUGH: f64 = 1e-9;

pub fn relate(case: &Case, count: &mut Count) {
    let mut judge = Judge::new(case, count);
    judge.plain();
    judge.searches();
    judge.budgets();
    judge.memories();
    judge.tolerances();
    judge.depths();
    judge.lists();
    judge.swapped();
}

pub struct Judge<'c> {
    pub case: &'c Case,
    pub count: &'c mut Count,
    pub meet: Intersection,
    pub apart: Distance,
    pub deep: Penetration,
}

fn is_interval(i: Interval) -> bool {
    i.lower <= i.upper
}

impl<'c> Judge<'c> {
    fn new(case: &'c Case, count: &'c mut Count) -> Self {
        let Case { a, pose_a, b, pose_b, .. } = case;
        let meet = intersects(a.at(pose_a), b.at(pose_b));
        let apart = distance(a.at(pose_a), b.at(pose_b), &DistanceOptions::EXACT);
        let deep = penetration(a.at(pose_a), b.at(pose_b));
        Self { case, count, meet, apart, deep }
    }

    pub fn hold(&mut self, relation: &'static str, asked: Asked, holds: bool, said: impl FnOnce() -> String) {
        self.count.hold(relation, self.case, asked, holds, said);
    }

    fn open(&mut self, what: &'static str) {
        *self.count.open.entry(what).or_default() += 1;
    }

    /// What two geometries of one body may differ by: a face of more than three corners is no longer flat
    /// when these have been posed and rounded, and is then the hull of its corners to some queries and two
    /// triangles or more to others.
    pub fn bent(&self) -> f64 {
        if self.case.has(&["cuboid", "hull"]) { 8.0 * self.case.ulp() } else { 0.0 }
    }

    /// Whether two intervals that hold the same number have one in common.
    pub fn join(&self, a: Interval, b: Interval) -> bool {
        a.lower <= b.upper + self.bent() && b.lower <= a.upper + self.bent()
    }

    pub fn slack(&self) -> f64 {
        ROUNDING * self.case.ulp()
    }

    /// For points that are `upper` apart: a common point of round bodies that hardly overlap is rougher.
    pub fn slack_of(&self, upper: f64) -> f64 {
        let rough = upper == 0.0 && self.case.is_round();
        self.slack().max(if rough { ROUGH * self.case.size } else { 0.0 })
    }

    /// How far a point is from a body at least.
    fn off(body: &Body, pose: &Pose, point: DVec3) -> f64 {
        if point.is_finite() { closest_point(body.at(pose), point).distance.lower } else { f64::INFINITY }
    }

    /// The points are on the bodies.
    pub fn on_bodies(&self, point_a: DVec3, point_b: DVec3, slack: f64) -> bool {
        let Case { a, pose_a, b, pose_b, .. } = self.case;
        Self::off(a, pose_a, point_a) <= slack && Self::off(b, pose_b, point_b) <= slack
    }

    fn plain(&mut self) {
        let (meet, apart) = (self.meet, self.apart);
        let asked = Asked::Distance(DistanceOptions::EXACT);
        let said = || format!("{meet:?} {apart:?}");
        let Interval { lower, upper } = apart.interval;
        self.hold("a distance is an interval from zero on", asked, 0.0 <= lower && lower <= upper, said);
        let agree = match meet {
            Intersection::Apart => upper > 0.0,
            Intersection::Touching { .. } => upper == 0.0,
            Intersection::Undecided(_) => lower == 0.0 && upper > 0.0 && upper <= OPEN * self.case.size,
        };
        self.hold("they intersect where the distance is zero", asked, agree, said);
        let open = matches!(meet, Intersection::Undecided(_));
        if open {
            self.open("intersects");
        }
        self.hold("only round bodies stay open", asked, !open || self.case.is_round(), said);
        let precision = !matches!(meet, Intersection::Undecided(StopReason::Budget));
        self.hold(
            "no budget ends what has none",
            asked,
            precision && apart.end != DistanceEnd::Stopped(StopReason::Budget),
            said,
        );
        self.witnesses(asked, &apart, upper);
        self.feature_holds(&apart);
    }

    /// The points are on the bodies, as far apart as is said.
    fn witnesses(&mut self, asked: Asked, found: &Distance, upper: f64) {
        let slack = self.slack_of(upper);
        let length = (found.point_a - found.point_b).length();
        let Case { a, pose_a, b, pose_b, .. } = self.case;
        let off = [Self::off(a, pose_a, found.point_a), Self::off(b, pose_b, found.point_b)];
        let said = || format!("{found:?}, {length:e} for {upper:e}, off {off:?}, slack {slack:e}");
        self.hold("points are as far apart as said", asked, (length - upper).abs() <= slack, said);
        self.hold("points are on the bodies", asked, off.iter().all(|off| *off <= slack), said);
    }

    /// Nearest points are on the triangles said.
    fn feature_holds(&mut self, found: &Distance) {
        let Case { a, pose_a, b, pose_b, .. } = self.case;
        if found.interval.lower == 0.0 {
            return;
        }
        let bodies = [(a, pose_a, found.point_a), (b, pose_b, found.point_b)];
        for ((body, pose, point), feature) in bodies.into_iter().zip(found.features) {
            let numbered = ["mesh", "solid", "height field", "point cloud"]
                .contains(&sudar_testing::zoo::name(body.shape()));
            let (part, at) = if numbered {
                (body.posed_triangle(pose, feature).map(Body::new), Pose::IDENTITY)
            } else {
                let is_part = (feature as usize) < body.parts().len().max(1);
                (is_part.then(|| body.clone()), *pose)
            };
            let off = part.map_or(f64::INFINITY, |body| Self::off(&body, &at, point));
            let slack = self.slack();
            self.hold(
                "points are on their features",
                Asked::Distance(DistanceOptions::EXACT),
                off <= slack,
                || format!("{off:e} {found:?}"),
            );
        }
    }

    fn distance(&self, search: &DistanceOptions) -> Distance {
        let Case { a, pose_a, b, pose_b, .. } = self.case;
        distance(a.at(pose_a), b.at(pose_b), search)
    }

    /// Distances under `max`, `absolute`, `relative`.
    fn searches(&mut self) {
        let Interval { lower, upper } = self.apart.interval;
        let size = self.case.size.max(upper);
        let relative = |relative: f64| DistanceOptions { relative, ..DistanceOptions::EXACT };
        let searches = [
            relative(1e-9),
            relative(1e-2),
            DistanceOptions { absolute: 0.1 * size, ..DistanceOptions::EXACT },
            DistanceOptions { absolute: 1e-6 * size, relative: 1e-9, ..DistanceOptions::EXACT },
            DistanceOptions::up_to(0.0),
            DistanceOptions::up_to(0.5 * lower),
            DistanceOptions::up_to(lower.next_down().max(0.0)),
            DistanceOptions::up_to(upper),
            DistanceOptions::up_to(2.0 * upper),
            DistanceOptions { max: 0.9 * upper, ..relative(0.3) },
        ];
        for search in searches {
            let found = self.distance(&search);
            self.searched("alone", &search, &found);
        }
    }

    /// An answer under a search fits the plain one and is as narrow as asked or says why.
    fn searched(&mut self, how: &str, search: &DistanceOptions, found: &Distance) {
        let plain = self.apart.interval;
        let asked = Asked::Distance(*search);
        let said = || format!("{how}: {found:?}, plain {plain:?}");
        let Interval { lower, upper } = found.interval;
        let right = is_interval(found.interval) && lower >= 0.0 && self.join(found.interval, plain);
        self.hold("a distance under a search meets the plain one", asked, right, said);
        let beyond = found.end == DistanceEnd::BeyondMax;
        self.hold("beyond max is what is", asked, beyond == (lower > search.max), said);
        // A search may end before, where the interval is as narrow as asked.
        let certain = plain.lower <= search.max || beyond || found.end == DistanceEnd::Tolerance;
        self.hold("what is beyond max is said to be", asked, certain, said);
        let width = upper - lower;
        let narrow = width <= search.absolute.max(search.relative * upper);
        // As narrow as f64 gives it: a few ulp of the coordinates.
        let fine = width <= 1024.0 * f64::EPSILON * self.case.reach.max(upper);
        let true_word = match found.end {
            DistanceEnd::Exact => fine || (narrow && search.relative <= 1e-9),
            DistanceEnd::Tolerance => narrow,
            DistanceEnd::BeyondMax => true,
            DistanceEnd::Stopped(StopReason::Precision) => {
                !narrow && width <= OPEN * self.case.size.max(upper) && self.case.is_round()
            }
            DistanceEnd::Stopped(StopReason::Budget) => false,
        };
        self.hold("an interval is as wide as its end says", asked, true_word, said);
        if found.end == DistanceEnd::Stopped(StopReason::Precision) && search.relative >= 1e-9 {
            self.open("distance wider than 1e-9");
        }
        if !beyond {
            self.witnesses(asked, found, upper);
        }
    }

    fn budgets(&mut self) {
        let Case { a, pose_a, b, pose_b, .. } = self.case;
        for nodes in [0, 1, 5] {
            let mut work = Work::new(Budget::nodes(nodes));
            let asked = Asked::DistanceUnder(nodes);
            let found = work.distance(a.at(pose_a), b.at(pose_b), &DistanceOptions::EXACT);
            let (plain, stopped) = (self.apart, work.was_stopped());
            let said = || format!("{found:?}, plain {plain:?}");
            let right = is_interval(found.interval)
                && found.interval.lower >= 0.0
                && self.join(found.interval, plain.interval);
            self.hold("a budget only widens", asked, right, said);
            let same = stopped || found == plain;
            self.hold("a budget that is enough changes nothing", asked, same, said);
            let true_word = found.end != DistanceEnd::Stopped(StopReason::Budget) || stopped;
            self.hold("a budget is named where it ended", asked, true_word, said);
            self.witnesses(asked, &found, found.interval.upper);
            let mut work = Work::new(Budget::nodes(nodes));
            let meet = work.intersects(a.at(pose_a), b.at(pose_b));
            let (plain, agree) =
                (self.meet, meet.decided().is_none() || meet.decided() == self.meet.decided());
            self.hold("a budget turns no yes into a no", asked, agree, || format!("{meet:?} {plain:?}"));
            let tolerance = 0.5 * self.apart.interval.upper;
            let near = work.within(a.at(pose_a), b.at(pose_b), tolerance);
            self.near("under a budget", tolerance, &near, work.was_stopped());
        }
    }

    /// With a memory, cold and warm, and in a batch.
    fn memories(&mut self) {
        let Case { a, pose_a, b, pose_b, .. } = self.case;
        let mut memory = Memory::default();
        let shifted = Pose::from_matrix(
            pose_b.rotation(),
            pose_b.translation() + DVec3::new(3.0, -2.0, 1.0) * (1e-3 * self.case.size),
        )
        .unwrap();
        for step in ["cold", "warm", "moved away and back"] {
            if step == "moved away and back" {
                memory.distance(a.at(pose_a), b.at(&shifted), &DistanceOptions::EXACT);
                memory.intersects(a.at(pose_a), b.at(&shifted));
            }
            let upper = self.apart.interval.upper;
            for search in [
                DistanceOptions::EXACT,
                DistanceOptions::up_to(0.5 * upper),
                DistanceOptions { relative: 0.01, ..DistanceOptions::EXACT },
            ] {
                let found = memory.distance(a.at(pose_a), b.at(pose_b), &search);
                self.searched(step, &search, &found);
            }
            let meet = memory.intersects(a.at(pose_a), b.at(pose_b));
            let plain = self.meet;
            let open = meet.decided().is_none() || plain.decided().is_none();
            let agree = if open { self.case.is_round() } else { meet.decided() == plain.decided() };
            self.hold("a memory changes no yes or no", Asked::Intersects, agree, || {
                format!("{step}: {meet:?} {plain:?}")
            });
            for tolerance in [0.5 * upper, 2.0 * upper] {
                let near = memory.within(a.at(pose_a), b.at(pose_b), tolerance);
                self.near(step, tolerance, &near, false);
            }
            let deep = memory.penetration(a.at(pose_a), b.at(pose_b));
            let plain = self.deep;
            self.hold(
                "a depth with a memory meets the plain one",
                Asked::Penetration,
                self.join(deep.signed, plain.signed),
                || format!("{step}: {deep:?} {plain:?}"),
            );
        }
        let others = BatchTargets::Poses(b, std::slice::from_ref(pose_b));
        let batch = Batch::default();
        let a = a.at(pose_a);
        let apart = batch.others(others, |work, b| work.distance(a, b, &DistanceOptions::EXACT)).answers[0];
        let meet = batch.others(others, |work, b| work.intersects(a, b)).answers[0];
        let same = apart == self.apart && meet == self.meet;
        self.hold("a batch answers as one alone", Asked::Distance(DistanceOptions::EXACT), same, String::new);
    }

    fn tolerances(&mut self) {
        let Case { a, pose_a, b, pose_b, .. } = self.case;
        let Interval { lower, upper } = self.apart.interval;
        let size = self.case.size;
        let middle = lower + (upper - lower) * 0.5;
        let tolerances = [
            0.0,
            0.5 * lower,
            lower.next_down().max(0.0),
            lower,
            middle,
            upper,
            upper.next_up(),
            upper + 1e-7 * size,
            2.0 * upper,
            upper + size,
            (lower * (1.0 - 1e-5)).max(0.0),
        ];
        for tolerance in tolerances {
            let near = within(a.at(pose_a), b.at(pose_b), tolerance);
            self.near("alone", tolerance, &near, false);
            let swapped = within(b.at(pose_b), a.at(pose_a), tolerance);
            let agree = match (near.decided(), swapped.decided()) {
                (Some(x), Some(y)) => x == y,
                (_, _) => self.case.is_round() || self.case.kinds == ["halfspace"; 2],
            };
            self.hold("within is the same swapped", Asked::Within(tolerance), agree, || {
                format!("{near:?} {swapped:?}")
            });
        }
        let meets = within(a.at(pose_a), b.at(pose_b), 0.0).decided();
        let agree = meets.is_none() || self.meet.decided().is_none() || meets == self.meet.decided();
        let meet = self.meet;
        self.hold("within zero is to intersect", Asked::Within(0.0), agree, || format!("{meets:?} {meet:?}"));
    }

    /// What is said of a tolerance fits the distance.
    fn near(&mut self, how: &str, tolerance: f64, near: &Within, stopped: bool) {
        let plain = self.apart.interval;
        let asked = Asked::Within(tolerance);
        let said = || format!("{how}: {near:?}, distance {plain:?}");
        let right = match near {
            Within::Yes { .. } => plain.lower <= tolerance + self.bent(),
            Within::No { lower, .. } => {
                let most = plain.upper + self.bent();
                most > tolerance && *lower <= most && *lower >= tolerance
            }
            Within::Undecided(StopReason::Budget) => stopped,
            Within::Undecided(StopReason::Precision) => {
                tolerance >= plain.lower - OPEN * self.case.size
                    && tolerance <= plain.upper + OPEN * self.case.size
            }
        };
        self.hold("within fits the distance", asked, right, said);
        // Decided wherever the interval of the distance decides.
        let known = tolerance >= plain.upper || tolerance < plain.lower;
        let open = near.decided().is_none() && !stopped;
        self.hold("within is known where the distance says it", asked, !(open && known), said);
        if open {
            self.open("within");
            let round = self.case.is_round() || self.case.kinds == ["halfspace"; 2];
            self.hold("within is exact for all but round bodies", asked, round, said);
        }
        match near {
            Within::Yes { point_a, point_b, .. } => {
                let length = (*point_a - *point_b).length();
                let slack = self.slack_of(length);
                self.hold("points within are as near as asked", asked, length <= tolerance + slack, said);
                let on = self.on_bodies(*point_a, *point_b, slack);
                self.hold("points within are on the bodies", asked, on, said);
            }
            Within::No { plane: Some(plane), .. } => {
                let Case { a, pose_a, b, pose_b, .. } = self.case;
                let (boxes, n) = ([a.aabb(pose_a), b.aabb(pose_b)], plane.normal);
                let reach = |k: usize| {
                    let (low, high) = (n * boxes[k].min, n * boxes[k].max);
                    low.min(high).element_sum()..=low.max(high).element_sum()
                };
                let slack = 64.0 * self.case.ulp();
                // Bodies in their boxes: a rough test, yet of the signs.
                let sides = *reach(0).start() <= plane.offset + slack && *reach(1).end() > plane.offset;
                self.hold("a plane has the bodies on its sides", asked, sides, said);
            }
            Within::No { .. } | Within::Undecided(_) => {}
        }
    }

    fn depths(&mut self) {
        let Case { a, pose_a, b, pose_b, .. } = self.case;
        let (deep, apart, meet) = (self.deep, self.apart, self.meet);
        let asked = Asked::Penetration;
        let said = || format!("{deep:?}, {apart:?}, {meet:?}");
        let slack = self.slack();
        let signed = deep.signed;
        self.hold("a depth is an interval", asked, is_interval(signed) && deep.normal.is_finite(), said);
        let unit = (deep.normal.length() - 1.0).abs() < 1e-9;
        self.hold("a normal is of unit length", asked, unit, said);
        let agree = match meet {
            Intersection::Apart => {
                self.join(signed, apart.interval) || self.join(signed.widened(slack), apart.interval)
            }
            Intersection::Touching { .. } => signed.lower <= 0.0,
            Intersection::Undecided(_) => signed.lower <= apart.interval.upper,
        };
        self.hold("the sign of a depth fits", asked, agree, said);
        let sure = (signed.upper >= 0.0 || meet.decided() != Some(false))
            && (signed.lower <= 0.0 || meet.decided() != Some(true));
        self.hold("a sure depth is no contradiction", asked, sure, said);
        self.moved_out();
        let flat_pieces = [a, b].iter().any(|body| body.convex().is_none());
        if !flat_pieces && signed.lower.is_finite() {
            let width = signed.upper - signed.lower;
            let narrow =
                width <= (1e-9 * signed.lower.abs().max(signed.upper.abs())).max(1024.0 * self.case.ulp());
            if !narrow {
                self.open("depth wider than asked");
            }
            // Of bodies that hardly touch the polytope may end in slivers, of round ones with its greatest
            // number of faces.
            let touching = self.case.is_round() || (signed.upper >= 0.0 && apart.interval.lower == 0.0);
            let size = self.case.size.max(self.case.reach * 1e-6);
            let nearly = width <= if touching { SLIVERS } else { OPEN } * size;
            self.hold("a depth is as narrow as asked, or nearly", asked, narrow || nearly, said);
            let on = self.on_bodies(deep.point_a, deep.point_b, slack.max(OPEN * self.case.size));
            self.hold("points of a depth are on the bodies", asked, on, said);
        }
        let best =
            penetration_within(a.at(pose_a), b.at(pose_b), &Accuracy { absolute: 0.0, relative: 0.01 });
        self.hold("a rough depth meets the plain one", asked, self.join(best.signed, signed), || {
            format!("{best:?} {deep:?}")
        });
    }

    /// Moving the second body by the depth along the normal ends the overlap.
    fn moved_out(&mut self) {
        let Case { a, pose_a, b, pose_b, .. } = self.case;
        let (deep, size) = (self.deep, self.case.size.max(self.case.reach * 1e-6));
        if deep.signed.lower > 0.0 || !deep.signed.lower.is_finite() {
            return;
        }
        let way = deep.normal * (1e-7 * size - deep.signed.lower);
        let out = Pose::from_matrix(pose_b.rotation(), pose_b.translation() + way).unwrap();
        let after = intersects(a.at(pose_a), b.at(&out));
        self.hold("moving by the depth parts them", Asked::Penetration, !after.is_touching(), || {
            format!("{deep:?}, after it {after:?}")
        });
    }
}
