//! The connection: `AUTH ECHO HELLO PING QUIT RESET SELECT`, and `CLIENT` in submodules.
mod client;
mod client_list;
mod client_pause;

use bytes::Bytes;
use resp::{Protocol, Value};

use super::{Command, Flags, Group, Run};
use crate::{Answer, Ctx, Error, ReplyMode, Server, client::ClientId, server::REDIS_VERSION, value::number};

pub(super) static COMMANDS: &[Command] = &[AUTH, client::CLIENT, ECHO, HELLO, PING, QUIT, RESET, SELECT];

const AUTH: Command = Command {
    name: "auth",
    summary: "Authenticate to the server",
    since: "1.0.0",
    complexity: "O(N) where N is the number of passwords defined for the user",
    arity: -2,
    flags: Flags::NOSCRIPT
        .union(Flags::LOADING.union(Flags::STALE).union(Flags::FAST).union(Flags::NO_AUTH).union(Flags::ALLOW_BUSY)),
    history: &[("6.0.0", "Added ACL style (username and password).")],
    syntax: "[username@6.0.0] password",
    run: Run::Call(auth),
    ..Command::of(Group::Connection)
};
fn auth(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let (user, password): (&[u8], &Bytes) = match ctx.args_from(1) {
        [_] if ctx.server.config.requirepass.is_empty() => return Err(Error::AuthWithoutPassword),
        [password] => (DEFAULT_USER, password),
        [user, password] => (user, password),
        _ => return Err(Error::Syntax),
    };
    authenticate(ctx, user, password)?;
    Ok(Answer::OK)
}

/// The only user in this model.
const DEFAULT_USER: &[u8] = b"default";

/// Authenticates the caller.
fn authenticate(ctx: &mut Ctx<'_>, user: &[u8], password: &Bytes) -> Result<(), Error> {
    let wanted = &ctx.server.config.requirepass;
    if user != DEFAULT_USER || !(wanted.is_empty() || wanted == password) {
        return Err(Error::WrongPassword);
    }
    ctx.caller().is_authenticated = true;
    Ok(())
}

const ECHO: Command = Command {
    name: "echo",
    summary: "Echo the given string",
    since: "1.0.0",
    complexity: "O(1)",
    arity: 2,
    flags: Flags::LOADING.union(Flags::STALE).union(Flags::FAST),
    syntax: "message",
    run: Run::Call(echo),
    ..Command::of(Group::Connection)
};
fn echo(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    Ok(Value::Bulk(ctx.arg(1).clone()).into())
}

const HELLO: Command = Command {
    name: "hello",
    summary: "Handshake with Redis",
    since: "6.0.0",
    complexity: "O(1)",
    arity: -1,
    flags: Flags::NOSCRIPT
        .union(Flags::LOADING.union(Flags::STALE).union(Flags::FAST).union(Flags::NO_AUTH).union(Flags::ALLOW_BUSY)),
    history: &[(
        "6.2.0",
        "`protover` made optional; when called without arguments the command reports the current connection's context.",
    )],
    syntax: "[arguments{protover:int [AUTH=username_password{username password}] [SETNAME=clientname]}]",
    run: Run::Call(hello),
    ..Command::of(Group::Connection)
};
/// Options take effect in their order; a name set before an invalid option stays, as in Redis.
fn hello(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let mut protocol = None;
    if ctx.argv.len() > 1 {
        let version = number::parse_i64(ctx.arg(1))
            .ok_or(Error::Text("ERR Protocol version is not an integer or out of range"))?;
        protocol = Some(match version {
            2 => Protocol::Resp2,
            3 => Protocol::Resp3,
            _ => return Err(Error::Text("NOPROTO unsupported protocol version")),
        });
    }
    let mut words = ctx.args_from(2);
    while let [option, rest @ ..] = words {
        words = match rest {
            [user, password, rest @ ..] if option.eq_ignore_ascii_case(b"auth") => {
                authenticate(ctx, user, password)?;
                rest
            }
            [name, rest @ ..] if option.eq_ignore_ascii_case(b"setname") => {
                ctx.caller().name = client_name(name)?;
                rest
            }
            _ => {
                let option = crate::error::clipped(option, usize::MAX);
                return Err(Error::Message(format!("ERR Syntax error in HELLO option '{option}'")));
            }
        };
    }
    if !ctx.caller().is_authenticated && !ctx.server.config.requirepass.is_empty() {
        return Err(Error::Text(
            "NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO AUTH <user> <pass> \
             option can be used to authenticate the client and select the RESP protocol version at the same time",
        ));
    }
    let caller = ctx.caller();
    caller.protocol = protocol.unwrap_or(caller.protocol);
    let version = if caller.protocol == Protocol::Resp3 { 3 } else { 2 };
    let id = Value::Integer(i64::try_from(caller.id).unwrap_or(i64::MAX));
    let facts = [
        ("server", Value::bulk("redis")),
        ("version", Value::bulk(REDIS_VERSION)),
        ("proto", Value::Integer(version)),
        ("id", id),
        ("mode", Value::bulk("standalone")),
        ("role", Value::bulk("master")),
        ("modules", Value::Array(Vec::new())),
    ];
    Ok(Value::Map(facts.into_iter().map(|(name, value)| (Value::bulk(name), value)).collect()).into())
}

/// A client's name: printable and without spaces, because clients split the output of `CLIENT LIST`
/// at spaces.
fn client_name(name: &Bytes) -> Result<Bytes, Error> {
    if name.iter().all(|byte| (b'!'..=b'~').contains(byte)) {
        Ok(name.clone())
    } else {
        Err(Error::Text("ERR Client names cannot contain spaces, newlines or special characters."))
    }
}

const PING: Command = Command {
    name: "ping",
    summary: "Ping the server",
    since: "1.0.0",
    complexity: "O(1)",
    arity: -1,
    flags: Flags::FAST,
    tips: &["request_policy:all_shards", "response_policy:all_succeeded"],
    syntax: "[message]",
    run: Run::Call(ping),
    ..Command::of(Group::Connection)
};
fn ping(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let message = match ctx.args_from(1) {
        [] => None,
        [message] => Some(message.clone()),
        _ => return Err(Error::Arity(ctx.command.full_name())),
    };
    let caller = ctx.caller();
    // A subscribed RESP2 connection expects only arrays.
    let is_subscriber = caller.is_subscriber() && caller.protocol == Protocol::Resp2;
    // A call from a script does not count as one from a subscriber.
    if is_subscriber && !ctx.server.is_in_script {
        return Ok(Value::Array(vec![Value::bulk("pong"), Value::Bulk(message.unwrap_or_default())]).into());
    }
    Ok(message.map_or(Value::simple("PONG"), Value::Bulk).into())
}

const QUIT: Command = Command {
    name: "quit",
    summary: "Close the connection",
    since: "1.0.0",
    complexity: "O(1)",
    arity: -1,
    flags: Flags::NOSCRIPT
        .union(Flags::LOADING.union(Flags::STALE).union(Flags::FAST).union(Flags::NO_AUTH).union(Flags::ALLOW_BUSY)),
    run: Run::Call(quit),
    ..Command::of(Group::Connection)
};
fn quit(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    ctx.caller().closes_after_reply = true;
    Ok(Answer::OK)
}

const RESET: Command = Command {
    name: "reset",
    summary: "Reset the connection",
    since: "6.2.0",
    complexity: "O(1)",
    arity: 1,
    flags: Flags::NOSCRIPT
        .union(Flags::LOADING.union(Flags::STALE).union(Flags::FAST).union(Flags::NO_AUTH).union(Flags::ALLOW_BUSY)),
    run: Run::Call(reset),
    ..Command::of(Group::Connection)
};
fn reset(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    ctx.server.reset_client(ctx.client);
    Ok(Value::simple("RESET").into())
}

impl Server {
    /// Resets a connection to its initial state; its id, address and age stay.
    fn reset_client(&mut self, id: ClientId) {
        self.discard_transaction(id);
        self.unsubscribe_everything(id);
        self.monitors.remove(&id);
        let needs_password = !self.config.requirepass.is_empty();
        if let Some(client) = self.clients.get_mut(&id) {
            client.is_monitor = false;
            client.db = 0;
            client.protocol = Protocol::Resp2;
            client.is_authenticated = !needs_password;
            client.name = Bytes::new();
            client.reply_mode = ReplyMode::On;
        }
    }
}

const SELECT: Command = Command {
    name: "select",
    summary: "Change the selected database for the current connection",
    since: "1.0.0",
    complexity: "O(1)",
    arity: 2,
    flags: Flags::LOADING.union(Flags::STALE).union(Flags::FAST),
    syntax: "index:int",
    run: Run::Call(select),
    ..Command::of(Group::Connection)
};
fn select(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    ctx.caller().db = database_index(ctx, 1)?;
    Ok(Answer::OK)
}

/// Word `i` as a database number.
///
/// # Errors
/// [`Error::NotInteger`], [`Error::OutOfRangeBetween`], [`Error::DbIndexOutOfRange`]
pub(super) fn database_index(ctx: &Ctx<'_>, i: usize) -> Result<usize, Error> {
    let index = ctx.int(i)?;
    let index = i32::try_from(index).map_err(|_| Error::OutOfRangeBetween(i32::MIN.into(), i32::MAX.into()))?;
    usize::try_from(index).ok().filter(|index| *index < ctx.server.databases.len()).ok_or(Error::DbIndexOutOfRange)
}
