//! Everything that must hold for a pair.

use sudar::convex::{
    Accuracy, Difference, GjkMemory, GjkOptions, PosedConvex, expanding_polytope, gjk, separating_axes,
};
use sudar::query::{
    Distance, DistanceOptions, Intersection, Memory, Penetration, distance, intersects, penetration,
};
use sudar::{DQuat, DVec3, Interval, Pose};
use sudar_testing::Random;
use sudar_testing::convex_bodies::{excess, height, vertices};
use sudar_testing::convex_pairs::Case;

use super::table::Stats;

/// One pair with its answers.
pub struct Judge<'a> {
    pub case: &'a Case,
    pub number: u64,
    pub stats: &'a mut Stats,
    found: Intersection,
    d: Distance,
    p: Penetration,
}

/// Whether both can hold the same number, up to `by`.
fn overlap(a: Interval, b: Interval, by: f64) -> bool {
    a.lower <= b.upper + by && b.lower <= a.upper + by
}

fn length(v: DVec3) -> f64 {
    let size = v.abs().max_element();
    if size > 0.0 { size * (v / size).length() } else { 0.0 }
}

impl<'a> Judge<'a> {
    pub fn new(case: &'a Case, number: u64, stats: &'a mut Stats) -> Self {
        let ([a, b], [p, q]) = (&case.bodies, &case.poses);
        Self {
            case,
            number,
            stats,
            found: intersects(a.at(p), b.at(q)),
            d: distance(a.at(p), b.at(q), &DistanceOptions::EXACT),
            p: penetration(a.at(p), b.at(q)),
        }
    }

    fn require(&mut self, holds: bool, label: &'static str) {
        if !holds {
            let Case { class, kinds, size, unit, .. } = self.case;
            let (d, s) = (self.d.interval, self.p.signed);
            let detail = format!(
                "pair {} {class} {kinds:?}: {:?}, distance {:e}..{:e}, signed {:e}..{:e}, normal {}, size {size:e}, ulp {unit:e}",
                self.number, self.found, d.lower, d.upper, s.lower, s.upper, self.p.normal
            );
            self.stats.fault(label, detail);
        }
    }

    /// Something that must be at most `limit`, measured.
    fn at_most(&mut self, value: f64, limit: f64, label: &'static str) {
        self.stats.measure(label, value, self.number);
        self.require(value <= limit, label);
    }

    pub fn judge(&mut self) {
        self.count();
        self.finite();
        self.consistent();
        self.known();
        self.swapped();
        self.witnesses();
        self.gaps();
        self.moved();
        self.second_methods();
        if self.number % 64 < 16 {
            self.motion();
        }
    }

    fn round(&self) -> bool {
        self.case.kinds.iter().any(|k| k.is_round())
    }

    fn count(&mut self) {
        let (size, unit) = (self.case.size.max(self.case.unit), self.case.unit);
        let mut kinds = self.case.kinds;
        kinds.sort_unstable();
        let width = self.d.interval.width();
        let depth = if self.p.signed.lower <= 0.0 { self.p.signed.width() / size } else { 0.0 };
        let row = self.stats.rows.entry(self.case.class).or_default();
        let work = self.stats.work.entry(kinds).or_default();
        for count in [row, work] {
            count.add("pairs", 1);
            count.add("apart", self.found == Intersection::Apart);
            count.add("touching", self.found.is_touching());
            count.add("undecided", self.found.decided().is_none());
            count.raise("distance/size", width / size);
            count.raise("distance/ulp", width / unit);
            count.raise("depth/size", depth);
        }
        self.stats.measure("width of a distance, relative to the size", width / size, self.number);
        self.stats.measure("width of a depth, relative to the size", depth, self.number);
    }

    fn finite(&mut self) {
        let (d, p) = (&self.d, &self.p);
        let points = [d.point_a, d.point_b, p.point_a, p.point_b, p.normal];
        let ends = [d.interval.lower, d.interval.upper, p.signed.lower, p.signed.upper];
        let finite = points.iter().all(|x| x.is_finite()) && ends.iter().all(|x| x.is_finite());
        let ordered = d.interval.lower <= d.interval.upper && p.signed.lower <= p.signed.upper;
        let unit = (p.normal.length() - 1.0).abs() < 1e-14;
        self.require(finite, "finite");
        self.require(ordered && d_is_not_negative(&self.d), "ordered");
        self.require(unit, "unit normal");
    }

    fn consistent(&mut self) {
        let (d, s) = (self.d.interval, self.p.signed);
        match self.found {
            Intersection::Apart => {
                self.require(d.upper > 0.0, "apart and distance zero");
                self.require(s.upper > 0.0, "apart and signed distance not positive");
                self.require(overlap(d, s, 0.0), "distance and signed distance contradict each other");
            }
            Intersection::Touching { .. } => {
                self.require(d.upper == 0.0, "touching and distance not zero");
                self.require(s.lower <= 0.0, "touching and signed distance positive");
            }
            Intersection::Undecided(_) => {
                self.require(self.round(), "undecided flat bodies");
                self.require(d.lower == 0.0, "undecided and distance positive");
                self.require(s.lower <= 0.0, "undecided and signed distance positive");
                // The pairs put beside each other have a known distance.
                let far = match self.case.gap {
                    Some(gap) if gap >= 0.0 => gap,
                    Some(depth) => depth.max(self.best()).abs(),
                    None => self.best().abs(),
                };
                self.stats.doubts.raise("undecided, ulp", far / self.case.unit);
                self.at_most(far / self.case.unit, 1e4, "undecided in ulp of the coordinates");
            }
        }
    }

    fn known(&mut self) {
        let Some(gap) = self.case.gap else { return };
        let (d, s, unit) = (self.d.interval, self.p.signed, self.case.unit);
        let out = |i: Interval, x: f64| (i.lower - x).max(x - i.upper).max(0.0) / unit;
        if gap >= 0.0 {
            self.at_most(out(d, gap), 16.0, "known distance outside the interval, ulp");
            self.at_most(out(s, gap), 16.0, "known distance outside the signed interval, ulp");
        } else {
            self.at_most((gap - s.upper) / unit, 16.0, "known depth beyond the interval, ulp");
        }
    }

    /// The greatest gap found: the signed distance, or a little less.
    fn best(&self) -> f64 {
        let mut random = Random::new(self.number);
        let starts = [self.p.normal, self.p.point_b - self.p.point_a, self.d.point_b - self.d.point_a];
        let starts = starts.into_iter().filter(|n| *n != DVec3::ZERO).map(|n| n / length(n));
        starts
            .flat_map(|n| [0.1, 1e-3, 1e-5].map(|step| (n, step)))
            .map(|(n, step)| self.climb(n, step, 400, &mut random))
            .fold(f64::NEG_INFINITY, f64::max)
    }

    fn swapped(&mut self) {
        let ([a, b], [p, q]) = (&self.case.bodies, &self.case.poses);
        let found = intersects(b.at(q), a.at(p));
        let same = match (self.found.decided(), found.decided()) {
            (Some(x), Some(y)) => x == y,
            (None, None) => true,
            (None, Some(_)) | (Some(_), None) => {
                self.stats.fault_if_flat(self.round());
                true
            }
        };
        self.require(same, "swapped: yes and no");
        let d = distance(b.at(q), a.at(p), &DistanceOptions::EXACT);
        self.require(overlap(self.d.interval, d.interval, 0.0), "swapped: distance");
        let s = penetration(b.at(q), a.at(p));
        self.require(overlap(self.p.signed, s.signed, 0.0), "swapped: signed distance");
    }

    fn witnesses(&mut self) {
        let unit = self.case.unit;
        let d = self.d;
        for i in 0..2 {
            let (body, pose) = (&self.case.bodies[i], &self.case.poses[i]);
            let points = [d.point_a, d.point_b];
            let off = excess(body, pose, points[i]);
            if d.interval.upper > 0.0 {
                self.at_most(off / unit, 64.0, "witness of distance off its body, ulp");
            } else {
                // A common point of bodies that touch within rounding is off by what the search left open.
                self.at_most(
                    (off - 64.0 * unit).max(0.0) / self.case.size.max(unit),
                    1e-7,
                    "common point off its body, relative to the size",
                );
            }
            let points = [self.p.point_a, self.p.point_b];
            let off = excess(body, pose, points[i]);
            self.at_most(off / unit, 1e3, "witness of depth off its body, ulp");
        }
        let apart = length(d.point_a - d.point_b);
        self.at_most(
            (apart - d.interval.upper).abs() / unit,
            64.0,
            "witnesses as far apart as the distance, ulp",
        );
        let s = self.p.signed;
        let way = (self.p.point_b - self.p.point_a).dot(self.p.normal);
        let out = (s.lower - way).max(way - s.upper).max(0.0);
        self.at_most(
            out / self.case.size.max(unit),
            1e-6,
            "witnesses of depth along the normal, relative to the size",
        );
        let aside = length((self.p.point_b - self.p.point_a) - self.p.normal * way);
        self.stats.measure(
            "witnesses of depth beside the normal, relative to the size",
            aside / self.case.size.max(unit),
            self.number,
        );
    }

    /// The gap of the shadows along a direction from the first body to the second: no more than the signed distance.
    fn gap(&self, n: DVec3) -> f64 {
        let ([a, b], [p, q]) = (&self.case.bodies, &self.case.poses);
        let base = p.translation();
        -(height(a.shape(), p, n, base) + height(b.shape(), q, -n, base))
    }

    fn gaps(&mut self) {
        let (s, d, unit) = (self.p.signed, self.d.interval, self.case.unit);
        let n = self.p.normal;
        let along = self.gap(n);
        // The normal shows the lower end, up to the rounding of the normal and of the heights.
        self.at_most((along - s.upper) / unit, 16.0, "gap along the normal above the signed distance, ulp");
        // A normal between points this near is off by an ulp of these, and tilts the bodies by as much.
        let margins: f64 = self.case.bodies.iter().map(|b| b.convex().unwrap().margin()).sum();
        let tilt = unit * self.case.size / (s.lower + margins).abs().max(unit);
        let short = s.lower - along;
        let label = if s.lower > 0.0 {
            "apart: gap along the normal below the distance, ulp and tilts"
        } else {
            "gap along the normal below the depth, ulp and tilts"
        };
        self.at_most(short / (unit + tilt), 64.0, label);
        let mut random = Random::new(self.number ^ 0x5eed);
        let mut best = (along, n);
        for _ in 0..6 {
            let n = random.direction();
            let gap = self.gap(n);
            if gap > best.0 {
                best = (gap, n);
            }
        }
        let climbed = self.climb(best.1, 0.3, 40, &mut random).max(self.climb(n, 1e-3, 40, &mut random));
        self.at_most((climbed - s.upper) / unit, 16.0, "some gap above the signed distance, ulp");
        self.at_most((climbed - d.upper) / unit, 16.0, "some gap above the distance, ulp");
        let points = [self.case.kinds[0], self.case.kinds[1]];
        if points.iter().all(|k| k.is_polytope()) {
            self.axes();
        }
    }

    /// Climbs from a direction to one with a greater gap.
    fn climb(&self, start: DVec3, step: f64, steps: u32, random: &mut Random) -> f64 {
        let (mut n, mut gap, mut step) = (start, self.gap(start), step);
        for _ in 0..steps {
            let next = (n + random.direction() * step).normalize();
            let better = self.gap(next);
            if better > gap {
                (n, gap) = (next, better);
            } else {
                step *= 0.8;
            }
        }
        gap
    }

    /// The greatest gap of small polytopes over products of all pairs of edges: each facet of the difference has one.
    fn axes(&mut self) {
        let edges = [0, 1].map(|i| {
            let v: Vec<DVec3> =
                vertices(self.case.bodies[i].shape()).iter().map(|p| self.case.poses[i].rotate(*p)).collect();
            let pairs = (0..v.len()).flat_map(|i| (i + 1..v.len()).map(move |j| (i, j)));
            pairs.map(|(i, j)| v[j] - v[i]).collect::<Vec<_>>()
        });
        let all: Vec<DVec3> = edges.concat();
        if all.len() > 24 {
            return;
        }
        let size = self.case.size;
        let mut most = f64::NEG_INFINITY;
        for i in 0..all.len() {
            for j in i + 1..all.len() {
                let n = (all[i] / size).cross(all[j] / size);
                // Of edges that are parallel up to rounding the product points anywhere.
                if n.length() > 1e-9 * (all[i].length() / size) * (all[j].length() / size)
                    && n.length() > 1e-200
                {
                    let n = n.normalize();
                    most = most.max(self.gap(n)).max(self.gap(-n));
                }
            }
        }
        if most <= 0.0 && most > f64::NEG_INFINITY {
            // They overlap, if at all, by no more than this; a lower end of the depth greater than it is false.
            self.at_most(
                (most - self.p.signed.upper) / self.case.unit,
                64.0,
                "gap along some axis above the signed distance, ulp",
            );
        }
    }

    fn at(&self, by: DVec3) -> Pose {
        let q = &self.case.poses[1];
        Pose::from_matrix(q.rotation(), q.translation() + by).unwrap()
    }

    fn moved(&mut self) {
        let ([a, b], [p, _]) = (&self.case.bodies, &self.case.poses);
        let (s, n, unit) = (self.p.signed, self.p.normal, self.case.unit);
        let slack = 256.0 * unit;
        if s.upper <= 0.0 {
            let out = self.at(n * (-s.lower * (1.0 + 1e-9) + slack));
            let parted = intersects(a.at(p), b.at(&out));
            self.require(!parted.is_touching(), "moved by the depth and not apart");
            self.unsure(parted);
            if -s.upper * 0.001 > slack {
                let within = self.at(n * (-s.upper * 0.999));
                let meet = intersects(a.at(p), b.at(&within));
                self.require(meet != Intersection::Apart, "moved by less than the depth and apart");
                self.unsure(meet);
            }
        } else if s.lower > slack {
            let nearer = self.at(n * (-s.lower * 0.999));
            let near = intersects(a.at(p), b.at(&nearer));
            if s.lower * 0.001 > slack {
                self.require(!near.is_touching(), "moved by less than the distance and not apart");
                self.unsure(near);
            }
            let met = penetration(a.at(p), b.at(&self.at(self.d.point_a - self.d.point_b))).signed;
            self.at_most(met.lower / unit, 64.0, "moved by the witnesses and apart, ulp");
        }
    }

    /// After a move that leaves a gap or a depth of 1e-9 of the size or more: round bodies only, and hardly ever.
    fn unsure(&mut self, answer: Intersection) {
        self.stats.doubts.add("moves", 1);
        if answer.decided().is_none() {
            self.stats.doubts.add("undecided after a move", 1);
            self.require(self.round(), "flat bodies undecided after a move");
        }
    }

    fn second_methods(&mut self) {
        let ([a, b], [p, q]) = (&self.case.bodies, &self.case.poses);
        let (a, b) = (PosedConvex::new(a.convex().unwrap(), p), PosedConvex::new(b.convex().unwrap(), q));
        let difference = Difference::new(a, b);
        let apart = self.found == Intersection::Apart;
        let meet = self.found.is_touching();
        let nesterov =
            GjkOptions { acceleration: sudar::convex::Acceleration::Nesterov, ..GjkOptions::DISTANCE };
        let found = gjk(&difference, &GjkMemory::NONE, &GjkOptions::DISTANCE);
        let fast = gjk(&difference, &GjkMemory::NONE, &nesterov);
        self.require(overlap(found.distance, fast.distance, 0.0), "GJK with momentum says otherwise");
        let polytope = usize::from(!difference.is_polytope());
        let bin = |n: u32| n.max(1).ilog2() as usize;
        self.stats.iterations[polytope][bin(found.iterations).min(9)] += 1;
        let mut kinds = self.case.kinds;
        kinds.sort_unstable();
        let work = self.stats.work.entry(kinds).or_default();
        work.add("iterations", found.iterations);
        work.raise("most iterations", found.iterations.into());
        if meet && found.distance.lower == 0.0 {
            let deep = expanding_polytope(&difference, found.simplex.vertices(), &Accuracy::default(), 512);
            work.add("depths", 1);
            work.add("expansions", deep.expansions);
            work.raise("most expansions", deep.expansions.into());
            work.add("at the limit", deep.expansions >= 512);
            self.stats.expansions[polytope][bin(deep.expansions).min(10)] += 1;
            let depth = Interval {
                lower: -self.p.signed.upper - difference.margin(),
                upper: -self.p.signed.lower - difference.margin(),
            };
            let rounding = self.case.unit;
            self.require(
                depth.upper < 0.0 || overlap(depth, deep.depth, rounding),
                "the expanding polytope says otherwise",
            );
        }
        if let Some(axes) = separating_axes(&a, &b) {
            self.require(
                overlap(axes.gap, self.p.signed, 0.0) || axes.gap.lower > 0.0,
                "separating axes: depth",
            );
            self.require(
                !(axes.gap.lower > 0.0 && meet || axes.gap.upper < 0.0 && apart),
                "separating axes: yes and no",
            );
        }
    }

    /// A smooth motion with a memory and without.
    fn motion(&mut self) {
        let ([a, b], [p, q]) = (&self.case.bodies, &self.case.poses);
        let mut random = Random::new(self.number);
        let (way, axis) = (random.direction() * self.case.size * 0.02, random.direction());
        let mut memories: [Memory; 3] = Default::default();
        for step in 0..12 {
            let turn = DQuat::from_axis_angle(axis, 0.02 * f64::from(step));
            let pose = Pose::from_matrix(
                sudar::DMat3::from_quat(turn) * q.rotation(),
                q.translation() + way * f64::from(step),
            )
            .unwrap();
            let (cold, warm) =
                (intersects(a.at(p), b.at(&pose)), memories[0].intersects(a.at(p), b.at(&pose)));
            let same = match (cold.decided(), warm.decided()) {
                (Some(x), Some(y)) => x == y,
                (None, _) | (_, None) => self.round(),
            };
            self.require(same, "with memory: yes and no");
            let cold = distance(a.at(p), b.at(&pose), &DistanceOptions::EXACT).interval;
            let warm = memories[1].distance(a.at(p), b.at(&pose), &DistanceOptions::EXACT).interval;
            self.require(
                overlap(cold, warm, 0.0) && (cold.upper == 0.0) == (warm.upper == 0.0),
                "with memory: distance",
            );
            let cold = penetration(a.at(p), b.at(&pose)).signed;
            let warm = memories[2].penetration(a.at(p), b.at(&pose)).signed;
            self.require(overlap(cold, warm, 0.0), "with memory: signed distance");
        }
    }
}

fn d_is_not_negative(d: &Distance) -> bool {
    d.interval.lower >= 0.0
}

impl Stats {
    /// One way round decided, the other not.
    fn fault_if_flat(&mut self, round: bool) {
        if round {
            self.measure("some pair decided only one way round (1 = yes)", 1.0, 0);
        } else {
            self.fault("swapped: undecided flat bodies", String::new());
        }
    }
}
