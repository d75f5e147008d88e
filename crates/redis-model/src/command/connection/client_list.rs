//! `CLIENT LIST | INFO | KILL`: connections in Redis' text format, filtered, and closed.
use bytes::Bytes;
use resp::{Protocol, Value};

use crate::command::{Command, Flags, Group, Run};
use crate::{
    Answer, Client, Ctx, Error, Server,
    client::{ClientId, Multi, POINTER_BYTES},
    server::CloseReason,
    unread::REPLY_BUFFER_BYTES,
    value::number,
};

pub(super) const CLIENT_INFO: Command = Command {
    name: "info",
    summary: "Returns information about the current client connection.",
    since: "6.2.0",
    complexity: "O(1)",
    arity: 2,
    flags: Flags::CLIENT_ANYTIME,
    tips: &["nondeterministic_output"],
    run: Run::Call(client_info),
    ..Command::within("client", Group::Connection)
};
fn client_info(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let caller = (ctx.client, ctx.argv);
    let line = ctx.server.client(ctx.client).map(|client| ctx.server.client_line(client, caller)).unwrap_or_default();
    Ok(Value::Verbatim(*b"txt", Bytes::from(line)).into())
}

pub(super) const CLIENT_LIST: Command = Command {
    name: "list",
    summary: "Get the list of client connections",
    since: "2.4.0",
    complexity: "O(N) where N is the number of client connections",
    arity: -2,
    flags: Flags::ADMIN_ANYTIME,
    tips: &["nondeterministic_output"],
    history: &[
        ("2.8.12", "Added unique client `id` field."),
        ("5.0.0", "Added optional `TYPE` filter."),
        ("6.0.0", "Added `user` field."),
        ("6.2.0", "Added `argv-mem`, `tot-mem`, `laddr` and `redir` fields and the optional `ID` filter."),
        ("7.0.0", "Added `resp`, `multi-mem`, `rbs` and `rbp` fields."),
        ("7.0.3", "Added `ssub` field."),
    ],
    syntax: "[TYPE=normal_master_replica_pubsub(NORMAL|MASTER|REPLICA|PUBSUB)@5.0.0] [ID=id{client-id:int...}@6.2.0]",
    run: Run::Call(client_list),
    ..Command::within("client", Group::Connection)
};
fn client_list(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let server = &*ctx.server;
    let line = |client: &Client| server.client_line(client, (ctx.client, ctx.argv));
    let text: String = match ctx.args_from(2) {
        [] => server.clients().map(line).collect(),
        [option, name] if option.eq_ignore_ascii_case(b"type") => {
            let kind = ClientType::named(name)?;
            server.clients().filter(|client| ClientType::of(client) == kind).map(line).collect()
        }
        [option, ids @ ..] if option.eq_ignore_ascii_case(b"id") && !ids.is_empty() => {
            let ids = ids
                .iter()
                .map(|id| number::parse_i64(id).ok_or(Error::Text("ERR Invalid client ID")))
                .collect::<Result<Vec<i64>, Error>>()?;
            let wanted = ids.iter().filter_map(|id| ClientId::try_from(*id).ok());
            wanted.filter_map(|id| server.client(id)).map(line).collect()
        }
        _ => return Err(Error::Syntax),
    };
    Ok(Value::Verbatim(*b"txt", Bytes::from(text)).into())
}

pub(super) const CLIENT_KILL: Command = Command {
    name: "kill",
    summary: "Kill the connection of a client",
    since: "2.4.0",
    complexity: "O(N) where N is the number of client connections",
    arity: -3,
    flags: Flags::ADMIN_ANYTIME,
    history: &[
        ("2.8.12", "Added new filter format."),
        ("2.8.12", "`ID` option."),
        ("3.2.0", "Added `master` type in for `TYPE` option."),
        ("5.0.0", "Replaced `slave` `TYPE` with `replica`. `slave` still supported for backward compatibility."),
        ("6.2.0", "`LADDR` option."),
    ],
    syntax: "filter(ip:port!2.8.12|new-format([ID=client-id:int@2.8.12]|[TYPE=normal_master_slave_pubsub(NORMAL|\
        MASTER@3.2.0|SLAVE|REPLICA@5.0.0|PUBSUB)@2.8.12]|[USER=username]|[ADDR=ip:port]|[LADDR=ip:port@6.2.0]|\
        [SKIPME=yes/no])...)",
    run: Run::Call(client_kill),
    ..Command::within("client", Group::Connection)
};
fn client_kill(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let is_old_form = ctx.argv.len() == 3;
    let filter = if is_old_form {
        Filter { addr: Some(ctx.arg(2)), ..Filter::default() }
    } else {
        Filter { skips_caller: true, ..Filter::default() }.parse(ctx.args_from(2))?
    };
    let listens_at = ctx.server.listen_addr();
    let doomed: Vec<ClientId> = ctx
        .server
        .clients()
        .filter(|client| filter.takes(client, &listens_at))
        .map(|client| client.id)
        .filter(|id| !(filter.skips_caller && *id == ctx.client))
        .collect();
    for id in &doomed {
        if *id == ctx.client {
            ctx.caller().closes_after_reply = true;
        } else {
            ctx.server.close(*id, CloseReason::Killed);
        }
    }
    match (is_old_form, doomed.len()) {
        (true, 0) => Err(Error::Text("ERR No such client")),
        (true, _) => Ok(Answer::OK),
        (false, killed) => Ok(Answer::int(killed)),
    }
}

/// The filters of `CLIENT KILL`; all given filters must match.
#[derive(Default)]
struct Filter<'a> {
    id: Option<ClientId>,
    addr: Option<&'a Bytes>,
    laddr: Option<&'a Bytes>,
    kind: Option<ClientType>,
    skips_caller: bool,
}

impl<'a> Filter<'a> {
    fn parse(mut self, words: &'a [Bytes]) -> Result<Filter<'a>, Error> {
        for pair in words.chunks(2) {
            let [option, value] = pair else { return Err(Error::Syntax) };
            match option.to_ascii_lowercase().as_slice() {
                b"id" => self.id = Some(positive_id(value)?),
                b"type" => self.kind = Some(ClientType::named(value)?),
                b"addr" => self.addr = Some(value),
                b"laddr" => self.laddr = Some(value),
                b"user" if value.as_ref() == b"default" => {}
                b"user" => {
                    return Err(Error::Message(format!(
                        "ERR No such user '{}'",
                        crate::error::clipped(value, usize::MAX)
                    )));
                }
                b"skipme" if value.eq_ignore_ascii_case(b"yes") => self.skips_caller = true,
                b"skipme" if value.eq_ignore_ascii_case(b"no") => self.skips_caller = false,
                _ => return Err(Error::Syntax),
            }
        }
        Ok(self)
    }

    fn takes(&self, client: &Client, listens_at: &str) -> bool {
        self.id.is_none_or(|id| client.id == id)
            && self.addr.is_none_or(|addr| client.addr.as_bytes() == addr)
            && self.laddr.is_none_or(|addr| listens_at.as_bytes() == addr)
            && self.kind.is_none_or(|kind| ClientType::of(client) == kind)
    }
}

fn positive_id(word: &Bytes) -> Result<ClientId, Error> {
    number::parse_i64(word)
        .and_then(|id| ClientId::try_from(id).ok())
        .filter(|id| *id > 0)
        .ok_or(Error::Text("ERR client-id should be greater than 0"))
}

/// The client types of the `TYPE` filter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ClientType {
    Normal,
    Pubsub,
    /// A replica or a master; this model has no such connections.
    Replication,
}

impl ClientType {
    fn of(client: &Client) -> ClientType {
        if client.is_subscriber() { ClientType::Pubsub } else { ClientType::Normal }
    }

    fn named(name: &Bytes) -> Result<ClientType, Error> {
        match name.to_ascii_lowercase().as_slice() {
            b"normal" => Ok(ClientType::Normal),
            b"pubsub" => Ok(ClientType::Pubsub),
            b"master" | b"replica" | b"slave" => Ok(ClientType::Replication),
            _ => Err(Error::Message(format!("ERR Unknown client type '{}'", crate::error::clipped(name, usize::MAX)))),
        }
    }
}

impl Server {
    /// The address that clients connect to, as in `laddr` of `CLIENT LIST`.
    pub(crate) fn listen_addr(&self) -> String {
        format!("127.0.0.1:{}", self.config.port)
    }

    /// The line of one connection in `CLIENT LIST`. `caller` is the calling client and the words of its call. The reply buffer figures are
    /// those of an idle connection.
    fn client_line(&self, client: &Client, caller: (ClientId, &[Bytes])) -> String {
        let seconds_since = |ms: u64| (self.now_ms / 1000).saturating_sub(ms / 1000);
        let in_queue = client.multi.as_ref().map(Multi::queued).or(client.in_exec);
        let last = self.clients.last_command(client.id);
        let command = last.and_then(|last| last.id());
        let command_name = command.map_or("NULL".to_owned(), |(container, name)| {
            if container.is_empty() { name.to_owned() } else { format!("{container}|{name}") }
        });
        let idle_s = seconds_since(last.map_or(client.connected_ms, |last| last.at_ms));
        let buffers = Buffers::of(client, caller, command.map(|_| idle_s));
        let Buffers { query, query_free, words, pointers } = buffers;
        let queued = in_queue.unwrap_or_default();
        // A client whose `EXEC` is bound to fail watches no keys.
        let watched = if client.is_dirty { 0 } else { client.watched.len() };
        let reply_buffer = client.reply_buffer(self.now_ms);
        let reply_peak = if client.looks(self.now_ms) < 1 { REPLY_BUFFER_BYTES } else { 0 };
        let unread = client.unread.as_deref();
        let [own, blocks, memory] = unread.map_or([0; 3], |all| [all.own_bytes(), all.blocks(), all.memory()]);
        let events = if own > 0 { "rw" } else { "r" };
        let total = CLIENT_BYTES
            .saturating_add(reply_buffer)
            .saturating_add(memory)
            .saturating_add(query_allocation(query.saturating_add(query_free)))
            .saturating_add(words)
            .saturating_add(pointers)
            .saturating_add(queued.bytes)
            .saturating_add(reserved(queued.commands).saturating_mul(QUEUED_BYTES))
            .saturating_add(subscription_bytes(client))
            .saturating_add(watched.saturating_mul(WATCHED_BYTES));
        format!(
            "id={} addr={} laddr={} fd=8 name={} age={} idle={idle_s} flags={} db={} sub={} psub={} ssub={} multi={} \
             qbuf={query} qbuf-free={query_free} argv-mem={words} multi-mem={} rbs={reply_buffer} rbp={reply_peak} obl={own} oll={blocks} omem={memory} \
             tot-mem={total} events={events} cmd={command_name} user=default redir=-1 resp={}\n",
            client.id,
            client.addr,
            self.listen_addr(),
            String::from_utf8_lossy(&client.name),
            seconds_since(client.connected_ms),
            flag_letters(client),
            client.db,
            client.channels.len(),
            client.patterns.len(),
            client.shard_channels.len(),
            in_queue.map_or(-1, |queued| i64::try_from(queued.commands).unwrap_or(i64::MAX)),
            queued.bytes,
            if client.protocol == Protocol::Resp3 { 3 } else { 2 },
        )
    }
}

/// Memory of a connection in Redis without its buffers, in bytes: `sizeof(client)`, as allocated by jemalloc on a 64-bit machine.
const CLIENT_BYTES: usize = 768;
/// Bytes in the query buffer after the first read (`PROTO_IOBUF_LEN` and a header, as allocated), without the header.
const QUERY_BYTES: usize = 20_474;
/// Free bytes in a query buffer that was never used: an empty string with the allocator's slack.
const UNUSED_QUERY_BYTES: usize = 4;
/// An idle client frees its query buffer after more than this many seconds.
const QUERY_IDLE_S_MAX: u64 = 2;
/// `sizeof(multiCmd)`.
const QUEUED_BYTES: usize = 24;
/// `sizeof(listNode) + sizeof(watchedKey)`.
const WATCHED_BYTES: usize = 56;

/// Sizes of the data that a client has sent and Redis still holds.
struct Buffers {
    /// Bytes of the running command in the query buffer.
    query: usize,
    query_free: usize,
    /// Bytes of the command's words.
    words: usize,
    /// Bytes of the pointers to the words.
    pointers: usize,
}

impl Buffers {
    /// `idle_s`: for how long it has sent no command; `None` if it never sent one.
    fn of(client: &Client, (caller, argv): (ClientId, &[Bytes]), idle_s: Option<u64>) -> Buffers {
        let sum = |words: &[Bytes]| words.iter().fold(0, |sum: usize, word| sum.saturating_add(word.len()));
        let pointers = |words: &[Bytes]| words.len().saturating_mul(POINTER_BYTES);
        if client.id == caller {
            // In a transaction, the buffer holds `EXEC`, although `argv` is the queued command.
            let exec = [Bytes::from_static(b"EXEC")];
            let read = if client.in_exec.is_some() { &exec } else { argv };
            let query = request_bytes(read);
            let query_free = QUERY_BYTES.saturating_sub(query);
            return Buffers { query, query_free, words: sum(read), pointers: pointers(argv) };
        }
        let query_free = match idle_s {
            None => UNUSED_QUERY_BYTES,
            Some(idle_s) if idle_s > QUERY_IDLE_S_MAX => 0,
            Some(_) => QUERY_BYTES,
        };
        let waiting = client.blocked.as_ref().map(|blocked| blocked.argv.as_slice()).unwrap_or_default();
        Buffers { query: 0, query_free, words: sum(waiting), pointers: pointers(waiting) }
    }
}

/// Size of a command as a RESP request, in bytes.
fn request_bytes(argv: &[Bytes]) -> usize {
    let mut bytes = Vec::new();
    resp::encode::encode_command(argv, &mut bytes);
    bytes.len()
}

/// Allocated size of a query buffer of `bytes` bytes (used and free), header included.
fn query_allocation(bytes: usize) -> usize {
    if bytes <= UNUSED_QUERY_BYTES { 8 } else { bytes.saturating_add(6) }
}

/// Capacity of a command queue: starts at two and doubles as it grows.
fn reserved(commands: usize) -> usize {
    if commands == 0 { 0 } else { commands.max(2).next_power_of_two() }
}

/// `sizeof(listNode)` per pattern, a `dictEntry` per channel, and the hash table of channels.
fn subscription_bytes(client: &Client) -> usize {
    let channels = client.channels.len();
    let table = if channels == 0 { 0 } else { channels.max(4).next_power_of_two().saturating_mul(POINTER_BYTES) };
    let patterns = client.patterns.len().saturating_mul(24);
    patterns.saturating_add(channels.saturating_mul(24)).saturating_add(table)
}

/// The letters of `flags=`, in Redis' order.
fn flag_letters(client: &Client) -> String {
    let letters = [
        ('O', client.is_monitor),
        ('P', client.is_subscriber()),
        ('x', client.multi.is_some() || client.in_exec.is_some()),
        ('b', client.blocked.is_some()),
        ('d', client.is_dirty),
        ('c', client.closes_after_reply),
        ('e', client.is_no_evict),
    ];
    let text: String = letters.into_iter().filter(|(_, is_set)| *is_set).map(|(letter, _)| letter).collect();
    if text.is_empty() { "N".to_owned() } else { text }
}
