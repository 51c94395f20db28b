//! SWIFT++: caching, directed search and the front (Ehmann and Lin 2001).

use std::sync::Arc;

use sudar::{DQuat, DVec3, Mesh, Pose, Solid};
use sudar_classic::tree::SplitPoint;
use sudar_classic::{Swift, SwiftMemory, SwiftOptions, SwiftOrder};

use crate::inputs::models;
use crate::output::axis::Axis;
use crate::output::figure::{Figure, Panel, Series};
use crate::output::finding::{Finding, say};
use crate::output::machine;
use crate::output::sheet::{Sheet, numbers};
use crate::output::table::Tables;
use crate::plan::{Output, Plan, Result, ensure};

pub const TITLE: &str =
    "SWIFT++: where to split, directed search, caching and the front (Ehmann and Lin 2001)";

/// Poses of a ball on its way around a ring, so far from its middle.
fn orbit(steps: usize, radius: f64) -> Result<Vec<Pose>> {
    let pose = |i: usize| {
        let t = i as f64 / steps as f64;
        let (x, y) = (radius * libm::cos(3.0 * t), radius * libm::sin(3.0 * t));
        Ok(Pose::new(DVec3::new(x, y, 0.6 * libm::sin(9.0 * t)), DQuat::from_rotation_y(4.0 * t))?)
    };
    (0..steps).map(pose).collect()
}

/// Tests of hulls and the sum of all distances.
fn measure([first, second]: &[Swift; 2], poses: &[Pose], cached: bool) -> (u64, f64) {
    let (mut tests, mut total, mut memory) = (0, 0.0, SwiftMemory::new());
    for pose in poses {
        if !cached {
            memory = SwiftMemory::new();
        }
        if let Some(found) = first.distance(&Pose::IDENTITY, second, pose, f64::INFINITY, &mut memory) {
            tests += found.effort.volume_tests;
            total += found.distance.upper;
        }
    }
    (tests, total)
}

/// Both bodies, as surfaces or with their insides.
fn made(meshes: [&Arc<Mesh>; 2], solid: bool, options: &SwiftOptions) -> Result<[Swift; 2]> {
    let made = |mesh: &Arc<Mesh>| -> Result<Swift> {
        if solid {
            return Ok(Swift::of_solid(&Solid::new(mesh.clone())?, options)?);
        }
        Ok(Swift::new(mesh.clone(), options)?)
    };
    Ok([made(meshes[0])?, made(meshes[1])?])
}

pub fn run(plan: &Plan) -> Result<Output> {
    plan.tell("SWIFT++");
    let ring = Arc::new(models::torus(plan.choose(10, 40) as u32)?);
    let ball = Arc::new(models::bumpy(plan.choose(6, 24) as u32)?);
    let steps = plan.choose(20, 200);
    let comments = [
        TITLE,
        "a bumpy sphere moves around a ring, apart or overlapping with it; distance, microseconds a pose; tests of two hulls, mean of a pose",
        "solid: with the insides, so that contained faces end a search",
        "source: caching and directed search each make queries several times faster",
    ];
    let columns = "poses,body,point,order,cached,pieces,build_ms,hull_tests,us";
    let mut sheet = Sheet::new(&comments, columns);
    let (mut panels, mut queries) = (Vec::new(), 0);
    for (place, radius) in [("apart", 2.5), ("overlapping", 1.5)] {
        let poses = orbit(steps, radius)?;
        let mut series = Vec::new();
        for (number, (body, point)) in BUILDS.into_iter().enumerate() {
            let mut bars = Vec::new();
            for (x, (order, cached, _)) in SEARCHES.into_iter().enumerate() {
                let options = SwiftOptions { point, order };
                let both = made([&ring, &ball], body == "solid", &options)?;
                let build = plan.once().seconds(|| made([&ring, &ball], body == "solid", &options));
                let (tests, total) = measure(&both, &poses, cached);
                let exact = measure(&both, &poses, !cached).1;
                ensure((exact - total).abs() <= 1e-9 * exact, || "distances differ".to_owned())?;
                let (tests, count) = (tests as f64, poses.len() as f64);
                let time = plan.seconds(|| measure(&both, &poses, cached)) * 1e6 / count;
                let measured = numbers(&[build * 1e3, tests / count, time]);
                let ([a, b], point, order) = (both.each_ref().map(Swift::pieces), point.name(), order.name());
                sheet.row(format_args!("{place},{body},{point},{order},{cached},{a} {b},{measured}"));
                bars.push((x as f64, tests / count));
                queries += poses.len();
            }
            let label = format!("{body}, {}", point.name());
            series.push(Series::bars(label, number, [number, BUILDS.len()], bars));
        }
        let names = SEARCHES.map(|(.., name)| name.to_owned()).to_vec();
        let (x, y) = (Axis::named("search", names), Axis::linear("tests of two hulls a pose"));
        panels.push(Panel::new(place, x, y, series));
    }
    let figure =
        Figure::new(TITLE, panels, &["kept: features and pieces of the pose before", &machine::line()]);
    plan.output(queries).sheet("swift", sheet).figure("swift", &figure)
}

/// Surfaces, split at three points, and solids.
const BUILDS: [(&str, SplitPoint); 4] = [
    ("surface", SplitPoint::Median),
    ("surface", SplitPoint::MidRange),
    ("surface", SplitPoint::Mean),
    ("solid", SplitPoint::Median),
];
/// Orders of the search, whether something is kept from pose to pose, and names in the figure. Without memory the front
/// is that of the first search: the roots.
const SEARCHES: [(SwiftOrder, bool, &str); 5] = [
    (SwiftOrder::DepthFirst, false, "depth"),
    (SwiftOrder::DepthFirst, true, "depth, kept"),
    (SwiftOrder::NearestFirst, false, "nearest"),
    (SwiftOrder::NearestFirst, true, "nearest, kept"),
    (SwiftOrder::Front, true, "front"),
];

/// Tests of hulls, the same on every machine.
pub fn find(tables: &Tables) -> Result<Vec<Finding>> {
    let table = tables.get("swift")?;
    let tests = |poses, order, cached| {
        let cells = [
            ("poses", poses),
            ("body", "surface"),
            ("point", "median"),
            ("order", order),
            ("cached", cached),
        ];
        table.number(&cells, "hull_tests")
    };
    let (plain, directed) =
        (tests("apart", "depth first", "false")?, tests("apart", "nearest first", "false")?);
    let (overlapping, cached) =
        (tests("overlapping", "depth first", "false")?, tests("overlapping", "depth first", "true")?);
    let [front_apart, front] = [tests("apart", "front", "true")?, tests("overlapping", "front", "true")?];
    Ok(vec![
        Finding::new(
            "Ehmann and Lin 2001 (Daneu 2002, section 2.5)",
            "nearest pairs first, and nearest features kept from pose to pose, make queries several times faster",
            format!(
                "bodies apart need {} tests of hulls instead of {} depth first; overlapping ones {} with what is kept instead of {}",
                say(directed),
                say(plain),
                say(cached),
                say(overlapping)
            ),
            directed < 0.5 * plain && cached < 0.5 * overlapping,
        ),
        Finding::new(
            "Ehmann and Lin 2001 (Daneu 2002, section 2.5)",
            "the front of the last query spares the way down",
            format!(
                "from the front on, overlapping bodies need {} tests and bodies apart {}, where raising it costs more than it spares",
                say(front),
                say(front_apart)
            ),
            front < 0.5 * overlapping && front_apart < directed,
        ),
    ])
}
