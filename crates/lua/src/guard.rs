//! Tables that scripts may read and not write, as Redis makes its globals and libraries.
//!
//! Redis' Lua has a flag on tables for this; here a script gets an empty table whose metatable reads from the real one
//! and refuses to be written. `pairs`, `next`, `rawget` and the like would show the difference: they look through it.
use crate::native::{self, Returns};
use lua_types::{GcRef, LuaError, LuaTable, LuaValue};
use lua_vm::api;
use lua_vm::state::LuaState;

/// The metatable's field that holds the real table.
pub const BEHIND: &[u8] = b"\0behind";

/// The refusal.
const READONLY: &str = "Attempt to modify a readonly table";

/// Why there is no going through a table.
const UNORDERED: &str = "cannot go through a table with tables or functions as keys: their order would be another one each time \
                         (use numbers or strings as keys)";

/// The real table, if this is a guarded one.
pub fn behind(table: &GcRef<LuaTable>) -> Option<GcRef<LuaTable>> {
    match native::field(&table.metatable()?, BEHIND) {
        LuaValue::Table(real) => Some(real),
        _ => None,
    }
}

/// Puts a guard in the place of the table on top of the stack. `missing`, if there is one, is called for names that are
/// not in the table; else they are nil.
pub fn guard(state: &mut LuaState, missing: Option<LuaValue>) -> Result<(), LuaError> {
    let real = native::value(state, -1);
    native::push_table(state, 0, 0)?;
    native::push_table(state, 0, 4)?;
    native::set_field(state, BEHIND, real)?;
    native::set_field(state, b"__index", real)?;
    let refuse = native::function(state, |state| native::fail(state, READONLY));
    native::set_field(state, b"__newindex", refuse)?;
    if let Some(missing) = missing {
        // The real table asks further, so that what is there costs one look.
        native::push_table(state, 0, 1)?;
        native::set_field(state, b"__index", missing)?;
        api::set_metatable(state, -4)?;
    }
    api::set_metatable(state, -2)?;
    // Guard over real table: leave the guard.
    api::rotate(state, -2, 1);
    api::set_top(state, -2)
}

/// Puts functions that look through guards in the place of those that would not, in the globals on top of the stack.
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
        // A guarded table looks empty, so that there is nothing to remove or to sort.
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

/// A function that refuses a guarded table as its first argument, and does what `function` does otherwise.
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

/// Puts the real table in the place of a guarded first argument.
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
            // It has come since the beginning, or is the only one.
            in_order(state, &table)?;
        }
        return Ok(2);
    }
    state.push(LuaValue::Nil);
    Ok(1)
}

/// Refuses to go through a table in an order that no one could repeat: the machine keeps tables,
/// functions and coroutines that are keys where their addresses lead it, and other keys make way for them. An only entry has no
/// order.
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

/// Is it a key whose place in a table is up to its address?
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
    // Of a guarded table it is the metatable of the table behind: nothing, or what knows of missing names.
    if let LuaValue::Table(table) = native::value(state, 1)
        && let Some(real) = behind(&table)
    {
        match real.metatable() {
            None => state.push(LuaValue::Nil),
            // A copy: what a script does to it changes nothing.
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

/// Refuses a name that is not there.
pub fn missing(state: &mut LuaState) -> Returns {
    let name = native::string(state, 2).map(|name| name.as_bytes().to_vec()).unwrap_or_default();
    native::fail(state, [b"Script attempted to access nonexistent global variable '", name.as_slice(), b"'"].concat())
}
