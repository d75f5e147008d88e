//! The text of the cells, in the reader's language.
use world::{ClientIndex, LinkAct};

use crate::i18n::Lang;
use crate::i18n::messages::{
    LanesLinkDelay, LanesLocked, LanesLockedFor, LanesProcessedAgain, LanesRenewed, LanesRowWaits, LanesTaken,
    LanesTallies, LanesTalliesBy,
};
use crate::state::lab::description::jump;
use crate::state::lab::lanes::{AtServer, LaneEvent, RequestProgress};
use crate::state::lab::status::ClientStatus;

/// A line of a client's cell other than an arrow: a sign and the text.
pub fn says(t: Lang, what: &LaneEvent) -> (&'static str, String) {
    match what {
        LaneEvent::Asks { words, .. } | LaneEvent::Gets { words, .. } => ("", words.clone()),
        LaneEvent::Misses => ("", t.lanes_reply_lost().to_owned()),
        LaneEvent::TimedOut => ("◷", t.lanes_timed_out().to_owned()),
        LaneEvent::Rests { is_busy: true, ms } => ("▒", t.lanes_works(*ms)),
        LaneEvent::Rests { is_busy: false, ms } => ("☾", t.lanes_sleeps(*ms)),
        LaneEvent::Listens { ms: Some(ms) } => ("◌", t.lanes_listens(*ms)),
        LaneEvent::Listens { ms: None } => ("◌", t.lanes_listens_ever().to_owned()),
        LaneEvent::Hears { words: Some(words) } => ("✉", words.clone()),
        LaneEvent::Hears { words: None } => ("◌", t.lanes_no_message().to_owned()),
        LaneEvent::Enters(section) => ("▼", section.clone()),
        LaneEvent::Leaves(section) => ("▲", section.clone()),
        LaneEvent::Notes(text) => ("»", text.clone()),
        LaneEvent::Checks { holds, text } => (if *holds { "✓" } else { "✕" }, text.clone()),
        LaneEvent::Tallies { name, n: 1, total } => ("", t.say(LanesTallies { name, total: &total.to_string() })),
        LaneEvent::Tallies { name, n, total } => {
            ("", t.say(LanesTalliesBy { name, by: &format!("{n:+}"), total: &total.to_string() }))
        }
        LaneEvent::Produces(id) => ("●", t.lanes_produced(id)),
        LaneEvent::Processes { id, times: 1 } => ("✓", t.lanes_processed(id)),
        LaneEvent::Processes { id, times } => ("✓", t.say(LanesProcessedAgain { id, times: *times })),
        LaneEvent::Spawns(thread) => ("+", t.lanes_spawns(&thread.to_string())),
        LaneEvent::GoesOn => ("▷", t.lanes_goes_on().to_owned()),
        LaneEvent::Cancelled => ("■", t.lanes_cancelled().to_owned()),
        LaneEvent::Ended => ("■", t.lanes_ended().to_owned()),
        LaneEvent::Failed => ("✕", t.lanes_failed().to_owned()),
        LaneEvent::RanAway => ("✕", t.lanes_ran_away().to_owned()),
        LaneEvent::Unplayable => ("✕", t.lanes_no_program().to_owned()),
        LaneEvent::Loaded => ("▷", t.lanes_begins().to_owned()),
        LaneEvent::Crashed => ("✕", t.lanes_crashed().to_owned()),
        LaneEvent::Restarted => ("▷", t.lanes_restarts().to_owned()),
        LaneEvent::StoodStill => ("‖", t.lanes_stood_still().to_owned()),
        LaneEvent::Deafened => ("✕", t.lanes_deafened().to_owned()),
        LaneEvent::Paused => ("‖", t.lanes_paused().to_owned()),
        LaneEvent::Resumed => ("▷", t.lanes_resumed().to_owned()),
        LaneEvent::ClockShifted { ms } => ("◷", t.lanes_clock(&jump(t, *ms))),
        LaneEvent::Delayed { ms } => ("⇄", t.lanes_delay(*ms)),
    }
}

/// What became of a request that has not arrived.
pub fn fate(t: Lang, what: &LaneEvent) -> Option<&'static str> {
    match what {
        LaneEvent::Asks { way: RequestProgress::Lost, .. } => Some(t.lanes_request_lost()),
        LaneEvent::Asks { way: RequestProgress::Queued, .. } => Some(t.lanes_queued()),
        _ => None,
    }
}

/// Whether the text is set in the code font.
pub fn is_code(what: &LaneEvent) -> bool {
    matches!(what, LaneEvent::Asks { .. } | LaneEvent::Gets { .. } | LaneEvent::Enters(_) | LaneEvent::Leaves(_))
}

/// Whether it is a failure.
pub fn is_bad(what: &LaneEvent) -> bool {
    matches!(
        what,
        LaneEvent::Checks { holds: false, .. }
            | LaneEvent::Failed
            | LaneEvent::RanAway
            | LaneEvent::Unplayable
            | LaneEvent::Crashed
            | LaneEvent::Deafened
            | LaneEvent::Misses
            | LaneEvent::TimedOut
            | LaneEvent::Gets { is_error: true, .. }
    )
}

/// A line of a node's cell: the client that it is about, a sign, and the text.
pub fn serves(
    t: Lang,
    line: &AtServer,
    name_of: &dyn Fn(ClientIndex) -> String,
) -> (Option<ClientIndex>, &'static str, String) {
    let who = |client: &Option<ClientIndex>| client.map_or_else(|| "?".to_owned(), name_of);
    match line {
        AtServer::Serves { client, words, .. } => (Some(*client), "▸", words.clone()),
        AtServer::Locked { key, holder, ms: Some(ms) } => {
            (*holder, "●", t.say(LanesLockedFor { key, who: &who(holder), ms: *ms }))
        }
        AtServer::Locked { key, holder, ms: None } => (*holder, "●", t.say(LanesLocked { key, who: &who(holder) })),
        AtServer::Renewed { key, ms: Some(ms) } => (None, "↻", t.say(LanesRenewed { key, ms: *ms })),
        AtServer::Renewed { key, ms: None } => (None, "↻", t.lanes_renewed_ever(key)),
        AtServer::Released { key, is_owner: true, .. } => (None, "○", t.lanes_released(key)),
        AtServer::Released { key, by, is_owner: false } => (*by, "✕", t.say(LanesTaken { key, who: &who(by) })),
        AtServer::Expired { key } => (None, "◷", t.lanes_expired(key)),
        AtServer::Crashed => (None, "✕", t.lanes_crashed().to_owned()),
        AtServer::Restarted => (None, "▷", t.lanes_node_restarts().to_owned()),
        AtServer::Found { key } => (None, "●", t.lanes_found(key)),
        AtServer::ClockShifted { ms } => (None, "◷", t.lanes_clock(&jump(t, i64::try_from(*ms).unwrap_or(i64::MAX)))),
        AtServer::Link { client, act: LinkAct::Cut } => (Some(*client), "✕", t.lanes_link_cut(&name_of(*client))),
        AtServer::Link { client, act: LinkAct::Mend } => (Some(*client), "▷", t.lanes_link_mended(&name_of(*client))),
        AtServer::Link { client, act: LinkAct::Delay { ms } } => {
            (Some(*client), "⇄", t.say(LanesLinkDelay { who: &name_of(*client), ms: *ms }))
        }
        AtServer::Value { key, value: Some(value) } => (None, "", format!("{key} = {value}")),
        AtServer::RowWaits { client, row } => {
            (Some(*client), "…", t.say(LanesRowWaits { who: &name_of(*client), row }))
        }
        AtServer::Value { key, value: None } => (None, "", t.lanes_gone(key)),
    }
}

/// Name of a client's status.
pub fn status(t: Lang, status: ClientStatus) -> &'static str {
    match status {
        ClientStatus::Ready => t.status_ready(),
        ClientStatus::Waits => t.status_waits(),
        ClientStatus::Inside => t.status_inside(),
        ClientStatus::Paused => t.status_paused(),
        ClientStatus::Crashed => t.status_crashed(),
        ClientStatus::Done => t.status_done(),
        ClientStatus::Failed => t.status_failed(),
    }
}

/// Name of a client's status for style sheets and tests.
pub fn status_tag(status: ClientStatus) -> &'static str {
    match status {
        ClientStatus::Ready => "ready",
        ClientStatus::Waits => "waits",
        ClientStatus::Inside => "inside",
        ClientStatus::Paused => "paused",
        ClientStatus::Crashed => "crashed",
        ClientStatus::Done => "done",
        ClientStatus::Failed => "failed",
    }
}
