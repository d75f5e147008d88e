//! Which family of commands last used a key: in a command, a transaction, or a script.
use bytes::Bytes;
use redis_model::command::{self, Group};
use resp::Value;
use world::{ClientIndex, Event, EventKind, NodeIndex};

use crate::state::key::{Database, KeyName};
use crate::state::session::Session;

/// How many words of a command are searched for a key.
const WORDS_MAX: usize = 64;
/// How many steps are searched for a command that shows how a value is used.
const LOOKED_BACK_MAX: usize = 500;
/// How many bytes of a script are searched for commands.
const SCRIPT_BYTES_MAX: usize = 10_000;

/// The words of the step's command, if it ran and names the key.
pub(super) fn words_about<'a>(events: &'a [Event], key: &KeyName) -> Option<&'a [Bytes]> {
    events.iter().find_map(|event| match &event.kind {
        EventKind::Command { argv, db, is_in_multi: false, .. } => {
            names(argv, event.node, *db, key).then_some(argv.as_slice())
        }
        _ => None,
    })
}

/// Whether a command at this node, in this database, names the key.
fn names(argv: &[Bytes], node: Option<NodeIndex>, db: usize, key: &KeyName) -> bool {
    node.is_some_and(|node| key.database == Database { node, db })
        && argv.iter().take(WORDS_MAX).skip(1).any(|word| *word == key.key)
}

/// The family of the last command that named the key and shows how its value is used.
pub(super) fn family(session: &Session, key: &KeyName) -> Option<Group> {
    // Clients whose transaction ran, while its commands are being read: the steps are read backwards.
    let mut running: Vec<ClientIndex> = Vec::new();
    session.timeline().taken().rev().take(LOOKED_BACK_MAX).find_map(|(_, step)| {
        step.events.iter().find_map(|event| {
            let EventKind::Command { client, argv, db, is_in_multi } = &event.kind else { return None };
            let is_called = |name: &[u8]| argv.first().is_some_and(|word| word.eq_ignore_ascii_case(name));
            if is_called(b"multi") {
                running.retain(|other| other != client);
            } else if *is_in_multi && is_called(b"exec") && has_run(&step.events, *client) {
                running.push(*client);
            }
            let is_run = !is_in_multi || running.contains(client);
            (is_run && names(argv, event.node, *db, key)).then(|| said(session, argv, key)).flatten()
        })
    })
}

/// Whether the reply to a client's `EXEC` contains the replies of its commands.
fn has_run(events: &[Event], client: ClientIndex) -> bool {
    let is_answer = |event: &Event| matches!(&event.kind, EventKind::Reply { client: to, value: Value::Array(_), .. } if *to == client);
    events.iter().any(is_answer)
}

/// The family that a command implies for a key that it names.
fn said(session: &Session, argv: &[Bytes], key: &KeyName) -> Option<Group> {
    let name = argv.first()?;
    if let Some(group) = group_of(name) {
        return Some(group);
    }
    let place = argv.iter().take(WORDS_MAX).skip(3).position(|word| *word == key.key)?.saturating_add(1);
    let text = argv.get(1)?;
    if name.eq_ignore_ascii_case(b"eval") || name.eq_ignore_ascii_case(b"eval_ro") {
        said_by_script(text, place)
    } else if name.eq_ignore_ascii_case(b"evalsha") || name.eq_ignore_ascii_case(b"evalsha_ro") {
        let server = session.world().server(key.database.node)?;
        let kept = server.cached_scripts().find(|(sha, _)| sha.eq_ignore_ascii_case(text))?;
        said_by_script(kept.1, place)
    } else {
        None
    }
}

/// The family of a command, if it shows how a value is used.
fn group_of(name: &[u8]) -> Option<Group> {
    let group = command::by_name(name)?.group;
    let says = [Group::Bitmap, Group::String, Group::Hyperloglog, Group::Geo, Group::SortedSet];
    says.contains(&group).then_some(group)
}

/// The family of the last call in a script that uses `KEYS[place]`: `redis.call("SETBIT", KEYS[1], …`. A call whose key is written in
/// another way may use any key.
fn said_by_script(text: &[u8], place: usize) -> Option<Group> {
    let text = text.get(..SCRIPT_BYTES_MAX).unwrap_or(text);
    let text = String::from_utf8_lossy(text);
    text.split("call(").skip(1).filter_map(|call| said_by_call(call, place)).last()
}

fn said_by_call(call: &str, place: usize) -> Option<Group> {
    let quoted = call.trim_start();
    let quote = quoted.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    let (name, behind) = quoted.get(1..)?.split_once(quote)?;
    let key = behind.trim_start().strip_prefix(',')?.trim_start();
    let other = key.strip_prefix("KEYS[").and_then(|number| number.split_once(']')?.0.trim().parse::<usize>().ok());
    group_of(name.as_bytes()).filter(|_| other.is_none_or(|other| other == place))
}

#[cfg(test)]
mod tests {
    use super::{Group, said_by_script};

    #[test]
    fn last_call_of_a_script_gives_the_family_of_a_key() {
        let text = b"redis.call('SETBIT', KEYS[1], 1, 1)\nlocal n = redis.pcall( \"pfadd\" , KEYS[2], 'x')\n\
                     if n then return redis.call('INCR', KEYS[3]) end";
        let families = [1, 2, 3, 4].map(|place| said_by_script(text, place));
        let [one, two, three, four] = families;
        assert_eq!([one, two, three, four], [Some(Group::Bitmap), Some(Group::Hyperloglog), Some(Group::String), None]);
        assert_eq!(
            said_by_script(b"redis.call('GEOADD', place, 1, 2, 'm') call(f) redis.call('TTL', place)", 1),
            Some(Group::Geo)
        );
        for nothing in ["", "call(", "call('", "redis.call('SETBIT'", "redis.call('nosuch', KEYS[1])", "call('中"] {
            assert_eq!(said_by_script(nothing.as_bytes(), 1), None, "{nothing}");
        }
    }
}
