//! `LCS`: the longest common subsequence of two strings, by dynamic programming as in Redis.
//!
//! ```text
//!        b0 b1 b2 …      cell (i, j): length of the longest common subsequence of the first i bytes of a and
//!    a0                  the first j of b. Equal bytes: diagonal + 1. Otherwise the larger of above and left.
//!    a1    ↖  ←          Walking back from the last cell along the arrows spells the subsequence from its end.
//!    a2    ↑  ↖
//! ```
//!
//! Redis keeps the whole table, four bytes per cell, and refuses strings whose table would exceed `proto-max-bulk-len`. Lengths are needed
//! for one row only, but the way back for every cell, so the model keeps one row of lengths and one bit per cell. It refuses the same
//! strings as Redis, as if it kept the whole table. This also limits the time: to about 10⁸ cells with Redis' defaults, or to `maxmemory` /
//! 4 cells if that is less.
use bytes::Bytes;
use resp::Value as Reply;

use super::{Command, Flags, Group, KeyFlags, KeySpec, Run};
use crate::{Answer, Ctx, Error, eviction::STARTUP_BYTES, value::string::Str};

pub(super) const LCS: Command = Command {
    name: "lcs",
    summary: "Find longest common substring",
    since: "7.0.0",
    complexity: "O(N*M) where N and M are the lengths of s1 and s2, respectively",
    arity: -3,
    flags: Flags::READONLY,
    keys: &[KeySpec::range(1, 1, 1, KeyFlags::READ)],
    syntax: "key1#0 key2#0 [LEN] [IDX] [MINMATCHLEN=len:int] [WITHMATCHLEN]",
    run: Run::Call(lcs),
    ..Command::of(Group::String)
};

fn lcs(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    // Redis looks both keys up before it checks their types.
    let (a, b) = (read_text(ctx, ctx.arg(1)), read_text(ctx, ctx.arg(2)));
    let (Ok(a), Ok(b)) = (a, b) else { return Err(Error::Text("ERR The specified keys must contain string values")) };
    let options = Options::parse(ctx)?;
    check_size(ctx, &a, &b)?;
    let table = Table::new(&a, &b);
    Ok(if options.idx {
        let matches = table.runs().filter(|run| run.len as i64 >= options.len_min);
        let matches = matches.map(|run| run.reply(options.with_len)).collect();
        Reply::Map(vec![
            (Reply::bulk("matches"), Reply::Array(matches)),
            (Reply::bulk("len"), Reply::Integer(table.len.into())),
        ])
    } else if options.len {
        Reply::Integer(table.len.into())
    } else {
        Reply::bulk(table.text())
    }
    .into())
}

fn read_text(ctx: &mut Ctx<'_>, key: &Bytes) -> Result<Bytes, Error> {
    Ok(ctx.read::<Str>(key)?.map(Str::to_bytes).unwrap_or_default())
}

/// Refuses strings that would take too much memory in Redis and too much time here.
fn check_size(ctx: &Ctx<'_>, a: &[u8], b: &[u8]) -> Result<(), Error> {
    const CELL_BYTES: u64 = 4;
    let side = |text: &[u8]| (text.len() as u64).saturating_add(1);
    let table_bytes = side(a).saturating_mul(side(b)).saturating_mul(CELL_BYTES);
    let config = &ctx.server.config;
    if table_bytes > config.proto_max_bulk_len {
        return Err(Error::Text("ERR Insufficient memory, transient memory for LCS exceeds proto-max-bulk-len"));
    }
    if config.maxmemory > 0 && table_bytes > config.maxmemory.saturating_sub(STARTUP_BYTES as u64) {
        return Err(Error::Text("ERR Insufficient memory, failed allocating transient memory for LCS"));
    }
    Ok(())
}

#[derive(Default)]
struct Options {
    idx: bool,
    len: bool,
    with_len: bool,
    len_min: i64,
}

impl Options {
    fn parse(ctx: &Ctx<'_>) -> Result<Options, Error> {
        let mut options = Options::default();
        let mut at = 3;
        while at < ctx.argv.len() {
            let next: usize = at.saturating_add(1);
            if ctx.is_word(at, "IDX") {
                options.idx = true;
            } else if ctx.is_word(at, "LEN") {
                options.len = true;
            } else if ctx.is_word(at, "WITHMATCHLEN") {
                options.with_len = true;
            } else if ctx.is_word(at, "MINMATCHLEN") && next < ctx.argv.len() {
                options.len_min = ctx.int(next)?;
                at = next;
            } else {
                return Err(Error::Syntax);
            }
            at = at.saturating_add(1);
        }
        if options.idx && options.len {
            return Err(Error::Text("ERR If you want both the length and indexes, please just use IDX."));
        }
        Ok(options)
    }
}

/// Result of the dynamic programming.
struct Table<'a> {
    a: &'a [u8],
    b: &'a [u8],
    len: u32,
    /// One bit per cell, row by row: true if the way back goes up, false if it goes left. Meaningless if the bytes are equal.
    is_up: Vec<u64>,
}

impl<'a> Table<'a> {
    fn new(a: &'a [u8], b: &'a [u8]) -> Table<'a> {
        let mut row = vec![0u32; b.len()];
        let mut is_up = Vec::new();
        let (mut word, mut bits) = (0u64, 0u32);
        for x in a {
            let (mut diagonal, mut left) = (0u32, 0u32);
            for (cell, y) in row.iter_mut().zip(b) {
                let above = *cell;
                let up = above > left;
                *cell = if x == y { diagonal.saturating_add(1) } else { above.max(left) };
                (diagonal, left) = (above, *cell);
                word |= u64::from(up) << bits;
                bits = (bits + 1) % u64::BITS;
                if bits == 0 {
                    is_up.push(std::mem::take(&mut word));
                }
            }
        }
        is_up.push(word);
        Table { a, b, len: row.last().copied().unwrap_or(0), is_up }
    }

    /// Positions of the common bytes in both strings, and the bytes, from the end.
    fn matches(&self) -> impl Iterator<Item = (usize, usize, u8)> {
        let (mut i, mut j) = (self.a.len(), self.b.len());
        std::iter::from_fn(move || {
            while let (Some(above), Some(left)) = (i.checked_sub(1), j.checked_sub(1)) {
                let (x, y) = (self.a.get(above)?, self.b.get(left)?);
                if x == y {
                    (i, j) = (above, left);
                    return Some((above, left, *x));
                }
                if self.leads_up(above, left) {
                    i = above;
                } else {
                    j = left;
                }
            }
            None
        })
    }

    fn leads_up(&self, i: usize, j: usize) -> bool {
        let cell = i as u64 * self.b.len() as u64 + j as u64;
        let word = usize::try_from(cell / 64).ok().and_then(|word| self.is_up.get(word)).copied().unwrap_or(0);
        word >> (cell % 64) & 1 == 1
    }

    fn text(&self) -> Vec<u8> {
        let mut text: Vec<u8> = self.matches().map(|(_, _, byte)| byte).collect();
        text.reverse();
        text
    }

    /// Runs of common bytes that are adjacent in both strings, from the end.
    fn runs(&self) -> impl Iterator<Item = Common> {
        let mut matches = self.matches().peekable();
        std::iter::from_fn(move || {
            let (a, b, _) = matches.next()?;
            let mut run = Common { a, b, len: 1 };
            while matches.next_if(|(a, b, _)| a + 1 == run.a && b + 1 == run.b).is_some() {
                run = Common { a: run.a - 1, b: run.b - 1, len: run.len + 1 };
            }
            Some(run)
        })
    }
}

/// `len` common bytes, at `a` in the first string and at `b` in the second.
struct Common {
    a: usize,
    b: usize,
    len: usize,
}

impl Common {
    fn reply(&self, with_len: bool) -> Reply {
        let last = self.len.saturating_sub(1);
        let span = |start: usize| Reply::Array(vec![start.into(), start.saturating_add(last).into()]);
        let mut parts = vec![span(self.a), span(self.b)];
        if with_len {
            parts.push(self.len.into());
        }
        Reply::Array(parts)
    }
}

#[cfg(test)]
mod tests {
    use super::Table;
    use proptest::prelude::*;

    /// Length by the definition, with the whole table.
    fn length(a: &[u8], b: &[u8]) -> usize {
        let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
        for (i, x) in a.iter().enumerate() {
            for (j, y) in b.iter().enumerate() {
                table[i + 1][j + 1] = if x == y { table[i][j] + 1 } else { table[i][j + 1].max(table[i + 1][j]) };
            }
        }
        table[a.len()][b.len()]
    }

    fn is_subsequence(part: &[u8], whole: &[u8]) -> bool {
        let mut rest = whole.iter();
        part.iter().all(|byte| rest.any(|other| other == byte))
    }

    proptest! {
        #[test]
        fn finds_a_longest_common_subsequence(
            a in prop::collection::vec(b'a'..b'e', 0..90),
            b in prop::collection::vec(b'a'..b'e', 0..90),
        ) {
            let table = Table::new(&a, &b);
            let text = table.text();
            prop_assert_eq!(table.len as usize, length(&a, &b));
            prop_assert_eq!(text.len(), table.len as usize);
            prop_assert!(is_subsequence(&text, &a) && is_subsequence(&text, &b));
            let mut spelled: Vec<Vec<u8>> = Vec::new();
            for run in table.runs() {
                prop_assert_eq!(&a[run.a..run.a + run.len], &b[run.b..run.b + run.len]);
                spelled.push(a[run.a..run.a + run.len].to_vec());
            }
            spelled.reverse();
            prop_assert_eq!(spelled.concat(), text);
        }
    }
}
