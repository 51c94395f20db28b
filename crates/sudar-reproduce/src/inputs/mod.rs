//! Bodies, models and scenes of the experiments, the same on every machine.

pub mod bodies;
pub mod container;
pub mod models;
pub mod random;
