//! Slack, features and front of two bodies.

use super::approach::approach;
use super::looking::{Looking, Seen};
use super::saved::Saved;
use crate::effort::Meter;
use crate::math::{Interval, Pose};
use crate::pair::triangles_intersect;
use crate::query::answer::{Aim, Distance, Found, Intersection, Search, Within};
use crate::query::bodies::{Body, Identity, Placed, PosedSurface};
use crate::query::distance;
use crate::query::intersects::Intersects;
use crate::query::pairs::meeting::{enclosed_pieces, meet};
use crate::query::pairs::surface_distance::search_until;
use crate::query::verb::PairVerb;
use crate::query::within::Near;
use crate::shape::Aabb;
use crate::tree::{Along, Apart, Front, Group, Pairs};

/// What is known of two bodies at the poses at which they were last asked about.
#[derive(Debug, Clone)]
pub(super) struct KnownPair {
    bodies: [Identity; 2],
    /// Around the bodies in their own frames.
    boxes: [Aabb; 2],
    poses: [Pose; 2],
    /// How much nearer they can have come by their last motion.
    step: f64,
    surfaces: Surfaces,
    /// One body lies inside the other, which is a solid, and these are the features to report; changes only while the
    /// surfaces may have met.
    inside: Option<[u32; 2]>,
    /// Triangles that met, or were nearest, when last looked at.
    features: Option<[u32; 2]>,
    front: Front<Group>,
    /// What the last distance without it took.
    plain_nodes: u64,
    patience: Patience,
    /// With the front.
    front_patience: Patience,
}

/// How far the surfaces of two bodies are apart, at least.
#[derive(Debug, Clone, Copy)]
struct Surfaces {
    lower: f64,
    /// Whether they certainly have not met since `inside` was found out.
    since: bool,
}

/// Pairs whose slack lasts for so many steps are kept in the queue of the front.
const STEPS: f64 = 8.0;

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
            surfaces: Surfaces { lower: 0.0, since: false },
            inside: None,
            features: None,
            front: Front::new(),
            plain_nodes: 0,
            patience: Patience::default(),
            front_patience: Patience::default(),
        })
    }

    /// Whether it is of these bodies.
    pub fn is_of(&self, a: &Body, b: &Body) -> bool {
        self.bodies == [a.identity(), b.identity()]
    }

    pub fn front_size(&self) -> usize {
        self.front.len()
    }

    /// What is worth saving.
    #[cfg_attr(not(feature = "serde"), expect(dead_code, reason = "for those who write it down"))]
    pub fn saved(&self) -> Saved {
        let front = self.front.groups().collect();
        Saved { features: self.features, front }
    }

    /// Takes up what was saved of two bodies, if it fits them.
    pub fn take_up(&mut self, saved: Saved, a: Placed, b: Placed) {
        let Some((left, right)) = sides(a, b) else { return };
        self.features = saved.features.filter(|&[i, j]| i < left.count() && j < right.count());
        let apart = Apart::new(left.layered(), right.layered());
        let pairs = Pairs::new(Along::new(&apart, None));
        if let Some(front) = Front::of(&pairs, saved.front.into_iter()) {
            self.front = front;
        }
    }

    /// Takes from all slack what the motion to these poses can have used up.
    pub fn move_to(&mut self, pose_a: &Pose, pose_b: &Pose) {
        let now = [*pose_a, *pose_b];
        if now == self.poses {
            return;
        }
        self.step = approach([&self.boxes[0], &self.boxes[1]], &self.poses, &now);
        self.poses = now;
        self.front.travel(self.step);
        self.surfaces.lower -= self.step;
        if self.surfaces.lower <= 0.0 {
            self.surfaces = Surfaces { lower: 0.0, since: false };
        }
    }

    /// A lower bound on the distance of the bodies that needs no walk.
    fn slack(&self) -> f64 {
        if self.surfaces.since && self.inside.is_none() { self.surfaces.lower } else { 0.0 }
    }

    pub fn intersects(&mut self, a: Placed, b: Placed, meter: &mut Meter) -> Intersection {
        if self.surfaces.since {
            meter.count_remembered();
            self.patience.served();
            return touching(self.inside).named(|features| reported(a, b, features));
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
        let meeting = meet(a, b, meter);
        match meeting {
            Intersection::Touching { features } => self.features = Some(features),
            Intersection::Apart => self.look_ahead(a, b, 0.0, meter),
            Intersection::Undecided(_) => {}
        }
        meeting
    }

    /// Finds slack for the next queries beyond a threshold that the distance is known to exceed, if that is worth its cost.
    fn look_ahead(&mut self, a: &PosedSurface, b: &PosedSurface, threshold: f64, meter: &mut Meter) {
        if self.step == 0.0 || meter.is_stopped() || !self.patience.is_worth_it() {
            return;
        }
        // Half of the way costs far less than all of it.
        let enough = |known: Interval| known.lower - threshold >= 0.5 * (known.upper - threshold);
        let left = search_until(a, b, &Aim::distance(Search::EXACT), meter, &enough);
        let nearest = left.remaining.candidates.iter().fold(left.remaining.rest, |m, c| m.min(c.lower));
        self.keep_lower(nearest.max(left.gap));
    }

    /// The same for bodies that are no surfaces.
    fn look_ahead_plainly(&mut self, a: Placed, b: Placed, meter: &mut Meter) {
        if self.step == 0.0 || meter.is_stopped() || !self.patience.is_worth_it() {
            return;
        }
        let roughly = Search { relative: 0.5, ..Search::EXACT };
        self.keep_lower(distance::metered(a, b, &roughly, meter).interval.lower);
    }

    /// Whether one of two bodies, whose surfaces do not meet, is inside the other.
    fn where_apart(&mut self, a: &PosedSurface, b: &PosedSurface) -> Intersection {
        if !self.surfaces.since {
            self.inside = match enclosed_pieces(a, b) {
                Intersection::Touching { features } => Some(features),
                Intersection::Apart | Intersection::Undecided(_) => None,
            };
            self.surfaces.since = self.surfaces.lower > 0.0;
        }
        touching(self.inside)
    }

    pub fn distance(&mut self, a: Placed, b: Placed, search: &Search, meter: &mut Meter) -> Distance {
        let plainly = |meter: &mut Meter| distance::metered(a, b, search, meter);
        let Some((left, right)) = sides(a, b) else {
            let found = plainly(meter);
            self.keep_lower(found.interval.lower);
            return found;
        };
        if self.front_patience.wait > 0 {
            self.front_patience.wait -= 1;
            self.front = Front::new();
            return self.distance_plainly(a, b, search, meter);
        }
        // A walk that begins a front is for those who ask again.
        if self.features.is_none() && is_numbered(a, b) || self.front.is_to_be_compared() {
            return self.distance_plainly(a, b, search, meter);
        }
        let seen = self.walk(&left, &right, search, meter);
        if let Some(it_paid) = self.front.has_paid() {
            self.front_patience.waited(it_paid);
        }
        if seen.hit.is_some() {
            return plainly(meter);
        }
        if !meter.is_stopped() && self.where_apart(&left, &right).is_touching() {
            return plainly(meter);
        }
        let Some(nearest) = seen.nearest else { return plainly(meter) };
        // Stopped before it was clear whether one is inside the other, or one is known to be.
        let unclear = meter.is_stopped() && (!self.surfaces.since || self.inside.is_some());
        let lower = if unclear { 0.0 } else { seen.lower.min(nearest.interval.upper) };
        let features = reported(a, b, nearest.features);
        let interval = Interval { lower, ..nearest.interval };
        let reach = left.reach().max(right.reach());
        Found { interval, features, ..nearest }.answer(search, reach, meter.is_stopped())
    }

    fn distance_plainly(&mut self, a: Placed, b: Placed, search: &Search, meter: &mut Meter) -> Distance {
        let before = meter.statistics().nodes;
        let found = distance::metered(a, b, search, meter);
        self.plain_nodes = meter.statistics().nodes - before;
        self.keep_lower(found.interval.lower);
        if is_numbered(a, b) {
            self.features = Some(found.features);
        }
        found
    }

    pub fn within(&mut self, a: Placed, b: Placed, tolerance: f64, meter: &mut Meter) -> Within {
        let slack = self.slack();
        if slack > tolerance {
            meter.count_remembered();
            self.patience.served();
            return Within::No { lower: slack, plane: None };
        }
        let sides = sides(a, b);
        if let (Some((left, right)), Some([i, j])) = (&sides, self.features) {
            let mut seen = Seen::nothing();
            seen.look(left, right, [i, j], meter);
            if let Some(Found { nearest, interval, features: [i, j] }) = seen.nearest
                && interval.upper <= tolerance
            {
                meter.count_remembered();
                let features = reported(a, b, [i, j]);
                return Within::Yes { point_a: nearest.a, point_b: nearest.b, features };
            }
        }
        let answer = Near { tolerance }.ask(a, b, meter);
        // Only a number that is a distance says anything of whether the bodies are apart.
        if tolerance.is_nan() {
            return answer;
        }
        match (&answer, &sides) {
            (Within::Yes { features, .. }, Some(_)) if is_numbered(a, b) => {
                self.features = Some(*features);
            }
            (Within::No { .. }, Some((left, right))) => self.look_ahead(left, right, tolerance, meter),
            (Within::No { .. }, None) => self.look_ahead_plainly(a, b, meter),
            (Within::Yes { .. } | Within::Undecided(_), _) => {}
        }
        answer
    }

    /// The bodies, and so their surfaces, are known to be so far apart.
    fn keep_lower(&mut self, lower: f64) {
        if lower > 0.0 {
            self.surfaces = Surfaces { lower, since: true };
            self.inside = None;
        }
    }

    /// Walks on from the front.
    fn walk(&mut self, a: &PosedSurface, b: &PosedSurface, search: &Search, meter: &mut Meter) -> Seen {
        let apart = Apart::new(a.layered(), b.layered());
        let mut seen = Seen::nothing();
        if let Some(features) = self.features {
            seen.look(a, b, features, meter);
        }
        let way = seen.nearest.map(|found| a.pose.unrotate(found.nearest.b - found.nearest.a));
        let along = Along::new(&apart, way);
        let (mut pairs, mut looking) = (Pairs::new(along), Looking::new([a, b], seen, search, along));
        let rest = self.front.walk(&mut pairs, &mut looking, (STEPS * self.step, self.plain_nodes), meter);
        let mut seen = looking.seen;
        seen.lower = rest.min(looking.lower);
        self.features = seen.hit.or(seen.nearest.map(|found| found.features));
        self.surfaces.lower = if seen.hit.is_some() { 0.0 } else { seen.lower.max(self.surfaces.lower) };
        seen
    }
}

/// Whether it is worth its cost to look for slack, or to go on from a front. Where that did not pay it is tried ever more
/// rarely.
#[derive(Debug, Clone, Copy, Default)]
struct Patience {
    /// Queries answered from what was found last.
    served: u32,
    /// Times not to try.
    wait: u32,
    /// How long the last wait was.
    pause: u32,
}

/// Finding slack costs as much as so many queries without.
const WORTH: u32 = 12;

impl Patience {
    fn served(&mut self) {
        self.served = self.served.saturating_add(1);
    }

    /// To be asked when slack is used up.
    fn is_worth_it(&mut self) -> bool {
        if self.wait > 0 {
            self.wait -= 1;
            return false;
        }
        self.waited(self.served >= WORTH);
        self.served = 0;
        true
    }

    /// What was tried did pay, or did not.
    fn waited(&mut self, it_paid: bool) {
        self.pause = if it_paid { 0 } else { (2 * self.pause + 1).min(1023) };
        self.wait = self.pause;
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

fn touching(features: Option<[u32; 2]>) -> Intersection {
    features.map_or(Intersection::Apart, |features| Intersection::Touching { features })
}

/// The triangles of both bodies, if one is a mesh and the other has any.
fn sides<'a>(a: Placed<'a>, b: Placed<'a>) -> Option<(PosedSurface<'a>, PosedSurface<'a>)> {
    Some((a.surface()?, b.surface()?))
}
