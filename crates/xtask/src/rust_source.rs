//! A minimal reader of Rust source for house rules: code without comments and literals, and the line where tests start.

/// The text with the inside of comments, strings and character literals replaced by spaces; lines keep their numbers.
pub fn code_only(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let hidden = hidden_length(rest, code.chars().next_back());
        let length = if hidden == 0 { first.len_utf8() } else { hidden };
        let (piece, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
        if hidden == 0 {
            code.push_str(piece);
        } else {
            code.extend(piece.chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
        }
        rest = after;
    }
    code
}

/// Length in bytes of the comment or literal that starts here, or 0 if it is code.
fn hidden_length(rest: &str, before: Option<char>) -> usize {
    if rest.starts_with("//") {
        return rest.find('\n').unwrap_or(rest.len());
    }
    if rest.starts_with("/*") {
        return block_comment_length(rest);
    }
    let in_word = before.is_some_and(|c| c.is_alphanumeric() || c == '_');
    if !in_word && let Some(length) = raw_string_length(rest) {
        return length;
    }
    if rest.starts_with('"') {
        return quoted_length(rest, '"');
    }
    if rest.starts_with('\'') {
        return character_length(rest);
    }
    0
}

fn block_comment_length(rest: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(tail) = rest.get(at..).filter(|tail| !tail.is_empty()) {
        if tail.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if tail.starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += tail.chars().next().map_or(1, char::len_utf8);
        }
    }
    rest.len()
}

/// Length of `r"…"`, `r#"…"#` or `br"…"`; `None` if it is none of these.
fn raw_string_length(rest: &str) -> Option<usize> {
    let body = rest.strip_prefix("br").or_else(|| rest.strip_prefix("cr")).or_else(|| rest.strip_prefix('r'))?;
    let hashes = body.chars().take_while(|c| *c == '#').count();
    let inside = body.get(hashes..)?.strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    let length = inside.find(&end).map_or(inside.len(), |at| at + end.len());
    Some(rest.len() - inside.len() + length)
}

fn quoted_length(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    rest.len()
}

/// A character literal, told from a lifetime by its closing quote.
fn character_length(rest: &str) -> usize {
    let mut characters = rest.char_indices().skip(1);
    match (characters.next(), characters.next()) {
        (Some((_, '\\')), _) => quoted_length(rest, '\''),
        (Some(_), Some((at, '\''))) => at + 1,
        _ => 0,
    }
}

/// Number of lines before the tests: before the first unindented `#[cfg(test)]` that opens a module with a body.
pub fn lines_without_tests(text: &str) -> usize {
    let lines: Vec<&str> = text.lines().collect();
    let opens_tests = |pair: &[&str]| matches!(pair, [attribute, module] if attribute.starts_with("#[cfg(") && attribute.contains("test") && module.starts_with("mod ") && module.ends_with('{'));
    lines.windows(2).position(opens_tests).unwrap_or(lines.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_literals_are_removed_and_lines_stay() {
        let text = "let a = \"x.unwrap()\"; // b.unwrap()\n/* c /* d */ .unwrap() */ e.unwrap();\n";
        let code = code_only(text);
        assert_eq!(code.lines().count(), text.lines().count());
        assert_eq!(code.matches("unwrap").count(), 1);
        assert!(code.lines().nth(1).unwrap().contains("e.unwrap()"));
    }

    #[test]
    fn raw_strings_characters_and_lifetimes() {
        assert_eq!(code_only("r#\"a\"b\"# + c").trim(), "+ c");
        assert_eq!(code_only("br\"a\\\" + c").trim(), "+ c");
        assert_eq!(code_only("'\"' + c").trim(), "+ c");
        assert_eq!(code_only("'\\'' + c").trim(), "+ c");
        assert_eq!(code_only("fn f<'a>(x: &'a str)"), "fn f<'a>(x: &'a str)");
        assert_eq!(code_only("\"a\\\"b\" + c").trim(), "+ c");
    }

    #[test]
    fn tests_do_not_count() {
        let text = "//! x\nfn a() {}\n\n#[cfg(test)]\nmod tests {\n}\n";
        assert_eq!(lines_without_tests(text), 3);
        assert_eq!(lines_without_tests("//! x\n#[cfg(test)]\nmod tests;\n"), 3);
    }
}
