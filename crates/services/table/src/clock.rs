//! Whether the answer or the effect of a statement depends on the time of day.
//!
//! Two databases whose clocks and stored times differ by the same offset behave alike if times are only combined with times:
//!
//! ```text
//!   expires_at < NOW(3) - INTERVAL 3 SECOND      compares two times: independent of the time of day
//!   SET expires_at = NOW(3) + INTERVAL 6 SECOND  stores a time in a time column: independent
//!   SELECT expires_at, expires_at < '2026-01-01' returns a time, or compares it with a constant: dependent
//! ```
//! Rounding to seconds or coarser units depends on the clock's fraction of a second, so only milliseconds and finer units count as times.
use crate::answer::Cell;
use crate::eval::position;
use crate::schema::{Column, Default, Kind, Table};
use crate::server::Database;
use crate::sql::ast::{Expr, OnDuplicate, Op, Statement};
use crate::sql::parse;
use bytes::Bytes;

/// Least digits of a second's fraction for which a time is as precise as the clock.
const DIGITS_FINE: u8 = 3;

/// How the value of an expression depends on the clock.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Is {
    /// `NULL`: a time or anything else.
    Null,
    /// A point in time with a fixed distance from now.
    Time,
    /// Independent of the clock.
    Same,
}

impl Database {
    /// Whether a program could observe the time of day through this statement, whose parameters are already bound.
    pub fn tells_time(&self, statement: &[u8]) -> bool {
        parse(statement).is_ok_and(|statement| self.is_the_same(&statement).is_none())
    }

    /// `None` if the statement depends on the time of day.
    fn is_the_same(&self, statement: &Statement) -> Option<()> {
        let of: Option<&Table> =
            statement.tables().first().and_then(|name| self.tables.get(name)).map(|table| &**table);
        let same = |expr: &Expr| (what(of, expr)? != Is::Time).then_some(());
        let filter = match statement {
            Statement::Select { items, filter, .. } => {
                for item in items {
                    match item {
                        Some((expr, _)) => same(expr)?,
                        None if of.is_some_and(|table| table.columns.iter().any(is_time)) => return None,
                        None => {}
                    }
                }
                filter
            }
            Statement::Insert { columns, rows, on_duplicate, .. } => {
                let Some(table) = of else { return Some(()) };
                let is_plain = |column: &Column| {
                    !is_time(column) || matches!(column.default, Default::None | Default::Value(Cell::Null))
                };
                table.columns.iter().all(is_plain).then_some(())?;
                for row in rows {
                    for (at, expr) in row.iter().enumerate() {
                        let column = match columns {
                            Some(names) => names.get(at).and_then(|name| named(table, name)),
                            None => table.columns.get(at),
                        };
                        fits(of, column, expr)?;
                    }
                }
                if let OnDuplicate::Update(set) = on_duplicate {
                    set.iter().try_for_each(|(name, expr)| fits(of, named(table, name), expr))?;
                }
                return Some(());
            }
            Statement::Update { set, filter, .. } => {
                set.iter().try_for_each(|(name, expr)| fits(of, of.and_then(|table| named(table, name)), expr))?;
                filter
            }
            Statement::Delete { filter, .. } => filter,
            _ => return Some(()),
        };
        filter.condition.iter().try_for_each(same)?;
        filter.order.iter().try_for_each(|(expr, _)| what(of, expr).map(|_| ()))
    }
}

fn is_time(column: &Column) -> bool {
    matches!(column.kind, Kind::DateTime(_))
}

fn named<'a>(table: &'a Table, name: &Bytes) -> Option<&'a Column> {
    table.columns.get(position(table, name)?)
}

/// `Some` if assigning the value to the column is independent of the time of day.
fn fits(of: Option<&Table>, column: Option<&Column>, expr: &Expr) -> Option<()> {
    // If the column does not exist, the statement fails.
    let Some(column) = column else { return Some(()) };
    let is_fine = |kind| matches!(kind, Kind::DateTime(DIGITS_FINE..));
    match (what(of, expr)?, is_time(column)) {
        (Is::Null, _) | (Is::Same, false) => Some(()),
        (Is::Time, true) if is_fine(column.kind) => Some(()),
        _ => None,
    }
}

/// The kind of an expression; `None` if it depends on the time of day.
fn what(of: Option<&Table>, expr: &Expr) -> Option<Is> {
    let args = || expr.args.iter().map(|arg| what(of, arg)).collect::<Option<Vec<Is>>>();
    // Either all arguments are times, or none is.
    let alike = |args: &[Is]| {
        let has = |wanted: Is| args.contains(&wanted);
        match (has(Is::Time), has(Is::Same)) {
            (true, true) => None,
            (true, false) => Some(Is::Time),
            (false, true) => Some(Is::Same),
            (false, false) => Some(Is::Null),
        }
    };
    match expr.op {
        Op::Literal if expr.cell == Cell::Null => Some(Is::Null),
        Op::Column | Op::Values => {
            let Cell::Text(name) = &expr.cell else { return None };
            match of.and_then(|table| named(table, name)).map(|column| column.kind) {
                Some(Kind::DateTime(DIGITS_FINE..)) => Some(Is::Time),
                Some(Kind::DateTime(_)) => None,
                _ => Some(Is::Same),
            }
        }
        Op::Now => (expr.index >= usize::from(DIGITS_FINE)).then_some(Is::Time),
        Op::UnixTimestamp => None,
        // Default values were checked before.
        Op::Default => Some(Is::Null),
        Op::AddInterval | Op::SubtractInterval => {
            let args = args()?;
            let (first, rest) = args.split_first()?;
            rest.iter().all(|arg| *arg != Is::Time).then_some(*first)
        }
        Op::Equal
        | Op::NullSafeEqual
        | Op::NotEqual
        | Op::Less
        | Op::LessEqual
        | Op::Greater
        | Op::GreaterEqual
        | Op::In
        | Op::Between => alike(&args()?).map(|_| Is::Same),
        Op::IsNull | Op::IsNotNull | Op::Count => args().map(|_| Is::Same),
        Op::If => {
            let args = args()?;
            let (condition, rest) = args.split_first()?;
            if *condition == Is::Time { None } else { alike(rest) }
        }
        Op::IfNull | Op::Coalesce | Op::Greatest | Op::Least | Op::Min | Op::Max => alike(&args()?),
        _ => args()?.iter().all(|arg| *arg != Is::Time).then_some(Is::Same),
    }
}

#[cfg(test)]
mod tests {
    use crate::{Database, Settings};

    #[test]
    fn only_shown_times_and_comparisons_with_dates_depend_on_the_clock() {
        let mut database = Database::new(Settings::default());
        let id = database.connect(0).unwrap();
        for table in [
            "CREATE TABLE t (id INT PRIMARY KEY, name VARCHAR(40), n INT, at DATETIME(3), till DATETIME(6))",
            "CREATE TABLE rough (id INT PRIMARY KEY, at DATETIME)",
            "CREATE TABLE made (id INT PRIMARY KEY, at DATETIME(3) DEFAULT CURRENT_TIMESTAMP(3))",
        ] {
            database.handle(0, id, table.as_bytes());
        }
        assert_eq!(database.tables().count(), 3);
        for silent in [
            "SELECT id, name FROM t WHERE at < NOW(3) - INTERVAL 3 SECOND ORDER BY at",
            "SELECT COUNT(*), COUNT(at) FROM t WHERE at BETWEEN till AND NOW(6)",
            "SELECT at < NOW(3), at IS NULL, IF(at > till, 1, 2) FROM t",
            "SELECT n FROM t WHERE name = '2026-01-01' AND n = 20260101",
            "SELECT * FROM missing WHERE at = 5",
            "INSERT INTO t VALUES (1, '2026-01-01', 1, NOW(3) + INTERVAL 6 SECOND, NULL)",
            "INSERT INTO t (id, at) VALUES (1, NOW(3)) ON DUPLICATE KEY UPDATE name = IF(at < NOW(3), 'a', name), at = VALUES(at)",
            "UPDATE t SET at = GREATEST(at, till), till = NULL WHERE at <=> till",
            "DELETE FROM t WHERE at < NOW(3)",
            "BEGIN",
            "SELECT NOW(3",
        ] {
            assert!(!database.tells_time(silent.as_bytes()), "{silent}");
        }
        for telling in [
            "SELECT NOW(3)",
            "SELECT at FROM t",
            "SELECT * FROM t",
            "SELECT MAX(at) FROM t",
            "SELECT CONCAT(at) FROM t",
            "SELECT id FROM t WHERE at < '2026-01-01'",
            "SELECT id FROM t WHERE at < 20260101",
            "SELECT id FROM t WHERE at LIKE '%5'",
            "SELECT id FROM t WHERE at % 2 = 0",
            "SELECT id FROM t WHERE at",
            "SELECT id FROM t WHERE at < NOW()",
            "SELECT id FROM t WHERE UNIX_TIMESTAMP() > 5",
            "SELECT id FROM t WHERE IF(at, 1, 0)",
            "SELECT id FROM t WHERE n < IF(at > till, at, 1)",
            "SELECT id FROM t ORDER BY at % 7",
            "INSERT INTO t (id, at) VALUES (1, '2026-01-01')",
            "INSERT INTO t (id, name) VALUES (1, NOW(3))",
            "INSERT INTO t (id, at) VALUES (1, NOW(3)) ON DUPLICATE KEY UPDATE at = '2026-01-01'",
            "INSERT INTO made (id) VALUES (1)",
            "UPDATE t SET name = NOW(3)",
            "UPDATE t SET n = at",
            "UPDATE rough SET at = NOW(3)",
            "DELETE FROM rough WHERE at < NOW(3)",
        ] {
            assert!(database.tells_time(telling.as_bytes()), "{telling}");
        }
    }
}
