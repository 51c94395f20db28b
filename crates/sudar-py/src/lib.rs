//! The extension module of the Python package `sudar`: it converts, lets go of the interpreter, and calls the library.
//!
//! What people call is in `python/sudar`, which names the arguments, documents them and gives answers their names. Here
//! answers are tuples of arrays, one for each field.

mod arrays;
mod body;
mod call;
mod cell;
mod clash;
mod files;
mod input;
mod job;
mod lists;
mod manager;
mod numbers;
mod operands;
mod pairs;
mod plan;
mod robot;
mod single;
mod tools;
mod world;

use pyo3::prelude::*;

/// The extension module.
#[pymodule]
mod _core {
    #[pymodule_export]
    use super::body::{PyBody, matrix_of};
    #[pymodule_export]
    use super::call::forked;
    #[pymodule_export]
    use super::cell::{PyRobotCell, check_certificate};
    #[pymodule_export]
    use super::clash::clash;
    #[pymodule_export]
    use super::files::{load, octomap};
    #[pymodule_export]
    use super::job::{PyClashWorker, PyJob, begin_clash, digest, found_clash};
    #[pymodule_export]
    use super::lists::{contacts, local_minima, manifold};
    #[pymodule_export]
    use super::manager::PyManager;
    #[pymodule_export]
    use super::pairs::{distance, intersects, penetration, sweep, within};
    #[pymodule_export]
    use super::plan::{plan, reach, trajectory};
    #[pymodule_export]
    use super::robot::PyRobot;
    #[pymodule_export]
    use super::single::{closest_point, contains, mass, ray};
    #[pymodule_export]
    use super::tools::{
        broad_phases, check_proof, command, hull, pairs, proofs, replay, self_intersections, set_interpreter,
    };
    #[pymodule_export]
    use super::world::{PyCharacter, PyRecording, PyWorld};
}
