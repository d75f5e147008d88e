//! Fuzz target: see `session::read`.
#![no_main]
use lockstep_fuzz::{begin, mutate, session};

libfuzzer_sys::fuzz_target!(init: begin("session"), |bytes: &[u8]| session::read(bytes));

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate::change(mutate::Shape::Session, data, size, max_size, seed)
});
