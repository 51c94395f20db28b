//! Queries on one body.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use sudar::glam::DVec3;
use sudar::mass::{MassProperties, Resolution, VoxelMass, VoxelOptions, certified_mass, voxel_mass};
use sudar::query::{Body, RayHit, has_inside};
use sudar::{Interval, Pose, Ray, Shape, Solid};

use crate::arrays::{Columns, status};
use crate::call::{Control, Refused, each, each_sized};
use crate::input::{Bodies, Numbers, Pick, Poses, broadcast, index_text, number};
use crate::operands::Side;

/// One operand of a query: one or many bodies in one or many poses, beside points.
struct Operand<'py> {
    bodies: Bodies<'py>,
    poses: Poses<'py>,
    points: Vec<(&'static str, Numbers<'py>)>,
    lead: Vec<usize>,
}

/// The same without the interpreter.
struct OperandView<'a> {
    side: Side<'a>,
    points: Vec<(&'static str, &'a [f64], Pick, &'a [usize])>,
}

impl<'py> Operand<'py> {
    fn new(
        a: &Bound<'py, PyAny>,
        pose: Option<&Bound<'py, PyAny>>,
        points: &[(&'static str, &Bound<'py, PyAny>)],
    ) -> PyResult<Self> {
        let (bodies, poses) = (Bodies::new(a, "a")?, Poses::new(pose, "pose")?);
        let points = points
            .iter()
            .map(|(name, given)| Ok((*name, Numbers::new(given, name, &[3])?)))
            .collect::<PyResult<Vec<_>>>()?;
        let of_points = points.iter().map(|(name, numbers)| (*name, numbers.lead.as_slice()));
        let leads: Vec<_> =
            [("a", bodies.lead.as_slice()), ("pose", poses.lead())].into_iter().chain(of_points).collect();
        let lead = broadcast(&leads)?;
        Ok(Self { bodies, poses, points, lead })
    }

    fn view(&self) -> PyResult<OperandView<'_>> {
        let points = self.points.iter().map(|(name, numbers)| {
            (*name, numbers.all(), Pick::new(&numbers.lead, &self.lead), numbers.lead.as_slice())
        });
        let side = Side::new(&self.bodies, &self.poses, &self.lead, "pose")?;
        Ok(OperandView { side, points: points.collect() })
    }

    fn count(&self) -> usize {
        self.lead.iter().product()
    }
}

impl OperandView<'_> {
    /// Point `which` of entry `i`, which must be finite and in range.
    fn point(&self, which: usize, i: usize) -> Result<DVec3, Refused> {
        let (name, all, pick, lead) = &self.points[which];
        let place = pick.at(i);
        let point = DVec3::from_slice(&all[3 * place..]);
        if point.abs().max_element() <= 1e90 && point.is_finite() {
            return Ok(point);
        }
        Err(Refused(format!(
            "{name}{}: needs finite numbers of at most 1e90, found {:?}",
            index_text(place, lead),
            point.to_array()
        )))
    }
}

/// Whether, parameter, point, normal, feature and status of the first hit of each ray.
#[pyfunction]
#[pyo3(signature = (a, origin, direction, pose, control, most))]
pub fn ray<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    origin: &Bound<'py, PyAny>,
    direction: &Bound<'py, PyAny>,
    pose: Option<&Bound<'py, PyAny>>,
    control: Option<Control<'py>>,
    most: f64,
) -> PyResult<Bound<'py, PyTuple>> {
    number("max", most)?;
    let operand = Operand::new(a, pose, &[("origin", origin), ("direction", direction)])?;
    let view = operand.view()?;
    let found = each(py, operand.count(), &control.unwrap_or_default(), |work, i| {
        let mut here = Pose::IDENTITY;
        let at = view.side.placed(i, &mut here)?;
        let ray = Ray::new(view.point(0, i)?, view.point(1, i)?)
            .map_err(|why| Refused(format!("direction{}: {why}", index_text(i, &operand.lead))))?;
        Ok(work.ray(at, &ray, most))
    })?;
    Columns::default()
        .bool(found.iter().map(|hit| hit.found.is_some()))
        .float(found.iter().map(|hit| hit.found.map_or(f64::INFINITY, |hit| hit.t)))
        .point(found.iter().map(|hit| hit.found.map_or(DVec3::NAN, |hit| hit.point)))
        .point(found.iter().map(|hit| hit.found.map_or(DVec3::NAN, |hit| hit.normal)))
        .natural(found.iter().map(|hit| hit.found.map_or(u32::MAX, |hit| hit.feature)))
        .status(found.iter().map(|hit| status::unless_stopped(!hit.complete)))
        .into_tuple(py, &operand.lead)
}

/// The parameters, points, normals and features of hits.
pub fn ray_hits(found: &[RayHit]) -> Columns {
    Columns::default()
        .float(found.iter().map(|hit| hit.t))
        .point(found.iter().map(|hit| hit.point))
        .point(found.iter().map(|hit| hit.normal))
        .natural(found.iter().map(|hit| hit.feature))
}

/// The interval of the distance, the point, its feature and the status.
#[pyfunction]
#[pyo3(signature = (a, point, pose, control))]
pub fn closest_point<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    point: &Bound<'py, PyAny>,
    pose: Option<&Bound<'py, PyAny>>,
    control: Option<Control<'py>>,
) -> PyResult<Bound<'py, PyTuple>> {
    let operand = Operand::new(a, pose, &[("point", point)])?;
    let view = operand.view()?;
    let found = each(py, operand.count(), &control.unwrap_or_default(), |work, i| {
        let mut here = Pose::IDENTITY;
        let at = view.side.placed(i, &mut here)?;
        let found = work.closest_point(at, view.point(0, i)?);
        Ok((found, work.was_stopped()))
    })?;
    Columns::default()
        .float(found.iter().map(|(near, _)| near.distance.lower))
        .float(found.iter().map(|(near, _)| near.distance.upper))
        .point(found.iter().map(|(near, _)| near.point))
        .natural(found.iter().map(|(near, _)| near.feature))
        .status(found.iter().map(|(_, stopped)| status::unless_stopped(*stopped)))
        .into_tuple(py, &operand.lead)
}

/// Whether each point is inside or on the surface; exactly, or by winding numbers.
#[pyfunction]
#[pyo3(signature = (a, point, pose, control, winding, undecided))]
pub fn contains<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    point: &Bound<'py, PyAny>,
    pose: Option<&Bound<'py, PyAny>>,
    control: Option<Control<'py>>,
    winding: bool,
    undecided: Option<bool>,
) -> PyResult<Bound<'py, PyTuple>> {
    let operand = Operand::new(a, pose, &[("point", point)])?;
    let view = operand.view()?;
    let found = each(py, operand.count(), &control.unwrap_or_default(), |work, i| {
        let mut here = Pose::IDENTITY;
        let at = view.side.placed(i, &mut here)?;
        let point = view.point(0, i)?;
        let inside = if winding && !has_inside(at.body()) {
            work.contains_by_winding(at, point).inside
        } else {
            work.contains(at, point).map_err(|why| {
                Refused(format!("a: {why}; or give method='winding', which answers for open meshes as well"))
            })?
        };
        inside.or(undecided).ok_or_else(|| {
            Refused(format!(
                "point{}: undecided: the limit was reached or rounding leaves it open; give a larger limit, or \
                 undecided=True or False for what it is to count as",
                index_text(i, &operand.lead)
            ))
        })
    })?;
    Columns::default().bool(found.into_iter()).into_tuple(py, &operand.lead)
}

/// Integrals over fewer triangles take some milliseconds at most.
const SHORT: usize = 5000;

/// Mass, the ends of the interval of the volume, centre of mass and inertia, at density 1.
#[pyfunction]
#[pyo3(signature = (a, pose, control, cells))]
pub fn mass<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    pose: Option<&Bound<'py, PyAny>>,
    control: Option<Control<'py>>,
    cells: Option<u32>,
) -> PyResult<Bound<'py, PyTuple>> {
    let operand = Operand::new(a, pose, &[])?;
    let view = operand.view()?;
    if cells == Some(0) {
        return Err(PyValueError::new_err("cells: must be at least 1"));
    }
    let triangles = |body: &&Body| body.mesh().map_or(0, |mesh| mesh.triangles().len());
    let is_short = cells.is_none() && view.side.bodies.iter().map(triangles).sum::<usize>() < SHORT;
    let found = each_sized(py, operand.count(), &control.unwrap_or_default(), is_short, |_, i| {
        let mut here = Pose::IDENTITY;
        let at = view.side.placed(i, &mut here)?;
        measured(&closed(at.body().shape()), cells)
            .map(|(found, volume)| (found.posed(at.pose()), volume))
            .map_err(|why| Refused(format!("a{}: {why}", index_text(i, &operand.lead))))
    })?;
    let matrix = |m: &MassProperties| m.inertia.transpose().to_cols_array();
    Columns::default()
        .float(found.iter().map(|(mass, _)| mass.mass))
        .float(found.iter().map(|(_, volume)| volume.lower))
        .float(found.iter().map(|(_, volume)| volume.upper))
        .point(found.iter().map(|(mass, _)| mass.center))
        .matrix(found.iter().map(|(mass, _)| matrix(mass)))
        .into_tuple(py, &operand.lead)
}

/// Of a mesh that is closed the solid, for which integrals are defined.
fn closed(shape: &Shape) -> Shape {
    match shape {
        Shape::Mesh(mesh) => {
            Solid::new(mesh.clone()).map_or_else(|_| shape.clone(), |solid| Shape::Solid(solid.into()))
        }
        other => other.clone(),
    }
}

fn measured(shape: &Shape, cells: Option<u32>) -> Result<(MassProperties, Interval), String> {
    let Some(cells) = cells else {
        return certified_mass(shape).map_err(|why| why.to_string());
    };
    let options = VoxelOptions { resolution: Resolution::Cells(cells), ..VoxelOptions::default() };
    let VoxelMass { properties, error, .. } = voxel_mass(shape, &options).map_err(|why| why.to_string())?;
    let ends = Interval { lower: properties.mass - error.mass, upper: properties.mass + error.mass };
    Ok((properties, ends))
}
