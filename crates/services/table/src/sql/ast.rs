//! The syntax tree of a statement.
use crate::answer::Cell;
use crate::schema::{Column, Kind};
use bytes::Bytes;

/// The operation of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    /// The constant `cell`.
    Literal,
    /// The column named `cell`; after resolution its position is `index`.
    Column,
    /// `DEFAULT` as a value.
    Default,
    Or,
    And,
    Not,
    Equal,
    NullSafeEqual,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    IsNull,
    IsNotNull,
    /// The first argument is one of the others.
    In,
    /// The first argument is between the second and the third.
    Between,
    Like,
    Add,
    Subtract,
    Multiply,
    Divide,
    IntegerDivide,
    Modulo,
    Negate,
    /// A time plus a number of units; `cell` is the unit in microseconds.
    AddInterval,
    SubtractInterval,
    /// `VALUES(column)`
    Values,
    If,
    IfNull,
    Coalesce,
    Greatest,
    Least,
    Concat,
    /// With `index` digits.
    Now,
    UnixTimestamp,
    LastInsertId,
    RowCount,
    ConnectionId,
    Length,
    CharLength,
    Upper,
    Lower,
    Abs,
    Count,
    Sum,
    Min,
    Max,
    Avg,
    GetLock,
    ReleaseLock,
    IsFreeLock,
}

/// An expression.
#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub(crate) op: Op,
    pub(crate) cell: Cell,
    pub(crate) index: usize,
    /// Whether its type is unsigned: a negative value is an error.
    pub(crate) is_unsigned: bool,
    /// Depth of the tree.
    pub(crate) depth: u16,
    pub(crate) args: Vec<Expr>,
}

impl Expr {
    pub(crate) fn new(op: Op, args: Vec<Expr>) -> Expr {
        let depth = args.iter().map(|arg| arg.depth).max().unwrap_or(0).saturating_add(1);
        Expr { op, cell: Cell::Null, index: 0, is_unsigned: false, depth, args }
    }

    pub(crate) fn leaf(op: Op, cell: Cell) -> Expr {
        Expr { cell, ..Expr::new(op, Vec::new()) }
    }

    /// Whether `test` holds for this expression or a part of it.
    pub(crate) fn any(&self, test: fn(Op) -> bool) -> bool {
        test(self.op) || self.args.iter().any(|arg| arg.any(test))
    }
}

/// The wait policy of a locking read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wait {
    /// Wait for up to `innodb_lock_wait_timeout`.
    Patient,
    /// `NOWAIT`
    Refuse,
    /// `SKIP LOCKED`
    Skip,
}

/// `WHERE`, `ORDER BY`, `LIMIT`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Filter {
    pub(crate) condition: Option<Expr>,
    /// The expressions; true means descending.
    pub(crate) order: Vec<(Expr, bool)>,
    pub(crate) limit: Option<u64>,
    pub(crate) offset: u64,
}

/// A selected expression and its name; `None` for `*`.
pub(crate) type Item = Option<(Expr, Bytes)>;

/// A column of `CREATE TABLE`.
pub(crate) struct NewColumn {
    pub(crate) column: Column,
    pub(crate) default: Option<Expr>,
}

/// The handling of duplicate rows.
pub(crate) enum OnDuplicate {
    Fail,
    Ignore,
    Replace,
    Update(Vec<(Bytes, Expr)>),
}

/// A statement.
pub(crate) enum Statement {
    Select {
        items: Vec<Item>,
        table: Option<Bytes>,
        filter: Filter,
        /// Whether the lock is exclusive, and the wait policy.
        lock: Option<(bool, Wait)>,
    },
    Insert {
        table: Bytes,
        columns: Option<Vec<Bytes>>,
        rows: Vec<Vec<Expr>>,
        on_duplicate: OnDuplicate,
    },
    Update {
        table: Bytes,
        set: Vec<(Bytes, Expr)>,
        filter: Filter,
    },
    Delete {
        table: Bytes,
        filter: Filter,
    },
    Create {
        table: Bytes,
        if_not_exists: bool,
        columns: Vec<NewColumn>,
        /// Name, unique, columns.
        indexes: Vec<(Bytes, bool, Vec<Bytes>)>,
    },
    Drop {
        tables: Vec<Bytes>,
        if_exists: bool,
    },
    Truncate(Bytes),
    ShowTables,
    ShowProcesslist,
    ShowWarnings,
    ShowCreate(Bytes),
    Describe(Bytes),
    Use(Bytes),
    Begin,
    Commit,
    Rollback,
    Set(Vec<(Bytes, Expr)>),
    Kill(Expr),
}

impl Statement {
    /// The tables that the statement reads or changes, in order.
    pub(crate) fn tables(&self) -> &[Bytes] {
        use std::slice::from_ref;
        match self {
            Statement::Select { table: Some(table), .. }
            | Statement::Insert { table, .. }
            | Statement::Update { table, .. }
            | Statement::Delete { table, .. }
            | Statement::Create { table, .. }
            | Statement::Truncate(table) => from_ref(table),
            Statement::Drop { tables, .. } => tables,
            _ => &[],
        }
    }

    /// The expressions of the statement, except those of the schema and of `SET`.
    pub(crate) fn expressions(&self) -> Vec<&Expr> {
        let mut all: Vec<&Expr> = Vec::new();
        let mut filtered = None;
        match self {
            Statement::Select { items, filter, .. } => {
                all.extend(items.iter().flatten().map(|(expr, _)| expr));
                filtered = Some(filter);
            }
            Statement::Insert { rows, on_duplicate, .. } => {
                all.extend(rows.iter().flatten());
                if let OnDuplicate::Update(set) = on_duplicate {
                    all.extend(set.iter().map(|(_, expr)| expr));
                }
            }
            Statement::Update { set, filter, .. } => {
                all.extend(set.iter().map(|(_, expr)| expr));
                filtered = Some(filter);
            }
            Statement::Delete { filter, .. } => filtered = Some(filter),
            _ => {}
        }
        if let Some(filter) = filtered {
            all.extend(&filter.condition);
            all.extend(filter.order.iter().map(|(expr, _)| expr));
        }
        all
    }

    /// Whether it changes the schema.
    pub(crate) fn is_definition(&self) -> bool {
        matches!(self, Statement::Create { .. } | Statement::Drop { .. } | Statement::Truncate(_))
    }
}

/// The type for a type name without a length.
pub(crate) fn plain_kind(name: &[u8]) -> Option<Kind> {
    let integer = |size, width| Some(Kind::Integer { size, unsigned: false, width });
    match name {
        b"TINYINT" => integer(1, 4),
        b"SMALLINT" => integer(2, 6),
        b"BOOL" | b"BOOLEAN" => integer(1, 1),
        b"INT" | b"INTEGER" => integer(4, 11),
        b"BIGINT" => integer(8, 20),
        b"CHAR" => Some(Kind::Char(1)),
        b"VARCHAR" => Some(Kind::Varchar(0)),
        b"TEXT" => Some(Kind::Text),
        b"DATETIME" | b"TIMESTAMP" => Some(Kind::DateTime(0)),
        _ => None,
    }
}
