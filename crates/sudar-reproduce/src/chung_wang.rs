//! Where the algorithm of Chung and Wang does not come to an end as published, and what van den Bergen's remark mends.

use sudar::{Cuboid, DVec3};

use crate::inputs::bodies::{Body, Run, Stance, near_contact};
use crate::inputs::random::{Random, turn};
use crate::measure::{Sequence, Tally, count};
use crate::methods::{LIMIT, Method};
use crate::output::axis::Axis;
use crate::output::figure::{Figure, Panel, Series};
use crate::output::finding::{Finding, say};
use crate::output::machine;
use crate::output::sheet::Sheet;
use crate::output::table::Tables;
use crate::plan::{Output, Plan, Result};

pub const TITLE: &str = "rounds of Chung–Wang with and without the switch that van den Bergen asks for";

/// GJK is the judge.
const METHODS: [Method; 3] = [Method::ReflectionsOnly, Method::ChungWang, Method::Gjk];
const SHOWN: usize = 2;

/// Kinds of pairs: half extents of boxes, or random polyhedra.
const KINDS: [(&str, Option<DVec3>); 4] = [
    ("random polyhedra", None),
    ("needles", Some(DVec3::new(THIN, THIN, 1.0))),
    ("thin plates", Some(DVec3::new(1.0, 1.0, THIN))),
    (FACING, Some(DVec3::new(1.0, 1.0, THIN))),
];
const FACING: &str = "facing thin plates";

/// Half the thickness of plates and needles in metres; they are 2 m long.
const THIN: f64 = 0.01;
/// How much plates that face each other may be tilted, in radians.
const TILT: f64 = 0.02;
const VERTICES: usize = 32;

const NOTES: [&str; 2] = [
    "32 random points of a sphere of 1 m; boxes of 2 × 0.02 × 0.02 m and 2 × 2 × 0.02 m.",
    "Gaps of ±10 cm, facing plates ±1 cm.",
];

/// The tallies of one kind of pairs.
type Counted = (&'static str, Vec<Tally>);

pub fn run(plan: &Plan) -> Result<Output> {
    let mut random = Random::new(1999);
    let mut tallies: Vec<Counted> = Vec::new();
    for (name, half) in KINDS {
        plan.tell(format!("Chung–Wang: {name}"));
        let mut body = || match half {
            Some(half) => Body::new(Cuboid::new(half)?),
            None => Body::hull(&mut random, VERTICES, DVec3::ONE),
        };
        let bodies = [body()?, body()?];
        let run = runs(name, &mut random, &bodies, plan.pairs_alone())?;
        tallies.push((name, count(&METHODS, &[run], Sequence::Cold)?));
    }
    let sum = |part: fn(&Tally) -> usize| tallies.iter().flat_map(|(_, tallies)| tallies).map(part).sum();
    let output = plan.output(sum(|t| t.queries)).leaving_open(sum(|t| t.undecided));
    output
        .sheet("chung-wang-cases", table(&tallies))
        .sheet("chung-wang-cases-rounds", rounds(&tallies))
        .figure("chung-wang-cases", &figure(&tallies))
}

pub fn find(tables: &Tables) -> Result<Vec<Finding>> {
    let table = tables.get("chung-wang-cases")?;
    let facing = |method: Method, column: &str| {
        table.number(&[("pairs", FACING), ("algorithm", method.name())], column)
    };
    let endless = facing(Method::ReflectionsOnly, "without_end")?;
    let mended = [("algorithm", Method::ChungWang.name())];
    let most = table.numbers(&mended, "rounds_max")?.into_iter().fold(0.0, f64::max);
    let open: f64 = table.numbers(&mended, "without_end")?.iter().sum();
    Ok(vec![
        Finding::new(
            "van den Bergen 1999",
            "the algorithm of Chung and Wang need not come to an end, for its proof of convergence is wrong",
            format!(
                "of {} pairs of thin plates face to face it leaves {} undecided after {LIMIT} rounds",
                say(facing(Method::ReflectionsOnly, "queries")?),
                say(endless)
            ),
            endless > 0.0,
        ),
        Finding::new(
            "Huotari 2011, section 5.4.3",
            "it ends once it switches to a vector common to all half-spaces when a support point comes again",
            format!(
                "with the switch {} pairs of any kind are left open, and none takes more than {} rounds",
                say(open),
                say(most)
            ),
            open == 0.0,
        ),
    ])
}

fn runs<'a>(name: &str, random: &mut Random, [a, b]: &'a [Body; 2], count: usize) -> Result<Run<'a>> {
    if name != FACING {
        return near_contact(random, (a, b), [-0.1, 0.1], count);
    }
    let pose = |_| facing(random).placed(a, b, random.between(-THIN, THIN));
    Ok(Run { a, b, poses: (0..count).map(pose).collect::<Result<_>>()? })
}

/// Plates one above the other, up to a small tilt, the upper one shifted by up to a side.
fn facing(random: &mut Random) -> Stance {
    let first = random.rotation();
    let second = (first * turn(random.direction(), random.between(0.0, TILT))).normalize();
    let shift = DVec3::new(random.between(-1.0, 1.0), random.between(-1.0, 1.0), 2.0 * THIN);
    Stance { turns: [first, second], toward: (first * shift).normalize() }
}

fn table(tallies: &[Counted]) -> Sheet {
    let limit = format!(
        "rounds: of the pairs that were decided; without_end: not decided within {LIMIT} rounds; \
         undecided: these and those within rounding"
    );
    let columns =
        "pairs,algorithm,queries,apart,rounds_mean,rounds_median,rounds_p99,rounds_max,without_end,undecided";
    let mut sheet = Sheet::new(&[TITLE, NOTES[0], NOTES[1], &limit], columns);
    for (kind, tallies) in tallies {
        for (method, tally) in METHODS.iter().zip(tallies) {
            let Tally { queries, apart, exhausted, undecided, .. } = tally;
            let [median, p99, most] = [0.5, 0.99, 1.0].map(|part| tally.quantile(part));
            let (method, mean) = (method.name(), tally.mean());
            sheet.row(format_args!(
                "{kind},{method},{queries},{apart},{mean:.3},{median},{p99},{most},{exhausted},{undecided}"
            ));
        }
    }
    sheet
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
        from = (2 * from).min(LIMIT);
        bins.push(Bin { name: format!("≤{from}"), to: from });
    }
    bins.push(Bin { name: "open".to_owned(), to: u32::MAX });
    bins
}

/// How many queries fall into each bin. The undecided are in the last.
fn binned(tally: &Tally, bins: &[Bin]) -> Vec<usize> {
    let mut counts = vec![0; bins.len()];
    for &rounds in &tally.iterations {
        counts[bins.partition_point(|bin| bin.to < rounds)] += 1;
    }
    if let Some(last) = counts.last_mut() {
        *last += tally.undecided;
    }
    counts
}

fn rounds(tallies: &[Counted]) -> Sheet {
    let note = "rounds: of those decided; 'open' stands for not decided within the limit";
    let mut sheet = Sheet::new(&[TITLE, NOTES[0], NOTES[1], note], "pairs,algorithm,rounds,queries");
    let bins = bins();
    for (kind, tallies) in tallies {
        for (method, tally) in METHODS.iter().zip(tallies).take(SHOWN) {
            for (bin, count) in bins.iter().zip(binned(tally, &bins)) {
                sheet.row(format_args!("{kind},{},{},{count}", method.name(), bin.name));
            }
        }
    }
    sheet
}

fn figure(tallies: &[Counted]) -> Figure {
    let bins = bins();
    let series = |(place, (method, tally)): (usize, (&Method, &Tally))| {
        let all = tally.queries.max(1) as f64;
        let share = |(i, count): (usize, usize)| (i as f64, 100.0 * count as f64 / all);
        let points = binned(tally, &bins).into_iter().enumerate().map(share).collect();
        Series::bars(method.name(), 1 - place, [place, SHOWN], points)
    };
    let panel = |(kind, tallies): &Counted| {
        let series = METHODS.iter().zip(tallies).take(SHOWN).enumerate().map(series).collect();
        let names = bins.iter().map(|bin| bin.name.clone()).collect();
        Panel::new(*kind, Axis::named("rounds", names), Axis::decimal("pairs in %"), series)
    };
    let end = format!("Open: not decided within {LIMIT} rounds. {}", machine::version());
    let panels = tallies.iter().map(panel).collect();
    Figure::new("Chung–Wang: rounds until the answer", panels, &[NOTES[0], NOTES[1], &end])
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
