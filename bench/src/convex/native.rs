//! The libraries in C++: `bench/rivals/convex.cpp`, run as a program on a file of the case.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use super::answers::{Answers, Query};
use super::cases::{Case, text};

/// Runs the program on a case and reads what it found.
///
/// # Errors
/// If it cannot be run, fails, or answers something else.
pub fn answers(program: &Path, case: &Case, sweeps: usize) -> Result<Vec<Answers>> {
    let folder = std::env::temp_dir().join(format!("sudar-bench-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let found = run(program, case, sweeps, &folder);
    fs::remove_dir_all(&folder)?;
    found
}

fn run(program: &Path, case: &Case, sweeps: usize, folder: &Path) -> Result<Vec<Answers>> {
    let [input, values] = ["case.txt", "values.txt"].map(|name| folder.join(name));
    fs::write(&input, text(case)?)?;
    let output = Command::new(program)
        .arg(&input)
        .arg(sweeps.to_string())
        .arg(&values)
        .output()
        .with_context(|| format!("cannot run {}", program.display()))?;
    if !output.status.success() {
        bail!("{} failed: {}", program.display(), String::from_utf8_lossy(&output.stderr));
    }
    let (times, values) = (String::from_utf8(output.stdout)?, fs::read_to_string(&values)?);
    times.lines().zip(values.lines()).map(|(t, v)| parsed(t, v, case.pairs.len())).collect()
}

/// A line of times and the line of values that belongs to it.
fn parsed(times: &str, values: &str, count: usize) -> Result<Answers> {
    let context = || format!("in the line `{times}` of the native program");
    let mut cells = times.split('\t');
    let mut cell = || cells.next().with_context(context);
    let (library, query, median, least) = (cell()?, cell()?, cell()?.parse()?, cell()?.parse()?);
    let query = Query::ALL.into_iter().find(|q| q.name() == query).with_context(context)?;
    let start = format!("{library}\t{}\t", query.name());
    let values = values.strip_prefix(&start).with_context(context)?;
    let values = values.split_whitespace().map(str::parse).collect::<Result<Vec<f64>, _>>()?;
    ensure!(values.len() == count, "{} values for {count} poses {}", values.len(), context());
    Ok(Answers { library: library.to_owned(), query, median, least, values })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_times_and_one_of_values_make_answers() {
        let found = parsed("Coal\tdepth\t12.5\t11", "Coal\tdepth\t0 1e-3 ", 2).unwrap();
        assert_eq!((found.query, found.median, found.least), (Query::Depth, 12.5, 11.0));
        assert_eq!(found.values, [0.0, 1e-3]);
        assert!(parsed("Coal\tdepth\t12.5\t11", "FCL\tdepth\t0 1e-3", 2).is_err());
    }
}
