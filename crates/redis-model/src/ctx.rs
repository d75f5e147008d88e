//! `Ctx`: what a handler sees while its command runs: arguments, client, and the keyspace under Redis' rules.
//!
//! ```text
//!  read a key      ctx.read::<List>(key)?            None when missing or expired, WRONGTYPE otherwise
//!  change a key    ctx.write::<List>(key)?           the same, mutable
//!                  ctx.write_or_new::<List>(key)?    an empty value is created when it is missing
//!  then            ctx.modified(key)                 WATCH, memory, panels
//!                  ctx.notify(Notify::LIST, "lpush", key)
//!                  ctx.remove_if_empty::<List>(key)  deletes it and publishes "del"
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

/// The result of a handler.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// This reply.
    Reply(Reply),
    /// This reply; errors in it have already been counted.
    Counted(Reply),
    /// No reply: everything has been pushed.
    Nothing,
    /// No reply yet: the client blocks. Inside `MULTI` the dispatcher replies `on_timeout` instead.
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

    /// An integer reply from any integer type.
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
    /// The server, for handlers that need more than the methods below.
    pub server: &'a mut Server,
    /// The calling client.
    pub client: ClientId,
    /// Number of the database that was selected when the command was called.
    pub db: usize,
    /// The arguments as sent, the name first. For a subcommand, argument 0 is the container's name.
    pub argv: &'a [Bytes],
    /// The command's row (for a subcommand, its own row).
    pub command: &'static Command,
    /// When a blocked command runs again: the key that became ready. It must serve from this one only.
    pub woken_by: Option<&'a Bytes>,
}

static NO_WORD: Bytes = Bytes::new();

impl<'a> Ctx<'a> {
    /// The `i`th argument; empty past the end.
    pub fn arg(&self, i: usize) -> &'a Bytes {
        self.argv.get(i).unwrap_or(&NO_WORD)
    }

    /// The arguments from the `i`th on; none past the end.
    pub fn args_from(&self, i: usize) -> &'a [Bytes] {
        self.argv.get(i..).unwrap_or_default()
    }

    /// Is the `i`th argument this option, in any case? See [`is_word`].
    pub fn is_word(&self, i: usize, word: &str) -> bool {
        self.argv.get(i).is_some_and(|arg| is_word(arg, word))
    }

    /// The `i`th argument as a 64-bit integer.
    ///
    /// # Errors
    /// [`Error::NotInteger`]
    pub fn int(&self, i: usize) -> Result<i64, Error> {
        number::parse_i64(self.arg(i)).ok_or(Error::NotInteger)
    }

    /// The `i`th argument as an integer of at least `min`; anything else, non-integers included, is `refusal`.
    ///
    /// # Errors
    /// `refusal`
    pub fn int_at_least(&self, i: usize, min: i64, refusal: Error) -> Result<i64, Error> {
        number::parse_i64(self.arg(i)).filter(|n| *n >= min).ok_or(refusal)
    }

    /// The `i`th argument as a float (infinities allowed, NaN not).
    ///
    /// # Errors
    /// [`Error::NotFloat`]
    pub fn float(&self, i: usize) -> Result<f64, Error> {
        number::parse_double(self.arg(i)).ok_or(Error::NotFloat)
    }

    /// The calling client. Only an existing client can call, so a missing one is our own bug; a blank one stands in.
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

    /// The encoding thresholds of the current configuration.
    pub fn limits(&self) -> Limits {
        self.server.config.limits
    }

    /// The server's random generator.
    pub fn rng(&mut self) -> &mut Rng {
        &mut self.server.rng
    }

    // ── keys of the selected database ──────────────────────────────────────────────────────────

    /// Reads a key's value of any type: an expired key is deleted first, the hit or miss is counted, the access recorded.
    pub fn read_any(&mut self, key: &Bytes) -> Option<&Value> {
        let db = self.db_index();
        self.server.read(db, key)
    }

    /// Like [`Ctx::read_any`], without recording the access: for commands that ask about a key, not for its value.
    pub fn read_untouched(&mut self, key: &Bytes) -> Option<&Value> {
        let db = self.db_index();
        self.server.look_up(db, key, Look::Untouched)
    }

    /// Like [`Ctx::read_untouched`], without publishing a miss: `OBJECT`.
    pub fn read_silently(&mut self, key: &Bytes) -> Option<&Value> {
        let db = self.db_index();
        self.server.look_up(db, key, Look::Silent)
    }

    /// Reads a key's value of type `T`; `None` if the key is missing.
    ///
    /// # Errors
    /// [`Error::WrongType`]
    pub fn read<T: Typed>(&mut self, key: &Bytes) -> Result<Option<&T>, Error> {
        let Some(value) = self.read_any(key) else { return Ok(None) };
        T::of(value).map(Some).ok_or(Error::WrongType)
    }

    /// Does the key exist? This is a lookup for writing: it counts no hit or miss, but deletes an expired key.
    pub fn exists(&mut self, key: &Bytes) -> bool {
        let db = self.db_index();
        self.server.expects(db, key)
    }

    /// A key's value of any type, for a command that checks it before changing it.
    pub fn peek_any(&mut self, key: &Bytes) -> Option<&Value> {
        let db = self.db_index();
        self.server.peek(db, key)
    }

    /// A key's value of type `T`, for a command that checks it before changing it; `None` if the key is missing.
    ///
    /// # Errors
    /// [`Error::WrongType`]
    pub fn peek<T: Typed>(&mut self, key: &Bytes) -> Result<Option<&T>, Error> {
        let Some(value) = self.peek_any(key) else { return Ok(None) };
        T::of(value).map(Some).ok_or(Error::WrongType)
    }

    /// Are uses of keys counted, because the eviction policy is one of the LFU policies?
    pub fn counts_uses(&self) -> bool {
        self.server.config.maxmemory_policy.is_lfu()
    }

    /// Records a lookup that Redis does in addition to the command's other steps. It counts as a use under the LFU policies.
    pub fn looks_again(&mut self, key: &Bytes) {
        if self.counts_uses() {
            let db = self.db_index();
            self.server.touch(db, key);
        }
    }

    /// A key's value of type `T`, mutable; `None` if the key is missing. Call [`Ctx::modified`] afterwards.
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

    /// A key's value of type `T`, mutable; created from `T::default()` if the key is missing.
    ///
    /// # Errors
    /// [`Error::WrongType`]
    pub fn write_or_new<T: Typed + Default>(&mut self, key: &Bytes) -> Result<&mut T, Error> {
        let db = self.db_index();
        let is_there = self.server.expects(db, key);
        self.write_or_add(key, is_there, T::default)
    }

    /// A key's value of type `T`, mutable, for a command that has already looked up the key and knows whether it exists; if not, `new`
    /// is stored.
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

    /// Stores a value under a key of any previous type and removes its TTL (Redis' `setKey`). Invalidates `WATCH`; publishing the event
    /// is left to the handler.
    pub fn set(&mut self, key: &Bytes, value: Value) {
        self.set_keeping_ttl(key, value);
        let db = self.db_index();
        if let Some(db) = self.server.databases.get_mut(db).filter(|db| db.expires_len() > 0) {
            db.set_expires(key, None);
        }
    }

    /// Stores a value under a key of any previous type; its TTL stays.
    pub fn set_keeping_ttl(&mut self, key: &Bytes, value: Value) {
        let db = self.db_index();
        self.server.expire_if_due(db, key);
        self.server.put(db, key, value);
        self.server.modified_and_counted(db, key);
    }

    /// Stores a value under a key that is known to be missing, and wakes clients that wait for it.
    pub fn add(&mut self, key: &Bytes, value: Value) {
        let db = self.db_index();
        self.server.put(db, key, value);
    }

    /// Deletes a key and invalidates `WATCH`; true if the key existed. Publishing the event (`del`) is left to the handler.
    pub fn delete(&mut self, key: &Bytes) -> bool {
        let db = self.db_index();
        self.server.expire_if_due(db, key);
        self.free(db, key, Freeing::Server)
    }

    /// Like [`Ctx::delete`], with the reason that decides whether freeing is lazy.
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

    /// Like [`Ctx::delete`], but an expired key counts as existing: for storing an empty result where Redis has not looked up the key
    /// first.
    pub fn delete_unseen(&mut self, key: &Bytes) -> bool {
        let db = self.db_index();
        self.free(db, key, Freeing::Server)
    }

    /// Deletes a collection without elements and publishes `del`; true if it did.
    pub fn remove_if_empty<T: Typed>(&mut self, key: &Bytes) -> bool {
        let is_vacant = self.db().value(key).and_then(T::of).is_some_and(T::is_vacant);
        if is_vacant {
            self.delete(key);
            self.notify(Notify::GENERIC, "del", key);
        }
        is_vacant
    }

    /// Sets a key's deadline (Unix time in ms), or removes it.
    pub fn set_expires(&mut self, key: &Bytes, expires_ms: Option<u64>) {
        let db = self.db_index();
        if let Some(db) = self.server.databases.get_mut(db) {
            db.set_expires(key, expires_ms);
        }
    }

    /// The key was changed: transactions of clients that watch it fail, and its memory is counted again.
    pub fn modified(&mut self, key: &Bytes) {
        let db = self.db_index();
        self.server.modified(db, key);
    }

    /// The key was changed in a way that does not invalidate `WATCH` in Redis: the state of a consumer group. Its memory is counted again.
    pub fn modified_unwatched(&mut self, key: &Bytes) {
        let db = self.db_index();
        self.server.note_change(db, key, Cause::Command);
        self.server.stats.changes = self.server.stats.changes.saturating_add(1);
    }

    /// The encoding of a key's value was changed, not its contents: its memory is counted again and the panels are notified.
    pub fn reshaped(&mut self, key: &Bytes) {
        let db = self.db_index();
        self.server.note_change(db, key, Cause::Command);
    }

    /// Publishes a keyspace event about a key of the selected database.
    pub fn notify(&mut self, class: Notify, event: &'static str, key: &Bytes) {
        let db = self.db_index();
        self.server.notify(class, event, db, key);
    }

    /// Redis writes this command's reply here, before the events that follow. A RESP3 client that subscribes to the events
    /// of its own commands sees the difference. Without this call the reply comes after all events.
    pub fn reply_stands_here(&mut self) {
        self.server.reply_at = Some(self.server.outputs.len());
    }

    /// Checks that an allocation of `bytes` at once stays within the limits, before it is made.
    ///
    /// # Errors
    /// [`Error::StringTooLong`] past `proto-max-bulk-len`, [`Error::OutOfMemory`] past all of `maxmemory`.
    pub fn reserve(&self, bytes: u64) -> Result<(), Error> {
        if bytes > self.server.config.proto_max_bulk_len {
            return Err(Error::StringTooLong);
        }
        self.reserve_memory(bytes)
    }

    /// Like [`Ctx::reserve`], for allocations to which Redis does not apply the limit of strings.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] past all of `maxmemory`.
    pub fn reserve_memory(&self, bytes: u64) -> Result<(), Error> {
        self.server.reserve_memory(bytes)
    }

    /// Adds the bytes that a reply copies out of a string to `copied`: a key that is named a thousand times is copied as often.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] past both `maxmemory` and 1 MB.
    pub fn copies(&self, copied: &mut u64, len: usize) -> Result<(), Error> {
        *copied = copied.saturating_add(len as u64);
        self.server.reserve_reply(*copied)
    }

    // ── blocking ───────────────────────────────────────────────────────────────────────────────

    /// Does the command run again because a key it waited for became ready?
    pub fn is_woken(&self) -> bool {
        self.woken_by.is_some()
    }

    /// The keys that a blocking command may serve from: its own keys, or only the one that woke it.
    pub fn keys_to_serve(&self, keys: &[Bytes]) -> Vec<Bytes> {
        match self.woken_by {
            Some(key) => vec![key.clone()],
            None => keys.to_vec(),
        }
    }

    /// Blocks until one of `keys` holds a `T`, at most until `deadline_ms`.
    pub fn block_on<T: Typed>(&self, keys: &[Bytes], deadline_ms: Option<u64>, on_timeout: Reply) -> Answer {
        let keys = keys.to_vec();
        let reason = WaitReason::Keys { db: self.db_index(), keys, type_name: T::TYPE_NAME, reading: None };
        Answer::Block(Wait { reason, deadline_ms, on_timeout })
    }

    /// Blocks until one of `keys` holds a stream that has grown past `reading`, at most until `deadline_ms`.
    pub fn block_on_streams(&self, keys: &[Bytes], reading: Reading, deadline_ms: Option<u64>) -> Answer {
        let (keys, type_name) = (keys.to_vec(), Stream::TYPE_NAME);
        let reason = WaitReason::Keys { db: self.db_index(), keys, type_name, reading: Some(reading) };
        Answer::Block(Wait { reason, deadline_ms, on_timeout: Reply::NullArray })
    }

    /// The `i`th argument, a timeout in seconds (a float; 0: forever), as a deadline in ms of the server's clock.
    ///
    /// # Errors
    /// [`Error::TimeoutNotFloat`], [`Error::TimeoutNegative`]
    pub fn timeout_seconds(&self, i: usize) -> Result<Option<u64>, Error> {
        // Redis parses 80-bit floats: a value too large for 64 bits is still a number, only out of range.
        LongDouble::parse(self.arg(i)).ok_or(Error::TimeoutNotFloat)?;
        let seconds = number::parse_double_loosely(self.arg(i)).ok_or(Error::TimeoutNotFloat)?;
        let ms = (seconds * 1000.0).ceil();
        // 2^63: the conversion to an integer wraps in Redis, which then reports a negative timeout.
        if ms >= i64::MAX as f64 {
            return Err(Error::TimeoutNegative);
        }
        self.deadline_after(ms as i64)
    }

    /// The `i`th argument, a timeout in whole milliseconds (0: forever), as a deadline in ms of the server's clock.
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
        // A deadline past 64 bits never comes: Redis 7.0 lets the sum overflow and never reaches it.
        Ok(now_ms.checked_add(ms).map(i64::unsigned_abs))
    }
}

/// Side effects of a lookup for reading, besides counting a hit or a miss.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Look {
    /// Records the access and publishes a miss.
    Read,
    /// Does not record the access (`LOOKUP_NOTOUCH`).
    Untouched,
    /// Does not publish a miss either (`LOOKUP_NONOTIFY`).
    Silent,
}

/// Is this argument the option `word`, in any case? Redis compares C strings: bytes after a zero byte are ignored.
pub(crate) fn is_word(arg: &[u8], word: &str) -> bool {
    let Some((head, tail)) = arg.split_at_checked(word.len()) else { return false };
    head.eq_ignore_ascii_case(word.as_bytes()) && matches!(tail, [] | [0, ..])
}

impl Server {
    /// A database by number; an empty database for a number that `SELECT` cannot have accepted.
    pub(crate) fn db_or_empty(&self, index: usize) -> &Db {
        const EMPTY: &Db = &Db::new();
        self.db(index).unwrap_or(EMPTY)
    }

    /// Looks up a key for reading, under Redis' rules.
    pub(crate) fn read(&mut self, db: usize, key: &Bytes) -> Option<&Value> {
        self.look_up(db, key, Look::Read)
    }

    /// Looks up a key for writing: counts no hit or miss, but deletes an expired key and records the access.
    pub(crate) fn peek(&mut self, db: usize, key: &Bytes) -> Option<&Value> {
        if self.config.maxmemory_policy.is_lfu() {
            return if self.expects(db, key) { self.db_or_empty(db).value(key) } else { None };
        }
        // Under the other policies the access is just the current time, recorded where the value is found.
        if self.expire_if_due(db, key) {
            return None;
        }
        if self.noted_use(db, key).is_some() {
            return self.db(db)?.value(key);
        }
        let now_ms = self.now_ms;
        self.databases.get_mut(db)?.touch_mut(key, now_ms).map(|value| &*value)
    }

    /// Like [`Server::peek`], when only the existence of the key matters.
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

    /// Stores a value under a key. A new key is published (`n`) and wakes clients that wait for it.
    pub(crate) fn put(&mut self, db: usize, key: &Bytes, value: Value) {
        let is_lfu = self.config.maxmemory_policy.is_lfu();
        let fresh = if is_lfu { Access::first(self.now_ms) } else { Access::at(self.now_ms) };
        let Some(target) = self.databases.get_mut(db) else { return };
        let freed = if self.config.is_server_del_lazy { target.value(key).map_or(0, lazyfree::parts) } else { 0 };
        // The previous type matters only if a client waits for the key.
        let was_stream = target.waiting.contains_key(key) && target.value(key).is_some_and(is_stream);
        let is_new = target.set(key, value, fresh, is_lfu);
        if is_new {
            self.used_databases = self.used_databases.max(db.saturating_add(1));
        }
        self.count_freed(freed, Freeing::Server);
        if is_lfu && is_new {
            // A new value has not been used yet, even while the command fills it.
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

    /// Removes a key and wakes readers of a deleted stream.
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

    /// Like [`Server::modified`], for a key whose new value was just stored and has its memory counted.
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
