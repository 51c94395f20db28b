//! Certificates of paths: written beside a plan, and verified.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::Serialize;
use sudar::query::Batch;
use sudar_robot::{Certificate, RobotCell, Verified};

use crate::progress::Waiting;
use crate::report::{self, count};

/// What a certificate shows, for programs.
#[derive(Debug, Serialize)]
pub struct CertificateDocument {
    pub file: String,
    /// Whether it holds, and is of this robot and scene.
    pub holds: bool,
    /// Why it does not.
    pub why: Option<String>,
    pub edges: usize,
    /// Pairs of bodies that are apart on each edge.
    pub pairs: usize,
    pub leaves: usize,
    pub bytes: u64,
}

/// Writes the certificate of a path.
pub fn write(path: &Path, cell: &RobotCell, waypoints: &[f64]) -> Result<CertificateDocument> {
    let waiting = Waiting::new("certifying");
    let of = || path.display().to_string();
    let certificate = cell.certificate(waypoints, &Batch::default()).with_context(of)?;
    let text = certificate.to_json().with_context(of)?;
    report::write_whole(path, &text)?;
    drop(waiting);
    Ok(CertificateDocument::of(path, text.len() as u64, certificate.check().map_err(|why| why.to_string())))
}

/// Verifies a certificate for a robot in a scene.
pub fn verify(path: &Path, cell: &RobotCell) -> Result<CertificateDocument> {
    let of = || path.display().to_string();
    let bytes = std::fs::metadata(path).with_context(of)?.len();
    ensure!(bytes < MOST_BYTES, "{}: has more than 1 GB, which no certificate has", of());
    let text = std::fs::read_to_string(path).with_context(of)?;
    let waiting = Waiting::new("verifying");
    let found = Certificate::from_json(&text).and_then(|certificate| {
        certificate.is_of(cell)?;
        certificate.check()
    });
    drop(waiting);
    Ok(CertificateDocument::of(path, bytes, found.map_err(|why| why.to_string())))
}

/// Larger files are not read.
const MOST_BYTES: u64 = 1_000_000_000;

impl CertificateDocument {
    fn of(path: &Path, bytes: u64, found: Result<Verified, String>) -> Self {
        let file = path.display().to_string();
        match found {
            Ok(Verified { edges, pairs, leaves, .. }) => {
                Self { file, holds: true, why: None, edges, pairs, leaves, bytes }
            }
            Err(why) => Self { file, holds: false, why: Some(why), edges: 0, pairs: 0, leaves: 0, bytes },
        }
    }

    /// For people.
    pub fn text(&self) -> String {
        let file = &self.file;
        if let Some(why) = &self.why {
            return format!("{file}: does NOT hold: {why}\n");
        }
        format!(
            "{file}: holds; free of contact at every instant on {}, {} on each, {}\n",
            count(self.edges, "edge"),
            count(self.pairs, "pair"),
            count(self.leaves, "proof")
        )
    }
}
