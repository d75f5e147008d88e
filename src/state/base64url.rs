//! Base64url without padding, the encoding of share links (RFC 4648, section 5).

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Encodes bytes as text.
pub fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let bits = group.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - group.len()));
        let sextets = [18, 12, 6, 0].map(|shift| (bits >> shift & 0x3f) as usize);
        let letters = sextets.iter().filter_map(|sextet| ALPHABET.get(*sextet)).map(|letter| char::from(*letter));
        text.extend(letters.take(group.len() + 1));
    }
    text
}

/// Decodes text; `None` if [`encode`] does not write such a text.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    for group in text.as_bytes().chunks(4) {
        let mut bits = 0_u32;
        for letter in group {
            let sextet = ALPHABET.iter().position(|known| known == letter)?;
            bits = bits << 6 | sextet as u32;
        }
        bits <<= 6 * (4 - group.len());
        let [_, whole @ ..] = bits.to_be_bytes();
        // A single letter is not a whole byte, and the unused bits of the last letter must be zero.
        let (filled, rest) = whole.split_at(group.len() - 1);
        if filled.is_empty() || rest.iter().any(|byte| *byte != 0) {
            return None;
        }
        bytes.extend_from_slice(filled);
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::{decode, encode};

    #[test]
    fn encodes_the_examples_of_the_standard() {
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg"),
            ("fo", "Zm8"),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg"),
            ("fooba", "Zm9vYmE"),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(encode(bytes.as_bytes()), text);
            assert_eq!(decode(text).as_deref(), Some(bytes.as_bytes()));
        }
        assert_eq!(encode(&[0xfb, 0xff]), "-_8");
    }

    #[test]
    fn every_byte_survives_encoding() {
        let all: Vec<u8> = (0..=255).collect();
        for len in 0..=all.len() {
            let bytes = all.iter().rev().take(len).copied().collect::<Vec<_>>();
            assert_eq!(decode(&encode(&bytes)), Some(bytes));
        }
    }

    #[test]
    fn damaged_text_is_refused() {
        for text in ["A", "Zm9vA", "Zg==", "Zm 9", "Zm+v", "Zh", "Zm9", "é"] {
            assert_eq!(decode(text), None, "{text}");
        }
    }
}
