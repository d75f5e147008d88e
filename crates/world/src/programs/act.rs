//! What a scheduler does to a program: load it, run a thread, cause a fault.

use redis_model::ClientId;
use resp::Value;
use script::program::{Reply, Request, State, Thread};

use super::{ARGS_MAX, Condition, DELAY_MAX_MS, Direction, Phase, Process, TEXT_BYTES_MAX};
use crate::network::timed_out;
use crate::{Act, ClientIndex, Event, EventKind, NodeIndex, ProgramEvent, RequestStage, StepError, World};

/// How far a client's clock may be off, in ms: a hundred years.
const CLOCK_SHIFT_MAX_MS: i64 = 100 * 365 * 86_400_000;

impl World {
    pub(crate) fn emit_program(
        &self,
        events: &mut Vec<Event>,
        client: ClientIndex,
        thread: Thread,
        what: ProgramEvent,
    ) {
        let node = what.is_about_request().then(|| self.node_of_request(client, thread)).flatten();
        self.emit(events, node, EventKind::Program { client, thread, what });
    }

    /// Checks an act on a program completely, before anything changes.
    pub(crate) fn check_act(&self, client: ClientIndex, act: &Act) -> Result<(), StepError> {
        if let (Some(found), Act::Pause | Act::Resume) =
            (self.client(client).filter(|found| found.program.is_none()), act)
        {
            let is_possible = found.is_paused == matches!(act, Act::Resume);
            return if is_possible { Ok(()) } else { Err(StepError::NotNow(client)) };
        }
        if !self.engines().programs.is_installed() {
            return Err(StepError::NoPlayer);
        }
        if let Act::Load { text, args } = act {
            let given = args.iter().fold(text.len(), |given, word| given.saturating_add(word.len()));
            return match args.len() {
                many if many > ARGS_MAX => Err(StepError::TooManyArguments { given: many, most: ARGS_MAX }),
                _ if given > TEXT_BYTES_MAX => Err(StepError::ProgramTooLarge { given, most: TEXT_BYTES_MAX }),
                _ => Ok(()),
            };
        }
        let process = self.process(client).ok_or(StepError::NoProgram(client))?;
        let condition = process.condition();
        let is_possible = match act {
            Act::Load { .. } => true,
            Act::Step { thread } => self.can_go_on(client, *thread),
            Act::Send { thread } => {
                self.can_go_on(client, *thread)
                    && (process.phase(*thread) == Some(&Phase::Ready)
                        || matches!(self.stage_of(client, *thread), Some(RequestStage::ToNode { .. })))
            }
            Act::Deliver { thread } => {
                self.can_go_on(client, *thread)
                    && matches!(self.stage_of(client, *thread), Some(RequestStage::ToClient { .. }))
            }
            Act::Lose { thread, direction } => self.can_lose(client, *thread, *direction),
            Act::Crash => !process.is_over(),
            Act::Restart => process.is_over(),
            Act::Pause => condition == Condition::Runs && !process.is_over(),
            Act::Resume => condition == Condition::Paused,
            Act::ShiftClock { ms } => {
                let shift = process.clock_shift_ms().checked_add(*ms);
                shift.is_some_and(|shift| (-CLOCK_SHIFT_MAX_MS..=CLOCK_SHIFT_MAX_MS).contains(&shift))
            }
            Act::Delay { ms } => *ms <= DELAY_MAX_MS,
            Act::HoldUp { thread, direction } => self.can_hold_up(client, *thread, *direction),
            Act::Arrive { late } => {
                let found = usize::try_from(*late).ok().and_then(|late| self.held_up(client).nth(late));
                found.is_some_and(|found| self.can_arrive(found))
            }
        };
        if is_possible { Ok(()) } else { Err(StepError::NotNow(client)) }
    }

    /// Performs an act that [`World::check_act`] has allowed.
    pub(crate) fn act(&mut self, client: ClientIndex, act: &Act, events: &mut Vec<Event>) {
        if let Some(process) = self.process_mut(client) {
            process.steps = process.steps.saturating_add(1);
        }
        match act {
            Act::Load { text, args } => {
                let process = Process::new(text.clone(), args.clone(), 0, &self.engines().programs);
                self.load(client, process, ProgramEvent::Loaded, events);
            }
            Act::Restart => {
                let Some(process) = self.process(client) else { return };
                let (draws, shift) = (process.draws, process.clock_shift_ms);
                let mut process =
                    Process::new(process.text().clone(), process.args().to_vec(), draws, &self.engines().programs);
                process.clock_shift_ms = shift;
                process.was_restarted = true;
                self.load(client, process, ProgramEvent::Restarted, events);
            }
            Act::Step { thread } | Act::Deliver { thread } => self.go_on(client, *thread, events),
            Act::Send { thread } => self.send(client, *thread, events),
            Act::Lose { thread, direction } => self.lose(client, *thread, *direction, events),
            Act::Crash => {
                self.close_all(client, events);
                self.disconnect(client, events);
                self.end(client, Condition::Crashed);
                self.emit_program(events, client, 0, ProgramEvent::Crashed);
            }
            Act::Pause => self.set_condition(client, Condition::Paused, ProgramEvent::Paused, events),
            Act::Resume => self.set_condition(client, Condition::Runs, ProgramEvent::Resumed, events),
            Act::ShiftClock { ms } => {
                if let Some(process) = self.process_mut(client) {
                    process.clock_shift_ms = process.clock_shift_ms.saturating_add(*ms);
                }
                self.emit_program(events, client, 0, ProgramEvent::ClockShifted { ms: *ms });
            }
            Act::HoldUp { thread, direction: Direction::Request } => self.hold_up(client, *thread, events),
            Act::HoldUp { thread, direction: Direction::Reply } => self.hold_up_reply(client, *thread, events),
            Act::Arrive { late } => self.arrive_late(client, usize::try_from(*late).unwrap_or(usize::MAX), events),
            Act::Delay { ms } => {
                if let Some(process) = self.process_mut(client) {
                    process.delay_ms = *ms;
                }
                self.emit_program(events, client, 0, ProgramEvent::Delayed { ms: *ms });
            }
        }
    }

    pub(super) fn end(&mut self, client: ClientIndex, condition: Condition) {
        if let Some(process) = self.process_mut(client) {
            process.end(condition);
        }
        self.drop_requests_of(client);
    }

    /// A paused client reads nothing that arrives. With a program, this applies to its subscription, or to a typed `SUBSCRIBE`. (Replies to
    /// its requests stay in flight until it resumes, which has the same effect.)
    fn set_condition(
        &mut self,
        client: ClientIndex,
        condition: Condition,
        what: ProgramEvent,
        events: &mut Vec<Event>,
    ) {
        let Some(found) = self.client_mut(client) else { return };
        match found.program.as_mut() {
            Some(process) => process.condition = condition,
            None => found.is_paused = condition == Condition::Paused,
        }
        self.emit_program(events, client, 0, what);
        match condition {
            Condition::Paused => self.stop_reading(client, events),
            _ => self.read_on(client, events),
        }
    }

    /// Values for the client stay at its node from now on.
    pub(crate) fn stop_reading(&mut self, client: ClientIndex, events: &mut Vec<Event>) {
        let Some((node, connection)) = self.what_is_read(client) else { return };
        self.on_server(node, Some(client), events, |server| {
            server.stop_reading(connection);
            Vec::new()
        });
    }

    /// Delivers the values kept for a client, unless it is paused or its link is cut.
    pub(crate) fn read_on(&mut self, client: ClientIndex, events: &mut Vec<Event>) {
        let Some((node, connection)) = self.what_is_read(client) else { return };
        if !self.is_paused(client) && !self.is_cut(client, node) {
            self.let_arrive(events);
            let clock_ms = self.clock_ms(node);
            self.on_server(node, Some(client), events, |server| server.read_on(clock_ms, connection));
        }
    }

    fn what_is_read(&self, client: ClientIndex) -> Option<(NodeIndex, ClientId)> {
        Some((self.client(client)?.node, self.read_connection(client)?))
    }

    /// Replaces a client's program; the former one ends with all its connections.
    fn load(&mut self, client: ClientIndex, mut process: Process, what: ProgramEvent, events: &mut Vec<Event>) {
        if self.client(client).is_some_and(|found| found.is_paused) {
            self.set_condition(client, Condition::Runs, ProgramEvent::Resumed, events);
        }
        if let Some(former) = self.process(client) {
            // The network delay stays the same.
            process.delay_ms = former.delay_ms;
            self.close_all(client, events);
            if self.process(client).is_some_and(|process| !process.phases.is_empty()) {
                self.disconnect(client, events);
            }
        }
        self.drop_requests_of(client);
        let unplayable = process.scene().err().cloned();
        if let Some(found) = self.client_mut(client) {
            found.program = Some(process);
        }
        if self.address(client).is_none() {
            self.connect(client, events);
        }
        self.emit_program(events, client, 0, what);
        match unplayable {
            Some(why) => self.emit_program(events, client, 0, ProgramEvent::Unplayable(why)),
            None => self.settle(client, events),
        }
    }

    /// Completes what a thread waits for, and runs it to its next request.
    fn go_on(&mut self, client: ClientIndex, thread: Thread, events: &mut Vec<Event>) {
        let Some(phase) = self.process(client).and_then(|process| process.phase(thread)).cloned() else { return };
        let reply = match phase {
            Phase::Ready | Phase::Sent => match self.go_on_with_request(client, thread, events) {
                Some(reply) => reply,
                None => return,
            },
            Phase::Until { reply, .. } => {
                self.give_up(client, thread, events);
                self.emit_program(events, client, thread, ProgramEvent::Woke);
                reply
            }
            Phase::Listening { .. } => {
                let heard = self.process_mut(client).and_then(Process::next_message);
                let words =
                    heard.iter().flat_map(|(channel, text)| [channel.clone(), text.clone()]).collect::<Vec<_>>();
                self.emit_program(events, client, thread, ProgramEvent::Heard { words: words.clone() });
                Reply::Value(match heard {
                    Some(_) => Value::Array(words.into_iter().map(Value::Bulk).collect()),
                    None => Value::Null,
                })
            }
            Phase::Over => return,
        };
        self.answer(client, thread, reply, events);
    }

    /// Moves a thread's request as far as it gets at once. Returns the reply if there is one.
    fn go_on_with_request(&mut self, client: ClientIndex, thread: Thread, events: &mut Vec<Event>) -> Option<Reply> {
        let found = self.in_flight(client, thread);
        if found.is_some_and(|found| found.is_given_up(self.now_ms)) {
            self.give_up(client, thread, events);
            self.emit_program(events, client, thread, ProgramEvent::Woke);
            return Some(timed_out());
        }
        match found.map(|found| &found.stage) {
            // The link was cut while the reply was in flight.
            Some(RequestStage::ToClient { .. }) if self.is_cut_from_node(client, thread) => {
                self.lose(client, thread, Direction::Reply, events);
                None
            }
            Some(RequestStage::ToClient { reply, .. }) => Some(reply.clone()),
            Some(RequestStage::AtNode) => None,
            Some(RequestStage::ToNode { .. } | RequestStage::Queued) | None => self.round_trip(client, thread, events),
        }
    }

    /// Gives a thread its answer, and at once answers every request that no other client can observe.
    pub(crate) fn answer(&mut self, client: ClientIndex, thread: Thread, reply: Reply, events: &mut Vec<Event>) {
        let is_call = matches!(self.process(client).and_then(|p| p.request(thread)), Some(Request::Call { .. }));
        if let (true, Reply::Value(value)) = (is_call, &reply) {
            self.emit_program(events, client, thread, ProgramEvent::Delivered { value: value.clone() });
        }
        self.take(client, thread, reply, events);
        self.settle(client, events);
    }

    /// Adds one answer to the history, and notes what became of the threads.
    pub(super) fn take(&mut self, client: ClientIndex, thread: Thread, reply: Reply, events: &mut Vec<Event>) {
        let now_ms = self.now_ms;
        self.nothing_in_flight(client, thread);
        let programs = self.engines().programs.clone();
        let Some(process) = self.process_mut(client) else { return };
        process.take(thread, reply, &programs);
        if let Err(why) = process.scene().map(|_| ()).map_err(Clone::clone) {
            // Cannot happen for a history produced by this program; if the machine failed, the other clients go on.
            self.end(client, Condition::RanAway);
            self.emit_program(events, client, thread, ProgramEvent::Unplayable(why));
            return;
        }
        self.arrive(client, thread, now_ms, events);
    }

    /// Emits the events that begin a thread's new request, and handles threads that have ended.
    pub(super) fn arrive(&mut self, client: ClientIndex, resumed: Thread, now_ms: u64, events: &mut Vec<Event>) {
        let Some(scene) = self.process(client).and_then(Process::shared_scene) else { return };
        for (thread, state) in (0..).zip(scene.threads.iter().map(|snapshot| &snapshot.state)) {
            let Some(process) = self.process_mut(client) else { return };
            let is_new = process.phase(thread).is_none();
            if is_new {
                process.phases.push(Phase::Ready);
            }
            if !is_new && thread != resumed && *state != State::Cancelled {
                continue;
            }
            if process.phase(thread) == Some(&Phase::Over) {
                continue;
            }
            let (next, what) = match state {
                State::Requests(request @ (Request::Sleep { ms } | Request::Work { ms })) => {
                    let at_ms = now_ms.saturating_add(*ms);
                    let is_busy = matches!(request, Request::Work { .. });
                    (
                        Phase::Until { at_ms, reply: Reply::Nothing },
                        Some(ProgramEvent::Rests { is_busy, until_ms: at_ms }),
                    )
                }
                State::Requests(Request::WaitMessage { ms }) => {
                    let until_ms = ms.map(|ms| now_ms.saturating_add(ms));
                    (Phase::Listening { until_ms }, Some(ProgramEvent::Listens { until_ms }))
                }
                State::Requests(_) => (Phase::Ready, None),
                State::Done => (Phase::Over, Some(ProgramEvent::Ended)),
                State::Cancelled => (Phase::Over, Some(ProgramEvent::Cancelled)),
                State::Failed(why) => (Phase::Over, Some(ProgramEvent::Failed(why.clone()))),
            };
            let is_over = next == Phase::Over;
            if let Some(phase) = process.phase_mut(thread) {
                *phase = next;
            }
            if is_over {
                process.inside.retain(|(_, inside)| *inside != thread);
                self.nothing_in_flight(client, thread);
            }
            if let Some(what) = what {
                self.emit_program(events, client, thread, what);
            }
        }
    }
}
