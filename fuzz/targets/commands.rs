//! Fuzz target: see `commands::play`.
#![no_main]
use lockstep_fuzz::{begin, commands, mutate};

libfuzzer_sys::fuzz_target!(init: begin("commands"), |bytes: &[u8]| commands::play(bytes));

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate::change(mutate::Shape::Commands, data, size, max_size, seed)
});
