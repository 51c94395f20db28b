//! Options that several tables have.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use crate::cases;
use crate::peers::Peers;
use crate::report::Report;

/// Which cases.
#[derive(Debug, Args)]
pub struct Selection {
    /// Folder of query files: made by `sudar-bench emit`, or any in the format of `sudar replay`
    #[arg(long)]
    queries: PathBuf,
    /// Only the files whose name without ending matches
    #[arg(long, default_value = "*")]
    case: String,
}

impl Selection {
    /// The query files, sorted.
    ///
    /// # Errors
    /// Those of [`cases::files`].
    pub fn files(&self) -> Result<Vec<PathBuf>> {
        cases::files(&self.queries, &self.case)
    }
}

/// How often to time, beside what, and where to write the figures.
#[derive(Debug, Args)]
pub struct Comparison {
    /// Least number of sweeps over the poses; the median counts
    #[arg(long, default_value_t = 5)]
    pub repeat: usize,
    /// Figures of Coal and FCL, as `peers.py` writes them
    #[arg(long)]
    peers: Option<PathBuf>,
    /// Also write every figure into this file
    #[arg(long)]
    csv: Option<PathBuf>,
}

impl Comparison {
    /// The figures of Coal and FCL; none without a file.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn peers(&self) -> Result<Peers> {
        Peers::read(self.peers.as_deref())
    }

    /// Writes all figures into the file asked for, if one is.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, csv: &Report) -> Result<()> {
        self.csv.as_ref().map_or(Ok(()), |path| csv.write_csv(path))
    }
}
