//! Robots against closed forms, the pairwise library, and dense samples.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "all of this is test code")]

mod arms;
mod attached;
mod bodies;
mod certificates;
mod changes;
mod clearance;
mod configurations;
mod edges;
mod files;
mod groups;
mod kinematics;
mod lists;
mod maps;
mod mjcf;
mod mjcf_refused;
mod mjcf_world;
mod peers;
mod planning;
mod plans;
mod reach;
mod signed;
mod spheres;
mod stored;
mod together;
mod together_mjcf;
mod trajectories;
mod turns;
