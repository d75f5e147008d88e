//! Fuzz target: see `lessons::read`.
#![no_main]
use lockstep_fuzz::{begin, lessons};

libfuzzer_sys::fuzz_target!(init: begin("lessons"), |bytes: &[u8]| lessons::read(bytes));
