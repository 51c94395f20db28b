//! Joints of a scene in Box3D. Each kind of ours is one of theirs, whose frame has other axes.

use std::f64::consts::{FRAC_1_SQRT_2, PI, TAU};

use anyhow::{Result, bail, ensure};
use box3d_rust::id::BodyId;
use box3d_rust::joint::{
    create_prismatic_joint, create_revolute_joint, create_spherical_joint, create_weld_joint,
    create_wheel_joint,
};
use box3d_rust::math_functions::Transform;
use box3d_rust::types::{
    JointDef, PrismaticJointDef, RevoluteJointDef, SphericalJointDef, WeldJointDef, WheelJointDef,
    default_prismatic_joint_def, default_revolute_joint_def, default_spherical_joint_def,
    default_weld_joint_def, default_wheel_joint_def,
};
use box3d_rust::world::World;
use glam::{DQuat, DVec3};
use sudar::dynamics::{Anchor, Anchors, Axis, Joint, Measure, Motor, RigidBody, Row, Softness, Spring};

use super::box3d::{rotation, vector};

/// Takes their z axis to our x axis, about which hinges turn and from which cones lean.
const Z_ALONG_X: DQuat = DQuat::from_xyzw(0.5, 0.5, 0.5, 0.5);

/// Takes their z axis to our x axis, the axle of a wheel, and their x axis to our z axis, its suspension.
const X_AND_Z_SWAPPED: DQuat = DQuat::from_xyzw(FRAC_1_SQRT_2, 0.0, FRAC_1_SQRT_2, 0.0);

/// They bound angles to this.
const LARGEST_ANGLE: f64 = 0.99 * PI;

/// A joint with what it ties.
pub(super) struct Tie<'a> {
    joint: &'a Joint,
    anchors: [Anchor; 2],
    /// `None` for the world.
    bodies: [Option<&'a RigidBody>; 2],
    ids: [BodyId; 2],
}

/// A spring as they have it: where it pulls to, in m or rad, frequency in 1/s, damping ratio.
#[derive(Default)]
struct Pull {
    target: f32,
    hertz: f32,
    damping_ratio: f32,
}

impl<'a> Tie<'a> {
    pub(super) fn new(
        joint: &'a Joint,
        bodies: [Option<&'a RigidBody>; 2],
        ids: [BodyId; 2],
    ) -> Result<Self> {
        let Anchors::World(anchors) = joint.anchors else { bail!("joints of scenes are given in the world") };
        ensure!(joint.breaks == [f64::INFINITY; 2], "joints of Box3D do not break by themselves");
        Ok(Self { joint, anchors, bodies, ids })
    }

    /// Adds it to a world: a weld, revolute, spherical, prismatic or wheel joint.
    ///
    /// # Errors
    /// If Box3D has no such joint, or none with such limits, springs or motors.
    pub(super) fn insert(&self, world: &mut World) -> Result<()> {
        let locked = self.joint.rows.map(|row| row.is_locked());
        match (self.joint.measure, locked) {
            (Measure::Axes | Measure::Cone, [true, true, true, false, false, false]) => self.spherical(world),
            (Measure::Axes, [true, true, true, true, true, true]) => self.weld(world),
            (Measure::Axes, [true, true, true, false, true, true]) => self.revolute(world),
            (Measure::Axes, [false, true, true, true, true, true]) => self.prismatic(world),
            (Measure::Axes, [true, true, false, false, true, _]) => self.wheel(world),
            (measure, _) => bail!("joints that measure {measure:?} and lock {locked:?} are not compared"),
        }
    }

    fn weld(&self, world: &mut World) -> Result<()> {
        self.check(&[], &[])?;
        create_weld_joint(
            world,
            &WeldJointDef { base: self.base(DQuat::IDENTITY), ..default_weld_joint_def() },
        );
        Ok(())
    }

    fn revolute(&self, world: &mut World) -> Result<()> {
        self.check(&[Axis::Twist], &[Axis::Twist])?;
        let (limits, motor, spring) =
            (self.limits(Axis::Twist)?, self.motor(Axis::Twist)?, self.spring(Axis::Twist)?);
        let mut definition = RevoluteJointDef { base: self.base(Z_ALONG_X), ..default_revolute_joint_def() };
        if let Some([lower, upper]) = limits {
            definition.enable_limit = true;
            (definition.lower_angle, definition.upper_angle) = (lower, upper);
        }
        if let Some([speed, torque]) = motor {
            definition.enable_motor = true;
            (definition.motor_speed, definition.max_motor_torque) = (speed, torque);
        }
        if let Some(Pull { target, hertz, damping_ratio }) = spring {
            definition.enable_spring = true;
            definition.target_angle = target;
            (definition.hertz, definition.damping_ratio) = (hertz, damping_ratio);
        }
        create_revolute_joint(world, &definition);
        Ok(())
    }

    fn spherical(&self, world: &mut World) -> Result<()> {
        self.check(&[Axis::Twist, Axis::SwingY, Axis::SwingZ], &[])?;
        let mut definition =
            SphericalJointDef { base: self.base(Z_ALONG_X), ..default_spherical_joint_def() };
        if let Some([lower, upper]) = self.limits(Axis::Twist)? {
            definition.enable_twist_limit = true;
            (definition.lower_twist_angle, definition.upper_twist_angle) = (lower, upper);
        }
        let [lean, other] = [Axis::SwingY, Axis::SwingZ].map(|axis| *self.row(axis));
        if self.joint.measure == Measure::Cone {
            ensure!(lean.upper <= 0.5 * PI, "cones of Box3D are of at most a right angle");
            definition.enable_cone_limit = true;
            definition.cone_angle = lean.upper as f32;
        } else {
            ensure!([lean, other] == [Row::FREE; 2], "Box3D bounds a lean to a cone, not axis by axis");
        }
        create_spherical_joint(world, &definition);
        Ok(())
    }

    fn prismatic(&self, world: &mut World) -> Result<()> {
        self.check(&[Axis::X], &[Axis::X])?;
        let (limits, motor, spring) = (self.limits(Axis::X)?, self.motor(Axis::X)?, self.spring(Axis::X)?);
        let mut definition =
            PrismaticJointDef { base: self.base(DQuat::IDENTITY), ..default_prismatic_joint_def() };
        if let Some([lower, upper]) = limits {
            definition.enable_limit = true;
            (definition.lower_translation, definition.upper_translation) = (lower, upper);
        }
        if let Some([speed, force]) = motor {
            definition.enable_motor = true;
            (definition.motor_speed, definition.max_motor_force) = (speed, force);
        }
        if let Some(Pull { target, hertz, damping_ratio }) = spring {
            definition.enable_spring = true;
            definition.target_translation = target;
            (definition.hertz, definition.damping_ratio) = (hertz, damping_ratio);
        }
        create_prismatic_joint(world, &definition);
        Ok(())
    }

    fn wheel(&self, world: &mut World) -> Result<()> {
        self.check(&[Axis::Z, Axis::SwingZ], &[Axis::Z, Axis::Twist])?;
        let mut definition = WheelJointDef { base: self.base(X_AND_Z_SWAPPED), ..default_wheel_joint_def() };
        ensure!(self.row(Axis::Z).motor.is_none(), "no suspension of Box3D has a motor");
        ensure!(self.row(Axis::Twist).spring.is_none(), "no axle of Box3D has a spring");
        if let Some([lower, upper]) = self.limits(Axis::Z)? {
            definition.enable_suspension_limit = true;
            (definition.lower_suspension_limit, definition.upper_suspension_limit) = (lower, upper);
        }
        let spring = self.spring(Axis::Z)?;
        definition.enable_suspension_spring = spring.is_some();
        if let Some(Pull { target, hertz, damping_ratio }) = spring {
            ensure!(target == 0.0, "suspensions of Box3D rest at the anchors");
            (definition.suspension_hertz, definition.suspension_damping_ratio) = (hertz, damping_ratio);
        }
        if let Some([speed, torque]) = self.motor(Axis::Twist)? {
            definition.enable_spin_motor = true;
            (definition.spin_speed, definition.max_spin_torque) = (speed, torque);
        }
        self.steer(&mut definition)?;
        create_wheel_joint(world, &definition);
        Ok(())
    }

    /// Steering is held by limits; the spring that they have there gets no torque. A wheel with a motor has it even if
    /// it goes straight ahead: in version 0.5, as in the original, joints without steering start each sub-step with
    /// twice the torque of the motor.
    fn steer(&self, definition: &mut WheelJointDef) -> Result<()> {
        let row = self.row(Axis::SwingZ);
        if row.is_locked() && row.lower == 0.0 && !definition.enable_spin_motor {
            return Ok(());
        }
        definition.enable_steering = true;
        if let Some([lower, upper]) = self.limits(Axis::SwingZ)? {
            definition.enable_steering_limit = true;
            (definition.lower_steering_limit, definition.upper_steering_limit) = (lower, upper);
        }
        Ok(())
    }

    fn row(&self, axis: Axis) -> &Row {
        &self.joint.rows[axis as usize]
    }

    /// Refuses limits but of some coordinates, forces but along some, and what no joint of theirs has.
    fn check(&self, limited: &[Axis], driven: &[Axis]) -> Result<()> {
        for axis in Axis::ALL {
            let row = self.row(axis);
            ensure!(row.softness == Softness::Hard, "limits of Box3D do not yield one by one");
            let is_bare = row.spring.is_none() && row.motor.is_none() && row.friction == 0.0;
            ensure!(
                is_bare || driven.contains(&axis),
                "Box3D has nothing that drives {axis:?} of this joint"
            );
            let is_plain = if row.is_locked() { row.lower == 0.0 } else { *row == Row::FREE };
            let is_driven =
                driven.contains(&axis) && row.lower == f64::NEG_INFINITY && row.upper == f64::INFINITY;
            ensure!(
                is_plain || is_driven || limited.contains(&axis),
                "Box3D has no limits of {axis:?} of this joint"
            );
        }
        Ok(())
    }

    fn limits(&self, axis: Axis) -> Result<Option<[f32; 2]>> {
        let &Row { lower, upper, .. } = self.row(axis);
        if (lower, upper) == (f64::NEG_INFINITY, f64::INFINITY) {
            return Ok(None);
        }
        ensure!(lower.is_finite() && upper.is_finite(), "limits of Box3D are on both sides");
        let fits = !axis.is_angle() || (lower >= -LARGEST_ANGLE && upper <= LARGEST_ANGLE);
        ensure!(fits, "limits of Box3D are within half a turn");
        Ok(Some([lower as f32, upper as f32]))
    }

    /// Speed and largest force of a motor; friction is a motor that stands.
    fn motor(&self, axis: Axis) -> Result<Option<[f32; 2]>> {
        let row = self.row(axis);
        ensure!(row.motor.is_none() || row.friction == 0.0, "a joint of Box3D has a motor or friction");
        let friction = (row.friction > 0.0).then_some(Motor { speed: 0.0, force: row.friction });
        let both = |motor: Motor| [motor.speed as f32, motor.force.min(f32::MAX.into()) as f32];
        Ok(row.motor.or(friction).map(both))
    }

    fn spring(&self, axis: Axis) -> Result<Option<Pull>> {
        let Some(Spring { target, softness, force }) = self.row(axis).spring else { return Ok(None) };
        ensure!(force == f64::INFINITY, "springs of Box3D have no largest force");
        ensure!(!axis.is_angle() || target.abs() <= PI, "springs of Box3D pull by at most half a turn");
        let [hertz, damping_ratio] = match softness {
            Softness::Hard => bail!("springs of Box3D are not rigid"),
            Softness::Frequency { hertz, damping_ratio } => [hertz, damping_ratio],
            Softness::Stiffness { stiffness, damping } => {
                // They turn it into stiffness again by this mass, which changes little as the bodies move.
                let mass = self.effective_mass(axis)?;
                let frequency = (stiffness / mass).sqrt();
                [frequency / TAU, damping / (2.0 * mass * frequency)]
            }
        };
        ensure!(hertz > 0.0, "springs of Box3D are dampers only with a stiffness");
        let [target, hertz, damping_ratio] = [target, hertz, damping_ratio].map(|x| x as f32);
        Ok(Some(Pull { target, hertz, damping_ratio }))
    }

    /// Mass, or moment of inertia, against a force or torque along an axis of the first frame.
    fn effective_mass(&self, axis: Axis) -> Result<f64> {
        let way = self.anchors[0].rotation * DVec3::AXES[axis as usize % 3];
        let mut inverse = 0.0;
        for (body, anchor) in self.bodies.iter().zip(self.anchors) {
            let Some(body) = body else { continue };
            let inertia = body.inertia()?;
            let arm = anchor.point - body.position - body.rotation * inertia.center;
            let turn = body.rotation.inverse() * if axis.is_angle() { way } else { arm.cross(way) };
            inverse += if axis.is_angle() { 0.0 } else { inertia.inverse_mass };
            inverse += turn.dot(inertia.inverse * turn);
        }
        Ok(1.0 / inverse)
    }

    /// What all joints have: bodies, and frames whose axes are turned against ours. They are in the frames of bodies,
    /// whatever their centres of mass are.
    fn base(&self, turn: DQuat) -> JointDef {
        let [local_frame_a, local_frame_b] = [0, 1].map(|k| {
            let (origin, axes) =
                self.bodies[k].map_or((DVec3::ZERO, DQuat::IDENTITY), |body| (body.position, body.rotation));
            let Anchor { point, rotation: own } = self.anchors[k];
            let back = axes.inverse();
            Transform { p: vector(back * (point - origin)), q: rotation((back * own * turn).normalize()) }
        });
        let [body_id_a, body_id_b] = self.ids;
        let collide_connected = self.joint.collides;
        let base = default_weld_joint_def().base;
        JointDef { body_id_a, body_id_b, local_frame_a, local_frame_b, collide_connected, ..base }
    }
}
