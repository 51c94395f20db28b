//! The example program runs. What it asserts, it knows from closed forms.

#[path = "../../examples/files.rs"]
mod files;

#[test]
fn the_example_runs() {
    files::main().unwrap();
}
