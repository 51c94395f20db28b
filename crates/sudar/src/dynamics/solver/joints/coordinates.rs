//! What a joint measures: the coordinates of two bodies against each other, and how motion changes them.

use std::f64::consts::{PI, TAU};

use glam::{DQuat, DVec3};

use crate::dynamics::joint::{Axis, Measure};

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
    /// Arms to the anchors, and the way from one anchor to the other, all in the world.
    arms: [DVec3; 2],
    way: DVec3,
    /// The axes of the first frame.
    axes: [DVec3; 3],
    /// x axes of both frames.
    own: [DVec3; 2],
    swing: Swing,
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

impl Geometry {
    /// Whether a coordinate is a sum over the way of its bodies, which their places do not tell.
    pub fn counts_turns(&self) -> bool {
        matches!(self.measure, Measure::Gear { .. } | Measure::Rack { .. })
    }

    /// The joint where its bodies are.
    pub fn at(&self, places: [&Place; 2], since: Since) -> Posed {
        let arms = [0, 1].map(|k| places[k].rotation * self.arms[k]);
        let frames = [0, 1].map(|k| places[k].rotation * self.turns[k]);
        let way = (places[1].center - places[0].center) + (arms[1] - arms[0]);
        let own = frames.map(|frame| frame * DVec3::X);
        let mut posed = Posed {
            measure: self.measure,
            arms,
            way,
            axes: [own[0], frames[0] * DVec3::Y, frames[0] * DVec3::Z],
            own,
            swing: Swing::default(),
            turned: since.turned,
            strands: [DVec3::ZERO; 2],
        };
        let swept = |k: usize| swept(places[k], since.places[k], own[k]);
        match self.measure {
            Measure::Axes | Measure::Cone if !self.has_angles => {}
            Measure::Axes | Measure::Cone => {
                let turn = frames[0].inverse() * frames[1];
                posed.swing = Swing::new(turn);
                let twist = 2.0 * libm::atan2(turn.x, turn.w);
                posed.turned = twist + TAU * ((since.turned - twist) / TAU).round();
            }
            Measure::Distance => {}
            Measure::Gear { ratio } => posed.turned += ratio * swept(0) + swept(1),
            Measure::Rack { ratio } => {
                let moved = places[1].center - since.places[1].center;
                posed.turned += moved.dot(own[1]) - ratio * swept(0);
            }
            Measure::Pulley { over, .. } => {
                posed.strands = [0, 1].map(|k| places[k].center + arms[k] - over[k]);
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
    /// What counts turns.
    pub fn turned(&self) -> f64 {
        self.turned
    }

    pub fn coordinate(&self, axis: Axis) -> f64 {
        let displaced = |k: usize| self.axes[k].dot(self.way);
        match (self.measure, axis) {
            (Measure::Axes | Measure::Cone, Axis::X) => displaced(0),
            (Measure::Axes | Measure::Cone, Axis::Y) => displaced(1),
            (Measure::Axes | Measure::Cone, Axis::Z) => displaced(2),
            (Measure::Axes | Measure::Cone, Axis::Twist) => self.turned,
            (Measure::Axes, Axis::SwingY) => self.swing.vector()[0],
            (Measure::Axes, Axis::SwingZ) => self.swing.vector()[1],
            (Measure::Cone, Axis::SwingY) => self.swing.angle(),
            (Measure::Distance, Axis::X) => self.way.length(),
            (Measure::Gear { .. } | Measure::Rack { .. }, Axis::X) => self.turned,
            (Measure::Pulley { ratio, .. }, Axis::X) => {
                self.strands[0].length() + ratio * self.strands[1].length()
            }
            _ => 0.0,
        }
    }

    pub fn gradient(&self, axis: Axis) -> Gradient {
        match (self.measure, axis) {
            (Measure::Axes | Measure::Cone, Axis::X) => self.along(self.axes[0]),
            (Measure::Axes | Measure::Cone, Axis::Y) => self.along(self.axes[1]),
            (Measure::Axes | Measure::Cone, Axis::Z) => self.along(self.axes[2]),
            (Measure::Axes | Measure::Cone, Axis::Twist) => self.about(self.swing.twist_gradient()),
            (Measure::Axes, Axis::SwingY) => self.about(self.swing.gradients()[0]),
            (Measure::Axes, Axis::SwingZ) => self.about(self.swing.gradients()[1]),
            (Measure::Cone, Axis::SwingY) => self.about(self.swing.lean()),
            (Measure::Distance, Axis::X) => self.along(self.way.normalize_or_zero()),
            (Measure::Gear { ratio }, Axis::X) => {
                Gradient { straight: [DVec3::ZERO; 2], turning: [self.own[0] * ratio, self.own[1]] }
            }
            (Measure::Rack { ratio }, Axis::X) => Gradient {
                straight: [DVec3::ZERO, self.own[1]],
                turning: [self.own[0] * -ratio, DVec3::ZERO],
            },
            (Measure::Pulley { ratio, .. }, Axis::X) => {
                let pull = [self.strands[0].normalize_or_zero(), self.strands[1].normalize_or_zero() * ratio];
                Gradient { straight: pull, turning: [0, 1].map(|k| self.arms[k].cross(pull[k])) }
            }
            _ => Gradient::default(),
        }
    }

    /// Along a direction that turns with the first body.
    fn along(&self, n: DVec3) -> Gradient {
        let turning = [-(self.arms[0] + self.way).cross(n), self.arms[1].cross(n)];
        Gradient { straight: [-n, n], turning }
    }

    /// Of an angle that changes so with the spin of the second body against the first, in the first frame.
    fn about(&self, [x, y, z]: [f64; 3]) -> Gradient {
        let turn = self.axes[0] * x + self.axes[1] * y + self.axes[2] * z;
        Gradient { straight: [DVec3::ZERO; 2], turning: [-turn, turn] }
    }
}

/// How the x axis of the second frame leans from that of the first: the turn by the shortest way, a quaternion (w, 0,
/// y, z) with w ≥ 0.
#[derive(Clone, Copy)]
struct Swing {
    w: f64,
    y: f64,
    z: f64,
}

impl Default for Swing {
    fn default() -> Self {
        Self { w: 1.0, y: 0.0, z: 0.0 }
    }
}

/// Leans by half a turn have no axis; about there, twist and swing stand still.
const FARTHEST: f64 = 1e-6;

impl Swing {
    fn new(turn: DQuat) -> Self {
        let w = (turn.w * turn.w + turn.x * turn.x).sqrt().max(FARTHEST);
        Self { w, y: (turn.w * turn.y - turn.x * turn.z) / w, z: (turn.w * turn.z + turn.x * turn.y) / w }
    }

    /// Sine of half the angle.
    fn sine(&self) -> f64 {
        (self.y * self.y + self.z * self.z).sqrt()
    }

    fn angle(&self) -> f64 {
        2.0 * libm::atan2(self.sine(), self.w)
    }

    /// Angle over sine of its half, and the derivative of that by the sine over the sine.
    fn share(&self) -> [f64; 2] {
        let sine = self.sine();
        let square = sine * sine;
        if sine < 1e-2 {
            return [
                2.0 + square * (1.0 / 3.0 + square * (0.15 + square * (5.0 / 56.0))),
                2.0 / 3.0 + square * (0.6 + square * (15.0 / 28.0)),
            ];
        }
        let share = self.angle() / sine;
        [share, (2.0 / self.w - share) / square]
    }

    fn vector(&self) -> [f64; 2] {
        let [share, _] = self.share();
        [self.y * share, self.z * share]
    }

    fn twist_gradient(&self) -> [f64; 3] {
        [1.0, self.z / self.w, -self.y / self.w]
    }

    /// How y and z change with the spin.
    fn rates(&self) -> [[f64; 3]; 2] {
        let Self { w, y, z } = *self;
        let straight = 0.5 * (w * w - y * y - z * z) / w;
        let mixed = 0.5 * y * z / w;
        [[-z, straight + 0.5 * y * y / w, mixed], [y, mixed, straight + 0.5 * z * z / w]]
    }

    /// How the rotation vector changes with the spin.
    fn gradients(&self) -> [[f64; 3]; 2] {
        let ([share, slope], [of_y, of_z]) = (self.share(), self.rates());
        let grows = [0, 1, 2].map(|k| slope * (self.y * of_y[k] + self.z * of_z[k]));
        [[of_y, [self.y; 3]], [of_z, [self.z; 3]]]
            .map(|[rate, part]| [0, 1, 2].map(|k| share * rate[k] + part[k] * grows[k]))
    }

    /// How the angle changes with the spin; of no lean, with the spin about y.
    fn lean(&self) -> [f64; 3] {
        let sine = self.sine();
        if sine == 0.0 { [0.0, 1.0, 0.0] } else { [0.0, self.y / sine, self.z / sine] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::matter::turn;

    /// Places of two bodies and their motion, from a few numbers.
    fn moving(seed: u32) -> ([Place; 2], [[DVec3; 2]; 2]) {
        let mut state = u64::from(seed) * 2 + 1;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as f64 / f64::from(1u32 << 31) * 2.0 - 1.0
        };
        let mut vector = || DVec3::new(next(), next(), next());
        let places = [0, 1].map(|_| Place { center: vector(), rotation: turn(vector() * 1.4) });
        (places, [0, 1].map(|_| [vector(), vector()]))
    }

    fn moved(places: &[Place; 2], speeds: &[[DVec3; 2]; 2], time: f64) -> [Place; 2] {
        [0, 1].map(|k| Place {
            center: places[k].center + speeds[k][0] * time,
            rotation: (turn(speeds[k][1] * time) * places[k].rotation).normalize(),
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
                turns: [turn(DVec3::new(0.1, 0.2, -0.3)), turn(DVec3::new(-0.3, 0.1, 0.2))],
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
                    let scale = 1.0 + rate.abs() + here.swing.w.recip().powi(3);
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
            let swing = Swing::new(turn(DVec3::new(0.0, 0.6, -0.8) * angle) * turn(DVec3::X * 0.7));
            let [y, z] = swing.vector();
            assert!(
                (y - 0.6 * angle).abs() < 1e-14 * (1.0 + angle)
                    && (z + 0.8 * angle).abs() < 1e-14 * (1.0 + angle)
            );
            assert!((swing.angle() - angle).abs() < 1e-14);
        }
    }
}
