//! The global tables of scripts and of libraries.
use crate::native;
use crate::redis::{self, Session};
use crate::{guard, library};
use bytes::Bytes;
use lua_types::{GcRef, LuaError, LuaTable, LuaValue};
use lua_vm::api;
use lua_vm::state::LuaState;
use std::rc::Rc;

/// The global variable with a script's keys.
pub const KEYS: &[u8] = b"KEYS";

/// The global variable with a script's arguments.
pub const ARGV: &[u8] = b"ARGV";

/// The global tables. The VM's registry references them, so they live as long as the VM.
pub struct Environment {
    /// The guarded globals of a script, its `_G`.
    pub script: LuaValue,
    /// The real table behind `script`.
    script_names: GcRef<LuaTable>,
    /// The same names without guards, for texts that only read.
    pub unguarded: GcRef<LuaTable>,
    /// The names for library functions, without guards.
    pub unguarded_running: GcRef<LuaTable>,
    /// The guarded globals of a library.
    pub library: LuaValue,
    /// The metatable of the guard `library`. Its names are switched after the library has been loaded.
    library_guard: LuaValue,
    /// The names of a library while it is loaded.
    pub loading_names: LuaValue,
    /// The names for the functions of a loaded library.
    pub running_names: LuaValue,
    /// The error handler, which adds the source position.
    pub handler: LuaValue,
    /// Native functions that exist before the first text runs.
    pub natives: usize,
    keys: List,
    args: List,
}

/// A list of strings: scripts read it as a global, library functions get it as an argument.
struct List {
    name: LuaValue,
    /// The table of the last run, reused if unchanged.
    table: GcRef<LuaTable>,
}

impl Environment {
    /// Builds both environments.
    pub fn new(state: &mut LuaState, session: &Rc<Session>) -> Result<Environment, LuaError> {
        let main = state.global().main_thread_id;
        let original = state.v51_thread_lgt(main);
        let handler = native::unbounded(state, super::failure::handle);
        let base = api::get_top(state);

        // The names shared by scripts and library functions: corrected first, then guarded one by one.
        native::push_value(state, original)?;
        library::put_right(state, session)?;
        api::set_top(state, base)?;

        let script_redis = redis::table(state, session, redis::Scope::Script)?;
        let running_redis = redis::table(state, session, redis::Scope::Function)?;
        let loading_redis = redis::table(state, session, redis::Scope::Loading)?;
        let missing = native::function(state, guard::missing);

        let mut names = |redis: LuaValue, all: bool| -> Result<(LuaValue, GcRef<LuaTable>), LuaError> {
            let real = native::new_table(state, 0, 48)?;
            if all {
                library::share(state, &original)?;
            }
            native::set_field(state, b"redis", redis)?;
            guard::guard(state, Some(missing))?;
            let guarded = native::value(state, -1);
            if all {
                real.raw_set(LuaValue::Str(state.intern_str(b"_G")?), guarded);
            }
            Ok((guarded, real))
        };
        let (script, script_names) = names(script_redis, true)?;
        let (library, running_names) = names(running_redis, true)?;
        let (_, loading_names) = names(loading_redis, false)?;
        script_names.raw_set(LuaValue::Str(state.intern_str(b"__redis__err__handler")?), handler);
        let unguarded = without_guards(state, &script_names)?;
        let unguarded_running = without_guards(state, &running_names)?;
        let library_guard = match library {
            LuaValue::Table(table) => table.metatable().map_or(LuaValue::Nil, LuaValue::Table),
            _ => LuaValue::Nil,
        };
        let (running_names, loading_names) = (LuaValue::Table(running_names), LuaValue::Table(loading_names));
        let mut list = |name: &[u8]| -> Result<List, LuaError> {
            Ok(List { name: LuaValue::Str(state.intern_str(name)?), table: native::new_table(state, 0, 0)? })
        };
        let (keys, args) = (list(KEYS)?, list(ARGV)?);
        for tables in [script_names, unguarded] {
            for list in [&keys, &args] {
                tables.raw_set(list.name, LuaValue::Table(list.table));
            }
        }
        let tables = [script_names, unguarded, unguarded_running].map(LuaValue::Table);
        for kept in tables.into_iter().chain([script, library, library_guard, loading_names, running_names, original]) {
            // These roots are never removed: they live as long as the machine.
            state.external_root_value(kept);
        }
        let status = redis::Status::new(state)?;
        session.status.get_or_init(|| status);
        api::set_top(state, base)?;
        let natives = state.global().c_functions.len();
        Ok(Environment {
            script,
            script_names,
            unguarded,
            unguarded_running,
            library,
            library_guard,
            loading_names,
            running_names,
            handler,
            natives,
            keys,
            args,
        })
    }

    /// Sets the keys and arguments of scripts, and returns their tables for library functions.
    pub fn set_lists(
        &mut self,
        state: &mut LuaState,
        keys: &[Bytes],
        args: &[Bytes],
    ) -> Result<[LuaValue; 2], LuaError> {
        for (list, items) in [(&mut self.keys, keys), (&mut self.args, args)] {
            // No reference survives its run, so the next run can reuse the table if it still has its original shape.
            if !is_list(&list.table, items.len()) {
                list.table = native::new_table(state, items.len(), 0)?;
                for names in [self.script_names, self.unguarded] {
                    native::push_value(state, LuaValue::Table(names))?;
                    native::push_value(state, list.name)?;
                    native::push_value(state, LuaValue::Table(list.table))?;
                    api::raw_set(state, -3)?;
                    state.pop();
                }
                state.pop();
            }
            for (number, item) in (1..).zip(items) {
                if matches!(list.table.get_int(number), LuaValue::Str(there) if there.as_bytes() == item.as_ref()) {
                    continue;
                }
                let item = LuaValue::Str(state.intern_str(item)?);
                list.table.try_raw_set_int(number, item)?;
                state.gc().table_barrier_back(&list.table, &item);
            }
        }
        Ok([&self.keys, &self.args].map(|list| LuaValue::Table(list.table)))
    }

    /// Switches the names that a library sees.
    pub fn exchange_names(&self, state: &mut LuaState, names: LuaValue) -> Result<(), LuaError> {
        native::push_value(state, self.library_guard)?;
        native::set_field(state, b"__index", names)?;
        native::set_field(state, guard::BEHIND, names)?;
        api::set_top(state, -2)
    }
}

/// Whether the table has the shape of a new list with this many items and no free space.
fn is_list(table: &GcRef<LuaTable>, items: usize) -> bool {
    let has_room = table.with_inner(|inner| {
        inner.node.is_empty()
            && inner.array.len() == items
            && usize::try_from(inner.alimit) == Ok(items)
            && inner.flags.is_real_asize()
    });
    has_room && !table.has_metatable() && table.weak_mode() == 0
}

/// A copy of the names with each guarded table replaced by the real one.
fn without_guards(state: &mut LuaState, names: &GcRef<LuaTable>) -> Result<GcRef<LuaTable>, LuaError> {
    let unguarded = native::new_table(state, 0, 48)?;
    names.for_each_entry(|&name, &value| {
        let behind = match value {
            LuaValue::Table(table) => guard::behind(&table).map(LuaValue::Table),
            _ => None,
        };
        unguarded.raw_set(name, behind.unwrap_or(value));
    });
    // Unknown names still raise an error.
    unguarded.set_metatable(names.metatable());
    Ok(unguarded)
}
