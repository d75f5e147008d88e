//! Writing replies and commands as bytes, exactly as Redis 7.0 writes them in RESP2 and RESP3.
use crate::{Protocol, Value, decimal::Decimal};

/// Appends `value` to `out` as Redis 7.0 would write it to a connection that speaks `protocol`.
///
/// RESP2 has five types: maps become flat arrays, sets and pushes become arrays, doubles, big numbers and verbatim texts become bulk
/// strings, and booleans become `:1` and `:0`. RESP2 has two kinds of null (`$-1`, `*-1`), RESP3 only one (`_`).
///
/// ```
/// use resp::{Protocol, Value, encode::encode};
/// let reply = Value::Map(vec![(Value::bulk("score"), Value::Double(0.1))]);
/// let (mut two, mut three) = (Vec::new(), Vec::new());
/// encode(&reply, Protocol::Resp2, &mut two);
/// encode(&reply, Protocol::Resp3, &mut three);
/// assert_eq!(two, b"*2\r\n$5\r\nscore\r\n$19\r\n0.10000000000000001\r\n");
/// assert_eq!(three, b"%1\r\n$5\r\nscore\r\n,0.10000000000000001\r\n");
/// ```
pub fn encode(value: &Value, protocol: Protocol, out: &mut Vec<u8>) {
    let resp3 = protocol == Protocol::Resp3;
    match value {
        Value::Simple(text) if **text == *b"OK" => out.extend_from_slice(b"+OK\r\n"),
        Value::Simple(text) => line(b'+', text, out),
        Value::Error(text) => line(b'-', text, out),
        Value::Integer(n) => integer(b':', *n, out),
        Value::Bulk(bytes) => bulk(bytes, out),
        Value::Null | Value::NullArray if resp3 => out.extend_from_slice(b"_\r\n"),
        Value::Null => out.extend_from_slice(b"$-1\r\n"),
        Value::NullArray => out.extend_from_slice(b"*-1\r\n"),
        Value::Array(items) => aggregate(b'*', items, protocol, out),
        Value::Set(items) => aggregate(if resp3 { b'~' } else { b'*' }, items, protocol, out),
        Value::Push(items) => aggregate(if resp3 { b'>' } else { b'*' }, items, protocol, out),
        Value::Map(pairs) => {
            if resp3 {
                header(b'%', pairs.len(), out);
            } else {
                header(b'*', pairs.len().saturating_mul(2), out);
            }
            for (key, value) in pairs {
                encode(key, protocol, out);
                encode(value, protocol, out);
            }
        }
        Value::Double(d) if resp3 => {
            out.push(b',');
            double_text(*d, out);
            out.extend_from_slice(b"\r\n");
        }
        Value::Double(d) => {
            let mut text = Vec::with_capacity(24);
            double_text(*d, &mut text);
            bulk(&text, out);
        }
        Value::Boolean(yes) if resp3 => out.extend_from_slice(if *yes { b"#t\r\n" } else { b"#f\r\n" }),
        Value::Boolean(yes) => out.extend_from_slice(if *yes { b":1\r\n" } else { b":0\r\n" }),
        Value::WideDouble(digits) if resp3 => line(b',', digits, out),
        Value::BigNumber(digits) if resp3 => line(b'(', digits, out),
        Value::WideDouble(digits) | Value::BigNumber(digits) => bulk(digits, out),
        Value::Verbatim(format, text) if resp3 => {
            header(b'=', text.len().saturating_add(4), out);
            out.extend_from_slice(format);
            out.push(b':');
            out.extend_from_slice(text);
            out.extend_from_slice(b"\r\n");
        }
        Value::Verbatim(_, text) => bulk(text, out),
    }
}

/// The value that a RESP2 client reads after [`encode`] has written this reply: only the five types of RESP2.
///
/// ```
/// use resp::{Value, encode::in_resp2};
/// let score = Value::Map(vec![(Value::bulk("score"), Value::Double(0.1))]);
/// assert_eq!(in_resp2(score), Value::Array(vec![Value::bulk("score"), Value::bulk("0.10000000000000001")]));
/// ```
pub fn in_resp2(value: Value) -> Value {
    let array = |items: Vec<Value>| Value::Array(items.into_iter().map(in_resp2).collect());
    match value {
        Value::Array(items) | Value::Set(items) | Value::Push(items) => array(items),
        Value::Map(pairs) => array(pairs.into_iter().flat_map(|(key, value)| [key, value]).collect()),
        Value::Double(d) => {
            let mut text = Vec::with_capacity(24);
            double_text(d, &mut text);
            Value::bulk(text)
        }
        Value::Boolean(yes) => Value::flag(yes),
        Value::WideDouble(text) | Value::BigNumber(text) | Value::Verbatim(_, text) => Value::Bulk(text),
        Value::Simple(_) | Value::Error(_) | Value::Integer(_) | Value::Bulk(_) | Value::Null | Value::NullArray => {
            value
        }
    }
}

/// Appends a command as a client sends it: an array of bulk strings.
///
/// ```
/// let mut out = Vec::new();
/// resp::encode::encode_command(&["GET", "k"], &mut out);
/// assert_eq!(out, b"*2\r\n$3\r\nGET\r\n$1\r\nk\r\n");
/// ```
pub fn encode_command(argv: &[impl AsRef<[u8]>], out: &mut Vec<u8>) {
    header(b'*', argv.len(), out);
    for argument in argv {
        bulk(argument.as_ref(), out);
    }
}

/// Appends `d` as Redis 7.0 prints a double in a reply: C's `%.17g`, with `inf`, `-inf`, `nan`
/// (and `-nan`, as the C library prints a NaN whose sign bit is set).
///
/// ```
/// let text = |d| { let mut out = Vec::new(); resp::encode::double_text(d, &mut out); String::from_utf8(out).unwrap() };
/// assert_eq!(text(3.0), "3");
/// assert_eq!(text(0.1), "0.10000000000000001");
/// assert_eq!(text(1e17), "1e+17");
/// assert_eq!(text(-0.0), "-0");
/// ```
pub fn double_text(d: f64, out: &mut Vec<u8>) {
    if d.is_nan() {
        out.extend_from_slice(if d.is_sign_negative() { b"-nan" } else { b"nan" });
    } else if d.is_infinite() {
        out.extend_from_slice(if d > 0.0 { b"inf" } else { b"-inf" });
    } else if d.abs() < 1e17 && d.trunc() == d && !(d == 0.0 && d.is_sign_negative()) {
        // Most scores are integers, and below 10^17 `%.17g` prints all of their digits.
        out.extend_from_slice(itoa::Buffer::new().format(d as i64).as_bytes());
    } else {
        fraction_text(d, out);
    }
}

/// `%.17g` of a finite number: 17 significant digits, trailing zeros dropped, and an exponent of
/// at least two digits when it is below -4 or from 17 up.
fn fraction_text(d: f64, out: &mut Vec<u8>) {
    let mut decimal = Decimal::of(d);
    decimal.keep(17);
    let significant = decimal.digits.iter().rposition(|&digit| digit != 0).map_or(0, |last| last.saturating_add(1));
    decimal.digits.truncate(significant);
    if significant == 0 {
        decimal = Decimal { digits: vec![0], point: 1 };
    }
    let exponent = decimal.point.saturating_sub(1);
    let digits: Vec<u8> = decimal.digits.iter().map(|digit| b'0'.saturating_add(*digit)).collect();
    if d.is_sign_negative() {
        out.push(b'-');
    }
    if (-4..17).contains(&exponent) {
        positional(&digits, exponent, out);
    } else {
        with_point(&digits, 1, out);
        out.push(b'e');
        out.push(if exponent < 0 { b'-' } else { b'+' });
        if exponent.unsigned_abs() < 10 {
            out.push(b'0');
        }
        out.extend_from_slice(itoa::Buffer::new().format(exponent.unsigned_abs()).as_bytes());
    }
}

/// Writes d₀.d₁d₂… × 10^exponent in positional notation.
fn positional(digits: &[u8], exponent: i32, out: &mut Vec<u8>) {
    match usize::try_from(exponent) {
        Ok(exponent) => with_point(digits, exponent.saturating_add(1), out),
        Err(_) => {
            out.extend_from_slice(b"0.");
            for _ in 1..exponent.unsigned_abs() {
                out.push(b'0');
            }
            out.extend_from_slice(digits);
        }
    }
}

/// Writes digits with a decimal point after the first `whole` of them, padded with zeros if there are fewer.
fn with_point(digits: &[u8], whole: usize, out: &mut Vec<u8>) {
    let (before, after) = digits.split_at(whole.min(digits.len()));
    out.extend_from_slice(before);
    for _ in before.len()..whole {
        out.push(b'0');
    }
    if !after.is_empty() {
        out.push(b'.');
        out.extend_from_slice(after);
    }
}

fn integer(kind: u8, n: i64, out: &mut Vec<u8>) {
    out.push(kind);
    out.extend_from_slice(itoa::Buffer::new().format(n).as_bytes());
    out.extend_from_slice(b"\r\n");
}

fn header(kind: u8, count: usize, out: &mut Vec<u8>) {
    out.push(kind);
    out.extend_from_slice(itoa::Buffer::new().format(count).as_bytes());
    out.extend_from_slice(b"\r\n");
}

fn bulk(bytes: &[u8], out: &mut Vec<u8>) {
    if !short_bulk(bytes, out) {
        header(b'$', bytes.len(), out);
        out.extend_from_slice(bytes);
        out.extend_from_slice(b"\r\n");
    }
}

/// Longest bulk string that counts as short, in bytes.
const SHORT_MAX: usize = 32;
/// The header lines (`$5\r\n`) of short bulk strings, by length.
const SHORT_HEADS: [[u8; 5]; SHORT_MAX + 1] = {
    let mut heads = [[0; 5]; SHORT_MAX + 1];
    let (mut rest, mut len) = (heads.as_mut_slice(), 0u8);
    while let Some((head, more)) = rest.split_first_mut() {
        let (ten, one) = (b'0' + len / 10, b'0' + len % 10);
        *head = if len < 10 { [b'$', one, b'\r', b'\n', 0] } else { [b'$', ten, one, b'\r', b'\n'] };
        (rest, len) = (more, len + 1);
    }
    heads
};

/// Writes a short bulk string, the usual case: it is assembled in a fixed array and appended in one call. Returns false if the string is
/// too long.
fn short_bulk(bytes: &[u8], out: &mut Vec<u8>) -> bool {
    let len = bytes.len();
    let Some(text) = SHORT_HEADS.get(len) else { return false };
    let head = if len < 10 { 4 } else { 5 };
    let mut frame = [0; 5 + SHORT_MAX + 2];
    if let Some(front) = frame.first_chunk_mut() {
        *front = *text;
    }
    let Some((to, end)) = frame.get_mut(head..).and_then(|rest| rest.split_at_mut_checked(len)) else { return false };
    copy_short(bytes, to);
    if let Some(end) = end.first_chunk_mut() {
        *end = *b"\r\n";
    }
    let whole = out.len().saturating_add(head + len + 2);
    out.extend_from_slice(&frame);
    out.truncate(whole);
    true
}

/// Copies up to 32 bytes as a front and a back that may overlap: four instructions, while a copy of a length known only at run time is a
/// function call.
fn copy_short(from: &[u8], to: &mut [u8]) {
    fn ends<const N: usize>(from: &[u8], to: &mut [u8]) -> Option<()> {
        *to.first_chunk_mut::<N>()? = *from.first_chunk()?;
        *to.last_chunk_mut::<N>()? = *from.last_chunk()?;
        Some(())
    }
    let done = match from.len() {
        0..4 => None,
        4..8 => ends::<4>(from, to),
        8..16 => ends::<8>(from, to),
        _ => ends::<16>(from, to),
    };
    let middle = from.len() / 2;
    if done.is_none()
        && let (Some(first), Some(second), Some(last)) = (from.first(), from.get(middle), from.last())
    {
        // At most three bytes.
        to.first_mut().into_iter().for_each(|to| *to = *first);
        to.get_mut(middle).into_iter().for_each(|to| *to = *second);
        to.last_mut().into_iter().for_each(|to| *to = *last);
    }
}

/// Writes a value of a line type (status, error …). A line end inside the text would break the stream, so it becomes a space, as in Redis'
/// own error replies.
fn line(kind: u8, text: &[u8], out: &mut Vec<u8>) {
    out.push(kind);
    if memchr::memchr2(b'\r', b'\n', text).is_none() {
        out.extend_from_slice(text);
    } else {
        out.extend(text.iter().map(|&b| if b == b'\r' || b == b'\n' { b' ' } else { b }));
    }
    out.extend_from_slice(b"\r\n");
}

fn aggregate(kind: u8, items: &[Value], protocol: Protocol, out: &mut Vec<u8>) {
    header(kind, items.len(), out);
    for item in items {
        match item {
            Value::Bulk(bytes) => bulk(bytes, out),
            item => encode(item, protocol, out),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bulk_strings_of_any_length_are_framed() {
        for len in 0..70usize {
            let bytes: Vec<u8> = (0..len).map(|at| b'a' + (at % 26) as u8).collect();
            let mut out = b"before".to_vec();
            encode(&Value::Array(vec![Value::bulk(bytes.clone())]), Protocol::Resp2, &mut out);
            let expected = [format!("before*1\r\n${len}\r\n").as_bytes(), &bytes, b"\r\n"].concat();
            assert_eq!(out, expected);
        }
    }
}
