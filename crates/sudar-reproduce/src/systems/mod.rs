//! Every system on the same models and poses, and the engine below them.

pub mod prose;

use std::hint::black_box;
use std::path::PathBuf;
use std::sync::Arc;

use sudar::query::{Body, DistanceOptions, Layer, Work, contacts, distance, intersects};
use sudar::{Mesh, Pose};
use sudar_classic::{
    BodyId, Cd, ColDet, ConvexPart, ConvexWorld, Effort, Found, Limits, LinCannyPair, PairMethod, QuickCd,
    QuickCdOptions, Rapid, SeparatingPair, Solid, SphereTree, Swift, SwiftMemory, SwiftOptions, brute_force,
};

use crate::inputs::models::{self, GAPS};
use crate::output::axis::Axis;
use crate::output::figure::{Figure, Panel, Series};
use crate::output::finding::{Finding, say};
use crate::output::machine;
use crate::output::sheet::{Sheet, numbers};
use crate::output::table::Tables;
use crate::plan::{Output, Plan, Result, ensure, timed};

pub const TITLE: &str = "The classic systems and the engine on the same models and poses";

/// The query that a system answers for a pose of the second body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ask {
    /// Whether they meet.
    First,
    /// All pairs of triangles that meet.
    All,
    /// How far apart they are.
    Distance,
}

/// Whether they meet, and what that took; nothing else is compared.
type Answer = (bool, Effort);

/// A system with the two bodies of a scene.
struct System {
    name: &'static str,
    /// The seconds that building it took.
    built: f64,
    /// Bytes of both trees; 0 if there is none.
    bytes: usize,
    /// Answers by [`Ask`]; `None` if it does not tell.
    ask: Box<Asking>,
}

type Asking = dyn FnMut(&Pose, Ask) -> Option<Answer>;

const HERE: Pose = Pose::IDENTITY;

/// A system that searches for pairs.
fn searching(
    (name, built, bytes): (&'static str, f64, usize),
    mut search: impl FnMut(&Pose, Limits) -> Found + 'static,
) -> System {
    let ask = move |pose: &Pose, ask| {
        let limits = match ask {
            Ask::First => Limits::FIRST,
            Ask::All => Limits::ALL,
            Ask::Distance => return None,
        };
        let found = black_box(search(pose, limits));
        Some((found.is_touching(), found.effort))
    };
    System { name, built, bytes, ask: Box::new(ask) }
}

/// A system that is made alike of either mesh.
fn paired<M: 'static>(
    name: &'static str,
    [a, b]: [&Arc<Mesh>; 2],
    made: fn(Arc<Mesh>) -> M,
    bytes: fn(&M) -> usize,
    collide: fn(&M, &Pose, &M, &Pose, Limits) -> Found,
) -> System {
    let ((first, second), built) = timed(|| (made(a.clone()), made(b.clone())));
    let bytes = bytes(&first) + bytes(&second);
    searching((name, built, bytes), move |pose, limits| collide(&first, &HERE, &second, pose, limits))
}

fn every_pair([a, b]: [&Arc<Mesh>; 2]) -> System {
    let (a, b) = (a.clone(), b.clone());
    searching(("every pair", 0.0, 0), move |pose, limits| brute_force(&a, &HERE, &b, pose, limits.stop))
}

fn quick_cd([a, b]: [&Arc<Mesh>; 2]) -> System {
    let options = QuickCdOptions { front: false, ..QuickCdOptions::DEFAULT };
    let (mut both, built) = timed(|| QuickCd::<9>::new(a.clone(), b.clone(), &options));
    let bytes = both.environment().tree().bytes() + both.body().tree().bytes();
    searching(("QuickCD", built, bytes), move |pose, limits| both.collide(&HERE, pose, limits))
}

fn cd(meshes: [&Arc<Mesh>; 2]) -> Result<System> {
    let (made, built) = timed(|| {
        meshes.map(|mesh| -> Result<Cd> {
            let mut cd = Cd::new();
            cd.add_mesh(mesh)?;
            cd.process_triangles()?;
            Ok(cd)
        })
    });
    let [first, second] = made;
    let (mut first, mut second) = (first?, second?);
    let bytes = first.bytes() + second.bytes();
    let ask = move |pose: &Pose, ask| {
        second.set_pose(pose);
        let hit = (ask == Ask::First).then(|| first.check_collision(&second, None).unwrap_or(false))?;
        Some((hit, first.effort()))
    };
    Ok(System { name: "CD", built, bytes, ask: Box::new(ask) })
}

fn swift(meshes: [&Arc<Mesh>; 2]) -> Result<System> {
    let (made, built) = timed(|| meshes.map(|mesh| Swift::new(mesh.clone(), &SwiftOptions::DEFAULT)));
    let [first, second] = made;
    let (first, second, mut memory) = (first?, second?, SwiftMemory::new());
    let bytes = first.bytes() + second.bytes();
    let ask = move |pose: &Pose, ask| {
        let max = match ask {
            Ask::First => 0.0,
            Ask::Distance => f64::INFINITY,
            Ask::All => return None,
        };
        let found = black_box(first.distance(&HERE, &second, pose, max, &mut memory));
        Some((found.is_some_and(|d| d.distance.upper == 0.0), memory.effort()))
    };
    Ok(System { name: "SWIFT++", built, bytes, ask: Box::new(ask) })
}

/// I-COLLIDE or Q-COLLIDE, the bodies made of the hulls of their convex pieces. Tests of triangles are those of two
/// parts.
fn world<M: PairMethod + 'static>(name: &'static str, meshes: [&Arc<Mesh>; 2]) -> Result<System> {
    let (made, built) = timed(|| -> Result<_> {
        let mut world = ConvexWorld::<M>::new();
        let mut add = |mesh| -> Result<BodyId> { Ok(world.add(ConvexPart::of_surface(mesh)?, &HERE)?) };
        let (a, b) = (add(meshes[0])?, add(meshes[1])?);
        Ok((world, a, b))
    });
    let (mut world, a, b) = made?;
    let bytes = world.bytes();
    let ask = move |pose: &Pose, ask| {
        let asked = ask == Ask::First || (ask == Ask::Distance && M::MEASURES);
        world.set_pose(b, pose).ok().filter(|()| asked)?;
        let found = black_box(world.pair_of(a, b))?;
        let effort = Effort { volume_tests: found.box_tests, triangle_tests: found.tests.into() };
        Some((found.colliding, effort))
    };
    Ok(System { name, built, bytes, ask: Box::new(ask) })
}

fn engine(meshes: [&Arc<Mesh>; 2]) -> System {
    let (bodies, built) = timed(|| {
        meshes.map(|mesh| {
            let body = Body::new(Mesh::clone(mesh));
            body.prepare(&[Layer::Tree, Layer::OrientedBoxes, Layer::Slabs]);
            body
        })
    });
    let layers = |body: &Body| Layer::ALL.iter().map(|&layer| body.layer_bytes(layer)).sum::<usize>();
    let bytes = bodies.iter().map(layers).sum();
    let ask = move |pose: &Pose, ask| {
        let [a, b] = &bodies;
        let mut work = Work::default();
        let hit = match ask {
            Ask::First => work.intersects(a.at(&HERE), b.at(pose)).is_touching(),
            Ask::All => !black_box(contacts(a.at(&HERE), b.at(pose))).is_empty(),
            Ask::Distance => {
                black_box(distance(a.at(&HERE), b.at(pose), &DistanceOptions::EXACT)).interval.upper == 0.0
            }
        };
        let statistics = work.statistics();
        Some((hit, Effort { volume_tests: statistics.nodes, triangle_tests: statistics.triangles }))
    };
    System { name: "sudar", built, bytes, ask: Box::new(ask) }
}

/// All systems; testing every pair only where that ends soon.
fn systems(both: [&Arc<Mesh>; 2]) -> Result<Vec<System>> {
    let brute = both[0].triangles().len() * both[1].triangles().len() <= MOST_BY_BRUTE_FORCE;
    let spheres = |s: &SphereTree| s.model().tree().bytes();
    let mut all: Vec<System> = brute.then(|| every_pair(both)).into_iter().collect();
    all.extend([
        paired("sphere tree", both, SphereTree::new, spheres, SphereTree::collide),
        paired("SOLID", both, Solid::new, |s| s.model().tree().bytes(), Solid::collide),
        paired("ColDet", both, ColDet::new, |s| s.model().tree().bytes(), ColDet::collide),
        paired("RAPID", both, Rapid::new, |s| s.model().tree().bytes(), Rapid::collide),
        quick_cd(both),
        cd(both)?,
        swift(both)?,
        world::<LinCannyPair>("I-COLLIDE", both)?,
        world::<SeparatingPair>("Q-COLLIDE", both)?,
        engine(both),
    ]);
    Ok(all)
}

/// More pairs of triangles than this are not tested one by one.
const MOST_BY_BRUTE_FORCE: usize = 20_000_000;

/// Two models under a name.
type NamedPair = (&'static str, Arc<Mesh>, Arc<Mesh>);

/// Models of the folder that the environment names, if it does; else made here.
fn scenes(plan: &Plan) -> Result<Vec<NamedPair>> {
    let (bumpy, ring) = (plan.choose(10, 50) as u32, plan.choose(12, 60) as u32);
    let mut scenes = vec![
        ("cars", models::car(models::CarModel::First)?, models::car(models::CarModel::Second)?),
        ("bumpy sphere and ring", models::bumpy(bumpy)?, models::torus(ring)?),
    ];
    if let Some(folder) = std::env::var_os("SUDAR_DATA").map(PathBuf::from).filter(|_| !plan.is_quick()) {
        let load = |name: &str| -> Result<Mesh> {
            Ok(sudar_formats::read(&folder.join("meshes").join(name))?.merged()?)
        };
        scenes.push(("env and rob", load("fcl/env.obj")?, load("fcl/rob.obj")?));
        for (name, file) in [
            ("bunny and bunny", "classic/bunny-libigl.off"),
            ("armadillo and armadillo", "classic/armadillo.obj.gz"),
        ] {
            let mesh = load(file)?;
            scenes.push((name, mesh.clone(), mesh));
        }
    }
    Ok(scenes.into_iter().map(|(name, a, b)| (name, Arc::new(a), Arc::new(b))).collect())
}

/// The logarithms of the times of a system for each gap but the widest, so that the mean over models is the geometric
/// one.
type Times = (&'static str, [Vec<f64>; GAPS.len() - 1]);

pub fn run(plan: &Plan) -> Result<Output> {
    let comments = [
        TITLE,
        "times of a query in microseconds, mean over the poses of a gap, trees built before; tests are those of the first hit",
        "CD keeps no list of pairs and tests patches as its source does; SWIFT++ answers with distances; both have no time for all contacts",
        "every pair of triangles is tested only for models with at most 20 million pairs: beyond that it takes seconds a pose",
        "SWIFT++ and I-COLLIDE keep nearest features from pose to pose, Q-COLLIDE vectors; distance only where a system has it",
        "I-COLLIDE and Q-COLLIDE have the hulls of convex pieces for parts; tests of volumes are those of boxes, of triangles those of parts",
    ];
    let columns = "models,triangles,gap,system,build_ms,bytes_per_triangle,volume_tests,triangle_tests,\
        first_hit_us,all_contacts_us,distance_us,disagreements";
    let mut sheet = Sheet::new(&comments, columns);
    let (mut queries, mut bars) = (0, Vec::<Times>::new());
    for (models, a, b) in scenes(plan)? {
        plan.tell(format!("systems: {models}"));
        let triangles = a.triangles().len() + b.triangles().len();
        let bodies = [&a, &b].map(|mesh| Body::new(Mesh::clone(mesh)));
        let mut all = systems([&a, &b])?;
        for (place, (gap, size)) in GAPS.into_iter().enumerate() {
            let poses = models::poses(&a, &b, size, plan.choose(2, 8))?;
            let meet = |pose| intersects(bodies[0].at(&HERE), bodies[1].at(pose)).is_touching();
            let truth: Vec<bool> = poses.iter().map(meet).collect();
            for system in &mut all {
                let Row { tests, first, all, distance, disagreements } =
                    measure(plan, system, &poses, &truth)?;
                let bytes = system.bytes as f64 / triangles as f64;
                let (name, measured) = (system.name, numbers(&[system.built * 1e3, bytes]));
                let [all, distance] = [all, distance].map(|time| numbers(time.as_slice()));
                let counted = numbers(&[tests[0], tests[1], first]);
                sheet.row(format_args!(
                    "{models},{triangles},{gap},{name},{measured},{counted},{all},{distance},{disagreements}"
                ));
                queries += poses.len();
                if !bars.iter().any(|(known, _)| *known == name) {
                    bars.push((name, Default::default()));
                }
                for (_, times) in bars.iter_mut().filter(|(known, _)| *known == name && place > 0) {
                    times[place - 1].push(libm::log(first.max(1e-3)));
                }
            }
        }
    }
    let of = bars.len();
    let mean = |logs: &Vec<f64>| libm::exp(logs.iter().sum::<f64>() / logs.len().max(1) as f64);
    let series = |(place, (name, times)): (usize, &Times)| {
        let points = times.iter().enumerate().map(|(x, logs)| (x as f64, mean(logs))).collect();
        Series::bars(*name, place, [place, of], points)
    };
    let gaps = Axis::named("gap", GAPS[1..].iter().map(|(name, _)| (*name).to_owned()).collect());
    let series = bars.iter().enumerate().map(series).collect();
    let panel = Panel::new("first hit", gaps, Axis::decimal("microseconds"), series);
    let caption = ["First hit, geometric mean over all models.", &machine::line()];
    let figure = Figure::new(TITLE, vec![panel], &caption);
    plan.output(queries).sheet("systems", sheet).figure("systems", &figure)
}

/// What a system takes on average: tests of volumes and of triangles, microseconds.
struct Row {
    tests: [f64; 2],
    first: f64,
    all: Option<f64>,
    distance: Option<f64>,
    disagreements: usize,
}

fn measure(plan: &Plan, system: &mut System, poses: &[Pose], truth: &[bool]) -> Result<Row> {
    let (mut tests, mut disagreements) = ([0; 2], 0);
    for (pose, &hit) in poses.iter().zip(truth) {
        let (found, took) = (system.ask)(pose, Ask::First).unwrap_or((hit, Effort::default()));
        tests[0] += took.volume_tests;
        tests[1] += took.triangle_tests;
        disagreements += usize::from(found != hit);
    }
    let agrees = disagreements == 0 || system.name == "CD";
    ensure(agrees, || format!("{} and the engine disagree on whether bodies meet", system.name))?;
    let count = poses.len() as f64;
    let mut micros = |ask| {
        (system.ask)(&poses[0], ask)?;
        let mut run = || poses.iter().for_each(|pose| _ = black_box((system.ask)(pose, ask)));
        // What takes a second a time is measured once.
        let rough = plan.once().seconds(&mut run);
        let time = if rough > 1.0 { rough } else { plan.seconds(run).min(rough) };
        Some(time * 1e6 / count)
    };
    let [first, all, distance] = [Ask::First, Ask::All, Ask::Distance].map(&mut micros);
    let tests = tests.map(|n| n as f64 / count);
    Ok(Row { tests, first: first.unwrap_or(0.0), all, distance, disagreements })
}

/// Of committed tables where it compares times.
pub fn find(tables: &Tables) -> Result<Vec<Finding>> {
    let table = tables.get("systems")?;
    let of =
        |gap, system, column| table.number(&[("models", "cars"), ("gap", gap), ("system", system)], column);
    let tests = |system| of("near", system, "volume_tests");
    let [spheres, boxes, oriented] = [tests("sphere tree")?, tests("SOLID")?, tests("RAPID")?];
    let mut found = vec![Finding::new(
        "Daneu 2002, sections 2.1 to 2.3",
        "the tighter the volumes, the fewer are tested: spheres most, boxes along the axes fewer, oriented boxes fewest",
        format!(
            "two cars near each other need {} tests of spheres, {} of boxes along the axes and {} of oriented boxes",
            say(spheres),
            say(boxes),
            say(oriented)
        ),
        oriented < boxes && boxes < spheres,
    )];
    if table.is_quick {
        return Ok(found);
    }
    let rivals = ["sphere tree", "SOLID", "ColDet", "RAPID", "QuickCD", "CD"];
    let fastest = |gap| -> Result<(f64, f64, &str)> {
        let mut times = rivals
            .iter()
            .map(|system| Ok((of(gap, system, "first_hit_us")?, *system)))
            .collect::<Result<Vec<_>>>()?;
        times.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (best, name) = times.first().copied().unwrap_or((f64::NAN, ""));
        Ok((of(gap, "SWIFT++", "first_hit_us")?, best, name))
    };
    let ((near, near_best, near_name), (inside, inside_best, inside_name)) =
        (fastest("near")?, fastest("inside")?);
    found.push(Finding::new(
        "Daneu 2002, section 2.5",
        "SWIFT++ is the fastest for bodies that are not convex",
        format!(
            "for two cars near each other it takes {} µs and {near_name}, the fastest of the others, {}; for cars inside each other {} and {inside_name} {}",
            say(near), say(near_best), say(inside), say(inside_best)
        ),
        near < near_best && inside < inside_best,
    ));
    Ok(found)
}
