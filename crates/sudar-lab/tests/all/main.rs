//! Tests of the whole laboratory, without a window.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::explicit_write)]

mod explorer;
mod gl;
mod lab;
mod theatre;
