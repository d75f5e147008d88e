//! Fuzz target: see `protocol::split_line`.
#![no_main]
use lockstep_fuzz::{begin, protocol};

libfuzzer_sys::fuzz_target!(init: begin("split_line"), |bytes: &[u8]| protocol::split_line(bytes));
