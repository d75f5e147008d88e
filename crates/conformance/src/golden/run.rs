//! Running one script on one target.
use std::collections::BTreeMap;

use bytes::Bytes;
use resp::{Protocol, Value, cli};

use super::pattern::matches;
use super::script::{Action, Expected, Item, Only, ReplyOrder, Script, Step};
use crate::target::{Event, Identity, Target, TargetError, What};

/// The kind of server on which a script runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The model.
    Model,
    /// A real Redis.
    Real,
}

/// A step with unexpected output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Number of the step's line.
    pub line: usize,
    /// The step as written.
    pub step: String,
    /// The expected lines, as written.
    pub expected: Vec<String>,
    /// The lines that were seen.
    pub actual: Vec<String>,
}

/// The outcome of a script.
#[derive(Clone, Debug, Default)]
pub struct GoldenResult {
    /// Commands sent.
    pub commands: usize,
    /// Steps that failed.
    pub mismatches: Vec<Mismatch>,
    /// The script does not run on this side, for this reason.
    pub skipped: Option<String>,
}

/// Runs a script from an empty server. With `update`, the seen lines become the expectations, except where a pattern matches.
///
/// # Errors
/// If the target itself fails.
pub fn run(
    script: &mut Script,
    target: &mut dyn Target,
    side: Side,
    update: bool,
) -> Result<GoldenResult, TargetError> {
    let mut outcome = GoldenResult { skipped: reason_to_skip(script.only.as_ref(), side), ..GoldenResult::default() };
    if outcome.skipped.is_some() {
        return Ok(outcome);
    }
    target.reset(&script.config)?;
    if side == Side::Real && script.steps().any(|step| WHOLE_SECONDS.iter().any(|word| step.text.contains(word))) {
        start_with_a_second(target)?;
    }
    let mut clients = BTreeMap::new();
    let mut items = std::mem::take(&mut script.items);
    for item in &mut items {
        let Item::Step(step) = item else { continue };
        if reason_to_skip(step.only.as_ref(), side).is_some() {
            continue;
        }
        let actual = play(script, step, target, &mut clients, &mut outcome.commands)?;
        if is_expected(&step.expected, &actual) {
            continue;
        }
        outcome.mismatches.push(Mismatch {
            line: step.line,
            step: step.text.clone(),
            expected: step.expected.iter().map(Expected::to_string).collect(),
            actual: actual.clone(),
        });
        if update {
            step.expected = actual.into_iter().map(Expected::Text).collect();
        }
    }
    script.items = items;
    Ok(outcome)
}

/// Words whose replies depend on the fraction of the second at which the script starts: `$now(+10)` is truncated to whole seconds, so in
/// the second half of a second `TTL` would return 9; `OBJECT IDLETIME` is the difference of two clocks that count whole seconds.
const WHOLE_SECONDS: [&str; 2] = ["$now(", "IDLETIME"];

/// Waits until a second has just begun, also by the server's own clock, which is late by up to 100 ms.
fn start_with_a_second(target: &mut dyn Target) -> Result<(), TargetError> {
    const BEGIN_MS: u64 = 120;
    let late_ms = target.now_ms().saturating_sub(BEGIN_MS) % 1000;
    if late_ms > 50 {
        target.advance(1000_u64.saturating_sub(late_ms))?;
    }
    Ok(())
}

fn reason_to_skip(only: Option<&Only>, side: Side) -> Option<String> {
    match (only, side) {
        (Some(Only::Model(reason)), Side::Real) | (Some(Only::Real(reason)), Side::Model) => Some(reason.clone()),
        _ => None,
    }
}

fn play(
    script: &Script,
    step: &Step,
    target: &mut dyn Target,
    clients: &mut BTreeMap<String, Identity>,
    commands: &mut usize,
) -> Result<Vec<String>, TargetError> {
    let mut shown = Vec::new();
    match &step.action {
        Action::Advance { by_ms } => show(target.advance(*by_ms)?, None, &[], ReplyOrder::Kept, clients, &mut shown),
        Action::Disconnect { client } => {
            clients.remove(client);
            show(target.disconnect(client)?, None, &[], ReplyOrder::Kept, clients, &mut shown);
        }
        Action::Command { client, argv, times } => {
            if !clients.contains_key(client) {
                clients.insert(client.clone(), target.connect(client, script.protocol(client))?);
            }
            for _ in 0..*times {
                let argv = substitute(argv, clients, target.now_ms());
                *commands = commands.saturating_add(1);
                let events = target.send(client, &argv)?;
                show(events, Some(client), &argv, step.order, clients, &mut shown);
                if !clients.contains_key(client) {
                    break;
                }
            }
        }
    }
    Ok(shown)
}

/// Events as the lines of a script.
fn show(
    events: Vec<Event>,
    sender: Option<&str>,
    argv: &[Bytes],
    order: ReplyOrder,
    clients: &mut BTreeMap<String, Identity>,
    shown: &mut Vec<String>,
) {
    for event in events {
        let is_own = sender == Some(event.client.as_str());
        let lines = match &event.what {
            What::Message(value) if is_own && cli::prints_raw(argv) => raw_lines(value),
            What::Message(value) if is_own => message_lines(&ordered(value, order)),
            What::Message(value) => message_lines(value),
            What::Blocked => vec!["(blocked)".to_owned()],
            What::Silent => vec!["(no reply)".to_owned()],
            What::Closed => {
                clients.remove(&event.client);
                vec!["(closed)".to_owned()]
            }
        };
        shown.extend(lines.into_iter().map(|line| if is_own { line } else { format!("{}< {line}", event.client) }));
    }
}

fn message_lines(value: &Value) -> Vec<String> {
    // A decoded value has only types of its protocol, so it can be shown as RESP3.
    cli::lines(value, Protocol::Resp3).iter().map(cli::Line::text).collect()
}

fn raw_lines(value: &Value) -> Vec<String> {
    let text = cli::raw(value, Protocol::Resp3);
    String::from_utf8_lossy(&text).trim_end().lines().map(|line| line.trim_end_matches('\r').to_owned()).collect()
}

/// Sorts unordered elements by their printed text.
fn ordered(value: &Value, order: ReplyOrder) -> Value {
    let by_text = |value: &Value| cli::text(value, Protocol::Resp3);
    match (order, value) {
        (ReplyOrder::Kept, _) => value.clone(),
        (ReplyOrder::Items, Value::Array(items)) => Value::Array(sorted(items, by_text)),
        (ReplyOrder::Items, Value::Set(items)) => Value::Set(sorted(items, by_text)),
        (ReplyOrder::Items | ReplyOrder::Pairs, Value::Map(pairs)) => {
            Value::Map(sorted(pairs, |(key, _)| by_text(key)))
        }
        (ReplyOrder::Pairs, Value::Array(items)) => {
            let pairs: Vec<Vec<Value>> = items.chunks(2).map(<[Value]>::to_vec).collect();
            Value::Array(sorted(&pairs, |pair| pair.iter().map(by_text).collect::<Vec<_>>()).concat())
        }
        (ReplyOrder::ScanItems | ReplyOrder::ScanPairs, Value::Array(items)) => {
            let inner = if order == ReplyOrder::ScanItems { ReplyOrder::Items } else { ReplyOrder::Pairs };
            Value::Array(items.iter().map(|item| ordered(item, inner)).collect())
        }
        (ReplyOrder::Deep, Value::Array(items)) => {
            let items: Vec<Value> = items.iter().map(|item| ordered(item, ReplyOrder::Deep)).collect();
            Value::Array(sorted(&items, by_text))
        }
        (ReplyOrder::Deep, Value::Set(items)) => {
            let items: Vec<Value> = items.iter().map(|item| ordered(item, ReplyOrder::Deep)).collect();
            Value::Set(sorted(&items, by_text))
        }
        (ReplyOrder::Deep, Value::Map(pairs)) => {
            let pairs: Vec<_> =
                pairs.iter().map(|(key, value)| (key.clone(), ordered(value, ReplyOrder::Deep))).collect();
            Value::Map(sorted(&pairs, |(key, _)| by_text(key)))
        }
        _ => value.clone(),
    }
}

fn sorted<T: Clone, K: Ord>(items: &[T], key: impl Fn(&T) -> K) -> Vec<T> {
    let mut items = items.to_vec();
    items.sort_by_key(|item| key(item));
    items
}

fn is_expected(expected: &[Expected], actual: &[String]) -> bool {
    match (expected.split_first(), actual.split_first()) {
        (None, None) => true,
        (Some((Expected::Pattern(pattern), rest)), _) if pattern == "..." => {
            (0..=actual.len()).any(|skipped| is_expected(rest, actual.get(skipped..).unwrap_or_default()))
        }
        (Some((Expected::Text(text), rest)), Some((line, lines))) => text == line && is_expected(rest, lines),
        (Some((Expected::Pattern(pattern), rest)), Some((line, lines))) => {
            matches(pattern, line) && is_expected(rest, lines)
        }
        _ => false,
    }
}

/// Replaces `$id(b)`, `$addr(b)`, `$now(+10)` and `$nowms(-5)` in arguments.
fn substitute(argv: &[Bytes], clients: &BTreeMap<String, Identity>, now_ms: u64) -> Vec<Bytes> {
    argv.iter()
        .map(|argument| {
            let text = std::str::from_utf8(argument).ok().filter(|text| text.contains('$') && text.contains('('));
            text.map_or_else(|| argument.clone(), |text| Bytes::from(substitute_text(text, clients, now_ms)))
        })
        .collect()
}

fn substitute_text(text: &str, clients: &BTreeMap<String, Identity>, now_ms: u64) -> String {
    let Some((before, call)) = text.split_once('$') else { return text.to_owned() };
    let value = call.split_once('(').and_then(|(name, rest)| {
        let (argument, after) = rest.split_once(')')?;
        let now_ms = i64::try_from(now_ms).unwrap_or(i64::MAX);
        let number = || if argument.is_empty() { Some(0) } else { argument.parse::<i64>().ok() };
        let value = match name {
            "id" => clients.get(argument)?.id.to_string(),
            "addr" => clients.get(argument)?.addr.clone(),
            "now" => (now_ms / 1000).saturating_add(number()?).to_string(),
            "nowms" => now_ms.saturating_add(number()?).to_string(),
            _ => return None,
        };
        Some((value, after))
    });
    match value {
        Some((value, after)) => format!("{before}{value}{}", substitute_text(after, clients, now_ms)),
        None => format!("{before}${}", substitute_text(call, clients, now_ms)),
    }
}
