//! Robots.

use std::path::PathBuf;

use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use sudar_robot::{LinkSpheres, LoadOptions, Robot, SphereOptions};

use crate::arrays::{Columns, array};
use crate::body::{PyBody, refused};
use crate::call::{Control, aside, watched};
use crate::input::{Numbers, Poses};

/// A robot: links and joints.
#[pyclass(name = "Robot", module = "sudar._core", frozen)]
pub struct PyRobot {
    pub robot: Robot,
}

/// Configurations (…, dof), and their leading dimensions.
pub fn configurations<'py>(robot: &Robot, given: &Bound<'py, PyAny>, name: &str) -> PyResult<Numbers<'py>> {
    let found = Numbers::new(given, name, &[0])?;
    if found.size(1) != robot.dof() {
        return Err(PyValueError::new_err(format!(
            "{name}: must have shape (…, {}), a number for each of the joints {}, not {} numbers",
            robot.dof(),
            robot.joint_names().join(", "),
            found.size(1)
        )));
    }
    Ok(found)
}

#[pymethods]
impl PyRobot {
    /// Reads a URDF or MJCF.
    #[staticmethod]
    fn load(
        py: Python<'_>,
        path: PathBuf,
        srdf: Option<PathBuf>,
        packages: Vec<(String, PathBuf)>,
        skip_missing_meshes: bool,
        narrow_by_mimics: bool,
    ) -> PyResult<Self> {
        let is_missing = !path.exists();
        let options = LoadOptions { srdf, packages, skip_missing_meshes, narrow_by_mimics };
        let robot = aside(py, move || Robot::load(path, &options))?.map_err(|why| {
            let text = why.to_string();
            if is_missing { PyOSError::new_err(text) } else { PyValueError::new_err(text) }
        })?;
        Ok(Self { robot })
    }

    /// All that the robot is.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.robot.to_bytes().map_err(refused)?))
    }

    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<Self> {
        let robot = py.detach(|| Robot::from_bytes(bytes)).map_err(refused)?;
        Ok(Self { robot })
    }

    /// Several robots as one, each by a name and with the pose of its root link.
    #[staticmethod]
    fn together(
        names: Vec<String>,
        robots: Vec<Bound<'_, Self>>,
        bases: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let bases = Poses::new(Some(bases), "bases")?.all("bases")?;
        let all: Vec<(&str, &Robot, sudar::Pose)> = names
            .iter()
            .zip(&robots)
            .zip(bases)
            .map(|((name, robot), base)| (name.as_str(), &robot.get().robot, base))
            .collect();
        Ok(Self { robot: Robot::together(&all).map_err(refused)? })
    }

    #[getter]
    fn name(&self) -> &str {
        self.robot.name()
    }

    #[getter]
    fn joint_names(&self) -> Vec<&str> {
        self.robot.joint_names()
    }

    #[getter]
    fn link_names(&self) -> Vec<&str> {
        self.robot.link_names()
    }

    #[getter]
    fn notes(&self) -> Vec<String> {
        self.robot.notes().to_vec()
    }

    /// Least and greatest value of each joint (dof, 2).
    fn limits<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let limits = self.robot.limits();
        let flat = limits.iter().flat_map(|limit| [limit.lower, limit.upper]).collect();
        Ok(array(py, flat, &[limits.len()], &[2])?.into_any())
    }

    /// The shape of a link in its frame, or None.
    fn body(&self, py: Python<'_>, link: &str) -> PyResult<Option<PyBody>> {
        let number = self.robot.link(link).ok_or_else(|| refused(format!("there is no link {link:?}")))?;
        let body = py.detach(|| self.robot.link_body(number)).map_err(refused)?;
        Ok(body.map(|body| PyBody { body }))
    }

    /// The poses of all links (…, links, 4, 4).
    #[pyo3(signature = (q, control))]
    fn forward<'py>(
        &self,
        py: Python<'py>,
        q: &Bound<'py, PyAny>,
        control: Option<Control<'py>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let q = configurations(&self.robot, q, "q")?;
        let numbers = q.all();
        let poses = watched(py, &control.unwrap_or_default(), None, |_, _| self.robot.forward(numbers))?;
        let lead: Vec<usize> = q.lead.iter().copied().chain([self.robot.links().len()]).collect();
        let flat = poses.map_err(refused)?.iter().flat_map(crate::body::matrix).collect();
        Ok(array(py, flat, &lead, &[4, 4])?.into_any())
    }

    /// The Jacobian of a point of a link (…, 6, dof).
    fn jacobian<'py>(
        &self,
        py: Python<'py>,
        link: &str,
        q: &Bound<'py, PyAny>,
        at: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (q, at) = (configurations(&self.robot, q, "q")?, crate::input::point(at, "point")?);
        let numbers = q.all();
        let found = py.detach(|| self.robot.jacobian(link, at, numbers)).map_err(refused)?;
        Ok(array(py, found, &q.lead, &[6, self.robot.dof()])?.into_any())
    }

    /// Spheres that cover links: for each link its name, rows of x, y, z, radius, how far they are beyond it, and
    /// whether it is covered.
    #[expect(clippy::type_complexity, reason = "the fields of links")]
    fn spheres<'py>(
        &self,
        py: Python<'py>,
        most: usize,
        radius: f64,
    ) -> PyResult<Vec<(String, Bound<'py, PyAny>, f64, bool)>> {
        let options = SphereOptions { most, radius };
        let found = py.detach(|| self.robot.spheres(&options)).map_err(refused)?;
        let link = |found: LinkSpheres| {
            let flat = found.spheres.iter().flat_map(|(p, radius)| [p.x, p.y, p.z, *radius]).collect();
            let rows = array(py, flat, &[found.spheres.len()], &[4])?.into_any();
            Ok((self.robot.links()[found.link].name.clone(), rows, found.beyond, found.is_covered))
        };
        found.into_iter().map(link).collect()
    }

    /// The robot with some of its joints only.
    fn group<'py>(&self, py: Python<'py>, names: Vec<String>, rest: &Bound<'py, PyAny>) -> PyResult<Self> {
        let rest = configurations(&self.robot, rest, "rest")?;
        let (names, rest): (Vec<&str>, _) = (names.iter().map(String::as_str).collect(), rest.all());
        let robot = py.detach(|| self.robot.group(&names, rest)).map_err(refused)?;
        Ok(Self { robot })
    }

    /// Configurations of a group as those of the whole robot.
    fn whole<'py>(&self, py: Python<'py>, q: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let q = configurations(&self.robot, q, "q")?;
        let found = self.robot.whole(q.all()).map_err(refused)?;
        let dof = self.robot.whole_dof();
        Ok(array(py, found, &q.lead, &[dof])?.into_any())
    }

    /// The groups of joints that the SRDF names.
    #[getter]
    fn groups(&self) -> Vec<(String, Vec<String>)> {
        self.robot.groups().iter().map(|group| (group.name.clone(), group.joints.clone())).collect()
    }

    /// The joints between two links.
    fn chain(&self, base: &str, tip: &str) -> PyResult<Vec<&str>> {
        self.robot.chain(base, tip).map_err(refused)
    }

    /// Random configurations within the limits (n, dof).
    fn sample<'py>(&self, py: Python<'py>, count: usize, seed: u64) -> PyResult<Bound<'py, PyAny>> {
        let found = py.detach(|| self.robot.sample(count, seed));
        Ok(array(py, found, &[count], &[self.robot.dof()])?.into_any())
    }

    /// Whether each configuration is within the limits, by a tolerance.
    fn within_limits<'py>(
        &self,
        py: Python<'py>,
        q: &Bound<'py, PyAny>,
        tolerance: f64,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let q = configurations(&self.robot, q, "q")?;
        let found = self.robot.within_limits(q.all(), tolerance).map_err(refused)?;
        Columns::default().bool(found.into_iter()).into_tuple(py, &q.lead)
    }
}
