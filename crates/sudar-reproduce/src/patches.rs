//! CD's convex patches: cars and spheres with one to ten triangles a patch (Daneu 2002, tables 2 and 3).

use std::hint::black_box;

use sudar::effort::Budget;
use sudar::query::{Body, intersects};
use sudar::{DQuat, DVec3, Mesh, Pose};
use sudar_classic::Cd;

use crate::inputs::models;
use crate::output::axis::Axis;
use crate::output::figure::{Figure, Panel, Series};
use crate::output::finding::{Finding, say};
use crate::output::machine;
use crate::output::sheet::{Sheet, numbers};
use crate::output::table::{Table, Tables};
use crate::plan::{Output, Plan, Result, ensure};

pub const TITLE: &str =
    "CD: triangles in a convex patch, on two cars and on a sphere in a sphere (Daneu 2002)";

/// Milliseconds on a Celeron 433, for patches of at most 1 to 10 triangles.
const CARS: [f64; 10] = [0.429, 0.320, 0.349, 0.296, 0.333, 0.274, 0.296, 0.297, 0.309, 0.313];
const SPHERES: [f64; 10] = [2.614, 1.819, 1.767, 1.266, 2.419, 1.537, 3.030, 1.792, 3.240, 2.590];

/// One pair of bodies, and where the second is.
struct Scene {
    name: &'static str,
    meshes: [Mesh; 2],
    poses: Vec<Pose>,
    source: [f64; 10],
}

/// One car drives at the other, so far beside its line, turns around once where both are at one place, and drives on.
fn drive(steps: usize, beside: f64) -> Result<Vec<Pose>> {
    let mut poses = Vec::new();
    for i in 0..steps {
        let part = i as f64 / steps as f64;
        let (along, turn) = match part {
            p if p < 0.35 => (-8.0 + 8.0 * p / 0.35, 0.0),
            p if p < 0.65 => (0.0, (p - 0.35) / 0.3),
            p => (8.0 * (p - 0.65) / 0.35, 1.0),
        };
        let turn = DQuat::from_rotation_z(turn * std::f64::consts::TAU);
        poses.push(Pose::new(DVec3::new(along, beside, 0.0), turn)?);
    }
    Ok(poses)
}

fn scenes(plan: &Plan) -> Result<[Scene; 3]> {
    let wobble = |i: usize| {
        let turn = DQuat::from_rotation_x(0.1 * i as f64) * DQuat::from_rotation_z(0.07 * i as f64);
        Ok(Pose::from_rotation(turn)?)
    };
    let cars = |name, beside| -> Result<Scene> {
        let meshes = [models::car(models::CarModel::Second)?, models::car(models::CarModel::First)?];
        Ok(Scene { name, meshes, poses: drive(plan.choose(40, 160), beside)?, source: CARS })
    };
    let spheres = Scene {
        name: "spheres",
        meshes: [models::sphere(32, 1.0)?, models::sphere(32, 0.98)?],
        poses: (0..plan.choose(4, 16)).map(wobble).collect::<Result<_>>()?,
        source: SPHERES,
    };
    Ok([cars("cars", 0.0)?, cars("cars 0.3 m aside", 0.3)?, spheres])
}

fn cd(mesh: &Mesh, most: usize) -> Result<Cd> {
    let mut cd = Cd::new().with_limits(most, 2);
    cd.add_mesh(mesh)?;
    cd.process_triangles()?;
    Ok(cd)
}

pub fn run(plan: &Plan) -> Result<Output> {
    plan.tell("CD");
    let comments = [
        TITLE,
        "source: milliseconds on a Celeron 433; here: microseconds a check, and those of checks that hit and that do not",
        "patches: convex patches of the first body; tests: tests of two volumes and of two triangles, mean of a check; apart: of checks that do not hit",
        "the cars have equal wheels and bodies: on one line these fall on each other, and the first pairs meet; aside they do not",
        "missed: checks in which the search over neighbours found nothing though triangles meet",
    ];
    let columns = "scene,most_in_patch,patches,source_ms,us,hit_us,apart_us,volume_tests,triangle_tests,apart_volume_tests,hits,missed";
    let mut sheet = Sheet::new(&comments, columns);
    let (mut panels, mut queries) = (Vec::new(), 0);
    for scene in scenes(plan)? {
        let bodies = scene.meshes.clone().map(Body::new);
        let meet = |pose| intersects(bodies[0].at(&Pose::IDENTITY), bodies[1].at(pose)).is_touching();
        let hits: Vec<bool> = scene.poses.iter().map(meet).collect();
        let count = hits.iter().filter(|&&hit| hit).count();
        let mut means = Vec::new();
        for (most, source) in (1..).zip(scene.source) {
            let Row { patches, mean, of: [apart, hit], tests: [volumes, triangles], apart_tests, missed } =
                measure(plan, &scene, most, &hits)?;
            let counted = [volumes, triangles, apart_tests];
            let (name, measured) = (scene.name, numbers(&[&[mean, hit, apart][..], &counted].concat()));
            sheet.row(format_args!("{name},{most},{patches},{source},{measured},{count},{missed}"));
            means.push(mean);
            queries += scene.poses.len();
        }
        let relative = |times: &[f64]| (1..).map(f64::from).zip(times.iter().map(|y| y / times[0])).collect();
        let series = vec![
            Series::dashed("source", 1, relative(&scene.source)),
            Series::line("here", 0, relative(&means)),
        ];
        let x = Axis::linear("most triangles in a patch");
        panels.push(Panel::new(scene.name, x, Axis::linear("time, by that of one"), series));
    }
    let caption = "Time by that of patches of one triangle. The source takes six: cars 0.64, spheres 0.59.";
    let figure = Figure::new(TITLE, panels, &[caption, &machine::line()]);
    plan.output(queries).sheet("cd-patches", sheet).figure("cd-patches", &figure)
}

struct Row {
    patches: usize,
    /// Microseconds a check: all, apart, hit.
    mean: f64,
    of: [f64; 2],
    tests: [f64; 2],
    /// Tests of volumes of a check that does not hit.
    apart_tests: f64,
    missed: usize,
}

fn measure(plan: &Plan, scene: &Scene, most: usize, hits: &[bool]) -> Result<Row> {
    let (mut first, mut second) = (cd(&scene.meshes[0], most)?, cd(&scene.meshes[1], most)?);
    let (mut missed, mut tests, mut apart_tests) = (0, [0.0; 2], 0.0);
    for (pose, &hit) in scene.poses.iter().zip(hits) {
        second.set_pose(pose);
        let found = first.check_collision(&second, None)?;
        ensure(hit || !found, || "CD finds a collision that there is not".to_owned())?;
        missed += usize::from(hit && !found);
        let effort = first.effort();
        tests[0] += effort.volume_tests as f64;
        tests[1] += effort.triangle_tests as f64;
        apart_tests += if hit { 0.0 } else { effort.volume_tests as f64 };
    }
    let of = [false, true].map(|wanted| {
        let chosen: Vec<&Pose> =
            scene.poses.iter().zip(hits).filter(|(_, hit)| **hit == wanted).map(|(pose, _)| pose).collect();
        let time = plan.seconds(|| {
            for pose in &chosen {
                second.set_pose(pose);
                black_box(first.check_within(&second, Budget::UNLIMITED)).ok();
            }
        });
        (time * 1e6, chosen.len())
    });
    let count = scene.poses.len() as f64;
    Ok(Row {
        patches: first.size().map_or(0, |(patches, _)| patches),
        mean: (of[0].0 + of[1].0) / count,
        of: of.map(|(time, n)| if n > 0 { time / n as f64 } else { 0.0 }),
        tests: tests.map(|n| n / count),
        apart_tests: apart_tests / of[0].1.max(1) as f64,
        missed,
    })
}

/// A quantity against the most triangles in a patch.
type Line = Vec<(f64, f64)>;

fn column(table: &Table, scene: &str, column: &str) -> Result<Line> {
    table.points(&[("scene", scene)], "most_in_patch", column)
}

/// That of patches of so many triangles, by that of one.
fn share(line: &Line, most: f64) -> f64 {
    let at = |x: f64| line.iter().find(|(at, _)| *at == x).map_or(f64::NAN, |(_, y)| *y);
    at(most) / at(1.0)
}

/// Where a line is lowest.
fn best(line: &Line) -> f64 {
    line.iter().copied().reduce(|a, b| if b.1 < a.1 { b } else { a }).map_or(f64::NAN, |(x, _)| x)
}

const ASIDE: &str = "cars 0.3 m aside";

/// Which patches are quickest: of committed tables alone.
pub fn find(tables: &Tables) -> Result<Vec<Finding>> {
    let table = tables.get("cd-patches")?;
    if table.is_quick {
        return Ok(Vec::new());
    }
    let times = |scene| column(table, scene, "us");
    let (line, aside, spheres) = (times("cars")?, times(ASIDE)?, times("spheres")?);
    Ok(vec![
        sizes_for_cars(table, &line, &aside)?,
        sizes_for_spheres(&spheres),
        even_sizes([&line, &aside, &spheres]),
        no_hit(table)?,
    ])
}

fn sizes_for_cars(table: &Table, line: &Line, aside: &Line) -> Result<Finding> {
    let six = |name| Result::Ok(say(share(&column(table, ASIDE, name)?, 6.0)));
    Ok(Finding::new(
        "Daneu 2002, section 3.5, table 2",
        "for two cars patches of six triangles are best and take 0.64 of the time of one",
        format!(
            "patches of {} are best on one line, of {} with 0.3 m between the cars; there six take {} of the time of one, {} of its tests of volumes and {} times \
             its tests of triangles",
            say(best(line)),
            say(best(aside)),
            six("us")?,
            six("volume_tests")?,
            six("triangle_tests")?
        ),
        best(line) == 6.0 && share(aside, 6.0) < 1.0,
    ))
}

fn sizes_for_spheres(spheres: &Line) -> Finding {
    let best = best(spheres);
    Finding::new(
        "Daneu 2002, section 3.5, table 3",
        "for a sphere just inside another four are best and take 0.48 of the time of one",
        format!(
            "{} are best and take {} of the time of one; four take {}",
            say(best),
            say(share(spheres, best)),
            say(share(spheres, 4.0))
        ),
        (2.0..=6.0).contains(&best),
    )
}

/// Even sizes that are quicker than both odd ones beside them.
fn quick_even_sizes(times: &[f64]) -> usize {
    (1..times.len())
        .step_by(2)
        .filter(|&i| i + 1 < times.len())
        .filter(|&i| times[i] < times[i - 1].min(times[i + 1]))
        .count()
}

fn even_sizes(lines: [&Line; 3]) -> Finding {
    let times = lines.map(|line| line.iter().map(|(_, time)| *time).collect::<Vec<f64>>());
    let [line, aside, spheres] = times.each_ref().map(|times| quick_even_sizes(times));
    let [cars_there, spheres_there] = [CARS, SPHERES].map(|times| quick_even_sizes(&times));
    Finding::new(
        "Daneu 2002, section 3.5.1, tables 2 and 3",
        format!(
            "patches of an even number are better than of an odd one, for spheres too: of 2, 4, 6 and 8 triangles {cars_there} are quicker than both odd numbers \
             beside them on cars and {spheres_there} on spheres"
        ),
        format!("{line} on one line, {aside} with 0.3 m between the cars, {spheres} on spheres"),
        line.min(aside) >= cars_there && spheres >= spheres_there,
    )
}

fn no_hit(table: &Table) -> Result<Finding> {
    let [least, most] = range(table, ASIDE, "apart_volume_tests")?;
    let said = |scene, name| range(table, scene, name).map(said);
    Ok(Finding::new(
        "Daneu 2002, section 3.5.1, table 2",
        "the time to tell that two cars do not meet does not depend on the size of patches",
        format!(
            "with 0.3 m between them {} µs (tests of volumes: {}); a sphere just inside another, whose patches are searched, {} µs ({})",
            said(ASIDE, "apart_us")?,
            said(ASIDE, "apart_volume_tests")?,
            said("spheres", "apart_us")?,
            said("spheres", "apart_volume_tests")?
        ),
        most < 1.25 * least,
    ))
}

fn range(table: &Table, scene: &str, name: &str) -> Result<[f64; 2]> {
    let line = column(table, scene, name)?.into_iter();
    Ok(line.fold([f64::INFINITY, 0.0], |[least, most], (_, y)| [y.min(least), y.max(most)]))
}

fn said([least, most]: [f64; 2]) -> String {
    if least == most { say(least) } else { format!("{} to {}", say(least), say(most)) }
}
