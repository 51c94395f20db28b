//! Query files as inputs: two meshes and the poses they are asked about in.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};
use glam::{DQuat, DVec3};
use globset::Glob;
use serde::{Deserialize, Serialize};
use sudar::{Mesh, Pose};

/// Two meshes in several poses.
#[derive(Debug, Clone)]
pub struct Case {
    /// The file's name without its ending.
    pub name: String,
    /// The mesh that is `a` of every query.
    pub a: Arc<Mesh>,
    /// The mesh that is `b` of every query.
    pub b: Arc<Mesh>,
    /// Poses of `a` and `b`.
    pub poses: Vec<[Pose; 2]>,
}

/// One line of a query file, as far as it matters here.
#[derive(Debug, Serialize, Deserialize)]
pub struct Line {
    /// Name of the query.
    pub id: String,
    /// What is asked.
    pub query: String,
    /// First shape.
    pub a: MeshFile,
    /// Second shape.
    pub b: MeshFile,
    /// Where `a` is; at the origin if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pose_a: Option<PoseText>,
    /// Where `b` is; at the origin if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pose_b: Option<PoseText>,
}

/// A mesh by its file, relative to the query file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MeshFile {
    /// Path of the file.
    pub mesh: PathBuf,
}

/// A pose as it is written in a query file.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(untagged)]
pub enum PoseText {
    /// A row-major homogeneous matrix.
    Matrix {
        /// Its 16 numbers.
        matrix: [f64; 16],
    },
    /// Translation and rotation.
    Parts {
        /// The translation, zero by default.
        #[serde(default)]
        translation: [f64; 3],
        /// The rotation as a quaternion, scalar last, identity by default.
        #[serde(default = "identity")]
        rotation: [f64; 4],
    },
}

fn identity() -> [f64; 4] {
    DQuat::IDENTITY.to_array()
}

impl PoseText {
    /// The pose as 16 numbers.
    pub fn from_pose(pose: &Pose) -> Self {
        let (r, t) = (pose.rotation(), pose.translation());
        let row = |k: usize| [r.x_axis[k], r.y_axis[k], r.z_axis[k], t[k]];
        let mut matrix = [0.0; 16];
        for k in 0..3 {
            matrix[4 * k..4 * k + 4].copy_from_slice(&row(k));
        }
        matrix[15] = 1.0;
        Self::Matrix { matrix }
    }

    fn pose(&self) -> Result<Pose> {
        Ok(match self {
            Self::Matrix { matrix } => Pose::from_row_major(matrix)?,
            Self::Parts { translation, rotation } => {
                Pose::new(DVec3::from(*translation), DQuat::from_array(*rotation))?
            }
        })
    }
}

/// The names of the query files in a folder that match the pattern, sorted.
///
/// # Errors
/// If the folder cannot be read, the pattern is none, or nothing matches.
pub fn files(folder: &Path, pattern: &str) -> Result<Vec<PathBuf>> {
    let glob = Glob::new(pattern)?.compile_matcher();
    let entries = fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))?;
    let mut found = Vec::new();
    for entry in entries {
        let path = entry?.path();
        let is_queries = path.extension().is_some_and(|e| e == "jsonl");
        if is_queries && path.file_stem().is_some_and(|stem| glob.is_match(stem)) {
            found.push(path);
        }
    }
    ensure!(!found.is_empty(), "no query file in {} matches {pattern}", folder.display());
    found.sort();
    Ok(found)
}

/// Reads the `intersects` queries of a file; they must all be about the same two meshes.
///
/// # Errors
/// If the file or a mesh cannot be read, a pose is not rigid, or the meshes change.
pub fn read(path: &Path) -> Result<Case> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut bodies = None;
    let mut poses = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let place = || format!("{}:{}", path.display(), number + 1);
        let line: Line = serde_json::from_str(line).with_context(place)?;
        if line.query != "intersects" {
            continue;
        }
        let found = [line.a, line.b];
        if *bodies.get_or_insert_with(|| found.clone()) != found {
            bail!("{}: all queries of a case must be about the same two meshes", place());
        }
        let pose = |p: Option<PoseText>| p.map_or(Ok(Pose::IDENTITY), |p| p.pose()).with_context(place);
        poses.push([pose(line.pose_a)?, pose(line.pose_b)?]);
    }
    let Some(bodies) = bodies else { bail!("{} has no `intersects` query", path.display()) };
    let [a, b] = load(path, &bodies)?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Case { name, a, b, poses })
}

/// Both meshes, each file read once.
fn load(path: &Path, bodies: &[MeshFile; 2]) -> Result<[Arc<Mesh>; 2]> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut read = BTreeMap::new();
    for body in bodies {
        if !read.contains_key(body) {
            read.insert(body, Arc::new(read_mesh(&folder.join(&body.mesh))?));
        }
    }
    Ok([read[&bodies[0]].clone(), read[&bodies[1]].clone()])
}

/// The triangles of all parts of a model file as one mesh, in file order.
///
/// # Errors
/// If the file cannot be read or holds no triangle.
pub fn read_mesh(path: &Path) -> Result<Mesh> {
    let model = sudar_formats::read(path)?;
    model.merged().with_context(|| format!("in {}", path.display()))
}

/// A model's name in tables: its file's, without endings.
pub fn model_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.split('.').next().unwrap_or_default().to_owned()
}
