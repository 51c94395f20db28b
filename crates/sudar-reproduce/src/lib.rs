//! Tables and figures of the classic papers on collision detection, measured anew.
//!
//! [`ALL`] lists the experiments. Each measures with the same inputs on every machine, compares the answers of the
//! algorithms with each other, and gives tables (CSV) and figures (SVG) as text. Everything but the times is the
//! same in every run. [`Figure`] draws lines and bars for others too.
//!
//! ```
//! use sudar_reproduce::{Experiment, Plan, Size};
//!
//! let experiment = Experiment::by_name("spring-mtv").ok_or("there is no such experiment")?;
//! let output = experiment.run(&Plan::new(Size::Quick, &|_| {}))?;
//! assert!(output.files[0].text.contains("response,steps_a_second,energy_change,depth_m,seconds"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod broad;
mod chung_wang;
mod contact_rule;
mod convex;
mod geometry;
mod inputs;
mod iterations;
mod mass;
mod measure;
mod mechanisms;
mod methods;
mod output;
mod pages;
mod parallel;
mod patches;
mod plan;
mod quick_cd;
mod sat;
mod shares;
mod solid;
mod split_points;
mod spring_mtv;
mod sweeps;
mod swift;
mod systems;

use std::error::Error;

use thiserror::Error;

pub use inputs::random::Random;
pub use output::axis::{Axis, short};
pub use output::figure::{Figure, Panel, Series};
pub use output::finding::{Finding, Verdict};
pub use output::machine::line as machine;
pub use pages::{Page, PageError, files_in, pages};
pub use plan::{File, Output, Plan, Size};

use output::finding::Find;
use output::page::Entry;
use output::table::Tables;
use plan::Result;

/// Something that can be measured.
#[derive(Debug, Clone, Copy)]
pub struct Experiment {
    /// How it is called, such as `convex-motion`.
    pub name: &'static str,
    /// What is measured.
    pub title: &'static str,
    run: fn(&Plan) -> Result<Output>,
    find: Find,
}

/// Two algorithms gave answers that cannot both be true, or an input was refused.
#[derive(Debug, Error)]
#[error("{experiment}: {cause}")]
pub struct ReproduceError {
    /// The name of the experiment.
    pub experiment: &'static str,
    /// What went wrong.
    pub cause: Box<dyn Error + Send + Sync>,
}

impl Experiment {
    /// The experiment of this name.
    pub fn by_name(name: &str) -> Option<&'static Self> {
        ALL.iter().find(|experiment| experiment.name == name)
    }

    /// Measures, and says what follows. On one thread; leave the machine alone meanwhile. Quick runs take seconds,
    /// others minutes.
    ///
    /// # Errors
    /// [`ReproduceError`] if answers disagree.
    pub fn run(&self, plan: &Plan) -> std::result::Result<Output, ReproduceError> {
        let run = || {
            let mut output = (self.run)(plan)?;
            output.findings = (self.find)(&Tables::of(&output.files)?)?;
            Ok(output)
        };
        run().map_err(|cause| ReproduceError { experiment: self.name, cause })
    }

    /// Whether a file has a name that this experiment gives.
    fn wrote(&self, file: &str) -> bool {
        file.strip_prefix(self.name).is_some_and(|rest| rest.starts_with(['-', '.']))
    }

    /// The sentences that follow from tables of earlier runs, such as those in docs/reproduce.
    ///
    /// # Errors
    /// [`ReproduceError`] if a table, a column or a row is missing.
    pub fn findings(&self, files: &[File]) -> std::result::Result<Vec<Finding>, ReproduceError> {
        let find = || (self.find)(&Tables::of(files)?);
        find().map_err(|cause| ReproduceError { experiment: self.name, cause })
    }
}

/// A page of all figures and sentences of the experiments whose tables are among these files, in HTML. It needs
/// nothing but itself, and links to the tables.
///
/// # Errors
/// [`ReproduceError`] if a table is not of this version.
pub fn page(files: &[File]) -> std::result::Result<String, ReproduceError> {
    let mut entries = Vec::new();
    for experiment in &ALL {
        let own: Vec<&File> = files.iter().filter(|file| experiment.wrote(&file.name)).collect();
        if own.iter().any(|file| file.name.ends_with(".csv")) {
            let findings = experiment.findings(files)?;
            entries.push(Entry { name: experiment.name, title: experiment.title, files: own, findings });
        }
    }
    Ok(output::page::page(&entries))
}

/// All experiments, in the order of their sources.
pub static ALL: [Experiment; 25] = [
    Experiment {
        name: "convex-vertices",
        title: convex::VERTICES,
        run: convex::against_vertices,
        find: convex::find_vertices,
    },
    Experiment {
        name: "convex-motion",
        title: convex::MOTION,
        run: convex::against_motion,
        find: convex::find_motion,
    },
    Experiment {
        name: "chung-wang-cases",
        title: chung_wang::TITLE,
        run: chung_wang::run,
        find: chung_wang::find,
    },
    Experiment { name: "iterations", title: iterations::TITLE, run: iterations::run, find: iterations::find },
    Experiment { name: "mass", title: mass::TITLE, run: mass::run, find: mass::find },
    Experiment {
        name: "inertia-frames",
        title: mass::carried::TITLE,
        run: mass::carried::run,
        find: mass::carried::find,
    },
    Experiment {
        name: "obb-fits",
        title: geometry::fits::TITLE,
        run: geometry::fits::run,
        find: geometry::fits::find,
    },
    Experiment {
        name: "angle-sum",
        title: geometry::angles::TITLE,
        run: geometry::angles::run,
        find: geometry::angles::find,
    },
    Experiment { name: "sweeps", title: sweeps::TITLE, run: sweeps::run, find: sweeps::find },
    Experiment { name: "systems", title: systems::TITLE, run: systems::run, find: systems::find },
    Experiment { name: "traversal-share", title: shares::TITLE, run: shares::run, find: shares::find },
    Experiment { name: "cd-patches", title: patches::TITLE, run: patches::run, find: patches::find },
    Experiment { name: "quickcd", title: quick_cd::TITLE, run: quick_cd::run, find: quick_cd::find },
    Experiment {
        name: "parallel-surfaces",
        title: parallel::TITLE,
        run: parallel::run,
        find: parallel::find,
    },
    Experiment {
        name: "split-points",
        title: split_points::TITLE,
        run: split_points::run,
        find: split_points::find,
    },
    Experiment { name: "solid", title: solid::TITLE, run: solid::run, find: solid::find },
    Experiment { name: "sat-axes", title: sat::TITLE, run: sat::run, find: sat::find },
    Experiment { name: "swift", title: swift::TITLE, run: swift::run, find: swift::find },
    Experiment {
        name: "contact-rule",
        title: contact_rule::TITLE,
        run: contact_rule::run,
        find: contact_rule::find,
    },
    Experiment { name: "spring-mtv", title: spring_mtv::TITLE, run: spring_mtv::run, find: spring_mtv::find },
    Experiment { name: "mechanisms", title: mechanisms::TITLE, run: mechanisms::run, find: mechanisms::find },
    Experiment {
        name: "broad-objects",
        title: broad::objects::TITLE,
        run: broad::objects::run,
        find: broad::objects::find,
    },
    Experiment {
        name: "broad-octree",
        title: broad::octree::TITLE,
        run: broad::octree::run,
        find: broad::octree::find,
    },
    Experiment {
        name: "broad-speeds",
        title: broad::speeds::TITLE,
        run: broad::speeds::run,
        find: broad::speeds::find,
    },
    Experiment { name: "broad-scaling", title: broad::scaling::TITLE, run: broad::scaling::run, find: none },
];

fn none(_: &Tables) -> Result<Vec<Finding>> {
    Ok(Vec::new())
}
