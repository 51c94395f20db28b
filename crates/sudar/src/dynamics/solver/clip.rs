//! Bodies that are fast against their own thickness stop where they certainly touch nothing yet.

use std::f64::consts::TAU;

use glam::DVec3;

use super::contacts::Pair;
use super::groups::PIECE;
use super::joints::Joints;
use super::stance::{MARGIN, Stance};
use crate::broad::BoxTree;
use crate::convex::GjkMemory;
use crate::dynamics::matter::{BodyState, Flight, Outline, Rigid, contacts_at, swept, turn, turned_by};
use crate::math::Pose;
use crate::math::par::{map_into, mapped};
use crate::math::unit;
use crate::motion::Motion as Way;
use crate::pair::aabb_aabb;
use crate::query::{DistanceOptions, SweepOptions, distance, sweep};
use crate::shape::Aabb;

/// Motion in a step beyond which a body is fast, relative to half its thickness.
const FAST: f64 = 0.5;
/// Bodies that a thread looks at at a time, at least.
const FEW: usize = 1024;
/// Gaps at the start below which a pair touches already, relative to the smaller body.
const HELD: f64 = 1e-4;
/// Looks at a pair that touches already, at most; then it stops where the last one was.
const LOOKS: u32 = 64;

/// How bodies began the step.
pub struct Start<'s> {
    pub motions: &'s [BodyState],
    /// Whether contacts pressed them since.
    pub held: &'s [bool],
    pub gravity: DVec3,
}

impl Start<'_> {
    /// The flight of a body that nothing pressed, if it is known as far as energy goes.
    fn flight<'r>(&self, i: usize, rigid: &'r Rigid) -> Option<Flight<'r>> {
        let flight = rigid.flight_from(self.gravity, self.motions[i]);
        (!self.held[i] && flight.drag == [0.0; 2]).then_some(flight)
    }
}

/// Cuts the motion of fast bodies short; returns the most time that one of them lost, and where those went that left
/// the box that they had to themselves.
pub fn clip(
    rigids: &mut [Rigid],
    before: &[Stance],
    pairs: &[Pair],
    (start, joints): (&Start, &mut Joints),
    until: f64,
) -> (f64, Vec<Aabb>) {
    let look = |(rigid, before): (&Rigid, &Stance)| is_fast(rigid, before, rigid.left * until);
    let fast: Vec<bool> = mapped(rigids.iter().zip(before), FEW, look);
    if !fast.contains(&true) {
        return (0.0, Vec::new());
    }
    let walls: Vec<u32> = (0..rigids.len() as u32).filter(|&i| rigids[i as usize].is_wall).collect();
    let is_fast = |[i, j]: [u32; 2]| fast[i as usize] || fast[j as usize];
    let near = pairs.iter().filter(|pair| is_fast(pair.bodies)).map(|pair| (pair.bodies, Some(pair)));
    let fast_ones = (0..rigids.len() as u32).filter(|&i| fast[i as usize]);
    // Bodies may be struck towards a wall that was not near.
    let to_walls = fast_ones.flat_map(|i| walls.iter().map(move |&wall| ([wall, i], None)));
    let (strays, strayed) = strays(rigids, before, &fast, pairs);
    let strays = strays.into_iter().filter(|bodies| !joints.keep_apart(*bodies)).map(|bodies| (bodies, None));
    // What is soft stops nothing at its surface.
    let is_soft = |[i, j]: [u32; 2]| rigids[i as usize].surface().is_soft(&rigids[j as usize].surface());
    let is_here = |(bodies, _): &([u32; 2], _)| {
        !bodies.iter().any(|&i| rigids[i as usize].has_flown()) && !is_soft(*bodies)
    };
    let candidates: Vec<([u32; 2], Option<&Pair>)> =
        near.chain(to_walls).chain(strays).filter(is_here).collect();
    let mut found: Vec<Option<f64>> = Vec::new();
    map_into(&candidates, &mut found, PIECE, |&(bodies, known)| {
        let both = bodies.map(|i| Moved { rigid: &rigids[i as usize], from: &before[i as usize] });
        let until = until * both[0].rigid.left.min(both[1].rigid.left);
        let passes = may_pass(&both, until) && !known.is_some_and(|known| stays_apart(&both, known, until));
        if passes { first(&both, until) } else { None }
    });
    let mut stops: Vec<(usize, f64)> = Vec::new();
    for ((bodies, _), time) in candidates.iter().zip(found) {
        let Some(time) = time else { continue };
        let halted = bodies.map(|i| i as usize).into_iter().filter(|&k| fast[k] && rigids[k].is_dynamic());
        stops.extend(halted.map(|k| (k, time)));
    }
    let stops = together(firsts(stops), joints);
    let lost = stops.iter().map(|&(k, stop)| {
        let there = start
            .flight(k, &rigids[k])
            .filter(|_| joints.together(k as u32).is_empty())
            .map(|flight| along(&flight, &before[k], &rigids[k], stop, until));
        let lost = halt(&mut rigids[k], &before[k], stop, until);
        if let Some(there) = there {
            rigids[k].motion = there;
        }
        lost
    });
    let lost = lost.fold(0.0, f64::max);
    joints.mend(rigids, |body| stops.binary_search_by(|(k, _)| k.cmp(&(body as usize))).is_ok());
    (lost, strayed)
}

/// With all that is joined to what stops, at the first time of any.
fn together(stops: Vec<(usize, f64)>, joints: &Joints) -> Vec<(usize, f64)> {
    if joints.is_empty() {
        return stops;
    }
    let mates = |&(k, time): &(usize, f64)| {
        joints.together(k as u32).iter().map(move |body| (*body as usize, time)).chain([(k, time)])
    };
    let all: Vec<(usize, f64)> = stops.iter().flat_map(mates).collect();
    firsts(all)
}

/// The first time of each body, by bodies.
fn firsts(mut stops: Vec<(usize, f64)>) -> Vec<(usize, f64)> {
    stops.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    stops.dedup_by_key(|(k, _)| *k);
    stops
}

/// Pairs that were not near: of a fast body that was struck out of the box that it had to itself, with what is in its
/// way; and whether there is such a body. A search in a tree of the ways for every body.
fn strays(rigids: &[Rigid], before: &[Stance], fast: &[bool], pairs: &[Pair]) -> (Vec<[u32; 2]>, Vec<Aabb>) {
    let path = |i: usize| swept(&rigids[i], [before[i].center, rigids[i].motion.center], 0.0);
    let mut paths: Vec<Option<Aabb>> = vec![None; rigids.len()];
    for i in (0..rigids.len()).filter(|&i| fast[i]) {
        paths[i] = Some(path(i)).filter(|path| {
            path.min.is_finite() && path.max.is_finite() && !encloses(&before[i].reserved, path)
        });
    }
    let ways: Vec<(Aabb, u32)> =
        paths.iter().zip(0..).filter_map(|(path, i)| path.map(|path| (path, i))).collect();
    if ways.is_empty() {
        return (Vec::new(), Vec::new());
    }
    let spaces = ways.iter().map(|(way, _)| *way).collect();
    let ways = BoxTree::build(ways);
    let mut found = Vec::new();
    for (j, other) in (0..).zip(rigids).filter(|(_, other)| !other.is_wall) {
        let (own, reserved) = (paths[j as usize], before[j as usize].reserved);
        let space = own.map_or(reserved, |own| own.union(reserved));
        ways.search(
            |way| aabb_aabb(way, &space),
            |i| {
                let bodies = [i.min(j), i.max(j)];
                let is_second = own.is_some() && j <= i;
                let is_known = || pairs.binary_search_by(|pair| pair.bodies.cmp(&bodies)).is_ok();
                if j != i && !is_second && rigids[i as usize].meets(other) && !is_known() {
                    found.push(bodies);
                }
            },
        );
    }
    (found, spaces)
}

/// Whether a box is within another.
pub fn encloses(outer: &Aabb, inner: &Aabb) -> bool {
    outer.min.cmple(inner.min).all() && outer.max.cmpge(inner.max).all()
}

/// Puts a body back to where it was at a time of the step; returns the time that it loses.
fn halt(rigid: &mut Rigid, before: &Stance, stop: f64, until: f64) -> f64 {
    let until = until * rigid.left;
    let Chord { velocity, spin } = chord(before, &rigid.motion, until);
    let rotation = (turn(spin * stop) * before.rotation).normalize();
    let motion = &mut rigid.motion;
    // What turned less keeps its angular momentum.
    let spun = rigid.inertia.spun(motion.rotation, motion.angular_velocity);
    motion.angular_velocity = rigid.inertia.unspun(rotation, spun);
    (motion.center, motion.rotation) = (before.center + velocity * stop, rotation);
    until - stop
}

/// A body in flight, as far on its way as the chord is at a time.
fn along(flight: &Flight, before: &Stance, rigid: &Rigid, stop: f64, until: f64) -> BodyState {
    let (way, from) =
        (chord(before, &rigid.motion, until * rigid.left).velocity * stop, flight.from.velocity);
    let velocity = from + flight.acceleration * fallen(from, flight.acceleration, way, stop);
    BodyState { center: before.center + way, velocity, ..flight.at(stop) }
}

/// After which time a body in flight has the energy that it has this far on its way; about `stop` where none has.
fn fallen(velocity: DVec3, acceleration: DVec3, way: DVec3, stop: f64) -> f64 {
    let (slope, square) = (velocity.dot(acceleration), acceleration.length_squared());
    let root = slope * slope + 2.0 * square * acceleration.dot(way);
    if square == 0.0 || root < 0.0 {
        return stop;
    }
    // Of the two, that on the side of the time on the chord.
    let root = if slope + square * stop < 0.0 { -root.sqrt() } else { root.sqrt() };
    ((root - slope) / square).max(0.0)
}

/// A body at the end of a step, and where it was.
struct Moved<'r> {
    rigid: &'r Rigid,
    from: &'r Stance,
}

impl Moved<'_> {
    /// Its motion in the step; none beyond the range of numbers, where the step fails.
    fn way(&self, until: f64) -> Option<Way> {
        let Chord { velocity, spin } = chord(self.from, &self.rigid.motion, until);
        Way::new(self.from.pose, self.from.center, velocity, spin).ok()
    }

    /// Its pose at a time of the step.
    fn pose(&self, time: f64, until: f64) -> Pose {
        let Chord { velocity, spin } = chord(self.from, &self.rigid.motion, until);
        let rotation = (turn(spin * time) * self.from.rotation).normalize();
        let center = self.from.center + velocity * time;
        self.rigid.pose_of(&BodyState { center, rotation, ..self.rigid.motion })
    }

    /// How far points of it may have come by its turning.
    fn turned(&self, until: f64) -> f64 {
        let turns = self.rigid.moves() && self.rigid.ball.is_none();
        if turns { self.rigid.motion.angular_velocity.length() * until * self.rigid.radius } else { 0.0 }
    }

    /// How far the body reaches in a direction now.
    fn height(&self, direction: DVec3) -> Option<f64> {
        self.rigid.height(&self.rigid.pose(), direction)
    }
}

/// How far two bodies have moved against each other.
fn parted([a, b]: &[Moved; 2], until: f64) -> f64 {
    let way = (b.rigid.motion.center - a.rigid.motion.center) - (b.from.center - a.from.center);
    way.length() + a.turned(until) + b.turned(until)
}

/// About half of how thin the thinner of those that move is.
fn thinner(both: &[Moved; 2]) -> f64 {
    let thin = both.iter().filter(|moved| moved.rigid.moves()).map(|moved| moved.rigid.thin);
    thin.fold(f64::INFINITY, f64::min)
}

/// Whether two bodies move so much against each other that one may pass the other, and come near each other.
fn may_pass(both: &[Moved; 2], until: f64) -> bool {
    let [a, b] = both;
    let (start, end) = (b.from.center - a.from.center, b.rigid.motion.center - a.rigid.motion.center);
    if parted(both, until) <= FAST * thinner(both) {
        return false;
    }
    if let Some((normal, offset)) = a.rigid.plane() {
        let lowest = normal.dot(b.from.center).min(normal.dot(b.rigid.motion.center));
        let ends = b.height(-normal).is_some_and(|low| -low >= offset - FAST * thinner(both));
        return lowest - b.rigid.radius <= offset && !ends;
    }
    // Where the straight way from one to the other is nearest to the origin.
    let way = end - start;
    let square = way.length_squared();
    let t = if square > 0.0 { (-start.dot(way) / square).clamp(0.0, 1.0) } else { 0.0 };
    (start + way * t).length() <= (a.rigid.radius + b.rigid.radius) * (1.0 + 1e-9)
}

/// Whether two bodies are on the same sides of a plane as at the start of the step, but for overlaps that are
/// small against their thickness, so that neither has passed the other: that of a contact, or any if they
/// were farther apart than they have moved.
fn stays_apart(both: &[Moved; 2], known: &Pair, until: f64) -> bool {
    let [a, b] = both;
    let size = a.rigid.radius.min(b.rigid.radius);
    let margin = a.from.margin(b.from) - MARGIN * size;
    if known.patches.is_empty() {
        return parted(both, until) <= margin;
    }
    let deep = FAST * thinner(both);
    // A plane parts convex bodies, and says nothing of others.
    let is_convex = both.iter().all(|moved| moved.rigid.form != Outline::Other);
    is_convex
        && known.patches.iter().any(|patch| {
            let normal = a.from.pose.rotation() * patch.normal;
            let started = patch.points().iter().all(|point| point.gap >= -deep);
            let heights = (a.height(normal), b.height(-normal));
            let ends = matches!(heights, (Some(high), Some(low)) if -low - high >= -deep);
            started && ends
        })
}

fn is_fast(rigid: &Rigid, before: &Stance, until: f64) -> bool {
    if !rigid.is_dynamic() || !rigid.moves() {
        return false;
    }
    let turned = rigid.motion.angular_velocity.length() * until;
    (rigid.motion.center - before.center).length() + turned * rigid.radius > FAST * rigid.thin
}

/// The straight and even motion from one place to the other.
struct Chord {
    velocity: DVec3,
    spin: DVec3,
}

fn chord(from: &Stance, to: &BodyState, until: f64) -> Chord {
    let turned = whole_turns(
        turned_by((to.rotation * from.rotation.inverse()).normalize()),
        to.angular_velocity * until,
    );
    Chord { velocity: (to.center - from.center) / until, spin: turned / until }
}

/// The turn with as many whole turns added as bring it nearest to what the spin says.
fn whole_turns(turned: DVec3, spun: DVec3) -> DVec3 {
    let Some(axis) = unit(turned).or_else(|| unit(spun)) else { return turned };
    turned + axis * (((spun - turned).dot(axis) / TAU).round() * TAU)
}

/// The time before which the two certainly do not touch if they are apart at the start, or else do not get deep into
/// each other; none if that is not in the step.
fn first(both: &[Moved; 2], until: f64) -> Option<f64> {
    let [a, b] = both;
    let held = HELD * a.rigid.radius.min(b.rigid.radius);
    let options = DistanceOptions { relative: 0.1, ..DistanceOptions::up_to(2.0 * held) };
    let (pose_a, pose_b) = (&a.from.pose, &b.from.pose);
    let gap = distance(a.rigid.given.body.at(pose_a), b.rigid.given.body.at(pose_b), &options);
    if gap.interval.lower <= held {
        return shallow_until(both, until);
    }
    let options = SweepOptions { separation: 0.5 * held, delta: 0.25 * held, until };
    let [way_a, way_b] = [a.way(until)?, b.way(until)?];
    let time =
        sweep(a.rigid.given.body.moving(&way_a), b.rigid.given.body.moving(&way_b), &options).free_until();
    (time < until).then_some(time)
}

/// Of two bodies that touch at the start: the time until which they get little deeper into each other, and never so
/// deep that one may be through a thin part of the other. Contacts of the start hold a body where it touches; other
/// parts of it may come in as it turns about them. From look to look no point comes farther than a part of the
/// thickness.
fn shallow_until(both: &[Moved; 2], until: f64) -> Option<f64> {
    // A surface without an inside has no thickness to count.
    let thin = both.iter().map(|moved| moved.rigid.thin).filter(|thin| *thin > 0.0).reduce(f64::min)?;
    let (more, start) = (FAST * thin, depth(both, 0.0, until).max(0.0));
    let most = (start + more).min(thin).max(start);
    let time = more * until / parted(both, until);
    let mut free = 0.0;
    for _ in 0..LOOKS {
        let next = until.min(free + time);
        if depth(both, next, until) > most {
            return Some(free);
        }
        if next >= until {
            return None;
        }
        free = next;
    }
    Some(free)
}

/// How deep two bodies are in each other at a time of the step; below 0 if they are apart.
fn depth(both: &[Moved; 2], time: f64, until: f64) -> f64 {
    let poses = [0, 1].map(|k| both[k].pose(time, until));
    let bodies = [both[0].rigid, both[1].rigid];
    let found = contacts_at(bodies, [&poses[0], &poses[1]], 0.0, &mut GjkMemory::default());
    found.iter().map(|contact| contact.depth).fold(f64::NEG_INFINITY, f64::max)
}
