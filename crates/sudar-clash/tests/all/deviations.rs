//! Cylinders of known radius, as the prisms that files make of them.

use std::f64::consts::{PI, TAU};
use std::sync::Arc;

use sudar::glam::DVec3;
use sudar::{Aabb, Mesh, Pose};
use sudar_clash::{Assembly, Clash, ClashKind, ClashOptions, Part, body_of, find_clashes};
use sudar_testing::Random;

/// The prism of `n` sides with its corners on a cylinder about z, from −2 to 2.
fn prism(radius: f64, n: u32, turn: f64) -> Part {
    let rim = (0..n).map(|k| (turn + TAU * f64::from(k) / f64::from(n)).sin_cos());
    let corner = |z: f64| move |(sin, cos): (f64, f64)| DVec3::new(radius * cos, radius * sin, z);
    let vertices = rim.clone().map(corner(-2.0)).chain(rim.map(corner(2.0))).collect();
    let mut triangles: Vec<[u32; 3]> = Vec::new();
    for i in 0..n {
        let j = (i + 1) % n;
        triangles.extend([[i, j, j + n], [i, j + n, i + n]]);
    }
    for i in 1..n - 1 {
        triangles.extend([[0, i + 1, i], [n, n + i, n + i + 1]]);
    }
    let mesh = Mesh::new(vertices, triangles).unwrap();
    Part { name: String::new(), body: body_of(Arc::new(mesh)), pose: Pose::IDENTITY }
}

/// A block beyond x, longer and wider than the prism and thicker than it is round.
fn block(x: f64) -> Part {
    let mesh = Mesh::from_aabb(Aabb { min: DVec3::new(x, -9.0, -9.0), max: DVec3::new(x + 9.0, 9.0, 9.0) });
    Part { name: String::new(), body: body_of(Arc::new(mesh)), pose: Pose::IDENTITY }
}

fn clash(parts: [Part; 2], deviations: [f64; 2], [clearance, band]: [f64; 2]) -> Option<Clash> {
    let mut options = ClashOptions::new(clearance).unwrap();
    options.set_touch(band).unwrap();
    options.set_deviations(deviations.to_vec()).unwrap();
    let report = find_clashes(&Assembly { parts: parts.into() }, &options, &|_, _| {}).unwrap();
    report.clashes.into_iter().next()
}

/// How far the sides of the prism are inside the cylinder at most.
fn sagitta(radius: f64, n: u32) -> f64 {
    radius * (1.0 - (PI / f64::from(n)).cos())
}

#[test]
fn intervals_hold_what_the_cylinder_has_and_no_clash_is_hidden() {
    let mut rng = Random::new(46);
    let (mut uncertain, mut certain) = (0, 0);
    for round in 0..400 {
        let n = 6 + rng.below(40) as u32;
        let radius = rng.within(0.1, 1.0);
        let off = sagitta(radius, n);
        // The true depth: below zero it is a gap.
        let depth = rng.within(-2.0, 4.0) * off;
        let parts = [prism(radius, n, rng.within(0.0, TAU)), block(radius - depth)];
        let found = clash(parts, [off, 0.0], [0.0, 0.0]);
        let Some(found) = found else {
            assert!(depth <= 1e-12, "{round}: {depth} is hidden");
            continue;
        };
        match found.kind {
            ClashKind::Hard => {
                let (thick, out) = (found.depth.unwrap(), found.separation.unwrap().length);
                let truth = depth.max(0.0);
                assert!(
                    thick.lower <= truth + 1e-9 && thick.upper >= truth - 1e-9,
                    "{round}: {thick:?} {depth}"
                );
                assert!(out.lower <= truth + 1e-9 && out.upper >= truth - 1e-9, "{round}: {out:?} {depth}");
                assert!(depth > 0.0 || found.uncertain, "{round}: {depth}");
            }
            ClashKind::Touch => {
                assert!(found.uncertain, "{round}: {depth}");
                assert!(found.distance.lower <= (-depth).max(0.0) + 1e-9);
                assert!(found.distance.upper >= -depth - 1e-9);
            }
            kind @ (ClashKind::Duplicate | ClashKind::Contained | ClashKind::Clearance) => {
                panic!("{round}: {kind:?}")
            }
        }
        uncertain += u32::from(found.uncertain);
        certain += u32::from(!found.uncertain);
    }
    assert!(uncertain > 50 && certain > 50, "{uncertain} {certain}");
}

#[test]
fn a_gap_may_be_a_touch_or_beyond_the_clearance() {
    let (radius, n) = (1.0, 16);
    let off = sagitta(radius, n);
    // A side faces the block, so that the triangles are farther away than the cylinder by all of it.
    let at = |gap: f64| [prism(radius, n, PI / f64::from(n)), block(radius + gap)];
    let found = |gap: f64, terms| clash(at(gap), [off, 0.0], terms);
    let near = found(0.5 * off, [4.0 * off, 0.0]).unwrap();
    assert_eq!((near.kind, near.uncertain), (ClashKind::Clearance, false));
    assert!(near.distance.contains(0.5 * off), "{:?}", near.distance);
    // The triangles are 4.5 apart, the cylinder 3.5, in units of the deviation: within the clearance of 4.
    let edge = found(3.5 * off, [4.0 * off, 0.0]).unwrap();
    assert_eq!((edge.kind, edge.uncertain), (ClashKind::Clearance, true));
    assert!(found(5.5 * off, [4.0 * off, 0.0]).is_none());
    // Without the deviation it is beyond.
    assert!(clash(at(3.5 * off), [0.0; 2], [4.0 * off, 0.0]).is_none());
    // Two deviations add up.
    let both = clash(at(3.5 * off), [off, 2.0 * off], [4.0 * off, 0.0]).unwrap();
    assert!((both.distance.width() - 6.0 * off).abs() < 1e-9 && both.uncertain);
}

#[test]
fn what_is_inside_may_stick_out() {
    let shell = || {
        let mesh = Mesh::from_aabb(Aabb { min: DVec3::splat(-1.0), max: DVec3::splat(1.0) });
        Part { name: String::new(), body: body_of(Arc::new(mesh)), pose: Pose::IDENTITY }
    };
    let small = |radius: f64| {
        let pose = Pose::from_translation(DVec3::X * 0.5).unwrap();
        let mesh =
            prism(radius, 12, PI / 12.0).body.mesh().unwrap().mapped(|p| p * DVec3::new(1.0, 1.0, 0.2));
        Part { name: String::new(), body: body_of(Arc::new(mesh.unwrap())), pose }
    };
    for (radius, uncertain) in [(0.4, false), (0.51, true)] {
        let off = sagitta(radius, 12);
        let found = clash([shell(), small(radius)], [0.0, off], [0.0, 1e-9]).unwrap();
        assert_eq!((found.kind, found.uncertain), (ClashKind::Contained, uncertain), "{radius}");
    }
}

#[test]
fn a_deviation_is_a_length() {
    let mut options = ClashOptions::default();
    assert!(options.set_deviations(vec![0.0, f64::NAN]).is_err());
    assert!(options.set_deviations(vec![-1.0]).is_err());
    assert_eq!(options, ClashOptions::default());
}
