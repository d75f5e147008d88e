//! Numbers as C prints them, and `string.format`.
use crate::native::{self, Returns};
use lua_types::LuaError;
use lua_vm::state::LuaState;

/// A number as `tostring` prints it: `%.14g`.
pub fn number_text(number: f64) -> Vec<u8> {
    general(number, 14, false)
}

/// A number as Redis prints it in a command's arguments: `%.17g`.
pub fn number_text_17(number: f64) -> Vec<u8> {
    general(number, 17, false)
}

/// A number as `cjson` prints it: `%.<digits>g`.
pub fn number_text_of(number: f64, digits: usize) -> Vec<u8> {
    general(number, digits, false)
}

/// The part of a conversion between `%` and its letter.
#[derive(Default)]
struct Spec {
    minus: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
}

/// `string.format(format, …)`
pub fn format(state: &mut LuaState) -> Returns {
    let format = native::string(state, 1)?.as_bytes().to_vec();
    let mut out = Vec::with_capacity(format.len());
    let mut rest = format.as_slice();
    let mut argument = 1;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        if let Some(after) = rest.strip_prefix(b"%") {
            out.push(b'%');
            rest = after;
            continue;
        }
        argument += 1;
        let spec;
        (spec, rest) = self::spec(state, rest)?;
        let letter = rest.first().copied();
        rest = rest.get(1..).unwrap_or_default();
        if letter.is_some_and(|letter| b"cdiouxXeEfgGqs".contains(&letter)) && native::is_none(state, argument) {
            return native::bad_argument(state, argument, "no value");
        }
        one(state, &mut out, letter, &spec, argument)?;
        native::reserve(state, out.len())?;
        native::charge(state, 8)?;
    }
    native::push(state, &out)?;
    Ok(1)
}

/// Reads flags, width and precision.
fn spec<'a>(state: &mut LuaState, text: &'a [u8]) -> Result<(Spec, &'a [u8]), LuaError> {
    let mut spec = Spec::default();
    let mut rest = text;
    let mut flags = 0;
    while let Some((&byte, after)) = rest.split_first() {
        match byte {
            b'-' => spec.minus = true,
            b'+' => spec.plus = true,
            b' ' => spec.space = true,
            b'#' => spec.alternate = true,
            b'0' => spec.zero = true,
            _ => break,
        }
        flags += 1;
        rest = after;
    }
    if flags > 5 {
        return native::fail(state, "invalid format (repeated flags)");
    }
    (spec.width, rest) = up_to_two_digits(rest);
    let mut precision = None;
    if let Some(after) = rest.strip_prefix(b".") {
        let number;
        (number, rest) = up_to_two_digits(after);
        precision = Some(number);
    }
    spec.precision = precision;
    if rest.first().is_some_and(u8::is_ascii_digit) {
        return native::fail(state, "invalid format (width or precision too long)");
    }
    Ok((spec, rest))
}

/// The number at the beginning of a text, at most two digits; 0 if there is none.
fn up_to_two_digits(mut text: &[u8]) -> (usize, &[u8]) {
    let mut number = 0;
    for _ in 0..2 {
        let Some((digit @ b'0'..=b'9', after)) = text.split_first() else { break };
        number = number * 10 + usize::from(digit - b'0');
        text = after;
    }
    (number, text)
}

/// Prints one argument.
fn one(
    state: &mut LuaState,
    out: &mut Vec<u8>,
    letter: Option<u8>,
    spec: &Spec,
    argument: i32,
) -> Result<(), LuaError> {
    match letter {
        Some(b'c') => {
            let byte = native::integer(state, argument)? as u8;
            let mut text = Vec::new();
            pad(&mut text, spec, &[byte], false);
            out.extend_from_slice(until_zero(&text));
        }
        Some(b'd' | b'i') => {
            let number = native::integer(state, argument)?;
            integer(out, spec, number < 0, number.unsigned_abs().to_string().into_bytes(), true);
        }
        Some(b'u') => {
            let number = unsigned(native::number(state, argument)?);
            integer(out, spec, false, number.to_string().into_bytes(), false);
        }
        Some(b'o') => {
            let number = unsigned(native::number(state, argument)?);
            let mut digits = format!("{number:o}");
            if spec.alternate && !digits.starts_with('0') {
                digits.insert(0, '0');
            }
            integer(out, spec, false, digits.into_bytes(), false);
        }
        Some(letter @ (b'x' | b'X')) => {
            let number = unsigned(native::number(state, argument)?);
            let mut digits = format!("{number:x}");
            if spec.alternate && number != 0 {
                digits.insert_str(0, "0x");
            }
            if letter == b'X' {
                digits.make_ascii_uppercase();
            }
            integer(out, spec, false, digits.into_bytes(), false);
        }
        Some(letter @ (b'e' | b'E' | b'f' | b'g' | b'G')) => {
            let number = native::number(state, argument)?;
            let precision = spec.precision.unwrap_or(6);
            let mut text = match letter {
                b'e' | b'E' => exponential(number.abs(), precision, spec.alternate),
                b'f' => fixed(number.abs(), precision, spec.alternate),
                _ => general(number.abs(), precision.max(1), spec.alternate),
            };
            if !number.is_finite() {
                text = if number.is_nan() { b"nan".to_vec() } else { b"inf".to_vec() };
            }
            if letter.is_ascii_uppercase() {
                text.make_ascii_uppercase();
            }
            signed(out, spec, is_negative(number), &text, number.is_finite());
        }
        Some(b'q') => {
            let text = native::string(state, argument)?;
            quoted(out, text.as_bytes());
        }
        Some(b's') => {
            let text = native::string(state, argument)?;
            let mut text = text.as_bytes();
            // Lua formats short strings with C's `printf`, which ends them at a zero byte.
            if text.len() < 100 || spec.precision.is_some() {
                text = until_zero(text);
            } else {
                out.extend_from_slice(text);
                return Ok(());
            }
            let cut = spec.precision.unwrap_or(text.len()).min(text.len());
            pad(out, spec, text.get(..cut).unwrap_or_default(), false);
        }
        other => {
            let mut message = b"invalid option '%".to_vec();
            message.extend(other);
            message.extend_from_slice(b"' to 'format'");
            return native::fail(state, message);
        }
    }
    Ok(())
}

/// The bytes before a zero byte.
fn until_zero(text: &[u8]) -> &[u8] {
    let end = text.iter().position(|&byte| byte == 0).unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}

/// The sign that C prints, also for NaN: on x86, `0/0` gives a negative one.
fn is_negative(number: f64) -> bool {
    if number.is_nan() { true } else { number.is_sign_negative() }
}

/// Casts to `unsigned long long` like C on x86.
fn unsigned(number: f64) -> u64 {
    const END: f64 = 18_446_744_073_709_551_616.0;
    if number < 0.0 || number.is_nan() {
        native::to_i64(number).cast_unsigned()
    } else if number >= END {
        0
    } else {
        number as u64
    }
}

/// Digits with their sign, zero-padded to the precision. An explicit precision disables the flag `0`.
fn integer(out: &mut Vec<u8>, spec: &Spec, negative: bool, digits: Vec<u8>, with_sign: bool) {
    let mut digits = digits;
    if let Some(precision) = spec.precision {
        if precision == 0 && digits == b"0" {
            digits.clear();
        }
        let (prefix, body) = match digits.get(..2) {
            Some(b"0x" | b"0X") => digits.split_at(2),
            _ => digits.split_at(0),
        };
        let zeros = vec![b'0'; precision.saturating_sub(body.len())];
        digits = [prefix, &zeros, body].concat();
    }
    if with_sign {
        signed(out, spec, negative, &digits, spec.precision.is_none());
    } else {
        pad(out, spec, &digits, spec.zero && !spec.minus && spec.precision.is_none());
    }
}

/// Puts the sign before a text and pads both; zeros go between them.
fn signed(out: &mut Vec<u8>, spec: &Spec, negative: bool, text: &[u8], may_zero: bool) {
    let sign: &[u8] = match (negative, spec.plus, spec.space) {
        (true, ..) => b"-",
        (_, true, _) => b"+",
        (.., true) => b" ",
        _ => b"",
    };
    if spec.zero && !spec.minus && may_zero {
        out.extend_from_slice(sign);
        out.extend(std::iter::repeat_n(b'0', spec.width.saturating_sub(sign.len() + text.len())));
        out.extend_from_slice(text);
    } else {
        pad(out, spec, &[sign, text].concat(), false);
    }
}

/// Pads to the width; a prefix `0x` stays before zeros.
fn pad(out: &mut Vec<u8>, spec: &Spec, text: &[u8], zeros: bool) {
    let missing = spec.width.saturating_sub(text.len());
    if spec.minus {
        out.extend_from_slice(text);
        out.extend(std::iter::repeat_n(b' ', missing));
    } else if zeros {
        let (prefix, body) = match text.get(..2) {
            Some(b"0x" | b"0X") => text.split_at(2),
            _ => text.split_at(0),
        };
        out.extend_from_slice(prefix);
        out.extend(std::iter::repeat_n(b'0', missing));
        out.extend_from_slice(body);
    } else {
        out.extend(std::iter::repeat_n(b' ', missing));
        out.extend_from_slice(text);
    }
}

/// A quoted string that Lua can read again (`%q`).
fn quoted(out: &mut Vec<u8>, text: &[u8]) {
    out.push(b'"');
    for &byte in text {
        match byte {
            b'"' | b'\\' | b'\n' => out.extend_from_slice(&[b'\\', byte]),
            b'\r' => out.extend_from_slice(b"\\r"),
            0 => out.extend_from_slice(b"\\000"),
            _ => out.push(byte),
        }
    }
    out.push(b'"');
}

/// `%.<precision>f` of a non-negative number.
fn fixed(number: f64, precision: usize, alternate: bool) -> Vec<u8> {
    let mut text = format!("{number:.precision$}").into_bytes();
    if alternate && precision == 0 {
        text.push(b'.');
    }
    text
}

/// `%.<precision>e` of a non-negative number.
fn exponential(number: f64, precision: usize, alternate: bool) -> Vec<u8> {
    let (digits, exponent) = parts(number, precision);
    let mut text = digits.into_bytes();
    if alternate && precision == 0 {
        text.push(b'.');
    }
    push_exponent(&mut text, exponent);
    text
}

/// Digits with a decimal point, and the exponent of ten. Rust rounds the exact decimal value half to even, like C.
fn parts(number: f64, precision: usize) -> (String, i32) {
    let text = format!("{number:.precision$e}");
    match text.split_once('e') {
        Some((digits, exponent)) => (digits.to_owned(), exponent.parse().unwrap_or(0)),
        None => (text, 0),
    }
}

fn push_exponent(text: &mut Vec<u8>, exponent: i32) {
    let sign = if exponent < 0 { '-' } else { '+' };
    text.extend_from_slice(format!("e{sign}{:02}", exponent.unsigned_abs()).as_bytes());
}

/// `%.<digits>g`, sign included.
fn general(number: f64, digits: usize, alternate: bool) -> Vec<u8> {
    if number.is_nan() {
        // The sign of a NaN differs with the platform; on x86, where Redis runs, `0/0` has one.
        return b"-nan".to_vec();
    }
    let mut text = if number.is_sign_negative() { b"-".to_vec() } else { Vec::new() };
    let number = number.abs();
    if number.is_infinite() {
        text.extend_from_slice(b"inf");
        return text;
    }
    let digits = digits.max(1);
    // Fast path for small integers, which need no rounding.
    if number < 1e9 && number.fract() == 0.0 && digits >= 9 && !alternate {
        text.extend_from_slice((number as u32).to_string().as_bytes());
        return text;
    }
    let (mantissa, exponent) = parts(number, digits - 1);
    let digits_wanted = i32::try_from(digits).unwrap_or(i32::MAX);
    let scientific = exponent < -4 || exponent >= digits_wanted;
    let mut body = if scientific {
        mantissa
    } else {
        let precision = usize::try_from(digits_wanted - 1 - exponent).unwrap_or(0);
        format!("{number:.precision$}")
    };
    if alternate {
        if !body.contains('.') {
            body.push('.');
        }
    } else if body.contains('.') {
        body.truncate(body.trim_end_matches('0').trim_end_matches('.').len());
    }
    text.extend_from_slice(body.as_bytes());
    if scientific {
        push_exponent(&mut text, exponent);
    }
    text
}

/// Adds `format` to the library on top of the stack.
pub fn install(state: &mut LuaState) -> Result<(), LuaError> {
    let function = native::function(state, format);
    native::set_field(state, b"format", function)
}
