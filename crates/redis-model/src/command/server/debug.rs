//! `DEBUG`: the few subcommands that a class needs; the others are refused by name.
//!
//! `DEBUG SLEEP` simulates any slow command: for that time the server does nothing at all. No client is served, no key expires, no timeout
//! ends; requests that arrive meanwhile run afterwards, in order. The calling client waits like the others.
use bytes::Bytes;
use resp::Value;

use crate::command::{Command, Flags, Group, Run, help};
use crate::{
    Answer, Ctx, Error,
    client::{Wait, WaitReason},
    value::number,
};

pub(super) const DEBUG: Command = Command {
    name: "debug",
    summary: "A container for debugging commands",
    since: "1.0.0",
    complexity: "Depends on subcommand.",
    arity: -2,
    flags: Flags::ADMIN_ANYTIME,
    doc_flags: &["syscmd"],
    run: Run::Call(debug),
    ..Command::of(Group::Server)
};
fn debug(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let words = ctx.args_from(2);
    match (ctx.arg(1).to_ascii_lowercase().as_slice(), words) {
        (b"help", []) => Ok(help(ctx, HELP)),
        (b"sleep", [seconds]) => Ok(sleep(ctx, seconds)),
        (b"set-active-expire", [flag]) => {
            // Redis parses it with C's `atoi`: text that is not a number means 0.
            ctx.server.config.is_active_expire_on = number::parse_i64(flag).unwrap_or(0) != 0;
            Ok(Answer::OK)
        }
        (b"object", [key]) => object(ctx, key),
        (b"error", [text]) => {
            let text: Vec<u8> = text.iter().map(|byte| if b"\r\n".contains(byte) { b' ' } else { *byte }).collect();
            Ok(Value::Error(Bytes::from(text)).into())
        }
        (b"log", [_]) => Ok(Answer::OK),
        (b"protocol", [kind]) => protocol(kind),
        (name, _) if NOT_MODELLED.iter().any(|known| known.as_bytes() == name) => {
            Err(Error::NotModelled(format!("debug {}", String::from_utf8_lossy(name))))
        }
        _ => Err(Error::subcommand_syntax(ctx.argv)),
    }
}

/// Subcommands of Redis that are not modelled.
const NOT_MODELLED: &[&str] = &[
    "aof-flush-sleep",
    "assert",
    "change-repl-id",
    "client-enforce-reply-list",
    "client-eviction",
    "clusterlink",
    "config-rewrite-force-all",
    "crash-and-recover",
    "digest",
    "digest-value",
    "drop-cluster-packet-filter",
    "htstats",
    "htstats-key",
    "leak",
    "listpack",
    "loadaof",
    "mallctl",
    "mallctl-str",
    "oom",
    "panic",
    "pause-cron",
    "populate",
    "quicklist",
    "quicklist-packed-threshold",
    "reload",
    "replicate",
    "replybuffer",
    "restart",
    "sdslen",
    "segfault",
    "set-disable-deny-scripts",
    "set-skip-checksum-validation",
    "stringmatch-test",
    "stringmatch-len",
    "structsize",
];

/// Stops the server for `seconds` of virtual time.
fn sleep(ctx: &mut Ctx<'_>, seconds: &Bytes) -> Answer {
    let seconds = number::parse_double_loosely(seconds).unwrap_or(0.0);
    let sleep_ms = (seconds * 1000.0) as u64;
    if sleep_ms == 0 {
        return Answer::OK;
    }
    let until_ms = ctx.now_ms().saturating_add(sleep_ms);
    ctx.server.asleep_until_ms = Some(until_ms);
    Answer::Block(Wait { reason: WaitReason::Sleep, deadline_ms: Some(until_ms), on_timeout: Value::OK })
}

/// The address and the serialized length are 0: the model has no addresses and writes no dump files.
fn object(ctx: &mut Ctx<'_>, key: &Bytes) -> Result<Answer, Error> {
    let entry = ctx.db().entry(key).ok_or(Error::NoSuchKey)?;
    let idle_s = entry.access.idle_s(ctx.now_ms());
    let text = format!(
        "Value at:0x0 refcount:1 encoding:{} serializedlength:0 lru:{} lru_seconds_idle:{idle_s}",
        entry.value.encoding(),
        entry.access.bits(),
    );
    Ok(Value::Simple(Bytes::from(text)).into())
}

/// A value of each type of RESP3.
#[expect(clippy::approx_constant, reason = "the number that Redis answers")]
fn protocol(kind: &Bytes) -> Result<Answer, Error> {
    let numbers = || (0..3).map(Value::Integer).collect();
    let value = match kind.to_ascii_lowercase().as_slice() {
        b"string" => Value::bulk("Hello World"),
        b"integer" => Value::Integer(12345),
        b"double" => Value::Double(3.141),
        b"bignum" => Value::BigNumber(Bytes::from_static(b"1234567999999999999999999999999999999")),
        b"null" => Value::Null,
        b"array" => Value::Array(numbers()),
        b"set" => Value::Set(numbers()),
        b"map" => Value::Map((0..3).map(|n| (Value::Integer(n), Value::Boolean(n == 1))).collect()),
        b"verbatim" => Value::Verbatim(*b"txt", Bytes::from_static(b"This is a verbatim\nstring")),
        b"true" => Value::Boolean(true),
        b"false" => Value::Boolean(false),
        b"attrib" | b"push" => return Err(Error::NotModelled("debug protocol attrib|push".to_owned())),
        _ => {
            return Err(Error::Text(
                "ERR Wrong protocol type name. Please use one of the following: \
                 string|integer|double|bignum|null|array|set|map|attrib|push|verbatim|true|false",
            ));
        }
    };
    Ok(value.into())
}

const HELP: &[&str] = &[
    "AOF-FLUSH-SLEEP <microsec>",
    "    Server will sleep before flushing the AOF, this is used for testing.",
    "ASSERT",
    "    Crash by assertion failed.",
    "CHANGE-REPL-ID",
    "    Change the replication IDs of the instance.",
    "    Dangerous: should be used only for testing the replication subsystem.",
    "CONFIG-REWRITE-FORCE-ALL",
    "    Like CONFIG REWRITE but writes all configuration options, including",
    "    keywords not listed in original configuration file or default values.",
    "CRASH-AND-RECOVER [<milliseconds>]",
    "    Hard crash and restart after a <milliseconds> delay (default 0).",
    "DIGEST",
    "    Output a hex signature representing the current DB content.",
    "DIGEST-VALUE <key> [<key> ...]",
    "    Output a hex signature of the values of all the specified keys.",
    "ERROR <string>",
    "    Return a Redis protocol error with <string> as message. Useful for clients",
    "    unit tests to simulate Redis errors.",
    "LEAK <string>",
    "    Create a memory leak of the input string.",
    "LOG <message>",
    "    Write <message> to the server log.",
    "HTSTATS <dbid>",
    "    Return hash table statistics of the specified Redis database.",
    "HTSTATS-KEY <key>",
    "    Like HTSTATS but for the hash table stored at <key>'s value.",
    "LOADAOF",
    "    Flush the AOF buffers on disk and reload the AOF in memory.",
    "REPLICATE <string>",
    "    Replicates the provided string to replicas, allowing data divergence.",
    "MALLCTL <key> [<val>]",
    "    Get or set a malloc tuning integer.",
    "MALLCTL-STR <key> [<val>]",
    "    Get or set a malloc tuning string.",
    "OBJECT <key>",
    "    Show low level info about `key` and associated value.",
    "DROP-CLUSTER-PACKET-FILTER <packet-type>",
    "    Drop all packets that match the filtered type. Set to -1 allow all packets.",
    "OOM",
    "    Crash the server simulating an out-of-memory error.",
    "PANIC",
    "    Crash the server simulating a panic.",
    "POPULATE <count> [<prefix>] [<size>]",
    "    Create <count> string keys named key:<num>. If <prefix> is specified then",
    "    it is used instead of the 'key' prefix. These are not propagated to",
    "    replicas. Cluster slots are not respected so keys not belonging to the",
    "    current node can be created in cluster mode.",
    "PROTOCOL <type>",
    "    Reply with a test value of the specified type. <type> can be: string,",
    "    integer, double, bignum, null, array, set, map, attrib, push, verbatim,",
    "    true, false.",
    "RELOAD [option ...]",
    "    Save the RDB on disk and reload it back to memory. Valid <option> values:",
    "    * MERGE: conflicting keys will be loaded from RDB.",
    "    * NOFLUSH: the existing database will not be removed before load, but",
    "      conflicting keys will generate an exception and kill the server.",
    "    * NOSAVE: the database will be loaded from an existing RDB file.",
    "    Examples:",
    "    * DEBUG RELOAD: verify that the server is able to persist, flush and reload",
    "      the database.",
    "    * DEBUG RELOAD NOSAVE: replace the current database with the contents of an",
    "      existing RDB file.",
    "    * DEBUG RELOAD NOSAVE NOFLUSH MERGE: add the contents of an existing RDB",
    "      file to the database.",
    "RESTART [<milliseconds>]",
    "    Graceful restart: save config, db, restart after a <milliseconds> delay (default 0).",
    "SDSLEN <key>",
    "    Show low level SDS string info representing `key` and value.",
    "SEGFAULT",
    "    Crash the server with sigsegv.",
    "SET-ACTIVE-EXPIRE <0|1>",
    "    Setting it to 0 disables expiring keys in background when they are not",
    "    accessed (otherwise the Redis behavior). Setting it to 1 reenables back the",
    "    default.",
    "QUICKLIST-PACKED-THRESHOLD <size>",
    "    Sets the threshold for elements to be inserted as plain vs packed nodes",
    "    Default value is 1GB, allows values up to 4GB. Setting to 0 restores to default.",
    "SET-SKIP-CHECKSUM-VALIDATION <0|1>",
    "    Enables or disables checksum checks for RDB files and RESTORE's payload.",
    "SLEEP <seconds>",
    "    Stop the server for <seconds>. Decimals allowed.",
    "STRINGMATCH-TEST",
    "    Run a fuzz tester against the stringmatchlen() function.",
    "STRUCTSIZE",
    "    Return the size of different Redis core C structures.",
    "LISTPACK <key>",
    "    Show low level info about the listpack encoding of <key>.",
    "QUICKLIST <key> [<0|1>]",
    "    Show low level info about the quicklist encoding of <key>.",
    "    The optional argument (0 by default) sets the level of detail",
    "CLIENT-EVICTION",
    "    Show low level client eviction pools info (maxmemory-clients).",
    "PAUSE-CRON <0|1>",
    "    Stop periodic cron job processing.",
    "REPLYBUFFER PEAK-RESET-TIME <NEVER||RESET|time>",
    "    Sets the time (in milliseconds) to wait between client reply buffer peak resets.",
    "    In case NEVER is provided the last observed peak will never be reset",
    "    In case RESET is provided the peak reset time will be restored to the default value",
    "REPLYBUFFER RESIZING <0|1>",
    "    Enable or disable the reply buffer resize cron job",
    "CLUSTERLINK KILL <to|from|all> <node-id>",
    "    Kills the link based on the direction to/from (both) with the provided node.",
];
