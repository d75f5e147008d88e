//! Fuzz target: see `entry::split_line`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| lockstep_fuzz::entry::split_line(bytes));
