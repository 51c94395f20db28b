//! Sudar beside other libraries.

fn main() {}
