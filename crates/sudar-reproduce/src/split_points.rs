//! Trees that are split at the mean and at the median: height, volume and tests (Daneu 2002, chapter 2).

use std::sync::Arc;

use sudar::volume::Volume;
use sudar::{Aabb, Mesh, Obb, Pose};
use sudar_classic::tree::{BuildRules, SplitAxis, SplitPoint, UnsplitRule};
use sudar_classic::volume::Dop18;
use sudar_classic::{Limits, Model, Rapid};

use crate::inputs::models::{self, GAPS};
use crate::output::axis::Axis;
use crate::output::figure::{Figure, Panel, Series};
use crate::output::finding::{Finding, say};
use crate::output::machine;
use crate::output::sheet::{Sheet, numbers};
use crate::output::table::{Table, Tables};
use crate::plan::{Output, Plan, Result, ensure};

pub const TITLE: &str =
    "trees of boxes, oriented boxes and 18-DOPs, split at the mean and at the median (Daneu 2002)";

const NOTES: [&str; 3] = [
    "Trees with one triangle a leaf, split along the longest axis, 18-DOPs along that of the largest variance; mean: of the centres, of oriented boxes of all points.",
    "height: nodes on the longest way from the root to a leaf, of the higher tree of two; least: that of a balanced tree; volume: of all nodes of both trees.",
    "tests: all contacts, mean over poses that are near, close and inside each other.",
];

const VOLUMES: [&str; 3] = ["boxes", "oriented boxes", "18-DOPs"];
const POINTS: [&str; 2] = ["mean", "median"];

/// Two models under a name, and poses of the second.
struct Scene {
    name: &'static str,
    meshes: [Arc<Mesh>; 2],
    poses: Vec<Pose>,
}

fn scenes(plan: &Plan) -> Result<Vec<Scene>> {
    let (rows, sides) = (plan.choose(10, 32) as u32, plan.choose(12, 60) as u32);
    let pairs = [
        ("cars", models::car(models::CarModel::First)?, models::car(models::CarModel::Second)?),
        ("spheres", models::sphere(rows, 1.0)?, models::sphere(rows, 0.9)?),
        ("bumpy sphere and ring", models::bumpy(sides / 2 + 4)?, models::torus(sides)?),
    ];
    let scene = |(name, a, b): (&'static str, Mesh, Mesh)| {
        let mut poses = Vec::new();
        for (_, gap) in &GAPS[1..] {
            poses.extend(models::poses(&a, &b, *gap, plan.choose(2, 8))?);
        }
        Ok(Scene { name, meshes: [Arc::new(a), Arc::new(b)], poses })
    };
    pairs.into_iter().map(scene).collect()
}

/// What two trees came to.
struct Row {
    height: usize,
    volume: f64,
    /// Of volumes and of triangles, mean of a pose.
    tests: [f64; 2],
    /// Pairs of triangles that meet at all poses.
    pairs: usize,
}

fn measured<V: Volume>(scene: &Scene, axis: SplitAxis, point: SplitPoint) -> Row {
    let rules = BuildRules { axis, point, unsplit: UnsplitRule::NextAxis, ..BuildRules::DEFAULT };
    let [a, b] = scene.meshes.each_ref().map(|mesh| Model::<V>::top_down(mesh.clone(), &rules));
    let found: Vec<_> = scene
        .poses
        .iter()
        .map(|pose| a.collide(&Pose::IDENTITY, &b, pose, Rapid::ORDER, Limits::ALL))
        .collect();
    let mean = |tests: fn(&sudar_classic::Effort) -> u64| {
        found.iter().map(|found| tests(&found.effort)).sum::<u64>() as f64 / found.len().max(1) as f64
    };
    Row {
        height: a.tree().depth().max(b.tree().depth()),
        volume: a.tree().total_volume() + b.tree().total_volume(),
        tests: [mean(|effort| effort.volume_tests), mean(|effort| effort.triangle_tests)],
        pairs: found.iter().map(|found| found.pairs.len()).sum(),
    }
}

fn by(scene: &Scene, volumes: &str, point: &str) -> Row {
    let is_mean = point == POINTS[0];
    let split = |mean| if is_mean { mean } else { SplitPoint::Median };
    match volumes {
        "boxes" => measured::<Aabb>(scene, SplitAxis::Longest, split(SplitPoint::Mean)),
        "oriented boxes" => measured::<Obb>(scene, SplitAxis::Longest, split(SplitPoint::MeanOfPoints)),
        _ => measured::<Dop18>(scene, SplitAxis::Splatter, split(SplitPoint::Mean)),
    }
}

/// Levels of a binary tree over so many triangles that is as low as can be.
fn least_height(triangles: usize) -> u32 {
    triangles.max(1).next_power_of_two().ilog2() + 1
}

pub fn run(plan: &Plan) -> Result<Output> {
    let mut sheet =
        Sheet::new(&NOTES, "models,volumes,point,least,height,volume,volume_tests,triangle_tests");
    let (mut panels, mut queries) = (Vec::new(), 0);
    for scene in scenes(plan)? {
        plan.tell(format!("mean and median: {}", scene.name));
        let bars = bars(&scene, &mut sheet)?;
        queries += scene.poses.len() * VOLUMES.len() * POINTS.len();
        panels.push(panel(scene.name, bars));
    }
    let figure = Figure::new("Trees split at the mean and at the median", panels, &[&machine::version()]);
    plan.output(queries).sheet("split-points", sheet).figure("split-points", &figure)
}

/// Tests of volumes by their kind for each point; writes the rows of a scene.
fn bars(scene: &Scene, sheet: &mut Sheet) -> Result<[Vec<(f64, f64)>; 2]> {
    let triangles = scene.meshes.iter().map(|mesh| mesh.triangles().len()).max();
    let (name, least, mut pairs) = (scene.name, least_height(triangles.unwrap_or(0)), None);
    let mut bars = [Vec::new(), Vec::new()];
    for (x, volumes) in VOLUMES.into_iter().enumerate() {
        for (bars, point) in bars.iter_mut().zip(POINTS) {
            let row = by(scene, volumes, point);
            let same = *pairs.get_or_insert(row.pairs) == row.pairs;
            ensure(same, || format!("{volumes} split at the {point} find other pairs"))?;
            let Row { height, volume, tests, .. } = row;
            let tests_of_both = numbers(&tests);
            sheet.row(format_args!("{name},{volumes},{point},{least},{height},{volume:.6e},{tests_of_both}"));
            bars.push((x as f64, tests[0]));
        }
    }
    Ok(bars)
}

fn panel(name: &str, bars: [Vec<(f64, f64)>; 2]) -> Panel {
    let series = bars.into_iter().zip(POINTS).enumerate();
    let series = series.map(|(i, (bars, point))| Series::bars(point, i, [i, POINTS.len()], bars)).collect();
    let x = Axis::named("volumes", VOLUMES.map(str::to_owned).to_vec());
    Panel::new(name, x, Axis::linear("tests of volumes a pose"), series)
}

/// A column with the mean over that with the median, for each pair of models.
fn ratios(table: &Table, cells: &[(&str, &str)], column: &str) -> Result<Vec<f64>> {
    let of = |point| table.numbers(&[cells, &[("point", point)]].concat(), column);
    Ok(of("mean")?.iter().zip(of("median")?).map(|(mean, median)| mean / median).collect())
}

fn range(numbers: &[f64]) -> [f64; 2] {
    numbers.iter().fold([f64::INFINITY, 0.0], |[least, most], &x| [x.min(least), x.max(most)])
}

/// The least and the largest ratio for each kind of volumes.
fn ranges(table: &Table, column: &str) -> Result<[[f64; 2]; 3]> {
    let [boxes, oriented, dops] = VOLUMES.map(|kind| ratios(table, &[("volumes", kind)], column));
    Ok([range(&boxes?), range(&oriented?), range(&dops?)])
}

/// Counts, the same on every machine.
pub fn find(tables: &Tables) -> Result<Vec<Finding>> {
    let table = tables.get("split-points")?;
    Ok(vec![volume(table)?, height(table)?, tests(table)?])
}

const QUICK_CD: &str = "Klosowski et al. 1998 (Daneu 2002, section 2.4.1)";

fn volume(table: &Table) -> Result<Finding> {
    let volumes = ranges(table, "volume")?;
    Ok(Finding::new(
        QUICK_CD,
        "split at the mean a tree of k-DOPs always has less volume than at the median",
        format!("on three pairs of bodies {} times the volume", listed(&volumes)),
        volumes[2][1] < 1.0,
    ))
}

fn height(table: &Table) -> Result<Finding> {
    let heights = ranges(table, "height")?;
    Ok(Finding::new(
        QUICK_CD,
        "the median gives the better balanced tree, but the mean hardly makes it higher",
        format!(
            "{} times as high; at the median {} of nine pairs of trees are as low as can be",
            listed(&heights),
            balanced(table)?
        ),
        heights.iter().all(|[least, most]| *least >= 1.0 && *most <= 1.5),
    ))
}

fn tests(table: &Table) -> Result<Finding> {
    let tests = ranges(table, "volume_tests")?;
    Ok(Finding::new(
        "Daneu 2002, sections 2.2.1, 2.3.1 and 2.4.1",
        "the median balances a tree, yet RAPID and QuickCD, and CD after them, split at the mean",
        format!("the mean pays: it takes {} times the tests of volumes", listed(&tests)),
        tests.iter().all(|[_, most]| *most < 1.0),
    ))
}

/// Ranges by the kind of volumes.
fn listed(ranges: &[[f64; 2]]) -> String {
    let one =
        |(kind, [least, most]): (&str, &[f64; 2])| format!("{} to {} ({kind})", say(*least), say(*most));
    VOLUMES.into_iter().zip(ranges).map(one).collect::<Vec<_>>().join(", ")
}

/// How many trees split at the median are as low as can be.
fn balanced(table: &Table) -> Result<usize> {
    let cells = [("point", "median")];
    let points = table.points(&cells, "height", "least")?;
    Ok(points.iter().filter(|(height, least)| height == least).count())
}
