//! Rotation under a torque that does not change.

use glam::{DQuat, DVec3};

use super::inertia::{Inertia, Spin};
use super::rotation::{TERMS, rotated, turn};

/// A torque that stays as it is in the world, and a drag c that takes c·L from the angular momentum L in a second.
#[derive(Debug, Clone, Copy)]
pub struct Drive {
    pub torque: DVec3,
    pub drag: f64,
}

/// Most pieces of one flight, so that none takes longer than a millisecond.
const PIECES: f64 = 256.0;
/// Largest angle of a piece of a body of three moments, whose equations are not linear.
const PIECE: f64 = 0.25;
/// The same of a body of two or three equal moments: its series converge for all times, and at this angle within their
/// terms.
const LINEAR_PIECE: f64 = 2.0;
/// After so many time constants drag has brought the angular momentum to its last value, but for e⁻⁴⁰ of the change.
const SETTLED: f64 = 40.0;

/// Where a body is after a time in which it is driven. `grown` gives the angular momentum in the world after a time.
///
/// Momentum and torque make linear equations where two moments are equal, and polynomial ones seen from any body: their
/// Taylor series are summed to rounding over pieces.
///
/// A body that turns too far for that, by 512 or 64 radians, spins so fast that the torque only leads its momentum
/// along: it turns as if it were free, at the speed of the moment, and what it is carries over from the old direction
/// of the momentum to the new by the shortest turn (parallel transport; the adiabatic theorem). That is exact where
/// the momentum keeps its direction. Else a body of three moments is off by about the angle by which the momentum
/// leans, and one of two or three equal moments, whose axis is corrected to first order (Berry 1987, "Quantum phase
/// corrections from adiabatic iteration"), by about that angle times torque·I/L². Only while the square of the
/// momentum is below a multiple of torque·I are there pieces.
pub fn driven(
    inertia: &Inertia,
    rotation: DQuat,
    drive: &Drive,
    time: f64,
    grown: impl Fn(f64) -> DVec3,
) -> DQuat {
    let flight = Driven::new(inertia, drive, grown);
    let Some([begin, end]) = flight.slow_part(time) else { return flight.led(rotation, [0.0, time]) };
    let slow = flight.led(rotation, [0.0, begin]);
    flight.led(flight.summed(slow, [begin, end]), [end, time])
}

struct Driven<'i, G> {
    inertia: &'i Inertia,
    drive: Drive,
    grown: G,
    /// The moment that bounds the angular speed that counts.
    moment: f64,
    /// Largest angle of a piece.
    piece: f64,
}

impl<'i, G: Fn(f64) -> DVec3> Driven<'i, G> {
    fn new(inertia: &'i Inertia, drive: &Drive, grown: G) -> Self {
        let (moment, piece) = match inertia.spin {
            Spin::Round => (inertia.moments.x, LINEAR_PIECE),
            Spin::Symmetric { across, .. } => (across, LINEAR_PIECE),
            Spin::General => (inertia.moments.min_element(), PIECE),
        };
        Self { inertia, drive: *drive, grown, moment, piece }
    }

    /// Pieces of a part of the flight in which nothing turns or changes by more than the angle of a piece. The momentum
    /// is greatest at one of its ends.
    fn pieces(&self, [from, to]: [f64; 2]) -> f64 {
        let Drive { torque, drag } = self.drive;
        let greatest = (self.grown)(from).length().max((self.grown)(to).length());
        let rate = (greatest / self.moment).max((torque.length() / self.moment).sqrt()).max(drag);
        (rate * (to - from) / self.piece).ceil().max(1.0)
    }

    /// The part of a flight that is summed: all of it, or where the momentum is small against what the torque does.
    fn slow_part(&self, time: f64) -> Option<[f64; 2]> {
        if self.pieces([0.0, time]) <= PIECES {
            return Some([0.0, time]);
        }
        let Drive { torque, drag } = self.drive;
        let (first, bound) = ((self.grown)(0.0), 0.5 * PIECES * self.piece * torque.length() * self.moment);
        // Momenta are on a line: from the first along the torque, or, with drag, from the last to the first as e^(−ct).
        let (start, way) = if drag == 0.0 { (first, torque) } else { (torque / drag, first - torque / drag) };
        let [a, b, c] = [way.length_squared(), start.dot(way), start.length_squared() - bound];
        let root = (b * b - a * c).sqrt();
        let [less, more] = [(-b - root) / a, (-b + root) / a];
        // What is never reached is after all time.
        let after = |u: f64| if u > 0.0 { -libm::log(u) / drag } else { f64::INFINITY };
        let [begin, end] = if drag == 0.0 { [less, more] } else { [after(more), after(less)] };
        let part = [begin.max(0.0), end.min(time).min(SETTLED / drag)];
        (less < more && part[0] < part[1] && self.pieces(part) <= 2.0 * PIECES).then_some(part)
    }

    /// By series.
    fn summed(&self, rotation: DQuat, [from, to]: [f64; 2]) -> DQuat {
        let pieces = self.pieces([from, to]).min(PIECES);
        let piece = (to - from) / pieces;
        let momentum = |number: u32| (self.grown)(from + piece * f64::from(number));
        let numbers = 0..pieces as u32;
        if let Spin::General = self.inertia.spin {
            let q = numbers.fold(rotation * self.inertia.axes, |q, number| {
                let back = q.inverse();
                let seen = [back * momentum(number), back * self.drive.torque];
                body_series(self.inertia.moments, q, seen, self.drive.drag, piece).normalize()
            });
            return (q * self.inertia.axes.inverse()).normalize();
        }
        let symmetry = Symmetry::of(self.inertia);
        numbers.fold(rotation, |q, number| symmetry.series(q, momentum(number), &self.drive, piece))
    }

    /// As a body that spins fast and is led by the torque.
    fn led(&self, rotation: DQuat, [from, to]: [f64; 2]) -> DQuat {
        let [first, last] = [from, to].map(&self.grown);
        if from >= to || first == DVec3::ZERO {
            return rotation;
        }
        let normal = first.cross(self.drive.torque).normalize_or_zero();
        let lean = turn(normal * libm::atan2(first.cross(last).length(), first.dot(last)));
        let spun = if let Spin::General = self.inertia.spin {
            let swept = self.integral([from, to], &|momentum| momentum.length());
            rotated(self.inertia, rotation, first, swept / first.length())
        } else {
            self.spun(rotation, [first, last], normal, [from, to])
        };
        (lean * spun).normalize()
    }

    /// The turn of a body of two or three equal moments, seen from the momentum. There its axis turns with the momentum
    /// L/I and against the lean, by |L×τ|/L² about the normal.
    fn spun(&self, rotation: DQuat, ends: [DVec3; 2], normal: DVec3, part: [f64; 2]) -> DQuat {
        let Drive { torque, .. } = self.drive;
        let leaning = |momentum: DVec3| momentum.cross(torque).length() / momentum.length_squared();
        let along = |momentum: DVec3| momentum.length() / self.moment;
        let [before, after] = ends.map(|momentum| libm::atan2(leaning(momentum), along(momentum)));
        let first = ends[0].normalize();
        let across = normal.cross(first);
        let axis = turn(across * before) * first;
        let speed = |momentum: DVec3| libm::hypot(along(momentum), leaning(momentum));
        let outer = turn(across * (after - before)) * turn(axis * self.integral(part, &speed)) * rotation;
        let Symmetry { axis: own, surplus, .. } = Symmetry::of(self.inertia);
        if surplus == 0.0 {
            return outer;
        }
        let mean = |momentum: DVec3| momentum.length() * along(momentum) / speed(momentum);
        let share = (rotation * own).dot(axis);
        outer * turn(own * (surplus * share * self.integral(part, &mean)))
    }

    /// The integral of what depends on the momentum.
    fn integral(&self, [from, to]: [f64; 2], of: &impl Fn(DVec3) -> f64) -> f64 {
        let settled = to.min(SETTLED / self.drive.drag).max(from);
        self.halved([from, settled], DEPTH, of) + self.halved([settled, to], DEPTH, of)
    }

    /// By Gauss and Legendre with five points, over halves until the momentum changes little.
    fn halved(&self, [from, to]: [f64; 2], depth: u32, of: &impl Fn(DVec3) -> f64) -> f64 {
        let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
        let momentum = |x: f64| (self.grown)(middle + half * x);
        let here = momentum(0.0);
        let change = half * (self.drive.torque.length() + self.drive.drag * here.length());
        if half == 0.0 {
            return 0.0;
        }
        if depth > 0 && change > here.length() / 16.0 {
            return self.halved([from, middle], depth - 1, of) + self.halved([middle, to], depth - 1, of);
        }
        let [one, other] = GAUSS.map(|(x, weight)| weight * (of(momentum(x)) + of(momentum(-x))));
        half * (one + other + MIDDLE * of(here))
    }
}

/// Abscissae and weights of Gauss and Legendre for five points, and the weight of the one in the middle.
const GAUSS: [(f64, f64); 2] =
    [(0.906_179_845_938_664, 0.236_926_885_056_189_1), (0.538_469_310_105_683_1, 0.478_628_670_499_366_5)];
const MIDDLE: f64 = 128.0 / 225.0;
/// Most halvings.
const DEPTH: u32 = 9;

/// A body with an axis about which its moments are equal: any, if all are.
struct Symmetry {
    axis: DVec3,
    across: f64,
    /// 1/I along the axis − 1/I across.
    surplus: f64,
}

impl Symmetry {
    fn of(inertia: &Inertia) -> Self {
        match inertia.spin {
            Spin::Symmetric { axis, along, across } => {
                Self { axis: inertia.axes * axis, across, surplus: 1.0 / along - 1.0 / across }
            }
            Spin::Round | Spin::General => Self { axis: DVec3::Z, across: inertia.moments.x, surplus: 0.0 },
        }
    }

    /// One piece. The axis a turns with L/I across, a' = L×a/I, as L' = τ − c·L; about it the body turns besides by ψ,
    /// ψ' = S·(1/I along − 1/I across) with S = a·L and S' = a·τ − c·S. All are linear, so that the series converge for
    /// all times.
    fn series(&self, q: DQuat, momentum: DVec3, drive: &Drive, time: f64) -> DQuat {
        let axis = q * self.axis;
        let (mut momenta, mut axes) = ([DVec3::ZERO; TERMS], [DVec3::ZERO; TERMS]);
        let mut turns = [DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0); TERMS];
        let mut spin = axis.dot(momentum);
        // Terms are scaled by powers of the time; without drag the momentum has but two.
        (momenta[0], axes[0], turns[0]) = (momentum / self.across, axis, q);
        let last = if drive.drag == 0.0 { 2 } else { TERMS };
        let (mut sum, mut inner) = (q, 0.0);
        for n in 0..TERMS - 1 {
            let (mut lean, mut step) = (DVec3::ZERO, DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0));
            for (j, omega) in momenta[..last.min(n + 1)].iter().enumerate() {
                lean += omega.cross(axes[n - j]);
                step += DQuat::from_xyzw(omega.x, omega.y, omega.z, 0.0) * turns[n - j];
            }
            let share = time / (n + 1) as f64;
            let push = if n == 0 { drive.torque / self.across } else { DVec3::ZERO };
            momenta[n + 1] = (push - momenta[n] * drive.drag) * share;
            (axes[n + 1], turns[n + 1]) = (lean * share, step * (0.5 * share));
            inner += spin * share;
            spin = (axes[n].dot(drive.torque) - spin * drive.drag) * share;
            sum += turns[n + 1];
        }
        (sum * turn(self.axis * (inner * self.surplus))).normalize()
    }
}

/// One piece, from momentum and torque along the principal axes. Seen from the body they follow l' = l×ω + τ − c·l and
/// τ' = τ×ω with ω = l/I.
fn body_series(moments: DVec3, q: DQuat, [momentum, torque]: [DVec3; 2], drag: f64, time: f64) -> DQuat {
    let (mut momenta, mut torques) = ([DVec3::ZERO; TERMS], [DVec3::ZERO; TERMS]);
    let mut turns = [DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0); TERMS];
    // Terms are scaled by powers of the time, so that the sum is that of the array.
    (momenta[0], torques[0], turns[0]) = (momentum, torque, q);
    let mut sum = q;
    for n in 0..TERMS - 1 {
        let (mut gain, mut lean) = (torques[n] - momenta[n] * drag, DVec3::ZERO);
        let mut step = DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0);
        for j in 0..=n {
            let omega = momenta[n - j] / moments;
            gain += momenta[j].cross(omega);
            lean += torques[j].cross(omega);
            step += turns[j] * DQuat::from_xyzw(omega.x, omega.y, omega.z, 0.0);
        }
        let share = time / (n + 1) as f64;
        (momenta[n + 1], torques[n + 1]) = (gain * share, lean * share);
        turns[n + 1] = step * (0.5 * share);
        sum += turns[n + 1];
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::matter::{BodyState, Flight};
    use glam::DMat3;

    const MOMENTS: [DVec3; 4] =
        [DVec3::ONE, DVec3::new(1.0, 1.0, 1.9), DVec3::new(3.0, 3.0, 0.01), DVec3::new(3.0, 2.0, 1.0)];

    fn inertia(moments: DVec3) -> Inertia {
        Inertia::new(2.0, DVec3::ZERO, DMat3::from_diagonal(moments))
    }

    fn state(angular_velocity: DVec3) -> BodyState {
        let rotation = turn(DVec3::new(0.3, -0.2, 0.5));
        BodyState { center: DVec3::ZERO, rotation, velocity: DVec3::ZERO, angular_velocity }
    }

    fn flight(inertia: &Inertia, from: BodyState, torque: DVec3, drag: f64) -> Flight<'_> {
        Flight { torque, drag: [0.0, drag], ..Flight::free(inertia, from, 0.0) }
    }

    /// After one flight, and after many short ones.
    fn once_and_often(
        inertia: &Inertia,
        omega: DVec3,
        torque: DVec3,
        drag: f64,
        time: f64,
        count: u32,
    ) -> [BodyState; 2] {
        let start = state(omega);
        let short = |at, _| flight(inertia, at, torque, drag).at(time / f64::from(count));
        [flight(inertia, start, torque, drag).at(time), (0..count).fold(start, short)]
    }

    fn off([a, b]: [BodyState; 2]) -> f64 {
        (a.rotation * b.rotation.inverse()).xyz().length()
    }

    /// A ball with 4·10⁹ rad/s under a torque took 0.2 s a step.
    #[test]
    fn a_flight_at_any_speed_takes_no_longer_than_a_millisecond() {
        let start = std::time::Instant::now();
        let mut count = 0;
        for moments in MOMENTS {
            let body = inertia(moments);
            for speed in [0.0, 1e3, 1e5, 4.3e9, 1e30] {
                for torque in [DVec3::new(0.1, 0.0, 0.02), DVec3::new(-1e9, 2e8, 1e7)] {
                    for drag in [0.0, 0.1, 1e7] {
                        let from = state(DVec3::new(1.0, 0.2, -0.3) * speed);
                        let there = flight(&body, from, torque, drag).at(0.0166);
                        assert!(there.is_finite() && (there.rotation.length() - 1.0).abs() < 1e-12);
                        count += 1;
                    }
                }
            }
        }
        // Without optimisation some times a millisecond each; before, several seconds for each of the fast ones.
        assert!(start.elapsed().as_secs_f64() < 0.05 * f64::from(count), "{:?}", start.elapsed());
    }

    #[test]
    fn the_angular_momentum_is_exact_at_any_speed() {
        for moments in MOMENTS {
            let body = inertia(moments);
            for speed in [1.0, 1e4, 1e9] {
                let (from, torque) =
                    (state(DVec3::new(1.0, 0.2, -0.3) * speed), DVec3::new(3.0, 70.0, 1.0) * speed);
                let there = flight(&body, from, torque, 0.0).at(0.5);
                let momentum = body.spun(there.rotation, there.angular_velocity);
                let expected = body.spun(from.rotation, from.angular_velocity) + torque * 0.5;
                assert!((momentum - expected).length() < 1e-14 * expected.length(), "{moments} {speed}");
            }
        }
    }

    #[test]
    fn two_equal_moments_are_exact_up_to_512_radians() {
        for moments in &MOMENTS[..3] {
            let body = inertia(*moments);
            for drag in [0.0, 2.0] {
                let (omega, torque) = (DVec3::new(100.0, -20.0, 30.0), DVec3::new(50.0, 200.0, -10.0));
                let states = once_and_often(&body, omega, torque, drag, 1.0, 500);
                // An inner turn of 10⁴ radians is known no better.
                assert!(off(states) < 1e-10, "{moments} {drag}: {}", off(states));
            }
        }
    }

    #[test]
    fn the_linear_series_are_those_of_the_general_body() {
        let (omega, torque) = (DVec3::new(3.0, -2.0, 1.0), DVec3::new(1.0, 2.0, -1.0));
        for drag in [0.0, 0.7] {
            let one = flight(&inertia(DVec3::new(2.0, 2.0, 3.0)), state(omega), torque, drag).at(2.0);
            // Moments that differ by 1e-9 take the general path, and the answers agree to about that.
            let near =
                flight(&inertia(DVec3::new(2.0, 2.000_000_002, 3.0)), state(omega), torque, drag).at(2.0);
            assert!((1e-13..1e-8).contains(&off([one, near])), "{}", off([one, near]));
        }
    }

    /// About a fixed axis the angle is ω·t + α·t²/2, whatever the speed.
    #[test]
    fn along_the_axis_a_torque_turns_by_the_closed_form() {
        let (axis, alpha) = (DVec3::new(0.6, 0.0, -0.8), 40.0);
        for speed in [-9.0, 0.0, 70.0, 3e3, -3e3, 1e6] {
            let body = inertia(DVec3::ONE);
            let from = state(axis * speed);
            for time in [0.5, 100.0] {
                let there = flight(&body, from, axis * alpha, 0.0).at(time);
                let expected = turn(axis * (speed * time + 0.5 * alpha * time * time)) * from.rotation;
                let angle = (speed.abs() + alpha * time) * time;
                let off = (there.rotation * expected.inverse()).xyz().length();
                assert!(off < 1e-13 + 1e-15 * angle, "{speed} {time}: {off}");
            }
        }
    }

    /// Led along the torque a fast body is where many short flights take it, but for the lean, and if two moments are
    /// equal but for that times torque·I/L².
    #[test]
    fn a_fast_body_is_led_along_the_torque() {
        for moments in MOMENTS {
            let body = inertia(moments);
            for drag in [0.0, 0.8] {
                let (omega, torque) = (DVec3::new(1.0, 0.3, 2.0) * 2e3, DVec3::new(3.0, -2.0, 1.0) * 5e2);
                let is_general = moments == MOMENTS[3];
                let states =
                    once_and_often(&body, omega, torque, drag, 1.0, if is_general { 2000 } else { 100 });
                let momentum = body.spun(state(omega).rotation, omega);
                let lean = momentum.angle_between(momentum + torque);
                let ratio = torque.length() * moments.max_element() / momentum.length_squared();
                // About its own axis the angle is as much greater as the moment is less.
                let greater = moments.max_element() / moments.min_element();
                let bound = if is_general { lean } else { 10.0 * lean * ratio * greater };
                assert!(off(states) < bound, "{moments} {drag}: {} {bound}", off(states));
            }
        }
    }

    /// Once slow in the middle: against the spin, and past it.
    #[test]
    fn a_torque_that_stops_and_turns_a_body_is_summed_where_it_is_slow() {
        let body = inertia(DVec3::new(1.0, 1.0, 1.9));
        let omega = DVec3::new(3000.0, 10.0, -20.0);
        let states = once_and_often(&body, omega, DVec3::new(-6000.0, 50.0, 9.0), 0.0, 1.0, 300);
        // C = 256 at the ends of the part that is summed, each of which is off by some 1/C.
        assert!(off(states) < 0.02, "{}", off(states));
    }
}
