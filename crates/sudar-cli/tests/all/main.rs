//! Tests that run the command, in one program. `cargo test -p sudar-cli --test all replay` runs those of one module.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "all of this is test code")]

mod bench;
mod bim_page;
mod bounds;
mod clash;
mod clash_baseline;
mod clash_bcf;
mod clash_benchmark;
mod clash_files;
mod clash_growth;
mod clash_places;
mod clash_report;
mod clash_review;
mod clash_table;
mod clash_watch;
mod commands;
mod cull;
mod errors;
mod hull;
mod mass;
mod pack;
mod pairs;
mod ray;
mod replay;
mod replay_budgets;
mod replay_shapes;
mod reproduce;
mod robot;
mod simulate;
mod stored_poses;
mod support;
mod sweeps;
mod welding;
