//! Matches replies to a client's commands, including transactions.
use std::collections::VecDeque;

use bytes::Bytes;
use resp::Value;

/// The unanswered commands of a client, each with `T`, the data needed for its reply.
#[derive(Clone, Debug)]
pub struct Asked<T> {
    /// The command that is executing. A command without a reply (after `CLIENT REPLY OFF`) is dropped by the next one.
    current: Option<Sent<T>>,
    /// Blocked commands, the oldest first: a program has one connection per thread.
    waiting: VecDeque<Sent<T>>,
    /// The commands that the open transaction has queued.
    queued: Vec<Sent<T>>,
}

#[derive(Clone, Debug)]
struct Sent<T> {
    is_exec: bool,
    what: T,
}

impl<T> Default for Asked<T> {
    fn default() -> Asked<T> {
        Asked { current: None, waiting: VecDeque::new(), queued: Vec::new() }
    }
}

impl<T> Asked<T> {
    /// A command reaches the server.
    pub fn send(&mut self, argv: &[Bytes], is_in_multi: bool, what: T) {
        let is = |name: &str| argv.first().is_some_and(|word| word.eq_ignore_ascii_case(name.as_bytes()));
        if is_in_multi && (is("DISCARD") || is("RESET")) {
            self.queued.clear();
        }
        // Subscriptions are confirmed by messages, unless they are queued.
        let is_subscription = argv.first().is_some_and(|word| word.to_ascii_uppercase().ends_with(b"SUBSCRIBE"));
        self.current = (is_in_multi || !is_subscription).then(|| Sent { is_exec: is("EXEC"), what });
    }

    /// The command blocks; its reply comes later.
    pub fn wait(&mut self) {
        self.waiting.extend(self.current.take());
    }

    /// The commands that the open transaction has queued.
    pub fn queued(&self) -> impl Iterator<Item = &T> {
        self.queued.iter().map(|sent| &sent.what)
    }

    /// A reply comes: returns the commands it answers, each with its part of the reply. The reply to `EXEC` answers all queued commands.
    pub fn answer<'a>(&mut self, value: &'a Value) -> Vec<(T, &'a Value)> {
        let Some(sent) = self.current.take().or_else(|| self.waiting.pop_front()) else { return Vec::new() };
        if matches!(value, Value::Simple(text) if text.as_ref() == b"QUEUED") {
            self.queued.push(sent);
            return Vec::new();
        }
        if !sent.is_exec {
            return vec![(sent.what, value)];
        }
        let queued = std::mem::take(&mut self.queued).into_iter().map(|sent| sent.what);
        match value {
            Value::Array(values) => queued.zip(values).collect(),
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn argv(line: &str) -> Vec<Bytes> {
        line.split(' ').map(|word| Bytes::copy_from_slice(word.as_bytes())).collect()
    }

    fn answers(answered: Vec<(&'static str, &Value)>) -> Vec<(&'static str, i64)> {
        let number = |value: &Value| if let Value::Integer(n) = value { *n } else { -1 };
        answered.into_iter().map(|(what, value)| (what, number(value))).collect()
    }

    #[test]
    fn replies_are_matched_to_their_commands() {
        let mut asked = Asked::default();
        // A subscription is confirmed by a message, not by a reply.
        asked.send(&argv("SUBSCRIBE news"), false, "subscribe");
        asked.send(&argv("PUBLISH news a"), false, "publish");
        assert_eq!(answers(asked.answer(&Value::Integer(1))), [("publish", 1)]);
        // One thread of a program is blocked, another one continues.
        asked.send(&argv("BLPOP q 0"), false, "pop");
        asked.wait();
        asked.send(&argv("psubscribe n*"), false, "subscribe");
        asked.send(&argv("LLEN q"), false, "len");
        assert_eq!(answers(asked.answer(&Value::Integer(0))), [("len", 0)]);
        asked.send(&argv("SUBSCRIBE more"), false, "subscribe");
        assert_eq!(answers(asked.answer(&Value::Integer(7))), [("pop", 7)]);
        assert_eq!(answers(asked.answer(&Value::Integer(7))), []);
    }

    #[test]
    fn exec_answers_the_whole_transaction() {
        let queued = Value::Simple("QUEUED".into());
        let mut asked = Asked::default();
        for (line, what) in [("INCR a", "a"), ("INCR b", "b")] {
            asked.send(&argv(line), true, what);
            assert_eq!(answers(asked.answer(&queued)), []);
        }
        assert_eq!(asked.queued().collect::<Vec<_>>(), [&"a", &"b"]);
        asked.send(&argv("exec"), true, "exec");
        let values = Value::Array(vec![Value::Integer(1), Value::Integer(2)]);
        assert_eq!(answers(asked.answer(&values)), [("a", 1), ("b", 2)]);
        // A transaction that fails or is discarded leaves nothing behind.
        asked.send(&argv("INCR a"), true, "a");
        asked.answer(&queued);
        asked.send(&argv("discard"), true, "discard");
        assert_eq!(
            (answers(asked.answer(&Value::Simple("OK".into()))), asked.queued().count()),
            (vec![("discard", -1)], 0)
        );
    }
}
