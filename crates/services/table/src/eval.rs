//! Evaluates expressions.
use crate::answer::{Cell, Failure, Row};
use crate::error::{join, lossy};
use crate::schema::{Kind, Table};
use crate::sql::ast::{Expr, Op};
use crate::value::{self, characters, number, rescale, ten_to};
use bytes::Bytes;
use std::cmp::Ordering;

/// The context of an expression besides the row.
#[derive(Clone, Copy, Default)]
pub(crate) struct Scope<'a> {
    /// Start of the statement.
    pub(crate) now_ms: u64,
    pub(crate) last_insert_id: i64,
    pub(crate) row_count: i64,
    pub(crate) connection: i64,
    pub(crate) table: Option<&'a Table>,
    /// The new row of an `INSERT`, for `VALUES(column)`.
    pub(crate) values: &'a [Cell],
    /// The rows for aggregate functions such as `COUNT`.
    pub(crate) group: &'a [(Bytes, Row)],
}

/// Maximum length of a computed text, in bytes.
const TEXT_BYTES_MAX: usize = 1 << 20;

fn unknown_column(name: &str, clause: &str) -> Box<Failure> {
    Failure::new(1054, b"42S22", join(&["Unknown column '", name, "' in '", clause, "'"]))
}

/// Position of a column by name.
pub(crate) fn position(table: &Table, name: &[u8]) -> Option<usize> {
    table.columns.iter().position(|column| column.name.eq_ignore_ascii_case(name))
}

/// The position of a column; an unknown column is an error.
///
/// # Errors
/// 1054.
pub(crate) fn column(table: &Table, name: &[u8], clause: &str) -> Result<usize, Box<Failure>> {
    position(table, name).ok_or_else(|| unknown_column(&lossy(name), clause))
}

pub(crate) const fn is_aggregate(op: Op) -> bool {
    matches!(op, Op::Count | Op::Sum | Op::Min | Op::Max | Op::Avg)
}

/// Resolves the columns of an expression, and marks its unsigned parts.
///
/// # Errors
/// 1054 for an unknown column, 1111 for a misplaced aggregate function.
pub(crate) fn resolve(expr: &mut Expr, table: Option<&Table>, clause: &str) -> Result<(), Box<Failure>> {
    if matches!(expr.op, Op::Column | Op::Values) {
        let Cell::Text(name) = &expr.cell else { return Ok(()) };
        let qualifier = match expr.args.first() {
            Some(Expr { cell: Cell::Text(qualifier), .. }) => qualifier.clone(),
            _ => Bytes::new(),
        };
        let of_table = table.filter(|table| qualifier.is_empty() || table.name == qualifier);
        let Some(index) = of_table.and_then(|table| position(table, name)) else {
            let dot = if qualifier.is_empty() { "" } else { "." };
            return Err(unknown_column(&join(&[&lossy(&qualifier), dot, &lossy(name)]), clause));
        };
        expr.index = index;
        let column = of_table.and_then(|table| table.columns.get(index));
        expr.is_unsigned = matches!(column.map(|column| column.kind), Some(Kind::Integer { unsigned: true, .. }));
        return Ok(());
    }
    if is_aggregate(expr.op) && (clause != "field list" || expr.args.iter().any(|arg| arg.any(is_aggregate))) {
        return Err(Failure::new(1111, b"HY000", "Invalid use of group function"));
    }
    for arg in &mut expr.args {
        resolve(arg, table, clause)?;
    }
    let is_arithmetic = matches!(expr.op, Op::Add | Op::Subtract | Op::Multiply | Op::IntegerDivide | Op::Modulo);
    let decides = if expr.op == Op::Modulo { 1 } else { expr.args.len() };
    expr.is_unsigned = is_arithmetic && expr.args.iter().take(decides).any(|arg| arg.is_unsigned);
    Ok(())
}

/// Whether the expression is numeric, so that its column is right-aligned.
pub(crate) fn is_numeric(expr: &Expr, table: Option<&Table>) -> bool {
    match expr.op {
        Op::Literal => !matches!(expr.cell, Cell::Text(_)),
        Op::Column | Op::Values => {
            table.and_then(|table| table.columns.get(expr.index)).is_some_and(|column| column.kind.is_numeric())
        }
        Op::Now | Op::AddInterval | Op::SubtractInterval | Op::Concat | Op::Upper | Op::Lower => false,
        Op::If => expr.args.iter().skip(1).all(|arg| is_numeric(arg, table)),
        Op::IfNull | Op::Coalesce | Op::Greatest | Op::Least | Op::Min | Op::Max => {
            expr.args.iter().all(|arg| is_numeric(arg, table))
        }
        _ => true,
    }
}

/// Whether the expression may be `NULL`.
pub(crate) fn is_nullable(expr: &Expr, table: Option<&Table>) -> bool {
    let mut args = expr.args.iter().map(|arg| is_nullable(arg, table));
    match expr.op {
        Op::Literal => expr.cell == Cell::Null,
        Op::Column | Op::Values => {
            table.and_then(|table| table.columns.get(expr.index)).is_some_and(|column| column.is_nullable)
        }
        Op::Divide | Op::IntegerDivide | Op::Modulo | Op::AddInterval | Op::SubtractInterval => true,
        Op::Sum | Op::Min | Op::Max | Op::Avg | Op::GetLock | Op::ReleaseLock | Op::IsFreeLock => true,
        Op::Count | Op::NullSafeEqual | Op::IsNull | Op::IsNotNull => false,
        Op::If => args.skip(1).any(|nullable| nullable),
        Op::IfNull | Op::Coalesce => args.all(|nullable| nullable),
        _ => args.any(|nullable| nullable),
    }
}

/// Whether a text matches a `LIKE` pattern. Each `%` except the last matches up to the first position where the following part fits.
fn like(text: &[u8], pattern: &[u8]) -> bool {
    let (mut at, mut place) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    while at < text.len() || place < pattern.len() {
        let rest = pattern.get(place..).unwrap_or_default();
        let step = match (rest, text.get(at)) {
            ([b'%', ..], _) => {
                retry = Some((at, place + 1));
                place += 1;
                continue;
            }
            // One character, which may have several bytes.
            ([b'_', ..], Some(_)) => {
                let more = text.get(at + 1..).unwrap_or_default();
                Some((1, 1 + more.iter().take_while(|byte| (**byte & 0xc0) == 0x80).count()))
            }
            ([b'\\', one, ..], Some(byte)) if byte.eq_ignore_ascii_case(one) => Some((2, 1)),
            ([b'\\', _, ..], _) => None,
            ([one, ..], Some(byte)) if byte.eq_ignore_ascii_case(one) => Some((1, 1)),
            _ => None,
        };
        match (step, retry) {
            (Some((of_pattern, of_text)), _) => {
                place += of_pattern;
                at += of_text;
            }
            (None, Some((from, behind))) if from < text.len() => {
                retry = Some((from + 1, behind));
                at = from + 1;
                place = behind;
            }
            _ => return false,
        }
    }
    true
}

impl Scope<'_> {
    fn out_of_range(&self, expr: &Expr) -> Box<Failure> {
        let kind = if expr.is_unsigned { "BIGINT UNSIGNED" } else { "BIGINT" };
        let written = self.written(expr, true);
        Failure::new(1690, b"22003", join(&[kind, " value is out of range in '", &written, "'"]))
    }

    /// The text of an expression in MySQL's error messages.
    fn written(&self, expr: &Expr, is_outer: bool) -> String {
        let sign = match expr.op {
            Op::Add => " + ",
            Op::Subtract => " - ",
            Op::Multiply => " * ",
            Op::IntegerDivide => " DIV ",
            Op::Modulo => " MOD ",
            Op::Divide => " / ",
            Op::Column => {
                let table = self.table.map_or_else(String::new, |table| lossy(&table.name));
                return join(&["`lockstep`.`", &table, "`.`", &lossy(&expr.cell.to_text()), "`"]);
            }
            Op::Literal if matches!(expr.cell, Cell::Text(_)) => {
                return join(&["'", &lossy(&expr.cell.to_text()), "'"]);
            }
            _ => return lossy(&expr.cell.to_text()),
        };
        let parts: Vec<String> = expr.args.iter().map(|arg| self.written(arg, false)).collect();
        let text = parts.join(sign);
        if is_outer { text } else { join(&["(", &text, ")"]) }
    }

    fn arithmetic(&self, expr: &Expr, left: &Cell, right: &Cell) -> Result<Cell, Box<Failure>> {
        let (Some((a, p)), Some((b, q))) = (left.number(), right.number()) else { return Ok(Cell::Null) };
        let both = p.max(q);
        let scaled = || Some((rescale(a, p, both)?, rescale(b, q, both)?));
        let result = match expr.op {
            Op::Add => scaled().and_then(|(a, b)| Some(number(a.checked_add(b)?, both))),
            Op::Subtract => scaled().and_then(|(a, b)| Some(number(a.checked_sub(b)?, both))),
            Op::Multiply => a.checked_mul(b).map(|n| number(n, p.saturating_add(q))),
            _ if b == 0 => return Ok(Cell::Null),
            Op::Modulo => scaled().and_then(|(a, b)| Some(number(a.checked_rem(b)?, both))),
            Op::IntegerDivide => scaled().and_then(|(a, b)| a.checked_div(b)).map(Cell::Integer),
            _ => divide(a, p, b, q, p.saturating_add(4)),
        };
        match result {
            Some(Cell::Integer(n)) if expr.is_unsigned && n < 0 => Err(self.out_of_range(expr)),
            Some(Cell::Decimal { digits, .. }) if digits > 18 => Err(self.out_of_range(expr)),
            Some(cell) => Ok(cell),
            None => Err(self.out_of_range(expr)),
        }
    }

    fn aggregate(&self, expr: &Expr) -> Result<Cell, Box<Failure>> {
        let Some(arg) = expr.args.first() else { return Ok(Cell::Null) };
        let mut count = 0i64;
        let mut best: Option<Cell> = None;
        for (_, row) in self.group {
            let cell = self.eval(arg, row)?;
            if cell == Cell::Null {
                continue;
            }
            count += 1;
            let Some(old) = best.take() else {
                best = Some(cell);
                continue;
            };
            best = Some(match expr.op {
                Op::Sum | Op::Avg => self.arithmetic(&Expr::new(Op::Add, Vec::new()), &old, &cell)?,
                Op::Min if cell.compare(&old) == Some(Ordering::Less) => cell,
                Op::Max if cell.compare(&old) == Some(Ordering::Greater) => cell,
                _ => old,
            });
        }
        let best = best.unwrap_or(Cell::Null);
        Ok(match (expr.op, best.number()) {
            (Op::Count, _) => Cell::Integer(count),
            (Op::Sum, Some((units, digits))) => number(units, digits),
            (Op::Avg, Some((units, digits))) => {
                divide(units, digits, count, 0, digits.saturating_add(4)).ok_or_else(|| self.out_of_range(expr))?
            }
            _ => best,
        })
    }

    /// The value of an expression for a row.
    ///
    /// # Errors
    /// 1690 if a number is out of range.
    pub(crate) fn eval(&self, expr: &Expr, row: &[Cell]) -> Result<Cell, Box<Failure>> {
        let flag = |truth: Option<bool>| Ok(truth.map_or(Cell::Null, |truth| Cell::Integer(i64::from(truth))));
        let at = |index: usize| match expr.args.get(index) {
            Some(arg) => self.eval(arg, row),
            None => Ok(Cell::Null),
        };
        let compared = |test: fn(Ordering) -> bool| flag(at(0)?.compare(&at(1)?).map(test));
        match expr.op {
            Op::Literal => Ok(expr.cell.clone()),
            Op::Column => Ok(row.get(expr.index).cloned().unwrap_or(Cell::Null)),
            Op::Values => Ok(self.values.get(expr.index).cloned().unwrap_or(Cell::Null)),
            Op::Or | Op::And => {
                let decisive = expr.op == Op::Or;
                let first = at(0)?.truth();
                if first == Some(decisive) {
                    return flag(first);
                }
                let second = at(1)?.truth();
                if second == Some(decisive) {
                    return flag(second);
                }
                flag(first.and(second).map(|_| !decisive))
            }
            Op::Not => flag(at(0)?.truth().map(|truth| !truth)),
            Op::Equal => compared(Ordering::is_eq),
            Op::NotEqual => compared(Ordering::is_ne),
            Op::Less => compared(Ordering::is_lt),
            Op::LessEqual => compared(Ordering::is_le),
            Op::Greater => compared(Ordering::is_gt),
            Op::GreaterEqual => compared(Ordering::is_ge),
            Op::NullSafeEqual => {
                let (a, b) = (at(0)?, at(1)?);
                flag(Some(match a.compare(&b) {
                    Some(order) => order.is_eq(),
                    None => a == b,
                }))
            }
            Op::IsNull => flag(Some(at(0)? == Cell::Null)),
            Op::IsNotNull => flag(Some(at(0)? != Cell::Null)),
            Op::In => {
                let sought = at(0)?;
                let mut result = Some(false);
                for arg in expr.args.iter().skip(1) {
                    match sought.compare(&self.eval(arg, row)?) {
                        Some(Ordering::Equal) => return flag(Some(true)),
                        None => result = None,
                        _ => {}
                    }
                }
                flag(result)
            }
            Op::Between => {
                let sought = at(0)?;
                let (low, high) = (sought.compare(&at(1)?), sought.compare(&at(2)?));
                if low.is_some_and(Ordering::is_lt) || high.is_some_and(Ordering::is_gt) {
                    return flag(Some(false));
                }
                flag(low.and(high).map(|_| true))
            }
            Op::Like => match (at(0)?, at(1)?) {
                (Cell::Null, _) | (_, Cell::Null) => Ok(Cell::Null),
                (text, pattern) => flag(Some(like(&text.to_text(), &pattern.to_text()))),
            },
            Op::Add | Op::Subtract | Op::Multiply | Op::Divide | Op::IntegerDivide | Op::Modulo => {
                self.arithmetic(expr, &at(0)?, &at(1)?)
            }
            Op::Negate | Op::Abs => {
                let Some((units, digits)) = at(0)?.number() else { return Ok(Cell::Null) };
                let result = if expr.op == Op::Negate { units.checked_neg() } else { units.checked_abs() };
                result.map(|units| number(units, digits)).ok_or_else(|| self.out_of_range(expr))
            }
            Op::AddInterval | Op::SubtractInterval => Ok(self.interval(expr, &at(0)?, &at(1)?).unwrap_or(Cell::Null)),
            Op::If => at(if at(0)?.truth() == Some(true) { 1 } else { 2 }),
            Op::IfNull | Op::Coalesce => {
                for arg in &expr.args {
                    let cell = self.eval(arg, row)?;
                    if cell != Cell::Null {
                        return Ok(cell);
                    }
                }
                Ok(Cell::Null)
            }
            Op::Greatest | Op::Least => {
                let mut best = at(0)?;
                for arg in expr.args.iter().skip(1) {
                    let cell = self.eval(arg, row)?;
                    match (cell.compare(&best), expr.op) {
                        (None, _) => return Ok(Cell::Null),
                        (Some(Ordering::Greater), Op::Greatest) | (Some(Ordering::Less), Op::Least) => best = cell,
                        _ => {}
                    }
                }
                Ok(best)
            }
            Op::Concat => {
                let mut text = Vec::new();
                for arg in &expr.args {
                    let cell = self.eval(arg, row)?;
                    if cell == Cell::Null || text.len() > TEXT_BYTES_MAX {
                        return Ok(Cell::Null);
                    }
                    text.extend_from_slice(&cell.to_text());
                }
                Ok(Cell::Text(text.into()))
            }
            Op::Upper | Op::Lower | Op::Length | Op::CharLength => {
                let cell = at(0)?;
                let text = cell.to_text();
                Ok(match expr.op {
                    _ if cell == Cell::Null => Cell::Null,
                    Op::Upper => Cell::Text(text.to_ascii_uppercase().into()),
                    Op::Lower => Cell::Text(text.to_ascii_lowercase().into()),
                    Op::Length => length(text.len()),
                    _ => length(characters(&text)),
                })
            }
            Op::Now => Ok(now(self.now_ms, u8::try_from(expr.index).unwrap_or(0))),
            Op::UnixTimestamp => {
                let micros = match expr.args.first() {
                    None => now(self.now_ms, 0).time(),
                    Some(_) => at(0)?.time(),
                };
                Ok(micros.map_or(Cell::Null, |(micros, digits)| {
                    rescale(micros, 6, digits).map_or(Cell::Null, |units| number(units, digits))
                }))
            }
            Op::LastInsertId => match expr.args.first() {
                Some(_) => at(0),
                None => Ok(Cell::Integer(self.last_insert_id)),
            },
            Op::RowCount => Ok(Cell::Integer(self.row_count)),
            Op::ConnectionId => Ok(Cell::Integer(self.connection)),
            Op::Count | Op::Sum | Op::Min | Op::Max | Op::Avg => self.aggregate(expr),
            // These are handled elsewhere: they are whole statements, or not values.
            Op::Default | Op::GetLock | Op::ReleaseLock | Op::IsFreeLock => Ok(Cell::Null),
        }
    }

    fn interval(&self, expr: &Expr, time: &Cell, count: &Cell) -> Option<Cell> {
        let (micros, mut digits) = time.time()?;
        let (units, places) = count.number()?;
        let (unit, _) = expr.cell.number()?;
        let change = units.checked_mul(unit)?.checked_div(ten_to(places)?)?;
        if places > 0 || unit == 1 {
            digits = 6;
        }
        let micros = if expr.op == Op::AddInterval { micros.checked_add(change) } else { micros.checked_sub(change) }?;
        // A date remains a date if the interval consists of days.
        let is_date = matches!(time, Cell::Text(text) if text.len() <= 10) && unit >= 86_400_000_000;
        let years =
            (crate::time::of_number(0).unwrap_or(-62_167_219_200_000_000)..=253_402_300_799_999_999).contains(&micros);
        let cell = Cell::DateTime { micros, digits };
        years.then(|| if is_date { Cell::Text(cell.to_text().slice(..10)) } else { cell })
    }
}

fn length(n: usize) -> Cell {
    Cell::Integer(i64::try_from(n).unwrap_or(i64::MAX))
}

/// `now_ms` truncated to this number of fractional digits.
pub(crate) fn now(now_ms: u64, digits: u8) -> Cell {
    let micros = i64::try_from(now_ms).ok().and_then(|ms| ms.checked_mul(1000)).unwrap_or(0);
    let unit = ten_to(6 - digits.min(6)).unwrap_or(1);
    Cell::DateTime { micros: micros - micros.rem_euclid(unit), digits }
}

/// `(a / 10^p) / (b / 10^q)` with `digits` decimal digits, rounded half away from zero, by long division.
fn divide(a: i64, p: u8, b: i64, q: u8, digits: u8) -> Option<Cell> {
    let is_negative = (a < 0) != (b < 0);
    let (mut rest, divisor) = (a.unsigned_abs(), b.unsigned_abs());
    let mut quotient = rest.checked_div(divisor)?;
    rest %= divisor;
    // The integer quotient a / b has p - q implicit decimal digits.
    let places = i32::from(digits) + 1 + i32::from(q) - i32::from(p);
    for _ in 0..places {
        rest = rest.checked_mul(10)?;
        quotient = quotient.checked_mul(10)?.checked_add(rest / divisor)?;
        rest %= divisor;
    }
    let units = i64::try_from(quotient).ok()?;
    let units = value::rescale(units, digits.saturating_add(1), digits)?;
    Some(number(if is_negative { -units } else { units }, digits))
}
