//! Shapes, made ready for queries.

use std::sync::Arc;

use numpy::PyArrayMethods;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use sudar::glam::{DVec2, DVec3};
use sudar::hull::convex_hull;
use sudar::query::Body;
use sudar::tree::TreeLayout;
use sudar::{
    Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Halfspace, HeightField, Mesh, PointCloud, Pose, Segment,
    Shape, Solid, Sphere, Triangle,
};

use crate::arrays::{array, points};
use crate::call::aside;
use crate::input::{Numbers, Poses, point, whole_numbers};

/// A shape with what makes queries on it fast. The classes of the package are its subclasses, one for each kind.
#[pyclass(name = "Body", module = "sudar._core", subclass, frozen, weakref)]
pub struct PyBody {
    pub body: Body,
}

/// An error of the library as one of Python.
pub fn refused(why: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(why.to_string())
}

/// Larger meshes are built in a pool, so that an interrupt ends the wait.
const LARGE: usize = 2000;

#[pymethods]
impl PyBody {
    /// A body of this kind from the arguments of that kind.
    #[new]
    #[pyo3(signature = (kind, *args))]
    fn new(py: Python<'_>, kind: &str, args: &Bound<'_, PyTuple>) -> PyResult<Self> {
        Ok(Self { body: made(py, kind, args)? })
    }

    /// The kind of shape, such as "sphere".
    #[getter]
    fn kind(&self) -> &'static str {
        kind(self.body.shape())
    }

    /// The arguments that make the same body.
    fn arguments<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        arguments(py, &self.body)
    }

    /// The corners of its triangles (n, 3) and their numbers (m, 3); None of what is not bounded by triangles.
    fn triangles<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let Some(mesh) = py.detach(|| self.body.mesh()) else { return Ok(None) };
        let faces: Vec<u32> = mesh.triangles().iter().flatten().copied().collect();
        let faces = array(py, faces, &[mesh.triangles().len()], &[3])?;
        Ok(Some(PyTuple::new(py, [points(py, mesh.vertices())?.into_any(), faces.into_any()])?))
    }

    /// The corners (n, 3) and triangles (m, 3) of a mesh within a tolerance of it, and the proved distance.
    fn tessellated<'py>(&self, py: Python<'py>, tolerance: f64) -> PyResult<Bound<'py, PyTuple>> {
        let found = py.detach(|| Mesh::from_shape(self.body.shape(), tolerance)).map_err(refused)?;
        let faces: Vec<u32> = found.mesh.triangles().iter().flatten().copied().collect();
        let faces = array(py, faces, &[found.mesh.triangles().len()], &[3])?.into_any();
        let distance = found.distance.into_pyobject(py)?.into_any();
        PyTuple::new(py, [points(py, found.mesh.vertices())?.into_any(), faces, distance])
    }

    /// The smallest box around it (2, 3) in a pose.
    #[pyo3(signature = (pose=None))]
    fn bounds<'py>(&self, py: Python<'py>, pose: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        let pose = Poses::one(pose, "pose")?;
        let found = py.detach(|| self.body.aabb(&pose));
        Ok(points(py, &[found.min, found.max])?.into_any())
    }

    /// Whether its inside belongs to it, as far as it is a mesh.
    #[getter]
    fn is_solid(&self) -> bool {
        matches!(self.body.shape(), Shape::Solid(_))
    }

    /// Faults of a mesh: counts of triangles of no area, repeated ones, open and many-sided edges; None of others.
    fn faults(&self, py: Python<'_>) -> Option<[usize; 4]> {
        let mesh = py.detach(|| self.body.mesh())?;
        let faults = py.detach(|| mesh.topology().faults);
        Some([faults.degenerate, faults.duplicate, faults.boundary_edges, faults.non_manifold_edges])
    }

    /// A mesh with its vertices elsewhere; the tree is fitted, not built.
    fn with_vertices(&self, py: Python<'_>, vertices: &Bound<'_, PyAny>) -> PyResult<Self> {
        let vertices = Numbers::one(vertices, "vertices", &[0, 3])?.points();
        let mut body = self.body.clone();
        py.detach(|| body.move_vertices(vertices)).map_err(refused)?;
        Ok(Self { body })
    }

    /// The parts of a compound and their poses.
    fn parts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        parts(py, &self.body)
    }

    /// The half-edges of a hull as lists of corners around each face.
    fn hull_faces(&self) -> Option<Vec<Vec<u32>>> {
        let Shape::Hull(hull) = self.body.shape() else { return None };
        Some((0..hull.faces().len()).map(|i| hull.face(i).collect()).collect())
    }

    /// Of each corner of a hull, which of the points it was made of.
    fn hull_sources<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Shape::Hull(hull) = self.body.shape() else { return Ok(None) };
        Ok(Some(array(py, hull.sources().to_vec(), &[hull.sources().len()], &[])?.into_any()))
    }

    /// The memory of its tree, in bytes.
    #[getter]
    fn tree_bytes(&self) -> usize {
        self.body.tree().map_or(0, sudar::tree::WideTree::bytes)
    }
}

/// The name of a kind, by which the package makes it.
fn kind(shape: &Shape) -> &'static str {
    match shape {
        Shape::Mesh(_) | Shape::Solid(_) => "mesh",
        Shape::Triangle(_) => "triangle",
        Shape::Segment(_) => "segment",
        Shape::Point(_) => "point",
        Shape::Sphere(_) => "sphere",
        Shape::Cuboid(_) => "box",
        Shape::Capsule(_) => "capsule",
        Shape::Cylinder(_) => "cylinder",
        Shape::Cone(_) => "cone",
        Shape::Ellipsoid(_) => "ellipsoid",
        Shape::Hull(_) => "hull",
        Shape::Halfspace(_) => "halfspace",
        Shape::HeightField(_) => "heightfield",
        Shape::PointCloud(_) => "pointcloud",
        Shape::Compound(_) => "compound",
    }
}

/// The arguments of a kind, one after another.
struct Arguments<'a, 'py>(&'a Bound<'py, PyTuple>);

impl<'py> Arguments<'_, 'py> {
    fn get(&self, i: usize) -> PyResult<Bound<'py, PyAny>> {
        self.0.get_item(i)
    }

    fn number(&self, i: usize, name: &str) -> PyResult<f64> {
        Ok(Numbers::one(&self.get(i)?, name, &[])?.all().first().copied().unwrap_or(f64::NAN))
    }

    fn point(&self, i: usize, name: &str) -> PyResult<DVec3> {
        point(&self.get(i)?, name)
    }

    fn points(&self, i: usize, name: &str) -> PyResult<Vec<DVec3>> {
        Ok(Numbers::one(&self.get(i)?, name, &[0, 3])?.points())
    }
}

fn made(py: Python<'_>, kind: &str, args: &Bound<'_, PyTuple>) -> PyResult<Body> {
    let args = Arguments(args);
    let shape: Shape = match kind {
        "of" => return Ok(args.get(0)?.cast_into::<PyBody>()?.get().body.clone()),
        "mesh" => return mesh(py, &args),
        "compound" => return compound(&args),
        "sphere" => Sphere::new(args.point(1, "center")?, args.number(0, "radius")?).map_err(refused)?.into(),
        "box" => Cuboid::new(args.point(0, "half_extents")?).map_err(refused)?.into(),
        "capsule" => {
            Capsule::new(args.number(0, "radius")?, args.number(1, "half_length")?).map_err(refused)?.into()
        }
        "cylinder" => {
            Cylinder::new(args.number(0, "radius")?, args.number(1, "half_length")?).map_err(refused)?.into()
        }
        "cone" => {
            Cone::new(args.number(0, "radius")?, args.number(1, "half_length")?).map_err(refused)?.into()
        }
        "ellipsoid" => Ellipsoid::new(args.point(0, "radii")?).map_err(refused)?.into(),
        "halfspace" => {
            Halfspace::new(args.point(0, "normal")?, args.number(1, "offset")?).map_err(refused)?.into()
        }
        "triangle" => {
            let [a, b, c] = [args.point(0, "a")?, args.point(1, "b")?, args.point(2, "c")?];
            Triangle::new(a, b, c).map_err(refused)?.into()
        }
        "segment" => Segment::new(args.point(0, "a")?, args.point(1, "b")?).map_err(refused)?.into(),
        "point" => Shape::point(args.point(0, "position")?).map_err(refused)?,
        "hull" => {
            let points = args.points(0, "points")?;
            let hull = py.detach(|| convex_hull(&points)).map_err(refused)?;
            Shape::Hull(Arc::new(hull))
        }
        "heightfield" => height_field(&args)?,
        "pointcloud" => {
            let cloud = PointCloud::new(args.points(0, "points")?).map_err(refused)?;
            Shape::PointCloud(Arc::new(cloud))
        }
        other => return Err(PyValueError::new_err(format!("there is no shape of kind {other:?}"))),
    };
    aside_if(py, matches!(shape, Shape::HeightField(_) | Shape::PointCloud(_)), move || Body::new(shape))
}

/// Runs in a pool what may take long.
fn aside_if<T: Send + 'static>(
    py: Python<'_>,
    long: bool,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    if long { aside(py, work) } else { Ok(py.detach(work)) }
}

/// A mesh of vertices, faces, whether it is solid, a tolerance of welding, and perhaps the layout of its tree.
fn mesh(py: Python<'_>, args: &Arguments<'_, '_>) -> PyResult<Body> {
    let vertices = args.points(0, "vertices")?;
    let corners = whole_numbers(&args.get(1)?, "faces", &[3])?;
    if let Some(i) = corners.iter().position(|c| u32::try_from(*c).is_err()) {
        return Err(PyValueError::new_err(format!(
            "faces[{}]: names vertex {}, and there are {}",
            i / 3,
            corners[i],
            vertices.len()
        )));
    }
    let faces: Vec<[u32; 3]> =
        corners.chunks_exact(3).map(|f| [f[0] as u32, f[1] as u32, f[2] as u32]).collect();
    let (solid, weld) = (args.get(2)?.extract::<Option<bool>>()?, args.get(3)?.extract::<f64>()?);
    let layout = match args.0.len() {
        4 => None,
        _ => {
            let (order, children): (Vec<u8>, Vec<u8>) = (args.get(4)?.extract()?, args.get(5)?.extract()?);
            let number = |b: &[u8]| u32::from_le_bytes([b[0], b[1], b[2], b[3]]);
            Some(TreeLayout { order: order.chunks_exact(4).map(number).collect(), children })
        }
    };
    let build = move || -> Result<Body, String> {
        let mut mesh = Mesh::new(vertices, faces).map_err(|why| why.to_string())?;
        if weld > 0.0 || weld.is_nan() {
            mesh = mesh.welded(weld).map_err(|why| format!("weld: {why}"))?.0;
        }
        let mesh = Arc::new(mesh);
        let shape = match solid {
            Some(false) => Shape::Mesh(mesh),
            Some(true) => Shape::Solid(Arc::new(Solid::new(mesh).map_err(|why| format!("solid: {why}"))?)),
            None => return Ok(sudar_clash::body_of(mesh)),
        };
        match layout {
            Some(layout) => Body::with_layout(shape, &layout).map_err(|why| why.to_string()),
            None => Ok(Body::new(shape)),
        }
    };
    aside_if(py, corners.len() > 3 * LARGE, build)?.map_err(PyValueError::new_err)
}

fn height_field(args: &Arguments<'_, '_>) -> PyResult<Shape> {
    let heights = Numbers::one(&args.get(0)?, "heights", &[0, 0])?;
    let cell = Numbers::one(&args.get(1)?, "cell", &[2])?;
    let known: Vec<Option<f64>> = heights.all().iter().map(|h| (!h.is_nan()).then_some(*h)).collect();
    let columns = heights.size(1);
    if columns == 0 {
        return Err(PyValueError::new_err("heights: needs at least two rows and columns, found none"));
    }
    let field = HeightField::new(columns, &known, DVec2::from_slice(cell.all())).map_err(refused)?;
    Ok(Shape::HeightField(Arc::new(field)))
}

/// A compound of bodies and their poses, which share mesh and tree with these.
fn compound(args: &Arguments<'_, '_>) -> PyResult<Body> {
    let bodies: Vec<Bound<'_, PyAny>> = args.get(0)?.try_iter()?.collect::<PyResult<_>>()?;
    let poses = Poses::new(Some(&args.get(1)?), "poses")?.all("poses")?;
    let mut parts: Vec<(Body, Pose)> = Vec::with_capacity(bodies.len());
    for (i, (body, pose)) in bodies.into_iter().zip(poses).enumerate() {
        let body = body.cast_into::<PyBody>().map_err(|_| {
            PyTypeError::new_err(format!("parts[{i}]: must be a shape of sudar with its pose"))
        })?;
        parts.push((body.get().body.clone(), pose));
    }
    Body::compound(parts).map_err(refused)
}

fn parts<'py>(py: Python<'py>, body: &Body) -> PyResult<Bound<'py, PyTuple>> {
    let list = body.parts();
    let bodies = list.iter().map(|(part, _)| Bound::new(py, PyBody { body: part.clone() }));
    let bodies = PyList::new(py, bodies.collect::<PyResult<Vec<_>>>()?)?;
    let poses = matrices(py, &list.iter().map(|(_, pose)| *pose).collect::<Vec<_>>())?;
    PyTuple::new(py, [bodies.into_any(), poses])
}

/// Poses as an array (n, 4, 4).
pub fn matrices<'py>(py: Python<'py>, poses: &[Pose]) -> PyResult<Bound<'py, PyAny>> {
    let numbers = poses.iter().flat_map(matrix).collect();
    Ok(array(py, numbers, &[poses.len()], &[4, 4])?.into_any())
}

/// The matrices of poses, with their leading dimensions.
#[pyfunction(name = "matrix")]
#[pyo3(signature = (pose=None))]
pub fn matrix_of<'py>(py: Python<'py>, pose: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
    let poses = Poses::new(pose, "pose")?;
    let numbers = poses.all("pose")?.iter().flat_map(matrix).collect();
    Ok(array(py, numbers, poses.lead(), &[4, 4])?.into_any())
}

/// The numbers of a pose, row by row.
pub fn matrix(pose: &Pose) -> [f64; 16] {
    let (r, t) = (pose.rotation().transpose(), pose.translation());
    let row = |axis: DVec3, t: f64| [axis.x, axis.y, axis.z, t];
    let rows = [row(r.x_axis, t.x), row(r.y_axis, t.y), row(r.z_axis, t.z), [0.0, 0.0, 0.0, 1.0]];
    std::array::from_fn(|i| rows[i / 4][i % 4])
}

fn arguments<'py>(py: Python<'py>, body: &Body) -> PyResult<Bound<'py, PyTuple>> {
    let one = |p: DVec3| points(py, &[p]).and_then(|a| Ok(a.reshape([3])?.into_any()));
    let number = |x: f64| Ok::<_, PyErr>(pyo3::types::PyFloat::new(py, x).into_any());
    let all: Vec<Bound<'py, PyAny>> = match body.shape() {
        Shape::Mesh(mesh) => return mesh_arguments(py, body, mesh, false),
        Shape::Solid(solid) => return mesh_arguments(py, body, solid.mesh(), true),
        Shape::Compound(_) => return parts(py, body),
        Shape::Triangle(t) => vec![one(t.a)?, one(t.b)?, one(t.c)?],
        Shape::Segment(s) => vec![one(s.a)?, one(s.b)?],
        Shape::Point(p) => vec![one(*p)?],
        Shape::Sphere(s) => vec![number(s.radius)?, one(s.center)?],
        Shape::Cuboid(c) => vec![one(c.half)?],
        Shape::Capsule(c) => vec![number(c.radius)?, number(c.half_length)?],
        Shape::Cylinder(c) => vec![number(c.radius)?, number(c.half_length)?],
        Shape::Cone(c) => vec![number(c.radius)?, number(c.half_length)?],
        Shape::Ellipsoid(e) => vec![one(e.radii)?],
        Shape::Halfspace(h) => vec![one(h.normal)?, number(h.offset)?],
        Shape::Hull(hull) => vec![points(py, hull.vertices())?.into_any()],
        Shape::PointCloud(cloud) => vec![points(py, cloud.points())?.into_any()],
        Shape::HeightField(field) => {
            let heights = field.heights().iter().map(|h| h.unwrap_or(f64::NAN)).collect();
            let cell = field.cell_size().to_array().to_vec();
            vec![
                array(py, heights, &[field.rows()], &[field.columns()])?.into_any(),
                array(py, cell, &[2], &[])?.into_any(),
            ]
        }
    };
    PyTuple::new(py, all)
}

/// Vertices, faces, solid, no welding, and the layout of the tree as bytes.
fn mesh_arguments<'py>(
    py: Python<'py>,
    body: &Body,
    mesh: &Mesh,
    solid: bool,
) -> PyResult<Bound<'py, PyTuple>> {
    let faces: Vec<u32> = mesh.triangles().iter().flatten().copied().collect();
    let faces = array(py, faces, &[mesh.triangles().len()], &[3])?;
    let layout = body.tree().map(sudar::tree::WideTree::layout).unwrap_or_default();
    let order: Vec<u8> = layout.order.iter().flat_map(|i| i.to_le_bytes()).collect();
    let bytes = |data: &[u8]| pyo3::types::PyBytes::new(py, data).into_any();
    PyTuple::new(
        py,
        [
            points(py, mesh.vertices())?.into_any(),
            faces.into_any(),
            pyo3::types::PyBool::new(py, solid).to_owned().into_any(),
            pyo3::types::PyFloat::new(py, 0.0).into_any(),
            bytes(&order),
            bytes(&layout.children),
        ],
    )
}
