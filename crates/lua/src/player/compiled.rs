//! Cache of compiled texts: a program that is played again from its beginning is not compiled again.
use super::Bytes;
use crate::{library, native};
use lua_types::{LuaClosure, LuaError, LuaValue};
use lua_vm::state::{ExternalRootKey, LuaState};

/// Texts in the cache: those of a few programs and their starter code.
const TEXTS_MAX: usize = 16;

/// Functions by their texts, oldest first.
#[derive(Default)]
pub struct Compiled(Vec<Entry>);

struct Entry {
    text: Bytes,
    name: &'static [u8],
    function: LuaValue,
    /// The root that keeps it alive.
    root: ExternalRootKey,
}

impl Compiled {
    /// Pushes the function of a text. Its globals are the current globals of the main thread.
    pub fn push(&mut self, state: &mut LuaState, text: &[u8], name: &'static [u8]) -> Result<(), LuaError> {
        let known = self.0.iter().find(|entry| entry.name == name && entry.text.as_ref() == text);
        if let Some(LuaValue::Function(LuaClosure::Lua(known))) = known.map(|entry| entry.function) {
            native::room(state, 1)?;
            // The function of a text has at most one upvalue, its globals.
            let function = state.new_lclosure(known.proto, known.upvals.len());
            if !known.upvals.is_empty() {
                let globals = state.v51_thread_lgt(state.global().main_thread_id);
                let upvalue = state.new_upval_closed(globals);
                function.set_upval(0, upvalue);
                state.gc().obj_barrier(&function, &upvalue);
            }
            state.push(LuaValue::Function(LuaClosure::Lua(function)));
            return Ok(());
        }
        library::compile(state, text, name)?;
        let function = native::value(state, -1);
        if self.0.len() >= TEXTS_MAX {
            state.external_unroot_value(self.0.remove(0).root);
        }
        let root = state.external_root_value(function);
        self.0.push(Entry { text: Bytes::copy_from_slice(text), name, function, root });
        Ok(())
    }
}
