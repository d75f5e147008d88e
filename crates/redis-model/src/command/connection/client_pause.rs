//! `CLIENT PAUSE | UNPAUSE | UNBLOCK`: pausing clients and unblocking them.
use resp::Value;

use crate::command::{Command, Flags, Group, Run};
use crate::{Answer, ClientId, Ctx, Error, WaitReason, command, server::Pause, value::number};

pub(super) const CLIENT_PAUSE: Command = Command {
    name: "pause",
    summary: "Stop processing commands from clients for some time",
    since: "2.9.50",
    complexity: "O(1)",
    arity: -3,
    flags: Flags::ADMIN_ANYTIME,
    history: &[("6.2.0", "`CLIENT PAUSE WRITE` mode added along with the `mode` option.")],
    syntax: "timeout:int [mode(WRITE|ALL)@6.2.0]",
    run: Run::Call(client_pause),
    ..Command::within("client", Group::Connection)
};
/// A second `CLIENT PAUSE` can only make the current pause stricter or longer, as in Redis.
fn client_pause(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    if ctx.argv.len() > 4 {
        return Err(Error::subcommand_syntax(ctx.argv));
    }
    let pauses_all = match ctx.argv.get(3) {
        None => true,
        Some(mode) if mode.eq_ignore_ascii_case(b"all") => true,
        Some(mode) if mode.eq_ignore_ascii_case(b"write") => false,
        Some(_) => return Err(Error::Text("ERR CLIENT PAUSE mode must be WRITE or ALL")),
    };
    let timeout_ms = number::parse_i64(ctx.arg(2)).ok_or(Error::TimeoutNotInteger)?;
    let timeout_ms = u64::try_from(timeout_ms).map_err(|_| Error::TimeoutNegative)?;
    // Redis does not check for overflow here: the end of the pause wraps to before its start, and nothing is paused.
    let until_ms = ctx.now_ms().checked_add(timeout_ms).filter(|until_ms| i64::try_from(*until_ms).is_ok());
    if let Some(until_ms) = until_ms.filter(|until_ms| *until_ms > ctx.now_ms()) {
        let before = ctx.server.pause.unwrap_or(Pause { until_ms, pauses_all });
        ctx.server.pause =
            Some(Pause { until_ms: before.until_ms.max(until_ms), pauses_all: before.pauses_all || pauses_all });
    }
    Ok(Answer::OK)
}

pub(super) const CLIENT_UNPAUSE: Command = Command {
    name: "unpause",
    summary: "Resume processing of clients that were paused",
    since: "6.2.0",
    complexity: "O(N) Where N is the number of paused clients",
    arity: 2,
    flags: Flags::ADMIN_ANYTIME,
    run: Run::Call(client_unpause),
    ..Command::within("client", Group::Connection)
};
fn client_unpause(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    ctx.server.end_pause();
    Ok(Answer::OK)
}

pub(super) const CLIENT_UNBLOCK: Command = Command {
    name: "unblock",
    summary: "Unblock a client blocked in a blocking command from a different connection",
    since: "5.0.0",
    complexity: "O(log N) where N is the number of client connections",
    arity: -3,
    flags: Flags::ADMIN_ANYTIME,
    syntax: "client-id:int [timeout_error(TIMEOUT|ERROR)]",
    run: Run::Call(client_unblock),
    ..Command::within("client", Group::Connection)
};
fn client_unblock(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    if ctx.argv.len() > 4 {
        return Err(Error::subcommand_syntax(ctx.argv));
    }
    let is_error = match ctx.argv.get(3) {
        None => false,
        Some(reason) if reason.eq_ignore_ascii_case(b"timeout") => false,
        Some(reason) if reason.eq_ignore_ascii_case(b"error") => true,
        Some(_) => return Err(Error::Text("ERR CLIENT UNBLOCK reason should be TIMEOUT or ERROR")),
    };
    let target = ClientId::try_from(ctx.int(2)?).unwrap_or(0);
    let waits = ctx.server.client(target).and_then(|client| client.blocked.as_ref());
    // A client that only waits for a pause to end is not unblocked: Redis 7.0 fails with an assertion there.
    if !waits.is_some_and(|blocked| blocked.wait.reason != WaitReason::Pause) {
        return Ok(Answer::flag(false));
    }
    if let Some(blocked) = ctx.server.stop_waiting(target) {
        let answer = if is_error {
            Value::error("UNBLOCKED client unblocked via CLIENT UNBLOCK")
        } else {
            blocked.wait.on_timeout
        };
        ctx.server.reply(target, answer);
        // Redis counts both replies as failures, and logs the command in the slow log without its words, which it has freed by then.
        if let Ok(row) = command::find(&blocked.argv) {
            ctx.server.note_after_wait(target, row, &[], true);
        }
    }
    Ok(Answer::flag(true))
}
