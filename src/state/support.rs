//! Which commands are modelled: every command of the table by family, with its state and the reason for it.
//!
//! Names and states come from the command table. Only two small tables of reasons are kept below. The tests compare them with the command
//! table: a modelled command must have no reason, any other command must have one.
use redis_model::command::{self, Command, Run};

use crate::i18n::Lang;

/// The URL fragment that opens the list.
pub const FRAGMENT: &str = "#commands";

/// How far a command is modelled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// It answers as Redis does.
    Modelled,
    /// It runs, but is known to differ in some way.
    Differs,
    /// It runs, except these subcommands.
    Partly(Vec<&'static str>),
    /// It returns an error that says so.
    NotModelled,
}

/// A command and how far it is modelled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Support {
    /// Its name in upper case.
    pub name: String,
    /// Its family in the words of Redis.
    pub group: &'static str,
    /// Its family in the reader's language.
    pub family: &'static str,
    /// What it does.
    pub summary: &'static str,
    /// How far it is modelled.
    pub state: State,
    /// What differs, or why it is not modelled.
    pub why: Option<&'static str>,
}

/// A sentence in the reader's language.
type Sentence = fn(Lang) -> &'static str;

/// Why these commands, or some of their subcommands, are not modelled.
const NOT_MODELLED: [(&[&str], Sentence); 7] = [
    (&["asking", "cluster", "readonly", "readwrite"], Lang::support_cluster),
    (&["failover", "psync", "replconf", "replicaof", "slaveof", "sync"], Lang::support_replicas),
    (&["bgrewriteaof", "bgsave", "save", "shutdown"], Lang::support_disk),
    (&["dump", "migrate", "restore", "restore-asking"], Lang::support_payload),
    (&["acl"], Lang::support_users),
    (&["module"], Lang::support_modules),
    (&["latency"], Lang::support_latency),
];

/// Known differences of these commands.
const DIFFERS: [(&[&str], Sentence); 12] = [
    (&["hrandfield", "randomkey", "spop", "srandmember", "zrandmember"], Lang::support_chance),
    (&["eval", "eval_ro", "evalsha", "evalsha_ro"], Lang::support_scripts),
    (&["fcall", "fcall_ro"], Lang::support_functions),
    (&["script"], Lang::support_debugger),
    (&["client"], Lang::support_tracking),
    (&["hello"], Lang::support_hello),
    (&["info", "lastsave", "lolwut"], Lang::support_process),
    (&["config"], Lang::support_parameters),
    (&["debug"], Lang::support_debug),
    (&["memory"], Lang::support_memory),
    (&["slowlog", "time"], Lang::support_clock),
    (&["wait"], Lang::support_wait),
];

/// Every command, by family and name.
pub fn commands(t: Lang) -> Vec<Support> {
    let mut rows: Vec<&'static Command> = command::all().collect();
    redis_model::sorting::sort_by(&mut rows, |a, b| (a.group, a.name).cmp(&(b.group, b.name)));
    rows.into_iter().map(|row| support(t, row)).collect()
}

fn support(t: Lang, row: &'static Command) -> Support {
    let missing: Vec<&'static str> =
        row.subcommands.iter().filter(|sub| matches!(sub.run, Run::NotModelled)).map(|sub| sub.name).collect();
    let differs = sentence(&DIFFERS, row.name);
    let not = sentence(&NOT_MODELLED, row.name);
    let (state, why) = if matches!(row.run, Run::NotModelled) || is_all(&missing, row) {
        (State::NotModelled, not)
    } else if !missing.is_empty() {
        (State::Partly(missing), not)
    } else if differs.is_some() {
        (State::Differs, differs)
    } else {
        (State::Modelled, None)
    };
    Support {
        name: row.name.to_ascii_uppercase(),
        group: row.group.name(),
        family: t.support_families().split(", ").nth(row.group as usize).unwrap_or_else(|| row.group.name()),
        summary: t.summary(row),
        state,
        why: why.map(|why| why(t)),
    }
}

fn is_all(missing: &[&str], row: &Command) -> bool {
    !missing.is_empty() && missing.len() == row.subcommands.len()
}

fn sentence(table: &[(&[&str], Sentence)], name: &str) -> Option<Sentence> {
    table.iter().find(|(names, _)| names.contains(&name)).map(|(_, sentence)| *sentence)
}

/// Whether a search text matches: any part of name, family or summary, in any case.
pub fn is_wanted(support: &Support, wanted: &str) -> bool {
    let wanted = wanted.trim().to_ascii_lowercase();
    let is_in = |text: &str| text.to_ascii_lowercase().contains(&wanted);
    wanted.is_empty() || is_in(&support.name) || is_in(support.group) || is_in(support.family) || is_in(support.summary)
}

#[cfg(test)]
mod tests {
    use redis_model::command;

    use super::{DIFFERS, NOT_MODELLED, State, commands, is_wanted};
    use crate::i18n::Lang;

    #[test]
    fn every_command_is_listed_and_each_difference_has_its_reason() {
        let all = commands(Lang::En);
        assert_eq!(all.len(), 240);
        for support in &all {
            assert_eq!(support.why.is_none(), support.state == State::Modelled, "{}", support.name);
            // The families of a language are one message, in the order of the groups: if the last one matches, none is missing.
            assert_eq!(support.group == "transactions", support.family == "Transactions");
        }
        assert!(all.is_sorted_by(|a, b| a.group != b.group || a.name.to_lowercase() < b.name.to_lowercase()));
    }

    #[test]
    fn every_reason_is_needed() {
        let all = commands(Lang::ZhCn);
        for (names, is_running) in
            NOT_MODELLED.iter().map(|(names, _)| (names, false)).chain(DIFFERS.iter().map(|(names, _)| (names, true)))
        {
            for name in *names {
                assert!(command::by_name(name.as_bytes()).is_some(), "{name} is no command");
                let found = all.iter().find(|support| support.name.eq_ignore_ascii_case(name)).unwrap();
                let is_right = if is_running {
                    found.state == State::Differs
                } else {
                    !matches!(found.state, State::Modelled | State::Differs)
                };
                assert!(is_right, "{name}: {:?}", found.state);
            }
        }
    }

    #[test]
    fn search_covers_name_family_and_summary() {
        let found = |lang, wanted: &str| -> Vec<String> {
            commands(lang)
                .into_iter()
                .filter(|support| is_wanted(support, wanted))
                .map(|support| support.name)
                .collect()
        };
        assert!(found(Lang::En, "zpopm").contains(&"ZPOPMIN".to_owned()));
        assert!(found(Lang::En, "HyperLogLog").len() >= 5);
        assert!(found(Lang::ZhCn, "有序集合").len() > 10);
        assert_eq!(found(Lang::En, " ").len(), 240);
        assert_eq!(found(Lang::En, "no such thing at all"), Vec::<String>::new());
    }
}
