//! From Lua to JSON.
use super::settings::{Invalid, Settings};
use crate::library::format::number_text_of;
use crate::native::{self, Returns, as_number};
use lua_types::{GcRef, LuaError, LuaTable, LuaValue};
use lua_vm::api;
use lua_vm::state::LuaState;

/// `cjson.encode(value)`
pub fn encode(state: &mut LuaState, settings: Settings) -> Returns {
    if api::get_top(state) != 1 {
        return native::bad_argument(state, 1, "expected 1 argument");
    }
    let mut encoder = Encoder { settings, out: Vec::new() };
    let value = native::value(state, 1);
    encoder.value(state, &value, 0)?;
    native::push(state, &encoder.out)?;
    Ok(1)
}

struct Encoder {
    settings: Settings,
    out: Vec<u8>,
}

/// Deeper nesting is always rejected, even if the script allows it, because this encoder is recursive.
const DEPTH_MAX: i64 = 1000;

impl Encoder {
    fn value(&mut self, state: &mut LuaState, value: &LuaValue, depth: i64) -> Result<(), LuaError> {
        native::charge(state, 1)?;
        match value {
            LuaValue::Nil | LuaValue::LightUserData(_) => self.out.extend_from_slice(b"null"),
            LuaValue::Bool(true) => self.out.extend_from_slice(b"true"),
            LuaValue::Bool(false) => self.out.extend_from_slice(b"false"),
            LuaValue::Str(text) => self.string(text.as_bytes()),
            LuaValue::Table(table) => return self.table(state, table, depth + 1),
            other => match as_number(other) {
                Some(number) => self.number(state, number)?,
                None => return cannot(state, other, "type not supported"),
            },
        }
        native::reserve(state, self.out.len())
    }

    fn table(&mut self, state: &mut LuaState, table: &GcRef<LuaTable>, depth: i64) -> Result<(), LuaError> {
        if depth > self.settings.encode_depth.min(DEPTH_MAX) {
            return native::fail(state, format!("Cannot serialise, excessive nesting ({depth})"));
        }
        match self.length(state, table)? {
            Some(length) => {
                self.out.push(b'[');
                for number in 1..=length {
                    if number > 1 {
                        self.out.push(b',');
                    }
                    self.value(state, &table.get_int(number), depth)?;
                }
                self.out.push(b']');
            }
            None => self.object(state, table, depth)?,
        }
        Ok(())
    }

    /// The length of a table that is an array and not excessively sparse.
    fn length(&self, state: &mut LuaState, table: &GcRef<LuaTable>) -> Result<Option<i64>, LuaError> {
        let (mut length, mut items) = (0_i64, 0_i64);
        let mut key = LuaValue::Nil;
        while let Some((next, _)) = table.try_next_pair(&key)? {
            key = next;
            let index = as_number(&key).unwrap_or(0.0);
            if index < 1.0 || index.floor() != index || index > 9e15 {
                return Ok(None);
            }
            length = length.max(index as i64);
            items += 1;
        }
        let Settings { sparse_ratio, sparse_safe, sparse_convert, .. } = self.settings;
        if sparse_ratio > 0 && length > items.saturating_mul(sparse_ratio) && length > sparse_safe {
            if !sparse_convert {
                return cannot(state, &LuaValue::Table(*table), "excessively sparse array");
            }
            return Ok(None);
        }
        Ok((length > 0).then_some(length))
    }

    fn object(&mut self, state: &mut LuaState, table: &GcRef<LuaTable>, depth: i64) -> Result<(), LuaError> {
        self.out.push(b'{');
        let mut key = LuaValue::Nil;
        let mut first = true;
        while let Some((next, value)) = table.try_next_pair(&key)? {
            key = next;
            if !std::mem::take(&mut first) {
                self.out.push(b',');
            }
            match &key {
                LuaValue::Str(name) => self.string(name.as_bytes()),
                other => match as_number(other) {
                    Some(number) => {
                        self.out.push(b'"');
                        self.number(state, number)?;
                        self.out.push(b'"');
                    }
                    None => return cannot(state, other, "table key must be a number or string"),
                },
            }
            self.out.push(b':');
            self.value(state, &value, depth)?;
        }
        self.out.push(b'}');
        Ok(())
    }

    fn number(&mut self, state: &mut LuaState, number: f64) -> Result<(), LuaError> {
        if !number.is_finite() {
            match self.settings.encode_invalid {
                Invalid::Refused => return cannot(state, &LuaValue::Float(number), "must not be NaN or Inf"),
                Invalid::Null => {
                    self.out.extend_from_slice(b"null");
                    return Ok(());
                }
                Invalid::Written => {}
            }
            if number.is_nan() {
                self.out.extend_from_slice(b"nan");
                return Ok(());
            }
        }
        let digits = usize::try_from(self.settings.precision).unwrap_or(14);
        self.out.extend_from_slice(&number_text_of(number, digits));
        Ok(())
    }

    fn string(&mut self, text: &[u8]) {
        self.out.push(b'"');
        for &byte in text {
            match byte {
                b'"' | b'\\' | b'/' => self.out.extend_from_slice(&[b'\\', byte]),
                0x08 => self.out.extend_from_slice(b"\\b"),
                b'\t' => self.out.extend_from_slice(b"\\t"),
                b'\n' => self.out.extend_from_slice(b"\\n"),
                0x0c => self.out.extend_from_slice(b"\\f"),
                b'\r' => self.out.extend_from_slice(b"\\r"),
                0..=0x1f | 0x7f => self.out.extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
                _ => self.out.push(byte),
            }
        }
        self.out.push(b'"');
    }
}

fn cannot<T>(state: &mut LuaState, value: &LuaValue, why: &str) -> Result<T, LuaError> {
    native::fail(state, format!("Cannot serialise {}: {why}", value.type_name()))
}
