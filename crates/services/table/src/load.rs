//! Rows that are written directly, without statements.
use crate::answer::{Cell, Failure};
use crate::error::join;
use crate::execute::missing_table;
use crate::locks::slot_name;
use crate::schema::Table;
use crate::server::Database;
use crate::transaction::duplicate_entry;
use crate::value::store;
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
    pub fn load(&mut self, table: &[u8], rows: impl IntoIterator<Item = Vec<Cell>>) -> Result<(), Failure> {
        for (nth, row) in (1..).zip(rows) {
            let Some(stored) = self.tables.get_mut(table) else { return Err(*missing_table(table)) };
            let row = Rc::make_mut(stored).row_of(row, nth).map_err(|why| *why)?;
            let stored = Rc::clone(stored);
            let taken = (0..stored.indexes.len()).find(|index| stored.has_unique(*index, &row));
            if let Some(index) = taken {
                return Err(*duplicate_entry(&stored, index, &row));
            }
            let name = slot_name(table, 0, &stored.key(&row));
            // The table would be copied if it were shared while the row is written.
            drop(stored);
            self.place(&name, Some(row.into()), None);
        }
        Ok(())
    }
}

impl Table {
    /// The stored form of a row; `nth` is its number for messages, from 1.
    fn row_of(&mut self, mut cells: Vec<Cell>, nth: usize) -> Result<Vec<Cell>, Box<Failure>> {
        if cells.len() != self.columns.len() {
            let message = join(&["Column count doesn't match value count at row ", &nth.to_string()]);
            return Err(Failure::new(1136, b"21S01", message));
        }
        for (column, cell) in self.columns.iter().zip(&mut cells) {
            *cell = store(column, cell, nth)?;
            if let (true, Cell::Integer(number)) = (column.is_auto_increment, &*cell) {
                self.auto_increment = self.auto_increment.max(number.saturating_add(1));
            }
        }
        if self.has_hidden_key() {
            cells.push(Cell::Integer(self.row_number));
            self.row_number = self.row_number.saturating_add(1);
        }
        Ok(cells)
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
    use bytes::Bytes;

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
            let ids = [3, 1, 200, 17, -4];
            loaded.load(b"t", ids.map(|id| vec![Cell::Integer(id), text(&format!("v{id}"))])).unwrap();
            for id in ids {
                let insert = format!("INSERT INTO t VALUES ({id}, 'v{id}')");
                inserted.handle_taking(0, connection, insert.as_bytes(), 0);
            }
            assert_eq!(loaded.tables, inserted.tables, "{create}");
            assert_eq!(loaded.slots, inserted.slots, "{create}");
        }
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
