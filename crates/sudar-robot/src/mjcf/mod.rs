//! MJCF, MuJoCo's XML: from a text to a robot.
//!
//! [`document`] makes a tree of elements with their lines, included files among them; [`defaults`] and [`attributes`]
//! say what an element has with its class; [`bodies`] walks through `worldbody` and reads [`joints`] and [`geoms`];
//! [`tree`] makes links and frames of them; [`couplings`] reads what is beyond the tree. [`notes`] gathers what is not
//! read and matters. Semantics are those of MuJoCo's XML reference and of its compiler.

mod attributes;
mod bodies;
mod compiler;
mod couplings;
mod defaults;
mod document;
mod fault;
mod geoms;
mod joints;
mod keyframes;
mod mass;
mod meshes;
mod orientation;
mod tree;

use std::collections::HashMap;
use std::path::Path;

use bodies::Body;
use compiler::Compiler;
use couplings::Couplings;
use defaults::Defaults;
use document::Document;
pub use fault::MjcfFault;
use geoms::Reader;
use meshes::Meshes;
use tree::Tree;

use crate::filter::Filter;
use crate::notes::Notes;
use crate::robot::Keyframe;
use crate::urdf::{Moved, dofs};
use crate::{LoadOptions, Robot, RobotError};

/// The robot of a text; `folder` is that of its file.
pub(crate) fn read(
    text: &str,
    file: &str,
    folder: &Path,
    options: &LoadOptions,
) -> Result<Robot, RobotError> {
    let document = Document::parse(text, file, folder)?;
    let mut notes = Notes::default();
    let compiler = Compiler::read(&document, &mut notes)?;
    let defaults = Defaults::read(&document)?;
    let meshes = Meshes::read(&document, &defaults, &compiler, (folder, options), &mut notes)?;
    let mut reader = Reader { compiler: &compiler, meshes, notes, has_gaps: false };
    let mut bodies = bodies::bodies(&document, &defaults, &mut reader)?;
    let Reader { mut notes, has_gaps, .. } = reader;
    check_planes(&bodies)?;
    let mut tree = Tree::new(&mut bodies)?;
    let couplings = Couplings {
        document: &document,
        defaults: &defaults,
        compiler: &compiler,
        has_gaps,
        links: links(&tree),
        joints: tree.joints.iter().enumerate().map(|(number, joint)| (joint.name.clone(), number)).collect(),
    };
    let references = references(&tree, &bodies);
    let loops = couplings.equalities(&mut tree.joints, &references, &mut notes)?;
    couplings.actuators(&mut tree.joints, &mut notes)?;
    bound_efforts(&mut tree, &bodies);
    couplings.tendons(&mut notes);
    let disabled = couplings.excluded(&mut notes)?;
    let Moved { dofs, coordinates, wider } = dofs(&tree.joints, options.narrow_by_mimics)?;
    let wider =
        wider.iter().map(|(joint, what)| format!("{file}: joint '{}': {what}", tree.joints[*joint].name));
    let notes = notes.lines().into_iter().chain(wider).collect();
    let (nodes, places) = tree.nodes(&bodies, &coordinates);
    let mut robot = Robot {
        name: document.root().get("model").unwrap_or("MuJoCo Model").to_owned(),
        home: home(&tree, &bodies),
        keyframes: keyframes(&document, &tree, &bodies)?,
        filter: Some(filter(&bodies, &tree)),
        whole: None,
        members: Vec::new(),
        groups: Vec::new(),
        links: tree.links,
        joints: tree.joints,
        places,
        nodes,
        dofs,
        disabled,
        loops,
        notes,
    };
    let poses = robot.forward(&robot.home)?;
    robot.loops.iter_mut().for_each(|each| each.settle(&poses));
    Ok(robot)
}

/// The links of bodies by their names.
fn links(tree: &Tree) -> HashMap<String, usize> {
    tree.link_of.iter().map(|&link| (tree.links[link].name.clone(), link)).collect()
}

/// Joints that say how much force acts on them bound that of their actuators.
fn bound_efforts(tree: &mut Tree, bodies: &[Body]) {
    for (joint, source) in tree.joints.iter_mut().zip(&tree.source) {
        let own = source.and_then(|(body, which)| bodies[body].joints[which].most);
        if let Some(own) = own {
            joint.effort = if joint.effort > 0.0 { joint.effort.min(own) } else { own };
        }
    }
}

/// The pose of the file.
fn home(tree: &Tree, bodies: &[Body]) -> Vec<f64> {
    let own = |(body, which): &(usize, usize)| tree::home(&bodies[*body], *which);
    configuration(tree, tree.source.iter().flatten().map(own).collect())
}

fn keyframes(document: &Document, tree: &Tree, bodies: &[Body]) -> Result<Vec<Keyframe>, RobotError> {
    let kind = |(body, which): &(usize, usize)| bodies[*body].joints[*which].kind;
    let kinds: Vec<joints::Kind> = tree.source.iter().flatten().map(kind).collect();
    let keys = keyframes::keyframes(document, &kinds)?;
    let key = |(name, values)| Keyframe { name, configuration: configuration(tree, values) };
    Ok(keys.into_iter().map(key).collect())
}

/// The numbers of joints that copy none, one after the other.
fn configuration(tree: &Tree, values: Vec<Vec<f64>>) -> Vec<f64> {
    let moving = tree.joints.iter().zip(&tree.source).filter(|(_, source)| source.is_some());
    let own = moving.zip(values).filter(|((joint, _), _)| joint.mimics.is_none());
    own.flat_map(|(_, values)| values).collect()
}

/// The value of each joint in the pose of the file, of those with one number.
fn references(tree: &Tree, bodies: &[Body]) -> Vec<f64> {
    let of = |source: &Option<(usize, usize)>| {
        source.map_or(0.0, |(body, which)| bodies[body].joints[which].reference)
    };
    tree.source.iter().map(of).collect()
}

/// For each body the first of those that it is fixed to.
fn welds(bodies: &[Body]) -> Vec<usize> {
    let mut welds = vec![0; bodies.len()];
    for (number, body) in bodies.iter().enumerate().skip(1) {
        welds[number] = if body.joints.is_empty() { welds[body.parent] } else { number };
    }
    welds
}

/// Planes have no end, and stand.
fn check_planes(bodies: &[Body]) -> Result<(), RobotError> {
    let welds = welds(bodies);
    for (_, body) in bodies.iter().enumerate().filter(|(number, _)| welds[*number] != 0) {
        if let Some(plane) = body.geoms.iter().find(|geom| geom.is_plane) {
            let why = "planes are for bodies that do not move; move it to the world";
            return Err(plane.place.refuse(MjcfFault::Place { of: plane.label.clone(), why }));
        }
    }
    Ok(())
}

/// What says which links collide. Links between joints of a body have nothing that does.
fn filter(bodies: &[Body], tree: &Tree) -> Filter {
    let welds = welds(bodies);
    let mut filter = Filter { welds: vec![[0; 2]; tree.links.len()], masks: vec![[0; 2]; tree.links.len()] };
    for (number, body) in bodies.iter().enumerate() {
        let link = tree.link_of[number];
        let above = welds[bodies[welds[number]].parent];
        filter.welds[link] = [welds[number], above];
        filter.masks[link] = mask(body);
    }
    filter
}

/// All bits of the geoms that collide.
fn mask(body: &Body) -> [u32; 2] {
    body.geoms.iter().fold([0; 2], |[kind, affinity], geom| [kind | geom.mask[0], affinity | geom.mask[1]])
}
