//! Which pairs are tested exactly where there is not time for all.

use anyhow::{Result, anyhow, ensure};
use serde::Serialize;
use sudar::effort::Budget;
use sudar::query::{Body, Work};
use sudar::shape::{Ellipsoid, Frustum};
use sudar::{Aabb, DMat3, DQuat, DVec3, Pose};
use sudar_classic::schedule::{Eye, Policy, Scheduler, Tested};

use crate::report;

/// Exact tests under a budget.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Exact tests under a budget")]
pub struct ScheduleArgs {
    /// Test the pairs that overlap, at most N nodes of work a frame, and say which were late.
    #[arg(long, value_name = "N")]
    budget: Option<u64>,
    /// Where the viewer stands: what is nearer and larger is tested first. With a second point, what he looks at.
    #[arg(long, value_name = "X,Y,Z[,X,Y,Z]", requires = "budget", value_parser = eye, allow_hyphen_values = true)]
    camera: Option<Eye>,
    /// In which order [default: sequential with --camera, else shares].
    #[arg(long, value_enum, requires = "budget")]
    schedule: Option<Order>,
    /// Frames, in which what was late gets its turn.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000), requires = "budget")]
    frames: u32,
}

/// In which order pairs are tested, and with how much work each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
enum Order {
    /// The best seen first, each with what is left.
    Sequential,
    /// Three queues by how well pairs are seen, each served in turn.
    Queues,
    /// A share of the budget for each pair.
    Shares,
}

impl ScheduleArgs {
    pub fn is_wanted(&self) -> bool {
        self.budget.is_some()
    }
}

/// What became of the frames.
#[derive(Debug, Serialize)]
pub struct Schedule {
    order: Order,
    budget: u64,
    frames: Vec<FrameRow>,
}

#[derive(Debug, Serialize)]
struct FrameRow {
    nodes: u64,
    /// In the order of the tests.
    tested: Vec<[u32; 2]>,
    real: Vec<[u32; 2]>,
    undecided: Vec<[u32; 2]>,
    late: Vec<[u32; 2]>,
}

/// The angle of view is 90 degrees, sideways and upwards.
const TANGENTS: [f64; 2] = [1.0, 1.0];

fn eye(text: &str) -> Result<Eye> {
    let numbers: Vec<f64> = text
        .split(',')
        .map(|number| number.trim().parse::<f64>().map_err(|_| anyhow!("\"{number}\" is not a number")))
        .collect::<Result<_>>()?;
    ensure!(numbers.iter().all(|number| number.abs() < 1e80), "must be finite numbers");
    match numbers[..] {
        [x, y, z] => Ok(Eye { position: DVec3::new(x, y, z), view: None }),
        [x, y, z, p, q, r] => {
            let (position, target) = (DVec3::new(x, y, z), DVec3::new(p, q, r));
            Ok(Eye { position, view: Some(view(position, target)?) })
        }
        _ => Err(anyhow!("needs three numbers, or six: where the viewer stands and what he looks at")),
    }
}

/// What a camera sees from a position towards a target.
fn view(position: DVec3, target: DVec3) -> Result<Frustum> {
    let back = (position - target).try_normalize().ok_or_else(|| anyhow!("he stands where he looks"))?;
    let (right, _) = back.any_orthonormal_pair();
    let rotation = DQuat::from_mat3(&DMat3::from_cols(right, back.cross(right), back));
    let far = 1e6 * (position - target).length();
    Ok(Frustum::perspective(&Pose::new(position, rotation)?, TANGENTS, 1e-12 * far, far)?)
}

/// Runs the tests of the frames, if a budget is given.
pub fn schedule(args: &ScheduleArgs, boxes: &[Aabb], pairs: &[[u32; 2]]) -> Result<Option<Schedule>> {
    let Some(budget) = args.budget else { return Ok(None) };
    let order =
        args.schedule.unwrap_or(if args.camera.is_some() { Order::Sequential } else { Order::Shares });
    let policy = match order {
        Order::Sequential => Policy::Sequential,
        Order::Queues => Policy::queues(),
        Order::Shares => Policy::Shares { objects: boxes.len() as u32 },
    };
    let eye = match (args.camera, order) {
        (Some(eye), _) => eye,
        (None, Order::Shares) => Eye { position: DVec3::ZERO, view: None },
        (None, Order::Sequential | Order::Queues) => {
            return Err(anyhow!("this schedule needs a viewer; say where he stands with --camera X,Y,Z"));
        }
    };
    let bodies: Vec<_> = boxes.iter().map(inscribed).collect();
    let mut scheduler = Scheduler::new(policy);
    let of = |i: u32| &boxes[i as usize];
    let importance = |[i, j]: [u32; 2]| eye.importance(of(i), of(j));
    let frames = (0..args.frames).map(|_| {
        let frame = scheduler
            .run(pairs, importance, &Budget::nodes(budget), |pair, budget| test(&bodies, pair, *budget));
        FrameRow {
            nodes: frame.nodes,
            tested: frame.tested.clone(),
            real: frame.real.clone(),
            undecided: frame.undecided.clone(),
            late: frame.late.clone(),
        }
    });
    Ok(Some(Schedule { order, budget, frames: frames.collect() }))
}

/// The largest ellipsoid in a box; `None` for a flat one, which stands for itself.
fn inscribed(aabb: &Aabb) -> Option<(Body, Pose)> {
    let ellipsoid = Ellipsoid::new(aabb.extent() * 0.5).ok()?;
    Some((Body::new(ellipsoid), Pose::from_translation(aabb.center()).ok()?))
}

fn test(bodies: &[Option<(Body, Pose)>], pair: [u32; 2], budget: Budget) -> Tested {
    let [Some((a, at)), Some((b, bt))] = pair.map(|i| bodies[i as usize].as_ref()) else {
        return Tested { collides: Some(true), nodes: 1 };
    };
    let mut work = Work::new(budget);
    let found = work.intersects(a.at(at), b.at(bt));
    Tested { collides: found.decided(), nodes: work.statistics().nodes }
}

impl Schedule {
    pub fn text(&self) -> String {
        let header = ["frame", "nodes", "tested", "collide", "undecided", "late"];
        let rows = (1..).zip(&self.frames).map(|(number, frame): (usize, _)| {
            let lists = [&frame.tested, &frame.real, &frame.undecided, &frame.late];
            let counts = lists.map(|list| list.len().to_string());
            [vec![number.to_string(), frame.nodes.to_string()], counts.to_vec()].concat()
        });
        let table = report::table(&header, &[0, 1, 2, 3, 4, 5], rows);
        let first: Vec<String> = self.frames.first().map_or(Vec::new(), |frame| {
            frame.tested.iter().take(5).map(|[i, j]| format!("{i}–{j}")).collect()
        });
        format!("exact tests of {} nodes a frame; first {}\n{table}", self.budget, first.join(", "))
    }
}
