//! Programs in two parts: functions, and the frame that calls them.
//!
//! ```text
//!   function acquire() … end        functions    their own globals, without the functions that only a frame may call (`FRAME_ONLY`)
//!   function release() … end
//!   ---- frame ----
//!   acquire()                       frame        looks up its own names first, then the names that the functions have
//!   enter('checkout')                            assigned to
//! ```
//!
//! Each part is compiled separately, so neither can end or begin in the middle of the other. Each has its own globals, so
//! functions cannot change what the frame does. Libraries are guarded, and no function can access the globals of another.
use super::itself;
use super::names::Names;
use super::snapshot::{Shared, join};
use super::vm::CHUNK;
use crate::native;
use lua_types::{LuaError, LuaValue};
use lua_vm::api;
use lua_vm::state::LuaState;
use script::program::FRAME_MARK;

/// The chunk name of the code that calls the two parts. It does not belong to the program and is not shown.
pub const CALLER: &[u8] = b"=(parts)";

/// Runs the functions' part for its definitions, then the frame.
const CALL_BOTH: &[u8] = b"local functions, frame = ... return function() functions() return frame() end";

/// The two parts of a program's text.
pub struct Parts<'a> {
    /// Functions.
    functions: &'a [u8],
    /// The frame, below the line between the two.
    frame: &'a [u8],
    /// The line number of the mark between them, from 1.
    pub line: u32,
}

impl<'a> Parts<'a> {
    /// The parts of a text; `None` if it has only one.
    pub fn of(text: &'a [u8]) -> Option<Parts<'a>> {
        let mut start = 0_usize;
        let mut found = None;
        for (number, line) in (1..).zip(text.split_inclusive(|byte| *byte == b'\n')) {
            let end = start.saturating_add(line.len());
            if line.trim_ascii() == FRAME_MARK.as_bytes() {
                found = Some((start, end, number));
            }
            start = end;
        }
        let (start, end, line) = found?;
        Some(Parts { functions: text.get(..start)?, frame: text.get(end..)?, line })
    }
}

/// Creates the program's first thread from the two parts; with `asks`, `client.id` and `args` are set before it begins.
pub fn begin(
    state: &mut LuaState,
    shared: &Shared,
    names: Names,
    parts: &Parts<'_>,
    asks: bool,
) -> Result<(), LuaError> {
    let main = state.global().main_thread_id;
    let above = names.push_globals_above_frame(state)?;
    let frame_globals = names.push_globals_of_frame(state, above)?;
    // A chunk gets the globals that its thread has at compile time.
    state.v51_set_thread_lgt(main, frame_globals);
    let lines = usize::try_from(parts.line).unwrap_or_default();
    let frame = [&vec![b'\n'; lines], parts.frame].concat();
    shared.compile(state, &frame, CHUNK)?;
    let frame = native::value(state, -1);
    state.v51_set_thread_lgt(main, above);
    shared.compile(state, parts.functions, CHUNK)?;
    let functions = native::value(state, -1);
    shared.compile(state, CALL_BOTH, CALLER)?;
    for part in [functions, frame] {
        native::push_value(state, part)?;
    }
    api::call_k(state, 2, 1, 0, None)?;
    let mut body: LuaValue = native::value(state, -1);
    shared.number(state, body, &[functions, frame]);
    if asks {
        let both = body;
        body = itself::introduce_first(state, shared, &names, both, [above, frame_globals])?;
        shared.number(state, body, &[both, functions, frame]);
    }
    join(state, shared, body)
}
