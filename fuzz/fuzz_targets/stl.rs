//! The Stl reader on any bytes: `cargo +nightly fuzz run stl`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sudar_formats::{Format, read_bytes};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(model) = read_bytes(bytes, Format::Stl, "fuzz") {
        let _ = model.merged();
    }
});
