//! What a joint measures: the coordinates of two bodies against each other, and how motion changes them.
//!
//! What most joints measure is written for one joint and for eight side by side ([`Framed`]); distances, gears, racks
//! and pulleys for one.

use std::f64::consts::{PI, TAU};

use glam::{DQuat, DVec3};

use super::turns::{Turn, angle, nearest_whole};
use crate::dynamics::joint::{Axis, Measure};
use crate::math::simd::{Number, Three};

/// Where a body is.
#[derive(Clone, Copy, PartialEq)]
pub struct Place {
    pub center: DVec3,
    pub rotation: DQuat,
}

impl Place {
    pub const ORIGIN: Self = Self { center: DVec3::ZERO, rotation: DQuat::IDENTITY };
}

/// What of a joint does not change: the frames on its bodies, from their centres of mass.
#[derive(Clone, Copy, PartialEq)]
pub struct Geometry {
    pub measure: Measure,
    pub arms: [DVec3; 2],
    pub turns: [DQuat; 2],
    /// Whether twist and swing are asked for; they are most of the work.
    pub has_angles: bool,
}

/// A joint at one place of its bodies. Coordinates that count turns go on from an earlier place.
#[derive(Clone, Copy)]
pub struct Posed {
    measure: Measure,
    framed: Framed<f64>,
    /// The twist, or what gears measure.
    turned: f64,
    /// Strands of a pulley.
    strands: [DVec3; 2],
}

/// A place from which turns are counted, and what was counted there.
#[derive(Clone, Copy)]
pub struct Since<'p> {
    pub places: [&'p Place; 2],
    pub turned: f64,
}

/// How one coordinate changes: with the velocities and the spins of both bodies.
#[derive(Clone, Copy, PartialEq, Default)]
pub struct Gradient {
    pub straight: [DVec3; 2],
    pub turning: [DVec3; 2],
}

fn three(v: DVec3) -> Three<f64> {
    Three { x: v.x, y: v.y, z: v.z }
}

fn vector(v: Three<f64>) -> DVec3 {
    DVec3::new(v.x, v.y, v.z)
}

impl Geometry {
    /// Whether a coordinate is a sum over the way of its bodies, which their places do not tell.
    pub fn counts_turns(&self) -> bool {
        matches!(self.measure, Measure::Gear { .. } | Measure::Rack { .. })
    }

    /// Whether it is solved in lanes.
    pub fn has_axes(&self) -> bool {
        matches!(self.measure, Measure::Axes | Measure::Cone)
    }

    /// The joint where its bodies are.
    pub fn at(&self, places: [&Place; 2], since: Since) -> Posed {
        let frames = Frames { arms: self.arms.map(three), turns: self.turns.map(Turn::of) };
        let spots =
            places.map(|place| Spot { center: three(place.center), rotation: Turn::of(place.rotation) });
        let has_angles = self.has_angles && self.has_axes();
        let framed = Framed::new((), &frames, spots, has_angles.then_some(since.turned));
        let turned = if has_angles { framed.turned } else { since.turned };
        let mut posed = Posed { measure: self.measure, framed, turned, strands: [DVec3::ZERO; 2] };
        let swept = |k: usize| swept(places[k], since.places[k], vector(framed.own[k]));
        match self.measure {
            Measure::Axes | Measure::Cone | Measure::Distance => {}
            Measure::Gear { ratio } => posed.turned += ratio * swept(0) + swept(1),
            Measure::Rack { ratio } => {
                let moved = places[1].center - since.places[1].center;
                posed.turned += moved.dot(vector(framed.own[1])) - ratio * swept(0);
            }
            Measure::Pulley { over, .. } => {
                posed.strands = [0, 1].map(|k| places[k].center + vector(framed.arms[k]) - over[k]);
            }
        }
        posed
    }
}

/// By which angle a body has turned about an axis since another place.
fn swept(now: &Place, before: &Place, axis: DVec3) -> f64 {
    let turn = now.rotation * before.rotation.inverse();
    let angle = 2.0 * libm::atan2(turn.xyz().dot(axis), turn.w);
    if angle > PI {
        angle - TAU
    } else if angle < -PI {
        angle + TAU
    } else {
        angle
    }
}

impl Posed {
    /// A joint with axes.
    pub fn with_axes(measure: Measure, framed: Framed<f64>) -> Self {
        Self { measure, framed, turned: framed.turned, strands: [DVec3::ZERO; 2] }
    }

    /// What counts turns.
    pub fn turned(&self) -> f64 {
        self.turned
    }

    pub fn coordinate(&self, axis: Axis) -> f64 {
        if let Some(kind) = Kind::of(self.measure, axis) {
            return self.framed.coordinate(kind);
        }
        match (self.measure, axis) {
            (Measure::Distance, Axis::X) => vector(self.framed.way).length(),
            (Measure::Gear { .. } | Measure::Rack { .. }, Axis::X) => self.turned,
            (Measure::Pulley { ratio, .. }, Axis::X) => {
                self.strands[0].length() + ratio * self.strands[1].length()
            }
            _ => 0.0,
        }
    }

    pub fn gradient(&self, axis: Axis) -> Gradient {
        let of = |slope: Slope<f64>| Gradient {
            straight: slope.straight.map(vector),
            turning: slope.turning.map(vector),
        };
        if let Some(kind) = Kind::of(self.measure, axis) {
            return of(self.framed.slope((), kind));
        }
        let own = self.framed.own.map(vector);
        match (self.measure, axis) {
            (Measure::Distance, Axis::X) => {
                let along = vector(self.framed.way).normalize_or_zero();
                of(self.framed.along((), three(along)))
            }
            (Measure::Gear { ratio }, Axis::X) => {
                Gradient { straight: [DVec3::ZERO; 2], turning: [own[0] * ratio, own[1]] }
            }
            (Measure::Rack { ratio }, Axis::X) => {
                Gradient { straight: [DVec3::ZERO, own[1]], turning: [own[0] * -ratio, DVec3::ZERO] }
            }
            (Measure::Pulley { ratio, .. }, Axis::X) => {
                let pull = [self.strands[0].normalize_or_zero(), self.strands[1].normalize_or_zero() * ratio];
                let turning = [0, 1].map(|k| vector(self.framed.arms[k]).cross(pull[k]));
                Gradient { straight: pull, turning }
            }
            _ => Gradient::default(),
        }
    }
}

/// What a coordinate measures, of joints with axes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The way between the anchors along an axis of the first frame.
    Along(usize),
    Twist,
    SwingY,
    SwingZ,
    /// The whole angle of the swing.
    Lean,
}

impl Kind {
    /// None of what is measured otherwise, or not at all.
    pub fn of(measure: Measure, axis: Axis) -> Option<Self> {
        match (measure, axis) {
            (Measure::Axes | Measure::Cone, Axis::X) => Some(Self::Along(0)),
            (Measure::Axes | Measure::Cone, Axis::Y) => Some(Self::Along(1)),
            (Measure::Axes | Measure::Cone, Axis::Z) => Some(Self::Along(2)),
            (Measure::Axes | Measure::Cone, Axis::Twist) => Some(Self::Twist),
            (Measure::Axes, Axis::SwingY) => Some(Self::SwingY),
            (Measure::Axes, Axis::SwingZ) => Some(Self::SwingZ),
            (Measure::Cone, Axis::SwingY) => Some(Self::Lean),
            _ => None,
        }
    }
}

/// Where a body is, or where eight are.
#[derive(Clone, Copy)]
pub struct Spot<N> {
    pub center: Three<N>,
    pub rotation: Turn<N>,
}

/// The frames of a joint on its bodies, from their centres of mass.
#[derive(Clone, Copy)]
pub struct Frames<N> {
    pub arms: [Three<N>; 2],
    pub turns: [Turn<N>; 2],
}

/// The frames of a joint in the world.
#[derive(Clone, Copy)]
pub struct Framed<N> {
    /// Arms to the anchors, and the way from one anchor to the other.
    pub arms: [Three<N>; 2],
    way: Three<N>,
    /// The axes of the first frame.
    axes: [Three<N>; 3],
    /// x axes of both frames.
    own: [Three<N>; 2],
    swing: Swing<N>,
    pub turned: N,
}

/// The numbers of a joint in the world.
pub type Numbers<N> = [N; 29];

impl<N: Copy> Framed<N> {
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn numbers(&self) -> Numbers<N> {
        let ([a, b], [x, y, z], v) = (self.arms, self.axes, self.own[1]);
        let (way, Swing { w, y: sy, z: sz, sine, angle, share, slope }) = (self.way, self.swing);
        [
            a.x,
            a.y,
            a.z,
            b.x,
            b.y,
            b.z,
            way.x,
            way.y,
            way.z,
            x.x,
            x.y,
            x.z,
            y.x,
            y.y,
            y.z,
            z.x,
            z.y,
            z.z,
            v.x,
            v.y,
            v.z,
            w,
            sy,
            sz,
            sine,
            angle,
            share,
            slope,
            self.turned,
        ]
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn of_numbers(n: &Numbers<N>) -> Self {
        let [a, b, way, x, y, z, v] =
            [0, 1, 2, 3, 4, 5, 6].map(|k| Three { x: n[3 * k], y: n[3 * k + 1], z: n[3 * k + 2] });
        let swing =
            Swing { w: n[21], y: n[22], z: n[23], sine: n[24], angle: n[25], share: n[26], slope: n[27] };
        Self { arms: [a, b], way, axes: [x, y, z], own: [x, v], swing, turned: n[28] }
    }
}

/// How a coordinate changes with the velocities and the spins of both bodies.
#[derive(Clone, Copy)]
pub struct Slope<N> {
    pub straight: [Three<N>; 2],
    pub turning: [Three<N>; 2],
}

impl<N: Number<Scalar = f64>> Framed<N> {
    /// The joint where its bodies are; twist, which goes on from what was counted, and swing only where that is given.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn new(token: N::Token, frames: &Frames<N>, [a, b]: [Spot<N>; 2], counted: Option<N>) -> Self {
        let arms = [a.rotation.turned(frames.arms[0]), b.rotation.turned(frames.arms[1])];
        let turns = [a.rotation.after(frames.turns[0]), b.rotation.after(frames.turns[1])];
        let way = b.center.sub(a.center).add(arms[1].sub(arms[0]));
        let axes = turns[0].axes(token);
        let mut framed = Self {
            arms,
            way,
            axes,
            own: [axes[0], turns[1].axes(token)[0]],
            swing: Swing::none(token),
            turned: N::constant(token, 0.0),
        };
        if let Some(counted) = counted {
            let turn = turns[0].inverse(token).after(turns[1]);
            framed.swing = Swing::new(token, turn);
            let twist = N::constant(token, 2.0) * angle(token, turn.axis.x, turn.w);
            let whole = nearest_whole(token, (counted - twist) / N::constant(token, TAU));
            framed.turned = twist + N::constant(token, TAU) * whole;
        }
        framed
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn coordinate(&self, kind: Kind) -> N {
        match kind {
            Kind::Along(k) => self.axes[k].dot(self.way),
            Kind::Twist => self.turned,
            Kind::SwingY => self.swing.y * self.swing.share,
            Kind::SwingZ => self.swing.z * self.swing.share,
            Kind::Lean => self.swing.angle,
        }
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn slope(&self, token: N::Token, kind: Kind) -> Slope<N> {
        match kind {
            Kind::Along(k) => self.along(token, self.axes[k]),
            Kind::Twist => self.about(token, self.swing.twist_slope(token)),
            Kind::SwingY => self.about(token, self.swing.slopes(token)[0]),
            Kind::SwingZ => self.about(token, self.swing.slopes(token)[1]),
            Kind::Lean => self.about(token, self.swing.lean(token)),
        }
    }

    /// Along a direction that turns with the first body.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn along(&self, token: N::Token, n: Three<N>) -> Slope<N> {
        let turning = [n.cross(self.arms[0].add(self.way)), self.arms[1].cross(n)];
        Slope { straight: [n.times(N::constant(token, -1.0)), n], turning }
    }

    /// Of an angle that changes so with the spin of the second body against the first, in the first frame.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn about(&self, token: N::Token, [x, y, z]: [N; 3]) -> Slope<N> {
        let turn = self.axes[0].times(x).add(self.axes[1].times(y)).add(self.axes[2].times(z));
        let zero = N::constant(token, 0.0);
        let none = Three { x: zero, y: zero, z: zero };
        Slope { straight: [none; 2], turning: [turn.times(N::constant(token, -1.0)), turn] }
    }
}

/// How the x axis of the second frame leans from that of the first: the turn by the shortest way, a quaternion (w, 0,
/// y, z) with w ≥ 0.
#[derive(Clone, Copy)]
struct Swing<N> {
    w: N,
    y: N,
    z: N,
    /// Sine of half the angle, and the angle.
    sine: N,
    angle: N,
    /// Angle over sine of its half, and the derivative of that by the sine over the sine.
    share: N,
    slope: N,
}

/// Leans by half a turn have no axis; about there, twist and swing stand still.
const FARTHEST: f64 = 1e-6;

impl<N: Number<Scalar = f64>> Swing<N> {
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn none(token: N::Token) -> Self {
        let [zero, one, two] = [N::constant(token, 0.0), N::constant(token, 1.0), N::constant(token, 2.0)];
        let slope = N::constant(token, 2.0 / 3.0);
        Self { w: one, y: zero, z: zero, sine: zero, angle: zero, share: two, slope }
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn new(token: N::Token, turn: Turn<N>) -> Self {
        let Three { x, y, z } = turn.axis;
        let number = |x: f64| N::constant(token, x);
        let w = (turn.w * turn.w + x * x).root().greatest(number(FARTHEST));
        let (y, z) = ((turn.w * y - x * z) / w, (turn.w * z + x * y) / w);
        let square = y * y + z * z;
        let sine = square.root();
        let angle = number(2.0) * angle(token, sine, w);
        let few = number(0.15) + square * number(5.0 / 56.0);
        let near = number(2.0) + square * (number(1.0 / 3.0) + square * few);
        let near_slope = number(2.0 / 3.0) + square * (number(0.6) + square * number(15.0 / 28.0));
        let share = sine.if_less(number(1e-2), near, angle / sine);
        let slope = sine.if_less(number(1e-2), near_slope, (number(2.0) / w - share) / square);
        Self { w, y, z, sine, angle, share, slope }
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn twist_slope(&self, token: N::Token) -> [N; 3] {
        let zero = N::constant(token, 0.0);
        [N::constant(token, 1.0), self.z / self.w, zero - self.y / self.w]
    }

    /// How y and z change with the spin.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn rates(&self, token: N::Token) -> [[N; 3]; 2] {
        let Self { w, y, z, .. } = *self;
        let half = N::constant(token, 0.5);
        let straight = half * (w * w - y * y - z * z) / w;
        let mixed = half * y * z / w;
        let zero = N::constant(token, 0.0);
        [[zero - z, straight + half * y * y / w, mixed], [y, mixed, straight + half * z * z / w]]
    }

    /// How the rotation vector changes with the spin.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn slopes(&self, token: N::Token) -> [[N; 3]; 2] {
        let [of_y, of_z] = self.rates(token);
        let mut both = [of_y, of_z];
        for k in 0..3 {
            let grows = self.slope * (self.y * of_y[k] + self.z * of_z[k]);
            both[0][k] = self.share * of_y[k] + self.y * grows;
            both[1][k] = self.share * of_z[k] + self.z * grows;
        }
        both
    }

    /// How the angle changes with the spin; of no lean, with the spin about y.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn lean(&self, token: N::Token) -> [N; 3] {
        let (zero, one) = (N::constant(token, 0.0), N::constant(token, 1.0));
        let y = zero.if_less(self.sine, self.y / self.sine, one);
        [zero, y, zero.if_less(self.sine, self.z / self.sine, zero)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::matter::turn as rotation;

    /// Places of two bodies and their motion, from a few numbers.
    fn moving(seed: u32) -> ([Place; 2], [[DVec3; 2]; 2]) {
        let mut state = u64::from(seed) * 2 + 1;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as f64 / f64::from(1u32 << 31) * 2.0 - 1.0
        };
        let mut vector = || DVec3::new(next(), next(), next());
        let places = [0, 1].map(|_| Place { center: vector(), rotation: rotation(vector() * 1.4) });
        (places, [0, 1].map(|_| [vector(), vector()]))
    }

    fn moved(places: &[Place; 2], speeds: &[[DVec3; 2]; 2], time: f64) -> [Place; 2] {
        [0, 1].map(|k| Place {
            center: places[k].center + speeds[k][0] * time,
            rotation: (rotation(speeds[k][1] * time) * places[k].rotation).normalize(),
        })
    }

    #[test]
    fn every_gradient_is_the_difference_of_its_coordinate() {
        let over = [DVec3::new(0.3, 2.0, 1.0), DVec3::new(-1.0, 2.5, 0.2)];
        let measures = [
            Measure::Axes,
            Measure::Distance,
            Measure::Cone,
            Measure::Gear { ratio: 2.5 },
            Measure::Rack { ratio: 0.4 },
            Measure::Pulley { over, ratio: 2.0 },
        ];
        let mut checked = 0;
        for seed in 0..200 {
            let (places, speeds) = moving(seed);
            let geometry = |measure| Geometry {
                measure,
                arms: [DVec3::new(0.2, -0.1, 0.3), DVec3::new(-0.4, 0.2, 0.1)],
                turns: [rotation(DVec3::new(0.1, 0.2, -0.3)), rotation(DVec3::new(-0.3, 0.1, 0.2))],
                has_angles: true,
            };
            for measure in measures {
                let at = |time: f64| {
                    let now = moved(&places, &speeds, time);
                    let since = Since { places: [&places[0], &places[1]], turned: 0.0 };
                    geometry(measure).at([&now[0], &now[1]], since)
                };
                let (step, here) = (1e-5, at(0.0));
                for axis in Axis::ALL {
                    let difference = (at(step).coordinate(axis) - at(-step).coordinate(axis)) / (2.0 * step);
                    let Gradient { straight, turning } = here.gradient(axis);
                    let rate: f64 =
                        (0..2).map(|k| straight[k].dot(speeds[k][0]) + turning[k].dot(speeds[k][1])).sum();
                    let scale = 1.0 + rate.abs() + here.framed.swing.w.recip().powi(3);
                    assert!(
                        (rate - difference).abs() < 1e-7 * scale,
                        "{seed} {measure:?} {axis:?}: {rate} {difference}"
                    );
                    checked += u32::from(rate != 0.0);
                }
            }
        }
        assert!(checked > 2500, "{checked}");
    }

    #[test]
    fn leans_are_measured_as_angles() {
        for angle in [1e-9, 1e-3, 0.019, 0.021, 1.0, 3.0] {
            let turned = rotation(DVec3::new(0.0, 0.6, -0.8) * angle) * rotation(DVec3::X * 0.7);
            let swing = Swing::new((), Turn::of(turned));
            let [y, z] = [swing.y * swing.share, swing.z * swing.share];
            assert!(
                (y - 0.6 * angle).abs() < 1e-14 * (1.0 + angle)
                    && (z + 0.8 * angle).abs() < 1e-14 * (1.0 + angle)
            );
            assert!((swing.angle - angle).abs() < 1e-14);
        }
    }
}
