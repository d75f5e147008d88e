//! Read-only tables for scripts, like the globals and libraries of Redis.
//!
//! Redis' Lua marks read-only tables with a flag. Here a script gets an empty table whose metatable reads from the real one
//! and rejects writes. `pairs`, `next`, `rawget` and similar functions are replaced by versions that read the real table.
use crate::native::{self, Returns};
use lua_types::{GcRef, LuaError, LuaTable, LuaValue};
use lua_vm::api;
use lua_vm::state::LuaState;

/// The metatable's field that holds the real table.
pub const BEHIND: &[u8] = b"\0behind";

/// The error for a write to a guarded table, as in Redis.
const READONLY: &str = "Attempt to modify a readonly table";

/// The error of `pairs` and `next` for a table whose order depends on memory addresses.
const UNORDERED: &str = "cannot go through a table with tables or functions as keys: their order would be another one each time \
                         (use numbers or strings as keys)";

/// The real table, if this is a guarded one.
pub fn behind(table: &GcRef<LuaTable>) -> Option<GcRef<LuaTable>> {
    match native::field(&table.metatable()?, BEHIND) {
        LuaValue::Table(real) => Some(real),
        _ => None,
    }
}

/// Replaces the table on top of the stack by a guard of it. `missing`, if given, is called for names that are
/// not in the table; without it they are nil.
pub fn guard(state: &mut LuaState, missing: Option<LuaValue>) -> Result<(), LuaError> {
    let real = native::value(state, -1);
    native::push_table(state, 0, 0)?;
    native::push_table(state, 0, 4)?;
    native::set_field(state, BEHIND, real)?;
    native::set_field(state, b"__index", real)?;
    let refuse = native::function(state, |state| native::fail(state, READONLY));
    native::set_field(state, b"__newindex", refuse)?;
    if let Some(missing) = missing {
        // The real table's own metatable handles missing names, so an existing name costs one lookup.
        native::push_table(state, 0, 1)?;
        native::set_field(state, b"__index", missing)?;
        api::set_metatable(state, -4)?;
    }
    api::set_metatable(state, -2)?;
    // Guard over real table: leave the guard.
    api::rotate(state, -2, 1);
    api::set_top(state, -2)
}

/// Replaces functions in the globals on top of the stack by versions that read through guards.
pub fn look_through(state: &mut LuaState) -> Result<(), LuaError> {
    let globals = native::value(state, -1);
    let LuaValue::Table(globals) = globals else { return Ok(()) };
    let next = native::function(state, next);
    let functions = [
        (b"next".as_slice(), next),
        (b"pairs", native::function(state, move |state| pairs(state, next))),
        (b"rawget", native::function(state, raw_get)),
        (b"rawset", native::function(state, raw_set)),
        (b"getmetatable", native::function(state, get_metatable)),
        (b"setmetatable", native::function(state, set_metatable)),
    ];
    for (name, function) in functions {
        native::set_field(state, name, function)?;
    }
    if let LuaValue::Table(table) = native::field(&globals, b"table") {
        native::push_value(state, LuaValue::Table(table))?;
        // A guarded table looks empty, so there is nothing to remove or to sort.
        let function = refusing(state, &native::field(&table, b"insert"));
        native::set_field(state, b"insert", function)?;
        let original = crate::library::native_of(state, &native::field(&table, b"foreach"));
        let foreach = native::function(state, move |state| {
            if let LuaValue::Table(table) = native::value(state, 1) {
                in_order(state, &table)?;
            }
            original.call(state)
        });
        native::set_field(state, b"foreach", foreach)?;
        api::set_top(state, -2)?;
    }
    Ok(())
}

/// Wraps `function` so that it rejects a guarded table as its first argument.
fn refusing(state: &LuaState, function: &LuaValue) -> LuaValue {
    let original = crate::library::native_of(state, function);
    native::function(state, move |state| {
        if let LuaValue::Table(table) = native::value(state, 1)
            && behind(&table).is_some()
        {
            return Err(native::raw(READONLY));
        }
        original.call(state)
    })
}

/// Replaces a guarded first argument by the real table.
fn see_through(state: &mut LuaState) -> Result<(), LuaError> {
    let table = native::table(state, 1)?;
    if let Some(real) = behind(&table) {
        state.push(LuaValue::Table(real));
        api::copy(state, -1, 1);
        state.pop();
    }
    Ok(())
}

fn next(state: &mut LuaState) -> Returns {
    see_through(state)?;
    api::set_top(state, 2)?;
    native::room(state, 2)?;
    let table = native::table(state, 1)?;
    if native::value(state, 2).is_nil() {
        in_order(state, &table)?;
    }
    if api::next(state, 1)? {
        if follows_address(&native::value(state, -2)) {
            // The entry was added after the iteration began, or it is the only one.
            in_order(state, &table)?;
        }
        return Ok(2);
    }
    state.push(LuaValue::Nil);
    Ok(1)
}

/// Refuses to iterate over a table whose order is not reproducible: the VM hashes keys that are tables, functions or
/// coroutines by address, and their collisions move other keys. A table with a single entry is allowed.
pub fn in_order(state: &mut LuaState, table: &GcRef<LuaTable>) -> Result<(), LuaError> {
    const NODES_A_STEP: usize = 16;
    let (nodes, is_out_of_order) = table.with_inner(|inner| {
        let is_out_of_order = inner.node.iter().any(|node| follows_address(&node.key))
            && inner.node.iter().map(|node| &node.value).chain(&inner.array).filter(|value| !value.is_nil()).count()
                > 1;
        (inner.node.len(), is_out_of_order)
    });
    native::charge(state, nodes / NODES_A_STEP)?;
    if is_out_of_order {
        return native::fail(state, UNORDERED);
    }
    Ok(())
}

/// Whether the key's position in a table depends on its address.
fn follows_address(key: &LuaValue) -> bool {
    matches!(key, LuaValue::Table(_) | LuaValue::Function(_) | LuaValue::Thread(_) | LuaValue::UserData(_))
}

fn pairs(state: &mut LuaState, next: LuaValue) -> Returns {
    let table = native::table(state, 1)?;
    in_order(state, &table)?;
    native::push_value(state, next)?;
    native::push_value(state, LuaValue::Table(table))?;
    native::push_value(state, LuaValue::Nil)?;
    Ok(3)
}

fn raw_get(state: &mut LuaState) -> Returns {
    native::table(state, 1)?;
    if native::is_none(state, 2) {
        return native::bad_argument(state, 2, "value expected");
    }
    see_through(state)?;
    api::set_top(state, 2)?;
    api::raw_get(state, 1);
    Ok(1)
}

fn raw_set(state: &mut LuaState) -> Returns {
    let table = native::table(state, 1)?;
    for number in [2, 3] {
        if native::is_none(state, number) {
            return native::bad_argument(state, number, "value expected");
        }
    }
    if behind(&table).is_some() {
        return Err(native::raw(READONLY));
    }
    api::set_top(state, 3)?;
    api::raw_set(state, 1)?;
    Ok(1)
}

fn set_metatable(state: &mut LuaState) -> Returns {
    let table = native::table(state, 1)?;
    let metatable = native::value(state, 2);
    if native::is_none(state, 2) || !matches!(metatable, LuaValue::Nil | LuaValue::Table(_)) {
        return native::bad_argument(state, 2, "nil or table expected");
    }
    if behind(&table).is_some() {
        return Err(native::raw(READONLY));
    }
    if table.metatable().is_some_and(|now| !native::field(&now, b"__metatable").is_nil()) {
        return native::fail(state, "cannot change a protected metatable");
    }
    api::set_top(state, 2)?;
    api::set_metatable(state, 1)?;
    Ok(1)
}

fn get_metatable(state: &mut LuaState) -> Returns {
    if native::is_none(state, 1) {
        return native::bad_argument(state, 1, "value expected");
    }
    native::room(state, 2)?;
    // For a guarded table, this is the metatable of the real table: none, or the one that handles missing names.
    if let LuaValue::Table(table) = native::value(state, 1)
        && let Some(real) = behind(&table)
    {
        match real.metatable() {
            None => state.push(LuaValue::Nil),
            // A copy, so scripts cannot change the original.
            Some(metatable) => {
                let missing = native::field(&metatable, b"__index");
                native::push_table(state, 0, 1)?;
                native::set_field(state, b"__index", missing)?;
            }
        }
        return Ok(1);
    }
    if !api::get_metatable(state, 1) {
        state.push(LuaValue::Nil);
        return Ok(1);
    }
    if let LuaValue::Table(metatable) = native::value(state, -1) {
        let protected = native::field(&metatable, b"__metatable");
        if !protected.is_nil() {
            state.push(protected);
        }
    }
    Ok(1)
}

/// Raises an error for a name that does not exist.
pub fn missing(state: &mut LuaState) -> Returns {
    let name = native::string(state, 2).map(|name| name.as_bytes().to_vec()).unwrap_or_default();
    native::fail(state, [b"Script attempted to access nonexistent global variable '", name.as_slice(), b"'"].concat())
}
