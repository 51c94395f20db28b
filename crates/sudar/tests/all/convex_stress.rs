//! Many random pairs of convex bodies, in haste: nothing hangs, nothing is NaN, no answer contradicts another.
//!
//! `SUDAR_STRESS_PAIRS=10000000 cargo test --release -p sudar --test all convex_stress -- --nocapture` runs
//! ten million and prints how many iterations GJK took; what the answers are compared with is in
//! `convex_pairs`.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use glam::DQuat;
use rand::RngExt;
use sudar::Pose;
use sudar::convex::{Difference, GjkMemory, GjkOptions, PosedConvex, gjk};
use sudar::query::{Body, DistanceOptions, distance, intersects, penetration};
use sudar_testing::Random;
use sudar_testing::convex_bodies::{KINDS, body};
use sudar_testing::oracle::{Count, on_all_threads, setting};

/// Pairs whose seeds are counted together; any number of threads asks the same questions.
const CHUNK: u64 = 1000;
const BODIES: usize = 240;
/// No query of two bodies takes longer than this unless it hangs; even on a machine with other work.
const LONGEST: Duration = Duration::from_secs(5);

/// Turned at random, or by quarter turns only and on a lattice, so that symmetric and touching poses come up.
fn pose(rng: &mut Random) -> Pose {
    if rng.random_range(0..4) == 0 {
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let turns =
            [DQuat::IDENTITY, DQuat::from_xyzw(half, 0.0, 0.0, half), DQuat::from_xyzw(0.0, 0.0, half, half)];
        let place = (rng.point() * 3.0).round() * 0.25;
        return Pose::new(place, turns[rng.random_range(0..3)]).unwrap();
    }
    let q: [f64; 4] = std::array::from_fn(|_| rng.random_range(-1.0..1.0));
    let far = 10.0_f64.powf(rng.random_range(-3.0..0.0));
    Pose::new(rng.point() * far, DQuat::from_array(q).normalize()).unwrap()
}

/// What was answered, how long it took at most, and how many iterations of GJK each pair took.
#[derive(Default)]
struct Seen {
    count: Count,
    iterations: BTreeMap<u32, u64>,
}

impl Seen {
    fn ask(&mut self, what: &str, (a, pose_a): (&Body, &Pose), (b, pose_b): (&Body, &Pose)) {
        let start = Instant::now();
        let decided = intersects(a.at(pose_a), b.at(pose_b)).decided();
        let far = distance(a.at(pose_a), b.at(pose_b), &DistanceOptions::EXACT);
        let deep = penetration(a.at(pose_a), b.at(pose_b));
        let took = start.elapsed();
        let what = || {
            format!(
                "{what} {decided:?} {far:?} {deep:?}\n{:?}\n{:?}\n{pose_a:?}\n{pose_b:?}",
                a.shape(),
                b.shape()
            )
        };
        assert!(took < LONGEST, "{took:?} {}", what());
        let numbers = [far.interval.lower, far.interval.upper, deep.signed.lower, deep.signed.upper];
        let points = [far.point_a, far.point_b, deep.point_a, deep.point_b, deep.normal];
        assert!(numbers.iter().all(|x| x.is_finite()) && points.iter().all(|p| p.is_finite()), "{}", what());
        assert!(0.0 <= far.interval.lower && far.interval.lower <= far.interval.upper, "{}", what());
        assert!(deep.signed.lower <= deep.signed.upper, "{}", what());
        assert!((deep.normal.length() - 1.0).abs() < 1e-9, "{}", what());
        match decided {
            Some(true) => assert!(far.interval.upper == 0.0 && deep.signed.lower <= 0.0, "{}", what()),
            Some(false) => assert!(far.interval.upper > 0.0 && deep.signed.upper >= 0.0, "{}", what()),
            None => assert!(far.interval.lower == 0.0, "{}", what()),
        }
        self.count.add(decided.map_or("undecided", |yes| if yes { "touching" } else { "apart" }), 1);
        self.count.raise("seconds", took.as_secs_f64());
        let (p, q) = (a.convex().unwrap(), b.convex().unwrap());
        let difference = Difference::new(PosedConvex::new(p, pose_a), PosedConvex::new(q, pose_b));
        let found = gjk(&difference, &GjkMemory::NONE, &GjkOptions::DISTANCE);
        *self.iterations.entry(found.iterations).or_default() += 1;
    }
}

#[test]
fn no_pair_hangs_or_gives_what_is_not_a_number() {
    let pairs: u64 = setting("SUDAR_STRESS_PAIRS", 20_000);
    let mut random = Random::new(2026);
    // Twelve kinds in turn, of sizes from 1e-3 to 1, some of them as flat or long as 1 to 1000.
    let bodies: Vec<Body> =
        (0..BODIES).map(|i| Body::new(body(&mut random, KINDS[i % KINDS.len()], 1.0, 1e3))).collect();
    let chunk = |number: u64, seen: &mut Seen| {
        let mut random = Random::new(number);
        for i in 0..CHUNK.min(pairs - number * CHUNK) {
            let (a, b) = (&bodies[random.below(BODIES)], &bodies[random.below(BODIES)]);
            let (pose_a, pose_b) = (pose(&mut random), pose(&mut random));
            seen.ask(&format!("chunk {number}, pair {i}"), (a, &pose_a), (b, &pose_b));
        }
    };
    let (mut count, mut iterations) = (Count::default(), BTreeMap::new());
    for seen in on_all_threads(0..pairs.div_ceil(CHUNK), chunk) {
        count.merge(&seen.count);
        seen.iterations.iter().for_each(|(n, some)| *iterations.entry(*n).or_insert(0) += some);
    }
    println!("{pairs} pairs: {count:?}\niterations of GJK: {iterations:?}");
    let [apart, touching, undecided] = ["apart", "touching", "undecided"].map(|answer| count.of(answer));
    assert_eq!(apart + touching + undecided, pairs);
    assert!(apart > pairs / 5 && touching > pairs / 20 && undecided < pairs / 50);
}
