//! The ledger of messages that programs report: totals, and the messages that need attention.
use std::ops::RangeInclusive;

use world::{KeySums, Ledger, Message, World};

/// How many messages are listed.
pub const LISTED_MAX: usize = 50;

/// How many keys are compared: with one key, the totals say it already, and more keys are ids rather than categories.
const KEYS: RangeInclusive<usize> = 2..=12;

/// The totals of the ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sums {
    /// Messages that were produced.
    pub produced: u64,
    /// Messages that were processed at least once.
    pub processed: u64,
    /// Messages that were processed more than once.
    pub repeated: u64,
    /// Messages that were produced and not processed.
    pub open: u64,
    /// Messages that were processed out of order.
    pub disordered: u64,
    /// Whether all programs have ended: then open messages are lost.
    pub is_end: bool,
}

impl Sums {
    /// The totals of this world; `None` if no program reported a message.
    pub fn of(world: &World) -> Option<Sums> {
        let ledger = world.watch().ledger();
        let sums = Sums {
            produced: ledger.produced(),
            processed: ledger.processed(),
            repeated: ledger.repeated(),
            open: ledger.open(),
            disordered: ledger.disordered(),
            is_end: world.is_end(),
        };
        (!ledger.is_empty()).then_some(sums)
    }
}

/// The totals of each key, if there are enough keys to compare.
pub fn keyed(ledger: &Ledger) -> Vec<KeySums> {
    ledger.by_key(*KEYS.end()).filter(|sums| sums.len() >= *KEYS.start()).unwrap_or_default()
}

/// The listed messages: first those that were not processed, then those processed more than once, then the rest, each in production order.
/// Also returns the total number.
pub fn listed(ledger: &Ledger) -> (Vec<(&[u8], &Message)>, usize) {
    let mut messages: Vec<(&[u8], &Message)> = ledger.messages().collect();
    let rank = |message: &Message| match message.times {
        0 => 0_u8,
        1 => 2,
        _ => 1,
    };
    let place =
        |(_, message): &(&[u8], &Message)| (rank(message), message.produced.unwrap_or(u64::MAX), message.processed);
    let count = messages.len();
    // Only listed messages need sorting.
    if count > LISTED_MAX {
        messages.select_nth_unstable_by_key(LISTED_MAX, place);
        messages.truncate(LISTED_MAX);
    }
    messages.sort_by_key(place);
    (messages, count)
}

#[cfg(test)]
mod tests {
    use world::{Act, Input, Settings};

    use super::*;

    fn after(program: &str) -> World {
        let engines = world::Engines::new(lua_machine::LuaMachine::new(), lua_machine::LuaPlayer::new());
        let mut world = World::with_engines(Settings::default(), &engines);
        world.step(&Input::Connect { client: 0, name: "c1".into() }).unwrap();
        world.step(&Input::Program { client: 0, act: Act::load(program.to_owned().into()) }).unwrap();
        world
    }

    #[test]
    fn totals_and_lists_match_the_programs() {
        assert_eq!(Sums::of(&after("sleep(1)")), None);
        let world =
            after("for id = 1, 4 do produced(id) end processed(2) processed(1) processed(2) processed(4) sleep(1)");
        let sums = Sums { produced: 4, processed: 3, repeated: 1, open: 1, disordered: 1, is_end: false };
        assert_eq!(Sums::of(&world), Some(sums));
        let (rows, count) = listed(world.watch().ledger());
        let ids: Vec<&[u8]> = rows.iter().map(|(id, _)| *id).collect();
        assert_eq!((ids, count), (vec![b"3".as_ref(), b"2", b"1", b"4"], 4));
        assert_eq!(rows[1].1.times, 2);
    }

    #[test]
    fn keys_are_compared_if_there_are_enough() {
        let keys = |count: u64| {
            let mut ledger = Ledger::default();
            for id in 0..count {
                ledger.produce(&id.to_string().into(), Some(&format!("key {id}").into()));
                ledger.produce(&format!("more {id}").into(), Some(&format!("key {id}").into()));
            }
            let sums = keyed(&ledger);
            assert!(sums.iter().all(|sums| (sums.produced, sums.open()) == (2, 2)));
            sums.iter().map(|sums| String::from_utf8_lossy(&sums.key).into_owned()).collect::<Vec<_>>()
        };
        assert_eq!([keys(0), keys(1), keys(13)], [[""; 0]; 3]);
        assert_eq!(keys(2), ["key 0", "key 1"]);
        assert_eq!(keys(12).len(), 12);
    }

    #[test]
    fn open_messages_are_listed_first() {
        let mut ledger = Ledger::default();
        assert_eq!(listed(&ledger), (Vec::new(), 0));
        for id in 0..6_000_u64 {
            ledger.produce(&id.to_string().into(), None);
            if id % 100 != 7 {
                ledger.process(&id.to_string().into());
            }
        }
        let (rows, count) = listed(&ledger);
        assert_eq!((rows.len(), count), (LISTED_MAX, 6_000));
        let ids: Vec<String> = rows.iter().map(|(id, _)| String::from_utf8_lossy(id).into_owned()).collect();
        let open: Vec<String> = (0..LISTED_MAX).map(|n| (n * 100 + 7).to_string()).collect();
        assert_eq!(ids, open);
    }
}
