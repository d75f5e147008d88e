//! Whether a formula is true in a world. The page loads this code later than sums: few sessions have a formula.
use bytes::Bytes;
use redis_model::value::{Str, Value, stream::Id};

use super::{Atom, Formula, Operand, length};
use crate::World;

/// Is the formula true in a world?
pub fn is_true(world: &World, formula: &Formula) -> bool {
    let mut atoms = formula.atoms.iter().map(|atom| is_atom_true(world, atom));
    if formula.is_any { atoms.any(|is_true| is_true) } else { atoms.all(|is_true| is_true) }
}

fn is_atom_true(world: &World, atom: &Atom) -> bool {
    match atom {
        Atom::Exists(operand) => held(world, operand).is_some(),
        Atom::Missing(operand) => held(world, operand).is_none(),
        Atom::Same(one, other) => are_same(world, one, other),
        Atom::Different(one, other) => !are_same(world, one, other),
        Atom::Sum(terms, bound) => bound.holds(world.sum(terms)),
    }
}

fn are_same(world: &World, one: &Operand, other: &Operand) -> bool {
    match (held(world, one), held(world, other)) {
        (Some(one), Some(other)) => is_same(&one, &other),
        (one, other) => one.is_none() && other.is_none(),
    }
}

/// The value of an operand; `None` if it does not exist. A literal is a string, as is a hash field.
fn held(world: &World, operand: &Operand) -> Option<Value> {
    let string = |text: &Bytes| Value::String(Str::plain(text.clone()));
    let value = |key: &Bytes| world.value(key);
    match operand {
        Operand::Key(key) => value(key).cloned(),
        Operand::Field(key, field) => match value(key)? {
            Value::Hash(hash) => hash.get(field).map(string),
            _ => None,
        },
        Operand::Text(text) => Some(string(text)),
    }
}

/// Do clients read the same from both? Encoding and history do not matter.
fn is_same(one: &Value, other: &Value) -> bool {
    if length(one) != length(other) {
        return false;
    }
    match (one, other) {
        (Value::String(one), Value::String(other)) => one.to_bytes() == other.to_bytes(),
        (Value::List(one), Value::List(other)) => one.iter().zip(other.iter()).all(|(one, other)| one == other),
        (Value::Set(one), Value::Set(other)) => one.iter().all(|member| other.contains(&member)),
        (Value::Hash(one), Value::Hash(other)) => one.iter().all(|(field, text)| other.get(field) == Some(text)),
        (Value::ZSet(one), Value::ZSet(other)) => one.iter().all(|(member, score)| other.score(member) == Some(score)),
        (Value::Stream(one), Value::Stream(other)) => one.range(Id::MIN..=Id::MAX).eq(other.range(Id::MIN..=Id::MAX)),
        (one, other) => one == other,
    }
}
