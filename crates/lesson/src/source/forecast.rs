//! *Forecast* tasks in a lesson's source: the rows and their expected results.
use super::Mistake;
use super::text;
use super::toml_file::{LessonToml, Lines, RowToml, TaskToml};
use crate::lesson::forecast::{FATES, Row};
use crate::{LANGUAGES, TaskKind};
use std::collections::BTreeSet;

/// Checks the rows: keys and titles are unique, and the expected results are not the same for all rows.
pub fn check(toml: &LessonToml, lines: &Lines, faults: &mut Vec<Mistake>) {
    for rows in toml.tasks.iter().filter_map(|task| task.rows.as_ref()) {
        let (span, rows) = (rows.span(), rows.as_ref());
        if rows.len() < 2 {
            faults.push(lines.fault(span, "a table to forecast has at least two rows"));
        } else if rows.iter().all(|row| rows.first().is_some_and(|first| expected(first) == expected(row))) {
            faults.push(lines.fault(span, "all rows expect the same: there is nothing to tell apart"));
        }
        let mut keys = BTreeSet::new();
        for row in rows {
            if !keys.insert(row.key.as_ref()) {
                faults.push(lines.fault(row.key.span(), format!("there is a row `{}` already", row.key.as_ref())));
            }
            check_row(row, lines, faults);
        }
        for language in 0..LANGUAGES.len() {
            let mut titles = BTreeSet::new();
            for row in rows.iter().filter(|row| !titles.insert(row.title.of(language))).collect::<Vec<_>>() {
                let what = format!("another row has this title already: {}", row.title.of(language));
                faults.push(lines.fault(row.key.span(), what));
            }
        }
    }
}

fn check_row(row: &RowToml, lines: &Lines, faults: &mut Vec<Mistake>) {
    for what in (0..LANGUAGES.len()).filter_map(|language| text::line(row.title.of(language)).err()) {
        faults.push(lines.fault(row.key.span(), what));
    }
    for (number, fate) in row.expect.iter().enumerate() {
        if !FATES.contains(&fate.as_ref().as_str()) {
            let what = format!("messages are {}, not `{}`", FATES.join(", "), fate.as_ref());
            faults.push(lines.fault(fate.span(), what));
        } else if row.expect.iter().take(number).any(|earlier| earlier.as_ref() == fate.as_ref()) {
            faults.push(lines.fault(fate.span(), format!("`{}` is expected already", fate.as_ref())));
        }
    }
}

fn expected(row: &RowToml) -> [bool; FATES.len()] {
    FATES.map(|fate| row.expect.iter().any(|expected| expected.as_ref() == fate))
}

/// The task in one of the languages.
pub fn forecast(task: &TaskToml, language: usize) -> TaskKind {
    let compiled = |row: &RowToml| Row {
        key: row.key.as_ref().clone(),
        title: text::line(row.title.of(language)).unwrap_or_default(),
        expect: expected(row),
    };
    TaskKind::Forecast {
        inputs: task.inputs.as_ref().map(|inputs| inputs.as_ref().clone()).unwrap_or_default(),
        rows: task.rows.iter().flat_map(|rows| rows.as_ref()).map(compiled).collect(),
    }
}
