//! Sums and formulas: what properties state about keys and counters.
//!
//! ```text
//! sum = 0 10 key boxes -1 key money                    10 · boxes − money is 0
//! if exists key cache then same key cache key db       a premise and a claim, each a formula
//!    └─ premise ─────┘     └─ claim ────────────┘
//! ```
//! Formulas are flat: comparisons joined all by `and`, or all by `or`. So each has one reading and no nesting.
mod truth;

pub(super) use truth::is_true;

use bytes::Bytes;
use redis_model::value::Value;

use super::Property;
use crate::World;

/// A number in a sum.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// The number in a string; 0 if there is none.
    Key(Bytes),
    /// The number in a field of a hash; 0 if there is none.
    Field(Bytes, Bytes),
    /// Number of elements of a list, set, hash, sorted set or stream.
    Length(Bytes),
    /// The total that programs have counted with `tally`.
    Tally(Bytes),
    /// The number in a committed row of the first database: table, primary key, column; 0 if there is none.
    Cell(Bytes, Bytes, Bytes),
}

/// Terms, each with its factor. A factor has 32 bits and a term 64: no sum of fewer than 2³¹ terms overflows [`World::sum`], so no overflow
/// can make a false sum hold.
pub type Sum = Vec<(i32, Term)>;

/// The bound of a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    /// The sum equals this.
    Equals(i64),
    /// The sum is at most this.
    AtMost(i64),
    /// The sum is at least this.
    AtLeast(i64),
}

impl Bound {
    /// Does a sum satisfy the bound?
    pub fn holds(self, is: i128) -> bool {
        match self {
            Bound::Equals(n) => is == i128::from(n),
            Bound::AtMost(n) => is <= i128::from(n),
            Bound::AtLeast(n) => is >= i128::from(n),
        }
    }
}

/// A value on the server, or a literal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// The whole value of a key.
    Key(Bytes),
    /// The value in a field of a hash.
    Field(Bytes, Bytes),
    /// This text.
    Text(Bytes),
}

/// A comparison.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Atom {
    /// The operand exists.
    Exists(Operand),
    /// The operand does not exist.
    Missing(Operand),
    /// Both are the same, or both do not exist.
    Same(Operand, Operand),
    /// They are not the same.
    Different(Operand, Operand),
    /// A sum satisfies a bound.
    Sum(Sum, Bound),
}

/// Comparisons joined by `and`, or by `or`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Formula {
    /// The comparisons.
    pub atoms: Vec<Atom>,
    /// `true`: joined by `or`. Only with two or more comparisons.
    pub is_any: bool,
}

impl Operand {
    /// Its key; `None` for a literal.
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

/// A name that a sum or a formula reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Looked<'a> {
    /// A key of database 0.
    Key(&'a Bytes),
    /// A counter of programs.
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
    /// What its sums and formulas read; empty if it has none.
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

    /// Does it compare values on the server with counters of programs? Then it can be false while a reply is in flight.
    pub(super) fn is_mixed(&self) -> bool {
        let looked = self.looks_at();
        let tallies = looked.iter().filter(|looked| matches!(looked, Looked::Tally(_))).count();
        tallies > 0 && tallies < looked.len()
    }
}

impl World {
    /// The value of a key that properties read.
    fn value(&self, key: &Bytes) -> Option<&Value> {
        self.nodes.get(Property::NODE.0)?.value(self.now_ms(), key)
    }

    /// The current value of a sum.
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
