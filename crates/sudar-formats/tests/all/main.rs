//! Tests of all readers, in one program.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "all of this is test code")]

mod examples;
mod ifc;
mod ifc_shapes;
mod mutations;
mod named;
mod real_files;
