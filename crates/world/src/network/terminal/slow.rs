//! Messages that take time between a terminal and a node.
//!
//! These functions are part of a chunk of the page, so none is inlined.
use super::{Delivery, Typed};
use crate::network::connection::Owner;
use crate::{ClientIndex, Event, EventKind, NodeIndex, World};

/// The message that arrives next.
enum Arrival {
    Typed(Typed),
    Said(Delivery),
}

impl World {
    #[inline(never)]
    pub(super) fn type_slowly(&mut self, mut typed: Typed, events: &mut Vec<Event>) {
        typed.at_ms = self.now_ms.saturating_add(typed.at_ms);
        let (client, argv, until_ms) = (typed.client, typed.argv.clone(), typed.at_ms);
        let (db, is_in_multi) = self.prompt_of(typed.node, typed.connection);
        self.emit(events, Some(typed.node), EventKind::Typed { client, argv, db, is_in_multi, until_ms });
        self.network.typed.push(typed);
    }

    /// Values sent through one connection arrive in order.
    #[inline(never)]
    pub(super) fn say_slowly(&mut self, mut said: Delivery) -> Option<EventKind> {
        let is_same = |other: &&Delivery| (other.node, other.owner) == (said.node, said.owner);
        let behind_ms = self.network.said.iter().filter(is_same).map(|other| other.at_ms).max();
        if said.at_ms == 0 && behind_ms.is_none() {
            return Some(self.hear(said.owner, said.value, said.protocol, said.is_reply));
        }
        said.at_ms = self.now_ms.saturating_add(said.at_ms).max(behind_ms.unwrap_or_default());
        self.network.said.push(said);
        None
    }

    /// Time and index of the message that arrives next: at the same time, values from nodes come before typed commands.
    #[inline(never)]
    pub(super) fn next_arrival(&self) -> Option<(u64, bool, usize)> {
        let gets_through = |client: ClientIndex, node: NodeIndex| !self.is_cut(client, node);
        let said = self.network.said.iter().enumerate();
        let said = said.filter(|(_, said)| gets_through(said.client, said.node) && !self.is_paused(said.client));
        let said = said.map(|(place, said)| (said.at_ms, false, place));
        let typed = self.network.typed.iter().enumerate();
        let typed = typed.filter(|(_, typed)| gets_through(typed.client, typed.node));
        said.chain(typed.map(|(place, typed)| (typed.at_ms, true, place))).min()
    }

    #[inline(never)]
    pub(super) fn arrivals(&mut self, events: &mut Vec<Event>) {
        while let Some((_, is_typed, place)) = self.next_arrival().filter(|(at_ms, ..)| *at_ms <= self.now_ms) {
            let arrival = match is_typed {
                true => Arrival::Typed(self.network.typed.remove(place)),
                false => Arrival::Said(self.network.said.remove(place)),
            };
            match arrival {
                Arrival::Typed(Typed { client, node, argv, connection, .. }) => {
                    let is_open = self.owners.get(&(node, connection)) == Some(&Owner::Client(client));
                    self.execute(node, connection, is_open.then_some(client), argv, events);
                    if !is_open {
                        // The client has closed the connection meanwhile; the node learns of it now.
                        self.close(node, connection, events);
                    }
                }
                Arrival::Said(Delivery { node, owner, value, protocol, is_reply, .. }) => {
                    let kind = self.hear(owner, value, protocol, is_reply);
                    self.emit(events, Some(node), kind);
                }
            }
        }
    }
}
