//! Options that several commands have.

use anyhow::{Context, Result, ensure};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use sudar::Mesh;
use sudar_clash::{Length, Unit};
use sudar_formats::IfcOptions;

/// What every command takes that reads models and answers in text or JSON.
#[derive(Debug, Default, Args)]
pub struct ModelArgs {
    /// Print one JSON document.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub read: ReadArgs,
    #[command(flatten)]
    pub weld: WeldArgs,
    #[command(flatten)]
    pub threads: Threads,
}

/// How many threads to use.
#[derive(Debug, Default, Args)]
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

/// How files are read: what their numbers mean, and by whom those that another program reads.
#[derive(Debug, Default, Args)]
pub struct ReadArgs {
    /// Multiply the coordinates of files that say no unit (all but glTF, IFC and STEP) by this number.
    #[arg(long, value_name = "S", conflicts_with = "units", value_parser = positive, allow_hyphen_values = true)]
    scale: Option<f64>,
    /// Unit of files that say none (all but glTF, IFC and STEP); the results are in metres, those of clash in this
    /// unit.
    #[arg(long, value_name = "UNIT", value_parser = one_of(Unit::ALL, |unit| unit.name()))]
    units: Option<Unit>,
    #[command(flatten)]
    pub external: ExternalArgs,
}

impl ReadArgs {
    /// Those of a front end without words.
    pub fn new(
        scale: Option<f64>,
        units: Option<Unit>,
        ifc_with: Option<String>,
        deflection: Option<f64>,
    ) -> Result<Self> {
        ensure!(scale.is_none_or(|scale| scale.is_finite() && scale > 0.0), "scale: must be above 0");
        ensure!(scale.is_none() || units.is_none(), "scale: give it or units, not both");
        let known = ifc_with.as_deref().is_none_or(|package| package == IFCOPENSHELL);
        ensure!(known, "ifc_with: must be '{IFCOPENSHELL}'");
        let deflection = deflection.unwrap_or(IfcOptions::default().deflection);
        ensure!(deflection.is_finite() && deflection > 0.0, "deflection: must be above 0");
        Ok(Self { scale, units, external: ExternalArgs { ifc_with, deflection, ..ExternalArgs::default() } })
    }

    /// What the coordinates of a file are to be multiplied by to be metres, if it says how many metres its unit is, or
    /// does not.
    pub fn factor(&self, own: Option<f64>) -> f64 {
        own.unwrap_or_else(|| self.scale.or(self.units.map(Unit::metres)).unwrap_or(1.0))
    }

    /// The unit of results about files that say how many metres their unit is, or do not: that which was named, or
    /// else that of the first file, if all say one.
    pub fn common_unit(&self, own: &[Option<f64>]) -> Option<Unit> {
        let first =
            || own.first().copied().flatten().map(|metres| Unit::of_metres(metres).unwrap_or(Unit::M));
        self.units.or_else(|| if own.iter().all(Option::is_some) { first() } else { None })
    }

    /// What the coordinates of a file are to be multiplied by, if the results are to be in that unit.
    pub fn factor_to(&self, unit: Option<Unit>, own: Option<f64>) -> f64 {
        match (unit, own) {
            (Some(unit), Some(metres)) if Unit::of_metres(metres) == Some(unit) => 1.0,
            (Some(unit), Some(metres)) => metres / unit.metres(),
            (Some(_), None) => 1.0,
            (None, own) => self.factor(own),
        }
    }
}

/// The Python package that reads IFC.
const IFCOPENSHELL: &str = "ifcopenshell";
/// Limits of the process that reads a file.
const SECONDS: f64 = 300.0;
const MEBIBYTES: u64 = 8192;

/// How files are read that another program reads: IFC and STEP.
#[derive(Debug, Args)]
pub struct ExternalArgs {
    /// Read IFC files with this Python package, which has to be installed.
    #[arg(long, value_name = "PACKAGE", value_parser = [IFCOPENSHELL])]
    pub ifc_with: Option<String>,
    /// Also take the spaces or the openings of IFC files for parts.
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = ["spaces", "openings"])]
    ifc_include: Vec<String>,
    /// How far the lines and faces in place of curves of IFC files may be from them, with a unit; at most a hundredth
    /// of the radius.
    #[arg(long, value_name = "D", default_value = DEFLECTION, value_parser = deflection)]
    pub deflection: f64,
    /// Give up a STEP file, or an IFC file read by a package, after so many seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = SECONDS, value_parser = positive)]
    pub read_seconds: f64,
    /// Give up such a file if its reader takes more memory than so many MiB.
    #[arg(long, value_name = "MIB", default_value_t = MEBIBYTES, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    pub read_memory: u64,
}

impl Default for ExternalArgs {
    fn default() -> Self {
        Self {
            ifc_with: None,
            ifc_include: Vec::new(),
            deflection: IfcOptions::default().deflection,
            read_seconds: SECONDS,
            read_memory: MEBIBYTES,
        }
    }
}

impl ExternalArgs {
    /// What to take for parts that is no body.
    pub fn wanted(&self) -> &[String] {
        &self.ifc_include
    }
}

/// The usual `--deflection`.
const DEFLECTION: &str = "0.5mm";

/// In metres.
fn deflection(text: &str) -> Result<f64> {
    let length: Length = text.parse()?;
    let metres = length.in_unit(Some(Unit::M))?;
    // Without a unit the number would be metres.
    ensure!(metres > 0.0 && text.parse::<f64>().is_err(), "must be above 0, with a unit, as {DEFLECTION}");
    Ok(metres)
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
    /// Those of a front end without words.
    pub fn new(weld: Option<Option<f64>>) -> Result<Self> {
        let is_length = |tolerance: f64| tolerance.is_finite() && tolerance >= 0.0;
        ensure!(weld.flatten().is_none_or(is_length), "weld: must be a length of 0 or more");
        Ok(Self { weld })
    }

    /// Whether anything is to be welded.
    pub fn is_wanted(&self) -> bool {
        self.weld.is_some()
    }

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
        let inches = ReadArgs { units: Some(Unit::In), ..ReadArgs::default() };
        assert_eq!((inches.factor(None), inches.factor(Some(1.0))), (0.0254, 1.0));
        assert_eq!(inches.factor_to(Some(Unit::In), None), 1.0);
        assert_eq!(inches.factor_to(Some(Unit::In), Some(1.0)), 1.0 / 0.0254);
        let none = ReadArgs::default();
        let (metres, feet, odd) = (Some(1.0), Some(0.3048), Some(0.3));
        assert_eq!(none.common_unit(&[metres, metres]), Some(Unit::M));
        assert_eq!(none.common_unit(&[feet, metres]), Some(Unit::Ft));
        assert_eq!((none.common_unit(&[odd]), none.common_unit(&[metres, None])), (Some(Unit::M), None));
        assert_eq!(none.factor_to(Some(Unit::Ft), feet), 1.0);
        assert_eq!(none.factor_to(Some(Unit::M), odd), 0.3);
        assert_eq!((none.factor(None), none.factor_to(None, feet)), (1.0, 0.3048));
    }

    #[test]
    fn numbers_must_be_numbers() {
        assert!(positive("0").is_err() && positive("nan").is_err() && positive("inf").is_err());
        assert!(not_negative("-1").is_err() && not_negative("x").is_err());
        assert_eq!(not_negative("0").unwrap(), 0.0);
    }
}
