//! Random worlds of joints of every kind that change while they run: no panic, no NaN.
//! `cargo +nightly fuzz run -s none joints`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sudar_testing::joints::Jumble;

fuzz_target!(|seed: u64| {
    Jumble::new(seed).run(120, true);
});
