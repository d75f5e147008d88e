//! Fuzz target: see `codec::decode`.
#![no_main]
use lockstep_fuzz::{begin, codec};

libfuzzer_sys::fuzz_target!(init: begin("codec"), |bytes: &[u8]| codec::decode(bytes));
