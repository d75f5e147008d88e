//! Runs a world forward automatically: threads take turns, and time advances when no thread is ready.
//!
//! A run depends on the world alone, so its inputs can be put into the timeline one by one and inspected afterwards like a learner's own.
use script::program::{Request, Thread};
use world::{Act, ClientIndex, EventKind, Input, Phase, World};

/// Most inputs of a run, except one for a time.
pub const INPUTS_MAX: usize = 1_000;
/// Most inputs of a run for a time: more, because it can be watched and stopped.
pub const TIMED_INPUTS_MAX: usize = 10_000;

/// How far to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Until all programs have ended.
    End,
    /// Until this client is about to send its next command.
    Request(ClientIndex),
    /// For this many ms of the world's clock.
    Time(u64),
}

impl Goal {
    /// The most inputs of a run with this goal.
    pub fn inputs_max(self) -> usize {
        match self {
            Goal::Time(_) => TIMED_INPUTS_MAX,
            Goal::End | Goal::Request(_) => INPUTS_MAX,
        }
    }
}

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It reached its goal.
    There,
    /// A property was broken.
    Broken,
    /// No thread is ready, and advancing time changes nothing.
    Stuck,
    /// All programs have ended.
    Over,
    /// It reached this limit of inputs.
    TooLong(usize),
}

/// The next input when threads take turns; `last` is the thread that ran before.
pub fn next(world: &World, last: Option<(ClientIndex, Thread)>) -> Option<Input> {
    let is_later = |input: &Input| match input {
        Input::Program { client, act: Act::Step { thread } } => Some((*client, *thread)) > last,
        _ => false,
    };
    world.ready().find(is_later).or_else(|| world.ready().next()).or_else(|| {
        let ms = world.until_next_ms().filter(|ms| *ms > 0)?;
        Some(Input::Advance { ms })
    })
}

/// A run in progress, on its own copy of the world.
#[derive(Clone, Debug)]
pub struct Runner {
    world: World,
    goal: Goal,
    /// The end of its time, Unix time in ms; `None` without a time limit.
    until_ms: Option<u64>,
    /// The thread that ran last.
    last: Option<(ClientIndex, Thread)>,
    /// Whether the client of [`Goal::Request`] has taken a step.
    has_moved: bool,
    taken: usize,
}

impl Runner {
    /// Starts a run from this world.
    pub fn new(world: &World, goal: Goal) -> Runner {
        let until_ms = match goal {
            Goal::Time(ms) => Some(world.now_ms().saturating_add(ms)),
            Goal::End | Goal::Request(_) => None,
        };
        Runner { world: world.clone(), goal, until_ms, last: None, has_moved: false, taken: 0 }
    }

    /// The next inputs, at most `most`, and the reason if there are no more.
    pub fn take(&mut self, most: usize) -> (Vec<Input>, Option<Stop>) {
        let mut inputs = Vec::new();
        while inputs.len() < most {
            match self.go_on() {
                (Some(input), None) => inputs.push(input),
                (input, stop) => {
                    inputs.extend(input);
                    return (inputs, stop);
                }
            }
        }
        (inputs, None)
    }

    /// The remaining time of the run, in ms.
    fn left_ms(&self) -> Option<u64> {
        self.until_ms.map(|until_ms| until_ms.saturating_sub(self.world.now_ms()))
    }

    /// One input, and why it was the last one, if it was.
    fn go_on(&mut self) -> (Option<Input>, Option<Stop>) {
        if self.world.is_end() {
            return (None, Some(Stop::Over));
        }
        if self.taken >= self.goal.inputs_max() {
            return (None, Some(Stop::TooLong(self.goal.inputs_max())));
        }
        let input = match (next(&self.world, self.last), self.left_ms()) {
            // No thread is ready before the time is over.
            (Some(Input::Advance { ms }), Some(left_ms)) if ms > left_ms => {
                let rest = (left_ms > 0).then_some(Input::Advance { ms: left_ms });
                let is_possible = rest.as_ref().is_none_or(|rest| self.world.step(rest).is_ok());
                return (rest.filter(|_| is_possible), Some(Stop::There));
            }
            (Some(input), _) => input,
            (None, Some(0)) => return (None, Some(Stop::There)),
            (None, _) => return (None, Some(Stop::Stuck)),
        };
        let Ok(events) = self.world.step(&input) else { return (None, Some(Stop::Stuck)) };
        self.taken = self.taken.saturating_add(1);
        if let Input::Program { client, act: Act::Step { thread } } = &input {
            self.last = Some((*client, *thread));
            self.has_moved |= self.goal == Goal::Request(*client);
        }
        let is_broken = events.iter().any(|event| matches!(event.kind, EventKind::Broken { .. }));
        let is_there = match self.goal {
            Goal::Request(client) => self.has_moved && stands_at_request(&self.world, client),
            Goal::End | Goal::Time(_) => false,
        };
        let stop = if is_broken { Some(Stop::Broken) } else { is_there.then_some(Stop::There) };
        (Some(input), stop)
    }
}

/// Whether the client's next step sends a command.
fn stands_at_request(world: &World, client: ClientIndex) -> bool {
    world.process(client).is_some_and(|process| {
        process.phases().any(|(thread, phase)| {
            *phase == Phase::Ready && matches!(process.request(thread), Some(Request::Call { .. }))
        })
    })
}

#[cfg(test)]
mod tests {
    use world::{Act, Input, World};

    use super::super::fixture::{Fixture, LEASE};
    use super::{Goal, INPUTS_MAX, Runner, Stop, TIMED_INPUTS_MAX, next};

    fn run(world: &World, goal: Goal) -> (Vec<Input>, Stop) {
        let (inputs, stop) = Runner::new(world, goal).take(goal.inputs_max() + 1);
        (inputs, stop.unwrap())
    }

    fn clients(inputs: &[Input]) -> Vec<Option<u32>> {
        inputs.iter().map(Input::client).collect()
    }

    #[test]
    fn clients_take_turns() {
        let text = "redis.call('INCR', 'n') redis.call('INCR', 'n')";
        let stage = Fixture::new([text, text, text]);
        let (inputs, stop) = run(stage.world(), Goal::End);
        assert_eq!(clients(&inputs), [0, 1, 2, 0, 1, 2].map(Some));
        assert_eq!(stop, Stop::Over);
    }

    #[test]
    fn threads_of_one_client_take_turns_too() {
        let stage = Fixture::new(["spawn(function() for i = 1, 2 do redis.call('INCR', 'a') end end)
            for i = 1, 2 do redis.call('INCR', 'b') end"]);
        let (inputs, _) = run(stage.world(), Goal::End);
        let threads: Vec<u32> = inputs
            .iter()
            .map(|input| match input {
                Input::Program { act: Act::Step { thread }, .. } => *thread,
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(threads, [0, 1, 0, 1]);
    }

    #[test]
    fn time_advances_when_no_client_is_ready() {
        let stage = Fixture::new(["sleep(50) redis.call('PING')"]);
        assert_eq!(next(stage.world(), None), Some(Input::Advance { ms: 50 }));
        let (inputs, stop) = run(stage.world(), Goal::Request(0));
        assert_eq!((inputs.len(), stop), (2, Stop::There));
    }

    #[test]
    fn run_stops_when_a_property_breaks_or_no_client_can_proceed() {
        let mut stage = Fixture::new([LEASE, LEASE]);
        stage.watch("no-errors");
        let (_, stop) = run(stage.world(), Goal::End);
        assert_eq!(stop, Stop::Over);
        let mut stage = Fixture::new(["error('no')", "redis.call('BLPOP', 'q', 0)"]);
        stage.watch("no-errors");
        stage.program(1, Act::Step { thread: 0 });
        let (inputs, stop) = run(stage.world(), Goal::End);
        assert_eq!((inputs.len(), stop), (0, Stop::Stuck));
        let mut stage = Fixture::new(["redis.call('PING') check(false, 'never')", "redis.call('PING')"]);
        stage.watch("checks");
        let (inputs, stop) = run(stage.world(), Goal::End);
        assert_eq!((inputs.len(), stop), (1, Stop::Broken));
        let stage = Fixture::new(["while true do sleep(1) end"]);
        let (inputs, stop) = run(stage.world(), Goal::End);
        assert_eq!((inputs.len(), stop), (INPUTS_MAX, Stop::TooLong(INPUTS_MAX)));
    }

    #[test]
    fn timed_run_ends_with_its_time() {
        let tick = "every(100, function() redis.call('INCR', 'n') end)";
        for (ms, ticks) in [(0, 1), (99, 1), (100, 2), (1_050, 11)] {
            let stage = Fixture::new([tick]);
            let mut world = stage.world().clone();
            let (inputs, stop) = run(&world, Goal::Time(ms));
            assert_eq!(stop, Stop::There);
            inputs.iter().for_each(|input| drop(world.step(input).unwrap()));
            assert_eq!(world.now_ms() - stage.world().now_ms(), ms);
            let calls = inputs.iter().filter(|input| matches!(input, Input::Program { .. })).count();
            assert!(calls >= ticks, "{ms} ms: {inputs:?}");
            // At the end of the time, no thread is ready.
            assert_eq!(world.ready().count(), 0);
        }
        let stage = Fixture::new(["while true do sleep(1) end"]);
        let (inputs, stop) = run(stage.world(), Goal::Time(1_000_000));
        assert_eq!((inputs.len(), stop), (TIMED_INPUTS_MAX, Stop::TooLong(TIMED_INPUTS_MAX)));
        let stage = Fixture::new(["redis.call('BLPOP', 'q', 0)"]);
        assert_eq!(run(stage.world(), Goal::Time(1_000)).1, Stop::Stuck);
    }

    #[test]
    fn run_in_pieces_is_the_same_run() {
        let stage = Fixture::new([LEASE, LEASE, "for i = 1, 20 do redis.call('INCR', 'n') sleep(7) end"]);
        let (whole, _) = run(stage.world(), Goal::End);
        let (mut runner, mut pieces) = (Runner::new(stage.world(), Goal::End), Vec::new());
        loop {
            let (inputs, stop) = runner.take(7);
            pieces.extend(inputs);
            if stop.is_some() {
                break;
            }
        }
        assert_eq!(pieces, whole);
    }
}
