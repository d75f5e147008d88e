//! `cjson`.
mod decode;
mod encode;
mod settings;

use super::add_rare;
use crate::native;
use lua_types::{LuaError, LuaValue};
use lua_vm::state::LuaState;
use std::cell::Cell;
use std::rc::Rc;

pub use settings::Settings;

pub fn install(state: &mut LuaState, settings: &Rc<Cell<Settings>>) -> Result<(), LuaError> {
    native::set_string(state, b"_NAME", b"cjson")?;
    native::set_string(state, b"_VERSION", b"2.1.0")?;
    native::set_field(state, b"null", null())?;
    let shared = Rc::clone(settings);
    add_rare(state, "encode", move |state| encode::encode(state, shared.get()))?;
    let shared = Rc::clone(settings);
    add_rare(state, "decode", move |state| decode::decode(state, shared.get()))?;
    settings::install(state, settings)?;
    let LuaValue::Table(library) = native::value(state, -1) else { return Ok(()) };
    // The table that `new` returns shares its settings with the library.
    add_rare(state, "new", move |state| {
        native::push_table(state, 0, 16)?;
        let mut key = LuaValue::Nil;
        while let Ok(Some((next, value))) = library.try_next_pair(&key) {
            key = next;
            native::push_value(state, key)?;
            native::push_value(state, value)?;
            lua_vm::api::raw_set(state, -3)?;
        }
        Ok(1)
    })
}

/// `cjson.null`: a pointer to nothing.
pub const fn null() -> LuaValue {
    LuaValue::LightUserData(std::ptr::null_mut())
}
