//! Every system on the same models and poses, and the engine below them.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Result, ensure};
use sudar::query::{Body, DistanceOptions, Layer, contacts, distance, intersects};
use sudar::{Mesh, Pose};
use sudar_classic::{
    Cd, ColDet, Effort, Found, Limits, QuickCd, QuickCdOptions, Rapid, Solid, SphereTree, Swift, SwiftMemory,
    SwiftOptions, brute_force,
};

use super::super::axis::{Axis, Scale};
use super::super::figure::{Figure, Kind, Look, Panel, Series};
use super::super::sheet::Sheet;
use super::super::{File, Output, Plan, machine};
use super::{close, keep, models, number, seconds};

pub const TITLE: &str = "The classic systems and the engine on the same models and poses";

/// A system with the two bodies of a scene.
trait System {
    fn name(&self) -> &'static str;
    /// Bytes of both trees; 0 if there is none.
    fn bytes(&self) -> usize;
    /// Whether they meet, and what that took.
    fn first(&mut self, pose: &Pose) -> (bool, Effort);
    /// How many pairs of triangles meet; `None` if it does not list them.
    fn all(&mut self, pose: &Pose) -> Option<usize>;
    /// How far apart they are, if it tells.
    fn distance(&mut self, _pose: &Pose) -> Option<f64> {
        None
    }
}

/// A system that is a function from a pose and limits to what was found.
struct Searching<F> {
    name: &'static str,
    bytes: usize,
    search: F,
}

impl<F: FnMut(&Pose, Limits) -> Found> System for Searching<F> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn bytes(&self) -> usize {
        self.bytes
    }

    fn first(&mut self, pose: &Pose) -> (bool, Effort) {
        let found = (self.search)(pose, Limits::FIRST);
        (found.is_touching(), found.effort)
    }

    fn all(&mut self, pose: &Pose) -> Option<usize> {
        Some((self.search)(pose, Limits::ALL).pairs.len())
    }
}

struct CdPair(Cd, Cd);

impl System for CdPair {
    fn name(&self) -> &'static str {
        "CD"
    }

    fn bytes(&self) -> usize {
        self.0.bytes() + self.1.bytes()
    }

    fn first(&mut self, pose: &Pose) -> (bool, Effort) {
        self.1.set_pose(pose);
        let hit = self.0.check_collision(&self.1, None).unwrap_or(false);
        (hit, self.0.effort())
    }

    fn all(&mut self, _pose: &Pose) -> Option<usize> {
        None
    }
}

struct SwiftPair(Swift, Swift, SwiftMemory);

impl System for SwiftPair {
    fn name(&self) -> &'static str {
        "SWIFT++"
    }

    fn bytes(&self) -> usize {
        self.0.bytes() + self.1.bytes()
    }

    fn first(&mut self, pose: &Pose) -> (bool, Effort) {
        let found = self.0.distance(&Pose::IDENTITY, &self.1, pose, 0.0, &mut self.2);
        (found.is_some_and(|d| d.distance.upper == 0.0), self.2.effort())
    }

    fn all(&mut self, _pose: &Pose) -> Option<usize> {
        None
    }

    fn distance(&mut self, pose: &Pose) -> Option<f64> {
        let found = self.0.distance(&Pose::IDENTITY, &self.1, pose, f64::INFINITY, &mut self.2);
        found.map(|d| d.distance.upper)
    }
}

struct Engine(Body, Body);

impl System for Engine {
    fn name(&self) -> &'static str {
        "sudar"
    }

    fn bytes(&self) -> usize {
        Layer::ALL.iter().map(|&layer| self.0.layer_bytes(layer) + self.1.layer_bytes(layer)).sum()
    }

    fn first(&mut self, pose: &Pose) -> (bool, Effort) {
        let mut work = sudar::query::Work::default();
        let hit = work.intersects(self.0.at(&Pose::IDENTITY), self.1.at(pose)).is_touching();
        let statistics = work.statistics();
        (hit, Effort { volume_tests: statistics.nodes, triangle_tests: statistics.triangles })
    }

    fn all(&mut self, pose: &Pose) -> Option<usize> {
        Some(contacts(&self.0, &Pose::IDENTITY, &self.1, pose).len())
    }

    fn distance(&mut self, pose: &Pose) -> Option<f64> {
        let found = distance(&self.0, &Pose::IDENTITY, &self.1, pose, &DistanceOptions::EXACT);
        Some(found.interval.upper)
    }
}

const HERE: Pose = Pose::IDENTITY;

/// A system with the seconds that building it took.
type Built = (Box<dyn System>, f64);

/// A system that is made alike of either mesh.
fn paired<M: 'static>(
    name: &'static str,
    (a, b): (&Arc<Mesh>, &Arc<Mesh>),
    made: fn(Arc<Mesh>) -> M,
    bytes: fn(&M) -> usize,
    collide: fn(&M, &Pose, &M, &Pose, Limits) -> Found,
) -> Built {
    let start = Instant::now();
    let (first, second) = (made(a.clone()), made(b.clone()));
    let built = start.elapsed().as_secs_f64();
    let bytes = bytes(&first) + bytes(&second);
    let search = move |pose: &Pose, limits: Limits| collide(&first, &HERE, &second, pose, limits);
    (Box::new(Searching { name, bytes, search }), built)
}

fn every_pair(a: &Arc<Mesh>, b: &Arc<Mesh>) -> Built {
    let (a, b) = (a.clone(), b.clone());
    let search = move |pose: &Pose, limits: Limits| brute_force(&a, &HERE, &b, pose, limits.stop);
    (Box::new(Searching { name: "every pair", bytes: 0, search }), 0.0)
}

fn quick_cd(a: &Arc<Mesh>, b: &Arc<Mesh>) -> Built {
    let start = Instant::now();
    let options = QuickCdOptions { front: false, ..QuickCdOptions::DEFAULT };
    let mut both = QuickCd::<9>::new(a.clone(), b.clone(), &options);
    let built = start.elapsed().as_secs_f64();
    let bytes = both.environment().tree().bytes() + both.body().tree().bytes();
    let search = move |pose: &Pose, limits: Limits| both.collide(&HERE, pose, limits);
    (Box::new(Searching { name: "QuickCD", bytes, search }), built)
}

fn cd(a: &Mesh, b: &Mesh) -> Result<Built> {
    let made = |mesh: &Mesh| -> Result<Cd> {
        let mut cd = Cd::new();
        cd.add_mesh(mesh)?;
        cd.process_triangles()?;
        Ok(cd)
    };
    let start = Instant::now();
    let pair = CdPair(made(a)?, made(b)?);
    Ok((Box::new(pair), start.elapsed().as_secs_f64()))
}

fn swift(a: &Arc<Mesh>, b: &Arc<Mesh>) -> Result<Built> {
    let made = |mesh: &Arc<Mesh>| Swift::new(mesh.clone(), &SwiftOptions::DEFAULT);
    let start = Instant::now();
    let pair = SwiftPair(made(a)?, made(b)?, SwiftMemory::new());
    Ok((Box::new(pair), start.elapsed().as_secs_f64()))
}

fn engine(a: &Mesh, b: &Mesh) -> Built {
    let start = Instant::now();
    let pair = Engine(Body::new(a.clone()), Body::new(b.clone()));
    for body in [&pair.0, &pair.1] {
        body.prepare(&[Layer::Tree, Layer::OrientedBoxes, Layer::Slabs]);
    }
    (Box::new(pair), start.elapsed().as_secs_f64())
}

/// All systems; testing every pair only where that ends soon.
fn systems(a: &Arc<Mesh>, b: &Arc<Mesh>) -> Result<Vec<Built>> {
    let brute = a.triangles().len() * b.triangles().len() <= MOST_BY_BRUTE_FORCE;
    let mut all = if brute { vec![every_pair(a, b)] } else { Vec::new() };
    let spheres = |s: &SphereTree| s.model().tree().bytes();
    all.push(paired("sphere tree", (a, b), SphereTree::new, spheres, SphereTree::collide));
    all.push(paired("SOLID", (a, b), Solid::new, |s| s.model().tree().bytes(), Solid::collide));
    all.push(paired("ColDet", (a, b), ColDet::new, |s| s.model().tree().bytes(), ColDet::collide));
    all.push(paired("RAPID", (a, b), Rapid::new, |s| s.model().tree().bytes(), Rapid::collide));
    all.push(quick_cd(a, b));
    all.push(cd(a, b)?);
    all.push(swift(a, b)?);
    all.push(engine(a, b));
    Ok(all)
}

/// Two models under a name.
type NamedPair = (String, Arc<Mesh>, Arc<Mesh>);

/// The times of a system, by their places along the axis.
type Times = (String, Vec<(f64, f64)>);

/// Models of the folder that the environment names, if it does; else made here.
fn scenes(plan: &Plan) -> Result<Vec<NamedPair>> {
    let mut scenes = vec![
        ("cars".to_owned(), models::car(false)?, models::car(true)?),
        (
            "bumpy sphere and ring".to_owned(),
            models::bumpy(plan.choose(10, 50) as u32)?,
            models::torus(plan.choose(12, 60) as u32)?,
        ),
    ];
    if let Some(folder) = std::env::var_os("SUDAR_DATA").map(PathBuf::from).filter(|_| !plan.quick) {
        let load = |name: &str| -> Result<Mesh> {
            Ok(sudar_formats::read(&folder.join("meshes").join(name))?.merged()?)
        };
        scenes.push(("env and rob".to_owned(), load("fcl/env.obj")?, load("fcl/rob.obj")?));
        let bunny = load("classic/bunny-libigl.off")?;
        scenes.push(("bunny and bunny".to_owned(), bunny.clone(), bunny));
        let armadillo = load("classic/armadillo.obj.gz")?;
        scenes.push(("armadillo and armadillo".to_owned(), armadillo.clone(), armadillo));
    }
    Ok(scenes.into_iter().map(|(name, a, b)| (name, Arc::new(a), Arc::new(b))).collect())
}

/// More pairs of triangles than this are not tested one by one.
const MOST_BY_BRUTE_FORCE: usize = 20_000_000;

pub fn run(plan: &Plan) -> Result<Output> {
    let comments = [
        TITLE,
        "times of a query in microseconds, mean over the poses of a gap, trees built before; tests are those of the first hit",
        "CD keeps no list of pairs and tests patches as its source does; SWIFT++ answers with distances; both have no time for all contacts",
        "every pair of triangles is tested only for models with at most 20 million pairs: beyond that it takes seconds a pose",
        "SWIFT++ keeps nearest features from pose to pose, the others nothing; distance only where a system has it",
    ];
    let columns = [
        "models",
        "triangles",
        "gap",
        "system",
        "build_ms",
        "bytes_per_triangle",
        "volume_tests",
        "triangle_tests",
        "first_hit_us",
        "all_contacts_us",
        "distance_us",
        "disagreements",
    ];
    let mut sheet = Sheet::new(&comments, &columns);
    let mut queries = 0;
    let mut bars: Vec<Times> = Vec::new();
    for (name, a, b) in scenes(plan)? {
        let triangles = a.triangles().len() + b.triangles().len();
        let mut all = systems(&a, &b)?;
        for (place, gap) in close::GAPS.iter().enumerate() {
            let scene = Scene { name: &name, meshes: [&a, &b], gap: *gap, triangles };
            for (system, time) in scene.rows(plan, &mut all, &mut sheet)? {
                queries += plan.choose(2, 8);
                if place > 0 {
                    record(&mut bars, system, place, time);
                }
            }
        }
    }
    let figure = Figure {
        title: TITLE.to_owned(),
        panels: vec![panel(&bars)],
        caption: vec!["First hit, geometric mean over all models.".to_owned(), machine::line()],
    };
    let files = vec![
        File { name: "systems.csv".to_owned(), text: sheet.text() },
        File { name: "systems.svg".to_owned(), text: figure.svg()? },
    ];
    Ok(Output { files, queries, undecided: 0 })
}

/// Two models at poses of one gap.
struct Scene<'a> {
    name: &'a str,
    meshes: [&'a Mesh; 2],
    gap: (&'static str, f64),
    triangles: usize,
}

impl Scene<'_> {
    fn poses(&self, plan: &Plan) -> Result<Vec<Pose>> {
        close::poses(self.meshes[0], self.meshes[1], self.gap.1, plan.choose(2, 8))
    }

    /// A row of the table for each system; its name and the time of the first hit.
    fn rows(&self, plan: &Plan, all: &mut [Built], sheet: &mut Sheet) -> Result<Vec<(&'static str, f64)>> {
        let poses = self.poses(plan)?;
        let [a, b] = self.meshes.map(|mesh| Body::new(mesh.clone()));
        let truth: Vec<bool> =
            poses.iter().map(|pose| intersects(&a, &HERE, &b, pose).is_touching()).collect();
        let mut times = Vec::new();
        for (system, built) in all {
            let row = measure(plan, system.as_mut(), &poses, &truth)?;
            let or_none = |time: Option<f64>| time.map_or_else(String::new, number);
            sheet.row(&[
                self.name.to_owned(),
                self.triangles.to_string(),
                self.gap.0.to_owned(),
                system.name().to_owned(),
                number(*built * 1e3),
                number(system.bytes() as f64 / self.triangles as f64),
                number(row.volume_tests),
                number(row.triangle_tests),
                number(row.first),
                or_none(row.all),
                or_none(row.distance),
                row.disagreements.to_string(),
            ]);
            times.push((system.name(), row.first));
        }
        Ok(times)
    }
}

struct Row {
    volume_tests: f64,
    triangle_tests: f64,
    first: f64,
    all: Option<f64>,
    distance: Option<f64>,
    disagreements: usize,
}

fn measure(plan: &Plan, system: &mut dyn System, poses: &[Pose], truth: &[bool]) -> Result<Row> {
    let (mut effort, mut disagreements) = (Effort::default(), 0);
    for (pose, &hit) in poses.iter().zip(truth) {
        let (found, took) = system.first(pose);
        effort.volume_tests += took.volume_tests;
        effort.triangle_tests += took.triangle_tests;
        disagreements += usize::from(found != hit);
    }
    ensure!(
        disagreements == 0 || system.name() == "CD",
        "{} and the engine disagree on whether bodies meet",
        system.name()
    );
    let count = poses.len() as f64;
    let micros = |time: f64| time * 1e6 / count;
    // What takes a second a time is measured once.
    let once = Plan { quick: true, full: false };
    let slow = |time: f64| if time > 1.0 { &once } else { plan };
    let mut first = || poses.iter().for_each(|pose| keep(system.first(pose)));
    let rough = seconds(&once, &mut first);
    let first = seconds(slow(rough), &mut first).min(rough);
    let all = system.all(&poses[0]).map(|_| {
        let mut run = || poses.iter().for_each(|pose| keep(system.all(pose)));
        let rough = seconds(&once, &mut run);
        micros(seconds(slow(rough), &mut run).min(rough))
    });
    let distance = system
        .distance(&poses[0])
        .map(|_| micros(seconds(plan, || poses.iter().for_each(|pose| keep(system.distance(pose))))));
    Ok(Row {
        volume_tests: effort.volume_tests as f64 / count,
        triangle_tests: effort.triangle_tests as f64 / count,
        first: micros(first),
        all,
        distance,
        disagreements,
    })
}

/// Collects logarithms, so that the mean over models is the geometric one.
fn record(bars: &mut Vec<Times>, name: &str, place: usize, time: f64) {
    if !bars.iter().any(|(known, _)| known == name) {
        bars.push((name.to_owned(), Vec::new()));
    }
    for (known, points) in bars.iter_mut() {
        if known == name {
            points.push((place as f64 - 1.0, libm::log(time.max(1e-3))));
        }
    }
}

fn panel(bars: &[Times]) -> Panel {
    let of = bars.len();
    let mean = |points: &[(f64, f64)], x: usize| {
        let logs: Vec<f64> = points.iter().filter(|p| p.0 == x as f64).map(|p| p.1).collect();
        libm::exp(logs.iter().sum::<f64>() / logs.len().max(1) as f64)
    };
    let series = |(place, (label, points)): (usize, &Times)| Series {
        label: label.clone(),
        look: Look { number: place, kind: Kind::Bar { place, of } },
        points: (0..close::GAPS.len() - 1).map(|x| (x as f64, mean(points, x))).collect(),
    };
    Panel {
        title: "first hit".to_owned(),
        x: Axis::new("gap", Scale::Named(close::GAPS[1..].iter().map(|g| g.0.to_owned()).collect())),
        y: Axis::new("microseconds", Scale::Decimal),
        series: bars.iter().enumerate().map(series).collect(),
    }
}
