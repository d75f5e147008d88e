//! Checks a table to forecast: the ledger has exactly these keys, with the counts that the lesson expects.
use lesson::Row;
use lesson::forecast::FATES;
use world::{KeySums, Ledger};

/// Compares rows with the ledger after the script. Returns the measured counts, one line per row, and the mistakes.
pub fn measure(task: &str, rows: &[Row], ledger: &Ledger) -> (Vec<String>, Vec<String>) {
    let sums = ledger.by_key(usize::MAX).unwrap_or_default();
    let (mut lines, mut faults) = (vec![format!("task {task}: forecast, {} rows", rows.len())], Vec::new());
    for row in rows {
        let Some(sums) = sums.iter().find(|sums| sums.key == row.key.as_bytes()) else {
            faults.push(format!("no message was produced with the key `{}`", row.key));
            continue;
        };
        let KeySums { produced, processed, repeated, disordered, .. } = sums;
        let counts = [sums.open(), *repeated, *disordered];
        let fates: Vec<String> = FATES.iter().zip(counts).map(|(fate, count)| format!("{count} {fate}")).collect();
        let fates = fates.join(", ");
        lines.push(format!("  {}: {produced} produced, {processed} processed, {fates}", row.key));
        if counts.map(|count| count > 0) != row.expect {
            let expected = FATES.iter().zip(row.expect).filter(|(_, is_expected)| *is_expected).map(|(fate, _)| fate);
            faults.push(format!("`{}` expects {:?}; the ledger has {fates}", row.key, expected.collect::<Vec<_>>()));
        }
    }
    for key in sums.iter().map(|sums| String::from_utf8_lossy(&sums.key)) {
        if !rows.iter().any(|row| row.key == key) {
            faults.push(format!("messages were produced with the key `{key}`, which has no row"));
        }
    }
    (lines, faults)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One message each is lost, processed twice and late; the fourth key has no such message.
    fn ledger() -> Ledger {
        let mut ledger = Ledger::default();
        let produced = [("l1", "list"), ("s1", "stream"), ("z1", "set"), ("z2", "set"), ("k1", "key")];
        for (id, key) in produced {
            ledger.produce(&id.into(), Some(&key.into()));
        }
        for id in ["s1", "s1", "z2", "z1", "k1"] {
            ledger.process(&id.into());
        }
        ledger
    }

    fn row(key: &str, expect: [bool; 3]) -> Row {
        Row { key: key.into(), expect, ..Row::default() }
    }

    fn rows() -> [Row; 4] {
        let none = [false; 3];
        let lost = [true, false, false];
        let (repeated, disordered) = ([false, true, false], [false, false, true]);
        [row("list", lost), row("stream", repeated), row("set", disordered), row("key", none)]
    }

    #[test]
    fn rows_that_match_the_ledger_pass() {
        let (lines, faults) = measure("table", &rows(), &ledger());
        assert_eq!(faults, [""; 0]);
        let expected = [
            "task table: forecast, 4 rows",
            "  list: 1 produced, 0 processed, 1 lost, 0 repeated, 0 disordered",
            "  stream: 1 produced, 1 processed, 0 lost, 1 repeated, 0 disordered",
            "  set: 2 produced, 2 processed, 0 lost, 0 repeated, 1 disordered",
            "  key: 1 produced, 1 processed, 0 lost, 0 repeated, 0 disordered",
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn every_wrong_cell_is_reported() {
        for (at, cell) in (0..4).flat_map(|at| (0..3).map(move |cell| (at, cell))) {
            let mut rows = rows();
            rows[at].expect[cell] ^= true;
            let (_, faults) = measure("table", &rows, &ledger());
            let expected = format!("`{}` expects ", rows[at].key);
            assert!(faults.len() == 1 && faults[0].starts_with(&expected), "{at} {cell}: {faults:?}");
        }
    }

    #[test]
    fn missing_and_extra_keys_are_reported() {
        let [list, stream, set, _] = rows();
        let (_, faults) = measure("table", &[list, stream, set, row("lists", [false; 3])], &ledger());
        let expected = [
            "no message was produced with the key `lists`",
            "messages were produced with the key `key`, which has no row",
        ];
        assert_eq!(faults, expected);
    }
}
