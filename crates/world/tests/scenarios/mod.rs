//! The locks of the course in short, for tests and benches: programs, setup commands, properties and faults.
#![allow(dead_code, reason = "each program that includes this uses its part")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
use resp::split;
use world::{Act, ClientIndex, Faults, Input, Property};

/// No faults.
pub const NO_FAULTS: Faults = Faults::NONE;

/// A lesson in short.
pub struct Scenario {
    /// The program's file name in `crates/world/tests/scenarios/`.
    pub name: &'static str,
    /// The program of every client.
    pub program: &'static str,
    /// Number of clients.
    pub clients: ClientIndex,
    /// The setup command.
    pub before: &'static str,
    /// The watched property.
    pub property: &'static str,
    /// The allowed faults.
    pub faults: Faults,
    /// Length of the shortest schedule that breaks the property; `None`: there is none.
    pub shortest: Option<usize>,
}

impl Scenario {
    /// The inputs that create its world.
    pub fn inputs(&self) -> Vec<Input> {
        let words = |line: &str| split::split(line.as_bytes()).unwrap();
        let mut inputs = vec![
            Input::Connect { client: 99, name: "hand".into() },
            Input::Command { client: 99, argv: words(self.before) },
            Input::Watch { property: Property::from_words(&words(self.property)).unwrap() },
        ];
        for client in 0..self.clients {
            inputs.push(Input::Connect { client, name: format!("c{client}") });
            inputs.push(Input::Program { client, act: Act::load(self.program.into()) });
        }
        inputs
    }
}

const OVERSELL: (&str, &str) = ("oversell", include_str!("oversell.lua"));
const SETNX: (&str, &str) = ("setnx", include_str!("setnx.lua"));
const SETNX_EXPIRE: (&str, &str) = ("setnx-expire", include_str!("setnx-expire.lua"));
const SET_NX_EX: (&str, &str) = ("set-nx-ex", include_str!("set-nx-ex.lua"));
const CHECK_THEN_DEL: (&str, &str) = ("check-then-del", include_str!("check-then-del.lua"));
const LUA_RELEASE: (&str, &str) = ("lua-release", include_str!("lua-release.lua"));

/// All scenarios.
pub fn scenarios() -> Vec<Scenario> {
    let crash = Faults { crashes: 1, ..NO_FAULTS };
    let pause = Faults { pauses: 1, ..NO_FAULTS };
    let scenario = |(name, program), property, faults, shortest| Scenario {
        name,
        program,
        clients: 2,
        before: "PING",
        property,
        faults,
        shortest,
    };
    let sum = "sum end = 5 key stock tally sold";
    vec![
        Scenario { before: "SET stock 5", clients: 3, ..scenario(OVERSELL, sum, NO_FAULTS, Some(6)) },
        scenario(SETNX, "mutual-exclusion", NO_FAULTS, None),
        scenario(SETNX, "no-deadlock", NO_FAULTS, None),
        scenario(SETNX, "no-deadlock", crash, Some(2)),
        scenario(SETNX_EXPIRE, "no-deadlock", crash, Some(2)),
        scenario(SET_NX_EX, "mutual-exclusion", NO_FAULTS, Some(6)),
        scenario(SET_NX_EX, "only-owner-releases lock", NO_FAULTS, Some(9)),
        scenario(CHECK_THEN_DEL, "mutual-exclusion", NO_FAULTS, None),
        scenario(CHECK_THEN_DEL, "mutual-exclusion", pause, Some(8)),
        scenario(CHECK_THEN_DEL, "only-owner-releases lock", NO_FAULTS, None),
        scenario(CHECK_THEN_DEL, "only-owner-releases lock", pause, Some(12)),
        scenario(LUA_RELEASE, "mutual-exclusion", NO_FAULTS, Some(6)),
        scenario(LUA_RELEASE, "only-owner-releases lock", pause, None),
    ]
}

/// A scenario with a large space: the limits end the search.
pub fn large() -> Scenario {
    Scenario {
        name: CHECK_THEN_DEL.0,
        program: CHECK_THEN_DEL.1,
        clients: 4,
        before: "PING",
        property: "checks",
        faults: Faults { crashes: 1, pauses: 1, losses: 1, ..Faults::NONE },
        shortest: None,
    }
}
