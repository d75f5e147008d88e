//! Pictures of streams: golden ones, command by command, and random ones compared with the server's own replies.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]
mod agree;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use bytes::Bytes;
use proptest::prelude::*;
use redis_model::value::stream::Id;
use resp::Value;
use world::{Act, Input, NodeAct, NodeIndex, Settings, Timeline};

use super::*;
use crate::state::followed::Followed;
use crate::state::inside::Mark;
use crate::state::key::Database;

/// Golden pictures, in the order in which a teacher would type the commands. `RIVER_GOLDEN=write` writes the current output; review the
/// diff like code.
const GOLDEN: &str = include_str!("golden.txt");

const CHIPS: usize = 100;

/// A session with three typing clients.
struct Fixture {
    timeline: Timeline,
    past: Followed<Past>,
    said: Followed<Broadcasts>,
}

impl Fixture {
    fn new() -> Fixture {
        let engines = world::Engines::new(lua_machine::LuaMachine::new(), lua_machine::LuaPlayer::new());
        let mut timeline = Timeline::with_engines(Settings::default(), &engines);
        for client in 0..3 {
            timeline.push(Input::Connect { client, name: format!("c{}", client + 1) }).unwrap();
        }
        Fixture { timeline, past: Followed::default(), said: Followed::default() }
    }

    /// Applies `c1> XADD s * a 1`, `@+30s`, `c1!` (closes a connection), `c1+` (opens a new one), `c1#` (pauses a client) or `c1*`
    /// (resumes it).
    fn take(&mut self, line: &str) {
        let input = match line.split_once("> ") {
            Some((name, words)) => {
                Input::Command { client: client(name), argv: resp::split::split(words.as_bytes()).unwrap() }
            }
            None => match line.strip_prefix("@+") {
                Some(seconds) => {
                    Input::Advance { ms: seconds.strip_suffix('s').unwrap().parse::<u64>().unwrap() * 1_000 }
                }
                None => {
                    let (name, what) = line.split_at(line.len() - 1);
                    let client = client(name);
                    match what {
                        "+" => Input::Connect { client, name: name.into() },
                        "!" => Input::Disconnect { client },
                        "#" => Input::Program { client, act: Act::Pause },
                        "*" => Input::Program { client, act: Act::Resume },
                        other => panic!("{other:?}"),
                    }
                }
            },
        };
        // A blocked client cannot type: random sessions skip such lines.
        let _ = self.timeline.push(input);
    }

    fn queue(&mut self, key: &str) -> Option<Queue> {
        self.past.follow(&self.timeline, ());
        let key = Database { node: NodeIndex::FIRST, db: 0 }.key(Bytes::copy_from_slice(key.as_bytes()));
        let position = self.timeline.position();
        let last = self.timeline.taken().last().map(|(_, step)| step);
        Queue::of(self.timeline.world(), &key, last.map(AsRef::as_ref), &self.past, position)
    }

    fn channels(&mut self) -> Option<Channels> {
        self.said.follow(&self.timeline, ());
        self.said.at(self.timeline.world(), NodeIndex::FIRST, self.timeline.position())
    }

    /// The stream `s`, the queue `q` and the channels in words.
    fn description(&mut self) -> String {
        let (picture, queue) = (self.picture("s"), self.queue("q"));
        let channels = self.channels();
        let mut out = match (&picture, &queue, &channels) {
            (None, Some(_), _) | (None, _, Some(_)) => String::new(),
            _ => description(picture.as_ref(), &self.past),
        };
        out.extend(queue.as_ref().map(description_of_queue));
        if let Some(channels) = channels {
            let messages = self.said.messages(NodeIndex::FIRST, self.timeline.position(), 0..channels.count);
            out.push_str(&description_of_channels(&channels, &messages, &|held| {
                self.said.fate(NodeIndex::FIRST, held, self.timeline.position())
            }));
        }
        out
    }

    fn picture(&mut self, key: &str) -> Option<Picture> {
        self.picture_of(key, Most { groups: usize::MAX, chips: CHIPS })
    }

    fn picture_of(&mut self, key: &str, most: Most) -> Option<Picture> {
        self.past.follow(&self.timeline, ());
        let key = Database { node: NodeIndex::FIRST, db: 0 }.key(Bytes::copy_from_slice(key.as_bytes()));
        let position = self.timeline.position();
        let last = self.timeline.taken().last().map(|(_, step)| step);
        Picture::of(self.timeline.world(), &key, last.map(AsRef::as_ref), &self.past, position, most)
    }
}

fn client(name: &str) -> u32 {
    name.strip_prefix('c').unwrap().parse::<u32>().unwrap() - 1
}

fn mark(mark: Mark) -> &'static str {
    match mark {
        Mark::Same => "",
        Mark::New => "+",
        Mark::Changed => "~",
        Mark::Gone => "-",
    }
}

fn text(bytes: &Bytes) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// An id; without its milliseconds if they are those of the stage's start.
fn short(id: Id) -> String {
    text(&id.text())
}

/// A picture in words.
fn description(picture: Option<&Picture>, past: &Past) -> String {
    let Some(picture) = picture else { return "  no stream\n".to_owned() };
    let mut out = String::new();
    let log = &picture.log;
    let places = log.places();
    let _ = write!(out, "  log {} of {places}, last {}, gone {}", log.len(), short(log.last_id()), log.gone());
    if log.gone_now() > 0 {
        let _ = write!(out, ", now {}", log.gone_now());
    }
    out.push_str("\n   ");
    for bracket in log.brackets(0..places) {
        out.push_str(" [");
        let lines = log.lines(bracket.places.clone());
        let line = |line: &LogLine| {
            let deleted = if line.entry.is_deleted() { "x" } else { "" };
            format!("{}{}{deleted}", mark(line.mark), short(line.id))
        };
        out.push_str(&lines.iter().map(line).collect::<Vec<_>>().join(" "));
        out.push(']');
    }
    out.push('\n');
    for group in &picture.groups {
        let lag = group.lag.map_or("?".to_owned(), |lag| lag.to_string());
        let sums = past.sums(&picture.key, &group.name, picture.position);
        let was = group.was_at.map_or_else(String::new, |was| format!(" from {was}"));
        let new = if group.is_new { "+" } else { "" };
        let _ = write!(
            out,
            "  group {new}{} at {}{was}, lag {lag}, pending {}",
            text(&group.name),
            group.place,
            group.pending
        );
        let Sums { delivered, passed, again, acknowledged, dropped } = sums;
        let description = [
            (delivered, "delivered"),
            (passed, "passed"),
            (again, "again"),
            (acknowledged, "acked"),
            (dropped, "dropped"),
        ];
        for (sum, name) in description.iter().filter(|(sum, _)| *sum > 0) {
            let _ = write!(out, ", {name} {sum}");
        }
        out.push('\n');
        let sign = |line: &LogLine| match picture.entry_status(group, line.id, past) {
            EntryStatus::Ahead => "·".to_owned(),
            EntryStatus::Held { consumer, .. } => text(&consumer),
            EntryStatus::Done { .. } => "done".to_owned(),
            EntryStatus::Passed => "passed".to_owned(),
            EntryStatus::Skipped => "skipped".to_owned(),
            EntryStatus::Dropped => "dropped".to_owned(),
        };
        let _ = writeln!(out, "    | {}", log.lines(0..places).iter().map(sign).collect::<Vec<_>>().join(" | "));
        for consumer in &group.consumers {
            let who = consumer.client.map_or("nobody".to_owned(), |client| format!("c{}", client + 1));
            let here = if consumer.is_here { "" } else { ", away" };
            let passed = if consumer.passed > 0 { format!(", passed {}", consumer.passed) } else { String::new() };
            let _ = write!(out, "    {} ({who}{here}{passed})", text(&consumer.name));
            for chip in &consumer.chips {
                let from = chip.from.as_ref().map_or_else(String::new, |from| format!(" from {}", text(from)));
                let lost = if chip.is_in_log { "" } else { " deleted" };
                let _ = write!(
                    out,
                    " {}<{} {} ms x{}{from}{lost}>",
                    mark(chip.mark),
                    short(chip.id),
                    chip.idle_ms,
                    chip.deliveries
                );
            }
            out.push('\n');
        }
        for waiter in &group.waiting {
            let _ = writeln!(out, "    c{} as {}{}", waiter.client + 1, text(&waiter.consumer), waiting(waiter.waits));
        }
        if group.lost > 0 {
            let _ = writeln!(out, "    {} not in the log", group.lost);
        }
        for moved in &group.moves {
            let who = |who: &Option<Bytes>| who.as_ref().map_or_else(|| "-".to_owned(), text);
            let _ = writeln!(out, "    <{}> {} > {}", short(moved.id), who(&moved.from), who(&moved.to));
        }
    }
    for reader in &picture.readers {
        let here = if reader.is_here { "" } else { ", away" };
        let waits = reader.waits.map_or_else(String::new, waiting);
        let _ =
            writeln!(out, "  reader c{} at {}, taken {}{here}{waits}", reader.client + 1, reader.place, reader.taken);
    }
    out
}

/// A queue in words: `q of 3: | a b +c |`, the waiting clients, the taken elements.
fn description_of_queue(queue: &Queue) -> String {
    let elements = |elements: &[queue::Element]| {
        let score = |element: &queue::Element| match &element.score {
            Some(queue::Score { due_in_ms: Some(ms), .. }) => format!("({ms} ms)"),
            Some(score) => format!("({})", score.text),
            None => String::new(),
        };
        let words = elements.iter().map(|each| format!("{}{}{}", mark(each.mark), text(&each.text), score(each)));
        words.collect::<Vec<_>>().join(" ")
    };
    let mut out = format!("  q of {}: | {} ", queue.len, elements(&queue.left));
    if queue.left_out() > 0 {
        let _ = write!(out, "… {} … {} ", queue.left_out(), elements(&queue.right));
    }
    out.push('|');
    if let Some(due) = queue.due {
        let _ = write!(out, " {due} due");
    }
    out.push('\n');
    for InLine { client, command, waits } in &queue.waiting {
        let _ = writeln!(out, "    c{} {}{}", client + 1, text(command), waiting(*waits));
    }
    for Hand { client, elements, held_ms, kept, is_new } in &queue.hands {
        let elements = elements.iter().map(text).collect::<Vec<_>>().join(" ");
        let new = if *is_new { "+" } else { "" };
        let kept = match kept {
            ItemSafety::Nowhere => "nowhere else".to_owned(),
            ItemSafety::Lost => "lost".to_owned(),
            ItemSafety::In(list) => format!("in {}", text(list)),
            ItemSafety::Removed(list) => format!("removed from {}", text(list)),
        };
        let _ = writeln!(out, "    {new}c{} has {elements}, {held_ms} ms, {kept}", client + 1);
    }
    out
}

/// Channels in words: the subscribers of each channel, and for each message which clients got it and which missed it.
fn description_of_channels(
    channels: &Channels,
    messages: &[(usize, &Broadcast)],
    fate: &dyn Fn(&Held) -> Fate,
) -> String {
    let mut out = format!("  channels, {} messages\n", channels.count);
    for Subscriber { client, names, is_here, heard, missed, buffer } in &channels.subscribers {
        let away = if *is_here { "" } else { ", away" };
        let names = names.iter().map(text).collect::<Vec<_>>().join(" ");
        let _ = write!(out, "    c{} ({names}{away}) heard {heard}, missed {missed}", client + 1);
        if let Some(Buffer { count, bytes, memory, hard_bytes, closes_ms }) = buffer {
            let _ = write!(out, ", {count} wait: {bytes} bytes, {memory} of {hard_bytes}");
            let _ = closes_ms.map_or(Ok(()), |at_ms| write!(out, ", closed at {at_ms}"));
        }
        out.push('\n');
    }
    for (number, Broadcast { from, channel, text: said, heard, missed, held }) in messages {
        let new = if channels.new.contains(number) { "+" } else { "" };
        let from = from.map_or("nobody".to_owned(), |client| format!("c{}", client + 1));
        let ways = |ways: &[Bytes]| ways.iter().map(text).collect::<Vec<_>>().join(" ");
        let heard = heard.iter().map(|(client, by)| format!(" c{} by {}", client + 1, ways(by))).collect::<Vec<_>>();
        let missed = missed.iter().map(|client| format!(" c{} missed it", client + 1)).collect::<Vec<_>>();
        let of_held = |held: &Held| format!(" c{} by {}: {:?}", held.client + 1, ways(&held.ways), fate(held));
        let held = held.iter().map(of_held).collect::<Vec<_>>();
        let who = [heard, held, missed].concat().join(",");
        let said = if said.len() > 100 { format!("({} bytes)", said.len()) } else { text(said) };
        let _ = writeln!(out, "    {new}{from} > {} {said}:{who}", text(channel));
    }
    out
}

fn waiting(waits: Waits) -> String {
    let until = waits.until_ms.map_or("for ever".to_owned(), |until| format!("for {} ms", until - waits.since_ms));
    format!(", waits {until}")
}

#[test]
fn each_command_draws_its_golden_picture() {
    let mut stage = Fixture::new();
    let mut written = String::new();
    for line in GOLDEN.lines().filter(|line| !line.starts_with(' ')) {
        if line.is_empty() || line.starts_with('#') {
            let _ = writeln!(written, "{line}");
            if line.starts_with("# ") {
                stage = Fixture::new();
            }
            continue;
        }
        stage.take(line);
        let _ = write!(written, "{line}\n{}", stage.description());
    }
    if std::env::var("RIVER_GOLDEN").is_ok_and(|wish| wish == "write") {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/src/state/river/golden.txt"), &written).unwrap();
        return;
    }
    for (nth, (now, golden)) in written.lines().zip(GOLDEN.lines()).enumerate() {
        assert_eq!(now, golden, "line {}", nth + 1);
    }
    assert_eq!(written.lines().count(), GOLDEN.lines().count());
}

#[test]
fn groups_that_the_last_step_changed_are_listed_first() {
    let mut stage = Fixture::new();
    stage.take("c1> XADD s 1-0 n 1");
    for nth in 10..60 {
        stage.take(&format!("c1> XGROUP CREATE s g{nth} 0"));
    }
    let names = |stage: &mut Fixture| {
        let picture = stage.picture_of("s", Most { groups: 3, chips: 1 }).unwrap();
        assert_eq!(picture.groups.len() + picture.more_groups, 50);
        picture.groups.iter().map(|group| text(&group.name)).collect::<Vec<_>>()
    };
    assert_eq!(names(&mut stage), ["g10", "g11", "g59"]);
    stage.take("c1> XREADGROUP GROUP g42 ann STREAMS s >");
    assert_eq!(names(&mut stage), ["g10", "g11", "g42"]);
    stage.take("c1> XACK s g42 1-0");
    assert_eq!(names(&mut stage), ["g10", "g11", "g42"]);
    stage.take("c1> GET a");
    assert_eq!(names(&mut stage), ["g10", "g11", "g12"]);
}

#[test]
fn times_of_a_node_with_a_clock_jump_are_shown_in_world_time() {
    let mut stage = Fixture::new();
    for line in ["c1> XADD s 1-0 a 1", "c1> XGROUP CREATE s g 0", "c1> XREADGROUP GROUP g alice STREAMS s >"] {
        stage.take(line);
    }
    let start_ms = stage.timeline.world().now_ms();
    stage.take(&format!("c1> ZADD q {} now {} later", start_ms + 1_000, start_ms + 100_000));
    for line in ["c1> ZRANGEBYSCORE q -inf +inf", "c2> BLPOP list 100", "@+10s"] {
        stage.take(line);
    }
    stage.timeline.push(Input::Node { node: NodeIndex::FIRST, act: NodeAct::ShiftClock { ms: 30_000 } }).unwrap();
    let now_ms = stage.timeline.world().now_ms();
    assert_eq!(now_ms, start_ms + 10_000);
    let list = Database { node: NodeIndex::FIRST, db: 0 }.key("list".into());
    let (_, _, waits) = waits::waiting_for(stage.timeline.world(), &list).next().unwrap();
    assert_eq!(waits.until_ms, Some(now_ms + 60_000), "it waits by the clock of its node");
    let picture = stage.picture("s").unwrap();
    let chip = picture.groups[0].consumers[0].chips.first().unwrap();
    assert_eq!((picture.now_ms, picture.clock_ms, chip.idle_ms), (now_ms, now_ms + 30_000, 40_000));
    let due: Vec<_> =
        stage.queue("q").unwrap().left.iter().map(|each| each.score.as_ref().unwrap().due_in_ms).collect();
    assert_eq!(due, [Some(-39_000), Some(60_000)]);
}
