//! Table: every verb on meshes that are hard in one way each, in growing sizes: counts, time and memory against bounds.
//!
//! Each case is asked in a process of its own, so that its memory is its own: the peak that the system saw
//! (`VmHWM`) less what was there before the query (`VmRSS`), layers of the tree built on first use included.
//! What the allocator had at hand from building the body does not show in it, so it is a little less than the
//! truth. Times are those of the quickest of three, the first of which builds these layers.

mod case;
mod figure;
mod verbs;

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::Args;

pub use self::case::{Case, Measured, cases};
pub use self::verbs::{Answer, Bound, VERBS, Verb};
use crate::machine;
use crate::report::{Report, figure};

/// What to ask.
#[derive(Debug, Args)]
pub struct Options {
    /// Write `sweep.csv` and `sweep.svg` into this folder
    #[arg(long)]
    out: Option<PathBuf>,
    /// Triangles of each mesh
    #[arg(long, value_delimiter = ',', default_values_t = [500, 2_000, 8_000, 32_000])]
    sizes: Vec<u32>,
    /// Seconds for each query; one that needs more is above its bound
    #[arg(long, default_value_t = 20.0)]
    limit: f64,
    /// Only this verb
    #[arg(long)]
    verb: Option<String>,
    /// Only this family of meshes
    #[arg(long)]
    family: Option<String>,
    /// Measure one case in this process and print its figures: its number among all
    #[arg(long, hide = true)]
    one: Option<usize>,
}

/// Asks every case and prints those above their bounds.
///
/// # Errors
/// If any case is above its bound, or nothing can be measured or written.
pub fn run(options: &Options, out: &mut dyn Write) -> Result<()> {
    let all = cases(&options.sizes);
    if let Some(case) = options.one.and_then(|number| all.get(number)) {
        return Ok(writeln!(out, "{}", case.measured(Duration::from_secs_f64(options.limit))?.line())?);
    }
    let fits = |asked: &Option<String>, name: &str| asked.as_ref().is_none_or(|asked| asked == name);
    let mut found = Vec::new();
    for (number, case) in all.iter().enumerate() {
        if fits(&options.verb, case.verb.name()) && fits(&options.family, case.family.name()) {
            found.push((*case, case.in_process(number, &options.sizes, options.limit)?));
        }
    }
    let table = table(&found);
    writeln!(out, "{}", machine::header())?;
    if let Some(folder) = &options.out {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        table.write_csv(&folder.join("sweep.csv"))?;
        let path = folder.join("sweep.svg");
        fs::write(&path, figure::svg(&found)?).with_context(|| format!("cannot write {}", path.display()))?;
    }
    judge(&found, out)
}

fn judge(found: &[(Case, Measured)], out: &mut dyn Write) -> Result<()> {
    let above: Vec<(Case, Measured)> =
        found.iter().filter(|(case, measured)| !measured.is_within(case)).copied().collect();
    table(&above).print(&format!("Above the bound: {} of {}", above.len(), found.len()), out)?;
    ensure!(above.is_empty(), "{} of {} cases are above their bounds", above.len(), found.len());
    Ok(())
}

fn table(found: &[(Case, Measured)]) -> Report {
    let mut table = Report::new(&[
        "verb",
        "family",
        "place",
        "n",
        "hits",
        "complete",
        "nodes",
        "triangles",
        "ms",
        "KiB",
        "steps/bound",
        "time/bound",
        "memory/bound",
    ]);
    for (case, measured) in found {
        let [steps, time, memory] = measured.shares(case);
        table.row(vec![
            case.verb.name().to_owned(),
            case.family.name().to_owned(),
            format!("{:?}", case.place).to_lowercase(),
            case.n.to_string(),
            measured.hits.to_string(),
            measured.complete.to_string(),
            measured.nodes.to_string(),
            measured.triangles.to_string(),
            figure(measured.milliseconds),
            figure(measured.kibibytes),
            figure(steps),
            figure(time),
            figure(memory),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::extreme::Family;
    use sudar::effort::Budget;

    /// What the sweep finds above its bound today: the triangles of a fan all have its centre, and these
    /// queries look at all pairs of them; contacts of flat strips and fans look at all pieces.
    fn is_open(case: &Case) -> bool {
        match case.verb {
            Verb::LocalMinima | Verb::SelfIntersections => case.family == Family::Fan,
            Verb::Manifold => matches!(case.family, Family::Fan | Family::Strip | Family::Sheet),
            Verb::Intersects
            | Verb::Contacts
            | Verb::Distance
            | Verb::Within
            | Verb::Ray
            | Verb::ClosestPoint
            | Verb::Contains => false,
        }
    }

    /// Counts alone, which are the same on every machine.
    #[test]
    fn small_meshes_cost_no_more_steps_than_their_bounds() {
        for case in cases(&[200, 500]).into_iter().filter(|case| !is_open(case)) {
            let body = case.body().unwrap();
            let budget = Budget::nodes(10_000_000);
            let answer = case.verb.ask(&body, &case.pose().unwrap(), case.size(), budget);
            let measured = Measured::counted(&answer);
            assert!(measured.complete && measured.shares(&case)[0] <= 1.0, "{case:?} {measured:?}");
        }
    }
}
