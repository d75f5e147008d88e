//! Starter handlers.
use crate::i18n::{Lang, late};

/// A handler in Lua, the simplest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Starter {
    /// Cache-aside.
    CacheAside,
    /// Cache-aside with a random part of the TTL.
    Jitter,
    /// Caches ids that do not exist, too.
    NullCache,
    /// A Bloom filter on each machine.
    BloomMemory,
    /// A Bloom filter in Redis.
    BloomRedis,
    /// One request loads the item, protected by `SET NX`.
    Mutex,
    /// Serves the stale value while one request reloads it.
    LogicalExpiry,
    /// One request per machine loads the item.
    Coalesce,
    /// A local cache on each machine.
    LocalCache,
    /// Limits the concurrent statements of each machine.
    Limiter,
    /// Loads all items at the start, with one TTL.
    WarmUp,
    /// Searches with `KEYS` once a second.
    Keys,
}

impl Starter {
    /// All starters.
    pub const ALL: [Starter; 12] = [
        Starter::CacheAside,
        Starter::Jitter,
        Starter::NullCache,
        Starter::BloomMemory,
        Starter::BloomRedis,
        Starter::Mutex,
        Starter::LogicalExpiry,
        Starter::Coalesce,
        Starter::LocalCache,
        Starter::Limiter,
        Starter::WarmUp,
        Starter::Keys,
    ];

    /// A short description of it.
    pub fn name(self, t: Lang) -> &'static str {
        match self {
            Starter::CacheAside => t.traffic_handler_cache_aside(),
            Starter::Jitter => t.traffic_handler_jitter(),
            Starter::NullCache => t.traffic_handler_null_cache(),
            Starter::BloomMemory => t.traffic_handler_bloom_memory(),
            Starter::BloomRedis => t.traffic_handler_bloom_redis(),
            Starter::Mutex => t.traffic_handler_mutex(),
            Starter::LogicalExpiry => t.traffic_handler_logical_expiry(),
            Starter::Coalesce => t.traffic_handler_coalesce(),
            Starter::LocalCache => t.traffic_handler_local_cache(),
            Starter::Limiter => t.traffic_handler_limiter(),
            Starter::WarmUp => t.traffic_handler_warm_up(),
            Starter::Keys => t.traffic_handler_keys(),
        }
    }

    /// Its text without comments: those are in one language, and the name already says what it does.
    pub fn text(self) -> String {
        let marked = match self {
            Starter::CacheAside => late!(handler "cache-aside.lua"),
            Starter::Jitter => late!(handler "jitter.lua"),
            Starter::NullCache => late!(handler "null-cache.lua"),
            Starter::BloomMemory => late!(handler "bloom-memory.lua"),
            Starter::BloomRedis => late!(handler "bloom-redis.lua"),
            Starter::Mutex => late!(handler "mutex.lua"),
            Starter::LogicalExpiry => late!(handler "logical-expiry.lua"),
            Starter::Coalesce => late!(handler "coalesce.lua"),
            Starter::LocalCache => late!(handler "local-cache.lua"),
            Starter::Limiter => late!(handler "limiter.lua"),
            Starter::WarmUp => late!(handler "warm-up.lua"),
            Starter::Keys => late!(handler "keys.lua"),
        };
        let text = marked.split('\0').nth(1).unwrap_or_default();
        let lines = text.lines().filter(|line| !line.trim_start().starts_with("--"));
        lines.fold(String::new(), |text, line| text + line + "\n")
    }

    /// The starter with this text. Plain cache-aside matches with any TTL.
    pub fn of(text: &str) -> Option<Starter> {
        let ttl_s = text.split("'EX', ").nth(1).and_then(|rest| rest.split(')').next()?.parse().ok());
        if ttl_s.is_some_and(|ttl_s| cache_aside(ttl_s) == text) {
            return Some(Starter::CacheAside);
        }
        Starter::ALL.into_iter().find(|each| each.text() == text)
    }
}

/// Cache-aside in Lua with this TTL.
pub fn cache_aside(ttl_s: u32) -> String {
    Starter::CacheAside.text().replace("7200", &ttl_s.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_handler_has_functions_and_a_name_but_no_comments() {
        for handler in Starter::ALL {
            let text = handler.text();
            assert!(text.contains("function get(id)") && text.contains("function put(id, value)"), "{text}");
            assert!(!text.contains("--") && text.ends_with("end\n"), "{text}");
            for lang in [Lang::En, Lang::ZhCn] {
                assert!(!handler.name(lang).is_empty());
            }
        }
        assert!(Starter::ALL.into_iter().all(|handler| Starter::of(&handler.text()) == Some(handler)));
        assert_eq!(Starter::of(&cache_aside(60)), Some(Starter::CacheAside));
        for own in [cache_aside(60).replace("rows[1]", "rows[2]"), Starter::Jitter.text() + "\n", String::new()] {
            assert_eq!(Starter::of(&own), None, "{own}");
        }
        let names: std::collections::BTreeSet<&str> =
            Starter::ALL.iter().map(|handler| handler.name(Lang::En)).collect();
        assert_eq!(names.len(), Starter::ALL.len());
    }
}
