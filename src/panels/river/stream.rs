//! A stream as a table: one row per entry, one column per group. A cell shows the state of the entry in the group.
use std::cell::RefCell;
use std::rc::Rc;

use redis_model::value::stream::Id;
use yew::prelude::*;

use super::overview::overview;
use super::{group, times};
use crate::hooks::{SessionHandle, SessionPart, Show, use_lang, use_session_for, use_window};
use crate::i18n::Lang;
use crate::i18n::messages::{RiverHeld, RiverLog, RiverNode};
use crate::panels::client::slot_of;
use crate::state::followed::Followed;
use crate::state::inside::Mark;
use crate::state::river::{Bracket, Chip, EntryStatus, Group, LogLine, Past, Picture, StreamReader};
use crate::ui::{Picture as Sign, client_mark, html, icon};

/// Maximum number of characters shown of a field or a value.
const SHOWN_MAX: usize = 24;
/// Maximum number of fields shown of an entry.
const FIELDS_MAX: usize = 3;

/// Properties of [`StreamView`].
#[derive(Clone, Properties)]
pub struct StreamViewProps {
    /// The stream.
    pub picture: Picture,
    /// The history of the stream, which its present state does not contain.
    pub past: Rc<RefCell<Followed<Past>>>,
    /// Whether Kafka's terms are shown next to those of Redis.
    pub has_kafka: bool,
}

impl PartialEq for StreamViewProps {
    // Each step creates a new picture, so comparing is not worthwhile.
    fn eq(&self, _: &StreamViewProps) -> bool {
        false
    }
}

/// The stream.
#[component]
pub fn StreamView(props: &StreamViewProps) -> Html {
    let t = use_lang();
    let session = use_session_for(&[SessionPart::Steps]);
    let (picture, past, has_kafka) = (&props.picture, props.past.borrow(), props.has_kafka);
    let log = &picture.log;
    let scroller = use_node_ref();
    let places = u32::try_from(log.places()).unwrap_or(u32::MAX);
    let place = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
    let show = picture.changed().map(|(first, last)| Show {
        units: place(first)..place(last).saturating_add(1),
        head: 0,
        occasion: session.revision(),
    });
    let window = use_window(&scroller, places, show);
    let range = window.range.start as usize..window.range.end as usize;
    let brackets = log.brackets(range.clone());
    // Elements of old rows are reused for new ones, so that steps create less garbage.
    let slots = range.len().max(1);
    let far = overview(t, picture, (range.start, range.end), window.unit_px, &scroller);
    let columns = picture.groups.len();
    let has_readers = !picture.readers.is_empty();
    let readers = if has_readers { " minmax(6rem, 0.6fr)" } else { "" };
    let groups = " minmax(11rem, 1fr)".repeat(columns);
    let least = 12_usize.saturating_add(columns.saturating_mul(11)).saturating_add(if has_readers { 6 } else { 0 });
    let style = format!("--columns: minmax(12rem, 1.4fr){readers}{groups}; --least: {least}rem");
    let count = t.say(RiverLog { n: log.len() as u64, last: &text(log.last_id()), gone: log.gone() });
    html! {
        <div class="river-stream" data-far={far.is_some().then_some("")} {style}>
            <p class="soft small river-count">
                { count }
                if picture.more_groups > 0 { { " · " }{ t.river_groups_more(picture.more_groups as u64) } }
                if has_kafka { <span class="river-kafka">{ " · " }{ t.river_kafka_topic(&clipped(&picture.key.key)) }</span> }
            </p>
            <div class="river-table" role="table" aria-label={t.river_table()} aria-rowcount={places.saturating_add(1).to_string()}>
                <div class="river-row river-head" role="row">
                    <span role="columnheader">{ t.river_entry() }if has_kafka { <span class="river-kafka">{ " · " }{ t.river_kafka_record() }</span> }</span>
                    if has_readers { <span role="columnheader"><code>{ "XREAD" }</code></span> }
                    { for picture.groups.iter().map(|each| {
                        let sums = past.sums(&picture.key, &each.name, picture.position);
                        group::head(t, &session, picture, each, sums, has_kafka)
                    }) }
                </div>
                <div class="river-scroll" ref={scroller} onscroll={window.onscroll.clone()} tabindex="0" role="rowgroup">
                    <div style={window.style(places)} role="presentation">
                        { for log.lines(range).iter().map(|line| row(t, &session, picture, &past, line, &brackets, line.place % slots)) }
                    </div>
                    { window.probe.clone() }
                </div>
            </div>
            { for far }
        </div>
    }
}

fn row(
    t: Lang,
    session: &SessionHandle,
    picture: &Picture,
    past: &Past,
    line: &LogLine,
    brackets: &[Bracket],
    slot: usize,
) -> Html {
    let starts = brackets.iter().find(|bracket| bracket.places.start == line.place);
    let node = starts.map(|bracket| {
        t.say(RiverNode {
            live: bracket.live as u64,
            deleted: bracket.deleted as u64,
            bytes: &t.bytes(bracket.bytes as u64),
        })
    });
    let pairs = line.entry.pairs().take(FIELDS_MAX).map(|(field, value)| {
        html! {
            <span class="river-pair"><b>{ clipped(field) }</b>{ " " }{ clipped(value) }</span>
        }
    });
    let more = line.entry.pairs().len().saturating_sub(FIELDS_MAX);
    html! {
        <div class="river-row" role="row" key={slot} aria-rowindex={line.place.saturating_add(2).to_string()}
            data-mark={line.mark.word()} data-deleted={line.entry.is_deleted().then_some("")} data-node={starts.map(|_| "")} title={node}>
            <span class="river-entry" role="rowheader">
                <code class="river-id">{ text(line.id) }</code>
                { for pairs }
                if more > 0 { <small class="soft">{ t.inside_more(more as u64) }</small> }
                if line.entry.is_deleted() { <span class="sr-only">{ t.river_deleted() }</span> }
            </span>
            if !picture.readers.is_empty() {
                <span class="river-cell" role="cell">
                    { for picture.readers.iter().filter(|reader| reader.place == line.place.saturating_add(1)).map(|reader| reader_at(t, session, reader)) }
                </span>
            }
            { for picture.groups.iter().map(|group| cell(t, picture, past, group, line)) }
        </div>
    }
}

/// A client that has read up to here without a group.
fn reader_at(t: Lang, session: &SessionHandle, reader: &StreamReader) -> Html {
    let name = session.name_of(reader.client);
    let title = if reader.waits.is_some() { t.river_reader_waits(&name) } else { t.river_reader_at(&name) };
    html! {
        <span class="river-reader" {title} data-away={(!reader.is_here).then_some("")}>
            { client_mark(slot_of(reader.client)) }{ name }
            if reader.waits.is_some() { { icon(Sign::Clock) } }
        </span>
    }
}

fn cell(t: Lang, picture: &Picture, past: &Past, group: &Group, line: &LogLine) -> Html {
    let is_cursor = group.place == line.place.saturating_add(1);
    let status = picture.entry_status(group, line.id, past);
    let (word, drawn, mark) = match &status {
        EntryStatus::Ahead => ("ahead", html! { <span class="sr-only">{ t.river_ahead() }</span> }, Mark::Same),
        EntryStatus::Held { consumer, chip } => ("held", held(t, picture.now_ms, group, consumer, chip), chip.mark),
        EntryStatus::Done { by } => {
            let mark = if by.is_some() { Mark::Changed } else { Mark::Same };
            ("done", signed("✓", t.river_done()), mark)
        }
        EntryStatus::Passed => ("passed", signed("✓", t.river_passed()), Mark::Same),
        EntryStatus::Dropped => ("dropped", signed("✕", t.river_dropped()), Mark::Same),
        EntryStatus::Skipped => ("skipped", signed("–", t.river_skipped()), Mark::Same),
    };
    html! {
        <span class="river-cell" role="cell" data-status={word} data-cursor={is_cursor.then_some("")} data-mark={mark.word()}>{ drawn }</span>
    }
}

/// A sign with its meaning for screen readers and as a tooltip.
pub fn signed(sign: &'static str, meaning: &'static str) -> Html {
    html! { <span title={meaning}><i aria-hidden="true">{ sign }</i><span class="sr-only">{ meaning }</span></span> }
}

/// A pending entry of a consumer.
fn held(t: Lang, now_ms: u64, group: &Group, consumer: &[u8], chip: &Chip) -> Html {
    let found = group.consumers.iter().find(|found| found.name == *consumer);
    let client = found.and_then(|found| found.client);
    let name = clipped(consumer);
    let since_ms = now_ms.saturating_sub(chip.idle_ms.max(0).unsigned_abs());
    let title = t.say(RiverHeld { consumer: &name, n: chip.deliveries });
    let is_away = found.is_some_and(|found| found.client.is_some() && !found.is_here);
    html! {
        <span class="river-held" {title} data-client={client.map(|client| slot_of(client).to_string())} data-away={is_away.then_some("")}>
            if let Some(client) = client { { client_mark(slot_of(client)) } }
            <b>{ name }</b>
            if let Some(from) = &chip.from { <small>{ "←" }{ clipped(from) }</small> }
            { times::held(since_ms) }
            <small class="tabular">{ "×" }{ chip.deliveries.to_string() }</small>
        </span>
    }
}

/// A name or a value, shortened for narrow places.
pub fn clipped(bytes: &[u8]) -> String {
    let quoted = resp::split::quote_argument(bytes);
    match quoted.char_indices().nth(SHOWN_MAX) {
        Some((end, _)) => format!("{}…", quoted.get(..end).unwrap_or_default()),
        None => quoted,
    }
}

/// `1700000000000-0`
pub fn text(id: Id) -> String {
    String::from_utf8_lossy(&id.text()).into_owned()
}
