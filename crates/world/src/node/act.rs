//! What is done to nodes, and terminals that turn from one to another.
use redis_model::CloseReason;

use super::{CLOCK_AHEAD_MAX_MS, NodeAct, NodeIndex};
use crate::{ClientIndex, Event, EventKind, StepError, World};

impl World {
    // A function of its own, so that it can be part of a chunk.
    #[inline(never)]
    pub(crate) fn check_node_act(&self, node: NodeIndex, act: NodeAct) -> Result<(), StepError> {
        let Some(found) = self.nodes.get(node.0) else { return Err(StepError::UnknownServer(node)) };
        let is_possible = match act {
            NodeAct::Crash => found.is_up,
            NodeAct::Restart => !found.is_up,
            NodeAct::ShiftClock { ms } => {
                found.clock_ahead_ms.checked_add(ms).is_some_and(|ahead_ms| ms > 0 && ahead_ms <= CLOCK_AHEAD_MAX_MS)
            }
        };
        if is_possible { Ok(()) } else { Err(StepError::NodeCannot(node)) }
    }

    // A function of its own, so that it can be part of a chunk.
    #[inline(never)]
    pub(crate) fn act_on_node(&mut self, node: NodeIndex, act: NodeAct, events: &mut Vec<Event>) {
        let (now_ms, config) = (self.now_ms, self.config_of(node));
        match act {
            NodeAct::Crash => {
                self.tell(events, Some(node), EventKind::NodeCrashed);
                self.break_lines(node, events);
                if let Some(found) = self.nodes.get_mut(node.0) {
                    found.crash(config, now_ms);
                }
            }
            NodeAct::Restart => {
                if let Some(found) = self.nodes.get_mut(node.0) {
                    found.restart(config, now_ms);
                }
                self.tell(events, Some(node), EventKind::NodeRestarted);
            }
            NodeAct::ShiftClock { ms } => {
                if let Some(found) = self.nodes.get_mut(node.0) {
                    found.write_behind(now_ms);
                    found.clock_ahead_ms = found.clock_ahead_ms.saturating_add(ms);
                }
                self.tell(events, Some(node), EventKind::NodeClockShifted { ms });
                // What was due in the time that was jumped over happens now.
                let clock_ms = self.clock_ms(node);
                self.on_server(node, None, events, |server| server.advance(clock_ms));
            }
        }
    }

    /// All connections of a node break, and what was on its way to it or waited there is lost.
    fn break_lines(&mut self, node: NodeIndex, events: &mut Vec<Event>) {
        if let Some(queue) = self.queues.get_mut(node.0).filter(|queue| !queue.is_empty()) {
            for queued in std::mem::take(queue) {
                // Whoever waits in the queue waits for an answer from now on, and learns below that there will be none.
                if self.lines.contains_key(&(node, queued.connection)) {
                    self.await_answer(queued.client, queued.thread);
                }
            }
        }
        let clients: Vec<ClientIndex> =
            self.clients().filter(|(_, found)| found.node == node).map(|(client, _)| client).collect();
        for client in clients {
            if self.process(client).is_some_and(|process| !process.late().is_empty()) {
                self.lose_late(client);
            }
        }
        let lines: Vec<_> =
            self.lines.iter().filter(|((at, _), _)| *at == node).map(|(key, line)| (key.1, *line)).collect();
        for (connection, line) in lines {
            self.lines.remove(&(node, connection));
            self.line_breaks(line, connection);
            if let Some(kind) = line.closed(CloseReason::Crashed) {
                self.tell(events, Some(node), kind);
            }
        }
    }

    // A function of its own, so that it can be part of a chunk.
    #[inline(never)]
    pub(crate) fn check_turn(&self, client: ClientIndex, node: NodeIndex) -> Result<(), StepError> {
        let Some(found) = self.client(client) else { return Err(StepError::UnknownClient(client)) };
        if self.server(node).is_none() {
            return Err(StepError::UnknownServer(node));
        }
        if found.node == node || found.program.is_some() {
            return Err(StepError::NotNow(client));
        }
        if found.is_paused {
            return Err(StepError::ClientIsPaused(client));
        }
        if self.connection(client).is_some_and(|connection| connection.blocked.is_some()) {
            return Err(StepError::ClientIsBlocked(client));
        }
        Ok(())
    }

    /// From now on a client speaks to another node: its connection to the former is closed.
    // A function of its own, so that it can be part of a chunk.
    #[inline(never)]
    pub(crate) fn turn(&mut self, client: ClientIndex, node: NodeIndex, events: &mut Vec<Event>) {
        self.disconnect(client, events);
        if let Some(found) = self.client_mut(client) {
            found.node = node;
        }
        self.connect(client, events);
    }
}
