//! Describes a step in one sentence, in the reader's language, from the step's events.
//!
//! The sentence names who did what, then at most [`CLAUSES_MAX`] consequences, the most important first: a refusal, a wait, changed keys,
//! clients that were unblocked or got a message, and the reply only if there is nothing else.
pub(crate) mod nodes;
mod traffic;

use bytes::Bytes;
use redis_model::{Cause, CloseReason, Entry, Wait, WaitReason, value::Value as Held};
use resp::Value;
use world::{ClientIndex, Event, EventKind, Input, NodeIndex, Settings};

use super::inside::sketch::is_sketch;
use super::lab::description as programs;
use super::sql;
use crate::i18n::messages::{
    StepBecomes, StepCreates, StepElement, StepFlushed, StepGivesUp, StepGrows, StepRuns, StepShrinks, StepSwapped,
    StepTtlSet, StepValue, StepValueNew, StepWithClauses,
};
use crate::i18n::{Lang, code};

/// Further clauses are counted, not described.
const CLAUSES_MAX: usize = 3;
/// Further keys of a step are counted, not described.
const KEYS_TOLD_MAX: usize = 16;
/// Longest command, key or value that a sentence quotes, in characters.
const QUOTE_CHARS_MAX: usize = 48;
/// How many bytes of it are read: no character takes more than four.
const QUOTED_BYTES_MAX: usize = QUOTE_CHARS_MAX * 4;

/// In a hash or sorted set with more elements, the changed element is not searched for.
const LOOKED_THROUGH_MAX: u64 = 512;

/// Describes steps in one language.
pub struct Describer<'a> {
    /// The language.
    pub t: Lang,
    /// The name of a virtual client.
    pub name_of: &'a dyn Fn(ClientIndex) -> String,
    /// The world's initial settings, with its nodes.
    pub settings: &'a Settings,
}

/// Whether programs took part in a step. Their descriptions are in a deferred chunk, which is loaded when a session has programs.
fn is_of_programs(input: &Input, events: &[Event]) -> bool {
    matches!(input, Input::Program { .. } | Input::Serve { .. } | Input::Watch { .. })
        || events.iter().any(|event| matches!(event.kind, EventKind::Program { .. }))
}

/// Whether traffic took part in a step. Its descriptions are in a deferred chunk.
fn is_of_traffic(events: &[Event]) -> bool {
    events.iter().any(|event| matches!(event.kind, EventKind::Traffic { .. } | EventKind::TrafficRan { .. }))
}

/// Whether a command arrives, or a reply that unblocks no client.
fn arrives(event: &Event, events: &[Event]) -> bool {
    match &event.kind {
        EventKind::Command { .. } => true,
        EventKind::Reply { client, .. } => {
            let is_woken =
                |other: &Event| matches!(other.kind, EventKind::Unblocked { client: whose } if whose == *client);
            !events.iter().any(is_woken)
        }
        _ => false,
    }
}

impl Describer<'_> {
    /// The sentence for a step. Keys, commands and names carry the marks of [`code`].
    pub fn step(&self, input: &Input, events: &[Event]) -> String {
        if is_of_programs(input, events)
            && let Some(description) = programs::describe(self, input, events)
        {
            return description;
        }
        let head = self.head(input, events);
        let mut clauses = self.clauses(input, events);
        let dropped = clauses.len().saturating_sub(CLAUSES_MAX);
        if dropped > 0 {
            clauses.truncate(CLAUSES_MAX);
            clauses.push(self.t.step_more(dropped as u64));
        }
        if clauses.is_empty() {
            self.t.step_alone(&head)
        } else {
            self.t.say(StepWithClauses { head: &head, clauses: &clauses.join(self.t.step_comma()) })
        }
    }

    fn name(&self, client: ClientIndex) -> String {
        code(&(self.name_of)(client))
    }

    fn head(&self, input: &Input, events: &[Event]) -> String {
        match input {
            Input::Connect { name, .. } => self.t.step_connects(&code(name)),
            Input::Disconnect { client } => self.t.step_leaves(&self.name(*client)),
            Input::Rename { name, .. } => self.t.step_is_called(&code(name)),
            Input::Interrupt { client } => self.t.step_interrupts(&self.name(*client)),
            Input::Advance { ms } => self.t.step_passes(*ms),
            Input::Command { client, argv } => {
                let node =
                    events.iter().find(|event| event.kind.client() == Some(*client)).and_then(|event| event.node);
                let is_at_table = node.is_some_and(|node| self.settings.is_table(node));
                let command = if is_at_table { sql::whole(argv) } else { resp::split::quote_command(argv) };
                let command = nodes::with_node(self, short(&command), node);
                self.t.say(StepRuns { who: &self.name(*client), command: &command })
            }
            // Programs are described where they are shown: in the lab.
            Input::Program { client, act } => self.t.say(StepRuns {
                who: &self.name(*client),
                command: &short(&resp::split::quote_command(&act.to_words())),
            }),
            Input::SwitchNode { .. } | Input::Node { .. } | Input::Link { .. } => nodes::head(self, input),
            Input::Traffic { act } => traffic::head(self, act, events),
            Input::Serve { .. } | Input::Watch { .. } => String::new(),
        }
    }

    fn clauses(&self, input: &Input, events: &[Event]) -> Vec<String> {
        let actor = input.client();
        let mut clauses = Vec::new();
        clauses.extend(events.iter().filter_map(|event| self.refusal_or_wait(actor, event)));
        clauses.extend(self.changes(events));
        clauses.extend(self.others(actor, events));
        // Descriptions of arrivals are in a deferred chunk.
        if matches!(input, Input::Advance { .. } | Input::Link { .. })
            && events.iter().any(|each| arrives(each, events))
        {
            clauses.extend(nodes::arrivals(self, events));
        }
        if is_of_traffic(events) {
            clauses.splice(0..0, traffic::clauses(self, events));
        }
        if clauses.is_empty()
            && let Input::Command { argv, .. } = input
        {
            clauses.extend(events.iter().filter_map(|event| self.special_answer(actor, argv, event)));
        }
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
                Some(self.t.step_refused(&short(&String::from_utf8_lossy(text))))
            }
            EventKind::Reply { client, value: Value::Simple(text), .. }
                if Some(*client) == actor && text.as_ref() == b"QUEUED" =>
            {
                Some(self.t.step_queued().to_owned())
            }
            EventKind::Blocked { wait, .. } => Some(self.wait(wait, event.clock_ms())),
            EventKind::Refused { .. } => Some(self.t.step_connection_refused().to_owned()),
            EventKind::Unreachable { .. } => Some(self.t.step_unreachable().to_owned()),
            EventKind::Typed { until_ms, .. } => Some(self.t.step_under_way(until_ms.saturating_sub(event.at_ms))),
            EventKind::TooManyConnections { .. } | EventKind::RowWait { .. } => Some(nodes::of_table(self, event)),
            EventKind::Flushed { db, keys } => Some(self.t.say(StepFlushed { db: &db.to_string(), n: *keys as u64 })),
            EventKind::Swapped { first, second } => {
                Some(self.t.say(StepSwapped { first: &first.to_string(), second: &second.to_string() }))
            }
            _ => None,
        }
    }

    fn wait(&self, wait: &Wait, now_ms: u64) -> String {
        let what = match &wait.reason {
            WaitReason::Keys { keys, .. } => {
                let keys: Vec<String> = keys.iter().map(|key| short_bytes(key)).collect();
                self.t.step_waits_keys(&keys.join(self.t.step_comma()))
            }
            WaitReason::Pause => self.t.step_waits_pause().to_owned(),
            WaitReason::Sleep => self.t.step_waits_sleep().to_owned(),
            WaitReason::Script { ends_ms: Some(ends_ms) } => {
                return self.t.step_waits_script_end(ends_ms.saturating_sub(now_ms));
            }
            WaitReason::Script { ends_ms: None } => self.t.step_waits_script().to_owned(),
            WaitReason::Replicas => self.t.step_waits_replicas().to_owned(),
        };
        let long = match wait.deadline_ms {
            Some(deadline_ms) => self.t.step_waits_most(deadline_ms.saturating_sub(now_ms)),
            None => self.t.step_waits_ever().to_owned(),
        };
        [what, long].join(self.t.step_comma())
    }

    /// What happened to the keys; a key that changed twice is described once, from its first to its last state. If a step changed many
    /// keys, only the first [`KEYS_TOLD_MAX`] are described; the rest are counted.
    pub(super) fn changes(&self, events: &[Event]) -> Vec<String> {
        // Node and key, state before the first change, state after the last one, cause, and the node's clock.
        type Seen<'a> = ((Option<NodeIndex>, &'a (usize, Bytes)), Option<&'a Entry>, Option<&'a Entry>, Cause, u64);
        let mut seen: Vec<Seen<'_>> = Vec::new();
        let mut others = 0usize;
        for event in events {
            let (key, before, after, cause) = match &event.kind {
                EventKind::KeyChanged { key, before, after } => (key, before.as_ref(), after.as_ref(), Cause::Command),
                EventKind::KeyExpired { key, before } => (key, before.as_ref(), None, Cause::Expiry),
                EventKind::KeyEvicted { key, before } => (key, before.as_ref(), None, Cause::Eviction),
                _ => continue,
            };
            let is_full = seen.len() >= KEYS_TOLD_MAX;
            let key = (event.node, key);
            match seen.iter_mut().find(|(known, ..)| *known == key) {
                Some(change) => (change.2, change.3, change.4) = (after, cause, event.clock_ms()),
                None if is_full => others = others.saturating_add(1),
                None => seen.push((key, before, after, cause, event.clock_ms())),
            }
        }
        // Descriptions of rows are in a deferred chunk.
        let has_rows = events.iter().any(|event| matches!(event.kind, EventKind::RowChanged { .. }));
        // A command already names its node.
        let is_of_command = events.iter().any(|event| matches!(event.kind, EventKind::Command { .. }));
        seen.iter()
            .filter_map(|((node, (_, key)), before, after, cause, clock_ms)| {
                let name = nodes::key_of_node(self, short_bytes(key), node.filter(|_| !is_of_command));
                match cause {
                    Cause::Expiry => Some(self.t.step_expires(&name)),
                    Cause::Eviction => Some(self.t.step_evicts(&name)),
                    Cause::Command => self.change(&name, *before, *after, *clock_ms),
                }
            })
            .chain(if has_rows { nodes::rows(self, events) } else { Vec::new() })
            .chain(std::iter::repeat_n(String::new(), others))
            .collect()
    }

    fn change(&self, key: &str, before: Option<&Entry>, after: Option<&Entry>, clock_ms: u64) -> Option<String> {
        let t = self.t;
        match (before, after) {
            (None, None) => None,
            (None, Some(after)) => Some(t.say(StepCreates { kind: type_name(t, after.value.type_name()), key })),
            (Some(before), None) => {
                let was_last = count(&before.value) == Some(1);
                Some(if was_last { t.step_empties(key) } else { t.step_removes(key) })
            }
            (Some(before), Some(after)) => Some(if before.value != after.value {
                self.value_change(key, &before.value, &after.value)
            } else {
                match (before.expires_ms, after.expires_ms) {
                    (was, Some(is)) if was != Some(is) => t.say(StepTtlSet { key, ms: is.saturating_sub(clock_ms) }),
                    (Some(_), None) => t.step_ttl_cleared(key).to_owned(),
                    _ => t.step_changes(key),
                }
            }),
        }
    }

    fn value_change(&self, key: &str, before: &Held, after: &Held) -> String {
        let t = self.t;
        if before.type_name() != after.type_name() {
            return t.say(StepBecomes { key, kind: type_name(t, after.type_name()) });
        }
        if let (Held::String(before), Held::String(after)) = (before, after) {
            if is_sketch(after) {
                // Its bytes mean nothing to a reader.
                return t.step_changes(key);
            }
            let longest = before.len().max(after.len());
            let [before, after] = [before, after].map(|string| string.slice(0..QUOTED_BYTES_MAX));
            return if longest <= QUOTE_CHARS_MAX {
                t.say(StepValue { key, before: &short_bytes(&before), after: &short_bytes(&after) })
            } else {
                t.say(StepValueNew { key, after: &short_bytes(&after) })
            };
        }
        match (count(before), count(after)) {
            (Some(was), Some(is)) if was < is => t.say(StepGrows { key, before: was, after: is }),
            (Some(was), Some(is)) if was > is => t.say(StepShrinks { key, before: was, after: is }),
            _ => match changed_element(before, after) {
                Some((element, was, is)) => t.say(StepElement {
                    key,
                    element: &short_bytes(&element),
                    before: &short_bytes(&was),
                    after: &short_bytes(&is),
                }),
                None => t.step_changes(key),
            },
        }
    }

    /// What happened to clients that did not act: unblocked, timed out, sent a message, disconnected.
    fn others(&self, actor: Option<ClientIndex>, events: &[Event]) -> Vec<String> {
        let mut clauses = Vec::new();
        let mut heard = Vec::new();
        for event in events {
            match &event.kind {
                EventKind::Unblocked { client } if Some(*client) != actor => {
                    clauses.push(self.unblocked(*client, actor.is_some(), events));
                }
                // A monitor sees everything, so mentioning it would be noise.
                EventKind::Push { client, value: Value::Push(_), .. }
                    if Some(*client) != actor && !heard.contains(client) =>
                {
                    heard.push(*client);
                }
                EventKind::Push { client, value: Value::Push(_), .. } if Some(*client) == actor => {
                    let clause = self.t.step_listens().to_owned();
                    if !clauses.contains(&clause) {
                        clauses.push(clause);
                    }
                }
                EventKind::Disconnected { client, reason: Some(CloseReason::Crashed) } => {
                    clauses.push(self.t.step_breaks_off(&self.name(*client)));
                }
                EventKind::Disconnected { client, reason: Some(_) } => {
                    clauses.push(self.t.step_closed(&self.name(*client)));
                }
                _ => {}
            }
        }
        match heard.as_slice() {
            [] => {}
            [one] => clauses.push(self.t.step_receives(&self.name(*one))),
            many => clauses.push(self.t.step_hear(many.len() as u64)),
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
                self.t.say(StepGivesUp { who: &self.name(client), value: &code("(nil)") })
            }
            _ => self.t.step_wakes(&self.name(client)),
        }
    }

    /// Replies that need an explanation.
    fn special_answer(&self, actor: Option<ClientIndex>, argv: &[Bytes], event: &Event) -> Option<String> {
        let EventKind::Reply { client, value, .. } = &event.kind else { return None };
        let name = argv.first().filter(|_| Some(*client) == actor)?;
        match value {
            Value::Null | Value::NullArray if name.eq_ignore_ascii_case(b"EXEC") => {
                Some(self.t.step_exec_nil().to_owned())
            }
            Value::Integer(0) if name.eq_ignore_ascii_case(b"PUBLISH") => Some(self.t.step_hear(0)),
            _ => None,
        }
    }

    fn answer(&self, actor: Option<ClientIndex>, event: &Event) -> Option<String> {
        let EventKind::Reply { client, value, .. } = &event.kind else { return None };
        if Some(*client) != actor {
            return None;
        }
        if let Some(rows) = sql::affected(value) {
            return Some(self.t.step_rows_affected(rows));
        }
        if let Some(rows) = sql::answer(value) {
            return Some(self.t.step_answers(&short(&rows)));
        }
        Some(match value {
            Value::Null | Value::NullArray => self.t.step_finds_nothing().to_owned(),
            Value::Array(items) | Value::Set(items) => self.t.step_answers_many(items.len() as u64),
            Value::Map(pairs) => self.t.step_answers_many(pairs.len() as u64),
            other => self.t.step_answers(&short(&resp::cli::text(other, resp::Protocol::Resp3))),
        })
    }
}

/// The name of a type, as Redis calls it, in the reader's language.
pub fn type_name(t: Lang, name: &str) -> &str {
    match name {
        "string" => t.type_string(),
        "list" => t.type_list(),
        "hash" => t.type_hash(),
        "set" => t.type_set(),
        "zset" => t.type_zset(),
        "stream" => t.type_stream(),
        other => other,
    }
}

/// How many elements a value has; `None` for a string.
pub fn count(value: &Held) -> Option<u64> {
    let len = match value {
        Held::String(_) => return None,
        Held::List(list) => list.len(),
        Held::Set(set) => set.len(),
        Held::Hash(hash) => hash.len(),
        Held::ZSet(zset) => zset.len(),
        Held::Stream(stream) => stream.len(),
    };
    Some(len as u64)
}

/// The only field or member that differs, with its value before and after. `None` if several differ, or if the value is too large to search
/// for one sentence.
fn changed_element(before: &Held, after: &Held) -> Option<(Bytes, Bytes, Bytes)> {
    if count(after)? > LOOKED_THROUGH_MAX {
        return None;
    }
    let mut changes = match (before, after) {
        (Held::Hash(before), Held::Hash(after)) => after
            .iter()
            .filter_map(|(field, is)| {
                let was = before.get(field).filter(|was| *was != is)?;
                Some((field.clone(), was.clone(), is.clone()))
            })
            .collect::<Vec<_>>(),
        (Held::ZSet(before), Held::ZSet(after)) => after
            .iter()
            .filter_map(|(member, is)| {
                let was = before.score(member).filter(|was| *was != is)?;
                Some((member.clone(), score_text(was), score_text(is)))
            })
            .collect(),
        _ => return None,
    };
    let change = changes.pop()?;
    changes.is_empty().then_some(change)
}

/// A score as Redis writes it.
fn score_text(score: f64) -> Bytes {
    let mut text = Vec::new();
    resp::encode::double_text(score, &mut text);
    text.into()
}

/// Marked as code, and shortened if too long for a sentence.
fn short(text: &str) -> String {
    let mut cut: String = text.lines().next().unwrap_or_default().chars().take(QUOTE_CHARS_MAX).collect();
    if cut.len() < text.len() {
        cut.push('…');
    }
    code(&cut)
}

fn short_bytes(bytes: &[u8]) -> String {
    // Cut before quoting: a value may be megabytes.
    let head = bytes.get(..QUOTED_BYTES_MAX).unwrap_or(bytes);
    short(&resp::split::quote_argument(head))
}

#[cfg(test)]
mod tests {
    use world::{Input, Settings, Timeline};

    use super::Describer;
    use crate::i18n::{Lang, plain};

    /// Runs a script (`0> SET k 1`, `@+5s` as milliseconds) and describes its last step in both languages.
    fn descriptions(script: &[&str]) -> (String, String) {
        let mut timeline = Timeline::new(Settings::default());
        for client in 0..3 {
            timeline.push(Input::Connect { client, name: format!("c{}", client + 1) }).unwrap();
        }
        for line in script {
            let input = if let Some(ms) = line.strip_prefix("@+") {
                Input::Advance { ms: ms.parse().unwrap() }
            } else if let Some(client) = line.strip_suffix('!') {
                Input::Interrupt { client: client.parse().unwrap() }
            } else {
                let (client, words) = line.split_once("> ").unwrap();
                let argv = resp::split::split(words.as_bytes()).unwrap();
                Input::Command { client: client.parse().unwrap(), argv }
            };
            timeline.push(input).unwrap();
        }
        let step = timeline.step_at(timeline.len() - 1).unwrap();
        let name_of = |client: u32| format!("c{}", client + 1);
        let describe = |t| {
            plain(&Describer { t, name_of: &name_of, settings: timeline.settings() }.step(&step.input, &step.events))
        };
        (describe(Lang::En), describe(Lang::ZhCn))
    }

    #[test]
    fn steps_are_described_in_both_languages() {
        for (script, en, zh) in [
            (&["0> SET k 1"][..], "c1 runs SET k 1: creates the string k.", "c1 执行 SET k 1：新建字符串 k。"),
            (&["0> SET k 1", "1> INCR k"], "c2 runs INCR k: k goes from 1 to 2.", "c2 执行 INCR k：k 由 1 变为 2。"),
            (&["0> GET k"], "c1 runs GET k: finds nothing.", "c1 执行 GET k：什么也没找到。"),
            (
                &["0> SET k 1", "0> FLUSHDB"],
                "c1 runs FLUSHDB: database 0 is emptied (1 key).",
                "c1 执行 FLUSHDB：清空 0 号数据库（1 个键）。",
            ),
            (
                &["0> SET k 1", "0> SWAPDB 0 3"],
                "c1 runs SWAPDB 0 3: databases 0 and 3 exchange their keys.",
                "c1 执行 SWAPDB 0 3：0 号与 3 号数据库交换所有的键。",
            ),
            (
                &["0> RPUSH l a", "0> RPUSH l b c"],
                "c1 runs RPUSH l b c: l grows from 1 to 3 elements.",
                "c1 执行 RPUSH l b c：l 由 1 个元素增至 3 个。",
            ),
            (
                &["0> RPUSH l a", "0> LPOP l"],
                "c1 runs LPOP l: l is gone with its last element.",
                "c1 执行 LPOP l：l 随最后一个元素一起消失。",
            ),
            (
                &["0> BLPOP q 5"],
                "c1 runs BLPOP q 5: waits for q, at most 5 s.",
                "c1 执行 BLPOP q 5：等待 q，最多等 5 秒。",
            ),
            (&["0> BLPOP q 0", "1> LPUSH q x"], "c2 runs LPUSH q x: this wakes c1.", "c2 执行 LPUSH q x：唤醒了 c1。"),
            (
                &["0> BLPOP q 5", "@+5000"],
                "5 s pass: c1 has waited long enough and gets (nil).",
                "时间过去 5 秒：c1 等到超时，得到 (nil)。",
            ),
            (&["0> SET k v PX 1500", "@+1700"], "1.7 s pass: k has expired.", "时间过去 1.7 秒：k 过期了。"),
            (
                &["0> SET k v", "0> CONFIG SET maxmemory 1 maxmemory-policy allkeys-lru"],
                "c1 runs CONFIG SET maxmemory 1 maxmemory-policy allkeys-…: k is evicted because memory is short.",
                "c1 执行 CONFIG SET maxmemory 1 maxmemory-policy allkeys-…：内存不足，k 被淘汰。",
            ),
            (
                &["0> SET k v", "0> EXPIRE k 60"],
                "c1 runs EXPIRE k 60: k will expire in 1 min.",
                "c1 执行 EXPIRE k 60：k 将在 1 分钟后过期。",
            ),
            (
                &["0> SUBSCRIBE n", "1> SUBSCRIBE n", "2> PUBLISH n hi"],
                "c3 runs PUBLISH n hi: 2 clients hear it.",
                "c3 执行 PUBLISH n hi：2 个客户端收到。",
            ),
            (&["0> PUBLISH n hi"], "c1 runs PUBLISH n hi: no one listens.", "c1 执行 PUBLISH n hi：没有订阅者。"),
            (
                &["0> MULTI", "0> SET k 1"],
                "c1 runs SET k 1: queued, nothing runs before EXEC.",
                "c1 执行 SET k 1：进入队列，EXEC 之前不会执行。",
            ),
            (
                &["0> WATCH k", "1> SET k 2", "0> MULTI", "0> SET k 1", "0> EXEC"],
                "c1 runs EXEC: nothing is run, because a watched key has changed.",
                "c1 执行 EXEC：被监视的键已被改动，整个事务没有执行。",
            ),
            (
                &["0> SET k v", "0> LPUSH k x"],
                "c1 runs LPUSH k x: the server refuses: WRONGTYPE Operation against a key holding the wr….",
                "c1 执行 LPUSH k x：服务器拒绝：WRONGTYPE Operation against a key holding the wr…。",
            ),
            (
                &["0> BLPOP q 0", "0!"],
                "c1 presses Ctrl-C and opens a new connection.",
                "c1 按下 Ctrl-C，重新建立连接。",
            ),
            (
                &["0> HSET h a 1 b 2", "0> HINCRBY h b 5"],
                "c1 runs HINCRBY h b 5: in h, b goes from 2 to 7.",
                "c1 执行 HINCRBY h b 5：h 中的 b 由 2 变为 7。",
            ),
            (
                &["0> ZADD z 1 a 2 b", "0> ZINCRBY z 1.5 a"],
                "c1 runs ZINCRBY z 1.5 a: in z, a goes from 1 to 2.5.",
                "c1 执行 ZINCRBY z 1.5 a：z 中的 a 由 1 变为 2.5。",
            ),
            (&["0> PFADD k a", "0> PFADD k b"], "c1 runs PFADD k b: changes k.", "c1 执行 PFADD k b：修改 k。"),
            (&["0> SET k 1", "1> DEL k"], "c2 runs DEL k: removes k.", "c2 执行 DEL k：删除 k。"),
            (&["@+250"], "250 ms pass.", "时间过去 250 毫秒。"),
            (
                &["0> MSET a 1 b 2 c 3 d 4 e 5"],
                "c1 runs MSET a 1 b 2 c 3 d 4 e 5: creates the string a, creates the string b, creates the string c, and 2 more things.",
                "c1 执行 MSET a 1 b 2 c 3 d 4 e 5：新建字符串 a，新建字符串 b，新建字符串 c，还有 2 处变化。",
            ),
        ] {
            assert_eq!(descriptions(script), (en.to_owned(), zh.to_owned()), "{script:?}");
        }
    }
}
