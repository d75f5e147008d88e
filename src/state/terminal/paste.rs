//! Pasting several lines: each runs as if it had been typed.

/// A paste with more lines is refused: use a file instead.
pub const LINES_MAX: usize = 10_000;
/// A longer paste is refused unread, in bytes.
pub const BYTES_MAX: usize = 12 * 1024 * 1024;
/// Number of commands of a paste or a file that run in one task; the rest runs in later tasks, so that the page stays responsive.
pub const RUN_AT_ONCE: usize = 50;

/// The result of reading a paste.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Paste {
    /// No line end: the browser inserts it at the caret.
    Inline,
    /// Lines to run, in order, and the text after the last line end, to continue typing.
    Lines(Vec<String>, String),
    /// More than [`BYTES_MAX`] or [`LINES_MAX`].
    TooLarge,
}

/// Reads a paste. `typed` is the text before the caret and belongs to the first line. Empty lines and comments are left out, and so are
/// copied prompts (`127.0.0.1:6379> `, `c1> `, `> `).
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

/// The line without a terminal prompt that was copied with it.
fn without_prompt(line: &str) -> &str {
    let line = line.trim();
    let Some((prompt, rest)) = line.split_once("> ") else {
        return line.strip_suffix('>').filter(|p| is_prompt(p)).map_or(line, |_| "");
    };
    if is_prompt(prompt) { rest.trim_start() } else { line }
}

/// Matches `127.0.0.1:6379`, `127.0.0.1:6379[1](TX)`, `c1`, or the empty text.
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
    fn single_line_is_left_to_the_browser() {
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
    fn too_large_paste_is_refused_entirely() {
        assert_eq!(read("", &"PING\n".repeat(LINES_MAX + 1)), Paste::TooLarge);
        assert_eq!(read("", &"x".repeat(13 << 20)), Paste::TooLarge);
    }
}
