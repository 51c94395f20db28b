//! Options that several commands have.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use sudar::Mesh;
use sudar_clash::Unit;
use sudar_formats::Format;

/// What every command takes that reads models and answers in text or JSON.
#[derive(Debug, Args)]
pub struct ModelArgs {
    /// Print one JSON document.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub units: UnitArgs,
    #[command(flatten)]
    pub weld: WeldArgs,
    #[command(flatten)]
    pub threads: Threads,
}

/// How many threads to use.
#[derive(Debug, Args)]
pub struct Threads {
    /// Number of threads, 0 for all cores. The answers are the same bits for any number.
    #[arg(long = "threads", value_name = "N", allow_hyphen_values = true,
          value_parser = clap::value_parser!(u16).range(0..=1024))]
    pub threads: Option<u16>,
}

impl Threads {
    /// Makes this number, or else `default`, that of all parallel work to come.
    pub fn apply(&self, default: u16) -> Result<()> {
        let threads = usize::from(self.threads.unwrap_or(default));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build_global().context("the threads cannot be started; ask for fewer with --threads")
    }
}

/// How many metres a number in a file means.
#[derive(Debug, Default, Args)]
pub struct UnitArgs {
    /// Multiply the coordinates of files that say no unit (all but glTF, which is in metres) by this number.
    #[arg(long, value_name = "S", conflicts_with = "units", value_parser = positive, allow_hyphen_values = true)]
    scale: Option<f64>,
    /// Unit of files that say none (all but glTF, which is in metres); the results are in metres, those of clash in
    /// this unit.
    #[arg(long, value_name = "UNIT", value_parser = one_of(Unit::ALL, |unit| unit.name()))]
    units: Option<Unit>,
}

impl UnitArgs {
    /// What the coordinates of this file are to be multiplied by.
    pub fn factor(&self, path: &Path) -> f64 {
        if has_metres(path) { 1.0 } else { self.scale.or(self.units.map(Unit::metres)).unwrap_or(1.0) }
    }

    /// What the coordinates of this file are to be multiplied by, if the results are to be in the unit that was named.
    pub fn factor_to_named(&self, path: &Path) -> f64 {
        match self.units {
            Some(unit) if has_metres(path) => 1.0 / unit.metres(),
            Some(_) => 1.0,
            None => self.factor(path),
        }
    }

    /// The unit that was named, or else that of all files, if they say one.
    pub fn named_or_own(&self, files: &[PathBuf]) -> Option<Unit> {
        let own = || files.iter().all(|file| has_metres(file)).then_some(Unit::M);
        self.units.or_else(own)
    }
}

/// Whether the format of a file has metres for its unit.
pub fn has_metres(path: &Path) -> bool {
    match Format::from_path(path) {
        Ok(Format::Gltf | Format::Glb) => true,
        Ok(Format::Obj | Format::Stl | Format::Ply | Format::Off | Format::Vrml) | Err(_) => false,
    }
}

/// One of several things, by its name.
pub fn one_of<T: Clone + Send + Sync + 'static>(
    all: impl IntoIterator<Item = T>,
    name: fn(&T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let all: Vec<T> = all.into_iter().collect();
    let names = PossibleValuesParser::new(all.iter().map(name));
    names.try_map(move |given| all.iter().find(|one| name(one) == given).cloned().context("is not known"))
}

/// Joining vertices that are nearly at one place.
#[derive(Debug, Default, Args)]
pub struct WeldArgs {
    /// Make one point of vertices at most D apart, in the unit of the results, before anything else; what moved is
    /// reported. Without D it is 1e-6 of the longest side of each part; write --weld behind the files then.
    #[arg(long, value_name = "D", num_args = 0..=1, value_parser = weld_tolerance)]
    weld: Option<Option<f64>>,
}

/// The tolerance of `--weld` without a number, as a part of the longest side.
const WELD: f64 = 1e-6;

impl WeldArgs {
    /// How far apart vertices of a mesh may be to become one; `None` if nothing is to be welded.
    pub fn tolerance(&self, mesh: &Mesh) -> Option<f64> {
        self.weld.map(|tolerance| tolerance.unwrap_or_else(|| WELD * mesh.aabb().extent().max_element()))
    }
}

fn weld_tolerance(text: &str) -> Result<f64> {
    not_negative(text).context("must be a length of 0 or more; without one, write --weld behind the files")
}

/// A finite number above zero.
pub fn positive(text: &str) -> Result<f64> {
    let value = number(text)?;
    ensure!(value > 0.0, "must be above 0");
    Ok(value)
}

/// A finite number of zero or more.
pub fn not_negative(text: &str) -> Result<f64> {
    let value = number(text)?;
    ensure!(value >= 0.0, "must not be negative");
    Ok(value)
}

fn number(text: &str) -> Result<f64> {
    let value: f64 = text.trim().parse().context("not a number")?;
    ensure!(value.is_finite(), "must be a finite number");
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_apply_to_files_that_say_none() {
        let inches = UnitArgs { scale: None, units: Some(Unit::In) };
        assert_eq!(inches.factor(Path::new("a.stl")), 0.0254);
        assert_eq!(inches.factor(Path::new("a.glb.gz")), 1.0);
        assert_eq!(inches.factor_to_named(Path::new("a.stl")), 1.0);
        assert_eq!(inches.factor_to_named(Path::new("a.glb.gz")), 1.0 / 0.0254);
        let units = |names: &[&str]| {
            UnitArgs::default().named_or_own(&names.iter().map(PathBuf::from).collect::<Vec<_>>())
        };
        assert_eq!((units(&["a.glb", "b.gltf"]), units(&["a.glb", "b.obj"])), (Some(Unit::M), None));
        assert_eq!(UnitArgs::default().factor(Path::new("a.obj")), 1.0);
    }

    #[test]
    fn numbers_must_be_numbers() {
        assert!(positive("0").is_err() && positive("nan").is_err() && positive("inf").is_err());
        assert!(not_negative("-1").is_err() && not_negative("x").is_err());
        assert_eq!(not_negative("0").unwrap(), 0.0);
    }
}
