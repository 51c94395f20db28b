//! Tells the code whether kernels are functions of their own instead of being inlined always (`opt_level_0`): without
//! optimisation, where frames would be too large; on targets without SIMD, where the plain code of inlined kernels
//! takes minutes and gigabytes to compile; and on WebAssembly, whose programs have one level throughout, so that
//! kernels need not be inlined to have it: the code is smaller and as fast.

use std::env::var;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(opt_level_0)");
    if var("OPT_LEVEL").is_ok_and(|level| level == "0") || !has_levels() {
        println!("cargo::rustc-cfg=opt_level_0");
    }
}

/// Whether the processor may have more than one of the levels that crate `fearless_simd` knows, or always has one.
fn has_levels() -> bool {
    let features = var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    features.split(',').any(|feature| matches!(feature, "sse2" | "neon"))
}
