//! Data of chunks: moves texts that only a chunk reads out of the first part.
//!
//! The sources mark such a text (`src/i18n/late.rs`): `<late traffic> … </late>`, both marks inside the constant. It is cut out of the
//! first part, which has zeros there, and written to the same address of the shared memory when the chunk is joined.
use anyhow::{Context, Result, bail};

use super::Chunks;
use super::program::Program;

/// Start of an opening mark, before the name of the chunk.
const BEGIN: &[u8] = b"<late ";
/// End of an opening mark.
const NAMED: u8 = b'>';
/// The closing mark.
const END: &[u8] = b"</late>";

/// A marked text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Late<'a> {
    /// The chunk.
    pub chunk: usize,
    /// Its address in memory.
    pub place: u32,
    /// Its bytes, marks included.
    pub bytes: &'a [u8],
}

fn find(bytes: &[u8], sought: &[u8]) -> Option<usize> {
    bytes.windows(sought.len()).position(|window| window == sought)
}

/// Splits these bytes before the first occurrence of a pattern.
fn split_before<'a>(bytes: &'a [u8], sought: &[u8]) -> Option<(&'a [u8], &'a [u8])> {
    find(bytes, sought).and_then(|at| bytes.split_at_checked(at))
}

/// All marked texts of a program.
///
/// # Errors
/// If a text has no closing mark, or names an unknown chunk.
pub fn texts<'a>(program: &Program<'a>, chunks: &Chunks) -> Result<Vec<Late<'a>>> {
    let mut texts = Vec::new();
    for (from, data) in &program.data {
        let (mut at, mut rest) = (*from as usize, *data);
        while let Some((before, text)) = split_before(rest, BEGIN) {
            let name = text.split(|byte| *byte == NAMED).next().and_then(|mark| mark.strip_prefix(BEGIN));
            let name = String::from_utf8_lossy(name.unwrap_or_default());
            let Some(chunk) = chunks.names.iter().position(|chunk| *chunk == name) else {
                bail!("there is no chunk {:.32} for late data", name);
            };
            let length = find(text, END).context("late data has no end")? + END.len();
            let Some((bytes, behind)) = text.split_at_checked(length) else { break };
            let place = at + before.len();
            texts.push(Late { chunk, place: u32::try_from(place)?, bytes });
            (at, rest) = (place + length, behind);
        }
    }
    Ok(texts)
}

/// These bytes of the first part, which are at this address, without late texts.
pub fn without(texts: &[Late<'_>], from: u32, bytes: &[u8]) -> Vec<u8> {
    let mut left = bytes.to_vec();
    for text in texts {
        let begin = text.place.checked_sub(from).map(|begin| begin as usize);
        if let Some(place) = begin.and_then(|begin| left.get_mut(begin..begin + text.bytes.len())) {
            place.fill(0);
        }
    }
    left
}

/// Zeros that are left out of the data of the first part. Fewer in a row compress to less than another piece of data takes.
const ZEROS: usize = 256;

/// The bytes at this address in pieces, without long runs of zeros.
pub fn without_zeros(from: u32, bytes: &[u8]) -> Vec<(u32, &[u8])> {
    let mut pieces = Vec::new();
    let mut begin = 0;
    while let Some(rest) = bytes.get(begin..).filter(|rest| !rest.is_empty()) {
        let zeros = rest.iter().take_while(|byte| **byte == 0).count();
        let rest = rest.get(if zeros >= ZEROS || zeros == rest.len() { zeros } else { 0 }..).unwrap_or_default();
        begin = bytes.len().saturating_sub(rest.len());
        let end = rest.windows(ZEROS).position(|window| window.iter().all(|byte| *byte == 0)).unwrap_or(rest.len());
        let piece = rest.get(..end).unwrap_or_default();
        if !piece.is_empty() {
            pieces.push((from.saturating_add(begin as u32), piece));
        }
        begin = begin.saturating_add(end);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_runs_of_zeros_are_left_out() {
        let zeros = |count| vec![0; count];
        let bytes = [b"one".to_vec(), zeros(ZEROS), b"two".to_vec(), zeros(ZEROS - 1), b"three".to_vec()].concat();
        let two = [b"two".to_vec(), zeros(ZEROS - 1), b"three".to_vec()].concat();
        assert_eq!(without_zeros(8, &bytes), [(8, &b"one"[..]), (8 + 3 + ZEROS as u32, &two[..])]);
        let around = [zeros(3 * ZEROS), b"one".to_vec(), zeros(2 * ZEROS)].concat();
        assert_eq!(without_zeros(0, &around), [(3 * ZEROS as u32, &b"one"[..])]);
        assert!(without_zeros(8, &zeros(5)).is_empty());
        assert!(without_zeros(8, &[]).is_empty());
    }
}
