//! Values compared with a real Redis 7.0.15: numbers, globs, encodings, sizes and the nodes of lists, by random trials.
//!
//! Needs `redis-server` on the `PATH`, so it is ignored by default:
//! `cargo test -p redis-model --test values_like_redis -- --ignored`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]
mod collections;
mod numbers;
mod server;
mod streams;
