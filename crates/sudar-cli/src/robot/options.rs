//! The arguments of the command.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use sudar_robot::{CellOptions, LIMIT_TOLERANCE, LoadOptions, NeverMet, PairOptions};

use crate::common::{ReadArgs, Threads, not_negative, positive};
use crate::help;

/// Checks configurations and straight edges of a robot in a scene, and plans paths.
#[derive(Debug, clap::Args)]
#[command(after_long_help = help::flowed(HELP))]
pub struct Args {
    /// The robot: URDF or MJCF.
    #[arg(value_name = "ARM.urdf")]
    pub input: PathBuf,
    /// Pairs of links that need not be checked.
    #[arg(long, value_name = "FILE")]
    srdf: Option<PathBuf>,
    /// The folder of a package that meshes are named in.
    #[arg(long = "package", value_name = "NAME=DIR", value_parser = package)]
    packages: Vec<(String, PathBuf)>,
    /// Leave out meshes that are not found or cannot be read, and geometry that URDF does not have: what is left out is
    /// not checked.
    #[arg(long)]
    skip_missing_meshes: bool,
    /// Let the limits of a joint that mimics another narrow those of the other.
    #[arg(long)]
    narrow_by_mimics: bool,
    /// What the robot is among, in the frame of its root link: models, stores, scanned points (called `points`),
    /// octomaps (.bt, .ot, called `octomap`), or URDF or MJCF files of things that stand still.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub scene: Vec<PathBuf>,
    /// The configurations: rows of joint values, .npy or .csv.
    #[arg(long, value_name = "Q.npy")]
    pub configs: Option<PathBuf>,
    /// Write for each configuration or edge whether it is free: .npy an array of truth values, .csv a table of all that
    /// is known.
    #[arg(short, long = "out", value_name = "OUT", requires = "configs")]
    pub output: Option<PathBuf>,
    /// How far each configuration is from contact; beside an OUT.npy these are written to OUT.clearance.npy.
    #[arg(long, requires = "configs", conflicts_with = "edges")]
    pub clearance: bool,
    /// Check the straight edges between configurations over the whole motion: from each row to the next, or from the
    /// first of two rows to the second.
    #[arg(long, value_name = "WHICH", num_args = 0..=1, default_missing_value = "path", require_equals = true, requires = "configs")]
    pub edges: Option<Edges>,
    /// Search a path from the first configuration to one of the others, certify it, and write its waypoints to OUT.
    #[arg(long, requires = "configs", conflicts_with_all = ["edges", "clearance", "show"])]
    pub plan: bool,
    /// A joint that the plan may move; all by default.
    #[arg(long = "joint", value_name = "NAME", requires = "plan")]
    pub joints: Vec<String>,
    /// Write a certificate of the path, as JSON, with what proves it free of contact at every instant.
    #[arg(long, value_name = "C.json", requires = "plan")]
    pub certificate: Option<PathBuf>,
    /// Verify a certificate that was written for this robot, scene and options.
    #[arg(long, value_name = "C.json", conflicts_with = "configs")]
    pub verify: Option<PathBuf>,
    /// Go on searching for shorter paths: N times, or without a number until --seconds end.
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "4294967295", require_equals = true, requires = "plan")]
    pub improve: Option<u32>,
    /// How long a path is searched, in seconds.
    #[arg(long, value_name = "T", default_value_t = 10.0, value_parser = positive)]
    pub seconds: f64,
    /// How fast the velocity of any joint may change along the path, in rad/s² or m/s².
    #[arg(long, value_name = "A", default_value_t = 1.0, value_parser = positive)]
    pub acceleration: f64,
    /// How wide an interval of time of an edge may be left undecided, as a part of the edge.
    #[arg(long, value_name = "T", default_value_t = 1e-3, value_parser = positive)]
    pub tolerance: f64,
    /// How far from objects of the scene is contact, in metres.
    #[arg(long, value_name = "D", default_value_t = 0.0, value_parser = not_negative)]
    padding: f64,
    /// Two links or objects that are not checked with each other; part:A or object:A where both are called so.
    #[arg(long, value_name = "A,B", value_parser = pair)]
    ignore: Vec<[String; 2]>,
    /// How many configurations are sampled to find pairs of links that always or never meet.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    samples: u32,
    /// Where the random numbers of the samples and of the plan begin.
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    pub seed: u64,
    /// Do not check pairs of links that never met among the samples.
    #[arg(long)]
    skip_never_met: bool,
    /// Configurations outside the limits of joints may be valid.
    #[arg(long)]
    no_limits: bool,
    /// By how much a joint may be outside its limits, in radians or metres; 0 is exact.
    #[arg(long, value_name = "T", default_value_t = LIMIT_TOLERANCE, value_parser = not_negative)]
    pub limit_tolerance: f64,
    /// Map first where pairs of links are certainly apart, by at most so many boxes of joint values: takes a second,
    /// worth it for ten thousand configurations or edges and more.
    #[arg(long, value_name = "BOXES", num_args = 0..=1, default_missing_value = "500000", require_equals = true, requires = "configs")]
    pub map_pairs: Option<u32>,
    /// Write a page that shows a configuration and what is nearest; with --plan the path as an animation, with what is
    /// nearest at each time.
    #[arg(long, visible_alias = "html", value_name = "OUT.html", requires = "configs")]
    pub page: Option<PathBuf>,
    /// Which configuration the page shows, from 0.
    #[arg(long, value_name = "ROW", default_value_t = 0, requires = "page")]
    pub show: usize,
    /// Write spheres that cover each link, in its frame, as JSON for planners on graphics processors.
    #[arg(long, value_name = "OUT.json")]
    pub spheres: Option<PathBuf>,
    /// Most spheres of a link.
    #[arg(long, value_name = "N", default_value_t = 64, requires = "spheres", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub spheres_per_link: u32,
    /// List so many of the configurations or edges that are not free; 0 for all.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub limit: usize,
    /// Print one JSON document.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub read: ReadArgs,
    #[command(flatten)]
    pub threads: Threads,
}

/// Which configurations are joined by edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Edges {
    /// Each and the next.
    Path,
    /// The first and the second, the third and the fourth, and so on.
    Pairs,
}

const HELP: &str = "\
Without --configs it describes the robot: links, joints, limits, and which pairs of links are checked.

A row of --configs has one number for each joint that moves and mimics no other, in the order of the file, in radians and
metres. A configuration is valid if it is within the limits of its joints (by --limit-tolerance) and free of contact; touching counts as contact.
Where that is not certain it is not valid. Pairs of links that are fixed to each other or adjacent, that the files leave
out, or that met in every sample are not checked, which the table says.

Edges are straight in joint space, and free only if no contact is possible at any time: nothing is sampled. A hit has the
interval of time in which contact begins. What grazes nearer than the tolerance can tell is undecided, and not free.

With --plan the first row is the start and the others are goals, of which one is reached. Every edge of the path is free at
every time, as above; if the search ends with edges that are undecided it says so, and that is not free. The path is the
same for any number of threads. Its times are those of the fastest motion within the velocities of the file, at rest at
every waypoint. -o writes the waypoints, .csv with their times.

--certificate writes the robot, the scene and the path with a proof for each pair of bodies on each edge, which --verify
checks, given the same robot, scene and options, by other means than the search. So does the Python package, with numpy
alone; docs/robot.md has the format.

JSON: {\"file\",\"robot\",\"links\":n,\"joints\":[{\"name\",\"lower\",\"upper\"}],\"parts\":[…],\"objects\":n,\"pairs\":{\"checked\":n,\"samples\":n,
\"left_out\":[{\"a\",\"b\",\"why\",\"met\"}]},\"checked\":n,\"valid\":n,\"outside_limits\":n,\"self_contact\":n,\"scene_contact\":n,\"undecided\":n,\"seconds\",
\"found\":[{\"row\",\"what\",\"part\",\"other\",\"joint\",\"t\":[lower,upper]}],\"nearest\":{\"row\",\"lower\",\"upper\",\"part\",\"other\"},\"notes\":[…]}; limits that are none are null. --plan adds
\"plan\":{\"found\",\"certified\",\"why\",\"goal\",\"length\",\"duration\",\"waypoints\":[[…]],\"times\":[…],\"edges\":[…],\"rounds\",\"nodes\",\"seconds\"},
with --certificate also \"certificate\", and --verify adds \"verified\": {\"file\",\"holds\",\"why\",\"edges\",\"pairs\",\"leaves\",\"bytes\"}.
Of configurations \"what\" is \"outside limits\" with the first such \"joint\", \"contact\" with an object, \"self contact\" or \"undecided\"; of edges
\"hit\", \"undecided\" or \"outside limits\".

--spheres writes {\"robot\",\"collision_spheres\":{LINK:[{\"center\":[x,y,z],\"radius\"}]},\"beyond\":{LINK:d},\"not_covered\":[LINK]}: each link is in the union of
its spheres, no point of which is farther than d metres from it; links with geometry without end are not covered.

Exit status: 0 all are free, a path is certified or a certificate holds, 1 some are not, none is or it does not, 2 if something could not be read or written.

Example:
  sudar robot arm.urdf --scene shelf.obj --configs q.npy -o valid.npy --clearance
  sudar robot arm.urdf --srdf arm.srdf --scene shelf.obj --configs path.npy --edges --page path.html --show 3
  sudar robot arm.urdf --scene shelf.obj --configs ends.csv --plan -o path.csv --certificate path.json
  sudar robot arm.urdf --scene shelf.obj --verify path.json";

fn package(text: &str) -> Result<(String, PathBuf)> {
    let (name, folder) = text.split_once('=').context("must be NAME=DIR")?;
    ensure!(!name.is_empty() && !folder.is_empty(), "must be NAME=DIR");
    Ok((name.to_owned(), PathBuf::from(folder)))
}

fn pair(text: &str) -> Result<[String; 2]> {
    let (one, other) = text.split_once(',').context("must be two names, A,B")?;
    Ok([one.trim().to_owned(), other.trim().to_owned()])
}

impl Args {
    /// What clap cannot say.
    pub fn check(&self) -> Result<()> {
        for out in self.output.iter().chain(&self.page).chain(&self.spheres).chain(&self.certificate) {
            crate::report::file_target(out)?;
        }
        for out in self.spheres.iter().chain(&self.certificate) {
            crate::report::check_ending(out, "json", "JSON")?;
        }
        if let Some(page) = &self.page {
            crate::report::check_ending(page, "html", "HTML")?;
        }
        let ending =
            self.output.as_deref().and_then(|out| out.extension()).and_then(|ending| ending.to_str());
        ensure!(
            self.output.is_none() || matches!(ending, Some("npy" | "csv")),
            "the answers are written as .npy or .csv only; let the name after -o end so"
        );
        Ok(())
    }

    pub fn load_options(&self) -> LoadOptions {
        LoadOptions {
            srdf: self.srdf.clone(),
            packages: self.packages.clone(),
            skip_missing_meshes: self.skip_missing_meshes,
            narrow_by_mimics: self.narrow_by_mimics,
        }
    }

    pub fn cell_options(&self) -> CellOptions {
        let never_met = if self.skip_never_met { NeverMet::LeftOut } else { NeverMet::Checked };
        CellOptions {
            padding: self.padding,
            ignored: self.ignore.clone(),
            pairs: PairOptions { samples: self.samples as usize, seed: self.seed, never_met },
            check_limits: !self.no_limits,
            limit_tolerance: self.limit_tolerance,
            ..CellOptions::default()
        }
    }
}
