//! `CONFIG`: reading and changing parameters.

use bytes::Bytes;
use resp::Value;

use crate::command::{Command, Flags, Group, Run, help};
use crate::{
    Answer, Ctx, Error, Stats,
    config::{ALL, Kind, Parameter},
    sorted_map::SortedMap,
    value::glob,
};

pub(super) const CONFIG: Command = Command {
    name: "config",
    summary: "A container for server configuration commands",
    since: "2.0.0",
    complexity: "Depends on subcommand.",
    arity: -2,
    subcommands: &[CONFIG_GET, CONFIG_HELP, CONFIG_RESETSTAT, CONFIG_REWRITE, CONFIG_SET],
    run: Run::Container,
    ..Command::of(Group::Server)
};
const CONFIG_GET: Command = Command {
    name: "get",
    summary: "Get the values of configuration parameters",
    since: "2.0.0",
    complexity: "O(N) when N is the number of configuration parameters provided",
    arity: -3,
    flags: Flags::ADMIN_ANYTIME,
    history: &[("7.0.0", "Added the ability to pass multiple pattern parameters in one call")],
    syntax: "parameter{parameter}...",
    run: Run::Call(config_get),
    ..Command::within("config", Group::Server)
};
/// A name without wildcards matches in any case and is answered as typed; a pattern is matched against both names of a parameter.
fn config_get(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let mut found: SortedMap<Bytes, (Bytes, &Parameter)> = SortedMap::new();
    for pattern in ctx.args_from(2) {
        if !pattern.iter().any(|byte| b"[*?".contains(byte)) {
            if let Some((parameter, _)) = Parameter::named(pattern) {
                let key = Bytes::from(pattern.to_ascii_lowercase());
                found.entry(key, || (pattern.clone(), parameter));
            }
            continue;
        }
        for parameter in ALL {
            for name in parameter.names().filter(|name| glob::matches(pattern, name.as_bytes(), true)) {
                let name = Bytes::from_static(name.as_bytes());
                found.entry(name.clone(), || (name, parameter));
            }
        }
    }
    let config = &ctx.server.config;
    let pairs = found.into_values().map(|(name, parameter)| (Value::Bulk(name), Value::Bulk(config.shown(parameter))));
    Ok(Value::Map(pairs.collect()).into())
}

const CONFIG_SET: Command = Command {
    name: "set",
    summary: "Set configuration parameters to the given values",
    since: "2.0.0",
    complexity: "O(N) when N is the number of configuration parameters provided",
    arity: -4,
    flags: Flags::ADMIN_ANYTIME,
    tips: &["request_policy:all_nodes", "response_policy:all_succeeded"],
    history: &[("7.0.0", "Added the ability to set multiple parameters in one call.")],
    syntax: "parameter_value{parameter value}...",
    run: Run::Call(config_set),
    ..Command::within("config", Group::Server)
};
/// All or nothing: names are checked first, then the values are set in a copy, which replaces the configuration if all of them are valid.
fn config_set(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let words = ctx.args_from(2);
    if !words.len().is_multiple_of(2) {
        return Err(Error::Syntax);
    }
    let mut settings: Vec<(&Parameter, &str, &Bytes)> = Vec::new();
    for pair in words.chunks(2) {
        let [typed, value] = pair else { continue };
        let typed_text = crate::error::clipped(typed, usize::MAX);
        let Some((parameter, name)) = Parameter::named(typed) else {
            return Err(Error::Message(format!(
                "ERR Unknown option or number of arguments for CONFIG SET - '{typed_text}'"
            )));
        };
        match parameter.kind {
            Kind::Immutable => return Err(failed(&typed_text, "can't set immutable config")),
            Kind::Protected => return Err(failed(&typed_text, "can't set protected config")),
            // A call may contain both names of one parameter; the last value wins.
            _ if settings.iter().any(|(_, known, _)| *known == name) => {
                return Err(failed(&typed_text, "duplicate parameter"));
            }
            _ => settings.push((parameter, name, value)),
        }
    }
    let mut config = ctx.server.config.clone();
    let sets_limit = settings.iter().any(|(_, name, _)| *name == "maxmemory");
    for (parameter, name, value) in settings {
        config.set(parameter, value).map_err(|reason| failed(name, &reason))?;
    }
    ctx.server.config = config;
    ctx.server.eviction.is_due |= sets_limit;
    Ok(Answer::OK)
}

fn failed(name: &str, reason: &str) -> Error {
    Error::Message(format!("ERR CONFIG SET failed (possibly related to argument '{name}') - {reason}"))
}

const CONFIG_RESETSTAT: Command = Command {
    name: "resetstat",
    summary: "Reset the stats returned by INFO",
    since: "2.0.0",
    complexity: "O(1)",
    arity: 2,
    flags: Flags::ADMIN_ANYTIME,
    run: Run::Call(config_resetstat),
    ..Command::within("config", Group::Server)
};
fn config_resetstat(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let changes = ctx.server.stats.changes;
    *ctx.server.stats = Stats { changes, ..Stats::default() };
    Ok(Answer::OK)
}

const CONFIG_REWRITE: Command = Command {
    name: "rewrite",
    summary: "Rewrite the configuration file with the in memory configuration",
    since: "2.8.0",
    complexity: "O(1)",
    arity: 2,
    flags: Flags::ADMIN_ANYTIME,
    run: Run::Call(config_rewrite),
    ..Command::within("config", Group::Server)
};
fn config_rewrite(_: &mut Ctx<'_>) -> Result<Answer, Error> {
    Err(Error::Text("ERR The server is running without a config file"))
}

const CONFIG_HELP: Command = Command {
    name: "help",
    summary: "Show helpful text about the different subcommands",
    since: "5.0.0",
    complexity: "O(1)",
    arity: 2,
    flags: Flags::ANYTIME,
    run: Run::Call(config_help),
    ..Command::within("config", Group::Server)
};
fn config_help(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    Ok(help(
        ctx,
        &[
            "GET <pattern>",
            "    Return parameters matching the glob-like <pattern> and their values.",
            "SET <directive> <value>",
            "    Set the configuration <directive> to <value>.",
            "RESETSTAT",
            "    Reset statistics reported by the INFO command.",
            "REWRITE",
            "    Rewrite the configuration file.",
        ],
    ))
}
