//! What sampling misses, and what continuous detection takes.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::Instant;

use anyhow::{Result, ensure};
use sudar::convex::{Difference, PosedConvex};
use sudar::motion::{CastOutcome, Motion, gjk_ray};
use sudar::query::{Body, Sweep, SweepOptions, Work, sweep, sweep_bisected, sweep_sampled};
use sudar::{Capsule, Cone, Cuboid, Cylinder, DVec3, Ellipsoid, Pose, Sphere};

use super::axis::{Axis, Scale};
use super::bodies::Random;
use super::figure::{Figure, Kind, Look, Panel, Series};
use super::sheet::Sheet;
use super::{File, Output, Plan, machine};
use crate::progress::Progress;

pub const TITLE: &str = "sampled, bisected and continuous detection of moving bodies; iterations and steps";

/// Instants at which the naive ways look.
const SAMPLES: [u32; 9] = [4, 8, 16, 32, 64, 128, 256, 512, 1024];
const HALVINGS: u32 = 20;
/// Clearances at which boxes graze, in metres.
const CLEARANCES: [f64; 8] = [1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8];
const DELTA: f64 = 1e-9;

pub fn run(plan: &Plan) -> Result<Output> {
    let progress = Progress::new("sweeps", Some(3));
    let (mut files, first) = sampling(plan)?;
    progress.advance(1);
    let (rays, second) = rays(plan)?;
    progress.advance(1);
    let (steps, third) = steps(plan)?;
    progress.advance(1);
    files.extend(rays.into_iter().chain(steps));
    Ok(Output { files, queries: first + second + third, undecided: 0 })
}

/// A thin body on its way past or through another.
struct Flight {
    bodies: [Body; 2],
    motions: [Motion; 2],
}

/// Plates of a hundredth of their width, and balls and bars that fly and turn.
fn flights(random: &mut Random, count: usize) -> Result<Vec<Flight>> {
    (0..count)
        .map(|i| {
            let plate = Body::new(Cuboid::new(DVec3::new(1.0, 1.0, 0.005))?);
            let other = match i % 3 {
                0 => Body::new(Sphere::new(DVec3::ZERO, 0.02)?),
                1 => Body::new(Capsule::new(0.01, 0.4)?),
                _ => Body::new(Cuboid::new(DVec3::new(0.3, 0.02, 0.02))?),
            };
            let point = |random: &mut Random, size: f64| {
                DVec3::from(std::array::from_fn(|_| random.between(-size, size)))
            };
            let direction = point(random, 1.0).normalize();
            let start = direction * 4.0 + point(random, 0.8);
            let motion = Motion::new(
                Pose::from_translation(start)?,
                start,
                direction * -8.0 + point(random, 0.5),
                point(random, 6.0),
            )?;
            let spin = Motion::new(Pose::IDENTITY, DVec3::ZERO, DVec3::ZERO, point(random, 2.0))?;
            Ok(Flight { bodies: [plate, other], motions: [spin, motion] })
        })
        .collect()
}

/// Mean nanoseconds of a query.
fn timed(flights: &[Flight], repetitions: u32, mut ask: impl FnMut(&Flight)) -> f64 {
    let mut least = f64::INFINITY;
    for _ in 0..repetitions {
        let start = Instant::now();
        flights.iter().for_each(&mut ask);
        least = least.min(start.elapsed().as_nanos() as f64 / flights.len() as f64);
    }
    least
}

fn continuous(flight: &Flight) -> Sweep {
    let ([a, b], [m, n]) = (&flight.bodies, &flight.motions);
    sweep(a, m, b, n, &SweepOptions::within(DELTA))
}

const COMMENTS: [&str; 4] = [
    "Contacts that the naive ways miss: plates 1 cm thick and 2 m wide that turn, and balls and bars of 1 to 4 cm that fly 8 m",
    "sampled: pseudo-dynamic, bodies tested at so many instants; bisected: optimised pseudo-dynamic, 20 halvings back",
    "late_mean: how much later than the first contact the time found is, as a fraction of the motion",
    "time_ns: the least of several means over all flights",
];

/// What a naive way came to.
struct Naive {
    bisected: bool,
    samples: u32,
    missed: usize,
    percent: f64,
    late: f64,
    time: f64,
}

fn look(flight: &Flight, samples: u32, bisected: bool) -> Option<f64> {
    let ([a, b], [m, n]) = (&flight.bodies, &flight.motions);
    if bisected {
        sweep_bisected(a, m, b, n, samples, HALVINGS).map(|bracket| bracket.upper)
    } else {
        sweep_sampled(a, m, b, n, samples)
    }
}

fn naive(plan: &Plan, flights: &[Flight], truth: &[Sweep], samples: u32, bisected: bool) -> Result<Naive> {
    let (mut missed, mut late, mut seen) = (0, 0.0, 0);
    for (flight, truth) in flights.iter().zip(truth) {
        match (look(flight, samples, bisected), truth.impact()) {
            (Some(time), Some(impact)) => {
                late += (time - impact.time.lower).max(0.0);
                seen += 1;
            }
            (None, Some(_)) => missed += 1,
            (Some(time), None) => anyhow::bail!("a contact at {time} was missed by the sweep"),
            (None, None) => {}
        }
    }
    let time = timed(flights, plan.repetitions(), |flight| {
        black_box(look(flight, samples, bisected));
    });
    let percent = 100.0 * missed as f64 / (missed + seen).max(1) as f64;
    Ok(Naive { bisected, samples, missed, percent, late: late / seen.max(1) as f64, time })
}

/// Misses and cost of sampling, of bisection and of the sweep.
fn sampling(plan: &Plan) -> Result<(Vec<File>, usize)> {
    let mut random = Random::new(1984);
    let flights = flights(&mut random, plan.choose(60, 600))?;
    let truth: Vec<Sweep> = flights.iter().map(continuous).collect();
    ensure!(truth.iter().all(|found| found.decided().is_some()), "a sweep was left undecided");
    let mut rows = Vec::new();
    for samples in SAMPLES {
        for bisected in [false, true] {
            rows.push(naive(plan, &flights, &truth, samples, bisected)?);
        }
    }
    let time = timed(&flights, plan.repetitions(), |flight| {
        black_box(continuous(flight));
    });
    let contacts = truth.iter().filter(|found| found.impact().is_some()).count();
    let files = vec![
        File { name: "sweeps-sampling.csv".to_owned(), text: table(&rows, flights.len(), contacts, time) },
        File { name: "sweeps-sampling.svg".to_owned(), text: figure(&rows, time).svg()? },
    ];
    Ok((files, flights.len() * (rows.len() + 1)))
}

fn table(rows: &[Naive], flights: usize, contacts: usize, time: f64) -> String {
    let columns =
        ["method", "samples", "flights", "contacts", "missed", "missed_percent", "late_mean", "time_ns"];
    let mut sheet = Sheet::new(&COMMENTS, &columns);
    let mut row = |method: &str, samples: u32, [missed, percent, late, time]: [f64; 4]| {
        sheet.row(&[
            method.to_owned(),
            samples.to_string(),
            flights.to_string(),
            contacts.to_string(),
            format!("{missed:.0}"),
            format!("{percent:.2}"),
            format!("{late:.2e}"),
            format!("{time:.0}"),
        ]);
    };
    for n in rows {
        let method = if n.bisected { "bisected" } else { "sampled" };
        row(method, n.samples, [n.missed as f64, n.percent, n.late, n.time]);
    }
    row("continuous", 0, [0.0, 0.0, 0.0, time]);
    sheet.text()
}

fn figure(rows: &[Naive], time: f64) -> Figure {
    let ends = |y: f64| vec![(f64::from(SAMPLES[0]), y), (f64::from(SAMPLES[SAMPLES.len() - 1]), y)];
    let of = |bisected: bool, value: fn(&Naive) -> f64| {
        let here = rows.iter().filter(|n| n.bisected == bisected);
        here.map(|n| (f64::from(n.samples), value(n))).collect::<Vec<(f64, f64)>>()
    };
    let series = |label: &str, number, points| Series {
        label: label.to_owned(),
        look: Look { number, kind: Kind::Line },
        points,
    };
    let panel = |title: &str, y, series| Panel {
        title: title.to_owned(),
        x: Axis::new("samples", Scale::Binary),
        y,
        series,
    };
    let missed = vec![series("sampled", 0, of(false, |n| n.percent)), series("continuous", 2, ends(0.0))];
    let cost = vec![
        series("sampled", 0, of(false, |n| n.time)),
        series("bisected", 1, of(true, |n| n.time)),
        series("continuous", 2, ends(time)),
    ];
    Figure {
        title: "What sampling misses, and what it costs".to_owned(),
        panels: vec![
            panel("contacts missed", Axis::new("missed in %", Scale::Linear), missed),
            panel("cost", Axis::new("time of a query in ns", Scale::Decimal), cost),
        ],
        caption: COMMENTS.iter().map(|line| (*line).to_owned()).chain([machine::line()]).collect(),
    }
}

const SHAPES: [&str; 6] = ["boxes", "hulls", "capsules", "cylinders", "cones", "ellipsoids"];

fn shape(kind: &str, random: &mut Random) -> Result<Body> {
    let mut length = || random.between(0.3, 1.0);
    let radii = DVec3::new(length(), length(), length());
    Ok(match kind {
        "boxes" => Body::new(Cuboid::new(radii)?),
        "capsules" => Body::new(Capsule::new(0.5 * radii.x, radii.z)?),
        "cylinders" => Body::new(Cylinder::new(radii.x, radii.z)?),
        "cones" => Body::new(Cone::new(radii.x, radii.z)?),
        "ellipsoids" => Body::new(Ellipsoid::new(radii)?),
        _ => {
            let points: Vec<DVec3> = (0..32).map(|_| random.direction() * radii).collect();
            Body::new(sudar::hull::convex_hull(&points)?)
        }
    })
}

/// Iterations of GJK for a ray.
fn rays(plan: &Plan) -> Result<(Vec<File>, usize)> {
    let mut random = Random::new(2004);
    let count = plan.choose(200, 5000);
    let mut sheet = Sheet::new(
        &[
            "Iterations of GJK for a ray (van den Bergen 2004): support points of the difference of the bodies",
            "Random bodies of 0.3 to 1 m, cast at each other from 4 m with a spread of 1.2 m, to within 1e-6 m",
        ],
        &["shapes", "outcome", "iterations", "casts"],
    );
    let mut series = Vec::new();
    for (place, kind) in SHAPES.into_iter().enumerate() {
        let mut counts: BTreeMap<(&str, u32), usize> = BTreeMap::new();
        for _ in 0..count {
            let [a, b] = [shape(kind, &mut random)?, shape(kind, &mut random)?];
            let mut point = |size: f64| DVec3::from(std::array::from_fn(|_| random.between(-size, size)));
            let place = point(1.0).normalize() * 4.0;
            let way = point(1.2) - place * 1.5;
            let turns = [point(3.0), point(3.0)].map(sudar::DQuat::from_scaled_axis);
            let (pose_a, pose_b) = (Pose::from_rotation(turns[0])?, Pose::new(place, turns[1])?);
            let (Some(left), Some(right)) = (a.convex(), b.convex()) else { continue };
            let difference =
                Difference::new(PosedConvex::new(left, &pose_a), PosedConvex::new(right, &pose_b));
            let found = gjk_ray(&difference, way, 1.0, 0.0, 1e-6);
            let outcome = match found.outcome {
                CastOutcome::Free => "free",
                CastOutcome::Contact { .. } => "contact",
                CastOutcome::Undecided(_) => "undecided",
            };
            *counts.entry((outcome, found.iterations)).or_insert(0) += 1;
        }
        let mut points: BTreeMap<u32, f64> = BTreeMap::new();
        for (&(outcome, iterations), &casts) in &counts {
            sheet.row(&[kind.to_owned(), outcome.to_owned(), iterations.to_string(), casts.to_string()]);
            *points.entry(iterations.min(39)).or_insert(0.0) += 100.0 * casts as f64 / count as f64;
        }
        series.push(Series {
            label: kind.to_owned(),
            look: Look { number: place, kind: Kind::Line },
            points: points.into_iter().map(|(n, share)| (f64::from(n), share)).collect(),
        });
    }
    let panel = Panel {
        title: "linear casts".to_owned(),
        x: Axis::new("iterations", Scale::Linear),
        y: Axis::new("casts in %", Scale::Linear),
        series,
    };
    let caption = vec![format!("{count} casts of each kind; 39 stands for more."), machine::version()];
    let figure = Figure { title: "Iterations of GJK for a ray".to_owned(), panels: vec![panel], caption };
    let files = vec![
        File { name: "sweeps-gjk-ray.csv".to_owned(), text: sheet.text() },
        File { name: "sweeps-gjk-ray.svg".to_owned(), text: figure.svg()? },
    ];
    Ok((files, count * SHAPES.len()))
}

/// Steps of the advancement against the clearance at which bodies graze each other.
fn steps(plan: &Plan) -> Result<(Vec<File>, usize)> {
    let count = plan.choose(40, 500);
    let mut sheet = Sheet::new(
        &[
            "Pairs of pieces looked at by the sweep of two boxes that graze, against their least distance",
            "A bar of 1 m that flies by or turns over the corner of a box at the clearance; contact counts within 1e-9 m",
        ],
        &["motion", "clearance_m", "sweeps", "steps_mean", "steps_max"],
    );
    let mut series = Vec::new();
    for (number, kind) in ["straight", "turning", "turning fast"].into_iter().enumerate() {
        let mut random = Random::new(77);
        let mut points = Vec::new();
        for clearance in CLEARANCES {
            let (mut sum, mut most) = (0, 0);
            for _ in 0..count {
                let nodes = grazing(&mut random, kind, clearance)?;
                sum += nodes;
                most = most.max(nodes);
            }
            let mean = sum as f64 / count as f64;
            points.push((clearance, mean));
            sheet.row(&[
                kind.to_owned(),
                format!("{clearance:e}"),
                count.to_string(),
                format!("{mean:.2}"),
                most.to_string(),
            ]);
        }
        series.push(Series { label: kind.to_owned(), look: Look { number, kind: Kind::Line }, points });
    }
    let panel = Panel {
        title: "boxes that graze".to_owned(),
        x: Axis::new("clearance in m", Scale::Decimal),
        y: Axis::new("steps (mean)", Scale::Decimal),
        series,
    };
    let figure = Figure {
        title: "Steps of the advancement against clearance".to_owned(),
        panels: vec![panel],
        caption: vec![
            "Each step is a distance of two boxes and a bound on how long they stay apart.".to_owned(),
            machine::version(),
        ],
    };
    let files = vec![
        File { name: "sweeps-steps.csv".to_owned(), text: sheet.text() },
        File { name: "sweeps-steps.svg".to_owned(), text: figure.svg()? },
    ];
    Ok((files, 3 * CLEARANCES.len() * count))
}

/// The nodes of a sweep of a bar over a box at a clearance.
fn grazing(random: &mut Random, kind: &str, clearance: f64) -> Result<u64> {
    let block = Body::new(Cuboid::new(DVec3::new(1.0, 1.0, 0.5))?);
    let (half, thick) = (0.5, 0.05);
    let bar = Body::new(Cuboid::new(DVec3::new(half, thick, thick))?);
    let tilt = random.between(0.0, 0.3);
    // Over the upper face, or with the end of the bar sweeping past it on a circle that is lowest at the clearance.
    let motion = if kind == "straight" {
        let height = 0.5 + thick + clearance;
        Motion::linear(&Pose::from_translation(DVec3::new(-3.0, tilt, height))?, DVec3::X * 6.0)?
    } else {
        let reach = (half * half + thick * thick).sqrt();
        let center = DVec3::new(tilt, 0.0, 0.5 + reach + clearance);
        let turns = if kind == "turning" { 1.0 } else { 20.0 };
        Motion::new(
            Pose::from_translation(center)?,
            center,
            DVec3::ZERO,
            DVec3::Y * (std::f64::consts::TAU * turns),
        )?
    };
    let mut work = Work::default();
    let still = Motion::still(&Pose::IDENTITY);
    let found = work.sweep(block.moving(&still), bar.moving(&motion), &SweepOptions::within(DELTA));
    ensure!(found == Sweep::Free, "a clearance of {clearance} was taken for contact: {found:?}");
    Ok(work.statistics().nodes)
}
