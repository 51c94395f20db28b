//! `sudar check --sweep`: when two moving meshes first meet.

use std::path::PathBuf;

use anyhow::Result;
use serde::Serialize;
use sudar::motion::Motion;
use sudar::query::{Body, DistanceOptions, Impact, Sweep, SweepOptions, distance, sweep};
use sudar::{DVec3, Interval, Pose};
use sudar_reproduce::{Axis, Figure, Panel, Series};

use crate::pose::PoseArg;
use crate::report;

/// Where the meshes go.
#[derive(Debug, clap::Args)]
pub struct SweepArgs {
    /// Also find the first contact of the meshes on their way from the poses to those at the end (see below).
    #[arg(long)]
    sweep: bool,
    /// Pose of A at the end of its way; by default it stands still.
    #[arg(long, value_name = "P", allow_hyphen_values = true, requires = "sweep")]
    pose_a_end: Option<PoseArg>,
    /// Pose of B at the end of its way; by default it stands still.
    #[arg(long, value_name = "P", allow_hyphen_values = true, requires = "sweep")]
    pose_b_end: Option<PoseArg>,
    /// Draw the distance against time into this SVG file, the time of the first contact shaded.
    #[arg(long, value_name = "F.svg", requires = "sweep")]
    plot: Option<PathBuf>,
}

/// The first contact.
#[derive(Debug, Default, Serialize)]
pub struct Swept {
    hit: Option<bool>,
    t_lower: Option<f64>,
    t_upper: Option<f64>,
    point_a: Option<DVec3>,
    point_b: Option<DVec3>,
    normal: Option<DVec3>,
    features: Option<[u32; 2]>,
}

impl SweepArgs {
    /// Whether there is a motion at all.
    pub fn is_wanted(&self) -> bool {
        self.sweep
    }

    /// Whether the motion is to be drawn.
    pub fn draws(&self) -> bool {
        self.plot.is_some()
    }
}

/// Instants at which the distance is drawn.
const INSTANTS: u32 = 200;

/// The first contact, if an option requests it; drawn, if an option names a file.
pub fn run(
    args: &SweepArgs,
    (a, pose_a): (&Body, &Pose),
    (b, pose_b): (&Body, &Pose),
) -> Result<Option<Swept>> {
    if !args.sweep {
        return Ok(None);
    }
    if let Some(path) = &args.plot {
        report::check_ending(path, "svg", "SVG")?;
    }
    let to = |start: &Pose, end: Option<PoseArg>| Motion::between(start, &end.map_or(*start, PoseArg::pose));
    let motions = [to(pose_a, args.pose_a_end), to(pose_b, args.pose_b_end)];
    let options = SweepOptions::of_scene([a.moving(&motions[0]), b.moving(&motions[1])]);
    let found = sweep(a.moving(&motions[0]), b.moving(&motions[1]), &options);
    if let Some(path) = &args.plot {
        report::write_whole(path, &report::drawn(&figure([a, b], &motions, &found))?)?;
    }
    Ok(Some(Swept::of(&found)))
}

impl Swept {
    fn of(found: &Sweep) -> Self {
        let nothing = Self { hit: found.decided(), ..Self::default() };
        match *found {
            Sweep::Free => nothing,
            Sweep::Undecided { free_until, .. } => Self { t_lower: Some(free_until), ..nothing },
            Sweep::Hit(Impact { time, point_a, point_b, normal, features, .. }) => Self {
                t_lower: Some(time.lower),
                t_upper: Some(time.upper),
                point_a: Some(point_a),
                point_b: Some(point_b),
                normal: Some(normal),
                features: Some(features),
                ..nothing
            },
        }
    }

    /// Whether the meshes may meet on their way.
    pub fn may_hit(&self) -> bool {
        self.hit != Some(false)
    }

    /// The time alone, for a table.
    pub fn time(&self) -> String {
        match (self.t_lower, self.t_upper) {
            (Some(lower), Some(upper)) => report::interval(&Interval { lower, upper }),
            (Some(lower), None) => format!("undecided after {}", report::short_below(lower)),
            (None, _) => "none".to_owned(),
        }
    }

    pub fn text(&self) -> String {
        let (Some(lower), Some(upper)) = (self.t_lower, self.t_upper) else {
            return match self.t_lower {
                None => "no contact on the way\n".to_owned(),
                Some(lower) => {
                    format!("undecided: no contact before the time {}\n", report::short_below(lower))
                }
            };
        };
        let at = self.point_a.map_or_else(String::new, |p| format!(" at ({})", report::place(p)));
        let [i, j] = self.features.unwrap_or_default();
        format!(
            "first contact at the time {}{at}, triangles {i} and {j}\n",
            report::interval(&Interval { lower, upper })
        )
    }
}

/// The distance against time.
fn figure([a, b]: [&Body; 2], motions: &[Motion; 2], found: &Sweep) -> Figure {
    let gap = |step: u32| {
        let time = f64::from(step) / f64::from(INSTANTS);
        let [pose_a, pose_b] = [0, 1].map(|i| motions[i].at(time));
        (time, distance(a.at(&pose_a), b.at(&pose_b), &DistanceOptions::EXACT).interval.upper)
    };
    let mut series = vec![Series::line("distance", 0, (0..=INSTANTS).map(gap).collect())];
    let contact = found.impact().map(|impact| impact.time);
    let caption = match contact {
        Some(time) => {
            series.push(Series::band("first contact", 1, vec![(time.lower, 0.0), (time.upper, 0.0)]));
            format!("First contact at the time {}.", report::interval(&time))
        }
        None => "No contact on the way, between the instants that are drawn as well.".to_owned(),
    };
    let (x, y) = (Axis::linear("time"), Axis::linear("distance in m"));
    let panel = Panel::new("surfaces, from time 0 to 1", x, y, series);
    Figure::new("Distance against time", vec![panel], &[&caption])
}
