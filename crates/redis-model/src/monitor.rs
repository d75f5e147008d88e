//! Observing the commands a server runs: `MONITOR` and the slow log.
use bytes::Bytes;
use resp::Value;

use crate::{
    Server,
    client::ClientId,
    command::{Command, Flags},
    config::{Kind, Parameter},
    server::{Output, SlowCommand},
};

/// The slow log stores this many arguments of a command and this many bytes of each.
const SLOWLOG_ARGS_MAX: usize = 32;
const SLOWLOG_ARG_BYTES_MAX: usize = 128;

/// Where a command came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// A client.
    Client,
    /// A script that a client runs.
    Script,
}

impl Server {
    /// Shows a command that has run to every monitoring client. Administrative commands are not shown.
    pub(crate) fn feed_monitors(&mut self, id: ClientId, row: &Command, argv: &[Bytes], source: Source) {
        let hidden = Flags::SKIP_MONITOR.union(Flags::ADMIN);
        if !row.flags.intersects(hidden) {
            self.show_to_monitors(id, row, argv, source);
        }
    }

    /// Shows a command to every monitoring client, administrative commands included.
    pub(crate) fn show_to_monitors(&mut self, id: ClientId, row: &Command, argv: &[Bytes], source: Source) {
        if self.monitors.is_empty() {
            return;
        }
        let Some(client) = self.clients.get(&id) else { return };
        let (seconds, micros) = (self.now_ms / 1000, (self.now_ms % 1000).saturating_mul(1000));
        let words: Vec<String> = redacted(row, argv).iter().map(|word| resp::cli::quoted(word)).collect();
        let addr = if source == Source::Script { "lua" } else { &client.addr };
        let line = format!("{seconds}.{micros:06} [{} {addr}] {}", client.db, words.join(" "));
        for watcher in self.monitors.iter().copied() {
            self.outputs.push(Output::Push { client: watcher, value: Value::Simple(Bytes::from(line.clone())) });
        }
    }

    /// Records a command in the slow log. A command takes no virtual time, except `DEBUG SLEEP` and a script that had to be
    /// killed.
    pub(crate) fn log_if_slow(&mut self, id: ClientId, row: &Command, argv: &[Bytes], source: Source) {
        let slept_ms = self.asleep_until_ms.map_or(0, |until_ms| until_ms.saturating_sub(self.now_ms));
        let killed_ms = self.busy.as_ref().map_or(0, |busy| self.now_ms.saturating_sub(busy.since_ms));
        let duration_us = slept_ms.max(killed_ms).saturating_mul(1000);
        let threshold_us = self.config.slowlog_log_slower_than_us;
        if threshold_us < 0 || row.flags.contains(Flags::SKIP_SLOWLOG) {
            return;
        }
        // After `slowlog-max-len` was lowered, the oldest entries are dropped here.
        if self.slowlog.len() > self.config.slowlog_max_len {
            self.slowlog.truncate(self.config.slowlog_max_len);
        }
        if duration_us < threshold_us.unsigned_abs() {
            return;
        }
        let (client_addr, client_name) = match self.clients.get(&id) {
            Some(client) if source == Source::Client => (client.addr.to_string(), client.name.clone()),
            // Redis prints this when there is no socket.
            _ => ("?:0".to_owned(), Bytes::new()),
        };
        let entry = SlowCommand {
            id: self.next_slowlog,
            at_ms: self.now_ms,
            duration_us,
            argv: shortened(&redacted(row, argv)),
            client_addr,
            client_name,
        };
        self.next_slowlog = self.next_slowlog.saturating_add(1);
        self.slowlog.push_front(entry);
        self.slowlog.truncate(self.config.slowlog_max_len);
    }
}

/// The arguments with passwords redacted.
fn redacted(row: &Command, argv: &[Bytes]) -> Vec<Bytes> {
    let is_secret = |i: usize| {
        let word = |i: usize| argv.get(i).map(|word| word.to_ascii_lowercase()).unwrap_or_default();
        match row.id() {
            ("", "auth") => i >= 1 && argv.len() <= 3,
            ("", "hello") => i >= 3 && (word(i.saturating_sub(1)) == b"auth" || (i >= 4 && word(i - 2) == b"auth")),
            ("config", "set") => {
                let parameter = Parameter::named(&word(i.saturating_sub(1)));
                i >= 3 && i % 2 == 1 && parameter.is_some_and(|(parameter, _)| matches!(parameter.kind, Kind::Secret))
            }
            _ => false,
        }
    };
    let strike = |(i, word): (usize, &Bytes)| {
        if is_secret(i) { Bytes::from_static(b"(redacted)") } else { word.clone() }
    };
    argv.iter().enumerate().map(strike).collect()
}

/// Arguments as the slow log keeps them: long ones and long lists are cut, with a note of how much.
fn shortened(argv: &[Bytes]) -> Vec<Bytes> {
    let is_cut = argv.len() > SLOWLOG_ARGS_MAX;
    let kept = if is_cut { SLOWLOG_ARGS_MAX - 1 } else { argv.len() };
    let mut words: Vec<Bytes> = argv.iter().take(kept).map(shortened_word).collect();
    if is_cut {
        words.push(Bytes::from(format!("... ({} more arguments)", argv.len().saturating_sub(kept))));
    }
    words
}

fn shortened_word(word: &Bytes) -> Bytes {
    let Some(more) = word.len().checked_sub(SLOWLOG_ARG_BYTES_MAX).filter(|more| *more > 0) else {
        return word.clone();
    };
    let mut text = word.slice(..SLOWLOG_ARG_BYTES_MAX).to_vec();
    text.extend_from_slice(format!("... ({more} more bytes)").as_bytes());
    Bytes::from(text)
}
