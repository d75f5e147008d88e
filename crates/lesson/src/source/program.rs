//! Programs: Lua with comments in both languages; a compiled lesson keeps those of one language.
use super::Mistake;
use crate::repair::FRAME_MARK;
use std::path::Path;

/// Prefixes of comment lines, in the order of [`crate::LANGUAGES`].
const MARKS: [&str; 2] = ["-- en: ", "-- zh: "];

/// The program with the comments of each language; line numbers are the same in both.
pub fn read(path: &Path, text: &str, faults: &mut Vec<Mistake>) -> [String; 2] {
    let mut reader =
        ProgramReader { path, faults, programs: [String::new(), String::new()], comment: [Vec::new(), Vec::new()] };
    for (index, line) in text.lines().enumerate() {
        reader.line(index.saturating_add(1), line);
    }
    let last = text.lines().count();
    if reader.comment.iter().any(|lines| !lines.is_empty()) {
        reader.fault(last, "a program does not end with a comment");
    }
    if !MARKS.first().is_some_and(|mark| text.starts_with(mark)) {
        reader.fault(1, "a program begins with a comment that says what it is: `-- en: …`, then `-- zh: …`");
    }
    reader.programs
}

struct ProgramReader<'a> {
    path: &'a Path,
    faults: &'a mut Vec<Mistake>,
    programs: [String; 2],
    /// Lines of the current comment.
    comment: [Vec<String>; 2],
}

impl ProgramReader<'_> {
    fn fault(&mut self, line: usize, what: &str) {
        self.faults.push(Mistake { path: self.path.to_path_buf(), line, what: what.to_owned() });
    }

    fn line(&mut self, number: usize, line: &str) {
        let code = line.trim_start();
        let indent = line.strip_suffix(code).unwrap_or_default();
        let said =
            MARKS.iter().zip(&mut self.comment).find_map(|(mark, comment)| Some((code.strip_prefix(mark)?, comment)));
        if let Some((said, comment)) = said {
            comment.push(format!("{indent}-- {said}\n"));
            return;
        }
        if code.starts_with("--") && code.trim_end() != FRAME_MARK {
            self.fault(number, "a line of a comment begins with `-- en: ` or `-- zh: `");
        } else if code.contains(" -- ") {
            self.fault(number, "a comment stands on lines of its own");
        }
        let comment = std::mem::take(&mut self.comment);
        let [english, chinese] = &comment;
        if english.len() != chinese.len() {
            self.fault(
                number.saturating_sub(1),
                "a comment has as many lines in English (`-- en: `) as in Chinese (`-- zh: `)",
            );
        }
        for (program, comment) in self.programs.iter_mut().zip(&comment) {
            program.extend(comment.iter().map(String::as_str).chain([line, "\n"]));
        }
    }
}
