//! Patterns for replies that vary: `~ (integer) {99000..100000}`.

/// Does a line match a pattern? Outside braces a pattern is literal (`{{` is a brace); in braces:
/// `{any}` any text, possibly empty; `{int}` an integer; `{float}` a decimal number; `{hex}` hexadecimal
/// digits; `{word}` any text without spaces, quotes and commas; `{10..20}` an integer from 10 to 20.
pub(super) fn matches(pattern: &str, line: &str) -> bool {
    let Some(open) = pattern.find('{') else { return pattern == line };
    let (literal, rest) = pattern.split_at(open);
    let Some(line) = line.strip_prefix(literal) else { return false };
    if let Some(rest) = rest.strip_prefix("{{") {
        return line.strip_prefix('{').is_some_and(|line| matches(rest, line));
    }
    let Some((name, rest)) = rest.strip_prefix('{').and_then(|rest| rest.split_once('}')) else { return false };
    // The longest match first; patterns are short, and so are the lines.
    let ends = line.char_indices().map(|(at, _)| at).chain([line.len()]);
    let ends: Vec<usize> = ends.collect();
    ends.into_iter().rev().any(|end| {
        let (taken, left) = line.split_at(end);
        holds(name, taken) && matches(rest, left)
    })
}

fn holds(name: &str, text: &str) -> bool {
    match name {
        "any" => true,
        "int" => text.parse::<i64>().is_ok(),
        "float" => !text.is_empty() && text.parse::<f64>().is_ok(),
        "hex" => !text.is_empty() && text.chars().all(|c| c.is_ascii_hexdigit()),
        "word" => !text.is_empty() && !text.contains([' ', '"', ',']),
        _ => name.split_once("..").is_some_and(|(low, high)| {
            matches!((low.parse::<i64>(), text.parse::<i64>(), high.parse::<i64>()),
                (Ok(low), Ok(n), Ok(high)) if low <= n && n <= high)
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns() {
        for (pattern, line, expected) in [
            ("OK", "OK", true),
            ("(integer) {int}", "(integer) -5", true),
            ("(integer) {int}", "(integer) ", false),
            ("(integer) {1..100}", "(integer) 100", true),
            ("(integer) {1..100}", "(integer) 101", false),
            ("\"{hex}\"", "\"00ffAA\"", true),
            ("\"{word}\"", "\"a b\"", false),
            ("{any}", "", true),
            ("id={int} addr={word} {any}", "id=3 addr=127.0.0.1:5 fd=8", true),
            ("{{a}", "{a}", true),
            ("{nonsense}", "x", false),
        ] {
            assert_eq!(matches(pattern, line), expected, "{pattern:?} on {line:?}");
        }
    }
}
