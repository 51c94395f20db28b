//! Where the nodes of a scene stand in the world.

use sudar::{DMat3, DQuat, DVec3, Pose};

use super::document::{Node, Root};
use crate::affine::Affine;
use crate::note::Notes;
use crate::{Cause, NoteKind, Place};

/// How far a quaternion's length may be from 1 before it is taken for a mistake; 32-bit rounding is 1e-7.
const QUATERNION_SLACK: f64 = 1e-3;

/// Most places of nodes together: a node with two parents stands at two places, and so do those below it.
const MAX_PLACES: usize = 1 << 20;

/// The transforms of each node that the scene shows: one, unless the file breaks the rule that a node has one parent.
pub fn worlds(root: &Root, notes: &mut Notes) -> Result<Vec<Vec<Affine>>, Cause> {
    let mut worlds = vec![Vec::new(); root.nodes.len()];
    let mut open: Vec<(usize, Affine, usize)> =
        tops(root)?.into_iter().map(|i| (i, Affine::IDENTITY, 1)).collect();
    let mut places = 0;
    while let Some((i, parent, depth)) = open.pop() {
        let place = || Place::Item(format!("node {i}"));
        let missing = || Cause::expected(place(), "a node that exists", b"none");
        let node = root.nodes.get(i).ok_or_else(missing)?;
        places += 1;
        // A path longer than there are nodes comes by one of them twice.
        if depth > root.nodes.len() || places > MAX_PLACES {
            let found = "a node below itself, or far too many ways to it".to_owned();
            return Err(Cause::Expected { place: place(), expected: "a tree of nodes".into(), found });
        }
        if worlds[i].len() == 1 {
            notes.add(NoteKind::SharedNode, place());
        }
        let world = parent.after(&local(node, place)?);
        worlds[i].push(world);
        open.extend(node.children.iter().map(|&child| (child, world, depth + 1)));
    }
    Ok(worlds)
}

/// The roots of the scene; without any scene, every node that is no other's child.
pub fn tops(root: &Root) -> Result<Vec<usize>, Cause> {
    let index = root.scene.unwrap_or(0);
    if let Some(scene) = root.scenes.get(index) {
        return Ok(scene.nodes.clone());
    }
    if root.scene.is_some() {
        let place = Place::Item(format!("scene {index}"));
        return Err(Cause::expected(place, "a scene that exists", b"none"));
    }
    let mut is_child = vec![false; root.nodes.len()];
    for &child in root.nodes.iter().flat_map(|node| &node.children) {
        if let Some(flag) = is_child.get_mut(child) {
            *flag = true;
        }
    }
    Ok((0..root.nodes.len()).filter(|&i| !is_child[i]).collect())
}

/// The transform of a node in its parent's frame.
fn local(node: &Node, place: impl Fn() -> Place) -> Result<Affine, Cause> {
    if let Some(m) = &node.matrix {
        if [m[3], m[7], m[11], m[15]] != [0.0, 0.0, 0.0, 1.0] {
            return Err(Cause::expected(place(), "a matrix with the last row 0 0 0 1", b"another"));
        }
        let column = |j: usize| DVec3::new(m[4 * j].into(), m[4 * j + 1].into(), m[4 * j + 2].into());
        let linear = DMat3::from_cols(column(0), column(1), column(2));
        return Ok(Affine { linear, offset: column(3) });
    }
    let vector = |v: [f32; 3]| DVec3::from_array(v.map(f64::from));
    let rotation = rotation(node, place)?;
    let scale = vector(node.scale.unwrap_or([1.0; 3]));
    // Multiplying by exact ones would change nothing, but leaves the rotation's bits to be seen as they are.
    let linear = if scale == DVec3::ONE { rotation } else { rotation * DMat3::from_diagonal(scale) };
    Ok(Affine { linear, offset: vector(node.translation.unwrap_or_default()) })
}

/// The rotation of a node, its quaternion brought to unit length in 64 bits.
fn rotation(node: &Node, place: impl Fn() -> Place) -> Result<DMat3, Cause> {
    let Some(rotation) = &node.rotation else { return Ok(DMat3::IDENTITY) };
    let q = DQuat::from_array(rotation.map(f64::from));
    let length = q.length();
    // A range holds no NaN.
    if !(1.0 - QUATERNION_SLACK..=1.0 + QUATERNION_SLACK).contains(&length) {
        let found = format!("length {length}");
        return Err(Cause::Expected { place: place(), expected: "a rotation of length 1".into(), found });
    }
    let pose = Pose::new(DVec3::ZERO, q / length);
    Ok(pose.map_err(|error| Cause::Pose { part: place().to_string(), error })?.rotation())
}
