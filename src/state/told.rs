//! Tells a step in one sentence, in the reader's language, from the events that it carries.
//!
//! The sentence names who did what, then at most [`CLAUSES_MAX`] things that came of it, most telling first: a
//! refusal, a wait, what changed, who was woken or heard it, and only if nothing of that happened, the answer.
use bytes::Bytes;
use redis_model::{Entry, Wait, WaitReason, value::Value as Held};
use resp::Value;
use world::{ClientIndex, Event, EventKind, Input};

use crate::i18n::{Lang, code};

/// More than this many clauses are counted, not told.
const CLAUSES_MAX: usize = 3;
/// Longest command, key or value that a sentence quotes, in characters.
const QUOTE_CHARS_MAX: usize = 48;

/// Tells steps in one language.
pub struct Teller<'a> {
    /// The language.
    pub t: Lang,
    /// What a virtual client is called.
    pub name_of: &'a dyn Fn(ClientIndex) -> String,
}

impl Teller<'_> {
    /// The sentence for a step. Keys, commands and names carry the marks of [`code`].
    pub fn step(&self, input: &Input, events: &[Event]) -> String {
        let head = self.head(input);
        let mut clauses = self.clauses(input, events);
        let dropped = clauses.len().saturating_sub(CLAUSES_MAX);
        if dropped > 0 {
            clauses.truncate(CLAUSES_MAX);
            clauses.push(self.t.told_more(dropped as u64));
        }
        if clauses.is_empty() {
            self.t.told_alone(&head)
        } else {
            self.t.told_with_clauses(&clauses.join(self.t.told_comma()), &head)
        }
    }

    fn name(&self, client: ClientIndex) -> String {
        code(&(self.name_of)(client))
    }

    fn head(&self, input: &Input) -> String {
        match input {
            Input::Connect { name, .. } => self.t.told_connects(&code(name)),
            Input::Disconnect { client } => self.t.told_leaves(&self.name(*client)),
            Input::Rename { name, .. } => self.t.told_is_called(&code(name)),
            Input::Interrupt { client } => self.t.told_interrupts(&self.name(*client)),
            Input::Advance { ms } => self.t.told_passes(*ms),
            Input::Command { client, argv } => {
                self.t.told_runs(&short(&resp::split::quote_command(argv)), &self.name(*client))
            }
        }
    }

    fn clauses(&self, input: &Input, events: &[Event]) -> Vec<String> {
        let actor = input.client();
        let mut clauses = Vec::new();
        clauses.extend(events.iter().filter_map(|event| self.refusal_or_wait(actor, event)));
        clauses.extend(self.changes(events));
        clauses.extend(self.others(actor, events));
        if clauses.is_empty()
            && let Input::Command { .. } = input
        {
            clauses.extend(events.iter().filter_map(|event| self.answer(actor, event)));
        }
        clauses
    }

    fn refusal_or_wait(&self, actor: Option<ClientIndex>, event: &Event) -> Option<String> {
        match &event.kind {
            EventKind::Reply { client, value: Value::Error(text), .. } if Some(*client) == actor => {
                Some(self.t.told_refused(&short(&String::from_utf8_lossy(text))))
            }
            EventKind::Reply { client, value: Value::Simple(text), .. }
                if Some(*client) == actor && text.as_ref() == b"QUEUED" =>
            {
                Some(self.t.told_queued().to_owned())
            }
            EventKind::Blocked { wait, .. } => Some(self.wait(wait, event.at_ms)),
            _ => None,
        }
    }

    fn wait(&self, wait: &Wait, now_ms: u64) -> String {
        let what = match &wait.reason {
            WaitReason::Keys { keys, .. } => {
                let keys: Vec<String> = keys.iter().map(|key| short_bytes(key)).collect();
                self.t.told_waits_keys(&keys.join(self.t.told_comma()))
            }
            WaitReason::Pause => self.t.told_waits_pause().to_owned(),
            WaitReason::Sleep => self.t.told_waits_sleep().to_owned(),
            WaitReason::Replicas => self.t.told_waits_replicas().to_owned(),
        };
        let long = match wait.deadline_ms {
            Some(deadline_ms) => self.t.told_waits_most(deadline_ms.saturating_sub(now_ms)),
            None => self.t.told_waits_ever().to_owned(),
        };
        [what, long].join(self.t.told_comma())
    }

    /// What became of the keys; a key that changed twice is told once, from its first to its last state.
    fn changes(&self, events: &[Event]) -> Vec<String> {
        let mut seen: Vec<(&(usize, Bytes), Option<&Entry>, Option<&Entry>, bool)> = Vec::new();
        for event in events {
            let (key, before, after, is_expiry) = match &event.kind {
                EventKind::KeyChanged { key, before, after } => (key, before.as_ref(), after.as_ref(), false),
                EventKind::KeyExpired { key, before } => (key, before.as_ref(), None, true),
                _ => continue,
            };
            match seen.iter_mut().find(|(known, ..)| *known == key) {
                Some(change) => (change.2, change.3) = (after, is_expiry),
                None => seen.push((key, before, after, is_expiry)),
            }
        }
        let now_ms = events.last().map_or(0, |event| event.at_ms);
        seen.iter()
            .filter_map(|(key, before, after, is_expiry)| {
                let name = short_bytes(&key.1);
                if *is_expiry { Some(self.t.told_expires(&name)) } else { self.change(&name, *before, *after, now_ms) }
            })
            .collect()
    }

    fn change(&self, key: &str, before: Option<&Entry>, after: Option<&Entry>, now_ms: u64) -> Option<String> {
        let t = self.t;
        match (before, after) {
            (None, None) => None,
            (None, Some(after)) => Some(t.told_creates(key, type_name(t, &after.value))),
            (Some(before), None) => {
                let was_last = count(&before.value) == Some(1);
                Some(if was_last { t.told_empties(key) } else { t.told_removes(key) })
            }
            (Some(before), Some(after)) => Some(if before.value != after.value {
                self.value_change(key, &before.value, &after.value)
            } else {
                match (before.expires_ms, after.expires_ms) {
                    (was, Some(is)) if was != Some(is) => t.told_ttl_set(key, is.saturating_sub(now_ms)),
                    (Some(_), None) => t.told_ttl_cleared(key).to_owned(),
                    _ => t.told_changes(key),
                }
            }),
        }
    }

    fn value_change(&self, key: &str, before: &Held, after: &Held) -> String {
        let t = self.t;
        if before.type_name() != after.type_name() {
            return t.told_becomes(key, type_name(t, after));
        }
        if let (Held::String(before), Held::String(after)) = (before, after) {
            let (before, after) = (before.to_bytes(), after.to_bytes());
            return if before.len().max(after.len()) <= QUOTE_CHARS_MAX {
                t.told_value(&short_bytes(&after), &short_bytes(&before), key)
            } else {
                t.told_value_new(&short_bytes(&after), key)
            };
        }
        match (count(before), count(after)) {
            (Some(was), Some(is)) if was < is => t.told_grows(is, was, key),
            (Some(was), Some(is)) if was > is => t.told_shrinks(is, was, key),
            _ => t.told_changes(key),
        }
    }

    /// What it meant for clients that did not act: woken, timed out, addressed, closed.
    fn others(&self, actor: Option<ClientIndex>, events: &[Event]) -> Vec<String> {
        let mut clauses = Vec::new();
        let mut heard = Vec::new();
        for event in events {
            match &event.kind {
                EventKind::Unblocked { client } if Some(*client) != actor => {
                    clauses.push(self.unblocked(*client, actor.is_some(), events));
                }
                EventKind::Push { client, value, .. } if Some(*client) != actor || actor.is_none() => {
                    // A monitor sees everything: telling that it saw this would be noise.
                    if matches!(value, Value::Push(_)) && !heard.contains(client) {
                        heard.push(*client);
                    }
                }
                EventKind::Push { client, value: Value::Push(_), .. } if Some(*client) == actor => {
                    let clause = self.t.told_listens().to_owned();
                    if !clauses.contains(&clause) {
                        clauses.push(clause);
                    }
                }
                EventKind::Disconnected { client, reason: Some(_) } => {
                    clauses.push(self.t.told_closed(&self.name(*client)));
                }
                _ => {}
            }
        }
        match heard.as_slice() {
            [] => {}
            [one] => clauses.push(self.t.told_receives(&self.name(*one))),
            many => clauses.push(self.t.told_hear(many.len() as u64)),
        }
        clauses
    }

    fn unblocked(&self, client: ClientIndex, by_somebody: bool, events: &[Event]) -> String {
        let answer = events.iter().find_map(|event| match &event.kind {
            EventKind::Reply { client: who, value, .. } if *who == client => Some(value),
            _ => None,
        });
        match answer {
            Some(Value::Null | Value::NullArray) if !by_somebody => {
                self.t.told_gives_up(&code("(nil)"), &self.name(client))
            }
            _ => self.t.told_wakes(&self.name(client)),
        }
    }

    fn answer(&self, actor: Option<ClientIndex>, event: &Event) -> Option<String> {
        let EventKind::Reply { client, value, .. } = &event.kind else { return None };
        if Some(*client) != actor {
            return None;
        }
        Some(match value {
            Value::Null | Value::NullArray => self.t.told_finds_nothing().to_owned(),
            Value::Array(items) | Value::Set(items) => self.t.told_answers_many(items.len() as u64),
            Value::Map(pairs) => self.t.told_answers_many(pairs.len() as u64),
            other => self.t.told_answers(&short(&resp::cli::text(other, resp::Protocol::Resp3))),
        })
    }
}

/// The word for a value's type.
fn type_name(t: Lang, value: &Held) -> &'static str {
    match value.type_name() {
        "string" => t.type_string(),
        "list" => t.type_list(),
        "hash" => t.type_hash(),
        "set" => t.type_set(),
        "zset" => t.type_zset(),
        "stream" => t.type_stream(),
        other => other,
    }
}

/// How many elements a value has; a string has none.
pub fn count(value: &Held) -> Option<u64> {
    let len = match value {
        Held::String(_) => return None,
        Held::List(list) => list.len(),
        Held::Set(set) => set.len(),
        Held::Hash(hash) => hash.len(),
        Held::ZSet(zset) => zset.len(),
    };
    Some(len as u64)
}

/// Marked as code and cut where it is too long for a sentence.
fn short(text: &str) -> String {
    let mut cut: String = text.lines().next().unwrap_or_default().chars().take(QUOTE_CHARS_MAX).collect();
    if cut.len() < text.len() {
        cut.push('…');
    }
    code(&cut)
}

fn short_bytes(bytes: &[u8]) -> String {
    // Cut before quoting: a value may be megabytes.
    let head = bytes.get(..QUOTE_CHARS_MAX.saturating_mul(4)).unwrap_or(bytes);
    short(&resp::split::quote_argument(head))
}
