//! Mutants of a solution, which should all fail: each statement deleted and each constant replaced, also in the scripts that it sends.
use full_moon::ast::{LastStmt, Stmt};
use full_moon::node::Node;
use full_moon::tokenizer::{Symbol, Token, TokenType};
use full_moon::visitors::Visitor;
use lesson::source::{Harmless, Proofs};
use std::ops::Range;

/// A solution with one change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// The whole text.
    pub text: String,
    /// The number of the line that was changed, from 1.
    pub number: usize,
    /// The original line, trimmed.
    pub line: String,
    /// The constant that was replaced; `None`: a statement was deleted.
    pub what: Option<String>,
    /// The replacement.
    pub with: String,
}

impl Mutant {
    /// In words.
    pub fn describe(&self) -> String {
        match &self.what {
            Some(what) => format!("line {}, `{}`: {what} → {}", self.number, self.line, self.with),
            None => format!("line {}, `{}`: deleted", self.number, self.line),
        }
    }
}

/// All mutants, in the order of the text.
///
/// # Errors
/// If the text is not valid Lua.
pub fn of(text: &str) -> Result<Vec<Mutant>, String> {
    let mut changes = changes(text, 0)?;
    changes.sort_by_key(|change| (change.range.start, change.range.end));
    let mutant = |change: Change| {
        let (before, after) = (text.get(..change.range.start)?, text.get(change.range.end..)?);
        let replaced = text.get(change.range.clone())?;
        let line_start = before.rfind('\n').map_or(0, |at| at.saturating_add(1));
        let line = text.get(line_start..)?.lines().next()?.trim().to_owned();
        // Lines keep their numbers.
        let lines = "\n".repeat(if change.with.is_empty() { replaced.matches('\n').count() } else { 0 });
        Some(Mutant {
            text: [before, &change.with, &lines, after].concat(),
            number: before.matches('\n').count().saturating_add(1),
            line,
            what: change.is_constant.then(|| replaced.to_owned()),
            with: change.with,
        })
    };
    Ok(changes.into_iter().filter_map(mutant).collect())
}

/// What is wrong with these mutants of a file passing: none of them may, except those that are recorded as harmless, and all of these do.
pub fn objections(proofs: &Proofs, file: &str, passing: &[&Mutant]) -> Vec<String> {
    let harmless = || proofs.harmless.iter().filter(|harmless| harmless.file == file);
    let is_it = |harmless: &Harmless, mutant: &Mutant| harmless.line == mutant.line && harmless.what == mutant.what;
    let unknown = passing
        .iter()
        .filter(|mutant| !harmless().any(|harmless| is_it(harmless, mutant)))
        .map(|mutant| format!("{file} passes with {}", mutant.describe()));
    let needless =
        harmless().filter(|harmless| !passing.iter().any(|mutant| is_it(harmless, mutant))).map(|harmless| {
            format!("`{}`: {:?} is recorded as harmless, and no change of it passes", harmless.line, harmless.what)
        });
    unknown.chain(needless).collect()
}

struct Change {
    range: Range<usize>,
    is_constant: bool,
    with: String,
}

/// The mutants of a part that starts at this byte of the whole text.
fn changes(text: &str, offset: usize) -> Result<Vec<Change>, String> {
    let joined = |errors: Vec<full_moon::Error>| errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
    let ast = full_moon::parse(text).map_err(joined)?;
    let mut finder = Finder { offset, changes: Vec::new() };
    finder.visit_ast(&ast);
    Ok(finder.changes)
}

struct Finder {
    offset: usize,
    changes: Vec<Change>,
}

impl Finder {
    fn range(&self, node: &impl Node) -> Option<Range<usize>> {
        let (start, end) = (node.start_position()?.bytes(), node.end_position()?.bytes());
        Some(start.saturating_add(self.offset)..end.saturating_add(self.offset))
    }

    fn delete(&mut self, node: &impl Node) {
        if let Some(range) = self.range(node) {
            self.changes.push(Change { range, is_constant: false, with: String::new() });
        }
    }

    fn replace(&mut self, token: &Token, with: String) {
        let (start, end) = (token.start_position().bytes(), token.end_position().bytes());
        let range = start.saturating_add(self.offset)..end.saturating_add(self.offset);
        self.changes.push(Change { range, is_constant: true, with });
    }
}

impl Visitor for Finder {
    fn visit_stmt(&mut self, statement: &Stmt) {
        self.delete(statement);
    }

    fn visit_last_stmt(&mut self, statement: &LastStmt) {
        self.delete(statement);
    }

    fn visit_number(&mut self, token: &Token) {
        let TokenType::Number { text } = token.token_type() else { return };
        let Ok(number) = text.parse::<f64>() else { return };
        let mut others = vec![0.0, number + 1.0, number * 100.0, (number / 100.0).floor()];
        others.retain(|other| *other != number);
        others.sort_by(f64::total_cmp);
        others.dedup();
        others.into_iter().for_each(|other| self.replace(token, other.to_string()));
    }

    fn visit_string_literal(&mut self, token: &Token) {
        let TokenType::StringLiteral { literal, .. } = token.token_type() else { return };
        ["''", "'other'"].into_iter().for_each(|other| self.replace(token, other.to_owned()));
        if !literal.contains("redis.") {
            return;
        }
        // The text of a script is mutated too. A long string has no escapes.
        let length = token.end_position().bytes().saturating_sub(token.start_position().bytes());
        let bracket = length.saturating_sub(literal.len()) / 2;
        let start = token.start_position().bytes().saturating_add(bracket).saturating_add(self.offset);
        self.changes.extend(changes(literal, start).unwrap_or_default());
    }

    fn visit_symbol(&mut self, token: &Token) {
        let TokenType::Symbol { symbol } = token.token_type() else { return };
        match symbol {
            Symbol::True => self.replace(token, "false".to_owned()),
            Symbol::False | Symbol::Nil => self.replace(token, "true".to_owned()),
            _ => {}
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::of;

    #[test]
    fn every_statement_and_every_constant_is_changed_once_in_each_way() {
        let text = "function f()\n  local n = redis.call('GET', 'k')\n  if n then\n    return true\n  end\nend\n";
        let mutants: Vec<String> = of(text).unwrap().iter().map(|mutant| mutant.describe()).collect();
        let expected = [
            "line 1, `function f()`: deleted",
            "line 2, `local n = redis.call('GET', 'k')`: deleted",
            "line 2, `local n = redis.call('GET', 'k')`: 'GET' → ''",
            "line 2, `local n = redis.call('GET', 'k')`: 'GET' → 'other'",
            "line 2, `local n = redis.call('GET', 'k')`: 'k' → ''",
            "line 2, `local n = redis.call('GET', 'k')`: 'k' → 'other'",
            "line 3, `if n then`: deleted",
            "line 4, `return true`: deleted",
            "line 4, `return true`: true → false",
        ];
        assert_eq!(mutants, expected);
        let deleted = of(text).unwrap().into_iter().find(|mutant| mutant.number == 3).unwrap();
        assert_eq!(deleted.text, "function f()\n  local n = redis.call('GET', 'k')\n  \n\n\nend\n");
    }

    #[test]
    fn numbers_are_replaced_by_zero_and_other_magnitudes() {
        let with: Vec<String> = of("sleep(500)").unwrap().into_iter().map(|mutant| mutant.with).collect();
        assert_eq!(with, ["", "0", "5", "501", "50000"]);
    }

    #[test]
    fn scripts_in_long_strings_are_changed_inside() {
        let text = "local S = [==[\nredis.call('DEL', KEYS[1])\nreturn 1\n]==]\nf(S)\n";
        let mutants = of(text).unwrap();
        let inside = mutants.iter().find(|mutant| mutant.number == 2 && mutant.what.is_none()).unwrap();
        assert_eq!(inside.text, "local S = [==[\n\nreturn 1\n]==]\nf(S)\n");
        let one = mutants.iter().find(|mutant| mutant.number == 3 && mutant.with == "2").unwrap();
        assert_eq!(one.text, text.replace("return 1", "return 2"));
    }

    #[test]
    fn invalid_lua_is_an_error() {
        assert!(of("function f(").is_err());
    }
}
