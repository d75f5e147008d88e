//! The outcome of a script: its last call up to the cursor, the reply, and the line that an error names.
use bytes::Bytes;
use redis_model::script_sha;
use resp::{Protocol, Value};
use world::{ClientIndex, Event, EventKind, Input, NodeIndex, Timeline};

/// How many steps before the cursor are searched.
const STEPS_SEEN_MAX: usize = 500;

/// The last call of a script.
#[derive(Clone, Debug, PartialEq)]
pub struct LastCall {
    /// The client that called it.
    pub client: ClientIndex,
    /// The words of the call.
    pub argv: Vec<Bytes>,
    /// The reply; `None` until the script has ended.
    pub reply: Option<(Value, Protocol)>,
}

/// The last call of this text at a node, up to the cursor: directly, by its SHA-1, or by a function that it registers.
pub fn last(timeline: &Timeline, node: NodeIndex, text: &str) -> Option<LastCall> {
    let sha = script_sha(text.as_bytes());
    let server = timeline.world().server(node)?;
    let library = server.function_libraries().find(|library| library.text == text.as_bytes());
    let is_function = |word: &Bytes| library.is_some_and(|library| library.function(word).is_some());
    let is_of = |argv: &[Bytes]| {
        let name = argv.first().map(|name| name.to_ascii_lowercase()).unwrap_or_default();
        let word = |i: usize| argv.get(i);
        match name.as_slice() {
            b"eval" | b"eval_ro" => word(1).is_some_and(|word| word == text),
            b"evalsha" | b"evalsha_ro" => word(1).is_some_and(|word| word.eq_ignore_ascii_case(&sha)),
            b"script" | b"function" => {
                word(1).is_some_and(|word| word.eq_ignore_ascii_case(b"load"))
                    && argv.last().is_some_and(|word| word == text)
            }
            b"fcall" | b"fcall_ro" => word(1).is_some_and(is_function),
            _ => false,
        }
    };
    // The reply to a killed script comes in a later step than its call.
    let mut replies: Vec<(ClientIndex, Value, Protocol)> = Vec::new();
    let is_here = |event: &&Event| event.node == Some(node);
    for (_, step) in timeline.taken().rev().take(STEPS_SEEN_MAX) {
        for event in step.events.iter().filter(is_here) {
            if let EventKind::Reply { client, value, protocol } = &event.kind {
                replies.retain(|(to, ..)| to != client);
                replies.push((*client, value.clone(), *protocol));
            }
        }
        if let Input::Command { client, argv } = &step.input
            && is_of(argv)
            && step.events.iter().filter(is_here).any(|event| matches!(event.kind, EventKind::Command { .. }))
        {
            let reply = replies.iter().find(|(to, ..)| to == client);
            let reply = reply.map(|(_, value, protocol)| (value.clone(), *protocol));
            return Some(LastCall { client: *client, argv: argv.clone(), reply });
        }
    }
    None
}

/// An error, and the line of the script that it names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineError {
    /// The line, from 1.
    pub line: u32,
    /// The message, without the locations.
    pub text: String,
}

/// Parses the line out of an error (`user_script:3: …`, `… script: <name>, on @user_script:3.`).
pub fn fault(error: &[u8]) -> Option<LineError> {
    let error = String::from_utf8_lossy(error);
    let place = |text: &str| -> Option<(usize, u32, usize)> {
        ["user_script:", "user_function:"].iter().find_map(|name| {
            let at = text.find(name)?;
            let digits = text.get(at.checked_add(name.len())?..)?;
            let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
            let behind = text.len().checked_sub(digits.len())?.checked_add(end)?;
            Some((at, digits.get(..end)?.parse().ok()?, behind))
        })
    };
    let (_, line, _) = place(&error)?;
    let head = match error.split_once(" script: ") {
        Some((head, tail)) if tail.contains(", on @user_") => head,
        _ => &error,
    };
    let said = match place(head) {
        Some((_, _, behind)) => head.get(behind..).unwrap_or_default().trim_start_matches([':', ' ']),
        None => head.strip_prefix("ERR ").unwrap_or(head),
    };
    Some(LineError { line, text: said.to_owned() })
}

#[cfg(test)]
mod tests {
    use resp::Value;
    use world::{Input, NodeIndex, Settings, Timeline};

    use super::{LastCall, LineError, fault};

    fn last(timeline: &Timeline, text: &str) -> Option<LastCall> {
        let elsewhere = super::last(timeline, "1".parse().unwrap(), text);
        assert_eq!(elsewhere, None);
        super::last(timeline, NodeIndex::FIRST, text)
    }

    #[test]
    fn errors_name_their_line() {
        let found = |error: &str| fault(error.as_bytes()).map(|LineError { line, text }| (line, text));
        for (error, line, text) in [
            (
                "ERR Unknown Redis command called from script script: 7c0b, on @user_script:2.",
                2,
                "Unknown Redis command called from script",
            ),
            (
                "ERR Error compiling script (new function): user_script:2: ')' expected near '0'",
                2,
                "')' expected near '0'",
            ),
            (
                "ERR user_script:12: attempt to index a nil value script: 9203, on @user_script:12.",
                12,
                "attempt to index a nil value",
            ),
            (
                "ERR Error compiling function: user_function:2: unexpected symbol near '<eof>'",
                2,
                "unexpected symbol near '<eof>'",
            ),
            (
                "WRONGTYPE Operation against a key holding the wrong kind of value script: x, on @user_function:3.",
                3,
                "WRONGTYPE Operation against a key holding the wrong kind of value",
            ),
        ] {
            assert_eq!(found(error), Some((line, text.to_owned())), "{error}");
        }
        assert_eq!(found("NOSCRIPT No matching script. Please use EVAL."), None);
        assert_eq!(found("ERR user_script:x: user_script:99999999999"), None);
    }

    fn engines() -> world::Engines {
        world::Engines::new(lua_machine::LuaMachine::new(), lua_machine::LuaPlayer::new())
    }

    #[test]
    fn last_call_is_found_in_each_form_and_follows_the_cursor() {
        const TEXT: &str = "return ARGV[1]";
        let mut timeline = Timeline::with_engines(Settings::default(), &engines());
        timeline.push(Input::Connect { client: 0, name: "c1".into() }).unwrap();
        assert_eq!(last(&timeline, TEXT), None);
        let sha = String::from_utf8(redis_model::script_sha(TEXT.as_bytes()).to_vec()).unwrap();
        let lines = [format!("EVALSHA {sha} 0 a"), "PING".to_owned(), "EVAL \"return 1\" 0".to_owned()];
        for line in &lines {
            let argv = resp::split::split(line.as_bytes()).unwrap();
            timeline.push(Input::Command { client: 0, argv }).unwrap();
        }
        let outcome = last(&timeline, TEXT).unwrap();
        assert_eq!((outcome.client, &outcome.argv[0][..]), (0, &b"EVALSHA"[..]));
        assert!(matches!(outcome.reply, Some((Value::Error(ref text), _)) if text.starts_with(b"NOSCRIPT")));
        assert_eq!(sha.len(), 40);
        timeline.seek(1);
        assert_eq!(last(&timeline, TEXT), None);
    }

    #[test]
    fn reply_may_come_later_or_not_yet() {
        let mut timeline = Timeline::with_engines(Settings::default(), &engines());
        for client in 0..2 {
            timeline.push(Input::Connect { client, name: format!("c{client}") }).unwrap();
        }
        let push = |timeline: &mut Timeline, client: u32, line: &str| {
            let argv = resp::split::split(line.as_bytes()).unwrap();
            timeline.push(Input::Command { client, argv }).unwrap();
        };
        // A blocked client stands in for an endless script: nothing here runs Lua.
        push(&mut timeline, 0, "CLIENT PAUSE 1000");
        push(&mut timeline, 1, "EVALSHA e0e1f9fabfc9d4800c877a703b823ac0578ff8db 0");
        let text = "return 1";
        assert_eq!(redis_model::script_sha(text.as_bytes()), "e0e1f9fabfc9d4800c877a703b823ac0578ff8db");
        assert_eq!(last(&timeline, text).map(|outcome| outcome.reply), Some(None));
        timeline.push(Input::Advance { ms: 1001 }).unwrap();
        assert!(matches!(last(&timeline, text).unwrap().reply, Some((Value::Error(_), _))));
    }
}
