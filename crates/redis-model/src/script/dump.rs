//! `FUNCTION DUMP` and `FUNCTION RESTORE`: function libraries in Redis' payload format.
//!
//! ```text
//!   (245 length text)*  version u16le  CRC-64 u64le of everything before
//! ```
//! Lengths are encoded as in RDB files (6, 14 or 32 bits, the first two bits say which); a text may be compressed with LZF, which is
//! read but not written. Source: the RDB format as documented by its readers, and payloads of a real server.
use bytes::Bytes;

use crate::Error;

/// The version of RDB that Redis 7.0 writes, and the highest that it reads.
const RDB_VERSION: u16 = 10;
/// The byte before a library.
const OPCODE_FUNCTION: u8 = 245;
/// Version and checksum.
const FOOTER_LEN: usize = 10;
/// Maximum uncompressed length that a compressed text may claim, in bytes.
const TEXT_LEN_MAX: usize = 64 << 20;

/// The error for a bad payload whose checksum is right.
const CORRUPT: Error = Error::Text("ERR failed loading functions payload");

/// Encodes library texts as a payload.
pub(crate) fn to_payload<'a>(texts: impl Iterator<Item = &'a Bytes>) -> Bytes {
    let mut payload = Vec::new();
    for text in texts {
        payload.push(OPCODE_FUNCTION);
        push_length(&mut payload, text.len());
        payload.extend_from_slice(text);
    }
    payload.extend_from_slice(&RDB_VERSION.to_le_bytes());
    let checksum = crc64(&payload);
    payload.extend_from_slice(&checksum.to_le_bytes());
    Bytes::from(payload)
}

fn push_length(out: &mut Vec<u8>, len: usize) {
    let len = u32::try_from(len).unwrap_or(u32::MAX);
    let [.., high, low] = len.to_be_bytes();
    match len {
        0..64 => out.push(low),
        64..16_384 => out.extend([0x40 | high, low]),
        _ => {
            out.push(0x80);
            out.extend(len.to_be_bytes());
        }
    }
}

/// Decodes the library texts of a payload.
///
/// # Errors
/// The version or the checksum is wrong, or the payload does not contain functions.
pub(crate) fn from_payload(payload: &[u8]) -> Result<Vec<Bytes>, Error> {
    const WRONG: Error = Error::Text("ERR DUMP payload version or checksum are wrong");
    let (body, footer) =
        payload.len().checked_sub(FOOTER_LEN).and_then(|at| payload.split_at_checked(at)).ok_or(WRONG)?;
    let (version, checksum) = footer.split_first_chunk::<2>().ok_or(WRONG)?;
    let version = u16::from_le_bytes(*version);
    let checksum = checksum.first_chunk::<8>().map_or(0, |bytes| u64::from_le_bytes(*bytes));
    let covered = payload.get(..body.len().saturating_add(2)).unwrap_or_default();
    if version > RDB_VERSION || checksum != crc64(covered) {
        return Err(WRONG);
    }
    let mut reader = DumpReader { left: body };
    let mut texts = Vec::new();
    while let Some(opcode) = reader.byte() {
        if opcode != OPCODE_FUNCTION {
            return Err(Error::Text("ERR given type is not a function"));
        }
        texts.push(reader.text().ok_or(CORRUPT)?);
    }
    Ok(texts)
}

struct DumpReader<'a> {
    left: &'a [u8],
}

impl<'a> DumpReader<'a> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.left.split_first()?;
        self.left = rest;
        Some(*first)
    }

    fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let (head, rest) = self.left.split_at_checked(len)?;
        self.left = rest;
        Some(head)
    }

    fn length_from(&mut self, first: u8) -> Option<usize> {
        match first >> 6 {
            0 => Some(usize::from(first & 0x3f)),
            1 => Some(usize::from(first & 0x3f) << 8 | usize::from(self.byte()?)),
            _ if first == 0x80 => {
                let bytes: [u8; 4] = self.take(4)?.try_into().ok()?;
                usize::try_from(u32::from_be_bytes(bytes)).ok()
            }
            _ => None,
        }
    }

    fn length(&mut self) -> Option<usize> {
        let first = self.byte()?;
        self.length_from(first)
    }

    fn text(&mut self) -> Option<Bytes> {
        const LZF: u8 = 0xc3;
        match self.byte()? {
            LZF => {
                let packed = self.length()?;
                let len = self.length()?;
                let packed = self.take(packed)?;
                unpack(packed, len).map(Bytes::from)
            }
            first => {
                let len = self.length_from(first)?;
                self.take(len).map(Bytes::copy_from_slice)
            }
        }
    }
}

/// Unpacks LZF: a byte below 32 is the number of literal bytes that follow, minus one. Any other byte begins a back reference:
/// the first three bits are the length minus two (7: one more byte follows), the next thirteen the distance minus one.
fn unpack(packed: &[u8], len: usize) -> Option<Vec<u8>> {
    if len > TEXT_LEN_MAX {
        return None;
    }
    let mut reader = DumpReader { left: packed };
    let mut out = Vec::with_capacity(len);
    while let Some(control) = reader.byte() {
        if control < 32 {
            out.extend_from_slice(reader.take(usize::from(control).saturating_add(1))?);
        } else {
            let mut count = usize::from(control >> 5);
            if count == 7 {
                count = count.saturating_add(usize::from(reader.byte()?));
            }
            let distance = (usize::from(control & 0x1f) << 8 | usize::from(reader.byte()?)).saturating_add(1);
            let start = out.len().checked_sub(distance)?;
            for at in (start..).take(count.saturating_add(2)) {
                // The referenced bytes may overlap the bytes being written.
                out.push(*out.get(at)?);
            }
        }
        if out.len() > len {
            return None;
        }
    }
    (out.len() == len).then_some(out)
}

/// CRC-64 as Redis computes it: Jones polynomial, reflected, initial value zero, no final inversion.
fn crc64(bytes: &[u8]) -> u64 {
    /// 0xad93d23594c935a9 with its bits in reverse order.
    const POLYNOMIAL: u64 = 0x95ac_9329_ac4b_c9b5;
    bytes.iter().fold(0, |crc, byte| {
        (0..8).fold(crc ^ u64::from(*byte), |crc, _| (crc >> 1) ^ if crc & 1 == 1 { POLYNOMIAL } else { 0 })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_that_of_redis() {
        // The check value of CRC-64/Redis in the catalogue of parametrised CRC algorithms.
        assert_eq!(crc64(b"123456789"), 0xe9c6_d914_c4b8_d9ca);
    }

    #[test]
    fn payloads_of_a_real_server_are_read() {
        let empty = b"\n\x00]\x9b\\@\x0f\x7f\xa2\xda";
        assert_eq!(from_payload(empty).unwrap(), Vec::<Bytes>::new());
        assert_eq!(to_payload([].into_iter()), empty.as_slice());
        let one =
            b"\xf5@C#!lua name=a\nredis.register_function('a',function() return 'a' end)\n\x00\x08\xca\x1a\x9b+H\xb0Z";
        let texts = from_payload(one).unwrap();
        assert_eq!(texts, ["#!lua name=a\nredis.register_function('a',function() return 'a' end)"]);
        assert_eq!(to_payload(texts.iter()), one.as_slice());
    }

    #[test]
    fn overlapping_back_references_are_unpacked() {
        assert_eq!(unpack(b"\x00a\x20\x00", 4).unwrap(), b"aaaa");
        assert_eq!(unpack(b"\x01ab\xe0\x01\x01", 12).unwrap(), b"abababababab");
        assert_eq!(unpack(b"\x20\x00", 3), None, "nothing stands before it");
        assert_eq!(unpack(b"\x00a\x20\x00", 5), None, "too short");
    }

    #[test]
    fn a_damaged_payload_is_refused() {
        let mut payload = to_payload([Bytes::from_static(b"text")].iter()).to_vec();
        assert!(from_payload(&payload).is_ok());
        payload[2] ^= 1;
        assert_eq!(from_payload(&payload), Err(Error::Text("ERR DUMP payload version or checksum are wrong")));
        assert!(from_payload(b"").is_err());
    }
}
