//! Scripts and functions: `eval` runs them, `script` and `function` manage them, `function_list` lists them.
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

/// Does this call need the Lua VM? The page loads the VM before it runs such a call or replays a session with one. For `EXEC` this is
/// false: a queued call that needs the VM was reported when it was queued.
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
    /// Does this call of this client need the Lua VM, either itself or, for `EXEC`, for a queued call?
    pub fn needs_machine(&self, client: ClientId, argv: &[Bytes]) -> bool {
        let is_exec = argv.first().is_some_and(|name| name.eq_ignore_ascii_case(b"exec"));
        let queue = self.client(client).filter(|_| is_exec).and_then(|client| client.multi.as_ref());
        needs_machine(argv) || queue.is_some_and(|multi| multi.queue.iter().any(|argv| needs_machine(argv)))
    }
}
