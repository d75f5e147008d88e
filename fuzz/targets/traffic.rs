//! Fuzz target: see `traffic::run`.
#![no_main]
use lockstep_fuzz::{begin, traffic};

libfuzzer_sys::fuzz_target!(init: begin("traffic"), |bytes: &[u8]| traffic::run(bytes));
