//! Is a way between two configurations free, at every moment of it?
//!
//! All joints turn at constant rates, so that links move on curves that no screw follows. The way is cut into pieces
//! so short that each link is everywhere within [`SLACK`] of the motion that the engine knows ([`Motion::between`]:
//! the origin of its frame straight on, turning at a constant rate). That motion is swept with all separations
//! twice as large: what is free so is free for certain, and contacts are reported at most a few millimetres too soon.
//!
//! How short: both motions have the same ends, so that they are apart by at most h²/8 times the sum of their greatest
//! accelerations in a piece of duration h. With joint rates q and arms r no longer than R (to the farthest point of
//! the link), a point of the chain has an acceleration of at most (Σ|q|)²·R, since each pair of joints adds at most
//! |q_j||q_k|·R, and speed changes of the turning frames are in these. The engine's motion accelerates by at most
//! ω²·r, with ω no more than Σ|q|.

use sudar::Pose;
use sudar::motion::Motion;
use sudar::query::{Sweep, SweepOptions, sweep};

use super::arm::{Cell, Configuration, JOINTS, may_touch};
use super::clearance::Other;

/// How far a link may be from the motion that stands for it, in metres.
pub const SLACK: f64 = 0.001;

/// More pieces than this are not made; then the slack is larger, and said so.
const MOST: u32 = 400;

/// What is known of a way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Course {
    /// How many pieces it was cut into.
    pub pieces: u32,
    /// How far links may be from the motions that were swept.
    pub slack: f64,
    /// The first contact; `None`: the way is free, for certain.
    pub blocked: Option<Blocked>,
}

/// The first contact of a way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Blocked {
    /// From 0 to 1: until then the way is free, for certain.
    pub time: f64,
    pub link: usize,
    pub other: Other,
}

/// The configuration at a time from 0 to 1.
pub fn at(from: &Configuration, to: &Configuration, time: f64) -> Configuration {
    std::array::from_fn(|k| from[k] + (to[k] - from[k]) * time)
}

/// How far a link is at most from the motion that stands for it, if the way is cut into so many pieces.
pub fn slack_of(cell: &Cell, from: &Configuration, to: &Configuration, pieces: u32) -> f64 {
    let rate: f64 = (0..JOINTS).map(|k| (to[k] - from[k]).abs()).sum();
    let longest = (0..JOINTS).map(|link| cell.arm_length(0, link)).fold(0.0, f64::max);
    let duration = 1.0 / f64::from(pieces.max(1));
    duration * duration / 8.0 * 2.0 * rate * rate * longest
}

/// Checks the way: either it is free for certain, or the first contact is named.
pub fn check(cell: &Cell, from: &Configuration, to: &Configuration) -> Course {
    let whole = slack_of(cell, from, to, 1);
    let pieces = (libm::ceil(libm::sqrt(whole / SLACK)) as u32).clamp(1, MOST);
    let slack = slack_of(cell, from, to, pieces);
    let mut before = Cell::poses(from);
    for piece in 0..pieces {
        let next = Cell::poses(&at(from, to, f64::from(piece + 1) / f64::from(pieces)));
        if let Some(found) = first_contact(cell, &before, &next, slack) {
            let time = (f64::from(piece) + found.time) / f64::from(pieces);
            return Course { pieces, slack, blocked: Some(Blocked { time, ..found }) };
        }
        before = next;
    }
    Course { pieces, slack, blocked: None }
}

/// The first contact on a piece, at a time of it from 0 to 1.
fn first_contact(cell: &Cell, before: &[Pose; JOINTS], next: &[Pose; JOINTS], slack: f64) -> Option<Blocked> {
    let ways: [Motion; JOINTS] = std::array::from_fn(|k| Motion::between(&before[k], &next[k]));
    let mut first: Option<Blocked> = None;
    let mut look = |link: usize, other: Other, found: Sweep| {
        let time = found.free_until();
        if found != Sweep::Free && first.is_none_or(|first| time < first.time) {
            first = Some(Blocked { time, link, other });
        }
    };
    // Of two links either may be off.
    let [one, two] = [1.0, 2.0].map(|links| SweepOptions::within(slack).apart_by(links * slack));
    for (link, body) in cell.links.iter().enumerate() {
        let moving = body.moving(&ways[link]);
        for (k, thing) in cell.obstacles.iter().enumerate().filter(|(k, _)| may_touch(link, *k)) {
            let swept = ways[link].swept(&body.bounds(&Pose::IDENTITY), 0.0, 1.0);
            if swept.gap(&thing.body.bounds(&thing.pose)) <= 2.0 * slack {
                let still = Motion::still(&thing.pose);
                look(link, Other::Obstacle(k), sweep(moving, thing.body.moving(&still), &one));
            }
        }
    }
    for &[i, j] in &cell.apart {
        let pair = [i, j].map(|k| cell.links[k].moving(&ways[k]));
        look(j, Other::Link(i), sweep(pair[0], pair[1], &two));
    }
    first
}

#[cfg(test)]
mod tests {
    use super::super::clearance::{clearances, least};
    use super::*;

    const START: Configuration = [-1.2, 0.6, 1.0, 0.0, 0.6, 0.0];

    /// The deviation of a link's corners from the motion that stands for it stays below the slack.
    #[test]
    fn links_stay_within_the_slack_of_the_motions_that_stand_for_them() {
        let cell = Cell::new().unwrap();
        let to = [1.0, -0.4, 1.9, 1.5, -1.0, 2.0];
        for pieces in [4, 16, 64] {
            let slack = slack_of(&cell, &START, &to, pieces);
            let mut worst: f64 = 0.0;
            for piece in 0..pieces {
                let time = |part: f64| (f64::from(piece) + part) / f64::from(pieces);
                let ends = [0.0, 1.0].map(|part| Cell::poses(&at(&START, &to, time(part))));
                for (link, (first, last)) in ends[0].iter().zip(&ends[1]).enumerate() {
                    let way = Motion::between(first, last);
                    let aabb = cell.links[link].aabb(&Pose::IDENTITY);
                    for part in [0.2, 0.5, 0.8] {
                        let real = Cell::poses(&at(&START, &to, time(part)))[link];
                        for corner in [aabb.min, aabb.max, aabb.center()] {
                            worst = worst.max(real.apply(corner).distance(way.at(part).apply(corner)));
                        }
                    }
                }
            }
            assert!(worst <= slack && worst > 0.001 * slack, "{pieces}: {worst} {slack}");
        }
    }

    /// What is free is free at thousands of moments; what is blocked is near contact at the time that is named, and
    /// free before it.
    #[test]
    fn ways_are_what_the_moments_say() {
        let cell = Cell::new().unwrap();
        let (mut free, mut blocked) = (0, 0);
        for k in 0..12 {
            let angle = |j: usize| 1.6 * libm::sin(1.0 + 0.9 * f64::from(k) * (j as f64 + 1.0));
            let to: Configuration = std::array::from_fn(angle);
            let course = check(&cell, &START, &to);
            let until = course.blocked.map_or(1.0, |blocked| blocked.time);
            for moment in 0..300 {
                let time = until * f64::from(moment) / 300.0;
                let near = least(&clearances(&cell, &at(&START, &to, time))).unwrap();
                assert!(near.interval.upper > 0.0, "{k} at {time} of {until}: {near:?}");
            }
            match course.blocked {
                None => free += 1,
                Some(found) => {
                    let near = least(&clearances(&cell, &at(&START, &to, found.time))).unwrap();
                    assert!(near.interval.upper < 5.0 * course.slack, "{k}: {near:?}");
                    blocked += 1;
                }
            }
        }
        assert!(free >= 1 && blocked >= 3, "{free} {blocked}");
    }
}
