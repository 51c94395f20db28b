//! Joints as data: two bodies, where they are joined, and what each of the six relative motions may do.
//!
//! A joint has a frame on each of its bodies. Their origins lie apart by a displacement, measured along the axes of the
//! first, and they are turned against each other: by a twist about the x axis, and by a swing that takes the x axis of
//! the first to that of the second, a rotation vector across it. Each of these six coordinates has a [`Row`]. All kinds
//! of joints are choices of rows; the constructors make the common ones.

use glam::{DMat3, DQuat, DVec3};

use super::error::DynamicsError;
use crate::broad::Handle;
use crate::math::unit;

/// Numbers that may be infinite, which JSON has no word for but `"inf"` and `"-inf"`.
#[cfg(feature = "serde")]
mod any {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum Number {
        Finite(f64),
        Infinite(String),
    }

    pub fn serialize<S: Serializer>(value: &f64, to: S) -> Result<S::Ok, S::Error> {
        let number =
            if value.is_finite() { Number::Finite(*value) } else { Number::Infinite(value.to_string()) };
        number.serialize(to)
    }

    pub fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<f64, D::Error> {
        match Number::deserialize(from)? {
            Number::Finite(value) => Ok(value),
            Number::Infinite(word) if word == "inf" => Ok(f64::INFINITY),
            Number::Infinite(word) if word == "-inf" => Ok(f64::NEG_INFINITY),
            Number::Infinite(word) => {
                Err(D::Error::custom(format!("expected a number, \"inf\" or \"-inf\", found {word}")))
            }
        }
    }
}

#[cfg(feature = "serde")]
mod any_two {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    struct Any(#[serde(with = "super::any")] f64);

    pub fn serialize<S: Serializer>(values: &[f64; 2], to: S) -> Result<S::Ok, S::Error> {
        values.map(Any).serialize(to)
    }

    pub fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<[f64; 2], D::Error> {
        Ok(<[Any; 2]>::deserialize(from)?.map(|Any(value)| value))
    }
}

/// Handle of a joint in a [`World`](super::World).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JointHandle {
    pub(super) index: u32,
    pub(super) generation: u32,
    pub(super) world: u32,
}

impl JointHandle {
    /// Number of the joint among those of its world.
    pub fn index(self) -> u32 {
        self.index
    }
}

/// A coordinate of the second frame of a joint against the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Axis {
    /// Displacement along the x axis, in metres.
    #[default]
    X,
    /// Displacement along the y axis.
    Y,
    /// Displacement along the z axis.
    Z,
    /// Angle about the x axis, in radians; it counts whole turns.
    Twist,
    /// Part about the y axis of the rotation vector that takes one x axis to the other.
    SwingY,
    /// Part of it about the z axis.
    SwingZ,
}

impl Axis {
    /// All six, in the order of the rows of a joint.
    pub const ALL: [Self; 6] = [Self::X, Self::Y, Self::Z, Self::Twist, Self::SwingY, Self::SwingZ];

    /// Whether it is an angle.
    pub fn is_angle(self) -> bool {
        self as usize >= 3
    }
}

/// How a constraint yields.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Softness {
    /// It does not.
    #[default]
    Hard,
    /// As a damped spring of this frequency, whatever the masses are.
    Frequency {
        /// In 1/s.
        hertz: f64,
        /// 1 comes to rest without swinging.
        damping_ratio: f64,
    },
    /// As a spring and a damper.
    Stiffness {
        /// In N/m, or N·m for an angle.
        stiffness: f64,
        /// In N·s/m, or N·m·s.
        damping: f64,
    },
}

impl Softness {
    /// Whether it is hard, or a spring of numbers above 0 with a damping of 0 or more.
    pub(super) fn is_well(self) -> bool {
        match self {
            Self::Hard => true,
            Self::Frequency { hertz: pull, damping_ratio: damping }
            | Self::Stiffness { stiffness: pull, damping } => {
                pull > 0.0 && pull < 1e80 && (0.0..1e80).contains(&damping)
            }
        }
    }

    /// Angular frequency and damping ratio for a mass, by its inverse; none of what is hard.
    pub(super) fn spring(self, inverse_mass: f64) -> Option<[f64; 2]> {
        match self {
            Self::Hard => None,
            Self::Frequency { hertz, damping_ratio } => Some([std::f64::consts::TAU * hertz, damping_ratio]),
            Self::Stiffness { stiffness, damping } => {
                let omega = (stiffness * inverse_mass).sqrt();
                Some([omega, 0.5 * damping * inverse_mass / omega])
            }
        }
    }
}

/// A spring, or a motor that goes to a position: a pull towards a value of a coordinate.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Spring {
    /// Where it pulls to, in m or rad.
    pub target: f64,
    /// How hard. A hard one goes there at once, as far as its force allows.
    pub softness: Softness,
    /// The most force, in N, or torque, in N·m.
    #[cfg_attr(feature = "serde", serde(with = "any"))]
    pub force: f64,
}

/// A motor that keeps a speed.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Motor {
    /// In m/s or rad/s, of the second body against the first.
    pub speed: f64,
    /// The most force, in N, or torque, in N·m.
    #[cfg_attr(feature = "serde", serde(with = "any"))]
    pub force: f64,
}

/// What one coordinate of a joint may do: anything, by default.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields, default)
)]
pub struct Row {
    /// The least value; equal to the greatest where the coordinate is locked.
    #[cfg_attr(feature = "serde", serde(with = "any"))]
    pub lower: f64,
    /// The greatest value.
    #[cfg_attr(feature = "serde", serde(with = "any"))]
    pub upper: f64,
    /// How bounds yield.
    pub softness: Softness,
    /// A spring, or a motor that goes to a position.
    pub spring: Option<Spring>,
    /// A motor that keeps a speed.
    pub motor: Option<Motor>,
    /// Friction in the joint: the most force, in N, or torque, in N·m, against any motion.
    pub friction: f64,
}

impl Default for Row {
    fn default() -> Self {
        Self::FREE
    }
}

impl Row {
    /// Nothing holds the coordinate.
    pub const FREE: Self = Self {
        lower: f64::NEG_INFINITY,
        upper: f64::INFINITY,
        softness: Softness::Hard,
        spring: None,
        motor: None,
        friction: 0.0,
    };
    /// It stays zero.
    pub const LOCKED: Self = Self { lower: 0.0, upper: 0.0, ..Self::FREE };

    /// Whether it is held at one value.
    pub fn is_locked(&self) -> bool {
        self.lower == self.upper
    }

    fn check(&self, name: &str) -> Result<(), DynamicsError> {
        let refuse = |key, problem: String| Err(DynamicsError::joint(key, format!("{name}: {problem}")));
        let ordered =
            self.lower <= self.upper && self.lower < f64::INFINITY && self.upper > f64::NEG_INFINITY;
        if !ordered {
            let problem = format!("must be in order, found {} to {}; swap them", self.lower, self.upper);
            return refuse("limits", problem);
        }
        let springs = self.spring.iter().map(|spring| spring.softness);
        for softness in springs.chain([self.softness]) {
            let numbers = match softness {
                Softness::Hard => [0.0; 2],
                Softness::Frequency { hertz, damping_ratio } => [hertz, damping_ratio],
                Softness::Stiffness { stiffness, damping } => [stiffness, damping],
            };
            if !numbers.iter().all(|x| (0.0..1e80).contains(x)) {
                return refuse(
                    "softness",
                    format!("must be two finite numbers of at least 0, found {numbers:?}"),
                );
            }
        }
        let aims =
            self.spring.map(|spring| spring.target).into_iter().chain(self.motor.map(|motor| motor.speed));
        if let Some(aim) = aims.into_iter().find(|aim| !is_small(*aim)) {
            return refuse("motor", format!("speed and target must be finite, found {aim}"));
        }
        let forces =
            self.spring.map(|spring| spring.force).into_iter().chain(self.motor.map(|motor| motor.force));
        if let Some(force) = forces.chain([self.friction]).find(|force| force.is_nan() || *force < 0.0) {
            return refuse("force", format!("must be at least 0, found {force}"));
        }
        Ok(())
    }
}

/// Where a joint is on a body: a point, and the axes of its frame.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Anchor {
    /// The origin.
    pub point: DVec3,
    /// The rotation of the axes, unit.
    pub rotation: DQuat,
}

/// Where a joint is on both bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Anchors {
    /// In the world as it is when the joint is added.
    World([Anchor; 2]),
    /// In the frame of each body; of the world itself, in the world.
    Bodies([Anchor; 2]),
}

/// What the coordinates of a joint are.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Measure {
    /// Displacements along three axes, twist and swing.
    #[default]
    Axes,
    /// The row of [`Axis::X`] is about the distance between the anchors, and that is all.
    Distance,
    /// The row of [`Axis::SwingY`] is about the angle between the x axes, and that of [`Axis::SwingZ`] about nothing.
    Cone,
    /// The row of [`Axis::X`] is about the angle of the second body about its x axis, plus `ratio` times that of the
    /// first about its own, since the joint was added.
    Gear {
        /// Turns of the second body for one of the first, the other way.
        ratio: f64,
    },
    /// The row of [`Axis::X`] is about the way of the second body along its x axis, less `ratio` times the angle of the
    /// first body about its own.
    Rack {
        /// Metres for a radian: the radius of the pinion.
        ratio: f64,
    },
    /// The row of [`Axis::X`] is about the length of a rope from the first anchor over two points of the world to the
    /// second anchor; the second part counts `ratio` times.
    Pulley {
        /// The points over which the rope goes.
        over: [DVec3; 2],
        /// 1 for a plain pulley, 2 for a block and tackle with two strands.
        ratio: f64,
    },
}

/// What ties two bodies together. `None` stands for the world at rest.
///
/// ```
/// use sudar::dynamics::{Joint, RigidBody, Settings, World};
/// use sudar::{Cuboid, DVec3};
///
/// let mut world = World::new(Settings::default())?;
/// let mut door = RigidBody::new("door", Cuboid::new(DVec3::new(0.4, 0.02, 1.0))?);
/// door.position = DVec3::new(0.4, 0.0, 1.0);
/// let door = world.add(door)?;
/// let hinge = world.join(Joint::hinge(None, door, DVec3::ZERO, DVec3::Z).limits(-1.5, 1.5).motor(1.0, 500.0))?;
/// for _ in 0..60 {
///     world.step(1.0 / 60.0)?;
/// }
/// // A radian after a second, and the hinge holds to a billionth of a metre.
/// let state = world.joint_state(hinge)?;
/// assert!((state.coordinates[3] - 1.0).abs() < 0.02 && state.gap < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Joint {
    /// The first and the second body. Handles are of one world, and not written down.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub bodies: [Option<Handle>; 2],
    /// Where they are joined.
    pub anchors: Anchors,
    /// What each coordinate may do, in the order of [`Axis::ALL`].
    pub rows: [Row; 6],
    /// What the coordinates are.
    pub measure: Measure,
    /// The coordinate that limits, motors and springs of the constructors' methods are about.
    pub main: Axis,
    /// Whether the two bodies collide with each other.
    pub collides: bool,
    /// Force, in N, and torque, in N·m, beyond which the joint breaks at the end of a step; infinite by default.
    #[cfg_attr(feature = "serde", serde(with = "any_two"))]
    pub breaks: [f64; 2],
}

impl Joint {
    /// A joint that holds nothing, with x axes along a direction of the world; rows are then given by
    /// [`Joint::row`].
    pub fn generic(
        a: impl Into<Option<Handle>>,
        b: impl Into<Option<Handle>>,
        pivot: DVec3,
        axis: DVec3,
    ) -> Self {
        Self {
            bodies: [a.into(), b.into()],
            anchors: Anchors::World([Anchor { point: pivot, rotation: along(axis) }; 2]),
            rows: [Row::FREE; 6],
            measure: Measure::Axes,
            main: Axis::X,
            collides: false,
            breaks: [f64::INFINITY; 2],
        }
    }

    fn locked(self, axes: &[Axis], main: Axis) -> Self {
        axes.iter().fold(Self { main, ..self }, |joint, &axis| joint.row(axis, Row::LOCKED))
    }

    /// Both bodies move as one.
    pub fn fixed(a: impl Into<Option<Handle>>, b: impl Into<Option<Handle>>, pivot: DVec3) -> Self {
        Self::generic(a, b, pivot, DVec3::X).locked(&Axis::ALL, Axis::X)
    }

    /// A ball in a socket. Its main coordinate is the twist.
    pub fn ball(a: impl Into<Option<Handle>>, b: impl Into<Option<Handle>>, pivot: DVec3) -> Self {
        Self::generic(a, b, pivot, DVec3::X).locked(&Axis::ALL[..3], Axis::Twist)
    }

    /// Turns about an axis through a point, in the world; its main coordinate is the angle.
    pub fn hinge(
        a: impl Into<Option<Handle>>,
        b: impl Into<Option<Handle>>,
        pivot: DVec3,
        axis: DVec3,
    ) -> Self {
        let held = [Axis::X, Axis::Y, Axis::Z, Axis::SwingY, Axis::SwingZ];
        Self::generic(a, b, pivot, axis).locked(&held, Axis::Twist)
    }

    /// Slides along an axis and does not turn; its main coordinate is the way.
    pub fn slider(
        a: impl Into<Option<Handle>>,
        b: impl Into<Option<Handle>>,
        pivot: DVec3,
        axis: DVec3,
    ) -> Self {
        Self::generic(a, b, pivot, axis).locked(&Axis::ALL[1..], Axis::X)
    }

    /// A ball in a socket whose second body leans from an axis by no more than an angle, as a shoulder does. Its main
    /// coordinate is the twist, which [`Joint::limits`] bounds.
    pub fn cone(
        a: impl Into<Option<Handle>>,
        b: impl Into<Option<Handle>>,
        pivot: DVec3,
        axis: DVec3,
        angle: f64,
    ) -> Self {
        let joint = Self::generic(a, b, pivot, axis).locked(&Axis::ALL[..3], Axis::Twist);
        let lean = Row { lower: f64::NEG_INFINITY, upper: angle, ..Row::FREE };
        Self { measure: Measure::Cone, ..joint }.row(Axis::SwingY, lean)
    }

    /// Two points, each on a body and given in the world, that stay as far apart as they are when the joint is added,
    /// or as [`Joint::limits`] says.
    pub fn distance(a: impl Into<Option<Handle>>, b: impl Into<Option<Handle>>, points: [DVec3; 2]) -> Self {
        let length = (points[1] - points[0]).length();
        let row = Row { lower: length, upper: length, ..Row::FREE };
        Self { measure: Measure::Distance, ..Self::generic(a, b, points[0], DVec3::X) }
            .between(points)
            .row(Axis::X, row)
    }

    /// A rope between two points: they are no farther apart than its length.
    pub fn rope(
        a: impl Into<Option<Handle>>,
        b: impl Into<Option<Handle>>,
        points: [DVec3; 2],
        length: f64,
    ) -> Self {
        Self::distance(a, b, points).row(Axis::X, Row { upper: length, ..Row::FREE })
    }

    /// A spring between two points.
    pub fn spring(
        a: impl Into<Option<Handle>>,
        b: impl Into<Option<Handle>>,
        points: [DVec3; 2],
        length: f64,
        softness: Softness,
    ) -> Self {
        let spring = Some(Spring { target: length, softness, force: f64::INFINITY });
        Self::distance(a, b, points).row(Axis::X, Row { spring, ..Row::FREE })
    }

    /// A wheel on a car, given the direction of the axle and that of the suspension. The wheel turns about the axle
    /// ([`Axis::Twist`], its main coordinate), the suspension gives along [`Axis::Z`], and steering is
    /// [`Axis::SwingZ`]: see [`Joint::suspension`] and [`Joint::steering`].
    pub fn wheel(
        car: impl Into<Option<Handle>>,
        wheel: impl Into<Option<Handle>>,
        pivot: DVec3,
        axle: DVec3,
        up: DVec3,
    ) -> Self {
        let held = [Axis::X, Axis::Y, Axis::Z, Axis::SwingY, Axis::SwingZ];
        let anchor = Anchor { point: pivot, rotation: along_and_up(axle, up) };
        let joint = Self::generic(car, wheel, pivot, axle).locked(&held, Axis::Twist);
        Self { anchors: Anchors::World([anchor; 2]), ..joint }
    }

    /// Holds a body by a point as with a spring of 5 Hz and no more than a force, as a mouse does; the point in the
    /// world is moved by [`JointMut::set_anchor`](super::JointMut::set_anchor).
    pub fn drag(body: Handle, point: DVec3, force: f64) -> Self {
        let softness = Softness::Frequency { hertz: 5.0, damping_ratio: 1.0 };
        let spring = Some(Spring { target: 0.0, softness, force });
        let pull = Row { spring, ..Row::FREE };
        let joint = Self::generic(None, body, point, DVec3::X);
        Axis::ALL[..3].iter().fold(joint, |joint, &axis| joint.row(axis, pull))
    }

    /// Locks axes of a body: the point keeps its coordinates along those axes of the world for which `ways` says so,
    /// and the body does not turn about those for which `turns` does. A body of a game in the plane of x and y has
    /// `[false, false, true]` and `[true, true, false]`.
    pub fn locks(body: impl Into<Option<Handle>>, point: DVec3, ways: [bool; 3], turns: [bool; 3]) -> Self {
        // What may turn alone, or may not, turns about the x axis of the frame, where angles have no end.
        let count = turns.iter().filter(|turn| **turn).count();
        let alone = turns.iter().position(|turn| *turn == (count == 1)).unwrap_or(0);
        let axes = [0, 1, 2].map(|k| (alone + k) % 3);
        let [x, y, z] = axes.map(|k| DVec3::AXES[k]);
        let rotation = DQuat::from_mat3(&DMat3::from_cols(x, y, z));
        let anchors = Anchors::World([Anchor { point, rotation }; 2]);
        let locked = [axes.map(|k| ways[k]), axes.map(|k| turns[k])].concat();
        let named: Vec<Axis> =
            Axis::ALL.into_iter().zip(locked).filter(|(_, locked)| *locked).map(|(axis, _)| axis).collect();
        Self { anchors, ..Self::generic(None, body, point, x) }.locked(&named, Axis::Twist)
    }

    /// Couples the turning of two bodies about axes of their own, given in the world, each through its own centre:
    /// for one turn of the first the second makes `ratio` the other way.
    pub fn gear(
        a: impl Into<Option<Handle>>,
        b: impl Into<Option<Handle>>,
        axes: [DVec3; 2],
        ratio: f64,
    ) -> Self {
        Self { measure: Measure::Gear { ratio }, ..Self::generic(a, b, DVec3::ZERO, axes[0]) }
            .with_axes(axes)
            .row(Axis::X, Row::LOCKED)
    }

    /// Couples a pinion of a radius, which turns about an axis, with a rack that moves along another.
    pub fn rack(
        pinion: impl Into<Option<Handle>>,
        rack: impl Into<Option<Handle>>,
        axes: [DVec3; 2],
        radius: f64,
    ) -> Self {
        let measure = Measure::Rack { ratio: radius };
        Self { measure, ..Self::generic(pinion, rack, DVec3::ZERO, axes[0]) }
            .with_axes(axes)
            .row(Axis::X, Row::LOCKED)
    }

    /// A rope of a length from a point of the first body over two points of the world to a point of the second; the
    /// second part counts `ratio` times.
    pub fn pulley(
        a: impl Into<Option<Handle>>,
        b: impl Into<Option<Handle>>,
        points: [DVec3; 2],
        over: [DVec3; 2],
        (length, ratio): (f64, f64),
    ) -> Self {
        Self { measure: Measure::Pulley { over, ratio }, ..Self::generic(a, b, points[0], DVec3::X) }
            .between(points)
            .row(Axis::X, Row { upper: length, ..Row::FREE })
    }

    /// Anchors at two points of the world.
    fn between(mut self, points: [DVec3; 2]) -> Self {
        self.anchors = Anchors::World(points.map(|point| Anchor { point, rotation: DQuat::IDENTITY }));
        Self { main: Axis::X, ..self }
    }

    fn with_axes(mut self, axes: [DVec3; 2]) -> Self {
        self.anchors = Anchors::World(axes.map(|axis| Anchor { point: DVec3::ZERO, rotation: along(axis) }));
        Self { main: Axis::X, ..self }
    }

    /// Says what a coordinate may do.
    #[must_use]
    pub fn row(mut self, axis: Axis, row: Row) -> Self {
        self.rows[axis as usize] = row;
        self
    }

    /// The row of the main coordinate.
    pub fn main_row(&mut self) -> &mut Row {
        &mut self.rows[self.main as usize]
    }

    /// Bounds the main coordinate.
    #[must_use]
    pub fn limits(mut self, lower: f64, upper: f64) -> Self {
        let row = self.main_row();
        (row.lower, row.upper) = (lower, upper);
        self
    }

    /// Lets the bounds of all coordinates yield.
    #[must_use]
    pub fn soft(mut self, softness: Softness) -> Self {
        self.rows.iter_mut().for_each(|row| row.softness = softness);
        self
    }

    /// A motor about the main coordinate that keeps a speed, with at most a force or torque.
    #[must_use]
    pub fn motor(mut self, speed: f64, force: f64) -> Self {
        self.main_row().motor = Some(Motor { speed, force });
        self
    }

    /// A motor about the main coordinate that goes to a position as a damped spring, with at most a force or torque.
    #[must_use]
    pub fn servo(mut self, target: f64, softness: Softness, force: f64) -> Self {
        self.main_row().spring = Some(Spring { target, softness, force });
        self
    }

    /// Friction about the main coordinate: the most force or torque.
    #[must_use]
    pub fn friction(mut self, force: f64) -> Self {
        self.main_row().friction = force;
        self
    }

    /// The suspension of a wheel: how far it gives down and up, and how.
    #[must_use]
    pub fn suspension(self, travel: [f64; 2], softness: Softness) -> Self {
        let spring = Some(Spring { target: 0.0, softness, force: f64::INFINITY });
        self.row(Axis::Z, Row { lower: travel[0], upper: travel[1], spring, ..Row::FREE })
    }

    /// Holds the steering of a wheel at an angle.
    #[must_use]
    pub fn steering(self, angle: f64) -> Self {
        self.row(Axis::SwingZ, Row { lower: angle, upper: angle, ..Row::FREE })
    }

    /// Lets the two bodies collide with each other.
    #[must_use]
    pub fn colliding(mut self) -> Self {
        self.collides = true;
        self
    }

    /// Breaks beyond a force, in N, or a torque, in N·m.
    #[must_use]
    pub fn breaking(mut self, force: f64, torque: f64) -> Self {
        self.breaks = [force, torque];
        self
    }

    pub(super) fn check(&self) -> Result<(), DynamicsError> {
        let refuse = |key, problem: &str| Err(DynamicsError::joint(key, problem));
        if self.bodies[0] == self.bodies[1] {
            return refuse("bodies", "a joint needs two different bodies, or one and the world");
        }
        let (Anchors::World(anchors) | Anchors::Bodies(anchors)) = self.anchors;
        for Anchor { point, rotation } in anchors {
            if !(point.is_finite() && point.abs().max_element() < 1e80) {
                return refuse("anchor", "must be finite numbers below 1e80");
            }
            if !rotation.is_finite() || (rotation.length() - 1.0).abs() > 1e-6 {
                return refuse("axis", "must be a direction, or a quaternion of length 1; no zero, no NaN");
            }
        }
        for (row, axis) in self.rows.iter().zip(Axis::ALL) {
            row.check(&format!("{axis:?}"))?;
        }
        let numbers = match self.measure {
            Measure::Axes | Measure::Distance | Measure::Cone => vec![],
            Measure::Gear { ratio } | Measure::Rack { ratio } => vec![ratio],
            Measure::Pulley { over: [a, b], ratio } => [a.to_array(), b.to_array(), [ratio; 3]].concat(),
        };
        if !numbers.iter().all(|x| is_small(*x)) {
            return refuse("ratio", "must be finite numbers below 1e80");
        }
        if self.breaks.iter().any(|most| most.is_nan() || *most <= 0.0) {
            return refuse("breaks", "must be above 0");
        }
        Ok(())
    }
}

/// Whether a number is one to compute with.
fn is_small(x: f64) -> bool {
    x.abs() < 1e80
}

/// A rotation that takes x to a direction; no unit quaternion for none.
fn along(axis: DVec3) -> DQuat {
    let Some(axis) = unit(axis) else { return DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0) };
    // Half-way from x to the direction; from the opposite of x, half a turn about z.
    let w = 1.0 + axis.x;
    if w < 1e-9 {
        return DQuat::from_xyzw(0.0, 0.0, 1.0, 0.0);
    }
    let turn = DVec3::X.cross(axis);
    DQuat::from_xyzw(turn.x, turn.y, turn.z, w).normalize()
}

/// A rotation that takes x to one direction, and z to another as nearly as can be.
fn along_and_up(axis: DVec3, up: DVec3) -> DQuat {
    let (Some(x), Some(y)) = (unit(axis), unit(up.cross(axis))) else {
        return DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    };
    DQuat::from_mat3(&DMat3::from_cols(x, y, x.cross(y))).normalize()
}
