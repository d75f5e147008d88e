//! The settings of `cjson` for encoding and decoding. They last until the end of the run.
use crate::library::add_rare;
use crate::native::{self, Returns};
use lua_types::{LuaError, LuaValue};
use lua_vm::api;
use lua_vm::state::LuaState;
use std::cell::Cell;
use std::rc::Rc;

/// How numbers that JSON does not allow are encoded.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Invalid {
    /// An error.
    Refused,
    /// As C prints them.
    Written,
    /// As `null`.
    Null,
}

/// The settings.
#[derive(Clone, Copy, PartialEq, Hash)]
pub struct Settings {
    /// Whether an excessively sparse array is encoded as an object; otherwise it is an error.
    pub sparse_convert: bool,
    /// An array is excessively sparse if its greatest index exceeds the number of its items times this ratio …
    pub sparse_ratio: i64,
    /// … and exceeds this index too.
    pub sparse_safe: i64,
    /// Maximum depth of tables to encode.
    pub encode_depth: i64,
    /// Maximum depth of arrays and objects to decode.
    pub decode_depth: i64,
    /// How numbers that JSON does not allow are encoded …
    pub encode_invalid: Invalid,
    /// … and whether they may be decoded.
    pub decode_invalid: bool,
    /// Significant digits of encoded numbers.
    pub precision: i64,
    /// Stored, but without effect here.
    pub keep_buffer: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            sparse_convert: false,
            sparse_ratio: 2,
            sparse_safe: 10,
            encode_depth: 1000,
            decode_depth: 1000,
            encode_invalid: Invalid::Refused,
            decode_invalid: true,
            precision: 14,
            keep_buffer: true,
        }
    }
}

const INT_MAX: i64 = 0x7fff_ffff;

pub fn install(state: &mut LuaState, settings: &Rc<Cell<Settings>>) -> Result<(), LuaError> {
    integer(state, settings, "encode_max_depth", 1, INT_MAX, |settings| &mut settings.encode_depth)?;
    integer(state, settings, "decode_max_depth", 1, INT_MAX, |settings| &mut settings.decode_depth)?;
    integer(state, settings, "encode_number_precision", 1, 14, |settings| &mut settings.precision)?;
    let shared = Rc::clone(settings);
    add_rare(state, "encode_sparse_array", move |state| sparse_array(state, &shared))?;
    let shared = Rc::clone(settings);
    add_rare(state, "encode_keep_buffer", move |state| {
        few(state, 1)?;
        let mut now = shared.get();
        now.keep_buffer = switch(state, 1, now.keep_buffer)?;
        shared.set(now);
        native::push_value(state, LuaValue::Bool(now.keep_buffer))?;
        Ok(1)
    })?;
    let shared = Rc::clone(settings);
    add_rare(state, "decode_invalid_numbers", move |state| {
        few(state, 1)?;
        let mut now = shared.get();
        now.decode_invalid = switch(state, 1, now.decode_invalid)?;
        shared.set(now);
        native::push_value(state, LuaValue::Bool(now.decode_invalid))?;
        Ok(1)
    })?;
    let shared = Rc::clone(settings);
    add_rare(state, "encode_invalid_numbers", move |state| invalid_numbers(state, &shared))
}

/// A setting that is a number.
fn integer(
    state: &mut LuaState,
    settings: &Rc<Cell<Settings>>,
    name: &str,
    least: i64,
    most: i64,
    field: fn(&mut Settings) -> &mut i64,
) -> Result<(), LuaError> {
    let settings = Rc::clone(settings);
    add_rare(state, name, move |state| {
        few(state, 1)?;
        let mut now = settings.get();
        let place = field(&mut now);
        *place = number(state, 1, *place, least, most)?;
        let value = *place;
        settings.set(now);
        native::push_value(state, LuaValue::Float(value as f64))?;
        Ok(1)
    })
}

/// Raises an error if there are too many arguments.
fn few(state: &mut LuaState, most: i32) -> Result<(), LuaError> {
    if api::get_top(state) > most {
        return native::bad_argument(state, most + 1, "found too many arguments");
    }
    Ok(())
}

/// A numeric argument, or the current value if it is absent.
fn number(state: &mut LuaState, index: i32, before: i64, least: i64, most: i64) -> Result<i64, LuaError> {
    if native::is_absent(state, index) {
        return Ok(before);
    }
    let value = native::integer(state, index)?;
    if value < least || value > most {
        return native::bad_argument(state, 1, format!("expected integer between {least} and {most}"));
    }
    Ok(value)
}

/// An argument that is `true`, `false`, `"on"` or `"off"`.
fn switch(state: &mut LuaState, index: i32, before: bool) -> Result<bool, LuaError> {
    match native::value(state, index) {
        LuaValue::Nil => Ok(before),
        LuaValue::Bool(yes) => Ok(yes),
        _ => match native::string(state, index)?.as_bytes() {
            b"on" => Ok(true),
            b"off" => Ok(false),
            other => {
                let message = [b"invalid option '", other, b"'"].concat();
                native::bad_argument(state, index, message)
            }
        },
    }
}

fn sparse_array(state: &mut LuaState, settings: &Cell<Settings>) -> Returns {
    few(state, 3)?;
    let mut now = settings.get();
    now.sparse_convert = switch(state, 1, now.sparse_convert)?;
    settings.set(now);
    now.sparse_ratio = number(state, 2, now.sparse_ratio, 0, INT_MAX)?;
    settings.set(now);
    now.sparse_safe = number(state, 3, now.sparse_safe, 0, INT_MAX)?;
    settings.set(now);
    native::push_value(state, LuaValue::Bool(now.sparse_convert))?;
    native::push_value(state, LuaValue::Float(now.sparse_ratio as f64))?;
    native::push_value(state, LuaValue::Float(now.sparse_safe as f64))?;
    Ok(3)
}

fn invalid_numbers(state: &mut LuaState, settings: &Cell<Settings>) -> Returns {
    few(state, 1)?;
    let mut now = settings.get();
    now.encode_invalid = match native::value(state, 1) {
        LuaValue::Str(text) if text.as_bytes() == b"null" => Invalid::Null,
        LuaValue::Nil => now.encode_invalid,
        _ => match switch(state, 1, false)? {
            true => Invalid::Written,
            false => Invalid::Refused,
        },
    };
    settings.set(now);
    match now.encode_invalid {
        Invalid::Null => native::push(state, b"null")?,
        other => native::push_value(state, LuaValue::Bool(other == Invalid::Written))?,
    }
    Ok(1)
}
