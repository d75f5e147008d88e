//! Scripts and functions: `eval` runs them, `script` and `function` keep them, `function_list` tells of them.
mod eval;
mod function;
mod function_list;
mod script;

use bytes::Bytes;

use super::{Command, find};
use crate::{ClientId, Server};

pub(crate) use eval::script_flags;

pub(super) static COMMANDS: &[Command] = &[
    eval::EVAL,
    eval::EVAL_RO,
    eval::EVALSHA,
    eval::EVALSHA_RO,
    eval::FCALL,
    eval::FCALL_RO,
    function::FUNCTION,
    script::SCRIPT,
];

/// Can this call ask for a machine that runs scripts? A page loads it before it runs such a line, and before it
/// replays a session that has one. `EXEC` asks for it only where such a call was queued, which says so itself.
///
/// ```
/// use bytes::Bytes;
/// use redis_model::command::needs_machine;
/// assert!(needs_machine(&["EVAL", "return 1", "0"].map(Bytes::from)));
/// assert!(needs_machine(&["script", "load", "return 1"].map(Bytes::from)));
/// assert!(!needs_machine(&["SCRIPT", "FLUSH"].map(Bytes::from)));
/// ```
pub fn needs_machine(argv: &[Bytes]) -> bool {
    find(argv).is_ok_and(|row| {
        matches!(
            row.id(),
            ("", "eval" | "eval_ro" | "evalsha" | "evalsha_ro" | "fcall" | "fcall_ro")
                | ("script", "load")
                | ("function", "load" | "restore")
        )
    })
}

impl Server {
    /// Would this call of this client ask for a machine that runs scripts: itself, or as an `EXEC` by what is queued?
    pub fn needs_machine(&self, client: ClientId, argv: &[Bytes]) -> bool {
        let is_exec = argv.first().is_some_and(|name| name.eq_ignore_ascii_case(b"exec"));
        let queue = self.client(client).filter(|_| is_exec).and_then(|client| client.multi.as_ref());
        needs_machine(argv) || queue.is_some_and(|multi| multi.queue.iter().any(|argv| needs_machine(argv)))
    }
}
