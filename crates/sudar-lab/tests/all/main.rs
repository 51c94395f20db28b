//! Tests of the whole laboratory, without a window.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::explicit_write)]

mod boxes;
mod cars;
mod explorer;
mod gearbox;
mod gl;
mod joints;
mod lab;
mod level;
mod microscope;
mod restless;
mod robot;
mod theatre;
mod tunnel;
mod tunnels;
