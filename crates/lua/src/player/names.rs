//! The global names of programs, the advice about unknown names, and the differences from plain Lua.
//!
//! Every program may assign to any name: `function acquire() … end` does, and it is what people write. Reading one that
//! was never assigned is an error, so that a typo is reported in its own line and not as a nil some lines later.
use super::snapshot::Shared;
use super::{look, requests};
use crate::guard::{self, guard};
use crate::library;
use crate::native::{self, Returns};
use bytes::Bytes;
use lua_types::{GcRef, LuaError, LuaTable, LuaValue};
use lua_vm::api;
use lua_vm::state::LuaState;
use script::program::FRAME_ONLY;
use std::rc::Rc;

/// Most assigned names that are remembered; a remembered name may be read after its variable became nil.
const ASSIGNED_MAX: usize = 1_000;

/// Names that do not exist here, with their alternatives.
const ABSENT: [(&[u8], &str); 16] = [
    (b"os", "now() tells the time in ms, sleep(ms) waits"),
    (b"io", "note(text) shows a text beside the program"),
    (b"KEYS", "a program is not a script: it passes its keys to redis.call itself"),
    (b"ARGV", "a program is not a script: its arguments are in args"),
    (b"client", BY_NAME),
    (b"args", BY_NAME),
    (b"call", "did you mean 'redis.call'?"),
    (b"time", "now() tells the time in ms"),
    (b"wait", "sleep(ms) waits, wait_message(ms) waits for a message"),
    (b"require", NO_FILES),
    (b"dofile", NO_FILES),
    (b"loadfile", NO_FILES),
    (b"module", NO_FILES),
    (b"package", NO_FILES),
    (b"null", "nothing is nil in Lua"),
    (b"None", "nothing is nil in Lua"),
];

const BY_NAME: &str = "only a program whose own text has this name is told";

const NO_FILES: &str = "a program is this one text";

/// The tables that all programs of a machine share.
#[derive(Clone, Copy)]
pub struct Names {
    /// The metatable of a program's globals; it looks names up in the shared names.
    metatable: LuaValue,
    /// The metatable of the globals of functions above a frame; it looks names up in those allowed there.
    above_frame: LuaValue,
    /// All shared names, which are copied into the globals of a frame.
    all: LuaValue,
    /// The function called at the first assignment to a name.
    assign: LuaValue,
    /// The metatable of `client`, which handles unknown fields.
    client: LuaValue,
    /// The iterator that every call of `ipairs` returns.
    iterator: LuaValue,
}

impl Names {
    /// Creates them from the VM's globals with the corrected libraries.
    pub fn new(state: &mut LuaState, globals: &LuaValue, shared: &Rc<Shared>) -> Result<Names, LuaError> {
        adapt(state, globals, shared)?;
        let base = api::get_top(state);
        let all = push_names(state, globals, shared)?;
        let assign = {
            let shared = Rc::clone(shared);
            native::function(state, move |state| assign(state, &shared))
        };
        let metatable = push_metatable(state, all, assign)?;
        let functions = push_names(state, globals, shared)?;
        for name in FRAME_ONLY {
            native::push_value(state, functions)?;
            native::set_field(state, name.as_bytes(), LuaValue::Nil)?;
        }
        let above_frame = push_metatable(state, functions, assign)?;
        let client = push_metatable_of_client(state)?;
        native::push_value(state, field(globals, "ipairs"))?;
        native::push_table(state, 0, 0)?;
        api::call_k(state, 1, 1, 0, None)?;
        let iterator = native::value(state, -1);
        for kept in [metatable, above_frame, all, assign, client, iterator] {
            // These roots are never removed: they live as long as the machine.
            state.external_root_value(kept);
        }
        api::set_top(state, base)?;
        Ok(Names { metatable, above_frame, all, assign, client, iterator })
    }

    /// The values that all programs of a machine share.
    pub const fn roots(&self) -> [LuaValue; 6] {
        [self.metatable, self.above_frame, self.all, self.assign, self.client, self.iterator]
    }

    /// The metatable of `client`.
    pub const fn client(&self) -> LuaValue {
        self.client
    }

    /// `setmetatable` as a Lua value.
    pub fn setmetatable(&self) -> LuaValue {
        real(&self.all).map_or(LuaValue::Nil, |all| native::field(&all, b"setmetatable"))
    }

    /// Pushes fresh globals for a program.
    pub fn push_globals(&self, state: &mut LuaState) -> Result<LuaValue, LuaError> {
        push_globals(state, self.metatable)
    }

    /// Pushes the globals of the functions above a frame.
    pub fn push_globals_above_frame(&self, state: &mut LuaState) -> Result<LuaValue, LuaError> {
        push_globals(state, self.above_frame)
    }

    /// Pushes the globals of a frame: shared names take precedence over names that `functions` have assigned to,
    /// so the frame never calls a function `enter` defined by them.
    pub fn push_globals_of_frame(&self, state: &mut LuaState, functions: LuaValue) -> Result<LuaValue, LuaError> {
        native::push_table(state, 0, 64)?;
        let globals = native::value(state, -1);
        let mut names = Vec::new();
        if let LuaValue::Table(all) = &self.all {
            all.for_each_entry(|name, value| {
                if let LuaValue::Str(name) = name {
                    names.push((*name, *value));
                }
            });
        }
        for (name, value) in names {
            native::set_field(state, name.as_bytes(), value)?;
        }
        native::set_field(state, b"_G", globals)?;
        push_metatable(state, functions, self.assign)?;
        api::set_metatable(state, -2)?;
        Ok(globals)
    }
}

/// Pushes a table with the names for programs; reading any other name from it is an error.
fn push_names(state: &mut LuaState, globals: &LuaValue, shared: &Rc<Shared>) -> Result<LuaValue, LuaError> {
    native::push_table(state, 0, 64)?;
    library::share(state, globals)?;
    requests::install(state, shared)?;
    guard_redis(state)?;
    let names = native::value(state, -1);
    native::push_table(state, 0, 1)?;
    let shared = Rc::clone(shared);
    let missing = native::function(state, move |state| missing(state, &shared));
    native::set_field(state, b"__index", missing)?;
    api::set_metatable(state, -2)?;
    Ok(names)
}

/// Pushes a metatable for globals, which looks names up in the given table.
fn push_metatable(state: &mut LuaState, names: LuaValue, assign: LuaValue) -> Result<LuaValue, LuaError> {
    native::push_table(state, 0, 4)?;
    native::set_field(state, b"__index", names)?;
    native::set_field(state, b"__newindex", assign)?;
    native::set_field(state, b"__metatable", LuaValue::Bool(false))?;
    Ok(native::value(state, -1))
}

/// Pushes the metatable of `client`: the table has one field, and reading any other is an error.
fn push_metatable_of_client(state: &mut LuaState) -> Result<LuaValue, LuaError> {
    let missing = native::function(state, |state| {
        let name = native::string(state, 2).map(|name| shown(name.as_bytes())).unwrap_or_default();
        native::fail(state, format!("there is no 'client.{name}': client.id is the client's number"))
    });
    native::push_table(state, 0, 2)?;
    native::set_field(state, b"__index", missing)?;
    native::set_field(state, b"__metatable", LuaValue::Bool(false))?;
    Ok(native::value(state, -1))
}

/// Pushes empty globals with this metatable.
fn push_globals(state: &mut LuaState, metatable: LuaValue) -> Result<LuaValue, LuaError> {
    native::push_table(state, 0, 8)?;
    let globals = native::value(state, -1);
    native::set_field(state, b"_G", globals)?;
    native::push_value(state, metatable)?;
    api::set_metatable(state, -2)?;
    Ok(globals)
}

/// Changes library functions that would expose randomness, the collector or the replay of programs.
fn adapt(state: &mut LuaState, globals: &LuaValue, shared: &Rc<Shared>) -> Result<(), LuaError> {
    let base = api::get_top(state);
    let LuaValue::Table(globals) = globals else { return Ok(()) };
    for name in ["random", "randomseed"] {
        let refuse = native::function(state, move |state| {
            native::fail(
                state,
                format!("math.{name} is not here: random(from, to) asks the world, which plays it again the same"),
            )
        });
        replace(state, &native::field(globals, b"math"), name, refuse)?;
    }
    let coroutines = native::field(globals, b"coroutine");
    let (there, original) = (Rc::clone(shared), library::native_of(state, &field(&coroutines, "yield")));
    let give_way = native::function(state, move |state| {
        if there.is_program_thread(state) {
            return native::fail(state, "attempt to yield from outside a coroutine: sleep(ms) waits");
        }
        original.call(state)
    });
    replace(state, &coroutines, "yield", give_way)?;
    let (there, original) = (Rc::clone(shared), library::native_of(state, &field(&coroutines, "running")));
    let running = native::function(state, move |state| {
        if there.is_program_thread(state) {
            // Nil, as in the main thread of Lua 5.1: a program must not resume its threads itself.
            native::push_value(state, LuaValue::Nil)?;
            return Ok(1);
        }
        original.call(state)
    });
    replace(state, &coroutines, "running", running)?;
    native::push_value(state, LuaValue::Table(*globals))?;
    let original = library::native_of(state, &native::field(globals, b"setmetatable"));
    let set_metatable = native::function(state, move |state| {
        if let LuaValue::Table(metatable) = native::value(state, 2)
            && !native::field(&metatable, b"__mode").is_nil()
        {
            return native::fail(state, "weak tables are not here: a program must not see the collector at work");
        }
        original.call(state)
    });
    native::set_field(state, b"setmetatable", set_metatable)?;
    api::set_top(state, base)
}

/// A function of a guarded library.
fn field(library: &LuaValue, name: &str) -> LuaValue {
    real(library).map_or(LuaValue::Nil, |table| native::field(&table, name.as_bytes()))
}

/// Puts a function in a guarded library.
fn replace(state: &mut LuaState, library: &LuaValue, name: &str, function: LuaValue) -> Result<(), LuaError> {
    let Some(table) = real(library) else { return Ok(()) };
    native::push_value(state, LuaValue::Table(table))?;
    native::set_field(state, name.as_bytes(), function)?;
    api::set_top(state, -2)
}

/// The table behind the guard, if there is a guard.
fn real(library: &LuaValue) -> Option<GcRef<LuaTable>> {
    match library {
        LuaValue::Table(table) => guard::behind(table).or(Some(*table)),
        _ => None,
    }
}

/// Guards the table `redis` of the names on top of the stack.
fn guard_redis(state: &mut LuaState) -> Result<(), LuaError> {
    let LuaValue::Table(names) = native::value(state, -1) else { return Ok(()) };
    native::push_value(state, native::field(&names, b"redis"))?;
    let missing = native::function(state, |state| {
        let name = native::string(state, 2).map(|name| shown(name.as_bytes())).unwrap_or_default();
        let advice = match nearest(&name, ["call", "pcall"].map(String::from)) {
            Some(known) => format!("did you mean 'redis.{known}'?"),
            None => format!("a command is written redis.call('{}', ...)", name.to_uppercase()),
        };
        native::fail(state, format!("there is no 'redis.{name}': {advice}"))
    });
    guard(state, Some(missing))?;
    let guarded = native::value(state, -1);
    native::set_field_below(state, b"redis", guarded)
}

/// Handles the first assignment to a name.
fn assign(state: &mut LuaState, shared: &Shared) -> Returns {
    native::charge(state, 4)?;
    if let LuaValue::Str(name) = native::value(state, 2) {
        let mut assigned = shared.assigned.borrow_mut();
        if assigned.len() < ASSIGNED_MAX {
            assigned.insert(Bytes::copy_from_slice(name.as_bytes()));
        }
    }
    api::set_top(state, 3)?;
    api::raw_set(state, 1)?;
    Ok(0)
}

/// Raises an error with advice for a name that was never assigned.
fn missing(state: &mut LuaState, shared: &Shared) -> Returns {
    let (LuaValue::Table(names), LuaValue::Str(name)) = (native::value(state, 1), native::value(state, 2)) else {
        native::push_value(state, LuaValue::Nil)?;
        return Ok(1);
    };
    let name = name.as_bytes();
    if shared.assigned.borrow().contains(name) {
        native::push_value(state, LuaValue::Nil)?;
        return Ok(1);
    }
    let mut known: Vec<String> = Vec::new();
    names.for_each_entry(|name, _| known.extend(text_of(name)));
    known.extend(["args", "client"].map(str::to_owned));
    known.extend(shared.assigned.borrow().iter().map(|name| shown(name)));
    known.extend(look::names_in_sight(state, 1).iter().map(|name| shown(name)));
    let what = shown(name);
    let advice = match ABSENT.iter().find(|(absent, _)| *absent == name) {
        Some((_, advice)) => (*advice).to_owned(),
        None if FRAME_ONLY.iter().any(|only| only.as_bytes() == name) => "only the frame below calls it".to_owned(),
        None if look::current_line(state, 1).is_some_and(|line| line > shared.frame_line.get()) => {
            "the frame calls it, so a function of this name is needed above".to_owned()
        }
        None => match nearest(&what, known) {
            Some(known) => format!("did you mean '{known}'?"),
            None => "nothing was assigned to that name".to_owned(),
        },
    };
    native::fail(state, format!("there is no '{what}' here: {advice}"))
}

fn text_of(value: &LuaValue) -> Option<String> {
    match value {
        LuaValue::Str(text) => Some(shown(text.as_bytes())),
        _ => None,
    }
}

fn shown(name: &[u8]) -> String {
    String::from_utf8_lossy(name.get(..60).unwrap_or(name)).into_owned()
}

/// The most similar known name, if any is close: one letter added, missing, changed or swapped; two in a long name.
fn nearest(name: &str, known: impl IntoIterator<Item = String>) -> Option<String> {
    let most = if name.chars().count() < 3 {
        0
    } else if name.chars().count() < 7 {
        1
    } else {
        2
    };
    let like =
        known.into_iter().map(|known| (strsim::osa_distance(&name.to_lowercase(), &known.to_lowercase()), known));
    like.filter(|(distance, _)| *distance <= most).min().map(|(_, known)| known)
}
