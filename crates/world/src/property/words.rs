//! Properties and what is done to programs as words: for links and files, and for lessons.
//!
//! ```text
//! mutual-exclusion                        step 0        send 0        deliver 0
//! only-owner-releases lock                lose-request 0              lose-reply 0
//! sum end = 5 key stock tally sold        load "local token = uuid() …"
//! sum always <= 5 field item released     crash   restart   pause   resume
//! everyone-gets-in checkout               clock -500
//! no-deadlock   checks   no-errors
//! nothing-lost   processed-once   in-order   in-order-by-key
//! ```
use bytes::Bytes;

use super::{Bound, Property, Term, When};
use crate::{Act, Leg};

impl Property {
    /// Its words.
    pub fn to_words(&self) -> Vec<Bytes> {
        match self {
            Property::MutualExclusion => words(["mutual-exclusion"]),
            Property::OnlyOwnerReleases { key } => with(["only-owner-releases"], [key]),
            Property::EveryoneGetsIn { section } => with(["everyone-gets-in"], [section]),
            Property::NoDeadlock => words(["no-deadlock"]),
            Property::Checks => words(["checks"]),
            Property::NoErrors => words(["no-errors"]),
            Property::NothingLost => words(["nothing-lost"]),
            Property::ProcessedOnce => words(["processed-once"]),
            Property::InOrder => words(["in-order"]),
            Property::InOrderByKey => words(["in-order-by-key"]),
            Property::Sum { terms, bound, when } => {
                let (sign, number) = match bound {
                    Bound::Equals(number) => ("=", number),
                    Bound::AtMost(number) => ("<=", number),
                    Bound::AtLeast(number) => (">=", number),
                };
                let when = match when {
                    When::Always => "always",
                    When::End => "end",
                };
                let mut all = words(["sum", when, sign]);
                all.push(number.to_string().into());
                for term in terms {
                    all.extend(match term {
                        Term::Key(key) => with(["key"], [key]),
                        Term::Field(key, field) => with(["field"], [key, field]),
                        Term::Length(key) => with(["length"], [key]),
                        Term::Tally(name) => with(["tally"], [name]),
                    });
                }
                all
            }
        }
    }

    /// The property of these words; `None` when they are none.
    ///
    /// ```
    /// use world::Property;
    /// let words = ["sum", "end", "=", "5", "key", "stock", "tally", "sold"].map(Into::into);
    /// let property = Property::from_words(&words).ok_or("no property")?;
    /// assert_eq!(property.to_words(), words);
    /// # Ok::<(), &str>(())
    /// ```
    pub fn from_words(words: &[Bytes]) -> Option<Property> {
        let (name, rest) = words.split_first()?;
        Some(match (name.as_ref(), rest) {
            (b"mutual-exclusion", []) => Property::MutualExclusion,
            (b"only-owner-releases", [key]) => Property::OnlyOwnerReleases { key: key.clone() },
            (b"everyone-gets-in", [section]) => Property::EveryoneGetsIn { section: section.clone() },
            (b"no-deadlock", []) => Property::NoDeadlock,
            (b"checks", []) => Property::Checks,
            (b"no-errors", []) => Property::NoErrors,
            (b"nothing-lost", []) => Property::NothingLost,
            (b"processed-once", []) => Property::ProcessedOnce,
            (b"in-order", []) => Property::InOrder,
            (b"in-order-by-key", []) => Property::InOrderByKey,
            (b"sum", [when, sign, bound, terms @ ..]) => {
                let number = number(bound)?;
                let bound = match sign.as_ref() {
                    b"=" => Bound::Equals(number),
                    b"<=" => Bound::AtMost(number),
                    b">=" => Bound::AtLeast(number),
                    _ => return None,
                };
                let when = match when.as_ref() {
                    b"always" => When::Always,
                    b"end" => When::End,
                    _ => return None,
                };
                Property::Sum { terms: read_terms(terms)?, bound, when }
            }
            _ => return None,
        })
    }
}

fn read_terms(mut words: &[Bytes]) -> Option<Vec<Term>> {
    let mut terms = Vec::new();
    while let Some((kind, rest)) = words.split_first() {
        let (term, rest) = match (kind.as_ref(), rest) {
            (b"field", [key, field, rest @ ..]) => (Term::Field(key.clone(), field.clone()), rest),
            (b"key", [key, rest @ ..]) => (Term::Key(key.clone()), rest),
            (b"length", [key, rest @ ..]) => (Term::Length(key.clone()), rest),
            (b"tally", [name, rest @ ..]) => (Term::Tally(name.clone()), rest),
            _ => return None,
        };
        terms.push(term);
        words = rest;
    }
    Some(terms).filter(|terms| !terms.is_empty())
}

impl Act {
    /// Its words.
    pub fn to_words(&self) -> Vec<Bytes> {
        let of_thread = |name, thread: &u32| vec![Bytes::from_static(name), thread.to_string().into()];
        match self {
            Act::Load { text } => with(["load"], [text]),
            Act::Step { thread } => of_thread(b"step", thread),
            Act::Send { thread } => of_thread(b"send", thread),
            Act::Deliver { thread } => of_thread(b"deliver", thread),
            Act::Lose { thread, leg: Leg::Request } => of_thread(b"lose-request", thread),
            Act::Lose { thread, leg: Leg::Reply } => of_thread(b"lose-reply", thread),
            Act::Crash => words(["crash"]),
            Act::Restart => words(["restart"]),
            Act::Pause => words(["pause"]),
            Act::Resume => words(["resume"]),
            Act::ShiftClock { ms } => vec![Bytes::from_static(b"clock"), ms.to_string().into()],
            Act::Delay { ms } => vec![Bytes::from_static(b"delay"), ms.to_string().into()],
        }
    }

    /// What these words do; `None` when they are none.
    pub fn from_words(words: &[Bytes]) -> Option<Act> {
        let (name, rest) = words.split_first()?;
        let thread = || rest.first().and_then(number);
        Some(match (name.as_ref(), rest) {
            (b"load", [text]) => Act::Load { text: text.clone() },
            (b"step", [_]) => Act::Step { thread: thread()? },
            (b"send", [_]) => Act::Send { thread: thread()? },
            (b"deliver", [_]) => Act::Deliver { thread: thread()? },
            (b"lose-request", [_]) => Act::Lose { thread: thread()?, leg: Leg::Request },
            (b"lose-reply", [_]) => Act::Lose { thread: thread()?, leg: Leg::Reply },
            (b"crash", []) => Act::Crash,
            (b"restart", []) => Act::Restart,
            (b"pause", []) => Act::Pause,
            (b"resume", []) => Act::Resume,
            (b"clock", [ms]) => Act::ShiftClock { ms: number(ms)? },
            (b"delay", [ms]) => Act::Delay { ms: number(ms)? },
            _ => return None,
        })
    }
}

fn words<const N: usize>(words: [&'static str; N]) -> Vec<Bytes> {
    words.map(|word| Bytes::from_static(word.as_bytes())).into()
}

fn with<const N: usize, const M: usize>(first: [&'static str; N], more: [&Bytes; M]) -> Vec<Bytes> {
    let mut all = words(first);
    all.extend(more.into_iter().cloned());
    all
}

/// A number without a sign that says nothing and without leading zeros: there is one text for each.
fn number<N: std::str::FromStr + ToString>(word: &Bytes) -> Option<N> {
    let text = std::str::from_utf8(word).ok()?;
    text.parse().ok().filter(|number: &N| number.to_string() == text)
}
