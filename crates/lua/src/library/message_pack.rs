//! `cmsgpack`: MessagePack, compatible with Redis' library.
mod pack;
mod unpack;

use super::add_rare;
use crate::native;
use lua_types::LuaError;
use lua_vm::state::LuaState;

pub fn install(state: &mut LuaState) -> Result<(), LuaError> {
    native::set_string(state, b"_NAME", b"cmsgpack")?;
    native::set_string(state, b"_VERSION", b"lua-cmsgpack 0.4.0")?;
    native::set_string(state, b"_COPYRIGHT", b"Copyright (C) 2012, Salvatore Sanfilippo")?;
    native::set_string(state, b"_DESCRIPTION", b"MessagePack C implementation for Lua")?;
    add_rare(state, "pack", pack::pack)?;
    add_rare(state, "unpack", unpack::unpack)?;
    add_rare(state, "unpack_one", unpack::unpack_one)?;
    add_rare(state, "unpack_limit", unpack::unpack_limit)
}
