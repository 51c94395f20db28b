//! Generated cases as query files, so that every program can be timed on the same poses.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use sudar::{Mesh, Pose};

use crate::cases::{self, Line, MeshFile, PoseText};
use crate::generate::{self, CLOSENESS};

/// Where and how much to write.
#[derive(Debug, Args)]
pub struct Options {
    /// Folder to write into, made if need be
    folder: PathBuf,
    /// Poses of each case
    #[arg(long, default_value_t = 100)]
    poses: usize,
    /// Seed of the random poses
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Pairs of model files to write besides the generated ones
    #[arg(long, value_names = ["A", "B"], num_args = 2, action = clap::ArgAction::Append)]
    pair: Vec<PathBuf>,
}

/// Poses of a path.
const STEPS: usize = 1000;

/// Writes the cases sphere-sphere (of three sizes), torus-torus and sphere-torus and those of the given models, each
/// deep, near, touching and far, and on a path.
///
/// # Errors
/// If a file cannot be read or written.
pub fn run(options: &Options, out: &mut dyn Write) -> Result<()> {
    let folder = &options.folder;
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let mut meshes = vec![
        ("sphere".to_owned(), generate::bumpy_sphere(82)?),
        ("torus".to_owned(), generate::torus(300, 100)?),
        ("sphere20k".to_owned(), generate::bumpy_sphere(41)?),
        ("sphere250k".to_owned(), generate::bumpy_sphere(144)?),
    ];
    let mut pairs = vec![(0, 0), (1, 1), (0, 1), (2, 2), (3, 3)];
    for models in options.pair.chunks_exact(2) {
        pairs.push((meshes.len(), meshes.len() + 1));
        for model in models {
            meshes.push((cases::model_name(model), cases::read_mesh(model)?));
        }
    }
    for (name, mesh) in &meshes {
        write_obj(mesh, &folder.join(format!("{name}.obj")))?;
    }
    for (a, b) in pairs {
        write_cases(options, &meshes[a], &meshes[b], out)?;
    }
    Ok(())
}

/// The query files of two meshes.
fn write_cases(options: &Options, a: &(String, Mesh), b: &(String, Mesh), out: &mut dyn Write) -> Result<()> {
    let mut write = |kind: &str, poses: &[Pose]| {
        let file = options.folder.join(format!("{}-{}-{kind}.jsonl", a.0, b.0));
        write_queries(&file, [&a.0, &b.0], poses)?;
        Ok::<_, anyhow::Error>(writeln!(out, "{}", file.display())?)
    };
    for closeness in CLOSENESS {
        let poses = generate::poses(&a.1, &b.1, options.poses, options.seed, closeness)?;
        write(closeness.name, &poses)?;
    }
    write("touching", &generate::touching(&a.1, &b.1, options.poses, options.seed)?)?;
    write("path", &generate::path(&a.1, &b.1, STEPS, 1.0)?)?;
    write("drift", &generate::path(&a.1, &b.1, STEPS, 0.02)?)
}

/// One `intersects`, `contacts` and `distance` query for each pose.
fn write_queries(file: &Path, names: [&str; 2], poses: &[Pose]) -> Result<()> {
    let [a, b] = names.map(|name| MeshFile { mesh: format!("{name}.obj").into() });
    let mut text = String::new();
    for query in ["intersects", "contacts", "distance"] {
        for (i, pose) in poses.iter().enumerate() {
            let line = Line {
                id: format!("{query}-{i}"),
                query: query.to_owned(),
                a: a.clone(),
                b: b.clone(),
                pose_a: None,
                pose_b: Some(PoseText::from_pose(pose)),
            };
            text += &serde_json::to_string(&line)?;
            text.push('\n');
        }
    }
    fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
}

/// Numbers are written so that they read back to the same bits.
fn write_obj(mesh: &Mesh, file: &Path) -> Result<()> {
    let mut text = String::new();
    for p in mesh.vertices() {
        text += &format!("v {:?} {:?} {:?}\n", p.x, p.y, p.z);
    }
    for [a, b, c] in mesh.triangles() {
        text += &format!("f {} {} {}\n", a + 1, b + 1, c + 1);
    }
    fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
}
