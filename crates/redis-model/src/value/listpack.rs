//! Sizes of listpacks, byte for byte as Redis encodes them. Values "stored as a listpack" in the model need only these sizes.
//!
//! ```text
//! total bytes (4) │ number of entries (2) │ entry │ entry │ … │ 0xFF         an entry: encoding and data │ back length
//! ```
//! An entry whose text is an integer is stored as one, in 1, 2, 3, 4, 5 or 9 bytes; other bytes have a header of 1, 2 or 5 bytes.
//! The back length repeats the size of the entry, seven bits per byte, for walking from the tail.
use crate::value::number::{self, parse_i64};

/// Bytes of a listpack without entries: header and terminator.
pub const EMPTY_BYTES: usize = 7;

/// How a listpack stores an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// As an integer of this many bits: 7 (unsigned), 13, 16, 24, 32 or 64.
    Int(u8),
    /// As bytes with a length field of this many bits: 6, 12 or 32.
    Bytes(u8),
}

/// How a listpack stores `element`.
pub fn entry(element: &[u8]) -> Entry {
    match parse_i64(element) {
        Some(value) => Entry::Int(int_bits(value)),
        None => Entry::Bytes(match element.len() {
            0..64 => 6,
            64..4096 => 12,
            _ => 32,
        }),
    }
}

fn int_bits(value: i64) -> u8 {
    match value {
        0..=127 => 7,
        -4096..=4095 => 13,
        -32_768..=32_767 => 16,
        -8_388_608..=8_388_607 => 24,
        -2_147_483_648..=2_147_483_647 => 32,
        _ => 64,
    }
}

/// Bytes that `element` takes in a listpack, back length included.
pub fn entry_bytes(element: &[u8]) -> usize {
    let data = match entry(element) {
        Entry::Int(bits) => int_data_bytes(bits),
        Entry::Bytes(6) => 1 + element.len(),
        Entry::Bytes(12) => 2 + element.len(),
        Entry::Bytes(_) => 5 + element.len(),
    };
    data + back_length_bytes(data)
}

/// Bytes that an integer takes in a listpack, back length included.
pub fn int_bytes(value: i64) -> usize {
    let data = int_data_bytes(int_bits(value));
    data + back_length_bytes(data)
}

fn int_data_bytes(bits: u8) -> usize {
    match bits {
        7 => 1,
        13 => 2,
        bits => 1 + usize::from(bits) / 8,
    }
}

/// Bytes that a sorted set's score takes in a listpack: as an integer if its text is one.
pub fn score_bytes(score: f64) -> usize {
    // Redis tries integers up to half the range of an `i64`, 2^62.
    const WHOLE_MAX: f64 = 4_611_686_018_427_387_904.0;
    if score.trunc() == score && score.abs() <= WHOLE_MAX {
        return int_bytes(score as i64);
    }
    entry_bytes(number::format_double(score).as_bytes())
}

fn back_length_bytes(data: usize) -> usize {
    match data {
        0..=127 => 1,
        128..=16_382 => 2,
        16_383..=2_097_150 => 3,
        2_097_151..=268_435_454 => 4,
        _ => 5,
    }
}

/// Bytes of a listpack with these entries.
pub fn bytes<'a>(elements: impl IntoIterator<Item = &'a [u8]>) -> usize {
    EMPTY_BYTES + elements.into_iter().map(entry_bytes).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_have_the_sizes_that_redis_gives_them() {
        for (element, bytes) in [
            ("0", 2),
            ("127", 2),
            ("128", 3),
            ("-1", 3),
            ("4095", 3),
            ("-4096", 3),
            ("4096", 4),
            ("-32768", 4),
            ("32768", 5),
            ("8388608", 6),
            ("2147483648", 10),
            ("-9223372036854775808", 10),
            ("", 2),
            ("a", 3),
            ("007", 5),
        ] {
            assert_eq!(entry_bytes(element.as_bytes()), bytes, "{element}");
        }
        for (length, bytes) in
            [(63, 65), (64, 67), (125, 128), (126, 130), (4095, 4099), (4096, 4103), (16_378, 16_386)]
        {
            assert_eq!(entry_bytes(&vec![b'x'; length]), bytes, "{length} bytes");
        }
        assert_eq!((score_bytes(5.0), score_bytes(-0.0), score_bytes(0.5)), (2, 2, 5));
        assert_eq!((score_bytes(4e18), score_bytes(5e18)), (10, 7));
        assert_eq!(super::bytes([&b"field"[..], &b"1"[..]]), 7 + 7 + 2);
    }
}
