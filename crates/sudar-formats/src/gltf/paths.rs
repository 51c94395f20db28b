//! Names of nodes by their way down the tree: `assembly/pump/nut`.

use std::collections::HashSet;

use super::document::{Node, Root};

/// The path of each node that the scene shows, each once. Call it after the tree is known to be one.
pub fn paths(root: &Root, tops: Vec<usize>) -> Vec<Option<String>> {
    let mut paths = vec![None; root.nodes.len()];
    let mut taken = HashSet::new();
    let mut open: Vec<(usize, String)> = tops.into_iter().rev().map(|i| (i, String::new())).collect();
    while let Some((i, above)) = open.pop() {
        let Some(node) = root.nodes.get(i) else { continue };
        if paths[i].is_some() {
            continue;
        }
        let path = match own_name(root, node) {
            Some(name) if above.is_empty() => unique(&name, &mut taken),
            Some(name) => unique(&format!("{above}/{name}"), &mut taken),
            None => above,
        };
        open.extend(node.children.iter().rev().map(|&child| (child, path.clone())));
        paths[i] = Some(path);
    }
    paths
}

/// The name of a node, otherwise that of its mesh, unless it is a reference that OpenCASCADE made up: `=>[0:1:1:3]`.
fn own_name(root: &Root, node: &Node) -> Option<String> {
    let mesh = node.mesh.and_then(|mesh| root.meshes.get(mesh)).and_then(|mesh| mesh.name.as_deref());
    let says = |name: &&str| !name.trim().is_empty() && !name.trim_start().starts_with("=>[");
    let name = [node.name.as_deref(), mesh].into_iter().flatten().find(says)?;
    Some(crate::error::one_line(name.trim()))
}

/// The name, with a number from 2 if it is taken.
pub fn unique(name: &str, taken: &mut HashSet<String>) -> String {
    let numbered = (2_u64..).map(|n| format!("{name} ({n})"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    names.find(|name| taken.insert(name.clone())).unwrap_or_else(|| name.to_owned())
}
