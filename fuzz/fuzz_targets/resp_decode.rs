//! Fuzz target: see `entry::resp_decode`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| lockstep_fuzz::entry::resp_decode(bytes));
