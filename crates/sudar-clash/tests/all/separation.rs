//! The shortest translation that takes two parts out of each other, where it is known.

use std::sync::Arc;

use sudar::glam::DVec3;
use sudar::{Aabb, Mesh, Pose};
use sudar_clash::{Assembly, Clash, ClashKind, ClashOptions, Part, Separation, body_of, find_clashes};
use sudar_testing::Random;

/// What poses in general position may round away.
const ROUNDING: f64 = 2e-11;

type Cuboid = [[f64; 3]; 2];

/// A part of boxes that share no point.
fn part(boxes: &[Cuboid], pose: Pose) -> Part {
    let mesh = |b: &Cuboid| Mesh::from_aabb(Aabb { min: b[0].into(), max: b[1].into() });
    let mesh = Mesh::joined(&boxes.iter().map(mesh).collect::<Vec<_>>()).unwrap();
    Part { name: String::new(), body: body_of(Arc::new(mesh)), pose }
}

fn clash(parts: [Part; 2]) -> Option<Clash> {
    let assembly = Assembly { parts: parts.into() };
    let report = find_clashes(&assembly, &ClashOptions::default(), &|_, _| {}).unwrap();
    report.clashes.into_iter().next()
}

/// Whether a translation takes the second part out of the first: by the kind of what is found then.
fn is_out([a, b]: &[Part; 2], way: DVec3) -> bool {
    let moved = Part { pose: Pose::from_translation(way).unwrap().after(&b.pose), ..b.clone() };
    clash([a.clone(), moved]).is_none_or(|clash| clash.kind == ClashKind::Touch)
}

/// Two boxes overlap after a translation of the second by `way`, as open sets.
fn overlap(a: &Cuboid, b: &Cuboid, way: [f64; 3]) -> bool {
    (0..3).all(|k| a[0][k] < b[1][k] + way[k] && b[0][k] + way[k] < a[1][k])
}

/// The shortest translation that takes boxes out of boxes: along each axis it is 0 or makes two faces meet, for
/// otherwise a shorter one would do.
fn shortest(a: &[Cuboid], b: &[Cuboid]) -> f64 {
    let mut steps: [Vec<f64>; 3] = [0; 3].map(|_| vec![0.0]);
    for (k, steps) in steps.iter_mut().enumerate() {
        for (x, y) in a.iter().flat_map(|x| b.iter().map(move |y| (x, y))) {
            steps.extend([x[1][k] - y[0][k], x[0][k] - y[1][k]]);
        }
    }
    let mut best = f64::INFINITY;
    for &x in &steps[0] {
        for &y in &steps[1] {
            for &z in &steps[2] {
                let length = DVec3::new(x, y, z).length();
                let is_free = || !a.iter().any(|s| b.iter().any(|t| overlap(s, t, [x, y, z])));
                if length < best && is_free() {
                    best = length;
                }
            }
        }
    }
    best
}

/// The separation holds the shortest one, and separates.
fn is_separation(found: &Separation, parts: &[Part; 2], truth: f64) {
    let Separation { length, direction } = found;
    assert!(length.lower <= truth * (1.0 + 1e-9) + ROUNDING, "{length:?} {truth}");
    assert!(length.upper >= truth * (1.0 - 1e-9) - ROUNDING, "{length:?} {truth}");
    assert!((direction.length() - 1.0).abs() < 1e-12);
    // A little farther, for the sake of rounding in the turned poses.
    assert!(is_out(parts, *direction * (length.upper * (1.0 + 1e-9) + ROUNDING)), "{found:?} {truth}");
}

/// A box with corners at whole numbers.
fn lattice(rng: &mut Random, reach: i32, longest: i32) -> Cuboid {
    let min = [0; 3].map(|_| rng.whole(0, reach));
    [min, min.map(|x| x + rng.whole(1, longest))]
}

#[test]
fn boxes_are_separated_along_an_axis() {
    let mut rng = Random::new(270);
    let mut overlaps = 0;
    for round in 0..300 {
        let (a, b) = (lattice(&mut rng, 6, 9), lattice(&mut rng, 6, 9));
        let pose = if round % 3 == 0 { Pose::IDENTITY } else { rng.any_pose(30.0) };
        let parts = [part(&[a], pose), part(&[b], pose)];
        let Some(found) = clash(parts.clone()).and_then(|clash| clash.separation) else {
            assert!(!overlap(&a, &b, [0.0; 3]));
            continue;
        };
        let truth = shortest(&[a], &[b]);
        is_separation(&found, &parts, truth);
        // Turned boxes that touch may be in each other by rounding.
        assert!(truth == 0.0 || found.length.upper <= truth * 1.05, "{round}: {found:?} {truth}");
        overlaps += 1;
    }
    assert!(overlaps > 100);
}

#[test]
fn of_a_box_in_a_box_the_interval_is_narrow() {
    let mut rng = Random::new(2);
    for round in 0..200 {
        let outer = [[0.0; 3], [0; 3].map(|_| rng.whole(4, 12))];
        // Flush at times, but not where rounding would make it stick out.
        let inside = if round % 3 == 0 { 0.0 } else { 0.01 };
        let min = [0; 3].map(|_| rng.whole(0, 3) + inside);
        let inner = [min, [0, 1, 2].map(|k| min[k] + rng.within(0.05, outer[1][k] - min[k] - inside))];
        let pose = if round % 3 == 0 { Pose::IDENTITY } else { rng.any_pose(30.0) };
        let mut parts = [part(&[outer], pose), part(&[inner], pose)];
        if round % 2 == 0 {
            parts.reverse();
        }
        let found = clash(parts.clone()).unwrap();
        assert_eq!(found.kind, ClashKind::Contained);
        let (truth, found) = (shortest(&[outer], &[inner]), found.separation.unwrap());
        is_separation(&found, &parts, truth);
        assert!(found.length.upper <= truth * (1.0 + 1e-9) + ROUNDING, "{round}: {found:?} {truth}");
        assert!(found.length.upper <= 2.0 * found.length.lower, "{round}: {found:?} {truth}");
    }
}

#[test]
fn parts_of_several_boxes_are_separated_between_the_bounds() {
    let mut rng = Random::new(46);
    let (mut overlaps, mut near) = (0, 0);
    for _ in 0..300 {
        // Two boxes on either side of a gap, as a bracket or a frame has.
        let mut two = || {
            let (low, high) = (lattice(&mut rng, 3, 4), lattice(&mut rng, 3, 4));
            let gap = 8.0 + rng.whole(0, 3);
            let axis = rng.below(3);
            let mut high = high;
            (high[0][axis], high[1][axis]) = (high[0][axis] + gap, high[1][axis] + gap);
            [low, high]
        };
        let (a, b) = (two(), two());
        let parts = [part(&a, Pose::IDENTITY), part(&b, Pose::IDENTITY)];
        let Some(found) = clash(parts.clone()).and_then(|clash| clash.separation) else { continue };
        let truth = shortest(&a, &b);
        is_separation(&found, &parts, truth);
        overlaps += 1;
        near += usize::from(found.length.upper <= 1.5 * truth);
    }
    assert!(overlaps > 50 && near * 10 > overlaps * 9, "{near} of {overlaps}");
}

/// A bracket: arms of length 10 and thickness 1 along x and y, 4 high.
fn bracket() -> Part {
    let outline = [[0.0, 0.0], [10.0, 0.0], [10.0, 1.0], [1.0, 1.0], [1.0, 10.0], [0.0, 10.0]];
    let vertices = [0.0, 4.0].iter().flat_map(|&z| outline.map(|[x, y]| DVec3::new(x, y, z))).collect();
    let caps = [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]];
    let mut triangles: Vec<[u32; 3]> = caps.iter().map(|&[i, j, k]| [i, k, j]).collect();
    triangles.extend(caps.map(|t| t.map(|i| i + 6)));
    for i in 0..6 {
        let j = (i + 1) % 6;
        triangles.extend([[i, j, j + 6], [i, j + 6, i + 6]]);
    }
    let mesh = Mesh::new(vertices, triangles).unwrap();
    Part { name: String::new(), body: body_of(Arc::new(mesh)), pose: Pose::IDENTITY }
}

/// The boxes of which the bracket is the union, which may overlap for the oracle.
const ARMS: [Cuboid; 2] = [[[0.0; 3], [10.0, 1.0, 4.0]], [[0.0; 3], [1.0, 10.0, 4.0]]];

#[test]
fn a_box_comes_out_of_a_bracket_into_its_corner() {
    let block = [[0.75, 4.0, 1.0], [4.0, 5.0, 2.0]];
    let parts = [bracket(), part(&[block], Pose::IDENTITY)];
    let found = clash(parts.clone()).unwrap();
    let Separation { length, direction } = found.separation.unwrap();
    assert!((length.upper - 0.25).abs() < 1e-9 && length.lower > 0.249, "{length:?}");
    assert!(direction.distance(DVec3::X) < 1e-9);
    // In the corner it has to leave both arms: by 1/4 and by 1/8.
    let block = [[0.75, 0.875, 1.0], [4.0, 5.0, 2.0]];
    let parts = [bracket(), part(&[block], Pose::IDENTITY)];
    let truth = shortest(&ARMS, &[block]);
    assert_eq!(truth, 0.25f64.hypot(0.125));
    let found = clash(parts.clone()).unwrap().separation.unwrap();
    is_separation(&found, &parts, truth);
    assert!(found.length.upper <= 2.0 * found.length.lower, "{found:?} {truth}");
}
