//! URDF: from a text to a robot. `read.rs` reads the elements, the others make links and joints of them.

mod attributes;
mod geometry;
mod joints;
mod meshes;
mod read;
mod tree;

use sudar::query::Body;
use sudar::{DMat3, DVec3, Pose};

use crate::frame::Frame;
use crate::inertial::Inertial;
use crate::notes::Notes;
use crate::robot::{Joint, JointKind, Link};
use crate::{Robot, RobotError};
pub(crate) use joints::{Moved, dofs};
pub(crate) use meshes::Meshes;
pub(crate) use read::describe;
use read::{Description, InertialElement, LinkElement};

/// Largest number of a description: sums along any chain stay far within the range of poses.
const MOST: f64 = 1e80;

/// The robot that the elements describe.
pub(crate) fn assemble(
    mut described: Description,
    meshes: &mut Meshes,
    narrows: bool,
) -> Result<Robot, RobotError> {
    let mut notes = std::mem::take(&mut described.notes);
    let names: Vec<&str> = described.links.iter().map(|link| link.name.as_str()).collect();
    let joints = joints::joints(&described, &names, &mut notes)?;
    let Moved { dofs, coordinates, wider } = dofs(&joints, narrows)?;
    for (joint, what) in wider {
        notes.add(&described.joints[joint].place, &format!("joint '{}'", joints[joint].name), &what);
    }
    let tree = tree::Tree::new(&names, &joints)?;
    let nodes = tree.nodes(&described, &joints, &coordinates)?;
    let link = |i: usize| {
        let element = &described.links[i];
        Ok(Link {
            name: names[i].to_owned(),
            joint: tree.carrier[i],
            bodies: bodies(element, stands(i, &tree.carrier, &joints), meshes)?,
            inertial: element.inertial.as_ref().and_then(|inertial| mass(inertial, element, &mut notes)),
            node: nodes.of_link[i],
            is_between: false,
        })
    };
    let links = (0..names.len()).map(link).collect::<Result<_, RobotError>>()?;
    let notes = notes.lines().into_iter().chain(std::mem::take(&mut meshes.notes).lines()).collect();
    Ok(Robot {
        name: described.name.clone(),
        links,
        joints,
        places: nodes.of_joint,
        nodes: nodes.list,
        home: vec![0.0; dofs.len()],
        dofs,
        disabled: Vec::new(),
        notes,
        keyframes: Vec::new(),
        loops: Vec::new(),
        filter: None,
        whole: None,
        members: Vec::new(),
        groups: Vec::new(),
    })
}

/// Whether no joint that moves is between a link and the root of a tree.
fn stands(mut link: usize, carrier: &[Option<usize>], joints: &[Joint]) -> bool {
    while let Some(joint) = carrier[link] {
        if joints[joint].kind != JointKind::Fixed {
            return false;
        }
        link = joints[joint].parent;
    }
    true
}

/// Mass and inertia of a link, if they can be those of a body.
fn mass(found: &InertialElement, link: &LinkElement, notes: &mut Notes) -> Option<Inertial> {
    let [xx, xy, xz, yy, yz, zz] = found.inertia;
    let inertia = DMat3::from_cols(DVec3::new(xx, xy, xz), DVec3::new(xy, yy, yz), DVec3::new(xz, yz, zz));
    let own = Inertial { mass: found.mass, center: DVec3::ZERO, inertia };
    let at = found.origin.pose();
    if at.is_none() {
        notes.add(&link.place, &format!("link '{}'", link.name), "its inertial is too far out and left out");
    }
    at.map(|at| own.seen_from(&at))
}

/// The collision geometry of a link.
fn bodies(link: &LinkElement, stands: bool, meshes: &mut Meshes) -> Result<Vec<(Body, Pose)>, RobotError> {
    let mut bodies = Vec::new();
    for collision in &link.collisions {
        let number = || RobotError::Number { of: format!("link '{}'", link.name) };
        let at = collision.origin.pose().ok_or_else(number)?;
        for (body, pose) in geometry::bodies(collision, &link.name, stands, meshes)? {
            let pose = Frame::of(&at).after(&Frame::of(&pose)).pose().ok_or_else(number)?;
            bodies.push((body, pose));
        }
    }
    Ok(bodies)
}
