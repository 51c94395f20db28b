//! Options that several commands have.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use sudar::Mesh;
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
    /// Unit of files that say none (all but glTF, which is in metres); the results are in metres.
    #[arg(long, value_name = "UNIT")]
    units: Option<Unit>,
}

impl UnitArgs {
    /// What the coordinates of this file are to be multiplied by.
    pub fn factor(&self, path: &Path) -> f64 {
        match Format::from_path(path) {
            Ok(Format::Gltf | Format::Glb) => 1.0,
            Ok(Format::Obj | Format::Stl | Format::Ply | Format::Off | Format::Vrml) | Err(_) => {
                self.scale.or(self.units.map(Unit::metres)).unwrap_or(1.0)
            }
        }
    }
}

/// A unit of length.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Unit {
    /// Micrometres.
    Um,
    /// Millimetres.
    Mm,
    /// Centimetres.
    Cm,
    /// Metres.
    M,
    /// Kilometres.
    Km,
    /// Inches, 25.4 mm.
    In,
    /// Feet, 0.3048 m.
    Ft,
    /// Yards, 0.9144 m.
    Yd,
}

impl Unit {
    fn metres(self) -> f64 {
        match self {
            Self::Um => 1e-6,
            Self::Mm => 1e-3,
            Self::Cm => 1e-2,
            Self::M => 1.0,
            Self::Km => 1e3,
            Self::In => 0.0254,
            Self::Ft => 0.3048,
            Self::Yd => 0.9144,
        }
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
        assert_eq!(UnitArgs::default().factor(Path::new("a.obj")), 1.0);
    }

    #[test]
    fn numbers_must_be_numbers() {
        assert!(positive("0").is_err() && positive("nan").is_err() && positive("inf").is_err());
        assert!(not_negative("-1").is_err() && not_negative("x").is_err());
        assert_eq!(not_negative("0").unwrap(), 0.0);
    }
}
