//! The Lua machine with limits so small that thousands of scripts run per second.
use bytes::Bytes;
use lua_machine::{LuaMachine, LuaPlayer};
use redis_model::ScriptEngine;
use script::program::Programs;
use script::{Engine, Host, Job, Limits, Ran, ScriptOutcome};
use world::Engines;

/// The limits of a script.
const LIMITS: Limits = Limits { instructions: 100_000, memory_bytes: 4 << 20 };

/// A machine with small limits.
#[derive(Default)]
pub struct Bounded {
    machine: LuaMachine,
}

impl Engine for Bounded {
    fn compile(&mut self, text: &Bytes) -> Result<(), Bytes> {
        self.machine.compile(text)
    }

    fn run(&mut self, job: &Job, host: &mut dyn Host) -> Ran {
        let limits = Limits {
            instructions: job.limits.instructions.min(LIMITS.instructions),
            memory_bytes: job.limits.memory_bytes.min(LIMITS.memory_bytes),
        };
        let ran = self.machine.run(&Job { limits, ..job.clone() }, host);
        assert!(ran.instructions <= limits.instructions, "{} instructions, past the budget", ran.instructions);
        assert!(ran.outcome != ScriptOutcome::Broken, "the machine broke down");
        ran
    }
}

thread_local! {
    /// Shared, because creating a machine takes longer than most inputs.
    static MACHINE: ScriptEngine = ScriptEngine::new(Bounded::default());
}

/// The machine of all inputs.
pub fn scripts() -> ScriptEngine {
    MACHINE.with(ScriptEngine::clone)
}

/// The same, with a player of programs.
pub fn engines(player: LuaPlayer) -> Engines {
    Engines { scripts: scripts(), programs: Programs::new(player), ..Engines::default() }
}
