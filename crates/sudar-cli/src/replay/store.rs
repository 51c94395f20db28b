//! The meshes of a query file, each read once, and their trees, each built once.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use rayon::prelude::*;
use serde::Serialize;
use sudar::query::{Body, Layer};
use sudar::{Mesh, Shape, WeldReport};
use sudar_formats::Model;
use sudar_record::{RecordError, ShapeSpec};

use crate::common::ReadArgs;
use crate::load;

/// What building a shape took: all of it, then layer by layer.
#[derive(Debug, Clone, Serialize)]
pub struct Built {
    shape: Named,
    triangles: usize,
    build_ns: u64,
    bytes: usize,
    layers: Vec<BuiltLayer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    weld: Option<WeldReport>,
}

#[derive(Debug, Clone, Serialize)]
struct BuiltLayer {
    layer: &'static str,
    build_ns: u64,
    bytes: usize,
}

/// How the list of builds calls a shape.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
enum Named {
    File(ShapeSpec),
    Inline { line: u64, field: &'static str },
}

/// The file, part, tolerance of welding (its bits) and solidity that make a shape.
type Key = (String, Option<String>, Option<u64>, bool);

/// Files and bodies by what names them. Errors are kept too: a missing file is missed once.
pub struct Store<'a> {
    root: PathBuf,
    units: &'a ReadArgs,
    models: HashMap<PathBuf, Result<File, String>>,
    bodies: HashMap<Key, Result<Body, RecordError>>,
    built: Vec<Built>,
}

/// A file's parts, and all of them as one mesh.
struct File {
    model: Model,
    whole: Result<Arc<Mesh>, String>,
}

impl<'a> Store<'a> {
    /// An empty store; relative paths start from `root`.
    pub fn new(root: PathBuf, units: &'a ReadArgs) -> Self {
        Self { root, units, models: HashMap::new(), bodies: HashMap::new(), built: Vec::new() }
    }

    /// Reads and builds whatever of these shapes comes from files and is not here yet, each with the layers that are
    /// wanted of it.
    pub fn prepare<'s>(&mut self, shapes: impl Iterator<Item = (&'s ShapeSpec, &'static [Layer])>) {
        let mut wanted: Vec<(Key, &ShapeSpec, Vec<Layer>)> = Vec::new();
        let mut places = HashMap::new();
        let mut names = Vec::new();
        for (shape, layers) in shapes {
            names.extend(files(shape));
            let Some(key) = key(shape).filter(|key| !self.bodies.contains_key(key)) else { continue };
            let place = *places.entry(key.clone()).or_insert(wanted.len());
            if place == wanted.len() {
                wanted.push((key, shape, Vec::new()));
            }
            wanted[place].2.extend(layers);
        }
        self.read_files(names.into_iter());
        // Trees are built side by side, in no one's critical section: nobody waits inside the thread pool.
        let build =
            |(key, shape, layers): &(Key, &ShapeSpec, Vec<Layer>)| self.build_from_file(key, shape, layers);
        let bodies: Vec<_> = wanted.par_iter().map(build).collect();
        for ((key, ..), body) in wanted.into_iter().zip(bodies) {
            let body = body.map(|(body, built)| {
                self.built.push(built);
                body
            });
            self.bodies.insert(key, body);
        }
    }

    /// The body of a shape, ready if it comes from a file; otherwise it is built with these layers, which is
    /// noted unless the shape is of constant size.
    pub fn body(
        &self,
        shape: &ShapeSpec,
        layers: &[Layer],
        line: u64,
        field: &'static str,
        inline: &mut Vec<Built>,
    ) -> Result<Body, RecordError> {
        if let Some(ready) = key(shape).and_then(|key| self.bodies.get(&key)) {
            return ready.clone();
        }
        let named = Named::Inline { line, field };
        let (body, built) = build(shape, named, layers, |path, part| self.mesh(path, part))?;
        if has_many_parts(shape) {
            inline.push(built);
        }
        Ok(body)
    }

    /// The boxes in a file. They are read for each line anew.
    pub fn boxes(&self, name: &str) -> Result<Vec<[f64; 6]>, RecordError> {
        let boxes =
            sudar_formats::read_boxes(&self.root.join(name)).map_err(|e| RecordError::File(e.to_string()))?;
        Ok(boxes.iter().map(|b| [b.min.x, b.min.y, b.min.z, b.max.x, b.max.y, b.max.z]).collect())
    }

    /// The builds so far, in the order in which the shapes were first used.
    pub fn built(&self) -> impl Iterator<Item = &Built> {
        self.built.iter()
    }

    /// The identity of a file: two names of one file are one file. A missing one is reported when it is read.
    fn identity(&self, name: &str) -> PathBuf {
        let path = self.root.join(name);
        std::fs::canonicalize(&path).unwrap_or(path)
    }

    fn read_files<'s>(&mut self, names: impl Iterator<Item = &'s str>) {
        let mut files: Vec<(PathBuf, &str)> = names.map(|name| (self.identity(name), name)).collect();
        files.sort();
        files.dedup_by(|x, y| x.0 == y.0);
        files.retain(|(file, _)| !self.models.contains_key(file));
        let models: Vec<_> =
            files.par_iter().map(|(_, name)| read(&self.root.join(name), self.units)).collect();
        self.models.extend(files.into_iter().map(|(file, _)| file).zip(models));
    }

    fn build_from_file(
        &self,
        key: &Key,
        shape: &ShapeSpec,
        layers: &[Layer],
    ) -> Result<(Body, Built), RecordError> {
        let mesh = |path: &str, part: Option<&str>| self.mesh(path, part);
        build(shape, Named::File(shape.clone()), layers, mesh).map_err(|error| {
            let names_the_file = matches!(error, RecordError::File(_));
            if names_the_file { error } else { RecordError::File(format!("{}: {error}", key.0)) }
        })
    }

    fn mesh(&self, name: &str, part: Option<&str>) -> Result<Arc<Mesh>, String> {
        let file = match self.models.get(&self.identity(name)) {
            Some(Ok(file)) => file,
            Some(Err(error)) => return Err(error.clone()),
            None => return Err(format!("{name}: is not loaded")),
        };
        match part {
            None => file.whole.clone(),
            Some(part) => file.model.mesh_named(part).map_err(|e| format!("{name}: {e}")),
        }
    }
}

fn key(shape: &ShapeSpec) -> Option<Key> {
    let ShapeSpec::File { mesh, part, weld, solid } = shape else { return None };
    Some((mesh.clone(), part.clone(), weld.map(f64::to_bits), *solid))
}

/// Whether the shape has any number of triangles, points or parts.
fn has_many_parts(shape: &ShapeSpec) -> bool {
    match shape {
        ShapeSpec::File { .. }
        | ShapeSpec::Inline { .. }
        | ShapeSpec::Hull(_)
        | ShapeSpec::HeightField { .. }
        | ShapeSpec::PointCloud(_)
        | ShapeSpec::Compound(_) => true,
        ShapeSpec::Sphere(_)
        | ShapeSpec::Cuboid(_)
        | ShapeSpec::Capsule(_)
        | ShapeSpec::Cylinder(_)
        | ShapeSpec::Cone(_)
        | ShapeSpec::Ellipsoid(_)
        | ShapeSpec::Halfspace(_)
        | ShapeSpec::Triangle(_)
        | ShapeSpec::Segment(_)
        | ShapeSpec::Point(_) => false,
    }
}

/// The files that a shape is made of.
fn files(shape: &ShapeSpec) -> Vec<&str> {
    if let ShapeSpec::Compound(compound) = shape {
        return compound.iter().flat_map(|part| files(&part.shape)).collect();
    }
    if let ShapeSpec::File { mesh, .. } = shape { vec![mesh] } else { Vec::new() }
}

fn read(path: &Path, units: &ReadArgs) -> Result<File, String> {
    let model = load::model(path, units).map_err(|e| format!("{e:#}"))?;
    let whole = load::whole(&model).map(Arc::new).map_err(|e| format!("{}: {e:#}", path.display()));
    Ok(File { model, whole })
}

fn build(
    shape: &ShapeSpec,
    named: Named,
    wanted: &[Layer],
    load: impl FnMut(&str, Option<&str>) -> Result<Arc<Mesh>, String>,
) -> Result<(Body, Built), RecordError> {
    let start = Instant::now();
    let (shape, weld) = made(shape, load)?;
    let mut layers = vec![BuiltLayer { layer: "shape", build_ns: nanoseconds(start), bytes: 0 }];
    let start = Instant::now();
    let body = Body::new(shape);
    if wanted.contains(&Layer::Tree) {
        body.prepare(&[Layer::Tree]);
    }
    layers.push(built(&body, Layer::Tree, start));
    for layer in Layer::ALL.into_iter().filter(|layer| *layer != Layer::Tree && wanted.contains(layer)) {
        let start = Instant::now();
        body.prepare(&[layer]);
        layers.push(built(&body, layer, start));
    }
    let build_ns = layers.iter().map(|layer| layer.build_ns).sum();
    let bytes = layers.iter().map(|layer| layer.bytes).sum();
    let triangles = body.mesh().map_or(0, |mesh| mesh.triangles().len());
    Ok((body, Built { shape: named, triangles, build_ns, bytes, layers, weld }))
}

/// The shape, and what welding changed in it if it is the mesh of a file.
fn made(
    shape: &ShapeSpec,
    mut load: impl FnMut(&str, Option<&str>) -> Result<Arc<Mesh>, String>,
) -> Result<(Shape, Option<WeldReport>), RecordError> {
    let ShapeSpec::File { mesh, part, weld: Some(tolerance), solid } = shape else {
        return Ok((shape.shape(load)?, None));
    };
    let (welded, report) = load(mesh, part.as_deref()).map_err(RecordError::File)?.welded(*tolerance)?;
    let welded = Arc::new(welded);
    let rest = ShapeSpec::File { mesh: mesh.clone(), part: part.clone(), weld: None, solid: *solid };
    Ok((rest.shape(|_, _| Ok(welded.clone()))?, Some(report)))
}

fn built(body: &Body, layer: Layer, start: Instant) -> BuiltLayer {
    BuiltLayer { layer: layer.name(), build_ns: nanoseconds(start), bytes: body.layer_bytes(layer) }
}

/// The time since then.
pub fn nanoseconds(start: Instant) -> u64 {
    u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX)
}
