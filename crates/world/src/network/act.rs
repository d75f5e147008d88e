//! Cutting, mending and delaying links, and what a cut link does to connections. These functions are part of a chunk of the page, so none
//! is inlined.
use super::{Link, LinkAct};
use crate::{ClientIndex, DELAY_MAX_MS, Event, EventKind, NodeIndex, StepError, World};

impl World {
    #[inline(never)]
    pub(crate) fn check_link_act(&self, client: ClientIndex, node: NodeIndex, act: LinkAct) -> Result<(), StepError> {
        if !self.has_node(node) {
            return Err(StepError::UnknownServer(node));
        }
        let link = self.link(client, node);
        let is_possible = match act {
            LinkAct::Cut => !link.is_cut,
            LinkAct::Mend => link.is_cut,
            LinkAct::Delay { ms } => ms <= DELAY_MAX_MS,
        };
        if is_possible { Ok(()) } else { Err(StepError::LinkCannot(client, node)) }
    }

    #[inline(never)]
    pub(crate) fn act_on_link(&mut self, client: ClientIndex, node: NodeIndex, act: LinkAct, events: &mut Vec<Event>) {
        let link = self.link(client, node);
        let link = match act {
            LinkAct::Cut => Link { is_cut: true, ..link },
            LinkAct::Mend => Link { is_cut: false, ..link },
            LinkAct::Delay { ms } => Link { delay_ms: ms, ..link },
        };
        self.network.set(client, node, link);
        self.emit(events, Some(node), EventKind::LinkChanged { client, act });
        let is_own = self.client(client).is_some_and(|found| found.node == node);
        match act {
            LinkAct::Cut if is_own && self.listens(client) => self.stop_reading(client, events),
            LinkAct::Cut | LinkAct::Delay { .. } => {}
            LinkAct::Mend => {
                self.close_half_open(client, node, events);
                if is_own {
                    self.read_on(client, events);
                }
            }
        }
    }

    /// Tells the node about the connections that the client has given up.
    fn close_half_open(&mut self, client: ClientIndex, node: NodeIndex, events: &mut Vec<Event>) {
        for connection in self.network.take_half_open(client, node) {
            self.close(node, connection, events);
        }
    }

    /// Is the client subscribed, or blocked in its terminal? Its node may then send it more than one reply.
    fn listens(&self, client: ClientIndex) -> bool {
        let Some(found) = self.client(client) else { return false };
        let known = self.read_connection(client).and_then(|connection| self.server(found.node)?.client(connection));
        known.is_some_and(|known| {
            let waits = known.blocked.is_some() && found.program.is_none();
            known.is_subscriber() || known.is_monitor || waits
        })
    }

    /// A command typed over a cut link is lost: the client gives up its connection, unless a program uses it too.
    #[inline(never)]
    pub(crate) fn refuse_typed(&mut self, client: ClientIndex, events: &mut Vec<Event>) {
        let Some(found) = self.client(client) else { return };
        let (node, given_up) = (found.node, found.connection.filter(|_| found.program.is_none()));
        self.emit(events, Some(node), EventKind::Unreachable { client });
        if let Some(connection) = given_up {
            self.close(node, connection, events);
        }
    }

    /// Removes the links of a client that leaves, and closes the connections it has given up.
    #[inline(never)]
    pub(crate) fn remove_links(&mut self, client: ClientIndex, events: &mut Vec<Event>) {
        for node in self.nodes() {
            if self.link(client, node) != Link::default() {
                self.network.set(client, node, Link::default());
                self.close_half_open(client, node, events);
            }
        }
    }
}
