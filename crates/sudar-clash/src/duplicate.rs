//! Whether two posed meshes consist of the same triangles.

use sudar::{DVec3, Mesh, Pose};

/// Whether the two are the same set of triangles in the world, whatever their order, start corner or winding.
///
/// Posed corners are compared exactly (−0 equals 0), and as sets: a triangle listed twice counts once.
/// O(n log n), after a test of the first corner of `a` that ends most comparisons.
pub(crate) fn same_triangles(a: &Mesh, pose_a: &Pose, b: &Mesh, pose_b: &Pose) -> bool {
    if std::ptr::eq(a, b) && pose_a == pose_b {
        return true;
    }
    let first = corner_key(pose_a.apply(a.triangle(0).a));
    b.vertices().iter().any(|&p| corner_key(pose_b.apply(p)) == first)
        && world_triangles(a, pose_a) == world_triangles(b, pose_b)
}

/// Bits that are equal just where the positions are.
type CornerKey = [u64; 3];

fn corner_key(p: DVec3) -> CornerKey {
    p.to_array().map(|x| (x + 0.0).to_bits())
}

/// Every triangle once, its corners sorted, in sorted order.
fn world_triangles(mesh: &Mesh, pose: &Pose) -> Vec<[CornerKey; 3]> {
    let corners: Vec<CornerKey> = mesh.vertices().iter().map(|&p| corner_key(pose.apply(p))).collect();
    let mut all: Vec<[CornerKey; 3]> = mesh
        .triangles()
        .iter()
        .map(|t| {
            let mut key = t.map(|i| corners[i as usize]);
            key.sort_unstable();
            key
        })
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudar::{Aabb, DMat3};

    fn cube() -> Mesh {
        Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::new(1.0, 2.0, 3.0) })
    }

    fn same(a: &Mesh, b: &Mesh) -> bool {
        let there = same_triangles(a, &Pose::IDENTITY, b, &Pose::IDENTITY);
        assert_eq!(there, same_triangles(b, &Pose::IDENTITY, a, &Pose::IDENTITY));
        there
    }

    #[test]
    fn order_start_corner_and_winding_do_not_matter() {
        let a = cube();
        let turned = a.triangles().iter().rev().enumerate().map(|(i, &[p, q, r])| match i % 3 {
            0 => [q, r, p],
            1 => [r, q, p],
            _ => [p, q, r],
        });
        let b = Mesh::new(a.vertices().to_vec(), turned.collect()).unwrap();
        assert!(same(&a, &b));
    }

    #[test]
    fn a_triangle_listed_twice_counts_once() {
        let a = cube();
        let mut twice = a.triangles().to_vec();
        twice.push(twice[5]);
        assert!(same(&a, &Mesh::new(a.vertices().to_vec(), twice).unwrap()));
        let missing = a.triangles()[1..].to_vec();
        assert!(!same(&a, &Mesh::new(a.vertices().to_vec(), missing).unwrap()));
    }

    #[test]
    fn the_other_diagonal_or_an_ulp_makes_another_set() {
        let a = cube();
        // Triangles 0 and 1 tile the face −x with corners 0, 4, 6, 2 by the diagonal 0–6; here it is 2–4.
        let mut flipped = a.triangles().to_vec();
        (flipped[0], flipped[1]) = ([0, 4, 2], [4, 6, 2]);
        assert!(!same(&a, &Mesh::new(a.vertices().to_vec(), flipped).unwrap()));
        let nudged = a.mapped(|p| if p.x == 1.0 { p.with_x(1f64.next_up()) } else { p }).unwrap();
        assert!(!same(&a, &nudged));
    }

    #[test]
    fn posed_triangles_are_compared_in_the_world() {
        let turn = DMat3::from_diagonal(DVec3::new(-1.0, -1.0, 1.0));
        let back = Pose::from_matrix(turn, DVec3::new(1.0, 2.5, 0.1)).unwrap();
        let baked = cube().mapped(|p| back.apply(p)).unwrap();
        assert!(same_triangles(&cube(), &back, &baked, &Pose::IDENTITY));
        assert!(!same_triangles(
            &cube(),
            &Pose::from_translation(DVec3::X).unwrap(),
            &cube(),
            &Pose::IDENTITY
        ));
    }

    #[test]
    fn minus_zero_is_zero() {
        let minus = cube().mapped(|p| if p.x == 0.0 { p.with_x(-0.0) } else { p }).unwrap();
        assert!(same(&cube(), &minus));
    }
}
