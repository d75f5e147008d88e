//! Bars beside the lanes (critical sections, leases, work, sleep, waiting), and shades behind lanes of clients that do not run.
use std::ops::Range;

use yew::prelude::*;

use super::Drawing;
use crate::hooks::SessionHandle;
use crate::i18n::Lang;
use crate::i18n::messages::LanesBarLease;
use crate::panels::client::slot_of;
use crate::state::lab::lanes::{Bar, BarKind, Lane, LaneKey, Lease, LeaseEnd, Shown, label};
use crate::ui::{client_mark, html};

/// Maximum number of links side by side between steps whose order decides; more would leave no room.
const LINKS_BESIDE: usize = 2;

/// The bars of all lanes within these lines.
pub(super) fn bars(drawing: &Drawing, lines: &Range<u32>) -> Vec<Html> {
    let Drawing { t, session, picture, shown, columns, .. } = *drawing;
    let rows = shown.rows_between(lines.clone());
    let of_lane = |lane: &Lane, column: usize, side: &'static str, slot: Option<u8>| {
        let bars = rows.iter().flat_map(|rows| lane.bars_between(rows.clone()));
        // No keys: after a jump, elements of old bars are reused for new ones.
        let drawn = bars.filter_map(|(_, bar)| draw(t, session, shown, lines, bar));
        html! {
            <div class="lane-track" key={column} style={format!("grid-column: {column}")} data-side={side} data-client={slot.map(|slot| slot.to_string())}>
                { for drawn }
            </div>
        }
    };
    let clients = columns.clients().filter_map(|(client, column)| {
        let side = if columns.is_before(column) { "before" } else { "behind" };
        Some(of_lane(picture.lane(LaneKey::Client(client))?, column, side, Some(slot_of(client))))
    });
    let nodes = columns.nodes().map(|(node, column)| match picture.lane(LaneKey::Node(node)) {
        Some(lane) => of_lane(lane, column, "server", None),
        None => {
            html! { <div class="lane-track" key={column} style={format!("grid-column: {column}")} data-side="server" /> }
        }
    });
    let links = drawing.pairs.iter().enumerate().filter_map(|(nth, pair)| {
        let (top, bottom) = (*shown.tops.get(pair.first.0)?, *shown.tops.get(pair.second.0)?);
        let style = format!("--top: {top}; --lines: {}; --track: {}", bottom.saturating_sub(top), nth % LINKS_BESIDE);
        let is_seen = bottom >= lines.start && top < lines.end;
        is_seen.then(|| html! { <span class="lane-link" data-testid="lane-link" {style} /> })
    });
    let links = html! { <div class="lane-links" key="order">{ for links }</div> };
    [links].into_iter().chain(clients).chain(nodes).collect()
}

fn draw(t: Lang, session: &SessionHandle, shown: &Shown, lines: &Range<u32>, bar: &Bar) -> Option<Html> {
    let top = shown.top(bar.from);
    // A bar ends with the row in which its span ends; an open one extends to the last row.
    let bottom = bar.to.map_or(shown.lines(), |to| shown.top(to).saturating_add(1));
    if bottom <= lines.start || top >= lines.end || bottom <= top {
        return None;
    }
    let style = format!("--top: {top}; --lines: {}; --track: {}", bottom.saturating_sub(top), bar.track.min(3));
    let is_open = bar.to.is_none().then_some("");
    if !bar.stands_beside() {
        return Some(html! { <span class="lane-shade" {style} data-kind={kind(bar)} /> });
    }
    let label = match &bar.kind {
        BarKind::Section(section) => Some(label::word(section)),
        BarKind::Lease(lease) => Some(label::word(&lease.key)),
        _ => None,
    };
    let lease = if let BarKind::Lease(lease) = &bar.kind { Some(lease) } else { None };
    let holder = lease.and_then(|lease| lease.holder);
    let title = match (&bar.kind, holder) {
        (BarKind::Section(section), _) => Some(t.lanes_bar_section(&label::word(section))),
        (BarKind::Lease(lease), Some(holder)) => {
            Some(t.say(LanesBarLease { key: &label::word(&lease.key), who: &session.name_of(holder) }))
        }
        _ => None,
    };
    Some(html! {
        <span class="lane-bar" {style} data-kind={kind(bar)} data-open={is_open} {title}
            data-client={holder.map(|holder| slot_of(holder).to_string())} data-end={lease.and_then(end)}>
            { for lease.map(|lease| renewals(lease, shown, top)).into_iter().flatten() }
            if let Some(label) = label {
                <span class="lane-bar-label">
                    if let Some(holder) = holder { { client_mark(slot_of(holder)) } }
                    { label }
                </span>
            }
        </span>
    })
}

fn renewals(lease: &Lease, shown: &Shown, top: u32) -> Vec<Html> {
    let tick = |row: &usize| {
        let line = shown.top(*row).saturating_sub(top);
        html! { <i class="lane-tick" style={format!("--top: {line}")} /> }
    };
    lease.renewals.iter().map(tick).collect()
}

fn kind(bar: &Bar) -> &'static str {
    match &bar.kind {
        BarKind::Section(_) => "section",
        BarKind::Rests { is_busy: true } => "work",
        BarKind::Rests { is_busy: false } => "sleep",
        BarKind::Waits => "waits",
        BarKind::Listens => "listens",
        BarKind::Paused => "paused",
        BarKind::Crashed => "crashed",
        BarKind::Over { is_well: true } => "done",
        BarKind::Over { is_well: false } => "failed",
        BarKind::Lease(_) => "lease",
    }
}

fn end(lease: &Lease) -> Option<&'static str> {
    lease.end.map(|end| match end {
        LeaseEnd::Released => "released",
        LeaseEnd::Taken => "taken",
        LeaseEnd::Expired => "expired",
        LeaseEnd::Replaced => "replaced",
        LeaseEnd::Lost => "lost",
    })
}
