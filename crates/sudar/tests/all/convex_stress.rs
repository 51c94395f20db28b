//! Many random pairs of convex bodies, in haste: nothing hangs, nothing is NaN, no answer contradicts another.
//!
//! `SUDAR_STRESS_PAIRS=10000000 cargo test --release -p sudar --test all convex_stress -- --nocapture` runs
//! ten million and prints how many iterations GJK took; what the answers are compared with is in
//! `convex_pairs`.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

use std::thread;
use std::time::{Duration, Instant};

use glam::{DQuat, DVec3};
use rand::{RngExt, SeedableRng};
use sudar::convex::{Difference, GjkMemory, GjkOptions, PosedConvex, gjk};
use sudar::hull::convex_hull;
use sudar::query::{Body, DistanceOptions, distance, intersects, penetration};
use sudar::{Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Pose, Segment, Shape, Sphere, Triangle};

type Rng = rand_pcg::Pcg64;

/// Pairs whose seeds are counted together; any number of threads asks the same questions.
const CHUNK: u64 = 1000;
const BODIES: usize = 240;
/// No query of two bodies takes longer than this unless it hangs; even on a machine with other work.
const LONGEST: Duration = Duration::from_secs(5);

fn point(rng: &mut Rng) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|_| rng.random_range(-1.0..1.0)))
}

/// Twelve kinds in turn, of sizes from 1e-3 to 1, some of them as flat or long as 1 to 1000.
fn body(i: usize, rng: &mut Rng) -> Body {
    let mut size = || 10.0_f64.powf(rng.random_range(-3.0..0.0));
    let [a, b, c] = std::array::from_fn(|_| size());
    let scale = DVec3::new(a, b, c);
    let mut points = |n: usize| (0..n).map(|_| point(rng) * scale).collect::<Vec<_>>();
    let hull = |points: &[DVec3]| Shape::from(convex_hull(points).unwrap());
    Body::new(match i % 12 {
        0 => Shape::from(Sphere::new(DVec3::ZERO, a).unwrap()),
        1 => Cuboid::new(scale).unwrap().into(),
        2 => Capsule::new(a, b).unwrap().into(),
        3 => Cylinder::new(a, b).unwrap().into(),
        4 => Cone::new(a, b).unwrap().into(),
        5 => Ellipsoid::new(scale).unwrap().into(),
        6 => hull(&points(6)),
        7 => hull(&points(30)),
        8 => hull(&points(120)),
        9 => hull(&points(5).iter().map(|p| p.with_z(0.0)).collect::<Vec<_>>()),
        10 => {
            let p = points(3);
            Triangle::new(p[0], p[1], p[2]).unwrap().into()
        }
        _ => {
            let p = points(2);
            Segment::new(p[0], p[1]).unwrap().into()
        }
    })
}

/// Turned at random, or by quarter turns only and on a lattice, so that symmetric and touching poses come up.
fn pose(rng: &mut Rng) -> Pose {
    if rng.random_range(0..4) == 0 {
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let turns =
            [DQuat::IDENTITY, DQuat::from_xyzw(half, 0.0, 0.0, half), DQuat::from_xyzw(0.0, 0.0, half, half)];
        let place = (point(rng) * 3.0).round() * 0.25;
        return Pose::new(place, turns[rng.random_range(0..3)]).unwrap();
    }
    let q: [f64; 4] = std::array::from_fn(|_| rng.random_range(-1.0..1.0));
    let far = 10.0_f64.powf(rng.random_range(-3.0..0.0));
    Pose::new(point(rng) * far, DQuat::from_array(q).normalize()).unwrap()
}

#[derive(Default)]
struct Count {
    apart: u64,
    touching: u64,
    undecided: u64,
    longest: Duration,
    /// How many searches of GJK took 1, 2, … support points, the last for all beyond.
    iterations: Vec<u64>,
}

impl Count {
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
        match decided {
            Some(true) => self.touching += 1,
            Some(false) => self.apart += 1,
            None => self.undecided += 1,
        }
        self.longest = self.longest.max(took);
        self.search((a, pose_a), (b, pose_b));
    }

    fn search(&mut self, (a, pose_a): (&Body, &Pose), (b, pose_b): (&Body, &Pose)) {
        let (p, q) = (a.convex().unwrap(), b.convex().unwrap());
        let difference = Difference::new(PosedConvex::new(p, pose_a), PosedConvex::new(q, pose_b));
        let found = gjk(&difference, &GjkMemory::NONE, &GjkOptions::DISTANCE);
        self.iterations.resize(41, 0);
        self.iterations[(found.iterations as usize).min(40)] += 1;
    }

    fn and(mut self, other: &Self) -> Self {
        self.apart += other.apart;
        self.touching += other.touching;
        self.undecided += other.undecided;
        self.longest = self.longest.max(other.longest);
        self.iterations.resize(41, 0);
        for (count, more) in self.iterations.iter_mut().zip(&other.iterations) {
            *count += more;
        }
        self
    }
}

fn chunk(bodies: &[Body], number: u64, pairs: u64) -> Count {
    let mut rng = Rng::seed_from_u64(number);
    let mut count = Count::default();
    for i in 0..pairs {
        let (a, b) = (&bodies[rng.random_range(0..BODIES)], &bodies[rng.random_range(0..BODIES)]);
        let (pose_a, pose_b) = (pose(&mut rng), pose(&mut rng));
        count.ask(&format!("chunk {number}, pair {i}"), (a, &pose_a), (b, &pose_b));
    }
    count
}

#[test]
fn no_pair_hangs_or_gives_what_is_not_a_number() {
    let pairs: u64 = std::env::var("SUDAR_STRESS_PAIRS").map_or(20_000, |n| n.parse().unwrap());
    let mut rng = Rng::seed_from_u64(2026);
    let bodies: Vec<Body> = (0..BODIES).map(|i| body(i, &mut rng)).collect();
    let threads = thread::available_parallelism().map_or(1, |n| n.get() as u64);
    let chunks = pairs.div_ceil(CHUNK);
    let total = thread::scope(|scope| {
        let run = |first: u64| {
            let bodies = &bodies;
            let size = move |n: u64| CHUNK.min(pairs - n * CHUNK);
            move || {
                let numbers = (first..chunks).step_by(threads as usize);
                numbers.fold(Count::default(), |sum, n| sum.and(&chunk(bodies, n, size(n))))
            }
        };
        let running: Vec<_> = (0..threads).map(|first| scope.spawn(run(first))).collect();
        running.into_iter().fold(Count::default(), |sum, thread| sum.and(&thread.join().unwrap()))
    });
    let Count { apart, touching, undecided, longest, iterations } = total;
    println!("{pairs} pairs: {apart} apart, {touching} touching, {undecided} undecided; longest {longest:?}");
    for (n, count) in iterations.iter().enumerate().filter(|(_, count)| **count > 0) {
        println!("| {n}{} | {count} |", if n == 40 { " and more" } else { "" });
    }
    assert_eq!(apart + touching + undecided, pairs);
    assert!(apart > pairs / 5 && touching > pairs / 20 && undecided < pairs / 50);
}
