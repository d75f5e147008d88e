//! `memory` and `hash`: a traffic handler's access to its machine's memory, and a hash function for filters.
use super::frame;
use super::requests::{ask, milliseconds, raise_error, subscribed, whole, word};
use super::snapshot::Shared;
use crate::library;
use crate::native::{self, Returns};
use bytes::Bytes;
use lua_types::{LuaError, LuaValue};
use lua_vm::api;
use lua_vm::state::{LuaKFunction, LuaState};
use script::program::{MEMORY_BITS, MEMORY_MOST_MAX, MEMORY_PLACES_MAX, MemoryCommand, Request};
use std::rc::Rc;

/// `memory(name, options)`. It is written in Lua, so that a region is an ordinary table, which the live state can capture. All programs
/// share its methods, and no program can access the table of methods.
const MEMORY: &[u8] = b"local methods, most_max, type, error, tostring, next, setmetatable = ... \
    setmetatable(methods, { __index = function(_, method) \
    error(\"a memory has no '\" .. tostring(method) .. \"', only get, set, add, incr, delete, clear, wait, setbits and hasbits\", 2) end }) \
    local metatable = { __index = methods, __metatable = false } \
    return function(name, options) \
    if type(name) ~= 'string' then error(\"bad argument #1 to 'memory' (a name expected)\", 2) end \
    local most \
    if options ~= nil then \
    if type(options) ~= 'table' then error(\"bad argument #2 to 'memory' (a table expected, like { most = 1000 })\", 2) end \
    for option in next, options do if option ~= 'most' then \
    error(\"memory has no option '\" .. tostring(option) .. \"', only 'most'\", 2) end end \
    most = options.most \
    if most ~= nil and (type(most) ~= 'number' or not (most >= 1 and most <= most_max) or most % 1 ~= 0) then \
    error(\"'most' of a memory is a whole number from 1 to \" .. most_max, 2) end end \
    return setmetatable({ name = name, most = most }, metatable) end";

/// The request of a method, and the function that handles the answer.
type Method = (fn(&mut LuaState) -> Result<MemoryCommand, LuaError>, LuaKFunction);

const METHODS: [(&[u8], Method); 9] = [
    (b"get", (|state| Ok(MemoryCommand::Get { key: word(state, 2)? }), raise_error)),
    (
        b"set",
        (
            |state| {
                Ok(MemoryCommand::Set { key: word(state, 2)?, value: word(state, 3)?, ttl_ms: time_to_live(state)? })
            },
            subscribed,
        ),
    ),
    (
        b"add",
        (
            |state| {
                Ok(MemoryCommand::Add { key: word(state, 2)?, value: word(state, 3)?, ttl_ms: time_to_live(state)? })
            },
            truth,
        ),
    ),
    (
        b"incr",
        (
            |state| {
                let n = if native::is_absent(state, 3) { 1 } else { whole(state, 3)? };
                Ok(MemoryCommand::Incr { key: word(state, 2)?, n })
            },
            raise_error,
        ),
    ),
    (b"delete", (|state| Ok(MemoryCommand::Delete { key: word(state, 2)? }), truth)),
    (b"clear", (|_| Ok(MemoryCommand::Clear), subscribed)),
    (
        b"wait",
        (
            |state| {
                let timeout_ms = if native::is_absent(state, 3) { None } else { Some(milliseconds(state, 3)?) };
                Ok(MemoryCommand::Wait { key: word(state, 2)?, timeout_ms })
            },
            truth,
        ),
    ),
    (b"setbits", (|state| Ok(MemoryCommand::SetBits { places: places(state)? }), subscribed)),
    (b"hasbits", (|state| Ok(MemoryCommand::HasBits { places: places(state)? }), truth)),
];

/// Adds `memory` and `hash` to the table on top of the stack, which contains the library already.
pub fn install(state: &mut LuaState, shared: &Rc<Shared>) -> Result<(), LuaError> {
    let LuaValue::Table(table) = native::value(state, -1) else { return Ok(()) };
    let hash = native::function(state, hash);
    native::set_field(state, b"hash", hash)?;
    library::compile(state, MEMORY, frame::CALLER)?;
    native::push_table(state, 0, METHODS.len())?;
    for (name, (command, then)) in METHODS {
        let shared = Rc::clone(shared);
        let method = native::function(state, move |state| {
            let (region, most) = region(state)?;
            let command = command(state)?;
            ask(state, &shared, Request::Memory { region, most, command }, 0, then)
        });
        native::set_field(state, name, method)?;
    }
    native::push_value(state, LuaValue::Float(f64::from(MEMORY_MOST_MAX)))?;
    for name in [b"type".as_slice(), b"error", b"tostring", b"next", b"setmetatable"] {
        native::push_value(state, native::field(&table, name))?;
    }
    api::call_k(state, 7, 1, 0, None)?;
    let memory = native::value(state, -1);
    native::set_field_below(state, b"memory", memory)
}

/// The region whose method was called, and its limit.
fn region(state: &mut LuaState) -> Result<(Bytes, Option<u32>), LuaError> {
    if let LuaValue::Table(table) = native::value(state, 1)
        && let LuaValue::Str(name) = native::field(&table, b"name")
    {
        let most = native::as_number(&native::field(&table, b"most"));
        let name = Bytes::copy_from_slice(name.as_bytes());
        return Ok((name, most.map(|most| (most as u32).clamp(1, MEMORY_MOST_MAX))));
    }
    native::fail(state, "a method of a memory is called with a colon, as in cache:get(key)")
}

fn time_to_live(state: &mut LuaState) -> Result<Option<u64>, LuaError> {
    if native::is_absent(state, 4) {
        return Ok(None);
    }
    match milliseconds(state, 4)? {
        0 => native::bad_argument(state, 4, "a time in milliseconds expected, 1 or more"),
        ms => Ok(Some(ms)),
    }
}

/// Reads a list of bit positions.
fn places(state: &mut LuaState) -> Result<Vec<u32>, LuaError> {
    let list = native::table(state, 2)?;
    let mut places = Vec::new();
    for number in 1.. {
        let value = list.get_int(number);
        if matches!(value, LuaValue::Nil) {
            break;
        }
        if places.len() >= MEMORY_PLACES_MAX {
            return native::bad_argument(state, 2, format!("a list of at most {MEMORY_PLACES_MAX} places expected"));
        }
        match native::as_number(&value) {
            Some(place) if place >= 0.0 && place < f64::from(MEMORY_BITS) && place.fract() == 0.0 => {
                places.push(place as u32);
            }
            _ => {
                let last = MEMORY_BITS.saturating_sub(1);
                return native::bad_argument(state, 2, format!("whole numbers from 0 to {last} expected"));
            }
        }
    }
    native::charge(state, places.len())?;
    Ok(places)
}

/// Raises an error reply; returns any other answer to the program as a boolean.
fn truth(state: &mut LuaState, status: i32, context: isize) -> Returns {
    raise_error(state, status, context)?;
    let is_true = native::as_number(&native::value(state, -1)).is_some_and(|number| number != 0.0);
    native::push_value(state, LuaValue::Bool(is_true))?;
    Ok(1)
}

/// `hash(text, seed)`
fn hash(state: &mut LuaState) -> Returns {
    let text = word(state, 1)?;
    let seed = if native::is_absent(state, 2) { 0 } else { whole(state, 2)? };
    let Ok(seed) = u32::try_from(seed) else {
        return native::bad_argument(state, 2, "a whole number from 0 to 4294967295 expected");
    };
    native::charge(state, text.len() / 8)?;
    native::push_value(state, LuaValue::Float(f64::from(murmur3(&text, seed))))?;
    Ok(1)
}

/// MurmurHash3 for 32 bits (Austin Appleby, `MurmurHash3_x86_32` of <https://github.com/aappleby/smhasher>, in the public domain): all bits
/// of text and seed affect all bits of the hash, so hashes of one text with different seeds are independent.
fn murmur3(text: &[u8], seed: u32) -> u32 {
    let scramble = |word: u32| word.wrapping_mul(0xcc9e_2d51).rotate_left(15).wrapping_mul(0x1b87_3593);
    let (words, rest) = text.as_chunks::<4>();
    let mut hash = seed;
    for word in words {
        hash ^= scramble(u32::from_le_bytes(*word));
        hash = hash.rotate_left(13).wrapping_mul(5).wrapping_add(0xe654_6b64);
    }
    if !rest.is_empty() {
        hash ^= scramble(rest.iter().rev().fold(0, |word, byte| (word << 8) | u32::from(*byte)));
    }
    hash ^= text.len() as u32;
    hash = (hash ^ (hash >> 16)).wrapping_mul(0x85eb_ca6b);
    hash = (hash ^ (hash >> 13)).wrapping_mul(0xc2b2_ae35);
    hash ^ (hash >> 16)
}

#[cfg(test)]
mod tests {
    use super::murmur3;

    #[test]
    fn hash_equals_reference_implementation() {
        // From the author's verification code, and widely published test vectors.
        for (text, seed, expected) in [
            ("", 0, 0),
            ("", 1, 0x514e_28b7),
            ("", 0xffff_ffff, 0x81f1_6f39),
            ("a", 0x9747_b28c, 0x7fa0_9ea6),
            ("aa", 0x9747_b28c, 0x5d21_1726),
            ("aaa", 0x9747_b28c, 0x283e_0130),
            ("aaaa", 0x9747_b28c, 0x5a97_808a),
            ("abc", 0, 0xb3dd_93fa),
            ("test", 0, 0xba6b_d213),
            ("test", 0x9747_b28c, 0x704b_81dc),
            ("Hello, world!", 0, 0xc036_3e43),
            ("Hello, world!", 0x9747_b28c, 0x2488_4cba),
            ("The quick brown fox jumps over the lazy dog", 0x9747_b28c, 0x2fa8_26cd),
        ] {
            assert_eq!(murmur3(text.as_bytes(), seed), expected, "{text} {seed}");
        }
    }
}
