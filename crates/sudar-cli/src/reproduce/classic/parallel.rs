//! Close parallel surfaces: where oriented boxes need the square root of the tests of all others (Gottschalk
//! et al. 1996).

use std::ops::ControlFlow;
use std::sync::Arc;

use anyhow::{Result, ensure};
use sudar::effort::Meter;
use sudar::volume::Volume;
use sudar::{Aabb, DQuat, DVec3, Mesh, Obb, Pose, Sphere};
use sudar_classic::Model;
use sudar_classic::tree::{
    BuildRules, Descent, Direct, Siblings, SplitAxis, SplitPoint, TraversalOrder, traverse,
};
use sudar_classic::volume::Dop18;

use super::super::axis::{Axis, Scale};
use super::super::figure::{Figure, Panel};
use super::super::sheet::Sheet;
use super::super::{File, Output, Plan, machine};
use super::{line, models, number, seconds};

pub const TITLE: &str =
    "Close parallel surfaces: tests of volumes against the gap (Gottschalk, Lin and Manocha 1996)";

/// Two domes, the upper one shifted up by the gap, both turned against the axes.
fn domes(plan: &Plan) -> Result<Arc<Mesh>> {
    let dome = |x: f64, y: f64| -0.3 * (x * x + y * y);
    let turn = DQuat::from_euler(sudar::glam::EulerRot::XYZ, 0.5, 0.4, 0.3);
    Ok(Arc::new(models::sheet(plan.choose(24, 64) as u32, dome)?.mapped(|p| turn * p)?))
}

fn model<V: Volume>(mesh: &Arc<Mesh>) -> Model<V> {
    let rules = BuildRules { axis: SplitAxis::Longest, point: SplitPoint::Mean, ..BuildRules::DEFAULT };
    Model::top_down(mesh.clone(), &rules)
}

/// Tests of volumes, pairs of leaves and seconds until the surfaces are separated.
fn tests<V: Volume>(plan: &Plan, model: &Model<V>, pose: &Pose) -> (u64, u64, f64) {
    let motion = model.motion(&Pose::IDENTITY, model, pose);
    let order = TraversalOrder { descent: Descent::Larger, siblings: Siblings::InOrder };
    let mut last = (0, 0);
    let time = seconds(plan, || {
        let mut kernel = Direct::new(model.tree(), model.tree(), &motion);
        let (mut meter, mut leaves) = (Meter::unlimited(), 0);
        let _ = traverse((model.tree(), model.tree()), &mut kernel, order, &mut meter, |_, _| {
            leaves += 1;
            ControlFlow::Continue(())
        });
        last = (meter.statistics().nodes, leaves);
    });
    (last.0, last.1, time)
}

pub fn run(plan: &Plan) -> Result<Output> {
    let mesh = domes(plan)?;
    let up = DQuat::from_euler(sudar::glam::EulerRot::XYZ, 0.5, 0.4, 0.3) * DVec3::Z;
    let comments = [
        TITLE,
        "two domes of one shape, a gap apart along their middle normal; one triangle a leaf",
        "slope: the power of 1/gap with which tests grow from the widest gap to the narrowest; the source has 1 for oriented boxes and 2 for spheres and boxes",
    ];
    let columns = ["volume", "gap", "volume_tests", "leaf_pairs", "us", "slope"];
    let mut sheet = Sheet::new(&comments, &columns);
    let (aabb, sphere) = (model::<Aabb>(&mesh), model::<Sphere>(&mesh));
    let (dop, obb) = (model::<Dop18>(&mesh), model::<Obb>(&mesh));
    let gaps: Vec<f64> = (0..plan.choose(3, 6)).map(|i| 0.2 * f64::powi(0.5, i as i32)).collect();
    let mut series = Vec::new();
    let mut ends = Vec::new();
    for (place, name) in ["sphere", "AABB", "18-DOP", "OBB"].into_iter().enumerate() {
        let mut points = Vec::new();
        for &gap in &gaps {
            let pose = Pose::from_translation(up * gap)?;
            let (tests, leaves, time) = match place {
                0 => tests(plan, &sphere, &pose),
                1 => tests(plan, &aabb, &pose),
                2 => tests(plan, &dop, &pose),
                _ => tests(plan, &obb, &pose),
            };
            points.push((gap, tests as f64));
            let first = points[0];
            let slope = libm::log(tests as f64 / first.1) / libm::log(first.0 / gap).max(1e-9);
            let cells = [
                name.to_owned(),
                gap.to_string(),
                tests.to_string(),
                leaves.to_string(),
                number(time * 1e6),
                if points.len() > 1 { number(slope) } else { String::new() },
            ];
            sheet.row(&cells);
        }
        ends.push(points.last().map_or(0.0, |p| p.1));
        series.push(line(name, place, points));
    }
    ensure!(ends[3] < ends[0] && ends[3] < ends[1], "oriented boxes need more tests than others");
    let panel = Panel {
        title: "until the domes are told apart".to_owned(),
        x: Axis::new("gap", Scale::Decimal),
        y: Axis::new("tests of two volumes", Scale::Decimal),
        series,
    };
    let figure = Figure { title: TITLE.to_owned(), panels: vec![panel], caption: vec![machine::version()] };
    let queries = 4 * gaps.len();
    let files = vec![
        File { name: "parallel-surfaces.csv".to_owned(), text: sheet.text() },
        File { name: "parallel-surfaces.svg".to_owned(), text: figure.svg()? },
    ];
    Ok(Output { files, queries, undecided: 0 })
}
