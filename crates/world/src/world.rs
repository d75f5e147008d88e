//! `World`: servers, virtual clients and one clock, changed only by inputs.

use std::ops::{Deref, DerefMut};
use std::rc::Rc;

use bytes::Bytes;
use redis_model::{Cause, Client, ClientId, Former, Output, Part, Server, command, sorted_map::SortedMap};
use resp::Protocol;

use crate::network::{Network, Owner};
use crate::node::Node;
use crate::programs::Condition;
use crate::traffic::Traffic;
use crate::{
    ClientIndex, Engines, Event, EventKind, Fingerprint, Input, NODES_MAX, NodeIndex, NodeSettings, PROPERTIES_MAX,
    ProgramEvent, Settings, StepError, VirtualClient, Watch, fingerprint, is_good_name,
};

/// Maximum number of virtual clients.
pub const CLIENTS_MAX: usize = 1024;
/// Maximum number of words of a command. Redis' own limit is a million or more.
pub const ARGUMENTS_MAX: usize = 1024 * 1024;
/// 31 December 9999, 23:59:59.999 UTC.
const END_OF_TIME_MS: u64 = 253_402_300_799_999;

/// A world: `World` + [`Input`] → `World` + [`Event`]s. Cloning costs microseconds.
///
/// ```
/// use world::{EventKind, Input, Settings, World};
///
/// let mut world = World::new(Settings::default());
/// world.step(&Input::Connect { client: 0, name: "c1".into() })?;
/// let events = world.step(&Input::Command { client: 0, argv: vec!["SET".into(), "k".into(), "v".into()] })?;
/// assert!(events.iter().any(|event| matches!(&event.kind, EventKind::Reply { value, .. } if *value == resp::Value::OK)));
/// # Ok::<(), world::StepError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct World {
    settings: Rc<Settings>,
    engines: Engines,
    pub(crate) now_ms: u64,
    /// The nodes, by number. Services of unchanged nodes are shared between worlds.
    pub(crate) nodes: Vec<Node>,
    pub(crate) clients: SortedMap<ClientIndex, Part<VirtualClient>>,
    /// The owner of each open connection.
    pub(crate) owners: Part<SortedMap<(NodeIndex, ClientId), Owner>>,
    pub(crate) network: Part<Network>,
    pub(crate) watch: Part<Watch>,
    /// The traffic, if there is any.
    pub(crate) traffic: Option<Rc<Traffic>>,
}

impl World {
    /// The same as [`World::with_engines`] without engines: the world rejects scripts and programs.
    pub fn new(settings: Settings) -> World {
        World::with_engines(settings, &Engines::default())
    }

    /// A world with its nodes and no clients. It has at least one node and at most [`NODES_MAX`].
    pub fn with_engines(mut settings: Settings, engines: &Engines) -> World {
        if settings.nodes.is_empty() {
            settings.nodes.push(NodeSettings::default());
        }
        settings.nodes.truncate(NODES_MAX);
        let now_ms = settings.start_ms.min(END_OF_TIME_MS);
        let nodes = settings.nodes.iter().enumerate();
        let started = nodes.map(|(place, node)| Node::new(node, settings.config(NodeIndex(place)), now_ms, engines));
        World {
            nodes: started.collect(),
            clients: SortedMap::new(),
            owners: Part::default(),
            network: Part::default(),
            watch: Part::default(),
            traffic: None,
            now_ms,
            engines: engines.clone(),
            settings: Rc::new(settings),
        }
    }

    /// Its settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Its engines, which run scripts and play programs.
    pub fn engines(&self) -> &Engines {
        &self.engines
    }

    /// The clock, Unix time in ms.
    pub fn now_ms(&self) -> u64 {
        self.now_ms
    }

    /// When something happens by itself next.
    pub fn next_deadline_ms(&self) -> Option<u64> {
        self.nodes.iter().filter_map(Node::next_deadline_ms).chain(self.next_arrival_ms()).min()
    }

    /// When something happens by itself next, at a server or because a program wakes up, Unix time in ms.
    pub fn next_event_ms(&self) -> Option<u64> {
        let wakes = self.clients.keys().filter_map(|client| self.wakes_ms(*client));
        wakes.filter(|at_ms| *at_ms > self.now_ms).chain(self.next_deadline_ms()).min()
    }

    /// The nodes; there is always at least one.
    pub fn nodes(&self) -> impl Iterator<Item = NodeIndex> + use<> {
        (0..self.nodes.len()).map(NodeIndex)
    }

    /// Is there a node with this number?
    pub fn has_node(&self, node: NodeIndex) -> bool {
        node.0 < self.nodes.len()
    }

    /// The nodes that are Redis servers.
    pub fn servers(&self) -> impl Iterator<Item = (NodeIndex, &Server)> {
        self.nodes().filter_map(|node| Some((node, self.server(node)?)))
    }

    /// The Redis server of a node; `None` if the node runs something else.
    pub fn server(&self, node: NodeIndex) -> Option<&Server> {
        self.nodes.get(node.0)?.server().map(Rc::as_ref)
    }

    /// The virtual clients, by number.
    pub fn clients(&self) -> impl Iterator<Item = (ClientIndex, &VirtualClient)> {
        self.clients.iter().map(|(index, client)| (*index, &**client))
    }

    /// A virtual client by number.
    pub fn client(&self, index: ClientIndex) -> Option<&VirtualClient> {
        self.clients.get_near(place_of(index), &index).map(Deref::deref)
    }

    /// A virtual client by number, mutable.
    pub(crate) fn client_mut(&mut self, index: ClientIndex) -> Option<&mut VirtualClient> {
        self.clients.get_near_mut(place_of(index), &index).map(DerefMut::deref_mut)
    }

    /// The server's state of a client's connection; `None` if there is no connection.
    pub fn connection(&self, index: ClientIndex) -> Option<&Client> {
        let client = self.client(index)?;
        self.server(client.node)?.client(client.connection?)
    }

    /// Is the client paused?
    pub fn is_paused(&self, index: ClientIndex) -> bool {
        self.client(index).is_some_and(|found| {
            let of_program = found.program.as_ref().map(|process| process.condition() == Condition::Paused);
            of_program.unwrap_or(found.is_paused)
        })
    }

    /// The connection of a paused client with unread output.
    pub fn unread(&self, index: ClientIndex) -> Option<&Client> {
        let node = self.client(index)?.node;
        self.server(node)?.client(self.read_connection(index)?).filter(|client| client.unread.is_some())
    }

    /// The connection that a client stops reading when it is paused: its own, or the one on which its program listens. With a program, the
    /// client's own connection carries replies, unless `SUBSCRIBE` was typed.
    pub(crate) fn read_connection(&self, index: ClientIndex) -> Option<ClientId> {
        let found = self.client(index)?;
        let Some(process) = found.program.as_ref() else { return found.connection };
        process
            .subscription
            .or_else(|| found.connection.filter(|_| self.connection(index).is_some_and(Client::is_subscriber)))
    }

    /// Would this command of this client run a script, so that the world needs a machine?
    pub fn needs_machine(&self, index: ClientIndex, argv: &[Bytes]) -> bool {
        if self.client(index).is_some_and(|client| self.table(client.node).is_some()) {
            return false;
        }
        let server = self.client(index).and_then(|client| Some((self.server(client.node)?, client.connection?)));
        server.map_or_else(|| command::needs_machine(argv), |(server, id)| server.needs_machine(id, argv))
    }

    /// The virtual client of a connection.
    pub fn client_of_connection(&self, node: NodeIndex, id: ClientId) -> Option<ClientIndex> {
        self.owners.get(&(node, id)).map(|owner| owner.client())
    }

    /// The fingerprint of its whole state.
    pub fn fingerprint(&self) -> Fingerprint {
        fingerprint(self)
    }

    /// Takes an input.
    ///
    /// # Errors
    /// [`StepError`]; nothing has changed then.
    pub fn step(&mut self, input: &Input) -> Result<Vec<Event>, StepError> {
        let mut events = Vec::new();
        self.step_into(input, &mut events)?;
        Ok(events)
    }

    /// The same, but appends the events to an existing empty list: a search takes many steps and reuses one list.
    pub(crate) fn step_into(&mut self, input: &Input, events: &mut Vec<Event>) -> Result<(), StepError> {
        self.check(input)?;
        match input {
            Input::Connect { client, name } => {
                // The line that adds a client names no node.
                let node = NodeIndex::FIRST;
                let fresh = VirtualClient {
                    name: name.as_str().into(),
                    node,
                    connection: None,
                    is_paused: false,
                    program: None,
                };
                self.clients.insert(*client, Part::new(fresh));
                self.connect(*client, events);
            }
            Input::Disconnect { client } => {
                if self.network.has_links_of(*client) {
                    self.remove_links(*client, events);
                }
                self.close_all(*client, events);
                self.disconnect(*client, events);
                self.hurry_held_up(*client);
                self.clients.remove(client);
            }
            Input::Rename { client, name } => {
                if let Some(virtual_client) = self.client_mut(*client) {
                    virtual_client.name = name.as_str().into();
                }
                self.emit(events, None, EventKind::Renamed { client: *client });
            }
            Input::Command { client, argv } => self.command(*client, argv, events),
            Input::Interrupt { client } => {
                self.emit(events, None, EventKind::Interrupted { client: *client });
                if let Some(found) = self.client_mut(*client) {
                    found.is_paused = false;
                }
                self.disconnect(*client, events);
                self.connect(*client, events);
            }
            Input::Advance { ms } => {
                let until_ms = self.now_ms.saturating_add(*ms);
                let late = self.passed_over(until_ms);
                self.advance(until_ms, events);
                self.end_advance(&late, events);
                return Ok(());
            }
            Input::Program { client, act } => self.act(*client, act, events),
            Input::Serve { node } => self.serve(*node, events),
            Input::SwitchNode { client, node } => self.switch_node(*client, *node, events),
            Input::Node { node, act } => self.act_on_node(*node, *act, events),
            Input::Link { client, node, act } => self.act_on_link(*client, *node, *act, events),
            Input::Traffic { act } => self.act_on_traffic(act, events),
            Input::Watch { property } => self.watch.watch(property.clone()),
        }
        self.end_step(events);
        Ok(())
    }

    /// Reports clients that could have run while time passed, and ends the step.
    pub(crate) fn end_advance(&mut self, late: &[ClientIndex], events: &mut Vec<Event>) {
        for client in late {
            self.emit(events, None, EventKind::Program { client: *client, thread: 0, what: ProgramEvent::StoodStill });
        }
        self.end_step(events);
    }

    /// Ends every step.
    pub(crate) fn end_step(&mut self, events: &mut Vec<Event>) {
        self.let_arrive(events);
        self.watch_step(events);
    }

    /// Checks an input completely, before anything changes.
    pub(crate) fn check(&self, input: &Input) -> Result<(), StepError> {
        if let Some(client) = input.client() {
            match (self.clients.contains_key(&client), input) {
                (true, Input::Connect { .. }) => return Err(StepError::ClientExists(client)),
                (false, Input::Connect { .. }) | (true, _) => {}
                (false, _) => return Err(StepError::UnknownClient(client)),
            }
        }
        match input {
            Input::Connect { .. } if self.clients.len() >= CLIENTS_MAX => Err(StepError::TooManyClients(CLIENTS_MAX)),
            Input::Connect { name, .. } | Input::Rename { name, .. } if !is_good_name(name) => Err(StepError::BadName),
            Input::Connect { client, name } | Input::Rename { client, name } if self.is_name_taken(*client, name) => {
                Err(StepError::NameTaken)
            }
            Input::Command { client, argv } => self.check_command(*client, argv),
            Input::Interrupt { client } if !self.is_interruptible(*client) => Err(StepError::ClientIsIdle(*client)),
            Input::Advance { ms } if self.now_ms.saturating_add(*ms) > END_OF_TIME_MS => Err(StepError::EndOfTime),
            Input::Advance { ms } if self.traffic.is_some() => self.check_passing(*ms),
            Input::Program { client, act } => self.check_act(*client, act),
            Input::Serve { node } if !self.has_node(*node) => Err(StepError::UnknownServer(*node)),
            Input::Serve { node } if self.queue(*node).is_empty() => Err(StepError::NothingToServe(*node)),
            Input::SwitchNode { client, node } => self.check_switch_node(*client, *node),
            Input::Node { node, act } => self.check_node_act(*node, *act),
            Input::Link { client, node, act } => self.check_link_act(*client, *node, *act),
            Input::Traffic { act } => self.check_traffic(act),
            Input::Watch { property } if self.watch.contains(property) => Err(StepError::PropertyExists),
            Input::Watch { .. } if self.watch.len() >= PROPERTIES_MAX => {
                Err(StepError::TooManyProperties(PROPERTIES_MAX))
            }
            _ => Ok(()),
        }
    }

    fn is_name_taken(&self, client: ClientIndex, name: &str) -> bool {
        self.clients.iter().any(|(other, found)| *other != client && *found.name == *name)
    }

    fn check_command(&self, client: ClientIndex, argv: &[Bytes]) -> Result<(), StepError> {
        if argv.is_empty() {
            return Err(StepError::EmptyCommand);
        }
        if let Some(why) = self.too_large(argv) {
            return Err(why);
        }
        // Without a machine the reply would be an error; with one, the same session would get a different reply.
        if !self.engines.scripts.is_installed() && self.needs_machine(client, argv) {
            return Err(StepError::NoMachine);
        }
        let is_unread = self.connection(client).is_some_and(|own| own.unread.is_some()) && !self.is_cut_off(client);
        if is_unread || self.client(client).is_some_and(|found| found.is_paused) {
            return Err(StepError::ClientIsPaused(client));
        }
        if self.is_waiting(client) {
            return Err(StepError::ClientIsBlocked(client));
        }
        Ok(())
    }

    /// Does a client wait for the reply to a typed command? Over a cut link it does not wait for messages in flight: the next typed command
    /// gives up the connection.
    pub fn is_waiting(&self, client: ClientIndex) -> bool {
        let at_redis = || self.connection(client).is_some_and(|connection| connection.blocked.is_some());
        at_redis() || self.waits_at_table(client) || (self.network.is_under_way(client) && !self.is_cut_off(client))
    }

    /// The error if a command is too large.
    pub(crate) fn too_large(&self, argv: &[Bytes]) -> Option<StepError> {
        if argv.len() > ARGUMENTS_MAX {
            return Some(StepError::TooManyArguments { given: argv.len(), most: ARGUMENTS_MAX });
        }
        let given = argv.iter().fold(0usize, |sum, word| sum.saturating_add(word.len()));
        let most = usize::try_from(self.settings.proto_max_bulk_len).unwrap_or(usize::MAX);
        (given > most).then_some(StepError::CommandTooLarge { given, most })
    }

    /// Would Ctrl-C interrupt the client now?
    pub fn is_interruptible(&self, client: ClientIndex) -> bool {
        if self.waits_at_table(client) || self.network.is_under_way(client) {
            return true;
        }
        // Over a cut link, values that the node has sent are unread, so the client still waits.
        let is_cut_off = self.is_cut_off(client);
        self.connection(client).is_some_and(|c| {
            c.blocked.is_some() || c.is_subscriber() || c.is_monitor || (is_cut_off && c.unread.is_some())
        })
    }

    fn command(&mut self, client: ClientIndex, argv: &[Bytes], events: &mut Vec<Event>) {
        if self.is_cut_off(client) {
            return self.refuse_typed(client, events);
        }
        if self.address(client).is_none() {
            self.connect(client, events);
        }
        self.send_typed(client, argv.to_vec(), events);
    }

    pub(crate) fn connect(&mut self, client: ClientIndex, events: &mut Vec<Event>) {
        let Some(node) = self.client(client).map(|found| found.node) else { return };
        let Some(connection) = self.open(node, Owner::Client(client)) else {
            let kind = match self.is_cut(client, node) {
                true => EventKind::Unreachable { client },
                false if self.is_up(node) => EventKind::TooManyConnections { client },
                false => EventKind::Refused { client },
            };
            return self.emit(events, Some(node), kind);
        };
        if let Some(found) = self.client_mut(client) {
            found.connection = Some(connection);
        }
        self.emit(events, Some(node), EventKind::Connected { client });
    }

    /// Is the link between a client and its node cut?
    pub(crate) fn is_cut_off(&self, client: ClientIndex) -> bool {
        self.client(client).is_some_and(|found| self.is_cut(client, found.node))
    }

    /// Opens a connection; `None` if the node is down, accepts no more connections, or cannot be reached.
    pub(crate) fn open(&mut self, node: NodeIndex, owner: Owner) -> Option<ClientId> {
        let clock_ms = self.clock_ms(node);
        if !self.is_up(node) || self.is_cut(owner.client(), node) {
            return None;
        }
        let found = self.nodes.get_mut(node.0)?;
        let connection = match found.server_mut() {
            Some(server) => Rc::make_mut(server).connect(clock_ms),
            None => found.connect_to_table(clock_ms)?,
        };
        self.owners.insert((node, connection), owner);
        Some(connection)
    }

    pub(crate) fn disconnect(&mut self, client: ClientIndex, events: &mut Vec<Event>) {
        let Some((node, id)) = self.address(client) else { return };
        self.emit(events, Some(node), EventKind::Disconnected { client, reason: None });
        self.close(node, id, events);
    }

    /// Advances the clock and stops whenever something happens, so that each event has its own time.
    pub(crate) fn advance(&mut self, until_ms: u64, events: &mut Vec<Event>) {
        if self.traffic.is_some() {
            return self.pass_time(until_ms, events);
        }
        let mut is_there = false;
        while let Some(due_ms) = self.next_deadline_ms().filter(|due_ms| *due_ms <= until_ms) {
            self.advance_to(due_ms.max(self.now_ms), events);
            is_there = self.now_ms == until_ms;
        }
        if !is_there {
            self.advance_to(until_ms, events);
        }
    }

    pub(crate) fn advance_to(&mut self, now_ms: u64, events: &mut Vec<Event>) {
        self.now_ms = now_ms;
        for node in self.nodes() {
            self.advance_node(node, self.clock_ms(node), events);
        }
        self.let_arrive(events);
    }

    /// Runs what is due at a node by its clock.
    pub(crate) fn advance_node(&mut self, node: NodeIndex, clock_ms: u64, events: &mut Vec<Event>) {
        if self.table(node).is_some() {
            return self.advance_table(node, clock_ms, events);
        }
        self.on_server(node, None, events, |server| server.advance(clock_ms));
    }

    /// The node that a client is connected to, and its connection there.
    pub(crate) fn address(&self, client: ClientIndex) -> Option<(NodeIndex, ClientId)> {
        let client = self.client(client)?;
        Some((client.node, client.connection?))
    }

    /// Runs a server operation, for a client or by itself, and turns its outputs into events, with the values of changed keys before and
    /// after.
    pub(crate) fn on_server(
        &mut self,
        node: NodeIndex,
        by: Option<ClientIndex>,
        events: &mut Vec<Event>,
        act: impl FnOnce(&mut Server) -> Vec<Output>,
    ) {
        let now_ms = self.now_ms;
        let Some(found) = self.nodes.get_mut(node.0).filter(|found| found.is_up) else { return };
        found.sync_disk(now_ms);
        let Some(server) = found.server_mut() else { return };
        let before = server.former();
        let mut outputs = act(Rc::make_mut(server));
        if self.traffic.is_some() {
            outputs = self.pass_to_traffic(node, outputs);
        }
        let from = events.len();
        self.take_outputs(node, &before, outputs, events);
        self.watch_keys(node, from, by, events);
    }

    /// Turns a server's outputs into events.
    pub(crate) fn take_outputs(
        &mut self,
        node: NodeIndex,
        before: &Former,
        outputs: Vec<Output>,
        events: &mut Vec<Event>,
    ) {
        for output in outputs {
            let mut lost = Vec::new();
            if let Output::Closed { client, .. } = output {
                self.hear_out(node, client, events);
            }
            if let Some(kind) = self.event_of(node, before, output, &mut lost) {
                self.emit(events, Some(node), kind);
            }
            events.append(&mut lost);
        }
    }

    fn event_of(
        &mut self,
        node: NodeIndex,
        before: &Former,
        output: Output,
        lost: &mut Vec<Event>,
    ) -> Option<EventKind> {
        let after = self.nodes.get(node.0)?.server()?;
        let owner = |id: ClientId| self.owners.get(&(node, id)).copied();
        Some(match output {
            Output::Reply { client, value } => {
                let (protocol, owner) = (protocol_of(before, after, client), owner(client)?);
                self.answer_connection(node, owner, value, protocol, lost)?
            }
            Output::Push { client, value } => {
                let (protocol, owner) = (protocol_of(before, after, client), owner(client)?);
                self.say(node, owner, value, protocol, false)?
            }
            Output::Held { client, value } => EventKind::Held { client: owner(client)?.client(), value },
            Output::Blocked { client } => {
                let wait = after.client(client)?.blocked.as_ref()?.wait.clone();
                EventKind::Blocked { client: owner(client)?.client(), wait }
            }
            Output::Unblocked { client } => EventKind::Unblocked { client: owner(client)?.client() },
            Output::Closed { client, reason } => {
                let owner = self.owners.remove(&(node, client))?;
                self.on_disconnect(node, owner, client, lost);
                owner.closed(reason)?
            }
            Output::Flushed { db } => EventKind::Flushed { db, keys: before.db(db).map_or(0, |db| db.len()) },
            Output::Swapped { first, second } => EventKind::Swapped { first, second },
            Output::Changed { db, key, cause } => {
                let was = before.db(db).and_then(|db| db.entry(&key)).cloned();
                let is = after.db(db).and_then(|db| db.entry(&key)).cloned();
                match cause {
                    Cause::Expiry if is.is_none() => EventKind::KeyExpired { key: (db, key), before: was },
                    Cause::Eviction if is.is_none() => EventKind::KeyEvicted { key: (db, key), before: was },
                    _ if was == is => return None,
                    _ => EventKind::KeyChanged { key: (db, key), before: was, after: is },
                }
            }
        })
    }

    /// Emits an event at a node.
    pub(crate) fn emit(&self, events: &mut Vec<Event>, node: Option<NodeIndex>, kind: EventKind) {
        let clock_ahead_ms = node.map_or(0, |node| self.clock_ahead_ms(node));
        events.push(Event { at_ms: self.now_ms, clock_ahead_ms, node, kind });
    }
}

/// The place of a client among the others, unless one with a lower number is missing.
fn place_of(client: ClientIndex) -> usize {
    usize::try_from(client).unwrap_or(usize::MAX)
}

/// The RESP version of a connection, including one that this step has closed.
fn protocol_of(before: &Former, after: &Server, id: ClientId) -> Protocol {
    after.client(id).or_else(|| before.client(id)).map_or(Protocol::Resp2, |client| client.protocol)
}
