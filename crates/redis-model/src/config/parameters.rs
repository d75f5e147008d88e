//! The parameters of Redis 7.0 by name, each with its type and its default.
use super::kind::Kind;

/// One parameter.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// As `CONFIG GET` prints it.
    pub name: &'static str,
    /// Its older name; empty if it has none.
    pub alias: &'static str,
    /// Its type.
    pub kind: Kind,
    /// Its value at startup, as `CONFIG GET` prints it.
    pub default: &'static str,
}

impl Parameter {
    const fn alias(self, alias: &'static str) -> Parameter {
        Parameter { alias, ..self }
    }

    /// The parameter with this name or alias, case-insensitive, and the one of the two that matched.
    pub fn named(name: &[u8]) -> Option<(&'static Parameter, &'static str)> {
        ALL.iter()
            .chain(HIDDEN)
            .flat_map(|parameter| parameter.names().map(move |name| (parameter, name)))
            .find(|(_, known)| known.as_bytes().eq_ignore_ascii_case(name))
    }

    /// Its name and, if it has one, its alias.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        [self.name, self.alias].into_iter().filter(|name| !name.is_empty())
    }
}

const fn parameter(name: &'static str, kind: Kind, default: &'static str) -> Parameter {
    Parameter { name, alias: "", kind, default }
}

/// Parameters for Redis developers: `CONFIG GET` shows them only by their full names; no pattern matches them.
static HIDDEN: &[Parameter] = &[
    parameter("key-load-delay", Kind::Integer { min: i32::MIN as i64, max: INT_MAX }, "0"),
    parameter("lua-enable-deprecated-api", Kind::Immutable, "no"),
    parameter("rdb-key-save-delay", Kind::Integer { min: i32::MIN as i64, max: INT_MAX }, "0"),
    parameter("use-exit-on-panic", Kind::YesNo, "no"),
    parameter("watchdog-period", Kind::Watchdog, "0"),
];

/// Maximum of a C `int`, the type of many numeric parameters in Redis.
const INT_MAX: i64 = i32::MAX as i64;
const UINT_MAX: i64 = u32::MAX as i64;
/// Options for a shutdown by signal.
const SHUTDOWN: &[&str] = &["default", "save", "nosave", "now", "force"];

/// All parameters by name. Two defaults differ from a bare `redis-server`: `enable-debug-command`
/// is on because lessons use it, and `save` is empty because nothing is saved.
pub static ALL: &[Parameter] = &[
    parameter("acl-pubsub-default", Kind::Word(&["allchannels", "resetchannels"]), "resetchannels"),
    parameter("aclfile", Kind::Immutable, ""),
    parameter("acllog-max-len", Kind::Integer { min: 0, max: i64::MAX }, "128"),
    parameter("active-defrag-cycle-max", Kind::Integer { min: 1, max: 99 }, "25"),
    parameter("active-defrag-cycle-min", Kind::Integer { min: 1, max: 99 }, "1"),
    parameter("active-defrag-ignore-bytes", Kind::Memory { min: 1, max: i64::MAX }, "104857600"),
    parameter("active-defrag-max-scan-fields", Kind::Integer { min: 1, max: i64::MAX }, "1000"),
    parameter("active-defrag-threshold-lower", Kind::Integer { min: 0, max: 1000 }, "10"),
    parameter("active-defrag-threshold-upper", Kind::Integer { min: 0, max: 1000 }, "100"),
    parameter("active-expire-effort", Kind::Integer { min: 1, max: 10 }, "1"),
    parameter("activedefrag", Kind::YesNo, "no"),
    parameter("activerehashing", Kind::YesNo, "yes"),
    parameter("always-show-logo", Kind::Immutable, "no"),
    parameter("aof-disable-auto-gc", Kind::YesNo, "no"),
    parameter("aof-load-truncated", Kind::YesNo, "yes"),
    parameter("aof-rewrite-incremental-fsync", Kind::YesNo, "yes"),
    parameter("aof-timestamp-enabled", Kind::YesNo, "no"),
    parameter("aof-use-rdb-preamble", Kind::YesNo, "yes"),
    parameter("aof_rewrite_cpulist", Kind::Immutable, ""),
    parameter("appenddirname", Kind::Immutable, "appendonlydir"),
    parameter("appendfilename", Kind::Immutable, "appendonly.aof"),
    parameter("appendfsync", Kind::Word(&["everysec", "always", "no"]), "everysec"),
    parameter("appendonly", Kind::YesNo, "no"),
    parameter("auto-aof-rewrite-min-size", Kind::Memory { min: 0, max: i64::MAX }, "67108864"),
    parameter("auto-aof-rewrite-percentage", Kind::Integer { min: 0, max: INT_MAX }, "100"),
    parameter("bgsave_cpulist", Kind::Immutable, ""),
    parameter("bind", Kind::Text, "* -::*"),
    parameter("bind-source-addr", Kind::Text, ""),
    parameter("bio_cpulist", Kind::Immutable, ""),
    parameter("busy-reply-threshold", Kind::Integer { min: 0, max: i64::MAX }, "5000").alias("lua-time-limit"),
    parameter(
        "client-output-buffer-limit",
        Kind::BufferLimits,
        "normal 0 0 0 slave 268435456 67108864 60 pubsub 33554432 8388608 60",
    ),
    parameter("client-query-buffer-limit", Kind::Memory { min: 1_048_576, max: i64::MAX }, "1073741824"),
    parameter("cluster-allow-pubsubshard-when-down", Kind::YesNo, "yes"),
    parameter("cluster-allow-reads-when-down", Kind::YesNo, "no"),
    parameter("cluster-allow-replica-migration", Kind::YesNo, "yes"),
    parameter("cluster-announce-bus-port", Kind::Integer { min: 0, max: 65_535 }, "0"),
    parameter("cluster-announce-hostname", Kind::Text, ""),
    parameter("cluster-announce-ip", Kind::Text, ""),
    parameter("cluster-announce-port", Kind::Integer { min: 0, max: 65_535 }, "0"),
    parameter("cluster-announce-tls-port", Kind::Integer { min: 0, max: 65_535 }, "0"),
    parameter("cluster-config-file", Kind::Immutable, "nodes.conf"),
    parameter("cluster-enabled", Kind::Immutable, "no"),
    parameter("cluster-link-sendbuf-limit", Kind::BigMemory, "0"),
    parameter("cluster-migration-barrier", Kind::Integer { min: 0, max: INT_MAX }, "1"),
    parameter("cluster-node-timeout", Kind::Integer { min: 0, max: i64::MAX }, "15000"),
    parameter("cluster-port", Kind::Immutable, "0"),
    parameter("cluster-preferred-endpoint-type", Kind::Word(&["ip", "hostname", "unknown-endpoint"]), "ip"),
    parameter("cluster-replica-no-failover", Kind::YesNo, "no").alias("cluster-slave-no-failover"),
    parameter("cluster-replica-validity-factor", Kind::Integer { min: 0, max: INT_MAX }, "10")
        .alias("cluster-slave-validity-factor"),
    parameter("cluster-require-full-coverage", Kind::YesNo, "yes"),
    parameter("crash-log-enabled", Kind::YesNo, "yes"),
    parameter("crash-memcheck-enabled", Kind::YesNo, "yes"),
    parameter("daemonize", Kind::Immutable, "no"),
    parameter("databases", Kind::Immutable, "16"),
    parameter("dbfilename", Kind::Protected, "dump.rdb"),
    parameter("dir", Kind::Protected, "/var/lib/redis"),
    parameter("disable-thp", Kind::Immutable, "yes"),
    parameter("dynamic-hz", Kind::YesNo, "yes"),
    parameter("enable-debug-command", Kind::Immutable, "yes"),
    parameter("enable-module-command", Kind::Immutable, "no"),
    parameter("enable-protected-configs", Kind::Immutable, "no"),
    parameter("hash-max-listpack-entries", Kind::Integer { min: 0, max: i64::MAX }, "512")
        .alias("hash-max-ziplist-entries"),
    parameter("hash-max-listpack-value", Kind::Memory { min: 0, max: i64::MAX }, "64").alias("hash-max-ziplist-value"),
    parameter("hll-sparse-max-bytes", Kind::Memory { min: 0, max: i64::MAX }, "3000"),
    parameter("hz", Kind::Hertz, "10"),
    parameter("ignore-warnings", Kind::Text, ""),
    parameter("io-threads", Kind::Immutable, "1"),
    parameter("io-threads-do-reads", Kind::Immutable, "no"),
    parameter("jemalloc-bg-thread", Kind::YesNo, "yes"),
    parameter("latency-monitor-threshold", Kind::Integer { min: 0, max: i64::MAX }, "0"),
    parameter("latency-tracking", Kind::YesNo, "yes"),
    parameter("latency-tracking-info-percentiles", Kind::Percentiles, "50 99 99.9"),
    parameter("lazyfree-lazy-eviction", Kind::YesNo, "no"),
    parameter("lazyfree-lazy-expire", Kind::YesNo, "no"),
    parameter("lazyfree-lazy-server-del", Kind::YesNo, "no"),
    parameter("lazyfree-lazy-user-del", Kind::YesNo, "no"),
    parameter("lazyfree-lazy-user-flush", Kind::YesNo, "no"),
    parameter("lfu-decay-time", Kind::Integer { min: 0, max: INT_MAX }, "1"),
    parameter("lfu-log-factor", Kind::Integer { min: 0, max: INT_MAX }, "10"),
    parameter("list-compress-depth", Kind::Integer { min: 0, max: INT_MAX }, "0"),
    parameter("list-max-listpack-size", Kind::Integer { min: -INT_MAX - 1, max: INT_MAX }, "-2")
        .alias("list-max-ziplist-size"),
    parameter("logfile", Kind::Text, ""),
    parameter("loglevel", Kind::Word(&["debug", "verbose", "notice", "warning"]), "notice"),
    parameter("masterauth", Kind::Secret, ""),
    parameter("masteruser", Kind::Secret, ""),
    parameter("maxclients", Kind::Integer { min: 1, max: UINT_MAX }, "10000"),
    parameter("maxmemory", Kind::BigMemory, "0"),
    parameter("maxmemory-clients", Kind::MemoryOrPercent, "0"),
    parameter("maxmemory-eviction-tenacity", Kind::Integer { min: 0, max: 100 }, "10"),
    parameter(
        "maxmemory-policy",
        Kind::Word(&[
            "volatile-lru",
            "volatile-lfu",
            "volatile-random",
            "volatile-ttl",
            "allkeys-lru",
            "allkeys-lfu",
            "allkeys-random",
            "noeviction",
        ]),
        "noeviction",
    ),
    parameter("maxmemory-samples", Kind::Integer { min: 1, max: INT_MAX }, "5"),
    parameter("min-replicas-max-lag", Kind::Integer { min: 0, max: INT_MAX }, "10").alias("min-slaves-max-lag"),
    parameter("min-replicas-to-write", Kind::Integer { min: 0, max: INT_MAX }, "0").alias("min-slaves-to-write"),
    parameter("no-appendfsync-on-rewrite", Kind::YesNo, "no"),
    parameter("notify-keyspace-events", Kind::EventClasses, ""),
    parameter("oom-score-adj", Kind::Word(&["no", "yes", "relative", "absolute"]), "no"),
    parameter("oom-score-adj-values", Kind::OomScores, "0 200 800"),
    parameter("pidfile", Kind::Immutable, ""),
    parameter("port", Kind::Integer { min: 0, max: 65_535 }, "6379"),
    parameter("proc-title-template", Kind::Text, "{title} {listen-addr} {server-mode}"),
    parameter("propagation-error-behavior", Kind::Word(&["ignore", "panic", "panic-on-replicas"]), "ignore"),
    parameter("protected-mode", Kind::YesNo, "yes"),
    parameter("proto-max-bulk-len", Kind::Memory { min: 1_048_576, max: i64::MAX }, "536870912"),
    parameter("rdb-del-sync-files", Kind::YesNo, "no"),
    parameter("rdb-save-incremental-fsync", Kind::YesNo, "yes"),
    parameter("rdbchecksum", Kind::Immutable, "yes"),
    parameter("rdbcompression", Kind::YesNo, "yes"),
    parameter("repl-backlog-size", Kind::Backlog, "1048576"),
    parameter("repl-backlog-ttl", Kind::Integer { min: 0, max: i64::MAX }, "3600"),
    parameter("repl-disable-tcp-nodelay", Kind::YesNo, "no"),
    parameter("repl-diskless-load", Kind::Word(&["disabled", "on-empty-db", "swapdb"]), "disabled"),
    parameter("repl-diskless-sync", Kind::YesNo, "yes"),
    parameter("repl-diskless-sync-delay", Kind::Integer { min: 0, max: INT_MAX }, "5"),
    parameter("repl-diskless-sync-max-replicas", Kind::Integer { min: 0, max: INT_MAX }, "0"),
    parameter("repl-ping-replica-period", Kind::Integer { min: 1, max: INT_MAX }, "10").alias("repl-ping-slave-period"),
    parameter("repl-timeout", Kind::Integer { min: 1, max: INT_MAX }, "60"),
    parameter("replica-announce-ip", Kind::Text, "").alias("slave-announce-ip"),
    parameter("replica-announce-port", Kind::Integer { min: 0, max: 65_535 }, "0").alias("slave-announce-port"),
    parameter("replica-announced", Kind::YesNo, "yes"),
    parameter("replica-ignore-disk-write-errors", Kind::YesNo, "no"),
    parameter("replica-ignore-maxmemory", Kind::YesNo, "yes").alias("slave-ignore-maxmemory"),
    parameter("replica-lazy-flush", Kind::YesNo, "no").alias("slave-lazy-flush"),
    parameter("replica-priority", Kind::Integer { min: 0, max: INT_MAX }, "100").alias("slave-priority"),
    parameter("replica-read-only", Kind::YesNo, "yes").alias("slave-read-only"),
    parameter("replica-serve-stale-data", Kind::YesNo, "yes").alias("slave-serve-stale-data"),
    parameter("replicaof", Kind::Immutable, "").alias("slaveof"),
    parameter("requirepass", Kind::Secret, ""),
    parameter("sanitize-dump-payload", Kind::Word(&["no", "yes", "clients"]), "no"),
    parameter("save", Kind::SavePoints, ""),
    parameter("server_cpulist", Kind::Immutable, ""),
    parameter("set-max-intset-entries", Kind::Integer { min: 0, max: i64::MAX }, "512"),
    parameter("set-proc-title", Kind::Immutable, "yes"),
    parameter("shutdown-on-sigint", Kind::Words(SHUTDOWN), "default"),
    parameter("shutdown-on-sigterm", Kind::Words(SHUTDOWN), "default"),
    parameter("shutdown-timeout", Kind::Integer { min: 0, max: INT_MAX }, "10"),
    parameter("slowlog-log-slower-than", Kind::Integer { min: -1, max: i64::MAX }, "10000"),
    parameter("slowlog-max-len", Kind::Integer { min: 0, max: i64::MAX }, "128"),
    parameter("socket-mark-id", Kind::Immutable, "0"),
    parameter("stop-writes-on-bgsave-error", Kind::YesNo, "yes"),
    parameter("stream-node-max-bytes", Kind::Memory { min: 0, max: i64::MAX }, "4096"),
    parameter("stream-node-max-entries", Kind::Integer { min: 0, max: i64::MAX }, "100"),
    parameter("supervised", Kind::Immutable, "no"),
    parameter("syslog-enabled", Kind::Immutable, "no"),
    parameter("syslog-facility", Kind::Immutable, "local0"),
    parameter("syslog-ident", Kind::Immutable, "redis"),
    parameter("tcp-backlog", Kind::Immutable, "511"),
    parameter("tcp-keepalive", Kind::Integer { min: 0, max: INT_MAX }, "300"),
    parameter("timeout", Kind::Integer { min: 0, max: INT_MAX }, "0"),
    parameter("tls-auth-clients", Kind::Word(&["no", "yes", "optional"]), "yes"),
    parameter("tls-ca-cert-dir", Kind::Text, ""),
    parameter("tls-ca-cert-file", Kind::Text, ""),
    parameter("tls-cert-file", Kind::Text, ""),
    parameter("tls-ciphers", Kind::Text, ""),
    parameter("tls-ciphersuites", Kind::Text, ""),
    parameter("tls-client-cert-file", Kind::Text, ""),
    parameter("tls-client-key-file", Kind::Text, ""),
    parameter("tls-client-key-file-pass", Kind::Secret, ""),
    parameter("tls-cluster", Kind::YesNo, "no"),
    parameter("tls-dh-params-file", Kind::Text, ""),
    parameter("tls-key-file", Kind::Text, ""),
    parameter("tls-key-file-pass", Kind::Secret, ""),
    parameter("tls-port", Kind::Integer { min: 0, max: 65_535 }, "0"),
    parameter("tls-prefer-server-ciphers", Kind::YesNo, "no"),
    parameter("tls-protocols", Kind::Text, ""),
    parameter("tls-replication", Kind::YesNo, "no"),
    parameter("tls-session-cache-size", Kind::Integer { min: 0, max: INT_MAX }, "20480"),
    parameter("tls-session-cache-timeout", Kind::Integer { min: 0, max: INT_MAX }, "300"),
    parameter("tls-session-caching", Kind::YesNo, "yes"),
    parameter("tracking-table-max-keys", Kind::Integer { min: 0, max: i64::MAX }, "1000000"),
    parameter("unixsocket", Kind::Text, ""),
    parameter("unixsocketperm", Kind::Immutable, "0"),
    parameter("zset-max-listpack-entries", Kind::Integer { min: 0, max: i64::MAX }, "128")
        .alias("zset-max-ziplist-entries"),
    parameter("zset-max-listpack-value", Kind::Memory { min: 0, max: i64::MAX }, "64").alias("zset-max-ziplist-value"),
];
