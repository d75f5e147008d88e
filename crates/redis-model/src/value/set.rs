//! `Set`: the value of type set: an intset while all members are integers and few, then a hash table.
use crate::value::intset::{self, IntSet};
use crate::value::limits::Limits;
use crate::value::number::parse_i64;
use crate::value::table::{self, Table};
use crate::value::{Str, memory};
use bytes::Bytes;

/// A set. Clones cost O(1).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Set {
    repr: Repr,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Repr {
    Ints(IntSet),
    Table {
        members: Table<()>,
        /// Bytes of all members as Redis strings (`sds`).
        payload: usize,
    },
}

impl Default for Set {
    fn default() -> Self {
        Self::new()
    }
}

impl Set {
    /// An empty set, stored as an intset.
    pub fn new() -> Self {
        Self { repr: Repr::Ints(IntSet::default()) }
    }

    /// Number of members.
    pub fn len(&self) -> usize {
        match &self.repr {
            Repr::Ints(ints) => ints.len(),
            Repr::Table { members, .. } => members.len(),
        }
    }

    /// Whether there are no members.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether it contains `member`.
    pub fn contains(&self, member: &[u8]) -> bool {
        match &self.repr {
            Repr::Ints(ints) => parse_i64(member).is_some_and(|integer| ints.contains(integer)),
            Repr::Table { members, .. } => members.contains(member),
        }
    }

    /// Adds a member; returns whether it is new. A member that is not an integer, or one too many, converts the set to a hash table.
    pub fn insert(&mut self, member: Bytes, limits: &Limits) -> bool {
        match &mut self.repr {
            Repr::Ints(ints) => match parse_i64(&member) {
                Some(integer) => {
                    let new = ints.insert(integer);
                    if new && ints.len() > limits.set_max_intset_entries {
                        self.convert();
                    }
                    new
                }
                None => {
                    self.convert();
                    self.insert(member, limits)
                }
            },
            Repr::Table { members, payload } => {
                let bytes = memory::sds(member.len());
                let new = members.insert(member, ()).is_none();
                if new {
                    *payload += bytes;
                }
                new
            }
        }
    }

    fn convert(&mut self) {
        let Repr::Ints(ints) = &self.repr else { return };
        let mut members = Table::new();
        members.reserve(ints.len());
        let mut payload = 0;
        for integer in ints.iter() {
            let member = Str::Int(integer).to_bytes();
            payload += memory::sds(member.len());
            members.insert(member, ());
        }
        self.repr = Repr::Table { members, payload };
    }

    /// Removes a member; returns whether it was present.
    pub fn remove(&mut self, member: &[u8]) -> bool {
        match &mut self.repr {
            Repr::Ints(ints) => parse_i64(member).is_some_and(|integer| ints.remove(integer)),
            Repr::Table { members, payload } => {
                let removed = members.remove(member).is_some();
                if removed {
                    *payload -= memory::sds(member.len());
                }
                removed
            }
        }
    }

    /// The member at an index of `iter`'s order: a uniform index gives a uniformly random member. O(log n).
    pub fn nth(&self, index: usize) -> Option<Bytes> {
        match &self.repr {
            Repr::Ints(ints) => ints.nth(index).map(|integer| Str::Int(integer).to_bytes()),
            Repr::Table { members, .. } => members.nth(index).map(|(member, ())| member.clone()),
        }
    }

    /// Removes the member at an index of `iter`'s order. O(log n).
    pub fn remove_nth(&mut self, index: usize) -> Option<Bytes> {
        match &mut self.repr {
            Repr::Ints(ints) => ints.remove_nth(index).map(|integer| Str::Int(integer).to_bytes()),
            Repr::Table { members, payload } => {
                let (member, ()) = members.remove_nth(index)?;
                *payload -= memory::sds(member.len());
                Some(member)
            }
        }
    }

    /// The members: an intset in ascending order, a hash table in the order of `SCAN`.
    pub fn iter(&self) -> Iter<'_> {
        match &self.repr {
            Repr::Ints(ints) => Iter::Ints(ints.iter()),
            Repr::Table { members, .. } => Iter::Table(members.iter()),
        }
    }

    /// One step of `SSCAN`: emits members and returns the next cursor, 0 at the end. An intset is emitted in one step.
    pub fn scan(&self, cursor: u64, mut emit: impl FnMut(Bytes)) -> u64 {
        match &self.repr {
            Repr::Ints(_) => {
                self.iter().for_each(emit);
                0
            }
            Repr::Table { members, .. } => members.scan(cursor, |member, ()| emit(member.clone())),
        }
    }

    /// The intset, if the encoding is one: for the visualisation.
    pub fn as_intset(&self) -> Option<&IntSet> {
        match &self.repr {
            Repr::Ints(ints) => Some(ints),
            Repr::Table { .. } => None,
        }
    }

    /// The hash table, if the encoding is one: for the visualisation.
    pub fn as_table(&self) -> Option<&Table<()>> {
        match &self.repr {
            Repr::Ints(_) => None,
            Repr::Table { members, .. } => Some(members),
        }
    }

    /// As `OBJECT ENCODING` prints it.
    pub fn encoding(&self) -> &'static str {
        match &self.repr {
            Repr::Ints(_) => "intset",
            Repr::Table { .. } => "hashtable",
        }
    }

    /// Bytes that Redis would use. O(1).
    pub fn memory(&self) -> usize {
        match &self.repr {
            Repr::Ints(ints) => memory::OBJECT_BYTES + memory::allocated(ints.bytes()),
            Repr::Table { members, payload } => memory::OBJECT_BYTES + memory::dict(members) + payload,
        }
    }

    /// Verifies the stored sizes against the members, by recounting.
    ///
    /// # Errors
    /// A description of the first mismatch.
    pub fn check(&self) -> Result<(), String> {
        if let Repr::Table { members, payload } = &self.repr {
            let counted: usize = members.keys().map(|member| memory::sds(member.len())).sum();
            if counted != *payload {
                return Err(format!("{payload} bytes of members noted, {counted} counted"));
            }
        }
        Ok(())
    }
}

/// The members of a set.
#[derive(Clone)]
pub enum Iter<'a> {
    /// From an intset, as text.
    Ints(intset::Iter<'a>),
    /// From a hash table.
    Table(table::Iter<'a, ()>),
}

impl Iterator for Iter<'_> {
    type Item = Bytes;

    fn next(&mut self) -> Option<Bytes> {
        match self {
            Self::Ints(ints) => ints.next().map(|integer| Str::Int(integer).to_bytes()),
            Self::Table(members) => members.next().map(|(member, ())| member.clone()),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Self::Ints(ints) => ints.size_hint(),
            Self::Table(members) => members.size_hint(),
        }
    }
}

impl ExactSizeIterator for Iter<'_> {}

impl<'a> IntoIterator for &'a Set {
    type Item = Bytes;
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn member() -> impl Strategy<Value = Bytes> {
        prop_oneof![
            8 => (-40i64..40).prop_map(|n| n.to_string()),
            1 => any::<i32>().prop_map(|n| n.to_string()),
            1 => any::<i64>().prop_map(|n| n.to_string()),
            1 => "[a-z]{0,3}|0[0-9]".prop_map(String::from),
        ]
        .prop_map(Bytes::from)
    }

    proptest! {
        #[test]
        fn behaves_as_a_btreeset_and_clones_never_change(
            steps in prop::collection::vec((0u8..3, member(), any::<prop::sample::Index>()), 0..200),
            most in 0usize..60,
        ) {
            let limits = Limits { set_max_intset_entries: most, ..Limits::DEFAULT };
            let (mut set, mut model) = (Set::new(), BTreeSet::new());
            let mut earlier = Vec::new();
            let mut all_ints = true;
            for (at, (what, member, index)) in steps.into_iter().enumerate() {
                match what {
                    0 | 1 => {
                        all_ints &= parse_i64(&member).is_some();
                        prop_assert_eq!(set.insert(member.clone(), &limits), model.insert(member));
                        all_ints &= model.len() <= most;
                    }
                    _ if !set.is_empty() && index.index(2) == 0 => {
                        let at = index.index(set.len());
                        let picked = set.nth(at);
                        prop_assert_eq!(&set.remove_nth(at), &picked);
                        prop_assert!(model.remove(&picked.unwrap()));
                    }
                    _ => prop_assert_eq!(set.remove(&member), model.remove(&member)),
                }
                prop_assert_eq!(set.encoding(), if all_ints { "intset" } else { "hashtable" });
                if at % 20 == 0 { earlier.push((set.clone(), model.clone())); }
            }
            earlier.push((set, model));
            for (set, model) in earlier {
                prop_assert_eq!(set.check(), Ok(()));
                prop_assert_eq!(set.len(), model.len());
                prop_assert_eq!(&set.iter().collect::<BTreeSet<_>>(), &model);
                prop_assert!(model.iter().all(|member| set.contains(member)));
                let (mut seen, mut cursor) = (BTreeSet::new(), 0);
                loop {
                    cursor = set.scan(cursor, |member| { seen.insert(member); });
                    if cursor == 0 { break; }
                }
                prop_assert_eq!(seen, model);
            }
        }
    }
}
