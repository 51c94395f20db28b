//! Rigid bodies as they are described.

use std::sync::Arc;

use glam::{DMat3, DQuat, DVec3};

use super::combine::Combine;
use super::field::ForceField;
use super::inertia::Inertia;
use super::rule::ContactRule;
use super::state::BodyState;
use crate::broad::{Filter, Handle, Seek};
use crate::dynamics::DynamicsError;
use crate::dynamics::joint::Softness;
use crate::mass::{MassProperties, mass_properties};
use crate::query::Body;
use crate::shape::{Mesh, Shape, Solid};

/// Body type: dynamic, static or kinematic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum BodyType {
    /// Moved by forces and contacts.
    #[default]
    Dynamic,
    /// Never moves.
    Static,
    /// Moves at the velocities it is given; contacts do not change them.
    Kinematic,
}

/// How the mass of a dynamic body is specified.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum MassSpec {
    /// Uniform density, in kg/m³.
    Density(f64),
    /// Total mass, in kg, at uniform density.
    Mass(f64),
    /// Mass, inertia tensor and centre of mass, in the frame of the body.
    Given {
        /// Mass, in kg.
        mass: f64,
        /// Inertia tensor about the centre of mass, in kg·m²; products of inertia with a minus sign, as −∫xy dm.
        inertia: DMat3,
        /// The centre of mass.
        center: DVec3,
    },
}

/// Two engines on opposite sides of the centre of mass, which push along or turn a body.
///
/// Maštera 2007 has two times six of them: one way and the other along and about every axis.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct ThrusterPair {
    /// From the centre of mass to one of the two, in the frame of the body; the other is opposite.
    pub arm: DVec3,
    /// The force of this one in the frame of the body at full throttle, in newtons.
    pub push: DVec3,
    /// Whether the other one pushes the other way, so that the pair turns the body and does not move it.
    pub turns: bool,
    /// From 0 to 1.
    pub throttle: f64,
}

impl ThrusterPair {
    /// Force and torque of the pair in the frame of the body.
    pub fn wrench(&self) -> [DVec3; 2] {
        let both = self.push * (2.0 * self.throttle);
        if self.turns { [DVec3::ZERO, self.arm.cross(both)] } else { [both, DVec3::ZERO] }
    }

    /// The twelve pairs of Maštera 2007, all off: along +x, −x, +y, −y, +z, −z, then about them. Engines are
    /// `arm` metres from the centre and push with `force` newtons.
    pub fn twelve(arm: f64, force: f64) -> Vec<Self> {
        let sides = [(0, 1.0), (0, -1.0), (1, 1.0), (1, -1.0), (2, 1.0), (2, -1.0)];
        let pair = |(axis, sign): (usize, f64), turns: bool| {
            let [along, beside, across] = [0, 1, 2].map(|k| DVec3::AXES[(axis + k) % 3]);
            let push = if turns { across } else { along } * (sign * force);
            Self { arm: beside * arm, push, turns, throttle: 0.0 }
        };
        sides.map(|s| pair(s, false)).into_iter().chain(sides.map(|s| pair(s, true))).collect()
    }
}

/// Description of a rigid body to add to a [`World`](super::super::World). All but name and shape have defaults.
///
/// A closed mesh that moves is a solid. Bodies collide if their filters accept each other.
///
/// ```
/// use sudar::dynamics::{BodyType, MassSpec, RigidBody};
/// use sudar::{Cuboid, DVec3};
///
/// let crate_ = RigidBody {
///     position: DVec3::Z * 3.0,
///     matter: MassSpec::Mass(20.0),
///     friction: 0.6,
///     ..RigidBody::new("crate", Cuboid::new(DVec3::splat(0.5))?)
/// };
/// assert_eq!(crate_.kind, BodyType::Dynamic);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct RigidBody {
    /// What errors call it. Several bodies of a world may share a name.
    pub name: String,
    /// Collision geometry.
    pub body: Body,
    /// Mesh to draw in place of the collision geometry, if any.
    #[cfg_attr(feature = "serde", serde(with = "super::drawn"))]
    pub drawn: Option<Arc<Mesh>>,
    /// Body type.
    pub kind: BodyType,
    /// Position of the body's frame in the world, in metres.
    pub position: DVec3,
    /// Rotation of the body's frame, a unit quaternion.
    pub rotation: DQuat,
    /// Velocity of the centre of mass, in m/s.
    pub velocity: DVec3,
    /// Angular velocity in world axes, in rad/s.
    pub angular_velocity: DVec3,
    /// Mass of a dynamic body.
    pub matter: MassSpec,
    /// Coefficient of restitution, 0 to 1; a pair takes the larger, or what `restitution_rule` says.
    pub restitution: f64,
    /// Coefficient of Coulomb friction, 0 or more; a pair takes the geometric mean, or what `friction_rule` says.
    pub friction: f64,
    /// How restitution is combined with that of another body, where it is not the larger one.
    pub restitution_rule: Option<Combine>,
    /// How friction is combined with that of another body, where it is not the geometric mean.
    pub friction_rule: Option<Combine>,
    /// Friction against rolling, as a lever in metres, 0 or more: the most torque against rolling for each newton that
    /// presses, of contacts that last. A pair takes the larger. A ball of radius r that rolls slows down by 5/7 of
    /// g·lever/r, and stands on a slope of less than lever/r.
    pub rolling_friction: f64,
    /// How fast the surface runs along the body, in its axes, in m/s: a conveyor belt, whose friction carries what lies
    /// on it. Of it what is along a contact counts. Responses that go from contact to contact know no belts.
    pub surface_velocity: DVec3,
    /// Linear drag: c in dv/dt = −c·v, in 1/s, 0 or more.
    pub linear_drag: f64,
    /// Angular drag, likewise, in 1/s.
    pub angular_drag: f64,
    /// How its contacts yield, where they are to: a mattress, a trampoline, a tyre. A pair takes the softer of both;
    /// what rests on a bed of frequency f sinks in by about g/(2πf)². Sub-steps damp by themselves, by a ratio of about
    /// π·f times their length; what is fast against its thickness may pass through. Responses that go from contact to
    /// contact know no soft contacts.
    pub contact_softness: Softness,
    /// Adhesion: force that holds a contact together, in newtons; a pair takes the larger.
    pub adhesion: f64,
    /// Factor on gravity.
    pub gravity_scale: f64,
    /// Constant force at the centre of mass in world axes, in N.
    pub force: DVec3,
    /// Constant torque in world axes, in N·m.
    pub torque: DVec3,
    /// Which bodies it collides with, and which searches find it; all categories and all others by default.
    pub filter: Filter,
    /// Whether it senses what comes into it, and collides with nothing: a trigger, see
    /// [`StepReport::sensed`](crate::dynamics::StepReport::sensed). Filters do not find it; functions that say what is
    /// sought may.
    pub sensor: bool,
    /// What acts on bodies that are in a sensor: wind, water, another gravity.
    pub field: Option<ForceField>,
    /// Which contacts count, besides what filters say.
    pub contact_rule: Option<ContactRule>,
    /// Anything that belongs to it: a number of yours.
    #[cfg_attr(feature = "serde", serde(with = "super::large"))]
    pub user_data: u128,
    /// Thrusters of the body.
    pub thrusters: Vec<ThrusterPair>,
}

impl RigidBody {
    /// A dynamic body of density 1000 kg/m³, at rest at the origin, from a shape or a [`Body`], whose mesh and tree are
    /// shared, not copied.
    pub fn new(name: impl Into<String>, body: impl Into<Body>) -> Self {
        Self {
            name: name.into(),
            body: body.into(),
            drawn: None,
            kind: BodyType::Dynamic,
            position: DVec3::ZERO,
            rotation: DQuat::IDENTITY,
            velocity: DVec3::ZERO,
            angular_velocity: DVec3::ZERO,
            matter: MassSpec::Density(1000.0),
            restitution: 0.0,
            friction: 0.5,
            restitution_rule: None,
            friction_rule: None,
            rolling_friction: 0.0,
            surface_velocity: DVec3::ZERO,
            contact_softness: Softness::Hard,
            linear_drag: 0.0,
            angular_drag: 0.0,
            adhesion: 0.0,
            gravity_scale: 1.0,
            force: DVec3::ZERO,
            torque: DVec3::ZERO,
            filter: Filter::new(!0, !0),
            sensor: false,
            field: None,
            contact_rule: None,
            user_data: 0,
            thrusters: Vec::new(),
        }
    }

    /// A static body.
    pub fn fixed(name: impl Into<String>, body: impl Into<Body>) -> Self {
        Self { kind: BodyType::Static, ..Self::new(name, body) }
    }

    /// Mass and inertia as a world sees them.
    ///
    /// # Errors
    /// [`DynamicsError::Body`] naming what cannot be.
    pub fn inertia(&self) -> Result<Inertia, DynamicsError> {
        match self.kind {
            BodyType::Static | BodyType::Kinematic => {
                let center = mass_properties(self.body.shape()).map_or(DVec3::ZERO, |mass| mass.center);
                Ok(Inertia::fixed(center))
            }
            BodyType::Dynamic => self.weighed(),
        }
    }

    fn weighed(&self) -> Result<Inertia, DynamicsError> {
        let refuse = |key, problem: String| DynamicsError::body(&self.name, key, problem);
        if matches!(self.body.shape(), Shape::Halfspace(_)) {
            return Err(refuse(
                "kind",
                "a half-space goes on without end and cannot move by forces; make it static".to_owned(),
            ));
        }
        let positive = |key, value: f64| {
            let fits = value > 0.0 && value.is_finite();
            if fits {
                Ok(value)
            } else {
                Err(refuse(key, format!("must be above 0 and finite, found {value}")))
            }
        };
        let measured = || -> Result<MassProperties, DynamicsError> {
            let found = mass_properties(self.body.shape()).map(|m| m.outward());
            found.map_err(|error| refuse("shape", format!("{error}; or give mass and inertia")))
        };
        let (mass, inertia, center) = match self.matter {
            MassSpec::Density(density) => {
                let found = measured()?.at_density(positive("density", density)?);
                (found.mass, found.inertia, found.center)
            }
            MassSpec::Mass(mass) => {
                positive("mass", mass)?;
                let found = measured()?;
                let found = found.at_density(mass / found.mass);
                (mass, found.inertia, found.center)
            }
            MassSpec::Given { mass, inertia, center } => {
                positive("mass", mass)?;
                check_tensor(&inertia).map_err(|problem| refuse("inertia", problem))?;
                if !center.is_finite() {
                    return Err(refuse("center", "must be finite".to_owned()));
                }
                (mass, inertia, center)
            }
        };
        let made = Inertia::new(mass, center, inertia);
        let fits =
            made.inverse.is_finite() && made.inverse_mass.is_finite() && made.moments.min_element() > 0.0;
        if fits {
            Ok(made)
        } else {
            Err(refuse("mass", "mass and inertia leave the range of numbers".to_owned()))
        }
    }

    /// Its motion at the start.
    pub(in crate::dynamics) fn motion(&self, inertia: &Inertia) -> BodyState {
        let rotation = self.rotation.normalize();
        let still = self.kind == BodyType::Static;
        BodyState {
            center: if inertia.center == DVec3::ZERO {
                self.position
            } else {
                self.position + rotation * inertia.center
            },
            rotation,
            velocity: if still { DVec3::ZERO } else { self.velocity },
            angular_velocity: if still { DVec3::ZERO } else { self.angular_velocity },
        }
    }

    /// Refuses what is no number or out of range.
    pub(in crate::dynamics) fn check(&self) -> Result<(), DynamicsError> {
        let refuse = |key, problem: &str| Err(DynamicsError::body(&self.name, key, problem));
        let vectors = [
            ("position", self.position),
            ("velocity", self.velocity),
            ("angular_velocity", self.angular_velocity),
            ("force", self.force),
            ("torque", self.torque),
            ("surface_velocity", self.surface_velocity),
        ];
        for (key, v) in vectors {
            if !v.is_finite() || v.abs().max_element() > 1e80 {
                return refuse(key, "must be finite numbers below 1e80");
            }
        }
        let length = self.rotation.length();
        if length.is_nan() || (length - 1.0).abs() > 1e-6 {
            return refuse("rotation", "must be a quaternion [x, y, z, w] of length 1; normalise it");
        }
        let numbers = [
            ("linear_drag", self.linear_drag),
            ("angular_drag", self.angular_drag),
            ("friction", self.friction),
            ("rolling_friction", self.rolling_friction),
            ("adhesion", self.adhesion),
        ];
        for (key, x) in numbers {
            if !(0.0..1e80).contains(&x) {
                return refuse(key, &format!("must be 0 or more and below 1e80, found {x}"));
            }
        }
        if !self.gravity_scale.is_finite() {
            return refuse("gravity_scale", "must be a finite number");
        }
        if !(0.0..=1.0).contains(&self.restitution) {
            return refuse("restitution", &format!("must be from 0 to 1, found {}", self.restitution));
        }
        if let Some((key, problem)) = self.field.and_then(|field| field.fault(self.sensor)) {
            return refuse(key, problem);
        }
        if !self.contact_softness.is_well() {
            return refuse(
                "contact_softness",
                "needs a frequency or stiffness above 0 and a damping of 0 or more",
            );
        }
        let engines = self
            .thrusters
            .iter()
            .all(|t| t.arm.is_finite() && t.push.is_finite() && (0.0..=1.0).contains(&t.throttle));
        if engines {
            Ok(())
        } else {
            refuse("thrusters", "arms and pushes must be finite and throttles from 0 to 1")
        }
    }

    /// With what touches as a solid, if it is a closed mesh that moves.
    pub(in crate::dynamics) fn solidified(mut self) -> Self {
        if self.kind != BodyType::Static
            && let Shape::Mesh(mesh) = self.body.shape()
            && let Ok(solid) = Solid::new(Arc::clone(mesh))
        {
            self.body = Body::new(solid);
        }
        self
    }
}

/// Refuses what is the inertia of no body: each principal moment is positive and at most the sum of the others.
fn check_tensor(tensor: &DMat3) -> Result<(), String> {
    if !tensor.is_finite() {
        return Err("must be finite numbers".to_owned());
    }
    let moments = crate::math::symmetric_eigen(tensor).values;
    if moments.z.is_nan() || moments.z <= 0.0 {
        return Err(format!("must be positive definite, its least principal moment is {}", moments.z));
    }
    if moments.x > (moments.y + moments.z) * (1.0 + 1e-9) {
        return Err(format!(
            "the principal moment {} is above the sum of the others, {} and {}, which no body has",
            moments.x, moments.y, moments.z
        ));
    }
    Ok(())
}

impl Seek<RigidBody> for Filter {
    fn wants(&mut self, _: Handle, body: &RigidBody) -> bool {
        !body.sensor && self.finds(body.filter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{Cuboid, Sphere};

    #[test]
    fn mass_scales_density_and_inertia() {
        let mut body = RigidBody::new("box", Cuboid::new(DVec3::new(0.5, 1.0, 1.5)).unwrap());
        let dense = body.inertia().unwrap();
        assert!((dense.mass - 6000.0).abs() < 1e-9);
        body.matter = MassSpec::Mass(6.0);
        // m/12·(h² + d²) with sides 1, 2, 3.
        assert!((body.inertia().unwrap().tensor.x_axis.x - 6.5).abs() < 1e-12);
    }

    #[test]
    fn what_cannot_be_is_refused_by_key() {
        let ball = || RigidBody::new("ball", Sphere::new(DVec3::ZERO, 1.0).unwrap());
        let key = |body: RigidBody| {
            let refused = body.check().and_then(|()| body.inertia().map(|_| ()));
            let error = refused.unwrap_err();
            let DynamicsError::Body { key, .. } = error else { panic!("{error}") };
            key
        };
        assert_eq!(key(RigidBody { restitution: 1.1, ..ball() }), "restitution");
        assert_eq!(key(RigidBody { friction: -0.1, ..ball() }), "friction");
        assert_eq!(key(RigidBody { force: DVec3::NAN, ..ball() }), "force");
        assert_eq!(key(RigidBody { matter: MassSpec::Density(0.0), ..ball() }), "density");
        assert_eq!(key(RigidBody { matter: MassSpec::Mass(f64::NAN), ..ball() }), "mass");
        let given = |d| MassSpec::Given { mass: 1.0, inertia: DMat3::from_diagonal(d), center: DVec3::ZERO };
        assert_eq!(key(RigidBody { matter: given(DVec3::new(3.0, 1.0, 1.0)), ..ball() }), "inertia");
        assert_eq!(key(RigidBody { matter: given(DVec3::new(1.0, 1.0, -1.0)), ..ball() }), "inertia");
    }

    #[test]
    fn pairs_of_engines_push_or_turn() {
        let engines = ThrusterPair::twelve(2.0, 3.0);
        let full = |i: usize| ThrusterPair { throttle: 1.0, ..engines[i] }.wrench();
        assert_eq!(full(0), [DVec3::X * 6.0, DVec3::ZERO]);
        assert_eq!(full(3), [DVec3::Y * -6.0, DVec3::ZERO]);
        assert_eq!(full(6), [DVec3::ZERO, DVec3::X * 12.0]);
        assert_eq!(full(11), [DVec3::ZERO, DVec3::Z * -12.0]);
    }
}
