//! Plans the problems of MotionBenchMaker in the folder of `SUDAR_DATA`, and prints a table: solved share and times.
//!
//! `SUDAR_DATA=… cargo run --release -p sudar-robot --example plans -- panda panda.urdf [--every N] [--recheck N]
//! [--certify yes]`
//!
//! With `--recheck` every path is sampled evenly, and each sample decided by the pairwise library, link by link, from
//! the poses of `Robot::forward`: nothing of the cell but which pairs are checked. With `--certify yes` a certificate
//! is made of every path and verified.
#![allow(clippy::print_stdout, reason = "it prints its table")]

mod problems;

use std::error::Error;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use sudar::Pose;
use sudar::query::{Batch, Body, Intersection};
use sudar_robot::{
    CellOptions, Certificate, LoadOptions, PairOptions, Plan, PlanError, PlanOptions, Robot, RobotCell,
};

use problems::{Problem, Scene};

/// What came of a problem.
struct Outcome {
    set: String,
    seconds: f64,
    end: End,
}

enum End {
    /// The start or every goal is not free: these meshes are not those that the problems were made with.
    NotFree,
    NotFound,
    Found {
        is_certified: bool,
        length: f64,
        hits: usize,
    },
}

struct Arguments {
    robot: String,
    urdf: String,
    every: usize,
    recheck: usize,
    certify: bool,
    options: PlanOptions,
}

/// Certificates of paths: how many hold, and what they took.
#[derive(Default)]
struct Certificates {
    made: usize,
    refused: Vec<String>,
    making: Vec<f64>,
    verifying: Vec<f64>,
    bytes: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    let given = arguments()?;
    let data = PathBuf::from(std::env::var_os("SUDAR_DATA").ok_or("SUDAR_DATA names no folder")?);
    let folder = data.join("robots").join(&given.robot);
    let srdf = Some(folder.join(format!("{}.srdf", given.robot)));
    let load = LoadOptions { srdf, skip_missing_meshes: true, ..LoadOptions::default() };
    let robot = Robot::load(folder.join(&given.urdf), &load)?;
    let file = data.join("planning").join(format!("mbm_{}.json.gz", given.robot));
    let problems = problems::read(&file, &robot)?;
    // Which pairs of links are checked depends on the robot alone.
    let alone = RobotCell::new(&robot, Vec::new(), &CellOptions::default())?;
    let pairs = alone.self_pairs().iter().filter(|pair| !pair.is_checked());
    let ignored = pairs.map(|pair| pair.parts.map(|part| alone.parts()[part].name.clone())).collect();
    // The gripper of the problems is open wider than its limits.
    let pairs = PairOptions { samples: 0, ..PairOptions::default() };
    let cell_options = CellOptions { pairs, ignored, check_limits: false, ..CellOptions::default() };
    let (mut outcomes, mut certificates) = (Vec::new(), Certificates::default());
    for problem in problems.iter().step_by(given.every) {
        let cell = RobotCell::new(&robot, problem.scene.clone(), &cell_options)?;
        outcomes.push(solve(&cell, problem, &given, &mut certificates)?);
    }
    print(&outcomes);
    if given.certify {
        certificates.print();
    }
    Ok(())
}

fn arguments() -> Result<Arguments, Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let mut given = Arguments {
        robot: words.first().ok_or("name a robot: panda or ur5")?.clone(),
        urdf: words.get(1).ok_or("name its URDF")?.clone(),
        every: 1,
        recheck: 0,
        certify: false,
        options: PlanOptions { time: Some(Duration::from_secs(5)), ..PlanOptions::default() },
    };
    for pair in words[2..].chunks(2) {
        let value = pair.get(1).ok_or("every option has a value")?;
        match pair[0].as_str() {
            "--every" => given.every = value.parse()?,
            "--recheck" => given.recheck = value.parse()?,
            "--certify" => given.certify = value == "yes",
            "--range" => given.options.range = value.parse()?,
            "--resolution" => given.options.resolution = value.parse()?,
            "--shortcuts" => given.options.shortcuts = value.parse()?,
            "--seed" => given.options.seed = value.parse()?,
            "--time" => given.options.time = Some(Duration::from_secs_f64(value.parse()?)),
            other => return Err(format!("unknown option {other}").into()),
        }
    }
    // The gripper keeps still.
    let is_arm =
        |name: &str| !name.contains("finger") && !name.contains("robotiq") && !name.contains("gripper");
    let urdf = PathBuf::from(std::env::var_os("SUDAR_DATA").unwrap_or_default());
    let urdf = urdf.join("robots").join(&given.robot).join(&given.urdf);
    let robot = Robot::load(urdf, &LoadOptions { skip_missing_meshes: true, ..LoadOptions::default() })?;
    let arm = robot.joint_names().into_iter().filter(|name| is_arm(name));
    given.options.joints = Some(arm.map(str::to_owned).collect());
    Ok(given)
}

impl Certificates {
    /// Makes one of a path, and verifies it as it would be read from a file.
    fn add(&mut self, cell: &RobotCell, plan: &Plan) -> Result<(), Box<dyn Error>> {
        let began = Instant::now();
        let made = match cell.certificate(&plan.waypoints, &Batch::default()) {
            Ok(made) => made,
            Err(why) => {
                self.refused.push(why.to_string());
                return Ok(());
            }
        };
        self.making.push(began.elapsed().as_secs_f64() * 1e3);
        let text = made.to_json()?;
        self.bytes += text.len();
        let began = Instant::now();
        Certificate::from_json(&text)?.check()?;
        self.verifying.push(began.elapsed().as_secs_f64() * 1e3);
        self.made += 1;
        Ok(())
    }

    fn print(mut self) {
        let middle = |times: &mut Vec<f64>| {
            times.sort_by(f64::total_cmp);
            times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
        };
        println!(
            "\n{} certificates hold, {} could not be made; median {:.0} ms to make, {:.0} ms to verify, {:.0} kB each",
            self.made,
            self.refused.len(),
            middle(&mut self.making),
            middle(&mut self.verifying),
            self.bytes as f64 / 1e3 / self.made.max(1) as f64
        );
        self.refused.iter().for_each(|why| println!("{why}"));
    }
}

fn solve(
    cell: &RobotCell,
    problem: &Problem,
    given: &Arguments,
    certificates: &mut Certificates,
) -> Result<Outcome, Box<dyn Error>> {
    let began = Instant::now();
    let found = cell.plan(&problem.start, &problem.goals, &given.options, &Batch::default());
    let seconds = began.elapsed().as_secs_f64();
    if let Ok(plan) = &found
        && given.certify
        && plan.is_certified()
    {
        certificates.add(cell, plan)?;
    }
    let end = match found {
        Ok(plan) => End::Found {
            is_certified: plan.is_certified(),
            length: plan.length,
            hits: recheck(cell, &problem.scene, &plan, given.recheck)?,
        },
        Err(PlanError::NotFound { .. }) => End::NotFound,
        Err(PlanError::Start { .. } | PlanError::Goals { .. }) => End::NotFree,
        Err(other) => return Err(other.into()),
    };
    Ok(Outcome { set: problem.set.clone(), seconds, end })
}

/// How many of so many samples, evenly along the path, are in contact.
fn recheck(cell: &RobotCell, scene: &Scene, plan: &Plan, samples: usize) -> Result<usize, Box<dyn Error>> {
    let dof = cell.robot().dof();
    let rows: Vec<&[f64]> = plan.waypoints.chunks(dof).collect();
    let edges = rows.len().saturating_sub(1);
    let mut all = Vec::new();
    for k in 0..if edges == 0 { 0 } else { samples } {
        let x = k as f64 / (samples - 1).max(1) as f64 * edges as f64;
        let edge = (x as usize).min(edges - 1);
        let t = x - edge as f64;
        let (a, b) = (rows[edge], rows[edge + 1]);
        all.push(a.iter().zip(b).map(|(a, b)| a + t * (b - a)).collect::<Vec<f64>>());
    }
    let found = Batch::default().each(&all, |work, q| {
        let Ok(poses) = cell.robot().forward(q) else { return true };
        let part = |i: usize| {
            let part = &cell.parts()[i];
            part.bodies().map(move |(body, at)| (body, at, part.link))
        };
        let mut meet = |a: (&Body, Pose), b: (&Body, Pose)| {
            work.intersects(a.0.at(&a.1), b.0.at(&b.1)) != Intersection::Apart
        };
        let with_scene = (0..cell.parts().len()).flat_map(part).any(|(body, at, link)| {
            scene.iter().any(|(_, object, pose)| meet((body, poses[link].after(at)), (object, *pose)))
        });
        with_scene
            || cell.self_pairs().iter().filter(|pair| pair.is_checked()).any(|pair| {
                part(pair.parts[0]).any(|(a, at, link)| {
                    part(pair.parts[1])
                        .any(|(b, to, it)| meet((a, poses[link].after(at)), (b, poses[it].after(to))))
                })
            })
    });
    Ok(found.answers.iter().filter(|hit| **hit).count())
}

fn print(outcomes: &[Outcome]) {
    println!(
        "| set | problems | ends free | solved in 1 s | certified | median ms | 95 % ms | longest ms | mean length | samples in contact |"
    );
    println!("|{}", "---|".repeat(10));
    let mut sets: Vec<&str> = outcomes.iter().map(|outcome| outcome.set.as_str()).collect();
    sets.dedup();
    for set in &sets {
        row(set, &outcomes.iter().filter(|outcome| outcome.set == *set).collect::<Vec<_>>());
    }
    row("all", &outcomes.iter().collect::<Vec<_>>());
}

fn row(name: &str, outcomes: &[&Outcome]) {
    let tried: Vec<_> = outcomes.iter().filter(|outcome| !matches!(outcome.end, End::NotFree)).collect();
    let found = |outcome: &&&&Outcome| matches!(outcome.end, End::Found { .. });
    let mut times: Vec<f64> = tried.iter().map(|outcome| outcome.seconds * 1e3).collect();
    times.sort_by(f64::total_cmp);
    let at = |part: f64| {
        let last = times.len().saturating_sub(1);
        times.get((part * last as f64).round() as usize).copied().unwrap_or(f64::NAN)
    };
    let soon = tried.iter().filter(found).filter(|outcome| outcome.seconds <= 1.0).count();
    let (mut certified, mut length, mut hits, mut count) = (0, 0.0, 0, 0);
    for outcome in &tried {
        if let End::Found { is_certified, length: its, hits: more } = outcome.end {
            certified += usize::from(is_certified);
            (length, hits, count) = (length + its, hits + more, count + 1);
        }
    }
    let share = 100.0 * soon as f64 / tried.len().max(1) as f64;
    println!(
        "| {name} | {} | {} | {share:.1} % | {certified} of {count} | {:.1} | {:.1} | {:.0} | {:.2} | {hits} |",
        outcomes.len(),
        tried.len(),
        at(0.5),
        at(0.95),
        at(1.0),
        length / f64::from(count.max(1)),
    );
}
