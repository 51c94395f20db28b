//! What a robot is among: the parts of models and stores, scanned points, octomaps, and the links of URDF and MJCF
//! files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use sudar::query::Body;
use sudar::{PointCloud, Pose, Shape};
use sudar_clash::body_of;
use sudar_formats::Octomap;
use sudar_robot::{LoadOptions, Robot};
use sudar_store::{Store, StoredPart};

use crate::common::ReadArgs;
use crate::load;

/// The objects of the files, with names of their own.
pub fn read(paths: &[PathBuf], read: &ReadArgs) -> Result<Vec<(String, Body, Pose)>> {
    let mut objects = Vec::new();
    for path in load::files(paths, false)? {
        let ending = path.extension().map(std::ffi::OsStr::to_ascii_lowercase);
        let has_links =
            ending.is_some_and(|ending| ["urdf", "xml", "mjcf"].iter().any(|known| ending == *known));
        objects.extend(if has_links {
            links(&path)?
        } else if Octomap::is_named(&path) {
            octomap(&path)?
        } else if Store::is_store(&path) {
            stored(&path, read)?
        } else {
            parts(&path, read)?
        });
    }
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    for (name, _, _) in &mut objects {
        let count = known.entry(name.clone()).or_default();
        *count += 1;
        if *count > 1 {
            *name = format!("{name} ({count})");
        }
    }
    Ok(objects)
}

fn parts(path: &Path, read: &ReadArgs) -> Result<Vec<(String, Body, Pose)>> {
    let model = load::model(path, read)?;
    if let Some(lost) = model.lost.first() {
        bail!(
            "{}: '{}' cannot be read and would not be checked: {}; convert the file to one without it if that is right",
            path.display(),
            lost.name,
            lost.error
        );
    }
    if !model.points.is_empty() {
        let cloud = PointCloud::new(model.points).with_context(|| path.display().to_string())?;
        return Ok(vec![(
            "points".to_owned(),
            Body::new(Shape::PointCloud(Arc::new(cloud))),
            Pose::IDENTITY,
        )]);
    }
    let of = |part: &sudar_formats::Part| {
        let mesh = model.mesh_of(part).with_context(|| path.display().to_string())?;
        Ok((part.name.clone(), body_of(mesh.clone()), part.pose))
    };
    model.parts.iter().map(of).collect()
}

/// The parts of a store; where they are in metres, with their trees as they are stored.
fn stored(path: &Path, read: &ReadArgs) -> Result<Vec<(String, Body, Pose)>> {
    let store = Store::open(path)?;
    if let Some(failed) = store.about()?.failed.first() {
        bail!(
            "{}: {} could not be read when it was packed and would not be checked: {}; pack it again without that file \
             if that is right",
            path.display(),
            failed.file,
            failed.error
        );
    }
    if !store.about()?.lost.is_empty() || read.factor(store.unit()) != 1.0 {
        return parts(path, read);
    }
    let bodies = load::stored_bodies(&store)?;
    let of = |part: StoredPart<'_>| {
        let body = bodies.get(part.mesh).context("the store has a part without a mesh")?;
        Ok((part.name.to_owned(), body.clone(), part.pose))
    };
    store.parts()?.iter().map(of).collect()
}

/// The occupied cubes of an octomap as one object.
fn octomap(path: &Path) -> Result<Vec<(String, Body, Pose)>> {
    let found = Octomap::read(path)?.body().with_context(|| path.display().to_string())?;
    Ok(found.map(|body| ("octomap".to_owned(), body, Pose::IDENTITY)).into_iter().collect())
}

/// The links of a URDF or MJCF where the file draws them.
fn links(path: &Path) -> Result<Vec<(String, Body, Pose)>> {
    let robot = Robot::load(path, &LoadOptions::default())?;
    let poses = robot.forward(robot.home())?;
    let mut objects = Vec::new();
    for (i, link) in robot.links().iter().enumerate() {
        for (body, at) in &link.bodies {
            objects.push((link.name.clone(), body.clone(), poses[i].after(at)));
        }
    }
    Ok(objects)
}
