//! `Config`: the server's configuration, as `CONFIG GET` shows it and `CONFIG SET` changes it.
//!
//! Every parameter of Redis has its line in [`parameters`]. Parameters that change what the model does are
//! fields of [`Config`]; the others are only checked and stored, so that `CONFIG GET` shows what `CONFIG SET` set.
mod kind;
mod parameters;

use bytes::Bytes;

pub(crate) use kind::Kind;
pub(crate) use parameters::{ALL, Parameter};

use crate::{eviction::Policy, notify::Notify, script::ScriptTime, sorted_map::SortedMap, value::limits::Limits};

/// Settings that change behaviour, and the stored values of all other parameters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Config {
    /// The port that `CLIENT LIST` and `INFO` show; nothing listens on it.
    pub port: u16,
    /// The password that a new connection must give first (`requirepass`); empty: none.
    pub requirepass: Bytes,
    /// Number of databases; fixed at start.
    pub databases: usize,
    /// Memory limit in bytes, the server's own memory included; 0: no limit.
    pub maxmemory: u64,
    /// Which keys are evicted past `maxmemory`.
    pub maxmemory_policy: Policy,
    /// Keys sampled per eviction.
    pub maxmemory_samples: usize,
    /// How slowly the LFU counters grow.
    pub lfu_log_factor: u64,
    /// Minutes without use after which an LFU counter falls by one; 0: never.
    pub lfu_decay_time: u64,
    /// Largest string and largest argument in bytes (`proto-max-bulk-len`).
    pub proto_max_bulk_len: u64,
    /// Thresholds at which values change their encoding.
    pub limits: Limits,
    /// Which keyspace events are published.
    pub notify_keyspace_events: Notify,
    /// Seed of the random generator.
    pub seed: u64,
    /// Does the active expiry cycle run (`DEBUG SET-ACTIVE-EXPIRE`)?
    pub is_active_expire_on: bool,
    /// `latency-tracking`
    pub is_latency_tracked: bool,
    /// `lazyfree-lazy-server-del`
    pub is_server_del_lazy: bool,
    /// Entries slower than this many microseconds of *virtual* time go to the slow log; negative: none.
    pub slowlog_log_slower_than_us: i64,
    /// Entries that the slow log keeps.
    pub slowlog_max_len: usize,
    /// How the run time of scripts is counted.
    pub script_time: ScriptTime,
    /// Parameters without a field of their own that were set, in the form in which they are shown.
    pub remembered: SortedMap<&'static str, Bytes>,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            port: 6379,
            requirepass: Bytes::new(),
            databases: 16,
            maxmemory: 0,
            maxmemory_policy: Policy::Noeviction,
            maxmemory_samples: 5,
            lfu_log_factor: 10,
            lfu_decay_time: 1,
            proto_max_bulk_len: 512 * 1024 * 1024,
            limits: Limits::default(),
            notify_keyspace_events: Notify::empty(),
            seed: 0,
            is_active_expire_on: true,
            is_latency_tracked: true,
            is_server_del_lazy: false,
            slowlog_log_slower_than_us: 10_000,
            slowlog_max_len: 128,
            script_time: ScriptTime::default(),
            remembered: SortedMap::new(),
        }
    }
}

impl Config {
    /// A parameter as `CONFIG GET` shows it.
    pub(crate) fn shown(&self, parameter: &Parameter) -> Bytes {
        match parameter.name {
            "requirepass" => return self.requirepass.clone(),
            "maxmemory-policy" => return Bytes::from_static(self.maxmemory_policy.name().as_bytes()),
            "notify-keyspace-events" => return Bytes::from(self.notify_keyspace_events.letters()),
            _ => {}
        }
        if let Some(number) = self.number(parameter.name) {
            return Bytes::from(number.to_string());
        }
        self.remembered.get(parameter.name).cloned().unwrap_or(Bytes::from_static(parameter.default.as_bytes()))
    }

    /// A parameter by name, as text; empty if there is no such parameter.
    pub(crate) fn shown_by_name(&self, name: &str) -> String {
        String::from_utf8_lossy(&self.parameter(name).unwrap_or_default()).into_owned()
    }

    /// A parameter by name or alias, case-insensitive, as `CONFIG GET` shows it; `None` if there is none of that name.
    pub fn parameter(&self, name: &str) -> Option<Bytes> {
        Parameter::named(name.as_bytes()).map(|(parameter, _)| self.shown(parameter))
    }

    /// Sets a parameter by name, as `CONFIG SET` would.
    ///
    /// # Errors
    /// The reason, as `CONFIG SET` words it; then nothing is changed.
    pub fn set_parameter(&mut self, name: &str, value: &str) -> Result<(), String> {
        let (parameter, _) = Parameter::named(name.as_bytes()).ok_or("Unknown option or number of arguments")?;
        self.set(parameter, &Bytes::copy_from_slice(value.as_bytes()))
    }

    /// The value of a numeric parameter that has a field.
    fn number(&self, name: &str) -> Option<i128> {
        Some(match name {
            "databases" => self.databases as i128,
            "port" => self.port.into(),
            "maxmemory" => self.maxmemory.into(),
            "maxmemory-samples" => self.maxmemory_samples as i128,
            "lfu-log-factor" => self.lfu_log_factor.into(),
            "lfu-decay-time" => self.lfu_decay_time.into(),
            "proto-max-bulk-len" => self.proto_max_bulk_len.into(),
            "slowlog-log-slower-than" => self.slowlog_log_slower_than_us.into(),
            "slowlog-max-len" => self.slowlog_max_len as i128,
            "hash-max-listpack-entries" => self.limits.hash_max_listpack_entries as i128,
            "hash-max-listpack-value" => self.limits.hash_max_listpack_value as i128,
            "zset-max-listpack-entries" => self.limits.zset_max_listpack_entries as i128,
            "zset-max-listpack-value" => self.limits.zset_max_listpack_value as i128,
            "set-max-intset-entries" => self.limits.set_max_intset_entries as i128,
            "list-max-listpack-size" => self.limits.list_max_listpack_size.into(),
            "list-compress-depth" => self.limits.list_compress_depth.into(),
            "stream-node-max-bytes" => self.limits.stream_node_max_bytes as i128,
            "stream-node-max-entries" => self.limits.stream_node_max_entries as i128,
            "hll-sparse-max-bytes" => self.limits.hll_sparse_max_bytes as i128,
            _ => return None,
        })
    }

    /// Checks a value and sets it.
    ///
    /// # Errors
    /// The reason, as `CONFIG SET` words it; then nothing is changed.
    pub(crate) fn set(&mut self, parameter: &Parameter, value: &Bytes) -> Result<(), String> {
        let now = self.shown(parameter);
        let shown = parameter.kind.read(value, &String::from_utf8_lossy(&now))?;
        match parameter.name {
            "requirepass" => self.requirepass = shown,
            "maxmemory-policy" => self.maxmemory_policy = Policy::named(&shown).unwrap_or_default(),
            // The typed value, not the shown one, which may lack an `n`.
            "notify-keyspace-events" => self.notify_keyspace_events = Notify::parse(value).unwrap_or_default(),
            name if self.number(name).is_some() => {
                let number = std::str::from_utf8(&shown).ok().and_then(|text| text.parse().ok()).unwrap_or(0);
                self.set_number(name, number);
            }
            name => {
                match name {
                    "latency-tracking" => self.is_latency_tracked = shown == "yes",
                    "lazyfree-lazy-server-del" => self.is_server_del_lazy = shown == "yes",
                    _ => {}
                }
                self.remembered.insert(name, shown);
            }
        }
        Ok(())
    }

    /// Sets a numeric field. The number has been checked; a value too large for a 32-bit machine becomes the largest `usize`.
    fn set_number(&mut self, name: &str, number: i128) {
        let size = usize::try_from(number).unwrap_or(usize::MAX);
        let bytes = u64::try_from(number).unwrap_or(u64::MAX);
        let signed = i64::try_from(number).unwrap_or(i64::MAX);
        match name {
            "port" => self.port = u16::try_from(number).unwrap_or(u16::MAX),
            "maxmemory" => self.maxmemory = bytes,
            "maxmemory-samples" => self.maxmemory_samples = size,
            "lfu-log-factor" => self.lfu_log_factor = bytes,
            "lfu-decay-time" => self.lfu_decay_time = bytes,
            "proto-max-bulk-len" => self.proto_max_bulk_len = bytes,
            "slowlog-log-slower-than" => self.slowlog_log_slower_than_us = signed,
            "slowlog-max-len" => self.slowlog_max_len = size,
            "hash-max-listpack-entries" => self.limits.hash_max_listpack_entries = size,
            "hash-max-listpack-value" => self.limits.hash_max_listpack_value = size,
            "zset-max-listpack-entries" => self.limits.zset_max_listpack_entries = size,
            "zset-max-listpack-value" => self.limits.zset_max_listpack_value = size,
            "set-max-intset-entries" => self.limits.set_max_intset_entries = size,
            "list-max-listpack-size" => self.limits.list_max_listpack_size = signed,
            "list-compress-depth" => self.limits.list_compress_depth = signed,
            "stream-node-max-bytes" => self.limits.stream_node_max_bytes = size,
            "stream-node-max-entries" => self.limits.stream_node_max_entries = size,
            "hll-sparse-max-bytes" => self.limits.hll_sparse_max_bytes = size,
            _ => {}
        }
    }
}
