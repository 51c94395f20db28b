//! Proofs: found for every pair of shapes, accepted by the checker as they are, refused when anything is changed.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

use std::sync::Arc;

use glam::{DVec2, DVec3};
use rand::RngExt;
use sudar::effort::Budget;
use sudar::hull::convex_hull;
use sudar::proof::{Certified, Footing, Near, Proof, ProofError};
use sudar::query::{Body, Distance, DistanceOptions, Work, distance, prove_apart, prove_distance};
use sudar::{
    Aabb, Capsule, Compound, Cone, Cuboid, Cylinder, Ellipsoid, Halfspace, HeightField, Mesh, PointCloud,
    Pose, Segment, Shape, Solid, Sphere, Triangle,
};
use sudar_testing::Random;
use sudar_testing::meshes::{direction, round, sheet};
use sudar_testing::oracle::setting;

/// A round mesh of about 16·n² triangles, every point moved inward a little.
fn ball(n: u32, random: &mut Random) -> Mesh {
    round(2 * n, 4 * n, |u, v| direction(u, v) * random.within(0.9, 1.0))
}

/// One of every shape, of size about 1.
fn shapes(random: &mut Random) -> Vec<Shape> {
    let [p, q, r] = [(); 3].map(|()| random.point());
    let hull = Arc::new(convex_hull(&(0..12).map(|_| random.point()).collect::<Vec<_>>()).unwrap());
    let round = Arc::new(ball(3, random));
    let heights: Vec<f64> = (0..16).map(|_| random.random_range(-0.2..0.2)).collect();
    let part =
        |shape: Shape, at: DVec3, random: &mut Random| (shape, Pose::new(at, random.rotation()).unwrap());
    let parts = vec![
        part(Shape::Mesh(Arc::new(ball(2, random))), p, random),
        part(Cone::new(0.5, 0.5).unwrap().into(), q, random),
        part(Sphere::new(r, 0.5).unwrap().into(), r, random),
    ];
    vec![
        Shape::Mesh(round.clone()),
        Shape::Solid(Arc::new(Solid::new(round).unwrap())),
        Triangle::new(p, q, r).unwrap().into(),
        Segment::new(p, q).unwrap().into(),
        Shape::Point(p),
        Sphere::new(p, 0.7).unwrap().into(),
        Cuboid::new(DVec3::new(0.3, 0.5, 1.0)).unwrap().into(),
        Capsule::new(0.3, 0.6).unwrap().into(),
        Cylinder::new(0.6, 0.7).unwrap().into(),
        Cone::new(0.6, 0.7).unwrap().into(),
        Ellipsoid::new(DVec3::new(0.4, 0.7, 1.0)).unwrap().into(),
        Shape::Hull(hull),
        Shape::PointCloud(Arc::new(PointCloud::new((0..30).map(|_| random.point()).collect()).unwrap())),
        Shape::HeightField(Arc::new(HeightField::new(4, &heights, DVec2::splat(0.4)).unwrap())),
        Halfspace::new(p, -0.5).unwrap().into(),
        Compound::new(parts).unwrap().into(),
    ]
}

struct Case {
    a: Body,
    pose_a: Pose,
    b: Body,
    pose_b: Pose,
}

impl Case {
    fn found(&self) -> Distance {
        distance(self.a.at(&self.pose_a), self.b.at(&self.pose_b), &DistanceOptions::EXACT)
    }

    fn proof(&self) -> Proof {
        prove_distance(self.a.at(&self.pose_a), self.b.at(&self.pose_b), &self.found())
    }

    fn check(&self, proof: &Proof) -> Result<Certified, ProofError> {
        proof.check(self.a.shape(), &self.pose_a, self.b.shape(), &self.pose_b)
    }

    fn name(&self) -> String {
        let name = |b: &Body| format!("{:?}", b.shape()).chars().take(12).collect::<String>();
        format!("{} {} ({:?})", name(&self.a), name(&self.b), self.found())
    }
}

fn is_round(body: &Body) -> bool {
    matches!(body.shape(), Shape::Cylinder(_) | Shape::Cone(_) | Shape::Ellipsoid(_) | Shape::Compound(_))
}

#[test]
fn every_pair_of_shapes_has_proofs() {
    let mut random = Random::new(7);
    let mut halves = [0; 4];
    for round in 0..setting("SUDAR_ORACLE_PROOFS", 6) {
        let (ours, theirs) = (shapes(&mut random), shapes(&mut random));
        // Deep, near and far by turns.
        let apart = [0.3, 1.5, 4.0][round % 3];
        for (a, b) in ours.iter().flat_map(|a| theirs.iter().map(move |b| (a, b))) {
            let mut pose =
                |x: f64| Pose::new(DVec3::X * x + random.point() * 0.2, random.rotation()).unwrap();
            let (pose_a, pose_b) = (pose(0.0), pose(apart));
            let case = Case { a: Body::new(a.clone()), pose_a, b: Body::new(b.clone()), pose_b };
            let (found, proof) = (case.found(), case.proof());
            let certified = case.check(&proof).unwrap_or_else(|e| panic!("{e}: {}", case.name()));
            let touching = found.interval.upper == 0.0;
            assert!(!(touching && certified.disjoint), "{}", case.name());
            halves[0] += usize::from(!touching);
            halves[1] += usize::from(certified.disjoint);
            halves[2] += 1;
            halves[3] += usize::from(certified.upper <= found.interval.upper + 1e-12);
            if certified.disjoint {
                // Directions between round bodies are good to half the digits, their gaps to all but a few.
                let loss = if is_round(&case.a) || is_round(&case.b) { 1e-6 } else { 1e-9 };
                let enough = found.interval.lower * (1.0 - loss) - 1e-12;
                assert!(certified.lower >= enough, "{certified:?} {}", case.name());
            } else {
                assert!(touching, "no proof that they are apart: {}", case.name());
            }
            if certified.upper > found.interval.upper + 1e-12 {
                panic!("{certified:?} {:?} {}", proof.upper, case.name());
            }
            assert!(certified.stray.into_iter().all(|s| s < 1e-12), "{certified:?} {}", case.name());
        }
    }
    println!("apart {}, proved {}; all {}, proved {}", halves[0], halves[1], halves[2], halves[3]);
}

/// A ball inside an open shell of a few hundred triangles, so that no single direction separates them.
fn nested_pair(random: &mut Random) -> Case {
    let whole = ball(5, random);
    let kept = whole.triangles().iter().filter(|t| t.iter().any(|&i| whole.vertices()[i as usize].x < 0.6));
    let shell = Mesh::new(whole.vertices().to_vec(), kept.copied().collect()).unwrap();
    let pose = Pose::new(random.point(), random.rotation()).unwrap();
    let inner = ball(4, random).mapped(|p| p * 0.6 + DVec3::X * 0.4).unwrap();
    let (a, b) = (Body::new(shell), Body::new(Solid::new(Arc::new(inner)).unwrap()));
    Case { a, pose_a: pose, b, pose_b: pose }
}

/// A proof that says a little more than is true or is not whole is refused, whatever was changed.
#[test]
fn tampered_proofs_are_refused() {
    let mut random = Random::new(9);
    let case = nested_pair(&mut random);
    let proof = case.proof();
    let certified = case.check(&proof).unwrap();
    assert!(certified.disjoint && certified.lower > 0.01);
    let blocks = proof.lower.as_ref().unwrap().blocks.len();
    assert!(blocks > 5, "{blocks}");
    let refused = |change: &dyn Fn(&mut Proof), what: &str| {
        let mut changed = proof.clone();
        change(&mut changed);
        assert_ne!(changed, proof, "{what}");
        let result = case.check(&changed);
        assert!(result.is_err(), "{what}: {result:?}");
        result.unwrap_err()
    };
    assert_eq!(refused(&|p| p.format += 1, "format"), ProofError::Format { found: 2 });
    for _ in 0..200 {
        let (i, j) = (random.random_range(0..blocks), random.random_range(0..blocks));
        let lower =
            |p: &mut Proof, change: &dyn Fn(&mut sudar::proof::Lower)| change(p.lower.as_mut().unwrap());
        refused(&|p| lower(p, &|l| l.blocks.truncate(i)), "blocks dropped");
        refused(&|p| lower(p, &|l| l.blocks.push(l.blocks[i])), "a block twice");
        refused(&|p| lower(p, &|l| l.blocks[i].a[1] += 1), "a block grown");
        refused(&|p| lower(p, &|l| l.blocks[i].b[0] += 1), "a block shrunk");
        refused(&|p| lower(p, &|l| l.blocks[i].direction *= -1.0), "a direction turned");
        refused(&|p| lower(p, &|l| l.blocks[i].direction = DVec3::ZERO), "no direction");
        refused(&|p| lower(p, &|l| l.blocks[i].direction.x = f64::NAN), "a direction that is no number");
        if i != j && lower_blocks(&proof, i) != lower_blocks(&proof, j) {
            refused(&|p| lower(p, &|l| l.blocks[i].a = l.blocks[j].a), "ranges mixed up");
        }
        let n = proof.lower.as_ref().unwrap().order_a.len();
        let (k, m) = (random.random_range(0..n), random.random_range(0..n));
        if k != m {
            refused(&|p| lower(p, &|l| l.order_a[k] = l.order_a[m]), "a piece twice");
        }
        refused(&|p| lower(p, &|l| l.order_b.truncate(k.min(l.order_b.len() - 1))), "pieces missing");
    }
    // The bounds are as good as they can be: another billionth is refused.
    refused(&|p| p.lower.as_mut().unwrap().bound *= 1.0 + 1e-9, "lower bound raised");
    refused(&|p| p.lower.as_mut().unwrap().bound = -1.0, "lower bound below zero");
    refused(&|p| p.lower.as_mut().unwrap().bound = f64::NAN, "lower bound no number");
    refused(&|p| p.upper.as_mut().unwrap().bound *= 1.0 - 1e-15, "upper bound lowered");
    refused(&|p| p.upper.as_mut().unwrap().bound = f64::INFINITY, "upper bound infinite");
    let spot =
        |p: &mut Proof, change: &dyn Fn(&mut sudar::proof::Spot)| match &mut p.upper.as_mut().unwrap().near {
            Near::Points { b, .. } => change(b),
            Near::Pieces { .. } => panic!("they do not meet"),
        };
    refused(&|p| spot(p, &|s| s.point.x += 1e-9), "a point moved");
    refused(&|p| spot(p, &|s| s.piece = (s.piece + 20) % 128), "another triangle");
    refused(&|p| spot(p, &|s| s.piece = u32::MAX), "no triangle");
    refused(&|p| spot(p, &|s| s.footing = Footing::Itself), "another reason");
    refused(&|p| spot(p, &|s| s.footing = Footing::Enclosed), "inside a surface");
    refused(&|p| spot(p, &|s| s.footing = Footing::Corners(vec![])), "no corners");
    refused(&|p| spot(p, &|s| s.footing = Footing::Corners(vec![(3, 1.0)])), "no such corner");
    refused(&|p| spot(p, &|s| s.footing = Footing::Corners(vec![(0, 2.0), (1, -1.0)])), "a negative weight");
    let meets = Near::Pieces { a: 0, b: 0 };
    refused(&|p| p.upper = Some(sudar::proof::Upper { bound: 0.0, near: meets.clone() }), "they do not meet");
    // The proof of one pose is none of another.
    let moved = Pose::from_translation(case.pose_b.translation() - DVec3::X * 0.5).unwrap();
    assert!(proof.check(case.a.shape(), &case.pose_a, case.b.shape(), &moved).is_err());
}

fn lower_blocks(proof: &Proof, i: usize) -> [u32; 2] {
    proof.lower.as_ref().unwrap().blocks[i].a
}

#[test]
fn a_ball_inside_a_solid_is_not_apart_from_it() {
    let mut random = Random::new(3);
    let shell = Arc::new(ball(4, &mut random));
    let surface = Body::new(Shape::Mesh(shell.clone()));
    let small = Body::new(Sphere::new(DVec3::ZERO, 0.1).unwrap());
    let here = Pose::IDENTITY;
    let lower = prove_apart(small.at(&here), surface.at(&here), 0.5).unwrap();
    assert!(lower.bound > 0.49);
    let proof = Proof { format: 1, lower: Some(lower), upper: None };
    assert!(proof.check(small.shape(), &here, surface.shape(), &here).unwrap().disjoint);
    let solid = Shape::Solid(Arc::new(Solid::new(shell).unwrap()));
    assert_eq!(proof.check(small.shape(), &here, &solid, &here), Err(ProofError::Inside));
    // That they meet can be proved too.
    let case = Case { a: small, pose_a: here, b: Body::new(solid), pose_b: here };
    assert_eq!(case.check(&case.proof()).unwrap().upper, 0.0);
    assert!(prove_apart(case.a.at(&here), case.a.at(&here), 0.0).is_none());
}

#[test]
fn boxes_that_touch_and_boxes_an_ulp_apart() {
    let cube = Body::new(Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::ONE }));
    let at = |x: f64| Pose::from_translation(DVec3::new(x, 0.25, 0.5)).unwrap();
    let case = |x| Case { a: cube.clone(), pose_a: Pose::IDENTITY, b: cube.clone(), pose_b: at(x) };
    let touching = case(1.0);
    let certified = touching.check(&touching.proof()).unwrap();
    assert_eq!((certified.upper, certified.disjoint), (0.0, false));
    let apart = case(1.0f64.next_up());
    let certified = apart.check(&apart.proof()).unwrap();
    // The gap is one unit in the last place of 1, exactly.
    assert!(certified.disjoint && certified.upper == f64::EPSILON && certified.lower <= f64::EPSILON);
    let lower = prove_apart(cube.at(&Pose::IDENTITY), cube.at(&at(1.0f64.next_up())), f64::EPSILON).unwrap();
    assert_eq!(lower.bound, f64::EPSILON);
}

#[test]
fn a_proof_under_a_budget_is_whole_or_absent() {
    let mut random = Random::new(11);
    // No direction separates a shell from what is in it.
    let (a, b) = (Body::new(ball(4, &mut random)), Body::new(Sphere::new(DVec3::ZERO, 0.1).unwrap()));
    let (here, there) = (Pose::IDENTITY, Pose::from_translation(DVec3::new(0.1, 0.2, 0.3)).unwrap());
    let found = distance(a.at(&here), b.at(&there), &DistanceOptions::EXACT);
    let whole = prove_distance(a.at(&here), b.at(&there), &found);
    let mut stopped = 0;
    for nodes in (0..14).map(|k| 1 << k) {
        let mut work = Work::new(Budget::nodes(nodes));
        let proof = work.prove_distance(a.at(&here), b.at(&there), &found);
        assert_eq!(proof.lower.is_some(), !work.was_stopped());
        stopped += u32::from(work.was_stopped());
        let expected = if work.was_stopped() { None } else { whole.lower.clone() };
        assert!(proof.lower == expected && proof.upper == whole.upper);
    }
    assert!((1..14).contains(&stopped), "{stopped}");
    let mut none = Work::new(Budget::nodes(0));
    assert!(none.prove_apart(a.at(&here), b.at(&there), 0.0).is_none() && none.was_stopped());
}

/// Where every triangle is as near as any other, no proof may need a block for each pair: one direction, that
/// of a pair of triangles and not of points in it, does for all.
#[test]
fn walls_face_to_face_need_one_block() {
    let mut random = Random::new(5);
    for n in [1, 7, 20] {
        let wall = Body::new(sheet(n, |_, _| 0.0));
        for _ in 0..setting("SUDAR_ORACLE_PROOFS", 6) {
            let turn = random.rotation();
            let at = |p: DVec3| Pose::new(turn * p + DVec3::splat(0.3), turn).unwrap();
            let gap = 1e-3;
            let (pose_a, pose_b) = (at(DVec3::ZERO), at(DVec3::new(0.013, -0.2, gap)));
            let case = Case { a: wall.clone(), pose_a, b: wall.clone(), pose_b };
            let proof = case.proof();
            let certified = case.check(&proof).unwrap();
            assert!(certified.disjoint && certified.upper - certified.lower < 1e-13, "{certified:?}");
            assert!((certified.lower - gap).abs() < 1e-13, "{certified:?}");
            assert_eq!(proof.lower.unwrap().blocks.len(), 1, "of {n}² cells");
        }
    }
}

#[cfg(feature = "serde")]
#[test]
fn a_proof_reads_back_as_it_was() {
    let mut random = Random::new(11);
    let case = nested_pair(&mut random);
    let proof = case.proof();
    let text = serde_json::to_string(&proof).unwrap();
    let again: Proof = serde_json::from_str(&text).unwrap();
    assert_eq!(again, proof);
    assert_eq!(case.check(&again), case.check(&proof));
    assert!(serde_json::from_str::<Proof>(&text.replace("bound", "about")).is_err());
}

/// The rooms that a proof is about are none that its checker uses.
#[test]
fn the_checker_shares_no_code_with_the_queries() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/proof");
    let mut files = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        files += 1;
        for (_, after) in text.match_indices("crate::").map(|(i, _)| text[i..].split_at(7)) {
            let path: String =
                after.chars().take_while(|c| c.is_alphanumeric() || ":_".contains(*c)).collect();
            assert!(["math::Pose", "shape::Round", "shape::Shape"].contains(&path.as_str()), "crate::{path}");
        }
        // Of poses only the numbers are read, and geometry is not asked of the shapes.
        for verb in ["pose.apply", "pose.rotate", ".aabb(", ".scaled_normal(", ".after(&pose", ".round()"] {
            assert!(!text.contains(verb), "{verb}");
        }
    }
    assert!(files > 8);
}
