//! `Outcome`: which claims hold at the end of a session, and what its clients were replied.
use resp::cli;

use super::{Claim, Record};
use crate::{EventKind, Timeline};

/// What came of a session. Two programs with equal outcomes cannot be told apart by its claims and replies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// For each claim: does it hold at the end?
    pub holds: Vec<bool>,
    /// The replies in order, each with the client's name and the text that redis-cli prints.
    pub replies: Vec<(String, String)>,
}

impl Outcome {
    /// The outcome of the steps after the first `before` of a timeline.
    pub fn of(claims: &[Claim], timeline: &Timeline, before: usize) -> Outcome {
        let world = timeline.world();
        let steps = || timeline.steps_from(before).map(|(_, step)| step.as_ref());
        let reply = |event: &EventKind| match event {
            EventKind::Reply { client, value, protocol } => {
                let (_, found) = world.clients().find(|(index, _)| index == client)?;
                Some((found.name.to_string(), cli::text(value, *protocol)))
            }
            _ => None,
        };
        Outcome {
            holds: Record::of(claims, steps()).holds(claims, world, usize::MAX),
            replies: steps().flat_map(|step| &step.events).filter_map(|event| reply(&event.kind)).collect(),
        }
    }

    /// Whether both came of programs that do the same: equal, apart from the place in the program that an error names.
    pub fn is_like(&self, other: &Outcome) -> bool {
        let replies = |outcome: &Outcome| -> Vec<(String, String)> {
            outcome.replies.iter().map(|(client, text)| (client.clone(), without_place(text))).collect()
        };
        self.holds == other.holds && replies(self) == replies(other)
    }

    /// Whether every claim holds.
    pub fn has_passed(&self) -> bool {
        self.holds.iter().all(|holds| *holds)
    }
}

/// A reply without the script and the line that an error of a script names: ` script: 994a…, on @user_script:3.`, `user_script:3: `.
fn without_place(text: &str) -> String {
    if !text.starts_with("(error)") {
        return text.to_owned();
    }
    let text = text.split_once(" script: ").map_or(text, |(before, _)| before);
    let mut parts = text.split("user_script:");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + "user_script:" + part.trim_start_matches(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Engines;

    #[test]
    fn outcome_has_claims_and_replies_after_the_beginning() {
        let text = "lockstep 1\n\n+ c1 1\nc1> SET n 1\nc1> INCR n\nc1> GET n\nend 4 at 4 of 4\n";
        let timeline = Timeline::from_text(text, &Engines::default()).unwrap();
        let claims =
            ["reply c1 is '\"2\"'", "ask 'GET n' in 3 4", "at-most 2"].map(|text| Claim::from_text(text).unwrap());
        let outcome = Outcome::of(&claims, &timeline, 2);
        assert_eq!(outcome.holds, [true, false, true]);
        let replies = [("c1", "(integer) 2"), ("c1", "\"2\"")];
        assert_eq!(outcome.replies, replies.map(|(client, text)| (client.to_owned(), text.to_owned())));
        assert!(!outcome.has_passed() && Outcome::of(&claims[..1], &timeline, 2).has_passed());
        assert_ne!(outcome, Outcome::of(&claims, &timeline, 1));
    }

    #[test]
    fn outcomes_are_alike_if_only_the_place_of_an_error_differs() {
        let of = |text: &str| Outcome { holds: vec![false], replies: vec![("c1".to_owned(), text.to_owned())] };
        let one = of("(error) WRONGTYPE Operation script: 994a, on @user_script:3.");
        assert!(one.is_like(&of("(error) WRONGTYPE Operation script: 8481, on @user_script:12.")));
        assert!(of("(error) ERR user_script:3: bad").is_like(&of("(error) ERR user_script:14: bad")));
        assert!(!of("(error) ERR user_script:3: bad").is_like(&of("(error) ERR user_script:3: worse")));
        assert!(!of("\"a script: b\"").is_like(&of("\"a script: c\"")), "only errors name a place");
        let other = Outcome { holds: vec![true], ..one.clone() };
        assert!(!one.is_like(&other));
    }
}
