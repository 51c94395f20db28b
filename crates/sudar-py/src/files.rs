//! Files of models.

use std::path::PathBuf;

use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use sudar_clash::Unit;
use sudar_cli::api::ReadOptions;
use sudar_formats::Octomap;

use crate::arrays::array;
use crate::body::{PyBody, matrices};
use crate::call::{Refused, aside};

/// How files are read, by the names of the arguments in Python.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Reading {
    scale: Option<f64>,
    units: Option<String>,
    ifc_with: Option<String>,
    deflection: Option<f64>,
    weld: Weld,
}

/// Whether vertices are joined: by the usual tolerance, or by this.
#[derive(FromPyObject)]
enum Weld {
    Usual(bool),
    At(f64),
}

impl Reading {
    pub fn options(&self) -> Result<ReadOptions, Refused> {
        let unit = |name: &String| {
            let found = Unit::ALL.into_iter().find(|unit| unit.name() == name);
            let names = Unit::ALL.map(Unit::name).join(", ");
            found.ok_or_else(|| Refused(format!("units: '{name}' is none of {names}")))
        };
        Ok(ReadOptions {
            scale: self.scale,
            units: self.units.as_ref().map(unit).transpose()?,
            ifc_with: self.ifc_with.clone(),
            deflection: self.deflection,
            weld: match self.weld {
                Weld::Usual(is_wanted) => is_wanted.then_some(None),
                Weld::At(tolerance) => Some(Some(tolerance)),
            },
        })
    }
}

/// What a file holds: bodies of its meshes, the names of its parts, which mesh each shows and where, what the file says
/// of each, the metres of its unit, notes, points without faces, and what was lost.
#[pyfunction]
#[pyo3(signature = (path, reading, solid))]
pub fn load<'py>(
    py: Python<'py>,
    path: PathBuf,
    reading: Reading,
    solid: Option<bool>,
) -> PyResult<Bound<'py, PyDict>> {
    let (missing, options) = (!path.exists(), reading.options()?);
    let (model, notes, bodies) = aside(py, move || {
        let (model, notes) = sudar_cli::api::read(&path, &options).map_err(|why| format!("{why:#}"))?;
        let body = |mesh: &std::sync::Arc<sudar::Mesh>| -> Result<sudar::query::Body, String> {
            Ok(match solid {
                None => sudar_clash::body_of(mesh.clone()),
                Some(false) => sudar::query::Body::new(sudar::Shape::Mesh(mesh.clone())),
                Some(true) => {
                    let solid = sudar::Solid::new(mesh.clone());
                    sudar::query::Body::new(solid.map_err(|why| format!("{}: solid: {why}", path.display()))?)
                }
            })
        };
        let bodies = model.meshes.iter().map(body).collect::<Result<Vec<_>, _>>()?;
        Ok::<_, String>((model, notes, bodies))
    })?
    .map_err(|why| if missing { PyOSError::new_err(why) } else { PyValueError::new_err(why) })?;
    let found = PyDict::new(py);
    let bodies =
        bodies.into_iter().map(|body| Bound::new(py, PyBody { body })).collect::<PyResult<Vec<_>>>()?;
    found.set_item("bodies", PyList::new(py, bodies)?)?;
    found.set_item("names", model.parts.iter().map(|part| part.name.as_str()).collect::<Vec<_>>())?;
    found.set_item("meshes", model.parts.iter().map(|part| part.mesh).collect::<Vec<_>>())?;
    let poses: Vec<_> = model.parts.iter().map(|part| part.pose).collect();
    found.set_item("poses", matrices(py, &poses)?)?;
    let properties = model.parts.iter().map(|part| part.properties.clone()).collect::<Vec<_>>();
    found.set_item("properties", properties)?;
    found.set_item("deviations", model.parts.iter().map(|part| part.deviation).collect::<Vec<_>>())?;
    found.set_item("unit", model.unit)?;
    found.set_item("notes", notes)?;
    found.set_item("points", crate::arrays::points(py, &model.points)?)?;
    let lost = model.lost.iter().map(|lost| (lost.name.as_str(), lost.error.as_str())).collect::<Vec<_>>();
    found.set_item("lost", lost)?;
    Ok(found)
}

/// The occupied cubes of an octomap as a body, or None; their middles (n, 3) and widths (n,); the width of the
/// smallest; how many leaves are free.
#[pyfunction]
#[expect(clippy::type_complexity, reason = "the fields of a map")]
pub fn octomap<'py>(
    py: Python<'py>,
    path: PathBuf,
) -> PyResult<(Option<PyBody>, Bound<'py, PyAny>, Bound<'py, PyAny>, f64, u64)> {
    let is_missing = !path.exists();
    let read = move || -> Result<_, String> {
        let map = Octomap::read(&path).map_err(|why| why.to_string())?;
        let body = map.body().map_err(|why| format!("{}: {why}", path.display()))?;
        Ok((map, body))
    };
    let (map, body) = aside(py, read)?
        .map_err(|text| if is_missing { PyOSError::new_err(text) } else { PyValueError::new_err(text) })?;
    let count = map.occupied.len();
    let centers = map.occupied.iter().flat_map(|voxel| voxel.center.to_array()).collect();
    let widths = map.occupied.iter().map(|voxel| 2.0 * voxel.half).collect();
    Ok((
        body.map(|body| PyBody { body }),
        array(py, centers, &[count], &[3])?.into_any(),
        array(py, widths, &[count], &[])?.into_any(),
        map.resolution,
        map.free,
    ))
}
