//! From paths to meshes.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use sudar::{Mesh, Pose};
use sudar_formats::Model;

use crate::common::UnitArgs;

/// The contents of a file, in metres as far as the options say.
pub fn model(path: &Path, units: &UnitArgs) -> Result<Model> {
    let model = sudar_formats::read(path)?;
    let factor = units.factor(path);
    if factor == 1.0 { Ok(model) } else { scaled(model, factor).with_context(|| path.display().to_string()) }
}

/// All of a file as one mesh; triangles are numbered as in the file.
pub fn merged(path: &Path, units: &UnitArgs) -> Result<Mesh> {
    whole(&model(path, units)?).with_context(|| path.display().to_string())
}

/// All parts as one mesh; triangles are numbered as in the file.
pub fn whole(model: &Model) -> Result<Mesh> {
    Ok(model.merged()?)
}

/// The one part of this name, posed; triangles are numbered from 0 within the part.
pub fn part(model: &Model, name: &str) -> Result<Arc<Mesh>> {
    let mut named = model.parts.iter().filter(|part| part.name == name);
    let part = named.next().ok_or_else(|| no_such_part(model, name))?;
    let others = named.count();
    if others > 0 {
        return Err(anyhow!("{} parts are named \"{name}\"; give them different names", others + 1));
    }
    let mesh = model.mesh_of(part)?;
    if part.pose == Pose::IDENTITY {
        return Ok(Arc::clone(mesh));
    }
    Ok(Arc::new(mesh.mapped(|p| part.pose.apply(p))?))
}

fn no_such_part(model: &Model, name: &str) -> anyhow::Error {
    const SHOWN: usize = 8;
    let names: Vec<&str> = model.parts.iter().map(|part| part.name.as_str()).collect();
    let more = if names.len() > SHOWN { format!(" and {} more", names.len() - SHOWN) } else { String::new() };
    let shown = names.into_iter().take(SHOWN).collect::<Vec<_>>().join(", ");
    anyhow!("no part is named \"{name}\"; there are: {shown}{more}")
}

fn scaled(mut model: Model, factor: f64) -> Result<Model> {
    for mesh in &mut model.meshes {
        *mesh = Arc::new(mesh.mapped(|p| p * factor)?);
    }
    for part in &mut model.parts {
        part.pose = Pose::from_matrix(part.pose.rotation(), part.pose.translation() * factor)?;
    }
    Ok(model)
}
