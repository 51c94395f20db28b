//! Regions of contact: pieces of surface that hang together and push the same way.

use glam::DVec3;

use super::Contact;
use crate::convex::{Manifold, ManifoldPoint, Spot, four};

/// The least cosine of the normals of neighbours in a region, about that of 18°. It decides only which contacts four are
/// chosen from, not what the contacts are.
const SAME_WAY: f64 = 0.95;

/// The contacts of one triangle with a body or triangle.
pub(super) struct Piece {
    pub features: [u32; 2],
    pub manifold: Manifold,
    /// The corners of the triangles, by which they are neighbours.
    pub corners: [[DVec3; 3]; 2],
}

/// Up to four contacts of each region, those of a region together, in the order of their first pieces. Points closer to
/// each other than the slack are taken for one.
pub(super) fn regions(pieces: impl Iterator<Item = Piece>, slack: f64) -> Vec<Contact> {
    let pieces: Vec<Piece> = pieces.filter(|piece| !piece.manifold.points().is_empty()).collect();
    let roots = connected(&pieces);
    let mut order: Vec<usize> = (0..pieces.len()).collect();
    order.sort_by_key(|&i| roots[i]);
    let mut contacts = Vec::new();
    for (region, members) in order.chunk_by(|&i, &j| roots[i] == roots[j]).enumerate() {
        reduced(&pieces, members, region as u32, slack, &mut contacts);
    }
    contacts
}

/// Appends the four contacts of a region that hold a body best.
fn reduced(pieces: &[Piece], members: &[usize], region: u32, slack: f64, contacts: &mut Vec<Contact>) {
    let of_piece = |&i: &usize| {
        let Piece { features, manifold, .. } = &pieces[i];
        let contact = |point: &ManifoldPoint| Contact::of(point, manifold.normal, *features, region);
        manifold.points().iter().map(contact).collect::<Vec<_>>()
    };
    let mut all: Vec<Contact> = members.iter().flat_map(of_piece).collect();
    // The deepest of those at one place.
    all.sort_by(|c, d| d.depth.total_cmp(&c.depth));
    let mut distinct: Vec<Contact> = Vec::new();
    for contact in all {
        if !distinct.iter().any(|other| same_place(other, &contact, slack)) {
            distinct.push(contact);
        }
    }
    let normal = distinct.first().map_or(DVec3::ZERO, |c| c.normal);
    let spot = |i: usize| Spot { place: distinct[i].point_a, depth: distinct[i].depth };
    let (chosen, count) = four(distinct.len(), spot, normal, slack);
    contacts.extend(chosen[..count].iter().map(|&i| distinct[i]));
}

fn same_place(c: &Contact, d: &Contact, slack: f64) -> bool {
    (c.point_a - d.point_a).abs().max_element() <= slack
        && (c.point_b - d.point_b).abs().max_element() <= slack
}

/// For each piece the first of its region.
fn connected(pieces: &[Piece]) -> Vec<usize> {
    let mut parent: Vec<usize> = (0..pieces.len()).collect();
    let mut shared: Vec<([[u64; 3]; 2], usize)> = Vec::with_capacity(9 * pieces.len());
    for (i, piece) in pieces.iter().enumerate() {
        let [ours, theirs] = piece.corners;
        shared.extend(ours.iter().flat_map(|p| theirs.iter().map(move |q| ([key(p), key(q)], i))));
    }
    shared.sort_unstable();
    shared.dedup();
    for neighbours in shared.chunk_by(|s, t| s.0 == t.0) {
        for (n, &(_, i)) in neighbours.iter().enumerate() {
            let alike = |j: usize| pieces[i].manifold.normal.dot(pieces[j].manifold.normal) >= SAME_WAY;
            // All that are alike one by one belong together, so that none may be left out.
            neighbours[..n].iter().filter(|(_, j)| alike(*j)).for_each(|&(_, j)| join(&mut parent, i, j));
        }
    }
    (0..pieces.len()).map(|i| find(&mut parent, i)).collect()
}

/// Bits that are the same for the same place, with −0 equal to 0.
fn key(p: &DVec3) -> [u64; 3] {
    p.to_array().map(|x| (x + 0.0).to_bits())
}

fn find(parent: &mut [usize], mut i: usize) -> usize {
    while parent[i] != i {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    i
}

fn join(parent: &mut [usize], i: usize, j: usize) {
    let (i, j) = (find(parent, i), find(parent, j));
    parent[i.max(j)] = i.min(j);
}
