//! The table of a status reply, such as `{ok = "OK"}`, which most write commands return.
use crate::native;
use lua_types::{GcRef, LuaError, LuaString, LuaTable, LuaValue};
use lua_vm::state::LuaState;
use std::cell::Cell;

/// A table that is reused from run to run: no reference survives a run, so the first status reply of the next run can use the
/// same table.
pub struct Status {
    table: GcRef<LuaTable>,
    /// The name of its only field, `ok`.
    name: GcRef<LuaString>,
    /// Whether this run has not used it yet.
    pub is_free: Cell<bool>,
}

impl Status {
    /// Creates the table, which lives as long as the machine.
    pub fn new(state: &mut LuaState) -> Result<Status, LuaError> {
        let table = native::new_table(state, 0, 1)?;
        native::set_string(state, b"ok", b"OK")?;
        state.external_root_value(LuaValue::Table(table));
        state.pop();
        let name = state.intern_str(b"ok")?;
        Ok(Status { table, name, is_free: Cell::new(false) })
    }

    /// Pushes it with this text, unless this run has already used it or a script has changed it.
    pub fn push(&self, state: &mut LuaState, text: &[u8]) -> Result<bool, LuaError> {
        if !self.is_free.replace(false) || !self.is_as_made() {
            return Ok(false);
        }
        let text = LuaValue::Str(state.intern_str(text)?);
        if self.table.try_update_short_str(&self.name, text).is_err() {
            return Ok(false);
        }
        state.gc().table_barrier_back(&self.table, &text);
        native::push_value(state, LuaValue::Table(self.table))?;
        Ok(true)
    }

    /// Whether it has only this field, and no space for another.
    fn is_as_made(&self) -> bool {
        let is_alone = self.table.with_inner(|inner| match &*inner.node {
            [only] => {
                inner.array.is_empty()
                    && !only.dead
                    && matches!(&only.key, LuaValue::Str(key) if GcRef::ptr_eq(key, &self.name))
            }
            _ => false,
        });
        is_alone && !self.table.has_metatable() && self.table.weak_mode() == 0
    }
}
