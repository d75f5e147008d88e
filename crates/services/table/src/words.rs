//! Help for statements: syntax summaries, parameter binding, and simple classifications.
use crate::sql::ast::{Expr, Op, Statement};
use crate::sql::parse;
use crate::sql::tokens::{self, Kind};
use resp::Value;

/// The supported statements by their first words, each with a one-line syntax.
pub const STATEMENTS: &[(&str, &str)] = &[
    ("BEGIN", "BEGIN"),
    ("COMMIT", "COMMIT"),
    (
        "CREATE TABLE",
        "CREATE TABLE [IF NOT EXISTS] table (column type [NOT NULL] [DEFAULT value] [AUTO_INCREMENT], … [PRIMARY KEY (column)], [UNIQUE KEY name (column, …)], [KEY name (column, …)])",
    ),
    ("DELETE", "DELETE FROM table [WHERE condition] [ORDER BY column] [LIMIT count]"),
    ("DESCRIBE", "DESCRIBE table"),
    ("DROP TABLE", "DROP TABLE [IF EXISTS] table"),
    (
        "INSERT",
        "INSERT [IGNORE] INTO table [(column, …)] VALUES (value, …), … [ON DUPLICATE KEY UPDATE column = value, …]",
    ),
    ("KILL", "KILL connection"),
    ("REPLACE", "REPLACE INTO table [(column, …)] VALUES (value, …), …"),
    ("ROLLBACK", "ROLLBACK"),
    (
        "SELECT",
        "SELECT column, … FROM table [WHERE condition] [ORDER BY column [DESC]] [LIMIT count [OFFSET first]] [FOR UPDATE [NOWAIT | SKIP LOCKED] | FOR SHARE]",
    ),
    ("SET", "SET autocommit = 0 | 1; SET innodb_lock_wait_timeout = seconds"),
    ("SHOW CREATE TABLE", "SHOW CREATE TABLE table"),
    ("SHOW PROCESSLIST", "SHOW PROCESSLIST"),
    ("SHOW TABLES", "SHOW TABLES"),
    ("START TRANSACTION", "START TRANSACTION"),
    ("TRUNCATE TABLE", "TRUNCATE TABLE table"),
    ("UPDATE", "UPDATE table SET column = value, … [WHERE condition] [ORDER BY column] [LIMIT count]"),
];

/// Replaces each `?` outside quotes and comments by the next of `values`, like a client library with client-side prepared statements:
/// integers and floats as digits, null as `NULL`, text in quotes. `None` if the numbers of values and question marks differ, or if one
/// of the values is an array.
///
/// ```
/// let bound = table::bind(b"SELECT ?", &[resp::Value::bulk("it's")]);
/// assert_eq!(bound.as_deref(), Some(&b"SELECT 'it\\'s'"[..]));
/// ```
pub fn bind(statement: &[u8], values: &[Value]) -> Option<Vec<u8>> {
    let mut bound = Vec::with_capacity(statement.len());
    let mut values = values.iter();
    let mut from = 0;
    loop {
        let token = tokens::next(statement, from);
        if token.kind == Kind::End {
            bound.extend_from_slice(statement.get(from..)?);
            return values.next().is_none().then_some(bound);
        }
        bound.extend_from_slice(statement.get(from..token.start)?);
        from = token.end;
        let text = statement.get(token.start..token.end)?;
        if token.kind == Kind::Symbol && text == b"?" {
            push_literal(&mut bound, values.next()?)?;
        } else {
            bound.extend_from_slice(text);
        }
    }
}

fn push_literal(bound: &mut Vec<u8>, value: &Value) -> Option<()> {
    match value {
        Value::Null | Value::NullArray => bound.extend_from_slice(b"NULL"),
        Value::Integer(n) => bound.extend_from_slice(n.to_string().as_bytes()),
        Value::Boolean(flag) => bound.push(if *flag { b'1' } else { b'0' }),
        Value::WideDouble(text) | Value::BigNumber(text) => bound.extend_from_slice(text),
        Value::Double(number) if number.is_finite() => resp::encode::double_text(*number, bound),
        Value::Bulk(text) | Value::Simple(text) | Value::Verbatim(_, text) => {
            bound.push(b'\'');
            for byte in text.iter() {
                let escaped = match byte {
                    0 => b'0',
                    b'\n' => b'n',
                    b'\r' => b'r',
                    26 => b'Z',
                    b'\'' | b'"' | b'\\' => *byte,
                    _ => {
                        bound.push(*byte);
                        continue;
                    }
                };
                bound.extend([b'\\', escaped]);
            }
            bound.push(b'\'');
        }
        _ => return None,
    }
    Some(())
}

/// Whether the statement can observe connection numbers, and so distinguish otherwise equal connections. False if it cannot be parsed.
pub fn tells_connections_apart(statement: &[u8]) -> bool {
    parse(statement).is_ok_and(|statement| {
        let asks = |expr: &&Expr| expr.any(|op| matches!(op, Op::ConnectionId | Op::IsFreeLock));
        matches!(statement, Statement::ShowProcesslist | Statement::Kill(_)) || statement.expressions().iter().any(asks)
    })
}

/// Whether the statement only reads: `SELECT` without locks, `SHOW`, `DESCRIBE`. False if it cannot be parsed.
pub fn only_reads(statement: &[u8]) -> bool {
    matches!(
        parse(statement),
        Ok(Statement::Select { lock: None, .. }
            | Statement::ShowTables
            | Statement::ShowProcesslist
            | Statement::ShowWarnings
            | Statement::ShowCreate(_)
            | Statement::Describe(_))
    )
}
