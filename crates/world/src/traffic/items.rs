//! `Items`: the table of all items, filled before traffic begins, so that a page can do it in slices.
use std::cell::RefCell;

use script::Alike;
use table::{Cell, Database, Settings};

use super::truth::first_values;

/// From this many items on, a page fills the table in slices. So many take some ms.
pub const MANY_ITEMS: u32 = 10_000;

/// A table that is filled step by step, for all worlds that share it. It only saves time: its content depends on the number of items alone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Items(Alike<RefCell<Filling>>);

#[derive(Default)]
struct Filling {
    database: Option<Database>,
    /// Items in the table, and those that it will have.
    filled: u32,
    items: u32,
}

impl Items {
    /// Is the table with this number of items filled?
    pub fn are_filled(&self, items: u32) -> bool {
        let filling = self.0.borrow();
        filling.items == items && filling.filled == items
    }

    /// Adds at most `most` items to the table with this number of items; returns whether it is filled. A table with another number is
    /// dropped.
    pub fn fill(&self, items: u32, most: u32) -> bool {
        let mut filling = self.0.borrow_mut();
        if filling.items != items {
            let mut database = Database::new(Settings::default());
            create(&mut database, 0);
            *filling = Filling { database: Some(database), filled: 0, items };
        }
        let Filling { database, filled, .. } = &mut *filling;
        let until = filled.saturating_add(most).min(items);
        if let Some(database) = database {
            load(database, *filled, until);
        }
        *filled = until;
        until == items
    }
}

/// Gives a database the table with all items, without any cost in time.
pub(super) fn fill(database: &mut Database, items: u32, now_ms: u64, known: &Items) {
    create(database, now_ms);
    let is_filled = known.are_filled(items);
    let known = known.0.borrow();
    match known.database.as_ref().filter(|_| is_filled) {
        Some(known) => {
            database.share_table(TABLE, known);
        }
        None => load(database, 0, items),
    }
}

const TABLE: &[u8] = b"item";

/// Creates the empty table, in place of a former one.
fn create(database: &mut Database, now_ms: u64) {
    let Ok(connection) = database.connect(now_ms) else { return };
    for statement in ["DROP TABLE IF EXISTS item", "CREATE TABLE item (id INT PRIMARY KEY, value VARCHAR(255))"] {
        database.handle_taking(now_ms, connection, statement.as_bytes(), 0);
    }
    database.disconnect(now_ms, connection);
}

/// Adds the items after `from`, up to `to`.
fn load(database: &mut Database, from: u32, to: u32) {
    let rows = (from.saturating_add(1)..=to).zip(first_values(from, to));
    // Every row fits this table.
    let _ = database.load(TABLE, rows.map(|(id, value)| [Cell::Integer(id.into()), Cell::Text(value)]));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(items: u32, known: &Items) -> Database {
        let mut database = Database::new(Settings::default());
        fill(&mut database, items, 7, known);
        database
    }

    #[test]
    fn table_that_was_filled_in_steps_is_the_same() {
        let items = Items::default();
        for (count, most) in [(1, 1), (100, 7), (2_500, 999), (30, 100)] {
            let expected = filled(count, &items);
            assert!(!items.are_filled(count), "the table had another number of items");
            while !items.fill(count, most) {}
            assert!(items.are_filled(count));
            let shared = filled(count, &items);
            assert!(shared == expected, "{count} items, {most} at once");
            assert_eq!(script::fingerprint(&shared), script::fingerprint(&expected));
            assert_eq!(shared.tables().next().map(table::Table::len), Some(count as usize));
        }
    }

    #[test]
    fn changes_of_a_database_do_not_change_the_shared_table() {
        let items = Items::default();
        items.fill(50, 50);
        let (mut changed, kept) = (filled(50, &items), filled(50, &items));
        let connection = changed.connect(7).unwrap();
        changed.handle_taking(7, connection, b"DELETE FROM item WHERE id > 10", 0);
        changed.disconnect(7, connection);
        assert_eq!(changed.tables().next().map(table::Table::len), Some(10));
        let again = filled(50, &items);
        assert!(again == kept && again == filled(50, &Items::default()));
    }
}
