//! How many iterations the algorithms take on all kinds of convex bodies.

use std::collections::BTreeMap;

use sudar::convex::{Accuracy, GjkMemory, GjkOptions, expanding_polytope, gjk};
use sudar::{Cone, Cuboid, Cylinder, DVec3, Ellipsoid, Pose};

use crate::inputs::bodies::{Body, Poses, Run, difference, near_contact};
use crate::inputs::random::Random;
use crate::measure::{ITERATIONS, Sequence, Tally, count};
use crate::methods::{Memory, Method};
use crate::output::axis::Axis;
use crate::output::figure::{Figure, Panel, Series};
use crate::output::finding::{Finding, say};
use crate::output::machine;
use crate::output::sheet::Sheet;
use crate::output::table::{Table, Tables};
use crate::plan::{Output, Plan, Result, ensure};

pub const TITLE: &str = "histograms of iterations of GJK, EPA and Lin–Canny for all kinds of convex bodies";

/// Kinds of bodies; those with flat faces come first.
const KINDS: [&str; 5] = ["boxes", "hulls", "cylinders", "cones", "ellipsoids"];
const FLAT: usize = 2;
const VERTICES: usize = 32;
/// Gaps in metres of bodies of about a metre that are apart or overlap.
const APART: [f64; 2] = [0.001, 0.5];
const MEETING: [f64; 2] = [-0.5, -0.001];
/// Expansions after which EPA has to return what it has.
const LIMIT: u32 = 1000;
const NOTES: [&str; 2] = [
    "Random bodies with semi-axes of 0.3 to 1 m (hulls of 32 points of an ellipsoid) at random poses, gaps or overlaps \
     up to 0.5 m.",
    "GJK to a relative width of 1e-12, EPA of 1e-9; polytopes to rounding.",
];
const EPA: &str = "EPA: support points after those of GJK, one more than expansions of the polytope";

/// All algorithms; GJK first, and last those that need flat faces.
const METHODS: [Method; 5] =
    [Method::Gjk, Method::GjkNesterov, Method::GjkCases, Method::ChungWang, Method::LinCanny];

/// What is counted: an algorithm, or EPA if it is none, on pairs that are apart or meet.
const HISTOGRAMS: [(&str, Option<Method>, [f64; 2]); 6] = [
    ("GJK apart", Some(Method::Gjk), APART),
    ("Nesterov GJK apart", Some(Method::GjkNesterov), APART),
    ("GJK meeting", Some(Method::Gjk), MEETING),
    ("EPA meeting", None, MEETING),
    ("Lin–Canny apart", Some(Method::LinCanny), APART),
    ("Lin–Canny meeting", Some(Method::LinCanny), MEETING),
];

/// For each kind of body how often each number came.
type Counted = Vec<(&'static str, BTreeMap<u32, usize>)>;

pub fn run(plan: &Plan) -> Result<Output> {
    let mut random = Random::new(1988);
    let mut counted: Vec<Counted> = HISTOGRAMS.iter().map(|_| Counted::new()).collect();
    let mut output = plan.output(0);
    for (number, kind) in KINDS.into_iter().enumerate() {
        plan.tell(format!("iterations: {kind}"));
        let methods = &METHODS[..if number < FLAT { 5 } else { 4 }];
        let [apart, meeting] = [APART, MEETING].map(|gaps| tally(plan, &mut random, (kind, methods), gaps));
        let scenes = [apart?, meeting?];
        for tally in scenes.iter().flat_map(|(tallies, _)| tallies) {
            output.queries += tally.queries;
            output.undecided += tally.undecided;
        }
        for ((_, method, gaps), counted) in HISTOGRAMS.iter().zip(&mut counted) {
            let (tallies, expanding) = &scenes[usize::from(*gaps == MEETING)];
            let numbers = match method {
                Some(method) => methods.iter().position(|m| m == method).map(|at| &tallies[at].iterations),
                None => Some(expanding),
            };
            let mut counts = BTreeMap::new();
            for &number in numbers.into_iter().flatten() {
                *counts.entry(number).or_insert(0) += 1;
            }
            counted.extend(numbers.map(|_| (kind, counts)));
        }
    }
    output.sheet("iterations", table(&counted)).figure("iterations", &figure(&counted))
}

fn body(kind: &str, random: &mut Random) -> Result<Body> {
    let mut length = || random.between(0.3, 1.0);
    let radii = DVec3::new(length(), length(), length());
    match kind {
        "boxes" => Body::new(Cuboid::new(radii)?),
        "cylinders" => Body::new(Cylinder::new(radii.x, radii.z)?),
        "cones" => Body::new(Cone::new(radii.x, radii.z)?),
        "ellipsoids" => Body::new(Ellipsoid::new(radii)?),
        _ => Body::hull(random, VERTICES, radii),
    }
}

/// Poses of the same two bodies.
const IN_A_RUN: usize = 10;

/// What the algorithms take, and what EPA takes if the bodies meet.
fn tally(
    plan: &Plan,
    random: &mut Random,
    (kind, methods): (&str, &[Method]),
    gaps: [f64; 2],
) -> Result<(Vec<Tally>, Vec<u32>)> {
    let mut bodies = Vec::new();
    for _ in 0..plan.pairs_alone() / IN_A_RUN {
        bodies.push([body(kind, random)?, body(kind, random)?]);
    }
    let runs = bodies.iter().map(|[a, b]| near_contact(random, (a, b), gaps, IN_A_RUN));
    let runs = runs.collect::<Result<Vec<Run>>>()?;
    let tallies = count(methods, &runs, Sequence::Cold)?;
    let meeting = runs.iter().filter(|_| gaps == MEETING);
    let poses = meeting.flat_map(|run| run.poses.iter().map(move |poses| (run, poses)));
    Ok((tallies, poses.map(|(run, poses)| expand(run, poses)).collect::<Result<_>>()?))
}

/// What EPA takes for a pair, from the simplex that GJK ended with.
fn expand(run: &Run, poses: &Poses) -> Result<u32> {
    let difference = difference(run.a, run.b, poses);
    let start = gjk(&difference, &GjkMemory::NONE, &GjkOptions::DISTANCE);
    let found = expanding_polytope(&difference, start.simplex.vertices(), &Accuracy::default(), LIMIT);
    let (lower, upper) = (found.depth.lower, found.depth.upper);
    ensure(apart_after(run, poses, found.normal * (lower * (1.0 - DOUBT))) != Some(true), || {
        format!("EPA: two bodies part before they are moved by the depth {lower}")
    })?;
    ensure(apart_after(run, poses, found.normal * (upper + DOUBT)) != Some(false), || {
        format!("EPA: two bodies still meet after they were moved by the depth {upper}")
    })?;
    Ok(found.expansions + 1)
}

/// More than what normals and the moved bodies are off by rounding, in metres and relative.
const DOUBT: f64 = 1e-9;

/// Whether GJK finds the bodies apart once the second is moved.
fn apart_after(run: &Run, [pose_a, pose_b]: &Poses, shift: DVec3) -> Option<bool> {
    let moved = Pose::from_translation(shift).ok()?.after(pose_b);
    Method::Gjk.ask(run.a, run.b, &[*pose_a, moved], &mut Memory::default()).apart
}

fn table(counted: &[Counted]) -> Sheet {
    let comments = [TITLE, NOTES[0], NOTES[1], ITERATIONS, EPA];
    let mut sheet = Sheet::new(&comments, "algorithm,bodies,iterations,queries");
    for ((name, ..), kinds) in HISTOGRAMS.iter().zip(counted) {
        for (kind, counts) in kinds {
            counts
                .iter()
                .for_each(|(number, count)| sheet.row(format_args!("{name},{kind},{number},{count}")));
        }
    }
    sheet
}

/// The mean of a histogram.
fn mean(table: &Table, algorithm: &str, bodies: &str) -> Result<f64> {
    let points = table.points(&[("algorithm", algorithm), ("bodies", bodies)], "iterations", "queries")?;
    let all: f64 = points.iter().map(|p| p.1).sum();
    Ok(points.iter().map(|p| p.0 * p.1).sum::<f64>() / all)
}

pub fn find(tables: &Tables) -> Result<Vec<Finding>> {
    let table = tables.get("iterations")?;
    let means =
        |algorithm| KINDS.iter().map(|kind| mean(table, algorithm, kind)).collect::<Result<Vec<f64>>>();
    let (apart, deep) = (means("GJK apart")?, means("EPA meeting")?);
    let listed = |means: &[f64]| {
        let named = KINDS.iter().zip(means).map(|(kind, mean)| format!("{} for {kind}", say(*mean)));
        named.collect::<Vec<_>>().join(", ")
    };
    Ok(vec![Finding::new(
        "Gilbert, Johnson and Keerthi 1988",
        "the distance is found after few iterations whatever the bodies",
        format!(
            "{}, round ones to 1e-12 with Newton's method at the end; where they overlap the polytope of EPA then takes {}, round ones to 1e-9",
            listed(&apart),
            listed(&deep)
        ),
        apart.iter().all(|mean| *mean < FEW),
    )])
}

/// Fewer iterations than this on average are few.
const FEW: f64 = 10.0;

fn figure(counted: &[Counted]) -> Figure {
    let panel = |((name, ..), kinds): (&(&str, Option<Method>, [f64; 2]), &Counted)| {
        let series = kinds.iter().map(|(kind, counts)| series(kind, counts)).collect();
        Panel::new(*name, Axis::decimal("iterations"), Axis::linear("queries in %"), series)
    };
    let caption = [NOTES[0], &format!("{} {EPA}.", NOTES[1]), &machine::version()];
    let panels = HISTOGRAMS.iter().zip(counted).map(panel).collect();
    Figure::new("Iterations of the algorithms for convex bodies", panels, &caption)
}

fn series(kind: &str, counts: &BTreeMap<u32, usize>) -> Series {
    let all = counts.values().sum::<usize>().max(1) as f64;
    let share = |number: u32| 100.0 * counts.get(&number).copied().unwrap_or(0) as f64 / all;
    let range = counts.keys().next().zip(counts.keys().last()).map_or(0..0, |(low, high)| *low..high + 1);
    let number = KINDS.iter().position(|k| *k == kind).unwrap_or(0);
    Series::line(kind, number, range.map(|n| (f64::from(n), share(n))).collect())
}
