//! What properties say of keys and counts: sums, and formulas of comparisons.
//!
//! ```text
//! sum = 0 10 key boxes -1 key money                    10 · boxes − money is 0
//! if exists key cache then same key cache key db       a formula before, a formula behind
//!    └─ premise ─────┘     └─ claim ────────────┘
//! ```
//! Formulas are flat: comparisons that are joined all by `and`, or all by `or`. So each has one reading, and none is deep.
mod truth;

pub(super) use truth::is_true;

use bytes::Bytes;
use redis_model::value::Value;

use super::Property;
use crate::World;

/// A number that a sum is made of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// The number that a string holds; 0 where it holds none.
    Key(Bytes),
    /// The number in a field of a hash; 0 where there is none.
    Field(Bytes, Bytes),
    /// How many elements a list, a set, a hash, a sorted set or a stream has.
    Length(Bytes),
    /// What programs have counted with `tally`.
    Tally(Bytes),
    /// The number in a committed row of the first database: table, primary key, column; 0 where there is none.
    Cell(Bytes, Bytes, Bytes),
}

/// Terms, each with its factor. A factor has 32 bits and a term 64: no sum of less than 2³¹ of them is too large for [`World::sum`], so
/// that none is cut off and seems to hold.
pub type Sum = Vec<(i32, Term)>;

/// What a sum is held against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    /// It is just this.
    Equals(i64),
    /// It is not more than this.
    AtMost(i64),
    /// It is not less than this.
    AtLeast(i64),
}

impl Bound {
    /// Does a sum keep to it?
    pub fn holds(self, is: i128) -> bool {
        match self {
            Bound::Equals(n) => is == i128::from(n),
            Bound::AtMost(n) => is <= i128::from(n),
            Bound::AtLeast(n) => is >= i128::from(n),
        }
    }
}

/// A value on the server, or one that is written out.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// Everything that is behind a key.
    Key(Bytes),
    /// What is in a field of a hash.
    Field(Bytes, Bytes),
    /// This text.
    Text(Bytes),
}

/// A comparison.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Atom {
    /// It is there.
    Exists(Operand),
    /// It is not there.
    Missing(Operand),
    /// Both are the same, or neither is there.
    Same(Operand, Operand),
    /// They are not the same.
    Different(Operand, Operand),
    /// A sum keeps to a bound.
    Sum(Sum, Bound),
}

/// Comparisons; of which all must be true, or one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Formula {
    /// What is compared.
    pub atoms: Vec<Atom>,
    /// Is it true when one of them is? There is no such formula of one comparison.
    pub is_any: bool,
}

impl Operand {
    /// Its key; `None`: it is not on the server.
    pub fn key(&self) -> Option<&Bytes> {
        match self {
            Operand::Key(key) | Operand::Field(key, _) => Some(key),
            Operand::Text(_) => None,
        }
    }
}

impl Atom {
    fn sum(&self) -> &[(i32, Term)] {
        match self {
            Atom::Sum(sum, _) => sum,
            _ => &[],
        }
    }

    fn operands(&self) -> impl Iterator<Item = &Operand> {
        let (one, other) = match self {
            Atom::Exists(one) | Atom::Missing(one) => (Some(one), None),
            Atom::Same(one, other) | Atom::Different(one, other) => (Some(one), Some(other)),
            Atom::Sum(..) => (None, None),
        };
        one.into_iter().chain(other)
    }
}

/// A name that a sum or a formula looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Looked<'a> {
    /// A key of database 0.
    Key(&'a Bytes),
    /// What programs count.
    Tally(&'a Bytes),
    /// A row of a table: the table, and the primary key.
    Row(&'a Bytes, &'a Bytes),
}

fn looked((_, term): &(i32, Term)) -> Looked<'_> {
    match term {
        Term::Key(name) | Term::Field(name, _) | Term::Length(name) => Looked::Key(name),
        Term::Tally(name) => Looked::Tally(name),
        Term::Cell(table, key, _) => Looked::Row(table, key),
    }
}

impl Property {
    /// What its sums and formulas look at; nothing where there are none.
    pub fn looks_at(&self) -> Vec<Looked<'_>> {
        match self {
            Property::Sum { terms, .. } => terms.iter().map(looked).collect(),
            Property::Claim { premise, claim, .. } => {
                let atoms = premise.iter().chain([claim]).flat_map(|formula| &formula.atoms);
                let all = atoms.flat_map(|atom| {
                    let keys = atom.operands().filter_map(Operand::key).map(Looked::Key);
                    keys.chain(atom.sum().iter().map(looked))
                });
                all.collect()
            }
            _ => Vec::new(),
        }
    }

    /// Does it hold what is on the server against what programs have counted? Then it cannot hold while an answer is on its way.
    pub(super) fn is_mixed(&self) -> bool {
        let looked = self.looks_at();
        let tallies = looked.iter().filter(|looked| matches!(looked, Looked::Tally(_))).count();
        tallies > 0 && tallies < looked.len()
    }
}

impl World {
    /// The value of a key that properties look at.
    fn value(&self, key: &Bytes) -> Option<&Value> {
        self.nodes.get(Property::NODE.0)?.value(self.now_ms(), key)
    }

    /// What a sum comes to now.
    pub fn sum(&self, terms: &[(i32, Term)]) -> i128 {
        let value = |key: &Bytes| self.value(key);
        terms.iter().fold(0, |sum: i128, (factor, term)| {
            let number = match term {
                Term::Tally(name) => self.watch.tally(name),
                Term::Key(key) => match value(key) {
                    Some(Value::String(text)) => number(&text.to_bytes()),
                    _ => 0,
                },
                Term::Field(key, field) => match value(key) {
                    Some(Value::Hash(hash)) => hash.get(field).map_or(0, |text| number(text)),
                    _ => 0,
                },
                Term::Length(key) => value(key).map_or(0, length),
                Term::Cell(table, key, column) => self.cell(table, key, column),
            };
            sum.saturating_add(i128::from(number).saturating_mul(i128::from(*factor)))
        })
    }
}

pub(crate) fn number(text: &[u8]) -> i64 {
    std::str::from_utf8(text).ok().and_then(|text| text.parse().ok()).unwrap_or(0)
}

fn length(value: &Value) -> i64 {
    let length = match value {
        Value::String(_) => 1,
        Value::List(list) => list.len(),
        Value::Set(set) => set.len(),
        Value::Hash(hash) => hash.len(),
        Value::ZSet(zset) => zset.len(),
        Value::Stream(stream) => stream.len(),
    };
    i64::try_from(length).unwrap_or(i64::MAX)
}
