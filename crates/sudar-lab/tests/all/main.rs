//! Tests of the whole laboratory, without a window.

mod explorer;
mod gl;
mod lab;
mod theatre;
