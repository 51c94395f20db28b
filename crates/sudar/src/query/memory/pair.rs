//! Slack and features of two bodies.

use super::saved::Saved;
use crate::effort::Meter;
use crate::math::{Interval, Pose};
use crate::motion::approach_of_poses;
use crate::pair::{disjoint_triangle_distance_bounds, triangles_intersect};
use crate::query::answer::{Aim, Distance, DistanceOptions, Found, Intersection, Within};
use crate::query::bodies::{Body, Identity, Placed, PosedSurface};
use crate::query::distance;
use crate::query::intersects::Intersects;
use crate::query::pairs::meeting::meet;
use crate::query::pairs::surface_distance::search_until;
use crate::query::verb::PairVerb;
use crate::query::within;
use crate::shape::Aabb;

/// Bounds and features of two bodies at the poses of the last query.
#[derive(Debug, Clone)]
pub(super) struct KnownPair {
    bodies: [Identity; 2],
    /// Around the bodies in their own frames.
    boxes: [Aabb; 2],
    poses: [Pose; 2],
    /// How much nearer they can have come by their last motion.
    step: f64,
    /// They are at least so far apart.
    slack: f64,
    /// Triangles that met, or were nearest, when last tested.
    features: Option<[u32; 2]>,
    patience: Patience,
}

impl KnownPair {
    /// Nothing is known yet. `None` if one of the bodies has no bounds.
    pub fn new(a: Placed, b: Placed) -> Option<Self> {
        let bodies = [a.body(), b.body()];
        let boxes = bodies.map(Body::own_aabb);
        boxes.iter().all(|b| b.min.is_finite() && b.max.is_finite()).then(|| Self {
            bodies: bodies.map(Body::identity),
            boxes,
            poses: [*a.pose(), *b.pose()],
            step: 0.0,
            slack: 0.0,
            features: None,
            patience: Patience::default(),
        })
    }

    /// Whether it is of these bodies.
    pub fn is_of(&self, a: &Body, b: &Body) -> bool {
        self.bodies == [a.identity(), b.identity()]
    }

    /// What is worth saving.
    #[cfg_attr(not(feature = "serde"), expect(dead_code, reason = "for those who write it down"))]
    pub fn saved(&self) -> Saved {
        Saved { features: self.features }
    }

    /// Takes up what was saved of two bodies, if it fits them.
    pub fn take_up(&mut self, saved: &Saved, a: Placed, b: Placed) {
        let Some((left, right)) = sides(a, b) else { return };
        self.features = saved.features.filter(|&[i, j]| i < left.count() && j < right.count());
    }

    /// Takes from the slack what the motion to these poses can have used up. What lies between does not
    /// matter, so that it need not be called for every pose.
    fn move_to(&mut self, pose_a: &Pose, pose_b: &Pose) {
        let now = [*pose_a, *pose_b];
        if now == self.poses {
            return;
        }
        self.step = approach_of_poses([&self.boxes[0], &self.boxes[1]], &self.poses, &now);
        self.poses = now;
        self.slack = (self.slack - self.step).max(0.0);
    }

    /// Whether there is nothing to go on from, and it did not pay to look for it lately.
    fn is_waiting(&self) -> bool {
        self.patience.wait > 0 && self.slack == 0.0 && self.features.is_none()
    }

    pub fn intersects(&mut self, a: Placed, b: Placed, meter: &mut Meter) -> Intersection {
        if self.is_waiting() {
            self.patience.wait -= 1;
            return Intersects.ask(a, b, meter);
        }
        self.move_to(a.pose(), b.pose());
        if self.slack > 0.0 {
            meter.count_remembered();
            self.patience.served();
            return Intersection::Apart;
        }
        match sides(a, b) {
            Some((left, right)) => {
                self.meeting(&left, &right, meter).named(|features| reported(a, b, features))
            }
            None => {
                let answer = Intersects.ask(a, b, meter);
                if answer == Intersection::Apart {
                    self.look_ahead_plainly(a, b, meter);
                }
                answer
            }
        }
    }

    fn meeting(&mut self, a: &PosedSurface, b: &PosedSurface, meter: &mut Meter) -> Intersection {
        if let Some([i, j]) = self.features
            && triangles_intersect(&a.triangle(i), &b.triangle(j))
        {
            meter.count_remembered();
            return Intersection::Touching { features: [i, j] };
        }
        let before = meter.statistics().nodes;
        let meeting = meet(a, b, meter);
        let plain = meter.statistics().nodes - before;
        match meeting {
            Intersection::Touching { features } => self.features = Some(features),
            Intersection::Apart => {
                self.features = None;
                self.look_ahead(a, b, (0.0, plain), meter);
            }
            Intersection::Undecided(_) => {}
        }
        meeting
    }

    /// Finds slack for the next queries beyond a threshold that the distance is known to exceed, if that is
    /// worth its cost beside that of the plain query, in nodes.
    fn look_ahead(
        &mut self,
        a: &PosedSurface,
        b: &PosedSurface,
        (threshold, plain): (f64, u64),
        meter: &mut Meter,
    ) {
        if self.step == 0.0 || meter.is_stopped() || !self.patience.is_worth_it() {
            return;
        }
        let is_cheap = plain <= FEW_NODES;
        let whole = if is_cheap { a.gap_of_wholes(b) } else { 0.0 };
        if whole - threshold > self.step {
            self.patience.paid_for_wholes();
            self.keep_lower(whole);
            return;
        }
        // Half of the way costs far less than all of it.
        let enough = |known: Interval| known.lower - threshold >= 0.5 * (known.upper - threshold);
        let before = meter.statistics().nodes;
        let left = search_until(a, b, &Aim::distance(DistanceOptions::EXACT), meter, &enough);
        self.patience.paid_for_search(meter.statistics().nodes - before, plain);
        let nearest = left.remaining.candidates.iter().fold(left.remaining.rest, |m, c| m.min(c.lower));
        self.keep_lower(nearest.max(left.gap));
    }

    /// The same for bodies that are no surfaces.
    fn look_ahead_plainly(&mut self, a: Placed, b: Placed, meter: &mut Meter) {
        if self.step == 0.0 || meter.is_stopped() || !self.patience.is_worth_it() {
            return;
        }
        let roughly = DistanceOptions { relative: 0.5, ..DistanceOptions::EXACT };
        self.keep_lower(distance::metered(a, b, &roughly, meter).interval.lower);
    }

    /// The nearest triangles of last time are at most so far apart now as the distance is.
    pub fn distance(
        &mut self,
        a: Placed,
        b: Placed,
        search: &DistanceOptions,
        meter: &mut Meter,
    ) -> Distance {
        self.move_to(a.pose(), b.pose());
        let known = sides(a, b).and_then(|(left, right)| self.known(&left, &right, meter));
        let most = known.map_or(f64::INFINITY, |found| found.interval.upper.next_up());
        let search = DistanceOptions { max: search.max.min(most), ..*search };
        let mut found = distance::metered(a, b, &search, meter);
        if let Some(known) = known.filter(|known| known.interval.upper < found.interval.upper) {
            found.interval.upper = known.interval.upper;
            (found.point_a, found.point_b) = (known.nearest.a, known.nearest.b);
            found.features = reported(a, b, known.features);
        }
        self.keep_lower(found.interval.lower);
        if is_numbered(a, b) {
            self.features = Some(found.features);
        }
        found
    }

    pub fn within(&mut self, a: Placed, b: Placed, tolerance: f64, meter: &mut Meter) -> Within {
        if self.is_waiting() {
            self.patience.wait -= 1;
            return within::metered(a, b, tolerance, meter);
        }
        self.move_to(a.pose(), b.pose());
        if self.slack > tolerance {
            meter.count_remembered();
            self.patience.served();
            return Within::No { lower: self.slack, plane: None };
        }
        let sides = sides(a, b);
        let known = sides.as_ref().and_then(|(left, right)| self.known(left, right, meter));
        if let Some(Found { nearest, interval, features: [i, j] }) = known
            && interval.upper <= tolerance
        {
            meter.count_remembered();
            let features = reported(a, b, [i, j]);
            return Within::Yes { point_a: nearest.a, point_b: nearest.b, features };
        }
        let before = meter.statistics().nodes;
        let answer = within::metered(a, b, tolerance, meter);
        let plain = meter.statistics().nodes - before;
        // Only a number that is a distance says anything of whether the bodies are apart.
        if tolerance.is_nan() {
            return answer;
        }
        match (&answer, &sides) {
            (Within::Yes { features, .. }, Some(_)) if is_numbered(a, b) => {
                self.features = Some(*features);
            }
            (Within::No { .. }, Some((left, right))) => {
                self.features = None;
                self.look_ahead(left, right, (tolerance, plain), meter);
            }
            (Within::No { .. }, None) => self.look_ahead_plainly(a, b, meter),
            (Within::Yes { .. } | Within::Undecided(_), _) => {}
        }
        answer
    }

    /// The bodies are known to be so far apart.
    fn keep_lower(&mut self, lower: f64) {
        self.slack = self.slack.max(lower);
    }

    /// Bounds on the distance from the known triangles; none if they meet, as then the distance has to be
    /// found otherwise.
    fn known(&self, a: &PosedSurface, b: &PosedSurface, meter: &mut Meter) -> Option<Found> {
        let [i, j] = self.features?;
        meter.count_triangles(1);
        let (t, u) = (a.triangle(i), b.triangle(j));
        if triangles_intersect(&t, &u) {
            return None;
        }
        let (nearest, interval) = disjoint_triangle_distance_bounds(&t, &u);
        Some(Found { nearest, interval, features: [i, j] })
    }
}

/// Whether it is worth its cost to look for slack. Where that did not pay it is tried ever more rarely.
#[derive(Debug, Clone, Copy, Default)]
struct Patience {
    /// Queries answered from what was found last.
    served: u32,
    /// How many plain queries cost what finding it did; 0 before the first time.
    cost: u32,
    /// Times not to try.
    wait: u32,
    /// How long the last wait was.
    pause: u32,
    /// How long the next one is at least.
    least_pause: u32,
}

/// Searching for slack costs as much as so many queries without, or more.
const WORTH: u32 = 24;

/// A query of no more nodes than this costs little more than the gap of the bodies as wholes, and a search as
/// much as some twenty of them, so that it has to serve twice as many and is not tried again soon.
const FEW_NODES: u64 = 2;
const WORTH_OF_FEW: u32 = 2 * WORTH;
const PAUSE_OF_FEW: u32 = 127;

/// The gap of the wholes costs less than so many queries.
const WORTH_OF_WHOLES: u32 = 2;

impl Patience {
    fn served(&mut self) {
        self.served = self.served.saturating_add(1);
    }

    fn paid_for_wholes(&mut self) {
        (self.cost, self.least_pause) = (WORTH_OF_WHOLES, 1);
    }

    /// Takes notice of what a search cost, beside a plain query.
    fn paid_for_search(&mut self, nodes: u64, plain: u64) {
        // A node of oriented boxes, and what begins and ends the search, cost as much as about eight of a plain query.
        let cost = u32::try_from(nodes.saturating_mul(8) / plain.max(1)).unwrap_or(u32::MAX);
        let (worth, pause) = if plain <= FEW_NODES { (WORTH_OF_FEW, PAUSE_OF_FEW) } else { (WORTH, 1) };
        (self.cost, self.least_pause) = (cost.max(worth), pause);
    }

    /// Called when slack is used up.
    fn is_worth_it(&mut self) -> bool {
        if self.wait > 0 {
            self.wait -= 1;
            return false;
        }
        let longer = (2 * self.pause + 1).clamp(self.least_pause, 1023);
        self.pause = if self.served >= self.cost { 0 } else { longer };
        self.wait = self.pause;
        self.served = 0;
        true
    }
}

/// Whether features of both bodies are triangles.
fn is_numbered(a: Placed, b: Placed) -> bool {
    a.body().is_numbered() && b.body().is_numbered()
}

/// The features by which triangles are reported.
fn reported(a: Placed, b: Placed, [i, j]: [u32; 2]) -> [u32; 2] {
    [a.body().feature(i), b.body().feature(j)]
}

/// The triangles of both bodies, if one is a mesh and the other has any.
fn sides<'a>(a: Placed<'a>, b: Placed<'a>) -> Option<(PosedSurface<'a>, PosedSurface<'a>)> {
    Some((a.surface()?, b.surface()?))
}
