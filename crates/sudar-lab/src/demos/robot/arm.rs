//! The arm of the laboratory: six joints, boxes and capsules; and the obstacles around it.

use sudar::query::Body;
use sudar::{Cuboid, Cylinder, DVec3, Pose, Sphere};
use sudar_robot::Robot;

use crate::demo::DemoError;
use crate::demos::robot_file;

/// How far its tip is from its foot when it is stretched up, in metres.
pub const REACH: f64 = 2.46;

/// Pairs that cannot meet and whose distance says nothing: the column turns on the foot above the floor, and the limits
/// of the shoulder keep the upper arm off the foot.
pub const STEADY: [[&str; 2]; 2] = [["column", "floor"], ["upper arm", "foot"]];

/// How far each joint turns to either side, in rad: as the file has it.
pub const LIMITS: [f64; 6] = [3.1, 2.2, 2.6, 3.1, 2.1, 3.1];

/// Where its way begins and ends at first.
pub const POSES: [[f64; 6]; 2] = [[-0.75, 0.75, 0.95, 0.0, 0.7, 0.0], [1.35, 0.55, 1.1, 0.4, -0.1, 0.8]];

/// The arm, as any other that is dropped.
pub fn robot() -> Result<Robot, DemoError> {
    robot_file::read("arm.urdf", URDF)
}

/// What stands around it, by name, so many times as large; the floor first.
pub fn obstacles(size: f64) -> Result<Vec<(String, Body, Pose)>, DemoError> {
    let cuboid = |half: [f64; 3]| Cuboid::new(DVec3::from(half) * size).map(Body::new);
    let at = |at: [f64; 3]| Pose::from_translation(DVec3::from(at) * size);
    let part = |half: [f64; 3], place: [f64; 3]| {
        Ok((cuboid(half).map_err(DemoError::of)?, at(place).map_err(DemoError::of)?))
    };
    let of_parts = |parts: Vec<(Body, Pose)>| Body::compound(parts).map_err(DemoError::of);
    let leg = [0.04, 0.04, 0.22];
    let board = [0.3, 0.35, 0.02];
    let table = [
        part([0.45, 0.7, 0.03], [0.95, 0.0, 0.47])?,
        part(leg, [1.3, 0.55, 0.22])?,
        part(leg, [1.3, -0.55, 0.22])?,
    ];
    let shelf = [
        part(board, [-0.1, 1.05, 0.75])?,
        part(board, [-0.1, 1.05, 1.35])?,
        part([0.3, 0.02, 0.7], [-0.1, 1.4, 0.7])?,
    ];
    let pillar = Cylinder::new(0.12 * size, 0.6 * size).map_err(DemoError::of)?;
    let ball = Sphere::new(DVec3::ZERO, 0.18 * size).map_err(DemoError::of)?;
    let all = [
        ("floor", cuboid([2.2, 2.2, 0.05]).map_err(DemoError::of)?, [0.0, 0.0, -0.05]),
        ("table", of_parts(table.into())?, [0.0; 3]),
        ("pillar", Body::new(pillar), [0.75, 0.1, 1.1]),
        ("shelf", of_parts(shelf.into())?, [0.0; 3]),
        ("ball", Body::new(ball), [-0.75, -0.75, 0.9]),
    ];
    let placed = |(name, body, place): (&str, Body, [f64; 3])| {
        Ok((name.to_owned(), body, at(place).map_err(DemoError::of)?))
    };
    all.into_iter().map(placed).collect()
}

const URDF: &str = r#"<robot name="arm">
  <link name="foot">
    <collision><origin xyz="0 0 0.14"/><geometry><cylinder radius="0.2" length="0.28"/></geometry></collision>
  </link>
  <link name="column">
    <collision><origin xyz="0 0 0.1"/><geometry><box size="0.26 0.26 0.2"/></geometry></collision>
  </link>
  <link name="upper arm">
    <collision><origin xyz="0 0 0.37"/><geometry><capsule radius="0.085" length="0.7"/></geometry></collision>
    <collision><geometry><box size="0.2 0.24 0.18"/></geometry></collision>
  </link>
  <link name="elbow">
    <collision><origin xyz="0 0 0.06"/><geometry><box size="0.17 0.2 0.24"/></geometry></collision>
    <collision><origin xyz="0 0 0.175"/><geometry><capsule radius="0.07" length="0.15"/></geometry></collision>
  </link>
  <link name="forearm">
    <collision><origin xyz="0 0 0.18"/><geometry><capsule radius="0.06" length="0.4"/></geometry></collision>
  </link>
  <link name="wrist">
    <collision><origin xyz="0 0 0.05"/><geometry><capsule radius="0.05" length="0.1"/></geometry></collision>
  </link>
  <link name="gripper">
    <collision><origin xyz="0 0 0.05"/><geometry><box size="0.1 0.18 0.05"/></geometry></collision>
    <collision><origin xyz="0 0.07 0.145"/><geometry><box size="0.04 0.03 0.14"/></geometry></collision>
    <collision><origin xyz="0 -0.07 0.145"/><geometry><box size="0.04 0.03 0.14"/></geometry></collision>
  </link>
  <link name="tip"/>
  <joint name="joint-1" type="revolute"><parent link="foot"/><child link="column"/><origin xyz="0 0 0.3"/>
    <axis xyz="0 0 1"/><limit lower="-3.1" upper="3.1" velocity="1.2" effort="0"/></joint>
  <joint name="joint-2" type="revolute"><parent link="column"/><child link="upper arm"/><origin xyz="0 0 0.25"/>
    <axis xyz="0 1 0"/><limit lower="-2.2" upper="2.2" velocity="1.2" effort="0"/></joint>
  <joint name="joint-3" type="revolute"><parent link="upper arm"/><child link="elbow"/><origin xyz="0 0 0.8"/>
    <axis xyz="0 1 0"/><limit lower="-2.6" upper="2.6" velocity="1.2" effort="0"/></joint>
  <joint name="joint-4" type="revolute"><parent link="elbow"/><child link="forearm"/><origin xyz="0 0 0.3"/>
    <axis xyz="0 0 1"/><limit lower="-3.1" upper="3.1" velocity="2" effort="0"/></joint>
  <joint name="joint-5" type="revolute"><parent link="forearm"/><child link="wrist"/><origin xyz="0 0 0.45"/>
    <axis xyz="0 1 0"/><limit lower="-2.1" upper="2.1" velocity="2" effort="0"/></joint>
  <joint name="joint-6" type="revolute"><parent link="wrist"/><child link="gripper"/><origin xyz="0 0 0.14"/>
    <axis xyz="0 0 1"/><limit lower="-3.1" upper="3.1" velocity="2" effort="0"/></joint>
  <joint name="fingers" type="fixed"><parent link="gripper"/><child link="tip"/><origin xyz="0 0 0.22"/></joint>
</robot>"#;
