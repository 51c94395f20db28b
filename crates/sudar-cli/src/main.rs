//! The `sudar` command.
mod gearbox;
mod rules;

fn main() {}
