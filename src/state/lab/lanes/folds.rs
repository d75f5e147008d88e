//! What a library sends right after it has connected says nothing about the program: these rows are folded into one.
use std::ops::RangeInclusive;

use bytes::Bytes;
use redis_model::sorted_map::SortedMap;
use world::{ClientIndex, Input, Timeline};

use super::{Diagram, Shown};

/// Consecutive rows with the first commands of a connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fold {
    /// Their indexes in [`Diagram::rows`].
    pub rows: RangeInclusive<usize>,
    /// The client that connects.
    pub client: ClientIndex,
    /// How many commands it sends for that, at least two.
    pub commands: usize,
}

/// Whether a library sends this command by itself to set up a connection.
fn sets_up(argv: &[Bytes]) -> bool {
    let is = |at: usize, word: &[u8]| argv.get(at).is_some_and(|found| found.eq_ignore_ascii_case(word));
    let is_about_client = is(0, b"CLIENT") && (is(1, b"SETINFO") || is(1, b"SETNAME"));
    is_about_client || is(0, b"HELLO") || is(0, b"AUTH") || is(0, b"SELECT")
}

impl Diagram {
    /// The rows that can be folded, first ones first.
    pub fn folds(&self, timeline: &Timeline) -> Vec<Fold> {
        let mut folds: Vec<Fold> = Vec::new();
        // The clients that have used their connection for anything else.
        let mut used = SortedMap::<ClientIndex, ()>::default();
        let mut open: Option<Fold> = None;
        let mut row = 0;
        for (position, (_, step)) in (1..).zip(timeline.steps_from(0)) {
            let is_row = self.rows.get(row).is_some_and(|found| found.position == position);
            match &step.input {
                Input::Command { client, argv } if is_row && sets_up(argv) && !used.contains_key(client) => {
                    match &mut open {
                        Some(fold) if fold.client == *client => {
                            fold.rows = *fold.rows.start()..=row;
                            fold.commands = fold.commands.saturating_add(1);
                        }
                        _ => {
                            let next = Fold { rows: row..=row, client: *client, commands: 1 };
                            folds.extend(open.replace(next));
                        }
                    }
                }
                Input::Connect { client, .. } | Input::Disconnect { client } => {
                    used.remove(client);
                    if is_row || open.as_ref().is_some_and(|fold| fold.client == *client) {
                        folds.extend(open.take());
                    }
                }
                // Time passes between two commands of a recording.
                Input::Advance { .. } if Timeline::is_quiet(step) => {}
                input => {
                    folds.extend(open.take());
                    if let Input::Command { client, .. } = input {
                        used.insert(*client, ());
                    }
                }
            }
            row = row.saturating_add(usize::from(is_row));
        }
        folds.extend(open);
        folds.retain(|fold| fold.commands > 1);
        folds
    }
}

impl Shown {
    /// With these rows folded: of each fold the first row that was drawn is left, one line high.
    pub fn folded(&self, folds: Vec<Fold>) -> Shown {
        let mut shown = Shown::default();
        let mut top = 0u32;
        let mut left = folds.iter().peekable();
        let mut last = None;
        for (row, lines) in self.rows.iter().zip(self.tops.windows(2)) {
            while left.next_if(|fold| fold.rows.end() < row).is_some() {}
            let fold = left.peek().filter(|fold| fold.rows.contains(row));
            let start = fold.map(|fold| *fold.rows.start());
            if start.is_some() && start == last {
                continue;
            }
            last = start;
            let height = match (fold, lines) {
                (Some(_), _) => 1,
                (None, [from, to]) => to.saturating_sub(*from),
                (None, _) => 0,
            };
            shown.rows.push(*row);
            shown.tops.push(top);
            top = top.saturating_add(height);
        }
        shown.tops.push(top);
        shown.folds = folds;
        shown
    }

    /// The fold that the row of the picture with this index stands for.
    pub fn fold(&self, row: usize) -> Option<&Fold> {
        let at = self.folds.partition_point(|fold| *fold.rows.end() < row);
        self.folds.get(at).filter(|fold| fold.rows.contains(&row))
    }
}

#[cfg(test)]
mod tests {
    use world::{Input, Settings, Timeline};

    use super::{Fold, Shown};
    use crate::state::lab::lanes::Picture;

    fn timeline(lines: &[&str]) -> Timeline {
        let mut timeline = Timeline::new(Settings::default());
        for line in lines {
            let input = match line.split_once(' ') {
                Some(("+", client)) => Input::Connect { client: client.parse().unwrap(), name: format!("n{client}") },
                Some(("-", client)) => Input::Disconnect { client: client.parse().unwrap() },
                Some(("@", ms)) => Input::Advance { ms: ms.parse().unwrap() },
                Some((client, line)) => Input::Command {
                    client: client.parse().unwrap(),
                    argv: resp::split::split(line.as_bytes()).unwrap(),
                },
                None => panic!("{line}"),
            };
            timeline.push(input).unwrap();
        }
        timeline
    }

    fn folds(lines: &[&str]) -> (Vec<Fold>, Shown, Shown) {
        let timeline = timeline(lines);
        let mut picture = Picture::default();
        picture.follow(&timeline, 0);
        let folds = picture.folds(&timeline);
        let shown = picture.shown(&[0, 1]);
        (folds.clone(), shown.clone(), shown.folded(folds))
    }

    #[test]
    fn first_commands_of_a_connection_are_folded() {
        let lines = ["+ 0", "0 HELLO 3", "@ 2", "0 client setinfo lib-name x", "0 SELECT 1", "0 SET a 1", "0 SELECT 2"];
        let (folds, shown, folded) = folds(&lines);
        assert_eq!(folds, [Fold { rows: 0..=3, client: 0, commands: 3 }]);
        assert_eq!(folded.rows.len() + 3, shown.rows.len());
        assert!(folded.lines() < shown.lines());
        let head = folded.rows.iter().position(|row| *row == 0).unwrap();
        assert_eq!(folded.tops[head + 1] - folded.tops[head], 1);
        assert_eq!(folded.fold(0).map(|fold| fold.commands), Some(3));
        assert_eq!(folded.fold(4), None);
        // A row inside is shown where the fold is.
        assert_eq!(folded.place(3), Some(head));
    }

    #[test]
    fn what_is_no_handshake_is_not_folded() {
        for lines in [
            // One command alone.
            &["+ 0", "0 HELLO 3", "0 SET a 1"][..],
            // Two clients in turn.
            &["+ 0", "+ 1", "0 HELLO 3", "1 HELLO 3", "0 SELECT 1", "1 SELECT 1"],
            // After the first command of the program.
            &["+ 0", "0 PING", "0 SELECT 1", "0 SELECT 2"],
        ] {
            let (folds, shown, folded) = folds(lines);
            assert_eq!(folds, [], "{lines:?}");
            assert_eq!(folded, shown);
        }
        let again = folds(&["+ 0", "0 PING", "- 0", "+ 0", "0 AUTH p", "0 HELLO 2"]).0;
        assert_eq!(again, [Fold { rows: 1..=2, client: 0, commands: 2 }]);
    }
}
