//! Handlers to begin with.
use crate::i18n::{Lang, late};

/// A handler in Lua.
#[derive(Clone, Copy)]
pub struct Starter {
    name: fn(Lang) -> &'static str,
    /// Data of the chunk, with the marks of that around it (`src/i18n/late.rs`).
    marked: &'static str,
}

impl Starter {
    /// What it does, in a few words.
    pub fn name(&self, t: Lang) -> &'static str {
        (self.name)(t)
    }

    /// Its text without comments: these are in one language, and its name says what it does.
    pub fn text(&self) -> String {
        let text = self.marked.split('\0').nth(1).unwrap_or(self.marked);
        let lines = text.lines().filter(|line| !line.trim_start().starts_with("--"));
        lines.fold(String::new(), |text, line| text + line + "\n")
    }
}

/// A file of these handlers.
macro_rules! handler {
    ($name:ident, $file:literal) => {
        Starter { name: Lang::$name, marked: late!(handler $file) }
    };
}

/// All of them, the plainest first.
pub static HANDLERS: [Starter; 10] = [
    handler!(traffic_handler_cache_aside, "cache-aside.lua"),
    handler!(traffic_handler_jitter, "jitter.lua"),
    handler!(traffic_handler_null_cache, "null-cache.lua"),
    handler!(traffic_handler_bloom_memory, "bloom-memory.lua"),
    handler!(traffic_handler_bloom_redis, "bloom-redis.lua"),
    handler!(traffic_handler_mutex, "mutex.lua"),
    handler!(traffic_handler_logical_expiry, "logical-expiry.lua"),
    handler!(traffic_handler_coalesce, "coalesce.lua"),
    handler!(traffic_handler_local_cache, "local-cache.lua"),
    handler!(traffic_handler_limiter, "limiter.lua"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_handler_has_functions_a_name_and_no_comment() {
        for handler in &HANDLERS {
            let text = handler.text();
            assert!(text.contains("function get(id)") && text.contains("function put(id, value)"), "{text}");
            assert!(!text.contains("--") && text.ends_with("end\n"), "{text}");
            for lang in [Lang::En, Lang::ZhCn] {
                assert!(!handler.name(lang).is_empty());
            }
        }
        let names: std::collections::BTreeSet<&str> = HANDLERS.iter().map(|handler| handler.name(Lang::En)).collect();
        assert_eq!(names.len(), HANDLERS.len());
    }
}
