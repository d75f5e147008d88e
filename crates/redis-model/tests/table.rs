//! The command table as a whole: complete, consistent, and explicit about what is not modelled.
use std::collections::BTreeSet;

use bytes::Bytes;
use redis_model::{
    Config, Output, Server,
    command::{self, Arg, Command, Kind, Run, keys_of},
};
use resp::Value;

/// Rows and subcommand rows.
fn every_row() -> impl Iterator<Item = &'static Command> {
    command::all().flat_map(|row| [row].into_iter().chain(row.subcommands))
}

/// The shortest valid call of a row.
fn shortest_call(row: &Command) -> Vec<Bytes> {
    let name = [row.container, row.name].into_iter().filter(|word| !word.is_empty());
    let mut words: Vec<Bytes> = name.map(|word| Bytes::from_static(word.as_bytes())).collect();
    words.resize(words.len().max(row.arity.unsigned_abs() as usize), Bytes::from_static(b"1"));
    words
}

fn every_part(args: &[Arg], visit: &mut impl FnMut(&Arg)) {
    for arg in args {
        visit(arg);
        every_part(&arg.parts, visit);
    }
}

#[test]
fn has_the_240_commands_of_redis_7_0() {
    assert_eq!(command::all().count(), 240);
}

#[test]
fn rows_are_named_once_and_in_lower_case() {
    let mut names = BTreeSet::new();
    for row in every_row() {
        let name = row.full_name();
        assert_eq!(name, name.to_ascii_lowercase());
        assert!(names.insert(name), "{} stands twice", row.full_name());
        assert!(!row.summary.is_empty() && !row.since.is_empty() && row.arity != 0, "{}", row.full_name());
    }
}

#[test]
fn subcommands_name_their_container_and_can_be_found() {
    for row in command::all() {
        let is_container = matches!(row.run, Run::Container | Run::ContainerOr(_));
        assert_eq!(is_container, !row.subcommands.is_empty(), "{}", row.name);
        for sub in row.subcommands {
            assert_eq!(sub.container, row.name);
            let found = command::find(&shortest_call(sub)).expect("its own row");
            assert_eq!(found.id(), sub.id());
        }
    }
}

/// Prints an argument in the notation of the rows.
fn written(arg: &Arg) -> String {
    let joined = |between| arg.parts.iter().map(written).collect::<Vec<_>>().join(between);
    let name = arg.name();
    let is_token_alone = arg.kind == Kind::PureToken && name == arg.token.to_ascii_lowercase();
    let token = if arg.token.is_empty() || is_token_alone { arg.token.to_owned() } else { format!("{}=", arg.token) };
    let what = match arg.kind {
        Kind::PureToken if is_token_alone => String::new(),
        Kind::PureToken => format!("{name}:flag"),
        Kind::OneOf => format!("{name}({})", joined("|")),
        Kind::Block => format!("{name}{{{}}}", joined(" ")),
        Kind::Key if arg.key_spec.is_none() => format!("{name}:key"),
        Kind::String if arg.key_spec.is_some() => format!("{name}:string"),
        Kind::Key | Kind::String => name.into_owned(),
        Kind::Integer => format!("{name}:int"),
        Kind::Double => format!("{name}:double"),
        Kind::Pattern => format!("{name}:pattern"),
        Kind::UnixTime => format!("{name}:time"),
    };
    let marks = [
        arg.key_spec.map(|index| format!("#{index}")),
        arg.is_multiple_token.then(|| "+".to_owned()),
        arg.is_multiple.then(|| "...".to_owned()),
        Some(arg.since).filter(|since| !since.is_empty()).map(|since| format!("@{since}")),
        Some(arg.deprecated_since).filter(|since| !since.is_empty()).map(|since| format!("!{since}")),
    ];
    let text = format!("{token}{what}{}", marks.into_iter().flatten().collect::<String>());
    if arg.is_optional { format!("[{text}]") } else { text }
}

#[test]
fn the_notation_of_arguments_is_read_whole() {
    for row in every_row() {
        let text = row.args().iter().map(written).collect::<Vec<_>>().join(" ");
        assert_eq!(text, row.syntax, "{}", row.full_name());
    }
}

#[test]
fn key_arguments_point_at_key_specifications() {
    for row in every_row() {
        every_part(&row.args(), &mut |arg| {
            if let Some(index) = arg.key_spec {
                assert!(index < row.keys.len(), "{}: {}", row.full_name(), arg.name());
            }
        });
    }
}

#[test]
fn key_positions_are_within_the_arguments() {
    for row in every_row() {
        let call = shortest_call(row);
        for key in keys_of(&call) {
            assert!(key.index > 0 && key.index < call.len(), "{}", row.full_name());
        }
    }
}

#[test]
fn unmodelled_commands_return_an_error_and_change_nothing() {
    for row in every_row().filter(|row| matches!(row.run, Run::NotModelled)) {
        let mut server = Server::new(Config::default(), 0);
        let client = server.connect(0);
        let outputs = server.handle(0, client, shortest_call(row));
        let [Output::Reply { value: Value::Error(text), .. }] = outputs.as_slice() else {
            panic!("{}: {outputs:?}", row.full_name());
        };
        let text = String::from_utf8_lossy(text);
        assert!(text.contains(&format!("'{}'", row.full_name())) && text.contains("not model"), "{text}");
        assert!(server.databases().iter().all(|db| db.is_empty()));
    }
}
