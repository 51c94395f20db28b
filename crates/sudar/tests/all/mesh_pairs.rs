//! First hit and all pairs of posed meshes, against every pair of triangles tried one by one.

use glam::DVec3;
use rand::RngExt;
use sudar::query::{Body, Intersection, contacts, contacts_up_to, intersects};
use sudar::{Mesh, Pose};
use sudar_testing::Random;
use sudar_testing::meshes::{self, meeting_pairs, posed};

/// `n` triangles of size up to `size` scattered in the unit cube.
fn soup(rng: &mut Random, n: usize, size: f64) -> Mesh {
    let triangle = |_| {
        let center = rng.point();
        [(); 3].map(|()| center + rng.point() * size)
    };
    meshes::soup((0..n).flat_map(triangle).collect())
}

/// Triangles on a coarse grid: most of what meets, meets degenerately.
fn grid_soup(rng: &mut Random, n: usize) -> Mesh {
    meshes::soup((0..3 * n).map(|_| (rng.point() * 3.0).round()).collect())
}

/// Checks one case in both orders and tells how many pairs meet.
fn check(a: &Mesh, pose_a: &Pose, b: &Mesh, pose_b: &Pose) -> usize {
    let expected = meeting_pairs(&posed(a, pose_a), &posed(b, pose_b));
    let (left, right) = (Body::new(a.clone()), Body::new(b.clone()));
    assert_eq!(contacts(left.at(pose_a), right.at(pose_b)), expected);
    let most = expected.len() / 2 + 1;
    let some = contacts_up_to(left.at(pose_a), right.at(pose_b), most);
    assert!(some.found.is_sorted() && some.found.iter().all(|pair| expected.contains(pair)));
    assert_eq!((some.found.len(), some.complete), (most.min(expected.len()), expected.len() < most));
    let mut turned: Vec<_> =
        contacts(right.at(pose_b), left.at(pose_a)).into_iter().map(|[j, i]| [i, j]).collect();
    turned.sort_unstable();
    assert_eq!(turned, expected, "not the same with the bodies swapped");
    match intersects(left.at(pose_a), right.at(pose_b)) {
        Intersection::Apart => assert!(expected.is_empty()),
        Intersection::Undecided(_) => unreachable!("triangles are decided exactly"),
        Intersection::Touching { features } => assert!(expected.contains(&features)),
    }
    assert_eq!(intersects(right.at(pose_b), left.at(pose_a)).is_touching(), !expected.is_empty());
    expected.len()
}

#[test]
fn random_soups_in_random_poses() {
    let mut rng = Random::new(1);
    let (mut hits, mut misses) = (0, 0);
    for round in 0..150 {
        let (n, m) = (rng.random_range(1..300), rng.random_range(1..300));
        let (a, b) = (soup(&mut rng, n, 0.1), soup(&mut rng, m, 0.1));
        let far = if round % 3 == 0 { 3.0 } else { 1.0 };
        let found = check(&a, &rng.any_pose(far), &b, &rng.any_pose(far));
        if found > 0 { hits += 1 } else { misses += 1 }
    }
    assert!(hits > 30 && misses > 30, "{hits} hits, {misses} misses");
}

#[test]
fn grids_that_touch_in_corners_edges_and_planes() {
    let mut rng = Random::new(2);
    for _ in 0..40 {
        let (a, b) = (grid_soup(&mut rng, 40), grid_soup(&mut rng, 30));
        let shift = Pose::from_translation((rng.point() * 3.0).round()).unwrap();
        assert!(check(&a, &Pose::IDENTITY, &b, &shift) > 0);
    }
}

#[test]
fn bodies_of_very_different_size() {
    let mut rng = Random::new(3);
    for exponent in [-40, -20, -9, -4, 4, 9, 20, 40] {
        let a = soup(&mut rng, 200, 0.3);
        let b = soup(&mut rng, 60, 0.3).mapped(|p| p * 2f64.powi(exponent)).unwrap();
        for _ in 0..4 {
            // A corner of a, so that small bodies have something to hit.
            let onto = a.vertices()[rng.random_range(0..600)];
            check(&a, &Pose::IDENTITY, &b, &Pose::from_translation(onto).unwrap());
        }
    }
}

#[test]
fn scaling_by_powers_of_two_changes_no_answer() {
    let mut rng = Random::new(4);
    let (a, b) = (soup(&mut rng, 150, 0.15), soup(&mut rng, 150, 0.15));
    let (rotation, shift) = (rng.any_pose(1.0).rotation(), rng.point() * 0.5);
    let at = |scale: f64| {
        let body = |m: &Mesh| Body::new(m.mapped(|p| p * scale).unwrap());
        contacts(
            body(&a).at(&Pose::IDENTITY),
            body(&b).at(&Pose::from_matrix(rotation, shift * scale).unwrap()),
        )
    };
    let expected = at(1.0);
    assert!(!expected.is_empty());
    for exponent in [-280, -100, -30, -1, 1, 30, 100, 280] {
        assert_eq!(at(2f64.powi(exponent)), expected, "at scale 2^{exponent}");
    }
}

#[test]
fn far_from_the_origin_the_rounded_geometry_counts() {
    let mut rng = Random::new(5);
    for far in [1e3, 1e7, 1e12, 1e15] {
        let (a, b) = (soup(&mut rng, 80, 0.2), soup(&mut rng, 80, 0.2));
        let away = rng.point() * far;
        let near = |rng: &mut Random| {
            Pose::from_matrix(rng.any_pose(1.0).rotation(), away + rng.point() * 0.5).unwrap()
        };
        let (pose_a, pose_b) = (near(&mut rng), near(&mut rng));
        check(&a, &pose_a, &b, &pose_b);
    }
}

#[test]
fn a_kiss_counts_and_an_ulp_apart_does_not() {
    // Two triangles in the planes x = 0 and x = 1 with one vertex of b reaching to a's plane.
    let a = Mesh::new(vec![DVec3::ZERO, DVec3::Y, DVec3::Z], vec![[0, 1, 2]]).unwrap();
    let tip = |x: f64| {
        let v = vec![DVec3::new(x, 0.25, 0.25), DVec3::new(1.0, 0.0, 0.0), DVec3::new(1.0, 1.0, 0.0)];
        Mesh::new(v, vec![[0, 1, 2]]).unwrap()
    };
    let touching =
        |x: f64| intersects(Body::new(a.clone()).at(&Pose::IDENTITY), Body::new(tip(x)).at(&Pose::IDENTITY));
    assert!(touching(0.0).is_touching());
    assert!(!touching(f64::MIN_POSITIVE).is_touching());
    assert!(touching(-f64::MIN_POSITIVE).is_touching());
}
