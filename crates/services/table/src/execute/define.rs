//! Statements that change or show the schema.
use super::session::{rows, text};
use super::{Execution, missing_table};
use crate::answer::{Answer, Cell, Done, Failure};
use crate::error::{join, lossy};
use crate::schema::{Column, Default, Index, Kind, Table};
use crate::server::Database;
use crate::sql::ast::{NewColumn, Op, Statement};
use crate::transaction::{Stop, Work};
use crate::value::store;
use bytes::Bytes;
use redis_model::value::Tree;
use std::rc::Rc;

/// Indexes of a table, as in MySQL.
const INDEXES_MAX: usize = 64;

fn done(warnings: u64) -> Answer {
    Answer::Done(Done { warnings, ..Done::default() })
}

impl Table {
    /// Whether the primary key is the hidden row number.
    pub(crate) fn has_hidden_key(&self) -> bool {
        self.indexes.first().is_some_and(|index| index.columns.first() == Some(&self.columns.len()))
    }

    /// `PRI`, `UNI` or `MUL`, as `DESCRIBE` shows it.
    pub fn key_kind(&self, column: usize) -> &'static str {
        let leads = |index: &&Index| index.columns.first() == Some(&column);
        let of_key = |index: &Index| index.name.eq_ignore_ascii_case(b"PRIMARY") && index.columns.contains(&column);
        if self.indexes.first().is_some_and(of_key) {
            "PRI"
        } else if self.indexes.iter().filter(leads).any(|index| index.is_unique && index.columns.len() == 1) {
            "UNI"
        } else if self.indexes.iter().any(|index| leads(&index)) {
            "MUL"
        } else {
            ""
        }
    }

    /// Removes all rows and resets `AUTO_INCREMENT` to 1.
    fn emptied(&self) -> Table {
        let mut table = self.clone();
        table.rows = Tree::new();
        table.inserted = Tree::new();
        table.auto_increment = 1;
        for index in &mut table.indexes {
            index.entries = Tree::new();
        }
        table
    }
}

impl Execution {
    pub(super) fn define(&self, db: &mut Database, statement: &mut Statement, work: &mut Work) -> Result<Answer, Stop> {
        match statement {
            Statement::Create { table: name, if_not_exists, columns, indexes } => {
                if db.tables.contains_key(name) {
                    if *if_not_exists {
                        return Ok(done(1));
                    }
                    let message = join(&["Table '", &lossy(name), "' already exists"]);
                    return Err(Failure::new(1050, b"42S01", message).into());
                }
                let table = self.new_table(db, name, columns, indexes, work)?;
                db.tables.insert(name.clone(), Rc::new(table));
                Ok(done(0))
            }
            Statement::Drop { tables, if_exists } => {
                let missing: Vec<String> = tables
                    .iter()
                    .filter(|name| !db.tables.contains_key(*name))
                    .map(|name| join(&["lockstep.", &lossy(name)]))
                    .collect();
                if !missing.is_empty() && !*if_exists {
                    let message = join(&["Unknown table '", &missing.join(","), "'"]);
                    return Err(Failure::new(1051, b"42S02", message).into());
                }
                for name in tables {
                    db.tables.remove(name);
                }
                Ok(done(super::change::count(missing.len())))
            }
            Statement::Truncate(name) => {
                let table = db.tables.get_mut(name).ok_or_else(|| missing_table(name))?;
                *table = Rc::new(table.emptied());
                Ok(done(0))
            }
            Statement::Describe(name) => {
                let table = db.tables.get(name).ok_or_else(|| missing_table(name))?;
                let line = |(at, column): (usize, &Column)| {
                    vec![
                        Cell::Text(column.name.clone()),
                        text(column.kind.text()),
                        text(if column.is_nullable { "YES" } else { "NO" }),
                        text(table.key_kind(at)),
                        match &column.default {
                            Default::Value(cell) => cell.shown_text(),
                            Default::Now => text("current_timestamp()"),
                            Default::None => Cell::Null,
                        },
                        text(if column.is_auto_increment { "auto_increment" } else { "" }),
                    ]
                };
                let lines = table.columns.iter().enumerate().map(line).collect();
                Ok(rows(&["!Field", "!Type", "!Null", "!Key", "Default", "!Extra"], lines))
            }
            Statement::ShowCreate(name) => {
                let table = db.tables.get(name).ok_or_else(|| missing_table(name))?;
                let line = vec![Cell::Text(name.clone()), text(definition(table))];
                Ok(rows(&["!Table", "!Create Table"], vec![line]))
            }
            _ => Ok(done(0)),
        }
    }

    fn new_table(
        &self,
        db: &Database,
        name: &Bytes,
        columns: &mut Vec<NewColumn>,
        indexes: &[(Bytes, bool, Vec<Bytes>)],
        work: &Work,
    ) -> Result<Table, Box<Failure>> {
        let mut made: Vec<Column> = Vec::with_capacity(columns.len());
        let scope = self.scope(db, None, work);
        if name.contains(&0) {
            return Err(Failure::new(1103, b"42000", join(&["Incorrect table name '", &lossy(name), "'"])));
        }
        if columns.is_empty() {
            return Err(Failure::new(1113, b"42000", "A table must have at least 1 column"));
        }
        for NewColumn { column, default } in columns.drain(..) {
            let quoted = join(&["'", &lossy(&column.name), "'"]);
            if made.iter().any(|other| other.name.eq_ignore_ascii_case(&column.name)) {
                return Err(Failure::new(1060, b"42S21", join(&["Duplicate column name ", &quoted])));
            }
            let default = match default {
                None => Default::None,
                Some(expr) if expr.op == Op::Now => Default::Now,
                Some(expr) => {
                    let invalid = || Failure::new(1067, b"42000", join(&["Invalid default value for ", &quoted]));
                    let cell = scope.eval(&expr, &[])?;
                    if expr.any(|op| op == Op::Column) {
                        return Err(invalid());
                    }
                    Default::Value(store(&column, &cell, 1).map_err(|_| invalid())?)
                }
            };
            made.push(Column { default, ..column });
        }
        let mut primary = None;
        let mut others: Vec<Index> = Vec::new();
        // Unique indexes come first, as in InnoDB.
        for wants_unique in [true, false] {
            for (index_name, is_unique, names) in indexes.iter().filter(|(_, is_unique, _)| *is_unique == wants_unique)
            {
                let is_primary = index_name.as_ref() == b"PRIMARY";
                let mut positions = Vec::new();
                for column in names {
                    let at = made.iter().position(|other| other.name.eq_ignore_ascii_case(column));
                    let Some((at, found)) = at.and_then(|at| made.get_mut(at).map(|found| (at, found))) else {
                        let message = join(&["Key column '", &lossy(column), "' doesn't exist in table"]);
                        return Err(Failure::new(1072, b"42000", message));
                    };
                    if found.kind == Kind::Text {
                        let name = lossy(&found.name);
                        let start = "BLOB/TEXT column '";
                        let message = join(&[start, &name, "' used in key specification without a key length"]);
                        return Err(Failure::new(1170, b"42000", message));
                    }
                    if is_primary {
                        found.is_nullable = false;
                    }
                    positions.push(at);
                }
                let mut index =
                    Index { name: index_name.clone(), is_unique: *is_unique, columns: positions, entries: Tree::new() };
                if is_primary {
                    if primary.replace(index).is_some() {
                        return Err(Failure::new(1068, b"42000", "Multiple primary key defined"));
                    }
                    continue;
                }
                let taken =
                    |name: &[u8], others: &[Index]| others.iter().any(|other| other.name.eq_ignore_ascii_case(name));
                if index.name.is_empty() {
                    let first = names.first().cloned().unwrap_or_default();
                    let mut number = 2u32;
                    index.name = first.clone();
                    while taken(&index.name, &others) {
                        index.name = join(&[&lossy(&first), "_", &number.to_string()]).into();
                        number += 1;
                    }
                } else if taken(&index.name, &others) {
                    let message = join(&["Duplicate key name '", &lossy(&index.name), "'"]);
                    return Err(Failure::new(1061, b"42000", message));
                }
                others.push(index);
            }
        }
        if others.len() >= INDEXES_MAX {
            return Err(Failure::new(1069, b"42000", "Too many keys specified; max 64 keys allowed"));
        }
        let hidden = Index {
            name: Bytes::from_static(b"GEN_CLUST_INDEX"),
            is_unique: true,
            columns: vec![made.len()],
            entries: Tree::new(),
        };
        others.insert(0, primary.unwrap_or(hidden));
        let leads = |at: usize| others.iter().any(|index| index.columns.first() == Some(&at));
        let numbered: Vec<usize> =
            made.iter().enumerate().filter(|(_, column)| column.is_auto_increment).map(|(at, _)| at).collect();
        if numbered.len() > 1 || numbered.iter().any(|at| !leads(*at)) {
            let message =
                "Incorrect table definition; there can be only one auto column and it must be defined as a key";
            return Err(Failure::new(1075, b"42000", message));
        }
        for column in &mut made {
            if column.is_auto_increment {
                column.is_nullable = false;
            }
            if column.is_nullable && column.default == Default::None {
                column.default = Default::Value(Cell::Null);
            }
        }
        Ok(Table {
            name: name.clone(),
            columns: made.into(),
            indexes: others,
            auto_increment: 1,
            row_number: 1,
            rows: Tree::new(),
            inserted: Tree::new(),
            nothing: Rc::from([]),
        })
    }
}

/// The statement that would create the table.
fn definition(table: &Table) -> String {
    let quoted = |name: &[u8]| join(&["`", &lossy(name), "`"]);
    let mut lines = Vec::new();
    for column in table.columns.iter() {
        let mut line = join(&["  ", &quoted(&column.name), " ", &column.kind.text()]);
        if !column.is_nullable {
            line.push_str(" NOT NULL");
        }
        match &column.default {
            Default::Value(cell @ Cell::Text(_)) => line.push_str(&join(&[" DEFAULT '", &lossy(&cell.to_text()), "'"])),
            Default::Value(Cell::Null) if column.kind == Kind::Text => line.push_str(" DEFAULT NULL"),
            Default::Value(cell) => line.push_str(&join(&[" DEFAULT ", &lossy(&cell.to_text())])),
            Default::Now => line.push_str(" DEFAULT current_timestamp()"),
            Default::None => {}
        }
        if column.is_auto_increment {
            line.push_str(" AUTO_INCREMENT");
        }
        lines.push(line);
    }
    for (at, index) in table.indexes.iter().enumerate() {
        if at == 0 && table.has_hidden_key() {
            continue;
        }
        let names: Vec<String> =
            index.columns.iter().filter_map(|at| table.columns.get(*at)).map(|column| quoted(&column.name)).collect();
        let start = if at == 0 {
            "  PRIMARY KEY".to_owned()
        } else {
            join(&["  ", if index.is_unique { "UNIQUE " } else { "" }, "KEY ", &quoted(&index.name)])
        };
        lines.push(join(&[&start, " (", &names.join(","), ")"]));
    }
    let next = if table.auto_increment > 1 {
        join(&[" AUTO_INCREMENT=", &table.auto_increment.to_string()])
    } else {
        String::new()
    };
    let end = " DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci";
    join(&["CREATE TABLE ", &quoted(&table.name), " (\n", &lines.join(",\n"), "\n) ENGINE=InnoDB", &next, end])
}
