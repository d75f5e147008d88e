//! Runs a world on by itself: everybody in turn, and time passes when nobody can go on.
//!
//! What is run is a function of the world alone, so the inputs can be put into the timeline one by one and looked at
//! afterwards like any that the learner gave.
use script::program::{Request, Thread};
use world::{Act, ClientIndex, EventKind, Input, Phase, World};

/// More inputs than this are never run at once.
pub const INPUTS_MAX: usize = 1_000;

/// How far to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Until all programs are over.
    End,
    /// Until this client stands at its next command.
    Request(ClientIndex),
}

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It got where it should.
    There,
    /// A property was broken.
    Broken,
    /// Nobody can go on any more, and time brings nothing.
    Stuck,
    /// All programs are over.
    Over,
    /// It has become too long.
    TooLong,
}

/// What comes next when every thread takes its turn; `last` went on before.
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

/// The inputs that lead to a goal, and why there are no more.
pub fn run(world: &World, goal: Goal, most: usize) -> (Vec<Input>, Stop) {
    let mut world = world.clone();
    let (mut inputs, mut last) = (Vec::new(), None);
    let mut has_moved = false;
    while inputs.len() < most.min(INPUTS_MAX) {
        if world.is_end() {
            return (inputs, Stop::Over);
        }
        let Some(input) = next(&world, last) else { return (inputs, Stop::Stuck) };
        let Ok(events) = world.step(&input) else { return (inputs, Stop::Stuck) };
        if let Input::Program { client, act: Act::Step { thread } } = &input {
            last = Some((*client, *thread));
            has_moved |= goal == Goal::Request(*client);
        }
        inputs.push(input);
        if events.iter().any(|event| matches!(event.kind, EventKind::Broken { .. })) {
            return (inputs, Stop::Broken);
        }
        if let Goal::Request(client) = goal
            && has_moved
            && stands_at_request(&world, client)
        {
            return (inputs, Stop::There);
        }
    }
    (inputs, Stop::TooLong)
}

/// Would this client send a command when it went on?
fn stands_at_request(world: &World, client: ClientIndex) -> bool {
    world.process(client).is_some_and(|process| {
        process.phases().any(|(thread, phase)| {
            *phase == Phase::Ready && matches!(process.request(thread), Some(Request::Call { .. }))
        })
    })
}

#[cfg(test)]
mod tests {
    use world::{Act, Input};

    use super::super::stage::{LEASE, Stage};
    use super::{Goal, Stop, next, run};

    fn clients(inputs: &[Input]) -> Vec<Option<u32>> {
        inputs.iter().map(Input::client).collect()
    }

    #[test]
    fn everybody_has_their_turn() {
        let text = "redis.call('INCR', 'n') redis.call('INCR', 'n')";
        let stage = Stage::new([text, text, text]);
        let (inputs, stop) = run(stage.world(), Goal::End, 100);
        assert_eq!(clients(&inputs), [0, 1, 2, 0, 1, 2].map(Some));
        assert_eq!(stop, Stop::Over);
    }

    #[test]
    fn threads_of_one_client_take_turns_too() {
        let stage = Stage::new(["spawn(function() for i = 1, 2 do redis.call('INCR', 'a') end end)
            for i = 1, 2 do redis.call('INCR', 'b') end"]);
        let (inputs, _) = run(stage.world(), Goal::End, 100);
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
    fn time_passes_when_nobody_can_go_on() {
        let stage = Stage::new(["sleep(50) redis.call('PING')"]);
        assert_eq!(next(stage.world(), None), Some(Input::Advance { ms: 50 }));
        let (inputs, stop) = run(stage.world(), Goal::Request(0), 100);
        assert_eq!((inputs.len(), stop), (2, Stop::There));
    }

    #[test]
    fn a_run_stops_where_a_property_breaks_and_where_nobody_gets_on() {
        let mut stage = Stage::new([LEASE, LEASE]);
        stage.watch("no-errors");
        let (_, stop) = run(stage.world(), Goal::End, 100);
        assert_eq!(stop, Stop::Over);
        let mut stage = Stage::new(["error('no')", "redis.call('BLPOP', 'q', 0)"]);
        stage.watch("no-errors");
        stage.program(1, Act::Step { thread: 0 });
        let (inputs, stop) = run(stage.world(), Goal::End, 100);
        assert_eq!((inputs.len(), stop), (0, Stop::Stuck));
        let mut stage = Stage::new(["redis.call('PING') check(false, 'never')", "redis.call('PING')"]);
        stage.watch("checks");
        let (inputs, stop) = run(stage.world(), Goal::End, 100);
        assert_eq!((inputs.len(), stop), (1, Stop::Broken));
        let stage = Stage::new(["while true do sleep(1) end"]);
        let (inputs, stop) = run(stage.world(), Goal::End, 10);
        assert_eq!((inputs.len(), stop), (10, Stop::TooLong));
    }
}
