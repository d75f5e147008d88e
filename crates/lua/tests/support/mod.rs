//! A minimal server for the tests, and a machine that runs scripts for it.
#![allow(dead_code, reason = "each test file uses its part")]
use bytes::Bytes;
use lua_machine::LuaMachine;
use resp::decode::decode_reply;
use resp::{Protocol, Value};
use script::{Call, Engine, Host, Job, Level, Limits, Permission, RANDOM_AT_START, Ran, ScriptOutcome, Work};
use sha1::Digest as _;
use std::collections::BTreeMap;

/// Strings by key, and the log messages.
#[derive(Default)]
pub struct Server {
    pub strings: BTreeMap<Bytes, Bytes>,
    pub log: Vec<(Level, Bytes)>,
    pub calls: Vec<Call>,
}

impl Host for Server {
    fn call(&mut self, call: Call) -> Value {
        self.calls.push(call.clone());
        let mut words = call.argv.iter();
        let name = words.next().map(|name| name.to_ascii_lowercase()).unwrap_or_default();
        let rest: Vec<&Bytes> = words.collect();
        match (name.as_slice(), rest.as_slice()) {
            (b"ping", []) => Value::simple("PONG"),
            (b"set", [key, value]) => {
                self.strings.insert((*key).clone(), (*value).clone());
                Value::OK
            }
            (b"get", [key]) => self.strings.get(*key).map_or(Value::Null, |value| Value::Bulk(value.clone())),
            (b"incr", [key]) => {
                let number = match self.strings.get(*key) {
                    None => Ok(0),
                    Some(text) => std::str::from_utf8(text).unwrap_or("x").parse::<i64>(),
                };
                match number {
                    Ok(number) => {
                        self.strings.insert((*key).clone(), Bytes::from((number + 1).to_string()));
                        Value::Integer(number + 1)
                    }
                    Err(_) => Value::error("ERR value is not an integer or out of range"),
                }
            }
            (b"debug", [protocol, kind]) if protocol.as_ref() == b"protocol" => sample(kind),
            (b"eval", _) => Value::error("ERR This Redis command is not allowed from script"),
            (b"set" | b"get" | b"incr" | b"ping", _) => {
                Value::error("ERR Wrong number of args calling Redis command from script")
            }
            _ => Value::error("ERR Unknown Redis command called from script"),
        }
    }

    fn log(&mut self, level: Level, message: Bytes) {
        self.log.push((level, message));
    }

    fn may(&mut self, argv: Vec<Bytes>) -> Permission {
        match argv.first().map(|name| name.to_ascii_lowercase()).as_deref() {
            Some(b"get" | b"set") => Permission::Granted,
            Some(b"incr") => Permission::Denied,
            _ => Permission::NoSuchCommand,
        }
    }
}

/// A reply of each kind, similar to `DEBUG PROTOCOL`.
fn sample(kind: &[u8]) -> Value {
    let numbers = || (0..3).map(Value::Integer);
    match kind {
        b"string" => Value::bulk("Hello World"),
        b"integer" => Value::Integer(12345),
        b"double" => Value::Double(3.25),
        b"null" => Value::Null,
        b"array" => Value::Array(numbers().collect()),
        b"set" => Value::Set(numbers().collect()),
        b"map" => {
            Value::Map(numbers().map(|number| (number.clone(), Value::Boolean(number == Value::Integer(1)))).collect())
        }
        b"bignum" => Value::BigNumber(Bytes::from_static(b"1234567999999999999999999999999999999")),
        b"true" => Value::Boolean(true),
        b"false" => Value::Boolean(false),
        b"verbatim" => Value::Verbatim(*b"txt", Bytes::from_static(b"This is a verbatim\nstring")),
        _ => Value::error("ERR Wrong protocol type name."),
    }
}

/// A machine and its server.
#[derive(Default)]
pub struct Bench {
    pub machine: LuaMachine,
    pub server: Server,
    pub limits: Limits,
}

impl Bench {
    pub fn new() -> Bench {
        let mut bench = Bench::default();
        bench.server.strings.insert(Bytes::from_static(b"s"), Bytes::from_static(b"x"));
        bench
    }

    pub fn run(&mut self, work: Work) -> Ran {
        self.machine.run(&Job { work, limits: self.limits, random: RANDOM_AT_START }, &mut self.server)
    }

    pub fn script(&mut self, text: impl AsRef<[u8]>) -> Ran {
        self.run(Work::Script { text: Bytes::copy_from_slice(text.as_ref()), keys: Vec::new(), args: Vec::new() })
    }

    /// The reply to `EVAL text 0`, as a client would get it.
    pub fn eval(&mut self, text: &[u8]) -> Value {
        let ran = self.script(text);
        let sha: String = sha1::Sha1::digest(text).iter().map(|byte| format!("{byte:02x}")).collect();
        reply(ran.outcome, &sha)
    }
}

/// The server's reply for an outcome. `name` is that of the script or function.
pub fn reply(outcome: ScriptOutcome, name: &str) -> Value {
    match outcome {
        ScriptOutcome::Reply(value) => value,
        ScriptOutcome::Failed(failure) => Value::Error(failure.line(name.as_bytes())),
        ScriptOutcome::DoesNotCompile(words) => {
            Value::Error([b"ERR Error compiling script (new function): ".as_slice(), &words].concat().into())
        }
        other => Value::error(format!("ERR {other:?}")),
    }
}

/// A reply in one line, as a RESP2 client reads it.
pub fn show(value: &Value) -> String {
    let mut bytes = Vec::new();
    resp::encode::encode(value, Protocol::Resp2, &mut bytes);
    match decode_reply(&bytes) {
        Ok(Some(value)) => line(&value),
        other => format!("{other:?}"),
    }
}

fn line(value: &Value) -> String {
    match value {
        Value::Simple(text) => format!("+{}", text.escape_ascii()),
        Value::Error(text) => format!("-{}", text.escape_ascii()),
        Value::Integer(number) => number.to_string(),
        Value::Bulk(text) => format!("\"{}\"", text.escape_ascii()),
        Value::Null | Value::NullArray => "nil".to_owned(),
        Value::Array(items) => format!("[{}]", items.iter().map(line).collect::<Vec<_>>().join(", ")),
        other => format!("{other:?}"),
    }
}
