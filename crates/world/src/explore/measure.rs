//! What a learner's schedule comes to in the explorer's measure, so that its length can be held against the shortest one.
//!
//! In a search time passes only when no one can go on. A reader may let it pass at any moment; then everybody who
//! could have gone on has been made to stand still, and that is what a pause is:
//!
//! ```text
//!   learner    c1 step                @+10s                c2 step        three inputs
//!   explorer   c1 step    c2 pause    @+10s    c2 resume   c2 step        five steps, one of them a fault
//! ```
//!
//! Time that passes beyond several deadlines at once is as many steps as there are deadlines, and time that passes in several
//! pieces up to one deadline is one. So a schedule without faults is, translated, a schedule that the explorer tries too: none is shorter than
//! the shortest that it finds.
use crate::{Act, CLOCK_JUMP_MS, ClientIndex, Condition, Fault, Faults, Input, LinkAct, NodeAct, World};

/// More stops than a learner's time could ever be cut into; beyond that nothing is counted.
const STOPS_MAX: usize = 10_000;

/// What a learner does not cause unless it is asked for.
const RARE: [Fault; 6] =
    [Fault::Restart, Fault::ClockJump, Fault::NodeCrash, Fault::NodeRestart, Fault::NodeClockJump, Fault::Cut];

/// A schedule as the explorer would have counted it.
#[derive(Clone, Debug)]
pub struct Measure {
    world: World,
    inputs: Vec<Input>,
    /// Clients that stand still because time has passed over them, and not because somebody has paused them.
    standing: Vec<ClientIndex>,
    passed_over: Vec<ClientIndex>,
    /// Does the last input let time pass, but not up to a deadline?
    is_under_way: bool,
    is_foreign: bool,
    /// What went wrong, how often.
    own: Faults,
}

impl Measure {
    /// The schedule of these inputs in this world. Clients that it never touches take no part in it.
    pub fn of(start: &World, inputs: &[Input]) -> Measure {
        let mut measure = Measure::begin(start);
        let idle = |client: &ClientIndex| inputs.iter().all(|input| input.client() != Some(*client));
        for client in start.clients().map(|(client, _)| client).filter(idle) {
            // A client that is there can leave.
            let _ = measure.world.step(&Input::Disconnect { client });
        }
        inputs.iter().for_each(|input| measure.take(input));
        measure
    }

    /// The empty schedule, in which everybody takes part.
    pub fn begin(start: &World) -> Measure {
        Measure {
            world: start.clone(),
            inputs: Vec::new(),
            standing: Vec::new(),
            passed_over: Vec::new(),
            is_under_way: false,
            is_foreign: false,
            own: Faults::NONE,
        }
    }

    /// One input more.
    pub fn take(&mut self, input: &Input) {
        if let Some(fault) = Fault::of(input) {
            let done = self.own.of_mut(fault);
            *done = done.saturating_add(1);
        }
        match input {
            Input::Advance { ms } => self.pass(*ms),
            Input::Program { client, act } => {
                let was_standing = self.standing.contains(client);
                let is_jump = matches!(act, Act::ShiftClock { ms: CLOCK_JUMP_MS });
                self.is_foreign |=
                    matches!(act, Act::Load { .. } | Act::ShiftClock { .. } | Act::Delay { .. }) && !is_jump;
                let is_from_outside = match act {
                    Act::Load { .. } | Act::ShiftClock { .. } | Act::Delay { .. } => true,
                    // A reply is taken by the client itself.
                    Act::Arrive { late } => {
                        let nth = usize::try_from(*late).unwrap_or(usize::MAX);
                        self.world.held_up(*client).nth(nth).is_none_or(|found| found.reply.is_none())
                    }
                    _ => false,
                };
                if was_standing && !is_from_outside {
                    self.standing.retain(|other| other != client);
                    match act {
                        // It stands still already, and from now on because somebody wants it to.
                        Act::Pause => return,
                        Act::Crash => {}
                        _ => self.push(Input::Program { client: *client, act: Act::Resume }),
                    }
                }
                self.push(input.clone());
            }
            Input::Node { act, .. } => {
                self.is_foreign |= matches!(act, NodeAct::ShiftClock { ms } if *ms != CLOCK_JUMP_MS.unsigned_abs());
                self.push(input.clone());
            }
            Input::Link { act, .. } => {
                self.is_foreign |= matches!(act, LinkAct::Delay { .. });
                self.push(input.clone());
            }
            Input::Serve { .. } | Input::SwitchNode { .. } => self.push(input.clone()),
            Input::Rename { .. } | Input::Watch { .. } => _ = self.world.step(input),
            Input::Connect { .. }
            | Input::Disconnect { .. }
            | Input::Command { .. }
            | Input::Interrupt { .. }
            | Input::Traffic { .. } => {
                self.is_foreign = true;
                let _ = self.world.step(input);
            }
        }
    }

    /// The world in which it ends.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Its inputs, as the explorer would have given them.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// Its length.
    pub fn steps(&self) -> u32 {
        u32::try_from(self.inputs.len()).unwrap_or(u32::MAX)
    }

    /// Did no more go wrong in it than this?
    pub fn fits(&self, faults: Faults) -> bool {
        self.inputs.iter().try_fold(faults, |left, input| left.after(input)).is_some()
    }

    /// Clients that time has passed over although they could have gone on, in the order in which that happened first.
    pub fn passed_over(&self) -> &[ClientIndex] {
        &self.passed_over
    }

    /// Was something else done than to say who goes on and what goes wrong: a command typed, a program or a clock changed, somebody
    /// added? What is [`RARE`] is that too where these faults have nothing of the kind.
    pub fn is_foreign(&self, faults: Faults) -> bool {
        let is_unheard_of = |fault: &Fault| self.own.of(*fault) > 0 && faults.of(*fault) == 0;
        self.is_foreign || RARE.iter().any(is_unheard_of)
    }

    fn push(&mut self, input: Input) {
        self.is_under_way = false;
        if self.world.step(&input).is_ok() {
            self.inputs.push(input);
        }
    }

    /// Time passes from deadline to deadline, and a client that could go on at one of them stands still.
    fn pass(&mut self, ms: u64) {
        let mut left_ms = ms;
        for _ in 0..STOPS_MAX {
            if left_ms == 0 {
                return;
            }
            for client in self.ready_clients() {
                self.standing.push(client);
                if !self.passed_over.contains(&client) {
                    self.passed_over.push(client);
                }
                self.push(Input::Program { client, act: Act::Pause });
            }
            let due_ms = self.world.until_next_ms().filter(|due_ms| *due_ms > 0);
            let ms = due_ms.map_or(left_ms, |due_ms| due_ms.min(left_ms));
            if self.world.step(&Input::Advance { ms }).is_err() {
                return;
            }
            match self.inputs.last_mut() {
                Some(Input::Advance { ms: before_ms }) if self.is_under_way => {
                    *before_ms = before_ms.saturating_add(ms)
                }
                _ => self.inputs.push(Input::Advance { ms }),
            }
            self.is_under_way = due_ms.is_none_or(|due_ms| due_ms > ms);
            left_ms = left_ms.saturating_sub(ms);
        }
    }

    fn ready_clients(&self) -> Vec<ClientIndex> {
        let mut ready: Vec<ClientIndex> = self.world.ready().filter_map(|input| input.client()).collect();
        ready.dedup();
        ready
            .retain(|client| self.world.process(*client).is_some_and(|process| process.condition() == Condition::Runs));
        ready
    }
}
