//! A robot that its motors hold: that of the laboratory, or one of a file.

use sudar::dynamics::{JointHandle, RigidBody, Settings, Spring, World};
use sudar::{Aabb, DVec3, Halfspace, Pose};
use sudar_robot::{JointKind, Robot, RobotBodies, WorldOptions};
use sudar_view::Orbit;

use super::choice::CROUCH;
use super::dog;
use crate::demo::DemoError;
use crate::demos::robot_file::{bounds, first, read};

/// A file that was dropped.
#[derive(Debug, Clone)]
pub struct File {
    pub name: String,
    pub text: String,
}

/// How fast motors are led to their targets, in rad/s or m/s.
const PACE: f64 = 1.2;

/// Angles of joints without limits that are offered, in rad.
const TURN: f64 = std::f64::consts::PI;

/// Space between a robot and the floor at the start, in metres.
const CLEAR: f64 = 1e-3;

/// A robot in its world.
pub struct Held {
    pub world: World,
    robot: Robot,
    bodies: RobotBodies,
    /// The joints with what pulls each to its target.
    springs: Vec<(JointHandle, Option<Spring>)>,
    /// What the motors are to hold in the end, and what they hold now.
    goal: Vec<f64>,
    lead: Vec<f64>,
    is_on: bool,
    /// How far the hips of the robot of the laboratory are turned, and how much of that keys have taken off.
    crouch: Option<f64>,
    raised: f64,
    /// What is around it at the start.
    bounds: Aabb,
    /// How high its root is at the start, and whether it has sunk since, and risen again.
    height: f64,
    has_sunk: bool,
    pub has_risen: bool,
}

impl Held {
    /// On a floor; fixed to it or not.
    pub fn new(file: Option<&File>, is_fixed: bool) -> Result<Self, DemoError> {
        let robot = match file {
            None => read("dog.urdf", &dog::urdf())?,
            Some(File { name, text }) => read(name, text)?,
        };
        let start = if file.is_none() {
            dog::configuration(&robot.joint_names(), dog::STANCE)
        } else {
            robot.limits().iter().map(|limits| 0.0_f64.clamp(limits.lower, limits.upper)).collect()
        };
        let bounds = bounds(&robot, &start)?;
        let up = DVec3::Z * (CLEAR - bounds.min.z);
        let base = Pose::from_translation(up).map_err(DemoError::of)?;
        let mut world = World::new(Settings::default()).map_err(DemoError::of)?;
        let floor = Halfspace::new(DVec3::Z, 0.0).map_err(DemoError::of)?;
        world.add(RigidBody { friction: 1.0, ..RigidBody::fixed("floor", floor) }).map_err(DemoError::of)?;
        let options = WorldOptions { base, is_fixed, ..WorldOptions::default() };
        let bodies = robot.add_to(&mut world, &start, &options).map_err(DemoError::of)?;
        let spring = |joint: &JointHandle| {
            let mut joint = world.joint(*joint).map_err(DemoError::of)?.clone();
            Ok(joint.main_row().spring)
        };
        let joints: Vec<JointHandle> = bodies.joints.iter().flatten().copied().collect();
        let springs: Result<Vec<_>, DemoError> = joints.iter().map(spring).collect();
        let mut held = Self {
            springs: joints.into_iter().zip(springs?).collect(),
            world,
            robot,
            bodies,
            goal: start.clone(),
            lead: start,
            is_on: true,
            crouch: file.is_none().then_some(dog::STANCE),
            raised: 0.0,
            bounds: Aabb { min: bounds.min + up, max: bounds.max + up },
            height: 0.0,
            has_sunk: false,
            has_risen: false,
        };
        held.height = held.root();
        Ok(held)
    }

    /// How high the middle of its root is.
    fn root(&self) -> f64 {
        let root = self.robot.links().iter().position(|link| link.joint.is_none());
        let handle = root.map(|root| self.bodies.links[root]);
        handle.and_then(|handle| self.world.motion(handle).ok()).map_or(0.0, |motion| motion.center.z)
    }

    /// Switches the motors; they hold at first what is.
    pub fn set_motors(&mut self, is_on: bool) -> Result<(), DemoError> {
        if self.is_on == is_on {
            return Ok(());
        }
        self.is_on = is_on;
        self.lead = self.bodies.configuration(&self.world).map_err(DemoError::of)?;
        for (joint, spring) in &self.springs {
            let wanted = spring.filter(|_| is_on);
            let mut joint = self.world.joint_mut(*joint).map_err(DemoError::of)?;
            joint.modify(|joint| joint.main_row().spring = wanted).map_err(DemoError::of)?;
        }
        self.hold()
    }

    /// Turns the hips of the robot of the laboratory, and its knees with them: to what is chosen, less what keys have
    /// raised it by since the start.
    pub fn raise(&mut self, by: f64, chosen: f64) {
        self.raised = (self.raised + by).clamp(chosen - CROUCH.end(), chosen - CROUCH.start());
        self.set_crouch(chosen - self.raised);
    }

    fn set_crouch(&mut self, hips: f64) {
        if self.crouch.is_none_or(|before| before == hips) {
            return;
        }
        self.crouch = Some(hips);
        let wanted = dog::configuration(&self.robot.joint_names(), hips);
        for ((goal, wanted), dof) in self.goal.iter_mut().zip(wanted).zip(self.robot.dofs()) {
            if dof.name != dog::NECK {
                *goal = wanted;
            }
        }
    }

    /// Whether it is that of the laboratory.
    pub fn is_own(&self) -> bool {
        self.crouch.is_some()
    }

    fn hold(&mut self) -> Result<(), DemoError> {
        self.bodies.hold(&mut self.world, &self.lead).map_err(DemoError::of)
    }

    /// Leads the motors on towards their targets, for so many seconds.
    pub fn lead(&mut self, seconds: f64) -> Result<(), DemoError> {
        let height = self.root();
        self.has_sunk |= !self.is_on && height < 0.6 * self.height;
        self.has_risen |= self.has_sunk && self.is_on && height > 0.85 * self.height;
        // What is changed wakes the robot.
        if !self.is_on || self.lead == self.goal {
            return Ok(());
        }
        let most = PACE * seconds;
        for (lead, goal) in self.lead.iter_mut().zip(&self.goal) {
            *lead = if (goal - *lead).abs() <= most { *goal } else { *lead + most.copysign(goal - *lead) };
        }
        self.hold()
    }

    /// A slider for each joint, and what was noticed in the file.
    pub fn show(&mut self, ui: &mut egui::Ui) {
        ui.weak(format!("Targets of the motors of {}", self.robot.name()));
        for (dof, goal) in self.robot.dofs().iter().zip(&mut self.goal) {
            let kind = self.robot.joints()[dof.joint].kind;
            if !matches!(kind, JointKind::Revolute | JointKind::Continuous | JointKind::Prismatic) {
                continue;
            }
            let within = |x: f64| if x.is_finite() { x } else { TURN.copysign(x) };
            let range = within(dof.limits.lower)..=within(dof.limits.upper);
            ui.small(&dof.name);
            ui.add(egui::Slider::new(goal, range).suffix(if dof.is_angle { " rad" } else { " m" }));
        }
        for note in self.notes() {
            ui.add(egui::Label::new(egui::RichText::new(note).small()).wrap());
        }
    }

    fn notes(&self) -> impl Iterator<Item = &String> {
        self.robot.notes().iter().chain(&self.bodies.notes)
    }

    /// What is to be known at once, in lines.
    pub fn says(&self) -> Vec<String> {
        let joints = self.springs.len();
        let state = if self.is_on { self.off() } else { "motors off".to_owned() };
        let plural = if joints == 1 { "" } else { "s" };
        let mut lines = vec![format!("{}: {joints} joint{plural}, {state}", self.robot.name())];
        lines.extend(first(&self.notes().cloned().collect::<Vec<_>>()));
        lines
    }

    /// How far it is from its targets.
    fn off(&self) -> String {
        let Ok(now) = self.bodies.configuration(&self.world) else { return "motors on".to_owned() };
        let off = now.iter().zip(&self.lead).map(|(now, lead)| (now - lead).abs()).fold(0.0, f64::max);
        format!("motors hold to {off:.0e} rad or m")
    }

    /// Half the length of an axis in the picture.
    pub fn axis(&self) -> f64 {
        0.06 * self.bounds.extent().length()
    }

    /// Where it is seen from.
    pub fn orbit(&self) -> Orbit {
        let distance = (1.4 * self.bounds.extent().length()).max(1e-3);
        Orbit { target: self.bounds.center(), distance, yaw: 0.75, pitch: 0.25 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: f64 = 1.0 / 60.0;

    fn run(held: &mut Held, steps: u32) {
        for _ in 0..steps {
            held.lead(STEP).unwrap();
            held.world.step(STEP).unwrap();
        }
    }

    #[test]
    fn it_stands_sinks_without_motors_and_rises_again() {
        let mut held = Held::new(None, false).unwrap();
        assert!(held.notes().next().is_none());
        let start = held.root();
        run(&mut held, 180);
        assert!((held.root() - start).abs() < 0.01, "{start} {}", held.root());
        held.set_motors(false).unwrap();
        run(&mut held, 120);
        assert!(held.root() < 0.6 * start && !held.has_risen);
        held.set_motors(true).unwrap();
        run(&mut held, 240);
        assert!((held.root() - start).abs() < 0.01 && held.has_risen, "{}", held.root());
    }

    /// Two legs of length l below hips turned by an angle: 2·l·cos of it, and the same less for another angle.
    #[test]
    fn hips_raise_and_lower_it() {
        let mut held = Held::new(None, false).unwrap();
        let start = held.root();
        held.set_crouch(1.0);
        run(&mut held, 240);
        let lower = 0.44 * (libm::cos(dog::STANCE) - libm::cos(1.0));
        assert!((start - held.root() - lower).abs() < 0.01, "{} {lower}", start - held.root());
    }

    const ARM: &str = r#"<robot name="arm">
        <link name="base"/>
        <link name="arm"><inertial><origin xyz="0.5 0 0"/><mass value="4"/>
            <inertia ixx="0.01" iyy="0.3" izz="0.3" ixy="0" ixz="0" iyz="0"/></inertial>
            <collision><geometry><mesh filename="package://arm/arm.stl"/></geometry></collision></link>
        <joint name="lift" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 -1 0"/>
            <limit lower="0.1" upper="1" effort="80" velocity="2"/></joint>
    </robot>"#;

    fn file(text: &str) -> File {
        File { name: "arm.urdf".to_owned(), text: text.to_owned() }
    }

    #[test]
    fn an_arm_of_a_file_holds_itself_and_says_what_is_left_out() {
        let mut held = Held::new(Some(&file(ARM)), true).unwrap();
        held.goal[0] = 0.8;
        run(&mut held, 120);
        let angle = held.bodies.configuration(&held.world).unwrap()[0];
        assert!((angle - 0.8).abs() < 0.01, "{angle}");
        let lines = held.says();
        assert!(lines[0].starts_with("arm: 1 joint, motors hold"), "{lines:?}");
        assert!(lines[1].contains("mesh package://arm/arm.stl is not found"), "{lines:?}");
    }

    #[test]
    fn a_file_that_is_no_robot_is_refused_in_one_line() {
        for text in ["", "<html></html>", "<robot name=\"a\"/>", "{}", &ARM.replacen("base\"/>", "b\"/>", 1)]
        {
            let error = Held::new(Some(&file(text)), true).err().unwrap().0;
            assert!(!error.is_empty() && !error.contains('\n'), "{error}");
        }
    }
}
