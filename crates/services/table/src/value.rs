//! Values: conversion to text and numbers, order, and conversion to the type of a column.
//!
//! Text is compared as in `utf8mb4_general_ci` for ASCII: case and trailing spaces are ignored. Other characters are equal
//! only if their bytes are equal. (A trailing control character sorts after the end of a text, while MySQL pads with spaces.)
use crate::answer::{Cell, Failure};
use crate::error::{join, lossy};
use crate::schema::{Column, Kind};
use crate::time;
use bytes::Bytes;
use std::cmp::Ordering;

/// Powers of ten up to 10^18.
pub(crate) fn ten_to(digits: u8) -> Option<i64> {
    10i64.checked_pow(u32::from(digits))
}

/// Rescales `units / 10^digits` to another number of decimal digits, rounded half away from zero.
pub(crate) fn rescale(units: i64, from: u8, to: u8) -> Option<i64> {
    if to >= from {
        return units.checked_mul(ten_to(to - from)?);
    }
    let divisor = ten_to(from - to)?;
    let (whole, rest) = (units / divisor, units % divisor);
    Some(if rest.unsigned_abs() >= divisor.unsigned_abs().div_ceil(2) { whole + units.signum() } else { whole })
}

/// The text of a number with `digits` decimal digits.
pub(crate) fn number(units: i64, digits: u8) -> Cell {
    if digits == 0 { Cell::Integer(units) } else { Cell::Decimal { units, digits } }
}

/// The number at the start of a text: units, decimal digits, bytes read. Without a digit, 0 bytes are read.
pub(crate) fn leading_number(text: &[u8]) -> (i64, u8, usize) {
    let mut at = text.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let is_negative = text.get(at) == Some(&b'-');
    at += usize::from(matches!(text.get(at), Some(b'-' | b'+')));
    let (mut units, mut digits, mut seen, mut point) = (0i64, 0u8, false, false);
    while let Some(byte) = text.get(at) {
        match byte {
            b'0'..=b'9' => {
                seen = true;
                let more = units.checked_mul(10).and_then(|n| n.checked_sub(i64::from(byte - b'0')));
                match more {
                    Some(more) if digits < 15 => {
                        units = more;
                        digits += u8::from(point);
                    }
                    // Too many digits: after the decimal point they are dropped, before it the number is too great.
                    _ if point => {}
                    _ => units = i64::MIN,
                }
            }
            b'.' if !point => point = true,
            _ => break,
        }
        at += 1;
    }
    if !seen {
        return (0, 0, 0);
    }
    (if is_negative { units } else { units.checked_neg().unwrap_or(i64::MAX) }, digits, at)
}

/// A number literal of a statement; `None` if it is too great.
pub(crate) fn number_literal(text: &[u8]) -> Option<Cell> {
    let (units, digits, _) = leading_number(text);
    (units != i64::MAX || text == b"9223372036854775807").then(|| number(units, digits))
}

/// Upper case without trailing spaces: texts are equal if this form is equal.
pub(crate) fn folded(text: &[u8]) -> impl Iterator<Item = u8> + '_ {
    let end = text.iter().rposition(|byte| *byte != b' ').map_or(0, |last| last + 1);
    text.iter().take(end).map(u8::to_ascii_uppercase)
}

impl Cell {
    /// The displayed text; `NULL` for `Null`.
    pub fn to_text(&self) -> Bytes {
        match self {
            Cell::Null => Bytes::from_static(b"NULL"),
            Cell::Integer(n) => n.to_string().into(),
            Cell::Decimal { units, digits } => {
                let mut text = units.unsigned_abs().to_string();
                let digits = usize::from(*digits);
                while text.len() <= digits {
                    text.insert(0, '0');
                }
                if digits > 0 {
                    text.insert(text.len() - digits, '.');
                }
                if *units < 0 {
                    text.insert(0, '-');
                }
                text.into()
            }
            Cell::Text(text) => text.clone(),
            Cell::DateTime { micros, digits } => time::format(*micros, *digits).into(),
        }
    }

    /// The form of the value in an answer.
    pub(crate) fn shown(&self) -> Cell {
        match self {
            Cell::Decimal { .. } | Cell::DateTime { .. } => Cell::Text(self.to_text()),
            other => other.clone(),
        }
    }

    /// Converts to text; `Null` remains `Null`.
    pub(crate) fn shown_text(&self) -> Cell {
        if *self == Cell::Null { Cell::Null } else { Cell::Text(self.to_text()) }
    }

    /// Converts to a number: units and decimal digits. `None` for `NULL`. A text is converted from its numeric prefix.
    pub(crate) fn number(&self) -> Option<(i64, u8)> {
        match self {
            Cell::Null => None,
            Cell::Integer(n) => Some((*n, 0)),
            Cell::Decimal { units, digits } => Some((*units, *digits)),
            Cell::Text(text) => {
                let (units, digits, _) = leading_number(text);
                Some((units, digits))
            }
            Cell::DateTime { micros, digits } => {
                let text: Vec<u8> =
                    time::format(*micros, *digits).bytes().filter(|b| matches!(b, b'0'..=b'9' | b'.')).collect();
                let (units, digits, _) = leading_number(&text);
                Some((units, digits))
            }
        }
    }

    /// The truth value; `None` for `NULL`.
    pub(crate) fn truth(&self) -> Option<bool> {
        self.number().map(|(units, _)| units != 0)
    }

    /// Converts to a point in time.
    pub(crate) fn time(&self) -> Option<(i64, u8)> {
        match self {
            Cell::DateTime { micros, digits } => Some((*micros, *digits)),
            Cell::Text(text) => time::parse(text),
            Cell::Integer(n) => time::of_number(*n).map(|micros| (micros, 0)),
            _ => None,
        }
    }

    /// Compares two values; `None` if one is `NULL`.
    pub(crate) fn compare(&self, other: &Cell) -> Option<Ordering> {
        match (self, other) {
            (Cell::Null, _) | (_, Cell::Null) => None,
            (Cell::Text(a), Cell::Text(b)) => Some(folded(a).cmp(folded(b))),
            (Cell::DateTime { .. }, Cell::Text(b)) | (Cell::Text(b), Cell::DateTime { .. }) => {
                match (self.time(), other.time()) {
                    (Some((a, _)), Some((b, _))) => Some(a.cmp(&b)),
                    _ if matches!(self, Cell::Text(_)) => Some(folded(b).cmp(folded(&other.to_text()))),
                    _ => Some(folded(&self.to_text()).cmp(folded(b))),
                }
            }
            (Cell::DateTime { micros: a, .. }, Cell::DateTime { micros: b, .. }) => Some(a.cmp(b)),
            _ => {
                let ((a, p), (b, q)) = (self.number()?, other.number()?);
                let digits = p.max(q);
                match (rescale(a, p, digits), rescale(b, q, digits)) {
                    (Some(a), Some(b)) => Some(a.cmp(&b)),
                    // So great that decimal digits do not matter.
                    _ => Some((a / ten_to(p)?).cmp(&(b / ten_to(q)?))),
                }
            }
        }
    }

    /// Appends its index encoding: byte order equals value order, and no encoding is a prefix of another.
    pub(crate) fn encode(&self, key: &mut Vec<u8>) {
        let number = match self {
            Cell::Null => return key.push(0),
            Cell::Text(text) => {
                key.push(1);
                for byte in folded(text) {
                    key.push(byte);
                    if byte == 0 {
                        key.push(0xff);
                    }
                }
                return key.extend([0, 0]);
            }
            Cell::Integer(n) | Cell::Decimal { units: n, .. } | Cell::DateTime { micros: n, .. } => *n,
        };
        key.push(1);
        key.extend((number.cast_unsigned() ^ (1 << 63)).to_be_bytes());
    }
}

impl Kind {
    /// The smallest and the greatest integer of the type.
    pub(crate) fn range(self) -> (i64, i64) {
        match self {
            Kind::Integer { size: 8, unsigned, .. } => (if unsigned { 0 } else { i64::MIN }, i64::MAX),
            Kind::Integer { size, unsigned, .. } => {
                let count = 1i64 << (u32::from(size) * 8).min(62);
                if unsigned { (0, count - 1) } else { (-count / 2, count / 2 - 1) }
            }
            _ => (i64::MIN, i64::MAX),
        }
    }

    /// As `DESCRIBE` shows it.
    pub fn text(self) -> String {
        let with = |name: &str, n: u32| join(&[name, "(", &n.to_string(), ")"]);
        match self {
            Kind::Integer { size, unsigned, width } => {
                let name = match size {
                    1 => "tinyint",
                    2 => "smallint",
                    4 => "int",
                    _ => "bigint",
                };
                with(name, width) + if unsigned { " unsigned" } else { "" }
            }
            Kind::Char(n) => with("char", n),
            Kind::Varchar(n) => with("varchar", n),
            Kind::Text => "text".into(),
            Kind::DateTime(0) => "datetime".into(),
            Kind::DateTime(n) => with("datetime", u32::from(n)),
        }
    }

    pub(crate) fn is_numeric(self) -> bool {
        matches!(self, Kind::Integer { .. })
    }
}

/// Converts a value to the type of a column. `row` is the number of the row in the statement, from 1, for messages.
///
/// # Errors
/// 1048, 1264, 1265, 1292, 1366, 1406.
pub(crate) fn store(column: &Column, cell: &Cell, row: usize) -> Result<Cell, Box<Failure>> {
    let name = || lossy(&column.name);
    let at_row = |code, state: &[u8; 5], start: &str| {
        Failure::new(code, state, join(&[start, " for column '", &name(), "' at row ", &row.to_string()]))
    };
    let incorrect = |code, state: &[u8; 5], what: &str| {
        at_row(code, state, &join(&["Incorrect ", what, " value: '", &lossy(&cell.to_text()), "'"]))
    };
    if *cell == Cell::Null {
        if column.is_nullable {
            return Ok(Cell::Null);
        }
        return Err(Failure::new(1048, b"23000", join(&["Column '", &name(), "' cannot be null"])));
    }
    match column.kind {
        Kind::Integer { .. } => {
            if let Cell::Text(text) = cell {
                let (_, _, read) = leading_number(text);
                let rest = text.get(read..).unwrap_or_default();
                if read == 0 {
                    return Err(incorrect(1366, b"HY000", "integer"));
                }
                if rest.iter().any(|byte| *byte != b' ') {
                    return Err(at_row(1265, b"01000", "Data truncated"));
                }
            }
            let (low, high) = column.kind.range();
            match cell.number().and_then(|(units, digits)| rescale(units, digits, 0)) {
                Some(n) if (low..=high).contains(&n) => Ok(Cell::Integer(n)),
                _ => Err(Failure::new(
                    1264,
                    b"22003",
                    join(&["Out of range value for column '", &name(), "' at row ", &row.to_string()]),
                )),
            }
        }
        Kind::Char(_) | Kind::Varchar(_) | Kind::Text => {
            let mut text = cell.to_text();
            let fits = |text: &[u8]| match column.kind {
                Kind::Char(n) | Kind::Varchar(n) => characters(text) <= n as usize,
                _ => text.len() <= 65_535,
            };
            if matches!(column.kind, Kind::Char(_)) || !fits(&text) {
                // Excess spaces are truncated silently.
                let mut end = text.len();
                while end > 0
                    && text.get(end - 1) == Some(&b' ')
                    && (matches!(column.kind, Kind::Char(_)) || !fits(text.get(..end).unwrap_or_default()))
                {
                    end -= 1;
                }
                text = text.slice(..end);
            }
            if fits(&text) { Ok(Cell::Text(text)) } else { Err(at_row(1406, b"22001", "Data too long")) }
        }
        Kind::DateTime(digits) => match cell.time() {
            Some((micros, _)) => {
                let micros = rescale(micros, 6, digits).and_then(|n| rescale(n, digits, 6));
                micros.map_or_else(
                    || Err(incorrect(1292, b"22007", "datetime")),
                    |micros| Ok(Cell::DateTime { micros, digits }),
                )
            }
            None => Err(incorrect(1292, b"22007", "datetime")),
        },
    }
}

/// Number of characters.
pub(crate) fn characters(text: &[u8]) -> usize {
    text.iter().filter(|byte| (**byte & 0xc0) != 0x80).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn encoded(cell: &Cell) -> Vec<u8> {
        let mut key = Vec::new();
        cell.encode(&mut key);
        key
    }

    #[test]
    fn decimals_are_written_with_all_their_digits() {
        for (units, digits, text) in [(15, 1, "1.5"), (-5, 3, "-0.005"), (0, 2, "0.00"), (1234, 0, "1234")] {
            assert_eq!(Cell::Decimal { units, digits }.to_text(), text.as_bytes());
        }
        assert_eq!((rescale(25, 1, 0), rescale(-25, 1, 0), rescale(24, 1, 0)), (Some(3), Some(-3), Some(2)));
        assert_eq!((leading_number(b" -12.50x"), leading_number(b"x")), ((-1250, 2, 7), (0, 0, 0)));
    }

    proptest! {
        #[test]
        fn entries_of_an_index_are_ordered_as_their_values(a in "[ -~]{0,4}", b in "[ -~]{0,4}", m in any::<i64>(), n in any::<i64>()) {
            let (a, b) = (Cell::Text(a.into()), Cell::Text(b.into()));
            prop_assert_eq!(Some(encoded(&a).cmp(&encoded(&b))), a.compare(&b));
            let (m, n) = (Cell::Integer(m), Cell::Integer(n));
            prop_assert_eq!(Some(encoded(&m).cmp(&encoded(&n))), m.compare(&n));
            prop_assert!(encoded(&Cell::Null) < encoded(&m) && encoded(&Cell::Null) < encoded(&a));
        }

        #[test]
        fn numbers_survive_their_text(units in any::<i32>(), digits in 0u8..9) {
            let cell = number(i64::from(units), digits);
            prop_assert_eq!(leading_number(&cell.to_text()), (i64::from(units), digits, cell.to_text().len()));
        }
    }
}
