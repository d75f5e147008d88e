//! The command table: one row per command, one file per family.
//!
//! Recipe for a new command: write its row and its handler in its family's file, list the row in the family's `COMMANDS`, write its golden
//! script. No other code refers to it.
mod argument;
mod bitmap;
mod connection;
mod generic;
mod geo;
mod hash;
mod hyperloglog;
mod keys;
mod list;
mod pubsub;
mod random;
mod row;
mod scan;
mod scripting;
mod server;
mod set;
mod sorted_set;
mod stream;
mod string;
pub mod syntax;
mod transactions;
mod unmodelled;

use std::sync::LazyLock;

use bytes::Bytes;

use resp::Value;

use crate::{Answer, Ctx, Error, Server, client::ClientId, sorting};

pub use argument::{Arg, Kind};
pub use keys::{KeyAt, keys_of};
pub(crate) use keys::{keys_of_row, only_key};
pub use row::{
    Begin, Categories, Command, CommandId, Deprecation, Find, Flags, Group, Handler, KeyFlags, KeySpec, Run,
};
pub use scripting::needs_machine;
pub(crate) use scripting::script_flags;

/// The rows of every family.
static FAMILIES: &[&[Command]] = &[
    bitmap::COMMANDS,
    connection::COMMANDS,
    generic::COMMANDS,
    geo::COMMANDS,
    hash::COMMANDS,
    hyperloglog::COMMANDS,
    list::COMMANDS,
    pubsub::COMMANDS,
    scripting::COMMANDS,
    server::COMMANDS,
    set::COMMANDS,
    sorted_set::COMMANDS,
    stream::COMMANDS,
    string::COMMANDS,
    transactions::COMMANDS,
];

/// All rows, sorted by name.
pub fn all() -> impl Iterator<Item = &'static Command> {
    INDEX.iter().copied()
}

static INDEX: LazyLock<Vec<&'static Command>> = LazyLock::new(|| {
    let mut rows: Vec<&Command> = FAMILIES.iter().chain(unmodelled::FAMILIES).copied().flatten().collect();
    sorting::sort_by(&mut rows, |a, b| a.name.cmp(b.name));
    rows
});

/// Slots of the hash table from names to rows: about four times the number of rows.
const PLACES: usize = 1024;

/// Hash table of rows with the first eight bytes of their names (see [`head_of`]). Collisions move on to the next free slot.
static PLACE_OF_NAME: LazyLock<Vec<Option<(u64, &'static Command)>>> = LazyLock::new(|| {
    let mut places = vec![None; PLACES];
    for row in all() {
        let head = head_of(row.name.as_bytes());
        let from = place_of(head, row.name.as_bytes());
        if let Some(free) =
            (0..PLACES).map(|step| (from + step) % PLACES).find(|at| matches!(places.get(*at), Some(None)))
            && let Some(place) = places.get_mut(free)
        {
            *place = Some((head, row));
        }
    }
    places
});

/// The first eight bytes of a name as a little-endian number, in lower case.
pub(crate) fn head_of(name: &[u8]) -> u64 {
    const ALL: u64 = 0x0101_0101_0101_0101;
    let half = |bytes: &[u8; 4]| u64::from(u32::from_le_bytes(*bytes));
    let word = match (name.first_chunk(), name.first_chunk(), name.last_chunk()) {
        (Some(eight), ..) => u64::from_le_bytes(*eight),
        // Two groups of four bytes; where they overlap, the bits are the same.
        (None, Some(front), Some(back)) => half(front) | half(back) << ((name.len() - 4) * 8),
        _ => name.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)),
    };
    // Eight bytes at a time: the highest bit of each byte says whether it is at least `A`, and whether it is past `Z`.
    let low = word & (0x7f * ALL);
    let (from_a, past_z) = (low + (0x80 - 0x41) * ALL, low + (0x80 - 0x5b) * ALL);
    let capitals = from_a & !past_z & !word & (0x80 * ALL);
    word | capitals >> 2
}

/// The slot where the search for a name starts. It does not depend on the case of letters.
fn place_of(head: u64, name: &[u8]) -> usize {
    // In a letter, bit 32 is the case. The first eight bytes, the last byte and the length distinguish nearly all names.
    let last = name.last().map_or(0, |byte| u64::from(byte | 32));
    let mixed = (head ^ last << 32 ^ name.len() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 48) as usize % PLACES
}

/// The row of a name, in any case. This runs for every command; it usually examines one slot, rarely two.
pub fn by_name(name: &[u8]) -> Option<&'static Command> {
    let places = PLACE_OF_NAME.as_slice();
    let head = head_of(name);
    let mut at = place_of(head, name);
    // The table has free slots, so the search ends.
    while let Some((known, row)) = places.get(at).copied().flatten() {
        let is_named = |row: &Command| {
            row.name.len() == name.len() && (name.len() <= 8 || row.name.as_bytes().eq_ignore_ascii_case(name))
        };
        if known == head && is_named(row) {
            return Some(row);
        }
        at = (at + 1) % PLACES;
    }
    None
}

/// The row of a call. A container without a subcommand returns the container's row; its arity then refuses the call.
///
/// # Errors
/// [`Error::UnknownCommand`], [`Error::UnknownSubcommand`]
pub fn find(argv: &[Bytes]) -> Result<&'static Command, Error> {
    let (name, args) = argv.split_first().ok_or(Error::Syntax)?;
    let row = by_name(name).ok_or_else(|| Error::UnknownCommand { name: name.clone(), args: args.to_vec() })?;
    let (Run::Container | Run::ContainerOr(_), Some(word)) = (row.run, args.first()) else { return Ok(row) };
    row.subcommand(word)
        .ok_or_else(|| Error::UnknownSubcommand { name: word.clone(), container: row.name.to_ascii_uppercase() })
}

/// The reply of a container's `HELP`: a usage line, the lines for each subcommand, and the lines for `HELP` itself.
fn help(ctx: &Ctx<'_>, lines: &'static [&'static str]) -> Answer {
    let row = ctx.command;
    let container = if row.container.is_empty() { row.name } else { row.container }.to_ascii_uppercase();
    let head = format!("{container} <subcommand> [<arg> [value] [opt] ...]. Subcommands are:");
    let tail = ["HELP", "    Prints this help."];
    let lines = lines.iter().chain(&tail).map(|line| Value::simple(line));
    Value::Array([Value::Simple(head.into())].into_iter().chain(lines).collect()).into()
}

impl Server {
    /// Discards a client's transaction and unwatches its keys.
    pub(crate) fn discard_transaction(&mut self, id: ClientId) {
        let has_begun = self.clients.get(&id).is_some_and(|client| client.multi.is_some() || client.is_dirty);
        if has_begun && let Some(client) = self.clients.get_mut(&id) {
            let queued = client.multi.take().map_or(0, |multi| multi.bytes);
            self.queued_bytes = self.queued_bytes.saturating_sub(queued);
            client.is_dirty = false;
        }
        self.unwatch_all(id);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Command, all, by_name, head_of};

    /// The expected result of `by_name`, found by linear search.
    fn looked_for(name: &[u8]) -> Option<&'static str> {
        all().find(|row| row.name.as_bytes().eq_ignore_ascii_case(name)).map(|row| row.name)
    }

    fn found(name: &[u8]) -> Option<&'static str> {
        by_name(name).map(|row: &Command| row.name)
    }

    #[test]
    fn by_name_finds_every_command_in_any_case_and_no_similar_name() {
        for row in all() {
            let name = row.name.as_bytes();
            let mixed: Vec<u8> =
                name.iter().enumerate().map(|(at, b)| if at % 2 == 0 { b.to_ascii_uppercase() } else { *b }).collect();
            for written in [name.to_vec(), name.to_ascii_uppercase(), mixed] {
                assert_eq!(found(&written), Some(row.name));
            }
            for at in 0..name.len() {
                // Flips bits to get a neighbouring byte, a byte above 127, or a control byte.
                for flip in [0x01, 0x80, 0x60] {
                    let mut wrong = name.to_vec();
                    wrong[at] ^= flip;
                    assert_eq!(found(&wrong), looked_for(&wrong), "{wrong:?}");
                }
            }
            let longer = [name, b"\0"].concat();
            assert_eq!((found(&longer), found(&name[..name.len() - 1])), (None, looked_for(&name[..name.len() - 1])));
        }
        assert_eq!(found(b""), None);
    }

    #[test]
    fn head_of_a_name_is_its_first_eight_bytes_in_lower_case() {
        for (name, head) in [
            (&b""[..], 0),
            (b"G", u64::from(b'g')),
            (b"Get", u64::from_le_bytes(*b"get\0\0\0\0\0")),
            (b"EVAL", u64::from_le_bytes(*b"eval\0\0\0\0")),
            (b"Watch", u64::from_le_bytes(*b"watch\0\0\0")),
            (b"LPUSHX", u64::from_le_bytes(*b"lpushx\0\0")),
            (b"PSETEX1", u64::from_le_bytes(*b"psetex1\0")),
            (b"GETRANGE", u64::from_le_bytes(*b"getrange")),
            (b"ZRANGEBYSCORE", u64::from_le_bytes(*b"zrangeby")),
            // Only letters are lower-cased: not the bytes next to them, nor bytes above 127.
            (b"@AZ[`az{", u64::from_le_bytes(*b"@az[`az{")),
            (b"\xc1\xdaA", u64::from_le_bytes(*b"\xc1\xdaa\0\0\0\0\0")),
        ] {
            assert_eq!(head_of(name), head, "{name:?}");
        }
    }

    proptest! {
        #[test]
        fn by_name_agrees_with_a_linear_search(name in prop_oneof!["[a-zA-Z|]{0,14}".prop_map(String::into_bytes), prop::collection::vec(any::<u8>(), 0..14)]) {
            prop_assert_eq!(found(&name), looked_for(&name));
            let small: Vec<u8> = name.iter().map(u8::to_ascii_lowercase).chain([0; 8]).take(8).collect();
            prop_assert_eq!(head_of(&name).to_le_bytes().to_vec(), small);
        }
    }
}
