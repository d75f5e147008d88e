//! Prints answers like the `mysql` client.
//!
//! The width of a column is the byte length of its longest text, but texts are padded by their display width: Chinese text gets wide
//! columns, and all borders are aligned. Source: `print_table_data` and `com_go` in `client/mysql.cc` of MySQL and MariaDB, and the client
//! itself.
use crate::answer::{Answer, Cell, Failure, Info, Rows};
use crate::error::{join, lossy};

/// Display width of a character on a terminal: two for East Asian wide characters. Source: Unicode Standard Annex 11, the ranges that
/// are entirely wide.
fn width(character: char) -> usize {
    match u32::from(character) {
        0x1100..=0x115f
        | 0x2e80..=0xa4cf
        | 0xac00..=0xd7a3
        | 0xf900..=0xfaff
        | 0xfe30..=0xfe6f
        | 0xff00..=0xff60
        | 0xffe0..=0xffe6
        | 0x1f300..=0x1faff
        | 0x20000..=0x3fffd => 2,
        _ => 1,
    }
}

/// Display width of a text on a terminal: two columns per Chinese character.
pub fn text_width(text: &str) -> usize {
    text.chars().map(width).sum()
}

fn push_padded(line: &mut String, text: &str, column: usize, at_right: bool) {
    let padding = column.saturating_sub(text_width(text));
    let spaces = |line: &mut String, count: usize| line.extend(std::iter::repeat_n(' ', count));
    spaces(line, if at_right { padding } else { 0 });
    line.push_str(text);
    spaces(line, if at_right { 0 } else { padding });
}

fn table(rows: &Rows) -> String {
    let cells = |row: &[Cell]| row.iter().map(|cell| lossy(&cell.to_text())).collect::<Vec<String>>();
    let names: Vec<String> = rows.columns.iter().map(|column| lossy(&column.name)).collect();
    let lines: Vec<Vec<String>> = rows.rows.iter().map(|row| cells(row)).collect();
    let widths: Vec<usize> = rows
        .columns
        .iter()
        .enumerate()
        .map(|(at, column)| {
            let of_cells = lines.iter().filter_map(|line| line.get(at)).map(String::len).max();
            let least = if column.is_nullable { 4 } else { 0 };
            names.get(at).map_or(0, String::len).max(of_cells.unwrap_or(0)).max(least)
        })
        .collect();
    let mut border = String::from("+");
    for width in &widths {
        border.extend(std::iter::repeat_n('-', width.saturating_add(2)));
        border.push('+');
    }
    border.push('\n');
    let mut text = border.clone();
    let mut push_line = |line: &[String], is_head: bool, rows: &Rows| {
        text.push('|');
        for ((cell, width), column) in line.iter().zip(&widths).zip(&rows.columns) {
            text.push(' ');
            push_padded(&mut text, cell, *width, column.is_numeric && !is_head);
            text.push_str(" |");
        }
        text.push('\n');
        if is_head {
            text.push_str(&border);
        }
    };
    push_line(&names, true, rows);
    for line in &lines {
        push_line(line, false, rows);
    }
    text.push_str(&border);
    text
}

fn counted(count: u64, one: &str, many: &str) -> String {
    join(&[&count.to_string(), " ", if count == 1 { one } else { many }])
}

/// `(0.05 sec)`
fn seconds(elapsed_ms: u64) -> String {
    let hundredths = elapsed_ms.saturating_add(5) / 10;
    let rest = (hundredths % 100).to_string();
    join(&[" (", &(hundredths / 100).to_string(), if rest.len() == 1 { ".0" } else { "." }, &rest, " sec)\n"])
}

impl Failure {
    /// `ERROR 1062 (23000): Duplicate entry …`
    pub fn print(&self) -> String {
        join(&["ERROR ", &self.text(), "\n"])
    }
}

impl Answer {
    /// The output of the `mysql` client with a final newline, but without the empty line that the client adds. `elapsed_ms`: the duration
    /// of the statement.
    pub fn print(&self, elapsed_ms: u64) -> String {
        match self {
            Answer::Failed(failure) => failure.print(),
            Answer::Rows(rows) if rows.rows.is_empty() => join(&["Empty set", &seconds(elapsed_ms)]),
            Answer::Rows(rows) => {
                let count = u64::try_from(rows.rows.len()).unwrap_or(u64::MAX);
                join(&[&table(rows), &counted(count, "row in set", "rows in set"), &seconds(elapsed_ms)])
            }
            Answer::Done(done) => {
                let warnings = match done.warnings {
                    0 => String::new(),
                    count => join(&[", ", &counted(count, "warning", "warnings")]),
                };
                let rows = counted(done.affected, "row affected", "rows affected");
                let mut text = join(&["Query OK, ", &rows, &warnings, &seconds(elapsed_ms)]);
                let (first, a, second, b) = match done.info {
                    Info::None => return text,
                    Info::Updated { matched, changed } => ("Rows matched: ", matched, "  Changed: ", changed),
                    Info::Inserted { records, duplicates } => ("Records: ", records, "  Duplicates: ", duplicates),
                };
                let numbers = [a, b, done.warnings].map(|number| number.to_string());
                let [a, b, warnings] = &numbers;
                text.push_str(&join(&[first, a, second, b, "  Warnings: ", warnings, "\n"]));
                text
            }
        }
    }
}
