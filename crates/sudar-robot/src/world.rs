//! A robot as bodies that joints hold, in a world that steps.

use std::collections::HashSet;
use std::ops::Range;

use sudar::dynamics::{
    Anchor, Anchors, BodyType, DynamicsError, Filter, Handle, Joint as Tie, JointHandle, MassSpec, RigidBody,
    Softness, World,
};
use sudar::query::Body;
use sudar::{DMat3, DQuat, DVec3, Pose};

use crate::frame::Frame;
use crate::inertial::Inertial;
use crate::kinematics::moved;
use crate::node::{Coordinate, Motion, Node};
use crate::robot::{Joint, JointKind, Link, Loop};
use crate::ties::{Along, Copied, Stance};
use crate::{Robot, RobotError};

/// How a robot is put into a world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WorldOptions {
    /// Where its root link is.
    pub base: Pose,
    /// Whether the root link stands still; otherwise it falls and is pushed like the others.
    pub is_fixed: bool,
    /// Whether links that no joint ties collide with each other; those that the SRDF or the MJCF leaves out never do.
    /// Bodies of an MJCF collide either way with what stands, such as the floor of its world.
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
    /// Of each joint of the robot the joint of the world; none of fixed and floating ones. Several joints of one body
    /// of an MJCF are one joint where they can be.
    pub joints: Vec<Option<JointHandle>>,
    /// What was noticed: links whose mass or inertia is not that of the file, joints that are not as in the file.
    pub notes: Vec<String>,
    /// The configuration at the start, and for each number of it the joint and the axis of that.
    start: Vec<f64>,
    pub(crate) axes: Vec<Option<Along>>,
    /// Joints that copy others.
    pub(crate) copies: Vec<Copied>,
    /// Links between joints that are one in the world, where no body is.
    between: Vec<Between>,
}

/// A link that is moved from another by a joint which is one of several in the world.
#[derive(Debug, Clone)]
struct Between {
    link: usize,
    parent: usize,
    /// The motion, whose coordinate is the only number of a configuration.
    node: Node,
    along: Along,
    start: f64,
}

/// What a link weighs of which the file says nothing, in kilograms, and its radius of gyration in metres.
const SLIGHT: f64 = 1e-3;
const GYRATION: f64 = 0.01;
/// Density of links of which the file gives no mass, in kg/m³.
const DENSITY: f64 = 1000.0;

/// Part of the mass and of the inertia of a body that one between its joints has. Motors work on what they turn, and
/// follow slowly where that is next to nothing: with them the inertia is greater.
const SHARE: f64 = 1e-6;
const SHARE_HELD: f64 = 0.1;

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
    /// Without motors the springs and dampers of joints act. Several joints of one body of an MJCF are one joint where
    /// they can be, else bodies with next to no mass are between them. What an MJCF ties in loops is tied.
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
            copies: Vec::new(),
            between: Vec::new(),
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
        let stance = self.stance(q, options);
        let groups = self.tied(&stance);
        let mut handles = vec![None; self.links.len()];
        for first in self.firsts(&groups) {
            let piece = self.piece(first, poses, options, notes)?;
            let handle = world.add(piece.body).map_err(RobotError::World)?;
            added.push(handle);
            for (link, place) in piece.links {
                (handles[link], made.places[link]) = (Some(handle), place);
            }
        }
        for group in &groups {
            // What is between joints that are one goes with the last of them.
            let end = self.joints[group.end - 1].child;
            for number in group.start..group.end - 1 {
                let link = self.joints[number].child;
                handles[link] = handles[end];
                made.places[link] = made.places[end].after(&poses[end].inverse()).after(&poses[link]);
            }
        }
        made.links = handles.into_iter().flatten().collect();
        for group in groups {
            self.tie(group.clone(), &stance, world, made)?;
            self.between(group, made);
        }
        for joint in self.joints.iter().filter(|joint| joint.mimics.is_some() && options.hold.is_none()) {
            notes.push(format!("joint '{}': mimics another, and only motors hold it there", joint.name));
        }
        self.close(&self.loops, world, made)?;
        self.keep_apart(world, made, options)
    }

    fn stance<'s>(&self, q: &'s [f64], options: &'s WorldOptions) -> Stance<'s> {
        let mut frames = Vec::new();
        self.frames(q, &mut frames);
        let base = Frame::of(&options.base);
        frames.iter_mut().for_each(|frame| *frame = base.after(frame));
        Stance { q, frames, options }
    }

    /// Remembers how links move that are between joints of a group.
    fn between(&self, group: Range<usize>, made: &mut RobotBodies) {
        for number in group.start..group.end - 1 {
            let Joint { parent, child, .. } = self.joints[number];
            let place = &self.places[number];
            let node = self.nodes[place.first];
            let Some(by) = node.motion.coordinate() else { continue };
            let Some(along) = made.axes[by.dof as usize] else { continue };
            let start = made.start[by.dof as usize];
            made.between.push(Between { link: child, parent, node, along, start });
        }
    }

    /// Ties links in loops, where the file has them and not where they are now.
    fn close(&self, loops: &[Loop], world: &mut World, made: &mut RobotBodies) -> Result<(), RobotError> {
        for each in loops {
            let [one, other] = each.links.map(|link| (made.links[link], made.places[link]));
            let (Some(relative), true) = (each.relative, one.0 != other.0) else { continue };
            let back = relative.inverse();
            // The same frame, seen from both links.
            let (in_one, in_other) = if each.is_weld {
                (relative.apply(each.anchor), each.anchor)
            } else {
                (each.anchor, back.apply(each.anchor))
            };
            let turn = |pose: &Pose| DQuat::from_mat3(&pose.rotation()).normalize();
            let anchors = [
                Anchor { point: one.1.apply(in_one), rotation: turn(&one.1) },
                Anchor { point: other.1.apply(in_other), rotation: turn(&other.1.after(&back)) },
            ];
            let tie = if each.is_weld { Tie::fixed } else { Tie::ball };
            let mut tie = tie(one.0, other.0, DVec3::ZERO);
            // A loop is no reason not to collide.
            (tie.anchors, tie.collides) = (Anchors::Bodies(anchors), true);
            world.join(tie).map_err(RobotError::World)?;
        }
        Ok(())
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

    /// The links that no fixed joint carries, and that are not between joints which are one.
    fn firsts(&self, groups: &[Range<usize>]) -> Vec<usize> {
        let mut is_first = vec![true; self.links.len()];
        for joint in self.joints.iter().filter(|joint| joint.kind == JointKind::Fixed) {
            is_first[joint.child] = false;
        }
        for group in groups {
            (group.start..group.end - 1).for_each(|number| is_first[self.joints[number].child] = false);
        }
        (0..self.links.len()).filter(|link| is_first[*link]).collect()
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
            let own =
                if link.is_between { self.share(link, options, notes) } else { own_inertial(link, notes) };
            if let Some(own) = own {
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

    /// The pairs of bodies that collide, the smaller first: those with links that do.
    fn colliding(&self, made: &RobotBodies, options: &WorldOptions) -> HashSet<[Handle; 2]> {
        let links: Vec<usize> =
            (0..self.links.len()).filter(|link| !self.links[*link].bodies.is_empty()).collect();
        // What has rules of MJCF collides with what stands in any case.
        let meets_world = |link: usize, other: usize| {
            made.links[other] == made.links[0] && made.links[link] != made.links[0] && self.has_rules(link)
        };
        let mut pairs = HashSet::new();
        for (k, &a) in links.iter().enumerate() {
            for &b in &links[k + 1..] {
                let may = options.self_collision || meets_world(a, b) || meets_world(b, a);
                if may && self.filtered(a, b).is_none() {
                    let [a, b] = [made.links[a], made.links[b]];
                    pairs.insert([a.min(b), a.max(b)]);
                }
            }
        }
        pairs
    }

    /// What a body weighs that is between joints of one body: next to nothing beside that.
    fn share(&self, link: &Link, options: &WorldOptions, notes: &mut Vec<String>) -> Option<Inertial> {
        let mut next = link;
        while next.is_between {
            let number = self.links.iter().position(|other| std::ptr::eq(other, next))?;
            let joint = self.joints.iter().find(|joint| joint.parent == number)?;
            next = &self.links[joint.child];
        }
        let whole = next.inertial?;
        let trace = whole.inertia.x_axis.x + whole.inertia.y_axis.y + whole.inertia.z_axis.z;
        let size = trace / 3.0 + whole.mass * whole.center.length_squared();
        let turned = if options.hold.is_some() { SHARE_HELD } else { SHARE };
        let note = format!(
            "link '{}': its joints are not one joint here; what is between has {SHARE:e} of its mass and {turned:e} of its inertia",
            next.name
        );
        if !notes.contains(&note) {
            notes.push(note);
        }
        let inertia = DMat3::from_diagonal(DVec3::splat(size * turned));
        Some(Inertial { mass: whole.mass * SHARE, center: DVec3::ZERO, inertia })
    }

    /// Has links ignore each other that are not to collide.
    fn keep_apart(
        &self,
        world: &mut World,
        made: &RobotBodies,
        options: &WorldOptions,
    ) -> Result<(), RobotError> {
        let mut all = made.links.clone();
        all.sort_unstable();
        all.dedup();
        let both = |pair: &crate::DisabledPair| {
            let [a, b] = [0, 1].map(|k| self.link(&pair.links[k]).map(|link| made.links[link]));
            Some([a?, b?])
        };
        let mut pairs: Vec<[Handle; 2]> = self.disabled.iter().filter_map(both).collect();
        // Without rules of MJCF either all collide or none does.
        let all_collide = options.self_collision && !(0..self.links.len()).any(|link| self.has_rules(link));
        let collide = if all_collide { HashSet::new() } else { self.colliding(made, options) };
        for (k, a) in all.iter().enumerate() {
            for b in &all[k + 1..] {
                if !all_collide && !collide.contains(&[*a, *b]) {
                    pairs.push([*a, *b]);
                }
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
        let value = |(start, along): (&f64, &Option<Along>)| match along {
            Some(along) => Ok(start + along.moved(world)?),
            None => Ok(*start),
        };
        self.start.iter().zip(&self.axes).map(value).collect()
    }

    /// Has motors hold another configuration from now on, of joints that have one number, and of those that copy them.
    /// Lead them there step by step: sent far away at once, hard ones swing about their goal, as what they carry is
    /// slower to brake than they know.
    ///
    /// # Errors
    /// [`DynamicsError`] for a world without this robot.
    pub fn hold(&self, world: &mut World, q: &[f64]) -> Result<(), DynamicsError> {
        for ((start, along), q) in self.start.iter().zip(&self.axes).zip(q) {
            if let Some(along) = along {
                along.aim(world, q - start)?;
            }
        }
        for copied in &self.copies {
            if let (Some(q), Some(start)) = (q.get(copied.dof), self.start.get(copied.dof)) {
                copied.along.aim(world, copied.factor * (q - start))?;
            }
        }
        Ok(())
    }

    /// Where a link is.
    ///
    /// # Errors
    /// [`DynamicsError`] for a world without this robot.
    pub fn link_pose(&self, world: &World, link: usize) -> Result<Pose, DynamicsError> {
        let Some(between) = self.between.iter().find(|between| between.link == link) else {
            return Ok(world.pose(self.links[link])?.after(&self.places[link]));
        };
        let value = between.start + between.along.moved(world)?;
        let above = Frame::of(&self.link_pose(world, between.parent)?);
        let at = moved(above.after(&between.node.origin), &alone(between.node), &[value]);
        // Frames of a robot are those of poses.
        Ok(at.pose().unwrap_or_default())
    }
}

/// A node that is moved by the only number of a configuration.
fn alone(mut node: Node) -> Node {
    if let Motion::Turn(_, by) | Motion::Slide(_, by) = &mut node.motion {
        *by = Coordinate { dof: 0, ..*by };
    }
    node
}
