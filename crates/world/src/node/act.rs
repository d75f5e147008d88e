//! Crash, restart and clock jumps of nodes, and terminals that switch nodes. These functions are part of a chunk of the page, so none is
//! inlined.
use redis_model::CloseReason;

use super::{CLOCK_AHEAD_MAX_MS, NodeAct, NodeIndex};
use crate::{ClientIndex, Event, EventKind, StepError, World};

impl World {
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

    #[inline(never)]
    pub(crate) fn act_on_node(&mut self, node: NodeIndex, act: NodeAct, events: &mut Vec<Event>) {
        let (now_ms, config) = (self.now_ms, self.settings().config(node));
        match act {
            NodeAct::Crash => {
                self.emit(events, Some(node), EventKind::NodeCrashed);
                self.close_connections(node, events);
                if self.traffic.is_some() {
                    self.report_crash_to_traffic(node);
                }
                if let Some(found) = self.nodes.get_mut(node.0) {
                    found.crash(config, now_ms);
                }
            }
            NodeAct::Restart => {
                if let Some(found) = self.nodes.get_mut(node.0) {
                    let loaded = found.restart(config, now_ms);
                    self.emit(events, Some(node), EventKind::NodeRestarted { loaded });
                }
            }
            NodeAct::ShiftClock { ms } => {
                if let Some(found) = self.nodes.get_mut(node.0) {
                    found.sync_disk(now_ms);
                    found.clock_ahead_ms = found.clock_ahead_ms.saturating_add(ms);
                }
                self.emit(events, Some(node), EventKind::NodeClockShifted { ms });
                // Everything due in the skipped time happens now.
                let clock_ms = self.clock_ms(node);
                self.advance_node(node, clock_ms, events);
            }
        }
    }

    /// Closes all connections of a crashing node. Requests that were not executed are lost.
    fn close_connections(&mut self, node: NodeIndex, events: &mut Vec<Event>) {
        self.network.lose_requests_at(node);
        self.network.drop_terminals_at(node);
        self.network.drop_half_open(node);
        let open: Vec<_> =
            self.owners.iter().filter(|((at, _), _)| *at == node).map(|((_, id), owner)| (*id, *owner)).collect();
        for (connection, owner) in open {
            self.owners.remove(&(node, connection));
            self.on_disconnect(node, owner, connection, events);
            if let Some(kind) = owner.closed(CloseReason::Crashed) {
                self.emit(events, Some(node), kind);
            }
        }
    }

    #[inline(never)]
    pub(crate) fn check_switch_node(&self, client: ClientIndex, node: NodeIndex) -> Result<(), StepError> {
        let Some(found) = self.client(client) else { return Err(StepError::UnknownClient(client)) };
        if !self.has_node(node) {
            return Err(StepError::UnknownServer(node));
        }
        if found.node == node || found.program.is_some() {
            return Err(StepError::NotNow(client));
        }
        if found.is_paused {
            return Err(StepError::ClientIsPaused(client));
        }
        if self.is_waiting(client) {
            return Err(StepError::ClientIsBlocked(client));
        }
        Ok(())
    }

    /// Closes the connection of a client and connects it to another node.
    #[inline(never)]
    pub(crate) fn switch_node(&mut self, client: ClientIndex, node: NodeIndex, events: &mut Vec<Event>) {
        self.disconnect(client, events);
        if let Some(found) = self.client_mut(client) {
            found.node = node;
        }
        self.connect(client, events);
    }
}
