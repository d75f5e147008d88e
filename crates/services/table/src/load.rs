//! Rows that are written directly, without statements.
use crate::answer::{Cell, Failure, Row};
use crate::error::join;
use crate::execute::missing_table;
use crate::locks::slot_name;
use crate::schema::Table;
use crate::server::Database;
use crate::transaction::duplicate_entry;
use crate::value::store;
use bytes::Bytes;
use redis_model::value::Tree;
use std::rc::Rc;

impl Database {
    /// Adds committed rows to a table, as `INSERT`s would that take no time and of which no one hears. Each row has one value per column.
    ///
    /// ```
    /// use table::{Cell, Database, Settings};
    /// let mut database = Database::new(Settings::default());
    /// let connection = database.connect(0).expect("there is room");
    /// database.handle(0, connection, b"CREATE TABLE item (id INT PRIMARY KEY, value VARCHAR(255))");
    /// let row = |id: i64| vec![Cell::Integer(id), Cell::Text(format!("v{id}").into())];
    /// assert_eq!(database.load(b"item", (1..=1_000).map(row)), Ok(()));
    /// assert_eq!(database.load(b"item", [row(7)]).map_err(|why| why.code), Err(1062));
    /// ```
    ///
    /// # Errors
    /// 1146 without such a table, 1136 if a row has another number of values, 1062 if its key exists, and those of `INSERT` if a value
    /// does not fit its column. The rows before it are added.
    pub fn load(&mut self, table: &[u8], rows: impl IntoIterator<Item: Into<Row>>) -> Result<(), Failure> {
        let mut rows = (1..).zip(rows.into_iter().map(Into::into));
        // The first row that does not come after all others, in its stored form.
        let mut first = None;
        if let Some(stored) = self.tables.get_mut(table)
            && self.slots.is_empty()
            && stored.indexes.len() == 1
        {
            first = Rc::make_mut(stored).load_sorted(&mut rows).map_err(|why| *why)?;
        }
        for row in first.map(Ok).into_iter().chain(rows.map(Err)) {
            let Some(stored) = self.tables.get_mut(table) else { return Err(*missing_table(table)) };
            let row = match row {
                Ok(row) => row,
                Err((nth, row)) => Rc::make_mut(stored).row_of(row, nth).map_err(|why| *why)?,
            };
            let stored = Rc::clone(stored);
            let taken = (0..stored.indexes.len()).find(|index| stored.has_unique(*index, &row));
            if let Some(index) = taken {
                return Err(*duplicate_entry(&stored, index, &row));
            }
            let name = slot_name(table, 0, &stored.key(&row));
            // The table would be copied if it were shared while the row is written.
            drop(stored);
            self.place(&name, Some(row), None);
        }
        Ok(())
    }

    /// Replaces a table by that of another database, which shares its rows; without locks and uncommitted changes. False: the other one has
    /// no such table.
    pub fn share_table(&mut self, table: &[u8], other: &Database) -> bool {
        let Some(shared) = other.tables.get(table) else { return false };
        self.tables.insert(shared.name.clone(), Rc::clone(shared));
        true
    }
}

impl Table {
    /// Adds rows to a table without secondary indexes as long as their keys ascend, in a tenth of the time that it takes to add them one by
    /// one. Returns the first row that does not come after all others, in its stored form.
    fn load_sorted(&mut self, rows: &mut impl Iterator<Item = (usize, Row)>) -> Result<Option<Row>, Box<Failure>> {
        // All keys are parts of one text, which saves an allocation per row.
        let mut text = Vec::new();
        let mut last = self.rows.last().map_or_else(Vec::new, |(key, _)| key.to_vec());
        // Each with the end of its key.
        let mut sorted: Vec<(usize, Row)> = Vec::with_capacity(rows.size_hint().0);
        let mut ended = Ok(None);
        for (nth, row) in rows {
            match self.row_of(row, nth) {
                Ok(row) => {
                    let start = text.len();
                    self.encode(0, &row, &mut text);
                    let key = text.get(start..).unwrap_or_default();
                    if key <= &*last {
                        text.truncate(start);
                        ended = Ok(Some(row));
                        break;
                    }
                    last.clear();
                    last.extend_from_slice(key);
                    sorted.push((text.len(), row));
                }
                Err(why) => {
                    ended = Err(why);
                    break;
                }
            }
        }
        let (text, mut start) = (Bytes::from(text), 0);
        let entries = sorted.into_iter().map(|(end, row)| {
            let key = text.slice(start..end);
            start = end;
            (key, row)
        });
        if self.rows.is_empty() {
            self.rows = Tree::from_sorted(entries);
        } else {
            for (key, row) in entries {
                self.rows.insert(key, row);
            }
        }
        ended
    }

    /// The stored form of a row; `nth` is its number for messages, from 1.
    fn row_of(&mut self, mut row: Row, nth: usize) -> Result<Row, Box<Failure>> {
        if row.len() != self.columns.len() {
            let message = join(&["Column count doesn't match value count at row ", &nth.to_string()]);
            return Err(Failure::new(1136, b"21S01", message));
        }
        for (place, column) in self.columns.iter().enumerate() {
            let Some(cell) = row.get(place) else { break };
            let stored = store(column, cell, nth)?;
            if let (true, Cell::Integer(number)) = (column.is_auto_increment, &stored) {
                self.auto_increment = self.auto_increment.max(number.saturating_add(1));
            }
            if stored != *cell
                && let Some(cell) = Rc::make_mut(&mut row).get_mut(place)
            {
                *cell = stored;
            }
        }
        if self.has_hidden_key() {
            let hidden = Cell::Integer(self.row_number);
            self.row_number = self.row_number.saturating_add(1);
            return Ok(row.iter().cloned().chain([hidden]).collect());
        }
        Ok(row)
    }

    /// Whether another row has the same values in this index, if it is unique.
    fn has_unique(&self, index: usize, row: &[Cell]) -> bool {
        match (index, self.unique_part(index, row)) {
            (0, _) => self.rows.contains(&self.key(row)),
            (_, Some(part)) => self.entries_with(index, &part).next().is_some(),
            (_, None) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Settings;

    fn database(create: &str) -> (Database, crate::ConnectionId) {
        let mut database = Database::new(Settings::default());
        let connection = database.connect(0).unwrap();
        database.handle_taking(0, connection, create.as_bytes(), 0);
        (database, connection)
    }

    fn text(text: &str) -> Cell {
        Cell::Text(Bytes::copy_from_slice(text.as_bytes()))
    }

    #[test]
    fn loaded_rows_are_those_that_statements_insert() {
        for create in [
            "CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(9))",
            "CREATE TABLE t (id INT, v VARCHAR(9))",
            "CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, v CHAR(9), UNIQUE KEY u (v))",
            "CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(9), KEY k (v))",
        ] {
            let (mut loaded, _) = database(create);
            let (mut inserted, connection) = database(create);
            // Out of order at different places, in order, and in order to an extent that needs several nodes; then more rows.
            for ids in [vec![3, 1, 200, 17, -4], vec![1, 2, 9, 3], (-70..0).chain(1..900).collect()] {
                for part in ids.chunks(ids.len().div_ceil(2)) {
                    let row = |id: &i64| vec![Cell::Integer(*id), text(&format!("v{id}"))];
                    loaded.load(b"t", part.iter().map(row)).unwrap();
                    for id in part {
                        let insert = format!("INSERT INTO t VALUES ({id}, 'v{id}')");
                        inserted.handle_taking(0, connection, insert.as_bytes(), 0);
                    }
                }
                assert!(loaded.tables == inserted.tables, "{create}");
                assert_eq!(loaded.slots, inserted.slots, "{create}");
                for database in [&mut loaded, &mut inserted] {
                    let id = database.connect(0).unwrap();
                    database.handle_taking(0, id, b"DELETE FROM t", 0);
                    database.disconnect(0, id);
                }
            }
        }
    }

    #[test]
    fn loaded_values_are_stored_as_their_columns_store_them() {
        let (mut loaded, _) = database("CREATE TABLE t (id INT PRIMARY KEY, v CHAR(3))");
        let rows = [(1, "a  "), (2, "b"), (3, "c ")].map(|(id, value)| [text(&id.to_string()), text(value)]);
        loaded.load(b"t", rows).unwrap();
        let stored: Vec<_> = loaded.tables().flat_map(Table::rows).map(|row| row.to_vec()).collect();
        assert_eq!(stored, [(1, "a"), (2, "b"), (3, "c")].map(|(id, value)| [Cell::Integer(id), text(value)]));
    }

    #[test]
    fn rows_that_do_not_fit_are_refused_and_earlier_ones_stay() {
        let (mut database, _) = database("CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(3), UNIQUE KEY u (v))");
        let mut load = |rows: Vec<Vec<Cell>>| database.load(b"t", rows).map_err(|why| why.code);
        assert_eq!(load(vec![vec![Cell::Integer(1), text("a")], vec![Cell::Integer(1), text("b")]]), Err(1062));
        assert_eq!(load(vec![vec![Cell::Integer(2), text("a")]]), Err(1062));
        assert_eq!(load(vec![vec![Cell::Integer(2)]]), Err(1136));
        assert_eq!(load(vec![vec![Cell::Integer(2), text("long")]]), Err(1406));
        assert_eq!(load(vec![vec![Cell::Null, text("b")]]), Err(1048));
        assert_eq!(load(vec![vec![Cell::Integer(2), Cell::Null]]), Ok(()));
        assert_eq!(database.load(b"other", [vec![]]).map_err(|why| why.code), Err(1146));
        assert_eq!(database.tables().next().map(Table::len), Some(2));
    }
}
