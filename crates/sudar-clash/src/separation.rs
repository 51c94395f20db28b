//! How far a part has to be moved until it is out of another, and where to.
//!
//! From above: translations after which the parts lie on different sides of a plane, and shorter ones, after which the
//! exact test says that they overlap no more. From below: two balls around one point, one in each part, have to move
//! apart by the sum of their radii, and two triangles that pass through each other by their penetration.

use sudar::query::{Body, Work};
use sudar::{DVec3, Interval, Pose, Shape, Triangle};

use crate::depth::{box_separation, penetration_of, unit};
use crate::found::Separation;
use crate::options::ClashKind;
use crate::pair::Pair;
use crate::posed::Posed;
use crate::regions::{Overlap, SAME_WAY};

/// How many regions are asked for the way out of them.
const REGIONS: usize = 3;
/// How many normals of faces are tried for what is inside as a whole.
const FACES: usize = 12;
/// How many pairs of triangles are measured.
const CROSSINGS: usize = 4;
/// How often a part is moved on along one way if it overlaps still.
const MOVES: usize = 3;
/// How often it is moved altogether: each time costs about as much as finding out that the parts overlap.
const TESTS: usize = 6;
/// An interval as narrow as this, as a factor, is not narrowed by balls and planes.
const NARROW: f64 = 1.05;
/// As narrow as this it is not narrowed by exact tests, which cost many times as much.
const WIDE: f64 = 1.5;
/// What rounding may add to a way, relative to the largest coordinate.
const ROUNDING: f64 = 16.0 * f64::EPSILON;
/// By how much more a part is moved at first, so that rounding tells it apart from the other.
const FIRST_SLACK: f64 = 4096.0 * f64::EPSILON;
/// By how much more beyond that with each step.
const MORE_SLACK: f64 = 8.0;

/// The separation of parts that overlap, whose triangles meet in these pairs.
pub(crate) fn separation(
    pair: &Pair<'_>,
    pairs: &[[u32; 2]],
    overlaps: &[Overlap],
    work: &mut Work<'_>,
) -> Separation {
    let (direction, length) = box_separation(pair.a.bounds, pair.b.bounds);
    let upper = length + pair.deviations.sum();
    let lower = overlaps.iter().map(Overlap::room).fold(0.0, f64::max);
    let best = Separation { length: Interval { lower, upper }, direction };
    let mut search = Search { pair, best, tests: TESTS };
    if search.is_wider(NARROW) {
        search.by_balls(overlaps, work);
    }
    let ways = if search.is_wider(NARROW) { ways(pair, overlaps) } else { Vec::new() };
    search.by_planes(&ways);
    // The exact test knows triangles alone.
    if search.is_wider(WIDE) && pair.deviations.sum() == 0.0 {
        search.by_moves(&ways, work);
    }
    if search.is_wider(WIDE) {
        search.by_triangles(pairs, work);
    }
    let Separation { length: Interval { lower, upper }, direction } = search.best;
    let lower = (lower.min(upper) - pair.deviations.sum()).max(0.0);
    Separation { length: Interval { lower, upper }, direction }
}

/// A way on which `b` may come out of `a`, and how far it has to go at the least to leave what is known of the overlap.
#[derive(Debug, Clone, Copy)]
struct Way {
    direction: DVec3,
    /// None where that is as far as the whole parts reach.
    least: Option<f64>,
}

/// The thin directions of the deepest regions, both ways; the ways out through the nearest faces; and for what is
/// inside as a whole all faces of the other.
fn ways(pair: &Pair<'_>, overlaps: &[Overlap]) -> Vec<Way> {
    let mut ways: Vec<Way> = Vec::new();
    // Where surfaces lie on each other they may stay so.
    let thick = || overlaps.iter().filter(|overlap| overlap.ball.is_some() || overlaps[0].ball.is_none());
    let reach = |direction: DVec3| thick().map(|overlap| overlap.extent(direction)).fold(0.0, f64::max);
    for overlap in overlaps.iter().take(REGIONS) {
        if let Some((first, second)) = ways_of_ball(pair, overlap) {
            ways.extend([first, second]);
        }
        if overlap.region.is_whole() {
            ways.extend(faces(pair).into_iter().map(|direction| Way { direction, least: None }));
        } else {
            let outward: Vec<DVec3> = overlap.thin.iter().map(|way| overlap.outward(*way)).collect();
            let back = outward.iter().map(|way| DVec3::ZERO - *way);
            let both = outward.iter().copied().chain(back);
            ways.extend(both.map(|direction| Way { direction, least: Some(reach(direction)) }));
        }
    }
    ways
}

/// From the middle of a ball the way out of each part through its nearest point, with all of the other part.
fn ways_of_ball(pair: &Pair<'_>, overlap: &Overlap) -> Option<(Way, Way)> {
    let ball = overlap.ball?;
    let out = |part: usize| {
        let way = ball.near[part] - ball.center;
        let other = if part == 0 { &pair.b } else { &pair.a };
        let direction = unit(way)?;
        let behind = reach(other, DVec3::ZERO - direction) + direction.dot(ball.center);
        let least = Some(way.length() + behind);
        // The way of the second part, whichever moves.
        Some(Way { direction: if part == 0 { direction } else { DVec3::ZERO - direction }, least })
    };
    Some((out(0)?, out(1)?))
}

/// Normals of large faces of both parts, each once.
fn faces(pair: &Pair<'_>) -> Vec<DVec3> {
    let mut found: Vec<DVec3> = Vec::new();
    for part in [&pair.a, &pair.b] {
        let Some(mesh) = part.body.mesh() else { continue };
        let mut normals: Vec<DVec3> =
            (0..mesh.triangles().len() as u32).map(|i| mesh.triangle(i).scaled_normal()).collect();
        let size = |normal: &DVec3| normal.abs().max_element();
        normals.sort_by(|a, b| size(b).total_cmp(&size(a)));
        let most = found.len() + FACES;
        for normal in normals.iter().filter_map(|normal| unit(part.pose.rotate(*normal))) {
            if found.len() < most && found.iter().all(|known| known.dot(normal) < SAME_WAY) {
                found.push(normal);
            }
        }
    }
    let back: Vec<DVec3> = found.iter().map(|way| DVec3::ZERO - *way).collect();
    found.extend(back);
    found
}

/// How far a part reaches in a direction, rounded up.
fn reach(part: &Posed<'_>, direction: DVec3) -> f64 {
    let Some(mesh) = part.body.mesh() else { return f64::INFINITY };
    let local = part.pose.unrotate(direction);
    let highest = mesh.vertices().iter().map(|p| local.dot(*p)).fold(f64::NEG_INFINITY, f64::max);
    let size = part.pose.translation().abs().max_element() + part.body.bounds(&Pose::IDENTITY).reach();
    highest + direction.dot(part.pose.translation()) + ROUNDING * size
}

struct Search<'a> {
    pair: &'a Pair<'a>,
    best: Separation,
    /// How many exact tests are left.
    tests: usize,
}

impl Search<'_> {
    fn is_wider(&self, factor: f64) -> bool {
        self.best.length.upper > self.best.length.lower * factor
    }

    /// The largest coordinate, about.
    fn size(&self) -> f64 {
        let reach = |part: &Posed<'_>| part.bounds.min.abs().max(part.bounds.max.abs()).max_element();
        reach(&self.pair.a).max(reach(&self.pair.b))
    }

    fn found(&mut self, direction: DVec3, upper: f64) {
        if upper < self.best.length.upper {
            self.best.direction = direction;
            self.best.length.upper = upper;
        }
    }

    /// Balls around the middles of regions: where the largest ball is anywhere along a thin part, as in a plate, others
    /// have more room to the surface around it.
    fn by_balls(&mut self, overlaps: &[Overlap], work: &mut Work<'_>) {
        let parts = [&self.pair.a, &self.pair.b];
        for middle in overlaps.iter().take(REGIONS).map(|overlap| overlap.region.bounds.center()) {
            if parts.iter().all(|part| part.holds(middle)) {
                let room = |part: &&Posed<'_>| work.closest_on_surface(part.at(), middle, 0);
                let rooms = parts.iter().filter_map(room);
                let lower = rooms.map(|near| near.distance.lower).sum();
                self.best.length.lower = self.best.length.lower.max(lower);
            }
        }
    }

    /// Ways after which a plane is between the parts.
    fn by_planes(&mut self, ways: &[Way]) {
        for Way { direction, .. } in ways {
            let [a, b] = [(&self.pair.a, *direction), (&self.pair.b, DVec3::ZERO - *direction)];
            self.found(*direction, reach(a.0, a.1) + reach(b.0, b.1) + self.pair.deviations.sum());
        }
    }

    /// Shorter ways, the shortest first, which the exact test confirms.
    fn by_moves(&mut self, ways: &[Way], work: &mut Work<'_>) {
        let mut ways: Vec<(f64, DVec3)> =
            ways.iter().filter_map(|way| Some((way.least?, way.direction))).collect();
        ways.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (least, direction) in ways {
            self.by_steps(direction * least, work);
        }
    }

    /// A translation, and if the parts overlap then still, on from there out of what is left.
    fn by_steps(&mut self, mut way: DVec3, work: &mut Work<'_>) {
        let mut slack = FIRST_SLACK * self.size();
        for _ in 0..MOVES {
            if self.tests == 0 {
                return;
            }
            self.tests -= 1;
            let length = way.length() + slack;
            slack *= MORE_SLACK;
            let Some(direction) =
                unit(way).filter(|_| length < self.best.length.upper && self.is_wider(WIDE))
            else {
                return;
            };
            match self.step_after(direction * length, work) {
                None => return,
                Some(DVec3::ZERO) => return self.found(direction, length),
                Some(more) => way += more,
            }
        }
    }

    /// The way out of the deepest region that a translation leaves; zero where nothing is inside both then, none if
    /// that is not known.
    fn step_after(&self, way: DVec3, work: &mut Work<'_>) -> Option<DVec3> {
        let Pair { a, b, .. } = self.pair;
        let pose = Pose::from_translation(way).ok()?.after(b.pose);
        let bounds = b.body.aabb(&pose);
        let b = Posed { body: b.body, pose: &pose, bounds: &bounds, corners: b.corners };
        Pair { a: Posed { ..*a }, b, ..*self.pair }.way_out(work)
    }

    /// Pairs of triangles that pass through each other.
    fn by_triangles(&mut self, pairs: &[[u32; 2]], work: &mut Work<'_>) {
        let area = |t: &Triangle| t.scaled_normal().abs().max_element();
        let triangles = pairs.iter().filter_map(|pair| self.pair.triangles(pair));
        let mut all: Vec<(f64, Triangle, Triangle)> =
            triangles.map(|(s, t)| (area(&s).min(area(&t)), s, t)).collect();
        all.sort_by(|x, y| y.0.total_cmp(&x.0));
        for (_, s, t) in all.into_iter().take(CROSSINGS) {
            let [s, t] = [s, t].map(|triangle| Body::new(Shape::Triangle(triangle)));
            let depth = penetration_of(s.at(&Pose::IDENTITY), t.at(&Pose::IDENTITY), work);
            let lower = depth.map_or(0.0, |(depth, _)| depth.lower);
            self.best.length.lower = self.best.length.lower.max(lower);
        }
    }
}

/// Whether a kind is of parts that overlap.
pub(crate) const fn is_overlap(kind: ClashKind) -> bool {
    match kind {
        ClashKind::Duplicate | ClashKind::Contained | ClashKind::Hard => true,
        ClashKind::Touch | ClashKind::Clearance => false,
    }
}
