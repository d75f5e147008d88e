//! `SCAN`: the keys of a database in steps, with Redis' cursors and guarantees.
use bytes::Bytes;
use resp::Value as Reply;

use super::{Arg, Categories, Command, Flags, Group, Run};
use crate::{
    Answer, Ctx, Error,
    command::scan::{Options, cursor, reply},
    value::Value,
};

pub(super) const SCAN: Command = Command {
    name: "scan",
    summary: "Incrementally iterate the keys space",
    since: "2.8.0",
    group: Group::Generic,
    complexity: "O(1) for every call. O(N) for a complete iteration, including enough command calls for the cursor to return back to 0. N is the number of elements inside the collection.",
    arity: -2,
    flags: Flags::READONLY,
    categories: Categories::KEYSPACE,
    tips: &["nondeterministic_output", "request_policy:special"],
    history: &[("6.0.0", "Added the `TYPE` subcommand.")],
    args: &[
        Arg::integer("cursor"),
        Arg::pattern("pattern").token("MATCH").optional(),
        Arg::integer("count").token("COUNT").optional(),
        Arg::string("type").token("TYPE").since("6.0.0").optional(),
    ],
    run: Run::Call(scan),
    ..Command::BLANK
};

fn scan(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let cursor = cursor(ctx.arg(1))?;
    let options = Options::parse_with(ctx.args_from(2), true)?;
    let mut keys = Vec::new();
    let cursor = options.walk(cursor, |cursor, seen| {
        ctx.db().entries().scan(cursor, |key, _| {
            keys.push(key.clone());
            *seen = seen.saturating_add(1);
        })
    });
    // Filters come after the steps: a call may answer nothing at all and yet not be the last.
    keys.retain(|key| options.matches(key) && is_of_type(ctx, &options, key) && !is_expired(ctx, key));
    Ok(reply(cursor, keys.into_iter().map(Reply::Bulk).collect()))
}

fn is_of_type(ctx: &mut Ctx<'_>, options: &Options, key: &Bytes) -> bool {
    let Some(wanted) = &options.type_name else { return true };
    let name = ctx.read_untouched(key).map_or("none", Value::type_name);
    wanted.eq_ignore_ascii_case(name.as_bytes())
}

fn is_expired(ctx: &mut Ctx<'_>, key: &Bytes) -> bool {
    let db = ctx.db_index();
    ctx.server.expire_if_due(db, key)
}
