//! A plain file of commands, or a transcript of redis-cli: the commands in it, and which client runs each.
use bytes::Bytes;
use redis_model::command;
use world::ClientIndex;

use super::session::CLIENTS_MAX;
use super::terminal::notes::REPEATS_MAX;
use super::terminal::typed::TypedLine;

/// Maximum number of commands that a file runs.
const COMMANDS_MAX: usize = 10_000;
/// Maximum length of a prompt, in bytes.
const PROMPT_BYTES_MAX: usize = 64;

/// A command of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileCommand {
    /// Its client, from 0, in the order in which the file names them.
    pub client: ClientIndex,
    /// Its words.
    pub argv: Vec<Bytes>,
}

/// The commands of a file, in order; `None` if it is no such file, or has too many.
///
/// ```text
/// # a comment                      c1> SET stock 1        of a transcript only the lines with a prompt
/// SET stock 1                      OK                     count; each prompt is a client
/// 3 DECR stock                     c2> DECR stock
/// ```
/// The first command must be known, so that other texts are not taken for commands.
pub fn of_file(text: &str) -> Option<Vec<FileCommand>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let is_transcript = lines().next().is_some_and(|first| prompt(first).is_some());
    let mut names: Vec<&str> = Vec::new();
    let mut commands: Vec<FileCommand> = Vec::new();
    for line in lines() {
        let (name, line) = match prompt(line) {
            Some(found) if is_transcript => found,
            _ if is_transcript => continue,
            _ => ("", line),
        };
        let client = names.iter().position(|known| *known == name).unwrap_or_else(|| {
            names.push(name);
            names.len().saturating_sub(1)
        });
        let (argv, times) = match TypedLine::read(line) {
            TypedLine::Command { argv, times } => (argv, times.min(REPEATS_MAX)),
            TypedLine::Blank => continue,
            _ => return None,
        };
        if commands.is_empty() {
            command::find(&argv).ok()?;
        }
        for _ in 0..times {
            if commands.len() >= COMMANDS_MAX {
                return None;
            }
            commands.push(FileCommand { client: ClientIndex::try_from(client).ok()?, argv: argv.clone() });
        }
    }
    (!commands.is_empty() && names.len() <= CLIENTS_MAX).then_some(commands)
}

/// The name before a prompt, without database and transaction, and the line after it: `127.0.0.1:6379[1](TX)> GET a`.
fn prompt(line: &str) -> Option<(&str, &str)> {
    let (name, rest) = line.split_once('>')?;
    let is_name = !name.is_empty() && name.len() <= PROMPT_BYTES_MAX && !name.contains(char::is_whitespace);
    let is_apart = rest.is_empty() || rest.starts_with(' ');
    (is_name && is_apart).then(|| (name.split(['[', '(']).next().unwrap_or(name), rest.trim_start()))
}

#[cfg(test)]
mod tests {
    use super::{COMMANDS_MAX, of_file};

    /// The commands as text: `0 SET a 1`.
    fn read(text: &str) -> Option<Vec<String>> {
        let line = |found: &super::FileCommand| format!("{} {}", found.client, resp::split::quote_command(&found.argv));
        of_file(text).map(|commands| commands.iter().map(line).collect())
    }

    #[test]
    fn plain_lines_are_commands_of_one_client() {
        let text = "\u{feff}# stock\r\nSET stock 5\r\n\r\n3 DECR stock\r\n  set note \"two words\"\nNOSUCH 1\n";
        let expected =
            ["0 SET stock 5", "0 DECR stock", "0 DECR stock", "0 DECR stock", "0 set note \"two words\"", "0 NOSUCH 1"];
        assert_eq!(read(text).unwrap(), expected);
        assert_eq!(read("XREADGROUP GROUP g a STREAMS s >").unwrap(), ["0 XREADGROUP GROUP g a STREAMS s >"]);
    }

    #[test]
    fn of_a_transcript_the_prompts_count() {
        let text = "127.0.0.1:6379> SET a 1\nOK\n127.0.0.1:6379[1]> GET a\n(nil)\nb> MULTI\nOK\nb(TX)> GET a\nQUEUED\n127.0.0.1:6379> \n";
        assert_eq!(read(text).unwrap(), ["0 SET a 1", "0 GET a", "1 MULTI", "1 GET a"]);
    }

    #[test]
    fn other_texts_are_no_commands() {
        let none = [
            "",
            "\n\n# only\n",
            "Dear all,\nSET a 1\n",
            "{\"a\": 1}",
            "lockstep 1\nseed 7\n",
            "SET a \"1\n",
            "CLEAR",
            "\0\u{1}",
        ];
        for text in none {
            assert_eq!(read(text), None, "{text:?}");
        }
    }

    #[test]
    fn too_many_commands_or_clients_are_refused() {
        assert_eq!(read(&"PING\n".repeat(COMMANDS_MAX)).map(|all| all.len()), Some(COMMANDS_MAX));
        assert_eq!(read(&"PING\n".repeat(COMMANDS_MAX + 1)), None);
        let many = read("18446744073709551615 PING\n".repeat(100).as_str());
        assert!(many.is_none_or(|all| all.len() <= COMMANDS_MAX));
        let clients = |count: usize| (0..count).map(|nth| format!("k{nth}> PING\n")).collect::<String>();
        assert!(read(&clients(8)).is_some());
        assert_eq!(read(&clients(9)), None);
    }
}
