//! Files that grow line by line.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};

use crate::report::Aside;

/// A file written line by line.
pub struct Lines {
    file: std::io::BufWriter<Aside>,
    path: String,
}

impl Lines {
    pub fn create(path: &Path, header: &str) -> Result<Self> {
        let file = std::io::BufWriter::with_capacity(1 << 18, Aside::create(path)?);
        let mut lines = Self { file, path: path.display().to_string() };
        lines.add(&format!("{header}\n"))?;
        Ok(lines)
    }

    pub fn add(&mut self, text: &str) -> Result<()> {
        self.file.write_all(text.as_bytes()).with_context(|| format!("{}: cannot be written", self.path))
    }

    pub fn finish(self) -> Result<()> {
        let file = self.file.into_inner().map_err(std::io::IntoInnerError::into_error);
        file.with_context(|| format!("{}: cannot be written", self.path))?.finish()
    }
}
