//! A plain file or a pasted text of commands, or a transcript of redis-cli: the commands in it, and which client runs each.
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

/// What a pasted text contains.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pasted {
    /// The commands, in order.
    pub commands: Vec<FileCommand>,
    /// The lines that are no commands, each with its number from 1; of a transcript only those with a prompt.
    pub strange: Vec<(usize, String)>,
    /// Whether it has too many commands or clients.
    pub is_too_much: bool,
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
    let Pasted { commands, strange, is_too_much } =
        read(text, &|argv, is_first| !is_first || command::find(argv).is_ok());
    (!commands.is_empty() && strange.is_empty() && !is_too_much).then_some(commands)
}

/// The commands of a text that the reader pasted, in the same notation; lines that are no known commands are left out and reported.
pub fn of_paste(text: &str) -> Pasted {
    read(text, &|argv, _| command::find(argv).is_ok())
}

/// Reads the lines of a text; `is_command` is asked for each command, and whether it is the first.
fn read(text: &str, is_command: &dyn Fn(&[Bytes], bool) -> bool) -> Pasted {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = || {
        let numbered = text.lines().map(str::trim).zip(1..);
        numbered.filter(|(line, _)| !line.is_empty() && !line.starts_with('#'))
    };
    let is_transcript = lines().next().is_some_and(|(first, _)| prompt(first).is_some());
    let mut names: Vec<&str> = Vec::new();
    let mut found = Pasted::default();
    for (whole, number) in lines() {
        let (name, line) = match prompt(whole) {
            Some(found) if is_transcript => found,
            _ if is_transcript => continue,
            _ => ("", whole),
        };
        let client = names.iter().position(|known| *known == name).unwrap_or_else(|| {
            names.push(name);
            names.len().saturating_sub(1)
        });
        let (argv, times) = match TypedLine::read(line) {
            TypedLine::Command { argv, times } if is_command(&argv, found.commands.is_empty()) => {
                (argv, times.min(REPEATS_MAX))
            }
            TypedLine::Blank => continue,
            _ => {
                found.strange.push((number, whole.to_owned()));
                continue;
            }
        };
        for _ in 0..times {
            let client = ClientIndex::try_from(client).ok().filter(|_| found.commands.len() < COMMANDS_MAX);
            let Some(client) = client else {
                found.is_too_much = true;
                return found;
            };
            found.commands.push(FileCommand { client, argv: argv.clone() });
        }
    }
    found.is_too_much = names.len() > CLIENTS_MAX;
    found
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
    use super::{COMMANDS_MAX, of_file, of_paste};

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
    fn of_a_pasted_text_strange_lines_are_reported_and_left_out() {
        let read = |text: &str| {
            let pasted = of_paste(text);
            let lines = pasted.commands.iter().map(|found| resp::split::quote_command(&found.argv)).collect::<Vec<_>>();
            (lines, pasted.strange, pasted.is_too_much)
        };
        let text = "# seed\nSET a 1\nOK\n\n2 INCR a\nGET \"a\nCONFIG NOSUCH\nget a\n";
        let (lines, strange, is_too_much) = read(text);
        assert_eq!(lines, ["SET a 1", "INCR a", "INCR a", "get a"]);
        let expected = [(3, "OK"), (6, "GET \"a"), (7, "CONFIG NOSUCH")].map(|(at, line)| (at, line.to_owned()));
        assert_eq!((strange, is_too_much), (expected.to_vec(), false));
        // Replies in a transcript are nothing strange.
        let (lines, strange, _) = read("c1> SET a 1\nOK\nc2> NOSUCH\n(error) ERR\nc2> GET a\n\"1\"\n");
        assert_eq!(lines, ["SET a 1", "GET a"]);
        assert_eq!(strange, [(3, "c2> NOSUCH".to_owned())]);
        assert_eq!(of_paste(""), super::Pasted::default());
        assert!(of_paste(&"PING\n".repeat(COMMANDS_MAX + 1)).is_too_much);
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
