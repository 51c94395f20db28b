//! How many iterations the algorithms take on all kinds of convex bodies.

use std::collections::BTreeMap;

use anyhow::{Result, ensure};
use sudar::convex::{Accuracy, GjkMemory, GjkOptions, expanding_polytope, gjk};
use sudar::{Cone, Cuboid, Cylinder, DVec3, Ellipsoid, Pose};

use super::axis::{Axis, Scale};
use super::bodies::{Body, Poses, Random, Run, difference, near_contact};
use super::curves::ITERATIONS;
use super::figure::{Figure, Kind as Mark, Look, Panel, Series};
use super::measure::{Sequence, Tally, count};
use super::methods::{Memory, Method};
use super::sheet::Sheet;
use super::{File, Output, Plan, machine};
use crate::progress::Progress;

pub const TITLE: &str = "histograms of iterations of GJK, EPA and Lin–Canny for all kinds of convex bodies";

/// Kinds of bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Boxes,
    Hulls,
    Cylinders,
    Cones,
    Ellipsoids,
}

const KINDS: [Kind; 5] = [Kind::Boxes, Kind::Hulls, Kind::Cylinders, Kind::Cones, Kind::Ellipsoids];
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

/// What is counted: an algorithm of [`Method`] or EPA, on pairs that are apart or meet.
struct Histogram {
    name: &'static str,
    counts: What,
    gaps: [f64; 2],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum What {
    Method(Method),
    Epa,
}

const HISTOGRAMS: [Histogram; 6] = [
    Histogram { name: "GJK apart", counts: What::Method(Method::Gjk), gaps: APART },
    Histogram { name: "Nesterov GJK apart", counts: What::Method(Method::GjkNesterov), gaps: APART },
    Histogram { name: "GJK meeting", counts: What::Method(Method::Gjk), gaps: MEETING },
    Histogram { name: "EPA meeting", counts: What::Epa, gaps: MEETING },
    Histogram { name: "Lin–Canny apart", counts: What::Method(Method::LinCanny), gaps: APART },
    Histogram { name: "Lin–Canny meeting", counts: What::Method(Method::LinCanny), gaps: MEETING },
];

/// For each kind of body how often each number came.
type Counted = Vec<(Kind, BTreeMap<u32, usize>)>;

pub fn run(plan: &Plan) -> Result<Output> {
    let progress = Progress::new("iterations", Some(KINDS.len() as u64));
    let mut random = Random::new(1988);
    let mut counted: Vec<Counted> = HISTOGRAMS.iter().map(|_| Counted::new()).collect();
    let (mut queries, mut undecided) = (0, 0);
    for kind in KINDS {
        let scenes = [tally(plan, &mut random, kind, APART)?, tally(plan, &mut random, kind, MEETING)?];
        for tally in scenes.iter().flat_map(|scene| &scene.tallies) {
            queries += tally.queries;
            undecided += tally.undecided;
        }
        for (histogram, counted) in HISTOGRAMS.iter().zip(&mut counted) {
            let [apart, meeting] = &scenes;
            let scene = if histogram.gaps == APART { apart } else { meeting };
            counted.extend(scene.numbers(histogram.counts, kind).map(|numbers| (kind, frequencies(numbers))));
        }
        progress.advance(1);
    }
    let files = vec![
        File { name: "iterations.csv".to_owned(), text: table(&counted) },
        File { name: "iterations.svg".to_owned(), text: figure(&counted).svg()? },
    ];
    Ok(Output { files, queries, undecided })
}

/// How often each number comes.
fn frequencies(numbers: &[u32]) -> BTreeMap<u32, usize> {
    let mut counts = BTreeMap::new();
    for &number in numbers {
        *counts.entry(number).or_insert(0) += 1;
    }
    counts
}

impl Kind {
    const fn name(self) -> &'static str {
        match self {
            Self::Boxes => "boxes",
            Self::Hulls => "hulls",
            Self::Cylinders => "cylinders",
            Self::Cones => "cones",
            Self::Ellipsoids => "ellipsoids",
        }
    }

    fn body(self, random: &mut Random) -> Result<Body> {
        let mut length = || random.between(0.3, 1.0);
        let radii = DVec3::new(length(), length(), length());
        match self {
            Self::Boxes => Body::new(Cuboid::new(radii)?),
            Self::Hulls => Body::hull(random, VERTICES, radii),
            Self::Cylinders => Body::new(Cylinder::new(radii.x, radii.z)?),
            Self::Cones => Body::new(Cone::new(radii.x, radii.z)?),
            Self::Ellipsoids => Body::new(Ellipsoid::new(radii)?),
        }
    }

    /// All that can be asked; GJK first.
    const fn methods(self) -> &'static [Method] {
        const ALL: [Method; 5] =
            [Method::Gjk, Method::GjkNesterov, Method::GjkCases, Method::ChungWang, Method::LinCanny];
        match self {
            Self::Boxes | Self::Hulls => &ALL,
            Self::Cylinders | Self::Cones | Self::Ellipsoids => ALL.split_at(4).0,
        }
    }
}

/// What was counted on pairs of one kind.
struct Pairs {
    tallies: Vec<Tally>,
    expanding: Vec<u32>,
}

impl Pairs {
    /// The iterations of one algorithm, if it knows such bodies.
    fn numbers(&self, what: What, kind: Kind) -> Option<&[u32]> {
        match what {
            What::Epa => Some(&self.expanding),
            What::Method(method) => {
                let at = kind.methods().iter().position(|m| *m == method)?;
                self.tallies.get(at).map(|tally| &tally.iterations[..])
            }
        }
    }
}

fn tally(plan: &Plan, random: &mut Random, kind: Kind, gaps: [f64; 2]) -> Result<Pairs> {
    let mut bodies = Vec::new();
    for _ in 0..plan.pairs_alone() / IN_A_RUN {
        bodies.push([kind.body(random)?, kind.body(random)?]);
    }
    let mut runs = Vec::new();
    for [a, b] in &bodies {
        runs.push(near_contact(random, (a, b), gaps, IN_A_RUN)?);
    }
    let tallies = count(kind.methods(), &runs, Sequence::Cold)?;
    Ok(Pairs { tallies, expanding: if gaps == MEETING { expansions(&runs)? } else { Vec::new() } })
}

/// Poses of the same two bodies.
const IN_A_RUN: usize = 10;

/// What EPA takes for each pair, from the simplex that GJK ended with.
fn expansions(runs: &[Run]) -> Result<Vec<u32>> {
    let mut expansions = Vec::new();
    for run in runs {
        for poses in &run.poses {
            expansions.push(expand(run, poses)?);
        }
    }
    Ok(expansions)
}

fn expand(run: &Run, poses: &Poses) -> Result<u32> {
    let difference = difference(run.a, run.b, poses);
    let start = gjk(&difference, &GjkMemory::NONE, &GjkOptions::DISTANCE);
    let found = expanding_polytope(&difference, start.simplex.vertices(), &Accuracy::default(), LIMIT);
    let (lower, upper) = (found.depth.lower, found.depth.upper);
    ensure!(
        apart_after(run, poses, found.normal * (lower * (1.0 - DOUBT))) != Some(true),
        "EPA: two bodies part before they are moved by the depth {lower}"
    );
    ensure!(
        apart_after(run, poses, found.normal * (upper + DOUBT)) != Some(false),
        "EPA: two bodies still meet after they were moved by the depth {upper}"
    );
    Ok(found.expansions + 1)
}

/// More than what normals and the moved bodies are off by rounding, in metres and relative.
const DOUBT: f64 = 1e-9;

/// Whether GJK finds the bodies apart once the second is moved.
fn apart_after(run: &Run, [pose_a, pose_b]: &Poses, shift: DVec3) -> Option<bool> {
    let moved = Pose::from_translation(shift).ok()?.after(pose_b);
    Method::Gjk.ask(run.a, run.b, &[*pose_a, moved], &mut Memory::default()).apart
}

fn table(counted: &[Counted]) -> String {
    let comments = [TITLE, NOTES[0], NOTES[1], ITERATIONS, EPA];
    let mut sheet = Sheet::new(&comments, &["algorithm", "bodies", "iterations", "queries"]);
    for (histogram, kinds) in HISTOGRAMS.iter().zip(counted) {
        for (kind, counts) in kinds {
            for (number, count) in counts {
                let [name, kind] = [histogram.name, kind.name()].map(str::to_owned);
                sheet.row(&[name, kind, number.to_string(), count.to_string()]);
            }
        }
    }
    sheet.text()
}

const EPA: &str = "EPA: support points after those of GJK, one more than expansions of the polytope";

fn figure(counted: &[Counted]) -> Figure {
    let panel = |(histogram, kinds): (&Histogram, &Counted)| Panel {
        title: histogram.name.to_owned(),
        x: Axis::new("iterations", Scale::Decimal),
        y: Axis::new("queries in %", Scale::Linear),
        series: kinds.iter().map(|(kind, counts)| series(*kind, counts)).collect(),
    };
    let caption = [NOTES[0].to_owned(), format!("{} {EPA}.", NOTES[1]), machine::version()];
    Figure {
        title: "Iterations of the algorithms for convex bodies".to_owned(),
        panels: HISTOGRAMS.iter().zip(counted).map(panel).collect(),
        caption: caption.to_vec(),
    }
}

fn series(kind: Kind, counts: &BTreeMap<u32, usize>) -> Series {
    let all = counts.values().sum::<usize>().max(1) as f64;
    let share = |number: u32| 100.0 * counts.get(&number).copied().unwrap_or(0) as f64 / all;
    let range = counts.keys().next().zip(counts.keys().last()).map_or(0..0, |(low, high)| *low..high + 1);
    let number = KINDS.iter().position(|k| *k == kind).unwrap_or(0);
    Series {
        label: kind.name().to_owned(),
        look: Look { number, kind: Mark::Line },
        points: range.map(|n| (f64::from(n), share(n))).collect(),
    }
}
