//! Two meshes against each other.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use serde::Serialize;
use sudar::effort::Partial;
use sudar::query::{self, Body, DistanceOptions, Within};
use sudar::{DVec3, Interval, Pose, Shape, WeldReport};

use super::sweep;
use crate::common::{ModelArgs, not_negative};
use crate::help;
use crate::load::{self, Welded};
use crate::pose::PoseArg;
use crate::progress::Waiting;
use crate::report::{self, Verdict};

/// Tells whether two meshes touch, which triangles meet, and how far apart they are.
#[derive(Debug, clap::Args)]
#[command(after_long_help = help::flowed(HELP))]
pub struct Args {
    /// The first mesh; all parts of a file together are one mesh. Of a folder every model file.
    #[arg(value_name = "A")]
    pub a: PathBuf,
    /// The second mesh, or another folder: then every A is checked with every B, in one table.
    #[arg(value_name = "B")]
    pub b: PathBuf,
    /// Pose of A: `x,y,z` or `x,y,z,qx,qy,qz,qw` or JSON (see below).
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    pose_a: Option<PoseArg>,
    /// Pose of B.
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    pose_b: Option<PoseArg>,
    /// Also measure the distance.
    #[arg(long)]
    pub distance: bool,
    /// Also tell whether the distance is at most D; without --distance the search stops at the first proof either way.
    #[arg(long, value_name = "D", value_parser = not_negative, allow_hyphen_values = true)]
    pub tolerance: Option<f64>,
    /// How many of the intersecting triangle pairs to show; with 0 only whether there is one, which is much quicker.
    #[arg(long, value_name = "N", default_value_t = 10)]
    pairs: usize,
    /// Stop looking for more after N intersecting triangle pairs; the count then says "at least".
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    count_to: Option<u64>,
    #[command(flatten)]
    pub motion: sweep::SweepArgs,
    #[command(flatten)]
    pub common: ModelArgs,
}

const HELP: &str = "\
Both meshes are surfaces: one that floats inside the other without touching it is apart from it. The test is exact;
touching counts as intersecting. Triangles are numbered from 0 in file order.

Poses move the meshes before the test, in metres:
  1,0,-0.5                                  a translation
  1,0,-0.5,0,0,0.7071067811865476,0.7071067811865476
                                            with a unit quaternion x,y,z,w
  {\"translation\":[1,0,-0.5],\"rotation\":[0,0,0,1]}
  {\"matrix\":[16 numbers, row by row, rigid, last row 0 0 0 1]}

With --sweep the meshes move: the origin of each at constant velocity from its pose at time 0 to that at time 1, turning about it
by the shortest turn. Nothing is missed between instants: no contact before the time is certain, and then the surfaces are at most a
millionth of the size of the scene apart.

JSON:
  a, b            {\"file\",\"triangles\"}, with --weld also \"weld\":{\"tolerance\",\"moved\",\"farthest\",\"collapsed\"}: how many
                  vertices moved, how far at most, and how many triangles lost a corner
  intersects      true or false
  count           how many triangle pairs intersect; null with --pairs 0
  count_is_exact  with --count-to: false if the search ended there, so that there may be more
  pairs           the first of them (--pairs), sorted: [i of A, j of B]
  distance        {\"lower\",\"upper\"}: the true distance lies between   } with --distance; 0 and
  point_a,point_b the nearest points in the world, |a − b| = upper      } a common point if they
  features        [i, j]: the triangles that they lie on                 } intersect
  within          with --tolerance: true, false, or null if D and the distance agree to the last digits
  witness         with --tolerance, what shows it: {\"point_a\",\"point_b\",\"features\"} are points no farther apart
                  than D, not the nearest; {\"lower\"} is a number above D that the distance does not fall below
  sweep           with --sweep: {\"hit\",\"t_lower\",\"t_upper\",\"point_a\",\"point_b\",\"normal\",\"features\"}: whether the surfaces meet on
                  their way, certainly not before t_lower; the points where, in the world, and the normal from A to B

With a folder: {\"schema_version\":1,\"checks\":[the same for each pair, or {\"a\",\"b\",\"error\"} with the names of the files]}.

Exit status: 0 apart, 1 touching or intersecting, with --sweep on the way as well, 2 error. The tolerance leaves it alone: parts near each other are apart.

Example:
  sudar check robot.stl shelf.obj --pose-a 0.4,0,0.2 --distance --units mm
  sudar check robot.stl shelf.obj --tolerance 0.005
  sudar check links/ shelf.obj --distance
  sudar check robot.stl shelf.obj --sweep --pose-a-end 1,0,0,0,0,0.7071067811865476,0.7071067811865476 --plot way.svg";

#[derive(Debug, Serialize)]
pub struct Document {
    pub a: Side,
    pub b: Side,
    pub intersects: bool,
    /// Not known if only a yes or no was wanted.
    pub count: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count_is_exact: Option<bool>,
    pub pairs: Vec<[u32; 2]>,
    #[serde(flatten)]
    pub measured: Option<Measured>,
    #[serde(flatten)]
    pub tolerated: Option<Tolerated>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sweep: Option<sweep::Swept>,
}

/// The answer about a tolerance.
#[derive(Debug, Serialize)]
pub struct Tolerated {
    pub within: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    witness: Option<Witness>,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Witness {
    Near { point_a: DVec3, point_b: DVec3, features: [u32; 2] },
    Far { lower: f64 },
}

#[derive(Debug, Clone, Serialize)]
pub struct Side {
    pub file: String,
    triangles: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    weld: Option<WeldReport>,
}

#[derive(Debug, Serialize)]
pub struct Measured {
    pub distance: Interval,
    point_a: DVec3,
    point_b: DVec3,
    features: [u32; 2],
}

pub fn run(args: &Args) -> Result<Verdict> {
    let waiting = Waiting::new("reading the meshes");
    let (a, b) = (body(&args.a, args)?, body(&args.b, args)?);
    let document = check(&a, &b, args, &waiting)?;
    drop(waiting);
    report::give(args.common.json, &document, || text(&document))?;
    Ok(document.verdict())
}

/// Checks two meshes that were read.
pub fn check(
    (a, side_a): &(Body, Side),
    (b, side_b): &(Body, Side),
    args: &Args,
    waiting: &Waiting,
) -> Result<Document> {
    let pose = |arg: Option<PoseArg>| arg.map_or(Pose::IDENTITY, PoseArg::pose);
    let (pose_a, pose_b) = (pose(args.pose_a), pose(args.pose_b));
    let (one, other) = ((a, &pose_a), (b, &pose_b));
    waiting.now("looking for triangles that meet");
    let Meeting { intersects, count, count_is_exact, pairs } = Meeting::of(one, other, args);
    waiting.now("measuring the distance");
    let measured = args.distance.then(|| measure_distance(one, other));
    let tolerated = args.tolerance.map(|tolerance| match &measured {
        Some(measured) => Tolerated::of_distance(measured, tolerance),
        None => Tolerated::of_search(one, other, tolerance),
    });
    waiting.now("following the motions");
    let sweep = sweep::run(&args.motion, one, other)?;
    let (a, b) = (side_a.clone(), side_b.clone());
    Ok(Document { a, b, intersects, count, count_is_exact, pairs, measured, tolerated, sweep })
}

impl Document {
    pub fn verdict(&self) -> Verdict {
        let meets = self.sweep.as_ref().is_some_and(sweep::Swept::may_hit);
        if self.intersects || meets { Verdict::Found } else { Verdict::Clean }
    }
}

/// Whether the surfaces meet, in how many pairs of triangles, and the first of these.
struct Meeting {
    intersects: bool,
    count: Option<usize>,
    count_is_exact: Option<bool>,
    pairs: Vec<[u32; 2]>,
}

impl Meeting {
    fn of((a, pose_a): (&Body, &Pose), (b, pose_b): (&Body, &Pose), args: &Args) -> Self {
        if args.pairs == 0 {
            let intersects = query::intersects(a.at(pose_a), b.at(pose_b)).is_touching();
            return Self { intersects, count: None, count_is_exact: None, pairs: Vec::new() };
        }
        let most = args.count_to.map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(usize::MAX));
        let Partial { found: mut pairs, complete } = query::contacts_up_to(a.at(pose_a), b.at(pose_b), most);
        let count = pairs.len();
        pairs.truncate(args.pairs);
        let count_is_exact = args.count_to.map(|_| complete);
        Self { intersects: count > 0, count: Some(count), count_is_exact, pairs }
    }
}

/// All parts of a file as one body; triangles are numbered as in the file.
pub fn body(path: &Path, args: &Args) -> Result<(Body, Side)> {
    let file = path.display().to_string();
    let Welded { model, reports, .. } = load::welded(path, &args.common.read, &args.common.weld)?;
    let mesh = load::whole(&model).with_context(|| file.clone())?;
    let side = Side { file, triangles: mesh.triangles().len(), weld: load::summary(&reports) };
    Ok((Body::new(Shape::Mesh(Arc::new(mesh))), side))
}

fn measure_distance((a, pose_a): (&Body, &Pose), (b, pose_b): (&Body, &Pose)) -> Measured {
    let found = query::distance(a.at(pose_a), b.at(pose_b), &DistanceOptions::EXACT);
    Measured {
        distance: found.interval,
        point_a: found.point_a,
        point_b: found.point_b,
        features: found.features,
    }
}

impl Tolerated {
    /// From the distance, which is known anyway.
    fn of_distance(measured: &Measured, tolerance: f64) -> Self {
        let Measured { distance: Interval { lower, upper }, point_a, point_b, features } = *measured;
        if upper <= tolerance {
            Self { within: Some(true), witness: Some(Witness::Near { point_a, point_b, features }) }
        } else if lower > tolerance {
            Self { within: Some(false), witness: Some(Witness::Far { lower }) }
        } else {
            Self { within: None, witness: None }
        }
    }

    /// By a search that ends with the first proof.
    fn of_search((a, pose_a): (&Body, &Pose), (b, pose_b): (&Body, &Pose), tolerance: f64) -> Self {
        let found = query::within(a.at(pose_a), b.at(pose_b), tolerance);
        let witness = match found {
            Within::Yes { point_a, point_b, features } => Some(Witness::Near { point_a, point_b, features }),
            Within::No { lower, .. } => Some(Witness::Far { lower }),
            Within::Undecided(_) => None,
        };
        Self { within: found.decided(), witness }
    }

    fn text(&self) -> String {
        match &self.witness {
            Some(Witness::Near { point_a, point_b, features }) => {
                format!("within the tolerance: {}\n", points_text(*point_a, *point_b, *features))
            }
            Some(Witness::Far { lower }) => {
                format!("farther apart than the tolerance: at least {}\n", report::short_below(*lower))
            }
            None => "the distance equals the tolerance to the last digits: undecided\n".to_owned(),
        }
    }
}

fn text(document: &Document) -> String {
    let Document { a, b, intersects, count, count_is_exact, pairs, measured, tolerated, sweep } = document;
    let mut text = a.text() + &b.text();
    text += &match count {
        _ if !intersects => "apart\n".to_owned(),
        None => "intersect\n".to_owned(),
        Some(count) => {
            let more = if *count > pairs.len() { ", …" } else { "" };
            let shown = pairs.iter().map(|[i, j]| format!("{i}–{j}")).collect::<Vec<_>>().join(", ");
            let least = if *count_is_exact == Some(false) { "at least " } else { "" };
            format!("intersect: {least}{}: {shown}{more}\n", report::count(*count, "triangle pair"))
        }
    };
    if let Some(measured) = measured {
        text += &distance_text(measured);
    }
    if let Some(tolerated) = tolerated {
        text += &tolerated.text();
    }
    if let Some(swept) = sweep {
        text += &swept.text();
    }
    text
}

impl Side {
    fn text(&self) -> String {
        let welded =
            self.weld.as_ref().map(|weld| format!("; {}", load::weld_text(weld))).unwrap_or_default();
        format!("{}: {}{welded}\n", self.file, report::count(self.triangles, "triangle"))
    }
}

fn distance_text(measured: &Measured) -> String {
    let Measured { distance, point_a, point_b, features } = measured;
    format!("distance {} {}\n", report::interval(distance), points_text(*point_a, *point_b, *features))
}

fn points_text(a: DVec3, b: DVec3, [i, j]: [u32; 2]) -> String {
    let (a, b) = (report::place(a), report::place(b));
    format!("between ({a}) on triangle {i} and ({b}) on triangle {j}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_around_the_tolerance_decides_nothing() {
        let distance = Interval::new(1.0, 2.0);
        let measured = Measured { distance, point_a: DVec3::ZERO, point_b: DVec3::X, features: [0, 0] };
        let within = |tolerance| Tolerated::of_distance(&measured, tolerance).within;
        assert_eq!(within(2.0), Some(true));
        assert_eq!(within(1.5), None);
        assert_eq!(within(1.0), None);
        assert_eq!(within(0.5), Some(false));
    }
}
