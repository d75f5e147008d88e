//! Fuzz target: see `lua::run`.
#![no_main]
use lockstep_fuzz::{begin, lua};

libfuzzer_sys::fuzz_target!(init: begin("lua"), |bytes: &[u8]| lua::run(bytes));
