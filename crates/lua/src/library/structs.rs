//! `struct`: values in the layout of C.
use super::add_rare;
use crate::native::{self, Returns};
use lua_types::{LuaError, LuaValue};
use lua_vm::api;
use lua_vm::state::LuaState;

/// The widest integer, in bytes.
const INTEGER_BYTES_MAX: usize = 32;

/// The maximum alignment, in bytes.
const ALIGNMENT_MAX: usize = 16;

pub fn install(state: &mut LuaState) -> Result<(), LuaError> {
    add_rare(state, "pack", pack)?;
    add_rare(state, "unpack", unpack)?;
    add_rare(state, "size", size)
}

/// Parser of a format, with the current byte order and alignment.
struct Format {
    text: Vec<u8>,
    at: usize,
    big: bool,
    alignment: usize,
    /// Whether unknown letters are skipped, as in `struct.size`.
    lenient: bool,
}

/// One item of a format.
struct Item {
    letter: u8,
    /// Size in bytes; 0 if it depends on the value.
    size: usize,
}

impl Format {
    fn new(state: &mut LuaState) -> Result<Format, LuaError> {
        let text = native::string(state, 1)?.as_bytes().to_vec();
        Ok(Format { text, at: 0, big: false, alignment: 1, lenient: false })
    }

    /// The next letter; a zero byte ends the format, like a C string.
    fn next(&mut self) -> Option<u8> {
        let letter = self.text.get(self.at).copied().filter(|&letter| letter != 0)?;
        self.at += 1;
        Some(letter)
    }

    /// The number that follows, or the default if there is none.
    fn number(&mut self, state: &mut LuaState, otherwise: usize) -> Result<usize, LuaError> {
        let mut number: Option<usize> = None;
        while let Some(digit @ b'0'..=b'9') = self.text.get(self.at).copied() {
            let digit = usize::from(digit - b'0');
            if number.unwrap_or(0) > (0x7fff_ffff - digit) / 10 {
                return native::fail(state, "integral size overflow");
            }
            number = Some(number.unwrap_or(0) * 10 + digit);
            self.at += 1;
        }
        Ok(number.unwrap_or(otherwise))
    }

    /// The next item with a value; letters that only set order and alignment are applied on the way.
    fn item(&mut self, state: &mut LuaState) -> Result<Option<Item>, LuaError> {
        while let Some(letter) = self.next() {
            let size = match letter {
                b'B' | b'b' | b'x' => 1,
                b'H' | b'h' => 2,
                b'L' | b'l' | b'T' | b'd' => 8,
                b'f' => 4,
                b'c' => self.number(state, 1)?,
                b's' => 0,
                b'i' | b'I' => {
                    let size = self.number(state, 4)?;
                    if size > INTEGER_BYTES_MAX {
                        let text = format!("integral size {size} is larger than limit of {INTEGER_BYTES_MAX}");
                        return native::fail(state, text);
                    }
                    size
                }
                b' ' => continue,
                b'<' => {
                    self.big = false;
                    continue;
                }
                b'>' => {
                    self.big = true;
                    continue;
                }
                b'!' => {
                    let alignment = self.number(state, ALIGNMENT_MAX)?;
                    if !alignment.is_power_of_two() {
                        return native::fail(state, format!("alignment {alignment} is not a power of 2"));
                    }
                    self.alignment = alignment;
                    continue;
                }
                // Unknown letters and digits have size 0.
                _ if self.lenient && letter.is_ascii_alphanumeric() => continue,
                _ => {
                    let message = [b"invalid format option '", [letter].as_slice(), b"'"].concat();
                    return native::bad_argument(state, 1, message);
                }
            };
            return Ok(Some(Item { letter, size }));
        }
        Ok(None)
    }

    /// Padding bytes before an item.
    fn padding(&self, at: usize, item: &Item) -> usize {
        if item.size == 0 || item.letter == b'c' {
            return 0;
        }
        let size = item.size.min(self.alignment);
        (size - (at & (size - 1))) & (size - 1)
    }
}

/// `struct.size(format)`
fn size(state: &mut LuaState) -> Returns {
    let mut format = Format { lenient: true, ..Format::new(state)? };
    let mut total: usize = 0;
    while let Some(item) = format.item(state)? {
        total += format.padding(total, &item);
        match (item.letter, item.size) {
            (b's', _) => return native::bad_argument(state, 1, "option 's' has no fixed size"),
            (b'c', 0) => return native::bad_argument(state, 1, "option 'c0' has no fixed size"),
            _ => {}
        }
        total = total.saturating_add(item.size);
    }
    native::push_value(state, LuaValue::Float(total as f64))?;
    Ok(1)
}

/// `struct.pack(format, …)`
fn pack(state: &mut LuaState) -> Returns {
    let mut format = Format::new(state)?;
    // A missing value is nil.
    native::push_value(state, LuaValue::Nil)?;
    let mut out = Vec::new();
    let mut argument = 2;
    while let Some(item) = format.item(state)? {
        let padding = format.padding(out.len(), &item);
        out.resize(out.len() + padding, 0);
        match item.letter {
            b'x' => out.push(0),
            b'f' => {
                let number = native::number(state, argument)? as f32;
                push_ordered(&mut out, number.to_le_bytes().to_vec(), format.big);
                argument += 1;
            }
            b'd' => {
                let number = native::number(state, argument)?;
                push_ordered(&mut out, number.to_le_bytes().to_vec(), format.big);
                argument += 1;
            }
            b'c' | b's' => {
                let text = native::string(state, argument)?;
                let text = text.as_bytes();
                let size = if item.size == 0 { text.len() } else { item.size };
                let Some(part) = text.get(..size) else {
                    return native::bad_argument(state, argument + 1, "string too short");
                };
                out.extend_from_slice(part);
                if item.letter == b's' {
                    out.push(0);
                }
                argument += 1;
            }
            _ => {
                let number = native::number(state, argument)?;
                let number = if number < 0.0 { native::to_i64(number).cast_unsigned() } else { number as u64 };
                let mut bytes = number.to_le_bytes().to_vec();
                bytes.resize(item.size, 0);
                push_ordered(&mut out, bytes, format.big);
                argument += 1;
            }
        }
        native::reserve(state, out.len())?;
        native::charge(state, 1)?;
    }
    native::push(state, &out)?;
    Ok(1)
}

/// Reverses little-endian bytes if the format is big-endian.
fn push_ordered(out: &mut Vec<u8>, mut bytes: Vec<u8>, big: bool) {
    if big {
        bytes.reverse();
    }
    out.append(&mut bytes);
}

/// `struct.unpack(format, text, position)`
fn unpack(state: &mut LuaState) -> Returns {
    let mut format = Format::new(state)?;
    let text = native::string(state, 2)?;
    let text = text.as_bytes();
    let position = if native::is_absent(state, 3) { 1 } else { native::integer(state, 3)? };
    if position == 0 {
        return native::bad_argument(state, 3, "offset must be 1 or greater");
    }
    let Some(mut at) = position.checked_sub(1).and_then(|position| usize::try_from(position).ok()) else {
        return native::bad_argument(state, 2, "data string too short");
    };
    let base = api::get_top(state);
    while let Some(item) = format.item(state)? {
        at = at.saturating_add(format.padding(at, &item));
        let Some(rest) = text.get(at..).filter(|rest| rest.len() >= item.size) else {
            return native::bad_argument(state, 2, "data string too short");
        };
        native::charge(state, 1)?;
        native::room(state, 2)?;
        let bytes = rest.get(..item.size).unwrap_or_default();
        at += item.size;
        match item.letter {
            b'x' => {}
            b'f' => {
                let number = f32::from_le_bytes(ordered(bytes, format.big));
                state.push(LuaValue::Float(f64::from(number)));
            }
            b'd' => {
                let number = f64::from_le_bytes(ordered(bytes, format.big));
                state.push(LuaValue::Float(number));
            }
            b'c' if item.size == 0 => {
                let before =
                    if api::get_top(state) > base { native::as_number(&native::value(state, -1)) } else { None };
                let Some(before) = before else {
                    return native::fail(state, "format 'c0' needs a previous size");
                };
                let size = before.max(0.0) as usize;
                let Some(part) = rest.get(..size) else {
                    return native::bad_argument(state, 2, "data string too short");
                };
                state.pop();
                native::push(state, part)?;
                at += size;
            }
            b'c' => native::push(state, bytes)?,
            b's' => {
                let Some(end) = rest.iter().position(|&byte| byte == 0) else {
                    return native::fail(state, "unfinished string in data");
                };
                native::push(state, rest.get(..end).unwrap_or_default())?;
                at += end + 1;
            }
            letter => {
                let number = integer(bytes, format.big, letter.is_ascii_lowercase());
                state.push(LuaValue::Float(number));
            }
        }
    }
    native::push_value(state, LuaValue::Float((at + 1) as f64))?;
    Ok(usize::try_from(api::get_top(state) - base).unwrap_or(0))
}

/// Reads `N` bytes in little-endian order.
fn ordered<const N: usize>(bytes: &[u8], big: bool) -> [u8; N] {
    let mut array = [0; N];
    for (to, from) in array.iter_mut().zip(bytes) {
        *to = *from;
    }
    if big {
        array.reverse();
    }
    array
}

/// The integer in these bytes: the low 64 bits, sign-extended from its width if signed.
fn integer(bytes: &[u8], big: bool, signed: bool) -> f64 {
    let mut little = bytes.to_vec();
    if big {
        little.reverse();
    }
    let width = little.len().min(8);
    let bits = little.iter().take(8).rev().fold(0_u64, |bits, &byte| bits << 8 | u64::from(byte));
    if !signed {
        return bits as f64;
    }
    let unused = u32::try_from(64 - 8 * width).unwrap_or(0);
    if unused >= 64 { 0.0 } else { (bits.cast_signed() << unused >> unused) as f64 }
}
