//! Two meshes in motion: a memory must tell the truth at every step, after leaps, after queries that were
//! stopped, after other bodies, and so must a batch of all steps.

use rand::RngExt;
use sudar::effort::Budget;
use sudar::query::{Batch, BatchTargets, DistanceOptions, Memory, Work};
use sudar::{DQuat, DVec3, Pose};
use sudar_testing::Random;
use sudar_testing::oracle::Count;

use super::pairs::{Pair, body};
use super::truth::{Placed, Truth, root_at_most};

/// Steps of each walk.
const STEPS: usize = 5;

/// Walks with the second mesh, asking in another order at each step.
pub fn check(a: &Placed, b: &Placed, r: &mut Random, count: &mut Count) {
    let poses = walk(a, b, r);
    let placed: Vec<_> = poses.iter().map(|pose| Placed::new(&b.mesh, b.solid, *pose)).collect();
    let truths: Vec<_> = placed.iter().map(|b| Truth::of(a, b, r)).collect();
    let mut memory = Memory::default();
    let [left, right] = [body(a), body(b)];
    for (b, truth) in placed.iter().zip(&truths) {
        let step = Pair { a, b, bodies: [left.clone(), right.clone()], truth };
        stopped(&step, &mut memory, r);
        remembered(&step, &mut memory, r, count);
        count.add("steps", 1);
    }
    batches(a, &poses, &truths, [&left, &right]);
}

/// From where the mesh is, by steps of an ulp to about its size, sometimes turning, sometimes none.
fn walk(a: &Placed, b: &Placed, r: &mut Random) -> Vec<Pose> {
    let size = b.mesh.aabb().extent().length().min(a.mesh.aabb().extent().length());
    let mut pose = b.pose;
    let step = size * [0.0, f64::EPSILON, 1e-6, 0.01, 0.3][r.random_range(0..5)];
    let mut poses = vec![pose];
    for _ in 1..STEPS {
        let by = r.point() * step;
        let axis = r.point() * if r.random() { step / size.max(f64::MIN_POSITIVE) } else { 0.0 };
        let turn = Pose::new(DVec3::ZERO, DQuat::from_vec4(axis.extend(2.0)).normalize()).unwrap();
        let spin = |p: &Pose| Pose::from_matrix(turn.rotation() * p.rotation(), p.translation() + by);
        pose = spin(&pose).unwrap_or(b.pose);
        poses.push(pose);
    }
    poses
}

/// A few nodes only: what is said is true, and nothing false is remembered.
fn stopped(step: &Pair, memory: &mut Memory, r: &mut Random) {
    let (p, q, [a, b]) = (&step.a.pose, &step.b.pose, &step.bodies);
    let mut remembering = Work::new(Budget::nodes(r.random_range(0..20))).remembering(memory);
    step.holds(remembering.distance(a.at(p), b.at(q), &DistanceOptions::EXACT).interval);
    if let Some(answer) = remembering.intersects(a.at(p), b.at(q)).decided() {
        assert_eq!(answer, step.truth.touching(), "a memory under a budget");
    }
}

fn remembered(step: &Pair, memory: &mut Memory, r: &mut Random, count: &mut Count) {
    let (p, q, [a, b]) = (&step.a.pose, &step.b.pose, &step.bodies);
    for _ in 0..3 {
        match r.random_range(0..4) {
            0 => {
                let answer = memory.intersects(a.at(p), b.at(q)).decided();
                assert_eq!(answer, Some(step.truth.touching()), "Memory::intersects");
            }
            1 => {
                let found = memory.distance(a.at(p), b.at(q), &DistanceOptions::EXACT);
                step.holds(found.interval);
                step.witnesses(&found);
                assert!(found.interval.width() <= 512.0 * step.ulp(), "{found:?}");
            }
            2 => {
                let near = step.truth.distance();
                let tolerance = [near, near * 0.9, near * 1.1, near.next_down()][r.random_range(0..4)];
                let expected = root_at_most(&step.truth.squared, tolerance);
                step.is_within(&memory.within(a.at(p), b.at(q), tolerance), tolerance, expected, count);
            }
            // Another question in between, or the bodies the other way round.
            _ => {
                let _ = memory.intersects(b.at(q), a.at(p));
            }
        }
    }
}

fn batches(a: &Placed, poses: &[Pose], truths: &[Truth], [left, right]: [&sudar::query::Body; 2]) {
    let others = || BatchTargets::Poses(right, poses);
    let (batch, left) = (Batch::default(), left.at(&a.pose));
    let yes_or_no = batch.others(others(), |work, b| work.intersects(left, b)).answers;
    let lists = batch.others(others(), |work, b| work.contacts(left, b)).answers;
    let distances = batch.others(others(), |work, b| work.distance(left, b, &DistanceOptions::EXACT)).answers;
    assert!(
        yes_or_no.len() == truths.len() && lists.len() == truths.len() && distances.len() == truths.len()
    );
    for (i, truth) in truths.iter().enumerate() {
        assert_eq!(yes_or_no[i].decided(), Some(truth.touching()), "batch");
        assert!(lists[i].complete && lists[i].found == truth.pairs, "batch");
        assert!(truth.is_held_by(distances[i].interval), "batch");
    }
}
