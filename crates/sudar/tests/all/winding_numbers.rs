//! Winding numbers against the sum of all solid angles, and what they say is inside against the parity of
//! closed meshes.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

use std::sync::Arc;

use glam::{DMat3, DVec2, DVec3};
use rand::RngExt;
use sudar::effort::Budget;
use sudar::inside::winding_of_triangle;
use sudar::query::{Body, Work, contains, contains_by_winding, winding_number};
use sudar::{Aabb, Compound, HeightField, Interval, Mesh, PointCloud, Pose, Shape, Solid, Sphere};
use sudar_testing::Random;
use sudar_testing::meshes::{self, ball, posed};

/// The sum over all posed triangles, each by the formula of van Oosterom and Strackee, rounded outward.
fn exact_sum(mesh: &Mesh, pose: &Pose, p: DVec3) -> Interval {
    posed(mesh, pose).iter().fold(Interval::point(0.0), |sum, t| {
        let w = winding_of_triangle(t, p);
        Interval { lower: (sum.lower + w.lower).next_down(), upper: (sum.upper + w.upper).next_up() }
    })
}

/// The first triangles of a mesh.
fn opened(mesh: &Mesh, keep: usize) -> Mesh {
    Mesh::new(mesh.vertices().to_vec(), mesh.triangles()[..keep].to_vec()).unwrap()
}

#[test]
fn the_tree_holds_the_sum_at_any_accuracy_scale_and_pose() {
    let mut rng = Random::new(1);
    let round = ball(4, DVec3::new(1.0, 0.7, 0.4));
    let soup = {
        let corner = |_| {
            let p = rng.point();
            [p, p + rng.point() * 0.3, p + rng.point() * 0.3]
        };
        meshes::soup((0..300).flat_map(corner).collect())
    };
    let heights: Vec<f64> = (0..40 * 30).map(|_| rng.random_range(-0.1..0.1)).collect();
    let terrain = HeightField::new(40, &heights, DVec2::splat(0.05)).unwrap().mesh().as_ref().clone();
    for mesh in [opened(&round, 2000), round, soup, terrain] {
        for scale in [1e-50, 1.0, 1e50] {
            let mesh = mesh.mapped(|p| p * scale).unwrap();
            let body = Body::new(mesh.clone());
            for case in 0..25 {
                // Also a matrix that is off a rotation by a few 1e-7.
                let turn = rng.any_pose(1.0).rotation();
                let bent = turn + DMat3::from_cols(rng.point() * (2e-7), rng.point() * (2e-7), DVec3::ZERO);
                let far = [0.5, 3.0, 1e4][case % 3] * scale;
                let matrix = if case % 2 == 0 { turn } else { bent };
                let at = Pose::from_matrix(matrix, rng.point() * far).unwrap();
                let p = at.translation() + rng.point() * ([1.0, 3.0, 50.0][case % 3]) * scale;
                let truth = exact_sum(&mesh, &at, p);
                for accuracy in [0.5, 1e-2, 1e-5, 0.0] {
                    let found = winding_number(body.at(&at), p, accuracy);
                    assert!(found.lower <= truth.upper && truth.lower <= found.upper, "{found:?} {truth:?}");
                    assert!(found.width() <= accuracy.max(2.0 * truth.width() + 1e-9), "{found:?} {truth:?}");
                }
                for nodes in [0, 1, 3, 10] {
                    let found = Work::new(Budget::nodes(nodes)).winding_number(body.at(&at), p, 1e-9);
                    assert!(found.lower <= truth.upper && truth.lower <= found.upper, "{found:?} {truth:?}");
                }
            }
        }
    }
}

#[test]
fn closed_meshes_wind_once_around_what_parity_says_is_inside() {
    let mut rng = Random::new(2);
    let mesh = ball(3, DVec3::new(1.0, 0.7, 0.4));
    let (surface, full) = (Body::new(mesh.clone()), Body::new(Solid::new(Arc::new(mesh)).unwrap()));
    let mut inside = 0;
    for _ in 0..400 {
        let at = rng.any_pose(3.0);
        let p = at.translation() + rng.point() * 0.9;
        let expected = contains(full.at(&at), p).unwrap();
        let found = contains_by_winding(surface.at(&at), p);
        assert_eq!(found.inside, Some(expected), "{found:?}");
        let exactly = contains_by_winding(full.at(&at), p);
        assert_eq!(exactly.inside, Some(expected));
        let number = winding_number(surface.at(&at), p, 1e-6);
        assert!(number.contains(f64::from(u8::from(expected))), "{number:?}");
        inside += u32::from(expected);
    }
    assert!(inside > 50, "{inside}");
}

#[test]
fn a_box_without_its_lid_is_full_up_to_about_the_rim() {
    let cube = Mesh::from_aabb(Aabb { min: DVec3::splat(-1.0), max: DVec3::ONE });
    let body = Body::new(opened(&cube, 10));
    let ask = |z: f64| contains_by_winding(body.at(&Pose::IDENTITY), DVec3::new(0.0, 0.0, z));
    assert_eq!(ask(0.0).inside, Some(true));
    assert_eq!(ask(0.9).inside, Some(true));
    // In the middle of the lid it is seen under half the sphere: ½, whatever the bottom does.
    assert_eq!(ask(1.0).inside, None);
    assert_eq!(ask(1.1).inside, Some(false));
    assert_eq!(ask(-1.1).inside, Some(false));
    // On the surface, on edges and corners too.
    for p in [DVec3::new(0.0, 0.0, -1.0), DVec3::new(1.0, 1.0, 0.0), DVec3::ONE, DVec3::X] {
        assert_eq!(contains_by_winding(body.at(&Pose::IDENTITY), p).inside, Some(true), "{p}");
    }
    let stopped = Work::new(Budget::nodes(0)).contains_by_winding(body.at(&Pose::IDENTITY), DVec3::ZERO);
    assert_eq!(stopped.inside, None);
}

#[test]
fn every_shape_has_a_number() {
    let ball = Body::new(Sphere::new(DVec3::ZERO, 1.0).unwrap());
    assert_eq!(winding_number(ball.at(&Pose::IDENTITY), DVec3::ZERO, 0.1), Interval::point(1.0));
    assert_eq!(winding_number(ball.at(&Pose::IDENTITY), DVec3::X * 2.0, 0.1), Interval::point(0.0));
    let cloud = Body::new(PointCloud::new(vec![DVec3::X, DVec3::Y, DVec3::Z]).unwrap());
    assert!(winding_number(cloud.at(&Pose::IDENTITY), DVec3::ZERO, 0.0).contains(0.0));
    assert_eq!(contains_by_winding(cloud.at(&Pose::IDENTITY), DVec3::ZERO).inside, Some(false));
    assert_eq!(contains_by_winding(cloud.at(&Pose::IDENTITY), DVec3::Y).inside, Some(true));
    // A pair of overlapping boxes: twice around what both hold.
    let cube: Shape = Mesh::from_aabb(Aabb { min: DVec3::splat(-1.0), max: DVec3::ONE }).into();
    let moved = Pose::from_translation(DVec3::X).unwrap();
    let pair = Body::new(Compound::new(vec![(cube.clone(), Pose::IDENTITY), (cube, moved)]).unwrap());
    for (x, expected) in [(-0.5, 1.0), (0.5, 2.0), (1.5, 1.0), (2.5, 0.0)] {
        let number = winding_number(pair.at(&Pose::IDENTITY), DVec3::new(x, 0.1, 0.2), 1e-6);
        assert!(number.contains(expected) && number.width() <= 1e-6, "{number:?}");
        let inside = contains_by_winding(pair.at(&Pose::IDENTITY), DVec3::new(x, 0.1, 0.2)).inside;
        assert_eq!(inside, Some(expected > 0.5));
    }
}

/// On a fine mesh a few hundredths of the triangles settle what is inside.
#[test]
fn far_triangles_are_summed_up_by_their_moments() {
    let mesh = ball(6, DVec3::ONE);
    let body = Body::new(mesh.clone());
    let mut work = Work::default();
    for (p, inside) in
        [(DVec3::ZERO, true), (DVec3::new(0.5, 0.3, 0.1), true), (DVec3::new(1.1, 0.3, 0.2), false)]
    {
        assert_eq!(work.contains_by_winding(body.at(&Pose::IDENTITY), p).inside, Some(inside));
    }
    let looked = work.statistics();
    assert!(looked.triangles < 3 * mesh.triangles().len() as u64 / 20, "{looked:?}");
}
