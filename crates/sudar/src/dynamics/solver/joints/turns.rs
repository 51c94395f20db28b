//! Rotations of one body, or of eight side by side.

use glam::DQuat;

use crate::math::simd::{Number, Three};

/// A unit quaternion.
#[derive(Clone, Copy)]
pub struct Turn<N> {
    pub axis: Three<N>,
    pub w: N,
}

impl Turn<f64> {
    pub fn of(q: DQuat) -> Self {
        Self { axis: Three { x: q.x, y: q.y, z: q.z }, w: q.w }
    }
}

impl<N: Number> Turn<N> {
    /// The rotation by a rotation vector of at most half a radian, by the series of sine and cosine.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn by(token: N::Token, v: Three<N>) -> Self {
        let quarter = N::constant(token, 0.25);
        let x = v.dot(v) * quarter;
        // Of sin(a)/a and cos(a), at a² = x ≤ 1/16: the next terms are below the rounding.
        const SINE: [f64; 6] =
            [-1.0 / 39_916_800.0, 1.0 / 362_880.0, -1.0 / 5040.0, 1.0 / 120.0, -1.0 / 6.0, 1.0];
        const COSINE: [f64; 7] =
            [1.0 / 479_001_600.0, -1.0 / 3_628_800.0, 1.0 / 40_320.0, -1.0 / 720.0, 1.0 / 24.0, -0.5, 1.0];
        let sine = series(token, x, &SINE);
        Self { axis: v.times(sine * N::constant(token, 0.5)), w: series(token, x, &COSINE) }
    }

    /// First the other rotation, then this one.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn after(self, o: Self) -> Self {
        let axis = o.axis.times(self.w).add(self.axis.times(o.w)).add(self.axis.cross(o.axis));
        Self { axis, w: self.w * o.w - self.axis.dot(o.axis) }
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn inverse(self, token: N::Token) -> Self {
        Self { axis: self.axis.times(N::constant(token, -1.0)), w: self.w }
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn turned(self, v: Three<N>) -> Three<N> {
        let across = self.axis.cross(v);
        let twice = across.add(across);
        v.add(twice.times(self.w)).add(self.axis.cross(twice))
    }

    /// What the axes are turned to.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn axes(self, token: N::Token) -> [Three<N>; 3] {
        let (Three { x, y, z }, w) = (self.axis, self.w);
        let one = N::constant(token, 1.0);
        let (x2, y2, z2) = (x + x, y + y, z + z);
        let (xx, yy, zz) = (x * x2, y * y2, z * z2);
        let (xy, yz, zx) = (x * y2, y * z2, z * x2);
        let (wx, wy, wz) = (w * x2, w * y2, w * z2);
        [
            Three { x: one - (yy + zz), y: xy + wz, z: zx - wy },
            Three { x: xy - wz, y: one - (xx + zz), z: yz + wx },
            Three { x: zx + wy, y: yz - wx, z: one - (xx + yy) },
        ]
    }

    /// The same, of length 1 but for rounding.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn normalized(self, token: N::Token) -> Self {
        let share = N::constant(token, 1.0) / (self.axis.dot(self.axis) + self.w * self.w).root();
        Self { axis: self.axis.times(share), w: self.w * share }
    }
}

/// A polynomial, the highest power first.
#[cfg_attr(not(opt_level_0), inline(always))]
fn series<N: Number>(token: N::Token, x: N, terms: &[f64]) -> N {
    let mut sum = N::constant(token, terms[0]);
    for &term in &terms[1..] {
        sum = sum * x + N::constant(token, term);
    }
    sum
}

/// The angle of a point (x, y) from the x axis, from −π to π, within 3e-15; of the origin 0.
#[cfg_attr(not(opt_level_0), inline(always))]
pub fn angle<N: Number>(token: N::Token, y: N, x: N) -> N {
    let (zero, one) = (N::constant(token, 0.0), N::constant(token, 1.0));
    let (low, high) = (x.size().least(y.size()), x.size().greatest(y.size()));
    let mut t = zero.if_less(high, low / high, zero);
    for _ in 0..2 {
        // Half of the angle.
        t = t / (one + (one + t * t).root());
    }
    // Of at most a sixteenth of half a turn: Gregory's series of the arcus tangent, to t²⁵.
    let square = t * t;
    let mut sum = N::constant(token, 1.0 / 25.0);
    for k in (0..12).rev() {
        sum = N::constant(token, 1.0 / f64::from(2 * k + 1)) - sum * square;
    }
    let quarter = t * sum * N::constant(token, 4.0);
    let steep = N::constant(token, std::f64::consts::FRAC_PI_2) - quarter;
    let right = x.size().if_less(y.size(), steep, quarter);
    let above = x.if_less(zero, N::constant(token, std::f64::consts::PI) - right, right);
    y.if_less(zero, zero - above, above)
}

/// The nearest whole number, of numbers below 2⁵⁰.
#[cfg_attr(not(opt_level_0), inline(always))]
pub fn nearest_whole<N: Number>(token: N::Token, x: N) -> N {
    // Beyond this number, digits after the point do not fit.
    let far = N::constant(token, 6_755_399_441_055_744.0);
    (x + far) - far
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::dynamics::matter::turn;
    use crate::testing::Random;

    #[test]
    fn angles_are_those_of_the_library() {
        let mut random = Random::new(3);
        let mut most: f64 = 0.0;
        for _ in 0..100_000 {
            let at = random.point() * 10_f64.powf(random.within(-9.0, 3.0));
            let off = (angle((), at.y, at.x) - libm::atan2(at.y, at.x)).abs();
            most = most.max(off);
        }
        assert!(most < 3e-15, "{most}");
        for [y, x] in [[0.0, 0.0], [0.0, 1.0], [0.0, -1.0], [1.0, 0.0], [-1.0, 0.0]] {
            assert!((angle((), y, x) - libm::atan2(y, x)).abs() < 1e-15);
        }
    }

    #[test]
    fn turns_are_those_of_quaternions() {
        let mut random = Random::new(4);
        for _ in 0..1000 {
            let [v, p] = [0, 1].map(|_| random.point() * 0.28);
            let expected = turn(v);
            let three = |v: DVec3| Three { x: v.x, y: v.y, z: v.z };
            let found = Turn::by((), three(v));
            assert!(
                (DQuat::from_xyzw(found.axis.x, found.axis.y, found.axis.z, found.w) - expected).length()
                    < 3e-16
            );
            let off = |found: Three<f64>, expected: DVec3| {
                (DVec3::new(found.x, found.y, found.z) - expected).length()
            };
            assert!(off(found.turned(three(p)), expected * p) < 1e-15);
            let axes = found.axes(());
            assert!(DVec3::AXES.iter().zip(axes).all(|(axis, own)| off(own, expected * *axis) < 1e-15));
        }
        assert_eq!([0.4, 0.6, -1.6, 7.0].map(|x| nearest_whole((), x)), [0.0, 1.0, -2.0, 7.0]);
    }
}
