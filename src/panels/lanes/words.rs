//! The text of the cells, in the reader's language.
use world::{ClientIndex, LinkAct};

use crate::i18n::Lang;
use crate::i18n::messages::{
    LanesLinkDelay, LanesLocked, LanesLockedFor, LanesProcessedAgain, LanesRenewed, LanesRowWaits, LanesTaken,
};
use crate::state::lab::description::jump;
use crate::state::lab::lanes::{AtServer, What};
use crate::state::lab::status::ClientStatus;

/// A line of a client's cell other than an arrow: a sign and the text.
pub fn says(t: Lang, what: &What) -> (&'static str, String) {
    match what {
        What::Asks { words, .. } | What::Gets { words, .. } => ("", words.clone()),
        What::Misses => ("", t.lanes_reply_lost().to_owned()),
        What::TimedOut => ("◷", t.lanes_timed_out().to_owned()),
        What::Rests { is_busy: true, ms } => ("▒", format!("work {}", t.duration(*ms))),
        What::Rests { is_busy: false, ms } => ("☾", format!("sleep {}", t.duration(*ms))),
        What::Listens { ms: Some(ms) } => ("◌", format!("wait_message {}", t.duration(*ms))),
        What::Listens { ms: None } => ("◌", "wait_message".to_owned()),
        What::Hears { words: Some(words) } => ("✉", words.clone()),
        What::Hears { words: None } => ("◌", t.lanes_no_message().to_owned()),
        What::Enters(section) => ("▼", section.clone()),
        What::Leaves(section) => ("▲", section.clone()),
        What::Notes(text) => ("»", text.clone()),
        What::Checks { holds, text } => (if *holds { "✓" } else { "✕" }, text.clone()),
        What::Tallies { name, n, total } => ("Σ", format!("{name} {n:+} = {total}")),
        What::Produces(id) => ("●", t.lanes_produced(id)),
        What::Processes { id, times: 1 } => ("✓", t.lanes_processed(id)),
        What::Processes { id, times } => ("✓", t.say(LanesProcessedAgain { id, times: *times })),
        What::Spawns(thread) => ("+", t.lanes_spawns(&thread.to_string())),
        What::GoesOn => ("▷", t.lanes_goes_on().to_owned()),
        What::Cancelled => ("■", t.lanes_cancelled().to_owned()),
        What::Ended => ("■", t.lanes_ended().to_owned()),
        What::Failed => ("✕", t.lanes_failed().to_owned()),
        What::RanAway => ("✕", t.lanes_ran_away().to_owned()),
        What::Unplayable => ("✕", t.lanes_no_program().to_owned()),
        What::Loaded => ("▷", t.lanes_begins().to_owned()),
        What::Crashed => ("✕", t.lanes_crashed().to_owned()),
        What::Restarted => ("▷", t.lanes_restarts().to_owned()),
        What::StoodStill => ("‖", t.lanes_stood_still().to_owned()),
        What::Deafened => ("✕", t.lanes_deafened().to_owned()),
        What::Paused => ("‖", t.lanes_paused().to_owned()),
        What::Resumed => ("▷", t.lanes_resumed().to_owned()),
        What::ClockShifted { ms } => ("◷", t.lanes_clock(&jump(t, *ms))),
        What::Delayed { ms } => ("⇄", t.lanes_delay(*ms)),
    }
}

/// Whether it is a failure.
pub fn is_bad(what: &What) -> bool {
    matches!(
        what,
        What::Checks { holds: false, .. }
            | What::Failed
            | What::RanAway
            | What::Unplayable
            | What::Crashed
            | What::Deafened
            | What::Misses
            | What::TimedOut
            | What::Gets { is_error: true, .. }
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
