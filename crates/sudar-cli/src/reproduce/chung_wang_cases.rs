//! Where the algorithm of Chung and Wang does not come to an end as published, and what van den Bergen's remark mends.

use anyhow::Result;
use sudar::{Cuboid, DVec3};

use super::axis::{Axis, Scale};
use super::bodies::{Body, Random, Run, Stance, near_contact, turn};
use super::figure::{Figure, Kind, Look, Panel, Series};
use super::measure::{Sequence, Tally, count};
use super::methods::{LIMIT, Method};
use super::sheet::Sheet;
use super::{File, Output, Plan, machine};
use crate::progress::Progress;

pub const TITLE: &str = "rounds of Chung–Wang with and without the switch that van den Bergen asks for";

/// GJK is the judge.
const METHODS: [Method; 3] = [Method::ReflectionsOnly, Method::ChungWang, Method::Gjk];
const SHOWN: usize = 2;

/// Kinds of pairs.
#[derive(Debug, Clone, Copy)]
enum Pairs {
    Polyhedra,
    Needles,
    Plates,
    FacingPlates,
}

const KINDS: [Pairs; 4] = [Pairs::Polyhedra, Pairs::Needles, Pairs::Plates, Pairs::FacingPlates];

/// Half the thickness of plates and needles in metres; they are 2 m long.
const THIN: f64 = 0.01;
/// How much plates that face each other may be tilted, in radians.
const TILT: f64 = 0.02;
const VERTICES: usize = 32;

const NOTES: [&str; 2] = [
    "32 random points of a sphere of 1 m; boxes of 2 × 0.02 × 0.02 m and 2 × 2 × 0.02 m.",
    "Gaps of ±10 cm, facing plates ±1 cm.",
];

pub fn run(plan: &Plan) -> Result<Output> {
    let progress = Progress::new("chung-wang-cases", Some(KINDS.len() as u64));
    let mut random = Random::new(1999);
    let mut tallies = Vec::new();
    for kind in KINDS {
        let bodies = kind.bodies(&mut random)?;
        tallies.push(count(
            &METHODS,
            &[kind.run(&mut random, &bodies, plan.pairs_alone())?],
            Sequence::Cold,
        )?);
        progress.advance(1);
    }
    let file = |name: &str, text| File { name: name.to_owned(), text };
    let files = vec![
        file("chung-wang-cases.csv", table(&tallies)),
        file("chung-wang-cases-rounds.csv", rounds(&tallies)),
        file("chung-wang-cases.svg", figure(&tallies).svg()?),
    ];
    let all = || tallies.iter().flatten();
    Ok(Output { files, queries: all().map(|t| t.queries).sum(), undecided: all().map(|t| t.undecided).sum() })
}

impl Pairs {
    const fn name(self) -> &'static str {
        match self {
            Self::Polyhedra => "random polyhedra",
            Self::Needles => "needles",
            Self::Plates => "thin plates",
            Self::FacingPlates => "facing thin plates",
        }
    }

    fn bodies(self, random: &mut Random) -> Result<[Body; 2]> {
        let body = |half: DVec3| anyhow::Ok(Body::new(Cuboid::new(half)?)?);
        let body = || match self {
            Self::Polyhedra => Body::hull(random, VERTICES, DVec3::ONE),
            Self::Needles => body(DVec3::new(THIN, THIN, 1.0)),
            Self::Plates | Self::FacingPlates => body(DVec3::new(1.0, 1.0, THIN)),
        };
        let mut body = body;
        Ok([body()?, body()?])
    }

    fn run<'a>(self, random: &mut Random, [a, b]: &'a [Body; 2], count: usize) -> Result<Run<'a>> {
        match self {
            Self::Polyhedra | Self::Needles | Self::Plates => {
                near_contact(random, (a, b), [-0.1, 0.1], count)
            }
            Self::FacingPlates => {
                let pose = |_| facing(random).placed(a, b, random.between(-THIN, THIN));
                Ok(Run { a, b, poses: (0..count).map(pose).collect::<Result<_>>()? })
            }
        }
    }
}

/// Plates one above the other, up to a small tilt, the upper one shifted by up to a side.
fn facing(random: &mut Random) -> Stance {
    let first = random.rotation();
    let second = (first * turn(random.direction(), random.between(0.0, TILT))).normalize();
    let shift = DVec3::new(random.between(-1.0, 1.0), random.between(-1.0, 1.0), 2.0 * THIN);
    Stance { turns: [first, second], toward: (first * shift).normalize() }
}

fn table(tallies: &[Vec<Tally>]) -> String {
    let limit = format!(
        "rounds: of the pairs that were decided; without_end: not decided within {LIMIT} rounds; \
         undecided: these and those within rounding"
    );
    let columns = [
        "pairs",
        "algorithm",
        "queries",
        "apart",
        "rounds_mean",
        "rounds_median",
        "rounds_p99",
        "rounds_max",
        "without_end",
        "undecided",
    ];
    let mut sheet = Sheet::new(&[TITLE, NOTES[0], NOTES[1], &limit], &columns);
    for (kind, tallies) in KINDS.iter().zip(tallies) {
        for (method, tally) in METHODS.iter().zip(tallies) {
            sheet.row(&[
                kind.name().to_owned(),
                method.name().to_owned(),
                tally.queries.to_string(),
                tally.apart.to_string(),
                format!("{:.3}", tally.mean()),
                tally.quantile(0.5).to_string(),
                tally.quantile(0.99).to_string(),
                tally.most().to_string(),
                tally.exhausted.to_string(),
                tally.undecided.to_string(),
            ]);
        }
    }
    sheet.text()
}

/// A range of numbers of rounds; the last is for those that are not decided.
struct Bin {
    name: String,
    to: u32,
}

/// 1, 2, 3–4, 5–8 and so on.
fn bins() -> Vec<Bin> {
    let mut bins = vec![Bin { name: "1".to_owned(), to: 1 }, Bin { name: "2".to_owned(), to: 2 }];
    let mut from = 2;
    while from < LIMIT {
        let to = (2 * from).min(LIMIT);
        bins.push(Bin { name: format!("≤{to}"), to });
        from = to;
    }
    bins.push(Bin { name: "open".to_owned(), to: u32::MAX });
    bins
}

/// How many queries fall into each bin. The undecided are in the last.
fn binned(tally: &Tally, bins: &[Bin]) -> Vec<usize> {
    let mut counts = vec![0; bins.len()];
    for &rounds in &tally.iterations {
        let bin = bins.iter().position(|bin| rounds <= bin.to);
        if let Some(count) = bin.and_then(|bin| counts.get_mut(bin)) {
            *count += 1;
        }
    }
    if let Some(last) = counts.last_mut() {
        *last += tally.undecided;
    }
    counts
}

fn rounds(tallies: &[Vec<Tally>]) -> String {
    let mut sheet = Sheet::new(
        &[
            TITLE,
            NOTES[0],
            NOTES[1],
            "rounds: of those decided; 'open' stands for not decided within the limit",
        ],
        &["pairs", "algorithm", "rounds", "queries"],
    );
    let bins = bins();
    for (kind, tallies) in KINDS.iter().zip(tallies) {
        for (method, tally) in METHODS.iter().zip(tallies).take(SHOWN) {
            for (bin, count) in bins.iter().zip(binned(tally, &bins)) {
                let [kind, method] = [kind.name(), method.name()].map(str::to_owned);
                sheet.row(&[kind, method, bin.name.clone(), count.to_string()]);
            }
        }
    }
    sheet.text()
}

fn figure(tallies: &[Vec<Tally>]) -> Figure {
    let bins = bins();
    let names: Vec<String> = bins.iter().map(|bin| bin.name.clone()).collect();
    let series = |(place, (method, tally)): (usize, (&Method, &Tally))| {
        let all = tally.queries.max(1) as f64;
        let share = |(i, count): (usize, usize)| (i as f64, 100.0 * count as f64 / all);
        Series {
            label: method.name().to_owned(),
            look: Look { number: 1 - place, kind: Kind::Bar { place, of: SHOWN } },
            points: binned(tally, &bins).into_iter().enumerate().map(share).collect(),
        }
    };
    let panel = |(kind, tallies): (&Pairs, &Vec<Tally>)| Panel {
        title: kind.name().to_owned(),
        x: Axis::new("rounds", Scale::Named(names.clone())),
        y: Axis::new("pairs in %", Scale::Decimal),
        series: METHODS.iter().zip(tallies).take(SHOWN).enumerate().map(series).collect(),
    };
    let caption = [NOTES[0], NOTES[1]].map(str::to_owned).into_iter();
    let end = format!("Open: not decided within {LIMIT} rounds. {}", machine::version());
    Figure {
        title: "Chung–Wang: rounds until the answer".to_owned(),
        panels: KINDS.iter().zip(tallies).map(panel).collect(),
        caption: caption.chain([end]).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_double_and_hold_every_number() {
        let bins = bins();
        let names: Vec<&str> = bins.iter().map(|b| b.name.as_str()).collect();
        assert_eq!(
            names,
            ["1", "2", "≤4", "≤8", "≤16", "≤32", "≤64", "≤128", "≤256", "≤512", "≤1000", "open"]
        );
        let tally = Tally { iterations: vec![1, 3, 4, 5, LIMIT], undecided: 1, ..Tally::default() };
        assert_eq!(binned(&tally, &bins), [1, 0, 2, 1, 0, 0, 0, 0, 0, 0, 1, 1]);
    }
}
