//! Cutting surfaces into convex patches of a few triangles.

use sudar::glam::DVec3;

use sudar::math::{Sign, orient3d};
use sudar::shape::{Mesh, NO_TRIANGLE, Triangle};

/// The triangles of a mesh in connected convex patches of at most `most` triangles each (Daneu 2002,
/// "Algorithms for collision detection"): the leaves of the trees of CD.
///
/// Triangles come in the order of the mesh. Each joins the first patch beside it, by the number of the patch,
/// that has room and of which every triangle allows it:
/// - (a) the normals face the same side;
/// - (b) no corner of either is in front of the other, so that neither sees the other's front. Exact.
///
/// Where two triangles have no corner in common the source requires besides (c) that the new one does not cut the
/// plane of the other; this follows from (b). The source looks for a patch among all, here among those that
/// share an edge with the triangle, so that patches are pieces of surface. Triangles without area are patches
/// of their own. O(n·most) after the topology of the mesh.
pub fn convex_patches(mesh: &Mesh, most: usize) -> Vec<Vec<u32>> {
    let neighbours = mesh.topology().neighbours;
    let mut patches: Vec<Vec<u32>> = Vec::new();
    let mut patch_of = vec![NO_TRIANGLE; neighbours.len()];
    for t in 0..neighbours.len() as u32 {
        let mut beside =
            neighbours[t as usize].map(|n| patch_of.get(n as usize).copied().unwrap_or(NO_TRIANGLE));
        beside.sort_unstable();
        let fits = |patch: &u32| {
            let patch = &patches[*patch as usize];
            patch.len() < most && patch.iter().all(|&other| allows(mesh, other, t))
        };
        let found = beside.into_iter().filter(|&patch| patch != NO_TRIANGLE).find(fits);
        let patch = found.unwrap_or(patches.len() as u32);
        if found.is_none() {
            patches.push(Vec::new());
        }
        patches[patch as usize].push(t);
        patch_of[t as usize] = patch;
    }
    patches
}

fn allows(mesh: &Mesh, first: u32, second: u32) -> bool {
    let (first, second) = (mesh.triangle(first), mesh.triangle(second));
    same_side(&first, &second) && is_behind(&first, &second) && is_behind(&second, &first)
}

fn same_side(first: &Triangle, second: &Triangle) -> bool {
    let unit = |t: &Triangle| {
        let normal: DVec3 = t.scaled_normal();
        normal / normal.abs().max_element()
    };
    unit(first).dot(unit(second)) > 0.0
}

/// Whether no corner of one is in front of the other.
fn is_behind(of: &Triangle, t: &Triangle) -> bool {
    t.corners().into_iter().all(|p| orient3d(of.a, of.b, of.c, p) != Sign::Positive)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudar::shape::Aabb;

    /// Every triangle is in one patch, and patches are convex and no larger than they may be.
    fn check(mesh: &Mesh, most: usize) -> usize {
        let patches = convex_patches(mesh, most);
        let mut all: Vec<u32> = patches.concat();
        all.sort_unstable();
        assert_eq!(all, (0..mesh.triangles().len() as u32).collect::<Vec<_>>());
        for patch in &patches {
            assert!(!patch.is_empty() && patch.len() <= most.max(1));
            for (&s, &t) in patch.iter().flat_map(|s| patch.iter().map(move |t| (s, t))) {
                assert!(s == t || allows(mesh, s, t));
            }
        }
        patches.len()
    }

    #[test]
    fn patches_are_convex_and_cover_the_mesh() {
        let cube = Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::ONE });
        assert_eq!(check(&cube, 1), 12);
        // Faces of a cube stand at right angles: their normals do not face the same side.
        assert_eq!(check(&cube, 2), 6);
        assert_eq!(check(&cube, 6), 6);
        // Seen from inside its edges are reflex, but still its faces are flat.
        let inverted = cube.triangles().iter().map(|&[a, b, c]| [a, c, b]).collect();
        assert_eq!(check(&Mesh::new(cube.vertices().to_vec(), inverted).unwrap(), 6), 6);
    }

    #[test]
    fn triangles_without_area_stand_alone() {
        let flat = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::X * 2.0];
        let mesh = Mesh::new(flat, vec![[0, 1, 2], [0, 1, 3], [1, 3, 2]]).unwrap();
        // The first and the last lie in one plane and share an edge.
        assert_eq!(check(&mesh, 6), 2);
        assert_eq!(convex_patches(&mesh, 6)[1], [1]);
    }
}
