//! In which order crates can be published: each after those that it needs.

use super::checks::{Crate, Tree};
use crate::manifest::version;

/// The names of the crates that are published, each after those that it needs; or why there is no such order.
pub fn publishable(tree: &Tree) -> Result<Vec<String>, String> {
    let mut left: Vec<&Crate> = tree.published().collect();
    let mut order: Vec<String> = Vec::new();
    while !left.is_empty() {
        let is_ready = |one: &Crate| left.iter().all(|other| !needs(tree, one, &other.name));
        let (ready, rest): (Vec<&Crate>, Vec<&Crate>) = left.iter().partition(|one| is_ready(one));
        if ready.is_empty() {
            let names: Vec<&str> = rest.iter().map(|one| one.name.as_str()).collect();
            return Err(format!("{} need each other; none of them can be published first", names.join(", ")));
        }
        order.extend(ready.iter().map(|one| one.name.clone()));
        left = rest;
    }
    Ok(order)
}

/// Whether a crate must find another one in the registry. What has no version is left out of a package.
fn needs(tree: &Tree, one: &Crate, other: &str) -> bool {
    let specification = |value| tree.specification(other, value);
    one.manifest.dependencies().any(|(name, value)| name == other && version(specification(value)).is_some())
}
