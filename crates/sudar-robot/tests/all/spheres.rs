//! Spheres that cover links.

use sudar::query::{Body, DistanceOptions, distance};
use sudar::{DVec3, Pose, Shape, Sphere};
use sudar_robot::{LinkSpheres, LoadOptions, Robot, RobotError, SphereOptions};
use sudar_testing::Random;
use sudar_testing::meshes::torus;
use sudar_testing::oracle::data;

use crate::arms::{link, random_arm, robot};

/// A point of a body: the end of a ray from inside of its box, or a corner or a place on a triangle of a mesh.
fn point(body: &Body, random: &mut Random) -> Option<DVec3> {
    let weights = [random.within(0.0, 1.0), random.within(0.0, 1.0)];
    if let Some(mesh) = body.mesh() {
        let triangle = mesh.triangle(random.below(mesh.triangles().len()) as u32);
        let [u, v] = if weights[0] + weights[1] > 1.0 { weights.map(|w| 1.0 - w) } else { weights };
        return Some(triangle.a + (triangle.b - triangle.a) * u + (triangle.c - triangle.a) * v);
    }
    let aabb = body.aabb(&Pose::IDENTITY);
    let p = aabb.min + aabb.extent() * DVec3::new(weights[0], weights[1], random.within(0.0, 1.0));
    let tiny = Body::new(Sphere::new(p, 1e-12).unwrap());
    let gap = distance(body.at(&Pose::IDENTITY), tiny.at(&Pose::IDENTITY), &DistanceOptions::default());
    (gap.interval.upper == 0.0).then_some(p)
}

/// Whether random points of a link are in its spheres, and the spheres no farther from it than they say.
fn check(robot: &Robot, found: &LinkSpheres, random: &mut Random) {
    let bodies = &robot.links()[found.link].bodies;
    for (body, at) in bodies {
        for p in (0..200).filter_map(|_| point(body, random)) {
            let p = at.apply(p);
            assert!(found.spheres.iter().any(|(center, radius)| (p - center).length() <= *radius), "{p}");
        }
    }
    let whole = robot.link_body(found.link).unwrap().unwrap();
    for (center, radius) in &found.spheres {
        let out = DVec3::new(random.number(), random.number(), random.number()).normalize_or_zero();
        let tip = Body::new(Sphere::new(*center + out * *radius, 1e-12).unwrap());
        let gap = distance(whole.at(&Pose::IDENTITY), tip.at(&Pose::IDENTITY), &DistanceOptions::default());
        assert!(gap.interval.lower <= found.beyond + 1e-9, "{gap:?} {}", found.beyond);
    }
}

#[test]
fn links_are_in_their_spheres() {
    let mut random = Random::new(8);
    for _ in 0..8 {
        let robot = random_arm(&mut random, 5);
        let mut last = vec![f64::INFINITY; robot.links().len()];
        for most in [1, 8, 64] {
            for found in robot.spheres(&SphereOptions { most, radius: 0.0 }).unwrap() {
                let bodies = robot.links()[found.link].bodies.len();
                assert!(found.is_covered && found.spheres.len() <= most.max(bodies));
                check(&robot, &found, &mut random);
                assert!(
                    found.beyond <= last[found.link] * 1.01 + 1e-12,
                    "{} {}",
                    found.beyond,
                    last[found.link]
                );
                last[found.link] = found.beyond;
            }
        }
    }
}

#[test]
fn meshes_and_what_is_round_or_endless() {
    let folder = tempfile::tempdir().unwrap();
    let model = sudar_formats::Model::from_mesh("ring", torus(24, 12, 0.2));
    sudar_formats::write(&folder.path().join("ring.stl"), &model, sudar_formats::WriteOptions::default())
        .unwrap();
    let text = link("ring", "<geometry><mesh filename=\"ring.stl\"/></geometry>");
    let name = folder.path().join("x.urdf").display().to_string();
    let ring =
        Robot::parse(&format!("<robot name=\"x\">{text}</robot>"), &name, &LoadOptions::default()).unwrap();
    let found = ring.spheres(&SphereOptions { most: 200, radius: 0.0 }).unwrap().remove(0);
    check(&ring, &found, &mut Random::new(1));
    // The hole of the ring, 0.8 m wide, stays open.
    assert!(found.spheres.iter().all(|(center, radius)| center.length() > *radius) && found.beyond < 0.4);
    // A stop by the radius, balls as they are, and a floor.
    let rough = ring.spheres(&SphereOptions { most: 10_000, radius: 0.3 }).unwrap().remove(0);
    assert!(rough.spheres.len() < 100 && rough.spheres.iter().all(|(_, radius)| *radius <= 0.3));
    let ball = robot(&link("a", "<origin xyz=\"1 2 3\"/><geometry><sphere radius=\"0.5\"/></geometry>"));
    let found = ball.spheres(&SphereOptions::default()).unwrap().remove(0);
    assert!(found.spheres[0].0 == DVec3::new(1.0, 2.0, 3.0) && (found.spheres[0].1 - 0.5).abs() < 1e-8);
    assert!(found.spheres.len() == 1 && found.beyond == 0.0);
    let floor = robot(&link("a", "<geometry><plane/></geometry>"));
    assert!(matches!(floor.links()[0].bodies[0].0.shape(), Shape::Halfspace(_)));
    let found = floor.spheres(&SphereOptions::default()).unwrap().remove(0);
    assert!(!found.is_covered && found.spheres.is_empty());
    let nan = SphereOptions { radius: f64::NAN, ..SphereOptions::default() };
    assert!(matches!(floor.spheres(&nan), Err(RobotError::NotALength { .. })));
}

#[test]
fn a_real_arm_is_in_its_spheres() {
    let Some(data) = data() else { return };
    let robot = Robot::load(data.join("robots/panda/panda.urdf"), &LoadOptions::default()).unwrap();
    let found = robot.spheres(&SphereOptions::default()).unwrap();
    let mut random = Random::new(3);
    found.iter().for_each(|found| check(&robot, found, &mut random));
    let most = found.iter().map(|found| found.beyond).fold(0.0, f64::max);
    println!("64 spheres for each link of the panda are {most} m beyond it at most");
    assert!(most < 0.1, "{most}");
}
