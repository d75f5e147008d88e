//! Builds the row of a step: what happened to which client or node, and where bars start and end.
use std::rc::Rc;

use bytes::Bytes;
use redis_model::CloseReason;
use redis_model::value::Value as Held;
use script::program::Thread;
use world::{
    Act, ClientIndex, Direction, Event, EventKind, Input, KeyState, NodeIndex, ProgramEvent, Property, Step, StepId,
    TIMED_OUT,
};

use super::leases::is_taken;
use super::shown::Depth;
use super::tracks::LAST;
use super::{
    AtServer, Bar, BarKind, Cell, Diagram, LINES_MAX, Lane, LaneEvent, LaneKey, LaneLine, NodeCell, RequestProgress,
    Row, label,
};
use crate::state::sql;
use crate::state::traffic::lanes as requests;

/// The thread number of a client's terminal, next to the threads of its program.
const TERMINAL: Thread = Thread::MAX;

/// Longest string value that is shown, in bytes.
const VALUE_BYTES_MAX: usize = 12;

impl Lane {
    /// Opens a bar, on the first free track.
    pub(super) fn begin(&mut self, row: usize, thread: Thread, kind: BarKind) {
        let taken: Vec<u8> = self.open_bars().map(|bar| bar.track).collect();
        let track = (0..LAST).find(|track| !taken.contains(track)).unwrap_or(LAST);
        let bar = Bar { from: row, to: None, track, thread, kind };
        if bar.stands_beside() {
            self.beside = self.beside.max(track.saturating_add(1));
        }
        self.open.push(self.bars.len());
        self.tracks.begin(track, self.bars.len());
        self.bars.push(bar);
    }

    fn open_bars(&self) -> impl Iterator<Item = &Bar> {
        self.open.iter().filter_map(|at| self.bars.get(*at))
    }

    /// The newest open bar that matches.
    pub(super) fn open_bar(&mut self, is_it: impl Fn(&Bar) -> bool) -> Option<&mut Bar> {
        let at = self.open.iter().rev().find(|at| self.bars.get(**at).is_some_and(&is_it)).copied()?;
        self.bars.get_mut(at)
    }

    /// Closes all open bars that match.
    pub(super) fn end(&mut self, row: usize, is_it: impl Fn(&Bar) -> bool) {
        let bars = &mut self.bars;
        self.open.retain(|at| {
            let Some(bar) = bars.get_mut(*at).filter(|bar| is_it(bar)) else { return true };
            bar.to = Some(row);
            false
        });
    }
}

impl Diagram {
    /// The index of the row being built.
    pub(super) fn at(&self) -> usize {
        self.rows.len()
    }

    fn lane_mut(&mut self, client: ClientIndex) -> &mut Lane {
        self.lanes.entry(LaneKey::Client(client), Lane::default)
    }

    /// Adds a step. Steps up to the floor get no rows.
    pub(super) fn add(&mut self, position: usize, id: StepId, step: &Step, floor: usize) {
        if let Input::Watch { property: Property::OnlyOwnerReleases { key } } = &step.input {
            self.locks.push((Property::NODE, key.clone()));
        }
        let mut row = Row {
            position,
            id,
            now_ms: step.now_ms,
            passed_ms: passed(&step.input),
            cells: Vec::new(),
            nodes: Vec::new(),
            requests: 0,
            broken: Vec::new(),
        };
        // The client and the words of the command that changed a key: the event of a command comes before those of its changes.
        let (mut by, mut words) = (None, &[][..]);
        let is_set_up = position <= floor;
        // The client that typed a command, until it gets the reply.
        let mut typed = match &step.input {
            Input::Command { client, .. } if !is_set_up => Some(*client),
            _ => None,
        };
        for event in &step.events {
            match &event.kind {
                EventKind::Command { client, argv, .. } => {
                    (by, words) = (Some(*client), argv.as_slice());
                    if typed == Some(*client) {
                        self.types(&mut row, *client, event.node, argv, RequestProgress::Executed);
                    } else {
                        self.command(&mut row, step, *client, event.node, argv);
                    }
                }
                EventKind::Typed { client, argv, .. } => {
                    words = argv.as_slice();
                    self.types(&mut row, *client, event.node, argv, RequestProgress::Queued);
                }
                EventKind::Reply { client, value, .. }
                    if typed == Some(*client) || self.is_typed_answer(step, *client) =>
                {
                    typed = typed.filter(|asker| asker != client);
                    self.answered(*client, TERMINAL);
                    line(&mut row, *client, 0, event.node, gets(value));
                }
                EventKind::Push { client, value, .. } if !is_set_up && self.has_no_program(*client) => {
                    line(&mut row, *client, 0, event.node, LaneEvent::Hears { words: Some(label::reply(value)) });
                }
                EventKind::Interrupted { client } | EventKind::Disconnected { client, .. } => {
                    typed = typed.filter(|asker| asker != client);
                    if self.waits_in_terminal(*client) {
                        self.answered(*client, TERMINAL);
                        let is_crash =
                            matches!(event.kind, EventKind::Disconnected { reason: Some(CloseReason::Crashed), .. });
                        let what = if is_crash { LaneEvent::Misses } else { LaneEvent::Cancelled };
                        line(&mut row, *client, 0, None, what);
                    }
                }
                EventKind::Refused { client }
                | EventKind::Unreachable { client }
                | EventKind::TooManyConnections { client }
                    if typed == Some(*client) =>
                {
                    typed = None;
                    if let Input::Command { argv, .. } = &step.input {
                        self.types(&mut row, *client, event.node, argv, RequestProgress::Lost);
                    }
                }
                EventKind::Program { client, thread, what } => {
                    self.program_event(&mut row, *client, *thread, what, event)
                }
                EventKind::KeyChanged { key: (db, key), before, after } => {
                    let Some(node) = event.node else { continue };
                    if *db == 0 && before.is_none() && is_taken(words, after) && !self.is_lock(node, key) {
                        self.locks.push((node, key.clone()));
                    }
                    let is_lock = *db == 0 && self.is_lock(node, key);
                    let at_server = if is_lock {
                        self.lock_changes(node, key, before, after, by, event)
                    } else {
                        value(key, before, after)
                    };
                    row.at_node(node, at_server);
                }
                EventKind::KeyExpired { key: (db, key), .. } | EventKind::KeyEvicted { key: (db, key), .. } => {
                    let Some(node) = event.node else { continue };
                    let at_server = if *db != 0 || !self.is_lock(node, key) {
                        Some(AtServer::Value { key: label::word(key), value: None })
                    } else {
                        self.lock_lapses(node, key)
                    };
                    row.at_node(node, at_server);
                }
                EventKind::NodeCrashed | EventKind::NodeRestarted { .. } | EventKind::NodeClockShifted { .. } => {
                    self.node_changes(&mut row, event);
                }
                EventKind::LinkChanged { client, act } => {
                    let Some(node) = event.node else { continue };
                    row.at_node(node, Some(AtServer::Link { client: *client, act: *act }));
                }
                EventKind::RowChanged { table, key, after, .. } => {
                    let Some(node) = event.node else { continue };
                    let value = after.as_ref().map(sql::row);
                    row.at_node(node, Some(AtServer::Value { key: label::row(table, key), value }));
                }
                EventKind::RowWait { client, table, key, .. } => {
                    let Some(node) = event.node else { continue };
                    row.at_node(node, Some(AtServer::RowWaits { client: *client, row: label::row(table, key) }));
                }
                EventKind::Traffic { .. } if row.requests == 0 => {
                    row.requests = requests::count(step);
                    self.has_requests = true;
                }
                EventKind::Broken { property, breach } => row.broken.push((*property, breach.clone())),
                _ => {}
            }
        }
        if let Some(client) = typed {
            let at = self.at();
            self.lane_mut(client).begin(at, TERMINAL, BarKind::Waits);
            self.asked.push((client, TERMINAL, label::command(words)));
        }
        self.expire(step.now_ms, &mut row);
        if let Input::Program { client, act: Act::Step { thread } } = &step.input
            && row.cells.iter().all(|cell| cell.client != *client)
        {
            // It has only woken up, and is about to send its next request.
            line(&mut row, *client, *thread, None, LaneEvent::GoesOn);
        }
        let is_empty = row.cells.is_empty() && row.nodes.is_empty() && row.broken.is_empty() && row.lines_above() == 0;
        if !is_set_up && !is_empty {
            row.nodes.iter_mut().for_each(|cell| cell.lines.truncate(LINES_MAX));
            self.depths.push(Depth::of(&row));
            self.rows.push(Rc::new(row));
        }
    }

    /// Records what happened to a node itself.
    fn node_changes(&mut self, row: &mut Row, event: &Event) {
        let Some(node) = event.node else { return };
        let (what, found) = match &event.kind {
            EventKind::NodeCrashed => {
                self.node_crashes(node);
                (AtServer::Crashed, Vec::new())
            }
            EventKind::NodeRestarted { loaded } => (AtServer::Restarted, self.node_restarts(node, loaded, event)),
            EventKind::NodeClockShifted { ms } => {
                self.node_clock_shifts(node, *ms);
                (AtServer::ClockShifted { ms: *ms }, Vec::new())
            }
            _ => return,
        };
        for line in std::iter::once(what).chain(found) {
            row.at_node(node, Some(line));
        }
    }

    fn is_lock(&self, node: NodeIndex, key: &Bytes) -> bool {
        self.locks.iter().any(|(at, lock)| *at == node && lock == key)
    }

    /// A client has typed a command.
    fn types(
        &mut self,
        row: &mut Row,
        client: ClientIndex,
        node: Option<NodeIndex>,
        argv: &[Bytes],
        way: RequestProgress,
    ) {
        let lane = self.lane_mut(client);
        lane.requests = lane.requests.saturating_add(1);
        let (words, whole) = (label::command(argv), label::whole_command(argv));
        line(row, client, 0, node, LaneEvent::Asks { words, whole, way });
    }

    /// Whether a client's terminal waits for a reply.
    fn waits_in_terminal(&self, client: ClientIndex) -> bool {
        self.asked.iter().any(|(asker, thread, _)| (*asker, *thread) == (client, TERMINAL))
    }

    /// Whether a reply belongs to a command typed in an earlier step, and not to a request of the client's program.
    fn is_typed_answer(&self, step: &Step, client: ClientIndex) -> bool {
        let is_of_program = |event: &Event| matches!(&event.kind, EventKind::Program { client: whose, what: ProgramEvent::Delivered { .. }, .. } if *whose == client);
        self.waits_in_terminal(client)
            && !matches!(&step.input, Input::Program { client: own, .. } if *own == client)
            && !step.events.iter().any(is_of_program)
    }

    fn has_no_program(&self, client: ClientIndex) -> bool {
        self.lane(LaneKey::Client(client)).is_none_or(|lane| lane.threads.is_empty())
    }

    /// A command reached a node: one with an arrow in this row, one sent earlier, or one just typed.
    fn command(&mut self, row: &mut Row, step: &Step, client: ClientIndex, node: Option<NodeIndex>, argv: &[Bytes]) {
        let asked = row.cells.iter_mut().filter(|cell| cell.client == client).flat_map(|cell| &mut cell.lines);
        for line in asked {
            if let LaneEvent::Asks { way: way @ RequestProgress::Queued, .. } = &mut line.what {
                *way = RequestProgress::Executed;
                return;
            }
        }
        let (words, whole) = (label::command(argv), label::whole_command(argv));
        let own_step = matches!(&step.input, Input::Program { client: own, act: Act::Step { .. } } if *own == client);
        let was_queued = self
            .lane(LaneKey::Client(client))
            .is_some_and(|lane| lane.open_bars().any(|bar| bar.kind == BarKind::Waits));
        if own_step && !was_queued {
            let thread = match &step.input {
                Input::Program { act: Act::Step { thread }, .. } => *thread,
                _ => 0,
            };
            line(row, client, thread, node, LaneEvent::Asks { words, whole, way: RequestProgress::Executed });
        } else if let Some(node) = node {
            row.at_node(node, Some(AtServer::Serves { client, words, whole }));
        }
    }

    fn program_event(
        &mut self,
        row: &mut Row,
        client: ClientIndex,
        thread: Thread,
        what: &ProgramEvent,
        event: &Event,
    ) {
        let at = self.at();
        let left = |until_ms: u64| until_ms.saturating_sub(event.at_ms);
        let own = |bar: &Bar| bar.thread == thread;
        let shown = match what {
            ProgramEvent::Loaded | ProgramEvent::Restarted => {
                let lane = self.lane_mut(client);
                lane.end(at, |_| true);
                lane.threads = vec![0];
                self.asked.retain(|(asker, ..)| *asker != client);
                if *what == ProgramEvent::Loaded { LaneEvent::Loaded } else { LaneEvent::Restarted }
            }
            ProgramEvent::Unplayable(_) => {
                self.over(client, at, false);
                LaneEvent::Unplayable
            }
            ProgramEvent::Sent { argv } => {
                let words = label::command(argv);
                let lane = self.lane_mut(client);
                lane.requests = lane.requests.saturating_add(1);
                lane.begin(at, thread, BarKind::Waits);
                self.asked.push((client, thread, words.clone()));
                LaneEvent::Asks { words, whole: label::whole_command(argv), way: RequestProgress::Queued }
            }
            ProgramEvent::Delivered { value } => {
                self.answered(client, thread);
                // This reply does not come from a node.
                let is_late = matches!(value, resp::Value::Error(text) if text.as_ref() == TIMED_OUT.as_bytes());
                if is_late { LaneEvent::TimedOut } else { gets(value) }
            }
            ProgramEvent::Lost { direction, .. } => {
                let words = self.answered(client, thread).unwrap_or_default();
                // The client still expects a reply.
                self.lane_mut(client).begin(at, thread, BarKind::Waits);
                let sent = sent(row, client, thread).filter(|_| *direction == Direction::Request);
                match (direction, sent) {
                    (Direction::Request, Some(way)) => return *way = RequestProgress::Lost,
                    (Direction::Request, None) => {
                        LaneEvent::Asks { whole: words.clone(), words, way: RequestProgress::Lost }
                    }
                    (Direction::Reply, _) => LaneEvent::Misses,
                }
            }
            ProgramEvent::Rests { is_busy, until_ms } => {
                self.lane_mut(client).begin(at, thread, BarKind::Rests { is_busy: *is_busy });
                LaneEvent::Rests { is_busy: *is_busy, ms: left(*until_ms) }
            }
            ProgramEvent::Woke => {
                let is_rest = |bar: &Bar| matches!(bar.kind, BarKind::Rests { .. } | BarKind::Waits) && own(bar);
                self.lane_mut(client).end(at, is_rest);
                return;
            }
            ProgramEvent::Listens { until_ms } => {
                self.lane_mut(client).begin(at, thread, BarKind::Listens);
                LaneEvent::Listens { ms: until_ms.map(left) }
            }
            ProgramEvent::Heard { words } => {
                self.lane_mut(client).end(at, |bar| bar.kind == BarKind::Listens && own(bar));
                let words: Vec<String> = words.iter().map(|word| label::word(word)).collect();
                LaneEvent::Hears { words: (!words.is_empty()).then(|| words.join(": ")) }
            }
            ProgramEvent::Entered { section } => {
                self.lane_mut(client).begin(at, thread, BarKind::Section(section.clone()));
                LaneEvent::Enters(label::word(section))
            }
            ProgramEvent::Left { section } => {
                let lane = self.lane_mut(client);
                let is_it = |bar: &Bar| bar.kind == BarKind::Section(section.clone()) && own(bar);
                // Of several nested sections, only the last one remains.
                let newest = lane.open_bar(is_it).map(|bar| (bar.from, bar.track));
                lane.end(at, |bar| newest == Some((bar.from, bar.track)) && is_it(bar));
                LaneEvent::Leaves(label::word(section))
            }
            ProgramEvent::Noted { text } => LaneEvent::Notes(label::said(text)),
            ProgramEvent::Checked { holds, text } => LaneEvent::Checks { holds: *holds, text: label::said(text) },
            ProgramEvent::Tallied { name, n, total } => {
                LaneEvent::Tallies { name: label::said(name), n: *n, total: *total }
            }
            ProgramEvent::Produced { id, .. } => LaneEvent::Produces(label::word(id)),
            ProgramEvent::Processed { id, times } => LaneEvent::Processes { id: label::word(id), times: *times },
            ProgramEvent::Spawned { thread: child } => {
                self.lane_mut(client).threads.push(*child);
                LaneEvent::Spawns(*child)
            }
            ProgramEvent::Cancelled => self.thread_over(client, thread, true, LaneEvent::Cancelled),
            ProgramEvent::Ended => self.thread_over(client, thread, true, LaneEvent::Ended),
            ProgramEvent::Failed(_) => self.thread_over(client, thread, false, LaneEvent::Failed),
            ProgramEvent::RanAway => {
                self.over(client, at, false);
                LaneEvent::RanAway
            }
            ProgramEvent::Crashed => {
                let lane = self.lane_mut(client);
                lane.end(at, |_| true);
                lane.threads.clear();
                lane.begin(at, 0, BarKind::Crashed);
                LaneEvent::Crashed
            }
            ProgramEvent::StoodStill => LaneEvent::StoodStill,
            ProgramEvent::Deafened { .. } => LaneEvent::Deafened,
            ProgramEvent::Paused => {
                self.lane_mut(client).begin(at, 0, BarKind::Paused);
                LaneEvent::Paused
            }
            ProgramEvent::Resumed => {
                self.lane_mut(client).end(at, |bar| bar.kind == BarKind::Paused);
                LaneEvent::Resumed
            }
            ProgramEvent::ClockShifted { ms } => LaneEvent::ClockShifted { ms: *ms },
            ProgramEvent::Delayed { ms } => LaneEvent::Delayed { ms: *ms },
        };
        line(row, client, thread, event.node, shown);
    }

    /// The request that a thread waited for is no longer in flight.
    fn answered(&mut self, client: ClientIndex, thread: Thread) -> Option<String> {
        let at = self.at();
        self.lane_mut(client).end(at, |bar| bar.kind == BarKind::Waits && bar.thread == thread);
        let place = self.asked.iter().position(|(asker, its, _)| (*asker, *its) == (client, thread))?;
        Some(self.asked.swap_remove(place).2)
    }

    fn thread_over(&mut self, client: ClientIndex, thread: Thread, is_well: bool, what: LaneEvent) -> LaneEvent {
        let at = self.at();
        let lane = self.lane_mut(client);
        lane.end(at, |bar| bar.thread == thread && bar.kind != BarKind::Paused);
        lane.threads.retain(|other| *other != thread);
        if lane.threads.is_empty() {
            self.over(client, at, is_well);
        }
        what
    }

    fn over(&mut self, client: ClientIndex, at: usize, is_well: bool) {
        let lane = self.lane_mut(client);
        lane.end(at, |_| true);
        lane.threads.clear();
        lane.begin(at, 0, BarKind::Over { is_well });
    }
}

fn gets(value: &resp::Value) -> LaneEvent {
    LaneEvent::Gets {
        words: label::reply(value),
        whole: label::said(resp::cli::text(value, resp::Protocol::Resp3).as_bytes()),
        is_error: matches!(value, resp::Value::Error(_)),
    }
}

fn passed(input: &Input) -> Option<u64> {
    match input {
        Input::Advance { ms } => Some(*ms),
        _ => None,
    }
}

/// The way of a request that was sent in this row and has not been executed.
fn sent(row: &mut Row, client: ClientIndex, thread: Thread) -> Option<&mut RequestProgress> {
    let cells = row.cells.iter_mut().filter(|cell| cell.client == client).flat_map(|cell| &mut cell.lines);
    cells.filter(|line| line.thread == thread).find_map(|line| match &mut line.what {
        LaneEvent::Asks { way, .. } if *way == RequestProgress::Queued => Some(way),
        _ => None,
    })
}

impl Row {
    /// Adds a line for what happened at a node.
    pub(super) fn at_node(&mut self, node: NodeIndex, at_server: Option<AtServer>) {
        let Some(at_server) = at_server else { return };
        match self.nodes.iter_mut().find(|cell| cell.node == node) {
            Some(cell) => cell.lines.push(at_server),
            None => self.nodes.push(NodeCell { node, lines: vec![at_server] }),
        }
    }
}

fn line(row: &mut Row, client: ClientIndex, thread: Thread, node: Option<NodeIndex>, what: LaneEvent) {
    let at = row.cells.iter().position(|cell| cell.client == client).unwrap_or_else(|| {
        row.cells.push(Cell { client, lines: Vec::new() });
        row.cells.len().saturating_sub(1)
    });
    if let Some(cell) = row.cells.get_mut(at) {
        cell.lines.push(LaneLine { thread, node, what });
    }
}

/// The new value of a key in a few characters.
fn value(key: &[u8], before: &KeyState, after: &KeyState) -> Option<AtServer> {
    let value = match after.as_ref().map(|entry| &entry.value) {
        None => None,
        Some(value) if before.as_ref().is_some_and(|before| before.value == *value) => return None,
        Some(Held::String(text)) if text.len() <= VALUE_BYTES_MAX => Some(label::word(&text.to_bytes())),
        Some(Held::String(_)) => Some("…".to_owned()),
        Some(other) => crate::state::description::count(other).map(|count| format!("({count})")),
    };
    Some(AtServer::Value { key: label::word(key), value })
}
