//! Fuzz target: see `programs::play`.
#![no_main]
use lockstep_fuzz::{begin, programs};

libfuzzer_sys::fuzz_target!(init: begin("programs"), |bytes: &[u8]| programs::play(bytes));
