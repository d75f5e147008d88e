//! Fuzz target: see `protocol::resp_decode`.
#![no_main]
use lockstep_fuzz::{begin, protocol};

libfuzzer_sys::fuzz_target!(init: begin("resp_decode"), |bytes: &[u8]| protocol::resp_decode(bytes));
