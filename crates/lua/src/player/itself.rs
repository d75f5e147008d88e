//! `client.id` and `args`: what a program is told of itself before it begins.
//!
//! They are globals of its own and no names that all programs find, because each client has others. A program in two parts has them
//! twice, so that nothing that its functions do to theirs changes what the frame finds.
use super::cast::Shared;
use super::frame::CALLER;
use super::names::Names;
use crate::native;
use lua_types::{LuaError, LuaValue};
use lua_vm::api;
use lua_vm::state::LuaState;

/// Makes a function that takes the answer, assigns the names, and calls the program.
const TELL: &[u8] = b"local body, setmetatable, metatable, first, second = ... \
    local function tell(names, who) \
    local args = {} for place = 2, #who do args[place - 1] = who[place] end names.args = args \
    if who[1] then names.client = setmetatable({ id = who[1] }, metatable) end end \
    return function(who) tell(first, who) if second then tell(second, who) end return body() end";

/// What a thread runs that is to be told who it is before it runs this body. The globals are those of its parts.
pub fn tell_first(
    state: &mut LuaState,
    shared: &Shared,
    names: &Names,
    body: LuaValue,
    [first, second]: [LuaValue; 2],
) -> Result<LuaValue, LuaError> {
    shared.compile(state, TELL, CALLER)?;
    for value in [body, names.setmetatable(), names.client(), first, second] {
        native::push_value(state, value)?;
    }
    api::call_k(state, 5, 1, 0, None)?;
    Ok(native::value(state, -1))
}
