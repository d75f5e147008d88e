//! The functions of programs besides Lua's own: each makes a request and continues with the answer.
use super::snapshot::{Shared, join};
use super::{frame, look, memory};
use crate::library::{self, number_text_17};
use crate::native::{self, Returns};
use bytes::Bytes;
use lua_types::{GcRef, LuaClosure, LuaError, LuaTable, LuaValue};
use lua_vm::api;
use lua_vm::do_::lua_yieldk;
use lua_vm::state::{LuaKFunction, LuaState};
use script::program::{Request, State, THREADS_MAX, Target, Thread};
use std::rc::Rc;

/// The longest duration in ms, about 285 years.
const MS_MAX: f64 = 9e12;

/// The greatest whole number of a tally: 2⁵³.
const WHOLE_MAX: f64 = 9_007_199_254_740_992.0;

/// Adds these functions to the table on top of the stack.
pub fn install(state: &mut LuaState, shared: &Rc<Shared>) -> Result<(), LuaError> {
    let mut add = |name: &str, run: fn(&mut LuaState, &Shared) -> Returns| {
        let shared = Rc::clone(shared);
        let function = native::function(state, move |state| run(state, &shared));
        native::set_field(state, name.as_bytes(), function)
    };
    add("sleep", |state, shared| {
        let ms = milliseconds(state, 1)?;
        ask(state, shared, Request::Sleep { ms }, 0, answered)
    })?;
    add("work", |state, shared| {
        let ms = milliseconds(state, 1)?;
        ask(state, shared, Request::Work { ms }, 0, answered)
    })?;
    add("now", |state, shared| ask(state, shared, Request::Now, 0, answered))?;
    add("uuid", |state, shared| ask(state, shared, Request::Uuid, 0, answered))?;
    add("random", random)?;
    add("enter", |state, shared| {
        let section = text_or(state, 1, "critical")?;
        ask(state, shared, Request::Enter { section }, 0, answered)
    })?;
    add("leave", |state, shared| {
        let section = text_or(state, 1, "critical")?;
        ask(state, shared, Request::Leave { section }, 0, answered)
    })?;
    add("spawn", spawn)?;
    add("cancel", cancel)?;
    add("subscribe", |state, shared| {
        let channels = words(state, 1)?;
        ask(state, shared, Request::Subscribe { channels }, 0, subscribed)
    })?;
    add("wait_message", |state, shared| {
        let ms = if native::is_absent(state, 1) { None } else { Some(milliseconds(state, 1)?) };
        ask(state, shared, Request::WaitMessage { ms }, 0, message_or_nil)
    })?;
    add("note", note)?;
    add("print", note)?;
    add("tally", |state, shared| {
        let name = Bytes::copy_from_slice(native::string(state, 1)?.as_bytes());
        let n = if native::is_absent(state, 2) { 1 } else { whole(state, 2)? };
        ask(state, shared, Request::Tally { name, n }, 0, answered)
    })?;
    add("produced", |state, shared| {
        let id = word(state, 1)?;
        let key = if native::is_absent(state, 2) { None } else { Some(word(state, 2)?) };
        ask(state, shared, Request::Produced { id, key }, 0, answered)
    })?;
    add("processed", |state, shared| {
        let id = word(state, 1)?;
        ask(state, shared, Request::Processed { id }, 0, answered)
    })?;
    add("answer", |state, shared| {
        let value = if native::is_absent(state, 1) { None } else { Some(word(state, 1)?) };
        ask(state, shared, Request::Answer { value }, 0, answered)
    })?;
    add("check", |state, shared| {
        let holds = !matches!(native::value(state, 1), LuaValue::Nil | LuaValue::Bool(false));
        let text = text_or(state, 2, "")?;
        ask(state, shared, Request::Check { holds, text }, 0, answered)
    })?;
    add_every(state)?;
    add_connect(state, shared)?;
    memory::install(state, shared)?;
    native::push_table(state, 0, 2)?;
    for (name, then) in CALLS {
        let shared = Rc::clone(shared);
        let function = native::function(state, move |state| {
            let argv = words(state, 1)?;
            ask(state, &shared, Request::Call { to: None, argv }, 0, then)
        });
        native::set_field(state, name, function)?;
    }
    let redis = native::value(state, -1);
    native::set_field_below(state, b"redis", redis)
}

/// `every(ms, f)`: calls the function repeatedly, each time `ms` after it has returned, until it returns false. It is written in Lua,
/// because the function may make requests. It does not belong to the program and is not shown.
const EVERY: &[u8] = b"local sleep, type, error = ... return function(ms, f) \
    if type(ms) ~= 'number' or not (ms >= 0 and ms <= 9e12) then \
    error(\"bad argument #1 to 'every' (a time in milliseconds expected, 0 or more)\", 2) end \
    if type(f) ~= 'function' then error(\"bad argument #2 to 'every' (function expected)\", 2) end \
    while f() ~= false do sleep(ms) end end";

/// Adds [`EVERY`] to the table on top of the stack, which contains the library and `sleep` already.
fn add_every(state: &mut LuaState) -> Result<(), LuaError> {
    let LuaValue::Table(table) = native::value(state, -1) else { return Ok(()) };
    library::compile(state, EVERY, frame::CALLER)?;
    for name in [b"sleep".as_slice(), b"type", b"error"] {
        native::push_value(state, native::field(&table, name))?;
    }
    api::call_k(state, 3, 1, 0, None)?;
    let every = native::value(state, -1);
    native::set_field_below(state, b"every", every)
}

/// The functions that call commands, and how they handle the reply.
const CALLS: [(&[u8], LuaKFunction); 2] = [(b"call", raise_error), (b"pcall", answered)];

/// `connect(name, options)`. It is written in Lua, so that a connection is an ordinary table, which the live state can capture.
///
/// `query` and `pquery` are for databases. They convert the answer (`table::Answer::to_value`) to an array of rows by column name, or to
/// `{ affected = …, insert_id = … }`; `pquery` returns a failure as `{ err = …, code = … }`.
const CONNECT: &[u8] = b"local resolve, call, pcall, type, error, tostring, next, tonumber = ... \
    local function result(reply) \
    if type(reply) ~= 'table' then return reply end \
    if reply.err then return { err = reply.err, code = tonumber(reply.err:sub(1, 4)) } end \
    local columns = reply[1] \
    if type(columns) ~= 'table' then return { affected = reply[2], insert_id = reply[3] } end \
    local rows = {} \
    for n = 2, #reply do local row = {} \
    for c = 1, #columns / 2 do local cell = reply[n][c] if cell ~= false then row[columns[2 * c - 1]] = cell end end \
    rows[n - 1] = row end \
    return rows end \
    return function(name, options) \
    if type(name) ~= 'string' then error(\"bad argument #1 to 'connect' (the name of a node expected)\", 2) end \
    local timeout \
    if options ~= nil then \
    if type(options) ~= 'table' then error(\"bad argument #2 to 'connect' (a table expected, like { timeout = 50 })\", 2) end \
    for option in next, options do if option ~= 'timeout' then \
    error(\"connect has no option '\" .. tostring(option) .. \"', only 'timeout'\", 2) end end \
    timeout = options.timeout \
    if timeout ~= nil and (type(timeout) ~= 'number' or not (timeout >= 1 and timeout <= 9e12)) then \
    error(\"the timeout of connect is a time in milliseconds, 1 or more\", 2) end end \
    local node = resolve(name) \
    return { call = function(...) return call(node, timeout, ...) end, pcall = function(...) return pcall(node, timeout, ...) end, \
    query = function(...) return result(call(node, timeout, ...)) end, pquery = function(...) return result(pcall(node, timeout, ...)) end } end";

/// Adds [`CONNECT`] to the table on top of the stack.
fn add_connect(state: &mut LuaState, shared: &Rc<Shared>) -> Result<(), LuaError> {
    let LuaValue::Table(table) = native::value(state, -1) else { return Ok(()) };
    library::compile(state, CONNECT, frame::CALLER)?;
    let own = Rc::clone(shared);
    let resolve = native::function(state, move |state| {
        let node = word(state, 1)?;
        ask(state, &own, Request::Connect { node }, 0, raise_error)
    });
    native::push_value(state, resolve)?;
    for (_, then) in CALLS {
        let shared = Rc::clone(shared);
        let function = native::function(state, move |state| {
            let node = u32::try_from(native::integer(state, 1)?).unwrap_or(u32::MAX);
            let timeout_ms = if native::is_absent(state, 2) { None } else { Some(milliseconds(state, 2)?) };
            let argv = words(state, 3)?;
            ask(state, &shared, Request::Call { to: Some(Target { node, timeout_ms }), argv }, 0, then)
        });
        native::push_value(state, function)?;
    }
    for name in [b"type".as_slice(), b"error", b"tostring", b"next", b"tonumber"] {
        native::push_value(state, native::field(&table, name))?;
    }
    api::call_k(state, 8, 1, 0, None)?;
    let connect = native::value(state, -1);
    native::set_field_below(state, b"connect", connect)
}

/// Suspends the thread until its request is answered; then calls `then` with the answer on top of the stack.
pub(super) fn ask(
    state: &mut LuaState,
    shared: &Shared,
    request: Request,
    context: isize,
    then: LuaKFunction,
) -> Returns {
    if !shared.is_program_thread(state) {
        return native::fail(state, "a coroutine of the program's own cannot wait for an answer: use spawn");
    }
    if !state.is_yieldable() {
        return native::fail(state, "nothing can be asked for inside of table.sort, string.gsub and the like");
    }
    shared.request.replace(Some(request));
    api::set_top(state, 0)?;
    lua_yieldk(state, 0, context, Some(then)).map(|_| 0)
}

/// Returns the answer to the program unchanged.
fn answered(state: &mut LuaState, _: i32, _: isize) -> Returns {
    usize::try_from(api::get_top(state)).map_or(Ok(0), Ok)
}

/// Raises an error reply; otherwise returns nothing to the program.
pub(super) fn subscribed(state: &mut LuaState, status: i32, number: isize) -> Returns {
    if api::get_top(state) > 0 { raise_error(state, status, number).map(|_| 0) } else { Ok(0) }
}

/// Raises an error reply with exactly its text; returns any other answer to the program.
pub(super) fn raise_error(state: &mut LuaState, _: i32, _: isize) -> Returns {
    let LuaValue::Table(table) = native::value(state, -1) else { return Ok(1) };
    match native::field(&table, b"err") {
        LuaValue::Str(text) => Err(LuaError::Runtime(LuaValue::Str(text))),
        _ => Ok(1),
    }
}

/// The arguments from `first` on, as an argument vector or as channels.
fn words(state: &mut LuaState, first: i32) -> Result<Vec<Bytes>, LuaError> {
    let count = api::get_top(state);
    if count < first {
        return native::bad_argument(state, 1, "string expected, got no value");
    }
    let mut words = Vec::new();
    for number in first..=count {
        words.push(word(state, number)?);
    }
    Ok(words)
}

/// An argument of a command: a string, or a number formatted as Redis formats it.
pub(super) fn word(state: &mut LuaState, argument: i32) -> Result<Bytes, LuaError> {
    match native::value(state, argument) {
        LuaValue::Str(text) => Ok(Bytes::copy_from_slice(text.as_bytes())),
        LuaValue::Float(n) => Ok(number_text_17(n).into()),
        LuaValue::Int(n) => Ok(number_text_17(n as f64).into()),
        _ => native::wrong_type(state, argument, "string or number"),
    }
}

/// `note(…)`, `print(…)`: the displayed values, separated by tabs.
fn note(state: &mut LuaState, shared: &Shared) -> Returns {
    let mut text = Vec::new();
    for number in 1..=api::get_top(state) {
        if number > 1 {
            text.push(b'\t');
        }
        let value = native::value(state, number);
        match &value {
            LuaValue::Str(string) => text.extend_from_slice(string.as_bytes()),
            LuaValue::Table(table) if says_itself(table) => {
                text.extend_from_slice(&state.to_display_string(number)?);
                state.pop();
            }
            _ => text.extend_from_slice(&look::shown(&value)),
        }
    }
    ask(state, shared, Request::Note { text: text.into() }, 0, answered)
}

/// Whether it has a `__tostring` metamethod.
fn says_itself(table: &GcRef<LuaTable>) -> bool {
    table.metatable().is_some_and(|metatable| !native::field(&metatable, b"__tostring").is_nil())
}

/// Returns channel and message to the program, or nil.
fn message_or_nil(state: &mut LuaState, _: i32, _: isize) -> Returns {
    let LuaValue::Table(table) = native::value(state, -1) else {
        native::push_value(state, LuaValue::Nil)?;
        return Ok(1);
    };
    for number in 1..=2 {
        native::push_value(state, table.get_int(number))?;
    }
    Ok(2)
}

/// Returns the number of the spawned thread to the program.
fn spawned(state: &mut LuaState, _: i32, number: isize) -> Returns {
    native::push_value(state, LuaValue::Float(number as f64))?;
    Ok(1)
}

fn random(state: &mut LuaState, shared: &Shared) -> Returns {
    let (from, to) = if native::is_absent(state, 2) {
        (1, native::integer(state, 1)?)
    } else {
        (native::integer(state, 1)?, native::integer(state, 2)?)
    };
    if from > to {
        return native::bad_argument(state, 2, "interval is empty");
    }
    ask(state, shared, Request::Random { from, to }, 0, answered)
}

fn spawn(state: &mut LuaState, shared: &Shared) -> Returns {
    let body = native::value(state, 1);
    if !matches!(body, LuaValue::Function(LuaClosure::Lua(_))) {
        return native::wrong_type(state, 1, "function");
    }
    let number = shared.coroutines.borrow().len();
    if number >= THREADS_MAX {
        return native::fail(state, format!("a program has at most {THREADS_MAX} threads"));
    }
    join(state, shared, body)?;
    let thread = Thread::try_from(number).unwrap_or(Thread::MAX);
    ask(state, shared, Request::Spawn { thread }, number as isize, spawned)
}

fn cancel(state: &mut LuaState, shared: &Shared) -> Returns {
    let number = native::integer(state, 1)?;
    let thread = Thread::try_from(number).ok().filter(|thread| (*thread as usize) < shared.coroutines.borrow().len());
    let Some(thread) = thread else { return native::bad_argument(state, 1, "there is no such thread") };
    if thread == shared.current.get() {
        return native::bad_argument(state, 1, "a thread does not cancel itself: it returns");
    }
    let is_over =
        shared.coroutines.borrow().get(thread as usize).is_none_or(|a| !matches!(a.state, State::Requests(_)));
    if is_over {
        return Ok(0);
    }
    ask(state, shared, Request::Cancel { thread }, 0, answered)
}

/// An integer within the exact range of a double (±2⁵³).
pub(super) fn whole(state: &mut LuaState, argument: i32) -> Result<i64, LuaError> {
    let number = native::number(state, argument)?;
    if number.fract() != 0.0 || number.abs() > WHOLE_MAX {
        return native::bad_argument(state, argument, "a whole number expected");
    }
    Ok(number as i64)
}

/// A non-negative duration, truncated to whole ms.
pub(super) fn milliseconds(state: &mut LuaState, argument: i32) -> Result<u64, LuaError> {
    let ms = native::number(state, argument)?;
    if !(0.0..=MS_MAX).contains(&ms) {
        return native::bad_argument(state, argument, "a time in milliseconds expected, 0 or more");
    }
    Ok(ms as u64)
}

fn text_or(state: &mut LuaState, argument: i32, otherwise: &'static str) -> Result<Bytes, LuaError> {
    if native::is_absent(state, argument) {
        return Ok(Bytes::from_static(otherwise.as_bytes()));
    }
    Ok(Bytes::copy_from_slice(native::string(state, argument)?.as_bytes()))
}
