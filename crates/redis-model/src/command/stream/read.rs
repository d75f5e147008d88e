//! The arguments of `XREAD` and `XREADGROUP`. The replies are built in `serve`.
use bytes::Bytes;

use super::{Command, Flags, Group, KeyFlags, KeySpec, Run, id, serve};
use crate::command::{Begin, Find};
use crate::{
    Answer, Ctx, Error,
    error::clipped,
    value::stream::{Id, Stream},
};

pub(super) const XREAD: Command = Command {
    name: "xread",
    summary: "Return never seen elements in multiple streams, with IDs greater than the ones reported by the caller for each stream. Can block.",
    since: "5.0.0",
    complexity: "For each stream mentioned: O(N) with N being the number of elements being returned, it means that XREAD-ing with a fixed COUNT is O(1). Note that when the BLOCK option is used, XADD will pay O(M) time in order to serve the M clients blocked on the stream getting new data.",
    arity: -4,
    flags: Flags::READONLY.union(Flags::BLOCKING),
    keys: &[KeySpec {
        notes: "",
        flags: KeyFlags::READ,
        begin: Begin::Keyword("STREAMS", 1),
        find: Find::Range { last: -1, step: 1, limit: 2 },
    }],
    syntax: "[COUNT=count:int] [BLOCK=milliseconds:int] STREAMS=streams{key#0... id...}",
    run: Run::Call(xread),
    ..Command::of(Group::Stream)
};

fn xread(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    read(ctx, false)
}

pub(super) const XREADGROUP: Command = Command {
    name: "xreadgroup",
    summary: "Return new entries from a stream using a consumer group, or access the history of the pending entries for a given consumer. Can block.",
    since: "5.0.0",
    complexity: "For each stream mentioned: O(M) with M being the number of elements returned. If M is constant (e.g. always asking for the first 10 elements with COUNT), you can consider it O(1). On the other side when XREADGROUP blocks, XADD will pay the O(N) time in order to serve the N clients blocked on the stream getting new data.",
    arity: -7,
    flags: Flags::WRITE.union(Flags::BLOCKING),
    keys: &[KeySpec {
        notes: "",
        flags: KeyFlags::READ,
        begin: Begin::Keyword("STREAMS", 4),
        find: Find::Range { last: -1, step: 1, limit: 2 },
    }],
    syntax: "GROUP=group_consumer{group consumer} [COUNT=count:int] [BLOCK=milliseconds:int] [NOACK] \
        STREAMS=streams{key#0... id...}",
    run: Run::Call(xreadgroup),
    ..Command::of(Group::Stream)
};

fn xreadgroup(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    read(ctx, true)
}

fn read(ctx: &mut Ctx<'_>, in_group: bool) -> Result<Answer, Error> {
    let words = ReadArgs::parse(ctx, in_group)?;
    if let Some(key) = ctx.woken_by {
        return serve::woken(ctx, &words, key);
    }
    let after = words.ids(ctx)?;
    serve::now(ctx, &words, after)
}

/// A reader of `XREADGROUP`: a consumer of a group.
#[derive(Clone, Copy)]
pub(super) struct GroupReader<'a> {
    pub(super) group: &'a Bytes,
    pub(super) consumer: &'a Bytes,
    /// Do delivered entries become pending until `XACK`?
    pub(super) needs_ack: bool,
}

/// The parsed arguments of a reader.
pub(super) struct ReadArgs<'a> {
    /// The consumer of `XREADGROUP`; `None` for `XREAD`.
    pub(super) reader: Option<GroupReader<'a>>,
    /// Most entries from each stream.
    pub(super) count: Option<usize>,
    /// `BLOCK`: `None` does not block, `Some(None)` blocks without a timeout, `Some(Some(ms))`
    /// blocks until that time.
    pub(super) deadline_ms: Option<Option<u64>>,
    pub(super) keys: &'a [Bytes],
    /// Index of the word with the first id.
    ids_at: usize,
}

impl<'a> ReadArgs<'a> {
    fn parse(ctx: &Ctx<'a>, in_group: bool) -> Result<ReadArgs<'a>, Error> {
        let (mut count, mut deadline_ms, mut member, mut needs_ack) = (None, None, None, true);
        let mut at: usize = 1;
        while at < ctx.argv.len() {
            let next = at.saturating_add(1);
            let behind = ctx.args_from(next).len();
            let taken = if ctx.is_word(at, "BLOCK") && behind > 0 {
                if ctx.server.is_in_script {
                    let name = clipped(ctx.arg(0), usize::MAX);
                    let refusal = format!("ERR {name} command is not allowed with BLOCK option from scripts");
                    return Err(Error::Message(refusal));
                }
                deadline_ms = Some(ctx.timeout_ms(next)?);
                2
            } else if ctx.is_word(at, "COUNT") && behind > 0 {
                count = usize::try_from(ctx.int(next)?).ok().filter(|count| *count > 0);
                2
            } else if ctx.is_word(at, "STREAMS") && behind > 0 {
                if behind % 2 == 1 {
                    return Err(UNBALANCED);
                }
                let ids_at = next.saturating_add(behind / 2);
                let keys = ctx.argv.get(next..ids_at).unwrap_or_default();
                let reader = match (in_group, member) {
                    (false, _) => None,
                    (true, Some((group, consumer))) => Some(GroupReader { group, consumer, needs_ack }),
                    (true, None) => return Err(Error::Text("ERR Missing GROUP option for XREADGROUP")),
                };
                return Ok(ReadArgs { reader, count, deadline_ms, keys, ids_at });
            } else if ctx.is_word(at, "GROUP") && behind >= 2 {
                if !in_group {
                    return Err(Error::Text(
                        "ERR The GROUP option is only supported by XREADGROUP. You called XREAD instead.",
                    ));
                }
                member = Some((ctx.arg(next), ctx.arg(next.saturating_add(1))));
                3
            } else if ctx.is_word(at, "NOACK") {
                if !in_group {
                    return Err(Error::Text(
                        "ERR The NOACK option is only supported by XREADGROUP. You called XREAD instead.",
                    ));
                }
                needs_ack = false;
                1
            } else {
                return Err(Error::Syntax);
            };
            at = at.saturating_add(taken);
        }
        Err(Error::Syntax)
    }

    /// The ids after which entries are read, one per key. [`Id::MAX`] stands for `>`.
    fn ids(&self, ctx: &mut Ctx<'a>) -> Result<Vec<Id>, Error> {
        let mut ids = Vec::new();
        for (nth, key) in self.keys.iter().enumerate() {
            let at = self.ids_at.saturating_add(nth);
            let (is_last, is_new) = (ctx.is_word(at, "$"), ctx.is_word(at, ">"));
            let stream = ctx.read::<Stream>(key)?;
            if let Some(reader) = self.reader
                && stream.is_none_or(|stream| stream.group(reader.group).is_none())
            {
                return Err(no_group(key, reader.group));
            }
            ids.push(match (is_last, is_new, self.reader) {
                (true, _, Some(_)) => return Err(NO_DOLLAR),
                (true, _, None) => stream.map_or(Id::MIN, Stream::last_id),
                (_, true, Some(_)) => Id::MAX,
                (_, true, None) => return Err(NO_GREATER),
                _ => id(ctx, at)?,
            });
        }
        Ok(ids)
    }
}

const UNBALANCED: Error =
    Error::Text("ERR Unbalanced XREAD list of streams: for each stream key an ID or '$' must be specified.");
const NO_DOLLAR: Error = Error::Text(
    "ERR The $ ID is meaningless in the context of XREADGROUP: you want to read the history of this consumer by specifying a proper ID, or use the > ID to get new messages. The $ ID would just return an empty result set.",
);
const NO_GREATER: Error = Error::Text(
    "ERR The > ID can be specified only when calling XREADGROUP using the GROUP <group> <consumer> option.",
);

fn no_group(key: &Bytes, group: &Bytes) -> Error {
    let (key, group) = (clipped(key, usize::MAX), clipped(group, usize::MAX));
    Error::Message(format!("NOGROUP No such key '{key}' or consumer group '{group}' in XREADGROUP with GROUP option"))
}
