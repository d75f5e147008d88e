//! `client.id` and `args`, which are set before a program begins.
//!
//! They are globals of each program, not shared names, because their values differ by client. A program in two parts has them
//! twice, so that its functions cannot change what the frame sees.
use super::frame::CALLER;
use super::names::Names;
use super::snapshot::Shared;
use crate::native;
use lua_types::{LuaError, LuaValue};
use lua_vm::api;
use lua_vm::state::LuaState;

/// Lua code for a function that takes the answer, assigns the names, and calls the program.
const INTRODUCE: &[u8] = b"local body, setmetatable, metatable, first, second = ... \
    local function tell(names, who) \
    local args = {} for place = 2, #who do args[place - 1] = who[place] end names.args = args \
    if who[1] then names.client = setmetatable({ id = who[1] }, metatable) end end \
    return function(who) tell(first, who) if second then tell(second, who) end return body() end";

/// Wraps `body` so that the thread first asks for its `client.id` and `args`. The globals are those of the program's parts.
pub fn introduce_first(
    state: &mut LuaState,
    shared: &Shared,
    names: &Names,
    body: LuaValue,
    [first, second]: [LuaValue; 2],
) -> Result<LuaValue, LuaError> {
    shared.compile(state, INTRODUCE, CALLER)?;
    for value in [body, names.setmetatable(), names.client(), first, second] {
        native::push_value(state, value)?;
    }
    api::call_k(state, 5, 1, 0, None)?;
    Ok(native::value(state, -1))
}
