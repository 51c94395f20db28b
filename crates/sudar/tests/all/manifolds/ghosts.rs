//! Contacts of meshes do not depend on how flat facets are cut into triangles, and lie in normal cones.
//!
//! Expectations are closed forms, or the same facets cut otherwise.

use std::f64::consts::FRAC_PI_4;

use glam::{DVec2, DVec3};
use rand::RngExt;
use sudar::query::{Body, Contact, closest_point, intersects, manifold};
use sudar::{
    Aabb, Capsule, Compound, Cone, Cylinder, Ellipsoid, Halfspace, HeightField, Mesh, PointCloud, Pose,
    Segment, Shape, Sphere, Triangle,
};
use sudar_testing::meshes::solid;
use sudar_testing::{Random, at};

use super::cuts::{CUTS, block, cut, mesh, plane, prism};
use super::{cuboid, expect, turned, zoo};

#[track_caller]
fn same(first: &[Contact], second: &[Contact], accuracy: f64, what: &str) {
    assert_eq!(first.len(), second.len(), "{what}\n{first:#?}\n{second:#?}");
    for c in first {
        let alike = |d: &&Contact| {
            (c.point_a - d.point_a).length() < accuracy
                && (c.point_b - d.point_b).length() < accuracy
                && (c.normal - d.normal).length() < accuracy
                && (c.depth - d.depth).abs() < accuracy
        };
        assert!(second.iter().any(|d| alike(&d)), "{what}\n{c:#?}\n{first:#?}\n{second:#?}");
    }
}

#[track_caller]
fn mirrored(found: &[Contact], back: &[Contact], what: &str) {
    assert_eq!(found.len(), back.len(), "{what}");
    for (c, d) in found.iter().zip(back) {
        assert_eq!((c.point_a, c.point_b, c.normal), (d.point_b, d.point_a, -d.normal), "{what}");
        assert_eq!(
            (c.depth, c.features, c.region),
            (d.depth, [d.features[1], d.features[0]], d.region),
            "{what}"
        );
    }
}

/// Splitting the same flat facets otherwise changes no manifold beyond rounding; and the swapped query mirrors it.
#[test]
fn the_cut_of_flat_facets_does_not_matter() {
    let mut rng = Random::new(41);
    let bodies = zoo(&mut rng);
    let half = DVec3::new(1.5, 2.0, 1.0);
    let families: [(&str, Vec<Body>); 4] = [
        ("plane", CUTS.iter().map(|&how| Body::new(plane(how, &mut rng))).collect()),
        ("box", CUTS[..5].iter().map(|&how| solid(block(half, how, &mut rng))).collect()),
        ("surface of a box", CUTS[..5].iter().map(|&how| Body::new(block(half, how, &mut rng))).collect()),
        ("prism", CUTS[..5].iter().map(|&how| solid(prism(how, &mut rng))).collect()),
    ];
    let mut touching = 0;
    for (family, meshes) in &families {
        for (name, body) in &bodies {
            // Searches for cylinders, cones and ellipsoids end by an accuracy, of directions its root.
            let accuracy = if ["cylinder", "cone", "ellipsoid"].contains(name) { 1e-3 } else { 1e-9 };
            for round in 0..40 {
                let pose = rng.any_pose(0.5);
                let there = pose.after(&rng.any_pose(2.5));
                let margin = [0.0, 0.25][round % 2];
                let first = manifold(meshes[0].at(&pose), body.at(&there), margin);
                touching += usize::from(!first.is_empty());
                for (i, mesh) in meshes.iter().enumerate() {
                    let what = format!("{family} {name} {round} {i}");
                    let found = manifold(mesh.at(&pose), body.at(&there), margin);
                    same(&first, &found, accuracy, &what);
                    mirrored(&found, &manifold(body.at(&there), mesh.at(&pose), margin), &what);
                    if margin == 0.0 {
                        assert_eq!(
                            found.is_empty(),
                            !intersects(mesh.at(&pose), body.at(&there)).is_touching(),
                            "{what}"
                        );
                    }
                }
            }
        }
    }
    assert!(touching > 300, "{touching}");
}

/// The bodies at rest on z = 0, 0.1 deep, and the places where they touch.
fn resting() -> Vec<(&'static str, Body, Pose, Vec<[f64; 2]>)> {
    let [x, y] = [0.3, 0.2];
    let upright = |z: f64| at(x, y, z - 0.1);
    let lying = |z: f64| turned(std::f64::consts::FRAC_PI_2, DVec3::Y, DVec3::new(x, y, z - 0.1));
    let square = |h: f64| [[-h, -h], [h, -h], [-h, h], [h, h]].map(|[u, v]| [x + u, y + v]).to_vec();
    let hull =
        sudar::hull::convex_hull(Mesh::from_aabb(Aabb { min: -DVec3::ONE, max: DVec3::ONE }).vertices());
    vec![
        ("sphere", Body::new(Sphere::new(DVec3::ZERO, 0.5).unwrap()), upright(0.5), vec![[x, y]]),
        ("box", cuboid(1.0, 1.0, 1.0), upright(1.0), square(1.0)),
        ("hull", Body::new(Shape::Hull(hull.unwrap().into())), upright(1.0), square(1.0)),
        ("capsule", Body::new(Capsule::new(0.5, 1.0).unwrap()), lying(0.5), vec![[x - 1.0, y], [x + 1.0, y]]),
        ("standing capsule", Body::new(Capsule::new(0.5, 1.0).unwrap()), upright(1.5), vec![[x, y]]),
        (
            "cylinder",
            Body::new(Cylinder::new(0.5, 1.0).unwrap()),
            lying(0.5),
            vec![[x - 1.0, y], [x + 1.0, y]],
        ),
        (
            "ellipsoid",
            Body::new(Ellipsoid::new(DVec3::new(0.5, 0.75, 1.0)).unwrap()),
            upright(1.0),
            vec![[x, y]],
        ),
        (
            "cone",
            Body::new(Cone::new(0.5, 1.0).unwrap()),
            turned(std::f64::consts::PI, DVec3::X, DVec3::new(x, y, 0.9)),
            vec![[x, y]],
        ),
        (
            "mesh",
            Body::new(Mesh::from_aabb(Aabb { min: -DVec3::ONE, max: DVec3::ONE })),
            upright(1.0),
            square(1.0),
        ),
        (
            "solid",
            solid(Mesh::from_aabb(Aabb { min: -DVec3::ONE, max: DVec3::ONE })),
            upright(1.0),
            square(1.0),
        ),
        (
            "triangle",
            Body::new(Triangle::new(DVec3::ZERO, DVec3::X, DVec3::Y).unwrap()),
            upright(0.0),
            Vec::new(),
        ),
    ]
}

#[test]
fn bodies_at_rest_on_any_floor_feel_its_facet_alone() {
    let mut rng = Random::new(42);
    let mut floors: Vec<(String, Body, Pose)> = Vec::new();
    for how in CUTS {
        floors.push((format!("plane {how:?}"), Body::new(plane(how, &mut rng)), Pose::IDENTITY));
    }
    for how in &CUTS[..5] {
        let block = block(DVec3::new(4.0, 4.0, 2.0), *how, &mut rng);
        floors.push((format!("solid {how:?}"), solid(block), at(0.0, 0.0, -2.0)));
    }
    let field = HeightField::new(33, &[0.0; 33 * 33], DVec2::splat(0.25));
    floors.push(("height field".into(), Body::new(field.unwrap()), at(-4.0, -4.0, 0.0)));
    for (floor_name, floor, pose) in &floors {
        for (name, body, there, places) in resting() {
            if places.is_empty() {
                continue;
            }
            let found = manifold(floor.at(pose), body.at(&there), 0.0);
            let what = format!("{floor_name} {name} {found:#?}");
            assert_eq!(found.len(), places.len(), "{what}");
            for c in &found {
                assert!((c.normal - DVec3::Z).length() < 1e-12 && c.region == 0, "{what}");
                assert!((c.depth - 0.1).abs() < 1e-9, "{what}");
                let there = |p: &[f64; 2]| (c.point_a - DVec3::new(p[0], p[1], 0.0)).length() < 1e-6;
                assert!(places.iter().any(there), "{what}");
            }
            mirrored(&found, &manifold(body.at(&there), floor.at(pose), 0.0), &what);
        }
    }
}

/// The floor from −50 to 50 as 2 × 100 × 100 triangles: two paths along it cross some 10⁴ inner edges.
#[test]
fn a_ball_that_rolls_and_a_box_that_slides_feel_no_inner_edge() {
    let n = 100;
    let row = |j: u32| (0..=n).map(move |i| DVec3::new(f64::from(i) - 50.0, f64::from(j) - 50.0, 0.0));
    let pair = |i: u32, j: u32| {
        let p = j * (n + 1) + i;
        [[p, p + 1, p + n + 2], [p, p + n + 2, p + n + 1]]
    };
    let triangles = (0..n).flat_map(|j| (0..n).flat_map(move |i| pair(i, j))).collect();
    let floor = Body::new(Mesh::new((0..=n).flat_map(row).collect(), triangles).unwrap());
    let tilt = turned(0.3, DVec3::new(1.0, 2.0, -0.5), DVec3::new(7.0, -3.0, 2.0));
    let ball = Body::new(Sphere::new(DVec3::ZERO, 0.5).unwrap());
    let crate_ = cuboid(0.5, 0.75, 0.25);
    // Each step crosses three edges and more.
    for step in 0..3600 {
        let t = f64::from(step) * 0.618;
        let (x, y) = (40.0 * (t * 0.011).sin(), 40.0 * (t * 0.007).cos());
        // Less than half the height of the box, whose centre stays above.
        let depth = 0.1 * (1.0 + (t * 0.3).sin()) + 1e-3;
        for pose in [Pose::IDENTITY, tilt] {
            let up = pose.rotate(DVec3::Z);
            let found = manifold(floor.at(&pose), ball.at(&pose.after(&at(x, y, 0.5 - depth))), 0.0);
            assert!(found.len() == 1, "{step} {found:#?}");
            let rolled = pose.after(&turned(t, DVec3::Z, DVec3::new(x, y, 0.25 - depth)));
            let slid = manifold(floor.at(&pose), crate_.at(&rolled), 0.0);
            assert!(slid.len() == 4, "{step} {slid:#?}");
            for c in found.iter().chain(&slid) {
                assert!((c.normal - up).length() < 1e-12 && (c.depth - depth).abs() < 1e-12, "{step} {c:#?}");
            }
            for corner in [[-0.5, -0.75], [0.5, -0.75], [-0.5, 0.75], [0.5, 0.75]] {
                let place = rolled.apply(DVec3::new(corner[0], corner[1], -0.25));
                assert!(slid.iter().any(|c| (c.point_b - place).length() < 1e-12), "{step} {slid:#?}");
            }
        }
    }
}

#[test]
fn flush_solid_cubes_have_four_contacts_from_a_to_b() {
    let mut rng = Random::new(43);
    for (how, other) in [(CUTS[0], CUTS[0]), (CUTS[0], CUTS[1]), (CUTS[1], CUTS[3]), (CUTS[2], CUTS[1])] {
        let (a, b) = (solid(block(DVec3::ONE, how, &mut rng)), solid(block(DVec3::ONE, other, &mut rng)));
        for (x, y, height) in [(0.0, 0.0, 2.0), (0.0, 0.0, 1.9), (0.5, 0.25, 1.9), (0.5, 0.0, 2.0)] {
            let found = manifold(a.at(&Pose::IDENTITY), b.at(&at(x, y, height)), 0.0);
            let middle = (1.0 + height - 1.0) / 2.0;
            let corners = [[x - 1.0, y - 1.0], [1.0, y - 1.0], [x - 1.0, 1.0], [1.0, 1.0]];
            let what = format!("{how:?} {other:?} {x} {y} {height} {found:#?}");
            assert!(found.iter().all(|c| (c.normal - DVec3::Z).length() < 1e-12 && c.region == 0), "{what}");
            assert_eq!(found.len(), 4, "{what}");
            expect(&found, 2.0 - height, &corners.map(|[x, y]| [x, y, middle]));
            mirrored(&found, &manifold(b.at(&at(x, y, height)), a.at(&Pose::IDENTITY), 0.0), &what);
        }
        // The same with a box.
        for (x, y, height) in [(0.0, 0.0, 2.0), (0.0, 0.0, 1.9), (0.5, 0.25, 1.9), (0.5, 0.0, 2.0)] {
            let found = manifold(a.at(&Pose::IDENTITY), cuboid(1.0, 1.0, 1.0).at(&at(x, y, height)), 0.0);
            let corners = [[x - 1.0, y - 1.0], [1.0, y - 1.0], [x - 1.0, 1.0], [1.0, 1.0]];
            expect(&found, 2.0 - height, &corners.map(|[x, y]| [x, y, height / 2.0]));
            assert!(found.iter().all(|c| (c.normal - DVec3::Z).length() < 1e-12), "{found:#?}");
        }
    }
}

#[test]
fn a_ball_with_its_centre_below_the_floor_of_a_solid_is_pushed_out_of_it() {
    let mut rng = Random::new(44);
    for how in &CUTS[..5] {
        let floor = solid(block(DVec3::new(4.0, 4.0, 2.0), *how, &mut rng));
        for below in [0.0, 0.1, 0.4, 0.6, 1.5] {
            let ball = Body::new(Sphere::new(DVec3::ZERO, 0.5).unwrap());
            let found = manifold(floor.at(&Pose::IDENTITY), ball.at(&at(0.3, -0.7, 2.0 - below)), 0.0);
            assert_eq!(found.len(), 1, "{below} {found:#?}");
            assert!((found[0].normal - DVec3::Z).length() < 1e-12, "{below} {found:#?}");
            assert!((found[0].depth - 0.5 - below).abs() < 1e-12, "{below} {found:#?}");
            // By a side, it is that.
            let found = manifold(floor.at(&Pose::IDENTITY), ball.at(&at(3.95 - below, -0.7, 0.5)), 0.0);
            if below < 1.0 {
                assert!(
                    found.len() == 1 && (found[0].normal - DVec3::X).length() < 1e-12,
                    "{below} {found:#?}"
                );
            }
        }
    }
}

#[test]
fn an_edge_and_a_corner_of_a_solid_push_within_their_cones() {
    let mut rng = Random::new(45);
    let ball = Body::new(Sphere::new(DVec3::ZERO, 0.5).unwrap());
    for how in &CUTS[..5] {
        let block = solid(block(DVec3::ONE, *how, &mut rng));
        for _ in 0..50 {
            // Over the edge x = z = 1, and over the corner (1, 1, 1).
            let angle = rng.random_range(0.05..1.5f64);
            let direction = DVec3::new(angle.sin(), 0.0, angle.cos());
            let y = rng.random_range(-0.9..0.9);
            let corner = rng.point().abs().normalize();
            for (foot, normal) in [(DVec3::new(1.0, y, 1.0), direction), (DVec3::ONE, corner)] {
                let distance = rng.random_range(0.05..0.49);
                let pose = Pose::from_translation(foot + normal * distance).unwrap();
                let found = manifold(block.at(&Pose::IDENTITY), ball.at(&pose), 0.0);
                assert_eq!(found.len(), 1, "{how:?} {found:#?}");
                assert!((found[0].normal - normal).length() < 1e-9, "{how:?} {found:#?}");
                assert!(
                    (found[0].depth - 0.5 + distance).abs() < 1e-12
                        && (found[0].point_a - foot).length() < 1e-12
                );
            }
        }
    }
}

#[test]
fn a_ball_in_a_valley_touches_both_slopes_and_not_the_crease() {
    let mut rng = Random::new(46);
    let ball = Body::new(Sphere::new(DVec3::ZERO, 1.0).unwrap());
    for how in CUTS {
        let mut triangles = Vec::new();
        cut(
            DVec3::new(0.0, -4.0, 0.0),
            DVec3::new(4.0, 0.0, 4.0),
            DVec3::Y * 8.0,
            how,
            &mut rng,
            &mut triangles,
        );
        cut(
            DVec3::new(0.0, -4.0, 0.0),
            DVec3::Y * 8.0,
            DVec3::new(-4.0, 0.0, 4.0),
            how,
            &mut rng,
            &mut triangles,
        );
        let valley = Body::new(mesh(triangles, true, &mut rng));
        // The slopes of 45° are 1.35·cos 45° away from the centre; even the crease is in reach when the
        // centre is lower.
        for height in [1.35, 0.9] {
            let found = manifold(valley.at(&Pose::IDENTITY), ball.at(&at(0.0, 0.3, height)), 0.0);
            assert_eq!(found.len(), 2, "{how:?} {found:#?}");
            for c in &found {
                assert!(
                    (c.normal.x.abs() - FRAC_PI_4.sin()).abs() < 1e-12
                        && (c.normal.z - FRAC_PI_4.sin()).abs() < 1e-12
                );
                assert!((c.depth - 1.0 + height * FRAC_PI_4.sin()).abs() < 1e-12, "{how:?} {found:#?}");
            }
            assert_ne!(found[0].region, found[1].region);
        }
    }
}

/// Every body on every mesh in both orders: finite, from a to b, and there if and only if the bodies touch.
#[test]
fn every_shape_on_every_kind_of_mesh() {
    let mut rng = Random::new(47);
    let mut bodies = zoo(&mut rng);
    let cube = || Mesh::from_aabb(Aabb { min: -DVec3::splat(0.6), max: DVec3::splat(0.6) });
    let cloud: Vec<DVec3> = (0..30).map(|_| rng.point() * 0.8).collect();
    let heights: Vec<f64> = (0..81).map(|_| rng.random_range(-0.3..0.3)).collect();
    let compound = Compound::new(vec![
        (cube().into(), at(-0.5, 0.0, 0.0)),
        (Sphere::new(DVec3::ZERO, 0.5).unwrap().into(), at(0.5, 0.0, 0.0)),
    ]);
    let meshes = [
        ("mesh", Body::new(cube())),
        ("cube", solid(cube())),
        ("cloud", Body::new(PointCloud::new(cloud).unwrap())),
        ("field", Body::new(HeightField::new(9, &heights, DVec2::splat(0.375)).unwrap())),
    ];
    bodies.extend(meshes.iter().map(|(name, body)| (*name, body.clone())));
    bodies.push(("half-space", Body::new(Halfspace::new(DVec3::new(0.2, 0.1, 1.0), -0.3).unwrap())));
    bodies.push(("compound", Body::new(compound.unwrap())));
    bodies.push(("segment", Body::new(Segment::new(DVec3::ZERO, DVec3::ONE).unwrap())));
    for (name_a, a) in &meshes {
        for (name_b, b) in &bodies {
            for round in 0..25 {
                let (pose_a, pose_b) = (rng.any_pose(0.5), rng.any_pose(0.9));
                let found = manifold(a.at(&pose_a), b.at(&pose_b), 0.0);
                let what = format!("{name_a} {name_b} {round} {found:#?}");
                assert_eq!(
                    found.is_empty(),
                    !intersects(a.at(&pose_a), b.at(&pose_b)).is_touching(),
                    "{what}"
                );
                for c in &found {
                    assert!((c.normal.length() - 1.0).abs() < 1e-12 && c.depth.abs() < 10.0, "{what}");
                    let between = c.point_a - c.point_b;
                    assert!((c.normal.dot(between) - c.depth).abs() < 1e-6, "{what}");
                    for (body, pose, p) in [(a, &pose_a, c.point_a), (b, &pose_b, c.point_b)] {
                        let half_space =
                            body.mesh().is_none() && body.convex().is_none() && body.parts().is_empty();
                        assert!(
                            half_space || closest_point(body.at(pose), p).distance.lower < 1e-6,
                            "{what}"
                        );
                    }
                }
                for region in found.chunk_by(|c, d| c.region == d.region) {
                    assert!(region.len() <= 4, "{what}");
                }
                mirrored(&found, &manifold(b.at(&pose_b), a.at(&pose_a), 0.0), &what);
            }
        }
    }
}
