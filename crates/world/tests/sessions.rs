//! Recorded sessions with all their events: sessions from earlier versions, and one for each rule of worlds with nodes.
//!
//! `golden/` has one session per rule, stated in the comment at its head. `sessions/` has old sessions, which must still open, show the
//! same events and be written unchanged: lesson stories (`lesson-`), links to their counterexamples (`link-`), sessions stored by the page
//! (`page-`), records of `lockstep serve --record` (`serve-`), and random walks with faults, typed commands and branches (`walk-`). All of
//! them were recorded before worlds had several nodes. Beside each session is the list of its events (`.events`).
//! `SESSIONS_GOLDEN=write cargo test -p world --test sessions` rewrites the `.events` files. Do that only for an intended change: every
//! user who opens an old link sees it.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that cannot go on fails")]
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use redis_model::Entry;
use resp::cli;
use world::{Event, EventKind, StepId, Timeline};

/// The sessions of a folder.
fn sessions(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let mut found: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|end| end == "lockstep")).collect();
    found.sort();
    found
}

fn read(text: &str) -> Timeline {
    let engines = world::Engines::new(lua_machine::LuaMachine::new(), lua_machine::LuaPlayer::new());
    Timeline::from_text(text, &engines).unwrap()
}

/// The events of every step, one line each.
fn summary(timeline: &Timeline) -> String {
    let start_ms = timeline.settings().start_ms;
    let mut out = String::new();
    for id in 1..=timeline.step_count() {
        let step = timeline.step(StepId::try_from(id).unwrap()).unwrap();
        writeln!(out, "{id}").unwrap();
        for event in &step.events {
            let node = event.node.map_or("-".to_owned(), |node| node.to_string());
            writeln!(out, "  +{} {node} {}", event.at_ms - start_ms, words(event)).unwrap();
        }
    }
    out
}

fn words(event: &Event) -> String {
    match &event.kind {
        EventKind::Connected { client } => format!("c{client} connected"),
        EventKind::Renamed { client } => format!("c{client} renamed"),
        EventKind::Disconnected { client, reason } => format!("c{client} disconnected {reason:?}"),
        EventKind::Interrupted { client } => format!("c{client} interrupted"),
        EventKind::Typed { client, argv, until_ms, .. } => {
            format!("c{client} typed {} until {until_ms}", resp::split::quote_command(argv))
        }
        EventKind::Command { client, argv, db, is_in_multi } => {
            let multi = if *is_in_multi { " in multi" } else { "" };
            format!("c{client} command {} db {db}{multi}", resp::split::quote_command(argv))
        }
        EventKind::Reply { client, value, protocol } => {
            let answer = table::Answer::from_value(value);
            let text =
                answer.map_or_else(|| cli::text(value, *protocol), |answer| answer.print(0).trim_end().to_owned());
            format!("c{client} reply {}", said(&text))
        }
        EventKind::Push { client, value, protocol } => format!("c{client} push {}", said(&cli::text(value, *protocol))),
        EventKind::Held { client, value } => format!("c{client} held {value:?}"),
        EventKind::Blocked { client, wait } => format!("c{client} blocked {wait:?}"),
        EventKind::Unblocked { client } => format!("c{client} unblocked"),
        EventKind::KeyChanged { key, before, after } => format!("changed {key:?} {} {}", state(before), state(after)),
        EventKind::Flushed { db, keys } => format!("flushed {db} {keys}"),
        EventKind::Swapped { first, second } => format!("swapped {first} {second}"),
        EventKind::KeyExpired { key, before } => format!("expired {key:?} {}", state(before)),
        EventKind::KeyEvicted { key, before } => format!("evicted {key:?} {}", state(before)),
        EventKind::Refused { client } => format!("c{client} refused"),
        EventKind::Unreachable { client } => format!("c{client} unreachable"),
        EventKind::LinkChanged { client, act } => format!("c{client} link {act:?}"),
        EventKind::TooManyConnections { client } => format!("c{client} too many connections"),
        EventKind::RowWait { client, table, key, holders } => {
            format!("c{client} waits for {table:?} {key:?} of {holders:?}")
        }
        EventKind::RowChanged { client, table, key, before, after } => {
            format!("row {table:?} {key:?} by {client:?}: {} to {}", row(before.as_ref()), row(after.as_ref()))
        }
        EventKind::NodeCrashed => "crashed".to_owned(),
        EventKind::NodeRestarted { .. } => "restarted".to_owned(),
        EventKind::NodeClockShifted { ms } => format!("clock +{ms}ms"),
        EventKind::Program { client, thread, what } => format!("c{client}.{thread} {what:?}"),
        EventKind::TrafficBegan => "traffic began".to_owned(),
        EventKind::TrafficEnded => "traffic ended".to_owned(),
        EventKind::TrafficRan { ran } => format!(
            "traffic ran: {} came, {} answered, {} errors, {} statements",
            ran.arrived, ran.answered, ran.errors, ran.queries
        ),
        EventKind::Traffic { event } => {
            let place = |number: Option<u32>| number.map_or("-".to_owned(), |number| number.to_string());
            format!("request {} at {}.{}: {:?}", event.request, place(event.machine), place(event.worker), event.what)
        }
        EventKind::Broken { property, breach } => format!("broken {property} {breach:?}"),
    }
}

fn row(row: Option<&table::Row>) -> String {
    let cell = |cell: &table::Cell| match cell {
        table::Cell::Null => "NULL".to_owned(),
        cell => String::from_utf8_lossy(&cell.to_text()).into_owned(),
    };
    row.map_or("none".to_owned(), |row| row.iter().map(cell).collect::<Vec<_>>().join(", "))
}

/// A reply in one line: the beginning of a long one, with the fingerprint of the whole.
fn said(text: &str) -> String {
    match text.char_indices().nth(200) {
        Some((end, _)) => format!("{:?} … {}", &text[..end], script::fingerprint(&text)),
        None => format!("{text:?}"),
    }
}

fn state(entry: &Option<Entry>) -> String {
    let Some(Entry { value, expires_ms, .. }) = entry else { return "none".to_owned() };
    let expires = expires_ms.map_or(String::new(), |at_ms| format!(" until {at_ms}"));
    format!("{}/{}/{}B{expires}", value.type_name(), value.encoding(), value.memory())
}

/// Do the sessions of a folder have the recorded events?
fn say_what_they_said(folder: &str) {
    let is_writing = std::env::var("SESSIONS_GOLDEN").is_ok_and(|how| how == "write");
    for path in sessions(folder) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let golden = path.with_extension("events");
        let now = summary(&read(&fs::read_to_string(&path).unwrap()));
        if is_writing {
            fs::write(golden, now).unwrap();
            continue;
        }
        let then = fs::read_to_string(&golden).unwrap_or_else(|why| panic!("{}: {why}", golden.display()));
        if let Some((nth, (then, now))) = then.lines().zip(now.lines()).enumerate().find(|(_, (then, now))| then != now)
        {
            panic!("{name}, line {} of what happened:\n  then: {then}\n  now:  {now}", nth + 1);
        }
        assert_eq!(then.lines().count(), now.lines().count(), "{name}: as many things happen");
    }
}

#[test]
fn sessions_of_version_1_have_recorded_events() {
    assert!(sessions("sessions").len() > 60, "only {} sessions are there", sessions("sessions").len());
    say_what_they_said("sessions");
}

#[test]
fn worlds_with_nodes_have_recorded_events() {
    assert!(sessions("golden").len() > 10, "only {} rules are there", sessions("golden").len());
    say_what_they_said("golden");
}

#[test]
fn worlds_with_nodes_round_trip_in_version_2() {
    for path in sessions("golden") {
        let timeline = read(&fs::read_to_string(&path).unwrap());
        let text = timeline.to_text();
        assert!(text.starts_with("lockstep 2\n"), "{}", path.display());
        let again = read(&text);
        assert_eq!(again, timeline, "{}", path.display());
        // At every position, also when the cursor returns to it.
        for position in (0..=timeline.len()).rev() {
            let mut there = timeline.clone();
            there.seek(position);
            let mut world = world::World::with_engines(timeline.settings().clone(), timeline.world().engines());
            for step in (0..position).map(|nth| timeline.step_at(nth).unwrap()) {
                world.step(&step.input).unwrap();
            }
            assert_eq!(there.world().fingerprint(), world.fingerprint(), "{} at {position}", path.display());
        }
    }
}

#[test]
fn sessions_of_version_1_are_written_unchanged() {
    for path in sessions("sessions") {
        let text = fs::read_to_string(&path).unwrap();
        let written = read(&text).to_text();
        // Default values may be omitted.
        let steps = |text: &str| text.split_once("\n\n").unwrap().1.to_owned();
        // People and lessons write words without quotes where a timeline quotes them.
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name.starts_with("walk-") || name.starts_with("serve-") {
            assert_eq!(steps(&written), steps(&text), "{name}");
        }
        assert!(written.starts_with("lockstep 1\n"), "{}", path.display());
        assert_eq!(read(&written).to_text(), written, "{}", path.display());
    }
}
