//! Memories of pairs: along any path the answers are those of queries without memory.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

use std::sync::Arc;

use glam::{DQuat, DVec3};
use rand::RngExt;
use sudar::effort::{Budget, Statistics};
use sudar::query::{
    Body, Distance, DistanceEnd, DistanceOptions, Memory, StopReason, Within, Work, distance, intersects,
    within,
};
use sudar::{Capsule, Compound, Cone, Cuboid, Ellipsoid, Halfspace, Mesh, Pose, Shape, Sphere};
use sudar_testing::Random;
use sudar_testing::meshes::{direction, round, solid};

/// A sphere of n·2n·2 triangles with bumps, closed.
fn bumpy(n: u32, bumps: f64) -> Mesh {
    round(n, 2 * n, |t, f| direction(t, f) * (1.0 + bumps * (5.0 * t).sin() * (4.0 * f).cos()))
}

/// Poses that begin anywhere, mostly go on smoothly, sometimes rest and sometimes jump.
struct Path {
    rng: Random,
    at: DVec3,
    turn: DQuat,
    way: DVec3,
    spin: DVec3,
}

impl Path {
    fn new(seed: u64) -> Self {
        let mut rng = Random::new(seed);
        let (at, spin) = (rng.point() * 2.5, rng.point() * 0.05);
        let way = rng.point() * 0.04;
        Self { rng, at, turn: DQuat::IDENTITY, way, spin }
    }

    fn next(&mut self) -> Pose {
        match self.rng.random_range(0..40) {
            0 => self.at = self.rng.point() * 2.5,
            1 => self.way = -self.at * self.rng.random_range(0.0..0.1),
            2 => self.spin = self.rng.point() * 0.1,
            3 => return Pose::new(self.at, self.turn).unwrap(),
            _ => {}
        }
        self.at += self.way;
        if self.at.length() > 4.0 {
            self.way = -self.way;
        }
        self.turn = (DQuat::from_scaled_axis(self.spin) * self.turn).normalize();
        Pose::new(self.at, self.turn).unwrap()
    }
}

fn bodies() -> Vec<(&'static str, Body)> {
    let parts = vec![
        (Shape::Sphere(Sphere::new(DVec3::ZERO, 0.4).unwrap()), Pose::IDENTITY),
        (Shape::Mesh(Arc::new(bumpy(6, 0.2))), Pose::from_translation(DVec3::X).unwrap()),
    ];
    vec![
        ("mesh", Body::new(bumpy(16, 0.1))),
        ("rough mesh", Body::new(bumpy(9, 0.35))),
        ("solid", solid(bumpy(12, 0.05))),
        ("small solid", solid(bumpy(5, 0.1).mapped(|p| p * 0.2).unwrap())),
        ("box", Body::new(Cuboid::new(DVec3::new(0.5, 0.3, 0.7)).unwrap())),
        ("ball", Body::new(Sphere::new(DVec3::ZERO, 0.5).unwrap())),
        ("capsule", Body::new(Capsule::new(0.2, 0.6).unwrap())),
        ("cone", Body::new(Cone::new(0.4, 0.5).unwrap())),
        ("ellipsoid", Body::new(Ellipsoid::new(DVec3::new(0.3, 0.5, 0.8)).unwrap())),
        ("compound", Body::new(Compound::new(parts).unwrap())),
        ("halfspace", Body::new(Halfspace::new(DVec3::new(0.0, 0.6, 0.8), -1.0).unwrap())),
    ]
}

/// A true interval has a point in common with every other true interval.
fn agree(cold: &Distance, warm: &Distance, what: &str) {
    let (c, w) = (cold.interval, warm.interval);
    assert!(c.lower <= w.upper && w.lower <= c.upper, "{what}: {c:?} {w:?}");
    assert_eq!(c.upper == 0.0, w.upper == 0.0, "{what}");
}

#[test]
fn along_any_path_answers_are_those_without_memory() {
    let all = bodies();
    let (mut kept, mut hits) = (0, 0);
    for (k, (name, a)) in all.iter().enumerate() {
        for (l, (other, b)) in all.iter().enumerate() {
            let (mut path, mut mine) = (Path::new((100 * k + l) as u64), Path::new(7));
            let mut memories: [Memory; 4] = Default::default();
            for step in 0..60 {
                let what = format!("{name} and {other}, step {step}");
                let pose_b = path.next();
                // Every other pair has two moving bodies.
                let pose_a = if (k + l) % 2 == 0 { Pose::IDENTITY } else { mine.next() };
                let cold = intersects(a.at(&pose_a), b.at(&pose_b));
                let warm = memories[0].intersects(a.at(&pose_a), b.at(&pose_b));
                // Round bodies may be undecided with or without.
                if let (Some(cold), Some(warm)) = (cold.decided(), warm.decided()) {
                    assert_eq!(cold, warm, "{what}");
                }
                hits += u32::from(cold.is_touching());
                let cold = distance(a.at(&pose_a), b.at(&pose_b), &DistanceOptions::EXACT);
                let warm = memories[1].distance(a.at(&pose_a), b.at(&pose_b), &DistanceOptions::EXACT);
                agree(&cold, &warm, &what);
                let as_narrow_as_can_be = |end: DistanceEnd| {
                    matches!(end, DistanceEnd::Exact | DistanceEnd::Stopped(StopReason::Precision))
                };
                assert!(as_narrow_as_can_be(warm.end) && as_narrow_as_can_be(cold.end), "{what}: {warm:?}");
                let rough = DistanceOptions { relative: 0.2, absolute: 1e-3, max: 1.5 };
                let warm = memories[2].distance(a.at(&pose_a), b.at(&pose_b), &rough);
                assert!(warm.interval.lower <= cold.interval.upper, "{what}");
                assert!(cold.interval.lower <= warm.interval.upper, "{what}");
                assert!(warm.end != DistanceEnd::Stopped(StopReason::Budget), "{what}");
                for (tolerance, memory) in [(0.3, 3), (0.0, 3), (cold.interval.upper, 3)] {
                    let warm = memories[memory].within(a.at(&pose_a), b.at(&pose_b), tolerance);
                    let cold = within(a.at(&pose_a), b.at(&pose_b), tolerance);
                    if let (Some(cold), Some(warm)) = (cold.decided(), warm.decided()) {
                        assert_eq!(cold, warm, "{what}: within {tolerance}");
                    }
                    if let Within::Yes { point_a, point_b, .. } = warm {
                        assert!((point_a - point_b).length() <= tolerance * (1.0 + 1e-12) + 1e-12, "{what}");
                    }
                }
            }
            kept += memories.iter().map(|m| m.statistics().remembered).sum::<u64>();
        }
    }
    assert!(kept > 1000 && hits > 500, "{kept} answers from memory, {hits} hits: the test lost its point");
}

/// A smooth path that begins so far from the origin.
fn smooth(far: f64) -> Vec<Pose> {
    let pose = |k: u32| {
        let t = f64::from(k) * 0.002;
        let turn = DQuat::from_scaled_axis(DVec3::new(t, 0.3 + t, -t));
        Pose::new(DVec3::new(far - 0.2 * t, t, 0.1), turn).unwrap()
    };
    (0..300).map(pose).collect()
}

/// Nodes opened and queries answered from what was known, of 300 on a smooth path from so far on.
fn along_a_smooth_path(far: f64) -> Statistics {
    let a = Body::new(bumpy(60, 0.1));
    let mut memory = Memory::default();
    for pose in &smooth(far) {
        assert!(!memory.intersects(a.at(&Pose::IDENTITY), a.at(pose)).is_touching());
    }
    memory.statistics()
}

#[test]
fn a_smooth_path_of_bodies_apart_opens_next_to_nothing() {
    let found = along_a_smooth_path(3.2);
    assert!(found.remembered > 280 && found.nodes < 100, "{found:?}");
}

/// Near each other slack lasts for few queries, and looking for it costs as much as they do: it is tried rarely.
#[test]
fn a_memory_that_does_not_pay_opens_few_nodes_more() {
    let found = along_a_smooth_path(2.4);
    let a = Body::new(bumpy(60, 0.1));
    let mut work = Work::new(Budget::UNLIMITED);
    for pose in &smooth(2.4) {
        work.intersects(a.at(&Pose::IDENTITY), a.at(pose));
    }
    let plain = work.statistics().nodes;
    assert!(found.nodes < plain + plain / 10, "{found:?}, {plain} without");
}

#[test]
fn a_slow_path_opens_fewer_nodes_for_its_distances() {
    let a = Body::new(bumpy(60, 0.1));
    let (mut cold, mut memory) = (Work::new(Budget::UNLIMITED), Memory::default());
    for k in 0..300 {
        let pose = slow(k);
        let warm = memory.distance(a.at(&Pose::IDENTITY), a.at(&pose), &DistanceOptions::EXACT);
        agree(&cold.distance(a.at(&Pose::IDENTITY), a.at(&pose), &DistanceOptions::EXACT), &warm, "slow");
    }
    let (cold, warm) = (cold.statistics(), memory.statistics());
    assert!(warm.nodes < cold.nodes, "{warm:?}, without {cold:?}");
}

/// Apart, a millionth of the size further with each step.
fn slow(k: u32) -> Pose {
    let t = f64::from(k) * 1e-6;
    let turn = DQuat::from_scaled_axis(DVec3::new(t, 0.3 + t, -t));
    Pose::new(DVec3::new(2.4 - 0.2 * t, t, 0.1), turn).unwrap()
}

#[test]
fn what_a_memory_knew_is_forgotten_when_a_body_changes() {
    let mut a = Body::new(bumpy(12, 0.1));
    let b = Body::new(bumpy(12, 0.2));
    let away = Pose::from_translation(DVec3::X * 3.0).unwrap();
    let mut memory = Memory::default();
    for step in 0..9 {
        let pose = Pose::from_translation(DVec3::X * (3.0 + 0.001 * f64::from(step))).unwrap();
        assert!(!memory.intersects(a.at(&Pose::IDENTITY), b.at(&pose)).is_touching());
    }
    assert!(memory.statistics().remembered > 0);
    let larger = a.mesh().unwrap().vertices().iter().map(|p| *p * 3.0).collect();
    a.move_vertices(larger).unwrap();
    assert!(memory.intersects(a.at(&Pose::IDENTITY), b.at(&away)).is_touching());
}

#[cfg(feature = "serde")]
mod saved {
    use serde_json::{Value, from_str, json, to_string, to_value};

    use super::*;

    fn asked() -> (Body, Body, Memory, Path) {
        let (a, b) = (Body::new(bumpy(30, 0.1)), Body::new(bumpy(20, 0.2)));
        let mut memory = Memory::default();
        memory.distance(a.at(&Pose::IDENTITY), b.at(&slow(0)), &DistanceOptions::EXACT);
        (a, b, memory, Path::new(3))
    }

    #[test]
    fn a_memory_that_was_written_down_goes_on_where_it_was() {
        let (a, b, memory, mut path) = asked();
        let mut again: Memory = from_str(&to_string(&memory).unwrap()).unwrap();
        assert_eq!(to_value(&again).unwrap(), to_value(&memory).unwrap());
        for k in 0..40 {
            let pose = if k < 20 { slow(1 + k) } else { path.next() };
            let cold = distance(a.at(&Pose::IDENTITY), b.at(&pose), &DistanceOptions::EXACT);
            agree(
                &cold,
                &again.distance(a.at(&Pose::IDENTITY), b.at(&pose), &DistanceOptions::EXACT),
                "taken up",
            );
        }
    }

    #[test]
    fn a_foreign_or_damaged_memory_costs_no_answer() {
        let (a, b, memory, mut path) = asked();
        let good = to_value(&memory).unwrap();
        assert!(good["surfaces"]["features"].is_array(), "{good}");
        let damages: [&dyn Fn(&mut Value); 3] = [
            &|v| v["surfaces"]["features"] = json!([0, 0]),
            &|v| v["surfaces"]["features"] = json!([1_000_000, 1_000_000]),
            &|v| v["simplex"] = json!([[9, 9], [1_000_000, 0]]),
        ];
        for (k, damage) in damages.iter().enumerate() {
            let mut bad = good.clone();
            damage(&mut bad);
            let mut memory: Memory = from_str(&bad.to_string()).unwrap();
            for (x, y) in [(&a, &b), (&b, &a), (&a, &a)] {
                let pose = path.next();
                let cold = distance(x.at(&Pose::IDENTITY), y.at(&pose), &DistanceOptions::EXACT);
                agree(
                    &cold,
                    &memory.distance(x.at(&Pose::IDENTITY), y.at(&pose), &DistanceOptions::EXACT),
                    &format!("{k}"),
                );
                memory = from_str(&bad.to_string()).unwrap();
                let cold = intersects(x.at(&Pose::IDENTITY), y.at(&pose));
                assert_eq!(memory.intersects(x.at(&Pose::IDENTITY), y.at(&pose)).decided(), cold.decided());
            }
        }
        let cuboid = Body::new(Cuboid::new(DVec3::ONE).unwrap());
        let mut bad = good.clone();
        bad["simplex"] = json!([[9, 9], [1_000_000, 0], [3, 3], [77, 8]]);
        let mut memory: Memory = from_str(&bad.to_string()).unwrap();
        let hull = Body::new(sudar::hull::convex_hull(bumpy(5, 0.1).vertices()).unwrap());
        assert!(memory.intersects(hull.at(&Pose::IDENTITY), cuboid.at(&Pose::IDENTITY)).is_touching());
    }

    #[test]
    fn other_versions_and_nonsense_are_refused_with_a_reason() {
        let (_, _, memory, _) = asked();
        let good = to_value(&memory).unwrap();
        let refused = |key: &str, value: Value| {
            let mut bad = good.clone();
            bad[key] = value;
            from_str::<Memory>(&bad.to_string()).unwrap_err().to_string()
        };
        assert!(refused("version", json!(1)).contains("version 1"));
        assert!(refused("simplex", json!([[0, 0], [1, 1], [2, 2], [3, 3], [4, 4]])).contains("at most 4"));
        assert!(refused("nonsense", json!(1)).contains("nonsense"));
    }
}

#[test]
fn budgets_bound_what_a_memory_may_do_and_leave_it_whole() {
    let (a, b) = (Body::new(bumpy(16, 0.1)), Body::new(bumpy(12, 0.2)));
    let mut path = Path::new(21);
    let mut memory = Memory::default();
    let mut stopped = 0;
    for step in 0..200 {
        let pose = path.next();
        let mut work = Work::new(Budget::nodes(step % 40)).remembering(&mut memory);
        let found = work.distance(a.at(&Pose::IDENTITY), b.at(&pose), &DistanceOptions::EXACT);
        let truth = distance(a.at(&Pose::IDENTITY), b.at(&pose), &DistanceOptions::EXACT);
        let (f, t) = (found.interval, truth.interval);
        assert!(f.lower <= t.upper && t.lower <= f.upper, "step {step}: {f:?} {t:?}");
        stopped += u32::from(found.end == DistanceEnd::Stopped(StopReason::Budget));
        let found = work.intersects(a.at(&Pose::IDENTITY), b.at(&pose));
        if let Some(yes) = found.decided() {
            assert_eq!(yes, t.upper == 0.0, "step {step}");
        }
        let found = work.within(a.at(&Pose::IDENTITY), b.at(&pose), 0.4);
        if let Some(yes) = found.decided() {
            assert_eq!(yes, t.upper <= 0.4, "step {step}");
        }
    }
    assert!(stopped > 50, "{stopped} of 200 were stopped: the test lost its point");
}
