//! What a statement is answered: rows, a count of what was done, or a failure; and its form for programs.
use bytes::Bytes;
use resp::Value;
use std::rc::Rc;

/// A value: of a row, of a cell of an answer, or in between.
///
/// In an [`Answer`] there are only `Null`, `Integer` and `Text`: decimals and times are text there, as in MySQL's protocol.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Cell {
    /// `NULL`.
    Null,
    /// A whole number. Numbers above `i64::MAX` do not exist here.
    Integer(i64),
    /// `units / 10^digits`.
    Decimal {
        /// All digits, as one whole number.
        units: i64,
        /// How many of them stand behind the point.
        digits: u8,
    },
    /// A string of bytes, mostly UTF-8.
    Text(Bytes),
    /// A point in time, without a zone.
    DateTime {
        /// Microseconds since 1970-01-01 00:00:00.
        micros: i64,
        /// How many digits of a second's fraction are shown: 0 to 6.
        digits: u8,
    },
}

/// The cells of a row, in the order of the columns.
pub type Row = Rc<[Cell]>;

/// A column of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Heading {
    /// Its name: what was written, or the name given by `AS`.
    pub name: Bytes,
    /// Shown at the right edge.
    pub is_numeric: bool,
    /// May be `NULL`, which the client leaves room for.
    pub is_nullable: bool,
}

/// The rows of a `SELECT`, `SHOW` or `DESCRIBE`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rows {
    /// The columns; at least one.
    pub columns: Vec<Heading>,
    /// The rows; each has as many cells as there are columns. `Null`, `Integer` and `Text` only.
    pub rows: Vec<Vec<Cell>>,
}

/// What a statement did that is not answered by rows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Done {
    /// Rows that were changed.
    pub affected: u64,
    /// The first number that `AUTO_INCREMENT` made, or the one that was written into such a column; 0 for none.
    pub last_insert_id: u64,
    /// How many warnings there are.
    pub warnings: u64,
    /// The line that follows, if any.
    pub info: Info,
}

/// The second line of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Info {
    /// There is none.
    #[default]
    None,
    /// `Rows matched: 1  Changed: 0  Warnings: 0`
    Updated {
        /// Rows for which the condition holds.
        matched: u64,
        /// Rows that are not as before.
        changed: u64,
    },
    /// `Records: 2  Duplicates: 0  Warnings: 0`
    Inserted {
        /// Rows that were given.
        records: u64,
        /// Rows that were there, and were ignored, replaced or updated.
        duplicates: u64,
    },
}

/// A refusal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Failure {
    /// As in MySQL's list of errors: 1062.
    pub code: u16,
    /// The class of the SQL standard: `23000`.
    pub sqlstate: [u8; 5],
    /// For people: `Duplicate entry '1' for key 'PRIMARY'`.
    pub message: String,
}

/// What a statement is answered.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// Rows.
    Rows(Rows),
    /// It is done.
    Done(Done),
    /// It was refused.
    Failed(Failure),
}

/// What the form of a statement that is done begins with: no reply of Redis has this form.
const AFFECTED: Bytes = Bytes::from_static(b"affected");

impl Answer {
    /// The form for programs:
    ///
    /// - rows: `[[name, flags, name, flags …], row, row …]`, where flags are 1 for a numeric column and 2 for one that may be null; cells are
    ///   null, integers and bulk strings;
    /// - done: `["affected", affected, last_insert_id, warnings]`, after an `UPDATE` with `[…, 0, matched, changed]`, after an `INSERT` of
    ///   several rows with `[…, 1, records, duplicates]` behind;
    /// - failed: an error, `1062 (23000): Duplicate entry …`.
    pub fn to_value(&self) -> Value {
        match self {
            Answer::Rows(rows) => {
                let mut heads = Vec::with_capacity(rows.columns.len().saturating_mul(2));
                for column in &rows.columns {
                    heads.push(Value::Bulk(column.name.clone()));
                    heads.push(Value::Integer(i64::from(column.is_numeric) + 2 * i64::from(column.is_nullable)));
                }
                let mut all = vec![Value::Array(heads)];
                all.extend(rows.rows.iter().map(|row| Value::Array(row.iter().map(cell_to_value).collect())));
                Value::Array(all)
            }
            Answer::Done(done) => {
                let mut numbers = vec![done.affected, done.last_insert_id, done.warnings];
                match done.info {
                    Info::None => {}
                    Info::Updated { matched, changed } => numbers.extend([0, matched, changed]),
                    Info::Inserted { records, duplicates } => numbers.extend([1, records, duplicates]),
                }
                let numbers = numbers.into_iter().map(|n| Value::Integer(n.cast_signed()));
                Value::Array(std::iter::once(Value::Bulk(AFFECTED)).chain(numbers).collect())
            }
            Answer::Failed(failure) => Value::error(failure.text()),
        }
    }

    /// The answer that has this form; nothing if it is the form of none. The inverse of [`Answer::to_value`].
    pub fn from_value(value: &Value) -> Option<Answer> {
        match value {
            Value::Error(text) => Failure::from_text(text).map(Answer::Failed),
            Value::Array(items) => match items.split_first()? {
                (Value::Array(heads), rows) => {
                    let columns: Vec<Heading> = heads
                        .chunks(2)
                        .map(|pair| match pair {
                            [Value::Bulk(name), Value::Integer(flags @ 0..=3)] => Some(Heading {
                                name: name.clone(),
                                is_numeric: flags & 1 == 1,
                                is_nullable: flags & 2 == 2,
                            }),
                            _ => None,
                        })
                        .collect::<Option<_>>()?;
                    let width = columns.len();
                    let rows: Vec<Vec<Cell>> = rows
                        .iter()
                        .map(|row| match row {
                            Value::Array(cells) if cells.len() == width => cells.iter().map(cell_of_value).collect(),
                            _ => None,
                        })
                        .collect::<Option<_>>()?;
                    (width > 0).then_some(Answer::Rows(Rows { columns, rows }))
                }
                (Value::Bulk(word), numbers) if *word == AFFECTED => {
                    let numbers: Vec<u64> = numbers
                        .iter()
                        .map(|item| match item {
                            Value::Integer(n) => Some(n.cast_unsigned()),
                            _ => None,
                        })
                        .collect::<Option<_>>()?;
                    let (&[affected, last_insert_id, warnings], rest) = numbers.split_first_chunk::<3>()?;
                    let info = match *rest {
                        [] => Info::None,
                        [0, matched, changed] => Info::Updated { matched, changed },
                        [1, records, duplicates] => Info::Inserted { records, duplicates },
                        _ => return None,
                    };
                    Some(Answer::Done(Done { affected, last_insert_id, warnings, info }))
                }
                _ => None,
            },
            _ => None,
        }
    }
}

fn cell_to_value(cell: &Cell) -> Value {
    match cell {
        Cell::Null => Value::Null,
        Cell::Integer(n) => Value::Integer(*n),
        other => Value::Bulk(other.to_text()),
    }
}

fn cell_of_value(value: &Value) -> Option<Cell> {
    match value {
        Value::Null => Some(Cell::Null),
        Value::Integer(n) => Some(Cell::Integer(*n)),
        Value::Bulk(text) => Some(Cell::Text(text.clone())),
        _ => None,
    }
}
