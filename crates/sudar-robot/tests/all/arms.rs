//! Robots and scenes of our own making.

use std::fmt::Write;

use sudar::query::{Body, Intersection, Work};
use sudar::{Capsule, Cuboid, Cylinder, DVec3, Pose, Sphere};
use sudar_robot::{CellOptions, LoadOptions, Robot, RobotCell};
use sudar_testing::Random;

/// A robot from the elements of its URDF.
pub fn robot(elements: &str) -> Robot {
    parsed(elements).unwrap()
}

pub fn parsed(elements: &str) -> Result<Robot, sudar_robot::RobotError> {
    let text = format!("<robot name=\"test\">{elements}</robot>");
    Robot::parse(&text, "test.urdf", &LoadOptions::default())
}

pub fn link(name: &str, geometry: &str) -> String {
    if geometry.is_empty() {
        return format!("<link name=\"{name}\"/>");
    }
    format!("<link name=\"{name}\"><collision>{geometry}</collision></link>")
}

pub fn joint(name: &str, kind: &str, ends: [&str; 2], rest: &str) -> String {
    let [parent, child] = ends;
    format!(
        "<joint name=\"{name}\" type=\"{kind}\"><parent link=\"{parent}\"/><child link=\"{child}\"/>{rest}</joint>"
    )
}

/// An arm that swings in the plane z = 0: two rods of one metre along x, with joints about z at their ends.
pub fn planar() -> Robot {
    let rod = "<origin xyz=\"0.5 0 0\"/><geometry><box size=\"1 0.1 0.1\"/></geometry>";
    let turn = "<axis xyz=\"0 0 1\"/><limit lower=\"-3\" upper=\"3\" velocity=\"1\"/>";
    let elbow = format!("<origin xyz=\"1 0 0\"/>{turn}");
    robot(
        &[
            link("base", ""),
            link("upper", rod),
            link("lower", rod),
            joint("shoulder", "revolute", ["base", "upper"], turn),
            joint("elbow", "revolute", ["upper", "lower"], &elbow),
        ]
        .concat(),
    )
}

/// An arm with joints of every kind at random: turns, slides, fixed steps, copies; links of primitives.
pub fn random_arm(random: &mut Random, joints: usize) -> Robot {
    let mut text = link("l0", &geometry(random));
    for i in 1..=joints {
        text += &link(&format!("l{i}"), &geometry(random));
        let kind = random.one_of(&["revolute", "revolute", "revolute", "continuous", "prismatic", "fixed"]);
        let [x, y, z] = [random.number(), random.number(), random.within(0.2, 0.5)];
        let mut rest = format!("<origin xyz=\"{} {} {z}\" rpy=\"{x} {y} {z}\"/>", 0.2 * x, 0.2 * y);
        let axis = random.one_of(&["0 0 1", "0 1 0", "1 0 0", "0 0 -1", "0 -3 0", "1 2 -1", "-0.3 0.1 0.9"]);
        let most = if kind == "prismatic" { 0.3 } else { 2.5 };
        write!(rest, "<axis xyz=\"{axis}\"/><limit lower=\"-{most}\" upper=\"{most}\" velocity=\"1\"/>")
            .unwrap();
        if i == joints && joints > 3 {
            rest += "<mimic joint=\"j1\" multiplier=\"-0.5\" offset=\"0.1\"/>";
        }
        // One of the chain, and sometimes a branch of it.
        let parent = if i > 2 && random.below(5) == 0 { i - 2 } else { i - 1 };
        // What is copied must move.
        let kind = if i == 1 { "revolute" } else { kind };
        text += &joint(&format!("j{i}"), kind, [&format!("l{parent}"), &format!("l{i}")], &rest);
    }
    robot(&text)
}

fn geometry(random: &mut Random) -> String {
    let size = || 0.06;
    let (a, b) = (random.within(0.03, 0.1), random.within(0.1, 0.4));
    let shape = match random.below(5) {
        0 => format!("<sphere radius=\"{a}\"/>"),
        1 => format!("<box size=\"{a} {} {b}\"/>", size()),
        2 => format!("<cylinder radius=\"{a}\" length=\"{b}\"/>"),
        3 => format!("<capsule radius=\"{a}\" length=\"{b}\"/>"),
        _ => format!(
            "<sphere radius=\"{a}\"/></geometry></collision><collision><origin xyz=\"0 {a} {b}\"/><geometry><sphere radius=\"{a}\"/>"
        ),
    };
    format!("<origin xyz=\"0 0 {}\" rpy=\"0.3 0.2 0.1\"/><geometry>{shape}</geometry>", 0.3 * b)
}

/// Boxes, balls, capsules and cylinders at random around the origin.
pub fn scene(random: &mut Random, count: usize) -> Vec<(String, Body, Pose)> {
    let mut one = |i: usize| {
        let mut side = || random.within(0.03, 0.25);
        let [a, b, c] = [side(), side(), side()];
        let body: Body = match i % 4 {
            0 => Cuboid::new(DVec3::new(a, b, c)).unwrap().into(),
            1 => Sphere::new(DVec3::new(a, 0.0, 0.1), b).unwrap().into(),
            2 => Capsule::new(a, b).unwrap().into(),
            _ => Cylinder::new(a, b).unwrap().into(),
        };
        let pose = random.any_pose(1.5);
        (format!("object {i}"), body, pose)
    };
    (0..count).map(&mut one).collect()
}

pub fn cell(robot: &Robot, scene: Vec<(String, Body, Pose)>) -> RobotCell {
    RobotCell::new(robot, scene, &CellOptions::default()).unwrap()
}

/// All pairs that meet at a configuration by the pairwise library: parts with objects, then checked pairs of parts.
pub fn pairwise(cell: &RobotCell, scene: &[(String, Body, Pose)], q: &[f64]) -> Vec<(usize, String)> {
    let (robot, poses) = (cell.robot(), cell.robot().forward(q).unwrap());
    let mut work = Work::default();
    let mut found = Vec::new();
    let body = |part: usize| robot.link_body(cell.parts()[part].link).unwrap().unwrap();
    let at = |part: usize| poses[cell.parts()[part].link];
    for part in 0..cell.parts().len() {
        let one = body(part);
        for (name, object, pose) in scene {
            if work.intersects(one.at(&at(part)), object.at(pose)) != Intersection::Apart {
                found.push((part, name.clone()));
            }
        }
    }
    for pair in cell.self_pairs().iter().filter(|pair| pair.is_checked()) {
        let [a, b] = pair.parts;
        if work.intersects(body(a).at(&at(a)), body(b).at(&at(b))) != Intersection::Apart {
            found.push((a, cell.parts()[b].name.clone()));
        }
    }
    found
}
