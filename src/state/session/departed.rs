//! The clients that have left a session: a recording ends without any, and what they did must stay readable.
use world::{ClientIndex, Input, Step, StepId, Timeline};

use super::Session;
use crate::state::followed::{Derive, Followed};

/// The steps of the active path in which a client left, oldest first.
#[derive(Debug, Default)]
struct Leaving(Vec<(usize, ClientIndex)>);

impl Derive for Leaving {
    type Context = ();
    /// How many have left.
    type Checkpoint = usize;

    fn take(&mut self, position: usize, _: StepId, step: &Step, (): &()) {
        if let Input::Disconnect { client } = step.input {
            self.0.push((position, client));
        }
    }

    fn checkpoint(&self) -> usize {
        self.0.len()
    }

    fn go_back(&mut self, checkpoint: &usize) {
        self.0.truncate(*checkpoint);
    }
}

/// Follows a timeline, so that one more step costs the same in a session of any length.
#[derive(Debug, Default)]
pub struct Departures(Followed<Leaving>);

impl Departures {
    /// Brings it up to date with the timeline.
    #[inline(never)]
    pub fn follow(&mut self, timeline: &Timeline) {
        self.0.follow(timeline, ());
    }

    /// The clients that have left before the cursor and are not back, the last one first, each with the number of the step in which it left.
    #[inline(never)]
    pub fn at_cursor(&self, session: &Session) -> Vec<(ClientIndex, usize)> {
        let position = session.timeline().position();
        let mut found: Vec<(ClientIndex, usize)> = Vec::new();
        for (at, client) in self.0.0.iter().rev().filter(|(at, _)| *at <= position) {
            let is_new = session.world().client(*client).is_none() && found.iter().all(|(other, _)| other != client);
            if is_new {
                found.push((*client, session.stops_until(*at)));
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use world::{Input, Settings, Timeline};

    use super::Departures;
    use crate::state::session::Session;

    #[test]
    fn clients_that_left_are_listed_until_they_are_back() {
        let mut timeline = Timeline::new(Settings::default());
        let ping = |client| Input::Command { client, argv: vec!["PING".into()] };
        let inputs = [
            Input::Connect { client: 0, name: "a".into() },
            Input::Connect { client: 1, name: "b".into() },
            ping(0),
            Input::Disconnect { client: 0 },
            ping(1),
            Input::Disconnect { client: 1 },
            Input::Connect { client: 0, name: "c".into() },
        ];
        for input in inputs {
            timeline.push(input).unwrap();
        }
        let mut departures = Departures::default();
        let mut at = |position: usize| {
            let mut timeline = timeline.clone();
            timeline.seek(position);
            let session = Session::of(timeline);
            departures.follow(session.timeline());
            departures.at_cursor(&session).into_iter().map(|(client, _)| client).collect::<Vec<_>>()
        };
        assert_eq!([at(3), at(4), at(6), at(7), at(2)], [vec![], vec![0], vec![1, 0], vec![1], vec![]]);
    }
}
