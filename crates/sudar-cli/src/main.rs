//! The `sudar` command.

fn main() {}
