//! The number at the beginning of a text, as C's `strtod` reads it.

/// The number and its length in bytes; `None` if none begins here.
pub fn strtod(text: &[u8]) -> Option<(f64, usize)> {
    let (negative, body) = match text {
        [b'-', body @ ..] => (true, body),
        [b'+', body @ ..] => (false, body),
        body => (false, body),
    };
    let sign = text.len() - body.len();
    let (number, length) = word(body).or_else(|| hexadecimal(body)).or_else(|| decimal(body))?;
    Some((if negative { -number } else { number }, sign + length))
}

fn word(text: &[u8]) -> Option<(f64, usize)> {
    let begins = |word: &[u8]| text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    if begins(b"infinity") {
        Some((f64::INFINITY, 8))
    } else if begins(b"inf") {
        Some((f64::INFINITY, 3))
    } else if begins(b"nan") {
        Some((f64::NAN, 3))
    } else {
        None
    }
}

/// Number of leading digits.
fn digits(text: &[u8], is_digit: impl Fn(&u8) -> bool) -> usize {
    text.iter().take_while(|byte| is_digit(byte)).count()
}

fn hexadecimal(text: &[u8]) -> Option<(f64, usize)> {
    let body = text.strip_prefix(b"0x").or_else(|| text.strip_prefix(b"0X"))?;
    let whole = digits(body, u8::is_ascii_hexdigit);
    let mut length = whole;
    let mut part = 0;
    if body.get(whole) == Some(&b'.') {
        part = digits(body.get(whole + 1..).unwrap_or_default(), u8::is_ascii_hexdigit);
        length += 1 + part;
    }
    if whole + part == 0 {
        return None;
    }
    let mut number = 0.0;
    for &byte in body.get(..length).unwrap_or_default() {
        if let Some(digit) = char::from(byte).to_digit(16) {
            number = number * 16.0 + f64::from(digit);
        }
    }
    let mut exponent = -4 * i32::try_from(part).unwrap_or(i32::MAX / 4);
    if let Some(b'p' | b'P') = body.get(length) {
        let after = body.get(length + 1..).unwrap_or_default();
        let sign = usize::from(matches!(after.first(), Some(b'+' | b'-')));
        let count = digits(after.get(sign..).unwrap_or_default(), u8::is_ascii_digit);
        if count > 0 {
            let text = std::str::from_utf8(after.get(..sign + count).unwrap_or_default()).unwrap_or("0");
            exponent =
                exponent.saturating_add(text.parse().unwrap_or(if text.starts_with('-') { -9999 } else { 9999 }));
            length += 1 + sign + count;
        }
    }
    Some((number * 2.0_f64.powi(exponent.clamp(-4000, 4000)), 2 + length))
}

fn decimal(text: &[u8]) -> Option<(f64, usize)> {
    let whole = digits(text, u8::is_ascii_digit);
    let mut length = whole;
    let mut part = 0;
    if text.get(whole) == Some(&b'.') {
        part = digits(text.get(whole + 1..).unwrap_or_default(), u8::is_ascii_digit);
        length += 1 + part;
    }
    if whole + part == 0 {
        return None;
    }
    if let Some(b'e' | b'E') = text.get(length) {
        let after = text.get(length + 1..).unwrap_or_default();
        let sign = usize::from(matches!(after.first(), Some(b'+' | b'-')));
        let count = digits(after.get(sign..).unwrap_or_default(), u8::is_ascii_digit);
        if count > 0 {
            length += 1 + sign + count;
        }
    }
    let number = std::str::from_utf8(text.get(..length)?).ok()?.parse().ok()?;
    Some((number, length))
}
