//! Any text as a session: it is rejected with a reason, or it is equal after writing and reading it again.
use world::{Engines, Timeline};

use crate::{commands::raises_a_bound, engine, memory};

/// Maximum bytes that an input may allocate, including keys, the events of every step, keyframes and the machine.
const BYTES_MAX: usize = 256 << 20;
/// Settings above these would remove the limits under test.
const KEY_BYTES_MAX: u64 = 4 << 20;
const WORD_BYTES_MAX: u64 = 1 << 20;

/// Reads, writes and reads again.
pub fn read(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if !is_bounded(&text) {
        return;
    }
    let engines = Engines { scripts: engine::scripts(), ..Engines::default() };
    memory::within(BYTES_MAX, || match Timeline::from_text(&text, &engines) {
        Err(why) => assert!(!why.to_string().is_empty()),
        Ok(timeline) => {
            let written = timeline.to_text();
            let again = Timeline::from_text(&written, &engines);
            let again = again.unwrap_or_else(|why| panic!("{why}, in what was written:\n{written}"));
            assert!(again == timeline, "another timeline:\n{written}");
            assert_eq!(again.to_text(), written, "written otherwise");
            assert_eq!(again.world().fingerprint(), timeline.world().fingerprint(), "another world:\n{written}");
        }
    });
}

/// Does a session keep its limits small? A session may set its own limits.
fn is_bounded(text: &str) -> bool {
    let mut bounds = (false, false);
    for line in text.lines() {
        match line.split_once(' ') {
            Some(("maxmemory", value)) => bounds.0 = is_within(value, KEY_BYTES_MAX),
            Some(("proto-max-bulk-len", value)) => bounds.1 = is_within(value, WORD_BYTES_MAX),
            _ => {}
        }
        let words = line.split_once("> ").and_then(|(_, words)| resp::split::split(words.as_bytes()).ok());
        if words.is_some_and(|argv| raises_a_bound(&argv)) {
            return false;
        }
    }
    bounds == (true, true)
}

fn is_within(value: &str, most: u64) -> bool {
    value.trim().parse().is_ok_and(|value: u64| (1..=most).contains(&value))
}
