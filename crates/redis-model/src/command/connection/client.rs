//! `CLIENT` subcommands for the calling connection. Lists and kills are in `client_list`, pausing and unblocking in `client_pause`.
use resp::Value;

use super::client_name;
use crate::command::{Categories, Command, Flags, Group, Run, help};
use crate::{Answer, Ctx, Error, ReplyMode};

use super::client_list::{CLIENT_INFO, CLIENT_KILL, CLIENT_LIST};
use super::client_pause::{CLIENT_PAUSE, CLIENT_UNBLOCK, CLIENT_UNPAUSE};

pub(super) const CLIENT: Command = Command {
    name: "client",
    summary: "A container for client connection commands",
    since: "2.4.0",
    complexity: "Depends on subcommand.",
    arity: -2,
    subcommands: &[
        CLIENT_CACHING,
        CLIENT_GETNAME,
        CLIENT_GETREDIR,
        CLIENT_HELP,
        CLIENT_ID,
        CLIENT_INFO,
        CLIENT_KILL,
        CLIENT_LIST,
        CLIENT_NO_EVICT,
        CLIENT_PAUSE,
        CLIENT_REPLY,
        CLIENT_SETNAME,
        CLIENT_TRACKING,
        CLIENT_TRACKINGINFO,
        CLIENT_UNBLOCK,
        CLIENT_UNPAUSE,
    ],
    run: Run::Container,
    categories: Categories::empty(),
    ..Command::of(Group::Connection)
};
const CLIENT_CACHING: Command = Command {
    name: "caching",
    summary: "Instruct the server about tracking or not keys in the next request",
    since: "6.0.0",
    complexity: "O(1)",
    arity: 3,
    flags: Flags::CLIENT_ANYTIME,
    syntax: "mode(YES|NO)",
    run: Run::Call(client_caching),
    ..Command::within("client", Group::Connection)
};
/// Tracking is not modelled, so it is always off; Redis then answers this for either mode.
fn client_caching(_: &mut Ctx<'_>) -> Result<Answer, Error> {
    Err(Error::Text(
        "ERR CLIENT CACHING can be called only when the client is in tracking mode with OPTIN or OPTOUT mode enabled",
    ))
}

const CLIENT_TRACKING: Command = Command {
    name: "tracking",
    summary: "Enable or disable server assisted client side caching support",
    since: "6.0.0",
    complexity: "O(1). Some options may introduce additional complexity.",
    arity: -3,
    flags: Flags::CLIENT_ANYTIME,
    syntax: "status(ON|OFF) [REDIRECT=client-id:int] [PREFIX=prefix+...] [BCAST] [OPTIN] [OPTOUT] [NOLOOP]",
    run: Run::Call(client_tracking),
    ..Command::within("client", Group::Connection)
};
fn client_tracking(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    if ctx.is_word(2, "off") {
        Ok(Answer::OK)
    } else if ctx.is_word(2, "on") {
        Err(Error::NotModelled(ctx.command.full_name()))
    } else {
        Err(Error::Syntax)
    }
}

const CLIENT_TRACKINGINFO: Command = Command {
    name: "trackinginfo",
    summary: "Return information about server assisted client side caching for the current connection",
    since: "6.2.0",
    complexity: "O(1)",
    arity: 2,
    flags: Flags::CLIENT_ANYTIME,
    run: Run::Call(client_trackinginfo),
    ..Command::within("client", Group::Connection)
};
fn client_trackinginfo(_: &mut Ctx<'_>) -> Result<Answer, Error> {
    let facts = vec![
        (Value::bulk("flags"), Value::Set(vec![Value::bulk("off")])),
        (Value::bulk("redirect"), Value::Integer(-1)),
        (Value::bulk("prefixes"), Value::Array(Vec::new())),
    ];
    Ok(Value::Map(facts).into())
}

const CLIENT_GETREDIR: Command = Command {
    name: "getredir",
    summary: "Get tracking notifications redirection client ID if any",
    since: "6.0.0",
    complexity: "O(1)",
    arity: 2,
    flags: Flags::CLIENT_ANYTIME,
    run: Run::Call(client_getredir),
    ..Command::within("client", Group::Connection)
};
fn client_getredir(_: &mut Ctx<'_>) -> Result<Answer, Error> {
    Ok(Value::Integer(-1).into())
}

const CLIENT_ID: Command = Command {
    name: "id",
    summary: "Returns the client ID for the current connection",
    since: "5.0.0",
    complexity: "O(1)",
    arity: 2,
    flags: Flags::CLIENT_ANYTIME,
    run: Run::Call(client_id),
    ..Command::within("client", Group::Connection)
};
fn client_id(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    Ok(Answer::int(ctx.client))
}

const CLIENT_SETNAME: Command = Command {
    name: "setname",
    summary: "Set the current connection name",
    since: "2.6.9",
    complexity: "O(1)",
    arity: 3,
    flags: Flags::CLIENT_ANYTIME,
    syntax: "connection-name",
    run: Run::Call(client_setname),
    ..Command::within("client", Group::Connection)
};
fn client_setname(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    ctx.caller().name = client_name(ctx.arg(2))?;
    Ok(Answer::OK)
}

const CLIENT_GETNAME: Command = Command {
    name: "getname",
    summary: "Get the current connection name",
    since: "2.6.9",
    complexity: "O(1)",
    arity: 2,
    flags: Flags::CLIENT_ANYTIME,
    run: Run::Call(client_getname),
    ..Command::within("client", Group::Connection)
};
fn client_getname(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let name = ctx.caller().name.clone();
    Ok(if name.is_empty() { Value::Null } else { Value::Bulk(name) }.into())
}

const CLIENT_NO_EVICT: Command = Command {
    name: "no-evict",
    summary: "Set client eviction mode for the current connection",
    since: "7.0.0",
    complexity: "O(1)",
    arity: 3,
    flags: Flags::ADMIN_ANYTIME,
    syntax: "enabled(ON|OFF)",
    run: Run::Call(client_no_evict),
    ..Command::within("client", Group::Connection)
};
fn client_no_evict(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let is_on = ctx.is_word(2, "on");
    if !is_on && !ctx.is_word(2, "off") {
        return Err(Error::Syntax);
    }
    ctx.caller().is_no_evict = is_on;
    Ok(Answer::OK)
}

const CLIENT_REPLY: Command = Command {
    name: "reply",
    summary: "Instruct the server whether to reply to commands",
    since: "3.2.0",
    complexity: "O(1)",
    arity: 3,
    flags: Flags::CLIENT_ANYTIME,
    syntax: "on_off_skip(ON|OFF|SKIP)",
    run: Run::Call(client_reply),
    ..Command::within("client", Group::Connection)
};
fn client_reply(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    if ctx.is_word(2, "on") {
        ctx.caller().reply_mode = ReplyMode::On;
        return Ok(Answer::OK);
    }
    if ctx.is_word(2, "off") {
        ctx.caller().reply_mode = ReplyMode::Off;
    } else if ctx.is_word(2, "skip") {
        let caller = ctx.caller();
        if caller.reply_mode != ReplyMode::Off {
            caller.reply_mode = ReplyMode::SkipNext;
        }
    } else {
        return Err(Error::Syntax);
    }
    Ok(Answer::Nothing)
}

const CLIENT_HELP: Command = Command {
    name: "help",
    summary: "Show helpful text about the different subcommands",
    since: "5.0.0",
    complexity: "O(1)",
    arity: 2,
    flags: Flags::ANYTIME,
    run: Run::Call(client_help),
    ..Command::within("client", Group::Connection)
};
fn client_help(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    Ok(help(
        ctx,
        &[
            "CACHING (YES|NO)",
            "    Enable/disable tracking of the keys for next command in OPTIN/OPTOUT modes.",
            "GETREDIR",
            "    Return the client ID we are redirecting to when tracking is enabled.",
            "GETNAME",
            "    Return the name of the current connection.",
            "ID",
            "    Return the ID of the current connection.",
            "INFO",
            "    Return information about the current client connection.",
            "KILL <ip:port>",
            "    Kill connection made from <ip:port>.",
            "KILL <option> <value> [<option> <value> [...]]",
            "    Kill connections. Options are:",
            "    * ADDR (<ip:port>|<unixsocket>:0)",
            "      Kill connections made from the specified address",
            "    * LADDR (<ip:port>|<unixsocket>:0)",
            "      Kill connections made to specified local address",
            "    * TYPE (NORMAL|MASTER|REPLICA|PUBSUB)",
            "      Kill connections by type.",
            "    * USER <username>",
            "      Kill connections authenticated by <username>.",
            "    * SKIPME (YES|NO)",
            "      Skip killing current connection (default: yes).",
            "LIST [options ...]",
            "    Return information about client connections. Options:",
            "    * TYPE (NORMAL|MASTER|REPLICA|PUBSUB)",
            "      Return clients of specified type.",
            "UNPAUSE",
            "    Stop the current client pause, resuming traffic.",
            "PAUSE <timeout> [WRITE|ALL]",
            "    Suspend all, or just write, clients for <timeout> milliseconds.",
            "REPLY (ON|OFF|SKIP)",
            "    Control the replies sent to the current connection.",
            "SETNAME <name>",
            "    Assign the name <name> to the current connection.",
            "UNBLOCK <clientid> [TIMEOUT|ERROR]",
            "    Unblock the specified blocked client.",
            "TRACKING (ON|OFF) [REDIRECT <id>] [BCAST] [PREFIX <prefix> [...]]",
            "         [OPTIN] [OPTOUT] [NOLOOP]",
            "    Control server assisted client side caching.",
            "TRACKINGINFO",
            "    Report tracking status for the current connection.",
            "NO-EVICT (ON|OFF)",
            "    Protect current client connection from eviction.",
        ],
    ))
}
