//! The Lua machine with bounds so small that thousands of scripts run in a second.
use bytes::Bytes;
use lua_machine::LuaMachine;
use script::{Engine, Host, Job, Limits, Outcome, Ran};

/// What a script may take.
const LIMITS: Limits = Limits { instructions: 100_000, memory_bytes: 4 << 20 };

/// A machine that gives up early.
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
        assert!(ran.outcome != Outcome::Broken, "the machine broke down");
        ran
    }
}

/// Makes sure that this thread has a machine.
pub fn install() {
    if !script::installed() {
        script::install(Box::new(Bounded::default()));
    }
}
