//! The VRML reader on any bytes: `cargo +nightly fuzz run vrml`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sudar_formats::{Format, read_bytes};

fuzz_target!(|bytes: &[u8]| {
    // Most of what a fuzzer makes up would already fail at the header.
    let text = [b"#VRML V2.0 utf8\n", bytes].concat();
    if let Ok(model) = read_bytes(&text, Format::Vrml, "fuzz") {
        let _ = model.merged();
    }
});
