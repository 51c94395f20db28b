//! Slack, features and front of two bodies.

use std::collections::BTreeSet;

use glam::DVec3;

use super::approach::approach;
use super::saved::Saved;
use crate::effort::Meter;
use crate::math::{Interval, Pose};
use crate::pair::{disjoint_triangle_distance_bounds, triangles_intersect};
use crate::query::body::Identity;
use crate::query::distance::{self, Found};
use crate::query::intersects::{self, Meeting, enclosed_pieces};
use crate::query::posed::PosedSurface;
use crate::query::search::Search;
use crate::query::{Body, Distance, Doubt, Intersection, Within, within};
use crate::shape::Aabb;
use crate::tree::{Apart, Candidate, Front, Looked, Pair, Pending};

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
    front: Front<Pair>,
}

/// How far the surfaces of two bodies are apart, at least.
#[derive(Debug, Clone, Copy)]
struct Surfaces {
    lower: f64,
    /// Whether they certainly have not met since `inside` was found out.
    since: bool,
}

/// The slack that a walk looks for, in steps: so many queries can be answered from it.
const STEPS: f64 = 8.0;

impl KnownPair {
    /// Nothing is known yet. `None` if one of the bodies has no bounds.
    pub fn new((a, pose_a): (&Body, &Pose), (b, pose_b): (&Body, &Pose)) -> Option<Self> {
        let boxes = [a, b].map(|body| body.aabb(&Pose::IDENTITY));
        boxes.iter().all(|b| b.min.is_finite() && b.max.is_finite()).then(|| Self {
            bodies: [a.identity(), b.identity()],
            boxes,
            poses: [*pose_a, *pose_b],
            step: 0.0,
            surfaces: Surfaces { lower: 0.0, since: false },
            inside: None,
            features: None,
            front: Front::new(),
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
    pub fn saved(&self) -> Saved {
        let front = self.front.pairs().map(|pair| [pair.a, pair.b]).collect();
        Saved { features: self.features, front }
    }

    /// Takes up what was saved of two bodies, if it fits them.
    pub fn take_up(&mut self, saved: Saved, a: (&Body, &Pose), b: (&Body, &Pose)) {
        let Some((left, right)) = sides(a, b) else { return };
        self.features = saved.features.filter(|&[i, j]| i < left.count() && j < right.count());
        let pairs: BTreeSet<Pair> = saved.front.into_iter().map(|[a, b]| Pair { a, b }).collect();
        if Front::holds_everything(&Apart::new(left.layered(), right.layered()), &pairs) {
            self.front = Front::of(pairs.into_iter());
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

    pub fn intersects(&mut self, a: (&Body, &Pose), b: (&Body, &Pose), meter: &mut Meter) -> Intersection {
        if self.surfaces.since {
            meter.count_remembered();
            return self.inside.map_or(Intersection::Apart, |[i, j]| Intersection::Touching {
                features: [a.0.feature(i), b.0.feature(j)],
            });
        }
        match sides(a, b) {
            Some((left, right)) => match self.meeting(&left, &right, meter) {
                Meeting::At([i, j]) => Meeting::At([a.0.feature(i), b.0.feature(j)]).into(),
                other @ (Meeting::Never | Meeting::Unknown(_)) => other.into(),
            },
            None => self.asked_plainly(a, b, meter),
        }
    }

    /// Bodies without front: a lower bound on their distance lets the next queries be answered from slack.
    fn asked_plainly(&mut self, a: (&Body, &Pose), b: (&Body, &Pose), meter: &mut Meter) -> Intersection {
        let answer = intersects::metered(a.0, a.1, b.0, b.1, meter);
        if answer == Intersection::Apart {
            let roughly = Search { relative: 0.5, ..Search::EXACT };
            let found = distance::metered(a.0, a.1, b.0, b.1, &roughly, meter);
            self.surfaces = Surfaces { lower: found.interval.lower, since: found.interval.lower > 0.0 };
            self.inside = None;
        }
        answer
    }

    fn meeting(&mut self, a: &PosedSurface, b: &PosedSurface, meter: &mut Meter) -> Meeting {
        if let Some([i, j]) = self.features
            && triangles_intersect(&a.triangle(i), &b.triangle(j))
        {
            meter.count_remembered();
            return Meeting::At([i, j]);
        }
        let seen = self.walk(a, b, &Aim::Beyond { threshold: 0.0, enough: STEPS * self.step }, meter);
        match seen.hit {
            Some(features) => Meeting::At(features),
            None if meter.is_stopped() => Meeting::Unknown(Doubt::Budget),
            None => self.where_apart(a, b),
        }
    }

    /// Whether one of two bodies, whose surfaces do not meet, is inside the other.
    fn where_apart(&mut self, a: &PosedSurface, b: &PosedSurface) -> Meeting {
        if !self.surfaces.since {
            self.inside = match enclosed_pieces(a, b) {
                Meeting::At(features) => Some(features),
                Meeting::Never | Meeting::Unknown(_) => None,
            };
            self.surfaces.since = self.surfaces.lower > 0.0;
        }
        self.inside.map_or(Meeting::Never, Meeting::At)
    }

    pub fn distance(
        &mut self,
        a: (&Body, &Pose),
        b: (&Body, &Pose),
        search: &Search,
        meter: &mut Meter,
    ) -> Distance {
        let plainly = |meter: &mut Meter| distance::metered(a.0, a.1, b.0, b.1, search, meter);
        let Some((left, right)) = sides(a, b) else {
            let found = plainly(meter);
            self.keep_lower(found.interval.lower);
            return found;
        };
        let seen = self.walk(&left, &right, &Aim::Distance(*search), meter);
        if seen.hit.is_some() {
            return plainly(meter);
        }
        if !meter.is_stopped() && matches!(self.where_apart(&left, &right), Meeting::At(_)) {
            return plainly(meter);
        }
        let Some(nearest) = seen.nearest else { return plainly(meter) };
        // Stopped before it was clear whether one is inside the other, or one is known to be.
        let unclear = meter.is_stopped() && (!self.surfaces.since || self.inside.is_some());
        let lower = if unclear { 0.0 } else { seen.lower.min(nearest.interval.upper) };
        let features = [a.0.feature(nearest.features[0]), b.0.feature(nearest.features[1])];
        let interval = Interval { lower, ..nearest.interval };
        Found { interval, features, ..nearest }.answer(search, meter.is_stopped())
    }

    pub fn within(
        &mut self,
        a: (&Body, &Pose),
        b: (&Body, &Pose),
        tolerance: f64,
        meter: &mut Meter,
    ) -> Within {
        let slack = self.slack();
        if slack > tolerance {
            meter.count_remembered();
            return Within::No { lower: slack, plane: None };
        }
        let plainly = |meter: &mut Meter| within::metered(a.0, a.1, b.0, b.1, tolerance, meter);
        let Some((left, right)) = sides(a, b) else {
            let found = plainly(meter);
            if let Within::No { lower, .. } = found {
                self.keep_lower(lower);
            }
            return found;
        };
        let aim = Aim::Beyond { threshold: tolerance, enough: tolerance + STEPS * self.step };
        let seen = self.walk(&left, &right, &aim, meter);
        if let Some(Found { nearest, interval, features: [i, j] }) = seen.nearest
            && interval.upper <= tolerance
        {
            let features = [a.0.feature(i), b.0.feature(j)];
            return Within::Yes { point_a: nearest.a, point_b: nearest.b, features };
        }
        if meter.is_stopped() {
            return Within::Undecided(Doubt::Budget);
        }
        let apart = seen.hit.is_none() && matches!(self.where_apart(&left, &right), Meeting::Never);
        if apart && seen.lower > tolerance {
            return Within::No { lower: seen.lower, plane: None };
        }
        plainly(meter)
    }

    /// The bodies, and so their surfaces, are known to be so far apart.
    fn keep_lower(&mut self, lower: f64) {
        self.surfaces = Surfaces { lower, since: lower > 0.0 };
        self.inside = None;
    }

    /// Walks on from the front.
    fn walk(&mut self, a: &PosedSurface, b: &PosedSurface, aim: &Aim, meter: &mut Meter) -> Seen {
        let apart = Apart::new(a.layered(), b.layered());
        let mut seen = Seen { lower: 0.0, nearest: None, hit: None };
        if let Some(features) = self.features {
            seen.look(a, b, features, meter);
        }
        let (mut pending, mut candidates) = (Pending::default(), Vec::new());
        seen.lower = self.front.walk(&apart, aim.limit(&seen), meter, |pair, limit, meter| {
            let way =
                seen.nearest.map_or(DVec3::X, |found| a.pose.unrotate(found.nearest.b - found.nearest.a));
            apart.leaves(pair, way, limit, &mut pending, &mut candidates);
            apart.flush(limit, &mut pending, &mut candidates);
            // Those that were left out are farther apart than the limit.
            let lower = seen.look_at_all(a, b, &mut candidates, aim, meter);
            Looked { lower: lower.min(limit), limit: aim.limit(&seen) }
        });
        self.features = seen.hit.or(seen.nearest.map(|found| found.features));
        self.surfaces.lower = if seen.hit.is_some() { 0.0 } else { seen.lower.max(self.surfaces.lower) };
        seen
    }
}

/// What a walk is after.
#[derive(Debug, Clone, Copy)]
enum Aim {
    /// The distance.
    Distance(Search),
    /// Whether the distance is more than `threshold`, and if so about by how much, up to `enough`.
    Beyond { threshold: f64, enough: f64 },
}

impl Aim {
    /// How far pairs are of interest.
    fn limit(&self, seen: &Seen) -> f64 {
        let upper = seen.nearest.map_or(f64::INFINITY, |found| found.interval.upper);
        if seen.hit.is_some() {
            return NOTHING;
        }
        match *self {
            Self::Distance(search) => {
                let width = search.absolute.max(search.relative * upper);
                // Where nothing was found yet any width is too much.
                let narrow = if upper.is_finite() { upper - width } else { upper };
                narrow.min(search.max)
            }
            Self::Beyond { threshold, .. } if upper <= threshold => NOTHING,
            // Half of the way there is slack enough.
            Self::Beyond { threshold, enough } => (threshold + 0.5 * (upper - threshold)).min(enough),
        }
    }
}

/// No pair is of interest.
const NOTHING: f64 = -1.0;

/// What a walk has seen of two surfaces.
struct Seen {
    /// They are at least so far apart.
    lower: f64,
    /// The nearest pair of triangles so far, less what [`Seen::lower`] says.
    nearest: Option<Found>,
    /// A pair of triangles that meet.
    hit: Option<[u32; 2]>,
}

impl Seen {
    /// Looks at candidates, the most promising first, while they are of interest; a lower bound on the distance of all.
    fn look_at_all(
        &mut self,
        a: &PosedSurface,
        b: &PosedSurface,
        candidates: &mut Vec<Candidate>,
        aim: &Aim,
        meter: &mut Meter,
    ) -> f64 {
        candidates.sort_unstable_by(|p, q| p.upper.total_cmp(&q.upper).then(p.triangles.cmp(&q.triangles)));
        let mut lower = f64::INFINITY;
        for candidate in candidates.drain(..) {
            let exactly = candidate.lower <= aim.limit(self);
            lower = lower.min(if exactly {
                self.look(a, b, candidate.triangles, meter)
            } else {
                candidate.lower
            });
        }
        lower
    }

    /// Looks at two triangles; a lower bound on their distance.
    fn look(&mut self, a: &PosedSurface, b: &PosedSurface, [i, j]: [u32; 2], meter: &mut Meter) -> f64 {
        meter.count_triangles(1);
        let (t, u) = (a.triangle(i), b.triangle(j));
        if triangles_intersect(&t, &u) {
            self.hit = self.hit.or(Some([i, j]));
            return 0.0;
        }
        let (nearest, interval) = disjoint_triangle_distance_bounds(&t, &u);
        let found = Found { nearest, interval, features: [i, j] };
        if self.nearest.is_none_or(|best| interval.upper < best.interval.upper) {
            self.nearest = Some(found);
        }
        interval.lower
    }
}

/// The triangles of both bodies, if one is a mesh and the other has any.
fn sides<'a>(
    a: (&'a Body, &'a Pose),
    b: (&'a Body, &'a Pose),
) -> Option<(PosedSurface<'a>, PosedSurface<'a>)> {
    let (left, right) = (a.0.surface()?, b.0.surface()?);
    Some((PosedSurface::new(left, a.1), PosedSurface::new(right, b.1)))
}
