//! One query of one size on one pair of meshes, and what it took.

use std::fs;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use sudar::Pose;
use sudar::effort::Budget;
use sudar::query::Body;

use super::verbs::{Answer, VERBS, Verb};
use crate::generate::extreme::{FAMILIES, Family, Place};

/// What is asked of what.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    /// The query.
    pub verb: Verb,
    /// The kind of mesh.
    pub family: Family,
    /// How the second stands by the first; of verbs of one mesh it means nothing.
    pub place: Place,
    /// Triangles of each mesh.
    pub n: u32,
}

/// What a case took.
#[derive(Debug, Clone, Copy)]
pub struct Measured {
    /// See [`Answer`].
    pub hits: u64,
    /// Whether it came to its end in time.
    pub complete: bool,
    /// Nodes opened.
    pub nodes: u64,
    /// Triangles or pairs of them looked at.
    pub triangles: u64,
    /// Time; NaN if not measured.
    pub milliseconds: f64,
    /// Peak of memory; NaN if not measured.
    pub kibibytes: f64,
}

/// All cases of these sizes.
pub fn cases(sizes: &[u32]) -> Vec<Case> {
    let mut all = Vec::new();
    for verb in VERBS {
        for family in FAMILIES {
            for place in verb.places(family) {
                all.extend(sizes.iter().map(|&n| Case { verb, family, place: *place, n }));
            }
        }
    }
    all
}

impl Verb {
    /// One triangle repeated n times across itself has n² pairs that meet: nobody wants to list these.
    fn places(self, family: Family) -> &'static [Place] {
        match self {
            Self::Contacts | Self::Manifold if family == Family::Repeated => &[Place::Apart],
            Self::Intersects
            | Self::Contacts
            | Self::Distance
            | Self::Within
            | Self::LocalMinima
            | Self::Manifold => &[Place::Apart, Place::Across],
            Self::SelfIntersections | Self::Ray | Self::ClosestPoint | Self::Contains => &[Place::Apart],
        }
    }
}

impl Case {
    /// The mesh with its tree.
    ///
    /// # Errors
    /// If there are too few triangles.
    pub fn body(&self) -> Result<Body> {
        Ok(Body::new(self.family.mesh(self.n)?))
    }

    /// Where the second stands.
    ///
    /// # Errors
    /// None that is known.
    pub fn pose(&self) -> Result<Pose> {
        self.family.pose(self.place, self.n)
    }

    /// About the size of the mesh.
    pub fn size(&self) -> f64 {
        self.family.size(self.n)
    }

    /// Asks here and now.
    ///
    /// # Errors
    /// If there are too few triangles.
    pub fn measured(&self, limit: Duration) -> Result<Measured> {
        let (body, pose) = (self.body()?, self.pose()?);
        let ask = || {
            let start = Instant::now();
            let answer = self.verb.ask(&body, &pose, self.size(), Budget::time(limit));
            (answer, start.elapsed().as_secs_f64() * 1e3)
        };
        let before = memory("VmRSS");
        let (answer, mut milliseconds) = ask();
        let kibibytes = (memory("VmHWM") - before).max(0.0);
        if milliseconds < 500.0 {
            milliseconds = (0..2).map(|_| ask().1).fold(milliseconds, f64::min);
        }
        Ok(Measured { milliseconds, kibibytes, ..Measured::counted(&answer) })
    }

    /// Asks in a new process, which is ended if it does not keep its limit.
    ///
    /// # Errors
    /// If no process can be started.
    pub fn in_process(&self, number: usize, sizes: &[u32], limit: f64) -> Result<Measured> {
        let sizes: Vec<String> = sizes.iter().map(u32::to_string).collect();
        let (number, seconds) = (number.to_string(), limit.to_string());
        let mut child = Command::new(std::env::current_exe()?)
            .args(["sweep", "--one", &number, "--sizes", &sizes.join(","), "--limit", &seconds])
            .stdout(Stdio::piped())
            .spawn()?;
        let start = Instant::now();
        while child.try_wait()?.is_none() {
            if start.elapsed().as_secs_f64() > 2.0 * limit + 10.0 {
                child.kill()?;
            }
            thread::sleep(Duration::from_millis(2));
        }
        let said = String::from_utf8(child.wait_with_output()?.stdout)?;
        if said.is_empty() {
            return Ok(Measured::NONE);
        }
        Measured::from_line(&said).with_context(|| format!("{self:?} said {said:?}"))
    }
}

/// A line of `/proc/self/status` in KiB; NaN where there is none.
fn memory(name: &str) -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with(name));
    line.and_then(|line| line.split_whitespace().nth(1)?.parse().ok()).unwrap_or(f64::NAN)
}

impl Measured {
    /// Of a process that had to be ended.
    const NONE: Self = Self {
        hits: 0,
        complete: false,
        nodes: 0,
        triangles: 0,
        milliseconds: f64::INFINITY,
        kibibytes: f64::NAN,
    };

    /// Without time and memory.
    pub fn counted(answer: &Answer) -> Self {
        Self {
            hits: answer.hits,
            complete: answer.complete,
            nodes: answer.statistics.nodes,
            triangles: answer.statistics.triangles,
            milliseconds: f64::NAN,
            kibibytes: f64::NAN,
        }
    }

    /// What was spent as shares of the bounds: steps, time and memory.
    pub fn shares(&self, case: &Case) -> [f64; 3] {
        let bound = case.verb.bound();
        let all = f64::from(2 * case.n) + self.hits as f64;
        let steps = (self.nodes + self.triangles) as f64;
        let unit = all * libm::log2(all);
        // What the process itself takes in the meantime, in KiB.
        let least = 2048.0;
        [
            steps / (bound.steps * unit),
            self.milliseconds * 1e6 / (bound.nanoseconds * unit),
            self.kibibytes / (bound.bytes * all / 1024.0 + least),
        ]
    }

    /// Whether nothing that was measured is above its bound.
    pub fn is_within(&self, case: &Case) -> bool {
        self.complete && self.shares(case).iter().all(|share| share.is_nan() || *share <= 1.0)
    }

    /// For another process to read.
    pub fn line(&self) -> String {
        let Self { hits, complete, nodes, triangles, milliseconds, kibibytes } = self;
        format!("{hits} {complete} {nodes} {triangles} {milliseconds} {kibibytes}")
    }

    fn from_line(line: &str) -> Result<Self> {
        let mut words = line.split_whitespace();
        let mut word = || words.next().ok_or_else(|| anyhow!("too few words"));
        Ok(Self {
            hits: word()?.parse()?,
            complete: word()?.parse()?,
            nodes: word()?.parse()?,
            triangles: word()?.parse()?,
            milliseconds: word()?.parse()?,
            kibibytes: word()?.parse()?,
        })
    }
}
