//! Tests of whole checks, in one program.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "all of this is test code")]

mod assemblies;
mod cache;
mod clash;
mod deviations;
mod offsets;
mod regions;
mod same_place;
mod separation;
mod thin_regions;
