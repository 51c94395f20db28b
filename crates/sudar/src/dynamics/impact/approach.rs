//! When two bodies in flight touch next.
//!
//! Balls and walls in closed form. Anything else by conservative advancement (Mirtich 1996, "Impulse-based
//! dynamic simulation of rigid body systems"): from a lower bound on the distance and an upper bound on how
//! fast it can shrink follows a time until which nothing touches. Where a plane separates the bodies (both
//! convex, or one a half-space) only motion along its normal counts; a mesh near a convex body is looked at triangle by
//! triangle ([`piece`](super::piece)).

use std::ops::ControlFlow;

use glam::DVec3;

use super::parting::Parting;
use super::piece::Piece;
use crate::dynamics::matter::{BodyState, Flight, Outline, Rigid, Track, contacts};
use crate::math::Pose;
use crate::query::{Contact, DistanceOptions, distance};

/// A body in flight.
#[derive(Clone, Copy)]
pub struct Mover<'m> {
    pub rigid: &'m Rigid,
    pub flight: &'m Track<'m>,
}

/// What comes next between two bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Meeting {
    /// They do not touch before the end.
    Never,
    /// They do not touch before this time; look again then.
    Later(f64),
    /// They are at next to no distance at this time, and go beside each other: their contact lasts.
    Beside(f64),
    /// They touch at this time, and approach each other.
    Touch(f64),
}

/// Distances below which bodies count as touching, relative to the smaller one.
const BAND: f64 = 1e-6;
/// Distances computed before others get their turn.
const ROUNDS: u32 = 24;
/// Looks at bodies within the band, after which they go beside each other.
const BESIDE: u32 = 6;
/// Looks at bodies that overlap and part.
const PARTING: u32 = 32;

/// How near two bodies are when they count as touching.
pub fn band(a: &Rigid, b: &Rigid) -> f64 {
    BAND * a.radius.min(b.radius)
}

/// Approaching slower than this, relative to their speeds, is rounding.
const QUIET: f64 = 1e-10;

/// What comes next between the two from a time on.
pub fn meeting(a: Mover, b: Mover, from: f64, until: f64) -> Meeting {
    let exact = match (a.rigid.ball, b.rigid.ball, a.rigid.form, b.rigid.form) {
        (Some(r), Some(s), ..) => balls(a.flight, b.flight, r + s, from),
        (Some(r), _, _, Outline::Wall { normal, offset }) => wall(a.flight, r, normal, offset, from),
        (_, Some(r), Outline::Wall { normal, offset }, _) => wall(b.flight, r, normal, offset, from),
        _ => None,
    };
    match exact {
        Some(t) if t < until => Meeting::Touch(t),
        Some(_) => Meeting::Never,
        None => advance(Advance::new(a, b, until), from),
    }
}

/// Conservative advancement while the bodies are near each other. Before that the pair waits, as most have
/// changed by then.
fn advance(mut pair: Advance, from: f64) -> Meeting {
    let [enter, leave] = pair.vicinity(from);
    if enter >= pair.until {
        return Meeting::Never;
    }
    if enter > from {
        return Meeting::Later(enter);
    }
    pair.until = pair.until.min(leave);
    match pair.pieces(from) {
        Some(pieces) => pair.first_of(&pieces, from),
        None => pair.run(from),
    }
}

/// Two balls whose relative motion is straight and even: the first root of |x + v t| = r.
fn balls(a: &Flight, b: &Flight, reach: f64, from: f64) -> Option<f64> {
    let even = a.acceleration == b.acceleration && a.drag[0] == 0.0 && b.drag[0] == 0.0;
    if !even {
        return None;
    }
    let ((p, v), (q, w)) = (a.center_at(from), b.center_at(from));
    let (x, u) = (q - p, w - v);
    let approach = x.dot(u);
    if approach >= 0.0 {
        return Some(f64::INFINITY);
    }
    let over = x.length_squared() - reach * reach;
    if over <= 0.0 {
        // What is left of a contact that was answered is rounding.
        let quiet = QUIET * (v.length() + w.length()) * x.length();
        return Some(if -approach > quiet { from } else { f64::INFINITY });
    }
    let speed = u.length_squared();
    // The part of x across u, which does not cancel.
    let miss = x.cross(u).length_squared() / speed;
    let room = reach * reach - miss;
    if room < 0.0 {
        return Some(f64::INFINITY);
    }
    Some(from + over / (-approach + (room * speed).sqrt()))
}

/// A ball on a parabola and a wall: the first time at which it comes down to it.
fn wall(ball: &Flight, radius: f64, normal: DVec3, offset: f64, from: f64) -> Option<f64> {
    if ball.drag[0] != 0.0 {
        return None;
    }
    let (p, v) = ball.center_at(from);
    let (height, speed) = (normal.dot(p) - offset - radius, normal.dot(v));
    let rests = height <= 0.0 && speed.abs() <= QUIET * v.length();
    Some(from + falls(height, if rests { 0.0 } else { speed }, normal.dot(ball.acceleration)))
}

/// The first time t ≥ 0 at which h + v t + a t²/2 is 0 and falls; 0 if it is below and falls already.
fn falls(h: f64, v: f64, a: f64) -> f64 {
    if h <= 0.0 && (v < 0.0 || (v == 0.0 && a < 0.0)) {
        return 0.0;
    }
    if h <= 0.0 && a < 0.0 {
        // Rising: down again at the later root, or at the top if it never gets out.
        let root = v * v - 2.0 * a * h;
        return if root >= 0.0 { (v + root.sqrt()) / -a } else { -v / a };
    }
    let root = v * v - 2.0 * a * h;
    if h <= 0.0 || root < 0.0 || (v >= 0.0 && a >= 0.0) {
        return f64::INFINITY;
    }
    // Written so that nothing cancels.
    if v < 0.0 { 2.0 * h / (-v + root.sqrt()) } else { (v + root.sqrt()) / -a }
}

/// More than what rounding makes of a distance, relative to the coordinates.
const ROUNDING: f64 = 32.0 * f64::EPSILON;

/// The time in which a distance is closed at an even speed.
fn time_to(room: f64, speed: f64) -> f64 {
    if room <= 0.0 {
        return 0.0;
    }
    if speed > 0.0 { room / speed } else { f64::INFINITY }
}

/// The times t ≥ 0 between which |x + u t| is at most `reach`; both are infinite if there are none.
fn within(x: DVec3, u: DVec3, reach: f64) -> [f64; 2] {
    let (over, approach, square) = (x.length_squared() - reach * reach, x.dot(u), u.length_squared());
    if over.is_nan() || over.is_infinite() || (over <= 0.0 && square == 0.0) {
        return [0.0, f64::INFINITY];
    }
    if over > 0.0 && approach >= 0.0 {
        return [f64::INFINITY; 2];
    }
    // The part of x across u, which does not cancel.
    let room = reach * reach - x.cross(u).length_squared() / square;
    if room < 0.0 {
        return [f64::INFINITY; 2];
    }
    let root = (room * square).sqrt();
    let enter = if over > 0.0 { over / (root - approach) } else { 0.0 };
    let leave = if approach > 0.0 { -over / (root + approach) } else { (root - approach) / square };
    [enter, leave]
}

/// Conservative advancement of one pair.
struct Advance<'m> {
    a: Mover<'m>,
    b: Mover<'m>,
    until: f64,
    band: f64,
    /// Bounds on angular speeds and how they change, and on the relative acceleration.
    spin: [f64; 2],
    change: [f64; 2],
    push: f64,
    /// The triangle of a mesh that counts, if not all of it does.
    piece: Option<Piece>,
    /// The contacts at the time that was looked at last.
    seen: Option<(f64, Vec<Contact>)>,
}

/// The radius that counts for the spin of a body: a wall has none.
fn arm(rigid: &Rigid) -> f64 {
    if rigid.radius.is_finite() { rigid.radius } else { 0.0 }
}

impl<'m> Advance<'m> {
    fn new(a: Mover<'m>, b: Mover<'m>, until: f64) -> Self {
        let spin = [a, b].map(|m| m.flight.angular_speed(until));
        let change = [a.flight.angular_change(spin[0]), b.flight.angular_change(spin[1])];
        let band = band(a.rigid, b.rigid);
        let same = a.flight.acceleration == b.flight.acceleration
            && a.flight.drag == [0.0; 2]
            && b.flight.drag == [0.0; 2];
        let push = if same { 0.0 } else { a.flight.push() + b.flight.push() };
        Self { a, b, until, band, spin, change, push, piece: None, seen: None }
    }

    /// The triangles that may be met, where a convex body is near few of a mesh.
    fn pieces(&self, from: f64) -> Option<Vec<Piece>> {
        let (at, poses) = self.at(from);
        Piece::near(self.rigids(), &poses, self.reach(&at, self.until - from) + self.band)
    }

    /// What comes first of triangles.
    fn first_of(&mut self, pieces: &[Piece], from: f64) -> Meeting {
        let (at, poses) = self.at(from);
        let mut first = Meeting::Never;
        for piece in pieces {
            self.piece = Some(*piece);
            let left = self.until - from;
            let beside = piece.normal(&poses, at.map(|at| at.center));
            let free = beside.and_then(|normal| self.parted(normal, &at, &poses, left));
            if free.is_some_and(|free| free >= left) {
                continue;
            }
            let next = self.run(from);
            if let Meeting::Later(t) | Meeting::Beside(t) | Meeting::Touch(t) = next {
                (first, self.until) = (next, t);
            }
        }
        first
    }

    fn rigids(&self) -> [&'m Rigid; 2] {
        [self.a.rigid, self.b.rigid]
    }

    /// Where the bodies are at a time.
    fn at(&self, time: f64) -> ([BodyState; 2], [Pose; 2]) {
        let at = [self.a.flight.at(time), self.b.flight.at(time)];
        (at, [self.a.rigid.pose_of(&at[0]), self.b.rigid.pose_of(&at[1])])
    }

    /// By how much the bodies come closer in a time, at most.
    fn reach(&self, at: &[BodyState; 2], left: f64) -> f64 {
        (self.any_way(at) + 0.5 * self.bend() * left) * left
    }

    fn run(&mut self, from: f64) -> Meeting {
        let (mut t, mut beside) = (from, 0);
        for _ in 0..ROUNDS {
            let (at, poses) = self.at(t);
            let left = self.until - t;
            let reach = self.reach(&at, left);
            let (gap, apart) = self.gap(&poses, reach + self.band);
            if gap > reach + self.band {
                return Meeting::Never;
            }
            let (mut normal, mut known) = (apart, 0.0);
            if gap <= self.band {
                (normal, known) = match self.within_band(t, gap, apart) {
                    ControlFlow::Continue(way) => way,
                    ControlFlow::Break(meeting) => return meeting,
                };
                beside += 1;
                if beside > BESIDE {
                    return Meeting::Beside(t);
                }
            }
            let next = t + self.safe(gap, normal, &at, &poses, left).max(known);
            if next >= self.until {
                return Meeting::Never;
            }
            if next <= t {
                return Meeting::Touch(t);
            }
            t = next;
        }
        Meeting::Later(t)
    }

    /// What comes of bodies that are within the band at a time; if that is nothing yet, the normal of their contact and
    /// for how long they are certainly apart.
    fn within_band(&mut self, t: f64, gap: f64, apart: DVec3) -> ControlFlow<Meeting, (DVec3, f64)> {
        let (at, poses) = self.at(t);
        let left = self.until - t;
        let free = if gap > 0.0 { self.parted(apart, &at, &poses, left) } else { None };
        if free.is_some_and(|free| free >= left) {
            return ControlFlow::Break(Meeting::Never);
        }
        let (quiet, deep) = (QUIET * self.any_way(&at), 2.0 * self.band);
        let found = self.contacts(t, &at);
        if found.iter().any(|contact| closing(contact, &at) > quiet) {
            return ControlFlow::Break(Meeting::Touch(t));
        }
        let deepest = found.iter().reduce(|a, b| if b.depth > a.depth { b } else { a });
        let (depth, normal) = deepest.map_or((0.0, apart), |contact| (contact.depth, contact.normal));
        if depth > deep {
            return ControlFlow::Break(self.overlapping(t));
        }
        ControlFlow::Continue((normal, free.unwrap_or_default()))
    }

    /// Bodies that overlap and do not approach part in time of their own: when they approach after all, or are apart.
    fn overlapping(&mut self, from: f64) -> Meeting {
        let left = self.until - from;
        for k in 1..PARTING {
            let t = from + left * f64::from(k) / f64::from(PARTING);
            let at = self.at(t).0;
            let quiet = QUIET * self.any_way(&at);
            let found = self.contacts(t, &at);
            if found.iter().any(|contact| closing(contact, &at) > quiet) {
                return Meeting::Touch(t);
            }
            if found.iter().all(|contact| contact.depth <= 0.0) {
                return Meeting::Later(t);
            }
        }
        Meeting::Never
    }

    /// The contacts at a time, which triangles beside each other share.
    fn contacts(&mut self, time: f64, at: &[BodyState; 2]) -> &[Contact] {
        if self.seen.as_ref().is_none_or(|seen| seen.0 != time) {
            self.seen = Some((time, contacts(self.a.rigid, &at[0], self.b.rigid, &at[1], 2.0 * self.band)));
        }
        self.seen.as_ref().map_or(&[], |seen| &seen.1)
    }

    /// A lower bound on the distance, if that is no more than `most`, and the direction in which the bodies are apart.
    fn gap(&self, poses: &[Pose; 2], most: f64) -> (f64, DVec3) {
        if let Some(gap) = self.piece.and_then(|piece| piece.gap(self.rigids(), poses, 0.1 * self.band, most))
        {
            return gap;
        }
        let (a, b) = (self.a.rigid, self.b.rigid);
        let above = |plane: (DVec3, f64), other: &Rigid, pose: &Pose| {
            let (normal, offset) = plane;
            let lowest = -other.height(pose, -normal)?;
            let rounding = ROUNDING * (offset.abs().max(pose.translation().abs().max_element()));
            Some((lowest - offset - rounding).max(0.0))
        };
        let height = match (a.plane(), b.plane()) {
            (Some(plane), _) => above(plane, b, &poses[1]),
            (None, Some(plane)) => above(plane, a, &poses[0]),
            (None, None) => None,
        };
        if let Some(height) = height {
            return (height, DVec3::ZERO);
        }
        let search = DistanceOptions { absolute: 0.1 * self.band, relative: 0.05, max: most };
        let found = distance(a.given.body.at(&poses[0]), b.given.body.at(&poses[1]), &search);
        (found.interval.lower, found.point_b - found.point_a)
    }

    /// The times, of those from `from` to the end, before and after which the bodies certainly do not touch.
    fn vicinity(&self, from: f64) -> [f64; 2] {
        let [a, b] = [self.a, self.b];
        let left = self.until - from;
        // Centres leave a straight line by no more than this.
        let bend = 0.5 * self.push * left * left;
        let ((p, v), (q, w)) = (a.flight.center_at(from), b.flight.center_at(from));
        let rounding = ROUNDING * (p.abs().max_element() + q.abs().max_element());
        let [enter, leave] = match (a.rigid.form, b.rigid.form) {
            (Outline::Wall { normal, offset }, _) => {
                let room = normal.dot(q) - offset - b.rigid.radius - bend - self.band - rounding;
                [time_to(room, -normal.dot(w)), f64::INFINITY]
            }
            (_, Outline::Wall { normal, offset }) => {
                let room = normal.dot(p) - offset - a.rigid.radius - bend - self.band - rounding;
                [time_to(room, -normal.dot(v)), f64::INFINITY]
            }
            (Outline::Convex | Outline::Other, Outline::Convex | Outline::Other) => {
                let reach =
                    (a.rigid.radius + b.rigid.radius) * (1.0 + ROUNDING) + bend + self.band + rounding;
                within(q - p, w - v, reach)
            }
        };
        [from + enter, from + leave]
    }

    /// A bound on the speed of any two points against each other at a time.
    fn any_way(&self, at: &[BodyState; 2]) -> f64 {
        let spins = self.spin[0] * arm(self.a.rigid) + self.spin[1] * arm(self.b.rigid);
        (at[1].velocity - at[0].velocity).length() + spins
    }

    fn bend(&self) -> f64 {
        self.push + self.change[0] * arm(self.a.rigid) + self.change[1] * arm(self.b.rigid)
    }

    /// For how long the bodies certainly do not come closer than half the band; where they do not approach
    /// within it, than a part of it.
    fn safe(&self, gap: f64, apart: DVec3, at: &[BodyState; 2], poses: &[Pose; 2], left: f64) -> f64 {
        let time = lasts(self.spare(gap), self.any_way(at), self.bend());
        let time = self.parted(apart, at, poses, left).map_or(time, |longer| time.max(longer));
        // Bodies that overlap and do not approach part in time of their own.
        if gap <= 0.0 { time.max(left / 32.0) } else { time }
    }

    /// By how much a gap may shrink.
    fn spare(&self, gap: f64) -> f64 {
        if gap > self.band { gap - 0.5 * self.band } else { 0.5 * gap.max(0.25 * self.band) }
    }

    /// For how long a plane keeps the bodies apart, if one does now.
    fn parted(&self, apart: DVec3, at: &[BodyState; 2], poses: &[Pose; 2], left: f64) -> Option<f64> {
        let (a, b) = (self.a.rigid, self.b.rigid);
        let fast = |k: usize, rigid: &Rigid| (self.spin[k] * self.spin[k] + self.change[k]) * arm(rigid);
        let bend = self.push + fast(0, a) + fast(1, b);
        let whole = Parting::new([a, b], at, poses, self.normal(apart)?, bend);
        let parting = match &self.piece {
            Some(piece) => whole.of_piece(piece.side, piece.at(poses)),
            None => whole,
        };
        let least = |room: f64| (room > -2.0 * self.band).then(|| room - self.spare(room));
        parting.lasts(least, left)
    }

    /// The normal of a plane that may be between the bodies.
    fn normal(&self, apart: DVec3) -> Option<DVec3> {
        if self.piece.is_some() {
            return crate::math::unit(apart);
        }
        if !(self.a.rigid.has_few_points() && self.b.rigid.has_few_points()) {
            return None;
        }
        match (self.a.rigid.form, self.b.rigid.form) {
            (Outline::Wall { normal, .. }, _) => Some(normal),
            (_, Outline::Wall { normal, .. }) => Some(-normal),
            (Outline::Convex | Outline::Other, Outline::Convex | Outline::Other) => crate::math::unit(apart),
        }
    }
}

/// How fast the bodies approach at a contact.
pub fn closing(contact: &Contact, at: &[BodyState; 2]) -> f64 {
    let middle = (contact.point_a + contact.point_b) * 0.5;
    (at[0].velocity_at(middle) - at[1].velocity_at(middle)).dot(contact.normal)
}

/// The time in which slope·t + bend·t²/2 comes to `room`.
fn lasts(room: f64, slope: f64, bend: f64) -> f64 {
    if bend <= 0.0 {
        return if slope > 0.0 { room / slope } else { f64::INFINITY };
    }
    let root = (slope * slope + 2.0 * bend * room).sqrt();
    if slope > 0.0 { 2.0 * room / (slope + root) } else { (root - slope) / bend }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_falls_comes_down_once() {
        assert_eq!(falls(1.0, -2.0, 0.0), 0.5);
        assert_eq!(falls(1.0, 2.0, 0.0), f64::INFINITY);
        // h + v t − t²/2·2 = 0 with h = 2, v = 1: t = 2.
        assert_eq!(falls(2.0, 1.0, -2.0), 2.0);
        // Thrown up from the ground it is back after 2v/g.
        assert_eq!(falls(0.0, 3.0, -2.0), 3.0);
        assert_eq!(falls(0.0, 0.0, -2.0), 0.0);
        assert_eq!(falls(1.0, -1.0, 2.0), f64::INFINITY);
        assert_eq!(falls(0.75, -2.0, 2.0), 0.5);
    }

    #[test]
    fn room_lasts_as_long_as_its_quadratic_says() {
        assert_eq!(lasts(6.0, 2.0, 0.0), 3.0);
        // 2 t + 2 t² = 4: t = 1.
        assert_eq!(lasts(4.0, 2.0, 4.0), 1.0);
        // −2 t + 2 t² = 4: t = 2.
        assert_eq!(lasts(4.0, -2.0, 4.0), 2.0);
        assert_eq!(lasts(1.0, -1.0, 0.0), f64::INFINITY);
    }
}
