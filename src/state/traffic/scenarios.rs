//! Scenarios of the traffic form: a load, servers and a handler that belong together, most of them those of a lesson.
use bytes::Bytes;
use world::traffic::settings::{Handler, TrafficSettings};

use super::draft::Plan;
use super::handlers::{Starter, cache_aside};
use super::notation::day;
use super::stage::Stage;
use crate::i18n::Lang;

/// A scenario, the simplest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scenario {
    /// A cache that fills.
    Calm,
    /// Ids that exist nowhere: the lesson `penetration`.
    Penetration,
    /// One popular item and a slow database: the lesson `breakdown`.
    Breakdown,
    /// All items expire at 01:00: the lesson `avalanche`.
    Avalanche,
    /// The same over a whole day.
    Day,
    /// One item gets all requests: the lesson `hot-key`.
    HotKey,
    /// A slow command delays all others: as in the lesson `why-fast`.
    Keys,
}

impl Scenario {
    /// All scenarios.
    pub const ALL: [Scenario; 7] = [
        Scenario::Calm,
        Scenario::Penetration,
        Scenario::Breakdown,
        Scenario::Avalanche,
        Scenario::Day,
        Scenario::HotKey,
        Scenario::Keys,
    ];

    /// Its name.
    pub fn name(self, t: Lang) -> &'static str {
        match self {
            Scenario::Calm => t.traffic_scenario_calm(),
            Scenario::Penetration => t.traffic_scenario_penetration(),
            Scenario::Breakdown => t.traffic_scenario_breakdown(),
            Scenario::Avalanche => t.traffic_scenario_avalanche(),
            Scenario::Day => t.traffic_scenario_day(),
            Scenario::HotKey => t.traffic_scenario_hot_key(),
            Scenario::Keys => t.traffic_scenario_keys(),
        }
    }

    /// Its settings.
    pub fn plan(self) -> Plan {
        // The load as in the text form of sessions, the database's service time in ms and its workers, the time of day, the handler, and
        // how long it runs.
        let (words, (service_ms, workers), clock, lua, ms) = match self {
            Scenario::Calm => return Plan::default(),
            Scenario::Penetration => {
                let words = "rate 200 items 500 absent-ppm 250000 absent-ids 50";
                (words, (10, 1), NOON, cache_aside(3_600), 60_000)
            }
            Scenario::Breakdown => ("rate 200 items 1 workers 32", (500, 10), NOON, cache_aside(60), 120_000),
            Scenario::Avalanche => {
                let words = "rate 0:0,7080000:0,7081000:100 items 5000 retries 2";
                (words, (40, 1), "23:00", Starter::WarmUp.text(), 7_500_000)
            }
            Scenario::Day => {
                let words = "rate 0:8,6900000:8,7080000:100,8000000:100,8100000:10 items 5000 retries 2";
                (words, (40, 1), "23:00", Starter::WarmUp.text(), 86_400_000)
            }
            Scenario::HotKey => {
                let words = "rate 2000 items 100 hot-ppm 1000000 machines 50 redis-us 1000";
                (words, (10, 2), NOON, cache_aside(3_600), 10_000)
            }
            Scenario::Keys => {
                let words = "rate 0:0,1000:0,1001:2000 items 200 machines 1 workers 32";
                (words, (5, 10), NOON, Starter::Keys.text(), 10_000)
            }
        };
        let words: Vec<Bytes> = words.split(' ').map(|word| Bytes::from_static(word.as_bytes())).collect();
        let traffic = TrafficSettings::from_words(&words).unwrap_or_default();
        let stage = Stage::default();
        Plan {
            traffic: TrafficSettings { handler: Handler::Lua(lua.into()), ..traffic },
            stage: Stage {
                database: table::Settings { service_ms, workers, ..stage.database },
                clock_ms: day(clock).unwrap_or(stage.clock_ms),
                ..stage
            },
            ms,
        }
    }

    /// The scenario with this load and these servers; the handler and the duration may differ.
    pub fn of(plan: &Plan) -> Option<Scenario> {
        let is_alike = |other: &Plan| {
            let handler = plan.traffic.handler.clone();
            other.stage == plan.stage && TrafficSettings { handler, ..other.traffic.clone() } == plan.traffic
        };
        Scenario::ALL.into_iter().find(|scenario| is_alike(&scenario.plan()))
    }
}

/// The time of day at which the clock of a session usually starts.
const NOON: &str = "12:00";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::traffic::draft::Draft;

    #[test]
    fn scenarios_are_valid_different_and_found_again() {
        for scenario in Scenario::ALL {
            let plan = scenario.plan();
            assert_eq!(plan.traffic.check(), Ok(()), "{scenario:?}");
            assert_eq!(Draft::of(&plan).plan().as_ref(), Ok(&plan), "{scenario:?}");
            assert_eq!(Scenario::of(&plan), Some(scenario));
            let handler = Handler::Lua(Bytes::from_static(b"x"));
            let other = Plan { traffic: TrafficSettings { handler, ..plan.traffic.clone() }, ms: 1, ..plan.clone() };
            assert_eq!(Scenario::of(&other), Some(scenario));
            let seed = Plan { traffic: TrafficSettings { seed: 99, ..plan.traffic.clone() }, ..plan };
            assert_eq!(Scenario::of(&seed), None);
            assert_ne!(scenario.name(Lang::ZhCn), scenario.name(Lang::En));
        }
    }

    /// The browser tests compare the files that the page saves with the same ones, so both machines have equal figures.
    /// `TRAFFIC_GOLDEN=write` updates the files.
    #[test]
    fn figures_are_those_that_the_page_must_have() {
        let engines = world::Engines::new(lua_machine::LuaMachine::new(), lua_machine::LuaPlayer::new());
        let is_writing = std::env::var("TRAFFIC_GOLDEN").is_ok_and(|how| how == "write");
        for (scenario, name) in [(Scenario::Penetration, "penetration"), (Scenario::HotKey, "hot-key")] {
            let plan = scenario.plan();
            let mut timeline = plan.stage.session(plan.traffic, &engines).unwrap();
            timeline.push(world::Input::Advance { ms: plan.ms }).unwrap();
            let found = world::traffic::report::csv(timeline.world().traffic().unwrap().series());
            let path = format!("{}/e2e/support/figures/{name}.csv", env!("CARGO_MANIFEST_DIR"));
            if is_writing {
                std::fs::write(&path, &found).unwrap();
            }
            assert_eq!(found, std::fs::read_to_string(&path).unwrap(), "{name}");
            assert_eq!(found.lines().count() as u64, plan.ms / 1_000 + 1);
        }
    }

    #[test]
    fn scenarios_of_lessons_have_their_load_and_database() {
        let lessons = [
            (Scenario::Penetration, include_str!("../../../lessons/cache/penetration/lesson.toml")),
            (Scenario::Breakdown, include_str!("../../../lessons/cache/breakdown/lesson.toml")),
            (Scenario::Avalanche, include_str!("../../../lessons/cache/avalanche/lesson.toml")),
            (Scenario::HotKey, include_str!("../../../lessons/cache/hot-key/lesson.toml")),
        ];
        for (scenario, lesson) in lessons {
            let Plan { traffic, stage: Stage { database, clock_ms, .. }, .. } = scenario.plan();
            let traffic = TrafficSettings { handler: TrafficSettings::default().handler, ..traffic };
            let line = |name: &str| {
                let found = lesson.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(" = \""));
                found.and_then(|rest| rest.strip_suffix('"')).unwrap_or_default()
            };
            let words: Vec<Bytes> =
                line("traffic").split(' ').map(|word| Bytes::copy_from_slice(word.as_bytes())).collect();
            assert_eq!(Some(traffic), TrafficSettings::from_words(&words), "{scenario:?}");
            let node = format!("db table service {} workers {}", database.service_ms, database.workers);
            assert!(lesson.contains(&node), "{scenario:?}: {node}");
            let clock = line("clock");
            assert_eq!(clock_ms, day(if clock.is_empty() { NOON } else { clock }).unwrap(), "{scenario:?}");
        }
    }
}
