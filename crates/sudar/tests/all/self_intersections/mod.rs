//! Which triangles of one mesh meet elsewhere than where they are joined: against rational arithmetic on every pair of
//! small meshes most of which are degenerate, and on surfaces of which it is known. 10⁴ pairs by default; for more and
//! a table:
//!
//! ```text
//! SUDAR_ORACLE_SELF=1000000 cargo test --release -p sudar --test all self_intersections -- --nocapture
//! ```

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "all of this file is test code")]

mod models;
mod oracle;
