//! What must change nothing: the order of the bodies, rigid motions, other units; and that nothing near a minimum is
//! nearer.

use rand::RngExt;
use sudar::effort::Budget;
use sudar::glam::DQuat;
use sudar::query::{Body, LocalMinimum, Work, local_minima};
use sudar::{DVec3, Pose, Triangle};
use sudar_testing::Random;

use super::mesh;
use super::random::{KINDS, Kind};

fn bodies(kind: Kind, seed: u64) -> [Body; 2] {
    let mut random = Random::new(seed);
    [(); 2].map(|()| Body::new(mesh(&kind.soup(&mut random))))
}

fn distances(found: &[LocalMinimum]) -> Vec<f64> {
    found.iter().map(|m| m.point_a.distance(m.point_b)).collect()
}

fn pose(random: &mut Random) -> Pose {
    let mut vector = || random.point() * 3.0;
    Pose::new(vector() * 10.0, DQuat::from_scaled_axis(vector())).unwrap()
}

#[test]
fn swapped_and_scaled_bodies_have_the_same_minima() {
    for kind in KINDS {
        for seed in 0..60 {
            let [a, b] = bodies(kind, seed);
            let there = local_minima(a.at(&Pose::IDENTITY), b.at(&Pose::IDENTITY), 7.0);
            let back = local_minima(b.at(&Pose::IDENTITY), a.at(&Pose::IDENTITY), 7.0);
            assert_eq!(distances(&there), distances(&back), "{kind:?} {seed}");
            for factor in [2f64.powi(-60), 2f64.powi(90)] {
                let scaled = |body: &Body| Body::new(body.mesh().unwrap().mapped(|p| p * factor).unwrap());
                let found = local_minima(
                    scaled(&a).at(&Pose::IDENTITY),
                    scaled(&b).at(&Pose::IDENTITY),
                    7.0 * factor,
                );
                let same = |m: &LocalMinimum, n: &LocalMinimum| {
                    m.features == n.features
                        && m.point_a * factor == n.point_a
                        && m.point_b * factor == n.point_b
                };
                assert!(found.len() == there.len() && there.iter().zip(&found).all(|(m, n)| same(m, n)));
            }
        }
    }
}

#[test]
fn turned_bodies_have_the_same_minima() {
    let mut random = Random::new(5);
    for kind in KINDS {
        for seed in 0..100 {
            let [a, b] = bodies(kind, seed);
            let still = local_minima(a.at(&Pose::IDENTITY), b.at(&Pose::IDENTITY), f64::INFINITY);
            let pose = pose(&mut random);
            let turned = local_minima(a.at(&pose), b.at(&pose), f64::INFINITY);
            // What merely touches comes apart by rounding, or crosses; as a minimum it is still there.
            let close = still.len() == turned.len()
                && distances(&still).iter().zip(distances(&turned)).all(|(d, e)| (d - e).abs() < 1e-11);
            assert!(close, "{kind:?} {seed}\n{:?}\n{:?}", distances(&still), distances(&turned));
        }
    }
}

/// Points of the triangles that have `x`, near it.
fn around(body: &Body, pose: &Pose, x: DVec3, size: f64, random: &mut Random) -> Vec<DVec3> {
    let count = body.mesh().unwrap().triangles().len() as u32;
    let triangles = (0..count).filter_map(|i| body.posed_triangle(pose, i));
    let near = triangles.filter(|t| sudar::pair::closest_point_triangle(x, t).distance() < 1e-12);
    let mut toward = |t: &Triangle| {
        let [u, v] = [(); 2].map(|()| random.random_range(0.0..1.0));
        let q = t.a + (t.b - t.a) * u + (t.c - t.a) * ((1.0 - u) * v);
        x + (q - x) * (size / (size + (q - x).length()))
    };
    near.flat_map(|t| (0..8).map(|_| toward(&t)).collect::<Vec<_>>()).collect()
}

#[test]
fn nothing_near_a_minimum_is_nearer() {
    let mut random = Random::new(6);
    for kind in [Kind::Wild, Kind::Sheet, Kind::Boxes, Kind::Dust] {
        for seed in 0..30 {
            let [a, b] = bodies(kind, seed);
            let (pose_a, pose_b) = (pose(&mut random), pose(&mut random));
            for minimum in local_minima(a.at(&pose_a), b.at(&pose_b), 20.0) {
                for size in [1e-3, 1e-6] {
                    let ours = around(&a, &pose_a, minimum.point_a, size, &mut random);
                    let theirs = around(&b, &pose_b, minimum.point_b, size, &mut random);
                    assert!(!ours.is_empty() && !theirs.is_empty());
                    for (x, y) in ours.iter().flat_map(|x| theirs.iter().map(move |y| (x, y))) {
                        let least = minimum.interval.upper - 1e-11;
                        assert!(x.distance(*y) >= least, "{kind:?} {seed} {minimum:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_budget_leaves_some_of_them_and_says_so() {
    let mut cut_short = 0;
    for seed in 0..20 {
        let [a, b] = bodies(Kind::Wild, seed);
        let all = local_minima(a.at(&Pose::IDENTITY), b.at(&Pose::IDENTITY), 9.0);
        for nodes in [0, 1, 2, 4, 8, 16, 64, u64::MAX] {
            let mut work = Work::new(Budget::nodes(nodes));
            let some = work.local_minima(a.at(&Pose::IDENTITY), b.at(&Pose::IDENTITY), 9.0);
            assert!(some.complete || nodes < u64::MAX);
            assert!(if some.complete {
                some.found == all
            } else {
                some.found.iter().all(|m| all.contains(m))
            });
            assert!(work.statistics().nodes <= nodes);
            cut_short += usize::from(!some.complete && !some.found.is_empty());
        }
    }
    assert!(cut_short > 10);
}
