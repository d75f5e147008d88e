//! The text form of properties and of acts on programs: for links, files and lessons.
//!
//! ```text
//! mutual-exclusion                        step 0        send 0        deliver 0
//! only-owner-releases lock                lose-request 0              lose-reply 0
//! sum end = 5 key stock tally sold        load "local token = uuid() …"         load "sleep(args[1])" 30
//! sum always <= 5 field item released     crash   restart   pause   resume
//! everyone-gets-in checkout c1 c3         clock -500      hold-up 0     arrive 0
//! at-most 3 inside pool                   always if exists key cache then same key cache key db
//! nobody-gives-up pool                    end missing key lock and sum = 0 10 key boxes -1 key money
//! no-deadlock   everyone-gets-on   checks   no-errors
//! nothing-lost   processed-once   in-order   in-order-by-key
//! ```
//! Names may be any words, also `then` or `key`: each keyword has a fixed number of names after it. A term begins with a keyword or a
//! number; terms go on as long as there are any.
mod claims;

use bytes::Bytes;

use super::{Atom, Bound, Formula, Property, Sum, Term, When};
use crate::world::CLIENTS_MAX;
use crate::{Act, Direction};

impl Property {
    /// Its text form.
    pub fn to_words(&self) -> Vec<Bytes> {
        match self {
            Property::MutualExclusion => words(["mutual-exclusion"]),
            Property::OnlyOwnerReleases { key } => with(["only-owner-releases"], [key]),
            Property::AtMost { most, section } => {
                let mut all = words(["at-most"]);
                all.push(most.to_string().into());
                all.extend(with(["inside"], [section]));
                all
            }
            Property::EveryoneGetsIn { section, clients } => {
                let mut all = with(["everyone-gets-in"], [section]);
                all.extend(clients.iter().cloned());
                all
            }
            Property::NoClientGivesUp { section } => with(["nobody-gives-up"], [section]),
            Property::NoDeadlock => words(["no-deadlock"]),
            Property::EveryoneGetsOn => words(["everyone-gets-on"]),
            Property::Checks => words(["checks"]),
            Property::NoErrors => words(["no-errors"]),
            Property::NothingLost => words(["nothing-lost"]),
            Property::ProcessedOnce => words(["processed-once"]),
            Property::InOrder => words(["in-order"]),
            Property::InOrderByKey => words(["in-order-by-key"]),
            Property::Sum { terms, bound, when } => {
                let mut all = words(["sum", when.word()]);
                sum_to_words(terms, *bound, &mut all);
                all
            }
            Property::Claim { when, premise, claim } => {
                let mut all = words([when.word()]);
                if let Some(premise) = premise {
                    all.extend(words(["if"]));
                    premise.to_words(&mut all);
                    all.extend(words(["then"]));
                }
                claim.to_words(&mut all);
                all
            }
        }
    }

    /// Parses a property; `None` if the words are not one.
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
            (b"at-most", [most, inside, section]) if inside.as_ref() == b"inside" => {
                Property::AtMost { most: number(most).filter(|most| *most > 0)?, section: section.clone() }
            }
            (b"everyone-gets-in", [section, clients @ ..]) if is_set(clients) => {
                Property::EveryoneGetsIn { section: section.clone(), clients: clients.to_vec() }
            }
            (b"nobody-gives-up", [section]) => Property::NoClientGivesUp { section: section.clone() },
            (b"no-deadlock", []) => Property::NoDeadlock,
            (b"everyone-gets-on", []) => Property::EveryoneGetsOn,
            (b"checks", []) => Property::Checks,
            (b"no-errors", []) => Property::NoErrors,
            (b"nothing-lost", []) => Property::NothingLost,
            (b"processed-once", []) => Property::ProcessedOnce,
            (b"in-order", []) => Property::InOrder,
            (b"in-order-by-key", []) => Property::InOrderByKey,
            (b"sum", [when, rest @ ..]) => {
                let (Atom::Sum(terms, bound), []) = read_sum(rest)? else { return None };
                Property::Sum { terms, bound, when: When::of(when)? }
            }
            (_, rest) => {
                let when = When::of(name)?;
                let (premise, rest) = match rest {
                    [word, rest @ ..] if word.as_ref() == b"if" => {
                        let (premise, rest) = Formula::read(rest)?;
                        let (word, rest) = rest.split_first()?;
                        (Some(Some(premise).filter(|_| word.as_ref() == b"then")?), rest)
                    }
                    _ => (None, rest),
                };
                let (claim, []) = Formula::read(rest)? else { return None };
                Property::Claim { when, premise, claim }
            }
        })
    }
}

/// Are these possible client names, each at most once?
fn is_set(words: &[Bytes]) -> bool {
    words.len() <= CLIENTS_MAX
        && words.iter().enumerate().all(|(nth, word)| !words.iter().take(nth).any(|other| other == word))
}

impl When {
    fn word(self) -> &'static str {
        match self {
            When::Always => "always",
            When::End => "end",
        }
    }

    fn of(word: &Bytes) -> Option<When> {
        [When::Always, When::End].into_iter().find(|when| when.word().as_bytes() == word.as_ref())
    }
}

/// A parsed value and the remaining words.
type Read<'a, T> = Option<(T, &'a [Bytes])>;

fn sum_to_words(terms: &Sum, bound: Bound, all: &mut Vec<Bytes>) {
    let (sign, number) = match bound {
        Bound::Equals(number) => ("=", number),
        Bound::AtMost(number) => ("<=", number),
        Bound::AtLeast(number) => (">=", number),
    };
    all.extend(words([sign]));
    all.push(number.to_string().into());
    for (factor, term) in terms {
        if *factor != 1 {
            all.push(factor.to_string().into());
        }
        all.extend(match term {
            Term::Key(key) => with(["key"], [key]),
            Term::Field(key, field) => with(["field"], [key, field]),
            Term::Length(key) => with(["length"], [key]),
            Term::Tally(name) => with(["tally"], [name]),
            Term::Cell(table, key, column) => with(["cell"], [table, key, column]),
        });
    }
}

/// Parses a bound and all terms after it.
fn read_sum(words: &[Bytes]) -> Read<'_, Atom> {
    let [sign, bound, rest @ ..] = words else { return None };
    let bound = number(bound)?;
    let bound = match sign.as_ref() {
        b"=" => Bound::Equals(bound),
        b"<=" => Bound::AtMost(bound),
        b">=" => Bound::AtLeast(bound),
        _ => return None,
    };
    let (mut terms, mut rest) = (Sum::new(), rest);
    while let Some((term, after)) = read_term(rest) {
        terms.push(term);
        rest = after;
    }
    (!terms.is_empty()).then_some((Atom::Sum(terms, bound), rest))
}

fn read_term(words: &[Bytes]) -> Read<'_, (i32, Term)> {
    // A factor of 1 is omitted.
    let (factor, words) = match words {
        [word, rest @ ..] => match number(word) {
            Some(0 | 1) => return None,
            Some(factor) => (factor, rest),
            None => (1, words),
        },
        [] => return None,
    };
    let (kind, rest) = words.split_first()?;
    let (term, rest) = match (kind.as_ref(), rest) {
        (b"field", [key, field, rest @ ..]) => (Term::Field(key.clone(), field.clone()), rest),
        (b"key", [key, rest @ ..]) => (Term::Key(key.clone()), rest),
        (b"length", [key, rest @ ..]) => (Term::Length(key.clone()), rest),
        (b"tally", [name, rest @ ..]) => (Term::Tally(name.clone()), rest),
        (b"cell", [table, key, column, rest @ ..]) => (Term::Cell(table.clone(), key.clone(), column.clone()), rest),
        _ => return None,
    };
    Some(((factor, term), rest))
}

impl Act {
    /// Its text form.
    pub fn to_words(&self) -> Vec<Bytes> {
        let of_thread = |name, thread: &u32| vec![Bytes::from_static(name), thread.to_string().into()];
        match self {
            Act::Load { text, args } => {
                let mut all = with(["load"], [text]);
                all.extend(args.iter().cloned());
                all
            }
            Act::Step { thread } => of_thread(b"step", thread),
            Act::Send { thread } => of_thread(b"send", thread),
            Act::Deliver { thread } => of_thread(b"deliver", thread),
            Act::Lose { thread, direction: Direction::Request } => of_thread(b"lose-request", thread),
            Act::Lose { thread, direction: Direction::Reply } => of_thread(b"lose-reply", thread),
            Act::Crash => words(["crash"]),
            Act::Restart => words(["restart"]),
            Act::Pause => words(["pause"]),
            Act::Resume => words(["resume"]),
            Act::ShiftClock { ms } => vec![Bytes::from_static(b"clock"), ms.to_string().into()],
            Act::Delay { ms } => vec![Bytes::from_static(b"delay"), ms.to_string().into()],
            Act::HoldUp { thread, direction: Direction::Request } => of_thread(b"hold-up", thread),
            Act::HoldUp { thread, direction: Direction::Reply } => of_thread(b"hold-up-reply", thread),
            Act::Arrive { late } => of_thread(b"arrive", late),
        }
    }

    /// Parses an act; `None` if the words are not one.
    pub fn from_words(words: &[Bytes]) -> Option<Act> {
        let (name, rest) = words.split_first()?;
        let thread = || rest.first().and_then(number);
        Some(match (name.as_ref(), rest) {
            (b"load", [text, args @ ..]) => Act::Load { text: text.clone(), args: args.to_vec() },
            (b"step", [_]) => Act::Step { thread: thread()? },
            (b"send", [_]) => Act::Send { thread: thread()? },
            (b"deliver", [_]) => Act::Deliver { thread: thread()? },
            (b"lose-request", [_]) => Act::Lose { thread: thread()?, direction: Direction::Request },
            (b"lose-reply", [_]) => Act::Lose { thread: thread()?, direction: Direction::Reply },
            (b"crash", []) => Act::Crash,
            (b"restart", []) => Act::Restart,
            (b"pause", []) => Act::Pause,
            (b"resume", []) => Act::Resume,
            (b"clock", [ms]) => Act::ShiftClock { ms: number(ms)? },
            (b"delay", [ms]) => Act::Delay { ms: number(ms)? },
            (b"hold-up", [_]) => Act::HoldUp { thread: thread()?, direction: Direction::Request },
            (b"hold-up-reply", [_]) => Act::HoldUp { thread: thread()?, direction: Direction::Reply },
            (b"arrive", [late]) => Act::Arrive { late: number(late)? },
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

/// A number in canonical form (no `+`, no leading zeros): each number has exactly one text.
fn number<N: std::str::FromStr + ToString>(word: &Bytes) -> Option<N> {
    let text = std::str::from_utf8(word).ok()?;
    text.parse().ok().filter(|number: &N| number.to_string() == text)
}
