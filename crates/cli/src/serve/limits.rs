//! The limits of connections, read from the model's configuration.
use redis_model::{Client, Config};

/// Maximum size of an output buffer in bytes, independent of the configuration: with the defaults of Redis, a client that never reads could
/// use all memory. The same as the maximum of a query buffer.
const OUTPUT_BYTES_MAX: usize = 1 << 30;

/// The same for a client that is not authenticated.
const UNAUTHENTICATED_BYTES_MAX: usize = 1024;

/// The limit on the output buffer of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutputLimit {
    /// Above this size in bytes, the connection is closed at once.
    pub hard_bytes: usize,
    /// If the buffer stays above this size in bytes for `soft_ms`, the connection is closed; 0: no limit.
    pub soft_bytes: usize,
    /// Duration of the soft limit in ms.
    pub soft_ms: u64,
}

/// Settings that concern sockets, not the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// `maxclients`
    pub clients: usize,
    /// `timeout`: an idle client is disconnected after this time in ms; 0: never.
    pub idle_ms: u64,
    /// `tcp-keepalive` in seconds; 0: no probes.
    pub keepalive_s: u64,
    /// `client-query-buffer-limit`
    pub query_bytes: usize,
    /// `proto-max-bulk-len`
    pub bulk_bytes: u64,
    /// `requirepass` is set.
    pub needs_password: bool,
    /// `client-output-buffer-limit normal`
    pub normal: OutputLimit,
    /// `client-output-buffer-limit pubsub`
    pub pubsub: OutputLimit,
}

impl Limits {
    /// Reads the limits; every parameter exists and was validated when it was set.
    pub fn of(config: &Config) -> Limits {
        let number = |name: &str| -> u64 { text(config, name).parse().unwrap_or(0) };
        let size = |name: &str| usize::try_from(number(name)).unwrap_or(usize::MAX);
        Limits {
            clients: size("maxclients"),
            idle_ms: number("timeout").saturating_mul(1000),
            keepalive_s: number("tcp-keepalive"),
            query_bytes: size("client-query-buffer-limit"),
            bulk_bytes: config.proto_max_bulk_len,
            needs_password: !config.requirepass.is_empty(),
            normal: output_limit(config, "normal"),
            pubsub: output_limit(config, "pubsub"),
        }
    }

    /// The limit of a client's class. For Redis, a monitoring client is a normal one here. A client that is not authenticated gets little
    /// (`REPLY_BUFFER_SIZE_UNAUTHENTICATED_CLIENT`).
    pub fn output_of(&self, client: Option<&Client>) -> OutputLimit {
        if self.needs_password && client.is_some_and(|client| !client.is_authenticated) {
            return OutputLimit { hard_bytes: UNAUTHENTICATED_BYTES_MAX, soft_bytes: 0, soft_ms: 0 };
        }
        if client.is_some_and(Client::is_subscriber) { self.pubsub } else { self.normal }
    }
}

fn text(config: &Config, name: &str) -> String {
    String::from_utf8_lossy(&config.parameter(name).unwrap_or_default()).into_owned()
}

/// The limit of a class of clients; no limit is infinite.
fn output_limit(config: &Config, class: &str) -> OutputLimit {
    let redis_model::OutputLimit { hard_bytes, soft_bytes, soft_s } = config.output_limit(class);
    let hard_bytes = if hard_bytes == 0 { OUTPUT_BYTES_MAX } else { hard_bytes.min(OUTPUT_BYTES_MAX) };
    OutputLimit { hard_bytes, soft_bytes, soft_ms: soft_s.saturating_mul(1000) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_match_redis_but_every_buffer_is_bounded() {
        let limits = Limits::of(&Config::default());
        assert_eq!((limits.clients, limits.idle_ms, limits.keepalive_s), (10_000, 0, 300));
        assert_eq!((limits.query_bytes, limits.bulk_bytes), (1 << 30, 512 << 20));
        assert_eq!(limits.normal, OutputLimit { hard_bytes: 1 << 30, soft_bytes: 0, soft_ms: 0 });
        assert_eq!(limits.pubsub, OutputLimit { hard_bytes: 32 << 20, soft_bytes: 8 << 20, soft_ms: 60_000 });
    }

    #[test]
    fn config_set_changes_the_limits() {
        let mut config = Config::default();
        config.set_parameter("client-output-buffer-limit", "normal 1kb 512 2").unwrap();
        config.set_parameter("maxclients", "3").unwrap();
        let limits = Limits::of(&config);
        assert_eq!(limits.normal, OutputLimit { hard_bytes: 1024, soft_bytes: 512, soft_ms: 2000 });
        assert_eq!(limits.clients, 3);
    }
}
