//! A robot among obstacles: that of the laboratory, or one of a file.

use sudar::query::Batch;
use sudar::{DVec3, Interval, Pose};
use sudar_robot::{CellOptions, Contact, JointKind, Other, PairOptions, ReachOptions, Robot, RobotCell};

use super::arm::{self, POSES, REACH, STEADY};
use crate::demo::DemoError;
use crate::demos::robot_file;

/// One number for each joint.
pub type Configuration = Vec<f64>;

/// Angles of joints without limits that are offered, in rad, and lengths, in m.
const TURN: f64 = std::f64::consts::PI;
const SLIDE: f64 = 1.0;

/// Space between a robot of a file and the floor, in metres.
const CLEAR: f64 = 1e-3;

/// Among so many random configurations the start and the goal of a robot of a file are looked for.
const SAMPLES: usize = 200;

/// Steps of inverse kinematics in one step of the picture, and how near it brings the tip, in metres.
const STEPS: usize = 40;
const NEAR: f64 = 1e-4;

/// Where the tip cannot follow it comes as much nearer as it can: by the half of what is missing, by a quarter, and so
/// on.
const HALVINGS: i32 = 6;

/// A robot among obstacles.
pub struct Site {
    pub cell: RobotCell,
    /// The link whose origin is dragged.
    tip: usize,
    /// Where the way begins and ends at first.
    pub poses: [Configuration; 2],
    /// How many times as large as that of the laboratory it is.
    pub size: f64,
    /// For each part whether no joint that moves carries it.
    pub still: Vec<bool>,
    /// Obstacles in which the robot would stand.
    pub left_out: Vec<String>,
}

impl Site {
    /// The arm of the laboratory.
    pub fn own() -> Result<Self, DemoError> {
        let robot = arm::robot()?;
        let ignored = STEADY.map(|pair| pair.map(str::to_owned)).to_vec();
        // Its pairs are known: none always meets but neighbours.
        let pairs = PairOptions { samples: 0, ..PairOptions::default() };
        let scene = arm::obstacles(1.0)?;
        let options = CellOptions { ignored, pairs, ..CellOptions::default() };
        let mut cell = RobotCell::new(&robot, scene, &options).map_err(DemoError::of)?;
        let still = settle(&mut cell)?;
        let (tip, _) = tip(&robot)?;
        Ok(Self { cell, tip, still, poses: POSES.map(Vec::from), size: 1.0, left_out: Vec::new() })
    }

    /// A robot of a file among the same obstacles, as large as it is itself.
    ///
    /// # Errors
    /// One line about a robot without joints that move.
    pub fn of(robot: &Robot) -> Result<Self, DemoError> {
        if robot.dof() == 0 {
            return Err(DemoError(format!("{}: no joint of it moves", robot.name())));
        }
        let home: Configuration =
            robot.dofs().iter().map(|dof| 0.0_f64.max(low(dof)).min(high(dof))).collect();
        let (tip, reach) = tip(robot)?;
        let bounds = robot_file::bounds(robot, &home)?;
        let finite = |x: f64| if x.is_finite() { x } else { 0.0 };
        let around = bounds.extent().to_array().map(finite);
        let size = reach.max(0.5 * DVec3::from(around).length()).max(1e-6) / REACH;
        let up = DVec3::Z * (CLEAR - finite(bounds.min.z));
        let mut scene = arm::obstacles(size)?.into_iter();
        let floor = scene.next().into_iter().collect();
        let mut cell = RobotCell::new(robot, floor, &CellOptions::default()).map_err(DemoError::of)?;
        cell.set_base(Pose::from_translation(up).map_err(DemoError::of)?);
        let samples = robot.sample(SAMPLES, 0);
        let start = first_free(&cell, &[home.clone(), samples.clone()].concat())?.unwrap_or(home);
        scene.try_for_each(|(name, body, pose)| cell.add(name, body, pose)).map_err(DemoError::of)?;
        let left_out = make_room(&mut cell, &start)?;
        let still = settle(&mut cell)?;
        let mut site = Self { cell, tip, still, poses: [start.clone(), start], size, left_out };
        site.poses[1] = site.far(&samples)?;
        Ok(site)
    }

    /// A free configuration whose tip is far from where it begins, or the beginning itself.
    fn far(&self, samples: &[f64]) -> Result<Configuration, DemoError> {
        let from = self.tip_at(&self.poses[0]);
        let is_far = |q: &&[f64]| self.tip_at(q).distance(from) > 0.4 * REACH * self.size;
        let far: Vec<f64> = samples.chunks(self.dof()).filter(is_far).flatten().copied().collect();
        let found = first_free(&self.cell, &far)?;
        Ok(found.unwrap_or_else(|| self.poses[0].clone()))
    }

    /// Whether no link that moves has geometry, so that nothing is checked.
    pub fn is_bare(&self) -> bool {
        self.still.iter().all(|still| *still)
    }

    /// How many numbers a configuration has.
    pub fn dof(&self) -> usize {
        self.cell.robot().dof()
    }

    /// The values of a joint that are offered.
    pub fn range(&self, joint: usize) -> Interval {
        let dof = self.cell.robot().dofs().get(joint);
        dof.map_or(Interval::point(0.0), |dof| Interval { lower: low(dof), upper: high(dof) })
    }

    /// Where the links are.
    pub fn links(&self, q: &[f64]) -> Vec<Pose> {
        // Sliders, keys and inverse kinematics give numbers that every robot takes.
        self.cell.robot().forward(q).unwrap_or_default()
    }

    /// Where the tip is.
    pub fn tip_at(&self, q: &[f64]) -> DVec3 {
        self.links(q).get(self.tip).map_or(DVec3::ZERO, Pose::translation)
    }

    /// Where the tip is in each of several configurations.
    pub fn tips(&self, q: &[f64]) -> Vec<DVec3> {
        let links = self.cell.robot().links().len();
        self.links(q).chunks(links).filter_map(|poses| Some(poses.get(self.tip)?.translation())).collect()
    }

    /// The configuration near another whose tip is at a point, or comes nearer to it.
    pub fn reach(&self, from: &[f64], point: DVec3) -> Option<Configuration> {
        let (robot, pose) = (self.cell.robot(), Pose::from_translation(point).ok()?);
        let name = &robot.links().get(self.tip)?.name;
        let found = |position: f64| {
            // Of any orientation.
            let (from, angle) = (Some(from.to_vec()), 4.0);
            let options =
                ReachOptions { position, angle, from, seeds: 0, steps: STEPS, ..ReachOptions::default() };
            robot.reach(name, &pose, &options, &Batch::default()).ok().filter(|q| !q.is_empty())
        };
        let missing = self.tip_at(from).distance(point);
        let nearer = |k: i32| missing * (1.0 - libm::ldexp(1.0, -k));
        found(NEAR * self.size).or_else(|| (1..=HALVINGS).find_map(|k| found(nearer(k))))
    }

    /// The name of a part.
    pub fn part(&self, part: usize) -> &str {
        self.cell.parts().get(part).map_or("", |part| &part.name)
    }
}

fn low(dof: &sudar_robot::Dof) -> f64 {
    let most = if dof.is_angle { TURN } else { SLIDE };
    if dof.limits.lower.is_finite() { dof.limits.lower } else { (-most).min(dof.limits.upper - most) }
}

fn high(dof: &sudar_robot::Dof) -> f64 {
    let most = if dof.is_angle { TURN } else { SLIDE };
    if dof.limits.upper.is_finite() { dof.limits.upper } else { most.max(dof.limits.lower + most) }
}

/// The link at the end of the longest chain, and how long that is from frame to frame.
fn tip(robot: &Robot) -> Result<(usize, f64), DemoError> {
    let poses = robot.forward(robot.home()).map_err(DemoError::of)?;
    let mut best = (0, -1.0);
    for link in 0..poses.len() {
        let (mut at, mut length) = (link, 0.0);
        while let Some(joint) = robot.links()[at].joint {
            let parent = robot.joints()[joint].parent;
            length += poses[at].translation().distance(poses[parent].translation());
            at = parent;
        }
        // Of a chain that ends at the same place, the last link.
        if length >= best.1 {
            best = (link, length);
        }
    }
    Ok(best)
}

/// The first row that is within the limits and free of contact.
fn first_free(cell: &RobotCell, rows: &[f64]) -> Result<Option<Configuration>, DemoError> {
    let free = cell.check(rows, &Batch::default()).map_err(DemoError::of)?;
    let mut found = rows.chunks(cell.robot().dof().max(1)).zip(free).filter(|(_, free)| *free);
    Ok(found.next().map(|(row, _)| row.to_vec()))
}

/// Removes obstacles in which the robot stands, and says which.
fn make_room(cell: &mut RobotCell, start: &[f64]) -> Result<Vec<String>, DemoError> {
    let mut left_out = Vec::new();
    loop {
        let contact = cell.first_contact(start, &Batch::default()).map_err(DemoError::of)?;
        let Some(Some(Contact { part, other: other @ Other::Object(_), .. })) = contact.first().copied()
        else {
            return Ok(left_out);
        };
        let (part, name) = (cell.parts()[part].name.clone(), cell.name_of(other).to_owned());
        if name == "floor" {
            // It cannot be taken away from below the others.
            cell.allow(&format!("part:{part}"), &format!("object:{name}")).map_err(DemoError::of)?;
            left_out.push(format!("{name} below {part}"));
        } else {
            cell.remove(&name).map_err(DemoError::of)?;
            left_out.push(name);
        }
    }
}

/// Leaves out pairs of obstacles and parts that do not move: their distance stays the same and says nothing. Which
/// parts these are.
fn settle(cell: &mut RobotCell) -> Result<Vec<bool>, DemoError> {
    let still: Vec<bool> = cell.parts().iter().map(|part| stands(cell.robot(), part.link)).collect();
    let parts = cell.parts().iter().zip(&still).filter(|(_, still)| **still);
    let parts: Vec<String> = parts.map(|(part, _)| format!("part:{}", part.name)).collect();
    let objects: Vec<String> = cell.object_names().into_iter().map(|name| format!("object:{name}")).collect();
    for (part, object) in parts.iter().flat_map(|part| objects.iter().map(move |object| (part, object))) {
        cell.allow(part, object).map_err(DemoError::of)?;
    }
    Ok(still)
}

/// Whether no joint that moves carries a link.
fn stands(robot: &Robot, mut link: usize) -> bool {
    while let Some(joint) = robot.links()[link].joint.map(|joint| &robot.joints()[joint]) {
        if joint.kind != JointKind::Fixed {
            return false;
        }
        link = joint.parent;
    }
    true
}
