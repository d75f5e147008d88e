//! `ScriptTime`: how long a script takes on the server's clock.
use ::script::Limits;

/// How the time of scripts is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScriptTime {
    /// Not counted: a script takes no time, or it never ends. Sessions from before scripts took time replay like this.
    Uncounted,
    /// By instructions. A script whose end lies in the future keeps the server busy until then.
    Virtual {
        /// Instructions per millisecond of the server's clock, including those charged for commands ([`CALL_COST`]).
        per_ms: u64,
        /// Instructions after which a script counts as one that never ends.
        bound: u64,
    },
    /// By the wall clock. The script VM pauses a script now and then; call [`crate::Server::go_on`] until it
    /// has ended.
    Real,
}

/// Instructions per millisecond, unless a session sets another rate.
pub const INSTRUCTIONS_PER_MS: u64 = 100_000;

/// Instructions charged for a command, in addition to those the VM charges for the call and those for the elements it touches. A
/// `SET` takes 1.5 µs on a real server.
pub const CALL_COST: u64 = 100;

/// Instructions charged for each name that `KEYS` compares with its pattern: 0.3 µs.
pub(super) const NAME_COST: u64 = 30;

/// Instructions after which a script counts as one that never ends.
pub const INSTRUCTIONS_MAX: u64 = 1_000_000_000;

/// Work that all commands of a script without counted time may do together, in elements touched.
const UNCOUNTED_WORK: u64 = 20_000_000;

impl Default for ScriptTime {
    fn default() -> ScriptTime {
        ScriptTime::Virtual { per_ms: INSTRUCTIONS_PER_MS, bound: INSTRUCTIONS_MAX }
    }
}

impl ScriptTime {
    /// The limits at which the VM stops a script.
    pub(super) const fn limits(self) -> Limits {
        let usual = Limits::USUAL;
        match self {
            ScriptTime::Uncounted => usual,
            ScriptTime::Virtual { bound, .. } => Limits { instructions: bound, ..usual },
            ScriptTime::Real => Limits { instructions: u64::MAX, ..usual },
        }
    }

    /// Work that all commands of a script may do together, in elements touched; past it the script counts as one that never ends.
    pub(super) const fn work_max(self) -> u64 {
        match self {
            ScriptTime::Uncounted => UNCOUNTED_WORK,
            ScriptTime::Virtual { bound, .. } => bound,
            ScriptTime::Real => u64::MAX,
        }
    }

    /// The duration of this many instructions, in whole milliseconds.
    pub(super) const fn ms_of(self, instructions: u64) -> u64 {
        match self {
            ScriptTime::Virtual { per_ms, .. } if per_ms > 0 => instructions / per_ms,
            _ => 0,
        }
    }

    /// Do a script's changes become visible only when its time is over?
    pub(super) const fn is_virtual(self) -> bool {
        matches!(self, ScriptTime::Virtual { .. })
    }
}
