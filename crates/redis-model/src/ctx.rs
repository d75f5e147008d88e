//! What a handler sees while its command runs: the words, the client, and the keyspace through Redis' rules.
//!
//! ```text
//!  read a key      ctx.read::<List>(key)?            None when missing or expired, WRONGTYPE otherwise
//!  change a key    ctx.write::<List>(key)?           the same, to be changed in place
//!                  ctx.write_or_new::<List>(key)?    an empty one is made when it is missing
//!  then            ctx.modified(key)                 WATCH, memory, panels
//!                  ctx.notify(Notify::LIST, "lpush", key)
//!                  ctx.remove_if_empty::<List>(key)  deletes it and tells "del"
//! ```
use bytes::Bytes;
use resp::{Protocol, Value as Reply};

use crate::{
    Error, Notify, Server, Typed,
    access::Access,
    client::{Client, ClientId, Reading, Wait, WaitReason},
    command::Command,
    db::{Db, Entry},
    eviction::Use,
    lazyfree::{self, Freeing},
    rng::Rng,
    server::Cause,
    value::{Value, limits::Limits, long_double::LongDouble, number, stream::Stream},
};

/// What a handler answers.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// This.
    Reply(Reply),
    /// This; errors in it have been counted already.
    Counted(Reply),
    /// Nothing more: what there was to say has been pushed.
    Nothing,
    /// Not yet. Inside `MULTI` the dispatcher answers `on_timeout` in its place.
    Block(Wait),
}

impl From<Reply> for Answer {
    fn from(reply: Reply) -> Answer {
        Answer::Reply(reply)
    }
}

impl Answer {
    /// `+OK`
    pub const OK: Answer = Answer::Reply(Reply::OK);

    /// An integer of any width that fits.
    pub fn int(n: impl TryInto<i64>) -> Answer {
        Answer::Reply(Reply::Integer(n.try_into().unwrap_or(i64::MAX)))
    }

    /// `:1` or `:0`.
    pub fn flag(yes: bool) -> Answer {
        Answer::Reply(Reply::flag(yes))
    }
}

/// A running command.
pub struct Ctx<'a> {
    /// The server; handlers reach for it when the methods below do not do.
    pub server: &'a mut Server,
    /// Who called.
    pub client: ClientId,
    /// Number of the database that was selected when it called.
    pub db: usize,
    /// The words as sent, the name first. Of a subcommand the container's name is word 0.
    pub argv: &'a [Bytes],
    /// The row (of a subcommand: its own).
    pub command: &'static Command,
    /// When a blocked command runs again: the key that became ready. It must serve from this one only.
    pub woken_by: Option<&'a Bytes>,
}

static NO_WORD: Bytes = Bytes::new();

impl<'a> Ctx<'a> {
    /// The `i`th word; empty past the end.
    pub fn arg(&self, i: usize) -> &'a Bytes {
        self.argv.get(i).unwrap_or(&NO_WORD)
    }

    /// The words from the `i`th on; none past the end.
    pub fn args_from(&self, i: usize) -> &'a [Bytes] {
        self.argv.get(i..).unwrap_or_default()
    }

    /// Is the `i`th word this option, in any case? See [`is_word`].
    pub fn is_word(&self, i: usize, word: &str) -> bool {
        self.argv.get(i).is_some_and(|arg| is_word(arg, word))
    }

    /// The `i`th word as a 64-bit integer.
    ///
    /// # Errors
    /// [`Error::NotInteger`]
    pub fn int(&self, i: usize) -> Result<i64, Error> {
        number::parse_i64(self.arg(i)).ok_or(Error::NotInteger)
    }

    /// The `i`th word as an integer of at least `min`; everything else, words that are no integer included, is `refusal`.
    ///
    /// # Errors
    /// `refusal`
    pub fn int_at_least(&self, i: usize, min: i64, refusal: Error) -> Result<i64, Error> {
        number::parse_i64(self.arg(i)).filter(|n| *n >= min).ok_or(refusal)
    }

    /// The `i`th word as a float (infinities allowed, NaN not).
    ///
    /// # Errors
    /// [`Error::NotFloat`]
    pub fn float(&self, i: usize) -> Result<f64, Error> {
        number::parse_double(self.arg(i)).ok_or(Error::NotFloat)
    }

    /// The calling client. Only a client that exists can call, so a missing one is our own bug; a blank one stands in.
    pub fn caller(&mut self) -> &mut Client {
        let id = self.client;
        let now_ms = self.server.now_ms;
        self.server.clients.entry(id, || Client::new(id, String::new(), now_ms))
    }

    /// Does the caller speak RESP3?
    pub fn is_resp3(&self) -> bool {
        self.server.clients.get(&self.client).is_some_and(|client| client.protocol == Protocol::Resp3)
    }

    /// The time of this input, Unix time in ms; the same for all commands of a transaction.
    pub fn now_ms(&self) -> u64 {
        self.server.now_ms
    }

    /// Number of the selected database.
    pub fn db_index(&self) -> usize {
        self.db
    }

    /// The selected database.
    pub fn db(&self) -> &Db {
        self.server.db_or_empty(self.db_index())
    }

    /// The encoding thresholds in force.
    pub fn limits(&self) -> Limits {
        self.server.config.limits
    }

    /// The server's random generator.
    pub fn rng(&mut self) -> &mut Rng {
        &mut self.server.rng
    }

    // ── keys of the selected database ──────────────────────────────────────────────────────────

    /// A key's value of any type for reading: expired keys are deleted first, hits and misses counted, access noted.
    pub fn read_any(&mut self, key: &Bytes) -> Option<&Value> {
        let db = self.db_index();
        self.server.read(db, key)
    }

    /// As [`Ctx::read_any`], without noting the access: for commands that ask about a key, not for its value.
    pub fn read_untouched(&mut self, key: &Bytes) -> Option<&Value> {
        let db = self.db_index();
        self.server.look_up(db, key, Look::Untouched)
    }

    /// As [`Ctx::read_untouched`], without telling a miss: `OBJECT`.
    pub fn read_silently(&mut self, key: &Bytes) -> Option<&Value> {
        let db = self.db_index();
        self.server.look_up(db, key, Look::Silent)
    }

    /// A key's value of a type for reading; `None` when there is none.
    ///
    /// # Errors
    /// [`Error::WrongType`]
    pub fn read<T: Typed>(&mut self, key: &Bytes) -> Result<Option<&T>, Error> {
        let Some(value) = self.read_any(key) else { return Ok(None) };
        T::of(value).map(Some).ok_or(Error::WrongType)
    }

    /// Is there such a key? Counts as a look-up for writing: no hit, no miss, but an expired key goes.
    pub fn exists(&mut self, key: &Bytes) -> bool {
        let db = self.db_index();
        self.server.expects(db, key)
    }

    /// A key's value of any type, to be looked at before it is changed.
    pub fn peek_any(&mut self, key: &Bytes) -> Option<&Value> {
        let db = self.db_index();
        self.server.peek(db, key)
    }

    /// A key's value of a type, to be looked at before it is changed; `None` when there is none.
    ///
    /// # Errors
    /// [`Error::WrongType`]
    pub fn peek<T: Typed>(&mut self, key: &Bytes) -> Result<Option<&T>, Error> {
        let Some(value) = self.peek_any(key) else { return Ok(None) };
        T::of(value).map(Some).ok_or(Error::WrongType)
    }

    /// Do uses of keys count, because the policy of eviction is one of the LFU policies?
    pub fn counts_uses(&self) -> bool {
        self.server.config.maxmemory_policy.is_lfu()
    }

    /// Redis looks this key up once more than the command's other steps say; a use, where uses count.
    pub fn looks_again(&mut self, key: &Bytes) {
        if self.counts_uses() {
            let db = self.db_index();
            self.server.touch(db, key);
        }
    }

    /// A key's value of a type, to be changed in place; `None` when there is none. Follow with [`Ctx::modified`].
    ///
    /// # Errors
    /// [`Error::WrongType`]
    pub fn write<T: Typed>(&mut self, key: &Bytes) -> Result<Option<&mut T>, Error> {
        let db = self.db_index();
        self.server.expire_if_due(db, key);
        let (now_ms, counts_uses) = (self.server.now_ms, self.server.config.maxmemory_policy.is_lfu());
        if counts_uses {
            self.server.touch_to_change(db, key);
        }
        let Some(db) = self.server.databases.get_mut(db) else { return Ok(None) };
        let value = if counts_uses { db.value_mut(key) } else { db.touch_mut(key, now_ms) };
        match value {
            None => Ok(None),
            Some(value) => T::of_mut(value).map(Some).ok_or(Error::WrongType),
        }
    }

    /// A key's value of a type, to be changed in place; made from `T::default()` when there is none.
    ///
    /// # Errors
    /// [`Error::WrongType`]
    pub fn write_or_new<T: Typed + Default>(&mut self, key: &Bytes) -> Result<&mut T, Error> {
        let db = self.db_index();
        let is_there = self.server.expects(db, key);
        self.write_or_add(key, is_there, T::default)
    }

    /// A key's value of a type, to be changed in place, when the command has looked already and knows whether it is there;
    /// `new` is put there when it is not.
    ///
    /// # Errors
    /// [`Error::WrongType`]
    pub fn write_or_add<T: Typed>(
        &mut self,
        key: &Bytes,
        is_there: bool,
        new: impl FnOnce() -> T,
    ) -> Result<&mut T, Error> {
        if !is_there {
            self.add(key, new().wrap());
        }
        self.write::<T>(key)?.ok_or(Error::NoSuchKey)
    }

    /// Puts a value behind a key of any former type; its TTL goes.
    /// (Redis' `setKey`.) Tells `WATCH`; the event is the handler's to name.
    pub fn set(&mut self, key: &Bytes, value: Value) {
        self.set_keeping_ttl(key, value);
        let db = self.db_index();
        if let Some(db) = self.server.databases.get_mut(db).filter(|db| db.expires_len() > 0) {
            db.set_expires(key, None);
        }
    }

    /// Puts a value behind a key of any former type; its TTL stays.
    pub fn set_keeping_ttl(&mut self, key: &Bytes, value: Value) {
        let db = self.db_index();
        self.server.expire_if_due(db, key);
        self.server.put(db, key, value);
        self.server.modified_and_counted(db, key);
    }

    /// Puts a value behind a key that is known to be missing, waking who waits for it.
    pub fn add(&mut self, key: &Bytes, value: Value) {
        let db = self.db_index();
        self.server.put(db, key, value);
    }

    /// Deletes a key, telling `WATCH`; true when it was there. The event (`del`) is the handler's to tell.
    pub fn delete(&mut self, key: &Bytes) -> bool {
        let db = self.db_index();
        self.server.expire_if_due(db, key);
        self.free(db, key, Freeing::Server)
    }

    /// As [`Ctx::delete`], for the command whose work that is.
    pub(crate) fn delete_for(&mut self, key: &Bytes, freeing: Freeing) -> bool {
        let db = self.db_index();
        self.server.expire_if_due(db, key);
        self.free(db, key, freeing)
    }

    fn free(&mut self, db: usize, key: &Bytes, freeing: Freeing) -> bool {
        let is_gone = self.server.free(db, key, freeing).is_some();
        if is_gone {
            self.modified(key);
        }
        is_gone
    }

    /// As [`Ctx::delete`], but a key whose TTL has run out counts as there: an empty result is stored so, where Redis has not looked first.
    pub fn delete_unseen(&mut self, key: &Bytes) -> bool {
        let db = self.db_index();
        self.free(db, key, Freeing::Server)
    }

    /// Deletes a collection without elements and tells `del`; true when it did.
    pub fn remove_if_empty<T: Typed>(&mut self, key: &Bytes) -> bool {
        let is_vacant = self.db().value(key).and_then(T::of).is_some_and(T::is_vacant);
        if is_vacant {
            self.delete(key);
            self.notify(Notify::GENERIC, "del", key);
        }
        is_vacant
    }

    /// Gives a key a deadline (Unix time in ms) or takes it away.
    pub fn set_expires(&mut self, key: &Bytes, expires_ms: Option<u64>) {
        let db = self.db_index();
        if let Some(db) = self.server.databases.get_mut(db) {
            db.set_expires(key, expires_ms);
        }
    }

    /// The key was changed: clients that watch it will fail at `EXEC`, its memory is counted again.
    pub fn modified(&mut self, key: &Bytes) {
        let db = self.db_index();
        self.server.modified(db, key);
    }

    /// The key was changed in something that Redis does not tell `WATCH`: the state of a consumer group. Its memory is counted again.
    pub fn modified_unwatched(&mut self, key: &Bytes) {
        let db = self.db_index();
        self.server.note_change(db, key, Cause::Command);
        self.server.stats.changes = self.server.stats.changes.saturating_add(1);
    }

    /// The form of a key's value was changed, not told as a change of the key: its memory is counted again, panels are told.
    pub fn reshaped(&mut self, key: &Bytes) {
        let db = self.db_index();
        self.server.note_change(db, key, Cause::Command);
    }

    /// Tells a keyspace event about a key of the selected database.
    pub fn notify(&mut self, class: Notify, event: &'static str, key: &Bytes) {
        let db = self.db_index();
        self.server.notify(class, event, db, key);
    }

    /// Redis writes this command's reply here, before the events that follow: a RESP3 client that listens to the events
    /// of its own commands sees the difference. Without this call the reply stands behind all events.
    pub fn reply_stands_here(&mut self) {
        self.server.reply_at = Some(self.server.outputs.len());
    }

    /// Refuses what would allocate this many bytes at once past the limits, before it does.
    ///
    /// # Errors
    /// [`Error::StringTooLong`] past `proto-max-bulk-len`, [`Error::OutOfMemory`] past all of `maxmemory`.
    pub fn reserve(&self, bytes: u64) -> Result<(), Error> {
        if bytes > self.server.config.proto_max_bulk_len {
            return Err(Error::StringTooLong);
        }
        self.reserve_memory(bytes)
    }

    /// As [`Ctx::reserve`], for what Redis does not measure against the limit of strings.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] past all of `maxmemory`.
    pub fn reserve_memory(&self, bytes: u64) -> Result<(), Error> {
        self.server.reserve_memory(bytes)
    }

    /// Counts what a reply copies out of a string into `copied`: where a key is named a thousand times, it is copied as often.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] past `maxmemory` and 1 MB.
    pub fn copies(&self, copied: &mut u64, len: usize) -> Result<(), Error> {
        *copied = copied.saturating_add(len as u64);
        self.server.reserve_reply(*copied)
    }

    // ── blocking ───────────────────────────────────────────────────────────────────────────────

    /// Has the command waited, and is there now what it waited for?
    pub fn is_woken(&self) -> bool {
        self.woken_by.is_some()
    }

    /// The keys that a blocking command may serve from: its own, or only the one that woke it.
    pub fn keys_to_serve(&self, keys: &[Bytes]) -> Vec<Bytes> {
        match self.woken_by {
            Some(key) => vec![key.clone()],
            None => keys.to_vec(),
        }
    }

    /// Waits until one of `keys` holds a `T`, at most until `deadline_ms`.
    pub fn block_on<T: Typed>(&self, keys: &[Bytes], deadline_ms: Option<u64>, on_timeout: Reply) -> Answer {
        let keys = keys.to_vec();
        let reason = WaitReason::Keys { db: self.db_index(), keys, type_name: T::TYPE_NAME, reading: None };
        Answer::Block(Wait { reason, deadline_ms, on_timeout })
    }

    /// Waits until one of `keys` holds a stream that has grown past what `reading` says, at most until `deadline_ms`.
    pub fn block_on_streams(&self, keys: &[Bytes], reading: Reading, deadline_ms: Option<u64>) -> Answer {
        let (keys, type_name) = (keys.to_vec(), Stream::TYPE_NAME);
        let reason = WaitReason::Keys { db: self.db_index(), keys, type_name, reading: Some(reading) };
        Answer::Block(Wait { reason, deadline_ms, on_timeout: Reply::NullArray })
    }

    /// A timeout in seconds (a float; 0: for ever) as a deadline in ms of the server's clock.
    ///
    /// # Errors
    /// [`Error::TimeoutNotFloat`], [`Error::TimeoutNegative`]
    pub fn timeout_seconds(&self, i: usize) -> Result<Option<u64>, Error> {
        // Redis reads 80 bits wide: what is too much for 64 is a number all the same, only too large.
        LongDouble::parse(self.arg(i)).ok_or(Error::TimeoutNotFloat)?;
        let seconds = number::parse_double_loosely(self.arg(i)).ok_or(Error::TimeoutNotFloat)?;
        let ms = (seconds * 1000.0).ceil();
        // 2^63: the conversion to an integer wraps in Redis, and it calls the result negative.
        if ms >= i64::MAX as f64 {
            return Err(Error::TimeoutNegative);
        }
        self.deadline_after(ms as i64)
    }

    /// A timeout in whole milliseconds (0: for ever) as a deadline in ms of the server's clock.
    ///
    /// # Errors
    /// [`Error::TimeoutNotInteger`], [`Error::TimeoutNegative`]
    pub fn timeout_ms(&self, i: usize) -> Result<Option<u64>, Error> {
        let ms = number::parse_i64(self.arg(i)).ok_or(Error::TimeoutNotInteger)?;
        self.deadline_after(ms)
    }

    fn deadline_after(&self, ms: i64) -> Result<Option<u64>, Error> {
        if ms < 0 {
            return Err(Error::TimeoutNegative);
        }
        if ms == 0 {
            return Ok(None);
        }
        let now_ms = i64::try_from(self.server.now_ms).unwrap_or(i64::MAX);
        // A deadline past the end of time is none: Redis 7.0 lets the sum overflow and never gets there.
        Ok(now_ms.checked_add(ms).map(i64::unsigned_abs))
    }
}

/// What a look-up for reading leaves behind, beside a hit or a miss.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Look {
    /// The access is noted, a miss is told.
    Read,
    /// The access is not noted (`LOOKUP_NOTOUCH`).
    Untouched,
    /// Nor is a miss told (`LOOKUP_NONOTIFY`).
    Silent,
}

/// Is this argument the option `word`, in any case? Redis compares C strings: what stands behind a zero byte counts for nothing.
pub(crate) fn is_word(arg: &[u8], word: &str) -> bool {
    let Some((head, tail)) = arg.split_at_checked(word.len()) else { return false };
    head.eq_ignore_ascii_case(word.as_bytes()) && matches!(tail, [] | [0, ..])
}

impl Server {
    /// A database by number; an empty one stands in for a number that `SELECT` cannot have let through.
    pub(crate) fn db_or_empty(&self, index: usize) -> &Db {
        const EMPTY: &Db = &Db::new();
        self.db(index).unwrap_or(EMPTY)
    }

    /// Looks a key up for reading, by Redis' rules.
    pub(crate) fn read(&mut self, db: usize, key: &Bytes) -> Option<&Value> {
        self.look_up(db, key, Look::Read)
    }

    /// Looks a key up for writing: no hit, no miss, but an expired key goes and the access is noted.
    pub(crate) fn peek(&mut self, db: usize, key: &Bytes) -> Option<&Value> {
        if self.config.maxmemory_policy.is_lfu() {
            return if self.expects(db, key) { self.db_or_empty(db).value(key) } else { None };
        }
        // Otherwise to be used is to have been used just now, which is noted where the value is found.
        if self.expire_if_due(db, key) {
            return None;
        }
        if self.noted_use(db, key).is_some() {
            return self.db(db)?.value(key);
        }
        let now_ms = self.now_ms;
        self.databases.get_mut(db)?.touch_mut(key, now_ms).map(|value| &*value)
    }

    /// As [`Server::peek`], when only asked whether it is there.
    fn expects(&mut self, db: usize, key: &Bytes) -> bool {
        let is_expired = self.expire_if_due(db, key);
        !is_expired && self.touch_to_change(db, key)
    }

    fn look_up(&mut self, db: usize, key: &Bytes, look: Look) -> Option<&Value> {
        let is_expired = self.expire_if_due(db, key);
        let is_hit = !is_expired
            && match look {
                Look::Read => self.touch_to_read(db, key),
                Look::Untouched | Look::Silent => self.db_or_empty(db).entries().contains(key),
            };
        if is_hit {
            self.stats.keyspace_hits = self.stats.keyspace_hits.saturating_add(1);
        } else {
            self.stats.keyspace_misses = self.stats.keyspace_misses.saturating_add(1);
            if look != Look::Silent {
                self.notify(Notify::KEY_MISS, "keymiss", db, key);
            }
        }
        self.db_or_empty(db).value(key).filter(|_| is_hit)
    }

    /// Puts a value behind a key; a new key is told (`n`) and wakes who waits for it.
    pub(crate) fn put(&mut self, db: usize, key: &Bytes, value: Value) {
        let is_lfu = self.config.maxmemory_policy.is_lfu();
        let fresh = if is_lfu { Access::first(self.now_ms) } else { Access::at(self.now_ms) };
        let Some(target) = self.databases.get_mut(db) else { return };
        let freed = if self.config.is_server_del_lazy { target.value(key).map_or(0, lazyfree::parts) } else { 0 };
        // Only when somebody waits for the key does it matter what was there.
        let was_stream = target.waiting.contains_key(key) && target.value(key).is_some_and(is_stream);
        let is_new = target.set(key, value, fresh, is_lfu);
        if is_new {
            self.used_databases = self.used_databases.max(db.saturating_add(1));
        }
        self.count_freed(freed, Freeing::Server);
        if is_lfu && is_new {
            // What has just been made has not been used yet, whatever the command does to fill it.
            self.note_used(db, key, Use::Change);
        } else if is_lfu {
            self.touch_to_replace(db, key);
        }
        if is_new {
            self.signal_ready(db, key);
            self.notify(Notify::NEW, "new", db, key);
        } else if was_stream {
            self.signal_gone(db, key);
        }
    }

    /// Takes a key out, waking who must hear of that.
    pub(crate) fn take(&mut self, db: usize, key: &Bytes) -> Option<Entry> {
        let entry = self.databases.get_mut(db)?.remove(key)?;
        if is_stream(&entry.value) {
            self.signal_gone(db, key);
        }
        Some(entry)
    }

    /// A key was changed: `WATCH`, memory, panels.
    pub(crate) fn modified(&mut self, db: usize, key: &Bytes) {
        self.note_change(db, key, Cause::Command);
        self.stats.changes = self.stats.changes.saturating_add(1);
        self.touch_watched(db, key);
    }

    /// The same of a key whose value was just put there, which has counted its memory.
    fn modified_and_counted(&mut self, db: usize, key: &Bytes) {
        self.modified(db, key);
        if let Some(change) = self.changed.last_mut() {
            change.is_counted = true;
        }
    }
}

fn is_stream(value: &Value) -> bool {
    Stream::of(value).is_some()
}
