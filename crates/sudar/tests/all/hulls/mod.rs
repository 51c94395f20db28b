//! Hulls by quickhull and by the incremental algorithm, against brute force in whole numbers, against closed forms and
//! against what a hull is: closed, exactly convex, holding every point, with nothing superfluous.
//!
//! `SUDAR_ORACLE_HULLS=1000000 cargo test --release -p sudar --test all hulls -- --nocapture` runs the comparison with
//! brute force, and a tenth as many larger sets of every class, on that many sets of points;
//! `SUDAR_ORACLE_HULL_POINTS=1000000` adds spheres, balls and cubes of that many points.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

mod brute;
mod cases;
mod verify;

use std::collections::BTreeMap;

use proptest::prelude::*;
use rand::RngExt;
use sudar::hull::{convex_hull, incremental, quickhull};
use sudar::{DVec3, Hull, HullError};
use sudar_testing::Random;
use sudar_testing::oracle::setting;

use verify::verify;

/// The hull by both algorithms, which must agree to the last bit, and be a hull.
fn both(points: &[DVec3]) -> Hull {
    let hull = quickhull(points).unwrap();
    assert_eq!(hull, incremental(points).unwrap(), "{points:?}");
    verify(points, &hull);
    hull
}

#[test]
fn brute_force_in_whole_numbers_finds_the_same_hulls() {
    let mut random = Random::new(1);
    let mut seen = BTreeMap::<(usize, usize), usize>::new();
    for case in 0..setting("SUDAR_ORACLE_HULLS", 10_000) {
        let grid = cases::grid_points(&mut random);
        let points: Vec<DVec3> = grid.iter().map(|p| DVec3::from_array(p.map(|x| x as f64))).collect();
        let hull = quickhull(&points).unwrap();
        assert_eq!(hull, incremental(&points).unwrap(), "case {case}: {grid:?}");
        let expected = brute::hull(&grid);
        assert_eq!(hull.dimension(), expected.dimension, "case {case}: {grid:?}");
        assert_eq!(hull.sources(), expected.vertices, "case {case}: {grid:?}");
        let loops: Vec<Vec<u32>> = (0..hull.faces().len())
            .map(|i| hull.face(i).map(|v| hull.sources()[v as usize]).collect())
            .collect();
        assert_eq!(loops, expected.loops, "case {case}: {grid:?}");
        verify(&points, &hull);
        let most = loops.iter().map(Vec::len).max().unwrap_or(0);
        *seen.entry((hull.dimension(), most)).or_default() += 1;
    }
    for ((dimension, corners), count) in &seen {
        println!("dimension {dimension}, largest face of {corners} corners: {count}");
    }
    let of_dimension = |d| seen.iter().filter(|((e, _), _)| *e == d).map(|(_, n)| n).sum::<usize>();
    assert!((0..4).all(|d| of_dimension(d) > 50) && seen.len() > 10, "{seen:?}");
}

#[test]
fn hulls_of_every_class_are_hulls() {
    let mut random = Random::new(2);
    let rounds = setting("SUDAR_ORACLE_HULLS", 2_000) / (10 * cases::CLASSES.len()) + 3;
    for (name, class) in cases::CLASSES {
        let (mut vertices, mut faces, mut dimensions) = (0, 0, [0; 4]);
        for _ in 0..rounds {
            let hull = both(&class(&mut random));
            vertices += hull.vertices().len();
            faces += hull.faces().len();
            dimensions[hull.dimension()] += 1;
        }
        println!("{name}: {rounds} sets, {vertices} vertices, {faces} faces, by dimension {dimensions:?}");
    }
}

#[test]
fn many_points_of_every_kind_are_held() {
    let count = setting("SUDAR_ORACLE_HULL_POINTS", 20_000);
    let mut random = Random::new(3);
    for (name, class) in [
        ("sphere", cases::on_sphere as fn(&mut Random) -> DVec3),
        ("ball", cases::in_ball),
        ("cube", Random::point),
    ] {
        let points: Vec<DVec3> = (0..count).map(|_| class(&mut random)).collect();
        let hull = convex_hull(&points).unwrap();
        println!(
            "{name}: {} vertices, {} faces, volume {}",
            hull.vertices().len(),
            hull.faces().len(),
            hull.volume()
        );
        verify::structure(&points, &hull);
        verify::convexity(&hull);
        // Every face against every point would take hours; a point is held if the faces that it is farthest
        // out on hold it.
        verify::containment_by_climbing(&points, &hull);
    }
}

#[test]
fn a_cube_with_points_inside_and_on_its_faces_is_a_cube() {
    let mut points = vec![DVec3::splat(0.5), DVec3::new(0.25, 0.5, 0.0), DVec3::new(1.0, 0.125, 0.5)];
    points.extend((0..8).map(|k| DVec3::new((k & 1) as f64, (k >> 1 & 1) as f64, (k >> 2) as f64)));
    points.extend([DVec3::new(0.5, 0.0, 0.0), DVec3::ONE, DVec3::new(-0.0, -0.0, -0.0)]);
    let cube = both(&points);
    assert_eq!(cube.sources(), [3, 4, 5, 6, 7, 8, 9, 10]);
    assert_eq!((cube.faces().len(), cube.half_edges().len()), (6, 24));
    assert_eq!((cube.volume(), cube.area()), (1.0, 6.0));
}

#[test]
fn regular_solids_have_their_measures() {
    let golden = f64::midpoint(1.0, 5.0_f64.sqrt());
    let signs = [1.0, -1.0];
    let cyclic = |p: DVec3| [p, DVec3::new(p.z, p.x, p.y), DVec3::new(p.y, p.z, p.x)];
    let tetrahedron: Vec<_> =
        [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)].map(|(x, y)| DVec3::new(x, y, x * y)).to_vec();
    let octahedron: Vec<_> = signs.iter().flat_map(|&s| cyclic(DVec3::X * s)).collect();
    let icosahedron: Vec<_> =
        signs.iter().flat_map(|&s| signs.map(|t| DVec3::new(0.0, s, t * golden))).flat_map(cyclic).collect();
    // Edges 2√2, √2 and 2. A tetrahedron of edge e has the volume e³/(6√2) and the area √3·e², an octahedron √2/3·e³
    // and 2√3·e², an icosahedron 5(3 + √5)/12·e³ and 5√3·e².
    let root3 = 3.0_f64.sqrt();
    let expected = [
        (tetrahedron, 4, 8.0 / 3.0, 8.0 * root3),
        (octahedron, 8, 4.0 / 3.0, 4.0 * root3),
        (icosahedron, 20, 10.0 * (3.0 + 5.0_f64.sqrt()) / 3.0, 20.0 * root3),
    ];
    for (points, faces, volume, area) in expected {
        let hull = both(&points);
        assert_eq!(hull.faces().len(), faces);
        assert!((hull.volume() / volume - 1.0).abs() < 1e-14 && (hull.area() / area - 1.0).abs() < 1e-14);
    }
}

#[test]
fn hulls_scale_by_powers_of_two_over_the_whole_range() {
    let mut random = Random::new(4);
    let points: Vec<DVec3> = (0..60).map(|_| random.point()).chain(cases::lattice(3)).collect();
    let expected = both(&points);
    for k in [-900, -266, -77, -50, 40, 266, 297] {
        let size = 2.0_f64.powi(k);
        let scaled: Vec<DVec3> = points.iter().map(|&p| p * size).collect();
        let hull = both(&scaled);
        assert_eq!((hull.sources(), hull.half_edges()), (expected.sources(), expected.half_edges()), "2^{k}");
    }
    for size in [1e-80, 1e-23, 1e80] {
        let hull = both(&points.iter().map(|&p| p * size).collect::<Vec<_>>());
        let ratio = hull.volume() / size / size / size / expected.volume();
        assert!((ratio - 1.0).abs() < 1e-12, "{size}: {ratio}");
    }
}

#[test]
fn whatever_is_no_body_has_a_hull_too() {
    let p = DVec3::new(1.0 / 3.0, -1e-23, 1e80);
    let dimension = |points: &[DVec3]| (both(points).dimension(), both(points).sources().to_vec());
    assert_eq!(dimension(&[p]), (0, vec![0]));
    assert_eq!(dimension(&[p; 1000]), (0, vec![0]));
    assert_eq!(dimension(&[p, -p, p, DVec3::ZERO, -p]), (1, vec![0, 1]));
    assert_eq!(dimension(&[p, -p, DVec3::X, DVec3::X * 0.5, p]), (2, vec![0, 1, 2]));
    assert_eq!(dimension(&[DVec3::splat(-0.0), DVec3::ZERO]), (0, vec![0]));
    let line: Vec<_> = (0..1000).map(|i| DVec3::new(1.0, 2.0, 3.0) * f64::from((i * 377) % 1000)).collect();
    // 377 · 687 = 258 999.
    assert_eq!(dimension(&line), (1, vec![0, 687]));
    assert_eq!(quickhull(&[]), Err(HullError::Empty));
    assert_eq!(incremental(&[p, DVec3::NAN]), Err(HullError::NotFinite { index: 1 }));
    assert_eq!(convex_hull(&[p, p, p * 1e11]), Err(HullError::TooLarge { index: 2 }));
}

#[test]
fn a_single_bit_lifts_a_point_off_a_face() {
    let mut points = cases::lattice(3);
    points.push(DVec3::new(1.0, 1.0, 2.0_f64.next_up()));
    assert_eq!(both(&points).faces().len(), 9);
    points.pop();
    points.push(DVec3::new(1.0, 1.0, 2.0_f64.next_down()));
    assert_eq!(both(&points).faces().len(), 6);
}

/// A coordinate on a plane but for a few units in the last place.
fn nearly(x: f64) -> impl Strategy<Value = f64> {
    (-3_i64..=3).prop_map(move |ulps| f64::from_bits((x.to_bits() as i64 + ulps) as u64))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn nearly_coplanar_points_have_hulls(
        flat in prop::collection::vec((-4_i32..=4, -4_i32..=4, nearly(0.7)), 4..40),
        tilt in -3_i32..=3,
    ) {
        let lifted = |(x, y, z): (i32, i32, f64)| DVec3::new(f64::from(x), f64::from(y), z + f64::from(tilt * x - y) / 3.0);
        both(&flat.into_iter().map(lifted).collect::<Vec<_>>());
    }

    #[test]
    fn points_far_from_the_origin_have_hulls(
        points in prop::collection::vec((-2.0..2.0_f64, -2.0..2.0_f64, -2.0..2.0_f64), 4..40),
        far in -1e15..1e15_f64,
    ) {
        both(&points.iter().map(|&(x, y, z)| DVec3::new(far + x, y - far, z + far * 0.3)).collect::<Vec<_>>());
    }
}

#[test]
fn the_order_of_points_only_renumbers() {
    let mut random = Random::new(5);
    for _ in 0..20 {
        let points: Vec<DVec3> = (0..50).map(|_| cases::on_sphere(&mut random)).collect();
        let shift = random.random_range(1..50);
        let mut rotated = points.clone();
        rotated.rotate_left(shift);
        let (one, other) = (both(&points), both(&rotated));
        assert_eq!((one.faces().len(), one.vertices().len()), (other.faces().len(), other.vertices().len()));
        assert!((one.volume() - other.volume()).abs() < 1e-14);
    }
}
