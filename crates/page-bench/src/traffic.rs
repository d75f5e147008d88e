//! A million requests to cache-aside: the same natively (`bench traffic`) and in a browser (`bench page`).
use wasm_bindgen::prelude::*;
use world::Engines;
use world::traffic::Site;
use world::traffic::handler::CACHE_ASIDE;
use world::traffic::settings::{Handler, RatePoint, TrafficSettings};

/// The expected results of each handler in the format of [`traffic`], one per line: they must be equal on every platform.
pub const EXPECTED: &str = include_str!("traffic.txt");

/// The duration in seconds, and also the number of requests per second.
const SECONDS: u64 = 1_000;

/// The results of a million requests: `handler arrived answered hits misses errors stale commands statements p50 p99 keys`. Handlers are
/// `plain`, without Lua; `lua`, which does the same; `clock`, which reads the clock first, so that no two histories are equal; and
/// `writes`, without Lua, with one write per hundred requests.
#[wasm_bindgen]
pub fn traffic(handler: &str) -> String {
    let engines = Engines::new(lua_machine::LuaMachine::new(), lua_machine::LuaPlayer::for_traffic());
    let lua = |text: String| Handler::Lua(text.into());
    let settings = TrafficSettings {
        rate: vec![RatePoint { at_ms: 0, per_s: if handler == "clock" { 100 } else { 1_000 } }],
        writes_ppm: if handler == "writes" { 10_000 } else { 0 },
        handler: match handler {
            "lua" => lua(CACHE_ASIDE.to_owned()),
            "clock" => lua(CACHE_ASIDE.replace("function get(id)\n", "function get(id)\n  local begun = now()\n")),
            _ => Handler::CacheAside { ttl_s: 7_200 },
        },
        ..TrafficSettings::default()
    };
    let database =
        table::Settings { service_ms: 10, workers: 10, connections_max: 1_000, ..table::Settings::default() };
    let mut site = match Site::begin(settings, database, 0, &engines) {
        Ok(site) => site,
        Err(why) => return why.to_string(),
    };
    site.run(SECONDS * 1_000);
    let total = site.traffic().series().total();
    let percentile = |milli| total.latency.percentile_us(milli).unwrap_or_default();
    let numbers = [
        total.arrived,
        total.answered,
        total.hits,
        total.misses,
        total.errors(),
        total.stale,
        total.commands,
        total.queries,
        percentile(500),
        percentile(990),
        site.redis().db(0).map_or(0, |db| db.len() as u64),
    ];
    let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
    format!("{handler} {}", numbers.join(" "))
}
