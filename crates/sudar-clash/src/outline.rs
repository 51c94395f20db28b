//! What is known of a part without its triangles.

use sudar::{Aabb, DVec3, Mesh, Pose};

use crate::fingerprint::Fingerprint;
use crate::part::Part;

/// What is known of a part whose triangles are read when it is examined.
#[derive(Debug, Clone, PartialEq)]
pub struct Outline {
    /// What it is called.
    pub name: String,
    /// The smallest box around its vertices where it stands, as [`Body::aabb`](sudar::query::Body::aabb) has it.
    pub bounds: Aabb,
    /// How many triangles it has.
    pub triangles: usize,
    /// Whether it is a solid.
    pub is_solid: bool,
    /// Equal just where vertices and triangles are, to the bit.
    pub mesh: u128,
    /// Where it stands.
    pub pose: Pose,
}

impl Outline {
    /// The outline of a part at hand. O(n).
    pub fn of(part: &Part) -> Self {
        let mesh = part.body.mesh();
        Self {
            name: part.name.clone(),
            bounds: part.body.aabb(&part.pose),
            triangles: mesh.map_or(0, |mesh| mesh.triangles().len()),
            is_solid: part.body.solid().is_some(),
            mesh: mesh.map_or(0, |mesh| Fingerprint::of_mesh(mesh)),
            pose: part.pose,
        }
    }

    /// Whether two parts have the same bits, as far as their meshes are told apart.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        self.mesh == other.mesh && self.is_solid == other.is_solid && bits(&self.pose) == bits(&other.pose)
    }
}

/// Whether two parts have the same bits: the same mesh in the same place.
pub(crate) fn are_alike(s: &Part, t: &Part) -> bool {
    let meshes = s.body.mesh().zip(t.body.mesh());
    let both = s.body.solid().is_some() == t.body.solid().is_some();
    both && bits(&s.pose) == bits(&t.pose) && meshes.is_some_and(|(a, b)| have_equal_bits(a, b))
}

fn bits(pose: &Pose) -> ([u64; 9], [u64; 3]) {
    let (turn, at) = (pose.rotation().to_cols_array(), pose.translation().to_array());
    (turn.map(f64::to_bits), at.map(f64::to_bits))
}

fn have_equal_bits(a: &Mesh, b: &Mesh) -> bool {
    let are_equal =
        |(p, q): (&DVec3, &DVec3)| p.to_array().map(f64::to_bits) == q.to_array().map(f64::to_bits);
    std::ptr::eq(a, b)
        || (a.vertices().len() == b.vertices().len()
            && a.triangles() == b.triangles()
            && a.vertices().iter().zip(b.vertices()).all(are_equal))
}
