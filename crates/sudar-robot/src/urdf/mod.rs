//! URDF: from a text to a robot. The elements are read by crate urdf-rs.

mod geometry;
mod guard;
mod joints;
mod meshes;
mod tree;

use sudar::query::Body;
use sudar::{DMat3, DVec3, Interval, Pose};

use crate::frame::Frame;
use crate::inertial::Inertial;
use crate::robot::Link;
use crate::{Robot, RobotError};
pub(crate) use guard::guard;
pub(crate) use joints::dofs;
pub(crate) use meshes::Meshes;

/// Largest number of a description: sums along any chain stay far within the range of poses.
const MOST: f64 = 1e80;

/// The elements of a URDF.
pub(crate) fn describe(text: &str, file: &str) -> Result<urdf_rs::Robot, RobotError> {
    guard(text, file, "URDF")?;
    urdf_rs::read_from_string(text).map_err(|error| {
        let why = error.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
        RobotError::Description { file: file.to_owned(), why }
    })
}

/// The robot that the elements describe.
pub(crate) fn assemble(described: &urdf_rs::Robot, meshes: &mut Meshes) -> Result<Robot, RobotError> {
    let names: Vec<&str> = described.links.iter().map(|link| link.name.as_str()).collect();
    let joints = joints::joints(described, &names)?;
    let (dofs, coordinates) = dofs(&joints)?;
    let tree = tree::Tree::new(&names, &joints)?;
    let nodes = tree.nodes(described, &joints, &coordinates)?;
    let link = |i: usize| {
        Ok(Link {
            name: names[i].to_owned(),
            joint: tree.carrier[i],
            bodies: bodies(&described.links[i], meshes)?,
            inertial: inertial(&described.links[i]),
            node: nodes.of_link[i],
            is_between: false,
        })
    };
    let links = (0..names.len()).map(link).collect::<Result<_, RobotError>>()?;
    Ok(Robot {
        name: described.name.clone(),
        links,
        joints,
        places: nodes.of_joint,
        nodes: nodes.list,
        home: vec![0.0; dofs.len()],
        dofs,
        disabled: Vec::new(),
        notes: std::mem::take(&mut meshes.notes),
        keyframes: Vec::new(),
        loops: Vec::new(),
        filter: None,
    })
}

/// Mass and inertia of a link, if it has a mass.
fn inertial(link: &urdf_rs::Link) -> Option<Inertial> {
    let urdf_rs::Inertial { origin, mass, inertia } = &link.inertial;
    let at = step(origin)?.pose()?;
    let (x, y, z) = (
        DVec3::new(inertia.ixx, inertia.ixy, inertia.ixz),
        DVec3::new(inertia.ixy, inertia.iyy, inertia.iyz),
        DVec3::new(inertia.ixz, inertia.iyz, inertia.izz),
    );
    let own = Inertial { mass: mass.value, center: DVec3::ZERO, inertia: DMat3::from_cols(x, y, z) };
    (mass.value > 0.0 && mass.value.is_finite()).then(|| own.seen_from(&at))
}

/// The collision geometry of a link.
fn bodies(link: &urdf_rs::Link, meshes: &mut Meshes) -> Result<Vec<(Body, Pose)>, RobotError> {
    let mut bodies = Vec::new();
    for collision in &link.collision {
        let number = || RobotError::Number { of: format!("link '{}'", link.name) };
        let at = step(&collision.origin).and_then(|at| at.pose()).ok_or_else(number)?;
        for (body, pose) in geometry::bodies(&collision.geometry, &link.name, meshes)? {
            let pose = Frame::of(&at).after(&Frame::of(&pose)).pose().ok_or_else(number)?;
            bodies.push((body, pose));
        }
    }
    Ok(bodies)
}

/// An element `origin`; `None` if a number is none or too large.
fn step(origin: &urdf_rs::Pose) -> Option<Frame> {
    let numbers = || origin.xyz.0.iter().chain(&origin.rpy.0);
    numbers().all(|x| x.abs() <= MOST).then(|| Frame::of_rpy(origin.xyz.0, origin.rpy.0))
}

/// Limits as far as the element has some.
fn limits(joint: &urdf_rs::Joint) -> Result<Interval, RobotError> {
    let (lower, upper) = (joint.limit.lower, joint.limit.upper);
    if lower.is_nan() || upper.is_nan() {
        return Err(RobotError::Number { of: format!("joint '{}'", joint.name) });
    }
    if lower > upper {
        return Err(RobotError::Limits { joint: joint.name.clone(), lower, upper });
    }
    Ok(Interval { lower, upper })
}
