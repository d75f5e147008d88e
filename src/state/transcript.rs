//! The whole session as text to copy: as redis-cli would show it, or as Markdown.
use std::fmt::Write as _;

use bytes::Bytes;
use world::{ClientIndex, EventKind, Input, Timeline};

use crate::i18n::{Lang, plain};
use crate::state::description::Describer;

/// The prompt of redis-cli, used if only one client typed anything.
const PROMPT: &str = "127.0.0.1:6379> ";

/// What was typed and answered up to the cursor, in order. One client looks like redis-cli; several are distinguished by their names.
/// Passing time is on a line of its own, as in a session file.
pub fn as_text(timeline: &Timeline, name_of: &dyn Fn(ClientIndex) -> String) -> String {
    let is_single = speakers(timeline) <= 1;
    let mut out = String::new();
    // Commands that were typed and have not arrived yet.
    let mut under_way: Vec<(ClientIndex, &[Bytes])> = Vec::new();
    for (_, step) in timeline.taken() {
        if let Input::Advance { ms } = step.input {
            if !(is_single && Timeline::is_quiet(step)) {
                let _ = writeln!(out, "@+{ms}ms");
            }
        } else if let Input::Interrupt { client } = step.input {
            let _ = writeln!(out, "{}^C", prompt(is_single, client, name_of));
        }
        let actor = step.input.client();
        for event in &step.events {
            match &event.kind {
                EventKind::Command { client, argv, .. } | EventKind::Typed { client, argv, .. } => {
                    let known = under_way.iter().position(|known| *known == (*client, argv.as_slice()));
                    if let (Some(known), EventKind::Command { .. }) = (known, &event.kind) {
                        under_way.remove(known);
                        continue;
                    }
                    if matches!(event.kind, EventKind::Typed { .. }) {
                        under_way.push((*client, argv));
                    }
                    let line = resp::split::quote_command(argv);
                    let _ = writeln!(out, "{}{line}", prompt(is_single, *client, name_of));
                }
                EventKind::Reply { client, value, protocol } => {
                    address(&mut out, Some(*client) == actor || is_single, *client, name_of);
                    let _ = writeln!(out, "{}", resp::cli::text(value, *protocol));
                }
                EventKind::Push { client, value, .. } => {
                    address(&mut out, Some(*client) == actor || is_single, *client, name_of);
                    out.push_str(&String::from_utf8_lossy(&resp::cli::push(value)));
                }
                EventKind::Disconnected { client, .. } => under_way.retain(|(whose, _)| whose != client),
                EventKind::Refused { client } | EventKind::Unreachable { client } => {
                    if let Input::Command { argv, .. } = &step.input {
                        let line = resp::split::quote_command(argv);
                        let _ = writeln!(out, "{}{line}", prompt(is_single, *client, name_of));
                    }
                    let is_down = matches!(event.kind, EventKind::Refused { .. });
                    let why = if is_down { "Connection refused" } else { "Connection timed out" };
                    let _ = writeln!(out, "Could not connect to Redis: {why}");
                }
                _ => {}
            }
        }
    }
    out
}

/// How many clients have typed anything.
fn speakers(timeline: &Timeline) -> usize {
    let mut seen = Vec::new();
    for (_, step) in timeline.taken() {
        if let Input::Command { client, .. } = step.input
            && !seen.contains(&client)
        {
            seen.push(client);
        }
    }
    seen.len()
}

fn prompt(is_single: bool, client: ClientIndex, name_of: &dyn Fn(ClientIndex) -> String) -> String {
    if is_single { PROMPT.to_owned() } else { format!("{}> ", name_of(client)) }
}

/// Writes the client that the next lines belong to, unless it is the one that has just typed.
fn address(out: &mut String, is_clear: bool, client: ClientIndex, name_of: &dyn Fn(ClientIndex) -> String) {
    if !is_clear {
        let _ = writeln!(out, "[{}]", name_of(client));
    }
}

/// The transcript in a fenced block, and below it what happened, one sentence per step.
pub fn as_markdown(t: Lang, timeline: &Timeline, name_of: &dyn Fn(ClientIndex) -> String) -> String {
    let text = as_text(timeline, name_of);
    let fence = "`".repeat(longest_run_of_ticks(&text).max(2).saturating_add(1));
    let mut out = format!("# {}\n\n{fence}text\n{text}{fence}\n\n", t.app_title_long());
    let describer = Describer { t, name_of, settings: timeline.settings() };
    let steps = timeline.taken().filter(|(_, step)| !Timeline::is_quiet(step));
    for (number, (_, step)) in steps.enumerate() {
        let sentence = plain(&describer.step(&step.input, &step.events));
        let _ = writeln!(out, "{}. {}", number.saturating_add(1), escaped(&sentence));
    }
    out
}

/// Escapes Markdown's own characters, which would turn a key into a heading or a link.
fn escaped(sentence: &str) -> String {
    let mut out = String::with_capacity(sentence.len());
    for c in sentence.chars() {
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

fn longest_run_of_ticks(text: &str) -> usize {
    let mut longest = 0;
    let mut run = 0usize;
    for c in text.chars() {
        run = if c == '`' { run.saturating_add(1) } else { 0 };
        longest = longest.max(run);
    }
    longest
}

#[cfg(test)]
mod tests {
    use world::{Input, Settings, Timeline};

    use super::{as_markdown, as_text};
    use crate::i18n::Lang;

    fn name_of(client: u32) -> String {
        format!("c{}", client + 1)
    }

    fn played(lines: &[(u32, &str)]) -> Timeline {
        let mut timeline = Timeline::new(Settings::default());
        for client in 0..2 {
            timeline.push(Input::Connect { client, name: name_of(client) }).unwrap();
        }
        for (client, line) in lines {
            let argv = resp::split::split(line.as_bytes()).unwrap();
            timeline.push(Input::Command { client: *client, argv }).unwrap();
        }
        timeline
    }

    #[test]
    fn one_client_reads_like_redis_cli() {
        let timeline = played(&[(0, "SET greeting \"hello world\""), (0, "GET greeting"), (0, "GET nothing")]);
        let expected = "127.0.0.1:6379> SET greeting \"hello world\"\nOK\n127.0.0.1:6379> GET greeting\n\"hello world\"\n127.0.0.1:6379> GET nothing\n(nil)\n";
        assert_eq!(as_text(&timeline, &name_of), expected);
    }

    #[test]
    fn several_clients_are_named() {
        let timeline = played(&[(1, "BLPOP q 0"), (0, "RPUSH q x")]);
        let expected = "c2> BLPOP q 0\nc1> RPUSH q x\n(integer) 1\n[c2]\n1) \"q\"\n2) \"x\"\n";
        assert_eq!(as_text(&timeline, &name_of), expected);
    }

    #[test]
    fn markdown_keeps_typed_text_inside_its_fence() {
        let timeline = played(&[(0, "SET k ```"), (0, "GET *")]);
        let text = as_markdown(Lang::En, &timeline, &name_of);
        assert!(text.contains("\n````text\n"), "{text}");
        assert!(text.contains("GET \\*"), "{text}");
    }
}
