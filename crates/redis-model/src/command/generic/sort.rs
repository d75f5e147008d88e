//! `SORT` and `SORT_RO`: sorting the elements of a list, set or sorted set by value or by other keys, and fetching other keys for them.
//!
//! ```text
//!  key ──► elements ──► weights (BY weight_*) ──► order ──► LIMIT ──► fields (GET name_* GET h_*->f GET #) ──► reply or STORE
//! ```
use std::cmp::Ordering;
use std::ops::Range;

use bytes::Bytes;
use resp::Value as Reply;

use super::{Categories, Command, Flags, Group, KeyFlags, KeySpec, Run};
use crate::command::{Begin, Find};
use crate::{
    Answer, Ctx, Error, Notify, sorting,
    value::{
        Value,
        list::{Element, List},
        number,
        zset::ZSet,
    },
};

pub(super) const SORT: Command = Command {
    name: "sort",
    summary: "Sort the elements in a list, set or sorted set",
    since: "1.0.0",
    complexity: "O(N+M*log(M)) where N is the number of elements in the list or set to sort, and M the number of returned elements. When the elements are not sorted, complexity is O(N).",
    arity: -2,
    flags: Flags::GROWING_WRITE,
    categories: Categories::SET.union(Categories::SORTEDSET).union(Categories::LIST).union(Categories::DANGEROUS),
    keys: &[
        KeySpec::one(1, KeyFlags::READ),
        KeySpec {
            notes: "For the optional BY/GET keyword. It is marked 'unknown' because the key names derive from the content of the key we sort",
            flags: KeyFlags::READ,
            begin: Begin::Unknown,
            find: Find::Unknown,
        },
        KeySpec {
            notes: "For the optional STORE keyword. It is marked 'unknown' because the keyword can appear anywhere in the argument array",
            flags: KeyFlags::OVERWRITE,
            begin: Begin::Unknown,
            find: Find::Unknown,
        },
    ],
    syntax: "key#0 [BY=pattern:pattern#1] [LIMIT=offset_count{offset:int count:int}] [GET=pattern:pattern#1+...] \
        [order(ASC|DESC)] [ALPHA=sorting:flag] [STORE=destination#2]",
    run: Run::Call(sort),
    ..Command::of(Group::Generic)
};

fn sort(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    sort_by(ctx, Options::parse(ctx, true)?)
}

pub(super) const SORT_RO: Command = Command {
    name: "sort_ro",
    summary: "Sort the elements in a list, set or sorted set. Read-only variant of SORT.",
    since: "7.0.0",
    complexity: "O(N+M*log(M)) where N is the number of elements in the list or set to sort, and M the number of returned elements. When the elements are not sorted, complexity is O(N).",
    arity: -2,
    flags: Flags::READONLY,
    categories: Categories::SET.union(Categories::SORTEDSET).union(Categories::LIST).union(Categories::DANGEROUS),
    keys: &[
        KeySpec::one(1, KeyFlags::READ),
        KeySpec {
            notes: "For the optional BY/GET keyword. It is marked 'unknown' because the key names derive from the content of the key we sort",
            flags: KeyFlags::READ,
            begin: Begin::Unknown,
            find: Find::Unknown,
        },
    ],
    syntax: "key#0 [BY=pattern:pattern#1] [LIMIT=offset_count{offset:int count:int}] [GET=pattern:pattern#1+...] \
        [order(ASC|DESC)] [ALPHA=sorting:flag]",
    run: Run::Call(sort_ro),
    ..Command::of(Group::Generic)
};

fn sort_ro(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    sort_by(ctx, Options::parse(ctx, false)?)
}

/// Approximate memory of one field while the reply is built, in bytes; a constant, so that sessions replay the same on every machine.
const FIELD_BYTES: u64 = 64;

fn sort_by(ctx: &mut Ctx<'_>, mut options: Options) -> Result<Answer, Error> {
    let elements = elements(ctx, &mut options)?;
    let order = if options.is_unsorted { elements } else { in_order(ctx, &options, elements)? };
    let order = order.get(options.limits(order.len())).unwrap_or_default().to_vec();
    let width = options.gets.len().max(1);
    let fields_len = (order.len() as u64).saturating_mul(width as u64);
    // A few `GET` patterns for a long list can make a reply of any size.
    ctx.reserve(fields_len.saturating_mul(FIELD_BYTES)).map_err(|_| Error::OutOfMemory)?;
    let (mut fields, mut copied) = (Vec::new(), 0);
    for element in &order {
        if options.gets.is_empty() {
            fields.push(Some(element.clone()));
        }
        for pattern in &options.gets {
            let field = look_up(ctx, pattern, element);
            ctx.copies(&mut copied, field.as_ref().map_or(0, Bytes::len))?;
            fields.push(field);
        }
    }
    Ok(match options.store.take() {
        None => Reply::Array(fields.into_iter().map(|field| field.map_or(Reply::Null, Reply::Bulk)).collect()).into(),
        Some(key) => store(ctx, &key, fields),
    })
}

/// Stores the fields as a list; without fields, the key is deleted.
fn store(ctx: &mut Ctx<'_>, key: &Bytes, fields: Vec<Option<Bytes>>) -> Answer {
    let len = fields.len();
    if len > 0 {
        let mut list = List::new(&ctx.limits());
        fields.into_iter().for_each(|field| list.push_back(&field.unwrap_or_default()));
        ctx.set(key, Value::from(list));
        ctx.notify(Notify::LIST, "sortstore", key);
    } else if ctx.delete_unseen(key) {
        ctx.notify(Notify::GENERIC, "del", key);
    }
    Answer::int(len)
}

#[derive(Default)]
struct Options {
    is_descending: bool,
    is_alphabetic: bool,
    /// Offset of `LIMIT`.
    start: i64,
    /// Count of `LIMIT`; `None`: all.
    count: Option<i64>,
    /// `BY` with a pattern that contains `*`.
    by: Option<Bytes>,
    /// `BY` with a constant: the elements are not sorted.
    is_unsorted: bool,
    gets: Vec<Bytes>,
    store: Option<Bytes>,
}

impl Options {
    fn parse(ctx: &Ctx<'_>, may_store: bool) -> Result<Options, Error> {
        let mut options = Options::default();
        let mut at = 2usize;
        while at < ctx.argv.len() {
            let next = at.saturating_add(1);
            let left = ctx.argv.len().saturating_sub(next);
            at = if ctx.is_word(at, "ASC") || ctx.is_word(at, "DESC") {
                options.is_descending = ctx.is_word(at, "DESC");
                next
            } else if ctx.is_word(at, "ALPHA") {
                options.is_alphabetic = true;
                next
            } else if ctx.is_word(at, "LIMIT") && left >= 2 {
                options.start = ctx.int(next)?;
                options.count = Some(ctx.int(next.saturating_add(1))?).filter(|count| *count >= 0);
                next.saturating_add(2)
            } else if left >= 1 {
                options.take_key(ctx, at, may_store)?;
                next.saturating_add(1)
            } else {
                return Err(Error::Syntax);
            };
        }
        Ok(options)
    }

    /// Parses an option that is followed by a key or a pattern.
    fn take_key(&mut self, ctx: &Ctx<'_>, at: usize, may_store: bool) -> Result<(), Error> {
        let word = ctx.arg(at.saturating_add(1)).clone();
        if may_store && ctx.is_word(at, "STORE") {
            self.store = Some(word);
        } else if ctx.is_word(at, "BY") {
            // After a constant, a later pattern does not turn sorting on again.
            self.is_unsorted |= !word.contains(&b'*');
            self.by = Some(word);
        } else if ctx.is_word(at, "GET") {
            self.gets.push(word);
        } else {
            return Err(Error::Syntax);
        }
        Ok(())
    }

    /// The range of `len` elements that `LIMIT` selects.
    fn limits(&self, len: usize) -> Range<usize> {
        let clamp = |n: i64| usize::try_from(n.max(0)).unwrap_or(usize::MAX).min(len);
        let start = clamp(self.start);
        let end = self.count.map_or(len, |count| start.saturating_add(clamp(count)).min(len));
        start..end
    }
}

/// The elements of the key, unsorted. With a constant `BY`, a list or sorted set keeps its own order, or the reverse with `DESC`.
fn elements(ctx: &mut Ctx<'_>, options: &mut Options) -> Result<Vec<Bytes>, Error> {
    let key = ctx.arg(1);
    let is_reversed = options.is_unsorted && options.is_descending;
    let mut elements: Vec<Bytes> = match ctx.read_any(key) {
        None => Vec::new(),
        Some(Value::List(list)) => list.iter().map(Element::to_bytes).collect(),
        Some(Value::ZSet(zset)) => zset.iter().map(|(member, _)| member.clone()).collect(),
        Some(Value::Set(set)) => {
            let members = set.iter().collect();
            // A set has no defined order: a stored result must not depend on it.
            if options.is_unsorted && options.store.is_some() {
                (options.is_unsorted, options.is_alphabetic, options.by) = (false, true, None);
            }
            return Ok(members);
        }
        Some(_) => return Err(Error::WrongType),
    };
    // Redis converts the sorted set to a skip list to walk it, and keeps that encoding.
    if ctx.db().value(key).is_some_and(|value| matches!(value, Value::ZSet(zset) if zset.encoding() != "skiplist"))
        && let Some(zset) = ctx.write::<ZSet>(key)?
    {
        zset.make_skiplist();
        // Not a change for clients that watch the key, but the value's encoding and memory have changed.
        ctx.reshaped(key);
        ctx.server.note_only_read(ctx.db, key);
    }
    if is_reversed {
        elements.reverse();
    }
    Ok(elements)
}

/// The value by which an element is sorted.
enum Weight {
    Number(f64),
    /// `ALPHA`: a text, or `None` if the key of the pattern is missing.
    Text(Option<Bytes>),
}

/// Sorts the elements.
fn in_order(ctx: &mut Ctx<'_>, options: &Options, elements: Vec<Bytes>) -> Result<Vec<Bytes>, Error> {
    let (mut is_number, mut copied) = (true, 0);
    let mut weighed = Vec::with_capacity(elements.len());
    for element in elements {
        let text = match &options.by {
            Some(pattern) => look_up(ctx, pattern, &element),
            None => Some(element.clone()),
        };
        let weight = if options.is_alphabetic {
            ctx.copies(&mut copied, text.as_ref().map_or(0, Bytes::len))?;
            Weight::Text(text)
        } else {
            let number = text.map_or(Some(0.0), |text| to_number(&text));
            is_number &= number.is_some();
            Weight::Number(number.unwrap_or(0.0))
        };
        weighed.push((weight, element));
    }
    if !is_number {
        return Err(Error::Text("ERR One or more scores can't be converted into double"));
    }
    let is_exact = options.store.is_some();
    sorting::sort_by(&mut weighed, |a, b| {
        let order = compare(a, b, is_exact);
        if options.is_descending { order.reverse() } else { order }
    });
    Ok(weighed.into_iter().map(|(_, element)| element).collect())
}

/// Equal numbers are ordered by the elements; equal texts keep their order.
fn compare((a, a_element): &(Weight, Bytes), (b, b_element): &(Weight, Bytes), is_exact: bool) -> Ordering {
    match (a, b) {
        (Weight::Number(a), Weight::Number(b)) => {
            a.partial_cmp(b).unwrap_or(Ordering::Equal).then_with(|| a_element.cmp(b_element))
        }
        (Weight::Text(a), Weight::Text(b)) => {
            let shown = |text| shown(text, is_exact);
            a.as_ref().map(shown).cmp(&b.as_ref().map(shown))
        }
        _ => Ordering::Equal,
    }
}

/// The bytes to compare. Without `STORE`, Redis compares with `strcoll`, which in the locale "C" stops at the first zero byte.
fn shown(text: &Bytes, is_exact: bool) -> &[u8] {
    let len = if is_exact { text.len() } else { c_len(text) };
    text.get(..len).unwrap_or_default()
}

/// Number of bytes before the first zero byte.
fn c_len(text: &[u8]) -> usize {
    text.iter().position(|byte| *byte == 0).unwrap_or(text.len())
}

/// Parses a number like plain `strtod`; an empty text is 0.
fn to_number(text: &[u8]) -> Option<f64> {
    let text = text.get(..c_len(text)).unwrap_or_default();
    let spaces = text.iter().take_while(|byte| matches!(byte, b' ' | b'\t'..=b'\r')).count();
    if text.is_empty() { Some(0.0) } else { number::parse_double(text.get(spaces..).unwrap_or_default()) }
}

/// The value of a pattern for an element: `#` is the element itself, `name_*` the string at the key with the element in place of the star,
/// `h_*->field` a field of the hash at that key. `None` for other patterns, missing keys and fields, and other types.
fn look_up(ctx: &mut Ctx<'_>, pattern: &Bytes, element: &Bytes) -> Option<Bytes> {
    if pattern.as_ref() == b"#" {
        return Some(element.clone());
    }
    let star = pattern.iter().position(|byte| *byte == b'*')?;
    let (prefix, rest) = (pattern.get(..star)?, pattern.get(star.saturating_add(1)..)?);
    let (postfix, field) = match rest.windows(2).position(|pair| pair == b"->") {
        Some(arrow) if arrow.saturating_add(2) < rest.len() => {
            (rest.get(..arrow)?, Some(rest.get(arrow.saturating_add(2)..)?))
        }
        _ => (rest, None),
    };
    let key = Bytes::from([prefix, element, postfix].concat());
    match (ctx.read_any(&key)?, field) {
        (Value::String(string), None) => Some(string.to_bytes()),
        (Value::Hash(hash), Some(field)) => hash.get(field).cloned(),
        _ => None,
    }
}
