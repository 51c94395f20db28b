//! Random motions, and what can be said of a sweep by looking at the bodies at many instants.

use sudar::motion::Motion;
use sudar::query::{Body, DistanceOptions, Sweep, SweepOptions, distance};
use sudar::{DQuat, DVec3, Pose};
use sudar_testing::Random;

/// Kinds of motion.
pub const KINDS: [&str; 6] = ["linear", "turning", "both", "fast spin", "far", "still"];

/// A motion of a kind for a body of size one.
pub fn motion(rng: &mut Random, kind: &str) -> Motion {
    let start = rng.any_pose(2.0);
    let (velocity, spin) = (rng.point() * 3.0, rng.point() * 2.0);
    let made =
        |start: Pose, center: DVec3, velocity, spin| Motion::new(start, center, velocity, spin).unwrap();
    let at = start.translation();
    match kind {
        "linear" => made(start, at, velocity, DVec3::ZERO),
        "turning" => made(start, at + rng.point(), DVec3::ZERO, spin),
        "both" => made(start, at + rng.point() * 0.5, velocity, spin),
        "fast spin" => made(start, at, velocity, spin * 15.0),
        "far" => made(Pose::new(at * 20.0, DQuat::IDENTITY).unwrap(), at * 20.0, -at * 30.0 + velocity, spin),
        _ => Motion::still(&start),
    }
}

/// Checks what a sweep says by the distance at `samples` instants, and says whether some of these are in contact.
///
/// Before the lower end of the time all distances must be above the separation, at both ends no more than
/// that and delta.
pub fn check(
    [a, b]: [&Body; 2],
    [m, n]: [&Motion; 2],
    options: &SweepOptions,
    found: &Sweep,
    samples: u32,
    name: &str,
) -> bool {
    let measure = |time: f64| {
        // Half-spaces stand still.
        let still = |body: &Body, motion: &Motion| {
            let stands = matches!(body.shape(), sudar::Shape::Halfspace(_));
            if stands { *motion.start() } else { motion.at(time) }
        };
        distance(a.at(&still(a, m)), b.at(&still(b, n)), &DistanceOptions::EXACT).interval
    };
    let mut touched = false;
    for i in 0..=samples {
        let time = options.until * f64::from(i) / f64::from(samples);
        let seen = measure(time);
        touched |= seen.upper <= options.separation;
        if time < found.free_until() {
            assert!(seen.upper > options.separation, "{name}: missed at {time}: {seen:?} {found:?}");
        }
    }
    match found {
        Sweep::Hit(impact) => {
            assert!(0.0 <= impact.time.lower && impact.time.lower <= impact.time.upper, "{name}: {found:?}");
            assert!(
                impact.time.upper <= options.until && (impact.normal.length() - 1.0).abs() < 1e-9,
                "{name}"
            );
            for time in [impact.time.lower, impact.time.upper] {
                let seen = measure(time);
                let most = options.separation + options.delta + 1e-13;
                assert!(seen.lower <= most, "{name}: no contact at {time}: {seen:?} {found:?}");
            }
            let apart = (impact.point_a - impact.point_b).length();
            let overlap = impact.time.lower == 0.0 && impact.distance == 0.0;
            let expected = impact.distance + 1e-11;
            assert!(overlap || apart <= expected, "{name}: {apart} {impact:?}");
        }
        Sweep::Free => assert!(!touched, "{name}"),
        Sweep::Undecided { .. } => panic!("{name}: {found:?}"),
    }
    touched
}
