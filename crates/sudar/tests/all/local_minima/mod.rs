//! Local minima of distance: against an exact oracle, closed forms, and under motions that must change nothing.
//!
//! `SUDAR_ORACLE_MINIMA=N` runs the oracle on N pairs of meshes of each kind instead of 300.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a test may fail, and says what it left out")]

mod agreement;
mod closed_forms;
mod exact;
mod motions;
mod oracle;
mod parallel;
mod random;

use oracle::{Piece, Soup, pieces};
use random::{KINDS, Kind, bumpy_ring};
use sudar::query::{Body, DistanceOptions, distance, local_minima, prominent_minima};
use sudar::{DVec3, Mesh, Pose};
use sudar_testing::oracle::setting;
use sudar_testing::{Random, meshes};

/// The triangles with three corners of their own each.
pub fn mesh(soup: &Soup) -> Mesh {
    meshes::soup(soup.iter().flatten().map(|p| DVec3::from(p.map(|x| x as f64))).collect())
}

fn cases() -> usize {
    setting("SUDAR_ORACLE_MINIMA", 300)
}

fn height(squared: exact::Ratio) -> f64 {
    squared.to_f64().sqrt()
}

/// The distances of the oracle's minima, of at least a prominence.
fn expected(all: &[Piece], tolerance: f64, prominence: f64) -> Vec<f64> {
    let rise = |piece: &Piece| piece.death.map_or(f64::INFINITY, |death| height(death) - height(piece.birth));
    let kept = all.iter().filter(|piece| rise(piece) > prominence).map(|piece| height(piece.birth));
    kept.filter(|&d| d <= tolerance).collect()
}

fn check(kind: Kind, seed: u64) -> usize {
    let mut random = Random::new(seed);
    let (a, b) = (kind.soup(&mut random), kind.soup(&mut random));
    let (left, right) = (Body::new(mesh(&a)), Body::new(mesh(&b)));
    let all = pieces(&a, &b);
    // Rounding is 2e-12 here (64 ε · 2 · 2 · 40). One in ten thousand pairs has a piece between that and 1e-9.
    if all.iter().any(|p| p.death.is_some_and(|death| height(death) - height(p.birth) < 2e-11)) {
        println!("{kind:?} {seed} is left out: one rises by less than 2e-11");
        return 0;
    }
    for (tolerance, prominence) in [(f64::INFINITY, 0.0), (2.5, 0.0), (0.0, 0.0), (6.5, 0.37)] {
        let found =
            prominent_minima(left.at(&Pose::IDENTITY), right.at(&Pose::IDENTITY), tolerance, prominence);
        let expected = expected(&all, tolerance, prominence);
        let distances: Vec<f64> = found.iter().map(|m| m.point_a.distance(m.point_b)).collect();
        let agree = distances.len() == expected.len()
            && distances.iter().zip(&expected).all(|(d, e)| (d - e).abs() < 1e-12);
        assert!(
            agree,
            "{kind:?} {seed} up to {tolerance}: {distances:?}, expected {expected:?}\n{a:?}\n{b:?}"
        );
        for (minimum, expected) in found.iter().zip(&expected) {
            assert!(minimum.interval.lower <= expected + 1e-15 && expected - 1e-15 <= minimum.interval.upper);
            let [i, j] = minimum.features;
            for (body, t, p) in [(&left, i, minimum.point_a), (&right, j, minimum.point_b)] {
                let t = body.posed_triangle(&Pose::IDENTITY, t).unwrap();
                assert!(sudar::pair::closest_point_triangle(p, &t).distance() < 1e-10);
            }
            assert!((minimum.point_a.distance(minimum.point_b) - expected).abs() < 1e-10);
        }
    }
    all.len()
}

#[test]
fn minima_are_those_of_the_oracle() {
    for kind in KINDS {
        let minima: usize = (0..cases() as u64).map(|seed| check(kind, seed)).sum();
        println!("{kind:?}: {minima} minima in {} pairs", cases());
    }
}

#[test]
fn fans_have_the_minima_of_the_oracle() {
    let minima: usize = (0..(cases() / 8) as u64).map(|seed| check(Kind::Fans, seed)).sum();
    println!("fans: {minima} minima in {} pairs", cases() / 8);
}

#[test]
fn the_least_is_the_distance() {
    for kind in KINDS {
        for seed in 0..50 {
            let mut random = Random::new(1000 + seed);
            let [a, b] = [(); 2].map(|()| Body::new(mesh(&kind.soup(&mut random))));
            let found = local_minima(a.at(&Pose::IDENTITY), b.at(&Pose::IDENTITY), f64::INFINITY);
            let least = distance(a.at(&Pose::IDENTITY), b.at(&Pose::IDENTITY), &DistanceOptions::EXACT);
            let (first, least) = (found[0].interval, least.interval);
            assert!(
                first.lower <= least.upper && least.lower <= first.upper && first.width() < 1e-11,
                "{kind:?} {seed} {first:?} {least:?}"
            );
        }
    }
}

#[test]
fn bumpy_rings_have_the_minima_of_the_oracle() {
    for seed in 0..2 {
        let mut random = Random::new(seed);
        let (a, b) = (bumpy_ring(&mut random), bumpy_ring(&mut random));
        let all = pieces(&a, &b);
        let (left, right) = (Body::new(mesh(&a)), Body::new(mesh(&b)));
        for (tolerance, prominence) in [(f64::INFINITY, 0.0), (150.0, 0.0), (400.0, 20.0)] {
            let found =
                prominent_minima(left.at(&Pose::IDENTITY), right.at(&Pose::IDENTITY), tolerance, prominence);
            let distances: Vec<f64> = found.iter().map(|m| m.point_a.distance(m.point_b)).collect();
            let expected = expected(&all, tolerance, prominence);
            let many = expected.len() > 1 || prominence > 0.0;
            assert!(many && distances.len() == expected.len(), "{distances:?} {expected:?}");
            assert!(distances.iter().zip(&expected).all(|(d, e)| (d - e).abs() < 1e-10));
        }
    }
}
