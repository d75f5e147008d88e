//! Stored tables: columns, indexes, rows. An index is a sorted list of encoded values (`Cell::encode`), none of which is
//! a prefix of another.
use crate::answer::{Cell, Row};
use bytes::Bytes;
use redis_model::value::Tree;
use std::rc::Rc;

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Integers.
    Integer {
        /// Size in bytes: 1, 2, 4 or 8.
        size: u8,
        /// Whether it is `UNSIGNED`.
        unsigned: bool,
        /// The display width in parentheses, which does not limit the values.
        width: u32,
    },
    /// `CHAR(n)`: up to n characters, without trailing spaces.
    Char(u32),
    /// `VARCHAR(n)`: up to n characters.
    Varchar(u32),
    /// `TEXT`: up to 65,535 bytes.
    Text,
    /// `DATETIME(n)`: n digits of a second's fraction.
    DateTime(u8),
}

/// The default of a column.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Default {
    /// No default: an error, unless the column is `AUTO_INCREMENT`.
    None,
    /// This value, possibly `Null`.
    Value(Cell),
    /// `CURRENT_TIMESTAMP`
    Now,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Column {
    /// Its name as written.
    pub name: Bytes,
    /// Its type.
    pub kind: Kind,
    /// Whether it may be `NULL`.
    pub is_nullable: bool,
    /// Its default.
    pub default: Default,
    /// `AUTO_INCREMENT`
    pub is_auto_increment: bool,
}

/// An index of a table.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Index {
    /// `PRIMARY` for the primary key.
    pub name: Bytes,
    /// Whether it is unique: no two rows have equal values in its columns, unless one value is `NULL`.
    pub is_unique: bool,
    /// Positions of its columns. The position after the last column is the hidden row number.
    pub columns: Vec<usize>,
    /// Encoded columns and primary key of each row version, committed or not. The value is the empty row, so that this
    /// tree has the same type as that of the rows.
    pub(crate) entries: Tree<Bytes, Row>,
}

/// A table: its columns, its indexes, its committed rows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Table {
    pub(crate) name: Bytes,
    pub(crate) columns: Rc<[Column]>,
    /// The primary key first. In a table without one it is a hidden number, stored after the columns of each row.
    pub(crate) indexes: Vec<Index>,
    /// The next `AUTO_INCREMENT` number.
    pub(crate) auto_increment: i64,
    /// The next hidden row number of a table without a primary key.
    pub(crate) row_number: i64,
    /// Committed rows by encoded primary key.
    pub(crate) rows: Tree<Bytes, Row>,
    /// The empty row, shared by all index entries.
    pub(crate) nothing: Row,
    /// Primary keys of inserted but uncommitted rows.
    pub(crate) inserted: Tree<Bytes, Row>,
}

impl Table {
    /// Its name.
    pub fn name(&self) -> &Bytes {
        &self.name
    }

    /// Its columns in order.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Its indexes. The primary key comes first; if none was declared, it is the hidden row number, the cell after the last column.
    pub fn indexes(&self) -> &[Index] {
        &self.indexes
    }

    /// The next `AUTO_INCREMENT` number.
    pub fn auto_increment(&self) -> Option<i64> {
        self.columns.iter().any(|column| column.is_auto_increment).then_some(self.auto_increment)
    }

    /// The committed rows in the order of the primary key.
    pub fn rows(&self) -> impl DoubleEndedIterator<Item = &Row> + ExactSizeIterator {
        self.rows.values()
    }

    /// Number of committed rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no committed rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The encoded columns of an index; empty for an unknown index.
    fn encoded(&self, index: usize, row: &[Cell]) -> Vec<u8> {
        let mut key = Vec::new();
        self.encode(index, row, &mut key);
        key
    }

    /// Appends the encoded columns of an index.
    pub(crate) fn encode(&self, index: usize, row: &[Cell], key: &mut Vec<u8>) {
        for column in self.indexes.get(index).map(|index| index.columns.as_slice()).unwrap_or_default() {
            row.get(*column).unwrap_or(&Cell::Null).encode(key);
        }
    }

    /// The encoded primary key of a row.
    pub(crate) fn key(&self, row: &[Cell]) -> Bytes {
        self.encoded(0, row).into()
    }

    /// The entry of a row in an index: in all but the primary key, followed by the primary key.
    pub(crate) fn entry(&self, index: usize, row: &[Cell]) -> Bytes {
        let mut entry = self.encoded(index, row);
        if index > 0 {
            entry.extend(self.encoded(0, row));
        }
        entry.into()
    }

    /// The unique key of a row in an index; `None` if the index is not unique, or a column is `NULL`.
    pub(crate) fn unique_part(&self, index: usize, row: &[Cell]) -> Option<Bytes> {
        let of = self.indexes.get(index)?;
        let has_null = of.columns.iter().any(|column| row.get(*column) == Some(&Cell::Null));
        (of.is_unique && !has_null).then(|| self.encoded(index, row).into())
    }

    /// The entry part of the slot name of a row in an index.
    pub(crate) fn lock_part(&self, index: usize, row: &[Cell]) -> Bytes {
        self.unique_part(index, row).unwrap_or_else(|| self.entry(index, row))
    }

    /// Entries of an index with this prefix, each with its position.
    pub(crate) fn entries_with<'a>(
        &'a self,
        index: usize,
        start: &'a [u8],
    ) -> impl Iterator<Item = (usize, &'a Bytes)> {
        let entries = self.indexes.get(index).map(|index| &index.entries);
        let from = entries.map_or(0, |entries| entries.lower_bound(|entry| &**entry < start));
        let from_there = entries.into_iter().flat_map(move |entries| entries.range(from..));
        from_there.map(|(entry, _)| entry).take_while(move |entry| entry.starts_with(start)).enumerate()
    }

    fn is_text(&self, column: usize) -> bool {
        matches!(
            self.columns.get(column).map(|column| column.kind),
            Some(Kind::Char(_) | Kind::Varchar(_) | Kind::Text)
        )
    }

    /// Length of the encoded columns at the start of an index entry.
    pub(crate) fn columns_bytes(&self, index: usize, entry: &[u8]) -> usize {
        let mut at = 0usize;
        for column in self.indexes.get(index).map(|index| index.columns.as_slice()).unwrap_or_default() {
            let rest = entry.get(at..).unwrap_or_default();
            at = at.saturating_add(match rest.first() {
                Some(1) if self.is_text(*column) => {
                    let mut length = 1;
                    while let Some(pair) = rest.get(length..length + 2) {
                        match pair {
                            [0, 0] => break,
                            [0, _] => length += 2,
                            _ => length += 1,
                        }
                    }
                    length + 2
                }
                Some(1) => 9,
                _ => 1,
            });
        }
        at.min(entry.len())
    }

    /// The primary key at the end of an entry.
    pub(crate) fn primary_of<'a>(&self, index: usize, entry: &'a [u8]) -> &'a [u8] {
        if index == 0 { entry } else { entry.get(self.columns_bytes(index, entry)..).unwrap_or_default() }
    }

    /// The index columns of a row as shown in messages: `1-a`.
    pub(crate) fn printed(&self, index: usize, row: &[Cell]) -> Bytes {
        let mut text = Vec::new();
        for column in self.indexes.get(index).map(|index| index.columns.as_slice()).unwrap_or_default() {
            if !text.is_empty() {
                text.push(b'-');
            }
            text.extend_from_slice(&row.get(*column).unwrap_or(&Cell::Null).to_text());
        }
        text.into()
    }

    /// Like [`Table::printed`], but from the entry alone, which has lost the letter case.
    pub(crate) fn decoded(&self, index: usize, entry: &[u8]) -> Bytes {
        let mut cells = vec![Cell::Null; self.columns.len().saturating_add(1)];
        let mut rest = entry;
        for column in self.indexes.get(index).map(|index| index.columns.as_slice()).unwrap_or_default() {
            let Some(cell) = cells.get_mut(*column) else { break };
            let kind = self.columns.get(*column).map(|column| column.kind);
            match rest {
                [1, text @ ..] if self.is_text(*column) => {
                    let end = text.windows(2).position(|pair| pair == [0, 0]).unwrap_or(text.len());
                    *cell = Cell::Text(Bytes::copy_from_slice(text.get(..end).unwrap_or_default()));
                    rest = text.get(end + 2..).unwrap_or_default();
                }
                [1, number @ ..] => {
                    let Some((bytes, behind)) = number.split_first_chunk::<8>() else { break };
                    let number = (u64::from_be_bytes(*bytes) ^ (1 << 63)).cast_signed();
                    *cell = match kind {
                        Some(Kind::DateTime(digits)) => Cell::DateTime { micros: number, digits },
                        _ => Cell::Integer(number),
                    };
                    rest = behind;
                }
                [_, behind @ ..] => rest = behind,
                [] => break,
            }
        }
        self.printed(index, &cells)
    }

    /// The committed row at an index in the order of the primary key, from 0. O(log n).
    pub fn nth(&self, index: usize) -> Option<&Row> {
        self.rows.nth(index).map(|(_, row)| row)
    }
}
