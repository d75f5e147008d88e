//! `INFO`: selection of sections. Their contents are in `info_sections`.
use bytes::Bytes;
use resp::Value;

use super::info_sections::{self, Section};
use crate::command::{Categories, Command, Flags, Group, Run};
use crate::{Answer, Ctx, Error, Server};

pub(super) const INFO: Command = Command {
    name: "info",
    summary: "Get information and statistics about the server",
    since: "1.0.0",
    complexity: "O(1)",
    arity: -1,
    flags: Flags::ANYTIME,
    categories: Categories::DANGEROUS,
    tips: &["nondeterministic_output", "request_policy:all_shards", "response_policy:special"],
    history: &[("7.0.0", "Added support for taking multiple section arguments.")],
    syntax: "[section...]",
    run: Run::Call(info),
    ..Command::of(Group::Server)
};
/// Sections are answered in Redis' order, each once, independent of the order in the request; unknown ones are ignored.
fn info(ctx: &mut Ctx<'_>) -> Result<Answer, Error> {
    let wanted = ctx.args_from(1);
    let is_wanted = |section: &Section| {
        if wanted.is_empty() {
            return section.is_default;
        }
        wanted.iter().any(|word| match word.to_ascii_lowercase().as_slice() {
            b"default" => section.is_default,
            b"all" => section.name != "modules",
            b"everything" => true,
            name => section.name.as_bytes() == name,
        })
    };
    let server: &Server = ctx.server;
    let texts: Vec<String> = info_sections::ALL
        .iter()
        .filter(|section| is_wanted(section))
        .map(|section| format!("# {}\n{}", section.title, (section.text)(server)))
        .collect();
    Ok(Value::Verbatim(*b"txt", Bytes::from(texts.join("\n").replace('\n', "\r\n"))).into())
}
