//! What is done to links, and what a cut link does to connections. These functions are part of a chunk of the page, so none is inlined.
use super::{Link, LinkAct};
use crate::{ClientIndex, DELAY_MAX_MS, Event, EventKind, NodeIndex, StepError, World};

impl World {
    #[inline(never)]
    pub(crate) fn check_link_act(&self, client: ClientIndex, node: NodeIndex, act: LinkAct) -> Result<(), StepError> {
        if self.server(node).is_none() {
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
        let (link, kind) = match act {
            LinkAct::Cut => (Link { is_cut: true, ..link }, EventKind::LinkCut { client }),
            LinkAct::Mend => (Link { is_cut: false, ..link }, EventKind::LinkMended { client }),
            LinkAct::Delay { ms } => (Link { delay_ms: ms, ..link }, EventKind::LinkDelayed { client, ms }),
        };
        self.network.set(client, node, link);
        self.tell(events, Some(node), kind);
        match act {
            LinkAct::Cut => self.stop_listening(client, node, events),
            LinkAct::Mend => self.hear_again(client, node, events),
            LinkAct::Delay { .. } => {}
        }
    }

    /// What a node tells a client that listens, or waits inside a command, stays with the node.
    fn stop_listening(&mut self, client: ClientIndex, node: NodeIndex, events: &mut Vec<Event>) {
        let Some((at, connection)) = self.listening_connection(client).filter(|(at, _)| *at == node) else { return };
        self.on_server(at, Some(client), events, |server| {
            server.stop_reading(connection);
            Vec::new()
        });
    }

    /// The client hears what was kept for it, and the node that connections were given up.
    fn hear_again(&mut self, client: ClientIndex, node: NodeIndex, events: &mut Vec<Event>) {
        for connection in self.network.take_half_open(client, node) {
            self.forget(node, connection, events);
        }
        let reads = self.client(client).filter(|found| found.node == node).and_then(|_| self.read_connection(client));
        if let Some(connection) = reads.filter(|_| !self.is_paused(client)) {
            let clock_ms = self.clock_ms(node);
            self.on_server(node, Some(client), events, |server| server.read_on(clock_ms, connection));
        }
    }

    /// The connection through which a client listens, or on which a terminal waits inside a command.
    fn listening_connection(&self, client: ClientIndex) -> Option<(NodeIndex, redis_model::ClientId)> {
        let found = self.client(client)?;
        let connection = self.read_connection(client)?;
        let is_heard = |known: &&redis_model::Client| {
            let waits = known.blocked.is_some() && found.program.is_none();
            known.is_subscriber() || known.is_monitor || waits
        };
        self.server(found.node)?.client(connection).filter(is_heard)?;
        Some((found.node, connection))
    }

    /// A command typed over a cut link gets nowhere: the client gives its connection up, unless a program speaks through it too.
    #[inline(never)]
    pub(crate) fn type_in_vain(&mut self, client: ClientIndex, node: NodeIndex, events: &mut Vec<Event>) {
        self.tell(events, Some(node), EventKind::Unreachable { client });
        if let Some(connection) =
            self.client(client).filter(|found| found.program.is_none()).and_then(|found| found.connection)
        {
            self.forget(node, connection, events);
        }
    }

    /// A client leaves the stage, and its links with it: what it has given up is closed.
    #[inline(never)]
    pub(crate) fn remove_links(&mut self, client: ClientIndex, events: &mut Vec<Event>) {
        for node in (0..self.nodes.len()).map(NodeIndex) {
            if self.link(client, node) != Link::default() {
                self.network.set(client, node, Link::default());
                for connection in self.network.take_half_open(client, node) {
                    self.forget(node, connection, events);
                }
            }
        }
    }
}
