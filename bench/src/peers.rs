//! What Coal and FCL took for the same cases, as `peers.py` wrote it: one JSON object a line.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;

/// A figure of each of the two.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct Both {
    /// Of Coal.
    pub coal: f64,
    /// Of FCL.
    pub fcl: f64,
}

impl Both {
    /// The smaller of the two.
    pub fn better(self) -> f64 {
        self.coal.min(self.fcl)
    }
}

/// One case.
#[derive(Debug, Clone, Deserialize)]
pub struct Row {
    /// Its name; `/` and `-` count as the same.
    pub case: String,
    /// Time to build both trees, microseconds per triangle.
    pub build_us_per_tri: Both,
    /// Poses that Coal says intersect.
    pub hits: usize,
    /// Poses that FCL says intersect.
    pub hits_fcl: usize,
    /// Mean time to the first hit, microseconds.
    pub first_hit_us: Both,
    /// Mean time to list all pairs, microseconds.
    pub all_pairs_us: Both,
    /// All pairs of all poses: Coal, FCL.
    pub pairs: [usize; 2],
    /// Mean time of a distance, microseconds.
    pub distance_us: Both,
    /// The distance in each pose, zero for those that touch.
    #[serde(default)]
    pub distances: Distances,
}

/// Distances in each pose.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Distances {
    /// By Coal.
    pub coal: Vec<f64>,
    /// By FCL.
    pub fcl: Vec<f64>,
}

/// All cases measured.
#[derive(Debug, Clone, Default)]
pub struct Peers(Vec<Row>);

impl Peers {
    /// Reads a file; no file means no figures.
    ///
    /// # Errors
    /// If the file cannot be read or a line is not such a row.
    pub fn read(file: Option<&Path>) -> Result<Self> {
        let Some(file) = file else { return Ok(Self::default()) };
        let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        let rows = text.lines().filter(|line| !line.trim().is_empty()).map(serde_json::from_str);
        Ok(Self(rows.collect::<Result<_, _>>().with_context(|| format!("in {}", file.display()))?))
    }

    /// The row of a case.
    pub fn find(&self, case: &str) -> Option<&Row> {
        self.0.iter().find(|row| row.case.replace('/', "-") == case)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_is_found_by_either_spelling() {
        let line = r#"{"case":"a-a/near","build_us_per_tri":{"coal":1,"fcl":2},"hits":3,"hits_fcl":3,
            "first_hit_us":{"coal":5,"fcl":4},"all_pairs_us":{"coal":1,"fcl":1},"pairs":[7,8],
            "distance_us":{"coal":1,"fcl":2},"more":0}"#;
        let peers = Peers(vec![serde_json::from_str(line).unwrap()]);
        let row = peers.find("a-a-near").unwrap();
        assert_eq!(row.first_hit_us.better(), 4.0);
        assert!(peers.find("a-a-far").is_none());
    }
}
