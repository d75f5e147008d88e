//! `Error`: the errors that commands reply. Their wire text is rendered here and nowhere else.
use std::fmt;

use bytes::Bytes;
use resp::Value;

/// Why a command was refused. `Display` is the exact text of Redis 7.0.15, code first.
///
/// Recipe: a new refusal gets a variant named by its meaning and a line in `Display`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Error {
    /// The key holds another type.
    WrongType,
    /// The arguments do not follow the command's syntax.
    Syntax,
    /// Not a 64-bit signed integer.
    NotInteger,
    /// Not a number.
    NotFloat,
    /// Not a number, in a place where NaN and infinity are refused too (weights, increments).
    NotValidFloat,
    /// An integer outside the command's range.
    IntegerOutOfRange,
    /// A negative number where none is allowed.
    NotPositive,
    /// A count outside `min..=max`.
    OutOfRangeBetween(i64, i64),
    /// A result of the `INCR` family does not fit 64 bits.
    IncrementOverflow,
    /// `DECRBY` by the smallest integer.
    DecrementOverflow,
    /// The result of a float operation is NaN or infinite.
    NanOrInfinity,
    /// The key must exist but does not.
    NoSuchKey,
    /// Index past the ends of a list.
    IndexOutOfRange,
    /// An offset below zero or past the maximum string length.
    OffsetOutOfRange,
    /// A value would pass `proto-max-bulk-len`.
    StringTooLong,
    /// A TTL that is zero, negative or overflows. Holds the command's name.
    InvalidExpire(&'static str),
    /// Wrong number of arguments. Holds the command's name as clients see it (`client|kill`).
    Arity(String),
    /// No such command.
    UnknownCommand {
        /// As typed.
        name: Bytes,
        /// The arguments after it.
        args: Vec<Bytes>,
    },
    /// No such subcommand of this container.
    UnknownSubcommand {
        /// As typed.
        name: Bytes,
        /// Upper-case name of the container.
        container: String,
    },
    /// A command that Redis knows and this model does not.
    NotModelled(String),
    /// `maxmemory` is reached.
    OutOfMemory,
    /// `AUTH` with only a password where no password is set.
    AuthWithoutPassword,
    /// `AUTH` with a wrong user or password.
    WrongPassword,
    /// A command before `AUTH` where a password is set.
    NotAuthenticated,
    /// `EXEC` itself was refused. Holds the reason.
    ExecRefused(String),
    /// `EXEC` after an error while queueing.
    ExecAbort,
    /// `EXEC` without `MULTI`.
    ExecWithoutMulti,
    /// `DISCARD` without `MULTI`.
    DiscardWithoutMulti,
    /// `MULTI` inside `MULTI`.
    NestedMulti,
    /// `WATCH` inside `MULTI`.
    WatchInsideMulti,
    /// A command that is not allowed inside a transaction.
    NotAllowedInMulti,
    /// A command that a subscribed RESP2 connection may not call. Holds its name.
    SubscribeContext(String),
    /// A blocking timeout that is not a number.
    TimeoutNotFloat,
    /// A blocking timeout in whole milliseconds that is not an integer.
    TimeoutNotInteger,
    /// A blocking timeout that is out of range.
    TimeoutOutOfRange,
    /// A blocking timeout below zero.
    TimeoutNegative,
    /// A database index outside `0..databases`.
    DbIndexOutOfRange,
    /// Source and destination are the same object.
    SameObject,
    /// A number of keys that must be positive and is not. Holds the argument's name.
    NotGreaterThanZero(&'static str),
    /// A `LIMIT` below zero.
    LimitNegative,
    /// `numkeys` is larger than the number of arguments that follow.
    TooManyKeys,
    /// A cursor that is not a number.
    InvalidCursor,
    /// The server has no VM for scripts ([`crate::ScriptEngine`]).
    NoMachine,
    /// A message used by one command only, error code included.
    Text(&'static str),
    /// A message with a part that depends on the input, error code included.
    Message(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::WrongType => f.write_str("WRONGTYPE Operation against a key holding the wrong kind of value"),
            Error::Syntax => f.write_str("ERR syntax error"),
            Error::NotInteger | Error::IntegerOutOfRange => f.write_str("ERR value is not an integer or out of range"),
            Error::NotFloat => f.write_str("ERR value is not a valid float"),
            Error::NotValidFloat => f.write_str("ERR weight value is not a float"),
            Error::NotPositive => f.write_str("ERR value is out of range, must be positive"),
            Error::OutOfRangeBetween(min, max) => {
                write!(f, "ERR value is out of range, value must between {min} and {max}")
            }
            Error::IncrementOverflow => f.write_str("ERR increment or decrement would overflow"),
            Error::DecrementOverflow => f.write_str("ERR decrement would overflow"),
            Error::NanOrInfinity => f.write_str("ERR increment would produce NaN or Infinity"),
            Error::NoSuchKey => f.write_str("ERR no such key"),
            Error::IndexOutOfRange => f.write_str("ERR index out of range"),
            Error::OffsetOutOfRange => f.write_str("ERR offset is out of range"),
            Error::StringTooLong => f.write_str("ERR string exceeds maximum allowed size (proto-max-bulk-len)"),
            Error::InvalidExpire(command) => write!(f, "ERR invalid expire time in '{command}' command"),
            Error::Arity(command) => write!(f, "ERR wrong number of arguments for '{command}' command"),
            Error::UnknownCommand { name, args } => unknown_command(f, name, args),
            Error::UnknownSubcommand { name, container } => {
                write!(f, "ERR unknown subcommand '{}'. Try {container} HELP.", clipped(name, 128))
            }
            Error::NotModelled(command) => {
                write!(f, "ERR '{command}' is a command of Redis that Lockstep does not model yet")
            }
            Error::OutOfMemory => f.write_str("OOM command not allowed when used memory > 'maxmemory'."),
            Error::AuthWithoutPassword => f.write_str(
                "ERR AUTH <password> called without any password configured for the default user. Are you sure your configuration is correct?",
            ),
            Error::WrongPassword => f.write_str("WRONGPASS invalid username-password pair or user is disabled."),
            Error::NotAuthenticated => f.write_str("NOAUTH Authentication required."),
            Error::ExecRefused(why) => write!(f, "EXECABORT Transaction discarded because of: {why}"),
            Error::ExecAbort => f.write_str("EXECABORT Transaction discarded because of previous errors."),
            Error::ExecWithoutMulti => f.write_str("ERR EXEC without MULTI"),
            Error::DiscardWithoutMulti => f.write_str("ERR DISCARD without MULTI"),
            Error::NestedMulti => f.write_str("ERR MULTI calls can not be nested"),
            Error::WatchInsideMulti => f.write_str("ERR WATCH inside MULTI is not allowed"),
            Error::NotAllowedInMulti => f.write_str("ERR Command not allowed inside a transaction"),
            Error::SubscribeContext(command) => write!(
                f,
                "ERR Can't execute '{command}': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this context"
            ),
            Error::TimeoutNotFloat => f.write_str("ERR timeout is not a float or out of range"),
            Error::TimeoutNotInteger => f.write_str("ERR timeout is not an integer or out of range"),
            Error::TimeoutOutOfRange => f.write_str("ERR timeout is out of range"),
            Error::TimeoutNegative => f.write_str("ERR timeout is negative"),
            Error::DbIndexOutOfRange => f.write_str("ERR DB index is out of range"),
            Error::SameObject => f.write_str("ERR source and destination objects are the same"),
            Error::NotGreaterThanZero(what) => write!(f, "ERR {what} should be greater than 0"),
            Error::LimitNegative => f.write_str("ERR LIMIT can't be negative"),
            Error::TooManyKeys => f.write_str("ERR Number of keys can't be greater than number of args"),
            Error::InvalidCursor => f.write_str("ERR invalid cursor"),
            Error::NoMachine => f.write_str("ERR scripts need a Lua machine, and none is installed here"),
            Error::Text(text) => f.write_str(text),
            Error::Message(text) => f.write_str(text),
        }
    }
}

impl Error {
    /// A subcommand called with the wrong arguments. Shows its name as typed.
    pub(crate) fn subcommand_syntax(argv: &[Bytes]) -> Error {
        let word = |i: usize| argv.get(i).map(|word| clipped(word, 128)).unwrap_or_default();
        let (container, name) = (word(0).to_ascii_uppercase(), word(1));
        Error::Message(format!(
            "ERR unknown subcommand or wrong number of arguments for '{name}'. Try {container} HELP."
        ))
    }
}

impl std::error::Error for Error {}

impl From<Error> for Value {
    fn from(error: Error) -> Value {
        // An error reply is one line, even if it quotes line ends of the client.
        Value::error(error.to_string().replace(['\r', '\n'], " "))
    }
}

/// Redis quotes at most 128 bytes of the name, and adds no more arguments once they take 128 bytes.
fn unknown_command(f: &mut fmt::Formatter<'_>, name: &Bytes, args: &[Bytes]) -> fmt::Result {
    let mut quoted = String::new();
    for arg in args {
        if quoted.len() >= 128 {
            break;
        }
        let room = 128usize.saturating_sub(quoted.len());
        quoted.push_str(&format!("'{}' ", clipped(arg, room)));
    }
    write!(f, "ERR unknown command '{}', with args beginning with: {quoted}", clipped(name, 128))
}

/// The first `most` bytes as text, up to a zero byte, where C strings end; line ends become spaces, as in every error
/// line of Redis.
pub(crate) fn clipped(bytes: &[u8], most: usize) -> String {
    let bytes = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
    let head = bytes.get(..most.min(bytes.len())).unwrap_or_default();
    String::from_utf8_lossy(head).replace(['\r', '\n'], " ")
}
