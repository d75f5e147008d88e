//! The text form of formulas.
use bytes::Bytes;

use super::{Read, read_sum, sum_to_words, with, words};
use crate::property::formula::{Atom, Formula, Operand};

impl Operand {
    pub(super) fn to_words(&self) -> Vec<Bytes> {
        match self {
            Operand::Key(key) => with(["key"], [key]),
            Operand::Field(key, field) => with(["field"], [key, field]),
            Operand::Text(text) => with(["text"], [text]),
        }
    }

    pub(super) fn read(words: &[Bytes]) -> Read<'_, Operand> {
        let (kind, rest) = words.split_first()?;
        Some(match (kind.as_ref(), rest) {
            (b"field", [key, field, rest @ ..]) => (Operand::Field(key.clone(), field.clone()), rest),
            (b"key", [key, rest @ ..]) => (Operand::Key(key.clone()), rest),
            (b"text", [text, rest @ ..]) => (Operand::Text(text.clone()), rest),
            _ => return None,
        })
    }
}

impl Atom {
    pub(super) fn to_words(&self, all: &mut Vec<Bytes>) {
        let (word, one, other) = match self {
            Atom::Exists(one) => ("exists", one, None),
            Atom::Missing(one) => ("missing", one, None),
            Atom::Same(one, other) => ("same", one, Some(other)),
            Atom::Different(one, other) => ("different", one, Some(other)),
            Atom::Sum(terms, bound) => {
                all.extend(words(["sum"]));
                return sum_to_words(terms, *bound, all);
            }
        };
        all.extend(words([word]));
        all.extend(one.to_words());
        all.extend(other.map(Operand::to_words).unwrap_or_default());
    }

    pub(super) fn read(words: &[Bytes]) -> Read<'_, Atom> {
        let (kind, rest) = words.split_first()?;
        if kind.as_ref() == b"sum" {
            return read_sum(rest);
        }
        // A literal always exists, and is compared with a value on the server: it comes second.
        let (one, rest) = Operand::read(rest).filter(|(one, _)| one.key().is_some())?;
        let both = || Operand::read(rest).filter(|(other, _)| *other != one);
        Some(match kind.as_ref() {
            b"exists" => (Atom::Exists(one), rest),
            b"missing" => (Atom::Missing(one), rest),
            b"same" => {
                let (other, rest) = both()?;
                (Atom::Same(one, other), rest)
            }
            b"different" => {
                let (other, rest) = both()?;
                (Atom::Different(one, other), rest)
            }
            _ => return None,
        })
    }
}

impl Formula {
    pub(super) fn to_words(&self, all: &mut Vec<Bytes>) {
        for (nth, atom) in self.atoms.iter().enumerate() {
            if nth > 0 {
                all.extend(words([if self.is_any { "or" } else { "and" }]));
            }
            atom.to_words(all);
        }
    }

    /// Parses comparisons as long as they are joined by the same word.
    pub(super) fn read(words: &[Bytes]) -> Read<'_, Formula> {
        let (first, mut rest) = Atom::read(words)?;
        let (mut atoms, mut joint) = (vec![first], None);
        while let [word, after @ ..] = rest
            && matches!(word.as_ref(), b"and" | b"or")
        {
            if *joint.get_or_insert(word) != word {
                return None;
            }
            let (atom, after) = Atom::read(after)?;
            atoms.push(atom);
            rest = after;
        }
        Some((Formula { atoms, is_any: joint.is_some_and(|word| word.as_ref() == b"or") }, rest))
    }
}
