//! Close parallel surfaces: where oriented boxes need the square root of the tests of all others (Gottschalk
//! et al. 1996).

use std::ops::ControlFlow;
use std::sync::Arc;

use sudar::effort::Meter;
use sudar::volume::Volume;
use sudar::{Aabb, DQuat, DVec3, Mesh, Obb, Pose, Sphere};
use sudar_classic::Model;
use sudar_classic::tree::{
    BuildRules, Descent, Direct, Siblings, SplitAxis, SplitPoint, TraversalOrder, traverse,
};
use sudar_classic::volume::Dop18;

use crate::inputs::models;
use crate::output::axis::Axis;
use crate::output::figure::{Figure, Panel, Series};
use crate::output::finding::{Finding, say};
use crate::output::machine;
use crate::output::sheet::Sheet;
use crate::output::table::Tables;
use crate::plan::{Output, Plan, Result, ensure};

pub const TITLE: &str =
    "Close parallel surfaces: tests of volumes against the gap (Gottschalk, Lin and Manocha 1996)";

/// The dome is turned against the axes.
fn turn() -> DQuat {
    DQuat::from_euler(sudar::glam::EulerRot::XYZ, 0.5, 0.4, 0.3)
}

/// Tests of volumes, pairs of leaves and seconds until two domes are separated, the second so far above the first.
fn tests<V: Volume>(plan: &Plan, mesh: &Arc<Mesh>, gaps: &[f64]) -> Result<Vec<(u64, u64, f64)>> {
    let rules = BuildRules { axis: SplitAxis::Longest, point: SplitPoint::Mean, ..BuildRules::DEFAULT };
    let model = Model::<V>::top_down(mesh.clone(), &rules);
    let order = TraversalOrder { descent: Descent::Larger, siblings: Siblings::InOrder };
    let tested = |&gap: &f64| {
        let pose = Pose::from_translation(turn() * DVec3::Z * gap)?;
        let motion = model.motion(&Pose::IDENTITY, &model, &pose);
        let mut last = (0, 0);
        let time = plan.seconds(|| {
            let mut kernel = Direct::new(model.tree(), model.tree(), &motion);
            let (mut meter, mut leaves) = (Meter::unlimited(), 0);
            let _ = traverse((model.tree(), model.tree()), &mut kernel, order, &mut meter, |_, _| {
                leaves += 1;
                ControlFlow::Continue(())
            });
            last = (meter.statistics().nodes, leaves);
        });
        Ok((last.0, last.1, time))
    };
    gaps.iter().map(tested).collect()
}

pub fn run(plan: &Plan) -> Result<Output> {
    plan.tell("parallel surfaces");
    let dome = |x: f64, y: f64| -0.3 * (x * x + y * y);
    let mesh = Arc::new(models::sheet(plan.choose(24, 64) as u32, dome)?.mapped(|p| turn() * p)?);
    let comments = [
        TITLE,
        "two domes of one shape, a gap apart along their middle normal; one triangle a leaf",
        "slope: the power of 1/gap with which tests grow from the widest gap to the narrowest; the source has 1 for oriented boxes and 2 for spheres and boxes",
    ];
    let mut sheet = Sheet::new(&comments, "volume,gap,volume_tests,leaf_pairs,us,slope");
    let gaps: Vec<f64> = (0..plan.choose(3, 6)).map(|i| 0.2 * f64::powi(0.5, i as i32)).collect();
    let all = [
        ("sphere", tests::<Sphere>(plan, &mesh, &gaps)?),
        ("AABB", tests::<Aabb>(plan, &mesh, &gaps)?),
        ("18-DOP", tests::<Dop18>(plan, &mesh, &gaps)?),
        ("OBB", tests::<Obb>(plan, &mesh, &gaps)?),
    ];
    let (mut series, mut ends) = (Vec::new(), Vec::new());
    for (place, (name, found)) in all.into_iter().enumerate() {
        let mut points = Vec::new();
        for (&gap, (tests, leaves, time)) in gaps.iter().zip(found) {
            points.push((gap, tests as f64));
            let first = points[0];
            let slope = libm::log(tests as f64 / first.1) / libm::log(first.0 / gap).max(1e-9);
            let slope = if points.len() > 1 { format!("{slope:.4}") } else { String::new() };
            sheet.row(format_args!("{name},{gap},{tests},{leaves},{:.4},{slope}", time * 1e6));
        }
        ends.push(points.last().map_or(0.0, |p| p.1));
        series.push(Series::line(name, place, points));
    }
    let is_as_expected = ends[3] < ends[0] && ends[3] < ends[1];
    ensure(is_as_expected, || "oriented boxes need more tests than others".to_owned())?;
    let (x, y) = (Axis::decimal("gap"), Axis::decimal("tests of two volumes"));
    let panel = Panel::new("until the domes are told apart", x, y, series);
    let figure = Figure::new(TITLE, vec![panel], &[&machine::version()]);
    plan.output(4 * gaps.len()).sheet("parallel-surfaces", sheet).figure("parallel-surfaces", &figure)
}

pub fn find(tables: &Tables) -> Result<Vec<Finding>> {
    let table = tables.get("parallel-surfaces")?;
    if table.is_quick {
        // Domes of few triangles: spheres and boxes test nearly all pairs already.
        return Ok(Vec::new());
    }
    let tests = |volume: &str, gap: &str| table.number(&[("volume", volume), ("gap", gap)], "volume_tests");
    let power =
        |volume: &str| -> Result<f64> { Ok(libm::log2(tests(volume, "0.05")? / tests(volume, "0.1")?)) };
    let [sphere, aabb, obb] = ["sphere", "AABB", "OBB"];
    let here = format!(
        "from a gap of 0.1 to one of 0.05 the powers are {} for spheres, {} for boxes and {} for oriented boxes, which then need {} tests where boxes need {} and spheres {}",
        say(power(sphere)?),
        say(power(aabb)?),
        say(power(obb)?),
        say(tests(obb, "0.05")?),
        say(tests(aabb, "0.05")?),
        say(tests(sphere, "0.05")?)
    );
    let is_linear = power(obb)? < 1.5 && power(aabb)?.min(power(sphere)?) > 1.5;
    let there = "between close parallel surfaces the tests grow with 1/gap for oriented boxes and with 1/gap² for spheres and boxes";
    Ok(vec![Finding::new("Gottschalk, Lin and Manocha 1996", there, here, is_linear)])
}
