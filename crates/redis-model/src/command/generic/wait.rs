//! `WAIT`: waiting for replicas, which are not modelled yet.
use resp::Value as Reply;

use super::{Categories, Command, Flags, Group, Run};
use crate::{
    Answer, Ctx, Error,
    client::{Wait, WaitReason},
};

pub(super) const WAIT: Command = Command {
    name: "wait",
    summary: "Wait for the synchronous replication of all the write commands sent in the context of the current connection",
    since: "3.0.0",
    complexity: "O(1)",
    arity: 3,
    flags: Flags::NOSCRIPT,
    categories: Categories::CONNECTION,
    tips: &["request_policy:all_shards", "response_policy:agg_min"],
    syntax: "numreplicas:int timeout:int",
    run: Run::Call(wait),
    ..Command::of(Group::Generic)
};

fn wait(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let wanted = ctx.int(1)?;
    let deadline_ms = ctx.timeout_ms(2)?;
    let acknowledged = Reply::Integer(0);
    if wanted <= 0 {
        return Ok(acknowledged.into());
    }
    Ok(Answer::Block(Wait { reason: WaitReason::Replicas, deadline_ms, on_timeout: acknowledged }))
}
