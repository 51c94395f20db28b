//! Tells the code whether kernels are functions of their own instead of being inlined (`opt_level_0`): without
//! optimisation, where frames would be too large, and on targets without SIMD, where the plain code of inlined kernels
//! takes minutes and gigabytes to compile.

use std::env::var;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(opt_level_0)");
    if var("OPT_LEVEL").is_ok_and(|level| level == "0") || !has_simd() {
        println!("cargo::rustc-cfg=opt_level_0");
    }
}

/// Whether the target always has one of the levels that crate `fearless_simd` knows.
fn has_simd() -> bool {
    let features = var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    features.split(',').any(|feature| matches!(feature, "sse2" | "neon" | "simd128"))
}
