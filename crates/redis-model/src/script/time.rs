//! How long a script takes on the server's clock.
use ::script::Limits;

/// How the time of scripts is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScriptTime {
    /// It is not: a script takes no time, or it never ends. Sessions from before scripts took time go on like this.
    Uncounted,
    /// By what they do. A script whose end lies in the future is busy until then.
    Virtual {
        /// Instructions in a millisecond of the server's clock, commands counted among them ([`CALL_COST`]).
        per_ms: u64,
        /// Instructions after which a script counts as one that never ends.
        bound: u64,
    },
    /// By the wall clock. The script machine pauses a script now and then, and [`crate::Server::go_on`] is to be called until it
    /// has ended.
    Real,
}

/// Instructions of a script that take a millisecond, unless a session says otherwise.
pub const INSTRUCTIONS_PER_MS: u64 = 100_000;

/// What a command counts beyond what the machine charges for the call, in instructions; what it looks at counts besides. A `SET`
/// takes 1.5 µs on a real server.
pub const CALL_COST: u64 = 100;

/// What each name counts that `KEYS` compares with its pattern, in instructions: 0.3 µs.
pub(super) const NAME_COST: u64 = 30;

/// Instructions after which a script never ends.
pub const INSTRUCTIONS_MAX: u64 = 1_000_000_000;

/// What the commands of a script whose time is not counted may do together.
const UNCOUNTED_WORK: u64 = 20_000_000;

impl Default for ScriptTime {
    fn default() -> ScriptTime {
        ScriptTime::Virtual { per_ms: INSTRUCTIONS_PER_MS, bound: INSTRUCTIONS_MAX }
    }
}

impl ScriptTime {
    /// When the machine gives up.
    pub(super) const fn limits(self) -> Limits {
        let usual = Limits::USUAL;
        match self {
            ScriptTime::Uncounted => usual,
            ScriptTime::Virtual { bound, .. } => Limits { instructions: bound, ..usual },
            ScriptTime::Real => Limits { instructions: u64::MAX, ..usual },
        }
    }

    /// What the commands of a script may do together, in elements touched; past it the script is one that never ends.
    pub(super) const fn work_max(self) -> u64 {
        match self {
            ScriptTime::Uncounted => UNCOUNTED_WORK,
            ScriptTime::Virtual { bound, .. } => bound,
            ScriptTime::Real => u64::MAX,
        }
    }

    /// How long this many instructions take, in whole milliseconds.
    pub(super) const fn ms_of(self, instructions: u64) -> u64 {
        match self {
            ScriptTime::Virtual { per_ms, .. } if per_ms > 0 => instructions / per_ms,
            _ => 0,
        }
    }

    /// Is what a script changed seen only when its time is over?
    pub(super) const fn is_virtual(self) -> bool {
        matches!(self, ScriptTime::Virtual { .. })
    }
}
