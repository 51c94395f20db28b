//! The COLLADA reader on any text: `cargo +nightly fuzz run collada`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sudar_formats::{Format, read_bytes};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(model) = read_bytes(bytes, Format::Collada, "fuzz") {
        let _ = model.merged();
    }
});
