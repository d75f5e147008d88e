//! A table that a learner forecasts: the same script is played, and the ledger gives the figures of each row.
use lesson::forecast::FATES;
use lesson::{Lesson, Row};
use world::{Engines, Ledger, Timeline};

/// For each row, how many messages met each of [`FATES`].
pub type Figures = Vec<[u64; FATES.len()]>;

/// The number of a cell among the tick boxes, counted row by row.
pub const fn cell(row: usize, column: usize) -> usize {
    row.saturating_mul(FATES.len()).saturating_add(column)
}

/// The right answer for each cell.
pub fn answers(rows: &[Row]) -> impl Iterator<Item = bool> {
    rows.iter().flat_map(|row| row.expect)
}

/// Plays a script from the start of a lesson; `None` if a line cannot be played or programs cannot run.
pub fn played(lesson: &Lesson, inputs: &[String], engines: &Engines) -> Option<Timeline> {
    super::lesson::after(lesson, inputs, engines).ok().filter(|_| engines.programs.is_installed())
}

/// The ledger's figures of each row; `None` if the ledger does not know a row.
pub fn figures(rows: &[Row], ledger: &Ledger) -> Option<Figures> {
    let sums = ledger.by_key(usize::MAX)?;
    let row = |row: &Row| {
        let sums = sums.iter().find(|sums| sums.key == row.key.as_bytes())?;
        Some([sums.open(), sums.repeated, sums.disordered])
    };
    rows.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use lesson::{ClientGroup, Program};

    use super::*;
    use crate::state::choice::Ticks;

    /// A list loses an order when its consumer crashes; an order on a stream is processed twice, and late.
    const PROGRAM: &str = "
for id = 1, 3 do produced('list:' .. id, 'list') produced('stream:' .. id, 'stream') end
processed('list:1') processed('list:2')
processed('stream:2') processed('stream:1') processed('stream:1') processed('stream:3')
sleep(1)";

    fn lesson() -> Lesson {
        Lesson {
            programs: vec![Program { name: "both".into(), text: PROGRAM.into() }],
            clients: vec![ClientGroup { name: "c".into(), program: "both".into(), count: 1 }],
            ..Lesson::default()
        }
    }

    fn rows() -> [Row; 2] {
        let row = |key: &str, expect| Row { key: key.into(), expect, ..Row::default() };
        [row("stream", [false, true, true]), row("list", [true, false, false])]
    }

    #[test]
    fn figures_are_those_of_the_ledger_after_the_script() {
        let engines = Engines::new(lua_machine::LuaMachine::new(), lua_machine::LuaPlayer::new());
        let timeline = played(&lesson(), &["c1< crash".into()], &engines).unwrap();
        let figures_of = |rows: &[Row]| figures(rows, timeline.world().watch().ledger());
        assert_eq!(figures_of(&rows()), Some(vec![[0, 1, 1], [1, 0, 0]]));
        assert_eq!(figures_of(&[Row { key: "lists".into(), ..Row::default() }]), None);
        assert!(played(&lesson(), &["c9< crash".into()], &engines).is_none());
        assert!(played(&lesson(), &[], &Engines::default()).is_none());
    }

    #[test]
    fn cells_and_answers_are_counted_row_by_row() {
        let right = [cell(0, 1), cell(0, 2), cell(1, 0)];
        let ticks = right.iter().fold(Ticks::default(), |ticks, cell| ticks.toggled(*cell));
        assert!(ticks.are_right(answers(&rows())));
        let one_off = ticks.toggled(cell(1, 2));
        assert_eq!(one_off.right_count(answers(&rows())), 5);
    }
}
