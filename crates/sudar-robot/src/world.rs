//! A robot as bodies that joints hold, in a world that steps.

use sudar::dynamics::{
    Axis, BodyType, DynamicsError, Filter, Handle, Joint as Tie, JointHandle, MassSpec, RigidBody, Softness,
    World,
};
use sudar::query::Body;
use sudar::{DMat3, DQuat, DVec3, Pose};

use crate::inertial::Inertial;
use crate::robot::{JointKind, Link, Motion};
use crate::{Robot, RobotError};

/// How a robot is put into a world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WorldOptions {
    /// Where its root link is.
    pub base: Pose,
    /// Whether the root link stands still; otherwise it falls and is pushed like the others.
    pub is_fixed: bool,
    /// Whether links that no joint ties collide with each other; those that the SRDF leaves out never do.
    pub self_collision: bool,
    /// How motors hold each joint where it is, with no more than the effort that the file allows; none lets all hang.
    pub hold: Option<Softness>,
}

impl Default for WorldOptions {
    /// At the origin, fixed, without self-collision, held as hard as the effort allows.
    fn default() -> Self {
        Self { base: Pose::IDENTITY, is_fixed: true, self_collision: false, hold: Some(Softness::Hard) }
    }
}

/// The bodies and joints of a robot in a world.
#[derive(Debug, Clone)]
pub struct RobotBodies {
    /// Of each link the body that it is part of: links that fixed joints tie are one body.
    pub links: Vec<Handle>,
    /// Where each link is in the frame of its body.
    pub places: Vec<Pose>,
    /// Of each joint of the robot the joint of the world; none of fixed and floating ones.
    pub joints: Vec<Option<JointHandle>>,
    /// What was noticed: links whose mass or inertia is not that of the file, joints that are not as in the file.
    pub notes: Vec<String>,
    /// The configuration at the start, and for each number of it the joint and the axis of that.
    start: Vec<f64>,
    axes: Vec<Option<(JointHandle, Axis)>>,
}

/// What a link weighs of which the file says nothing, in kilograms, and its radius of gyration in metres.
const SLIGHT: f64 = 1e-3;
const GYRATION: f64 = 0.01;
/// Density of links of which the file gives no mass, in kg/m³.
const DENSITY: f64 = 1000.0;

/// Links that fixed joints tie: the first of them, and the others with their poses in it.
struct Piece {
    links: Vec<(usize, Pose)>,
    body: RigidBody,
}

impl Robot {
    /// Puts the robot into a world at a configuration: each link with the mass and inertia of the file, links that
    /// fixed joints tie as one body; hinges, sliders and ball joints with the limits, the friction and the effort of
    /// the file.
    ///
    /// A planar joint slides and turns in its plane without motors, a floating one is none, and one that mimics another
    /// is held where it is said to be by its own motor alone.
    ///
    /// ```
    /// use sudar::dynamics::{Settings, World};
    /// use sudar_robot::{LoadOptions, Robot, WorldOptions};
    ///
    /// let urdf = r#"<robot name="rod">
    ///     <link name="base"/>
    ///     <link name="rod"><inertial><origin xyz="0.5 0 0"/><mass value="2"/>
    ///         <inertia ixx="0.01" iyy="0.17" izz="0.17" ixy="0" ixz="0" iyz="0"/></inertial></link>
    ///     <joint name="turn" type="revolute"><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/>
    ///         <limit lower="-1" upper="1" effort="50" velocity="1"/></joint>
    /// </robot>"#;
    /// let robot = Robot::parse(urdf, "rod.urdf", &LoadOptions::default())?;
    /// let mut world = World::new(Settings::default())?;
    /// // Its motor holds it level.
    /// let bodies = robot.add_to(&mut world, &[0.0], &WorldOptions::default())?;
    /// for _ in 0..120 {
    ///     world.step(1.0 / 60.0)?;
    /// }
    /// assert!(bodies.configuration(&world)?[0].abs() < 0.02);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`RobotError`] as [`forward`](Self::forward), and what the world refuses; then nothing of it is there.
    pub fn add_to(
        &self,
        world: &mut World,
        q: &[f64],
        options: &WorldOptions,
    ) -> Result<RobotBodies, RobotError> {
        if self.rows(q)? != 1 {
            return Err(RobotError::Rows { found: q.len(), dof: self.dof() });
        }
        let poses: Vec<Pose> = self.forward(q)?.iter().map(|pose| options.base.after(pose)).collect();
        let mut notes = Vec::new();
        let mut made = RobotBodies {
            links: Vec::new(),
            places: vec![Pose::IDENTITY; self.links.len()],
            joints: vec![None; self.joints.len()],
            notes: Vec::new(),
            start: q.to_vec(),
            axes: vec![None; self.dof()],
        };
        let mut added = Vec::new();
        let done = self.build((&poses, q), world, options, (&mut made, &mut added, &mut notes));
        if let Err(error) = done {
            // Half a robot is none.
            added.into_iter().try_for_each(|body| world.remove(body)).map_err(RobotError::World)?;
            return Err(error);
        }
        made.notes = notes;
        Ok(made)
    }

    /// Adds the bodies and joints; `added` are those that are in the world, also where it fails.
    fn build(
        &self,
        (poses, q): (&[Pose], &[f64]),
        world: &mut World,
        options: &WorldOptions,
        (made, added, notes): (&mut RobotBodies, &mut Vec<Handle>, &mut Vec<String>),
    ) -> Result<(), RobotError> {
        let mut handles = vec![None; self.links.len()];
        for first in self.firsts() {
            let piece = self.piece(first, poses, options, notes)?;
            let handle = world.add(piece.body).map_err(RobotError::World)?;
            added.push(handle);
            for (link, place) in piece.links {
                (handles[link], made.places[link]) = (Some(handle), place);
            }
        }
        made.links = handles.into_iter().flatten().collect();
        for number in 0..self.joints.len() {
            self.tie(number, (poses, q), world, options, made)?;
        }
        self.keep_apart(world, made, options)
    }

    /// A new world with nothing but this robot, see [`add_to`](Self::add_to).
    ///
    /// # Errors
    /// Those of [`add_to`](Self::add_to).
    pub fn into_world(&self, q: &[f64], options: &WorldOptions) -> Result<(World, RobotBodies), RobotError> {
        let mut world = World::new(sudar::dynamics::Settings::default()).map_err(RobotError::World)?;
        let bodies = self.add_to(&mut world, q, options)?;
        Ok((world, bodies))
    }

    /// The links that no fixed joint carries.
    fn firsts(&self) -> Vec<usize> {
        let is_carried =
            |link: &Link| link.joint.is_some_and(|joint| self.joints[joint].kind == JointKind::Fixed);
        (0..self.links.len()).filter(|link| !is_carried(&self.links[*link])).collect()
    }

    /// What fixed joints tie to a link.
    fn piece(
        &self,
        first: usize,
        poses: &[Pose],
        options: &WorldOptions,
        notes: &mut Vec<String>,
    ) -> Result<Piece, RobotError> {
        let mut links = vec![first];
        let mut next = 0;
        while let Some(&link) = links.get(next) {
            let fixed =
                self.joints.iter().filter(|joint| joint.parent == link && joint.kind == JointKind::Fixed);
            links.extend(fixed.map(|joint| joint.child));
            next += 1;
        }
        let back = poses[first].inverse();
        let links: Vec<(usize, Pose)> =
            links.into_iter().map(|link| (link, back.after(&poses[link]))).collect();
        let mut shapes: Vec<(Body, Pose)> = Vec::new();
        let mut whole: Option<Inertial> = None;
        for (link, place) in &links {
            let link = &self.links[*link];
            shapes.extend(link.bodies.iter().map(|(body, pose)| (body.clone(), place.after(pose))));
            if let Some(own) = own_inertial(link, notes) {
                let own = own.seen_from(place);
                whole = Some(whole.map_or(own, |whole| whole.and(own)));
            }
        }
        let name = &self.links[first].name;
        let is_still = options.is_fixed && self.links[first].joint.is_none();
        let whole = whole.unwrap_or_else(|| {
            if !is_still {
                notes.push(format!("link '{name}': has neither mass nor geometry and weighs {SLIGHT} kg"));
            }
            let inertia = DMat3::from_diagonal(DVec3::splat(SLIGHT * GYRATION * GYRATION));
            Inertial { mass: SLIGHT, center: DVec3::ZERO, inertia }
        });
        let body = match &shapes[..] {
            [] => None,
            [(body, place)] if *place == Pose::IDENTITY => Some(body.clone()),
            _ => Some(Body::compound(shapes).map_err(|error| {
                RobotError::World(DynamicsError::Body {
                    body: name.clone(),
                    key: "shape",
                    problem: error.to_string(),
                })
            })?),
        };
        // What has no geometry touches nothing.
        let filter = if body.is_some() { Filter::new(!0, !0) } else { Filter::NONE };
        let body = RigidBody {
            kind: if is_still { BodyType::Static } else { BodyType::Dynamic },
            position: poses[first].translation(),
            rotation: DQuat::from_mat3(&poses[first].rotation()).normalize(),
            matter: MassSpec::Given { mass: whole.mass, inertia: whole.inertia, center: whole.center },
            filter,
            ..RigidBody::new(name.clone(), body.unwrap_or_else(|| DVec3::ZERO.into()))
        };
        Ok(Piece { links, body })
    }

    /// The joint of a world that a joint of the robot is.
    fn tie(
        &self,
        number: usize,
        (poses, q): (&[Pose], &[f64]),
        world: &mut World,
        options: &WorldOptions,
        made: &mut RobotBodies,
    ) -> Result<(), RobotError> {
        let joint = &self.joints[number];
        let ends = [joint.parent, joint.child].map(|link| made.links[link]);
        let pose = &poses[joint.child];
        let (pivot, node) = (pose.translation(), &self.nodes[self.links[joint.child].node]);
        let (axis, by) = match &node.motion {
            Motion::None => (DVec3::Z, None),
            Motion::Turn(axis, by) | Motion::Slide(axis, by) => (pose.rotate(axis.direction()), Some(by)),
        };
        let now = by.map_or(0.0, |by| by.value(q));
        let (tie, axes): (Tie, &[Axis]) = match joint.kind {
            JointKind::Fixed | JointKind::Floating => return Ok(()),
            JointKind::Revolute | JointKind::Continuous => {
                (Tie::hinge(ends[0], ends[1], pivot, axis), &[Axis::Twist])
            }
            JointKind::Prismatic => (Tie::slider(ends[0], ends[1], pivot, axis), &[Axis::X]),
            JointKind::Spherical => (Tie::ball(ends[0], ends[1], pivot), &[]),
            JointKind::Planar => {
                let free = Tie::generic(ends[0], ends[1], pivot, axis);
                let locked = sudar::dynamics::Row::LOCKED;
                (free.row(Axis::X, locked).row(Axis::SwingY, locked).row(Axis::SwingZ, locked), &[])
            }
        };
        let tie = if axes.is_empty() { tie } else { self.driven(number, tie, now, options) };
        let handle = world.join(tie).map_err(RobotError::World)?;
        made.joints[number] = Some(handle);
        if let (Some(by), [axis], None) = (by, axes, joint.mimics) {
            made.axes[by.dof as usize] = Some((handle, *axis));
        }
        Ok(())
    }

    /// A joint with the limits, the friction and the motor of the file, from a value on.
    fn driven(&self, number: usize, mut tie: Tie, now: f64, options: &WorldOptions) -> Tie {
        let joint = &self.joints[number];
        if joint.kind != JointKind::Continuous
            && (joint.limits.lower.is_finite() || joint.limits.upper.is_finite())
        {
            // Limits that the configuration is beyond begin there.
            let (lower, upper) = (joint.limits.lower - now, joint.limits.upper - now);
            tie = tie.limits(lower.min(0.0), upper.max(0.0));
        }
        if joint.friction > 0.0 {
            tie = tie.friction(joint.friction);
        }
        let most = if joint.effort > 0.0 { joint.effort } else { f64::INFINITY };
        match options.hold {
            Some(softness) => tie.servo(0.0, softness, most),
            None if joint.damping > 0.0 => {
                tie.servo(0.0, Softness::Stiffness { stiffness: 0.0, damping: joint.damping }, f64::INFINITY)
            }
            None => tie,
        }
    }

    /// Has links ignore each other that are not to collide.
    fn keep_apart(
        &self,
        world: &mut World,
        made: &RobotBodies,
        options: &WorldOptions,
    ) -> Result<(), RobotError> {
        let mut pairs: Vec<[Handle; 2]> = Vec::new();
        if options.self_collision {
            let both = |pair: &crate::DisabledPair| {
                let [a, b] = [0, 1].map(|k| self.link(&pair.links[k]).map(|link| made.links[link]));
                Some([a?, b?])
            };
            pairs.extend(self.disabled.iter().filter_map(both));
        } else {
            let mut all = made.links.clone();
            all.sort_unstable();
            all.dedup();
            for (k, a) in all.iter().enumerate() {
                pairs.extend(all[k + 1..].iter().map(|b| [*a, *b]));
            }
        }
        for [a, b] in pairs.into_iter().filter(|[a, b]| a != b) {
            world.ignore(a, b).map_err(RobotError::World)?;
        }
        Ok(())
    }
}

/// What a link weighs: by the file, or by its geometry; none where there is neither.
fn own_inertial(link: &Link, notes: &mut Vec<String>) -> Option<Inertial> {
    let name = &link.name;
    let measured = |density: f64| {
        let parts = link.bodies.iter().filter_map(|(body, pose)| {
            let found = RigidBody { matter: MassSpec::Density(density), ..RigidBody::new("", body.clone()) }
                .inertia();
            let found = found.ok()?;
            let own = Inertial { mass: found.mass, center: found.center, inertia: found.tensor };
            Some(own.seen_from(pose))
        });
        parts.reduce(Inertial::and)
    };
    let Some(given) = link.inertial else {
        let found = measured(DENSITY)?;
        notes.push(format!("link '{name}': has no inertial; its geometry weighs {DENSITY} kg/m³"));
        return Some(found);
    };
    if given.is_possible() {
        return Some(given);
    }
    if !(given.mass > 0.0 && given.mass.is_finite()) {
        return None;
    }
    notes.push(format!("link '{name}': its inertia is that of no body; that of its geometry is taken"));
    let shape = measured(1.0).filter(|shape| shape.mass > 0.0);
    let inertia = shape
        .map_or(DMat3::from_diagonal(DVec3::splat(given.mass * GYRATION * GYRATION)), |shape| {
            shape.inertia * (given.mass / shape.mass)
        });
    Some(Inertial { inertia, ..given })
}

impl RobotBodies {
    /// The configuration that the joints have now, by the number of turns too; those of planar, floating and spherical
    /// joints are those of the start.
    ///
    /// # Errors
    /// [`DynamicsError`] for a world without this robot.
    pub fn configuration(&self, world: &World) -> Result<Vec<f64>, DynamicsError> {
        let value = |(start, axis): (&f64, &Option<(JointHandle, Axis)>)| match axis {
            Some((joint, axis)) => Ok(start + world.joint_state(*joint)?.coordinates[*axis as usize]),
            None => Ok(*start),
        };
        self.start.iter().zip(&self.axes).map(value).collect()
    }

    /// Has motors hold another configuration from now on, of joints that have one number. Lead them there step by step:
    /// sent far away at once, hard ones swing about their goal, as what they carry is slower to brake than they know.
    ///
    /// # Errors
    /// [`DynamicsError`] for a world without this robot, or whose joints have no motors.
    pub fn hold(&self, world: &mut World, q: &[f64]) -> Result<(), DynamicsError> {
        for ((start, axis), q) in self.start.iter().zip(&self.axes).zip(q) {
            if let Some((joint, _)) = axis {
                world.joint_mut(*joint)?.set_target(q - start)?;
            }
        }
        Ok(())
    }

    /// Where a link is.
    ///
    /// # Errors
    /// [`DynamicsError`] for a world without this robot.
    pub fn link_pose(&self, world: &World, link: usize) -> Result<Pose, DynamicsError> {
        Ok(world.pose(self.links[link])?.after(&self.places[link]))
    }
}
