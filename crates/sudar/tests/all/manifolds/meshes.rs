//! Contacts of meshes and compounds.

use std::sync::Arc;

use glam::DVec3;
use rand::RngExt;
use sudar::query::{Body, Contact, manifold};
use sudar::shape::{NormalCone, Simplex, Stars};
use sudar::{Compound, Halfspace, Mesh, Pose, Shape, Solid, Sphere};
use sudar_testing::meshes::sheet;
use sudar_testing::{Random, at};

use super::{cuboid, expect, turned, zoo};

/// The square from −3 to 3 in the plane z = 0 as n × n pairs of triangles.
fn floor(n: u32) -> Mesh {
    sheet(n, |_, _| 0.0).mapped(|p| p * 6.0).unwrap()
}

#[test]
fn a_box_on_a_floor_of_many_triangles_has_four_contacts_at_its_corners() {
    for n in [1, 3, 8] {
        let floor = Body::new(floor(n));
        // Not deep, so that no triangle is pushed out sideways.
        let contacts =
            manifold(floor.at(&Pose::IDENTITY), cuboid(1.0, 1.0, 1.0).at(&at(0.1, 0.05, 1.0 - 1e-3)), 0.0);
        let corners = [[-0.9, -0.95], [1.1, -0.95], [-0.9, 1.05], [1.1, 1.05]].map(|[x, y]| [x, y, -0.5e-3]);
        expect(&contacts, 1e-3, &corners);
        assert!(
            contacts.iter().all(|c| c.normal.abs_diff_eq(DVec3::Z, 1e-12) && c.region == 0),
            "{contacts:?}"
        );
        let back =
            manifold(cuboid(1.0, 1.0, 1.0).at(&at(0.1, 0.05, 1.0 - 1e-3)), floor.at(&Pose::IDENTITY), 0.0);
        expect(&back, 1e-3, &corners);
        assert!(back.iter().all(|c| c.normal.abs_diff_eq(-DVec3::Z, 1e-12)));
    }
}

#[test]
fn a_bench_touches_the_floor_in_two_regions() {
    let part =
        |x: f64| (Shape::Cuboid(sudar::Cuboid::new(DVec3::new(0.25, 1.0, 0.5)).unwrap()), at(x, 0.0, 0.5));
    let bench = Body::new(Compound::new(vec![part(-1.0), part(1.0)]).unwrap());
    let pose = at(0.0, 0.0, -0.125);
    for ground in [cuboid(3.0, 3.0, 1.0), Body::new(Halfspace::new(DVec3::Z, 1.0).unwrap())] {
        let contacts = manifold(bench.at(&pose), ground.at(&at(0.0, 0.0, -1.0)), 0.0);
        assert_eq!(contacts.len(), 8);
        assert!(contacts.iter().all(|c| (c.depth - 0.125).abs() < 1e-12 && c.features == [c.region, 0]));
        let back = manifold(ground.at(&at(0.0, 0.0, -1.0)), bench.at(&pose), 0.0);
        assert!(back.iter().all(|c| c.features == [0, c.region] && (c.normal - DVec3::Z).length() < 1e-12));
    }
}

#[test]
fn a_mesh_on_a_half_space_has_four_contacts_a_region() {
    let cube = Mesh::from_aabb(sudar::Aabb { min: -DVec3::ONE, max: DVec3::ONE });
    let ground = Body::new(Halfspace::new(DVec3::Z, 0.0).unwrap());
    let contacts = manifold(Body::new(cube).at(&at(0.0, 0.0, 0.875)), ground.at(&Pose::IDENTITY), 0.0);
    let corners = [[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]].map(|[x, y]| [x, y, -0.0625]);
    expect(&contacts, 0.125, &corners);
    assert!(
        manifold(Body::new(floor(2)).at(&at(0.0, 0.0, 0.5)), ground.at(&Pose::IDENTITY), 0.25).is_empty()
    );
    let near = manifold(Body::new(floor(2)).at(&at(0.0, 0.0, 0.25)), ground.at(&Pose::IDENTITY), 0.25);
    expect(&near, -0.25, &[[-3.0, -3.0], [-3.0, 3.0], [3.0, -3.0], [3.0, 3.0]].map(|[x, y]| [x, y, 0.125]));
}

#[test]
fn meshes_face_to_face_have_the_corners_of_their_overlap() {
    let cube = Body::new(Mesh::from_aabb(sudar::Aabb { min: -DVec3::ONE, max: DVec3::ONE }));
    let contacts = manifold(cube.at(&Pose::IDENTITY), cube.at(&at(1.0, 0.0, 2.125)), 0.25);
    let corners = [[0.0, -1.0], [0.0, 1.0], [1.0, -1.0], [1.0, 1.0]].map(|[x, y]| [x, y, 1.0625]);
    let tops: Vec<Contact> = contacts.iter().filter(|c| c.normal.z > 0.99).copied().collect();
    assert!(tops.len() <= 4 * (1 + contacts.last().unwrap().region as usize));
    for place in corners {
        let near = |c: &&Contact| ((c.point_a + c.point_b) * 0.5 - DVec3::from(place)).length() < 1e-9;
        assert!(tops.iter().any(|c| near(&c)), "{place:?} {contacts:?}");
    }
    assert!(contacts.iter().all(|c| (c.depth + 0.125).abs() < 1e-9 || c.depth < -0.125));
    assert!(manifold(cube.at(&Pose::IDENTITY), cube.at(&at(1.0, 0.0, 2.125)), 0.1).is_empty());
}

/// A surface of triangles, almost level, sunk into a wide sheet: the far rim and corners of the sheet are past its
/// sides by metres, and have no contact.
#[test]
fn a_surface_sunk_into_a_sheet_is_as_deep_as_its_lowest_corner() {
    let half = DVec3::new(0.4, 0.3, 0.2);
    let cuboid = Mesh::from_aabb(sudar::Aabb { min: -half, max: half });
    let corners: Vec<DVec3> = cuboid.vertices().to_vec();
    let (cuboid, floor) = (Body::new(cuboid), Body::new(floor(1)));
    let mut rng = Random::new(77);
    for _ in 0..200 {
        let axis = DVec3::new(rng.random_range(-1.0..1.0), rng.random_range(-1.0..1.0), 0.2);
        let angle = 10f64.powf(rng.random_range(-6.0..-0.5));
        let here = turned(angle, axis, DVec3::ZERO);
        let lowest = corners.iter().map(|&p| here.apply(p).z).fold(f64::INFINITY, f64::min);
        let sunk = 10f64.powf(rng.random_range(-4.0..-1.2));
        let place = DVec3::new(rng.random_range(-1.0..1.0), rng.random_range(-1.0..1.0), -lowest - sunk);
        let pose = turned(angle, axis, place);
        let ways = [
            manifold(cuboid.at(&pose), floor.at(&Pose::IDENTITY), 0.01),
            manifold(floor.at(&Pose::IDENTITY), cuboid.at(&pose), 0.01),
        ];
        for contacts in ways {
            let deepest = contacts.iter().map(|c| c.depth).fold(f64::NEG_INFINITY, f64::max);
            assert!((deepest - sunk).abs() < 1e-9, "{deepest} {sunk} {pose:?}");
        }
    }
}

#[test]
fn one_body_inside_a_solid_has_one_contact() {
    let cube = Mesh::from_aabb(sudar::Aabb { min: -DVec3::ONE, max: DVec3::ONE });
    let solid = Body::new(Solid::new(Arc::new(cube)).unwrap());
    let ball = Body::new(Sphere::new(DVec3::ZERO, 0.125).unwrap());
    let contacts = manifold(solid.at(&Pose::IDENTITY), ball.at(&at(0.0, 0.5, 0.0)), 0.0);
    // Out through y = 1: the farthest point is at y = 0.375.
    assert!(contacts.len() == 1 && (contacts[0].depth - 0.625).abs() < 1e-6, "{contacts:?}");
    assert!((contacts[0].normal - DVec3::Y).length() < 1e-6);
}

/// Whether a direction is in the normal cone of a triangle, or of one of its edges or corners.
fn is_in_a_cone(mesh: &Mesh, stars: &Stars, t: u32, direction: DVec3) -> bool {
    let [u, v, w] = stars.corners(mesh, t);
    let edges = [Simplex::Edge(u, v), Simplex::Edge(v, w), Simplex::Edge(w, u)];
    let corners = [u, v, w].map(Simplex::Vertex);
    let all = edges.into_iter().chain(corners).chain([Simplex::Triangle(t)]);
    all.into_iter().any(|simplex| NormalCone::new(mesh, stars, simplex).slope(direction) <= 1e-6)
}

/// Hills, where no two triangles lie in one plane: bodies touch where a triangle alone says so, and if they
/// are apart just as deep; normals are in the cones of what is reported.
#[test]
fn a_mesh_has_contacts_where_its_triangles_have_in_the_cones_of_its_features() {
    let mut rng = Random::new(21);
    let zoo = zoo(&mut rng);
    for (name, body) in &zoo {
        for _ in 0..12 {
            // A floor with hills.
            let heights: Vec<f64> = (0..100).map(|_| rng.random_range(-0.4..0.4)).collect();
            let mut next = heights.iter().cycle();
            let mesh = floor(8).mapped(|p| p + DVec3::Z * *next.next().unwrap()).unwrap();
            let (pose, pose_b) = (rng.any_pose(0.2), rng.any_pose(1.0));
            let margin = rng.random_range(0.0..0.3);
            let triangles = (0..mesh.triangles().len() as u32)
                .flat_map(|i| manifold(Body::new(mesh.triangle(i)).at(&pose), body.at(&pose_b), margin));
            let deepest = triangles.map(|c| c.depth).fold(f64::NEG_INFINITY, f64::max);
            let found = manifold(Body::new(mesh.clone()).at(&pose), body.at(&pose_b), margin);
            let what = format!("{name} {found:?}");
            assert_eq!(found.is_empty(), deepest == f64::NEG_INFINITY, "{what}");
            let depth = found.iter().map(|c| c.depth).fold(f64::NEG_INFINITY, f64::max);
            // To the accuracy of the penetration of curved bodies.
            if deepest < 0.0 {
                assert!(found.is_empty() || (depth - deepest).abs() < 1e-6, "{depth} {deepest} {what}");
            } else {
                assert!(depth >= -1e-6, "{depth} {deepest} {what}");
            }
            let stars = mesh.stars();
            for c in &found {
                let direction = pose.unrotate(c.normal);
                assert!(is_in_a_cone(&mesh, &stars, c.features[0], direction), "{c:?} {what}");
            }
            for region in found.chunk_by(|c, d| c.region == d.region) {
                assert!(region.len() <= 4, "{what}");
            }
        }
    }
}
