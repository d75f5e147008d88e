//! Generates argument lists from rows of the command table, exactly as `COMMAND DOCS` describes them.
use bytes::Bytes;
use redis_model::command::{Arg, Command, Kind};
use redis_model::rng::Rng;

use super::pools::{key, one_in, text, value};

/// A random call of a command, mostly valid.
pub(super) fn call(rng: &mut Rng, row: &Command) -> Vec<Bytes> {
    let mut call = Call { rng, row, name: row.full_name(), argv: Vec::new(), numkeys: None, streams: None };
    if !row.container.is_empty() {
        call.argv.push(Bytes::from(row.container.to_ascii_uppercase()));
    }
    call.argv.push(Bytes::from(row.name.to_ascii_uppercase()));
    for arg in &row.args() {
        call.argument(arg);
    }
    let mut argv = call.argv;
    spoil(rng, &mut argv);
    lengthen_ttl(&mut argv);
    argv
}

/// Turns a TTL of a few ms into seconds, because it would be random on which side the key expires first. Only
/// [`super::generate::Action::Expire`] lets keys expire.
fn lengthen_ttl(argv: &mut [Bytes]) {
    let is = |word: Option<&Bytes>, name: &[u8]| word.is_some_and(|word| word.eq_ignore_ascii_case(name));
    let has_own_place = is(argv.first(), b"pexpire") || is(argv.first(), b"psetex");
    let may_have_px = is(argv.first(), b"set") || is(argv.first(), b"getex");
    for at in 2..argv.len() {
        let is_ttl = (has_own_place && at == 2) || (may_have_px && is(argv.get(at.saturating_sub(1)), b"px"));
        let Some(word) = argv.get_mut(at).filter(|_| is_ttl) else { continue };
        let ms = std::str::from_utf8(word).ok().and_then(|word| word.parse::<u64>().ok());
        if let Some(ms) = ms.filter(|ms| (1..1000).contains(ms)) {
            *word = Bytes::from(format!("{ms}000"));
        }
    }
}

struct Call<'a> {
    rng: &'a mut Rng,
    row: &'a Command,
    name: String,
    argv: Vec<Bytes>,
    /// The position of a number of keys that is not known yet.
    numkeys: Option<usize>,
    /// Number of streams that `XREAD` has named; each needs an id.
    streams: Option<u64>,
}

impl Call<'_> {
    fn argument(&mut self, arg: &Arg) {
        if arg.is_optional && self.rng.below(10) < 6 {
            return;
        }
        let times = if arg.name() == "id"
            && let Some(streams) = self.streams.take()
            && !one_in(self.rng, 20)
        {
            streams
        } else if arg.is_multiple {
            [1, 1, 2, 2, 3, 5].get(self.rng.index(6)).copied().unwrap_or(1)
        } else {
            1
        };
        if arg.kind == Kind::Key && self.name.starts_with("xread") {
            self.streams = Some(times);
        }
        let first = self.argv.len();
        for nth in 0..times {
            if !arg.token.is_empty() && (nth == 0 || arg.is_multiple_token || arg.kind == Kind::PureToken) {
                self.argv.push(Bytes::from_static(arg.token.as_bytes()));
            }
            self.one(arg);
        }
        if arg.kind == Kind::Key
            && let Some(at) = self.numkeys.take()
            && !one_in(self.rng, 20)
        {
            let keys = self.argv.len().saturating_sub(first);
            if let Some(slot) = self.argv.get_mut(at) {
                *slot = Bytes::from(keys.to_string());
            }
        }
    }

    fn one(&mut self, arg: &Arg) {
        match arg.kind {
            Kind::PureToken => {}
            Kind::OneOf => {
                if let Some(choice) = arg.parts.get(self.rng.index(arg.parts.len())) {
                    // An optional choice is always generated here.
                    let mut choice = choice.clone();
                    choice.is_optional = false;
                    self.argument(&choice);
                }
            }
            Kind::Block => {
                for part in &arg.parts {
                    self.argument(part);
                }
            }
            Kind::Key => {
                let key = key(self.rng, self.row.group);
                self.argv.push(key);
            }
            kind => {
                if arg.is_count() {
                    self.numkeys = Some(self.argv.len());
                }
                let value = value(self.rng, kind, &arg.name(), &self.name);
                self.argv.push(value);
            }
        }
    }
}

/// Occasionally drops, adds or replaces a word, or changes its case.
fn spoil(rng: &mut Rng, argv: &mut Vec<Bytes>) {
    match rng.below(40) {
        0 if argv.len() > 1 => {
            argv.pop();
        }
        1 => argv.push(text(rng)),
        2 if argv.len() > 1 => {
            let at = rng.index(argv.len().saturating_sub(1)).saturating_add(1);
            let strange = text(rng);
            if let Some(slot) = argv.get_mut(at) {
                *slot = strange;
            }
        }
        3 => {
            for word in argv.iter_mut() {
                if word.iter().all(u8::is_ascii_uppercase) {
                    *word = Bytes::from(word.to_ascii_lowercase());
                }
            }
        }
        _ => {}
    }
}
