//! Meshes on which boxes along the axes separate nothing: right by brute force, and no more work than n log n
//! and what is found.
//!
//! Work is counted, not timed. `SUDAR_ORACLE_HARD=N` tries N times as many poses.

#![allow(clippy::unwrap_used, reason = "all of this file is test code")]

use glam::{DQuat, DVec3};
use rand::RngExt;
use sudar::effort::{Budget, Statistics};
use sudar::pair::triangles_meet_beyond_shared_corners;
use sudar::query::{
    Body, DistanceEnd, DistanceOptions, Work, contacts, distance, intersects, self_intersections, within,
};
use sudar::{Aabb, Interval, Mesh, Pose};
use sudar_testing::meshes::{least_distance, meeting_pairs, posed, sheet};
use sudar_testing::{Random, at, hard_meshes};

/// The answer of a query and what it took.
fn counted<T>(query: impl FnOnce(&mut Work) -> T) -> (T, Statistics) {
    let mut work = Work::new(Budget::UNLIMITED);
    let answer = query(&mut work);
    (answer, work.statistics())
}

/// Two crossing bundles.
fn bundles(count: u32) -> [Body; 2] {
    let axes = [DVec3::new(1.0, 0.9, 0.8), DVec3::new(1.0, 0.7, -1.2)];
    [0, 1].map(|k| Body::new(hard_meshes::pipes(count, 8, axes[k], k as u64)))
}

/// What a verb opens and decides for bundles of 100 and of 400 pipes, and how many pairs it finds.
fn growth(verb: impl Fn(&mut Work, [&Body; 2]) -> usize) -> [(usize, Statistics); 2] {
    [100, 400].map(|count| {
        let [a, b] = bundles(count);
        counted(|work| verb(work, [&a, &b]))
    })
}

/// From n to 4n with more to find, work grows no faster than (n + found)·log n, with half as much again for chance.
fn assert_slow(what: &str, [few, many]: [(usize, Statistics); 2]) {
    let size = |count: f64, found: usize| (16.0 * count + found as f64) * (16.0 * count).ln();
    let most = 1.5 * size(400.0, many.0) / size(100.0, few.0);
    for (few, many) in [(few.1.nodes, many.1.nodes), (few.1.triangles, many.1.triangles)] {
        assert!(many as f64 <= most * few as f64 + 3000.0, "{what}: {few} → {many}, at most × {most}");
    }
}

#[test]
fn bundles_of_pipes_apart_are_told_so_at_once() {
    let apart = at(3.0, -4.0, 0.3);
    let here = Pose::IDENTITY;
    let first = growth(|work, [a, b]| {
        assert!(!work.intersects(a.at(&here), b.at(&apart)).is_touching());
        0
    });
    let all = growth(|work, [a, b]| work.contacts(a.at(&here), b.at(&apart)).found.len());
    assert!(all.iter().all(|(found, _)| *found == 0));
    let far = growth(|work, [a, b]| {
        let d = work.distance(a.at(&here), b.at(&apart), &DistanceOptions::EXACT);
        assert_eq!(d.end, DistanceEnd::Exact);
        0
    });
    for ratio in [0.5, 0.999, 1.001, 2.0] {
        let near = growth(|work, [a, b]| {
            let d = distance(a.at(&here), b.at(&apart), &DistanceOptions::EXACT).interval.upper;
            assert_eq!(work.within(a.at(&here), b.at(&apart), ratio * d).decided(), Some(ratio > 1.0));
            0
        });
        assert_slow("within", near);
    }
    for (what, found) in [("first hit", first), ("all contacts", all), ("distance", far)] {
        assert_slow(what, found);
    }
    // As wholes they are apart: two bundles of any size take no more.
    assert!(first[1].1.nodes < 300 && all[1].1.nodes < 300);
}

#[test]
fn bundles_that_cross_cost_what_is_found() {
    let here = Pose::IDENTITY;
    for place in [at(0.1, 0.2, 0.1), at(1.5, -1.8, 0.2)] {
        assert_slow("contacts", growth(|work, [a, b]| work.contacts(a.at(&here), b.at(&place)).found.len()));
        assert_slow(
            "first hit",
            growth(|work, [a, b]| usize::from(work.intersects(a.at(&here), b.at(&place)).is_touching())),
        );
    }
    assert_slow("itself", growth(|work, [a, _]| work.self_intersections(a.at(&here)).found.len()));
}

#[test]
fn fans_meet_themselves_nowhere_for_linear_work() {
    for (share, height) in [(1.0, 0.0), (0.4, 0.0), (1.0, 0.7), (0.9, 30.0)] {
        let of = |n| {
            let fan = Body::new(hard_meshes::fan(n, share, height));
            let (found, work) = counted(|work| work.self_intersections(fan.at(&Pose::IDENTITY)));
            assert!(found.found.is_empty() && found.complete);
            work
        };
        let (few, many) = (of(500), of(4000));
        // Eight times as many, times the ratio of the logarithms, 8.3 to 6.2.
        assert!(many.nodes < 11 * few.nodes && many.triangles < 11 * few.triangles, "{few:?} {many:?}");
        assert!(many.triangles < 40 * 4000, "{many:?}");
    }
}

#[test]
fn a_small_body_at_the_tip_of_a_fan_meets_it_after_a_few_steps() {
    let small = Body::new(Mesh::from_aabb(Aabb { min: DVec3::splat(-1e-3), max: DVec3::splat(1e-3) }));
    for (n, height) in [(500, 0.0), (20_000, 0.0), (20_000, 0.7), (20_000, 30.0)] {
        let fan = Body::new(hard_meshes::fan(n, 1.0, height));
        let there = Pose::new(DVec3::new(3e-4, 1e-4, 2e-4 + height), DQuat::from_rotation_x(0.4)).unwrap();
        let (fan, small) = (fan.at(&Pose::IDENTITY), small.at(&there));
        for [a, b] in [[fan, small], [small, fan]] {
            let (found, work) = counted(|work| work.intersects(a, b));
            assert!(found.is_touching(), "{n} {height}: {found:?}");
            // Every triangle has its corner in the small body: a search that looks at all of them takes thousands.
            assert!(work.nodes < 100 && work.triangles < 300, "{n} {height}: {work:?}");
        }
    }
}

#[test]
fn fans_and_piles_face_to_face_are_apart_as_wholes() {
    let here = Pose::IDENTITY;
    let kinds = [
        hard_meshes::fan(900, 1.0, 0.0),
        sheet(30, |_, _| 0.0),
        hard_meshes::pile(2000, 3),
        hard_meshes::repeated(2000),
    ];
    for mesh in kinds {
        let normal = {
            let [a, b, c] = mesh.triangle(0).corners();
            (b - a).cross(c - a).normalize()
        };
        let body = Body::new(mesh);
        for gap in [1.0, 1e-3, 1e-9] {
            let there = Pose::from_translation(normal * gap).unwrap();
            let (d, work) =
                counted(|work| work.distance(body.at(&here), body.at(&there), &DistanceOptions::EXACT));
            assert!(
                d.interval.lower <= gap + 1e-15
                    && d.interval.upper >= gap - 1e-15
                    && d.interval.width() < 1e-12,
                "{d:?}"
            );
            assert!(work.nodes < 100, "{work:?}");
            let (met, work) = counted(|work| work.intersects(body.at(&here), body.at(&there)));
            assert!(!met.is_touching() && work.nodes < 300, "{work:?}");
            let (found, work) = counted(|work| work.contacts(body.at(&here), body.at(&there)));
            assert!(found.found.is_empty() && work.nodes < 300, "{work:?}");
            for (ratio, answer) in [(0.5, false), (2.0, true)] {
                let (near, work) = counted(|work| work.within(body.at(&here), body.at(&there), ratio * gap));
                assert_eq!(near.decided(), Some(answer));
                assert!(work.nodes < 1000, "{work:?}");
            }
        }
    }
}

/// Two plates with a post on each, so that no slab fits between them: the nearest is found among all pairs
/// that lie above each other, which the search must not keep.
#[test]
fn plates_with_posts_are_decided_among_thousands_of_ties() {
    let post = |x: f64, height: f64| {
        let corners = [DVec3::new(x, 4.0, 0.0), DVec3::new(x + 0.1, 4.0, 0.0), DVec3::new(x, 4.0, height)];
        Mesh::new(corners.to_vec(), vec![[0, 1, 2]]).unwrap()
    };
    let plate = hard_meshes::pile(800, 8);
    let [a, b] =
        [post(0.0, 1.0), post(2.0, -1.0)].map(|post| Body::new(Mesh::joined([&plate, &post]).unwrap()));
    let there = at(0.0, 0.0, 1e-3);
    let d = distance(a.at(&Pose::IDENTITY), b.at(&there), &DistanceOptions::EXACT);
    assert!(d.interval.contains(1e-3) && d.interval.width() < 1e-12, "{d:?}");
    for (tolerance, answer) in [(0.999e-3, false), (1.001e-3, true)] {
        assert_eq!(within(a.at(&Pose::IDENTITY), b.at(&there), tolerance).decided(), Some(answer));
    }
    // A limit does not make the first within it the nearest.
    let limited = distance(a.at(&Pose::IDENTITY), b.at(&there), &DistanceOptions::up_to(2e-3));
    assert!(limited.interval.contains(1e-3) && limited.interval.width() < 1e-12, "{limited:?}");
}

fn check(a: &Mesh, pose_a: &Pose, b: &Mesh, pose_b: &Pose, size: f64) -> bool {
    let (ours, theirs) = (posed(a, pose_a), posed(b, pose_b));
    let (met, least) = (meeting_pairs(&ours, &theirs), least_distance(&ours, &theirs));
    let [p, q] = [a, b].map(|mesh| Body::new(mesh.clone()));
    assert_eq!(contacts(p.at(pose_a), q.at(pose_b)), met);
    assert_eq!(intersects(p.at(pose_a), q.at(pose_b)).is_touching(), !met.is_empty());
    let d = distance(p.at(pose_a), q.at(pose_b), &DistanceOptions::EXACT).interval;
    if met.is_empty() {
        assert!(
            d.lower <= least.upper && d.upper >= least.lower && d.width() < 1e-11 * size,
            "{d:?} {least:?}"
        );
        for ratio in [0.5, 0.99, 1.01, 2.0] {
            if 0.01 * least.upper > 1e-11 * size {
                let near = within(p.at(pose_a), q.at(pose_b), ratio * least.upper).decided();
                assert_eq!(near, Some(ratio > 1.0), "{ratio} {least:?}");
            }
        }
    } else {
        assert_eq!(d, Interval::point(0.0));
    }
    let own = self_intersections(p.at(pose_a));
    let pairs = (0..ours.len()).flat_map(|i| (i + 1..ours.len()).map(move |j| [i, j]));
    let meet = pairs.filter(|[i, j]| triangles_meet_beyond_shared_corners(&ours[*i], &ours[*j]));
    assert_eq!(own, meet.map(|pair| pair.map(|i| i as u32)).collect::<Vec<_>>());
    met.is_empty()
}

#[test]
fn every_kind_at_every_scale_is_as_by_brute_force() {
    let rounds = std::env::var("SUDAR_ORACLE_HARD").map_or(1, |n| n.parse().unwrap());
    let kinds = || {
        [
            hard_meshes::pipes(14, 5, DVec3::new(1.0, 0.9, 0.8), 5),
            hard_meshes::needles(150, 6),
            hard_meshes::fan(130, 1.0, 0.0),
            hard_meshes::fan(130, 0.8, 2.0),
            sheet(8, |_, _| 0.0),
            hard_meshes::pile(90, 7),
            hard_meshes::repeated(60),
            hard_meshes::shells(2, 8, 0.7),
        ]
    };
    let mut random = Random::new(9);
    let (mut apart, mut touching) = (0, 0);
    let scales = [1.0, 1e-12, 1e9, 3e-5];
    for round in 0..rounds {
        for (i, a) in kinds().iter().enumerate() {
            for (j, b) in kinds().iter().enumerate() {
                let scale = scales[(i + j + round) % 4];
                let [a, b] = [a, b].map(|mesh| mesh.mapped(|p| p * scale).unwrap());
                let turn: [f64; 4] = std::array::from_fn(|_| random.random_range(-1.0..1.0));
                let frame = DQuat::from_array(turn).normalize();
                // Flush and parallel, at an angle, or at any.
                let lean = [0.0, 1e-7, 2.0][(i + 3 * j + round) % 3];
                let lean = DQuat::from_scaled_axis(DVec3::new(0.3, 0.5, -0.2) * lean);
                let away = DVec3::new(0.2, 0.1, [1e-9, 0.01, 4.0][(i + j) % 3]) * scale;
                let here = Pose::new(DVec3::splat(scale), frame).unwrap();
                let there = Pose::new(DVec3::splat(scale) + frame * away, frame * lean).unwrap();
                if check(&a, &here, &b, &there, 10.0 * scale) { apart += 1 } else { touching += 1 }
            }
        }
    }
    assert!(apart > 10 && touching > 10, "{apart} apart, {touching} touching: the test lost its point");
}

#[test]
fn budgets_of_nodes_hold_on_hard_meshes() {
    let [a, b] = bundles(60);
    let fan = Body::new(hard_meshes::fan(700, 1.0, 0.0));
    let here = Pose::IDENTITY;
    for place in [at(3.0, -4.0, 0.3), at(0.1, 0.2, 0.1)] {
        for nodes in [0, 1, 20, 33, 100, 129, 140, 500] {
            let spent = |query: &dyn Fn(&mut Work)| {
                let mut work = Work::new(Budget::nodes(nodes));
                query(&mut work);
                assert!(work.statistics().nodes <= nodes, "{:?} of {nodes}", work.statistics());
            };
            spent(&|work| drop(work.contacts(a.at(&here), b.at(&place))));
            spent(&|work| drop(work.self_intersections(fan.at(&here))));
            let is_apart = place == at(3.0, -4.0, 0.3);
            spent(&|work| {
                let met = work.intersects(a.at(&here), b.at(&place)).decided();
                assert_ne!(met, Some(is_apart));
            });
            let truth = distance(a.at(&here), b.at(&place), &DistanceOptions::EXACT).interval;
            spent(&|work| {
                let found = work.distance(a.at(&here), b.at(&place), &DistanceOptions::EXACT).interval;
                assert!(found.lower <= truth.upper && found.upper >= truth.lower);
            });
        }
    }
}
