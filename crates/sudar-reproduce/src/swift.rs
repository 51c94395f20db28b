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
        let (poses, mut bars, mut names) = (orbit(steps, radius)?, Vec::new(), Vec::new());
        for (solid, point, order) in cases() {
            let both = made([&ring, &ball], solid, &SwiftOptions { point, order })?;
            let build = plan.once().seconds(|| made([&ring, &ball], solid, &SwiftOptions { point, order }));
            let exact = measure(&both, &poses, false).1;
            // Without memory the front is that of the first search: the roots.
            let caching: &[bool] = if order == SwiftOrder::Front { &[true] } else { &[false, true] };
            for &cached in caching {
                let (tests, total) = measure(&both, &poses, cached);
                ensure((exact - total).abs() <= 1e-9 * exact, || "distances differ".to_owned())?;
                let (tests, count) = (tests as f64, poses.len() as f64);
                let time = plan.seconds(|| measure(&both, &poses, cached)) * 1e6 / count;
                let body = if solid { "solid" } else { "surface" };
                let marks = [body, " ", point.name(), " ", order.name()].concat();
                names.push(marks + if cached { " c" } else { "" });
                bars.push((bars.len() as f64, time));
                let (point, order) = (point.name(), order.name());
                let measured = numbers(&[build * 1e3, tests / count, time]);
                let pieces = [both[0].pieces(), both[1].pieces()];
                sheet.row(format_args!(
                    "{place},{body},{point},{order},{cached},{} {},{measured}",
                    pieces[0], pieces[1]
                ));
                queries += poses.len();
            }
        }
        let (x, y) = (Axis::named("c: cached", names), Axis::linear("microseconds"));
        panels.push(Panel::new(place, x, y, vec![Series::bars("time of a pose", 0, [0, 1], bars)]));
    }
    let figure = Figure::new(TITLE, panels, &[&machine::line()]);
    plan.output(queries).sheet("swift", sheet).figure("swift", &figure)
}

/// Whether bodies are solid, where they are split, and the order: each way to split for surfaces, one for solids.
fn cases() -> Vec<(bool, SplitPoint, SwiftOrder)> {
    let points = [SplitPoint::Median, SplitPoint::MidRange, SplitPoint::Mean];
    let each = |solid, point| SwiftOrder::ALL.map(|order| (solid, point, order));
    let surfaces = points.into_iter().flat_map(|point| each(false, point));
    surfaces.chain(each(true, SplitPoint::Median)).collect()
}

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
