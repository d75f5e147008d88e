//! Strings: `GET`, `SET` …
use super::{Arg, Begin, Categories, Command, Find, Flags, Group, KeyFlags, KeySpec, Run};
use crate::{Answer, Ctx, Error, value::string::Str};
use resp::Value;

pub(super) static COMMANDS: &[Command] = &[GET];

const GET: Command = Command {
    name: "get",
    summary: "Get the value of a key",
    since: "1.0.0",
    group: Group::String,
    complexity: "O(1)",
    arity: 2,
    flags: Flags::READONLY.union(Flags::FAST),
    categories: Categories::STRING,
    keys: &[KeySpec {
        notes: "",
        flags: KeyFlags::RO.union(KeyFlags::ACCESS),
        begin: Begin::Index(1),
        find: Find::Range { last: 0, step: 1, limit: 0 },
    }],
    args: &[Arg::key("key", 0)],
    run: Run::Call(get),
    ..Command::BLANK
};
fn get(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    Ok(match ctx.read::<Str>(ctx.arg(1))? {
        Some(string) => Value::Bulk(string.to_bytes()).into(),
        None => Value::Null.into(),
    })
}
