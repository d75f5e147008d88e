//! Fuzz target: see `statements::execute`.
#![no_main]
use lockstep_fuzz::{begin, mutate, statements};

libfuzzer_sys::fuzz_target!(init: begin("statements"), |bytes: &[u8]| statements::execute(bytes));

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate::change(mutate::Shape::Commands, data, size, max_size, seed)
});
