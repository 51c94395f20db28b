//! Where the time of the classic systems goes: tests of volumes, posing of triangles, tests of triangles.

use std::hint::black_box;
use std::ops::ControlFlow;
use std::sync::Arc;

use sudar::effort::{Budget, Meter};
use sudar::volume::Volume;
use sudar::{Mesh, Pose};
use sudar_classic::tree::{Direct, TraversalOrder, traverse};
use sudar_classic::{Cd, Limits, Model, Rapid, Solid, SphereTree};

use crate::inputs::models;
use crate::output::axis::Axis;
use crate::output::figure::{Figure, Panel, Series};
use crate::output::finding::{Finding, say};
use crate::output::machine;
use crate::output::sheet::Sheet;
use crate::output::table::Tables;
use crate::plan::{Output, Plan, Result};

pub const TITLE: &str = "Where the time of a collision goes: volumes, posing, triangles (Daneu 2002)";

const HERE: Pose = Pose::IDENTITY;

/// Seconds of the queries at all poses.
struct Times {
    whole: f64,
    /// The traversal alone, as far as the whole goes.
    volumes: f64,
    /// The traversal with the posing of the triangles of its leaves; none where patches pose as they search.
    posed: Option<f64>,
}

/// A system over [`Model`]s.
fn of_models<V: Volume>(plan: &Plan, [a, b]: [&Model<V>; 2], order: TraversalOrder, poses: &[Pose]) -> Times {
    let search = |pose: &Pose| a.collide(&HERE, b, pose, order, Limits::FIRST);
    let tests: Vec<u64> = poses.iter().map(|pose| search(pose).effort.volume_tests).collect();
    let walk = |leaf: &dyn Fn(&Pose, u32, u32)| {
        for (pose, &tests) in poses.iter().zip(&tests) {
            let motion = a.motion(&HERE, b, pose);
            let mut kernel = Direct::new(a.tree(), b.tree(), &motion);
            let mut meter = Meter::new(&Budget::nodes(tests));
            black_box(traverse((a.tree(), b.tree()), &mut kernel, order, &mut meter, |x, y| {
                leaf(pose, x, y);
                ControlFlow::Continue(())
            }));
        }
    };
    let pose_leaves = |pose: &Pose, x: u32, y: u32| {
        for &i in a.tree().items(x) {
            black_box(a.posed(&HERE, i));
            for &j in b.tree().items(y) {
                black_box(b.posed(pose, j));
            }
        }
    };
    let whole = plan.seconds(|| poses.iter().for_each(|pose| drop(black_box(search(pose)))));
    let volumes = plan.seconds(|| walk(&|_, _, _| ()));
    Times { whole, volumes, posed: Some(plan.seconds(|| walk(&pose_leaves))) }
}

fn of_cd(plan: &Plan, meshes: [&Arc<Mesh>; 2], poses: &[Pose]) -> Result<Times> {
    let made = |mesh: &Arc<Mesh>| -> Result<Cd> {
        let mut cd = Cd::new();
        cd.add_mesh(mesh)?;
        cd.process_triangles()?;
        Ok(cd)
    };
    let (mut first, mut second) = (made(meshes[0])?, made(meshes[1])?);
    let mut tests = Vec::new();
    for pose in poses {
        second.set_pose(pose);
        first.check_within(&second, Budget::UNLIMITED)?;
        tests.push(first.effort().volume_tests);
    }
    let whole = plan.seconds(|| {
        for pose in poses {
            second.set_pose(pose);
            _ = black_box(first.check_within(&second, Budget::UNLIMITED));
        }
    });
    let volumes = plan.seconds(|| {
        for (pose, &tests) in poses.iter().zip(&tests) {
            second.set_pose(pose);
            _ = black_box(first.traverse_alone(&second, Budget::nodes(tests)));
        }
    });
    Ok(Times { whole, volumes, posed: None })
}

/// The times of every system.
fn of_all(plan: &Plan, a: &Mesh, b: &Mesh, poses: &[Pose]) -> Result<[(&'static str, Times); 4]> {
    let (a, b) = (Arc::new(a.clone()), Arc::new(b.clone()));
    let spheres = [SphereTree::new(a.clone()), SphereTree::new(b.clone())];
    let solids = [Solid::new(a.clone()), Solid::new(b.clone())];
    let rapids = [Rapid::new(a.clone()), Rapid::new(b.clone())];
    let [s, t] = spheres.each_ref().map(SphereTree::model);
    let [u, v] = solids.each_ref().map(Solid::model);
    let [w, z] = rapids.each_ref().map(Rapid::model);
    Ok([
        ("sphere tree", of_models(plan, [s, t], SphereTree::ORDER, poses)),
        ("SOLID", of_models(plan, [u, v], Solid::ORDER, poses)),
        ("RAPID", of_models(plan, [w, z], Rapid::ORDER, poses)),
        ("CD", of_cd(plan, [&a, &b], poses)?),
    ])
}

/// The shares of a system, by the place of the models.
type Bars = (&'static str, Vec<(f64, f64)>);

pub fn run(plan: &Plan) -> Result<Output> {
    let comments = [
        TITLE,
        "first hit of bodies that overlap, microseconds a pose; volumes: the traversal alone, as far as the whole query goes;",
        "posing: of the triangles of its leaves, for CD among triangles, whose patches pose as they search; volume_percent: of the whole;",
        "posing and triangles are differences of times, which may be below what can be measured",
        "source: in case of a collision CD spends 60 to 80 % of all time on searching the tree",
    ];
    let columns = "models,system,whole_us,volumes_us,posing_us,triangles_us,volume_percent";
    let mut sheet = Sheet::new(&comments, columns);
    let (rows, sides) = (plan.choose(10, 32) as u32, plan.choose(12, 60) as u32);
    let scenes = [
        ("cars", models::car(models::CarModel::First)?, models::car(models::CarModel::Second)?),
        ("spheres", models::sphere(rows, 1.0)?, models::sphere(rows, 0.9)?),
        ("bumpy sphere and ring", models::bumpy(sides / 2 + 4)?, models::torus(sides)?),
    ];
    let (mut bars, mut queries): (Vec<Bars>, usize) = (Vec::new(), 0);
    for (x, (models, a, b)) in scenes.iter().enumerate() {
        plan.tell(format!("shares of time: {models}"));
        let poses = models::poses(a, b, models::GAPS[3].1, plan.choose(8, 40))?;
        for (system, times) in of_all(plan, a, b, &poses)? {
            let micros = |seconds: f64| seconds.max(0.0) * 1e6 / poses.len() as f64;
            let percent = (100.0 * times.volumes / times.whole).min(100.0);
            let posing =
                times.posed.map_or(String::new(), |posed| format!("{:.4}", micros(posed - times.volumes)));
            let rest = micros(times.whole - times.posed.unwrap_or(times.volumes).max(times.volumes));
            let [whole, volumes] = [times.whole, times.volumes].map(micros);
            sheet.row(format_args!(
                "{models},{system},{whole:.4},{volumes:.4},{posing},{rest:.4},{percent:.2}"
            ));
            match bars.iter_mut().find(|(name, _)| *name == system) {
                Some((_, points)) => points.push((x as f64, percent)),
                None => bars.push((system, vec![(x as f64, percent)])),
            }
            queries += poses.len();
        }
    }
    let of = bars.len();
    let series = bars.into_iter().enumerate();
    let series =
        series.map(|(place, (name, points))| Series::bars(name, place, [place, of], points)).collect();
    let names = scenes.iter().map(|(name, ..)| (*name).to_owned()).collect();
    let panel = Panel::new("traversal", Axis::named("models", names), Axis::linear("% of the time"), series);
    let caption = [
        "Time of the tests of volumes alone, of a query for the first hit of bodies that overlap.",
        &machine::line(),
    ];
    let figure = Figure::new(TITLE, vec![panel], &caption);
    plan.output(queries).sheet("traversal-share", sheet).figure("traversal-share", &figure)
}

pub fn find(tables: &Tables) -> Result<Vec<Finding>> {
    let table = tables.get("traversal-share")?;
    let of = |system: &str| -> Result<Vec<f64>> { table.numbers(&[("system", system)], "volume_percent") };
    // Times of a few poses tell nothing.
    if table.is_quick {
        return Ok(Vec::new());
    }
    let range = |numbers: &[f64]| {
        let (least, most) = numbers.iter().fold((f64::INFINITY, 0.0f64), |(l, m), &x| (l.min(x), m.max(x)));
        format!("{} to {} %", say(least), say(most))
    };
    let cd = of("CD")?;
    let mut shares = Vec::new();
    for system in ["CD", "sphere tree", "SOLID", "RAPID"] {
        shares.push(format!("{system} {}", range(&of(system)?)));
    }
    let here = format!("on three pairs of bodies that overlap {}", shares.join(", "));
    let mean = cd.iter().sum::<f64>() / cd.len().max(1) as f64;
    let there = "in case of a collision CD spends 60 to 80 % of all time on the search of the tree";
    Ok(vec![Finding::new("Daneu 2002, section 3.5.2", there, here, (60.0..=80.0).contains(&mean))])
}
