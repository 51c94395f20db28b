//! Chung–Wang, the separating vector and Lin–Canny against brute force and against each other.
//!
//! `SUDAR_ORACLE_CONVEX_PAIRS=1000000 cargo test --release -p sudar-classic --test convex_classic -- --nocapture`
//! runs the comparison with brute force on that many random pairs of polyhedra.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

mod bodies;

use bodies::{Solid, World, difference, greatest_gap, least_distance, on_an_orbit};
use sudar::convex::{Convex, Core, Difference, PosedConvex};
use sudar::math::orient3d;
use sudar::shape::Round;
use sudar::{Capsule, Cone, Cuboid, Cylinder, DQuat, DVec3, Ellipsoid, Pose, Shape, Sign, Sphere};
use sudar_classic::convex::{
    ChungWang, Closest, ClosestFeatures, FeatureMap, FeatureOutcome, PosedFeatures, PseudoVoronoi,
    SeparatingVector, Separation, chung_wang, chung_wang_reflections_only, pseudo_voronoi_penetration,
};
use sudar_testing::Random;
use sudar_testing::oracle::setting;
use sudar_testing::polyhedra::{antiprism, cuboid, globe, prism};

const LIMIT: u32 = 200;

/// How many pairs of each kind.
fn cases() -> u32 {
    setting("SUDAR_ORACLE_CONVEX_PAIRS", 12_000)
}

#[derive(Debug, Default)]
struct Counts {
    apart: u32,
    meeting: u32,
    close: u32,
    undecided: u32,
    gave_up: u32,
    touching: u32,
    rounds: u32,
    steps: u32,
}

/// Checks all three on one pair; `blur` bounds the error of brute force.
fn check(a: &Solid, pose_a: &Pose, b: &Solid, pose_b: &Pose, blur: f64, counts: &mut Counts) {
    let clear = 1e3 * blur;
    let difference = difference(a, pose_a, b, pose_b);
    let (world_a, world_b) = (World::new(a, pose_a), World::new(b, pose_b));
    let gap = greatest_gap(&world_a, &world_b);
    let found = chung_wang(&difference, DVec3::ZERO, LIMIT);
    check_separation(&found, &difference, gap, blur);
    let answer = ClosestFeatures::new().update(&a.at(pose_a), &b.at(pose_b));
    match answer.outcome {
        FeatureOutcome::Apart(closest) => {
            assert!(gap > -blur, "{closest:?} gap {gap}");
            let distance = least_distance(&world_a, &world_b);
            let Closest { certified, .. } = closest;
            assert!(
                certified.lower <= distance + blur && distance <= certified.upper + blur,
                "{closest:?} {distance}"
            );
            assert!((closest.distance - distance).abs() <= blur, "{closest:?} {distance}");
            let apart = (closest.point_a - closest.point_b).length();
            assert!((apart - distance).abs() <= blur, "{closest:?} {distance}");
        }
        FeatureOutcome::Touching(closest) => assert!(gap <= closest.certified.upper + blur, "{gap}"),
        FeatureOutcome::Penetrating => assert!(gap < blur, "{gap}"),
        FeatureOutcome::GaveUp => {}
    }
    counts.apart += u32::from(gap > blur);
    counts.meeting += u32::from(gap < -blur);
    counts.close += u32::from(gap.abs() <= blur);
    counts.undecided += u32::from(found.outcome == Separation::Undecided && gap.abs() > clear);
    counts.gave_up += u32::from(answer.outcome == FeatureOutcome::GaveUp && gap.abs() > clear);
    counts.touching += u32::from(matches!(answer.outcome, FeatureOutcome::Touching(_)));
    counts.rounds += found.rounds;
    counts.steps += answer.steps;
}

fn check_separation(found: &ChungWang, difference: &Difference, gap: f64, blur: f64) {
    match found.outcome {
        Separation::Separated { axis } => {
            assert!(gap > -blur, "{found:?} gap {gap}");
            // Brute force over the vertices along the axis itself.
            let seen = difference.support(axis).point.dot(axis);
            assert!(seen < 0.0 && (axis.length() - 1.0).abs() < 1e-14);
        }
        Separation::Colliding => assert!(gap < blur, "{found:?} gap {gap}"),
        Separation::Undecided => {}
    }
}

/// Both bodies and the way between them scaled and moved far off.
fn pair_at(random: &mut Random, a: &Solid, b: &Solid, scale: f64, far: f64) -> ([Solid; 2], [Pose; 2]) {
    let reach = a.convex.radius() + b.convex.radius();
    let away = random.direction() * reach * (0.6 + 0.5 * random.number());
    let place = random.direction() * far;
    let poses = [random.pose(place * scale), random.pose((place + away) * scale)];
    ([a.scaled(scale), b.scaled(scale)], poses)
}

#[test]
fn random_pairs_agree_with_brute_force() {
    let mut random = Random::new(1);
    let mut counts = Counts::default();
    for i in 0..cases() {
        let (a, b) = (
            Solid::any(&mut random, 1.0 + f64::from(i % 7)),
            Solid::any(&mut random, 1.0 + f64::from(i % 3)),
        );
        let scale = [1.0, 1e-9, 1e9, 1e-80, 1e3][i as usize % 5];
        let far = [0.0, 10.0, 1e4][i as usize % 3];
        let ([a, b], [pose_a, pose_b]) = pair_at(&mut random, &a, &b, scale, far);
        // Coordinates up to 12·far, a few hundred roundings.
        check(&a, &pose_a, &b, &pose_b, scale * (1e-13 * (20.0 + far)), &mut counts);
    }
    println!("{counts:?}");
    assert!(counts.apart > cases() / 4 && counts.meeting > cases() / 4);
    assert_eq!(counts.gave_up, 0);
    assert_eq!(counts.undecided, 0);
}

/// Each solid put on top of another, faces parallel, with a gap of `gap`; the answer is known in closed form.
fn stacked(gap: f64) -> impl Iterator<Item = ([Solid; 2], [Pose; 2])> {
    let kinds = [
        (cuboid(DVec3::new(0.5, 0.75, 0.25)), 0.25),
        (prism(5, 0.5), 0.5),
        (antiprism(4, 0.25), 0.25),
        (prism(64, 1.0), 1.0),
    ];
    (0..16).map(move |i| {
        let ((a, up), (b, down)) = (&kinds[i / 4], &kinds[i % 4]);
        let shift = DVec3::new(0.125 * i as f64, 0.0625, up + down + gap);
        let turn = DQuat::from_rotation_z(0.3 * (i % 5) as f64);
        ([Solid::new(a), Solid::new(b)], [Pose::IDENTITY, Pose::new(shift, turn).unwrap()])
    })
}

#[test]
fn parallel_faces_are_as_far_apart_as_they_were_put() {
    for gap in [1.0, 1e-3, 1e-9, 1e-12] {
        for ([a, b], [pose_a, pose_b]) in stacked(gap) {
            let answer = ClosestFeatures::new().update(&a.at(&pose_a), &b.at(&pose_b));
            let FeatureOutcome::Apart(closest) = answer.outcome else { panic!("{answer:?}") };
            // Shadows overlap or not: brute force tells the distance.
            let distance = least_distance(&World::new(&a, &pose_a), &World::new(&b, &pose_b));
            assert!((closest.distance - distance).abs() < 1e-15 * 8.0 && closest.certified.width() < 1e-13);
            let found = chung_wang(&difference(&a, &pose_a, &b, &pose_b), DVec3::ZERO, LIMIT);
            assert!(matches!(found.outcome, Separation::Separated { .. }), "{gap} {found:?}");
        }
    }
}

#[test]
fn kissing_bodies_are_never_apart_nor_deep() {
    for ([a, b], [pose_a, pose_b]) in stacked(0.0) {
        let (world_a, world_b) = (World::new(&a, &pose_a), World::new(&b, &pose_b));
        let gap = greatest_gap(&world_a, &world_b);
        if gap > 1e-9 {
            continue;
        }
        let answer = ClosestFeatures::new().update(&a.at(&pose_a), &b.at(&pose_b));
        assert!(matches!(answer.outcome, FeatureOutcome::Touching(_) | FeatureOutcome::GaveUp), "{answer:?}");
        let found = chung_wang(&difference(&a, &pose_a, &b, &pose_b), DVec3::ZERO, LIMIT);
        assert_eq!(found.outcome, Separation::Undecided);
        assert!(found.rounds < LIMIT, "{found:?}");
    }
}

#[test]
fn boxes_on_a_grid_have_many_nearest_features() {
    let mut random = Random::new(11);
    let (mut apart, mut kissing, mut deep, mut gave_up) = (0, 0, 0, 0);
    for _ in 0..cases() {
        let [half_a, half_b] = [0, 1].map(|_| random.grid_point(1) + 2.0);
        let place = random.grid_point(6);
        let (a, b) = (Solid::new(&cuboid(half_a)), Solid::new(&cuboid(half_b)));
        let pose = Pose::from_translation(place).unwrap();
        // Axis by axis the gap is a whole number; what is not negative of it adds up to the distance.
        let gap = place.abs() - half_a - half_b;
        let distance = gap.max(DVec3::ZERO).length();
        let difference = difference(&a, &Pose::IDENTITY, &b, &pose);
        let separation = chung_wang(&difference, DVec3::ZERO, LIMIT).outcome;
        let outcome = ClosestFeatures::new().update(&a.at(&Pose::IDENTITY), &b.at(&pose)).outcome;
        if distance > 0.0 {
            apart += 1;
            assert!(
                matches!(separation, Separation::Separated { .. }),
                "{separation:?} {half_a} {half_b} {place}"
            );
            let FeatureOutcome::Apart(closest) = outcome else {
                panic!("{outcome:?} {half_a} {half_b} {place}")
            };
            assert!((closest.distance - distance).abs() < 1e-14 && closest.certified.contains(distance));
            assert!(closest.certified.width() < 1e-12, "{closest:?}");
        } else if gap.max_element() == 0.0 {
            kissing += 1;
            assert_eq!(separation, Separation::Undecided);
            assert!(matches!(outcome, FeatureOutcome::Touching(_) | FeatureOutcome::GaveUp), "{outcome:?}");
        } else {
            deep += 1;
            assert_eq!(separation, Separation::Colliding);
            assert!(!matches!(outcome, FeatureOutcome::Apart(_)), "{outcome:?}");
            gave_up += u32::from(outcome != FeatureOutcome::Penetrating);
        }
    }
    println!("{apart} apart, {kissing} kissing, {deep} deep, of these {gave_up} given up");
    // Boxes that overlap share planes here more often than not, and the middle of one may lie in a face of the other.
    assert!(gave_up < deep / 20);
    assert!(apart > 1000 && kissing > 1000 && deep > 1000, "{apart} {kissing} {deep}");
}

#[test]
fn pairs_moved_to_a_small_gap_or_overlap_are_known_by_it() {
    let mut random = Random::new(12);
    let mut counts = Counts::default();
    for i in 0..cases() / 2 {
        let (a, b) = (Solid::any(&mut random, 3.0), Solid::any(&mut random, 3.0));
        let place = random.direction() * 1.2 * (a.convex.radius() + b.convex.radius());
        let (pose_a, turned) = (random.pose(DVec3::ZERO), random.pose(place));
        let before = ClosestFeatures::new().update(&a.at(&pose_a), &b.at(&turned));
        let FeatureOutcome::Apart(closest) = before.outcome else { continue };
        // The distance falls by just as much as the bodies near each other along the line of their nearest points.
        // Beyond that, sharp vertices may pass each other beside: brute force tells.
        let wanted = f64::powi(10.0, -(i as i32 % 15)) * if i % 2 == 0 { 1.0 } else { -1.0 };
        let normal = (closest.point_b - closest.point_a) / closest.distance;
        let pose_b =
            Pose::from_matrix(turned.rotation(), place - normal * (closest.distance - wanted)).unwrap();
        let blur = 3e-14;
        check(&a, &pose_a, &b, &pose_b, blur, &mut counts);
        let found = chung_wang(&difference(&a, &pose_a, &b, &pose_b), DVec3::ZERO, LIMIT).outcome;
        // Nearer, the vectors that separate may differ by less than rounding.
        if wanted > 5e-12 {
            assert!(matches!(found, Separation::Separated { .. }), "{wanted} {found:?}");
        }
    }
    println!("{counts:?}");
    // Overlaps a few thousand roundings deep, in all but one of some ten thousand, are found.
    assert!(counts.gave_up + counts.undecided <= cases() / 10_000, "{counts:?}");
}

#[test]
fn deeply_nested_and_concentric_bodies_collide() {
    let solids = [
        cuboid(DVec3::ONE),
        cuboid(DVec3::new(1.0, 2.0, 4.0)),
        prism(6, 1.0),
        prism(3, 0.1),
        antiprism(3, 0.5),
        globe(4, 1),
        globe(8, 7),
    ]
    .map(|points| Solid::new(&points));
    for a in &solids {
        for b in &solids {
            for factor in [1.0, 0.1, 1e-3] {
                let b = b.scaled(factor);
                let difference = difference(a, &Pose::IDENTITY, &b, &Pose::IDENTITY);
                let found = chung_wang(&difference, DVec3::ZERO, LIMIT);
                assert_eq!(
                    found.outcome,
                    Separation::Colliding,
                    "{found:?} {:?} {:?} {factor}",
                    a.hull.vertices(),
                    b.hull.vertices()
                );
                let answer = ClosestFeatures::new().update(&a.at(&Pose::IDENTITY), &b.at(&Pose::IDENTITY));
                if factor < 1.0 {
                    assert_eq!(
                        answer.outcome,
                        FeatureOutcome::Penetrating,
                        "{} steps, {:?} {:?} {factor}",
                        answer.steps,
                        a.hull.vertices(),
                        b.hull.vertices()
                    );
                } else {
                    // Features on each other: whatever is proven, it must not be a gap.
                    assert!(!matches!(answer.outcome, FeatureOutcome::Apart(_)), "{answer:?}");
                }
            }
        }
    }
}

#[test]
fn smooth_motions_need_about_one_step_whatever_the_number_of_vertices() {
    for n in [6, 12, 24, 48] {
        let (a, b) = (Solid::new(&globe(n, n / 2)), Solid::new(&globe(n, n / 2)));
        let (mut features, mut vector) = (ClosestFeatures::new(), SeparatingVector::new());
        let (mut steps, mut gave_up, mut undecided, mut deep) = (0, 0, 0, 0);
        for i in 0..1000 {
            let pose = on_an_orbit(i, 1000, 1.9);
            let difference = difference(&a, &Pose::IDENTITY, &b, &pose);
            let answer = features.update(&a.at(&Pose::IDENTITY), &b.at(&pose));
            let separation = vector.update(&difference, LIMIT);
            let fresh = ClosestFeatures::new().update(&a.at(&Pose::IDENTITY), &b.at(&pose));
            match (answer.outcome, fresh.outcome, separation) {
                (FeatureOutcome::Apart(kept), FeatureOutcome::Apart(new), separation) => {
                    assert!((kept.distance - new.distance).abs() < 1e-14, "{kept:?} {new:?}");
                    assert!(separation != Separation::Colliding);
                }
                (FeatureOutcome::Penetrating, fresh, separation) => {
                    deep += 1;
                    assert!(!matches!(fresh, FeatureOutcome::Apart(_)));
                    assert!(!matches!(separation, Separation::Separated { .. }));
                }
                (FeatureOutcome::GaveUp, ..) => gave_up += 1,
                other => panic!("{other:?}"),
            }
            undecided += u32::from(separation == Separation::Undecided);
            steps += answer.steps;
        }
        let statistics = vector.statistics();
        println!(
            "globe {n}x{}: {} steps, {gave_up} given up, {undecided} undecided, {deep} deep, {statistics:?}",
            n / 2,
            f64::from(steps) / 1000.0
        );
        assert!(steps < 4000 && gave_up == 0 && undecided == 0);
        assert_eq!(statistics.updates, 1000);
        assert!(statistics.hits > 700 && statistics.rounds < 4000);
    }
}

#[test]
fn thin_plates_need_the_switch_to_a_common_vector() {
    let mut random = Random::new(4);
    let (mut with, mut without, mut switched, mut never) = (0, 0, 0, 0);
    for i in 0..2000 {
        let thin = f64::powi(10.0, -(i % 6) - 1);
        let a = Solid::new(&cuboid(DVec3::new(1.0, 1.0, thin)));
        let b = Solid::new(&prism(8, thin));
        let poses = [random.pose(DVec3::ZERO), random.pose(Random::new(100 + i as u64).direction() * 0.3)];
        let difference = difference(&a, &poses[0], &b, &poses[1]);
        let gap = greatest_gap(&World::new(&a, &poses[0]), &World::new(&b, &poses[1]));
        let found = chung_wang(&difference, DVec3::ZERO, LIMIT);
        let plain = chung_wang_reflections_only(&difference, DVec3::ZERO, LIMIT);
        check_separation(&found, &difference, gap, 1e-13);
        check_separation(&plain, &difference, gap, 1e-13);
        assert!(found.outcome != Separation::Undecided || gap.abs() < 1e-13, "{found:?} {gap}");
        with += found.rounds;
        without += plain.rounds;
        switched += u32::from(found.switches > 0);
        never += u32::from(plain.outcome == Separation::Undecided);
    }
    println!("rounds {with} with, {without} without; {switched} switched, {never} never ended without");
    assert!(never > 0 && with < without);
}

/// Round bodies against closed forms.
#[test]
fn round_bodies_with_and_without_margins() {
    let shapes: [Shape; 6] = [
        Sphere::new(DVec3::ZERO, 1.0).unwrap().into(),
        Capsule::new(0.5, 1.0).unwrap().into(),
        Cylinder::new(1.0, 0.5).unwrap().into(),
        Cone::new(1.0, 0.5).unwrap().into(),
        Ellipsoid::new(DVec3::new(1.0, 0.5, 2.0)).unwrap().into(),
        Cuboid::new(DVec3::ONE).unwrap().into(),
    ];
    // How far each reaches along x: with axes along x, y, z the extreme points along x are on the x axis itself for
    // all but the cone, whose widest circle is at the bottom, and the capsule, all of whose side is.
    let reach = [1.0, 0.5, 1.0, 1.0, 1.0, 1.0];
    for (a, r) in shapes.iter().zip(reach) {
        for (b, s) in shapes.iter().zip(reach) {
            for (distance, apart) in
                [(1e-6, true), (1.0, true), (-1e-2, false), (-0.3, false), (-r - s, false)]
            {
                // The ball beside the cone is above its widest circle, so it is clear of that by 1 − √(0.99² + ¼) < 0.
                if distance == -1e-2 && (matches!(a, Shape::Cone(_)) != matches!(b, Shape::Cone(_))) {
                    continue;
                }
                let (a, b) = (Convex::of(a).unwrap(), Convex::of(b).unwrap());
                let pose = Pose::from_translation(DVec3::X * (r + s + distance)).unwrap();
                let difference =
                    Difference::new(PosedConvex::new(&a, &Pose::IDENTITY), PosedConvex::new(&b, &pose));
                let found = chung_wang(&difference, DVec3::new(0.3, -0.8, 0.5), 2000);
                let expected = if apart {
                    matches!(found.outcome, Separation::Separated { .. })
                } else {
                    found.outcome == Separation::Colliding
                };
                assert!(expected, "{:?} {:?} {distance} {found:?}", a.core(), b.core());
            }
        }
    }
}

#[test]
fn cones_find_inside_and_outside_points() {
    let mut random = Random::new(9);
    for _ in 0..3000 {
        let solid = Solid::any(&mut random, 3.0);
        let point = random.direction() * 1.5 * random.number().abs() * solid.convex.radius();
        let start = random.below(40) as u32;
        let PseudoVoronoi { face, ratio, .. } = pseudo_voronoi_penetration(&solid.map, point, start);
        assert!((face as usize) < solid.hull.faces().len());
        if (ratio - 1.0).abs() > 1e-9 {
            assert_eq!(ratio < 1.0, holds(&solid, point + solid.convex.center()), "{ratio}");
        }
    }
}

/// By exact predicates.
fn holds(solid: &Solid, point: DVec3) -> bool {
    let at = |v: u32| solid.hull.vertices()[v as usize];
    (0..solid.hull.faces().len()).all(|face| {
        let corners: Vec<DVec3> = solid.hull.face(face).map(at).collect();
        orient3d(corners[0], corners[1], corners[2], point) != Sign::Positive
    })
}

#[test]
fn features_belong_to_their_hull_and_other_shapes_have_none() {
    let (a, b) = (Solid::new(&prism(5, 1.0)), Solid::new(&prism(5, 1.0)));
    let posed = PosedConvex::new(&b.convex, &Pose::IDENTITY);
    assert!(PosedFeatures::new(&a.map, posed).is_none());
    assert!(
        FeatureMap::of(&Convex::new(Core::Round(Round::Ellipsoid(Ellipsoid { radii: DVec3::ONE })), 0.0))
            .is_none()
    );
    let cuboid = Convex::of(&Cuboid::new(DVec3::ONE).unwrap().into()).unwrap();
    assert_eq!(FeatureMap::of(&cuboid).unwrap().features(), 8 + 12 + 6);
}
