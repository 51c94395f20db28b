//! What sampling misses, and what continuous detection takes.

use std::collections::BTreeMap;
use std::hint::black_box;

use sudar::convex::{Difference, PosedConvex};
use sudar::motion::{CastOutcome, Motion, gjk_ray};
use sudar::query::{Body, Sweep, SweepOptions, Work, sweep, sweep_bisected, sweep_sampled};
use sudar::{Capsule, Cone, Cuboid, Cylinder, DQuat, DVec3, Ellipsoid, Pose, Sphere};

use crate::inputs::random::Random;
use crate::output::axis::Axis;
use crate::output::figure::{Figure, Panel, Series};
use crate::output::finding::{Finding, say};
use crate::output::machine;
use crate::output::sheet::Sheet;
use crate::output::table::Tables;
use crate::plan::{Output, Plan, Result, ensure, timed};

pub const TITLE: &str = "sampled, bisected and continuous detection of moving bodies; iterations and steps";

/// Instants at which the naive ways look.
const SAMPLES: [u32; 9] = [4, 8, 16, 32, 64, 128, 256, 512, 1024];
const HALVINGS: u32 = 20;
/// Clearances at which boxes graze, in metres.
const CLEARANCES: [f64; 8] = [1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8];
const DELTA: f64 = 1e-9;

pub fn run(plan: &Plan) -> Result<Output> {
    plan.tell("sampled, bisected and continuous detection");
    let output = sampling(plan, plan.output(0))?;
    plan.tell("GJK for rays");
    let output = rays(plan, output)?;
    plan.tell("steps of the advancement");
    steps(plan, output)
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
            let direction = random.point(1.0).normalize();
            let start = direction * 4.0 + random.point(0.8);
            let (way, turn) = (direction * -8.0 + random.point(0.5), random.point(6.0));
            let motion = Motion::new(Pose::from_translation(start)?, start, way, turn)?;
            let spin = Motion::new(Pose::IDENTITY, DVec3::ZERO, DVec3::ZERO, random.point(2.0))?;
            Ok(Flight { bodies: [plate, other], motions: [spin, motion] })
        })
        .collect()
}

/// Mean nanoseconds of a query.
fn time<T>(plan: &Plan, flights: &[Flight], mut ask: impl FnMut(&Flight) -> T) -> f64 {
    let mut all = || {
        flights.iter().for_each(|flight| {
            black_box(ask(flight));
        });
    };
    let least = (0..plan.repetitions()).map(|_| timed(&mut all).1).fold(f64::INFINITY, f64::min);
    least * 1e9 / flights.len() as f64
}

fn continuous(flight: &Flight) -> Sweep {
    let ([a, b], [m, n]) = (&flight.bodies, &flight.motions);
    sweep(a.moving(m), b.moving(n), &SweepOptions::within(DELTA))
}

const COMMENTS: [&str; 4] = [
    "Contacts that the naive ways miss: plates 1 cm thick and 2 m wide that turn, and balls and bars of 1 to 4 cm that fly 8 m",
    "sampled: pseudo-dynamic, bodies tested at so many instants; bisected: optimised pseudo-dynamic, 20 halvings back",
    "late_mean: how much later than the first contact the time found is, as a fraction of the motion",
    "time_ns: the least of several means over all flights",
];

/// What a naive way came to.
struct Naive {
    missed: usize,
    percent: f64,
    late: f64,
    time: f64,
}

fn look(flight: &Flight, samples: u32, bisected: bool) -> Option<f64> {
    let ([a, b], [m, n]) = (&flight.bodies, &flight.motions);
    if bisected {
        sweep_bisected(a.moving(m), b.moving(n), samples, HALVINGS).map(|bracket| bracket.upper)
    } else {
        sweep_sampled(a.moving(m), b.moving(n), samples)
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
            (Some(time), None) => return Err(format!("a contact at {time} was missed by the sweep").into()),
            (None, None) => {}
        }
    }
    let time = time(plan, flights, |flight| look(flight, samples, bisected));
    let percent = 100.0 * missed as f64 / (missed + seen).max(1) as f64;
    Ok(Naive { missed, percent, late: late / seen.max(1) as f64, time })
}

/// Misses and cost of sampling, of bisection and of the sweep.
fn sampling(plan: &Plan, mut output: Output) -> Result<Output> {
    let mut random = Random::new(1984);
    let flights = flights(&mut random, plan.choose(60, 600))?;
    let truth: Vec<Sweep> = flights.iter().map(continuous).collect();
    let is_decided = truth.iter().all(|found| found.decided().is_some());
    ensure(is_decided, || "a sweep was left undecided".to_owned())?;
    let contacts = truth.iter().filter(|found| found.impact().is_some()).count();
    let count = flights.len();
    let columns = "method,samples,flights,contacts,missed,missed_percent,late_mean,time_ns";
    let mut sheet = Sheet::new(&COMMENTS, columns);
    let mut row = |method: &str, samples: u32, missed: usize, [percent, late, time]: [f64; 3]| {
        sheet.row(format_args!(
            "{method},{samples},{count},{contacts},{missed},{percent:.2},{late:.2e},{time:.0}"
        ));
    };
    let [mut missed, mut cost, mut bisected_cost] = [Vec::new(), Vec::new(), Vec::new()];
    for samples in SAMPLES {
        let x = f64::from(samples);
        let sampled = naive(plan, &flights, &truth, samples, false)?;
        row("sampled", samples, sampled.missed, [sampled.percent, sampled.late, sampled.time]);
        missed.push((x, sampled.percent));
        cost.push((x, sampled.time));
        let bisected = naive(plan, &flights, &truth, samples, true)?;
        row("bisected", samples, bisected.missed, [bisected.percent, bisected.late, bisected.time]);
        bisected_cost.push((x, bisected.time));
    }
    let time = time(plan, &flights, continuous);
    row("continuous", 0, 0, [0.0, 0.0, time]);
    let ends = |y: f64| vec![(f64::from(SAMPLES[0]), y), (f64::from(SAMPLES[SAMPLES.len() - 1]), y)];
    let missed = vec![Series::line("sampled", 0, missed), Series::line("continuous", 2, ends(0.0))];
    let cost = vec![
        Series::line("sampled", 0, cost),
        Series::line("bisected", 1, bisected_cost),
        Series::line("continuous", 2, ends(time)),
    ];
    let samples = || Axis::binary("samples");
    let panels = vec![
        Panel::new("contacts missed", samples(), Axis::linear("missed in %"), missed),
        Panel::new("cost", samples(), Axis::decimal("time of a query in ns"), cost),
    ];
    let machine = machine::line();
    let caption = [&COMMENTS[..], &[&*machine]].concat();
    let figure = Figure::new("What sampling misses, and what it costs", panels, &caption);
    output.queries += count * (2 * SAMPLES.len() + 1);
    output.sheet("sweeps-sampling", sheet).figure("sweeps-sampling", &figure)
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
fn rays(plan: &Plan, mut output: Output) -> Result<Output> {
    let mut random = Random::new(2004);
    let count = plan.choose(200, 5000);
    let comments = [
        "Iterations of GJK for a ray (van den Bergen 2004): support points of the difference of the bodies",
        "Random bodies of 0.3 to 1 m, cast at each other from 4 m with a spread of 1.2 m, to within 1e-6 m",
    ];
    let mut sheet = Sheet::new(&comments, "shapes,outcome,iterations,casts");
    let mut series = Vec::new();
    for (number, kind) in SHAPES.into_iter().enumerate() {
        let mut counts: BTreeMap<(&str, u32), usize> = BTreeMap::new();
        for _ in 0..count {
            let [a, b] = [shape(kind, &mut random)?, shape(kind, &mut random)?];
            let place = random.point(1.0).normalize() * 4.0;
            let way = random.point(1.2) - place * 1.5;
            let turns = [(); 2].map(|()| DQuat::from_scaled_axis(random.point(3.0)));
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
            sheet.row(format_args!("{kind},{outcome},{iterations},{casts}"));
            *points.entry(iterations.min(39)).or_insert(0.0) += 100.0 * casts as f64 / count as f64;
        }
        let points = points.into_iter().map(|(n, share)| (f64::from(n), share)).collect();
        series.push(Series::line(kind, number, points));
    }
    let panel = Panel::new("linear casts", Axis::linear("iterations"), Axis::linear("casts in %"), series);
    let caption = [&*format!("{count} casts of each kind; 39 stands for more."), &machine::version()];
    let figure = Figure::new("Iterations of GJK for a ray", vec![panel], &caption);
    output.queries += count * SHAPES.len();
    output.sheet("sweeps-gjk-ray", sheet).figure("sweeps-gjk-ray", &figure)
}

/// Steps of the advancement against the clearance at which bodies graze each other.
fn steps(plan: &Plan, mut output: Output) -> Result<Output> {
    let count = plan.choose(40, 500);
    let comments = [
        "Pairs of pieces looked at by the sweep of two boxes that graze, against their least distance",
        "A bar of 1 m that flies along a face of a box at the clearance, or turns above it from one lowest corner to the other; contact counts within 1e-9 m",
    ];
    let mut sheet = Sheet::new(&comments, "motion,clearance_m,sweeps,steps_mean,steps_max");
    let mut series = Vec::new();
    for (number, kind) in ["straight", "turning", "turning far"].into_iter().enumerate() {
        let mut random = Random::new(77);
        let mut points = Vec::new();
        for clearance in CLEARANCES {
            let nodes = (0..count).map(|_| grazing(&mut random, kind, clearance));
            let nodes = nodes.collect::<Result<Vec<u64>>>()?;
            let mean = nodes.iter().sum::<u64>() as f64 / count as f64;
            let most = nodes.iter().max().copied().unwrap_or(0);
            points.push((clearance, mean));
            sheet.row(format_args!("{kind},{clearance:e},{count},{mean:.2},{most}"));
        }
        series.push(Series::line(kind, number, points));
    }
    let (x, y) = (Axis::decimal("clearance in m"), Axis::decimal("steps (mean)"));
    let panel = Panel::new("boxes that graze", x, y, series);
    let note = "Each step is a distance of two boxes and a bound on how long they stay apart.";
    let caption = [note, &machine::version()];
    let figure = Figure::new("Steps of the advancement against clearance", vec![panel], &caption);
    output.queries += 3 * CLEARANCES.len() * count;
    output.sheet("sweeps-steps", sheet).figure("sweeps-steps", &figure)
}

/// The nodes of a sweep of a bar over a box at a clearance.
fn grazing(random: &mut Random, kind: &str, clearance: f64) -> Result<u64> {
    let block = Body::new(Cuboid::new(DVec3::new(1.0, 1.0, 0.5))?);
    let (half, thick) = (0.5, 0.05);
    let bar = Body::new(Cuboid::new(DVec3::new(half, thick, thick))?);
    let tilt = random.between(0.0, 0.3);
    // Along the upper face, or turning above it from one lowest corner to the other, both at the clearance: a ball
    // around the bar reaches into the box.
    let motion = if kind == "straight" {
        let height = 0.5 + thick + clearance;
        Motion::linear(&Pose::from_translation(DVec3::new(-3.0, tilt, height))?, DVec3::X * 6.0)?
    } else {
        let angle = tilt + if kind == "turning" { 0.4 } else { 1.1 };
        let drop = half * libm::sin(angle) + thick * libm::cos(angle);
        let center = DVec3::new(0.0, 0.0, 0.5 + drop + clearance);
        let start = Pose::new(center, DQuat::from_rotation_y(-angle))?;
        Motion::new(start, center, DVec3::ZERO, DVec3::Y * (2.0 * angle))?
    };
    let mut work = Work::default();
    let still = Motion::still(&Pose::IDENTITY);
    let found = work.sweep(block.moving(&still), bar.moving(&motion), &SweepOptions::within(DELTA));
    ensure(found == Sweep::Free, || format!("a clearance of {clearance} was taken for contact: {found:?}"))?;
    Ok(work.statistics().nodes)
}

pub fn find(tables: &Tables) -> Result<Vec<Finding>> {
    let table = tables.get("sweeps-sampling")?;
    let of = |method: &str, samples: u32, column: &str| {
        table.number(&[("method", method), ("samples", &samples.to_string())], column)
    };
    let [few, many] = [4, 64].map(|samples| of("sampled", samples, "missed_percent"));
    let (few, many) = (few?, many?);
    let missed = of("continuous", 0, "missed")?;
    let contacts = say(of("continuous", 0, "contacts")?);
    let [sampled, bisected] = ["sampled", "bisected"].map(|method| of(method, 64, "late_mean"));
    let (sampled, bisected) = (sampled?, bisected?);
    let [plain, halved] = ["sampled", "bisected"].map(|method| of(method, 64, "missed"));
    Ok(vec![
        Finding::new(
            "Maštera 2007, section 3.1.2, and Huotari 2011, figures 40 and 41",
            "detection at single poses misses what passes between two of them",
            format!("of {contacts} contacts {} % are missed with 4 poses, {} % with 64", say(few), say(many)),
            few > 0.0,
        ),
        Finding::new(
            "Maštera 2007, section 3.1.3",
            "detection on the swept volume misses nothing",
            format!("of {contacts} contacts the continuous sweep misses {}", say(missed)),
            missed == 0.0,
        ),
        Finding::new(
            "Maštera 2007, section 3.1.4",
            "halving the step back to the first contact finds its time",
            format!(
                "with 64 poses the time is late by {} of the motion instead of {}, and as many contacts are missed",
                say(bisected),
                say(sampled)
            ),
            bisected < 0.1 * sampled && plain? == halved?,
        ),
    ])
}
