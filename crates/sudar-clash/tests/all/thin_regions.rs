//! Thin overlaps that taper: the largest ball in them is known, and far from where most of the overlap is.

use std::sync::Arc;

use sudar::glam::{DMat3, DVec3};
use sudar::{Aabb, Mesh, Pose};
use sudar_clash::{Assembly, Clash, ClashKind, ClashOptions, Part, body_of, find_clashes};
use sudar_testing::Random;

/// The band of what counts as touching: a millimetre.
const BAND: f64 = 1e-3;

fn cuboid(min: [f64; 3], max: [f64; 3], pose: Pose) -> Part {
    let mesh = Mesh::from_aabb(Aabb { min: min.into(), max: max.into() });
    Part { name: String::new(), body: body_of(Arc::new(mesh)), pose }
}

fn clash(parts: [Part; 2]) -> Clash {
    let mut options = ClashOptions::default();
    options.set_touch(BAND).unwrap();
    let report = find_clashes(&Assembly { parts: parts.into() }, &options, &|_, _| {}).unwrap();
    report.clashes.into_iter().next().unwrap()
}

/// A wall `thick` wide, of which a roof that slopes takes a wedge that is `high` at one side of the wall and nothing at
/// the other.
fn wall_and_roof(long: f64, thick: f64, high: f64, pose: &Pose) -> [Part; 2] {
    let top = 2.5;
    let wall = cuboid([0.0; 3], [long, thick, top], *pose);
    // Turned about the upper edge of the wall, down towards +y.
    let slope = DMat3::from_rotation_x(-(high / thick).atan());
    let turned = Pose::from_matrix(slope, DVec3::new(0.0, 0.0, top)).unwrap();
    let roof = cuboid([-1.0, -1.0, 0.0], [long + 1.0, thick + 1.0, 0.3], pose.after(&turned));
    [wall, roof]
}

#[test]
fn a_roof_that_takes_a_wedge_of_a_wall_is_no_touch() {
    let mut rng = Random::new(20261128);
    let mut measured = 0;
    for round in 0..200 {
        let (long, thick, high) = (rng.within(1.0, 12.0), rng.within(0.05, 0.4), rng.within(4e-4, 5e-3));
        let pose = if round == 0 { Pose::IDENTITY } else { rng.any_pose(100.0) };
        let mut parts = wall_and_roof(long, thick, high, &pose);
        if round % 2 == 1 {
            parts.reverse();
        }
        let found = clash(parts);
        // The circle in a triangle with a right angle is as wide as its legs are longer than its longest side.
        let ball = thick + high - thick.hypot(high);
        // What the band decides has no regions.
        if let Some(lower) = found.regions.first().map(|region| region.depth.lower) {
            assert!(lower <= ball * (1.0 + 1e-6) && lower >= 0.98 * ball, "{round}: {lower} {ball}");
            measured += 1;
        }
        if (ball / BAND - 1.0).abs() > 0.02 {
            let kind = if ball > BAND { ClashKind::Hard } else { ClashKind::Touch };
            assert_eq!(found.kind, kind, "{round}: {ball} {long} {thick} {high}");
        }
    }
    assert!(measured > 100, "{measured}");
}

/// A cuboid with its corners turned about z and moved as numbers of a file, which rounds them.
fn baked(min: DVec3, max: DVec3, turn: f64, offset: DVec3) -> Part {
    let turn = DMat3::from_rotation_z(turn);
    let mesh = Mesh::from_aabb(Aabb { min, max }).mapped(|p| turn * p + offset).unwrap();
    Part { name: String::new(), body: body_of(Arc::new(mesh)), pose: Pose::IDENTITY }
}

/// Corners at whole decimetres: parts are flush, inside, across or beside each other, and far from the origin each
/// corner is off by half a nanometre.
#[test]
fn kinds_are_the_same_at_national_coordinates() {
    let mut rng = Random::new(46);
    let mut counts = [0; ClashKind::ALL.len()];
    for round in 0..600 {
        let mut corners = || {
            let min = DVec3::from_array([0; 3].map(|_| rng.whole(0, 4) * 0.1));
            (min, min + DVec3::from_array([0; 3].map(|_| rng.whole(1, 4) * 0.1)))
        };
        let [(a, b), other] = [corners(), corners()];
        let (c, d) = if round % 20 == 0 { (a, b) } else { other };
        let turn = if round % 2 == 0 { 0.0 } else { rng.within(0.0, 6.0) };
        let kind = |turn: f64, offset: DVec3| {
            let mut options = ClashOptions::default();
            options.set_touch(BAND).unwrap();
            let parts = vec![baked(a, b, turn, offset), baked(c, d, turn, offset)];
            let report = find_clashes(&Assembly { parts }, &options, &|_, _| {}).unwrap();
            report.clashes.first().map(|clash| clash.kind)
        };
        let near = kind(0.0, DVec3::ZERO);
        assert_eq!(kind(turn, DVec3::new(456_789.0, 5_432_110.0, 312.5)), near, "{round}: {a} {b}, {c} {d}");
        counts[ClashKind::ALL.iter().position(|kind| Some(*kind) == near).unwrap_or(4)] += 1;
    }
    // Apart are those of the last.
    assert!(counts.iter().all(|count| *count > 0), "{counts:?}");
}
