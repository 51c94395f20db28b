//! Regions of contact: contacts of features that hang together and push the same way.

use glam::DVec3;

use super::contact::Contact;
use crate::convex::{ContactSpot, reduce_manifold};
use crate::math::sets::{find, join};

/// The least cosine of the normals of neighbours in a region, about that of 18°. It decides only which
/// contacts four are chosen from, not what the contacts are.
pub(super) const SAME_WAY: f64 = 0.95;

/// The contacts of one feature of a mesh.
pub(super) struct Patch {
    pub normal: DVec3,
    pub contacts: Vec<Contact>,
    /// What it has in common with its neighbours: parts of the first and of the second body.
    pub keys: Vec<[u64; 2]>,
}

/// Up to four contacts of each region, those of a region together, in the order of their first patches.
/// Points closer to each other than the slack are taken for one. A patch without contacts connects others.
pub(super) fn regions(patches: &[Patch], slack: f64) -> Vec<Contact> {
    if let [patch] = patches {
        let mut contacts = Vec::new();
        reduced(patch.contacts.clone(), 0, slack, &mut contacts);
        return contacts;
    }
    let roots = connected(patches);
    let mut order: Vec<usize> = (0..patches.len()).collect();
    order.sort_by_key(|&i| roots[i]);
    let (mut contacts, mut region) = (Vec::new(), 0);
    for members in order.chunk_by(|&i, &j| roots[i] == roots[j]) {
        let all: Vec<Contact> = members.iter().flat_map(|&i| patches[i].contacts.iter().copied()).collect();
        if !all.is_empty() {
            reduced(all, region, slack, &mut contacts);
            region += 1;
        }
    }
    contacts
}

/// A direction along which places are put in order: along no axis, so that places differ by more than rounding.
const ORDER: DVec3 = DVec3::new(0.771_237, 0.523_419, 0.361_853);

/// Appends the four contacts of a region that hold a body best. Which they are does not depend on the order
/// in which contacts were found.
fn reduced(mut all: Vec<Contact>, region: u32, slack: f64, contacts: &mut Vec<Contact>) {
    all.sort_by(|c, d| ORDER.dot(c.point_a).total_cmp(&ORDER.dot(d.point_a)));
    let mut distinct: Vec<Contact> = Vec::new();
    for contact in all {
        // The deepest of those at one place, which comes soon before it.
        let near = |other: &&mut Contact| ORDER.dot(contact.point_a - other.point_a) <= 2.0 * slack;
        let same =
            distinct.iter_mut().rev().take_while(near).find(|other| same_place(other, &contact, slack));
        match same {
            Some(other) if contact.depth > other.depth + slack => *other = contact,
            Some(_) => {}
            None => distinct.push(contact),
        }
    }
    let normal = distinct.first().map_or(DVec3::ZERO, |c| c.normal);
    let spot = |i: usize| ContactSpot { place: distinct[i].point_a, depth: distinct[i].depth };
    let (chosen, count) = reduce_manifold(distinct.len(), spot, normal, slack);
    contacts.extend(chosen[..count].iter().map(|&i| Contact { region, ..distinct[i] }));
}

fn same_place(c: &Contact, d: &Contact, slack: f64) -> bool {
    (c.point_a - d.point_a).abs().max_element() <= slack
        && (c.point_b - d.point_b).abs().max_element() <= slack
}

/// For each patch the first of its region. Among those that share a key each is compared with the first of
/// each direction, so that many may share one.
fn connected(patches: &[Patch]) -> Vec<usize> {
    let mut parent: Vec<u32> = (0..patches.len() as u32).collect();
    let with = |(i, patch): (usize, &Patch)| patch.keys.iter().map(move |&key| (key, i)).collect::<Vec<_>>();
    let mut shared: Vec<([u64; 2], usize)> = patches.iter().enumerate().flat_map(with).collect();
    shared.sort_unstable();
    shared.dedup();
    for neighbours in shared.chunk_by(|s, t| s.0 == t.0) {
        let mut first: Vec<usize> = Vec::new();
        for &(_, i) in neighbours {
            let alike = |j: usize| patches[i].normal.dot(patches[j].normal) >= SAME_WAY;
            let mut known = false;
            for &j in first.iter().filter(|&&j| alike(j)) {
                join(&mut parent, i as u32, j as u32);
                known = true;
            }
            if !known {
                first.push(i);
            }
        }
    }
    (0..patches.len() as u32).map(|i| find(&mut parent, i) as usize).collect()
}
