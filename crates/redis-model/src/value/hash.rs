//! `Hash`: the value of type hash: a listpack in order of insertion while small, then a hash table.
use crate::value::limits::Limits;
use crate::value::table::{self, Table};
use crate::value::tree::{self, Tree};
use crate::value::{listpack, memory};
use bytes::Bytes;

/// A hash of fields and values. Clones cost O(1).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Hash {
    repr: Repr,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Repr {
    Listpack {
        pairs: Tree<(), (Bytes, Bytes)>,
        /// Bytes of the listpack.
        bytes: usize,
    },
    Table {
        fields: Table<Bytes>,
        /// Bytes of all fields and values as Redis strings (`sds`).
        payload: usize,
    },
}

fn pair_bytes(field: &[u8], value: &[u8]) -> usize {
    listpack::entry_bytes(field) + listpack::entry_bytes(value)
}

impl Default for Hash {
    fn default() -> Self {
        Self::new()
    }
}

impl Hash {
    /// An empty hash, a listpack.
    pub fn new() -> Self {
        Self { repr: Repr::Listpack { pairs: Tree::new(), bytes: listpack::EMPTY_BYTES } }
    }

    /// Number of fields.
    pub fn len(&self) -> usize {
        match &self.repr {
            Repr::Listpack { pairs, .. } => pairs.len(),
            Repr::Table { fields, .. } => fields.len(),
        }
    }

    /// Whether there are no fields.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value of a field.
    pub fn get(&self, field: &[u8]) -> Option<&Bytes> {
        match &self.repr {
            Repr::Listpack { pairs, .. } => pairs.values().find(|pair| pair.0 == field).map(|pair| &pair.1),
            Repr::Table { fields, .. } => fields.get(field),
        }
    }

    /// Whether it contains `field`.
    pub fn contains(&self, field: &[u8]) -> bool {
        self.get(field).is_some()
    }

    /// Sets a field; returns its previous value. A field or value that is too long, or one field too many, converts the
    /// hash to a hash table.
    pub fn insert(&mut self, field: Bytes, value: Bytes, limits: &Limits) -> Option<Bytes> {
        let too_long = field.len().max(value.len()) > limits.hash_max_listpack_value;
        if too_long {
            self.convert();
        }
        match &mut self.repr {
            Repr::Listpack { pairs, bytes } => {
                let at = pairs.values().position(|pair| pair.0 == field);
                *bytes += pair_bytes(&field, &value);
                if let Some(pair) = at.and_then(|at| pairs.nth_mut(at)) {
                    let old = std::mem::replace(&mut pair.1, value);
                    *bytes -= pair_bytes(&field, &old);
                    return Some(old);
                }
                pairs.insert_at(pairs.len(), (field, value));
                if pairs.len() > limits.hash_max_listpack_entries {
                    self.convert();
                }
                None
            }
            Repr::Table { fields, payload } => {
                *payload += memory::sds(field.len()) + memory::sds(value.len());
                let field_bytes = memory::sds(field.len());
                let old = fields.insert(field, value);
                if let Some(old) = &old {
                    *payload -= field_bytes + memory::sds(old.len());
                }
                old
            }
        }
    }

    fn convert(&mut self) {
        let Repr::Listpack { pairs, .. } = &self.repr else { return };
        let mut fields = Table::new();
        fields.reserve(pairs.len());
        let mut payload = 0;
        for (field, value) in pairs.values() {
            payload += memory::sds(field.len()) + memory::sds(value.len());
            fields.insert(field.clone(), value.clone());
        }
        self.repr = Repr::Table { fields, payload };
    }

    /// Removes a field; returns its value.
    pub fn remove(&mut self, field: &[u8]) -> Option<Bytes> {
        match &mut self.repr {
            Repr::Listpack { pairs, bytes } => {
                let at = pairs.values().position(|pair| pair.0 == field)?;
                let ((), (field, value)) = pairs.remove_at(at)?;
                *bytes -= pair_bytes(&field, &value);
                Some(value)
            }
            Repr::Table { fields, payload } => {
                let value = fields.remove(field)?;
                *payload -= memory::sds(field.len()) + memory::sds(value.len());
                Some(value)
            }
        }
    }

    /// The field and value at an index of `iter`'s order: a uniform index gives a uniformly random field. O(log n).
    pub fn nth(&self, index: usize) -> Option<(&Bytes, &Bytes)> {
        match &self.repr {
            Repr::Listpack { pairs, .. } => pairs.nth(index).map(|(_, (field, value))| (field, value)),
            Repr::Table { fields, .. } => fields.nth(index),
        }
    }

    /// Fields and values: a listpack in order of insertion, a hash table in the order of `SCAN`.
    pub fn iter(&self) -> Iter<'_> {
        match &self.repr {
            Repr::Listpack { pairs, .. } => Iter::Listpack(pairs.iter()),
            Repr::Table { fields, .. } => Iter::Table(fields.iter()),
        }
    }

    /// One step of `HSCAN`: emits fields and values and returns the next cursor, 0 at the end. A listpack is emitted in one step.
    pub fn scan(&self, cursor: u64, mut emit: impl FnMut(&Bytes, &Bytes)) -> u64 {
        match &self.repr {
            Repr::Listpack { .. } => {
                self.iter().for_each(|(field, value)| emit(field, value));
                0
            }
            Repr::Table { fields, .. } => fields.scan(cursor, emit),
        }
    }

    /// The hash table, if the encoding is one: for the visualisation.
    pub fn as_table(&self) -> Option<&Table<Bytes>> {
        match &self.repr {
            Repr::Listpack { .. } => None,
            Repr::Table { fields, .. } => Some(fields),
        }
    }

    /// Bytes of the listpack, if the encoding is one: for the visualisation.
    pub fn listpack_bytes(&self) -> Option<usize> {
        match &self.repr {
            Repr::Listpack { bytes, .. } => Some(*bytes),
            Repr::Table { .. } => None,
        }
    }

    /// As `OBJECT ENCODING` prints it.
    pub fn encoding(&self) -> &'static str {
        match &self.repr {
            Repr::Listpack { .. } => "listpack",
            Repr::Table { .. } => "hashtable",
        }
    }

    /// Bytes that Redis would use. O(1).
    pub fn memory(&self) -> usize {
        match &self.repr {
            Repr::Listpack { bytes, .. } => memory::OBJECT_BYTES + memory::allocated(*bytes),
            Repr::Table { fields, payload } => memory::OBJECT_BYTES + memory::dict(fields) + payload,
        }
    }

    /// Verifies the stored sizes against the fields, by recounting.
    ///
    /// # Errors
    /// A description of the first mismatch.
    pub fn check(&self) -> Result<(), String> {
        let (noted, counted) = match &self.repr {
            Repr::Listpack { pairs, bytes } => {
                let pairs = pairs.values().map(|(field, value)| pair_bytes(field, value));
                (*bytes, listpack::EMPTY_BYTES + pairs.sum::<usize>())
            }
            Repr::Table { fields, payload } => {
                let strings = fields.iter().map(|(field, value)| memory::sds(field.len()) + memory::sds(value.len()));
                (*payload, strings.sum())
            }
        };
        if noted == counted { Ok(()) } else { Err(format!("{noted} bytes noted, {counted} counted")) }
    }
}

/// Fields and values of a hash.
#[derive(Clone)]
pub enum Iter<'a> {
    /// From a listpack.
    Listpack(tree::Iter<'a, (), (Bytes, Bytes)>),
    /// From a hash table.
    Table(table::Iter<'a, Bytes>),
}

impl<'a> Iterator for Iter<'a> {
    type Item = (&'a Bytes, &'a Bytes);

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Listpack(pairs) => pairs.next().map(|(_, (field, value))| (field, value)),
            Self::Table(fields) => fields.next(),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Self::Listpack(pairs) => pairs.size_hint(),
            Self::Table(fields) => fields.size_hint(),
        }
    }
}

impl ExactSizeIterator for Iter<'_> {}

impl<'a> IntoIterator for &'a Hash {
    type Item = (&'a Bytes, &'a Bytes);
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn behaves_as_a_btreemap_and_clones_never_change(
            steps in prop::collection::vec((any::<bool>(), "[a-f]{1,2}|[0-9]{1,3}", "[a-z]{0,9}|[0-9]{1,5}"), 0..200),
            entries in 0usize..40,
            longest in 3usize..10,
        ) {
            let limits = Limits { hash_max_listpack_entries: entries, hash_max_listpack_value: longest, ..Limits::DEFAULT };
            let (mut hash, mut model, mut order) = (Hash::new(), BTreeMap::new(), Vec::new());
            let mut earlier = Vec::new();
            let mut small = true;
            for (at, (put, field, value)) in steps.into_iter().enumerate() {
                let (field, value) = (Bytes::from(field), Bytes::from(value));
                if put {
                    small &= value.len() <= longest;
                    let old = model.insert(field.clone(), value.clone());
                    if old.is_none() { order.push(field.clone()); }
                    prop_assert_eq!(hash.insert(field, value, &limits), old);
                    small &= model.len() <= entries;
                } else {
                    order.retain(|known| known != &field);
                    prop_assert_eq!(hash.remove(&field), model.remove(&field));
                }
                prop_assert_eq!(hash.encoding(), if small { "listpack" } else { "hashtable" });
                if small {
                    prop_assert!(hash.iter().map(|pair| pair.0).eq(order.iter()));
                }
                if at % 20 == 0 { earlier.push((hash.clone(), model.clone())); }
            }
            earlier.push((hash, model));
            for (hash, model) in earlier {
                prop_assert_eq!(hash.check(), Ok(()));
                prop_assert_eq!(hash.len(), model.len());
                let sorted: BTreeMap<_, _> = hash.iter().map(|(field, value)| (field.clone(), value.clone())).collect();
                prop_assert_eq!(&sorted, &model);
                prop_assert!(model.iter().all(|(field, value)| hash.get(field) == Some(value)));
                for index in 0..hash.len() {
                    prop_assert_eq!(hash.nth(index), hash.iter().nth(index));
                }
                let (mut seen, mut cursor) = (BTreeMap::new(), 0);
                loop {
                    cursor = hash.scan(cursor, |field, value| { seen.insert(field.clone(), value.clone()); });
                    if cursor == 0 { break; }
                }
                prop_assert_eq!(seen, model);
            }
        }
    }
}
