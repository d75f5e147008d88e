//! `Measure`: translates a learner's schedule into the explorer's steps, so that its length can be compared with the shortest one.
//!
//! In a search, time passes only when no client can run. A learner may let time pass at any moment; every client that could have run was
//! then effectively paused, and the measure counts a pause:
//!
//! ```text
//!   learner    c1 step                @+10s                c2 step        three inputs
//!   explorer   c1 step    c2 pause    @+10s    c2 resume   c2 step        five steps, one of them a fault
//! ```
//!
//! Time that passes several deadlines at once counts as one step per deadline, and time that passes in several pieces up to one deadline
//! counts as one step. So a schedule without faults translates into a schedule that the explorer also tries, and is never shorter than the
//! shortest that it finds.
use crate::{Act, CLOCK_JUMP_MS, ClientIndex, Condition, Fault, Faults, Input, LinkAct, NodeAct, World};

/// Upper bound on the stops within one advance of time; beyond it nothing is counted.
const STOPS_MAX: usize = 10_000;

/// Faults that make a schedule foreign unless the task allows them.
const RARE: [Fault; 6] =
    [Fault::Restart, Fault::ClockJump, Fault::NodeCrash, Fault::NodeRestart, Fault::NodeClockJump, Fault::Cut];

/// A schedule as the explorer would count it.
#[derive(Clone, Debug)]
pub struct Measure {
    world: World,
    inputs: Vec<Input>,
    /// Clients that are paused because time passed while they could run, not because the learner paused them.
    standing: Vec<ClientIndex>,
    passed_over: Vec<ClientIndex>,
    /// Does the last input advance time, but not up to a deadline?
    is_under_way: bool,
    is_foreign: bool,
    /// The schedule's faults, counted by kind.
    own: Faults,
}

impl Measure {
    /// The schedule of these inputs in this world. Clients that no input touches are left out.
    pub fn of(start: &World, inputs: &[Input]) -> Measure {
        let mut measure = Measure::begin(start);
        let idle = |client: &ClientIndex| inputs.iter().all(|input| input.client() != Some(*client));
        for client in start.clients().map(|(client, _)| client).filter(idle) {
            // An existing client can always leave.
            let _ = measure.world.step(&Input::Disconnect { client });
        }
        inputs.iter().for_each(|input| measure.take(input));
        measure
    }

    /// The empty schedule, with all clients.
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

    /// Adds one input.
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
                    // The client itself receives a reply.
                    Act::Arrive { late } => {
                        let nth = usize::try_from(*late).unwrap_or(usize::MAX);
                        self.world.held_up(*client).nth(nth).is_none_or(|found| found.reply.is_none())
                    }
                    _ => false,
                };
                if was_standing && !is_from_outside {
                    self.standing.retain(|other| other != client);
                    match act {
                        // The client is paused already; from now on because the learner wants it.
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

    /// The world after the schedule.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The inputs as the explorer would have given them.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// The length in explorer steps.
    pub fn steps(&self) -> u32 {
        u32::try_from(self.inputs.len()).unwrap_or(u32::MAX)
    }

    /// Does the schedule stay within these faults?
    pub fn fits(&self, faults: Faults) -> bool {
        self.inputs.iter().try_fold(faults, |left, input| left.after(input)).is_some()
    }

    /// Clients that could have run while time passed, in the order in which that happened first.
    pub fn passed_over(&self) -> &[ClientIndex] {
        &self.passed_over
    }

    /// Did the learner do more than schedule clients and cause faults: type a command, change a program or a clock, add a client? Faults in
    /// [`RARE`] count too, unless `faults` includes their kind.
    pub fn is_foreign(&self, faults: Faults) -> bool {
        let is_rare_fault = |fault: &Fault| self.own.of(*fault) > 0 && faults.of(*fault) == 0;
        self.is_foreign || RARE.iter().any(is_rare_fault)
    }

    fn push(&mut self, input: Input) {
        self.is_under_way = false;
        if self.world.step(&input).is_ok() {
            self.inputs.push(input);
        }
    }

    /// Time passes from deadline to deadline; every client that could run at a deadline is paused.
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
