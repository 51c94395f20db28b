//! A run written down so that another machine can tell whether it comes to the same bits.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail, ensure};
use serde::{Deserialize, Serialize};
use sudar::dynamics::{self, Fingerprint, World};
use sudar_scene::Scene;

use super::lines::Lines;

/// The version of the form.
const FORM: u32 = 1;

/// The first line of a recording: what was run.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    sudar_recording: u32,
    /// The name of a built-in scene, or of the file.
    pub scene: String,
    /// The text of a scene file.
    text: Option<String>,
    pub steps: u64,
}

/// A recording that is being written: a line with the fingerprint after each step.
pub struct Recorder(Lines);

impl Recorder {
    /// Begins a recording of a scene.
    pub fn create(path: &Path, scene: &Path, steps: u64) -> Result<Self> {
        let text = if scene.is_file() {
            let named = || format!("{}: cannot be read", scene.display());
            Some(std::fs::read_to_string(scene).with_context(named)?)
        } else {
            None
        };
        let head = Head { sudar_recording: FORM, scene: scene.display().to_string(), text, steps };
        Ok(Self(Lines::create(path, &serde_json::to_string(&head)?)?))
    }

    pub fn add(&mut self, world: &World) -> Result<()> {
        let line = serde_json::to_string(&world.fingerprint())?;
        self.0.add(&format!("{line}\n"))
    }

    pub fn finish(self) -> Result<()> {
        self.0.finish()
    }
}

/// A recording to compare with.
pub struct Recording {
    path: PathBuf,
    pub head: Head,
    lines: std::io::Lines<BufReader<std::fs::File>>,
}

/// The first difference of a run from its recording.
#[derive(Debug, Serialize)]
pub struct Difference {
    pub step: u64,
    pub time: f64,
    /// The name of the only body that differs.
    pub body: Option<String>,
    pub what: String,
}

impl Difference {
    pub fn of(found: &dynamics::Difference) -> Self {
        let (step, time, what) = (found.step as u64, found.time, found.what());
        Self { step, time, body: found.body.clone(), what }
    }
}

/// What a recording is of: a scene that this command ran, or a world that a program stepped.
pub enum Recorded {
    Scene(Recording),
    World(Box<dynamics::Recording>),
}

impl Recorded {
    pub fn open(path: &Path) -> Result<Self> {
        let named = path.display();
        let mut start = Vec::new();
        let file = std::fs::File::open(path).with_context(|| format!("{named}: cannot be read"))?;
        file.take(64).read_to_end(&mut start).with_context(|| format!("{named}: cannot be read"))?;
        start.retain(|byte| !byte.is_ascii_whitespace());
        if !start.starts_with(br#"{"sudar_recording":2,"#) {
            return Recording::open(path).map(Self::Scene);
        }
        let text = std::fs::read_to_string(path).with_context(|| format!("{named}: cannot be read"))?;
        let recording = serde_json::from_str(&text);
        let broken = |error| anyhow!("{named}: is a broken recording of a world: {error}");
        recording.map(Self::World).map_err(broken)
    }
}

impl Recording {
    pub fn open(path: &Path) -> Result<Self> {
        let named = path.display();
        let file = std::fs::File::open(path).with_context(|| format!("{named}: cannot be read"))?;
        let mut lines = BufReader::new(file).lines();
        let first = lines.next().transpose().ok().flatten().unwrap_or_default();
        let Ok(head) = serde_json::from_str::<Head>(&first) else {
            bail!("{named}: is no recording; `--record` writes one")
        };
        let form = head.sudar_recording;
        ensure!(form == FORM, "{named}: is of form {form}, this is form {FORM}");
        Ok(Self { path: path.to_owned(), head, lines })
    }

    /// The scene that was run. Meshes are looked for beside the scene file, or beside the recording.
    pub fn scene(&self) -> Result<Scene> {
        let Some(text) = &self.head.text else { return Ok(sudar_scene::read(Path::new(&self.head.scene))?) };
        let folder = |path: &Path| path.parent().map(Path::to_owned).unwrap_or_default();
        let beside = folder(Path::new(&self.head.scene));
        let folder =
            if beside.as_os_str().is_empty() || !beside.is_dir() { folder(&self.path) } else { beside };
        let is_tunnel = self.head.scene.to_ascii_lowercase().ends_with(".txt");
        let read = if is_tunnel { sudar_scene::parse_tunnel } else { sudar_scene::parse };
        read(text, &folder).with_context(|| format!("{}: its scene cannot be read", self.path.display()))
    }

    /// Compares a world after a step with the recording.
    pub fn compare(&mut self, step: u64, world: &World) -> Result<Option<Difference>> {
        let named = self.path.display();
        let line = self.lines.next().transpose().with_context(|| format!("{named}: cannot be read"))?;
        let Some(recorded) = line.as_deref().and_then(|line| serde_json::from_str::<Fingerprint>(line).ok())
        else {
            bail!("{named}: ends before step {step}, or is broken there")
        };
        let found = dynamics::Difference::of(world, &recorded, step as usize);
        Ok(found.map(|found| Difference::of(&found)))
    }
}
