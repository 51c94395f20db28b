//! Two convex bodies that move without turning: in closed form for balls, by separating axes for boxes, else
//! by GJK for a ray.

use glam::DVec3;

use super::Sweep;
use super::answer::{Impact, SweepOptions};
use super::queue::overlap;
use crate::convex::{Convex, Difference, GjkMemory, PairKind, PosedConvex};
use crate::math::{Interval, Pose, length};
use crate::motion::{
    BoxCast, BoxesMeet, CastOutcome, Course, Entry, Motion, Piece, certain_entry, gjk_ray_beside, nearest,
};

/// The answer, unless the bodies overlap or nearly touch at the beginning, or the search comes to no end.
#[inline]
pub(super) fn cast(convex: [&Convex; 2], motions: [&Motion; 2], options: &SweepOptions) -> Option<Sweep> {
    let [left, right] = convex;
    let slack = Course::slack(motions, convex.map(|c| c.reach() + c.margin()), options.until);
    let posed = [PosedConvex::new(left, motions[0].start()), PosedConvex::new(right, motions[1].start())];
    let line = Line {
        velocity: motions[1].velocity() - motions[0].velocity(),
        slack,
        options: &SweepOptions { delta: options.delta.max(8.0 * slack), ..*options },
        posed,
        motions,
    };
    match PairKind::of(&posed[0], &posed[1]) {
        PairKind::Points => line.balls(),
        PairKind::Cuboids if options.separation == 0.0 => line.boxes().or_else(|| line.gjk(convex)),
        PairKind::Segments | PairKind::PointRound | PairKind::PointCuboid => line.gjk(convex),
        PairKind::Cuboids | PairKind::General => line.gjk(convex),
    }
}

/// Two convex bodies, the second moving along a line as seen from the first.
struct Line<'a> {
    posed: [PosedConvex<'a>; 2],
    motions: [&'a Motion; 2],
    velocity: DVec3,
    slack: f64,
    options: &'a SweepOptions,
}

impl Line<'_> {
    /// A contact, its points as seen from the centres of the bodies.
    fn hit(&self, time: Interval, distance: f64, [a, b]: [DVec3; 2], normal: DVec3) -> Sweep {
        let at = |i: usize| self.posed[i].center() + self.motions[i].velocity() * time.lower;
        let (point_a, point_b) = (at(0) + a, at(1) + b);
        Sweep::Hit(Impact { time, distance, point_a, point_b, normal, features: [0, 0] })
    }

    /// By GJK for a ray.
    fn gjk(&self, convex: [&Convex; 2]) -> Option<Sweep> {
        self.posed.iter().for_each(PosedConvex::fetch);
        let difference = Difference::new(self.posed[0], self.posed[1]);
        let SweepOptions { separation, delta, until } = *self.options;
        // What is certain of the difference is so of where the bodies are but for the rounding of their motions.
        let found = gjk_ray_beside(&difference, self.velocity, until, [separation, delta], self.slack);
        match found.outcome {
            CastOutcome::Free => Some(Sweep::Free),
            CastOutcome::Undecided(_) | CastOutcome::Contact { time: 0.0, .. } => None,
            CastOutcome::Contact { time, later, distance, a, b, normal } => {
                let later =
                    if later > time { later } else { touching(convex, self.motions, time, self.options) };
                Some(self.hit(Interval { lower: time, upper: later }, distance, [a, b], normal))
            }
        }
    }

    /// Two balls in closed form.
    fn balls(&self) -> Option<Sweep> {
        let [r, s] = self.posed.map(|p| p.convex().margin());
        let between = self.posed[1].center() - self.posed[0].center();
        let radius = r + s + self.options.separation;
        match certain_entry(between, self.velocity, radius, self.slack) {
            Entry::Never => Some(Sweep::Free),
            Entry::Within(time) if time.lower > self.options.until => Some(Sweep::Free),
            Entry::Within(time) if time.lower > 0.0 => {
                let time = Interval { upper: time.upper.min(self.options.until), ..time };
                let way = between + self.velocity * time.lower;
                let apart = way.length();
                let normal = way * (1.0 / apart);
                Some(self.hit(time, (apart - r - s).max(0.0), [normal * r, normal * -s], normal))
            }
            Entry::Within(_) | Entry::Open => None,
        }
    }

    /// Two boxes by separating axes.
    fn boxes(&self) -> Option<Sweep> {
        let [Some(p), Some(q)] = self.posed.each_ref().map(|p| p.convex().core().half_extent()) else {
            return None;
        };
        let [a, b] = self.posed.each_ref().map(|p| p.pose().rotation());
        let back = a.transpose();
        let cast = BoxCast {
            halves: [p, q],
            axes: back * b,
            between: back * (self.posed[1].center() - self.posed[0].center()),
            velocity: back * self.velocity,
            slack: 2.0 * self.slack,
        };
        match cast.meet(self.options.until) {
            BoxesMeet::Never => Some(Sweep::Free),
            BoxesMeet::Open => None,
            BoxesMeet::At { time, later, a: p, b: q, normal } => {
                let distance = length(q - p);
                let is_contact = distance <= self.options.delta - 4.0 * self.slack;
                let q = q - (cast.between + cast.velocity * time);
                let time = Interval { lower: time, upper: later };
                is_contact.then(|| self.hit(time, distance, [a * p, a * q], a * normal))
            }
        }
    }
}

/// A time soon after a first contact at which bodies without margins touch.
#[cold]
fn touching(bodies: [&Convex; 2], motions: [&Motion; 2], time: f64, options: &SweepOptions) -> f64 {
    let reaches = bodies.map(|convex| convex.reach() + convex.margin());
    let course = Course::new(motions.map(|motion| *motion), reaches, options.until);
    let instant = course.at(time);
    let [a, b] = bodies.map(|convex| Piece::Convex(PosedConvex::new(convex, &Pose::IDENTITY)));
    let near = nearest(&instant, &a, &b, options.separation, &mut GjkMemory::default());
    overlap(&course, &instant, &near, [&a, &b], options.separation)
}
