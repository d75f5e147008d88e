//! The meaning of a typed line: a command for the server, a statement for a database, or something that the terminal answers itself.
use bytes::Bytes;
use resp::split::{self, Repeat};

use super::eval;
use super::notes::Note;

/// A typed line, split into its words once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypedLine {
    /// Only blanks.
    Blank,
    /// The terminal answers it itself.
    Answered(Note),
    /// A command, and how often it runs.
    Command {
        /// Its words.
        argv: Vec<Bytes>,
        /// `5 INCR n` runs five times.
        times: u64,
    },
    /// `--eval`, with the words after it.
    Eval(Vec<Bytes>),
    /// A statement for a database.
    Statement(Bytes),
}

impl TypedLine {
    /// Reads a line that is typed for a Redis server.
    pub fn read(line: &str) -> TypedLine {
        let owned = || line.to_owned();
        let mut argv = match split::split(line.as_bytes()) {
            Ok(argv) => argv,
            Err(why) => return TypedLine::Answered(Note::Unbalanced { line: owned(), why }),
        };
        let Some(first) = argv.first() else { return TypedLine::Blank };
        if first.eq_ignore_ascii_case(b"clear") && argv.len() == 1 {
            return TypedLine::Answered(Note::Clear);
        }
        if first.eq_ignore_ascii_case(b"help") || first.as_ref() == b"?" {
            return TypedLine::Answered(Note::Help { line: owned(), topic: argv.split_off(1) });
        }
        if let Some(words) = eval::words(&argv) {
            return TypedLine::Eval(words.to_vec());
        }
        match Repeat::of(&argv) {
            Repeat::Once => TypedLine::Command { argv, times: 1 },
            Repeat::Times(times) => TypedLine::Command { argv: argv.split_off(1), times },
            Repeat::Invalid => TypedLine::Answered(Note::BadRepeat { line: owned() }),
        }
    }

    /// Reads a line that is typed for a database.
    pub fn read_statement(line: &str) -> TypedLine {
        let line = line.trim();
        match line.trim_end_matches(';').to_ascii_lowercase().as_str() {
            "" => TypedLine::Blank,
            "clear" => TypedLine::Answered(Note::Clear),
            "help" | "?" => TypedLine::Answered(Note::Statements { line: line.to_owned() }),
            _ => TypedLine::Statement(Bytes::copy_from_slice(line.as_bytes())),
        }
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::{Note, TypedLine};

    fn words(line: &str) -> Vec<Bytes> {
        line.split_whitespace().map(|word| Bytes::copy_from_slice(word.as_bytes())).collect()
    }

    #[test]
    fn commands_run_as_often_as_the_line_says() {
        let command = |line, times| TypedLine::Command { argv: words(line), times };
        assert_eq!(TypedLine::read("  get  k "), command("get k", 1));
        assert_eq!(TypedLine::read("3 INCR n"), command("INCR n", 3));
        assert_eq!(TypedLine::read("3"), command("3", 1));
        assert_eq!(TypedLine::read("clear k"), command("clear k", 1));
        assert_eq!(TypedLine::read("0 INCR n"), TypedLine::Answered(Note::BadRepeat { line: "0 INCR n".into() }));
    }

    #[test]
    fn terminal_answers_some_lines_itself() {
        assert_eq!(TypedLine::read(" \t"), TypedLine::Blank);
        assert_eq!(TypedLine::read("CLEAR"), TypedLine::Answered(Note::Clear));
        let help = Note::Help { line: "? set".into(), topic: words("set") };
        assert_eq!(TypedLine::read("? set"), TypedLine::Answered(help));
        assert!(matches!(TypedLine::read("SET k 'v"), TypedLine::Answered(Note::Unbalanced { .. })));
        assert_eq!(TypedLine::read("redis-cli --eval f.lua k , a"), TypedLine::Eval(words("f.lua k , a")));
    }

    #[test]
    fn statements_are_not_split() {
        assert_eq!(TypedLine::read_statement(" ; "), TypedLine::Blank);
        assert_eq!(TypedLine::read_statement("Clear;"), TypedLine::Answered(Note::Clear));
        assert_eq!(TypedLine::read_statement("HELP"), TypedLine::Answered(Note::Statements { line: "HELP".into() }));
        let statement = "SELECT 'a;  b' FROM t";
        assert_eq!(TypedLine::read_statement(statement), TypedLine::Statement(statement.into()));
    }
}
