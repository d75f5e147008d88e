//! Pasting several lines: each runs as a command, as if it had been typed.

/// More lines than this are not run from one paste: a file is the better way in.
pub const LINES_MAX: usize = 10_000;
/// A longer paste is not read at all, in bytes.
pub const BYTES_MAX: usize = 12 * 1024 * 1024;

/// What a paste is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Paste {
    /// No line end: the browser puts it where the caret stands.
    Inline,
    /// Lines to run, in order, and what comes after the last line end, to go on typing.
    Lines(Vec<String>, String),
    /// More than [`BYTES_MAX`] or [`LINES_MAX`].
    TooLarge,
}

/// Reads a paste. `typed` stands before the caret and belongs to the first line. Empty lines, comments and a
/// prompt copied along (`127.0.0.1:6379> `, `c1> `, `> `) are left out.
pub fn read(typed: &str, pasted: &str) -> Paste {
    if pasted.len() > BYTES_MAX {
        return Paste::TooLarge;
    }
    if !pasted.contains('\n') && !pasted.contains('\r') {
        return Paste::Inline;
    }
    let text = format!("{typed}{pasted}").replace("\r\n", "\n").replace('\r', "\n");
    let (whole, rest) = text.rsplit_once('\n').unwrap_or((&text, ""));
    let lines: Vec<String> = whole
        .lines()
        .map(without_prompt)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(str::to_owned)
        .collect();
    if lines.len() > LINES_MAX {
        return Paste::TooLarge;
    }
    Paste::Lines(lines, without_prompt(rest).to_owned())
}

/// The line without the prompt of a terminal that was copied with it.
fn without_prompt(line: &str) -> &str {
    let line = line.trim();
    let Some((prompt, rest)) = line.split_once("> ") else {
        return line.strip_suffix('>').filter(|p| is_prompt(p)).map_or(line, |_| "");
    };
    if is_prompt(prompt) { rest.trim_start() } else { line }
}

/// `127.0.0.1:6379`, `127.0.0.1:6379[1](TX)`, `c1`, or nothing.
fn is_prompt(text: &str) -> bool {
    let address = text.strip_suffix("(TX)").unwrap_or(text);
    let address = address.split('[').next().unwrap_or_default();
    address.is_empty()
        || address.contains(':')
        || address
            .strip_prefix('c')
            .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::{LINES_MAX, Paste, read};

    #[test]
    fn one_line_is_left_to_the_browser() {
        assert_eq!(read("GET ", "key"), Paste::Inline);
    }

    #[test]
    fn lines_run_and_the_rest_stays() {
        let lines =
            |lines: &[&str], rest: &str| Paste::Lines(lines.iter().map(|l| (*l).to_owned()).collect(), rest.to_owned());
        assert_eq!(read("SET a ", "1\r\n\n# note\nGET a\nDEL"), lines(&["SET a 1", "GET a"], "DEL"));
        assert_eq!(
            read("", "127.0.0.1:6379[2](TX)> SET k v\n> GET k\nc12> PING\nSET x \"a> b\"\n"),
            lines(&["SET k v", "GET k", "PING", "SET x \"a> b\""], "")
        );
    }

    #[test]
    fn a_flood_is_refused_whole() {
        assert_eq!(read("", &"PING\n".repeat(LINES_MAX + 1)), Paste::TooLarge);
        assert_eq!(read("", &"x".repeat(13 << 20)), Paste::TooLarge);
    }
}
