//! Robots against closed forms, the pairwise library, and dense samples.

mod arms;
mod attached;
mod clearance;
mod configurations;
mod edges;
mod files;
mod kinematics;
mod planning;
