//! The entry points of the fuzz targets, run by the ordinary tests: no input makes them panic.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
use proptest::prelude::*;

#[path = "../../../fuzz/src/protocol.rs"]
mod protocol;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn decoding_any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        protocol::resp_decode(&bytes);
    }

    #[test]
    fn decoding_bytes_like_resp(text in "([*$:+_#,(!=%~>|;.-]([0-9]{1,3}|-1|\\?|[a-z ]{0,4})\r\n){0,12}") {
        protocol::resp_decode(text.as_bytes());
    }

    #[test]
    fn splitting_any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..100)) {
        protocol::split_line(&bytes);
    }

    #[test]
    fn splitting_quotes(text in "[ '\"\\\\xna0-9\\x00]{0,40}") {
        protocol::split_line(text.as_bytes());
    }
}
