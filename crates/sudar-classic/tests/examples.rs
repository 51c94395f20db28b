//! The example programs run. What they assert, they know from closed forms.

#![allow(clippy::panic, reason = "a test may fail")]

#[path = "../examples/detection.rs"]
mod detection;
#[path = "../examples/ray_body.rs"]
mod ray_body;
#[path = "../examples/static_indices.rs"]
mod static_indices;

type Program = (&'static str, fn() -> Result<(), Box<dyn std::error::Error>>);

const PROGRAMS: [Program; 3] =
    [("detection", detection::main), ("ray_body", ray_body::main), ("static_indices", static_indices::main)];

#[test]
fn every_example_runs() {
    for (name, main) in PROGRAMS {
        main().unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}
