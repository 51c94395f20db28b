//! Rotation without torque.

use glam::{DQuat, DVec3};

use super::inertia::{Inertia, Spin};

/// The rotation by the angle |v| about v.
pub fn turn(v: DVec3) -> DQuat {
    let square = v.length_squared();
    // sin(x/2)/x and cos(x/2): where their series end within rounding after three terms, these are quicker.
    let (share, w) = if square < 1e-4 {
        (0.5 - square * (1.0 / 48.0 - square / 3840.0), 1.0 - square * (0.125 - square / 384.0))
    } else {
        let angle = square.sqrt();
        (libm::sin(0.5 * angle) / angle, libm::cos(0.5 * angle))
    };
    DQuat::from_xyzw(v.x * share, v.y * share, v.z * share, w)
}

/// The vector about which a unit quaternion turns by its length, at most half a turn.
pub fn turned_by(q: DQuat) -> DVec3 {
    let (axis, w) = if q.w < 0.0 { (-q.xyz(), -q.w) } else { (q.xyz(), q.w) };
    let sine = axis.length();
    if sine < 1e-9 { axis * 2.0 } else { axis * (2.0 * libm::atan2(sine, w) / sine) }
}

/// Where the rotation of a free body of angular momentum `momentum` (world) is after a time.
///
/// Equal moments: a turn about the momentum. Two equal moments: a turn about the momentum and one about the
/// axis of symmetry. Otherwise Euler's equations and those of the quaternion are polynomials, and their
/// Taylor series, summed to rounding over pieces of at most a quarter of a radian, is as exact as elliptic
/// functions and holds near the separatrix as well. Where these would be too many, only one period of the angular
/// velocity in the body is summed, in which the body turns about the momentum.
pub fn rotated(inertia: &Inertia, rotation: DQuat, momentum: DVec3, time: f64) -> DQuat {
    match inertia.spin {
        Spin::Round => (turn(momentum * (time / inertia.moments.x)) * rotation).normalize(),
        Spin::Symmetric { axis, along, across } => {
            let axis_in_body = inertia.axes * axis;
            let spin = (rotation * axis_in_body).dot(momentum) / along;
            let inner = turn(axis_in_body * (spin * (1.0 - along / across) * time));
            (turn(momentum * (time / across)) * rotation * inner).normalize()
        }
        Spin::General => general(inertia, rotation, momentum, time),
    }
}

/// Largest angle of a piece.
const PIECE: f64 = 0.25;
/// Most pieces of one flight, which take less than a millisecond; if a period has more, because two moments are nearly
/// equal, they grow and digits are lost.
const PIECES: f64 = 1024.0;
/// Most terms of a series; at a quarter of a radian the terms fall by a factor of six or more.
pub const TERMS: usize = 28;

fn general(inertia: &Inertia, rotation: DQuat, momentum: DVec3, time: f64) -> DQuat {
    let from = rotation * inertia.axes;
    let summed = |q: DQuat, time: f64| {
        let pieces = (time.abs() / longest_piece(inertia, momentum)).ceil().clamp(1.0, PIECES);
        (0..pieces as u32).fold(q, |q, _| Piece::new(inertia, q, momentum, time / pieces).end())
    };
    let end = if time.abs() <= PIECES * longest_piece(inertia, momentum) {
        summed(from, time)
    } else {
        let period = period(inertia.moments, from.inverse() * momentum);
        let whole = (time / period).trunc();
        let rest = summed(from, time - whole * period);
        if whole == 0.0 {
            rest
        } else {
            repeated(summed(from, period) * from.inverse(), momentum, whole) * rest
        }
    };
    (end * inertia.axes.inverse()).normalize()
}

/// A turn about the momentum, so often.
fn repeated(once: DQuat, momentum: DVec3, count: f64) -> DQuat {
    let axis = momentum.normalize_or_zero();
    turn(axis * (count * 2.0 * libm::atan2(once.xyz().dot(axis), once.w)))
}

/// The time after which the angular velocity of a free body is again what it was, seen from the body: four complete
/// elliptic integrals of the first kind (Landau and Lifshitz, Mechanics, § 37), by the arithmetic-geometric mean
/// (Gauss). `momentum` is along the axes of the moments. Infinite on the separatrix.
fn period(moments: DVec3, momentum: DVec3) -> f64 {
    // L² − 2·E·I, without cancellation for the least and the greatest.
    let beyond = |i: f64| (momentum * momentum * (moments - i) / moments).element_sum();
    let mut ascending = moments.to_array();
    ascending.sort_unstable_by(f64::total_cmp);
    let [least, mean, greatest] = ascending;
    let turns_over = beyond(mean);
    let [a, b] = if turns_over >= 0.0 {
        [(greatest - mean) * beyond(least), (greatest - least) * turns_over]
    } else {
        [(least - mean) * beyond(greatest), (least - greatest) * turns_over]
    };
    let (mut a, mut b) = (a.sqrt(), b.sqrt());
    // Quadratic: the last digits are reached long before.
    for _ in 0..40 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    std::f64::consts::TAU * moments.element_product().sqrt() / a
}

/// The longest time in which a free body certainly turns by no more than a piece.
pub fn longest_piece(inertia: &Inertia, momentum: DVec3) -> f64 {
    PIECE * inertia.moments.min_element() / momentum.length()
}

/// A piece of the rotation of a free body, as the terms of a series: rotations from its principal axes to the world.
#[derive(Debug)]
pub struct Piece {
    turns: [DQuat; TERMS],
    count: usize,
}

impl Piece {
    /// From a rotation on, for a time that is not too long.
    pub fn new(inertia: &Inertia, q: DQuat, momentum: DVec3, time: f64) -> Self {
        let omega = (q.inverse() * momentum) / inertia.moments;
        let mut turns = [DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0); TERMS];
        let count = series(&mut turns, inertia.gyration, q, omega, time);
        Self { turns, count }
    }

    pub fn terms(&self) -> &[DQuat] {
        &self.turns[..self.count]
    }

    /// The rotation at the end.
    pub fn end(&self) -> DQuat {
        self.terms()[1..].iter().fold(self.turns[0], |sum, term| sum + *term).normalize()
    }
}

/// The terms of ω' = k·(ω₂ω₃, ω₃ω₁, ω₁ω₂) and q' = ½ q ω; returns how many count.
fn series(turns: &mut [DQuat; TERMS], k: DVec3, q: DQuat, omega: DVec3, time: f64) -> usize {
    let mut rates = [DVec3::ZERO; TERMS];
    // Terms are scaled by powers of the time, so that the sum is that of the array.
    rates[0] = omega * time;
    turns[0] = q;
    for n in 0..TERMS - 1 {
        let (mut rate, mut step) = (DVec3::ZERO, DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0));
        for j in 0..=n {
            let (a, b) = (rates[j], rates[n - j]);
            rate += DVec3::new(a.y * b.z, a.z * b.x, a.x * b.y);
            step += turns[j] * DQuat::from_xyzw(b.x, b.y, b.z, 0.0);
        }
        let next = (n + 1) as f64;
        rates[n + 1] = k * rate / next;
        turns[n + 1] = step * (0.5 / next);
        let negligible = turns[n + 1].length_squared() < 1e-36 && rates[n + 1].length_squared() < 1e-36;
        if negligible {
            return n + 2;
        }
    }
    TERMS
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DMat3;

    fn inertia(moments: DVec3) -> Inertia {
        Inertia::new(1.0, DVec3::ZERO, DMat3::from_diagonal(moments))
    }

    fn energy(inertia: &Inertia, q: DQuat, momentum: DVec3) -> f64 {
        0.5 * momentum.dot(inertia.unspun(q, momentum))
    }

    #[test]
    fn a_body_that_turns_over_keeps_energy_and_momentum() {
        // Dzhanibekov: spun about the middle axis, with a little of the others.
        let body = inertia(DVec3::new(3.0, 2.0, 1.0));
        let mut q = turn(DVec3::new(0.3, -0.2, 0.5));
        let mut omega = q * DVec3::new(1e-3, 10.0, 1e-3);
        let first = body.spun(q, omega);
        let before = energy(&body, q, first);
        let h = 0.1 / omega.length();
        for _ in 0..std::env::var("SUDAR_SPIN_STEPS").ok().and_then(|n| n.parse().ok()).unwrap_or(20_000) {
            let momentum = body.spun(q, omega);
            q = rotated(&body, q, momentum, h);
            omega = body.unspun(q, momentum);
        }
        let last = body.spun(q, omega);
        assert!((last.length() / first.length() - 1.0).abs() < 1e-10);
        assert!((energy(&body, q, last) / before - 1.0).abs() < 1e-9);
    }

    #[test]
    fn one_long_flight_is_many_short_ones() {
        for moments in
            [DVec3::new(3.0, 2.0, 1.0), DVec3::new(1.0, 1.0, 1.9), DVec3::new(2.0, 1.0, 2.0), DVec3::ONE]
        {
            let body = inertia(moments);
            let (q, momentum) = (turn(DVec3::new(1.0, 2.0, 0.3)), DVec3::new(2.0, -1.0, 4.0));
            let whole = rotated(&body, q, momentum, 1.0);
            let short = (0..1000).fold(q, |q, _| rotated(&body, q, momentum, 1e-3));
            assert!(whole.dot(short).abs() > 1.0 - 1e-13, "{moments}");
        }
    }

    #[test]
    fn a_fast_body_of_three_moments_repeats_its_period() {
        let body = inertia(DVec3::new(3.0, 2.0, 1.0));
        // About the greatest, the least and next to the middle axis: 1300 radians and more.
        for omega in
            [DVec3::new(1.0, 300.0, 900.0), DVec3::new(700.0, 100.0, 10.0), DVec3::new(5.0, 600.0, 50.0)]
        {
            let q = turn(DVec3::new(1.0, 2.0, 0.3));
            let momentum = body.spun(q, omega);
            let time = 1300.0 / omega.length();
            let whole = rotated(&body, q, momentum, time);
            let short = (0..100).fold(q, |q, _| rotated(&body, q, momentum, time / 100.0));
            let off = (whole * short.inverse()).xyz().length();
            assert!(off < 1e-9, "{omega}: {off}");
            let energies = [q, whole].map(|q| energy(&body, q, momentum));
            assert!((energies[1] / energies[0] - 1.0).abs() < 1e-10, "{energies:?}");
        }
    }

    #[test]
    fn the_period_of_small_oscillations_is_that_of_the_linear_equations() {
        // About the third axis with ω: ω² (I₃ − I₁)(I₃ − I₂) / (I₁ I₂) is the square of their rate.
        let moments = DVec3::new(1.0, 2.0, 3.0);
        let expected = std::f64::consts::TAU / (5.0_f64 * 5.0 * 2.0 * 1.0 / 2.0).sqrt();
        let found = period(moments, DVec3::new(1e-5, 1e-5, 15.0));
        assert!((found / expected - 1.0).abs() < 1e-9, "{found} {expected}");
    }

    #[test]
    fn a_symmetric_body_precesses_as_the_general_formula_says() {
        // Moments that differ by 1e-9 take the general path, and the answers agree to about that.
        let (exact, near) =
            (inertia(DVec3::new(2.0, 2.0, 3.0)), inertia(DVec3::new(2.0, 2.000_000_002, 3.0)));
        let (q, momentum) = (turn(DVec3::new(0.1, 0.2, 0.3)), DVec3::new(1.0, 2.0, 3.0));
        let [a, b] = [&exact, &near].map(|body| rotated(body, q, momentum, 2.0));
        let off = (a * b.inverse()).xyz().length();
        assert!(off < 1e-8 && off > 1e-12, "{off}");
    }

    #[test]
    fn negligible_turns_are_turns() {
        assert!((turn(DVec3::X * 0.99e-4).x - libm::sin(0.495e-4)).abs() < 1e-19);
        assert_eq!(turn(DVec3::ZERO), DQuat::IDENTITY);
        let quarter = turn(DVec3::Z * std::f64::consts::FRAC_PI_2) * DVec3::X;
        assert!((quarter - DVec3::Y).length() < 1e-15);
    }
}
