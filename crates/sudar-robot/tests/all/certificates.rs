//! Certificates: those of free paths are found and hold, and what is forged is refused or still true.

use serde_json::Value;
use sudar::query::{Batch, Body};
use sudar::{
    Capsule, Compound, Cone, Cuboid, DVec3, Ellipsoid, Halfspace, Mesh, PointCloud, Pose, Shape, Solid,
    Sphere,
};
use sudar_robot::{Certificate, CertificateError, EdgeAnswer, EdgeOptions, PlanOptions, RobotCell};
use sudar_testing::Random;
use sudar_testing::meshes::torus;
use sudar_testing::oracle::data;

use crate::arms::{cell, pairwise, planar, random_arm, scene};
use crate::planning;

type Scene = Vec<(String, Body, Pose)>;

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(DVec3::new(x, y, z)).unwrap()
}

fn post() -> Scene {
    vec![("post".to_owned(), Body::new(Cuboid::new(DVec3::splat(0.1)).unwrap()), at(1.2, 0.0, 0.0))]
}

/// A path of the planar arm past a post, with its certificate.
fn folded() -> (RobotCell, Certificate) {
    let cell = cell(&planar(), post());
    let plan = cell.plan(&[-0.8, 0.0], &[0.8, 0.0], &PlanOptions::default(), &Batch::default()).unwrap();
    let certificate = cell.certificate(&plan.waypoints, &Batch::default()).unwrap();
    (cell, certificate)
}

/// The first configuration of some evenly along the path that the pairwise library finds in contact.
fn contact(cell: &RobotCell, scene: &Scene, waypoints: &[Vec<f64>], count: u32) -> Option<Vec<f64>> {
    let rows = waypoints.windows(2).flat_map(|ends| {
        (0..=count).map(|k| {
            let t = f64::from(k) / f64::from(count);
            ends[0].iter().zip(&ends[1]).map(|(a, b)| a + t * (b - a)).collect::<Vec<f64>>()
        })
    });
    rows.into_iter().find(|q| !pairwise(cell, scene, q).is_empty())
}

#[test]
fn a_certificate_of_a_plan_holds_and_is_of_its_cell_alone() {
    let (mine, certificate) = folded();
    let verified = certificate.check().unwrap();
    assert_eq!((verified.edges, verified.pairs), (certificate.waypoints.len() - 1, 2));
    assert!(verified.leaves >= 2 * verified.edges);
    // The two rods are joined.
    let left_out: Vec<&str> = verified.left_out[0].iter().map(String::as_str).collect();
    assert_eq!(left_out, ["upper", "lower", "adjacent"]);
    let again = Certificate::from_json(&certificate.to_json().unwrap()).unwrap();
    assert_eq!(again, certificate);
    certificate.is_of(&mine).unwrap();
    let mut moved = cell(&planar(), post());
    moved.set_pose("post", at(1.2, 0.0, 1e-9)).unwrap();
    let error = certificate.is_of(&moved).unwrap_err();
    assert_eq!(
        error.to_string(),
        "is that of another cell: the shape or the place of a body differs; check it with the files that it was made of"
    );
    moved.set_pose("post", at(1.2, 0.0, 0.0)).unwrap();
    certificate.is_of(&moved).unwrap();
    moved.allow("upper", "post").unwrap();
    assert!(certificate.is_of(&moved).is_err());
}

#[test]
fn edges_of_random_arms_have_certificates_exactly_if_they_are_free() {
    let (mut free, mut blocked, mut near) = (0, 0, 0);
    for seed in 0..200 {
        let mut random = Random::new(9000 + seed);
        let joints = 2 + random.below(4);
        let robot = random_arm(&mut random, joints);
        let scene = scene(&mut random, 4);
        let cell = cell(&robot, scene.clone());
        let q = robot.sample(8, seed);
        for ends in q.chunks(2 * robot.dof()) {
            let path: Vec<Vec<f64>> = ends.chunks(robot.dof()).map(<[f64]>::to_vec).collect();
            match cell.certificate(ends, &Batch::default()) {
                Ok(certificate) => {
                    certificate.check().unwrap();
                    assert_eq!(contact(&cell, &scene, &path, 200), None);
                    free += 1;
                }
                Err(CertificateError::NotProved { .. }) => {
                    let answers = cell.check_path(ends, &EdgeOptions::default(), &Batch::default()).unwrap();
                    near += usize::from(answers.is_free());
                    blocked += usize::from(matches!(answers.edges[0], EdgeAnswer::Hit(_)));
                }
                Err(other) => panic!("{other}"),
            }
        }
    }
    println!("{free} free, {blocked} blocked, {near} free without a certificate");
    assert!(free > 50 && blocked > 50 && near == 0, "{free} {blocked} {near}");
}

/// Every kind of shape beside the planar arm, near and not in contact.
fn every_shape() -> Scene {
    let ring = torus(24, 16, 0.1);
    let solid = Shape::Solid(std::sync::Arc::new(Solid::new(std::sync::Arc::new(ring.clone())).unwrap()));
    let points =
        (0..400).map(|i| DVec3::new(f64::from(i % 20) * 0.1, f64::from(i / 20) * 0.1, 0.0)).collect();
    let cloud = Shape::PointCloud(std::sync::Arc::new(PointCloud::new(points).unwrap()));
    let cubes =
        (0..40).map(|i| (Cuboid::new(DVec3::splat(0.04)).unwrap().into(), at(f64::from(i) * 0.1, 0.0, 0.0)));
    let mixed = vec![
        (Cuboid::new(DVec3::splat(0.1)).unwrap().into(), Pose::IDENTITY),
        (Sphere::new(DVec3::X, 0.2).unwrap().into(), Pose::IDENTITY),
        (Cuboid::new(DVec3::splat(0.1)).unwrap().into(), at(0.0, 0.3, 0.0)),
    ];
    let named = |name: &str, shape: Shape, pose: Pose| (name.to_owned(), Body::new(shape), pose);
    vec![
        // The floor below the arm, whose rods reach down to −0.05.
        named("floor", Halfspace::new(DVec3::Z, -0.06).unwrap().into(), Pose::IDENTITY),
        // Rings around its base: one wide enough to swing in, one above.
        named("ring", solid, at(0.0, 0.0, 0.2)),
        named("surface", Shape::Mesh(std::sync::Arc::new(ring)), at(0.0, 0.0, 0.4)),
        named("cloud", cloud, at(-1.0, -1.0, 0.06)),
        named("cone", Cone::new(0.5, 0.5).unwrap().into(), at(1.0, 0.0, 0.6)),
        named("egg", Ellipsoid::new(DVec3::new(0.1, 0.2, 0.3)).unwrap().into(), at(2.2, 0.0, 0.0)),
        named("pin", Capsule::new(0.1, 0.2).unwrap().into(), at(0.0, 2.2, 0.0)),
        named("cubes", Compound::new(cubes.collect()).unwrap().into(), at(-2.0, 0.0, -0.2 + 0.3)),
        named("mixed", Compound::new(mixed).unwrap().into(), at(-2.0, -2.2, 0.0)),
    ]
}

#[test]
fn every_shape_has_certificates() {
    let scene = every_shape();
    let cell = cell(&planar(), scene.clone());
    let path = [[-2.0, 0.3], [2.0, 0.3], [2.0, -2.5]];
    let rows: Vec<Vec<f64>> = path.iter().map(|q| q.to_vec()).collect();
    assert_eq!(contact(&cell, &scene, &rows, 500), None);
    let certificate = cell.certificate(&path.concat(), &Batch::default()).unwrap();
    let verified = certificate.check().unwrap();
    // What is mixed is two bodies: a ball, and two boxes as one.
    assert_eq!((verified.edges, verified.pairs), (2, 2 * 10));
}

#[test]
fn what_is_inside_a_solid_has_no_certificate() {
    let wall = Mesh::from_aabb(sudar::Aabb { min: DVec3::splat(-3.0), max: DVec3::splat(3.0) });
    let solid = Shape::Solid(std::sync::Arc::new(Solid::new(std::sync::Arc::new(wall.clone())).unwrap()));
    let of = |shape: Shape| cell(&planar(), vec![("room".to_owned(), Body::new(shape), Pose::IDENTITY)]);
    let path = [0.0, 0.0, 1.0, 1.0];
    // A surface may be around the arm, a solid may not.
    let open = of(Shape::Mesh(std::sync::Arc::new(wall))).certificate(&path, &Batch::default()).unwrap();
    open.check().unwrap();
    let full = of(solid);
    assert!(matches!(full.certificate(&path, &Batch::default()), Err(CertificateError::NotProved { .. })));
    // Nor does a certificate of the surface do for the solid.
    let text = open.to_json().unwrap().replace("\"is_solid\":false}}}]", "\"is_solid\":true}}}]");
    let error = Certificate::from_json(&text).unwrap().check().unwrap_err();
    assert!(matches!(error, CertificateError::Inside { .. }), "{error}");
}

/// All numbers of a document, by their paths.
fn numbers(value: &Value, path: &str, to: &mut Vec<String>) {
    match value {
        Value::Number(_) => to.push(path.to_owned()),
        Value::Array(all) => {
            all.iter().enumerate().for_each(|(i, value)| numbers(value, &format!("{path}/{i}"), to));
        }
        Value::Object(all) => {
            all.iter().for_each(|(key, value)| numbers(value, &format!("{path}/{key}"), to));
        }
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

#[test]
fn forged_numbers_are_refused_or_prove_what_they_say() {
    let (cell, certificate) = folded();
    let document = serde_json::to_value(&certificate).unwrap();
    let mut paths = Vec::new();
    numbers(&document, "", &mut paths);
    let mut random = Random::new(77);
    let (mut refused, mut true_ones) = (0, 0);
    for _ in 0..6000 {
        let path = &paths[random.below(paths.len())];
        let mut forged = document.clone();
        let place = forged.pointer_mut(path).unwrap();
        let old = place.as_f64().unwrap();
        let new = match random.below(4) {
            0 => -old,
            1 => old + random.within(-1.0, 1.0),
            2 => old * random.within(0.0, 2.0),
            _ => old.next_up(),
        };
        *place = if place.is_f64() { new.into() } else { ((old as i64) + random.below(3) as i64 - 1).into() };
        if forged == document {
            continue;
        }
        let Ok(forged) = serde_json::from_value::<Certificate>(forged) else {
            refused += 1;
            continue;
        };
        if path.starts_with("/content") {
            // Whatever it proves, it is no longer that of this cell.
            assert!(forged.is_of(&cell).is_err(), "{path}");
        }
        match forged.check() {
            Err(_) => refused += 1,
            Ok(_) if path.starts_with("/content") => true_ones += 1,
            Ok(_) => {
                // Another direction that does as well, or another path that is free.
                assert_eq!(contact(&cell, &post(), &forged.waypoints, 100), None, "{path}");
                true_ones += 1;
            }
        }
    }
    println!("{refused} refused, {true_ones} still true");
    assert!(refused > 2000 && true_ones > 100, "{refused} {true_ones}");
}

#[test]
fn dropped_and_widened_intervals_are_refused() {
    let (_, certificate) = folded();
    let mut random = Random::new(78);
    let mut widened = 0;
    for _ in 0..4000 {
        let mut forged = certificate.clone();
        let edge = random.below(forged.edges.len());
        let pair = random.below(forged.edges[edge].len());
        let proof = &mut forged.edges[edge][pair];
        match random.below(5) {
            // Letters that cover nothing.
            4 => {
                proof.tree = random.one_of(&["", "x", "a", "b", "aa", "tx", "\u{e4}"]).to_owned();
                proof.directions.clear();
            }
            // A letter less, a direction less, a leaf less with its direction; a pair less; an edge less.
            0 => drop(proof.tree.remove(random.below(proof.tree.len()))),
            1 => drop(proof.directions.pop()),
            2 => {
                let leaves: Vec<usize> = proof.tree.match_indices('.').map(|(i, _)| i).collect();
                let leaf = random.below(leaves.len());
                proof.tree.remove(leaves[leaf]);
                proof.directions.remove(leaf);
            }
            _ if random.below(2) == 0 => drop(forged.edges[edge].remove(pair)),
            _ => drop(forged.edges.remove(edge)),
        }
        assert!(forged.check().is_err());
    }
    // Two leaves as one: the tree is whole, and the interval too wide for its direction. It was halved for that.
    for (edge, proofs) in certificate.edges.iter().enumerate() {
        for (pair, proof) in proofs.iter().enumerate() {
            for (at, _) in proof.tree.match_indices("t..") {
                let leaf = proof.tree[..at].matches('.').count();
                let mut forged = certificate.clone();
                let proof = &mut forged.edges[edge][pair];
                proof.tree.replace_range(at..at + 3, ".");
                proof.directions.remove(leaf + random.below(2));
                widened += usize::from(matches!(forged.check(), Err(CertificateError::TooNear { .. })));
            }
        }
    }
    println!("{widened} of the widened refused");
    assert!(widened > 5, "{widened}");
}

#[test]
fn certificates_of_one_scene_prove_nothing_of_another() {
    let (mut refused, mut apart) = (0, 0);
    for seed in 0..1500 {
        let mut random = Random::new(31_000 + seed);
        let (_, mut forged) =
            (seed == 0).then(folded).unwrap_or_else(|| (cell(&planar(), Vec::new()), ONE.clone()));
        let place = DVec3::new(random.within(-2.0, 2.0), random.within(-2.0, 2.0), 0.0);
        let body = forged.content.bodies.iter_mut().find(|body| body.node.is_none()).unwrap();
        body.pose[9..].copy_from_slice(&place.to_array());
        let scene = vec![("post".to_owned(), post()[0].1.clone(), at(place.x, place.y, 0.0))];
        let there = cell(&planar(), scene.clone());
        if contact(&there, &scene, &forged.waypoints, 60).is_some() {
            assert!(forged.check().is_err(), "{seed}");
            refused += 1;
        } else {
            apart += 1;
        }
    }
    println!("{refused} with a contact, all refused; {apart} without");
    assert!(refused > 300, "{refused}");
}

static ONE: std::sync::LazyLock<Certificate> = std::sync::LazyLock::new(|| folded().1);

#[test]
fn broken_certificates_are_errors() {
    let certificate = ONE.clone();
    for text in ["", "{}", "[]", "{\"format\":1}", "null", &"[".repeat(100_000)] {
        assert!(matches!(Certificate::from_json(text), Err(CertificateError::Json { .. })));
    }
    let mut other = certificate.clone();
    other.format = 2;
    assert_eq!(other.check(), Err(CertificateError::Format { found: 2 }));
    let mut other = certificate.clone();
    other.waypoints[0][0] = 99.0;
    assert!(matches!(other.check(), Err(CertificateError::Limits { waypoint: 0, .. })));
    let mut other = certificate.clone();
    other.waypoints.clear();
    assert!(matches!(other.check(), Err(CertificateError::Malformed { .. })));
    let mut other = certificate.clone();
    other.content.bodies[0].owner = 1000;
    assert!(matches!(other.check(), Err(CertificateError::Malformed { .. })));
    let mut other = certificate.clone();
    other.edges[0][0].tree = "t".repeat(1_000_000);
    assert!(matches!(other.check(), Err(CertificateError::Tree { .. })));
    // A path in contact has none.
    let cell = cell(&planar(), post());
    let found = cell.certificate(&[-0.8, 0.0, 0.8, 0.0], &Batch::default());
    assert!(matches!(found, Err(CertificateError::NotProved { edge: 0, .. })));
}

/// Plans of every so many problems of a robot with its meshes, with certificates that are read back and checked.
fn real(name: &str, file: &str, step: usize) {
    let Some(data) = data() else { return };
    let robot = planning::robot(&data, name, &format!("{name}.urdf"));
    let (mut count, mut bytes, mut leaves, mut seconds) = (0, 0, 0, [0.0; 3]);
    for problem in planning::problems(&data, &robot, file, step) {
        let cell = planning::cell(&robot, &problem.scene);
        let options = PlanOptions { rounds: 4000, ..PlanOptions::default() };
        let goals = problem.goals.concat();
        let mut clock = std::time::Instant::now();
        let mut took = |k: usize| {
            seconds[k] += clock.elapsed().as_secs_f64();
            clock = std::time::Instant::now();
        };
        let Ok(plan) = cell.plan(&problem.start, &goals, &options, &Batch::default()) else { continue };
        assert!(plan.is_certified());
        took(0);
        let certificate = cell.certificate(&plan.waypoints, &Batch::default()).unwrap();
        took(1);
        leaves += certificate.check().unwrap().leaves;
        took(2);
        certificate.is_of(&cell).unwrap();
        let text = certificate.to_json().unwrap();
        assert_eq!(Certificate::from_json(&text).unwrap(), certificate);
        count += 1;
        bytes += text.len();
    }
    println!(
        "{name}: {count} plans in {seconds:.2?} s (plan, certificate, check), {leaves} leaves, {bytes} bytes"
    );
    assert!(count > 0);
}

#[test]
fn plans_of_real_problems_have_certificates() {
    real("panda", "mbm_panda.json.gz", 140);
    real("ur5", "mbm_ur5.json.gz", 140);
}
