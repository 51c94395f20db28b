//! CD's convex patches: cars and spheres with one to ten triangles a patch (Daneu 2002, tables 2 and 3).

use anyhow::{Result, ensure};
use sudar::effort::Budget;
use sudar::query::{Body, intersects};
use sudar::{DQuat, DVec3, Mesh, Pose};
use sudar_classic::Cd;

use super::super::axis::{Axis, Scale};
use super::super::figure::{Figure, Panel};
use super::super::sheet::Sheet;
use super::super::{File, Output, Plan, machine};
use super::{dashed, keep, line, models, number, seconds};

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

/// One car drives at the other, turns around once where both are at one place, and drives on.
fn drive(steps: usize) -> Result<Vec<Pose>> {
    let mut poses = Vec::new();
    for i in 0..steps {
        let part = i as f64 / steps as f64;
        let (along, turn) = match part {
            p if p < 0.35 => (-8.0 + 8.0 * p / 0.35, 0.0),
            p if p < 0.65 => (0.0, (p - 0.35) / 0.3),
            p => (8.0 * (p - 0.65) / 0.35, 1.0),
        };
        let turn = DQuat::from_rotation_z(turn * std::f64::consts::TAU);
        poses.push(Pose::new(DVec3::new(along, 0.0, 0.0), turn)?);
    }
    Ok(poses)
}

fn scenes(plan: &Plan) -> Result<[Scene; 2]> {
    let wobble = |i: usize| {
        let turn = DQuat::from_rotation_x(0.1 * i as f64) * DQuat::from_rotation_z(0.07 * i as f64);
        Ok(Pose::from_rotation(turn)?)
    };
    Ok([
        Scene {
            name: "cars",
            meshes: [models::car(true)?, models::car(false)?],
            poses: drive(plan.choose(40, 160))?,
            source: CARS,
        },
        Scene {
            name: "spheres",
            meshes: [models::sphere(32, 1.0)?, models::sphere(32, 0.98)?],
            poses: (0..plan.choose(4, 16)).map(wobble).collect::<Result<_>>()?,
            source: SPHERES,
        },
    ])
}

fn cd(mesh: &Mesh, most: usize) -> Result<Cd> {
    let mut cd = Cd::new().with_limits(most, 2);
    cd.add_mesh(mesh)?;
    cd.process_triangles()?;
    Ok(cd)
}

pub fn run(plan: &Plan) -> Result<Output> {
    let comments = [
        TITLE,
        "source: milliseconds on a Celeron 433; here: microseconds a check, and those of checks that hit and that do not",
        "patches: convex patches of the first body; tests: tests of two volumes and of two triangles, mean of a check",
        "missed: checks in which the search over neighbours found nothing though triangles meet",
    ];
    let columns = [
        "scene",
        "most_in_patch",
        "patches",
        "source_ms",
        "us",
        "hit_us",
        "apart_us",
        "volume_tests",
        "triangle_tests",
        "hits",
        "missed",
    ];
    let mut sheet = Sheet::new(&comments, &columns);
    let (mut panels, mut queries) = (Vec::new(), 0);
    for scene in scenes(plan)? {
        let bodies = scene.meshes.clone().map(Body::new);
        let hits: Vec<bool> = (scene.poses.iter())
            .map(|pose| intersects(&bodies[0], &Pose::IDENTITY, &bodies[1], pose).is_touching())
            .collect();
        let mut means = Vec::new();
        for most in 1..=10 {
            let row = measure(plan, &scene, most, &hits)?;
            queries += scene.poses.len();
            means.push((most as f64, row.mean));
            let cells = [
                scene.name.to_owned(),
                most.to_string(),
                row.patches.to_string(),
                scene.source[most - 1].to_string(),
                number(row.mean),
                number(row.of[1]),
                number(row.of[0]),
                number(row.tests[0]),
                number(row.tests[1]),
                hits.iter().filter(|&&hit| hit).count().to_string(),
                row.missed.to_string(),
            ];
            sheet.row(&cells);
        }
        panels.push(panel(&scene, &means));
    }
    let caption = "Time by that of patches of one triangle. The source takes six: cars 0.64, spheres 0.59.";
    let figure =
        Figure { title: TITLE.to_owned(), panels, caption: vec![caption.to_owned(), machine::line()] };
    let files = vec![
        File { name: "cd-patches.csv".to_owned(), text: sheet.text() },
        File { name: "cd-patches.svg".to_owned(), text: figure.svg()? },
    ];
    Ok(Output { files, queries, undecided: 0 })
}

struct Row {
    patches: usize,
    /// Microseconds a check: all, apart, hit.
    mean: f64,
    of: [f64; 2],
    tests: [f64; 2],
    missed: usize,
}

fn measure(plan: &Plan, scene: &Scene, most: usize, hits: &[bool]) -> Result<Row> {
    let (mut first, mut second) = (cd(&scene.meshes[0], most)?, cd(&scene.meshes[1], most)?);
    let (mut missed, mut tests) = (0, [0.0; 2]);
    for (pose, &hit) in scene.poses.iter().zip(hits) {
        second.set_pose(pose);
        let found = first.check_collision(&second, None)?;
        ensure!(hit || !found, "CD finds a collision that there is not");
        missed += usize::from(hit && !found);
        let effort = first.effort();
        tests[0] += effort.volume_tests as f64;
        tests[1] += effort.triangle_tests as f64;
    }
    let of = [false, true].map(|wanted| {
        let chosen: Vec<&Pose> =
            scene.poses.iter().zip(hits).filter(|(_, hit)| **hit == wanted).map(|(pose, _)| pose).collect();
        let time = seconds(plan, || {
            for pose in &chosen {
                second.set_pose(pose);
                keep(first.check_within(&second, Budget::UNLIMITED));
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
        missed,
    })
}

fn panel(scene: &Scene, means: &[(f64, f64)]) -> Panel {
    let relative = |points: Vec<(f64, f64)>| {
        let first = points.first().map_or(1.0, |p| p.1);
        points.into_iter().map(|(x, y)| (x, y / first)).collect()
    };
    let source = scene.source.iter().enumerate().map(|(i, &ms)| (i as f64 + 1.0, ms)).collect();
    Panel {
        title: scene.name.to_owned(),
        x: Axis::new("most triangles in a patch", Scale::Linear),
        y: Axis::new("time, by that of one", Scale::Linear),
        series: vec![dashed("source", 1, relative(source)), line("here", 0, relative(means.to_vec()))],
    }
}
